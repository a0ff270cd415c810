"""Submissions put back into shape, and odd code: reported when it is so, and only then."""

from __future__ import annotations

import copy
import json
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.utils import determine_grade
from support import course

from homework.assignments import Assignment, load
from homework.forbidden import MAX_SHOWN, calls
from homework.restore import MAX_CELLS, Unreadable, restore

Raw = dict[str, Any]
Change = Callable[[Raw], object]

WRONG = Path(__file__).parents[1] / "wrong"
BOOK = Path(__file__).parents[2] / "book"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    return load("demo", course.write_course(tmp_path_factory.mktemp("course")))


def handed_in(demo: Assignment, *changes: Change, given: Mapping[str, str] | None = None) -> str:
    """A submission with right answers, changed as JSON."""
    raw = json.loads(course.submission(demo, course.answers() if given is None else given))
    for change in changes:
        change(raw)
    return course.text(raw)


def at(raw: Raw, name: str) -> int:
    """Where a cell stands."""
    return next(i for i, c in enumerate(raw["cells"]) if c.get("id") == name)


def cell(raw: Raw, name: str) -> Raw:
    return raw["cells"][at(raw, name)]


def answers_in(notebook: NotebookNode) -> dict[str, str]:
    """The answers by question."""
    return {
        c.id.removesuffix("-answer"): c.source for c in notebook.cells if c.id.endswith("-answer")
    }


def assert_ours(notebook: NotebookNode, demo: Assignment) -> None:
    """Whatever is no answer is as it is graded; and nbformat and nbgrader are content."""
    ours = [c for c in notebook.cells if "nbgrader" in c.metadata]
    assert [c.id for c in ours] == [c.id for c in demo.grading.cells]
    for mine, theirs in zip(ours, demo.grading.cells, strict=True):
        assert mine.metadata == theirs.metadata
        assert mine.cell_type == theirs.cell_type
        if not theirs.metadata.nbgrader.solution:
            assert mine.source == theirs.source
    assert notebook.metadata == demo.grading.metadata
    nbformat.validate(notebook)
    assert all(not c.get("outputs") for c in notebook.cells)
    assert all(not c.metadata for c in notebook.cells if "nbgrader" not in c.metadata)


def run_once(raw: Raw) -> None:
    for number, c in enumerate(raw["cells"]):
        if c["cell_type"] == "code":
            c["execution_count"] = 50 - number
            c["outputs"] = [{"output_type": "stream", "name": "stderr", "text": ["warning\n"]}]


def blanks_at_ends(raw: Raw) -> None:
    for c in raw["cells"]:
        lines = "".join(c["source"]).split("\n")
        c["source"] = "\n".join(f"{line}  " for line in lines) + "\n\n"


def crlf(raw: Raw) -> None:
    for c in raw["cells"]:
        c["source"] = "".join(c["source"]).replace("\n", "\r\n")


def lists_of_lines(raw: Raw) -> None:
    for c in raw["cells"]:
        c["source"] = "".join(c["source"]).splitlines(keepends=True)


