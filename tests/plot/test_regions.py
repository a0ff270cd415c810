"""Decision regions: what is drawn at a place is what the tree predicts there."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import dtviz as dt
from dtviz.plot import COLORS, regions
from dtviz.plot.theme import DARK, tint

TITANIC = dt.datasets.titanic()
PATH = dt.grow(TITANIC.X, TITANIC.y, max_leaves=12, feature_names=TITANIC.feature_names)


def test_each_cell_has_the_color_of_the_prediction() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((80, 3))
    y = (X[:, 0] + X[:, 1] + X[:, 2] > 1.4).astype(int)
    tree = dt.id3(X, y)
    ax = regions(tree, X, y, (2, 0), at={1: 0.3}, ax=Figure().subplots())
    (mesh,) = (part for part in ax.collections if hasattr(part, "get_coordinates"))
    corners = mesh.get_coordinates()
    colors = np.asarray(mesh.get_array())
    seen = set()
    for i, j in np.ndindex(colors.shape[:2]):
        for share in (0.01, 0.5, 1):  # a value on a threshold goes low
            low, high = corners[i, j], corners[i + 1, j + 1]
            across, up = low + share * (high - low)
            label = tree.predict([[up, 0.3, across]])[0]
            assert colors[i, j] == pytest.approx(tint(COLORS[f"label{label}"], 0.24))
            seen.add(label)
    assert seen == {0, 1}
    assert ax.get_legend().get_title().get_text() == "at x1 = 0.3"


def test_names_categories_and_what_stands_still() -> None:
    rows, y = TITANIC.X, TITANIC.y
    ax = regions(PATH, rows, y, ("port", "age"), at={"sex": "female"}, ax=Figure().subplots())
    ticks = [tick.get_text() for tick in ax.get_xticklabels()]
    assert ticks == ["Cherbourg", "Queenstown", "Southampton"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("port", "age")
    # The lower medians; the column of an axis is not among them.
    fare = np.sort([row[5] for row in rows.tolist() if row[5] is not None])
    words = ax.get_legend().get_title().get_text().replace("\n", " ")
    assert words.startswith("at class = 3, sex = female, siblings = 0")
    assert f"fare = {fare[(fare.size - 1) // 2]:.6g}" in words
    # A passenger without a port or age is not drawn, every other once.
    there = sum(row[6] is not None and row[2] is not None for row in rows.tolist())
    assert sum(len(line.get_xdata()) for line in ax.lines) == there
    # Pale are those to whom the tree says something else than to the region they stand in.
    moved = rows.copy()
    moved[:, 1] = "female"
    for column, value in ((0, 3), (3, 0), (4, 0), (5, fare[(fare.size - 1) // 2])):
        moved[:, column] = value
    known = np.array([row[6] is not None and row[2] is not None for row in rows.tolist()])
    pale = PATH.predict(moved[known]) != PATH.predict(rows[known])
    drawn = sum(len(line.get_xdata()) for line in ax.lines if line.get_alpha() == 0.3)
    assert drawn == pale.sum() > 100


def test_numbers_and_dark_axes() -> None:
    X = np.linspace(0, 1, 40).reshape(20, 2)
    tree = dt.grow(X, X[:, 0] ** 2, "squared", max_leaves=4).tree()
    figure = Figure()
    regions(tree, X, X[:, 0] ** 2, ax=figure.subplots())
    assert len(figure.axes) == 2  # with a color bar
    dark = Figure(facecolor="black").subplots()
    dark.set_facecolor("black")
    ax = regions(dt.id3(X, X[:, 0] > 0.5), X, X[:, 0] > 0.5, ax=dark)
    colors = [to_rgb(line.get_color()) for line in ax.lines]
    assert {*colors} == {to_rgb(DARK["label0"]), to_rgb(DARK["label1"])}
    for limits, column in zip((ax.get_xlim(), ax.get_ylim()), X.T, strict=True):
        assert limits[0] < column.min() < column.max() < limits[1]  # every example is in sight


def test_estimators_and_frames() -> None:
    pandas = pytest.importorskip("pandas")
    tree_of_sklearn = pytest.importorskip("sklearn.tree").DecisionTreeClassifier(max_depth=2)
    frame = pandas.DataFrame({"u": [1.0, 2, 3, 4], "$v_1$": [4.0, 3, 1, 2]})
    fitted = tree_of_sklearn.fit(frame, ["a", "a", "b", "c"])
    ax = regions(fitted, frame, ["a", "a", "b", "c"], ax=Figure().subplots())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("u", "$v_1$")
    assert not ax.yaxis.label.get_parse_math()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": ("age", 2)}, "columns must be two different columns of X"),
        ({"columns": ("age", "height")}, "columns must be columns of X, .* got 'height'"),
        ({"columns": (0, 7)}, "columns must be an integer from 0 to 6, got 7"),
        ({"at": {"age": 3}}, "at must not have a column of an axis, got 'age'"),
        ({"at": {"sex": "other"}}, "at must have one of .* for sex, got 'other'"),
        ({"at": {"siblings": "two"}}, "at must have a finite number for siblings, got 'two'"),
        ({"y": TITANIC.y[1:]}, "y must have one label for each of the 1309 rows"),
        ({"y": ["no"] * 1309}, "y must have labels of the tree's kind"),
        ({"X": TITANIC.X[:, :3]}, "X must have 7 columns"),
        ({"tree": PATH.tree().bare()}, "tree must have labels at its leaves"),
        ({"y": np.arange(1309) % 8}, "tree and y must have at most 6 classes"),
    ],
)
def test_bad_input(change: dict[str, object], message: str) -> None:
    given = {"tree": PATH, "X": TITANIC.X, "y": TITANIC.y, "columns": ("age", "fare")}
    given["ax"] = Figure().subplots()
    with pytest.raises(ValueError, match=message):
        regions(**given | change)


def test_regions_of_numbers_say_their_own_and_differ_in_color() -> None:
    X = np.array([[a, b] for a in range(8) for b in range(8)], float)
    y = 10 * X[:, 0] + (X[:, 0] > 3.5) * X[:, 1]
    tree = dt.grow(X, y, "squared", max_leaves=6).tree()
    ax = dt.plot.regions(tree, X, y, ax=Figure(layout="constrained").subplots())
    written = {text.get_text(): text.get_position() for text in ax.texts}
    assert sorted(map(float, written)) == pytest.approx(sorted(tree.value[tree.leaves]), rel=1e-3)
    for text, place in written.items():
        assert tree.predict([place])[0] == pytest.approx(float(text), rel=1e-3)
    colors = ax.collections[0].cmap(np.linspace(0, 1, 9))[:, :3]
    saturation = np.ptp(colors, axis=1)
    assert saturation.min() > 0.2, "no greys"
    # 40 leaves leave no room: those that fit are written, and lie on none of the others.
    tree = dt.grow(X, y * 1e6, "squared", max_leaves=40).tree()
    ax = dt.plot.regions(tree, X, y * 1e6, ax=Figure((2.5, 2.5), layout="constrained").subplots())
    ax.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) < 40
    assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))
