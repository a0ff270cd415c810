"""The sample of the explorer of FIND, as a reader changes it: flips, rows and draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
import traitlets
from support.explorers import (
    MOVE,
    Open,
    fixed,
    numbers,
    run_as_widget,
    status,
    status_numbers,
    undisturbed,
    write_page,
)

import dtviz as dt
from dtviz.rank.explorer import RankExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


@pytest.fixture(scope="session")
def sample_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page whose explorer shows the sample of parity(4)."""
    explorer = RankExplorer(target="parity(4)", m=12, rank=2, view="sample")
    return write_page(tmp_path_factory.mktemp("sample"), explorer)


@pytest.fixture
def page(tab: Open, sample_page: str) -> Iterator[Page]:
    yield from undisturbed(tab(sample_page, reduced_motion=True))


ROWS = """
() => [...document.querySelectorAll(".dtviz-rows tbody tr")].map((row) => ({
  row: [...row.querySelectorAll("td")].slice(0, -1).map((cell) => cell.textContent[0]).join(""),
  times: row.lastChild.textContent || "×1",
  flipped: row.querySelector(".dtviz-flip").dataset.flipped === "true",
}))
"""


def rows(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(ROWS)
    return found


def expected_rows(X: Any, y: Any) -> list[tuple[str, str]]:
    """The rows of a sample, and how often each was drawn; sorted."""
    pairs = zip(X.tolist(), y.tolist(), strict=True)
    texts = ["".join(map(str, [*x, label])) for x, label in pairs]
    return sorted((text, f"×{texts.count(text)}") for text in set(texts))


def seen(page: Page) -> list[tuple[str, str]]:
    return sorted((one["row"], one["times"]) for one in rows(page))


def agrees(page: Page, explorer: RankExplorer) -> bool:
    """Whether the page shows the sample and the run of an explorer of Python."""
    tree, calls = explorer.tree(), explorer.run().n_calls
    found = [] if tree is None else [str(tree.n_leaves), str(tree.rank)]
    said = status_numbers(page)
    expected = [str(explorer.bound), *found]
    assert any(said[k : k + len(expected)] == expected for k in range(len(said))), said
    assert said[-1] == str(calls)
    assert seen(page) == expected_rows(*explorer.sample)
    return True


def test_a_flipped_label_is_noise(page: Page) -> None:
    page.evaluate(MOVE, ["m", [15]])
    page.evaluate(MOVE, ["rank", [4]])
    page.get_by_role("button", name="0110: label 0").click()
    explorer = RankExplorer(target="parity(4)", m=256, rank=4, flipped=[6])
    assert agrees(page, explorer)
    assert explorer.tree().rank < 4, "what differs in one point from parity has a smaller rank"
    assert [one["row"] for one in rows(page) if one["flipped"]] == ["01101"]
    error = (dt.functions.parity(4) ^ explorer.tree().function(4)).table.mean()
    assert fixed(error, 3) in status_numbers(page)
    assert page.evaluate("document.activeElement.dataset.point") == "6", "the focus stays"
    page.keyboard.press("Enter")
    assert agrees(page, RankExplorer(target="parity(4)", m=256, rank=4))
    # The arrow keys walk the rows, of which one is in the tab order.
    page.keyboard.press("Home")
    first = page.evaluate("document.activeElement.dataset.point")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.point") != first
    assert page.locator(".dtviz-rows [tabindex='0']").count() == 1
    page.keyboard.press("Space")
    page.get_by_role("button", name="Back to draws").click()
    assert agrees(page, RankExplorer(target="parity(4)", m=256, rank=4))


def test_rows_on_display_are_edited(page: Page) -> None:
    explorer = RankExplorer(target="parity(4)", m=12, rank=2)
    field = page.get_by_label("Rows of your own")
    pairs = zip(*explorer.sample, strict=True)
    texts = list(dict.fromkeys("".join(map(str, [*x, label])) for x, label in pairs))
    assert field.input_value().split("\n") == texts
    page.get_by_role("button", name="Type or paste").click()
    field.fill("\n".join(texts[1:]))
    # What is being written stays, whatever else moves.
    page.evaluate(MOVE, ["rank", [3]])
    explorer.rank = 3
    page.get_by_role("button", name="Use these rows").click()
    explorer.rows = texts[1:]
    assert agrees(page, explorer)
    assert page.get_by_role("button", name="Draw again").count() == 0
    page.locator(".dtviz-flip").first.click()
    flipped = f"{texts[1][:-1]}{1 - int(texts[1][-1])}"
    explorer.rows = [flipped, *texts[2:]]
    assert agrees(page, explorer)
    assert field.input_value().split("\n") == explorer.rows
    page.get_by_role("button", name="Back to draws").click()
    assert agrees(page, RankExplorer(target="parity(4)", m=8, rank=3))


def test_rows_are_pasted(page: Page) -> None:
    field = page.get_by_label("Rows of your own")
    before = status(page)
    page.get_by_role("button", name="Type or paste").click()
    for text, wrong in (("0 1\n0 2", 'line 2 must hold only 0 and 1, got "2"'), ("", "got none")):
        field.fill(text)
        page.get_by_role("button", name="Use these rows").click()
        assert wrong in page.get_by_role("alert").inner_text()
        assert status(page) == before
    table = b"a,b,c,label\n0,0,0,0\n0,1,1,1\n1,0,1,1\n1,1,0,1\n1,1,0,1\n"
    file = {"name": "rows.csv", "mimeType": "text/csv", "buffer": table}
    page.locator("input[name=file]").set_input_files(file)  # type: ignore[arg-type]
    page.locator(".dtviz-rows").wait_for()
    own = RankExplorer([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 0]], [0, 1, 1, 1, 1])
    own.rank = 2
    assert agrees(page, own)
    page.locator("select[name=view]").select_option("guarantee")
    verdict = page.locator(".dtviz-verdict").inner_text()
    assert numbers(verdict)[-3:] == ["8", "5", "4"]
    page.locator("select[name=target]").select_option("majority(5)")
    assert "majority(5)" in status(page)