def jupyterlab(raw: Raw) -> None:
    for c in raw["cells"]:
        c["metadata"] |= {"trusted": True, "collapsed": False, "tags": [], "editable": True}
        c["metadata"]["jupyter"] = {"source_hidden": False}
        c["metadata"]["execution"] = {"iopub.status.busy": "2026-01-01T00:00:00Z"}
    raw["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}


def classic(raw: Raw) -> None:
    for c in raw["cells"]:
        c["metadata"] |= {"ExecuteTime": {"start_time": "2026-01-01"}, "scrolled": True}
    raw["metadata"]["toc"] = {"nav_menu": {}}
    raw["metadata"]["celltoolbar"] = "Create Assignment"


def colab(raw: Raw) -> None:
    raw["nbformat_minor"] = 0
    for number, c in enumerate(raw["cells"]):
        del c["id"]
        c["metadata"] |= {"id": f"aB{number}", "outputId": "x", "colab": {"base_uri": "https://x"}}
    raw["metadata"]["colab"] = {"provenance": []}
    raw["metadata"]["kernelspec"] = {"name": "python3", "display_name": "Python 3"}


def vscode(raw: Raw) -> None:
    for number, c in enumerate(raw["cells"]):
        c["id"] = f"{number:08x}"
        c["metadata"]["vscode"] = {"languageId": "python"}
    raw["metadata"]["kernelspec"] = {
        "display_name": ".venv",
        "language": "python",
        "name": "python3",
    }
    raw["metadata"]["language_info"] = {"name": "python", "version": "3.13.1"}


def no_ids(raw: Raw) -> None:
    raw["nbformat_minor"] = 4
    for c in raw["cells"]:
        del c["id"]


def other_checksums(raw: Raw) -> None:
    for c in raw["cells"]:
        c["metadata"]["nbgrader"]["checksum"] = "0" * 32


def float_points(raw: Raw) -> None:
    cell(raw, "q1-tests")["metadata"]["nbgrader"]["points"] = 1.0


def own_cells(raw: Raw) -> None:
    """A scratch cell, a note and an empty cell after every cell, and before the first."""
    cells = []
    for number, c in enumerate([None, *raw["cells"]]):
        cells += [c] if c else []
        cells.append({"cell_type": "code", "source": f"scratch = {number}", "metadata": {}})
        cells.append({"cell_type": "markdown", "source": "a note", "metadata": {"tags": ["x"]}})
        cells.append({"cell_type": "code", "source": "", "metadata": {}, "outputs": []})
    raw["cells"] = cells


def move(raw: Raw) -> None:
    """What is run is in the order of the release."""
    raw["cells"].insert(2, raw["cells"].pop(at(raw, "q2-hidden")))


def strip(raw: Raw) -> None:
    for c in raw["cells"]:
        c["metadata"] = {}


def strip_all(raw: Raw) -> None:
    strip(raw)
    no_ids(raw)


def strip_one(raw: Raw) -> None:
    del cell(raw, "q2-hidden")["metadata"]["nbgrader"]


HONEST = [
    strip,
    strip_all,
    strip_one,
    move,
    run_once,
    blanks_at_ends,
    crlf,
    lists_of_lines,
    jupyterlab,
    classic,
    colab,
    vscode,
    no_ids,
    other_checksums,
    float_points,
    own_cells,
]


@pytest.mark.parametrize("change", HONEST, ids=lambda f: f.__name__)
def test_an_honest_submission_however_saved_is_restored_without_a_word(demo, change):
    notebook, findings = restore(handed_in(demo, change), demo)
    assert findings == ()
    assert calls(notebook) == ()
    assert_ours(notebook, demo)
    got = {q: source.strip() for q, source in answers_in(notebook).items()}
    want = {q: source.strip() for q, source in course.answers().items()}
    if change is blanks_at_ends:
        got = {q: re.sub(r" +$", "", s, flags=re.MULTILINE) for q, s in got.items()}
    assert got == want


def test_all_editors_after_one_another_leave_an_honest_submission_honest(demo):
    text = handed_in(demo, run_once, jupyterlab, classic, crlf, lists_of_lines, own_cells)
    notebook, findings = restore("\ufeff" + text, demo)
    assert findings == ()
    assert_ours(notebook, demo)


def test_an_untouched_student_copy_is_the_grading_notebook_and_nothing_is_reported(demo):
    notebook, findings = restore(handed_in(demo, given={}), demo)
    assert notebook == demo.grading
    assert findings == ()
    assert calls(notebook) == ()


def test_a_students_own_cells_stay_after_the_cell_they_followed(demo):
    notebook, _ = restore(handed_in(demo, own_cells), demo)
    order = [c.id if "nbgrader" in c.metadata else c.source for c in notebook.cells]
    expected = ["scratch = 0", "a note", ""]
    for number, c in enumerate(demo.grading.cells, 1):
        expected += [c.id, f"scratch = {number}", "a note", ""]
    assert order == expected
    assert len({c.id for c in notebook.cells}) == len(order)


def test_text_beside_an_empty_written_answer_is_the_answer_and_its_pictures_are_kept(demo):
    def beside(raw: Raw) -> None:
        raw["cells"].insert(
            at(raw, "outro"),
            {
                "cell_type": "markdown",
                "metadata": {},
                "source": "See ![proof](attachment:proof.png)",
                "attachments": {"proof.png": {"image/png": "iVBORw0KGgo="}},
            },
        )

    notebook, findings = restore(handed_in(demo, beside, given=course.RIGHT | {"q4": "\n"}), demo)
    answer = next(c for c in notebook.cells if c.id == "q4-answer")
    assert answer.source == "See ![proof](attachment:proof.png)"
    assert answer.attachments == {"proof.png": {"image/png": "iVBORw0KGgo="}}
    assert findings == ()
    assert_ours(notebook, demo)


PROSE = "Addition of numbers commutes, so the order is free."
PLACES = {
    "a code cell below": ("code", PROSE, "outro"),
    "a comment below": ("code", f"# {PROSE}", "outro"),
    "a raw cell below": ("raw", PROSE, "outro"),
    "above the heading": ("markdown", PROSE, "q4"),
    "between heading and answer": ("raw", PROSE, "q4-answer"),
}


@pytest.mark.parametrize("place", PLACES)
def test_prose_near_an_empty_written_answer_is_put_before_a_person(demo, place):
    kind, source, before = PLACES[place]

    def beside(raw: Raw) -> None:
        new = {"cell_type": kind, "metadata": {}, "source": source}
        raw["cells"].insert(at(raw, before), new)

    notebook, _ = restore(handed_in(demo, beside, given=course.RIGHT | {"q4": ""}), demo)
    answer = next(c for c in notebook.cells if c.id == "q4-answer")
    assert answer.source == source
    assert determine_grade(answer) == (None, 3)
    # Who has written an answer has said it there.
    notebook, _ = restore(handed_in(demo, beside), demo)
    assert answers_in(notebook)["q4"] == course.RIGHT["q4"]


def test_prose_in_the_questions_own_cell_is_put_before_a_person(demo):
    def within(raw: Raw) -> None:
        cell(raw, "q4")["source"] += f"\n\n{PROSE}"

    notebook, _ = restore(handed_in(demo, within, given=course.RIGHT | {"q4": ""}), demo)
    assert answers_in(notebook)["q4"] == PROSE


@pytest.mark.parametrize("scratch", ["x = 1", "%matplotlib inline", "draw(ax)\nplt.show()", "# ok"])
def test_code_near_an_empty_written_answer_is_no_prose(demo, scratch):
    def beside(raw: Raw) -> None:
        new = {"cell_type": "code", "metadata": {}, "source": scratch}
        raw["cells"].insert(at(raw, "outro"), new)

    notebook, _ = restore(handed_in(demo, beside, given=course.RIGHT | {"q4": ""}), demo)
    assert determine_grade(next(c for c in notebook.cells if c.id == "q4-answer")) == (0, 3)


@pytest.mark.parametrize("blank", ["", "   \n\n", "YOUR ANSWER HERE", "YOUR ANSWER HERE \r\n"])
def test_a_blank_written_answer_is_what_nbgrader_gives_0(demo, blank):
    notebook, _ = restore(handed_in(demo, given={"q4": blank}), demo)
    assert answers_in(notebook)["q4"] == "YOUR ANSWER HERE"


def put(name: str, key: str, value: str) -> Change:
    return lambda raw: cell(raw, name).update({key: value})


def drop(name: str) -> Change:
    return lambda raw: raw["cells"].remove(cell(raw, name))


def strip_and_edit(raw: Raw) -> None:
    strip_all(raw)
    raw["cells"][4]["source"] = "pass"


def flip(key: str, value: object) -> Change:
    def change(raw: Raw) -> None:
        cell(raw, "q1-hidden")["metadata"]["nbgrader"][key] = value

    return change


def swapped(raw: Raw) -> None:
    one, other = (cell(raw, name)["metadata"]["nbgrader"] for name in ("q1-tests", "q2-tests"))
    one["grade_id"], other["grade_id"] = other["grade_id"], one["grade_id"]


delete_answer = drop("q2-answer")
CHANGED: list[tuple[Change, str, str]] = [
    (put("q1-tests", "source", "pass"), "q1-tests", ", not 'pass'"),
    (put("q1-hidden", "source", "import sys; sys.exit()"), "q1-hidden", "', not 'import sys;"),
    (drop("q1-tests"), "q1-tests", "deleted"),
    (delete_answer, "q2-answer", "deleted: it counts as empty"),
    (strip_and_edit, "q1-tests", "deleted"),
    (flip("points", 0), "q1-hidden", "its points is 3, not 0"),
    (flip("points", None), "q1-hidden", "its points is 3, not None"),
    (flip("solution", True), "q1-hidden", "its solution is False, not True"),
    (flip("grade", False), "q1-hidden", "its grade is True, not False"),
    (flip("locked", False), "q1-hidden", "its locked is True, not False"),
    (flip("cell_type", "raw"), "q1-hidden", "its cell_type is 'code', not 'raw'"),
    (put("q1-tests", "cell_type", "markdown"), "q1-tests", "its type is 'code', not 'markdown'"),
    (put("q4-answer", "cell_type", "code"), "q4-answer", "its type is 'markdown', not 'code'"),
    (flip("grade_id", "elsewhere"), "q1-hidden", "'elsewhere' is not one of this assignment's"),
    (swapped, "q1-tests", "had its grade_id changed"),
]


@pytest.mark.parametrize(("change", "name", "words"), CHANGED)
def test_what_was_changed_is_put_back_and_reported(demo, change, name, words):
    notebook, findings = restore(handed_in(demo, change), demo)
    assert_ours(notebook, demo)
    assert all(found.kind == "restored" and found.flag for found in findings)
    assert [f for f in findings if f.cell == name and words in f.message]
    assert change in (strip_and_edit, swapped) or len({f.cell for f in findings}) == 1
    kept = course.answers()
    if change is delete_answer:
        kept["q2"] = "# YOUR CODE HERE\nraise NotImplementedError()"
    assert answers_in(notebook) == kept


@pytest.mark.parametrize("text", [None, "assert True"])
def test_a_test_that_was_copied_to_be_tried_is_nothing_to_report(demo, text):
    def tried(raw: Raw) -> None:
        again = {**copy.deepcopy(cell(raw, "q1-tests")), "id": "other"}
        again["source"] = text or again["source"]
        raw["cells"].insert(at(raw, "q1-tests"), again)

    notebook, findings = restore(handed_in(demo, tried), demo)
    assert findings == ()
    assert_ours(notebook, demo)


def test_an_answer_in_two_pieces_is_run_in_both_and_nothing_to_report(demo):
    def split(raw: Raw) -> None:
        again = {**copy.deepcopy(cell(raw, "q2-answer")), "id": "pasted"}
        cell(raw, "q2-answer")["source"] = "squares = [k * k for k in range(11)]"
        again["source"] = "answer = sum(squares)"
        raw["cells"].insert(at(raw, "q2-tests"), again)

    notebook, findings = restore(handed_in(demo, split), demo)
    assert findings == ()
    place = [c.id for c in notebook.cells].index("q2-answer")
    sources = [c.source for c in notebook.cells[place : place + 2]]
    assert sources == ["squares = [k * k for k in range(11)]", "answer = sum(squares)"]


def test_of_two_copies_of_an_answer_the_one_with_something_in_it_counts(demo):
    def twice(raw: Raw) -> None:
        again = {**copy.deepcopy(cell(raw, "q2-answer")), "id": "pasted"}
        cell(raw, "q2-answer")["source"] = "# YOUR CODE HERE\nraise NotImplementedError()"
        raw["cells"].insert(at(raw, "q2-tests"), again)

    notebook, findings = restore(handed_in(demo, twice), demo)
    assert answers_in(notebook)["q2"] == course.RIGHT["q2"]
    assert findings == ()
    assert len(notebook.cells) == len(demo.grading.cells)


def test_of_two_answers_the_one_in_its_own_cell_counts_and_the_other_is_kept(demo):
    def twice(raw: Raw) -> None:
        again = {**copy.deepcopy(cell(raw, "q2-answer")), "id": "pasted", "source": "answer = 1"}
        raw["cells"].insert(at(raw, "q2-tests"), again)

    notebook, findings = restore(handed_in(demo, twice), demo)
    assert answers_in(notebook)["q2"] == course.RIGHT["q2"]
    assert [(f.cell, "copy 1 counts" in f.message) for f in findings] == [("q2-answer", True)]
    after = notebook.cells[[c.id for c in notebook.cells].index("q2-answer") + 1]
    assert (after.source, after.metadata) == ("answer = 1", {})


def test_empty_answers_without_metadata_do_not_take_one_anothers_place(tmp_path):
    source = course.source()
    twin = [copy.deepcopy(c) for c in source.cells if c.id.startswith("q2")]
    for c in twin:
        c.id = c.metadata.nbgrader.grade_id = c.id.replace("q2", "q5")
        c.source = c.source.replace("Question 2", "Question 5").replace("answer", "result")
        if "dtviz" in c.metadata:
            c.metadata.dtviz |= {"question": "5", "asks": ["result"]}
    source.cells[-1:-1] = twin
    path = course.write_course(tmp_path) / "source" / "demo" / "demo.ipynb"
    path.write_text(course.text(source), encoding="utf-8")
    demo = load("demo", tmp_path)
    notebook, findings = restore(handed_in(demo, strip_all, given={"q2": "answer = 385"}), demo)
    assert answers_in(notebook)["q2"] == "answer = 385"
    assert answers_in(notebook)["q5"].endswith("raise NotImplementedError()")
    assert findings == ()


def test_of_a_long_line_is_reported_where_it_differs(demo):
    def edit(raw: Raw) -> None:
        test = cell(raw, "q1-tests")
        test["source"] = "".join(test["source"]).replace("3 is 2", "3 is not 2")

    _, (finding,) = restore(handed_in(demo, edit), demo)
    assert "... mean of 1, 2, 3 is 2" in finding.message
    assert "... mean of 1, 2, 3 is not 2" in finding.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("%PDF-1.4", "not JSON"),
        ("[1, 2]", "not a notebook"),
        ("{}", "not a notebook"),
        ('{"nbformat": "4"}', "not a notebook"),
        ('{"nbformat": 5, "cells": []}', "nbformat is 5"),
        ('{"nbformat": 4}', "no list of cells"),
        ('{"nbformat": 4, "cells": [1]}', "cell 0"),
        ('{"nbformat": 4, "cells": [{"cell_type": "video"}]}', "'video'"),
        ('{"nbformat": 4, "cells": [{"cell_type": "code", "source": 7}]}', "cell 0 is not text"),
        ('{"nbformat": 4, "cells": ' + "[" * 100_000, "nested too deeply"),
        ('{"nbformat": 2, "worksheets": 7}', "nbformat 2 cannot be upgraded"),
        (
            '{"nbformat": 4, "cells": ['
            + ",".join(['{"cell_type": "raw"}'] * (MAX_CELLS + 1))
            + "]}",
            "cells, more than",
        ),
    ],
    ids=lambda value: value[:30] if " more" not in value else "many",
)
def test_what_is_no_notebook_is_unreadable_and_the_reason_is_reported(demo, text, words):
    with pytest.raises(Unreadable, match=words):
        restore(text, demo)


