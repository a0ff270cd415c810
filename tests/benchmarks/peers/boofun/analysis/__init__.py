"""The stand-ins of ``boofun.analysis``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boofun import Function

from . import decision_trees, p_biased

__all__ = ["SpectralAnalyzer", "decision_trees", "p_biased"]


class SpectralAnalyzer:
    """An analyser that is kept."""

    def __init__(self, f: Function) -> None:
        self.f = f

    def influences(self, *, force_recompute: bool) -> npt.NDArray[np.float64]:
        """Compute them again."""
        assert force_recompute
        return self.f.influences()
