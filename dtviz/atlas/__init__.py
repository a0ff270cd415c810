"""The atlas: every function of few variables, its card, and where it stands among all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtviz.atlas.cards import Card, card
from dtviz.core.lazy import lazy

if TYPE_CHECKING:
    from dtviz.atlas.explorer import AtlasExplorer

__all__ = ["AtlasExplorer", "Card", "card"]

__getattr__ = lazy(__name__, {"AtlasExplorer": "dtviz.atlas.explorer"})
