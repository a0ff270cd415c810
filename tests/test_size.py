"""The project grows only on purpose: `tools/size.py` has the table."""

from __future__ import annotations

import subprocess

from tools.size import GENERATED, MOST, ROOT, SUFFIXES, count_lines, part_of


def test_the_project_does_not_grow_unnoticed():
    lines = count_lines()
    grown = {name: lines[name] for name, most in MOST.items() if lines[name] > most}
    assert grown == {}, "delete lines, or raise MOST in tools/size.py and say in the commit why"


def test_all_code_is_of_some_part():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True)
    code = [path for path in listed.stdout.decode().splitlines() if path.endswith(SUFFIXES)]
    assert [path for path in code if part_of(path) is None and GENERATED[:-1] not in path] == []
