"""The explorer of pruning in a real browser, held against `dtviz.pruning`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from support.cases import sweep
from support.explorers import (
    MOVE,
    WIDTHS,
    Open,
    fixed,
    numbers,
    settle,
    status,
    status_numbers,
    undisturbed,
    write_page,
)

import dtviz as dt
from dtviz import pruning
from dtviz.pruning.explorer import BITS, METHODS, NOISES, PASSENGERS, REAL, TARGETS, PruningExplorer

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

NAMES = [*(f"{name} of {BITS} bits" for name in TARGETS), PASSENGERS, REAL]
DIALS = {
    "reduced error": {},
    "fewest leaves": {"d": (0, 3, 17, 45)},
    "structural risk": {},
    "bottom up": {"c": (0.02, 0.06, 0.1, 0.2, 0.4), "delta": (0.01, 0.1, 0.5)},
    "cost complexity": {"alpha": (0, 1, 2, 3, 5, 8)},  # steps of the sequence
}
DEFAULTS = {"d": 20, "c": 0.1, "delta": 0.1, "alpha": 0.01}


@pytest.fixture(scope="session")
def pruning_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of a page with the default explorer."""
    return write_page(tmp_path_factory.mktemp("pruning"), PruningExplorer())


@pytest.fixture
def page(tab: Open, pruning_page: str) -> Iterator[Page]:
    """The default explorer on a page from disk; it must not complain or ask another host."""
    yield from undisturbed(tab(pruning_page, reduced_motion=True))


@cache
def default() -> PruningExplorer:
    """The explorer as it starts, which no test changes."""
    return PruningExplorer()


def choose(page: Page, **state: Any) -> None:
    """Set controls by their names; the noise by its value."""
    for name, value in state.items():
        if name in {"sample", "method"}:
            page.locator(f"select[name={name}]").first.select_option(value)
        else:
            at = NOISES.index(value) if name == "noise" else value
            page.evaluate(MOVE, [name, [at]])


def share(wrong: int, size: int) -> str:
    return fixed(wrong / size, 3)


def mistakes(tree: dt.Tree, X: Any, y: Any) -> int:
    """Point by point, each on its way down the tree."""
    return sum(tree(x) != label for x, label in zip(X.tolist(), y.tolist(), strict=True))


@cache
def grown(sample: str, noise: float) -> dt.Tree:
    shown = default().examples[sample]
    return dt.grow(shown.X[0], shown.noisy(noise)[0]).tree()


def pruned(sample: str, noise: float, method: str, dials: dict[str, float]) -> pruning.Pruning:
    """What a method makes of the tree, by the public functions of `dtviz.pruning`."""
    shown = default().examples[sample]
    first, second = shown.noisy(noise)
    tree = grown(sample, noise)
    if method == "reduced error":
        return dt.pruning.reduced_error_prune(
            tree, shown.X[1], second, grown_on=(shown.X[0], first)
        )
    X, y = shown.X[0], first
    if method == "fewest leaves":
        smallest = dt.pruning.smallest_prunings(tree, X, y)
        feasible = [d for d in range(len(y) + 1) if smallest.n_leaves[d] < np.inf]
        return smallest.pruning(d=max(int(dials["d"]), feasible[0]))
    if method == "structural risk":
        return dt.pruning.srm_prune(tree, X, y)
    if method == "bottom up":
        return dt.pruning.bottom_up_prune(tree, X, y, delta=dials["delta"], c=dials["c"])
    return dt.pruning.cost_complexity_prune(tree, X, y, dials["alpha"])


def status_of(sample: str, noise: float, method: str, dials: dict[str, float]) -> list[str]:
    """Return the numbers that the status line must say."""
    found = pruned(sample, noise, method, dials)
    shown = default().examples[sample]
    first, second = shown.noisy(noise)
    wrong = int((found.tree().predict(shown.X[2]) != shown.y[2]).sum())
    size = len(shown.y[2])
    flips = round(100 * noise)
    return [
        str(found.n_leaves),
        str(found.counts.given.n_leaves),
        share(mistakes(found.tree(), shown.X[0], first), len(first)),
        share(mistakes(found.tree(), shown.X[1], second), len(second)),
        fixed(((100 - flips) * wrong + flips * (size - wrong)) / (100 * size), 3),
    ]


