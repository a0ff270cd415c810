"""Chapter 5, growing: how many splits are enough, by each cost."""

import math

import numpy as np

from claims.growing.falls import assert_package, assert_same, costs_fall, enough, solved, steps_keep
from claims.growing.populations import claim, vote_runs
from claims.kit import equality, outcome

LN2 = math.log(2)


def falls(trial, cost, said, follows, tight, *forms):
    """What is said of each cost: its recurrence, its bound, and how many leaves or splits do."""
    floor, bound, leaves, splits = said
    checks = (
        steps_keep(cost, floor),
        costs_fall(cost, bound),
        enough(cost, leaves, 0.73, of_cost=True),
        enough(cost, splits, tight),
    )
    for check, (label, formula, variants) in zip(checks, forms, strict=True):
        trial.holds(label, check, formula, variants)
    trial.holds("the bound follows from the recurrence", solved(cost, floor, bound), "", follows)
    assert_package(cost, floor, bound, leaves)


def notes_floor(G, t, g, eighth=1 / 8, cube=3):
    return eighth * g**2 * G**cube / t


def notes_bound(L, g, start=4, quarter=1 / 4):
    return (start + quarter * g**2 * L) ** -0.5


def notes_splits(e, g, c=4 / LN2):
    return LN2 * c / (g * e) ** 2


def gini_floor(G, t, g, eight=8, more=1):
    return eight * g**2 * G**2 / np.maximum(t + more, 1)


def gini_bound(L, g, eight=8, power=2):
    return 1 / (2 + eight * g**power * L)


def gini_leaves(e, g, eight=8, two=2):
    return (1 / e - two) / (eight * g**2)


def gini_splits(e, g, eight=8, root=1):
    return 1 / (eight * g**2 * e**root)


@claim(
    "MN-REC",
    r"$G_{t+1} \le G_t - \frac18 \gamma^2 G_t^3 / t$ for Gini and $t \ge 1$, and hence "
    r"$G_t \le (4 + \frac14 \gamma^2 \ln t)^{-1/2}$.",
    note="With 8 in place of 1/8 the recurrence of the notes still holds, since OURS-GROW-GINI "
    "gives it; with anything larger it fails after one split.",
)
def test_recurrence_of_the_notes(trial):
    trial.holds(
        "the recurrence of the notes",
        steps_keep("gini", notes_floor, 1, tight=0.0156),
        r"G_{t+1}\le G_t-\frac18\gamma^2G_t^3/t",
        {"8.01 for 1/8": {"eighth": 8.01}, "G for its cube": {"cube": 1}},
    )
    trial.holds(
        "with 8 for 1/8",
        lambda eight=8: steps_keep("gini", notes_floor, 1)(eighth=eight),
        variants={"8.01": {"eight": 8.01}},
    )
    trial.holds(
        "its solution",
        costs_fall("gini", notes_bound, 0.0079, splits=True),
        r"G_t\le\bigl(4+\frac14\gamma^2\ln t\bigr)^{-1/2}",
        {"46 for 1/4": {"quarter": 46}},
    )
    # 1/4 is twice 1/8.
    assert_same(lambda e, g: notes_bound(e, g) ** -2 - 4, lambda e, g: 2 * notes_floor(1, 1 / e, g))


@claim(
    "MN-TG",
    r"Gini: $2^{c/(\gamma\varepsilon)^2}$ splits bring the error to $\varepsilon$, with "
    r"$c = 4/\ln 2$.",
    note="The bound of the source is right. With eps in place of its square it is "
    "OURS-GROW-GINI. No world tried needs more than 1/600 of this exponent.",
)
def test_gini_by_the_good_leaf(trial):
    trial.holds(
        "e^(4/(gamma eps)²) splits",
        enough("gini", notes_splits, 0.0012),
        r"2^{c/(\gamma\varepsilon)^2}",
        {"c = 1/142": {"c": 1 / 142}},
    )
    # There its bound on G is epsilon.
    assert_same(lambda e, g: notes_bound(notes_splits(e, g), g, start=0), lambda e, _: e)


