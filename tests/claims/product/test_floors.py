"""Chapter 3, the floors of the score, and the two phases of the cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache, partial

import numpy as np

from claims.kit import PS, Form, Outcome, Trial, claim, outcome
from claims.kit.populations import at_least, ratio
from claims.product.forms import stated
from claims.product.own_variables import Grown, crafted
from claims.product.populations import (
    Floats,
    Run,
    Steps,
    common_bias,
    first_cost,
    guarded_run,
    runs,
    steps,
)
from dtviz import product
from dtviz.core import functions as zoo
from dtviz.core import topdown
from dtviz.core.boolean import BooleanFunction, ProductDistribution, points

__all__ = ["four_parities"]

PAGE = "3-product"
STEPS = "steps of greedy runs"
LOG2_E = math.log2(math.e)


# -- the steps that are tried ----------------------------------------------------------------------


@cache
def _rare_votes() -> tuple[Run, ...]:
    """The runs of ``x_0`` and a majority, ``x_0`` rarely 1: the notes' Delta is close to 1."""
    return tuple(
        guarded_run(zoo.majority(m), rare, f"majority of {m}")
        for m, rare in ((5, 1 / 20), (5, 1 / 100), (7, 1 / 20), (9, 1 / 100))
    )


@cache
def _rare_steps() -> Steps:
    return steps(_rare_votes())


@cache
def _tight() -> tuple[Run, ...]:
    """Runs near the floors, found by search: late in a wasteful run, or for a large average depth.

    A conjunction attains Lemma C.1, with fair values it nearly attains ``err <= Vr``, and with
    rare ones its total influence is nearly Delta D times the largest.
    """
    return (
        common_bias("parity_multiplexer(3, 4)", zoo.parity_multiplexer(3, 4), 1 / 2),
        common_bias("conjunction of 10", zoo.conjunction(10), 15 / 16),
        common_bias("conjunction of 10", zoo.conjunction(10), 1 / 16),
    )


@cache
def _all_runs() -> tuple[Run, ...]:
    return (*runs(), *_tight(), *_rare_votes())


@cache
def _all_steps() -> Steps:
    return steps(_all_runs())


# -- Lemmas 4.4 and 4.5: floors of the score -------------------------------------------------------

Floor = Callable[[Steps], Floats]
Times = Callable[[Steps], "Floats | float"]
"""How many times a floor is claimed, step by step: 1, but in false variants."""


@cache
def _by_error(run: Steps) -> Floats:
    return np.array(
        [
            float(product.score_floor_by_error(float(e), int(j), float(delta)))
            for e, j, delta in zip(run.error, run.step, run.max_delta, strict=True)
        ]
    )


@cache
def _by_cost(run: Steps) -> Floats:
    return np.array(
        [
            float(product.score_floor_by_cost(float(c), int(j), float(delta), int(d)))
            for c, j, delta, d in zip(run.cost, run.step, run.max_delta, run.depth, strict=True)
        ]
    )


@cache
def _by_variation(run: Steps) -> Floats:
    return np.array(
        [
            float(product.score_floor_by_variation(float(v), int(j), float(delta)))
            for v, j, delta in zip(run.variation, run.step, run.delta, strict=True)
        ]
    )


def _by_variation_and_largest(run: Steps) -> Floats:
    return run.variation / ((run.step + 1) * run.max_delta)


def _score_at_least(
    floor: Floor, chosen: Callable[[], Steps] = _all_steps, times: Times = lambda _: 1.0
) -> Outcome:
    """The score that is chosen against a floor of it, at every step."""
    run = chosen()
    floors = times(run) * floor(run)
    tight = floors / run.score
    # V is summed from quotients: its rounding must not break the tie with the score.
    equal = np.isclose(tight, 1, rtol=1e-12)
    return outcome(
        STEPS,
        at_least(run.score, np.where(equal, run.score, floors)),
        tight,
        lambda k: f"score / floor = {1 / tight[k]:.4g} at {run.describe(k)}",
        example=lambda k: run.runs[int(run.run[k])].f,
    )


