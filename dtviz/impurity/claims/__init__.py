"""The claims of chapter `dtviz.impurity`, in the order of its pages."""

from dtviz.impurity.claims import (
    costs,
    depth,
    divergence,
    growth,
    myopia,
    regression,
    small,
    splits,
    trees,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *costs.CLAIMS,
    *divergence.CLAIMS,
    *trees.CLAIMS,
    *small.CLAIMS,
    *growth.CLAIMS,
    *myopia.CLAIMS,
    *splits.CLAIMS,
    *regression.CLAIMS,
    *depth.CLAIMS,
)
