"""The pictures: where nodes stand, what is written, what is covered, and what is left alone."""

from __future__ import annotations

import subprocess
import sys
import warnings
from itertools import combinations
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import same_color
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont
from matplotlib.transforms import Bbox
from sklearn.tree import DecisionTreeClassifier

import dtviz as dt
from dtviz.plot.theme import FILL, tint
from dtviz.plot.treelayout import place_nodes

mpl.use("Agg")

leaf, split = dt.Tree.leaf, dt.Tree.split
FILLED = tint(dt.plot.COLORS["label1"], FILL)


@pytest.fixture(autouse=True)
def _no_figure_stays_open():
    plt.close("all")
    yield
    plt.close("all")


@st.composite
def trees(draw, max_leaves=40):
    """Bare trees of any shape: preorder lists, grown by splitting a random leaf."""
    shape = [-1]
    for _ in range(draw(st.integers(0, max_leaves - 1))):
        leaves = [k for k, i in enumerate(shape) if i < 0]
        k = draw(st.sampled_from(leaves))
        shape[k : k + 1] = [draw(st.integers(0, 12)), -1, -1]
    return dt.Tree(shape)


def chain(depth: int) -> dt.Tree:
    return dt.Tree([0, -1] * depth + [-1])


@given(trees(), st.integers(1, 45))
def test_layout_centers_parents_and_spaces_leaves(tree, max_leaves):
    place = place_nodes(tree, max_leaves)
    drawn = set(place.shown.tolist())
    ends = []
    for node in place.shown.tolist():
        low, high = int(tree.low[node]), int(tree.high[node])
        if low in drawn:
            assert place.x[node] == (place.x[low] + place.x[high]) / 2
            assert place.x[low] < place.x[node] < place.x[high]
            assert place.y[low] == place.y[high] == place.y[node] - 1
            assert place.folded[node] == 0
        else:
            assert high not in drawn
            ends.append(node)
    assert place.y[0] == 0
    assert place.x[ends].tolist() == list(range(len(ends)))
    assert place.width == len(ends)
    assert place.height == 1 - min(place.y[list(drawn)])


def test_of_one_level_the_smallest_subtree_is_opened_first():
    pair = split(1, leaf(0), leaf(1))
    tree = split(0, split(2, pair, pair), pair)
    place = place_nodes(tree, 3)
    assert place.folded.tolist() == [0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]


def test_layout_of_a_very_deep_and_of_a_large_tree():
    place = place_nodes(chain(5000), 5001)
    assert place.height == 5001
    assert place.x[0] == pytest.approx(1)
    assert place.x[-1] == 5000
    wide = dt.Tree(_complete(14))
    assert place_nodes(wide, 2**14).x[0] == (2**14 - 1) / 2
    assert place_nodes(wide, 8).folded.tolist().count(2**11) == 8


def _complete(depth: int) -> list[int]:
    shape = [-1]
    for i in range(depth):
        shape = [i, *shape, *shape]
    return shape


MUX = dt.functions.multiplexer(2)
NAMES = ["sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"]
IRIS = split(
    3,
    leaf("setosa"),
    split(
        2,
        split(3, leaf("versicolor"), leaf("virginica"), 1.65),
        split(3, leaf("virginica"), leaf("virginica"), 1.75),
        4.95,
    ),
    0.8,
)
DATA = dt.datasets.titanic()
PASSENGERS = dt.grow(DATA.X, DATA.y, feature_names=DATA.feature_names)
WITH_DATA = {"X": DATA.X, "y": DATA.y, "class_names": DATA.class_names}
BUSHY = dt.build_top_down(dt.functions.random(8, 1)).tree()


def grown(f, leaves):
    return dt.build_top_down(f).tree(leaves)


