"""Chapter 5, growing: splits, costs, bounds and growth against definitions, fractions and peers."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.datasets import load_wine
from sklearn.tree import DecisionTreeClassifier
from support.literal import splits_of

import dtviz as dt
from dtviz import growing
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.growing import BOUNDED, drop, edge, literal

GOLD = json.loads((Path(__file__).parents[1] / "data" / "gold-sample.json").read_text("utf-8"))
EXAMPLE = GOLD["split_example"]
GOLDEN = {
    "error": "min",
    "gini": "gini_2q(1-q)",
    "entropy": "entropy_half_bits",
    "sqrt": "sqrt",
}
GAMMAS = (0.005, 0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.5)
EXACT = {"error": lambda q: min(q, 1 - q), "gini": lambda q: 2 * q * (1 - q)}
LITERAL = {
    "error": literal.error,
    "gini": literal.gini,
    "entropy": literal.entropy,
    "sqrt": literal.square_root,
}
every_cost = pytest.mark.parametrize("cost", COST_FUNCTIONS)
bounded_cost = pytest.mark.parametrize("cost", BOUNDED)


def splits(rng, count):
    """Random tau, p, r with their q and edge; none of a pure leaf."""
    tau, p, r = rng.uniform(1e-3, 1 - 1e-3, (3, count))
    return tau, p, r, (1 - tau) * p + tau * r, edge(tau, p, r)


# -- one split -------------------------------------------------------------------------------------


@every_cost
def test_the_example_of_the_notes_is_golden(cost):
    golden = EXAMPLE[GOLDEN[cost]]
    p, r = EXAMPLE["children"]
    tau, G = EXAMPLE["tau"], COST_FUNCTIONS[cost]
    assert G(EXAMPLE["q"]) == pytest.approx(golden["before"], rel=1e-14)
    assert (G(p) + G(r)) / 2 == pytest.approx(golden["after"], rel=1e-14)
    assert drop(tau, p, r, cost) == pytest.approx(golden["drop"], abs=1e-15)


@pytest.mark.parametrize("cost", EXACT)
def test_drop_is_that_of_fractions(cost):
    G = EXACT[cost]
    for a in range(9):
        for b in range(9):
            for c in range(9):
                tau, p, r = (Fraction(k, 8) for k in (a, b, c))
                exact = G((1 - tau) * p + tau * r) - (1 - tau) * G(p) - tau * G(r)
                assert exact >= 0
                assert drop(a / 8, b / 8, c / 8, cost) == float(exact)  # dyadic: no rounding


def test_edge_is_the_advantage_on_the_balanced_distribution():
    """By definition, on leaves of a few inputs: half the mass on either label."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        n00, n01, n10, n11 = (int(k) for k in rng.integers(0, 6, 4))  # h, f
        zeros, ones, low, high = n00 + n10, n01 + n11, n00 + n01, n10 + n11
        if 0 in (zeros, ones, low, high):
            continue
        right = Fraction(n00, 2 * zeros) + Fraction(n11, 2 * ones)
        advantage = right - Fraction(1, 2)
        tau, p, r = Fraction(high, zeros + ones), Fraction(n01, low), Fraction(n11, high)
        q = Fraction(ones, zeros + ones)
        assert tau * (1 - tau) * (r - p) == 2 * advantage * q * (1 - q)
        assert edge(*map(float, (tau, p, r))) == pytest.approx(float(advantage), abs=1e-15)
        predicates = np.repeat([0, 0, 1, 1], [n00, n01, n10, n11])[:, None]
        labels = np.repeat([0, 1, 0, 1], [n00, n01, n10, n11])
        assert growing.edges(predicates, labels) == pytest.approx(float(advantage), abs=1e-15)


def test_edge_of_a_pure_leaf_is_nan():
    assert np.isnan(edge(0.5, [0, 1], [0, 1])).all()


def test_children_invert_the_edge():
    tau, p, r, q, gamma = splits(np.random.default_rng(1), 1000)
    low, high = growing.children(q, gamma, tau)
    assert low == pytest.approx(p, abs=1e-12)
    assert high == pytest.approx(r, abs=1e-12)
    assert growing.children(0.3, 0.1, 0.5) == pytest.approx((0.216, 0.384), rel=1e-14)


