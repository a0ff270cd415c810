"""The claims of chapter `dtviz.influence`, in the order of its pages."""

from dtviz.influence.claims import (
    algorithm,
    costs,
    definitions,
    inequalities,
    lemmas,
    lower_bounds,
    parities,
    phase_1,
    phase_2,
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
    *phase_1.CLAIMS,
    *phase_2.CLAIMS,
    *parities.CLAIMS,
    *lower_bounds.CLAIMS,
)
