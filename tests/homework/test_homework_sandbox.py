"""Submissions that misbehave: each ends in time, costs one question and leaves nothing behind."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import psutil
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from support import course
from support.cases import sweep

from homework import bubblewrap, sandbox, session
from homework import run as runner
from homework.bubblewrap import Limits
from homework.run import Executed
from homework.sandbox import SandboxUnavailable

pytestmark = [pytest.mark.homework, pytest.mark.slow]

LIMITS = Limits(cell_seconds=20, notebook_seconds=90, memory=512 * bubblewrap.MIB)
SHORT = replace(LIMITS, cell_seconds=3)


def submission(**given: str):
    """The grading notebook of the demo course with these answers and right ones to the rest.

    Question 3 keeps the reference solution, which needs what `setup` imports: a kernel started
    again must have run it.
    """
    notebook = course.source()
    for cell in notebook.cells:
        question = cell.id.partition("-")[0]
        if cell.cell_type == "code" and cell.id.endswith("-answer") and question != "q3":
            cell.source = dedent(given.get(question, course.RIGHT[question]))
    return notebook


def run(limits: Limits = LIMITS, **given: str) -> Executed:
    before = time.monotonic()
    done = runner.run(submission(**given), limits)
    # Starting kernels takes its time; what the submission does is within its cap.
    assert time.monotonic() - before < limits.notebook_seconds + 30
    assert not [p for p in psutil.Process().children(recursive=True) if p.name() == "bwrap"]
    return done


def status(done: Executed) -> dict[str, str]:
    return {name: result.status for name, result in done.results.items()}


def text(done: Executed, name: str) -> str:
    cell = next(cell for cell in done.notebook.cells if cell.id == name)
    return "".join(output.get("text", "") for output in cell.outputs)


OTHERS = ("setup", "q2-answer", "q2-tests", "q2-hidden", "q3-answer", "q3-tests", "q3-hidden")

HOSTILE = {
    "a loop that ignores interrupts": (
        """
        import signal, time
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            try:
                time.sleep(60)
            except BaseException:
                pass
        """,
        "q1-answer",
        "took longer than 3 seconds",
    ),
    "os._exit": ("import os\nos._exit(0)", "q1-answer", "ended its own kernel"),
    "all files closed": ("import os\nos.closerange(0, 256)", "q1-answer", "ended its own kernel"),
    "a crash": ("import ctypes\nctypes.string_at(0)", "q1-answer", "ended its own kernel"),
    "many pieces that make 8 GB": (
        """
        import numpy as np
        import os
        for _ in range(8):
            if os.fork() == 0:
                break
        kept = [np.ones(2**24) for _ in range(8)]
        import time
        time.sleep(60)
        """,
        "q1-answer",
        "used more than 512 MiB of memory",
    ),
    "a spawner of 200 children": (
        """
        import subprocess
        children = [subprocess.Popen(["/usr/bin/sleep", "600"]) for _ in range(200)]
        """,
        "q1-answer",
        "started more than 64 processes or threads",
    ),
    "200 threads": (
        """
        import threading, time
        for _ in range(200):
            threading.Thread(target=time.sleep, args=(600,)).start()
        """,
        "q1-answer",
        "started more than 64 processes or threads",
    ),
    "100 MB of output in one piece": (
        "print('x' * 100_000_000)",
        "q1-answer",
        "printed more than 1000 kB or 2000 messages",
    ),
    "output without end": (
        "while True:\n    print('x' * 1000)",
        "q1-answer",
        "printed more than 1000 kB or 2000 messages",
    ),
    "files without end": (
        "import itertools, os\nfor k in itertools.count():\n    os.mkdir(f'/tmp/{k}')",
        "q1-answer",
        "made more than 10000 files",
    ),
    "sockets without end": (
        """
        import os, socket, time
        for _ in range(20):
            if os.fork() == 0:
                break
        kept = [socket.socketpair() for _ in range(80)]
        time.sleep(60)
        """,
        "q1-answer",
        "opened more than 1024 sockets",
    ),
    "connections that nobody reads": (
        """
        import contextlib, socket, time
        server = socket.create_server(("127.0.0.1", 0))
        kept = []
        with contextlib.suppress(OSError):
            while True:
                kept.append(socket.create_connection(server.getsockname()))
                kept.append(server.accept()[0])
                for end in kept[-2:]:
                    end.setblocking(False)
                    with contextlib.suppress(BlockingIOError):
                        while True:
                            end.send(bytes(2**16))
        time.sleep(60)
        """,
        "q1-answer",
        "used more than 200 MiB of memory",
    ),
    "pictures without end": (
        "while True:\n    display('x')",
        "q1-answer",
        "printed more than 1000 kB or 2000 messages",
    ),
}


@pytest.mark.parametrize("name", sweep(HOSTILE, 3))
def test_a_hostile_answer_costs_its_question_and_says_why(name):
    answer, where, reason = HOSTILE[name]
    limits = SHORT if "longer" in reason else LIMITS
    if "200 MiB" in reason:
        limits = replace(limits, memory=200 * bubblewrap.MIB)
    done = run(limits, q1=answer)
    assert done.results[where].status == "stopped"
    assert done.results[where].reason == reason
    assert ("stopped", where, reason) in [(f.kind, f.cell, f.message) for f in done.findings]
    assert status(done)["q1-hidden"] in ("error", "stopped")
    assert {name: status(done)[name] for name in OTHERS} == dict.fromkeys(OTHERS, "ok")
    errors = [
        output
        for cell in done.notebook.cells
        if cell.id == "q1-hidden"
        for output in cell.outputs
        if output.output_type == "error"
    ]
    assert len(errors) == 1


def test_a_hook_that_fills_the_memory_later_costs_its_own_question_alone():
    """And none at all if it waits for the next question to be asked."""
    eat = """
        import os, time
        import numpy as np
        def eat(calls=iter([False, {passed}True])):
            if next(calls, False):
                for _ in range(3):
                    if os.fork() == 0:
                        break
                kept = np.ones(2**25)  # too much together, and soon done
                time.sleep(60)
        get_ipython().events.register("post_execute", eat)
        """
    # Only in the first half of its time is a cell tried apart, and a busy machine is slow.
    limits = replace(LIMITS, notebook_seconds=600)
    done = run(limits, q1=eat.format(passed=""))
    assert done.results["q1-tests"].reason == "used more than 512 MiB of memory"
    # The next test of the same question has less time, which may end first.
    assert status(done)["q1-hidden"] == "stopped"
    assert {name: status(done)[name] for name in OTHERS} == dict.fromkeys(OTHERS, "ok")
    later = eat.format(passed="False, False, ") + dedent(course.RIGHT["q1"]).replace(
        "\n", "\n        "
    )
    assert set(status(run(limits, q1=later)).values()) == {"ok"}


def test_who_needs_an_earlier_answer_has_it_after_a_kill():
    q1 = "def square(x):\n    return x * x\ndef average(values):\n    import os\n    os._exit(3)"
    done = run(q1=q1, q2="answer = sum(square(k) for k in range(1, 11))")
    assert status(done)["q1-hidden"] == "stopped"
    assert {name: status(done)[name] for name in OTHERS} == dict.fromkeys(OTHERS, "ok")


def test_exit_and_blank_cells_are_nothing_to_run(monkeypatch):
    """A kernel ends a moment after `exit()`: it would be the next cell's fault, again and again."""
    sent = []
    execute = session.Session.execute

    async def executed(self: session.Session, cell: NotebookNode, index: int) -> dict[str, str]:
        sent.append(cell.source)
        return await execute(self, cell, index)

    monkeypatch.setattr(session.Session, "execute", executed)
    notebook = submission(q1="exit()\n" + course.RIGHT["q1"])
    notebook.cells += [new_code_cell(" \n", id=f"own-{number}") for number in range(5)]
    done = runner.run(notebook, LIMITS)
    assert set(status(done).values()) == {"ok"}
    assert len(done.results) == len(sent) + 5 + 6, "of our own cells, six are tests"


