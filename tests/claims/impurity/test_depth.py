"""Chapter 4, depth: how deep a greedy tree may be, and what is certain."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.impurity.cases import PAGE, changed, id3_of_samples, id3_trees
from claims.kit import CU, Form, Outcome, Trial, claim, outcome
from dtviz import impurity as chapter
from dtviz.core import functions as zoo
from dtviz.core.boolean import points
from dtviz.core.tolerances import CLOSE
from dtviz.core.tree import Tree

CONCAVE = ("gini", "entropy", "sqrt")
LENGTHS = (*range(2, 10), 16, 33, 64)
RUNS = tuple(range(2, 121))
Array = npt.NDArray[Any]
Labels = Callable[[int], Array]


def _alternating(n: int) -> Array:
    """0, 1, 0, 1, and so on."""
    return np.arange(n) % 2


def _in_pairs(n: int) -> Array:
    """0, 0, 1, 1, and so on."""
    return np.arange(n) // 2 % 2


@cache
def _trees_on_a_line(
    labels: Labels = _alternating,
) -> tuple[tuple[int, str, Tree], ...]:
    """ID3's trees for labels on a line, with the number of points and the impurity."""
    return tuple(
        (n, cost, chapter.id3(np.arange(n)[:, None], labels(n), cost))
        for n in LENGTHS
        for cost in CONCAVE
    )


def _chains(
    depth: Callable[[int], int] = lambda n: n - 1,
    labels: Labels = _alternating,
) -> Outcome:
    """Leaves and depth of the trees of alternating labels."""
    cases = _trees_on_a_line(labels)
    return outcome(
        "rows of points and impurities",
        [tree.depth == depth(n) and tree.n_leaves == n for n, _, tree in cases],
        [tree.depth for _, _, tree in cases],
        lambda k: f"depth {cases[k][2].depth} for n = {cases[k][0]} by {cases[k][1]}",
        example=lambda k: cases[k][2],
    )


def _ends(n: int) -> set[int]:
    """The cuts that leave one point on a side, by how many are on the left."""
    return {1, n - 1}


@cache
def _weighted_impurities(cost: str) -> tuple[Array, ...]:
    """What each cut leaves of rows of 2, 3, 4, ... points with alternating labels."""
    return tuple(
        chapter.threshold_scan(np.arange(n), _alternating(n), cost).impurities for n in RUNS
    )


def _best_cuts(
    cuts: Callable[[int], set[int]] = _ends, impurities: tuple[str, ...] = CONCAVE
) -> Outcome:
    """All the best cuts of a row of alternating labels, whichever of them is taken."""
    good, lead, names = [], [], []
    for cost in impurities:
        for n, after in zip(RUNS, _weighted_impurities(cost), strict=True):
            best = set((np.flatnonzero(after <= after.min() + CLOSE) + 1).tolist())
            good.append(best == cuts(n))
            others = after[after > after.min() + CLOSE]
            lead.append(float(others.min() - after.min()) if others.size else 1.0)
            names.append(
                f"the best cuts leave {', '.join(map(str, sorted(best)))} on the left, the next "
                f"{lead[-1]:.3g} more, n = {n} by {cost}"
            )
    return outcome("rows of points and impurities", good, np.negative(lead), names.__getitem__)


@cache
def _trees() -> tuple[Tree, ...]:
    """Trees of ID3: chains, complete trees, and what lies between."""
    complete = [chapter.id3(points(n), zoo.parity(n).table) for n in range(1, 7)]
    return (*(t for _, _, t in _trees_on_a_line()), *complete, *id3_of_samples(), *id3_trees())


def _log_of_leaves(leaves: int) -> int:
    """``ceil(log leaves)``."""
    return (leaves - 1).bit_length()


def _between(
    least: Callable[[int], int] = _log_of_leaves,
    most: Callable[[int], int] = lambda leaves: leaves - 1,
) -> Outcome:
    """The depth of a tree against two bounds by its leaves."""
    trees = _trees()
    spare = [
        min(tree.depth - least(tree.n_leaves), most(tree.n_leaves) - tree.depth) for tree in trees
    ]
    return outcome(
        "trees",
        [s >= 0 for s in spare],
        # Of the tight ones, the largest.
        [tree.n_leaves / 1000 - s for tree, s in zip(trees, spare, strict=True)],
        lambda k: f"depth {trees[k].depth}, {trees[k].n_leaves} leaves",
        example=trees.__getitem__,
    )


def _at_most_log() -> Outcome:
    """Depth against ``5 log2 n``."""
    cases = [case for case in _trees_on_a_line() if case[1] == "gini"]
    ratio = [tree.depth / math.log2(n) for n, _, tree in cases]
    return outcome(
        "rows of points",
        np.array(ratio) <= 5,
        ratio,
        lambda k: f"depth {cases[k][2].depth} for n = {cases[k][0]}",
        example=lambda k: cases[k][2],
    )


@claim(
    "CU-PARAM",
    CU,
    r"A tree grown to full depth is a non-parametric model, for it grows with the data; one of "
    r"bounded depth is parametric.",
    PAGE,
    note="A convention about words.",
)
def test_cu_param(trial: Trial) -> None:
    """There is nothing finite to compute."""


@claim(
    "CU-DEPTH",
    CU,
    r"The depth of a tree is at least $\log_2$ of its leaves; with $n$ examples it may be as "
    r"much as $n - 1$.",
    PAGE,
    repaired=True,
    note="The source says: in practice O(log2 n). That is no theorem.",
)
def test_cu_depth(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "alternating labels: n leaves, depth n - 1",
                _chains,
                formula="n - 1",
                mutants=changed(
                    _chains,
                    depth={
                        "depth ⌈log n⌉": _log_of_leaves,
                        "depth n - 2": lambda n: n - 2,
                    },
                    labels={"labels in pairs, 0 0 1 1": _in_pairs},
                ),
            ),
            Form(
                "alternating labels: the best cuts are at the ends, and nowhere else",
                _best_cuts,
                mutants=changed(
                    _best_cuts,
                    cuts={
                        "in the middle": lambda n: {n // 2, n - n // 2},
                        "at the left end only": lambda _: {1},
                    },
                    impurities={"the error as well": ("gini", "entropy", "error")},
                ),
            ),
            Form(
                "⌈log2 leaves⌉ ≤ depth ≤ leaves - 1",
                _between,
                formula=r"\lceil \log \ell \rceil \le \text{depth} \le \ell - 1",
                mutants=changed(
                    _between,
                    least={"⌊log2 leaves⌋ + 1 ≤ depth": int.bit_length},
                    most={
                        "depth ≤ leaves - 2": lambda leaves: max(leaves - 2, 0),
                        "depth ≤ half of the leaves": lambda leaves: (leaves + 1) // 2,
                    },
                ),
            ),
        ),
        (Form("as printed, O(log2 n), with factor 5", _at_most_log),),
    )
