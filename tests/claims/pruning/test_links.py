"""Chapter 6, pruning: the price of a leaf, and the links that break as it rises."""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from claims.kit import holds
from claims.pruning import populations as pop
from dtviz import pruning

PRICES = "trees and prices"


def path(s):
    """The package's path, and its prices as fractions, which rounding does not move."""
    found = pruning.cost_complexity_path(s.tree.bare(), *s.second, grown_on=s.first, classes=[0, 1])
    return found, [Fraction(price).limit_denominator(50 * s.m) for price in found.breaks.tolist()]


def between(prices):
    """The prices, one between each two, and one above all."""
    return sorted({*prices, *((a + b) / 2 for a, b in pairwise(prices)), prices[-1] + 1})


def cheapest(s, price):
    """The errors and leaves of the cheapest pruning, of several the smallest."""
    _, leaves, wrong = min((wrong + price * s.m * size, size, wrong) for wrong, size in s.pairs())
    return wrong, leaves


@pop.stated(
    "OURS-PRUNE-CCP",
    r"For every $\alpha \ge 0$ some tree $T_d$ of the staircase minimizes $R_\alpha$. As "
    r"$\alpha$ grows from 0, the minimizers pass through the corners of the lower convex hull "
    r"of the points $(K_d, d)$, from right to left, and no others are ever needed.",
)
@holds(
    "dt.pruning.cost_complexity_path, against the staircase of all prunings",
    variants={"all of the staircase": {"hull": False}, "points on the sides": {"slope": -1}},
)
@pop.matches(pop.TREES)
def test_cost_complexity_sees_the_corners(slope=0, *, hull=True):
    """Of the staircase of all prunings, from many leaves to few."""
    for s in (*pop.samples(), *pop.samples(own=False), *pop.samples(large=True)):
        left = []
        for point in sorted((leaves, wrong) for wrong, leaves in s.pairs()):
            if left and point[1] >= left[-1][1]:
                continue
            while hull and len(left) > 1:
                (a, d), (b, e) = left[-2:]
                if (point[1] - d) * (b - a) > (e - d) * (point[0] - a) + slope:
                    break
                left.pop()
            left.append(point)
        found, _ = path(s)
        sizes = list(zip(found.n_leaves.tolist(), found.errors.tolist(), strict=True))
        yield sizes, left[::-1], s


@pop.stated(
    "OURS-PRUNE-NESTED",
    r"For $0 \le \alpha \le \beta$, $P(\alpha)$ minimizes $R_\alpha$ among all prunings and is "
    r"a pruning of every other minimizer; and $P(\beta)$ is a pruning of $P(\alpha)$.",
)
def test_cheapest_prunings_are_nested(trial):
    def inside(one, other):
        return one & other == one

    @trial.form(
        "every price, against all prunings",
        variants={
            "the largest of the cheapest": {"inside": lambda one, other: one | other == one},
            "larger as the price rises": {"down": -1},
        },
    )
    @pop.every(PRICES)
    def smallest(inside=inside, down=1):
        """The package's pruning for a price, as the internal nodes kept, against every other."""
        for s in (*pop.samples()[:60], *pop.samples(own=False)[:60]):
            found, prices = path(s)
            before, floats = 0, dict(zip(prices, found.breaks.tolist(), strict=True))
            for price in between(prices)[::-down]:
                cut = found.pruning(value=floats.get(price, float(price))).cut
                inner = np.flatnonzero(s.counts.kept(cut) & ~cut & (s.tree.variable >= 0))
                kept = sum(1 << int(v) for v in inner)
                costs = {
                    nodes: wrong + price * s.m * (nodes.bit_count() + 1)
                    for wrong, nodes in s.prunings()
                }
                best = [nodes for nodes, cost in costs.items() if cost == min(costs.values())]
                good = kept in best and all(inside(kept, nodes) for nodes in best)
                yield good and before & kept == before, len(best), f"price {price}, {s}"
                before = kept


def by_hand(s, **spoiled):
    cut, price, found = np.zeros(s.tree.n_nodes, dtype=bool), Fraction(0), []
    while True:
        prices, size = pop.links(s, cut, **spoiled)
        if weak := [v for v, g in prices.items() if g <= price]:
            cut[weak] = True
            continue
        found.append((price, *size))
        if not prices:
            return found
        price = min(prices.values())


@pop.stated(
    "OURS-PRUNE-WEAKEST",
    "Cutting the weakest links, again and again, gives prices that increase strictly, and the "
    r"tree that comes with $\alpha_i$ is $P(\alpha)$ for all $\alpha_i \le \alpha < "
    r"\alpha_{i+1}$.",
)
def test_weakest_links(trial):
    for s in (*pop.samples(), *pop.samples(large=True)):
        found, prices = path(s)
        steps = zip(prices, found.errors.tolist(), found.n_leaves.tolist(), strict=True)
        assert list(steps) == by_hand(s)

    @trial.form(
        "the algorithm, against all prunings at every price",
        variants={"divided by the size": {"less": 0}, "links of the tree given": {"again": False}},
    )
    @pop.matches(pop.TREES)
    def cheapest_of_all(**spoiled):
        for s in (*pop.samples()[:100], *pop.samples(large=True)):
            steps = by_hand(s, **spoiled)
            prices = [price for price, *_ in steps]
            rising = all(a < b for a, b in pairwise(prices))
            tops = between(prices)
            stands = [max(step for step in steps if step[0] <= price)[1:] for price in tops]
            yield (rising, stands), (True, [cheapest(s, price) for price in tops]), s
