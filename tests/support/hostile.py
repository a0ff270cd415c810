"""Calls with hostile sizes, a process of their own: each must answer, or refuse in a sentence.

``python -m support.hostile`` makes them one after another and writes for each, on a line: its name,
how it ended, and the seconds it took. Memory is limited, so that what would swallow the machine
fails.
"""

from __future__ import annotations

import itertools
import resource
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from hypothesis import Phase, given, settings

import dtviz as dt
from support.calls import Call, calls

MEMORY = 6 << 30
"""Address space in bytes: a few times what the largest answer takes."""

HUGE = (10**4, 10**6, 10**9, 10**19, 10**400)
REALS = (1e308, 1e-308, 1e-17, 10**400, 0.5)

from_text = dt.BooleanFunction.from_text
TEXTS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "a formula": (lambda n, i: from_text(f"x{written(i)} & ~x0", n), {"n": 2, "i": 1}),
    "a table": (lambda n, i: from_text(f"0x{written(i)}", n), {"n": 2, "i": 1}),
    "a sequence": (
        lambda k: dt.functions.threshold(itertools.repeat(1, min(k, sys.maxsize)), 1),
        {"k": 2},
    ),
    "a row of a table": (lambda k: dt.table([(1,)], ["n"], highlight=k), {"k": 0}),
}
"""What is large in itself, with arguments that are small."""


def arguments(call: Call) -> dict[str, Any]:
    """Arguments that work, not the simplest ones."""
    drawn: list[dict[str, Any]] = []
    draw = given(call.plain)(lambda plain: drawn.append(plain))  # noqa: PLW0108 -- Hypothesis names it
    settings(max_examples=2, derandomize=True, database=None, phases=[Phase.generate])(draw)()
    return drawn[-1]


def sizes(value: Any) -> list[Any]:
    """Hostile values in place of a number, or of the first two of a list of numbers."""
    if isinstance(value, list) and len(value) > 1 and not isinstance(value[0], list):
        return [[big, big, *value[2:]] for big in sizes(value[0])]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return []
    return [*(REALS if isinstance(value, float) else HUGE)]


def hostile() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every call with one or two hostile arguments, or all of them, and what it is called."""
    known = [
        (call.name, call.function, arguments(call)) for call in calls() if "plot" not in call.name
    ]
    for name, function, plain in [*known, *((name, *TEXTS[name]) for name in TEXTS)]:
        found = {key: sizes(value) for key, value in plain.items()}
        large = {key: values for key, values in found.items() if values}
        pairs = itertools.combinations((key for key in large if isinstance(plain[key], int)), 2)
        for keys in dict.fromkeys([*((key,) for key in large), *pairs, (*large,)]):
            for values in zip(*(large[key] for key in keys), strict=True):
                changed = dict(zip(keys, values, strict=True))
                text = ", ".join(f"{key}={written(value)}" for key, value in changed.items())
                yield f"{name}({text})", partial(function, **{**plain, **changed})


def written(value: object) -> str:
    """A value in a few characters."""
    return repr(value).replace(repr(10**400), "10**400")


def main() -> None:
    """Make every call."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    np.seterr(divide="raise", invalid="raise")
    for name, call in hostile():
        sys.stdout.write(f"{name}\t")
        sys.stdout.flush()
        start = time.perf_counter()
        try:
            call()
            ended = "answer"
        except Exception as error:  # noqa: BLE001 -- which one it is, is what is asked
            ended = f"{type(error).__name__}: {str(error)[:300]}".replace("\n", " ")
        sys.stdout.write(f"{ended}\t{time.perf_counter() - start:.2f}\n")


if __name__ == "__main__":
    main()
