"""The claims of chapter `dtviz.rank`, in the order of its pages."""

from dtviz.rank.claims import counts, definitions, find, learning

__all__ = ["CLAIMS"]

CLAIMS = (
    *definitions.CLAIMS,
    *find.CLAIMS,
    *counts.CLAIMS,
    *learning.CLAIMS,
)
