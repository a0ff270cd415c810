"""Chapter 6, pruning: how far a rate on the sample may be from the truth, at every node at once.

Nothing is simulated: binomial and multinomial probabilities are summed, and where a comparison may
be an equality the numbers are integers or fractions.
"""

import itertools
import math
from fractions import Fraction
from functools import cache, partial

import numpy as np

from claims.kit import holds
from claims.pruning import populations as pop

DELTAS = (0.9, 0.5, 0.05, 0.001)
TWENTIETHS = range(1, 20)


@cache
def _samples(m):
    """All counts of m examples over 4 cells, and ``ln m!/prod k!`` of each."""
    a, b, c = np.indices((m + 1,) * 3).reshape(3, -1)
    counts = np.stack([a, b, c, m - a - b - c], axis=1)
    counts = counts[counts[:, 3] >= 0]
    return counts, pop.log_factorials(m)[m] - pop.log_factorials(m)[counts].sum(axis=1)


def _one_bit(limit, m, mass, noise):
    """Of all samples of a bit with a noisy label: the chance that some path and tree are off."""
    counts, ways = _samples(m)
    cells = [side * share for side in (mass, 1 - mass) for share in (1 - noise, noise)]
    low, low_wrong, high, high_wrong = counts.T
    all_come, tilted = np.full_like(low, m), mass * noise + (1 - mass) * (1 - noise)
    off = np.zeros(low.size, dtype=bool)
    for depth, s, wrong, on, truth in (
        (0, 1, low_wrong + high_wrong, all_come, noise),
        (0, 2, low_wrong + high, all_come, tilted),
        (1, 1, low_wrong, low + low_wrong, noise),
        (1, 1, high_wrong, high + high_wrong, noise),
    ):
        seen = np.maximum(on, 1)
        off |= (on > 0) & (np.abs(wrong / seen - truth) >= limit(1, depth, s, seen))
    return float(np.exp(ways + counts @ np.log(cells))[off].sum())


def _some_stump(limit, m, n):
    """Of n fair bits beside a fair label: the chance that the stump of some bit is off."""
    far = np.abs(np.arange(m + 1) / m - 0.5) >= limit(n, 0, 2, m)
    return -math.expm1(n * math.log1p(-float(pop.binomial(m, 0.5)[far].sum())))


def _some_short_path(limit, m, n):
    """With bits that are 1 in an eighth: the chance that a constant is off where some bit is 1.

    Given the labels the bits are independent, so the sum is over their number of ones.
    """
    off = 0.0
    for k, weight in enumerate(pop.binomial(m, 0.5).tolist()):
        ones, zeros = np.ogrid[: k + 1, : m - k + 1]
        on = np.maximum(ones + zeros, 1)
        far = (ones + zeros > 0) & (np.abs(ones / on - 0.5) >= limit(n, 1, 1, on))
        chance = float(np.outer(pop.binomial(k, 0.125), pop.binomial(m - k, 0.125))[far].sum())
        off -= weight * math.expm1(n * math.log1p(-min(chance, 1 - 1e-15)))
    return off


SETTINGS = (
    *itertools.product((_one_bit,), (6, 40), (0.5, 0.8, 0.95), (0.1, 0.5)),
    *((_some_stump, 400, n) for n in (1, 10**3, 10**18, 10**30)),
    *((_some_short_path, 100, n) for n in (1, 10**3, 10**15)),
)


@pop.stated(
    "MN-L12.2",
    r"Local uniform convergence: with probability at least $1 - \delta$, for all $\ell$, all "
    r"$k$, all paths $\pi$ of at most $\ell$ answers that examples reach, and all trees $P$ with "
    r"at most $k$ leaves, $|\varepsilon_\pi(P) - \hat\varepsilon_\pi(P)| < \sqrt{r(\ell, k) / "
    r"m_\pi}$, where $r(\ell, k) = \ln|\mathrm{PATHS}(\ell)| + \ln|\mathrm{TREES}(k)| + \ln\frac "
    r"m\delta$.",
    note="For one depth and size alone half of r would do: the source takes exp(-lambda^2 m) "
    "where (12.5) has 2 exp(-2 lambda^2 m). Where no example comes nothing is claimed.",
)
@holds(
    "all paths and trees of a bit; stumps and short paths of many",
    r"|\varepsilon_\pi(P) - \hat\varepsilon_\pi(P)| < \sqrt{\frac{r(\ell, k)}{m_\pi}}",
    {"0.4 r": {"r": lambda *case: 0.4 * pop.bits(*case)}, "m for m_path": {"whole": True}},
)
@pop.bounds("distributions, m and delta")
def test_local_uniform_convergence(r=pop.bits, whole=False):
    def limit(m, delta):
        return lambda n, l, s, on: np.sqrt(r(n, l, s, m, delta) / (m if whole else on))

    for delta, (setting, m, *rest) in itertools.product(DELTAS, SETTINGS):
        where = f"delta = {delta}, {setting.__name__[1:]}{m, *rest}"
        yield setting(limit(m, delta), m, *rest), delta, where


