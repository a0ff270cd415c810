"""What Jupyter shows of a tree, a path and a pruning: their drawing, never a line of text alone."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure

import dtviz as dt
from dtviz.core import bases
from dtviz.plot import html

PATH = dt.build_top_down(dt.functions.majority(3))
SAMPLE = dt.cube_points(3), dt.functions.majority(3).table
SHOWN = {
    "tree": PATH.tree(),
    "bare tree": PATH.tree().bare(),
    "leaf": dt.Tree.leaf("a < b"),
    "large tree": dt.build_top_down(dt.functions.random(8, 0)).tree(),
    "path": PATH,
    "path of examples": dt.grow([[0.0], [1.0], [2.0]], ["a", "b", "a"]),
    "pruning": dt.pruning.reduced_error_prune(PATH.tree(), *SAMPLE, grown_on=SAMPLE),
    "prunings": dt.pruning.cost_complexity_path(PATH.tree(), *SAMPLE),
    "smallest": dt.pruning.smallest_prunings(PATH.tree(), *SAMPLE),
    "sampled": dt.product.build_top_down_sampled(dt.functions.majority(3), None, 0.3, 0.1, 0),
    "optimal": dt.optimal(dt.functions.majority(3)),
}
PLAIN = dt.Tree | dt.influence.GrowthPath


@pytest.mark.parametrize("thing", SHOWN.values(), ids=SHOWN)
def test_the_drawing_is_shown(thing):
    frame = BeautifulSoup(thing._repr_html_(), "html.parser").div
    result = repr(thing) if isinstance(thing, PLAIN) else f"{thing!r}: {thing.tree()!r}"
    assert (frame["role"], frame["aria-label"]) == ("img", result)
    caption = "" if isinstance(thing, PLAIN) else repr(thing)
    assert "".join(div.get_text() for div in frame.find_all("div")) == caption
    assert len(frame.svg.find_all("g")) > 3
    assert len(repr(thing)) < 120


def test_of_an_estimator_its_tree_is_shown_once_there_is_one():
    model = dt.TopDownClassifier(max_leaves=2)
    assert html.picture(model) is None
    frame = BeautifulSoup(html.picture(model.fit([[0], [1]], ["a", "b"])), "html.parser").div
    assert frame["aria-label"] == "TopDownClassifier(max_leaves=2): <Tree: 2 leaves, depth 1>"
    assert html.picture(3) is None


def test_a_drawing_is_shown_unless_jupyter_shows_it_anyway(monkeypatch):
    drawing = dt.plot.tree(PATH)
    canvas = drawing.figure.canvas
    frame = BeautifulSoup(drawing._repr_html_(), "html.parser").div
    assert (frame["role"], frame["aria-label"]) == ("img", "<TreeDrawing: 11 nodes>")
    assert drawing.figure.canvas is canvas
    own = dt.plot.tree(PATH, ax=Figure().subplots())
    monkeypatch.setattr(html, "get_backend", lambda: "module://matplotlib_inline.backend_inline")
    assert drawing._repr_html_() is None
    assert "<svg" in own._repr_html_()
    plt.close(drawing.figure)
    assert "<svg" in drawing._repr_html_()


def test_without_an_artist_there_is_only_text(monkeypatch):
    monkeypatch.setattr(bases, "_artists", [])
    assert PATH.tree()._repr_html_() is None
