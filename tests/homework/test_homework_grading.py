"""From folders of submissions to tables and feedback: ``python -m homework grade``.

Most tests here execute answers in this process, by a stand-in for the sandbox: they are about what
is done with the outcome. Those marked ``homework`` start real kernels.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_output

pytest.importorskip("nbgrader", reason="grading needs nbgrader")

from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import OperationalError
from support.course import HIDDEN_LINE, RIGHT, WRONG, answers, in_this_process
from support.grading import NOISE, Course, Machine, Patch, Printed
from support.leaks import Secrets

from homework import (
    child_process,
    feedback,
    gradebook,
    ledger,
    marking,
    roster,
    sandbox,
    shards,
    table,
)
from homework.__main__ import main
from homework.assignments import load, names, source_path
from homework.bubblewrap import Limits
from homework.findings import Finding
from homework.gradebook import Desk
from homework.run import Executed
from homework.shards import How

ROOT = Path(__file__).resolve().parents[2]
ENDLESS = """def average(values):
    if len(values) != 3:
        raise Stopped("took longer than 3 seconds")
    return 2
"""
FLAGGED = f"MEAN = dt.measures.mean\n{RIGHT['q1']}"
SPYING = """kept = []
def average(values):
    kept.append(values)
    return sum(values) / len(values)
