"""The kinds of arguments: a Hypothesis strategy for each type, and the rule that values must keep.

A kind draws good values as plain Python, says of any value whether it keeps the rule, and puts a
plain value into the other types in which a reader may hold it. The rules are written down here
independently of the package.
"""

from __future__ import annotations

import dataclasses
import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped] # its stubs are another package
import polars as pl
from hypothesis import strategies as st

import dtviz as dt
from support.nasty import Judge, instance, integer, keeps, nasty, real

Plain = st.SearchStrategy[Any]

WIDTHS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")

CHEAP = 5
"""Limits up to this are tried themselves; beyond larger ones alone."""


@dataclasses.dataclass(frozen=True)
class Kind:
    """Good values of one argument, the rule for all others, and a good value in other types.

    ``edges`` are values at the limits of the rule and just beyond; ``known`` are forms of a value
    of which no rule needs to be asked. ``said`` is what messages call the argument, if not by its
    name. A good value of one that ``clashes`` may be refused for what another argument is, though
    not the same value in another type. Messages say of one that is not shown only what is wrong.
    One without a rule is not replaced.
    """

    plain: Plain
    rule: Judge | None = None
    forms: Callable[[Any], Iterable[Any]] = lambda _: ()
    edges: tuple[Any, ...] = ()
    known: Callable[[Any], Iterable[tuple[Any, bool | None]]] = lambda _: ()
    said: str = ""
    clashes: bool = False
    is_shown: bool = True

    def cases(self, value: Any) -> Iterator[tuple[Any, bool | None, bool]]:
        """What to put in place of a value: whether it is good, and whether it is the same one."""
        if self.rule is None:
            return
        for form, good in self.known(value):
            yield form, good, True
        for form in self.forms(value):
            yield form, keeps(self.rule, form), True
        for other in (*self.edges, *nasty()):
            yield other, keeps(self.rule, other), False

    def but(self, **changed: Any) -> Kind:
        """The same but for some of its fields."""
        return dataclasses.replace(self, **changed)

    @property
    def optional(self) -> Kind:
        """The same, or None, which may still be refused where the argument must be given."""
        if (rule := self.rule) is None:
            return self
        return self.but(rule=lambda v: None if v is None else rule(v), edges=(*self.edges, None))

    @property
    def clashing(self) -> Kind:
        """The same where a good value may not go with the other arguments."""
        return self.but(clashes=True)


def fixed(value: Any) -> Kind:
    """A value that is not replaced."""
    return Kind(st.just(value))


