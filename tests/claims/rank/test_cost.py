"""Chapter 2, the time of FIND and FINDMIN: the recurrence, its solution, and what runs cost."""

from __future__ import annotations

import itertools
from functools import cache
from typing import NamedTuple

import numpy as np

from claims.kit import bounds, equality, outcome, same
from claims.rank import populations as pop
from claims.rank.test_find import correct, fewest_leaves
from dtviz import rank as chapter

GRID = [(i, r) for i in range(1, 25) for r in range(1, 8)] + [(200, r) for r in (1, 2)]
COSTS = ((1, 1), (1, 24), (1, 25), (5, 2))
"""Costs (c1, c2) of Lemma 3: calls counted; examples counted, for n = 24; two more."""
RECURRENCE = r"W(i, r) \;\le\; c_2 + 2i\, W(i-1, r-1) + W(i-1, r)"


def solved(i, r, leaf, call):
    """The solution of the recurrence."""
    below = [leaf] * (i + 1)
    for _ in range(r):
        row = [leaf]
        for j in range(1, i + 1):
            row.append(call + 2 * j * below[j - 1] + row[-1])
        below = row
    return below[-1]


class Times(NamedTuple):
    """A table of times W(i, r) that obey the recurrence with the costs c1 and c2."""

    leaf: int
    call: int
    values: dict[tuple[int, int], int]
    grid: list[tuple[int, int]]
    name: str

    def __call__(self, i, r):
        return self.values[i, r]


