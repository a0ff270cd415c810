"""What stands for an explorer on paper and without scripts: the view that its page chose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

import dtviz as dt

if TYPE_CHECKING:
    from dtviz.explorers.base import Explorer


def right(explorer: Explorer) -> Any:
    """What is drawn beside the tree."""
    return explorer.picture().axes[1]


def curves(explorer: Explorer) -> list[list[float]]:
    """The heights of the curves, but for the last, where nothing is left to split."""
    return [np.array(line.get_ydata())[:-2].tolist() for line in right(explorer).lines]


def test_scores_stand_above_the_floors_that_hold() -> None:
    scores, floor = curves(dt.InfluenceExplorer(views=["score"], show_bounds=True))
    path = dt.build_top_down(dt.functions.caterpillar(3))
    assert scores == path.scores[:-1].tolist()
    size = math.log2(14)
    exact = [2 * e / ((j + 1) * size) for j, e in enumerate(path.errors[:-1])]
    assert np.allclose(floor, exact)
    assert all(low <= score for low, score in zip(floor, scores, strict=True))
    assert len(curves(dt.InfluenceExplorer(views=["score"]))) == 1
    biased = dt.ProductExplorer(views=["tree", "score"], function="x0 & (x1 ^ x2)", bias=0.1)
    scores, by_most, by_depth, by_least = curves(biased)
    assert all(a <= b <= score for a, b, score in zip(by_depth, by_most, scores, strict=True))
    assert by_least > by_most


def test_bars_are_the_size_of_the_tree_and_its_bounds() -> None:
    explorer = dt.ProductExplorer(views=["bounds"], function="tribes(2, 3)", epsilon=0.05)
    widths = [bar.get_width() for bar in right(explorer).patches][::-1]
    names = [label.get_text() for label in right(explorer).get_yticklabels()][::-1]
    assert names[0] == "this tree"
    assert widths[:2] == [math.log2(explorer.tree().n_leaves), 6]
    assert len(widths) == 5
    assert all(bits >= widths[0] for bits in widths)
    explorer.epsilon = 0
    assert len(right(explorer).patches) == 2, "nothing is promised there"


def test_the_fewest_errors_of_every_size() -> None:
    explorer = dt.PruningExplorer(views=["tree", "sizes"], method="fewest leaves", d=20)
    front, dot = right(explorer).lines
    X, y = explorer.training
    for size, errors in front.get_xydata().tolist():
        tree = dt.pruning.smallest_prunings(explorer.path().tree(), X, y).tree(int(size))
        assert np.sum(tree.predict(X) != y) == errors
    assert dot.get_xydata().tolist() == [[explorer.tree().n_leaves, 19]]
    other = dt.PruningExplorer(views=["tree", "beside"], beside="structural risk")
    kept = other.tree_beside()
    assert kept is not None
    assert f"structural risk: {kept.n_leaves} leaves" in right(other).get_title("left")


def test_rows_stand_beside_the_tree_unless_the_view_is_of_many_samples() -> None:
    explorer = dt.RankExplorer(target="x0 & x1 | x0 & x2 | x1 & x2", m=256)
    (text,) = right(explorer).texts
    rows = {f"{point:03b}"[::-1] + f" {int(point.bit_count() > 1)}" for point in range(8)}
    assert {*text.get_text().split("\n")} == rows
    explorer.target = "parity(5)"
    written = "\n".join(text.get_text() for text in right(explorer).texts).split("\n")
    assert len(written) == len({*written}) == 32
    explorer.view = "many samples"
    assert right(explorer).get_ylabel() == "true error"
    bound = explorer.bound
    explorer.view = "guarantee"
    asked = [bar.get_width() for bar in right(explorer).patches]
    assert asked[2] == dt.rank.sample_size_for_rank(5, bound, explorer.epsilon, explorer.delta)
    assert asked[0] == math.ceil((32 * math.log(2) - math.log(explorer.delta)) / explorer.epsilon)


def test_a_state_that_has_not_grown_is_one_leaf_unless_it_opens_a_page() -> None:
    explorer = dt.InfluenceExplorer(step=0)
    assert "44 leaves" in explorer.caption() or "7 leaves" in explorer.caption()
    explorer._opens = False
    assert "1 leaf" in explorer.caption()
