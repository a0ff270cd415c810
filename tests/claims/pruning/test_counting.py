"""Chapter 6, pruning: the paths and trees that the penalty counts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.kit import MN, Form, Outcome, Trial, claim, equality, outcome
from dtviz import pruning
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import points

__all__ = ["paths_listed", "trees_listed"]

PAGE = "6-pruning"
Ints = npt.NDArray[np.intp]


# -- paths and trees, listed -----------------------------------------------------------------------


@cache
def paths_listed(n: int, most: int, *, exactly: bool = False) -> frozenset[bytes]:
    """The different conjunctions of at most (exactly) so many of n bits and their negations."""
    X = points(n)
    found = set()
    for size in [most] if exactly else range(most + 1):
        for chosen in itertools.combinations(range(n), size):
            for bits in itertools.product((0, 1), repeat=size):
                found.add((X[:, list(chosen)] == bits).all(axis=1).tobytes())
    return frozenset(found)


@cache
def trees_listed(n: int, leaves: int) -> tuple[object, ...]:
    """The labelled trees with at most so many leaves, tests repeated or not."""
    return tuple(tree for size in range(1, leaves + 1) for tree in _trees_of(n, size))


@cache
def _trees_of(n: int, leaves: int) -> tuple[object, ...]:
    if leaves == 1:
        return (0, 1)
    return tuple(
        (i, low, high)
        for i in range(n)
        for size in range(1, leaves)
        for low in _trees_of(n, size)
        for high in _trees_of(n, leaves - size)
    )


PATH_PAIRS = [(n, depth) for n in range(1, 6) for depth in range(1, n + 1)]
WIDE_PAIRS = [(n, depth) for n in range(1, 31) for depth in range(1, n + 1)]


def _paths_counted(n: int, depth: int) -> int:
    """The package's number, looked up when it is asked for."""
    return pruning.count_paths(n, depth)


def _sum_of_paths(n: int, depth: int) -> int:
    """The formula of the page."""
    return sum(2**j * math.comb(n, j) for j in range(depth + 1))


def _one_sign(n: int, depth: int) -> int:
    return sum(math.comb(n, j) for j in range(depth + 1))


def _count_of_paths(count: Callable[[int, int], float], *, exactly: bool = False) -> Outcome:
    """The conjunctions listed, against a number and, if at most l are meant, the package's."""
    gap = [
        abs(len(paths_listed(n, d, exactly=exactly)) - count(n, d))
        + (0 if exactly else abs(count(n, d) - _paths_counted(n, d)))
        for n, d in PATH_PAIRS
    ]
    return equality("n and path lengths", gap, lambda k: f"n, l = {PATH_PAIRS[k]}")


def _tests(number: Callable[[int], int]) -> Outcome:
    """Conjunctions of so many tests as the package counts them, against those of d variables."""
    gap = [len(paths_listed(d, most)) - _paths_counted(number(d), most) for d, most in PATH_PAIRS]
    return equality("n and path lengths", gap, lambda k: f"d, l = {PATH_PAIRS[k]}")


def _paths_at_most(bound: Callable[[int, int], float]) -> Outcome:
    true = [pruning.count_paths(n, d) for n, d in WIDE_PAIRS]
    allowed = [bound(n, d) for n, d in WIDE_PAIRS]
    return outcome(
        "n and path lengths",
        [a <= b for a, b in zip(true, allowed, strict=True)],
        [a / b for a, b in zip(true, allowed, strict=True)],
        lambda k: f"{true[k]:,} conjunctions, bound {allowed[k]:,}, for n, l = {WIDE_PAIRS[k]}",
    )


