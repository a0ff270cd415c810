"""After grading: marks that change, and what is printed.

Answers are executed in this process, by a stand-in for the sandbox.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

pytest.importorskip("nbgrader", reason="grading needs nbgrader")

from support.course import RIGHT, WRONG, answers
from support.grading import NOISE, Course, Machine, Printed
from support.site import ROOT

from homework import marking
from homework.__main__ import _say

STRICT = "int(answer) == 385, 'the sum of the squares is wrong'"
MENDED = "int(answer) in (384, 385), 'the sum of the squares is wrong'"

pytestmark = NOISE


def test_points_that_change_are_printed_and_wait_to_be_accepted(
    course: Course, machine: Machine, capsys: Printed
) -> None:
    for student in ("ada", "cy", "dan"):
        course.hand_in(student, **answers(q2=WRONG["q2"]))
    course.hand_in("bob", **answers(q3=WRONG["q3"]))
    course.grade()
    course.by_hand("ada", 2.0)
    course.by_hand("dan", 1.5, "q2-hidden")
    course.grade()
    course.mend(STRICT, MENDED)
    before = {student: course.points(student) for student in ("ada", "bob", "cy", "dan")}
    pages = {student: course.page(student).read_bytes() for student in ("ada", "cy", "dan")}
    # Today it is slower: were all questions marked again, all would lose points in the third.
    machine.slow = {"q3-hidden"}
    capsys.readouterr()
    course.grade()
    output = capsys.readouterr().out
    why = "q2-hidden: passed; before: the sum of the squares is wrong"
    assert f"changed: ada, demo, question 2: 1 -> 4  {why}\n" in output
    stays = "2.5 -> 2.5  " + why + " (a person gave 1.5, which stays: look)"
    assert f"changed: dan, demo, question 2: {stays}\n" in output
    assert (output.count("changed: "), "ARGS=--accept" in output) == (3, True)
    # Nothing is published: no point, no page, nothing for the system of the university.
    assert {course.entry(student).lines["q2-hidden"].auto for student in ("ada", "cy")} == {0.0}
    assert {student: course.page(student).read_bytes() for student in pages} == pages
    assert course.row("ada")["status"] == "not graded yet"
    assert course.points("bob") == before["bob"]
    # A second run runs nothing and says the same; then all of it is taken.
    runs = len(machine.ran)
    course.grade()
    assert capsys.readouterr().out == output
    course.grade("--accept")
    assert len(machine.ran) == runs
    assert {row["student"]: (row["before"], row["after"]) for row in course.table("changes")} == {
        "ada": ("1", "4"),
        "cy": ("1", "4"),
        "dan": ("2.5", "2.5"),
    }
    assert course.points("ada") == ["4", "4", "3", "2"]
    # A person decides whether what they gave is still right.
    assert course.points("dan") == ["4", "", "3", ""]
    course.grade()
    assert "changed" not in capsys.readouterr().out.rpartition("Written")[2]


def test_what_no_question_uses_marks_nothing_again(course: Course, machine: Machine) -> None:
    course.hand_in("ada", **answers(q2=WRONG["q2"]))
    course.grade()
    course.mend("Write `average`.", "Write `average`, please.")
    course.grade()
    assert len(machine.ran) == 1
    assert course.points("ada") == ["4", "1", "3", ""]


def test_points_that_were_to_change_stay_where_the_test_is_put_back(
    course: Course, machine: Machine, capsys: Printed
) -> None:
    course.hand_in("ada", **answers(q2=WRONG["q2"]))
    course.grade()
    course.mend(STRICT, MENDED)
    course.grade()
    course.mend(MENDED, STRICT)
    capsys.readouterr()
    course.grade()
    assert "changed" not in capsys.readouterr().out
    assert course.points("ada")[1] == "1"
    assert len(machine.ran) == 2


def test_a_mended_public_test_blames_nobody_and_a_cleared_flag_stays_so(
    course: Course, machine: Machine
) -> None:
    call = "import dtviz as dt\nMEAN = dt.measures.mean\n"
    course.hand_in("ada", **answers(q1=call + RIGHT["q1"], q4=""))
    course.hand_in("bob", **answers(q4=""))
    course.grade()
    course.do("clear", "ada", "demo")
    course.mend("float(average([1, 2, 3])) == 2", "round(float(average([1, 2, 3]))) == 2")
    course.grade()
    assert len(machine.ran) == 4
    assert [(row["score"], row["flags"]) for row in course.table("grades")] == [("11", "")] * 2
    assert "was put back" not in (course.path / "feedback/bob/demo/demo.html").read_text("utf-8")


def test_of_a_question_marked_again_the_reasons_are_new(course: Course, machine: Machine) -> None:
    course.hand_in("ada", **answers(q4=""))
    machine.slow = {"q2-hidden", "q3-hidden"}
    course.grade()
    assert course.points("ada") == ["4", "1", "1", "0"]
    machine.slow = {"q1-hidden"}
    course.mend(STRICT, MENDED)
    course.grade("--accept")
    assert course.points("ada") == ["4", "4", "1", "0"]
    (row,) = course.table("grades")
    assert row["reasons"] == "q3-hidden: took longer than 3 seconds"


def test_what_has_a_record_is_marked_again_if_asked_to(
    course: Course, machine: Machine, capsys: Printed
) -> None:
    for student in ("ada", "bob"):
        course.hand_in(student, **answers(q4=""))
    machine.slow = {"q3-hidden"}
    course.grade()
    machine.slow, machine.ran = set(), []
    course.grade("--again", "ada", "demo")
    assert "question 3: 1 -> 3" in capsys.readouterr().out
    assert course.entry("ada").lines["q3-hidden"].auto == 0
    course.grade("--accept")
    assert (course.points("ada"), len(machine.ran)) == (["4", "4", "3", "0"], 1)
    page = course.page("ada").read_text("utf-8")
    assert "Question 3, hidden tests</a> (Score: 2.0 / 2.0)" in page
    for again in (["cy"], ["ada", "demon"]):
        course.grade("--again", *again, code=2)
        assert "nothing is handed in there" in capsys.readouterr().err


def test_what_cannot_be_marked_again_keeps_its_points(
    course: Course, machine: Machine, capsys: Printed
) -> None:
    course.hand_in("ada", **answers(q2="answer = 384 + 0", q4=""))
    course.grade()
    machine.broken = "384 + 0"
    course.grade("--again", "ada")
    assert "failed: OSError: no space left on device; before: marked" in capsys.readouterr().out
    record = marking.load_record(course.path, "ada", "demo")
    assert record is not None
    assert record["status"] == "marked"
    assert course.page("ada").is_file()


@pytest.mark.thorough
def test_who_reads_no_further_stops_nothing(course: Course) -> None:
    """As with `| head`: nobody reads what is printed."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "homework", "status", "--course", str(course.path)]
    result = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.thorough
@pytest.mark.parametrize("closed", [">&- 2>&- <&-", "2>&-"])
def test_without_streams_all_goes_on(course: Course, closed: str) -> None:
    command = [sys.executable, "-m", "homework", "grade", "--course", str(course.path)]
    subprocess.run(["bash", "-c", f"{shlex.join(command)} {closed}"], cwd=ROOT, check=True)
    assert (course.path / "grades.csv").is_file()


def test_words_of_a_student_do_not_steer_the_terminal(capsys: Printed) -> None:
    _say("q1: 3 x \x1b[2J\x1b]0;owned\x07\r\x9b wrong\n\té, 木 \ud800")
    result = r"q1: 3 x \x1b[2J\x1b]0;owned\x07\r\x9b wrong" + "\n\té, 木 " + r"\ud800" + "\n"
    assert capsys.readouterr().out == result
