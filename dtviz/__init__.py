"""dtviz: how decision trees are learned, computed and drawn.

``import dtviz as dt`` offers functions and distributions (`BooleanFunction`, `functions`,
`measures`), trees and their growth (`Tree`, `build_top_down`, `grow`, `optimal`), a data set, a
module a chapter (`influence` to `pruning`), pictures (`plot`), the atlas, and the explorers. The
last three load when first used, so the import needs NumPy alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from dtviz import growing, impurity, influence, product, pruning, rank
from dtviz.core import lazy
from dtviz.core.bases import draw_with
from dtviz.core.boolean import functions, measures
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution, cube_points
from dtviz.core.boolean.measures import influences
from dtviz.core.boolean_trees.exhaustive import optimal_all
from dtviz.core.boolean_trees.optimal import optimal
from dtviz.core.boolean_trees.topdown import build_top_down
from dtviz.core.cart.criteria import COST_FUNCTIONS
from dtviz.core.cart.growth import grow
from dtviz.core.data import datasets
from dtviz.core.source_listing import show_source
from dtviz.core.table import table
from dtviz.core.tree.tree import Tree
from dtviz.growing import grow_function, grow_predicates, grow_votes
from dtviz.impurity import from_sklearn, id3
from dtviz.rank import find_min

if TYPE_CHECKING:
    from dtviz import atlas, plot
    from dtviz.atlas import AtlasExplorer
    from dtviz.growing import GrowingExplorer
    from dtviz.impurity import ImpurityExplorer, TopDownClassifier, TopDownRegressor
    from dtviz.influence import InfluenceExplorer
    from dtviz.product import ProductExplorer
    from dtviz.pruning import PruningExplorer
    from dtviz.rank import RankExplorer

__version__ = "0.3.0"

__all__ = [
    "COST_FUNCTIONS",
    "AtlasExplorer",
    "BooleanFunction",
    "GrowingExplorer",
    "ImpurityExplorer",
    "InfluenceExplorer",
    "ProductDistribution",
    "ProductExplorer",
    "PruningExplorer",
    "RankExplorer",
    "TopDownClassifier",
    "TopDownRegressor",
    "Tree",
    "atlas",
    "build_top_down",
    "cube_points",
    "datasets",
    "find_min",
    "from_sklearn",
    "functions",
    "grow",
    "grow_function",
    "grow_predicates",
    "grow_votes",
    "growing",
    "id3",
    "impurity",
    "influence",
    "influences",
    "measures",
    "optimal",
    "optimal_all",
    "plot",
    "product",
    "pruning",
    "rank",
    "show_source",
    "table",
]

__getattr__, __dir__ = lazy(
    __name__,
    __all__,
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