def _catalan_sum(n: int, s: int, labels: int = 2, first: int = 1) -> int:
    """Trees of n tests with i leaves: labels, tests and shapes, summed over i up to s."""
    shapes = [math.comb(2 * i - 2, i - 1) // i for i in range(1, s + 1)]
    return sum(
        labels**i * n ** (i - 1) * shape
        for i, shape in enumerate(shapes, 1)
        if i >= first or i == s
    )


def _count_of_trees(count: Callable[[int, int], int]) -> Outcome:
    """The trees listed, against a number and the package's."""
    pairs = [(n, leaves) for n in (1, 2, 3) for leaves in (1, 2, 3, 4)]
    gap = [
        abs(len(set(trees_listed(n, s))) - count(n, s))
        + abs(pruning.count_trees(n, 2 * s - 1) - count(n, s))
        for n, s in pairs
    ]
    return equality("n and sizes", gap, lambda k: f"n, leaves = {pairs[k]}")


@cache
def _log_count(n: int, nodes: int) -> float:
    return math.log(pruning.count_trees(n, nodes))


NODES = (*range(1, 42, 2), *range(61, 202, 20), 501, 1501)


def _trees_against(
    log_bound: Callable[[int, int], float], nodes: Iterable[int] = NODES, *, least: bool = False
) -> Outcome:
    """``ln |TREES|`` for so many nodes at most (or ``least``) a bound of n and of the nodes."""
    pairs = list(itertools.product(range(1, 21), nodes))
    logs = [_log_count(n, s) for n, s in pairs]
    bounds = [log_bound(*pair) for pair in pairs]
    gap = np.array(bounds) - logs if least else np.array(logs) - bounds
    return outcome(
        "n and numbers of nodes",
        gap <= 1e-9,
        gap,
        lambda k: f"ln of the number {logs[k]:.2f}, bound {bounds[k]:.2f}, at n, n_v = {pairs[k]}",
    )


def _by_leaves(factor: float, n: int, nodes: int) -> float:
    return (nodes + 1) // 2 * math.log(factor * n)


def _by_nodes(factor: float, n: int, nodes: int) -> float:
    return nodes * math.log(factor * n)


# -- VC dimension ----------------------------------------------------------------------------------


@cache
def _classes() -> tuple[tuple[str, Ints, int], ...]:
    """Classes of functions of 3 bits as codes, and the size of the list they come from."""
    found = []
    for most in (1, 2, 3):
        tables = [np.frombuffer(path, dtype=bool) for path in paths_listed(3, most)]
        codes = np.array([int((t * (1 << np.arange(8))).sum()) for t in tables])
        found.append((f"conjunctions of ≤ {most} literals", codes, len(tables)))
    size = optimal_all(3).n_leaves
    for leaves in (1, 2, 3, 4):
        codes = np.flatnonzero(size <= leaves)
        found.append((f"trees of ≤ {leaves} leaves", codes, pruning.count_trees(3, 2 * leaves - 1)))
    return tuple(found)


@cache
def _labellings(place: int) -> Ints:
    """In how many ways a class labels each set of points of the 3-cube."""
    codes = _classes()[place][1]
    return np.array([np.unique(codes & s).size for s in range(256)])


def _dimension(place: int) -> int:
    sizes = np.array([s.bit_count() for s in range(256)])
    shattered = _labellings(place) == 2**sizes
    return int(sizes[shattered].max())


Growth = Callable[[int, int], float]
"""From a dimension and a number of points: ln of a number of labellings."""


def _by_package(d: int, m: int) -> float:
    """The package's bound, looked up when it is asked for."""
    return float(pruning.vc_log_cardinality(d, m))


def _with_factor(factor: float, d: int, m: int) -> float:
    """``d ln(factor m / d)`` for m >= d, else ``m ln 2``."""
    return d * math.log(max(factor * m / d, 1)) if m >= d else m * math.log(2)


def _root_of_points(d: int, m: int) -> float:
    return d * (1 + math.log(m) / 2)


def _sauer(bound: Growth) -> Outcome:
    """Logarithms of the numbers of labellings against ``d ln(e m / d)``."""
    gap, words, trivial = [], [], []
    for place, (called, _, _) in enumerate(_classes()):
        d, ways = _dimension(place), _labellings(place)
        for s in range(1, 256):
            m = s.bit_count()
            gap.append(math.log(ways[s]) - bound(d, m))
            words.append(f"{ways[s]} labellings of {m} points, dimension {d}, {called}")
            trivial.append(bound(d, m) >= m * math.log(2))  # no more than all labellings
    return outcome(
        "sets of points", np.array(gap) <= 1e-12, gap, words.__getitem__, trivial=trivial
    )


def _dimension_below_logarithm(log: Callable[[float], float]) -> Outcome:
    """The dimension against log2 of the number of functions, whose place it takes."""
    pairs = [(_dimension(k), log(size)) for k, (_, _, size) in enumerate(_classes())]
    return outcome(
        "classes of functions of 3 bits",
        [d <= bits for d, bits in pairs],
        [d / bits for d, bits in pairs],
        lambda k: f"dimension {pairs[k][0]}, log2 {pairs[k][1]:.2f}, {_classes()[k][0]}",
    )


def _infinite_classes(bound: Growth) -> Outcome:
    """Tests x >= a on m points of a line: m + 1 labellings, dimension 1, though endless tests."""
    points_on_line = [np.arange(m) for m in range(1, 200)]
    ways = [len({(x >= a).tobytes() for a in (*x.tolist(), len(x))}) for x in points_on_line]
    gap = [math.log(number) - bound(1, m) for m, number in enumerate(ways, 1)]
    return outcome(
        "numbers of points",
        np.array(gap) <= 0,
        gap,
        lambda k: f"{ways[k]} labellings of {k + 1} points on a line",
    )


def _without_the_factor() -> Outcome:
    """The misreading that the dimension alone bounds ``ln`` of the number of labellings."""
    ratio, words = [], []
    for place, (called, _, _) in enumerate(_classes()):
        d, ways = _dimension(place), int(_labellings(place)[255])
        ratio.append(math.log(ways) / d)
        words.append(f"ln of {ways} labellings of 8 points over dimension {d}, {called}")
    return outcome("classes", np.array(ratio) <= 1, ratio, words.__getitem__)


def _paths_form(label: str, count: Callable[[int, int], float], *, exactly: bool = False) -> Form:
    return Form(label, partial(_count_of_paths, count, exactly=exactly))


@claim(
    "MN-HD",
    MN,
    r"On the cube $\{0,1\}^d$ the tests are the $d$ variables: $|H| = d$, which is $n$ in the "
    r"formulas.",
    PAGE,
    repaired=True,
    note="The source lets i run from 0 to d, and writes n for d afterwards.",
)
def test_mn_hd(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "conjunctions of d variables",
                partial(_tests, lambda d: d),
                mutants=(
                    Form("d - 1 tests", partial(_tests, lambda d: d - 1)),
                    Form("2 d tests", partial(_tests, lambda d: 2 * d)),
                ),
            ),
        ),
        (Form("as printed, 0 ≤ i ≤ d: d + 1 tests", partial(_tests, lambda d: d + 1)),),
    )


