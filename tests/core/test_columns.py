"""Missing values and sets of categories: every split against all that could have been made."""

from __future__ import annotations

import copy
import json
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import dtviz as dt

LETTERS = "abcde"


def table(rng, m, *, gaps, kinds=4):
    """A column of numbers, one of bits and one of letters, with gaps or without."""
    frame = pd.DataFrame(
        {
            "size": rng.integers(0, 5, m).astype(float),
            "bit": rng.integers(0, 2, m).astype(float),
            "letter": rng.choice(list(LETTERS[:kinds]), m).astype(object),
        }
    )
    if gaps:
        for name in frame.columns:
            frame.loc[rng.random(m) < 0.25, name] = None
    return frame


def impurity(cost, labels, weights):
    """``n`` times the cost of a leaf: a fraction, or a float where it is none."""
    n = sum(weights)
    if n == 0:
        return 0
    if cost == "squared":
        mean = sum(Fraction(y) * w for y, w in zip(labels, weights, strict=True)) / n
        return sum((Fraction(y) - mean) ** 2 * w for y, w in zip(labels, weights, strict=True))
    counts = [
        sum(w for y, w in zip(labels, weights, strict=True) if y == kind) for kind in set(labels)
    ]
    if cost == "gini":
        return n - Fraction(sum(count * count for count in counts), n)
    if cost == "error":
        return Fraction(n - max(counts))
    shares = [count / n for count in counts if count]
    if cost == "entropy":
        return -n * sum(p * math.log2(p) for p in shares) / 2
    return n * (sum(map(math.sqrt, shares)) ** 2 - 1) / 2


def is_absent(value):
    return value is None or value != value  # noqa: PLR0124 -- what NaN is


def numeric_tests(values):
    """Every way to cut numbers in two, as the rows that go low; missing values go either way."""
    there = sorted({v for v in values if not is_absent(v)})
    for absent_is_low in (True, False):
        for bound in [-math.inf, *there]:
            yield [absent_is_low if is_absent(v) else v <= bound for v in values]


def subset_tests(values):
    """Every set of categories, missing being one."""
    kinds = [None if is_absent(v) else v for v in values]
    among = sorted({str(kind) for kind in kinds})
    for size in range(1, len(among)):
        for low in combinations(among, size):
            yield [str(kind) in low for kind in kinds]


def left(goes, rows, cost, labels, weights):
    """What a split of the rows leaves of n times their cost; infinite if all go one way."""
    sides = [[r for r, low in zip(rows, goes, strict=True) if low == s] for s in (True, False)]
    if not all(sides):
        return math.inf
    return sum(impurity(cost, [labels[r] for r in s], [weights[r] for r in s]) for s in sides)


def walk(tree, frame):
    """For each row, the nodes on its way, found by what the tree's dictionary says."""
    data = tree.to_dict()
    letters = data["names"]["categories"].get("2", [])
    ways = []
    for row in frame.itertuples(index=False):
        node, way = 0, [0]
        while data["variable"][node] >= 0:
            value = row[data["variable"][node]]
            if is_absent(value):
                low = data["missing"][node]
            elif str(node) in data.get("subsets", {}):
                low = letters.index(value) in data["subsets"][str(node)]
            else:
                value = letters.index(value) if isinstance(value, str) else value
                low = data["threshold"][node] is not None and value <= data["threshold"][node]
                low |= data["threshold"][node] is None and not data["missing"][node]
            node = int(tree.low[node] if low else tree.high[node])
            way.append(node)
        ways.append(way)
    return ways


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("cost", ["gini", "entropy", "error", "sqrt", "squared"])
@pytest.mark.parametrize("gaps", [True, False], ids=["gaps", "full"])
def test_no_split_is_better_than_the_one_made(cost, gaps, weighted):
    rng = np.random.default_rng(7)
    seen = {"subset": 0, "missing": 0}
    for trial in range(25):
        m = int(rng.integers(4, 16))
        frame = table(rng, m, gaps=gaps)
        labels = rng.integers(0, 2 + trial % 3 if cost != "squared" else 5, m).tolist()
        weights = rng.integers(1, 4, m).tolist() if weighted else [1] * m
        given = {"sample_weight": weights} if weighted else {}
        tree = dt.grow(frame, labels, cost, **given).tree()
        ways = walk(tree, frame)
        assert tree.apply(frame).tolist() == [way[-1] for way in ways]
        for node in np.flatnonzero(tree.variable >= 0).tolist():
            rows = [r for r, way in enumerate(ways) if node in way]
            low = [int(tree.low[node]) in ways[r] for r in rows]
            seen["subset"] += node in tree.subsets

            offered = []
            for i, name in enumerate(frame.columns):
                values = [frame[name][r] for r in rows]
                offered += subset_tests(values) if i == 2 else numeric_tests(values)
            chosen = left(low, rows, cost, labels, weights)
            best = min(left(goes, rows, cost, labels, weights) for goes in offered)
            if cost in {"gini", "error"} and not weighted:
                assert chosen == best
            assert float(chosen) == pytest.approx(float(best), abs=1e-9)
            absent = [is_absent(frame.iloc[r, tree.variable[node]]) for r in rows]
            if gaps and not any(absent):
                own = [weights[r] for r in rows]
                assert tree.missing[node] == (2 * np.dot(own, low) > sum(own))
            seen["missing"] += any(absent)
    assert seen["subset"] > 20
    assert (seen["missing"] > 20) is gaps


