"""Rank, and the procedure FIND: a tree of bounded rank that agrees with every example.

Chapter 2, after Ehrenfeucht and Haussler. The *rank* of a sample is the smallest rank of a tree
consistent with it. FIND decides whether it is at most r, and finds such a tree, by trying every
variable at the root. That is not greedy, yet polynomial for fixed r: of the two halves of a tree of
rank r at most one has rank r, and the first variable with a half of smaller rank settles the
matter. After the procedure come the formulas that rank obeys; integers are exact, and numbers of
functions are given by their natural logarithm, since they may have millions of digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count, product

import numpy as np
import numpy.typing as npt

from dtviz._validate import as_generator, as_integer, as_real, shown
from dtviz.boolean import BooleanFunction, ProductDistribution, uniform
from dtviz.consistent import MEMO_BYTES, Search
from dtviz.measures import checked_distribution, checked_function, mean
from dtviz.optimal import optimal_all
from dtviz.recording import FindRun, record
from dtviz.samples import Pairs, Sample
from dtviz.tree import Tree

__all__ = [
    "MAX_CALLS",
    "count_reduced_trees",
    "count_trees",
    "find",
    "find_min",
    "find_min_runs",
    "find_run",
    "functions_by_rank",
    "log_function_bound",
    "max_leaves",
    "node_range",
    "pac_errors",
    "random_tree",
    "rank_of_leaves",
    "rank_of_nodes",
    "recurrence",
    "recurrence_bound",
    "reduced_trees",
    "sample_rank",
    "sample_size",
    "sample_size_for_leaves",
    "sample_size_for_nodes",
    "sample_size_for_rank",
]

MAX_CALLS = 1_000_000
"""The number of calls at which recording a run is given up, unless more are allowed."""


def find(
    X: npt.ArrayLike | Pairs,
    y: npt.ArrayLike | None = None,
    rank: int | None = None,
    *,
    memo_bytes: int = MEMO_BYTES,
) -> Tree | None:
    """FIND(S, r): a tree of rank at most ``rank`` consistent with the sample, or None if none is.

    The tree is the one the source's procedure returns when it tries the variables in the order
    x_0, x_1, ... (claim EH-FIND); `find_run` shows how. Time O(m (n+1)^(2 rank)) (claim EH-L3).

    Parameters
    ----------
    X : (m, n) array of 0/1 or booleans, m >= 1
        One example a row; repeated rows are welcome. Or a list of pairs ``(x, label)``, as in
        ``find(pairs, rank=2)``.
    y : (m,) array of 0/1 or booleans
        The labels.
    rank : int >= 0
        The rank bound r.
    memo_bytes : int >= 0
        Memory for remembering sub-samples, 0 for none. It changes the time, never the tree.

    Raises
    ------
    ValueError
        If the sample is empty, ragged, contradictory, too large or not 0/1, or an argument is out
        of range.

    Examples
    --------
    >>> print(find([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], rank=1))
    None
    >>> print(find([([0, 0], 0), ([0, 1], 1), ([1, 1], 1)], rank=1))
    x0
    ├─ 0: x1
    │  ├─ 0: 0
    │  └─ 1: 1
    └─ 1: 1
    """
    bound = as_integer("rank", rank, 0)
    sample = Sample.of(X, y)
    search = Search(sample, memo_bytes)
    if not search.fits(sample.everything, bound, sample.columns):
        return None
    return search.tree(bound)


def find_min(
    X: npt.ArrayLike | Pairs, y: npt.ArrayLike | None = None, *, memo_bytes: int = MEMO_BYTES
) -> Tree:
    """FINDMIN(S): FIND(S, 0), FIND(S, 1), ... until one succeeds; a consistent tree of least rank.

    Time O(m (n+1)^(2 r)) where r is the rank of the sample (claim EH-T1). Arguments and errors are
    those of `find`.
    """
    search = Search(Sample.of(X, y), memo_bytes)
    return search.tree(search.least_rank())


def sample_rank(
    X: npt.ArrayLike | Pairs, y: npt.ArrayLike | None = None, *, memo_bytes: int = MEMO_BYTES
) -> int:
    """r(S), the smallest rank of a tree consistent with the sample (claim EH-DEF-RS).

    Arguments and errors are those of `find`.
    """
    return Search(Sample.of(X, y), memo_bytes).least_rank()


def find_run(
    X: npt.ArrayLike | Pairs,
    y: npt.ArrayLike | None = None,
    rank: int | None = None,
    *,
    max_calls: int = MAX_CALLS,
) -> FindRun:
    """Run FIND(S, r) exactly as the source states it, nothing remembered, and record every call.

    ``.tree`` of the result equals what `find` returns. Arguments and errors are those of `find`;
    ValueError too if the run makes more than ``max_calls`` calls.
    """
    bound = as_integer("rank", rank, 0)
    limit = as_integer("max_calls", max_calls, 1)
    return record(Sample.of(X, y), bound, limit)


def find_min_runs(
    X: npt.ArrayLike | Pairs, y: npt.ArrayLike | None = None, *, max_calls: int = MAX_CALLS
) -> tuple[FindRun, ...]:
    """Record FINDMIN(S): the runs with bounds 0, 1, ..., of which the last alone finds a tree.

    Arguments and errors are those of `find_run`; ``max_calls`` limits each run.
    """
    sample = Sample.of(X, y)
    limit = as_integer("max_calls", max_calls, 1)
    runs: list[FindRun] = []
    for r in count():
        runs.append(record(sample, r, limit))
        if runs[-1].found[0]:
            break
    return tuple(runs)


# -- learning --------------------------------------------------------------------------------------


def random_tree(n: int, rank: int, rng: np.random.Generator | int) -> Tree:
    """A random reduced tree of rank exactly ``rank`` on ``n`` variables, ``0 <= rank <= n``.

    At each node a random unused variable is tested. With probability 3/4 (while variables remain)
    one child, at random, keeps the rank and the other gets a random smaller one; else both have
    rank one less. Sibling leaves have different labels. ``rng`` is a NumPy generator or a seed.
    """
    n = as_integer("n", n, 0)
    rank = as_integer("rank", rank, 0, n)
    rng = as_generator("rng", rng)
    variable: list[int] = []
    value: list[int] = []
    stack = [(rank, rng.permutation(n).tolist(), int(rng.integers(2)))]
    while stack:
        r, free, label = stack.pop()
        if r == 0:
            variable.append(-1)
            value.append(label)
            continue
        i, *rest = free
        ranks = [r - 1, r - 1]
        if len(rest) >= r and rng.random() < 0.75:
            ranks = [r, int(rng.integers(r))]
            rng.shuffle(ranks)
        variable.append(i)
        value.append(0)
        label = int(rng.integers(2))
        for r_child, child_label in zip(reversed(ranks), (1 - label, label), strict=True):
            stack.append((r_child, rng.permutation(rest).tolist(), child_label))
    return Tree(variable, value)


def pac_errors(
    f: BooleanFunction,
    m: npt.ArrayLike,
    rng: np.random.Generator | int,
    *,
    rank: int | None = None,
    mu: ProductDistribution | None = None,
) -> npt.NDArray[np.float64]:
    """The true errors of trees learned from independent samples of ``f``.

    Parameters
    ----------
    m : int, or array of ints >= 1
        One number of examples for each sample to be drawn: ``np.full(200, 50)`` asks for 200
        samples of 50 examples.
    rng : Generator or int
        A NumPy generator, or a seed.
    rank : int >= 0
        Learn by ``find`` with this bound, at least the rank of f; by ``find_min`` if not given.
    mu : ProductDistribution
        Draw from mu, and measure the error under it; uniform if not given.

    Returns
    -------
    array of floats in [0, 1], of the shape of ``m``
        Claims EH-T2 and EH-L4 are about how often an entry exceeds epsilon.
    """
    f = checked_function(f)
    sizes = np.asarray(m)
    if sizes.dtype.kind not in "iu" or (sizes < 1).any():
        msg = f"m must be an integer >= 1 or an array of them, got {shown(m)}"
        raise ValueError(msg)
    mu = uniform(f.n) if mu is None else checked_distribution(mu, f.n)
    rng = as_generator("rng", rng)
    errors = []
    for size in sizes.ravel().tolist():
        X = mu.sample(size, rng)
        tree = find_min(X, f(X)) if rank is None else find(X, f(X), rank)
        if tree is None:
            msg = f"rank must be at least the rank of f, got {rank}: a sample of f has larger rank"
            raise ValueError(msg)
        errors.append(mean(f ^ tree.function(f.n), mu))
    return np.array(errors).reshape(sizes.shape)


# -- counting trees --------------------------------------------------------------------------------


def max_leaves(n: int, r: int) -> int:
    """L(n, r), the most leaves a reduced tree of rank at most r on n variables has (EH-LREC).

    The sum of ``C(n, i)`` over ``i <= r``; ``n, r >= 0``.
    """
    n, r = as_integer("n", n, 0), as_integer("r", r, 0)
    return sum(math.comb(n, i) for i in range(min(n, r) + 1))


def node_range(n: int, r: int) -> tuple[int, int]:
    """The fewest and the most nodes of a reduced tree of rank r on n variables (EH-L1i-lo, -up).

    ``n >= r >= 0``. Both are attained; the lower one holds for every tree of rank r.
    """
    n = as_integer("n", n, 0)
    r = as_integer("r", r, 0, n)
    return 2 ** (r + 1) - 1, 2 * max_leaves(n, r) - 1


def reduced_trees(n: int) -> Iterator[Tree]:
    """Every reduced tree with 0/1 leaves on n variables, ``0 <= n <= 3`` (EH-DEF-RED).

    2, 6, 74, 16,430 of them.
    """
    n = as_integer("n", n, 0, 3)
    for shape in _preorders(tuple(range(n))):
        variable, value = zip(*shape, strict=True)
        yield Tree(variable, value)


def _preorders(free: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Reduced trees on the given variables, as (variable, label) pairs in preorder."""
    yield from (((-1, label),) for label in (0, 1))
    for i in free:
        below = list(_preorders(tuple(j for j in free if j != i)))
        for low, high in product(below, repeat=2):
            yield ((i, 0), *low, *high)


