"""Chapter 5, growing: the greedy algorithm, weak learning and the balanced leaf."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.growing.cases import (
    Run,
    all_steps,
    deep_runs,
    grown_trees,
    runs,
    weak_runs,
)
from claims.kit import MN, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import ratio
from dtviz import growing
from dtviz.core import functions as zoo
from dtviz.core.boolean import points
from dtviz.core.costs import COST_FUNCTIONS
from dtviz.core.growth import GrowthPath
from dtviz.core.immutable import frozen
from dtviz.core.tree import Tree

PAGE = "5-growing"
STEPS = "steps of runs on functions of 3 variables"
TABLES = "tables of counts"
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


# -- one step -------------------------------------------------------------------------------------


@cache
def _regions(run: Run) -> Bools:
    """Which points reach each node of a path, from the numbering of nodes: ``(nodes, 2^n)``."""
    X = points(run.f.n)
    here = np.ones((2 * run.path.n_splits + 1, len(X)), dtype=bool)
    for step, (node, i) in enumerate(
        zip(run.path.split_node, run.path.split_variable, strict=True)
    ):
        here[2 * step + 1] = here[node] & (X[:, i] == 0)
        here[2 * step + 2] = here[node] & (X[:, i] == 1)
    return frozen(here)


def _only_the_leaf_changes() -> Outcome:
    """T(l, h) answers as T does off the leaf l, and by the majority on either side of h in it."""
    gap, names = [], []
    X = points(3)
    answers = iter([tree.predict(X) for tree in grown_trees()])
    for run in runs("gini"):
        new = next(answers)
        for step, split in enumerate(run.path.splits):
            old, new = new, next(answers)
            here = _regions(run)[split.node]
            expected = old.copy()
            for side in (0, 1):
                part = here & (X[:, split.variable] == side)
                expected[part] = 2 * run.f.table[part].sum() > part.sum()
            gap.append(int((new != expected).sum()))
            names.append(f"{run.name}, step {step}")
    return equality(STEPS, gap, lambda k: names[k])


LeafDrop = Callable[[float, float, float, float, str], float]
"""From Prob[l], tau, p, r and a cost: what a split is said to take off the cost of the tree."""


def _weighted(mass: float, tau: float, p: float, r: float, cost: str) -> float:
    return mass * float(growing.drop(tau, p, r, cost))


def _unweighted(mass: float, tau: float, p: float, r: float, cost: str) -> float:
    return _weighted(1.0, tau, p, r, cost) + 0 * mass


def _exchanged(mass: float, tau: float, p: float, r: float, cost: str) -> float:
    G = COST_FUNCTIONS[cost]
    return mass * float(G((1 - tau) * p + tau * r) - (tau * G(p) + (1 - tau) * G(r)))


def _tree_level_drop(cost: str, told: LeafDrop = _weighted) -> Outcome:
    """``G(T) - G(T(l, h))`` against what the leaf says, for biased bits; shares by counting."""
    gap, names = [], []
    for run in runs(cost, biased=True):
        path, here = run.path, _regions(run)
        mass = here @ run.weights
        share = here @ (run.weights * run.f.table) / mass
        for step, node in enumerate(path.split_node):
            low, high = 2 * step + 1, 2 * step + 2
            tau = mass[high] / mass[node]
            fall = path.costs[step] - path.costs[step + 1]
            gap.append(fall - told(mass[node], tau, share[low], share[high], cost))
            names.append(f"{run.name}, step {step}, Prob[l] = {mass[node]:g}")
    return equality(STEPS, np.round(gap, 12), lambda k: names[k])


# -- the algorithm --------------------------------------------------------------------------------


def _drops_of_nodes(run: Run, cost: str) -> Floats:
    """What each variable takes off the cost of the tree, asked at each node; from the masses."""
    G, X, here = COST_FUNCTIONS[cost], points(run.f.n), _regions(run)

    def parts(masses: Floats) -> Floats:
        whole = np.broadcast_to(masses.sum(axis=1, keepdims=True), (len(masses), run.f.n))
        return np.stack([masses @ (X == 0), masses @ (X == 1), whole])

    mass = parts(here * run.weights)
    ones = parts(here * (run.weights * run.f.table))
    low, high, whole = mass * G(np.clip(ratio(ones, mass), 0, 1))
    lost: Floats = whole - low - high
    return lost


def _places(path: GrowthPath) -> list[tuple[int, int]]:
    """The depth of each node and its place from the left in its level."""
    found = [(0, 0)] * (2 * path.n_splits + 1)
    for step, node in enumerate(path.split_node):
        depth, place = found[node]
        for side in (0, 1):
            found[2 * step + 1 + side] = (depth + 1, 2 * place + side)
    return found


Pairs = dict[tuple[int, int], float]
"""The drop of every pair of a leaf and a variable."""


@cache
def _ranked(some: tuple[Run, ...], merit: str, *, weighted: bool = True) -> tuple[list[Pairs], ...]:
    """Of each run, before each step and at the end: what the pairs take off the cost ``merit``.

    Not ``weighted``: off the cost of the leaf, without Prob[l].
    """
    found = []
    for run in some:
        lost = _drops_of_nodes(run, merit)
        if not weighted:
            lost /= (_regions(run) @ run.weights)[:, None]
        leaves = [
            {(node, i): drop for i, drop in enumerate(row)}
            for node, row in enumerate(lost.tolist())
        ]
        known = leaves[0]
        steps = [known]
        for step, node in enumerate(run.path.split_node):
            known = {pair: lost for pair, lost in known.items() if pair[0] != node}
            known |= leaves[2 * step + 1] | leaves[2 * step + 2]
            steps.append(known)
        found.append(steps)
    return tuple(found)


def _best_pairs(cost: str, merit: str = "", *, weighted: bool = True, early: int = 0) -> Outcome:
    """At every step the pair chosen has the largest drop, and at the end none has any.

    ``early``: as if growth ended so many steps before.
    """
    short, names, trees = [], [], []
    some = runs(cost, biased=True)
    every = _ranked(some, merit or cost, weighted=weighted)
    for run, ranked in zip(some, every, strict=True):
        path = run.path
        end = max(path.n_splits - early, 0)
        for step, drops in enumerate(ranked[: end + 1]):
            pair = (
                (int(path.split_node[step]), int(path.split_variable[step])) if step < end else None
            )
            short.append(max(drops.values()) - (drops[pair] if pair else 0.0))
            names.append(f"{run.name}, step {step}, by {cost}")
            trees.append((path, step + 1))
    return outcome(
        "trees and their next step",
        np.array(short) <= 1e-12,
        np.round(short, 12),
        lambda k: f"{max(short[k], 0):.4g} less than the best drop at {names[k]}",
        example=lambda k: trees[k][0].tree(trees[k][1]),
    )


Order = Callable[[int, int, int], tuple[int, ...]]
"""From the depth of a leaf, its place from the left, the variable: the least goes first."""


def _ties(order: Order) -> Outcome:
    """Of the pairs with the largest drop by Gini, the first in the order is chosen."""
    wrong, names = [], []
    some = (*runs("gini"), *deep_runs())
    for run, ranked in zip(some, _ranked(some, "gini"), strict=True):
        path, places = run.path, _places(run.path)
        for step, drops in enumerate(ranked[:-1]):
            most = max(drops.values())
            tied = [pair for pair, lost in drops.items() if lost >= most - 1e-12]
            first = min((*order(*places[leaf], i), leaf, i) for leaf, i in tied)[-2:]
            wrong.append(first != (path.split_node[step], path.split_variable[step]))
            names.append(f"{run.name}, step {step}")
    return equality("steps of runs on uniform bits", wrong, lambda k: names[k])


def _sizes(parts: Callable[[Tree], int], expected: Callable[[int], int]) -> Outcome:
    cases = all_steps()
    gap = [parts(tree) - expected(t) for tree, (_, t) in zip(grown_trees(), cases, strict=True)]
    return equality("grown trees", gap, lambda k: f"{cases[k][0].name} after {cases[k][1]} splits")


def _nodes(tree: Tree) -> int:
    return tree.n_nodes


def _leaves(tree: Tree) -> int:
    return tree.n_leaves


# -- weak learning --------------------------------------------------------------------------------


def _distributions() -> Floats:
    """All distributions on the 3-cube with masses in sixths."""
    chosen = itertools.combinations_with_replacement(range(8), 6)
    return np.array([np.bincount(points_of, minlength=8) for points_of in chosen]) / 6


def _weakly_learnable(table: npt.NDArray[np.int8], gamma: float, what: str) -> Outcome:
    """Some variable errs with probability 1/2 - gamma at most, for each distribution."""
    differ = (points(3) != table[:, None]).astype(float)
    least = (_distributions() @ differ).min(axis=1)
    return outcome(
        "distributions on the 3-cube with masses in sixths",
        least <= 0.5 - gamma + 1e-9,
        least,
        lambda k: (
            f"least error {least[k]:.4g} on {what}, masses in sixths "
            f"{np.rint(6 * _distributions()[k]).astype(int).tolist()}"
        ),
    )


def _hardest(edge: Callable[[int], float]) -> Outcome:
    """On inputs where just (n+1)/2 bits agree with the majority, drawn uniformly."""
    sizes, gap = (3, 5, 7, 9, 11), []
    for n in sizes:
        agree = points(n) == zoo.majority(n).table[:, None]
        barely = agree.sum(axis=1) == (n + 1) // 2
        gap.append(float(np.abs(agree[barely].mean(axis=0) - 0.5 - edge(n)).max()))
    return equality("numbers of bits", np.round(gap, 12), lambda k: f"n = {sizes[k]}")


def _edges_at_leaves(factor: float = 1.0) -> Outcome:
    """At every leaf of a run on a majority, balanced, some variable has edge 1/(2n).

    The edges by counting, which are those of the package.
    """
    least, off, names = [], [], []
    for run in weak_runs():
        X = points(run.f.n)
        for node, here in enumerate(_regions(run)):
            labels = run.f.table[here]
            if labels.min() == labels.max():
                continue
            weights = run.weights[here]
            ones, zeros = weights * labels, weights * (1 - labels)
            edges = (ones @ X[here] / ones.sum() - zeros @ X[here] / zeros.sum()) / 2
            off.append(float(np.abs(growing.edges(X[here], labels, weights) - edges).max()))
            least.append(float(edges.max()) * 2 * run.f.n)
            names.append(f"node {node} of {run.name}")
    return outcome(
        "mixed nodes of runs on majorities",
        (np.array(least) >= factor - 1e-9) & (np.array(off) < 1e-12),
        -np.array(least),
        lambda k: f"edge {least[k]:.4g} times 1/(2n) at {names[k]}",
    )


MAJORITY = np.array([0, 0, 0, 1, 0, 1, 1, 1], dtype=np.int8)
PARITY = np.array([0, 1, 1, 0, 1, 0, 0, 1], dtype=np.int8)

Side = Callable[[Floats, Floats], Floats]
"""From the edge and q: the right side of the identity of the balanced leaf."""


def _by_q_times_1_minus_q(edge: Floats, q: Floats) -> Floats:
    side: Floats = 2 * edge * q * (1 - q)
    return side


def _balanced_identity(right: Side = _by_q_times_1_minus_q, *, balanced: bool = True) -> Outcome:
    """``tau (1-tau) (r-p) = 2 edge q (1-q)``, the edge by counting on the balanced leaf."""
    counts = np.array(list(itertools.product(range(6), repeat=4)))  # by (h, f): 00, 01, 10, 11
    pairs = counts[:, [0, 2, 0, 1]] + counts[:, [1, 3, 2, 3]]  # h = 0, h = 1, f = 0, f = 1
    mixed = pairs[:, :2].all(axis=1) & (counts[:, [0, 1]] + counts[:, [2, 3]]).all(axis=1)
    n00, n01, n10, n11 = counts[mixed].T
    total = n00 + n01 + n10 + n11
    tau, p, r = (n10 + n11) / total, n01 / (n00 + n01), n11 / (n10 + n11)
    q = (n01 + n11) / total
    # Weight 1/2 for either label, or every input alike.
    negative, positive = (0.5, 0.5) if balanced else (1 - q, q)
    advantage = negative * n00 / (n00 + n10) + positive * n11 / (n01 + n11) - 0.5
    gap = np.abs(tau * (1 - tau) * (r - p) - right(advantage, q))
    if balanced:
        gap = np.maximum(gap, np.abs(growing.edge(tau, p, r) - advantage))
    return outcome(
        TABLES,
        gap < 1e-14,
        gap.round(14),
        lambda k: f"off by {gap[k]:.1g} at counts {counts[mixed][k].tolist()} of (h, f)",
    )


def _largest_drop(cost: str, other: str) -> Form:
    return Form(
        f"the largest drop, by {cost}",
        partial(_best_pairs, cost),
        mutants=(
            Form("without Prob[l]", partial(_best_pairs, cost, weighted=False)),
            Form(f"the largest drop of {other}", partial(_best_pairs, cost, other)),
            Form("it ends one split early", partial(_best_pairs, cost, early=1)),
        ),
    )


@claim(
    "MN-TLH",
    MN,
    r"$T(l, h)$ is $T$ with leaf $l$ replaced by $h$ and two leaves, labelled by the majority "
    r"of the inputs that arrive; all other leaves stay as they are.",
    PAGE,
)
def test_mn_tlh(trial: Trial) -> None:
    trial.run((Form("steps of growth", _only_the_leaf_changes, kind="definition"),))


@claim(
    "MN-DROP",
    MN,
    r"$G(T) - G(T(l, h)) = \mathrm{Prob}[l]\, (G(q) - [(1 - \tau) G(p) + \tau G(r)])$.",
    PAGE,
    repaired=True,
    note="The source drops the factor here; what it does later has it.",
)
def test_mn_drop(trial: Trial) -> None:
    trial.run(
        tuple(
            Form(
                f"with the factor Prob[l], {cost}",
                partial(_tree_level_drop, cost),
                r"G(T)-G(T(l,h))=\mathrm{Prob}[l](G(q)-[(1-\tau)G(p)+\tau G(r)])",
                (
                    Form("τ and 1 - τ exchanged", partial(_tree_level_drop, cost, _exchanged)),
                    Form(
                        "1 % less",
                        partial(_tree_level_drop, cost, lambda *split: 0.99 * _weighted(*split)),
                    ),
                ),
            )
            for cost in ("gini", "sqrt")
        ),
        (Form("as printed: without Prob[l]", partial(_tree_level_drop, "gini", _unweighted)),),
    )


@claim(
    "MN-ALG",
    MN,
    r"In each of $t$ steps take the pair $(l, h)$ with the largest drop of $G(T)$. After $t$ "
    r"steps there are $t$ internal nodes and $t + 1$ leaves.",
    PAGE,
    note="The 'desired number of nodes' of the source is that of internal nodes.",
)
def test_mn_alg(trial: Trial) -> None:
    trial.run(
        (
            _largest_drop("gini", "sqrt"),
            _largest_drop("sqrt", "gini"),
            Form(
                "ties: the shallowest leaf, then the leftmost, then the lowest variable",
                partial(_ties, lambda depth, place, i: (depth, place, i)),
                mutants=(
                    Form(
                        "the deepest leaf",
                        partial(_ties, lambda depth, place, i: (-depth, place, i)),
                    ),
                    Form(
                        "the rightmost leaf",
                        partial(_ties, lambda depth, place, i: (depth, -place, i)),
                    ),
                    Form(
                        "the highest variable",
                        partial(_ties, lambda depth, place, i: (depth, place, -i)),
                    ),
                ),
            ),
            Form(
                "t + 1 leaves",
                partial(_sizes, _leaves, lambda t: t + 1),
                mutants=(Form("t leaves", partial(_sizes, _leaves, lambda t: t)),),
            ),
        ),
        (Form("t nodes in all", partial(_sizes, _nodes, lambda t: t)),),
    )


@claim(
    "MN-WL",
    MN,
    r"Weak learning with edge $\gamma$: for every distribution $D$ some $h \in H$ has "
    r"$\Pr_D[h \ne f] \le \frac12 - \gamma$.",
    PAGE,
)
def test_mn_wl(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the majority of 3 and its variables, gamma = 1/6",
                partial(_weakly_learnable, MAJORITY, 1 / 6, "the majority of 3"),
                r"\Pr_D[h\ne f]\le\tfrac12-\gamma",
                (
                    Form(
                        "gamma = 0.167",
                        partial(_weakly_learnable, MAJORITY, 0.167, "the majority of 3"),
                    ),
                    Form(
                        "the parity of 3, gamma = 0.001",
                        partial(_weakly_learnable, PARITY, 0.001, "the parity of 3"),
                    ),
                ),
            ),
            Form(
                "where just (n+1)/2 bits agree: edge 1/(2n)",
                partial(_hardest, lambda n: 1 / (2 * n)),
                r"\gamma=\frac1{2n}",
                (
                    Form("1/(2n + 1)", partial(_hardest, lambda n: 1 / (2 * n + 1))),
                    Form("1/(2 sqrt(n))", partial(_hardest, lambda n: 1 / (2 * n**0.5))),
                ),
            ),
            Form(
                "at balanced leaves: edge ≥ 1/(2n)",
                _edges_at_leaves,
                mutants=(Form("edge ≥ 1/n", partial(_edges_at_leaves, 2)),),
            ),
        ),
        (
            Form(
                "the parity of 3 and its variables",
                partial(_weakly_learnable, PARITY, 1e-6, "the parity of 3"),
            ),
        ),
    )


@claim(
    "MN-BALANCE",
    MN,
    r"Give the positive and the negative inputs of a leaf the weight $\frac12$ each. If $h$ "
    r"has edge $\gamma'$ on this distribution, then "
    r"$\tau (1 - \tau)(r - p) = 2 \gamma' q (1 - q)$.",
    PAGE,
)
def test_mn_balance(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "by counting",
                _balanced_identity,
                r"\tau(1-\tau)(r-p)=2\gamma'\,q(1-q)",
                (
                    Form("the leaf as it is", partial(_balanced_identity, balanced=False)),
                    Form(
                        "without the factor 2",
                        partial(_balanced_identity, lambda edge, q: edge * q * (1 - q)),
                    ),
                    Form(
                        "min(q, 1-q) for q(1-q)",
                        partial(
                            _balanced_identity, lambda edge, q: 2 * edge * np.minimum(q, 1 - q)
                        ),
                    ),
                    Form(
                        "the negative of h",
                        partial(_balanced_identity, lambda edge, q: -2 * edge * q * (1 - q)),
                    ),
                ),
            ),
        )
    )
