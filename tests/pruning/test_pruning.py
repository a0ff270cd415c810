"""Pruning against brute force over all prunings, exact counts, scikit-learn and the gold sample."""

from __future__ import annotations

import itertools
import json
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_diabetes
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import dtviz as dt
from dtviz import pruning
from dtviz.core.cart.criteria import CLASS_COST_FUNCTIONS
from dtviz.core.tree.tree import Tree


def all_cuts(tree, v=0):
    """Every pruning, as the set of internal nodes made leaves."""
    if tree.variable[v] < 0:
        return [frozenset()]
    below = itertools.product(all_cuts(tree, int(tree.low[v])), all_cuts(tree, int(tree.high[v])))
    return [frozenset({v}), *(a | b for a, b in below)]


def cut_tree(tree, cuts, labels, v=0):
    """The pruned tree by the definition."""
    if tree.variable[v] < 0:
        return Tree.leaf(labels[v])
    if v in cuts:
        return Tree.leaf(labels[v])
    low, high = (cut_tree(tree, cuts, labels, int(c[v])) for c in (tree.low, tree.high))
    return Tree.split(int(tree.variable[v]), low, high, float(tree.threshold[v]))


def test_the_sample_that_labels_cut_nodes_must_be_named():
    """By the majority of the pruning sample it would be another algorithm than the book's."""
    tree = Tree.split(0, Tree.leaf(0), Tree.leaf(1))
    with pytest.raises(TypeError, match="grown_on"):
        dt.pruning.reduced_error_prune(tree, [[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="grown_on must be the sample that labels a node"):
        dt.pruning.reduced_error_prune(tree, [[0], [1]], [0, 1], grown_on=None)


class Table:
    """Rows that count how often they are made an array."""

    def __init__(self, rows):
        self.rows, self.readings = rows, 0

    def __array__(self, dtype=None, copy=None):
        self.readings += 1
        return np.array(self.rows, dtype)


@pytest.mark.parametrize("weights", [None, [1, 2, 0, 1]])
def test_a_table_is_read_once(weights):
    rows, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1]
    tree, table = dt.id3(rows, y), Table(rows)
    found = dt.pruning.bottom_up_prune(tree, table, y, c=0.1, sample_weight=weights)
    assert table.readings == 1
    assert (
        found.tree()
        == dt.pruning.bottom_up_prune(tree, rows, y, c=0.1, sample_weight=weights).tree()
    )


def test_the_tests_that_are_counted_are_of_all_columns_of_a_data_set():
    people = dt.datasets.titanic()
    tree = dt.grow(people).tree(8)
    found = dt.pruning.bottom_up_path(tree, people)
    other = dt.pruning.bottom_up_path(tree, people.X, people.y)
    assert found.breaks.tolist() == other.breaks.tolist()


def test_ties_are_cut_and_the_current_subtree_counts():
    inner = Tree.split(1, Tree.leaf(0), Tree.leaf(1))
    tree = Tree.split(0, inner, Tree.leaf(1))
    X, y = [[0, 0], [0, 0], [0, 1], [1, 0]], [0, 0, 0, 0]
    found = dt.pruning.reduced_error_prune(tree, X, y, grown_on=(X, y))
    assert [
        (d.node, d.subtree_leaves, d.subtree_errors, d.leaf_errors, d.cut) for d in found.decisions
    ] == [
        (1, 2, 1, 0, True),
        (0, 2, 1, 0, True),  # by then the subtree below has one leaf and no error
    ]
    assert found.decisions[0].gone
    assert not found.decisions[1].gone
    same = Tree.split(0, Tree.leaf(0), Tree.leaf(0))
    tie = dt.pruning.reduced_error_prune(same, [[0]], [0], grown_on=([[1]], [0]))
    assert tie.tree() == Tree.leaf(0)


def staircase(saved):
    """A chain of tests, each of which saves so many errors, on a sample in which none is wrong."""
    chain, X, y = dt.Tree.leaf(len(saved) % 2), [], []
    for k in range(len(saved) - 1, -1, -1):
        chain = dt.Tree.split(k, dt.Tree.leaf(k % 2), chain)
    for k, times in enumerate((*saved, saved[-1])):
        X += [[1] * k + [0] * (len(saved) - k)] * times
        y += [k % 2] * times
    return chain, X, y


def test_equal_risks_go_to_the_smallest_tree():
    """10/25 + sqrt(1/25) = 0/25 + sqrt(9/25), though not as floats."""
    chain, X, y = staircase((3, 2, 3, 2, 3, 3, 3, 3))
    found = dt.pruning.srm_prune(chain, X, y)
    assert found.objective.min() < found.objective[found.choice]
    assert (found.n_leaves, found.errors) == (1, 10)
    for factor, size in ((1, 1), (math.nextafter(1, 0), 9), (1 - Fraction(1, 10**40), 9)):
        assert dt.pruning.srm_prune(chain, X, y, factor=factor).n_leaves == size


def precise_choice(sizes, errors, m, factor):
    """Where the risk is least, to 60 digits: the first place if several are."""
    with localcontext() as context:
        context.prec = 80
        price = Decimal(factor.numerator) / factor.denominator * m
        risks = [Decimal(e) + (price * k).sqrt() for k, e in zip(sizes, errors, strict=True)]
        rounded = [risk.quantize(Decimal(10) ** -60) for risk in risks]
        return rounded.index(min(rounded))


def breaks_of_risks(sizes, errors, m):
    """The factors, rounded, at which two trees are equally good."""
    corners = itertools.combinations(zip(sizes, errors, strict=True), 2)
    return [
        ((more - fewer) * (math.sqrt(k) + math.sqrt(K)) / (K - k)) ** 2 / m
        for (k, more), (K, fewer) in corners
    ]


def test_ties_of_risks_are_decided_as_sixty_digits_do():
    """Factors at which two trees of perfect squares are tied, and the floats beside the breaks."""
    rng, tied = np.random.default_rng(0), 0
    for _ in range(15):
        chain, X, y = staircase([int(k) for k in rng.integers(1, 4, size=rng.integers(4, 20))])
        m, whole = len(y), dt.pruning.smallest_prunings(chain, X, y)
        sizes, errors = whole.front_n_leaves.tolist(), whole.front_errors.tolist()
        corners = dict(zip(sizes, errors, strict=True))
        roots = {r: corners[r * r] for r in range(1, 6) if r * r in corners}
        breaks = breaks_of_risks(sizes, errors, m)
        factors = {Fraction(b) for b in breaks}
        factors |= {Fraction(math.nextafter(b, to)) for b in breaks for to in (0, 9)}
        for r, s in itertools.combinations(roots, 2):
            factors.add(Fraction((roots[r] - roots[s]) ** 2, m * (s - r) ** 2))
            tied += 1
        for factor in factors:
            expected = sizes[precise_choice(sizes, errors, m, factor)]
            assert dt.pruning.srm_prune(chain, X, y, factor=factor).n_leaves == expected
    assert tied > 15


def test_cross_validation_with_weights_by_definition():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (50, 4))
    y = (X[:, 0] & X[:, 1]) ^ (rng.random(50) < 0.2)
    w = rng.integers(0, 4, 50)
    kept = np.flatnonzero(w)
    # A row that weighs nothing is in no fold, and may hold anything.
    hostile = X.astype(float)
    hostile[w == 0] = np.nan
    found = dt.pruning.cross_validated_prune(hostile, y, dt.grow, folds=4, rng=3, sample_weight=w)
    X, y, w = X[kept], y[kept], w[kept]
    fold = np.random.default_rng(3).permutation(np.arange(kept.size) % 4)
    whole = dt.pruning.smallest_prunings(
        dt.grow(X, y, sample_weight=w).tree(), X, y, sample_weight=w
    )
    assert found.candidates.tolist() == whole.front_n_leaves.tolist()
    totals = np.zeros(found.candidates.size, dtype=int)
    for k in range(4):
        rest, out = fold != k, fold == k
        copies = np.repeat(np.flatnonzero(rest), w[rest])  # what the weights of the others mean
        tree = dt.grow(X[copies], y[copies]).tree()
        pruned = dt.pruning.smallest_prunings(tree, X[copies], y[copies], classes=[False, True])
        for j, size in enumerate(found.candidates.tolist()):
            wrong = pruned.tree(size).predict(X[out]) != y[out]
            totals[j] += w[out][wrong].sum()
    assert found.held_out.tolist() == totals.tolist()
    assert found.tree() == whole.tree(int(found.candidates[totals.argmin()]))
    assert len(set(totals.tolist())) > 1


