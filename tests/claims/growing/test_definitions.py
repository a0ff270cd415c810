"""Chapter 5, growing: trees over predicates, their errors, and what one split does."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.growing.cases import all_steps, grown_trees, runs
from claims.kit import MN, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import name
from dtviz import growing
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import points
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.core.tree import Tree

PAGE = "5-growing"
TABLES = "tables of counts"
Floats = npt.NDArray[np.float64]


# -- trees, samples, errors -----------------------------------------------------------------------

Examples = Callable[[int, float, float], float]
"""From the number of functions, epsilon and delta: how many examples are said to be enough."""

RARE = 1e-3
"""The weight of the rare point in Occam's worst worlds; the error allowed is just below it."""


@dataclass(frozen=True)
class _OccamWorld:
    """A target, a distribution on the 3-cube, and the goals that are tried there."""

    called: str
    target: int
    weights: Floats
    goals: tuple[tuple[float, float], ...]


def _occam_worlds(leaves: int) -> list[_OccamWorld]:
    """Uniform inputs, and two points, one of them rare: there most bad trees are hardly bad."""
    codes = np.flatnonzero(optimal_all(3).n_leaves <= leaves).tolist()
    goals = ((0.3, 0.2), (0.2, 0.1), (0.1, 0.05))
    found = [_OccamWorld(name(3, c), c, np.full(8, 1 / 8), goals) for c in codes]
    strict = tuple((0.999 * RARE, delta) for delta in (0.1, 1e-6, 1e-12))
    for common, rare in itertools.permutations(range(8), 2):
        weights = np.zeros(8)
        weights[[common, rare]] = 1 - RARE, RARE
        called = f"the constant 0 when point {rare} has weight {RARE:g} and {common} the rest"
        found.append(_OccamWorld(called, 0, weights, strict))
    return found


def _enough_examples(count: int, epsilon: float, delta: float) -> float:
    return (math.log(count) + math.log(1 / delta)) / epsilon


def _occam(leaves: int, examples: Examples = _enough_examples) -> Outcome:
    """The expected number of bad small trees that fit a sample is at most delta."""
    codes = np.flatnonzero(optimal_all(3).n_leaves <= leaves)
    inputs = (codes[:, None] >> np.arange(8)) & 1
    chance, words = [], []
    for world in _occam_worlds(leaves):
        wrong = (inputs != inputs[codes == world.target]) @ world.weights
        for epsilon, delta in world.goals:
            m = math.ceil(examples(codes.size, epsilon, delta))
            chance.append(float(((1 - wrong[wrong > epsilon]) ** m).sum()) / delta)
            words.append(f"{m} examples of {world.called}, epsilon {epsilon:g}, delta {delta:g}")
    return outcome(
        "targets and goals",
        np.array(chance) <= 1,
        chance,
        lambda k: f"bad trees that fit, over delta: {chance[k]:.2g} after {words[k]}",
    )


def _threshold_predicates(beyond: int = 1, constants: int = 2) -> Outcome:
    """A feature with k distinct values in a sample gives ``k + beyond`` different tests x >= alpha.

    So many of them are constant on the sample.
    """
    gap, samples = [], list(itertools.product(range(4), repeat=4))
    for sample in samples:
        values = np.array(sample)
        alphas = np.arange(-1, 10) / 2  # at, between and beyond the values
        tests = {tuple((values >= alpha).tolist()) for alpha in alphas}
        constant = sum(len(set(test)) == 1 for test in tests)
        off = abs(len(tests) - (len(set(sample)) + beyond)) + abs(constant - constants)
        gap.append(off)
    return equality("samples of 4 numbers", gap, lambda k: f"the sample {samples[k]}")


def _tests_of_bits(*, with_constants: bool = True, negated: bool = False) -> Outcome:
    """On bits the tests x_i >= alpha are the variables and the constants."""
    X, gap = points(3), []
    for i in range(3):
        tests = {tuple((X[:, i] >= alpha).tolist()) for alpha in (-0.5, 0, 0.5, 1, 1.5)}
        expected = {tuple((X[:, i] == 1).tolist())}
        if with_constants:
            expected |= {(True,) * 8, (False,) * 8}
        if negated:
            expected.add(tuple((X[:, i] == 0).tolist()))
        gap.append(len(tests ^ expected))
    return equality("variables", gap, lambda k: f"x{k}")


