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
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Bools, HasPicture
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.checks import as_integer, as_real, as_repr
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import accuracy, r_squared
from dtviz.core.hints import with_hints
from dtviz.core.names import Names
from dtviz.core.tree import export, node_sums, on_cube
from dtviz.core.tree import rules as tree_rules
from dtviz.core.tree.arrays import MAX_INDEX, array_of
from dtviz.core.tree.nodes import TreeNodes, labels_of, read_point


@with_hints
class Tree(TreeNodes, HasPicture):
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
    sums : NodeSums, or None
        What the examples that it was grown on say at each node: what `predict_proba`,
        `feature_importances` and `contributions` need. It makes no difference to equality.
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

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(Tree, is_regression=self.is_regression, sums=self.sums)
        ways = self.missing, dict(self.subsets)
        return make, (self.variable, self.value, self.threshold, self.names, *ways)

    @classmethod
    def leaf(cls, value: object = None, *, is_regression: bool = False) -> Tree:
        """A single leaf; without a label the tree is bare. See `Tree` for ``is_regression``."""
        if value is not None and array_of([value]).shape != (1,):
            msg = f"value must be one label, got {as_repr(value)}"
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
        a regression tree for a child it is one. It has the names of its children, if these have the
        same, or one of them none, and they name the variable.

        A ValueError if just one child is bare, or one has labels that are numbers, the other none.
        """
        variable = as_integer("variable", variable, 0, MAX_INDEX)
        children: tuple[tuple[str, object], ...] = (("low", low), ("high", high))
        for name, child in children:
            if not isinstance(child, Tree):
                msg = f"{name} must be a Tree, got {as_repr(child)}"
                raise ValueError(msg)
        ways = _join_missing(missing, low, high)
        threshold = as_real("threshold", threshold, "(-inf, inf), finite", math.isfinite)
        subsets: dict[int, Iterable[int]] = {} if subset is None else {0: subset}
        subsets |= {node + 1: codes for node, codes in low.subsets.items()}
        subsets |= {node + 1 + low.n_nodes: codes for node, codes in high.subsets.items()}
        names = {low.names, high.names} - {Names()}
        kept = names.pop() if len(names) == 1 else None
        if kept and kept.features is not None and variable >= len(kept.features):
            kept = None
        return cls(
            np.concatenate([[variable], low.variable, high.variable]),
            _join_labels(low, high),
            np.concatenate([[threshold], low.threshold, high.threshold]),
            kept,
            missing=ways,
            subsets=subsets,
            is_regression=low.is_regression or high.is_regression,
        )

    # -- use -----------------------------------------------------------------------------------

    def predict(self, X: Any, *, unknown: str = "error") -> npt.NDArray[Any]:
        """The label of each row of ``X``, an ``(m,)`` array; see `apply` for both arguments."""
        return labels_of(self, "predict")[self.apply(X, unknown=unknown)]

    def score(self, X: Any, y: Any = None, *, unknown: str = "error") -> float:
        """How well it predicts the label of each row: the share of right ones, or R squared."""
        X, y, *_ = read_handed(X, y)
        predicted = self.predict(X, unknown=unknown)
        if not predicted.size:
            msg = f"X must have at least one row, got {as_repr(X)}"
            raise ValueError(msg)
        return r_squared(predicted, y) if self.is_regression else accuracy(predicted, y)

    def __call__(
        self, x: SupportsIndex | Sequence[Any] | Mapping[Any, Any] | npt.NDArray[Any]
    ) -> Any:
        """The label of one input: a row as for `explain`, or the index of a point of the cube."""
        width = int(self.variable.max()) + 1
        if tree_rules.goes_by_names(self.names, x):
            x = tree_rules.read_values(self, x, "x")
        if isinstance(x, (int, np.integer)):
            on_cube.check_boolean(self, "an index")
            index = as_integer("x", x, 0)
            x = [(index >> i) & 1 for i in range(width)]
        return self.predict(read_point(x, width)[None, :]).tolist()[0]

    def bare(self) -> Tree:
        """The same tree without labels."""
        return self.labeled(None)

    def labeled(self, value: npt.NDArray[Any] | None, names: Names | None = None) -> Tree:
        """The same tests with other labels, one for each node, and perhaps other names."""
        return self.altered(value=value, names=names or self.names)

    def altered(self, **parts: Any) -> Tree:
        """The same tree with other parts, by the names of the arguments of `Tree`."""
        own = ("variable", "value", "threshold", "names", "missing", "subsets")
        kept = {name: getattr(self, name) for name in (*own, "is_regression", "sums")}
        return Tree(**kept | parts)

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
            sums=None if self.sums is None else self.sums.take(kept),
        )

    # -- what its examples say -------------------------------------------------------------------

    predict_proba = node_sums.predict_proba
    feature_importances = node_sums.feature_importances
    permutation_importance = node_sums.permutation_importance
    contributions = node_sums.contributions

    def relabel(self, loss: npt.ArrayLike) -> Tree:
        """The same tree, each leaf with the label that loses the least there (Elkan 2001).

        ``loss`` is a (c, c) array-like of numbers >= 0, 0 on the diagonal: in row i and column j,
        what it costs to predict class j of ``classes`` where i is true. The lowest wins a tie.

        Examples
        --------
        >>> import dtviz as dt
        >>> tree = dt.grow([[1], [2], [3], [4]], ["no", "yes", "no", "no"], max_leaves=2).tree()
        >>> print(tree.relabel([[0, 1], [5, 0]]))
        x0 <= 2.5
        ├─ yes: yes
        └─ no: no
        """
        sums = node_sums.sums_of(self, "relabel", of_classes=True)
        assert sums.classes is not None  # noqa: S101 -- they were asked for
        table = node_sums.as_loss(loss, sums.classes.tolist())
        losses = node_sums.expect_losses(sums.counts, table)
        return self.labeled(sums.classes[node_sums.find_cheapest(losses)])

    @property
    def classes(self) -> npt.NDArray[Any] | None:
        """The classes of the examples, sorted: the columns of `predict_proba`; None if unknown."""
        return None if self.sums is None else self.sums.classes

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

    def named(self, names: Names | Iterable[str] | None = None, *, class_names: Any = None) -> Tree:
        """The same tree with other names of its variables: ``Names``, or a string for each.

        ``class_names`` are names of its classes, see `to_text`; alone they leave the others as they
        are. Without either the tree has no names.
        """
        if names is None and class_names is None:
            return self.labeled(self.value, Names())
        return self.labeled(self.value, export.names_for(self, names, class_names))

    to_text = export.to_text
    to_dot = export.to_dot
    to_dict = export.to_dict
    rules = tree_rules.rules
    explain = tree_rules.explain
    to_sql = tree_rules.to_sql

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        kind = "bare " if self.is_bare else "regression " if self.is_regression else ""
        return f"<{kind}Tree: {self.n_leaves} leaves, depth {self.depth}>"

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Tree:
        """Read what `to_dict` wrote. Raises ValueError if the lists do not form one tree."""
        return cls(**export.read_dict(data))

    # -- on the cube -----------------------------------------------------------------------------

    reach = on_cube.reach
    average_depth = on_cube.average_depth
    paths = on_cube.paths
    apply_cube = on_cube.apply_cube
    apply_points = on_cube.apply_points
    function = on_cube.function
    leaf_masses = on_cube.leaf_masses

    def complete(self, f: BooleanFunction, mu: ProductDistribution | None = None) -> Tree:
        """The f-completion: each leaf labeled by the likelier value of f, 0 if tied (BLT-STOP)."""
        zeros, ones = self.leaf_masses(f, mu)
        value = np.zeros(self.n_nodes, dtype=np.intp)
        value[self.leaves] = on_cube.one_is_likelier(zeros, ones)
        return self.labeled(None).labeled(value)


def _equal(one: npt.NDArray[Any] | None, other: npt.NDArray[Any] | None) -> bool:
    """Whether two arrays that may be absent are alike."""
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


def check_tree(tree: object) -> Tree:
    """Return tree, or say that it is not one."""
    if not isinstance(tree, Tree):
        has = [name for name in ("tree()", "tree_") if hasattr(tree, name.removesuffix("()"))]
        hint = f": it has one, .{has[0]}" if has else ""
        msg = f"tree must be a Tree, got {as_repr(tree)}{hint}"
        raise ValueError(msg)
    return tree


def _join_labels(low: Tree, high: Tree) -> npt.NDArray[Any] | None:
    """The labels of a root and two trees below it, None if these are bare."""
    if (low.value is None) != (high.value is None):
        msg = "low and high must both be bare trees or both be labeled"
        raise ValueError(msg)
    if low.value is None or high.value is None:
        return None
    if (low.value.dtype.kind in "biuf") != (high.value.dtype.kind in "biuf"):
        msg = (
            "low and high must have labels of one kind, numbers or not, "
            f"got {low.value[-1]!r} and {high.value[-1]!r}"
        )
        raise ValueError(msg)
    return np.concatenate([low.value[:1], low.value, high.value])


def _join_missing(missing: object, low: Tree, high: Tree) -> Bools | None:
    """The ways for missing values of a root and two trees below it: all tests have one, or none."""
    knows = [child.missing is not None for child in (low, high) if child.variable.size > 1]
    if missing is None and not any(knows):
        return None
    if missing is None or not all(knows):
        msg = (
            "missing must be given where the tests of low and high have a way for missing values, "
            f"and only there, got {as_repr(missing)}"
        )
        raise ValueError(msg)
    if not isinstance(missing, (bool, np.bool_)):
        msg = f"missing must be True, where missing values go low, or False, got {as_repr(missing)}"
        raise ValueError(msg)
    parts = [
        np.zeros(child.variable.size, np.bool_) if child.missing is None else child.missing
        for child in (low, high)
    ]
    return np.concatenate([[missing], *parts])
