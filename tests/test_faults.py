"""The list of planted faults, `tests/planted.toml`, stays true of the code: `make planted` uses it.

Whoever changes a line that is planted changes its entry; one is deleted only with a reason.
"""

from __future__ import annotations

import ast

import pytest
from support.node import ROOT

from tools.faults import FAULTS, Fault, changes_of, read_faults
from tools.line_map import lines_run

KEPT = ROOT / "tests/keep.txt"
LIST = read_faults(FAULTS)
TEXTS = {fault.file: (ROOT / fault.file).read_text("utf-8") for fault in LIST}


def test_what_a_fault_replaces_stands_once_in_its_file() -> None:
    wrong = [f for f in LIST if TEXTS[f.file].count(f.old) != 1 or f.old == f.new or not f.breaks]
    assert wrong == [], "Change these entries of tests/planted.toml, too"


def test_what_is_kept_exists() -> None:
    names = [line.strip() for line in KEPT.read_text("utf-8").splitlines() if line.startswith(" ")]
    assert [name for name in names if not any(ROOT.glob(name))] == []


def test_no_fault_is_listed_twice() -> None:
    seen = [(f.file, f.old, f.new, f.test) for f in LIST]
    assert sorted({one for one in seen if seen.count(one) > 1}) == []


def test_a_fault_is_code_and_its_test_exists() -> None:
    for fault in LIST:
        if fault.file.endswith(".py"):
            ast.parse(TEXTS[fault.file].replace(fault.old, fault.new))
        if fault.test:
            file, _, name = fault.test.partition("::")
            text = (ROOT / file).read_text("utf-8")
            assert f"def {name.partition('[')[0].split('::')[-1]}(" in text, fault


@pytest.mark.parametrize(
    ("text", "script", "found"),
    [
        ("x = a + 1  # a + 1\n", False, {"x = a - 1", "x = a + 2"}),
        ("def f(*a: int | None): ...\n", False, set()),
        ('if (a < "<") b(-1); // <\n', True, {'if (a <= "<") b(-1);', 'if (a < "<") b(-2);'}),
    ],
)
def test_one_token_is_changed(text: str, found: set[str], *, script: bool) -> None:
    made = changes_of(text, {1}, script=script)
    assert {new.partition("  #")[0].partition(" //")[0] for _, new, _ in made} == found


def test_the_lines_that_differ_are_those_that_a_fault_changes() -> None:
    file = "dtviz/chapters.py"
    lines = (ROOT / file).read_text("utf-8").split("\n")[:5]
    other = "\n".join([*lines[:3], "x", *lines[4:]])
    assert list(Fault(file, "\n".join(lines), other, "a line").lines()) == [4]


def test_lines_of_a_script_are_those_that_were_run() -> None:
    text = "run();\nif (no) {\n  stay();\n}\n"
    whole, block = (0, len(text), 1), (text.index("{") + 1, text.index("}"), 0)
    ranges = [
        dict(zip(("startOffset", "endOffset", "count"), r, strict=True)) for r in (whole, block)
    ]
    assert lines_run(text, {"functions": [{"ranges": ranges}]}) == {1, 2, 4}
