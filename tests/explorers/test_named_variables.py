"""Variables of the reader's own names, in trees and captions; `tests/states` has the pages."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest

import dtviz as dt

TEXT = "rain & wind | sun"
NAMES = ("rain", "sun", "wind")


@pytest.mark.parametrize("make", [dt.InfluenceExplorer, dt.ProductExplorer, dt.RankExplorer])
def test_trees_and_captions_have_the_names(make: Any) -> None:
    for given in (
        TEXT,
        dt.BooleanFunction.from_text(TEXT),
        {"f": dt.BooleanFunction.from_text(TEXT)},
    ):
        explorer = make(given)
        assert explorer.tree().names.features == NAMES
        assert not re.search(r"\bx_?\d", explorer.caption())
    assert str(make(TEXT).tree()).startswith(("sun", "rain"))
    with pytest.raises(ValueError, match="must have a variable, 0, 1, ~, not or"):
        make("rain &")


def test_find_and_growth_keep_the_names() -> None:
    f = dt.BooleanFunction.from_text(TEXT)
    X = pd.DataFrame(dt.cube_points(3), columns=NAMES)
    trees = [
        dt.rank.find_min(f),
        dt.rank.find_min(X, f.table),
        dt.rank.find(X, f.table, rank=1),
        dt.rank.find_run(X, f.table, rank=1).tree(),
        dt.growing.grow_predicates(X, f.table).tree(),
        dt.build_top_down(f).tree(),
        dt.optimal(f).tree(),
    ]
    for tree in trees:
        assert tree is not None
        assert tree.names.features == NAMES
        assert tree.function(3) == f
