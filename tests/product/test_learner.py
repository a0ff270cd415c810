"""The learner that has only samples: its sizes, its records, its guarantee, and bad oracles."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dtviz as dt
from dtviz.product import build_top_down_sampled, examples_needed, pairs_needed

F = dt.functions
MAJ = F.majority(5)
MU = dt.ProductDistribution([0.3, 0.4, 0.5, 0.6, 0.7])


def learn(f=MAJ, mu=MU, epsilon=0.1, delta=0.1, rng=0, **more):
    return build_top_down_sampled(f, mu, epsilon, delta, rng, **more)


def test_trees_of_a_run_call_the_variables_as_the_function_does():
    f = dt.BooleanFunction.from_text("rain & wind")
    run = dt.product.build_top_down_sampled(f, None, 0.1, 0.1, rng=0)
    assert str(run.tree()) == str(run.path(f).tree())
    assert "rain" in str(run.tree())


def test_an_oracle_may_have_more_variables_than_any_truth_table():
    """Forty variables, three of them relevant, and none of the others is asked for."""
    p = np.full(40, 0.5)
    p[17] = 0.8
    run = learn(lambda x: x[:, 3] & (x[:, 17] | x[:, 39]), dt.ProductDistribution(p), 0.2)
    assert run.stopped == "error"
    assert set(run.split_variable.tolist()) <= {3, 17, 39}
    X = dt.ProductDistribution(p).sample(20_000, 1)
    assert np.mean(run.tree().predict(X) != X[:, 3] & (X[:, 17] | X[:, 39])) <= 0.2


class Counting:
    """An oracle that counts and remembers what it is asked."""

    def __init__(self, f):
        self.f = f
        self.rows = 0

    def __call__(self, x):
        assert x.shape[1:] == (self.f.n,)
        assert x.dtype == np.int64
        self.rows += len(x)
        x_given = x.copy()
        x[:] = 0  # what an oracle does with its argument is its own business
        return self.f(x_given)


def test_an_oracle_and_its_table_give_the_same_run():
    oracle = Counting(MAJ)
    by_oracle, by_table = learn(oracle), learn(MAJ)
    assert by_oracle.tree() == by_table.tree()
    assert by_oracle.n_samples == by_table.n_samples == oracle.rows
    judged = sum(examples_needed(j, 0.1, 0.1) for j in range(by_oracle.n_leaves))
    compared = sum(6 * pairs_needed(j, 5, 0.1, 0.1) for j in range(by_oracle.n_leaves - 1))
    assert by_oracle.n_samples == judged + compared
    for one, other in zip(by_oracle.steps, by_table.steps, strict=True):
        assert one.estimates.tolist() == other.estimates.tolist()
        assert one.labels.tolist() == other.labels.tolist()


def test_stops():
    assert learn(max_leaves=3).stopped == "max_leaves"
    assert learn(max_leaves=3).n_leaves == 3
    mu = dt.ProductDistribution([0.9] * 5)
    runs = [learn(F.conjunction(5), mu, rng=seed, scale=1e-3) for seed in range(40)]
    blind = [run for run in runs if run.stopped == "blind"]
    assert blind
    for run in blind:
        last = run.steps[-1]
        assert last.n_samples == last.n_examples + 6 * last.n_pairs
        assert last.estimates.shape == (run.n_leaves, 5)
        assert last.estimates.max() == 0
    assert learn(F.parity(2), None, rng=1).tree().function(2) == F.parity(2)


def test_a_run_that_needs_too_much_is_refused_with_the_number():
    """The number is right: with it the step is done, and with one less it is refused again."""
    with pytest.raises(ValueError, match=r"max_samples must be at least [\d,]+ to") as one:
        learn(max_samples=100)
    assert "estimate the error of the tree with 1 leaves, got 100" in str(one.value)
    budget = 100
    for _ in range(4):
        needed = number(budget)
        assert needed == number(needed - 1)
        budget = needed


def number(budget):
    with pytest.raises(ValueError, match="max_samples must be") as caught:
        learn(max_samples=budget)
    return int(str(caught.value).split("at least ")[1].split(" to")[0].replace(",", ""))


def noisy(rate):
    rng = np.random.default_rng(0)
    return lambda x: MAJ(x) ^ (rng.random(len(x)) < rate)


class Drifting:
    """Changes its mind once, late in the first step."""

    calls = 0

    def __call__(self, x):
        self.calls += 1
        return MAJ(x) ^ (self.calls > 5)


@pytest.mark.parametrize("oracle", [noisy(1e-3), noisy(0.5), Drifting()], ids=["rare", "coin", "x"])
def test_an_oracle_that_contradicts_itself_is_named(oracle):
    with pytest.raises(ValueError, match="f must be a function, the same answer") as caught:
        learn(oracle)
    assert "noisy or changing oracle" in str(caught.value)
    point = eval(str(caught.value).split("x = ")[1].split(":")[0])  # noqa: S307
    assert len(point) == 5


BAD = [
    (lambda: learn(lambda x: MAJ(x)[:, None]), ("f must give one bit for each row", "shape (")),
    (lambda: learn(lambda _: None), ("f must give one bit for each row", "None")),
    (lambda: learn(lambda _: 1), ("f must give one bit for each row", "got 1")),
    (lambda: learn(lambda x: 2 * MAJ(x)), ("answers of f", "only 0 and 1", "got 2 at index")),
    (lambda: learn(lambda x: [math.nan] * len(x)), ("answers of f", "only 0 and 1", "nan")),
    (lambda: learn(lambda x: ["1"] * len(x)), ("answers of f", "only 0 and 1", "'1'")),
    (lambda: learn(MAJ, dt.ProductDistribution.uniform(4)), ("mu must have", "n = 5", "4")),
    (lambda: learn(lambda _: 0, None), ("mu must be", "when f is an oracle", "None")),
]


@pytest.mark.parametrize(("call", "words"), BAD)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=r".") as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)
