"""Chapter 2, the procedure: FIND is the pseudo-code, it is correct, and how long it takes."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from dtviz import rank as chapter
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import EH
from dtviz.core.tree import Tree
from dtviz.rank.claims.samples import (
    SAMPLES,
    all_samples,
    answers,
    backward_list,
    calls,
    nested,
    pseudo_code,
    random_samples,
    recorded,
)

__all__ = ["CLAIMS"]

PAGE = "2-rank"
RUNS = "recorded runs"
BOUNDS = range(4)
GRID = [(i, r) for i in range(1, 25) for r in range(1, 8)]
COST_FUNCTIONS = ((1, 1), (1, 24), (1, 25), (5, 2))
"""Costs (leaf, call) of Lemma 3: calls counted; examples counted, for n = 24; two more."""


# -- correctness -----------------------------------------------------------------------------------


def _is_the_pseudo_code(*, second_try: bool) -> Outcome:
    every = all_samples()
    wrong = []
    for r in BOUNDS:
        for k, tree in enumerate(answers(r)):
            seen, ones = int(every.seen[k]), int(every.ones[k])
            wrong.append(nested(tree) != pseudo_code(seen, ones, r, second_try=second_try))
    return equality("samples and bounds", wrong, _sample_and_bound)


def _sample_and_bound(k: int) -> str:
    r, k = divmod(k, all_samples().seen.size)
    return f"bound {r}, {all_samples().describe(k)}"


def _recorded_runs_return_the_same_tree() -> Outcome:
    every = recorded()
    wrong = []
    for run in every.runs:
        rows = np.array([[c >> k & 1 for c in run.sample.columns] for k in range(run.sample.m)])
        labels = [run.sample.positives >> k & 1 for k in range(run.sample.m)]
        wrong.append(run.tree() != chapter.find(rows, labels, rank=int(run.rank[0])))
    return equality(RUNS, wrong, every.names.__getitem__)


def _second_try_is_the_last() -> Outcome:
    """After a second try the call returns what it returned, and that is sound: r(S_v) <= r(S)."""
    every = recorded()
    wrong, names = [], []
    for run, name in zip(every.runs, every.names, strict=True):
        for k in np.flatnonzero(run.again).tolist():
            parent = int(run.parent[k])
            wrong.append(run.children(parent)[-1] != k or run.found[parent] != run.found[k])
            names.append(f"call {k} of {name}")
    return equality("second tries", wrong, names.__getitem__)


def _parts_have_no_larger_rank() -> Outcome:
    every = all_samples()
    sets = list(zip(every.seen.tolist(), every.ones.tolist(), strict=True))
    place = {pair: k for k, pair in enumerate(sets)}
    parts = np.full(len(sets), -1)
    for (seen, ones), k in place.items():
        for x in range(8):
            smaller = place.get((seen & ~(1 << x), ones & ~(1 << x)), k)
            parts[k] = max(parts[k], every.rank[smaller])
    return outcome(
        SAMPLES,
        parts <= every.rank,
        parts - every.rank,
        lambda k: f"rank {every.rank[k]}, part of rank {parts[k]}, for {every.describe(k)}",
    )


def _correct_for(trees: list[Tree | None], r: int | None) -> npt.NDArray[np.bool_]:
    """Whether each answer on the 3-cube is right: none beyond r, else a tree that will do."""
    every = all_samples()
    good = np.empty(len(trees), dtype=bool)
    for k, tree in enumerate(trees):
        bound = every.rank[k] if r is None else r
        if tree is None:
            good[k] = every.rank[k] > bound
            continue
        code = tree.function(3).code
        agrees = code & every.seen[k] == every.ones[k]
        reduced = all(len({i for i, _ in path}) == len(path) for path in tree.paths())
        good[k] = every.rank[k] <= bound and agrees and reduced and tree.rank <= bound
    return good


def _correct_on_the_cube() -> Outcome:
    good = np.concatenate([_correct_for(list(answers(r)), r) for r in BOUNDS])
    none = sum(tree is None for r in BOUNDS for tree in answers(r))
    return outcome(
        "samples and bounds",
        good,
        ~good,
        lambda k: f"{none:,} answers are none" if good[k] else _sample_and_bound(k),
    )


def _least_rank(X: npt.NDArray[np.int8], y: npt.NDArray[np.int64]) -> int:
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
                    best = min(best, max(low, high) + (low == high))
            known[fixed, values] = best
    return known[0, 0]


def _correct_on_random_samples() -> Outcome:
    good, names = [], []
    for n in (4, 5, 6):
        for k, (X, y) in enumerate(random_samples(n, 20)):
            least = _least_rank(X, y)
            for r in range(n + 1):
                tree = chapter.find(X, y, rank=r)
                fine = r < least
                if tree is not None:
                    fine = r >= least and tree.rank <= r and bool((tree.predict(X) == y).all())
                good.append(fine)
                names.append(f"bound {r}, rank {least}, random sample {k} of {n} variables")
    return equality("samples and bounds", np.logical_not(good), names.__getitem__)


def _least_rank_is_found() -> Outcome:
    good = _correct_for(list(answers(None)), None)
    return equality(SAMPLES, ~good, all_samples().describe)


# -- time ------------------------------------------------------------------------------------------


def _reads_at_most() -> Outcome:
    """Entries read against ``4 m (n+1)^(2r)``."""
    every = recorded()
    rank = np.array([int(run.rank[0]) for run in every.runs])
    m, n = np.array([(run.sample.m, run.sample.n) for run in every.runs]).T
    ratio = np.array([run.touched for run in every.runs]) / (m * (n + 1) ** (2 * rank))
    return outcome(
        RUNS,
        ratio <= 4,
        np.where(rank > 0, ratio, 0),
        lambda k: f"entries read / (m (n+1)^2r) = {ratio[k]:.3g} for {every.names[k]}",
    )


def _reads_at_most_the_recurrence() -> Outcome:
    every = recorded()
    ratio = []
    for run in every.runs:
        n, m, r = run.sample.n, run.sample.m, int(run.rank[0])
        calls_allowed = chapter.recurrence(n, r)
        read_allowed = chapter.recurrence(n, r, m, m * (n + 1))
        ratio.append(max(run.n_calls / calls_allowed, run.touched / read_allowed))
    return outcome(
        RUNS,
        np.array(ratio) <= 1,
        ratio,
        lambda k: f"calls or entries / bound = {ratio[k]:.3g} for {every.names[k]}",
    )


def _calls_have_the_shape_of_the_recurrence() -> Outcome:
    made = calls()
    good = (made.first <= 2 * made.informative) & (made.again <= 1)
    good &= made.below < made.informative + (made.first == 0)
    good &= (made.informative > 0) | (made.size == 1)
    return outcome(
        "calls of recorded runs",
        good,
        np.where(made.first == 2 * made.informative, made.informative, -1),
        lambda k: (
            f"{made.first[k]} first tries, {made.again[k]} second, "
            f"{made.informative[k]} informative variables at {made.name[k]}"
        ),
    )


def _grid(line: str) -> Outcome:
    """A line of Lemma 3's proof, in exact integers, for n up to 24 and r up to 7."""
    left, right, names = [], [], []
    for leaf, call in COST_FUNCTIONS:
        table = {(i, r): chapter.recurrence(i, r, leaf, call) for i in range(25) for r in range(8)}
        for i, r in GRID:
            steps = sum(j * table[j - 1, r - 1] for j in range(1, i + 1))
            lines = {
                "T": table[i, r],
                "sum": call * i + 2 * steps + leaf,
                "product": leaf + call * i + i * (i + 1) * table[i, r - 1],
                "square": leaf + call * (i + 1) + (i + 1) ** 2 * table[i, r - 1],
                "closed": chapter.recurrence_bound(i, r, leaf, call),
            }
            chain = {
                "S1": ("T", "sum", "product"),
                "S2": ("product", "square"),
                "S3": ("T", "closed"),
            }
            strict = line != "S1"
            for a, b in zip(chain[line], chain[line][1:], strict=False):
                left.append(lines[a] + strict)
                right.append(lines[b])
                names.append(f"{a} / {b}, i = {i}, r = {r}, c1 = {leaf}, c2 = {call}")
    ratio = [a / b for a, b in zip(left, right, strict=True)]
    return outcome(
        "inequalities between integers",
        [a <= b for a, b in zip(left, right, strict=True)],
        ratio,
        lambda k: f"{ratio[k]:.4g} = {names[k]}",
    )


