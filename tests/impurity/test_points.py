"""The reader's own points and tables in the explorer of impurity, in a browser and in Python."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import traitlets
from support.explorers import Open, choose, numbers, settle, status, write_page
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC
from dtviz.explorers.planes import OWN, Table, named_plane, own_plane
from dtviz.impurity.explorer import ImpurityExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

IMPURITY = STATIC.parents[1] / "impurity"
KERNEL = [STATIC / "computing/cart.js", STATIC / "computing/points.js", IMPURITY / "kernel.js"]
XOR = [[0.1, 0.1, 0], [0.9, 0.9, 0], [0.1, 0.9, 1], [0.9, 0.1, 1], [0.5, 0.9, 1]]


def opened(tab: Open, folder: Path, **traits: Any) -> Page:
    page = tab(write_page(folder, ImpurityExplorer(view="plane", **traits))).page
    page.locator("svg .dtviz-points").first.wait_for(state="attached")
    return page


def result(page: Page) -> str:
    return page.locator(".dtviz-edit-message").inner_text()


def place(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place of the plane on the screen, as shares of it from below left."""
    frame = page.locator(".dtviz-plane .dtviz-region").first.bounding_box()
    assert frame is not None
    return frame["x"] + x * frame["width"], frame["y"] + (1 - y) * frame["height"]


def title(page: Page) -> str:
    """What the points are called above the plane."""
    return page.locator(".dtviz-plane .dtviz-heading > span").first.inner_text()


def counts(page: Page) -> list[int]:
    """How many points each class has, as the legend says."""
    legend = page.locator(".dtviz-legend").first.inner_text()
    return [int(number) for number in re.findall(r"\((\d+)\)", legend)]


def test_points_are_added_dragged_recolored_and_deleted(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, data=OWN, points=XOR, leaves=4)
    undo = page.locator("button[name=undo-points]")
    for tool, now in (("add ■", [2, 3, 1]), ("change class", [3, 3]), ("delete", [2, 3])):
        choose(page, tool=tool)
        page.mouse.click(*place(page, 0.5, 0.5))
        assert counts(page) == now
    for now in ([3, 3], [2, 3, 1]):
        undo.click()
        assert counts(page) == now
    # A drag is one step back.
    choose(page, tool="move")
    page.mouse.move(*place(page, 0.5, 0.5))
    page.mouse.down()
    page.mouse.move(*place(page, 0.3, 0.3), steps=4)
    page.mouse.up()
    page.locator(".dtviz-at-point").focus()
    assert numbers(result(page))[3].startswith("0.3")
    undo.click()
    page.locator(".dtviz-at-point").focus()
    assert numbers(result(page))[3].startswith("0.5")
    undo.click()
    assert counts(page) == [2, 3]
    assert undo.get_attribute("aria-disabled") == "true"
    page.locator("button[name=redo-points]").click()
    assert counts(page) == [2, 3, 1]
    # Some are held out, then none again, and the tree follows in the same event.
    press = """() => {
      document.querySelector("button[name=hold]").click();
      return document.querySelector("[role=status]").textContent;
    }"""
    whole = status(page)
    for held in (True, False):
        assert (page.evaluate(press) != whole) is held
        settle(page)
        marks = page.locator(".dtviz-plane .dtviz-held[d]:not([d=''])")
        assert (marks.count() > 0) is held


def test_keys_alone_make_and_move_points(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, data="titanic")
    draw = page.get_by_role("button", name="Draw points of your own")
    draw.press("Enter")
    for key in ("Enter", "2"):
        page.keyboard.press(key)
    assert numbers(result(page))[:2] == ["1", "1"]
    page.keyboard.press("Enter")
    page.mouse.click(*place(page, 0.75, 0.25))
    assert counts(page) == [1, 2]
    assert {"0", "1", "x0", "x1"} <= {*page.locator(".dtviz-plane text").all_text_contents()}
    draw.click()
    page.get_by_role("button", name="Delete all points").click()
    page.locator(".dtviz-at-point").focus()
    for key in ("Enter", "Enter", "2", "ArrowRight", "Shift+ArrowUp", "Enter", "3"):
        page.keyboard.press(key)
    assert counts(page) == [1, 1, 1]
    assert "■" in result(page)
    page.keyboard.press("PageUp")
    assert numbers(result(page))[:2] == ["2", "3"]
    before = result(page)
    page.keyboard.press("ArrowLeft")
    assert result(page) != before
    page.keyboard.press("Control+z")
    assert result(page) == before
    page.keyboard.press("Delete")
    assert numbers(result(page))[:2] == ["2", "2"]
    assert page.evaluate("document.activeElement.className") == "dtviz-at-point"
    # Its ring goes with the focus.
    seen = "getComputedStyle(document.querySelector('.dtviz-at-point')).opacity"
    assert page.evaluate(seen) == "1"
    page.keyboard.press("Tab")
    assert page.evaluate(seen) == "0"


