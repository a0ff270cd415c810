"""What the examples that a tree was grown on say at its nodes, and what is read off these sums.

Probabilities of classes, importances of features and the contributions of questions to one
prediction are methods of `Tree`, and of the results that have one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats, FrozenArrays
from dtviz.core.checks import as_array, as_generator, as_integer, as_repr
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import as_real_labels, losses
from dtviz.core.data.weights import read_weights
from dtviz.core.names import in_line
from dtviz.core.table import HasTable, ResultTable, table
from dtviz.core.tolerances import ROUNDING
from dtviz.core.tree.export import names_for, without_point
from dtviz.core.tree.nodes import TreeNodes, labels_of, read_rows, read_sizes, send_rows
from dtviz.core.tree.rules import steps_of

Found = TypeVar("Found")

MOST_SHOWN = 8
"""Of more classes, the table of contributions shows the likeliest."""


@dataclass(frozen=True, eq=False)
class NodeSums(FrozenArrays):
    """The examples at each node of a tree, whose nodes are rows here.

    ``counts`` is what those of each class weigh, sorted as ``classes``; of a regression tree one
    column, of all, with their ``means``. ``costs`` is what each node costs as a leaf, its share of
    the cost that growth reduced, and ``n_features`` the number of columns.
    """

    counts: npt.NDArray[Any]
    costs: Floats
    classes: npt.NDArray[Any] | None
    means: Floats | None
    n_features: int

    @property
    def values(self) -> Floats:
        """The shares of the classes at each node, (n_nodes, c); or the means, a column."""
        if self.means is not None:
            return self.means[:, None]
        shares: Floats = self.counts / self.counts.sum(axis=1, keepdims=True)
        return shares

    def take(self, nodes: npt.NDArray[Any]) -> NodeSums:
        """The sums at some of the nodes, given by number or by a mask."""
        means = None if self.means is None else self.means[nodes]
        rows = self.counts[nodes], self.costs[nodes]
        return NodeSums(*rows, self.classes, means, self.n_features)


def sums_of(tree: TreeNodes, user: str, *, of_classes: bool = False) -> NodeSums:
    """The sums of a tree, which ``user`` needs."""
    sums: NodeSums | None = tree.sums
    if sums is None:
        msg = f"{user} needs a tree that knows its examples, as of grow, got {as_repr(tree)}"
        raise ValueError(msg)
    if of_classes and sums.classes is None:
        msg = f"{user} needs a tree of classes, got {as_repr(tree)}"
        raise ValueError(msg)
    return sums


def as_loss(loss: Any, classes: list[Any]) -> npt.NDArray[Any]:
    """A loss matrix as an array, of integers if it has no others, or say which rule it breaks."""
    table, c = as_array(loss), len(classes)
    numbered = 2 * [*range(c)]
    if hasattr(loss, "columns") and [*loss.columns, *getattr(loss, "index", ())] != numbered:
        table = _sort_frame(loss, classes)
    if table is None or table.shape != (c, c) or table.dtype.kind not in "biuf":
        table = np.full((1, 1), -1)
    if not (np.isfinite(table) & (table >= 0)).all() or table.diagonal().any() or not table.any():
        msg = (
            f"loss must have a row for each true class and a column for each predicted one, of "
            f"{as_repr(classes)}: finite numbers >= 0, not all 0, and 0 on the diagonal, got "
        )
        raise ValueError(msg + as_repr(loss))
    is_whole = (table == np.floor(table)).all() and table.max() < 1 << 31
    return table.astype(np.int64 if is_whole else np.float64)


def _sort_frame(loss: Any, classes: list[Any]) -> npt.NDArray[Any] | None:
    """The matrix of a data frame whose rows and columns have the names of classes."""
    columns = list(loss.columns)
    rows = list(getattr(loss, "index", columns))
    if any(len(names) != len(classes) or set(names) != set(classes) for names in (rows, columns)):
        return None
    places = np.ix_([*map(rows.index, classes)], [*map(columns.index, classes)])
    return np.asarray(np.asarray(loss)[places])


def expect_losses(counts: npt.NDArray[Any], loss: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What each class loses if it is predicted for these counts, rows, of each class."""
    is_large = float(counts.sum(axis=1).max()) * float(loss.max()) >= 1 << 62
    return np.asarray((counts.astype(np.float64) if is_large else counts) @ loss)


