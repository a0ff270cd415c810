"""Trees to prune: small ones with counts, and noisy worlds whose errors are known exactly.

Small trees meet brute force: all their prunings are listed. In a world, examples are the points of
a cube under the uniform distribution with labels flipped at a known rate, so the true error of any
tree is a whole number of weights; a sample is drawn, a tree grown too far, and pruned bottom-up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from claims.kit.populations import shape
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.functions import conjunction, decision_list, majority, multiplexer, parity
from dtviz.core.immutable import frozen
from dtviz.core.topdown import build_top_down
from dtviz.core.tree import Tree
from dtviz.pruning.bottom_up import PenaltyRule
from dtviz.pruning.decisions import Pruning, bottom_up
from dtviz.pruning.node_counts import NodeCounts
from dtviz.pruning.penalty import FiniteTests, LogCardinality

__all__ = [
    "DELTA",
    "LARGE",
    "NOISY",
    "TREES",
    "World",
    "all_prunings",
    "counted",
    "describe",
    "drawn",
    "followed",
    "foreign_trees",
    "pruned",
    "rows",
    "small_trees",
    "two_samples",
    "within",
    "worlds",
]

Ints = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]

DELTA = 0.05
"""The confidence parameter in the worlds."""
TREES = "trees with counts of two classes"


# -- small trees -----------------------------------------------------------------------------------


@cache
def small_trees() -> tuple[NodeCounts, ...]:
    """Trees of up to 7 leaves, random shapes and counts; every node labelled by its majority."""
    rng = np.random.default_rng(5)
    return tuple(_random(rng, majority_labels=True) for _ in range(300))


@cache
def foreign_trees() -> tuple[NodeCounts, ...]:
    """The same with random labels at all nodes, as another sample would give."""
    rng = np.random.default_rng(6)
    return tuple(_random(rng, majority_labels=False) for _ in range(300))


@cache
def two_samples() -> tuple[tuple[NodeCounts, NodeCounts], ...]:
    """The same with two samples: the first labels the tree, the second is to prune it."""
    rng = np.random.default_rng(10)
    found = []
    for _ in range(100):
        variable = _shape(rng, int(rng.integers(2, 8)), 0)
        none = np.zeros(len(variable), dtype=np.intp)
        first = _drawn(rng, Tree(variable, none), none, majority_labels=True, least=1)
        second = _drawn(rng, first.given, first.label, majority_labels=False)
        found.append((first, second))
    return tuple(found)


def _drawn(
    rng: np.random.Generator, tree: Tree, label: Ints, *, majority_labels: bool, least: int = 0
) -> NodeCounts:
    """A random sample of a tree, with so many examples at each leaf or more."""
    leaf = tree.variable < 0
    ones, total = np.zeros(leaf.size, dtype=np.intp), np.zeros(leaf.size, dtype=np.intp)
    total[leaf] = rng.integers(least, 6, leaf.sum())
    total[-1] += 1  # the sample is not empty
    ones[leaf] = rng.integers(0, total[leaf] + 1)
    return counted(tree, ones, total, label, majority_labels=majority_labels)


def _random(rng: np.random.Generator, *, majority_labels: bool) -> NodeCounts:
    variable = _shape(rng, int(rng.integers(2, 8)), 0)
    label = rng.integers(0, 2, len(variable))
    tree = Tree(variable, np.where(np.array(variable) < 0, label, 0))
    return _drawn(rng, tree, label, majority_labels=majority_labels)


def counted(
    tree: Tree, ones: Ints, total: Ints, label: Ints, *, majority_labels: bool
) -> NodeCounts:
    """A tree with its examples at the leaves, its nodes labelled as told or by their majority."""
    end = np.arange(tree.n_nodes) + 2 * tree.leaves_below - 1
    sums = []
    for part in (total - ones, ones):
        running = np.concatenate([[0], np.cumsum(part)])
        sums.append(running[end] - running[:-1])
    counts = np.column_stack(sums)
    if majority_labels:
        label = counts.argmax(axis=1)
        tree = Tree(tree.variable, np.where(tree.variable < 0, label, 0))
    return NodeCounts(tree, frozen(np.arange(2)), frozen(counts), frozen(label))


def _shape(rng: np.random.Generator, leaves: int, depth: int) -> list[int]:
    if leaves == 1:
        return [-1]
    low = int(rng.integers(1, leaves))
    return [depth, *_shape(rng, low, depth + 1), *_shape(rng, leaves - low, depth + 1)]


@cache
def all_prunings(counts: NodeCounts, node: int = 0) -> tuple[tuple[int, int], ...]:
    """(errors, leaves) of every pruning of a subtree: a leaf, or any of each child's."""
    own = (int(counts.errors[node]), 1)
    low, high = int(counts.given.low[node]), int(counts.given.high[node])
    if low < 0:
        return (own,)
    below = [all_prunings(counts, child) for child in (low, high)]
    return (own, *((a + b, s + t) for a, s in below[0] for b, t in below[1]))