@pytest.mark.filterwarnings("ignore")
def test_a_notebook_of_format_3_is_upgraded(demo):
    raw = json.loads(handed_in(demo))
    old = nbformat.convert(nbformat.from_dict(raw), 3)
    notebook, _ = restore(json.dumps(old), demo)
    assert_ours(notebook, demo)
    assert answers_in(notebook) == course.answers()


def test_half_a_surrogate_pair_and_a_million_characters_do_no_harm(demo):
    given = course.answers(q1="x = '\ud800'\n" + "y = 1\n" * 170_000)
    start = time.process_time()
    notebook, findings = restore(handed_in(demo, given=given), demo)
    assert time.process_time() - start < 10
    assert findings == ()
    assert len(answers_in(notebook)["q1"]) > 1_000_000
    json.dumps(notebook, ensure_ascii=False).encode("utf-8")


JUNK = [
    None,
    True,
    -1.5,
    float("inf"),
    10**30,
    "",
    "\ud800",
    "q1-answer",
    "q2-tests",
    "markdown",
    [],
    {},
    ["a", 1],
    {"a": []},
    [[[]]],
    {"nbgrader": {"grade_id": "q1-tests"}},
]


def mutated(raw: Raw, rng: random.Random) -> None:
    """Replace, delete, repeat or shuffle something, anywhere in a notebook."""
    node: Any = raw["cells"] if rng.random() < 0.9 else raw
    while node:
        key = rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
        if not isinstance(node[key], dict | list) or rng.random() < 0.2:
            break
        node = node[key]
    if not node:
        return
    what = rng.choice(["replace", "delete", "repeat", "shuffle"])
    if what == "delete":
        del node[key]
    elif what == "replace" or isinstance(node, dict):
        node[key] = copy.deepcopy(rng.choice(JUNK))
    elif what == "repeat":
        node.insert(rng.randrange(len(node)), copy.deepcopy(node[key]))
    else:
        rng.shuffle(node)