def test_error_drops_just_when_the_children_are_on_different_sides_of_one_half():
    tau, p, r, _, _ = splits(np.random.default_rng(2), 20_000)
    expected = 2 * np.minimum((1 - tau) * abs(p - 0.5), tau * abs(r - 0.5))
    expected[(p - 0.5) * (r - 0.5) >= 0] = 0
    assert drop(tau, p, r, "error") == pytest.approx(expected, abs=1e-15)


# -- what a cost must be like ----------------------------------------------------------------------


@every_cost
def test_the_costs_are_permissible(cost):
    shape = growing.cost_shape(COST_FUNCTIONS[cost])
    assert shape.permissible
    assert shape.below_error <= 0
    assert shape.strictly_concave == (cost != "error")


@pytest.mark.parametrize(
    ("G", "symmetric", "concave", "below"),
    [
        (lambda x: (1 - 2 * x) ** 2, True, False, 0.5),
        (lambda x: x * (1 - x), True, True, 0.25),
        (lambda x: np.sqrt(x) / 2, False, True, 0.5 - math.sqrt(0.5) / 2),
        (lambda x: np.minimum(x, 1 - x) ** 2 * 2, True, False, 0.125),
    ],
)
def test_what_is_not_permissible_is_found_out(G, symmetric, concave, below):
    shape = growing.cost_shape(G)
    assert (shape.symmetric, shape.concave, shape.permissible) == (symmetric, concave, False)
    assert shape.below_error == pytest.approx(below, abs=1e-6)


# -- the bounds ------------------------------------------------------------------------------------


@bounded_cost
def test_no_split_does_worse_than_the_floor(cost):
    tau, p, r, q, gamma = splits(np.random.default_rng(3), 4000)
    ratio = drop(tau, p, r, cost) / growing.leaf_drop_floor(q, np.abs(gamma), cost)
    assert ratio.min() >= 1 - 1e-9


def test_the_floor_of_gini_is_attained_by_equal_children():
    """In fractions, and with the constants 16, 32, 64 for the three ways to scale Gini."""
    q, gamma = Fraction(3, 10), Fraction(1, 10)
    p, r = Fraction(216, 1000), Fraction(384, 1000)
    lost = EXACT["gini"](q) - (EXACT["gini"](p) + EXACT["gini"](r)) / 2
    unit = gamma**2 * (q * (1 - q)) ** 2
    assert lost / unit == 32
    assert lost / 2 / unit == 16
    assert 2 * lost / unit == 64
    assert growing.leaf_drop_floor(0.3, 0.1) == pytest.approx(float(lost), rel=1e-14)


@pytest.mark.parametrize("gamma", GAMMAS)
def test_the_floor_of_sqrt_is_attained_by_the_symmetric_channel(gamma):
    q = np.linspace(0.05, 0.95, 19)
    high, low = 0.5 + gamma, 0.5 - gamma  # Pr[h = 1 | f = 1] and Pr[h = 1 | f = 0]
    tau = q * high + (1 - q) * low
    p, r = q * low / (1 - tau), q * high / tau
    lost = drop(tau, p, r, "sqrt")
    assert lost == pytest.approx(growing.leaf_drop_floor(q, gamma, "sqrt"), rel=1e-9)
    after = np.sqrt(q * (1 - q)) - lost
    assert after == pytest.approx(growing.contraction(gamma) * np.sqrt(q * (1 - q)), abs=1e-12)


def test_the_floor_of_entropy_is_attained_in_the_limit():
    ratio = []
    for gamma in (0.3, 0.1, 0.03, 0.01):
        p, r = growing.children(0.5, gamma, 0.5)
        lost = drop(0.5, p, r, "entropy")
        ratio.append(float(lost / growing.leaf_drop_floor(0.5, gamma, "entropy")))
    assert ratio == sorted(ratio, reverse=True)
    assert 1 < ratio[-1] < 1.0002


def test_the_two_inequalities_between_entropy_and_gini():
    """H(q) <= x log2(4/x) and x >= G / log2(2/G), where x = q(1-q) and G = H/2."""
    q = np.linspace(0, 0.5, 100_001)[1:]
    x, G = q * (1 - q), COST_FUNCTIONS["entropy"](q)
    assert (x * np.log2(4 / x) + 1e-15 >= 2 * G).all()
    assert (x >= G / np.log2(2 / G) - 1e-15).all()
    assert 2 * G[-1] == x[-1] * math.log2(4 / x[-1])
    assert x[-1] == G[-1] / math.log2(2 / G[-1])


