"""Chapter 2: FIND, what it records, and the formulas that rank obeys."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import dtviz as dt
from dtviz import rank
from dtviz.rank import literal
from support.fuzz.args import (
    clashing,
    counts,
    distribution,
    dyadic,
    flag,
    function,
    number,
    optional,
    seed,
    unit,
    whole,
)
from support.fuzz.drive import Arg, Args, Row
from support.literal import nested

__all__ = ["ROWS"]


def sample(r: Random) -> dict[str, Arg]:
    """A sample of a random function, some examples twice; its types are driven elsewhere."""
    n = r.randint(1, 4)
    label = [r.randint(0, 1) for _ in range(1 << n)]
    codes = [r.randrange(1 << n) for _ in range(r.randint(1, 9))]
    X = [[code >> i & 1 for i in range(n)] for code in codes]
    return {"X": Arg(X), "y": Arg([label[code] for code in codes])}


def pairs(X: list[list[int]], y: list[int]) -> literal.Sample:
    return list(dict.fromkeys(zip(map(tuple, X), y, strict=True)))


def plain(tree: dt.Tree | None) -> Any:
    return None if tree is None else nested(tree)


def found(X: Any, y: Any, rank: int, **_: Any) -> Any:
    return literal.find(pairs(X, y), rank)


def least(X: Any, y: Any, **_: Any) -> Any:
    return literal.find_min(pairs(X, y))


MEMORY = whole(1 << 20)
ROOM = clashing(whole(10**5, 1))
RUN = dt.rank.find_run(dt.cube_points(3), dt.functions.parity(3).table, rank=3)


def ranked(r: Random) -> Args:
    """Variables and a rank, of any relation."""
    return {"n": whole(r.randint(0, 9), sure=9), "r": whole(r.randint(0, 9), sure=9)}


def within(r: Random, low: int) -> dict[str, Arg]:
    """Variables and a rank of at most as many."""
    n = r.randint(max(low, 1), 9)
    return {"n": clashing(whole(n, low, sure=99)), "r": whole(r.randint(low, n), low, n)}


def calls(r: Random) -> Args:
    costs = {key: whole(r.randint(0, 5), 0, 1 << 53) for key in ("leaf", "call")}
    return {"n": whole(r.randint(0, 9), sure=9), "r": whole(r.randint(0, 4), sure=9)} | costs


def sized(name: str, r: Random) -> Args:
    """Arguments of Theorem 3: so many nodes or leaves that their rank is at most n."""
    n = r.randint(3, 9)
    return {"n": clashing(whole(n, 1)), name: clashing(whole(r.randint(2, 9), 1))} | risks(r)


def risks(r: Random) -> dict[str, Arg]:
    return {"epsilon": unit(dyadic(r, 0, 1)), "delta": unit(dyadic(r, 0, 1))}


def learned(r: Random) -> Args:
    f = dt.BooleanFunction.from_int(3, r.randrange(256))
    p = [dyadic(r, 0, 1) for _ in range(3)]
    return {
        "f": clashing(function(f)),
        "m": counts([r.randint(1, 9) for _ in range(3)], 1, 10**18),
        "rng": seed(r.randrange(99)),
        "rank": optional(clashing(whole(3))),
        "mu": distribution(p),
    }


def most_leaves(n: int, r: int) -> int:
    return sum(math.comb(n, i) for i in range(r + 1))


def recurrence(n: int, r: int, leaf: int, call: int) -> int:
    """T(n, r), as Lemma 3 has it."""
    if n == 0 or r == 0:
        return leaf
    less = recurrence(n - 1, r - 1, leaf, call), recurrence(n - 1, r, leaf, call)
    return call + 2 * n * less[0] + less[1]


ROWS = [
    Row(
        dt.rank.find,
        lambda r: sample(r) | {"rank": whole(r.randint(0, 3)), "memo_bytes": MEMORY},
        found,
        plain,
    ),
    Row(dt.find_min, sample, least, plain),
    Row(
        dt.rank.sample_rank,
        sample,
        lambda **given: literal.rank(least(**given)),
    ),
    Row(
        dt.rank.find_run,
        lambda r: sample(r) | {"rank": whole(r.randint(0, 3), sure=1 << 53), "max_calls": ROOM},
        found,
        lambda run: plain(run.tree()),
    ),
    Row(
        dt.rank.find_min_runs,
        lambda r: sample(r) | {"max_calls": ROOM},
        least,
        lambda runs: plain(runs[-1].tree()),
    ),
    Row(dt.rank.pac_errors, learned),
    Row(
        dt.rank.random_tree,
        lambda r: {
            "n": clashing(whole(6, sure=99)),
            "rank": whole(r.randint(0, 6), 0, 6),
            "rng": seed(r.randrange(99)),
        },
    ),
    *[
        Row(method, lambda r: {"k": whole(r.randrange(RUN.n_calls), 0, RUN.n_calls - 1)})
        for method in (RUN.children, RUN.path)
    ],
    Row(rank.most_leaves, ranked, most_leaves),
    Row(
        rank.reduced_trees,
        lambda r: {"n": whole(r.randint(0, 2), 0, 3)},
        read=lambda it: len([*it]),
    ),
    Row(rank.count_reduced_trees, lambda r: {"n": whole(r.randint(0, 5), 0, 20)}),
    Row(
        rank.count_trees_of_size,
        lambda r: {
            "n": whole(r.randint(0, 9), sure=99),
            "leaves": whole(r.randint(1, 9), 1, 10**5),
        },
    ),
    Row(rank.functions_by_rank, lambda r: {"n": whole(r.randint(0, 3), 0, 4)}),
    Row(rank.log_function_bound, lambda r: {**ranked(r), "by_leaves": flag(r.random() < 0.5)}),
    Row(
        rank.rank_of_nodes,
        lambda r: {"nodes": whole(r.randint(1, 99), 1)},
        lambda nodes: int(math.log2(nodes)),
    ),
    Row(rank.recurrence, calls, recurrence),
    Row(rank.recurrence_bound, calls),
    Row(
        rank.sample_size,
        lambda r: {
            **risks(r),
            "log_functions": number(dyadic(r, 0, 8), lambda x: 0 < x < math.inf, 0.0),
        },
    ),
    Row(rank.sample_size_for_rank, lambda r: within(r, 1) | risks(r)),
    Row(rank.sample_size_for_nodes, lambda r: sized("nodes", r)),
]
