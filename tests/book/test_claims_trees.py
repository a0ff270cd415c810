"""A case of the record that names a tree in brackets shows it drawn."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from bs4 import BeautifulSoup, Tag
from dtviz_claims import RECORD, claims, details
from dtviz_claims_page import repairs, table
from dtviz_claims_trees import draw_trees
from support import site

NAMED = re.compile(r"(x\d+\[[^a-wyz\"]*\])(?: with counts ([\d/, ]+))?")
"""Brackets up to the next word, and the counts after them."""
FULL = "."
for name in ("x10", "x4", "x3", "x2", "x1"):
    FULL = f"{name}[{FULL}, {FULL}]"
CASES = sorted({found[0] for found in NAMED.finditer(RECORD.read_text("utf-8"))})
CASES += [FULL, f"{FULL} with counts {', '.join(['10/12'] * 32)}"]


def number(tag: Tag, *names: str) -> complex:
    return complex(*(float(str(tag[name])) for name in names))


class Drawing:
    """What is seen: circles (center, radius), texts by their place, low and high branches."""

    def __init__(self, text: str) -> None:
        (self.svg,) = BeautifulSoup(draw_trees(text), "html.parser").select("span > svg")
        self.circles = [(number(c, "cx", "cy"), float(c["r"])) for c in self.svg.select("circle")]
        self.texts = {number(t, "x", "y"): t.text for t in self.svg.select("text")}
        self.branches = []
        for path in self.svg.select("path.low, path.low + path"):
            ends = [float(part) for part in re.findall(r"[\d.]+", path["d"])]
            places = list(map(complex, ends[::2], ends[1::2]))
            self.branches.append(list(zip(places[::2], places[1::2], strict=True)))

    def touched(self, place: complex) -> complex:
        """The center of the circle at which a branch begins or ends."""
        gap, center = min((abs(z - place) - r, k) for k, (z, r) in enumerate(self.circles))
        assert abs(gap) < 0.2
        return self.circles[center][0]

    def read(self) -> tuple[str, list[str]]:
        """The tree in brackets, and the texts below its leaves."""
        low, high = (
            {self.touched(start): self.touched(end) for start, end in branches}
            for branches in self.branches
        )
        (root,) = {z for z, _ in self.circles} - {*low.values()} - {*high.values()}
        counts = []

        def name(z: complex) -> str:
            if z not in low:
                counts.append(self.texts.get(z + 14j, ""))
                return "."
            assert low[z].real < z.real < high[z].real
            return f"{self.texts[z + 4j]}[{name(low[z])}, {name(high[z])}]"

        return name(root), counts


@pytest.mark.parametrize("case", CASES)
def test_a_drawing_can_be_read(case: str) -> None:
    found = NAMED.fullmatch(case)
    assert found
    drawing = Drawing(case)
    tree, counts = drawing.read()
    assert tree == found[1]
    assert counts == (found[2].split(", ") if found[2] else [""] * tree.count("."))
    # Nothing overlaps: a letter of eleven pixels is less than 6.5 wide and 9 high.
    half = {z: 3.25 * len(text) for z, text in drawing.texts.items() if "/" in text}
    for (a, r), (b, s) in combinations(drawing.circles, 2):
        assert abs(a - b) > r + s
    for a, b in combinations(half, 2):
        assert abs(a.real - b.real) > half[a] + half[b] or abs(a.imag - b.imag) > 9
    lines = [
        start + (end - start) * k / 20
        for branches in drawing.branches
        for start, end in branches
        for k in range(21)
    ]
    for z, w in half.items():
        assert not [p for p in lines if abs((p - z).real) < w and -9 < (p - z).imag < 0]
    for z, r in drawing.circles:
        assert not [p for p in lines if abs(p - z) < r - 0.2]


def test_the_words_around_a_tree_stay() -> None:
    html = draw_trees("1 < 2, leaf 0 of x0[., .] with counts 2/0, 1/1, or x2[., x0[., .]] & x1")
    page = BeautifulSoup(html, "html.parser")
    first, second = (svg["aria-label"] for svg in page.select("svg[role=img]"))
    assert first == "A tree with counts of labels 0/1: x0 (low: leaf 2/0; high: leaf 1/1)."
    assert second == "A tree: x2 (low: leaf; high: x0 (low: leaf; high: leaf))."
    for svg in page.select("svg"):
        svg.decompose()
    assert page.text == "1 < 2, leaf 0 of , or  & x1"
    assert draw_trees("Pr[l] > 1, x0") == "Pr[l] &gt; 1, x0"


@pytest.mark.parametrize(
    "text",
    ["x0[", "x0[.]", "x0[., .", "x0[., ., .]", "x0[.,.]", "x0[., x1]", "x0[., y[., .]]",
     "x0[., .] with counts 1/1", "x0[., .] with counts 1/1, 0/1, 1/0"],
)  # fmt: skip
def test_brackets_that_are_no_tree_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"text must (name a tree|count each) .*got 'x0\["):
        draw_trees(text)


def test_no_brackets_are_left_on_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtviz_claims.picture", lambda _: "")
    every = list(claims().values())
    for html in (table(every), repairs(every), "".join(map(details, every))):
        assert not re.search(r"x\d+\[|with counts \d", html)
        labels = re.findall(r'<svg role="img" aria-label="([^"]*)"', html)
        assert labels
        assert all(map(site.is_sentence, labels))
