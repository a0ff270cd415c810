"""Cross-validation: one of the smallest prunings, of the size that errs least on other folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import as_array, as_generator, as_given, as_integer, shown
from dtviz.core.frames import rows_of
from dtviz.core.growth import GrowthPath
from dtviz.core.immutable import frozen
from dtviz.core.tree import Tree
from dtviz.pruning.decisions import Pruning, chosen
from dtviz.pruning.node_counts import NodeCounts, node_counts
from dtviz.pruning.smallest import smallest_prunings

__all__ = ["CrossValidatedPruning", "cross_validated_prune"]

Ints = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]


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
    does not. There are no weights: of an example that counts twice, each copy would have a fold.

    Parameters
    ----------
    X : (m, d) array of numbers or data frame, y : (m,) array
        The sample, m >= folds.
    grow : callable
        Takes ``(X, y)``, some of the rows, and returns a `Tree`, or a `GrowthPath` whose last tree
        is taken. Columns of text of a data frame (not of Arrow, which has none) come as
        categoricals of all that they hold, so that a tree knows the categories it did not see.
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
    rows, labels = as_array(X), as_given(y)
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
    table = rows_of(X)  # a data frame keeps its names
    every = np.arange(labels.size)
    whole = smallest_prunings(_grown(grow, table(every), labels), X, labels, classes=allowed)
    sizes = whole.front_n_leaves
    held_out = np.zeros(sizes.size, dtype=np.intp)
    fold = as_generator("rng", rng).permutation(every % folds)
    for k in range(folds):
        rest, out = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        tree = _grown(grow, table(rest), labels[rest])
        smallest = smallest_prunings(tree, table(rest), labels[rest], classes=allowed)
        test = node_counts(
            tree, table(out), labels[out], grown_on=(table(rest), labels[rest]), classes=allowed
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