def test_an_answer_that_fills_the_process_that_tests_it_is_held_at_the_same_limit():
    notebook = submission(q1="def average(values):\n    return range(10**9)")
    test = next(cell for cell in notebook.cells if cell.id == "q1-hidden")
    test.source = "held = list(average([1]))"
    done = runner.run(notebook, LIMITS)
    # A burst between two looks meets the limit of its addresses.
    said = done.results["q1-hidden"].reason
    assert said.startswith((f"used more than {LIMITS.memory // bubblewrap.MIB} MiB", "MemoryError"))
    assert {name: status(done)[name] for name in OTHERS} == dict.fromkeys(OTHERS, "ok")


def test_folders_of_graders_that_were_killed_are_swept_and_no_others():
    gone, alive, other = (
        Path(tempfile.mkdtemp(prefix=f"dtviz-{number}-", dir="/tmp"))
        for number in (2**22 + 1, os.getpid(), "mine")
    )
    sandbox._sweep()
    assert [path.exists() for path in (gone, alive, other)] == [False, True, True]
    alive.rmdir()
    other.rmdir()


def test_an_allocation_of_8_gb_is_refused_and_the_kernel_lives_on():
    done = run(q1="import numpy as np\ndef average(values):\n    return np.ones(2**30).mean()")
    assert done.results["q1-tests"].reason.startswith("MemoryError")
    assert {name: status(done)[name] for name in OTHERS} == dict.fromkeys(OTHERS, "ok")


