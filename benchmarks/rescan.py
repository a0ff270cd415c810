"""BuildTopDownDT as its definition reads: at every step, score every leaf again.

A peer that shows what sorting whole levels at once is worth. Each leaf keeps the truth table of f
restricted to it, and NumPy compares the table with all of its one-bit flips in one go.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt


@cache
def flips(m: int) -> npt.NDArray[np.intp]:
    """Row j: the points of {0,1}^m with bit j flipped, in truth-table order."""
    return np.arange(1 << m) ^ (1 << np.arange(m))[:, None]


@dataclass(frozen=True, eq=False)
class Leaf:
    """A restriction of f: its table, the variables still free, and the branches from the root."""

    table: npt.NDArray[np.uint8]
    free: tuple[int, ...]
    path: tuple[int, ...] = ()

    def error(self) -> float:
        """Pr[leaf] times the error of its best label."""
        mean = float(self.table.mean())
        return 0.5 ** len(self.path) * min(mean, 1 - mean)

    def score(self) -> tuple[float, int]:
        """Pr[leaf] times the largest influence, and the lowest position that attains it."""
        if not self.free:
            return 0.0, -1
        influences = (self.table[flips(len(self.free))] != self.table).mean(axis=1)
        j = int(influences.argmax())
        return 0.5 ** len(self.path) * float(influences[j]), j

    def split(self, j: int) -> tuple[Leaf, Leaf]:
        """The two leaves after a query of the j-th free variable, low first."""
        halves = self.table.reshape(-1, 2, 1 << j)
        free = self.free[:j] + self.free[j + 1 :]
        low, high = (Leaf(halves[:, b].ravel(), free, (*self.path, b)) for b in (0, 1))
        return low, high


def build_top_down(n: int, table: npt.NDArray[np.uint8], *, skip_pure: bool = False) -> list[int]:
    """Grow until the error is 0; the variable of every split, in order.

    The best leaf is split next; among equals the shallowest, then the leftmost. ``skip_pure``
    looks only at the leaves where f is not constant, a short cut the definition does not mention.
    """
    leaves = [Leaf(table, tuple(range(n)))]
    variables = []
    while True:
        errors = [leaf.error() for leaf in leaves]
        if sum(errors) == 0:
            return variables
        if skip_pure:
            leaves = [leaf for leaf, error in zip(leaves, errors, strict=True) if error > 0]
        scored = [(*leaf.score(), leaf) for leaf in leaves]
        _, j, best = min(scored, key=lambda entry: (-entry[0], len(entry[2].path), entry[2].path))
        variables.append(best.free[j])
        leaves.remove(best)
        leaves += best.split(j)
