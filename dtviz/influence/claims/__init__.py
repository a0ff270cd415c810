"""The claims of chapter `dtviz.influence`, in the order of its pages."""

from dtviz.influence.claims import definitions, inequalities, lemmas, lower_bounds, theorem

__all__ = ["CLAIMS"]

CLAIMS = (
    *definitions.CLAIMS,
    *lemmas.CLAIMS,
    *inequalities.CLAIMS,
    *theorem.CLAIMS,
    *lower_bounds.CLAIMS,
)