def _power_of_leaves(power: float) -> Times:
    """What ``(j+1)^power`` for ``j+1`` makes of a floor."""
    return lambda run: np.asarray((run.step + 1) ** (1 - power), dtype=np.float64)


def _by_error_printed(run: Steps) -> Floats:
    return _by_error(run) * run.max_delta / run.delta


def four_parities() -> BooleanFunction:
    """Two majorities of three choose one of four parities of two bits: 14 variables, depth 8.

    The parities come first, then the votes, so that ties go to the parities.
    """
    x = points(14)
    chosen = (x[:, 8:11].sum(axis=1) >= 2) + 2 * (x[:, 11:].sum(axis=1) >= 2)
    blocks = x[:, :8].reshape(-1, 4, 2).sum(axis=2) % 2
    return BooleanFunction(14, blocks[np.arange(len(x)), chosen])


RARE = 2.0**-10


def _rare_parities() -> Outcome:
    """Lemma 4.5 with Delta(f) for ``x_0`` and `four_parities`, the first splits of the run.

    Delta(f) and D(f) are not computed but bounded from above, by the tree that asks ``x_0``, then
    the votes, then the parity they name: that makes the floor smaller, and it fails all the same.
    """
    f = zoo.guarded(four_parities())
    mu = ProductDistribution([RARE] + [1 / 2] * 14)
    path = topdown.build_top_down(f, mu, max_leaves=9)
    votes = 2 * 5 / 2  # a majority of three needs 5/2 questions on average
    delta, depth = 1 + RARE * (votes + 2), 1 + 6 + 2
    floors = [
        product.score_floor_by_cost(float(cost), j, delta, depth)
        for j, cost in enumerate(path.costs[:-1])
    ]
    tight = np.array(floors) / path.scores[:-1]
    return outcome(
        "steps of one run",
        tight < 1,
        tight,
        lambda k: (
            f"score {path.scores[k] / RARE:g} eta, floor {floors[k] / RARE:.4g} eta at step {k} "
            f"for x0 and one of four parities, eta = Pr[x0 = 1] = 1/1024"
        ),
    )


# -- Lemma 4.6: phase 1 ----------------------------------------------------------------------------

Exponent = Callable[[Run | Grown], float]


def _long(run: Run | Grown) -> float:
    """L of the chapter."""
    return run.max_delta * run.depth


def _two_thirds(run: Run | Grown) -> float:
    return 2 / 3 * _long(run)


def _largest_alone(run: Run | Grown) -> float:
    return run.max_delta


def _costs(run: Run | Grown) -> Floats:
    return run.costs if isinstance(run, Grown) else run.path.costs


def _errors(run: Run | Grown) -> Floats:
    return run.errors if isinstance(run, Grown) else run.path.errors


def _end_of_phase_1(exponent: Exponent = _long) -> Outcome:
    """After k steps, epsilon being such that phase 1 has k of them: the cost against ``eps D``.

    That is, ``epsilon D = C_0 (k+1)^(-1/L)`` for every k below the length of a run.
    """
    tight, where = [], []
    found: Iterable[Run | Grown] = (*_all_runs(), *crafted())
    for run in found:
        costs = _costs(run)
        k = np.arange(1, costs.size - 1)
        limit = costs[0] * (k + 1.0) ** (-1 / exponent(run))
        tight.append(costs[1:-1] / limit)
        where += [(run.name, int(j)) for j in k]
    closeness = np.concatenate(tight)
    return outcome(
        "steps at which phase 1 may end",
        closeness <= 1 + 1e-12,
        closeness,
        lambda k: f"cost / (eps D) = {closeness[k]:.4g} after {where[k][1]} steps of {where[k][0]}",
    )


