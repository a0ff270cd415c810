"""Chapter 3, learning from samples: the estimates of the scores."""

import itertools
import math
from functools import cache, partial

import numpy as np

from claims.kit import outcome
from claims.kit.populations import all_functions, trees_and_functions
from claims.product.populations import MEASURES, equal, spread, stated
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean_trees import topdown
from dtviz.product import learner as sampled


@equal("pairs of a tree and a function")
def expectation(fresh=lambda p, _: p, *, both=True):
    """The mean of the estimate over all pairs, against ``Pr[leaf] Inf_i(f at the leaf)``.

    A pair counts for a leaf if both of its points reach it, or, if not ``both``, its first.
    ``fresh`` is the chance that the second has a 1, from the bias and the bit of the first.
    """
    mu, x, shapes = ProductDistribution(MEASURES[2]), np.arange(8), trees_and_functions(3)
    for code, k in itertools.product((22, 106, 150, 232), range(0, 244, 3)):
        f, leaf = all_functions(3).table[code], shapes.leaf[k]
        computed, wanted = np.zeros((8, 3)), np.zeros((8, 3))
        scores = topdown.leaf_scores(shapes.trees[k], BooleanFunction.from_int(3, code), mu)
        wanted[: leaf.max() + 1] = scores.influences
        for i, bit in itertools.product(range(3), (0, 1)):
            one = fresh(float(mu.p[i]), x >> i & 1)
            y = x & ~(1 << i) | bit << i
            counts = (f[x] != f[y]) & ((leaf == leaf[y]) | (not both))
            mass = mu.weights() * (one if bit else 1 - one) * counts
            computed[:, i] += np.bincount(leaf, mass, minlength=8)
        yield computed, wanted, shapes.describe(k, code)


LEARNED = (
    ("parity of 3, one split", zoo.parity(3), (0.2, 0.5, 0.9), 0.0004, 2),
    ("majority of 5", zoo.majority(5), (0.3, 0.4, 0.5, 0.6, 0.7), 0.1, None),
    ("x0 and majority of 3", zoo.guarded(zoo.majority(3)), (0.3, 0.5, 0.5, 0.5), 0.05, None),
    ("random(5, seed 7)", zoo.random(5, 7), (0.4,) * 5, 0.2, None),
)
"""The first draws more points than the learner holds at once, and is cut at two leaves."""


@cache
def estimates():
    """Estimates, summed over the leaves: seen, true, ``2 p (1-p)``, pairs drawn; and the steps."""
    rows, names = [], []
    for name, f, p, epsilon, most in LEARNED:
        mu = ProductDistribution(p)
        for seed in range(1 if most else 4):
            run = sampled.build_top_down_sampled(f, mu, epsilon, 0.1, seed, max_leaves=most)
            for j, step in enumerate(run.steps[:-1]):
                truth = topdown.leaf_scores(run.tree(j + 1), f, mu).influences.sum(axis=0)
                drawn = np.full(f.n, float(step.n_pairs))
                rows.append([step.estimates.sum(axis=0), truth, spread(p), drawn])
                names += [f"{name}, seed {seed}, step {j}"] * f.n
    return np.concatenate(rows, axis=1), names


def estimates_are_likely(mean=lambda score, _: score):
    """No estimate of the learner is as far from its mean as chance hardly ever takes it.

    By Chernoff's bound an average of M independent bits of mean s is as far off as a, on its side,
    with probability at most ``exp(-M KL(a, s))``; all of them together with less than ``0.01``.
    """
    (seen, truth, of_flip, drawn), names = estimates()
    said = np.clip(mean(truth, of_flip), 0, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = np.where(seen > 0, seen * np.log(seen / said), 0)
        apart += np.where(seen < 1, (1 - seen) * np.log((1 - seen) / (1 - said)), 0)
    far = np.minimum(np.where(seen == said, 0.0, drawn * apart), 1e6)
    where = lambda k: f"{seen[k]:.4g} seen for {said[k]:.4g} in {drawn[k]:,.0f} pairs, {names[k]}"  # noqa: E731
    return outcome("estimates of sampled runs", far <= math.log(2 * seen.size / 0.01), far, where)


@stated(
    "PS-EST",
    r"The share of the pairs $(x, x^{(i)})$ whose points both reach the leaf $\ell$ and have "
    r"different labels is unbiased for $\mu(\ell)\, \mathrm{Res}_i(f_\ell)$, also where $x_i$ "
    "was queried before: then both are 0.",
)
def test_estimate_is_unbiased(trial):
    trial.holds(
        "all pairs of points, in exact arithmetic",
        expectation,
        r"\mu(\ell) \operatorname{Res}_i(f_\ell)",
        {
            "with a fair coin for the fresh bit": {"fresh": lambda *_: 1 / 2},
            "with the bit flipped": {"fresh": lambda _, bit: 1 - bit},
        },
    )
    trial.holds(
        "the estimates of the learner",
        estimates_are_likely,
        variants={
            "means 5% larger": {"mean": lambda score, _: 1.05 * score},
            "means 5% smaller": {"mean": lambda score, _: 0.95 * score},
        },
    )
    trial.fails("if only x must reach the leaf", partial(expectation, both=False))
