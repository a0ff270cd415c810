"""Chapter 3: where influence agrees with the impurity gains of chapter 4, and where not."""

from functools import partial

import numpy as np

from claims.kit import equality
from claims.kit.populations import monotone, name
from claims.product.populations import MEASURES, equal, spread, stated, under
from dtviz.core.boolean import measures
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.cart.criteria import entropy, gini

IMPURITIES = {
    "Gini": lambda m: gini(np.stack([1 - m, m], axis=-1)),
    "entropy": lambda m: entropy(np.stack([1 - m, m], axis=-1)),
    "error": lambda m: np.minimum(m, 1 - m),
}


def gains(case, impurity="Gini"):
    """How much asking for each variable lowers the impurity: of n variables, a code, a measure."""
    n, code, p = case
    x, w, value = np.arange(1 << n), ProductDistribution(p).weights(), IMPURITIES[impurity]
    side = np.array([[x >> i & 1 == b for b in (0, 1)] for i in range(n)])
    chance, ones = side @ w, side @ (w * (code >> x & 1))
    return value(ones.sum(axis=1)) - (chance * value(ones / chance)).sum(axis=1)


def influences(case):
    f = BooleanFunction.from_int(case[0], case[1])
    return measures.resample_influences(f, ProductDistribution(case[2]))


def same_winners(unit, cases, impurities):
    wrong, words = [], []
    for case, impurity in [(case, impurity) for case in cases for impurity in impurities]:
        pair = influences(case), gains(case, impurity)
        sets = [[f"x{i}" for i in np.flatnonzero(v >= v.max() - 1e-12)] for v in pair]
        wrong.append(sets[0] != sets[1])
        texts = f"influence {{{', '.join(sets[0])}}}, {impurity} {{{', '.join(sets[1])}}}"
        words.append(f"{name(*case[:2])}, {under(case[2])}: {texts}")
    return equality(unit, wrong, words.__getitem__)


@stated(
    "PS-EQUIV",
    "For monotone $f$ and uniform bits, influence, Gini gain and entropy gain are largest at "
    "the same variables: the Gini gain is $2 p_i q_i (m_1 - m_0)^2$, for monotone $f$ "
    r"$\mathrm{Res}_i(f)^2 / (2 p_i q_i)$.",
    repaired=True,
    note="The source calls splitting by influence and by entropy or Gini equivalent. The first "
    "formula is tried as OURS-PRODUCT-SPLIT.",
)
def test_equivalent_rules(trial):
    @trial.form(
        "monotone and uniform, up to 4 variables",
        variants={
            "by the error, which is not strictly concave": {"impurities": ("error",)},
            "if x0 is 1 with probability 1/8": {"first": 1 / 8},
        },
    )
    def monotone_and_uniform(impurities=("Gini", "entropy"), first=1 / 2):
        cases = [
            (n, c, (first, *[1 / 2] * (n - 1)))
            for n in (2, 3, 4)
            for c in monotone(n)[1:-1].tolist()
        ]
        return same_winners("monotone functions with an impurity", cases, impurities)

    @trial.form(
        "the Gini gain of monotone functions",
        r"\operatorname{Res}_i(f)^2 / (2p_iq_i)",
        {
            "with flip influence": {"wanted": lambda influence, spread: influence**2 / spread**3},
            "divided by p q": {"wanted": lambda influence, spread: 2 * influence**2 / spread},
        },
    )
    @equal("functions under measures")
    def gain_of_monotone(wanted=lambda influence, spread: influence**2 / spread):
        for case in [(3, code, p) for p in MEASURES for code in monotone(3)[1:-1].tolist()]:
            yield gains(case), wanted(influences(case), spread(case[2])), f"{case}"

    every = [(3, code, MEASURES[0]) for code in range(1, 255)]
    rare = [(3, 234, p) for p in (MEASURES[0], (3 / 25, 1 / 2, 1 / 2))]
    for label, cases, impurity in (
        ("as printed, for all functions", every, "Gini"),
        ("for all functions, entropy", every, "entropy"),
        ("for monotone functions under all measures", rare, "Gini"),
    ):
        trial.fails(label, partial(same_winners, "functions", cases, (impurity,)))
