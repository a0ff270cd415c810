"""Text, DOT, pictures and JSON tell the same of a tree: what each node is, and in what words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

import dtviz as dt
from dtviz.core.names import Names, decimal
from dtviz.core.tree import export
from dtviz.core.tree.tree import Tree
from dtviz.plot import nodes

FEATURES = ("age", 'say "hi"', "petal length (cm)", "color", "size")
KINDS: Mapping[int, tuple[str, ...]] = {3: ("blue", "green", "red", "teal"), 4: ("S", "L")}
BITS = frozenset([0])
LABELS = st.sampled_from(["bare", "bit", "text", "real"])


class Said(NamedTuple):
    """What is said of a node: its depth, the answer that leads to it, its words."""

    depth: int
    answer: str
    words: str


@st.composite
def shapes(draw: st.DrawFn) -> Any:
    """A nested tree: ``(feature, threshold, low, high)``, or a number for a leaf."""
    leaf = st.integers(0, 7)
    test = st.integers(0, 4).flatmap(lambda i: st.tuples(st.just(i), thresholds(i)))
    grow = st.recursive(
        leaf, lambda below: st.tuples(test, below, below).map(lambda t: (*t[0], t[1], t[2]))
    )
    return draw(grow)


def thresholds(feature: int) -> st.SearchStrategy[float]:
    """Thresholds that both notations write in full: of four digits at most."""
    if feature in KINDS:
        return st.integers(0, len(KINDS[feature]) - 2).map(lambda k: k + 0.5)
    if feature in BITS:
        return st.just(0.5)
    return st.sampled_from([0.5, 2.0, -3.25, 17.5, 0.125, 1024.0])


def label(kind: str, number: int) -> Any:
    return {"bit": number % 2, "text": f"class {number}", "real": number / 4}[kind]


def condition(feature: int, threshold: float, *, named: bool) -> str:
    if feature in BITS if named else threshold == 0.5:
        return ""
    if not named or feature not in KINDS:
        return f" <= {threshold:g}"
    n_low = int(threshold) + 1
    low, high = KINDS[feature][:n_low], KINDS[feature][n_low:]
    if len(low) == 1:
        return f" = {low[0]}"
    return f" is not {high[0]}" if len(high) == 1 else f" in {{{', '.join(low)}}}"


def said(shape: Any, kind: str, *, named: bool, depth: int = 0, answer: str = "") -> list[Said]:
    if not isinstance(shape, tuple):
        words = "?" if kind == "bare" else str(label(kind, shape))
        return [Said(depth, answer, words)]
    feature, threshold, low, high = shape
    text = condition(feature, threshold, named=named)
    answers = ("yes", "no") if text else ("0", "1")
    below = [
        said(child, kind, named=named, depth=depth + 1, answer=result)
        for child, result in zip((low, high), answers, strict=True)
    ]
    name = FEATURES[feature] if named else f"x{feature}"
    return [Said(depth, answer, name + text), *below[0], *below[1]]


def made(shape: Any, kind: str) -> Tree:
    if not isinstance(shape, tuple):
        return Tree.leaf(None if kind == "bare" else label(kind, shape))
    feature, threshold, low, high = shape
    return Tree.split(feature, made(low, kind), made(high, kind), threshold)


def in_text(tree: Tree) -> Iterator[Said]:
    first, *lines = tree.to_text().split("\n")
    yield Said(0, "", first)
    for line in lines:
        result = re.fullmatch(r"((?:│  |   )*)[├└]─ (\w+): (.*)", line)
        assert result is not None, line
        yield Said(len(result[1]) // 3 + 1, result[2], result[3])


def in_dot(tree: Tree) -> Iterator[Said]:
    text = tree.to_dot().replace('\\"', "''")
    words = {
        int(k): w for k, w in re.findall(r'^  (\d+) \[label="([^"]*)", shape', text, re.MULTILINE)
    }
    edges = re.findall(r'^  (\d+) -> (\d+) \[label="(\w+)"\];', text, re.MULTILINE)
    above = {int(child): (int(parent), answer) for parent, child, answer in edges}
    depth = {0: 0}
    for node in sorted(words):
        if node:
            depth[node] = depth[above[node][0]] + 1
        answer = above[node][1] if node else ""
        yield Said(depth[node], answer, words[node].replace("''", '"'))


def in_picture(tree: Tree) -> Iterator[Said]:
    drawn = dt.plot.tree(tree, ax=Figure((40, 40)).subplots(), max_leaves=tree.n_leaves)
    assert not drawn.triangles
    answers = {0: ""}
    segments = drawn.edges.get_segments()
    places = {(drawn.layout.x[v], drawn.layout.y[v]): v for v in drawn.nodes}
    for text, (_, end) in zip(drawn.branches, segments, strict=True):
        answers[places[tuple(end)]] = text.get_text()
    for node, text in drawn.nodes.items():
        line = " ".join(text.get_text().split("\n"))
        words = re.sub(r"\$x_\{(\d+)\}\$", r"x\1", line).replace("≤", "<=")
        yield Said(-int(drawn.layout.y[node]), answers[node], words)


def in_json(tree: Tree) -> Iterator[Said]:
    """As who reads the columns says it, who knows preorder and the names."""
    result = json.loads(json.dumps(tree.to_dict()))
    waiting = [(0, "")]
    for k, (i, threshold) in enumerate(zip(result["variable"], result["threshold"], strict=True)):
        depth, answer = waiting.pop()
        if i < 0:
            yield Said(depth, answer, "?" if result["value"] is None else str(result["value"][k]))
            continue
        answers = tree.names.branches(i, threshold)
        waiting += [(depth + 1, answers[1]), (depth + 1, answers[0])]
        yield Said(depth, answer, tree.names.feature(i) + tree.names.condition(i, threshold))


RENDERERS = {"text": in_text, "DOT": in_dot, "picture": in_picture, "JSON": in_json}


@pytest.mark.parametrize(
    "renderer",
    [pytest.param(name, marks=[pytest.mark.thorough] * (name == "picture")) for name in RENDERERS],
)
@settings(max_examples=12)
@given(shape=shapes(), kind=LABELS, named=st.booleans())
def test_the_renderers_tell_the_same_words(
    renderer: str, shape: Any, kind: str, *, named: bool
) -> None:
    tree = made(shape, kind).named(Names(FEATURES, BITS, KINDS) if named else None)
    found = list(RENDERERS[renderer](tree))
    if kind == "real":  # a picture writes 2.0 as 2
        found = [
            result._replace(words=re.sub(r"^(\d+)$", r"\1.0", result.words)) for result in found
        ]
    assert found == said(shape, kind, named=named)


@pytest.mark.parametrize(
    ("notation", "words"),
    [
        (export.TEXT, ["a <= 0.0123457", "0.333333", "... 2 leaves"]),
        (dt.plot.nodes.PICTURE, ["a ≤ 0.01235", "0.333", "2\nleaves"]),
    ],
)
def test_a_notation_is_all_that_differs(notation: export.Notation, words: list[str]) -> None:
    pair = Tree.split(1, Tree.leaf(0.5), Tree.leaf(1.5))
    tree = Tree.split(0, Tree.leaf(1 / 3), pair, 0.012345678901234)
    closed = np.array([False, False, True, False, False])
    nodes = list(export.walk(tree, Names(("a", "b")), closed, notation))
    assert [node.text for node in nodes] == words
    assert [node[:4] for node in nodes] == [(0, -1, 0, ""), (1, 0, 1, "yes"), (2, 0, 1, "no")]
    assert [(node.is_leaf, node.is_high, node.folded) for node in nodes] == [
        (False, False, 0),
        (True, False, 0),
        (True, True, 2),
    ]


def chain(depth: int) -> Tree:
    variable = np.full(2 * depth + 1, -1)
    variable[0:-1:2] = np.arange(depth)
    return Tree(variable, np.zeros(2 * depth + 1, dtype=int))


def test_a_text_too_long_is_refused_and_the_rest_stays_short() -> None:
    """Each line is indented by its depth: in full it would be a thousand million characters."""
    tree = chain(20_000)
    result = r"max_depth must leave a text of at most 20,000,000 characters, for .* depth 20000 "
    for write in (tree.to_text, tree.__str__, lambda: tree.to_text(max_depth=19_000)):
        with pytest.raises(ValueError, match=result):
            write()
    assert tree.to_text(max_depth=2).splitlines()[-1] == "   └─ 1: ... 19999 leaves"
    assert repr(tree) == "<Tree: 20001 leaves, depth 20000>"
    assert len(tree.to_dot()) < 3_000_000
    assert len(tree._repr_html_() or "") < 100_000


def test_the_limit_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = chain(5)
    text = tree.to_text()
    monkeypatch.setattr(export, "MAX_TEXT", len(text))
    assert tree.to_text() == text
    monkeypatch.setattr(export, "MAX_TEXT", len(text) - 1)
    with pytest.raises(ValueError, match="max_depth must leave a text"):
        tree.to_text()


def test_what_is_folded_is_not_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few nodes of a large tree are listed without a look at the others."""
    asked = []
    wording = Names.condition
    monkeypatch.setattr(
        Names, "condition", lambda *given: asked.append(given[1]) or wording(*given)
    )
    tree = chain(20_000)
    assert len(list(export.walk(tree, Names(), tree.node_depth >= 3))) == 7
    assert asked == [0, 1, 2]


