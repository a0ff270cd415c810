"""Chapter 1, the lemmas about trees: cost as a potential, and the score of the leaf to be split."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from dtviz import influence as chapter
from dtviz.claims.populations import (
    all_functions,
    at_least,
    name,
    ratio,
    steps,
    trees_and_functions,
)
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import BLT
from dtviz.core import functions as zoo

__all__ = ["CLAIMS"]

PAGE = "1-influence"
PAIRS = "pairs of a tree and a function"
STEPS = "steps of greedy runs"


# -- Lemma 5.1: the cost --------------------------------------------------------------------------


def _error_below_cost(factor: int) -> Outcome:
    """``factor * error <= cost``: every pair of a tree and a function, counted in points."""
    pairs = trees_and_functions(3)
    tight = ratio(pairs.error, pairs.cost).ravel()
    return outcome(
        PAIRS,
        factor * pairs.error <= pairs.cost,
        tight,
        lambda k: f"error/cost = {tight[k]:g} for {pairs.describe(*divmod(k, 256))}",
    )


def _only_literals_are_tight() -> Outcome:
    """``err(f) = Inf(f)/2`` for x_i and not x_i, and for no other function but the constants."""
    agree: list[bool] = []
    place: list[tuple[int, int]] = []
    counts = []
    for n in (1, 2, 3, 4):
        every = all_functions(n)
        error = np.minimum(every.ones, (1 << n) - every.ones)
        tight = (2 * error == every.changes.sum(axis=1)) & (error > 0)
        literals = {zoo.dictator(n, i).code for i in range(n)}
        literals |= {(~zoo.dictator(n, i)).code for i in range(n)}
        agree += [bool(tight[code]) == (code in literals) for code in range(tight.size)]
        place += [(n, code) for code in range(tight.size)]
        counts.append(str(int(tight.sum())))
    summary = f"{', '.join(counts)} functions are tight for n = 1, 2, 3, 4"
    return outcome(
        "functions of 1 to 4 variables",
        agree,
        np.logical_not(agree),
        lambda k: summary if agree[k] else name(*place[k]),
    )


def _split_takes_the_influence_off() -> Outcome:
    """Every leaf of every tree, split on every free variable, for every function."""
    pairs = trees_and_functions(3)
    table, x = all_functions(3).table, np.arange(8)
    place = {row.tobytes(): k for k, row in enumerate(pairs.leaf)}
    off: list[npt.NDArray[np.int64]] = []
    names = []
    for k, tree in enumerate(pairs.trees):
        for leaf, path in enumerate(tree.paths()):
            inside = pairs.leaf[k] == leaf
            for i in set(range(3)) - {j for j, _ in path}:
                after = pairs.leaf[k] + (pairs.leaf[k] > leaf) + (inside & ((x >> i) & 1 == 1))
                drop = pairs.cost[k] - pairs.cost[place[after.tobytes()]]
                counted = ((table != table[:, x ^ (1 << i)]) & inside).sum(axis=1)
                off.append(np.abs(drop - counted))
                names.append((k, leaf, i))

    def where(k: int) -> str:
        tree, leaf, i = names[k // 256]
        return f"leaf {leaf} of {pairs.describe(tree, k % 256)}, split on x{i}"

    return equality("splits of a leaf for a function", np.concatenate(off) / 8, where)


def _greedy_split_takes_the_score_off() -> Outcome:
    run = steps(3, 0)
    return equality(STEPS, run.cost - run.next_cost - run.score, run.describe)


def _cost_falls_error_may_not(*, strictly: bool) -> Outcome:
    """The cost falls at each step; the error does not rise, or (``strictly``) falls as well."""
    run = steps(3)
    drop, error_drop = run.cost - run.next_cost, run.error - run.next_error
    good = (error_drop > 0) if strictly else (error_drop >= 0) & (drop > 0)
    return outcome(
        STEPS,
        good,
        -drop,
        lambda k: (
            f"the error drops by {error_drop[k]:g}, the cost by {drop[k]:g}, at {run.describe(k)}"
        ),
    )


# -- Lemma 5.2: the score of the leaf that is split -----------------------------------------------


def _some_leaf_has_its_share() -> Outcome:
    pairs = trees_and_functions(3)
    best = pairs.worst_error * pairs.n_leaves[:, None]
    tight = ratio(pairs.error, best).ravel()
    return outcome(
        PAIRS,
        best >= pairs.error,
        tight,
        lambda k: (
            f"largest share / average share = {1 / tight[k]:g} for "
            f"{pairs.describe(*divmod(k, 256))}"
        ),
    )


def _score_floor(factor: int) -> Outcome:
    """The score times ``(j+1) log2 s`` against ``factor`` times the error, at every step."""
    run = steps(3, 0)
    floor = np.array(
        [
            chapter.score_floor_by_error(error, int(j), int(size)) / 2
            for error, j, size in zip(run.error, run.step, run.size, strict=True)
        ]
    )
    tight = ratio(floor, run.score)
    return outcome(
        STEPS,
        at_least(run.score, factor * floor),
        tight,
        lambda k: f"score (j+1) log2 s / error = {1 / tight[k]:.6g} at {run.describe(k)}",
    )


CLAIMS = (
    Claim(
        "BLT-L5.1a",
        BLT,
        r"$\mathrm{error}(T^\circ, f) \le \mathrm{cost}_f(T^\circ)$; indeed "
        r"$\mathrm{error} \le \mathrm{cost}/2$.",
        PAGE,
        (
            Form("error ≤ cost", partial(_error_below_cost, 1)),
            Form("error ≤ cost/2", partial(_error_below_cost, 2)),
            Form("error = cost/2 at the root for literals only", _only_literals_are_tight),
        ),
    ),
    Claim(
        "BLT-L5.1b",
        BLT,
        r"Replacing a leaf $\ell$ by a query to $x_i$ lowers the cost by exactly "
        r"$2^{-|\ell|}\, \mathrm{Inf}_i(f_\ell)$; for a greedy split that is the score.",
        PAGE,
        (
            Form("any split", _split_takes_the_influence_off),
            Form("greedy splits", _greedy_split_takes_the_score_off),
        ),
    ),
    Claim(
        "BLT-L5.1c",
        BLT,
        r"Along a greedy run the cost falls strictly; the error never rises, but may stay.",
        PAGE,
        (
            Form(
                "cost falls, error does not rise",
                partial(_cost_falls_error_may_not, strictly=False),
            ),
        ),
        (
            Form(
                "for the error in place of the cost",
                partial(_cost_falls_error_may_not, strictly=True),
            ),
        ),
        note="Implicit in the source.",
    ),
    Claim(
        "BLT-L5.2",
        BLT,
        r"After $j$ splits, while the error exceeds $\varepsilon$, the leaf that is split has "
        r"score above $\varepsilon / ((j+1) \log_2 s)$; indeed at least "
        r"$2\, \mathrm{error}_j / ((j+1) \log_2 s)$.",
        PAGE,
        (
            Form("score ≥ error/((j+1) log2 s)", partial(_score_floor, 1)),
            Form("twice that", partial(_score_floor, 2)),
        ),
    ),
    Claim(
        "BLT-L5.2i",
        BLT,
        r"If a tree with $j+1$ leaves errs by more than $\varepsilon$, some leaf has "
        r"$2^{-|\ell|}\, \mathrm{err}(f_\ell) > \varepsilon/(j+1)$.",
        PAGE,
        (Form("the largest share is at least the average", _some_leaf_has_its_share),),
    ),
)
