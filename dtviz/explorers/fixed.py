"""Lists and dictionaries that refuse a change in place: traits, and what an explorer offers.

A change in place would go unnoticed: no rule would check it, and no page would show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, NoReturn, TypeVar

import traitlets as t

__all__ = ["FixedAny", "FixedDict", "FixedList", "Offered"]

T = TypeVar("T")


class _Refusing:
    """What a list or a dictionary of an explorer says to changes in place."""

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


class _List(_Refusing, list[Any]):
    pass


class _Dict(_Refusing, dict[str, Any]):
    pass


def _fixed(rule: str, value: Any) -> Any:
    """A value whose lists and dictionaries refuse to be changed, by what rule."""
    if not isinstance(value, dict | list):
        return value
    found: Any = _List(_fixed(rule, one) for one in value)
    if isinstance(value, dict):
        found = _Dict({key: _fixed(rule, one) for key, one in value.items()})
    found.rule = rule
    return found


class Offered(Generic[T]):
    """The attribute that holds what an explorer offers, by name: set once, where it is made.

    Its page has the same, and so nothing can be changed.
    """

    def __init__(self, argument: str = "") -> None:
        self.argument = argument  # that gives them, if it goes by another name

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.argument = self.argument or name

    def __get__(self, explorer: Any, owner: type | None = None) -> dict[str, T]:
        if explorer is None:  # asked of the class
            raise AttributeError(self.name)
        offered: dict[str, T] = vars(explorer)[f"_{self.name}"]
        return offered

    def __set__(self, explorer: Any, value: Mapping[str, T]) -> None:
        rule = (
            f"{self.name} of an explorer stay as they were when it was made, since its page has "
            f"them too: make another explorer and give it {self.argument}=..."
        )
        if f"_{self.name}" in vars(explorer):
            raise AttributeError(rule)
        vars(explorer)[f"_{self.name}"] = _fixed(rule, dict(value))


class _Fixed(t.TraitType[Any, Any]):
    """A trait that gives what it holds as something that cannot be changed in place."""

    def get(self, obj: Any, cls: Any = None) -> Any:
        """Return the value of the trait."""
        value = super().get(obj, cls)
        if isinstance(value, list | dict) and not isinstance(value, _Refusing):
            rule = (
                f"{self.name} of an explorer is changed as a whole, so that its page hears of it: "
                f"explorer.{self.name} = ..., got a change in place"
            )
            value = obj._trait_values[self.name] = _fixed(rule, value)  # noqa: SLF001
        return value


class FixedList(_Fixed, t.List[Any]):
    """A list.

    Examples
    --------
    >>> import dtviz as dt
    >>> explorer = dt.ProductExplorer(dt.functions.parity(2), biases=[0.9])
    >>> explorer.biases.append(2.0)
    Traceback (most recent call last):
        ...
    TypeError: biases of an explorer is changed as a whole, so that its page hears of it: \
explorer.biases = ..., got a change in place
    >>> explorer.biases = [*explorer.biases, 0.1]
    >>> explorer.biases
    [0.9, 0.1]
    """


class FixedDict(_Fixed, t.Dict):
    """A dictionary."""


class FixedAny(_Fixed, t.Any):
    """Anything, which may be a list."""
