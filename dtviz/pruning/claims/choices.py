"""Chapter 6, pruning: which of the prunings of a tree to choose, by errors and by size."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from dtviz import pruning
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import MN
from dtviz.core.tree import Tree
from dtviz.pruning.claims.cases import (
    TREES,
    all_prunings,
    describe,
    followed,
    foreign_trees,
    pruned,
    rows,
    small_trees,
    worlds,
)
from dtviz.pruning.claims.printed import AS_PRINTED, MENDED, MENDED_BY_MINIMA, Programme, prune
from dtviz.pruning.decisions import bottom_up
from dtviz.pruning.node_counts import NodeCounts
from dtviz.pruning.smallest import SmallestPrunings

__all__ = ["CLAIMS"]

PAGE = "6-pruning"
PAIRS = "trees and numbers of errors d"
WORLDS = "noisy samples"


# -- overfitting -----------------------------------------------------------------------------------


def _overfitting() -> Outcome:
    """A tree grown until it asks everything: fewer errors on its sample, more in truth."""
    ok, excess, words = [], [], []
    for world in worlds():
        best = world.best
        on_sample = followed(world.sample, best.cut).errors - world.sample.subtree_errors[0]
        in_truth = (world.truth.subtree_errors[0] - best.errors) / world.truth.m
        ok.append(on_sample >= 0 and in_truth >= 0 and best.n_leaves < world.sample.given.n_leaves)
        excess.append(in_truth)
        words.append(
            f"true error {in_truth:.3f} above that of the best pruning, "
            f"{best.n_leaves} of {world.sample.given.n_leaves} leaves, for {world.name}"
        )
    return outcome(WORLDS, ok, excess, words.__getitem__)


def _worse_in_truth_always() -> Outcome:
    """The misreading: the whole tree is worse in truth every time."""
    gap = [int(w.truth.subtree_errors[0] - w.best.errors) for w in worlds()]
    names = worlds()
    return outcome(
        WORLDS,
        np.array(gap) > 0,
        -np.array(gap),
        lambda k: f"the whole tree is as good as its best pruning for {names[k].name}",
    )


# -- reduced-error pruning -------------------------------------------------------------------------


def _reduced_error(counts: NodeCounts) -> tuple[int, int]:
    """(errors, leaves) of the package's reduced-error pruning, on counts."""
    found = bottom_up(counts, lambda v, _, wrong: (counts.errors[v] <= wrong, np.zeros(v.size)))
    return found.errors, found.n_leaves


def _against_the_original(counts: NodeCounts) -> tuple[int, int]:
    """Cut where a leaf errs no more than the subtree of the tree *given*."""
    cut = counts.errors <= counts.subtree_errors
    found = bottom_up(counts, lambda v, *_: (cut[v], np.zeros(v.size)))
    return found.errors, found.n_leaves


def _ties_kept(counts: NodeCounts) -> tuple[int, int]:
    found = bottom_up(counts, lambda v, _, wrong: (counts.errors[v] < wrong, np.zeros(v.size)))
    return found.errors, found.n_leaves


def _best_of_all_prunings(rule: Callable[[NodeCounts], tuple[int, int]]) -> Outcome:
    """Fewest errors, then fewest leaves, against the list of all prunings."""
    ok, slack, words = [], [], []
    for counts in (*foreign_trees(), *small_trees()):
        found, best = rule(counts), min(all_prunings(counts))
        ok.append(found == best)
        slack.append(100 * (found[0] - best[0]) + found[1] - best[1])
        words.append(
            f"{found[0]} errors with {found[1]} leaves, best {best[0]} with {best[1]}, "
            f"for {describe(counts)}"
        )
    return outcome(TREES, ok, slack, words.__getitem__)


