"""The methods of chapter 6, as it states them: slow and plain.

The data are those of every chapter's literal algorithms. A point is a tuple of bits or numbers; a
sample is a list of examples ``(point, label)``. A tree is its label if it is a leaf, and else a
tuple ``(variable, low, high)`` or ``(feature, threshold, low, high)``, where ``low`` is the subtree
for the bit 0, or for "at most". Labels are of any kind that can be sorted.

Numbers of errors and of leaves are integers, prices are fractions. The penalties need logarithms
and square roots, those of the module math.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

Point = tuple[float, ...]
Sample = list[tuple[Point, int]]
Tree = object
Price = Fraction | float
SAME_PRICE = 1e-12


def parts(question: tuple[float, ...], sample: Sample) -> tuple[Sample, Sample]:
    """The examples that go low at a question, and those that go high.

    A question is what a tree holds before its subtrees: (variable,) or (feature, threshold).
    """
    i, t = int(question[0]), question[1] if len(question) > 1 else Fraction(1, 2)
    low = [(x, label) for x, label in sample if x[i] <= t]
    high = [(x, label) for x, label in sample if x[i] > t]
    return low, high


def errors(tree: Tree, sample: Sample) -> int:
    """The number of examples that the tree gets wrong."""
    if not isinstance(tree, tuple):
        return sum(label != tree for _, label in sample)
    low, high = parts(tree[:-2], sample)
    return errors(tree[-2], low) + errors(tree[-1], high)


def leaves(tree: Tree) -> int:
    """The size of a tree."""
    return leaves(tree[-2]) + leaves(tree[-1]) if isinstance(tree, tuple) else 1


def commonest(sample: Sample, above: Tree) -> Tree:
    """The label of a node that is cut: the most frequent one, the lowest if tied.

    Where no example arrives, that of the node above.
    """
    labels = [label for _, label in sample]
    return min(set(labels), key=lambda k: (-labels.count(k), k)) if labels else above


def reduced_error_prune(tree: Tree, sample: Sample, grown_on: Sample, above: Tree = None) -> Tree:
    """Cut where a leaf makes no more errors on a second sample than the current subtree (MN-REP).

    Parameters
    ----------
    sample, grown_on : the second sample S_2, and S_1, which grew the tree and labels what is cut
    """
    label = commonest(grown_on, above)
    if not isinstance(tree, tuple):
        return tree
    # Children before parents.
    low_2, high_2 = parts(tree[:-2], sample)
    low_1, high_1 = parts(tree[:-2], grown_on)
    low = reduced_error_prune(tree[-2], low_2, low_1, label)
    high = reduced_error_prune(tree[-1], high_2, high_1, label)
    now = (*tree[:-2], low, high)
    # If the leaf makes no more errors than the subtree that is here now, cut.
    return label if errors(label, sample) <= errors(now, sample) else now


def smallest_prunings(tree: Tree, sample: Sample) -> list[tuple[float, Tree]]:
    """``[(K_0, T_0), .., (K_m, T_m)]``, the smallest prunings with at most d errors (MN-DP).

    K_d is the least number of leaves, infinite (and T_d is None) where every pruning errs more
    often. Ties: of the prunings with K_d leaves T_d has the fewest errors; it cuts at a node if
    that costs no error more, and else gives the low child the fewest leaves.
    """
    return table(tree, sample, len(sample), None)


def table(tree: Tree, sample: Sample, m: int, above: Tree) -> list[tuple[float, Tree]]:
    """At a node v: ``K_v(j)`` for j = 0..m, each with a pruning of T_v that attains it."""
    if not isinstance(tree, tuple):
        return [(1, tree) if errors(tree, sample) <= j else (math.inf, None) for j in range(m + 1)]
    label = commonest(sample, above)
    low_sample, high_sample = parts(tree[:-2], sample)
    low = table(tree[-2], low_sample, m, label)
    high = table(tree[-1], high_sample, m, label)
    found: list[tuple[float, Tree]] = []
    for j in range(m + 1):
        # K_v(j) is 1 if the leaf at v is good enough, else the least of the sums over i.
        sums = [(low[i][0] + high[j - i][0], low[i][0], i) for i in range(j + 1)]
        size, _, i = min(sums)
        best: tuple[float, Tree] = (size, (*tree[:-2], low[i][1], high[j - i][1]))
        if errors(label, sample) <= j:
            best = (1, label)
        if best[0] == math.inf:
            best = (math.inf, None)
        # An error more that saves no leaf is not made.
        found.append(found[-1] if j > 0 and found[-1][0] == best[0] else best)
    return found


def srm_prune(tree: Tree, sample: Sample, factor: Fraction | int = 1) -> Tree:
    """Structural risk minimization: the T_d with the least err/m + sqrt(K_d/m) (MN-SRM).

    ``factor`` multiplies K_d under the root. Sums of square roots are floats, compared to ten
    digits. Ties: the smallest tree. Other arguments as for `smallest_prunings`.
    """
    m = len(sample)

    def risk(entry: tuple[float, Tree]) -> tuple[float, float]:
        size, pruned = entry
        return round(errors(pruned, sample) / m + math.sqrt(factor * size / m), 10), size

    return min((e for e in smallest_prunings(tree, sample) if e[0] < math.inf), key=risk)[1]


def cost_complexity_path(tree: Tree, sample: Sample) -> list[tuple[Price, Tree]]:
    """CART's path: for every price of a leaf the smallest of the cheapest prunings.

    A pruning costs ``err/m + price * leaves``. A link, the subtree at a node, breaks at the price
    at which cutting there costs nothing; as the price grows from 0, the weakest links are cut, one
    after the other, until a leaf is left.
    """
    m = len(sample)
    price: Price = Fraction(0)
    path = []
    while True:
        while weakest(tree, sample, m, None) <= price:
            tree = cut(tree, sample, m, None, weakest(tree, sample, m, None))
        path.append((price, tree))
        if not isinstance(tree, tuple):
            return path
        price = weakest(tree, sample, m, None)


def link(tree: Tree, sample: Sample, m: int, label: Tree) -> Fraction:
    """The price at which the link at the root breaks: the errors it saves, for each leaf more."""
    return Fraction(errors(label, sample) - errors(tree, sample), m * (leaves(tree) - 1))


def weakest(tree: Tree, sample: Sample, m: int, above: Tree) -> Price:
    """The least price of the links in a subtree, infinite for a leaf."""
    if not isinstance(tree, tuple):
        return math.inf
    label = commonest(sample, above)
    low, high = parts(tree[:-2], sample)
    below = weakest(tree[-2], low, m, label), weakest(tree[-1], high, m, label)
    return min(link(tree, sample, m, label), *below)


def cut(tree: Tree, sample: Sample, m: int, above: Tree, price: Price) -> Tree:
    """The subtree with all links cut that break at the price."""
    if not isinstance(tree, tuple):
        return tree
    label = commonest(sample, above)
    if link(tree, sample, m, label) <= price:
        return label
    low, high = parts(tree[:-2], sample)
    kept = cut(tree[-2], low, m, label, price), cut(tree[-1], high, m, label, price)
    return (*tree[:-2], *kept)


def cost_complexity_prune(tree: Tree, sample: Sample, price: Price) -> Tree:
    """The tree of `cost_complexity_path` for one price of a leaf, at least 0.

    A float that is less than a break by rounding alone, as 0.15 is less than 3/20, is that break.
    """
    path = cost_complexity_path(tree, sample)
    return [pruned for at, pruned in path if at - price <= SAME_PRICE][-1]


def price_by_folds(grow: Callable[[Sample], Tree], folds: list[Sample]) -> Tree:
    """CART's tree: the price of a leaf is the one that errs least on folds.

    All prices between two breaks of the path give the same tree; their geometric mean represents
    them. Each is tested on each fold with a tree grown on the others; a tie goes to the higher.
    """
    sample = [example for fold in folds for example in fold]
    path = cost_complexity_path(grow(sample), sample)
    breaks = [price for price, _ in path]
    means = [math.sqrt(breaks[i] * breaks[i + 1]) for i in range(1, len(breaks) - 1)]
    prices = [0, *means, math.inf][: len(path)]
    wrong = [0] * len(path)
    for k, fold in enumerate(folds):
        others = [example for j, other in enumerate(folds) if j != k for example in other]
        tree = grow(others)
        for i, price in enumerate(prices):
            wrong[i] += errors(cost_complexity_prune(tree, others, price), fold)
    best = max(i for i in range(len(path)) if wrong[i] == min(wrong))
    return path[best][1]


def bottom_up_prune(tree: Tree, sample: Sample, n: int, delta: Fraction, c: Fraction | int) -> Tree:
    """Keep a subtree only if it beats a leaf by more than a penalty (MN-BU, MN-12.1, MN-12.2)."""
    m = len(sample)

    def visit(tree: Tree, here: Sample, depth: int, above: Tree) -> Tree:
        """What is left of the subtree at a node v; ``here`` are the examples that reach v."""
        label = commonest(here, above)
        if not isinstance(tree, tuple):
            return tree
        # Children before parents.
        low, high = parts(tree[:-2], here)
        below = visit(tree[-2], low, depth + 1, label), visit(tree[-1], high, depth + 1, label)
        now = (*tree[:-2], *below)
        # Where no example arrives the penalty is infinite: cut.
        if not here:
            return label
        r = math.log(paths(n, depth)) + math.log(trees(n, leaves(now))) + math.log(m / delta)
        margin = c * math.sqrt(r / len(here))
        loses = errors(now, here) / len(here) + margin >= errors(label, here) / len(here)
        return label if loses else now

    return visit(tree, sample, 0, None)


def paths(n: int, depth: int) -> int:
    """|PATHS(l)|: the conjunctions of at most ``depth`` answers to n tests (MN-PATHS)."""
    return sum(2**j * math.comb(n, j) for j in range(depth + 1))


def trees(n: int, k: int) -> int:
    """|TREES(k)|: the trees of n tests with at most k leaves, labeled 0 and 1 (MN-TREES).

    With i leaves: labels ``2^i``, tests ``n^(i-1)``, and shapes, a Catalan number.
    """
    return sum(2**i * n ** (i - 1) * (math.comb(2 * i - 2, i - 1) // i) for i in range(1, k + 1))
