"""Chapter 5, growing: what weak learning promises, and how many splits that takes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from dtviz import growing
from dtviz.claims.populations import at_least, ratio
from dtviz.claims.registry import Claim, Form, Outcome, outcome
from dtviz.claims.sources import MN
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.growing.claims import printed
from dtviz.growing.claims.cases import LEAVES, SPLITS, all_splits, leaf_sets, vote_runs, weak_runs
from dtviz.growing.votes import VoteGrowth

__all__ = ["CLAIMS"]

PAGE = "5-growing"
STEPS = "steps of runs on majorities"
MOMENTS = "moments of growth on votes"
EPSILONS = (0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001, 0.0001)
ROUND = 1e-9
"""Bounds that are attained may be missed by this fraction, in rounding."""

Floats = npt.NDArray[np.float64]


# -- the drop of a leaf ---------------------------------------------------------------------------


def _leaf_drop(cost: str, factor: float = 1.0) -> Outcome:
    """The drop of every split with an edge, against ``factor`` times its floor."""
    every = all_splits()
    mixed = (every.p != every.r) & (every.q > 0) & (every.q < 1)
    tau, p, r, q = every.tau[mixed], every.p[mixed], every.r[mixed], every.q[mixed]
    gamma = np.abs(growing.edge(tau, p, r))
    floor = factor * growing.leaf_drop_floor(q, np.minimum(gamma, 0.5), cost)
    lost = growing.drop(tau, p, r, cost)
    tight = ratio(floor, lost)
    return outcome(
        f"{SPLITS}, p ≠ r",
        tight <= 1 + ROUND,
        tight,
        lambda k: (
            f"drop / floor = {1 / tight[k]:.4g}, edge {gamma[k]:.4g}, at tau = {tau[k]:g}, "
            f"p = {p[k]:g}, r = {r[k]:g}"
        ),
    )


def _entropy_and_gini() -> Outcome:
    """``q(1-q) >= G / log2(2/G)`` with G half the entropy: what the rate of entropy rests on."""
    q = np.arange(1, 1025) / 2048
    x, G = q * (1 - q), COST_FUNCTIONS["entropy"](q)
    tight = G / (x * np.log2(2 / G))
    return outcome(
        "points of a grid",
        tight <= 1,
        tight,
        lambda k: f"G / (q(1-q) log2(2/G)) = {tight[k]:.4g} at q = {q[k]:g}",
    )


# -- Lemma 12.1 and what follows ------------------------------------------------------------------


def _good_leaf(c: float, leaves: int) -> Outcome:
    """Whether all sets of leaves have one that is heavy and wrong; vectorised over the sets."""
    sets = leaf_sets(leaves)
    total, t = sets.total(sets.errors), leaves - 1
    # How large an error E both thresholds E/(ct) and E/c could stand.
    reach = (c * np.minimum(t * sets.weights, sets.errors)).max(axis=1)
    tight = ratio(total, reach)
    return outcome(
        f"sets of {leaves} leaves with weights and shares in eighths",
        at_least(reach, total),
        tight,
        lambda k: f"error {total[k]:.4g}, good up to {reach[k]:.4g}: {sets.describe(k)}",
    )


CONFIGURATIONS = [(t, e) for t in (1, 2, 5, 20, 1000) for e in (0.1, 0.01, 0.001, 0.0001)]


def _adversary(c: float) -> Outcome:
    """The leaves that come nearest to refuting the lemma, for t splits and an error of epsilon."""
    found = [growing.adversarial_leaves(t, c, e) for t, e in CONFIGURATIONS]
    total = [float(w @ e) / goal for (w, e), (_, goal) in zip(found, CONFIGURATIONS, strict=True)]
    good = [growing.has_good_leaf(w, e, c) for w, e in found]
    return outcome(
        "adversarial sets of leaves",
        good,
        total,
        lambda k: (
            f"error {total[k]:.4f} epsilon with no leaf good for epsilon, after "
            f"{CONFIGURATIONS[k][0]} splits, epsilon = {CONFIGURATIONS[k][1]:g}"
        ),
    )


def _light_leaves(factor: float) -> Outcome:
    """Whether t + 1 leaves of weight eps/(3t) add up to eps/3 when each errs on ``factor``."""
    t = np.arange(1, 101)
    share = factor * (t + 1) / (3 * t)  # over epsilon
    return outcome(
        "numbers of splits",
        share <= 1 / 3 + ROUND,
        share,
        lambda k: f"{share[k]:.4f} epsilon after {t[k]} splits",
    )


def _chain(link: int) -> Outcome:
    """The links from the best leaf's floor to G^3/(8t), for 3 leaves; gamma squared divided out."""
    sets = leaf_sets()
    x, error = sets.shares * (1 - sets.shares), sets.total(sets.errors)
    t, G = 2, sets.total(2 * x)
    chain = [
        (32 * sets.weights * x**2).max(axis=1),
        (8 * sets.weights * sets.errors**2).max(axis=1),
        8 * error / (2 * t) * (error / 2) ** 2,
        G**3 / (8 * t),
    ]
    left, right = chain[link], chain[link + 1]
    tight = ratio(right, left)
    return outcome(
        LEAVES,
        left >= right * (1 - ROUND),
        tight,
        lambda k: f"{left[k]:.4g} ≥ {right[k]:.4g} for {sets.describe(k)}",
    )


