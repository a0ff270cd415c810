"""What a call with one argument replaced may come to, and whether it does.

A `Row` is a public function and how to draw good arguments for it. Each `Arg` brings its own rule,
written down independently of the package. `drive` calls the function with the plain values, then
with one argument at a time replaced: the same value of another type must give the same answer,
another good value an answer, and all else a ValueError from within the package that names the
argument. Anything else, a warning among them, fails.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from random import Random
from types import FunctionType, MethodType
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Text

import dtviz as dt
from dtviz.core.checks import as_repr
from support.nasty import PACKAGE, keeps, mentions, nasty

Judge = Callable[[Any], bool | None]
"""Whether a value is good; None where it may be used or refused."""


@dataclasses.dataclass(frozen=True)
class Arg:
    """A good value of one argument, the rule for all others, and the value in other types.

    ``edges`` are values at the limits of the rule and just beyond. ``said`` is what messages call
    the argument, if not by its name. A good value of one that ``clashes`` may be refused for what
    another argument is, though not the same value in another type. One without a rule is not
    replaced: it is driven elsewhere.
    """

    value: Any
    rule: Judge | None = None
    forms: Callable[[Any], Iterable[Any]] = lambda _: ()
    edges: tuple[Any, ...] = ()
    said: str = ""
    clashes: bool = False


Args = dict[str, Arg]


@dataclasses.dataclass(frozen=True)
class Row:
    """A function, and its arguments drawn again for each round.

    ``of`` is the public function that a wrapper stands for. ``literal`` gives from the plain values
    what ``read`` makes of the answer: by default all that is in it, as plain data. ``exact`` is
    false where a fraction is computed exactly, and a float of the same value is not.
    """

    function: Callable[..., Any]
    draw: Callable[[Random], Args]
    literal: Callable[..., Any] | None = None
    read: Callable[[Any], Any] | None = None
    of: Any = None
    rounds: int = 3
    exact: bool = True

    @property
    def public(self) -> Any:
        """The function as it is defined, that of a bound method among them."""
        of = self.function if self.of is None else self.of
        return getattr(of, "__func__", of)

    @property
    def name(self) -> str:
        return f"{self.public.__module__.removeprefix('dtviz.')}.{self.public.__qualname__}"

    def drawn(self, k: int) -> Args:
        """The arguments of round k, the same in every run."""
        return self.draw(Random(f"{self.name} {k}"))  # noqa: S311


# -- answers as plain data -------------------------------------------------------------------------


@functools.singledispatch
def as_data(answer: Any) -> Any:
    """All that an answer holds, as plain data that can be compared."""
    if dataclasses.is_dataclass(answer):
        return {one.name: as_data(getattr(answer, one.name)) for one in dataclasses.fields(answer)}
    if isinstance(answer, Mapping):
        return {key: as_data(value) for key, value in answer.items()}
    if isinstance(answer, (list, tuple, Iterator)):
        return [as_data(entry) for entry in answer]
    state = getattr(answer, "__dict__", None)
    return as_data(state) if state else answer


@as_data.register
def _(answer: float) -> Any:
    return "NaN" if math.isnan(answer) else answer


@as_data.register(np.ndarray)
@as_data.register(np.generic)
def _(answer: Any) -> Any:
    return as_data(answer.tolist())


@as_data.register
def _(answer: dt.Tree) -> Any:
    return as_data(answer.to_dict())


@as_data.register
def _(answer: dt.BooleanFunction) -> Any:
    return answer.n, answer.table.tolist()


@as_data.register
def _(answer: Axes) -> Any:
    lines = [as_data(line.get_xydata()) for line in answer.lines]
    return [as_data(text) for text in answer.texts], lines, len(answer.patches)


@as_data.register
def _(answer: Text) -> Any:
    return answer.get_text(), as_data(answer.get_position()), answer.get_color()


@as_data.register(FunctionType)
@as_data.register(MethodType)
@as_data.register(functools.partial)
def _(answer: Any) -> Any:
    return type(answer)


def near(one: Any, other: Any) -> bool:
    """Whether two answers differ by rounding at most."""
    if isinstance(one, (list, tuple)) and isinstance(other, type(one)):
        return len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[key], other[key]) for key in one)
    if isinstance(one, (int, float, Fraction)) and isinstance(other, (int, float, Fraction)):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-15)
    return bool(one == other)


# -- driving a call --------------------------------------------------------------------------------


def drive(row: Row) -> list[str]:
    """What is wrong with a row: its calls with one argument replaced, held against the rules."""
    faults: list[str] = []
    for k in range(row.rounds):
        faults += _round(row, row.drawn(k), junk=k == 0)
    return faults


def _round(row: Row, args: Args, *, junk: bool) -> Iterator[str]:
    read, same = row.read or as_data, _equal if row.exact else near
    plain = {name: arg.value for name, arg in args.items()}
    answer = read(row.function(**plain))
    if row.literal is not None:
        expected = row.literal(**plain)
        if not same(answer, expected):
            yield f"{plain}: {answer!r}, not {expected!r}"
    for name, arg in args.items():
        if arg.rule is None:
            continue
        others = [one.said or key for key, one in args.items()] if arg.clashes else []
        for form in arg.forms(arg.value):
            fault = _fault(row, plain, name, form, arg, others, lambda got: same(read(got), answer))
            if fault:
                yield f"{name} = {_shown(form)}: {fault}"
        for value in (*arg.edges, *nasty()) if junk else ():
            fault = _fault(row, plain, name, value, arg, others, None)
            if fault:
                yield f"{name} = {_shown(value)}: {fault}"


def _equal(one: Any, other: Any) -> bool:
    return bool(one == other)


def _shown(value: Any) -> str:
    return f"{as_repr(value)} ({type(value).__name__})"


def _fault(  # noqa: PLR0913, PLR0917 -- a call, what is replaced, and what is expected
    row: Row,
    plain: Mapping[str, Any],
    name: str,
    value: Any,
    arg: Arg,
    others: list[str],
    same: Callable[[Any], bool] | None,
) -> str:
    """What is wrong with a call with one argument replaced, "" if nothing is.

    ``same`` tells whether an answer is that for the plain value; None if any will do.
    """
    assert arg.rule is not None
    good = keeps(arg.rule, value)
    try:
        got = row.function(**{**plain, name: value})
    except ValueError as error:
        if good and (same is not None or not arg.clashes):
            return f"good, but refused: {error}"
        names = [arg.said or name, *(others if good is not False else [])]
        return _misworded(error, names, value if same is None and good is False else None)
    except Exception as error:  # noqa: BLE001 -- which one it is, is the fault
        return f"{type(error).__name__}: {error}"
    if good is False:
        return "no good, but used"
    return "" if same is None or same(got) else "another answer"


def _misworded(error: ValueError, names: Iterable[str], value: Any) -> str:
    """What is wrong with a refusal: raised elsewhere, no sentence, no name, or not the value."""
    message = str(error)
    raised_in = traceback.extract_tb(error.__traceback__)[-1].filename
    if not raised_in.startswith(PACKAGE):
        return f"raised in {raised_in}: {message}"
    if not any(name in message for name in names):
        return f"does not name {' or '.join(names)}: {message}"
    if "must" not in message or len(message) >= 300:
        return f"no sentence: {message}"
    if value is not None and not mentions(value, message):
        return f"does not show the value: {message}"
    return ""
