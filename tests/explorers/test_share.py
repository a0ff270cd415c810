"""Sharing: what a link may set, the address, the line of Python, the pictures as files."""

from __future__ import annotations

import random
import re
import struct
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import traitlets
from PIL import Image
from support import web
from support.explorers import run_as_widget, status, write_page
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC, Explorer
from dtviz.explorers.traits import Flag, Integer, Setting, Text, rule_of, validate_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Page
    from support.explorers import Open

LINK = [STATIC / "hosting/link.js"]
NAMES = sorted(name for name in dt.__all__ if name.endswith("Explorer"))


@cache
def made(name: str) -> Explorer:
    explorer: Explorer = getattr(dt, name)()
    return explorer


def rules(name: str) -> dict[str, Any]:
    found: dict[str, Any] = made(name)._rules
    return found


HOSTILE: tuple[object, ...] = (
    None, True, False, 0, 1, -1, 0.5, 1.5, -0.0, 2**53, 1e308, 5e-324, "", "0.1", "none", "\0",
    "<script>", "__proto__", "x" * 10_000, "\u0663", [], [0.5], [None], [[0.5]], ["a"], [0.5] * 7,
    {}, {"a": 1},
)  # fmt: skip


def around(rule: dict[str, Any]) -> Iterator[object]:
    """Yield values at the ends of a rule and beyond."""
    for choice in rule.get("choices", ()):
        yield choice
        if isinstance(choice, float):
            yield from (choice + 1e-10, choice - 1e-8, choice + 0.004)
        elif isinstance(choice, str):
            yield from (choice + " ", choice.upper())
    for end in (rule.get("low"), rule.get("high")):
        if isinstance(end, float):
            yield from (end, np.nextafter(end, -9), np.nextafter(end, 9))
        elif end is not None:
            yield from (end, end - 1, end + 1, end + 0.5)
    for item in around(rule["item"]) if "item" in rule else ():
        yield from ([item], [item, 0.5], [0.5] * rule["most"], [item] * (rule["most"] + 1))


@cache
def cases() -> list[tuple[str, str, Any]]:
    rng = random.Random(1)  # noqa: S311
    found = []
    for name in NAMES:
        for trait, rule in rules(name).items():
            numbers = [rng.uniform(-1, 2) for _ in range(20)]
            numbers += [struct.unpack("<d", rng.randbytes(8))[0] for _ in range(20)]
            values = [*HOSTILE, *around(rule), *filter(np.isfinite, numbers)]
            found += [(name, trait, value) for value in values]
    return found


def fits(name: str, trait: str, value: Any) -> bool:
    """Whether Python accepts what JSON says: True is no number, and no integer has an exponent."""
    rule = rules(name)[trait]
    try:
        validate_value(made(name), trait, value)
    except (traitlets.TraitError, ValueError, TypeError):
        return False
    if isinstance(value, bool) or rule["type"] == "bool":
        return isinstance(value, bool) and rule["type"] == "bool"
    if "check" in rule:  # whose judge is asked in the page alone
        return value in rule.get("choices", ()) or (value is None and "none" in rule)
    return rule["type"] != "int" or value is None or abs(value) < 2**53


def test_a_link_sets_what_python_accepts_and_nothing_else() -> None:
    given = [[rules(name)[trait], value] for name, trait, value in cases()]
    found = evaluate(LINK, "(all) => all.map(([rule, value]) => wrong(rule, value) === '')", given)
    expected = [fits(*case) for case in cases()]
    assert len(cases()) > 2500
    assert sum(expected) > 500
    assert [case for case, a, b in zip(cases(), found, expected, strict=True) if a != b] == []


class Odd(Explorer):
    """Traits that no link can know: no range, other types, free text, a judge of their own."""

    gaps = Integer(0)
    table = Setting({})
    rows: traitlets.List[Any] = traitlets.List().tag(sync=True)
    name_ = Text("a")
    formula = Text(None, check="function")
    playing = Flag()

    @traitlets.validate("formula")
    def _formula(self, proposal: dict[str, Any]) -> Any:
        if not (proposal["value"] or "x").startswith("x"):
            raise traitlets.TraitError
        return proposal["value"]


