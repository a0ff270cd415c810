"""Variables of the reader's own names, and these names wherever an explorer speaks of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from support.explorers import Open, write_page

import dtviz as dt

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

TEXT = "rain & wind | sun"
NAMES = ("rain", "sun", "wind")

ALL_SAID = """
() => [...document.querySelectorAll("main *")].flatMap((element) => [
  ...["aria-label", "aria-valuetext", "title", "placeholder"].map((name) => element.getAttribute(name) ?? ""),
  ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data),
  element instanceof HTMLInputElement ? element.value : "",
]).join("\\n")
"""  # noqa: E501


def all_said(page: Page) -> str:
    """Every text of the page, seen or read aloud."""
    return re.sub(r"A formula such as x0 .*", "", str(page.evaluate(ALL_SAID)))


def walk(page: Page) -> list[str]:
    """What is said while every node of every tree is pointed at."""
    said = [all_said(page)]
    for node in page.get_by_role("treeitem").all():
        if node.is_visible():
            node.focus()
            said.append(all_said(page))
    return said


@pytest.mark.parametrize(
    ("make", "traits", "turns"),
    [
        (dt.InfluenceExplorer, {"epsilon": 0, "beside": "best"}, []),
        (dt.InfluenceExplorer, {"splits": [[0, 2]]}, []),
        (dt.ProductExplorer, {"epsilon": 0}, ["bounds", "race"]),
        (dt.ProductExplorer, {"epsilon": 0, "biases": [0.2, 0.4], "beside": "best"}, []),
        (dt.RankExplorer, {"m": 24, "rank": 1}, ["sample", "guarantee", "many samples"]),
    ],
    ids=["influence", "own splits", "product", "own biases", "rank"],
)
def test_names_of_ones_own_stand_everywhere(
    tab: Open, tmp_path: Path, make: Any, traits: dict[str, Any], turns: list[str]
) -> None:
    seen = tab(write_page(tmp_path, make(TEXT, **traits)))
    page = seen.page
    said = walk(page)
    for view in turns:
        page.get_by_label("View").or_(page.get_by_label("Besides the tree")).first.select_option(
            view
        )
        said += walk(page)
    for text in said:
        assert not re.search(r"\bx_?\d", text), re.findall(r".*\bx_?\d.*", text)[:5]
        assert all(name in text for name in NAMES)
    assert seen.complaints == []


def test_names_typed_in_the_page(tab: Open, tmp_path: Path) -> None:
    page = tab(write_page(tmp_path, dt.InfluenceExplorer(epsilon=0))).page
    page.get_by_label("f =").fill("snow AND NOT ice")
    assert page.get_by_role("treeitem").first.text_content() == "ice"
    assert not re.search(r"\bx_?\d", " ".join(page.get_by_role("tree").all_text_contents()))
    assert "Boxes read ice snow" in all_said(page)


@pytest.mark.parametrize("make", [dt.InfluenceExplorer, dt.ProductExplorer, dt.RankExplorer])
def test_trees_and_captions_have_the_names(make: Any) -> None:
    for given in (
        TEXT,
        dt.BooleanFunction.from_text(TEXT),
        {"f": dt.BooleanFunction.from_text(TEXT)},
    ):
        explorer = make(given)
        assert explorer.tree().names.features == NAMES
        assert not re.search(r"\bx_?\d", explorer.caption())
    assert str(make(TEXT).tree()).startswith(("sun", "rain"))
    with pytest.raises(ValueError, match="must have a variable, 0, 1, ~, not or"):
        make("rain &")


def test_find_and_growth_keep_the_names() -> None:
    f = dt.BooleanFunction.from_text(TEXT)
    X = pd.DataFrame(dt.cube_points(3), columns=NAMES)
    trees = [
        dt.rank.find_min(f),
        dt.rank.find_min(X, f.table),
        dt.rank.find(X, f.table, rank=1),
        dt.rank.find_run(X, f.table, rank=1).tree(),
        dt.growing.grow_predicates(X, f.table).tree(),
        dt.build_top_down(f).tree(),
        dt.optimal(f).tree(),
    ]
    for tree in trees:
        assert tree is not None
        assert tree.names.features == NAMES
        assert tree.function(3) == f
