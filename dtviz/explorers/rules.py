"""What a link may set: the values that the traits of an explorer accept, for the page.

A reader's link must never show what Python would refuse. So nothing is declared twice: choices and
ranges are read from the traits themselves (`dtviz.explorers.traits`).
"""

from __future__ import annotations

from typing import Any

import traitlets as t

from dtviz.explorers.traits import Integer, Limited, Limits, Number

__all__ = ["Rule", "rule_of", "validated"]

Rule = dict[str, Any]

SAFE = 2**53 - 1
"""The largest integer that both languages have."""


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
    trait: Any = explorer.traits()[name]
    rule: Rule = {"type": _kind(trait)}
    if name == getattr(explorer, "_choice", None):
        chooser: Any = explorer
        rule["choices"] = list(getattr(explorer, chooser._offers))  # noqa: SLF001
    elif isinstance(trait, Limited):
        rule |= _limited(trait, explorer)
    elif items := trait.metadata.get("items"):
        most, limits = items
        item = {"type": _kind(trait._trait)} | _range(limits)  # noqa: SLF001
        rule = {"type": "list", "item": item, "most": most}
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


def _kind(trait: object) -> str:
    kinds = ((t.Bool, "bool"), (t.Unicode, "text"), (Integer, "int"), (Number, "float"))
    return next((kind for base, kind in kinds if isinstance(trait, base)), "any")


def _limited(trait: Limited, explorer: object) -> Rule:
    if trait.choices is not None:
        rule: Rule = {"choices": trait.choices_of(explorer)}
        return rule | ({"near": True} if isinstance(trait, Number) else {})
    if trait.within is not None:
        return _range(trait.within)
    return {"free": True} if isinstance(trait, t.Unicode) else {}


def _range(limits: Limits) -> Rule:
    return {"low": limits.low, "high": min(limits.high, SAFE)}
