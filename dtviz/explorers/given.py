"""What an explorer is made with: what is refused, what stays, and the call that repeats it."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from dtviz.core.checks import as_repr
from dtviz.core.hints import ours_for
from dtviz.explorers.columns import is_table
from dtviz.explorers.traits import as_whole

__all__ = ["check_given", "freeze_offer", "how_made", "name_traits", "refuse_examples"]


def check_given(kind: Any, given: tuple[object, ...]) -> None:
    """Refuse more arguments without a name than a class of explorers takes."""
    taken = list(inspect.signature(kind.__init__).parameters)[1:-1]
    if len(given) > len(taken):
        if is_table(given[0]):
            refuse_examples(kind)
        known = f"{', '.join(taken)}, and its traits" if taken else "nothing but its traits"
        raise ValueError(f"{kind.__name__} takes {known} by name, got {len(given)} without a name")


def refuse_examples(kind: Any) -> None:
    """Say where examples go, if a class of explorers does not take them."""
    if shows := kind._shows:  # noqa: SLF001
        rule = f"{kind.__name__} shows {shows}, not examples (X, y)"
        tables = "dt.ImpurityExplorer(X, y), dt.PruningExplorer(X, y)"
        raise ValueError(f"{rule}; for these write {tables} or, of 0 and 1, dt.RankExplorer(X, y)")


def name_traits(explorer: Any, wrong: str) -> str:
    """Return what traits there are, in place of one that there is not."""
    own = [trait for trait in explorer._own_names() if not trait.startswith("_")]  # noqa: SLF001
    rule = f"{type(explorer).__name__} has the traits {', '.join(own)}"
    also = ["cost"] if hasattr(type(explorer), "cost") else []
    return f"{rule}; got {as_repr(wrong)[1:-1]}{ours_for(wrong, own + also)}"


def freeze_offer(explorer: Any, name: str, value: dict[str, Any]) -> Any:
    """Return what an explorer offers as something that cannot be changed: its page has it, too."""
    rule = (
        f"{name} of an explorer stay as they were when it was made, since its page has them too: "
        f"make another explorer and give it {explorer._argument}=..."  # noqa: SLF001
    )
    return as_whole(value, rule)


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
        for name in (name for name in rules if name in named):
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
