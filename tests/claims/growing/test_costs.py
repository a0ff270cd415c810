"""Chapter 5, growing: what a cost function must be like, the four, and what is wrong with one."""

import itertools
import math
import statistics
from functools import partial

import numpy as np

from claims.growing.populations import LEAVES, SPLITS, all_splits, bounded, claim, leaf_sets, same
from claims.kit import equality, holds, outcome
from dtviz import growing
from dtviz.core.cart.criteria import COST_FUNCTIONS
from dtviz.core.tolerances import CLOSE

POINTS = "costs and points of a grid"
GRID = np.arange(1025) / 1024
ORDER = ("error", "gini", "entropy", "sqrt")
STRICT = ORDER[1:]


def at_point(costs, q):
    """Names a cost and a point of a grid."""
    return lambda k: f"{costs[k // q.size]} at q = {q[k % q.size]:g}"


def bends(costs=ORDER, most=0, power=1, sign=1):
    """Second differences of (2G)^power / 2, times the squared number of steps, are ``most``."""
    value = np.stack([(2 * COST_FUNCTIONS[cost](GRID)) ** power / 2 for cost in costs])
    bend = sign * np.diff(value, 2).ravel() * 1024**2
    where = at_point(costs, GRID[1:-1])
    return outcome(POINTS, bend <= most, bend, lambda k: f"bends by {bend[k]:.4g}, {where(k)}")


def drops(costs=STRICT, *, equal=False):
    s = all_splits(equal=equal)
    lost = np.stack([growing.drop(s.tau, s.p, s.r, cost) for cost in costs]).ravel()
    return outcome(
        f"costs and {SPLITS}",
        lost > CLOSE,
        -lost,
        lambda k: f"drop {lost[k]:.4g} of {costs[k // s.q.size]}, {s.where(k % s.q.size)}",
    )


def tree_above_error(cost, factor=1, *, weighted=True):
    sets = leaf_sets()
    leaves = factor * np.asarray(COST_FUNCTIONS[cost](sets.shares))
    total = sets.total(leaves) if weighted else leaves.mean(axis=1)
    return bounded(LEAVES, sets.total(sets.errors), total, sets.where, tight=1)


@claim("MN-CRIT1", r"A cost is symmetric: $G(q) = G(1 - q)$.")
def test_symmetric(trial):
    @trial.form(
        "the four costs",
        "G(q)=G(1-q)",
        {
            "G(q) = G(|1/2 - q|)": {"mirror": lambda q: np.abs(0.5 - q)},
            "G(q) = G(1 - q^1.001)": {"mirror": lambda q: 1 - q**1.001},
        },
    )
    def symmetric(mirror=lambda q: 1 - q):
        gap = [COST_FUNCTIONS[cost](GRID) - COST_FUNCTIONS[cost](mirror(GRID)) for cost in ORDER]
        return equality(POINTS, gap, at_point(ORDER, GRID))


@claim(
    "MN-CRIT2",
    r"A cost is concave; then, by Jensen's inequality, no split raises the cost of the tree.",
    repaired=True,
    note="The source says convex. All four costs are concave.",
)
def test_concave(trial):
    trial.holds(
        "second differences ≤ 0",
        bends,
        variants={"2G to the power 1.01, halved": {"power": 1.01}, "≤ -1": {"most": -1}},
    )

    @trial.form(
        "no chord lies above the graph",
        r"G(q)\ge(1-\tau)\,G(p)+\tau\,G(r)",
        {"τ and 1 - τ exchanged": {"exchanged": True}},
    )
    def chords(*, exchanged=False):
        s = all_splits()
        tau = 1 - s.tau if exchanged else s.tau
        chord = [(1 - tau) * G(s.p) + tau * G(s.r) for G in map(COST_FUNCTIONS.get, ORDER)]
        graph = [COST_FUNCTIONS[cost](s.q) for cost in ORDER]
        where = lambda k: f"{ORDER[k // s.q.size]}, {s.where(k % s.q.size)}"  # noqa: E731
        return bounded(f"costs and {SPLITS}", chord, graph, where)

    trial.fails("as printed: convex", lambda: bends(sign=-1))


