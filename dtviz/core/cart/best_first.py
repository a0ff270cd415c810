"""Best-first growth on examples: the impurity of a leaf decides what is split, and where.

After the lecture notes of chapter 4's source (Cornell CS 4780): split where the weighted impurity
of the two sides is least, and go on, also where no split lowers it, until every leaf is pure or
cannot be split. `grow` gives every size of tree from one run.
"""

from __future__ import annotations

import heapq
import inspect
import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Array, Floats, Ints
from dtviz.core.cart.alternatives import GrowthExamples, list_alternatives
from dtviz.core.cart.class_target import ClassTarget
from dtviz.core.cart.columns import Columns
from dtviz.core.cart.criteria import CRITERIA, Cost, as_criterion
from dtviz.core.cart.number_target import NumberTarget
from dtviz.core.cart.scan import Cuts, Level, smallest
from dtviz.core.cart.small_nodes import is_small, split_small
from dtviz.core.cart.target import Target
from dtviz.core.checks import as_given, as_integer, as_real
from dtviz.core.data.datasets import Dataset
from dtviz.core.data.examples import Inputs
from dtviz.core.data.frames import take_rows
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import REGRESSION, as_classes, as_real_labels
from dtviz.core.data.weights import Weights, read_weights
from dtviz.core.hints import with_hints
from dtviz.core.names import Names
from dtviz.core.tolerances import DROP_TIE, ROUNDING
from dtviz.core.tree.alternatives import Alternatives
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.core.tree.node_sums import NodeSums
from dtviz.core.tree.tree import Tree

GROWTH_COSTS = (*CRITERIA, "squared")
"""The costs that `grow` knows by name: those for classes, and squared loss for numbers."""