def test_what_cannot_be_shared_cannot_be_set() -> None:
    explorer = Odd(formula="x0")
    assert rule_of(explorer, "gaps") == {"type": "int"}
    assert explorer._rules == {
        "gaps": {"type": "int"},
        "table": {"type": "any"},
        "rows": {"type": "any"},
        "name_": {"type": "text", "free": True},
        "formula": {"type": "text", "none": True, "check": "function"},
    }
    values: tuple[Any, ...] = (0, {}, [], "x", None)
    given = [[rule, value] for rule in explorer._rules.values() for value in values]
    result = evaluate(LINK, "(all) => all.map(([rule, value]) => wrong(rule, value))", given)
    fit = [value for (_, value), trouble in zip(given, result, strict=True) if not trouble]
    assert fit == ["x", None], "free text, None where it is allowed"
    use = "([rule, ...all]) => all.map((v) => wrong(rule, v, (s) => (s === 'x1' ? '' : 'no')))"
    assert evaluate(LINK, use, [explorer._rules["formula"], "x1", "y"]) == ["", "no"]


def random_value(rule: dict[str, Any], rng: random.Random) -> object:
    if rule.get("none") and rng.random() < 0.3:
        return None
    if "choices" in rule:
        return rng.choice(rule["choices"])
    if rule["type"] == "list":
        return [
            random_value(rule["item"], rng) for _ in range(rng.randint(0, min(rule["most"], 99)))
        ]
    if rule["type"] == "int":
        return rng.randint(rule["low"], min(rule["high"], 10 ** rng.randint(1, 15)))
    if rule["type"] == "float":
        value = rng.uniform(rule["low"], rule["high"])
        clipped = min(max(round(value, 2), rule["low"]), rule["high"])
        return rng.choice([value, clipped, rule["low"], rule["high"]])
    return rng.random() < 0.5


@cache
def states() -> list[tuple[str, dict[str, Any]]]:
    rng = random.Random(2)  # noqa: S311
    found = []
    for name in NAMES:
        for _ in range(15):
            known = {t: r for t, r in rules(name).items() if set(r) - {"type", "check", "none"}}
            changed = rng.sample(sorted(known), rng.randint(0, len(known)))
            start = {trait: getattr(made(name), trait) for trait in rules(name)}
            found.append((name, start | {t: random_value(known[t], rng) for t in changed}))
    return found


def test_a_line_of_python_makes_the_state_again() -> None:
    """Only public traits are shared, and of these only what is not as the class makes it."""
    given = [[made(name)._call, rules(name), state] for name, state in states()]
    lines = evaluate(LINK, "(all) => all.map((given) => pythonLine(...given))", given)
    for (name, state), line in zip(states(), lines, strict=True):
        explorer = eval(line, {"dt": dt})  # noqa: S307
        assert type(explorer).__name__ == name
        assert explorer._call["defaults"] == {t: getattr(made(name), t) for t in rules(name)}
        assert {trait: getattr(explorer, trait) for trait in rules(name)} == state, line
        result = re.findall(r"(\w+)=", line)
        assert set(result) == {t for t in state if state[t] != getattr(made(name), t)}, line


@pytest.mark.parametrize(
    "line",
    [
        "dt.ImpurityExplorer(X, y, leaves=6)",
        "dt.ImpurityExplorer(X, y, ['a', 'b'], view=\"chord\")",
        "dt.ImpurityExplorer(X, y, class_names=('n', 'y'))",
        "dt.InfluenceExplorer(functions, epsilon=0.1)",
        "dt.InfluenceExplorer()",
    ],
)
def test_what_was_given_has_a_name_that_stands_for_it(line: str) -> None:
    X, y = np.random.default_rng(0).random((30, 2)), np.arange(30) % 2
    given = {"dt": dt, "X": X, "y": y, "functions": dt.functions.majority(3)}
    plain = line.replace("r()", "r(function='caterpillar(3)', epsilon=0.0)")
    explorer = eval(plain, given)  # noqa: S307
    state = {trait: getattr(explorer, trait) for trait in explorer._rules}
    call = [explorer._call, explorer._rules, state]
    assert evaluate(LINK, "(given) => pythonLine(...given)", call) == line


