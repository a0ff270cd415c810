"""Chapter 1, the lemmas about trees: cost as a potential, and the score of the leaf to be split."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.influence.variants import PAGE, spoilt
from claims.kit import BLT, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import (
    Steps,
    TreesAndFunctions,
    all_functions,
    at_least,
    name,
    ratio,
    steps,
    trees_and_functions,
)
from dtviz import influence as chapter
from dtviz.core import functions as zoo

PAIRS = "pairs of a tree and a function"
STEPS = "steps of greedy runs"
SPLITS = "splits of a leaf for a function"
Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


# -- Lemma 5.1: the cost --------------------------------------------------------------------------


def _of_other_functions(pairs: TreesAndFunctions) -> Array:
    """The costs, dealt out among the functions by chance."""
    return pairs.cost[:, np.random.default_rng(0).permutation(256)]


def _error_below_cost(
    factor: float,
    cost: Callable[[TreesAndFunctions], Array] = lambda pairs: pairs.cost,
    tight: Callable[[], npt.ArrayLike] | None = None,
) -> Outcome:
    """``factor * error <= cost`` for every tree and function, with equality just where ``tight``.

    Counted in points.
    """
    pairs = trees_and_functions(3)
    left, right = factor * pairs.error, cost(pairs)
    good = left <= right
    if tight is not None:
        good &= (left == right) == tight()
    closeness = ratio(pairs.error, pairs.cost).ravel()
    return outcome(
        PAIRS,
        good,
        closeness,
        lambda k: f"error/cost = {closeness[k]:g} for {pairs.describe(*divmod(k, 256))}",
        example=lambda k: pairs.trees[k // 256],
    )


@cache
def _places() -> tuple[tuple[int, int, Array], ...]:
    """Every leaf of every tree: the tree, the leaf, and which points are inside."""
    pairs = trees_and_functions(3)
    return tuple(
        (k, leaf, pairs.leaf[k] == leaf)
        for k, tree in enumerate(pairs.trees)
        for leaf in range(tree.n_leaves)
    )


def _sensitive(i: int) -> Array:
    """Where flipping bit i changes each function of 3 variables."""
    table = all_functions(3).table
    changed: Array = table != table[:, np.arange(8) ^ (1 << i)]
    return changed


def _plain_leaves(*, constants: bool = True) -> Array:
    """Whether f is a literal, or a constant, at every leaf: ``(trees, functions)``."""
    pairs, table = trees_and_functions(3), all_functions(3).table
    plain = np.ones(pairs.error.shape, dtype=bool)
    for k, leaf, inside in _places():
        path = pairs.trees[k].paths()[leaf]
        free = set(range(3)) - {i for i, _ in path}
        ones, mass = (table & inside).sum(axis=1), int(inside.sum())
        here = np.zeros(256, dtype=bool)
        if constants:
            here |= (ones == 0) | (ones == mass)
        for i in free:
            bit = np.arange(8) >> i & 1
            agree = ((table == bit) & inside).sum(axis=1)
            here |= (agree == mass) | (agree == 0)
        plain[k] &= here
    return plain


def _literals(n: int, *, negated: bool = True) -> set[int]:
    positive = [zoo.dictator(n, i) for i in range(n)]
    return {f.code for f in positive} | ({(~f).code for f in positive} if negated else set())


def _only_literals_are_tight(expected: Callable[[int], set[int]] = _literals) -> Outcome:
    """``err(f) = Inf(f)/2`` for x_i and not x_i, and for no other function but the constants."""
    agree: list[bool] = []
    place: list[tuple[int, int]] = []
    counts = []
    for n in (1, 2, 3, 4):
        every = all_functions(n)
        error = np.minimum(every.ones, (1 << n) - every.ones)
        tight = (2 * error == every.changes.sum(axis=1)) & (error > 0)
        known = expected(n)
        agree += [bool(tight[code]) == (code in known) for code in range(tight.size)]
        place += [(n, code) for code in range(tight.size)]
        counts.append(str(int(tight.sum())))
    summary = f"{', '.join(counts)} functions are tight for n = 1, 2, 3, 4"
    return outcome(
        "functions of 1 to 4 variables",
        agree,
        np.logical_not(agree),
        lambda k: summary if agree[k] else name(*place[k]),
    )


def _splits() -> Iterator[tuple[int, int, int, Array, int]]:
    """Every leaf of every tree, split on every free variable.

    The tree, the leaf, the variable, the points inside, and the tree after the split.
    """
    pairs, x = trees_and_functions(3), np.arange(8)
    place = {row.tobytes(): k for k, row in enumerate(pairs.leaf)}
    for k, leaf, inside in _places():
        asked = {i for i, _ in pairs.trees[k].paths()[leaf]}
        for i in set(range(3)) - asked:
            after = pairs.leaf[k] + (pairs.leaf[k] > leaf) + (inside & ((x >> i) & 1 == 1))
            yield k, leaf, i, inside, place[after.tobytes()]


def _split_takes_the_influence_off(
    taken: Callable[[Array, Array], Array] = lambda sensitive, inside: (sensitive & inside).sum(
        axis=1
    ),
) -> Outcome:
    """What is ``taken`` off the cost, in points, by what is sensitive and what is inside."""
    pairs = trees_and_functions(3)
    off, names = [], []
    for k, leaf, i, inside, after in _splits():
        off.append(np.abs(pairs.cost[k] - pairs.cost[after] - taken(_sensitive(i), inside)))
        names.append((k, leaf, i))

    def where(k: int) -> str:
        tree, leaf, i = names[k // 256]
        return f"leaf {leaf} of {pairs.describe(tree, k % 256)}, split on x{i}"

    return equality(SPLITS, np.concatenate(off) / 8, where)


def _greedy_split_takes_the_score_off(
    taken: Callable[[Steps], Floats] = lambda run: run.score,
) -> Outcome:
    run = steps(3, 0)
    return equality(STEPS, run.cost - run.next_cost - taken(run), run.describe)


def _cost_falls_error_may_not(
    *, strictly: bool = False, least: float = 2**-2, more: bool = False
) -> Outcome:
    """Each step lowers the cost by ``least`` or ``more``; the error does not rise.

    Scores are even counts of 8 points, so a drop that is positive is at least 1/4. ``strictly``:
    the error falls as well.
    """
    run = steps(3)
    drop, error_drop = run.cost - run.next_cost, run.error - run.next_error
    falls = drop > least if more else drop >= least
    good = (error_drop > 0) if strictly else (error_drop >= 0) & falls
    return outcome(
        STEPS,
        good,
        -drop,
        lambda k: (
            f"the error drops by {error_drop[k]:g}, the cost by {drop[k]:g}, at {run.describe(k)}"
        ),
    )


def _best_split_of_any_leaf(
    choose: Callable[[Array], Array] = lambda influence: influence.argmax(axis=0),
    *,
    strictly: bool = False,
) -> Outcome:
    """Any leaf of any tree on which f is not constant, split on the variable chosen.

    The cost falls; the error does not rise, or (``strictly``) falls as well.
    """
    pairs, functions = trees_and_functions(3), np.arange(256)
    influence = np.zeros((len(_places()), 3, 256), dtype=np.int64)
    after = np.full((len(_places()), 3), -1)
    place = {(k, leaf): row for row, (k, leaf, _) in enumerate(_places())}
    for k, leaf, i, inside, split in _splits():
        influence[place[k, leaf], i] = (_sensitive(i) & inside).sum(axis=1)
        after[place[k, leaf], i] = split
    good, tight, names = [], [], []
    for row, (k, leaf, _) in enumerate(_places()):
        alive = functions[influence[row].any(axis=0)]
        # A variable that was asked cannot be chosen: it has no influence left.
        asked = after[row] < 0
        shares = np.where(asked[:, None], -1, influence[row][:, alive])
        then = after[row][choose(shares)]
        drop = pairs.cost[k, alive] - pairs.cost[then, alive]
        error_drop = pairs.error[k, alive] - pairs.error[then, alive]
        good.append((drop > 0) & (error_drop >= int(strictly)))
        tight.append(-drop)
        names += [(k, leaf, int(code), d / 8) for code, d in zip(alive, drop, strict=True)]

    def describe(row: int) -> str:
        k, leaf, code, drop = names[row]
        return f"the cost drops by {drop:g} at leaf {leaf} of {pairs.describe(k, code)}"

    return outcome(
        "leaves of a tree on which a function is not constant",
        np.concatenate(good),
        np.concatenate(tight),
        describe,
    )


def _last_free(influence: Array) -> Array:
    """The last variable not asked, whatever its influence."""
    last: Array = 2 - (influence[::-1] >= 0).argmax(axis=0)
    return last


def _least_influential(influence: Array) -> Array:
    least: Array = np.where(influence < 0, 99, influence).argmin(axis=0)
    return least


# -- Lemma 5.2: the score of the leaf that is split -----------------------------------------------


def _some_leaf_has_its_share(factor: float = 1) -> Outcome:
    pairs = trees_and_functions(3)
    best = pairs.worst_error * pairs.n_leaves[:, None]
    tight = ratio(pairs.error, best).ravel()
    return outcome(
        PAIRS,
        best >= factor * pairs.error,
        tight,
        lambda k: (
            f"largest share / average share = {1 / tight[k]:g} for "
            f"{pairs.describe(*divmod(k, 256))}"
        ),
    )


def _selected_leaf_has_its_share() -> Outcome:
    """A misreading: the leaf that is split need not be one that errs much."""
    run = steps(3, 0)
    share = np.concatenate([made.path.node_error[made.path.split_node] for made in run.runs])
    average = run.error / (run.step + 1)
    tight = average - share
    return outcome(
        STEPS,
        share >= average,
        tight,
        lambda k: f"share {share[k]:g}, average {average[k]:g} at {run.describe(k)}",
    )


def _score_floor(factor: float, more: Callable[[Steps], Array | float] = lambda _: 1.0) -> Outcome:
    """The score against ``factor * error / ((j+1) log2 s)``, at every step.

    That is ``score > factor * epsilon / ((j+1) log2 s)`` for every epsilon below the error. A
    mutant asks for ``more`` times as much.
    """
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
        at_least(run.score, factor * floor * more(run)),
        tight,
        lambda k: f"score (j+1) log2 s / error = {1 / tight[k]:.6g} at {run.describe(k)}",
        example=lambda k: run.runs[int(run.run[k])].f,
    )


@claim(
    "BLT-L5.1a",
    BLT,
    r"$\mathrm{error}(T^\circ, f) \le \mathrm{cost}_f(T^\circ)$; indeed "
    r"$\mathrm{error} \le \mathrm{cost}/2$, with equality just where each $f_\ell$ is a "
    r"constant or a literal.",
    PAGE,
)
def test_blt_l5_1a(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "error ≤ cost",
                partial(_error_below_cost, 1),
                r"\operatorname{error}(T^\circ,f)\le\operatorname{cost}_f(T^\circ)",
                spoilt(
                    _error_below_cost,
                    {
                        "the cost of another function": {"factor": 1, "cost": _of_other_functions},
                        "2.01 error ≤ cost": {"factor": 2.01},
                    },
                ),
            ),
            Form(
                "error ≤ cost/2",
                partial(_error_below_cost, 2, tight=_plain_leaves),
                r"\operatorname{error}(T^\circ,f)\le\frac12\,\operatorname{cost}_f(T^\circ)",
                spoilt(
                    _error_below_cost,
                    {
                        "2.01 error ≤ cost": {"factor": 2.01},
                        "bits drawn afresh: 4 error ≤ cost": {"factor": 4},
                        "the cost of another function": {"factor": 2, "cost": _of_other_functions},
                        "equality at literals, not at constants": {
                            "factor": 2,
                            "tight": partial(_plain_leaves, constants=False),
                        },
                        "equality nowhere": {"factor": 2, "tight": lambda: False},
                    },
                ),
            ),
            Form(
                "error = cost/2 at the root for literals only",
                _only_literals_are_tight,
                mutants=spoilt(
                    _only_literals_are_tight,
                    {
                        "for the x_i, not for their negations": {
                            "expected": partial(_literals, negated=False)
                        },
                        "for the parities, too": {
                            "expected": lambda n: _literals(n) | {zoo.parity(n).code}
                        },
                    },
                ),
            ),
        )
    )


@claim(
    "BLT-L5.1b",
    BLT,
    r"Replacing a leaf $\ell$ by a query to $x_i$ lowers the cost by exactly "
    r"$2^{-|\ell|}\, \mathrm{Inf}_i(f_\ell)$; for a greedy split that is the score.",
    PAGE,
)
def test_blt_l5_1b(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "any split",
                _split_takes_the_influence_off,
                r"2^{-|\ell|}\operatorname{Inf}_i(f_\ell)",
                spoilt(
                    _split_takes_the_influence_off,
                    {
                        "without the weight 2^-|l|": {
                            "taken": lambda sensitive, inside: (
                                (sensitive & inside).sum(axis=1) * 8 / inside.sum()
                            )
                        },
                        "the influence on f, not on f_l": {
                            "taken": lambda sensitive, inside: sensitive.mean(axis=1) * inside.sum()
                        },
                        "the bit drawn afresh": {
                            "taken": lambda sensitive, inside: (sensitive & inside).sum(axis=1) / 2
                        },
                    },
                ),
            ),
            Form(
                "greedy splits",
                _greedy_split_takes_the_score_off,
                mutants=spoilt(
                    _greedy_split_takes_the_score_off,
                    {
                        "the score of the step before": {
                            "taken": lambda run: np.roll(run.score, 1)
                        },
                        "half the score": {"taken": lambda run: run.score / 2},
                    },
                ),
            ),
        )
    )


@claim(
    "BLT-L5.1c",
    BLT,
    r"A split of a leaf on which $f$ is not constant, on its most influential variable, "
    r"lowers the cost; the error never rises, but may stay.",
    PAGE,
    note="Implicit in the source.",
)
def test_blt_l5_1c(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "for any leaf of any tree",
                _best_split_of_any_leaf,
                r"\operatorname{cost}_f(T')<\operatorname{cost}_f(T^\circ)",
                spoilt(
                    _best_split_of_any_leaf,
                    {
                        "split on the least influential variable": {"choose": _least_influential},
                        "split on the last variable not asked": {"choose": _last_free},
                        "the error falls, too": {"strictly": True},
                    },
                ),
            ),
            Form(
                "along greedy runs",
                _cost_falls_error_may_not,
                r"\operatorname{error}(T',f)\le\operatorname{error}(T^\circ,f)",
                spoilt(
                    _cost_falls_error_may_not,
                    {"the cost falls by more than 1/4, its least drop": {"more": True}},
                ),
            ),
        ),
        (
            Form(
                "for the error in place of the cost",
                partial(_cost_falls_error_may_not, strictly=True),
            ),
        ),
    )


@claim(
    "BLT-L5.2",
    BLT,
    r"After $j$ splits, while the error exceeds $\varepsilon$, the leaf that is split has "
    r"score above $\varepsilon / ((j+1) \log_2 s)$; indeed at least "
    r"$2\, \mathrm{error}_j / ((j+1) \log_2 s)$.",
    PAGE,
)
def test_blt_l5_2(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "score > epsilon/((j+1) log2 s) while error > epsilon",
                partial(_score_floor, 1),
                r"\operatorname{score}(\ell^*)>\dfrac{\varepsilon}{(j+1)\log s}",
                spoilt(
                    _score_floor,
                    {
                        "2.001 epsilon for epsilon": {"factor": 2.001},
                        "without the number of leaves": {
                            "factor": 1,
                            "more": lambda run: run.step + 1,
                        },
                    },
                ),
            ),
            Form(
                "score ≥ 2 error/((j+1) log2 s)",
                partial(_score_floor, 2),
                r"\operatorname{score}(\ell^*)\ge\frac{2\,e_j}{(j+1)\log s}",
                spoilt(
                    _score_floor,
                    {
                        "2.001 error": {"factor": 2.001},
                        "with ln for log2": {"factor": 2, "more": lambda _: 1 / np.log(2)},
                        "without the number of leaves": {
                            "factor": 2,
                            "more": lambda run: run.step + 1,
                        },
                        "with sqrt(j+1) for j+1": {
                            "factor": 2,
                            "more": lambda run: np.sqrt(run.step + 1),
                        },
                    },
                ),
            ),
        )
    )


@claim(
    "BLT-L5.2i",
    BLT,
    r"If a tree with $j+1$ leaves errs by more than $\varepsilon$, some leaf has "
    r"$2^{-|\ell|}\, \mathrm{err}(f_\ell) > \varepsilon/(j+1)$: the largest term of a sum is "
    r"at least the mean.",
    PAGE,
)
def test_blt_l5_2i(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the largest share is at least the average",
                _some_leaf_has_its_share,
                r"2^{-|\ell|}\operatorname{err}(f_\ell)\ge\frac{e_j}{j+1}",
                spoilt(_some_leaf_has_its_share, {"1.001 times the average": {"factor": 1.001}}),
                kind="identity",
            ),
        ),
        (Form("for the leaf that is selected", _selected_leaf_has_its_share),),
    )
