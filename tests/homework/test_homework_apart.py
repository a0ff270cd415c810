"""What a student hands in stops nobody else: marking and pages in processes that can be killed."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

pytest.importorskip("nbgrader", reason="grading needs nbgrader")

from jinja2 import pass_context
from nbclient.client import _RGX_CARRIAGERETURN
from nbformat.v4 import new_output
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from support import course as demo
from support import endings
from support.grading import NOISE, Course, Patch

from homework import child_process, feedback, gradebook, marking, sandbox, shards
from homework.assignments import Assignment, load
from homework.bubblewrap import Limits
from homework.marking import Record, Submission
from homework.run import CellResult, Executed
from homework.session import join_streams
from homework.shards import How

ROOT = Path(__file__).resolve().parents[2]

pytestmark = NOISE


@pytest.fixture
def assignment(tmp_path: Path) -> Assignment:
    return load("demo", demo.write_course(tmp_path))


def handed_in(assignment: Assignment, student: str = "ada", **given: str) -> Submission:
    return Submission(student, "demo", demo.submission(assignment, demo.answers(**given)))


def test_printed_pieces_are_joined_as_nbclient_joins_them() -> None:
    draw = random.Random(0)  # noqa: S311 - no secret
    for _ in range(300):
        pieces = [
            (
                draw.choice(["stdout", "stderr"]),
                "".join(draw.choices("ab\r\n", k=draw.randrange(9))),
            )
            for _ in range(draw.randrange(1, 6))
        ]
        outputs = [new_output("stream", name=name, text=text) for name, text in pieces]
        shown = join_streams([*outputs, new_output("display_data", data={})])
        assert shown.pop().output_type == "display_data"
        assert [output.name for output in shown] == [*dict.fromkeys(name for name, _ in pieces)]
        for output in shown:
            whole = "".join(text for name, text in pieces if name == output.name)
            assert output.text == _RGX_CARRIAGERETURN.sub("", whole)


@pytest.mark.parametrize("piece", ["x", "x\r", "\n"])
def test_a_long_line_takes_no_time(piece: str) -> None:
    start = time.process_time()
    join_streams([new_output("stream", text=piece * 10**6)])
    assert time.process_time() - start < 2


LONG = {
    "330 kB": "print(list(range(60_000)))",
    "980 kB": "print('x' * 980_000)",
    "a bar of progress": "for k in range(500):\n    print(f'\\r{k:1000}', end='')",
}


@pytest.mark.homework
@pytest.mark.slow
def test_an_honest_neighbor_of_long_lines_keeps_every_point(
    assignment: Assignment, tmp_path: Path
) -> None:
    """So does who prints them: they passed no limit."""
    students = [
        handed_in(assignment, name, q2=f"{code}\nanswer = 385") for name, code in LONG.items()
    ]
    students += [handed_in(assignment, "honest")]
    start = time.perf_counter()
    records = shards.mark_all(
        tmp_path, [(s, assignment) for s in students], How(shards=2), quiet=True
    )
    assert time.perf_counter() - start < 60
    for (student, _), record in records.items():
        assert (student, record["status"], record["findings"]) == (student, "marked", [])
        assert {result["status"] for result in _results(record).values()} == {"ok"}


def _results(record: Record) -> dict[str, Any]:
    assert record["executed"] is not None
    results: dict[str, Any] = record["executed"]["results"]
    return results


STRANGE = {
    "data that is no text": ("display({'text/plain': 5}, raw=True)", "ok", ""),
    "a stream without a text": (
        (
            "kernel = get_ipython().kernel\nkernel.session.send(kernel.iopub_socket, 'stream', "
            "content={'name': 3}, parent=kernel.get_parent())"
        ),
        "ok",
        "",
    ),
    "a forged signature": (
        "get_ipython().kernel.iopub_socket.send_multipart([b'<IDS|MSG>'] + [b'{}'] * 5)",
        "stopped",
        "sent what no kernel sends (ValueError)",
    ),
}


@pytest.mark.homework
@pytest.mark.slow
@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_message_costs_its_cell_or_less(assignment: Assignment, name: str) -> None:
    code, status, reason = STRANGE[name]
    record = marking.mark_apart(handed_in(assignment, q2=f"answer = 385\n{code}"), assignment)
    assert (record["status"], record["reason"]) == ("marked", "")
    results = _results(record)
    assert results["q2-answer"]["status"] == status
    assert results["q2-answer"]["reason"] == reason
    others = {cell: result for cell, result in results.items() if not cell.startswith("q2")}
    assert {result["status"] for result in others.values()} == {"ok"}
    if status == "ok":
        assert results["q2-hidden"]["status"] == "ok"


@pytest.fixture
def mortal(monkeypatch: Patch) -> Callable[[Submission, Assignment], Record]:
    """Mark by `support.endings`, within two seconds a cell."""
    monkeypatch.setattr(marking, "mark", endings.mark)
    monkeypatch.setattr(marking, "START", 1.0)
    # All is imported once; that takes its time, of which no student's is.
    child_process.call(endings.ports, silence=60)
    return partial(marking.mark_apart, limits=Limits(cell_seconds=0.25, sandboxed=False))


SAID = {
    "hang": "nothing was heard of it for 2 seconds",
    "crash": "its process was ended by SIGABRT",
    "leave": "its process ended by itself, with the code 3",
    "fill the memory": "MemoryError: ",
}


@pytest.mark.parametrize("ending", SAID)
def test_a_cell_that_ends_its_marker_costs_its_question_and_is_flagged(
    assignment: Assignment, mortal: Callable[[Submission, Assignment], Record], ending: str
) -> None:
    record = mortal(handed_in(assignment, q1=f"# ends in: q1-answer: {ending}"), assignment)
    assert record["status"] == "marked"
    (flag,) = marking.flags(record)
    assert (flag.cell, flag.message) == ("q1-answer", f"ended what marks it: {SAID[ending]}")


@pytest.mark.parametrize("ending", SAID)
def test_a_notebook_that_ends_its_marker_before_it_runs_is_reported(
    assignment: Assignment, mortal: Callable[[Submission, Assignment], Record], ending: str
) -> None:
    """And is not tried again, for ever: it would be the same."""
    record = mortal(handed_in(assignment, q1=f"# ends in: none: {ending}"), assignment)
    assert record["status"] == "unreadable"
    assert record["reason"] == f"it could not be marked: {SAID[ending]}"


@pytest.mark.parametrize("cell", ["none", "q1-answer"])
def test_a_marker_killed_by_the_machine_is_trouble_of_the_machine(
    assignment: Assignment, mortal: Callable[[Submission, Assignment], Record], cell: str
) -> None:
    record = mortal(handed_in(assignment, q1=f"# ends in: {cell}: be killed"), assignment)
    assert (record["status"], record["executed"]) == ("failed", None)
    assert "SIGKILL" in record["reason"]


@pytest.mark.usefixtures("mortal")
def test_who_stops_the_marker_stops_no_neighbor(assignment: Assignment, tmp_path: Path) -> None:
    students = [handed_in(assignment, "eve", q1="# ends in: q1-answer: hang")]
    students += [handed_in(assignment, f"s{k}", q1="# ends in: q1-answer: go on") for k in range(3)]
    came = []
    keep = marking.save_record

    def save(course: Path, student: str, name: str, record: Record) -> None:
        came.append(student)
        keep(course, student, name, record)

    with pytest.MonkeyPatch.context() as noted:
        noted.setattr(marking, "save_record", save)
        how = How(shards=2, limits=Limits(cell_seconds=0.25, sandboxed=False))
        records = shards.mark_all(tmp_path, [(s, assignment) for s in students], how, quiet=True)
    assert came[-1] == "eve"
    assert {record["status"] for record in records.values()} == {"marked"}


def test_a_process_opens_no_port() -> None:
    heard: list[list[str]] = []
    child_process.call(endings.ports, silence=60, heard=heard.append)
    assert heard == [[], []]


WAITER = """
import sys
from homework import child_process
from support import endings
if __name__ == "__main__":
    child_process.call(endings.wait, silence=600, heard=lambda process: print(process, flush=True))
