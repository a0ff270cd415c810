"""Chapter 2, Corollaries 1 and 2: targets with polynomially many nodes.

For n = 2^j variables and n^d nodes the rank is at most k = dj, and all numbers are powers of two
with exponents near (log2 n)^2; so j may be in the thousands.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial

import numpy as np

from claims.kit import EH, Form, Outcome, Trial, claim, outcome
from claims.rank.failure import GOALS
from claims.rank.samples import SAMPLES, Nested, all_samples, answers, table
from dtviz import rank as chapter

PAGE = "2-rank"
POLYNOMIALS = [
    (j, d) for d in (1, 2, 3) for j in (*range(3, 41), 100, 300, 1000, 3000) if d * j <= 1 << j
]
"""Pairs (j, d): 2^j variables, and targets with at most 2^(dj) nodes."""
FAILURES = (1e-6, 0.1, math.log(2), 1, 10, 1e3, 1e8)
"""Values of ln(1/delta)."""
ACCURACIES = (0.5, 0.1, 1e-6)
"""Values of epsilon."""
CONSTANTS = [10**k for k in range(7)]


def _log_class(j: float, d: int) -> float:
    """``log2`` of ``(en/k)^k ln(8n)``."""
    k = d * j
    return k * (j + math.log2(math.e) - math.log2(k)) + math.log2((j + 3) * math.log(2))


def _log_calls(j: float, d: int) -> float:
    """``log2`` of ``(n+1)^(2k)``."""
    return 2 * d * j * (j + math.log2(1 + 2.0**-j))


def _log_examples(j: int, d: int, epsilon: float, log_delta: float) -> float:
    """``log2`` of Theorem 3's number of examples; ``log_delta`` is ln(1/delta)."""
    return float(np.logaddexp2(_log_class(j, d), math.log2(log_delta))) - math.log2(epsilon)


def _log_time(j: int, d: int, epsilon: float, log_delta: float) -> float:
    """``log2`` of ``m (n+1)^(2k)``."""
    return _log_examples(j, d, epsilon, log_delta) + _log_calls(j, d)


Log = Callable[[int, int, float, float], float]
"""From j, d, epsilon and ln(1/delta): the logarithm to base 2 of a number."""


Growth = Callable[[int, int], float]
"""From j and d: the logarithm to base 2 of what is said to be ``n^O(log n)``."""


def _quasi(factor: float, j: int, d: int, *, power: float = 2) -> float:
    """``log2`` of ``n^(c log2 n)``, where c is ``factor`` times d; other powers are spoilt."""
    return factor * d * math.pow(j, power)


def _linear_in_each(growth: Growth, j: int, d: int, epsilon: float, log_delta: float) -> float:
    """``n^(c log2 n) (1/epsilon) ln(1/delta)``."""
    return growth(j, d) - math.log2(epsilon) + math.log2(log_delta)


def _root_of_delta(growth: Growth, j: int, d: int, epsilon: float, log_delta: float) -> float:
    return growth(j, d) - math.log2(epsilon) + math.log2(log_delta) / 2


def _root_of_epsilon(growth: Growth, j: int, d: int, epsilon: float, log_delta: float) -> float:
    return growth(j, d) - math.log2(epsilon) / 2 + math.log2(log_delta)


def _sum_of_both(growth: Growth, j: int, d: int, epsilon: float, log_delta: float) -> float:
    """``(1/epsilon) (n^(c log2 n) + ln(1/delta))``."""
    return float(np.logaddexp2(growth(j, d), math.log2(log_delta))) - math.log2(epsilon)


def _class_alone(growth: Growth, j: int, d: int, epsilon: float, _: float) -> float:
    return growth(j, d) - math.log2(epsilon)


def _one_and_delta(growth: Growth, j: int, d: int, epsilon: float, log_delta: float) -> float:
    """``(1/epsilon) n^(c log2 n) (1 + ln(1/delta))``."""
    return growth(j, d) - math.log2(epsilon) + math.log2(1 + log_delta)


