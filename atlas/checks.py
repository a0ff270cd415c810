"""What must hold of the tables: sums, inequalities, and samples done again by slow algorithms.

Each check raises an AssertionError that names what does not agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

import numpy as np

import dtviz as dt
from atlas.growth import keys_of
from atlas.summary import summary
from atlas.table import Table
from dtviz.core.exhaustive import restrictions_of
from dtviz.impurity import literal as by_cost
from dtviz.influence import literal as by_influence
from dtviz.rank import literal as by_rank

BALANCED = {1: 2, 2: 4, 3: 18, 4: 648, 5: 3_140_062}
"""Of how many functions of n variables no variable tells anything alone (OEIS A006853): they are
the balanced colourings of the cube. Growth by a strictly concave cost stops at their root."""

__all__ = ["CLASSES", "check_inequalities", "check_sample", "check_sums", "check_two_ways"]

CLASSES = {1: 2, 2: 4, 3: 14, 4: 222, 5: 616_126}
"""How many NPN classes there are of n variables (OEIS A000370)."""

ORDERED = (
    ("optimal", "greedy_best"),
    ("greedy_best", "greedy"),
    ("greedy", "greedy_worst"),
    ("optimal", "gini_best"),
    ("gini_best", "gini"),
    ("gini", "gini_worst"),
    ("optimal", "error_best"),
    ("error_best", "error"),
    ("error", "error_worst"),
    ("rank", "depth"),
    ("gini_stuck", "error_stuck"),
)
"""Pairs of columns of which the first is never larger."""

Sample = list[tuple[tuple[int, ...], int]]

COSTS: dict[str, Callable[[dict[int, int]], Any]] = {
    "gini": by_cost.gini,
    "entropy": by_cost.entropy,
    "sqrt": by_cost.square_root,
    "error": by_cost.error,
}


def check_sums(n: int, table: Table) -> None:
    """Every class is there, they hold every function once, and a known count is found."""
    _hold(f"n = {n}: classes", table["code"].size, CLASSES[n])
    _hold(f"n = {n}: functions", int(table["size"].sum(dtype=np.int64)), 1 << (1 << n))
    halves = restrictions_of(table["code"].astype(np.int64), n)
    silent = (keys_of("gini", n, halves) == 0).all(axis=0)
    balanced = int(table["size"][silent].sum(dtype=np.int64))
    _hold(f"n = {n}: balanced functions", balanced, BALANCED[n])
    ascends = np.diff(table["code"].astype(np.int64), prepend=-1) > 0
    _everywhere(n, "codes ascend", table, ascends)


def check_two_ways(n: int, classes: Table, functions: Table) -> None:
    """What is counted over classes, weighed by their sizes, is counted over functions one by one.

    Sizes with ties to the lowest variable are the same for functions only: here it is tried that
    the orders of the variables count them.
    """
    one_by_one = dict(functions)
    one_by_one["size"] = np.ones_like(functions["size"])
    for rule in ("greedy", "gini", "error"):
        # Each function stands for itself, in the order that the book breaks ties by.
        leaves = np.arange(functions[f"{rule}_orders"].shape[1])
        alone = functions[rule][:, None] == leaves
        one_by_one[f"{rule}_orders"] = alone * functions[f"{rule}_orders"].sum(axis=1)[:, None]
    whole = [summary({n: table})["n"][str(n)] for table in (classes, one_by_one)]
    for part in ("distributions", "joint"):
        for name, counted in whole[0][part].items():
            _hold(
                f"n = {n}: {part} of {name}",
                counted["functions"],
                whole[1][part][name]["functions"],
            )


def check_inequalities(n: int, table: Table) -> None:
    """What must hold of each row by its meaning."""
    for less, more in ORDERED:
        _everywhere(n, f"{less} <= {more}", table, table[less] <= table[more])
    size, queries = table["optimal"].astype(float), table["queries"].astype(float)
    points = 1 << n
    _everywhere(n, "2^rank <= optimal", table, 2.0 ** table["rank"] <= size)
    _everywhere(n, "optimal <= 2^depth", table, size <= 2.0 ** table["depth"])
    _everywhere(n, "queries <= 2^n depth", table, queries <= points * table["depth"].astype(float))
    _everywhere(n, "average depth <= log optimal", table, queries <= points * np.log2(size) + 1e-9)
    influence = table["influences"].sum(axis=1, dtype=np.int64)
    # A point's sensitive bits are asked on its path.
    _everywhere(n, "total influence <= average depth", table, influence <= queries)
    best = table["optimal_errors"]
    _everywhere(
        n, "optimal is where the least error is 0", table, (best > 0).sum(axis=1) + 1 == size
    )
    for learner in ("influence", "gini", "entropy", "sqrt", "error"):
        grown = table[f"{learner}_errors"]
        _everywhere(n, f"{learner}: least error", table, (best <= grown).all(axis=1))
        _everywhere(
            n, f"{learner}: errors fall", table, (grown[:, 1:] <= grown[:, :-1]).all(axis=1)
        )
        column = {"influence": "greedy", "error": "error"}.get(learner, "gini")
        leaves = (grown > 0).sum(axis=1) + 1
        _everywhere(n, f"{learner}: where the errors end", table, leaves == table[column])


def check_sample(n: int, table: Table, rows: Iterable[int], seed: int = 0) -> None:
    """Some rows once more, by the literal algorithms and on another function of the class."""
    rng = np.random.default_rng(seed)
    for row in rows:
        told = {name: column[row].tolist() for name, column in table.items()}
        f = dt.BooleanFunction.from_int(n, told["code"])
        where = f"n = {n}, code {f.code:#x}"
        for name, found in literal_values(f).items():
            _hold(f"{where}: {name}", told[name], found)
        g = another(f, rng)
        for name, found in invariants(g).items():
            _hold(f"{where}: {name} of {g.code:#x} in its class", told[name], found)


def literal_values(f: dt.BooleanFunction) -> dict[str, Any]:
    """What the literal algorithms say of f."""
    n, table = f.n, f.table.tolist()
    sample: Sample = [(x, table[_place(x)]) for x in product((0, 1), repeat=n)]
    _, splits = by_influence.build_top_down(lambda x: table[_place(x)], n)
    found = {
        "rank": by_rank.rank(by_rank.find_min(sample)),
        "greedy": len(splits) + 1,
        "influence_errors": _replayed(n, sample, splits),
    }
    for cost, impurity in COSTS.items():
        _, grown = by_cost.grow([*sample], impurity)
        asked = {answers: feature for answers, (feature, _) in grown.items()}
        found[f"{cost}_errors"] = _replayed(n, sample, asked)
    return found


def invariants(f: dt.BooleanFunction) -> dict[str, Any]:
    """What is the same throughout the class of f, by the programmes for one function."""
    best, greedy = dt.optimal(f), dt.influence.greedy_sizes(f)
    return {
        "optimal": best.n_leaves,
        "depth": best.depth,
        "rank": best.rank,
        "queries": round(best.average_depth * (1 << f.n)),
        "greedy_best": greedy.best,
        "greedy_worst": greedy.worst,
    }


def another(f: dt.BooleanFunction, rng: np.random.Generator) -> dt.BooleanFunction:
    """A function of the class of f: variables renamed and negated, perhaps the value too."""
    order, signs, flip = rng.permutation(f.n), rng.integers(0, 2, f.n), rng.integers(0, 2)
    at = (dt.cube_points(f.n)[:, order] ^ signs) @ (1 << np.arange(f.n))
    return dt.BooleanFunction(f.n, f.table[at] ^ flip)


def _place(point: tuple[int, ...]) -> int:
    return sum(bit << i for i, bit in enumerate(point))


def _replayed(n: int, sample: Sample, splits: Mapping[tuple[int, ...], int]) -> list[int]:
    """The points wrong after each split, 0 from where the record ends."""
    leaves: dict[tuple[int, ...], Sample] = {(): sample}
    errors = [_wrong(leaves)]
    for answers, variable in splits.items():
        part = leaves.pop(answers)
        for bit in (0, 1):
            leaves[*answers, bit] = [one for one in part if one[0][variable] == bit]
        errors.append(_wrong(leaves))
    return errors + [0] * ((1 << n) - len(errors))


def _wrong(leaves: Mapping[Any, Sample]) -> int:
    ones = [(sum(label for _, label in part), len(part)) for part in leaves.values()]
    return sum(min(k, count - k) for k, count in ones)


def _hold(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise AssertionError(f"{what} must be {expected}, got {found}")


def _everywhere(n: int, rule: str, table: Table, holds: Any) -> None:
    if not holds.all():
        code = int(table["code"][int(holds.argmin())])
        raise AssertionError(f"n = {n}: {rule} must hold, but not for the function {code:#x}")