MANY_LABELS = 50
"""From so many different labels on, in hardly more rows, they are taken for an id."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ImpurityPath(GrowthPath):
    """The path of `grow`: every tree from the single leaf to the last split.

    ``errors`` are shares of misclassified examples (mean squared errors for squared loss);
    ``costs`` the impurities of the trees, ``sum over leaves of n_leaf / m * G(leaf)``, in the
    normalization of ``dtviz.core.cart.criteria``; each step takes its score off the cost.

    Attributes
    ----------
    cost_name : str
        The cost it grew by: a name in `GROWTH_COSTS`, or that of a criterion of your own.
    classes : (c,) array, or None
        The labels, sorted; None for squared loss.
    class_counts : (2K+1, c) array
        How many examples of each class a node has, or what they weigh: integers, unless weights
        are not; no columns for squared loss.
    node_examples : (2K+1,) int array
        How many examples a node has.
    split_missing : (K,) bool array
        Whether missing values go low at each split.
    subsets : mapping from int to frozenset of int
        The codes that go low, for the steps that split by a set of codes.
    grown_on : GrowthExamples or None
        The examples, in the form in which `alternatives` reads them.

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.grow([[1], [2], [3], [4]], ["no", "yes", "yes", "no"])
    >>> path.n_splits, path.errors.tolist()
    (2, [0.5, 0.25, 0.0])
    """

    cost_name: str = "gini"
    classes: Array | None = None
    class_counts: Array
    node_examples: Ints
    split_missing: npt.NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, np.bool_))
    subsets: Mapping[int, frozenset[int]] = field(default_factory=dict)
    grown_on: GrowthExamples | None = field(default=None, init=False)

    def __reduce__(self) -> tuple[Any, ...]:
        values = {column.name: getattr(self, column.name) for column in fields(self) if column.init}
        values["subsets"] = dict(self.subsets)
        return partial(ImpurityPath, **values), ()

    def tree_for_gaps(self, n_leaves: int | None = None, *, epsilon: float | None = None) -> Tree:
        """The same tree, with a way for missing values in any case."""
        tree = self.tree(n_leaves, epsilon=epsilon)
        step = self._split_at(tree.n_leaves - 1)[self.nodes(tree.n_leaves)]
        return tree.altered(missing=self._missing_low(step))

    def alternatives(self, node: int) -> Alternatives:
        """The candidates at a node: the best test of each column, the largest gain first.

        A ValueError if the path is a copy or pickle, which has no examples.

        Parameters
        ----------
        node : int
            Its number on the path: 0 is the root, and step j splits ``path.splits[j].node`` into
            ``2j + 1`` (low) and ``2j + 2`` (high).

        Returns
        -------
        tuple of Alternative
            One for each column that has a test there: ``rank``, ``column``, ``test``, ``gain`` and
            ``tied``; it prints as a table. Of equal gains the path takes the first. Empty where
            nothing is left to split.

        Examples
        --------
        >>> import dtviz as dt
        >>> X, y = [[1, 5, 0], [2, 1, 1], [3, 4, 0], [4, 2, 1]], ["no", "yes", "no", "no"]
        >>> path = dt.grow(X, y, feature_names=["age", "fare", "male"])
        >>> print(path.alternatives(0))
        rank  column  test          gain
        ----  ------  -----------  -----  ---
           1  fare    fare <= 1.5  0.375
           2  age     age <= 2.5   0.125  tie
           2  male    male         0.125  tie
        >>> path.alternatives(0)[0].threshold
        1.5
        """
        return list_alternatives(self, node, grow)

    def _build_tree(
        self,
        variable: Ints,
        value: Array,
        threshold: Floats,
        step: Ints,
        sums: NodeSums | None,
    ) -> Tree:
        subsets = {}
        if self.subsets:
            steps = enumerate(step.tolist())
            subsets = {node: self.subsets[j] for node, j in steps if j in self.subsets}
        ways = self._missing_low(step) if self.names.missing else None
        own = variable, value, threshold, self.names, ways, subsets
        return Tree(*own, is_regression=self._by_squares, sums=sums)

    @cached_property
    def _sums(self) -> NodeSums:
        """The examples at all nodes of the path."""
        if self.classes is None:
            return self._count(self.node_probability[:, None], None, self.node_value)
        return self._count(self.class_counts, self.classes)

    def _more_of(self, step: int) -> dict[str, Any]:
        """The codes that go low, and the way of missing values, where there are some."""
        found: dict[str, Any] = {}
        if step in self.subsets:
            found["subset"] = self.subsets[step]
        if self.names.missing:
            found["missing"] = bool(self.split_missing[step])
        return found

    def _missing_low(self, step: Ints) -> npt.NDArray[np.bool_]:
        """Whether missing values go low at nodes that were split at these steps, -1 for a leaf."""
        ways = np.zeros(step.size, dtype=np.bool_)
        ways[step >= 0] = self.split_missing[step[step >= 0]]
        return ways

    @property
    def _by_squares(self) -> bool:
        return self.classes is None

    @property
    def _most_error(self) -> float:
        if self.classes is None:
            return math.inf
        return 0.5 if self.classes.size <= 2 else 1.0

    def __repr__(self) -> str:
        return (
            f"<ImpurityPath: {self.n_splits} splits, {self.cost_name} "
            f"{self.costs[0]:.4g} -> {self.costs[-1]:.4g}>"
        )


@with_hints
def grow(  # noqa: PLR0913 -- most are by keyword
    X: Any,
    y: Any = None,
    cost: Cost = "gini",
    max_leaves: int | None = None,
    *,
    feature_names: Iterable[str] | None = None,
    class_names: Any = None,
    sample_weight: Any = None,
    max_depth: int | None = None,
    min_samples_leaf: int = 1,
    min_weight_fraction_leaf: float = 0.0,
    min_impurity_decrease: float = 0.0,
) -> ImpurityPath:
    """Grow a tree best-first on examples, and return every tree on the way.

    Start from one leaf. Each step makes the split ``x_f <= t`` of a leaf that lowers the tree's
    cost most. It goes on where the largest drop is 0, as ID3 does (so that XOR is learned, claim
    CU-XOR), and ends where every leaf is pure or holds equal rows only (claim CU-ID3). Each leaf is
    labeled by its most frequent class (the lowest if tied), or its mean.

    Thresholds lie midway between neighboring values of the leaf's examples. Ties: within a leaf
    the lowest feature, then the lowest threshold; among leaves the shallowest, then the leftmost.
    Drops are ties within a fraction 1e-12 of the leaf's cost.

    A missing value goes its own way: at each split to the side where the cost is less, low if that
    makes no difference, and a split may part what is missing from all that is there. At a node
    where none is missing in the feature of the test, it goes with the heavier side, high if both
    weigh the same.

    Parameters
    ----------
    X : (m, d) array, list of lists or data frame of pandas, polars or Arrow, m, d >= 1
        Finite numbers or booleans; NaN and None are missing. Columns of text and categoricals are
        split by sets of categories, missing values being one of them; a category that a node did
        not see goes high, as in LightGBM. With two classes, or numbers to predict, that is the best
        of all sets; with more classes, too, where a node has at most 8 categories. Of more, it is
        the best of those that come first in the order of the first principal component of the class
        shares (Coppersmith, Hong and Hosking 1999), or of the share of one class: mostly, not
        always, the best of all. Nor is it always with two classes or numbers where a rule below
        forbids small leaves. What categories are called makes no difference; of equally good sets,
        the order in which they first come in X decides. Where their order means something (an
        ordered categorical of pandas), thresholds split the codes 0, 1, ... Text that is mostly
        numbers is refused.
    y : (m,) or (m, 1) array-like, or str
        Labels of one kind: whole numbers, booleans or text, any number of classes. For
        ``"squared"``, finite numbers. Or the name of the column of a data frame that holds them;
        a `Dataset` in the place of X needs none.
    cost : "gini", "entropy", "error", "sqrt" or "squared", criterion or function
        See `dtviz.core.cart.criteria`; "squared" is regression. A function of your own takes an
        array of shares of one class and returns G of each: finite, concave, ``G(q) = G(1-q)``,
        ``G(0) = 0``. With several classes the cost is half the sum of ``G(p_k)``.
    max_leaves : int >= 1, optional
        Cut the path when its tree has this many leaves.
    feature_names : sequence of d strings, optional
        What text and pictures call the features; by default the columns of a data frame.
    class_names : sequence of strings, or mapping from labels to strings, optional
        What text and pictures call the classes, a sequence in the order of the sorted labels;
        ``predict`` answers with the labels.
    sample_weight : (m,) array-like, optional
        How much each example counts, finite numbers >= 0, not all 0. An example of weight 2 counts
        as two; one of weight 0 as none, as if its row were not there. Weights that are no whole
        numbers are rounded to about the 2^-52th part of their sum.
    max_depth : int >= 0, optional
        Leaves at this depth are not split.
    min_samples_leaf : int >= 1
        A split leaves at least so many examples, whatever they weigh, on both sides.
    min_weight_fraction_leaf : float in [0, 1/2]
        A split leaves at least this share of the weight of all examples on both sides.
    min_impurity_decrease : float >= 0
        A leaf is not split where that takes less than this off the cost of the whole tree. In the
        unit of ``path.scores``: for entropy half of scikit-learn's.

    Returns
    -------
    ImpurityPath

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.grow([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0]], ["no", "yes", "no"])
    >>> print(path.tree())
    x1 <= 2.5
    ├─ yes: yes
    └─ no: no

    An example that counts three times, and no leaf of fewer than two examples:

    >>> X, y = [[1], [2], [3], [4]], [0, 1, 0, 1]
    >>> print(dt.grow(X, y, sample_weight=[1, 3, 1, 1], min_samples_leaf=2).tree())
    x0 <= 2.5
    ├─ yes: 1
    └─ no: 0

    A cost of your own, in five lines:

    >>> import numpy as np
    >>> def wave(q):
    ...     return np.sin(np.pi * q) / 2
    >>> dt.grow(X, y, wave)
    <ImpurityPath: 3 splits, wave 0.5 -> 0>

    Categories and a missing value:

    >>> X = [["red", 1], ["blue", 2], ["green", None], ["red", 4], ["green", 5]]
    >>> print(dt.grow(X, [1, 0, 1, 1, 0], feature_names=["color", "size"]).tree())
    color is not red
    ├─ yes: size is missing
    │  ├─ yes: 1
    │  └─ no: 0
    └─ no: 1
    """
    share = as_real(
        "min_weight_fraction_leaf", min_weight_fraction_leaf, "[0, 1/2]", lambda s: 0 <= s <= 0.5
    )
    if isinstance(X, Dataset) and y is None and class_names is None:
        class_names = dict(enumerate(X.class_names))  # a part of the rows may lack a class
    X, y, feature_names, class_names = read_handed(X, y, feature_names, class_names)
    read = partial(Inputs, feature_names=feature_names, allowed=True, copy=False)
    target, inputs = read_examples(read, X, y, cost, sample_weight, share)
    max_steps = target.m - 1
    if max_leaves is not None:
        max_steps = min(max_steps, as_integer("max_leaves", max_leaves, 1) - 1)
    deepest = max_steps
    if max_depth is not None:
        deepest = min(deepest, as_integer("max_depth", max_depth, 0) - 1)
    fewest = as_integer("min_samples_leaf", min_samples_leaf, 1)
    least = as_real(
        "min_impurity_decrease", min_impurity_decrease, "[0, inf)", lambda a: 0 <= a < math.inf
    )
    labels = None if target.classes is None else tuple(target.classes.tolist())
    names = replace(inputs.names, labels=labels).with_classes(class_names)
    table = Columns(inputs, fewest)
    full = _find_splits(table, target, max_steps, deepest, least)
    path = _build_path(full, target, names, max_steps)
    object.__setattr__(path, "n_features", inputs.columns.shape[0])
    if inputs.columns.base is not None:
        # X may change. A copy comes when the scan has given its room back.
        keys = table.features.keys
        inputs.columns = inputs.columns.copy() if keys is None else keys
    weights = sample_weight
    if isinstance(weights, Weights):
        weights = weights.whole * weights.unit
    elif weights is not None:
        weights = np.array(weights, dtype=np.float64)
    given = GrowthExamples(inputs, np.array(as_given(y)), weights, cost, fewest, share)
    object.__setattr__(path, "grown_on", given)
    return path


def read_examples(  # noqa: PLR0913, PLR0917 -- what `grow` is given
    read: Callable[[Any], Inputs],
    X: Any,
    y: Any,
    cost: Cost,
    sample_weight: Any,
    share: float = 0.0,
) -> tuple[Target, Inputs]:
    """The labels to grow by, and the inputs: those of the rows that weigh something.

    A cut has at least this share of all weights on each side.
    """
    inputs = read(X)
    m = inputs.columns.shape[1]
    is_squared = isinstance(cost, str) and cost == "squared"
    criterion = None if is_squared else as_criterion(cost, others=("squared",))
    classes, codes, numbers = np.empty(0), np.empty(0, dtype=np.intp), np.empty(0)
    if criterion is None:
        numbers = as_real_labels(y, m)
    else:
        classes, codes = as_classes(y, m, hint=REGRESSION)
        criterion.check_classes(classes.size)
        _warn_of_ids(classes.size, m)
    weights = read_weights(sample_weight, m)
    rows = np.flatnonzero(weights.whole)
    if rows.size < m:
        inputs, weights = read(take_rows(X, rows)), weights._replace(whole=weights.whole[rows])
        if criterion is None:
            numbers = numbers[rows]
        else:
            kept, codes = np.unique(codes[rows], return_inverse=True)
            classes = classes[kept]
    if criterion is None:
        return NumberTarget(numbers, weights.whole, share), inputs
    return ClassTarget(codes, classes, criterion, weights, share), inputs


def _warn_of_ids(c: int, m: int) -> None:
    """Warn the caller of this package where nearly every one of many rows has its own label."""
    if c < MANY_LABELS or c < 0.9 * m:
        return
    level, frame = 1, inspect.currentframe()
    while frame and str(frame.f_globals.get("__name__")).startswith("dtviz."):
        level, frame = level + 1, frame.f_back
    msg = (
        f"y looks like an id, with {c} different labels in {m} rows: only a class that comes again "
        'can be learned (numbers are predicted by cost="squared", or by TopDownRegressor)'
    )
    warnings.warn(msg, UserWarning, stacklevel=level)


# -- level by level, then best-first ---------------------------------------------------------------


@dataclass
class _Full:
    """The tree with all splits that may be wanted, level by level, each left to right.

    Children stand side by side; ``low`` is the first of them, or 0 where they were not looked for.
    """

    summary: Array
    variable: Ints
    threshold: Floats
    low: Ints
    drop: Floats
    way: npt.NDArray[np.int8]
    """Whether missing values go low, 1 or 0; -1 where none was missing."""
    subsets: dict[int, frozenset[int]]


def _find_splits(
    columns: Columns, target: Target, max_steps: int, deepest: int, decrease: float
) -> _Full:
    """Find the splits of every leaf that can be split and may be a leaf after the given steps.

    None is deeper than ``deepest``, and none takes less than ``decrease`` off the cost.
    """
    level = Level.root(columns.features)
    summary = target.summary(*level.members, 1)
    number = np.zeros(1, dtype=np.intp)
    summaries, found, known = [summary], list[Any](), list[Any]()
    frontier = _Frontier(max_steps, DROP_TIE * float(target.cost(summary)[0]))
    n_nodes = 1
    live, least = target.is_impure(summary), np.full(1, np.inf)
    is_full = columns.is_plain and deepest == target.m - 1 and decrease == 0
    while live.any() and level.depth <= deepest:
        if is_full and isinstance(target, ClassTarget) and is_small(level, target):
            splits, below = split_small(level, target, summary, number, n_nodes)
            found.append(splits)
            summaries.append(below)
            n_nodes += len(below)
            break
        columns.arrange(level, target)
        cuts = target.cuts(level, summary)
        split = np.flatnonzero(cuts.feature >= 0)
        n = split.size
        if n == 0:
            break
        rows, child, way = _part_rows(level, columns, cuts)
        below = target.summary(rows, child, 2 * n)
        drop = target.drops(summary[split], below)
        least = np.minimum(least[split], drop)
        pays = np.flatnonzero(drop >= decrease)
        opened = np.zeros(n, dtype=np.bool_)
        opened[pays] = frontier.opens(least[pays], drop[pays])
        order, born = _number_children(opened, number[split], n_nodes)
        n_nodes += 2 * order.size
        summaries.append(below[np.array([order, n + order]).T.ravel()])
        paying = split[pays]
        tests = columns.of[cuts.feature[paying]], cuts.threshold[paying]
        found.append((number[paying], *tests, born[0, pays], drop[pays]))
        if way is not None:
            known.append(columns.find_sets(cuts, paying, number[paying], way[pays]))
        live = target.is_impure(below) & np.concatenate([opened, opened])
        number, least = born.ravel()[live], np.concatenate([least, least])[live]
        summary = below[live]
        parent = np.concatenate([split, split])[live]
        goes = _assign_rows(live, rows, child, target.m)
        del rows, child  # The next scan has the room.
        level = level.descend(goes, target.size(summary), parent, int(np.count_nonzero(live[:n])))
    return _collect(summaries, found, known, n_nodes)


def _part_rows(level: Level, columns: Columns, cuts: Cuts) -> tuple[Array, Ints, Any]:
    """The rows of the n nodes that are split, the child of each, and the way of missing values.

    Child j is the low and child n + j the high one of the j-th node with a split.
    """
    inner = cuts.feature >= 0
    rows, owner = level.members
    if not inner.all():
        inside = np.flatnonzero(inner[owner])
        rows, owner = rows[inside], owner[inside]
    features = columns.features
    values = features.columns if features.keys is None else features.keys
    across, along = (stride // values.itemsize for stride in values.strides)
    cell = np.multiply(rows, along, dtype=np.intp)
    cell += (across * cuts.feature).take(owner)
    value = values.ravel(order="K").take(cell)
    child: Ints = (inner.cumsum() - 1).take(owner)
    way = None if columns.is_plain else columns.ways(cuts.feature[inner], value, child)
    n = int(np.count_nonzero(inner))
    np.add(child, n, out=child, where=value > cuts.threshold.take(owner))
    return rows, child, way


def _number_children(
    opened: npt.NDArray[np.bool_], number: Ints, n_nodes: int
) -> tuple[Ints, Ints]:
    """The opened of n nodes from left to right, and the numbers of the children, ``(2, n)``.

    The two of a node are side by side.
    """
    order: Ints = np.flatnonzero(opened)[number[opened].argsort()]
    born = np.zeros((2, opened.size), dtype=np.intp)
    born[:, order] = n_nodes + np.arange(2 * order.size).reshape(-1, 2).T
    return order, born


def _assign_rows(live: npt.NDArray[np.bool_], rows: Array, child: Array, m: int) -> Array:
    """Which of the children that go on each of m rows comes to, their number where it is none."""
    n = int(np.count_nonzero(live))
    rank = np.where(live, live.cumsum() - 1, n).astype(smallest(n))
    goes = np.full(m, n, dtype=rank.dtype)
    goes[rows] = rank[child]
    return goes


class _Frontier:
    """Which nodes may be split within so many steps, as the drops become known level by level.

    Call the least drop on the way from the root to a node, its own included, its worth. Best-first
    growth splits all nodes of more worth before one of less, since that one waits behind a smaller
    drop than any of them has on its way. So if as many nodes as there are steps are worth more than
    a node, by more than a ``tie``, it is not split, and its children need not be looked at. Of
    equal worth 0 the shallower node comes first.
    """

    def __init__(self, steps: int, tie: float) -> None:
        self.steps, self.tie = steps, tie
        self.most: Floats = np.empty(0)

    def opens(self, worth: Floats, drop: Floats) -> npt.NDArray[np.bool_]:
        """Of the nodes of the next level, those that may be split."""
        if self.most.size + worth.size < self.steps:
            self.most = np.concatenate([self.most, worth])
            return np.ones(worth.size, dtype=np.bool_)
        above = self._floor()
        most = np.sort(np.concatenate([self.most, worth]))
        self.most = most[max(most.size - self.steps, 0) :]
        opens: npt.NDArray[np.bool_] = worth >= self._floor() - self.tie
        if above == 0:
            opens &= drop > 0
        return opens

    def _floor(self) -> float:
        if self.steps == 0:
            return np.inf
        return float(self.most[0]) if self.most.size == self.steps else -np.inf


def _collect(summaries: list[Array], found: list[Any], known: list[Any], n_nodes: int) -> _Full:
    variable = np.full(n_nodes, -1, dtype=np.intp)
    threshold, drop = np.full(n_nodes, 0.5), np.zeros(n_nodes)
    low = np.zeros(n_nodes, dtype=np.intp)
    for place, features, thresholds, lows, drops in found:
        variable[place], threshold[place], drop[place] = features, thresholds, drops
        low[place] = lows
    way = np.full(n_nodes, -1, dtype=np.int8)
    subsets: dict[int, frozenset[int]] = {}
    for place, ways, sets in known:
        way[place] = ways
        subsets |= sets
    threshold[list(subsets)] = 0.5
    whole = np.concatenate(summaries)
    return _Full(whole, variable, threshold, low, drop, way, subsets)


def _order_splits(full: _Full, cost: Floats) -> Ints:
    """All nodes with a split by their drops, the largest first.

    Of tied drops, each within the tolerance of the next, by the number of the node: it follows its
    depth, then its place from the left.
    """
    inner = np.flatnonzero(full.variable >= 0)
    order: Ints = inner[(-full.drop[inner]).argsort(kind="stable")]
    drop, tie = full.drop[order], DROP_TIE * cost[order]
    rank = np.zeros_like(order)
    rank[1:] = (drop[:-1] - drop[1:] > np.maximum(tie[:-1], tie[1:])).cumsum()
    return order[np.lexsort((order, rank))]


def _build_path(full: _Full, target: Target, names: Names, max_steps: int) -> ImpurityPath:
    """Take the splits in the order of their drops, and number nodes as they are created."""
    drop, low = full.drop.tolist(), full.low.tolist()
    splits = (full.variable >= 0).tolist()
    cost = target.cost(full.summary)
    ordered = _order_splits(full, cost)
    turn = np.zeros_like(full.low)
    turn[ordered] = np.arange(ordered.size)
    turns, nodes = turn.tolist(), ordered.tolist()
    queue = [turns[0]] if splits[0] else []
    order: list[int] = []
    while queue and len(order) < max_steps:
        node = nodes[heapq.heappop(queue)]
        order.append(node)
        for child in (low[node], low[node] + 1):
            if splits[child]:
                heapq.heappush(queue, turns[child])
    split = np.array(order, dtype=np.intp)
    place = np.zeros(2 * split.size + 1, dtype=np.intp)
    place[1::2] = full.low[split]
    place[2::2] = full.low[split] + 1
    created = np.zeros(full.low.size, dtype=np.intp)
    created[place] = np.arange(place.size)
    summary = full.summary[place]
    weight, way = target.weight(summary), full.way[split]
    of_step = {step: full.subsets[node] for step, node in enumerate(order) if node in full.subsets}
    return ImpurityPath(
        split_node=created[split],
        split_variable=full.variable[split],
        split_threshold=full.threshold[split],
        node_value=target.value(summary),
        node_probability=weight / target.total,
        node_error=target.error(summary),
        node_cost=cost[place],
        node_score=full.drop[place],
        node_variable=full.variable[place],
        final_score=drop[nodes[queue[0]]] if queue else 0.0,
        rounding=ROUNDING,
        cost_name=target.cost_name,
        classes=target.classes,
        class_counts=target.counts(summary),
        node_examples=target.size(summary),
        split_missing=np.where(way < 0, weight[1::2] > weight[2::2], way > 0),
        subsets=MappingProxyType(of_step),
        names=names,
    )
