"""Chapter 4: growth by impurity, what stands at a node, the estimators and the bridges."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from random import Random
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

import dtviz as dt
from dtviz import impurity
from dtviz.impurity import literal
from support.fuzz.args import (
    clashing,
    costs,
    dyadic,
    holds,
    names,
    number,
    numbers,
    optional,
    row,
    table,
    whole,
)
from support.fuzz.drive import Arg, Args, Row
from support.literal import nested

__all__ = ["ROWS"]

IMPURITIES: dict[str, Any] = {
    "gini": literal.gini,
    "entropy": literal.entropy,
    "error": literal.error,
    "sqrt": literal.square_root,
    "squared": literal.squared_loss,
}


def examples(r: Random, m: int) -> tuple[list[list[int]], list[int]]:
    """Examples of three small numbers each, and labels 0 and 1."""
    X = [[r.randint(0, 3) for _ in range(3)] for _ in range(m)]
    return X, [k % 2 if k < 2 else r.randint(0, 1) for k in range(m)]


def sample(r: Random) -> dict[str, Arg]:
    X, y = examples(r, r.randint(2, 9))
    cost = {"cost": costs(r.choice(["gini", "entropy", "error"]), impurity.GROWTH_COSTS)}
    return {"X": Arg(X), "y": Arg(y), **cost, "sample_weight": optional(weights(len(y)))}


def weights(m: int) -> Arg:
    """A weight for each example; fractions and decimals, which have no array, may be taken."""
    arg = row([1.0] * m, lambda w: 0 <= w < math.inf)
    assert arg.rule is not None
    keeps, objects = arg.rule, holds("O", lambda w: isinstance(w, (Number, Decimal)), (m,))
    return dataclasses.replace(arg, rule=lambda v: keeps(v) or (None if objects(v) else False))


def named(r: Random) -> dict[str, Arg]:
    return sample(r) | {"feature_names": names(["u", "v", "w"])}


def rules() -> dict[str, Arg]:
    """The rules that stop growth, at values that stop none; names are in test_tree_rules."""
    return {
        "class_names": Arg(None),
        "max_depth": optional(whole(9)),
        "min_samples_leaf": whole(1, 1),
        "min_weight_fraction_leaf": number(0.0, lambda s: 0 <= s <= 0.5, 0.0, 0.5),
        "min_impurity_decrease": number(0.0, lambda a: 0 <= a < math.inf, 0.0),
    }


def pairs(X: Any, y: Any) -> literal.Sample:
    return [(tuple(x), label) for x, label in zip(X, y, strict=True)]


def as_tuples(tree: dt.Tree) -> Any:
    return nested(tree, thresholds=True)


def grown(X: Any, y: Any, cost: str, max_leaves: int, **_: Any) -> Any:
    return literal.grow(pairs(X, y), IMPURITIES[cost], max_leaves)[0]


def id3(X: Any, y: Any, cost: str, **_: Any) -> Any:
    return literal.id3(pairs(X, y), IMPURITIES[cost])


def scanned(x: Any, y: Any, cost: str, **_: Any) -> Any:
    scale = 2 if cost == "entropy" else 1  # in bits, that is twice the cost
    found = literal.threshold_scan(pairs([[one] for one in x], y), 0, IMPURITIES[cost])
    return [[t for t, _ in found], [float(left) / scale for _, left in found]]


def feature(r: Random) -> Args:
    given = sample(r)
    X = given.pop("X")
    return {"x": Arg([x[0] for x in X.value]), **given}


def few(r: Random) -> Args:
    given = sample(r)
    return {"X": given["X"], "y": given["y"], "max_leaves": whole(r.randint(1, 4), 1)}


def shaped(r: Random) -> Args:
    """Both limits: with neither there is no tree."""
    return {name: arg for name, arg in sample(r).items() if name in {"X", "y"}} | {
        "feature_names": names(["u", "v", "w"]),
        "max_leaves": clashing(optional(whole(r.randint(1, 4), 1))),
        "depth": clashing(optional(whole(r.randint(0, 3)))),
    }


def shares(r: Random, m: int = 0) -> Any:
    """A vector of probabilities, or several."""
    parts = sorted(r.randint(0, 16) / 16 for _ in range(2))
    vector = [parts[0], parts[1] - parts[0], 1 - parts[1]]
    return [shares(r) for _ in range(m)] if m else vector


def vectors(value: Any) -> Arg:
    """Probability vectors: what sums to 1 along the last axis."""
    arg = table(value, lambda p: 0 <= p <= 1) if isinstance(value[0], list) else None
    arg = arg or row(value, lambda p: 0 <= p <= 1)
    kinds = holds("biuf", lambda p: 0 <= p <= 1)

    def rule(given: Any) -> bool:
        array = np.asarray(given, dtype=float) if kinds(given) else np.zeros(())
        fits = array.ndim > 0 and array.shape[-1] > 0
        return bool(fits and (abs(array.sum(axis=-1) - 1) < 1e-9).all())

    return dataclasses.replace(arg, rule=rule, clashes=True)


R = Random(4)  # noqa: S311 -- the same examples in every run
X, Y = examples(R, 12)
CLASSIFIER = dt.TopDownClassifier().fit(X, Y)
REGRESSOR = dt.TopDownRegressor().fit(X, Y)
SKLEARN = DecisionTreeClassifier(random_state=0).fit(X, Y)


def fitted(kind: Callable[..., Any]) -> Callable[..., Any]:
    """An estimator's parameters are looked at when it is fitted."""
    return lambda **given: kind(**given).fit(X, Y).tree_