def _error_and_gini(*, equal: bool, over_equal_errors: bool = False) -> Outcome:
    """``G/2 <= eps (1 - eps)``, or the equality of the two."""
    sets = leaf_sets()
    error = sets.total(sets.errors)
    half, bound = sets.total(sets.shares * (1 - sets.shares)), error * (1 - error)
    alike = (sets.errors == sets.errors[:, :1]).all(axis=1)
    if over_equal_errors:
        good = (half == bound) == alike
    else:
        good = half == bound if equal else half <= bound
    tight = np.abs(half - bound) if equal else ratio(half, bound)
    return outcome(
        LEAVES,
        good,
        tight,
        lambda k: f"G/2 = {half[k]:.4g}, eps(1-eps) = {bound[k]:.4g}, {sets.describe(k)}",
    )


def _half_gini_below_error() -> Outcome:
    sets = leaf_sets()
    error, half = sets.total(sets.errors), sets.total(sets.shares * (1 - sets.shares))
    tight = ratio(half, error)
    return outcome(
        LEAVES,
        half <= error,
        tight,
        lambda k: f"G/2 = {half[k]:.4g}, eps = {error[k]:.4g}, {sets.describe(k)}",
    )


# -- recurrences, on runs -------------------------------------------------------------------------

Floor = Callable[[Floats, Floats, float], Floats]
"""From the costs, the splits made and the edge: what the next split takes off at least."""


def _steps_keep(floor: Floor, cost: str, first: int) -> Outcome:
    """Every step from ``first`` on takes off at least the floor."""
    ratios, words = [], []
    for run in weak_runs(cost):
        path = run.path
        t = np.arange(first, path.n_splits)
        low = floor(np.clip(path.costs[t], 0, 0.5), t.astype(float), run.gamma)
        ratios += (low / path.scores[t]).tolist()
        words += [f"step {k} of {run.name}, by {cost}" for k in t]
    return outcome(
        STEPS,
        np.array(ratios) <= 1 + ROUND,
        ratios,
        lambda k: f"drop / floor = {1 / ratios[k]:.4g} at {words[k]}",
    )


def _notes_floor(G: Floats, t: Floats, gamma: float) -> Floats:
    return printed.drop_floor(G, t, gamma)


def _our_floor(cost: str) -> Floor:
    return lambda G, t, gamma: growing.tree_drop_floor(G, t + 1, gamma, cost)