CASES = {
    "a leaf": (leaf(1), {}),
    "a bare leaf": (leaf(), {}),
    "one split": (split(0, leaf(0), leaf(1)), {}),
    "multiplexer": (dt.build_top_down(MUX).tree(), {}),
    "bare with scores": (
        grown(MUX, 5).bare(),
        {"leaf_text": dt.influence.leaf_scores(grown(MUX, 5), MUX).score, "node_color": "rank"},
    ),
    "majority by rank": (grown(dt.functions.majority(5), 20), {"node_color": "rank"}),
    "chain by depth": (chain(20), {"node_color": "depth"}),
    "32 leaves": (grown(dt.functions.random(8, 2), 32), {}),
    "32 leaves with long texts": (
        grown(dt.functions.random(8, 2), 32),
        {"leaf_text": [0.0123] * 32, "node_color": "rank"},
    ),
    "folded": (BUSHY, {}),
    "folded to a triangle": (BUSHY, {"max_leaves": 1}),
    "folded deep chain": (chain(3000), {"max_leaves": 12}),
    "thresholds and classes": (IRIS, {"names": NAMES}),
    "long names, many leaves": (
        dt.build_top_down(dt.functions.random(5, 3)).tree(),
        {"names": [f"a rather long name {i}" for i in range(5)]},
    ),
    "passengers": (PASSENGERS.tree(8), WITH_DATA),
    "passengers, folded": (PASSENGERS, WITH_DATA | {"max_leaves": 12}),
    "rows alone": (PASSENGERS.tree(12), {"X": DATA.X}),
    "regression": (split(0, leaf(1.2345), split(1, leaf(2.5e-5), leaf(1e9), 3.2), -2.5), {}),
}


def assert_answers_beside_edges(drawing) -> None:
    """None lies on an edge, however thick; each is nearest to its own."""
    point = drawing.ax.figure.dpi / 72
    ends = np.reshape(drawing.edges.get_segments(), (-1, 2))
    edges = drawing.edges.get_transform().transform(ends).reshape(-1, 2, 2)
    steps = np.linspace(0, 1, 200)[:, None]
    thick = np.array(drawing.edges.get_linewidths()) * point / 2
    for own, text in enumerate(drawing.branches):
        box = text.get_window_extent()
        apart = []
        for (start, end), half in zip(edges, thick, strict=True):
            points = start + steps * (end - start)
            outside = np.maximum(np.maximum(box.min - points, points - box.max), 0)
            apart.append(np.hypot(*outside.T).min() - half)
        assert min(apart) > -0.5, text
        assert apart[own] < 3 * point, text


def bounding_boxes(drawing) -> dict[str, Bbox]:
    """On the screen, the box of every text and triangle of a drawn tree."""
    drawing.ax.figure.canvas.draw()
    boxes = {}
    for node, text in drawing.nodes.items():
        patch = text.get_bbox_patch()
        boxes[f"node {node}"] = (patch or text).get_window_extent()
    for node, text in drawing.notes.items():
        boxes[f"note {node}"] = text.get_window_extent()
    for node, line in drawing.triangles.items():
        boxes[f"triangle {node}"] = line.get_window_extent()
    for k, text in enumerate(drawing.branches):
        boxes[f"branch {k}"] = text.get_window_extent()
    return boxes


def assert_clear(boxes: dict[str, Bbox], frame: Bbox) -> None:
    """No two boxes overlap and none leaves the frame, by half a pixel."""
    for name, box in boxes.items():
        assert box.x0 > frame.x0 - 0.5, name
        assert box.y0 > frame.y0 - 0.5, name
        assert box.x1 < frame.x1 + 0.5, name
        assert box.y1 < frame.y1 + 0.5, name
    for (a, first), (b, second) in combinations(boxes.items(), 2):
        across = min(first.x1, second.x1) - max(first.x0, second.x0)
        up = min(first.y1, second.y1) - max(first.y0, second.y0)
        assert min(across, up) < 0.5, f"{a} covers {b}"


@pytest.mark.parametrize("style", [False, True], ids=["plain", "book style"])
@pytest.mark.parametrize("case", CASES)
def test_nothing_overlaps_and_nothing_is_cut(case, style):
    tree, options = CASES[case]
    with dt.plot.style() if style else mpl.rc_context():
        drawing = dt.plot.tree(tree, **options)
        assert_clear(bounding_boxes(drawing), drawing.ax.figure.bbox)
        if drawing.branches:
            assert_answers_beside_edges(drawing)


