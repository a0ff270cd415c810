"""Chapter 2, the time of FIND and FINDMIN: the recurrence, its solution, and what runs cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from claims.kit import EH, Form, Outcome, Trial, claim, outcome
from claims.rank.samples import (
    SAMPLES,
    Nested,
    all_samples,
    answers,
    calls,
    costly,
    recorded,
)
from claims.rank.test_find import Demand, correct, fewest_leaves, of_rank_at_most
from dtviz import rank as chapter

PAGE = "2-rank"
RUNS = "runs that get to step 3"
GRID = [(i, r) for i in range(1, 25) for r in range(1, 8)] + [(200, r) for r in (1, 2)]
COSTS = ((1, 1), (1, 24), (1, 25), (5, 2))
"""Costs (c1, c2) of Lemma 3: calls counted; examples counted, for n = 24; two more."""


# -- what runs cost --------------------------------------------------------------------------------


def _reads_below(
    constant: float = 2,
    exponent: Callable[[int], int] = lambda r: 2 * r,
    *,
    base: int = 1,
    of_m: float = 1,
) -> Outcome:
    """Labels and entries read against ``2 m (n+1)^(2r)``."""
    found = costly()
    power = np.array([exponent(r) for r in found.rank.tolist()])
    ratio = found.read / (found.m**of_m * (found.n + base) ** power.astype(float))
    return outcome(
        RUNS,
        ratio < constant,
        ratio,
        lambda k: f"entries read / (m (n+1)^2r) = {ratio[k]:.3g} for {found.names[k]}",
    )


Solution = Callable[[int, int, int, int], int]
"""From i, r, c1 and c2: the time."""


def _solution(i: int, r: int, leaf: int, call: int) -> int:
    return chapter.recurrence(i, r, leaf, call)


Step = Callable[[int, int, int], int]
"""From i, T(i-1, r-1) and T(i-1, r): what T(i, r) is, less c2."""


def _one_side(i: int, smaller: int, again: int) -> int:
    return i * smaller + again


def _smaller_again(i: int, smaller: int, _: int) -> int:
    return 2 * i * smaller + smaller


def _solved(step: Step, i: int, r: int, leaf: int, call: int) -> int:
    """The solution of the recurrence with a spoilt step."""
    below = [leaf] * (i + 1)
    for _ in range(r):
        row = [leaf]
        for j in range(1, i + 1):
            row.append(call + step(j, below[j - 1], row[-1]))
        below = row
    return below[-1]


def _calls_at_most(solution: Solution = _solution, *, share: float = 1) -> Outcome:
    """Calls against the recurrence with c1 = c2 = 1."""
    found = costly()
    pairs = zip(found.informative.tolist(), found.rank.tolist(), strict=True)
    ratio = found.calls / np.array([solution(i, r, 1, 1) for i, r in pairs])
    return outcome(
        RUNS,
        ratio <= share,
        ratio,
        lambda k: f"calls / bound = {ratio[k]:.3g} for {found.names[k]}",
    )


def _reads_at_most(solution: Solution = _solution, *, share: float = 1) -> Outcome:
    """Labels and entries read against the recurrence with c1 = m and c2 = m (n+1)."""
    found = costly()
    given = (found.informative, found.rank, found.m, found.n)
    rows = zip(*(column.tolist() for column in given), strict=True)
    ratio = found.read / np.array([solution(i, r, m, m * (n + 1)) for i, r, m, n in rows])
    return outcome(
        RUNS,
        ratio <= share,
        ratio,
        lambda k: f"entries read / bound = {ratio[k]:.3g} for {found.names[k]}",
    )


def _calls_have_the_shape_of_the_recurrence(
    *, sides: int = 2, again: int = 1, lost: int = 1
) -> Outcome:
    """At most 2i first tries and one second, and in each at least one variable less."""
    made = calls()
    tries = np.flatnonzero(made.first > 0)
    variables = np.array([made.informative[k].item().bit_count() for k in tries])
    first, second, below = made.first[tries], made.again[tries], made.below[tries]
    return outcome(
        "calls of recorded runs that get to step 3",
        (first <= sides * variables) & (second <= again) & (below <= variables - lost),
        np.where(first == 2 * variables, variables, -1),
        lambda k: (
            f"{first[k]} first tries, {second[k]} second, {variables[k]} informative variables "
            f"at {made.name[tries[k]]}"
        ),
    )


def _without_informative_variables(least: int = 0) -> Outcome:
    """Where so few variables split the sub-sample, it is a single example."""
    made = calls()
    variables = np.array([i.bit_count() for i in made.informative.tolist()])
    few = np.flatnonzero(variables <= least)
    return outcome(
        "calls of recorded runs on sub-samples that nothing splits",
        made.size[few] == 1,
        made.size[few],
        lambda k: f"{made.size[few[k]]} examples at {made.name[few[k]]}",
    )


def _minimal_runs_read_below(constant: float = 8 / 3, *, less: int = 0, base: int = 1) -> Outcome:
    """FINDMIN's runs with the bounds 0 .. r(S) together against ``8/3 m (n+1)^(2 r(S))``."""
    every = recorded()
    ratio, names = [], []
    for k in range(0, len(every.runs), 4):
        runs = every.runs[k : k + 4]
        rank = next((r for r, run in enumerate(runs) if run.found[0]), 0)
        if rank > 0:
            m, n = runs[0].sample.m, runs[0].sample.n
            total = sum(run.touched for run in runs[: rank + 1])
            ratio.append(total / (m * (n + base) ** (2 * rank - less)))
            names.append(f"{every.names[k].removeprefix('FIND with bound 0 on ')}, of rank {rank}")
    return outcome(
        "samples of rank 1 to 3, all runs together",
        np.array(ratio) < constant,
        ratio,
        lambda k: f"entries read / (m (n+1)^2r) = {ratio[k]:.3g} for {names[k]}",
    )


