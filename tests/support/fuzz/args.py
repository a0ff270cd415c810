"""The kinds of arguments: for each a rule, the types that a value may come in, and its limits."""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped] # its stubs are another package
import polars as pl

import dtviz as dt
from support.fuzz.drive import Arg, Judge
from support.nasty import instance, integer, or_none, real

WIDTHS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")

CHEAP = 5
"""Limits up to this are tried themselves; beyond larger ones alone."""


class Index:
    """An integer by its method alone."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def _alone(v: Any) -> Iterator[Any]:
    """A number as what is no number, or not only one."""
    yield from (str(v), [v], (v,), {v}, np.array([v]), pd.Series([v]), pl.Series([v]), iter([v]))
    yield from (np.array(v), complex(v), Decimal(v))


def widths(v: int) -> Iterator[Any]:
    """An integer in every width that holds it."""
    held = [np.dtype(width).type(v) for width in WIDTHS if v <= np.iinfo(width).max]
    yield from (*held, *map(np.array, held), float(v), str(v))


def integers(v: int) -> Iterator[Any]:
    """An integer in every type, and what is none."""
    yield from (*widths(v), Index(v), float(v), np.float64(v), Fraction(v), *_alone(v))
    if v in (0, 1):
        yield from (bool(v), np.bool_(v))


def scalars(v: float) -> Iterator[Any]:
    """A real number in every type that holds it exactly."""
    yield from (np.float64(v), np.longdouble(v), Fraction(v), Decimal(v), np.array(v), str(v))
    yield from (kind(v) for kind in (np.float16, np.float32) if float(kind(v)) == v)
    if v == int(v):
        yield from (int(v), np.int64(v), np.uint8(v))


def reals(v: float) -> Iterator[Any]:
    """The same, and what is no number."""
    yield from (*scalars(v), *_alone(v))


def whole(value: int, low: float = 0, high: float = math.inf, sure: float = math.inf) -> Arg:
    """An integer from low to high; beyond ``sure`` it may be too much for the function."""
    keeps = integer(low, high)

    def rule(given: Any) -> bool | None:
        good = keeps(given)
        return None if good and operator.index(given) > sure else good

    limits = (
        low,
        low - 1,
        *((high,) if high <= CHEAP else ()),
        *((high + 1,) if high < math.inf else ()),
    )
    return Arg(value, rule, integers, tuple(int(limit) for limit in limits))


def number(value: float, inside: Callable[[float], bool], *edges: float) -> Arg:
    """A real number; ``edges`` are limits of the interval, in it or not.

    One that is nearly 0 may ask for more than the function takes on.
    """
    keeps = real(inside)

    def rule(given: Any) -> bool | None:
        good = keeps(given)
        return None if good and 0 < abs(given) < 1e-300 else good

    beyond = (math.nextafter(edge, way) for edge in edges for way in (-math.inf, math.inf))
    return Arg(value, rule, reals, (*edges, *beyond))


def unit(value: float) -> Arg:
    """A number in (0, 1)."""
    return number(value, lambda p: 0 < p < 1, 0.0, 1.0)


def epsilon(value: float) -> Arg:
    """An error that is divided by, in (0, 1/2)."""
    return number(value, lambda e: 0 < e < 0.5, 0.0, 0.5)


def dyadic(r: Random, low: float, high: float, bits: int = 6) -> float:
    """A number strictly between two others that floats of all widths hold."""
    return low + (high - low) * r.randrange(1, 1 << bits) / (1 << bits)


def flag(value: bool) -> Arg:
    """Yes or no."""
    return Arg(value, lambda v: isinstance(v, (bool, np.bool_)), lambda v: [np.bool_(v), int(v)])


def choice(value: str, choices: Iterable[str]) -> Arg:
    """One of some names."""
    known = list(choices)

    def forms(v: str) -> list[Any]:
        return [np.str_(v), v.encode(), v.upper(), v + " ", [v], pd.Series([v])]

    return Arg(value, lambda v: isinstance(v, str) and v in known, forms, tuple(known))


def costs(value: str, choices: Iterable[str]) -> Arg:
    """The name of a cost; a function of one's own is as good, if it is concave."""
    arg = choice(value, choices)
    assert arg.rule is not None
    rule = arg.rule
    return dataclasses.replace(arg, rule=lambda v: None if callable(v) else rule(v))


