"""Submissions put back into shape, and code that may cheat: told when it is so, and only then."""

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
from nbformat.v4 import new_code_cell
from support import course

from homework.assignments import Assignment, load, names
from homework.findings import Finding
from homework.restore import MAX_CELLS, MAX_CHARACTERS, Unreadable, restore
from homework.suspicion import MAX_SCANNED, MAX_TOLD, suspicions

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


# -- honest submissions ----------------------------------------------------------------------------


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


def byte_order_mark(raw: Raw) -> None:
    raw["metadata"]["title"] = "\ufeff"


HONEST = [
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
    byte_order_mark,
]


@pytest.mark.parametrize("change", HONEST, ids=lambda f: f.__name__)
def test_an_honest_submission_however_saved_is_restored_without_a_word(demo, change):
    notebook, findings = restore(handed_in(demo, change), demo)
    assert findings == ()
    assert suspicions(notebook, demo) == ()
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


def test_an_untouched_student_copy_is_the_grading_notebook_and_nothing_is_told(demo):
    notebook, findings = restore(handed_in(demo, given={}), demo)
    assert notebook == demo.grading
    assert findings == ()
    assert suspicions(notebook, demo) == ()


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


@pytest.mark.parametrize("blank", ["", "   \n\n", "YOUR ANSWER HERE", "YOUR ANSWER HERE \r\n"])
def test_a_blank_written_answer_is_what_nbgrader_gives_0(demo, blank):
    notebook, _ = restore(handed_in(demo, given={"q4": blank}), demo)
    assert answers_in(notebook)["q4"] == "YOUR ANSWER HERE"


# -- what was changed ------------------------------------------------------------------------------


def edit(raw: Raw) -> None:
    cell(raw, "q1-tests")["source"] = "pass"


def edit_hidden(raw: Raw) -> None:
    cell(raw, "q1-hidden")["source"] = "import sys; sys.exit()"


def delete(raw: Raw) -> None:
    del raw["cells"][at(raw, "q1-tests")]


def delete_answer(raw: Raw) -> None:
    del raw["cells"][at(raw, "q2-answer")]


def duplicate(raw: Raw) -> None:
    raw["cells"].append({**copy.deepcopy(cell(raw, "q1-tests")), "id": "other"})


def move(raw: Raw) -> None:
    raw["cells"].insert(2, raw["cells"].pop(at(raw, "q2-hidden")))


def strip(raw: Raw) -> None:
    for c in raw["cells"]:
        c["metadata"] = {}


def strip_all(raw: Raw) -> None:
    strip(raw)
    no_ids(raw)


def strip_one(raw: Raw) -> None:
    del cell(raw, "q2-hidden")["metadata"]["nbgrader"]


def flip(key: str, value: object) -> Change:
    def change(raw: Raw) -> None:
        cell(raw, "q1-hidden")["metadata"]["nbgrader"][key] = value

    return change


def type_of_tests(raw: Raw) -> None:
    cell(raw, "q1-tests")["cell_type"] = "markdown"


def type_of_answer(raw: Raw) -> None:
    cell(raw, "q4-answer")["cell_type"] = "code"


def unknown(raw: Raw) -> None:
    cell(raw, "q1-tests")["metadata"]["nbgrader"]["grade_id"] = "elsewhere"


def swapped(raw: Raw) -> None:
    one, other = (cell(raw, name)["metadata"]["nbgrader"] for name in ("q1-tests", "q2-tests"))
    one["grade_id"], other["grade_id"] = other["grade_id"], one["grade_id"]


def language(raw: Raw) -> None:
    raw["metadata"]["kernelspec"] = {"display_name": "Bash", "language": "bash", "name": "bash"}