@claim(
    "OURS-GROW-GINI",
    r"For Gini $G_{t+1} \le G_t - 8 \gamma^2 G_t^2 / (t+1)$, hence "
    r"$G_t \le 1/(2 + 8\gamma^2 \ln(t+1))$, and $e^{1/(8\gamma^2\varepsilon)}$ splits bring the "
    r"error to $\varepsilon$.",
    note="The first two splits can be as bad as this. On the error the best constants are not "
    "known: no world tried needs more than a quarter of the exponent, and for a small epsilon "
    "OURS-GROW-GINI-SMALL grows more slowly than any power of 1/epsilon in the exponent.",
)
def test_gini_by_the_average_leaf(trial):
    falls(
        trial,
        "gini",
        (gini_floor, gini_bound, gini_leaves, gini_splits),
        {"8.8 for 8": {"eight": 8.8}},
        0.228,
        (
            "the recurrence",
            r"G_{t+1}\le G_t-\dfrac{8\gamma^2G_t^2}{t+1}",
            {"8.01 for 8": {"eight": 8.01}, "t for t + 1": {"more": 0}},
        ),
        (
            "the bound on G",
            r"G_t\le\frac1{2+8\gamma^2\ln(t+1)}",
            {"11 for 8": {"eight": 11}, "gamma for its square": {"power": 1}},
        ),
        (
            "the cost is epsilon at ln(t+1) = (1/eps - 2)/(8 gamma²)",
            r"\ln(t+1)\ge\frac1{8\gamma^2}\bigl(\frac1\varepsilon-2\bigr)",
            {"11 for 8": {"eight": 11}, "2.001": {"two": 2.001}},
        ),
        (
            "e^(1/(8 gamma² eps)) splits",
            r"e^{1/(8\gamma^2\varepsilon)}",
            {"36 for 8": {"eight": 36}, "whatever eps": {"root": 0}},
        ),
    )
    assert_same(gini_splits, lambda e, g: gini_leaves(e, g, two=0))


def entropy_floor(G, t, g, four=4, two=2):
    return four * g**2 / LN2 * G / ((t + 1) * np.log2(two / G))


def entropy_bound(L, g, four=4, eight=8, root=0.5):
    return 2 * np.exp(-((four * LN2**2 + eight * g**2 * L) ** root))


def entropy_leaves(e, g, eight=8, four=4):
    return (np.log(2 / e) ** 2 - math.log(four) ** 2) / (eight * g**2)


def entropy_splits(e, g, eight=8, square=2):
    return np.log(2 / e) ** square / (eight * g**2)


def printed_entropy(e, g, c=1):
    return LN2 * c / g**2 / np.log2(1 / e) ** 2


@claim(
    "MN-TE",
    r"Entropy: $(1/\varepsilon)^{c \log_2(1/\varepsilon)/\gamma^2}$ splits bring the error to "
    r"$\varepsilon$. Indeed $G_t \le 2 e^{-\sqrt{4\ln^2 2 + 8\gamma^2\ln(t+1)}}$, so "
    r"$e^{\ln^2(2/\varepsilon)/(8\gamma^2)}$ splits do.",
    repaired=True,
    note="In the source the logarithm has slipped into the denominator, so that its bound "
    "falls as epsilon does. On the error the best constant is not known: no world tried needs "
    "more than 0.3 of the exponent.",
)
def test_entropy(trial):
    falls(
        trial,
        "entropy",
        (entropy_floor, entropy_bound, entropy_leaves, entropy_splits),
        {"8.8 for 8": {"eight": 8.8}},
        0.272,
        (
            "the recurrence",
            r"G_{t+1}\le G_t-\frac{4\gamma^2}{\ln2}\cdot\frac{G_t}{(t+1)\log_2(2/G_t)}",
            {"4.004 for 4": {"four": 4.004}, "log2(1/G) for log2(2/G)": {"two": 1}},
        ),
        (
            "the bound on G",
            r"G_t\le2\exp\Bigl(-\sqrt{4\ln^22+8\gamma^2\ln(t+1)}\Bigr)",
            {"11 for 8": {"eight": 11}, "4.001": {"four": 4.001}, "without the root": {"root": 1}},
        ),
        (
            "the cost is epsilon at ln(t+1) = (ln²(2/eps) - ln² 4)/(8 gamma²)",
            r"\ln(t+1)\ge\frac1{8\gamma^2}\bigl(\ln^2\frac2\varepsilon-\ln^24\bigr)",
            {"11 for 8": {"eight": 11}, "ln² 4.01 for ln² 4": {"four": 4.01}},
        ),
        (
            "e^(ln²(2/eps)/(8 gamma²)) splits",
            r"e^{\ln^2(2/\varepsilon)/(8\gamma^2)}",
            {"30 for 8": {"eight": 30}, "ln for its square": {"square": 1}},
        ),
    )
    assert_same(entropy_splits, lambda e, g: entropy_leaves(e, g, four=1))

    @trial.form("a smaller epsilon takes more", variants={"as printed": {"said": printed_entropy}})
    def more_for_less(said=entropy_splits):
        e = np.array([0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001, 0.0001])
        fewer = np.diff(said(e, 0.1)) < 0
        return equality(
            "pairs of epsilons", fewer, lambda k: f"epsilon from {e[k]:g} to {e[k + 1]:g}"
        )

    printed = enough("entropy", printed_entropy, 1)
    trial.fails("as printed, 2^((c/gamma²)/log²(1/eps)), c = 1", printed)
    trial.fails("as printed, c = 100", lambda: printed(c=100))


