"""Chapter 3, learning from samples: sample sizes, when to stop, and runs of the learner."""

import itertools
import math
from functools import partial

import numpy as np

from claims.kit import chances, holds
from claims.product.populations import STEPS, bound, bounds, stated, steps, under
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean import measures
from dtviz.core.boolean.boolean_function import ProductDistribution
from dtviz.product import bounds as sample_sizes
from dtviz.product import learner as sampled

FEW = 4000
"""So far from its end a tail has nothing left to add: the terms fall geometrically."""


def log_tail(m, p, low, high):
    """The logarithm of ``Pr[low <= Bin(m, p) < high]``, added up term by term."""
    low = max(low, 0)
    k = np.arange(low, min(high, m + 1) - 1)
    first = math.lgamma(m + 1) - math.lgamma(low + 1) - math.lgamma(m - low + 1)
    first += low * math.log(p) + (m - low) * math.log1p(-p)
    rise = np.log((m - k) / (k + 1)) + math.log(p) - math.log1p(-p)
    terms = first + np.concatenate([[0.0], np.cumsum(rise)])
    return float(terms.max() + math.log(np.exp(terms - terms.max()).sum()))


def phi(u):
    return u * math.log(u) - u + 1


@stated(
    "OURS-PRODUCT-CHERNOFF",
    r"A sum of independent bits with mean $\lambda$ is at most $\alpha\lambda$, $\alpha < 1$, or "
    r"at least $\alpha\lambda$, $\alpha > 1$, with probability at most "
    r"$e^{-\lambda \varphi(\alpha)}$.",
)
@holds(
    "exact tails",
    r"\varphi(\alpha) = \alpha \ln \alpha - \alpha + 1",
    {
        "2% more in the exponent": {"times": 1.02},
        "with (u-1)^2/2 for phi": {"rate": lambda u: (u - 1) ** 2 / 2},
    },
)
@bounds("tails of binomials")
def test_chernoff(times=1, rate=phi):
    for n, s in ((1, 0.5), (20, 0.3), (1000, 0.01), (10**5, 0.02), (10**6, 1e-5)):
        mean = n * s
        for u in (0.05, 0.5, 0.541, 0.9, 1.1, 1.25, 2.0, 10.0):
            low, high = (0, math.floor(u * mean) + 1) if u < 1 else (math.ceil(u * mean), n + 1)
            if low <= n:
                exact = -log_tail(n, s, max(low, high - 2 * FEW) if u < 1 else low, high)
                where = f"u = {u}, of {n:,} bits that are 1 with probability {s:g}"
                yield times * mean * rate(u), exact, where


SIZES = (
    *itertools.product((0, 1, 2, 5, 20, 100), (1, 4, 10), (0.4, 0.1), (0.5, 0.05)),
    # Far out, where only the exponent of Chernoff's bound counts.
    *((0, 1000, 0.4, 0.5), (20, 4, 0.4, 1e-12), (100, 10, 0.4, 1e-30), (1000, 10, 0.4, 1e-100)),
)
"""Steps: j, n, epsilon and delta."""


def pairs_displayed(constant=12, power=3, steps=1):
    """``12 (j+1) n / eps ln(4 (j+1)^3 n / delta)``; ``j^2`` is ``(j + 0)^2 (j+1)``, at least 0."""

    def size(j, n, epsilon, delta):
        inside = (j + steps) ** (power - 1) * (j + 1) * n
        if not inside:
            return 0  # as printed, the logarithm of 0 for j = 0
        logarithm = math.log(4 * inside) - math.log(delta)
        return math.ceil(constant * (j + 1) * n / epsilon * logarithm)

    return size


def needed(*step):
    return sample_sizes.pairs_needed(*step)


THRESHOLD = 3 / (4 * math.log(4))
"""Between an estimate of the best score, 1, and one of a score below a quarter of it."""

