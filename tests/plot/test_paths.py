"""Error against size: the curves are the errors of the trees, and the marks keep their rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import dtviz as dt
from dtviz.plot import path

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
        "held out", "least + 1 SE", f"{least} leaves: least error", f"{chosen} leaves: 1-SE rule",
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