@pytest.mark.parametrize("case", CASES)
def test_on_small_axes_more_is_folded_but_nothing_overlaps(case):
    tree, options = CASES[case]
    with dt.plot.style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3))
        right.set_ylabel("error")
        drawing = dt.plot.tree(tree, ax=left, **options)
        assert_clear(bounding_boxes(drawing), left.get_window_extent())
    sizes = [text.get_fontsize() for text in drawing.nodes.values()]
    assert min(sizes) > 4 or drawing.layout.width == 1
    assert plt.get_fignums() == [figure.number]


def texts(drawing) -> list[str]:
    return [text.get_text() for text in drawing.nodes.values()]


def look(text) -> tuple[object, object]:
    patch = text.get_bbox_patch()
    return patch.get_facecolor(), patch.get_edgecolor()


def test_the_two_labels_are_hollow_and_filled():
    drawing = dt.plot.tree(split(0, leaf(0), leaf(1)))
    assert texts(drawing) == ["$x_{0}$", "0", "1"]
    fill, edge = look(drawing.nodes[1])
    assert same_color(fill, "white")
    assert same_color(edge, dt.plot.COLORS["label0"])
    fill, edge = look(drawing.nodes[2])
    assert same_color(fill, FILLED)
    assert same_color(edge, dt.plot.COLORS["label1"])
    assert [text.get_text() for text in drawing.branches] == ["0", "1"]


def test_thresholds_names_and_classes():
    drawing = dt.plot.tree(IRIS, names=NAMES)
    assert texts(drawing)[:3] == ["petal width (cm) ≤ 0.8", "setosa", "petal length (cm) ≤ 4.95"]
    assert {text.get_text() for text in drawing.branches} == {"yes", "no"}
    edges = {
        text.get_text(): look(text)[1] for n, text in drawing.nodes.items() if IRIS.variable[n] < 0
    }
    assert len({tuple(edge) for edge in edges.values()}) == 3


def test_with_data_edges_are_thick_and_leaves_name_classes_and_shares():
    tree = PASSENGERS.tree(2)
    drawing = dt.plot.tree(tree, **WITH_DATA)
    assert texts(drawing) == ["sex = male", "died", "survived"]
    assert [note.get_text() for note in drawing.notes.values()] == ["81% of 843", "73% of 466"]
    men, women = drawing.edges.get_linewidths()
    assert men / women == pytest.approx(843 / 466)
    assert same_color(look(drawing.nodes[2])[0], FILLED)
    rows = dt.plot.tree(tree, DATA.X[:1], class_names=DATA.class_names)
    assert [note.get_text() for note in rows.notes.values()] == ["0 rows", "1 row"]
    assert rows.edges.get_linewidths()[0] == 1
    noted = dt.plot.tree(tree, **WITH_DATA, leaf_text=["a", "b"])
    assert [note.get_text() for note in noted.notes.values()] == ["a", "b"]


@pytest.mark.parametrize(
    ("right", "said"),
    [(200, "100% of 200"), (199, "99.5% of 200"), (1, "0.5% of 200"), (0, "0% of 200")],
)
def test_all_rows_are_a_hundred_per_cent_and_nothing_else_is(right, said):
    labels = [1] * right + [0] * (200 - right)
    drawing = dt.plot.tree(leaf(1), [[0]] * 200, labels)
    assert drawing.notes[0].get_text() == said


def test_names_of_classes_go_by_the_order_of_the_classes():
    """Those of the examples, of which some may be at no leaf."""
    tree = dt.grow([[0], [0], [0], [1]], ["a", "a", "b", "c"]).tree()
    assert texts(dt.plot.tree(tree, class_names=["A", "B", "C"]))[1:] == ["A", "C"]


