"""Chapter 4, purity: shares and Gini, on every small vector of class counts."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.impurity.cases import (
    PAGE,
    all_counts,
    changed,
    counts_in_words,
    grown_trees,
    lopsided,
    near,
    near_even,
    shares,
)
from claims.impurity.vectors import (
    COUNTS,
    entropy_from_counts,
    every,
    every_class_occurs,
    greatest_at_uniform,
    nearly_uniform,
)
from claims.kit import CU, Form, Outcome, Trial, claim, outcome
from dtviz.core import costs
from dtviz.core.tolerances import CLOSE

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


# -- shares ----------------------------------------------------------------------------------------


@cache
def _leaves_of_grown_trees() -> tuple[Floats, Ints, Ints, list[str]]:
    """Each class at each leaf: its share as the path has it, |S_k| and |S|, by the labels there.

    The two numbers are of the leaf, in the first row, and of the whole sample.
    """
    found, number, size, names = [], [], [], []
    for (X, y, name), path, step, tree in grown_trees("gini"):
        nodes, leaf = path.nodes(step + 1), tree.apply(X)
        for node in tree.leaves.tolist():
            own = path.class_counts[nodes[node]]
            found += (own / path.node_examples[nodes[node]]).tolist()
            for k in np.unique(y):
                number.append((np.sum(y[leaf == node] == k), np.sum(y == k)))
                size.append((np.sum(leaf == node), len(y)))
                names.append(f"class {k} at leaf {node} of {name} after {step} splits")
    return np.array(found), np.array(number).T, np.array(size).T, names


def _share(number: Ints, size: Ints) -> Any:
    """The share of a class at a leaf; of the whole sample there are numbers too."""
    return number[0] / size[0]


def _shares_of_nodes(share: Callable[[Ints, Ints], Any] = _share) -> Outcome:
    """The shares of the classes at each leaf."""
    found, number, size, names = _leaves_of_grown_trees()
    return near("classes at leaves of grown trees", found, share(number, size), names.__getitem__)


# -- Gini ------------------------------------------------------------------------------------------


def _pairs_that_differ(counts: list[int], *, put_back: bool = True) -> float:
    """The chance that two examples, drawn one after the other, are of different classes."""
    labels = [k for k, number in enumerate(counts) for _ in range(number)]
    differ = sum(a != b for a, b in itertools.product(labels, repeat=2))
    pairs = len(labels) * (len(labels) if put_back else len(labels) - 1)
    return float(Fraction(differ, max(pairs, 1)))


def _binary_gini() -> Outcome:
    counts = all_counts(2)
    q = shares(counts)[:, 1]
    found = [costs.gini(shares(counts)), costs.COST_FUNCTIONS["gini"](q)]
    return near(COUNTS, found, [2 * q * (1 - q)] * 2, lambda k: counts_in_words(counts[k % len(q)]))


def _from_uniform(p: Floats) -> Any:
    """The squared distance of shares from the uniform vector, taken from 1 - 1/c."""
    c = p.shape[-1]
    return 1 - 1 / c - ((p - 1 / c) ** 2).sum(axis=-1)


def _gini_by_distance() -> Outcome:
    counts = [row for c in (1, 2, 3, 4) for row in all_counts(c)]
    found = [costs.gini(shares(row)) for row in counts]
    expected = [_from_uniform(shares(row)) for row in counts]
    return near(COUNTS, found, expected, lambda k: counts_in_words(counts[k]))


def _error_and_gini(low: float = 1, high: float = 2, *, upside_down: bool = False) -> Outcome:
    """``low E <= G <= high E`` with the error E; or with both exchanged."""
    counts = [row for c in (2, 3, 4) for row in (*all_counts(c), *near_even(c), *lopsided(c))]
    gini = np.array([float(costs.gini(shares(row))) for row in counts])
    error = np.array([1 - float(shares(row).max()) for row in counts])
    if upside_down:
        gini, error = error, gini
    good = (low * error <= gini + CLOSE) & (gini <= high * error + CLOSE)
    # A pure leaf, with 0 for both, is not of interest.
    ratio = np.divide(gini, error, out=np.full_like(gini, 1.5), where=error > 0)
    return outcome(
        COUNTS,
        good,
        np.abs(ratio - 1.5),
        lambda k: f"E = {error[k]:.4g}, G = {gini[k]:.4g} at {counts_in_words(counts[k])}",
    )


def _gini(p: Floats) -> Any:
    """`dt.gini`, looked up when it is called: a test puts wrong ones in its place."""
    return costs.gini(p)


_gini_of_pairs = partial(every, _gini)


@claim(
    "CU-PK",
    CU,
    r"$p_k = |S_k| / |S|$ is the share of class $k$ among the examples $S$ of a leaf.",
    PAGE,
)
def test_cu_pk(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the shares at every leaf of grown trees",
                _shares_of_nodes,
                formula=r"p_k = |S_k| / |S|",
                kind="definition",
                mutants=changed(
                    _shares_of_nodes,
                    share={
                        "of all examples": lambda number, size: number[0] / size[1],
                        "of all examples of the class": lambda number, _: number[0] / number[1],
                        "of the whole sample": lambda number, size: number[1] / size[1],
                        "of one example more": lambda number, size: number[0] / (size[0] + 1),
                    },
                ),
            ),
        )
    )


@claim(
    "CU-GINI",
    CU,
    r"The Gini impurity of a leaf is $G(S) = \sum_k p_k (1 - p_k)$: the chance that two random "
    r"examples of $S$ differ in class.",
    PAGE,
)
def test_cu_gini(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.gini against counting pairs",
                partial(_gini_of_pairs, _pairs_that_differ),
                formula=r"G(S) = \sum_k p_k (1 - p_k)",
                mutants=changed(
                    _gini_of_pairs,
                    expected={
                        "the first is not put back": partial(_pairs_that_differ, put_back=False),
                        "each pair counted once": lambda n: _pairs_that_differ(n) / 2,
                        "the chance that one is not of the commonest class": (
                            lambda n: 1 - max(n) / sum(n)
                        ),
                        "the entropy": entropy_from_counts,
                    },
                ),
            ),
            Form(
                "two classes: 2q(1-q), as COST_FUNCTIONS has it",
                _binary_gini,
                formula=r"2q(1-q)",
                kind="identity",
            ),
        )
    )


@claim(
    "CU-GINI-MAX",
    CU,
    r"With two classes Gini is largest at $p = 1/2$; with $c$ classes it is at most $1 - 1/c$, "
    r"and that at uniform shares only.",
    PAGE,
    note="The source shows a picture of the binary case.",
)
def test_cu_gini_max(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "at most 1 - 1/c, and that at uniform shares only",
                greatest_at_uniform,
                formula=r"G(p) \le 1 - \frac1c",
                mutants=changed(
                    greatest_at_uniform,
                    bound={
                        "a millionth less": lambda c: (1 - 1e-6) * (1 - 1 / c),
                        "1 - 1/(c+1)": lambda c: 1 - 1 / (c + 1),
                    },
                    at={
                        "also at nearly uniform shares": nearly_uniform,
                        "wherever every class occurs": every_class_occurs,
                    },
                    impurity={"of the entropy": "entropy"},
                ),
            ),
            Form(
                "1 - 1/c less the squared distance to uniform",
                _gini_by_distance,
                formula=r"1 - \frac1c - \lVert p - u \rVert^2",
                kind="identity",
            ),
            Form(
                "between the error and twice the error",
                _error_and_gini,
                formula=r"E \le G \le 2E",
                mutants=(
                    *changed(
                        _error_and_gini,
                        low={"a millionth more than the error": 1 + 1e-6},
                        high={"at most 1.997 times the error": 1.997},
                    ),
                    *changed(_error_and_gini, upside_down={"the other way round": True}),
                ),
            ),
        ),
        (
            Form(
                "1/2 for any number of classes",
                partial(greatest_at_uniform, bound=lambda _: 0.5, strict=False),
            ),
        ),
    )
