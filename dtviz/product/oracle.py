"""Querying a function: a truth table, or an oracle, whose answers are checked.

An oracle is a callable that takes an ``(m, n)`` array of bits, a point a row, and gives m bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.checks import as_array, as_bits, as_repr
from dtviz.core.measures import check_distribution

Bits = npt.NDArray[np.int8]
Oracle = Callable[[npt.NDArray[np.int64]], npt.ArrayLike]


class Asked:
    """Points that an oracle was asked: their values, and those of their neighbors."""

    def __init__(self, f: Oracle, x: Bits) -> None:
        self.f, self.x = f, x
        self.values = self._ask(x)

    def _ask(self, x: Bits) -> Bits:
        # Integers of 64 bits: whatever f computes with them, shifts included, does not wrap around.
        given = self.f(x.astype(np.int64))
        answer = as_array(given)
        if answer is None or answer.shape != (len(x),):
            got = f"shape {answer.shape}" if answer is not None and answer.ndim else as_repr(given)
            msg = f"f must give one bit for each row of its argument, {len(x)} bits, got {got}"
            raise ValueError(msg)
        return as_bits("the answers of f", answer)

    def beside(self, i: int, bits: Bits) -> Bits:
        """The values where x_i is replaced by the given bits."""
        y = self.x.copy()
        y[:, i] = bits
        answers = self._ask(y)
        twice = (bits == self.x[:, i]) & (answers != self.values)
        if twice.any():
            row = int(twice.argmax())
            first, then = int(self.values[row]), int(answers[row])
            msg = (
                f"f must be a function, the same answer for the same point, got {first} and then "
                f"{then} for x = {self.x[row].tolist()}: a noisy or changing oracle"
            )
            raise ValueError(msg)
        return answers


def as_oracle(
    f: Any, mu: ProductDistribution | None
) -> tuple[Callable[[Bits], Asked], ProductDistribution]:
    """Return what queries f at points, and the distribution of the points; raise if invalid."""
    if isinstance(f, BooleanFunction):
        mu = ProductDistribution.uniform(f.n) if mu is None else check_distribution(mu, f.n)
        return (lambda x: Asked(lambda y: f.table[y @ (1 << np.arange(f.n))], x)), mu
    if not callable(f):
        msg = (
            "f must be a BooleanFunction or an oracle, a callable that takes an (m, n) array of "
            f"bits and gives m bits, got {as_repr(f)}"
        )
        raise ValueError(msg)
    if not isinstance(mu, ProductDistribution):
        msg = f"mu must be a ProductDistribution when f is an oracle, got {as_repr(mu)}"
        raise ValueError(msg)
    return (lambda x: Asked(f, x)), mu
