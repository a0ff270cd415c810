"""The explorers: live pictures of the algorithms, for Jupyter and for the built book."""

from __future__ import annotations

from dtviz.explorers.influence import InfluenceExplorer

__all__ = ["InfluenceExplorer"]
