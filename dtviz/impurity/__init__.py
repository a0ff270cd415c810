"""Impurity: ID3 and CART on real data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtviz.core import lazy
from dtviz.core.cart.beta_costs import BetaCost, cost_at
from dtviz.core.cart.criteria import CLASS_COST_FUNCTIONS, entropy, gini, kl, squared_loss
from dtviz.core.cart.growth import GROWTH_COSTS, grow
from dtviz.core.cart.impurity_path import ImpurityPath
from dtviz.core.tree.bridges import from_sklearn
from dtviz.impurity.least import least_errors, optimal_tree
from dtviz.impurity.splits import ThresholdScan, best_split, id3, threshold_scan

if TYPE_CHECKING:
    from dtviz.impurity import literal
    from dtviz.impurity.estimators import TopDownClassifier, TopDownRegressor
    from dtviz.impurity.explorer import ImpurityExplorer

__all__ = [
    "CLASS_COST_FUNCTIONS",
    "GROWTH_COSTS",
    "BetaCost",
    "ImpurityExplorer",
    "ImpurityPath",
    "ThresholdScan",
    "TopDownClassifier",
    "TopDownRegressor",
    "best_split",
    "cost_at",
    "entropy",
    "from_sklearn",
    "gini",
    "grow",
    "id3",
    "kl",
    "least_errors",
    "literal",
    "optimal_tree",
    "squared_loss",
    "threshold_scan",
]

__getattr__, __dir__ = lazy(
    __name__,
    __all__,
    {
        "literal": "dtviz.impurity.literal",
        "ImpurityExplorer": "dtviz.impurity.explorer",
        # These need scikit-learn.
        "TopDownClassifier": "dtviz.impurity.estimators",
        "TopDownRegressor": "dtviz.impurity.estimators",
    },
)