def _costs_below(cost: str) -> Outcome:
    """Costs of runs on majorities and on votes, at every moment, against the bound."""
    ratios, words = [], []
    for run in weak_runs(cost):
        L = np.log(np.arange(1, run.path.n_splits + 2))
        ratios += (run.path.costs / growing.cost_bound(L, run.gamma, cost)).tolist()
        words += [f"{t} splits of {run.name}" for t in range(L.size)]
    for votes in vote_runs(cost):
        bound = growing.cost_bound(votes.log_leaves, votes.gamma, cost)
        ratios += (votes.costs / bound).tolist()
        words += [f"ln(leaves) = {L:.4g} of votes of edge {votes.gamma}" for L in votes.log_leaves]
    return outcome(
        "moments of growth on majorities and votes",
        np.array(ratios) <= 1 + ROUND,
        ratios,
        lambda k: f"G / bound = {ratios[k]:.4g} after {words[k]}",
    )


def _iterated(cost: str, power: float) -> Outcome:
    """The slowest fall that a recurrence allows, from 1/2, against its solution."""
    gammas, steps = (0.5, 0.2, 0.05), 2000
    ratios, words = [], []
    for gamma in gammas:
        G = 0.5
        for t in range(1, steps):
            if power == 3:
                solution = (4 + gamma**2 * math.log(t) / 4) ** -0.5
            else:
                solution = float(growing.cost_bound(math.log(t), gamma, cost))
            ratios.append(G / solution)
            words.append(f"{t} steps, gamma {gamma}")
            G -= gamma**2 * G**3 / (8 * t) if power == 3 else _floor_number(G, t, gamma, cost)
    return outcome(
        "moments of the slowest fall",
        np.array(ratios) <= 1 + ROUND,
        ratios,
        lambda k: f"G / solution = {ratios[k]:.4g} after {words[k]}",
    )


def _floor_number(G: float, leaves: int, gamma: float, cost: str) -> float:
    return float(growing.tree_drop_floor(G, leaves, gamma, cost))


# -- the number of splits -------------------------------------------------------------------------

Enough = Callable[[float, float], float]
"""From epsilon and gamma: ln of the number of splits said to be enough."""


def _reached(cost: str) -> list[tuple[float, float, float, str]]:
    """Epsilon, gamma, ln of the leaves that growth took, and the name of the run."""
    found = []
    for run in weak_runs(cost):
        found += [(e, run.gamma, math.log(run.path.n_leaves_for(e)), run.name) for e in EPSILONS]
    for votes in vote_runs(cost):
        called = f"votes of edge {votes.gamma}"
        found += [
            (e, votes.gamma, votes.log_leaves_for(e), called)
            for e in EPSILONS
            if votes.errors[-1] <= e
        ]
    return found


def _enough(cost: str, enough: Enough) -> Outcome:
    cases = _reached(cost)
    allowed = np.array([enough(e, gamma) for e, gamma, _, _ in cases])
    taken = np.array([log_leaves for _, _, log_leaves, _ in cases])
    tight = ratio(taken, np.maximum(allowed, 1e-9))
    return outcome(
        "runs and epsilons",
        taken <= allowed * (1 + ROUND),
        tight,
        lambda k: (
            f"ln t = {taken[k]:.4g}, said to be enough {allowed[k]:.4g}, for epsilon "
            f"{cases[k][0]:g} and {cases[k][3]}"
        ),
    )


def _ours(cost: str) -> Enough:
    return lambda epsilon, gamma: growing.log_leaves_enough(epsilon, gamma, cost)


def _printed(cost: str, c: float) -> Enough:
    return lambda epsilon, gamma: printed.log_leaves(epsilon, gamma, cost, c)


def _simple_gini(epsilon: float, gamma: float) -> float:
    return 1 / (8 * gamma**2 * epsilon)


def _simple_entropy(epsilon: float, gamma: float) -> float:
    return math.log(2 / epsilon) ** 2 / (8 * gamma**2)


