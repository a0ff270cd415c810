"""Chapter 7, trees in practice: the small statements that its pages prove."""

from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import comb

import numpy as np

import dtviz as dt
from claims.kit import at_most, claim, holds
from claims.pruning.populations import bounds, links, matches, samples


def stated(name, statement):
    return claim(f"OURS-PRACTICE-{name}", statement, "7-practice")


@stated(
    "ONEHOT",
    r"A label that is 1 for $a$ of $k$ categories and 0 for the other $b$ needs two leaves of a "
    r"tree that queries sets, and exactly $\min(a, b) + 1$ of one that queries one category at "
    r"a time.",
)
def test_one_hot_columns(trial):
    for a, b in product(range(1, 5), repeat=2):
        words = [[word] for word in "ABCDEFGH"[: a + b]]
        columns = [[int(word == other) for (other,) in words] for (word,) in words]
        assert dt.grow(words, [1] * a + [0] * b).tree().n_leaves == 2
        assert dt.grow(columns, [1] * a + [0] * b).tree().n_leaves == min(a, b) + 1

    @trial.form(
        "the fewest leaves of all trees of single words", variants={"one leaf less": {"more": 0}}
    )
    @matches("numbers of words")
    def fewest(more=1):
        found = {}
        for a, b in product(range(9), repeat=2):
            below = [found[left] for left in ((a - 1, b), (a, b - 1)) if min(left) >= 0]
            found[a, b] = 1 if a * b == 0 else 1 + min(below)
        for (a, b), leaves in found.items():
            yield leaves, min(a, b) + more, f"a, b = {a, b}"


SHARES = [Fraction(k, 24) for k in range(1, 24)]
COSTS = [Fraction(w) for w in ("1/5", "1/2", "1", "3", "7")]


@stated(
    "THRESHOLD",
    r"Class 1 is the cheaper answer exactly if $p > \tau = c_{\mathrm{fp}} / (c_{\mathrm{fp}} + "
    r"c_{\mathrm{fn}})$, or if its weight is larger; with weights one sees "
    r"$q = w p / (w p + 1 - p)$ for $p$, and $p = q / (q + w (1 - q))$.",
)
@holds(
    "exact fractions",
    variants={
        "the other cost above": {"threshold": lambda fp, fn: fn / (fp + fn)},
        "1 - q for q": {"back": lambda q, w: q / (q * w + 1 - q)},
    },
)
@matches("shares and costs")
def test_costs_thresholds_and_weights(
    threshold=lambda fp, fn: fp / (fp + fn), back=lambda q, w: q / (q + w * (1 - q))
):
    for p, fp, fn in product(SHARES, COSTS, COSTS):
        w = fn / fp
        q = w * p / (w * p + 1 - p)
        of_costs = (1 - p) * fp < p * fn
        found = p > threshold(fp, fn), q > Fraction(1, 2), back(q, w)
        yield found, (of_costs, of_costs, p), f"p = {p}, costs {fp} and {fn}"


@stated(
    "SQRT",
    r"With the cost $\sqrt{q(1 - q)}$ a weight $w$ for all rows of one class multiplies what each "
    r"question gains by $\sqrt w$, up to one factor for the whole sample: the tree stays the same.",
)
@holds(
    "dt.grow with and without weights",
    variants={"with Gini": {"cost": "gini"}, "with entropy": {"cost": "entropy"}},
)
@matches("samples and weights")
def test_the_square_root_does_not_see_weights(cost="sqrt"):
    rng = np.random.default_rng(3)
    for case, w in product(range(12), (2, 7)):
        X = rng.integers(0, 4, (40, 3))
        y = (rng.random(40) < 0.2 + 0.2 * X[:, 0]).astype(int)
        trees = [
            dt.grow(X, y, cost, max_leaves=6, sample_weight=weight).tree().bare()
            for weight in (None, np.where(y == 1, w, 1))
        ]
        yield trees[0] == trees[1], True, f"sample {case}, w = {w}"


@stated(
    "SHRINK",
    r"The m-estimate has the expected squared error $(n\,p(1-p) + m^2 (p_0 - p)^2) / (n + m)^2$, "
    r"least at $m = p(1-p) / (p - p_0)^2$, whatever $n$ is.",
)
def test_shrinking(trial):
    cases = list(product((1, 2, 5, 9), SHARES[::5], SHARES[1::7]))

    def error(n, p, b, m):
        chance = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        return sum(c * ((k + m * b) / (n + m) - p) ** 2 for k, c in enumerate(chance))

    @trial.form(
        "exact fractions",
        r"\mathbb E\, (\hat p - p)^2 = \frac{n\, p (1 - p) + m^2 (p_0 - p)^2}{(n + m)^2}",
        {"m for m^2": {"power": 1}},
    )
    @matches("coins and estimates")
    def formula(power=2):
        for (n, p, b), m in product(cases, (Fraction(1, 2), Fraction(2), Fraction(9))):
            displayed = (n * p * (1 - p) + m**power * (b - p) ** 2) / (n + m) ** 2
            yield error(n, p, b, m), displayed, f"n, p, b, m = {n}, {p}, {b}, {m}"

    @trial.form("least there", variants={"at twice that": {"share": 2}})
    @matches("coins")
    def least(share=1):
        for n, p, b in (case for case in cases if case[1] != case[2]):
            m = share * p * (1 - p) / (p - b) ** 2
            around = [error(n, p, b, m * factor) for factor in (Fraction(9, 10), Fraction(11, 10))]
            yield error(n, p, b, m) < min(around), True, f"n, p, b = {n}, {p}, {b}"