def _at_most(value: Log, bound: Log, least: float = math.log(2)) -> Outcome:
    """A number against a bound, by logarithms, for ln(1/delta) from ``least`` on."""
    logs = [log_delta for log_delta in FAILURES if log_delta >= least]
    cases = [
        (j, d, epsilon, log_delta)
        for j, d in POLYNOMIALS
        for epsilon, log_delta in itertools.product(ACCURACIES, logs)
    ]
    left = np.array([value(*case) for case in cases])
    right = np.array([bound(*case) for case in cases])
    j_of, d_of = np.array([case[:2] for case in cases], dtype=float).T
    # In units of d (log2 n)^2, as the constant of the bound is.
    short = (right - left) / (d_of * j_of**2)
    # Where ln(1/delta) outweighs the class, the constant hardly matters.
    counts = np.array([_log_class(j, d) > math.log2(log) for j, d, _, log in cases])
    return outcome(
        "n, polynomials, epsilon and delta",
        left <= right,
        np.where(counts, -short, -math.inf),
        lambda k: (
            f"the constant could be {short[k]:.3g} less at n = 2^{cases[k][0]}, d = {cases[k][1]}, "
            f"epsilon {cases[k][2]:g}, ln(1/delta) = {cases[k][3]:.3g}"
        ),
    )


def _no_constant_will_do(value: Callable[[float], float], what: str) -> Outcome:
    """What must stay below some constant, for n = 2^j: where it passes each of several."""
    passed = []
    for constant in CONSTANTS:
        doublings = (float(1 << i) for i in range(2, 60))
        passed.append(next((j for j in doublings if value(j) > constant), None))

    def told(k: int) -> str:
        j = passed[k]
        if j is None:
            return f"{what} at most {CONSTANTS[k]:,} for all n tried"
        return f"{what} {value(j):.4g} > {CONSTANTS[k]:,} at n = 2^{j:.0f}"

    return outcome(
        "constants",
        [j is None for j in passed],
        [-(j or math.inf) for j in passed],
        told,
    )


def _degree(j: float) -> float:
    """The exponent of n, were the number of examples a power of n; n nodes."""
    return _log_class(j, 1) / j


def _printed_exponent(j: float) -> float:
    """``log2 (en)^polylog(n)`` over ``(log2 n)^2``, reading polylog(n) as ``(log2 n)^2``."""
    return j + math.log2(math.e)


def _delta_outside(j: float) -> float:
    """By how much the time exceeds ``n^(c log n) + log(1/delta)`` if they are equal, in log2.

    The time is ``(n^(c log n) + log(1/delta)) (n+1)^(2k)``, so the ratio is ``(n+1)^(2k)``.
    """
    return _log_calls(j, 1)


def _linear_in_both() -> Outcome:
    """Halving epsilon doubles the examples; squaring delta adds ``ln(1/delta)/epsilon``."""
    gap, names = [], []
    for n, nodes, (epsilon, delta) in itertools.product((8, 20, 64), (7, 15, 31), GOALS):
        m = chapter.sample_size_for_nodes(n, nodes, epsilon, delta)
        halved = chapter.sample_size_for_nodes(n, nodes, epsilon / 2, delta)
        squared = chapter.sample_size_for_nodes(n, nodes, epsilon, delta**2)
        gap.append(max(abs(halved - 2 * m), abs(squared - m + math.log(delta) / epsilon)))
        names.append(f"n = {n}, {nodes} nodes, epsilon {epsilon:g}, delta {delta:g}")
    return outcome(
        "n, nodes, epsilon and delta",
        np.array(gap) <= 2,
        gap,
        lambda k: f"off by {gap[k]:.2g} (rounding up allows 2) at {names[k]}",
    )


def _up_to_rounding(log: Callable[[float], float] = math.log, *, less: int = 0) -> Outcome:
    """The package's number of examples against the formula."""
    gap, names = [], []
    for (j, d), (epsilon, delta) in itertools.product(POLYNOMIALS, GOALS):
        if j <= 10:
            n, k = 1 << j, d * j - less
            examples = (math.e * n / k) ** k * log(8 * n) / epsilon - math.log(delta) / epsilon
            exact = chapter.sample_size_for_nodes(n, n**d, epsilon, delta)
            gap.append(abs(exact - examples) / max(1, 1e-12 * examples))
            names.append(f"n = 2^{j}, d = {d}, epsilon {epsilon:g}, delta {delta:g}")
    return outcome(
        "n, polynomials, epsilon and delta",
        np.array(gap) <= 1,
        gap,
        lambda k: f"off by {gap[k]:.2g} (rounding up allows 1) at {names[k]}",
    )