CHANGED: list[tuple[Change, str, str]] = [
    (edit, "q1-tests", ", not 'pass'"),
    (edit_hidden, "q1-hidden", "', not 'import sys;"),
    (delete, "q1-tests", "deleted"),
    (delete_answer, "q2-answer", "deleted: it counts as empty"),
    (duplicate, "q1-tests", "stood 2 times"),
    (move, "q2-hidden", "moved"),
    (strip, "", "metadata was missing: intro, setup, q1,"),
    (strip_all, "", "metadata was missing: intro, setup, q1,"),
    (strip_one, "q2-hidden", "metadata was missing: q2-hidden"),
    (flip("points", 0), "q1-hidden", "its points is 3, not 0"),
    (flip("points", None), "q1-hidden", "its points is 3, not None"),
    (flip("solution", True), "q1-hidden", "its solution is False, not True"),
    (flip("grade", False), "q1-hidden", "its grade is True, not False"),
    (flip("locked", False), "q1-hidden", "its locked is True, not False"),
    (flip("cell_type", "raw"), "q1-hidden", "its cell_type is 'code', not 'raw'"),
    (type_of_tests, "q1-tests", "its type is 'code', not 'markdown'"),
    (type_of_answer, "q4-answer", "its type is 'markdown', not 'code'"),
    (unknown, "q1-tests", "'elsewhere' is none of this assignment's"),
    (swapped, "q1-tests", "had its grade_id changed"),
    (language, "", "kernelspec.language is 'python', not 'bash'"),
]


@pytest.mark.parametrize(("change", "name", "words"), CHANGED)
def test_what_was_changed_is_put_back_and_told(demo, change, name, words):
    notebook, findings = restore(handed_in(demo, change), demo)
    assert_ours(notebook, demo)
    assert all(found.kind == "restored" and found.flag for found in findings)
    assert [f for f in findings if f.cell == name and words in f.message]
    kept = course.answers()
    if change is delete_answer:
        kept["q2"] = "# YOUR CODE HERE\nraise NotImplementedError()"
    assert answers_in(notebook) == kept


@pytest.mark.parametrize("change", [edit, delete, move, strip_one, type_of_tests, unknown])
def test_a_change_is_told_once_and_of_no_other_cell(demo, change):
    _, findings = restore(handed_in(demo, change), demo)
    assert len({f.cell for f in findings}) == 1


def test_of_two_copies_of_an_answer_the_one_with_something_in_it_counts(demo):
    def twice(raw: Raw) -> None:
        again = {**copy.deepcopy(cell(raw, "q2-answer")), "id": "pasted"}
        cell(raw, "q2-answer")["source"] = "# YOUR CODE HERE\nraise NotImplementedError()"
        raw["cells"].insert(at(raw, "q2-tests"), again)

    notebook, findings = restore(handed_in(demo, twice), demo)
    assert answers_in(notebook)["q2"] == course.RIGHT["q2"]
    assert [(f.cell, "copy 2 counts" in f.message) for f in findings] == [("q2-answer", True)]
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
    assert len(findings) == 1


def test_an_edited_test_without_metadata_is_not_run_as_the_students_own(demo):
    def disguised(raw: Raw) -> None:
        cell(raw, "q1-tests")["source"] = "".join(cell(raw, "q1-tests")["source"]) + "\nx = 1"
        strip_all(raw)

    notebook, findings = restore(handed_in(demo, disguised), demo)
    assert_ours(notebook, demo)
    assert len(notebook.cells) == len(demo.grading.cells)
    assert [f.cell for f in findings if "edited" in f.message] == ["q1-tests"]


@pytest.mark.parametrize(
    "line", [course.HIDDEN_LINE, "### BEGIN HIDDEN TESTS", "# END SOLUTION", "### BEGIN SOLUTION"]
)
def test_a_hidden_test_in_a_submission_is_told(demo, line):
    given = course.answers(q1=course.RIGHT["q1"] + line)
    _, findings = restore(handed_in(demo, given=given), demo)
    assert [(f.kind, f.cell) for f in findings] == [("suspicious", "q1-answer")]
    assert line not in findings[0].message