RNG = np.random.default_rng(7)
MEASURED = {
    "counts of six digits": RNG.integers(10**5, 10**6, 60),
    "seconds since 1970": 1_700_000_000 + np.arange(60),
    "milliseconds since 1970": 1_700_000_000_000 + np.arange(60),
    "money, in cents": (10**7 + np.arange(60)) / 100,
    "tenths": RNG.integers(0, 1000, 60) / 10,
    "close to each other": 1e9 + 1e-3 * RNG.random(60),
}


@pytest.mark.parametrize("kind", MEASURED)
@pytest.mark.parametrize("notation", [export.TEXT, nodes.PICTURE], ids=["text", "picture"])
def test_a_test_as_written_sends_each_row_where_the_tree_does(kind, notation):
    values = MEASURED[kind].astype(float)
    tree = dt.grow(values[:, None], np.random.default_rng(8).integers(0, 2, 60)).tree()
    written = {
        node.number: float(node.text.split(notation.at_most)[1])
        for node in export.walk(tree, Names(), notation=notation)
        if not node.is_leaf
    }
    assert len(written) == tree.n_leaves - 1 > 10
    if kind == "close to each other":
        # of sixteen digits some are left out, but no two thresholds read alike
        distinct = {tree.threshold[number] for number in written}
        assert len({*written.values()}) == len(distinct)
        return
    for number, threshold in written.items():
        low = values <= tree.threshold[number]
        assert np.array_equal(values <= threshold, low), (threshold, tree.threshold[number])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (250001.5, "250001.5"),
        (1e6, "1000000"),
        (-1.5, "-1.5"),
        (0.1 + 0.2, "0.3"),
        (26.26875, "26.26875"),
        (2 / 3, "0.6667"),
        (1e-7, "1e-07"),
        (1e20, "1e+20"),
        (2.0**51 + 0.5, "2251799813685248.5"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_a_number_is_written_in_full_if_it_is_short(value, text):
    assert decimal(value, 4) == text


def test_a_category_that_reads_like_a_gap_is_quoted():
    names = Names(("c",), frozenset(), {0: ("", " b", "missing", "ok")})
    assert names.condition(0, 0.5) == " = ''"
    assert names.condition(0, 1.5) == " in {'', ' b'}"
    assert names.condition(0, 2.5) == " is not ok"
    assert names.membership(0, [2]) == " = 'missing'"
    assert names.membership(0, [0, 1, 2]) == " is not ok"
    assert names.membership(0, []) == " is missing"