def optional(arg: Arg) -> Arg:
    """The same, or None."""
    assert arg.rule is not None
    rule = arg.rule
    edges = (*arg.edges, None)
    return Arg(arg.value, lambda v: v is None or rule(v), arg.forms, edges, arg.said, arg.clashes)


def clashing(arg: Arg) -> Arg:
    """The same where a good value may not go with the other arguments."""
    return Arg(arg.value, arg.rule, arg.forms, arg.edges, arg.said, clashes=True)


def called(arg: Arg, said: str) -> Arg:
    """The same, named otherwise in messages."""
    return Arg(arg.value, arg.rule, arg.forms, arg.edges, said, arg.clashes)


def seed(value: int) -> Arg:
    """A seed, or a generator."""
    keeps = integer(0)

    def forms(v: int) -> Iterator[Any]:
        yield from (*integers(v), np.random.default_rng(v))

    return Arg(value, lambda v: keeps(v) or isinstance(v, np.random.Generator), forms)


def rebuilt(tree: dt.Tree) -> list[Any]:
    return [dt.Tree.from_dict(tree.to_dict()), tree.to_dict(), [tree], tree.to_text]


def tree(value: dt.Tree) -> Arg:
    """A tree: one of another shape may not go with the rest."""
    return Arg(value, instance(dt.Tree), rebuilt, clashes=True)


def function(value: dt.BooleanFunction, inside: Judge = lambda _: True) -> Arg:
    """A Boolean function, with a number of variables that the call takes."""
    keeps = instance(dt.BooleanFunction)

    def forms(f: dt.BooleanFunction) -> list[Any]:
        return [dt.BooleanFunction(f.n, f.table), f.table, f.code, [f], f.__call__]

    edges = tuple(dt.functions.conjunction(n) for n in (0, 1))
    return Arg(value, lambda v: keeps(v) and inside(v.n), forms, edges)


def distribution(p: list[float]) -> Arg:
    """A product distribution of so many variables."""
    keeps = or_none(instance(dt.ProductDistribution, len(p)))

    def forms(mu: dt.ProductDistribution) -> list[Any]:
        biases = [Fraction(bias) for bias in mu.p.tolist()]
        return [dt.ProductDistribution(biases), mu.p, mu.p.tolist(), (mu,)]

    edges = (dt.ProductDistribution.uniform(len(p)), dt.ProductDistribution.uniform(len(p) + 1))
    return Arg(dt.ProductDistribution(p), keeps, forms, edges)


# -- arrays ----------------------------------------------------------------------------------------


def exactly(array: Any, kind: Any) -> bool:
    return bool((np.asarray(array).astype(kind).astype(float) == array).all())


def arrays(v: Any) -> Iterator[Any]:
    """Nested lists of numbers in every type that holds them exactly."""
    array = np.array(v)
    kinds: list[Any] = ["f2", "f4", "f8", ">f8", np.longdouble, "?", *WIDTHS]
    with np.errstate(invalid="ignore"):
        yield from (array.astype(kind) for kind in kinds if exactly(array, kind))
    yield from (np.asfortranarray(array), np.repeat(array, 2, axis=-1)[..., ::2])
    yield from (array.astype(object), array.astype(complex), array.astype(str))
    yield from (np.ma.array(array), np.ma.array(array, mask=array == array.flat[0]))
    yield tuple(v) if array.ndim == 1 else tuple(map(tuple, v))
    yield (entry for entry in v)
    yield from (list(array), dict(enumerate(v)))
    if array.ndim == 1:
        yield [Fraction(entry) for entry in v]
        yield [Decimal(entry) for entry in v]
        yield [str(entry) for entry in v]
        yield pd.Series(v, index=range(len(v), 0, -1))
        yield pd.Series(v).astype("category")
        yield pd.Series(v).convert_dtypes()
        yield from (pl.Series(array), pl.Series(array).shift(1))
    else:
        named = {f"c{j}": array[:, j].tolist() for j in range(array.shape[1])}
        yield from (pd.DataFrame(named), pl.DataFrame(named), named)


