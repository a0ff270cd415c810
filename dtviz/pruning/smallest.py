"""The smallest prunings: for every number of errors d the fewest leaves K_d that err so little.

Structural risk minimization chooses one of them, at a price for each leaf.

The source (claims MN-PRUNE, MN-DP) finds at each node the smallest pruning with a budget of i
errors. The same table read the other way, the fewest errors of a pruning with at most s leaves, is
no longer than the subtree has leaves, and two children's tables make their parent's by one min-plus
convolution: time O(L^2) for L leaves, whatever the size of the sample.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Bools, Floats, HasPicture, Ints, freeze_array
from dtviz.core.checks import as_integer, as_number
from dtviz.core.hints import with_hints
from dtviz.core.tolerances import SAME_RISK
from dtviz.core.tree.node_sums import HasTree
from dtviz.core.tree.tree import Tree
from dtviz.pruning.decisions import Pruning, check_one, cut_fields, find_place
from dtviz.pruning.node_counts import GrownOn, NodeCounts, check_counts, count_sample, node_counts

MAX_LISTED = 1 << 26
"""The most examples for which K_d is listed, d by d: some seconds, and 2 GB on the way."""


@with_hints
class SmallestPrunings(HasTree, HasPicture):
    """K_d for every d, and trees that attain them (MN-PRUNE). `smallest_prunings` makes it.

    Among the prunings with K_d leaves and at most d errors `tree` returns one with the fewest
    errors; it cuts at a node if that costs no error more, and else gives the low child the fewest
    leaves.

    Attributes
    ----------
    counts : NodeCounts
        The tree given, on the sample of m examples.
    front_n_leaves, front_errors : (F,) int arrays
        The corners of the staircase: sizes ascending from 1, errors strictly descending. No pruning
        with fewer leaves errs so little. Of weights that are not whole numbers, errors are floats.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> smallest = dt.pruning.smallest_prunings(tree, X, y)
    >>> smallest.front_n_leaves.tolist(), smallest.front_errors.tolist()
    ([1, 2, 4], [3, 1, 0])
    >>> smallest.n_leaves.tolist()
    [4.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0]
    """

    def __init__(self, counts: NodeCounts) -> None:
        self.counts = counts
        self._tables = _fewest_errors(counts)
        fewest = self._tables[0]
        corner = np.flatnonzero(np.diff(fewest, prepend=2 * fewest[0] + 1) < -counts.slack)
        self.front_n_leaves = freeze_array(corner + 1)
        self.front_errors = freeze_array(counts.weigh(fewest[corner]))

    @cached_property
    def n_leaves(self) -> Floats:
        """K_d in leaves for d = 0..m, infinite where every pruning errs more often.

        A ValueError if m is above 2^26, as it may be with weights.
        """
        m = self.counts.m
        if m > MAX_LISTED:
            msg = (
                f"sample_weight must have a sum of at most {MAX_LISTED:,} where K_d is listed for "
                f"every d, got {m:,}: front_n_leaves and front_errors say the same in short"
            )
            raise ValueError(msg)
        d = np.arange(int(m) + 1)
        corner = np.searchsorted(-self.front_errors, -d)
        sizes = np.append(self.front_n_leaves, 0).astype(np.float64)
        sizes[-1] = np.inf
        return freeze_array(sizes[corner])

    def pruning(
        self, n_leaves: int | None = None, *, epsilon: float | None = None, d: int | None = None
    ) -> Pruning:
        """One of the smallest prunings: by default the one with the fewest errors.

        Or that of those with at most ``n_leaves`` leaves, or the smallest whose error rate on the
        sample is at most ``epsilon``, or with at most ``d`` errors.
        """
        if d is None:
            front = self.front_n_leaves, self.front_errors, self.counts.m
            place = find_place(*front, n_leaves, epsilon)
        else:
            check_one(n_leaves=n_leaves, epsilon=epsilon, d=d)
            d = as_integer("d", d, 0)
            if d < self.front_errors[-1]:
                msg = f"d must be at least {self.front_errors[-1]}, the fewest errors, got {d}"
                raise ValueError(msg)
            place = int(np.searchsorted(-self.front_errors, -d))
        return Pruning(*cut_fields(self.counts, self.cuts(int(self.front_n_leaves[place]))))

    def tree(
        self, n_leaves: int | None = None, *, epsilon: float | None = None, d: int | None = None
    ) -> Tree:
        """The tree of `pruning`, with the same arguments; ``tree(d=d)`` is T_d."""
        return self.pruning(n_leaves, epsilon=epsilon, d=d).tree()

    def cuts(self, n_leaves: int) -> Bools:
        """The nodes that the pruning with at most ``n_leaves`` leaves makes leaves."""
        tree, tables = self.counts.given, self._tables
        leaf, slack = self.counts.errors, self.counts.slack
        cut = np.zeros(tree.n_nodes, dtype=bool)
        stack = [(0, as_integer("n_leaves", n_leaves, 1))]
        while stack:
            v, budget = stack.pop()
            budget = min(budget, len(tables[v]))
            errors = tables[v][budget - 1]
            if errors >= leaf[v] - slack:
                cut[v] = tree.variable[v] >= 0
                continue
            low, high = tables[tree.low[v]], tables[tree.high[v]]
            # The fewest leaves with so few errors, and of those the fewest at the low child.
            budget = 1 + int(np.argmax(tables[v] <= errors + slack))
            first = np.arange(max(1, budget - high.size), min(low.size, budget - 1) + 1)
            wrong = low[first - 1] + high[budget - first - 1]
            split = int(first[np.argmax(wrong <= wrong.min() + slack)])
            stack.append((int(tree.high[v]), budget - split))
            stack.append((int(tree.low[v]), split))
        return cut

    def __repr__(self) -> str:
        return (
            f"<SmallestPrunings: {self.front_n_leaves.size} of {self.counts!r}, "
            f"up to {self.front_n_leaves[-1]} leaves>"
        )


@with_hints
def smallest_prunings(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: Any,
    y: Any = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
    loss: npt.ArrayLike | None = None,
) -> SmallestPrunings:
    """The smallest pruning for every number of errors on a sample (claims MN-PRUNE, MN-DP).

    ``.n_leaves[d]`` is K_d in *leaves* (the source counts nodes, ``2 K_d - 1``), ``.tree(d=d)``
    attains it. The source takes the sample on which the tree was grown. Arguments and labels are
    those of `node_counts`; of a regression tree the errors are squared. Time O(L^2) for L leaves.

    Examples
    --------
    >>> import dtviz as dt
    >>> stump = dt.Tree.split(0, dt.Tree.leaf(0), dt.Tree.leaf(1))
    >>> dt.pruning.smallest_prunings(stump, [[0], [0], [1], [1]], [0, 0, 1, 1]).n_leaves.tolist()
    [2.0, 2.0, 1.0, 1.0, 1.0]
    """
    samples = {"sample_weight": sample_weight, "grown_on": grown_on}
    return SmallestPrunings(count_sample(tree, X, y, classes=classes, loss=loss, **samples))


def _fewest_errors(counts: NodeCounts) -> list[Ints]:
    """Per node: the fewest errors of a pruning of its subtree with at most 1, 2, .. leaves."""
    leaf, inner = counts.errors, (counts.given.variable >= 0).tolist()
    tables = [leaf[v : v + 1] for v in range(leaf.size)]
    waiting: list[Ints] = []
    for v in range(leaf.size - 1, -1, -1):  # preorder backwards: children first, the low one last
        if inner[v]:
            low, high = waiting.pop(), waiting.pop()
            if low[-1] + high[-1] < leaf[v] - counts.slack:
                tables[v] = _join(leaf[v], low, high)
        waiting.append(tables[v])
    return tables


def _join(alone: np.intp, low: Ints, high: Ints) -> Ints:
    """The table of a node from its errors as a leaf and its children's tables: a min-plus sum."""
    long, short = (low, high) if low.size >= high.size else (high, low)
    joined = np.full(long.size + short.size, alone)
    for a, errors in enumerate(short.tolist()):
        part = joined[a + 1 : a + 1 + long.size]
        np.minimum(part, long + errors, out=part)
    return joined


