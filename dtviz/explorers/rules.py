"""What a link may set: the values that Python's validators accept, told to the page.

A reader's link must never show what Python would refuse. So nothing is declared twice: the
validators are asked. `one_of` and `on_grid` tell their choices, and where numbers are accepted from
a least to a largest, both are found by halving, to the last bit.
"""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any

import traitlets as t

__all__ = ["Rule", "asked", "rule_of", "validated"]

Rule = dict[str, Any]

SAFE = 2**53 - 1
"""The largest integer that both languages have."""

MOST_ITEMS = 4096
CANDIDATES = (0, 1, 0.5, 0.25, 0.1, 0.01, 0.75, 2, 3, 5, 10, 100, -1)
"""Where to begin to look for numbers, if the trait has none yet."""

ODD_TEXT = "\N{SNOWMAN} no such thing"

_asked: ContextVar[list[tuple[str, list[Any]]] | None] = ContextVar("asked", default=None)


def asked(kind: str, choices: Iterable[Any]) -> bool:
    """Return whether a validator is asked for its choices, and if so take them down."""
    notes = _asked.get()
    if notes is not None:
        notes.append((kind, list(choices)))
    return notes is not None


def rule_of(explorer: t.HasTraits, name: str) -> Rule:
    """Return what a link may set a trait to.

    Parameters
    ----------
    explorer : HasTraits
        The explorer, made and in a valid state.
    name : str
        One of its traits.

    Returns
    -------
    dict
        ``type``: "bool", "text", "int", "float", "list" of
        numbers, or "any", which only a ``check`` judges.
        ``choices``, all values there are (``near``: but for rounding); or ``low`` and ``high``, the
        least and largest number; or ``free``, any text. ``item``, the rule of a list's items, with
        ``most`` of them. ``none``: None is accepted. ``check``: the page's own judge, by the tag
        of the trait. A rule with none of these is one that no link meets.

    Examples
    --------
    >>> from dtviz.explorers.rules import rule_of
    >>> import dtviz as dt
    >>> rule_of(dt.GrowingExplorer(), "gamma")["choices"][:3]
    [0.04, 0.06, 0.08]
    >>> rule_of(dt.InfluenceExplorer(), "epsilon")
    {'type': 'float', 'low': 0.0, 'high': 0.5}
    """
    trait = explorer.traits()[name]

    def accepts(value: object) -> bool:
        try:
            validated(explorer, name, value)
        except (t.TraitError, ValueError, TypeError, OverflowError):
            return False
        return True

    rule = _plain_rule(trait, getattr(explorer, name), accepts)
    notes = _choices(explorer, name)
    if notes:
        kind, choices = notes[-1]
        rule = {"type": rule["type"], "choices": choices}
        rule |= {"near": True} if kind == "near" else {}
    if trait.allow_none:
        rule["none"] = True
    if check := trait.metadata.get("check"):
        rule["check"] = check
    return rule


def validated(explorer: t.HasTraits, name: str, value: object) -> object:
    """Return what a trait would hold if it were set, and leave it as it is.

    Raises
    ------
    traitlets.TraitError
        If the trait refuses the value.
    """
    return explorer.traits()[name]._validate(explorer, value)  # noqa: SLF001


def _choices(explorer: t.HasTraits, name: str) -> list[tuple[str, list[Any]]]:
    """Return the choices that the validator of a trait names."""
    value = getattr(explorer, name)
    if value is None:
        return []
    token = _asked.set([])
    try:
        validated(explorer, name, value)
        return _asked.get() or []
    finally:
        _asked.reset(token)


def _plain_rule(trait: Any, value: Any, accepts: Callable[[Any], bool]) -> Rule:
    """Return the type of a trait, and its range if it is one of numbers."""
    if isinstance(trait, t.Bool):
        return {"type": "bool"}
    if isinstance(trait, t.Unicode):
        return {"type": "text"} | ({"free": True} if accepts(ODD_TEXT) else {})
    if isinstance(trait, t.Int | t.Float):
        kind = "int" if isinstance(trait, t.Int) else "float"
        return {"type": kind} | _range(kind, value, accepts)
    if isinstance(trait, t.List):
        return _list_rule(accepts)
    return {"type": "any"}


def _list_rule(accepts: Callable[[Any], bool]) -> Rule:
    """Return the rule of a list of numbers, each of which may be any of a range."""
    kind = "float" if accepts([0.5]) else "int"
    limits = _range(kind, None, lambda x: accepts([x]))
    if not limits or not accepts([]):
        return {"type": "any"}
    item = limits["high"]
    most = _last(1, MOST_ITEMS, lambda count: accepts([item] * count))
    return {"type": "list", "item": {"type": kind} | limits, "most": most}


def _range(kind: str, value: Any, accepts: Callable[[Any], bool]) -> Rule:
    """Return the least and the largest number accepted; nothing if there are gaps between."""
    known = [x for x in (value, *CANDIDATES) if x is not None and (kind == "float" or x == int(x))]
    start = next((x for x in known if accepts(x)), None)
    if start is None:
        return {}
    if kind == "int":
        low = -_last(-int(start), SAFE, lambda k: accepts(-k))
        high = _last(int(start), SAFE, accepts)
        drawn: Iterable[float] = (random.Random(k).randint(low, high) for k in range(8))  # noqa: S311
        limits: Rule = {"low": low, "high": high}
    else:
        least, largest = _place(-math.inf) + 1, _place(math.inf) - 1
        at = _place(float(start))
        low_at = -_last(-at, -least, lambda k: accepts(_number(-k)))
        high_at = _last(at, largest, lambda k: accepts(_number(k)))
        limits = {"low": _number(low_at), "high": _number(high_at)}
        drawn = (random.Random(k).uniform(*limits.values()) for k in range(8))  # noqa: S311
    return limits if all(accepts(x) for x in drawn) else {}


def _last(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the last integer up to ``high`` where it holds, as it does at ``low``."""
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def _place(x: float) -> int:
    """Return the place of a number among all of them, 0 for zero."""
    bits: int = struct.unpack("<q", struct.pack("<d", x))[0]
    return bits if bits >= 0 else -(bits + 2**63)


def _number(place: int) -> float:
    """Return the number at a place."""
    bits = place if place >= 0 else -place - 2**63
    x: float = struct.unpack("<d", struct.pack("<q", bits))[0]
    return x
