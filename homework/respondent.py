"""Runs inside the student's kernel: answers what the tests ask, and refuses what a question does.

The text of this file is sent to the kernel before the student's first cell. The tests run in
another process, the examiner's, and all that comes from there are calls of the functions that a
question asks for, with values. Nothing here is worth breaking: whoever does can only give other
values, as any answer can.
"""

from __future__ import annotations

import importlib.abc
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import wraps
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import dtviz as dt
from homework.values import Post

SIGN = "dtviz:"
"""Begins what is said to the tests, so that a student's `input` is told from it."""


class Respondent:
    """Gives the tests what they ask for, in IPython's shell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._post = Post(self._send, strict=False)
        self._refusal = Refusal(shell.user_ns)
        # Who leaves `exit()` behind means no harm: it would end each kernel a moment later anew.
        shell.ask_exit = lambda: None

    def refuse(self, question: str, names: list[str]) -> None:
        """From now on these names of dtviz, and all of its inside, refuse to work."""
        self._refusal.set(question, names)

    def serve(self, names: list[str]) -> None:
        """Tell what these names stand for, and answer calls until there are no more."""
        space = self._shell.user_ns
        self._post = Post(self._send, strict=False)
        with (
            Path(os.devnull).open("w", encoding="utf-8", errors="replace") as nowhere,
            redirect_stdout(nowhere),
            redirect_stderr(nowhere),
        ):
            told = {name: self._post.pack(space[name]) for name in names if name in space}
            reply = self._send(json.dumps({"names": told}))
            while reply:
                reply = self._send(self._post.answer(json.loads(reply)))
        self._close_figures()

    def _send(self, text: str) -> str:
        reply: str = self._shell.kernel.raw_input(SIGN + text)
        return reply

    @staticmethod
    def _close_figures() -> None:
        if pyplot := sys.modules.get("matplotlib.pyplot"):
            pyplot.close("all")


class Refusal:
    """Has functions of dtviz refuse what the student's cells call while a question asks for them.

    All functions in dtviz's modules are guarded, and the making of objects of inner classes. While
    a question names some of them, those refuse, and so does all that dtviz itself does not offer: a
    chapter or its inside might hold the same answer under another name. The library goes on calling
    what it needs.
    """

    def __init__(self, space: dict[str, Any]) -> None:
        self._question = ""
        self._names: frozenset[str] = frozenset()
        self._guarded: dict[int, Any] = {}
        self._kept: list[Any] = []
        self._library: set[int] = set()
        offered = {name for name in dt.__all__ if f"dtviz.{name}" not in sys.modules}
        self._public = offered | {*dt.functions.__all__}
        # What may not be imported stands there as None.
        held: list[Any] = [*sys.modules.values()]
        others = {id(vars(module)) for module in held if isinstance(module, ModuleType)}
        self._others = others - {id(space)}
        for name in sorted(sys.modules):
            if _ours(name):
                self.begin(sys.modules[name])
                self.guard(sys.modules[name])
        sys.meta_path.insert(0, _Finder(self))

    def set(self, question: str, names: list[str]) -> None:
        """From now on refuse these names, and the inside of dtviz if there are any."""
        self._question, self._names = question, frozenset(names)

    def begin(self, module: ModuleType) -> None:
        """Take a module of dtviz, which is about to be run, for the library's."""
        self._library.add(id(vars(module)))

    def guard(self, module: ModuleType) -> None:
        """Guard what a module of dtviz holds."""
        for name, value in [*vars(module).items()]:
            told = getattr(value, "__module__", None) or ""
            if name.startswith("__") or not callable(value) or not _ours(told):
                continue
            if not isinstance(value, type):
                setattr(module, name, self._guard(value, value.__name__))
            elif isinstance(made := vars(value).get("__init__"), FunctionType):
                value.__init__ = self._guard(made, value.__name__)  # type: ignore[misc]

    def _guard(self, function: Any, name: str) -> Any:
        """Wrap a function, once."""
        if id(function) in self._guarded:
            return self._guarded[id(function)]

        @wraps(function)
        def guarded(*args: Any, **options: Any) -> Any:
            names = self._names
            if (
                names
                and (name in names or name not in self._public)
                and not self._by_library(sys._getframe(1))  # noqa: SLF001 - the documented way
            ):
                raise PermissionError(
                    f"question {self._question} asks you to write this yourself: dtviz's {name} "
                    "is not at hand here"
                )
            return function(*args, **options)

        del guarded.__wrapped__
        self._guarded[id(function)] = self._guarded[id(guarded)] = guarded
        # An id is another's as soon as its object is gone.
        self._kept.append(function)
        return guarded

    def _by_library(self, frame: FrameType | None) -> bool:
        """Whether the library made a call, by itself or through a package that it uses."""
        while frame is not None:
            space = id(frame.f_globals)
            if space in self._library:
                return True
            if space not in self._others:
                return False
            frame = frame.f_back
        return False


def _ours(module: str) -> bool:
    return module.partition(".")[0] == "dtviz"


class _Finder(importlib.abc.MetaPathFinder):
    """Guards modules of dtviz that are imported later."""

    def __init__(self, refusal: Refusal) -> None:
        self._refusal = refusal

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Find a module of dtviz, whose loader guards it."""
        if not _ours(name):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                self._refusal.begin(module)
                load(module)
                self._refusal.guard(module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec
