"""FIND raced against the literal FIND, and against itself without its memory.

Both sides of a race have given the same answer before they are timed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from timing import Race

import dtviz as dt
from dtviz import rank
from dtviz.rank import literal

Arrays = tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]


def nested(tree: dt.Tree | None) -> Any:
    """A tree in the form that the literal FIND returns."""
    if tree is None:
        return None
    made: dict[int, Any] = {}
    for node in reversed(range(tree.n_nodes)):
        i = int(tree.variable[node])
        inner = (i, made.get(int(tree.low[node])), made.get(int(tree.high[node])))
        made[node] = inner if i >= 0 else int(tree.value[node])
    return made[0]


def noise(n: int, m: int) -> Arrays:
    """Distinct points with random labels: of high rank, so that FIND must exhaust every choice."""
    rng = np.random.default_rng(0)
    X = np.unique(rng.integers(0, 2, (2 * m, n), dtype=np.uint8), axis=0)
    X = rng.permutation(X)[:m]
    return X, rng.integers(0, 2, len(X), dtype=np.uint8)


def easy(m: int) -> Arrays:
    """Random examples of a function of rank 2 of 50 variables."""
    X = dt.ProductDistribution.uniform(50).sample(m, 0)
    return X, rank.random_tree(50, 2, 1).predict(X).astype(np.uint8)


def against_literal(what: str, sample: Arrays, r: int, target: float | None) -> Race:
    """Race `find` against the FIND of `dtviz.rank.literal`, having compared their trees."""
    X, y = sample
    examples = [(tuple(x), label) for x, label in zip(X.tolist(), y.tolist(), strict=True)]
    assert nested(rank.find(X, y, rank=r)) == literal.find(examples, r)
    return Race(
        what,
        lambda: rank.find(X, y, rank=r),
        "the literal FIND",
        lambda: literal.find(examples, r),
        target,
    )


def races(*, toy: bool = False) -> Iterator[Race]:
    """The races of `make bench`."""
    n, m, r = (12, 60, 1) if toy else (40, 500, 4)
    X, y = noise(n, m)
    yield against_literal(f'FIND proves "none", n = {n}, r = 3', (X, y), 3, 40)
    assert rank.find(X, y, rank=r) is None
    yield Race(
        f'FIND proves "none", n = {n}, r = {r}',
        lambda: rank.find(X, y, rank=r),
        "the same, memory off",
        lambda: rank.find(X, y, rank=r, memo_bytes=0),
        4,
    )
    m = 50 if toy else 5_000
    yield against_literal(f"FIND, rank 2, n = 50, m = {m:,}", easy(m), 2, None)
