"""A function in a process of its own, which can be ended whatever it does.

What students hand in is read by regular expressions and parsers of others, and some text will keep
one of them busy for ever, with the interpreter held. In a process of its own it then stops nobody
else, and is killed when it has been silent for too long.

The processes are forked from one that has imported all they need (`multiprocessing`'s forkserver),
so that one more costs some 20 ms; they talk by pipes, and no port is opened.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

import psutil

try:
    import fcntl
    import resource
except ImportError:  # not on Windows, for which the sandbox raises
    fcntl = resource = None  # type: ignore[assignment]

MEMORY = 4 * 2**30
"""Bytes of address space: some times what marking takes, and it holds what a cell sends."""

PRELOADED = ["homework.forked_imports"]

# Of a process that has ended, one thread only may ask how.
_LOCK = Lock()


class EndedError(Exception):
    """The process gave no result; the message says why, and the trace where, if that is known.

    It was ``killed`` if that is the machine's doing: it gave no process, or killed it, out of
    memory maybe.
    """

    def __init__(self, reason: str, *, killed: bool = False, trace: str = "") -> None:
        super().__init__(reason)
        self.killed, self.trace = killed, trace


def call(
    function: Callable[..., Any],
    *arguments: Any,
    silence: float,
    memory: int = MEMORY,
    heard: Callable[[Any], object] = lambda _: None,
) -> Any:
    """Call a function of a module in a process of its own, and return what it returns.

    It is called with the arguments, which can be pickled, and a function ``report=``: ``heard`` is
    called with all that it reports. It may use so many bytes of ``memory``, and be silent for so
    many seconds.

    Raises
    ------
    EndedError
        If it raised, ended its process, or was silent for too long; or no process could be had.
    """
    process, ours = start(_report, function, arguments, memory=memory)
    with ours:
        try:
            kind, info = _listen(ours, silence, heard)
        except EOFError:
            with _LOCK:
                process.join()
            raise _ended(process.exitcode) from None
        finally:
            end(process)
    if kind == "raised":
        raise EndedError(info[0], trace=info[1])
    return info


def start(
    function: Callable[..., None], *arguments: Any, memory: int = MEMORY
) -> tuple[Any, Connection]:
    """Start a process that calls a function of a module, with its end of a pipe and the arguments.

    Returned are the process, to be ended by `end`, and our end, to be closed. The process ends when
    its starter does.

    Raises
    ------
    EndedError
        If no process could be had.
    """
    context = multiprocessing.get_context("forkserver")
    # Daemons may start no process, and Dask's workers and we ourselves are some.
    multiprocessing.current_process().daemon = False
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, memory, function, arguments), daemon=True)
    try:
        with theirs, _LOCK:
            _import_once()
            process.start()
    except (OSError, EOFError) as error:
        ours.close()
        info = f"no process could be had: {type(error).__name__}: {error}"
        raise EndedError(info, killed=True) from error
    return process, ours


@cache
def _import_once() -> None:
    """Start the process from which the others are forked, with our own path of modules.

    Up to Python 3.12 it has that of the environment, by which it finds another copy or none.
    """
    had = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(str(Path(place).absolute()) for place in sys.path)
    try:
        forkserver.set_forkserver_preload(PRELOADED)
        forkserver.ensure_running()
    finally:
        del os.environ["PYTHONPATH"]
        if had is not None:
            os.environ["PYTHONPATH"] = had


def _listen(ours: Connection, silence: float, heard: Callable[[Any], object]) -> tuple[str, Any]:
    """Hear what a process reports, to the last of it."""
    last = monotonic()
    while ours.poll(max(0.0, last + silence - monotonic())):
        kind, info = ours.recv()
        if kind != "reported":
            return kind, info
        heard(info)
        last = monotonic()
    raise EndedError(f"nothing was heard of it for {silence:g} seconds")


def _ended(code: int | None) -> EndedError:
    if code is None or code >= 0:
        return EndedError(f"its process ended by itself, with the code {code}")
    name = signal.Signals(-code).name
    return EndedError(f"its process was ended by {name}", killed=-code == signal.SIGKILL)


def end(process: Any) -> None:
    """Kill a process and all that it has started."""
    family = []
    with suppress(psutil.NoSuchProcess):
        family = psutil.Process(process.pid).children(recursive=True)
    with _LOCK:
        process.kill()
        process.join()
    for each in family:
        with suppress(psutil.NoSuchProcess):
            each.kill()


def _work(
    theirs: Connection, memory: int, function: Callable[..., None], arguments: tuple[Any, ...]
) -> None:
    # Who stops the grader at a terminal stops it, not us: we end with it.
    os.setsid()
    _end_with_parent()
    if resource is not None:
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        # The soft limit only: what a kernel may use is another matter, and may be more.
        resource.setrlimit(resource.RLIMIT_AS, (memory, most))
    function(theirs, *arguments)


def _report(theirs: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Call a function, and report what it reports and returns."""
    try:
        done = ("done", function(*arguments, report=lambda info: theirs.send(("reported", info))))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        done = ("raised", (f"{type(error).__name__}: {error}", traceback.format_exc()))
    theirs.send(done)


def _end_with_parent() -> None:
    """Be killed when the process that called us is gone.

    A thread that waits for it would not run while a regular expression holds the interpreter. The
    system itself sends the signal when the pipe between us is closed.
    """
    parent = multiprocessing.parent_process()
    if parent is None or not hasattr(fcntl, "F_SETSIG"):
        return
    pipe = parent.sentinel
    # To all of our group: what we fork is in it.
    fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if not parent.is_alive():
        os._exit(1)