def count_reduced_trees(n: int) -> int:
    """How many reduced trees with 0/1 leaves there are on n variables: T(n) = 2 + n T(n-1)^2."""
    trees = 2
    for i in range(1, as_integer("n", n, 0) + 1):
        trees = 2 + i * trees**2
    return trees


def count_trees(n: int, leaves: int) -> int:
    """How many trees, reduced or not, with 0/1 leaves on n variables have so many leaves.

    ``2^i n^(i-1) C(2i-1, i) / (2i-1)`` for i leaves: labels, variables, shapes (EH-L1ii-CH).
    """
    n, i = as_integer("n", n, 0), as_integer("leaves", leaves, 1)
    shapes = math.comb(2 * i - 1, i) // (2 * i - 1)
    return (1 << i) * int(pow(n, i - 1)) * shapes


# -- counting functions ----------------------------------------------------------------------------


def functions_by_rank(n: int) -> npt.NDArray[np.int64]:
    """How many functions of n variables have rank 0, 1, ..., n; ``0 <= n <= 4`` (EH-DEF-FNR)."""
    return np.bincount(optimal_all(n).rank, minlength=n + 1)


def log_function_bound(n: int, r: int, *, by_leaves: bool = False) -> float:
    """A bound on ln |F_n^r|, F_n^r being the functions of n variables of rank <= r (EH-L1ii).

    ln 2 if ``r = 0`` and ``2^n ln 2`` if ``n <= r``, both exact; otherwise ``k ln(8n)`` with
    ``k = (en/r)^r``, or, ``by_leaves``, with the smaller ``k = max_leaves(n, r)`` it stands for.
    Infinity where the logarithm exceeds the floating-point range.
    """
    n, r = as_integer("n", n, 0), as_integer("r", r, 0)
    if n <= r or r == 0:
        return math.log(2) * _power(2.0, 0 if r == 0 else n)
    if not by_leaves:
        return _power(math.e * n / r, r) * math.log(8 * n)
    try:
        return max_leaves(n, r) * math.log(8 * n)
    except OverflowError:
        return math.inf


