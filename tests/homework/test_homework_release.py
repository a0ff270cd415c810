"""Assignments by their rules, student copies without secrets, and a leak check that finds leaks."""

from __future__ import annotations

import builtins
import copy
import html
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    IncludeHeaderFooter,
    LockCells,
    SaveCells,
)
from support import course
from support.leaks import Secrets
from traitlets.config import Config

from homework import release
from homework.__main__ import main
from homework.assignments import (
    COURSE,
    Assignment,
    InvalidSource,
    canonical,
    load,
    make,
    marking_guide,
    names,
    source_path,
)

ROOT = Path(__file__).parents[2]
SECRET_LINES = [course.SOLUTION_LINE, course.HIDDEN_LINE, course.MODEL_LINE, course.RUBRIC_LINE]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return course.write_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def demo(folder: Path) -> Assignment:
    return load("demo", folder)


@pytest.fixture(scope="module")
def known(folder: Path) -> Secrets:
    return Secrets(folder)


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(c for c in notebook.cells if c.id == name)


def test_an_assignment_knows_its_questions_and_points(demo):
    assert [(q.number, q.kind, q.title, q.points) for q in demo.questions] == [
        ("1", "implement", "A mean", 4),
        ("2", "compute", "A sum", 4),
        ("3", "plot", "A plot", 3),
        ("4", "explain", "Why?", 3),
    ]
    assert demo.max_score == 14
    first, *_, last = demo.questions
    assert (first.asks, first.without, first.written) == (("average",), ("mean",), False)
    assert (first.answer, first.tests) == ("q1-answer", ("q1-tests", "q1-hidden"))
    assert (last.answer, last.tests, last.written) == ("q4-answer", (), True)
    assert demo.question_of("q2-hidden") is demo.questions[1]
    assert demo.question_of("setup") is None


def test_a_name_without_a_source_is_reported(folder):
    assert names(folder) == ("demo",)
    with pytest.raises(InvalidSource, match=r"'dmeo' has no source .*; there are: demo"):
        load("dmeo", folder)


Break = Callable[[NotebookNode], object]


def meta(name: str, **changed: object) -> Break:
    return lambda nb: cell(nb, name).metadata.nbgrader.update(changed)


def about(name: str, **changed: object) -> Break:
    return lambda nb: cell(nb, name).metadata.dtviz.update(changed)


def replaced(name: str, old: str, new: str) -> Break:
    def change(nb: NotebookNode) -> None:
        assert old in cell(nb, name).source
        cell(nb, name).source = cell(nb, name).source.replace(old, new)

    return change


def twice(nb: NotebookNode) -> None:
    again = copy.deepcopy(cell(nb, "q1-tests"))
    again.id = "again"
    nb.cells.append(again)


def after_its_tests(nb: NotebookNode) -> None:
    answer = cell(nb, "q1-answer")
    nb.cells.remove(answer)
    nb.cells.append(answer)