@stated(
    "BRIER",
    r"If the leaf $\ell$ gets a share $w_\ell$ of the rows, $\bar y_\ell$ of them of class 1, and "
    r"forecasts $\hat p_\ell$, the Brier score is $\sum w_\ell (\hat p_\ell - \bar y_\ell)^2 + "
    r"\sum w_\ell \bar y_\ell (1 - \bar y_\ell)$.",
)
@holds(
    "exact fractions",
    r"\sum_\ell w_\ell\, (\hat p_\ell - \bar y_\ell)^2 + \sum_\ell w_\ell\, \bar y_\ell "
    r"(1 - \bar y_\ell)",
    {"Gini in full": {"half": 2}},
)
@matches("forecasts")
def test_calibration_and_refinement(half=1):
    rng = np.random.default_rng(4)
    for _ in range(60):
        leaf, y = rng.integers(0, 4, 20), rng.integers(0, 2, 20)
        forecast = [Fraction(int(k), 7) for k in rng.integers(0, 8, 4)]
        rows = zip(leaf.tolist(), y.tolist(), strict=True)
        brier = sum((forecast[at] - label) ** 2 for at, label in rows) / 20
        parts = Fraction(0)
        for at in set(leaf.tolist()):
            labels = y[leaf == at].tolist()
            w, mean = Fraction(len(labels), 20), Fraction(sum(labels), len(labels))
            parts += w * (forecast[at] - mean) ** 2 + half * w * mean * (1 - mean)
        yield brier, parts, f"forecasts {forecast}"


