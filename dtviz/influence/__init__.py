"""Influence-greedy trees, after Blanc, Lange and Tan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtviz.core import lazy
from dtviz.core.boolean_trees.exhaustive import AllGreedy, AllOptima, greedy_all
from dtviz.core.boolean_trees.optimal import OptimalTrees
from dtviz.core.boolean_trees.topdown import (
    InfluencePath,
    LeafScores,
    build_top_down,
    leaf_scores,
    tree_cost,
    tree_error,
)
from dtviz.core.tree.alternatives import Split
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.influence.bounds import (
    Phases,
    phases,
    score_floor_by_cost,
    score_floor_by_error,
    worst_case_costs,
)
from dtviz.influence.ties import GreedySizes, greedy_sizes

if TYPE_CHECKING:
    from dtviz.influence import literal
    from dtviz.influence.explorer import InfluenceExplorer

__all__ = [
    "AllGreedy",
    "AllOptima",
    "GreedySizes",
    "GrowthPath",
    "InfluenceExplorer",
    "InfluencePath",
    "LeafScores",
    "OptimalTrees",
    "Phases",
    "Split",
    "build_top_down",
    "greedy_all",
    "greedy_sizes",
    "leaf_scores",
    "literal",
    "phases",
    "score_floor_by_cost",
    "score_floor_by_error",
    "tree_cost",
    "tree_error",
    "worst_case_costs",
]

__getattr__, __dir__ = lazy(
    __name__,
    __all__,
    {"literal": "dtviz.influence.literal", "InfluenceExplorer": "dtviz.influence.explorer"},
)