def _least_rank_is_found(
    trees: Callable[[], tuple[Nested | None, ...]], demand: Demand = of_rank_at_most
) -> Outcome:
    every = all_samples()
    good = correct(trees(), every.rank, demand=demand)
    return outcome(
        SAMPLES,
        good,
        10 * ~good + every.rank,
        lambda k: f"{'' if good[k] else 'not '}found for rank {every.rank[k]}, {every.describe(k)}",
    )


# -- the recurrence --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Times:
    """A table of times T(i, r) that obey the recurrence with the costs c1 and c2."""

    leaf: int
    call: int
    values: Mapping[tuple[int, int], int]
    grid: tuple[tuple[int, int], ...]
    name: str

    def __call__(self, i: int, r: int) -> int:
        return self.values[i, r]


def _with_slack(leaf: int, call: int, share: int) -> dict[tuple[int, int], int]:
    """Times that lie below the right side of the recurrence, and do not fall with i."""
    time = {(0, r): leaf for r in range(8)} | {(i, 0): leaf for i in range(25)}
    for i, r in GRID[: 24 * 7]:
        most = call + 2 * i * time[i - 1, r - 1] + time[i - 1, r]
        quarters = 4 - (i * share + r) % 4
        time[i, r] = max(time[i - 1, r], most * quarters // 4)
    return time


@cache
def _times() -> tuple[Times, ...]:
    """The solutions of the recurrence, and times that have some slack in it."""
    every = []
    for leaf, call in COSTS:
        wide = [(i, r) for i in range(201) for r in range(3)]
        pairs = [(i, r) for i in range(25) for r in range(8)] + wide
        values = {(i, r): chapter.recurrence(i, r, leaf, call) for i, r in pairs}
        every.append(Times(leaf, call, values, tuple(GRID), f"c1 = {leaf}, c2 = {call}"))
    for leaf, call in COSTS[:2]:
        values = _with_slack(leaf, call, 3)
        name = f"c1 = {leaf}, c2 = {call}, with slack"
        every.append(Times(leaf, call, values, tuple(GRID[: 24 * 7]), name))
    return tuple(every)


Pair = tuple[int, int]
Line = Callable[[Times, Pair], tuple[int, ...]]
"""A line of Lemma 3's proof at a pair (i, r): integers that must not fall."""


def _in_order(line: Line) -> Outcome:
    left: list[int] = []
    right: list[int] = []
    names: list[str] = []
    for T in _times():
        for i, r in T.grid:
            numbers = line(T, (i, r))
            left += numbers[:-1]
            right += numbers[1:]
            told = [f"i = {i}, r = {r}, {T.name}"] * (len(numbers) - 1)
            names += [f"inequality {k} at {at}" for k, at in enumerate(told, 1)]
    ratio = [a / b for a, b in zip(left, right, strict=True)]
    # An inequality that is an equality in every case tells nothing of how near the others are.
    return outcome(
        "inequalities between integers",
        [a <= b for a, b in zip(left, right, strict=True)],
        [value if value != 1 else 0 for value in ratio],
        lambda k: f"left / right = {ratio[k]:.4g} of {names[k]}",
    )


def _unrolled(
    T: Times, at: Pair, *, sides: int = 2, last: int = 0, after: int = 1
) -> tuple[int, ...]:
    """``T <= c2 i + 2 sum_j j T(j-1, r-1) + c1 <= c1 + c2 i + i(i+1) T(i, r-1)``."""
    i, r = at
    steps = sides * sum(j * T(j - 1, r - 1) for j in range(1, i + 1 - last))
    least = T.leaf + T.call * i
    return T(i, r), least + steps, least + i * (i + after) * T(i, r - 1)


def _rounded_up(
    T: Times, at: Pair, *, up: int = 1, call: int = 1, percent: int = 100
) -> tuple[int, ...]:
    """``T < c1 + c2 (i+1) + (i+1)^2 T(i, r-1)``."""
    i, r = at
    right = T.leaf + call * T.call * (i + up) + (i + 1) * (i + up) * T(i, r - 1)
    return 100 * (T(i, r) + 1), percent * right


def _closed(T: Times, at: Pair) -> int:
    return chapter.recurrence_bound(*at, T.leaf, T.call)


def _sums(T: Times, at: Pair, *, base: int = 1, odd: int = 1) -> int:
    """The closed bound, spoilt: i for i + 1, or the exponent 2j for 2j + 1."""
    i, r = at
    calls = sum((i + base) ** (2 * j + odd) for j in range(r))
    leaves = sum((i + base) ** (2 * j) for j in range(r + 1))
    return int(T.call * calls + T.leaf * leaves)


def _unrolled_twice(
    T: Times,
    at: Pair,
    *,
    bound: Callable[[Times, Pair], int] = _closed,
    percent: int = 100,
) -> tuple[int, ...]:
    """``T < c2 sum_j (i+1)^(2j+1) + c1 sum_j (i+1)^(2j)``."""
    return 100 * (T(*at) + 1), percent * bound(T, at)


def _last_step(
    T: Times, at: Pair, *, over: tuple[int, int] = (4, 3), less: int = 0
) -> tuple[int, ...]:
    """``T < 4/3 (c2 (n+1)^(2r-1) + c1 (n+1)^(2r))``."""
    n, r = at
    most = T.call * (n + 1) ** (2 * r - 1) + T.leaf * (n + 1) ** (2 * r - less)
    return over[1] * T(n, r) + 1, over[0] * most


def _last_term(constant: float = 4 / 3) -> Outcome:
    """The geometric sum of ``(n+1)^(2q)``, q = 0 .. r, against its last term."""
    ratio = [sum((n + 1) ** (2 * q) for q in range(r + 1)) / (n + 1) ** (2 * r) for n, r in GRID]
    return outcome(
        "pairs (n, r)",
        np.array(ratio) < constant,
        ratio,
        lambda k: f"sum / last term = {ratio[k]:.6g} at n = {GRID[k][0]}, r = {GRID[k][1]}",
    )


def _spoilt(line: Line, *variants: tuple[str, Mapping[str, object]]) -> tuple[Form, ...]:
    """False variants of a line of the proof."""
    return tuple(
        Form(label, partial(_in_order, partial(line, **parts))) for label, parts in variants
    )


@claim(
    "EH-L3",
    EH,
    r"FIND$(S, r)$ takes time $O(m\, (n+1)^{2r})$ on $m$ examples of $n$ variables: it reads "
    r"fewer than $2\, m\, (n+1)^{2r}$ labels and entries.",
    PAGE,
)
def test_eh_l3(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "entries read < 2 m (n+1)^2r",
                _reads_below,
                formula=r"2\, m\,(n+1)^{2r}",
                mutants=(
                    Form("constant 1.15 for 2", partial(_reads_below, 1.15)),
                    Form("exponent 2r - 1", partial(_reads_below, 2, lambda r: max(2 * r - 1, 0))),
                    Form("exponent r + 1", partial(_reads_below, 2, lambda r: min(2 * r, r + 1))),
                    Form("exponent r", partial(_reads_below, 2, lambda r: r)),
                    Form("n for n + 1", partial(_reads_below, base=0)),
                    Form("√m for m", partial(_reads_below, of_m=0.5)),
                ),
            ),
            Form(
                "T(n, r) < 4/3 (c2 (n+1)^(2r-1) + c1 (n+1)^2r)",
                partial(_in_order, _last_step),
                formula=r"T(n, r) \;<\; \tfrac43 \bigl( c_2\, (n+1)^{2r-1} + "
                r"c_1\, (n+1)^{2r} \bigr)",
                mutants=_spoilt(
                    _last_step,
                    ("0.99 for 4/3", {"over": (99, 100)}),
                    ("exponent 2r - 1 for 2r", {"less": 1}),
                ),
            ),
            Form(
                "sharper: the same without 4/3",
                partial(_in_order, partial(_last_step, over=(1, 1))),
                formula=r"T(n, r) < c_2\, (n+1)^{2r-1} + c_1\, (n+1)^{2r}",
                mutants=_spoilt(_last_step, ("0.99 of it", {"over": (99, 100)})),
            ),
        )
    )