def test_nothing_that_was_started_lives_on():
    """A child that leaves its parent and its session dies with the sandbox all the same."""
    mark = "613.25"
    done = run(
        q1=f"""
        import os, subprocess
        if os.fork() == 0:
            os.setsid()
            subprocess.Popen(["/usr/bin/sleep", "{mark}"], start_new_session=True)
            os._exit(0)
        import time; time.sleep(0.5)
        print([p for p in os.listdir("/proc") if p.isdigit()])
        """
        + dedent(course.RIGHT["q1"]).replace("\n", "\n        ")
    )
    assert len(json.loads(text(done, "q1-answer").replace("'", '"'))) >= 3
    time.sleep(0.2)
    running = [p.info["cmdline"] or [] for p in psutil.process_iter(["cmdline"])]
    assert [line for line in running if mark in line] == []


HOARDS = {
    "memfd": "os.memfd_create(str(k))",
    "System V": "shared(k)",
    "shared memory": "opened(f'/dev/shm/{k}')",
    "devices": "opened(f'/dev/{k}')",
    "scratch": "opened(f'/tmp/{k}')",
    "home": "opened(os.path.expanduser(f'~/{k}'))",
    "where the connection file is": "opened(below(get_connection_file(), k))",
    "a mount of its own": "opened(mounted(k))",
}
"""Places for memory that is no process's: how to open a file there, of number ``k``."""

HOARDER = f"""
    import ctypes, json, os
    from pathlib import Path
    from ipykernel.connect import get_connection_file

    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p

    def opened(path):
        return os.open(path, os.O_CREAT | os.O_RDWR)

    def below(path, k):
        folder = Path(path).parent / "below"
        folder.mkdir(exist_ok=True)
        return str(folder / str(k))

    def shared(k):
        number = libc.shmget(0, 16 * 2**20, 0o1600)
        if number < 0:
            raise OSError("no segment")
        address = libc.shmat(number, None, 0)
        ctypes.memset(address, 1, 16 * 2**20)
        libc.shmdt(ctypes.c_void_p(address))

    def mounted(k):
        os.makedirs("/tmp/mounted", exist_ok=True)
        if k == 0:
            if libc.unshare(0x10020000) or libc.mount(b"x", b"/tmp/mounted", b"tmpfs", 0, None):
                raise OSError("no mount")
        return f"/tmp/mounted/{{k}}"

    found = {{}}
    for name, way in {HOARDS!r}.items():
        found[name] = 0
        try:
            for k in range(10):
                place = eval(way)
                for _ in range(16):
                    if place is not None:
                        os.write(place, bytes(2**20))
                    found[name] += 1
        except OSError:
            pass
        os.system("rm -rf /tmp/[0-9]* ~/[0-9]*")
    print(json.dumps(found))
"""


