"""Chapter 5, growing: trees over predicates, what a split does, and the greedy algorithm."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from dtviz import growing
from dtviz.claims.populations import name
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import MN
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import points
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.core.immutable import frozen
from dtviz.core.tree import Tree
from dtviz.growing.claims.cases import Run, runs, weak_runs

__all__ = ["CLAIMS"]

PAGE = "5-growing"
STEPS = "steps of runs on functions of 3 variables"
TABLES = "tables of counts"
Floats = npt.NDArray[np.float64]


# -- trees, samples, errors -----------------------------------------------------------------------


def _occam(leaves: int, allowed: Callable[[int], int]) -> Outcome:
    """The expected number of bad small trees that fit a sample is at most delta.

    ``m`` examples are drawn as Occam's argument asks for ``allowed(leaves)`` leaves; the trees that
    could fit have at most ``leaves``.
    """
    size = optimal_all(3).n_leaves
    codes = np.flatnonzero(size <= leaves)
    wrong = np.bitwise_count((codes[:, None] ^ codes[None, :]).astype(np.uint8)) / 8
    count = int((size <= allowed(leaves)).sum())
    chance, words = [], []
    for epsilon, delta in ((0.3, 0.2), (0.2, 0.1), (0.1, 0.05)):
        m = math.ceil((math.log(count) + math.log(1 / delta)) / epsilon)
        fits = np.where(wrong > epsilon, (1 - wrong) ** m, 0).sum(axis=1)
        chance += (fits / delta).tolist()
        words += [f"{m} examples of {name(3, int(c))}, epsilon {epsilon:g}" for c in codes]
    return outcome(
        "targets and goals",
        np.array(chance) <= 1,
        chance,
        lambda k: f"bad trees that fit, over delta: {chance[k]:.2g} after {words[k]}",
    )


def _threshold_predicates() -> Outcome:
    """A feature with k distinct values in a sample gives k + 1 different tests x >= alpha."""
    gap, samples = [], list(itertools.product(range(4), repeat=4))
    for sample in samples:
        values = np.array(sample)
        alphas = np.arange(-1, 10) / 2  # at, between and beyond the values
        tests = {tuple(values >= alpha) for alpha in alphas}
        gap.append(len(tests) - (len(set(sample)) + 1))
    return equality("samples of 4 numbers", gap, lambda k: f"the sample {samples[k]}")


def _tests_of_bits() -> Outcome:
    """On bits the tests x_i >= alpha are the variables and the constants."""
    X, gap = points(3), []
    for i in range(3):
        tests = {tuple((X[:, i] >= alpha).tolist()) for alpha in (-0.5, 0, 0.5, 1, 1.5)}
        expected = {(True,) * 8, (False,) * 8, tuple((X[:, i] == 1).tolist())}
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


def _all_steps(cost: str = "gini") -> list[tuple[Run, int]]:
    """Every tree of the runs on functions of 3 variables."""
    return [(run, t) for run in runs(cost) for t in range(run.path.n_splits + 1)]


def _tree_error(*, leaves_only: bool) -> Outcome:
    """The error of the labelled tree against the sum of Prob times error, over leaves or nodes."""
    gap, cases = [], _all_steps()
    X = points(3)
    for run, t in cases:
        split = run.path.split_node[:t]
        share = run.path.node_error[: 2 * t + 1].copy()
        if leaves_only:
            share[split] = 0
        direct = (run.path.tree(t + 1).predict(X) != run.f.table).mean()
        gap.append(float(share.sum() - direct))
    return equality("grown trees", gap, lambda k: f"{cases[k][0].name} after {cases[k][1]} splits")


def _error_of_the_better_label() -> Outcome:
    cases = [(k, m) for m in (1, 2, 4, 8, 16, 32) for k in range(m + 1)]
    gap = [min(m - k, k) / m - COST_FUNCTIONS["error"](k / m) for k, m in cases]
    return equality("shares k/m", gap, lambda k: f"{cases[k]}")


# -- one split ------------------------------------------------------------------------------------


def _tables() -> npt.NDArray[np.int64]:
    """Counts of inputs by (h, f): 00, 01, 10, 11; both sides of h have some."""
    counts = np.array(list(itertools.product(range(6), repeat=4)))
    some = (counts[:, 0] + counts[:, 1] > 0) & (counts[:, 2] + counts[:, 3] > 0)
    found: npt.NDArray[np.int64] = counts[some]
    return found


def _mixture(tau_is: int) -> Outcome:
    """Whether ``q = (1-t) p + t r`` with ``t = Pr[h = tau_is]``; in integers."""
    n00, n01, n10, n11 = _tables().T
    zeros, ones = n00 + n01, n10 + n11  # of h
    total = zeros + ones
    tau = ones if tau_is else zeros  # times total
    # q and the mixture, both times total * zeros * ones.
    left = (n01 + n11) * zeros * ones
    right = (total - tau) * n01 * ones + tau * n11 * zeros
    return equality(TABLES, left - right, lambda k: f"counts {_tables()[k].tolist()} of (h, f)")


def _error_of_the_example() -> Outcome:
    """0.8 -> (0.6, 1): ten inputs, five of them settled, and the error stays at 2 of 10."""
    predicates = np.repeat([[0], [1]], 5, axis=0)
    target = np.array([0, 0, 1, 1, 1, 1, 1, 1, 1, 1])
    path = growing.grow_predicates(predicates, target, cost="gini")
    gap = path.errors - 0.2
    sides = (path.node_probability[1:3] - 0.5).tolist()
    shares = [path.node_error[1] - 0.2, path.node_error[2]]
    gap = np.array([*gap, *sides, *shares])
    return outcome(
        "numbers of the figure",
        np.abs(gap) < 1e-12,
        np.abs(gap).round(12),
        lambda _: f"error {path.errors[0]:.3g} before and {path.errors[1]:.3g} after",
    )


def _drops_of_the_example() -> Outcome:
    """By hand: H(0.8) = log2(5) - 1.6 and H(0.6) = log2(5) - 0.6 log2(3) - 0.4, in bits."""
    entropy_before = (math.log2(5) - 1.6) / 2
    entropy_after = (math.log2(5) - 0.6 * math.log2(3) - 0.4) / 4
    by_hand = {
        "error": 0.0,
        "gini": 0.08,
        "entropy": entropy_before - entropy_after,
        "sqrt": 0.4 - math.sqrt(0.24) / 2,
    }
    found = {cost: float(growing.drop(0.5, 0.6, 1.0, cost)) for cost in by_hand}
    gap = np.abs([found[cost] - by_hand[cost] for cost in by_hand])
    return outcome(
        "costs",
        gap < 1e-12,
        gap.round(12),
        lambda _: ", ".join(f"{cost} {abs(x):.6f}" for cost, x in found.items()),
    )


# -- the algorithm --------------------------------------------------------------------------------


def _only_the_leaf_changes() -> Outcome:
    """T(l, h) answers as T does off the leaf l, and by the majority on either side of h in it."""
    gap, names = [], []
    X = points(3)
    for run in runs("gini"):
        for step, split in enumerate(run.path.splits):
            before, after = run.path.tree(step + 1), run.path.tree(step + 2)
            old, new = before.predict(X), after.predict(X)
            here = _regions(run)[split.node]
            expected = old.copy()
            for side in (0, 1):
                part = here & (X[:, split.variable] == side)
                expected[part] = 2 * run.f.table[part].sum() > part.sum()
            gap.append(int((new != expected).sum()))
            names.append(f"{run.name}, step {step}")
    return equality(STEPS, gap, lambda k: names[k])


@cache
def _regions(run: Run) -> npt.NDArray[np.bool_]:
    """Which points reach each node of a path, from the numbering of nodes: ``(nodes, 2^n)``."""
    X = points(run.f.n)
    here = np.ones((2 * run.path.n_splits + 1, len(X)), dtype=bool)
    for step, (node, i) in enumerate(
        zip(run.path.split_node, run.path.split_variable, strict=True)
    ):
        here[2 * step + 1] = here[node] & (X[:, i] == 0)
        here[2 * step + 2] = here[node] & (X[:, i] == 1)
    return frozen(here)


def _tree_level_drop(*, weighted: bool) -> Outcome:
    """``G(T) - G(T(l, h))`` against the drop of the leaf, times Prob[l] or not."""
    gap, names = [], []
    for run in runs("gini"):
        path = run.path
        mass = path.node_probability
        for split in path.splits:
            low, high = 2 * split.step + 1, 2 * split.step + 2
            tau = mass[high] / mass[split.node]
            p, r = (_share(run, child) for child in (low, high))
            local = float(growing.drop(tau, p, r, "gini"))
            fall = path.costs[split.step] - path.costs[split.step + 1]
            gap.append(fall - (mass[split.node] if weighted else 1) * local)
            names.append(f"{run.name}, step {split.step}, Prob[l] = {mass[split.node]:g}")
    return equality(STEPS, gap, lambda k: names[k])


def _share(run: Run, node: int) -> float:
    return float(run.f.table[_regions(run)[node]].mean())


def _best_pairs(cost: str) -> Outcome:
    """At every step the pair chosen has the largest drop of all leaves and variables."""
    gap, names = [], []
    X, G = points(3), COST_FUNCTIONS[cost]
    known: dict[tuple[bytes, int], float] = {}

    def weighed(labels: npt.NDArray[np.int8]) -> float:
        return labels.size / 8 * float(G(labels.mean())) if labels.size else 0.0

    def gain(run: Run, here: npt.NDArray[np.bool_], i: int) -> float:
        key = (np.where(here, run.f.table, 2).tobytes(), i)
        if key not in known:
            low, high = here & (X[:, i] == 0), here & (X[:, i] == 1)
            parts = weighed(run.f.table[low]) + weighed(run.f.table[high])
            known[key] = weighed(run.f.table[here]) - parts
        return known[key]

    for run in runs(cost):
        path = run.path
        for step in range(path.n_splits + 1):
            leaves = set(range(2 * step + 1)) - set(path.split_node[:step].tolist())
            regions = [_regions(run)[leaf] for leaf in leaves]
            best = max(gain(run, here, i) for here in regions for i in range(3))
            gap.append(round(best - path.scores[step], 12))
            names.append(f"{run.name}, step {step}, by {cost}")
    return equality("trees and their next step", gap, lambda k: names[k])


def _sizes(parts: Callable[[Tree], int], expected: Callable[[int], int]) -> Outcome:
    cases = _all_steps()
    gap = [parts(run.path.tree(t + 1)) - expected(t) for run, t in cases]
    return equality("grown trees", gap, lambda k: f"{cases[k][0].name} after {cases[k][1]} splits")


# -- weak learning --------------------------------------------------------------------------------


def _distributions() -> Floats:
    """All distributions on the 3-cube with masses in sixths."""
    chosen = itertools.combinations_with_replacement(range(8), 6)
    return np.array([np.bincount(points_of, minlength=8) for points_of in chosen]) / 6


def _weakly_learnable(table: npt.NDArray[np.int8], gamma: float, what: str) -> Outcome:
    """Some variable agrees with the target with probability 1/2 + gamma, for each distribution."""
    agree = (points(3) == table[:, None]).astype(float)
    best = (_distributions() @ agree).max(axis=1)
    return outcome(
        "distributions on the 3-cube with masses in sixths",
        best >= 0.5 + gamma - 1e-9,
        -best,
        lambda k: (
            f"best agreement {best[k]:.4g} with {what}, masses in sixths "
            f"{np.rint(6 * _distributions()[k]).astype(int).tolist()}"
        ),
    )


def _edges_at_leaves() -> Outcome:
    """At every leaf of a run on a majority, balanced, some variable has edge 1/(2n)."""
    least, names = [], []
    for run in weak_runs("gini"):
        if run.f.n > 5:
            continue
        X = points(run.f.n)
        for node in range(2 * run.path.n_splits + 1):
            here = _regions(run)[node]
            labels = run.f.table[here]
            if labels.min() == labels.max():
                continue
            least.append(float(growing.edges(X[here], labels).max()) / run.gamma)
            names.append(f"node {node} of {run.name}")
    return outcome(
        "mixed nodes of runs on majorities",
        np.array(least) >= 1 - 1e-9,
        -np.array(least),
        lambda k: f"edge {least[k]:.4g} times 1/(2n) at {names[k]}",
    )


MAJORITY = np.array([0, 0, 0, 1, 0, 1, 1, 1], dtype=np.int8)
PARITY = np.array([0, 1, 1, 0, 1, 0, 0, 1], dtype=np.int8)


def _balanced_identity() -> Outcome:
    """``tau (1-tau) (r-p) = 2 edge q (1-q)``, the edge by counting on the balanced leaf."""
    n00, n01, n10, n11 = _tables().T
    mixed = (n00 + n10 > 0) & (n01 + n11 > 0)
    n00, n01, n10, n11 = (n[mixed] for n in (n00, n01, n10, n11))
    total = n00 + n01 + n10 + n11
    tau, p, r = (n10 + n11) / total, n01 / (n00 + n01), n11 / (n10 + n11)
    q = (n01 + n11) / total
    advantage = n00 / (n00 + n10) / 2 + n11 / (n01 + n11) / 2 - 0.5
    gap = np.abs(tau * (1 - tau) * (r - p) - 2 * advantage * q * (1 - q))
    gap = np.maximum(gap, np.abs(growing.edge(tau, p, r) - advantage))
    return outcome(
        TABLES,
        gap < 1e-14,
        gap.round(14),
        lambda k: f"off by {gap[k]:.1g} at counts {_tables()[mixed][k].tolist()} of (h, f)",
    )


def _nodes(tree: Tree) -> int:
    return tree.n_nodes


def _leaves(tree: Tree) -> int:
    return tree.n_leaves


CLAIMS = (
    Claim(
        "MN-OCCAM",
        MN,
        r"A small tree that fits enough random examples is accurate: with "
        r"$m \ge \frac1\varepsilon (\ln N + \ln \frac1\delta)$, $N$ the number of functions with a "
        r"tree of at most $s$ leaves, the expected number of those of error above $\varepsilon$ "
        r"that fit the sample is at most $\delta$.",
        PAGE,
        (
            Form("3 variables, at most 3 leaves", partial(_occam, 3, lambda leaves: leaves)),
            Form("3 variables, at most 5 leaves", partial(_occam, 5, lambda leaves: leaves)),
        ),
        (
            Form(
                "trees of up to 8 leaves on the examples that one leaf asks for",
                partial(_occam, 8, lambda _: 1),
            ),
        ),
        note="The source says it in a sentence; chapter 2 makes it precise.",
    ),
    Claim(
        "MN-H",
        MN,
        r"Predicates are tests $x_i \ge \alpha$. On a sample where $x_i$ takes $k$ values there "
        r"are $k + 1$ different ones, two of them constant; on bits they are the variables.",
        PAGE,
        (
            Form("k + 1 tests", _threshold_predicates),
            Form("on bits: variables and constants", _tests_of_bits),
        ),
    ),
    Claim(
        "MN-F12.1",
        MN,
        r"To classify an input, walk from the root by the answers of the predicates; the label of "
        r"the leaf is the answer.",
        PAGE,
        (Form("predict is the walk", _classification),),
        note="The figure itself is missing from the source.",
    ),
    Claim(
        "MN-ET",
        MN,
        r"$E(T) = \sum_v \mathrm{Prob}[v] E(v)$, the sum over the leaves $v$ of $T$.",
        PAGE,
        (Form("over the leaves", partial(_tree_error, leaves_only=True)),),
        (Form("as printed: over all nodes v of T", partial(_tree_error, leaves_only=False)),),
        repaired=True,
        note="The source sums over v in T; internal nodes do not count.",
    ),
    Claim(
        "MN-GMIN",
        MN,
        r"The error of a leaf with the better label is $G(q) = \min(q, 1-q)$.",
        PAGE,
        (Form("by counting", _error_of_the_better_label),),
    ),
    Claim(
        "MN-SPLIT-A",
        MN,
        r"If $h = 0$ with probability $\tau'$, then $q = \tau' p + (1 - \tau') r$, with "
        r"$p = \Pr[f = 1 \mid h = 0]$ and $r = \Pr[f = 1 \mid h = 1]$.",
        PAGE,
        (Form("q = (1 - tau) p + tau r, tau = Pr[h = 1]", partial(_mixture, 1)),),
        (Form("with tau = Pr[h = 0] in place of Pr[h = 1]", partial(_mixture, 0)),),
        note="Between its figure and its next section the source changes the meaning of tau. This "
        "book has tau = Pr[h = 1] throughout.",
    ),
    Claim(
        "MN-SPLIT-B",
        MN,
        r"With $\tau = \Pr[h = 1]$: $q = (1 - \tau) p + \tau r$.",
        PAGE,
        (Form("by counting", partial(_mixture, 1)),),
        (Form("with the tau of MN-SPLIT-A", partial(_mixture, 0)),),
    ),
    Claim(
        "MN-F12.3",
        MN,
        r"A leaf with $q = 0.8$ is split evenly into leaves with $p = 0.6$ and $r = 1$: half of "
        r"the inputs are settled, and the error is $0.2$ before and after.",
        PAGE,
        (Form("ten inputs", _error_of_the_example),),
    ),
    Claim(
        "MN-EX",
        MN,
        r"In that example the four costs drop by $0$, $0.08$, $0.118226$ and $0.155051$.",
        PAGE,
        (Form("by hand", _drops_of_the_example),),
    ),
    Claim(
        "MN-NPC",
        MN,
        r"To find a tree of least error for its size, or of least size for its error, is NP-hard; "
        r"to decide whether one of given size and error exists is NP-complete.",
        PAGE,
        note="The source says NPC of the problem of minimising; only the decision problem is "
        "NP-complete. Cited, not proved here.",
    ),
    Claim(
        "MN-TLH",
        MN,
        r"$T(l, h)$ is $T$ with leaf $l$ replaced by $h$ and two leaves, labelled by the majority "
        r"of the inputs that arrive; all other leaves stay as they are.",
        PAGE,
        (Form("steps of growth", _only_the_leaf_changes),),
    ),
    Claim(
        "MN-DROP",
        MN,
        r"$G(T) - G(T(l, h)) = \mathrm{Prob}[l]\, (G(q) - [(1 - \tau) G(p) + \tau G(r)])$.",
        PAGE,
        (Form("with the factor Prob[l]", partial(_tree_level_drop, weighted=True)),),
        (Form("as printed: without Prob[l]", partial(_tree_level_drop, weighted=False)),),
        repaired=True,
        note="The source drops the factor here; what it does later has it.",
    ),
    Claim(
        "MN-ALG",
        MN,
        r"In each of $t$ steps take the pair $(l, h)$ with the largest drop of $G(T)$. After $t$ "
        r"steps there are $t$ internal nodes and $t + 1$ leaves.",
        PAGE,
        (
            Form("the largest drop, by Gini", partial(_best_pairs, "gini")),
            Form("the largest drop, by sqrt", partial(_best_pairs, "sqrt")),
            Form("t + 1 leaves", partial(_sizes, _leaves, lambda t: t + 1)),
        ),
        (Form("t nodes in all", partial(_sizes, _nodes, lambda t: t)),),
        note="The 'desired number of nodes' of the source is that of internal nodes.",
    ),
    Claim(
        "MN-WL",
        MN,
        r"Weak learning with edge $\gamma$: for every distribution $D$ some $h \in H$ has "
        r"$\Pr_D[h \ne f] \le \frac12 - \gamma$.",
        PAGE,
        (
            Form(
                "the majority of 3 and its variables, gamma = 1/6",
                partial(_weakly_learnable, MAJORITY, 1 / 6, "the majority of 3"),
            ),
            Form("at balanced leaves: edge ≥ 1/(2n)", _edges_at_leaves),
        ),
        (
            Form(
                "the parity of 3 and its variables",
                partial(_weakly_learnable, PARITY, 1e-6, "the parity of 3"),
            ),
        ),
    ),
    Claim(
        "MN-BALANCE",
        MN,
        r"Give the positive and the negative inputs of a leaf the weight $\frac12$ each. If $h$ "
        r"has edge $\gamma'$ on this distribution, then "
        r"$\tau (1 - \tau)(r - p) = 2 \gamma' q (1 - q)$.",
        PAGE,
        (Form("by counting", _balanced_identity),),
    ),
)
