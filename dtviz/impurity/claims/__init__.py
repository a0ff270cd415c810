"""The claims of chapter `dtviz.impurity`, in the order of its pages."""

from dtviz.impurity.claims import costs, growth

__all__ = ["CLAIMS"]

CLAIMS = (
    *costs.CLAIMS,
    *growth.CLAIMS,
)