def test_what_is_in_memory_and_no_process_has_is_limited():
    """Each place would hold 160 MiB, if it were let. Files deleted but open count as well."""
    done = run(q2=dedent(HOARDER) + course.RIGHT["q2"])
    data = json.loads(text(done, "q2-answer"))
    assert data.keys() == HOARDS.keys()
    assert {name: held for name, held in data.items() if held > 1 and name != "scratch"} == {}
    assert 32 <= data["scratch"] <= 64


STARTER = """
import asyncio, subprocess
from homework import sandbox

async def start():
    with sandbox.kernel(sandbox.bubblewrap.USUAL) as (manager, folder):
        quiet = subprocess.DEVNULL
        print(folder, flush=True)
        await manager.start_kernel(stdin=manager.lifeline, stdout=quiet, stderr=quiet)
        await asyncio.sleep(60)

asyncio.run(start())
"""


@contextmanager
def grader() -> Iterator[str]:
    """A grader that has begun to start a kernel, by its folder; it is killed in the end."""
    process = subprocess.Popen([sys.executable, "-c", STARTER], stdout=subprocess.PIPE, text=True)
    folder = process.stdout.readline().strip()
    try:
        yield folder
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        shutil.rmtree(folder)


def of(folder: str) -> list[psutil.Process]:
    """The processes that know of a grader's folder: the grader's shell and bubblewrap's."""
    found = psutil.process_iter(["cmdline"])
    return [p for p in found if any(folder in word for word in p.info["cmdline"] or [])]


