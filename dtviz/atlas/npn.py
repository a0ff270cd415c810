"""Classes of functions up to renaming variables and negating them or the value (NPN).

The least code of a class has the least upper half. That is the least that any restriction of the
function to ``x_i = b``, or its negation, becomes when its own n - 1 variables are renamed and
negated; the symmetries that leave it as it is then make the other half least. Both are looked up in
tables of all functions of n - 1 variables: a function of 5 variables costs some tens of look-ups,
where there are 7,680 symmetries to try.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import FrozenArrays
from dtviz.core.boolean.boolean_function import cube_points
from dtviz.core.boolean_trees.exhaustive import MAX_BATCH_VARIABLES, restrictions_of
from dtviz.core.checks import as_codes, as_integer

_BLOCK = 1 << 16
"""How many functions are held at once with their restrictions: some 20 MB."""

Codes = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint16]


@dataclass(frozen=True, eq=False, repr=False)
class NPNClasses(FrozenArrays):
    """The NPN classes of the functions of n variables: read-only arrays, an entry for each class.

    Attributes
    ----------
    n : int
        The number of variables.
    codes : array of int
        The least code of the class, ascending.
    sizes : array of int
        How many functions it has; they add up to ``2^(2^n)``.

    Examples
    --------
    >>> import dtviz as dt
    >>> classes = dt.atlas.npn_classes(2)
    >>> classes.codes.tolist(), classes.sizes.tolist()
    ([0, 1, 3, 6], [2, 8, 4, 2])
    """

    n: int
    codes: Codes
    sizes: Codes

    def __repr__(self) -> str:
        return f"<NPNClasses: {self.codes.size:,} classes, n = {self.n}>"


def npn_canonical(n: int, codes: npt.ArrayLike) -> Codes:
    """The least code in the NPN class of each function: its canonical representative.

    ``codes`` are up to ``2^22`` functions of n <= 5 variables, as ``f.code``, in any shape.
    Two functions are in one class if one becomes the other by renaming variables, negating some
    of them, and perhaps negating the value. Fewest leaves, depth, rank and average depth under the
    uniform distribution are the same throughout a class.

    Examples
    --------
    >>> import dtviz as dt
    >>> both = dt.functions.conjunction(3), dt.functions.disjunction(3)
    >>> dt.atlas.npn_canonical(3, [f.code for f in both]).tolist()
    [1, 1]

    Which of the classes a function is in:

    >>> classes = dt.atlas.npn_classes(3)
    >>> classes.codes.searchsorted(dt.atlas.npn_canonical(3, dt.functions.parity(3).code)).item()
    13
    """
    n = as_integer("n", n, 0, MAX_BATCH_VARIABLES)
    chosen = as_codes("codes", codes, n)
    flat = chosen.ravel()
    for k in range(0, flat.size, _BLOCK):
        flat[k : k + _BLOCK] = _least(n, flat[k : k + _BLOCK])[0]
    return flat.reshape(chosen.shape)


def npn_classes(n: int) -> NPNClasses:
    """The NPN classes of all functions of n variables, by their least codes, with their sizes.

    For n = 0, ..., 5 there are 1, 2, 4, 14, 222 and 616,126 (OEIS A000370). Those of 5 variables
    take two seconds and 100 MB when first asked for, and are kept. See `npn_canonical` for what a
    class is.

    Examples
    --------
    How many functions of 4 variables have rank 0, 1, ..., from one function of each class; at
    n = 5 it is the only way to count them.

    >>> import dtviz as dt
    >>> classes = dt.atlas.npn_classes(4)
    >>> best = dt.optimal_all(4, codes=classes.codes)
    >>> [int(classes.sizes[best.rank == r].sum()) for r in range(5)]
    [2, 1048, 53212, 11272, 2]
    """
    return _classes(as_integer("n", n, 0, MAX_BATCH_VARIABLES))


@lru_cache(maxsize=MAX_BATCH_VARIABLES + 1)
def _classes(n: int) -> NPNClasses:
    if n == 0:
        return NPNClasses(n, np.array([0]), np.array([2]))
    found, sizes = [], []
    below = _symmetries(n - 1)
    bits, order = 1 << (n - 1), math.factorial(n) << (n + 1)
    for row, upper in enumerate(below.representatives.tolist()):
        # The lower half must be least as the upper half is kept, and not become less than that.
        reached = np.bincount(below.lower[row], minlength=1 << bits)
        codes = upper << bits | np.flatnonzero((reached > 0) & (below.class_of >= upper))
        least, ways = _least(n, codes)
        kept = least == codes
        found.append(codes[kept])
        # The symmetries that keep the whole: so many of them lead to each of the ways to it.
        keep = below.n_keep[row] // reached[codes[kept] & ((1 << bits) - 1)]
        sizes.append(order // (ways[kept] * keep))
    return NPNClasses(n, np.concatenate(found), np.concatenate(sizes))


def _least(n: int, codes: Codes) -> tuple[Codes, Codes]:
    """The least code in the class of each function, and in how many ways it gets there.

    A way is a choice of the half that comes to stand above: a variable, a value of it, and whether
    the function is negated.
    """
    if n == 0:
        return np.zeros_like(codes), np.full_like(codes, 1)
    below = _symmetries(n - 1)
    last = below.class_of.size - 1
    halves = restrictions_of(codes, n)
    halves += [(high, low) for low, high in halves]
    upper = reduce(np.minimum, (below.class_of.take(high) for _, high in halves))
    lower = np.full(codes.shape, last + 1)
    ways = np.zeros_like(codes)
    for low, high in halves:
        for flip in (0, last):
            here = np.flatnonzero(below.least.take(high ^ flip) == upper)
            at_low, at_high = low.take(here) ^ flip, high.take(here) ^ flip
            moved = below.move(below.by.take(at_high), at_low)
            new = below.lower[below.row.take(upper.take(here)), moved]
            old = lower.take(here)
            ways[here] = np.where(new < old, 1, ways.take(here) + (new == old))
            lower[here] = np.minimum(old, new)
    return upper.astype(np.int64) << (1 << (n - 1)) | lower, ways


class _Symmetries(NamedTuple):
    """What renaming and negating variables does to each of the F functions of n <= 4 variables.

    Symmetry ``t`` negates the variables in the set ``t mod 2^n``, then renames them by order
    ``t div 2^n``.
    """

    n: int
    renamed: Words
    """(n!, F): each function with its variables in each order."""
    negated: Words
    """(2^n, F): each function with each set of its variables negated."""
    least: Words
    """(F,): the least code that a function becomes."""
    by: Words
    """(F,): by which symmetry."""
    class_of: Words
    """(F,): the least code that it or its negation becomes."""
    representatives: Words
    """(R,): the codes that are least of their classes, ascending."""
    row: npt.NDArray[np.intp]
    """(F,): where a representative stands among them."""
    lower: Words
    """(R, F): the least code that a function becomes while the representative stays."""
    n_keep: npt.NDArray[np.int64]
    """(R,): how many symmetries keep it."""

    def move(self, symmetry: npt.NDArray[Any], codes: npt.NDArray[Any]) -> Words:
        """What each function becomes by its symmetry."""
        signs = (1 << self.n) - 1
        moved: Words = self.renamed[symmetry >> self.n, self.negated[symmetry & signs, codes]]
        return moved


def _compose(point: npt.NDArray[np.int64]) -> Words:
    """For all functions f the code of ``x -> f(point[x])``."""
    codes = np.arange(1 << point.size)
    table = np.zeros_like(codes)
    for x, y in enumerate(point.tolist()):
        table |= (codes >> y & 1) << x
    return table.astype(np.uint16)


@lru_cache(maxsize=MAX_BATCH_VARIABLES)
def _symmetries(n: int) -> _Symmetries:
    bits = cube_points(n).astype(np.int64)
    places = (1 << np.array(order, dtype=np.int64) for order in itertools.permutations(range(n)))
    renamed = np.array([_compose(bits @ place) for place in places])
    x = np.arange(1 << n)
    negated = np.array([_compose(x ^ signs) for signs in x])
    codes = np.arange(negated.shape[1])
    images = [order.take(signed) for order in renamed for signed in negated]
    # A code and then the symmetry: the least of these names both.
    key = reduce(np.minimum, (image.astype(np.uint32) << 16 | t for t, image in enumerate(images)))
    least, by = (key >> 16).astype(np.uint16), (key & 0xFFFF).astype(np.uint16)
    class_of = np.minimum(least, least[::-1])  # the negation of a function stands opposite
    representatives = np.flatnonzero(class_of == codes)
    row = np.zeros(codes.size, dtype=np.intp)
    row[representatives] = np.arange(representatives.size)
    lower = np.tile(codes.astype(np.uint16), (representatives.size, 1))
    n_keep = np.zeros(representatives.size, dtype=np.int64)
    for image in images:
        kept = np.flatnonzero(image[representatives] == representatives)
        n_keep[kept] += 1
        for k in kept.tolist():
            np.minimum(lower[k], image, out=lower[k])
    return _Symmetries(
        n,
        renamed,
        negated,
        least,
        by,
        class_of,
        representatives.astype(np.uint16),
        row,
        lower,
        n_keep,
    )