def _cost_shrinks(times: Times = lambda _: 1.0) -> Outcome:
    """``C_{j+1} <= C_j (1 - 1/((j+1) Delta_max D))``."""
    run = _all_steps()
    kept = np.maximum(1 - times(run) / ((run.step + 1) * run.max_delta * run.depth), 0)
    tight = ratio(run.next_cost, run.cost * kept)
    return outcome(
        STEPS,
        run.next_cost <= run.cost * kept * (1 + 1e-12),
        tight,
        lambda k: f"left / allowed = {tight[k]:.4g} at {run.describe(k)}",
        example=lambda k: run.runs[int(run.run[k])].f,
    )


def _first_cost(factor: float = 1 / 2) -> Outcome:
    """``C_0 = Inf(f) <= Delta(f)/2``, as the runs have it."""
    found = runs()
    cost = np.array([run.path.costs[0] for run in found])
    delta = np.array([run.delta for run in found])
    same = [first_cost(run) == start for run, start in zip(found, cost, strict=True)]
    tight = cost / (factor * delta)
    return outcome(
        "greedy runs",
        (tight <= 1) & np.array(same),
        tight,
        lambda k: f"C_0 / bound = {tight[k]:.4g} for {found[k].name}",
        example=lambda k: found[k].f,
    )


# -- Lemma 4.7: phase 2 ----------------------------------------------------------------------------


def _end_of_phase_2(share: float = 1) -> Outcome:
    """``m + 1 < (k+1) e^(Delta_max (D-1))`` if ``C_k <= eps D`` and the run goes on.

    For every m, epsilon just below the error then, and the first such k; where the bound says more
    than ``2^n``. The exponent is ``share`` of what is proved.
    """
    short, where = [], []
    for run in crafted():
        errors, costs = _errors(run), _costs(run)
        exponent = run.max_delta * (run.depth - 1) * LOG2_E
        for m in range(1, errors.size - 1):
            k = int((costs < errors[m] * run.depth * (1 - 1e-9)).argmax())
            if k <= m and math.log2(k + 1) + exponent < run.n:
                short.append(math.log2((m + 1) / (k + 1)) - share * exponent)
                where.append(f"k = {k}, m = {m}, {run.name}")
    off = np.array(short)
    return outcome(
        "steps in phase 2",
        off < 0,
        off,
        lambda k: f"m + 1 is 2^{off[k]:.3g} of the bound: {where[k]}",
    )


