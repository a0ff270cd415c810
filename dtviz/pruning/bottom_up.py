"""Pruning from the leaves up: by a second sample, or by the first and a penalty.

Reduced-error pruning asks a second sample at every node. Kearns and Mansour's pass (claims MN-BU to
MN-T12.5) works on the sample that grew the tree. It keeps a subtree only where it beats a leaf by
more than two sampling errors: the penalty of ``dtviz.pruning.penalty``. Logarithms are natural.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Bools, Floats, Ints
from dtviz.core.checks import as_confidence, as_integer
from dtviz.core.hints import with_hints
from dtviz.core.tree.tree import Tree
from dtviz.pruning.decisions import Pruning, PruningPath, bottom_up
from dtviz.pruning.node_counts import GrownOn, NodeCounts, check_counts, count_sample, node_counts
from dtviz.pruning.penalty import MAX_TESTS, LogCardinality, as_constant, finite_tests


@with_hints
def reduced_error_prune(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: Any,
    y: Any = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    grown_on: GrownOn,
    classes: npt.ArrayLike | None = None,
    loss: npt.ArrayLike | None = None,
) -> Pruning:
    """Reduced-error pruning: cut wherever a leaf makes no more errors than the subtree (MN-REP).

    From the leaves up, each node's subtree, pruned below already, is compared with a leaf on a
    sample that did not grow the tree. The result errs the least of all prunings, and is the
    smallest of those that do. Time linear in the tree, plus that of sending the sample down.

    The sample that labels a node when it is cut makes two algorithms of this, so the call must say
    which it is. In the source it is the sample that grew the tree, ``grown_on=(X_1, y_1)``. To give
    a node the majority of the pruning sample instead, ``grown_on=(X, y)``, is another method: then
    the pruning sample labels leaves, and does not only count their errors.

    Parameters
    ----------
    tree : Tree
        A labeled tree; its leaves keep their labels. A bare tree is labeled as cut nodes are.
    X, y : (m, d) and (m,) arrays
        The pruning sample, the source's S_2.
    grown_on : pair (X, y) or triple (X, y, sample_weight)
        The sample S_1 that grew the tree. A node that is cut predicts its majority there (claim
        MN-REPEX).
    sample_weight, classes, loss :
        See `node_counts`. A regression tree is pruned by squared errors, and has neither of the
        last two.

    Examples
    --------
    >>> import dtviz as dt
    >>> tree = dt.Tree.split(0, dt.Tree.split(1, dt.Tree.leaf(0), dt.Tree.leaf(1)), dt.Tree.leaf(1))
    >>> grown_on = [[0, 0], [0, 0], [0, 1], [1, 0]], [0, 0, 1, 1]
    >>> X, y = [[0, 0], [0, 1], [1, 0]], [0, 0, 1]
    >>> pruned = dt.pruning.reduced_error_prune(tree, X, y, grown_on=grown_on)
    >>> print(pruned.tree())
    x0
    ├─ 0: 0
    └─ 1: 1
    >>> [(d.node, d.subtree_errors, d.leaf_errors, d.cut) for d in pruned.decisions]
    [(1, 1, 0, True), (0, 0, 1, False)]
    """
    if grown_on is None:
        msg = (
            "grown_on must be the sample that labels a node when it is cut, a pair (X, y) of that "
            "which grew the tree, got None"
        )
        raise ValueError(msg)
    samples = {"sample_weight": sample_weight, "grown_on": grown_on}
    counts = count_sample(tree, X, y, classes=classes, loss=loss, **samples)

    def decide(inner: Ints, _: Ints, errors: Ints) -> tuple[Bools, Floats]:
        return counts.errors[inner] <= errors + counts.slack, np.zeros(inner.size)

    return bottom_up(counts, decide)


@with_hints
def bottom_up_prune(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: Any,
    y: Any = None,
    delta: float = 0.05,
    c: float = 2.0,
    *,
    n_tests: int | None = None,
    sample_weight: npt.ArrayLike | None = None,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> Pruning:
    """Kearns and Mansour's pruning, one pass on the sample that grew the tree (MN-BU, MN-12.1).

    From the leaves up, the current subtree T at node v is cut unless its error rate on the m_v
    examples that reach v, plus the penalty `bottom_up_penalty`, is below that of a leaf. Where no
    example comes the subtree is cut. Time linear in the tree, plus that of sending the sample down.

    With c = 2 and two classes, with probability at least ``1 - delta``, no subtree is wrongly kept:
    the result is a pruning of the best pruning (claim MN-L12.3). The proof counts the conjunctions
    of tests that may lead to a node and the trees that may hang there, so it needs a finite set of
    tests chosen without looking at the sample. More classes only mean more labelings, which are
    counted. For thresholds that the sample suggests, a bound by VC dimensions replaces the
    count, with other constants (claim MN-VC). With weights, whole numbers, m is their sum: the
    guarantee holds if a row of weight w is w independent examples.

    Parameters
    ----------
    tree : Tree
        Its leaves should carry the majority labels of the sample; `Tree.bare` makes them (claim
        MN-INTUIT).
    X, y : (m, d) and (m,) arrays
        The sample; it may be the one that grew the tree.
    delta : float in (0, 1)
    c : float > 0
        The constant of the penalty. The proofs need 2, which cuts far too much on samples of a few
        thousand; smaller values are a practitioner's choice without the guarantee.
    n_tests : int >= 1, optional
        |H|, the number of tests. By default the features if every test is of a bit, else the
        number of thresholds that can differ on 2 m points, ``d (2m - 1)``, a rule of thumb
        without a theorem; it must be at most 2^53, which weights may exceed.
    sample_weight, grown_on, classes :
        See `node_counts`.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> dt.pruning.bottom_up_prune(tree, X, y, c=0.2)
    <Pruning: 4 -> 2 leaves, 0 -> 1 errors of 6>
    >>> dt.pruning.bottom_up_prune(tree, X, y, c=0.2, sample_weight=[9, 9, 9, 9, 9, 9])
    <Pruning: 4 -> 4 leaves, 0 -> 0 errors of 54>
    """
    c = as_constant(c)
    samples = {"sample_weight": sample_weight, "grown_on": grown_on, "classes": classes}
    return _read_rule(tree, X, y, delta, n_tests, **samples).prune(c)


@with_hints
def bottom_up_path(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: Any,
    y: Any = None,
    *,
    delta: float = 0.05,
    n_tests: int | None = None,
    sample_weight: npt.ArrayLike | None = None,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> PruningPath:
    """Every result of `bottom_up_prune` as c grows: a `PruningPath` over ``"c"`` (MN-BU).

    Arguments are those of `bottom_up_prune`. Time quadratic in the tree, if there are as many
    results as nodes. Sizes shrink from left to right as a rule, not always: when a small subtree
    below is cut, the penalty of a large one above falls, and may fall by more than the errors rise.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> path = dt.pruning.bottom_up_path(tree, X, y)
    >>> path.n_leaves.tolist(), path.breaks.round(4).tolist()
    ([4, 2, 1], [0.0, 0.1269, 0.2782])
    """
    samples = {"sample_weight": sample_weight, "grown_on": grown_on, "classes": classes}
    rule = _read_rule(tree, X, y, delta, n_tests, **samples)
    return PruningPath("c", *rule.steps(), rule.counts.m, rule.prune)


def _read_rule(
    tree: Tree, X: Any, y: Any, delta: float, n_tests: int | None, **samples: Any
) -> PenaltyRule:
    """The sample on the tree, and the rule that counts so many tests."""
    log_delta = -math.log(as_confidence(delta))
    counts = node_counts(tree, X, y, **samples)
    check_counts(counts, samples["sample_weight"])
    if n_tests is not None:
        tests = as_integer("n_tests", n_tests, 1, MAX_TESTS)
        return PenaltyRule(counts, finite_tests(tests, counts), log_delta)
    m, columns = counts.m, max(1, counts.n_columns)
    tests = columns if counts.given.is_boolean else columns * (2 * m - 1)
    if tests > MAX_TESTS:
        msg = (
            f"sample_weight must have a sum m with d (2 m - 1) <= 2^53, the most thresholds that "
            f"are counted, got d = {columns}, m = {m}: n_tests=... sets another number"
        )
        raise ValueError(msg)
    return PenaltyRule(counts, finite_tests(tests, counts), log_delta)


@dataclass(frozen=True)
class PenaltyRule:
    """When a subtree is cut, as c varies; ``log_delta`` is ``ln(1/delta)``."""

    counts: NodeCounts
    log_cardinality: LogCardinality
    log_delta: float

    def bits(self, v: Ints, size: Ints) -> Floats:
        """``ln |PATHS| + ln |TREES| + ln(m/delta)`` at nodes with subtrees of these sizes."""
        logs = np.asarray(self.log_cardinality(self.counts.given.node_depth[v], size))
        return np.asarray(logs + math.log(self.counts.m) + self.log_delta)

    def threshold(self, v: Ints, size: Ints, errors: Ints) -> Floats:
        """The c from which on such subtrees are cut; 0 if always."""
        gap, reach = self.counts.errors[v] - errors, self.counts.reach[v]
        spread = np.where(gap > 0, reach * self.bits(v, size), 1.0)
        return np.asarray(np.where(gap > 0, gap / np.sqrt(spread), 0.0))

    def decide(self, c: float, v: Ints, size: Ints, errors: Ints) -> tuple[Bools, Floats]:
        """Where to cut at a value of c, and the penalties there."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            penalty = c * np.sqrt(self.bits(v, size) / self.counts.reach[v])
        return np.asarray(c >= self.threshold(v, size, errors)), penalty

    def prune(self, c: float) -> Pruning:
        """The pruning at a value of c."""
        return bottom_up(self.counts, partial(self.decide, c))

    def steps(self) -> tuple[Floats, Ints, Ints]:
        """Where the pruned tree changes, and its sizes and errors from there on."""
        inner = np.flatnonzero(self.counts.given.variable >= 0)
        at, found = 0.0, list[tuple[float, Pruning]]()
        while True:
            now = self.prune(at)
            if not found or (now.kept != found[-1][1].kept).any():
                found.append((at, now))
            # Until the next of these nothing changes, in the tree or where it is cut off.
            ends = self.threshold(inner, now.subtree_leaves[inner], now.subtree_errors[inner])
            if not (ends > at).any():
                break
            at = float(ends[ends > at].min())
        breaks = np.array([at for at, _ in found])
        sizes = np.array([pruning.n_leaves for _, pruning in found])
        return breaks, sizes, np.array([pruning.errors for _, pruning in found])
