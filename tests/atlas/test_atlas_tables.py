"""The tables of the atlas against naive programs, and what is kept against what is computed."""

from __future__ import annotations

import json
from functools import cache
from itertools import product

import numpy as np
import pytest

import dtviz as dt
from atlas import growth
from atlas.__main__ import DATA, PAGE, check, functions, make
from atlas.extremes import EXTREMES
from atlas.summary import RULES, summary
from atlas.tables import COLUMNS, join_tables, rows
from dtviz.atlas.explorer import tables


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


@pytest.mark.parametrize("n", [1, 2, 3])
def test_rows_against_all_trees_and_all_ties(n):
    codes = growth.every(n)
    table = rows(n, codes, np.ones(codes.size))
    by_rule = {rule: growth.ties(rule, n, codes) for rule in ("gini", "error")}
    by_order = {rule: list(growth.sizes_by_order(rule, n, codes)) for rule in RULES.values()}
    for code in codes.tolist():
        f = tuple(code >> x & 1 for x in range(1 << n))
        row = {name: column[code].tolist() for name, column in table.items()}
        right = [tree for tree in trees(f) if tree[1] == 0]
        for at, name in ((0, "optimal"), (2, "depth"), (3, "rank"), (4, "queries")):
            assert row[name] == min(tree[at] for tree in right), (name, code)
        leaves = {rule: [leaves for leaves, _ in grown(rule, f)] for rule in by_order}
        assert row["greedy_best"] == min(leaves["influence"])
        assert row["greedy_worst"] == max(leaves["influence"])
        assert row["gini_best"] == min(leaves["gini"])
        assert row["gini_stuck"] == min(stuck for _, stuck in grown("gini", f))
        for rule, found in by_rule.items():
            assert (found.best[code], found.worst[code]) == (min(leaves[rule]), max(leaves[rule]))
        for rule, sizes in by_order.items():
            for order, found in zip(growth.orders(n), sizes, strict=True):
                assert {found[code]} == {leaves for leaves, _ in grown(rule, f, order)}
        assert row["influences"] == [2 * key("influence", f, i) for i in range(n)]
        assert row["ones"] == sum(f)


def test_ties_by_influence_are_those_of_the_package():
    codes = np.random.default_rng(5).integers(0, 2**32, 3000)
    found, greedy = growth.ties("influence", 5, codes), dt.influence.greedy_all(5, codes)
    assert np.array_equal(found.best, greedy.best)
    assert np.array_equal(found.worst, greedy.worst)
    first = next(growth.sizes_by_order("influence", 5, codes))
    assert growth.orders(5)[0] == (0, 1, 2, 3, 4)
    assert np.array_equal(first, greedy.n_leaves)


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match=r"rule must be .*, got 'luck'"):
        growth.keys_of("luck", [(np.array([0]), np.array([1]))], 1)


@cache
def kept(name):
    with np.load(DATA / f"{name}.npz", allow_pickle=False) as arrays:
        return dict(arrays)


def classes(n):
    found = dt.atlas.npn_classes(n)
    return rows(n, found.codes, found.sizes)


def test_what_is_made_is_what_is_kept(tmp_path, capsys):
    """All functions of up to 4 variables: the same bytes, and the page's part of them."""
    make(tmp_path, tmp_path, most=4)
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert set(kept("functions")) == set(COLUMNS)
    with np.load(tmp_path / "classes.npz") as four:
        assert four["size"].sum() == 2**16
    again, page = (json.loads((folder / "atlas.json").read_text()) for folder in (tmp_path, PAGE))
    assert again["columns"] == page["columns"]
    assert again["n"] == {n: page["n"][n] for n in "1234"}
    found = join_tables([functions(n) for n in range(1, 5)])
    for name, column in kept("functions").items():
        assert column.dtype == COLUMNS[name].dtype
        assert np.array_equal(column, found[name]), name