def settings(method: str) -> list[dict[str, float]]:
    """One dial after the other through its values, the others at their defaults."""
    found = [DEFAULTS]
    for name, values in DIALS[method].items():
        found += [DEFAULTS | {name: value} for value in values]
    return found if DIALS[method] else found[:1]


READINGS = """
() => Object.fromEntries(
  [...document.querySelectorAll("[data-control] .dtviz-range:not([hidden]) input")].map((input) => [
    input.name, input.getAttribute("aria-valuetext"),
  ]))
"""


def misread(page: Page, sample: str, noises: tuple[float, ...]) -> list[str]:
    """Where the status line is wrong, over all methods and values of their dials."""
    found = []
    choose(page, sample=sample)
    for noise in noises:
        choose(page, noise=noise)
        for method in METHODS:
            choose(page, method=method)
            for dials in settings(method):
                choose(page, **{key: dials[key] for key in DIALS[method]})
                shown = page.evaluate(READINGS)
                priced = dials | {"alpha": float(shown.get("alpha", 0))}
                expected = status_of(sample, noise, method, priced)
                if status_numbers(page) != expected:
                    found.append(f"{status(page)!r}, not {expected}")
                wanted = {"noise": noise} | {key: priced[key] for key in DIALS[method]}
                found += [
                    f"{key} at {shown.get(key)}, not {value}"
                    for key, value in wanted.items()
                    if float(shown.get(key, "nan")) != value
                ]
    return found


@pytest.mark.parametrize("sample", sweep(NAMES, 3))
def test_every_method_at_every_dial(page: Page, sample: str) -> None:
    assert misread(page, sample, (0.0, 0.3)) == []


@pytest.mark.parametrize("sample", [NAMES[0], PASSENGERS])
def test_each_step_of_the_price_shows_the_next_pruning(page: Page, sample: str) -> None:
    choose(page, sample=sample, method="cost complexity")
    shown = default().examples[sample]
    path = pruning.cost_complexity_path(grown(sample, 0.1), shown.X[0], shown.noisy(0.1)[0])
    said = page.evaluate(MOVE, ["alpha", list(range(len(path.n_leaves)))])
    kept = [int(numbers(text)[0]) for text in said]
    assert kept == path.n_leaves.tolist()
    slider = page.locator("input[name=alpha]")
    assert slider.get_attribute("max") == str(len(kept) - 1)
    # At the end of the slider, Play starts again from the largest tree.
    page.get_by_role("button", name="Play").first.click()
    assert slider.input_value() == "0"
    page.wait_for_function("document.querySelector('input[name=alpha]').value === '1'")
    page.get_by_role("button", name="Pause").first.click()
    assert status_numbers(page)[0] == str(kept[1])
    # The curve is that of these prunings, and the dot is on it.
    chart = page.locator("[data-view=errors]")
    line, dot = (chart.locator(f"{kind}.dtviz-pruning") for kind in ("path.dtviz-curve", "circle"))
    x, y = (float(dot.get_attribute(name) or "nan") for name in ("cx", "cy"))
    corners = re.findall(r"([\d.]+) ([\d.]+)", line.get_attribute("d") or "")
    assert any(abs(float(a) - x) < 0.1 and abs(float(b) - y) < 0.1 for a, b in corners)


@pytest.mark.parametrize("method", sweep(METHODS, 2))
def test_the_picture_shows_what_is_cut_and_why(page: Page, method: str) -> None:
    sample, noise = "tribes(2, 3) of 10 bits", 0.15
    choose(page, sample=sample, noise=noise, method=method)
    found = pruned(sample, noise, method, DEFAULTS)
    tree = found.counts.given
    kinds = page.locator("[role=treeitem]").evaluate_all(
        "all => all.map(e => e.getAttribute('aria-label').split(':')[0])"
    )
    expected = [
        ("Leaf" if tree.variable[k] < 0 else "Cut here" if found.cut[k] else "Split")
        if found.kept[k]
        else "Cut off"
        for k in range(tree.n_nodes)
    ]
    assert kinds == expected
    # Why: what was compared at each node, as the dock says it.
    read = """k => {
      document.querySelector(`[data-node="${k}"]`).focus();
      const tip = document.querySelector(".dtviz-tip");
      const values = [...tip.querySelectorAll("dd")].map(e => e.textContent);
      return [...values, tip.querySelector(".dtviz-dock-reasons").textContent];
    }"""
    m = found.counts.m
    for decision in found.decisions:
        k = decision.node
        here, label, alone, reason = page.evaluate(read, k)
        assert (here, label) == (f"{decision.reach} of {m}", str(found.counts.label[k]))
        assert alone == str(decision.leaf_errors)
        if method in {"reduced error", "bottom up"}:
            fine = fixed(found.penalty[k] * decision.reach, 2) if method == "bottom up" else ""
            errors = numbers(f"{decision.leaf_errors} {decision.subtree_errors} {fine}")
            seen = numbers(reason)
            assert any(seen[j : j + len(errors)] == errors for j in range(len(seen))), k