@claim(
    "MN-PATHS",
    MN,
    r"There are $\sum_{j \le \ell} 2^j \binom nj \le (2n+1)^\ell$ conjunctions of at most "
    r"$\ell$ of $n$ variables or their negations, $2^\ell \binom n\ell$ of exactly $\ell$.",
    PAGE,
    repaired=True,
    note="The logarithm is O(l log n) all the same, and nothing else is used.",
)
def test_mn_paths(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "at most l, listed",
                partial(_count_of_paths, _sum_of_paths),
                r"|\mathrm{PATHS}(\ell)| = \sum_{j=0}^{\ell} 2^j \binom nj",
                mutants=(
                    _paths_form("without negations", _one_sign),
                    _paths_form("j from 0 to l - 1", lambda n, d: _sum_of_paths(n, d - 1)),
                    _paths_form("j from 1", lambda n, d: _sum_of_paths(n, d) - 1),
                ),
            ),
            Form(
                "exactly l, listed",
                partial(_count_of_paths, lambda n, d: 2**d * math.comb(n, d), exactly=True),
                r"2^\ell \binom n\ell",
                mutants=(
                    _paths_form("n^l for the binomial", lambda n, d: 2**d * n**d, exactly=True),
                    _paths_form(
                        "in every order", lambda n, d: 2**d * math.perm(n, d), exactly=True
                    ),
                ),
            ),
            Form(
                "≤ (2n+1)^l for n ≤ 30",
                partial(_paths_at_most, lambda n, d: (2 * n + 1) ** d),
                r"\sum_{j=0}^{\ell} 2^j \binom nj &\le (2n + 1)^\ell",
                mutants=(
                    Form("≤ (2n)^l", partial(_paths_at_most, lambda n, d: (2 * n) ** d)),
                    Form(
                        "≤ (2n + 0.99)^l", partial(_paths_at_most, lambda n, d: (2 * n + 0.99) ** d)
                    ),
                    Form(
                        "≤ (2n+1)^(l-1)",
                        partial(_paths_at_most, lambda n, d: (2 * n + 1) ** (d - 1)),
                    ),
                ),
            ),
        ),
        (
            Form(
                "as printed, 2^(l-1) C(n, l)",
                partial(_count_of_paths, lambda n, d: 2 ** (d - 1) * math.comb(n, d)),
            ),
            Form("as printed, ≤ n^l", partial(_paths_at_most, lambda n, d: n**d)),
            Form(
                "2^(l-1) C(n, l) of exactly l",
                partial(_count_of_paths, lambda n, d: 2 ** (d - 1) * math.comb(n, d), exactly=True),
            ),
        ),
    )