class Index:
    """An integer by its method alone."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def alone(v: Any) -> Iterator[Any]:
    """A number as what is no number, or not only one."""
    yield from (str(v), [v], (v,), {v}, np.array([v]), pd.Series([v]), pl.Series([v]), iter([v]))
    yield from (np.array(v), complex(v), Decimal(v))


def widths(v: int) -> Iterator[Any]:
    """An integer in every width that holds it."""
    held = [np.dtype(width).type(v) for width in WIDTHS if v <= np.iinfo(width).max]
    yield from (*held, *map(np.array, held), float(v), str(v))


def integers(v: int) -> Iterator[Any]:
    """An integer in every type, and what is none."""
    yield from (*widths(v), Index(v), np.float64(v), Fraction(v), *alone(v))
    if v in (0, 1):
        yield from (bool(v), np.bool_(v))


def scalars(v: float) -> Iterator[Any]:
    """A real number in every type that holds it exactly."""
    yield from (np.float64(v), np.longdouble(v), Fraction(v), Decimal(v), np.array(v), str(v))
    yield from (kind(v) for kind in (np.float16, np.float32) if float(kind(v)) == v)
    if v == int(v):
        yield from (int(v), np.int64(v), np.uint8(v))


def whole(
    low: int = 0, high: float = math.inf, *, sure: float = math.inf, drawn: Iterable[int] = ()
) -> Kind:
    """An integer from low to high; beyond ``sure`` it may be too much for the function.

    Values are drawn from those that are given, or from the first few.
    """
    kept = integer(low, high)

    def rule(given: Any) -> bool | None:
        good = kept(given)
        return None if good and operator.index(given) > sure else good

    limits = [low, low - 1, *([high] if high <= CHEAP else []), high + 1]
    edges = tuple(int(limit) for limit in limits if limit < math.inf)
    values = [*drawn] or range(low, int(min(high, low + 8, sure)) + 1)
    return Kind(st.sampled_from(values), rule, integers, edges)


def odd(high: int, value: int) -> Kind:
    """An odd number from 1 to high."""
    kept = integer(1, high)
    return whole(1, high, drawn=[value]).but(rule=lambda v: kept(v) and operator.index(v) % 2 == 1)


def inside(interval: str) -> tuple[Callable[[float], bool], float, float]:
    """Whether a number is in an interval such as ``[0, 1/2)``, and its ends."""
    found = re.fullmatch(r"([\[(])(.+), (.+)([\])])", interval)
    assert found, interval
    low, high = (float(end if "inf" in end else Fraction(end)) for end in found.group(2, 3))
    above = operator.ge if found[1] == "[" else operator.gt
    below = operator.le if found[4] == "]" else operator.lt
    return lambda v: bool(above(v, low) and below(v, high)), low, high


def dyadic(low: float, high: float) -> Plain:
    """Numbers strictly between two others that floats of all widths hold."""
    top = high if high < math.inf else low + 4
    return st.integers(1, 63).map(lambda k: low + (top - low) * k / 64)


def number(interval: str, *beyond: float, drawn: Iterable[float] = ()) -> Kind:
    """A real number; its edges are the ends of the interval, or what lies well beyond.

    One that is nearly 0 may ask for more than the function takes on.
    """
    holds_it, low, high = inside(interval)
    kept = real(holds_it)

    def rule(given: Any) -> bool | None:
        good = kept(given)
        return None if good and 0 < abs(given) < 1e-300 else good

    ends = beyond or [end for end in (low, high) if math.isfinite(end)]
    near = [math.nextafter(end, way) for end in ends for way in (-math.inf, math.inf)]
    forms = lambda v: (*scalars(v), *alone(v))  # noqa: E731
    values = st.sampled_from([*drawn]) if drawn else dyadic(low, high)
    return Kind(values, rule, forms, (*ends, *near))


EXACT = Kind(
    st.integers(-3, 3),
    lambda v: real(lambda _: True)(v) or integer(-math.inf)(v) or (None if v is None else False),
    lambda v: [float(v), Fraction(v), np.int8(v), np.float32(v)],
)
"""A number that stands for one fraction."""


FLAG = Kind(
    st.booleans(), lambda v: isinstance(v, (bool, np.bool_)), lambda v: [np.bool_(v), int(v)]
)
TEXT = Kind(
    st.just("a line"), lambda v: isinstance(v, str), lambda v: [np.str_(v), v.encode(), [v]]
)


def choice(*known: str) -> Kind:
    """One of some names."""

    def forms(v: str) -> list[Any]:
        return [np.str_(v), v.encode(), v.upper(), v + " ", [v], pd.Series([v])]

    plain = st.sampled_from(known)
    return Kind(plain, lambda v: isinstance(v, str) and v in known, forms, known)


def costs(known: Iterable[str]) -> Kind:
    """The name of a cost; a function of one's own is as good, if it is concave."""
    named = choice(*known)
    return named.but(rule=lambda v: None if callable(v) else isinstance(v, str) and v in known)


SEED = Kind(
    st.integers(0, 99),
    lambda v: integer(0)(v) or isinstance(v, np.random.Generator),
    lambda v: [*integers(v), np.random.default_rng(v)],
)


def function(least: int = 0, most: float = math.inf) -> Kind:
    """A Boolean function of three variables; one of another number may not go with the rest."""

    def forms(f: dt.BooleanFunction) -> list[Any]:
        return [dt.BooleanFunction(f.n, f.table), f.table, f.code, [f], f.__call__]

    return Kind(
        st.integers(0, 255).map(lambda code: dt.BooleanFunction.from_int(3, code)),
        lambda v: isinstance(v, dt.BooleanFunction) and least <= v.n <= most,
        forms,
        tuple(dt.functions.conjunction(n) for n in (0, 1)),
        clashes=True,
    )


def distribution(n: int, *, more: bool = False) -> Kind:
    """A product distribution of so many variables, or of more, or None."""

    def rule(v: Any) -> bool:
        fits = isinstance(v, dt.ProductDistribution) and (v.n == n or (more and v.n > n))
        return v is None or fits

    def forms(mu: dt.ProductDistribution) -> list[Any]:
        biases = [Fraction(bias) for bias in mu.p.tolist()]
        return [dt.ProductDistribution(biases), mu.p, mu.p.tolist(), (mu,)]

    plain = st.lists(dyadic(0, 1), min_size=n, max_size=n).map(dt.ProductDistribution)
    edges = tuple(dt.ProductDistribution.uniform(k) for k in (n - 1, n, n + 1))
    return Kind(plain, rule, forms, edges)


