"""The claims of chapter `dtviz.influence`, in the order of its pages."""

from dtviz.influence.claims import (
    algorithm,
    costs,
    definitions,
    inequalities,
    lemmas,
    lower_bounds,
    theorem,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *definitions.CLAIMS,
    *algorithm.CLAIMS,
    *lemmas.CLAIMS,
    *inequalities.CLAIMS,
    *costs.CLAIMS,
    *theorem.CLAIMS,
    *lower_bounds.CLAIMS,
)
