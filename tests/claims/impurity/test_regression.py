"""Chapter 4, regression: the squared loss, in fractions."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from statistics import median

import numpy as np

from claims.impurity.cases import PAGE, changed, near
from claims.kit import CU, Form, Outcome, Trial, claim, equality, outcome
from dtviz.core import costs

Numbers = list[int]


@cache
def _numbers() -> tuple[Numbers, ...]:
    """All lists of up to six bits, and a hundred short lists of whole numbers."""
    rng = np.random.default_rng(4)
    found = [list(bits) for m in range(2, 7) for bits in itertools.product((0, 1), repeat=m)]
    return (*found, *(rng.integers(-9, 10, rng.integers(2, 9)).tolist() for _ in range(100)))


def _mean(y: Numbers) -> Fraction:
    return Fraction(sum(y), len(y))


def _mean_square(y: Numbers, a: Fraction) -> Fraction:
    """The mean squared deviation from a number."""
    return sum(((v - a) ** 2 for v in y), Fraction(0)) / len(y)


def _loss(y: Numbers) -> Fraction:
    """``1/|S| sum (y - mean)^2``."""
    return _mean_square(y, _mean(y))


def _loss_by_definition(loss: Callable[[Numbers], Fraction] = _loss) -> Outcome:
    return near(
        "lists of labels",
        [costs.squared_loss(y) for y in _numbers()],
        [float(loss(y)) for y in _numbers()],
        lambda k: f"{_numbers()[k]}",
    )


def _mean_is_best(answer: Callable[[Numbers], Fraction] = _mean) -> Outcome:
    """Less loss than the mean has, if it is another, and than the multiples of 1/6 have."""
    good, gap = [], []
    for y in _numbers():
        best, squares = answer(y), sum(v * v for v in y)
        # The squared deviations from k/6, 36 times.
        loss = {
            Fraction(k, 6): 36 * squares - 12 * k * sum(y) + len(y) * k * k
            for k in range(6 * min(y) - 6, 6 * max(y) + 7)
        }
        least = min(of for a, of in loss.items() if a != best)
        nearest = Fraction(least, 36 * len(y))
        if best != _mean(y):
            nearest = min(nearest, _loss(y))
        gap.append(float(nearest - _mean_square(y, best)))
        good.append(nearest > _mean_square(y, best))
    return outcome(
        "lists of labels",
        good,
        np.negative(gap),
        lambda k: f"{gap[k]:.3g} more loss for the next best, {_numbers()[k]}",
    )


Drop = Callable[[Numbers, Numbers], Fraction]


def _squared_gap(low: Numbers, high: Numbers) -> Fraction:
    """``n_L n_R / n^2`` times the squared gap between the means."""
    n = len(low) + len(high)
    return Fraction(len(low) * len(high), n * n) * (_mean(low) - _mean(high)) ** 2


def _gap(low: Numbers, high: Numbers) -> Fraction:
    n = len(low) + len(high)
    return Fraction(len(low) * len(high), n * n) * abs(_mean(low) - _mean(high))


def _gap_of_medians(low: Numbers, high: Numbers) -> Fraction:
    n = len(low) + len(high)
    return Fraction(len(low) * len(high), n * n) * Fraction(median(low) - median(high)) ** 2


def _times_n(low: Numbers, high: Numbers) -> Fraction:
    return _squared_gap(low, high) * (len(low) + len(high))


def _without_replacement(low: Numbers, high: Numbers) -> Fraction:
    n = len(low) + len(high)
    return _squared_gap(low, high) * Fraction(n, n - 1)


@cache
def _cuts() -> tuple[tuple[Numbers, Numbers, Fraction], ...]:
    """The two sides of each cut, and the drop by definition."""
    found = []
    for y in _numbers():
        n, whole = len(y), _loss(y)
        for cut in range(1, n):
            low, high = y[:cut], y[cut:]
            after = (cut * _loss(low) + (n - cut) * _loss(high)) / n
            found.append((low, high, whole - after))
    return tuple(found)


def _drop_of_squared_loss(drop: Drop = _squared_gap) -> Outcome:
    """What each cut takes off, by the definition, against another computation."""
    return equality(
        "cuts",
        [exact != drop(low, high) for low, high, exact in _cuts()],
        lambda k: f"{_cuts()[k][0]} | {_cuts()[k][1]}",
    )


def _half_of_gini(*, both: bool = False) -> Outcome:
    """The squared loss of 0/1 labels; or, for ``both`` classes, as sum of their losses."""
    lists = [y for y in _numbers() if set(y) <= {0, 1}]
    found = [costs.gini([1 - np.mean(y), np.mean(y)]) for y in lists]
    of_classes = [[[int(v == k) for v in y] for k in (0, 1)] for y in lists]
    loss = [
        sum(map(costs.squared_loss, classes)) if both else 2 * costs.squared_loss(y)
        for y, classes in zip(lists, of_classes, strict=True)
    ]
    return near("lists of 0/1 labels", loss, found, lambda k: f"{lists[k]}")


@claim(
    "CU-CART-L",
    CU,
    r"Regression uses the squared loss $L(S) = \frac1{|S|} \sum (y - \bar y_S)^2$. A split "
    r"takes $\frac{n_L n_R}{n^2} (\bar y_L - \bar y_R)^2$ off it; for 0/1 labels it is half of "
    r"Gini.",
    PAGE,
)
def test_cu_cart_l(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.squared_loss in fractions",
                _loss_by_definition,
                formula=r"L(S) = \frac{1}{|S|} \sum_{(x,y) \in S} (y - \bar y_S)^2",
                kind="definition",
                mutants=changed(
                    _loss_by_definition,
                    loss={
                        "divided by one less": lambda y: _loss(y) * Fraction(len(y), len(y) - 1),
                        "from the median": lambda y: _mean_square(y, Fraction(median(y))),
                        "deviations not squared": lambda y: (
                            sum((abs(v - _mean(y)) for v in y), Fraction(0)) / len(y)
                        ),
                    },
                ),
            ),
            Form(
                "the mean is the best constant answer",
                _mean_is_best,
                mutants=changed(
                    _mean_is_best,
                    answer={
                        "the median is": lambda y: Fraction(median(y)),
                        "the middle between the least and the greatest is": lambda y: Fraction(
                            min(y) + max(y), 2
                        ),
                        "the mean of one example more, 0, is": lambda y: Fraction(
                            sum(y), len(y) + 1
                        ),
                    },
                ),
            ),
            Form(
                "the drop of a cut, in fractions",
                _drop_of_squared_loss,
                formula=r"L(S) - \frac{n_L}{n} L(S_L) - \frac{n_R}{n} L(S_R) "
                r"= \frac{n_L n_R}{n^2} \left( \bar y_{S_L} - \bar y_{S_R} \right)^2",
                kind="identity",
                mutants=changed(
                    _drop_of_squared_loss,
                    drop={
                        "divided by n": _times_n,
                        "divided by n (n-1)": _without_replacement,
                        "the gap not squared": _gap,
                        "the gap of the medians": _gap_of_medians,
                    },
                ),
            ),
            Form(
                "0/1 labels: half of Gini",
                _half_of_gini,
                formula=r"L = \frac12 G",
                kind="identity",
            ),
            Form(
                "Gini is the squared loss of each class, added up",
                partial(_half_of_gini, both=True),
                formula=r"G(S) = \sum_k L(S^{(k)})",
                kind="identity",
            ),
        )
    )


@claim(
    "CU-CART-CHAR",
    CU,
    r"A tree of CART is light-weight and very fast at test time; usually it is not competitive "
    r"alone, but strong through bagging and boosting.",
    PAGE,
    note="In our copy of the source the list is missing. It is experience and no theorem. The "
    "chapter proves what is certain of such trees.",
)
def test_cu_cart_char(trial: Trial) -> None:
    """There is nothing finite to compute."""
