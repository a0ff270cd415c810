"""After grading: one question marked once more, statistics of each test, answers that are alike.

Answers are executed in this process, by a stand-in for the sandbox.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("nbgrader", reason="grading needs nbgrader")

from support.cases import sweep
from support.course import RIGHT, WRONG, answers, submission
from support.grading import NOISE, Course, Machine
from support.site import ROOT

from homework import items, marking, regrade, similar
from homework.__main__ import _say
from homework.assignments import load
from homework.ledger import Entry, Line
from homework.marking import Submission
from homework.table import GRADED, WAITING, Row, Student

FRAME = "import sys\nFRAME = sys._getframe\n"
STRICT = "int(answer) == 385, 'the sum of the squares is wrong'"
MENDED = "int(answer) in (384, 385), 'the sum of the squares is wrong'"

pytestmark = NOISE


# --- one question once more ----------------------------------------------------------------------


def test_a_mended_test_changes_its_own_question_only(
    course: Course, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    for student in ("ada", "cy", "dan"):
        course.hand_in(student, **answers(q2=WRONG["q2"]))
    course.hand_in("bob", **answers(q3=WRONG["q3"]))
    course.do("grade")
    course.by_hand("ada", 2.0)
    course.by_hand("dan", 1.5, "q2-hidden")
    course.do("grade")
    course.mend(STRICT, MENDED)
    before = course.files()
    # Today it is slower: were all marked again, all would lose question 3.
    machine.slow = {"q3-hidden"}
    capsys.readouterr()
    course.do("regrade", "demo", "2", "--dry-run")
    dry = capsys.readouterr().out
    assert course.files() == before
    course.do("regrade", "demo", "2")
    told = capsys.readouterr().out
    table = told[: told.index("Written")]
    assert dry == f"{table}Nothing is changed: --dry-run.\n"
    assert "2 of 4 have other points in question 2." in told
    assert {row["student"]: (row["before"], row["after"]) for row in course.table("regrades")} == {
        "ada": ("1", "4"),
        "cy": ("1", "4"),
        "dan": ("2.5", "2.5"),
    }
    why = {row["student"]: row["why"] for row in course.table("regrades")}
    assert why["cy"] == "q2-hidden: passed; before: the sum of the squares is wrong"
    assert why["dan"] == f"{why['cy']} (a person gave 1.5, which stays: look)"
    assert course.points("ada") == ["4", "4", "3", "2"]
    assert course.points("bob") == ["4", "4", "1", ""]
    # A person decides whether what they gave is still right.
    assert course.points("dan") == ["4", "", "3", ""]
    # Nothing is left for the next run to mark, and the slow machine shows nowhere.
    runs, tables = len(machine.ran), course.table("grades")
    course.do("grade")
    assert (len(machine.ran), course.table("grades")) == (runs, tables)
    assert {row["flags"] + row["reasons"] for row in tables} == {""}
    # Mended once more, the other way: the first table stays.
    course.mend(MENDED, STRICT)
    course.do("regrade", "demo", "2")
    assert [row["student"] for row in course.table("regrades")] == ["ada", "cy", "dan"] * 2


def test_a_mended_public_test_blames_nobody_and_a_cleared_flag_stays_so(
    course: Course, machine: Machine
) -> None:
    course.hand_in("ada", **answers(q1=FRAME + RIGHT["q1"], q2=FRAME + RIGHT["q2"], q4=""))
    course.hand_in("bob", **answers(q4=""))
    course.do("grade")
    course.do("clear", "ada", "demo")
    course.mend("float(average([1, 2, 3])) == 2", "round(float(average([1, 2, 3]))) == 2")
    course.do("regrade", "demo", "1")
    assert len(machine.ran) == 4
    assert [(row["score"], row["flags"]) for row in course.table("grades")] == [("11", "")] * 2
    assert "was put back" not in (course.path / "feedback/bob/demo/demo.html").read_text("utf-8")


def test_of_a_question_marked_again_the_reasons_are_new(course: Course, machine: Machine) -> None:
    course.hand_in("ada", **answers(q4=""))
    machine.slow = {"q2-hidden", "q3-hidden"}
    course.do("grade")
    assert course.points("ada") == ["4", "1", "1", "0"]
    machine.slow = {"q1-hidden"}
    course.do("regrade", "demo", "2")
    assert course.points("ada") == ["4", "4", "1", "0"]
    (row,) = course.table("grades")
    assert row["reasons"] == "q3-hidden: took longer than 3 seconds"


def test_what_cannot_be_marked_again_stays_and_is_told(
    course: Course, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    for student in ("ada", "bob", "cy"):
        course.hand_in(student, **answers(q2=WRONG["q2"], q4=""))
    course.hand_in("bob", **answers(q2="answer = 384 + 0", q4=""))
    course.do("grade")
    course.hand_in("cy", **answers(q4=""))
    course.mend(STRICT, MENDED)
    machine.broken = "384 + 0"
    course.do("regrade", "demo", "2", code=1)
    told = capsys.readouterr().out
    assert "1 of 1 have other points" in told
    assert "stays as it is: bob: OSError: no space left on device" in told
    assert "left out, for `grade` has not marked what is handed in: cy" in told
    assert course.points("ada")[1] == "4"
    record = marking.load_record(course.path, "bob", "demo")
    assert record is not None
    assert record["status"] == "marked"


def test_a_regrade_that_was_stopped_goes_on(
    course: Course, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for student in ("ada", "bob"):
        course.hand_in(student, **answers(q2=WRONG["q2"]))
    course.do("grade")
    course.mend(STRICT, MENDED)
    before = course.table("questions")
    with monkeypatch.context() as patched:
        patched.delattr(regrade, "regrade")
        with pytest.raises(AttributeError):
            course.do("regrade", "demo", "2")
    assert (course.table("questions"), len(machine.ran)) == (before, 4)
    course.do("regrade", "demo", "2")
    assert (course.points("ada")[1], len(machine.ran)) == ("4", 4)
    assert {path.name for path in (course.path / "marks").iterdir()} == {"ada", "bob"}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (["demo", "1"], "other tests or points than those that were marked: q2-hidden. Name"),
        (["demo", "4"], "regrade demo 4: must be questions that have tests: 1, 2, 3."),
        (["demo", "2", "9"], "regrade demo 2 9: must be questions"),
        (["demon", "2"], "demon: there is none"),
    ],
)
def test_a_regrade_that_would_do_something_else_is_refused(
    course: Course,
    machine: Machine,
    capsys: pytest.CaptureFixture[str],
    told: list[str],
    said: str,
) -> None:
    course.do("regrade", "demo", "2", code=2)
    assert "nothing of it is marked. Grade it first." in capsys.readouterr().err
    course.hand_in("ada", **answers())
    course.do("grade")
    course.mend(STRICT, MENDED)
    before = course.files()
    course.do("regrade", *told, code=2)
    assert said in capsys.readouterr().err
    assert (course.files(), len(machine.ran)) == (before, 1)


# --- statistics ----------------------------------------------------------------------------------


def test_statistics_tell_what_failed_and_do_not_count_what_waits(
    course: Course, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    course.hand_in("ada", **answers(q1=WRONG["q1"]))
    course.hand_in("bob", **answers(q1=WRONG["q1"], q4=""))
    course.hand_in("cy", **answers(q1="def average(values):\n    return 2\n"))
    course.hand_in("dan", **answers(q1="def average(values):\n    return 1 / 0\n"))
    course.do("grade")
    course.by_hand("dan", 1.5)
    # Who has handed in since has no marks that are known to hold.
    course.hand_in("eve", **answers())
    capsys.readouterr()
    course.do("statistics", "demo")
    rows = {row["cell"]: row for row in course.table("statistics")}
    assert [*rows][:2] == ["q1-tests", "q1-hidden"]
    hidden = rows["q1-hidden"]
    assert hidden["messages"] == (
        "3 x the mean of many numbers is wrong | 1 x ZeroDivisionError: division by zero"
    )
    assert (hidden["took_part"], hidden["no_points"], hidden["mean_share"]) == ("4", "4", "0")
    public = "2 x the mean of 1, 2, 3 is 2 | 1 x ZeroDivisionError: division by zero"
    assert rows["q1-tests"]["messages"] == public
    assert (rows["q1-tests"]["all_points"], rows["q1-tests"]["mean_share"]) == ("1", "0.25")
    written = rows["q4-answer"]
    assert (written["took_part"], written["waiting"], written["mean_share"]) == ("2", "2", "0.25")
    assert {row["correlation_with_rest"] for row in rows.values()} == {""}
    told = capsys.readouterr().out
    assert "      3 x the mean of many numbers is wrong\n" in told
    assert len(machine.ran) == 4


def _row(demo: Any, student: int, waiting: bool = False, **points: float) -> Row:
    lines = {
        cell: Line(points.get(cell, 0.0), None, 0.0, waiting=False, largest=2.0)
        for cell in ("q1-hidden", "q2-hidden", "q3-hidden")
    }
    lines["q4-answer"] = Line(None, None, 0.0, waiting=waiting, largest=3.0)
    entry = Entry(flagged=False, timestamp=None, duedate=None, penalty=0.0, lines=lines)
    return Row(Student(str(student)), demo, entry, None, WAITING if waiting else GRADED)


def test_the_correlation_is_with_the_other_points_that_have_a_mark(course: Course) -> None:
    demo = load("demo", course.path)

    def found(n_students: int, waiting: Callable[[int], bool]) -> dict[str, Any]:
        """Question 2 goes with 1, and 3 against both."""
        rows = []
        for student in range(n_students):
            good = 2.0 * (student % 2)
            points = {"q1-hidden": good, "q2-hidden": good, "q3-hidden": 2.0 - good}
            rows.append(_row(demo, student, waiting(student), **points))
        return {item[1]: item for item in items.items(rows)}

    mean, correlation = items.COLUMNS.index("mean_share"), -2
    few = found(items.FEWEST - 1, lambda _: False)
    assert {item[correlation] for item in few.values()} == {None}
    all_wait = found(items.FEWEST, lambda _: True)
    assert all_wait["q4-answer"][mean] is None
    assert all_wait["q3-hidden"][correlation] == pytest.approx(-1)
    # With itself among the rest, it would be 1; that the bad ones' texts wait changes nothing.
    assert all_wait["q1-hidden"][correlation] is None
    some = found(items.FEWEST, lambda student: student % 2 == 0)
    assert some["q3-hidden"][correlation] == pytest.approx(-1)
    # Of the bad ones, half of the points that have a mark; of the good ones, with a 0 in the text.
    assert some["q1-hidden"][correlation] == pytest.approx(-1)
    assert some["q4-answer"][items.COLUMNS.index("waiting")] == items.FEWEST // 2


# --- alike ---------------------------------------------------------------------------------------

OWN_WAY = '''def average(values):
    """The mean of a list of numbers."""
    kept = sorted(values, key=abs, reverse=True)
    whole, parts = 0, []
    while kept:
        top = kept.pop()
        whole = whole + int(top * 2 ** 20)
        parts.append(top - int(top * 2 ** 20) / 2 ** 20)
    return (whole / 2 ** 20 + sum(parts)) / len(values)
'''
COPY = """def average(numbers):
    # my own idea
    a = sorted(numbers, key=abs, reverse=True)

    big, small = 0, []
    while a:
        x = a.pop()
        big = big + int(x * 2 ** 20)
        small.append(x - int(x * 2 ** 20) / 2 ** 20)
    print("done")
    return (big / 2 ** 20 + sum(small)) / len(numbers)