# -- what is no notebook ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("%PDF-1.4", "not JSON"),
        ("[1, 2]", "no notebook"),
        ("{}", "no notebook"),
        ('{"nbformat": "4"}', "no notebook"),
        ('{"nbformat": 5, "cells": []}', "nbformat is 5"),
        ('{"nbformat": 4}', "no list of cells"),
        ('{"nbformat": 4, "cells": [1]}', "cell 0"),
        ('{"nbformat": 4, "cells": [{"cell_type": "video"}]}', "'video'"),
        ('{"nbformat": 4, "cells": [{"cell_type": "code", "source": 7}]}', "cell 0 is no text"),
        ('{"nbformat": 4, "cells": ' + "[" * 100_000, "nested too deeply"),
        ('{"nbformat": 2, "worksheets": 7}', "nbformat 2 cannot be upgraded"),
        (" " * (MAX_CHARACTERS + 1), "more than 20 million"),
        (
            '{"nbformat": 4, "cells": ['
            + ",".join(['{"cell_type": "raw"}'] * (MAX_CELLS + 1))
            + "]}",
            "cells, more than",
        ),
    ],
    ids=lambda value: value[:30] if " more" not in value else "many",
)
def test_what_is_no_notebook_is_unreadable_and_the_reason_is_told(demo, text, words):
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
    told = suspicions(notebook, demo)
    assert time.process_time() - start < 10
    assert findings == ()
    assert len(answers_in(notebook)["q1"]) > 1_000_000 > MAX_SCANNED
    assert [f.cell for f in told] == ["q1-answer"]
    assert "not read" in told[0].message
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
        told = findings + suspicions(notebook, demo)
        json.dumps([notebook, *map(asdict, told)], ensure_ascii=False).encode("utf-8")
        read += 1
        flagged += bool(told)
    assert read > 100
    assert flagged > 50


# -- code that may cheat ---------------------------------------------------------------------------


def told_of(demo: Assignment, code: str, *, own: bool = False) -> tuple[Finding, ...]:
    """What is told of an answer to question 1, or of a cell of the student's own."""
    given = course.answers() if own else course.answers(q1=code)

    def scratch(raw: Raw) -> None:
        if own:
            new = {"cell_type": "code", "metadata": {}, "source": code}
            raw["cells"].insert(at(raw, "q1-answer"), new)

    notebook, findings = restore(handed_in(demo, scratch, given=given), demo)
    assert not [f for f in findings if f.kind == "restored"]
    return suspicions(notebook, demo)