def holds(kinds: str, inside: Callable[[Any], bool], *shapes: tuple[int, ...]) -> Judge:
    """Whether NumPy makes an array of these kinds and shapes of it, all entries inside."""

    def rule(value: Any) -> bool:
        if isinstance(value, np.ma.MaskedArray):
            return False
        try:
            array = np.asarray(value)
        except (ValueError, RuntimeError):
            return False
        right = array.dtype.kind in kinds and (not shapes or array.shape in shapes)
        return right and all(inside(entry) for entry in array.ravel().tolist())

    return rule


def numbers(value: Any, inside: Callable[[float], bool], *edges: float) -> Arg:
    """A number or an array of numbers of a shape that broadcasts with the others."""
    rule = holds("biuf", lambda entry: math.isfinite(entry) and inside(entry))
    forms = arrays if isinstance(value, list) else scalars
    beyond = [math.nextafter(edge, way) for edge in edges for way in (-math.inf, math.inf)]
    return Arg(value, rule, forms, (*edges, *beyond), clashes=True)


def counts(value: Any, low: int, high: int) -> Arg:
    """An integer or an array of integers."""
    forms = arrays if isinstance(value, list) else widths
    edges = (low, low - 1, high + 1, [low], [low - 1])
    return Arg(value, holds("iu", lambda k: low <= k <= high), forms, edges, clashes=True)


def row(value: list[Any], inside: Callable[[Any], bool], kinds: str = "biuf") -> Arg:
    """A flat array with as many numbers as this one."""
    short, long = value[:-1], [*value, value[-1]]
    return Arg(value, holds(kinds, inside, (len(value),)), arrays, (short, long, [value], []))


def is_bit(entry: Any) -> bool:
    """Whether an entry is 0 or 1, also among objects."""
    return isinstance(entry, (int, float, np.integer, np.floating)) and entry in (0, 1)


BITS = "biufO"
"""The kinds of arrays that may hold bits."""


def table(value: list[list[Any]], inside: Callable[[Any], bool], kinds: str = "biuf") -> Arg:
    """A table with as many rows and columns as this one."""
    m, n = len(value), len(value[0])
    ragged = [*value[:-1], value[-1][:-1]]
    edges: tuple[Any, ...] = (value[:-1], ragged, value[0], [value], [], [[] for _ in value])
    return Arg(value, holds(kinds, inside, (m, n)), arrays, edges)


def class_names(value: list[str]) -> Arg:
    """A name for each class, or None; or nothing, for the labels themselves."""
    arg = names(value)
    assert arg.rule is not None
    keeps = arg.rule

    def rule(given: Any) -> bool | None:
        try:
            return None if len(given) == 0 else keeps(given)
        except TypeError:
            return keeps(given)

    return dataclasses.replace(arg, rule=rule, edges=(value[:-1],))


def names(value: list[str], said: str = "") -> Arg:
    """A name for each of so many features, or None; what is read only once may be refused."""

    def rule(given: Any) -> bool | None:
        if given is None:
            return True
        if isinstance(given, Iterator):
            return None
        if isinstance(given, (str, bytes, dict)) or not hasattr(given, "__iter__"):
            return False
        try:
            listed = list(given)
        except TypeError:
            return False
        return len(listed) == len(value) and all(isinstance(name, str) for name in listed)

    def forms(v: list[str]) -> list[Any]:
        again = [tuple(v), np.array(v), np.array(v, dtype=object), pd.Index(v), pl.Series(v)]
        return [*again, pd.Series(v), " ".join(v), v[:-1], list(range(len(v))), [[*v]], iter(v)]

    return Arg(value, rule, forms, ([], value[:-1]), said)