def test_an_edit_makes_the_data_of_the_book_the_readers(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, data="iris", leaves=3)
    choose(page, tool="change class")
    drawn = page.locator(".dtviz-plane .dtviz-points").last.get_attribute("d")
    x, y = map(float, re.findall(r"[\d.]+", drawn or "")[:2])
    page.locator(".dtviz-plane svg").click(position={"x": x + 3, "y": y + 3}, force=True)
    assert page.locator("select[name=data]").input_value() == OWN
    assert sum(counts(page)) == 150
    assert counts(page) != [50, 50, 50]
    page.locator("button[name=undo-points]").click()
    assert page.locator("select[name=data]").input_value() == "iris"


HELD = """(state) => {
  const { path, held } = planeState({ get: (name) => state[name] }).now();
  return [path.errors, held];
}"""


def test_the_errors_on_what_is_held_out_are_those_of_python() -> None:
    rng = np.random.default_rng(2)
    for on_thresholds in (False, True):
        places, held = rng.random((80, 2)), rng.random(80) < 0.3
        if on_thresholds:  # What is held out lies half-way between what is seen.
            places = np.floor(7 * places) + held[:, None] / 2
        parts = np.column_stack([places.round(3), rng.integers(0, 3, 80), held]).tolist()
        rows = [[x, y, int(label), *[1][: int(apart)]] for x, y, label, apart in parts]
        explorer = ImpurityExplorer(view="plane", data=OWN, points=rows, cost="sqrt")
        path, plane = explorer.path(), own_plane(rows, [])
        errors, found = evaluate([IMPURITY / "state.js"], HELD, explorer._state())
        assert errors == pytest.approx(path.errors, abs=1e-12)
        expected = 1 - path.score(plane.X[plane.held], plane.y[plane.held])
        assert found == pytest.approx(expected, abs=1e-12)


TABLE = "age;fare;class;late\n" + "".join(
    f"{k},5;{k * k % 31};{'abc'[k % 3]};{'yes' if k % 31 > 12 else 'no'}\n" for k in range(40)
)
DROP = """
(text) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "t.csv"));
  const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer });
  document.querySelector(".dtviz-plane svg").dispatchEvent(event);
}
"""


def test_a_pasted_table_becomes_points(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, data="iris")
    field, said = page.locator("textarea[name=csv]"), page.locator(".dtviz-table-message")

    def paste(text: str) -> None:
        page.get_by_role("button", name="Paste a table").click()
        field.fill(text)
        page.locator("button[name=read]").click()

    paste(TABLE)
    assert numbers(said.inner_text()) == ["40", "4", "40", "2"]
    assert "age and fare" in said.inner_text()
    assert (counts(page), title(page)) == ([22, 18], "own table")
    assert field.is_hidden(), "it closes when a table is taken"
    # Undo shows the columns that are on display.
    up, words = page.locator("select[name=up]"), page.locator(".dtviz-plane svg text")
    undo = page.get_by_role("button", name="Undo", exact=True)
    choose(page, up="class")
    undo.click()
    settle(page)
    assert up.input_value() == "fare"
    assert "by age and class" not in said.inner_text()
    choose(page, up="class")
    assert "by age and class" in said.inner_text()
    assert {"class", "a", "b", "c"} <= set(words.all_text_contents())
    paste(TABLE + "1;2\n")
    assert numbers(said.inner_text()) == ["42", "2", "4", "1"]
    assert counts(page) == [22, 18], "the old picture stays"
    assert field.get_attribute("aria-invalid") == "true"
    assert field.get_attribute("aria-describedby") == said.get_attribute("id")
    page.evaluate(DROP, "a,b,c\n1,2,x\n3,4,y\n5,6,y\n")
    page.get_by_text("by a and b").wait_for()
    assert counts(page) == [1, 2]
    for _ in range(3):
        undo.click()
    assert page.locator("select[name=data]").input_value() == "iris"


