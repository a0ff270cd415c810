"""The explorer of pruning in a real browser, held against `dtviz.pruning`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from support.explorers import (
    Open,
    choose,
    fixed,
    numbers,
    press_along,
    shown,
    status,
    status_numbers,
    write_page,
)

import dtviz as dt
from dtviz.pruning.explorer import BITS, METHODS, NOISES, PASSENGERS, TARGETS, PruningExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

NAMES = [f"{name} of {BITS} bits" for name in TARGETS]
DIALS: tuple[tuple[str, dict[str, float]], ...] = (
    ("reduced error", {}),
    ("fewest leaves", {"d": 0}),
    ("fewest leaves", {"d": 45}),
    ("structural risk", {}),
    ("bottom up", {"c": 0.02, "delta": 0.5}),
    ("bottom up", {"c": 0.4, "delta": 0.01}),
)


page = shown(PruningExplorer)


def shows(page: Page, explorer: PruningExplorer) -> bool:
    """Whether the numbers of the status are those of an explorer of Python."""
    found = explorer.pruning()
    errors = [f"{error:.3f}" for error in explorer._errors(found.tree())]
    said = [str(found.n_leaves), str(explorer.path().n_leaves), *errors]
    return status_numbers(page)[:5] == said


@pytest.mark.parametrize("sample", [NAMES[0], PASSENGERS])
def test_every_method_at_its_dials(page: Page, sample: str) -> None:
    choose(page, sample=sample, noise=NOISES.index(0.3))
    for method, dials in DIALS:
        choose(page, method=method, **dials)
        explorer = PruningExplorer(sample=sample, noise=0.3, method=method, **dials)
        assert shows(page, explorer), (method, dials)
        for name, value in dials.items():
            shown = page.locator(f"input[name={name}]").get_attribute("aria-valuetext")
            assert float(str(shown)) == value
    # Each step of the price shows the next pruning.
    choose(page, method="cost complexity")
    path = dt.pruning.cost_complexity_path(explorer.path().tree(), *explorer.training)
    slider = page.locator("input[name=alpha]")
    assert slider.get_attribute("max") == str(len(path.n_leaves) - 1)
    for step in (*range(0, len(path.n_leaves), 3), len(path.n_leaves) - 1):
        choose(page, alpha=step)
        alpha = float(str(slider.get_attribute("aria-valuetext")))
        explorer = PruningExplorer(sample=sample, noise=0.3, method=METHODS[-1], alpha=alpha)
        assert shows(page, explorer)
        assert explorer.tree().n_leaves == path.n_leaves[step]
    # At the end of the slider, Play starts again from the largest tree.
    page.get_by_role("button", name="Play").first.click()
    assert slider.input_value() == "0"
    page.wait_for_function("document.querySelector('input[name=alpha]').value === '1'")
    page.get_by_role("button", name="Pause").first.click()
    assert status_numbers(page)[0] == str(path.n_leaves[1])
    # The curve is that of these prunings, and the dot is on it.
    chart = page.locator("[data-view=errors]")
    line, dot = (chart.locator(f"{kind}.dtviz-pruning") for kind in ("path.dtviz-curve", "circle"))
    x, y = (float(dot.get_attribute(name) or "nan") for name in ("cx", "cy"))
    corners = re.findall(r"([\d.]+) ([\d.]+)", line.get_attribute("d") or "")
    assert any(abs(float(a) - x) < 0.1 and abs(float(b) - y) < 0.1 for a, b in corners)


RIGHT = ".dtviz-heading:visible > .dtviz-aside >> nth=0"
READ = """k => {
  document.querySelector(`[data-node="${k}"]`).focus();
  const tip = document.querySelector(".dtviz-tip");
  const values = [...tip.querySelectorAll("dd")].map(e => e.textContent);
  return [...values, tip.querySelector(".dtviz-dock-reasons")?.textContent];
}"""


def test_the_picture_shows_what_is_cut_and_why(page: Page) -> None:
    choose(page, noise=NOISES.index(0.15), method="bottom up")
    found = PruningExplorer(noise=0.15, method="bottom up").pruning()
    tree = found.counts.given
    kinds = page.locator("[role=treeitem]").evaluate_all(
        "all => all.map(e => e.getAttribute('aria-label').split(':')[0])"
    )
    assert kinds == [
        ("Leaf" if tree.variable[k] < 0 else "Cut here" if found.cut[k] else "Split")
        if found.kept[k]
        else "Cut off"
        for k in range(tree.n_nodes)
    ]
    for decision in found.decisions[::3]:
        k, errors = decision.node, (decision.leaf_errors, decision.subtree_errors)
        here, label, alone, *fresh, reason = page.evaluate(READ, k)
        facts = [
            f"{decision.reach} of {found.counts.m}",
            str(found.counts.label[k]),
            str(errors[0]),
        ]
        assert [here, label, alone] == facts
        said = numbers(f"{errors[0]} {errors[1]} {fixed(found.penalty[k] * decision.reach, 2)}")
        assert " ".join(said) in " ".join(numbers(reason)), k
        assert bool(fresh) == (kinds[k] in ("Leaf", "Cut here"))
    ends = [k for k, kind in enumerate(kinds) if kind in ("Leaf", "Cut here")]
    landed = np.array([numbers(page.evaluate(READ, k)[3]) for k in ends], int)
    right, size = (int(one) for one in numbers(page.locator(RIGHT).inner_text()))
    assert landed[:, 0].sum() == size == landed[0, 1]
    assert landed[:, 2].sum() == size - right


def test_the_staircase_marks_the_least_risk_and_can_be_dragged(page: Page) -> None:
    explorer = PruningExplorer(method="structural risk")
    best = page.locator(".dtviz-best text").text_content()
    assert numbers(str(best)) == [str(explorer.tree().n_leaves)]
    cover = page.locator(".dtviz-chart").nth(1).locator(".dtviz-cover")
    press_along(cover, 4 / (explorer.path().n_leaves - 1))
    assert status_numbers(page)[0] == "5"


POINTED = """
() => {
  document.querySelector(".dtviz-small").scrollIntoView({ block: "center" });
  return [...document.querySelectorAll("[role=treeitem]")].map((node) => {
    if (node.closest("[data-scrolls]")) node.scrollIntoView({ inline: "center", block: "nearest" });
    const { left, right, top, bottom } = node.querySelector("rect").getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return hit?.closest("[role=treeitem]")?.dataset.node === node.dataset.node;
  });
}
"""


def test_each_node_answers_to_the_pointer(tab: Open, tmp_path: Path) -> None:
    explorer = PruningExplorer(sample=NAMES[0], noise=0.3)
    page = tab(write_page(tmp_path, explorer), width=360, reduced_motion=True).page
    assert page.evaluate(POINTED) == [True] * explorer.path().tree().n_nodes


def test_a_tree_comes_back_as_it_was(page: Page) -> None:
    """What was said and where the keyboard was is forgotten; what is cut is not another tree's."""
    choose(page, noise=NOISES.index(0.3))
    untouched = page.locator(".dtviz-small").first.inner_html()
    page.locator("[role=treeitem]").nth(3).focus()
    assert page.locator(".dtviz-active").count() == 1
    choose(page, noise=0, method="structural risk")
    choose(page, noise=NOISES.index(0.3), method="reduced error")
    assert page.locator(".dtviz-tip").is_hidden()
    assert page.locator("[role=treeitem][tabindex='0']").get_attribute("data-node") == "0"
    assert page.locator(".dtviz-small").first.inner_html() == untouched