def _recurrence_against_the_power() -> Outcome:
    ratio = [chapter.recurrence(n, r, 1, n) / (n + 1) ** (2 * r) for n, r in GRID]
    return outcome(
        "pairs (n, r)",
        np.array(ratio) <= 2,
        ratio,
        lambda k: f"T / (m (n+1)^2r) = {ratio[k]:.3g} at n = {GRID[k][0]}, r = {GRID[k][1]}",
    )


def _all_bounds_together() -> Outcome:
    """FINDMIN runs FIND with every bound up to r(S): the last costs most."""
    ratio = []
    for n, r in GRID:
        total = sum(chapter.recurrence_bound(n, q, 1, n + 1) for q in range(r + 1))
        ratio.append(total / (n + 1) ** (2 * r))
    return outcome(
        "pairs (n, r)",
        np.array(ratio) <= 4,
        ratio,
        lambda k: f"sum / (m (n+1)^2r) = {ratio[k]:.3g} at n = {GRID[k][0]}, r = {GRID[k][1]}",
    )


def _calls_grow_like_a_power_of_r() -> Outcome:
    """A list makes more than 4 (n+1) calls with bound 1: the exponent r would be too small."""
    sizes = (2, 4, 8, 16, 32, 64)
    number = [chapter.find_run(*backward_list(n), rank=1).n_calls for n in sizes]
    return outcome(
        "decision lists with bound 1",
        [k <= 4 * (n + 1) for k, n in zip(number, sizes, strict=True)],
        [k / (n + 1) for k, n in zip(number, sizes, strict=True)],
        lambda k: f"{number[k]:,} calls for {sizes[k]} variables",
    )