def rows(counts: NodeCounts) -> tuple[npt.NDArray[np.int8], Ints]:
    """A sample of bits that gives a small tree its counts."""
    cells = points(counts.given.depth)
    leaf = counts.given.apply(cells)
    first = [int(np.flatnonzero(leaf == v)[0]) for v in counts.given.leaves]
    at = counts.counts[counts.given.leaves]
    labels = np.tile([0, 1], len(first))
    return np.repeat(cells[first], at.sum(axis=1), axis=0), np.repeat(labels, at.ravel())


def describe(counts: NodeCounts) -> str:
    """A small tree with its counts, left to right."""
    leaves = counts.counts[counts.given.leaves].tolist()
    return f"{shape(counts.given)} with counts {', '.join(f'{a}/{b}' for a, b in leaves)}"


# -- worlds ----------------------------------------------------------------------------------------

N = 5
TARGETS = {
    "a conjunction of 2": conjunction(2),
    "a decision list of 3": decision_list(3),
    "a multiplexer": multiplexer(1),
    "parity of 2": parity(2),
    "majority of 3": majority(3),
}


Setting = tuple[str, int, int]
"""A target, the percentage of labels flipped (50: fair coins), and the size of a sample."""
NOISY: tuple[Setting, ...] = (
    ("parity of 2", 50, 300),
    ("parity of 2", 50, 3_000),
    ("parity of 2", 40, 300),
)
LARGE: tuple[Setting, ...] = (
    ("a conjunction of 2", 45, 100_000),
    ("a decision list of 3", 45, 100_000),
    ("a multiplexer", 45, 100_000),
)


@dataclass(frozen=True, eq=False)
class World:
    """A sample drawn from a noisy target, and a tree grown too far on it.

    ``sample`` and ``truth`` hold the same tree with the same labels, the majorities of the sample;
    the counts of ``truth`` are weights, of which a point of the cube has 10.
    """

    name: str
    n: int
    sample: NodeCounts
    truth: NodeCounts
    delta: float = DELTA

    @property
    def m(self) -> int:
        """The size of the sample."""
        return self.sample.m

    def rule(
        self, counts: NodeCounts | None = None, logs: LogCardinality | None = None
    ) -> PenaltyRule:
        """The penalty for the n tests of bits, or for other logarithms of paths and trees."""
        counts = self.sample if counts is None else counts
        logs = FiniteTests.of(self.n, counts) if logs is None else logs
        return PenaltyRule(counts, logs, -math.log(self.delta), over_c=True)

    @property
    def best(self) -> Pruning:
        """T_opt: the pruning of least true error, the smallest if several are."""
        return _best(self)


@cache
def _best(world: World) -> Pruning:
    errors = world.truth.errors
    return bottom_up(world.truth, lambda v, _, wrong: (errors[v] <= wrong, np.zeros(v.size)))