def test_what_is_missing_alone_can_be_what_matters():
    tree = dt.id3([[1.0], [None], [3.0], [None]], ["a", "b", "a", "b"])
    assert str(tree) == "x0 is missing\n├─ yes: b\n└─ no: a"
    assert tree.threshold[0] == -np.inf
    assert tree.predict([[np.nan], [-np.inf], [1e308]]).tolist() == ["b", "a", "a"]
    assert dt.Tree.from_dict(json.loads(json.dumps(tree.to_dict()))) == tree
    assert copy.deepcopy(tree) == tree


def test_a_tie_sends_missing_values_low_and_a_full_node_with_the_larger_side():
    # Either way of the missing value is as good.
    tree = dt.id3([[1.0, 0], [2.0, 0], [np.nan, 0], [np.nan, 1]], [0, 1, 0, 1])
    assert tree.missing is not None
    assert bool(tree.missing[0])
    # The root has no gap in x0; three of its rows are high.
    X = [[1.0, 0], [5.0, 0], [6.0, np.nan], [7.0, 0]]
    tree = dt.id3(X, [0, 1, 1, 1])
    assert not tree.missing[0]
    assert tree([np.nan, 0]) == 1


def test_a_tree_that_saw_no_gap_refuses_one():
    tree = dt.id3([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="X must not contain NaN, got one in row 1: the tree has"):
        tree.predict([[1.0], [np.nan]])
    with pytest.raises(ValueError, match="X must"):
        tree([np.nan])


@pytest.mark.parametrize("maker", ["pandas", "polars", "arrow", "list", "categorical", "nullable"])
def test_gaps_come_from_every_maker(maker):
    columns = {"n": [1, None, 3, 4, 2**53 - 1], "t": ["u", "v", None, "u", "w"]}
    labels = [0, 1, 1, 0, 1]
    expected = dt.id3(pd.DataFrame(columns), labels)
    if maker == "polars":
        frame = pytest.importorskip("polars").DataFrame(columns)
    elif maker == "arrow":
        frame = pytest.importorskip("pyarrow").table(columns)
    elif maker == "list":
        frame = [list(row) for row in zip(*columns.values(), strict=True)]
    else:
        frame = pd.DataFrame(columns)
        if maker == "categorical":
            frame["t"] = frame["t"].astype("category")
        if maker == "nullable":
            frame["n"] = frame["n"].astype("Int64")
    tree = dt.id3(frame, labels)
    assert tree == expected
    assert tree.predict(frame).tolist() == labels
    assert tree.names.missing == {0, 1}


def test_integers_too_large_are_refused_beside_a_gap():
    for frame in (
        pd.DataFrame({"n": pd.array([1, None, 2**53 + 1], dtype="Int64")}),
        pd.DataFrame({"n": [1, 2, 2**53 + 1], "r": [0.5, 1, 2]}),
    ):
        with pytest.raises(
            ValueError, match=r"below 2\^53, which floats hold exactly, got .* row 2"
        ):
            dt.grow(frame, [0, 1, 1])


def test_a_split_tells_its_set_and_its_way():
    split = dt.impurity.best_split([["u", 1], ["v", 1], [None, None], ["u", 1]], [0, 1, 1, 0])
    assert (split.variable, split.subset, split.missing) == (0, frozenset({0}), False)
    plain = dt.impurity.best_split([[1], [2]], [0, 1])
    assert plain.subset is plain.missing is None


def test_an_order_that_means_something_is_kept():
    sizes = ["small", "large", "medium", "small", "large", "medium"]
    labels = [0, 0, 1, 0, 0, 1]
    free = dt.id3(pd.DataFrame({"s": sizes}), labels)
    assert str(free) == "s is not medium\n├─ yes: 0\n└─ no: 1"
    order = pd.CategoricalDtype(["small", "medium", "large"], ordered=True)
    kept = dt.id3(pd.DataFrame({"s": pd.Categorical(sizes, dtype=order)}), labels)
    assert not kept.subsets
    assert kept.n_leaves == 3


@pytest.mark.parametrize("kinds", [3, 5, 12])
@pytest.mark.parametrize("cost", ["gini", "entropy", "error", "sqrt", "squared"])
def test_what_categories_are_called_makes_no_difference(cost, kinds):
    """Many ties: few rows, and a second column with the same names."""
    rng = np.random.default_rng(kinds)
    names = np.array(list("abcdefghijkl"[:kinds]))
    for trial in range(12):
        m = int(rng.integers(4, 40))
        codes = rng.integers(0, kinds, (m, 2))
        labels = rng.integers(0, 2 + trial % 3, m)
        weights = rng.integers(1, 3, m) if trial % 2 else None
        gap = rng.random(m) < 0.1 * (trial % 4)
        trees = []
        for again in range(3):
            called = rng.permutation(names) if again else names
            frame = pd.DataFrame(called[codes], columns=["p", "q"]).astype(object)
            frame.loc[gap, "q"] = None
            path = dt.grow(frame, labels, cost, sample_weight=weights)
            tree, old = path.tree(), dict(zip(called, names, strict=True))
            sets = {
                node: {old[tree.names.categories[tree.variable[node]][code]] for code in codes}
                for node, codes in tree.subsets.items()
            }
            nodes = tree.variable.tolist(), tree.value.tolist(), tree.threshold.tolist()
            trees.append((nodes, sets, tree.apply(frame).tolist(), path.scores.tolist()))
        assert trees[0] == trees[1] == trees[2]


def test_three_classes_and_six_colors_need_three_leaves():
    """In alphabetical order they needed six."""
    colors = pd.DataFrame({"color": list("abcdef") * 2})
    tree = dt.grow(colors, list("xyzxyz") * 2).tree()
    assert tree.n_leaves == 3
    lines = "color in {a, d}|├─ yes: x|└─ no: color in {b, e}|   ├─ yes: y|   └─ no: z"
    assert str(tree).split("\n") == lines.split("|")
    assert tree.predict(pd.DataFrame({"color": ["f", "a"]})).tolist() == ["z", "x"]


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_sets_leave_enough_rows_on_both_sides(weighted):
    rng = np.random.default_rng(3)
    for _ in range(40):
        m, fewest = int(rng.integers(8, 20)), int(rng.integers(2, 5))
        frame = pd.DataFrame({"letter": rng.choice(list(LETTERS), m).astype(object)})
        labels = rng.integers(0, 3, m).tolist()
        weights = rng.integers(1, 4, m).tolist() if weighted else [1] * m
        given = {"min_samples_leaf": fewest, "sample_weight": weights}
        split = dt.grow(frame, labels, max_leaves=2, **given)
        possible = []
        for goes in subset_tests(frame["letter"].tolist()):
            sides = [[r for r in range(m) if goes[r] is side] for side in (True, False)]
            if all(len(side) >= fewest for side in sides):
                possible.append(left(goes, range(m), "gini", labels, weights))
        assert split.n_splits == bool(possible)
        if possible:
            expected = float(min(possible)) / sum(weights)
            assert split.costs[1] == pytest.approx(expected, abs=1e-12)


def test_no_order_of_three_classes_finds_the_best_set():
    """The counterexample of the page on regression: by the share of a class it is 41.511."""
    counts = [[3, 0, 3], [0, 1, 0], [17, 1, 1], [0, 1, 1]]
    counts += [[0, 1, 2], [7, 8, 0], [2, 7, 7], [6, 1, 7]]
    rows = [(f"k{j}", k) for j, row in enumerate(counts) for k in range(3) for _ in range(row[k])]
    letters, labels = zip(*rows, strict=True)
    path = dt.grow([[letter] for letter in letters], labels, max_leaves=2)
    assert path.splits[0].subset in ({0, 1, 3, 4, 6, 7}, {2, 5})
    assert path.costs[1] * len(rows) == pytest.approx(41.361, abs=5e-4)


def test_many_categories_of_many_classes():
    """Classes along a line are parted best by the principal component; the other orders help."""
    rng = np.random.default_rng(11)
    names = np.array([f"k{i}" for i in rng.permutation(40)])
    codes = rng.integers(0, 40, 4000)
    labels = np.where(rng.random(4000) < 0.1, rng.integers(0, 4, 4000), codes // 10)
    text, number = (
        dt.grow(pd.DataFrame({"k": k}), labels, max_leaves=4) for k in (names[codes], codes)
    )
    assert (text.costs <= number.costs + 1e-12).all()
    assert text.errors[-1] < 0.1


def test_a_category_that_a_node_never_saw_goes_high():
    # Where bit is 0 only a and b occur; where it is 1, only c.
    letters, bits = list("aaabbcccc"), [0] * 5 + [1] * 4
    frame = pd.DataFrame({"bit": bits, "letter": letters})
    tree = dt.grow(frame, [0, 0, 0, 1, 1, 2, 2, 2, 2], "squared").tree()
    assert tree.variable.tolist()[:2] == [0, 1]
    assert tree.subsets == {1: frozenset({0})}
    assert tree.predict(pd.DataFrame({"bit": [0], "letter": ["c"]})).tolist() == [1.0]


def test_sets_hold_what_their_nodes_saw():
    """Else a column of many categories would fill the memory: a set of them for each split."""
    rng = np.random.default_rng(1)
    m, kinds = 4000, 1000
    frame = pd.DataFrame({"code": np.char.add("k", rng.integers(0, kinds, m).astype(str))})
    frame["x"] = rng.normal(size=m)
    path = dt.grow(frame, rng.integers(0, 2, m))
    tree, leaf = path.tree(), path.tree().apply(frame)
    rows = {
        node: ((leaf >= node) & (leaf < node + 2 * tree.leaves_below[node] - 1)).sum()
        for node in tree.subsets
    }
    assert len(rows) > 100
    assert all(len(tree.subsets[node]) < count for node, count in rows.items())


def test_a_category_called_missing_is_one_like_others():
    X = [["missing"], ["u"], [None], ["v"]]
    tree = dt.id3(X, [0, 1, 0, 1])
    assert str(tree).startswith("x0 = 'missing' or missing\n")
    assert tree.predict(X).tolist() == [0, 1, 0, 1]


def test_the_rules_of_trees_with_ways():
    leaf = dt.Tree.leaf
    tree = dt.Tree.split(0, leaf(0), leaf(1), subset=[0, 2], missing=True)
    assert tree.predict([[0], [1], [2], [9], [0.5], [np.nan]]).tolist() == [0, 1, 0, 1, 1, 0]
    assert str(tree).startswith("x0 in {0, 2}")
    assert not tree.is_boolean
    assert tree != dt.Tree.split(0, leaf(0), leaf(1), subset=[0, 2], missing=False)
    assert tree != dt.Tree.split(0, leaf(0), leaf(1), missing=True)
    assert hash(tree) != hash(dt.Tree.split(0, leaf(0), leaf(1), missing=True))
    both = dt.Tree.split(1, tree, leaf(2), missing=False)
    assert both.subsets == {1: frozenset({0, 2})}
    assert both.missing.tolist() == [False, True, False, False, False]
    assert dt.Tree.from_dict(both.to_dict()) == both
    assert both.bare().subsets == both.subsets
    assert both.bare().missing is not None
    for wrong in (
        lambda: dt.Tree.split(1, tree, leaf(2)),
        lambda: dt.Tree.split(1, dt.Tree.split(0, leaf(0), leaf(1)), leaf(2), missing=True),
        lambda: dt.Tree.split(0, leaf(0), leaf(1), missing=1),
        lambda: dt.Tree([0, -1, -1], missing=[True]),
        lambda: dt.Tree([0, -1, -1], missing=[2, 0, 0]),
    ):
        with pytest.raises(ValueError, match="missing must be"):
            wrong()
    for subsets in ({1: [0]}, {0: "ab"}, {0: [-1]}, {0: [1.5]}, {"0": [1]}, [1]):
        with pytest.raises(ValueError, match="subsets"):
            dt.Tree([0, -1, -1], subsets=subsets)
    for threshold, way in ((-np.inf, False), (np.inf, True), (np.nan, True)):
        with pytest.raises(ValueError, match="threshold must be finite numbers"):
            dt.Tree([0, -1, -1], threshold=[threshold, 0, 0], missing=[way, False, False])
    present = dt.Tree([0, -1, -1], [0, 1, 2], [np.inf, 0, 0], missing=[False, False, False])
    assert str(present).startswith("x0 is not missing")
    assert present.predict([[5.0], [np.nan]]).tolist() == [1, 2]


def test_prunings_and_scores_keep_the_ways():
    rng = np.random.default_rng(0)
    frame = table(rng, 60, gaps=True, kinds=5)
    labels = rng.integers(0, 2, 60)
    path = dt.grow(frame, labels)
    pruned = dt.pruning.smallest_prunings(path.tree(), frame, labels)
    for size in pruned.front_n_leaves.tolist():
        tree = pruned.tree(size)
        assert (tree.predict(frame) != labels).sum() == pruned.pruning(size).errors
    shares = [(path.tree(k).predict(frame) == labels).mean() for k in range(1, path.n_leaves + 1)]
    assert path.score(frame, labels).tolist() == pytest.approx(shares)
    assert 1 - path.errors == pytest.approx(shares)
    assert copy.deepcopy(path).tree() == path.tree()
