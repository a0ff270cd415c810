"""The picture in an explorer's HTML: drawn once for what it shows, and never that of another state.

It is held against explorers made in the state that is asked for, which have kept nothing yet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from support.cases import sweep

import dtviz as dt
from dtviz.explorers.base import Explorer

State = Mapping[str, Any]

ONE = dt.functions.conjunction(3)
ROWS = [[k % 7, k * k % 11, float(k % 3 == 0)] for k in range(60)]
POINTS = [[float(k % 7), float(k * k % 11), float(k % 3 == 0)] for k in range(40)]
YOURS: State = {"view": "plane", "data": "yours", "points": POINTS}
COLUMNS = np.array(POINTS)[:, [0, 1, 1]] * [1.0, 1.0, -1.0]
TABLE: State = {"X": COLUMNS, "y": [int(row[2]) for row in POINTS]}
MADE: dict[str, dict[str, Any]] = {
    "InfluenceExplorer": {"functions": {"a": dt.functions.majority(3), "b": ONE}},
    "RankExplorer": {"targets": {"a": dt.functions.majority(3), "b": ONE}},
    "ProductExplorer": {"functions": {"a": dt.functions.majority(3), "b": ONE}},
    "ImpurityExplorer": {},
    "GrowingExplorer": {},
    "PruningExplorer": {"samples": {"a": dt.functions.majority(3), "b": ONE}},
}
"""What each offers: small things, drawn quickly."""

PICTURED: dict[str, list[tuple[State, State]]] = {
    "InfluenceExplorer": [
        ({}, {"function": "b"}),
        ({}, {"epsilon": 0.3}),
        ({"epsilon": 0.0}, {"step": 2}),
        ({}, {"splits": [[0, 1]]}),
        ({}, {"beside": "best"}),
        ({"beside": "kept"}, {"kept": {"function": "b", "epsilon": 0.0}}),
    ],
    "RankExplorer": [
        ({}, {"target": "b"}),
        ({}, {"m": 4}),
        ({}, {"rank": 1}),
        ({}, {"epsilon": 0.2}),
        ({}, {"seed": 3}),
        ({}, {"flipped": [0]}),
        ({}, {"rows": ["0000", "0111"]}),
        ({"kept": {"target": "b"}}, {"beside": "kept"}),
        ({"beside": "kept"}, {"kept": {"target": "b", "m": 4}}),
    ],
    "ProductExplorer": [
        ({}, {"function": "b"}),
        ({}, {"bias": 0.6}),
        ({}, {"biases": [0.9]}),
        ({}, {"epsilon": 0.3}),
        ({}, {"beside": "best"}),
        ({"beside": "best"}, {"view": "race"}),
        ({"beside": "kept"}, {"kept": {"epsilon": 0.0}}),
    ],
    "ImpurityExplorer": [
        ({}, {"view": "plane"}),
        *(({}, changes) for changes in ({"cost": "sqrt"}, {"p": 0.7}, {"r": 0.9}, {"tau": 0.3})),
        *(({"view": "plane"}, changes) for changes in ({"data": "xor"}, {"leaves": 2})),
        ({"view": "plane"}, {"splits": [[0, 1, 0.1]]}),
        (YOURS, {"points": [*POINTS, [9.0, 9.0, 1.0]]}),
        (YOURS, {"names": ["across", "up", "no", "yes"]}),
        (TABLE, {"axes": ["x2", "x0"]}),
    ],
    "GrowingExplorer": [({}, {"gamma": 0.1})],
    "PruningExplorer": [
        ({}, {"sample": "b"}),
        ({}, {"noise": 0.2}),
        ({}, {"method": "structural risk"}),
        ({"method": "fewest leaves"}, {"d": 35}),
        ({"method": "bottom up"}, {"c": 0.02}),
        ({"method": "bottom up", "c": 0.06}, {"delta": 0.9}),
        ({"method": "cost complexity"}, {"alpha": 0.05}),
        ({}, {"flips": [1, 2, 3]}),
        ({"sample": "yours"}, {"rows": ROWS}),
        (
            {"sample": "yours", "rows": ROWS, "method": "fewest leaves", "d": 0},
            {"names": ["p", "q", "no", "yes"]},
        ),
    ],
}
"""For each trait that the picture or its caption tells, a state and a change of it that is seen."""

ASIDE: dict[str, State] = {
    "InfluenceExplorer": {"show_bounds": True, "playing": True},
    "RankExplorer": {"delta": 0.3, "call": 1, "view": "many samples", "playing": True},
    "ProductExplorer": {"samples": 8, "seed": 7, "playing": True},
    "ImpurityExplorer": {"playing": True, "beside": "sqrt"},
    "GrowingExplorer": {"log_splits": 2.0, "playing": True},
    "PruningExplorer": {"beside": "the full tree", "playing": True},
}
"""Values of all the others."""

STARTS = [
    (name, cases[k][0])
    for name, cases in PICTURED.items()
    for k in range(len(cases))
    if cases[k][0] not in [start for start, _ in cases[:k]]
]
every_kind = pytest.mark.parametrize("name", MADE)


def made(name: str, state: State | None = None) -> Explorer:
    explorer: Explorer = getattr(dt, name)(**MADE[name], **(state or {}))
    return explorer


def change(explorer: Explorer, changes: State) -> None:
    for trait, value in changes.items():
        setattr(explorer, trait, value)


def image(explorer: Explorer) -> str:
    """The picture and its caption, without the data beside it."""
    found = re.findall("<img .*?>", explorer.to_html())
    assert len(found) == 1
    return str(found[0])


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of explorers whose picture was drawn, in turn."""
    found: list[str] = []

    def spied(kind: type[Explorer]) -> None:
        pen = kind.picture

        def picture(self: Explorer) -> Figure:
            found.append(kind.__name__)
            return pen(self)

        monkeypatch.setattr(kind, "picture", picture)

    for name in MADE:
        spied(getattr(dt, name))
    return found


