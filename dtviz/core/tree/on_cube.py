"""Trees of Boolean tests on the cube: who reaches what, and which function a tree computes.

These are methods of `Tree`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats, Ints
from dtviz.core.boolean.boolean_function import MAX_VARIABLES, BooleanFunction, ProductDistribution
from dtviz.core.boolean.measures import check_distribution, check_function
from dtviz.core.checks import as_integer, as_repr
from dtviz.core.tolerances import ROUNDING
from dtviz.core.tree.nodes import TreeNodes, descend, labels_of


def check_boolean(tree: TreeNodes, user: str) -> None:
    """Refuse a tree with tests of other things than bits, which ``user`` needs."""
    if not tree.is_boolean:
        msg = f"{user} needs tests of bits (thresholds in [0, 1)), this tree has others"
        raise ValueError(msg)


def reach(tree: TreeNodes, mu: ProductDistribution | None = None) -> npt.NDArray[np.float64]:
    """The probability that a random input reaches each node; no mu means uniform bits.

    A variable tested twice on a path is counted once. A ValueError if a test is not of a bit.
    """
    check_boolean(tree, "reach")
    if mu is not None and not isinstance(mu, ProductDistribution):
        msg = f"mu must be a ProductDistribution, got {as_repr(mu)}"
        raise ValueError(msg)
    highest = int(tree.variable.max())
    if mu is not None and mu.n <= highest:
        msg = f"mu must cover variable x{highest} of the tree, got {mu.n} probabilities"
        raise ValueError(msg)
    inside = tree.variable >= 0
    tested, place = np.unique(tree.variable[inside], return_inverse=True)
    column = np.zeros(tree.variable.size, dtype=np.intp)
    column[inside] = place
    p = np.full(tested.size, 0.5) if mu is None else mu.p[tested]
    probability = np.ones(tree.variable.size)
    # What a node knows of each variable that the tree tests: 0, 1, or nothing yet.
    known = np.full((1, tested.size), -1, dtype=np.int8)
    for level in tree.levels[:-1]:
        inner, known = level[inside[level]], known[inside[level]]
        i = column[inner]
        row = np.arange(inner.size)
        seen = known[row, i]
        high = np.where(seen < 0, p[i], seen)
        probability[tree.low[inner]] = probability[inner] * (1 - high)
        probability[tree.high[inner]] = probability[inner] * high
        known = np.repeat(known, 2, axis=0)
        known[2 * row, i] = np.where(seen < 0, 0, seen)
        known[2 * row + 1, i] = np.where(seen < 0, 1, seen)
    return probability


def average_depth(tree: TreeNodes, mu: ProductDistribution | None = None) -> float:
    """The mean number of tests on a random input; no mu means uniform bits."""
    return float(reach(tree, mu)[tree.variable >= 0].sum())


def paths(tree: TreeNodes) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each leaf, left to right, the tests leading to it as ``(variable, branch)`` pairs."""
    found: list[tuple[tuple[int, int], ...]] = []
    stack: list[tuple[int, tuple[tuple[int, int], ...]]] = [(0, ())]
    while stack:
        node, path = stack.pop()
        i = int(tree.variable[node])
        if i < 0:
            found.append(path)
        else:
            stack.append((int(tree.high[node]), (*path, (i, 1))))
            stack.append((int(tree.low[node]), (*path, (i, 0))))
    return tuple(found)


def apply_cube(tree: TreeNodes, n: int) -> Ints:
    """The leaf (node index) that every point of {0,1}^n reaches, in truth-table order."""
    check_boolean(tree, "apply_cube")
    highest = int(tree.variable.max())
    if highest >= MAX_VARIABLES:
        msg = f"variable must be below {MAX_VARIABLES} to tabulate a tree, got x{highest}"
        raise ValueError(msg)
    n = as_integer("n", n, highest + 1, MAX_VARIABLES)
    return descend(tree, np.arange(1 << n), lambda x, i: (x >> i) & 1)


def apply_points(tree: TreeNodes, f: BooleanFunction) -> Ints:
    """The leaf that every input of f reaches; f needs every variable that the tree tests."""
    highest = int(tree.variable.max())
    if check_function(f).n <= highest:
        msg = f"f must have the variable x{highest} that the tree tests, got n = {f.n}"
        raise ValueError(msg)
    return apply_cube(tree, f.n)


def function(tree: TreeNodes, n: int) -> BooleanFunction:
    """The Boolean function of ``n`` variables that the tree, labeled 0 and 1, computes."""
    labels = labels_of(tree, "function")
    if labels.dtype.kind not in "biuf" or not np.isin(labels, (0, 1)).all():
        msg = f"value must be 0 or 1 at every leaf, got {as_repr(labels[tree.leaves].tolist())}"
        raise ValueError(msg)
    return BooleanFunction(n, labels[apply_cube(tree, n)])


def leaf_masses(
    tree: TreeNodes, f: BooleanFunction, mu: ProductDistribution | None = None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Per leaf, left to right: the probability of the leaf with ``f = 0``, and with ``f = 1``."""
    leaf = apply_points(tree, f)
    weights = np.full(1 << f.n, 0.5**f.n) if mu is None else check_distribution(mu, f.n).weights()
    place = 2 * leaf + f.table
    masses = np.bincount(place, weights, minlength=2 * tree.variable.size).astype(np.float64)
    return masses[2 * tree.leaves], masses[2 * tree.leaves + 1]


def one_is_likelier(zeros: Floats, ones: Floats) -> npt.NDArray[np.bool_]:
    """Whether f = 1 is likelier than f = 0 at leaves of these masses; no tie is, up to rounding."""
    return ones > zeros * (1 + ROUNDING)
