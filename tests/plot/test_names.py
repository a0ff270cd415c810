"""The words of others in pictures: names of columns, categories and classes, as they are."""

from __future__ import annotations

import re
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure

import dtviz as dt
from dtviz.explorers.base import style_sheet
from dtviz.plot.theme import COLORS, DARK, STYLE

NAMES = [
    "price $",
    "$a$ or $b$",
    "$x_0$",
    r"$\frac{$",
    r"a\$b",
    "a_b^2",
    "50% & <b>x</b>",
    "漢字 🐟",
]


def grown(name: str) -> dt.Tree:
    frame = pd.DataFrame({name: np.arange(40.0) % 20, "other": np.arange(40) % 3})
    return dt.grow(frame, np.where(frame[name] < 10, f"no {name}", name)).tree()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore:Glyph")
def test_a_name_stands_in_the_picture_as_it_is(name):
    tree = grown(name)
    drawing = dt.plot.tree(tree, ax=Figure(figsize=(9, 4)).subplots())
    drawing.figure.draw_without_rendering()
    assert [text.get_text() for text in drawing.nodes.values()] == [
        f"{name} ≤ 9.5", f"no {name}", name,
    ]  # fmt: skip
    # Drawn as it stands, and not as a formula without its dollars.
    assert not any(text.get_parse_math() for text in drawing.nodes.values())
    lettered = BeautifulSoup(dt.plot.lettered(tree)._repr_html_(), "html.parser")
    assert lettered.find("text", string=f"{name} ≤ 9.5")


# A formula that is none, signs that the font lacks, and what no picture of a tree is tried with.
@pytest.mark.parametrize("name", [r"$\frac{$", "漢字 🐟", "two\nlines", ""])
def test_an_explorer_and_its_picture_take_any_name(name):
    frame = pd.DataFrame({name: np.arange(40.0) % 20, "other": np.arange(40) % 3})
    y = np.where(frame[name] < 10, f"no {name}", f"a {name}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for explorer in (dt.ImpurityExplorer(frame, y, leaves=2), dt.PruningExplorer(frame, y)):
            assert "data:image/svg+xml" in explorer.to_html()
        assert "<svg" in explorer.tree()._repr_html_()


def test_functions_of_the_reader_are_called_as_they_are():
    for kind in (dt.InfluenceExplorer, dt.ProductExplorer, dt.RankExplorer):
        figure = kind({r"$\frac{$": dt.functions.majority(3)}).picture()
        figure.draw_without_rendering()
        assert any(ax.get_title(loc="left").startswith(r"$\frac{$") for ax in figure.axes)


def test_only_a_letter_with_an_index_is_a_formula():
    tree = dt.build_top_down(dt.functions.conjunction(2)).tree()
    names = ["$w_{12}$", r"$\frac{$"]
    drawing = dt.plot.tree(tree, names=names, leaf_text=["$p_0$ w", "$5 to $6", "$"])
    drawing.figure.draw_without_rendering()
    is_math = {
        text.get_text(): text.get_parse_math()
        for text in (*drawing.nodes.values(), *drawing.notes.values())
        if "$" in text.get_text()
    }
    plain = dict.fromkeys((names[1], "$5 to $6", "$"), False)
    assert is_math == {"$w_{12}$": True, "$p_0$ w": True, **plain}
    ax = Figure().subplots()
    (line,) = ax.plot([0, 1])
    labels = [dt.plot.label_line(ax, line, text) for text in ("$x_1$ and $x_2$", "$a$ a day")]
    labels.append(dt.plot.level_line(ax, 0.5, r"$\frac{$"))
    assert [label.get_parse_math() for label in labels] == [True, False, False]


def test_a_font_without_a_sign_leaves_it_to_the_browser():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "漢字 🐟" in grown("漢字 🐟")._repr_html_()
    assert "price" not in BeautifulSoup(grown("price $")._repr_html_(), "html.parser").svg.text


def test_long_names_make_no_wide_picture():
    kinds = [f"a category of a long name, the {word} of all" for word in ("one", "two", "six")]
    frame = pd.DataFrame(
        {"what was said at the very end of the call": [*kinds, "d", "e", "f", "g"]}
    )
    tree = dt.grow(frame, [1, 1, 1, 0, 0, 0, 0]).tree()
    drawing = dt.plot.tree(tree)
    assert drawing.figure.get_size_inches()[0] < 5
    root = drawing.nodes[0].get_text()
    assert max(map(len, root.split("\n"))) <= 24
    words = " ".join(root.split("\n"))
    assert words.startswith("what was said at the very …d of the call")
    assert all(f"{word} of all" in words for word in ("one", "two", "six"))
    assert all(kind in str(tree) for kind in kinds)
    assert drawing.nodes[0].get_fontsize() >= 6.5
    plt.close(drawing.figure)


@pytest.mark.parametrize("labels", [[False, True], [1.0, 2.0], [0, 7], ["no", "yes"], [1e9, 2e9]])
def test_a_label_has_one_name(labels):
    tree = dt.grow([[0.0], [1.0]], labels).tree()
    result = [line.split(": ")[1] for line in str(tree).splitlines()[1:]]
    drawing = dt.plot.tree(tree)
    assert [drawing.nodes[node].get_text() for node in (1, 2)] == result
    plt.close(drawing.figure)
    assert re.findall(r'label="(.*?)", shape=box', tree.to_dot()) == result
    wide = np.array([[0.0, 1.0], [1.0, 0.0]] * 10)
    explorer = dt.ImpurityExplorer(wide, labels * 10, leaves=2)
    assert explorer.tree().predict(wide[:2]).tolist() == labels
    assert sorted(dt.PruningExplorer(wide, labels * 10).tree().predict(wide[:2])) == labels


def contrast(one, other):
    def light(color):
        part = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
        return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2] + 0.05

    low, high = sorted(light(plt.matplotlib.colors.to_rgba(c)) for c in (one, other))
    return high / low


