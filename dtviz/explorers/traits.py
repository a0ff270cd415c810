"""Text and numbers as traits of explorers, with the choices or the range that they allow.

A reader's link must never show what Python would refuse: `rule_of` reads both for the page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import traitlets as t

from dtviz.core.checks import as_repr
from dtviz.core.hints import did_you_mean
from dtviz.explorers.fixed import FixedList

__all__ = [
    "BIAS",
    "HALF",
    "NATURAL",
    "OPEN_UNIT",
    "UNIT",
    "Integer",
    "Limited",
    "Limits",
    "Number",
    "Numbers",
    "Rule",
    "Text",
    "accepted",
    "integers",
    "rule_of",
    "validated",
]


Rule = dict[str, Any]
"""What a link may set a trait to: `rule_of` says more."""

SAFE = 2**53 - 1
"""The largest integer that both languages have."""


class Limits(NamedTuple):
    """The least and the largest number that a trait accepts, and the rule in words."""

    low: float
    high: float
    rule: str


BELOW_ONE = math.nextafter(1.0, 0.0)
UNIT = Limits(0.0, 1.0, "a number from 0 to 1")
HALF = Limits(0.0, 0.5, "a number from 0 to 1/2")
OPEN_UNIT = Limits(math.ulp(0.0), BELOW_ONE, "in the open interval (0, 1)")
# Of less, points of six variables would have a probability that is lost in rounding.
BIAS = Limits(1e-40, BELOW_ONE, "from 1e-40 to below 1")
NATURAL = Limits(0, math.inf, "an integer >= 0")


def integers(low: int, high: int) -> Limits:
    """The integers from ``low`` to ``high``."""
    return Limits(low, high, f"an integer from {low} to {high}")


def accepted(
    proposal: dict[str, Any], rule: str, *, holds: bool, known: Iterable[object] = ()
) -> Any:
    """Return the value proposed for a trait if its rule holds, else say what the rule is."""
    if not holds:
        value = proposal["value"]
        msg = f"{proposal['trait'].name} must be {rule}, got {as_repr(value)}"
        raise t.TraitError(msg + did_you_mean(value, known))
    return proposal["value"]


class Limited(t.TraitType[Any, Any]):
    """A trait with choices, a range, or neither. True, which Python takes for 1, is no number.

    Parameters
    ----------
    choices : iterable, or function of the explorer, optional
        All values there are; of a `Number`, but for rounding.
    within : Limits, optional
        The range of a number.
    show : callable
        Makes texts of the choices, for the message.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.RankExplorer(dt.functions.parity(2), m=True)
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: The 'm' trait of a RankExplorer instance expected an int, not \
the bool True.
    """

    def __init__(
        self,
        default: Any = t.Undefined,
        *,
        choices: Iterable[Any] | Callable[[Any], Iterable[Any]] | None = None,
        within: Limits | None = None,
        show: Callable[[object], str] = str,
        **more: Any,
    ) -> None:
        super().__init__(default, **more)
        self.choices, self.within, self.show = choices, within, show

    def choices_of(self, explorer: Any) -> list[Any]:
        """Return the values there are to choose from."""
        found: Any = self.choices
        return list(found(explorer) if callable(found) else found)

    def validate(self, obj: Any, value: Any) -> Any:
        """Return a value of the right type if it is allowed, else say what is."""
        if isinstance(value, bool | np.bool_):
            self.error(obj, value)
        value = super().validate(obj, value)  # type: ignore[misc] # of the trait beside this one
        known: list[Any] = []
        if self.choices is not None:
            known = self.choices_of(obj)
            if isinstance(self, Number):
                near = min(known, key=lambda entry: abs(entry - value))
                value = near if abs(near - value) < 1e-9 else value
            rule, holds = f"one of {', '.join(map(self.show, known))}", value in known
        elif self.within is not None:
            holds = self.within.low <= value <= self.within.high
            rule = f"None or {self.within.rule}" if self.allow_none else self.within.rule
        else:
            return value
        return accepted({"trait": self, "value": value}, rule, holds=holds, known=known)

    def rule(self, explorer: Any) -> Rule:
        """Return what of `rule_of` the choices or the range are."""
        if self.choices is not None:
            found: Rule = {"choices": self.choices_of(explorer)}
            return found | ({"near": True} if isinstance(self, Number) else {})
        if self.within is not None:
            return _range(self.within)
        return {"free": True} if isinstance(self, Text) else {}


class Text(Limited, t.Unicode[str, Any]):
    """A text."""


class Integer(Limited, t.Int[Any, Any]):
    """An integer."""


class Number(Limited, t.Float[float, float]):
    """A float: an integer too large for one, of which traitlets makes an error, is infinite.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.InfluenceExplorer(dt.functions.parity(2), epsilon=10**400)
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: epsilon must be a number from 0 to 1/2, got inf
    """

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value as a float, or refuse it."""
        if isinstance(value, int | np.floating) and not isinstance(value, bool):
            try:
                value = float(value)
            except OverflowError:
                value = math.inf if value > 0 else -math.inf
        return super().validate(obj, value)


class Numbers(FixedList):
    """A list of at most so many numbers, each within limits."""

    def __init__(self, kind: Limited, most: int, within: Limits, **more: Any) -> None:
        super().__init__(kind, **more)
        self.tag(items=(most, within))

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the numbers, or say what they must be."""
        numbers: Any = super().validate(obj, value)
        most, (low, high, rule) = self.metadata["items"]
        holds = len(numbers) <= most and all(low <= number <= high for number in numbers)
        proposal = {"trait": self, "value": numbers}
        return accepted(proposal, f"at most {most} numbers, each {rule}", holds=holds)


# -- what a link may set: read from the traits, so that nothing is declared twice ----------------


def rule_of(explorer: Any, name: str) -> Rule:
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
        A ``Rule``, as ``static/hosting/link.js`` describes it.

    Examples
    --------
    >>> from dtviz.explorers.traits import rule_of
    >>> import dtviz as dt
    >>> rule_of(dt.GrowingExplorer(), "gamma")["choices"][:3]
    [0.04, 0.05, 0.06]
    >>> rule_of(dt.InfluenceExplorer(), "epsilon")
    {'type': 'float', 'low': 0.0, 'high': 0.5}
    """
    trait: Any = explorer.traits()[name]
    rule: Rule = {"type": _kind(trait)}
    if name == getattr(explorer, "_choice", None):
        rule["choices"] = list(getattr(explorer, explorer._offers))  # noqa: SLF001
    elif isinstance(trait, Limited):
        rule |= trait.rule(explorer)
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
    trait: Any = explorer.traits()[name]
    # The second is skipped by the first while a trait is being set.
    return trait._cross_validate(explorer, trait._validate(explorer, value))  # noqa: SLF001


def _kind(trait: object) -> str:
    kinds = ((t.Bool, "bool"), (t.Unicode, "text"), (Integer, "int"), (Number, "float"))
    return next((kind for base, kind in kinds if isinstance(trait, base)), "any")


def _range(limits: Limits) -> Rule:
    return {"low": limits.low, "high": min(limits.high, SAFE)}
