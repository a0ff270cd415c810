"""What Jupyter shows of a tree, a path and a pruning: their drawing, never a line of text alone."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

import dtviz as dt
from dtviz.core import pictured

PATH = dt.build_top_down(dt.functions.majority(3))
SAMPLE = dt.points(3), dt.functions.majority(3).table
SHOWN = {
    "tree": PATH.tree(),
    "bare tree": PATH.tree().bare(),
    "leaf": dt.Tree.leaf("a < b"),
    "large tree": dt.build_top_down(dt.functions.random(8, 0)).tree(),
    "path": PATH,
    "path of examples": dt.grow([[0.0], [1.0], [2.0]], ["a", "b", "a"]),
    "pruning": dt.reduced_error_prune(PATH.tree(), *SAMPLE),
}


@pytest.mark.parametrize("thing", SHOWN.values(), ids=SHOWN)
def test_the_drawing_is_shown(thing):
    frame = BeautifulSoup(thing._repr_html_(), "html.parser").div
    drawn = thing.tree() if isinstance(thing, dt.pruning.Pruning) else thing
    assert (frame["role"], frame["aria-label"]) == ("img", repr(drawn))
    assert len(frame.svg.find_all("g")) > 3
    assert len(repr(thing)) < 120


def test_the_drawing_is_of_this_tree():
    assert PATH.tree(3)._repr_html_() != PATH.tree(4)._repr_html_()
    assert PATH.tree(3)._repr_html_() == PATH.tree(3)._repr_html_()


def test_without_an_artist_there_is_only_text(monkeypatch):
    monkeypatch.setattr(pictured, "_artists", [])
    assert PATH.tree()._repr_html_() is None
