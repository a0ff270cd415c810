"""Traits of explorers: each is synced, changes as a whole, and says its rule when it refuses.

A reader's link must never show what Python would refuse: `rule_of` reads the rules for the page,
which also makes a plain control of each trait with a label:
``gamma = Number(0.2, within=HALF).tag(label="Edge, γ", step=0.01)``. A trait that took the place of
another says what a link may still call it, ``once={"cost": ["sqrt", "entropy"]}``: old texts, of
which the new value is the place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple, NoReturn

import numpy as np
import traitlets as t

from dtviz.core.checks import as_repr
from dtviz.core.hints import did_you_mean

Rule = dict[str, Any]
"""What a link may set a trait to, as ``static/hosting/link.js`` describes it."""

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
# Those of `dtviz.impurity.cost_at`.
POSITIONS = Limits(0.0, 3.0, "a number from 0 to 3")
NATURAL = Limits(0, math.inf, "an integer >= 0")


def integers(low: int, high: int) -> Limits:
    """The integers from ``low`` to ``high``."""
    return Limits(low, high, f"an integer from {low} to {high}")


def check_proposal(
    proposal: dict[str, Any], rule: str, *, holds: bool, known: Iterable[object] = ()
) -> Any:
    """Return the value proposed for a trait if its rule holds, else say what the rule is."""
    if not holds:
        value = proposal["value"]
        msg = f"{proposal['trait'].name} must be {rule}, got {as_repr(value)}"
        raise t.TraitError(msg + did_you_mean(value, known))
    return proposal["value"]


class _Whole:
    rule = ""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(self.rule)

    append = clear = extend = insert = pop = popitem = remove = _refuse
    reverse = setdefault = sort = update = _refuse
    __delitem__ = __iadd__ = __imul__ = __ior__ = __setitem__ = _refuse

    def __reduce_ex__(self, _: Any) -> tuple[Any, ...]:
        """Let copies be plain ones, which may be changed."""
        plain: Any = list if isinstance(self, list) else dict
        return plain, (plain(self),)


class _List(_Whole, list[Any]):
    pass


class _Dict(_Whole, dict[str, Any]):
    pass


def as_whole(value: Any, rule: str) -> Any:
    """A value whose lists and dictionaries refuse to be changed, by what rule."""
    if not isinstance(value, dict | list):
        return value
    found: Any = _List(as_whole(one, rule) for one in value)
    if isinstance(value, dict):
        found = _Dict({key: as_whole(one, rule) for key, one in value.items()})
    found.rule = rule
    return found


class Setting(t.TraitType[Any, Any]):
    """Anything that ``read`` accepts: the base of the other kinds.

    A trait has ``choices``, all values there are or a function of the explorer that returns them,
    or is a number ``within`` limits, or a function reads it, which raises a ValueError that says
    what is wrong. Where no rule says what a link may bring, ``check`` names what judges in the
    page. If the default is None, None is always allowed.
    """

    kind: ClassVar[str] = "any"
    words: str = "a plain value"
    default_value: Any

    def __init__(
        self,
        default: Any = t.Undefined,
        *,
        choices: Iterable[Any] | Callable[[Any], Iterable[Any]] | None = None,
        within: Limits | None = None,
        read: Callable[[Any], Any] | None = None,
        check: str = "",
    ) -> None:
        super().__init__(default, allow_none=default is None)
        self.choices, self.within, self.read = choices, within, read
        self.tag(sync=True, check=check)

    def cast(self, value: Any) -> Any:
        """Return a value as this kind holds it, Undefined if it is of another type."""
        return value

    def choices_of(self, explorer: Any) -> list[Any]:
        """Return the values there are to choose from; none if there is no such list."""
        found: Any = self.choices
        return list((found(explorer) if callable(found) else found) or ())

    def rule_in_words(self, explorer: Any) -> str:
        """Return what a value must be."""
        known = f"one of {', '.join(map(str, self.choices_of(explorer)))}"
        own = self.within.rule if self.within else self.words
        rule = own if self.choices is None else known
        return f"None or {rule}" if self.allow_none else rule

    def holds(self, value: Any, known: list[Any]) -> bool:
        """Whether a value of the right type is allowed."""
        if self.choices is not None:
            return value in known
        return self.within is None or self.within.low <= value <= self.within.high

    def validate(self, obj: Any, value: Any) -> Any:
        """Return a value as the trait holds it, or say what it must be."""
        known, found = self.choices_of(obj), self.cast(value)
        if self.kind == "float" and found is not t.Undefined:
            found = next((one for one in known if abs(one - found) < 1e-9), found)
        holds = found is not t.Undefined and self.holds(found, known)
        proposal = {"trait": self, "value": value}
        check_proposal(proposal, self.rule_in_words(obj), holds=holds, known=known)
        try:
            found = self.read(found) if self.read else found
        except ValueError as wrong:
            raise t.TraitError(str(wrong)) from None
        return self.whole(found)

    def whole(self, value: Any) -> Any:
        """Return a value that refuses to be changed in place, if it is a list or a dictionary."""
        rule = (
            f"{self.name} of an explorer is changed as a whole, so that its page hears of it: "
            f"explorer.{self.name} = ..., got a change in place"
        )
        return as_whole(value, rule)

    def rule(self, explorer: Any) -> Rule:
        """Return what of `rule_of` the kind, the choices and the range are."""
        found: Rule = {"type": self.kind}
        if self.choices is not None:
            found["choices"] = self.choices_of(explorer)
            return found | ({"near": True} if self.kind == "float" else {})
        if self.within is not None:
            return found | {"low": self.within.low, "high": min(self.within.high, SAFE)}
        is_free = self.kind == "text" and not self.metadata["check"]
        return found | ({"free": True} if is_free else {})


class Text(Setting):
    """A text."""

    kind, words, default_value = "text", "a text", ""

    cast = staticmethod(lambda value: value if isinstance(value, str) else t.Undefined)


class Flag(Setting):
    """True or False."""

    kind, words, default_value = "bool", "True or False", False

    cast = staticmethod(lambda value: value if isinstance(value, bool) else t.Undefined)


def _is_number(value: Any) -> bool:
    """Whether a value is a number: True, which Python takes for 1, is none."""
    real = int | float | np.integer | np.floating
    return isinstance(value, real) and not isinstance(value, bool)


class Integer(Setting):
    """An integer."""

    kind, words, default_value = "int", "an integer", 0

    def cast(self, value: Any) -> Any:
        """Return an int, also of a float that is whole."""
        return int(value) if _is_number(value) and value % 1 == 0 else t.Undefined


class Number(Setting):
    """A float: an integer too large for one is infinite."""

    kind, words, default_value = "float", "a number", 0.0

    def cast(self, value: Any) -> Any:
        """Return a float."""
        try:
            return float(value) if _is_number(value) else t.Undefined
        except OverflowError:
            return math.inf if value > 0 else -math.inf


class Items(Setting):
    """A list of at most so many items, each of them as another trait accepts it."""

    def __init__(self, item: Setting, most: float = math.inf, **more: Any) -> None:
        super().__init__(**{"default": [], **more})
        self.item, self.most = item, most
        limits = item.within.rule if item.within else item.words
        none = "None or " if item.allow_none else ""
        self.words = f"at most {most} numbers, each {none}{limits}"
        if most == math.inf:
            self.words = f"a list, each item {item.words}"

    def cast(self, value: Any) -> Any:
        """Return a list whose items are of the right kind."""
        if isinstance(value, str | np.ndarray):
            value = [value] if isinstance(value, str) else value.tolist()
        if not isinstance(value, list | tuple):
            return t.Undefined
        found = [one if self._is_none(one) else self.item.cast(one) for one in value]
        return t.Undefined if t.Undefined in found else found

    def _is_none(self, one: Any) -> bool:
        return one is None and self.item.allow_none

    def holds(self, value: Any, known: list[Any]) -> bool:
        """Whether a list of such items is allowed."""
        return len(value) <= self.most and all(
            self._is_none(one) or self.item.holds(one, known) for one in value
        )

    def rule(self, explorer: Any) -> Rule:
        """Return what of `rule_of` the items are."""
        if self.most == math.inf:
            return {"type": "any"}
        item = self.item.rule(explorer) | ({"none": True} if self.item.allow_none else {})
        return {"type": "list", "item": item, "most": self.most}


def rule_of(explorer: Any, name: str) -> Rule:
    """Return what a link may set a trait of an explorer to, which is in a valid state."""
    trait: Any = explorer.traits()[name]
    rule: Rule = trait.rule(explorer) if isinstance(trait, Setting) else {"type": "any"}
    if trait.allow_none:
        rule["none"] = True
    told = ("check", "label", "step", "once")
    return rule | {key: trait.metadata[key] for key in told if trait.metadata.get(key)}


def validate_value(explorer: t.HasTraits, name: str, value: object) -> object:
    """Return what a trait would hold if it were set, or raise its TraitError; set nothing."""
    trait: Any = explorer.traits()[name]
    # The second is skipped by the first while a trait is being set.
    return trait._cross_validate(explorer, trait._validate(explorer, value))  # noqa: SLF001