def _walk(tree: Tree, x: npt.NDArray[np.int8]) -> int:
    node = 0
    while tree.variable[node] >= 0:
        node = int(tree.high[node] if x[tree.variable[node]] else tree.low[node])
    return int(np.asarray(tree.value)[node])


def _classification() -> Outcome:
    X, gap, names = points(3), [], []
    for run in runs("gini"):
        tree = run.path.tree()
        answer = tree.predict(X)
        gap += [int(answer[k]) - _walk(tree, x) for k, x in enumerate(X)]
        names += [f"point {k} of the tree of {run.name}" for k in range(8)]
    return equality("points of grown trees", gap, lambda k: names[k])


@cache
def _mistakes() -> list[float]:
    """How often each labelled tree of the runs is wrong, by asking it."""
    X = points(3)
    pairs = zip(grown_trees(), all_steps(), strict=True)
    return [float((tree.predict(X) != run.f.table).mean()) for tree, (run, _) in pairs]


def _tree_error(nodes: str = "leaves", *, weighted: bool = True) -> Outcome:
    """The error of the labelled tree against a sum over its nodes, times Prob[v] or not."""
    gap, cases = [], all_steps()
    for (run, t), direct in zip(cases, _mistakes(), strict=True):
        path = run.path
        mistakes = path.node_error[: 2 * t + 1].copy()
        if not weighted:
            mistakes /= path.node_probability[: 2 * t + 1]
        inner = np.isin(np.arange(2 * t + 1), path.split_node[:t])
        mistakes[{"leaves": inner, "inner nodes": ~inner, "all nodes": inner & False}[nodes]] = 0
        gap.append(float(mistakes.sum() - direct))
    return equality("grown trees", gap, lambda k: f"{cases[k][0].name} after {cases[k][1]} splits")


def _error_of_the_better_label() -> Outcome:
    """The mistakes of either label, counted one by one."""
    cases = [(k, m) for m in (1, 2, 4, 8, 16, 32) for k in range(m + 1)]
    gap = []
    for k, m in cases:
        labels = np.arange(m) < k
        least = min(float((labels != label).mean()) for label in (False, True))
        gap.append(least - COST_FUNCTIONS["error"](k / m))
    return equality("shares k/m", gap, lambda k: f"{cases[k]}")


# -- one split ------------------------------------------------------------------------------------

Mixed = Callable[[Floats, Floats, Floats], Floats]
"""From tau, p and r: the share that the leaf is said to have."""


def _of_zeros(tau: Floats, p: Floats, r: Floats) -> Floats:
    mixed: Floats = tau * p + (1 - tau) * r
    return mixed


def _of_ones(tau: Floats, p: Floats, r: Floats) -> Floats:
    mixed: Floats = (1 - tau) * p + tau * r
    return mixed


def _mixture(mixed: Mixed, tau_is: int) -> Outcome:
    """The share counted against that mixed from tau = Pr[h = tau_is], p and r."""
    counts = np.array(list(itertools.product(range(6), repeat=4)))  # by (h, f): 00, 01, 10, 11
    n00, n01, n10, n11 = counts.T
    both = (n00 + n01 > 0) & (n10 + n11 > 0)
    n00, n01, n10, n11 = counts[both].T
    total = n00 + n01 + n10 + n11
    tau = (n10 + n11 if tau_is else n00 + n01) / total
    gap = (n01 + n11) / total - mixed(tau, n01 / (n00 + n01), n11 / (n10 + n11))
    return equality(TABLES, gap.round(12), lambda k: f"counts {counts[both][k].tolist()} of (h, f)")


FIGURE = (0, 0, 1, 1, 1, 1, 1, 1, 1, 1)
OTHER_LABEL = (0, 0, 0, 1, 1, 1, 1, 1, 1, 1)


def _error_of_the_example(target: tuple[int, ...] = FIGURE, cost: str = "gini") -> Outcome:
    """0.8 -> (0.6, 1): five of ten inputs are settled, and the error stays as it was."""
    predicates = np.repeat([[0], [1]], 5, axis=0)
    path = growing.grow_predicates(predicates, np.array(target), cost=cost)
    before, after = path.errors[0], path.errors[-1]
    settled = float(path.node_probability[1:][path.node_cost[1:] == 0].sum())
    told = [path.n_splits - 1, settled - 0.5, before - min(sum(target), 10 - sum(target)) / 10]
    gap = np.abs([*told, after - before])
    return outcome(
        "numbers of the figure",
        gap < 1e-12,
        gap.round(12),
        lambda _: f"error {before:.3g} before and {after:.3g} after {path.n_splits} split",
        example=lambda _: path,
    )


