"""Every public function, each argument replaced: a right answer, or a word of what is wrong.

What is called, and with what, stands in `support.calls`. The same value of another type must give
the same answer, another good value an answer, and all else a ValueError from within the package
that names the argument, the rule and the value. A warning fails, too. An answer neither changes an
array that it was made from, nor with it.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import FunctionType, MethodType
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from matplotlib.axes import Axes
from matplotlib.text import Text
from support.calls import ELSEWHERE, Call, calls, public
from support.nasty import PACKAGE, mentions

import dtviz as dt
from dtviz.core.checks import as_repr
from dtviz.plot import TreeDrawing

CALLS = [*calls()]
UNSHRUNK = (Phase.explicit, Phase.generate)
"""The argument is what tells; a smaller value would take minutes to find."""


PARTS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (np.longdouble, float),
    ((np.ndarray, np.generic), lambda array: array.tolist()),
    (dt.Tree, dt.Tree.to_dict),
    (dt.BooleanFunction, lambda f: (f.n, f.table)),
    (TreeDrawing, lambda d: (d.nodes, d.notes, d.branches, d.layout.x)),
    (Axes, lambda ax: (ax.texts, [line.get_xydata() for line in ax.lines], len(ax.patches))),
    (Text, lambda text: (text.get_text(), text.get_position(), text.get_color())),
    ((FunctionType, MethodType, functools.partial), type),
)
"""What tells one answer of a type from another."""


def as_data(answer: Any) -> Any:
    """All that an answer holds but names of columns, as plain data."""
    if isinstance(answer, float):
        return "NaN" if math.isnan(answer) else answer
    if isinstance(answer, Mapping):
        return {key: as_data(answer[key]) for key in answer if "names" not in str(key)}
    if isinstance(answer, Iterable) and not isinstance(answer, (str, np.ndarray)):
        return [as_data(entry) for entry in answer]
    for kind, plain in PARTS:
        if isinstance(answer, kind):
            return as_data(plain(answer))
    if dataclasses.is_dataclass(answer):
        return as_data({one.name: getattr(answer, one.name) for one in dataclasses.fields(answer)})
    state = getattr(answer, "__dict__", None)
    return as_data(state) if state and not isinstance(answer, type) else answer


def near(one: Any, other: Any) -> bool:
    """Whether two answers differ by rounding at most."""
    if isinstance(one, (list, tuple)) and isinstance(other, type(one)):
        return len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[key], other[key]) for key in one)
    if isinstance(one, (int, float, Fraction)) and isinstance(other, (int, float, Fraction)):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-15)
    return bool(one == other)


def outcome(call: Call, plain: Mapping[str, Any], name: str, value: Any) -> tuple[Any, str]:
    """What a call with one argument replaced answers, and "refused", or what else was raised."""
    try:
        return call.function(**{**plain, name: value}), ""
    except ValueError as error:
        return error, "refused"
    except Exception as error:  # noqa: BLE001 -- which one it is, is the fault
        return error, f"{type(error).__name__}: {error}"


def misworded(error: ValueError, said: Iterable[str], value: Any) -> str:
    """What is wrong with a refusal: raised elsewhere, no sentence, no name, or not the value."""
    message = str(error)
    raised_in = traceback.extract_tb(error.__traceback__)[-1].filename
    if not raised_in.startswith(PACKAGE):
        return f"raised in {raised_in}: {message}"
    if not any(name in message for name in said):
        return f"does not name {' or '.join(said)}: {message}"
    if "must" not in message or len(message) >= 300:
        return f"no sentence: {message}"
    if value is not None and not mentions(value, message):
        return f"does not show the value: {message}"
    return ""


def faults(call: Call, plain: dict[str, Any]) -> Iterator[str]:
    """What is wrong with calls in which one argument is of another type, or another value."""
    expected = as_data(call.function(**plain))
    names = [kind.said or key for key, kind in call.kinds.items()]
    for name, kind in call.kinds.items():
        for value, good, same in kind.cases(plain[name]):
            got, fault = outcome(call, plain, name, value)
            if fault == "refused":
                others = names if kind.clashes and good is not False else []
                shows = value if good is False and kind.is_shown and not same else None
                fault = misworded(got, [kind.said or name, *others], shows)
                if good and (same or not kind.clashes):
                    fault = f"good, but refused: {got}"
            elif not fault and good is False:
                fault = "no good, but used"
            elif not fault and same and not near(as_data(got), expected):
                fault = "another answer"
            if fault:
                yield shown(name, value, fault)


def shared(call: Call, plain: dict[str, Any]) -> Iterator[str]:
    """What an answer changes, and what changes an answer, of arrays in the types it may keep."""
    for name, value in plain.items():
        numbers = np.array(value if isinstance(value, list) else "")
        for kind in ("f8", "f4", "i8", "i1", "?") if numbers.dtype.kind in "if" else ():
            for sound in (numbers.astype(kind), (numbers / 2).astype(kind)):
                array = sound.copy()
                try:
                    answer = call.function(**{**plain, name: array})
                except ValueError:
                    continue
                expected = as_data(answer)
                if (array != sound).any() or not array.flags.writeable:
                    yield shown(name, sound, "changed")
                    continue
                array[...] = sound == 0
                if not near(as_data(answer), expected):
                    yield shown(name, sound, "the answer changes with it")


def shown(name: str, value: Any, fault: str) -> str:
    return f"{name} = {as_repr(value)} ({type(value).__name__}): {fault}"


@pytest.mark.parametrize("call", CALLS, ids=[call.name for call in CALLS])
def test_each_argument_is_used_or_refused_by_name(call: Call) -> None:
    # A picture takes long, and hardly depends on the other arguments.
    @settings(max_examples=1 if call.name.startswith("plot.") else 2, phases=UNSHRUNK)
    @given(plain=call.plain)
    def check(plain: dict[str, Any]) -> None:
        # The first alone, since a limit that is missing may make the next call last for years.
        assert next(itertools.chain(faults(call, plain), shared(call, plain)), "") == ""

    check()


def test_what_is_left_out_is_there_to_be_left_out() -> None:
    names = [name for name, _, _ in public()]
    assert [part for part in ELSEWHERE if not any(part in name for name in names)] == []