def _sources_example() -> Outcome:
    """Every labelling of the two leaves of X_4: one has 2 errors and is cut for 1."""
    X = np.repeat([[0], [1]], (2, 3), axis=0)
    y = [1, 1, 1, 1, 0]
    ok, errors, words = [], [], []
    for low, high in itertools.product((0, 1), repeat=2):
        tree = Tree.split(0, Tree.leaf(low), Tree.leaf(high))
        grown_on = [[0], [0], [0], [1]], [1, 1, 1, 0]
        found = pruning.reduced_error_prune(tree, X, y, grown_on=grown_on)
        (told,) = found.decisions
        as_told = (told.subtree_errors, told.leaf_errors) == (2, 1) and found.tree() == Tree.leaf(1)
        ok.append(as_told == ((low, high) == (1, 0)))
        errors.append(-abs(told.subtree_errors - 2))
        words.append(
            f"{told.subtree_errors} errors, {told.leaf_errors} as a leaf, with labels {low} and "
            f"{high}"
        )
    return outcome("labellings of the leaves", ok, errors, words.__getitem__)


def _reduced_error_of_rows() -> Outcome:
    """The package's call on samples of rows with these counts, against the list of all prunings."""
    ok, words = [], []
    for counts in small_trees()[:100]:
        found = pruning.reduced_error_prune(counts.given, *rows(counts))
        ok.append((found.errors, found.tree().n_leaves) == min(all_prunings(counts)))
        words.append(f"{found.errors} errors with {found.n_leaves} for {describe(counts)}")
    return outcome(TREES, ok, np.logical_not(ok), words.__getitem__)


# -- the smallest prunings -------------------------------------------------------------------------


@cache
def _brute() -> tuple[tuple[NodeCounts, tuple[float, ...]], ...]:
    """Small trees with K_d in nodes for d = 0, .., errors of the root, over all prunings."""
    found = []
    for counts in small_trees():
        pairs = all_prunings(counts)
        sizes = [
            min((2 * leaves - 1 for wrong, leaves in pairs if wrong <= d), default=math.inf)
            for d in range(int(counts.errors[0]) + 1)
        ]
        found.append((counts, tuple(sizes)))
    return tuple(found)


def _same_sizes(sizes: Callable[[NodeCounts, int], list[float]]) -> Outcome:
    """A procedure's sizes against brute force, for every d."""
    ok, size, words = [], [], []
    for counts, expected in _brute():
        found = sizes(counts, len(expected) - 1)
        for d, (ours, true) in enumerate(zip(found, expected, strict=True)):
            ok.append(ours == true)
            size.append(true if math.isfinite(true) else 0)
            words.append((d, ours, true, counts))

    def told(k: int) -> str:
        d, ours, true, counts = words[k]
        return f"{ours:g} nodes, brute force {true:g}, for d = {d}, {describe(counts)}"

    return outcome(PAIRS, ok, size, told)


def _by_recursion(first: int, counts: NodeCounts, most: int) -> list[float]:
    return [prune(counts, k, first) for k in range(most + 1)]


def _by_package(counts: NodeCounts, most: int) -> list[float]:
    sizes: list[float] = SmallestPrunings(counts).n_nodes[: most + 1].tolist()
    return sizes


def _from_rows() -> Outcome:
    """The package's call on samples of rows with these counts."""
    gap, names = [], []
    for counts, sizes in _brute()[:100]:
        found = pruning.smallest_prunings(counts.given.bare(), *rows(counts), classes=[0, 1])
        gap.append(found.n_nodes[: len(sizes)].tolist() != list(sizes))
        names.append(describe(counts))
    return equality(TREES, gap, names.__getitem__)


def _trees_attain() -> Outcome:
    """T_d has K_d leaves and at most d errors."""
    ok, errors, words = [], [], []
    for counts, sizes in _brute():
        found = SmallestPrunings(counts)
        for d, nodes in enumerate(sizes):
            if math.isfinite(nodes):
                tree = found.pruning(d=d)
                ok.append(tree.tree().n_nodes == nodes and tree.errors <= d)
                errors.append(tree.errors - d)
                words.append(f"{tree.errors} errors for d = {d}, {describe(counts)}")
    return outcome(PAIRS, ok, errors, words.__getitem__)


def _steps_of_programme() -> Outcome:
    """Pairs (i, k - i) tried at the internal nodes, against ``(k+1)^2`` for each."""
    ratio, words = [], []
    for counts, sizes in _brute():
        k, inner = len(sizes) - 1, counts.given.n_leaves - 1
        _, steps = MENDED.run(counts, k)
        ratio.append(steps / ((k + 1) ** 2 * inner))
        words.append(f"{steps} steps for k = {k}, {describe(counts)}")
    return outcome(TREES, np.array(ratio) <= 1, ratio, words.__getitem__)


