"""Growing by cost functions: weak learning and top-down induction as boosting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtviz.core import lazy
from dtviz.growing.bounds import (
    BOUNDED,
    adversarial_leaves,
    contraction,
    cost_bound,
    has_good_leaf,
    leaf_drop_floor,
    log_leaves_enough,
    tree_drop_floor,
)
from dtviz.growing.one_split import CostShape, children, cost_shape, drop, edge
from dtviz.growing.predicates import edges, grow_function, grow_predicates
from dtviz.growing.votes import VoteGrowth, grow_votes

if TYPE_CHECKING:
    from dtviz.growing import literal
    from dtviz.growing.explorer import GrowingExplorer

__all__ = [
    "BOUNDED",
    "CostShape",
    "GrowingExplorer",
    "VoteGrowth",
    "adversarial_leaves",
    "children",
    "contraction",
    "cost_bound",
    "cost_shape",
    "drop",
    "edge",
    "edges",
    "grow_function",
    "grow_predicates",
    "grow_votes",
    "has_good_leaf",
    "leaf_drop_floor",
    "literal",
    "log_leaves_enough",
    "tree_drop_floor",
]

__getattr__, __dir__ = lazy(
    __name__,
    __all__,
    {"GrowingExplorer": "dtviz.growing.explorer", "literal": "dtviz.growing.literal"},
)