def tree(value: dt.Tree) -> Kind:
    """A tree: one of another shape may not go with the rest."""

    def forms(tree: dt.Tree) -> list[Any]:
        return [dt.Tree.from_dict(tree.to_dict()), tree.to_dict(), [tree], tree.to_text]

    return Kind(st.just(value), instance(dt.Tree), forms, clashes=True)


def are_names(given: Any) -> bool:
    """Whether it holds texts, in an order."""
    if isinstance(given, (str, bytes, dict)) or not hasattr(given, "__iter__"):
        return False
    try:
        return all(isinstance(name, str) for name in given)
    except TypeError:
        return False


def names(text: str, *, of_classes: bool = False) -> Kind:
    """A name for each of so many features, or None; what is read only once may be refused.

    Classes need no names: an empty list leaves them their labels.
    """
    listed = text.split()

    def rule(given: Any) -> bool | None:
        if given is None or isinstance(given, Iterator):
            return given is None or None
        if of_classes and are_names(given) and not len(given):
            return None
        return are_names(given) and len(given) == len(listed)

    def forms(v: list[str]) -> list[Any]:
        again = [tuple(v), np.array(v), np.array(v, dtype=object), pd.Index(v), pl.Series(v)]
        return [*again, pd.Series(v), " ".join(v), v[:-1], list(range(len(v))), [[*v]], iter(v)]

    return Kind(st.just(listed), rule, forms, ([], listed[:-1]))


BITS = "biufO"
"""The kinds of arrays that may hold bits."""


def is_bit(entry: Any) -> bool:
    """Whether an entry is 0 or 1, also among objects."""
    return isinstance(entry, (int, float, np.integer, np.floating)) and entry in (0, 1)


def holds(kinds: str, within: Callable[[Any], bool], *shapes: tuple[int, ...]) -> Judge:
    """Whether NumPy makes an array of these kinds and shapes of it, all entries within."""

    def rule(value: Any) -> bool:
        if isinstance(value, np.ma.MaskedArray):
            return False
        try:
            array = np.asarray(value)
        except (ValueError, RuntimeError):
            return False
        right = array.dtype.kind in kinds and (not shapes or array.shape in shapes)
        return right and all(within(entry) for entry in array.ravel().tolist())

    return rule


def line(kinds: str, within: Callable[[Any], bool], least: int = 0) -> Judge:
    """Whether it is a flat array, of any length from ``least`` on."""
    kept = holds(kinds, within)
    return lambda value: bool(kept(value)) and np.ndim(value) == 1 and len(value) >= least


def arrays(v: Any) -> Iterator[Any]:
    """Nested lists of numbers in every type that holds them exactly."""
    array = np.array(v)
    kinds: list[Any] = ["f2", "f4", "f8", ">f8", np.longdouble, "?", *WIDTHS]
    with np.errstate(invalid="ignore"):
        cast = [array.astype(kind) for kind in kinds]
        yield from (one for one in cast if (one.astype(float) == array).all())
    yield from (np.asfortranarray(array), np.repeat(array, 2, axis=-1)[..., ::2])
    yield from (array.astype(object), array.astype(complex), array.astype(str))
    yield from (np.ma.array(array), np.ma.array(array, mask=array == array.flat[0]))
    yield tuple(v) if array.ndim == 1 else tuple(map(tuple, v))
    yield (entry for entry in v)
    yield from (list(array), dict(enumerate(v)))
    if array.ndim == 1:
        yield from ([*map(one, v)] for one in (Fraction, Decimal, str))
        yield from (pd.Series(v, index=range(len(v), 0, -1)), pd.Series(v).astype("category"))
        yield from (pd.Series(v).convert_dtypes(), pl.Series(array), pl.Series(array).shift(1))
    else:
        named = {f"c{j}": array[:, j].tolist() for j in range(array.shape[1])}
        yield from (pd.DataFrame(named), pl.DataFrame(named), named)


def numbers(interval: str) -> Kind:
    """A number or an array of numbers of a shape that broadcasts with the others."""
    within, low, high = inside(interval)
    one = number(interval)
    return one.but(
        plain=st.one_of(dyadic(low, high), st.lists(dyadic(low, high), min_size=3, max_size=3)),
        rule=holds("biuf", lambda entry: math.isfinite(entry) and within(entry)),
        forms=lambda v: arrays(v) if isinstance(v, list) else scalars(v),
        clashes=True,
    )


