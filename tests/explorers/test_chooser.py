"""The chooser of functions in a browser: typed, clicked, undone, and what it says meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
import traitlets
from matplotlib.figure import Figure
from support import web
from support.explorers import Open, numbers, write_page
from support.node import bundle_explorers

import dtviz as dt
from dtviz.explorers.functions import FunctionExplorer

if TYPE_CHECKING:
    from playwright.sync_api import Page

F = dt.functions
OFFERED = {
    "caterpillar(3)": F.caterpillar(3),
    "multiplexer(2)": F.multiplexer(2),
    "majority(3)": F.majority(3),
}


class Choosing(FunctionExplorer):
    """An explorer that does nothing but choose."""

    _variables = (0, 9)

    def _read_functions(self, *given: Any) -> Any:
        return super()._read_functions(*given, 0, 10)

    def picture(self) -> Figure:
        return Figure()

    def caption(self) -> str:
        return ""


SCRIPT = """
import { FunctionChooser } from "../explorers/static/controls/chooser.js";
import { statusLine } from "../explorers/static/controls/controls.js";
import { tableOf } from "../explorers/static/hosting/functions.js";
import { explorers, html, live } from "../explorers/static/hosting/kit.js";

explorers.choosing = ({ model, el }) => {
  const which = new FunctionChooser({ model, trait: "function", label: "Function" });
  const status = statusLine();
  status.root.style.overflowWrap = "anywhere";
  const view = html("div", {}, which.root, status.root);
  const draw = () => {
    which.draw();
    status.say(tableOf(model, "function")?.table.join("") ?? "large");
  };
  return live({ model, el }, { view, handlers: { function: draw }, resize: draw, status });
};
"""


@pytest.fixture(scope="module")
def choosing(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with a chooser alone."""
    scripts = bundle_explorers({"choosing": SCRIPT})
    return write_page(tmp_path_factory.mktemp("choosing"), Choosing(OFFERED), scripts=scripts)


@pytest.fixture
def chooser(tab: Open, choosing: str) -> Iterator[Page]:
    seen = tab(choosing)
    yield seen.page
    assert seen.complaints == []
    assert seen.foreign() == []


def bits(page: Page) -> str:
    return page.get_by_role("status").text_content() or ""


def table(f: dt.BooleanFunction) -> str:
    return "".join(map(str, f.table.tolist()))


def words(page: Page) -> str:
    return page.locator(".dtviz-words").text_content() or ""


def switched(page: Page) -> str:
    """The values that the points show, in their order."""
    script = "all => all.map(e => e.getAttribute('aria-checked') === 'true' ? 1 : 0).join('')"
    return str(page.get_by_role("switch").evaluate_all(script))


def test_what_is_offered_is_reported(chooser: Page) -> None:
    which, field = chooser.get_by_label("Function"), chooser.get_by_label("f =")
    for name, f in OFFERED.items():
        which.select_option(name)
        assert dt.BooleanFunction.from_text(field.input_value()) == f
        assert bits(chooser) == (table(f) if f.n <= 6 else "large")
    assert switched(chooser) == table(F.majority(3))
    which.select_option("multiplexer(2)")
    which.select_option("your own")
    assert which.input_value() == "your own"
    assert bits(chooser) == table(F.multiplexer(2))


def test_a_function_is_typed(chooser: Page) -> None:
    field = chooser.get_by_label("f =")
    field.fill("x0 & (x1 | ~x2)")
    f = dt.BooleanFunction.from_text("x0 & (x1 | ~x2)")
    assert bits(chooser) == switched(chooser) == table(f)
    assert chooser.get_by_label("Function").input_value() == "your own"
    assert numbers(words(chooser)) == ["3", "1", "3", "8"]
    # What is no function leaves the last one standing, and is reported with its place.
    field.fill("x0 & (x1 | ) ~x2")
    assert bits(chooser) == switched(chooser) == table(f)
    assert field.get_attribute("aria-invalid") == "true"
    faint = "e => Number(getComputedStyle(e).opacity) < 0.5"
    assert chooser.locator(".dtviz-canvas").evaluate(faint) is True
    assert chooser.locator(".dtviz-words u").text_content() == ")"
    assert "At character 12:" in words(chooser)
    field.press("Escape")
    assert field.input_value() == "x0 & (x1 | ~x2)"
    assert field.get_attribute("aria-invalid") == "false"
    field.fill("x6")
    assert "At character 1:" in words(chooser)
    field.fill("b & a10 & a9")
    assert chooser.locator(".dtviz-canvas").evaluate(faint) is False
    field.fill("majority(3)")
    assert chooser.get_by_label("Function").input_value() == "majority(3)"


def test_a_name_that_nothing_has_is_no_function(chooser: Page) -> None:
    before = bits(chooser)
    for name in ("majority", "maj ", "__proto__", "constructor", "toString", "e8"):
        chooser.get_by_label("f =").fill(name)
        assert bits(chooser) == before
        with pytest.raises(traitlets.TraitError, match="more than a name that nothing here has; "):
            Choosing(OFFERED, function=name)


