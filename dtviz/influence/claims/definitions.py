"""Chapter 1, definitions: the package computes exactly what each one says.

The functions of the package are compared with the bare definition, evaluated by brute force: every
point, every labelling, every leaf rescanned, in integers and fractions.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

from dtviz.claims.populations import (
    AllFunctions,
    Run,
    all_functions,
    bare_trees,
    runs,
    shape,
)
from dtviz.claims.registry import Claim, Form, Outcome, equality
from dtviz.claims.sources import BLT
from dtviz.core import measures, topdown
from dtviz.core.boolean import BooleanFunction
from dtviz.core.growth import GrowthPath
from dtviz.core.tree import Tree

__all__ = ["CLAIMS"]

PAGE = "1-influence"
LEAVES = 4
Restriction = tuple[tuple[int, int], ...]


def _functions(every: AllFunctions) -> list[BooleanFunction]:
    return [BooleanFunction.from_int(every.n, code) for code in range(len(every.table))]


# -- trees and their completions ------------------------------------------------------------------


def _bare_trees_carry_no_labels() -> Outcome:
    wrong, names = [], []
    for tree in bare_trees(3, LEAVES):
        for labels in itertools.product((0, 1), repeat=tree.n_leaves):
            value = np.zeros(tree.n_nodes, dtype=np.intp)
            value[tree.leaves] = labels
            labelled = Tree(tree.variable, value)
            same = labelled.bare() == tree and tree.is_bare and not labelled.is_bare
            wrong.append(not same or labelled.predict(_reaching(tree)).tolist() != list(labels))
            names.append(f"{shape(tree)} labelled {labels}")
    return equality("labelled trees of at most 4 leaves", wrong, names.__getitem__)


def _reaching(tree: Tree) -> npt.NDArray[np.intp]:
    """One point per leaf, left to right."""
    x = np.zeros((tree.n_leaves, 3), dtype=np.intp)
    for row, path in zip(x, tree.paths(), strict=True):
        for i, bit in path:
            row[i] = bit
    return x


@cache
def _smallest_errors(tree: Tree) -> npt.NDArray[np.int64]:
    """By brute force over the labellings: points wrong under the best one, for each function."""
    leaf = np.searchsorted(tree.leaves, tree.apply_cube(3))
    labellings = np.array(list(itertools.product((0, 1), repeat=tree.n_leaves)))
    predicted = labellings[:, leaf]
    table = all_functions(3).table
    wrong = (predicted[:, None, :] != table[None, :, :]).sum(axis=2)
    return np.asarray(wrong.min(axis=0), dtype=np.int64)


def _tree_error_is_the_best_labelling() -> Outcome:
    gap, names = [], []
    functions = _functions(all_functions(3))
    for tree in bare_trees(3, LEAVES):
        best = _smallest_errors(tree)
        for f in functions:
            gap.append(8 * topdown.tree_error(tree, f) - best[f.code])
            names.append(f"{shape(tree)}, function {f.code}")
    return equality("pairs of a tree and a function", gap, names.__getitem__)


def _completion_is_the_best_labelling() -> Outcome:
    gap, names = [], []
    functions = _functions(all_functions(3))
    for tree in bare_trees(3, LEAVES):
        best = _smallest_errors(tree)
        for f in functions:
            completed = tree.complete(f)
            wrong = (completed.function(3).code ^ f.code).bit_count()
            gap.append(wrong - best[f.code] if completed.bare() == tree else np.inf)
            names.append(f"{shape(tree)}, function {f.code}")
    return equality("pairs of a tree and a function", gap, names.__getitem__)


def _constant_error() -> Outcome:
    every = all_functions(4)
    best = np.minimum((every.table != 0).sum(axis=1), (every.table != 1).sum(axis=1))
    gap = [16 * measures.error(f) - best[f.code] for f in _functions(every)]
    return equality("functions of 4 variables", gap, _code)


def _code(k: int) -> str:
    return f"function {k} of 4 variables"


# -- influences, scores, costs --------------------------------------------------------------------


def _influence() -> Outcome:
    every = all_functions(4)
    found = np.array([measures.influences(f) for f in _functions(every)])
    return equality(
        "functions of 4 variables", np.abs(16 * found - every.changes).max(axis=1), _code
    )


def _total_influence_is_average_sensitivity() -> Outcome:
    every = all_functions(4)
    x = np.arange(16)
    sensitivity = np.zeros(every.table.shape, dtype=np.int64)
    for i in range(4):
        sensitivity += every.table != every.table[:, x ^ (1 << i)]
    found = np.array([measures.total_influence(f) for f in _functions(every)])
    return equality("functions of 4 variables", found - sensitivity.mean(axis=1), _code)


@cache
def _restricted(f: BooleanFunction, path: Restriction) -> BooleanFunction:
    """The function at a leaf, of the variables not queried above it."""
    if not path:
        return f
    *above, (i, bit) = path
    gone = sum(j < i for j, _ in above)
    return _restricted(f, tuple(above)).restrict(i - gone, bit)


def _by_leaf(f: BooleanFunction, path: Restriction) -> list[Fraction]:
    """``2^-depth Inf_i`` of f at a leaf, for its free variables in order: the definition."""
    g = _restricted(f, path)
    points = range(1 << g.n)
    return [Fraction(sum(g(x) != g(x ^ (1 << i)) for x in points), 1 << f.n) for i in range(g.n)]


@cache
def _cost_at(f: BooleanFunction, path: Restriction) -> Fraction:
    return sum(_by_leaf(f, path), Fraction(0))


def _cost_adds_up_over_leaves() -> Outcome:
    gap, names = [], []
    functions = _functions(all_functions(3))
    for tree in bare_trees(3, LEAVES):
        paths = [tuple(sorted(path)) for path in tree.paths()]
        for f in functions:
            by_hand = sum((_cost_at(f, path) for path in paths), Fraction(0))
            gap.append(float(Fraction(topdown.tree_cost(tree, f)) - by_hand))
            names.append(f"{shape(tree)}, function {f.code}")
    return equality("pairs of a tree and a function", gap, names.__getitem__)


def _node_paths(path: GrowthPath) -> list[Restriction]:
    """The restriction that leads to each node of a path, root first."""
    found: list[Restriction] = [()]
    for node, variable in zip(path.split_node, path.split_variable, strict=True):
        found += [(*found[node], (int(variable), bit)) for bit in (0, 1)]
    return found


def _scores_are_counts_of_points() -> Outcome:
    gap, names = [], []
    for run in (*runs(3), *_small()):
        for node, path in enumerate(_node_paths(run.path)):
            queried = {i for i, _ in path}
            free = [i for i in range(run.f.n) if i not in queried]
            shares = _by_leaf(run.f, path)
            best = max(shares, default=Fraction(0))
            chosen = free[shares.index(best)] if best else -1
            off = chosen != run.path.node_variable[node]
            gap.append(float(abs(best - Fraction(run.path.node_score[node])) + off))
            names.append(f"{run.name}, node {node}")
    return equality("nodes of greedy runs", gap, names.__getitem__)


@cache
def _small() -> tuple[Run, ...]:
    return tuple(run for run in runs(0) if run.f.n <= 6)


# -- the algorithm --------------------------------------------------------------------------------


def _by_definition(f: BooleanFunction) -> list[tuple[Restriction, int, Fraction, Fraction]]:
    """BuildTopDownDT to error 0 as it is written: each step rescans every leaf.

    Per step the leaf split, its variable, the error and the cost before the split.
    """
    leaves: list[Restriction] = [()]
    shares: dict[Restriction, list[Fraction]] = {(): _by_leaf(f, ())}
    made: list[tuple[Restriction, int, Fraction, Fraction]] = []
    while True:
        error = Fraction(0)
        for path in leaves:
            ones = _restricted(f, path).code.bit_count()
            error += Fraction(min(ones, (1 << (f.n - len(path))) - ones), 1 << f.n)
        if error == 0:
            return made
        cost = sum((sum(shares[path], Fraction(0)) for path in leaves), Fraction(0))
        # Among equals the shallowest, then the leftmost: branches compare like words.
        split = min(leaves, key=lambda p: (-max(shares[p], default=0), len(p), [b for _, b in p]))
        best = shares[split].index(max(shares[split]))
        variable = [i for i in range(f.n) if i not in {j for j, _ in split}][best]
        made.append((split, variable, error, cost))
        leaves.remove(split)
        for bit in (0, 1):
            child = (*split, (variable, bit))
            leaves.append(child)
            shares[child] = _by_leaf(f, child)


def _runs_follow_the_definition() -> Outcome:
    wrong, names = [], []
    for run in (*runs(3), *_small()):
        path = topdown.build_top_down(run.f)
        paths = _node_paths(path)
        fast = [
            (paths[split.node], split.variable, Fraction(error), Fraction(cost))
            for split, error, cost in zip(path.splits, path.errors, path.costs, strict=False)
        ]
        wrong.append(fast != _by_definition(run.f))
        names.append(run.name)
    return equality("runs, compared step by step", wrong, names.__getitem__)


CLAIMS = (
    Claim(
        "BLT-DEF-BARE",
        BLT,
        r"A bare tree $T^\circ$ has a variable at each internal node and no labels at its leaves.",
        PAGE,
        (Form("labels come off and go on", _bare_trees_carry_no_labels),),
    ),
    Claim(
        "BLT-DEF-INF",
        BLT,
        r"$\mathrm{Inf}_i(f) = \Pr_x[f(x) \ne f(x^{\oplus i})]$, with $x$ uniform and "
        r"$x^{\oplus i}$ equal to $x$ but for bit $i$.",
        PAGE,
        (Form("dt.influences counts the points", _influence),),
    ),
    Claim(
        "BLT-DEF-TINF",
        BLT,
        r"$\mathrm{Inf}(f) = \sum_i \mathrm{Inf}_i(f)$: the mean number of bits to which $f$ is "
        r"sensitive.",
        PAGE,
        (Form("it is the average sensitivity", _total_influence_is_average_sensitivity),),
    ),
    Claim(
        "BLT-DEF-ERRT",
        BLT,
        r"$\mathrm{error}(T^\circ, f) = \sum_\ell 2^{-|\ell|}\, \mathrm{err}(f_\ell)$ is the least "
        r"error over all labellings of the leaves.",
        PAGE,
        (
            Form(
                "dt.tree_error tries no labelling, brute force all",
                _tree_error_is_the_best_labelling,
            ),
        ),
    ),
    Claim(
        "BLT-DEF-ERRPM",
        BLT,
        r"$\mathrm{err}(f) = \min(\Pr[f = 1], \Pr[f = 0])$, the error of the better constant.",
        PAGE,
        (Form("dt.error against both constants", _constant_error),),
    ),
    Claim(
        "BLT-DEF-SCORE",
        BLT,
        r"$\mathrm{score}(\ell) = 2^{-|\ell|} \max_i \mathrm{Inf}_i(f_\ell)$. Times $2^n$ it is an "
        r"integer, the number of points of $\ell$ at which flipping $x_{i(\ell)}$ changes $f$.",
        PAGE,
        (Form("scores and variables by counting points", _scores_are_counts_of_points),),
        note="The source leaves ties open. Here: the lowest variable; among leaves the shallowest, "
        "then the leftmost.",
    ),
    Claim(
        "BLT-ALG",
        BLT,
        r"BuildTopDownDT: start from one leaf; split the leaf of the highest score on its most "
        r"influential variable; stop once the error is at most $\varepsilon$.",
        PAGE,
        (Form("against a version that rescans every leaf", _runs_follow_the_definition),),
    ),
    Claim(
        "BLT-STOP",
        BLT,
        r"The $f$-completion labels each leaf by the likelier value of $f$ there, and no labelling "
        r"errs less.",
        PAGE,
        (Form("complete(f) against all labellings", _completion_is_the_best_labelling),),
    ),
    Claim(
        "BLT-DEF-COST",
        BLT,
        r"$\mathrm{cost}_f(T^\circ) = \sum_\ell 2^{-|\ell|}\, \mathrm{Inf}(f_\ell)$.",
        PAGE,
        (Form("dt.cost against the restrictions", _cost_adds_up_over_leaves),),
    ),
)
