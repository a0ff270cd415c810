"""Chapter 2, the procedure: FIND is the pseudo-code, and it is correct."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.kit import EH, Form, Outcome, Trial, claim, equality, outcome
from claims.rank.samples import (
    AS_WRITTEN,
    HIGH,
    Arrays,
    Nested,
    Procedure,
    Table,
    all_samples,
    answers,
    larger,
    nested,
    one_more,
    random_samples,
    recorded,
    table,
    written,
)
from dtviz import rank as chapter
from dtviz.core.boolean import BooleanFunction
from dtviz.core.tree import Tree
from dtviz.rank.recording import FindRun

__all__ = ["Demand", "correct", "fewest_leaves", "of_rank_at_most"]

PAGE = "2-rank"
BOUNDS = range(4)
SAMPLES_AND_BOUNDS = "samples and bounds"

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


# -- the pseudo-code -------------------------------------------------------------------------------


def _highest_first(v: int, *_: int) -> int:
    return -v


def _errors_left(v: int, seen: int, ones: int) -> int:
    """How many examples are misclassified if both halves become leaves: a greedy score."""
    halves = [seen & HIGH[v], seen & ~HIGH[v]]
    return sum(min((half & ones).bit_count(), (half & ~ones).bit_count()) for half in halves)


def _is_the_pseudo_code(how: Procedure = AS_WRITTEN) -> Outcome:
    trees = [zip(answers(r), written(r, how), strict=True) for r in BOUNDS]
    return equality(
        SAMPLES_AND_BOUNDS,
        [found != expected for pairs in trees for found, expected in pairs],
        _sample_and_bound,
    )


def _sample_and_bound(k: int) -> str:
    r, k = divmod(k, all_samples().seen.size)
    return f"bound {r}, {all_samples().describe(k)}"


@cache
def _found_again() -> tuple[Nested | None, ...]:
    """What `find` returns on the samples of the recorded runs."""
    found = []
    for run in recorded().runs:
        rows = np.array([[c >> k & 1 for c in run.sample.columns] for k in range(run.sample.m)])
        labels = [run.sample.positives >> k & 1 for k in range(run.sample.m)]
        found.append(nested(chapter.find(rows, labels, rank=int(run.rank[0]))))
    return tuple(found)


def _as_it_is(tree: Nested) -> Nested:
    return tree


def _mirrored(tree: Nested) -> Nested:
    return tree if isinstance(tree, int) else (tree[0], _mirrored(tree[2]), _mirrored(tree[1]))


def _recorded_runs_return_the_same_tree(
    *, raised: int = 0, turned: Callable[[Nested], Nested] = _as_it_is
) -> Outcome:
    """Against `find`; spoilt with a bound that is ``raised``, or with trees ``turned``."""
    every = recorded()
    wrong = []
    for k, run in enumerate(every.runs):
        # The runs on one sample follow each other, with the bounds 0 to 3.
        other = k + raised if run.rank[0] + raised <= 3 else k
        tree = nested(run.tree())
        wrong.append((None if tree is None else turned(tree)) != _found_again()[other])
    return equality("recorded runs", wrong, every.names.__getitem__)


def _ends_the_call(run: FindRun, k: int) -> bool:
    """Call k is the last that its parent makes, and its parent returns what it returns."""
    parent = int(run.parent[k])
    return run.children(parent)[-1] == k and bool(run.found[parent] == run.found[k])


def _succeeds(run: FindRun, k: int) -> bool:
    return bool(run.found[k])


def _is_the_first(run: FindRun, k: int) -> bool:
    return run.children(int(run.parent[k]))[2] == k


def _second_tries(agrees: Callable[[FindRun, int], bool] = _ends_the_call) -> Outcome:
    """That a second try ends the call is sound: r(S_v) <= r(S)."""
    every = recorded()
    wrong, names = [], []
    for run, name in zip(every.runs, every.names, strict=True):
        for k in np.flatnonzero(run.again).tolist():
            wrong.append(not agrees(run, k))
            names.append(f"call {k} of {name}")
    return equality("second tries", wrong, names.__getitem__)


Change = Callable[[Ints, Ints, int], tuple[Ints, Ints]]
"""From the points seen, those with label 1, and one point: another sample for each."""


def _without(seen: Ints, ones: Ints, point: int) -> tuple[Ints, Ints]:
    return seen & ~point, ones & ~point


def _relabelled(seen: Ints, ones: Ints, point: int) -> tuple[Ints, Ints]:
    return seen, (ones ^ point) & seen


def _with_a_zero(seen: Ints, ones: Ints, point: int) -> tuple[Ints, Ints]:
    return seen | point, ones & (~point | seen)


def _parts_have_no_larger_rank(changed: Change = _without, *, strictly: bool = False) -> Outcome:
    every = all_samples()
    rank = np.full((256, 256), -1)
    rank[every.seen, every.ones] = every.rank
    parts = np.max([rank[changed(every.seen, every.ones, 1 << x)] for x in range(8)], axis=0)
    gap = parts - every.rank + strictly
    return outcome(
        "samples on the 3-cube",
        gap <= 0,
        10 * gap + every.rank,
        lambda k: f"rank {every.rank[k]}, part of rank {parts[k]}, for {every.describe(k)}",
    )


# -- correctness -----------------------------------------------------------------------------------

Demand = Callable[[Table, "int | Ints"], Bools]
"""What is asked of the trees that are found with a bound."""


def of_rank_at_most(found: Table, bound: int | Ints) -> Bools:
    """Whether the ranks are within the bound: what FIND promises."""
    return np.asarray(found.rank <= bound)


def _of_rank_exactly(found: Table, bound: int | Ints) -> Bools:
    return np.asarray(found.rank == bound)


def fewest_leaves(found: Table, _: int | Ints) -> Bools:
    """Whether no smaller tree agrees with the sample: which FIND does not promise."""
    return np.asarray(found.leaves == all_samples().size)


def correct(
    trees: tuple[Nested | None, ...],
    bound: int | Ints,
    *,
    demand: Demand = of_rank_at_most,
    short: int = 0,
) -> Bools:
    """Whether each answer on the 3-cube is right: none beyond the bound, else a tree that will do.

    A tree is due if the rank of the sample is at most the bound, less what it is spoilt to be
    ``short`` of.
    """
    every, found = all_samples(), table(trees)
    agrees = (found.code & every.seen) == every.ones
    good = (found.code >= 0) & agrees & found.reduced & demand(found, bound)
    return np.where(every.rank <= bound - short, good, found.code < 0)


Algorithm = Callable[[int], "tuple[Nested | None, ...]"]


def _package(r: int) -> tuple[Nested | None, ...]:
    return answers(r)


def _correct_on_the_cube(
    algorithm: Algorithm = _package, *, demand: Demand = of_rank_at_most, short: int = 0
) -> Outcome:
    every = all_samples()
    trees = [algorithm(r) for r in BOUNDS]
    good = np.concatenate(
        [correct(t, r, demand=demand, short=short) for r, t in zip(BOUNDS, trees, strict=True)]
    )
    none = sum(tree is None for of_bound in trees for tree in of_bound)
    tight = np.concatenate([np.where(every.rank == r, r, -1) for r in BOUNDS])

    def describe(k: int) -> str:
        told = "" if good.all() else "wrong: "
        return f"{told}{none:,} answers are none; {_sample_and_bound(k)}"

    def drawn(k: int) -> BooleanFunction:
        return BooleanFunction.from_int(3, int(every.ones[k % every.ones.size]))

    return outcome(SAMPLES_AND_BOUNDS, good, 10 * ~good + tight, describe, example=drawn)


def _least_rank(X: npt.NDArray[np.int8], y: Ints, join: Callable[[int, int], int]) -> int:
    """r(S) by dynamic programming over the subcubes, each a pair (free variables, values)."""
    n = X.shape[1]
    known: dict[tuple[int, int], int] = {}
    index = X.astype(np.int64) @ (1 << np.arange(n))
    for fixed in sorted(range(1 << n), key=lambda mask: -mask.bit_count()):
        for values in np.unique(index & fixed).tolist():
            inside = y[(index & fixed) == values]
            if inside.min() == inside.max():
                known[fixed, values] = 0
                continue
            best = n
            for i in range(n):
                bit = 1 << i
                low, high = (known.get((fixed | bit, values | b)) for b in (0, bit))
                if not fixed & bit and low is not None and high is not None:
                    best = min(best, join(low, high))
            known[fixed, values] = best
    return known[0, 0]


@cache
def _larger_samples() -> tuple[tuple[int, int, Arrays, tuple[Tree | None, ...]], ...]:
    """Samples of 4 to 6 variables: n, a number, the sample, what `find` makes of it by bound."""
    return tuple(
        (n, k, (X, y), tuple(chapter.find(X, y, rank=r) for r in range(n + 1)))
        for n in (4, 5, 6)
        for k, (X, y) in enumerate(random_samples(n, 20))
    )


def _correct_on_random_samples(
    join: Callable[[int, int], int] = larger, *, short: int = 0
) -> Outcome:
    good, names = [], []
    for n, k, (X, y), trees in _larger_samples():
        least = _least_rank(X, y, join)
        for r, tree in enumerate(trees):
            fine = r - short < least
            if tree is not None:
                fine = r - short >= least and tree.rank <= r and bool((tree.predict(X) == y).all())
            good.append(fine)
            names.append(f"bound {r}, rank {least}, random sample {k} of {n} variables")
    return equality(SAMPLES_AND_BOUNDS, np.logical_not(good), names.__getitem__)


WITHOUT_SECOND_TRY = Procedure(second_try=False)


@claim(
    "EH-FIND",
    EH,
    r"FIND$(S, r)$: a pure sample gives a leaf; with $r = 0$, none. Else each informative "
    r"variable in turn: both halves with bound $r - 1$. If both succeed, join them; if one "
    r"does, try the other with bound $r$ and return what comes of it. None if all fail.",
    PAGE,
    note="The source leaves the order of the variables open. Here: the lowest first.",
)
def test_eh_find(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.find, tree by tree",
                _is_the_pseudo_code,
                formula=r"Q_b = \text{FIND}(S_b^v, r)",
                mutants=tuple(
                    Form(label, partial(_is_the_pseudo_code, how))
                    for label, how in (
                        ("without the second try of step 3.3", WITHOUT_SECOND_TRY),
                        ("the highest variable first", Procedure(order=_highest_first)),
                        ("the best greedy score first", Procedure(order=_errors_left)),
                        ("none for r = 0, even if pure", Procedure(pure_first=False)),
                        ("the subtrees exchanged", Procedure(swapped=True)),
                        ("one informative variable only", Procedure(tried=1)),
                    )
                ),
            ),
            Form(
                "recorded runs give the same tree",
                _recorded_runs_return_the_same_tree,
                mutants=(
                    Form(
                        "as with the bound raised by one",
                        partial(_recorded_runs_return_the_same_tree, raised=1),
                    ),
                    Form(
                        "with the subtrees exchanged",
                        partial(_recorded_runs_return_the_same_tree, turned=_mirrored),
                    ),
                ),
            ),
            Form(
                "no variable is tried after a second try",
                _second_tries,
                mutants=(
                    Form("every second try succeeds", partial(_second_tries, _succeeds)),
                    Form("no variable is tried before", partial(_second_tries, _is_the_first)),
                ),
            ),
            Form(
                "a part of a sample has no larger rank",
                _parts_have_no_larger_rank,
                formula=r"r(S') \le r(S)",
                mutants=(
                    Form("a smaller one", partial(_parts_have_no_larger_rank, strictly=True)),
                    Form(
                        "nor has it with one label changed",
                        partial(_parts_have_no_larger_rank, _relabelled),
                    ),
                    Form(
                        "nor has it with one more example",
                        partial(_parts_have_no_larger_rank, _with_a_zero),
                    ),
                ),
            ),
        )
    )


@claim(
    "EH-L2",
    EH,
    r"FIND$(S, r)$ returns a tree of rank at most $r$ consistent with $S$ if there is one, and "
    r"none otherwise.",
    PAGE,
    note="The proof breaks off in the source; the chapter finishes it: the root of a smallest "
    "consistent tree is informative, so both its halves have rank r or more.",
)
def test_eh_l2(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "all samples on the 3-cube, r = 0 to 3",
                _correct_on_the_cube,
                formula=r"r(S) \le r",
                mutants=(
                    Form("if r(S) ≤ r - 1", partial(_correct_on_the_cube, short=1)),
                    Form("if r(S) ≤ r + 1", partial(_correct_on_the_cube, short=-1)),
                    Form(
                        "a tree of rank r exactly",
                        partial(_correct_on_the_cube, demand=_of_rank_exactly),
                    ),
                    Form(
                        "a tree with the fewest leaves",
                        partial(_correct_on_the_cube, demand=fewest_leaves),
                    ),
                    Form(
                        "without the second try of step 3.3",
                        partial(_correct_on_the_cube, partial(written, how=WITHOUT_SECOND_TRY)),
                    ),
                    Form(
                        "both halves with bound r at once",
                        partial(_correct_on_the_cube, partial(written, how=Procedure(lowered=0))),
                    ),
                    Form(
                        "with one informative variable only",
                        partial(_correct_on_the_cube, partial(written, how=Procedure(tried=1))),
                    ),
                ),
            ),
            Form(
                "random samples of 4 to 6 variables",
                _correct_on_random_samples,
                formula=r"r(S) \le r",
                mutants=(
                    Form("if r(S) ≤ r - 1", partial(_correct_on_random_samples, short=1)),
                    Form(
                        "least depth for least rank",
                        partial(_correct_on_random_samples, one_more),
                    ),
                    Form(
                        "the larger rank of two, never one more",
                        partial(_correct_on_random_samples, max),
                    ),
                ),
            ),
        )
    )