@claim(
    "MN-STRICT",
    r"A split with $p \ne r$ lowers the cost because $G$ is strictly concave.",
    repaired=True,
    note="The source says strictly convex.",
)
def test_strictly_concave(trial):
    trial.holds(
        "Gini, entropy and sqrt",
        drops,
        r"G(q)>(1-\tau)\,G(p)+\tau\,G(r)",
        {
            "for p = r, too": {"equal": True},
            "for the error, concave but not strictly": {"costs": ("error",)},
        },
    )

    @trial.form(
        "all strictly concave functions on eighths",
        variants={"concave": {"strictly": False}, "for p = r": {"apart": False}},
    )
    def strictly_concave_drops(*, strictly=True, apart=True):
        """All symmetric functions of this shape on eighths, with rises up to 7/16."""
        chosen = itertools.combinations if strictly else itertools.combinations_with_replacement
        rises = np.array(list(chosen(range(7, 0 if strictly else -1, -1), 4)))
        half = np.pad(rises.cumsum(axis=1), ((0, 0), (1, 0))) / 16
        values = np.hstack([half, half[:, 3::-1]])
        lost, words = [], []
        for p, q, r in itertools.combinations_with_replacement(range(9), 3):
            if p < q < r or (p == q == r and not apart):
                tau = (q - p) / max(r - p, 1)
                lost.append(values[:, q] - (1 - tau) * values[:, p] - tau * values[:, r])
                words.append(f"between {p}/8 and {r}/8 at {q}/8")
        drop = np.concatenate(lost)

        def describe(k):
            where, which = divmod(k, len(values))
            return f"drop {drop[k]:.4g} {words[where]}, values {half[which].tolist()}"

        return outcome("functions on eighths and their chords", drop > CLOSE, -drop, describe)

    trial.fails("as printed: strictly convex", lambda: bends(STRICT, sign=-1))
    trial.fails("the error, concave but not strictly", lambda: drops(("error",)))


@claim(
    "MN-GX",
    r"If $G$ is concave with $G(0) \ge 0$ and $G(\frac12) \ge \frac12$, then $G(q) \ge q$ on "
    r"$[0, \frac12]$.",
    repaired=True,
    note="The source concludes it from symmetry and convexity alone. Kearns and Mansour call "
    "a symmetric concave G with G(0) = 0 and G(1/2) = 1 permissible.",
)
def test_above_the_error(trial):
    @trial.form(
        "all such functions on eighths",
        r"G(q)\ge q",
        {"G(0) free": {"start": False}, "G(1/2) free": {"middle": False}},
    )
    def above_error_by_shape(bend="concave", *, start=True, middle=True, slope=1):
        """All values in eighths, from -1/8 on, at 0, 1/8, .., 1/2 of this shape are at least x."""
        values = np.array(list(itertools.product(range(-1, 7), repeat=5))) / 8
        # Symmetric about 1/2: the value at 5/8 is that at 3/8.
        bends = np.diff(np.hstack([values, values[:, 3:4]]), 2)
        shaped = (values[:, 0] >= 0) | (not start)
        if bend:
            shaped &= (bends <= 0 if bend == "concave" else bends >= 0).all(axis=1)
        shaped &= (values[:, 4] >= 0.5) | (not middle)
        chosen = values[shaped]
        below = (slope * np.arange(5) / 8 - chosen).max(axis=1)
        return outcome(
            "functions on eighths",
            below <= 0,
            below,
            lambda k: f"values {chosen[k].tolist()} at 0, 1/8, .., 1/2: below x by {below[k]:g}",
        )

    @trial.form("the four costs", variants={"G(x) ≥ 1.001 x": {"slope": 1.001}})
    def above_error(slope=1):
        error = slope * np.minimum(GRID, 1 - GRID)
        costs = [COST_FUNCTIONS[cost](GRID) for cost in ORDER]
        return bounded(POINTS, error, costs, at_point(ORDER, GRID), tight=1)

    trial.fails(
        "as printed: symmetric and convex",
        lambda: above_error_by_shape("convex", start=False, middle=False),
    )


@claim(
    "MN-GTERR",
    r"Under the corrected criteria $G(T) \ge \mathrm{error}(T)$: it is enough to make $G(T)$ "
    r"small.",
)
def test_tree_above_its_error(trial):
    for cost in STRICT:
        trial.holds(
            f"G = {cost}",
            partial(tree_above_error, cost),
            r"\mathrm{error}(T)\le G(T)",
            {"0.999 G": {"factor": 0.999}, "leaves not weighed": {"weighted": False}},
        )
    trial.fails("G = q(1-q)", lambda: tree_above_error("gini", 0.5))


@same("points of a grid")
def is_formula(cost, formula):
    for q in (np.arange(65) / 64).tolist():
        yield COST_FUNCTIONS[cost](q) - formula(q), f"q = {q:g}"


def half_surprise(q, base=2):
    return sum(s * math.log(1 / s, base) for s in (q, 1 - q) if s) / 2


def chance_of_two_labels(q, draws=64):
    """Two draws from 64 labels, 64 q of them 1: how often they differ, of ``draws`` second ones."""
    ones = round(64 * q)
    labels = [1] * ones + [0] * (64 - ones)
    return sum(a != b for a in labels for b in labels) / (64 * draws)


@claim(
    "MN-GINI",
    "CART's cost is the Gini index $G(q) = 2q(1-q)$: the probability that two inputs of the "
    "leaf, drawn with replacement, have different labels.",
    note="The source writes Ginn.",
)
def test_gini(trial):
    trial.holds(
        "by counting pairs",
        lambda **spoiled: is_formula("gini", partial(chance_of_two_labels, **spoiled)),
        "G(q)=2q(1-q)",
        {
            "drawn without replacement": {"draws": 63},
            "the first label 1, the second 0": {"draws": 128},
        },
    )
    trial.fails("4q(1-q)", lambda: is_formula("gini", lambda q: 4 * q * (1 - q)))