def test_cross_validation_counts_a_weight_and_keeps_it_together():
    rng = np.random.default_rng(2)
    X, y = rng.random((40, 2)), rng.integers(0, 2, 40)
    plain = dt.pruning.cross_validated_prune(X, y, dt.grow)
    for weight in (1, 7, 0.5, 1e20):
        same = dt.pruning.cross_validated_prune(X, y, dt.grow, sample_weight=np.full(40, weight))
        assert (weight * plain.held_out).tolist() == same.held_out.tolist()
        assert same.tree() == plain.tree()
    given = [3] * 4 + [0] * 36
    with pytest.raises(ValueError, match="examples of positive sample_weight, 4, got 5"):
        dt.pruning.cross_validated_prune(X, y, dt.grow, sample_weight=given)


def test_cross_validation_survives_a_class_that_a_fold_lacks():
    X = np.arange(9.0)[:, None]
    y = np.array([0] * 4 + [1] * 4 + [2])

    def grow(X, y):
        return dt.from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y))

    assert dt.pruning.cross_validated_prune(X, y, grow, folds=3).held_out[-1] >= 1


def learnable_case(seed, m=60):
    """A tree with something to keep: labels from a small tree, with noise, fitted to purity."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (m, 4))
    y = (X[:, 0] ^ X[:, 1]) ^ (rng.random(m) < 0.15)
    return dt.from_sklearn(DecisionTreeClassifier(random_state=seed).fit(X, y)), X, y.astype(int)


@pytest.mark.parametrize("seed", range(30))
def test_one_pass_finds_the_result_for_every_constant(seed):
    tree, X, y = learnable_case(seed, m=50 + 10 * seed)
    for delta in (0.05, 0.6):
        path = pruning.bottom_up_path(tree, X, y, delta=delta)
        assert path.breaks[0] == 0
        assert (np.diff(path.breaks) > 0).all()
        inside = [*(path.breaks[:-1] + path.breaks[1:]) / 2, path.breaks[-1] + 0.5]
        for j, value in enumerate(inside):
            one = dt.pruning.bottom_up_prune(tree, X, y, delta=delta, c=value)
            assert (one.n_leaves, one.errors) == (path.n_leaves[j], path.errors[j])
            assert path.tree(value=value) == one.tree()
        for j, value in enumerate(path.breaks):
            there = path.pruning(value=value)
            assert (there.n_leaves, there.errors) == (path.n_leaves[j], path.errors[j])
    assert pruning.bottom_up_path(tree, X, y, delta=0.05).n_leaves[-1] == 1


def test_a_larger_constant_may_keep_more():
    """Cutting a small subtree lowers the penalty of the large one above it."""
    tree = Tree.split(0, Tree.leaf(0), Tree.split(1, Tree.leaf(1), Tree.leaf(0)))
    X = np.repeat([[0, 0], [1, 0], [1, 1]], [1000, 15, 2], axis=0)
    path = pruning.bottom_up_path(tree, X, tree.predict(X), n_tests=1000)
    assert path.n_leaves.tolist() == [3, 1, 2, 1]
    assert path.errors.tolist() == [0, 15, 2, 15]


def exact_cost(cost, labels):
    """What a leaf costs, times its examples, to fifty digits."""
    y, m = [Decimal(label) for label in labels], Decimal(len(labels))
    shares = [labels.count(k) / m for k in set(labels)]
    pairs = list(itertools.combinations(shares, 2))
    costs = {
        "error": lambda: 1 - max(shares),
        "gini": lambda: 2 * sum(p * q for p, q in pairs),
        "entropy": lambda: -sum(p * p.ln() for p in shares) / (2 * Decimal(2).ln()),
        "sqrt": lambda: sum((p * q).sqrt() for p, q in pairs),
        "squared": lambda: sum(a * a for a in y) / m - (sum(y) / m) ** 2,
    }
    return m * costs[cost]()


@pytest.mark.parametrize(
    ("cost", "scale"),
    [*((cost, 1) for cost in CLASS_COST_FUNCTIONS), ("squared", 1), ("squared", 2**-24)],
)
def test_a_price_that_is_hit_gives_the_smallest_tree(cost, scale):
    """Prices at which prunings tie, in exact arithmetic, as the nearest floats."""
    rng, tied = np.random.default_rng(1), 0
    for m in [10, 20, 20, 25, 40, 50] * 2:
        X, y = rng.integers(0, 5, (m, 2)), scale * rng.integers(0, 2, m)
        tree = dt.grow(X, y, cost, max_leaves=7).tree()
        leaf, below = tree.apply(X), 2 * tree.leaves_below - 1
        with localcontext() as context:
            context.prec = 50
            costs = [
                exact_cost(cost, y[(leaf >= v) & (leaf < v + below[v])].tolist()) / m
                for v in range(tree.n_nodes)
            ]
            least = {}
            for cuts in all_cuts(tree):
                ends = [v for v in range(tree.n_nodes) if v in cuts or tree.variable[v] < 0]
                ends = [v for v in ends if not any(u < v < u + below[u] for u in cuts)]
                total = sum(costs[v] for v in ends)
                least[len(ends)] = min(total, least.get(len(ends), total))
            prices = {
                (least[small] - least[large]) / (large - small)
                for small, large in itertools.combinations(sorted(least), 2)
            }
            wanted = {}
            for price in filter(lambda price: price > 0, prices):
                best = min(total + price * size for size, total in least.items())
                ties = [
                    s for s, total in least.items() if total + price * s < best + Decimal("1e-40")
                ]
                if len(ties) > 1:
                    wanted[float(price)] = min(ties)
        path = dt.pruning.cost_complexity_path(tree, X, y, cost=cost)
        for price, size in wanted.items():
            prune = dt.pruning.cost_complexity_prune(tree, X, y, price, cost=cost)
            models = (dt.TopDownRegressor, dt.TopDownClassifier)
            model = models[0](7) if cost == "squared" else models[1](cost, 7)
            model.set_params(ccp_alpha=price).fit(X, y)
            sizes = [prune.n_leaves, path.tree(value=price).n_leaves, model.get_n_leaves()]
            assert sizes == [size] * 3, price
        tied += len(wanted)
    assert tied > 20


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("scale", "shift"), [(1, 0), (1e6, 1e9), (1e-8, 0)])
def test_regression_trees_are_pruned_as_by_scikit_learn(scale, shift, weighted):
    X, y = load_diabetes(return_X_y=True)
    X, y = X.astype(np.float32), y * scale + shift
    w = np.random.default_rng(0).integers(0, 4, len(y)) if weighted else None
    learner = DecisionTreeRegressor(random_state=0).fit(X, y, sample_weight=w)
    theirs = learner.cost_complexity_pruning_path(X, y, sample_weight=w)
    tree = dt.from_sklearn(learner)
    path = dt.pruning.cost_complexity_path(tree, X, y, cost="squared", sample_weight=w)
    for alpha in theirs.ccp_alphas[-60::10]:
        assert np.abs(path.breaks / alpha - 1).min() < 1e-9
        learner = DecisionTreeRegressor(random_state=0, ccp_alpha=alpha * (1 + 1e-9))
        learner.fit(X, y, sample_weight=w)
        found = path.pruning(value=alpha * (1 + 1e-9))
        assert found.n_leaves == learner.get_n_leaves()
        assert found.tree().is_regression
        assert found.tree().predict(X) == pytest.approx(learner.predict(X), rel=1e-9)
        lost = np.average((found.tree().predict(X) - y) ** 2, weights=w)
        assert found.errors / path.m == pytest.approx(lost, rel=1e-6)


def squared(tree, X, y):
    return float(((tree.predict(X) - np.array(y)) ** 2).sum())


@pytest.mark.parametrize("seed", range(20))
def test_squared_loss_is_optimal_among_all_prunings(seed):
    """By the means of the sample, bare or not, or of another one; numbers that are whole, too."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (2, 14, 3)), rng.integers(0, 4, (2, 14))
    tree = dt.grow(X[0], y[0], "squared", max_leaves=6).tree()
    for case, k, grown_on in ((tree, 0, None), (tree.bare(), 1, None), (tree, 1, (X[0], y[0]))):
        named = y[0 if grown_on is not None or k == 0 else 1]
        there = X[0 if grown_on is not None or k == 0 else 1]
        path = dt.pruning.cost_complexity_path(case, X[k], y[k], cost="squared", grown_on=grown_on)
        means = path.pruning().counts.label
        leaf = tree.apply(there)
        for v in range(tree.n_nodes):
            below = (leaf >= v) & (leaf < v + 2 * tree.leaves_below[v] - 1)
            if below.any():
                assert means[v] == pytest.approx(named[below].mean())
        pairs = [
            (squared(cut_tree(path.pruning().counts.given, cuts, means), X[k], y[k]) / 14, size)
            for cuts in all_cuts(tree)
            for size in [cut_tree(tree, cuts, means).n_leaves]
        ]
        for alpha in (*path.breaks, 0.03, 0.2):
            found = dt.pruning.cost_complexity_prune(
                case, X[k], y[k], alpha, cost="squared", grown_on=grown_on
            )
            best = min(wrong + alpha * size for wrong, size in pairs)
            assert found.errors / 14 + alpha * found.n_leaves == pytest.approx(best, abs=1e-9)
            assert found.errors == pytest.approx(squared(found.tree(), X[k], y[k]), abs=1e-9)
            assert path.tree(value=alpha) == found.tree()


