"""dtviz: how decision trees are learned, computed and drawn.

The flat facade of the book: ``import dtviz as dt``. Drawing (`dt.plot`), the claims and the
explorers load when first used, so the import needs NumPy alone.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from dtviz import boosting, functions, product, rank, sampled
from dtviz.approximate import approximate_greedy, replay
from dtviz.boolean import MAX_VARIABLES, BooleanFunction, ProductDistribution, points, uniform
from dtviz.costs import COSTS, entropy, gini, kl, squared_loss
from dtviz.estimators import TopDownClassifier, TopDownRegressor
from dtviz.growth import GrowthPath, Split
from dtviz.impurity import ImpurityPath, grow, id3, threshold_scan
from dtviz.influence import greedy_sizes
from dtviz.measures import (
    error,
    influence_counts,
    influences,
    mean,
    resample_influences,
    total_influence,
    variance,
    variation,
)
from dtviz.optimal import OptimalTrees, optimal, optimal_all
from dtviz.predicates import grow_by_cost, grow_function_by_cost
from dtviz.pruning import (
    bottom_up_prune,
    cost_complexity_path,
    cost_complexity_prune,
    cross_validated_prune,
    reduced_error_prune,
    smallest_prunings,
    srm_prune,
)
from dtviz.rank import (
    find,
    find_min,
    find_min_runs,
    find_run,
    pac_errors,
    random_tree,
    sample_rank,
)
from dtviz.sampled import build_top_down_sampled
from dtviz.topdown import build_top_down, cost, leaf_scores, tree_error
from dtviz.tree import Tree
from dtviz.votes import grow_votes

if TYPE_CHECKING:
    from dtviz import claims, plot
    from dtviz.claims import check
    from dtviz.explorers import (
        ImpurityExplorer,
        InfluenceExplorer,
        ProductExplorer,
        PruningExplorer,
        RankExplorer,
    )

__all__ = [
    "COSTS",
    "MAX_VARIABLES",
    "BooleanFunction",
    "GrowthPath",
    "ImpurityExplorer",
    "ImpurityPath",
    "InfluenceExplorer",
    "OptimalTrees",
    "ProductDistribution",
    "ProductExplorer",
    "PruningExplorer",
    "RankExplorer",
    "Split",
    "TopDownClassifier",
    "TopDownRegressor",
    "Tree",
    "approximate_greedy",
    "boosting",
    "bottom_up_prune",
    "build_top_down",
    "build_top_down_sampled",
    "check",
    "claims",
    "cost",
    "cost_complexity_path",
    "cost_complexity_prune",
    "cross_validated_prune",
    "entropy",
    "error",
    "find",
    "find_min",
    "find_min_runs",
    "find_run",
    "functions",
    "gini",
    "greedy_sizes",
    "grow",
    "grow_by_cost",
    "grow_function_by_cost",
    "grow_votes",
    "id3",
    "influence_counts",
    "influences",
    "kl",
    "leaf_scores",
    "mean",
    "optimal",
    "optimal_all",
    "pac_errors",
    "plot",
    "points",
    "product",
    "pruning",
    "random_tree",
    "rank",
    "reduced_error_prune",
    "replay",
    "resample_influences",
    "sample_rank",
    "sampled",
    "smallest_prunings",
    "squared_loss",
    "srm_prune",
    "threshold_scan",
    "total_influence",
    "tree_error",
    "uniform",
    "variance",
    "variation",
]

_LAZY = {
    "check": "dtviz.claims",
    "ImpurityExplorer": "dtviz.explorers",
    "InfluenceExplorer": "dtviz.explorers",
    "ProductExplorer": "dtviz.explorers",
    "PruningExplorer": "dtviz.explorers",
    "RankExplorer": "dtviz.explorers",
}


def __getattr__(name: str) -> Any:
    if name in ("claims", "plot"):
        return importlib.import_module(f"dtviz.{name}")
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    msg = f"module 'dtviz' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return sorted(__all__)
