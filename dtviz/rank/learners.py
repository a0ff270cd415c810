"""FIND: a tree of bounded rank that agrees with every example.

Chapter 2, after Ehrenfeucht and Haussler. The *rank* of a sample is the smallest rank of a tree
consistent with it. FIND decides whether it is at most r, and finds such a tree, by trying every
variable at the root. That is not greedy, yet polynomial for fixed r: of the two halves of a tree of
rank r at most one has rank r, and the first variable with a half of smaller rank settles the
matter.
"""

from __future__ import annotations

from itertools import count

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean.measures import check_distribution, check_function, mean
from dtviz.core.checks import as_array, as_generator, as_integer, as_repr
from dtviz.core.hints import with_hints
from dtviz.core.tree.tree import Tree
from dtviz.rank.recording import FindRun, record
from dtviz.rank.sample import Sample
from dtviz.rank.search import MEMO_BYTES, Search

MAX_CALLS = 1_000_000
"""The number of calls at which recording a run is given up, unless more are allowed."""

MAX_RANDOM = (10_000, 16)
"""The most variables of a random tree, and its largest rank."""


@with_hints
def find(
    X: npt.ArrayLike | BooleanFunction,
    y: npt.ArrayLike | None = None,
    *,
    rank: int,
    memo_bytes: int = MEMO_BYTES,
) -> Tree | None:
    """FIND(S, r): a tree of rank at most ``rank`` consistent with the sample, or None if none is.

    The tree is the one the source's procedure returns when it tries the variables in the order
    x_0, x_1, ... (claim EH-FIND); `find_run` shows how. Time O(m (n+1)^(2 rank)) (claim EH-L3).

    Parameters
    ----------
    X : (m, n) array of 0/1 or booleans, m >= 1
        One example a row; repeated rows are allowed. Or a BooleanFunction, for all its points. The
        columns of a data frame, or the variables of the function, name the tests of the tree.
    y : (m,) array of 0/1 or booleans
        The labels.
    rank : int >= 0
        The rank bound r.
    memo_bytes : int >= 0
        Memory for remembering sub-samples, 0 for none. It changes the time, never the tree.

    Examples
    --------
    >>> import dtviz as dt
    >>> print(dt.rank.find([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], rank=1))
    None
    >>> print(dt.rank.find([[0, 0], [0, 1], [1, 1]], [0, 1, 1], rank=1))
    x0
    ├─ 0: x1
    │  ├─ 0: 0
    │  └─ 1: 1
    └─ 1: 1
    """
    bound = as_integer("rank", rank, 0)
    sample = Sample.of(X, y)
    search = Search(sample, memo_bytes)
    if not search.fits(sample.everything, bound):
        return None
    return search.tree(bound)


@with_hints
def find_min(X: npt.ArrayLike | BooleanFunction, y: npt.ArrayLike | None = None) -> Tree:
    """FINDMIN(S): FIND(S, 0), FIND(S, 1), ... until one succeeds; a consistent tree of least rank.

    Time O(m (n+1)^(2 r)) where r is the rank of the sample (claim EH-T1). Arguments are those of
    `find`.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.find_min(dt.functions.majority(3))
    <Tree: 6 leaves, depth 3>
    """
    search = Search(Sample.of(X, y))
    return search.tree(search.least_rank())


@with_hints
def sample_rank(X: npt.ArrayLike | BooleanFunction, y: npt.ArrayLike | None = None) -> int:
    """r(S), the smallest rank of a tree consistent with the sample (claim EH-DEF-RS).

    Arguments are those of `find`.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.rank.sample_rank(dt.cube_points(4), dt.functions.parity(4).table)
    4
    """
    return Search(Sample.of(X, y)).least_rank()