@bounded_cost
def test_the_best_leaf_does_at_least_what_the_tree_promises(cost):
    rng = np.random.default_rng(4)
    for leaves in (1, 2, 3, 10, 100):
        for spread in (0.05, 1, 10):
            weight = rng.dirichlet(np.full(leaves, spread))
            q = rng.beta(spread, spread, leaves)
            G = float(weight @ COST_FUNCTIONS[cost](q))
            for gamma in (0.05, 0.3):
                best = (weight * growing.leaf_drop_floor(q, gamma, cost)).max()
                assert best >= growing.tree_drop_floor(G, leaves, gamma, cost) * (1 - 1e-12)
    # Equal leaves of q = 1/2 leave no room.
    even = growing.leaf_drop_floor(0.5, 0.1, cost) / 8
    assert even == pytest.approx(growing.tree_drop_floor(0.5, 8, 0.1, cost), rel=1e-14)


@bounded_cost
@pytest.mark.parametrize("gamma", [0.02, 0.1, 0.3])
def test_the_bound_solves_the_recurrence(cost, gamma):
    """A cost that falls by no more than the floor stays below the bound, from any start."""
    for start in (0.5, 0.3, 0.01):
        G = start
        for leaves in range(1, 2000):
            assert growing.cost_bound(math.log(leaves), gamma, cost) * (1 + 1e-12) >= G
            G -= float(growing.tree_drop_floor(G, leaves, gamma, cost))


@bounded_cost
def test_the_bound_and_its_inverse(cost):
    assert growing.cost_bound(0, 0.1, cost) == pytest.approx(0.5, rel=1e-15)
    assert growing.log_leaves_enough(0.5, 0.1, cost) == pytest.approx(0, abs=1e-12)
    for gamma in GAMMAS[:-1]:
        for epsilon in (0.4, 0.1, 0.001, 1e-9):
            L = growing.log_leaves_enough(epsilon, gamma, cost)
            assert growing.cost_bound(L, gamma, cost) == pytest.approx(epsilon, rel=1e-9)
            assert growing.log_leaves_enough(epsilon / 2, gamma, cost) >= L


def test_sqrt_needs_no_more_than_the_exponent_one_over_two_gamma_squared():
    for gamma in GAMMAS:
        assert growing.log_leaves_enough(0.01, gamma, "sqrt") <= math.log(50) / (2 * gamma**2)


# -- Lemma 12.1 ------------------------------------------------------------------------------------


def test_a_tree_has_a_leaf_both_heavy_and_wrong():
    rng = np.random.default_rng(6)
    for leaves in (2, 3, 5, 50):
        for spread in (0.02, 0.3, 3):
            for _ in range(50):
                weight = rng.dirichlet(np.full(leaves, spread))
                wrong = rng.beta(spread, 5 * spread, leaves).clip(0, 0.5)
                for c in (1.5, 2, 3):
                    assert growing.has_good_leaf(weight, wrong, c)


@pytest.mark.parametrize("splits", [1, 2, 10, 1000])
def test_three_halves_is_the_best_constant(splits):
    for epsilon in (0.1, 0.01, 1e-4):
        weight, wrong = growing.adversarial_leaves(splits, 1.5, epsilon)
        assert weight.sum() == pytest.approx(1)
        assert weight @ wrong < epsilon
        assert growing.has_good_leaf(weight, wrong, 1.5)
    for c in (1.49, 1.4, 1.2):
        weight, wrong = growing.adversarial_leaves(splits, c, 1e-3)
        total = weight @ wrong
        assert total > 1e-3
        assert total == pytest.approx(1e-3 * (3 - 2e-3 / c) / (2 * c), rel=1e-6)
        assert not growing.has_good_leaf(weight, wrong, c)


# -- growth ----------------------------------------------------------------------------------------


def by_definition(domain, H, G):
    """Growth as the chapter states it: the splits, and the error and the cost before each."""
    _, found = literal.grow(domain, H, G, len(domain))
    leaves, totals = {(): domain}, []
    for answers in (*found, None):
        totals.append(
            [
                sum(literal.cost(part, cost) for part in leaves.values())
                for cost in (literal.error, G)
            ]
        )
        if answers is not None:
            low, high = literal.sides(leaves.pop(answers), H[found[answers]])
            leaves |= {(*answers, 0): low, (*answers, 1): high}
    return list(found.items()), totals


