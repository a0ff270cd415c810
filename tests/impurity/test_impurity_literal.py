"""The fast growth of chapter 4 against the literal one: every question, every tree."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from support.literal import mutant, nested, splits_of

import dtviz as dt
from dtviz.impurity import literal

NAMES = {
    "gini": "gini",
    "entropy": "entropy",
    "error": "error",
    "sqrt": "square_root",
    "squared": "squared_loss",
}
"""What the package calls a cost, and what the literal text does."""

every_cost = pytest.mark.parametrize("cost", NAMES)


def samples(count, seed):
    """Bits, codes and halves, of which floats hold the midpoints; often equal, or contradictory."""
    rng = random.Random(seed)  # noqa: S311
    for _ in range(count):
        m, d, c = rng.randint(1, 12), rng.randint(1, 3), rng.randint(1, 4)
        values = rng.choice([(0, 1), (0, 1, 2, 3), tuple(k / 2 for k in range(-6, 7))])
        sample = [(tuple(rng.choice(values) for _ in range(d)), rng.randrange(c)) for _ in range(m)]
        yield sample + rng.choices(sample, k=rng.choice([0, 0, 3]))


XOR = [((0, 0), 0), ((0, 1), 1), ((1, 0), 1), ((1, 1), 0)]
CORNERS = [
    [((0,), 1)],
    [((2, 3), 0)] * 4,
    [((0,), 1), ((0,), 0), ((0,), 1)],
    [((0,), 1), ((0,), 0)],
    [((1, 0), 0), ((1, 0), 1), ((0, 0), 1)],
    [((k,), k % 2) for k in range(9)],
    [(x, sum(x) % 2) for x in itertools.product((0, 1), repeat=3)],
    XOR,
    XOR * 2,
]


def assert_same_labels(tree, fast):
    """Equal trees; where labels are means, those of the package are rounded."""
    if isinstance(fast, tuple):
        assert isinstance(tree, tuple)
        assert tree[:2] == fast[:2]
        assert_same_labels(tree[2], fast[2])
        assert_same_labels(tree[3], fast[3])
    else:
        assert float(tree) == pytest.approx(fast, abs=1e-12)


def assert_same(sample, cost):
    """Every split in its order, the tree of every size, ID3."""
    X, y = zip(*sample, strict=True)
    impurity = getattr(literal, NAMES[cost])
    path = dt.grow(X, y, cost)
    tree, splits = literal.grow(sample, impurity)
    assert list(splits.items()) == splits_of(path, thresholds=True)
    for step in {0, path.n_splits // 2, path.n_splits}:
        cut, made = literal.grow(sample, impurity, step + 1)
        assert_same_labels(cut, nested(path.tree(step + 1), thresholds=True))
        assert list(made.items()) == list(splits.items())[:step]
    fast = nested(dt.id3(X, y, cost), thresholds=True)
    assert_same_labels(literal.id3(sample, impurity), fast)
    assert_same_labels(tree, fast)


@every_cost
def test_random_samples(cost):
    for sample in samples(40, cost):
        assert_same(sample, cost)


@every_cost
def test_corners(cost):
    for sample in CORNERS:
        assert_same(sample, cost)


def test_labels_may_be_words():
    sample = [((0, 1), "b"), ((0, 1), "a"), ((1, 1), "b"), ((1, 0), "c")]
    X, y = zip(*sample, strict=True)
    assert literal.id3(sample) == nested(dt.id3(X, y), thresholds=True)


def precise(name):
    """Entropy or square root as a fraction, right to 40 digits."""

    def impurity(counts):
        n = sum(counts.values())
        with localcontext() as context:
            context.prec = 50
            p = [Decimal(k) / n for k in counts.values() if k]
            if name == "entropy":
                value = sum(-q * q.ln() / Decimal(2).ln() for q in p)
            else:
                value = sum((a * b).sqrt() for a, b in itertools.combinations(p, 2))
            return Fraction(Decimal(value))

    return impurity


@pytest.mark.parametrize("cost", ["entropy", "sqrt"])
def test_ten_digits_of_floats_decide_as_thirty_do(cost):
    """So a tie in the tests above is a tie of real numbers, for package and literal text alike."""
    text = "round(number, 10) if isinstance(number, float) else number"
    exact = mutant(literal, text, "round(number, 30)")
    for sample in [*samples(20, cost), *CORNERS]:
        by_floats = literal.grow(sample, getattr(literal, NAMES[cost]))
        assert by_floats == exact.grow(sample, precise(cost))
        assert literal.id3(sample, getattr(literal, NAMES[cost])) == by_floats[0]


def test_impurities():
    """Those of the package; its entropy as a cost is halved."""
    for counts in itertools.product(range(4), repeat=3):
        if not any(counts):
            continue
        share = [k / sum(counts) for k in counts]
        labels = Counter(dict(enumerate(counts)))
        assert float(literal.gini(labels)) == pytest.approx(dt.impurity.gini(share))
        assert literal.entropy(labels) == pytest.approx(dt.impurity.entropy(share))
        for cost in ("error", "sqrt"):
            expected = dt.impurity.CLASS_COST_FUNCTIONS[cost](share)
            assert float(getattr(literal, NAMES[cost])(labels)) == pytest.approx(expected)
        loss = dt.impurity.squared_loss(sorted(labels.elements()))
        assert float(literal.squared_loss(labels)) == pytest.approx(loss)


@every_cost
def test_threshold_scan(cost):
    impurity = getattr(literal, NAMES[cost])
    scale = 0.5 if cost == "entropy" else 1
    for sample in samples(40, 9):
        for feature in range(len(sample[0][0])):
            column = [x[feature] for x, _ in sample]
            fast = dt.impurity.threshold_scan(column, [label for _, label in sample], cost)
            found = literal.threshold_scan(sample, feature, impurity)
            assert [t for t, _ in found] == fast.thresholds.tolist()
            assert [scale * float(left) for _, left in found] == pytest.approx(
                fast.impurities.tolist(), abs=1e-12
            )
            again = [(f, t) for f, t in literal.questions(sample) if f == feature]
            assert [t for t, _ in found] == [t for _, t in again]