@with_hints
def find_run(
    X: npt.ArrayLike | BooleanFunction,
    y: npt.ArrayLike | None = None,
    *,
    rank: int,
    max_calls: int = MAX_CALLS,
) -> FindRun:
    """Run FIND(S, r) exactly as the source states it, nothing remembered, and record every call.

    ``.tree()`` of the result equals what `find` returns. Arguments are those of `find`; the
    claims about the record are EH-FIND and EH-L3-REC.

    Examples
    --------
    >>> import dtviz as dt
    >>> run = dt.rank.find_run(dt.cube_points(2), [0, 1, 1, 0], rank=2)
    >>> run
    <FindRun: rank 2, 4 examples, 7 calls, 0 second tries, tree>
    """
    bound = as_integer("rank", rank, 0)
    if bound > 1 << 53:
        msg = f"rank must be at most 2^53 to be recorded, got {as_repr(rank)}"
        raise ValueError(msg)
    limit = as_integer("max_calls", max_calls, 1)
    return record(Sample.of(X, y), bound, limit)


def find_min_runs(
    X: npt.ArrayLike | BooleanFunction,
    y: npt.ArrayLike | None = None,
    *,
    max_calls: int = MAX_CALLS,
) -> tuple[FindRun, ...]:
    """Record FINDMIN(S): the runs with bounds 0, 1, ..., of which the last alone finds a tree.

    Arguments are those of `find_run`; ``max_calls`` limits each run (claim EH-T1).

    Examples
    --------
    >>> import dtviz as dt
    >>> runs = dt.rank.find_min_runs(dt.cube_points(2), [0, 1, 1, 0])
    >>> [run.n_calls for run in runs]
    [1, 5, 7]
    """
    sample = Sample.of(X, y)
    limit = as_integer("max_calls", max_calls, 1)
    runs: list[FindRun] = []
    for r in count():
        runs.append(record(sample, r, limit))
        if runs[-1].found[0]:
            break
    return tuple(runs)


def random_tree(n: int, rank: int, rng: np.random.Generator | int) -> Tree:
    """A random reduced tree of rank exactly ``rank``, at most n or 16, on n <= 10,000 variables.

    At each node a random unused variable is tested. With probability 3/4 (while variables remain)
    one child, at random, keeps the rank and the other gets a random smaller one; else both have
    rank one less. Sibling leaves have different labels (claims EH-DEF-RANK, EH-DEF-RED).

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.rank.random_tree(5, 2, rng=0).rank
    2
    """
    n = as_integer("n", n, 0, MAX_RANDOM[0])
    rank = as_integer("rank", rank, 0, min(n, MAX_RANDOM[1]))
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
    """The true errors of trees learned from independent samples of ``f``, an array shaped as ``m``.

    Claims EH-T2 and EH-L4 are about how often an entry exceeds epsilon.

    Parameters
    ----------
    f : BooleanFunction
    m : int, or array of ints >= 1
        One number of examples for each sample to be drawn: ``np.full(200, 50)`` gives 200
        samples of 50 examples.
    rng : Generator or int
        A NumPy generator, or a seed.
    rank : int >= 0
        Learn by ``find`` with this bound, at least the rank of f; by ``find_min`` if not given.
    mu : ProductDistribution
        Draw from mu, and measure the error under it; uniform if not given.

    Examples
    --------
    >>> import dtviz as dt
    >>> dt.rank.pac_errors(dt.functions.majority(5), [5, 20, 80], rng=0).tolist()
    [0.375, 0.28125, 0.0]
    """
    f = check_function(f)
    sizes = as_array(m)
    if sizes is None or sizes.dtype.kind not in "iu" or (sizes < 1).any():
        msg = f"m must be an integer >= 1 or an array of them, got {as_repr(m)}"
        raise ValueError(msg)
    mu = ProductDistribution.uniform(f.n) if mu is None else check_distribution(mu, f.n)
    rng = as_generator("rng", rng)
    errors = []
    for size in sizes.ravel().tolist():
        X = mu.sample(size, rng)
        tree = find_min(X, f(X)) if rank is None else find(X, f(X), rank=rank)
        if tree is None:
            msg = f"rank must be at least the rank of f, got {rank}: a sample of f has larger rank"
            raise ValueError(msg)
        errors.append(mean(f ^ tree.function(f.n), mu))
    return np.array(errors).reshape(sizes.shape)
