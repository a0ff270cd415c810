"""The claims of chapter `dtviz.product`, in the order of its pages."""

from dtviz.product.claims import (
    definitions,
    depths,
    equivalence,
    estimates,
    floors,
    lemmas,
    rare,
    remarks,
    samples,
    sizes,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *definitions.CLAIMS,
    *lemmas.CLAIMS,
    *floors.CLAIMS,
    *sizes.CLAIMS,
    *rare.CLAIMS,
    *depths.CLAIMS,
    *estimates.CLAIMS,
    *samples.CLAIMS,
    *equivalence.CLAIMS,
    *remarks.CLAIMS,
)
