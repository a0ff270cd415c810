"""Rank and FIND, after Ehrenfeucht and Haussler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtviz.core import lazy
from dtviz.rank.counting import (
    count_reduced_trees,
    count_trees_of_size,
    functions_by_rank,
    log_function_bound,
    most_leaves,
    rank_of_nodes,
    recurrence,
    recurrence_bound,
    reduced_trees,
    sample_size,
    sample_size_for_nodes,
    sample_size_for_rank,
)
from dtviz.rank.learners import (
    find,
    find_min,
    find_min_runs,
    find_run,
    pac_errors,
    random_tree,
    sample_rank,
)
from dtviz.rank.recording import FindRun

if TYPE_CHECKING:
    from dtviz.rank import literal
    from dtviz.rank.explorer import RankExplorer

__all__ = [
    "FindRun",
    "RankExplorer",
    "count_reduced_trees",
    "count_trees_of_size",
    "find",
    "find_min",
    "find_min_runs",
    "find_run",
    "functions_by_rank",
    "literal",
    "log_function_bound",
    "most_leaves",
    "pac_errors",
    "random_tree",
    "rank_of_nodes",
    "recurrence",
    "recurrence_bound",
    "reduced_trees",
    "sample_rank",
    "sample_size",
    "sample_size_for_nodes",
    "sample_size_for_rank",
]

__getattr__, __dir__ = lazy(
    __name__, __all__, {"literal": "dtviz.rank.literal", "RankExplorer": "dtviz.rank.explorer"}
)
