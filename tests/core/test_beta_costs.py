"""The family of costs between the named ones, held against its definition in many digits."""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import cache
from typing import Any

import numpy as np
import pytest

import dtviz as dt
from dtviz.core.cart.beta_costs import STOPS, BetaCost, cost_at, exponent_at
from dtviz.core.cart.criteria import CRITERIA, Criterion

SHARES = np.append(np.random.default_rng(29).random(30), [0.5, 0.4999, 0.26, 0.01, 1e-3, 1e-6])
EXPONENTS = (-0.9, -0.5, -0.2, -1e-7, 1e-7, 1e-3, 0.3, 1, 2, 3.999, 4, 5.5, 8, 20, 100, 300)
CANCER = ((-0.9, 19), (-0.5, 17), (0, 20), (0.5, 21), (1, 22), (2, 24), (5, 28), (20, 122))


@cache
def by_definition(a: float) -> tuple[np.ndarray, np.ndarray]:
    """``-G''`` as a power series, integrated twice term by term: G and G' at `SHARES`."""
    with localcontext() as context:
        context.prec = 60 if a < 30 else 250
        exponent, half, least = Decimal(a), Decimal("0.5"), Decimal(10) ** (20 - context.prec)

        def sums(q: Decimal) -> tuple[Decimal, Decimal]:
            once, twice, factor, k = Decimal(0), Decimal(0), Decimal(1), 0
            while factor and (k < 20 or abs(factor) * half**k > least):
                once += factor * q**k / (exponent + k)
                twice += factor * q**k / ((exponent + k) * (exponent + k + 1))
                k += 1
                factor *= (k - exponent) / k
            power = (exponent * q.ln()).exp()
            return once * power, twice * power * q

        steepest, middle = sums(half)
        scale = 2 * (steepest * half - middle)
        found = []
        for share in SHARES:
            q = Decimal(float(share))
            once, twice = sums(min(q, 1 - q))
            found.append((float((steepest * min(q, 1 - q) - twice) / scale), float(once)))
    values, slopes = np.array(found).T
    return values, slopes


@pytest.mark.parametrize("a", EXPONENTS)
def test_a_cost_of_the_family_is_right_to_13_digits_of_its_maximum(a: float) -> None:
    assert BetaCost(a).of_share(SHARES) == pytest.approx(by_definition(a)[0], rel=0, abs=0.5e-13)


@pytest.mark.parametrize("position", range(4))
def test_the_named_costs_are_stops_and_what_their_neighbors_tend_to(position: int) -> None:
    assert cost_at(position) is CRITERIA[STOPS[position]]
    at_stop = cost_at(position).of_share(SHARES)
    for near in (position - 1e-9, position + 1e-9):
        if 0 <= near <= 3:
            # Near the error the way is as the root of what is left.
            slack = 1e-8 if position < 3 else 1e-5
            assert cost_at(near).of_share(SHARES) == pytest.approx(at_stop, abs=slack)


def test_the_line_through_the_costs_never_jumps() -> None:
    line = np.array([cost_at(s).of_share(SHARES) for s in np.linspace(0, 3, 601)])
    assert (np.diff(line, axis=0) <= 1e-13).all()
    assert np.abs(np.diff(line, axis=0)).max() < 0.0125
    rates = [1 / (1 + exponent_at(s)) for s in (0, 0.5, 1, 1.5, 2, 2.5, 3)]
    assert rates == pytest.approx([2, 1.5, 1, 0.75, 0.5, 0.25, 0], abs=1e-12)


@pytest.mark.parametrize("a", [-0.8, 0.3, 5, 20, 100])
def test_the_drop_of_a_vote_is_right_where_it_is_hardly_any(a: float) -> None:
    odds = (0.4 / 0.6) ** np.arange(40)
    s = odds / (1 + odds)
    found, plain = BetaCost(a).vote_drop(0.1, s), Criterion.vote_drop(BetaCost(a), 0.1, s)
    seen = plain > 1e-3 * BetaCost(a).of_share(s)
    assert found[seen] == pytest.approx(plain[seen], rel=1e-9)
    assert (found[: 40 if a < 30 else 20] > 0).all()
    for name, exponent in (("sqrt", -0.5), ("entropy", 0), ("gini", 1)):
        known = CRITERIA[name].vote_drop(0.1, s)
        assert BetaCost(exponent).vote_drop(0.1, s) == pytest.approx(known, rel=1e-11)


@pytest.fixture(scope="module")
def cancer() -> Any:
    sklearn = pytest.importorskip("sklearn.datasets")
    return sklearn.load_breast_cancer(return_X_y=True)


@pytest.mark.parametrize(("a", "leaves"), CANCER)
def test_what_pure_leaves_are_worth_decides_the_size_of_a_tree(a: float, leaves: int, cancer: Any):
    path = dt.grow(*cancer, BetaCost(a))
    assert path.n_leaves == leaves
    assert path.errors[-1] == 0
    if name := {-0.5: "sqrt", 0: "entropy", 1: "gini"}.get(a):
        known = dt.grow(*cancer, name)
        assert path.split_variable.tolist() == known.split_variable.tolist()
        assert path.split_threshold.tolist() == known.split_threshold.tolist()


@pytest.mark.parametrize("a", [20, 100])
def test_where_the_curve_is_straight_a_split_gains_nothing(a: float) -> None:
    X, y = np.arange(200)[:, None], np.isin(np.arange(200), [90, 110])
    path = dt.grow(X, y, BetaCost(a))
    assert path.scores[0] == 0
    assert path.split_threshold[0] == dt.grow(X, y, "error").split_threshold[0] == 0.5
    assert path.errors[-1] == 0


def test_more_classes_than_two_are_refused_by_name() -> None:
    rule = r"cost must be one of error, gini, entropy, sqrt where .* two classes, got beta\(0.3\)"
    cost, X, y = BetaCost(0.3), [[1], [2], [3]], ["a", "b", "c"]
    for use in (
        lambda: dt.grow(X, y, cost),
        lambda: dt.impurity.best_split(X, y, cost),
        lambda: dt.TopDownClassifier(cost).fit(X, y),
        lambda: cost.of_shares([0.2, 0.3, 0.5]),
    ):
        with pytest.raises(ValueError, match=f"{rule} for 3"):
            use()
    assert cost.of_shares([0.25, 0.75]) == pytest.approx(cost.of_share(0.25))


@pytest.mark.parametrize("a", [-1, -0.91, float("inf"), float("nan"), "gini", True, [9]])
def test_exponents_that_make_no_cost_are_refused(a: Any) -> None:
    with pytest.raises(ValueError, match=r"a must be a number in \[-0.9, inf\), got"):
        BetaCost(a)
    if not isinstance(a, bool):
        with pytest.raises(ValueError, match=r"position must be a number in \[0, 3\], got"):
            cost_at(a)
