"""Decision trees: immutable, flat, and the same for Boolean and real-valued inputs.

A tree is four arrays in preorder (a node, then its low subtree, then its high subtree), so a tree
of a million leaves or of depth ten thousand needs no recursion. A node tests ``x_i <= threshold``;
on bits the threshold is 1/2 and the low branch is ``x_i = 0``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean import MAX_VARIABLES, BooleanFunction, ProductDistribution
from dtviz.core.checks import as_array, as_integer, as_real, shown
from dtviz.core.examples import coded_rows
from dtviz.core.immutable import Immutable, frozen
from dtviz.core.measures import checked_distribution, checked_function
from dtviz.core.names import Names
from dtviz.core.pictured import Pictured
from dtviz.core.preorder import low_and_high
from dtviz.core.rendering import to_columns, to_dot, to_text
from dtviz.core.tolerances import ROUNDING

if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["Tree", "checked_tree", "one_is_likelier"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

_MAX_INDEX = 2**31 - 1


class Tree(Immutable, Pictured):
    """A binary decision tree. Build one with `Tree.leaf`, `Tree.split`, or let an algorithm do it.

    Attributes
    ----------
    variable : (n_nodes,) int array
        The variable a node tests, -1 at a leaf. Nodes are in preorder.
    threshold : (n_nodes,) float array
        The low branch takes ``x_i <= threshold``; 0.5 for a test of a bit.
    low, high : (n_nodes,) int arrays
        Index of each child, -1 at a leaf. ``low`` is the branch ``x_i = 0``.
    value : (n_nodes,) array, or None
        The label of each leaf (0 at internal nodes). None for a *bare* tree, whose leaves
        carry no labels (claim BLT-DEF-BARE).
    names : Names
        What text and pictures call the variables. It makes no difference to equality.

    Examples
    --------
    >>> import dtviz as dt
    >>> tree = dt.Tree.split(0, dt.Tree.leaf(0), dt.Tree.split(1, dt.Tree.leaf(0), dt.Tree.leaf(1)))
    >>> print(tree)
    x0
    ├─ 0: 0
    └─ 1: x1
       ├─ 0: 0
       └─ 1: 1
    >>> tree.predict([[1, 1], [1, 0]]).tolist()
    [1, 0]
    """

    variable: Ints
    threshold: Floats
    low: Ints
    high: Ints
    value: npt.NDArray[Any] | None
    names: Names

    def __init__(
        self,
        variable: npt.ArrayLike,
        value: npt.ArrayLike | None = None,
        threshold: npt.ArrayLike | None = None,
        names: Names | None = None,
    ) -> None:
        variables = _as_array(variable)
        if variables.ndim != 1 or variables.size == 0 or variables.dtype.kind not in "iu":
            msg = f"variable must be a flat, non-empty sequence of integers, got {shown(variable)}"
            raise ValueError(msg)
        wrong = (variables < -1) | (variables > _MAX_INDEX)
        if wrong.any():
            msg = (
                f"variable must be from 0 to {_MAX_INDEX}, or -1 at a leaf, "
                f"got {int(variables[wrong][0])}"
            )
            raise ValueError(msg)
        variables = variables.astype(np.intp)
        low, high = low_and_high(variables)
        inner = variables >= 0
        thresholds = np.full(variables.size, 0.5)
        if threshold is not None:
            # Adding 0 turns -0.0 into 0.0: equal trees must have equal hashes.
            thresholds[inner] = _checked_thresholds(threshold, inner)[inner] + 0.0
        vars(self).update(
            variable=frozen(variables),
            threshold=frozen(thresholds),
            low=frozen(low),
            high=frozen(high),
            value=None if value is None else frozen(_checked_labels(value, inner)),
            names=_checked_wording(names, int(variables.max())),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Tree, (self.variable, self.value, self.threshold, self.names)

    @classmethod
    def leaf(cls, value: object = None) -> Tree:
        """A single leaf; without a label the tree is bare.

        Raises
        ------
        ValueError
            If ``value`` is more than one label.
        """
        if value is not None and _as_array([value]).shape != (1,):
            msg = f"value must be one label, got {shown(value)}"
            raise ValueError(msg)
        return cls([-1], None if value is None else np.array([value]))

    @classmethod
    def split(cls, variable: int, low: Tree, high: Tree, threshold: float = 0.5) -> Tree:
        """A root that tests ``x_variable <= threshold``: ``low`` if so, else ``high``.

        Raises
        ------
        ValueError
            If ``variable`` is no integer >= 0, ``threshold`` not finite, a child no Tree, just one
            of them bare, or their labels of different kinds, numbers and others.
        """
        variable = as_integer("variable", variable, 0, _MAX_INDEX)
        children: tuple[tuple[str, object], ...] = (("low", low), ("high", high))
        for name, child in children:
            if not isinstance(child, Tree):
                msg = f"{name} must be a Tree, got {shown(child)}"
                raise ValueError(msg)
        if low.is_bare != high.is_bare:
            msg = "low and high must both be bare trees or both be labelled"
            raise ValueError(msg)
        threshold = as_real("threshold", threshold, "(-inf, inf), finite", math.isfinite)
        value = None
        if low.value is not None and high.value is not None:
            if (low.value.dtype.kind in "biuf") != (high.value.dtype.kind in "biuf"):
                msg = (
                    "low and high must have labels of one kind, numbers or not, "
                    f"got {low.value[-1]!r} and {high.value[-1]!r}"
                )
                raise ValueError(msg)
            value = np.concatenate([low.value[:1], low.value, high.value])
        return cls(
            np.concatenate([[variable], low.variable, high.variable]),
            value,
            np.concatenate([[threshold], low.threshold, high.threshold]),
        )

    # -- shape ---------------------------------------------------------------------------------

    @property
    def is_bare(self) -> bool:
        """Whether the leaves carry no labels."""
        return self.value is None

    @property
    def is_boolean(self) -> bool:
        """Whether every test splits 0 from 1."""
        inner = self.variable >= 0
        return bool(((self.threshold[inner] >= 0) & (self.threshold[inner] < 1)).all())

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves and internal: always ``2 n_leaves - 1``."""
        return int(self.variable.size)

    @property
    def n_leaves(self) -> int:
        """Number of leaves, the book's *size*."""
        return (self.n_nodes + 1) // 2

    @cached_property
    def leaves(self) -> Ints:
        """The node index of every leaf, left to right."""
        return frozen(np.flatnonzero(self.variable < 0))

    @cached_property
    def levels(self) -> tuple[Ints, ...]:
        """The node indices at depth 0, 1, 2, ..., each left to right."""
        levels = [frozen(np.zeros(1, dtype=np.intp))]
        while True:
            inner = levels[-1][self.variable[levels[-1]] >= 0]
            if inner.size == 0:
                return tuple(levels)
            levels.append(frozen(np.column_stack([self.low[inner], self.high[inner]]).ravel()))

    @property
    def depth(self) -> int:
        """The number of tests on the longest path."""
        return len(self.levels) - 1

    @cached_property
    def node_depth(self) -> Ints:
        """The depth of every node."""
        depth = np.empty(self.n_nodes, dtype=np.intp)
        for d, level in enumerate(self.levels):
            depth[level] = d
        return frozen(depth)

    @cached_property
    def node_rank(self) -> Ints:
        """The Ehrenfeucht-Haussler rank of the subtree at every node (claim EH-DEF-RANK).

        0 at a leaf; the larger of the children's ranks, or one more when they are equal.
        """
        rank = np.zeros(self.n_nodes, dtype=np.intp)
        for level in reversed(self.levels):
            inner = level[self.variable[level] >= 0]
            a, b = rank[self.low[inner]], rank[self.high[inner]]
            rank[inner] = np.maximum(a, b) + (a == b)
        return frozen(rank)

    @property
    def rank(self) -> int:
        """The Ehrenfeucht-Haussler rank of the tree, also known as its Strahler number."""
        return int(self.node_rank[0])

    def reach(self, mu: ProductDistribution | None = None) -> npt.NDArray[np.float64]:
        """The probability that a random input reaches each node; no mu means uniform bits.

        A variable tested twice on a path is counted once. Needs a tree of Boolean tests.

        Raises
        ------
        ValueError
            If a test is not of a bit, or ``mu`` is no distribution on every variable that the tree
            tests.
        """
        self._needs_boolean("reach")
        if mu is not None and not isinstance(mu, ProductDistribution):
            msg = f"mu must be a ProductDistribution, got {shown(mu)}"
            raise ValueError(msg)
        highest = int(self.variable.max())
        if mu is not None and mu.n <= highest:
            msg = f"mu must cover variable x{highest} of the tree, got {mu.n} probabilities"
            raise ValueError(msg)
        inside = self.variable >= 0
        tested, place = np.unique(self.variable[inside], return_inverse=True)
        column = np.zeros(self.n_nodes, dtype=np.intp)
        column[inside] = place
        p = np.full(tested.size, 0.5) if mu is None else mu.p[tested]
        probability = np.ones(self.n_nodes)
        # What a node knows of each variable that the tree tests: 0, 1, or nothing yet.
        known = np.full((1, tested.size), -1, dtype=np.int8)
        for level in self.levels[:-1]:
            inner, known = level[inside[level]], known[inside[level]]
            i = column[inner]
            row = np.arange(inner.size)
            seen = known[row, i]
            high = np.where(seen < 0, p[i], seen)
            probability[self.low[inner]] = probability[inner] * (1 - high)
            probability[self.high[inner]] = probability[inner] * high
            known = np.repeat(known, 2, axis=0)
            known[2 * row, i] = np.where(seen < 0, 0, seen)
            known[2 * row + 1, i] = np.where(seen < 0, 1, seen)
        return probability

    def average_depth(self, mu: ProductDistribution | None = None) -> float:
        """The mean number of tests on a random input; no mu means uniform bits.

        Raises
        ------
        ValueError
            As for `Tree.reach`.
        """
        return float(self.reach(mu)[self.variable >= 0].sum())

    def paths(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each leaf, left to right, the tests leading to it as ``(variable, branch)`` pairs."""
        found: list[tuple[tuple[int, int], ...]] = []
        stack: list[tuple[int, tuple[tuple[int, int], ...]]] = [(0, ())]
        while stack:
            node, path = stack.pop()
            i = int(self.variable[node])
            if i < 0:
                found.append(path)
            else:
                stack.append((int(self.high[node]), (*path, (i, 1))))
                stack.append((int(self.low[node]), (*path, (i, 0))))
        return tuple(found)

    # -- use -----------------------------------------------------------------------------------

    def apply(self, X: npt.ArrayLike) -> Ints:
        """The leaf (node index) that each row of ``X`` reaches, an ``(m,)`` array.

        ``X`` is an ``(m, d)`` array of numbers or a data frame, ``d`` larger than every tested
        variable. Where the tree was grown on text, ``X`` may have that text, or its codes.
        ValueError if values are missing, of another kind or not of the tree's categories, or if a
        data frame has the tree's features in another order.
        """
        rows = _as_array(coded_rows(X, self.names))
        if rows.ndim != 2 or rows.dtype.kind not in "biuf":
            msg = f"X must be a 2-dimensional array of numbers, got {shown(X)}"
            raise ValueError(msg)
        highest = int(self.variable.max())
        if rows.shape[1] <= highest:
            msg = f"X must have a column for x{highest}, got {rows.shape[1]} columns"
            raise ValueError(msg)
        if rows.dtype.kind == "f" and np.isnan(rows).any():
            msg = f"X must not contain NaN, got one in row {int(np.isnan(rows).any(1).argmax())}"
            raise ValueError(msg)
        return self._descend(np.arange(len(rows)), lambda row, i: rows[row, i])

    def _descend(self, row: Ints, entry: Any) -> Ints:
        node = np.zeros(row.size, dtype=np.intp)
        active = row if self.variable[0] >= 0 else row[:0]
        while active.size:
            here = node[active]
            i = self.variable[here]
            high = entry(active, i) > self.threshold[here]
            here = np.where(high, self.high[here], self.low[here])
            node[active] = here
            active = active[self.variable[here] >= 0]
        return node

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """The label of each row of ``X``, an ``(m,)`` array; see `apply` for ``X``.

        Raises
        ------
        ValueError
            If the tree is bare, or as for `Tree.apply`.
        """
        return self._labels("predict")[self.apply(X)]

    def __call__(self, x: SupportsIndex | Sequence[Any] | npt.NDArray[Any]) -> Any:
        """The label of one input: a sequence of values, or the index of a point of the cube."""
        width = int(self.variable.max()) + 1
        if isinstance(x, (int, np.integer)):
            self._needs_boolean("an index")
            index = as_integer("x", x, 0)
            x = [(index >> i) & 1 for i in range(width)]
        point = _as_array(x)
        if point.ndim != 1:
            shape = f"shape {point.shape}" if point.ndim else shown(x)
            msg = f"x must be one input: an index or a flat sequence, got {shape}"
            raise ValueError(msg)
        if point.size < width:
            msg = f"x must have a value for x{width - 1}, got {point.size} values: {shown(x)}"
            raise ValueError(msg)
        if self.names.categories and point.dtype.kind not in "biuf":
            point = _as_array(coded_rows([x], self.names))[0]
        if point.size and (point.dtype.kind not in "biuf" or np.isnan(point).any()):
            msg = f"x must be numbers, none of them NaN, got {shown(x)}"
            raise ValueError(msg)
        return self.predict(point[None, :].astype(np.float64)).tolist()[0]

    def apply_cube(self, n: int) -> Ints:
        """The leaf (node index) that every point of {0,1}^n reaches, in truth-table order.

        Raises
        ------
        ValueError
            If a test is not of a bit, or ``n`` no integer from the number of variables that the
            tree needs to ``MAX_VARIABLES``.
        """
        self._needs_boolean("apply_cube")
        highest = int(self.variable.max())
        if highest >= MAX_VARIABLES:
            msg = f"variable must be below {MAX_VARIABLES} to tabulate a tree, got x{highest}"
            raise ValueError(msg)
        n = as_integer("n", n, highest + 1, MAX_VARIABLES)
        return self._descend(np.arange(1 << n), lambda x, i: (x >> i) & 1)

    def apply_points(self, f: BooleanFunction) -> Ints:
        """The leaf that every input of f reaches; f needs every variable that the tree tests.

        Raises
        ------
        ValueError
            If a test is not of a bit, ``f`` is no BooleanFunction, or lacks a variable that the
            tree tests.
        """
        highest = int(self.variable.max())
        if checked_function(f).n <= highest:
            msg = f"f must have the variable x{highest} that the tree tests, got n = {f.n}"
            raise ValueError(msg)
        return self.apply_cube(f.n)

    def function(self, n: int) -> BooleanFunction:
        """The Boolean function of ``n`` variables that the labelled tree computes.

        Raises
        ------
        ValueError
            If the tree is bare, a label is not 0 or 1, or as for `Tree.apply_cube`.
        """
        labels = self._labels("function")
        if labels.dtype.kind not in "biuf" or not np.isin(labels, (0, 1)).all():
            msg = f"value must be 0 or 1 at every leaf, got {shown(labels[self.leaves].tolist())}"
            raise ValueError(msg)
        return BooleanFunction(n, labels[self.apply_cube(n)])

    def bare(self) -> Tree:
        """The same tree without labels."""
        return self._relabelled(None)

    def complete(self, f: BooleanFunction, mu: ProductDistribution | None = None) -> Tree:
        """The f-completion: each leaf labelled by the likelier value of f there (BLT-STOP).

        A tie is labelled 0.

        Raises
        ------
        ValueError
            As for `Tree.leaf_masses`.
        """
        zeros, ones = self.leaf_masses(f, mu)
        value = np.zeros(self.n_nodes, dtype=np.intp)
        value[self.leaves] = one_is_likelier(zeros, ones)
        return self._relabelled(value)

    def leaf_masses(
        self, f: BooleanFunction, mu: ProductDistribution | None = None
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Per leaf, left to right: the probability of the leaf with ``f = 0``, and with ``f = 1``.

        Both are sums of their own: a difference would lose what is improbable.

        Raises
        ------
        ValueError
            As for `Tree.apply_points`, or if ``mu`` is no distribution on the variables of f.
        """
        leaf = self.apply_points(f)
        weights = (
            np.full(1 << f.n, 0.5**f.n) if mu is None else checked_distribution(mu, f.n).weights()
        )
        place = 2 * leaf + f.table
        masses = np.bincount(place, weights, minlength=2 * self.n_nodes).astype(np.float64)
        return masses[2 * self.leaves], masses[2 * self.leaves + 1]

    def _relabelled(self, value: npt.NDArray[Any] | None) -> Tree:
        return Tree(self.variable, value, self.threshold, self.names)

    def _labels(self, user: str) -> npt.NDArray[Any]:
        if self.value is None:
            msg = f"{user} needs a labelled tree, this one is bare; complete(f) labels it"
            raise ValueError(msg)
        return self.value

    def _needs_boolean(self, user: str) -> None:
        if not self.is_boolean:
            msg = f"{user} needs tests of bits (thresholds in [0, 1)), this tree has others"
            raise ValueError(msg)

    # -- comparison and export -------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        same_labels = (self.value is None) == (other.value is None)
        if self.value is not None and other.value is not None:
            same_labels = np.array_equal(self.value, other.value)
        return (
            same_labels
            and np.array_equal(self.variable, other.variable)
            and np.array_equal(self.threshold, other.threshold)
        )

    def __hash__(self) -> int:
        labels = None if self.value is None else tuple(self.value.tolist())
        return hash((self.variable.tobytes(), self.threshold.tobytes(), labels))

    def named(self, names: Names | Iterable[str] | None) -> Tree:
        """The same tree with other names of its variables: ``Names``, or a string for each.

        Raises
        ------
        ValueError
            If ``names`` does not name every variable that the tree tests.
        """
        if names is None or isinstance(names, Names):
            return Tree(self.variable, self.value, self.threshold, names)
        return Tree(self.variable, self.value, self.threshold, self._wording(names))

    def _wording(self, names: Iterable[str] | None) -> Names:
        """The tree's own names, or others in their place."""
        if names is None:
            return self.names
        highest = int(self.variable.max())
        try:
            given = [] if isinstance(names, str) else list(names)
        except TypeError:
            given = []
        if not all(isinstance(name, str) for name in given) or len(given) <= highest:
            msg = f"names must be a list of strings, one for each of x0 .. x{highest}, "
            raise ValueError(msg + f"got {len(given)} names: {shown(names)}")
        return self.names.renamed(given) if given else self.names

    def branches(self, node: int) -> tuple[str, str]:
        """What the low and the high branch of an internal node are called."""
        return self.names.branches(int(self.variable[node]), float(self.threshold[node]))

    def to_text(self, names: Iterable[str] | None = None, max_depth: int | None = None) -> str:
        """The tree as an indented drawing, one node a line; ``?`` marks an unlabelled leaf.

        ``names`` replaces ``x0, x1, ...`` or the tree's own names; below ``max_depth`` a subtree is
        one line, counted.

        Raises
        ------
        ValueError
            If ``names`` does not name every variable that the tree tests, ``max_depth`` is no
            integer >= 0, or the text has more than 20,000,000 characters.
        """
        if max_depth is not None:
            max_depth = as_integer("max_depth", max_depth, 0)
        return to_text(self, self._wording(names), max_depth)

    @cached_property
    def leaves_below(self) -> Ints:
        """The number of leaves in the subtree at every node."""
        count = np.ones(self.n_nodes, dtype=np.intp)
        for level in reversed(self.levels):
            inner = level[self.variable[level] >= 0]
            count[inner] = count[self.low[inner]] + count[self.high[inner]]
        return frozen(count)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        kind = "bare " if self.is_bare else ""
        return f"<{kind}Tree: {self.n_leaves} leaves, depth {self.depth}>"

    def to_dot(self, names: Iterable[str] | None = None) -> str:
        """The tree as a Graphviz DOT digraph.

        Raises
        ------
        ValueError
            If ``names`` does not name every variable that the tree tests.
        """
        return to_dot(self, self._wording(names))

    def to_dict(self) -> dict[str, Any]:
        """The tree as lists in preorder, fit for JSON: ``variable``, ``threshold``, ``value``.

        Preorder with -1 at the leaves determines the shape. A tree that has names of its own has
        them under ``names``: ``features``, ``bits`` and ``categories``. `from_dict` reads it back.
        """
        data: dict[str, Any] = {**to_columns(self)} | ({"value": None} if self.is_bare else {})
        return data if self.names == Names() else {**data, "names": self.names.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Tree:
        """Read what `to_dict` wrote. Raises ValueError if the lists do not form one tree."""
        if not isinstance(data, Mapping):
            msg = f"data must be a dict as to_dict makes it, got {shown(data)}"
            raise ValueError(msg)
        missing = {"variable", "threshold", "value"} - set(data)
        if missing:
            msg = f"data must have the keys variable, threshold, value; missing {sorted(missing)}"
            raise ValueError(msg)
        names = None if data.get("names") is None else Names.from_dict(data["names"])
        return cls(data["variable"], data["value"], data["threshold"], names)


def one_is_likelier(zeros: Floats, ones: Floats) -> npt.NDArray[np.bool_]:
    """Whether f = 1 is likelier than f = 0 at leaves of these masses; no tie is, up to rounding."""
    return ones > zeros * (1 + ROUNDING)


def _checked_wording(names: Names | None, highest: int) -> Names:
    if names is None:
        return Names()
    if not isinstance(names, Names):
        msg = f"names must be a Names, got {shown(names)}"
        raise ValueError(msg)
    if names.features is not None and len(names.features) <= highest:
        msg = f"names must name x0 .. x{highest}, got {len(names.features)} names"
        raise ValueError(msg)
    return names


def _as_array(values: Any) -> npt.NDArray[Any]:
    """Return the array of *values*; where there is none, one of shape (), which no rule accepts."""
    array = as_array(values)
    return np.array(None) if array is None else array


def _checked_labels(value: npt.ArrayLike, inner: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
    """Return a copy of the labels, 0 at internal nodes, or say which rule they break."""
    labels = _as_array(value).copy()
    if labels.shape != inner.shape:
        got = f"shape {labels.shape}" if labels.ndim else shown(value)
        msg = f"value must be flat with one entry per node ({inner.size}), got {got}"
        raise ValueError(msg)
    labels[inner] = np.zeros(1, dtype=labels.dtype)[0]
    if (labels != labels).any():  # noqa: PLR0124 -- only NaN differs from itself
        msg = f"value must not contain NaN, got {shown(value)}"
        raise ValueError(msg)
    return labels


def _checked_thresholds(
    threshold: npt.ArrayLike, inner: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """Return thresholds as floats, or say which rule they break."""
    array = _as_array(threshold)
    if array.shape != inner.shape:
        msg = f"threshold must have one per node ({inner.size}) in preorder, got {array.shape}"
        if array.ndim == 0:
            msg = f"threshold must be a flat sequence of numbers, got {shown(threshold)}"
        raise ValueError(msg)
    if array.dtype.kind not in "biuf" or not np.isfinite(array[inner].astype(np.float64)).all():
        msg = f"threshold must be finite numbers, got {shown(array[inner].tolist())}"
        raise ValueError(msg)
    return array.astype(np.float64)


def checked_tree(tree: object) -> Tree:
    """Return tree, or say that it is not one."""
    if not isinstance(tree, Tree):
        msg = f"tree must be a Tree, got {shown(tree)}"
        raise ValueError(msg)
    return tree
