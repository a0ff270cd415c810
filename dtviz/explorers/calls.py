"""The line of Python that makes an explorer again, which its page shows to be copied."""

from __future__ import annotations

import ast
import inspect
from typing import Any

__all__ = ["how_made"]


def how_made(explorer: Any) -> dict[str, Any]:
    """Return the call that makes an explorer, less its traits, and what these are without.

    Where objects were given (functions, a table), the name of the argument stands for each, and
    plain values for themselves. What a class sets by itself may depend on objects; then traits that
    were set beside them have no default here, and are always written out.
    """
    (given, named), rules = explorer._made_with, explorer._rules  # noqa: SLF001
    own = {name: value for name, value in named.items() if name not in rules}
    bound = inspect.signature(type(explorer).__init__).bind_partial(explorer, *given, **own)
    objects, in_order = [], True
    for name, parameter in list(bound.signature.parameters.items())[1:]:
        value = bound.arguments.get(name)
        if value is None:
            in_order = False
        elif parameter.kind is not parameter.VAR_KEYWORD:
            text = _as_written(name, value)
            objects.append(text if in_order else f"{name}={text}")
    shown = [name for name in ("views", "controls") if getattr(explorer, name) is not None]
    objects += [f"{name}={getattr(explorer, name)!r}" for name in shown]
    defaults = {name: getattr(explorer, name) for name in rules if name not in named}
    if len(objects) == len(shown):
        for name in set(rules) & set(named):
            plain = explorer.traits()[name].default(explorer)
            choices = rules[name].get("choices", [plain])
            defaults[name] = plain if plain in (None, *choices) else choices[0]
    return {"name": f"dt.{type(explorer).__name__}", "objects": objects, "defaults": defaults}


def _as_written(name: str, value: object) -> str:
    """Return a plain value as Python writes it, if that is short; else the name for it."""
    text = "" if callable(getattr(value, "__array__", None)) else repr(value)
    try:
        plain = len(text) < 120 and ast.literal_eval(text) == value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return name
    return text if plain else name