def test_a_picture_is_named_after_what_it_shows() -> None:
    states = [{"view": "chord", "data": "iris"}, {"view": "plane", "data": "iris"}]
    names = evaluate(LINK, "(all) => all.map((values) => fileName('impurity', values))", states)
    assert names == ["impurity-chord", "impurity-iris"]


ROUND = """
(all) => all.map(([rules, start, state]) => {
  const { text, left } = fitted(partsOf("it2", rules, start, state));
  const { anchor, settings } = splitHash(hashOf("a-place", text));
  const { wanted, trouble } = readSettings(settings, (name) =>
    name === "it2" ? { rules, check: () => () => "" } : undefined);
  return { found: { ...start, ...wanted.get("it2") }, trouble, left, anchor, text };
})
"""
RENEWED = """
(rules) => readSettings("it.cost=error", () => ({ rules, check: () => undefined })).wanted.get("it")
"""


def test_an_address_brings_the_state_back() -> None:
    start = {name: {t: getattr(made(name), t) for t in rules(name)} for name in NAMES}
    given = [[rules(name), start[name], state] for name, state in states()]
    for (_, state), result in zip(states(), evaluate(LINK, ROUND, given), strict=True):
        assert result["found"] == state
        assert (result["trouble"], result["left"], result["anchor"]) == ("", [], "a-place")
        assert re.fullmatch(r"[\w.=&%,-]*", result["text"]), "what every program takes for a link"


def test_odd_texts_come_back_and_long_ones_stay_out() -> None:
    odd = ["", "none", '"', '"none"', "a&b=c#d?e", "\ud800", "🎄(x)'", "%41", None]
    rule = {"free": {"type": "text", "free": True, "none": True}}
    given = [[rule, {"free": "start"}, {"free": text}] for text in odd]
    result = evaluate(LINK, ROUND, given)
    assert [each["found"]["free"] for each in result] == odd
    rows = [[0.12, 1e-7, 1], [-3, 2.5e21, 0]]
    table = {"points": {"type": "any", "check": "points"}}
    (result,) = evaluate(LINK, ROUND, [[table, {"points": []}, {"points": rows}]])
    assert result["found"]["points"] == rows
    assert result["text"] == "it2.points=;0.12,1e-7,1;-3,2.5e+21,0"
    # What was called otherwise in an earlier edition is said here once more.
    assert evaluate(LINK, RENEWED, made("ImpurityExplorer")._rules) == {"cost_position": 3}
    both = {"a": {"type": "text", "free": True}, "b": {"type": "text", "free": True}}
    state = {"a": "x" * 5000, "b": "y" * 5001}
    (long,) = evaluate(LINK, ROUND, [[both, {"a": "", "b": ""}, state]])
    assert long["found"] == {"a": state["a"], "b": ""}
    assert long["left"] == ["b"]


MESSAGE = ".dtviz-share-message"
IMPORT = "import dtviz as dt\n"
CLIPBOARD = """
answer => Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => {
  if (answer === "refuse") throw new Error("no");
  globalThis.copied = text;
} } })
"""


def page_of(tmp_path: Path, *explorers: Explorer) -> str:
    address = write_page(tmp_path, *explorers)
    path = tmp_path / "explorers.html"
    long = '<p style="height: 1500px"><a href="#end">on</a></p><h2 id="end">End</h2>'
    path.write_text(path.read_text("utf-8").replace("</main>", f"{long}</main>"), "utf-8")
    return address


def three() -> list[Explorer]:
    own = dt.InfluenceExplorer(dt.functions.majority(3))
    return [dt.InfluenceExplorer(), dt.ProductExplorer(), own]


def statuses(page: Page) -> list[str]:
    return page.get_by_role("status").all_inner_texts()


def work(page: Page) -> None:
    """Change something in the first two explorers, and wait for the address."""
    page.locator("select[name=function]").first.select_option("parity(5)")
    page.locator("input[name=epsilon]").first.press("ArrowRight")
    page.locator("input[name=biases]").nth(2).press("ArrowRight")
    page.wait_for_url("**biases*")


