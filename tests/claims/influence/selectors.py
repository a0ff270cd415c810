"""Selectors of parities for claim LB-A, and greedy runs on them by the states of their nodes."""

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

import numpy as np


@dataclass(frozen=True, eq=False)
class Selector:
    """``q[b]`` is the probability of block b. ``moves[i, b, c]``: that flipping z_i leads b to c.

    Variables that are alike in this share a place ``i``.
    """

    name: str
    q: np.ndarray
    moves: np.ndarray

    @property
    def blocks(self):
        """How many parities there are."""
        return self.q.size

    def fits(self, most=None):
        """The hypothesis: ``rho < q_min``, or ``rho < 2 q_min`` for two blocks; or ``most``.

        ``rho`` is the largest influence on the selector.
        """
        times = (2 if self.blocks == 2 else 1) if most is None else most
        return bool(self.moves.sum(axis=(1, 2)).max() < times * self.q.min())


def of_table(name, table, blocks):
    """The selector with these values at the points of the cube."""
    x, bits = np.arange(table.size), table.size.bit_length() - 1
    moves = np.zeros((bits, blocks, blocks))
    for i in range(bits):
        np.add.at(moves[i], (table, table[x ^ (1 << i)]), 1 / table.size)
        np.fill_diagonal(moves[i], 0)
    return Selector(name, np.bincount(table, minlength=blocks) / table.size, moves)


def by_weight(bits, *cuts):
    """How many of the cuts the weight of z reaches: every bit has the same influence."""
    weight = np.array([math.comb(bits, w) for w in range(bits + 1)]) / 2.0**bits
    q = np.array([part.sum() for part in np.split(weight, list(cuts))])
    moves = np.zeros((1, q.size, q.size))
    for b, cut in enumerate(cuts):
        # The flip counts if the others have weight cut - 1; either value of the bit is as likely.
        moves[0, b, b + 1] = moves[0, b + 1, b] = math.comb(bits - 1, cut - 1) / 2.0**bits
    return Selector(f"weight of {bits} bits cut at {', '.join(map(str, cuts))}", q, moves)


def tribes(r, width=None):
    """The selector of the corollary: r address bits, each of tribes of ``width`` r + 2."""
    k, w = 1 << r, width or r + 2
    u = 2.0**-w
    # As many tribes as keep an address bit nearly balanced.
    zero = (1 - u) ** int(math.log(2) / u)
    rho = 2 * u * zero / (1 - u)
    code = np.arange(k)
    chance = np.where(code[:, None] >> np.arange(r) & 1, 1 - zero, zero)
    moves = np.zeros((r, k, k))
    for i in range(r):
        moves[i, code, code ^ (1 << i)] = np.delete(chance, i, axis=1).prod(axis=1) * rho / 2
    return Selector(f"{r} address bits of tribes of width {w}", chance.prod(axis=1), moves)


def by_states(selector, length, *, in_turn=False):
    """The run before it asks the selector, by levels down to the last with an open block.

    One entry per depth 0, 1, .. of its complete trees: ``error`` is that of the tree, ``score``
    that of its leaves, ``lead`` by how much a bit of a block has at least more influence than one
    of the selector. A state is how many bits of each block are known, and the parity of each
    block, -1 as long as it is open.
    """
    q, k = selector.q, selector.blocks

    @cache
    def numbers(parity):
        """The error of the best label, and the largest influence of a bit of the selector.

        Changing the block changes the value by a fair coin if one of the two is open.
        """
        v = np.array(parity)
        one = float((q * np.where(v < 0, 0.5, v)).sum())
        is_open = (v[:, None] < 0) | (v[None, :] < 0)
        changes = np.where(is_open, 0.5, v[:, None] != v[None, :])
        return min(one, 1 - one), float((selector.moves * changes).sum(axis=(1, 2)).max())

    weight, rows = {((0,) * k, (-1,) * k): 1.0}, []
    for depth in range(k * length):
        error, scores, leads, below = 0.0, [], [], defaultdict(float)
        for (known, parity), share in weight.items():
            own, influence = numbers(parity)
            best = max(q[b] for b in range(k) if parity[b] < 0)
            alike = [b for b in range(k) if parity[b] < 0 and math.isclose(q[b], best)]
            b = min(alike, key=known.__getitem__) if in_turn else alike[0]
            error += share * own
            scores.append(best)
            leads.append(best - influence)
            more = (*known[:b], known[b] + 1, *known[b + 1 :])
            values = (0, 1) if more[b] == length else (-1,)
            for value in values:
                below[more, (*parity[:b], value, *parity[b + 1 :])] += share / len(values)
        # All leaves of a depth have the same score, so that the next depth waits for them.
        even = math.isclose(min(scores), max(scores))
        rows.append((error, 2.0**-depth * max(scores), min(leads) if even else -1.0))
        weight = below
    error, score, lead = np.array(rows).T
    return SimpleNamespace(error=error, score=score, lead=lead)
