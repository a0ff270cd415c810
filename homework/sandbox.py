"""A kernel that can do no harm: bubblewrap around ipykernel, and somebody who watches it.

The kernel sees the Python it runs on, dtviz, and an empty home of its own; no network, no other
process, no other file. Memory, processes and files are limited from outside. It talks to us through
Unix sockets that we have bound, in a folder that it cannot see: nothing inside has a say in where a
connection of ours ends.
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import psutil
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from homework import bubblewrap, seccomp
from homework.bubblewrap import MIB, USUAL, Limits
from homework.seccomp import MACHINES

POLL = 0.1
TOOLS = ("bwrap", "prlimit", "setpriv", "setsid")
CONNECTION, FILTER, REPORT = "k.json", "filter", "sandbox.json"
OPENED = f'{bubblewrap.FILTER}<"$0/{FILTER}" {bubblewrap.REPORT}>"$0/{REPORT}"'
"""For the shell: the files that bubblewrap reads and writes."""

CHANNELS = ("shell", "iopub", "stdin", "control", "hb")
# What `ipykernel_launcher` does, but for the debugger, which takes an eighth of the time to start,
# and for the sockets: a port is the number of an open file, which we have bound to the address.
LAUNCH = """import sys
sys.path.remove("")
sys.modules["debugpy"] = None
import zmq
from ipykernel.kernelapp import IPKernelApp
app, bind = IPKernelApp.instance(), zmq.Socket.bind
def bind_open(socket, address):
    place, _, port = address.rpartition("-")
    if place == f"ipc://{app.ip}":
        socket.use_fd = int(port)
    return bind(socket, address)
