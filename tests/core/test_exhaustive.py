"""All functions at once against one function at a time: the optima, and the greedy trees."""

from __future__ import annotations

import numpy as np
import pytest
from support import gold

import dtviz as dt

F = dt.functions
COUNTS = ("n_leaves", "depth", "rank")
EVERY = (dt.optimal_all, dt.influence.greedy_all)


def some(n, count):
    """All functions of up to 3 variables, and a sample of those of more."""
    if n <= 3:
        return np.arange(2 ** (2**n))
    return np.random.default_rng(n).integers(0, 2 ** (2**n), size=count)


def function(n, code):
    return dt.BooleanFunction.from_int(n, int(code))


@pytest.mark.parametrize("n", range(5))
def test_all_optima_are_those_of_each_function(n):
    """The tables over all codes agree with the program over subcubes, and with golden counts."""
    table = dt.optimal_all(n)
    for code in some(n, 60):
        best = dt.optimal(function(n, code))
        assert [getattr(table, name)[code] for name in COUNTS] == [
            getattr(best, name) for name in COUNTS
        ]
        assert table.average_depth[code] == best.average_depth
    if n:
        expected = gold.SAMPLE["counting"]["functions_by_min_rank"][str(n)]
        assert np.bincount(table.rank).tolist() == expected


def test_optima_of_five_variables():
    mu = dt.ProductDistribution([0.1, 0.5, 0.7, 0.25, 0.9])
    codes = [*some(5, 40), 0, 2**32 - 1, F.parity(5).code, F.dictator(5, 4).code]
    fair, biased = dt.optimal_all(5, codes=codes), dt.optimal_all(5, mu, codes)
    for k, code in enumerate(codes):
        best = dt.optimal(function(5, code))
        assert [getattr(fair, name)[k] for name in COUNTS] == [
            getattr(best, name) for name in COUNTS
        ]
        assert fair.average_depth[k] == best.average_depth
        mean = dt.optimal(function(5, code), mu).average_depth
        assert biased.average_depth[k] == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("n", range(6))
def test_all_greedy_trees_are_those_of_each_function(n):
    """Ties are many: of the 256 functions of 3 variables all are tried, and the families below."""
    codes = some(n, 300)
    table = dt.influence.greedy_all(n, codes)
    for k, code in enumerate(codes):
        tree, sizes = (
            dt.build_top_down(function(n, code)).tree(),
            dt.influence.greedy_sizes(function(n, code)),
        )
        assert [getattr(table, name)[k] for name in COUNTS] == [
            getattr(tree, name) for name in COUNTS
        ]
        assert table.average_depth[k] == tree.average_depth()
        assert (table.best[k], table.worst[k]) == (sizes.best, sizes.worst)


def test_golden_greedy_counts():
    """How many functions of 4 variables greedy growth is bad for: chapter 1 counts 4,416."""
    greedy, size = dt.influence.greedy_all(4), dt.optimal_all(4).n_leaves
    assert [int((s > size).sum()) for s in (greedy.best, greedy.n_leaves, greedy.worst)] == [
        4_416,
        28_728,
        41_280,
    ]
    assert (greedy.best <= greedy.n_leaves).all()
    assert (greedy.n_leaves <= greedy.worst).all()
    assert (greedy.best / size).max() == 4 / 3


def fields(table):
    return {name: held for name, held in vars(table).items() if isinstance(held, np.ndarray)}


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("n", range(5))
def test_codes_choose_from_the_table(every, n):
    """Look-ups one by one agree with the square that holds all functions at once."""
    whole = every(n)
    assert whole.codes.tolist() == list(range(2 ** (2**n)))
    chosen = np.flip(whole.codes)[: 2 * (whole.codes.size // 2)].reshape(2, -1)
    part = every(n, codes=chosen)
    assert np.array_equal(part.codes, chosen)
    for name, held in fields(part).items():
        assert held.dtype == fields(whole)[name].dtype, name
        assert np.array_equal(held, fields(whole)[name][chosen]), name


@pytest.mark.parametrize("every", EVERY)
def test_many_codes_are_answered_in_blocks(every):
    code = F.majority(5).code
    codes = np.full((1 << 16) + 1, code)
    codes[-1] = 0
    table = every(5, codes=codes)
    assert table.n_leaves.tolist() == [20] * (1 << 16) + [1]


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize(
    "codes",
    [
        7,
        np.uint8(7),
        [],
        [7],
        np.array([[7], [9]], dtype=np.uint64),
        np.array([200, -1, 7])[::2],
        range(256),
        np.empty((0, 3), dtype=np.int8),
    ],
    ids=repr,
)
def test_codes_of_any_form(every, codes):
    table = every(3, codes=codes)
    for held in fields(table).values():
        assert held.shape == np.shape(codes)
    assert np.array_equal(table.n_leaves, every(3).n_leaves[np.asarray(codes, dtype=int)])


@pytest.mark.parametrize("every", EVERY)
def test_the_callers_codes_are_neither_shared_nor_frozen(every):
    codes = np.array([3, 5])
    table = every(2, codes=codes)
    codes[:] = 0
    assert table.codes.tolist() == [3, 5]


BAD = [
    (lambda: dt.optimal_all(5), ("n must be", "0 to 4", "got 5")),
    (lambda: dt.influence.greedy_all(6, [1]), ("n must be", "0 to 5", "got 6")),
    (lambda: dt.optimal_all(2, dt.ProductDistribution.uniform(3)), ("mu must have", "n = 2", "3")),
    (lambda: dt.influence.greedy_all(5, [2**70]), ("codes must be", "integers", "4294967295")),
    (
        lambda: dt.influence.greedy_all(5, np.zeros(2**22 + 1, int)),
        ("codes", "4,194,304", "4,194,305"),
    ),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=r".") as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)
