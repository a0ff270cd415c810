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
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz._immutable import frozen
from dtviz._validate import as_array, as_generator, as_integer, as_real, shown
from dtviz.decisions import Pruning, PruningPath, chosen
from dtviz.growth import GrowthPath
from dtviz.nodecounts import GrownOn, NodeCounts, node_counts
from dtviz.tree import Tree

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
Table = Sequence[int] | Ints

SMALL = 64
"""Tables with a product of lengths up to this are joined in plain Python, which is faster there."""


class SmallestPrunings:
    """K_d for every d, and trees that attain them. `smallest_prunings` makes it.

    Among the prunings with K_d leaves and at most d errors `tree` returns one with the fewest
    errors; it cuts at a node if that costs no error more, and else gives the low child the fewest
    leaves.

    Attributes
    ----------
    counts : NodeCounts
        The tree given, on the sample of m examples.
    front_sizes, front_errors : (F,) int arrays
        The corners of the staircase: sizes ascending from 1, errors strictly descending. No pruning
        with fewer leaves errs so little.
    """

    def __init__(self, counts: NodeCounts) -> None:
        self.counts = counts
        self._tables = _fewest_errors(counts)
        fewest = np.asarray(self._tables[0])
        corner = np.flatnonzero(np.diff(fewest, prepend=fewest[0] + 1) < 0)
        self.front_sizes = frozen(corner + 1)
        self.front_errors = frozen(fewest[corner])

    @cached_property
    def sizes(self) -> Floats:
        """K_d in leaves for d = 0..m, infinite where every pruning errs more often."""
        d = np.arange(self.counts.m + 1)
        corner = np.searchsorted(-self.front_errors, -d)
        sizes = np.append(self.front_sizes, 0).astype(np.float64)
        sizes[-1] = np.inf
        return frozen(sizes[corner])

    @property
    def nodes(self) -> Floats:
        """K_d as the source counts it, in nodes: ``2 K_d - 1``."""
        return 2 * self.sizes - 1

    def pruning(self, d: int) -> Pruning:
        """A smallest pruning with at most d errors; ValueError if every pruning errs more often."""
        d = as_integer("d", d, 0)
        if d < self.front_errors[-1]:
            msg = f"d must be at least {self.front_errors[-1]}, the fewest errors, got {d}"
            raise ValueError(msg)
        return self.best(int(self.front_sizes[np.searchsorted(-self.front_errors, -d)]))

    def tree(self, d: int) -> Tree:
        """T_d, the tree of `pruning`."""
        return self.pruning(d).tree

    def best(self, size: int) -> Pruning:
        """The pruning with the fewest errors among those with at most ``size`` leaves, >= 1."""
        return Pruning(*chosen(self.counts, self.cuts(as_integer("size", size, 1))))

    def cuts(self, size: int) -> Bools:
        """The nodes that the pruning with at most ``size`` leaves makes leaves."""
        tree, tables = self.counts.tree, self._tables
        leaf = self.counts.errors
        cut = np.zeros(tree.n_nodes, dtype=bool)
        stack = [(0, size)]
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
            f"<SmallestPrunings: {self.front_sizes.size} of {self.counts!r}, "
            f"up to {self.front_sizes[-1]} leaves>"
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

    ``.sizes[d]`` is K_d in *leaves* (the source counts nodes: ``.nodes``), ``.tree(d)`` attains it.
    The source takes the sample on which the tree was grown. Arguments, labels and errors are those
    of `dtviz.pruning.node_counts`. Time O(L^2) for L leaves, plus that of sending the sample down.

    Examples
    --------
    >>> stump = Tree.split(0, Tree.leaf(0), Tree.leaf(1))
    >>> smallest_prunings(stump, [[0], [0], [1], [1]], [0, 0, 1, 1]).sizes.tolist()
    [2.0, 2.0, 1.0, 1.0, 1.0]
    """
    return SmallestPrunings(node_counts(tree, X, y, grown_on=grown_on, classes=classes))


def _fewest_errors(counts: NodeCounts) -> list[Table]:
    """Per node: the fewest errors of a pruning of its subtree with at most 1, 2, .. leaves.

    A table ends where the fewest errors of all are reached: more leaves do not help.
    """
    leaf, inner = counts.errors.tolist(), (counts.tree.variable >= 0).tolist()
    tables: list[Table] = [()] * len(leaf)
    waiting: list[Table] = []
    for v in range(len(leaf) - 1, -1, -1):  # preorder backwards: children first, the low one last
        alone = leaf[v]
        table: Table = (alone,)
        if inner[v]:
            low, high = waiting.pop(), waiting.pop()
            if low[-1] + high[-1] < alone:
                table = _joined(alone, low, high)
        tables[v] = table
        waiting.append(table)
    return tables


def _joined(alone: int, low: Table, high: Table) -> Table:
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
    """The choice of structural risk minimisation, and what it chose from.

    Attributes
    ----------
    front_sizes, front_errors : (F,) int arrays
        The corners of the staircase of K_d; between them only d grows, so nothing else can be best.
    objective : (F,) float array
        ``d/m + sqrt(factor K_d / m)`` at each.
    choice : int
        The corner chosen.
    factor : float
        The factor in the penalty.
    """

    front_sizes: Ints
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
    factor: float = 1.0,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
) -> SrmPruning:
    """Choose among the smallest prunings by structural risk minimisation (claim MN-SRM).

    The pruning that minimises ``d/m + sqrt(factor K_d / m)`` over d; the smallest if several do.
    K_d counts leaves. With ``factor=1`` that is the source's formula, which is a rule of thumb: to
    bound the error of every tree by its value with high probability takes a logarithm of the number
    of tests, `log_factor`.

    Parameters
    ----------
    factor : float >= 0
        The price of a leaf.

    Other arguments and errors are those of `dtviz.pruning.node_counts`; ValueError too if
    ``factor`` is negative, NaN or infinite.
    """
    factor = as_real("factor", factor, "[0, inf)", lambda c: 0 <= c < math.inf)
    return _srm(smallest_prunings(tree, X, y, grown_on=grown_on, classes=classes), factor)


def _srm(smallest: SmallestPrunings, factor: float, choice: int | None = None) -> SrmPruning:
    sizes, errors, m = smallest.front_sizes, smallest.front_errors, smallest.counts.m
    objective = errors / m + np.sqrt(factor * sizes / m)
    if choice is None:
        choice = int(objective.argmin())
    cuts = smallest.cuts(int(sizes[choice]))
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
    """
    smallest = smallest_prunings(tree, X, y, grown_on=grown_on, classes=classes)
    m = smallest.counts.m
    price, rate = np.sqrt(smallest.front_sizes / m), smallest.front_errors / m
    hull: list[int] = []
    roots: list[float] = []  # sqrt(factor) from which on each is chosen
    for j in range(price.size - 1, -1, -1):
        root = 0.0
        while hull:
            root = float((rate[j] - rate[hull[-1]]) / (price[hull[-1]] - price[j]))
            if root > roots[-1]:
                break
            hull.pop(), roots.pop()
            root = 0.0
        hull.append(j)
        roots.append(root)
    sizes, errors = smallest.front_sizes[hull], smallest.front_errors[hull]
    make = partial(_srm_step, smallest, tuple(hull))
    return PruningPath("factor", np.array(roots) ** 2, sizes, errors, make)


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
    every size its best pruning (`SmallestPrunings.best`, on the same examples) predicts the fold.
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
    sizes = whole.front_sizes
    held_out = np.zeros(sizes.size, dtype=np.intp)
    fold = as_generator("rng", rng).permutation(every % folds)
    for k in range(folds):
        rest, out = fold != k, fold == k
        tree = _grown(grow, table[rest], labels[rest])
        smallest = smallest_prunings(tree, table[rest], labels[rest], classes=allowed)
        test = node_counts(
            tree, table[out], labels[out], grown_on=(table[rest], labels[rest]), classes=allowed
        )
        reached = np.searchsorted(smallest.front_sizes, sizes, side="right")
        wrong = [_errors(test, smallest.cuts(int(size))) for size in smallest.front_sizes]
        held_out += np.array(wrong)[reached - 1]
    choice = int(held_out.argmin())
    cuts = whole.cuts(int(sizes[choice]))
    return CrossValidatedPruning(*chosen(whole.counts, cuts), sizes, frozen(held_out), choice)


def _grown(grow: Grower, X: Any, y: npt.NDArray[Any]) -> Tree:
    grown = grow(X, y)
    tree = grown.tree_at(grown.n_steps) if isinstance(grown, GrowthPath) else grown
    if not isinstance(tree, Tree):
        msg = f"grow must return a Tree or a GrowthPath, got {shown(grown)}"
        raise ValueError(msg)
    return tree


def _errors(counts: NodeCounts, cut: Bools) -> int:
    """The errors on the sample of the tree in which the nodes of a mask are leaves."""
    leaves = counts.kept(cut) & (cut | (counts.tree.variable < 0))
    return int(counts.errors[leaves].sum())