def _by_the_package(nodes: int) -> int:
    return chapter.rank_of_nodes(nodes)


def _output_rank(
    trees: Callable[[], tuple[Nested | None, ...]], bound: Callable[[int], int] = _by_the_package
) -> Outcome:
    """The rank of a tree against log2 of the fewest nodes of a function that fits the sample."""
    every, found = all_samples(), table(trees())
    allowed = np.array([bound(2 * int(size) - 1) for size in every.size])
    return outcome(
        SAMPLES,
        (found.rank >= 0) & (found.rank <= allowed),
        10 * (found.rank - allowed) + found.rank,
        lambda k: f"rank {found.rank[k]}, bound {allowed[k]}, for {every.describe(k)}",
    )


def _tried(
    value: Log, bound: Callable[..., float], growth: Growth, least: float = math.log(2)
) -> Callable[[], Outcome]:
    return partial(_at_most, value, partial(bound, growth), least)


@claim(
    "EH-C1",
    EH,
    r"For targets with at most $p(n)$ nodes, $p$ a polynomial, examples and time are linear in "
    r"$n^{O(\log n)}$, $1/\varepsilon$ and $\log(1/\delta)$, for $\delta \le 1/2$.",
    PAGE,
)
def test_eh_c1(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "examples, for n^d nodes: with n^(1.25 d log2 n)",
                _tried(_log_examples, _linear_in_each, partial(_quasi, 1.25)),
                formula=r"n^{O(\log n)}",
                mutants=(
                    Form(
                        "0.98 for 1.25",
                        _tried(_log_examples, _linear_in_each, partial(_quasi, 0.98)),
                    ),
                    Form(
                        "√(log n) for log n",
                        _tried(_log_examples, _linear_in_each, partial(_quasi, 3, power=1.5)),
                    ),
                    Form(
                        "√(ln(1/delta)) for ln(1/delta)",
                        _tried(_log_examples, _root_of_delta, partial(_quasi, 1.25)),
                    ),
                    Form(
                        "√(1/epsilon) for 1/epsilon",
                        _tried(_log_examples, _root_of_epsilon, partial(_quasi, 1.25)),
                    ),
                    Form(
                        "delta up to 0.9",
                        _tried(_log_examples, _linear_in_each, partial(_quasi, 1.25), 0.1),
                    ),
                ),
            ),
            Form(
                "time, for n^d nodes: with n^(3.4 d log2 n)",
                _tried(_log_time, _linear_in_each, partial(_quasi, 3.4)),
                formula=r"n^{O(\log n)}",
                mutants=(
                    Form(
                        "2.95 for 3.4",
                        _tried(_log_time, _linear_in_each, partial(_quasi, 2.95)),
                    ),
                    Form(
                        "√(log n) for log n",
                        _tried(_log_time, _linear_in_each, partial(_quasi, 9, power=1.5)),
                    ),
                ),
            ),
            Form("linear in 1/epsilon and log(1/delta)", _linear_in_both, kind="identity"),
        ),
        (
            Form(
                "polynomial: at most n^c, for each c",
                partial(_no_constant_will_do, _degree, "degree"),
            ),
        ),
    )