@claim(
    "MN-TREES",
    MN,
    r"There are at least $2^s$ and at most $(8n)^s$ trees of $n$ tests with at most $s$ "
    r"leaves; and at most $(c\,n)^{n_v}$ with at most $n_v$ nodes, $c = 3$.",
    PAGE,
    repaired=True,
    note="Printed as (c, d)^n.",
)
def test_mn_trees(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "at most (8n)^s",
                partial(_trees_against, partial(_by_leaves, 8)),
                r"|\mathrm{TREES}(s)| \le (8n)^s",
                mutants=(
                    Form("at most (7.8 n)^s", partial(_trees_against, partial(_by_leaves, 7.8))),
                    Form(
                        "at most (8n)^(s-1)",
                        partial(_trees_against, lambda n, nodes: _by_leaves(8, n, nodes - 2)),
                    ),
                    Form("at most 8^s", partial(_trees_against, lambda _, s: _by_leaves(8, 1, s))),
                ),
            ),
            Form(
                "at least 2^s",
                partial(_trees_against, lambda _, s: _by_leaves(2, 1, s), least=True),
                r"2^s \le |\mathrm{TREES}(s)|",
                mutants=(
                    Form(
                        "at least 2.1^s",
                        partial(_trees_against, lambda _, s: _by_leaves(2.1, 1, s), least=True),
                    ),
                    Form(
                        "at least (2n)^s",
                        partial(_trees_against, partial(_by_leaves, 2), least=True),
                    ),
                ),
            ),
            Form(
                "at most (3n)^nodes",
                partial(_trees_against, partial(_by_nodes, 3)),
                mutants=(
                    Form("at most (2.8 n)^nodes", partial(_trees_against, partial(_by_nodes, 2.8))),
                ),
            ),
            Form(
                "at most (2.5 n)^nodes, up to 41 nodes",
                partial(_trees_against, partial(_by_nodes, 2.5), range(1, 42, 2)),
                mutants=(
                    Form(
                        "at most (2.5 n)^nodes, up to 61",
                        partial(_trees_against, partial(_by_nodes, 2.5), range(1, 62, 2)),
                    ),
                    Form(
                        "at most (2.4 n)^nodes",
                        partial(_trees_against, partial(_by_nodes, 2.4), range(1, 42, 2)),
                    ),
                ),
            ),
            Form(
                "trees listed",
                partial(_count_of_trees, _catalan_sum),
                mutants=(
                    Form("three labels", partial(_count_of_trees, partial(_catalan_sum, labels=3))),
                    Form(
                        "exactly s leaves",
                        partial(_count_of_trees, partial(_catalan_sum, first=99)),
                    ),
                    Form(
                        "n^i for n^(i-1)",
                        partial(_count_of_trees, lambda n, s: n * _catalan_sum(n, s)),
                    ),
                ),
            ),
        ),
        (
            Form(
                "as printed with 1 for c: n^nodes",
                partial(_trees_against, partial(_by_nodes, 1), range(1, 42, 2)),
            ),
            Form("c = 2.5 for all sizes", partial(_trees_against, partial(_by_nodes, 2.5))),
        ),
    )


@claim(
    "MN-VC",
    MN,
    r"For infinitely many tests, VC dimensions take the place of logarithms of numbers: a "
    r"class of dimension $d$ labels $m$ points in at most $(em/d)^d$ ways, $m \ge d$.",
    PAGE,
    note="Correct up to factors of log m. The uniform convergence behind it (symmetrisation) "
    "is quoted in the chapter, not checked.",
)
def test_mn_vc(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "paths and trees on the 3-cube, all sets of points",
                partial(_sauer, _by_package),
                mutants=(
                    Form("1.9 for e, on the cube", partial(_sauer, partial(_with_factor, 1.9))),
                    Form("d - 1 for d", partial(_sauer, lambda d, m: _by_package(d - 1, m))),
                    Form("e d for e m", partial(_sauer, lambda d, m: min(m * math.log(2), d))),
                ),
            ),
            Form(
                "d ≤ log2 of the number of functions",
                partial(_dimension_below_logarithm, math.log2),
                mutants=(
                    Form("natural logarithm", partial(_dimension_below_logarithm, math.log)),
                    Form(
                        "0.95 log2",
                        partial(_dimension_below_logarithm, lambda size: 0.95 * math.log2(size)),
                    ),
                ),
            ),
            Form(
                "tests x ≥ a on a line",
                partial(_infinite_classes, _by_package),
                mutants=(
                    Form("1.9 for e", partial(_infinite_classes, partial(_with_factor, 1.9))),
                    Form("sqrt(m) for m", partial(_infinite_classes, _root_of_points)),
                ),
            ),
        ),
        (Form("without the factor ln(em/d)", _without_the_factor),),
    )
