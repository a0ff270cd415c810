"""What makes functions and trees, and what no kind of argument has, meets every nasty value.

`test_arguments` has all other arguments.

For each argument the rule is written down once more, independently. Where a value keeps the rule
the call must succeed. Where it breaks it, the call must raise a ValueError from within the package
that names the argument and shows the value, and never an error of NumPy's or a wrong answer.
"""

from __future__ import annotations

import math
import operator
from decimal import Decimal
from numbers import Real

import numpy as np
import pytest
from support.nasty import (
    MU,
    PARITY,
    PATH,
    TREE,
    flat,
    instance,
    integer,
    nasty,
    or_none,
    real,
    sweep,
)

import dtviz as dt

F = dt.functions
LEAF = dt.Tree.leaf(0)
SAMPLE = dt.cube_points(3), PARITY.table
FEW = SAMPLE[0][:2], SAMPLE[1][:2]


# -- the rules, by definition ----------------------------------------------------------------------


def bit(value):
    return isinstance(value, (Real, np.bool_)) and value in (0, 1)


def rows(value):
    right = isinstance(value, np.ndarray) and not isinstance(value, np.ma.MaskedArray)
    return right and value.ndim == 2 and value.shape[1] >= 3 and not np.isnan(value).any()


def bits_or_index(value):
    if isinstance(value, np.ndarray):
        return rows(value) and bool(np.isin(value, (0, 1)).all())
    return isinstance(value, (int, np.integer)) and integer(0, 7)(value)


def point(value):
    index = isinstance(value, (int, np.integer)) and integer(0)(value)
    return index or isinstance(value, range) or flat(3, math.isfinite)(value)


def scalar(value):
    """What NumPy can hold as one thing that is not missing."""
    if isinstance(value, (float, np.floating)) and math.isnan(value):
        return False
    return np.ndim(value) == 0 if not isinstance(value, (list, tuple, range)) else False


def names(value):
    if not isinstance(value, (list, np.ndarray)):
        return False
    array = np.array(value, dtype=object)
    return array.size == 0 or (array.ndim == 1 and all(isinstance(one, str) for one in array))


def counts(value):
    """How many examples each of two rows counts as."""
    whole = flat(2, lambda weight: weight >= 0 and weight == int(weight))
    return whole(value) and sum(np.asarray(value).tolist()) > 0


CALLS = [
    ("n", integer(0, 24), lambda v: dt.BooleanFunction.from_rule(v, lambda _: 0)),
    ("rule", bit, lambda v: dt.BooleanFunction.from_rule(1, lambda _: v)),
    ("rule", bit, lambda v: dt.BooleanFunction.from_rule(1, lambda *_: v)),
    ("n", or_none(integer(1, 24)), lambda v: dt.BooleanFunction.from_text("x0", v)),
    ("text", lambda _: False, dt.BooleanFunction.from_text),
    ("n", or_none(integer(1, 24)), lambda v: dt.BooleanFunction.from_text("0x2", v)),
    (
        "variables",
        or_none(names),
        lambda v: dt.BooleanFunction.from_text("1", variables=v),
    ),
    ("x", bits_or_index, PARITY),
    (
        "p",
        lambda v: real(lambda q: 0 < q < 1)(v) or isinstance(v, Decimal),
        lambda v: dt.ProductDistribution([0.5, v]),
    ),
    ("variable", lambda _: False, dt.Tree),
    ("value", or_none(flat(3, math.isfinite)), lambda v: dt.Tree([0, -1, -1], v)),
    ("threshold", or_none(flat(3, math.isfinite)), lambda v: dt.Tree([0, -1, -1], [0, 0, 1], v)),
    ("value", scalar, dt.Tree.leaf),
    ("variable", integer(0, 2**31 - 1), lambda v: dt.Tree.split(v, LEAF, LEAF)),
    ("low", instance(dt.Tree), lambda v: dt.Tree.split(0, v, LEAF)),
    ("high", instance(dt.Tree), lambda v: dt.Tree.split(0, LEAF, v)),
    ("threshold", real(math.isfinite), lambda v: dt.Tree.split(0, LEAF, LEAF, v)),
    ("x", point, TREE),
    ("names", lambda v: isinstance(v, str), lambda v: TREE.to_text([v, "u", "v"])),
    ("data", lambda _: False, dt.Tree.from_dict),
    ("variable", lambda _: False, lambda v: dt.Tree.from_dict({**TREE.to_dict(), "variable": v})),
    ("value", lambda v: v is None, lambda v: dt.Tree.from_dict({**TREE.to_dict(), "value": v})),
    (
        "threshold",
        lambda v: v is None,
        lambda v: dt.Tree.from_dict({**TREE.to_dict(), "threshold": v}),
    ),
    ("X", lambda v: rows(v) and len(v) == 1, lambda v: PATH.score(v, [0])),
    ("y", lambda _: False, lambda v: PATH.score(SAMPLE[0], v)),
    ("X", lambda v: rows(v) and len(v) == 1, lambda v: dt.pruning.smallest_prunings(TREE, v, [0])),
    (
        "grown_on",
        lambda _: False,
        lambda v: dt.pruning.reduced_error_prune(TREE, *SAMPLE, grown_on=v),
    ),
    (
        "grown_on",
        or_none(lambda _: False),
        lambda v: dt.pruning.srm_prune(TREE, *SAMPLE, grown_on=v),
    ),
    (
        "sample_weight of grown_on",
        or_none(counts),
        lambda v: dt.pruning.srm_prune(TREE, *FEW, grown_on=(*FEW, v)),
    ),
    (
        "grow",
        lambda v: isinstance(v, (dt.Tree, dt.influence.GrowthPath)),
        lambda v: dt.pruning.cross_validated_prune(*SAMPLE, lambda *_: v),
    ),
]


