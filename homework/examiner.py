"""Runs the graded tests, in a process that no student's code ever enters.

There the set-up has run, and what a question asks for is a stand-in: its calls travel to the
student's kernel, and values come back, by `homework.values`. References and tolerances stay here.
"""

from __future__ import annotations

import ast
import asyncio
import io
import json
import multiprocessing
import numbers
import os
import signal
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

from homework import child_process
from homework.values import LINE, Post, read

_IPYTHON: Any = TransformerManager()  # type: ignore[no-untyped-call]
_MOST = 100_000  # letters that a test may print
_LONGEST = 2000  # of its message


@dataclass(frozen=True)
class Verdict:
    """What came of a test cell: what it printed, and if it failed what it raised.

    An error is the type, the message and the line of the test. ``value`` is what a last expression
    gave, if it is a number: nbgrader takes it for the points. ``theirs`` is the line of an answer
    that raised the error, which may be empty, or None if no answer did; ``unknown`` names what our
    own line could not find, whatever the answer: a test that is broken.
    """

    printed: str
    error: tuple[str, str, str] | None
    value: float | None = None
    theirs: str | None = None
    unknown: str = ""


@contextmanager
def office(memory: int = child_process.MEMORY) -> Iterator[Connection]:
    """Give a pipe, by which an `Examiner` of so much memory is had whenever one is wanted.

    Who marks may have threads, and cannot fork; so another process does it.
    """
    process, pipe = child_process.start(_office, memory=memory)
    try:
        yield pipe
    finally:
        child_process.end(process)
        pipe.close()


class Examiner:
    """A process that runs tests in a folder; :meth:`stop` it whatever happens."""

    def __init__(self, office: Connection, folder: Path) -> None:
        try:
            office.send(str(folder))
            self.process = office.recv()
            self._pipe = Connection(recv_handle(office))
        except (EOFError, OSError) as error:
            raise child_process.EndedError("there is nobody to examine", killed=True) from error

    def stop(self) -> None:
        """End the process, whatever it does."""
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        self._pipe.close()

    async def run(
        self,
        source: str,
        asked: list[str] | None = None,
        names: str = "",
        ask: Callable[[str], Awaitable[str]] | None = None,
        *,
        in_place: bool = False,
    ) -> Verdict:
        """Run a cell.

        ``asked`` are the names that the question asks for, ``names`` a message that says what they
        stand for, and ``ask`` sends a message to the student's kernel and returns the one that
        comes back. Without it, whatever the cell calls raises. What is done to lists and the like
        that the cell hands over is done to copies, unless the question is of work ``in_place``:
        else an answer could change what tests compute with afterward.

        Raises
        ------
        EndedError
            If the process has ended.
        """
        self._pipe.send((source, asked or [], names or _NAMELESS, in_place))
        while True:
            kind, info = await self._hear()
            if kind == "done":
                return Verdict(**info)
            self._pipe.send(await ask(info) if ask else _NOBODY)

    async def _hear(self) -> Any:
        loop = asyncio.get_running_loop()
        heard = asyncio.Event()
        loop.add_reader(self._pipe.fileno(), heard.set)
        try:
            await heard.wait()
        finally:
            loop.remove_reader(self._pipe.fileno())
        try:
            return self._pipe.recv()
        except (EOFError, OSError) as error:
            raise child_process.EndedError("the tests ended their process") from error


_NAMELESS = json.dumps({"names": {}})
_NOBODY = json.dumps({"raised": ["RuntimeError", "there is nobody to ask"]})


def _office(office: Connection) -> None:
    with suppress(EOFError):
        while True:
            folder = office.recv()
            theirs, ours = multiprocessing.Pipe()
            process = os.fork()
            if not process:
                theirs.close()
                os.chdir(folder)
                with suppress(EOFError):
                    _examine(ours)
                os._exit(0)
            ours.close()
            office.send(process)
            send_handle(office, theirs.fileno(), os.getppid())
            theirs.close()
            os.waitpid(process, 0)


def _examine(pipe: Connection) -> None:
    space: dict[str, Any] = {"__name__": "__main__", "get_ipython": _Shell}

    def send(message: str) -> str:
        pipe.send(("ask", message))
        reply: str = pipe.recv()
        return reply

    post = Post(send, strict=True)
    while True:
        source, asked, names, post.in_place = pipe.recv()
        for name in asked:
            space.pop(name, None)
        pipe.send(("done", _tried(source, asked, names, space, post)))


def _tried(
    source: str, asked: list[str], names: str, space: dict[str, Any], post: Post
) -> dict[str, Any]:
    printed = io.StringIO()
    error = value = theirs = None
    unknown = ""
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            info = read(names)["names"]
            # Only what the question asks for: a helper of the tests is not theirs to give.
            space.update({name: post.unpack(info[name]) for name in asked if name in info})
            value = _execute(source, space)
        except Exception as raised:  # noqa: BLE001 - that is how a test says no
            error = (type(raised).__name__, str(raised)[:_LONGEST], _line(raised, source))
            theirs, unknown = getattr(raised, LINE, None), _unknown(raised)
    return {
        "printed": printed.getvalue()[:_MOST],
        "error": error,
        "value": value,
        "theirs": theirs,
        "unknown": unknown if theirs is None and unknown not in asked else "",
    }


class _Shell:
    """What a set-up asks of IPython that tests can do without: ``%matplotlib inline``."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


def _execute(source: str, space: dict[str, Any]) -> float | None:
    """Run a cell, and return the number that its last expression gives, if it gives one."""
    if "%" in source or "!" in source:
        source = _IPYTHON.transform_cell(source)
    body = ast.parse(source, "<test>").body
    last = body[-1] if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body[: -1 if last else None], []), "<test>", "exec"), space)  # noqa: S102 - our own tests
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), "<test>", "eval"), space)  # noqa: S307
    return float(value) if isinstance(value, numbers.Real) and not isinstance(value, bool) else None


def _unknown(raised: Exception) -> str:
    """What a line of ours does not find or cannot say; empty if the answer may be to blame."""
    frames = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(raised.__traceback__)]
    if isinstance(raised, SyntaxError) and raised.filename == "<test>":
        return "syntax"
    if frames[-1:] != ["<test>"] or not isinstance(raised, NameError | ImportError):
        return ""
    return raised.name or type(raised).__name__


def _line(raised: Exception, source: str) -> str:
    """The line of a test, in its cell, that something was raised in; empty if in none."""
    if isinstance(raised, SyntaxError) and raised.filename == "<test>":
        return (raised.text or "").strip()
    numbers = [
        number
        for frame, number in traceback.walk_tb(raised.__traceback__)
        if frame.f_code.co_filename == "<test>"
    ]
    return source.splitlines()[numbers[0] - 1].strip() if numbers else ""