def test_the_same_file_is_read_again(tab: Open, tmp_path: Path) -> None:
    """As Chromium does it: Playwright's own call tells of each file, chosen before or not."""
    page = opened(tab, tmp_path, data="iris")
    page.get_by_role("button", name="Paste a table").click()
    session = page.context.new_cdp_session(page)
    file = tmp_path / "own.csv"
    rows = "a,b,c\n1,2,x\n3,4,y\n"
    for text, said in (
        (rows + "5,6,y\n", "own.csv: 3 rows of 3 columns"),
        ("a,b,c\n1,2\n", "Line 2: 2 fields"),
        (rows, "2 rows of"),
    ):
        file.write_text(text)
        script = "document.querySelector('input[name=file]')"
        found = session.send("Runtime.evaluate", {"expression": script})["result"]
        given = {"files": [str(file)], "objectId": found["objectId"]}
        session.send("DOM.setFileInputFiles", given)
        page.get_by_text(said).wait_for()
    assert (counts(page), title(page)) == ([1, 1], "own.csv")
    session.detach()


WHY = """([plane, cut]) => {
  const path = planePath(growCart(seenPart(plane), "gini", 2, undefined, [cut]), "gini", plane);
  const { rows } = whySplit({ plane, path, cost: "gini" }, 0, true).candidates;
  return [path.score(0), rows.filter(({ chosen }) => chosen).map(({ cells }) => cells)];
}"""


def test_a_moved_split_gains_what_it_gains_and_not_what_the_best_one_would() -> None:
    plane, at = named_plane("xor"), 0.5
    record = ImpurityExplorer(data="xor").get_state()["_paths"]["xor"]
    sides = [plane.y[plane.X[:, 0] <= at], plane.y[plane.X[:, 0] > at]]
    whole, *parts = (len(y) * 2 * y.mean() * (1 - y.mean()) for y in (plane.y, *sides))
    gain = (whole - sum(parts)) / len(plane.y)
    score, made = evaluate(KERNEL, WHY, [record, [0, 0, at]])
    assert score == pytest.approx(gain, abs=1e-12)
    assert made == [["x0 ≤ 0.5", f"{gain:.4f}"]]


NAMED = """([plane, cuts]) => {
  const path = planePath(growCart(seenPart(plane), "gini", 3, undefined, cuts), "gini", plane);
  return path.split.map(path.test);
}"""


@pytest.mark.parametrize(
    ("names", "tests"),
    [
        (["size (cm), 2", "size (cm), 3"], ["size (cm), 2", "size (cm), 3"]),
        (["size (cm), no 2", "size (cm), no 3"], ["size (c…no 2", "size (c…no 3"]),
        (["size (cm), no 2", "weight"], ["size (cm), …", "weight"]),
    ],
)
def test_long_names_are_cut_where_they_differ(names: list[str], tests: list[str]) -> None:
    record = ImpurityExplorer(data="xor").get_state()["_paths"]["xor"] | {"features": names}
    found = evaluate(KERNEL, NAMED, [record, [[0, 0, 0.5], [1, 1, 0.5]]])
    assert found[:2] == [f"{name} ≤ 0.5" for name in tests]


NUMBERS = """({ plane, points }) => {
  const path = planePath(growCart(seenPart(plane), "squared", 32), "squared", plane);
  const leaves = points.map((point) => path.find(point, path.steps));
  const texts = [path.className(path.label(0)), path.below(0), path.tint(0)];
  return { errors: path.errors, costs: path.costs, labels: leaves.map(path.label), texts };
}"""


def test_numbers_are_predicted_as_in_python() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 2))
    y = np.round(1000 * X[:, 0] + 50 * rng.normal(size=60))
    explorer = ImpurityExplorer(X, y, cost="squared", leaves=5)
    record = explorer.get_state()["_paths"]["data"]
    assert record["classes"] == []
    assert np.array(record["values"])[record["labels"]].tolist() == y.tolist()
    found = evaluate(KERNEL, NUMBERS, {"plane": record, "points": X.tolist()})
    path = dt.grow(X, y, "squared", 32)
    assert found["errors"] == pytest.approx(path.errors, rel=1e-9)
    assert found["costs"] == pytest.approx(path.costs, rel=1e-9)
    assert found["labels"] == pytest.approx(path.tree().predict(X), rel=1e-12)
    mean, below, tint = found["texts"]
    assert float(mean) == pytest.approx(y.mean(), rel=1e-3)
    assert below == "60"
    assert f"var(--dtviz-one) {100 * (y.mean() - y.min()) / np.ptp(y):.1f}%" in tint
    assert explorer.tree() == path.tree(5)
    assert f"mean squared error {path.errors[4]:.4g}" in explorer.caption()