def test_what_a_reader_sets_is_in_the_address(tab: Open, tmp_path: Path) -> None:
    address = page_of(tmp_path, *three())
    seen = tab(address, reduced_motion=True)
    page = seen.page
    entries = page.evaluate("history.length")
    work(page)
    assert page.evaluate("history.length") == entries, "the way back is not longer"
    link, shown = page.url, statuses(page)
    assert link.startswith(f"{address}#?influence.function=parity%285%29&influence.epsilon=0.005&")
    # A place is followed as ever, and the settings stay with it; going back changes no picture.
    page.get_by_role("link", name="on").click()
    page.wait_for_url("**#end?influence*")
    assert page.evaluate("document.querySelector(':target').id") == "end"
    assert page.evaluate("scrollY") > 500
    page.go_back()
    page.wait_for_url("**#?influence*")
    assert statuses(page) == shown
    # Set back to what the page had, nothing is left to tell.
    page.locator("input[name=biases]").nth(2).press("ArrowLeft")
    page.locator("select[name=biases]").select_option("all")
    page.wait_for_url(lambda url: "product" not in url)
    again = tab(link, reduced_motion=True)
    assert statuses(again.page) == shown
    again.page.reload()
    assert statuses(again.page) == shown
    assert seen.complaints == []


def test_a_link_to_one_explorer(tab: Open, tmp_path: Path) -> None:
    """Copied with the keyboard, opened alone and on the page where one is already."""
    address = page_of(tmp_path, *three())
    page = tab(address, reduced_motion=True).page
    work(page)
    shown = statuses(page)
    second = page.locator("#dtviz-product")
    page.evaluate(CLIPBOARD, "accept")
    second.locator("button[name=link]").press("Enter")
    page.wait_for_function("document.querySelectorAll('.dtviz-share-message')[1].textContent")
    assert "Link copied." in second.locator(MESSAGE).inner_text()
    link = page.evaluate("copied")
    assert link == f"{address}#dtviz-product?product.bias=0.31&product.biases=0.3,0.3,"
    page = tab(link, reduced_motion=True).page
    assert statuses(page)[1] == shown[1]
    assert statuses(page)[0] != shown[0]
    page.wait_for_function("scrollY > 100")
    top = "document.querySelector('#dtviz-product').getBoundingClientRect().top"
    assert abs(page.evaluate(top)) < 5
    # The same page, another link: it is followed without loading the page.
    page.evaluate("location.hash = '#dtviz-influence?influence.epsilon=0.5&influence.step=0'")
    page.wait_for_function("scrollY < 100")
    assert statuses(page)[0].startswith("The tree is 1 leaf")
    assert statuses(page)[1] == shown[1]
    # Without a clipboard the address is the link, and the line of Python is marked.
    page.evaluate(CLIPBOARD, "refuse")
    page.locator("button[name=link]").first.click()
    said = page.locator(MESSAGE).first
    said.filter(has_text="the address of this page is a link").wait_for()
    page.locator(".dtviz-share summary").first.click()
    page.locator("button[name=copy-text]").first.click()
    said.filter(has_text="Ctrl+C").wait_for()
    line = "dt.InfluenceExplorer(epsilon=0.5, step=0)"
    assert page.evaluate("getSelection().toString()") == f"{IMPORT}{line}"


BAD = (
    "influence.epsilon=0.7", "influence.epsilon=NaN", "influence.epsilon=1e999",
    "influence.epsilon=", "influence.epsilon=%22%3Cb%3E%22", "influence.epsilon=%E0%A4%A",
    "influence.epsilon=0.2&influence.step=1.5", "influence.__proto__=3", "__proto__.epsilon=0.2",
    "influence.constructor=1", "influence.function=nand(2)", "influence3.epsilon=0.2",
    "product.biases=1", "product.biases=[[0.5]]",
    "product.biases=0.5,x", "product.biases=;0.5",
    "influence.playing=true",
    "influence._rules={}", "nonsense", "<img src=x onerror=alert(1)>", "x" * 200_000,
    "influence.function=" + "x" * 99_000,
)  # fmt: skip