print("mine")
"""
SHOWING = f"{RIGHT['q3']}raise ValueError(kept)"

pytestmark = NOISE


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path, twin=True)


def test_a_table_shows_zero_from_waiting_failed_unreadable_and_absent(
    course: Course, ran: list[str]
) -> None:
    course.hand_in("ada", **answers(q2=WRONG["q2"]))
    course.hand_in("bob")
    course.hand_in("cy", **answers(q1="# no such machine"))
    course.file("dan").write_text("{nonsense", encoding="utf-8")
    course.hand_in("eve").rename(course.file("eve").with_name("demo (1).ipynb"))
    (course.path / "roster.csv").write_text(
        "id,first_name,last_name,email,lms_user_id\nflo,Flo,Rist,flo@example.org,77\n",
        encoding="utf-8",
    )
    course.grade(code=1)
    result = course.rows()
    assert {student: (row["status"], row["score"]) for student, row in result.items()} == {
        "ada": ("needs manual grading", ""),
        "bob": ("graded", "0"),
        "cy": ("failed to run", ""),
        "dan": ("unreadable", ""),
        "eve": ("unreadable", ""),
        "flo": ("not submitted", ""),
    }
    assert (result["ada"]["auto_score"], result["ada"]["manual_points_open"]) == ("8", "3")
    assert result["bob"]["manual_points_open"] == "0"
    assert "no space left on device" in result["cy"]["reasons"]
    assert "demo (1).ipynb" in result["eve"]["reasons"]
    assert {row["max_score"] for row in course.table()} == {"14"}
    questions = {r["student"]: r for r in course.table("questions") if r["assignment"] == "demo"}
    assert [questions["ada"][f"q{k}"] for k in (1, 2, 3, 4)] == ["4", "1", "3", ""]
    assert [questions["bob"][f"q{k}"] for k in (1, 2, 3, 4)] == ["0", "0", "0", "0"]
    assert {questions["cy"][f"q{k}"] for k in (1, 2, 3, 4)} == {""}
    canvas = {row["SIS Login ID"]: row for row in course.table("canvas")}
    assert canvas["flo"]["Student"] == "Rist, Flo"
    assert (canvas["flo"]["ID"], canvas["flo"]["demo"], canvas["bob"]["demo"]) == ("77", "", "0")
    assert canvas[""]["Student"] == "    Points Possible"
    moodle = {row["ID number"]: row for row in course.table("moodle")}
    assert (moodle["77"]["Email address"], moodle["ada"]["demo"]) == ("flo@example.org", "")
    assert moodle["bob"]["demo"] == "0"
    assert len(ran) == 3


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+49 30", "'+49 30"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        (" \t=1", "' \t=1"),
        ("\r=1", "'\r=1"),
        ("Ada", "Ada"),
        ("    Points Possible", "    Points Possible"),
        (-1.5, "-1.5"),
        (0.0, "0"),
        (7.25, "7.25"),
        (None, ""),
    ],
)
def test_no_text_of_a_student_is_a_formula(value: Any, written: str) -> None:
    assert table.cell(value) == written


@pytest.mark.usefixtures("ran")
def test_nbgraders_own_command_marks_by_the_source_as_it_is(course: Course) -> None:
    course.hand_in("ada", **answers(q4=""))
    course.grade()
    path = source_path("demo", course.path)
    path.write_text(path.read_text("utf-8").replace("== 1234.5", "== 1234.6"), encoding="utf-8")
    desk = Desk.of(course.path, gradebook.configure)
    assert gradebook.convert(desk, [("ada", "demo")], lambda *_: None) == ""
    assert course.entry("ada").lines["q1-hidden"].auto == 0


@pytest.mark.usefixtures("ran")
def test_whose_grades_are_not_entered_is_reported(
    course: Course, monkeypatch: Patch, capsys: Printed
) -> None:
    def preprocess(step: Any, nb: NotebookNode, resources: Any) -> Any:
        if gradebook.place(resources)[1] == "bob":
            raise OSError("no space left on device")
        return settle(step, nb, resources)

    settle = gradebook.Settle.preprocess
    monkeypatch.setattr(gradebook.Settle, "preprocess", preprocess)
    course.hand_in("ada", **answers())
    course.hand_in("bob", **answers())
    course.grade(code=1)
    assert "homework: Trouble with demo by bob. More of it is in" in capsys.readouterr().err
    assert course.row("ada")["status"] == "needs manual grading"
    assert course.row("bob")["status"] == "not graded yet"


@pytest.mark.usefixtures("ran")
def test_strange_names_of_students_are_no_trouble(course: Course) -> None:
    names = ["=1+1", "a[b]*?", "{x} y", "Ünï ☃", "o'c,\"d", "x.ipynb"]
    for name in names:
        course.hand_in(name, **answers(q4=""))
    course.hand_in(" blank", **answers())
    course.hand_in("line\nbreak", **answers())
    course.grade()
    scores = {row["student"]: row["score"] for row in course.table() if row["status"] == "graded"}
    assert scores == {("'" + n if n[0] == "=" else n): "11" for n in names}
    assert {r["student"] for r in course.table() if r["status"] == "unreadable"} == {
        " blank",
        "line\nbreak",
    }
    assert all(course.page(name).is_file() for name in names)


@pytest.mark.usefixtures("ran")
def test_a_link_is_not_followed(course: Course) -> None:
    source = course.path / "source" / "demo" / "demo.ipynb"
    course.file("ada").symlink_to(source)
    course.hand_in("bob", q4="Because.")
    course.file("bob").with_name("notes.txt").symlink_to(source)
    course.grade()
    assert course.row("ada")["status"] == "unreadable"
    kept = [path.name for path in course.path.glob("*/bob/demo/*") if path.name != "demo.ipynb"]
    assert sorted(kept) == ["demo.html", "notes.txt"]
    assert not (course.path / "autograded" / "bob" / "demo" / "notes.txt").exists()


def _stamps(folder: Path) -> dict[str, int]:
    kept = ("marks", "autograded", "feedback")
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns
        for name in kept
        for path in (folder / name).rglob("*.*")
    }


def test_nothing_is_done_twice(course: Course, ran: list[str]) -> None:
    course.hand_in("ada", **answers())
    course.hand_in("bob", q1="def average(values):\n    return 2\n")
    course.file("dan").write_text("{nonsense", encoding="utf-8")
    course.grade()
    before, runs = _stamps(course.path), len(ran)
    assert runs == 2
    course.grade()
    assert _stamps(course.path) == before
    assert len(ran) == runs
    course.hand_in("bob", q1="def average(values):\n    return 3\n")
    course.grade()
    changed = {name for name, stamp in _stamps(course.path).items() if before.get(name) != stamp}
    assert changed == {
        "marks/bob/demo.json",
        "autograded/bob/demo/demo.ipynb",
        "feedback/bob/demo/demo.html",
    }
    assert len(ran) == runs + 1


def test_what_failed_is_tried_again_and_was_no_zero(
    course: Course, ran: list[str], monkeypatch: Patch
) -> None:
    course.hand_in("ada", **answers())
    with monkeypatch.context() as broken:
        broken.setattr(marking, "run", lambda *_, **__: 1 / 0)
        course.grade(code=1)
    assert course.row("ada")["status"] == "failed to run"
    assert "ZeroDivisionError" in (course.path / "grade.log").read_text("utf-8")
    with ledger.opened(Desk.of(course.path).url) as book:
        assert ledger.entries(book) == {}
    course.grade()
    assert (course.row("ada")["status"], len(ran)) == ("needs manual grading", 1)


@pytest.mark.thorough
@pytest.mark.parametrize("full", ["files", "gradebook"])
@pytest.mark.usefixtures("ran")
def test_a_full_disc_is_reported_and_loses_nothing(
    course: Course, monkeypatch: Patch, capsys: Printed, full: str
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        if full == "files":
            raise OSError(errno.ENOSPC, "No space left on device")
        raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

    course.hand_in("ada", **answers())
    course.grade()
    course.by_hand("ada", points=2.0)
    course.grade()
    course.hand_in("bob", **answers())
    with monkeypatch.context() as disc:
        disc.setattr(*((os, "fsync") if full == "files" else (gradebook, "penalize")), refuse)
        course.grade("--again", "ada", code=2)
    said = capsys.readouterr().err
    assert re.search("No space left on device|database or disk is full", said)
    assert "the same command continues" in said
    assert "Traceback" not in said
    assert marking.load_record(course.path, "ada", "demo")
    assert not list(course.path.rglob(".*.json.*"))
    course.grade()
    assert (course.row("ada")["status"], course.row("ada")["score"]) == ("graded", "13")
    assert course.row("bob")["status"] == "needs manual grading"


@pytest.mark.usefixtures("ran")
def test_grades_half_written_are_not_given_out_and_are_mended(
    course: Course, monkeypatch: Patch
) -> None:
    course.hand_in("ada", **answers(q4=""))
    course.grade()
    assert course.row("ada")["score"] == "11"
    course.hand_in("ada", **answers(q4="", q1=WRONG["q1"]))

    def killed(*_: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as broken:
        broken.setattr(gradebook.AssignLatePenalties, "preprocess", killed)
        with pytest.raises(SystemExit):
            course.grade()
    # The gradebook has new points and no longer the old ones; nobody has said that they are all.
    assert course.entry("ada").state == ""
    with ledger.opened(Desk.of(course.path).url) as book:
        row = next(r for r in table.rows(course.path, book) if r.assignment.name == "demo")
    assert (row.status, row.score) == ("not graded yet", None)
    # Going back to the first text, whose grades had been entered once, does not pass for done.
    course.hand_in("ada", **answers(q4=""))
    course.grade()
    assert course.row("ada")["score"] == "11"


def test_two_cannot_grade_at_once(course: Course, capsys: Printed) -> None:
    with (course.path / "grade.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        course.grade(code=2)
    assert "being graded by another process" in capsys.readouterr().err


def test_manual_grades_survive(course: Course, ran: list[str], monkeypatch: Patch) -> None:
    course.hand_in("ada", **answers())
    course.grade()
    course.by_hand("ada", points=2.0, comment="Well said.")
    course.grade()
    assert (course.row("ada")["status"], course.row("ada")["score"]) == ("graded", "13")
    assert "Well said." in course.page("ada").read_text("utf-8")
    # Another engine marks again; the answer that was read is the same.
    with monkeypatch.context() as newer:
        newer.setattr(marking, "engine", lambda: "another")
        course.grade()
    assert len(ran) == 2
    assert (course.row("ada")["status"], course.row("ada")["score"]) == ("graded", "13")
    # A new submission is another matter: the grade stays, and somebody must look.
    course.hand_in("ada", **answers(q4="Another reason."))
    course.grade()
    line = course.entry("ada").lines["q4-answer"]
    assert (line.manual, line.waiting) == (2.0, True)
    assert course.entry("ada").comments["q4-answer"] == "Well said."
    assert (course.row("ada")["status"], course.row("ada")["score"]) == ("needs manual grading", "")


@pytest.mark.usefixtures("ran")
def test_an_overridden_test_is_looked_at_again_only_if_its_outcome_changes(
    course: Course, monkeypatch: Patch
) -> None:
    course.hand_in("ada", **answers(q4="", q1=WRONG["q1"]))
    course.grade()
    course.by_hand("ada", 1.5, "q1-hidden")
    monkeypatch.setattr(marking, "engine", lambda: "another")
    course.grade()
    assert course.row("ada")["score"] == "8.5"
    course.hand_in("ada", **answers(q4=""))
    course.grade()
    line = course.entry("ada").lines["q1-hidden"]
    assert (line.auto, line.manual, line.waiting) == (3.0, 1.5, True)


@pytest.mark.usefixtures("ran")
def test_what_is_found_is_reported_and_holds_nothing_back(
    course: Course, monkeypatch: Patch, capsys: Printed
) -> None:
    course.hand_in("eve", **answers(q4="", q1=FLAGGED))
    course.grade()
    assert "not to call mean" in course.row("eve")["flags"]
    assert course.page("eve").is_file()
    assert course.table("canvas")[1]["demo"] == "11"
    output = capsys.readouterr().out
    assert "eve, demo" in output
    # The command is shown as it can be copied.
    assert f"-m homework clear STUDENT ASSIGNMENT --course {course.path}" in output
    course.do("clear", "eve", "demo")
    course.grade()
    assert course.row("eve")["flags"] == ""
    # It stays cleared when the same submission is marked again, not when another is.
    monkeypatch.setattr(marking, "engine", lambda: "another")
    course.grade()
    assert course.row("eve")["flags"] == ""
    course.hand_in("eve", **answers(q4="", q1=FLAGGED + "\n# once more"))
    course.grade()
    assert "not to call mean" in course.row("eve")["flags"]
    assert course.page("eve").is_file()


@pytest.mark.usefixtures("ran")
@pytest.mark.parametrize("q1", [RIGHT["q1"], FLAGGED], ids=["nothing found", "something found"])
def test_a_flag_set_by_hand_holds_feedback_and_lms_back_until_it_is_cleared(
    course: Course, monkeypatch: Patch, q1: str
) -> None:
    course.hand_in("eve", **answers(q4="", q1=q1))
    course.grade()
    assert course.page("eve").is_file()
    course.do("clear", "eve", "demo")
    course.flag("eve")
    course.grade()
    assert course.row("eve")["flags"] == "flagged by hand"
    assert not course.page("eve").exists()
    assert course.table("canvas")[1]["demo"] == ""
    # Marking again is no reason to take it away.
    monkeypatch.setattr(marking, "engine", lambda: "another")
    course.grade()
    assert not course.page("eve").exists()
    course.do("clear", "eve", "demo")
    course.grade()
    assert course.row("eve")["flags"] == ""
    assert course.page("eve").is_file()
    assert course.table("canvas")[1]["demo"] == "11"


@pytest.mark.usefixtures("ran")
def test_a_changed_test_is_put_back_and_flagged(course: Course) -> None:
    path = course.hand_in("eve", **answers(q4="", q1=WRONG["q1"]))
    notebook = json.loads(path.read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["metadata"]["nbgrader"]["grade_id"] == "q1-tests":
            cell["source"] = "pass"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    course.grade()
    assert "q1-tests" in course.row("eve")["flags"]
    assert course.row("eve")["score"] == "7"
    course.do("clear", "eve", "demo")
    course.grade()
    assert "was put back" in course.page("eve").read_text("utf-8")


@pytest.mark.usefixtures("ran")
def test_the_summary_shows_the_first_of_many_flags(course: Course, capsys: Printed) -> None:
    course.hand_in("eve", **answers(q1="dt.measures.mean\n" * 4 + "average = 0"))
    course.grade()
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "look at: eve" in line]
    assert line.count("not to call") == 3
    assert line.endswith("; more in grades.csv")
    assert course.row("eve")["flags"].count("not to call") == 4


def test_feedback_shows_partial_credit_and_what_a_hidden_test_prints(
    course: Course, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(notebook: NotebookNode, *_: Any, **__: Any) -> Executed:
        done = machine.run(notebook)
        (hidden,) = [cell for cell in done.notebook.cells if cell.id == "q1-hidden"]
        hidden.outputs.append(
            new_output("execute_result", {"text/plain": "1.5"}, execution_count=1)
        )
        return done

    monkeypatch.setattr(marking, "run", run)
    course.mend(HIDDEN_LINE, "print('right on two lists of four')")
    course.hand_in("ada", **answers())
    course.grade()
    page = course.page("ada").read_text("utf-8")
    assert "Hidden tests: 1.5 of 3 points.\nright on two lists of four\n" in page


@pytest.mark.usefixtures("ran")
def test_feedback_says_why_and_keeps_our_secrets(course: Course) -> None:
    course.hand_in("ada", **answers(q1=WRONG["q1"], q2=WRONG["q2"]))
    course.hand_in("bob", **answers(q1=ENDLESS, q2="1 / 0"))
    course.hand_in("eve", **answers(q1=SPYING, q2=f"print(kept)\n{RIGHT['q2']}", q3=SHOWING))
    course.hand_in("dan", **answers(q1="def average(values):\n    return 1 / 0\n"))
    course.file("fay").write_text("{nonsense", encoding="utf-8")
    course.grade()
    pages = {page.parts[-3]: page.read_text("utf-8") for page in course.path.glob("feedback/*/*/*")}
    assert set(pages) == {"ada", "bob", "dan", "eve", "fay"}
    known = Secrets(course.path)
    assert len(known.lines) > 8
    for student, page in pages.items():
        assert not known.found(page), student
        assert "<script" not in page
        assert feedback.POLICY in page
        assert feedback.STYLE in page or student == "fay"
        assert "secret.py" not in page
    assert "Hidden tests: not passed: the mean of many numbers is wrong" in pages["ada"]
    assert "Hidden tests: passed." in pages["ada"]
    # Of a number, what was expected would be the answer, and who hands in again could use it.
    assert "Hidden tests: not passed: not the expected value" in pages["ada"]
    assert "the sum of the squares is wrong" not in pages["ada"]
    assert "Hidden tests: not passed: NameError: name " in pages["bob"]
    assert "has no final mark yet" in pages["ada"]
    assert '<a href="#q1-hidden">Question 1, hidden tests</a> (Score: 0.0 / 3.0)' in pages["ada"]
    assert '<a href="#q4-answer">Question 4, your text</a>' in pages["ada"]
    assert "was not run to its end (took longer than 3 seconds)" in pages["bob"]
    assert "Hidden tests: not passed: took longer than 3 seconds" in pages["bob"]
    assert "mine" in pages["eve"]
    assert "1469" not in pages["eve"]
    assert pages["eve"].count(feedback.LATER.strip()) == 2
    assert "Hidden tests: not passed: ZeroDivisionError: division by zero" in pages["dan"]
    assert "could not be read" in pages["fay"]


@pytest.mark.usefixtures("ran")
def test_late_work_is_reported_and_costs_what_the_course_says(course: Course) -> None:
    for student, stamp in [
        ("ada", "2026-03-01 10:00:00 UTC"),
        ("bob", "2026-03-02 12:00:00 UTC"),
        ("cy", "the other day"),
    ]:
        path = course.hand_in(student, **answers(q4=""))
        path.with_name("timestamp.txt").write_text(stamp, encoding="utf-8")
    course.grade()
    assert {row["late"] for row in course.table()} == {""}
    with ledger.opened(Desk.of(course.path).url) as book:
        book.update_or_create_assignment("demo", duedate=datetime(2026, 3, 2))  # noqa: DTZ001
    (course.path / "nbgrader_config.py").write_text(
        "c = get_config()\nc.LateSubmissionPlugin.penalty_method = 'zero'\n", encoding="utf-8"
    )
    course.grade()
    found = {row["student"]: (row["late"], row["score"]) for row in course.table()[::2]}
    assert found == {"ada": ("no", "11"), "bob": ("yes", "0"), "cy": ("", "11")}
    course.file("bob").with_name("timestamp.txt").write_text("2026-03-01", encoding="utf-8")
    course.grade()
    assert course.row("bob")["score"] == "11"


@pytest.mark.thorough
def test_another_database_has_the_same_grades_and_runs_nothing(
    course: Course, ran: list[str]
) -> None:
    course.hand_in("ada", **answers())
    course.grade()
    first = course.entry("ada")
    with (course.path / "nbgrader_config.py").open("a", encoding="utf-8") as settings:
        settings.write("c.CourseDirectory.db_url = 'sqlite:///other.db'\n")
    course.grade()
    assert (course.path / "other.db").is_file()
    assert course.entry("ada") == first
    assert len(ran) == 1


def test_the_buttons_of_formgrader_do_the_same(course: Course, ran: list[str]) -> None:
    course.hand_in("ada", **answers())
    course.grade()
    # A course that has no settings gets ours: nbgrader's own would run answers unguarded.
    settings = (course.path / "nbgrader_config.py").read_text("utf-8")
    assert repr(str(ROOT)) in settings
    before = course.entry("ada")
    config = Desk.of(course.path).config
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    result = api.autograde("demo", "ada")
    assert result["success"], result
    assert course.entry("ada") == before
    assert len(ran) == 1
    # Handed in since: marked by the button, in the sandbox.
    course.hand_in("ada", **answers(q1=WRONG["q1"], q4=""))
    assert api.autograde("demo", "ada")["success"]
    assert len(ran) == 2
    assert course.entry("ada").score == 7.0
    assert api.generate_feedback("demo", "ada")["success"]
    page = course.page("ada").read_text("utf-8")
    assert feedback.POLICY in page
    assert HIDDEN_LINE not in page
    course.grade()
    assert len(ran) == 2
    course.flag("ada")
    result = api.generate_feedback("demo", "ada")
    assert not result["success"]
    assert "was flagged by hand" in result["log"]
    course.file("ada").write_text("{nonsense", encoding="utf-8")
    result = api.autograde("demo", "ada")
    assert not result["success"]
    assert "unreadable" in result["log"]


@pytest.mark.usefixtures("ran")
def test_graded_notebooks_that_were_lost_are_made_again(course: Course) -> None:
    course.hand_in("ada", **answers())
    course.grade()
    course.by_hand("ada", points=3.0, comment="Good.")
    shutil.rmtree(course.path / "autograded")
    shutil.rmtree(course.path / "feedback")
    course.grade()
    assert course.page("ada").is_file()
    assert course.row("ada")["score"] == "14"


@pytest.mark.usefixtures("ran")
def test_what_lies_in_the_wrong_place_is_reported(course: Course, capsys: Printed) -> None:
    course.hand_in("ada", **answers())
    (course.path / "submitted" / "ada" / "Demo").mkdir()
    (course.path / "submitted" / "demo.ipynb").touch()
    course.grade()
    output = capsys.readouterr().out
    assert "looked for: submitted/ada/Demo" in output
    assert "looked for: submitted/demo.ipynb" in output


@pytest.mark.thorough
@pytest.mark.usefixtures("ran")
def test_nbgraders_commands_need_nothing_on_the_path(course: Course) -> None:
    course.grade()
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", "demo", "--force"],
        cwd=course.path,
        env={**os.environ, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (course.path / "release" / "demo" / "demo.ipynb").is_file()


def test_a_source_with_other_cells_is_refused_in_words(
    course: Course, ran: list[str], capsys: Printed
) -> None:
    course.hand_in("ada", **answers())
    course.grade()
    course.mend("q3-hidden", "q3-secret")
    course.grade(code=2)
    assert "has other cells than when" in capsys.readouterr().err
    assert ran


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["clear", "nobody", "demo"], "no submission of demo by nobody"),
        (["grade", "--scheduler", "tcp://127.0.0.1:9"], "no Dask scheduler answers"),
    ],
)
def test_what_cannot_be_done_is_reported(
    course: Course, capsys: Printed, monkeypatch: Patch, options: list[str], said: str
) -> None:
    monkeypatch.setattr(shards, "PATIENCE", 1)
    course.hand_in("ada", **answers())
    course.do(*options, code=2)
    assert said in capsys.readouterr().err


def test_the_home_is_found_whatever_the_shell(
    course: Course, monkeypatch: Patch, capsys: Printed
) -> None:
    monkeypatch.setenv("HOME", str(course.path.parent))
    assert main(["status", "--course", f"~/{course.path.name}"]) == 0
    assert "demo: no students" in capsys.readouterr().out


def test_a_student_is_reported_which_cell_of_their_own_was_stopped(course: Course) -> None:
    for cell, said in [("own-2", "cells you added, number 2 "), ("q1-tests", "Question 1: ")]:
        found = Finding("stopped", cell, "took longer than 20 seconds")
        result = feedback._describe(found, load("demo", course.path))
        assert said in result
        assert "took longer" in result


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,mail\nAda,a@b\n", "must name columns among id, "),
        ("id,id\nada,ada\n", "each at most once"),
        ("", "it is []"),
        ("id,email\nada,a@b\n\nbob,b@b\n ada ,c@b\n", "line 5: 'ada' has a row already, line 2"),
        ("id,email\n,a@b\n", "line 2: has no id"),
        ("id\nada,a@b\n", "line 2: has more values than there are columns"),
        ('id\n"ada', "unexpected end of data"),
        ("id\nad\xe4\n".encode("latin-1"), "Save it as CSV in UTF-8"),
        ("id,email\nada,A@b\nbob,a@B\n", "line 3: 'a@B' has a row already, line 2"),
        ("id,lms_user_id\nada,7\nbob,7\n", "line 3: '7' has a row already, line 2"),
        ("id\n../ada\n", "line 2: the id '../ada' names a folder"),
        ("id\n.ada\n", "line 2: the id '.ada' names a folder"),
        ("id\n-ada\n", "no dot or hyphen at the beginning"),
    ],
)
def test_a_roster_that_cannot_be_read_is_refused_before_anything_runs(
    course: Course, ran: list[str], capsys: Printed, text: str | bytes, said: str
) -> None:
    course.hand_in("ada", **answers())
    raw = text if isinstance(text, bytes) else text.encode()
    (course.path / "roster.csv").write_bytes(raw)
    course.grade(code=2)
    output = capsys.readouterr().err
    assert "roster.csv" in output
    assert said in output
    assert ran == []


def test_who_is_not_on_the_roster_is_reported_and_graded(
    course: Course, ran: list[str], capsys: Printed
) -> None:
    course.hand_in("adda", **answers())
    course.hand_in("bob", **answers())
    course.grade()
    assert "roster" not in capsys.readouterr().err
    (course.path / "roster.csv").write_text("\ufeffid\nada\nbob\n", encoding="utf-8")
    course.grade()
    assert "not on the roster: adda (ada?)\n" in capsys.readouterr().err
    assert course.row("adda")["status"] == "needs manual grading"
    assert course.row("ada")["status"] == "not submitted"
    assert len(ran) == 2
    # A folder of another class: it is named at once, though all would be compared with all.
    rows = [{"id": f"student-{k}"} for k in range(5000)]
    text = roster.strangers(rows, [f"{k}-tneduts" for k in range(5000)])
    assert text.endswith(", and 4980 more")


def test_a_course_begins_in_an_empty_folder(tmp_path: Path, capsys: Printed) -> None:
    # A new repository is as good as empty, and so is what was left by one who was stopped.
    for folder, hidden in ((tmp_path / "new" / "course", ""), (tmp_path / "stopped", ".source")):
        if hidden:
            (folder / hidden / "1-influence").mkdir(parents=True)
            (folder / ".git").mkdir()
        assert main(["release", "--course", str(folder)]) == 0
        assert "a new course" in capsys.readouterr().out
        assert names(folder) == names()
        assert sorted(path.stem for path in folder.glob("release/*/*.ipynb")) == [*names()]
        for name in names():
            assert source_path(name, folder).read_bytes() == source_path(name).read_bytes()
        assert not (folder / ".source").exists()
    # What is there stays: a source that was changed, and a folder of something else.
    changed = source_path("1-influence", folder)
    changed.write_text(changed.read_text("utf-8").replace("Homework 1", "Homework A"), "utf-8")
    assert main(["release", "--course", str(folder)]) == 0
    assert "a new course" not in capsys.readouterr().out
    assert "Homework A" in changed.read_text("utf-8")
    other = tmp_path / "photographs"
    other.mkdir()
    (other / "cat.jpeg").touch()
    for command in ("release", "grade"):
        assert main([command, "--course", str(other)]) == 2
        assert "has no folder source/" in capsys.readouterr().err
    assert [path.name for path in other.iterdir()] == ["cat.jpeg"]


@pytest.mark.thorough
def test_a_scheduler_elsewhere_is_given_all_that_it_needs(
    course: Course, ran: list[str], monkeypatch: Patch
) -> None:
    from distributed import LocalCluster

    opened: list[str] = []
    executor = shards.executor

    def noted(how: How) -> Any:
        opened.append(how.scheduler)
        return executor(how)

    monkeypatch.setattr(shards, "executor", noted)
    course.hand_in("ada", **answers())
    course.hand_in("bob", **answers(q2=WRONG["q2"]))
    with LocalCluster(
        1, 1, processes=False, protocol="tcp://", dashboard_address=None, memory_limit=0
    ) as cluster:
        course.grade("--scheduler", cluster.scheduler_address)
    assert opened == [cluster.scheduler_address] * 2, "marking, and feedback"
    assert len(ran) == 2
    assert course.row("bob")["auto_score"] == "8"
    # What is made there is what is made here.
    there = course.page("bob").read_bytes()
    course.page("bob").unlink()
    course.grade()
    assert course.page("bob").read_bytes() == there


class _Elsewhere(Executor):
    """A cluster whose workers die, or have other code, at what they are called for."""

    def __init__(self, fails: str, with_: Any) -> None:
        self.fails, self.with_ = fails, with_

    def submit(self, function: Any, /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if function.__name__ == self.fails and isinstance(self.with_, Exception):
            future.set_exception(self.with_)
        else:
            came = function(*args, **options)
            future.set_result(self.with_(came) if function.__name__ == self.fails else came)
        return future


def _other_engine(record: marking.Record) -> marking.Record:
    return {**record, "key": "of another engine"}


def _other_pages(came: tuple[list[str], str]) -> tuple[list[str], str]:
    return [text.replace("<!-- ", "<!-- other ") for text in came[0]], came[1]


FAULTS = {
    "marks lost": ("mark_apart", MemoryError("killed"), "record came back: MemoryError: killed"),
    "strange marks": ("mark_apart", _other_engine, shards.OTHER),
    "pages lost": ("make", MemoryError("killed"), "to its end: MemoryError: killed."),
    "strange pages": ("make", _other_pages, f"to its end: {shards.OTHER}."),
}


@pytest.mark.usefixtures("ran")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_worker_lost_or_strange_gives_no_mark_and_no_page(
    course: Course, monkeypatch: Patch, capsys: Printed, fault: str
) -> None:
    fails, with_, said = FAULTS[fault]
    course.hand_in("ada", **answers(q4=""))
    with monkeypatch.context() as cluster:
        cluster.setattr(shards, "executor", lambda _: _Elsewhere(fails, with_))
        course.grade("--scheduler", "tcp://scheduler.example.org:8786", code=1)
    printed = capsys.readouterr()
    assert said in printed.out + printed.err
    assert course.row("ada")["status"] == ("graded" if fails == "make" else "failed to run")
    assert not course.page("ada").exists()
    course.grade()
    assert course.row("ada")["score"] == "11"
    assert course.page("ada").is_file()


def _comparable(record: marking.Record) -> Any:
    data = json.loads(json.dumps(record))
    data["executed"]["notebook"] = json.loads(data["executed"]["notebook"])
    return data


def _several(folder: Path) -> Course:
    """Four submissions of every kind, in a new folder."""
    folder.mkdir()
    course = Course(folder, twin=True)
    course.hand_in("ada", **answers(q3=WRONG["q3"]))
    course.hand_in("bob")
    course.hand_in("cy", **answers(q2="import os\nos._exit(3)"))
    course.hand_in("eve", "more", **answers(q1=FLAGGED))
    return course


@pytest.mark.homework
@pytest.mark.thorough
def test_shards_killed_and_resumed_grade_as_a_serial_run_does(tmp_path: Path) -> None:
    serial, sharded = _several(tmp_path / "serial"), _several(tmp_path / "sharded")
    serial.grade()
    command = [sys.executable, "-m", "homework", "grade", "--course", str(sharded.path)]
    started = subprocess.Popen([*command, "--shards", "2"], cwd=ROOT)
    _until(lambda: len([*sharded.path.glob("marks/*/*.json")]) >= 1, started)
    family = psutil.Process(started.pid).children(recursive=True)
    started.send_signal(signal.SIGKILL)
    started.wait(30)
    _, left = psutil.wait_procs(family, timeout=60)
    for each in left:
        each.kill()
    assert left == []
    before = _stamps(sharded.path)
    assert 1 <= len(before) < 4
    subprocess.run([*command, "--shards", "2"], cwd=ROOT, check=True, timeout=600)
    after = _stamps(sharded.path)
    assert {name: after[name] for name in before} == before
    log = (sharded.path / "grade.log").read_text("utf-8")
    places = [tuple(path.parts[-2:]) for path in sharded.path.glob("marks/*/*.json")]
    assert len(places) == 4
    for student, name in places:
        data = f"marked {name.removesuffix('.json')} by {student}: "
        # One at the very moment of the kill may be kept and not logged.
        assert log.count(data) == 1 or (
            log.count(data) == 0 and f"marks/{student}/{name}" in before
        )
        one, other = (
            marking.load_record(course.path, student, name.removesuffix(".json"))
            for course in (serial, sharded)
        )
        assert one is not None
        assert other is not None
        assert _comparable(one) == _comparable(other)
    for name in ("grades", "questions", "canvas", "moodle"):
        assert sharded.table(name) == serial.table(name)
    assert serial.row("ada")["auto_score"] == "9"
    assert serial.row("cy")["auto_score"] == "7"


def _until(true: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 300
    while not true():
        assert process.poll() is None, "the process ended before"
        assert time.monotonic() < deadline, "nothing happened within five minutes"
        time.sleep(0.05)


def test_without_a_sandbox_nothing_runs_unless_asked_to(
    course: Course, monkeypatch: Patch, capsys: Printed
) -> None:
    def unavailable() -> None:
        raise sandbox.SandboxUnavailable("no bubblewrap; pass --without-sandbox")

    ran: list[bool] = []

    def run(notebook: NotebookNode, limits: Limits, **_: Any) -> Executed:
        ran.append(limits.sandboxed)
        return Machine().run(notebook)

    monkeypatch.setattr(sandbox, "check", unavailable)
    monkeypatch.setattr(marking, "run", run)
    monkeypatch.setattr(child_process, "call", in_this_process)
    course.hand_in("ada", **answers())
    course.grade(code=2)
    assert ran == []
    assert "--without-sandbox" in capsys.readouterr().err
    assert not os.path.lexists(course.path / "marks")
    course.grade("--without-sandbox")
    assert ran == [False]
    assert "WITHOUT A SANDBOX" in capsys.readouterr().err
