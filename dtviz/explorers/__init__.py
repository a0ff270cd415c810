"""The explorers: live pictures of the algorithms, for Jupyter and for the built book."""

from __future__ import annotations

from dtviz.explorers.impurity import ImpurityExplorer
from dtviz.explorers.influence import InfluenceExplorer
from dtviz.explorers.product import ProductExplorer
from dtviz.explorers.pruning import PruningExplorer
from dtviz.explorers.rank import RankExplorer

__all__ = [
    "ImpurityExplorer",
    "InfluenceExplorer",
    "ProductExplorer",
    "PruningExplorer",
    "RankExplorer",
]
