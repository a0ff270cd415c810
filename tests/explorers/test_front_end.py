"""The front end as files: how modules are joined, and its constants."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.node import evaluate, node

from dtviz.core import tolerances
from dtviz.explorers import constants
from dtviz.explorers.base import STATIC, classic_script, front_end_source, joined


def write(folder: Path, **modules: str) -> list[Path]:
    paths = [folder / f"{name}.js" for name in modules]
    for path, text in zip(paths, modules.values(), strict=True):
        path.write_text(text, "utf-8")
    return paths


def test_modules_run_after_those_they_import_each_in_its_own_scope(tmp_path: Path) -> None:
    paths = write(
        tmp_path,
        last='import { one, Two } from "./first.js";\nconst own = 3;\n'
        "export const sum = one + new Two().value + own;\n",
        first="// One.\n/**\n * @type {number}\n */\nexport const one = 1;\nconst own = 2;\n"
        "export class Two {\n  value = own;\n}\n",
    )
    assert evaluate(paths, "() => [sum, one]", None) == [6, 1]
    source, _ = joined(paths)
    assert "@type" not in source
    assert "// One." not in source


@pytest.mark.parametrize(
    ("modules", "rule"),
    [
        ({"a": 'import { b } from "./b.js";\n', "b": 'import { a } from "./a.js";\n'}, "circle"),
        ({"a": "export default 3;\n"}, "plain form, got export default 3;"),
        ({"a": 'import * as b from "./b.js";\n', "b": ""}, "plain form, got import"),
        ({"a": 'import { c as d } from "./b.js";\n', "b": ""}, "plain form"),
        (
            {"a": 'import { b, c } from "./b.js";\n', "b": "export const b = 1;\nconst c = 2;\n"},
            "a.js must import what ./b.js exports, got c",
        ),
    ],
)
def test_other_forms_are_refused(tmp_path: Path, modules: dict[str, str], rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        joined(write(tmp_path, **modules))


@pytest.mark.parametrize(("make", "name"), [(front_end_source, "a.mjs"), (classic_script, "a.js")])
def test_both_forms_are_valid_scripts(tmp_path: Path, make: object, name: str) -> None:
    assert callable(make)
    path = tmp_path / name
    path.write_text(make(), "utf-8")
    done = subprocess.run([node(), "--check", path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_constants_are_those_of_python() -> None:
    path = STATIC / "constants.js"
    assert path.read_text("utf-8") == constants.constants_source(), (
        "run python -m dtviz.explorers.constants"
    )
    result = evaluate([path], "() => ({ SCORE_TIE, ROUNDING, EPSILON_STEP, SHARE_STEP })", None)
    assert result == {
        "SCORE_TIE": tolerances.SCORE_TIE,
        "ROUNDING": tolerances.ROUNDING,
        "EPSILON_STEP": constants.EPSILON_STEP,
        "SHARE_STEP": constants.SHARE_STEP,
    }