@claim(
    "EH-C2-sample",
    EH,
    r"With $k = \lfloor \log_2 p(n) \rfloor = O(\log n)$, "
    r"$O(\frac{1}{\varepsilon} (\log \frac{1}{\delta} + \log n\, (en/k)^k))$ examples suffice, "
    r"which is $\frac{1}{\varepsilon} (n^{O(\log n)} + O(\log \frac{1}{\delta}))$.",
    PAGE,
    repaired=True,
    note="The source bounds k by polylog(n) and loses a denominator. That would not give "
    "the corollary; k = O(log n) does, and absorbs the factor log n.",
)
def test_eh_c2_sample(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "for n^d nodes: with n^(1.2 d log2 n)",
                _tried(_log_examples, _sum_of_both, partial(_quasi, 1.2), 0),
                formula=r"m = \frac1\varepsilon \Bigl( \Bigl(\frac{en}{k}\Bigr)^{k} \ln(8n) + "
                r"\ln\frac1\delta \Bigr) = \frac1\varepsilon \Bigl( n^{O(\log n)} + "
                r"\ln \frac1\delta \Bigr)",
                mutants=(
                    Form(
                        "0.98 for 1.2",
                        _tried(_log_examples, _sum_of_both, partial(_quasi, 0.98), 0),
                    ),
                    Form(
                        "√(log n) for log n",
                        _tried(_log_examples, _sum_of_both, partial(_quasi, 3, power=1.5), 0),
                    ),
                    Form(
                        "without ln(1/delta)",
                        _tried(_log_examples, _class_alone, partial(_quasi, 1.2), 0),
                    ),
                ),
            ),
            Form(
                "the package's number, up to rounding",
                _up_to_rounding,
                formula=r"m = \frac1\varepsilon \Bigl( \Bigl(\frac{en}{k}\Bigr)^{k} \ln(8n) + "
                r"\ln\frac1\delta \Bigr)",
                kind="definition",
                mutants=(
                    Form("log2 for ln", partial(_up_to_rounding, math.log2)),
                    Form("k - 1 for k", partial(_up_to_rounding, less=1)),
                ),
            ),
        ),
        (
            Form(
                "as printed, with k = polylog(n) = (log2 n)^2: (en)^k ≤ n^(c log2 n), for each c",
                partial(_no_constant_will_do, _printed_exponent, "exponent"),
            ),
        ),
    )


@claim(
    "EH-C2-time",
    EH,
    r"The time is the number of examples times $(n+1)^{2k}$: "
    r"$\frac{1}{\varepsilon}\, n^{O(\log n)} (1 + \ln \frac{1}{\delta})$.",
    PAGE,
    repaired=True,
    note="The source ends with log(1/delta) not multiplied by the power of n, and writes "
    "n^(2 polylog(p)) for (n+1)^(2 floor(log2 p)).",
)
def test_eh_c2_time(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "for n^d nodes: with n^(3.3 d log2 n)",
                _tried(_log_time, _one_and_delta, partial(_quasi, 3.3), 0),
                formula=r"O\bigl( m\,(n+1)^{2k} \bigr) = \frac1\varepsilon\, n^{O(\log n)} "
                r"\Bigl( 1 + \ln\frac1\delta \Bigr)",
                mutants=(
                    Form(
                        "2.95 for 3.3",
                        _tried(_log_time, _one_and_delta, partial(_quasi, 2.95), 0),
                    ),
                    Form(
                        "√(log n) for log n",
                        _tried(_log_time, _one_and_delta, partial(_quasi, 9, power=1.5), 0),
                    ),
                    Form(
                        "ln(1/delta) for 1 + ln(1/delta)",
                        _tried(_log_time, _linear_in_each, partial(_quasi, 3.3), 0),
                    ),
                    Form(
                        "without ln(1/delta)",
                        _tried(_log_time, _class_alone, partial(_quasi, 3.3), 0),
                    ),
                ),
            ),
        ),
        (
            Form(
                "as printed, with log(1/delta) outside the power of n: within a factor 2^c, each c",
                partial(_no_constant_will_do, _delta_outside, "log2 of the ratio"),
            ),
        ),
    )


@claim(
    "EH-C2-rank",
    EH,
    r"The tree that FINDMIN returns has rank at most $\lfloor \log_2 p(n) \rfloor$.",
    PAGE,
)
def test_eh_c2_rank(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "all samples, p the fewest nodes that agree",
                partial(_output_rank, partial(answers, None)),
                formula=r"k = \lfloor \log_2 p \rfloor",
                mutants=(
                    Form(
                        "base 2.5 for 2",
                        partial(
                            _output_rank,
                            partial(answers, None),
                            lambda nodes: math.floor(math.log(nodes, 2.5)),
                        ),
                    ),
                    Form(
                        "one less",
                        partial(
                            _output_rank, partial(answers, None), lambda p: _by_the_package(p) - 1
                        ),
                    ),
                    Form("FIND(S, 2) for FINDMIN", partial(_output_rank, partial(answers, 2))),
                ),
            ),
        )
    )
