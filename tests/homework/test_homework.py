"""The five assignments: what is right gets its marks, what is wrong loses them, nothing leaks."""

from __future__ import annotations

import csv
from functools import cache

import pytest
from nbgrader.utils import determine_grade
from support import course as demo
from support import wrong
from support.cases import sweep
from support.leaks import Secrets
from support.site import ROOT

from homework import marking
from homework.assignments import Assignment, load, names
from homework.marking import Record, Submission
from homework.run import Executed

NAMES = names()
CODE = ("implement", "compute", "plot")
TRIAL = ROOT / "homework" / "trial.csv"

in_sandbox = [pytest.mark.homework, pytest.mark.slow]


@cache
def reference(name: str) -> dict[str, str]:
    """The reference answers by the ids of their cells, as a student would have written them."""
    answers = {c.id: c.source for c in load(name).source.cells if c.id.endswith("-answer")}
    return {
        cell: "\n".join(
            line for line in source.splitlines() if "## BEGIN" not in line and "## END" not in line
        )
        for cell, source in answers.items()
    }


def hand_in(assignment: Assignment, answers: dict[str, str]) -> Record:
    """Mark a submission that is the student copy with these answers in it."""
    text = demo.submission(assignment, answers)
    record = marking.mark(Submission("ada", assignment.name, text), assignment)
    assert record["status"] == "marked", record["reason"]
    return record


def points(record: Record) -> dict[str, float | None]:
    """What nbgrader makes of each graded cell; None for what waits for a person."""
    notebook = Executed.from_dict(record["executed"]).notebook
    graded = [cell for cell in notebook.cells if cell.metadata.nbgrader.get("grade")]
    return {cell.id: determine_grade(cell)[0] for cell in graded}


def full(assignment: Assignment) -> dict[str, float | None]:
    """Full marks: every point that the machine gives, and a person to ask for the rest."""
    return {
        cell.id: None if cell.metadata.nbgrader.solution else cell.metadata.nbgrader.points
        for cell in assignment.grading.cells
        if cell.metadata.nbgrader.get("grade")
    }


def reasons(record: Record) -> dict[str, str]:
    results = Executed.from_dict(record["executed"]).results
    return {name: result.reason for name, result in results.items()}


def test_five_assignments_of_five_questions_of_most_kinds():
    assert NAMES == ("1-influence", "2-rank", "3-product", "4-impurity", "5-growing-and-pruning")
    for name in NAMES:
        kinds = [question.kind for question in load(name).questions]
        assert len(kinds) == 5
        assert kinds.count("implement") >= 2
        assert {"compute", "plot"} & set(kinds)
        assert {"explain", "prove"} & set(kinds)


def test_each_part_of_the_proof_about_votes_has_a_hint():
    (cell,) = [cell for cell in load("3-product").student.cells if cell.id == "q5"]
    assert cell.source.count("*Hint.*") == 3


def test_the_teaching_page_shows_the_points_of_each():
    rows = (ROOT / "book" / "teaching.md").read_text("utf-8").splitlines()
    for name in NAMES:
        written = sum(question.points for question in load(name).questions if question.written)
        row = next(row for row in rows if row.startswith(f"| [{name[0]}](homework/{name})"))
        machine = load(name).max_score - written
        assert row.endswith(f"| {machine:g} | {written:g} |"), row


@pytest.mark.parametrize("name", NAMES)
class TestSources:
    def test_every_code_question_has_five_wrong_answers(self, name):
        given = wrong.answers(name)
        for question in load(name).questions:
            mine = [a for a in given if a.question == f"q{question.number}"]
            if question.kind in CODE:
                assert sum(not a.right for a in mine) >= 5
                assert any(a.right for a in mine)
            if question.kind == "implement":
                # An answer that is right but for one aspect fails one hidden test, whichever it is.
                hidden = [[test for test in a.fails if "-hidden" in test] for a in mine]
                alone = {tests[0] for tests in hidden if len(tests) == 1}
                assert alone == {test for test in question.tests if "-hidden" in test}
                assert any(wrong.PUBLIC_ONLY in a.about for a in mine)

    def test_the_minutes_shown_are_those_of_the_trial(self, name):
        """The record of who solved the student's copy: what the teaching page says of it."""
        with TRIAL.open(encoding="utf-8") as file:
            mine = [row for row in csv.DictReader(file) if row["homework"] == name]
        minutes = {row["question"]: row["minutes"] for row in mine}
        assert list(minutes) == [question.number for question in load(name).questions]
        cells = [cell.source for cell in load(name).student.cells]
        head, *rows = [
            [part.strip() for part in line.strip("|").split("|")]
            for line in next(c for c in cells if "(by a trial)" in c).splitlines()
            if line.startswith("|")
        ]
        column = head.index("minutes (by a trial)")
        assert {row[0]: row[column] for row in rows if row[0] in minutes} == minutes
        together = [row[column] for row in rows if "together" in row]
        assert together in ([], [str(sum(map(int, minutes.values())))])

    def test_the_student_copy_links_to_its_chapters_and_works_alone(self, name):
        cells = load(name).student.cells
        chapters = {"5-growing-and-pruning": ["5-growing", "6-pruning"]}.get(name, [name])
        for chapter in chapters:
            assert f"](../{chapter}/index.ipynb" in cells[0].source
            assert (ROOT / "book" / chapter / "index.ipynb").is_file()
        assert all(cell.metadata.nbgrader.grade_id == cell.id for cell in cells)