def test_a_bad_address_changes_nothing_and_says_so(tab: Open, tmp_path: Path) -> None:
    address = page_of(tmp_path, *three())
    seen = tab(address, reduced_motion=True)
    page, shown = seen.page, statuses(seen.page)
    for bad in BAD:
        page.evaluate("(bad) => { location.hash = '#?' + bad; }", bad)
        result = page.locator(MESSAGE).first
        page.wait_for_function("document.querySelector('.dtviz-share-message').textContent")
        assert result.inner_text().startswith("The address sets nothing here: "), bad
        assert len(result.inner_text()) < 200
        assert statuses(page) == shown, bad
        assert page.locator(f"{MESSAGE} *").count() == 0
        page.evaluate("document.querySelector('.dtviz-share-message').textContent = ''")
    again = tab(f"{address}#end?{BAD[0]}", reduced_motion=True).page
    assert statuses(again) == shown
    assert "epsilon: 0.7 is not between 0 and 0.5" in again.locator(MESSAGE).first.inner_text()
    again.wait_for_function("scrollY > 500")
    assert seen.complaints == []


PLACES = "all => all.map(e => Math.round(e.getBoundingClientRect().top + scrollY))"


@pytest.mark.parametrize("width", [360, 1200])
def test_the_row_moves_nothing_and_follows_the_reader(
    tab: Open, tmp_path: Path, width: int
) -> None:
    page = tab(page_of(tmp_path, *three()), width=width, reduced_motion=True).page
    row = page.locator("#dtviz-influence .dtviz-share")
    tops = page.locator("h2, .dtviz-explorer").evaluate_all(PLACES)
    python = row.locator("summary")
    python.press("Enter")
    field = row.locator("textarea")
    assert field.is_visible()
    assert field.input_value() == f"{IMPORT}dt.InfluenceExplorer()"
    page.locator("input[name=epsilon]").first.press("ArrowRight")
    assert field.input_value() == f"{IMPORT}dt.InfluenceExplorer(epsilon=0.005)"
    assert width < 1000 or web.axe_findings(page, ".dtviz-share") == []
    row.locator("button[name=copy-text]").click()
    page.wait_for_function("document.querySelector('.dtviz-share-message').textContent")
    assert page.locator("h2, .dtviz-explorer").evaluate_all(PLACES) == tops
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert row.bounding_box()["height"] <= 44  # type: ignore[index]
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.localName") == "summary"
    assert not field.is_visible()
    page.emulate_media(media="print")
    assert row.is_hidden()


IN_JUPYTER = """
  const buttons = [...el.querySelectorAll(".dtviz-share-row button")];
  const line = () => el.querySelector(".dtviz-share-panel textarea").value;
  const lines = [line()];
  model.set("bias", 0.4);
  model.set("biases", [0.5, 0.25]);
  return { buttons: buttons.map(({ name }) => name), lines: [...lines, line()] };
"""


def test_in_jupyter_there_is_no_link(tab: Open) -> None:
    found = run_as_widget(tab("about:blank").page, dt.ProductExplorer(), IN_JUPYTER)
    assert found["buttons"] == ["copy-text", "png"]
    line = "dt.ProductExplorer(bias=0.4, biases=[0.5, 0.25])"
    assert found["lines"] == [f"{IMPORT}dt.ProductExplorer()", f"{IMPORT}{line}"]
    assert (found["left"], found["children"]) == (0, 0)


SAVED: dict[str, tuple[web.Theme, Callable[[], Explorer]]] = {
    "rank-parity-4": ("dark", lambda: dt.RankExplorer(target="parity(4)", rank=3)),
    "impurity-iris": ("light", lambda: dt.ImpurityExplorer(view="plane", data="iris")),
    "growing": ("dark", dt.GrowingExplorer),
    "pruning-tribes-2-3-of-10-bits": ("light", dt.PruningExplorer),
}
PAINT = """
(part) => {
  const canvas = document.createElement("canvas");
  const brush = canvas.getContext("2d");
  Object.assign(brush, { fillStyle: "#c0f" }).fillRect(10, 10, 200, 100);
  part.prepend(canvas);
  const [box, frame] = [part, part.parentElement].map((one) => one.getBoundingClientRect());
  return [box.left - frame.left, box.top - frame.top];
}
"""
MARGIN = 16


