"""The populations of the claims and their arithmetic, held against the package and by counting."""

from __future__ import annotations

import numpy as np
import pytest
from support import monotone as orders

import dtviz as dt
from dtviz.claims.monotone import monotone
from dtviz.claims.populations import (
    all_functions,
    at_least,
    bare_trees,
    labelled_trees,
    log2,
    runs,
    trees_and_functions,
)
from dtviz.influence.claims import lower_bounds

# Most of them are made for the claims of chapter 1 as well.
pytestmark = pytest.mark.xdist_group("claims of influence")


def test_trees_are_all_there() -> None:
    assert [len(bare_trees(n)) for n in (1, 2, 3)] == [2, 9, 244]
    assert [len(labelled_trees(n).code) for n in (1, 2, 3)] == [6, 74, 16_430]
    assert len(bare_trees(3, 4)) == 52
    assert len(set(bare_trees(3))) == 244


def test_trees_compute_what_their_code_says() -> None:
    trees, pairs = labelled_trees(3), trees_and_functions(3)
    for k in range(0, 16_430, 97):
        bare = pairs.trees[trees.tree[k]]
        f = dt.BooleanFunction.from_int(3, trees.code[k])
        completed = bare.complete(f)
        assert completed.function(3) == f
        ones = int(completed.value[completed.leaves].sum())
        assert trees.leaves_of[k].tolist() == [bare.n_leaves - ones, ones]
        queried = [sum(i in dict(p) for p in _paths_by_point(bare)) for i in range(3)]
        assert trees.queried[k].tolist() == queried


def _paths_by_point(tree: dt.Tree) -> list[tuple[tuple[int, int], ...]]:
    return [
        path
        for path in tree.paths()
        for x in range(8)
        if all((x >> i) & 1 == bit for i, bit in path)
    ]


def test_pairs_agree_with_the_package() -> None:
    pairs = trees_and_functions(3)
    for tree in range(0, 244, 31):
        for code in range(0, 256, 17):
            f = dt.BooleanFunction.from_int(3, code)
            assert pairs.error[tree, code] == 8 * dt.tree_error(pairs.trees[tree], f)
            assert pairs.cost[tree, code] == 8 * dt.tree_cost(pairs.trees[tree], f)


@pytest.mark.parametrize("code", [0, 1, 303, 495, 6_014, 27_030, 65_535])
def test_functions_agree_with_the_package(code: int) -> None:
    f, every = dt.BooleanFunction.from_int(4, code), all_functions(4)
    assert every.total_influence[code] == dt.total_influence(f)
    assert every.max_influence[code] == dt.influences(f).max()
    assert every.variance[code] == dt.variance(f)
    assert every.size[code] == dt.optimal(f).n_leaves


def test_runs_know_the_smallest_size() -> None:
    assert all(run.size == dt.optimal(run.f).n_leaves for run in runs(0))
    assert len(runs(3)) == 254


def test_monotone_layers() -> None:
    assert [monotone(n).code.size for n in range(6)] == [2, 3, 6, 20, 168, 7_581]
    layer = monotone(4)
    for place in range(0, 168, 7):
        f = dt.BooleanFunction.from_int(4, int(layer.code[place]))
        assert f.is_monotone()
        assert layer.size[place] == dt.optimal(f).n_leaves
        sizes = dt.greedy_sizes(f)
        assert (layer.best[place], layer.worst[place]) == (sizes.best, sizes.worst)


def test_comparison_knows_when_rounding_could_decide() -> None:
    assert at_least([1.0, 0.5, 2.0], [1.0, 0.75, 1.0]).tolist() == [True, False, True]
    with pytest.raises(ArithmeticError, match="cannot tell"):
        at_least(0.1 + 0.2, 0.3)


def test_logarithms_of_powers_of_two_are_exact() -> None:
    powers = 2.0 ** np.arange(-30, 31)
    assert (log2(powers) == np.arange(-30, 31)).all()
    assert log2(3) == pytest.approx(1.584962500721156)


@pytest.mark.thorough
def test_monotone_functions_of_six_variables() -> None:
    layer = monotone(6)
    assert layer.code.size == 7_828_354
    lost = layer.best > layer.size
    assert orders.classes(layer.code, 6) == 16_353
    assert len(np.unique(orders.canonical(layer.code[lost], 6))) == 304
    codes = {int(code) for code in layer.code[lost]}
    assert {lower_bounds.SMALLEST, lower_bounds.WORST} <= codes
    assert layer.size[lost].min() == 11
    ratio = layer.best[lost] / layer.size[lost]
    assert ratio.max() == 21 / 18


def test_orders_of_variables() -> None:
    codes = np.arange(256, dtype=np.uint64)
    smallest = orders.canonical(codes, 3)
    assert len(np.unique(smallest)) == orders.classes(codes, 3) == 80
    assert (orders.canonical(smallest, 3) == smallest).all()