CHEATS = {
    "np.allclose = lambda *a, **k: True": "assigns to numpy.allclose",
    "import numpy\nnumpy.testing.assert_equal = print": "assigns to numpy.testing.assert_equal",
    "setattr(np, 'allclose', print)": "sets an attribute of numpy",
    "object.__setattr__(dt, 'mean', print)": "sets an attribute of dtviz",
    "np.__setattr__('allclose', print)": "sets an attribute of numpy",
    "from functools import partial\npartial(setattr, np)('allclose', print)": "uses setattr",
    "other = np\nother.allclose = print": "assigns to numpy.allclose",
    "T = dt.Tree\nT.size = 1": "assigns to dtviz.Tree.size",
    "import random\nrandom._os.getcwd()": "uses random._os",
    "import warnings\nwarnings.sys.modules['numpy'] = None": "uses warnings.sys",
    "np.__dict__['allclose'] = print": "numpy.__dict__",
    "vars(np)['allclose'] = print": "vars of numpy",
    "np.__dict__.update(allclose=print)": "uses numpy.__dict__",
    "getattr(np, '__dict__')": "uses numpy.__dict__",
    "getattr(dt.rank, 'sys')": "uses dtviz.rank.sys",
    "dt.mean = print": "assigns to dtviz.mean",
    "for np.allclose in [print]: pass": "assigns to numpy.allclose",
    "with open('x') as np.allclose: pass": "assigns to numpy.allclose",
    "del np.allclose": "assigns to numpy.allclose",
    "from numpy import testing as t\nt.assert_equal = print": "assigns to numpy.testing",
    "from unittest import mock\nmock.patch('numpy.allclose')": "imports unittest.mock",
    "from unittest.mock import ANY": "imports unittest.mock",
    "import unittest.mock": "imports unittest.mock",
    "import sys\nsys.modules['numpy'] = None": "uses sys.modules",
    "from sys import modules": "imports sys.modules",
    "import sys\ngetattr(sys, 'mod' + 'ules')": "computed name",
    "import sys\ngetattr(sys, '_getframe')(1)": "uses sys._getframe",
    "import sys\nsys.settrace(None)": "uses sys.settrace",
    "import sys\nsys.stdout = None": "assigns to sys.stdout",
    "class A:\n    def __eq__(self, o): return True": "class A defines __eq__",
    "class A(float):\n    __ne__ = lambda s, o: False": "class A defines __ne__",
    "class A:\n    def __array__(self): return 1": "defines __array__",
    "class A:\n    def __array_ufunc__(self, *a): return True": "defines __array_ufunc__",
    "class A:\n    __class__ = float": "defines __class__",
    "class A(type):\n    def __instancecheck__(c, o): return True": "defines __instancecheck__",
    "A = type('A', (), {'__eq__': lambda s, o: True})": "names __eq__ in a string",
    "class A: pass\nA.__float__ = lambda s: 1.0": "assigns to __float__",
    "get_ipython().ast_transformers.append(1)": "ast_transformers",
    "In[-1]": "uses In",
    "print(_ih)": "uses _ih",
    "import inspect": "imports inspect",
    "from linecache import getlines": "imports linecache",
    "import gc\ngc.get_objects()": "imports gc",
    "import ctypes": "imports ctypes",
    "import builtins\nbuiltins.isinstance = print": "imports builtins",
    "__builtins__.abs = print": "uses __builtins__",
    "exec('x = 1')": "uses exec",
    "e = eval": "uses eval",
    "compile('1', '', 'eval')": "uses compile",
    "__import__('os')": "uses __import__",
    "import importlib": "imports importlib",
    "import os.path as p": "imports os",
    "from os import environ": "imports os",
    "import subprocess, socket": "imports subprocess",
    "import threading": "imports threading",
    "import multiprocessing.pool": "imports multiprocessing",
    "import signal": "imports signal",
    "open('/etc/passwd')": "uses open",
    "from pathlib import Path\nPath('x').read_text()": "read_text",
    "from pathlib import Path\nPath('x').open()": "opens a file",
    "np.load('x')": "uses numpy.load",
    "import io\nio.open('x')": "uses io.open",
    "globals()['_check'] = print": "may write into globals()",
    "globals().update(x=1)": "may write into globals()",
    "g = globals()\ng['x'] = 1": "may write into globals()",
    "vars()['x'] = 1": "writes into vars()",
    "locals().update(x=1)": "writes into locals()",
    "abs = print": "rebinds the built-in name abs",
    "def isinstance(x, y): return True": "rebinds the built-in name isinstance",
    "AssertionError = ValueError": "rebinds the built-in name AssertionError",
    "def f():\n    global float\n    float = int": "rebinds the built-in name float",
    "from math import fsum as sum": "rebinds the built-in name sum",
    "import dtviz.core.measures": "imports dtviz.core",
    "from dtviz import core": "imports dtviz.core",
    "from dtviz.core.measures import mean": "imports dtviz.core",
    "dt.core.measures.mean([1])": "uses dtviz.core",
    "import nbgrader": "imports nbgrader",
    "from homework import leaks": "imports homework",
    "!ls /": "runs the shell command 'ls /'",
    "files = !ls": "runs the shell command 'ls'",
    "%%bash\nls": "runs the magic bash",
    "%run x.py": "runs the magic run",
    "%time np.allclose = print": "assigns to numpy.allclose",
    "%%time\nnp.allclose = print": "assigns to numpy.allclose",
    "def f():\n    try:\n        1 / 0\n    except Exception as e:\n"
    "        return e.__traceback__.tb_frame": "tb_frame",
    "print.__globals__": "__globals__",
    "getattr(print, '__globals__')": "__globals__",
    "().__class__.__base__.__subclasses__()": "__subclasses__",
    "import IPython": "imports IPython",
}


