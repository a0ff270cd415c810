"""The claims of chapter `dtviz.pruning`, in the order of its pages."""

from dtviz.pruning.claims import (
    analysis,
    bound,
    choices,
    convergence,
    counting,
    penalty,
    reach,
    table,
    theorem,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *choices.CLAIMS,
    *table.CLAIMS,
    *penalty.CLAIMS,
    *counting.CLAIMS,
    *convergence.CLAIMS,
    *analysis.CLAIMS,
    *reach.CLAIMS,
    *bound.CLAIMS,
    *theorem.CLAIMS,
)