def _cost_drops(times: Times = lambda _: 1.0) -> Outcome:
    """``C_k - C_m >= (eps/Delta_max) sum 1/(j+1)`` over the steps between, while the error is more.

    For every m, and k the step before, half as many, or none.
    """
    run = _all_steps()
    last = np.flatnonzero(np.diff(run.run, append=-1))
    tight, where = [], []
    start = 0
    pace = times(run) / ((run.step + 1) * run.max_delta)
    for end in last:
        # Totals from the first step on: differences of them are what happens between two steps.
        costs = np.append(run.cost[start : end + 1], run.next_cost[end])
        sums = np.concatenate([[0.0], np.cumsum(pace[start : end + 1])])
        m = np.arange(1, costs.size)
        for k in (m - 1, m // 2, np.zeros_like(m)):
            least = run.error[start + m - 1] * (sums[m] - sums[k])
            tight.append(least / (costs[k] - costs[m]))
            where += [(int(a), start + int(b) - 1) for a, b in zip(k, m, strict=True)]
        start = int(end) + 1
    closeness = np.concatenate(tight)
    return outcome(
        "pairs of steps of greedy runs",
        closeness <= 1 + 1e-9,
        closeness,
        lambda k: (
            f"drop / floor = {1 / closeness[k]:.4g} from step {where[k][0]} to the end of "
            f"{run.describe(where[k][1])}"
        ),
    )


def _slowest_fall(which: int, share: float = 1) -> Outcome:
    """The slowest fall the floors allow is down when `product.phases` says so.

    Phase 1 (``which`` 0): at ``epsilon D``; 2: at ``epsilon``. With a ``share`` of the leaves.
    """
    ok, tight, names = [], [], []
    for depth in (1, 2, 3):
        for delta in np.linspace(1, depth, 4 if depth > 1 else 1):
            for epsilon in (0.45, 0.3, 0.2, 0.1):
                lengths = product.phases(float(delta), depth, epsilon)
                bits = (lengths.first, lengths.total)[which]
                if bits > 17:
                    continue
                leaves = max(round(share * 2**bits), 1)
                costs = product.worst_case_costs(float(delta), depth, epsilon, leaves - 1)
                limit = epsilon * (depth, 1)[which]
                ok.append(costs[-1] <= limit * (1 + 1e-12))
                tight.append(costs[-1] / limit)
                names.append(f"Delta = {delta:.3g}, D = {depth}, epsilon = {epsilon}")
    return outcome(
        "slowest falls of the cost",
        ok,
        tight,
        lambda k: f"cost / limit = {tight[k]:.4g} for {names[k]}",
    )


@claim(
    "PS-L4.4",
    PS,
    r"The best score is at least $\mathrm{error}/((j+1) D)$, and "
    r"$\mathrm{error}/((j+1) \Delta_{\max})$, where $\Delta_{\max}$ is the largest average "
    r"depth of a restriction of $f$; for the average depth $\Delta(f)$ alone it is at least "
    r"$2 V^2/((j+1) \Delta(f))$, where $V = \sum_v p_v \mathrm{Vr}(f_v)$.",
    PAGE,
    repaired=True,
    note="The notes give no formula; the sizes they claim force this one, with the average "
    r"depth of $f$. A leaf may hold a function of larger average depth.",
)
def test_ps_l4_4(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "with Delta_max",
                partial(_score_at_least, _by_error),
                r"\sigma_j \ge \frac{e_j}{(j+1)\, \Delta_{\max}}",
                false={
                    "1% more": {"times": lambda _: 1.01},
                    "with (j+1)^0.6 for j + 1": {"times": _power_of_leaves(0.6)},
                    "with Delta_max^0.95": {"times": lambda run: run.max_delta**0.05},
                },
            ),
            stated(
                "one floor behind the two, with V",
                partial(_score_at_least, _by_variation_and_largest),
                r"\sigma_j \ge \frac{V_j}{(j+1)\, \Delta_{\max}}",
                false={
                    "1% more": {"times": lambda _: 1.01},
                    "with (j+1)^0.6 for j + 1": {"times": _power_of_leaves(0.6)},
                    "with Delta_max^0.98": {"times": lambda run: run.max_delta**0.02},
                    "with Delta(f) for Delta_max": {"times": lambda run: run.max_delta / run.delta},
                },
            ),
            stated(
                "ours: 2 V^2 / ((j+1) Delta)",
                partial(_score_at_least, _by_variation),
                r"\sigma_j \ge \frac{2\, V_j^2}{(j+1)\, \Delta}",
                false={
                    "1% more": {"times": lambda _: 1.01},
                    "with (j+1)^0.6 for j + 1": {"times": _power_of_leaves(0.6)},
                    "with Delta^0.95": {"times": lambda run: run.delta**0.05},
                    "with V for 2 V^2": {"times": lambda run: 1 / (2 * run.variation)},
                },
            ),
        ),
        (
            Form(
                "as printed, with Delta(f)",
                partial(_score_at_least, _by_error_printed, _rare_steps),
            ),
        ),
    )


