"""Trees with letters to ask about."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

import dtviz as dt
from dtviz.plot.treelayout import place_nodes

PATH = dt.build_top_down(dt.functions.majority(5))
SIX = PATH.tree(6)


def drawn(among: str, tree: dt.Tree = SIX) -> tuple[dt.plot.LetteredTree, BeautifulSoup]:
    picture = dt.plot.lettered(tree, among=among)
    return picture, BeautifulSoup(picture._repr_html_(), "html.parser")


@pytest.mark.parametrize("among", ["leaves", "splits"])
def test_letters_go_from_left_to_right_and_stand_at_what_is_asked_about(among: str) -> None:
    picture, html = drawn(among)
    tree = picture.tree
    wanted = tree.leaves if among == "leaves" else (tree.variable >= 0).nonzero()[0]
    assert set(picture.letters) == set(wanted.tolist())
    groups = {group["data-node"]: group for group in html.select("[data-node]")}
    assert sorted(groups) == list("ABCDEF")[: len(wanted)]
    x = place_nodes(tree, tree.n_leaves).x
    places = [x[node] for node in picture.letters]
    assert places == sorted(places)
    drawn_at = [float(groups[letter].find("text")["x"]) for letter in sorted(groups)]
    assert drawn_at == sorted(drawn_at)
    for node, letter in picture.letters.items():
        assert picture.letter(node) == letter
        assert groups[letter].find("text").get_text().startswith(letter)


def test_a_leaf_says_its_label() -> None:
    picture, html = drawn("leaves")
    labels = [group.find_all("text")[1].get_text() for group in html.select("[data-node]")]
    tree = picture.tree
    assert labels == [str(int(tree.value[node])) for node in tree.leaves]


def test_what_is_named_is_written_safely_and_written_in_words() -> None:
    _, html = drawn("splits", SIX.named(["a<b", "c", "d", "e", "f"]))
    assert "C: a<b" in html.get_text(" ")
    assert html.svg["aria-label"].endswith(".")
    assert len(html.svg["aria-label"].split()) >= 5


def test_nothing_overlaps() -> None:
    _, html = drawn("leaves")
    places = [(float(c["cx"]), float(c["cy"]), float(c["r"])) for c in html.select("circle")]
    for k, (x, y, r) in enumerate(places):
        for other_x, other_y, _ in places[:k]:
            assert (x - other_x) ** 2 + (y - other_y) ** 2 > (2 * r) ** 2


@pytest.mark.parametrize(
    ("tree", "among"),
    [
        (dt.build_top_down(dt.functions.parity(5)).tree(), "leaves"),
        (dt.Tree.from_dict(PATH.tree(1).to_dict()), "splits"),
        (PATH.tree(3), "nodes"),
        ("a tree", "leaves"),
    ],
)
def test_what_cannot_be_asked_about(tree: object, among: str) -> None:
    with pytest.raises(ValueError, match=r"tree|among"):
        dt.plot.lettered(tree, among=among)


def test_a_node_without_a_letter() -> None:
    with pytest.raises(ValueError, match="carry letters, got 0"):
        drawn("leaves")[0].letter(0)
