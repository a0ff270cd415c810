"""What the claims of pruning are tried on: small trees with their rows, noisy worlds, extreme ones.

Small trees meet brute force: all their prunings are listed. In a world the examples come from a
cube whose labels are flipped at a known rate, so the true error of a tree is a whole number of
weights. In an extreme world both the sample and the truth are chosen, so that every inequality of a
proof just holds: rates are off by all but a thousandth of what Lemma 12.2 allows, nodes are seen
half as often as they should be, as Lemma 12.4 allows, and gains lie just below the penalty.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import combinations, product

import numpy as np

from claims import kit
from claims.kit import every, outcome, rowwise
from claims.kit.populations import shape
from dtviz import pruning
from dtviz.core.boolean.boolean_function import cube_points
from dtviz.core.boolean.functions import conjunction, decision_list, majority, multiplexer, parity
from dtviz.core.tree.tree import Tree
from dtviz.pruning.bottom_up import PenaltyRule
from dtviz.pruning.decisions import bottom_up
from dtviz.pruning.node_counts import NodeCounts, node_counts
from dtviz.pruning.smallest import SmallestPrunings

DELTA = 0.05
"""The confidence parameter in the noisy worlds."""
TREES = "trees with counts of two classes"
WORLDS = "noisy samples"


stated = partial(kit.claim, page="6-pruning")
bound = partial(kit.at_most, rounded=True)
bounds = partial(kit.bounds, rounded=True)
same = partial(kit.same, digits=9)
"""A check of rows (gap, where): nothing but rounding in each."""


def constants(formula, *patterns):
    """The numbers of a displayed formula, each where a pattern finds it."""
    return [float(re.search(pattern, formula)[1]) for pattern in patterns]


def _equal(unit, found, expected, about):
    differ = [one != other for one, other in zip(found, expected, strict=True)]

    def describe(k):
        return f"{found[k]}, expected {expected[k]}: {about(k)}"

    def drawn(k):
        return getattr(about(k), "tree", None)

    return outcome(unit, np.logical_not(differ), differ, describe, example=drawn)


matches = partial(rowwise, _equal)
"""A check of rows (found, expected, what they are about), equal in each."""


@cache
def binomial(m, p):
    """The probabilities of 0, .., m successes."""
    k = np.arange(m + 1)
    if p in {0.0, 1.0}:
        return np.asarray(k == p * m, dtype=float)
    logs = log_factorials(m)
    return np.exp(logs[m] - logs - logs[::-1] + k * math.log(p) + (m - k) * math.log1p(-p))


@cache
def log_factorials(m):
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, m + 1)))])


@cache
def paths_log(n, depth):
    return math.log(pruning.count_paths(n, depth))


@cache
def trees_log(n, leaves):
    return math.log(pruning.count_trees(n, 2 * leaves - 1))


@cache
def paths_listed(n, most, *, exactly=False):
    """The different conjunctions of at most (exactly) so many of n bits and their negations."""
    return {
        (cube_points(n)[:, list(chosen)] == signs).all(axis=1).tobytes()
        for size in range(most if exactly else 0, most + 1)
        for chosen in combinations(range(n), size)
        for signs in product((0, 1), repeat=size)
    }


@cache
def trees_of(n, leaves):
    """The labeled trees with so many leaves, tests repeated or not."""
    found = [0, 1] if leaves == 1 else []
    for i, size in product(range(n), range(1, leaves)):
        below = product(trees_of(n, size), trees_of(n, leaves - size))
        found += [(i, *both) for both in below]
    return tuple(found)


@cache
def trees_listed(n, leaves):
    """The number of labeled trees with at most so many leaves."""
    return len({tree for size in range(1, leaves + 1) for tree in trees_of(n, size)})


def exact_logs(n, depth, leaves):
    return paths_log(n, depth) + trees_log(n, leaves)


def bits(n, depth, leaves, m, delta):
    """``r(l, s)`` of Lemma 12.2."""
    return exact_logs(n, depth, leaves) + math.log(m) - math.log(delta)


def reach_bound(n, depth, m, delta):
    """``q_l`` of Lemma 12.4."""
    return 12 / m * (paths_log(n, depth) + (depth + 1) * math.log(2) - math.log(delta))


def log_words(log):
    """The logarithms of 2n + 1 and 8n, from that of n."""
    return np.logaddexp(log + math.log(2), 0), log + math.log(8)


def promise(  # noqa: PLR0913, PLR0917
    s, depth, logs, m, confidence, c, times=1.0, *, power=1.0, rest=1.0, twelve=12
):
    """The bound of Theorem 12.5, ``s q_l + 2 (2 + c) sqrt(s l R / m)``, or a variant of it.

    Of logarithms: of the number of paths and those of `log_words`, of m and of 1/delta.
    """
    paths, (word, test) = logs
    q = twelve * np.exp(-m) * (paths + (depth + 1) * math.log(2) + confidence)
    later = depth * word + 2 * test + rest * (m + confidence)
    return s * q + times * 2 * (2 + c) * np.sqrt(s * depth**power * np.exp(-m) * later)


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows sent down a tree whose nodes have the majority labels of other rows, or of the same."""

    tree: Tree
    first: tuple
    second: tuple

    @cached_property
    def counts(self):
        """The same as the package counts it."""
        tree = self.tree.bare()
        return node_counts(tree, *self.second, grown_on=self.first, classes=[0, 1])

    @cached_property
    def errors(self):
        """The errors of each node as a leaf, by sending the rows down one by one."""
        (X, y), (Z, z) = self.first, self.second
        found = [0] * self.tree.n_nodes
        stack = [(0, np.arange(len(y)), np.arange(len(z)), 0)]
        while stack:
            v, one, two, label = stack.pop()
            label = int(np.bincount(y[one], minlength=2).argmax()) if one.size else label
            found[v] = int((z[two] != label).sum())
            if (i := self.tree.variable[v]) >= 0:
                for bit, child in ((0, self.tree.low[v]), (1, self.tree.high[v])):
                    stack.append((child, one[X[one, i] == bit], two[Z[two, i] == bit], label))
        return found

    @property
    def m(self):
        return len(self.second[1])

    @property
    def inner(self):
        return np.flatnonzero(self.tree.variable >= 0).tolist()

    @cache  # noqa: B019
    def prunings(self, v=0):
        """(errors, the internal nodes as bits) of every pruning of a subtree, the leaf first."""
        if self.tree.variable[v] < 0:
            return ((self.errors[v], 0),)
        low, high = self.prunings(int(self.tree.low[v])), self.prunings(int(self.tree.high[v]))
        both = ((a + b, 1 << v | p | q) for a, p in low for b, q in high)
        return ((self.errors[v], 0), *both)

    @cache  # noqa: B019
    def pairs(self, v=0):
        """The different (errors, leaves) of the prunings of a subtree, which may be large."""
        if self.tree.variable[v] < 0:
            return {(self.errors[v], 1)}
        low, high = self.pairs(int(self.tree.low[v])), self.pairs(int(self.tree.high[v]))
        return {(self.errors[v], 1)} | {(a + b, s + t) for a, s in low for b, t in high}

    def __str__(self):
        if self.tree.n_leaves > 12:
            return f"a tree of {self.tree.n_leaves} leaves and {self.m} examples"
        leaves = self.counts.counts[self.tree.leaves].tolist()
        return f"{shape(self.tree)} with counts {', '.join(f'{a}/{b}' for a, b in leaves)}"


