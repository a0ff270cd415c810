"""ID3, and the work at a single node: the best split, and all thresholds of one feature."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from dtviz.core.bases import Floats
from dtviz.core.cart.criteria import Cost
from dtviz.core.cart.growth import grow, read_examples
from dtviz.core.cart.scan import midpoints
from dtviz.core.checks import as_array, as_repr
from dtviz.core.data.examples import Inputs
from dtviz.core.hints import with_hints
from dtviz.core.tree.alternatives import Split
from dtviz.core.tree.tree import Tree


@with_hints
def id3(
    X: Any,
    y: Any = None,
    cost: Cost = "entropy",
    *,
    feature_names: Iterable[str] | None = None,
    sample_weight: Any = None,
) -> Tree:
    """ID3: split until a leaf is pure or all its rows are equal, and never stop before that.

    The two base cases of the source (claim CU-ID3): all labels are equal; or all rows are, then the
    leaf takes the most frequent label (the mean, for ``cost="squared"``). Otherwise split where the
    weighted impurity of the two sides is least, even if it is no less than before (claim CU-XOR).
    The order in which leaves are split makes no difference to the tree: it is the last tree of
    `grow`, whose arguments and ties it shares.

    Examples
    --------
    >>> import dtviz as dt
    >>> bottles = [[14.38, 1.2], [13.2, 1.05], [13.86, 1.36], [11.79, 0.97], [12.53, 0.82]]
    >>> dt.id3(bottles, [0, 0, 1, 1, 2], "gini", feature_names=["alcohol", "hue"])
    <Tree: 4 leaves, depth 3>
    >>> dt.id3(dt.cube_points(2), dt.functions.parity(2).table).n_leaves
    4
    """
    return grow(X, y, cost, feature_names=feature_names, sample_weight=sample_weight).tree()


@with_hints
def best_split(
    X: Any, y: Any = None, cost: Cost = "gini", *, sample_weight: Any = None
) -> Split | None:
    """The split that `grow` makes first on these examples, its drop as the score (CU-SPLIT).

    None where there is nothing to split: one label, or one value of every feature.

    Examples
    --------
    >>> import dtviz as dt
    >>> split = dt.impurity.best_split([[1, 5], [2, 1], [3, 4]], ["no", "yes", "no"])
    >>> split.variable, split.threshold, round(split.score, 4)
    (1, 2.5, 0.4444)
    """
    path = grow(X, y, cost, max_leaves=2, sample_weight=sample_weight)
    return path.splits[0] if path.n_splits else None


class ThresholdScan(NamedTuple):
    """Every way to cut one feature in two: thresholds, ascending, and the impurity each leaves.

    Two float arrays of one length: the number of distinct values, less 1 (claim CU-NTHRESH).

    Examples
    --------
    >>> import dtviz as dt
    >>> scan = dt.impurity.threshold_scan([1, 2, 3, 4], [0, 0, 1, 0])
    >>> scan.thresholds[scan.impurities.argmin()].item()
    2.5
    """

    thresholds: Floats
    impurities: Floats


def threshold_scan(
    x: Any, y: Any, cost: Cost = "gini", *, sample_weight: Any = None
) -> ThresholdScan:
    """The weighted impurity of both sides, ``n_L / n G(L) + n_R / n G(R)``, at every threshold.

    One threshold midway between each two neighboring values (claim CU-NTHRESH); running class
    counts make it O(n log n) with the sorting (claim CU-TIME).

    ``x`` are the n values of one feature: numbers, or categories whose order means something. The
    other arguments are those of `grow`; what weighs nothing has no threshold.

    Examples
    --------
    >>> import dtviz as dt
    >>> thresholds, impurities = dt.impurity.threshold_scan([1, 2, 3, 4], [0, 0, 1, 0])
    >>> thresholds.tolist(), impurities.round(4).tolist()
    ([1.5, 2.5, 3.5], [0.3333, 0.25, 0.3333])
    """
    values = as_array(x)
    if values is None or values.ndim != 1:
        msg = f"x must be a flat sequence, the values of one feature, got {as_repr(x)}"
        raise ValueError(msg)
    try:  # a categorical keeps its order only in a frame
        table = x.to_frame() if hasattr(x, "to_frame") else values[:, None]
        target, inputs = read_examples(Inputs, table, y, cost, sample_weight)
    except ValueError as error:
        raise ValueError(str(error).replace("X must", "x must", 1)) from None
    if inputs.nominal:
        msg = "x must be numbers or ordered categories, for others have no thresholds, got "
        raise ValueError(msg + as_repr(x))
    order = inputs.columns[0].argsort(kind="stable")
    column = inputs.columns[0, order]
    cuts = np.flatnonzero(column[:-1] != column[1:]) + 1
    return ThresholdScan(midpoints(column[cuts - 1], column[cuts]), target.along(order, cuts))
