"""No part of the project grows: `tools/size.py` has the table."""

from __future__ import annotations

import subprocess

import pytest

from tools.size import GENERATED, PARTS, ROOT, SUFFIXES, count_lines, part_of


def test_no_part_grows():
    lines = count_lines()
    grown = [
        f"{p.name}: {lines[p.name]} lines of {p.most}" for p in PARTS if lines[p.name] > p.most
    ]
    assert grown == []


def test_all_code_is_of_some_part():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True)
    code = [path for path in listed.stdout.decode().splitlines() if path.endswith(SUFFIXES)]
    assert [path for path in code if part_of(path) is None and GENERATED[:-1] not in path] == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("dtviz/core/tree.py", "algorithms and pictures"),
        ("dtviz/rank/explorer.py", "explorers, Python"),
        ("dtviz/rank/kernel.js", "explorers, JavaScript"),
        ("dtviz/atlas/explorer.py", "atlas"),
        ("tests/claims/rank/test_find.py", "claims"),
        ("tests/rank/test_find.py", "the other tests"),
        ("tools/pdf.py", "PDF"),
        ("book/_static/claims.css", "the book's extensions and style"),
        ("dtviz/explorers/bundles/rank.js", None),
        ("book/intro.md", None),
    ],
)
def test_a_file_is_of_one_part(path, name):
    part = part_of(path)
    assert (part and part.name) == name
