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

import numpy as np
import numpy.typing as npt

from dtviz import pruning
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import MN
from dtviz.core.boolean import points
from dtviz.core.immutable import frozen

__all__ = ["CLAIMS"]

PAGE = "6-pruning"
GRID = "m, p and lambda"
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@cache
def _binomial(m: int, p: float) -> Floats:
    """The probabilities of 0, .., m successes."""
    k = np.arange(m + 1)
    choose = np.array([float(math.comb(m, int(j))) for j in k])
    return frozen(np.asarray(choose * p**k * (1 - p) ** (m - k)))


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
    for m, p, cut in itertools.product((1, 2, 3, 5, 10, 20, 40), TWENTIETHS, TWENTIETHS):
        far = np.abs(20 * np.arange(m + 1) - p * m) >= cut * m
        rows.append((m, p, cut, float(_binomial(m, p / 20)[far].sum())))
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
        chance <= allowed + 1e-12,
        chance / allowed,
        lambda k: (
            f"probability {chance[k]:.4g}, bound {allowed[k]:.4g}, {tails.describe(place[k])}"
        ),
    )


def _hoeffding(exponent: Floats) -> Floats:
    return np.asarray(2 * np.exp(-2 * exponent))


def _printed(exponent: Floats) -> Floats:
    return np.asarray(np.exp(-exponent))


def _conditioning() -> Outcome:
    """Over all samples of m points: outside the path, on it and right, on it and wrong."""
    gap, words = [], []
    shares = [Fraction(1, 4), Fraction(1, 2), Fraction(4, 5)]
    cuts = [Fraction(1, 5), Fraction(1, 2)]
    for m, p, e, cut in itertools.product((1, 3, 6), shares, shares, cuts):
        together = Fraction(0)
        split = Fraction(0)
        for on in range(m + 1):
            reach = math.comb(m, on) * p**on * (1 - p) ** (m - on)
            wrong = [math.comb(on, w) * e**w * (1 - e) ** (on - w) for w in range(on + 1)]
            far = [w for w in range(on + 1) if on and abs(Fraction(w, on) - e) >= cut]
            split += reach * sum((wrong[w] for w in far), Fraction(0))
            for w in far:
                ways = math.factorial(m) // (
                    math.factorial(m - on) * math.factorial(w) * math.factorial(on - w)
                )
                together += ways * (1 - p) ** (m - on) * (p * e) ** w * (p * (1 - e)) ** (on - w)
        gap.append(float(together - split))
        words.append(f"m = {m}, Pr[path] = {p}, error {e}, lambda = {cut}")
    return equality("samples and nodes", gap, words.__getitem__)


def _mean_of_bounds(bound: Callable[[Floats], Floats]) -> Outcome:
    """(12.6): the probability of being off, over samples of m, against the mean bound."""
    ratio, words = [], []
    for m, p, cut in itertools.product((5, 20), (5, 10, 16), (4, 8, 12)):
        for e in TWENTIETHS:
            off, allowed = 0.0, 0.0
            for on, weight in enumerate(_binomial(m, p / 20)):
                far = np.abs(20 * np.arange(on + 1) - e * on) >= cut * on
                off += weight * (_binomial(on, e / 20)[far].sum() if on else 0.0)
                allowed += weight * float(bound(np.array((cut / 20) ** 2 * on)))
            ratio.append(off / allowed)
            words.append(f"{off:.4g}, bound {allowed:.4g}, m = {m}, Pr[path] = {p / 20:g}")
    return outcome(GRID, np.array(ratio) <= 1 + 1e-12, ratio, words.__getitem__)


def _choice_of_lambda() -> Outcome:
    """With the lambda of (12.7) each bound is delta over the number of pairs, and the sum delta."""
    off, words = [], []
    for n, depth, leaves in itertools.product((2, 5, 20), (0, 1, 3), (1, 2, 5)):
        paths, trees = pruning.count_paths(n, depth), pruning.count_trees(n, 2 * leaves - 1)
        for delta, m in itertools.product((0.5, 0.05), (1, 10, 1000)):
            bits = math.log(paths) + math.log(trees) - math.log(delta)
            exponent = math.sqrt(bits / m) ** 2 * m
            total = paths * trees * math.exp(-exponent)
            ok = math.isclose(total, delta, rel_tol=1e-9) and exponent >= math.log(2)
            off.append(0 if ok else 1)
            words.append(f"sum {total:g} for delta = {delta}, exponent {exponent:g}")
    return equality("nodes and delta", off, words.__getitem__)