def test_a_regression_tree_says_its_squared_error():
    """And not "0 -> 2 errors of 8", though its numbers are whole."""
    X, y = [[k] for k in range(8)], [0, 0, 0, 0, 2, 2, 4, 4]
    tree = dt.grow(X, y, "squared").tree()
    found = dt.pruning.cost_complexity_prune(tree, X, y, 0.5, cost="squared")
    assert repr(found) == "<Pruning: 3 -> 2 leaves, mean squared error 0 -> 0.5 on 8>"
    path = dt.pruning.cost_complexity_path(tree, X, y, cost="squared")
    assert (path.n_leaves.tolist(), path.breaks.tolist()) == ([3, 2, 1], [0, 0.5, 2.25])
    assert path.tree(epsilon=0.5).n_leaves == 2
    root = found.decisions[-1]
    assert (root.subtree_errors, root.leaf_errors) == (4, 22)


def test_results_say_what_they_are():
    tree, X, y = learnable_case(1)
    found = dt.pruning.srm_prune(tree, X, y)
    assert repr(found).startswith(f"<{type(found).__name__}: {tree.n_leaves} -> ")
    assert "over c" in repr(pruning.bottom_up_path(tree, X, y))
    assert "13 examples" in repr(pruning.node_counts(tree, X[:13], y[:13]))
    assert "leaves" in repr(dt.pruning.smallest_prunings(tree, X, y))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_a_fold_without_a_category_knows_it(make):
    """The last category is in one row; trees grown without that row predict it all the same."""
    kinds = ["a", "b"] * 10 + ["rare"]
    y = [0, 1] * 10 + [1]
    frame = make({"kind": kinds, "noise": list(range(21))})
    found = dt.pruning.cross_validated_prune(frame, y, dt.grow, folds=7)
    assert found.n_leaves == 2
    assert found.held_out[1] == 0
    assert found.tree().to_text().startswith("kind = a\n")
    coded = pd.DataFrame({"kind": pd.Categorical(kinds), "noise": range(21)})
    assert dt.pruning.cross_validated_prune(coded, y, dt.grow, folds=7).tree() == found.tree()