def counts(low: int, high: int) -> Kind:
    """An integer or an array of integers."""
    one = st.integers(low, min(high, low + 8))
    return Kind(
        st.one_of(one, st.lists(one, min_size=3, max_size=3)),
        holds("iu", lambda k: low <= k <= high),
        lambda v: arrays(v) if isinstance(v, list) else widths(v),
        (low, low - 1, high + 1, [low], [low - 1]),
        clashes=True,
    )


def row(m: int, entries: Plain, within: Callable[[Any], bool], kinds: str = "biuf") -> Kind:
    """A flat array of so many numbers."""
    one = [1] * m
    edges: tuple[Any, ...] = (one[1:], [1, *one], [one], [], [0] * m, [*one[1:], -1])
    plain = st.lists(entries, min_size=m, max_size=m)
    return Kind(plain, holds(kinds, within, (m,)), arrays, edges)


def biases(m: int) -> Kind:
    """Probabilities of a product distribution; those that are objects are judged one by one."""
    numbers, objects = line("iuf", lambda q: 0 < q < 1), holds("O", lambda _: True)

    def rule(value: Any) -> bool | None:
        return None if objects(value) or isinstance(value, Iterator) else numbers(value)

    return row(m, dyadic(0, 1), bool).but(rule=rule, edges=([], [0.0], [1.0], [[0.5]]))


def table(m: int, n: int, entries: Plain, within: Callable[[Any], bool], kinds: str) -> Kind:
    """A table of so many rows and columns."""
    plain = st.lists(st.lists(entries, min_size=n, max_size=n), min_size=m, max_size=m)
    wide, one = [[1] * n] * m, [1] * n
    others, short, other = wide[1:], [1] * (n - 1), [1] * (n - 1) + [9]
    edges: tuple[Any, ...] = (others, [*others, short], [*others, other], one, [wide], [], [[]] * m)
    return Kind(plain, holds(kinds, within, (m, n)), arrays, edges, is_shown=False)


def vectors(m: int = 0) -> Kind:
    """Probability vectors, or one: what sums to 1 along the last axis."""
    parts = st.tuples(st.integers(0, 16), st.integers(0, 16)).map(sorted)
    vector = parts.map(lambda ab: [ab[0] / 16, (ab[1] - ab[0]) / 16, 1 - ab[1] / 16])
    numbers = holds("biuf", lambda p: 0 <= p <= 1)

    def rule(given: Any) -> bool:
        array = np.asarray(given, dtype=float) if numbers(given) else np.zeros(())
        fits = array.ndim > 0 and array.shape[-1] > 0
        return bool(fits and (abs(array.sum(axis=-1) - 1) < 1e-9).all())

    plain = st.lists(vector, min_size=m, max_size=m) if m else vector
    return Kind(plain, rule, arrays, ([], [1], [0.5, 0.25], [1.5, -0.5]), clashes=True)


def weights(m: int) -> Kind:
    """A weight for each example, not all 0; fractions, which have no array, may be taken."""
    flat = holds("biuf", lambda w: 0 <= w < math.inf, (m,))
    objects = holds("O", lambda w: isinstance(w, (Number, Decimal)), (m,))

    def rule(v: Any) -> bool | None:
        if v is None or objects(v):
            return v is None or None
        return bool(flat(v)) and sum(np.asarray(v).tolist()) > 0

    return row(m, st.integers(1, 3), bool).but(rule=rule)


def rows(m: int, n: int) -> Kind:
    """Rows of bits for a tree; other columns after them are not looked at."""
    numbers = holds("biuf", lambda entry: not math.isnan(entry))
    objects = holds("OUS", lambda _: True)

    def rule(value: Any) -> bool | None:
        if objects(value) or hasattr(value, "columns"):
            return None  # codes of categories, or their names
        return bool(numbers(value)) and np.ndim(value) == 2 and np.shape(value)[1] >= n

    kind = table(m, n, st.integers(0, 1), is_bit, BITS)
    return kind.but(rule=rule, edges=([[1] * n] * 2, [1] * n, [[[1] * n]], [[1] * n, [1]]))


def codes(top: int) -> Kind:
    """Codes of functions, of any shape; an empty list has no type."""
    several, nothing = holds("iu", lambda code: 0 <= code <= top), holds("f", lambda _: False)
    return row(3, st.integers(0, top), bool).but(
        rule=lambda v: bool(nothing(v)) or bool(several(v)), edges=([], [-1], [top], [top + 1])
    )
