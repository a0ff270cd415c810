"""Chapter 6, pruning: how far a rate on the sample may be from the truth, at every node at once.

Nothing is simulated: binomial and multinomial probabilities are summed, and where a comparison may
be an equality the numbers are integers or fractions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.kit import MN, Form, Outcome, Trial, claim, equality, outcome
from claims.pruning.extremes import Logs, exact_logs, paths_log, trees_log
from dtviz.core.immutable import frozen

__all__ = ["TWENTIETHS", "binomial"]

PAGE = "6-pruning"
GRID = "m, p and lambda"
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@cache
def _log_factorials(m: int) -> Floats:
    return frozen(np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, m + 1)))]))


@cache
def binomial(m: int, p: float) -> Floats:
    """The probabilities of 0, .., m successes."""
    k, logs = np.arange(m + 1), _log_factorials(m)
    if p in {0.0, 1.0}:
        return frozen(np.asarray(k == p * m, dtype=float))
    here = logs[m] - logs - logs[::-1] + k * math.log(p) + (m - k) * math.log1p(-p)
    return frozen(np.exp(here))


# -- one node: (12.4) to (12.7) --------------------------------------------------------------------

TWENTIETHS = range(1, 20)


@dataclass(frozen=True)
class _Tails:
    """``Pr[|rate - p| >= lambda]`` for m examples; p and lambda in twentieths."""

    m: Ints
    p: Ints
    cut: Ints
    chance: Floats

    @property
    def exponent(self) -> Floats:
        """``lambda^2 m``."""
        return np.asarray((self.cut / 20) ** 2 * self.m)

    def describe(self, k: int) -> str:
        return f"m = {self.m[k]}, p = {self.p[k] / 20:g}, lambda = {self.cut[k] / 20:g}"


@cache
def _tails() -> _Tails:
    rows: list[tuple[int, int, int, float]] = []
    wide = itertools.product((1, 2, 3, 5, 10, 20, 40), TWENTIETHS, TWENTIETHS)
    for m, p, cut in (*wide, *itertools.product((1000,), TWENTIETHS, range(1, 8))):
        far = np.abs(20 * np.arange(m + 1) - p * m) >= cut * m
        rows.append((m, p, cut, float(binomial(m, p / 20)[far].sum())))
    sizes, rates, cuts, chances = (np.array(column) for column in zip(*rows, strict=True))
    return _Tails(sizes, rates, cuts, chances)


def _tail_below(bound: Callable[[Floats], Floats], least: float = 0.0) -> Outcome:
    tails = _tails()
    asked = tails.exponent >= least
    allowed = bound(tails.exponent)[asked]
    chance = tails.chance[asked]
    place = np.flatnonzero(asked)
    return outcome(
        GRID,
        chance <= allowed * (1 + 1e-9),
        chance / allowed,
        lambda k: (
            f"probability {chance[k]:.4g}, bound {allowed[k]:.4g}, {tails.describe(place[k])}"
        ),
    )


def _exponential(times: float, power: float, exponent: Floats) -> Floats:
    return np.asarray(times * np.exp(-power * exponent))


HOEFFDING = partial(_exponential, 2, 2)
PRINTED = partial(_exponential, 1, 1)


def _reach_and_fall(m: int, p: Fraction, on: int) -> Fraction:
    """The chance that so many of m examples come to the path."""
    return math.comb(m, on) * p**on * (1 - p) ** (m - on)


def _as_if_the_mean_came(m: int, p: Fraction, on: int) -> Fraction:
    return Fraction(on == round(m * p))


def _any_number_alike(m: int, _: Fraction, __: int) -> Fraction:
    return Fraction(1, m + 1)


def _conditioning(
    reach: Callable[[int, Fraction, int], Fraction] = _reach_and_fall,
    rate: Callable[[Fraction, Fraction], Fraction] = lambda e, _: e,
) -> Outcome:
    """Over all samples of m points: outside the path, on it and right, on it and wrong.

    ``rate`` is the chance of an error of an example that comes, if e of those on the path err.
    """
    gap, words = [], []
    shares = [Fraction(1, 4), Fraction(1, 2), Fraction(4, 5)]
    cuts = [Fraction(1, 5), Fraction(1, 2)]
    for m, p, e, cut in itertools.product((1, 3, 6), shares, shares, cuts):
        together = split = Fraction(0)
        x = rate(e, p)
        for on in range(m + 1):
            wrong = [math.comb(on, w) * x**w * (1 - x) ** (on - w) for w in range(on + 1)]
            far = [w for w in range(on + 1) if on and abs(Fraction(w, on) - e) >= cut]
            split += reach(m, p, on) * sum((wrong[w] for w in far), Fraction(0))
            for w in far:
                ways = math.factorial(m) // (
                    math.factorial(m - on) * math.factorial(w) * math.factorial(on - w)
                )
                together += ways * (1 - p) ** (m - on) * (p * e) ** w * (p * (1 - e)) ** (on - w)
        gap.append(float(together - split))
        words.append(f"m = {m}, Pr[path] = {p}, error {e}, lambda = {cut}")
    return equality("samples and nodes", gap, words.__getitem__)


def _off_at_a_path(
    limit: Callable[[float, int, int], float], bound: Callable[[float, int, float], float]
) -> Outcome:
    """The chance to be off by ``limit(x, m_path, m)``, against ``bound(x, m, p)``.

    x is r or lambda, p the chance to come to the path. Where no example comes no tree is off.
    """
    ratio, words = [], []
    for m, p in itertools.product((1, 5, 20, 60), (1, 5, 19)):
        for x, e in itertools.product((0.1, 0.25, 0.5, 0.8, 1.5, 3.0), (1, 4, 10)):
            off = 0.0
            for on, weight in enumerate(binomial(m, p / 20)[1:].tolist(), 1):
                far = np.abs(np.arange(on + 1) / on - e / 20) >= limit(x, on, m) - 1e-12
                off += weight * float(binomial(on, e / 20)[far].sum())
            allowed = bound(x, m, p / 20)
            ratio.append(off / max(allowed, 1e-300))
            words.append(
                f"{off:.4g}, bound {allowed:.4g}, m = {m}, Pr[path] = {p / 20:g}, "
                f"error {e / 20:g}, {x:g}"
            )
    return outcome("m, paths, errors and r", np.array(ratio) <= 1 + 1e-12, ratio, words.__getitem__)


def _by_r(x: float, on: int, _: int) -> float:
    """The lambda of (12.7)."""
    return math.sqrt(x / on)


def _itself(x: float, _: int, __: int) -> float:
    return x


def _of_r(x: float, _: int, __: float, *, times: float = 2, power: float = 2) -> float:
    return times * math.exp(-power * x)


def _mean_bound(x: float, m: int, p: float, *, times: float = 2, power: float = 2) -> float:
    """``E[2 exp(-2 lambda^2 m_path)]``."""
    return float((binomial(m, p) * times * np.exp(-power * x * x * np.arange(m + 1))).sum())


def _bound_of_mean(x: float, m: int, p: float) -> float:
    """The bound with the mean of m_path in the exponent."""
    return 2 * math.exp(-2 * x * x * m * p)


# -- all nodes at once: Lemma 12.2 -----------------------------------------------------------------

Bits = Callable[[int, int, int, int, float], float]
"""From n, a depth, a size in leaves, m and delta: r."""
DELTAS = (0.9, 0.5, 0.05, 0.001)


def _bits(logs: Logs = exact_logs, times: float = 1) -> Bits:
    """r(l, s), or a variant of it."""
    return lambda n, depth, s, m, delta: times * (logs(n, depth, s) + math.log(m) - math.log(delta))


def _logs_alone(n: int, depth: int, s: int, _: int, __: float) -> float:
    return exact_logs(n, depth, s)


def _each_bound() -> Outcome:
    """``N 2 exp(-2 r)`` against ``2 delta^2 / (m^2 N)``, in logarithms."""
    off, words = [], []
    for n, depth, s in itertools.product((2, 5, 20), (0, 1, 3), (1, 2, 5)):
        for delta, m in itertools.product((0.5, 0.05), (1, 10, 1000)):
            logs = exact_logs(n, depth, s)
            left = logs - 2 * _bits()(n, depth, s, m, delta)
            right = 2 * math.log(delta / m) - logs
            off.append(not math.isclose(left, right, rel_tol=1e-12))
            words.append(f"n = {n}, l = {depth}, s = {s}, delta = {delta}, m = {m}")
    return equality("n, l, s, m and delta", off, words.__getitem__)


@cache
def _all_bounds(n: int) -> float:
    """The sum of ``2 / N`` over all depths up to n and all sizes (beyond 60 no digit changes)."""
    paths = sum(math.exp(-paths_log(n, depth)) for depth in range(n + 1))
    return 2 * paths * sum(math.exp(-trees_log(n, s)) for s in range(1, 61))


def _sum_of_bounds(
    allowed: Callable[[float, int], float],
    deltas: tuple[float, ...] = DELTAS,
    sizes: tuple[int, ...] = (2, 3, 10),
) -> Outcome:
    """``sum 2 delta^2 / (m^2 N)`` over all depths and sizes, against a bound of delta and m."""
    ratio, words = [], []
    for n, delta, m in itertools.product((1, 2, 3, 5, 10, 20), deltas, sizes):
        total, most = _all_bounds(n) * (delta / m) ** 2, allowed(delta, m)
        ratio.append(total / most)
        words.append(f"{total:.4g}, bound {most:.4g}, n = {n}, delta = {delta:.3g}, m = {m}")
    return outcome("n, m and delta", np.array(ratio) <= 1, ratio, words.__getitem__)


@cache
def _samples(m: int) -> tuple[Ints, Floats]:
    """All counts of m examples over 4 cells, and ``ln m!/prod k!`` of each."""
    a, b, c = np.indices((m + 1,) * 3).reshape(3, -1)
    counts = np.stack([a, b, c, m - a - b - c], axis=1)
    counts = counts[counts[:, 3] >= 0]
    logs = _log_factorials(m)
    return counts, logs[m] - logs[counts].sum(axis=1)


Limit = Callable[[int, int, int, npt.NDArray[Any]], Floats]
"""From n, a depth, a size and numbers of examples that come: what a rate must stay below."""
MASSES = ((0.5, 0.5), (0.8, 0.2), (0.95, 0.05))


def _one_bit(m: int, masses: tuple[float, float], noise: float, limit: Limit) -> float:
    """Of all samples of a bit with a noisy label: the chance that some path and tree are off."""
    counts, ways = _samples(m)
    cells = [mass * share for mass in masses for share in (1 - noise, noise)]
    weight = np.exp(ways + counts @ np.log(cells))
    low, low_wrong, high, high_wrong = counts.T
    all_come = np.full_like(low, m)
    pairs = [
        (0, 1, low_wrong + high_wrong, all_come, noise),
        (0, 2, low_wrong + high, all_come, masses[0] * noise + masses[1] * (1 - noise)),
        (1, 1, low_wrong, low + low_wrong, noise),
        (1, 1, high_wrong, high + high_wrong, noise),
    ]
    off = np.zeros(low.size, dtype=bool)
    for depth, s, wrong, on, truth in pairs:
        seen = np.maximum(on, 1)
        off |= (on > 0) & (np.abs(wrong / seen - truth) >= limit(1, depth, s, seen))
    return float(weight[off].sum())


def _some_stump(m: int, n: int, limit: Limit) -> float:
    """Of n fair bits beside a fair label: the chance that the stump of some bit is off."""
    far = np.abs(np.arange(m + 1) / m - 0.5) >= limit(n, 0, 2, np.array([m]))
    return -math.expm1(n * math.log1p(-float(binomial(m, 0.5)[far].sum())))


def _some_short_path(m: int, n: int, limit: Limit) -> float:
    """With bits that are 1 in an eighth: the chance that a constant is off where some bit is 1.

    Given the labels the bits are independent, so the sum is over their number of ones.
    """
    off = 0.0
    for k, weight in enumerate(binomial(m, 0.5).tolist()):
        ones, zeros = np.ogrid[: k + 1, : m - k + 1]
        on = np.maximum(ones + zeros, 1)
        far = (ones + zeros > 0) & (np.abs(ones / on - 0.5) >= limit(n, 1, 1, on))
        chance = float(np.outer(binomial(k, 0.125), binomial(m - k, 0.125))[far].sum())
        off -= weight * math.expm1(n * math.log1p(-min(chance, 1 - 1e-15)))
    return off


def _limit(bits: Bits, m: int, delta: float, *, whole: bool) -> Limit:
    """``sqrt(r / m_path)``, or ``sqrt(r / m)``."""
    return lambda n, depth, s, on: np.sqrt(bits(n, depth, s, m, delta) / (m if whole else on))


def _some_pair_is_off(bits: Bits, *, whole: bool = False) -> Outcome:
    """The chance that a path and a tree of any depth and size are off, against delta."""
    cases: list[tuple[float, float, str]] = []
    for delta in DELTAS:
        for m, masses, noise in itertools.product((6, 40), MASSES, (0.1, 0.5)):
            chance = _one_bit(m, masses, noise, _limit(bits, m, delta, whole=whole))
            cases.append((chance, delta, f"a bit, masses {masses}, noise {noise}, m = {m}"))
        for n in (1, 10**3, 10**18, 10**30):
            chance = _some_stump(400, n, _limit(bits, 400, delta, whole=whole))
            cases.append((chance, delta, f"the stumps of {n:.0e} fair bits, m = 400"))
        for n in (1, 10**3, 10**15):
            chance = _some_short_path(100, n, _limit(bits, 100, delta, whole=whole))
            cases.append((chance, delta, f"the short paths of {n:.0e} bits, m = 100"))
    ratio = np.array([chance / delta for chance, delta, _ in cases])

    def told(k: int) -> str:
        chance, delta, case = cases[k]
        return f"probability {chance:.3g}, delta = {delta}, {case}"

    return outcome("distributions, m and delta", ratio <= 1, ratio, told)


@claim(
    "MN-L12.2",
    MN,
    r"Local uniform convergence: with probability at least $1 - \delta$, for all $\ell$, all "
    r"$s$, all paths of at most $\ell$ answers that examples reach, and all trees with at most "
    r"$s$ leaves, $|\varepsilon - \hat\varepsilon| < \sqrt{r(\ell, s) / m_{\mathrm{path}}}$, "
    r"where $r(\ell, s) = \ln|\mathrm{PATHS}(\ell)| + \ln|\mathrm{TREES}(s)| + "
    r"\ln\frac m\delta$.",
    PAGE,
    note="For one depth and size alone half of r would do: the source takes exp(-lambda^2 m) "
    "where (12.5) has 2 exp(-2 lambda^2 m). Where no example comes nothing is claimed.",
)
def test_mn_l12_2(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "all paths and trees of a bit; stumps and short paths of many",
                partial(_some_pair_is_off, _bits()),
                r"|\varepsilon_\pi(P) - \hat\varepsilon_\pi(P)| < \sqrt{\frac{r(\ell, s)}{m_\pi}}",
                mutants=(
                    Form("0.4 r", partial(_some_pair_is_off, _bits(times=0.4))),
                    Form(
                        "without ln |PATHS|",
                        partial(_some_pair_is_off, _bits(lambda n, _, s: trees_log(n, s))),
                    ),
                    Form(
                        "without ln |TREES|",
                        partial(_some_pair_is_off, _bits(lambda n, depth, _: paths_log(n, depth))),
                    ),
                    Form("without ln(m/delta)", partial(_some_pair_is_off, _logs_alone)),
                    Form("m for m_path", partial(_some_pair_is_off, _bits(), whole=True)),
                ),
            ),
        )
    )


@claim(
    "MN-12.4",
    MN,
    r"The probability of a deviation is the mean, over the number $m_{\mathrm{path}}$ of "
    r"examples that come, of the probability for so many examples of the path.",
    PAGE,
)
def test_mn_12_4(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "exact fractions",
                _conditioning,
                mutants=(
                    Form("as if the mean came", partial(_conditioning, _as_if_the_mean_came)),
                    Form("any number alike", partial(_conditioning, _any_number_alike)),
                    Form(
                        "errors of all examples",
                        partial(_conditioning, rate=lambda e, p: e * p),
                    ),
                ),
            ),
        )
    )


@claim(
    "MN-12.5",
    MN,
    r"For fixed $m_{\mathrm{path}} = k$ the probability of a deviation of $\lambda$ is at most "
    r"$2 e^{-2 \lambda^2 k}$, which is at most $e^{-\lambda^2 k}$ if $\lambda^2 k \ge \ln 2$.",
    PAGE,
    repaired=True,
    note="The lambda of (12.7) satisfies the condition, since there are at least two trees.",
)
def test_mn_12_5(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "2 exp(-2 lambda^2 k)",
                partial(_tail_below, HOEFFDING),
                r"\Pr\bigl[\,|\hat\varepsilon - \varepsilon| \ge \lambda\,\bigr] \le 2 "
                r"e^{-2 \lambda^2 k}",
                mutants=(
                    Form("1.6 for 2", partial(_tail_below, partial(_exponential, 1.6, 2))),
                    Form(
                        "2.2 in the exponent", partial(_tail_below, partial(_exponential, 2, 2.2))
                    ),
                    Form(
                        "lambda for lambda^2",
                        partial(_tail_below, lambda x: 2 * np.exp(-2 * np.sqrt(40 * x))),
                    ),
                ),
            ),
            Form(
                "exp(-lambda^2 k) where lambda^2 k ≥ ln 2",
                partial(_tail_below, PRINTED, math.log(2)),
                mutants=(
                    Form(
                        "exp(-2.2 lambda^2 k)",
                        partial(_tail_below, partial(_exponential, 1, 2.2), math.log(2)),
                    ),
                    Form(
                        "exp(-lambda^2 k)/2",
                        partial(_tail_below, partial(_exponential, 0.5, 1), math.log(2)),
                    ),
                ),
            ),
        ),
        (Form("as printed, exp(-lambda^2 m) always", partial(_tail_below, PRINTED)),),
    )


@claim(
    "MN-12.6",
    MN,
    r"So with $\lambda = \sqrt{r / m_{\mathrm{path}}}$ the probability of a deviation of "
    r"$\lambda$ is at most $2 e^{-2r}$; and for a fixed $\lambda$ at most "
    r"$\mathbf{E}[2 e^{-2 \lambda^2 m_{\mathrm{path}}}]$.",
    PAGE,
    note="The source has exp(-lambda^2 m_path) here, from (12.5).",
)
def test_mn_12_6(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "2 exp(-2 r), summed over m_path",
                partial(_off_at_a_path, _by_r, _of_r),
                r"\le 2 e^{-2r}",
                mutants=(
                    Form("1.5 for 2", partial(_off_at_a_path, _by_r, partial(_of_r, times=1.5))),
                    Form(
                        "3 in the exponent",
                        partial(_off_at_a_path, _by_r, partial(_of_r, power=3)),
                    ),
                    Form(
                        "lambda = sqrt(r / m)",
                        partial(_off_at_a_path, lambda x, _, m: math.sqrt(x / m), _of_r),
                    ),
                ),
            ),
            Form(
                "a fixed lambda",
                partial(_off_at_a_path, _itself, _mean_bound),
                mutants=(
                    Form(
                        "1.5 for 2, lambda fixed",
                        partial(_off_at_a_path, _itself, partial(_mean_bound, times=1.5)),
                    ),
                    Form("the bound of the mean", partial(_off_at_a_path, _itself, _bound_of_mean)),
                ),
            ),
        )
    )


@claim(
    "MN-12.7",
    MN,
    r"With $\lambda = \sqrt{r(\ell, s) / m_{\mathrm{path}}}$ the $N = |\mathrm{PATHS}(\ell)| "
    r"|\mathrm{TREES}(s)|$ bounds add up to $2\delta^2 / (m^2 N)$, and over all $\ell$ and $s$ "
    r"to at most $3\delta^2 / m^2 < \delta$ for $m \ge 2$.",
    PAGE,
    note="The source ends with the choice of lambda; the union bound is left to the reader.",
)
def test_mn_12_7(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "over all depths and sizes, with exact numbers",
                partial(_sum_of_bounds, lambda delta, m: 3 * (delta / m) ** 2),
                r"= \frac{3\,\delta^2}{m^2}",
                mutants=(
                    Form("1.9 for 3", partial(_sum_of_bounds, lambda d, m: 1.9 * (d / m) ** 2)),
                    Form("m^3 for m^2", partial(_sum_of_bounds, lambda d, m: 3 * d**2 / m**3)),
                ),
            ),
            Form(
                "less than delta for m ≥ 2",
                partial(_sum_of_bounds, lambda delta, _: delta),
                mutants=(
                    Form("for m ≥ 1", partial(_sum_of_bounds, lambda d, _: d, sizes=(1, 2, 10))),
                    Form("less than delta/4", partial(_sum_of_bounds, lambda d, _: d / 4)),
                ),
            ),
            Form(
                "with ln(1/delta) for ln(m/delta), less than delta up to 1/3",
                partial(_sum_of_bounds, lambda d, _: d, (1 / 3, 0.2, 0.05), (1,)),
                mutants=(
                    Form(
                        "up to 0.55",
                        partial(_sum_of_bounds, lambda d, _: d, (0.55, 0.2, 0.05), (1,)),
                    ),
                ),
            ),
            Form(
                "for each depth and size",
                _each_bound,
                r"N \cdot 2 e^{-2r} = \frac{2\,\delta^2}{m^2 N}",
                kind="identity",
            ),
        )
    )