@claim(
    "EH-L3-REC",
    EH,
    r"$T(i, r) \le c_2 + 2i\, T(i-1, r-1) + T(i-1, r)$ with $c_2 = O(mn)$, and $T(0, r)$ and "
    r"$T(i, 0)$ at most $c_1 = O(m)$, where $i$ variables are informative.",
    PAGE,
    note="T(0, r) is O(1) for distinct examples: no informative variable, so one example.",
)
def test_eh_l3_rec(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "each call makes at most 2i + 1 calls",
                _calls_have_the_shape_of_the_recurrence,
                formula=r"T(i, r) \;\le\; c_2 + 2i\, T(i-1, r-1) + T(i-1, r)",
                mutants=tuple(
                    Form(label, partial(_calls_have_the_shape_of_the_recurrence, **parts))
                    for label, parts in (
                        ("i for 2i", {"sides": 1}),
                        ("no second try", {"again": 0}),
                        ("i - 2 for i - 1", {"lost": 2}),
                    )
                ),
            ),
            Form(
                "calls ≤ T(i, r), c1 = c2 = 1",
                _calls_at_most,
                formula=r"T(i, r) \;\le\; c_2 + 2i\, T(i-1, r-1) + T(i-1, r)",
                mutants=(
                    Form("0.99 of it", partial(_calls_at_most, share=0.99)),
                    Form("i for 2i", partial(_calls_at_most, partial(_solved, _one_side))),
                    Form(
                        "second tries with bound r - 1",
                        partial(_calls_at_most, partial(_solved, _smaller_again)),
                    ),
                ),
            ),
            Form(
                "entries read ≤ T(i, r), c1 = m, c2 = m (n+1)",
                _reads_at_most,
                formula=r"T(i, r) \;\le\; c_2 + 2i\, T(i-1, r-1) + T(i-1, r)",
                mutants=(
                    Form("0.7 of it", partial(_reads_at_most, share=0.7)),
                    Form(
                        "second tries with bound r - 1",
                        partial(_reads_at_most, partial(_solved, _smaller_again)),
                    ),
                ),
            ),
            Form(
                "no informative variable: one example",
                _without_informative_variables,
                formula=r"T(0, r) \le c_1",
                mutants=(
                    Form(
                        "at most one informative variable: one example",
                        partial(_without_informative_variables, 1),
                    ),
                ),
            ),
        )
    )