def test_thresholds_have_four_digits_and_more_where_these_read_alike():
    fares = split(0, split(0, leaf(0), leaf(1), 7.83125), leaf(0), 24.80625)
    assert texts(dt.plot.tree(fares, names=["fare"]))[:2] == ["fare ≤ 24.81", "fare ≤ 7.831"]
    alike = split(0, split(0, leaf(0), leaf(1), 24.8051), leaf(0), 24.80625)
    assert texts(dt.plot.tree(alike, names=["fare"]))[:2] == ["fare ≤ 24.806", "fare ≤ 24.805"]
    large = split(0, leaf(0), leaf(1), 1234567.25)
    assert texts(dt.plot.tree(large, names=["pay"]))[0] == "pay ≤ 1234567"


def test_the_face_of_the_style_is_that_of_the_text_and_lacks_nothing():
    with dt.plot.style():
        assert Path(findfont(FontProperties())).stem == "STIXGeneral"
        assert mpl.rcParams["mathtext.fontset"] == "stix"
        figure = Figure()
        figure.text(0, 0, "½ ≤ ε, γ … × √ · − → ✓ $x_0$")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            figure.canvas.draw()


def test_folded_subtrees_say_how_many_leaves_they_hide():
    drawing = dt.plot.tree(BUSHY, max_leaves=9)
    counts = [int(drawing.nodes[node].get_text().split("\n")[0]) for node in drawing.triangles]
    assert counts == [int(drawing.layout.folded[node]) for node in drawing.triangles]
    shown_leaves = sum(BUSHY.variable[node] < 0 for node in drawing.nodes)
    assert sum(counts) + shown_leaves == BUSHY.n_leaves
    assert len(counts) + shown_leaves == 9


def test_ranks_are_written_and_shaded():
    tree = grown(dt.functions.majority(5), 20)
    drawing = dt.plot.tree(tree, node_color="rank")
    assert drawing.notes[0].get_text() == f"rank {tree.rank}"
    fills = {}
    for node in np.flatnonzero(tree.variable >= 0)[1:].tolist():
        assert drawing.notes[node].get_text() == str(tree.node_rank[node])
        fills.setdefault(int(tree.node_rank[node]), set()).add(look(drawing.nodes[node])[0])
    assert all(len(shades) == 1 for shades in fills.values())
    brightness = [sum(next(iter(fills[rank]))[:3]) for rank in sorted(fills)]
    assert brightness == sorted(brightness, reverse=True)
    assert len(set(brightness)) == len(brightness)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ["a"]}, r"names must be a sequence of strings that names x0 .. x1, got \['a'\]"),
        (
            {"leaf_text": ["a"]},
            r"leaf_text must be a sequence of one text per leaf \(3\).*got \['a'\]",
        ),
        ({"highlight": [7]}, r"highlight must be an integer from 0 to 4, got 7"),
        ({"y": [1]}, r"X must be given with y, got None and \[1\]"),
        ({"X": [[0, 1]], "y": ["a"]}, r"y must have labels of the tree's kind, such as 1, got"),
        ({"class_names": ["a"]}, r"class_names must be .* 0, 1, or a mapping, got \['a'\]"),
        ({"class_names": ["a", 1]}, r"class_names must be .* 0, 1, or a mapping, got \['a', 1\]"),
    ],
)
def test_tree_refuses_bad_arguments_and_opens_no_figure(options, message):
    tree = split(0, leaf(0), split(1, leaf(0), leaf(1)))
    with pytest.raises(ValueError, match=message):
        dt.plot.tree(tree, **options)
    with pytest.raises(ValueError, match=r"tree must be a Tree, a result that has tree.*got None"):
        dt.plot.tree(None)
    for classless in (tree.bare(), leaf(0.5)):
        with pytest.raises(ValueError, match="class_names must be None, the leaves have no class"):
            dt.plot.tree(classless, class_names=["a", "b"])
    assert plt.get_fignums() == []