def test_the_staircase_marks_the_least_risk(page: Page) -> None:
    for sample in NAMES:
        choose(page, sample=sample)
        found = pruned(sample, 0.1, "structural risk", DEFAULTS)
        best = page.locator(".dtviz-best text").text_content()
        assert numbers(str(best)) == [str(found.n_leaves)]


def test_the_staircase_can_be_dragged(page: Page) -> None:
    cover = page.locator(".dtviz-chart").nth(1).locator(".dtviz-cover")
    cover.scroll_into_view_if_needed()
    box = cover.bounding_box()
    assert box is not None
    leaves = pruned(NAMES[0], 0.1, "structural risk", DEFAULTS).counts.given.n_leaves
    x = box["x"] + (5 - 1) / (leaves - 1) * box["width"]
    page.mouse.click(x, box["y"] + 40)
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


@pytest.mark.parametrize("width", WIDTHS)
def test_each_node_answers_to_the_pointer(tab: Open, pruning_page: str, width: int) -> None:
    page = tab(pruning_page, width=width, reduced_motion=True).page
    for sample in NAMES:
        choose(page, sample=sample, noise=0.3)
        found = page.evaluate(POINTED)
        assert len(found) == grown(sample, 0.3).n_nodes
        assert all(found)


def test_a_tree_comes_back_as_it_was(page: Page) -> None:
    """What was said and where the keyboard was is forgotten; what is cut is not another tree's."""
    choose(page, noise=0.3)
    untouched = page.locator(".dtviz-small").first.inner_html()
    page.locator("[role=treeitem]").nth(3).focus()
    assert page.locator(".dtviz-active").count() == 1
    choose(page, noise=0.0, method="structural risk")
    choose(page, noise=0.3, method="reduced error")
    assert page.locator(".dtviz-tip").is_hidden()
    assert page.locator("[role=treeitem][tabindex='0']").get_attribute("data-node") == "0"
    assert page.locator(".dtviz-small").first.inner_html() == untouched


def test_the_picture_draws_the_errors_of_the_cheapest_prunings() -> None:
    """As the page does, where the method is cost complexity; otherwise those of growth."""
    explorer = dt.PruningExplorer()
    explorer.method = "cost complexity"
    errors = explorer.picture().axes[1]
    assert errors.get_title("left") == "of the cheapest prunings"
    sizes = np.array(errors.lines[0].get_xdata()).tolist()
    drawn = np.array([line.get_ydata() for line in errors.lines])
    for alpha in (0.0, 0.01, 0.03, 1.0):
        explorer.alpha = alpha
        tree = explorer.tree()
        found = drawn[:, sizes.index(tree.n_leaves)]
        assert found == pytest.approx(explorer._errors(tree)), alpha
    explorer.method = "bottom up"
    assert explorer.picture().axes[1].get_title("left") == "as the tree grows"


def test_the_caption_says_what_is_there() -> None:
    """Rows that are not there are not flipped; until there are some, the first sample stands."""
    caption = default().caption()
    result = status_of(NAMES[0], 0.1, "reduced error", DEFAULTS)
    assert numbers(caption)[-4:] == [result[0], *result[2:]]
    n_rows = len(default().shown.y[0])
    assert "more by hand" not in dt.PruningExplorer(flips=[n_rows]).caption()
    assert "and 1 more by hand" in dt.PruningExplorer(flips=[n_rows - 1, n_rows]).caption()
    assert "grown on yours" not in dt.PruningExplorer(sample="yours").caption()