# -- all nodes at once: Lemma 12.2 -----------------------------------------------------------------


@cache
def _samples(m: int) -> tuple[Ints, Floats]:
    """All counts of m examples over the 4 points of the 2-cube, and ``ln m!/prod k!`` of each."""
    counts = np.array(
        [(a, b, c, m - a - b - c) for a in range(m + 1) for b in range(m + 1 - a)
         for c in range(m + 1 - a - b)]
    )  # fmt: skip
    logs = np.array([math.lgamma(k + 1) for k in range(m + 1)])
    return counts, logs[m] - logs[counts].sum(axis=1)


@cache
def _paths_and_trees() -> tuple[Floats, Floats]:
    """Indicators on the 2-cube: of the 9 conjunctions, and of the trees with at most 3 nodes."""
    X = points(2)
    paths = [
        np.all(
            [(X[:, i] == b) for i, b in enumerate(bits) if b is not None] or [[True] * 4], axis=0
        )
        for bits in itertools.product((None, 0, 1), repeat=2)
    ]
    trees = [np.full(4, label) for label in (0, 1)]
    trees += [
        np.where(X[:, i] == 0, low, high) for i in (0, 1) for low in (0, 1) for high in (0, 1)
    ]
    return np.array(paths, dtype=float), np.array(trees, dtype=float)


MASSES = ((0.25, 0.25, 0.25, 0.25), (0.05, 0.15, 0.3, 0.5), (0.7, 0.1, 0.1, 0.1))


def _some_pair_is_off(*, union: bool) -> Outcome:
    """The probability that any path and tree are off by lambda, against delta."""
    paths, trees = _paths_and_trees()
    ratio, words = [], []
    for m, mass, target in itertools.product((6, 12, 20), MASSES, range(1, 16, 2)):
        counts, ways = _samples(m)
        weight = np.exp(ways + counts @ np.log(mass))
        f = (target >> np.arange(4)) & 1
        wrong = np.abs(trees - f)
        on = counts @ paths.T
        errs = np.einsum("sx,px,tx->spt", counts, paths, wrong)
        truth = np.einsum("x,px,tx->pt", mass, paths, wrong) / (paths @ mass)[:, None]
        off = np.abs(errs / np.maximum(on, 1)[:, :, None] - truth)
        for delta in (0.9, 0.5, 0.1):
            bits = math.log(1 / delta) + (math.log(len(paths) * len(trees)) if union else 0)
            cut = np.sqrt(bits / np.maximum(on, 1e-9))[:, :, None]
            some = (off >= cut).any(axis=(1, 2))
            ratio.append(float(weight[some].sum()) / delta)
            words.append(
                f"probability {weight[some].sum():.3g}, delta = {delta}, m = {m}, masses {mass}, "
                f"target {target:04b}"
            )
    return outcome(
        "targets, distributions, m, delta", np.array(ratio) <= 1, ratio, words.__getitem__
    )


# -- reaching a node: Lemma 12.4 -------------------------------------------------------------------


def _lower_tails(bound: Callable[[float, float], float]) -> Outcome:
    """``Pr[p^ < (1 - gamma) p]`` against the bound, for p and gamma in twentieths."""
    ratio, words = [], []
    for m, p, gamma in itertools.product((5, 20, 60, 200), TWENTIETHS, TWENTIETHS):
        low = 400 * np.arange(m + 1) < (20 - gamma) * p * m
        chance = float(_binomial(m, p / 20)[low].sum())
        allowed = bound(m * p / 20, gamma / 20)
        ratio.append(chance / allowed)
        words.append(f"probability {chance:.3g}, m = {m}, p = {p / 20:g}, gamma = {gamma / 20:g}")
    return outcome("m, p and gamma", np.array(ratio) <= 1, ratio, words.__getitem__)


