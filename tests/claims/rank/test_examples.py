"""Chapter 2, definitions: the rank of a sample, informative variables, errors.

The package is compared with the bare definitions, worked out by recursion or enumeration.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import numpy as np
import numpy.typing as npt

from claims.kit import EH, Form, Outcome, Trial, claim, equality, outcome
from claims.rank.samples import (
    SAMPLES,
    all_samples,
    answers,
    by_definition,
    calls,
    larger,
    one_more,
    table,
)
from dtviz.core import measures
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import BooleanFunction, ProductDistribution

PAGE = "2-rank"
Ints = npt.NDArray[np.int64]


def _recursion(join: Callable[[int, int], int], choose: Callable[[Sequence[int]], int]) -> Ints:
    every = all_samples()
    pairs = zip(every.seen.tolist(), every.ones.tolist(), strict=True)
    return np.array([by_definition(seen, ones, join, choose) for seen, ones in pairs])


def _rank_of_ones() -> Ints:
    """The rank of the function that is 0 on the points that are not seen."""
    return np.asarray(optimal_all(3).rank[all_samples().ones])


def _first(options: Sequence[int]) -> int:
    return options[0]


def _three_ranks_of_a_sample(
    recursion: Callable[[], Ints] = lambda: _recursion(larger, min),
) -> Outcome:
    every = all_samples()
    off = (recursion() != every.rank) | (table(answers(None)).rank != every.rank)
    told = ", ".join(f"{count:,}" for count in np.bincount(every.rank))
    return outcome(
        SAMPLES,
        ~off,
        off,
        lambda k: every.describe(k) if off[k] else f"samples of rank 0, 1, 2, 3: {told}",
    )


def _in_the_whole_sample() -> Ints:
    """The variables that are informative in the sample with which a run began."""
    made = calls()
    start = np.array([": call 0 of" in f": {name}" for name in made.name])
    return made.informative[np.maximum.accumulate(np.where(start, np.arange(start.size), 0))]


def _every_variable() -> Ints:
    return (1 << calls().variables) - 1


def _informative_variables_are_tried(
    informative: Callable[[], Ints] = lambda: calls().informative,
) -> Outcome:
    """A call that fails tries all of them; one that is settled tries those up to that variable."""
    made = calls()
    up_to = np.where(made.step == 4, -1, (2 << np.maximum(made.split, 0)) - 1)
    expected = np.where(made.step < 2, 0, informative() & up_to)
    return equality("calls of recorded runs", made.tried != expected, made.name.__getitem__)


Error = Callable[[int, int, "list[Fraction]"], Fraction]


def _weight_of_errors(f: int, g: int, mass: list[Fraction]) -> Fraction:
    return sum((mass[x] for x in range(4) if (f ^ g) >> x & 1), Fraction(0))


def _share_of_errors(f: int, g: int, _: list[Fraction]) -> Fraction:
    return Fraction((f ^ g).bit_count(), 4)


def _missed_ones(f: int, g: int, mass: list[Fraction]) -> Fraction:
    return sum((mass[x] for x in range(4) if (f & ~g) >> x & 1), Fraction(0))


def _errors_are_sums_of_weights(error: Error = _weight_of_errors) -> Outcome:
    gap, names = [], []
    for p in ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 4), Fraction(5, 8))):
        mu = ProductDistribution(p)
        mass = [(p[0] if x & 1 else 1 - p[0]) * (p[1] if x & 2 else 1 - p[1]) for x in range(4)]
        for f, g in itertools.product(range(16), repeat=2):
            target, guess = (BooleanFunction.from_int(2, code) for code in (f, g))
            gap.append(float(Fraction(measures.mean(target ^ guess, mu)) - error(f, g, mass)))
            names.append(f"f = {f}, g = {g}, p = {[str(q) for q in p]}")
    return equality("pairs of functions of 2 variables", gap, names.__getitem__)


@claim(
    "EH-DEF-RS",
    EH,
    r"The rank $r(S)$ of a sample is the least rank of a tree consistent with it.",
    PAGE,
)
def test_eh_def_rs(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "over functions, by recursion, and by FINDMIN",
                _three_ranks_of_a_sample,
                mutants=(
                    Form(
                        "unseen points count as 0",
                        partial(_three_ranks_of_a_sample, _rank_of_ones),
                    ),
                    Form(
                        "the first informative variable at the root",
                        partial(_three_ranks_of_a_sample, partial(_recursion, larger, _first)),
                    ),
                    Form(
                        "least depth for least rank",
                        partial(_three_ranks_of_a_sample, partial(_recursion, one_more, min)),
                    ),
                ),
            ),
        )
    )


@claim(
    "EH-DEF-INFORM",
    EH,
    r"A variable is informative on $S$ if some example has it 0 and some example has it 1.",
    PAGE,
)
def test_eh_def_inform(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "FIND tries these and no others",
                _informative_variables_are_tried,
                kind="definition",
                mutants=(
                    Form(
                        "those informative on the whole sample",
                        partial(_informative_variables_are_tried, _in_the_whole_sample),
                    ),
                    Form(
                        "every variable", partial(_informative_variables_are_tried, _every_variable)
                    ),
                ),
            ),
        )
    )


@claim(
    "EH-DEF-ERR",
    EH,
    r"The error of $g$ for the target $f$ under $P$ is $\Pr_{x \sim P}[f(x) \ne g(x)]$.",
    PAGE,
)
def test_eh_def_err(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.mean(f ^ g, mu) against the sum",
                _errors_are_sums_of_weights,
                formula=r"\Pr_{a \sim P}[\, f(a) \ne g(a)\,]",
                kind="definition",
                mutants=(
                    Form(
                        "without the weights",
                        partial(_errors_are_sums_of_weights, _share_of_errors),
                    ),
                    Form("missed ones only", partial(_errors_are_sums_of_weights, _missed_ones)),
                ),
            ),
        )
    )
