"""The card in Python, against what the package finds; and the tables that the explorer draws."""

from __future__ import annotations

import pytest

import dtviz as dt
from dtviz.atlas import Card, card
from dtviz.atlas.explorer import AtlasExplorer, tables


@pytest.mark.parametrize("n", [0, 1, 3, 5])
def test_a_card_says_what_the_package_finds_one_by_one(n: int) -> None:
    classes = dt.atlas.npn_classes(n)
    for seed in range(5):
        f = dt.functions.random(n, seed) if n else dt.BooleanFunction(0, [seed % 2])
        of, best, greedy = card(f), dt.optimal(f), dt.build_top_down(f).tree(epsilon=0)
        least = (best.n_leaves, best.depth, best.rank, best.average_depth)
        assert (of.n_leaves, of.depth, of.rank, of.average_depth) == least
        shape = (of.greedy_n_leaves, of.greedy_depth, of.greedy_rank)
        assert shape == (greedy.n_leaves, greedy.depth, greedy.rank)
        sizes = dt.influence.greedy_sizes(f)
        waste = sizes.best - best.n_leaves
        assert (of.best, of.worst, of.waste) == (sizes.best, sizes.worst, waste)
        assert of.influences == tuple(dt.influences(f))
        assert of.variance == dt.measures.variance(f)
        # Whose classes are held against all symmetries in `test_npn.py`.
        assert of.first == dt.atlas.npn_canonical(n, f.code)
        assert of.class_size == classes.sizes[classes.codes.searchsorted(of.first)]


def test_what_has_no_card_is_refused() -> None:
    with pytest.raises(ValueError, match="f must be a BooleanFunction, got 3"):
        card(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="f must have at most 5 variables, got n = 6"):
        card(dt.functions.parity(6))


def test_the_explorer_hands_out_what_is_on_display() -> None:
    explorer = AtlasExplorer(function="x0 ^ x1 & x2")
    f = dt.BooleanFunction.from_text("x0 ^ x1 & x2")
    assert explorer.card() == card(f)
    assert isinstance(explorer.card(), Card)
    assert explorer.tree() == dt.build_top_down(f).tree(epsilon=0)
    assert explorer.tree_beside().n_leaves == card(f).n_leaves


def test_extremes_are_what_they_are_listed_for() -> None:
    """The lists name least codes of classes, and no function has two of the same list."""
    for n, one in tables()["n"].items():
        for extreme in one["extremes"]:
            codes = [int(code, 16) for code in extreme["codes"]]
            assert codes == sorted(set(codes))
            assert dt.atlas.npn_canonical(int(n), codes).tolist() == codes
            assert len(codes) == min(extreme["classes"], 12)
