"""Chapter 5, growing: how many splits are enough by the square root, and how many are needed."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from claims.growing.cases import vote_runs
from claims.growing.falls import (
    ROUND,
    Floats,
    Rate,
    bound_form,
    cost_form,
    enough,
    error_form,
    fewer,
    iterated_form,
    our_floor,
    package_form,
    printed_enough,
    step_form,
)
from claims.kit import MN, Form, Outcome, Trial, claim, outcome

PAGE = "5-growing"


def _kappa(gamma: Floats) -> Floats:
    kappa: Floats = 1 - np.sqrt(1 - 4 * gamma**2)
    return kappa


def _simple_sqrt(epsilon: Floats, gamma: Floats) -> Floats:
    return np.log(1 / (2 * epsilon)) / (2 * gamma**2)


# -- votes, from below ----------------------------------------------------------------------------


def _levels(power: float = 0.5) -> Outcome:
    """After d complete levels by sqrt the cost is ``(1 - 4 gamma^2)^(d/2) / 2``."""
    gap, words = [], []
    for votes in vote_runs("sqrt"):
        # d levels are complete when the next begins, and there are 2^d leaves.
        done = np.append(np.flatnonzero(np.diff(votes.depths)), 0)
        d = votes.depths[done]
        gap += np.abs(votes.costs[done] - 0.5 * (1 - 4 * votes.gamma**2) ** (power * d)).tolist()
        gap += np.abs(votes.log_leaves[done] - d * math.log(2)).tolist()
        words += 2 * [f"depth {depth}, edge {votes.gamma}" for depth in d]
    return outcome(
        "complete levels of growth on votes",
        np.array(gap) < 1e-9,
        np.round(gap, 9),
        lambda k: f"off by {gap[k]:.3g} at {words[k]}",
    )


VotesFloor = Callable[[Floats, float], Floats]
"""From ln(1/(4 eps)) and gamma: ln of the leaves that are said to be needed."""


def _by_logarithm(need: Floats, gamma: float, factor: float = 1.0) -> Floats:
    return math.log(2) * factor * need / math.log(1 / (1 - 4 * gamma**2))


def _by_square(need: Floats, gamma: float, factor: float = 1.0) -> Floats:
    return math.log(2) * factor * 3 * need / (16 * gamma**2)


def _votes_need(floor: VotesFloor, largest: float = 0.5) -> Outcome:
    """With sqrt on votes, for edges up to the ``largest``: so many leaves, at least."""
    ratios, words = [], []
    for votes in vote_runs("sqrt"):
        small = votes.errors < 0.25
        if votes.gamma > largest:
            continue
        low = floor(np.log(1 / (4 * votes.errors[small])), votes.gamma)
        ratios += (low / votes.log_leaves[small]).tolist()
        words += [f"error {e:.4g}, edge {votes.gamma}" for e in votes.errors[small]]
    return outcome(
        "moments of growth on votes with an error below 1/4",
        np.array(ratios) <= 1 + ROUND,
        ratios,
        lambda k: f"floor / ln(leaves) = {ratios[k]:.4g} at {words[k]}",
    )


def _one_over_gamma_squared(power: float = 2) -> Outcome:
    """``gamma^2 ln t / ln(1/eps)`` at eps = 0.1 stays between 0.1 and 0.13."""
    votes = [v for v in vote_runs("sqrt") if 0.05 <= v.gamma <= 0.2]
    scaled = [v.log_leaves_for(0.1) / math.log(10) * v.gamma**power for v in votes]
    return outcome(
        "edges of votes",
        [0.1 <= s <= 0.13 for s in scaled],
        scaled,
        lambda k: f"gamma^{power:g} ln t / ln(1/eps) = {scaled[k]:.4f} for edge {votes[k].gamma}",
    )


@claim(
    "MN-TS",
    MN,
    r"Square root: $(1/\varepsilon)^{c/\gamma^2}$ splits bring the error to $\varepsilon$. "
    r"Indeed $G_t \le \frac12 (t+1)^{-\kappa}$ with "
    r"$\kappa = 1 - \sqrt{1 - 4\gamma^2} \ge 2\gamma^2$, so "
    r"$(1/2\varepsilon)^{1/(2\gamma^2)}$ splits do. No smaller power of $1/\gamma$ will do.",
    PAGE,
    repaired=True,
    note="The source has c/gamma in the exponent. The abstract of Kearns and Mansour has "
    "c/gamma squared, and calls it optimal for trees.",
)
def test_mn_ts(trial: Trial) -> None:
    trial.run(
        (
            bound_form(
                "the bound on G",
                "sqrt",
                r"G_t\le\tfrac12\,(t+1)^{-\kappa}",
                (
                    ("1.37 kappa", lambda L, g: 0.5 * np.exp(-1.37 * _kappa(g) * L)),
                    ("4 gamma² for kappa", lambda L, g: 0.5 * np.exp(-4 * g**2 * L)),
                    ("gamma for kappa", lambda L, g: 0.5 * np.exp(-g * L)),
                ),
            ),
            step_form(
                "the recurrence",
                "sqrt",
                r"G_{t+1}\le G_t\bigl(1-\frac\kappa{t+1}\bigr)",
                (
                    ("1.001 kappa", our_floor("sqrt", 1.001)),
                    ("t for t + 1", lambda G, t, g: our_floor("sqrt")(G, t - 1, g)),
                    ("4 gamma² for kappa", lambda G, t, g: 4 * g**2 * G / (t + 1)),
                ),
            ),
            package_form(
                "sqrt",
                Rate(
                    lambda G, t, g: G * _kappa(np.array(g)) / (t + 1),
                    lambda L, g: 0.5 * np.exp(-_kappa(g) * L),
                    lambda e, g: np.log(1 / (2 * e)) / _kappa(g),
                ),
            ),
            iterated_form(
                "sqrt", (("1.1 kappa", lambda L, g: 0.5 * np.exp(-1.1 * _kappa(g) * L)),)
            ),
            cost_form(
                "the cost is epsilon at ln(t+1) = ln(1/(2 eps))/kappa",
                "sqrt",
                r"\ln(t+1)\ge\frac1\kappa\ln\frac1{2\varepsilon}",
                (
                    ("1.37 kappa", lambda e, g: np.log(1 / (2 * e)) / (1.37 * _kappa(g))),
                    ("gamma for kappa", lambda e, g: np.log(1 / (2 * e)) / g),
                ),
            ),
            error_form(
                "(1/(2 eps))^(1/(2 gamma²)) splits",
                "sqrt",
                _simple_sqrt,
                r"(1/2\varepsilon)^{1/\kappa}\le(1/2\varepsilon)^{1/(2\gamma^2)}",
                (
                    ("3.6 gamma² for 2 gamma²", fewer(2 / 3.6, _simple_sqrt)),
                    ("2 gamma for 2 gamma²", lambda e, g: g * _simple_sqrt(e, g)),
                ),
            ),
            Form(
                "votes: the cost after d levels",
                _levels,
                r"G=\frac12(1-4\gamma^2)^{d/2}",
                (
                    Form("d for d/2", partial(_levels, 1.0)),
                    Form("0.51 d for d/2", partial(_levels, 0.51)),
                ),
            ),
            Form(
                "votes need ln(1/(4 eps)) / ln(1/(1 - 4 gamma²)) levels",
                partial(_votes_need, _by_logarithm),
                r"\ln(t+1)\ge\ln2\cdot\frac{\ln(1/4\varepsilon)}"
                r"{\ln\bigl(1/(1-4\gamma^2)\bigr)}",
                (
                    Form(
                        "2.1 times as many",
                        partial(_votes_need, partial(_by_logarithm, factor=2.1)),
                    ),
                ),
            ),
            Form(
                "votes need c/gamma², for gamma up to 1/4",
                partial(_votes_need, _by_square, 0.25),
                r"\ln2\cdot\frac{3\ln(1/4\varepsilon)}{16\,\gamma^2}",
                (
                    Form(
                        "2.2 times as many",
                        partial(_votes_need, partial(_by_square, factor=2.2), 0.25),
                    ),
                    Form(
                        "1/gamma³",
                        partial(
                            _votes_need, lambda need, gamma: _by_square(need, gamma) / gamma, 0.25
                        ),
                    ),
                ),
            ),
            Form(
                "votes: gamma² ln t / ln(1/eps) hardly changes",
                _one_over_gamma_squared,
                mutants=(
                    Form("gamma ln t / ln(1/eps)", partial(_one_over_gamma_squared, 1)),
                    Form("gamma³ ln t / ln(1/eps)", partial(_one_over_gamma_squared, 3)),
                ),
            ),
        ),
        (
            Form(
                "as printed, (1/eps)^(c/gamma), c = 1",
                partial(enough, "sqrt", printed_enough("sqrt", 1)),
            ),
            Form("as printed, c = 2", partial(enough, "sqrt", printed_enough("sqrt", 2))),
        ),
    )
