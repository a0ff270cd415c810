"""The claims of chapter `dtviz.growing`, in the order of its pages."""

from dtviz.growing.claims import (
    algorithm,
    costs,
    definitions,
    leaves,
    rates,
    shapes,
    square_root,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *definitions.CLAIMS,
    *shapes.CLAIMS,
    *costs.CLAIMS,
    *algorithm.CLAIMS,
    *leaves.CLAIMS,
    *rates.CLAIMS,
    *square_root.CLAIMS,
)
