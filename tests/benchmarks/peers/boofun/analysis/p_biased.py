"""The stand-in of ``boofun.analysis.p_biased``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boofun import Function


class PBiasedAnalyzer:
    """A function under one common bias."""

    def __init__(self, f: Function, p: float) -> None:
        self.f, self.p = f, p

    def influences(self) -> npt.NDArray[np.float64]:
        """Return the probability that each variable matters."""
        points = np.arange(self.f.table.size)
        ones = np.array([x.bit_count() for x in points.tolist()])
        weight = self.p**ones * (1 - self.p) ** (self.f.n - ones)
        changes = [self.f.table != self.f.table[points ^ (1 << i)] for i in range(self.f.n)]
        return np.array([weight[change].sum() for change in changes])