def _power(base: float, exponent: int) -> float:
    try:
        return float(base**exponent)
    except OverflowError:
        return math.inf


def rank_of_nodes(nodes: int) -> int:
    """``floor(log2 nodes)``, at least the rank of every tree of so many nodes (EH-L5)."""
    return as_integer("nodes", nodes, 1).bit_length() - 1


def rank_of_leaves(leaves: int) -> int:
    """``floor(log2 leaves)``, at least the rank of every tree of so many leaves (EH-L5, sharper).

    A tree of s nodes has (s+1)/2 leaves, so this is about one less than `rank_of_nodes`.
    """
    return as_integer("leaves", leaves, 1).bit_length() - 1


# -- counting examples -----------------------------------------------------------------------------


def sample_size(epsilon: float, delta: float, log_functions: float) -> int:
    """Examples that make every consistent hypothesis of a class epsilon-good (EH-L4).

    The least integer that is at least ``(log_functions + ln(1/delta)) / epsilon``, where
    ``log_functions > 0`` is (a bound on) ln |F|. With probability at least ``1 - delta``, every
    function of F consistent with so many random examples has error at most ``epsilon``.
    """
    unit = ("the open interval (0, 1)", lambda p: 0 < p < 1)
    epsilon, delta = as_real("epsilon", epsilon, *unit), as_real("delta", delta, *unit)
    above_zero = ("the open interval (0, inf)", lambda x: 0 < x < math.inf)
    log_functions = as_real("log_functions", log_functions, *above_zero)
    return math.ceil((log_functions - math.log(delta)) / epsilon)