@cache
def worlds() -> tuple[World, ...]:
    """5 targets, 3 rates of noise, 3 sizes of the sample, two draws of each."""
    rng = np.random.default_rng(7)
    found = []
    for target, small in TARGETS.items():
        f = BooleanFunction(N, np.tile(small.table, 1 << (N - small.n)))
        for noise in (1, 2, 3):
            weights = np.where(f.table[:, None] == (0, 1), 10 - noise, noise)
            for m in (300, 3_000, 30_000):
                for draw in (1, 2):
                    cells = rng.multinomial(m, weights.ravel() / weights.sum()).reshape(-1, 2)
                    name = f"{target}, noise {noise / 10:g}, m = {m:,}, draw {draw}"
                    found.append(_world(name, f, weights, cells))
    return tuple(found)


@cache
def drawn(settings: tuple[Setting, ...], times: int) -> tuple[tuple[World, ...], ...]:
    """So many samples of each of some noisy targets, on the complete tree."""
    rng = np.random.default_rng(9)
    whole = _overgrown(Tree.leaf(0))
    found = []
    for target, noise, m in settings:
        small = TARGETS[target]
        f = BooleanFunction(N, np.tile(small.table, 1 << (N - small.n)))
        weights = np.where(f.table[:, None] == (0, 1), 100 - noise, noise)
        name = f"{target}, noise {noise / 100:g}, m = {m:,}"
        samples = rng.multinomial(m, weights.ravel() / weights.sum(), size=times)
        found.append(tuple(_on_tree(name, whole, weights, c.reshape(-1, 2)) for c in samples))
    return tuple(found)


def _world(name: str, f: BooleanFunction, weights: Ints, cells: Ints) -> World:
    """Grow from the target's tree, or the sample's majorities, until every path asks everything."""
    seen = f if cells.sum() > 1000 else BooleanFunction(N, cells[:, 1] > cells[:, 0])
    return _on_tree(name, _overgrown(build_top_down(seen).tree()), weights, cells)


def _on_tree(name: str, tree: Tree, weights: Ints, cells: Ints) -> World:
    """The world of a tree, a truth and a sample, both by cells of the cube and labels."""
    leaf = tree.apply_cube(N)
    at_leaf = [
        np.stack([np.bincount(leaf, part, tree.n_nodes) for part in table.T]).astype(np.intp)
        for table in (cells, weights)
    ]
    none = np.zeros(tree.n_nodes, dtype=np.intp)
    sample = counted(tree, at_leaf[0][1], at_leaf[0].sum(axis=0), none, majority_labels=True)
    truth = counted(
        sample.given, at_leaf[1][1], at_leaf[1].sum(axis=0), sample.label, majority_labels=False
    )
    return World(name, N, sample, truth)


def _overgrown(tree: Tree) -> Tree:
    """Ask at every leaf for all variables not yet asked for."""
    variable: list[int] = []
    stack: list[tuple[int, tuple[int, ...]]] = [(0, tuple(range(N)))]
    while stack:
        node, free = stack.pop()
        i = int(tree.variable[node]) if node >= 0 else -1
        low, high = (int(tree.low[node]), int(tree.high[node])) if i >= 0 else (-1, -1)
        if i < 0 and free:
            i = free[0]
        variable.append(i)
        if i >= 0:
            rest = tuple(j for j in free if j != i)
            stack += [(high, rest), (low, rest)]
    return Tree(variable, np.zeros(len(variable), dtype=np.intp))


@cache
def pruned(c: float) -> tuple[Pruning, ...]:
    """Every world's tree, pruned bottom-up with this constant and `DELTA`."""
    return tuple(world.rule().prune(0, c) for world in worlds())


def within(pruning: Pruning, other: Pruning) -> bool:
    """Whether the first pruned tree is a pruning of the second."""
    return bool((pruning.kept <= other.kept).all())


def followed(counts: NodeCounts, cut: Bools) -> Pruning:
    """The same cuts, from the leaves up, on other counts of the same tree."""
    return bottom_up(counts, lambda v, *_: (cut[v], np.zeros(v.size)))