def parameters(r: Random) -> dict[str, Arg]:
    ccp = {"ccp_alpha": number(0.0, lambda a: 0 <= a < math.inf, 0.0)}
    return rules() | ccp | {"max_leaves": optional(whole(r.randint(1, 9), 1))}


def any_row(value: list[float]) -> Arg:
    """A flat array of numbers, of any length but 0."""
    numbers = holds("biuf", math.isfinite)

    def rule(given: Any) -> bool:
        return bool(numbers(given)) and np.ndim(given) == 1 and len(given) > 0

    return dataclasses.replace(row(value, math.isfinite), rule=rule)


def counted(y: list[float]) -> Any:
    """How often each number occurs, as fractions."""
    return Counter(Fraction(number) for number in y)


def class_weight(value: Any) -> bool | None:
    if isinstance(value, Mapping):
        return None
    return value is None or (isinstance(value, str) and value == "balanced")


def classifier(r: Random) -> Args:
    known = [*dt.impurity.CLASS_COST_FUNCTIONS]
    weight = Arg({0: 1, 1: 2}, class_weight, lambda _: [{np.int64(0): 1.0, 1: np.int8(2)}])
    return parameters(r) | {"cost": costs(r.choice(known), known), "class_weight": weight}


PATH = dt.grow([[1, 3], [2, 1], [3, 2], [4, 4]], [0, 1, 1, 0])


def alternatives(node: int) -> Any:
    return [(a.variable, a.threshold, a.gain) for a in PATH.alternatives(node)]


ROWS = [
    Row(
        alternatives,
        lambda r: {"node": whole(r.randint(0, 2), 0, 2 * PATH.n_splits)},
        of=dt.impurity.ImpurityPath.alternatives,
    ),
    Row(
        dt.grow,
        lambda r: named(r) | rules() | {"max_leaves": optional(whole(r.randint(1, 9), 1))},
        grown,
        lambda path: as_tuples(path.tree()),
        rounds=6,
    ),
    Row(dt.id3, named, id3, as_tuples, rounds=6),
    Row(impurity.best_split, sample),
    Row(impurity.least_errors, few),
    Row(impurity.optimal_tree, shaped),
    Row(dt.impurity.threshold_scan, feature, scanned, exact=False),
    Row(dt.impurity.gini, lambda r: {"p": vectors(shares(r, r.choice([0, 2])))}),
    Row(dt.impurity.entropy, lambda r: {"p": vectors(shares(r, r.choice([0, 2])))}),
    Row(dt.impurity.kl, lambda r: {"p": vectors(shares(r, 2)), "q": vectors([0.25, 0.25, 0.5])}),
    Row(
        dt.impurity.squared_loss,
        lambda r: {"y": any_row([dyadic(r, -4, 4) for _ in range(3)])},
        lambda y: float(literal.squared_loss(counted(y))),
        exact=False,
    ),
    *[
        Row(
            function,
            lambda r: {"q": numbers(dyadic(r, 0, 1), lambda q: -1e-9 <= q <= 1 + 1e-9)},
        )
        for function in dt.COST_FUNCTIONS.values()
    ],
    Row(fitted(dt.TopDownClassifier), classifier, of=dt.TopDownClassifier, rounds=1),
    Row(fitted(dt.TopDownRegressor), parameters, of=dt.TopDownRegressor, rounds=1),
    Row(dt.from_sklearn, lambda _: {"estimator": Arg(SKLEARN, lambda v: v is SKLEARN)}),
]