def _shape(rng, leaves, depth=0):
    if leaves == 1:
        return [-1]
    low = int(rng.integers(1, leaves))
    return [depth, *_shape(rng, low, depth + 1), *_shape(rng, leaves - low, depth + 1)]


def _rows(rng, tree, m):
    """Rows that come to any leaf alike, each with a label of its own."""
    paths = list(tree.paths())
    X = rng.integers(0, 2, (m, tree.depth))
    for row, k in zip(X, rng.integers(len(paths), size=m), strict=True):
        for i, bit in paths[k]:
            row[i] = bit
    return X, rng.integers(0, 2, m)


@cache
def samples(*, own=True, large=False):
    """Trees of random shapes with random rows, which label it or other rows do.

    Of 2 to 7 leaves; the large ones have 40, and their tables are joined by the fast code.
    """
    rng = np.random.default_rng(5 + own + 2 * large)
    found = []
    for _ in range(6 if large else 120):
        leaves = 40 if large else int(rng.integers(2, 8))
        variable = np.array(_shape(rng, leaves))
        tree = Tree(variable, np.zeros(variable.size, dtype=np.intp))
        first = _rows(rng, tree, int(rng.integers(leaves if large else 1, 5 * leaves)))
        found.append(Sample(tree, first, first if own else _rows(rng, tree, 3 * leaves)))
    return tuple(found)


def links(s, cut, less=1, *, again=True):
    """The prices g_v of the links that stand, and the errors and leaves of the whole."""
    at, prices, kept = {}, {}, s.counts.kept(cut)
    for v in reversed(range(s.tree.n_nodes)):
        if cut[v] or s.tree.variable[v] < 0:
            at[v] = s.errors[v], 1
            continue
        both = at[int(s.tree.low[v])], at[int(s.tree.high[v])]
        at[v] = wrong, leaves = tuple(map(sum, zip(*both, strict=True)))
        if not again:
            wrong, leaves = int(s.counts.subtree_errors[v]), int(s.tree.leaves_below[v])
        if kept[v]:
            prices[v] = Fraction(s.errors[v] - wrong, (leaves - less) * s.m)
    return prices, at[0]