def test_points_are_flipped_and_taken_back(chooser: Page) -> None:
    chooser.get_by_label("Function").select_option("majority(3)")
    field = chooser.get_by_label("f =")
    chooser.get_by_role("switch", name="f(1, 1, 0)").click()
    assert field.input_value() == bits(chooser) == switched(chooser) == "00000111"
    bit_order = "000, 100, 010, 110"
    assert bit_order in words(chooser)
    # By the keyboard alone: to the neighbor, and flip it.
    chooser.keyboard.press("ArrowUp")
    chooser.keyboard.press("Space")
    assert bits(chooser) != "00000111"
    chooser.keyboard.press("Space")
    assert bits(chooser) == "00000111"
    undo, redo = chooser.get_by_label("Undo"), chooser.get_by_label("Redo")
    for _ in range(3):
        undo.click()
    assert bits(chooser) == table(F.majority(3))
    assert chooser.get_by_label("Function").input_value() == "majority(3)"
    assert bit_order not in words(chooser)
    redo.click()
    assert bits(chooser) == "00000111"
    chooser.get_by_label("Number of variables, n").select_option("5")
    assert bits(chooser) == "00000111" * 4
    assert field.input_value() == "0xe0e0e0e0"
    assert numbers(words(chooser))[-1] == "000"
    chooser.get_by_label("Random values for f").click()
    assert len(bits(chooser)) == 32
    chooser.get_by_label("Number of variables, n").select_option("2")
    assert len(bits(chooser)) == 4


def test_typing_is_one_step_of_undo(chooser: Page) -> None:
    start = bits(chooser)
    field = chooser.get_by_label("f =")
    field.fill("")
    field.press_sequentially("x0 & x1")
    assert bits(chooser) == "0001"
    undo = chooser.get_by_label("Undo")
    undo.press("Enter")
    assert bits(chooser) == start
    undo.press("Enter")  # nothing is left, and the focus stays
    assert bits(chooser) == start
    assert undo.evaluate("e => e === document.activeElement")
    # Redo gives up a wrong text even where nothing is to be redone.
    field.fill("x0 ^ x1")
    field.fill("x0 &")
    chooser.get_by_label("Redo").dispatch_event("click")
    assert field.input_value() == "x0 ^ x1"
    assert field.get_attribute("aria-invalid") == "false"


def test_every_point_is_drawn_where_a_finger_finds_it(chooser: Page) -> None:
    box = "const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height];"
    for n in range(7):
        chooser.get_by_label("f =").fill("01" * (1 << n >> 1) or "1")
        boxes = chooser.get_by_role("switch").evaluate_all(f"all => all.map(e => {{ {box} }})")
        assert len(boxes) == 1 << n
        for k, (x, y, *sides) in enumerate(boxes):
            assert min(sides) >= 24
            for other_x, other_y, *_ in boxes[:k]:
                assert abs(x - other_x) > 20 or abs(y - other_y) > 20


@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (640, "dark"), (360, "light")])
def test_nothing_moves_and_nothing_is_cut_off(
    tab: Open, choosing: str, width: int, theme: web.Theme
) -> None:
    """Where there is no room the picture is folded."""
    page = tab(choosing, width=width, theme=theme).page
    page.get_by_label("Function").select_option("majority(3)")
    change, points = (
        page.get_by_role("button", name="Change", exact=True),
        page.get_by_role("switch"),
    )
    assert change.is_visible() == (width < 800)
    assert points.first.is_visible() == (width > 800)
    if width < 800:
        change.click()
    assert points.first.is_visible()
    status, field = page.get_by_role("status"), page.get_by_label("f =")
    place = status.evaluate("e => e.getBoundingClientRect().top")
    full = "x5 ^ x4 ^ x3 | x0 & x1 & ~x2"
    for text in ("x0", "x0 & (x1", "0110", "0x96", "x", "caterpillar(3)", full):
        field.fill(text)
        assert status.evaluate("e => e.getBoundingClientRect().top") == place
        cut = "all => all.filter(e => e.scrollHeight > e.clientHeight + 1).length"
        assert page.locator(".dtviz-chooser p").evaluate_all(cut) == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert web.axe_findings(page, ".dtviz-explorer") == []


CLICKED = """
() => {
  const points = [...document.querySelectorAll("[role=switch]")];
  const seen = new MutationObserver(() => {});
  seen.observe(points[0].closest("svg"), { subtree: true, childList: true, attributes: true });
  return points.map((point) => {
    point.dispatchEvent(new MouseEvent("click"));
    const drawn = seen.takeRecords().map(({ target }) => target.closest("[role=switch]") ?? target);
    return new Set(drawn).size;
  });
}
"""


def test_a_click_draws_its_point_alone(chooser: Page) -> None:
    """And not all 64: it, and the one that Tab came to before."""
    chooser.get_by_label("Function").select_option("multiplexer(2)")
    assert set(chooser.evaluate(CLICKED)) <= {1, 2}


def test_python_takes_and_refuses_texts() -> None:
    explorer = Choosing(OFFERED)
    explorer.function = "x0 ^ x8"
    assert explorer.named_function() == dt.BooleanFunction.from_text("x0 ^ x8")
    known = explorer._about["x0 ^ x8"]
    assert (known["own"], known["table"]) == (True, None)
    explorer.function = "0x96"
    assert explorer.named_function() == F.parity(3)
    explorer.function = "x8"
    assert [name for name, one in explorer._about.items() if one.get("own")] == ["x8"]
    assert Choosing(OFFERED, function="x0 & x7").named_function().n == 8
    for text, rule in (
        ("nand(2)", r"one of cat.*must call one|must have an operator.* got 'nand\(2\)'"),
        ("x0 &", "which must have a variable.* at its end"),
        ("x9", "at most 9 variables, got n = 10 for 'x9'"),
        ("x0" + " " * 4000, "at most 4000 characters, got 4002"),
        (7, "function.*7"),
    ):
        with pytest.raises(traitlets.TraitError, match=rule):
            explorer.function = text
    assert explorer.function == "x8"