@stated(
    "REFINE",
    r"If a value of a column is divided into two, the gain does not fall. A column in which every "
    r"example has a value of its own has the largest gain possible, $H(S)$.",
)
def test_gain_favors_many_values(trial):
    def entropy(y):
        return float(dt.impurity.entropy(np.bincount(y, minlength=2) / y.size))

    def rest(column, y):
        return sum((column == v).mean() * entropy(y[column == v]) for v in set(column.tolist()))

    @trial.form(
        "random columns", variants={"two values put together": {"to": lambda column: column // 2}}
    )
    def divided(to=lambda column: 2 * column + np.arange(column.size) % 2):
        """What is left of the entropy: by the divided column, by the column, of all."""
        rng, left, right = np.random.default_rng(5), [], []
        for _ in range(200):
            column, y = rng.integers(0, 3, 12), rng.integers(0, 2, 12)
            left += [rest(to(column), y), rest(np.arange(12), y)]
            right += [rest(column, y), 0.0]
        return at_most("columns", np.round(left, 12), np.round(right, 12), lambda k: f"column {k}")


@stated(
    "AVERAGE",
    r"The price $\alpha_v = (R(v) - R(T_v)) / (s_v - 1)$ at which the link at $v$ breaks is the "
    r"mean of the drops in $R$ of the $s_v - 1$ splits in $T_v$.",
)
@holds("every link of small trees", variants={"the mean over the leaves": {"less": 1}})
@matches("links")
def test_a_link_is_an_average(less=0):
    for s in samples():
        tree = s.tree
        drops = {v: s.errors[v] - s.errors[tree.low[v]] - s.errors[tree.high[v]] for v in s.inner}
        prices, _ = links(s, np.zeros(tree.n_nodes, dtype=bool))
        for v, price in prices.items():
            end = v + 2 * int(tree.leaves_below[v]) - 1
            below = [drop for u, drop in drops.items() if v <= u < end]
            yield Fraction(sum(below), (len(below) + less) * s.m), price, s


@stated(
    "RHO",
    r"The average of $B$ of the same mean, each of variance $\sigma^2$ and each pair of "
    r"correlation $\rho$, has the variance $\rho \sigma^2 + \frac{1 - \rho}B \sigma^2$.",
)
@holds(
    "exact fractions",
    r"\rho\, \sigma^2 + \frac{1 - \rho}{B}\, \sigma^2",
    {"B^2 for B": {"pairs": 2}},
)
@matches("numbers and chances")
def test_variance_of_an_average(pairs=1):
    """Exchangeable answers: a coin of a chance that is itself drawn, then B tosses of it."""
    for B, (low, high) in product((1, 2, 5), combinations(SHARES[::4], 2)):
        mean = (low + high) / 2
        variance = mean * (1 - mean)
        rho = ((high - low) / 2) ** 2 / variance
        of_average = sum(
            comb(B, k) * p**k * (1 - p) ** (B - k) * (Fraction(k, B) - mean) ** 2 / 2
            for p, k in product((low, high), range(B + 1))
        )
        formula = rho * variance + (1 - rho) / B**pairs * variance
        yield of_average, formula, f"B = {B}, chances {low} and {high}"


GRID = [(i, t) for i in (0, 1) for t in (0.5, 1.5)]
WEIGHT = 9  # of an error beside a leaf: more than there are rows


def tables():
    """Points of a grid with labels: a checkerboard, then random ones."""
    rng = np.random.default_rng(22)
    yield np.array([(0, 0), (0, 2), (2, 0), (2, 2)]), np.array([0, 1, 1, 0])
    for _ in range(40):
        yield rng.integers(0, 3, (8, 2)), rng.integers(0, 2, 8)


@cache
def trees(leaves, depth):
    """All of exactly so many leaves within a depth: which of the grid's points each leaf has."""
    found = np.ones((int(leaves == 1), leaves, 9), dtype=bool)
    for (i, t), own in product(GRID, range(1, leaves) if depth else ()):
        low = np.indices((3, 3)).reshape(2, 9)[i] <= t
        sides = trees(own, depth - 1) & low, trees(leaves - own, depth - 1) & ~low
        pairs = [np.concatenate(pair) for pair in product(*sides)]
        found = np.concatenate([found, np.array(pairs, dtype=bool).reshape(-1, leaves, 9)])
    return found


def errors(y):
    """Those of a leaf with the best label."""
    return min(y.sum(), len(y) - y.sum())


def least_cost(X, y, leaves, depth):
    """By definition: over all trees, each leaf with its best label."""
    counts = [np.bincount(3 * X[y == b, 0] + X[y == b, 1], minlength=9) for b in (0, 1)]
    sizes = [trees(k, depth) for k in range(1, leaves + 1)]
    wrong = [np.min([of @ part for part in counts], axis=0).sum(axis=1) for of in sizes]
    return min(WEIGHT * int(of.min()) + k for k, of in enumerate(wrong, 1) if of.size)


LIMITS = [(k, d) for k in (1, 2, 3, 4) for d in (0, 1, 2, 3)]


@stated(
    "ROWS",
    r"For sets of rows $A \subseteq B$ the least costs satisfy "
    r"$C_{k,d}(A) \le C_{k,d}(B) \le C_{k,d}(A) + M\, |B \setminus A|$.",
)
def test_more_rows(trial):
    both = [
        (
            [least_cost(X[:m], y[:m], *limits) for m in (small, large)],
            large - small,
            f"table {case}, {limits}, {small} rows of {large}",
        )
        for (case, (X, y)), limits in product(enumerate(tables()), LIMITS)
        for small, large in pairwise((2, 3, len(y)))
    ]

    @trial.form(
        "a smaller set",
        r"C_{k,d}(A) \le C_{k,d}(B)",
        {"with half the cost of the larger": {"factor": 0.5}},
    )
    @bounds("tables and limits")
    def fewer(factor=1):
        for (one, two), _, where in both:
            yield one, factor * two, where

    @trial.form(
        "a larger set",
        r"C_{k,d}(B) \le C_{k,d}(A) + M\, |B \setminus A|",
        {"without the rows between": {"weight": 0}},
    )
    @bounds("tables and limits")
    def more(weight=WEIGHT):
        for (one, two), rows, where in both:
            yield two, one + weight * rows, where


@stated(
    "OPTIMAL",
    r"The least cost of trees with at most $k$ leaves and depth $d$ is that of a leaf, or the "
    r"least sum over all cuts and all ways to share the leaves; a tree of this cost has the "
    r"fewest errors, and then the fewest leaves.",
)
def test_the_search_is_exact(trial):
    def recursion(X, y, k, d, sizes):
        best = WEIGHT * errors(y) + 1
        if k == 1 or d == 0:
            return best
        for column, j in product(X.T, sizes(k)):
            for value in np.unique(column)[:-1]:
                low = column <= value
                sides = (low, j), (~low, k - j)
                best = min(best, sum(recursion(X[s], y[s], own, d - 1, sizes) for s, own in sides))
        return best

    cases = [
        (X, y, *limits, int(least_cost(X, y, *limits)), f"table {case}, {limits}")
        for (case, (X, y)), limits in product(enumerate(tables()), LIMITS)
    ]

    for X, y, k, d, least, where in cases:
        tree = dt.impurity.optimal_tree(X, y, max_leaves=k, depth=d)
        found = int((tree.predict(X) != y).sum()), int(tree.n_leaves)
        assert found == divmod(least, WEIGHT), where

    @trial.form(
        "all trees on three by three points",
        variants={"one side a leaf": {"sizes": lambda k: {1, k - 1}}},
    )
    @matches("tables and limits")
    def by_cuts(sizes=lambda k: range(1, k)):
        for X, y, k, d, least, where in cases:
            yield recursion(X, y, k, d, sizes), least, where