@pytest.mark.parametrize("title", SAVED)
def test_the_picture_is_saved_as_it_is(tab: Open, tmp_path: Path, title: str) -> None:
    """At twice the size, in either theme, with what a canvas shows, and the status below."""
    theme, explorer = SAVED[title]
    seen = tab(write_page(tmp_path, explorer()), theme=theme, reduced_motion=True)
    part = seen.page.locator(".dtviz-pictures > :visible").first
    left, top = (round(MARGIN + side) for side in part.evaluate(PAINT))
    with seen.page.expect_download() as found:
        seen.page.locator("button[name=png]").click()
    assert found.value.suggested_filename == f"{title}.png"
    seen.page.wait_for_function(
        f"document.querySelector('{MESSAGE}').textContent === 'Saved as {title}.png.'"
    )
    twice = Image.open(found.value.path())
    saved = np.asarray(twice.resize((twice.width // 2, twice.height // 2)).convert("RGB"), float)
    shown = np.asarray(Image.open(BytesIO(part.screenshot())).convert("RGB"), float)
    height, width, _ = shown.shape
    paper, ground = saved[0, 0], shown[0, 0]  # a bare page has another
    assert (paper.mean() > 128) == (theme == "light")
    away = saved[top:, left:][:height, :width] - paper - (shown - ground)
    assert np.abs(away).mean() < 3
    assert np.ptp(saved[top + height :]) > 100, "the status"
    assert seen.complaints == []


# What readers bring themselves: values that only a judge can tell right from wrong.
NAMED = {"names": ["width", "height", "no", "yes"]}
ROWS = [[k, k % 3, k % 2] for k in range(24)]
BROUGHT: dict[str, dict[str, Any]] = {
    "RankExplorer": {"rows": ["000", "011", "101"]},
    "ImpurityExplorer": {"data": "yours", "points": [[0.5, 1, 0], [0.7, 2, 1], [1, 3, 1]], **NAMED},
    "PruningExplorer": {"sample": "yours", "rows": ROWS, "flips": [1, 5], **NAMED},
}


def test_each_judge_is_there() -> None:
    """Without one a link could not set the trait."""
    for name in NAMES:
        explorer = STATIC.parents[1] / made(name)._explorer / "explorer.js"
        code = "() => Object.keys(checks)"
        judges = evaluate([STATIC / "hosting/kit.js", explorer], code, None)
        assert {rule["check"] for rule in rules(name).values() if "check" in rule} <= set(judges)


@pytest.mark.parametrize("name", BROUGHT)
def test_a_link_brings_what_a_reader_made(tab: Open, tmp_path: Path, name: str) -> None:
    plain = made(name)
    start = {trait: getattr(plain, trait) for trait in rules(name)}
    brought = start | BROUGHT[name]
    (result,) = evaluate(LINK, ROUND, [[rules(name), start, brought]])
    settings = result["text"].replace("it2.", f"{plain._explorer}.")
    wanted = status(tab(write_page(tmp_path, getattr(dt, name)(**BROUGHT[name]))).page)
    address = write_page(tmp_path, plain)
    page = tab("about:blank").page
    page.goto(f"{address}#?{settings}")
    assert (page.locator(MESSAGE).inner_text(), status(page)) == ("", wanted)


def test_the_picture_holds_all_of_a_tree_that_scrolls(tab: Open, tmp_path: Path) -> None:
    explorer = dt.ImpurityExplorer(view="plane", data="titanic", leaves=32, views=["tree"])
    page = tab(write_page(tmp_path, explorer), width=390, touch=True, reduced_motion=True).page
    stage = page.locator(".dtviz-tree .dtviz-stage")
    wide = stage.evaluate("e => e.scrollWidth")
    assert wide > stage.evaluate("e => e.clientWidth") + 100
    with page.expect_download() as found:
        page.locator("button[name=png]").click()
    image = Image.open(found.value.path())
    assert image.convert("RGBA").getextrema()[3] == (255, 255)
    picture = np.asarray(image.convert("RGB"), float)
    assert picture.shape[1] == 2 * (wide + 2 * MARGIN)
    # Its last leaves are there, and do not fade.
    last = picture[:, -2 * (MARGIN + 50) : -2 * MARGIN]
    assert np.abs(last - picture[0, 0]).max() > 100
