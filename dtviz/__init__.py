"""dtviz: how decision trees are learned, computed and drawn.

The flat facade of the book: ``import dtviz as dt``. Drawing (`dt.plot`), the claims and the
explorers load when first used, so the import needs NumPy alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from dtviz import growing, impurity, influence, product, pruning, rank
from dtviz.core import datasets, functions
from dtviz.core.boolean import (
    MAX_VARIABLES,
    BooleanFunction,
    ProductDistribution,
    points,
    uniform,
)
from dtviz.core.cart.best_first import ImpurityPath, grow
from dtviz.core.costs import CLASS_COST_FUNCTIONS, COST_FUNCTIONS, entropy, gini, kl, squared_loss
from dtviz.core.exhaustive import AllGreedy, AllOptima, greedy_all, optimal_all
from dtviz.core.growth_path import GrowthPath, Split
from dtviz.core.lazy import lazy
from dtviz.core.measures import (
    error,
    influence_counts,
    influences,
    mean,
    resample_influences,
    total_influence,
    variance,
    variation,
)
from dtviz.core.notebook_display import draw_with
from dtviz.core.npn import NPNClasses, npn_canonical, npn_classes
from dtviz.core.optimal import OptimalTrees, optimal
from dtviz.core.source_listing import Listing, show_source
from dtviz.core.topdown import build_top_down, leaf_scores, tree_cost, tree_error
from dtviz.core.tree import Tree
from dtviz.growing import grow_function, grow_predicates, grow_votes
from dtviz.impurity import (
    from_sklearn,
    id3,
    threshold_scan,
    to_sklearn,
)
from dtviz.influence import greedy_sizes
from dtviz.product import build_top_down_approximate, build_top_down_sampled, replay
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

if TYPE_CHECKING:
    from dtviz import atlas, plot
    from dtviz.atlas import AtlasExplorer
    from dtviz.growing import GrowingExplorer
    from dtviz.impurity import ImpurityExplorer, TopDownClassifier, TopDownRegressor
    from dtviz.influence import InfluenceExplorer
    from dtviz.product import ProductExplorer
    from dtviz.pruning import PruningExplorer
    from dtviz.rank import RankExplorer

__version__ = "0.2.0"

__all__ = [
    "CLASS_COST_FUNCTIONS",
    "COST_FUNCTIONS",
    "MAX_VARIABLES",
    "AllGreedy",
    "AllOptima",
    "AtlasExplorer",
    "BooleanFunction",
    "GrowingExplorer",
    "GrowthPath",
    "ImpurityExplorer",
    "ImpurityPath",
    "InfluenceExplorer",
    "Listing",
    "NPNClasses",
    "OptimalTrees",
    "ProductDistribution",
    "ProductExplorer",
    "PruningExplorer",
    "RankExplorer",
    "Split",
    "TopDownClassifier",
    "TopDownRegressor",
    "Tree",
    "atlas",
    "bottom_up_prune",
    "build_top_down",
    "build_top_down_approximate",
    "build_top_down_sampled",
    "cost_complexity_path",
    "cost_complexity_prune",
    "cross_validated_prune",
    "datasets",
    "entropy",
    "error",
    "find",
    "find_min",
    "find_min_runs",
    "find_run",
    "from_sklearn",
    "functions",
    "gini",
    "greedy_all",
    "greedy_sizes",
    "grow",
    "grow_function",
    "grow_predicates",
    "grow_votes",
    "growing",
    "id3",
    "impurity",
    "influence",
    "influence_counts",
    "influences",
    "kl",
    "leaf_scores",
    "mean",
    "npn_canonical",
    "npn_classes",
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
    "show_source",
    "smallest_prunings",
    "squared_loss",
    "srm_prune",
    "threshold_scan",
    "to_sklearn",
    "total_influence",
    "tree_cost",
    "tree_error",
    "uniform",
    "variance",
    "variation",
]

__getattr__ = lazy(
    __name__,
    {
        "AtlasExplorer": "dtviz.atlas.explorer",
        "GrowingExplorer": "dtviz.growing.explorer",
        "ImpurityExplorer": "dtviz.impurity.explorer",
        "InfluenceExplorer": "dtviz.influence.explorer",
        "ProductExplorer": "dtviz.product.explorer",
        "PruningExplorer": "dtviz.pruning.explorer",
        "RankExplorer": "dtviz.rank.explorer",
        "TopDownClassifier": "dtviz.impurity.estimators",
        "TopDownRegressor": "dtviz.impurity.estimators",
        "atlas": "dtviz.atlas",
        "plot": "dtviz.plot",
    },
)


def _picture(thing: object) -> str | None:
    drawn: str | None = import_module("dtviz.plot.html").picture(thing)
    return drawn


draw_with(_picture)


def __dir__() -> list[str]:
    return sorted(__all__)