def test_a_deep_tree_needs_no_recursion():
    depth = 3000
    variable = [0, -1] * depth + [-1]
    threshold = [float(k) for k in range(depth) for _ in (0, 1)] + [0.5]
    tree = Tree(variable, [k // 2 % 2 for k in range(2 * depth + 1)], threshold)
    X = np.arange(depth + 1.0)[:, None]
    y = tree.predict(X)
    assert dt.pruning.reduced_error_prune(tree, X, y, grown_on=(X, y)).errors == 0
    assert dt.pruning.bottom_up_prune(tree, X, y).n_leaves == 1
    assert dt.pruning.cost_complexity_prune(tree, X, 1 - y, 0).n_leaves < tree.n_leaves


STUMP = Tree.split(1, Tree.leaf(0), Tree.leaf(1))
MEANS = Tree.split(1, Tree.leaf(0.25), Tree.leaf(0.5))
NUMBERS = dt.grow([[0, 0], [0, 1]], [0, 1], "squared").tree()
GOOD = np.array([[0, 0], [0, 1]]), np.array([0, 1])
CALLS = {
    "smallest": dt.pruning.smallest_prunings,
    "srm": dt.pruning.srm_prune,
    "bottom up": dt.pruning.bottom_up_prune,
    "cost complexity": dt.pruning.cost_complexity_path,
    "at a price": lambda tree, X, y, **more: dt.pruning.cost_complexity_prune(
        tree, X, y, 0.1, **more
    ),
    "bottom-up path": pruning.bottom_up_path,
}


def reduced_error(tree, X, y, **more):
    return dt.pruning.reduced_error_prune(tree, X, y, **({"grown_on": GOOD} | more))


EVERY_CALL = pytest.mark.parametrize("call", [*CALLS.values(), reduced_error], ids=[*CALLS, "rep"])


@EVERY_CALL
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((None, *GOOD), "tree must be a Tree, got None"),
        ((STUMP, np.zeros((0, 2)), []), "X must hold at least one example, got none"),
        ((STUMP, [[0], [1]], [0, 1]), "X must have a column for x1, got 1 columns"),
        ((STUMP, [0, 1], [0, 1]), "X must be a 2-dimensional array of numbers"),
        ((STUMP, [[0, np.nan]], [0]), "X must not contain NaN, got one in row 0"),
        ((STUMP, GOOD[0], [0]), r"y must have one label per row of X, 2, got shape \(1,\)"),
        ((STUMP, GOOD[0], [0, 2]), r"y must have labels that the tree knows, \[0, 1\], got 2 at"),
        ((STUMP, GOOD[0], [0.0, 0.5]), "y must have labels that the tree knows"),
        ((STUMP, GOOD[0], [0.0, math.nan]), "y must have labels .* got nan at index 1"),
        ((STUMP.bare(), GOOD[0], [0.0, 0.5]), "y must have (classes for labels, not means|labels)"),
        ((STUMP, GOOD[0], ["a", "b"]), "y must have labels of the kind of the others, numbers"),
        ((STUMP, GOOD[0], [0, None]), "y must be an array of numbers, or of strings"),
    ],
)
def test_a_tree_and_a_sample_that_do_not_fit(call, arguments, message):
    with pytest.raises(ValueError, match=message):
        call(*arguments)