def test_what_has_a_tree_is_drawn():
    X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 5.0], [3.0, 1.0]], ["a", "b", "b", "a"]
    path = dt.grow(X, y)
    theirs = DecisionTreeClassifier(max_leaf_nodes=2).fit(X, y)
    things = {
        "path": (path, path.tree()),
        "pruning": (
            pruning := dt.pruning.cost_complexity_prune(path.tree(), X, y, 0.3),
            pruning.tree(),
        ),
        "prunings": (
            prunings := dt.pruning.cost_complexity_path(path.tree(), X, y),
            prunings.tree(),
        ),
        "optimal": (found := dt.optimal(MUX), found.tree()),
        "ours": (dt.TopDownClassifier(max_leaves=2).fit(X, y), path.tree(2)),
        "numbers": (model := dt.TopDownRegressor().fit(X, [1, 2, 3, 4]), model.tree_),
        "scikit-learn": (theirs, dt.from_sklearn(theirs)),
    }
    for name, (thing, tree) in things.items():
        drawing = dt.plot.tree(thing)
        assert texts(drawing) == texts(dt.plot.tree(tree)), name
        assert drawing.figure is drawing.ax.figure
        assert repr(drawing) == f"<TreeDrawing: {tree.n_nodes} nodes>"
    assert repr(dt.plot.tree(BUSHY, max_leaves=9)).endswith(" folded>")


PATH = dt.build_top_down(dt.functions.random(5, 1))
PICTURES = {
    "tree": lambda ax: dt.plot.tree(BUSHY, ax=ax),
    "hypercube": lambda ax: dt.plot.hypercube(dt.functions.majority(3), ax=ax),
    "growth": lambda ax: dt.plot.growth(PATH, ax=ax, epsilon=0.1),
}


@pytest.mark.parametrize("name", PICTURES)
def test_what_is_on_the_axes_stays(name):
    figure, ax = plt.subplots()
    (line,) = ax.plot([3, 4], [10, 20])
    ax.set(title="mine", xlabel="my x", ylabel="my y", xlim=(0, 9), ylim=(-5, 30))
    before = list(ax.get_children())
    PICTURES[name](ax)
    assert set(before) <= set(ax.get_children())
    assert line.get_xydata().tolist() == [[3, 10], [4, 20]]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("mine", "my x", "my y")
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 9), (-5, 30))
    assert ax.axison
    assert plt.get_fignums() == [figure.number]


@pytest.mark.parametrize("name", ["tree", "hypercube"])
def test_pictures_without_coordinates_do_not_touch_the_scale(name):
    _, ax = plt.subplots()
    ax.plot([3, 4], [10, 20])
    limits = ax.get_xlim(), ax.get_ylim()
    data = ax.dataLim.get_points().copy()
    PICTURES[name](ax)
    ax.figure.canvas.draw()
    assert (ax.get_xlim(), ax.get_ylim()) == limits
    assert (ax.dataLim.get_points() == data).all()
    assert ax.get_autoscale_on()


@pytest.mark.parametrize("name", PICTURES)
def test_a_figure_outside_pyplot_will_do(name):
    figure = Figure()
    FigureCanvasAgg(figure)
    PICTURES[name](figure.add_subplot())
    figure.canvas.draw()
    assert plt.get_fignums() == []


def bold_edges(ax) -> list[frozenset[str]]:
    """The ends of the bold edges, by the labels of the boxes they reach."""
    spot = {}
    for text in ax.texts:
        if text.get_bbox_patch() is not None:
            spot[tuple(np.round(text.get_position(), 6))] = text.get_text()
    lines = [line for line in ax.lines if line.get_linewidth() > 2]
    return [frozenset(spot[tuple(end)] for end in np.round(line.get_xydata(), 6)) for line in lines]


