"""What the atlas computes in the page agrees with the package; and so do its card and tables."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.node import evaluate

import dtviz as dt
from dtviz.atlas import Card, card
from dtviz.atlas.explorer import CHARTS, AtlasExplorer, tables

ATLAS = Path(dt.__file__).parent / "atlas"
KERNELS = [ATLAS / name for name in ("kernel.js", "kernel_place.js")]
CARDS = "({ n, codes }) => codes.map((code) => ({ ...measuresOf(n, code), ...classOf(n, code) }))"
SHAPES = {"leaves": "n_leaves", "depth": "depth", "rank": "rank"}
FACTS = ("edges", "ones", "code", "size")


def chosen(n: int) -> list[int]:
    """All functions of up to 3 variables; of more, random ones and the ends of the classes."""
    if n <= 3:
        return list(range(1 << (1 << n)))
    count = 60 if n == 5 else 700
    drawn = np.random.default_rng(n).integers(0, 1 << (1 << n), count).tolist()
    # Random tables are never sparse: those with few ones are small, and have many ties.
    rng = np.random.default_rng(100 + n)
    sparse = [sum(1 << int(x) for x in rng.integers(0, 1 << n, k % 9)) for k in range(count)]
    sparse = [sum({1 << x for x in range(1 << n) if code >> x & 1}) for code in sparse]
    return [*drawn, *(code % (1 << (1 << n)) for code in sparse), 0, (1 << (1 << n)) - 1]


def of_page(n: int) -> dict[str, list[float]]:
    """What the kernel says, by the names of `expected`."""
    cards = evaluate(KERNELS, CARDS, {"n": n, "codes": chosen(n)})
    pairs = [(kind, key) for kind in ("least", "greedy") for key in (*SHAPES, "queries")]
    pairs += [(kind, end) for kind in ("ties", "purity") for end in ("best", "worst")]
    found = {f"{kind} {key}": [one[kind][key] for one in cards] for kind, key in pairs}
    return found | {name: [one[name] for one in cards] for name in FACTS}


@cache
def purity(n: int, code: int) -> tuple[int, int]:
    """The fewest and the most leaves of growth by Gini, by trying each way to break each tie."""
    ones, points = code.bit_count(), 1 << n
    if ones in (0, points):
        return 1, 1
    f = dt.BooleanFunction(n, [code >> x & 1 for x in range(points)])
    halves = [tuple(f.restrict(i, bit).code for bit in (0, 1)) for i in range(n)]
    # Integers: points^2 times the gini of a half, which both have the same weight.
    costs = [
        sum(half.bit_count() * (points // 2 - half.bit_count()) for half in pair) for pair in halves
    ]
    asked = [pair for pair, cost in zip(halves, costs, strict=True) if cost == min(costs)]
    below = [[purity(n - 1, half) for half in pair] for pair in asked]
    return min(a[0] + b[0] for a, b in below), max(a[1] + b[1] for a, b in below)


def expected(n: int, codes: list[int]) -> dict[str, list[Any]]:
    least, greedy = dt.optimal_all(n, codes=codes), dt.influence.greedy_all(n, codes=codes)
    result: dict[str, list[Any]] = {}
    for kind, have in (("least", least), ("greedy", greedy)):
        for key, name in SHAPES.items():
            result[f"{kind} {key}"] = getattr(have, name).tolist()
        result[f"{kind} queries"] = (have.average_depth * (1 << n)).tolist()
    result["ties best"], result["ties worst"] = greedy.best.tolist(), greedy.worst.tolist()
    result["purity best"], result["purity worst"] = map(
        list, zip(*(purity(n, code) for code in codes), strict=True)
    )
    functions = [dt.BooleanFunction(n, [code >> x & 1 for x in range(1 << n)]) for code in codes]
    result["edges"] = [(dt.measures.influence_counts(f) // 2).tolist() for f in functions]
    result["ones"] = [code.bit_count() for code in codes]
    result["code"] = dt.atlas.npn_canonical(n, codes).tolist()
    classes = dt.atlas.npn_classes(n)
    result["size"] = classes.sizes[classes.codes.searchsorted(result["code"])].tolist()
    return result


@pytest.mark.parametrize("n", range(6))
def test_cards_agree_with_the_package(n: int) -> None:
    assert of_page(n) == expected(n, chosen(n))


CELLS = (
    "({ joint, name, n, codes }) => { const cells = cellsOf(joint);"
    " return codes.map((code) => cells[cellOf(cells, name, measuresOf(n, code))]); }"
)


@pytest.mark.parametrize("n", range(1, 6))
def test_each_function_is_in_its_cell(n: int) -> None:
    """The example of each cell; and of few variables each function, in a cell with as many."""
    known = tables()["n"][str(n)]
    for chart in CHARTS:
        joint = known["joint"][chart]
        assert sum(map(sum, joint["functions"])) == known["functions"] == 2**2**n
        listed = [
            (int(code, 16), a, b)
            for a, row in enumerate(joint["codes"])
            for b, code in enumerate(row)
            if code is not None
        ]
        everything = list(range(1 << (1 << n)))[:: 1 if n < 4 else 17] if n < 5 else []
        codes = [*(code for code, _, _ in listed), *everything]
        found = evaluate(KERNELS, CELLS, {"joint": joint, "name": chart, "n": n, "codes": codes})
        examples, cells = found[: len(listed)], found[len(listed) :]
        values = [(joint["first"][a], joint["second"][b]) for _, a, b in listed]
        assert [(cell["first"], cell["second"]) for cell in examples] == values
        assert None not in cells
        for cell in cells if n < 4 else ():
            assert cells.count(cell) == cell["functions"]


def test_a_share_is_never_shown_as_what_it_is_not() -> None:
    shares = [0, 960 / 2**32, 0.0009, 0.001, 0.5, 0.9994, 1 - 2**-32, 1]
    result = evaluate(KERNELS, "(shares) => shares.map(shareText)", shares)
    assert result == [
        *("none", "one in 4,473,924", "one in 1,111", "0.1 %", "50.0 %"),
        *("over 99.9 %", "over 99.9 %", "all"),
    ]


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