def _drops_of_the_example(**other: float) -> Outcome:
    """By hand: H(0.8) = log2(5) - 1.6 and H(0.6) = log2(5) - 0.6 log2(3) - 0.4, in bits."""
    entropy_before = (math.log2(5) - 1.6) / 2
    entropy_after = (math.log2(5) - 0.6 * math.log2(3) - 0.4) / 4
    by_hand = {
        "error": 0.0,
        "gini": 0.08,
        "entropy": entropy_before - entropy_after,
        "sqrt": 0.4 - math.sqrt(0.24) / 2,
    } | other
    found = {cost: float(growing.drop(0.5, 0.6, 1.0, cost)) for cost in by_hand}
    gap = np.abs([found[cost] - by_hand[cost] for cost in by_hand])
    return outcome(
        "costs",
        gap < 1e-12,
        gap.round(12),
        lambda _: ", ".join(f"{cost} {abs(x):.6f}" for cost, x in found.items()),
    )


def _occam_mutants(leaves: int) -> tuple[Form, ...]:
    def told(label: str, examples: Examples) -> Form:
        return Form(label, partial(_occam, leaves, examples))

    return (
        told("5 % fewer examples", lambda N, e, d: 0.95 * _enough_examples(N, e, d)),
        told("without ln N", lambda _, e, d: math.log(1 / d) / e),
        told("without ln(1/delta)", lambda N, e, _: math.log(N) / e),
        told("1/sqrt(epsilon) for 1/epsilon", lambda N, e, d: e**0.5 * _enough_examples(N, e, d)),
    )


@claim(
    "MN-OCCAM",
    MN,
    r"A small tree that fits enough random examples is accurate: with "
    r"$m \ge \frac1\varepsilon (\ln N + \ln \frac1\delta)$, $N$ the number of functions with a "
    r"tree of at most $s$ leaves, the expected number of those of error above $\varepsilon$ "
    r"that fit the sample is at most $\delta$.",
    PAGE,
    note="The source says it in a sentence; EH-L4 makes it precise.",
)
def test_mn_occam(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "3 variables, at most 2 leaves",
                partial(_occam, 2),
                r"\frac1\varepsilon(\ln N+\ln\frac1\delta)",
                _occam_mutants(2),
            ),
            Form("3 variables, at most 5 leaves", partial(_occam, 5), mutants=_occam_mutants(5)),
        ),
        (
            Form(
                "trees of up to 8 leaves on the examples that the two constants ask for",
                partial(_occam, 8, lambda _, e, d: _enough_examples(2, e, d)),
            ),
        ),
    )


@claim(
    "MN-H",
    MN,
    r"Predicates are tests $x_i \ge \alpha$. On a sample where $x_i$ takes $k$ values there "
    r"are $k + 1$ different ones, two of them constant; on bits they are the variables.",
    PAGE,
)
def test_mn_h(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "k + 1 tests, two of them constant",
                _threshold_predicates,
                mutants=(
                    Form("k tests", partial(_threshold_predicates, 0)),
                    Form("k + 2 tests", partial(_threshold_predicates, 2)),
                    Form("one of them constant", partial(_threshold_predicates, constants=1)),
                ),
            ),
            Form(
                "on bits: variables and constants",
                _tests_of_bits,
                mutants=(
                    Form("the variables alone", partial(_tests_of_bits, with_constants=False)),
                    Form("and their negations", partial(_tests_of_bits, negated=True)),
                ),
            ),
        )
    )


@claim(
    "MN-F12.1",
    MN,
    r"To classify an input, walk from the root by the answers of the predicates; the label of "
    r"the leaf is the answer.",
    PAGE,
    note="The figure itself is missing from the source.",
)
def test_mn_f12_1(trial: Trial) -> None:
    trial.run((Form("predict is the walk", _classification, kind="definition"),))