@every_cost
@pytest.mark.parametrize("seed", range(12))
def test_growth_is_growth_by_definition(cost, seed):
    rng = np.random.default_rng(seed)
    count, k = int(rng.integers(1, 14)), int(rng.integers(1, 5))
    predicates = rng.integers(0, 2, (count, k))
    noisy = seed % 3 == 0
    target = [
        Fraction(int(a), 4 if noisy else 1) for a in rng.integers(0, 5 if noisy else 2, count)
    ]
    weights = [Fraction(int(a)) for a in rng.integers(1 if seed % 2 else 0, 4, count)]
    weights[0] += 1
    weights = [w / sum(weights) for w in weights]
    path = dt.grow_predicates(predicates, list(map(float, target)), list(map(float, weights)), cost)
    domain = list(zip(predicates.tolist(), target, weights, strict=True))
    H = [lambda row, i=i: row[i] for i in range(k)]
    split, totals = by_definition(domain, H, LITERAL[cost])
    assert splits_of(path) == split
    assert path.errors == pytest.approx([float(e) for e, _ in totals], abs=1e-13)
    assert path.costs == pytest.approx([float(g) for _, g in totals], abs=1e-13)
    assert path.scores[:-1] == pytest.approx(-np.diff(path.costs), abs=1e-13)
    assert path.final_score == 0


@every_cost
def test_growth_of_a_function_is_that_of_its_trees(cost):
    f, mu = dt.functions.random(4, 5), dt.ProductDistribution([0.2, 0.5, 0.6, 0.9])
    for under in (None, mu):
        path = growing.grow_function(f, under, cost)
        for step in range(path.n_splits + 1):
            tree = path.tree(step + 1)
            assert path.errors[step] == pytest.approx(
                dt.influence.tree_error(tree, f, under), abs=1e-12
            )
            zeros, ones = tree.leaf_masses(f, under)
            total = ((zeros + ones) * COST_FUNCTIONS[cost](ones / (zeros + ones))).sum()
            assert path.costs[step] == pytest.approx(total, abs=1e-12)
            assert tree == tree.complete(f, under)


@every_cost
def test_a_short_path_is_the_beginning_of_the_long_one(cost):
    f = dt.functions.majority(5)
    whole = growing.grow_function(f, cost=cost)
    for leaves in range(1, whole.n_splits + 2):
        path = growing.grow_function(f, cost=cost, max_leaves=leaves)
        assert path.split_node.tolist() == whole.split_node[: leaves - 1].tolist()
        assert path.scores == pytest.approx(whole.scores[:leaves])


@pytest.mark.parametrize("cost", ["gini", "entropy"])
def test_growth_agrees_with_scikit_learn(cost):
    """Best-first trees of every size, on weights without ties."""
    rng = np.random.default_rng(8)
    X, y, w = rng.integers(0, 2, (200, 8)), rng.integers(0, 2, 200), rng.random(200)
    path = dt.grow_predicates(X, y, w, cost, max_leaves=40)
    scale = 0.5 if cost == "entropy" else 1
    for leaves in (2, 3, 10, 40):
        peer = DecisionTreeClassifier(criterion=cost, max_leaf_nodes=leaves, random_state=0)
        peer.fit(X, y, sample_weight=w)
        inner = peer.tree_
        is_leaf = inner.children_left < 0
        mass = inner.weighted_n_node_samples[is_leaf] / w.sum()
        assert scale * (mass @ inner.impurity[is_leaf]) == pytest.approx(path.costs[leaves - 1])
        assert (path.tree(leaves).predict(X) == peer.predict(X)).all()


@every_cost
def test_growth_over_thresholds_is_that_of_chapter_4(cost):
    """Another program, which scans sorted columns and never sees a table of predicates."""
    X, y = load_wine(return_X_y=True)
    y = (y == 1).astype(int)
    between = [(np.unique(x)[1:] + np.unique(x)[:-1]) / 2 for x in X.T]
    tests = np.hstack([x[:, None] >= middle for x, middle in zip(X.T, between, strict=True)])
    ours = dt.grow_predicates(tests, y, cost=cost, max_leaves=10)
    other = dt.grow(X, y, cost, max_leaves=10)
    # It goes on where no split lowers the cost; ours has come to its end.
    shared = slice(ours.n_splits + 1)
    assert ours.n_splits == 9 or ours.final_score == 0
    assert ours.costs == pytest.approx(other.costs[shared], abs=1e-12)
    assert ours.errors == pytest.approx(other.errors[shared], abs=1e-12)