def test_whatever_is_in_the_json_it_is_unreadable_or_made_whole(demo):
    text = handed_in(demo)
    read = flagged = 0
    for seed in range(400):
        rng = random.Random(seed)  # noqa: S311 -- no secret, a fault to be found again
        raw = json.loads(text)
        for _ in range(rng.randrange(1, 6)):
            if isinstance(raw.get("cells"), list):
                mutated(raw, rng)
        try:
            notebook, findings = restore(json.dumps(raw), demo)
        except Unreadable:
            continue
        assert_ours(notebook, demo)
        result = findings + calls(notebook)
        json.dumps([notebook, *map(asdict, result)], ensure_ascii=False).encode("utf-8")
        read += 1
        flagged += bool(result)
    assert read > 100
    assert flagged > 50


def listed(demo: Assignment, code: str, *, own: bool = False) -> list[tuple[str, str]]:
    """What is listed of an answer to question 1, or of a cell of the student's own."""
    given = course.answers() if own else course.answers(q1=code)

    def scratch(raw: Raw) -> None:
        if own:
            new = {"cell_type": "code", "metadata": {}, "source": code}
            raw["cells"].insert(at(raw, "q1-answer"), new)

    notebook, findings = restore(handed_in(demo, scratch, given=given), demo)
    assert findings == ()
    return [(f.cell, f.message) for f in calls(notebook)]


