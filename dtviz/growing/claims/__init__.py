"""The claims of chapter `dtviz.growing`, in the order of its pages."""

from dtviz.growing.claims import costs, definitions, rates

__all__ = ["CLAIMS"]

CLAIMS = (
    *definitions.CLAIMS,
    *costs.CLAIMS,
    *rates.CLAIMS,
)