BROKEN: list[tuple[Break, str]] = [
    (lambda nb: cell(nb, "setup").metadata.nbgrader.clear(), "cell 1 .*must have nbgrader"),
    (twice, "'q1-tests': the cell id 'again' must equal"),
    (lambda nb: nb.cells.append(cell(nb, "q1-tests")), "must be a valid notebook|2 times"),
    (lambda nb: cell(nb, "setup").update(id="other"), "'setup': the cell id 'other'"),
    (meta("setup", grade_id="Setup"), "'Setup': grade_id must be of lower-case"),
    (meta("setup", schema_version=2), "Outdated schema version: 2"),
    (meta("setup", locked=False), "'setup': locked must be true"),
    (meta("setup", task=True), "Task cells have to be markdown"),
    (meta("q1-tests", points=-1), "-1 is less than the minimum"),
    (meta("q1-tests", points=2), "'q1': the heading says 4 points, its cells have 5"),
    (meta("q1-answer", locked=True), "'q1-answer': locked must be false"),
    (meta("q1-answer", grade=True, points=1), "must be code and not graded"),
    (lambda nb: cell(nb, "q1-answer").metadata.pop("dtviz"), "must have dtviz metadata"),
    (lambda nb: cell(nb, "setup").metadata.update(dtviz={}), "belongs to answer cells"),
    (about("q1-answer", kind="guess"), "dtviz.kind is 'guess', must be one of"),
    (about("q1-answer", kind="prove"), "must be markdown and graded"),
    (about("q1-answer", question="2"), "must be called by its number"),
    (about("q1-answer", asks=[]), "dtviz.asks must name"),
    (about("q1-answer", asks="average"), "dtviz.asks is 'average', must be a list"),
    (about("q1-answer", without=["a b"]), "is .'a b'., must be functions of dtviz"),
    (meta("setup", grade=True, points=1), "'setup': must belong to a question"),
    (about("q4-answer", asks=["proof"]), "asks must be empty"),
    (replaced("q1-answer", "### BEGIN SOLUTION", ""), "END SOLUTION without its partner"),
    (replaced("q1-answer", "### END SOLUTION", ""), "BEGIN SOLUTION without END SOLUTION"),
    (replaced("q1-answer", "### BEGIN", "# BEGIN"), "alone on its line"),
    (replaced("q2-answer", "### ", "#### "), "alone on its line"),
    (replaced("q2-answer", "SOLUTION", "ANSWER"), "must have its solution between"),
    (replaced("setup", "import", "### BEGIN SOLUTION\nimport"), "must be in a code answer"),
    (replaced("setup", "import", "### BEGIN HIDDEN TESTS\nimport"), "in a graded code cell"),
    (replaced("q1", "Write", "BEGIN SOLUTION"), "must be in a code answer cell"),
    (replaced("q1-hidden", "HIDDEN TESTS", "TESTS"), "must have its tests between"),
    (replaced("q1-hidden", "### END HIDDEN TESTS", ""), "BEGIN HIDDEN TESTS without END"),
    (replaced("q4-answer", "#### Rubric", "#### Points"), "a line '#### Rubric'"),
    (replaced("q4-answer", course.MODEL_LINE, ""), "must have a model answer"),
    (replaced("q4-answer", "- 1 point: says", "- says"), "must say how many points"),
    (replaced("q4-answer", "- 1 point", "- 2 points"), "add up to 4, points is 3"),
    (replaced("q1", "## Question 1", "## Exercise 1"), "'q1': must be there and have a heading"),
    (after_its_tests, "'q1-answer': must be before its tests"),
    (lambda nb: nb.metadata.kernelspec.update(language="r"), "not of 'r': .* Change Kernel"),
    (lambda nb: nb.update(metadata={"language_info": {"name": "R"}}), "not of 'R'"),
    (lambda nb: nb.update(nbformat_minor=4), "nbformat is 4.4|valid notebook"),
    (lambda nb: nb.update(cells=nb.cells[:2]), "there is no answer cell"),
]


@pytest.mark.parametrize(("change", "words"), BROKEN)
def test_a_source_that_breaks_a_rule_is_refused_with_cell_and_rule(change, words):
    source = course.source()
    change(source)
    with pytest.raises(InvalidSource, match=words) as caught:
        make("demo", json.dumps(source))
    assert str(caught.value).startswith("demo: ")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": [1]}'])
def test_a_source_that_is_no_notebook_is_refused(text):
    with pytest.raises(InvalidSource, match="demo: must be a valid notebook"):
        make("demo", text)


def test_what_an_editor_changes_by_itself_does_no_harm_to_a_source(demo):
    source = course.source()
    for c in source.cells:
        c.metadata["collapsed"] = False
        if c.cell_type == "code":
            c.execution_count = 3
            c.outputs = [nbformat.v4.new_output("stream", text=f"{course.HIDDEN_LINE}\n")]
        c.source = c.source.splitlines(keepends=True)
    again = make("demo", json.dumps(source))
    assert again.questions == demo.questions
    assert not [c for c in again.student.cells if c.get("outputs")]
    assert course.HIDDEN_LINE not in canonical(again.student)
    assert [c.source for c in again.student.cells] == [c.source for c in demo.student.cells]


