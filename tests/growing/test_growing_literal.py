"""The fast growth by cost against the literal one: every split, every tree."""

from __future__ import annotations

import itertools
import random
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from support.literal import mutant, nested, splits_of

import dtviz as dt
from dtviz.growing import literal

NAMES = {"gini": "gini", "entropy": "entropy", "error": "error", "sqrt": "square_root"}
"""What the package calls a cost, and what the literal text does."""

every_cost = pytest.mark.parametrize("cost", NAMES)


def asks(i):
    """The predicate that asks for the i-th entry of a row."""
    return lambda row: row[i]


def domain_of(rows, positive, weights):
    """A domain whose weights add up to 1."""
    total = sum(weights)
    return [(x, q, Fraction(w, total)) for x, q, w in zip(rows, positive, weights, strict=True)]


def cases(count, seed):
    """Tables of predicates, some of them twice or negated; weights 0 and equal ones; noise."""
    rng = random.Random(seed)  # noqa: S311
    for _ in range(count):
        size, k = rng.randint(1, 13), rng.randint(1, 4)
        rows = [tuple(rng.randint(0, 1) for _ in range(k)) for _ in range(size)]
        if rng.random() < 0.3:
            rows = [(*row, row[0], 1 - row[-1]) for row in rows]
        if rng.random() < 0.2:
            rows = list(itertools.product((0, 1), repeat=3))
        quarters = rng.choice([(0, 4), (0, 4), (0, 1, 2, 3, 4), (2,)])
        positive = [Fraction(rng.choice(quarters), 4) for _ in rows]
        weights = [rng.choice(rng.choice([(1,), (0, 1, 2, 3)])) for _ in rows]
        weights[0] += 1
        yield domain_of(rows, positive, weights)


CUBE = list(itertools.product((0, 1), repeat=3))
CORNERS = [
    domain_of([(0,)], [Fraction(1)], [1]),
    domain_of([(0,), (1,)], [Fraction(0), Fraction(1)], [1, 1]),
    domain_of([(1, 1)] * 4, [Fraction(1), Fraction(0)] * 2, [1, 2, 3, 4]),
    domain_of(CUBE, [Fraction(sum(x) % 2) for x in CUBE], [1] * 8),
    domain_of(CUBE, [Fraction(sum(x) > 1) for x in CUBE], [1] * 8),
    domain_of(CUBE, [Fraction(sum(x) > 1, 1) for x in CUBE], [1, 2, 1, 2, 1, 2, 1, 2]),
]


def assert_same(domain, cost):
    """Every split in its order, the tree of every size, the cost after every split.

    Weights are fractions of small numbers. So drops by Gini and by the error that are not equal are
    much farther apart than the 1e-9 within which the package takes them for tied.
    """
    rows, positive, weights = zip(*domain, strict=True)
    path = dt.grow_predicates(rows, list(map(float, positive)), list(map(float, weights)), cost)
    H, G = [asks(i) for i in range(len(rows[0]))], getattr(literal, NAMES[cost])
    _, splits = literal.grow(domain, H, G, len(domain))
    assert list(splits.items()) == splits_of(path)
    for t in {0, path.n_splits // 2, path.n_splits}:
        tree, made = literal.grow(domain, H, G, t)
        assert tree == nested(path.tree(t + 1))
        assert list(made.items()) == list(splits.items())[:t]
    leaves = [((), domain)]
    for answers, h in splits.items():
        drop = literal.drop(dict(leaves)[answers], H[h], G)
        assert float(drop) == pytest.approx(path.scores[len(leaves) - 1], abs=1e-12)
        assert float(sum(literal.cost(part, G) for _, part in leaves)) == pytest.approx(
            path.costs[len(leaves) - 1], abs=1e-12
        )
        low, high = literal.sides(dict(leaves)[answers], H[h])
        leaves = [leaf for leaf in leaves if leaf[0] != answers]
        leaves += [((*answers, 0), low), ((*answers, 1), high)]


@every_cost
def test_random_domains(cost):
    for domain in cases(45, cost):
        assert_same(domain, cost)


@every_cost
def test_corners(cost):
    for domain in CORNERS:
        assert_same(domain, cost)


def precise(name):
    """Entropy or square root as a fraction, right to 40 digits."""

    def cost_of(q):
        with localcontext() as context:
            context.prec = 50
            a, b = (Decimal(p.numerator) / p.denominator for p in (q, 1 - q))
            if name == "entropy":
                value = sum(-p * p.ln() / Decimal(2).ln() for p in (a, b) if p) / 2
            else:
                value = (a * b).sqrt()
            return Fraction(Decimal(value))

    return cost_of


@pytest.mark.parametrize("cost", ["entropy", "sqrt"])
def test_ten_digits_of_floats_decide_as_thirty_do(cost):
    """So a tie in the tests above is a tie of real numbers, for package and literal text alike."""
    text = "round(number, 10) if isinstance(number, float) else number"
    exact = mutant(literal, text, "round(number, 30)")
    for domain in [*cases(25, cost), *CORNERS]:
        H = [asks(i) for i in range(len(domain[0][0]))]
        by_floats = literal.grow(domain, H, getattr(literal, NAMES[cost]), len(domain))
        assert by_floats == exact.grow(domain, H, precise(cost), len(domain))


def test_costs():
    for k in range(13):
        for cost, name in NAMES.items():
            q = Fraction(k, 12)
            assert float(getattr(literal, name)(q)) == pytest.approx(
                dt.COST_FUNCTIONS[cost](float(q))
            )


def test_a_function_under_a_product_distribution():
    """Points of the cube, weighed by their probabilities: what grow_function grows."""
    p = [Fraction(1, 3), Fraction(1, 4), Fraction(1, 2)]
    mu = dt.ProductDistribution(p)
    for seed in range(30):
        f = dt.functions.random(3, seed)
        domain = []
        for index, x in enumerate(dt.cube_points(3).tolist()):
            weight = Fraction(1)
            for bit, bias in zip(x, p, strict=True):
                weight *= bias if bit else 1 - bias
            domain.append((tuple(x), Fraction(int(f.table[index])), weight))
        tree, splits = literal.grow(domain, [asks(i) for i in range(3)], literal.gini, 8)
        path = dt.grow_function(f, mu)
        assert list(splits.items()) == splits_of(path)
        assert tree == nested(path.tree())