def _halved(m: int, p: float) -> float:
    """``Pr[p^ <= p / 2]``."""
    return float(_binomial(m, p)[np.arange(m + 1) <= p * m / 2 + 1e-9].sum())


def _sum_of_tails(probability: Callable[[tuple[float, ...]], float]) -> Outcome:
    """T fixed nodes: the sum of the chances to be halved against ``t e^(-p m / 12)``."""
    ratio, words = [], []
    nodes = ((0.5,), (0.1, 0.4), (0.05, 0.2, 0.6), (0.25,) * 4, (0.02, 0.9))
    for m, p in itertools.product((20, 100, 400), nodes):
        total = sum(_halved(m, q) for q in p)
        allowed = len(p) * math.exp(-probability(p) * m / 12)
        ratio.append(total / allowed)
        words.append(f"{total:.3g}, bound {allowed:.3g}, m = {m}, p = {p}")
    return outcome("sets of nodes", np.array(ratio) <= 1, ratio, words.__getitem__)


def _over_all_paths() -> Outcome:
    """Lemma 12.4 with the union over PATHS: the chance that any frequent path is halved."""
    ratio, words = [], []
    for n, depth, m in itertools.product((3, 6), (1, 2, 3), (100, 400, 1000)):
        for bias, delta in itertools.product((0.5, 0.8), (0.5, 0.05)):
            least = 12 * (depth * math.log(2 * n + 1) + math.log(1 / delta)) / m
            total = 0.0
            for ones, zeros in itertools.product(range(depth + 1), repeat=2):
                p = bias**ones * (1 - bias) ** zeros
                if ones + zeros <= min(depth, n) and least < p < 1:
                    number = math.comb(n, ones) * math.comb(n - ones, zeros)
                    total += number * _halved(m, p)
            ratio.append(total / delta)
            words.append(f"{total:.3g}, delta = {delta}, n = {n}, l = {depth}, m = {m}")
    return outcome("n, l, m, delta, biases", np.array(ratio) <= 1, ratio, words.__getitem__)


def _chosen_by_the_sample() -> Outcome:
    """V is the least seen of 2^d equally likely nodes, t = 1: how often it is halved."""
    ratio, words = [], []
    for d, delta in itertools.product((3, 4), (0.5, 0.25)):
        cells = 1 << d
        m = math.ceil(12 * math.log(1 / delta) * cells) + 1
        few = int(m / cells / 2)
        none = _no_cell_has(m, cells, few)
        ratio.append((1 - none) / delta)
        words.append(
            f"probability {1 - none:.3g}, delta = {delta}: the least seen of {cells} nodes, m = {m}"
        )
    return outcome("depths and delta", np.array(ratio) <= 1, ratio, words.__getitem__)


def _no_cell_has(m: int, cells: int, few: int) -> float:
    """The probability that each of so many equally likely cells gets more than ``few`` of m."""
    ways = np.zeros(m + 1)
    ways[0] = 1.0
    for used in range(cells):  # ways[k]: k examples in the cells so far, each with enough
        p = 1 / (cells - used)
        new = np.zeros(m + 1)
        for k in np.flatnonzero(ways):
            rest = m - int(k)
            enough = np.where(np.arange(rest + 1) > few, _binomial(rest, p), 0)
            new[k : k + rest + 1] += ways[k] * enough
        ways = new
    return float(ways[m])