def kappa(g):
    return 1 - np.sqrt(1 - 4 * np.square(g))


def sqrt_floor(G, t, g, factor=1, more=1):
    return factor * kappa(g) * G / np.maximum(t + more, 1)


def sqrt_bound(L, g, factor=1, exponent=kappa):
    return 0.5 * np.exp(-factor * exponent(g) * L)


def sqrt_leaves(e, g, factor=1):
    return np.log(1 / (2 * e)) / (factor * kappa(g))


def sqrt_splits(e, g, two=2, power=2):
    return np.log(1 / (2 * e)) / (two * g**power)


def printed_sqrt(e, g, c=1):
    return np.log(1 / e) * c / g


@claim(
    "MN-TS",
    r"Square root: polynomially many splits in $1/\varepsilon$ bring the error to $\varepsilon$. "
    r"Indeed $G_t \le \frac12 (t+1)^{-\kappa}$ with $\kappa = 1 - \sqrt{1 - 4\gamma^2} \ge "
    r"2\gamma^2$, so $(1/2\varepsilon)^{1/(2\gamma^2)}$ splits do. No smaller power of "
    r"$1/\gamma$ will do.",
    repaired=True,
    note="The source has c/gamma in the exponent. The abstract of Kearns and Mansour has "
    "c/gamma squared, and calls it optimal for trees. That no tree needs less is OURS-GROW-LOWER.",
)
def test_square_root(trial):
    falls(
        trial,
        "sqrt",
        (sqrt_floor, sqrt_bound, sqrt_leaves, sqrt_splits),
        {"1.1 kappa": {"factor": 1.1}},
        0.568,
        (
            "the recurrence",
            r"G_{t+1}\le G_t\bigl(1-\frac\kappa{t+1}\bigr)",
            {"1.001 kappa": {"factor": 1.001}, "t for t + 1": {"more": 0}},
        ),
        (
            "the bound on G",
            r"G_t\le\tfrac12\,(t+1)^{-\kappa}",
            {
                "1.37 kappa": {"factor": 1.37},
                "4 gamma² for kappa": {"exponent": lambda g: 4 * g**2},
            },
        ),
        (
            "the cost is epsilon at ln(t+1) = ln(1/(2 eps))/kappa",
            r"\ln(t+1)\ge\frac1\kappa\ln\frac1{2\varepsilon}",
            {"1.37 kappa": {"factor": 1.37}},
        ),
        (
            "(1/(2 eps))^(1/(2 gamma²)) splits",
            r"(1/2\varepsilon)^{1/\kappa}\le(1/2\varepsilon)^{1/(2\gamma^2)}",
            {"3.6 gamma² for 2 gamma²": {"two": 3.6}, "2 gamma for 2 gamma²": {"power": 1}},
        ),
    )
    # For a small gamma kappa is 2 gamma².
    assert_same(sqrt_splits, sqrt_leaves, [1e-4])

    @trial.form(
        "votes: gamma² ln t / ln(1/eps) hardly changes",
        variants={"gamma for its square": {"power": 1}, "gamma³": {"power": 3}},
    )
    def hardly_changes(power=2):
        """``gamma^2 ln t / ln(1/eps)`` at eps = 0.1 stays between 0.1 and 0.13."""
        votes = [v for v in vote_runs("sqrt") if 0.05 <= v.gamma <= 0.2]
        scaled = [v.log_leaves_for(0.1) / math.log(10) * v.gamma**power for v in votes]
        within = [0.1 <= s <= 0.13 for s in scaled]
        return outcome(
            "edges of votes", within, scaled, lambda k: f"{scaled[k]:.4f} for edge {votes[k].gamma}"
        )

    printed = enough("sqrt", printed_sqrt, 1)
    trial.fails("as printed, (1/eps)^(c/gamma), c = 1", printed)
    trial.fails("as printed, c = 2", lambda: printed(c=2))
