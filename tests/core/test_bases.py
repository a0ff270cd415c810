"""Functions, distributions, trees and paths stay what they are, and so do their copies."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import dtviz as dt

F = dt.functions
MU = dt.ProductDistribution([0.2, 0.5, 0.7])
PATH = dt.build_top_down(F.majority(3), MU, max_leaves=4)

VALUES = {
    "from table": dt.BooleanFunction(3, [0, 1, 1, 0, 1, 0, 0, 1]),
    "from code": dt.BooleanFunction.from_int(7, 12345),
    "no variables": F.parity(0),
    "distribution": MU,
    "tree": PATH.tree(3),
    "bare tree": PATH.tree(3).bare(),
    "words": dt.Tree.split(0, dt.Tree.leaf("no"), dt.Tree.leaf("yes"), threshold=-2.5),
}
SAMPLE = dt.cube_points(3), F.majority(3).table
PRUNINGS = dt.pruning.cost_complexity_path(PATH.tree(), *SAMPLE)
RESULTS = {
    "path": PATH,
    "path of examples": dt.grow(*SAMPLE),
    "prunings": PRUNINGS,
    "pruning": PRUNINGS.pruning(),
    "counts": PRUNINGS.pruning().counts,
    "reduced error": dt.pruning.reduced_error_prune(PATH.tree(), *SAMPLE, grown_on=SAMPLE),
    "least risk": dt.pruning.srm_prune(PATH.tree(), *SAMPLE),
    "bottom up": dt.pruning.bottom_up_path(PATH.tree(), *SAMPLE),
    "optima": dt.optimal_all(3),
    "greedy sizes": dt.influence.greedy_all(5, [7, 9]),
    "classes": dt.atlas.npn_classes(3),
    "votes": dt.grow_votes(0.2),
    "calls": dt.rank.find_run(*SAMPLE, rank=2),
}
"""Which are compared by what they hold: each by itself."""
TWINS = {
    "itself": lambda value: value,
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),  # noqa: S301
}
CASES = [
    pytest.param(value, twin, id=f"{what}, {how}")
    for what, value in (VALUES | RESULTS).items()
    for how, twin in TWINS.items()
]


def arrays(value):
    """Every array that an attribute or a property without arguments hands out."""
    found = {}
    for name in dir(value):
        held = None if name.startswith("_") else getattr(value, name)
        if isinstance(held, np.ndarray):
            found[name] = held
        if isinstance(held, tuple):
            found |= {f"{name}[{k}]": a for k, a in enumerate(held) if isinstance(a, np.ndarray)}
    return found


@pytest.mark.parametrize(("value", "twin"), CASES)
def test_no_array_can_be_written_to(value, twin):
    held = arrays(twin(value))
    assert held
    for name, array in held.items():
        assert not array.flags.writeable, name
        if array.size:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = array[0]


@pytest.mark.parametrize(("value", "twin"), CASES)
def test_no_attribute_can_be_set_or_deleted(value, twin):
    own = twin(value)
    for name in [name for name in dir(own) if not name.startswith("_")] + ["brand_new"]:
        with pytest.raises(AttributeError):
            setattr(own, name, 1)
    for name in list(vars(own)):
        with pytest.raises(AttributeError):
            delattr(own, name)


@pytest.mark.parametrize(("value", "twin"), CASES)
def test_twins_are_the_same_value(value, twin):
    own = twin(value)
    mine, theirs = arrays(value), arrays(own)
    assert mine.keys() == theirs.keys()
    for name, array in mine.items():
        assert np.array_equal(array, theirs[name]), name
        assert array.dtype == theirs[name].dtype
    assert repr(own) == repr(value)
    if value in VALUES.values():
        assert own == value
        assert hash(own) == hash(value)
        assert len({own, value}) == 1


def test_the_callers_arrays_are_neither_shared_nor_frozen():
    table, p = np.array([0, 1, 1, 0], dtype=np.uint8), np.array([0.2, 0.4])
    variable, value, threshold = np.array([1, -1, -1]), np.array([0, 0, 1]), np.full(3, 0.5)
    f, mu, tree = (
        dt.BooleanFunction(2, table),
        dt.ProductDistribution(p),
        dt.Tree(variable, value, threshold),
    )
    for array in (table, p, variable, value, threshold):
        array[:] = array[::-1].copy() if array is not p else 0.9
        array[0] = 1
    assert f == F.parity(2)
    assert mu.p.tolist() == [0.2, 0.4]
    assert tree == dt.Tree.split(1, dt.Tree.leaf(0), dt.Tree.leaf(1))


def test_read_only_and_strided_input_is_welcome():
    table = np.array([[0, 7], [1, 7], [1, 7], [0, 7]])[:, 0]
    table.flags.writeable = False
    assert dt.BooleanFunction(2, table) == F.parity(2)
    points = dt.cube_points(2)[::-1]
    points.flags.writeable = False
    assert F.parity(2)(points).tolist() == [0, 1, 1, 0]


def test_results_belong_to_the_caller():
    """Arrays that a function returns are new: writing to them changes no later answer."""
    f, mu = F.random(12, 1), dt.ProductDistribution.uniform(12)
    for compute in (dt.influences, dt.measures.resample_influences, dt.measures.influence_counts):
        first = compute(f)
        expected = first.tolist()
        first[:] = 0
        assert compute(f).tolist() == expected
    weights = mu.weights()
    weights[:] = 0
    assert mu.weights().sum() == pytest.approx(1)
    points = dt.cube_points(3)
    points[:] = 1
    assert dt.cube_points(3).sum() == 12


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)
def test_optima_stay_those_of_their_function(twin):
    best = twin(dt.optimal(F.majority(3), MU))
    for name in ("f", "mu", "size", "rank_tree", "note"):
        with pytest.raises(AttributeError):
            setattr(best, name, F.parity(3))
    assert (best.f, best.mu, best.n_leaves) == (F.majority(3), MU, 6)


def test_negative_zero_is_zero():
    """Equal values have equal hashes, whatever the sign of a zero threshold."""
    plus = dt.Tree.split(0, dt.Tree.leaf(0), dt.Tree.leaf(1), threshold=0.0)
    minus = dt.Tree.split(0, dt.Tree.leaf(0), dt.Tree.leaf(1), threshold=-0.0)
    assert plus == minus
    assert hash(plus) == hash(minus)
    assert str(plus) == str(minus)