def test_readers_own_data(tab: Open, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3)).round(2)
    mine = X, (X[:, 0] > X[:, 1]).astype(int)
    explorer = PruningExplorer(*mine, noise=0.2, method="bottom up", c=0.2)
    page = tab(write_page(tmp_path, explorer)).page
    assert shows(page, explorer)
    X0, y0 = explorer.training
    assert (X0.shape, y0.shape) == ((100, 3), (100,))
    assert explorer.held_out[0].shape == (50, 3)


@pytest.mark.parametrize(
    "samples", [{}, {"f": 3}, {"": dt.functions.parity(2)}, dt.functions.parity(11)]
)
def test_bad_samples_are_refused(samples: Any) -> None:
    with pytest.raises(ValueError, match="samples must"):
        PruningExplorer(samples)


@pytest.mark.parametrize(
    ("X", "y", "rule"),
    [
        (np.zeros((30, 2)), "survived", "X a data frame with a column 'survived'"),
        (pd.DataFrame({"a": [0] * 30}), "b", "y must be .* one column of X, got 'b': it has a"),
        (np.full((30, 2), np.nan), [0, 1] * 15, "X must not have missing values"),
        (np.zeros((30, 2)), [0, 1], "y must have one label for each of the 30 rows"),
        (np.zeros((30, 2)), [0, 1, 2] * 10, r"y must have two classes, got \[0, 1, 2\]"),
        (np.zeros((30, 31)), [0, 1] * 15, "X must have at most 30 columns, got 31"),
        (np.zeros((19, 2)), [0] * 19, "X must have from 20 to 2000 rows, got 19"),
        ("a table", [0, 1], "X must be a table"),
    ],
)
def test_bad_tables_are_refused(X: Any, y: Any, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        PruningExplorer(X, y)


def test_a_frame_with_its_target() -> None:
    people = dt.datasets.titanic()
    frame = pd.DataFrame(people.X, columns=list(people.feature_names)).infer_objects()
    frame["survived"] = np.where(people.y == 1, "yes", "no")
    explorer = PruningExplorer(frame.dropna(), "survived", noise=0)
    shown = explorer.shown
    assert shown.classes == ("no", "yes")
    assert shown.features[:2] == ("class", "sex is male")
    assert shown.features[-1] == "port is Southampton"
    assert sum(map(len, shown.y)) == len(frame.dropna())
    assert explorer.pruning().n_leaves < explorer.path().n_leaves
    # The same passengers as numbers: the columns in common are the same rows in the same order.
    numbers = PruningExplorer(dt.datasets.titanic(numeric=True).X, people.y[:1045])
    assert numbers.shown.classes == ("0", "1")


def test_the_passengers_are_those_of_the_pages() -> None:
    explorer = PruningExplorer(sample=PASSENGERS, noise=0)
    grown, second, untouched = dt.datasets.titanic(numeric=True).split(450, 200, seed=0)
    for k, part in enumerate((grown, second, untouched)):
        assert np.array_equal(explorer.shown.X[k], part.X)
        assert np.array_equal(explorer.shown.y[k], part.y)
    tree = dt.grow(grown.X, grown.y).tree()
    sample = (second.X, second.y)
    expected = dt.pruning.reduced_error_prune(tree, *sample, grown_on=(grown.X, grown.y))
    assert explorer.tree() == expected.tree()


def shows(page: Page, explorer: PruningExplorer) -> bool:
    """Whether the numbers of the status are those of an explorer of Python."""
    found = explorer.pruning()
    errors = [f"{error:.3f}" for error in explorer._errors(found.tree())]
    said = [str(found.n_leaves), str(explorer.path().n_leaves), *errors]
    return status_numbers(page)[:5] == said


@pytest.mark.parametrize("text", ["x0 & (x1 | ~x2)", "01101001", "0x96", "maj(x0, x1, x4)"])
def test_own_functions(page: Page, text: str) -> None:
    explorer = PruningExplorer(sample=text, noise=0.13)
    page.locator("[name=formula]").fill(text)
    choose(page, noise=0.13)
    assert shows(page, explorer)


def test_names_of_the_readers_variables_stand_everywhere(tab: Open, tmp_path: Path) -> None:
    explorer = PruningExplorer(sample="rain & wind | sun", noise=0.0)
    page = tab(write_page(tmp_path, explorer)).page
    texts = set(page.locator(".dtviz-small text:visible").all_text_contents())
    assert {"rain", "sun", "wind"} == texts
    places = page.get_by_role("treeitem").evaluate_all("all => all.map((e) => e.ariaLabel)")
    assert all(" x0=" not in place and " x2=" not in place for place in places)
    assert page.locator(".dtviz-example").inner_text().startswith("rain=")
    assert str(explorer.tree()).split("\n")[0] in texts
    assert explorer.shown.features == ("rain", "sun", "wind", *(f"x{i}" for i in range(3, 10)))


def test_labels_are_flipped_by_hand(page: Page) -> None:
    """By a click on a square, by the keyboard; and the tree follows, and undo."""
    start = status(page)
    canvas = page.locator(".dtviz-mosaic")
    canvas.click(position={"x": 30, "y": 10})
    assert shows(page, PruningExplorer(flips=[1]))
    assert status_numbers(page)[5:] == ["1"]
    page.evaluate(MOVE, ["row", [11]])
    button = page.get_by_role("button", name="Flip its label")
    button.focus()
    page.keyboard.press("Enter")
    assert shows(page, PruningExplorer(flips=[1, 11]))
    canvas.click(position={"x": 30, "y": 10})
    assert shows(page, PruningExplorer(flips=[11]))
    canvas.click(position={"x": 50, "y": 10})
    assert status_numbers(page)[5:] == ["2"]
    page.get_by_role("button", name="Undo all flips").click()
    assert status(page) == start


PARTINGS = """() => [...document.querySelectorAll(".dtviz-tree")].map((tree) =>
  [...tree.querySelectorAll("[role=treeitem][aria-label$='decided differently beside']")].map((e) =>
    Number(e.dataset.node)))"""


@pytest.mark.parametrize("beside", ["the full tree", "cost complexity"])
def test_another_pruning_beside(page: Page, beside: str) -> None:
    """Ringed in both trees is every node that one keeps and the other cuts, and no other."""
    page.locator("select[name=beside]").select_option(beside)
    one = pruned(NAMES[0], 0.1, "reduced error", DEFAULTS)
    other = None if beside not in METHODS else pruned(NAMES[0], 0.1, beside, DEFAULTS)
    inner = one.counts.given.variable >= 0
    cut = np.zeros_like(inner) if other is None else other.cut
    both = one.kept if other is None else one.kept & other.kept
    expected = np.flatnonzero(inner & both & (one.cut != cut)).tolist()
    assert len(expected) > 1
    assert page.evaluate(PARTINGS) == [expected, expected]
    rings = page.locator("path.dtviz-parting").evaluate_all(
        "e => e.map((p) => p.getAttribute('d'))"
    )
    assert [ring.count("M") for ring in rings] == [len(expected)] * 2
    tree = one.counts.given if other is None else other.tree()
    shown = PruningExplorer(sample=NAMES[0], method="reduced error")
    errors = [f"{error:.3f}" for error in shown._errors(tree)[1:]]
    assert status_numbers(page)[5:] == [str(len(expected)), *errors]
    # One dock tells both.
    page.locator(".dtviz-tree").nth(1).locator("[data-node='1']").focus()
    assert page.locator(".dtviz-tip strong").is_visible()
    assert page.locator(".dtviz-tree").nth(0).locator(".dtviz-active").count() == 1
    page.locator("select[name=beside]").select_option("nothing")
    assert page.evaluate(PARTINGS)[0] == []


def passengers() -> pd.DataFrame:
    """Two hundred passengers with text and gaps."""
    people = dt.datasets.titanic()
    frame = pd.DataFrame(people.X, columns=list(people.feature_names)).infer_objects()
    frame["survived"] = np.where(people.y == 1, "yes", "no")
    return frame.iloc[400:600]


def test_an_own_table_is_pasted(page: Page) -> None:
    frame = passengers()
    page.get_by_role("button", name="Paste a table").click()
    field, button = page.get_by_label("Your table as text"), page.locator("button[name=read]")
    field.fill(frame.to_csv(index=False))
    button.click()
    explorer = PruningExplorer(frame.dropna(), "survived")
    assert shows(page, explorer)
    left_out = len(frame) - len(frame.dropna())
    assert str(left_out) in numbers(page.locator(".dtviz-table-message").inner_text())
    # What is wrong is reported, and the table before stays.
    before = status(page)
    page.get_by_role("button", name="Paste a table").click()
    for bad in ("", "a,b\n1,2\n3", "a,b\n" + "1,2\n" * 30, "x" * 300, "a,b\n1,0\n2,1\n"):
        field.fill(bad)
        button.click()
        assert page.locator(".dtviz-table-message").get_attribute("data-fault") == "true"
        assert status(page) == before


def test_readings_follow_the_sample(page: Page) -> None:
    """A table of few rows and without noise comes and goes."""
    choose(page, noise=0.13, method="fewest leaves", d=30)
    page.get_by_role("button", name="Paste a table").click()
    rows = "".join(f"{k},{k * 7 % 41},{'yn'[k % 3 == 0]}\n" for k in range(40))
    page.get_by_label("Your table as text").fill("a,b,label\n" + rows)
    page.locator("button[name=read]").click()
    settle(page)
    noise, errors = (page.locator(f".dtviz-field:has(> [name={name}])") for name in ("noise", "d"))
    assert noise.locator(".dtviz-value").inner_text() == "0.00"
    most = errors.locator("input").get_attribute("max")
    assert most is not None
    assert int(most) < 30
    assert errors.locator(".dtviz-value").inner_text() == most
    page.evaluate(MOVE, ["row", [19]])
    page.get_by_role("button", name="Flip its label").click()
    assert status_numbers(page)[5:] == ["1"]
    choose(page, sample=NAMES[1])
    assert len(status_numbers(page)) == 5
    own = PruningExplorer(sample=NAMES[1], noise=0, method="fewest leaves", d=30)
    assert shows(page, own)


def test_a_column_of_names_is_left_out(page: Page) -> None:
    page.locator("select[name=sample]").select_option("yours")
    frame = passengers().dropna()
    named = frame.assign(name=[f"person {k}" for k in range(len(frame))])
    page.get_by_role("button", name="Paste a table").click()
    page.get_by_label("Your table as text").fill(named.to_csv(index=False))
    page.locator("button[name=read]").click()
    page.locator("select[name=target]").select_option("survived")
    assert shows(page, PruningExplorer(frame, "survived"))
    assert str(len(frame)) in numbers(page.locator(".dtviz-table-message").inner_text())


def test_labels_that_a_reader_brings_are_not_flipped() -> None:
    X = np.arange(60.0).reshape(-1, 1)
    y = (X[:, 0] > 30).astype(int)
    explorer = PruningExplorer(X, y)
    assert explorer.noise == 0
    for rows, labels in (explorer.training, explorer.held_out):
        assert np.array_equal(labels, rows[:, 0] > 30)
    assert PruningExplorer(dt.functions.majority(3)).noise == 0.1
    assert PruningExplorer(X, y, noise=0.2).noise == 0.2


@pytest.mark.parametrize("kind", [PruningExplorer, dt.RankExplorer])
def test_a_table_by_another_name_is_refused(kind: Any) -> None:
    rule = r"Explorer\(\) has no argument X: the table comes first, without a name: \w+\(X, y\)"
    with pytest.raises(ValueError, match=rule):
        kind(X=[[0, 1]] * 30, y=[0, 1] * 15)


def test_own_rows_are_a_trait() -> None:
    """What the page makes of a table is what Python takes, and shows the same."""
    own = PruningExplorer(passengers().dropna(), "survived")
    X, y = (np.concatenate(getattr(own.shown, name)) for name in ("X", "y"))
    rows = np.column_stack([X, y])
    names = [*own.shown.features, *own.shown.classes]
    explorer = PruningExplorer(rows=rows.tolist(), names=names, sample="yours")
    assert explorer.shown.features == own.shown.features
    assert sorted(map(tuple, np.concatenate(explorer.shown.X))) == sorted(map(tuple, X))
    assert explorer.path().n_leaves > explorer.tree().n_leaves >= 1
    # Until there are rows, the first sample stands for them.
    explorer.rows = []
    assert explorer.shown is explorer.examples[NAMES[0]]
