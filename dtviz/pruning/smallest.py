"""The smallest prunings: for every number of errors d the fewest leaves K_d that err so little.

The source (claims MN-PRUNE, MN-DP) asks at each node for the smallest pruning with a budget of i
errors. The same table read the other way, the fewest errors of a pruning with at most s leaves, is
no longer than the subtree has leaves, and two children's tables make their parent's by one min-plus
convolution: time O(L^2) for L leaves, whatever the size of the sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_array, as_generator, as_integer, as_number, shown
from dtviz.core.growth import GrowthPath
from dtviz.core.immutable import frozen
from dtviz.core.tolerances import SAME_RISK
from dtviz.core.tree import Tree
from dtviz.pruning.decisions import Pruning, PruningPath, at_most_one, chosen, place_of
from dtviz.pruning.node_counts import GrownOn, NodeCounts, node_counts

__all__ = [
    "CrossValidatedPruning",
    "SmallestPrunings",
    "SrmPruning",
    "cross_validated_prune",
    "log_factor",
    "smallest_prunings",
    "srm_path",
    "srm_prune",
]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Fewest = Sequence[int] | Ints

SMALL = 64
"""Tables with a product of lengths up to this are joined in plain Python, which is faster there."""


class SmallestPrunings:
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
        with fewer leaves errs so little.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> smallest = dt.smallest_prunings(tree, X, y)
    >>> smallest.front_n_leaves.tolist(), smallest.front_errors.tolist()
    ([1, 2, 4], [3, 1, 0])
    >>> smallest.n_leaves.tolist()
    [4.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0]
    >>> print(smallest.tree(d=1))
    x0 <= 2.5
    ├─ yes: 0
    └─ no: 1
    """

    def __init__(self, counts: NodeCounts) -> None:
        self.counts = counts
        self._tables = _fewest_errors(counts)
        fewest = np.asarray(self._tables[0])
        corner = np.flatnonzero(np.diff(fewest, prepend=fewest[0] + 1) < 0)
        self.front_n_leaves = frozen(corner + 1)
        self.front_errors = frozen(fewest[corner])

    @cached_property
    def n_leaves(self) -> Floats:
        """K_d in leaves for d = 0..m, infinite where every pruning errs more often."""
        d = np.arange(self.counts.m + 1)
        corner = np.searchsorted(-self.front_errors, -d)
        sizes = np.append(self.front_n_leaves, 0).astype(np.float64)
        sizes[-1] = np.inf
        return frozen(sizes[corner])

    @property
    def n_nodes(self) -> Floats:
        """K_d as the source counts it, in nodes: ``2 K_d - 1``."""
        return 2 * self.n_leaves - 1

    def pruning(
        self, n_leaves: int | None = None, *, epsilon: float | None = None, d: int | None = None
    ) -> Pruning:
        """One of the smallest prunings: the one with the fewest errors, unless one is asked for.

        Parameters
        ----------
        n_leaves : int, optional
            The pruning with the fewest errors among those with at most so many leaves.
        epsilon : float >= 0, optional
            The smallest whose error rate on the sample is at most this.
        d : int >= 0, optional
            The smallest with at most d errors.

        Raises
        ------
        ValueError
            If more than one is given, or every pruning errs more often.
        """
        if d is None:
            front = self.front_n_leaves, self.front_errors, self.counts.m
            place = place_of(*front, n_leaves, epsilon)
        else:
            at_most_one(n_leaves=n_leaves, epsilon=epsilon, d=d)
            d = as_integer("d", d, 0)
            if d < self.front_errors[-1]:
                msg = f"d must be at least {self.front_errors[-1]}, the fewest errors, got {d}"
                raise ValueError(msg)
            place = int(np.searchsorted(-self.front_errors, -d))
        return Pruning(*chosen(self.counts, self.cuts(int(self.front_n_leaves[place]))))

    def tree(
        self, n_leaves: int | None = None, *, epsilon: float | None = None, d: int | None = None
    ) -> Tree:
        """The tree of `pruning`, asked for in the same way; ``tree(d=d)`` is T_d."""
        return self.pruning(n_leaves, epsilon=epsilon, d=d).tree()

    def cuts(self, n_leaves: int) -> Bools:
        """The nodes that the pruning with at most ``n_leaves`` leaves makes leaves.

        Raises
        ------
        ValueError
            If ``n_leaves`` is no integer >= 1.
        """
        tree, tables = self.counts.given, self._tables
        leaf = self.counts.errors
        cut = np.zeros(tree.n_nodes, dtype=bool)
        stack = [(0, as_integer("n_leaves", n_leaves, 1))]
        while stack:
            v, budget = stack.pop()
            budget = min(budget, len(tables[v]))
            errors = tables[v][budget - 1]
            if errors == leaf[v]:
                cut[v] = tree.variable[v] >= 0
                continue
            low, high = np.asarray(tables[tree.low[v]]), np.asarray(tables[tree.high[v]])
            # The fewest leaves with so few errors, and of those the fewest at the low child.
            budget = 1 + int(np.argmax(np.asarray(tables[v]) == errors))
            first = np.arange(max(1, budget - high.size), min(low.size, budget - 1) + 1)
            split = int(first[np.argmin(low[first - 1] + high[budget - first - 1])])
            stack.append((int(tree.high[v]), budget - split))
            stack.append((int(tree.low[v]), split))
        return cut

    def __repr__(self) -> str:
        return (
            f"<SmallestPrunings: {self.front_n_leaves.size} of {self.counts!r}, "
            f"up to {self.front_n_leaves[-1]} leaves>"
        )


