"""The ground floor: what two chapters share."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dtviz.core.hints import what_is


def lazy(
    package: str, public: Sequence[str], modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make the ``__getattr__`` and ``__dir__`` of a package that imports some names on demand.

    Parameters
    ----------
    package : str
        The name of the package, for the message.
    public : sequence of str
        All its public names: what ``dir`` lists.
    modules : mapping of str to str
        For each name that loads on demand the module that holds it, or that it names.
    """

    def load(name: str) -> Any:
        if name not in modules:
            msg = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(msg + what_is(name, public))
        module = importlib.import_module(modules[name])
        return module if modules[name].endswith(f".{name}") else getattr(module, name)

    return load, lambda: sorted(public)