@pytest.mark.parametrize("style", ["default", "dark_background", "Solarize_Light2", "ggplot"])
def test_every_text_can_be_read_under_any_style(style):
    path = dt.build_top_down(dt.functions.majority(3))
    with plt.style.context(style):
        drawing = dt.plot.tree(path.tree(), node_color="rank", leaf_text=[*"abcdef"], max_leaves=4)
        axes = [
            drawing.ax,
            dt.plot.hypercube(dt.functions.majority(3)),
            dt.plot.growth(path, epsilon=0.1, bounds={"bound": path.costs}),
        ]
        dt.plot.level_line(axes[2], 0.6, "level", color="bound")
    for ax in axes:
        ground = ax.get_facecolor() if ax.axison else ax.figure.get_facecolor()
        for text in ax.texts:
            box = text.get_bbox_patch()
            behind = ground if box is None else box.get_facecolor()
            assert contrast(text.get_color(), behind) > 3, text.get_text()
        plt.close(ax.figure)


def test_a_picture_of_the_book_has_its_look_under_any_style():
    tree, explorer = grown("price $"), dt.ImpurityExplorer(view="plane")
    expected = tree._repr_html_(), explorer.to_html()
    with plt.style.context("dark_background"):
        assert (tree._repr_html_(), dt.ImpurityExplorer(view="plane").to_html()) == expected
        dt.plot.use_style()
        assert plt.rcParams["axes.facecolor"] == "white"
    assert {key: plt.rcParams[key] for key in STYLE} != dict(STYLE)


def test_the_dark_colors_are_those_of_the_explorers():
    pairs = dict(re.findall(r"light-dark\((#\w{6}), (#\w{6})\)", style_sheet()))
    for name in set(COLORS) - {"muted", "faint", "epsilon"}:
        assert pairs[COLORS[name].lower()] == DARK[name].lower()
