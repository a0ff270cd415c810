"""Traits that hold lists and dictionaries, which refuse a change in place and ask for a new value.

A change in place would go unnoticed: no rule would check it, and no page would show it.
"""

from __future__ import annotations

from typing import Any, NoReturn

import traitlets as t

__all__ = ["FixedAny", "FixedDict", "FixedList"]


class _Refusing:
    """What a list or a dictionary of an explorer says to changes in place."""

    name = ""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        msg = (
            f"{self.name} of an explorer is changed as a whole, so that its page hears of it: "
            f"explorer.{self.name} = ..., got a change in place"
        )
        raise TypeError(msg)

    append = clear = extend = insert = pop = popitem = remove = _refuse
    reverse = setdefault = sort = update = _refuse
    __delitem__ = __iadd__ = __imul__ = __ior__ = __setitem__ = _refuse

    def __reduce_ex__(self, _: Any) -> tuple[Any, ...]:
        """Let copies be plain ones, which may be changed."""
        return _plain, (_plain(self),)


class _List(_Refusing, list[Any]):
    pass


class _Dict(_Refusing, dict[str, Any]):
    pass


def _plain(value: Any) -> Any:
    """A value with plain lists and dictionaries in it."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _fixed(name: str, value: Any) -> Any:
    """A value whose lists and dictionaries refuse to be changed."""
    found: Any = value
    if isinstance(value, dict):
        found = _Dict({key: _fixed(name, one) for key, one in value.items()})
    elif isinstance(value, list):
        found = _List(_fixed(name, one) for one in value)
    if isinstance(found, _Refusing):
        found.name = name
    return found


class _Fixed(t.TraitType[Any, Any]):
    """A trait that gives what it holds as something that cannot be changed in place."""

    def get(self, obj: Any, cls: Any = None) -> Any:
        """Return the value of the trait."""
        value = super().get(obj, cls)
        if isinstance(value, list | dict) and not isinstance(value, _Refusing):
            value = obj._trait_values[self.name] = _fixed(str(self.name), value)  # noqa: SLF001
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
