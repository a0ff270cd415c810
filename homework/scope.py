"""A cgroup for each sandbox, where systemd makes one: no burst outruns its limits.

Who looks from outside looks ten times a second, and much can be taken in between.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TextIO

CGROUPS = Path("/sys/fs/cgroup")


@cache
def works() -> bool:
    """Whether systemd makes scopes here for us; it is tried once."""
    try:
        _said(*_command(2**30, 64), "true")
        # Else the user's own manager ends when the user logs out, and what it started with it.
        lingers = ("loginctl", "show-user", str(os.geteuid()), "--property=Linger", "--value")
        return os.geteuid() == 0 or _said(*lingers).strip() == "yes"
    except (OSError, subprocess.SubprocessError):
        return False


def _said(*command: str) -> str:
    done = subprocess.run(  # noqa: S603 - our own command
        command, check=True, timeout=20, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    return done.stdout


def prefix(memory: int, tasks: int) -> list[str]:
    """What starts a command within so many bytes and tasks; nothing where no cgroup can be had.

    It becomes the command: its number, group and open files stay.
    """
    return _command(memory, tasks) if works() else []


def _command(memory: int, tasks: int) -> list[str]:
    whose = ["--user"] if os.geteuid() else []
    bounds = (f"MemoryMax={memory}", "MemorySwapMax=0", f"TasksMax={tasks}")
    told = [word for bound in bounds for word in ("-p", bound)]
    return ["systemd-run", "--scope", "--quiet", "--collect", *whose, *told, "--"]


class Deaths:
    """Whether the machine's kernel has killed something of a cgroup, for its memory."""

    def __init__(self, events: TextIO | None) -> None:
        self._events, self._poll = events, select.poll()
        if events is not None:
            self._poll.register(events, select.POLLPRI)

    def any(self) -> bool:
        """Whether it has."""
        # The file ends with the last process of its cgroup.
        with suppress(OSError):
            if self._events is not None:
                self._events.seek(0)
                return re.search(r"^oom_kill [1-9]", self._events.read(), re.MULTILINE) is not None
        return False

    def wait(self, seconds: float) -> None:
        """Wait for so long, or until something has happened."""
        self._poll.poll(seconds * 1000)


@contextmanager
def deaths(pid: int) -> Iterator[Deaths]:
    """Watch the cgroup of a process that was started with `prefix`."""
    with ExitStack() as stack:
        events = None
        with suppress(OSError):
            own = re.search(r"^0::/(.*)$", Path(f"/proc/{pid}/cgroup").read_text(), re.MULTILINE)
            if own and works():
                events = stack.enter_context((CGROUPS / own[1] / "memory.events").open())
        yield Deaths(events)
