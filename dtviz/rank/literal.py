"""FIND and FINDMIN as chapter 2 states them, and the rank of a tree: slow and plain.

The data are those of every chapter's literal algorithms. A point is a tuple of bits; a sample is a
list of examples ``(point, label)``. A tree is its label if it is a leaf, and else a tuple
``(variable, low, high)``, where ``low`` is the subtree for the bit 0. *None* is Python's None.
"""

from __future__ import annotations

Point = tuple[int, ...]
Sample = list[tuple[Point, int]]
Tree = object


def find(sample: Sample, r: int) -> Tree | None:
    """FIND(S, r): a tree of rank at most r that is consistent with S, or None.

    Guess a variable; find the light half with the bound r - 1; the heavy half may then use r, and
    if it fails, so does S. Ties: the variables are tried in ascending order.
    """
    labels = {label for _, label in sample}
    # 1. All examples have the same label.
    if len(labels) == 1:
        return labels.pop()
    # 2. The labels are mixed, and no query is allowed.
    if r == 0:
        return None
    # 3. For each informative variable, lowest index first:
    for v in informative(sample):
        half = [[(x, label) for x, label in sample if x[v] == bit] for bit in (0, 1)]
        # 3.1
        tree = [find(half[0], r - 1), find(half[1], r - 1)]
        # 3.2 Both are trees.
        if tree[0] is not None and tree[1] is not None:
            return (v, tree[0], tree[1])
        # 3.3 Exactly one is a tree: call the other one, b, again with r.
        if tree[0] is not None or tree[1] is not None:
            b = 0 if tree[0] is None else 1
            tree[b] = find(half[b], r)
            return None if tree[b] is None else (v, tree[0], tree[1])
    # 4.
    return None


def informative(sample: Sample) -> list[int]:
    """The variables that take both values in the sample, in ascending order."""
    first = sample[0][0]
    return [v for v in range(len(first)) if any(x[v] != first[v] for x, _ in sample)]


def find_min(sample: Sample) -> Tree:
    """FINDMIN(S): FIND(S, 0), FIND(S, 1), ... until one returns a tree.

    A consistent tree of the smallest rank. ValueError if there is no consistent tree at all: then
    some point has two labels.
    """
    n = len(sample[0][0])
    for r in range(n + 1):  # the rank of n variables is at most n
        tree = find(sample, r)
        if tree is not None:
            return tree
    raise ValueError(f"sample must not give one point two labels, got {sample}")


def rank(tree: Tree) -> int:
    """The rank of a tree: 0 at a leaf; the larger of two, or one more if equal."""
    if not isinstance(tree, tuple):
        return 0
    _, low, high = tree
    a, b = rank(low), rank(high)
    return a + 1 if a == b else max(a, b)