def find_cheapest(losses: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """The class of the least loss in each row, the lowest if several tie."""
    least = losses.min(axis=1, keepdims=True)
    if losses.dtype.kind == "f":
        least = least * (1 + ROUNDING)
    return np.asarray((losses <= least).argmax(axis=1))


def predict_proba(tree: TreeNodes, X: Any, *, unknown: str = "error") -> Floats:
    """The probability of each class for each row of ``X``, an (m, c) array whose rows sum to 1.

    It is the share of the class, by weight, among the examples at the leaf that the tree was grown
    on; columns are in the order of ``tree.classes``. Arguments as for `predict`. A ValueError if it
    is a regression tree or made by hand, without examples.

    Examples
    --------
    >>> import dtviz as dt
    >>> tree = dt.grow([[1], [2], [3], [4]], ["no", "yes", "no", "no"], max_leaves=2).tree()
    >>> tree.classes.tolist(), tree.predict_proba([[2], [9]]).tolist()
    (['no', 'yes'], [[0.5, 0.5], [1.0, 0.0]])
    """
    sums = sums_of(tree, "predict_proba", of_classes=True)
    return sums.values[tree.apply(X, unknown=unknown)]


def feature_importances(tree: TreeNodes) -> Floats:
    """The share of each feature in what all splits take off the cost, a (d,) array with sum 1.

    All are 0 where no split takes anything off. scikit-learn's ``feature_importances_``, of the
    examples and the cost that the tree was grown by. Deep trees flatter features of many values; on
    rows that did not grow the tree, `permutation_importance` does not. A ValueError if the tree was
    made by hand, without examples.

    Examples
    --------
    >>> import dtviz as dt
    >>> people = dt.datasets.titanic(numeric=True)
    >>> path = dt.grow(people.X, people.y, feature_names=people.feature_names)
    >>> dict(zip(people.feature_names, path.tree(4).feature_importances().round(3).tolist()))
    {'class': 0.196, 'male': 0.738, 'age': 0.066, 'siblings': 0.0, 'parents': 0.0, 'fare': 0.0}
    """
    sums = sums_of(tree, "feature_importances")
    inner = np.flatnonzero(tree.variable >= 0)
    drops = sums.costs[inner] - sums.costs[tree.low[inner]] - sums.costs[tree.high[inner]]
    drops = np.where(drops > ROUNDING * sums.costs[inner], drops, 0.0)
    total = np.bincount(tree.variable[inner], drops, minlength=sums.n_features)
    shares: Floats = total / (total.sum() or 1.0)
    return shares


def permutation_importance(  # noqa: PLR0913 -- most are by keyword
    tree: TreeNodes,
    X: Any,
    y: Any = None,
    *,
    n_repeats: int = 5,
    rng: np.random.Generator | int = 0,
    sample_weight: Any = None,
    unknown: str = "error",
) -> Floats:
    """How much worse the tree predicts when the values of a column are shuffled (Breiman 2001).

    For each feature the mean fall of the share of right classes, or of R squared, in ``n_repeats``
    shuffles by ``rng``, a Generator or a seed: 0 if it is not tested, below 0 if its values mislead
    on these rows. Give rows that did not grow the tree: on its own rows it has good use for the
    noise it learned. Other arguments are those of `score`.

    Examples
    --------
    >>> import dtviz as dt
    >>> tree = dt.id3([[0, 5], [1, 5], [2, 5], [3, 5]], [0, 0, 1, 1])
    >>> new = [[0, 0], [1, 9], [2, 9], [3, 0]]
    >>> tree.permutation_importance(new, [0, 0, 1, 1]).round(2).tolist()
    [0.6, 0.0]
    """
    labels = labels_of(tree, "permutation_importance")
    X, y, *_ = read_handed(X, y)
    rows = read_rows(tree, X, unknown).copy()
    if not len(rows):
        msg = f"X must have at least one row, got {as_repr(X)}"
        raise ValueError(msg)
    times, generator = as_integer("n_repeats", n_repeats, 1), as_generator("rng", rng)
    weights = read_weights(sample_weight, len(rows)).whole.astype(np.float64)
    sizes = read_sizes(tree, None) if unknown == "larger" else None
    spread = 1.0
    if tree.is_regression:  # R squared is 1 less the loss over that of the mean
        truth = as_real_labels(y, len(rows))
        off = truth - np.average(truth, weights=weights)
        spread = float(np.average(off * off, weights=weights)) or 1.0

    def mean_loss() -> float:
        predicted = labels[send_rows(tree, rows, sizes)]
        found = losses(predicted, y, is_regression=tree.is_regression)
        return float(np.average(found, weights=weights)) / spread

    rises = np.zeros(rows.shape[1])
    before = mean_loss()
    for i in np.unique(tree.variable[tree.variable >= 0]).tolist():
        column = rows[:, i].copy()
        for _ in range(times):
            rows[:, i] = generator.permutation(column)
            rises[i] += (mean_loss() - before) / times
        rows[:, i] = column
    return rises


@dataclass(frozen=True)
class Contribution:
    """What a question on the path of a row, in ``text`` with its answer, adds to the prediction.

    ``node`` tests the feature ``variable``, -1 in the first entry, the root's own. ``adds`` has
    what is added to the probability of each class, by its name, or to the ``"mean"``.
    """

    node: int
    variable: int
    text: str
    adds: dict[str, float]


class Contributions(HasTable, tuple[Contribution, ...]):
    """What the root and each question on the path of a row add; prints as a table with the sum."""

    __slots__ = ()

    @property
    def prediction(self) -> dict[str, float]:
        """The sum of all entries: the probability of each class in the leaf, or its mean."""
        return {what: math.fsum(entry.adds[what] for entry in self) for what in self[0].adds}

    def _as_table(self) -> ResultTable:
        total = self.prediction
        likeliest = sorted(total, key=lambda what: -total[what])[:MOST_SHOWN]
        shown = {what: in_line(what) for what in total if what in likeliest}
        lines = [*((entry.text, entry.adds) for entry in self), ("prediction", total)]
        rows = [(text, *map(adds.get, shown)) for text, adds in lines]
        # As many digits as what is rare needs, to differ from nothing.
        sizes = [abs(adds[what]) for _, adds in lines for what in shown]
        rare = min((s for size in sizes for s in (size, abs(1 - size)) if s > 1e-9), default=1.0)
        digits = max(3, math.ceil(-math.log10(rare)))
        spec = "+z,.6g" if [*total] == ["mean"] else f"+z.{digits}f"
        return table(rows, ("", *shown.values()), formats=dict.fromkeys(shown.values(), spec))


def contributions(tree: TreeNodes, row: Any, *, class_names: Any = None) -> Contributions:
    """What the root and each question on the path of a row add to its prediction.

    The root has the shares of the classes among all examples, or their mean. Each question moves on
    to those of a child, and adds the difference; the sum is the prediction (Palczewska et al. 2014;
    the package treeinterpreter). Arguments are those of `explain`. A ValueError if the tree was
    made by hand, without examples. It prints as a table, and is a tuple of ``Contribution``; the
    attribute ``prediction`` has their sums.

    Examples
    --------
    >>> import dtviz as dt
    >>> people = dt.datasets.titanic()
    >>> names = {"feature_names": people.feature_names, "class_names": people.class_names}
    >>> tree = dt.grow(people.X, people.y, **names).tree(4)
    >>> print(tree.contributions({"sex": "female", "class": 3, "age": 22}))
                                    died  survived
    ----------------------------  ------  --------
    all examples                  +0.618    +0.382
    sex = male? no, it is female  -0.345    +0.345
    class <= 2.5? no, it is 3     +0.237    -0.237
    prediction                    +0.509    +0.491
    """
    sums = sums_of(tree, "contributions")
    names = names_for(tree, None, class_names)
    steps = steps_of(tree, row, names)
    nodes = [step.node for step in steps]
    values = sums.values[nodes]
    texts = ["all examples", *(f"{step.text} {step.answer}" for step in steps[:-1])]
    variables = [-1, *tree.variable[nodes[:-1]].tolist()]
    called = ["mean"]
    if sums.classes is not None:
        called = [str(without_point(names.call_label(c))) for c in sums.classes.tolist()]
    adds = [
        dict(zip(called, d, strict=True)) for d in np.diff(values, axis=0, prepend=0.0).tolist()
    ]
    # A question stands at the node above the one that it leads to.
    entries = zip([0, *nodes[:-1]], variables, texts, adds, strict=True)
    return Contributions(Contribution(*entry) for entry in entries)


class HasTree:
    """Base of results with a tree: what is asked of the tree may be asked of them.

    ``which`` chooses it, as in their `tree`: ``path.predict_proba(X, 4)``, or ``epsilon=0.1``.
    Further arguments, by keyword, and errors are those of the method of `Tree`.
    """

    __slots__ = ()

    def tree(self, *which: Any, **named: Any) -> Any:
        """One tree of the result."""
        raise NotImplementedError

    def _ask(
        self,
        method: Callable[..., Found],
        data: tuple[Any, ...],
        which: tuple[Any, ...],
        named: dict[str, Any],
    ) -> Found:
        own = {name: named.pop(name) for name in signature(method).parameters if name in named}
        return method(self.tree(*which, **named), *data, **own)

    def predict_proba(self, X: Any, *which: Any, **named: Any) -> Floats:
        """The shares of the classes for each row of ``X``: `Tree.predict_proba` of one tree."""
        return self._ask(predict_proba, (X,), which, named)

    def feature_importances(self, *which: Any, **named: Any) -> Floats:
        """The share of each feature in the drop of the cost: `Tree.feature_importances`."""
        return feature_importances(self.tree(*which, **named))

    def permutation_importance(self, X: Any, y: Any = None, *which: Any, **named: Any) -> Floats:
        """How much worse one tree predicts shuffled columns: `Tree.permutation_importance`."""
        return self._ask(permutation_importance, (X, y), which, named)

    def contributions(self, row: Any, *which: Any, **named: Any) -> Contributions:
        """What each question adds to the prediction of one row: `Tree.contributions`."""
        return self._ask(contributions, (row,), which, named)
