"""The front end as files: the bundles under version control, and its constants."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.node import evaluate, write_bundles

import dtviz as dt
from dtviz.chapters import WITH_EXPLORERS
from dtviz.core import tolerances
from dtviz.explorers import functions
from dtviz.explorers.base import BUNDLES, STATIC


def test_the_bundles_are_made_of_the_modules(tmp_path: Path) -> None:
    write_bundles(STATIC.parents[1], tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(made) == {f"{name}.js" for name in (*WITH_EXPLORERS, "falling", "host", "tree")}
    kept = {path.name: path.read_bytes() for path in BUNDLES.iterdir()}
    stale = [name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name)]
    assert stale == [], "run make bundles"


LOAD = """
async ({ source, script }) => {
  const front = ([name, { render }]) => [name, typeof render];
  const kinds = () => Object.entries(globalThis.dtviz ?? {}).map(front);
  const widget = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const before = kinds();
  process.getBuiltinModule("node:vm").runInThisContext(script);
  return [typeof widget.default.render, before, kinds()];
}
"""


@pytest.mark.parametrize("name", WITH_EXPLORERS)
def test_a_bundle_is_a_module_without_globals_and_a_classic_script(name: str) -> None:
    source = getattr(dt, f"{name.title()}Explorer")._esm
    script = (BUNDLES / f"{name}.js").read_text("utf-8")
    result = evaluate([], LOAD, {"source": source, "script": script})
    assert result == ["function", [], [[name, "function"]]]


def test_the_constants_are_those_of_python() -> None:
    modules = (tolerances, functions)
    names = ("SCORE_TIE", "DROP_TIE", "ROUNDING", "SAME_PRICE", "MOST_VARIABLES", "MOST_CHARACTERS")
    ours = {
        name: vars(module)[name] for module in modules for name in names if name in vars(module)
    }
    assert list(ours) == list(names)
    result = evaluate(
        [STATIC / "computing/constants.js"], f"() => ({{ {', '.join(names)} }})", None
    )
    assert result == ours
