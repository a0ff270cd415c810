"""The ground floor: functions, distributions, measures, trees, greedy growth and its paths."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

import dtviz as dt
from dtviz.influence import literal as uniform
from dtviz.product import literal as biased
from support import nasty
from support.definitions import Oracle
from support.fuzz.args import (
    BITS,
    choice,
    clashing,
    class_names,
    distribution,
    dyadic,
    flag,
    function,
    holds,
    integers,
    is_bit,
    names,
    number,
    optional,
    row,
    seed,
    table,
    tree,
    whole,
)
from support.fuzz.drive import Arg, Args, Row
from support.fuzz.impurity import weights
from support.literal import nested
from support.nasty import integer

__all__ = ["ROWS", "called", "given", "weighted"]

F = dt.functions
PARITY = F.parity(3)
PATH = dt.build_top_down(F.majority(3))
TREE = PATH.tree()
X, Y = dt.cube_points(3).tolist(), F.majority(3).table.tolist()
IMPURITY_PATH = dt.grow(X, Y)
PEOPLE = dt.datasets.titanic(numeric=True)
DEEPEST = 24
"""The most variables of a function."""


def drawn(r: Random) -> dt.BooleanFunction:
    return dt.BooleanFunction.from_int(3, r.randrange(256))


def given(r: Random) -> dict[str, Arg]:
    """A function of three variables; one of another number does not go with the rest."""
    return {"f": clashing(function(drawn(r)))}


def weighted(r: Random) -> dict[str, Arg]:
    return given(r) | {"mu": distribution([dyadic(r, 0, 1) for _ in range(3)])}


def called(f: dt.BooleanFunction) -> Callable[[tuple[int, ...]], int]:
    """A function as the literal algorithms take it."""
    return lambda x: int(f.table[sum(bit << i for i, bit in enumerate(x))])


def oracle(f: dt.BooleanFunction, mu: dt.ProductDistribution | None = None) -> Oracle:
    return Oracle(f, None if mu is None else [Fraction(p) for p in mu.p.tolist()])


def flips(f: dt.BooleanFunction, mu: dt.ProductDistribution | None = None) -> list[float]:
    return [float(oracle(f, mu).flip_mass(i)) for i in range(f.n)]


def resamples(f: dt.BooleanFunction, mu: dt.ProductDistribution | None = None) -> list[float]:
    return [float(oracle(f, mu).resample_mass(i)) for i in range(f.n)]


def wrong(f: dt.BooleanFunction, mu: dt.ProductDistribution) -> float:
    mean = oracle(f, mu).mean()
    return float(min(mean, 1 - mean))


def greedy(f: dt.BooleanFunction, mu: dt.ProductDistribution, **_: Any) -> Any:
    return biased.build_top_down(called(f), [Fraction(p) for p in mu.p.tolist()])[0]


def sizes(f: dt.BooleanFunction) -> int:
    """The leaves of the greedy tree of chapter 1."""
    return str(uniform.build_top_down(called(f), f.n)[0]).count("(") + 1


def table_of(n: int, code: int) -> tuple[int, list[int]]:
    return n, [code >> x & 1 for x in range(1 << n)]


def made(r: Random) -> Args:
    n = r.randint(0, 3)
    bits = row([r.randint(0, 1) for _ in range(1 << n)], is_bit, BITS)
    return {"n": clashing(whole(n, 0, DEEPEST)), "table": bits}


def coded(r: Random) -> Args:
    n = r.randint(0, 3)
    code = r.randrange(1 << (1 << n))
    return {"n": clashing(whole(n, 0, DEEPEST)), "code": whole(code, 0, (1 << (1 << n)) - 1)}


def biases(r: Random) -> Args:
    p = [dyadic(r, 0, 1) for _ in range(3)]
    keeps = holds("iuf", lambda q: 0 < q < 1)
    objects = holds("O", lambda _: True)

    def rule(value: Any) -> bool | None:
        if objects(value) or isinstance(value, Iterator):
            return None  # entries that are fractions, decimals or None, one by one
        return bool(keeps(value)) and np.ndim(value) == 1

    arg = row(p, lambda q: 0 < q < 1)
    return {"p": dataclasses.replace(arg, rule=rule, edges=([], [0.0], [1.0], [p]))}


def by_size(r: Random) -> Args:
    """A path is asked for one of its trees by the number of leaves."""
    return {"n_leaves": optional(whole(r.randint(1, PATH.n_leaves), 1, PATH.n_leaves))}


def by_error(_: Random) -> Args:
    return {"epsilon": optional(error())}


def error() -> Arg:
    return number(0.25, lambda e: 0 <= e < math.inf, 0.0)


def rows(r: Random) -> Arg:
    """Rows of three bits; other columns after them are not looked at."""
    X = [[r.randint(0, 1) for _ in range(3)] for _ in range(4)]
    kinds = holds("biuf", lambda entry: not math.isnan(entry))
    objects = holds("OUS", lambda _: True)

    def rule(value: Any) -> bool | None:
        if objects(value) or hasattr(value, "columns"):
            return None  # codes of categories, or their names
        return bool(kinds(value)) and np.ndim(value) == 2 and np.shape(value)[1] >= 3

    return dataclasses.replace(table(X, lambda _: True), rule=rule)


def scored(_: Random) -> Args:
    return {"X": Arg(X), "y": Arg(Y), "sample_weight": optional(weights(len(Y)))}


def small(r: Random) -> Args:
    n = r.randint(0, 2)
    top = (1 << (1 << n)) - 1
    several = holds("iu", lambda code: 0 <= code <= top)
    nothing = holds("f", lambda _: False)

    def rule(value: Any) -> bool:
        empty = nothing(value)
        return value is None or empty or bool(several(value))

    codes = dataclasses.replace(row([r.randint(0, top) for _ in range(3)], bool), rule=rule)
    return {"n": clashing(whole(n, 0, 5)), "codes": codes}


def canonical(r: Random) -> Args:
    """As `small`, but codes must be given."""
    args = dict(small(r))
    rule = args["codes"].rule
    assert rule is not None
    args["codes"] = dataclasses.replace(args["codes"], rule=lambda v: v is not None and rule(v))
    return args


def point(r: Random) -> Args:
    code = r.randrange(8)
    return {"x": Arg(code, integer(0, 7), integers)}


def exact(value: int) -> Arg:
    """A number that stands for one fraction, or something it may be read from."""

    def rule(v: Any) -> bool | None:
        if isinstance(v, (bool, np.bool_)):
            return False
        return True if isinstance(v, (int, float, Fraction)) and -(10**300) < v < 10**300 else None

    return Arg(value, rule, lambda v: [float(v), Fraction(v), np.int8(v), np.float32(v)])


def several(high: int) -> Arg:
    """A number of groups of variables: at most so many, and fewer if they are large."""
    return clashing(whole(2, 1, high))


def odd(value: int, high: int) -> Arg:
    return dataclasses.replace(whole(value, 1, high), rule=nasty.odd(high))


MEASURES = [
    Row(dt.measures.mean, weighted, lambda f, mu: float(oracle(f, mu).mean()), exact=False),
    Row(dt.measures.error, weighted, wrong, exact=False),
    Row(dt.measures.variance, weighted),
    Row(dt.measures.variation, weighted),
    Row(dt.influences, weighted),
    Row(dt.measures.resample_influences, weighted, resamples, exact=False),
    Row(dt.measures.total_influence, weighted),
    Row(
        dt.measures.influence_counts,
        given,
        lambda f: [round(8 * flip) for flip in flips(f)],
    ),
    Row(dt.optimal, weighted, read=lambda found: [found.n_leaves, found.depth, found.rank]),
    Row(dt.influence.greedy_sizes, given),
]

FUNCTIONS = [
    *[
        Row(make, lambda r: {"n": whole(r.randint(0, 5), 0, DEEPEST)})
        for make in (F.parity, F.conjunction, F.disjunction, F.decision_list)
    ],
    Row(F.majority, lambda r: {"n": odd(r.choice([1, 3, 5]), DEEPEST)}),
    Row(F.dictator, lambda _: {"n": clashing(whole(3, 1, DEEPEST)), "i": whole(1, 0, 2)}),
    Row(F.tribes, lambda _: {"width": several(DEEPEST), "count": several(12)}),
    Row(F.multiplexer, lambda r: {"address_bits": whole(r.randint(0, 2), 0, 4)}),
    Row(
        F.parity_multiplexer,
        lambda _: {"selector_n": clashing(odd(3, DEEPEST - 1)), "parity_bits": several(10)},
    ),
    Row(F.caterpillar, lambda r: {"k": whole(r.randint(0, 3), 0, 7)}),
    Row(F.guarded, given),
    Row(F.random, lambda r: {"n": whole(3, 0, DEEPEST), "seed": seed(r.randrange(99))}),
    Row(
        lambda weights, threshold: F.threshold([1, weights], threshold),
        lambda r: {"weights": exact(r.randint(-3, 3)), "threshold": exact(r.randint(-3, 3))},
        lambda weights, threshold: (2, [int(t >= threshold) for t in (0, 1, weights, 1 + weights)]),
        of=F.threshold,
    ),
]  # fmt: skip


def covering(r: Random) -> Args:
    """A distribution of the variables that the tree asks, or of more."""
    mu = weighted(r)["mu"]

    def rule(value: Any) -> bool:
        return value is None or (isinstance(value, dt.ProductDistribution) and value.n >= 3)

    return {"mu": dataclasses.replace(mu, rule=rule)}


NO_YES = class_names(["no", "yes"])
UNKNOWN = choice("error", ("error", "missing", "larger"))

TREES = [
    Row(
        TREE.to_text,
        lambda _: {
            "names": names(["u", "v", "w"]),
            "class_names": NO_YES,
            "max_depth": optional(whole(2)),
            "all_categories": flag(False),
        },
    ),
    *[
        Row(method, lambda _: {"names": names(["u", "v", "w"]), "class_names": NO_YES})
        for method in (TREE.to_dot, TREE.named)
    ],
    Row(TREE.to_sql, lambda _: {"class_names": NO_YES}),
    Row(
        TREE.apply,
        lambda r: {"X": rows(r), "unknown": UNKNOWN, "weight": Arg([1.0] * TREE.n_nodes)},
    ),
    Row(TREE.predict, lambda r: {"X": rows(r), "unknown": UNKNOWN}),
    Row(TREE.apply_cube, lambda r: {"n": whole(r.randint(3, 6), 3, DEEPEST)}),
    Row(TREE.function, lambda _: {"n": whole(3, 3, DEEPEST)}, lambda **_: (3, Y)),
    Row(TREE.apply_points, given),
    Row(TREE.complete, weighted),
    Row(TREE.leaf_masses, weighted),
    *[Row(method, covering) for method in (TREE.reach, TREE.average_depth)],
]

DATASETS = [
    Row(dt.datasets.titanic, lambda r: {"numeric": flag(r.random() < 0.5)}, read=len),
    Row(
        lambda sizes, seed: PEOPLE.split(400, sizes, seed=seed),
        lambda r: {"sizes": whole(r.randint(1, 644), 1, 644), "seed": seed(r.randrange(99))},
        read=lambda parts: [(len(part), part.y.tolist()) for part in parts],
        of=dt.datasets.Dataset.split,
    ),
]


def alternatives(node: int) -> Any:
    return [(a.variable, a.gain) for a in PATH.alternatives(node)]


ROWS = [
    Row(
        alternatives,
        lambda r: {"node": whole(r.randint(0, 2), 0, 2 * PATH.n_splits)},
        of=type(PATH).alternatives,
    ),
    Row(dt.BooleanFunction, made, lambda n, table: (n, table)),
    Row(dt.BooleanFunction.from_int, coded, table_of),
    Row(PARITY.restrict, lambda r: {"i": whole(r.randrange(3), 0, 2), "b": whole(1, 0, 1)}),
    Row(dt.cube_points, lambda r: {"n": whole(r.randint(0, 5), 0, DEEPEST)}),
    Row(dt.ProductDistribution.uniform, lambda r: {"n": whole(r.randint(0, 5), 0, 10**6)}),
    Row(dt.ProductDistribution, biases),
    Row(
        dt.ProductDistribution.uniform(3).sample,
        lambda r: {"m": whole(r.randint(0, 9), 0, sure=10**6), "rng": seed(r.randrange(99))},
    ),
    *DATASETS,
    *MEASURES,
    *FUNCTIONS,
    Row(
        dt.build_top_down,
        lambda r: weighted(r) | {"max_leaves": optional(whole(99, 1))},
        greedy,
        lambda path: nested(path.tree()),
    ),
    Row(dt.build_top_down, given, sizes, lambda path: path.n_leaves),
    *[
        Row(function, lambda r: {"tree": tree(TREE), **weighted(r)})
        for function in (dt.influence.leaf_scores, dt.influence.tree_cost, dt.influence.tree_error)
    ],
    *TREES,
    *[
        Row(method, asked)
        for asked in (by_size, by_error)
        for method in (PATH.tree, PATH.nodes, IMPURITY_PATH.tree, IMPURITY_PATH.tree_for_gaps)
    ],
    Row(PATH.predict, lambda r: {"X": rows(r), **by_size(r)}),
    Row(PATH.predict, lambda r: {"X": rows(r), **by_error(r)}),
    Row(PATH.score, scored),
    Row(PATH.n_leaves_for, lambda _: {"epsilon": error()}),
    Row(
        dt.optimal(PARITY).tree,
        lambda _: {"measure": choice("rank", ["n_leaves", "depth", "rank", "average_depth"])},
    ),
    Row(dt.influence.greedy_all, small),
    Row(lambda n, codes, mu: dt.optimal_all(n, mu, codes), lambda r: small(r) | {"mu": Arg(None)},
        of=dt.optimal_all),
    Row(dt.atlas.npn_classes, lambda r: {"n": whole(r.randint(0, 3), 0, 5)}),
    Row(dt.atlas.npn_canonical, canonical),
]  # fmt: skip
