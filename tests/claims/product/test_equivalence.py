"""Chapter 3: where influence agrees with the impurity gains of chapter 4, and where not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from claims.influence.monotone import monotone
from claims.kit import PS, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import name
from claims.product.forms import stated
from claims.product.populations import MEASURES, under
from dtviz.core import measures
from dtviz.core.boolean import BooleanFunction, ProductDistribution
from dtviz.core.costs import entropy, gini

PAGE = "3-product"
Floats = npt.NDArray[np.float64]


def _halves(code: int, n: int, p: tuple[float, ...]) -> Floats:
    """``Pr[f = 1 | x_i = b]``, an ``(n, 2)`` array."""
    x = np.arange(1 << n)
    w = ProductDistribution(p).weights()
    ones = w * ((code >> x) & 1)
    bit = [[(x >> i) & 1 == b for b in (0, 1)] for i in range(n)]
    return np.array([[ones[side].sum() / w[side].sum() for side in both] for both in bit])


IMPURITIES: dict[str, Callable[[Floats], npt.ArrayLike]] = {
    "Gini": lambda m: gini(np.stack([1 - m, m], axis=-1)),
    "entropy": lambda m: entropy(np.stack([1 - m, m], axis=-1)),
    "error": lambda m: np.minimum(m, 1 - m),
}


def _gains(code: int, n: int, p: tuple[float, ...], impurity: str) -> Floats:
    """How much asking for each variable lowers the impurity of f's value."""

    def value(m: Floats) -> Floats:
        return np.asarray(IMPURITIES[impurity](m))

    biases, halves = np.array(p), _halves(code, n, p)
    chance = np.stack([1 - biases, biases], axis=1)
    mean = (chance * halves).sum(axis=1)
    gain: Floats = value(mean) - (chance * value(halves)).sum(axis=1)
    return gain


def _same_winners(code: int, n: int, p: tuple[float, ...], impurity: str) -> tuple[bool, str]:
    """Whether influence and a gain are largest at the same variables, and how it came out."""
    f = BooleanFunction.from_int(n, code)
    influence = measures.resample_influences(f, ProductDistribution(p))
    gain = _gains(code, n, p, impurity)
    if influence.max() == 0:
        return True, name(n, code)
    sets = [set(np.flatnonzero(v >= v.max() - 1e-12).tolist()) for v in (influence, gain)]
    told = [f"{{{', '.join(f'x{i}' for i in sorted(s))}}}" for s in sets]
    words = f"influence chooses {told[0]}, {impurity} {told[1]} for {name(n, code)}, {under(p)}"
    return sets[0] == sets[1], words


def _monotone_and_uniform(
    impurities: tuple[str, ...] = ("Gini", "entropy"), biases: tuple[float, ...] = (1 / 2,) * 4
) -> Outcome:
    """All monotone functions of 2 to 4 variables."""
    codes = [(n, int(code)) for n in (2, 3, 4) for code in monotone(n).code.tolist()]
    cases = [
        _same_winners(code, n, biases[:n], impurity) for n, code in codes for impurity in impurities
    ]
    return outcome(
        "monotone functions with an impurity",
        [same for same, _ in cases],
        [not same for same, _ in cases],
        lambda k: "the same variables in every case" if cases[k][0] else cases[k][1],
        example=lambda k: BooleanFunction.from_int(*codes[k // len(impurities)]),
    )


def _gain_in_closed_form() -> Outcome:
    """Gini gain ``2 p_i (1-p_i) (E f_1 - E f_0)^2``, on every third function of 3 variables."""
    gap, names = [], []
    for p in MEASURES:
        q = np.array(p)
        for code in range(0, 256, 3):
            low, high = _halves(code, 3, p).T
            off = _gains(code, 3, p, "Gini") - 2 * q * (1 - q) * (high - low) ** 2
            gap.append(float(np.abs(off).max()))
            names.append(f"{name(3, code)}, {under(p)}")
    off = np.where(np.array(gap) < 1e-12, 0.0, gap)
    return equality("functions under measures", off, names.__getitem__)


def _square(influence: Floats, spread: Floats) -> Floats:
    return influence**2 / spread


def _square_of_flips(influence: Floats, spread: Floats) -> Floats:
    return (influence / spread) ** 2 / spread


def _twice_the_square(influence: Floats, spread: Floats) -> Floats:
    return 2 * influence**2 / spread


def _influence_itself(influence: Floats, _: Floats) -> Floats:
    return influence


def _gain_of_monotone(said: Callable[[Floats, Floats], Floats] = _square) -> Outcome:
    """Gini gain ``Inf_i^2/(2 p_i (1-p_i))`` for all monotone functions of 3 variables."""
    gap, names = [], []
    for p in MEASURES:
        mu = ProductDistribution(p)
        for code in monotone(3).code.tolist():
            influence = measures.resample_influences(BooleanFunction.from_int(3, code), mu)
            off = _gains(code, 3, p, "Gini") - said(influence, 2 * mu.p * (1 - mu.p))
            gap.append(float(np.abs(off).max()))
            names.append(f"{name(3, code)}, {under(p)}")
    off = np.where(np.array(gap) < 1e-12, 0.0, gap)
    return equality("monotone functions under measures", off, names.__getitem__)


def _for_all_functions(impurity: str) -> Outcome:
    """All functions of 3 variables under the uniform distribution."""
    cases = [_same_winners(code, 3, (1 / 2,) * 3, impurity) for code in range(1, 255)]
    wrong = [not same for same, _ in cases]
    return outcome(
        "functions of 3 variables, uniform", np.logical_not(wrong), wrong, lambda k: cases[k][1]
    )


def _for_all_measures() -> Outcome:
    """The monotone function ``x_0 or (x_1 and x_2)`` under p = (3/25, 1/2, 1/2), and uniform."""
    cases = [_same_winners(234, 3, p, "Gini") for p in ((1 / 2,) * 3, (3 / 25, 1 / 2, 1 / 2))]
    return outcome(
        "measures for one monotone function",
        [same for same, _ in cases],
        [not same for same, _ in cases],
        lambda k: cases[k][1],
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
def test_ps_equiv(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "monotone and uniform, up to 4 variables",
                _monotone_and_uniform,
                false={
                    "by the error, which is not strictly concave": {
                        "impurities": ("error", "error")
                    },
                    "if x0 is 1 with probability 1/8": {"biases": (1 / 8, 1 / 2, 1 / 2, 1 / 2)},
                },
            ),
            stated(
                "the Gini gain in closed form",
                _gain_in_closed_form,
                r"2 p_i q_i (m_1 - m_0)^2",
                kind="identity",
            ),
            stated(
                "the Gini gain of monotone functions",
                _gain_of_monotone,
                r"\operatorname{Res}_i(f)^2 / (2p_iq_i)",
                false={
                    "with flip influence": {"said": _square_of_flips},
                    "divided by p q": {"said": _twice_the_square},
                    "the influence itself": {"said": _influence_itself},
                },
            ),
        ),
        (
            Form("as printed, for all functions", partial(_for_all_functions, "Gini")),
            Form("for all functions, entropy", partial(_for_all_functions, "entropy")),
            Form("for monotone functions under all measures", _for_all_measures),
        ),
    )
