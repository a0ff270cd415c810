"""The card in Python, against definitions; and the tables that the explorer draws."""

from __future__ import annotations

import itertools

import pytest

import dtviz as dt
from dtviz.atlas import Card, card
from dtviz.atlas.explorer import AtlasExplorer, tables


def renamed(f: dt.BooleanFunction) -> set[int]:
    """The codes of the class of f, by trying every renaming and negation on every point."""
    found = set()
    points = list(itertools.product((0, 1), repeat=f.n))
    for order in itertools.permutations(range(f.n)):
        for signs in points:
            code = 0
            for bits in points:
                moved = [bits[i] ^ sign for i, sign in zip(order, signs, strict=True)]
                value = int(f.table[sum(bit << i for i, bit in enumerate(moved))])
                code |= value << sum(bit << i for i, bit in enumerate(bits))
            found |= {code, code ^ ((1 << len(points)) - 1)}
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", range(5))
def test_the_class_is_what_renaming_and_negating_makes(n: int, seed: int) -> None:
    f = dt.functions.random(n, seed) if n else dt.BooleanFunction(0, [seed % 2])
    of, names = card(f), renamed(f)
    assert (of.first, of.class_size) == (min(names), len(names))


def test_sizes_of_classes_are_those_of_their_list() -> None:
    classes = dt.atlas.npn_classes(5)
    for k in range(0, classes.codes.size, 60_000):
        code = int(classes.codes[k])
        f = dt.BooleanFunction(5, [code >> x & 1 for x in range(32)])
        assert (card(f).first, card(f).class_size) == (code, classes.sizes[k])


@pytest.mark.parametrize("n", [1, 3, 5])
def test_a_card_says_what_the_package_finds_one_by_one(n: int) -> None:
    for seed in range(5):
        f = dt.functions.random(n, seed)
        of, best, greedy = card(f), dt.optimal(f), dt.build_top_down(f).tree(epsilon=0)
        least = (best.n_leaves, best.depth, best.rank, best.average_depth)
        assert (of.n_leaves, of.depth, of.rank, of.average_depth) == least
        assert (of.greedy_n_leaves, of.greedy_depth) == (greedy.n_leaves, greedy.depth)
        assert of.greedy_rank == greedy.rank
        sizes = dt.influence.greedy_sizes(f)
        assert (of.best, of.worst, of.waste) == (
            sizes.best,
            sizes.worst,
            sizes.best - best.n_leaves,
        )
        assert of.influences == tuple(dt.influences(f))
        assert of.variance == dt.measures.variance(f)


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        (3, "f must be a BooleanFunction, got 3"),
        (dt.functions.parity(6), "f must have at most 5 variables, got n = 6"),
    ],
)
def test_what_has_no_card_is_refused(value: object, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        card(value)  # type: ignore[arg-type]


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