@cache
def times():
    """The solutions of the recurrence, and times with some slack in it that do not fall with i."""
    every = []
    for leaf, call in COSTS:
        wide = [(i, r) for i in range(201) for r in range(3)]
        pairs = [(i, r) for i in range(25) for r in range(8)] + wide
        values = {(i, r): chapter.recurrence(i, r, leaf, call) for i, r in pairs}
        every.append(Times(leaf, call, values, GRID, f"c1 = {leaf}, c2 = {call}"))
    for leaf, call in COSTS[:2]:
        time = {(0, r): leaf for r in range(8)} | {(i, 0): leaf for i in range(25)}
        for i, r in GRID[: 24 * 7]:
            most = call + 2 * i * time[i - 1, r - 1] + time[i - 1, r]
            time[i, r] = max(time[i - 1, r], most * (4 - (3 * i + r) % 4) // 4)
        name = f"c1 = {leaf}, c2 = {call}, with slack"
        every.append(Times(leaf, call, time, GRID[: 24 * 7], name))
    return tuple(every)


def in_order(line):
    """The check of a line of Lemma 3's proof: integers for times at (i, r) that must not fall.

    Its right sides may be ``share`` thousandths of what they are.
    """

    def check(share=1000, **spoiled):
        good, ratio, names = [], [], []
        for W, (i, r) in [(time, at) for time in times() for at in time.grid]:
            for k, (a, b) in enumerate(itertools.pairwise(line(W, i, r, **spoiled)), 1):
                good.append(1000 * a <= share * b)
                ratio.append(1000 * a / (share * b))
                names.append(f"inequality {k} at i = {i}, r = {r}, {W.name}")
        ratio = np.array(ratio)
        # An inequality that is an equality in every case says nothing of how near the others are.
        ratio[ratio == 1] = 0
        return outcome(
            "inequalities between integers",
            good,
            ratio,
            lambda k: f"left / right = {ratio[k]:.4g} of {names[k]}",
            used=ratio,
        )

    return check


LESS = {"0.995 of it": {"share": 995}}


@pop.stated(
    "EH-L3-S1",
    r"$W(i, r) \le c_2 i + 2 \sum_{j \le i} j\, W(j-1, r-1) + c_1 \le c_1 + c_2 i + "
    r"i(i+1)\, W(i, r-1)$.",
)
def test_first_step(trial):
    def line(W, i, r, sides=2, after=1):
        steps = sides * sum(j * W(j - 1, r - 1) for j in range(1, i + 1))
        least = W.leaf + W.call * i
        return W(i, r), least + steps, least + i * (i + after) * W(i, r - 1)

    trial.holds(
        "for every W that obeys the recurrence",
        in_order(line),
        r"W(i, r) &\;\le\; c_2\, i + 2 \sum_{j=1}^{i} j\, W(j-1, r-1) + c_1 \\ "
        r"&\;\le\; c_1 + c_2\, i + i(i+1)\, W(i, r-1)",
        {"without the factor 2": {"sides": 1}, "i² for i(i+1)": {"after": 0}},
    )


@pop.stated(
    "EH-L3-S2",
    r"$W(i, r) < c_1 + c_2 (i+1) + (i+1)^2\, W(i, r-1)$.",
    note="The source compares the right sides of the two steps, which is algebra alone.",
)
def test_second_step(trial):
    def line(W, i, r, up=1):
        right = W.leaf + W.call * (i + up) + (i + 1) * (i + up) * W(i, r - 1)
        return W(i, r) + 1, right

    trial.holds(
        "for every W that obeys the recurrence",
        in_order(line),
        r"W(i, r) \;<\; c_1 + c_2 (i+1) + (i+1)^2\, W(i, r-1)",
        {"not rounded up: i and i(i+1)": {"up": 0}} | LESS,
    )


def sums(W, i, r, base=1, odd=1):
    """The bound of the third step; spoiled: i for i + 1, or the exponent 2j for 2j + 1."""
    calls_ = sum((i + base) ** (2 * j + odd) for j in range(r))
    return int(W.call * calls_ + W.leaf * sum((i + base) ** (2 * j) for j in range(r + 1)))


@pop.stated(
    "EH-L3-S3", r"$W(i, r) < c_2 \sum_{j < r} (i+1)^{2j+1} + c_1 \sum_{j \le r} (i+1)^{2j}$."
)
def test_third_step(trial):
    def line(W, i, r, **spoiled):
        return W(i, r) + 1, sums(W, i, r, **spoiled)

    for at in ((0, 3), (1, 0), (7, 0), *GRID):
        assert chapter.recurrence_bound(*at, 5, 2) == sums(times()[3], *at)
    formula = r"W(i, r) \;<\; c_2 \sum_{j=0}^{r-1} (i+1)^{2j+1} + c_1 \sum_{j=0}^{r} (i+1)^{2j}"
    spoiled = {"i for i + 1": {"base": 0}, "exponent 2j for 2j + 1": {"odd": 0}}
    trial.holds("for every W that obeys the recurrence", in_order(line), formula, spoiled | LESS)


@cache
def costly():
    """The recorded runs that get to step 3, and one made to be slow."""
    runs = {of.name: of.run for of in pop.recorded() if of.run.n_calls > 1}
    slow = chapter.find_run(*pop.backward_list(60), rank=1)
    return runs | {"FIND with bound 1 on a decision list of 60 variables": slow}


def last_step(W, n, r, less=0):
    return W(n, r) + 1, W.call * (n + 1) ** (2 * r - 1) + W.leaf * (n + 1) ** (2 * r - less)


def reads_allowed(m, n, r):
    return 2 * m * (n + 1) ** (2 * r)


def of_all_runs(m, n, r):
    return 8 / 3 * m * (n + 1) ** (2 * r)


@pop.stated(
    "EH-L3",
    r"FIND$(S, r)$ takes time $O(m\, (n+1)^{2r})$ on $m$ examples of $n$ variables: it reads "
    r"fewer than $2\, m\, (n+1)^{2r}$ labels and entries.",
)
def test_time_of_find(trial):
    made, every = pop.calls(), pop.recorded()
    size, ones = np.bitwise_count(made.inside).astype(int), made.of("ones")

    @trial.form(
        "entries read < 2 m (n+1)^2r",
        r"2\, m\,(n+1)^{2r}",
        {"0.41 of it": {"factor": 0.41}, "exponent 2r - 1": {"less": 1}},
    )
    @bounds(pop.RUNS)
    def reads(factor=1, less=0):
        for name, run in costly().items():
            r = max(float(run.rank[0]) - less / 2, 0)
            yield run.touched, factor * reads_allowed(run.sample.m, run.sample.n, r), name

    @trial.form(
        "entries read, call by call",
        variants={"columns of every mixed call": {"least": 0}},
        kind="definition",
    )
    def counted(least=1):
        """The labels of every call, and its columns too if it is mixed and its bound allows."""
        width = np.array([of.X.shape[1] for of in every])[made.run]
        width = 1 + width * (ones > 0) * (ones < size) * (made.of("rank") >= least)
        gap = np.bincount(made.run, size * width) - [of.run.touched for of in every]
        return equality("recorded runs", gap, lambda k: every[k].name)

    trial.holds(
        "W(n, r) < c2 (n+1)^(2r-1) + c1 (n+1)^2r",
        in_order(last_step),
        r"W(n, r) < c_2\, (n+1)^{2r-1} + c_1\, (n+1)^{2r}",
        {"exponent 2r - 1 for 2r": {"less": 1}} | LESS,
    )


@pop.stated(
    "EH-L3-REC",
    r"$W(i, r) \le c_2 + 2i\, W(i-1, r-1) + W(i-1, r)$ with $c_2 = O(mn)$, and $W(0, r)$ and "
    r"$W(i, 0)$ at most $c_1 = O(m)$, where $i$ variables are informative.",
    note="W(0, r) is O(1) for distinct examples: no informative variable, so one example.",
)
def test_recurrence(trial):
    made = pop.calls()
    informative = np.array([i.bit_count() for i in made.informative.tolist()])
    tries, examples = np.flatnonzero(made.first > 0), made.of("n_examples")

    for at in itertools.product((0, 1, 2, 5, 24), range(8)):
        assert chapter.recurrence(*at, 5, 2) == solved(*at, 5, 2)

    @trial.form(
        "each call makes at most 2i + 1 calls",
        RECURRENCE,
        {"0.99 of 2i": {"share": 0.99}, "no second try": {"again": 0}},
    )
    def shape(share=1, again=1):
        """At most 2i first tries and one second, and in each at least one variable less."""
        first, i = made.first[tries], informative[tries]
        ok = (first <= share * 2 * i) & (made.again[tries] <= again)
        ok &= made.below[tries] <= i - 1
        return outcome(
            "calls of recorded runs that get to step 3",
            ok,
            np.where(first == 2 * i, i, -1),
            lambda k: f"{first[k]} first tries, {i[k]} informative at {made.name(tries[k])}",
            used=first / (share * 2 * i),
        )

    @trial.form(
        "entries read ≤ W(i, r), c1 = m, c2 = m (n+1)", RECURRENCE, {"0.59 of it": {"share": 0.59}}
    )
    @bounds(pop.RUNS)
    def of_reads(share=1):
        for name, run in costly().items():
            S = run.sample
            i = len(pop.halves(S.everything, 0, S.columns))
            bound = solved(i, int(run.rank[0]), S.m, S.m * (S.n + 1))
            yield run.touched, share * bound, name

    @trial.form(
        "no informative variable: one example",
        r"W(0, r) \le c_1",
        {"at most one informative variable": {"least": 1}},
    )
    @same("calls of recorded runs on sub-samples that nothing splits")
    def single(least=0):
        """Where so few variables split the sub-sample, it is a single example."""
        for k in np.flatnonzero(informative <= least):
            yield examples[k] - 1, made.name(k)


@pop.stated(
    "EH-T1",
    r"FINDMIN$(S)$ returns a consistent tree of rank $r(S)$ in time $O(m\, (n+1)^{2 r(S)})$.",
)
def test_findmin(trial):
    every = pop.all_samples()
    samples = [(name, chapter.find_min_runs(X, y)) for name, X, y in pop.recorded_samples()]

    @trial.form(
        "a consistent tree of rank r(S)",
        "r(S)",
        {
            "FIND(S, 2) for FINDMIN": {"rank": 2},
            "a tree with the fewest leaves": {"demand": fewest_leaves},
        },
    )
    def least_rank(rank=None, **demand):
        good = correct(pop.answers(rank), every.rank, **demand)
        return outcome(pop.SAMPLES, good, 10 * ~good + every.rank, every.describe)

    @trial.form(
        "entries read < 8/3 m (n+1)^2r(S)",
        r"\tfrac83\, m\,(n+1)^{2 r(S)}",
        {"0.37 of it": {"factor": 0.37}, "exponent 2r - 1": {"less": 1}},
    )
    @bounds("samples of rank 1 and more, all runs")
    def reads(factor=1, less=0):
        for name, (first, *more) in samples:
            if rank := len(more):
                read = sum(run.touched for run in (first, *more))
                bound = factor * of_all_runs(first.sample.m, first.sample.n, rank - less / 2)
                yield read, bound, f"{name}, of rank {rank}"

    @trial.form(
        "the last bound takes at least 3/4",
        r"\tfrac83\, m\,(n+1)^{2 r(S)}",
        {"0.999 of it": {"factor": 0.999}},
    )
    @bounds("pairs (n, r)")
    def last_term(factor=1):
        """The bounds of all runs together against the last: a geometric sum."""
        for n, r in GRID:
            every_run = sum(reads_allowed(1, n, q) for q in range(r + 1))
            yield every_run, factor * of_all_runs(1, n, r), f"n, r = {n, r}"
