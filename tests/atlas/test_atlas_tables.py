"""The tables of the atlas against naive programmes, and what is kept against what is computed."""

from __future__ import annotations

import json
import math
from functools import cache
from itertools import product

import numpy as np
import pytest

import dtviz as dt
from atlas import checks, growth
from atlas.columns import COLUMNS, KEPT
from atlas.making import DATA, PAGE, joined, read, with_class
from atlas.summary import GROWN, summary
from atlas.table import derived, rows

# -- a naive programme: functions are tuples of values, trees are grown in all possible ways -------


def half(table, i, bit):
    return tuple(value for x, value in enumerate(table) if x >> i & 1 == bit)


def wrong(table):
    return min(sum(table), len(table) - sum(table))


def n_of(table):
    return len(table).bit_length() - 1


def key(rule, table, i):
    """What the rule compares, larger being better."""
    low, high = half(table, i, 0), half(table, i, 1)
    if rule == "influence":
        return sum(a != b for a, b in zip(low, high, strict=True))
    if rule == "gini":  # the drop, in fractions of no matter what
        size = len(table)
        return 2 * sum(table) * (size - sum(table)) - sum(
            4 * sum(part) * (size // 2 - sum(part)) for part in (low, high)
        )
    return wrong(table) - wrong(low) - wrong(high)


@cache
def grown(rule, table, order=None):
    """All pairs (leaves, points wrong if splits of no use are not made) over all ways of ties."""
    if len(set(table)) == 1:
        return {(1, 0)}
    keys = [key(rule, table, i) for i in range(n_of(table))]
    asked = [i for i, k in enumerate(keys) if k == max(keys)]
    if order is not None:
        asked = [min(asked, key=order.index)]
    found = set()
    for i in asked:
        rest = None if order is None else tuple(j - (j > i) for j in order if j != i)
        sides = (grown(rule, half(table, i, bit), rest) for bit in (0, 1))
        for low, high in product(*sides):
            stuck = low[1] + high[1] if max(keys) else wrong(table)
            found.add((low[0] + high[0], stuck))
    return found


@cache
def trees(table):
    """(leaves, wrong, depth, rank, queries) of every tree that asks no variable twice."""
    found = {(1, wrong(table), 0, 0, 0)}
    for i in range(n_of(table)):
        for a, b in product(*(trees(half(table, i, bit)) for bit in (0, 1))):
            rank = a[3] + 1 if a[3] == b[3] else max(a[3], b[3])
            found.add(
                (a[0] + b[0], a[1] + b[1], 1 + max(a[2], b[2]), rank, len(table) + a[4] + b[4])
            )
    return found


@cache
def computed(n):
    return rows(n, growth.every(n), np.ones(1 << (1 << n), dtype=np.int64))


def told(table, row):
    return {name: column[row].tolist() for name, column in table.items()}


@pytest.mark.parametrize("n", [1, 2, 3])
def test_rows_against_all_trees_and_all_ties(n):
    table = computed(n)
    for code in range(1 << (1 << n)):
        f = tuple(code >> x & 1 for x in range(1 << n))
        row, every = told(table, code), trees(f)
        right = [tree for tree in every if tree[1] == 0]
        for at, name in ((0, "optimal"), (2, "depth"), (3, "rank"), (4, "queries")):
            assert row[name] == min(tree[at] for tree in right), (name, code)
        assert row["optimal_errors"] == [
            min(tree[1] for tree in every if tree[0] <= s) for s in range(1, (1 << n) + 1)
        ]
        for name, rule in (("greedy", "influence"), ("gini", "gini"), ("error", "error")):
            ends = grown(rule, f)
            assert row[f"{name}_best"] == min(leaves for leaves, _ in ends)
            assert row[f"{name}_worst"] == max(leaves for leaves, _ in ends)
            [(leaves, _)] = grown(rule, f, tuple(range(n)))
            assert row[name] == leaves
            by_order = [next(iter(grown(rule, f, order)))[0] for order in growth.orders(n)]
            assert row[f"{name}_orders"] == np.bincount(by_order, minlength=2**n + 1).tolist()
            if rule != "influence":
                assert row[f"{name}_stuck"] == min(stuck for _, stuck in ends)
        assert row["greedy_sum"] == sum(k * c for k, c in enumerate(row["greedy_orders"]))
        assert row["influences"] == [2 * key("influence", f, i) for i in range(n)]
        assert row["ones"] == sum(f)


def test_ties_by_influence_are_those_of_the_package():
    codes = np.random.default_rng(5).integers(0, 2**32, 3000)
    found, greedy = growth.ties("influence", 5, codes), dt.influence.greedy_all(5, codes)
    assert np.array_equal(found.best, greedy.best)
    assert np.array_equal(found.worst, greedy.worst)


def test_ties_by_the_first_order_go_to_the_lowest_variable():
    codes = np.random.default_rng(6).integers(0, 2**32, 500)
    first = next(growth.sizes_by_order("influence", 5, codes))
    assert np.array_equal(first, dt.influence.greedy_all(5, codes).n_leaves)
    assert growth.orders(5)[0] == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(("n", "count"), [(3, 12), (4, 4), (5, 2)])
def test_rows_against_the_literal_algorithms(n, count):
    codes = np.random.default_rng(n).integers(0, 1 << (1 << n), count)
    checks.check_sample(n, rows(n, codes, np.ones(count)), range(count))


def test_three_costs_break_ties_between_leaves_alike():
    """Drops that are equal in truth are equal in rank, though they are sums of logarithms."""
    from atlas.curves import _drops

    for learner in ("gini", "entropy", "sqrt"):
        drops = _drops(learner, 5)
        # Halves that are pure and differ: all of the cost of the leaf, which is its weight.
        assert drops[1, 1, 1] < drops[2, 2, 2] < drops[3, 4, 4] < drops[5, 16, 16]
        assert len({int(drops[m, k, 0]) for m in range(1, 6) for k in range(0, 2**m + 1, 2)}) == 1
        for k in range(1, 32):
            assert drops[5, k, k % 2] == drops[5, 32 - k, k % 2]


# -- what is kept ---------------------------------------------------------------------------------


@cache
def kept(name):
    return read(DATA / f"{name}.npz")


@cache
def page():
    return json.loads((PAGE / "atlas.json").read_text())


@cache
def functions():
    """The functions of 1 to 4 variables, computed now."""
    found = {}
    for n in range(1, 5):
        classes = dt.atlas.npn_classes(n)
        at = classes.codes.searchsorted(dt.atlas.npn_canonical(n, growth.every(n)))
        found[n] = with_class(n, rows(n, growth.every(n), classes.sizes[at]))
    return found


@cache
def classes(n):
    found = dt.atlas.npn_classes(n)
    return rows(n, found.codes, found.sizes)


def test_the_table_of_functions_is_what_is_computed():
    whole, table = joined([functions()[n] for n in range(1, 5)]), kept("functions")
    assert [*table] == [name for name in KEPT if name in table]
    assert set(table) == set(KEPT)
    for name, column in table.items():
        assert column.dtype == COLUMNS[name].dtype, name
        assert np.array_equal(column, whole[name]), name


def test_the_page_is_told_what_is_computed():
    small = {n: classes(n) for n in range(1, 5)}
    again = json.loads(json.dumps(summary(small, functions())))
    assert again["columns"] == page()["columns"]
    for n in map(str, small):
        assert page()["n"][n] == again["n"][n]
    for n, table in small.items():
        checks.check_sums(n, table)
        checks.check_inequalities(n, table)
        checks.check_two_ways(n, table, functions()[n])


def test_a_sample_of_the_classes_is_what_is_computed():
    table = kept("classes")
    assert set(table) == set(KEPT) - {"least"}
    known = dt.atlas.npn_classes(5)
    assert np.array_equal(table["code"], known.codes)
    assert np.array_equal(table["size"], known.sizes)
    at = np.random.default_rng(19).choice(known.codes.size, 4000, replace=False)
    again = rows(5, known.codes[at], known.sizes[at])
    for name, column in table.items():
        assert np.array_equal(column[at], again[name]), name


def test_the_page_agrees_with_the_table_of_classes():
    """Whole distributions of five variables, from the columns that are kept."""
    table = kept("classes")
    whole, told_of = table | derived(table, 5), page()["n"]["5"]
    sizes = table["size"].astype(np.int64)
    assert told_of["functions"] == 2**32 == sizes.sum()
    for name in ("wrong", "total_influence", "rank", "queries", "greedy_best", "gini_stuck"):
        part = told_of["distributions"][name]
        counts = np.bincount(whole[name], sizes).astype(np.int64)
        assert part["values"] == np.flatnonzero(counts).tolist()
        assert part["functions"] == counts[counts > 0].tolist()
        assert sum(part["classes"]) == sizes.size
    right = {
        name: int(sizes[whole[name] == whole["optimal"]].sum()) for name in GROWN if name in whole
    }
    assert {name: told_of["smallest"][name] for name in right} == right
    for pair, joint in told_of["joint"].items():
        assert np.sum(joint["functions"]) == 2**32, pair
        first = told_of["distributions"][pair.partition("|")[0]]
        assert np.sum(joint["functions"], axis=1).tolist() == first["functions"], pair
    [most] = [e for e in told_of["extremes"] if e["key"] == "greedy-ratio"]
    assert most["value"] == "18/11"
    assert max(table["greedy_best"] / table["optimal"]) == 18 / 11


def test_the_files_are_small():
    sizes = [path.stat().st_size for path in (*DATA.glob("*.npz"), PAGE / "atlas.json")]
    assert len(sizes) == 3
    assert sum(sizes) <= 2.25e6


# -- checks that can fail -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "change", "complaint"),
    [
        ("size", 1, "functions must be 65536, got 65537"),
        ("optimal", 9, "optimal <= greedy_best must hold"),
        ("rank", 4, "rank <= depth must hold"),
        ("greedy_worst", -3, "greedy <= greedy_worst must hold"),
        ("influences", 30, "total influence <= average depth must hold"),
        ("influence_errors", 2, "must hold"),
        ("queries", 60, r"queries <= 2\^n depth must hold"),
    ],
)
def test_a_spoilt_value_is_noticed(column, change, complaint):
    table = dict(classes(4))
    spoilt = table[column].copy()
    spoilt[(5, *[-1] * (spoilt.ndim - 1))] += np.array(change).astype(spoilt.dtype)
    table[column] = spoilt
    check = checks.check_sums if column == "size" else checks.check_inequalities
    with pytest.raises(AssertionError, match=complaint):
        check(4, table)


