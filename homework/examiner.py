"""Runs the graded tests, in a process that no student's code ever enters.

There the set-up has run, and what a question asks for is a stand-in: its calls travel to the
student's kernel, and values come back, by `homework.values`. References and tolerances stay here.
"""

from __future__ import annotations

import asyncio
import io
import json
import multiprocessing
import os
import signal
import traceback
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from typing import Any

from homework import apart
from homework.values import Post, read

_MOST = 100_000  # letters that a test may print
_LONGEST = 2000  # of its message


@dataclass(frozen=True)
class Verdict:
    """What came of a test cell: what it printed, and if it failed what it raised.

    An error is the type, the message and the line of the test.
    """

    printed: str
    error: tuple[str, str, str] | None


@contextmanager
def office() -> Iterator[Connection]:
    """Give a pipe, by which an `Examiner` is had whenever one is wanted.

    Who marks may have threads, and cannot fork; so another process does it.
    """
    process, pipe = apart.start(_office)
    try:
        yield pipe
    finally:
        apart.end(process)
        pipe.close()


class Examiner:
    """A process that runs tests; :meth:`stop` it whatever happens."""

    def __init__(self, office: Connection) -> None:
        try:
            office.send(None)
            self._process = office.recv()
            self._pipe = Connection(recv_handle(office))
        except (EOFError, OSError) as error:
            raise apart.EndedError("there is nobody to examine", killed=True) from error

    def stop(self) -> None:
        """End the process, whatever it does."""
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
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
        else an answer could change what tests compute with afterwards.

        Raises
        ------
        EndedError
            If the process has ended.
        """
        self._pipe.send((source, asked or [], names or _NAMELESS, in_place))
        while True:
            kind, told = await self._hear()
            if kind == "done":
                return Verdict(**told)
            self._pipe.send(await ask(told) if ask else _NOBODY)

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
            raise apart.EndedError("the tests ended their process") from error


_NAMELESS = json.dumps({"names": {}})
_NOBODY = json.dumps({"raised": ["RuntimeError", "there is nobody to ask"]})


# --- in the process ------------------------------------------------------------------------------


def _office(office: Connection) -> None:
    with suppress(EOFError):
        while True:
            office.recv()
            theirs, ours = multiprocessing.Pipe()
            process = os.fork()
            if not process:
                theirs.close()
                with suppress(EOFError):
                    _examine(ours)
                os._exit(0)
            ours.close()
            office.send(process)
            send_handle(office, theirs.fileno(), os.getppid())
            theirs.close()
            os.waitpid(process, 0)


def _examine(pipe: Connection) -> None:
    space: dict[str, Any] = {"__name__": "__main__"}

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
    error = None
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            told = read(names)["names"]
            # Only what the question asks for: a helper of the tests is not theirs to give.
            space.update({name: post.unpack(told[name]) for name in asked if name in told})
            exec(compile(source, "<test>", "exec"), space)  # noqa: S102 - our own tests
        except Exception as raised:  # noqa: BLE001 - that is how a test says no
            error = (type(raised).__name__, str(raised)[:_LONGEST], _line(raised, source))
    return {"printed": printed.getvalue()[:_MOST], "error": error}


def _line(raised: Exception, source: str) -> str:
    """The line of a test, in its cell, that something was raised in; empty if in none."""
    numbers = [
        number
        for frame, number in traceback.walk_tb(raised.__traceback__)
        if frame.f_code.co_filename == "<test>"
    ]
    return source.splitlines()[numbers[0] - 1].strip() if numbers else ""