zmq.Socket.bind = bind_open
app.initialize()
app.debug_shell_socket.close()
app.start()"""

# Ends the kernel when the grader is gone, however it went: then the pipe on stdin is at its end.
# It runs outside, where no submission reaches it, and ends the whole group: bubblewrap may have
# been killed before it let its child go on, and that would wait for ever.
LIFELINE = """exec 5<&0 0</dev/null
(exec 0<&5 5<&- >/dev/null 2>&1; cat; kill -9 -$$) &
exec "$@" 5<&- """


class SandboxUnavailable(RuntimeError):  # noqa: N818 - a state of the machine, not a mistake
    """Submissions cannot be shut in on this machine; the message says why and what to do."""


@cache
def check() -> None:
    """Start the sandbox once.

    Raises
    ------
    SandboxUnavailable
        Not Linux, no bubblewrap, or a machine that forbids it.
    """
    if platform.system() != "Linux":
        raise SandboxUnavailable(
            f"Submissions run in a sandbox that only Linux has, and this is {platform.system()}. "
            "Grade in a Linux virtual machine or container, or, if you trust every submission as "
            "you trust your own code, pass --without-sandbox."
        )
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise SandboxUnavailable(
            f"Submissions run in a sandbox, and {', '.join(missing)} cannot be found. "
            "On Debian or Ubuntu: sudo apt-get install bubblewrap util-linux."
        )
    if platform.machine() not in MACHINES:
        raise SandboxUnavailable(
            f"Submissions run in a sandbox, which does not support {platform.machine()}: there "
            "must be a list of what a program may not call. There is one for "
            f"{', '.join(MACHINES)}."
        )
    _sweep()
    with folder() as (place, uid):
        (place / CONNECTION).touch()
        (place / FILTER).write_bytes(seccomp.program())
        probe = (sys.executable, "-c", "import dtviz")
        argv = (*bubblewrap.argv(USUAL, place / CONNECTION, uid), *probe)
        done = subprocess.run(  # noqa: S603 - our own command
            ["/bin/sh", "-c", f'exec "$@" {OPENED}', str(place), *argv],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            start_new_session=True,
        )
    if done.returncode:
        raise SandboxUnavailable(
            f"bubblewrap is there but cannot start a sandbox: {done.stderr.strip()[-500:]} "
            "A container may need the right to make namespaces (Docker: --security-opt "
            "seccomp=unconfined), and Linux 5.14 or newer is needed."
        )


@contextmanager
def folder() -> Iterator[tuple[Path, int]]:
    """A folder of ours for one sandbox, and the user inside. It is not seen from there."""
    # Short, since a socket's path may have 107 characters.
    with tempfile.TemporaryDirectory(prefix=f"dtviz-{os.getpid()}-", dir="/tmp") as name:
        yield Path(name), os.geteuid() or 2**20 + secrets.randbelow(2**30)


def _sweep() -> None:
    """Take away the folders of graders that were killed."""
    for folder in Path("/tmp").glob("dtviz-*-*"):  # noqa: S108 - as `folder` has them
        number = folder.name.split("-")[1]
        mine = folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.geteuid()
        if mine and number.isdigit() and not psutil.pid_exists(int(number)):
            shutil.rmtree(folder, ignore_errors=True)


class SandboxedKernel(AsyncKernelManager):
    """A kernel manager whose kernel is shut in; see :func:`kernel`."""

    argv: tuple[str, ...] = ()
    lifeline = -1
    report: Path | None = None
    """Where bubblewrap says what it has started, if there is a sandbox."""

    @property
    def kernel_spec(self) -> KernelSpec:
        """How to start the kernel."""
        return KernelSpec(argv=[*self.argv], display_name="Sandbox", language="python")

    async def _async_launch_kernel(self, kernel_cmd: list[str], **kw: Any) -> None:
        kw |= {"stdin": self.lifeline, "pass_fds": self.ports}
        await super()._async_launch_kernel(kernel_cmd, **kw)


@contextmanager
def kernel(limits: Limits, data: Path | None = None) -> Iterator[tuple[SandboxedKernel, Path]]:
    """A manager of a kernel not yet started, and a folder that is gone afterward.

    What lies in the folder ``data`` is in the kernel's home.
    """
    with folder() as (place, uid), ExitStack() as files:
        connection = place / CONNECTION
        manager = SandboxedKernel(
            transport="ipc", ip=str(place / "k"), connection_file=str(connection)
        )
        for channel in CHANNELS:
            setattr(manager, f"{channel}_port", files.enter_context(_listen(manager.ip)))
        python = [sys.executable, "-c", LAUNCH, "--HistoryManager.enabled=False"]
        script, command = LIFELINE, [*python, "-f", str(connection)]
        if limits.sandboxed:
            (place / FILTER).write_bytes(seccomp.program())
            manager.report = place / REPORT
            script += OPENED
            command = [
                *bubblewrap.argv(limits, connection, uid, data),
                *(*python, "-f", bubblewrap.CONNECTION),
            ]
        manager.argv = ("/bin/sh", "-c", script, str(place), *command)
        manager.write_connection_file()
        os.chown(connection, uid, -1)
        manager.lifeline, ours = os.pipe()
        try:
            yield manager, place
        finally:
            os.close(ours)
            os.close(manager.lifeline)


@contextmanager
def _listen(address: str) -> Iterator[int]:
    """Give the number of a socket, which ends its path: to it connect those of this process."""
    import fcntl  # noqa: PLC0415 - not on Windows

    with socket.socket(socket.AF_UNIX) as low:
        # The shell that starts the kernel has its own use for numbers of one digit.
        number = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, 10)
    with socket.socket(fileno=number) as listener:
        listener.bind(f"{address}-{number}")
        listener.listen()
        yield number


class Watch:
    """Looks at a running kernel from outside, as long as it runs, and holds it at a limit.

    It is made before any student's code runs: later, a path inside may be a link to anywhere.

    Raises
    ------
    SandboxUnavailable
        If this machine does not let us look.
    """

    def __init__(self, manager: SandboxedKernel, limits: Limits) -> None:
        provisioner: Any = manager.provisioner
        self._root = psutil.Process(provisioner.pid)
        self._limits = limits
        # The first process inside, by the number it has here.
        report = manager.report
        self._init = json.loads(report.read_text("utf-8"))["child-pid"] if report else 0
        self._folders = _open_folders(self._init) if report else []
        self._passed: str | None = None
        self.also = 0  # a process outside, which what comes from the kernel may fill
        self._thread = Thread(target=self._look, daemon=True)
        self._thread.start()

    def complaint(self, *, ended: bool = False) -> str | None:
        """A sentence on the limit passed, or None; once the kernel has ended, why."""
        if ended:
            self._thread.join(10 * POLL)
        # Whatever ended the watch: a kernel that nobody watches may not go on.
        gone = ended or not self._thread.is_alive()
        return self._passed or ("ended its own kernel" if gone else None)

    def _look(self) -> None:
        try:
            while self._root.status() != psutil.STATUS_ZOMBIE:
                self._passed = self._passed or self._over()
                if self._passed:
                    self._hold()
                sleep(POLL)
        except psutil.NoSuchProcess:
            pass
        finally:
            for folder in self._folders:
                os.close(folder)

    def _hold(self) -> None:
        """Let nothing inside go on, until the session is ended."""
        first = psutil.Process(self._init or self._root.pid)
        for process in first.children(recursive=True) if self._init else [first]:
            with suppress(psutil.Error):
                process.suspend()

    def processes(self) -> list[psutil.Process]:
        """The kernel and all that it has started, which nothing in the sandbox can leave."""
        with suppress(psutil.NoSuchProcess):
            return [self._root, *self._root.children(recursive=True)]
        return []

    def _tester(self) -> list[psutil.Process]:
        with suppress(psutil.NoSuchProcess):
            return [psutil.Process(self.also)] if self.also else []
        return []

    def _over(self) -> str | None:
        processes, limits = self.processes(), self._limits
        threads = _total(processes, lambda process: process.num_threads())
        for group, more in ((processes, self._underway()), (self._tester(), 0)):
            # Forked processes share pages: count each page once before accusing anybody.
            if all(_total(group, size) + more > limits.memory for size in (_resident, _share)):
                return f"used more than {limits.memory // MIB} MiB of memory"
        # The kernel of the machine refuses to go beyond; to be at the limit is to try.
        if threads > limits.processes:
            return f"started more than {limits.processes} processes or threads"
        if self._sockets() > limits.sockets:
            return f"opened more than {limits.sockets} sockets"
        if self._entries() > limits.entries:
            return f"made more than {limits.entries} files"
        return None

    def _underway(self) -> int:
        """The bytes sent over TCP and not read yet, which may be megabytes a connection."""
        queues = [line.split()[4].split(":") for line in self._network("tcp")[1:]]
        return sum(int(queue, 16) for pair in queues for queue in pair)

    def _sockets(self) -> int:
        """The number of sockets of any kind, those included that nobody can name any more."""
        return sum(int(line.split()[2]) for line in self._network("sockstat")[:1])

    def _network(self, about: str) -> list[str]:
        # The sandbox may end while we look.
        with suppress(OSError):
            if self._init:
                return Path(f"/proc/{self._init}/net", about).read_text("utf-8").splitlines()
        return []

    def _entries(self) -> int:
        """The number of all that is in the folders of the sandbox."""
        found = [os.fstatvfs(folder) for folder in self._folders]
        return sum(info.f_files - info.f_ffree for info in found)


def _open_folders(init: int) -> list[int]:
    """Open the folders that a sandbox, by its first process, can write to."""
    root = f"/proc/{init}/root"
    try:
        return [os.open(root + place, os.O_PATH | os.O_DIRECTORY) for place in bubblewrap.WRITABLE]
    except PermissionError as error:
        raise SandboxUnavailable(
            f"A sandbox was started, but this machine does not allow access to it ({root}). "
            "A container may need the right to do so (Docker: --cap-add SYS_PTRACE)."
        ) from error


def _total(processes: list[psutil.Process], measure: Callable[[psutil.Process], int]) -> int:
    total = 0
    for process in processes:
        # It may end while we look, and not every root may look at everything.
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            total += measure(process)
    return total


def _resident(process: psutil.Process) -> int:
    return int(process.memory_info().rss)


def _share(process: psutil.Process) -> int:
    """Its memory, pages that it shares with n processes counting 1/n."""
    try:
        return int(process.memory_full_info().pss)
    except (psutil.AccessDenied, AttributeError):
        return _resident(process)
