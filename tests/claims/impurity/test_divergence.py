"""Chapter 4, purity: divergence and entropy, on every small vector of class counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from claims.impurity.cases import (
    PAGE,
    all_counts,
    changed,
    counts_in_words,
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
    uniform,
)
from claims.kit import CU, Form, Outcome, Trial, claim, outcome
from dtviz.core import costs
from dtviz.core.tolerances import CLOSE

PAIRS = "pairs of shares"
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


# -- divergence ------------------------------------------------------------------------------------


@cache
def _pairs() -> tuple[tuple[Floats, Floats, list[str]], ...]:
    """Pairs of shares for two and three classes: of at most 4 examples, or nearly uniform."""
    found = []
    for c in (2, 3):
        counts = all_counts(c)
        counts = counts[counts.sum(axis=1) <= 4]
        for some in (counts, near_even(c)):
            k = len(some)
            a, b = np.repeat(some, k, axis=0), np.tile(some, (k, 1))
            names = [
                f"p = {counts_in_words(x)} and q = {counts_in_words(y)}"
                for x, y in zip(a, b, strict=True)
            ]
            found.append((shares(a), shares(b), names))
    return tuple(found)


def _by_terms(p: Floats, q: Floats, log: Callable[[Any], Any] = np.log2) -> Any:
    """The sum of the definition, of shares above 0 in p; rounding may bring it below 0."""
    with np.errstate(divide="ignore"):
        terms = p * log(np.where(p > 0, p, 1) / np.where(p > 0, q, 1))
    return terms.sum(axis=-1)


def _divergence(of: Callable[[Floats, Floats], Any] = _by_terms) -> Outcome:
    """`dt.kl` against another computation, infinite numbers being equal."""
    good, names = [], []
    for p, q, told in _pairs():
        found, expected = costs.kl(p, q), of(p, q)
        with np.errstate(invalid="ignore"):
            good += ((found == expected) | (np.abs(found - expected) <= CLOSE)).tolist()
        names += told
    return outcome(
        PAIRS,
        good,
        np.logical_not(good),
        lambda k: "equal up to rounding" if good[k] else names[k],
    )


def _symmetric() -> Outcome:
    gap, names = [], []
    for p, q, told in _pairs():
        there, back = costs.kl(p, q), costs.kl(q, p)
        both = np.isfinite(there) & np.isfinite(back)
        with np.errstate(invalid="ignore"):
            gap += np.where(both, np.abs(there - back), np.where(there == back, 0, 1e9)).tolist()
        names += [
            f"KL(p ‖ q) = {s:.4g}, KL(q ‖ p) = {t:.4g}, {name}"
            for s, t, name in zip(there, back, told, strict=True)
        ]
    return outcome(PAIRS, np.array(gap) <= CLOSE, gap, names.__getitem__)


def _same(p: Floats, q: Floats) -> Bools:
    same: Bools = np.abs(p - q).max(axis=1) <= CLOSE
    return same


def _renamed(p: Floats, q: Floats) -> Bools:
    """Whether q is p with the classes renamed."""
    return _same(np.sort(p, axis=1), np.sort(q, axis=1))


def _gibbs(
    of: Callable[[Floats, Floats], Any] = _by_terms,
    least: Callable[[Floats, Floats], Any] = lambda p, _: 0 * p[:, 0],
    zero: Callable[[Floats, Floats], Bools] = _same,
) -> Outcome:
    """At least 0, or another bound, and 0 for these pairs only.

    Of the sum itself: `dt.kl` never gives a number below 0.
    """
    good, size, names = [], [], []
    for p, q, told in _pairs():
        found = of(p, q)
        above = found >= least(p, q) - CLOSE
        good += (above & ((np.abs(found) <= CLOSE) == zero(p, q))).tolist()
        size += np.where(_same(p, q), -9, -found).tolist()
        names += [f"{value:.4g} for {name}" for value, name in zip(found, told, strict=True)]
    return outcome(PAIRS, good, size, names.__getitem__)


def _squared_distance(p: Floats, q: Floats) -> Any:
    return np.abs(p - q).sum(axis=1) ** 2


# -- divergence and entropy ------------------------------------------------------------------------


def _to_uniform(p: Floats) -> Any:
    """KL to the uniform vector."""
    return costs.kl(p, np.full(p.shape[-1], 1 / p.shape[-1]))


def _log_minus_entropy(counts: list[int]) -> float:
    return float(np.log2(len(counts)) - costs.entropy(np.array(counts) / sum(counts)))


def _to_uniform_on_its_classes(p: Floats) -> Any:
    """KL to the vector that is uniform on the classes that occur."""
    some = p > 0
    return costs.kl(p, some / some.sum(axis=-1, keepdims=True))


def _least_at_uniform(
    of: Callable[[Floats], Any] = _to_uniform, at: Callable[[Ints], Bools] = uniform
) -> Outcome:
    good, value, names = [], [], []
    for c in (2, 3, 4):
        counts = np.concatenate([all_counts(c), near_even(c)])
        found = of(shares(counts))
        good += ((np.abs(found) <= CLOSE) == at(counts)).tolist()
        value += np.where(at(counts), -9, -found).tolist()
        names += [f"{v:.4g} at {counts_in_words(n)}" for v, n in zip(found, counts, strict=True)]
    return outcome(COUNTS, good, value, names.__getitem__)


def _same_order(name: str = "entropy", *, reverse: bool = True) -> Outcome:
    """The larger KL to uniform, the smaller an impurity: for every two vectors of shares."""
    good, gap = [], []
    for c in (2, 3, 4):
        p = shares(all_counts(c))
        far, mixed = _to_uniform(p), costs.CLASS_COST_FUNCTIONS[name](p)
        farther = far[:, None] - far
        purer = mixed - mixed[:, None] if reverse else mixed[:, None] - mixed
        agree = _sign(farther) == _sign(purer)
        good.append(agree.ravel())
        gap.append(np.where(agree, -1, np.abs(farther)).ravel())
    agreed = np.concatenate(good)

    def describe(k: int) -> str:
        if agreed[k]:
            return "both order every pair alike"
        for c, some in zip((2, 3, 4), good, strict=True):
            if k < some.size:
                counts = all_counts(c)
                pair = counts[list(divmod(k, len(counts)))]
                return f"not in this order: {' and '.join(map(counts_in_words, pair))}"
            k -= some.size
        raise IndexError

    return outcome(PAIRS, agreed, np.concatenate(gap), describe)


def _sign(x: Floats) -> Any:
    return np.sign(np.where(np.abs(x) <= CLOSE, 0, x))


def _equal_values() -> Outcome:
    """The greatest KL to uniform and the least entropy, as numbers."""
    most = [float(_to_uniform(shares(all_counts(c))).max()) for c in (2, 3, 4)]
    least = [float(costs.entropy(shares(all_counts(c))).min()) for c in (2, 3, 4)]
    gap = np.abs(np.array(most) - least)
    return outcome(
        "numbers of classes",
        gap <= CLOSE,
        gap,
        lambda k: f"max KL = {most[k]:.4g}, min H = {least[k]:.4g} for {k + 2} classes",
    )


def _entropy(p: Floats) -> Any:
    """`dt.entropy`, looked up when it is called: a test puts wrong ones in its place."""
    return costs.entropy(p)


_kl_of_uniform = partial(every, _to_uniform)
_entropy_of_logs = partial(every, _entropy)
_entropy_below = partial(greatest_at_uniform, "entropy")


@claim(
    "CU-KL",
    CU,
    r"$\mathrm{KL}(p \| q) = \sum_k p_k \log_2 (p_k / q_k)$ is at least 0, and 0 only for "
    r"$p = q$. It is not symmetric.",
    PAGE,
)
def test_cu_kl(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.kl against the sum",
                _divergence,
                formula=r"\mathrm{KL}(p \,\|\, q) = \sum_k p_k \log \frac{p_k}{q_k}",
                kind="definition",
                mutants=changed(
                    _divergence,
                    of={
                        "natural logarithms": partial(_by_terms, log=np.log),
                        "p and q exchanged": lambda p, q: _by_terms(q, p),
                    },
                ),
            ),
            Form(
                "at least 0, and 0 only for p = q",
                _gibbs,
                formula=r"\mathrm{KL}(p \,\|\, q) \ge 0",
                mutants=changed(
                    _gibbs,
                    of={
                        "q adds up to a millionth more": lambda p, q: _by_terms(p, (1 + 1e-6) * q),
                        "the difference of the entropies": (
                            lambda p, q: costs.entropy(q) - costs.entropy(p)
                        ),
                    },
                    least={
                        "at least 0.73 times the squared distance": (
                            lambda p, q: 0.73 * _squared_distance(p, q)
                        ),
                    },
                    zero={"also for p = q with the classes renamed": _renamed},
                ),
            ),
        ),
        (Form("were it symmetric", _symmetric),),
    )


@claim(
    "CU-KL-EXP",
    CU,
    r"For $u$ uniform on $c$ classes, $\mathrm{KL}(p \| u) = \sum_k p_k \log_2 p_k + \log_2 c "
    r"= \log_2 c - H(p)$.",
    PAGE,
)
def test_cu_kl_exp(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "up to 4 classes",
                partial(_kl_of_uniform, _log_minus_entropy),
                formula=r"\mathrm{KL}(p \,\|\, u) = \log c - H(p)",
                kind="identity",
                mutants=changed(
                    _kl_of_uniform,
                    expected={
                        "the logarithm of the classes that occur": lambda n: _log_minus_entropy(
                            [k for k in n if k]
                        ),
                        "natural logarithms": lambda n: float(
                            np.log(len(n)) - entropy_from_counts(n, np.log)
                        ),
                        "the constant dropped": lambda n: -entropy_from_counts(n),
                    },
                ),
            ),
        )
    )


@claim(
    "CU-KL-UNIF",
    CU,
    r"$\mathrm{KL}(p \| u) = 0$ if $p$ is uniform, and only then.",
    PAGE,
)
def test_cu_kl_unif(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "up to 4 classes",
                _least_at_uniform,
                formula=r"\mathrm{KL}(p \,\|\, u) = 0",
                mutants=changed(
                    _least_at_uniform,
                    of={
                        "uniform on the classes that occur": _to_uniform_on_its_classes,
                        "H(p) in its place": _entropy,
                    },
                    at={
                        "also at nearly uniform shares": nearly_uniform,
                        "wherever every class occurs": every_class_occurs,
                    },
                ),
            ),
            Form(
                "H at most log c, and that at uniform shares only",
                partial(_entropy_below, np.log2),
                formula=r"H(p) \le \log c",
                mutants=(
                    *changed(
                        _entropy_below,
                        bound={
                            "a millionth less": lambda c: (1 - 1e-6) * np.log2(c),
                            "natural logarithm": np.log,
                            "log (c+1)": lambda c: np.log2(c + 1),
                        },
                    ),
                    *changed(
                        partial(_entropy_below, np.log2),
                        at={"also at nearly uniform shares": nearly_uniform},
                    ),
                ),
            ),
        )
    )


@claim(
    "CU-KL-OPT",
    CU,
    r"The $p$ farthest from uniform in KL are those of least entropy: "
    r"$\arg\max_p \mathrm{KL}(p \| u) = \arg\min_p H(p)$.",
    PAGE,
    repaired=True,
    note="The source writes max KL = max sum p log p = min H. As numbers the first is log c "
    "and the last 0: a constant was dropped, and a sign turned a maximum into a minimum.",
)
def test_cu_kl_opt(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "KL and entropy order all shares in reverse",
                _same_order,
                formula=r"\operatorname{argmax}_{p \in P} \mathrm{KL}(p \,\|\, u) "
                r"= \operatorname{argmin}_{p \in P} H(p)",
                mutants=changed(
                    _same_order,
                    # With two classes all four would be right.
                    name={
                        "those of least Gini impurity": "gini",
                        "those of least error": "error",
                        "those of least square root": "sqrt",
                    },
                    reverse={"those of greatest entropy": False},
                ),
            ),
        ),
        (Form("as printed, max KL = min H as numbers", _equal_values),),
    )


@claim(
    "CU-H",
    CU,
    r"The entropy of a leaf is $H(S) = -\sum_k p_k \log_2 p_k$, with $0 \log 0 = 0$.",
    PAGE,
    note="The source leaves the base open; the book takes 2, so that H is in bits.",
)
def test_cu_h(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.entropy against logarithms of counts",
                partial(_entropy_of_logs, entropy_from_counts),
                formula=r"H(S) = -\sum_k p_k \log p_k",
                kind="definition",
                mutants=changed(
                    _entropy_of_logs,
                    expected={
                        "natural logarithms": partial(entropy_from_counts, log=np.log),
                        "half of it, as growth counts it": lambda n: entropy_from_counts(n) / 2,
                        "without the minus": lambda n: -entropy_from_counts(n),
                    },
                ),
            ),
        )
    )