def sample_size_for_rank(n: int, r: int, epsilon: float, delta: float) -> int:
    """Examples that let FIND learn functions of rank <= r, as Theorem 2 counts them (EH-T2).

    ``((en/r)^r ln(8n) + ln(1/delta)) / epsilon``, rounded up; ``n >= r >= 1``.
    """
    n = as_integer("n", n, 1)
    r = as_integer("r", r, 1, n)
    return sample_size(epsilon, delta, _power(math.e * n / r, r) * math.log(8 * n))


def sample_size_for_nodes(n: int, nodes: int, epsilon: float, delta: float) -> int:
    """Examples for targets with a tree of so many nodes, as Theorem 3 counts them (EH-T3).

    Theorem 2 with ``r = floor(log2 nodes)``, which must be from 1 to n. The logarithm of 8n is the
    natural one.
    """
    return sample_size_for_rank(n, rank_of_nodes(nodes), epsilon, delta)


def sample_size_for_leaves(n: int, leaves: int, epsilon: float, delta: float) -> int:
    """Theorem 3 with the sharper rank ``floor(log2 leaves)``, from 1 to n (EH-L5)."""
    return sample_size_for_rank(n, rank_of_leaves(leaves), epsilon, delta)


# -- counting calls --------------------------------------------------------------------------------


def recurrence(n: int, r: int, leaf: int = 1, call: int = 1) -> int:
    """T(n, r) of Lemma 3: the most that FIND with bound r costs on n informative variables.

    ``T(i, r) = call + 2i T(i-1, r-1) + T(i-1, r)``, and ``T(0, r) = T(i, 0) = leaf`` (EH-L3-REC).
    With 1 and 1 it bounds the number of calls; with ``m`` and ``m (n + 1)`` the entries read from a
    sample of m examples (`FindRun.touched`).
    """
    n, r = as_integer("n", n, 0), as_integer("r", r, 0)
    leaf, call = as_integer("leaf", leaf, 0), as_integer("call", call, 0)
    smaller = [leaf] * (n + 1)
    for _ in range(min(r, n)):
        row = [leaf]
        for i in range(1, n + 1):
            row.append(call + 2 * i * smaller[i - 1] + row[-1])
        smaller = row
    return smaller[n]


def recurrence_bound(n: int, r: int, leaf: int = 1, call: int = 1) -> int:
    """The closed bound on `recurrence`, the last line of Lemma 3's proof (EH-L3-S3).

    ``call`` times the sum of ``(n+1)^(2j+1)`` over ``j < r``, plus ``leaf`` times the sum of
    ``(n+1)^(2j)`` over ``j <= r``: of the order of ``(n+1)^(2r)``.
    """
    n, r = as_integer("n", n, 0), as_integer("r", r, 0)
    leaf, call = as_integer("leaf", leaf, 0), as_integer("call", call, 0)
    powers = [int(pow(n + 1, j)) for j in range(2 * r + 1)]
    return call * sum(powers[1::2]) + leaf * sum(powers[::2])
