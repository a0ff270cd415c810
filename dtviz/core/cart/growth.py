"""Best-first growth on examples: the impurity of a leaf decides what is split, and where.

After the lecture notes of chapter 4's source (Cornell CS 4780): split where the weighted impurity
of the two sides is least, and go on, also where no split lowers it, until every leaf is pure or
cannot be split. `grow` gives every size of tree from one run.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dtviz.core.cart.alternatives import GrowthExamples
from dtviz.core.cart.class_target import ClassTarget
from dtviz.core.cart.columns import Columns
from dtviz.core.cart.criteria import CRITERIA, Cost, as_criterion
from dtviz.core.cart.find_splits import find_splits
from dtviz.core.cart.impurity_path import ImpurityPath, build_path
from dtviz.core.cart.number_target import NumberTarget
from dtviz.core.cart.target import Target
from dtviz.core.checks import as_given, as_integer, as_real
from dtviz.core.data.datasets import Dataset
from dtviz.core.data.examples import Inputs
from dtviz.core.data.frames import take_rows
from dtviz.core.data.handed import read_handed
from dtviz.core.data.labels import REGRESSION, as_classes, as_real_labels
from dtviz.core.data.weights import Weights, read_weights
from dtviz.core.hints import with_hints

GROWTH_COSTS = (*CRITERIA, "squared")
"""The costs that `grow` knows by name: those for classes, and squared loss for numbers."""

MANY_LABELS = 50
"""From so many different labels on, in hardly more rows, they are taken for an id."""


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
        See ``dtviz.core.cart.criteria``; "squared" is regression. A function of your own takes an
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

    Examples
    --------
    >>> import dtviz as dt
    >>> path = dt.grow([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0]], ["no", "yes", "no"])
    >>> print(path.tree())
    x1 <= 2.5
    ├─ yes: yes
    └─ no: no

    A cost of your own, in five lines:

    >>> import numpy as np
    >>> def wave(q):
    ...     return np.sin(np.pi * q) / 2
    >>> dt.grow([[1], [2], [3], [4]], [0, 1, 0, 1], wave)
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
    full = find_splits(table, target, max_steps, deepest, least)
    path = build_path(full, target, names, max_steps)
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
    given = GrowthExamples(inputs, np.array(as_given(y)), weights, cost, fewest, share, grow)
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
