"""The dots that fall through a tree: their ways, their heaps, and what is counted of them."""

from __future__ import annotations

import numpy as np
import pytest
from support.node import evaluate

from dtviz.explorers.base import STATIC

FALLS = [STATIC / "computing/falls.js"]


def random_tree(n_splits: int, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Return the node above each, and after how many splits each is there."""
    up, born, leaves = [-1], [0], [0]
    for split in range(1, n_splits + 1):
        node = leaves.pop(int(rng.integers(len(leaves))))
        leaves += [len(up), len(up) + 1]
        up += [node, node]
        born += [split, split]
    return up, born


def above(up: list[int], node: int) -> list[int]:
    """Return a node and all above it, from the root on."""
    return [] if node < 0 else [*above(up, up[node]), node]


def test_a_dot_stands_at_the_last_node_that_is_there() -> None:
    rng = np.random.default_rng(0)
    up, born = random_tree(12, rng)
    cases = [(end, asked) for end in range(len(up)) for asked in range(13)]
    code = "({up, born, cases}) => cases.map(([end, asked]) => leafAt(up, born, end, asked))"
    found = evaluate(FALLS, code, {"up": up, "born": born, "cases": cases})
    assert found == [[k for k in above(up, end) if born[k] <= n][-1] for end, n in cases]


def test_a_way_leads_along_the_edges_and_through_no_heap_twice() -> None:
    up, _ = random_tree(12, np.random.default_rng(1))
    cases = [(a, b) for a in range(-1, len(up)) for b in range(len(up)) if a != b]
    code = "({up, cases}) => cases.map(([from, to]) => wayBetween(up, from, to))"
    for (a, b), way in zip(cases, evaluate(FALLS, code, {"up": up, "cases": cases}), strict=True):
        first, second = above(up, a), above(up, b)
        shared = [k for k in first if k in second]
        rise, fall = first[len(shared) :][::-1], second[len(shared) :]
        # The heap of a node lies below it: only a dot of another one passes the node they share.
        assert way == [*rise, *(shared[-1:] if rise and fall else []), *fall], (a, b)


@pytest.mark.parametrize(
    ("n_dots", "crowded"), [(0, False), (40, False), (900, False), (20_000, True)]
)
def test_dots_lie_side_by_side_within_their_heaps(n_dots: int, *, crowded: bool) -> None:
    rng = np.random.default_rng(2)
    heaps = [
        {"px": 100.0 * k, "py": 30.0 * k, "width": w, "height": h}
        for k, (w, h) in enumerate([(60, 80), (90, 40), (2, 50), (80, 60)])
    ]
    # The third has next to no room, and a few dots.
    owner = rng.choice([-1, 0, 1, 3], n_dots)
    owner[:10] = 2
    code = """({owner, heaps}) => {
      const pitch = pitchOf(owner, heaps, 5);
      return [pitch, [...heapPlaces(owner, heaps, pitch)]];
    }"""
    pitch, places = evaluate(FALLS, code, {"owner": owner.tolist(), "heaps": heaps})
    assert pitch == 1 if crowded else 1 < pitch <= 5
    points = np.array(places, float).reshape(-1, 2)
    assert (np.isnan(points[:, 0]) == (owner < 0)).all()
    for k, heap in enumerate(heaps):
        mine = points[owner == k]
        assert len(np.unique(mine, axis=0)) == len(mine)
        assert (abs(mine[:, 0] - heap["px"]) <= max(heap["width"], pitch) / 2).all()
        assert ((mine[:, 1] > heap["py"]) & (mine[:, 1] < heap["py"] + heap["height"])).all()
        # Row by row: none lies above one that comes before it, or too near where there is room.
        assert (np.diff(mine[:, 1]) >= 0).all()
        assert crowded or (np.diff(np.unique(mine[:, 1])) > pitch - 0.01).all()


def test_who_has_not_landed_counts_as_before() -> None:
    rng = np.random.default_rng(3)
    group, right, before, landed = rng.integers(2, size=(4, 300))
    code = "({group, right, ...fall}) => rightSoFar(group, 2, right, fall)"
    given = {"group": group, "right": right, "before": before, "landed": landed}
    found = evaluate(FALLS, code, {name: value.tolist() for name, value in given.items()})
    now = np.where(landed, right, before)
    assert found == [int(now[group == k].sum()) for k in (0, 1)]
