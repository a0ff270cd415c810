"""The claims of chapter `dtviz.pruning`, in the order of its pages."""

from dtviz.pruning.claims import analysis, bound, choices, convergence, penalty

__all__ = ["CLAIMS"]

CLAIMS = (
    *choices.CLAIMS,
    *penalty.CLAIMS,
    *convergence.CLAIMS,
    *analysis.CLAIMS,
    *bound.CLAIMS,
)
