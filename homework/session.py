"""One kernel in the sandbox, to which cells are sent one by one, each within its limits."""

from __future__ import annotations

import ast
import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from copy import deepcopy
from pathlib import Path
from queue import Empty
from time import monotonic
from typing import Any

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_output
from zmq import ZMQError

from homework import sandbox, streams
from homework.sandbox import Limits, SandboxUnavailable

POLL = 0.1
START = 60.0
MESSAGES = 2000
"""A cell may send; each print is about one."""


class StoppedError(Exception):
    """A limit was passed, or the kernel is gone; the message says which. The session is over."""


@contextmanager
def _whatever_it_says() -> Iterator[None]:
    """A student's code can make its kernel say anything: what is no message ends the session.

    Raises
    ------
    StoppedError
        If what is done here fails, and not by trouble of the machine.
    """
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

    What the cell shows that is of no known form is left out, and told in its place.
    """

    sent = 0
    messages = 0
    most = 0

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> Any:
        """Take one message, unless the cell has sent too much already."""
        try:
            if msg["msg_type"] != "status":
                self.messages += 1
                self.sent += _size(msg["content"])
                if self.flooded:
                    return None
            return super().process_message(msg, cell, cell_index)
        except (CellExecutionComplete, MemoryError):
            raise
        except Exception as error:  # noqa: BLE001 - whatever a student's code may send
            text = f"[an output is left out: it has no known form ({type(error).__name__})]\n"
            cell.outputs.append(new_output("stream", name="stderr", text=text))
            return None

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


def _plain(reply: dict[str, Any]) -> dict[str, Any]:
    """Take from a reply what is asked of it."""
    if reply["status"] == "ok":
        return {"status": "ok"}
    told = {name: str(reply.get(name, "")) for name in ("ename", "evalue")}
    return {"status": "error", **told}


class Session:
    """A running kernel. Make it with :meth:`start`, and :meth:`stop` it whatever happens."""

    def __init__(self, limits: Limits, deadline: float) -> None:
        self._limits = limits
        self._deadline = deadline
        self._stack = ExitStack()

    async def start(
        self, notebook: NotebookNode, refusable: tuple[str, ...], *, sandboxed: bool
    ) -> None:
        """Start the kernel and send it the watchman.

        Raises
        ------
        SandboxUnavailable
            If the kernel ends, or does not answer within a minute.
        """
        shared = sandbox.kernel(self._limits, sandboxed=sandboxed)
        self._manager, _ = self._stack.enter_context(shared)
        await self._manager.start_kernel(
            stdin=self._manager.lifeline, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._channels: Any = self._manager.client()
        self._channels.start_channels()
        await self._wait_for_an_answer()
        self._channels.allow_stdin = False
        # A copy: nbclient puts each executed cell into its notebook, tried and repeated ones too.
        self._client = _Client(
            deepcopy(notebook),
            km=self._manager,
            allow_errors=True,
            timeout=None,
            # Not by nbclient: see `homework.streams`.
            coalesce_streams=False,
        )
        self._client.kc = self._channels
        self._client.most = self._limits.output
        self._watch = sandbox.Watch(self._manager, self._limits)
        text = Path(__file__).with_name("canary.py").read_text("utf-8")
        await self._say(
            "import sys, types\n"
            "_module = sys.modules['_canary'] = types.ModuleType('_canary')\n"
            f"exec({text!r}, vars(_module))\n"
            f"_module.watchman = _module.Watchman(get_ipython(), {refusable!r})\n"
            "del _module, sys, types"
        )

    async def _wait_for_an_answer(self) -> None:
        """Ask until the kernel replies and is heard to have done so.

        Jupyter's own way then listens in vain for 0.2 s, to be rid of old messages. Here each
        message is told by what it answers.
        """
        start = monotonic()
        while monotonic() - start < START:
            self._channels.kernel_info()
            with suppress(Empty):
                await self._channels.get_shell_msg(timeout=1)
                await self._channels.get_iopub_msg(timeout=0.2)
                return
            if not await self._alive():
                raise SandboxUnavailable("The kernel ended before it answered.")
        raise SandboxUnavailable(f"No kernel answered within {START:g} s.")

    async def stop(self) -> None:
        """End the kernel, and with it every process that it started."""
        if hasattr(self, "_manager") and self._manager.has_kernel:
            await self._manager.shutdown_kernel(now=True)
            if hasattr(self, "_channels"):
                self._channels.stop_channels()
        self._stack.close()

    async def execute(self, cell: NotebookNode, index: int) -> dict[str, Any]:
        """Run a cell, put its outputs in it, and return the content of the kernel's reply.

        Raises
        ------
        StoppedError
            If it passed a limit or ended its kernel. Outputs until then are in the cell.
        """
        client, start = self._client, monotonic()
        client.sent = client.messages = 0
        replies: list[dict[str, Any]] = []
        client.on_cell_executed = lambda **told: replies.append(told["execute_reply"]["content"])
        task = asyncio.ensure_future(client.async_execute_cell(cell, index))
        while not (await asyncio.wait([task], timeout=POLL))[0]:
            if complaint := await self._complaint(start):
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise StoppedError(complaint)
        with _whatever_it_says():
            await task
            if client.flooded:
                raise StoppedError(self._too_much())
            cell.outputs = streams.joined(cell.outputs)
            return _plain(replies[0]) if replies else {"status": "ok"}

    async def _complaint(self, start: float) -> str | None:
        now, limits = monotonic(), self._limits
        if self._client.flooded:
            return self._too_much()
        if now - start > limits.cell_seconds:
            return self._too_long()
        if now > self._deadline:
            return time_is_up(limits)
        return await self._ended()

    def _too_much(self) -> str:
        return f"printed more than {self._limits.output // 1000} kB or {MESSAGES} messages"

    def _too_long(self) -> str:
        return f"took longer than {self._limits.cell_seconds:g} seconds"

    async def _ended(self) -> str | None:
        """Why the kernel is of no more use, if so."""
        if complaint := self._watch.complaint():
            return complaint
        return None if await self._alive() else "ended its own kernel"

    async def _alive(self) -> bool:
        return bool(await self._manager.is_alive())

    # --- the watchman --------------------------------------------------------------------------

    async def ask(self, call: str) -> Any:
        """What the watchman of :mod:`homework.canary` answers; "gone" if it does not."""
        reply = await self._say("", f"__import__('sys').modules['_canary'].watchman.{call}")
        with _whatever_it_says():
            value = reply.get("user_expressions", {}).get("value", {})
            if value.get("status") != "ok":
                return "gone"
            return ast.literal_eval(value["data"]["text/plain"])

    async def _say(self, code: str, expression: str | None = None) -> dict[str, Any]:
        """Execute code of ours silently, and return the content of the reply."""
        message = self._channels.execute(
            code,
            silent=True,
            store_history=False,
            user_expressions={"value": expression} if expression else {},
            stop_on_error=False,
        )
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
                    content: dict[str, Any] = reply["content"]
                    return content
        raise StoppedError(self._too_long())


def time_is_up(limits: Limits) -> str:
    """Why a notebook was not run to its end."""
    return f"the notebook took longer than {limits.notebook_seconds:g} seconds in all"
