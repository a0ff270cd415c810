"""Chapter 6, pruning: the paths and trees that the penalty counts."""

import itertools
import math
from functools import cache

import numpy as np

from claims.kit import holds
from claims.pruning import populations as pop
from dtviz import pruning
from dtviz.core.boolean_trees.exhaustive import optimal_all

PAIRS = [(n, depth) for n in range(1, 6) for depth in range(1, n + 1)]
PATHS = "n and path lengths"


@pop.matches(PATHS)
def paths(number, **which):
    for one in PAIRS:
        yield len(pop.paths_listed(*one, **which)), number(*one), one


@pop.stated(
    "MN-HD",
    r"On the cube $\{0,1\}^n$ the tests are the $n$ variables.",
    repaired=True,
    note="The source lets i run from 0 to d, and writes n for d afterward.",
)
@holds(
    "conjunctions of d variables",
    variants={"d - 1 tests": {"more": -1}, "2 d tests": {"times": 2}},
    fails={"as printed, 0 ≤ i ≤ d: d + 1 tests": {"more": 1}},
)
def test_tests(more=0, times=1):
    return paths(lambda d, most: pruning.count_paths(times * d + more, most))


@pop.stated(
    "MN-PATHS",
    r"There are $\sum_{j \le \ell} 2^j \binom nj \le (2n+1)^\ell$ conjunctions of at most "
    r"$\ell$ of $n$ variables or their negations, $2^\ell \binom n\ell$ of exactly $\ell$.",
    repaired=True,
    note="The logarithm is O(l log n) all the same, and nothing else is used.",
)
def test_number_of_paths(trial):
    display = r"\sum_{j=0}^{\ell} 2^j \binom nj &\le (2n + 1)^\ell"
    twice, one_more = pop.constants(display, r"\((\d)n", r"n \+ (\d)\)")

    @trial.form(
        "at most l, listed",
        r"|\mathrm{PATHS}(\ell)| = \sum_{j=0}^{\ell} 2^j \binom nj",
        {"without negations": {"signs": 1}, "j to l - 1": {"less": 1}},
    )
    @pop.matches(PATHS)
    def at_most(signs=2, first=0, less=0):
        """Listed, by the formula, and by the package."""
        for n, depth in PAIRS:
            formula = sum(signs**j * math.comb(n, j) for j in range(first, depth + 1 - less))
            found = len(pop.paths_listed(n, depth)), pruning.count_paths(n, depth)
            yield found, (formula, formula), (n, depth)

    @trial.form(
        "exactly l, listed",
        r"2^\ell \binom n\ell",
        {"n^l for the binomial": {"choose": pow}, "in every order": {"choose": math.perm}},
    )
    def exactly(choose=math.comb, less=0):
        return paths(lambda n, d: 2 ** (d - less) * choose(n, d), exactly=True)

    @trial.form(
        "≤ (2n+1)^l for n ≤ 30", display, {"≤ (2n)^l": {"more": 0}, "≤ (2n+1)^(l-1)": {"less": 1}}
    )
    @pop.bounds(PATHS)
    def below(times=1.0, more=one_more, less=0):
        for n, depth in [(d, depth) for d in range(1, 31) for depth in range(1, d + 1)]:
            allowed = (times * twice * n + more) ** (depth - less)
            yield pruning.count_paths(n, depth), allowed, f"n, l = {n, depth}"

    trial.fails("as printed, 2^(l-1) C(n, l) of exactly l", lambda: exactly(less=1))
    trial.fails("as printed, ≤ n^l", lambda: below(0.5, 0))