"""
USUAL = '''def average(values):
    """The mean of a list of numbers."""
    if not len(values):
        raise ValueError("there are no values")
    total, count = 0.0, 0
    for value in values:
        total, count = total + float(value), count + 1
    return total / count
'''
PROOF = (
    "Pair the first with the last, and the second with the last but one: each pair has the same "
)
PROOF += (
    "sum as its mirror image, hence walking backwards meets the very same pairs in another order."
)


def _alike(demo: Any, given: dict[str, dict[str, str]]) -> list[tuple[str, tuple[str, str]]]:
    records = {}
    for student, answered in given.items():
        text = submission(demo, answered)
        record = marking.mark(Submission(student, "demo", text), demo)
        assert record["status"] == "marked"
        records[student] = record
    return [(pair.question, pair.students) for pair in similar.similar(demo, records)]


@pytest.mark.usefixtures("machine")
def test_a_copy_with_other_names_is_told_and_what_many_have_is_not(course: Course) -> None:
    demo = load("demo", course.path)
    given = {f"s{number}": {"q1": USUAL, "q4": RIGHT["q4"]} for number in range(10)}
    given |= {"ada": {"q1": OWN_WAY, "q4": PROOF}, "bob": {"q1": COPY}}
    given |= {"eve": {"q1": RIGHT["q1"], "q4": f"Well. {PROOF.upper()}"}, "mal": {"q1": "def ("}}
    assert _alike(demo, given) == [("4", ("ada", "eve")), ("1", ("ada", "bob"))]
    # Of the usual way only two have it: then it is theirs.
    few = {
        name: told for name, told in given.items() if name not in {f"s{k}" for k in range(2, 10)}
    }
    assert ("1", ("s0", "s1")) in _alike(demo, few)


@pytest.mark.usefixtures("machine")
def test_released_text_and_short_answers_are_not_alike(course: Course) -> None:
    demo = load("demo", course.path)
    released = "\n".join(c.source for c in demo.student.cells if c.cell_type == "code")
    questions = "\n".join(c.source for c in demo.student.cells if c.cell_type == "markdown")
    pasted = {"q1": released, "q4": questions}
    short = {"q1": RIGHT["q1"], "q2": RIGHT["q2"], "q4": RIGHT["q4"]}
    assert _alike(demo, {"ada": pasted, "bob": pasted, "cy": short, "dan": short}) == []
    assert _alike(demo, {"ada": {"q1": OWN_WAY}}) == []


@pytest.mark.usefixtures("machine")
def test_alike_is_said_softly_and_holds_nothing_back(
    course: Course, capsys: pytest.CaptureFixture[str]
) -> None:
    for student, q1 in [("ada", OWN_WAY), ("bob", COPY), ("cy", USUAL), ("dan", RIGHT["q1"])]:
        course.hand_in(student, q1=q1)
    course.do("grade")
    course.hand_in("eve", q1=OWN_WAY)
    before = course.files()
    capsys.readouterr()
    course.do("similar", "demo")
    told = capsys.readouterr().out
    assert "demo: 4 marked submissions, pairs alike: 1\n  question 1: ada and bob, " in told
    assert "Look yourself" in told
    assert "What more than 2 of 4 have counts for nothing" in told
    assert "has not marked what is handed in: eve" in told
    assert course.files() == before
    assert {row["flags"] for row in course.table("grades")} == {""}


def test_cells_of_the_students_own_count_with_the_answer_above(
    course: Course, machine: Machine
) -> None:
    demo = load("demo", course.path)
    notebook = json.loads(submission(demo, {"q1": "def average(values):\n    return _own(values)"}))
    at = [cell["id"] for cell in notebook["cells"]].index("q1-answer")
    own = {
        "cell_type": "code",
        "id": "mine",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    notebook["cells"].insert(at + 1, own | {"source": OWN_WAY.replace("average", "_own")})
    given = Submission("ada", "demo", json.dumps(notebook))
    other = replace(given, student="bob", text=submission(demo, {"q1": COPY}))
    records = {each.student: marking.mark(each, demo) for each in (given, other)}
    assert [pair.students for pair in similar.similar(demo, records)] == [("ada", "bob")]
    assert len(machine.ran) == 2


def test_who_reads_no_further_stops_nothing(course: Course) -> None:
    """As with `| head`: nobody reads what is printed."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "homework", "status", "--course", str(course.path)]
    told = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (told.returncode, told.stderr) == (0, b"")


@pytest.mark.parametrize("closed", sweep([">&- 2>&- <&-", "2>&-"], 2))
def test_without_streams_all_goes_on(course: Course, closed: str) -> None:
    command = [sys.executable, "-m", "homework", "grade", "--course", str(course.path)]
    subprocess.run(["bash", "-c", f"{shlex.join(command)} {closed}"], cwd=ROOT, check=True)
    assert (course.path / "grades.csv").is_file()


def test_words_of_a_student_do_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    _say("q1: 3 x \x1b[2J\x1b]0;owned\x07\r\x9b wrong\n\té, 木 \ud800")
    told = r"q1: 3 x \x1b[2J\x1b]0;owned\x07\r\x9b wrong" + "\n\té, 木 " + r"\ud800" + "\n"
    assert capsys.readouterr().out == told