FORBIDDEN = {
    "dt.measures.mean": 1,
    "import dtviz\ndtviz.core.boolean.measures.mean": 2,
    "import dtviz.core.boolean.measures as m\nm.mean": 2,
    "from dtviz import core as c\nf = c.boolean.measures.mean": 2,
    "from dtviz.core.boolean.measures import mean as m": 1,
    "%load_ext autoreload\n\ngetattr(dt, 'mean')": 3,
    "!ls\nx = dt.measures.mean": 2,
    "def average(values):\n    return dt.measures.mean(values)": 2,
}


@pytest.mark.parametrize(("code", "line"), FORBIDDEN.items())
def test_a_call_that_the_question_asks_not_to_make_is_shown_with_its_line(demo, code, line):
    said = [("q1-answer", f"line {line}: the question says not to call mean")]
    assert listed(demo, code) == said


PERMITTED = [
    "import numpy as np\nnp.mean([1])",
    "values.mean()",
    "mean = 3",
    "dt.measures.variance",
    "print('dt.measures.mean')",
    "(" * 5000 + ")" * 5000,
    "x\0y",
    "-" * 90_000 + "1",
    "no python at all",
]


@pytest.mark.parametrize("code", PERMITTED, ids=range(len(PERMITTED)))
def test_other_code_is_not(demo, code):
    assert listed(demo, code) == []


def test_who_compares_in_a_cell_of_their_own_is_not_reported_of_but_a_function_there_is(demo):
    assert listed(demo, "print(dt.measures.mean(f))", own=True) == []
    (found,) = listed(demo, "def helper(f):\n    return dt.measures.mean(f)", own=True)
    assert found[0] == "own-1"


def test_many_calls_of_a_cell_are_listed_in_part(demo):
    assert len(listed(demo, "dt.measures.mean\n" * 100)) == MAX_SHOWN
