"""The sample of the explorer of FIND, as a reader changes it: flips, rows and draws."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
import traitlets
from support.explorers import (
    MOVE,
    Open,
    fixed,
    numbers,
    shown,
    status,
    status_numbers,
    write_page,
)

import dtviz as dt
from dtviz.rank.draws import format_rows
from dtviz.rank.explorer import RankExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

PARITY = {"target": "parity(4)", "m": 12, "rank": 2}


page = shown(lambda: RankExplorer(**PARITY, view="sample"))
"""A page whose explorer shows the sample of parity(4)."""


ROWS = """
() => [...document.querySelectorAll(".dtviz-rows tbody tr")].map((row) => [
  [...row.querySelectorAll("td")].slice(0, -1).map((cell) => cell.textContent[0]).join(""),
  Number(row.lastChild.textContent.slice(1) || 1),
])
"""


def check(page: Page, explorer: RankExplorer) -> None:
    """Check that the page shows the sample and the run of an explorer of Python."""
    tree = explorer.tree()
    found = [] if tree is None else [str(tree.n_leaves), str(tree.rank)]
    said = status_numbers(page)
    expected = [str(explorer.bound), *found]
    assert any(said[k : k + len(expected)] == expected for k in range(len(said))), said
    assert said[-1] == str(explorer.run().n_calls)
    assert dict(page.evaluate(ROWS)) == Counter(format_rows(*explorer.sample))


def test_a_flipped_label_is_noise(page: Page) -> None:
    page.evaluate(MOVE, ["m", [15]])
    page.evaluate(MOVE, ["rank", [4]])
    page.get_by_role("button", name="0110: label 0").click()
    whole = {"target": "parity(4)", "m": 256, "rank": 4}
    explorer = RankExplorer(**whole, flipped=[6])
    check(page, explorer)
    assert explorer.tree().rank < 4, "what differs in one point from parity has a smaller rank"
    flipped = page.locator(".dtviz-flip[data-flipped=true]")
    assert flipped.evaluate_all("all => all.map((e) => e.dataset.point)") == ["6"]
    error = (dt.functions.parity(4) ^ explorer.tree().function(4)).table.mean()
    assert fixed(error, 3) in status_numbers(page)
    held = "document.activeElement.dataset.point"
    assert page.evaluate(held) == "6", "the focus stays"
    page.keyboard.press("Enter")
    check(page, RankExplorer(**whole))
    # The arrow keys walk the rows, of which one is in the tab order.
    page.keyboard.press("Home")
    first = page.evaluate(held)
    page.keyboard.press("ArrowDown")
    assert page.evaluate(held) != first
    assert page.locator(".dtviz-rows [tabindex='0']").count() == 1
    page.keyboard.press("Space")
    page.get_by_role("button", name="Back to draws").click()
    check(page, RankExplorer(**whole))


def test_rows_are_edited_pasted_and_opened(page: Page) -> None:
    explorer = RankExplorer(**PARITY)
    field, use = page.get_by_label("Rows of your own"), page.get_by_role("button", name="Use these")
    texts = list(dict.fromkeys(format_rows(*explorer.sample)))
    assert field.input_value().split("\n") == texts
    page.get_by_role("button", name="Type or paste").click()
    before = status(page)
    for text, wrong in (("0 1\n0 2", 'line 2 must hold only 0 and 1, got "2"'), ("", "got none")):
        field.fill(text)
        use.click()
        assert wrong in page.get_by_role("alert").inner_text()
        assert status(page) == before
    field.fill("\n".join(texts[1:]))
    # What is being written stays, whatever else moves.
    page.evaluate(MOVE, ["rank", [3]])
    explorer.rank = 3
    use.click()
    explorer.rows = texts[1:]
    check(page, explorer)
    assert page.get_by_role("button", name="Draw again").count() == 0
    page.locator(".dtviz-flip").first.click()
    explorer.rows = [f"{texts[1][:-1]}{1 - int(texts[1][-1])}", *texts[2:]]
    check(page, explorer)
    assert field.input_value().split("\n") == explorer.rows
    page.get_by_role("button", name="Back to draws").click()
    check(page, RankExplorer(target="parity(4)", m=8, rank=3))
    table = b"a,b,c,label\n0,0,0,0\n0,1,1,1\n1,0,1,1\n1,1,0,1\n1,1,0,1\n"
    file = {"name": "rows.csv", "mimeType": "text/csv", "buffer": table}
    page.locator("input[name=file]").set_input_files(file)  # type: ignore[arg-type]
    page.locator(".dtviz-rows tr:nth-child(4)").wait_for()
    X = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 0]]
    check(page, RankExplorer(X, [0, 1, 1, 1, 1], rank=3))
    page.locator("select[name=view]").select_option("guarantee")
    assert numbers(page.locator(".dtviz-verdict").inner_text())[-3:] == ["8", "5", "4"]
    page.locator("select[name=target]").select_option("majority(5)")
    assert "majority(5)" in status(page)


def test_another_target_or_seed_forgets_what_was_done(page: Page) -> None:
    page.locator(".dtviz-flip").first.click()
    page.get_by_label("f =").fill("x0 & (x1 | ~x2)")
    own = PARITY | {"target": "x0 & (x1 | ~x2)"}
    check(page, RankExplorer(**own))
    page.get_by_label("f =").fill("x0 & (x1 |")
    check(page, RankExplorer(**own))
    page.get_by_role("button", name="Draw again").click()
    check(page, RankExplorer(**own, seed=290))


def test_a_readers_examples_in_python(tab: Open, tmp_path: Path) -> None:
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    own = RankExplorer(X, y, rank=2, view="sample")
    page = tab(write_page(tmp_path, own)).page
    check(page, own)
    assert page.locator("select[name=target] option").count() <= 1
    assert page.get_by_role("button", name="Back to draws").count() == 0
    np.testing.assert_array_equal(own.sample[0], X)
    np.testing.assert_array_equal(own.sample[1], y)
    for bad, rule in (
        (([[0] * 7], [0]), "X must have 1 to 6 columns, got 7"),
        (([[0]] * 257, [0] * 257), "X must have at most 256 rows, got 257"),
        (([[0], [0]], [0, 1]), "y must give equal rows of X equal labels"),
        (([[0.5]], [0]), "X must contain only 0 and 1, got 0.5"),
        (("abc", [0]), "X must be 2-dimensional"),
    ):
        with pytest.raises(ValueError, match=rule):
            RankExplorer(*bad)
    with pytest.raises(traitlets.TraitError, match="at least one row where there is no target"):
        own.rows = []


def test_the_columns_of_a_table_keep_their_names(tab: Open, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (12, 2))
    frame = pd.DataFrame(X, columns=["rain", "Wednesdays"]).assign(late=X[:, 0])
    address = write_page(tmp_path, dt.RankExplorer(frame, "late", view="sample"))
    page = tab(address, reduced_motion=True).page
    heads = page.locator(".dtviz-rows thead th")
    assert heads.all_inner_texts()[:2] == ["rain", "Wednesda…"]
    assert heads.nth(1).get_attribute("title") == "Wednesdays"
