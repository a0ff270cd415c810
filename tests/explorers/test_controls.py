"""The controls of all explorers: whether they look disabled, in light and dark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support import mouse, web
from support.explorers import Open, write_page

import dtviz as dt

if TYPE_CHECKING:
    from pathlib import Path

EXPLORERS = (
    dt.AtlasExplorer,
    dt.GrowingExplorer,
    dt.ImpurityExplorer,
    dt.InfluenceExplorer,
    dt.ProductExplorer,
    dt.PruningExplorer,
    dt.RankExplorer,
)


@pytest.mark.parametrize("theme", web.THEMES)
def test_what_is_disabled_looks_so(tab: Open, tmp_path: Path, theme: web.Theme) -> None:
    for explorer in EXPLORERS:
        page = tab(write_page(tmp_path, explorer()), theme=theme).page
        found = mouse.looks(page, ".dtviz-explorer :is(button, input, select, textarea)")
        assert len(found) > 3
        wrong = {part: faint for part, faint in found.items() if faint != (False, True, True)}
        assert wrong == {}, explorer