def smallest_prunings(
    tree: Tree,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> SmallestPrunings:
    """The smallest pruning for every number of errors on a sample (claims MN-PRUNE, MN-DP).

    ``.n_leaves[d]`` is K_d in *leaves* (the source counts nodes: ``.n_nodes``), ``.tree(d=d)``
    attains it. The source takes the sample on which the tree was grown. Arguments and labels are
    those of `node_counts`. Time O(L^2) for L leaves, plus that of sending the sample down.

    Raises
    ------
    ValueError
        As `node_counts`.

    Examples
    --------
    >>> import dtviz as dt
    >>> stump = dt.Tree.split(0, dt.Tree.leaf(0), dt.Tree.leaf(1))
    >>> dt.smallest_prunings(stump, [[0], [0], [1], [1]], [0, 0, 1, 1]).n_leaves.tolist()
    [2.0, 2.0, 1.0, 1.0, 1.0]
    """
    return SmallestPrunings(node_counts(tree, X, y, grown_on=grown_on, classes=classes))


def _fewest_errors(counts: NodeCounts) -> list[Fewest]:
    """Per node: the fewest errors of a pruning of its subtree with at most 1, 2, .. leaves.

    A table ends where the fewest errors of all are reached: more leaves do not help.
    """
    leaf, inner = counts.errors.tolist(), (counts.given.variable >= 0).tolist()
    tables: list[Fewest] = [()] * len(leaf)
    waiting: list[Fewest] = []
    for v in range(len(leaf) - 1, -1, -1):  # preorder backwards: children first, the low one last
        alone = leaf[v]
        table: Fewest = (alone,)
        if inner[v]:
            low, high = waiting.pop(), waiting.pop()
            if low[-1] + high[-1] < alone:
                table = _joined(alone, low, high)
        tables[v] = table
        waiting.append(table)
    return tables


def _joined(alone: int, low: Fewest, high: Fewest) -> Fewest:
    """The table of a node from its errors as a leaf and its children's tables.

    Entry s-2 of the convolution is the fewest errors with s leaves: the least sum of an entry of
    one child and one of the other, a + b = s.
    """
    if len(low) < len(high):
        low, high = high, low
    if len(high) == 1:
        other = high[0]
        if isinstance(low, np.ndarray):
            return np.asarray(np.minimum(np.concatenate([[alone], low + other]), alone))
        return (alone, *[min(alone, errors + other) for errors in low])
    if len(low) * len(high) <= SMALL:
        best = [alone] * (len(low) + len(high))
        for a, errors in enumerate(low, 1):
            for b, others in enumerate(high, a):
                if errors + others < best[b]:  # noqa: PLR1730 - min() takes twice the time
                    best[b] = errors + others
        return best
    long, short = np.asarray(low), np.asarray(high)
    joined = np.full(long.size + short.size, alone)
    for a in range(short.size):
        part = joined[a + 1 : a + 1 + long.size]
        np.minimum(part, long + short[a], out=part)
    return joined


# -- structural risk minimisation ------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class SrmPruning(Pruning):
    """The choice of structural risk minimisation, and what it chose from (claim MN-SRM).

    Attributes
    ----------
    front_n_leaves, front_errors : (F,) int arrays
        The corners of the staircase of K_d; between them only d grows, so nothing else can be best.
    objective : (F,) float array
        ``d/m + sqrt(factor K_d / m)`` at each.
    choice : int
        The corner chosen.
    factor : float
        The factor in the penalty.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> pruning = dt.srm_prune(tree, X, y, factor=0.1)
    >>> pruning.objective.round(3).tolist(), pruning.choice
    ([0.629, 0.349, 0.258], 2)
    >>> pruning.budget, pruning.n_leaves
    (0, 4)
    """

    front_n_leaves: Ints
    front_errors: Ints
    objective: Floats
    choice: int
    factor: float

    @property
    def budget(self) -> int:
        """d, the number of errors whose smallest pruning was chosen."""
        return int(self.front_errors[self.choice])


def srm_prune(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    factor: float | Fraction = 1.0,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> SrmPruning:
    """Choose among the smallest prunings by structural risk minimisation (claim MN-SRM).

    The pruning that minimises ``d/m + sqrt(factor K_d / m)`` over d; the smallest if several do,
    which is decided exactly, without rounding. K_d counts leaves. With ``factor=1`` that is the
    source's formula, which is a rule of thumb: to bound the error of every tree by its value with
    high probability takes a logarithm of the number of tests, `log_factor`.

    Parameters
    ----------
    factor : float or Fraction >= 0
        The price of a leaf. A float stands for the fraction that it is, so 0.3 is not quite 3/10.

    tree, X, y, grown_on, classes :
        See `node_counts`.

    Raises
    ------
    ValueError
        If ``factor`` is negative, NaN or infinite, or as `node_counts`.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> dt.srm_prune(tree, X, y)
    <SrmPruning: 4 -> 2 leaves, 0 -> 1 errors of 6>
    >>> dt.srm_prune(tree, X, y, factor=0.1)
    <SrmPruning: 4 -> 4 leaves, 0 -> 0 errors of 6>
    """
    factor = as_number("factor", factor, "[0, inf)", lambda c: 0 <= c < math.inf)
    smallest = smallest_prunings(tree, X, y, grown_on=grown_on, classes=classes)
    m, corners = smallest.counts.m, _corners(smallest)
    objective = _objective(smallest, float(factor))
    best, *others = np.flatnonzero(objective <= objective.min() * (1 + SAME_RISK)).tolist()
    for other in others:
        if not _fewer_leaves_win(corners[best], corners[other], m, Fraction(factor)):
            best = other
    return _srm(smallest, float(factor), best)


Corner = tuple[int, int]
"""The leaves and the errors of a corner of the staircase."""


def _corners(smallest: SmallestPrunings) -> list[Corner]:
    sizes, errors = smallest.front_n_leaves.tolist(), smallest.front_errors.tolist()
    return list(zip(sizes, errors, strict=True))


def _objective(smallest: SmallestPrunings, factor: float) -> Floats:
    sizes, errors, m = smallest.front_n_leaves, smallest.front_errors, smallest.counts.m
    return errors / m + np.sqrt(factor * (sizes / m))


def _fewer_leaves_win(small: Corner, large: Corner, m: int, factor: Fraction) -> bool:
    """Whether the corner with fewer leaves, k of K, has at most the risk of the other; in integers.

    It makes a > 0 errors more. With ``F = factor m`` it wins if ``a <= sqrt(F K) - sqrt(F k)``;
    squared, if ``2 F sqrt(k K) <= F (k + K) - a^2``; and squared once more.
    """
    (k, errors), (K, fewer) = small, large
    F, unit = factor.numerator * m, factor.denominator
    rest = F * (k + K) - (errors - fewer) ** 2 * unit
    return rest >= 0 and 4 * F * F * k * K <= rest * rest


def _srm(smallest: SmallestPrunings, factor: float, choice: int) -> SrmPruning:
    sizes, errors = smallest.front_n_leaves, smallest.front_errors
    cuts = smallest.cuts(int(sizes[choice]))
    objective = _objective(smallest, factor)
    return SrmPruning(*chosen(smallest.counts, cuts), sizes, errors, objective, choice, factor)


def srm_path(
    tree: Tree,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> PruningPath:
    """The choice of `srm_prune` for every factor >= 0: a `PruningPath` over ``"factor"``.

    The objective is linear in ``sqrt(factor)``, so the choices are the corners of a convex hull.
    Arguments are those of `node_counts` (claim MN-SRM).

    Raises
    ------
    ValueError
        As `node_counts`.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> path = dt.pruning.srm_path(tree, X, y)
    >>> path.n_leaves.tolist(), path.breaks.round(4).tolist()
    ([4, 2, 1], [0.0, 0.4857, 3.8856])
    """
    smallest = smallest_prunings(tree, X, y, grown_on=grown_on, classes=classes)
    m, corners = smallest.counts.m, _corners(smallest)
    hull: list[int] = []
    breaks: list[float] = []  # the factor from which on each is chosen
    for j in range(len(corners) - 1, -1, -1):
        first = 0.0
        while hull:
            first = _break(corners[j], corners[hull[-1]], m)
            if first > breaks[-1]:
                break
            hull.pop(), breaks.pop()
            first = 0.0
        hull.append(j)
        breaks.append(first)
    sizes, errors = smallest.front_n_leaves[hull], smallest.front_errors[hull]
    make = partial(_srm_step, smallest, tuple(hull))
    return PruningPath("factor", np.array(breaks), sizes, errors, m, make)


def _break(small: Corner, large: Corner, m: int) -> float:
    """The least float factor at which the corner with fewer leaves has at most the other's risk."""
    (k, errors), (K, fewer) = small, large
    factor = ((errors - fewer) * (math.sqrt(k) + math.sqrt(K)) / (K - k)) ** 2 / m
    # That is right but for the last digits.
    while _fewer_leaves_win(small, large, m, Fraction(factor)):
        factor = math.nextafter(factor, 0.0)
    while not _fewer_leaves_win(small, large, m, Fraction(factor)):
        factor = math.nextafter(factor, math.inf)
    return factor


def _srm_step(
    smallest: SmallestPrunings, hull: tuple[int, ...], step: int, factor: float
) -> SrmPruning:
    return _srm(smallest, factor, hull[step])


def log_factor(n: int, n_classes: int = 2) -> float:
    """``ln(4 k n) / 2`` for n tests and k classes: a factor for `srm_prune` that proves something.

    There are fewer than ``(4 k n)^s`` trees with at most s leaves (claim EH-L1ii-CH), so by
    Hoeffding's inequality, with probability at least ``1 - delta``, every tree of every size s, the
    pruned ones included, has error at most its error rate on the sample plus
    ``sqrt(s log_factor + ln(s (s+1) / delta) / 2) / sqrt(m)``.

    Parameters
    ----------
    n : int >= 1
        The number of tests that a node may make, the number of variables for bits.
    n_classes : int >= 2

    Raises
    ------
    ValueError
        If n is not an integer >= 1, or n_classes not one >= 2.

    Examples
    --------
    >>> import dtviz as dt
    >>> round(dt.pruning.log_factor(30 * 569), 2)  # 30 columns, 285 examples
    5.91
    """
    tests, k = as_integer("n", n, 1), as_integer("n_classes", n_classes, 2)
    return math.log(4 * k * tests) / 2


# -- cross-validation ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidatedPruning(Pruning):
    """The choice of cross-validation, and what it chose from.

    Attributes
    ----------
    candidates : (F,) int array
        The sizes, in leaves, at which the best pruning of the whole tree improves.
    held_out : (F,) int array
        Errors on the examples held out, all folds together, of prunings with at most so many
        leaves.
    choice : int
        The candidate chosen: the fewest errors held out, then the smallest size.

    Examples
    --------
    >>> import dtviz as dt
    >>> X = [[i] for i in range(20)]
    >>> y = [int(i >= 10) ^ (i in (3, 15)) for i in range(20)]
    >>> pruning = dt.cross_validated_prune(X, y, dt.grow)
    >>> pruning.candidates.tolist(), pruning.held_out.tolist(), pruning.choice
    ([1, 2, 4, 6], [14, 3, 4, 5], 1)
    """

    candidates: Ints
    held_out: Ints
    choice: int


Grower = Callable[[Any, Any], Tree | GrowthPath]
"""Grows a tree on a sample (X, y)."""


def cross_validated_prune(  # noqa: PLR0913 - most are by keyword
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    grow: Grower,
    *,
    folds: int = 5,
    rng: np.random.Generator | int = 0,
    classes: npt.ArrayLike | None = None,
) -> CrossValidatedPruning:
    """Grow a tree, and choose how far to prune it by cross-validation.

    The sample is dealt into folds at random. For each fold a tree is grown on the others, and for
    every size its best pruning (`SmallestPrunings.tree`, on the same examples) predicts the fold.
    The size that errs least, all folds together, is the size to which the tree grown on the whole
    sample is pruned. The source names cross-validation beside structural risk minimisation without
    saying what is chosen; a size means the same on samples of different sizes, a number of errors
    does not.

    Parameters
    ----------
    X : (m, d) array of numbers or data frame, y : (m,) array
        The sample, m >= folds.
    grow : callable
        Takes ``(X, y)``, some of the rows, and returns a `Tree`, or a `GrowthPath` whose last tree
        is taken.
    folds : int from 2 to m
    rng : numpy Generator, or a seed
        Deals the examples.
    classes : sequence, optional
        Labels that may occur; by default those of ``y``.

    Raises
    ------
    ValueError
        If the sample is no sample or has fewer than ``folds`` examples, ``grow`` returns no tree,
        or an argument is out of range.

    Examples
    --------
    >>> import dtviz as dt
    >>> X = [[i] for i in range(20)]
    >>> y = [int(i >= 10) ^ (i in (3, 15)) for i in range(20)]
    >>> dt.cross_validated_prune(X, y, dt.grow)
    <CrossValidatedPruning: 6 -> 2 leaves, 0 -> 2 errors of 20>
    """
    rows, labels = as_array(X), as_array(y)
    if rows is None or labels is None or rows.ndim != 2 or labels.shape != rows.shape[:1]:
        msg = f"X must be an (m, d) array and y its m labels, got {shown(X)} and {shown(y)}"
        raise ValueError(msg)
    folds = as_integer("folds", folds, 2)
    if labels.size < folds:
        msg = f"folds must be at most the number of examples, {labels.size}, got {shown(folds)}"
        raise ValueError(msg)
    if not callable(grow):
        msg = f"grow must be callable, a function of (X, y), got {shown(grow)}"
        raise ValueError(msg)
    allowed = labels if classes is None else classes
    table: Any = X.iloc if hasattr(X, "iloc") else rows  # a data frame keeps its names
    every = np.arange(labels.size)
    whole = smallest_prunings(_grown(grow, table[every], labels), X, labels, classes=allowed)
    sizes = whole.front_n_leaves
    held_out = np.zeros(sizes.size, dtype=np.intp)
    fold = as_generator("rng", rng).permutation(every % folds)
    for k in range(folds):
        rest, out = fold != k, fold == k
        tree = _grown(grow, table[rest], labels[rest])
        smallest = smallest_prunings(tree, table[rest], labels[rest], classes=allowed)
        test = node_counts(
            tree, table[out], labels[out], grown_on=(table[rest], labels[rest]), classes=allowed
        )
        reached = np.searchsorted(smallest.front_n_leaves, sizes, side="right")
        wrong = [_errors(test, smallest.cuts(int(size))) for size in smallest.front_n_leaves]
        held_out += np.array(wrong)[reached - 1]
    choice = int(held_out.argmin())
    cuts = whole.cuts(int(sizes[choice]))
    return CrossValidatedPruning(*chosen(whole.counts, cuts), sizes, frozen(held_out), choice)


def _grown(grow: Grower, X: Any, y: npt.NDArray[Any]) -> Tree:
    grown = grow(X, y)
    tree = grown.tree() if isinstance(grown, GrowthPath) else grown
    if not isinstance(tree, Tree):
        msg = f"grow must return a Tree or a GrowthPath, got {shown(grown)}"
        raise ValueError(msg)
    return tree


def _errors(counts: NodeCounts, cut: Bools) -> int:
    """The errors on the sample of the tree in which the nodes of a mask are leaves."""
    leaves = counts.kept(cut) & (cut | (counts.given.variable < 0))
    return int(counts.errors[leaves].sum())
