"""The finite worlds that claims are tried on: all functions, all trees, and the runs of the book.

Probabilities under the uniform distribution are held as counts of points of the cube, so that
equalities and ties are decided by integers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.boolean_trees.exhaustive import optimal_all
from dtviz.core.boolean_trees.optimal import optimal
from dtviz.core.boolean_trees.topdown import build_top_down
from dtviz.core.tree.growth_path import GrowthPath
from dtviz.core.tree.tree import Tree

__all__ = [
    "EPSILONS",
    "NAMED",
    "AllFunctions",
    "LabeledTrees",
    "Run",
    "Steps",
    "TreesAndFunctions",
    "all_functions",
    "at_least",
    "bare_trees",
    "by_book",
    "grown",
    "labeled_trees",
    "log2",
    "lowest",
    "monotone",
    "name",
    "node_paths",
    "ratio",
    "runs",
    "shape",
    "steps",
    "trees_and_functions",
]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

EPSILONS = (0.49, 0.45, 0.4, 0.3, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001)
"""The error bounds that statements about an epsilon are tried at."""


def at_least(a: npt.ArrayLike, b: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """``a >= b``, elementwise, and sure of it.

    Equal numbers must come out equal (dyadic fractions and logarithms of powers of two do); an
    ArithmeticError says that two unequal numbers are too close for rounding to be trusted.
    """
    x, y = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    doubtful = (np.abs(x - y) <= 1e-9 * np.maximum(np.abs(x), np.abs(y))) & (x != y)
    if doubtful.any():
        where = int(doubtful.argmax())
        msg = f"cannot tell {x.flat[where]!r} from {y.flat[where]!r} in floating point"
        raise ArithmeticError(msg)
    return x >= y


def log2(x: npt.ArrayLike) -> Floats:
    """Logarithm to base 2, exact for powers of two on every machine."""
    values = np.asarray(x, dtype=float)
    mantissa, exponent = np.frexp(values)
    logarithm: Floats = np.where(mantissa == 0.5, exponent - 1.0, np.log2(values))
    return logarithm


def ratio(a: npt.ArrayLike, b: npt.ArrayLike) -> Floats:
    """Elementwise ``a / b``, and 0 for 0 / 0."""
    x, y = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    with np.errstate(divide="ignore"):
        quotient: Floats = np.divide(x, y, out=np.zeros(x.shape), where=(x != 0) | (y != 0))
    return quotient


@dataclass(frozen=True)
class AllFunctions:
    """All ``F = 2^(2^n)`` functions of n variables, row by code.

    ``table`` is ``(F, 2^n)``; ``ones`` counts the points with f = 1; ``changes`` is an ``(F, n)``
    array of ``#{x : f(x) != f(x^i)}``; ``size`` is the fewest leaves, and ``queries`` the smallest
    mean number of queries, of a tree that computes f.
    """

    n: int
    table: npt.NDArray[np.int8]
    ones: Ints
    changes: Ints
    size: Ints
    queries: Floats

    @property
    def variance(self) -> Floats:
        """``4m(1-m)``, exact."""
        mean: Floats = self.ones / (1 << self.n)
        return 4 * mean * (1 - mean)

    @property
    def total_influence(self) -> Floats:
        """The sum of the flip influences, exact."""
        total: Floats = self.changes.sum(axis=1) / (1 << self.n)
        return total

    @property
    def max_influence(self) -> Floats:
        """The largest flip influence, exact."""
        largest: Floats = self.changes.max(axis=1) / (1 << self.n)
        return largest


@cache
def all_functions(n: int) -> AllFunctions:
    """Tabulate all functions of ``1 <= n <= 4`` variables."""
    code = np.arange(1 << (1 << n), dtype=np.int64)
    table = ((code[:, None] >> np.arange(1 << n)) & 1).astype(np.int8)
    x = np.arange(1 << n)
    changes = [(table != table[:, x ^ (1 << i)]).sum(axis=1) for i in range(n)]
    best = optimal_all(n)
    return AllFunctions(
        n,
        table,
        table.sum(axis=1, dtype=np.int64),
        np.stack(changes, axis=1),
        best.n_leaves.astype(np.int64),
        best.average_depth,
    )


NAMED: tuple[tuple[str, Callable[[], BooleanFunction]], ...] = (
    ("parity of 5", lambda: zoo.parity(5)),
    ("majority of 5", lambda: zoo.majority(5)),
    ("majority of 7", lambda: zoo.majority(7)),
    ("conjunction of 6", lambda: zoo.conjunction(6)),
    ("tribes(2, 3)", lambda: zoo.tribes(2, 3)),
    ("tribes(3, 3)", lambda: zoo.tribes(3, 3)),
    ("multiplexer(2)", lambda: zoo.multiplexer(2)),
    ("multiplexer(3)", lambda: zoo.multiplexer(3)),
    ("decision_list(8)", lambda: zoo.decision_list(8)),
    ("parity_multiplexer(3, 3)", lambda: zoo.parity_multiplexer(3, 3)),
    ("caterpillar(2)", lambda: zoo.caterpillar(2)),
    ("caterpillar(3)", lambda: zoo.caterpillar(3)),
    ("random(8, seed 0)", lambda: zoo.random(8, 0)),
    ("random(10, seed 1)", lambda: zoo.random(10, 1)),
)
"""The larger functions that the lemmas about runs are tried on, too."""


@cache
def _known(n: int) -> dict[int, str]:
    ones = (1 << (1 << n)) - 1
    known = {0: "the constant 0", ones: "the constant 1"}
    for i in range(n):
        known |= {zoo.dictator(n, i).code: f"x{i}", (~zoo.dictator(n, i)).code: f"not x{i}"}
    if n > 1:
        known |= {
            zoo.parity(n).code: f"parity of {n}",
            (~zoo.parity(n)).code: f"not parity of {n}",
            zoo.conjunction(n).code: f"and of {n}",
            zoo.disjunction(n).code: f"or of {n}",
        }
    return known


def name(n: int, code: int) -> str:
    """What to call a function of n variables in a line of text."""
    return _known(n).get(int(code), f"from_int({n}, {code})")


@cache
def monotone(n: int) -> Ints:
    """The codes of the monotone functions of n variables: pairs ``f_0 <= f_1`` of fewer."""
    if n == 0:
        return np.array([0, 1])
    below = monotone(n - 1)
    low, high = np.nonzero((below[:, None] & ~below) == 0)
    return np.sort(below[low] | below[high] << (1 << (n - 1)))


@cache
def bare_trees(n: int, max_leaves: int | None = None) -> tuple[Tree, ...]:
    """All reduced bare trees on n variables: no variable twice on a path."""
    limit = 1 << n if max_leaves is None else max_leaves
    return tuple(sorted(_bare(tuple(range(n)), limit), key=lambda tree: tree.n_leaves))


def _bare(free: tuple[int, ...], limit: int) -> list[Tree]:
    trees = [Tree.leaf()]
    if limit < 2:
        return trees
    for i in free:
        below = _bare(tuple(j for j in free if j != i), limit - 1)
        trees += [
            Tree.split(i, low, high)
            for low, high in itertools.product(below, repeat=2)
            if low.n_leaves + high.n_leaves <= limit
        ]
    return trees


@dataclass(frozen=True)
class TreesAndFunctions:
    """Every reduced bare tree of n variables (T of them) with every function (F of them).

    ``leaf`` is ``(T, 2^n)``: which leaf, counted from the left, each point reaches. ``error`` and
    ``cost`` are ``(T, F)`` counts of points; ``worst_error`` is the largest share of one leaf.
    ``mixture`` is ``sum Pr[leaf] Var(f at the leaf)``, a ``(T, F)`` float array, exact.
    """

    n: int
    trees: tuple[Tree, ...]
    n_leaves: Ints
    leaf: npt.NDArray[np.intp]
    error: Ints
    cost: Ints
    worst_error: Ints
    mixture: Floats

    def describe(self, tree: int, code: int) -> str:
        """A tree and a function, in words."""
        return f"{shape(self.trees[tree])} and {name(self.n, code)}"


def shape(tree: Tree) -> str:
    """A bare tree as nested brackets: ``x0[., x1[., .]]``, low branch first."""
    words: dict[int, str] = {}
    for node in range(tree.n_nodes - 1, -1, -1):
        i = int(tree.variable[node])
        low, high = int(tree.low[node]), int(tree.high[node])
        words[node] = "." if i < 0 else f"x{i}[{words[low]}, {words[high]}]"
    return "the single leaf" if tree.n_nodes == 1 else words[0]


@cache
def trees_and_functions(n: int) -> TreesAndFunctions:
    """Error and cost of all pairs for ``1 <= n <= 3`` (n = 3: 244 trees, 256 functions)."""
    trees, every = bare_trees(n), all_functions(n)
    table, x = every.table.astype(np.int64), np.arange(1 << n)
    sensitive = np.stack([table != table[:, x ^ (1 << i)] for i in range(n)])
    leaf = np.stack([np.searchsorted(tree.leaves, tree.apply_cube(n)) for tree in trees])
    error, cost, worst, mixture = [], [], [], []
    for row in leaf:
        inside = (row == np.arange(row.max() + 1)[:, None]).astype(np.int64)
        mass, ones = inside.sum(axis=1), table @ inside.T
        share = np.minimum(ones, mass - ones)
        error.append(share.sum(axis=1))
        worst.append(share.max(axis=1))
        mixture.append((4 * ones * (mass - ones) / mass).sum(axis=1) / (1 << n))
        together = np.stack([row == row[x ^ (1 << i)] for i in range(n)])
        cost.append((sensitive & together[:, None, :]).sum(axis=(0, 2)))
    return TreesAndFunctions(
        n,
        trees,
        np.array([tree.n_leaves for tree in trees]),
        leaf,
        np.array(error),
        np.array(cost),
        np.array(worst),
        np.array(mixture),
    )


@dataclass(frozen=True)
class LabeledTrees:
    """Every reduced tree of n variables with labels 0 and 1 (n = 3: 16,430).

    ``code`` is the function a tree computes; ``queried`` is ``(trees, n)``: the number of points on
    whose path ``x_i`` is tested; ``leaves_of`` is ``(trees, 2)``: leaves labeled 0 and 1.
    """

    n: int
    tree: npt.NDArray[np.intp]
    code: Ints
    queried: Ints
    leaves_of: Ints

    def describe(self, k: int) -> str:
        """A tree, in words."""
        bare = trees_and_functions(self.n).trees[int(self.tree[k])]
        return f"{shape(bare)} computing {name(self.n, int(self.code[k]))}"


@cache
def labeled_trees(n: int) -> LabeledTrees:
    """All labelings of all reduced bare trees on ``1 <= n <= 3`` variables."""
    pairs = trees_and_functions(n)
    tree, code, queried, leaves_of = [], [], [], []
    for k, row in enumerate(pairs.leaf):
        labels = np.array(list(itertools.product((0, 1), repeat=int(pairs.n_leaves[k]))))
        depth = np.array([[i in dict(path) for i in range(n)] for path in pairs.trees[k].paths()])
        tree.append(np.full(len(labels), k))
        code.append(labels[:, row] @ (1 << np.arange(1 << n)))
        queried.append(np.tile(depth[row].sum(axis=0), (len(labels), 1)))
        leaves_of.append(np.stack([(labels == b).sum(axis=1) for b in (0, 1)], axis=1))
    return LabeledTrees(
        n,
        np.concatenate(tree),
        np.concatenate(code),
        np.concatenate(queried),
        np.concatenate(leaves_of),
    )


@dataclass(frozen=True)
class Run:
    """The greedy run of one function that is not constant, and the size of its smallest tree."""

    name: str
    f: BooleanFunction
    size: int
    path: GrowthPath


@cache
def runs(n: int) -> tuple[Run, ...]:
    """The runs of all functions of n variables but the constants; n = 0 means the named ones."""
    if n == 0:
        made = [(label, make()) for label, make in NAMED]
        return tuple(Run(label, f, optimal(f).n_leaves, build_top_down(f)) for label, f in made)
    size = all_functions(n).size
    found = []
    for code in range(1, (1 << (1 << n)) - 1):
        f = BooleanFunction.from_int(n, code)
        found.append(Run(name(n, code), f, int(size[code]), build_top_down(f)))
    return tuple(found)


Way = tuple[tuple[int, int], ...]
"""The answers that lead to a node: variables and bits."""


def node_paths(path: GrowthPath) -> list[Way]:
    """The way to each node of a path, root first."""
    found: list[Way] = [()]
    for node, variable in zip(path.split_node.tolist(), path.split_variable.tolist(), strict=True):
        found += [(*found[node], (variable, bit)) for bit in (0, 1)]
    return found


def lowest(influences: list[Any]) -> int:
    """The most influential variable, the lowest if some are tied."""
    return influences.index(max(influences))


def by_book(score: Any, path: Way) -> tuple[Any, ...]:
    """Which leaf is split first: the highest score; then the shallowest, the leftmost."""
    return -score, len(path), [bit for _, bit in path]


def grown(
    at_leaf: Callable[[Way], tuple[Any, list[Any]]],
    choose: Callable[[list[Any]], int] = lowest,
    order: Callable[[Any, Way], Any] = by_book,
) -> list[tuple[Way, int, Any, Any]]:
    """BuildTopDownDT to error 0 as it is written: each step rescans every leaf.

    Per step the leaf split, its variable; the error and the cost before. ``at_leaf`` gives the
    error and the influences at a leaf, times its weight.
    """
    leaves: dict[Way, tuple[Any, list[Any]]] = {(): at_leaf(())}
    made: list[tuple[Way, int, Any, Any]] = []
    while alive := {way: found for way, (_, found) in leaves.items() if any(found)}:
        split = min(alive, key=lambda way: order(max(alive[way]), way))
        variable, error = choose(alive[split]), sum(own for own, _ in leaves.values())
        made.append((split, variable, error, sum(map(sum, alive.values()))))
        del leaves[split]
        for child in ((*split, (variable, 0)), (*split, (variable, 1))):
            leaves[child] = at_leaf(child)
    return made


@dataclass(frozen=True)
class Steps:
    """The steps of many runs end to end: one entry per split made.

    ``step`` is the number of splits made before; ``size`` the leaves of the smallest tree of f.
    ``error``, ``cost``, ``score`` are as the split is chosen, ``next_error``, ``next_cost`` after.
    """

    run: npt.NDArray[np.intp]
    step: Ints
    size: Ints
    error: Floats
    next_error: Floats
    cost: Floats
    next_cost: Floats
    score: Floats
    runs: tuple[Run, ...]

    def describe(self, k: int) -> str:
        """A step, in words."""
        return f"{self.runs[int(self.run[k])].name}, step {int(self.step[k])}"


@cache
def steps(*n: int) -> Steps:
    """The steps of ``runs(n)`` for each n given."""
    all_runs = tuple(itertools.chain.from_iterable(runs(k) for k in n))
    lengths = [run.path.n_splits for run in all_runs]

    def joined(part: Callable[[Run], Any]) -> Any:
        return np.concatenate([part(run) for run in all_runs])

    return Steps(
        run=np.repeat(np.arange(len(all_runs)), lengths),
        step=joined(lambda run: np.arange(run.path.n_splits)),
        size=joined(lambda run: np.full(run.path.n_splits, run.size)),
        error=joined(lambda run: run.path.errors[:-1]),
        next_error=joined(lambda run: run.path.errors[1:]),
        cost=joined(lambda run: run.path.costs[:-1]),
        next_cost=joined(lambda run: run.path.costs[1:]),
        score=joined(lambda run: run.path.scores[:-1]),
        runs=all_runs,
    )