@pop.stated(
    "MN-12.4",
    r"The probability of a deviation is the mean, over the number $m_\pi$ of examples that come, "
    r"of the probability for so many examples of the path $\pi$.",
)
def test_mean_over_those_that_come(trial):
    def come(m, p, on):
        return math.comb(m, on) * p**on * (1 - p) ** (m - on)

    @trial.form(
        "exact fractions",
        variants={
            "as if the mean came": {"reach": lambda m, p, on: Fraction(on == round(m * p))},
            "errors of all examples": {"rate": lambda e, p: e * p},
        },
    )
    @pop.matches("samples and nodes")
    def cases(reach=come, rate=lambda e, _: e):
        """Over all samples of m points: outside the path, on it and right, on it and wrong."""
        shares = [Fraction(1, 4), Fraction(1, 2), Fraction(4, 5)]
        cuts = [Fraction(1, 5), Fraction(1, 2)]
        for m, p, e, cut in itertools.product((1, 3, 6), shares, shares, cuts):
            together = split = Fraction(0)
            x = rate(e, p)
            for on in range(1, m + 1):
                for w in (w for w in range(on + 1) if abs(Fraction(w, on) - e) >= cut):
                    split += reach(m, p, on) * math.comb(on, w) * x**w * (1 - x) ** (on - w)
                    ways = math.comb(m, on) * math.comb(on, w)
                    chance = (1 - p) ** (m - on) * (p * e) ** w * (p * (1 - e)) ** (on - w)
                    together += ways * chance
            yield split, together, f"m = {m}, Pr[path] = {p}, error {e}, lambda = {cut}"


@cache
def _tails():
    """``Pr[|rate - p| >= lambda]`` for m examples, p and lambda in twentieths."""
    wide = itertools.product((1, 2, 3, 5, 10, 20, 40), TWENTIETHS, TWENTIETHS)
    cases = [*wide, *itertools.product((1000,), TWENTIETHS, range(1, 8))]
    far = [np.abs(20 * np.arange(m + 1) - p * m) >= cut * m for m, p, cut in cases]
    pairs = zip(cases, far, strict=True)
    chance = [float(pop.binomial(m, p / 20)[off].sum()) for (m, p, _), off in pairs]
    exponent = np.array([(cut / 20) ** 2 * m for m, _, cut in cases])
    return np.array(cases), exponent, np.array(chance)


@pop.stated(
    "MN-12.5",
    r"For a fixed number $i$ of examples the probability of a deviation of $\lambda$ is at most "
    r"$2 e^{-2 \lambda^2 i}$, which is at most $e^{-\lambda^2 i}$ if $e^{-\lambda^2 i} \le "
    r"\frac12$.",
    repaired=True,
    note="The lambda of (12.7) satisfies the condition, since there are at least two trees.",
)
def test_deviation(trial):
    display = (
        r"\Pr\bigl[\,|\hat\varepsilon - \varepsilon| \ge \lambda\,\bigr] \le 2 e^{-2 \lambda^2 i}"
    )
    two, power = pop.constants(display, r"\\le (\d) e", r"\^\{-(\d)")

    @trial.form(
        "2 exp(-2 lambda^2 k)",
        display,
        {"1.64 for 2": {"times": 0.82 * two}, "2.15 in the exponent": {"power": 1.075 * power}},
    )
    @pop.bounds("m, p and lambda")
    def below(times=two, power=power, least=0.0):
        cases, exponent, chance = _tails()
        asked = exponent >= least
        for (m, p, cut), of, is_off in zip(
            cases[asked], exponent[asked], chance[asked], strict=True
        ):
            where = f"m = {m}, p = {p}/20, lambda = {cut}/20"
            yield is_off, times * np.exp(-power * of), where

    trial.holds(
        "exp(-lambda^2 k) where lambda^2 k ≥ ln 2",
        partial(below, 1, 1, math.log(2)),
        variants={
            "exp(-2.2 lambda^2 k)": partial(below, 1, 2.2, math.log(2)),
            "exp(-lambda^2 k)/2": partial(below, 0.5, 1, math.log(2)),
        },
    )
    trial.fails("as printed, exp(-lambda^2 m) always", lambda: below(1, 1))