@claim(
    "MN-ENT",
    r"C4.5's cost is $G(q) = \frac12 (q \log_2 \frac1q + (1-q) \log_2 \frac1{1-q})$: half the "
    r"entropy, in bits.",
)
def test_entropy(trial):
    trial.holds(
        "half the expected surprise",
        lambda: is_formula("entropy", half_surprise),
        r"H_2(q)=q\log_2\frac1q+(1-q)\log_2\frac1{1-q}",
        kind="definition",
    )
    trial.fails(
        "with ln for log2", lambda: is_formula("entropy", partial(half_surprise, base=math.e))
    )


@claim("MN-SQRT", r"The new cost is $G(q) = \sqrt{q(1-q)}$, the geometric mean of the shares.")
def test_square_root(trial):
    trial.holds(
        "the geometric mean",
        lambda: is_formula(
            "sqrt", lambda q: statistics.geometric_mean([q, 1 - q]) if 0 < q < 1 else 0
        ),
        r"G(q)=\sqrt{q(1-q)}",
        kind="definition",
    )


@claim("MN-F12.4", r"$\min(q, 1-q) \le 2q(1-q) \le \frac12 H_2(q) \le \sqrt{q(1-q)}$.")
@holds(
    "in this order",
    r"\min(q,1-q)\le2q(1-q)\le\tfrac12H_2(q)\le\sqrt{q(1-q)}",
    {
        "error above Gini": {"order": ("gini", "error", "entropy", "sqrt")},
        "entropy ≤ half of (4q(1-q))^0.73": {"last": 0.73},
    },
    fails={"Gini above entropy": {"order": ("error", "entropy", "gini", "sqrt")}},
)
def test_order_of_the_four(order=ORDER, last=None):
    """Neighbors in the order; with ``last`` the greatest is half of 4q(1-q) to this power."""
    values = np.stack([COST_FUNCTIONS[cost](GRID) for cost in order])
    if last is not None:
        values[-1] = (4 * GRID * (1 - GRID)) ** last / 2
    unit = "neighbors in the order, points of a grid"
    return bounded(unit, values[:-1], values[1:], at_point(order, GRID), tight=1)


@claim(
    "OURS-GROW-ENTROPY",
    r"$H_2(q) \le x \log_2 \frac4x \le 2\sqrt x$ for $x = q(1-q)$.",
    note="Both are equalities at q = 1/2, and the first is nearly one for rare labels.",
)
@holds(
    "H ≤ x log2(4/x) ≤ 2 sqrt(x)",
    r"H_2(q)\le x\log_2\frac4x\le2\sqrt x",
    {"3.99 for 4": {"bits": 3.99}, "1.99 for 2": {"root": 1.99}},
)
def test_entropy_below_a_function_of_x(bits=4, root=2):
    """``H(q) <= x log2(4/x) <= 2 sqrt(x)`` for x = q(1-q): the two inequalities in one table."""
    q = np.append(2.0 ** -np.arange(13, 40), np.arange(1, 2049) / 4096)
    x = q * (1 - q)
    middle = x * np.log2(bits / x)
    entropy = -q * np.log2(q) - (1 - q) * np.log1p(-q) / math.log(2)
    return bounded(
        "points of a grid, twice",
        [entropy, middle],
        [middle, root * np.sqrt(x)],
        at_point(("the first", "the second"), q),
        tight=1,
    )


@claim(
    "MN-LIN",
    r"With $G = \min(q, 1-q)$ the drop is 0 if and only if $p$ and $r$ lie on the same side of "
    r"$\frac12$ (or on it); otherwise it is $2 \min((1-\tau)|p - \frac12|, \tau |r - "
    r"\frac12|)$.",
    repaired=True,
    note="The source says that min behaves linearly and therefore a split does not reduce the "
    "error; min is linear on either side of 1/2 only.",
)
@holds(
    "the drop, exactly",
    r"2\min\bigl((1-\tau)\,|p-\tfrac12|,\;\tau\,|r-\tfrac12|\bigr)",
    {"the larger term": {"of": np.maximum}, "without the factor 2": {"two": 1}},
    fails={"as printed: no split lowers the error": {"two": 0}},
)
def test_drop_of_the_error(of=np.minimum, two=2, *, exchanged=False):
    s = all_splits()
    tau = 1 - s.tau if exchanged else s.tau
    shown = two * of((1 - tau) * np.abs(s.p - 0.5), tau * np.abs(s.r - 0.5))
    alike = (s.p - 0.5) * (s.r - 0.5) >= 0
    expected = np.where(alike, 0, shown)
    return equality(SPLITS, growing.drop(s.tau, s.p, s.r, "error") - expected, s.where)
