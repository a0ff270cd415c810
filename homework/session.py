"""One kernel in the sandbox, to which cells are sent one by one, each within its limits."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output
from zmq import ZMQError

from homework import sandbox
from homework.bubblewrap import Limits
from homework.respondent import SIGN
from homework.sandbox import SandboxUnavailable

POLL = 0.1
START = 60.0
MESSAGES = 2000
"""A cell may send; each print is about one."""
HERE = "__import__('sys').modules['homework'].here"
"""The respondent, in the kernel."""
NO_INPUT = "\x04"
"""What a kernel takes for the end of what is typed."""

T = TypeVar("T")
Ask = Callable[[str], Awaitable[str]]


class StoppedError(Exception):
    """A limit was passed, or the kernel is gone; the message says which. The session is over."""


@contextmanager
def _whatever_it_says() -> Iterator[None]:
    """A student's code can make its kernel say anything: what is no message ends the session."""
    try:
        yield
    except (StoppedError, SandboxUnavailable, OSError, MemoryError, ZMQError):
        raise
    except DeadKernelError:
        raise StoppedError("ended its own kernel") from None
    except Exception as error:
        raise StoppedError(f"sent what no kernel sends ({type(error).__name__})") from error


class _Client(NotebookClient):
    """nbclient, which keeps the kernel's reply to a cell and counts what the cell sends.

    What the cell shows that is of no known form is left out, which is said in its place.
    """

    sent = 0
    messages = 0
    most = 0

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> Any:
        """Take one message, unless the cell has sent too much already."""
        try:
            self.count(msg)
            if self.flooded and msg["msg_type"] != "status":
                return None
            return super().process_message(msg, cell, cell_index)
        except (CellExecutionComplete, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever a student's code may send
            text = f"[an output is left out: it has no known form ({type(error).__name__})]\n"
            cell.outputs.append(new_output("stream", name="stderr", text=text))
            return None

    def count(self, msg: dict[str, Any]) -> None:
        """Add a message to what the cell has sent."""
        if msg["msg_type"] != "status":
            self.messages += 1
            self.sent += _size(msg["content"])

    @property
    def flooded(self) -> bool:
        """Whether the cell has sent more than it may."""
        return self.sent > self.most or self.messages > MESSAGES


def _size(content: Any) -> int:
    """Of all the text in a message, about."""
    if isinstance(content, str):
        return len(content)
    if isinstance(content, dict):
        return sum(_size(key) + _size(value) for key, value in content.items())
    if isinstance(content, list):
        return sum(map(_size, content))
    return 8


def join_streams(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join what a cell printed piece by piece, one output for each stream, as a terminal shows it.

    nbclient's own way takes the square of a line's length, which is minutes for 990 kB.
    """
    kept: list[NotebookNode] = []
    pieces: dict[str, list[str]] = {}
    for output in outputs:
        if output["output_type"] != "stream" or output["name"] not in pieces:
            kept.append(output)
        if output["output_type"] == "stream":
            pieces.setdefault(output["name"], []).append(output["text"])
    for output in kept:
        if output["output_type"] == "stream":
            lines = "".join(pieces[output["name"]]).split("\n")
            # Of a line what follows its last carriage return.
            output["text"] = "\n".join(
                line[line.rfind("\r", 0, max(0, len(line) - 1)) + 1 :] for line in lines
            )
    return kept


class Session:
    """A running kernel. Make it with :meth:`start`, and :meth:`stop` it whatever happens."""

    def __init__(self, limits: Limits, deadline: float, data: Path) -> None:
        self._limits, self._data = limits, data
        self._deadline = deadline
        self._stack = ExitStack()

    async def start(self, notebook: NotebookNode) -> None:
        """Start the kernel and send it the respondent.

        Raises
        ------
        SandboxUnavailable
            If the kernel ends, or does not answer within a minute.
        """
        self._manager, _ = self._stack.enter_context(sandbox.kernel(self._limits, self._data))
        await self._manager.start_kernel(
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=str(self._data)
        )
        self._channels: Any = self._manager.client()
        self._channels.start_channels()
        try:
            await self._channels.wait_for_ready(timeout=START)
        except RuntimeError as error:
            raise SandboxUnavailable(f"No kernel answers: {error}.") from error
        self._channels.allow_stdin = False
        # A copy: nbclient puts each executed cell into its notebook, tried and repeated ones too.
        self._client = _Client(
            deepcopy(notebook),
            km=self._manager,
            allow_errors=True,
            timeout=None,
            # Not by nbclient: see `join_streams`.
            coalesce_streams=False,
        )
        self._client.kc = self._channels
        self._client.most = self._limits.output
        self._watch = sandbox.Watch(self._manager, self._limits)
        await self._say(_room())

    def watch_also(self, process: int) -> None:
        """Hold the process that tests it at the same limits: an answer fills that, too."""
        self._watch.also = process

    async def stop(self) -> None:
        """End the kernel, and with it every process that it started."""
        if hasattr(self, "_manager") and self._manager.has_kernel:
            await self._manager.shutdown_kernel(now=True)
            if hasattr(self, "_channels"):
                self._channels.stop_channels()
        self._stack.close()

    async def execute(self, cell: NotebookNode, index: int) -> str:
        """Run a cell, put its outputs in it, and return what it raised.

        Raises
        ------
        StoppedError
            If it passed a limit or ended its kernel. Outputs until then are in the cell.
        """
        client = self._client
        replies: list[dict[str, Any]] = []
        client.on_cell_executed = lambda **info: replies.append(info["execute_reply"]["content"])
        await self._within(client.async_execute_cell(cell, index), self._limits.cell_seconds)
        cell.outputs = join_streams(cell.outputs)
        if not replies or replies[0]["status"] == "ok":
            return ""
        return f"{replies[0].get('ename', '')}: {replies[0].get('evalue', '')}"

    async def serve(
        self, names: list[str], work: Callable[[str, Ask], Awaitable[T]], seconds: float
    ) -> T:
        """Let the tests call what the student has written, for some seconds.

        ``names`` are what the question asks for. ``work`` is called with a message that says what
        they stand for, and with a function that sends a message to the kernel and returns the one
        that comes back; what it returns is returned.

        Raises
        ------
        StoppedError
            If a limit was passed, or the kernel does not answer.
        """
        return await self._within(self._serve(names, work), seconds)

    async def _serve(self, names: list[str], work: Callable[[str, Ask], Awaitable[T]]) -> T:
        channels = self._channels
        channels.execute(f"{HERE}.serve({names!r})", silent=True, allow_stdin=True)
        ended = asyncio.ensure_future(channels.get_shell_msg(timeout=None))
        drained = asyncio.ensure_future(self._drain())

        async def hear() -> str:
            while True:
                heard = asyncio.ensure_future(channels.get_stdin_msg(timeout=None))
                await asyncio.wait([heard, ended], return_when=asyncio.FIRST_COMPLETED)
                if not heard.done():
                    heard.cancel()
                    raise StoppedError("answers no tests")
                prompt = heard.result()["content"]["prompt"]
                if prompt.startswith(SIGN):
                    return str(prompt.removeprefix(SIGN))
                channels.input(NO_INPUT)

        async def ask(text: str) -> str:
            channels.input(text)
            return await hear()

        try:
            done = await work(await hear(), ask)
            channels.input("")
            await ended
        finally:
            for task in (ended, drained):
                task.cancel()
            await asyncio.gather(ended, drained, return_exceptions=True)
        return done

    async def _drain(self) -> None:
        """Count what the kernel shows meanwhile, and forget it."""
        while True:
            self._client.count(await self._channels.get_iopub_msg(timeout=None))

    async def _within(self, work: Awaitable[T], seconds: float) -> T:
        """Await something that the kernel does, within so many seconds and the other limits."""
        start, self._client.sent, self._client.messages = monotonic(), 0, 0
        task = asyncio.ensure_future(work)
        while not (await asyncio.wait([task], timeout=POLL))[0]:
            if complaint := await self._complaint(start, seconds):
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise StoppedError(complaint)
        with _whatever_it_says():
            done = await task
            if self._client.flooded:
                raise StoppedError(self._too_much())
            return done

    async def _complaint(self, start: float, seconds: float) -> str | None:
        now = monotonic()
        if self._client.flooded:
            return self._too_much()
        if now - start > seconds:
            return _too_long(seconds)
        if now > self._deadline:
            return time_is_up(self._limits)
        return await self._ended()

    def _too_much(self) -> str:
        return f"printed more than {self._limits.output // 1000} kB or {MESSAGES} messages"

    async def _ended(self) -> str | None:
        """Why the kernel is of no more use, if so."""
        ended = not await self._alive()
        return self._watch.complaint(ended=ended)

    async def _alive(self) -> bool:
        return bool(await self._manager.is_alive())

    # --- the respondent ------------------------------------------------------------------------

    async def _say(self, code: str) -> None:
        """Execute code of ours silently, and wait for it to be done."""
        message = self._channels.execute(code, silent=True, store_history=False)
        start = monotonic()
        while monotonic() - start < self._limits.cell_seconds:
            if not await self._channels.shell_channel.msg_ready():
                if ended := await self._ended():
                    raise StoppedError(ended)
                await asyncio.sleep(0.001)
                continue
            with _whatever_it_says():
                reply = await self._channels.get_shell_msg()
                if reply["parent_header"].get("msg_id") == message:
                    return
        raise StoppedError(_too_long(self._limits.cell_seconds))


@cache
def _room() -> str:
    """Code that makes the respondent in a kernel, where no file of ours can be seen."""
    texts = {
        name: Path(__file__).with_name(f"{name}.py").read_text("utf-8")
        for name in ("figures", "values", "respondent")
    }
    return (
        "def _room(texts):\n"
        "    import sys, types\n"
        "    package = sys.modules['homework'] = types.ModuleType('homework')\n"
        "    package.__path__ = []\n"
        "    for name, text in texts.items():\n"
        "        module = types.ModuleType(f'homework.{name}')\n"
        "        sys.modules[module.__name__] = module\n"
        "        setattr(package, name, module)\n"
        "        exec(compile(text, f'<{name}>', 'exec'), vars(module))\n"
        "    package.here = module.Respondent(get_ipython())\n"
        f"_room({texts!r})\n"
        "del _room"
    )


def _too_long(seconds: float) -> str:
    return f"took longer than {seconds:g} seconds"


def time_is_up(limits: Limits) -> str:
    """Why a notebook was not run to its end."""
    return f"the notebook took longer than {limits.notebook_seconds:g} seconds in all"