@pop.stated(
    "MN-12.6",
    r"So with $\lambda = \sqrt{r / m_\pi}$ the probability of a deviation of $\lambda$ is at "
    r"most $2 e^{-2r}$; and for a fixed $\lambda$ at most the mean of $2 e^{-2 \lambda^2 m_\pi}$.",
    note="The source has exp(-lambda^2 m_path) here, from (12.5).",
)
def test_deviation_on_a_path(trial):
    two, power = pop.constants(display := r"\le 2 e^{-2r}", r"\\le (\d) e", r"\^\{-(\d)")

    @pop.bounds("m, paths, errors and r")
    def off(limit, most):
        """The chance to be off by ``limit(x, m_path, m)``, against ``most(x, m, p)``.

        x is r or lambda, p the chance to come to the path. Where no example comes none is off.
        """

        of = (1, 5, 20, 60), (1, 5, 19), (0.1, 0.25, 0.5, 0.8, 1.5, 3), (1, 4, 10)
        for m, p, x, e in itertools.product(*of):
            chance = 0.0
            for on, weight in enumerate(pop.binomial(m, p / 20)[1:].tolist(), 1):
                far = np.abs(np.arange(on + 1) / on - e / 20) >= limit(x, on, m) - 1e-12
                chance += weight * float(pop.binomial(on, e / 20)[far].sum())
            where = f"m = {m}, Pr[path] = {p}/20, {x}, error {e}/20"
            yield chance, most(x, m, p / 20), where

    @trial.form(
        "2 exp(-2 r), summed over m_path",
        display,
        {"1.5 for 2": {"times": 0.75}, "3 in the exponent": {"power": 1.5 * power}},
    )
    def by_r(times=1.0, power=power, *, whole=False):
        return off(
            lambda r, on, m: math.sqrt(r / (m if whole else on)),
            lambda r, *_: times * two * math.exp(-power * r),
        )

    @trial.form(
        "a fixed lambda",
        variants={"1.5 for 2, lambda fixed": {"times": 0.75}, "of the mean": {"mean": True}},
    )
    def fixed(times=1.0, *, mean=False):
        def most(x, m, p):
            come = np.array([m * p]) if mean else np.arange(m + 1)
            chance = np.ones(1) if mean else pop.binomial(m, p)
            return float((chance * times * two * np.exp(-power * x * x * come)).sum())

        return off(lambda x, *_: x, most)


@cache
def _all_bounds(n):
    """The sum of ``2 / N`` over all depths up to n and all sizes (beyond 60 no digit changes)."""
    paths = sum(math.exp(-pop.paths_log(n, depth)) for depth in range(n + 1))
    return 2 * paths * sum(math.exp(-pop.trees_log(n, s)) for s in range(1, 61))


@pop.stated(
    "MN-12.7",
    r"With $\lambda = \sqrt{r(\ell, k) / m_\pi}$ the $F = |\mathrm{PATHS}(\ell)| "
    r"|\mathrm{TREES}(k)|$ bounds add up to $2\delta^2 / (m^2 F)$, and over all $\ell$ and $k$ "
    r"to at most $3\delta^2 / m^2 < \delta$ for $m \ge 2$.",
    note="The source ends with the choice of lambda; the union bound is left to the reader.",
)
def test_union_bound(trial):
    (three,) = pop.constants(display := r"= \frac{3\,\delta^2}{m^2}", r"frac\{(\d)")

    @pop.bounds("n, m and delta")
    def total(most, sizes=(2, 3, 10)):
        for n, delta, m in itertools.product((1, 2, 3, 5, 10, 20), DELTAS, sizes):
            share = _all_bounds(n) * (delta / m) ** 2
            yield share, most(delta, m), f"n = {n}, delta = {delta:.3g}, m = {m}"

    # ``F 2 exp(-2 r)`` is ``2 delta^2 / (m^2 F)`` for each depth and size.
    for at in itertools.product((2, 20), (0, 3), (1, 5), (1, 1000), (0.5, 0.05)):
        r = pop.exact_logs(*at[:3]) - math.log(at[4] / at[3])
        assert math.isclose(r, pop.bits(*at), rel_tol=1e-9)
    trial.holds(
        "over all depths and sizes, with exact numbers",
        lambda share=1.0, power=2: total(lambda d, m: share * three * d**2 / m**power),
        display,
        {"1.93 for 3": {"share": 0.643}, "m^3 for m^2": {"power": 3}},
    )
    trial.holds(
        "less than delta for m ≥ 2",
        lambda share=1.0, least=2: total(lambda d, _: share * d, sizes=(least, 3, 10)),
        variants={"for m ≥ 1": {"least": 1}, "less than delta/4": {"share": 0.25}},
    )
