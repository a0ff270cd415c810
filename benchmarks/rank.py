"""FIND raced: against the literal FIND, against itself without its memory, and against Lemma 3.

`growth` tells how time and work grow beside the bound ``O(m (n+1)^2r)``. Both sides of a race have
given the same answer before they are timed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from timing import Race, best, slope

import dtviz as dt
from dtviz import rank
from dtviz.rank import literal

Arrays = tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]


def backward_list(n: int) -> Arrays:
    """The decision list x_(n-1), x_(n-2), ..., x_0, on 2n points.

    The points ``e_i`` and ``e_i + e_(i-1)`` have label i mod 2, and 0 has label 1. No other order
    will do, but that of the last two; so FIND tries every variable before the right one.
    """
    X = np.zeros((2 * n, n), dtype=np.uint8)
    for i in range(n):
        X[2 * i : 2 * i + 2, i] = 1
        X[2 * i + 1, i - 1] |= i > 0
    y = (np.repeat(np.arange(n), 2) % 2).astype(np.uint8)
    X[1] = 0
    y[1] = 1
    return X, y


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


def growth_in_n(what: str, r: int, samples: Sequence[Arrays]) -> str:
    """Runs on growing n, nothing remembered: time and entries read for each example, the bound."""
    seconds, read, share = [], [], []
    for X, y in samples:
        m, n = X.shape
        run = rank.find_run(X, y, rank=r, max_calls=10**7)
        seconds.append(best(lambda X=X, y=y: rank.find(X, y, rank=r, memo_bytes=0), 3) / m)
        read.append(run.touched / m)
        share.append(read[-1] / rank.recurrence_bound(n, r, 1, n + 1))
    sizes = [X.shape[1] for X, _ in samples]
    x = [n + 1 for n in sizes]
    return (
        f"r = {r}, {what}, n = {', '.join(map(str, sizes))}: entries read for each example grow "
        f"like (n+1)^{slope(x, read):.2f}, time like (n+1)^{slope(x, seconds):.2f}; allowed "
        f"{2 * r}; at most {max(share):.2g} of the bound"
    )


def growth(*, toy: bool = False) -> Iterator[str]:
    """Lines of text: growth in n for three rank bounds."""
    lists = [backward_list(n) for n in ((5, 9) if toy else (50, 100, 200, 400))]
    yield growth_in_n("decision lists read backward", 1, lists)
    ranks = {2: (8, 9)} if toy else {2: (10, 20, 40, 80), 3: (10, 16, 24, 32)}
    for r, sizes in ranks.items():
        yield growth_in_n("none", r, [noise(n, 60 if toy else 400) for n in sizes])