N = 5
TARGETS = {
    "a conjunction of 2": conjunction(2),
    "a decision list of 3": decision_list(3),
    "a multiplexer": multiplexer(1),
    "parity of 2": parity(2),
    "majority of 3": majority(3),
}


@dataclass(frozen=True, eq=False)
class World:
    """A tree grown too far, a sample of rows that labels it, and the truth, as weights of rows."""

    name: str
    n: int
    tree: Tree
    rows: tuple
    seen: np.ndarray
    weight: np.ndarray
    delta: float = DELTA

    @cached_property
    def sample(self):
        return node_counts(self.tree.bare(), *self.rows, sample_weight=self.seen, classes=[0, 1])

    @cached_property
    def truth(self):
        how = {"sample_weight": self.weight, "grown_on": (*self.rows, self.seen)}
        return node_counts(self.tree.bare(), *self.rows, **how, classes=[0, 1])

    @cached_property
    def best(self):
        """T_opt: the pruning of least true error, the smallest if several are."""
        return SmallestPrunings(self.truth).pruning()

    def prune(self, c, logs=None):
        """Bottom-up pruning of the tree; ``logs`` may count otherwise."""
        if logs is not None:
            return PenaltyRule(self.sample, logs, -math.log(self.delta)).prune(c)
        more = {"n_tests": self.n, "sample_weight": self.seen}
        rest = *self.rows, self.delta, c
        return pruning.bottom_up_prune(self.tree.bare(), *rest, **more, classes=[0, 1])


@cache
def _whole(depth=0):
    """The tree that asks all variables in turn."""
    return Tree.leaf(0) if depth == N else Tree.split(depth, _whole(depth + 1), _whole(depth + 1))


def _noisy(rng, target, noise, m):
    small = TARGETS[target]
    table = np.tile(small.table, 1 << (N - small.n))
    weights = np.where(table[:, None] == (0, 1), 100 - noise, noise).ravel()
    rows = np.repeat(cube_points(N), 2, axis=0), np.tile([0, 1], 1 << N)
    name = f"{target}, noise {noise / 100:g}, m = {m:,}"
    cells = rng.multinomial(m, weights / weights.sum())
    return World(name, N, _whole(), rows, cells, weights)


@cache
def worlds():
    rng = np.random.default_rng(7)
    settings = product(TARGETS, (10, 20, 30), (300, 3_000, 30_000))
    return tuple(_noisy(rng, *setting) for setting in settings)


@cache
def pruned(c):
    return tuple(world.prune(c) for world in worlds())


def within(one, other):
    return bool((one.kept <= other.kept).all())


def followed(counts: NodeCounts, cut):
    """The same cuts, from the leaves up, on other counts of the same tree."""
    return bottom_up(counts, lambda v, *_: (cut[v], np.zeros(v.size)))


ALMOST = 0.999
"""Deviations are this share of what is allowed."""
WEIGHT = 10**13
"""The weights of a truth add up to about this."""
TINY = 1e-300
"""A delta for which all logarithms but its own hardly matter."""


