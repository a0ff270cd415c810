"""The walls of the sandbox: its limits, how bubblewrap is called, what is seen from inside."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from jupyter_core.paths import jupyter_config_path, jupyter_path
from matplotlib import font_manager, get_cachedir

import dtviz

MIB = 2**20
HOME = "/tmp/student"  # noqa: S108 - in memory, on no disc of the machine
CONNECTION = "/run/kernel/connection.json"
WRITABLE = {"/tmp": None, "/dev/shm": MIB}  # noqa: S108
"""Folders in memory and their sizes; None is what the limits say."""
FILTER, REPORT = 3, 4
"""Files that bubblewrap reads and writes, by number."""


@dataclass(frozen=True)
class Limits:
    """What a submission may use. Times in seconds of the clock, sizes in bytes.

    One that is not ``sandboxed`` can do all that its marker can.
    """

    cell_seconds: float = 20.0
    notebook_seconds: float = 240.0
    memory: int = 2048 * MIB
    """Resident, all of its processes together; one process may map a GiB more."""
    processes: int = 64
    """Threads count: an idle kernel has about a dozen."""
    output: int = 1_000_000
    """A cell's."""
    scratch: int = 64 * MIB
    """Its home and /tmp together, which are in memory."""
    entries: int = 10_000
    """Files, folders and links there: an empty one takes a KiB that no size counts."""
    sockets: int = 1024
    """Of all processes together: each may hold some 200 KiB."""
    sandboxed: bool = True


USUAL = Limits()


def argv(limits: Limits, connection: Path, uid: int, data: Path | None = None) -> list[str]:
    """The command that runs its remaining arguments in the sandbox, with the files of ``data``.

    Its own environment is empty, for a process of bubblewrap's stays inside, where others can read
    what it was given. It stays in the process group of its caller, too, and its command does not.
    """
    # Root is above every limit of processes, so it steps down inside, to a user nobody else is.
    user = ["--unshare-user"]
    step_down: list[str] = []
    if os.geteuid() == 0:
        user = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        step_down = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--"]
    return [
        *("env", "-i", shutil.which("bwrap") or "bwrap"),
        *user,
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--unshare-cgroup-try", "--die-with-parent", "--clearenv"),
        *("--seccomp", str(FILTER), "--info-fd", str(REPORT), "--hostname", "sandbox"),
        *_show_system(),
        *_make_folders(limits),
        *_show_files(connection, data),
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME),
        *_repeat(("--setenv", name, value) for name, value in _environment().items()),
        *("--", "setsid", *step_down),
        *("prlimit", f"--nproc={limits.processes}", f"--as={limits.memory + 1024 * MIB}"),
        *(f"--fsize={limits.scratch}", "--nofile=256", "--core=0", "--"),
    ]


_repeat = chain.from_iterable
"""One option many times."""


def _bind(path: Path, place: str = "") -> tuple[str, str, str]:
    """Let a file or folder be read inside, where it is or in another place."""
    return "--ro-bind", str(path), place or str(path)


def _show_system() -> list[str]:
    """The system's programs and libraries, without what somebody has written there."""
    parts = [Path("/", part) for part in ("bin", "sbin", "lib", "lib64")]
    links = [part for part in parts if part.is_symlink()]
    return [
        *_bind(Path("/usr")),
        *_repeat(("--tmpfs", str(path), "--remount-ro", str(path)) for path in _hidden()),
        *_repeat(("--symlink", f"usr/{part.name}", str(part)) for part in links),
        *_repeat(_bind(part) for part in parts if part.is_dir() and part not in links),
        *("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"),
        *("--proc", "/proc", "--dev", "/dev"),
    ]


def _make_folders(limits: Limits) -> list[str]:
    """Folders in memory: those that may be written to, and those on the way to readable ones."""
    # They would be closed to all but root.
    parents = {parent for path in _readable() for parent in path.parents[:-1]}
    return [
        *_repeat(
            ("--size", str(size or limits.scratch), "--perms", "1777", "--tmpfs", path)
            for path, size in WRITABLE.items()
        ),
        *_repeat(("--perms", "0755", "--dir", str(parent)) for parent in sorted(parents)),
    ]


def _show_files(connection: Path, data: Path | None) -> list[str]:
    """Python and its packages, and a home with fonts, data and the connection."""
    settings = f"{HOME}/.matplotlib"
    return [
        *_repeat(map(_bind, _readable())),
        *_repeat(("--perms", "1777", "--dir", path) for path in (HOME, settings)),
        *_repeat(_bind(fonts, f"{settings}/{fonts.name}") for fonts in _fonts()),
        *_repeat(_bind(f, f"{HOME}/{f.name}") for f in sorted(data.iterdir() if data else ())),
        *("--perms", "0755", "--dir", "/run/kernel", *_bind(connection, CONNECTION)),
    ]


def _environment() -> dict[str, str]:
    """The variables of the kernel."""
    return {
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


def _readable() -> list[Path]:
    """What the kernel needs of this machine besides /usr: its Python, its packages, dtviz.

    Not all of an environment: beside them Jupyter keeps settings, IPython what was typed.
    """
    found = {Path(sysconfig.get_paths()[kind]) for kind in ("stdlib", "purelib", "platlib")}
    for prefix in {Path(sys.prefix), Path(sys.base_prefix)}:
        found |= {prefix / part for part in ("bin", "lib", "lib64", "pyvenv.cfg")}
    paths = {place for path in found if path.exists() for place in (path, path.resolve())}
    paths.add(Path(dtviz.__file__).parent)
    covered = paths | {Path("/usr")}
    return sorted(
        path for path in paths if covered.isdisjoint(path.parents) and path.parts[1] != "usr"
    )


def _hidden() -> list[Path]:
    """Folders below /usr that hold what an instructor, or another course, has written."""
    usual = [f"/usr/local/{part}" for part in ("share/nbgrader", "etc/ipython")]
    ours = [str(Path(__file__).parent), os.environ.get("IPYTHONDIR", "")]
    places = {Path(place).resolve() for place in (*jupyter_path(), *jupyter_config_path(), *usual)}
    places |= {Path(place).resolve() for place in ours if place}
    found = {path for path in places if path.is_dir() and path.parts[1:2] == ("usr",)}
    return sorted(path for path in found if found.isdisjoint(path.parents))


@cache
def _fonts() -> tuple[Path, ...]:
    """Matplotlib's list of fonts, which takes seconds to make: each sandbox gets ours to read."""
    font_manager.findfont("DejaVu Sans")
    return tuple(Path(get_cachedir()).glob("fontlist-*.json"))