@claim(
    "EH-L3-S1",
    EH,
    r"$T(i, r) \le c_2 i + 2 \sum_{j \le i} j\, T(j-1, r-1) + c_1 \le c_1 + c_2 i + "
    r"i(i+1)\, T(i, r-1)$.",
    PAGE,
)
def test_eh_l3_s1(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "for every T that obeys the recurrence",
                partial(_in_order, _unrolled),
                formula=r"T(i, r) &\;\le\; c_2\, i + 2 \sum_{j=1}^{i} j\, T(j-1, r-1) + c_1 \\ "
                r"&\;\le\; c_1 + c_2\, i + i(i+1)\, T(i, r-1)",
                mutants=_spoilt(
                    _unrolled,
                    ("without the factor 2", {"sides": 1}),
                    ("the sum to i - 1", {"last": 1}),
                    ("i² for i(i+1)", {"after": 0}),
                ),
            ),
        )
    )


@claim(
    "EH-L3-S2",
    EH,
    r"$T(i, r) < c_1 + c_2 (i+1) + (i+1)^2\, T(i, r-1)$.",
    PAGE,
    note="The source compares the right sides of the two steps, which is algebra alone.",
)
def test_eh_l3_s2(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "for every T that obeys the recurrence",
                partial(_in_order, _rounded_up),
                formula=r"T(i, r) \;<\; c_1 + c_2 (i+1) + (i+1)^2\, T(i, r-1)",
                mutants=_spoilt(
                    _rounded_up,
                    ("not rounded up: i and i(i+1)", {"up": 0}),
                    ("without the term of c2", {"call": 0}),
                    ("0.99 of it", {"percent": 99}),
                ),
            ),
        )
    )


