"""Chapter 3, the floors of the score, and the two phases of the cost."""

import math
from functools import partial

import numpy as np
from numpy.testing import assert_allclose

from claims.product.own_variables import crafted
from claims.product.populations import MORE, STEPS, bound, bounds, runs, stated, steps
from dtviz import product
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean import measures
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution, cube_points
from dtviz.core.boolean_trees import topdown

LOG2_E = math.log2(math.e)


def by_error(run):
    return run.error / run.max_delta


def by_cost(run):
    return run.cost / (run.max_delta * run.depth)


def by_average(run):
    return 2 * run.variation**2 / run.delta


def per_leaf(of, times=1, first=1, power=1):
    """The steps, and at each so many times a part over ``j + 1``; or ``j``, if ``first`` is 0."""
    run = steps()
    factor = times(run) if callable(times) else times
    return run, factor * of(run) / np.maximum(run.step + first, 1.0) ** power


def score_at_least(of, **spoiled):
    run, floor = per_leaf(of, **spoiled)
    return bound(STEPS, floor, run.score, run.describe, example=run.function)


def assert_coded(of, function, *parts):
    """The package's floor is this one."""
    run, floor = per_leaf(of)
    columns = [getattr(run, part).tolist() for part in (parts[0], "step", *parts[1:])]
    found = [getattr(product, function)(*row) for row in zip(*columns, strict=True)]
    assert_allclose(found, floor, rtol=1e-12, atol=1e-13)


TIGHT = MORE | {"with j for j + 1, from the second step on": {"first": 0}}


@stated(
    "OURS-PRODUCT-V",
    r"While the tree does not compute $f$ yet, the best score is at least "
    r"$V/((j+1) \Delta_{\max})$.",
)
def test_floor_by_variation(trial):
    trial.holds(
        "one floor behind the two",
        partial(score_at_least, lambda run: run.variation / run.max_delta),
        r"\sigma_j \ge \frac{V_j}{(j+1)\, \Delta_{\max}}",
        TIGHT
        | {
            "with Delta_max^0.98": {"times": lambda run: run.max_delta**0.02},
            "with Delta(f) for Delta_max": {"times": lambda run: run.max_delta / run.delta},
        },
    )


@stated(
    "OURS-PRODUCT-FLOOR",
    r"For the average depth $\Delta$ of $f$ alone the best score is at least "
    r"$2 V^2 / ((j+1) \Delta)$, and a fair literal attains it: $2$ is the best constant.",
)
def test_floor_by_the_average_depth(trial):
    trial.holds(
        "ours: 2 V^2 / ((j+1) Delta)",
        partial(score_at_least, by_average),
        r"\sigma_j \ge \frac{2\, V_j^2}{(j+1)\, \Delta}",
        TIGHT
        | {
            "with Delta^0.95": {"times": lambda run: run.delta**0.05},
            "with V for 2 V^2": {"times": lambda run: 1 / (2 * run.variation)},
        },
    )
    assert_coded(by_average, "score_floor_by_variation", "variation", "delta")


@stated(
    "PS-L4.4",
    r"The best score $\sigma_j$ is at least $e_j/((j+1) D)$, and $e_j/((j+1) \Delta_{\max})$, "
    r"where $e_j$ is the error and $\Delta_{\max}$ the largest average depth of a restriction; "
    "the average depth of the function alone is not enough.",
    repaired=True,
    note="The notes give no formula; the sizes they claim force this one, with the average "
    r"depth of $f$. A leaf may hold a function of larger average depth.",
)
def test_floor_by_error(trial):
    trial.holds(
        "with Delta_max",
        partial(score_at_least, by_error),
        r"\sigma_j \ge \frac{e_j}{(j+1)\, \Delta_{\max}}",
        TIGHT | {"with Delta_max^0.95": {"times": lambda run: run.max_delta**0.05}},
    )
    assert_coded(by_error, "score_floor_by_error", "error", "max_delta")
    trial.fails(
        "as printed, with Delta(f)",
        partial(score_at_least, by_error, times=lambda run: run.max_delta / run.delta),
    )


def four_parities():
    """Two majorities of three choose one of four parities of two bits: 14 variables, depth 8.

    The parities come first, then the votes, so that ties go to the parities.
    """
    x = cube_points(14)
    chosen = (x[:, 8:11].sum(axis=1) >= 2) + 2 * (x[:, 11:].sum(axis=1) >= 2)
    blocks = x[:, :8].reshape(-1, 4, 2).sum(axis=2) % 2
    return BooleanFunction(14, blocks[np.arange(len(x)), chosen])


