"""A kernel that can do no harm: bubblewrap around ipykernel, and somebody who watches it.

The kernel sees the Python it runs on, dtviz, and an empty home of its own; no network, no other
process, no other file. Memory, processes and files are limited from outside. It talks to us through
Unix sockets in one folder made for it.
"""

from __future__ import annotations

import os
import platform
import secrets
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from matplotlib import font_manager, get_cachedir

import dtviz

HOME = "/home/student"
"""Of the student, inside the sandbox: a folder in memory, on no disc of the machine."""
MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """What a submission may use. Times in seconds of the clock, sizes in bytes."""

    cell_seconds: float = 20.0
    notebook_seconds: float = 120.0
    memory: int = 2048 * MIB
    """Resident, all of its processes together; one process may map a GiB more."""
    processes: int = 64
    """Threads count: an idle kernel has about a dozen."""
    output: int = 1_000_000
    """A cell's."""
    scratch: int = 64 * MIB
    """Its home and /tmp, which are in memory."""


class SandboxUnavailable(RuntimeError):  # noqa: N818 - a state of the machine, not a mistake
    """Submissions cannot be shut in on this machine; the message says why and what to do."""


def _argv(limits: Limits, folder: Path, uid: int) -> list[str]:
    """The command that runs its remaining arguments in the sandbox, ``folder`` being shared."""
    user = (
        # Root is above every limit of processes, so it steps down inside, to a user nobody else is.
        ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        if os.geteuid() == 0
        else ["--unshare-user"]
    )
    environment = {
        "HOME": HOME,
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "IPYTHONDIR": f"{HOME}/.ipython",
        "MPLCONFIGDIR": f"{HOME}/.matplotlib",
        # One thread each: many submissions share the machine, and threads are counted.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
        "PYTHONHASHSEED": "0",
        # The dtviz of the grader, wherever it was imported from.
        "PYTHONPATH": str(Path(dtviz.__file__).parents[1]),
    }
    readable = _readable()
    # Folders on the way to them would be closed to all but root.
    parents = sorted({parent for path in readable for parent in path.parents[:-1]})
    links = [part for part in ("bin", "sbin", "lib", "lib64") if Path("/", part).is_symlink()]
    folders = [part for part in ("bin", "sbin", "lib", "lib64") if Path("/", part).is_dir()]
    return [
        "bwrap",
        *user,
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--clearenv"),
        *("--hostname", "sandbox", "--ro-bind", "/usr", "/usr"),
        *_flat(("--symlink", f"usr/{part}", f"/{part}") for part in links),
        *_flat(("--ro-bind", f"/{part}", f"/{part}") for part in folders if part not in links),
        *("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", str(limits.scratch), "--perms", "1777", "--tmpfs", "/tmp"),  # noqa: S108 - its own
        *("--size", str(limits.scratch), "--perms", "1777", "--tmpfs", HOME),
        *_flat(("--perms", "0755", "--dir", str(parent)) for parent in parents),
        *_flat(("--ro-bind", str(path), str(path)) for path in readable),
        *("--perms", "1777", "--dir", f"{HOME}/.matplotlib"),
        *_flat(("--ro-bind", str(fonts), f"{HOME}/.matplotlib/{fonts.name}") for fonts in _fonts()),
        *("--bind", str(folder), str(folder), "--remount-ro", "/", "--chdir", HOME),
        *_flat(("--setenv", name, value) for name, value in environment.items()),
        "--",
        *(_step_down(uid) if os.geteuid() == 0 else ()),
        *("prlimit", f"--nproc={limits.processes}", f"--as={limits.memory + 1024 * MIB}"),
        *(f"--fsize={limits.scratch}", "--nofile=256", "--core=0", "--"),
    ]


def _readable() -> list[Path]:
    """What the kernel needs of this machine besides /usr: its Python, its packages, dtviz."""
    needed = {sys.prefix, sys.base_prefix, sysconfig.get_paths()["stdlib"]}
    paths = {Path(path) for path in needed} | {Path(path).resolve() for path in needed}
    paths.add(Path(dtviz.__file__).parent)
    covered = paths | {Path("/usr")}
    return sorted(
        path for path in paths if covered.isdisjoint(path.parents) and path.parts[1] != "usr"
    )


def _flat(parts: Iterator[tuple[str, ...]]) -> Iterator[str]:
    for part in parts:
        yield from part


def _step_down(uid: int) -> tuple[str, ...]:
    return ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--")