def test_a_marking_guide_has_statement_model_answer_and_rubric_of_written_questions(demo):
    guide = marking_guide(demo)
    order = ["## Question 4: Why?", course.MODEL_LINE, "### Rubric", course.RUBRIC_LINE]
    places = [guide.index(words) for words in order]
    assert places == sorted(places)
    assert "Question 1" not in guide


@pytest.mark.filterwarnings("ignore")
def test_the_forms_agree_with_nbgraders_own_pipeline_and_gradebook(demo, tmp_path, monkeypatch):
    # The gradebook calls Alembic, which stands beside the interpreter, by its name.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    with Gradebook(url) as gradebook:
        gradebook.add_assignment("demo")
    resources = {
        "nbgrader": {"assignment": "demo", "notebook": "demo", "db_url": url},
        "metadata": {"path": str(tmp_path)},
    }
    config = Config()
    notebook = course.source()
    for step in (
        IncludeHeaderFooter,
        LockCells,
        ClearSolutions,
        ClearOutput,
        CheckCellMetadata,
        ComputeChecksums,
        SaveCells,
        ClearHiddenTests,
        ClearMarkScheme,
        ComputeChecksums,
        CheckCellMetadata,
    ):
        notebook, resources = step(config=config).preprocess(notebook, resources)
    assert notebook == demo.student
    with Gradebook(url) as gradebook:
        stored = gradebook.find_notebook("demo", "demo")
        assert stored.max_score == demo.max_score
        recorded = {c.name: (c.source, c.checksum, c.locked) for c in stored.source_cells}
    assert recorded == {
        c.id: (c.source, c.metadata.nbgrader.checksum, not c.metadata.nbgrader.solution)
        for c in demo.grading.cells
    }


def test_the_student_copy_has_stubs_and_public_tests_and_no_secret(demo, known):
    assert cell(demo.student, "q1-answer").source == (
        'def average(values):\n    """The mean of a list of numbers."""\n'
        "    # YOUR CODE HERE\n    raise NotImplementedError()"
    )
    assert cell(demo.student, "q1-hidden").source == "# Hidden tests (3 points)."
    assert cell(demo.student, "q1-tests").source == cell(demo.source, "q1-tests").source
    assert cell(demo.student, "q4-answer").source == "YOUR ANSWER HERE"
    assert cell(demo.student, "q1-tests").metadata.editable is False
    text = canonical(demo.student)
    assert not known.found(text)
    assert not [line for line in SECRET_LINES if line in text]


def test_making_an_assignment_runs_nothing_starts_nothing_and_writes_nothing(folder, monkeypatch):
    source = source_path("demo", folder).read_text(encoding="utf-8")

    def refused(*args: object, **_: object) -> None:
        raise AssertionError(f"called with {args}")

    monkeypatch.setattr(subprocess, "Popen", refused)
    monkeypatch.setattr(os, "system", refused)
    monkeypatch.setattr(builtins, "exec", refused)
    monkeypatch.setattr(Path, "write_text", refused)
    assert make("demo", source).max_score == 14


PLANTED = [f"Planted secret number {k}: forty-two" for k in range(9)]


