"""Chapter 5, growing by cost functions: weak learning and top-down induction as boosting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtviz.core.lazy import lazy
from dtviz.growing.predicates import edges, grow_function, grow_predicates
from dtviz.growing.votes import MAX_VOTES, VoteGrowth, grow_votes
from dtviz.growing.weak_learning import (
    BOUNDED,
    CostShape,
    adversarial_leaves,
    children,
    contraction,
    cost_bound,
    cost_shape,
    drop,
    edge,
    has_good_leaf,
    leaf_drop_floor,
    log_leaves_enough,
    notes_drop_floor,
    notes_log_leaves,
    printed_log_leaves,
    tree_drop_floor,
)

if TYPE_CHECKING:
    from dtviz.growing import claims, literal
    from dtviz.growing.explorer import GrowingExplorer

__all__ = [
    "BOUNDED",
    "MAX_VOTES",
    "CostShape",
    "GrowingExplorer",
    "VoteGrowth",
    "adversarial_leaves",
    "children",
    "claims",
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
    "notes_drop_floor",
    "notes_log_leaves",
    "printed_log_leaves",
    "tree_drop_floor",
]

__getattr__ = lazy(
    __name__,
    {
        "GrowingExplorer": "dtviz.growing.explorer",
        "claims": "dtviz.growing.claims",
        "literal": "dtviz.growing.literal",
    },
)
