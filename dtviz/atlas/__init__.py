"""The atlas: every function of few variables, its card, and where it stands among all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtviz.atlas.cards import Card, card
from dtviz.atlas.npn import NPNClasses, npn_canonical, npn_classes
from dtviz.core import lazy

if TYPE_CHECKING:
    from dtviz.atlas.explorer import AtlasExplorer

__all__ = ["AtlasExplorer", "Card", "NPNClasses", "card", "npn_canonical", "npn_classes"]

__getattr__, __dir__ = lazy(__name__, __all__, {"AtlasExplorer": "dtviz.atlas.explorer"})