def test_the_picture_draws_the_errors_of_the_cheapest_prunings() -> None:
    """As the page does, where the method is cost complexity; otherwise those of growth."""
    explorer = PruningExplorer(method="cost complexity")
    errors = explorer.picture().axes[1]
    assert errors.get_title("left") == "of the cheapest prunings"
    sizes = np.array(errors.lines[0].get_xdata()).tolist()
    drawn = np.array([line.get_ydata() for line in errors.lines])
    for explorer.alpha in (0.0, 0.01, 0.03, 1.0):
        tree = explorer.tree()
        found = drawn[:, sizes.index(tree.n_leaves)]
        assert found == pytest.approx(explorer._errors(tree)), explorer.alpha
    explorer.method = "bottom up"
    assert explorer.picture().axes[1].get_title("left") == "as the tree grows"


def test_the_caption_says_what_is_there() -> None:
    """Rows that are not there are not flipped; until there are some, the first sample stands."""
    explorer = PruningExplorer()
    errors = [f"{error:.3f}" for error in explorer._errors(explorer.tree())]
    assert numbers(explorer.caption())[-4:] == [str(explorer.tree().n_leaves), *errors]
    n_rows = len(explorer.shown.y[0])
    assert "and 1 more by hand" in PruningExplorer(flips=[n_rows - 1, n_rows]).caption()
    assert "grown on yours" not in PruningExplorer(sample="yours").caption()


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (({"": dt.functions.parity(2)},), "samples must"),
        ((dt.functions.parity(11),), "samples must"),
        (("a table", [0, 1]), "X must be a table"),
        ((np.full((30, 2), np.nan), [0, 1] * 15), "X must not have missing values"),
        ((np.zeros((30, 2)), [0, 1]), "y must have one label for each of the 30 rows"),
        ((np.zeros((30, 2)), [0, 1, 2] * 10), r"y must have two classes, got \[0, 1, 2\]"),
        ((np.zeros((30, 31)), [0, 1] * 15), "X must have at most 30 columns, got 31"),
        ((np.zeros((19, 2)), [0] * 19), "X must have from 20 to 2000 rows, got 19"),
    ],
)
def test_bad_samples_and_tables_are_refused(given: Any, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        PruningExplorer(*given)


@pytest.mark.parametrize("kind", [PruningExplorer, dt.RankExplorer])
def test_a_table_by_another_name_is_refused(kind: Any) -> None:
    rule = r"Explorer\(\) has no argument X: the table comes first, without a name: \w+\(X, y\)"
    with pytest.raises(ValueError, match=rule):
        kind(X=[[0, 1]] * 30, y=[0, 1] * 15)


def passengers() -> pd.DataFrame:
    """The people with text and gaps."""
    people = dt.datasets.titanic()
    frame = pd.DataFrame(people.X, columns=list(people.feature_names)).infer_objects()
    return frame.assign(survived=np.where(people.y == 1, "yes", "no"))


def test_a_frame_with_its_target() -> None:
    frame = passengers().dropna()
    explorer = PruningExplorer(frame, "survived", noise=0)
    shown = explorer.shown
    assert shown.classes == ("no", "yes")
    assert shown.features[:2] == ("class", "sex is male")
    assert shown.features[-1] == "port is Southampton"
    assert sum(map(len, shown.y)) == len(frame)
    assert explorer.pruning().n_leaves < explorer.path().n_leaves
    # What the page makes of a table is what Python takes, and shows the same.
    X, y = (np.concatenate(getattr(shown, name)) for name in ("X", "y"))
    rows, names = np.column_stack([X, y]).tolist(), [*shown.features, *shown.classes]
    own = PruningExplorer(rows=rows, names=names, sample="yours")
    assert own.shown.features == shown.features
    assert sorted(map(tuple, np.concatenate(own.shown.X))) == sorted(map(tuple, X))
    assert own.path().n_leaves > own.tree().n_leaves >= 1
    # Until there are rows, the first sample stands for them.
    own.rows = []
    assert own.shown is own.examples[NAMES[0]]


def test_the_passengers_are_those_of_the_pages() -> None:
    explorer = PruningExplorer(sample=PASSENGERS, noise=0)
    parts = dt.datasets.titanic(numeric=True).split(450, 200, seed=0)
    for k, part in enumerate(parts):
        assert np.array_equal(explorer.shown.X[k], part.X)
        assert np.array_equal(explorer.shown.y[k], part.y)
    grown, second = ((part.X, part.y) for part in parts[:2])
    expected = dt.pruning.reduced_error_prune(dt.grow(*grown).tree(), *second, grown_on=grown)
    assert explorer.tree() == expected.tree()


def test_labels_that_a_reader_brings_are_not_flipped() -> None:
    X = np.arange(60.0).reshape(-1, 1)
    y = (X[:, 0] > 30).astype(int)
    explorer = PruningExplorer(X, y)
    assert (explorer.noise, explorer.training[0].shape) == (0, (30, 1))
    for rows, labels in (explorer.training, explorer.held_out):
        assert np.array_equal(labels, rows[:, 0] > 30)
    assert PruningExplorer(dt.functions.majority(3)).noise == 0.1
    assert PruningExplorer(X, y, noise=0.2).noise == 0.2


def test_functions_and_names_of_the_readers_own(page: Page) -> None:
    explorer = PruningExplorer(sample="rain & wind | sun", noise=0.1)
    page.locator("[name=formula]").fill("rain & wind | sun")
    choose(page, noise=0)
    explorer.noise = 0
    assert shows(page, explorer)
    texts = set(page.locator(".dtviz-small text:visible").all_text_contents())
    assert {"rain", "sun", "wind"} == texts
    places = page.get_by_role("treeitem").evaluate_all("all => all.map((e) => e.ariaLabel)")
    assert all(" x0=" not in place and " x2=" not in place for place in places)
    assert page.locator(".dtviz-example").inner_text().startswith("rain=")
    assert str(explorer.tree()).split("\n")[0] in texts
    assert explorer.shown.features == ("rain", "sun", "wind", *(f"x{i}" for i in range(3, 10)))


def test_labels_are_flipped_by_hand(page: Page) -> None:
    """By a click on a square, by the keyboard; and the tree follows, and undo."""
    start, canvas = status(page), page.locator(".dtviz-mosaic")
    canvas.click(position={"x": 30, "y": 10})
    assert shows(page, PruningExplorer(flips=[1]))
    assert status_numbers(page)[5:] == ["1"]
    choose(page, row=11)
    page.get_by_role("button", name="Flip its label").press("Enter")
    assert shows(page, PruningExplorer(flips=[1, 11]))
    canvas.click(position={"x": 30, "y": 10})
    assert shows(page, PruningExplorer(flips=[11]))
    page.get_by_role("button", name="Undo all flips").click()
    assert status(page) == start


PARTINGS = """() => [...document.querySelectorAll(".dtviz-tree")].map((tree) =>
  [...tree.querySelectorAll("[role=treeitem][aria-label$='decided differently beside']")].map((e) =>
    Number(e.dataset.node)))"""


def test_another_pruning_beside(page: Page) -> None:
    """Ringed in both trees is every node that one keeps and the other cuts, and no other."""
    choose(page, beside="cost complexity")
    explorer, other = PruningExplorer(), PruningExplorer(method="cost complexity").pruning()
    one = explorer.pruning()
    apart = (one.counts.given.variable >= 0) & one.kept & other.kept & (one.cut != other.cut)
    expected = np.flatnonzero(apart).tolist()
    assert len(expected) > 1
    assert page.evaluate(PARTINGS) == [expected, expected]
    rings = page.locator("path.dtviz-parting").evaluate_all(
        "e => e.map((p) => p.getAttribute('d').split('M').length - 1)"
    )
    assert rings == [len(expected)] * 2
    errors = [f"{error:.3f}" for error in explorer._errors(other.tree())[1:]]
    assert status_numbers(page)[5:] == [str(len(expected)), *errors]
    assert (
        page.locator(".dtviz-legend")
        .get_by_text("decided differently")
        .locator("visible=true")
        .count()
        == 2
    )
    # One dock tells both.
    page.locator(".dtviz-tree").nth(1).locator("[data-node='1']").focus()
    assert page.locator(".dtviz-tip strong").is_visible()
    assert page.locator(".dtviz-tree").nth(0).locator(".dtviz-active").count() == 1
    choose(page, beside="nothing")
    assert page.evaluate(PARTINGS)[0] == []
    assert not page.locator(".dtviz-legend").get_by_text("decided differently").first.is_visible()


FALL = """async () => {
  const list = document.querySelector("select[name=beside]");
  list.value = "reduced error";
  list.dispatchEvent(new Event("change", { bubbles: true }));
  const said = [];
  for (let k = 0; k < 400 && !said.at(-1)?.[0].endsWith("rows"); k += 1) {
    await new Promise(requestAnimationFrame);
    await new Promise((then) => setTimeout(then));
    const all = [...document.querySelectorAll(".dtviz-prunings .dtviz-heading > .dtviz-aside")];
    if (all[1].textContent) said.push(all.map((one) => one.textContent));
  }
  return said;
}"""


def test_a_tree_twice_falls_in_step(tab: Open, tmp_path: Path) -> None:
    page = tab(write_page(tmp_path, PruningExplorer(beside="nothing"))).page
    page.wait_for_function("document.querySelector('.dtviz-aside').innerText.endsWith('rows')")
    said = page.evaluate(FALL)
    assert [one for one, other in said if one != other] == []
    assert len(set(map(tuple, said))) > 2
    assert all(one.endswith(" so far") for one, _ in said[:-1])


def paste(page: Page, text: str) -> None:
    if page.get_by_label("Your table as text").is_hidden():
        page.get_by_role("button", name="Paste a table").click()
    page.get_by_label("Your table as text").fill(text)
    page.locator("button[name=read]").click()


def test_an_own_table_is_pasted(page: Page) -> None:
    """A column of names is left out, and so are rows with gaps."""
    frame = passengers().iloc[400:600]
    whole, said = frame.dropna(), page.locator(".dtviz-table-message")
    named = frame.assign(name=[f"person {k}" for k in range(len(frame))])
    paste(page, named.to_csv(index=False))
    choose(page, target="survived")
    assert shows(page, PruningExplorer(whole, "survived"))
    left_out = {str(len(frame) - len(whole)), str(len(frame))}
    assert left_out <= set(numbers(said.inner_text()))
    # What is wrong is reported, and the table before stays.
    before = status(page)
    for bad in ("a,b\n" + "1,2\n" * 30, "a,b\n1,0\n2,1\n"):
        paste(page, bad)
        assert said.get_attribute("data-fault") == "true"
        assert status(page) == before


def test_readings_follow_the_sample(page: Page) -> None:
    """A table of few rows and without noise comes and goes."""
    choose(page, noise=NOISES.index(0.13), method="fewest leaves", d=30)
    paste(
        page, "a,b,label\n" + "".join(f"{k},{k * 7 % 41},{'yn'[k % 3 == 0]}\n" for k in range(40))
    )
    choose(page, row=19)
    noise, errors = (page.locator(f".dtviz-field:has(> [name={name}])") for name in ("noise", "d"))
    assert noise.locator(".dtviz-value").inner_text() == "0.00"
    most = errors.locator("input").get_attribute("max")
    assert int(str(most)) < 30
    assert errors.locator(".dtviz-value").inner_text() == most
    page.get_by_role("button", name="Flip its label").click()
    assert status_numbers(page)[5:] == ["1"]
    choose(page, sample=NAMES[1])
    assert len(status_numbers(page)) == 5
    assert shows(page, PruningExplorer(sample=NAMES[1], noise=0, method="fewest leaves", d=30))