def test_a_lost_class_and_a_wrong_order_are_noticed():
    table = classes(4)
    with pytest.raises(AssertionError, match="classes must be 222, got 221"):
        checks.check_sums(4, {name: column[1:] for name, column in table.items()})
    with pytest.raises(AssertionError, match="codes ascend"):
        checks.check_sums(4, {name: column[::-1] for name, column in table.items()})


def test_a_spoilt_count_over_orders_is_noticed():
    table = dict(classes(3))
    orders = table["greedy_orders"].copy()
    row = np.flatnonzero(orders.max(axis=1) < math.factorial(3))[0]  # where ties matter
    orders[row] = np.roll(orders[row], 1)
    table["greedy_orders"] = orders
    with pytest.raises(AssertionError, match="n = 3: distributions of greedy"):
        checks.check_two_ways(3, table, functions()[3])
    orders[0, 0] += 1  # of 2 functions, 2/6 more
    with pytest.raises(AssertionError, match="must divide the functions of a class evenly"):
        checks.check_two_ways(3, table, functions()[3])


@pytest.mark.parametrize("column", ["rank", "greedy", "entropy_errors", "queries", "greedy_best"])
def test_a_spoilt_value_fails_the_sample(column):
    table = dict(classes(3))
    table[column] = table[column] + np.uint8(1)
    with pytest.raises(AssertionError, match=column):
        checks.check_sample(3, table, [7])


def test_a_column_never_loses_a_value():
    from atlas.table import _narrow

    with pytest.raises(AssertionError, match="column optimal has values that uint8 cannot hold"):
        _narrow("optimal", np.array([256]))