def until(true: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 120
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()


@pytest.mark.parametrize("delay", sweep([0, 0.01, 0.02, 0.05, 1.5], 4))
def test_a_grader_that_is_killed_leaves_no_kernel_behind(delay):
    """The sandbox may be half made by then."""
    with grader() as folder:
        time.sleep(delay)
    assert until(lambda: not of(folder))


BETWEEN = """#!{python}
import ctypes, os, signal, time
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
wait, go_on = os.pipe()
if os.fork() == 0:
    os.read(wait, 1)
time.sleep(600)
"""


def test_a_sandbox_whose_maker_dies_before_it_says_go_on_is_ended(tmp_path, monkeypatch):
    """bubblewrap ties its life to ours, and only then lets its child begin, which waits for ever
    if both are gone by then: this one stays between the two."""
    fake = tmp_path / "bwrap"
    fake.write_text(BETWEEN.format(python=sys.executable))
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    def waiting() -> bool:
        return len([p for p in of(folder) if p.info["cmdline"][1] == str(fake)]) == 2

    with grader() as folder:
        assert until(waiting)
    assert until(lambda: not of(folder))


def test_a_submission_sees_nothing_of_our_environment(monkeypatch):
    """Looked at from outside: what an ordinary user may read, root's submission may not."""
    monkeypatch.setenv("CANVAS_TOKEN", "hush")
    with grader() as folder:
        assert until(lambda: "python" in names_inside(folder))
        names = names_inside(folder)
        shown = [Path(f"/proc/{p.pid}/environ").read_bytes() for p in inside(folder)]
    assert "bwrap" in names
    assert not [result for result in shown if b"CANVAS" in result or b"hush" in result]


def inside(folder: str) -> list[psutil.Process]:
    """The processes that see no others than each other."""
    ours, found = Path("/proc/self/ns/pid").readlink(), set()
    for known in of(folder):
        # What starts a sandbox starts others, which end while we look.
        with suppress(psutil.NoSuchProcess):
            found |= {known, *known.children(recursive=True)}
    return [process for process in found if space_of(process) not in (None, ours)]


def space_of(process: psutil.Process) -> Path | None:
    """Of which processes it is one; None once it has ended."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{process.pid}/ns/pid").readlink()
    return None


def names_inside(folder: str) -> set[str]:
    """What the processes inside are called."""
    found = set()
    for process in inside(folder):
        with suppress(psutil.NoSuchProcess):
            found.add(process.name())
    return found


def test_the_kernel_is_the_python_of_the_grader_and_remembers_nothing():
    """IPython keeps in its folder what was typed, solutions among it, and Jupyter its settings."""
    prefixes = {sys.prefix, sys.base_prefix} - {"/usr"}
    looking = f"""
        import json, os, sys
        seen = [name for path in {prefixes!r} for name in os.listdir(path)]
        print(json.dumps([sys.executable, get_ipython().history_manager.enabled, seen]))
        """
    result = text(run(q2=dedent(looking) + course.RIGHT["q2"]), "q2-answer")
    python, history, seen = json.loads(result)
    assert (python, history) == (sys.executable, False)
    assert set(seen) <= {"bin", "lib", "lib64", "pyvenv.cfg"}


def test_what_ipython_keeps_is_hidden_below_usr_too(monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", "/usr/share")
    done = run(q2="import os\nprint(os.listdir('/usr/share'))\n" + course.RIGHT["q2"])
    assert text(done, "q2-answer") == "[]\n"


def test_a_kernel_that_cannot_be_watched_does_not_go_on(monkeypatch):
    def lose(_: sandbox.Watch) -> None:
        raise psutil.NoSuchProcess(0)

    monkeypatch.setattr(sandbox.Watch, "_over", lose)
    done = run(q1="import time\ntime.sleep(60)")
    assert done.results["q1-answer"].status == "stopped"


SOCKETS = """
import contextlib, fcntl, itertools, os, socket, time
from ipykernel.connect import get_connection_info

info = get_connection_info(unpack=True)
names = [f"{info['ip']}-{info[channel + '_port']}" for channel in CHANNELS]
folder = os.path.dirname(info["ip"])
os.makedirs(folder, exist_ok=True)

def move():
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            os.rename(name, name + ".old")
    return names

def ours():
    for number in range(3, 256):
        with contextlib.suppress(OSError):
            found = socket.socket(fileno=number)
            if found.getsockname() in names:
                yield found
            found.detach()

def cut():
    for found in ours():
        if not found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            found.shutdown(socket.SHUT_RDWR)
"""
"""What a cell needs to make the grader connect again, and to elsewhere, over some CHANNELS."""

ELSEWHERE = {
    "links in the place of the sockets": "for name in move():\n    os.symlink(HOST, name)",
    "a fifo each": "for name in move():\n    os.mkfifo(name)",
    "links that come and go": """
move()
if os.fork() == 0:
    for number in itertools.count():
        for name in names:
            os.symlink(HOST if number % 2 else name + ".old", name + ".new")
            os.replace(name + ".new", name)
""",
    "a link above them": """
with contextlib.suppress(OSError):
    os.rename(folder, folder + ".old")
    os.symlink(os.path.dirname(HOST), folder)
""",
}


@pytest.mark.parametrize("way", sweep(ELSEWHERE, 2))
def test_a_cell_cannot_make_the_grader_connect_to_a_socket_outside(way):
    with tempfile.TemporaryDirectory(dir="/tmp") as place, socket.socket(socket.AF_UNIX) as host:
        path = f"{place}/host"
        host.bind(path)
        host.listen()
        host.settimeout(0)
        for number in range(256):
            Path(place, f"k-{number}").symlink_to(path)
        start = f"HOST, CHANNELS = {path!r}, {sandbox.CHANNELS!r}\n{SOCKETS}"
        done = run(q1=f"{start}{ELSEWHERE[way]}\ncut()\ntime.sleep(2)\nos._exit(0)")
        with pytest.raises(BlockingIOError):
            host.accept()
        with socket.socket(socket.AF_UNIX) as known:
            known.connect(f"{place}/k-1")
            host.accept()[0].close()
    assert done.results["q1-answer"].status == "stopped"
    assert {name: status(done)[name] for name in OTHERS} == dict.fromkeys(OTHERS, "ok")


def test_a_process_of_the_sandbox_cannot_take_the_place_of_its_kernel():
    """Of its heartbeat here, which a cell survives."""
    impostor = f"""
CHANNELS = ["hb"]
{SOCKETS}
with socket.socket(socket.AF_UNIX) as other:
    other.bind(move()[0])
    other.listen()
    other.settimeout(3)
    cut()
    try:
        print(other.accept())
    except TimeoutError:
        print("nobody")
"""
    done = run(q2=impostor + course.RIGHT["q2"])
    assert text(done, "q2-answer") == "nobody\n"
    assert set(status(done).values()) == {"ok"}


def test_connections_to_the_grader_say_nothing_of_its_network():
    """They are sockets of the network outside, in which one of ours would name what there is."""
    asks = f"""
CHANNELS = {sandbox.CHANNELS!r}
{SOCKETS}
for found in ours():
    try:
        print(fcntl.ioctl(found, 0x8912, bytes(16)))  # SIOCGIFCONF
    except PermissionError:
        print("refused")
"""
    done = run(q2=asks + course.RIGHT["q2"])
    said = text(done, "q2-answer").splitlines()
    assert len(said) >= 2 * len(sandbox.CHANNELS)
    assert set(said) == {"refused"}


def test_sockets_work_at_the_longest_path_there_is(monkeypatch):
    usual = sandbox.folder

    @contextmanager
    def longest() -> Iterator[tuple[Path, int]]:
        with usual() as (place, uid), sandbox._listen(f"{place}/k") as number:
            deep = place / ("x" * (107 - len(f"{place}//k-{number + 10}")))
            deep.mkdir()
            yield deep, uid

    made = []
    listen = sandbox._listen

    monkeypatch.setattr(sandbox, "folder", longest)
    monkeypatch.setattr(sandbox, "_listen", lambda address: made.append(address) or listen(address))
    assert set(status(run()).values()) == {"ok"}
    assert max(len(f"{address}-00") for address in made) == 107
    with pytest.raises(OSError, match="AF_UNIX path too long"), listen("x" * 106):
        pass


def test_whatever_is_put_in_the_place_of_a_file_handed_out_the_grader_reads_its_own():
    tries = """
import os
for make, name in (
    (lambda: os.symlink("/dev/zero", "new"), "data.csv"),
    (lambda: os.mkfifo("new"), "data.csv"),
    (lambda: os.mkdir("new"), "data.csv"),
    (lambda: os.truncate("data.csv", 2**25), "data.csv"),
    (lambda: os.symlink("/dev", "new"), os.getcwd()),
):
    try:
        make()
        os.replace("new", name)
    except OSError:
        os.system("rm -rf new")
"""
    notebook = submission(q1=f"{tries}{course.RIGHT['q1']}")
    test = next(cell for cell in notebook.cells if cell.id == "q1-hidden")
    test.source = "assert open('data.csv').read() == 'ours'\n" + test.source
    done = runner.run(notebook, LIMITS, files=[("data.csv", b"ours")])
    assert set(status(done).values()) == {"ok"}


def test_the_whole_notebook_has_a_cap_and_says_so():
    slow = (
        "import time\ndef average(values):\n    time.sleep(2)\n    return sum(values) / len(values)"
    )
    done = run(replace(LIMITS, notebook_seconds=4), q1=slow)
    assert status(done)["q3-hidden"] == "skipped"
    assert done.results["q3-hidden"].reason == "the notebook took longer than 4 seconds in all"
    last = next(cell for cell in done.notebook.cells if cell.id == "q3-hidden")
    assert [output.output_type for output in last.outputs] == ["error"]


def test_from_inside_nothing_of_the_instructor_can_be_reached(tmp_path):
    secret = tmp_path / "gradebook.db"
    secret.write_text("secret")
    listener = socket.create_server(("127.0.0.1", 0))
    root = Path(runner.__file__).parents[1]
    paths = [
        str(p) for p in (secret, root / "homework", root / "tests", root / ".git", "/etc/passwd")
    ]
    probe = f"""
        import json, os, socket
        found = {{}}
        for path in {paths!r}:
            found[path] = os.path.exists(path)
        for host, port in (("127.0.0.1", {listener.getsockname()[1]}), ("1.1.1.1", 53)):
            try:
                socket.create_connection((host, port), timeout=2)
                found[host] = True
            except OSError:
                found[host] = False
        import dtviz, sys
        for path in (dtviz.__file__, sys.executable, "/usr/bin/env", "/new", "/srv", "/root/new"):
            try:
                open(path, "a").close()
                found["write " + path] = True
            except OSError:
                found["write " + path] = False
        found["pids"] = max(int(name) for name in os.listdir("/proc") if name.isdigit())
        found["environment"] = sorted(os.environ)
        with open("own.txt", "w") as own:
            own.write("mine")
        found["scratch"] = open("own.txt").read()
        print(json.dumps(found))
        """
    done = run(q2=probe + dedent(course.RIGHT["q2"]))
    data = json.loads(text(done, "q2-answer"))
    assert data.pop("scratch") == "mine"
    assert data.pop("pids") < 1000
    environment = data.pop("environment")
    assert not [name for name in environment if "DTVIZ" in name or "TOKEN" in name or "SSH" in name]
    assert {path: reached for path, reached in data.items() if reached} == {}
    listener.close()


def test_a_sandbox_that_shuts_nobody_in_is_noticed():
    """The probe above would find a file and a network that are there."""
    done = runner.run(
        submission(q2=f"import os\nprint(os.path.exists({__file__!r}))\n{course.RIGHT['q2']}"),
        replace(LIMITS, sandboxed=False),
    )
    assert text(done, "q2-answer") == "True\n"
    assert set(status(done).values()) == {"ok"}


NOISE = """
    import logging, sys, warnings
    print("noise", average)
    warnings.warn("noise")
    sys.stderr.write("noise")
    logging.error("noise")
    display(0.5)
    try:
        1 / 0
    except Exception:
        get_ipython().showtraceback()
"""


def test_noise_is_no_mistake_and_no_finding():
    """When a cell runs, whenever a function is called, and as the value of a cell."""
    body = f"def average(values):{NOISE}    return sum(values) / len(values)\n"
    done = run(q1=f"{body}{dedent(NOISE)}0.25")
    assert set(status(done).values()) == {"ok"}
    assert done.findings == ()
    cells = {cell.id: cell for cell in done.notebook.cells}
    kinds = {output.output_type for output in cells["q1-answer"].outputs}
    assert kinds == {"stream", "display_data", "execute_result", "error"}
    outputs = [output for name in ("q1-tests", "q1-hidden") for output in cells[name].outputs]
    assert {(output.output_type, output.get("name")) for output in outputs} <= {
        ("stream", "stdout")
    }


def test_a_record_survives_json():
    done = run(q2="answer = 384")
    assert Executed.from_dict(json.loads(json.dumps(done.to_dict()))) == done
    assert done.results["q2-hidden"].reason == "AssertionError: the sum of the squares is wrong"


def test_without_bubblewrap_grading_stops_and_says_what_to_do(monkeypatch):
    sandbox.check.cache_clear()
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SandboxUnavailable, match="bwrap, prlimit, setpriv, setsid cannot be found"):
        sandbox.check()
    monkeypatch.setattr(sandbox.platform, "system", lambda: "Darwin")
    with pytest.raises(SandboxUnavailable, match="--without-sandbox"):
        sandbox.check()
    sandbox.check.cache_clear()


def test_a_kernel_that_ends_before_it_answers_is_no_fault_of_the_student(monkeypatch):
    monkeypatch.setattr(bubblewrap, "argv", lambda *_: ["/usr/bin/false"])
    with pytest.raises(SandboxUnavailable, match="No kernel answers: Kernel died"):
        runner.run(submission(), LIMITS)


def test_a_sandbox_that_cannot_be_reached_is_reported(monkeypatch):
    usual = os.open

    def refuse(path, *flags, **options):
        if str(path).startswith("/proc/"):
            raise PermissionError
        return usual(path, *flags, **options)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(SandboxUnavailable, match=r"does not allow access to it \(/proc/"):
        runner.run(submission(), LIMITS)
    assert not [p for p in psutil.Process().children(recursive=True) if p.name() == "bwrap"]


def test_a_kernel_that_does_not_answer_in_time_is_reported(monkeypatch):
    monkeypatch.setattr(session, "START", 2)
    monkeypatch.setattr(sandbox, "LAUNCH", "import time; time.sleep(99)")
    with pytest.raises(SandboxUnavailable, match="Kernel didn't respond in 2 seconds"):
        runner.run(submission(), LIMITS)
    assert not [p for p in psutil.Process().children(recursive=True) if p.name() == "bwrap"]