def test_draws_have_a_seed(page: Page) -> None:
    page.get_by_role("button", name="Draw again").click()
    assert agrees(page, RankExplorer(target="parity(4)", m=12, rank=2, seed=290))


def test_another_target_forgets_what_was_done(page: Page) -> None:
    page.locator(".dtviz-flip").first.click()
    page.get_by_label("f =").fill("x0 & (x1 | ~x2)")
    assert agrees(page, RankExplorer(target="x0 & (x1 | ~x2)", m=12, rank=2))
    page.get_by_label("f =").fill("x0 & (x1 |")
    assert agrees(page, RankExplorer(target="x0 & (x1 | ~x2)", m=12, rank=2))


def test_a_readers_examples_in_python(tab: Open, tmp_path: Path) -> None:
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    own = RankExplorer(X, y, rank=2, view="sample")
    page = tab(write_page(tmp_path, own)).page
    assert agrees(page, own)
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


def test_python_follows_the_reader(tab: Open, sample_page: str) -> None:
    start = RankExplorer(target="parity(4)", m=12, rank=2, view="sample")
    use = """
      model.set("views", ["sample"]);
      el.querySelector(".dtviz-flip[data-point='6'], .dtviz-flip").click();
      const flipped = state.flipped;
      model.set("rows", ["000", "011", "101"]);
      model.set("target", "");
      const own = text();
      el.querySelector(".dtviz-flip").click();
      return { flipped, own, rows: state.rows, call: state.call };
    """
    result = run_as_widget(tab(sample_page).page, start, use)
    start.flipped = result["flipped"]
    assert len(start.flipped) == 1
    assert numbers(result["own"])[:3] == ["3", "2", "3"]
    start.rows = result["rows"]
    assert start.rows == ["001", "011", "101"]
    assert result["call"] is None


def test_the_columns_of_a_table_keep_their_names(tab: Open, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (12, 2))
    frame = pd.DataFrame(X, columns=["rain", "Wednesdays"]).assign(late=X[:, 0])
    address = write_page(tmp_path, dt.RankExplorer(frame, "late", view="sample"))
    page = tab(address, reduced_motion=True).page
    heads = page.locator(".dtviz-rows thead th")
    assert heads.all_inner_texts()[:2] == ["rain", "Wednesda…"]
    assert heads.nth(1).get_attribute("title") == "Wednesdays"