"""


@pytest.mark.slow
def test_a_process_ends_with_the_grader_though_it_holds_the_interpreter() -> None:
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    grader = subprocess.Popen(
        [sys.executable, "-c", WAITER],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert grader.stdout is not None
    waiting = psutil.Process(int(grader.stdout.readline()))
    time.sleep(0.2)
    assert waiting.is_running()
    grader.kill()
    grader.wait()
    grader.stdout.close()
    time.sleep(1)
    # Not every init buries the dead.
    with suppress(psutil.NoSuchProcess):
        ended = waiting.status() == psutil.STATUS_ZOMBIE
        waiting.kill()
        assert ended


def test_grading_here_does_without_dask() -> None:
    """Its threads change place inside `ast.parse`, on which Python 3.11 gives up."""
    code = "import homework.__main__, sys; print({'dask', 'distributed'} & {*sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


@pytest.mark.thorough
def test_a_worker_of_dask_may_start_processes(assignment: Assignment) -> None:
    """Workers that a nanny looks after are daemons, to which `multiprocessing` denies it."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        given = Submission("ada", "demo", "{nonsense")
        limits = Limits(sandboxed=False)
        record = client.submit(marking.mark_apart, given, assignment, limits).result()
    assert (record["status"], record["reason"][:22]) == ("unreadable", "the file is not JSON: ")


@pytest.mark.homework
@pytest.mark.slow
def test_a_cell_left_out_costs_its_question(assignment: Assignment) -> None:
    sandbox.check()
    result: list[str] = []
    record = marking.mark(
        handed_in(assignment), assignment, left_out={"q1-answer": "why"}, report=result.append
    )
    results = _results(record)
    assert results["q1-answer"] == {"status": "stopped", "reason": "why"}
    assert results["q1-hidden"]["status"] == "error"
    assert "q1-answer" not in result
    assert {result[-1], result[0]} == {"q3-hidden", "setup"}
    assert {results[cell]["status"] for cell in results if cell[:2] in ("q2", "q3")} == {"ok"}
    assert [flag.cell for flag in marking.flags(record)] == ["q1-answer"]


@pytest.fixture
def ran(monkeypatch: Patch) -> list[str]:
    """Who was marked, in this process; pages are written in one of their own."""
    marked: list[str] = []

    def run(notebook: Any, *_: Any, **__: Any) -> Executed:
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        return Executed(notebook, {cell["id"]: CellResult("ok") for cell in code})

    def mark_apart(submitted: Submission, *rest: Any, **options: Any) -> Record:
        marked.append(submitted.student)
        return marking.mark(submitted, *rest, **options)

    monkeypatch.setattr(marking, "run", run)
    monkeypatch.setattr(marking, "mark_apart", mark_apart)
    monkeypatch.setattr(sandbox, "check", lambda: None)
    return marked


HOSTILE = {
    "blanks": "why" + " " * 10**6 + "not",
    "brackets": "![" * 50_000,
    "parentheses": r"\\(" * 33_000,
    "environments": r"\begin{a}" * 11_000,
    "many of them": ("![" * 1000 + "\n\n") * 50,
}


@pytest.mark.slow
@pytest.mark.usefixtures("ran")
def test_no_text_keeps_feedback_busy(course: Course) -> None:
    for number, text in enumerate(HOSTILE.values()):
        course.hand_in(f"s{number}", **demo.answers(q4=text))
    course.hand_in("honest", **demo.answers(q4="Because $a + b = b + a$, **always**."))
    start = time.perf_counter()
    course.grade()
    assert time.perf_counter() - start < 60
    for number, text in enumerate(HOSTILE.values()):
        page = course.page(f"s{number}").read_text("utf-8")
        assert f"This text has {len(text)} characters" in page
        assert "Question 1, hidden tests" in page
    assert "<strong>always</strong>" in course.page("honest").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("ran")
def test_a_page_that_is_late_gives_way_to_one_of_the_marks(
    course: Course, monkeypatch: Patch
) -> None:
    course.hand_in("ada", **demo.answers())
    course.hand_in("bob", **demo.answers())
    with monkeypatch.context() as hasty:
        hasty.setattr(feedback, "PATIENCE", 0.001)
        course.grade()
    for student in ("ada", "bob"):
        page = course.page(student).read_text("utf-8")
        assert "<h1>demo (Score: 11 / 14)</h1>" in page
        assert "Question 1: 4 of 4 points." in page
        assert "Question 4: 0 of 3 points, and a person has yet to read it." in page
        assert "nothing was heard of it for 0.001 seconds" in page
        assert feedback.POLICY in page
    assert "has the marks alone" in (course.path / "grade.log").read_text("utf-8")
    # Nothing is done twice; whoever is marked again gets a page again.
    course.grade()
    assert "Question 1: 4 of 4 points." in course.page("ada").read_text("utf-8")
    course.grade("--again", "ada")
    assert "Question 1, hidden tests" in course.page("ada").read_text("utf-8")


@pytest.mark.usefixtures("ran")
def test_a_page_that_cannot_be_rendered_gives_way_to_one_of_the_marks(
    course: Course, monkeypatch: Patch
) -> None:
    # What is compiled of the templates, and kept, knows whether the filter wants the context.
    @pass_context
    def render(*_: Any) -> str:
        raise RecursionError

    monkeypatch.setattr(feedback.FeedbackExporter, "markdown2html", render)
    monkeypatch.setattr(child_process, "call", demo.in_this_process)
    course.hand_in("ada", **demo.answers())
    course.grade()
    assert "Question 1: 4 of 4 points." in course.page("ada").read_text("utf-8")
    assert "cannot be rendered: RecursionError" in course.page("ada").read_text("utf-8")
    assert "RecursionError" in (course.path / "grade.log").read_text("utf-8")


@pytest.mark.usefixtures("ran")
def test_what_is_no_file_is_reported_and_stops_nobody(course: Course, monkeypatch: Patch) -> None:
    course.hand_in("ada", **demo.answers())
    course.file("dangling").symlink_to("nowhere")
    course.file("loop").symlink_to(course.file("loop"))
    os.mkfifo(course.file("pipe"))
    course.file("folder").mkdir()
    course.hand_in("closed", **demo.answers())
    course.hand_in("stamped", **demo.answers())
    course.file("stamped").with_name("timestamp.txt").symlink_to(course.file("loop"))
    read = Path.read_text

    def read_text(path: Path, *rest: Any, **options: Any) -> str:
        if "closed" in path.parts and path.suffix == ".ipynb" and "submitted" in path.parts:
            raise PermissionError(13, "Permission denied")
        return read(path, *rest, **options)

    monkeypatch.setattr(Path, "read_text", read_text)
    course.grade()
    rows = course.rows()
    assert {student: row["status"] for student, row in rows.items()} == {
        **dict.fromkeys(("closed", "dangling", "folder", "loop", "pipe"), "unreadable"),
        **dict.fromkeys(("ada", "stamped"), "needs manual grading"),
    }
    assert rows["dangling"]["reasons"] == "demo.ipynb is a link, not a file."
    assert rows["pipe"]["reasons"] == rows["folder"]["reasons"] == "demo.ipynb is not a file."
    assert rows["closed"]["reasons"] == "demo.ipynb cannot be read: Permission denied."
    for student in ("closed", "dangling", "folder", "loop", "pipe"):
        assert "could not be read" in course.page(student).read_text("utf-8")
    # Nor does formgrader wait for what nobody writes.
    os.mkfifo(course.path / "timestamp.txt")
    assert CourseDirectory().get_existing_timestamp(str(course.path)) is None
    with pytest.raises(NbGraderException, match="is not a file"):
        gradebook.SubmissionExporter().from_filename(str(course.file("pipe")))
