"""Chapter 3, learning from samples: sample sizes, when to stop, and runs of the learner."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from claims.kit import PS, Form, Outcome, Trial, chances, claim, outcome
from claims.product.forms import stated
from claims.product.populations import Steps, runs, steps, under
from dtviz.core import functions as zoo
from dtviz.core import measures
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.product import learner as sampled
from dtviz.product import sample_sizes
from dtviz.product.sampled_run import SampledRun

PAGE = "3-product"
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
# -- the sample size of a step ---------------------------------------------------------------------

Size = Callable[[int, int, float, float], float]
Examples = Callable[[int, float, float], float]
Step = tuple[int, int, float, float]
"""j, n, epsilon and delta."""
SIZES: tuple[Step, ...] = (
    *(
        (j, n, epsilon, delta)
        for j in (0, 1, 2, 5, 20, 100)
        for n in (1, 4, 10)
        for epsilon in (0.4, 0.1)
        for delta in (0.5, 0.05)
    ),
    # Far out, where only the exponent of Chernoff's bound counts.
    (0, 1000, 0.4, 0.5),
    (20, 4, 0.4, 1e-12),
    (100, 10, 0.4, 1e-30),
    (1000, 10, 0.4, 1e-100),
)


def _log_terms(m: int, p: float, low: int, high: int) -> Floats:
    """The logarithms of ``Pr[Bin(m, p) = k]`` for ``low <= k < high``, ``0 <= low``."""
    k = np.arange(low, min(high, m + 1) - 1)
    first = math.lgamma(m + 1) - math.lgamma(low + 1) - math.lgamma(m - low + 1)
    first += low * math.log(p) + (m - low) * math.log1p(-p)
    rise = np.log((m - k) / (k + 1)) + math.log(p) - math.log1p(-p)
    terms: Floats = first + np.concatenate([[0.0], np.cumsum(rise)])
    return terms


FEW = 4000
"""So far from its end a tail has nothing left to add: the terms fall geometrically."""


def _log_tail(m: int, p: float, low: int, high: int) -> float:
    """The logarithm of ``Pr[low <= Bin(m, p) < high]``, added up term by term."""
    terms = _log_terms(m, p, max(low, 0), high)
    return float(terms.max() + math.log(np.exp(terms - terms.max()).sum()))


def _needed(j: int, n: int, epsilon: float, delta: float) -> float:
    return sample_sizes.pairs_needed(j, n, epsilon, delta)


def _pairs(constant: float = 12, power: int = 3, *, many: bool = True) -> Size:
    """``constant (j+1) n / eps ln(4 (j+1)^power n / delta)``, the last n only if ``many``."""

    def size(j: int, n: int, epsilon: float, delta: float) -> float:
        inside = math.log(4 * (j + 1) ** power * (n if many else 1)) - math.log(delta)
        return math.ceil(constant * (j + 1) * n / epsilon * inside)

    return size


def _printed_pairs(j: int, n: int, epsilon: float, delta: float) -> float:
    """``12 (j+1) n / eps ln(4 j^2 (j+1) n / delta)``; no number where j = 0."""
    inside = 4 * j**2 * (j + 1) * n / delta
    return math.ceil(12 * (j + 1) * n / epsilon * math.log(inside)) if inside > 0 else math.nan


THRESHOLD = 3 / (4 * math.log(4))
"""Between an estimate of the best score, 1, and one of a score below a quarter of it."""

GAP = 2 / 3
"""While the run goes on, the error is above this share of epsilon."""


def _log_of_a_bad_choice(m: int, case: Step, share: float) -> float:
    """The logarithm of the chance that m pairs choose badly, where scores are worst.

    The best score is as small as it can be, and all others are just below ``share`` of it; their
    counts are independent; a tie counts as a bad choice.
    """
    j, n, epsilon, _ = case
    best, others = GAP * epsilon / ((j + 1) * n), (j + 1) * n - 1
    if others == 0:
        return -math.inf
    ends = min(m + 1, 2 * math.ceil(best * m) + FEW)
    right = np.exp(_log_terms(m, best, 0, ends))
    wrong = np.exp(_log_terms(m, share * best, 0, ends))
    above = np.minimum(np.cumsum(wrong[::-1])[::-1], 1 - 1e-16)
    some = -np.expm1(others * np.log1p(-above))
    return math.log(max(float((right * some).sum()), 1e-300))


def _log_of_a_misjudgement(m: int, case: Step, share: float) -> float:
    """The same for one event of the proof: a score on the wrong side of the threshold.

    The best score is ``share`` of the smallest that the proof supposes.
    """
    j, n, epsilon, _ = case
    best = share * GAP * epsilon / ((j + 1) * n)
    cut = math.ceil(THRESHOLD * best * m)
    return max(_log_tail(m, best, cut - FEW, cut), _log_tail(m, best / 4, cut, cut + FEW))


def _within_budget(
    chance: Callable[[int, Step, float], float],
    size: Size = _needed,
    share: float = 1.0,
    *,
    events: bool = False,
) -> Outcome:
    """The chance of a failure in a step against ``delta/(4 (j+1)^2)``, or its part of an event."""
    log, told = [], []
    for case in SIZES:
        j, n, epsilon, delta = case
        m = size(*case)
        budget = math.log(delta) - math.log(4 * (j + 1) ** 2)
        if events:
            budget -= math.log((j + 1) * n)
        log.append(math.inf if math.isnan(m) else chance(int(m), case, share) - budget)
        told.append(
            f"the logarithm of 0 for j = {j}"
            if math.isnan(m)
            else f"{m:,.0f} pairs for j = {j}, n = {n}, epsilon = {epsilon}, delta = {delta:g}"
        )
    off = np.array(log)
    return outcome(
        "steps",
        off <= 0,
        np.minimum(off, 700),
        lambda k: (
            told[k] if off[k] > 700 else f"{math.exp(off[k]):.3g} of what is allowed, {told[k]}"
        ),
    )


def _budgets_add_up(two_sided: int = 1, power: int = 2, limit: float = 0.412) -> Outcome:
    """``sum_j 1/(4 (j+1)^2)``, which is ``pi^2/24``, below a limit; the rest by an integral."""
    leaves = np.arange(1, 100_001)
    spent = two_sided * np.cumsum(1 / (4.0 * leaves**power))
    ends = np.array([0, 9, 99, 9_999, 99_999])
    rest = two_sided / (4.0 * leaves[ends])
    whole = two_sided * math.pi**2 / 24
    good = (spent[ends] < limit) & (spent[ends] < whole) & (whole <= spent[ends] + rest)
    return outcome(
        "numbers of steps",
        good,
        spent[ends],
        lambda k: f"{spent[ends[k]]:.4f} delta after {ends[k] + 1:,} steps",
    )


def _best_score_is_large(
    factor: float = 1, leaves: Callable[[Ints], Ints] = lambda j: j + 1, errors: float = 1
) -> Outcome:
    """``max score >= cost/((j+1) n)``, and ``cost >= error``, at every step."""
    run: Steps = steps(runs())
    tight = factor * run.cost / (leaves(run.step) * run.n * run.score)
    good = (tight <= 1 + 1e-12) & (errors * run.error <= run.cost * (1 + 1e-12))
    return outcome(
        "steps of greedy runs",
        good,
        tight,
        lambda k: f"score (j+1) n / cost = {1 / tight[k]:.4g} at {run.describe(k)}",
    )


# -- when to stop ----------------------------------------------------------------------------------


def _examples(j: int, epsilon: float, delta: float) -> float:
    return sample_sizes.examples_needed(j, epsilon, delta)


def _fewer_examples(constant: float = 68, *, labellings: bool = True) -> Examples:
    """``constant/eps ((j+1) ln 2 + ln(8 (j+1)^2/delta))``, without ln 2 if not ``labellings``."""

    def size(j: int, epsilon: float, delta: float) -> float:
        many = (j + 1) * math.log(2) if labellings else 0
        return math.ceil(constant / epsilon * (many + math.log(8 * (j + 1) ** 2 / delta)))

    return size


def _tails_of_stopping(
    size: Examples = _examples,
    share: float = 1,
    stop_at: float | None = None,
) -> Outcome:
    """Exact binomial tails of both mistakes, at M_E(j) examples, or a share of so many.

    To stop though some labelling that fits errs more than epsilon, ``2^(j+1)`` of them; not to
    stop though the best labelling errs at most two thirds of epsilon.
    """
    tight, where = [], []
    for j in (0, 1, 2, 5, 20, 60, 900):
        for epsilon in (0.4, 0.1, 0.02):
            for delta in (0.5, 0.05):
                m = int(share * size(j, epsilon, delta))
                cut = math.floor((stop_at or sampled.STOP_AT) * epsilon * m) + 1
                early = (j + 1) * math.log(2) + _log_tail(m, epsilon, cut - FEW, cut)
                late = _log_tail(m, GAP * epsilon, cut, cut + FEW)
                budget = math.log(delta / (8 * (j + 1) ** 2))
                tight.append(math.exp(min(max(early, late) - budget, 700)))
                where.append(f"j = {j}, epsilon = {epsilon}, delta = {delta}")
    return outcome(
        "steps",
        np.array(tight) <= 1,
        tight,
        lambda k: f"probability / budget = {tight[k]:.3g} for {where[k]}",
    )


# -- runs of the learner ---------------------------------------------------------------------------


Learned = tuple[str, Callable[[], BooleanFunction], tuple[float, ...], float]
LEARNED: tuple[Learned, ...] = (
    ("majority of 3", lambda: zoo.majority(3), (0.3, 0.5, 0.7), 0.2),
    ("parity of 2", lambda: zoo.parity(2), (0.5, 0.8), 0.2),
    ("conjunction of 3", lambda: zoo.conjunction(3), (0.8,) * 3, 0.2),
    ("multiplexer(1)", lambda: zoo.multiplexer(1), (0.5, 0.4, 0.6), 0.2),
    ("x0 and majority of 3", lambda: zoo.guarded(zoo.majority(3)), (0.5,) * 4, 0.2),
)
UNEVEN: tuple[Learned, ...] = (
    ("conjunction of 7", lambda: zoo.conjunction(7), (0.5, *(0.9,) * 6), 0.2),
)
"""The first variable has five times the influence of each of the others."""

DELTA = 0.1


def _failures(run: SampledRun, f: BooleanFunction) -> tuple[bool, bool]:
    """Whether a split had less than a quarter of the best score, and whether it stopped wrongly."""
    wrong = measures.mean(run.tree().function(f.n) ^ f, run.mu)
    before = run.path(f).errors[:-1]
    stopped = wrong > run.epsilon or bool((before <= GAP * run.epsilon).any())
    return bool((run.shares(f) < 1 / 4).any()), stopped


def _learner(
    cases: tuple[Learned, ...], trials: int, scale: float = 1, *, splits: bool = False
) -> Outcome:
    """How often runs fail, a seed each; of half of delta if only bad ``splits`` count."""
    failed = []
    for _, make, p, epsilon in cases:
        f, mu = make(), ProductDistribution(p)
        of_runs = [
            _failures(
                sampled.build_top_down_sampled(
                    f,
                    mu,
                    epsilon,
                    DELTA,
                    seed,
                    scale=scale,
                    max_leaves=2 if splits else None,
                    progress=False,
                ),
                f,
            )
            for seed in range(trials)
        ]
        failed.append(sum(bad if splits else bad or stopped for bad, stopped in of_runs))
    allowed = DELTA / 2 if splits else DELTA
    return chances(
        "functions learned",
        failed,
        [trials] * len(cases),
        [allowed] * len(cases),
        lambda k: f"{cases[k][0]}, {under(cases[k][2])}, epsilon = {cases[k][3]}",
    )


@claim(
    "PS-MS",
    PS,
    r"$M_S(j) = \frac{12 (j+1) n}{\varepsilon} \ln \frac{4 (j+1)^2 (j+1) n}{\delta}$ pairs for "
    r"each variable make the leaf chosen in step $j$ have a quarter of the best score, in all "
    r"steps with probability above $1 - \delta/2$.",
    PAGE,
    repaired=True,
    note=r"As printed, $4 j^2$ is 0 at the first step. The proof needs the error to be above "
    r"$\frac23 \varepsilon$ only, which fits our stopping rule.",
)
def test_ps_ms(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "exact chance of a bad choice, worst scores",
                partial(_within_budget, _log_of_a_bad_choice, share=1 / 4),
                r"M_S(j) = \frac{12\,(j+1)\,n}{\varepsilon} \ln \frac{4\,(j+1)^3 n}{\delta}",
                false={
                    "with 5.8 for 12": {"size": _pairs(5.8)},
                    "half of the best score": {"share": 1 / 2},
                },
            ),
            stated(
                "exact tails of each event within their budgets",
                partial(_within_budget, _log_of_a_misjudgement, events=True),
                r"\frac{\delta}{4(j+1)^2}",
                false={
                    "with 11.5 for 12": {"size": _pairs(11.5)},
                    "with (j+1)² for (j+1)³": {"size": _pairs(power=2)},
                    "without the n in the logarithm": {"size": _pairs(many=False)},
                },
            ),
            stated(
                "the budgets sum to less than 0.412 delta",
                _budgets_add_up,
                r"\sum_{j \ge 0} \frac1{4(j+1)^2} = \frac{\pi^2}{24} < 0.412",
                false={
                    "less than 0.411 delta": {"limit": 0.411},
                    "with j + 1 for its square": {"power": 1},
                },
            ),
            stated(
                "the best score is at least cost/((j+1) n)",
                _best_score_is_large,
                r"\sigma_j \ge \frac{C_j}{(j+1)\, n} \ge \frac{e_j}{(j+1)\, n}",
                false={
                    "1% more": {"factor": 1.01},
                    "with j for j + 1, from the second step on": {
                        "leaves": lambda j: np.maximum(j, 1)
                    },
                    "for an error 1% larger": {"errors": 1.01},
                },
            ),
            stated(
                "splits of the learner",
                partial(_learner, UNEVEN, 180, splits=True),
                false={"with a 400th of the samples": {"scale": 1 / 400}},
            ),
        ),
        (
            Form(
                "as printed, with 4 j^2 (j+1) n",
                partial(_within_budget, _log_of_a_bad_choice, _printed_pairs, 1 / 4),
            ),
            Form("two-sided, within delta/2", partial(_budgets_add_up, 2, limit=1 / 2)),
            Form(
                "for half the score",
                partial(_within_budget, _log_of_a_misjudgement, share=0.5, events=True),
            ),
        ),
    )


@claim(
    "PS-STOP",
    PS,
    r"Label each leaf by the majority of $\frac{68}{\varepsilon}((j+1) \ln 2 + "
    r"\ln(8 (j+1)^2/\delta))$ examples and stop when at most $\frac56 \varepsilon$ of them are "
    r"wrong. With probability above $1 - \delta/2$ the tree returned has error at most "
    r"$\varepsilon$, and no step begins with error at most $\frac23 \varepsilon$.",
    PAGE,
    note="The source estimates the error by majority votes and gives no constants; these are ours.",
)
def test_ps_stop(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "exact tails",
                _tails_of_stopping,
                r"M_E(j) = \frac{68}\varepsilon \Bigl((j+1) \ln 2 + "
                r"\ln \frac{8 (j+1)^2}{\delta}\Bigr)",
                false={
                    "with 66 for 68": {"size": _fewer_examples(66)},
                    "as if there were one labelling": {"size": _fewer_examples(labellings=False)},
                    "stopping at 7/8 of epsilon": {"stop_at": 7 / 8},
                    "stopping at 3/4 of epsilon": {"stop_at": 3 / 4},
                },
            ),
            stated(
                "runs of the learner",
                partial(_learner, LEARNED, 70),
                false={"with a hundredth of the samples": {"scale": 1 / 100}},
            ),
        ),
        (Form("with half the examples", partial(_tails_of_stopping, share=0.5)),),
    )
