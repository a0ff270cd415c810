"""The ground floor: what two chapters share.

Checks and names lie at its top, functions in ``boolean``, examples in ``data``. ``Tree`` is in
``tree``, above both, and what grows one in ``boolean_trees`` and ``cart``.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dtviz.core.hints import what_is


def lazy(
    package: str, public: Sequence[str], modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make the ``__getattr__`` and ``__dir__`` of a package that imports some names on demand.

    ``public`` are all names that ``dir`` lists; ``modules`` says for each that loads on demand
    which module holds it, or is it.
    """

    def load(name: str) -> Any:
        if name not in modules:
            msg = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(msg + what_is(name, public, vars(sys.modules[package])))
        module = importlib.import_module(modules[name])
        return module if modules[name].endswith(f".{name}") else getattr(module, name)

    return load, lambda: sorted(public)