def plant(nb: NotebookNode) -> None:
    """Put a text beside that of each cell that students may not see, wherever JSON has room."""
    texts = iter(PLANTED)
    new = nbformat.v4.new_output
    cell(nb, "q4-answer")["attachments"] = {"proof.png": {"image/png": next(texts)}}
    cell(nb, "q1-answer").outputs = [
        new("stream", text=f"first\n{next(texts)}\n"),
        new(
            "display_data",
            {"image/svg+xml": next(texts), "application/vnd.any+json": {"a": [next(texts)]}},
        ),
        new("error", ename="E", evalue="e", traceback=[next(texts)]),
    ]
    cell(nb, "q1-hidden").outputs = [new("execute_result", {"text/html": next(texts)})]
    for name in ("q1-answer", "q1-hidden", "q4-answer"):
        cell(nb, name).metadata.update(tags=["hide"], mystnb={"figure": {"caption": next(texts)}})
    # A question's own picture is for students.
    cell(nb, "q4")["attachments"] = {"given.png": {"image/png": "R2l2ZW4gdG8gYWxsLg=="}}


def test_pictures_outputs_and_metadata_of_what_is_secret_are_secrets(tmp_path, monkeypatch):
    source = course.source()
    plant(source)
    source.metadata["notes"] = "Notes of the author alone"
    path = source_path("demo", course.write_course(tmp_path))
    path.write_text(course.text(source), "utf-8")
    assert set(PLANTED) <= {s.line for s in release.part_secrets(tmp_path)[1]}
    assert main(["release", "--course", str(tmp_path)]) == 0
    assert Secrets(tmp_path).leaks(tmp_path / "release") == []  # the zip, too
    made = (tmp_path / "release" / "demo" / "demo.ipynb").read_text("utf-8")
    assert "R2l2ZW4gdG8gYWxsLg==" in made
    # What is graded ends in feedback.
    for form in (made, canonical(load("demo", tmp_path).grading)):
        assert not [line for line in [*PLANTED, source.metadata["notes"]] if line in form]
    # Whatever strips them: what would slip through is found.
    monkeypatch.setattr("homework.assignments._strip", lambda _: None)
    with pytest.raises(ValueError, match=r"picture, output or metadata of demo, cell 'q"):
        release.copies(tmp_path)