@pytest.mark.slow
@given(
    st.integers(1, 4).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, 2 ** (1 << n) - 1)))
)
@settings(max_examples=10, deadline=None)
def test_bold_edges_of_the_cube_are_the_sensitive_ones(case):
    n, code = case
    f = dt.BooleanFunction.from_int(n, code)
    for direction in (None, 0, n - 1):
        ax = dt.plot.hypercube(f, direction=direction)
        expected = set()
        for x in dt.cube_points(n):
            for i in range(n) if direction is None else [direction]:
                y = x.copy()
                y[i] ^= 1
                if f(x) != f(y):
                    expected.add(frozenset("".join(map(str, p)) for p in (x, y)))
        found = bold_edges(ax)
        assert set(found) == expected
        assert len(found) == len(expected)
        filled = {
            text.get_text()
            for text in ax.texts
            if text.get_bbox_patch() is not None
            and same_color(text.get_bbox_patch().get_facecolor(), FILLED)
        }
        assert filled == {"".join(map(str, x)) for x in dt.cube_points(n) if f(x)}
        plt.close("all")


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("room", [None, (6, 4), (2.2, 2.6), (3, 1.8)])
def test_nothing_of_the_cube_overlaps(n, room):
    ax = None if room is None else plt.subplots(figsize=room)[1]
    ax = dt.plot.hypercube(dt.functions.parity(n), ax=ax)
    ax.figure.canvas.draw()
    boxes = {
        text.get_text(): (text.get_bbox_patch() or text).get_window_extent() for text in ax.texts
    }
    assert len(boxes) == 2**n + 3
    assert_clear(boxes, ax.figure.bbox if room is None else ax.get_window_extent())


def test_the_cube_has_its_limits():
    with pytest.raises(ValueError, match=r"f must have from 1 to 4 variables to be drawn, got 5"):
        dt.plot.hypercube(dt.functions.parity(5))
    with pytest.raises(ValueError, match=r"direction must be an integer from 0 to 2, got 3"):
        dt.plot.hypercube(dt.functions.parity(3), direction=3)
    with pytest.raises(ValueError, match=r"f must be a BooleanFunction, got 7"):
        dt.plot.hypercube(7)
    assert plt.get_fignums() == []


def heights_at(line, size: int) -> float:
    """The height of a staircase over ``size`` leaves."""
    x, y = line.get_data()
    return float(np.asarray(y)[np.searchsorted(x, size, side="right") - 1])


def test_growth_curves_have_the_heights_of_the_path():
    ax = dt.plot.growth(PATH, curves=["error", "cost", "half cost", "score"])
    error, cost, half, score = ax.lines
    for k in range(PATH.n_splits + 1):
        assert heights_at(error, k + 1) == PATH.errors[k]
        assert heights_at(cost, k + 1) == PATH.costs[k]
        assert heights_at(half, k + 1) == PATH.costs[k] / 2
        assert heights_at(score, k + 1) == PATH.scores[k]
    assert {text.get_text() for text in ax.texts} == {"error", "cost", "cost / 2", "score"}


def test_growth_marks_the_first_tree_within_epsilon():
    ax = dt.plot.growth(PATH, epsilon=0.1)
    (mark,) = (line for line in ax.lines if line.get_marker() == "o")
    assert mark.get_xydata().tolist() == [
        [PATH.n_leaves_for(0.1), PATH.errors[PATH.n_leaves_for(0.1) - 1]]
    ]
    words = {text.get_text() for text in ax.texts}
    assert {"ε = 0.1", f"{PATH.n_leaves_for(0.1)} leaves"} <= words
    (level,) = (line for line in ax.lines if list(line.get_ydata()) == [0.1, 0.1])
    assert same_color(level.get_color(), dt.plot.COLORS["epsilon"])


@pytest.mark.parametrize(
    "f",
    [
        dt.functions.random(6, 1),
        dt.functions.random(10, 2),
        dt.functions.multiplexer(2),
        dt.functions.decision_list(6),
        dt.functions.conjunction(1),
        dt.BooleanFunction(2, [1, 1, 1, 1]),
    ],
    ids=["random 6", "random 10", "multiplexer", "decision list", "one bit", "constant"],
)
@pytest.mark.parametrize("epsilon", [None, 0.0, 0.05, 0.4])
def test_labels_of_curves_stay_inside_and_off_each_other(f, epsilon):
    ax = dt.plot.growth(dt.build_top_down(f), epsilon=epsilon)
    ax.figure.canvas.draw()
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
    assert len(boxes) == (3 if epsilon is None else 5)
    frame = ax.get_window_extent()
    assert_clear(boxes, Bbox([frame.min - 2, frame.max + 2]))