@every_cost
def test_growth_ends_where_nothing_helps(cost):
    xor = growing.grow_function(dt.functions.parity(2), cost=cost)
    assert (xor.n_splits, xor.errors[0], xor.final_score) == (0, 0.5, 0)
    assert xor.node_variable.tolist() == [-1]
    constant = dt.grow_predicates([[0], [1]], [1, 1], cost=cost)
    assert (constant.n_splits, constant.errors[0]) == (0, 0)
    alone = dt.grow_predicates([[0]], [0.25], cost=cost)
    assert (alone.n_splits, alone.errors[0]) == (0, 0.25)
    # A predicate that holds everywhere splits nothing, nor does one on points of no weight.
    idle = dt.grow_predicates([[1, 0], [1, 0], [1, 1]], [0, 1, 1], [1, 1, 0], cost=cost)
    assert idle.n_splits == 0


def test_error_stops_where_the_others_go_on():
    """The 0.8 -> (0.6, 1) example: five points, and a predicate that settles half of them."""
    predicates = np.repeat([[0], [1]], 5, axis=0)
    target = [0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
    steps = {
        cost: dt.grow_predicates(predicates, target, cost=cost).n_splits for cost in COST_FUNCTIONS
    }
    assert steps == {"error": 0, "gini": 1, "entropy": 1, "sqrt": 1}


def test_trees_predict_from_rows_of_predicates():
    rng = np.random.default_rng(9)
    predicates = rng.integers(0, 2, (64, 10)).astype(bool)
    target = predicates[:, :3].sum(axis=1) >= 2
    path = dt.grow_predicates(predicates, target)
    assert (path.tree(epsilon=0).predict(predicates) == target).all()


# -- weak learning ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 5])
def test_majority_is_weakly_learnable_with_edge_one_over_2n(n):
    """The least edge over all distributions, as the value of a game."""
    f, X = dt.functions.majority(n), dt.cube_points(n)
    agree = (f.table[:, None] == X).astype(float)  # (2^n, n)
    size = len(agree)
    # Minimise v over distributions D: each predicate agrees with probability at most v.
    found = linprog(
        np.append(np.zeros(size), 1),
        A_ub=np.hstack([agree.T, -np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(size), 0)[None],
        b_eq=[1],
    )
    assert found.fun - 0.5 == pytest.approx(1 / (2 * n))


@bounded_cost
@pytest.mark.parametrize("n", [3, 5, 7, 9])
def test_growth_on_majority_keeps_every_promise(cost, n):
    f, gamma = dt.functions.majority(n), 1 / (2 * n)
    for mu in (None, dt.ProductDistribution(np.linspace(0.2, 0.7, n))):
        path = growing.grow_function(f, mu, cost)
        assert path.errors[-1] == 0
        leaves = np.arange(1, path.n_splits + 2)
        floor = growing.tree_drop_floor(np.clip(path.costs, 0, 0.5), leaves, gamma, cost)
        assert (path.scores[:-1] >= floor[:-1]).all()
        assert (path.costs <= growing.cost_bound(np.log(leaves), gamma, cost) + 1e-12).all()


def test_edges_follow_the_leaf():
    """Every leaf of a run has a predicate of edge 1/(2n) or more, reweighted and balanced."""
    n = 5
    f, X = dt.functions.majority(n), dt.cube_points(n)
    tree = growing.grow_function(f, max_leaves=6).tree(6)
    leaf = tree.apply_points(f)
    for node in tree.leaves:
        here = leaf == node
        if f.table[here].min() < f.table[here].max():
            assert growing.edges(X[here], f.table[here]).max() >= 1 / (2 * n)


# -- bad input -------------------------------------------------------------------------------------


TWO = [[0, 1], [1, 1]]


def test_what_is_not_a_cost_is_refused():
    with pytest.raises(ValueError, match="G must be a function of an array, got 3"):
        growing.cost_shape(3)
    with pytest.raises(ValueError, match="G must return one finite number per point"):
        growing.cost_shape(lambda q: q[1:])


def test_a_constant_target_cannot_be_balanced():
    with pytest.raises(ValueError, match=r"target must not be constant, got Pr\[f = 1\] = 1"):
        growing.edges(TWO, [1, 1])


def test_tables_too_large_are_refused():
    f = dt.functions.parity(21)
    with pytest.raises(ValueError, match="f must have from 1 to 20 variables, got n = 21"):
        growing.grow_function(f)
