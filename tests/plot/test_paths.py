"""Error against size: the curves are the errors of the trees, and the marks keep their rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import dtviz as dt
from dtviz.plot import path, paths

GROWN, SECOND, _ = dt.datasets.titanic(numeric=True).split(450, 200, seed=0)
FULL = dt.grow(GROWN.X, GROWN.y)


def drawn(*given: Any) -> tuple[Axes, dict[str, np.ndarray[Any, Any]]]:
    """The axes, and the points of the curves by their color."""
    ax = path(*given, ax=Figure().subplots())
    curves = {line.get_color(): line.get_xydata() for line in ax.lines if line.get_marker() == "."}
    names = {dt.plot.COLORS["error"]: "sample", dt.plot.COLORS["cost"]: "test"}
    return ax, {names[color]: np.asarray(points) for color, points in curves.items()}


def rule(sizes: Any, losses: Any) -> tuple[int, int]:
    """The size of the least error, and the smallest within a standard error of it."""
    means = losses.mean(axis=1)
    least = int(np.argmin(means))
    limit = means[least] + losses[least].std() / np.sqrt(losses.shape[1])
    return sizes[least], next(s for s, mean in zip(sizes, means, strict=True) if mean <= limit)


@pytest.mark.parametrize(
    "trees",
    [
        dt.grow(GROWN.X, GROWN.y, max_leaves=30),
        dt.pruning.cost_complexity_path(FULL.tree(), GROWN.X, GROWN.y),
        dt.pruning.smallest_prunings(FULL.tree(), GROWN.X, GROWN.y),
    ],
    ids=["growth", "pruning", "smallest"],
)
def test_the_errors_of_the_trees_and_the_marks(trees: Any) -> None:
    ax, curves = drawn(trees, SECOND.X, SECOND.y)
    for points, data in ((curves["sample"], GROWN), (curves["test"], SECOND)):
        sizes = points[:, 0].astype(int)
        assert (np.diff(sizes) > 0).all()
        losses = np.array([trees.tree(int(n)).predict(data.X) != data.y for n in sizes])
        assert points[:, 1] == pytest.approx(losses.mean(axis=1))
    least, chosen = rule(sizes, losses)
    assert chosen < least
    texts = [text.get_text() for text in ax.texts]
    assert f"{least} leaves: least error" in texts
    assert f"{chosen} leaves: 1-SE rule" in texts
    assert ax.get_xscale() == ("log" if sizes[-1] > 40 else "linear")


def test_cross_validation() -> None:
    pruning = dt.pruning.cross_validated_prune(GROWN.X, GROWN.y, dt.grow)
    ax, curves = drawn(pruning)
    assert curves["test"][:, 0].tolist() == pruning.candidates.tolist()
    assert curves["test"][:, 1] == pytest.approx(pruning.held_out / 450)
    losses = np.arange(450) < pruning.held_out[:, None]
    least, chosen = rule(pruning.candidates, losses)
    texts = [text.get_text() for text in ax.texts]
    assert texts == [
        "least\n+ 1 SE", f"{chosen} leaves: 1-SE rule", f"{least} leaves: least error", "held out",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="X and y must be left out with cross-validation"):
        path(pruning, SECOND.X, SECOND.y)


def test_numbers_without_and_with_a_test_set() -> None:
    X = np.arange(20)[:, None]
    trees = dt.grow(X, np.sqrt(X[:, 0]), "squared", max_leaves=5)
    ax, curves = drawn(trees)
    assert [text.get_text() for text in ax.texts] == ["on the sample"]
    assert curves["sample"][:, 1] == pytest.approx(trees.errors)
    _, curves = drawn(trees, X + 0.4, np.sqrt(X[:, 0]))
    off = [trees.predict(X + 0.4, n) - np.sqrt(X[:, 0]) for n in range(1, 6)]
    assert curves["test"][:, 1] == pytest.approx(np.square(off).mean(axis=1))


@pytest.mark.parametrize("sizes", [(2, 3), (21, 23), (1, 40), (39, 40), (20, 20)])
@pytest.mark.parametrize("width", [2.5, 5.0])
def test_the_names_of_sizes_lie_on_no_line_and_on_no_text(
    monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, int], width: float
) -> None:
    chosen, least = sizes
    rate = np.full(40, 0.4)
    rate[chosen - 1 :] = 0.21
    rate[least - 1] = 0.2
    test = "on the test set", rate, np.full(40, 0.02)
    curves = paths._Curves(np.arange(1, 41), np.linspace(0.4, 0, 40), test)
    monkeypatch.setattr(paths, "_read", lambda *_: curves)
    figure = Figure(figsize=(width, 3), layout="constrained")
    ax = path(None, ax=figure.subplots())
    figure.draw_without_rendering()
    texts = {text.get_text(): text.get_window_extent() for text in ax.texts}
    named = [text for text in texts if "lea" in text and ":" in text]
    assert len("".join(named).split(":")) == len({*sizes}) + 1
    posts = [line for line in ax.lines if [*line.get_ydata()] == [0, 1]]
    assert len(posts) == len({*sizes})
    for name in named:
        box = texts[name]
        assert not any(box.overlaps(other) for text, other in texts.items() if text != name)
        assert figure.bbox.x0 <= box.x0
        assert box.x1 <= figure.bbox.x1
        for post in posts:
            (x, low), (_, high) = post.get_transform().transform(post.get_xydata())
            assert not (box.x0 < x < box.x1 and box.y0 < high and low < box.y1)
