"""Chapter 3, learning from samples: the estimates of the scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.kit import PS, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import all_functions, trees_and_functions
from claims.product.forms import stated
from claims.product.populations import MEASURES, under
from dtviz.core import functions as zoo
from dtviz.core import topdown
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.tree import Tree
from dtviz.product import learner as sampled
from dtviz.product.sampled_run import SampledRun

PAGE = "3-product"
MIXED = MEASURES[2]
CHOSEN = (22, 106, 150, 232)
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Fresh = Callable[[float, Ints], float | Ints]
"""With which chance the second point of a pair has a 1, from the bias and the first one's bit."""


def _anew(p: float, _: Ints) -> float:
    return p


def _as_a_fair_coin(_: float, __: Ints) -> float:
    return 1 / 2


def _flipped(_: float, bit: Ints) -> Ints:
    return 1 - bit


@cache
def _true_scores() -> tuple[tuple[int, int, Floats], ...]:
    """A function, a tree, and the scores of its leaves and variables."""
    mu = ProductDistribution(MIXED)
    return tuple(
        (code, k, topdown.leaf_scores(tree, BooleanFunction.from_int(3, code), mu).influences)
        for code in CHOSEN
        for k, tree in enumerate(trees_and_functions(3).trees)
    )


def _told(k: int) -> str:
    code, tree, _ = _true_scores()[k]
    return trees_and_functions(3).describe(tree, code)


def _expectation(*, both: bool = True, fresh: Fresh = _anew) -> Outcome:
    """The mean of the estimate over all pairs, against ``Pr[leaf] Inf_i(f at the leaf)``.

    A pair counts for a leaf if both of its points reach it, or, if not ``both``, its first.
    """
    mu, x = ProductDistribution(MIXED), np.arange(8)
    w, table = mu.weights(), all_functions(3).table
    gap = []
    for code, k, scores in _true_scores():
        leaf = trees_and_functions(3).leaf[k]
        mean = np.zeros(scores.shape)
        for i in range(3):
            one = fresh(float(mu.p[i]), x >> i & 1)
            for bit, chance in ((0, 1 - one), (1, one)):
                y = x & ~(1 << i) | bit << i
                counts = table[code][x] != table[code][y]
                if both:
                    counts &= leaf == leaf[y]
                mean[:, i] += np.bincount(leaf, w * chance * counts, minlength=len(mean))
        gap.append(float(np.abs(mean - scores).max()))
    return equality(
        "pairs of a tree and a function",
        gap,
        lambda k: f"{_told(k)}, {under(MIXED)}",
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


@cache
def _estimates() -> tuple[Floats, Floats, Floats, Floats, tuple[str, ...]]:
    """All estimates of these runs, the true scores, ``2 p (1-p)``, the pairs drawn, the steps."""
    parts, names = [], []
    for name, f, run in _sampled_runs():
        for j, step in enumerate(run.steps[:-1]):
            tree = run.tree(j + 1)
            truth = topdown.leaf_scores(tree, f, run.mu).influences
            # The tree lists its leaves from left to right, the run in the order of their making.
            places = replace(step, labels=np.arange(j + 1))
            numbered = replace(run, steps=(*run.steps[:j], places)).tree(j + 1)
            order = np.array([numbered(path) for path in _points_of(tree, f.n)])
            spread = np.broadcast_to(2 * run.mu.p * (1 - run.mu.p), truth.shape)
            drawn = np.full(truth.shape, float(step.n_pairs))
            parts.append([a.ravel() for a in (step.estimates[order], truth, spread, drawn)])
            names += [f"{name}, step {j}"] * truth.size
    seen, truth, spread, drawn = (np.concatenate(part) for part in zip(*parts, strict=True))
    return seen, truth, spread, drawn, tuple(names)


Mean = Callable[[Floats, Floats], Floats]
"""What the mean of an estimate is said to be, from the true score and ``2 p (1-p)``."""
DOUBT = 0.01
"""The chance that a true statement about all estimates together is called false."""


def _estimates_are_likely(mean: Mean = lambda score, _: score) -> Outcome:
    """No estimate of the learner is as far from its mean as chance hardly ever takes it.

    By Chernoff's bound an average of M independent bits of mean s is as far off as a, on its side,
    with probability at most ``exp(-M KL(a, s))``.
    """
    seen, score, spread, drawn, names = _estimates()
    said = np.clip(mean(score, spread), 0, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.where(seen > 0, seen * np.log(seen / said), 0)
        apart += np.where(seen < 1, (1 - seen) * np.log((1 - seen) / (1 - said)), 0)
    limit = math.log(2 * seen.size / DOUBT)
    exponent = np.where(seen == said, 0.0, drawn * apart)
    found = outcome(
        "estimates of sampled runs",
        exponent <= limit,
        np.minimum(exponent, 1e6),
        lambda k: (
            f"{seen[k]:.4g} seen for a mean of {said[k]:.4g} in {drawn[k]:,.0f} pairs, {names[k]}"
        ),
    )
    words = f"true means are called false with probability at most {DOUBT:.0%}, all together"
    return replace(found, confidence=words)


@claim(
    "PS-EST",
    PS,
    r"The mean over pairs $(x, x^{(i)})$ of $1[x, x^{(i)} \to \ell] \cdot "
    r"1[f(x) \ne f(x^{(i)})]$ is unbiased for $p_\ell\, \mathrm{Inf}_i(f_\ell)$, also where "
    r"$x_i$ was asked before: then both are 0.",
    PAGE,
)
def test_ps_est(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "all pairs of points, in exact arithmetic",
                _expectation,
                r"w_\ell \operatorname{Res}_i(f_\ell)",
                false={
                    "with a fair coin for the fresh bit": {"fresh": _as_a_fair_coin},
                    "with the bit flipped": {"fresh": _flipped},
                    "if x must reach the leaf and its partner need not": {"both": False},
                },
            ),
            stated(
                "the estimates of the learner",
                _estimates_are_likely,
                false={
                    "means 8% larger": {"mean": lambda score, _: 1.08 * score},
                    "means a tenth smaller": {"mean": lambda score, _: 0.9 * score},
                    "flip influence": {"mean": lambda score, spread: score / spread},
                },
            ),
        ),
        (Form("if only x must reach the leaf", partial(_expectation, both=False)),),
    )