@pytest.mark.parametrize("call", list(CALLS.values())[1:], ids=list(CALLS)[1:])
@pytest.mark.parametrize("tree", [MEANS, NUMBERS])
def test_numbers_have_no_errors_to_be_counted(call, tree):
    words = r"tree must predict classes, got <regr.* cost_complexity_prune with cost=\"squ"
    with pytest.raises(ValueError, match=words):
        call(tree, *GOOD)


@EVERY_CALL
@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"grown_on": 3}, r"grown_on must be a pair \(X, y\) or a triple .*, got 3"),
        ({"grown_on": ([], [])}, "X of grown_on must hold at least one example"),
        ({"grown_on": ([[1]], [1])}, "X of grown_on must have a column for x1"),
        ({"grown_on": ([[1, 1]], [1, 0])}, "y of grown_on must have one label per row"),
        ({"grown_on": ([[1, 1]], ["a"])}, "y must have labels of the kind of the others"),
        ({"grown_on": ([[1, 1]], [0.5])}, "y of grown_on must have classes for labels, not mean"),
        ({"grown_on": ([[1, 1]], [math.inf])}, "y of grown_on must have classes for labels"),
        ({"classes": [None]}, "classes must be an array of numbers, or of strings"),
    ],
)
def test_bad_labeling(call, more, message):
    with pytest.raises(ValueError, match=message):
        call(STUMP, *GOOD, **more)


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_unseen_labels_can_be_allowed(call):
    call(STUMP, GOOD[0], [0, 2], classes=[2])
    call(STUMP, GOOD[0], [0, 2], grown_on=(GOOD[0], [2, 2]))
    call(STUMP.bare(), GOOD[0], ["a", "b"])
    call(Tree.leaf(0), GOOD[0], [0, 1])


