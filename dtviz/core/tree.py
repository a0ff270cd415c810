"""Decision trees: immutable, flat, and the same for Boolean and real-valued inputs.

A tree is four arrays in preorder (a node, then its low subtree, then its high subtree), so a tree
of a million leaves or of depth ten thousand needs no recursion. A node tests ``x_i <= threshold``;
on bits the threshold is 1/2 and the low branch is ``x_i = 0``. A node may test instead whether a
code is one of a set, and may know a way for values that are missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dtviz.core.branching import (
    checked_missing,
    checked_subsets,
    checked_thresholds,
    descend,
    joined_ways,
)
from dtviz.core.checks import as_array, as_flag, as_integer, as_real, shown
from dtviz.core.data.examples import coded_rows
from dtviz.core.export import to_columns, to_dot, to_text
from dtviz.core.immutable import Immutable, frozen
from dtviz.core.names import Names
from dtviz.core.notebook_display import Pictured
from dtviz.core.on_the_cube import OnTheCube
from dtviz.core.preorder import low_and_high

if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["Tree", "checked_tree"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

_MAX_INDEX = 2**31 - 1


class Tree(OnTheCube, Immutable, Pictured):
    """A binary decision tree. Build one with `Tree.leaf`, `Tree.split`, or let an algorithm do it.

    Attributes
    ----------
    variable : (n_nodes,) int array
        The variable a node tests, -1 at a leaf. Nodes are in preorder.
    threshold : (n_nodes,) float array
        The low branch takes ``x_i <= threshold``; 0.5 for a test of a bit, and where there is a
        subset. -inf tests whether the value is missing, inf whether it is not.
    low, high : (n_nodes,) int arrays
        Index of each child, -1 at a leaf. ``low`` is the branch ``x_i = 0``.
    value : (n_nodes,) array, or None
        The label of each leaf (0 at internal nodes). None for a *bare* tree, whose leaves
        carry no labels (claim BLT-DEF-BARE).
    names : Names
        What text and pictures call the variables. It makes no difference to equality.
    missing : (n_nodes,) bool array, or None
        Where a missing value, NaN, takes the low branch; None if missing values are refused.
    subsets : mapping from int to frozenset of int
        Of nodes that test codes, by their number: the low branch takes the codes of the set, and
        the high branch every other value.
    is_regression : bool
        Whether it predicts numbers, not classes. A tree whose labels are not all whole is a
        regression tree; one whose labels happen to be whole is one if it was grown by squared loss,
        read from a regressor, or made with ``is_regression=True``. A bare tree is none.

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
    missing: npt.NDArray[np.bool_] | None
    subsets: Mapping[int, frozenset[int]]
    is_regression: bool

    def __init__(  # noqa: PLR0913, PLR0917 -- what it stores
        self,
        variable: npt.ArrayLike,
        value: npt.ArrayLike | None = None,
        threshold: npt.ArrayLike | None = None,
        names: Names | None = None,
        missing: npt.ArrayLike | None = None,
        subsets: Mapping[int, Iterable[int]] | None = None,
        *,
        is_regression: bool = False,
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
        ways = checked_missing(missing, inner)
        codes = checked_subsets({} if subsets is None else subsets, inner)
        thresholds = np.full(variables.size, 0.5)
        if threshold is not None:
            # Adding 0 turns -0.0 into 0.0: equal trees must have equal hashes.
            thresholds[inner] = checked_thresholds(threshold, inner, ways)[inner] + 0.0
            thresholds[list(codes)] = 0.5
        labels = None if value is None else frozen(_checked_labels(value, inner))
        vars(self).update(
            variable=frozen(variables),
            threshold=frozen(thresholds),
            low=frozen(low),
            high=frozen(high),
            value=labels,
            names=_checked_wording(names, int(variables.max())),
            missing=ways,
            subsets=codes,
            is_regression=_checked_kind(is_regression, labels),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(Tree, is_regression=self.is_regression)
        ways = self.missing, dict(self.subsets)
        return make, (self.variable, self.value, self.threshold, self.names, *ways)

    @classmethod
    def leaf(cls, value: object = None, *, is_regression: bool = False) -> Tree:
        """A single leaf; without a label the tree is bare. See `Tree` for ``is_regression``.

        Raises
        ------
        ValueError
            If ``value`` is more than one label, or none that a regression tree may have.
        """
        if value is not None and _as_array([value]).shape != (1,):
            msg = f"value must be one label, got {shown(value)}"
            raise ValueError(msg)
        labels = None if value is None else np.array([value])
        return cls([-1], labels, is_regression=is_regression)

    @classmethod
    def split(  # noqa: PLR0913 -- the last two are by keyword
        cls,
        variable: int,
        low: Tree,
        high: Tree,
        threshold: float = 0.5,
        *,
        subset: Iterable[int] | None = None,
        missing: bool | None = None,
    ) -> Tree:
        """A root that tests ``x_variable <= threshold``: ``low`` if so, else ``high``.

        With ``subset`` it tests whether the value is one of these codes instead. ``missing`` tells
        whether a missing value goes low; either all tests of a tree know a way, or none does. With
        a regression tree for a child it is one.

        Raises
        ------
        ValueError
            If ``variable`` is no integer >= 0, ``threshold`` not finite, a child no Tree, just one
            of them bare, their labels of different kinds, numbers and others, or some tests have a
            way for missing values and others not.
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
        ways = joined_ways(missing, low, high)
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
        subsets: dict[int, Iterable[int]] = {} if subset is None else {0: subset}
        subsets |= {node + 1: codes for node, codes in low.subsets.items()}
        subsets |= {node + 1 + low.n_nodes: codes for node, codes in high.subsets.items()}
        return cls(
            np.concatenate([[variable], low.variable, high.variable]),
            value,
            np.concatenate([[threshold], low.threshold, high.threshold]),
            missing=ways,
            subsets=subsets,
            is_regression=low.is_regression or high.is_regression,
        )

    # -- use -----------------------------------------------------------------------------------

    def apply(self, X: npt.ArrayLike) -> Ints:
        """The leaf (node index) that each row of ``X`` reaches, an ``(m,)`` array.

        ``X`` is an ``(m, d)`` array of numbers or a data frame, ``d`` the number of features where
        they have names, else larger than every tested variable. Where the tree was grown on text,
        ``X`` may have that text, or its codes. ValueError if it has another number of columns, if
        values are of another kind or not of the tree's categories, missing where the tree has no
        way for them, or if a data frame has the tree's features in another order.
        """
        rows = _as_array(coded_rows(X, self.names))
        if rows.ndim != 2 or rows.dtype.kind not in "biuf":
            msg = f"X must be a 2-dimensional array of numbers, got {shown(X)}"
            raise ValueError(msg)
        highest = int(self.variable.max())
        features = self.names.features
        if features is not None and rows.shape[1] != len(features):
            msg = f"X must have {len(features)} columns, {shown(features)}, got {rows.shape[1]}"
            raise ValueError(msg)
        if rows.shape[1] <= highest:
            msg = f"X must have a column for x{highest}, got {rows.shape[1]} columns"
            raise ValueError(msg)
        if self.missing is None and rows.dtype.kind == "f" and np.isnan(rows).any():
            msg = (
                f"X must not contain NaN, got one in row {int(np.isnan(rows).any(1).argmax())}: "
                "the tree has no way for missing values, none was missing where it was grown"
            )
            raise ValueError(msg)
        return descend(self, np.arange(len(rows)), lambda row, i: rows[row, i])

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
        if point.size and (
            point.dtype.kind not in "biuf" or (self.missing is None and np.isnan(point).any())
        ):
            msg = f"x must be numbers, none of them NaN, got {shown(x)}"
            raise ValueError(msg)
        return self.predict(point[None, :].astype(np.float64)).tolist()[0]

    def bare(self) -> Tree:
        """The same tree without labels."""
        return self.labelled(None)

    def labelled(self, value: npt.NDArray[Any] | None, names: Names | None = None) -> Tree:
        """The same tests with other labels, one for each node, and perhaps other names."""
        names = self.names if names is None else names
        return Tree(
            self.variable,
            value,
            self.threshold,
            names,
            self.missing,
            self.subsets,
            is_regression=self.is_regression,
        )

    def cut(self, at: npt.NDArray[np.bool_], kept: npt.NDArray[np.bool_], value: Any) -> Tree:
        """The tree in which the nodes of a mask have become leaves.

        ``kept`` tells which nodes are left then, and ``value`` their labels.
        """
        number = kept.cumsum() - 1
        stays = kept & ~at
        return Tree(
            np.where(at, -1, self.variable)[kept],
            value,
            self.threshold[kept],
            self.names,
            None if self.missing is None else self.missing[kept],
            {int(number[node]): codes for node, codes in self.subsets.items() if stays[node]},
            is_regression=self.is_regression,
        )

    def _labels(self, user: str) -> npt.NDArray[Any]:
        if self.value is None:
            msg = f"{user} needs a labelled tree, this one is bare; complete(f) labels it"
            raise ValueError(msg)
        return self.value

    # -- comparison and export -------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            _equal(self.value, other.value)
            and self.is_regression == other.is_regression
            and np.array_equal(self.variable, other.variable)
            and np.array_equal(self.threshold, other.threshold)
            and _equal(self.missing, other.missing)
            and self.subsets == other.subsets
        )

    def __hash__(self) -> int:
        labels = None if self.value is None else tuple(self.value.tolist())
        ways = None if self.missing is None else self.missing.tobytes()
        sets = frozenset(self.subsets.items())
        return hash((self.variable.tobytes(), self.threshold.tobytes(), labels, ways, sets))

    def named(self, names: Names | Iterable[str] | None) -> Tree:
        """The same tree with other names of its variables: ``Names``, or a string for each.

        Raises
        ------
        ValueError
            If ``names`` does not name every variable that the tree tests.
        """
        if names is None or isinstance(names, Names):
            return self.labelled(self.value, Names() if names is None else names)
        return self.labelled(self.value, self._wording(names))

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
        if node in self.subsets:
            return "yes", "no"
        return self.names.branches(int(self.variable[node]), float(self.threshold[node]))

    def condition(
        self,
        node: int,
        names: Names | Iterable[str] | None = None,
        at_most: str = "<=",
        digits: int = 6,
    ) -> str:
        """What holds on the low branch of an internal node, after the name of its feature.

        A threshold that is no short number is rounded to so many ``digits``.

        Raises
        ------
        ValueError
            If ``node`` is no internal node, ``names`` does not name every variable tested, or
            ``digits`` is no integer from 1 to 17.
        """
        node = as_integer("node", node, 0, self.n_nodes - 1)
        digits = as_integer("digits", digits, 1, 17)
        i, threshold = int(self.variable[node]), float(self.threshold[node])
        if i < 0:
            raise ValueError(f"node must be one that asks, got the leaf {node}")
        if not isinstance(names, Names):
            names = self._wording(names)
        if node in self.subsets:
            said = names.membership(i, self.subsets[node])
        else:
            said = names.condition(i, threshold, at_most, digits)
        tells = self.missing is not None and self.missing[node] and i in names.missing
        asks = said in (" is missing", " is not missing")
        return f"{said} or missing" if tells and not asks else said

    def to_text(self, names: Iterable[str] | None = None, max_depth: int | None = None) -> str:
        """The tree as an indented drawing, one node a line; ``?`` marks an unlabelled leaf.

        ``names`` replaces ``x0, x1, ...`` or the tree's own names; below ``max_depth`` a subtree is
        one line, counted. Numbers of more than 12 digits are rounded, but so that no two thresholds
        of a feature read alike; ``threshold`` and `to_dict` have them as they are.

        Raises
        ------
        ValueError
            If ``names`` does not name every variable that the tree tests, ``max_depth`` is no
            integer >= 0, or the text has more than 20,000,000 characters.
        """
        if max_depth is not None:
            max_depth = as_integer("max_depth", max_depth, 0)
        return to_text(self, self._wording(names), max_depth)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        kind = "bare " if self.is_bare else "regression " if self.is_regression else ""
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
        them under ``names``: ``features``, ``bits`` and ``categories``. Ways for missing values are
        under ``missing``, with None for an infinite threshold, sets of codes under ``subsets``, by
        the number of the node; a regression tree has ``is_regression``. `from_dict` reads it back.
        """
        data: dict[str, Any] = {**to_columns(self)} | ({"value": None} if self.is_bare else {})
        if self.missing is not None:
            data["missing"] = self.missing.tolist()
            data["threshold"] = [t if math.isfinite(t) else None for t in data["threshold"]]
        if self.subsets:
            data["subsets"] = {str(node): sorted(codes) for node, codes in self.subsets.items()}
        if self.is_regression:
            data["is_regression"] = True
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
        threshold, ways, sets = data["threshold"], data.get("missing"), data.get("subsets")
        if isinstance(ways, list) and isinstance(threshold, list):
            threshold = [
                t if t is not None else -math.inf if low else math.inf
                for t, low in zip(threshold, ways, strict=False)
            ]
        if isinstance(sets, Mapping):
            sets = {int(key) if str(key).isdecimal() else key: sets[key] for key in sets}
        columns = data["variable"], data["value"], threshold, names, ways, sets
        return cls(*columns, is_regression=data.get("is_regression", False))


def _equal(one: npt.NDArray[Any] | None, other: npt.NDArray[Any] | None) -> bool:
    """Whether two arrays that may be absent are alike."""
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


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


def _checked_kind(is_regression: object, labels: npt.NDArray[Any] | None) -> bool:
    """Whether labels are numbers that a regression tree predicts: told, or not all whole."""
    given = as_flag("is_regression", is_regression)
    if labels is None:
        return False
    if given and labels.dtype.kind not in "biuf":
        msg = f"value must be numbers in a regression tree, got {shown(labels.tolist())}"
        raise ValueError(msg)
    return given or (labels.dtype.kind == "f" and bool((labels != np.floor(labels)).any()))


def checked_tree(tree: object) -> Tree:
    """Return tree, or say that it is not one."""
    if not isinstance(tree, Tree):
        has = [name for name in ("tree()", "tree_") if hasattr(tree, name.removesuffix("()"))]
        hint = f": it has one, .{has[0]}" if has else ""
        msg = f"tree must be a Tree, got {shown(tree)}{hint}"
        raise ValueError(msg)
    return tree