def rare_parities():
    """Lemma 4.5 with Delta(f) for ``x_0`` and `four_parities`, the first splits of the run.

    Delta(f) and D(f) are bounded from above, by the tree that asks ``x_0``, then the votes (of 5/2
    questions on average), then the parity they name; a smaller floor, and it fails all the same.
    """
    rare = 2.0**-10
    mu = ProductDistribution([rare] + [1 / 2] * 14)
    path = topdown.build_top_down(zoo.guarded(four_parities()), mu, max_leaves=9)
    delta, depth = 1 + rare * (2 * 5 / 2 + 2), 1 + 6 + 2
    floors = [product.score_floor_by_cost(c, j, delta, depth) for j, c in enumerate(path.costs[:8])]
    return bound(
        "steps of one run",
        floors / np.array(rare),
        path.scores[:8] / rare,
        lambda k: f"floor and score over eta = Pr[x0 = 1], x0 and one of four parities, step {k}",
    )


@stated(
    "PS-L4.5",
    r"The best score $\sigma_j$ is at least $C_j/((j+1) D^2)$, and $C_j/((j+1) \Delta_{\max} "
    "D)$, where $C_j$ is the cost.",
    repaired=True,
    note=r"Again the notes' sizes force $\mathrm{cost}/((j+1) \Delta(f) D)$.",
)
def test_floor_by_cost(trial):
    trial.holds(
        "with Delta_max",
        partial(score_at_least, by_cost),
        r"\sigma_j \ge \frac{C_j}{(j+1)\, \Delta_{\max} D}",
        {"1% more": {"times": 1.01}, "with (j+1)^0.4 for j + 1": {"power": 0.4}},
    )
    assert_coded(by_cost, "score_floor_by_cost", "cost", "max_delta", "depth")
    trial.fails("as printed, with Delta(f)", rare_parities)


@stated(
    "PS-L4.6",
    r"Phase 1: after $j_1 = \lceil (C_0/(\varepsilon D))^L \rceil - 1$ steps, where $L$ is the "
    r"largest average depth of a restriction times the depth, the cost is at most $\varepsilon "
    "D$, if the run goes on so long. $C_0$ is at most half of the average depth.",
    note=r"With $\Delta_{\max}$, or $D$, where the notes have $\Delta(f)$: see PS-L4.5.",
)
def test_phase_1(trial):
    @trial.form(
        "the cost after k steps, for every k",
        r"C_{j_1} \le C_0\, (j_1+1)^{-1/L}",
        {"with two thirds of L": {"share": 2 / 3}, "with Delta_max for L": {"with_depth": False}},
    )
    @bounds("steps at which phase 1 may end")
    def end_of_phase_1(share=1, *, with_depth=True):
        for run in (*runs(), *crafted()):
            power = share * run.max_delta * (run.depth if with_depth else 1)
            for k, cost in enumerate(run.costs[1:-1].tolist(), 1):
                allowed = run.costs[0] * (k + 1.0) ** (-1 / power)
                yield cost, allowed, f"after {k} steps of {run.name}"

    @trial.form("the first cost", r"C_0 = \operatorname{Res}(f) \le \frac12 \Delta(f)", MORE)
    @bounds("greedy runs")
    def first_cost(times=1):
        for run in runs():
            cost = max(measures.resample_influences(run.f, run.mu).sum(), run.costs[0])
            yield times * cost, run.delta / 2, run.name


@stated(
    "PS-L4.7",
    r"Phase 2: $C_{j+1} \le C_j - \frac{\varepsilon}{(j+1) \Delta_{\max}}$ while the error "
    r"exceeds $\varepsilon$, so $e^{\Delta_{\max} (D-1)}$ times as many leaves bring the cost "
    r"from $\varepsilon D$ to $\varepsilon$.",
    note=r"With $\Delta_{\max}$, or $D$, where the notes have $\Delta(f)$: see PS-L4.4.",
)
def test_phase_2(trial):
    @trial.form(
        "where it is below 2^n",
        r"j_2 + 1 < (j_1+1)\, e^{\Delta_{\max} (D - 1)}",
        {"a third of the exponent": {"share": 1 / 3}},
    )
    @bounds("steps in phase 2")
    def end_of_phase_2(share=1):
        """``m + 1 < (k+1) e^(Delta_max (D-1))`` if ``C_k <= eps D`` and the run goes on.

        For every m, epsilon just below the error then, and the first such k; where the bound says
        more than ``2^n``. The exponent is ``share`` of what is proved.
        """
        for run in crafted():
            exponent = run.max_delta * (run.depth - 1) * LOG2_E
            for m in range(1, run.errors.size - 1):
                k = int((run.costs < run.errors[m] * run.depth * (1 - 1e-9)).argmax())
                if k <= m and math.log2(k + 1) + exponent < run.n:
                    allowed = math.log2(k + 1) + share * exponent
                    yield math.log2(m + 1), allowed, f"in bits, k = {k}, m = {m}, {run.name}"

    @trial.form(
        "what a step takes off",
        variants=TIGHT
        | {"with Delta(f) for Delta_max": {"times": lambda run: run.max_delta / run.delta}},
    )
    def drop_of_a_step(**spoiled):
        run, floor = per_leaf(by_error, **spoiled)
        return bound(STEPS, floor.round(14), (run.cost - run.next_cost).round(14), run.describe)
