"""Pruning: cutting back a tree that fits its sample too well.

After Mansour's notes and Kearns and Mansour. Four ways to choose among the prunings of a tree, the
trees made from it by turning nodes into leaves:

- reduced-error pruning asks a second sample at every node, from the leaves up;
- the smallest prunings for every number of errors, from which structural risk minimization or
  cross-validation choose one;
- bottom-up pruning keeps a subtree only if it beats a leaf by more than a penalty for its size, its
  depth and the few examples that reach it, on the sample that grew it;
- cost-complexity pruning, CART's, takes a price per leaf: what practitioners use.

The size of a tree is its number of *leaves*; the source counts nodes, ``2 leaves - 1``. Logarithms
are natural. Each method returns a `Pruning`, with the tree and a record of every decision; each
takes trees of Boolean or real-valued tests, grown by any algorithm, and any number of classes. Two
notions of the source need care then: the number of tests, which for thresholds is unlimited (see
`bottom_up_prune`), and the number of trees, in which each leaf has one of ``n_classes`` labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtviz.core import lazy
from dtviz.pruning.bottom_up import bottom_up_path, bottom_up_prune, reduced_error_prune
from dtviz.pruning.cross_validation import CrossValidatedPruning, cross_validated_prune
from dtviz.pruning.decisions import Decision, Pruning, PruningPath
from dtviz.pruning.node_counts import NodeCounts, node_counts
from dtviz.pruning.penalty import bottom_up_penalty, count_paths, count_trees
from dtviz.pruning.smallest import (
    SmallestPrunings,
    SrmPruning,
    log_factor,
    smallest_prunings,
    srm_prune,
)
from dtviz.pruning.weakest_link import cost_complexity_path, cost_complexity_prune

if TYPE_CHECKING:
    from dtviz.pruning import literal
    from dtviz.pruning.explorer import PruningExplorer

__all__ = [
    "CrossValidatedPruning",
    "Decision",
    "NodeCounts",
    "Pruning",
    "PruningExplorer",
    "PruningPath",
    "SmallestPrunings",
    "SrmPruning",
    "bottom_up_path",
    "bottom_up_penalty",
    "bottom_up_prune",
    "cost_complexity_path",
    "cost_complexity_prune",
    "count_paths",
    "count_trees",
    "cross_validated_prune",
    "literal",
    "log_factor",
    "node_counts",
    "reduced_error_prune",
    "smallest_prunings",
    "srm_prune",
]

__getattr__, __dir__ = lazy(
    __name__,
    __all__,
    {"literal": "dtviz.pruning.literal", "PruningExplorer": "dtviz.pruning.explorer"},
)
