"""A second tree beside the first: what is compared, and what is refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import traitlets
from support.node import evaluate

import dtviz as dt
from dtviz.explorers.base import STATIC
from dtviz.explorers.beside import lawful, read_splits

BESIDE = [STATIC / "controls/beside.js", STATIC / "computing/best.js"]

DIFFERENCE = """
(cases) => cases.map(({ one, other }) => {
  const below = ([variable, low, high]) =>
    low ? { variable, low: below(low), high: below(high) } : {};
  const drawn = (tree) => {
    const splits = splitsOf(below(tree));
    const splitAt = new Int32Array(2 * splits.length + 1).fill(splits.length);
    splits.forEach(([node], j) => { splitAt[node] = j; });
    const path = { splitAt, test: (k) => `x${splits[splitAt[k]][1]}`, label: () => 0 };
    return { path, step: splits.length };
  };
  return firstDifference(drawn(one), drawn(other));
})
"""


@cache
def pairs() -> list[tuple[dt.Tree, dt.Tree]]:
    """The greedy and the smallest tree of 300 functions, and of some the first splits alone."""
    rng = np.random.default_rng(5)
    found = []
    for _ in range(300):
        n = int(rng.integers(1, 6))
        f = dt.BooleanFunction(n, rng.random(1 << n) < 0.5)
        path = dt.build_top_down(f)
        one = path.tree(int(rng.integers(1, path.n_leaves + 1)))
        found.append((one, dt.optimal(f).tree()))
    return found


def nested(tree: dt.Tree) -> Any:
    """A tree as (variable, low, high), or () for a leaf."""
    variables = iter(tree.variable.tolist())

    def below() -> Any:
        variable = next(variables)
        return () if variable < 0 else (variable, below(), below())

    return below()


def first_difference(one: Any, other: Any) -> tuple[str, Any, Any] | None:
    """The way to the first difference, as answers, and what is asked there; by definition."""
    level = [("", one, other)]
    ended = None
    while level:
        deeper = []
        for way, a, b in level:
            if a and b:
                if a[0] != b[0]:
                    return way, a[0], b[0]
                deeper += [(f"{way}0", a[1], b[1]), (f"{way}1", a[2], b[2])]
            elif a or b:
                ended = ended or (way, a[0] if a else None, b[0] if b else None)
        level = deeper
    return ended


def walked(tree: Any, node: int) -> tuple[str, Any]:
    """The way to a node whose number comes of a split list level by level, and what is asked."""
    queue, made = [("", tree)], 0
    for way, one in queue:
        if one:
            queue += [(f"{way}0", one[1]), (f"{way}1", one[2])]
            made += 1
    way, one = queue[node]
    return way, one[0] if one else None


def wrong_differences() -> int:
    given = [{"one": nested(one), "other": nested(other)} for one, other in pairs()]
    wrong = 0
    for (one, other), result in zip(pairs(), evaluate(BESIDE, DIFFERENCE, given), strict=True):
        a, b = nested(one), nested(other)
        truth = first_difference(a, b)
        if truth is None or result is None:
            wrong += truth is not result
            continue
        ways = walked(a, result["one"]), walked(b, result["other"])
        wrong += ways != ((truth[0], truth[1]), (truth[0], truth[2]))
    return wrong


def test_the_first_difference_of_two_trees() -> None:
    assert wrong_differences() == 0


def test_the_tree_beside() -> None:
    f = dt.functions.caterpillar(3)
    explorer = dt.InfluenceExplorer(beside="nothing")
    assert explorer.tree_beside() is None
    explorer = dt.InfluenceExplorer()
    best = explorer.tree_beside()
    assert best == dt.optimal(f).tree()
    assert explorer.tree().n_leaves == 44
    assert "44 leaves" in explorer.caption()
    assert explorer.caption().endswith("beside it the smallest tree, 14 leaves.")
    explorer.beside = "kept"
    assert explorer.tree_beside() is None, "nothing is kept yet"
    explorer.kept = {"function": "majority(5)", "epsilon": 0.2}
    other = explorer.tree_beside()
    assert other == dt.build_top_down(dt.functions.majority(5)).tree(epsilon=0.2)
    assert explorer.caption().endswith(f"beside it the tree kept, {other.n_leaves} leaves.")
    explorer.kept = {"epsilon": 0.1}
    assert explorer.tree_beside() == dt.build_top_down(f).tree(epsilon=0.1)


def test_what_is_kept_is_whole() -> None:
    """As the page keeps it: every setting, the ones that are None too."""
    explorer = dt.InfluenceExplorer(beside="kept")
    kept = {"function": "x0 ^ x1", "epsilon": 0.0, "step": None, "splits": None}
    explorer.kept = kept
    assert explorer.kept == kept
    assert explorer.tree_beside() == dt.optimal(dt.functions.parity(2)).tree()
    with pytest.raises(traitlets.TraitError, match=r"kept must have settings .*: step"):
        explorer.kept = kept | {"step": -1}
    assert explorer.kept == kept


def test_the_smallest_tree_of_many_variables_is_not_known() -> None:
    explorer = dt.InfluenceExplorer(dt.functions.conjunction(14), beside="best")
    assert explorer.tree_beside() is None
    assert "beside it the curves" in explorer.caption()


def test_a_tree_of_ones_own() -> None:
    f = dt.functions.majority(3)
    explorer = dt.InfluenceExplorer(f, splits=[[0, 2], [2, 0]])
    tree = explorer.tree()
    assert tree.variable.tolist() == [2, -1, 0, -1, -1]
    assert "A tree of the reader's own for f: 3 leaves, error 0.250" in explorer.caption()
    left = r"variables of f, which has 2 of them, got \[1, 5\] as split 1: left out from there on"
    with pytest.warns(UserWarning, match=left):
        two = dt.InfluenceExplorer(dt.functions.conjunction(2), splits=[[0, 1], [1, 5], [2, 0]])
    assert two.tree().n_leaves == 2
    with pytest.warns(UserWarning, match=left):
        two.splits = [[0, 0], [1, 5]]
    # Set together they are judged together, as a link of the page sets them.
    two.set_state({"splits": [[0, 5]], "function": "x0 & x5"})
    assert two.splits == [[0, 5]]


def test_another_function_leaves_out_splits_with_words() -> None:
    """As far as it can make them they are made."""
    both = {"a": dt.functions.conjunction(3), "b": dt.functions.conjunction(2)}
    explorer = dt.InfluenceExplorer(both, splits=[[0, 1], [1, 2], [2, 0]])
    with pytest.warns(UserWarning, match=r"b, which has 2 of them, got \[1, 2\] as split 1: left"):
        explorer.function = "b"
    assert explorer.tree().n_leaves == 2
    # What is kept may be of another function, too.
    explorer.beside, explorer.kept = "kept", {"function": "a", "splits": [[0, 2]]}
    explorer.kept = {"splits": [[0, 1], [2, 2]]}
    assert explorer.tree_beside().n_leaves == 2


@pytest.mark.parametrize(
    "value",
    [
        [[0, 1], [0, 1]],
        [[0, 1], [1, 1]],
        [[0, -1]],
        [[0, 6]],
        [[0, 1.0]],
        [[0, "1"]],
        [["٣", 1]],
        [[0, 1, 2]],
        [[0, float("nan")]],
        [[0, 10**400]],
        [0, 1],
        {"0": 1},
        "0,1",
        0,
        True,
    ],
)
def test_splits_that_no_tree_has_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="splits must be None or pairs") as caught:
        read_splits(value, most=6)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_splits_are_made_as_far_as_they_can_be() -> None:
    assert read_splits([], most=6) == []
    assert read_splits([(0, 2), (1, 0)], most=6) == [[0, 2], [1, 0]]
    assert lawful([[0, 2], [1, 0]], 2) == []
    assert lawful([[0, 1], [1, 0], [3, 0]], 2) == [(0, 1), (1, 0)]
