"""The claims of chapter `dtviz.product`, in the order of its pages."""

from dtviz.product.claims import definitions, depths, lemmas, samples, theorem

__all__ = ["CLAIMS"]

CLAIMS = (
    *definitions.CLAIMS,
    *lemmas.CLAIMS,
    *theorem.CLAIMS,
    *depths.CLAIMS,
    *samples.CLAIMS,
)