@pytest.mark.parametrize("call", CALLS.values(), ids=list(CALLS))
def test_a_tree_is_pruned_on_the_data_it_was_grown_on(call):
    """Also where a class of the data labels none of its leaves."""
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "c"]
    tree = dt.grow(X, y, max_leaves=2).tree()
    assert set(tree.value[tree.leaves].tolist()) == {"a", "c"}
    call(tree, X, y)
    counts = pruning.node_counts(tree, X, y)
    assert counts.classes.tolist() == ["a", "b", "c"]
    assert counts.counts[0].tolist() == [2, 1, 1]
    assert counts.errors[0] == 2
    with pytest.raises(ValueError, match=r"labels that the tree knows, \['a', 'b', 'c'\], got 'B'"):
        call(tree, X, ["a", "B", "a", "c"])
    again = Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
    assert pruning.node_counts(again, X, y).classes.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pruning.count_paths(10**6, 10**6), "n and depth must be smaller"),
        (lambda: pruning.count_trees(10**99, 9999), "n, nodes and n_classes must be smaller"),
        (
            lambda: dt.pruning.cross_validated_prune(*GOOD, dt.find_min, folds=3),
            "folds must be at most",
        ),
        (
            lambda: dt.pruning.cross_validated_prune(*GOOD, lambda *_: 3, folds=2),
            "grow must return a Tree",
        ),
        (
            lambda: dt.pruning.cost_complexity_path(STUMP, *GOOD, cost="squared"),
            "tree must be a regress",
        ),
        (
            lambda: dt.pruning.cost_complexity_path(NUMBERS, *GOOD, cost="squared", classes=[0]),
            "classes must be left out",
        ),
        (
            lambda: dt.pruning.cost_complexity_path(NUMBERS, GOOD[0], ["a", "b"], cost="squared"),
            "y must be numbers for squared loss",
        ),
    ],
)
def test_other_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_pruned_trees_keep_the_names_of_features():
    """And prune on the table they were grown on, text and all."""
    frame = pd.DataFrame({"sky": ["sun", "rain", "sun", "fog"] * 3, "hour": range(12)})
    y = ["no", "yes", "no", "yes"] * 2 + ["no", "yes", "yes", "yes"]
    grown = dt.id3(frame, y)
    assert str(grown).startswith("sky = sun")
    for pruned in (
        dt.pruning.reduced_error_prune(grown, frame, y, grown_on=(frame, y)),
        dt.pruning.reduced_error_prune(grown.bare(), frame, y, grown_on=(frame, y)),
        dt.pruning.srm_prune(grown, frame, y, factor=0.0),
        dt.pruning.bottom_up_prune(grown, frame, y, c=1e-9),
        dt.pruning.cost_complexity_prune(grown, frame, y, 0.0),
    ):
        assert pruned.tree() == grown
        assert str(pruned.tree()) == str(grown)
    stump = dt.pruning.smallest_prunings(grown, frame, y).tree(2)
    assert str(stump) == "sky = sun\n├─ yes: no\n└─ no: yes"
    assert stump.names == grown.names
    chosen = dt.pruning.cross_validated_prune(frame, y, dt.id3, folds=3).tree()
    assert chosen.names == grown.names
