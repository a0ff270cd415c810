"""Cross-validation: one of the smallest prunings, of the size that errs least on other folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats, Ints
from dtviz.core.cart.impurity_path import ImpurityPath
from dtviz.core.checks import as_array, as_generator, as_integer, as_repr
from dtviz.core.data.frames import rows_of
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import as_real_labels, flat_labels
from dtviz.core.hints import with_hints
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.core.tree.tree import Tree
from dtviz.pruning.decisions import Pruning, cut_fields
from dtviz.pruning.node_counts import as_counts, find_codes, read_labels
from dtviz.pruning.smallest import SmallestPrunings, smallest_prunings

MOST_SIZES = 100
"""So many sizes of a regression tree are tried, which has one for each leaf: all that are small."""

Sample = tuple[Any, npt.NDArray[Any], npt.NDArray[Any] | None]
"""Rows, their labels, and their weights if they have some."""


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidatedPruning(Pruning):
    """The choice of cross-validation, and what it chose from.

    Attributes
    ----------
    candidates : (F,) int array
        The sizes, in leaves, at which the best pruning of the whole tree improves; at most 100 of a
        regression tree, the large ones in equal proportions.
    held_out : (F,) int array
        Errors on the examples held out, all folds together, of prunings with at most this many
        leaves; floats if weights are not whole numbers.
    choice : int
        The candidate chosen: the fewest errors held out, then the smallest size.
    standard_errors : (F,) float array
        Of the error rates, or mean squared errors or losses, ``held_out / counts.m``: each that of
        a mean over as many independent examples.
    one_se : Tree
        The smallest candidate whose error rate is within one standard error of the least: the 1-SE
        rule (Breiman, Friedman, Olshen and Stone 1984).

    Examples
    --------
    >>> import dtviz as dt
    >>> X = [[i] for i in range(20)]
    >>> y = [int(i >= 10) ^ (i in (3, 15)) for i in range(20)]
    >>> pruning = dt.pruning.cross_validated_prune(X, y, dt.grow)
    >>> pruning.candidates.tolist(), pruning.held_out.tolist(), pruning.choice
    ([1, 2, 4, 6], [14, 3, 4, 5], 1)
    """

    candidates: Ints
    held_out: npt.NDArray[Any]
    choice: int
    standard_errors: Floats
    one_se: Tree

    @property
    def best(self) -> Tree:
        """The tree of the least error held out: `tree`."""
        return self.tree()


Grower = Callable[..., Tree | GrowthPath]
"""Grows a tree on a sample, ``grow(X, y)``; if it has weights, ``grow(X, y, sample_weight=w)``."""


@with_hints
def cross_validated_prune(  # noqa: PLR0913 - most are by keyword
    X: Any,
    y: Any = None,
    grow: Grower | None = None,
    *,
    folds: int = 5,
    rng: np.random.Generator | int = 0,
    sample_weight: npt.ArrayLike | None = None,
    classes: npt.ArrayLike | None = None,
    loss: npt.ArrayLike | None = None,
) -> CrossValidatedPruning:
    """Grow a tree, and choose how far to prune it by cross-validation.

    The sample is split into folds at random. For each fold a tree is grown on the others, and for
    every size its best pruning (`SmallestPrunings.tree`, on the same examples) predicts the fold.
    The size that errs least, all folds together, is the size to which the tree grown on the whole
    sample is pruned. The source names cross-validation beside structural risk minimization without
    saying what is chosen; a size means the same on samples of different sizes, a number of errors
    does not. An example of weight 2 counts as two, both in one fold: so weights are not the same as
    repeated rows, whose copies could be in different folds.

    A regression tree, as ``functools.partial(dt.grow, cost="squared")`` grows it, is chosen by its
    squared errors, and with a ``loss`` matrix any other by its losses.

    Parameters
    ----------
    X : (m, d) array of numbers or data frame, y : (m,) array
        The sample, m >= folds.
    grow : callable
        Takes ``(X, y)``, some of the rows, and ``sample_weight=`` if there are weights; returns a
        `Tree`, or a `GrowthPath` whose last tree is taken. Columns of text of a data frame (not of
        Arrow) come as categoricals of all their values, so that a tree knows those it did not see.
    folds : int from 2 to m
    rng : numpy Generator, or a seed
        For the random split.
    sample_weight : (m,) array-like of numbers >= 0, optional
        How many examples each row counts as, as in `node_counts`; rows of weight 0 are in no fold,
        and ``m`` is the number of the others.
    classes, loss :
        See `node_counts`.

    Examples
    --------
    >>> import dtviz as dt
    >>> X = [[i] for i in range(20)]
    >>> y = [int(i >= 10) ^ (i in (3, 15)) for i in range(20)]
    >>> dt.pruning.cross_validated_prune(X, y, dt.grow)
    <CrossValidatedPruning: 6 -> 2 leaves, 0 -> 2 errors of 20>
    """
    if callable(y) and grow is None:
        msg = f"y must be labels, got {as_repr(y)}: write grow=..."
        raise ValueError(msg)
    X, y, features, kinds = read_handed(X, y)
    rows, labels = as_array(X), flat_labels(y)
    if rows is None or labels is None or rows.ndim != 2 or labels.shape != rows.shape[:1]:
        msg = f"X must be an (m, d) array and y its m labels, got {as_repr(X)} and {as_repr(y)}"
        raise ValueError(msg)
    folds = as_integer("folds", folds, 2)
    table = rows_of(X)  # a data frame keeps its names
    weight, per, every = None, 1.0, np.arange(labels.size)
    if sample_weight is not None:
        weight, per = as_counts("sample_weight", sample_weight, labels.size)
        every = np.flatnonzero(weight)
    if every.size < folds:
        what = "examples" if weight is None else "examples of positive sample_weight"
        msg = f"folds must be at most the number of {what}, {every.size}, got {as_repr(folds)}"
        raise ValueError(msg)
    if not callable(grow):
        msg = f"grow must be callable, a function of (X, y) such as dt.grow, got {as_repr(grow)}"
        raise ValueError(msg)
    allowed = labels[every] if classes is None else classes

    def sample(places: Ints, per: float = per) -> Sample:
        each = weight if weight is None or per == 1 else weight / per
        return table(places), labels[places], None if each is None else each[places]

    whole = _smallest(grow, sample(every), allowed, loss, named=(features, kinds))
    sizes = whole.front_n_leaves
    if whole.counts.squares is not None and sizes.size > MOST_SIZES:
        sizes = sizes[np.unique(np.geomspace(1, sizes.size, MOST_SIZES).round().astype(int)) - 1]
    total = whole.counts.reach[0]
    held_out = np.zeros(sizes.size, dtype=whole.counts.errors.dtype)
    squares = np.zeros((3, sizes.size))
    fold = as_generator("rng", rng).permutation(np.arange(every.size) % folds)
    for k in range(folds):
        kept = sample(every[fold != k])
        smallest = _smallest(grow, kept, allowed, loss, for_gaps=True)
        # All folds count in one unit.
        X_out, y_out, each = sample(every[fold == k], per=1)
        each = np.ones(y_out.size, dtype=np.intp) if each is None else each
        reached = np.searchsorted(smallest.front_n_leaves, sizes, side="right") - 1
        tried, reached = np.unique(smallest.front_n_leaves[reached], return_inverse=True)
        lost = _losses(smallest, tried, X_out, y_out)
        held_out += (lost @ each)[reached]
        share = np.square(each / total)
        squares += [(np.power(lost, k, dtype=np.float64) @ share)[reached] for k in range(3)]
    rate = held_out / total
    variance = squares[2] - 2 * rate * squares[1] + rate * rate * squares[0]
    deviation = np.sqrt(np.maximum(variance, 0))
    choice = int(held_out.argmin())
    modest = int((rate <= rate[choice] + deviation[choice]).argmax())
    best, one_se = (whole.cuts(int(sizes[place])) for place in (choice, modest))
    errors = whole.counts.weigh(held_out), choice, deviation, whole.counts.prune(one_se)
    return CrossValidatedPruning(*cut_fields(whole.counts, best), sizes, *errors)


def _smallest(  # noqa: PLR0913 - the first four as given
    grow: Grower,
    sample: Sample,
    classes: Any,
    loss: Any,
    *,
    for_gaps: bool = False,
    named: tuple[Any, Any] = (None, None),
) -> SmallestPrunings:
    """Grow a tree on a sample, and find its best pruning of each size."""
    X, y, weight = sample
    weighted = {} if weight is None else {"sample_weight": weight}
    grown = grow(X, y, **weighted)
    tree = grown.tree() if isinstance(grown, GrowthPath) else grown
    if for_gaps and isinstance(grown, ImpurityPath):
        tree = grown.tree_for_gaps()
    if not isinstance(tree, Tree):
        msg = f"grow must return a Tree or a GrowthPath, got {as_repr(grown)}"
        raise ValueError(msg)
    if named[0] is not None and tree.names.features is None:
        # `grow` has seen the rows of a Dataset, not its names.
        kinds = None if tree.is_regression or named[1] is None else dict(enumerate(named[1]))
        tree = tree.named(named[0], class_names=kinds)
    known = None if tree.is_regression else classes
    return smallest_prunings(tree, X, y, sample_weight=weight, classes=known, loss=loss)


def _losses(
    smallest: SmallestPrunings, sizes: Ints, X: Any, y: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """What the smallest prunings of these sizes lose on each example, a row for each pruning."""
    counts = smallest.counts
    leaf = counts.given.apply(X)
    is_regression = counts.squares is not None
    if is_regression:
        true: npt.NDArray[Any] = as_real_labels(y, leaf.size)
    else:
        true = find_codes("y", read_labels("y", y), counts.classes)
    found = []
    for size in sizes.tolist():
        kept = counts.kept(smallest.cuts(size))
        # Of the nodes kept, in preorder the last one up to a leaf is above it.
        said = counts.label[np.flatnonzero(kept)[kept.cumsum() - 1][leaf]]
        if is_regression:
            found.append(np.square(true - said))
        else:
            found.append(said != true if counts.loss is None else counts.loss[true, said])
    return np.array(found)