def _chain(name, n, delta, *leaves):
    """A chain that asks variable after variable.

    Each leaf has zeros and ones of the sample, and of the truth.
    """
    splits = len(leaves) - 1
    variables = [k // 2 if k % 2 == 0 else -1 for k in range(2 * splits)] + [-1]
    tree = Tree(variables, [0] * len(variables))
    table = np.rint(leaves).astype(np.int64)
    X = np.repeat(np.tri(splits + 1, splits, -1, dtype=int), 2, axis=0)
    rows = X, np.tile([0, 1], splits + 1)
    m = int(table[:, :2].sum())
    name = f"{name}, n = {n}, m = {m:.3g}, delta = {delta:g}"
    return World(name, n, tree, rows, table[:, :2].ravel(), table[:, 2:].ravel(), delta)


def _halves(seen, weight, gain, tree, leaf):
    """A split in halves that says 0 and 1, gains so much on the sample, and what is true of it.

    ``tree`` and ``leaf`` are how much larger the true errors are, of the split and of a leaf.
    """
    half, mass = seen // 2, weight / 2
    ones, zeros = half // 4, round(half * (0.5 - gain))
    low, high = 0.25 + tree + leaf, 0.5 - gain + tree - leaf
    return (
        (half - ones, ones, mass * (1 - low), mass * low),
        (zeros, half - zeros, mass * high, mass * (1 - high)),
    )


def twigs(c, logs=exact_logs):
    """A strong split, and below it a weak one whose gain is just above the penalty, or far off it.

    The penalty is ``c sqrt((logs + ln(m/delta)) / m_v)``; the twig, and the leaf in its place, are
    off by all but a thousandth of rho, to either side.
    """
    for n, delta, times in product((2, 20), (DELTA, TINY), (ALMOST, 2 - ALMOST, 2.0)):
        m, seen = 10**8, 10**8 // 2
        rho = math.sqrt(bits(n, 1, 2, m, delta) / seen)
        alpha = c * math.sqrt((logs(n, 1, 2) + math.log(m) - math.log(delta)) / seen)
        for tree, leaf in product((-ALMOST, ALMOST), repeat=2):
            halves = _halves(seen, WEIGHT / 2, times * alpha, tree * rho, leaf * rho)
            name = f"a twig that gains {times:g} alpha, off by {tree:g} rho, its leaf by {leaf:g}"
            yield _chain(name, n, delta, (0, seen, 0, WEIGHT / 2), *halves)


def keeps_what_is_better(c, logs=None):
    """T* is a pruning of T_opt, on twigs whose rates deceive as much as the proof allows.

    ``logs`` takes the place of the package's count of paths and trees.
    """

    @every("twigs that deceive")
    def kept():
        for world in twigs(c, logs or exact_logs):

            def counted(depth, size, n=world.n):
                return [logs(n, *one) for one in zip(depth, size, strict=True)]

            found = world.prune(c, logs and counted)
            gap = (followed(world.truth, found.cut).errors - world.best.errors) / world.truth.m
            words = f"{found}, T_opt {world.best.n_leaves} leaves, {world.name}"
            yield within(found, world.best), gap if found.n_leaves > 2 else -1, words

    return kept()


def _stump(c, n, delta, m=10**11):
    """One split, cut for a gain just below the penalty; both its deviations hide what it is worth.

    In truth it gains all but ``(2 + c) rho``.
    """
    rho = math.sqrt(bits(n, 0, 2, m, delta) / m)
    halves = _halves(m, WEIGHT, ALMOST * c * rho, -ALMOST * rho, ALMOST * rho)
    return _chain("a stump", n, delta, *halves)


def _seen_half(c, cuts, delta, m=10**13):
    """Split after split, each cut for a gain just below the penalty.

    Nearly all of the truth comes by, but only half of the sample.
    """
    n, first, left, mass = cuts + 1, m // 2, m // 2, WEIGHT * 0.9999
    leaves = [(0, first, WEIGHT - mass, WEIGHT * 1e-6)]
    # The least rho of the nodes that are cut is that of the first.
    noise = math.sqrt(bits(n, 1, 2, m, delta) / first)
    for level in range(1, cuts + 1):
        share = ALMOST * c * math.sqrt(bits(n, level, 2, m, delta) / left)
        # The last leaf is worth two deviations more than it seems.
        more = 2 * ALMOST * noise if level == cuts else 0.0
        leaves.append((0, left * share, 0, mass * (share + more)))
        left, mass = left - round(left * share), mass * (1 - share - more)
    wrong = ALMOST * noise * left
    bottom = (left - wrong, wrong, mass, 0)
    return _chain(f"{cuts} splits seen half as often", n, delta, *leaves, bottom)


def _rare(cuts, delta, m=10**10):
    """A branch that comes up just as often as Lemma 12.4 must allow for, hardly seen at all."""
    n, seen = cuts + 1, 2 * cuts + 1
    mass = ALMOST * reach_bound(n, cuts + 1, m, delta) * WEIGHT
    bottom = (cuts + 1, 0, mass * (1 - 1e-4 * cuts), 0)
    splits = [(0, 1, 0, mass * 1e-4)] * cuts
    name = f"{cuts} splits on a rare branch"
    return _chain(name, n, delta, (m - seen, 0, WEIGHT - mass, 0), *splits, bottom)


@cache
def extremes():
    """Worlds, each with the constant c for which it was made."""
    stumps = [(_stump(*way), way[0]) for way in product((2.0, 8.0, 32.0), (1, 10), (DELTA, TINY))]
    ways = product((2.0, 32.0), (1, 3, 7, 15), (DELTA, TINY))
    halves = [(_seen_half(*way), way[0]) for way in ways]
    rare = [(_rare(cuts, delta), 2.0) for cuts, delta in product((1, 5, 20), (0.5, DELTA))]
    return (*stumps, *halves, *rare)