def _steps_by_sizes() -> Outcome:
    """Pairs of sizes tried at the internal nodes, at most one per pair of leaves."""
    ratio, words = [], []
    for counts, _ in _brute():
        tree = counts.given
        inner = tree.variable >= 0
        below = tree.leaves_below
        steps = int((below[tree.low[inner]] * below[tree.high[inner]]).sum())
        pairs = math.comb(tree.n_leaves, 2)
        ratio.append(steps / pairs)
        words.append(f"{steps} pairs of sizes, {pairs} pairs of leaves, for {describe(counts)}")
    return outcome(TREES, np.array(ratio) <= 1, ratio, words.__getitem__)


def _steps_down() -> Outcome:
    """Tests made to send a sample down: the internal nodes that each example meets."""
    ratio, words = [], []
    for counts in small_trees():
        tree = counts.given
        tests = int(counts.reach[tree.variable >= 0].sum())
        ratio.append(tests / (counts.m * tree.depth))
        words.append(f"{tests} tests for {counts.m} examples, depth {tree.depth}")
    return outcome(TREES, np.array(ratio) <= 1, ratio, words.__getitem__)


# -- structural risk minimisation ------------------------------------------------------------------


def _srm_over_all_prunings(charged: Callable[[int, int], int]) -> Outcome:
    """The choice against the least of ``errors/m + sqrt(size/m)`` over all prunings.

    ``charged(leaves, all_leaves)`` is the size that the chooser puts into the penalty.
    """
    ok, slack, words = [], [], []
    for counts in small_trees():
        m, whole = counts.m, counts.given.n_leaves
        found = SmallestPrunings(counts)
        front = list(zip(found.front_errors.tolist(), found.front_n_leaves.tolist(), strict=True))
        errors, leaves = min(front, key=lambda p: p[0] / m + math.sqrt(charged(p[1], whole) / m))
        value = errors / m + math.sqrt(leaves / m)
        best = min(e / m + math.sqrt(s / m) for e, s in all_prunings(counts))
        ok.append(value <= best + 1e-12)
        slack.append(value - best)
        words.append(f"{value:.4f} with {leaves} leaves, least {best:.4f}, for {describe(counts)}")
    return outcome(TREES, ok, slack, words.__getitem__)


def _bounds_the_error(*, logarithm: bool) -> Outcome:
    """Labels by fair coins, true error 1/2: the bound of a fitting tree is at least that, or not.

    Grown greedily on m examples of n random bits the tree errs nowhere; only its size speaks.
    """
    values, words = [], []
    for m, n in itertools.product((16, 24, 32, 48), (64, 256)):
        rng = np.random.default_rng(m + n)
        X, y = rng.integers(0, 2, (m, n)), rng.integers(0, 2, m)
        leaves = _greedy_leaves(X, y)
        factor = pruning.log_factor(n) if logarithm else 1.0
        values.append(math.sqrt(factor * leaves / m))
        words.append(f"bound {values[-1]:.3f} on an error of 0.5: {leaves} leaves, m, n = {m}, {n}")
    gap = 0.5 - np.array(values)
    return outcome("fair coins to learn", gap <= 0, gap, words.__getitem__)


def _greedy_leaves(X: npt.NDArray[np.int64], y: npt.NDArray[np.int64]) -> int:
    """The leaves of a tree that fits a sample, each test the one with the fewest errors left."""
    if len(set(y.tolist())) == 1:
        return 1
    total, ones = len(y), int(y.sum())
    high, high_ones = X.sum(axis=0), y @ X
    low, low_ones = total - high, ones - high_ones
    gini = _spread(high, high_ones) + _spread(low, low_ones)
    i = int(np.argmin(np.where((high > 0) & (low > 0), gini, np.inf)))
    side = X[:, i] == 1
    return _greedy_leaves(X[side], y[side]) + _greedy_leaves(X[~side], y[~side])


