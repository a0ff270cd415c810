"""Every public function under generated arguments: a right answer, or a word of what is wrong."""

from __future__ import annotations

import pytest
from support.fuzz import growing, rank
from support.fuzz.drive import Row, drive

ROWS: list[Row] = [*rank.ROWS, *growing.ROWS]


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_each_call_is_right_or_refused_by_name(row: Row) -> None:
    assert drive(row) == []