@pytest.mark.parametrize(
    ("name", "rule", "call"), CALLS, ids=[f"{k}-{name}" for k, (name, _, _) in enumerate(CALLS)]
)
def test_every_value_is_used_or_refused_by_name(name, rule, call):
    sweep(name, rule, call)


@pytest.mark.parametrize("combine", [operator.and_, operator.or_, operator.xor])
def test_operators_refuse_everything_but_functions(combine):
    for value in nasty():
        if isinstance(value, dt.BooleanFunction):
            continue
        with pytest.raises(TypeError, match="BooleanFunction"):
            combine(PARITY, value)
        with pytest.raises(TypeError, match=r"BooleanFunction|unsupported operand"):
            combine(value, PARITY)


@pytest.mark.parametrize("ours", [PARITY, MU, TREE], ids=["function", "distribution", "tree"])
def test_comparison_with_anything_else_is_false(ours):
    for value in nasty():
        # A masked array compares element by element whatever the other operand says.
        if value is not ours and not isinstance(value, np.ma.MaskedArray):
            assert (ours == value) is False
            assert (value == ours) is False
            assert ours != value


def test_improbable_points_are_not_lost():
    """Weights below the smallest float would make an impure leaf look pure."""
    mu = dt.ProductDistribution([1e-200, 1e-200])
    with pytest.raises(ValueError, match=r"mu must give every point a probability >= 1e-290"):
        dt.build_top_down(F.parity(2), mu)
    assert (
        dt.build_top_down(F.parity(2), dt.ProductDistribution([1e-100, 1e-100])).n_leaves_for(0)
        == 4
    )


def test_labels_that_are_no_bits_make_no_function():
    tree = dt.Tree.split(0, dt.Tree.leaf(3), LEAF)
    with pytest.raises(ValueError, match=r"value must be 0 or 1 at every leaf, got \[3, 0\]"):
        tree.function(1)
    with pytest.raises(ValueError, match=r"value must be 0 or 1 at every leaf, got \['a'\]"):
        dt.Tree.leaf("a").function(1)


def test_trees_of_far_variables_say_what_they_need():
    far = dt.Tree.split(40, LEAF, dt.Tree.leaf(1))
    with pytest.raises(ValueError, match="variable must be below 24 to tabulate a tree, got x40"):
        far.function(24)
    # What does not tabulate works, whatever the index.
    huge = dt.Tree.split(2**31 - 1, LEAF, LEAF)
    assert huge.average_depth() == 1
    with pytest.raises(ValueError, match="variable must be from 0"):
        dt.Tree(np.array([2**64 - 1], dtype=np.uint64))
