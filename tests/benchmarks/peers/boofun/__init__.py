"""A stand-in for boofun in the tests of the benchmarks: its names, answered by definition."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__version__ = "stand-in"


class Function:
    """A Boolean function, given by its truth table."""

    def __init__(self, table: npt.NDArray[np.bool_]) -> None:
        self.table = table
        self.n = int(table.size).bit_length() - 1

    def get_representation(self, name: str) -> npt.NDArray[np.bool_]:
        """Return the truth table."""
        assert name == "truth_table"
        return self.table

    def influences(self) -> npt.NDArray[np.float64]:
        """Return the share of the points at which each variable matters."""
        points = np.arange(self.table.size)
        flipped = [self.table != self.table[points ^ (1 << i)] for i in range(self.n)]
        return np.array([np.mean(changes) for changes in flipped])


def create(table: npt.NDArray[np.bool_]) -> Function:
    """Make a function of its truth table."""
    return Function(table)