def rising(engine, kind):
    """A line on the right of two axes, where a layout engine has something to do."""
    figure = Figure(figsize=(6, 4), layout=engine)
    left, right = figure.subplots(1, 2)
    left.set_ylabel("what moves\nthe others")
    ax = right.inset_axes((0.3, 0.2, 0.6, 0.7)) if kind == "inset" else right
    if kind == "empty frame":
        ax.set_axis_off()
    if kind == "equal aspect":
        ax.set_aspect("equal")
    (line,) = ax.plot([0, 3], [0, 800])
    return ax, line


@pytest.mark.parametrize("engine", ["none", "tight", "constrained", "compressed"])
@pytest.mark.parametrize("kind", ["plain", "equal aspect", "inset", "empty frame"])
def test_a_label_is_placed_where_the_axes_stand_once_drawn(engine, kind):
    drawn, _ = rising(engine, kind)
    drawn.figure.draw_without_rendering()
    ax, line = rising(engine, kind)
    before = ax.get_window_extent().get_points()
    dt.plot.label_line(ax, line, "rising")
    after = ax.get_window_extent().get_points()
    assert np.allclose(after, drawn.get_window_extent().get_points(), rtol=0, atol=1e-6)
    assert np.array_equal(ax.viewLim.get_points(), drawn.viewLim.get_points())
    assert engine == "none" or not np.allclose(before, after), "there was something to lay out"


def test_curves_refuse_bad_arguments_and_open_no_figure():
    cut = dt.build_top_down(dt.functions.random(6, 1), max_leaves=4)
    bad = [(lambda: dt.plot.growth(cut, epsilon=0.01), r"epsilon must be at least .*got 0.01")]
    for call, message in bad:
        with pytest.raises(ValueError, match=message):
            call()
    assert plt.get_fignums() == []
    _, ax = plt.subplots()
    (line,) = plt.subplots()[1].plot([0, 1])
    with pytest.raises(ValueError, match=r"line must be a line of ax"):
        dt.plot.label_line(ax, line, "lost")


def test_in_a_notebook_figures_are_svg_with_the_same_bytes_each_time():
    """And PNG for those who show no SVG; whether the style or the first figure comes first."""
    code = (
        "import sys\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "import matplotlib; matplotlib.use('module://matplotlib_inline.backend_inline')\n"
        "import matplotlib.pyplot as plt, dtviz as dt\n"
        "if sys.argv[1] == 'late': plt.figure()\n"
        "dt.plot.use_style()\n"
        "def shown():\n"
        "    plt.subplots()[1].plot([0, 1])\n"
        "    return shell.display_formatter.format(plt.gcf())[0]\n"
        "one, other = shown(), shown()\n"
        "assert one == other and set(one) == {'image/svg+xml', 'image/png', 'text/plain'}, one\n"
        "assert '<metadata>' not in one['image/svg+xml']\n"
    )
    for order in ("early", "late"):
        subprocess.run([sys.executable, "-c", code, order], check=True)


def test_importing_dtviz_loads_no_matplotlib_and_drawing_changes_no_settings():
    code = (
        "import sys, dtviz; assert 'matplotlib' not in sys.modules\n"
        "import matplotlib; matplotlib.use('Agg'); before = dict(matplotlib.rcParams)\n"
        "dtviz.plot.tree(dtviz.Tree.leaf(0)); assert dict(matplotlib.rcParams) == before\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_classes_that_are_floats_are_drawn_as_classes():
    """Not as numbers of regression, gray and rounded: 1912.0 is no 1.91e+03."""
    rows = [[0], [1], [2]]
    texts = {}
    for labels in ([0.0, 1912.0, 1913.0], [0, 1912, 1913]):
        drawing = dt.plot.tree(dt.grow(rows, labels).tree())
        texts[type(labels[0])] = {
            (text.get_text(), text.get_bbox_patch().get_edgecolor())
            for text in drawing.nodes.values()
            if text.get_text() in {"0", "1912", "1913"}
        }
        plt.close(drawing.figure)
    assert texts[float] == texts[int]
    assert len(texts[int]) == len({color for _, color in texts[int]}) == 3