@every_kind
def test_every_trait_is_reported_by_the_picture_or_named_as_aside(name: str) -> None:
    explorer = made(name)
    public = {trait for trait in explorer._state() if not trait.startswith("_")}
    public -= {"views", "controls"}  # which parts of the page show, never what they say
    found = {trait for _, changes in PICTURED[name] for trait in changes}
    assert found | set(ASIDE[name]) == public
    assert set(ASIDE[name]) == explorer._not_pictured


@pytest.mark.parametrize(("name", "start"), sweep(STARTS, 6))
def test_a_change_that_is_seen_is_drawn(name: str, start: State) -> None:
    """One after the other, so that each picture is drawn after that of another change."""
    explorer = made(name, start)
    before = image(explorer)
    for changes in (changes for begin, changes in PICTURED[name] if begin == start):
        back = {trait: getattr(explorer, trait) for trait in changes}
        change(explorer, changes)
        after = image(explorer)
        assert after != before, changes
        assert after == image(made(name, {**start, **changes})), changes
        change(explorer, back)
    assert image(explorer) == before


@every_kind
def test_a_change_that_is_not_seen_draws_nothing(name: str, drawings: list[str]) -> None:
    explorer = made(name)
    before = image(explorer)
    for trait, value in ASIDE[name].items():
        assert getattr(explorer, trait) != value
        setattr(explorer, trait, value)
        assert image(explorer) == before
    assert drawings == [name]
    # Nor would it have drawn anything else.
    assert image(made(name, ASIDE[name])) == before


@every_kind
def test_shown_again_it_is_not_drawn_again(name: str, drawings: list[str]) -> None:
    explorer = made(name)
    bundles = [explorer._repr_mimebundle_()[0] for _ in range(3)]
    assert bundles[0] == bundles[1] == bundles[2]
    assert "data:image/svg+xml" in explorer.to_html()
    assert drawings == [name]
    bundles[0]["image/png"] = "spoilt"
    assert explorer._repr_mimebundle_()[0] == bundles[1]


def test_the_data_beside_the_picture_is_that_of_now() -> None:
    explorer = made("RankExplorer")
    assert '"delta":0.1' in explorer.to_html()
    explorer.delta = 0.3
    assert '"delta":0.3' in explorer.to_html()


def test_settings_of_matplotlib_are_seen() -> None:
    explorer = dt.GrowingExplorer()
    before = image(explorer)
    with mpl.rc_context({"axes.grid": True}):
        ruled = image(explorer)
        assert ruled == image(dt.GrowingExplorer()) != before
    assert image(explorer) == before


def test_what_it_was_drawn_from_cannot_be_changed_in_place() -> None:
    for array in (
        *dt.PruningExplorer(ONE).examples["f"].X,
        *dt.PruningExplorer(ONE).examples["f"].y,
        dt.ImpurityExplorer().planes["iris"].X,
        dt.InfluenceExplorer(ONE).functions["f"].table,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