def _simple_sqrt(epsilon: float, gamma: float) -> float:
    return math.log(1 / (2 * epsilon)) / (2 * gamma**2)


def _more_for_less(enough: Enough) -> Outcome:
    """A smaller epsilon cannot ask for fewer splits."""
    pairs = list(itertools.pairwise(EPSILONS))
    rise = [enough(b, 0.1) - enough(a, 0.1) for a, b in pairs]
    return outcome(
        "pairs of epsilons",
        np.array(rise) >= 0,
        [-r for r in rise],
        lambda k: f"ln t changes by {rise[k]:.4g} from epsilon {pairs[k][0]} to {pairs[k][1]}",
    )


def _votes_need(runs: tuple[VoteGrowth, ...]) -> Outcome:
    """With sqrt on votes: ``ln(leaves) >= ln 2 ln(1/(4 eps)) / ln(1/(1 - 4 gamma^2))``, by levels.

    Levels are complete before the next begins, so a depth of d means at least ``2^(d-1)`` leaves.
    """
    ratios, words = [], []
    for votes in runs:
        done = np.flatnonzero(np.diff(votes.depths))[1:]
        floor = math.log(2) * np.log(1 / (4 * votes.errors[done]))
        floor /= -2 * math.log(growing.contraction(votes.gamma))
        ratios += (floor / votes.log_leaves[done]).tolist()
        words += [f"depth {d}, edge {votes.gamma}" for d in votes.depths[done]]
    return outcome(
        "complete levels of growth on votes",
        np.array(ratios) <= 1 + ROUND,
        ratios,
        lambda k: f"floor / ln(leaves) = {ratios[k]:.4g} at {words[k]}",
    )


def _one_over_gamma_squared() -> Outcome:
    """``gamma^2 ln t / ln(1/eps)`` at eps = 0.1 stays between 0.1 and 0.13."""
    votes = [v for v in vote_runs("sqrt") if v.gamma <= 0.2]
    scaled = [v.log_leaves_for(0.1) / math.log(10) * v.gamma**2 for v in votes]
    return outcome(
        "edges of votes",
        [0.1 <= s <= 0.13 for s in scaled],
        scaled,
        lambda k: f"gamma^2 ln t / ln(1/eps) = {scaled[k]:.4f} for edge {votes[k].gamma}",
    )


