"""The claims of chapter `dtviz.rank`, in the order of its pages."""

from dtviz.rank.claims import (
    cost,
    counts,
    definitions,
    examples,
    find,
    functions,
    learning,
    polynomial,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *definitions.CLAIMS,
    *examples.CLAIMS,
    *find.CLAIMS,
    *cost.CLAIMS,
    *counts.CLAIMS,
    *functions.CLAIMS,
    *learning.CLAIMS,
    *polynomial.CLAIMS,
)