@pytest.mark.parametrize("name", sweep(NAMES, 2))
class TestGrades:
    pytestmark = in_sandbox

    def test_the_reference_has_full_marks_and_no_flag(self, name):
        assignment = load(name)
        record = hand_in(assignment, reference(name))
        assert points(record) == full(assignment)
        assert record["findings"] == []
        # The student sees at once that the public tests pass.
        for cell in Executed.from_dict(record["executed"]).notebook.cells:
            if cell.id.endswith("-tests"):
                said = "".join(output.get("text", "") for output in cell.outputs)
                assert f"uestion {cell.id[1]}" in said, cell.id


@pytest.mark.parametrize("name", sweep(NAMES, len(NAMES)))
class TestOthers:
    pytestmark = in_sandbox

    def test_an_empty_submission_has_nothing_at_all(self, name):
        record = hand_in(load(name), {})
        assert set(points(record).values()) == {0}
        assert record["findings"] == []

    def test_what_claims_to_equal_everything_gets_nothing(self, name):
        assignment = load(name)
        equal = (
            "class Equal:\n"
            "    def __eq__(self, other): return True\n"
            "    def __ne__(self, other): return False\n"
            "    __lt__ = __le__ = __gt__ = __ge__ = __eq__\n"
            "    def __hash__(self): return 0\n"
            "    def __bool__(self): return True\n"
            "    def __call__(self, *args, **options): return self\n"
            "    def __getattr__(self, name): return self\n"
        )
        given = {
            question.answer: equal + "".join(f"{ask} = Equal()\n" for ask in question.asks)
            for question in assignment.questions
            if question.kind in CODE
        }
        record = hand_in(assignment, given)
        assert set(points(record).values()) == {0}


@pytest.mark.parametrize(
    ("name", "turn"),
    sweep(
        ((name, turn) for name in NAMES for turn in range(len(wrong.rounds(name)))),
        # A wrong answer to each question.
        lambda case: case[1] == 0,
    ),
)
class TestAnswers:
    pytestmark = in_sandbox

    def test_wrong_ones_lose_their_marks_and_right_ones_none(self, name, turn):
        """A question that has no answer left in this round stays empty."""
        assignment, hand = load(name), wrong.rounds(name)[turn]
        record = hand_in(assignment, {f"{q}-answer": answer.source for q, answer in hand.items()})
        got, most, why = points(record), full(assignment), reasons(record)
        for question in assignment.questions:
            answer = hand.get(f"q{question.number}")
            if answer is None:
                assert {got[cell] for cell in question.tests} <= {0}, question.title
                continue
            # It is the answer that is wrong, not the cell it stands in.
            assert why[question.answer] == "", answer.about
            lost = [cell for cell in question.tests if got[cell] != most[cell]]
            assert set(lost) == set(answer.fails), answer.about
            if answer.right:
                assert question.answer not in {f["cell"] for f in record["findings"]}, answer.about
                continue
            assert any(most[cell] for cell in lost), f"{answer.about}: full marks"
            if wrong.PUBLIC_ONLY in answer.about:
                assert all("-hidden" in cell for cell in lost), answer.about


def test_the_built_site_holds_no_secret(site):
    assert (site / "_sources" / "book" / "homework" / "1-influence.ipynb").is_file()
    assert Secrets().leaks(site) == []
    assert not list(site.rglob("*source/1-influence*"))