GAP = 2 / 3
"""While the run goes on, the error is above this share of epsilon."""


def chance(logarithm):
    """Rounded, so that every machine has the same, and not too large."""
    return math.exp(round(min(logarithm, 700), 5))


def budgets_add_up(two_sided=1, power=2, limit=0.412):
    """``sum_j 1/(4 (j+1)^2)`` over 100,000 steps, and the rest by an integral, below a limit."""
    leaves = np.arange(1, 100_001)
    spent = two_sided * np.array([(1 / (4.0 * leaves**power)).sum(), math.pi**2 / 24])
    left, right = [*spent, spent[0] + two_sided / 4e5], [spent[1], limit, limit]
    return bound("sums", left, right, lambda k: f"sum {k}")


LEARNED = (
    ("majority of 3", zoo.majority(3), (0.3, 0.5, 0.7), 0.2),
    ("parity of 2", zoo.parity(2), (0.5, 0.8), 0.2),
    ("conjunction of 3", zoo.conjunction(3), (0.8,) * 3, 0.2),
    ("x0 and majority of 3", zoo.guarded(zoo.majority(3)), (0.5,) * 4, 0.2),
)

DELTA = 0.1


@stated(
    "PS-MS",
    r"$M_S(j) = \frac{12 (j+1) n}{\varepsilon} \ln \frac{4 (j+1)^2 (j+1) n}{\delta}$ pairs for "
    r"each variable make the leaf chosen in step $j$ have a quarter of the best score, in all "
    r"steps with probability above $1 - \delta/2$.",
    repaired=True,
    note=r"As printed, $4 j^2$ is 0 at the first step. The proof needs the error to be above "
    r"$\frac23 \varepsilon$ only, which fits our stopping rule.",
)
def test_samples_for_one_step(trial):
    for case in SIZES:
        assert needed(*case) == pairs_displayed()(*case)

    @trial.form(
        "exact tails of each event within their budgets",
        r"M_S(j) = \frac{12\,(j+1)\,n}{\varepsilon} \ln \frac{4\,(j+1)^3 n}{\delta}",
        {
            "with 11.5 for 12": {"size": pairs_displayed(11.5)},
            "with (j+1)² for (j+1)³": {"size": pairs_displayed(power=2)},
        },
    )
    @bounds("steps")
    def within_budget(share=1, size=needed):
        """The chance of each event in a step against its part of ``delta/(4 (j+1)^2)``.

        An event is a score beyond the threshold; the best one is ``share`` of the least supposed.
        """
        for j, n, epsilon, delta in SIZES:
            m, spent = int(size(j, n, epsilon, delta)), math.inf
            if m:
                best = share * GAP * epsilon / ((j + 1) * n)
                cut = math.ceil(THRESHOLD * best * m)
                spent = max(
                    log_tail(m, best, cut - FEW, cut), log_tail(m, best / 4, cut, cut + FEW)
                )
                spent -= math.log(delta) - math.log(4 * (j + 1) ** 3 * n)
            yield chance(spent), 1, f"{(j, n, epsilon, delta)}"

    trial.holds(
        "the budgets sum to less than 0.412 delta",
        budgets_add_up,
        r"\sum_{j \ge 0} \frac1{4(j+1)^2} = \frac{\pi^2}{24} < 0.412",
        {"0.3% more": {"two_sided": 1.003}, "with j + 1 for its square": {"power": 1}},
    )

    @trial.form(
        "the best score is at least cost/((j+1) n)",
        r"\sigma_j \ge \frac{C_j}{(j+1)\, n} \ge \frac{e_j}{(j+1)\, n}",
        {"1% more": {"times": 1.01}, "with j for j + 1, from the second step on": {"first": 0}},
    )
    def best_score_is_large(times=1, first=1):
        run = steps()
        floors = np.array([run.cost, run.error]) / (np.maximum(run.step + first, 1) * run.n)
        right = np.array([run.score, floors[0]])
        return bound(STEPS, times * floors, right, lambda k: run.describe(k % run.step.size))

    trial.fails(
        "as printed, with 4 j^2 (j+1) n", partial(within_budget, size=pairs_displayed(steps=0))
    )
    trial.fails("two-sided, within delta/2", partial(budgets_add_up, 2, limit=1 / 2))
    trial.fails("for half the score", partial(within_budget, 0.5))


