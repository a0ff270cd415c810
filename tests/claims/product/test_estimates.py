"""Chapter 3, learning from samples: the estimates of the scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from claims.kit import PS, Outcome, Trial, claim, outcome
from claims.kit.populations import all_functions, trees_and_functions
from claims.product.populations import MIXED, PAGE, Floats, Ints, same, under
from dtviz.core import functions as zoo
from dtviz.core import topdown
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.product import learner as sampled

CASES = tuple((code, k) for code in (22, 106, 150, 232) for k in range(244))
"""Functions of 3 variables, with every tree."""
Fresh = Callable[[float, Ints], Any]
"""With which chance the second point of a pair has a 1, from the bias and the first one's bit."""


def expectation(*, both: bool = True, fresh: Fresh = lambda p, _: p) -> Outcome:
    """The mean of the estimate over all pairs, against ``Pr[leaf] Inf_i(f at the leaf)``.

    A pair counts for a leaf if both of its points reach it, or, if not ``both``, its first.
    """
    mu, x, shapes = ProductDistribution(MIXED), np.arange(8), trees_and_functions(3)
    w, told, wanted = mu.weights(), np.zeros((len(CASES), 8, 3)), np.zeros((len(CASES), 8, 3))
    for case, (code, k) in enumerate(CASES):
        f, leaf = all_functions(3).table[code], shapes.leaf[k]
        scores = topdown.leaf_scores(shapes.trees[k], BooleanFunction.from_int(3, code), mu)
        wanted[case, : leaf.max() + 1] = scores.influences
        for i in range(3):
            one = fresh(float(mu.p[i]), x >> i & 1)
            for bit, chance in ((0, 1 - one), (1, one)):
                y = x & ~(1 << i) | bit << i
                counts = (f[x] != f[y]) & ((leaf == leaf[y]) | (not both))
                told[case, :, i] += np.bincount(leaf, w * chance * counts, minlength=8)
    describe = shapes.describe
    return same(
        "pairs of a tree and a function",
        told,
        wanted,
        lambda k: f"{describe(CASES[k][1], CASES[k][0])}, {under(MIXED)}",
    )


LEARNED = (
    ("parity of 3, one split", zoo.parity(3), (0.2, 0.5, 0.9), 0.0004),
    ("majority of 5", zoo.majority(5), (0.3, 0.4, 0.5, 0.6, 0.7), 0.1),
    ("parity of 3", zoo.parity(3), (0.2, 0.5, 0.9), 0.05),
    ("x0 and majority of 3", zoo.guarded(zoo.majority(3)), (0.3, 0.5, 0.5, 0.5), 0.05),
    ("random(5, seed 7)", zoo.random(5, 7), (0.4,) * 5, 0.2),
)


@cache
def estimates() -> tuple[Floats, Floats, Floats, Floats, list[str]]:
    """All estimates of some runs, the true scores, ``2 p (1-p)``, the pairs drawn, the steps.

    The first draws more points than the learner holds at once, and is cut there.
    """
    parts, names = [], []
    for (name, f, p, epsilon), seed in [(case, seed) for case in LEARNED for seed in range(4)][3:]:
        mu, most = ProductDistribution(p), 2 if epsilon < 0.01 else None
        run = sampled.build_top_down_sampled(
            f, mu, epsilon, 0.1, seed, max_leaves=most, progress=False
        )
        for j, step in enumerate(run.steps[:-1]):
            tree = run.tree(j + 1)
            truth = topdown.leaf_scores(tree, f, mu).influences
            # The tree lists its leaves from left to right, the run in the order of their making.
            places = replace(step, labels=np.arange(j + 1))
            numbered = replace(run, steps=(*run.steps[:j], places)).tree(j + 1)
            points = [[dict(path).get(i, 0) for i in range(f.n)] for path in tree.paths()]
            seen = step.estimates[[numbered(point) for point in points]]
            rest = np.broadcast_arrays(truth, 2 * mu.p * (1 - mu.p), float(step.n_pairs))
            parts.append([a.ravel() for a in (seen, *rest)])
            names += [f"{name}, epsilon = {epsilon}, seed {seed}, step {j}"] * truth.size
    seen, truth, spread, drawn = (np.concatenate(part) for part in zip(*parts, strict=True))
    return seen, truth, spread, drawn, names


DOUBT = 0.01
"""The chance that a true statement about all estimates together is called false."""


def estimates_are_likely(
    mean: Callable[[Floats, Floats], Floats] = lambda score, _: score,
) -> Outcome:
    """No estimate of the learner is as far from its mean as chance hardly ever takes it.

    By Chernoff's bound an average of M independent bits of mean s is as far off as a, on its side,
    with probability at most ``exp(-M KL(a, s))``.
    """
    seen, score, spread, drawn, names = estimates()
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
def test_estimate_is_unbiased(trial: Trial) -> None:
    trial.holds(
        "all pairs of points, in exact arithmetic",
        expectation,
        r"w_\ell \operatorname{Res}_i(f_\ell)",
        {
            "with a fair coin for the fresh bit": {"fresh": lambda *_: 1 / 2},
            "with the bit flipped": {"fresh": lambda _, bit: 1 - bit},
        },
    )
    trial.holds(
        "the estimates of the learner",
        estimates_are_likely,
        variants={
            "means 8% larger": {"mean": lambda score, _: 1.08 * score},
            "means a tenth smaller": {"mean": lambda score, _: 0.9 * score},
            "flip influence": {"mean": lambda score, spread: score / spread},
        },
    )
    trial.fails("if only x must reach the leaf", partial(expectation, both=False))
