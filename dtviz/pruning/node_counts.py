"""A tree on a sample: which examples reach each node, and what cutting there would cost.

Every method of pruning starts from this table. Nodes are numbered in preorder, so a subtree is a
range of numbers, and a sum over it is a difference of two running sums.
"""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Bools, FrozenArrays, Ints, freeze_array
from dtviz.core.checks import as_array, as_given, as_repr
from dtviz.core.data.datasets import Dataset
from dtviz.core.data.frames import names_of, take_rows
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import as_real_labels, flat_labels
from dtviz.core.data.weights import BITS, read_weights
from dtviz.core.tolerances import ROUNDING
from dtviz.core.tree.node_sums import as_loss, expect_losses, find_cheapest
from dtviz.core.tree.nodes import read_rows, send_rows
from dtviz.core.tree.prunings import moments
from dtviz.core.tree.tree import Tree, check_tree

GrownOn = tuple[npt.ArrayLike, npt.ArrayLike] | tuple[npt.ArrayLike, npt.ArrayLike, Any]
"""The sample (X, y) that grew a tree, or (X, y, sample_weight)."""


@dataclass(frozen=True, eq=False, repr=False)
class NodeCounts(FrozenArrays):
    """A tree, and what a sample of m examples says at each of its nodes. `node_counts` makes it.

    Attributes
    ----------
    given : Tree
        The tree, its leaves labeled.
    classes : (k,) array
        The labels that may occur, sorted; of a regression tree none, k = 0.
    counts : (n_nodes, k) int array
        How many examples of each class reach each node; of a regression tree a column with all.
        So are ``reach`` and the errors here counted; `weigh` makes weights of counts.
    label : (n_nodes,) array
        Which class (an index into ``classes``) each node predicts as a leaf; of a regression tree
        the number.
    squares : (n_nodes,) float array, or None
        The squared errors of each node as a leaf, summed: of a regression tree only.
    per_example : float
        The count of an example of weight 1, above 1 where weights are fractions: all are counted in
        whole multiples of one unit, so that sums are exact.
    loss : (k, k) array, or None
        What an error costs, see `node_counts`: then all errors here are sums of losses.
    n_columns : int
        The columns of the sample: of a data frame, those that the tree may ask.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> counts = dt.pruning.node_counts(tree, X, y)
    >>> counts.reach.tolist(), counts.errors.tolist()
    ([6, 2, 4, 2, 1, 1, 2], [3, 0, 1, 1, 0, 0, 0])
    """

    given: Tree
    classes: npt.NDArray[Any]
    counts: Ints
    label: npt.NDArray[Any]
    squares: npt.NDArray[np.float64] | None = None
    per_example: float = 1
    loss: npt.NDArray[Any] | None = None
    n_columns: int = 0

    @property
    def m(self) -> Any:
        """The number of examples, each as often as its weight says: a float if some are no int."""
        return self.weigh(self.reach[0]).item()

    def weigh(self, counts: Any) -> Any:
        """What so many counts weigh, an array or a scalar of NumPy's: the same if all are whole."""
        return counts if self.per_example == 1 else counts / self.per_example

    @cached_property
    def reach(self) -> Ints:
        """m_v, the number of examples that reach each node."""
        return freeze_array(self.counts.sum(axis=1))

    @cached_property
    def errors(self) -> npt.NDArray[Any]:
        """The errors of each node as a leaf on the examples that reach it."""
        if self.squares is not None:
            return self.squares
        if self.loss is not None:
            losses = expect_losses(self.counts, self.loss)
            return freeze_array(losses[np.arange(self.label.size), self.label])
        return freeze_array(self.reach - self.counts[np.arange(self.label.size), self.label])

    @cached_property
    def slack(self) -> float:
        """How far sums of errors may lie apart that are equal: 0 if they are integers."""
        return ROUNDING * float(self.errors.max()) if self.errors.dtype.kind == "f" else 0

    @property
    def labels(self) -> npt.NDArray[Any]:
        """What each node predicts as a leaf."""
        return self.label if self.squares is not None else freeze_array(self.classes[self.label])

    @cached_property
    def end(self) -> Ints:
        """One past the last node of the subtree at each node."""
        return freeze_array(np.arange(self.given.n_nodes) + 2 * self.given.leaves_below - 1)

    @cached_property
    def subtree_errors(self) -> npt.NDArray[Any]:
        """The errors of the whole subtree at each node on the examples that reach it."""
        return freeze_array(self.over_subtrees(np.where(self.given.variable < 0, self.errors, 0)))

    def over_subtrees(self, quantity: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The sum of a quantity of nodes, an (n_nodes,) array, over the subtree at each node."""
        tree = self.given
        if quantity.dtype.kind == "f":  # a difference of running sums would leave their rounding
            total = quantity.copy()
            for level in reversed(tree.levels[:-1]):
                inner = level[tree.variable[level] >= 0]
                total[inner] += total[tree.low[inner]] + total[tree.high[inner]]
            return total
        running = np.concatenate([[0], np.cumsum(quantity)])
        sums: npt.NDArray[Any] = running[self.end] - running[: self.end.size]
        return sums

    def kept(self, cut: Bools) -> Bools:
        """Which nodes are left when the nodes of a mask, of shape (n_nodes,), become leaves."""
        change = np.zeros(self.end.size + 1, dtype=np.intp)
        inner = np.flatnonzero(cut & (self.given.variable >= 0))
        change[inner + 1] += 1
        np.subtract.at(change, self.end[inner], 1)
        return np.asarray(np.cumsum(change[:-1]) == 0)

    def leaves(self, cut: Bools) -> Bools:
        """Which nodes are then the leaves."""
        return self.kept(cut) & (cut | (self.given.variable < 0))

    def prune(self, cut: Bools) -> Tree:
        """The tree in which the nodes of a mask, of shape (n_nodes,), have become leaves."""
        kept, value = self.kept(cut), np.asarray(self.given.value)
        return self.given.cut(cut, kept, np.where(cut, self.labels, value)[kept])

    def __repr__(self) -> str:
        return f"<NodeCounts: {short(self.m)} examples on {self.given!r}>"


def short(count: float) -> str:
    """Write a count in full, and a sum of other weights in few digits."""
    return f"{count}" if isinstance(count, int) else f"{count:.6g}"


def node_counts(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: Any,
    y: Any = None,
    *,
    sample_weight: npt.ArrayLike | None = None,
    grown_on: GrownOn | None = None,
    classes: npt.ArrayLike | None = None,
    loss: npt.ArrayLike | None = None,
) -> NodeCounts:
    """Send a sample down a tree and count, at every node, the examples of each class.

    A leaf of the tree keeps its label; a bare tree's leaves, and every node that is cut, take the
    majority class of the examples that reach them: of those in ``grown_on`` if it is given, else of
    the sample itself. Among equally frequent classes the first is taken; where no example arrives,
    the class of the nearest node above that some example reaches.

    Parameters
    ----------
    tree : Tree
        With labels or bare, of Boolean or real-valued tests.
    X : (m, d) array or data frame, m >= 1
        One example a row, as `Tree.apply` reads them: the columns of a frame by their names.
    y : (m,) array
        The class of each example. Any number of classes, numbers or strings.
    sample_weight : (m,) array-like of numbers >= 0, optional
        How many examples each row counts as, 1 if not given. Their sum replaces m everywhere. A row
        of weight 0 counts as absent. Whole numbers, and other multiples of one unit such as 0.5 or
        0.1, are counted exactly if their sum is below 2^52 of it; others in multiples of about the
        2^-52th part of their sum, as in `grow`.
    grown_on : pair (X, y) or triple (X, y, sample_weight), optional
        Another sample that labels the nodes: that on which the tree was grown (claim MN-REPEX).
        ``sample_weight`` beside it is that of the sample that is counted.
    classes : sequence, optional
        Labels that may occur besides those of the tree's leaves, of ``grown_on``, and of the
        examples that `grow` grew the tree on. If all the leaves have labels 0 or 1, both may occur
        anyway.
    loss : (k, k) array-like of numbers >= 0, optional
        In row i and column j, what it costs to predict class j where i is true, 0 on the diagonal.
        Then every node, a leaf too, takes the label that costs the least, and errors are costs.

    Examples
    --------
    >>> import dtviz as dt
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 0, 1, 1]
    >>> tree = dt.id3(X, y)
    >>> dt.pruning.node_counts(tree, X, y).counts.tolist()
    [[3, 3], [2, 0], [1, 3], [1, 1], [0, 1], [1, 0], [0, 2]]
    """
    if check_tree(tree).is_regression:
        msg = (
            f"tree must predict classes, got {as_repr(tree)}: regression trees are pruned by "
            'cost_complexity_prune with cost="squared", smallest_prunings, reduced_error_prune and '
            "cross_validated_prune"
        )
        raise ValueError(msg)
    counted, labeling = _read_samples(tree, X, y, sample_weight, grown_on)
    (leaf, labels, weight, *_), (voters, votes, votes_each, *_) = counted, labeling
    known = [] if tree.value is None else [read_labels("value", tree.value[tree.leaves])]
    if known and known[0].dtype.kind in "biuf" and np.isin(known[0], (0, 1)).all():
        known.append(np.array([0, 1]))
    if classes is not None:
        known.append(read_labels("classes", classes).ravel())
    if grown_on is not None or not known:
        # No two examples need agree on the numbers of regression.
        if votes.dtype.kind == "f" and not (np.isfinite(votes) & (votes == np.floor(votes))).all():
            name = "y" if grown_on is None else "y of grown_on"
            msg = f"{name} must have classes for labels, not means, fractions or infinity, "
            raise ValueError(msg + f"got {as_repr(votes)}")
        known.append(votes)
    if tree.names.labels is not None and known:
        known.append(read_labels("labels of names", tree.names.labels))
    numbers = [part.dtype.kind in "biuf" for part in known]
    if len(set(numbers)) > 1 or numbers[0] != (labels.dtype.kind in "biuf"):
        kinds = ["numbers" if number else "strings" for number in numbers]
        msg = f"y must have labels of the kind of the others, {kinds[0]}, got {as_repr(y)}"
        raise ValueError(msg)
    names = np.unique(np.concatenate(known))
    counts = _count(tree, leaf, find_codes("y", labels, names), weight, names.size)
    major = counts
    if grown_on is not None:
        codes = find_codes("y of grown_on", votes, names)
        major = _count(tree, voters, codes, votes_each, names.size)
    table = None if loss is None else as_loss(loss, names.tolist())
    label = _find_labels(tree, major, table)
    if tree.value is None or loss is not None:
        tree = tree.labeled(np.where(tree.variable < 0, names[label], names[:1]))
    else:
        label[tree.leaves] = find_codes("value", known[0], names)
    return NodeCounts(tree, names, counts, label, None, counted.per, table, counted.n_columns)


def count_sample(tree: Tree, X: Any, y: Any, *, loss: Any = None, **sample: Any) -> NodeCounts:
    """The `node_counts` of a tree of classes, or the `node_means` of a regression tree."""
    if not check_tree(tree).is_regression:
        return node_counts(tree, X, y, loss=loss, **sample)
    for name, given in (("classes", sample.pop("classes", None)), ("loss", loss)):
        if given is not None:
            msg = f"{name} must be left out for a regression tree, got {as_repr(given)}"
            raise ValueError(msg)
    return node_means(tree, X, y, **sample)


def node_means(
    tree: Tree, X: Any, y: Any = None, sample_weight: Any = None, grown_on: GrownOn | None = None
) -> NodeCounts:
    """Send a sample down a regression tree; the arguments are those of `node_counts`.

    A leaf keeps its label; a bare tree's leaves, and every node that is cut, take the mean of the
    examples that reach them, or that of the nearest node above that some example reaches.
    """
    if not (check_tree(tree).is_regression or tree.is_bare):
        msg = f'tree must be a regression tree for cost="squared", got {as_repr(tree)}'
        raise ValueError(msg)
    counted, labeling = _read_samples(tree, X, y, sample_weight, grown_on)
    size, mean, squares = _moments(tree, counted)
    votes, label, _ = _moments(tree, labeling)
    _inherit(tree, label, votes == 0)
    if tree.value is None:
        arrays = tree.threshold, tree.names, tree.missing, tree.subsets
        tree = Tree(
            tree.variable, np.where(tree.variable < 0, label, 0.0), *arrays, is_regression=True
        )
    else:
        label[tree.leaves] = tree.value[tree.leaves]
    squares = squares + size * (mean - label) ** 2
    counts = size.astype(np.intp)[:, None]
    return NodeCounts(tree, np.empty(0), counts, label, squares, counted.per)


class Sample(NamedTuple):
    """The leaf of each row, its label, its count if there are weights, and that of a weight 1."""

    leaf: Ints
    labels: npt.NDArray[Any]
    counts: Ints | None
    per: float
    n_columns: int


def _moments(tree: Tree, sample: Sample) -> tuple[npt.NDArray[np.float64], ...]:
    """Number, mean and squared deviations of the examples at each node."""
    leaf, y, weight, *_ = sample
    each = None if weight is None else weight.astype(np.float64)
    return moments(tree, leaf, as_real_labels(y, leaf.size), each)


def _read_samples(
    tree: Tree, X: Any, y: Any, sample_weight: Any, grown_on: GrownOn | None
) -> tuple[Sample, Sample]:
    """Read the sample, and the one that labels nodes that are cut: the same if none is given."""
    counted = _read_sample(tree, "", X, y, sample_weight)
    if grown_on is None:
        return counted, counted
    sample: Any = grown_on
    if isinstance(sample, Dataset):
        sample = sample, None
    if not isinstance(sample, (tuple, list)) or len(sample) not in {2, 3}:
        msg = (
            "grown_on must be a pair (X, y) or a triple (X, y, sample_weight), "
            f"got {as_repr(grown_on)}"
        )
        raise ValueError(msg)
    return counted, _read_sample(tree, " of grown_on", *sample)


def _read_sample(
    tree: Tree, which: str, X: Any, y: Any = None, sample_weight: Any = None
) -> Sample:
    """Read a table and its labels once, and send the rows down.

    A row of weight 0 is read as one that counts, because its own values must not matter; so the
    others keep their numbers in messages.
    """
    try:
        X, y, *_ = read_handed(X, y)
    except ValueError as error:
        raise ValueError(re.sub(r"\b([Xy])\b", rf"\1{which}", str(error), count=1)) from None
    given: Any = X if names_of(X) is not None else as_given(X)
    shape: tuple[int, ...] = () if given is None else given.shape
    table = given if len(shape) == 2 else X
    if shape and shape[0] == 0:
        msg = f"X{which} must hold at least one example, got none (shape {shape})"
        raise ValueError(msg)
    weight = instead = None
    per: float = 1
    if sample_weight is not None and len(shape) == 2:
        weight, per = as_counts(f"sample_weight{which}", sample_weight, shape[0])
        if not weight.all():
            instead = np.where(weight > 0, np.arange(weight.size), weight.argmax())
    try:
        rows = read_rows(tree, table if instead is None else take_rows(table, instead), "error")
    except ValueError as error:
        raise ValueError(str(error).replace("X", f"X{which}", 1)) from None
    leaf, labels = send_rows(tree, rows), read_labels(f"y{which}", flat_labels(y))
    if labels.shape != leaf.shape:
        got = f"shape {labels.shape}" if labels.ndim else as_repr(y)
        msg = f"y{which} must have one label per row of X{which}, {leaf.size}, got {got}"
        raise ValueError(msg)
    labels = labels if instead is None else labels[instead]
    return Sample(leaf, labels, weight, per, rows.shape[1])


MOST_WEIGHTS = 1000
"""So many different weights are looked at for a common denominator, .."""

MOST_PARTS = 10**6
""".. which each has, as a multiple of the least of them, up to this one, .."""

SAME_RATIO = 1e-15
""".. within this share: four roundings."""


def as_counts(name: str, value: Any, m: int) -> tuple[Ints, float]:
    """Weights of m rows as whole multiples of one unit, and how many of these a weight of 1 is.

    Sums of counts are exact as floats. Fractions have a common unit, if there is one not too small,
    so that .1 and .2 are as much as .3; else they are rounded as `grow` rounds them.
    """
    try:
        whole, unit = read_weights(value, m)
    except ValueError as error:
        raise ValueError(str(error).replace("sample_weight", name, 1)) from None
    if unit == 1.0:
        return whole, 1
    weights, place = np.unique(np.asarray(value, dtype=np.float64), return_inverse=True)
    if weights.size <= MOST_WEIGHTS:
        least = float(weights[weights > 0][0])
        ratios = [weight / least for weight in weights.tolist()]
        if max(ratios) < 1 << BITS:
            parts = [Fraction(ratio).limit_denominator(MOST_PARTS) for ratio in ratios]
            per = math.lcm(*(part.denominator for part in parts))
            near = np.isclose(np.array(parts, np.float64), ratios, rtol=SAME_RATIO, atol=0).all()
            if (
                near
                and sum(map(operator.mul, np.bincount(place).tolist(), parts)) * per < 1 << BITS
            ):
                return np.array([int(part * per) for part in parts])[place], per / least
    return whole, 1 / unit


def check_counts(counts: NodeCounts, sample_weight: Any) -> None:
    """Refuse weights for a bound, which holds for m independent examples."""
    given = np.asarray(0 if sample_weight is None else sample_weight, dtype=np.float64)
    broken = np.asarray(given != np.floor(given))
    if counts.per_example == 1 and not broken.any():
        return
    k = int(broken.argmax())
    msg = (
        "sample_weight must be whole numbers with a sum below 2^52, because a bound counts a row "
        f"as that many independent examples, got {float(given[k])} at index {k}, the sum "
        f"{given.sum():.6g}: reduced_error_prune, smallest_prunings and cost_complexity_prune take "
        "any weights"
    )
    raise ValueError(msg)


def read_labels(name: str, labels: Any) -> npt.NDArray[Any]:
    """Labels as an array of numbers or of strings, or an error."""
    array = as_array(labels)
    if array is not None and array.dtype.kind == "O":
        entries = array.ravel().tolist()
        if all(isinstance(entry, str) for entry in entries):
            array = array.astype(str)
        elif all(isinstance(entry, (int, float)) for entry in entries):
            array = np.array(entries).reshape(array.shape)
    if array is None or array.dtype.kind not in "biufU":
        msg = f"{name} must be an array of numbers, or of strings, got {as_repr(labels)}"
        raise ValueError(msg)
    return array


def find_codes(name: str, labels: npt.NDArray[Any], names: npt.NDArray[Any]) -> Ints:
    """The place of each label in the sorted list of those that may occur."""
    place = np.searchsorted(names, labels)
    place[place == names.size] = 0
    strange = np.asarray(names[place] != labels)
    if strange.any():
        k = int(strange.argmax())
        msg = (
            f"{name} must have labels that the tree knows, {as_repr(names.tolist())}, "
            f"got {as_repr(labels[k].item())} at index {k}; classes=... allows others"
        )
        raise ValueError(msg)
    return np.asarray(place, dtype=np.intp)


def _count(tree: Tree, leaf: Ints, codes: Ints, weight: Ints | None, k: int) -> Ints:
    """The examples of each of k classes at each node."""
    # With weights NumPy sums floats, which are exact here: all are whole and below 2^52.
    sums = np.bincount(leaf * k + codes, weight, minlength=tree.n_nodes * k)
    at_leaf = sums.astype(np.int64).reshape(-1, k)
    running = np.zeros((tree.n_nodes + 1, k), dtype=np.int64)
    np.cumsum(at_leaf, axis=0, out=running[1:])
    here = np.arange(tree.n_nodes)
    return np.asarray(running[here + 2 * tree.leaves_below - 1] - running[here])


def _find_labels(tree: Tree, counts: Ints, loss: npt.NDArray[Any] | None) -> Ints:
    """The most frequent class at each node, or the cheapest; where no example arrives, as above."""
    label = counts.argmax(axis=1) if loss is None else find_cheapest(expect_losses(counts, loss))
    _inherit(tree, label, np.asarray(~counts.any(axis=1)))
    return label


def _inherit(tree: Tree, label: npt.NDArray[Any], empty: Bools) -> None:
    """Label the nodes of a mask as the nearest node above that is not in it."""
    if empty.any():
        for level in tree.levels[:-1]:
            inner = level[tree.variable[level] >= 0]
            for child in (tree.low[inner], tree.high[inner]):
                label[child] = np.where(empty[child], label[inner], label[child])