def test_a_sample_of_the_classes_is_what_is_computed():
    table, known = kept("classes"), dt.atlas.npn_classes(5)
    assert set(table) == set(COLUMNS) - {"least"}
    assert np.array_equal(table["code"], known.codes)
    assert np.array_equal(table["size"], known.sizes)
    check(5, table)
    at = np.random.default_rng(19).choice(known.codes.size, 4000, replace=False)
    again = rows(5, known.codes[at], known.sizes[at])
    for name, column in table.items():
        assert np.array_equal(column[at], again[name]), name


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_classes_count_as_their_functions_do(n):
    """Ties to the lowest variable: over the orders of a class, and over functions one by one."""
    counts, codes = tables()["n"][str(n)]["smallest"], growth.every(n)
    optimal = dt.optimal_all(n).n_leaves
    for name, rule in RULES.items():
        assert counts[name] == (next(growth.sizes_by_order(rule, n, codes)) == optimal).sum()


def test_the_page_agrees_with_the_table_of_classes():
    table, page = kept("classes"), tables()["n"]["5"]
    sizes = table["size"].astype(np.int64)
    assert page["functions"] == 2**32 == sizes.sum()
    for name in ("greedy_best", "greedy_worst", "gini_best"):
        assert page["smallest"][name] == sizes[table[name] == table["optimal"]].sum()
    for pair, joint in page["joint"].items():
        first, second = (table[name] for name in pair.split("|"))
        for a, value in enumerate(joint["first"]):
            for b, other in enumerate(joint["second"]):
                here = (first == value) & (second == other)
                assert joint["functions"][a][b] == sizes[here].sum()
                assert joint["classes"][a][b] == here.sum()
                code = joint["codes"][a][b]
                assert code is None or int(code, 16) == table["code"][here][0]
    values = {extreme["key"]: extreme["value"] for extreme in page["extremes"]}
    assert set(values) == set(EXTREMES)
    assert values["greedy-ratio"] == "18/11"
    assert max(table["greedy_best"] / table["optimal"]) == 18 / 11
    assert values["greedy-adds"] == (table["greedy_best"] - table["optimal"].astype(int)).max()
    assert values["rank-2-fewest"] == table["optimal"][table["rank"] == 2].min()


def test_the_files_are_small():
    sizes = [path.stat().st_size for path in (*DATA.glob("*.npz"), PAGE / "atlas.json")]
    assert len(sizes) == 3
    assert sum(sizes) <= 2e6


@pytest.mark.parametrize(
    ("column", "change", "complaint"),
    [
        ("size", 1, "functions must be 65536, got 65537"),
        ("optimal", 9, r"optimal <= 2\^depth must hold"),
        ("greedy_best", -1, "optimal <= greedy_best must hold"),
        ("gini_best", -1, "optimal <= gini_best must hold"),
        ("rank", 4, "must hold"),
        ("greedy_worst", -3, "greedy_best <= greedy_worst must hold"),
        ("influences", 30, "total influence <= average depth must hold"),
        ("queries", 60, r"queries <= 2\^n depth must hold"),
    ],
)
def test_a_spoiled_value_is_noticed(column, change, complaint):
    table = classes(4)
    table[column][(5, *[-1] * (table[column].ndim - 1))] += np.array(change).astype("uint8")
    with pytest.raises(AssertionError, match=complaint):
        check(4, table)


def test_a_lost_class_and_a_wrong_order_are_noticed():
    table = classes(4)
    with pytest.raises(AssertionError, match="classes must be 222, got 221"):
        check(4, {name: column[1:] for name, column in table.items()})
    with pytest.raises(AssertionError, match="codes ascend"):
        check(4, {name: column[::-1] for name, column in table.items()})


def test_sizes_that_the_orders_do_not_divide_are_noticed():
    table = classes(3)
    table["size"] += np.uint32(1)
    with pytest.raises(AssertionError, match="must divide the functions of a class evenly"):
        summary(3, table)
