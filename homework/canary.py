"""Runs inside the kernel, before the student's first cell, and watches what tests rely on.

The text of this file is sent to the kernel. It keeps hold of the functions that tests lean on, so
that a replaced one is noticed; it refuses library functions while a question asks for them; and it
plants a wrong answer, which every test must then find. None of this stops somebody who knows it is
there: code in one process cannot be guarded against other code in it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

MODULES = ("builtins", "math", "operator", "numpy", "numpy.linalg", "numpy.testing", "dtviz")
# A notebook that calls a sum `sum` means no harm; one of its own `isinstance` is another matter.
JUDGES = frozenset({"AssertionError", "Exception", "abs", "all", "any", "bool", "callable"})
JUDGES |= {"float", "int", "isinstance"}
# The kernel itself exchanges these from cell to cell.
CHANGING = frozenset({"input", "get_ipython"})
HOOKS = ("ast_transformers", "input_transformers_post", "input_transformers_cleanup")


class Watchman:
    """Remembers what the kernel was like when it was new."""

    def __init__(self, shell: Any, refusable: tuple[str, ...]) -> None:
        self._shell = shell
        self._refused: set[str] = set()
        self._question = ""
        self._kept: dict[str, Any] = {}
        self._install(refusable)
        self._known = {
            (module, name): value
            for module in MODULES
            for name, value in vars(importlib.import_module(module)).items()
            if callable(value) and not name.startswith("_") and name not in CHANGING
        }
        self._hooks = {name: list(getattr(shell, name)) for name in HOOKS}
        self._own = set(vars(shell))

    def _install(self, names: tuple[str, ...]) -> None:
        library = importlib.import_module("dtviz")
        rooms = [module for name, module in sys.modules.items() if name.startswith("dtviz")]
        for name in names:
            function = getattr(library, name)
            guarded = self._guard(name, function)
            # Wherever it can be imported from.
            for room in rooms:
                if vars(room).get(name) is function:
                    setattr(room, name, guarded)

    def _guard(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def guarded(*args: Any, **options: Any) -> Any:
            caller = sys._getframe(1).f_globals.get("__name__", "")  # noqa: SLF001 - the documented way
            # The library may go on using its own.
            if name in self._refused and not caller.startswith("dtviz"):
                raise PermissionError(
                    f"question {self._question} asks you to write this yourself: dtviz.{name} "
                    "is not at hand here"
                )
            return function(*args, **options)

        return guarded

    def refuse(self, question: str, names: list[str]) -> None:
        """From now on these functions of dtviz refuse to work."""
        self._question, self._refused = question, set(names)

    def changed(self) -> list[str]:
        """What is no longer as it was."""
        found = [
            f"{module}.{name} was replaced"
            for (module, name), value in self._known.items()
            if getattr(sys.modules[module], name, None) is not value
        ]
        shell = self._shell
        found += [
            f"code is rewritten before it runs ({name})"
            for name, hooks in self._hooks.items()
            if list(getattr(shell, name)) != hooks
        ]
        found += [
            f"IPython's {name} was replaced"
            for name in sorted(set(vars(shell)) - self._own)
            if callable(getattr(type(shell), name, None))
        ]
        if sys.gettrace() is not None or sys.getprofile() is not None:
            found.append("a trace function is set")
        found += [
            f"the name {name} hides Python's own" for name in sorted(JUDGES & shell.user_ns.keys())
        ]
        return found

    def plant(self, names: list[str]) -> None:
        """Put wrong answers where the student's were."""
        space = self._shell.user_ns
        self._kept = {name: space[name] for name in names if name in space}
        for name, value in self._kept.items():
            space[name] = (lambda *_, **__: object()) if callable(value) else object()

    def restore(self) -> None:
        """Put the student's answers back."""
        self._shell.user_ns.update(self._kept)
        self._kept = {}