CLAIMS = (
    Claim(
        "MN-L12.2",
        MN,
        r"Local uniform convergence: the probability that some path and some tree have "
        r"$|\varepsilon - \hat\varepsilon| \ge \sqrt{(\ln|\mathrm{PATHS}| + \ln|\mathrm{TREES}| + "
        r"\ln\frac1\delta) / m_{\mathrm{path}}}$ is at most $\delta$.",
        PAGE,
        (Form("9 paths, 10 trees, all samples", partial(_some_pair_is_off, union=True)),),
        (Form("without the numbers of paths and trees", partial(_some_pair_is_off, union=False)),),
        note="Where no example comes nothing is claimed. The source's proof uses (12.5), which is "
        "repaired below; the conclusion stands.",
    ),
    Claim(
        "MN-12.4",
        MN,
        r"The probability of a deviation is the mean, over the number $m_{\mathrm{path}}$ of "
        r"examples that come, of the probability for so many examples of the path.",
        PAGE,
        (Form("exact fractions", _conditioning),),
    ),
    Claim(
        "MN-12.5",
        MN,
        r"For fixed $m_{\mathrm{path}} = m$ the probability of a deviation of $\lambda$ is at most "
        r"$2 e^{-2 \lambda^2 m}$, which is at most $e^{-\lambda^2 m}$ if $\lambda^2 m \ge \ln 2$.",
        PAGE,
        (
            Form("2 exp(-2 lambda^2 m)", partial(_tail_below, _hoeffding)),
            Form(
                "exp(-lambda^2 m) where lambda^2 m ≥ ln 2",
                partial(_tail_below, _printed, math.log(2)),
            ),
        ),
        (Form("as printed, exp(-lambda^2 m) always", partial(_tail_below, _printed)),),
        repaired=True,
        note="The lambda of (12.7) satisfies the condition, since there are at least two trees.",
    ),
    Claim(
        "MN-12.6",
        MN,
        r"So the probability of a deviation of $\lambda$ is at most "
        r"$\mathbf{E}[2 e^{-2 \lambda^2 m_{\mathrm{path}}}]$.",
        PAGE,
        (Form("summed over m_path", partial(_mean_of_bounds, _hoeffding)),),
        note="The source has exp(-lambda^2 m_path) here, from (12.5).",
    ),
    Claim(
        "MN-12.7",
        MN,
        r"With $\lambda = \sqrt{(\ln|\mathrm{PATHS}| + \ln|\mathrm{TREES}| + \ln\frac1\delta) / "
        r"m_{\mathrm{path}}}$ each bound is $\delta / (|\mathrm{PATHS}| |\mathrm{TREES}|)$, and "
        r"their sum is $\delta$.",
        PAGE,
        (Form("the sum is delta, and lambda^2 m ≥ ln 2", _choice_of_lambda),),
        note="The source ends with the choice of lambda; the union bound is left to the reader.",
    ),
    Claim(
        "MN-L12.4",
        MN,
        r"With probability at least $1 - \delta$ every path of at most $\ell$ literals with "
        r"$p > 12 (\ell \ln(2n+1) + \ln\frac1\delta) / m$ has $p < 2 \hat p$.",
        PAGE,
        (Form("all paths, product distributions", _over_all_paths),),
        (Form("as printed, for a set V that the sample chooses", _chosen_by_the_sample),),
        repaired=True,
        note="The source takes the union over V, the nodes that the algorithm prunes, with "
        "p > 12 log(t/delta)/m. V depends on the sample; the union over all paths costs a "
        "logarithm and changes nothing in the theorem.",
    ),
    Claim(
        "MN-12.10",
        MN,
        r"$\Pr[\hat p < (1 - \gamma) p] \le e^{-m p \gamma^2 / 3}$ for a fixed node.",
        PAGE,
        (
            Form("with 1/3", partial(_lower_tails, lambda mean, g: math.exp(-mean * g * g / 3))),
            Form("with 1/2", partial(_lower_tails, lambda mean, g: math.exp(-mean * g * g / 2))),
        ),
        (Form("with 1", partial(_lower_tails, lambda mean, g: math.exp(-mean * g * g))),),
    ),
    Claim(
        "MN-12.11",
        MN,
        r"For $t$ fixed nodes with $p_v \ge p$, the probability that some $p_v \ge 2 \hat p_v$ is "
        r"at most $t e^{-p m / 12}$.",
        PAGE,
        (Form("p the least of them", partial(_sum_of_tails, min)),),
        (Form("p the largest of them", partial(_sum_of_tails, max)),),
        note="The source writes p_{v_i}, free of any quantifier; the lower bound is meant.",
    ),
)