STOPS = tuple(itertools.product((0, 1, 2, 5, 20, 60, 900), (0.4, 0.1, 0.02), (0.5, 0.05)))


def examples_displayed(j, epsilon, delta, constant=68):
    """``68/eps ((j+1) ln 2 + ln(8 (j+1)^2/delta))``."""
    many = (j + 1) * math.log(2) + math.log(8 * (j + 1) ** 2 / delta)
    return math.ceil(constant / epsilon * many)


@stated(
    "PS-STOP",
    r"Label each leaf by the majority of $\frac{68}{\varepsilon}((j+1) \ln 2 + "
    r"\ln(8 (j+1)^2/\delta))$ examples and stop when at most $\frac56 \varepsilon$ of them are "
    r"wrong. With probability above $1 - \delta/2$ the tree returned has error at most "
    r"$\varepsilon$, and no step begins with error at most $\frac23 \varepsilon$.",
    note="The source estimates the error by majority votes and gives no constants; these are ours.",
)
def test_stopping_rule(trial):
    for case in STOPS:
        assert sample_sizes.examples_needed(*case) == examples_displayed(*case)

    @trial.form(
        "exact tails",
        r"M_E(j) = \frac{68}\varepsilon \Bigl((j+1) \ln 2 + \ln \frac{8 (j+1)^2}{\delta}\Bigr)",
        {
            "with 66 for 68": {"size": partial(examples_displayed, constant=66)},
            "stopping at 7/8 of epsilon": {"stop_at": 7 / 8},
        },
    )
    @bounds("steps")
    def tails_of_stopping(size=None, share=1, stop_at=None):
        """Exact binomial tails of both mistakes, at M_E(j) examples, or a share of so many.

        To stop though some labeling that fits errs more than epsilon, ``2^(j+1)`` of them; not to
        stop though the best labeling errs at most two thirds of epsilon.
        """
        for j, epsilon, delta in STOPS:
            m = int(share * (size or sample_sizes.examples_needed)(j, epsilon, delta))
            cut = math.floor((stop_at or sampled.STOP_AT) * epsilon * m) + 1
            early = (j + 1) * math.log(2) + log_tail(m, epsilon, cut - FEW, cut)
            late = log_tail(m, GAP * epsilon, cut, cut + FEW)
            off = max(early, late) - math.log(delta / (8 * (j + 1) ** 2))
            yield chance(off), 1, f"{(j, epsilon, delta)}"

    @trial.form(
        "runs of the learner", variants={"with a hundredth of the samples": {"scale": 1 / 100}}
    )
    def learner(scale=1):
        """How often a run splits for less than a quarter of the best score, or stops wrongly."""
        failed = []
        for _, f, p, epsilon in LEARNED:
            mu, failures = ProductDistribution(p), 0
            for seed in range(70):
                run = sampled.build_top_down_sampled(f, mu, epsilon, DELTA, seed, scale=scale)
                late = (run.path(f).errors[:-1] <= GAP * epsilon).any()
                wrong = measures.mean(run.tree().function(f.n) ^ f, mu) > epsilon
                failures += bool((run.shares(f) < 1 / 4).any() or late or wrong)
            failed.append(failures)
        return chances(
            "functions learned",
            failed,
            70,
            DELTA,
            lambda k: f"{LEARNED[k][0]}, {under(LEARNED[k][2])}, epsilon = {LEARNED[k][3]}",
        )

    trial.fails("with half the examples", partial(tails_of_stopping, share=0.5))