@claim(
    "PS-L4.5",
    PS,
    r"The best score is at least $\mathrm{cost}/((j+1) D^2)$, and "
    r"$\mathrm{cost}/((j+1) \Delta_{\max} D)$.",
    PAGE,
    repaired=True,
    note=r"Again the notes' sizes force $\mathrm{cost}/((j+1) \Delta(f) D)$.",
)
def test_ps_l4_5(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "with Delta_max",
                partial(_score_at_least, _by_cost),
                r"\sigma_j \ge \frac{C_j}{(j+1)\, \Delta_{\max} D}",
                false={
                    "1% more": {"times": lambda _: 1.01},
                    "with (j+1)^0.4 for j + 1": {"times": _power_of_leaves(0.4)},
                    "with (Delta_max D)^0.95": {
                        "times": lambda run: (run.max_delta * run.depth) ** 0.05
                    },
                    "without D": {"times": lambda run: run.depth},
                    "without Delta_max": {"times": lambda run: run.max_delta},
                },
            ),
        ),
        (Form("as printed, with Delta(f)", _rare_parities),),
    )


@claim(
    "PS-L4.6",
    PS,
    r"Phase 1: $C_{j+1} \le C_j (1 - \frac{1}{(j+1) \Delta_{\max} D})$ from $C_0 = "
    r"\mathrm{Inf}(f) \le \Delta/2$, so $(C_0/(\varepsilon D))^{\Delta_{\max} D}$ leaves bring "
    r"the cost to $\varepsilon D$.",
    PAGE,
    note=r"With $\Delta_{\max}$, or $D$, where the notes have $\Delta(f)$: see PS-L4.5.",
)
def test_ps_l4_6(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "the cost after k steps, for every k",
                _end_of_phase_1,
                r"k = \bigl\lceil (C_0 / (\varepsilon D))^{L} \bigr\rceil - 1",
                false={
                    "with two thirds of L": {"exponent": _two_thirds},
                    "with Delta_max for L": {"exponent": _largest_alone},
                },
            ),
            stated(
                "at every step",
                _cost_shrinks,
                r"C_{j+1} \le C_j (1 - \frac1{(j+1) L})",
                false={
                    "with (j+1)^0.4 for j + 1": {"times": _power_of_leaves(0.4)},
                    "with L^0.95": {"times": lambda run: (run.max_delta * run.depth) ** 0.05},
                    "with D for L": {"times": lambda run: run.max_delta},
                },
            ),
            stated(
                "the first cost",
                _first_cost,
                r"C_0 = \operatorname{Res}(f) \le \frac12 \Delta(f)",
                false={"0.49 Delta": {"factor": 0.49}},
            ),
            stated(
                "the slowest fall",
                partial(_slowest_fall, 0),
                false={"with half the leaves": {"share": 1 / 2}},
            ),
        )
    )


@claim(
    "PS-L4.7",
    PS,
    r"Phase 2: $C_{j+1} \le C_j - \frac{\varepsilon}{(j+1) \Delta_{\max}}$ while the error "
    r"exceeds $\varepsilon$, so $e^{\Delta_{\max} (D-1)}$ times as many leaves bring the cost "
    r"from $\varepsilon D$ to $\varepsilon$.",
    PAGE,
    note=r"With $\Delta_{\max}$, or $D$, where the notes have $\Delta(f)$: see PS-L4.4.",
)
def test_ps_l4_7(trial: Trial) -> None:
    trial.run(
        (
            stated(
                "where it is below 2^n",
                _end_of_phase_2,
                r"m + 1 < (k+1)\, e^{\Delta_{\max} (D - 1)}",
                false={"a third of the exponent": {"share": 1 / 3}},
            ),
            stated(
                "what the steps between take off",
                _cost_drops,
                r"C_k - C_m \ge \frac{\varepsilon}{\Delta_{\max}} \sum_{j=k}^{m-1} \frac1{j+1}",
                false={
                    "1% more": {"times": lambda _: 1.01},
                    "with (j+1)^0.6 for j + 1": {"times": _power_of_leaves(0.6)},
                    "with Delta(f) for Delta_max": {"times": lambda run: run.max_delta / run.delta},
                },
            ),
            stated(
                "the slowest fall",
                partial(_slowest_fall, 1),
                false={"with half the leaves": {"share": 1 / 2}},
            ),
        )
    )