def test_release_writes_the_student_copies_as_jupyter_writes_them(demo, tmp_path):
    course.write_course(tmp_path)
    assert main(["release", "--course", str(tmp_path)]) == 0
    path = tmp_path / "release" / "demo" / "demo.ipynb"
    text = path.read_text(encoding="utf-8")
    assert course.MODEL_LINE in (tmp_path / "guides" / "demo.md").read_text("utf-8")
    assert nbformat.reads(text, 4) == demo.student
    assert text == json.dumps(json.loads(text), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def test_a_copy_that_holds_a_secret_is_not_written_nor_any_other(tmp_path, monkeypatch, capsys):
    course.write_course(tmp_path)
    # An nbgrader that clears nothing.
    monkeypatch.setattr("homework.assignments.ClearHiddenTests", ComputeChecksums)
    assert main(["release", "--course", str(tmp_path)]) == 2
    assert "hidden test of demo, cell 'q1-hidden'" in capsys.readouterr().err
    assert not [place for place in ("release", "guides") if (tmp_path / place).exists()]


def test_copies_whose_source_is_gone_are_taken_away(folder, tmp_path, capsys):
    shutil.copytree(folder / "source", tmp_path / "source")
    shutil.copytree(folder / "source" / "demo", tmp_path / "source" / "more")
    tmp_path.joinpath("source", "more", "demo.ipynb").rename(tmp_path / "source/more/more.ipynb")
    assert main(["release", "--course", str(tmp_path)]) == 0
    made = [*tmp_path.rglob("more.*")]
    kept = [tmp_path / "guides" / "notes.md", tmp_path / "release" / "more" / "table.csv"]
    for path in kept:
        path.touch()
    shutil.rmtree(tmp_path / "source" / "more")
    capsys.readouterr()
    assert main(["release", "--course", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert len(made) == 3, "source, copy, guide"
    assert [f"{path}: removed" in output for path in made] == [
        "source/" not in str(p) for p in made
    ]
    assert [*tmp_path.rglob("more.*")] == []
    assert len([*tmp_path.rglob("demo.*")]) == 3
    assert all(path.is_file() for path in kept)


def test_a_source_that_names_no_language_is_python():
    source = course.source()
    source.metadata = {}
    assert make("demo", json.dumps(source)).student.metadata.kernelspec.language == "python"


def test_secrets_are_the_lines_that_only_the_source_holds(known):
    lines = {secret.line for secret in known.lines.values()}
    assert set(SECRET_LINES) <= lines
    assert "return total_of_all_values / len(values)" in lines
    assert "from matplotlib.figure import Figure as _Figure" not in lines  # of a public test too
    assert "return ax" not in lines  # too short to say anything
    kinds = {secret.line: secret.kind for secret in known.lines.values()}
    assert [kinds[line] for line in SECRET_LINES] == [
        "solution",
        "hidden test",
        "model answer",
        "rubric",
    ]


def as_notebook(line: str) -> str:
    return canonical(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(f"x\n{line}")]))


def as_html(line: str) -> str:
    return f"<html><body><pre>x = 1\n{html.escape(line)}\ny = 2</pre></body></html>"


def as_spans(line: str) -> str:
    words = (f'<span class="n">{html.escape(word)}</span>' for word in line.split(" "))
    return f"<div class='highlight'><pre><span></span>{'<span> </span>'.join(words)}\n</pre></div>"


def as_list(line: str) -> str:
    words = html.escape(line).removeprefix("- ").replace("'", "’")
    return f"<ul>\n<li><p><em>{words[:10]}</em>{words[10:]}</p></li></ul>"


def as_script(line: str) -> str:
    text = json.dumps(f"\n    {line}\nx").replace("a", r"\u0061")
    return f"<script>var cell = {text};</script>"


PLACES: list[tuple[str, Callable[[str], str]]] = [
    ("a.ipynb", as_notebook),
    ("a.html", as_html),
    ("a.html", as_spans),
    ("a.html", as_list),
    ("a.html", as_script),
    ("a.md", lambda line: f"> {line}\n"),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("line", SECRET_LINES)
def test_a_planted_leak_is_found_in_every_form(known, tmp_path, line, place):
    name, form = place
    path = tmp_path / "deep" / "er" / name
    path.parent.mkdir(parents=True)
    path.write_text(form(line), encoding="utf-8")
    found = known.leaks(tmp_path)
    assert {leak.secret.line for leak in found} == {line}
    assert {leak.path for leak in found} == {str(path)}
    assert str(path) in str(found[0])
    assert f"demo, cell '{found[0].secret.cell}'" in str(found[0])
    path.write_text(form("nothing = to + hide"), encoding="utf-8")
    assert known.leaks(path) == []


@pytest.fixture(scope="module")
def ours() -> Secrets:
    return Secrets()


def test_student_copies_are_those_that_the_sources_give():
    made = release.copies()
    kept = {path.stem: path for path in release.TARGET.glob("*.ipynb")}
    assert sorted(kept) == sorted(made)
    for name, text in made.items():
        assert kept[name].read_text(encoding="utf-8") == text, "run `make homework`"


def test_each_hidden_test_cell_has_a_line_of_its_own_to_be_found_by(ours):
    cells = {(s.assignment, s.cell) for s in ours.lines.values()}
    for name in names():
        for question in load(name).questions:
            for test in question.tests:
                if "-hidden" in test:
                    assert (name, test) in cells


def test_what_students_may_read_holds_no_secret(ours):
    assert ours.leaks(ROOT / "book", ROOT / "dtviz", ROOT / "README.md") == []


def test_the_sources_themselves_are_full_of_secrets(ours):
    found = ours.leaks(COURSE / "source")
    assert {(leak.secret.assignment, leak.secret.kind) for leak in found} >= {
        (name, kind)
        for name in names()
        for kind in ("solution", "hidden test", "model answer", "rubric")
    }


HALVES = "## Question 1: Halves (3 points)\n\nWrite `half`.\n\n"
ODD = "# Hidden tests: odd numbers (1 point).\n### BEGIN HIDDEN TESTS\n"
END = "\n### END HIDDEN TESTS"
SOLVED = "    ### BEGIN SOLUTION\n    return x / FACTOR\n    ### END SOLUTION"
WRITTEN = [
    ("markdown", "# Homework 9: written by hand"),
    ("code", "import dtviz as dt"),
    ("markdown", f"{HALVES}Do not call: `dt.measures.mean`, `dt.measures.error`."),
    ("code", f"FACTOR = 2\ndef half(x):\n{SOLVED}"),
    ("code", "# Public tests (1 point).\nassert half(2) == 1, f'half(2): 1, got {half(2)}'"),
    ("code", f"{ODD}assert half(3) == 1.5, f'half(3): 1.5, got {{half(3)}}'{END}"),
    ("code", f"{ODD}assert half(-5) == -2.5, f'half(-5): -2.5, got {{half(-5)}}'{END}"),
    ("markdown", "A hint between them."),
    ("markdown", "## Question 2: Why? (2 points)\n\nWhy is that so?"),
    ("markdown", "Because two halves are one.\n\n#### Rubric\n\n- 2 points: says so."),
]


def test_a_source_without_any_metadata_says_by_its_text_what_its_cells_are():
    assignment = make("by-hand", course.handwritten(WRITTEN))
    one, two = assignment.questions
    assert (one.number, one.kind, one.title, one.points) == ("1", "implement", "Halves", 3)
    assert (one.asks, one.without) == (("FACTOR", "half"), ("mean", "error"))
    assert one.tests == ("q1-tests", "q1-hidden-odd-numbers", "q1-hidden-odd-numbers-2")
    assert (two.kind, two.points, two.tests) == ("explain", 2, ())
    assert [cell.id for cell in assignment.source.cells] == [
        *("text", "code", "q1", "q1-answer", *one.tests, "q1-text", "q2", "q2-answer")
    ]
    shown = "\n".join(cell.source for cell in assignment.student.cells)
    assert "half(2)" in shown
    assert "YOUR CODE HERE" in shown
    assert not {word for word in ("half(3)", "FACTOR\n", "two halves") if word in shown}
    # Read again, it has all of it, and nothing changes.
    assert make("by-hand", canonical(assignment.source)).source == assignment.source


def test_a_question_may_be_added_to_a_source_that_has_metadata(tmp_path):
    source = json.loads(course.text(course.source()))
    added = json.loads(course.handwritten(WRITTEN[2:7]))["cells"]
    added[0]["source"] = added[0]["source"].replace("Question 1", "Question 5")
    source["cells"] += added
    assignment = make("demo", json.dumps(source))
    assert [question.number for question in assignment.questions] == ["1", "2", "3", "4", "5"]
    assert assignment.questions[4].tests[0] == "q5-tests"
    assert assignment.questions[0] == load("demo", course.write_course(tmp_path)).questions[0]


@pytest.mark.parametrize(
    ("place", "source", "words"),
    [
        (3, "def half(x):\n    return x", "'q1': must have an answer"),
        (4, "assert half(2) == 1", "the heading says 3 points, its cells have 2"),
        (9, "Because.\n\n## Rubric\n\n- 2 points: says so.", "'q2': must have an answer"),
        (5, "# Hidden tests (1 point).\nassert half(3) == 1.5", "must have its tests between"),
        (2, f"{HALVES}Do not call: `dt.meen`.", "must be functions of dtviz"),
        (2, f"{HALVES}Do not call: mean.", "must be functions of dtviz"),
        (2, "# Question 1: Halves (3 points)", "below a heading '## Question 1"),
    ],
)
def test_what_is_missing_in_a_source_written_by_hand_is_reported(place, source, words):
    cells = list(WRITTEN)
    cells[place] = (cells[place][0], source)
    with pytest.raises(InvalidSource, match=words):
        make("by-hand", course.handwritten(cells))