@claim(
    "MN-ET",
    MN,
    r"$E(T) = \sum_v \mathrm{Prob}[v] E(v)$, the sum over the leaves $v$ of $T$.",
    PAGE,
    repaired=True,
    note="The source sums over v in T; internal nodes do not count.",
)
def test_mn_et(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "over the leaves",
                _tree_error,
                r"E(T)=\sum_v\mathrm{Prob}[v]\,E(v)",
                (
                    Form("without Prob[v]", partial(_tree_error, weighted=False)),
                    Form("over the inner nodes", partial(_tree_error, "inner nodes")),
                ),
            ),
        ),
        (Form("as printed: over all nodes v of T", partial(_tree_error, "all nodes")),),
    )


@claim(
    "MN-GMIN",
    MN,
    r"The error of a leaf with the better label is $G(q) = \min(q, 1-q)$.",
    PAGE,
)
def test_mn_gmin(trial: Trial) -> None:
    trial.run((Form("by counting", _error_of_the_better_label, r"\min(q,1-q)", kind="identity"),))


@claim(
    "MN-SPLIT-A",
    MN,
    r"If $h = 0$ with probability $\tau'$, then $q = \tau' p + (1 - \tau') r$, with "
    r"$p = \Pr[f = 1 \mid h = 0]$ and $r = \Pr[f = 1 \mid h = 1]$.",
    PAGE,
    note="Between its figure and its next section the source changes the meaning of tau. This "
    "book has tau = Pr[h = 1] throughout.",
)
def test_mn_split_a(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "by counting, tau = Pr[h = 0]",
                partial(_mixture, _of_zeros, 0),
                r"q=\tau p+(1-\tau)r",
                kind="identity",
            ),
        ),
        (Form("with the tau of MN-SPLIT-B", partial(_mixture, _of_zeros, 1)),),
    )


@claim(
    "MN-SPLIT-B",
    MN,
    r"With $\tau = \Pr[h = 1]$: $q = (1 - \tau) p + \tau r$.",
    PAGE,
)
def test_mn_split_b(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "by counting, tau = Pr[h = 1]",
                partial(_mixture, _of_ones, 1),
                r"q=(1-\tau)\,p+\tau\,r",
                kind="identity",
            ),
        ),
        (Form("with the tau of MN-SPLIT-A", partial(_mixture, _of_ones, 0)),),
    )


@claim(
    "MN-F12.3",
    MN,
    r"A leaf with $q = 0.8$ is split evenly into leaves with $p = 0.6$ and $r = 1$: half of "
    r"the inputs are settled, and the error is $0.2$ before and after.",
    PAGE,
)
def test_mn_f12_3(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "ten inputs",
                _error_of_the_example,
                r"\frac12\cdot0.4+\frac12\cdot0=0.2",
                (
                    Form(
                        "with p = 0.4, so that the labels differ",
                        partial(_error_of_the_example, OTHER_LABEL),
                    ),
                    Form(
                        "who watches the error splits, too",
                        partial(_error_of_the_example, cost="error"),
                    ),
                ),
            ),
        )
    )


@claim(
    "MN-EX",
    MN,
    r"In that example the four costs drop by $0$, $0.08$, $0.118226$ and $0.155051$.",
    PAGE,
)
def test_mn_ex(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "by hand",
                _drops_of_the_example,
                mutants=(
                    Form(
                        "the whole entropy: 0.236453",
                        partial(_drops_of_the_example, entropy=0.2364527976),
                    ),
                    Form(
                        "entropy in nats: 0.081948",
                        partial(_drops_of_the_example, entropy=0.1182263988 * math.log(2)),
                    ),
                    Form("q(1-q) for Gini: 0.04", partial(_drops_of_the_example, gini=0.04)),
                    Form("the error falls by 0.1", partial(_drops_of_the_example, error=0.1)),
                ),
            ),
        )
    )


@claim(
    "MN-NPC",
    MN,
    r"To find a tree of least error for its size, or of least size for its error, is NP-hard; "
    r"to decide whether one of given size and error exists is NP-complete.",
    PAGE,
    note="The source says NPC of the problem of minimising; only the decision problem is "
    "NP-complete. It follows from the case of error 0, which the chapter on impurity proves "
    "from set cover: see CU-NPH. No computation shows this.",
)
def test_mn_npc(trial: Trial) -> None:
    """There is nothing finite to compute."""