@cache
def _fonts() -> tuple[Path, ...]:
    """Matplotlib's list of fonts, which takes seconds to make: each sandbox gets ours to read."""
    font_manager.findfont("DejaVu Sans")
    return tuple(Path(get_cachedir()).glob("fontlist-*.json"))


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
    missing = [tool for tool in ("bwrap", "prlimit", "setpriv") if shutil.which(tool) is None]
    if missing:
        raise SandboxUnavailable(
            f"Submissions run in a sandbox, and {', '.join(missing)} cannot be found. "
            "On Debian or Ubuntu: sudo apt-get install bubblewrap util-linux."
        )
    with _shared_folder() as (folder, uid):
        done = subprocess.run(  # noqa: S603 - our own command
            [*_argv(Limits(), folder, uid), sys.executable, "-c", "import dtviz"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    if done.returncode:
        raise SandboxUnavailable(
            f"bubblewrap is there but cannot start a sandbox: {done.stderr.strip()[-500:]} "
            "A container may need the right to make namespaces (Docker: --security-opt "
            "seccomp=unconfined), and Linux 5.14 or newer is needed."
        )


@contextmanager
def _shared_folder() -> Iterator[tuple[Path, int]]:
    """A folder for the sockets, and the user who owns it."""
    # Short, since a socket's path may have 107 characters.
    with tempfile.TemporaryDirectory(prefix="dtviz-", dir="/tmp") as name:
        uid = os.geteuid() or 2**20 + secrets.randbelow(2**30)
        os.chown(name, uid, -1)
        yield Path(name), uid


# Ends the kernel when the grader is gone, however it went: then the pipe on stdin is at its end.
# bubblewrap's own --die-with-parent is deaf while the sandbox is being made.
LIFELINE = 'exec 3<&0 0</dev/null; (cat <&3 >/dev/null; kill -9 $$) & exec "$@" 3<&-'


class SandboxedKernel(AsyncKernelManager):
    """A kernel manager whose kernel is shut in; see :func:`kernel`."""

    argv: tuple[str, ...] = ()
    lifeline = -1

    @property
    def kernel_spec(self) -> KernelSpec:
        """How to start the kernel."""
        return KernelSpec(argv=[*self.argv], display_name="Sandbox", language="python")


@contextmanager
def kernel(limits: Limits, *, sandboxed: bool) -> Iterator[tuple[SandboxedKernel, Path]]:
    """A manager of a kernel not yet started, and the folder that it shares with the kernel."""
    with _shared_folder() as (folder, uid):
        python = (sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}")
        command = ("/bin/sh", "-c", LIFELINE, "sh", *python)
        manager = SandboxedKernel(transport="ipc", connection_file=str(folder / "k.json"))
        manager.argv = (*_argv(limits, folder, uid), *command) if sandboxed else command
        manager.write_connection_file()
        os.chown(manager.connection_file, uid, -1)
        manager.lifeline, ours = os.pipe()
        try:
            yield manager, folder
        finally:
            os.close(ours)
            os.close(manager.lifeline)


class Watch:
    """Looks at a running kernel from outside, and says which limit it has passed."""

    def __init__(self, manager: SandboxedKernel, folder: Path, limits: Limits) -> None:
        provisioner: Any = manager.provisioner
        self._root = psutil.Process(provisioner.pid)
        self._folder = folder
        self._limits = limits

    def processes(self) -> list[psutil.Process]:
        """The kernel and all that it has started, which nothing in the sandbox can leave."""
        try:
            return [self._root, *self._root.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def complaint(self) -> str | None:
        """A sentence on the limit passed, or None."""
        processes = self.processes()
        threads = _total(processes, lambda process: process.num_threads())
        resident = _total(processes, lambda process: process.memory_info().rss)
        if resident > self._limits.memory:
            # Forked processes share pages: count each page once before accusing anybody.
            resident = _total(processes, _share)
        if resident > self._limits.memory:
            return f"used more than {self._limits.memory // MIB} MiB of memory"
        # The kernel of the machine refuses to go beyond; to stand at the limit is to try.
        if threads > self._limits.processes:
            return f"started more than {self._limits.processes} processes or threads"
        if sum(entry.stat().st_size for entry in os.scandir(self._folder)) > MIB:
            return "wrote to the folder of its own connection"
        return None


def _total(processes: list[psutil.Process], measure: Callable[[psutil.Process], int]) -> int:
    total = 0
    for process in processes:
        # It may end while we look.
        with suppress(psutil.NoSuchProcess):
            total += measure(process)
    return total


def _share(process: psutil.Process) -> int:
    """Its memory, pages that it shares with n processes counting 1/n."""
    try:
        return int(process.memory_full_info().pss)
    except (psutil.AccessDenied, AttributeError):
        return int(process.memory_info().rss)