@dataclass(frozen=True, eq=False, repr=False)
class SrmPruning(Pruning):
    """The choice of structural risk minimization, and what it chose from (claim MN-SRM).

    Attributes
    ----------
    objective : (F,) float array
        ``d/m + sqrt(factor K_d / m)`` at each corner of the staircase of `SmallestPrunings`;
        between them only d grows, so nothing else can be best.
    choice : int
        The corner chosen.
    factor : float
        The factor in the penalty.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> pruning = dt.pruning.srm_prune(tree, X, y, factor=0.1)
    >>> pruning.objective.round(3).tolist(), pruning.choice
    ([0.629, 0.349, 0.258], 2)
    """

    objective: Floats
    choice: int
    factor: float


@with_hints
def srm_prune(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: Any,
    y: Any = None,
    *,
    factor: float | Fraction = 1.0,
    sample_weight: npt.ArrayLike | None = None,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> SrmPruning:
    """Choose among the smallest prunings by structural risk minimization (claim MN-SRM).

    The pruning that minimizes ``d/m + sqrt(factor K_d / m)`` over d; the smallest if several do,
    which is decided exactly, without rounding. K_d counts leaves. With ``factor=1`` that is the
    source's formula, which is a rule of thumb: to bound the error of every tree by its value with
    high probability takes a logarithm of the number of tests, `log_factor`.

    Parameters
    ----------
    factor : float or Fraction >= 0
        The price of a leaf. A float is taken as the fraction that it is, so 0.3 is not quite 3/10.
    tree, X, y, sample_weight, grown_on, classes :
        See `node_counts`. The penalty is that of m independent examples, m being the sum of the
        weights, so these must be whole numbers.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> dt.pruning.srm_prune(tree, X, y)
    <SrmPruning: 4 -> 2 leaves, 0 -> 1 errors of 6>
    >>> dt.pruning.srm_prune(tree, X, y, factor=0.1)
    <SrmPruning: 4 -> 4 leaves, 0 -> 0 errors of 6>
    """
    factor = as_number("factor", factor, "[0, inf)", lambda c: 0 <= c < math.inf)
    smallest = SmallestPrunings(
        node_counts(tree, X, y, sample_weight=sample_weight, grown_on=grown_on, classes=classes)
    )
    check_counts(smallest.counts, sample_weight)
    m, sizes, errors = smallest.counts.m, smallest.front_n_leaves, smallest.front_errors
    corners = list(zip(sizes.tolist(), errors.tolist(), strict=True))
    objective = errors / m + np.sqrt(float(factor) * (sizes / m))
    best, *others = np.flatnonzero(objective <= objective.min() * (1 + SAME_RISK)).tolist()
    for other in others:
        if not _fewer_leaves_win(corners[best], corners[other], m, Fraction(factor)):
            best = other
    cut = cut_fields(smallest.counts, smallest.cuts(int(sizes[best])))
    return SrmPruning(*cut, objective, best, float(factor))


def _fewer_leaves_win(
    small: tuple[int, int], large: tuple[int, int], m: int, factor: Fraction
) -> bool:
    """Whether the corner with fewer leaves, k of K, has at most the risk of the other; in integers.

    A corner is its leaves and its errors; the small one makes a > 0 errors more. With ``F = factor
    m`` it wins if ``a <= sqrt(F K) - sqrt(F k)``; squared, if ``2 F sqrt(k K) <= F (k + K) - a^2``;
    and squared once more.
    """
    (k, errors), (K, fewer) = small, large
    F, unit = factor.numerator * m, factor.denominator
    rest = F * (k + K) - (errors - fewer) ** 2 * unit
    return rest >= 0 and 4 * F * F * k * K <= rest * rest


def log_factor(n: int, n_classes: int = 2) -> float:
    """``ln(4 k n) / 2`` for n tests and k classes: a factor for `srm_prune` that proves something.

    There are fewer than ``(4 k n)^s`` trees with at most s leaves (claim EH-L1ii-CH), so by
    Hoeffding's inequality, with probability at least ``1 - delta``, every tree of every size s, the
    pruned ones included, has error at most its error rate on the sample plus
    ``sqrt(s log_factor + ln(s (s+1) / delta) / 2) / sqrt(m)``.

    A node may make n tests: of bits, one for each variable.

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.pruning.log_factor(30 * 569), 2)  # 30 columns, 285 examples
    5.91
    """
    tests, k = as_integer("n", n, 1), as_integer("n_classes", n_classes, 2)
    return math.log(4 * k * tests) / 2