@pytest.mark.parametrize(("code", "words"), CHEATS.items())
def test_code_that_may_cheat_is_told_with_its_line(demo, code, words):
    line = "x = 0\n" if not code.startswith("%%") else ""
    for own in (False, True):
        told = told_of(demo, line + code, own=own)
        assert [f for f in told if words in f.message and re.search(r"line \d", f.message)]
        assert {(f.kind, f.cell) for f in told} == {("suspicious", "" if own else "q1-answer")}


def test_the_line_told_is_the_line_it_stands_in(demo):
    (told,) = told_of(demo, "x = 1\n\nnp.allclose = print\n")
    assert told.message == "line 3: assigns to numpy.allclose"


LIBRARY = {
    "average = dt.mean": "dtviz.mean",
    "def average(v): return dt.mean(v)": "dtviz.mean",
    "from dtviz import mean as average": "dtviz.mean",
    "from dtviz import *\ndef average(v): return mean(v)": "dtviz.mean",
    "average = getattr(dt, 'mean')": "dtviz.mean",
    "import dtviz\ndef average(v): return dtviz.mean(v)": "dtviz.mean",
}


@pytest.mark.parametrize(("code", "words"), LIBRARY.items())
def test_the_librarys_own_function_in_an_answer_is_told(demo, code, words):
    assert any(words in f.message for f in told_of(demo, code))


def test_to_compare_with_the_library_in_a_cell_of_ones_own_is_honest(demo):
    code = "expected = dt.mean([1, 2])\nassert abs(expected - 1.5) < 1e-9\nprint(dt.mean([3]))"
    assert told_of(demo, code, own=True) == ()


@pytest.mark.parametrize(
    "helper",
    [
        "from dtviz import mean as helper",
        "helper = dt.mean",
        "helper = lambda v: dt.mean(v)",
        "def helper(v): return dt.mean(v)",
        "def inner(v): return dt.mean(v)\nhelper = inner",
    ],
)
def test_the_librarys_function_taken_into_an_answer_through_another_cell_is_told(demo, helper):
    def scratch(raw: Raw) -> None:
        new = {"cell_type": "code", "metadata": {}, "source": helper}
        raw["cells"].insert(at(raw, "q1-answer"), new)

    given = course.answers(q1="def average(values): return helper(values)")
    notebook, _ = restore(handed_in(demo, scratch, given=given), demo)
    told = suspicions(notebook, demo)
    assert [f for f in told if f.cell == "q1-answer" and "helper" in f.message]


def snippets(text: str) -> list[str]:
    """The cells of a text, between its lines ``# %%``."""
    return re.split(r"\n# %%\n", text.strip("\n"))


