"""Chapter 1, Theorem 3: its bound, and where a run ends; phase 1, while the cost is large."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from claims.influence import populations as world
from claims.influence.populations import GRID, PAGE, Floats, at, floors, log2_ratio, rate_of
from claims.kit import BLT, Outcome, Trial, at_most, claim, equality
from claims.kit.populations import EPSILONS, log2
from dtviz import influence as chapter

NEAR_HALF = 0.4999
FUNCTIONS = "pairs of a function and an epsilon"
HALF_LOG_E = math.log2(math.e) / 2


def exponent(
    size: float, epsilon: float, inside: float = 4, added: float = HALF_LOG_E, twice: float = 1
) -> float:
    """``E (log2(1/eps) + log2(e)/2)``: the theorem allows s to this power."""
    ratio = log2_ratio(size, epsilon) + math.log2(inside / 4)
    return ratio * (twice * math.log2(1 / epsilon) + added)


def bites() -> str:
    """From which s on the bound is below ``2^(s-1)``.

    A tree of s leaves asks for at most s - 1 variables, and greedy growth for no others.
    """
    texts = []
    for epsilon in (NEAR_HALF, 0.25, 0.01):
        size = 2
        while math.log2(size) * exponent(size, epsilon) >= size - 1:
            size += 1
        texts.append(f"s = {size:,} at epsilon {epsilon}")
    return f"it would first say less than 2^(s-1) leaves from {', '.join(texts)}"


@claim(
    "BLT-T3",
    BLT,
    r"For error $\varepsilon \in (0, \frac12)$ the greedy tree has $s^{O(\log(s/\varepsilon) "
    r"\log(1/\varepsilon))}$ leaves; explicitly, at most $s^{E (\log_2(1/\varepsilon) + \frac12 "
    r"\log_2 e)} \le s^{2 E \log_2(1/\varepsilon)}$ with $E = \log_2(4s/\varepsilon)$.",
    PAGE,
    note="At textbook scale the bound says less than the trivial number of leaves. What its "
    "proof uses is tried in the lemmas, and the exponents on the slowest fall that they allow.",
)
def test_the_greedy_tree_is_not_too_large(trial: Trial) -> None:
    grid = [
        (s, e) for s in (*world.SIZES, 1 << 64, 1 << 256, 1 << 1000) for e in (NEAR_HALF, *EPSILONS)
    ]

    def where(k: int) -> str:
        return f"log2 s, epsilon = {math.log2(grid[k][0]):.4g}, {grid[k][1]}"

    def leaves_grown() -> Outcome:
        """In base-2 logarithms. Without any proof, the greedy tree has at most ``2^n`` leaves."""
        made = [(run, epsilon) for run in world.all_runs() for epsilon in EPSILONS]
        left = log2([run.path.n_leaves_for(epsilon) for run, epsilon in made])
        right = [math.log2(run.size) * exponent(run.size, epsilon) for run, epsilon in made]
        return at_most(
            FUNCTIONS,
            left,
            right,
            lambda k: f"{made[k][0].name}, epsilon {made[k][1]}",
            trivial=np.array(right) >= [run.f.n for run, _ in made],
        )

    def slowest(floors: float = 2, factor: float = 1, **how: float) -> Outcome:
        """``floors``: how many epsilon Lemma 5.2 has, and the cost may not exceed in the end."""
        needed = [
            world.slowest_fall(size, epsilon, floors) / math.log2(size) for size, epsilon in grid
        ]
        allowed = [factor * exponent(*pair, **how) for pair in grid]
        return at_most("pairs (s, epsilon)", needed, allowed, where)

    def second(twice: float = 2) -> Outcome:
        """The second exponent is above the first."""
        right = [exponent(*pair, added=0, twice=twice) for pair in grid]
        return at_most("pairs (s, epsilon)", [exponent(*pair) for pair in grid], right, where)

    def constant_1(first: int = 127, epsilon: float = 0.25) -> Outcome:
        """``s^(log2(s/eps) log2(1/eps)) < 2^(s-1)`` just from the ``first`` s on."""
        size = np.arange(2, 1 << 12)
        bits = np.array([math.log2(s) * exponent(s, epsilon, 1, 0) for s in size.tolist()])
        wrong = (bits < size - 1) != (size >= first)
        return equality("sizes s", wrong, lambda k: f"s = {size[k]}")

    formula = (
        r"s^{\,E\left(\log\frac1\varepsilon+\frac12\log e\right)}"
        r"\ \le\ s^{\,2E\log\frac1\varepsilon}"
    )
    trial.holds("leaves grown against the bound", leaves_grown, formula, bites=bites)
    trial.holds(
        "the first exponent: the slowest fall that the lemmas allow",
        slowest,
        formula,
        {
            "0.99 of the exponent": {"factor": 0.99},
            "without half of log2 e": {"added": 0},
            "the floor of the source, epsilon for 2 epsilon": {"floors": 1},
            "log2(s/epsilon) for E": {"inside": 1},
        },
    )
    trial.holds("the second exponent", second, formula, {"1.7 for 2": {"twice": 1.7}})
    trial.holds(
        "epsilon 1/4, constant 1: better than the trivial 2^(s-1) from s = 127 on",
        constant_1,
        "",
        {"from 126 on": {"first": 126}, "from 128 on": {"first": 128}, "0.24": {"epsilon": 0.24}},
    )


@claim(
    "BLT-T3-TERM",
    BLT,
    r"The run stops when the error is at most $\varepsilon$, which $C_j \le 2\varepsilon$ forces.",
    PAGE,
    repaired=True,
    note=r"The source: the run stops when $C_j \le \varepsilon$.",
)
def test_a_small_cost_ends_a_run(trial: Trial) -> None:
    made = [(run, e) for run in world.all_runs() for e in (*EPSILONS, 0.125, 0.375, NEAR_HALF)]

    def name(k: int) -> str:
        return f"{made[k][0].name}, epsilon {made[k][1]}"

    def stops(factor: float = 2, by: str = "costs") -> Outcome:
        """At the last step before a run stops the cost is above 2 epsilon."""
        last = [(run.path.n_leaves_for(epsilon) - 2, run.path, epsilon) for run, epsilon in made]
        rows = [(k, step, path, e) for k, (step, path, e) in enumerate(last) if step >= 0]
        return world.sharp(
            FUNCTIONS,
            [factor * epsilon for *_, epsilon in rows],
            [getattr(path, by)[step] for _, step, path, _ in rows],
            lambda i: name(rows[i][0]),
            least=0.999,
        )

    def printed() -> Outcome:
        """A run stops when its cost is at most epsilon, and not before."""
        cost = [run.path.costs[run.path.n_leaves_for(epsilon) - 1] for run, epsilon in made]
        return at_most(FUNCTIONS, cost, [epsilon for _, epsilon in made], name)

    trial.holds(
        "stops once cost ≤ 2 epsilon",
        stops,
        r"C_j\le2\varepsilon",
        {"2.01 epsilon": {"factor": 2.01}, "the score for the cost": {"by": "scores"}},
    )
    trial.fails("as printed", printed)


@claim(
    "BLT-T3-SIZE",
    BLT,
    r"After $j$ splits the tree has $j + 1$ leaves, so the size is at most $m + 1$.",
    PAGE,
)
def test_one_leaf_per_step(trial: Trial) -> None:
    made = [
        (run, j) for run in world.all_runs()[::4] for j in range(min(run.path.n_splits, 16) + 1)
    ]

    def counted(more: int = 1) -> Outcome:
        gap = [run.path.tree(step + 1).n_leaves - (step + more) for run, step in made]
        return equality("trees of greedy runs", gap, lambda k: f"{made[k][0].name}, {made[k][1]}")

    j = {"j leaves after j splits": {"more": 0}}
    trial.holds("leaves counted", counted, "", j, kind="identity")


# -- phase 1 ---------------------------------------------------------------------------------------


@claim(
    "BLT-T3-P1a",
    BLT,
    r"Phase 1: $C_{j+1} \le C_j (1 - \frac{1}{(j+1)L})$ with $L = \log_2(4s/\varepsilon) \log_2 "
    r"s$, while $C_j \ge \varepsilon \log_2(4s/\varepsilon)$.",
    PAGE,
)
def test_the_cost_falls_by_a_share(trial: Trial) -> None:
    rows = floors()

    def share(
        inside: float = 4, log: Callable[[world.Array], Floats] = log2, more: int = 0
    ) -> Floats:
        ratio = log2(inside * rows.size / rows.epsilon)
        return np.asarray(1 / ((rows.leaves + more) * ratio * log(rows.size)))

    def drop(scale: Callable[[], world.Array | float] = lambda: 1) -> Outcome:
        """What must go, at least, against what goes."""
        least = rows.cost * share() * scale()
        return at_most(world.STEP_AND_EPSILON, least, rows.cost - rows.next_cost, rows.describe)

    def displayed(**how: float) -> Outcome:
        """The slowest fall of the package, step by step, against the display."""
        gap, names = [], []
        for size, epsilon in [(s, e) for s in (2, 3, 8, 64) for e in (0.01, 0.2, 0.4)]:
            costs = chapter.worst_case_costs(size, epsilon, 200)
            lasts = costs[:-1] > epsilon * log2_ratio(size, epsilon)
            j = np.flatnonzero(lasts)
            taken = 1 / (
                (j + 1 + how.get("more", 0)) * rate_of(size, epsilon / how.get("times", 1))
            )
            gap += np.round(costs[j + 1] - costs[j] * (1 - taken), 12).tolist()
            names += [f"s, epsilon, j = {size}, {epsilon}, {step}" for step in j]
        return equality("steps of the slowest fall", gap, names.__getitem__)

    formula = r"C_{j+1}\le C_j\Bigl(1-\frac1{(j+1)L}\Bigr)"
    trial.holds(
        "at every step of phase 1",
        drop,
        formula,
        {
            "3.47 times the share": {"scale": lambda: 3.47},
            "E for L": {"scale": lambda: log2(rows.size)},
            "without the number of leaves": {"scale": lambda: rows.leaves},
            "whatever the cost": {"scale": lambda: share(4 * rows.epsilon / 0.49) / share()},
        },
    )
    variants = {"j + 2 for j + 1": {"more": 1}, "8s for 4s": {"times": 2}}
    trial.holds(
        "the package takes the share displayed", displayed, formula, variants, kind="definition"
    )


@claim(
    "BLT-T3-P1b",
    BLT,
    r"Hence $C_k \le C_0 \prod_{j=1}^{k} (1 - \frac{1}{jL})$ while phase 1 lasts.",
    PAGE,
)
def test_product_of_phase_1(trial: Trial) -> None:
    def of_runs(factor: float = 1, bits: bool = True) -> Outcome:
        """For each k with the largest epsilon for which phase 1 lasts so long."""
        names, left, right = [], [], []
        for run in world.long_runs():
            costs, k = run.path.costs, np.arange(1, run.path.n_splits + 1)
            epsilon = world.largest_epsilon(costs[:-1], run.size)
            rate = log2(4 * run.size / epsilon) * (math.log2(run.size) if bits else 1)
            taken = np.minimum(factor / (k * rate[:, None]), 0.999)
            left.append(costs[1:])
            right.append(costs[0] * np.exp(np.tril(np.log1p(-taken)).sum(axis=1)))
            names += [
                f"{run.name}, k, epsilon = {j}, {e:.4g}" for j, e in zip(k, epsilon, strict=True)
            ]
        return at_most(
            "costs in phase 1", np.concatenate(left), np.concatenate(right), names.__getitem__
        )

    def chained(first: int = 1, strict: float = 1) -> Outcome:
        """Where each step takes just its share, the product from j = 1 is met with equality."""
        left, right, names = [], [], []
        for size, epsilon in [(s, e) for s in (2, 3, 8, 64) for e in (0.01, 0.2, 0.4)]:
            costs = chapter.worst_case_costs(size, epsilon, 200)
            k = int((costs[:-1] > epsilon * log2_ratio(size, epsilon)).sum())
            j = np.arange(first, k + first)
            left += costs[1 : k + 1].tolist()
            right += (costs[0] * np.cumprod(1 - strict / (j * rate_of(size, epsilon)))).tolist()
            names += [f"s, epsilon, k = {size}, {epsilon}, {step}" for step in range(1, k + 1)]
        gap = np.round(np.array(left) - right, 12)
        return equality("steps of the slowest fall", gap, names.__getitem__)

    formula = r"C_k\le C_0\prod_{j=1}^{k}\Bigl(1-\frac1{jL}\Bigr)"
    variants = {"3.47 times the shares": {"factor": 3.47}, "E for L": {"bits": False}}
    trial.holds("greedy runs", of_runs, formula, variants)
    variants = {"from j = 2": {"first": 2}, "1.001 times the shares": {"strict": 1.001}}
    trial.holds("the slowest fall is the product", chained, formula, variants, kind="identity")


@claim(
    "BLT-T3-P1c",
    BLT,
    r"Hence $C_k \le C_0 \exp(-\frac1L \sum_{j=1}^k \frac1j) \le C_0 (k+1)^{-1/L}$, as "
    r"$\sum_{j=1}^{k} \frac1j \ge \ln(k+1) > \ln k$, with the natural logarithm.",
    PAGE,
    repaired=True,
    note=r"The source: $\sum 1/j \approx \log k$. The inequality is what is needed.",
)
def test_product_below_a_power(trial: Trial) -> None:
    def below_harmonic(first: float = 1) -> Outcome:
        """``L H_k/L <= -L ln prod (1 - 1/(jL))``."""
        k = np.array([1, 2, 5, 10, 100, 1000, 10_000])
        j, made, product = np.arange(1.0, k[-1] + 1), [], []
        for place, pair in enumerate(GRID):
            rate = rate_of(*pair)
            product.append(-rate * np.cumsum(np.log1p(-1 / (j * rate)))[k - 1])
            made += [f"{at(place)}, k = {last}" for last in k]
        left = np.tile(first * np.cumsum(1 / j)[k - 1], len(GRID))
        # For the largest L, L log(1 - 1/L) is -1 but for rounding.
        right = np.concatenate(product) * (1 + 1e-8)
        return world.sharp("triples (s, epsilon, k)", left, right, made.__getitem__, least=0.99999)

    def harmonic(log: Callable[[Floats], Floats] = lambda k: np.log(k + 1)) -> Outcome:
        k = np.arange(1.0, 10_001)
        return at_most("numbers k", log(k), np.cumsum(1 / k), lambda i: f"k = {i + 1}")

    trial.holds(
        "the product below the exponential of the sum",
        below_harmonic,
        r"C_k\le C_0\exp\Bigl(-\frac1L\sum_{j=1}^k\frac1j\Bigr)\le C_0\,(k+1)^{-1/L}",
        {"1.001 times the sum": {"first": 1.001}},
    )
    trial.holds(
        "H_k ≥ ln(k+1)",
        harmonic,
        r"\sum_{j=1}^k\frac1j\ge\int_1^{k+1}\frac{dt}t=\ln(k+1)",
        {"ln(k+2)": {"log": lambda k: np.log(k + 2)}, "ln 2k": {"log": lambda k: np.log(2 * k)}},
    )
    trial.fails("as printed, with log read as log2", lambda: harmonic(log2))


@claim(
    "BLT-T3-P1k",
    BLT,
    r"$k = s^{\log_2(4s/\varepsilon) \log_2(1/\varepsilon)}$ steps give "
    r"$C_k \le \varepsilon \log_2(4s/\varepsilon)$.",
    PAGE,
)
def test_phase_1_ends(trial: Trial) -> None:
    def ends(factor: float = 1, inside: float = 4) -> Outcome:
        """After k steps at the slowest rate, from ``log2 s``, the cost is at most eps E."""
        left, right = [], []
        for size, epsilon in GRID:
            e, a = log2_ratio(size, epsilon), 1 / rate_of(size, epsilon)
            bits = factor * chapter.phases(size, epsilon).log2_k * (e + math.log2(inside / 4)) / e
            right.append(epsilon * e)
            if bits < math.log2(world.RUNNABLE):
                fall = float((1 - a / np.arange(1, math.ceil(2**bits) + 1)).prod())
            else:
                # Too long to run: Gamma(k+1-a) / (Gamma(k+1) Gamma(1-a)) is k^-a / Gamma(1-a).
                fall = math.exp(-a * bits * math.log(2) - math.lgamma(1 - a))
            left.append(math.log2(size) * fall)
        return at_most("pairs (s, epsilon)", left, right, at)

    def displayed(inside: float = 4, factor: float = 1) -> Outcome:
        """``log2 k`` of the package against the display."""
        gap = [
            chapter.phases(size, epsilon).log2_k
            / math.log2(size)
            / (math.log2(inside) + math.log2(size) - math.log2(epsilon))
            / math.log2(1 / epsilon)
            - factor
            for size, epsilon in GRID
        ]
        return equality("pairs (s, epsilon)", np.round(gap, 12), at)

    formula = r"k=\bigl\lceil s^{E\log(1/\varepsilon)}\bigr\rceil"
    less = {"0.98 of the exponent": {"factor": 0.98}, "log(s/epsilon) for E": {"inside": 1}}
    trial.holds("the slowest fall", ends, formula, less)
    variants = {"log(s/epsilon) for E": {"inside": 1}, "0.999 of it": {"factor": 0.999}}
    trial.holds(
        "the package's is the one displayed", displayed, formula, variants, kind="definition"
    )


@claim(
    "BLT-LB",
    BLT,
    r"For every $\varepsilon \in (0, \frac12)$ and every $s \le 2^{\tilde O(\sqrt n)}$ some $f$ "
    r"with decision tree size $s$ makes the heuristic build $s^{\tilde\Omega(\log s)}$ leaves.",
    PAGE,
    note=r"The source has $s^{\Omega(\log \tilde s)}$ and leaves out that $s$ is given; it "
    "names no function. LB-A is a construction of our own with these parameters.",
)
def test_lower_bound_of_the_source(trial: Trial) -> None:
    """There is nothing finite to compute."""