CLAIMS = (
    Claim(
        "EH-FIND",
        EH,
        r"FIND$(S, r)$: a pure sample gives a leaf; with $r = 0$, none. Else each informative "
        r"variable in turn: both halves with bound $r - 1$. If both succeed, join them; if one "
        r"does, try the other with bound $r$ and return what comes of it. None if all fail.",
        PAGE,
        (
            Form("dt.find, tree by tree", partial(_is_the_pseudo_code, second_try=True)),
            Form("recorded runs give the same tree", _recorded_runs_return_the_same_tree),
            Form("no variable is tried after a second try", _second_try_is_the_last),
            Form("a part of a sample has no larger rank", _parts_have_no_larger_rank),
        ),
        (
            Form(
                "without the second try of step 3.3",
                partial(_is_the_pseudo_code, second_try=False),
            ),
        ),
        note="The source leaves the order of the variables open. Here: the lowest first.",
    ),
    Claim(
        "EH-L2",
        EH,
        r"FIND$(S, r)$ returns a tree of rank at most $r$ consistent with $S$ if there is one, and "
        r"none otherwise.",
        PAGE,
        (
            Form("all samples on the 3-cube, r = 0 to 3", _correct_on_the_cube),
            Form("random samples of 4 to 6 variables", _correct_on_random_samples),
        ),
        note="The proof breaks off in the source; the chapter finishes it: the root of a smallest "
        "consistent tree is informative, so both its halves have rank r or more.",
    ),
    Claim(
        "EH-L3",
        EH,
        r"FIND$(S, r)$ takes time $O(m\, (n+1)^{2r})$ on $m$ examples of $n$ variables.",
        PAGE,
        (
            Form("entries read ≤ 4 m (n+1)^2r", _reads_at_most),
            Form("T(n, r) ≤ 2 m (n+1)^2r", _recurrence_against_the_power),
        ),
        (Form("with exponent r for 2r", _calls_grow_like_a_power_of_r),),
    ),
    Claim(
        "EH-L3-REC",
        EH,
        r"$T(i, r) \le O(mn) + 2i\, T(i-1, r-1) + T(i-1, r)$, with $T(0, r)$ and $T(i, 0)$ in "
        r"$O(m)$, where $i$ variables are informative.",
        PAGE,
        (
            Form("each call makes at most 2i + 1 calls", _calls_have_the_shape_of_the_recurrence),
            Form("calls and entries read ≤ T(n, r)", _reads_at_most_the_recurrence),
        ),
        note="T(0, r) is O(1) for distinct examples: no informative variable, so one example.",
    ),
    Claim(
        "EH-L3-S1",
        EH,
        r"$T(i, r) \le c_2 i + 2 \sum_{j \le i} j\, T(j-1, r-1) + c_1 \le c_1 + c_2 i + "
        r"i(i+1)\, T(i, r-1)$.",
        PAGE,
        (Form("n ≤ 24, r ≤ 7", partial(_grid, "S1")),),
    ),
    Claim(
        "EH-L3-S2",
        EH,
        r"$c_1 + c_2 i + i(i+1)\, T(i, r-1) < c_1 + c_2 (i+1) + (i+1)^2\, T(i, r-1)$.",
        PAGE,
        (Form("n ≤ 24, r ≤ 7", partial(_grid, "S2")),),
    ),
    Claim(
        "EH-L3-S3",
        EH,
        r"$T(i, r) < c_2 \sum_{j < r} (i+1)^{2j+1} + c_1 \sum_{j \le r} (i+1)^{2j}$.",
        PAGE,
        (Form("n ≤ 24, r ≤ 7", partial(_grid, "S3")),),
    ),
    Claim(
        "EH-T1",
        EH,
        r"FINDMIN$(S)$ returns a consistent tree of rank $r(S)$ in time "
        r"$O(m\, (n+1)^{2 r(S)})$.",
        PAGE,
        (
            Form("a consistent tree of rank r(S)", _least_rank_is_found),
            Form("the bounds 0 .. r together ≤ 4 m (n+1)^2r", _all_bounds_together),
        ),
    ),
)