ORDINARY = snippets(
    """
rng = np.random.default_rng(0)
x = rng.integers(0, 2, size=(10, 3))
print(x.mean(axis=0))
# %%
squares = [k * k for k in range(10) if k % 2]
print({k: v for k, v in enumerate(squares)})
# %%
class Node:
    def __init__(self, left, right):
        self.left = left
        self.right = right
    def __repr__(self):
        return f'Node({self.left})'
    def __len__(self):
        return 2
    def __hash__(self):
        return 1
node = Node(1, 2)
node.left = 3
# %%
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
ax.plot([1, 2])
ax.set_title('x')
ax.xaxis.label = None
plt.rcParams['figure.dpi'] = 100
fig.savefig('x.png')
plt.show()
# %%
def size(tree):
    return 1 if tree is None else size(tree[0]) + size(tree[1])
# %%
import functools
@functools.cache
def f(n):
    return n if n < 2 else f(n - 1) + f(n - 2)
# %%
from functools import lru_cache, reduce
import itertools as it
pairs = list(it.product([0, 1], repeat=2))
# %%
import warnings
warnings.warn('x')
warnings.filterwarnings('ignore')
print('done')
# %%
import sys
sys.setrecursionlimit(5000)
print('to the log', file=sys.stderr)
# %%
import re
pattern = re.compile('a')
import copy
y = copy.deepcopy([1])
# %%
import math, time, random, collections, fractions, dataclasses, typing, heapq, bisect
start = time.process_time()
random.seed(0)
# %%
def total(values):
    sum = 0
    max = -1
    for value in values:
        sum += value
        max = value
    return sum, max
# %%
from dataclasses import dataclass
@dataclass(frozen=True)
class Leaf:
    value: int = 0
    def grow(self):
        object.__setattr__(self, 'value', 1)
# %%
def calls():
    calls.count += 1
calls.count = 0
# %%
print([sum for sum in range(3)])
id = 3
input = [1, 2]
# %%
from dtviz.functions import majority
f = dt.functions.parity(3)
print(dt.plot)
# %%
for name in ('parity', 'majority'):
    f = getattr(dt.functions, name)(3)
# %%
from IPython.display import display, HTML
display(HTML('<b>x</b>'))
# %%
%matplotlib inline
import matplotlib.pyplot as plt
# %%
%timeit np.ones(3).sum()
# %%
%%time
x = np.ones(3)
# %%
%timeit -n 10 -r 3 sum(range(10))
# %%
np.mean?
# %%
x = 7
y = (x
     % 4)
# %%
print('np' in globals(), len(locals()))
for name in list(globals()):
    pass
# %%
def f(:
    pass
# %%
    unexpected indent
# %%
np.allclose = = 3
# %%
'open the file', "exec", '%run'
# %%
model = None
def evaluate(model):
    return model.eval()
# %%
import numpy.linalg as la
la.norm([1])
A = np.zeros((2, 2))
A[0, 0] = 1
A.T[1] = 2
A.shape = 4,
# %%
from scipy import stats
import pandas as pd
import sklearn.tree
# %%
import traceback
try:
    1 / 0
except ZeroDivisionError as error:
    traceback.print_exc()
# %%
print(type(node).__name__ if 'node' in dir() else (3).__class__.__name__)
# %%
x = [1, 2, 3]
x.clear()
d = dict(a=1)
d.update(b=2)
d.pop('a')
# %%
match [1, 2]:
    case [first, *rest]:
        print(first)
# %%
if __name__ == '__main__':
    print(_)
# %%
lambda self, In: In
"""
)


@pytest.mark.parametrize("code", ORDINARY)
def test_ordinary_code_is_no_suspicion(demo, code):
    for own in (False, True):
        assert told_of(demo, code, own=own) == ()


@pytest.mark.parametrize("code", ["%" * 5000, "!" + "x" * 5000])
def test_a_long_command_is_told_in_part(demo, code):
    (told,) = told_of(demo, code)
    assert "runs the" in told.message
    assert len(told.message) < 120


def test_many_findings_of_a_cell_are_told_in_part(demo):
    told = told_of(demo, "np.allclose = print\n" * 100)
    assert len(told) == MAX_TOLD + 1
    assert told[-1].message == f"and {100 - MAX_TOLD} more"


@pytest.mark.parametrize("code", ["(" * 5000 + ")" * 5000, "x\0y"])
def test_code_that_no_python_can_take_is_no_suspicion(demo, code):
    assert told_of(demo, code) == ()