@pop.stated(
    "MN-TREES",
    "There are at least $2^k$ and at most $(8n)^k$ trees of $n$ tests with at most $k$ leaves; "
    "and at most $(3n)^k$ with at most $k$ nodes.",
    repaired=True,
    note="Printed as (c, d)^n.",
)
def test_number_of_trees(trial):
    many = (*range(1, 21), 31, 41, 61, 81, 101, 251, 751)

    @pop.bounds("n and numbers of leaves")
    def logs(sizes, base, power=lambda s: s, least=False):
        """Logarithms of the number for so many leaves, and of ``(base n)^power``."""
        for n, s in itertools.product(range(1, 21), sizes):
            both = pop.trees_log(n, s), power(s) * math.log(base * (1 if least else n))
            yield *both[:: -1 if least else 1], f"n, leaves = {n, s}"

    display, lower = r"|\mathrm{TREES}(k)| \le (8n)^k", r"2^k \le |\mathrm{TREES}(k)|"
    (eight,), (two,) = pop.constants(display, r"\((\d)n"), pop.constants(lower, r"^(\d)")

    trial.holds(
        "at most (8n)^k",
        lambda times=1.0, less=0: logs(many, times * eight, lambda s: s - less),
        display,
        {"at most (7.8 n)^s": {"times": 0.975}, "at most (8n)^(s-1)": {"less": 1}},
    )
    trial.holds(
        "at least 2^s",
        lambda times=1.0: logs(many, times * two, least=True),
        lower,
        {"at least 2.1^s": {"times": 1.05}},
    )

    @trial.form("at most (3n)^nodes", variants={"at most (2.8 n)^nodes": {"times": 0.935}})
    def nodes(times=1.0):
        return logs(many, 3 * times, lambda s: 2 * s - 1)

    @trial.form(
        "trees listed", variants={"three labels": {"labels": 3}, "exactly s leaves": {"first": 99}}
    )
    @pop.matches("n and sizes")
    def listed(labels=2, first=1):
        """Labels, 0 and shapes, summed over sizes; listed, and by the package."""
        for n, s in itertools.product((1, 2, 3), (1, 2, 3, 4)):
            sizes = [i for i in range(1, s + 1) if i >= first or i == s]
            shapes = [math.comb(2 * i - 2, i - 1) // i for i in sizes]
            many = zip(sizes, shapes, strict=True)
            formula = sum(labels**i * n ** (i - 1) * of for i, of in many)
            found = pop.trees_listed(n, s), pruning.count_trees(n, 2 * s - 1)
            yield found, (formula, formula), (n, s)

    trial.fails("as printed with 1 for c: n^nodes", lambda: nodes(1 / 3))


@cache
def classes():
    """Classes of functions of 3 bits: a name, their codes, the size of the list they come from."""
    found = []
    for most in (1, 2, 3):
        tables = [np.frombuffer(path, dtype=bool) for path in pop.paths_listed(3, most)]
        codes = np.array([int((t * (1 << np.arange(8))).sum()) for t in tables])
        found.append((f"conjunctions of ≤ {most} literals", codes, len(tables)))
    for leaves in (1, 2, 3, 4):
        codes = np.flatnonzero(optimal_all(3).n_leaves <= leaves)
        found.append((f"trees of ≤ {leaves} leaves", codes, pruning.count_trees(3, 2 * leaves - 1)))
    return found


@cache
def labelings(place):
    """In how many ways a class labels each set of points of the 3-cube, and its dimension."""
    ways = np.array([np.unique(classes()[place][1] & s).size for s in range(256)])
    return ways, max(s.bit_count() for s in range(256) if ways[s] == 1 << s.bit_count())


@pop.stated(
    "MN-VC",
    r"For infinitely many tests, VC dimensions take the place of logarithms of numbers: a "
    r"class of dimension $d$ labels $m$ points in at most $(em/d)^d$ ways, $m \ge d$.",
    note="Correct up to factors of log m. The uniform convergence behind it (symmetrization) "
    "is quoted in the chapter, not checked.",
)
def test_dimensions(trial):
    def growth(d, m, e=math.e):
        return d * math.log(max(e * m / d, 1)) if m >= d > 0 else m * math.log(2) * (d > 0)

    @trial.form(
        "paths and trees on the 3-cube, all sets of points",
        variants={"1.9 for e, on the cube": {"e": 1.9}, "d - 1 for d": {"less": 1}},
    )
    def on_the_cube(less=0, **spoiled):
        cases = [(place, s) for place in range(len(classes())) for s in range(1, 256)]
        ways = [math.log(labelings(place)[0][s]) for place, s in cases]
        sets = [(labelings(place)[1] - less, s.bit_count()) for place, s in cases]
        allowed = np.array([growth(*one, **spoiled) for one in sets])
        return pop.bound(
            "sets of points",
            ways,
            allowed,
            lambda k: f"dimension and points {sets[k]}, {classes()[cases[k][0]][0]}",
            trivial=allowed >= [m * math.log(2) for _, m in sets],
        )

    @trial.form("tests x ≥ a on a line", variants={"1.9 for e": {"e": 1.9}})
    @pop.bounds("numbers of points")
    def on_a_line(**spoiled):
        """Tests x >= a on m points: m + 1 labelings, dimension 1, though endless tests."""
        for m in range(1, 200):
            ways = len({(np.arange(m) >= a).tobytes() for a in range(m + 1)})
            yield np.log(ways), growth(1, m, **spoiled), f"{m} points"
