"""Chapter 3: where influence agrees with the impurity gains of chapter 4, and where not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from claims.kit import PS, Outcome, Trial, claim, outcome
from claims.kit.populations import all_functions, name
from claims.product.populations import MEASURES, PAGE, Floats, same, under
from dtviz.core import measures
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.costs import entropy, gini

IMPURITIES: dict[str, Callable[[Floats], Floats]] = {
    "Gini": lambda m: gini(np.stack([1 - m, m], axis=-1)),
    "entropy": lambda m: entropy(np.stack([1 - m, m], axis=-1)),
    "square root": lambda m: np.sqrt(m * (1 - m)),
    "error": lambda m: np.minimum(m, 1 - m),
}
Case = tuple[int, int, tuple[float, ...]]
"""The number of variables, a code, and a measure."""


def halves(case: Case) -> Floats:
    """``Pr[f = 1 | x_i = b]``, an ``(n, 2)`` array."""
    n, code, p = case
    x, w = np.arange(1 << n), ProductDistribution(p).weights()
    ones = w * (code >> x & 1)
    sides = [[x >> i & 1 == b for b in (0, 1)] for i in range(n)]
    return np.array([[ones[side].sum() / w[side].sum() for side in both] for both in sides])


def gains(case: Case, impurity: str) -> Floats:
    """How much asking for each variable lowers the impurity of f's value."""
    value, means, p = IMPURITIES[impurity], halves(case), np.array(case[2])
    chance = np.stack([1 - p, p], axis=1)
    return value((chance * means).sum(axis=1)) - (chance * value(means)).sum(axis=1)


def influences(case: Case) -> Floats:
    f = BooleanFunction.from_int(case[0], case[1])
    return measures.resample_influences(f, ProductDistribution(case[2]))


def monotone(n: int) -> list[int]:
    """The codes of the monotone functions."""
    table, x = all_functions(n).table, np.arange(1 << n)
    rises = [(table <= table[:, x | 1 << i]).all(axis=1) for i in range(n)]
    return np.flatnonzero(np.all(rises, axis=0)).tolist()


def told(case: Case) -> str:
    return f"{name(case[0], case[1])}, {under(case[2])}"


def same_winners(unit: str, cases: Iterable[Case], impurities: Iterable[str]) -> Outcome:
    """Whether influence and a gain are largest at the same variables, and rank all alike."""
    found = [(case, impurity) for case in cases for impurity in impurities]
    wrong, words = [], []
    for case, impurity in found:
        pair = influences(case), gains(case, impurity)
        sets = [[f"x{i}" for i in np.flatnonzero(v >= v.max() - 1e-12)] for v in pair]
        wrong.append(pair[0].max() > 0 and sets[0] != sets[1])
        words.append(f"influence {{{', '.join(sets[0])}}}, {impurity} {{{', '.join(sets[1])}}}")
    return outcome(
        unit,
        np.logical_not(wrong),
        wrong,
        lambda k: f"{words[k]}, {told(found[k][0])}" if any(wrong) else "the same in every case",
        example=lambda k: BooleanFunction.from_int(*found[k][0][:2]),
    )


def monotone_and_uniform(
    impurities: tuple[str, ...] = ("Gini", "entropy", "square root"), first: float = 1 / 2
) -> Outcome:
    """All monotone functions of 2 to 4 variables."""
    cases = [(n, c, (first, *[1 / 2] * (n - 1))) for n in (2, 3, 4) for c in monotone(n)]
    return same_winners("monotone functions with an impurity", cases, impurities)


def of_three(codes: Iterable[int], measures: Iterable[tuple[float, ...]] = MEASURES) -> list[Case]:
    return [(3, code, p) for p in measures for code in codes]


def gini_gain(
    factor: float = 2,
    power: int = 2,
    *,
    of_monotone: Callable[[Floats, Floats], Floats] | None = None,
) -> Outcome:
    """Gini gain ``2 p_i q_i (m_1 - m_0)^2``; or, ``of_monotone``, from influence and 2 p q."""
    cases = of_three(monotone(3) if of_monotone else range(0, 256, 3))
    wanted = []
    for case in cases:
        p = np.array(case[2])
        if of_monotone:
            wanted.append(of_monotone(influences(case), 2 * p * (1 - p)))
        else:
            rise = np.abs(np.diff(halves(case))[:, 0])
            wanted.append(factor * p * (1 - p) * rise**power)
    return same(
        "functions under measures",
        [gains(case, "Gini") for case in cases],
        wanted,
        lambda k: told(cases[k]),
    )


@claim(
    "PS-EQUIV",
    PS,
    r"For monotone $f$ and uniform bits, influence, Gini gain and entropy gain are largest at "
    r"the same variables: the Gini gain is $2 p_i (1-p_i) (\mathrm E f_{x_i=1} - "
    r"\mathrm E f_{x_i=0})^2$, for monotone $f$ $\mathrm{Inf}_i^2 / (2 p_i (1-p_i))$.",
    PAGE,
    repaired=True,
    note="The source calls splitting by influence and by entropy or Gini equivalent.",
)
def test_equivalent_rules(trial: Trial) -> None:
    trial.holds(
        "monotone and uniform, up to 4 variables",
        monotone_and_uniform,
        variants={
            "by the error, which is not strictly concave": {"impurities": ("error",)},
            "if x0 is 1 with probability 1/8": {"first": 1 / 8},
        },
    )
    trial.holds(
        "the Gini gain in closed form",
        gini_gain,
        r"2 p_i q_i (m_1 - m_0)^2",
        {"with p q": {"factor": 1}, "without the square": {"power": 1}},
        kind="identity",
    )
    trial.holds(
        "the Gini gain of monotone functions",
        partial(gini_gain, of_monotone=lambda influence, spread: influence**2 / spread),
        r"\operatorname{Res}_i(f)^2 / (2p_iq_i)",
        {
            "with flip influence": {
                "of_monotone": lambda influence, spread: influence**2 / spread**3
            },
            "divided by p q": {"of_monotone": lambda influence, spread: 2 * influence**2 / spread},
            "the influence itself": {"of_monotone": lambda influence, _: influence},
        },
    )
    every = of_three(range(1, 255), MEASURES[:1])
    for label, impurity in (("as printed, for all functions", "Gini"), ("entropy", "entropy")):
        trial.fails(
            label, partial(same_winners, "functions of 3 variables, uniform", every, (impurity,))
        )
    rare = [(3, 234, p) for p in (MEASURES[0], (3 / 25, 1 / 2, 1 / 2))]
    trial.fails(
        "for monotone functions under all measures",
        partial(same_winners, "measures for one monotone function", rare, ("Gini",)),
    )
