"""Chapter 3, learning from samples: estimates, sample sizes, when to stop; and some remarks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from dtviz.claims.populations import all_functions, trees_and_functions
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import PS
from dtviz.core import functions as zoo
from dtviz.core import measures, topdown
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.tree import Tree
from dtviz.product import learner as sampled
from dtviz.product import sample_sizes
from dtviz.product.claims.populations import MEASURES, Steps, runs, steps, under
from dtviz.product.sampled_run import SampledRun

__all__ = ["CLAIMS"]

PAGE = "3-product"
MIXED = MEASURES[2]
CHOSEN = (22, 106, 150, 232)
Floats = npt.NDArray[np.float64]


# -- estimates -------------------------------------------------------------------------------------


def _expectation(*, both: bool) -> Outcome:
    """The mean of the estimate over all pairs, against ``Pr[leaf] Inf_i(f at the leaf)``.

    A pair counts for a leaf if both of its points reach it, or, if not ``both``, its first.
    """
    mu, x = ProductDistribution(MIXED), np.arange(8)
    w, table = mu.weights(), all_functions(3).table
    gap, names = [], []
    for code in CHOSEN:
        f = BooleanFunction.from_int(3, code)
        for k, tree in enumerate(trees_and_functions(3).trees):
            leaf = trees_and_functions(3).leaf[k]
            mean = np.zeros((leaf.max() + 1, 3))
            for i in range(3):
                for bit, chance in ((0, 1 - mu.p[i]), (1, mu.p[i])):
                    y = x & ~(1 << i) | bit << i
                    counts = table[code][x] != table[code][y]
                    if both:
                        counts &= leaf == leaf[y]
                    mean[:, i] += np.bincount(leaf, w * chance * counts, minlength=len(mean))
            gap.append(float(np.abs(mean - topdown.leaf_scores(tree, f, mu).influences).max()))
            names.append((k, code))
    return equality(
        "pairs of a tree and a function",
        gap,
        lambda k: f"{trees_and_functions(3).describe(*names[k])}, {under(MIXED)}",
    )


@cache
def _sampled_runs() -> tuple[tuple[str, BooleanFunction, SampledRun], ...]:
    """Runs of the learner, a seed each."""
    cases = (
        ("majority of 5", zoo.majority(5), (0.3, 0.4, 0.5, 0.6, 0.7), 0.1),
        ("parity of 3", zoo.parity(3), (0.2, 0.5, 0.9), 0.05),
        ("tribes(2, 2)", zoo.tribes(2, 2), (0.5,) * 4, 0.1),
        ("x0 and majority of 3", zoo.guarded(zoo.majority(3)), (0.3, 0.5, 0.5, 0.5), 0.05),
        ("random(5, seed 7)", zoo.random(5, 7), (0.4,) * 5, 0.2),
    )
    found = []
    for name, f, p, epsilon in cases:
        for seed in range(4):
            run = sampled.build_top_down_sampled(
                f, ProductDistribution(p), epsilon, 0.1, seed, progress=False
            )
            found.append((f"{name}, epsilon = {epsilon}, seed {seed}", f, run))
    return tuple(found)


def _points_of(tree: Tree, n: int) -> list[list[int]]:
    """A point that reaches each leaf, left to right."""
    return [[dict(path).get(i, 0) for i in range(n)] for path in tree.paths()]


def _estimates_are_near() -> Outcome:
    """Every estimate of the learner within six standard deviations of the true score."""
    off, names = [], []
    for name, f, run in _sampled_runs():
        for j, step in enumerate(run.steps[:-1]):
            tree = run.tree(j + 1)
            truth = topdown.leaf_scores(tree, f, run.mu).influences
            # The tree lists its leaves from left to right, the run in the order of their making.
            places = replace(step, labels=np.arange(j + 1))
            numbered = replace(run, steps=(*run.steps[:j], places)).tree(j + 1)
            order = np.array([numbered(path) for path in _points_of(tree, f.n)])
            deviation = np.sqrt(truth * (1 - truth) / step.n_pairs)
            error = np.abs(step.estimates[order] - truth)
            off.append(float((error / np.maximum(deviation, 1e-300)).max()))
            names.append(f"{name}, step {j}")
    return outcome(
        "steps of sampled runs",
        np.array(off) <= 6,
        off,
        lambda k: f"{off[k]:.2g} standard deviations at {names[k]}",
    )


# -- the sample size of a step ---------------------------------------------------------------------

Formula = Callable[[int, int, float, float], float]
SIZES = tuple(
    (j, n, epsilon, delta)
    for j in (0, 1, 2, 5, 20, 100)
    for n in (1, 4, 10)
    for epsilon in (0.4, 0.1)
    for delta in (0.5, 0.05)
)


def _log_factorials(m: int) -> Floats:
    factorial: Floats = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, m + 1)))])
    return factorial


def _binomial_tail(m: int, p: float, low: int, high: int) -> float:
    """``Pr[low <= Bin(m, p) < high]``, added up term by term."""
    factorial = _log_factorials(m)
    k = np.arange(max(low, 0), min(high, m + 1))
    logs = factorial[m] - factorial[k] - factorial[m - k] + k * math.log(p)
    return float(np.exp(logs + (m - k) * math.log1p(-p)).sum())


def _printed_pairs(j: int, n: int, epsilon: float, delta: float) -> float:
    """``12 (j+1) n / eps * ln(4 j^2 (j+1) n / delta)``; no number where j = 0."""
    inside = 4 * j**2 * (j + 1) * n / delta
    return 12 * (j + 1) * n / epsilon * math.log(inside) if inside > 0 else math.nan


def _is_a_sample_size(formula: Formula) -> Outcome:
    """A sample size is a positive number, at every step from j = 0 on."""
    sizes = np.array([formula(*given) for given in SIZES])
    good = np.nan_to_num(sizes, nan=0.0) > 0
    return outcome(
        "steps",
        good,
        -np.nan_to_num(sizes, nan=0.0),
        lambda k: (
            f"{sizes[k]:,.0f} pairs for j = {SIZES[k][0]}, n = {SIZES[k][1]}, "
            f"epsilon = {SIZES[k][2]}, delta = {SIZES[k][3]}"
            if good[k]
            else f"the logarithm of 0 for j = {SIZES[k][0]}"
        ),
    )


def _repaired_or_printed() -> Outcome:
    """Where the printed size is a number it is below the repaired one, by 2 ln(1 + 1/j) at most."""
    given = [case for case in SIZES if case[0] > 0]
    repaired = np.array([sample_sizes.pairs_needed(*case) for case in given])
    printed = np.array([_printed_pairs(*case) for case in given])
    allowed = np.array([12 * (j + 1) * n / e * 2 * math.log(1 + 1 / j) + 1 for j, n, e, _ in given])
    more = repaired - printed
    return outcome(
        "steps",
        (more >= 0) & (more <= allowed * (1 + 1e-9)),
        more / allowed,
        lambda k: f"{more[k]:.0f} pairs more than printed for j = {given[k][0]}, n = {given[k][1]}",
    )


THRESHOLD = 3 / (4 * math.log(4))
"""Between an estimate of the best score, 1, and one of a score below a quarter of it."""

GAP = 2 / 3
"""While the run goes on, the error is above this share of epsilon."""


def _tails_of_estimates(share: float) -> Outcome:
    """Exact binomial tails of both kinds of misjudgement, at M_S(j) pairs.

    The best score is ``share * (2/3) epsilon / ((j+1) n)``, no more than the proof supposes.
    """
    tight, where = [], []
    for j, n, epsilon, delta in SIZES:
        m = sample_sizes.pairs_needed(j, n, epsilon, delta)
        if m > 150_000:
            continue
        best = share * GAP * epsilon / ((j + 1) * n)
        cut = math.ceil(THRESHOLD * best * m)
        worse = max(_binomial_tail(m, best, 0, cut), _binomial_tail(m, best / 4, cut, m + 1))
        tight.append(worse * 4 * (j + 1) ** 3 * n / delta)
        where.append(f"j = {j}, n = {n}, epsilon = {epsilon}, delta = {delta}")
    return outcome(
        "steps",
        np.array(tight) <= 1,
        tight,
        lambda k: f"probability / budget = {tight[k]:.3g} for {where[k]}",
    )


def _budgets_add_up(two_sided: int) -> Outcome:
    """``sum_j (j+1) n * delta/(4 (j+1)^3 n)`` below delta/2, to any number of steps."""
    leaves = np.arange(1, 100_001)
    spent = two_sided * np.cumsum(1 / (4.0 * leaves**2))
    ends = [0, 9, 99, 9_999, 99_999]
    return outcome(
        "numbers of steps",
        spent[ends] <= 1 / 2,
        spent[ends],
        lambda k: f"{spent[ends[k]]:.3f} delta after {ends[k] + 1:,} steps",
    )


def _best_score_is_large() -> Outcome:
    """``max score >= cost/((j+1) n) >= error/((j+1) n)`` at every step."""
    run: Steps = steps(runs())
    tight = run.cost / ((run.step + 1) * run.n * run.score)
    good = (tight <= 1 + 1e-12) & (run.error <= run.cost)
    return outcome(
        "steps of greedy runs",
        good,
        tight,
        lambda k: f"score (j+1) n / cost = {1 / tight[k]:.4g} at {run.describe(k)}",
    )


def _quarter_of_the_best() -> Outcome:
    """True scores of the splits that runs of the learner chose, as shares of the best."""
    share, names = [], []
    for name, f, run in _sampled_runs():
        for j, value in enumerate(run.shares(f).tolist()):
            share.append(value)
            names.append(f"{name}, step {j}")
    return outcome(
        "steps of sampled runs",
        np.array(share) >= 1 / 4,
        1 / np.array(share),
        lambda k: f"score / best = {share[k]:.3f} at {names[k]}",
    )


# -- when to stop ----------------------------------------------------------------------------------


def _tails_of_stopping(share: float) -> Outcome:
    """Exact binomial tails of both mistakes, at M_E(j) examples, or a share of so many.

    To stop though some labelling that fits errs more than epsilon, ``2^(j+1)`` of them; not to
    stop though the best labelling errs at most two thirds of epsilon.
    """
    tight, where = [], []
    for j in (0, 1, 2, 5, 20, 60):
        for epsilon in (0.4, 0.1, 0.02):
            for delta in (0.5, 0.05):
                m = int(share * sample_sizes.examples_needed(j, epsilon, delta))
                limit = math.floor(sampled.STOP_AT * epsilon * m) + 1
                early = 2.0 ** (j + 1) * _binomial_tail(m, epsilon, 0, limit)
                late = _binomial_tail(m, GAP * epsilon, limit, m + 1)
                tight.append(max(early, late) * 8 * (j + 1) ** 2 / delta)
                where.append(f"j = {j}, epsilon = {epsilon}, delta = {delta}")
    return outcome(
        "steps",
        np.array(tight) <= 1,
        tight,
        lambda k: f"probability / budget = {tight[k]:.3g} for {where[k]}",
    )


def _errors_of_runs() -> Outcome:
    """The tree returned errs at most epsilon; before that, the best labelling above 2/3 of it."""
    tight, names = [], []
    for name, f, run in _sampled_runs():
        wrong = measures.mean(run.tree().function(f.n) ^ f, run.mu)
        before = run.path(f).errors[:-1]
        tight += [wrong / run.epsilon, *(GAP * run.epsilon / before).tolist()]
        names += [f"the tree of {name}", *(f"{name}, step {j}" for j in range(before.size))]
    return outcome(
        "trees of sampled runs",
        np.array(tight) <= 1,
        tight,
        lambda k: f"{tight[k]:.3f} of what is allowed: {names[k]}",
    )


CLAIMS = (
    Claim(
        "PS-EST",
        PS,
        r"The mean over pairs $(x, x^{(i)})$ of $1[x, x^{(i)} \to \ell] \cdot "
        r"1[f(x) \ne f(x^{(i)})]$ is unbiased for $p_\ell\, \mathrm{Inf}_i(f_\ell)$, also where "
        r"$x_i$ was asked before: then both are 0.",
        PAGE,
        (
            Form("all pairs of points, in exact arithmetic", partial(_expectation, both=True)),
            Form("the estimates of the learner", _estimates_are_near),
        ),
        (Form("if only x must reach the leaf", partial(_expectation, both=False)),),
    ),
    Claim(
        "PS-MS",
        PS,
        r"$M_S(j) = \frac{12 (j+1) n}{\varepsilon} \ln \frac{4 (j+1)^2 (j+1) n}{\delta}$ pairs for "
        r"each variable make the leaf chosen in step $j$ have a quarter of the best score, in all "
        r"steps with probability above $1 - \delta/2$.",
        PAGE,
        (
            Form(
                "a positive number from j = 0 on",
                partial(_is_a_sample_size, sample_sizes.pairs_needed),
            ),
            Form("hardly more than printed", _repaired_or_printed),
            Form("exact tails within their budgets", partial(_tails_of_estimates, 1.0)),
            Form("the budgets sum to at most delta/2", partial(_budgets_add_up, 1)),
            Form("the best score is at least cost/((j+1) n)", _best_score_is_large),
            Form("runs of the learner", _quarter_of_the_best),
        ),
        (
            Form("as printed, with 4 j^2 (j+1) n", partial(_is_a_sample_size, _printed_pairs)),
            Form("two-sided, within delta/2", partial(_budgets_add_up, 2)),
            Form("for half the score", partial(_tails_of_estimates, 0.5)),
        ),
        repaired=True,
        note=r"As printed, $4 j^2$ is 0 at the first step. The proof needs the error to be above "
        r"$\frac23 \varepsilon$ only, which fits our stopping rule.",
    ),
    Claim(
        "PS-STOP",
        PS,
        r"Label each leaf by the majority of $\frac{68}{\varepsilon}((j+1) \ln 2 + "
        r"\ln(8 (j+1)^2/\delta))$ examples and stop when at most $\frac56 \varepsilon$ of them are "
        r"wrong. With probability above $1 - \delta/2$ the tree returned has error at most "
        r"$\varepsilon$, and no step begins with error at most $\frac23 \varepsilon$.",
        PAGE,
        (
            Form("exact tails", partial(_tails_of_stopping, 1)),
            Form("the budgets sum to at most delta/2", partial(_budgets_add_up, 1)),
            Form("runs of the learner", _errors_of_runs),
        ),
        (Form("with half the examples", partial(_tails_of_stopping, 0.5)),),
        note="The source estimates the error by majority votes and gives no constants; these are "
        "ours.",
    ),
    Claim(
        "PS-PARAM",
        PS,
        "The learner from samples is told neither the size nor the depth of a tree: only epsilon, "
        "delta and the distribution.",
        PAGE,
        note="That earlier work must know $s$ concerns its sample-based form: BuildTopDownDT "
        r"itself takes $f$ and $\varepsilon$ alone, in both papers.",
    ),
    Claim(
        "PS-KOCH",
        PS,
        "Koch, Strassle and Tan (SODA 2023): learning decision trees takes superpolynomial time, "
        "under assumptions and for arbitrary distributions.",
        PAGE,
        note="The notes make of it an unconditional bound that proves theirs nearly tight. It is "
        "conditional (randomised ETH, or the hardness of Set Cover), distribution-free, and about "
        "time, not about the size of greedy trees; for that see BLT-LB.",
    ),
    Claim(
        "PS-FOCS",
        PS,
        r"Blanc, Lange, Qiao and Tan learn decision trees in time $n^{O(\log \log n)}$ with "
        "membership queries, under the uniform distribution.",
        PAGE,
        note="FOCS 2021 (arXiv 2109.00637); the notes say 2022.",
    ),
    Claim(
        "PS-MR",
        PS,
        r"Mehta and Raghavan (2002) learn decision trees under the uniform distribution in time "
        r"$n^{O(\log(s/\varepsilon))}$, by a dynamic programme.",
        PAGE,
        note="Not tried here.",
    ),
    Claim(
        "PS-NOFOURIER",
        PS,
        "The proofs use no Fourier analysis: influences are probabilities throughout.",
        PAGE,
        note="True of every proof of this chapter.",
    ),
    Claim(
        "PS-NONPROD",
        PS,
        "The guarantees are for product distributions; features of real data depend on each other.",
        PAGE,
    ),
    Claim(
        "PS-01LOSS",
        PS,
        "Error is the share of wrong labels of a Boolean function; regression is not covered.",
        PAGE,
    ),
)