@claim(
    "EH-L3-S3",
    EH,
    r"$T(i, r) < c_2 \sum_{j < r} (i+1)^{2j+1} + c_1 \sum_{j \le r} (i+1)^{2j}$.",
    PAGE,
)
def test_eh_l3_s3(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "for every T that obeys the recurrence",
                partial(_in_order, _unrolled_twice),
                formula=r"T(i, r) \;<\; c_2 \sum_{j=0}^{r-1} (i+1)^{2j+1} + "
                r"c_1 \sum_{j=0}^{r} (i+1)^{2j}",
                mutants=_spoilt(
                    _unrolled_twice,
                    ("i for i + 1", {"bound": partial(_sums, base=0)}),
                    ("exponent 2j for 2j + 1", {"bound": partial(_sums, odd=0)}),
                    ("0.99 of it", {"percent": 99}),
                ),
            ),
        )
    )


@claim(
    "EH-T1",
    EH,
    r"FINDMIN$(S)$ returns a consistent tree of rank $r(S)$ in time "
    r"$O(m\, (n+1)^{2 r(S)})$.",
    PAGE,
)
def test_eh_t1(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "a consistent tree of rank r(S)",
                partial(_least_rank_is_found, partial(answers, None)),
                formula=r"r(S)",
                mutants=(
                    Form(
                        "FIND(S, 2) for FINDMIN",
                        partial(_least_rank_is_found, partial(answers, 2)),
                    ),
                    Form(
                        "FIND(S, 3) for FINDMIN",
                        partial(_least_rank_is_found, partial(answers, 3)),
                    ),
                    Form(
                        "a tree with the fewest leaves",
                        partial(_least_rank_is_found, partial(answers, None), fewest_leaves),
                    ),
                ),
            ),
            Form(
                "entries read < 8/3 m (n+1)^2r(S)",
                _minimal_runs_read_below,
                formula=r"\tfrac83\, m\,(n+1)^{2 r(S)}",
                mutants=(
                    Form("constant 1 for 8/3", partial(_minimal_runs_read_below, 1)),
                    Form("exponent 2r - 1", partial(_minimal_runs_read_below, less=1)),
                    Form("n for n + 1", partial(_minimal_runs_read_below, base=0)),
                ),
            ),
            Form(
                "the last bound takes at least 3/4",
                _last_term,
                formula=r"\frac34",
                mutants=(Form("more than 3/4", partial(_last_term, 1.333)),),
            ),
        )
    )