def _spread(total: npt.NDArray[np.int64], ones: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    return np.asarray(ones * (total - ones) / np.maximum(total, 1))


# -- the best leaf ---------------------------------------------------------------------------------


def _never_worse_than_the_leaf(trees: Callable[[], tuple[NodeCounts, ...]]) -> Outcome:
    """Every pruning of every subtree against the best leaf at its root."""
    ok, gap, words = [], [], []
    for counts in trees():
        best = counts.reach - counts.counts.max(axis=1)
        for v in np.flatnonzero(counts.given.variable >= 0).tolist():
            worst = max(wrong for wrong, _ in all_prunings(counts, v))
            ok.append(worst <= best[v])
            gap.append(worst - int(best[v]))
            words.append(f"{worst} errors, best leaf {best[v]}, at node {v} of {describe(counts)}")
    return outcome("subtrees", ok, gap, words.__getitem__)


def _never_worse_in_the_worlds() -> Outcome:
    """The current subtrees that bottom-up pruning compares, c = 0.2."""
    gap, words = [], []
    for world, found in zip(worlds(), pruned(0.2), strict=True):
        worse = found.subtree_errors - world.sample.errors
        gap.append(int(worse[world.sample.given.variable >= 0].max()))
        words.append(f"{gap[-1]} errors more than the leaf for {world.name}")
    return outcome(WORLDS, np.array(gap) <= 0, gap, words.__getitem__)


def _form(label: str, programme: Programme) -> Form:
    return Form(label, partial(_same_sizes, programme.sizes))


CLAIMS = (
    Claim(
        "MN-OVERFIT",
        MN,
        r"A tree grown until it fits its sample overfits: some smaller pruning errs no less on the "
        r"sample and no more in truth.",
        PAGE,
        (Form("the pruning of least true error", _overfitting),),
        (Form("the whole tree is worse in truth every time", _worse_in_truth_always),),
        note="The source's overview of pruning. With noise but many examples the whole tree may "
        "have the right majorities everywhere; then it is only too large.",
    ),
    Claim(
        "MN-REP",
        MN,
        r"Reduced-error pruning, from the leaves up, makes $v$ a leaf if that errs no more on a "
        r"second sample than the current subtree at $v$. Its result errs the least of all "
        r"prunings, and is the smallest of those.",
        PAGE,
        (
            Form("against all prunings", partial(_best_of_all_prunings, _reduced_error)),
            Form("dt.reduced_error_prune", _reduced_error_of_rows),
        ),
        (
            Form(
                "comparing with the tree given, not the current subtree",
                partial(_best_of_all_prunings, _against_the_original),
            ),
            Form("keeping the subtree at ties", partial(_best_of_all_prunings, _ties_kept)),
        ),
        note="That the result is the best pruning is this book's addition; the source states the "
        "procedure.",
    ),
    Claim(
        "MN-REPEX",
        MN,
        r"In the source's example the subtree at $X_4$ has 2 errors on the second sample, a leaf "
        r"1, so it is cut to the label 1 of the first sample. This forces the labels 1 and 0 of "
        r"its leaves.",
        PAGE,
        (Form("all labellings", _sources_example),),
        note="The figure is missing; the numbers in the text determine this much of it.",
    ),
    Claim(
        "MN-F12.5",
        MN,
        r"A figure of a tree before reduced-error pruning, with the counts of the second sample.",
        PAGE,
        note="The figure is missing from the source. Figures computed in the chapter take its "
        "place.",
    ),
    Claim(
        "MN-F12.6",
        MN,
        r"A figure of the same tree after pruning.",
        PAGE,
        note="The figure is missing from the source.",
    ),
    Claim(
        "MN-SRM",
        MN,
        r"Structural risk minimisation chooses $T^* = T_{d^*}$ with $d^*$ minimising "
        r"$d/m + \sqrt{K_d/m}$, where $K_d = |T_d|$. For a bound on the true error $K_d$ needs a "
        r"logarithmic factor.",
        PAGE,
        (
            Form(
                "the least over all prunings",
                partial(_srm_over_all_prunings, lambda leaves, _: leaves),
            ),
            Form(
                "with the factor ln(8n)/2 the penalty covers an error of 1/2",
                partial(_bounds_the_error, logarithm=True),
            ),
        ),
        (
            Form(
                "as printed, k_d the size of the T",
                partial(_srm_over_all_prunings, lambda _, whole: whole),
            ),
            Form(
                "without the factor the penalty covers it too",
                partial(_bounds_the_error, logarithm=False),
            ),
        ),
        repaired=True,
        note="The source writes T* = argmin_d, and calls k_d the size of the T. Sizes are leaves "
        "here, nodes there.",
    ),
    Claim(
        "MN-PRUNE",
        MN,
        r"The smallest pruning with at most $k$ errors is a leaf if that errs at most $k$ times, "
        r"and else joins the smallest prunings of the children with $i$ and $k - i$ errors, "
        r"$i = 0, \dots, k$.",
        PAGE,
        (
            Form(
                "i = 0, .., k, against all prunings",
                partial(_same_sizes, partial(_by_recursion, 0)),
            ),
            Form("by the fewest errors for each size", partial(_same_sizes, _by_package)),
            Form("its trees attain K_d", _trees_attain),
            Form("dt.smallest_prunings", _from_rows),
        ),
        (Form("as printed, i = 1, .., k", partial(_same_sizes, partial(_by_recursion, 1))),),
        repaired=True,
        note="With i from 1 the low child is never left without an error, and for k = 0 the loop "
        "is empty.",
    ),
    Claim(
        "MN-DP",
        MN,
        r"From the leaves up, with $s_j(v)$ the size of the smallest pruning at $v$ with at most "
        r"$j$ errors: $s_j = 1$ if $v$ as a leaf errs at most $j$ times, else "
        r"$s_j = 1 + \min_{0 \le i \le j} (s_i^0 + s_{j-i}^1)$.",
        PAGE,
        (
            _form("against all prunings", MENDED),
            _form("with exact numbers of errors, and minima over j at the end", MENDED_BY_MINIMA),
        ),
        (
            _form("as printed", AS_PRINTED),
            _form(
                "only the index mended",
                Programme(first=1, may_cut=False, at_most=False, right_index=True),
            ),
            _form(
                "only the start of the loop left as printed",
                Programme(first=1, may_cut=True, at_most=True, right_index=True),
            ),
            _form(
                "only the missing cut left as printed",
                Programme(first=0, may_cut=False, at_most=True, right_index=True),
            ),
            _form(
                "only the exact errors left as printed",
                Programme(first=0, may_cut=True, at_most=False, right_index=True),
            ),
            _form(
                "only the index left as printed",
                Programme(first=0, may_cut=True, at_most=True, right_index=False),
            ),
        ),
        repaired=True,
        note="Four slips, each enough to spoil it: the loop starts at 1; no node may become a "
        "leaf; a leaf's entry stands for exactly l errors where the recursion means at most; the "
        "second index is I where k - I is meant.",
    ),
    Claim(
        "MN-DPTIME",
        MN,
        r"The programme takes $O(k^2 |T|)$ steps and $O(m \cdot \mathrm{depth}(T))$ to send the "
        r"sample down, so $O(m^2 |T|)$. By sizes in place of errors it takes one step for each "
        r"pair of leaves, whatever $m$.",
        PAGE,
        (
            Form("steps of the programme ≤ (k+1)^2 at each internal node", _steps_of_programme),
            Form("tests ≤ m depth(T)", _steps_down),
            Form("pairs of sizes ≤ pairs of leaves", _steps_by_sizes),
        ),
    ),
    Claim(
        "MN-INTUIT",
        MN,
        r"On the sample $S_v$ the current subtree never errs more than the best leaf, if the "
        r"leaves carry the majority labels of $S$.",
        PAGE,
        (
            Form("majority labels", partial(_never_worse_than_the_leaf, small_trees)),
            Form("the subtrees met by bottom-up pruning", _never_worse_in_the_worlds),
        ),
        (
            Form(
                "with labels of another sample, as in reduced-error pruning",
                partial(_never_worse_than_the_leaf, foreign_trees),
            ),
        ),
    ),
)
