"""Reduced-error pruning: ask a second sample at every node, from the leaves up."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dtviz.core.tree import Tree
from dtviz.pruning.decisions import Pruning, bottom_up
from dtviz.pruning.node_counts import GrownOn, node_counts

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


def reduced_error_prune(  # noqa: PLR0913 - most are by keyword
    tree: Tree,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    sample_weight: npt.ArrayLike | None = None,
    grown_on: GrownOn,
    classes: npt.ArrayLike | None = None,
) -> Pruning:
    """Reduced-error pruning: cut wherever a leaf errs no more than the current subtree (MN-REP).

    From the leaves up, each node's subtree, pruned below already, is compared with a leaf on a
    sample that did not grow the tree. The result errs the least of all prunings, and is the
    smallest of those that do. Time linear in the tree, plus that of sending the sample down.

    The sample that labels a node when it is cut makes two algorithms of this, so the call must say
    which it is. In the source it is the sample that grew the tree, ``grown_on=(X_1, y_1)``. To give
    a node the majority of the pruning sample instead, ``grown_on=(X, y)``, is another method: then
    the pruning sample labels leaves, and does not only count their errors.

    Parameters
    ----------
    tree : Tree
        A labeled tree; its leaves keep their labels. A bare tree is labeled as cut nodes are.
    X, y : (m, d) and (m,) arrays
        The pruning sample, the source's S_2.
    grown_on : pair (X, y) or triple (X, y, sample_weight)
        The sample S_1 that grew the tree. A node that is cut predicts its majority there (claim
        MN-REPEX).
    sample_weight, classes :
        See `node_counts`.

    Raises
    ------
    ValueError
        If ``grown_on`` is None, or as `node_counts`.

    Examples
    --------
    >>> import dtviz as dt
    >>> tree = dt.Tree.split(0, dt.Tree.split(1, dt.Tree.leaf(0), dt.Tree.leaf(1)), dt.Tree.leaf(1))
    >>> grown_on = [[0, 0], [0, 0], [0, 1], [1, 0]], [0, 0, 1, 1]
    >>> X, y = [[0, 0], [0, 1], [1, 0]], [0, 0, 1]
    >>> pruned = dt.pruning.reduced_error_prune(tree, X, y, grown_on=grown_on)
    >>> print(pruned.tree())
    x0
    ├─ 0: 0
    └─ 1: 1
    >>> [(d.node, d.subtree_errors, d.leaf_errors, d.cut) for d in pruned.decisions]
    [(1, 1, 0, True), (0, 0, 1, False)]

    One more example, which counts twice:

    >>> X, y = [[0, 0], [0, 1], [1, 0], [0, 1]], [0, 0, 1, 1]
    >>> dt.pruning.reduced_error_prune(tree, X, y, sample_weight=[1, 1, 1, 2], grown_on=grown_on)
    <Pruning: 3 -> 3 leaves, 1 -> 1 errors of 5>
    """
    if grown_on is None:
        msg = (
            "grown_on must be the sample that labels a node when it is cut, a pair (X, y) of that "
            "which grew the tree, got None"
        )
        raise ValueError(msg)
    counts = node_counts(
        tree, X, y, sample_weight=sample_weight, grown_on=grown_on, classes=classes
    )

    def decide(inner: Ints, _: Ints, errors: Ints) -> tuple[Bools, Floats]:
        return counts.errors[inner] <= errors, np.zeros(inner.size)

    return bottom_up(counts, decide)