@pytest.mark.parametrize("code", ["-" * 90_000 + "1", "+".join("1" * 40_000)])
def test_code_that_only_another_python_can_take_is_told(demo, code):
    (told,) = told_of(demo, code)
    assert told.message == "the code is nested too deeply: the cell was not read"


@pytest.mark.parametrize("code", ["x = 1\n" * 5_000, "x = !ls\n" * 40, "%ls\n" * 10_000 + "x = "])
def test_a_submission_full_of_code_takes_no_long_time_to_read(demo, code):
    def fill(raw: Raw) -> None:
        own = {"cell_type": "code", "metadata": {}, "source": code}
        raw["cells"] += [dict(own) for _ in range(200)]

    notebook, _ = restore(handed_in(demo, fill), demo)
    start = time.process_time()
    told = suspicions(notebook, demo)
    assert time.process_time() - start < 20
    assert any("not read" in f.message for f in told)


def test_tests_of_our_own_are_not_read(demo):
    assert "import Figure as _Figure" in str(demo.grading)
    demo = copy.deepcopy(demo)
    notebook, _ = restore(handed_in(demo), demo)
    for c in notebook.cells:
        if c.id == "q1-hidden":
            c.source += "\nimport os\nnp.allclose = print"
    assert suspicions(notebook, demo) == ()


# -- the book's own assignments --------------------------------------------------------------------


@pytest.fixture(scope="module")
def ours() -> list[Assignment]:
    return [load(name) for name in names()]


def variants(name: str) -> list[tuple[str, str]]:
    """Wrong answers and honest variants by question: none of them cheats."""
    text = (WRONG / f"{name}.py").read_text(encoding="utf-8")
    parts = re.split(r"^# %% (q\d+)(?: right)?: .+$", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("name", names())
def test_the_reference_solutions_and_honest_variants_are_no_suspicion(name):
    assignment = load(name)
    right = {
        c.id: re.sub(r"### (BEGIN|END) SOLUTION", "#", c.source)
        for c in assignment.source.cells
        if c.metadata.nbgrader.solution
    }
    answers: dict[str, list[str]] = {}
    for question, code in variants(name):
        answers.setdefault(f"{question}-answer", []).append(code)
    assert min(map(len, answers.values())) >= 6
    rounds = max(map(len, answers.values()))
    submissions = [{}, right]
    submissions += [right | {q: a[i % len(a)] for q, a in answers.items()} for i in range(rounds)]
    for given in submissions:
        notebook, findings = restore(course.submission(assignment, given), assignment)
        assert findings == ()
        assert suspicions(notebook, assignment) == ()


@pytest.mark.parametrize("path", sorted(BOOK.glob("*.ipynb")), ids=lambda path: path.stem)
def test_code_of_the_book_itself_is_no_suspicion(path, ours):
    """Students take code from the chapters."""
    code = [c for c in nbformat.read(path, 4).cells if c.cell_type == "code"]
    assert code
    for assignment in ours:
        notebook = copy.deepcopy(assignment.grading)
        notebook.cells[2:2] = [new_code_cell(c.source) for c in code]
        assert suspicions(notebook, assignment) == ()


@pytest.mark.parametrize("name", names())
def test_the_librarys_own_functions_are_told_in_every_assignment(name):
    assignment = load(name)
    assert any(q.without for q in assignment.questions)
    given = {
        q.answer: "\n".join(
            ["import dtviz as dt", *(f"dt.{function}(1)" for function in q.without)]
        )
        for q in assignment.questions
        if not q.written
    }
    notebook, _ = restore(course.submission(assignment, given), assignment)
    assert [(f.cell, f.message) for f in suspicions(notebook, assignment)] == [
        (q.answer, f"line {line}: uses dtviz.{function}, not at hand here")
        for q in assignment.questions
        for line, function in enumerate(q.without, 2)
    ]
