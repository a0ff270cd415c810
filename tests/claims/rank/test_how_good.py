"""Chapter 2, how good FIND is: the VC dimension of low rank, and FIND where Set Cover is inside."""

import itertools
import math
from functools import cache

import numpy as np

from claims.kit import holds, same
from claims.rank.populations import stated
from dtviz import rank as chapter
from dtviz.core.boolean_trees.exhaustive import optimal_all

PAIRS = [(n, r) for n in range(1, 4) for r in range(n + 1)] + [(4, 1)]
ELEMENTS = range(4)
SETS = [
    {u for u in ELEMENTS if code >> u & 1} for code in (1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 14, 15)
]
SYSTEMS = [
    order
    for some in itertools.combinations(SETS, 3)
    if set().union(*some) == set(ELEMENTS)
    for order in itertools.permutations(some)
]
"""All orders of three sets that cover four elements."""


@cache
def dimension(n, r):
    """The VC dimension of the functions of rank at most r, from their labelings of sets."""
    codes = np.flatnonzero(optimal_all(n).rank <= r)
    points = range(1 << n)

    def shattered(some):
        labels = sum((codes >> point & 1) << k for k, point in enumerate(some))
        return np.unique(labels).size == 1 << len(some)

    # A subset of a shattered set is shattered.
    ones = [p for p in points if p.bit_count() <= r]
    size = len(ones) if shattered(ones) else 0
    while size < 1 << n and any(map(shattered, itertools.combinations(points, size + 1))):
        size += 1
    return size


def covering_table(sets):
    """A row for each element, and one of zeros."""
    bits = np.array([[u in s for s in sets] for u in ELEMENTS], dtype=int)
    return np.vstack([0 * bits[:1], bits]), np.array([0] + len(bits) * [1])


@stated(
    "OURS-RANK-VC",
    r"The VC dimension of $F_n^r$ is $\sum_{i \le r} \binom{n}{i}$.",
    note="A theorem of Simon (1990). Tried for up to 3 variables, and for rank 1 on 4.",
)
@holds(
    r"all sets of points",
    r"\sum_{i=0}^{r} \binom ni",
    {
        "the largest term": {"bound": math.comb},
        "n to the power r": {"bound": lambda n, r: n**r},
        "the bits of the number of functions": {
            "bound": lambda n, r: int(chapter.functions_by_rank(n)[: r + 1].sum()).bit_length() - 1
        },
    },
)
@same("pairs (n, r)")
def test_vc_dimension(bound=chapter.most_leaves):
    for n, r in PAIRS:
        yield dimension(n, r) - bound(n, r), f"n = {n}, r = {r}"


@stated(
    "OURS-RANK-COVER",
    "On a covering table the smallest rank is 1, and FINDMIN's tree has one leaf more than there "
    "are sets that contain an element of none of the sets before them.",
    note="Tried on all orders of three sets that cover four elements.",
)
def test_find_on_covering_tables(trial):
    def in_order(sets):
        return sum(not s <= set().union(*sets[:k]) for k, s in enumerate(sets))

    def fewest(sets):
        sizes = range(1, len(sets) + 1)
        of_size = (itertools.combinations(sets, k) for k in sizes)
        found = (any(set().union(*some) == set(ELEMENTS) for some in these) for these in of_size)
        return next(k for k, covers in zip(sizes, found, strict=True) if covers)

    variants = {
        "as few as a smallest cover": {"queried": fewest},
        "all sets": {"queried": len},
        "rank 2": {"rank": 2},
    }

    @trial.form("FINDMIN's tree", "g + 1", variants)
    @same("orders of three sets")
    def leaves(queried=in_order, rank=1):
        for sets in SYSTEMS:
            tree = chapter.find_min(*covering_table(sets))
            wrong = tree.rank != rank or tree.n_leaves != queried(sets) + 1
            yield wrong, f"{sets}"
