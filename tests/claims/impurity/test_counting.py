"""The steps that claims of chapter 4 count are all counted."""

import numpy as np
import pytest

from claims.impurity import counting
from dtviz.core.cart.best_first import read_examples
from dtviz.core.data.examples import Inputs


@pytest.mark.parametrize("cost", ["gini", "entropy", "squared"])
def test_counting_anew_finds_the_split_of_the_package(cost):
    rng = np.random.default_rng(1)
    for _ in range(10):
        X, y = rng.random((30, 2)), rng.integers(0, 3, 30)
        target, inputs = read_examples(Inputs, X, y, cost, None)
        columns = inputs.columns
        found = counting.package(columns, target)
        _, feature, cut = counting.recounted(columns, target)
        below, above = np.sort(columns[feature])[cut - 1 : cut + 1]
        assert (found.feature[0], found.threshold[0]) == (feature, below / 2 + above / 2)


def test_every_entry_of_a_counted_array_is_counted():
    meter = counting.Meter(10_000)
    numbers = counting.Counted.of(np.arange(64.0), meter)
    for made, steps in (
        (lambda: numbers + 1, 64),
        (lambda: (numbers * numbers)[:10], 74),
        (numbers.cumsum, 64),
        (lambda: numbers.take([1, 2, 3]), 3),
        (lambda: np.bincount(numbers.astype(int)), 64),
        (numbers.argsort, 64 * 6 + 64),
        (lambda: np.zeros(64) + numbers[:32].repeat(2), 32 + 64 + 64),
    ):
        before = meter.steps
        made()
        assert meter.steps - before == steps
    numbers += 1
    assert (type(numbers), float(numbers.sum())) == (counting.Counted, 64 * 65 / 2)
    with pytest.raises(counting.TooManyError):
        np.tile(numbers, 200).sum()
