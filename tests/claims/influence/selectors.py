"""Selectors of parities for claim LB-A, and greedy runs on them by the states of their nodes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Levels", "Selector", "by_states", "by_weight", "of_table", "tribes"]

Floats = npt.NDArray[np.float64]


# -- selectors ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Selector:
    """``q[b]`` is the probability of block b. ``moves[i, b, c]``: that flipping z_i leads b to c.

    Variables that are alike in this share a place ``i``.
    """

    name: str
    q: Floats
    moves: Floats

    @property
    def blocks(self) -> int:
        """How many parities there are."""
        return self.q.size

    @property
    def rho(self) -> float:
        """The largest influence on the selector."""
        return float(self.moves.sum(axis=(1, 2)).max())

    def fits(self, most: float | None = None) -> bool:
        """The hypothesis: ``rho < q_min``, or ``rho < 2 q_min`` for two blocks; or ``most``."""
        times = (2 if self.blocks == 2 else 1) if most is None else most
        return bool(self.rho < times * self.q.min())


def of_table(name: str, table: npt.NDArray[np.int64], blocks: int) -> Selector:
    """The selector with these values at the points of the cube."""
    x, bits = np.arange(table.size), table.size.bit_length() - 1
    moves = np.zeros((bits, blocks, blocks))
    for i in range(bits):
        np.add.at(moves[i], (table, table[x ^ (1 << i)]), 1 / table.size)
        np.fill_diagonal(moves[i], 0)
    return Selector(name, np.bincount(table, minlength=blocks) / table.size, moves)


def by_weight(bits: int, *cuts: int) -> Selector:
    """How many of the cuts the weight of z reaches: every bit has the same influence."""
    weight = np.array([math.comb(bits, w) for w in range(bits + 1)]) / 2.0**bits
    q = np.array([part.sum() for part in np.split(weight, list(cuts))])
    moves = np.zeros((1, q.size, q.size))
    for b, cut in enumerate(cuts):
        # The flip counts if the others have weight cut - 1; either value of the bit is as likely.
        moves[0, b, b + 1] = moves[0, b + 1, b] = math.comb(bits - 1, cut - 1) / 2.0**bits
    return Selector(f"weight of {bits} bits cut at {', '.join(map(str, cuts))}", q, moves)


def tribes(r: int, width: int | None = None) -> Selector:
    """The selector of the corollary: r address bits, each of tribes of ``width`` r + 2."""
    k, w = 1 << r, width or r + 2
    u = 2.0**-w
    # As many tribes as keep an address bit nearly balanced.
    zero = (1 - u) ** int(math.log(2) / u)
    rho = 2 * u * zero / (1 - u)
    code = np.arange(k)
    bit = code[:, None] >> np.arange(r) & 1
    chance = np.where(bit == 0, zero, 1 - zero)
    moves = np.zeros((r, k, k))
    for i in range(r):
        moves[i, code, code ^ (1 << i)] = np.delete(chance, i, axis=1).prod(axis=1) * rho / 2
    return Selector(f"{r} address bits of tribes of width {w}", chance.prod(axis=1), moves)


# -- runs ----------------------------------------------------------------------------------------

State = tuple[tuple[int, ...], tuple[int, ...]]
"""How many bits of each block are known, and its parity, -1 as long as it is open."""


@dataclass(frozen=True)
class Levels:
    """The run before it asks the selector, one entry per depth 0, 1, .. of its complete trees.

    ``error`` is that of the complete tree, ``score`` that of its leaves, ``lead`` by how much a
    bit of a block has at least more influence than one of the selector.
    """

    error: Floats
    score: Floats
    lead: Floats


def _selector_influence(selector: Selector, parity: tuple[int, ...]) -> float:
    """The largest influence of a bit of the selector, given the parities of closed blocks.

    Changing the block changes the value by a fair coin if one of the two is open.
    """
    v = np.array(parity)
    is_open = (v[:, None] < 0) | (v[None, :] < 0)
    changes = np.where(is_open, 0.5, v[:, None] != v[None, :])
    return float((selector.moves * changes).sum(axis=(1, 2)).max())


def _err(selector: Selector, parity: tuple[int, ...]) -> float:
    """The error of the best label, given the parities of closed blocks."""
    v = np.array(parity)
    one = float((selector.q * np.where(v < 0, 0.5, v)).sum())
    return min(one, 1 - one)


def by_states(selector: Selector, length: int, *, in_turn: bool = False) -> Levels:
    """All levels down to the last at which some block is open."""
    q, k = selector.q, selector.blocks
    weight: dict[State, float] = {((0,) * k, (-1,) * k): 1.0}
    influence: dict[tuple[int, ...], float] = {}
    rows = []
    for depth in range(k * length):
        error, scores, leads, below = 0.0, [], [], dict[State, float]()
        for (known, parity), share in weight.items():
            if parity not in influence:
                influence[parity] = _selector_influence(selector, parity)
            best = max(q[b] for b in range(k) if parity[b] < 0)
            alike = [b for b in range(k) if parity[b] < 0 and math.isclose(q[b], best)]
            b = min(alike, key=known.__getitem__) if in_turn else alike[0]
            error += share * _err(selector, parity)
            scores.append(best)
            leads.append(best - influence[parity])
            more = (*known[:b], known[b] + 1, *known[b + 1 :])
            closes = more[b] == length
            for value in (0, 1) if closes else (-1,):
                child = (more, (*parity[:b], value, *parity[b + 1 :]))
                below[child] = below.get(child, 0) + share / (2 if closes else 1)
        # All leaves of a depth have the same score, so that the next depth waits for them.
        even = math.isclose(min(scores), max(scores))
        rows.append((error, 2.0**-depth * max(scores), min(leads) if even else -1.0))
        weight = below
    return Levels(*(np.array(column) for column in zip(*rows, strict=True)))