def test_an_explorer_of_numbers_has_one_view_and_one_cost() -> None:
    X, y = [[1, 1], [2, 1], [3, 5], [4, 5]], [0.5, 1, 7, 8]
    explorer = ImpurityExplorer(X, y, leaves=2)
    assert (explorer.view, explorer.cost, explorer.data) == ("plane", "squared", "data")
    for trait, value in {"cost": "gini", "view": "chord", "data": OWN, "beside": "error"}.items():
        with pytest.raises(traitlets.TraitError, match=f"{trait} must be one of"):
            setattr(explorer, trait, value)
    explorer.splits = [[0, 1, 3.0]]
    assert explorer.tree().predict([[9, 1], [9, 4]]).tolist() == [0.75, 7.5]
    with pytest.raises(ValueError, match=r'got 4: regression is cost="squared"$'):
        ImpurityExplorer(X, [1, 2, 7, 8])
    with pytest.raises(ValueError, match=r"class_names must be left out for numbers, got \['a'\]"):
        ImpurityExplorer(X, y, class_names=["a"])
    with pytest.raises(traitlets.TraitError, match=r"cost must be one of error, .*, got 'squared'"):
        ImpurityExplorer(cost="squared")


def test_two_costs_beside_each_other(tab: Open, tmp_path: Path) -> None:
    page = opened(tab, tmp_path, data="rings", leaves=4, cost="gini")
    hatched = page.locator(".dtviz-other-label")
    assert not hatched.get_attribute("d")
    choose(page, beside="error")
    for name in ("rings", "corner"):
        choose(page, data=name)
        plane = named_plane(name)
        trees = [dt.grow(plane.X, plane.y, cost, 4).tree() for cost in ("gini", "error")]
        number = int((trees[0].predict(plane.X) != trees[1].predict(plane.X)).sum())
        points = f"{number} point{'' if number == 1 else 's'} of {len(plane.y)}"
        assert page.get_by_text(f"By error, {points} have another label").count() == 1
        assert hatched.get_attribute("d")


def test_the_axes_are_two_columns_of_a_frame() -> None:
    people = dt.datasets.titanic()
    explorer = ImpurityExplorer(people, axes=["age", "fare"])
    table = explorer.planes["data"]
    assert isinstance(table, Table)
    plane = table.plane(explorer.axes)
    assert (len(plane.y), plane.left_out) == (1045, 264)
    assert "left out: 264." in explorer.caption()
    # Of two classes, categories stand in the order of their share of the second one.
    assert table.features[table.columns.index("sex")] == "sex: male 0, female 1"
    by_sex = ImpurityExplorer(people, "sex", axes=["age", "fare"]).planes["data"]
    assert isinstance(by_sex, Table)
    assert (by_sex.classes, "sex" in by_sex.columns) == (("female", "male"), False)
    explorer.axes = ["fare", "age"]
    explorer.leaves = 2
    assert str(explorer.tree()).startswith("fare <= ")
    for axes in (["age", "survived"], ["age", "age"]):
        with pytest.raises(
            traitlets.TraitError, match=r"axes must be none or two of class, .*, got"
        ):
            explorer.axes = axes


def test_points_alone_or_held_out() -> None:
    empty = ImpurityExplorer(view="plane", data=OWN)
    assert "without a point on which a tree could grow" in empty.caption()
    assert empty.picture().axes
    with pytest.raises(ValueError, match="points must have one that is not held out"):
        empty.path()
    held = ImpurityExplorer(view="plane", data=OWN, points=[*XOR, [9, 9, 2, 1]])
    assert held.tree().predict([[0.5, 0.9]]).tolist() == [1]
    assert held.path().class_counts.shape[1] == 2
    assert held.picture().axes[0].get_legend() is not None


def test_the_tree_follows_while_points_move(visit: Open, tmp_path: Path) -> None:
    """Some frames later, however fast the moves come: not only after the last."""
    points = [[0, 0, 0], [1, 1, 1], [1, 0, 1]]
    page = visit("about:blank").page
    page.clock.install(time=0)
    page.goto(write_page(tmp_path, ImpurityExplorer(view="plane", data=OWN, points=points)))
    page.clock.pause_at(10_000)
    page.locator("select[name=tool]").select_option("move")
    drawn = []
    for k in range(13):
        # A margin of 4 % is around the points.
        page.mouse.move(*place(page, 0.037 + 0.05 * k, 0.037))
        if k == 0:
            page.mouse.down()
        page.clock.run_for(20 if k else 1000)
        drawn.append(page.locator(".dtviz-plane-view .dtviz-tree svg").text_content())
    page.mouse.up()
    assert sum(one != other for one, other in pairwise(drawn)) >= 4, drawn