CLAIMS = (
    Claim(
        "MN-DROP16",
        MN,
        r"A predicate of edge $\gamma$ on the balanced leaf lowers the leaf's cost $2q(1-q)$ by at "
        r"least $32 \gamma^2 [q(1-q)]^2$, with equality just when $\tau = \frac12$; half the "
        r"entropy by $\frac{4}{\ln 2} \gamma^2 q(1-q)$; and it leaves at most "
        r"$\sqrt{1 - 4\gamma^2}$ of $\sqrt{q(1-q)}$.",
        PAGE,
        (
            Form("Gini: 32 gamma² [q(1-q)]²", partial(_leaf_drop, "gini")),
            Form("as printed, 16 gamma² [q(1-q)]²", partial(_leaf_drop, "gini", 0.5)),
            Form("entropy: (4/ln 2) gamma² q(1-q)", partial(_leaf_drop, "entropy")),
            Form("sqrt: (1 - sqrt(1 - 4 gamma²)) sqrt(q(1-q))", partial(_leaf_drop, "sqrt")),
        ),
        (Form("Gini: 33 gamma² [q(1-q)]²", partial(_leaf_drop, "gini", 33 / 32)),),
        note="The source has 16, which is the best constant for q(1-q); for its 2q(1-q) it is 32.",
    ),
    Claim(
        "MN-L12.1",
        MN,
        r"After $t \ge 1$ splits, a tree of error $\varepsilon_t$ has a leaf of probability at "
        r"least $\varepsilon_t/(ct)$ and error at least $\varepsilon_t/c$, for each "
        r"$c \ge \frac32$, which is the best constant; the source has $c = 3$.",
        PAGE,
        (
            Form("3 leaves, c = 3/2", partial(_good_leaf, 1.5, 3)),
            Form("2 leaves, c = 3/2", partial(_good_leaf, 1.5, 2)),
            Form("3 leaves, c = 3", partial(_good_leaf, 3, 3)),
            Form("the adversary, c = 3/2", partial(_adversary, 1.5)),
            Form("light leaves err on half at most: eps/3 in all", partial(_light_leaves, 0.5)),
        ),
        (
            Form("c = 1.4", partial(_adversary, 1.4)),
            Form(
                "the printed proof's count: t + 1 light leaves weigh eps/3",
                partial(_light_leaves, 1.0),
            ),
        ),
        note="The statement is right. The printed proof counts t + 1 leaves of weight eps/(3t) as "
        "eps/3, which is too little, and concludes 'at most' where 'less than' is needed.",
    ),
    Claim(
        "MN-CHAIN",
        MN,
        r"With $G = 2q(1-q)$ and Lemma 12.1 at $c = 2$, the best leaf $l$ has "
        r"$\mathrm{Prob}[l]\, 32 \gamma^2 [q(1-q)]^2 \ge "
        r"8 \gamma^2 \mathrm{Prob}[l] \min(q, 1-q)^2 \ge \gamma^2 \varepsilon_t^3 / t "
        r"\ge \gamma^2 G_t^3 / (8t)$.",
        PAGE,
        (
            Form("[q(1-q)]² ≥ min²/4", partial(_chain, 0)),
            Form("the good leaf", partial(_chain, 1)),
            Form("eps ≥ G/2", partial(_chain, 2)),
        ),
        note="The source proves Lemma 12.1 for c = 3 and uses it for c = 2.",
    ),
    Claim(
        "MN-GE",
        MN,
        r"$G_t/2 \le \varepsilon_t (1 - \varepsilon_t) \le \varepsilon_t$ for Gini, with equality "
        r"on the left just when all leaves have the same error.",
        PAGE,
        (
            Form("G/2 ≤ eps(1-eps)", partial(_error_and_gini, equal=False)),
            Form(
                "equality just for equal errors",
                partial(_error_and_gini, equal=True, over_equal_errors=True),
            ),
            Form("G/2 ≤ eps", _half_gini_below_error),
        ),
        (Form("as printed: G/2 = eps(1-eps)", partial(_error_and_gini, equal=True)),),
        repaired=True,
        note="The source has an equality; it is Jensen's inequality.",
    ),
    Claim(
        "MN-REC",
        MN,
        r"$G_{t+1} \le G_t - \frac18 \gamma^2 G_t^3 / t$ for Gini, and hence "
        r"$G_t \le (4 + \frac14 \gamma^2 \ln t)^{-1/2}$. Averaging over the leaves gives more: "
        r"$G_{t+1} \le G_t - 8 \gamma^2 G_t^2 / (t+1)$.",
        PAGE,
        (
            Form("the recurrence, on majorities", partial(_steps_keep, _notes_floor, "gini", 1)),
            Form("its solution", partial(_iterated, "gini", 3)),
            Form("ours, on majorities", partial(_steps_keep, _our_floor("gini"), "gini", 0)),
            Form("our solution", partial(_iterated, "gini", 2)),
        ),
    ),
    Claim(
        "MN-TG",
        MN,
        r"Gini: $2^{c/(\gamma\varepsilon)^2}$ splits bring the error to $\varepsilon$. Indeed "
        r"$G_t \le 1/(2 + 8\gamma^2 \ln(t+1))$, so $e^{1/(8\gamma^2\varepsilon)}$ splits do.",
        PAGE,
        (
            Form("ours: G ≤ 1/(2 + 8 gamma² ln(t+1))", partial(_costs_below, "gini")),
            Form("ours: e^(1/(8 gamma² eps)) splits", partial(_enough, "gini", _simple_gini)),
            Form(
                "the notes: e^(4/(gamma eps)²) splits",
                partial(_enough, "gini", printed.log_leaves_by_recurrence),
            ),
        ),
        (
            Form(
                "with the exponent 1/(100 gamma² eps)",
                partial(_enough, "gini", lambda e, g: _simple_gini(e, g) / 12.5),
            ),
        ),
        note="The bound of the source is right. With eps in place of its square it is ours.",
    ),
    Claim(
        "MN-TE",
        MN,
        r"Entropy: $(1/\varepsilon)^{c \log(1/\varepsilon)/\gamma^2}$ splits bring the error to "
        r"$\varepsilon$. Indeed $G_t \le 2 e^{-\sqrt{4\ln^2 2 + 8\gamma^2\ln(t+1)}}$, so "
        r"$e^{\ln^2(2/\varepsilon)/(8\gamma^2)}$ splits do.",
        PAGE,
        (
            Form("e^(ln²(2/eps)/(8 gamma²)) splits", partial(_enough, "entropy", _simple_entropy)),
            Form("the bound on G", partial(_costs_below, "entropy")),
            Form(
                "the recurrence, on majorities",
                partial(_steps_keep, _our_floor("entropy"), "entropy", 0),
            ),
            Form("its solution", partial(_iterated, "entropy", 0)),
            Form("q(1-q) ≥ G/log2(2/G)", _entropy_and_gini),
            Form("a smaller epsilon takes more", partial(_more_for_less, _simple_entropy)),
        ),
        (
            Form(
                "as printed, 2^((c/gamma²)/log²(1/eps)), c = 1",
                partial(_enough, "entropy", _printed("entropy", 1)),
            ),
            Form("as printed, c = 100", partial(_enough, "entropy", _printed("entropy", 100))),
            Form(
                "as printed: a smaller epsilon takes more",
                partial(_more_for_less, _printed("entropy", 1)),
            ),
        ),
        repaired=True,
        note="In the source the logarithm has slipped into the denominator, so that its bound "
        "falls as epsilon does.",
    ),
    Claim(
        "MN-TS",
        MN,
        r"Square root: $(1/\varepsilon)^{c/\gamma^2}$ splits bring the error to $\varepsilon$. "
        r"Indeed $G_t \le \frac12 (t+1)^{-\kappa}$ with "
        r"$\kappa = 1 - \sqrt{1 - 4\gamma^2} \ge 2\gamma^2$, so "
        r"$(1/2\varepsilon)^{1/(2\gamma^2)}$ splits do. No smaller power of $1/\gamma$ will do.",
        PAGE,
        (
            Form("(1/(2 eps))^(1/(2 gamma²)) splits", partial(_enough, "sqrt", _simple_sqrt)),
            Form("(1/(2 eps))^(1/kappa) splits", partial(_enough, "sqrt", _ours("sqrt"))),
            Form("the bound on G", partial(_costs_below, "sqrt")),
            Form(
                "the recurrence, on majorities",
                partial(_steps_keep, _our_floor("sqrt"), "sqrt", 0),
            ),
            Form("its solution", partial(_iterated, "sqrt", 1)),
            Form("votes need c/gamma²", lambda: _votes_need(vote_runs("sqrt"))),
            Form("votes: gamma² ln t / ln(1/eps) hardly changes", _one_over_gamma_squared),
        ),
        (
            Form(
                "as printed, (1/eps)^(c/gamma), c = 1",
                partial(_enough, "sqrt", _printed("sqrt", 1)),
            ),
            Form("as printed, c = 2", partial(_enough, "sqrt", _printed("sqrt", 2))),
        ),
        repaired=True,
        note="The source has c/gamma in the exponent, Kearns and Mansour c/gamma squared.",
    ),
)
