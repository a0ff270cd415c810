"""Chapter 2, definitions: trees, rank, classes of functions, samples, errors.

The package is compared with the bare definitions, worked out by recursion or enumeration.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dtviz import rank as chapter
from dtviz.claims.populations import (
    bare_trees,
    labelled_trees,
    name,
    shape,
    trees_and_functions,
)
from dtviz.claims.registry import Claim, Form, Outcome, equality, outcome
from dtviz.claims.sources import EH
from dtviz.core import functions as zoo
from dtviz.core import measures
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import BooleanFunction, ProductDistribution, points
from dtviz.core.tree import Tree
from dtviz.rank.claims.samples import (
    SAMPLES,
    Nested,
    all_samples,
    answers,
    by_definition,
    calls,
    nested,
)

__all__ = ["CLAIMS"]

PAGE = "2-rank"
Ints = npt.NDArray[np.int64]


# -- trees -----------------------------------------------------------------------------------------


def _all_trees(n: int, leaves: int) -> Iterator[Nested]:
    """T_n by its recursive definition, as nested tuples: the trees with so many leaves."""
    if leaves == 1:
        yield from (0, 1)
    for i in range(n):
        for k in range(1, leaves):
            below = itertools.product(_all_trees(n, k), _all_trees(n, leaves - k))
            yield from ((i, low, high) for low, high in below)


def _built(tree: Nested) -> Tree:
    if isinstance(tree, int):
        return Tree.leaf(tree)
    return Tree.split(tree[0], _built(tree[1]), _built(tree[2]))


def _trees_are_built_from_leaves() -> Outcome:
    wrong, names = [], []
    for n, leaves in itertools.product((1, 2), (1, 2, 3, 4)):
        made = list(_all_trees(n, leaves))
        wrong += [nested(_built(tree)) != tree for tree in made]
        names += [f"{tree}" for tree in made]
        wrong.append(not len(set(made)) == len(made) == chapter.count_trees_of_size(n, leaves))
        names.append(f"the number of trees with {leaves} leaves on {n} variables")
    return equality("trees of at most 4 leaves and their counts", wrong, names.__getitem__)


def _value(tree: Nested, x: npt.NDArray[np.int8]) -> int:
    """f_Q(x) by its recursive definition."""
    if isinstance(tree, int):
        return tree
    return _value(tree[2] if x[tree[0]] else tree[1], x)


def _trees_compute_what_the_definition_says() -> Outcome:
    wrong, names = [], []
    cube = points(3)
    trees = itertools.chain(chapter.reduced_trees(2), _three())
    for tree in trees:
        expected = [_value(nested(tree) or 0, x) for x in cube]
        wrong.append(expected != tree.predict(cube).tolist() or expected[5] != tree(5))
        names.append(f"{nested(tree)}")
    return equality("trees, at every point", wrong, names.__getitem__)


def _three() -> Iterator[Tree]:
    """Every sixtieth labelled reduced tree of 3 variables."""
    labelled, bare = labelled_trees(3), trees_and_functions(3).trees
    for k in range(0, labelled.tree.size, 60):
        f = BooleanFunction.from_int(3, int(labelled.code[k]))
        yield bare[labelled.tree[k]].complete(f)


def _reduced_trees_are_counted() -> Outcome:
    counts = [2] + [labelled_trees(n).tree.size for n in (1, 2, 3)]
    gap, names = [], []
    for n, count in enumerate(counts):
        listed = list(chapter.reduced_trees(n))
        repeats = any(len({i for i, _ in p}) < len(p) for tree in listed for p in tree.paths())
        different = len(set(listed)) < len(listed)
        gap.append(abs(chapter.count_reduced_trees(n) - count) + repeats + different)
        gap[-1] += abs(len(listed) - count)
        names.append(f"n = {n}")
    told = ", ".join(f"{count:,}" for count in counts)
    return outcome(
        "numbers of variables",
        np.array(gap) == 0,
        gap,
        lambda k: (
            f"off by {gap[k]} at {names[k]}" if gap[k] else f"{told} trees for n = 0, 1, 2, 3"
        ),
    )


# -- rank ------------------------------------------------------------------------------------------


def _rank(tree: Nested) -> int:
    """The rank by its recursive definition."""
    if isinstance(tree, int):
        return 0
    low, high = _rank(tree[1]), _rank(tree[2])
    return low + 1 if low == high else max(low, high)


def _ranks_of_trees() -> Outcome:
    trees = [Tree(t.variable, np.zeros(t.n_nodes, dtype=np.intp)) for t in bare_trees(3)]
    trees += [chapter.random_tree(8, r, seed) for r in range(6) for seed in range(20)]
    gap = [tree.rank - _rank(nested(tree) or 0) for tree in trees]
    return equality("trees", gap, lambda k: shape(trees[k].bare()))


def _complete_trees_and_lists() -> Outcome:
    gap, names = [], []
    for depth in range(9):
        tree = Tree.leaf(0)
        for i in range(depth):
            tree = Tree.split(i, tree, tree)
        gap.append(tree.rank - depth)
        names.append(f"the complete tree of depth {depth}")
        chain = Tree.leaf(0)
        for i in range(depth):
            chain = Tree.split(i, chain, Tree.leaf(1))
        gap.append(chain.rank - min(depth, 1))
        names.append(f"the chain of depth {depth}")
    return equality("complete trees and chains", gap, names.__getitem__)


def _least_tree_ranks() -> tuple[Ints, Ints]:
    """By function of 3 variables: the least rank, and the fewest nodes, of a reduced tree of it."""
    trees = labelled_trees(3)
    bare = trees_and_functions(3).trees
    rank, nodes = np.full(256, 9), np.full(256, 99)
    np.minimum.at(rank, trees.code, np.array([bare[k].rank for k in trees.tree]))
    np.minimum.at(nodes, trees.code, np.array([bare[k].n_nodes for k in trees.tree]))
    return rank, nodes


def _classes_of_rank() -> Outcome:
    rank, _ = _least_tree_ranks()
    counted = np.bincount(rank, minlength=4).cumsum()
    sizes = chapter.functions_by_rank(3).cumsum()
    gap = np.append(np.abs(rank - optimal_all(3).rank), np.abs(counted - sizes).max())
    names = [name(3, code) for code in range(256)] + ["the numbers of functions"]
    return equality("functions of 3 variables and their counts", gap, names.__getitem__)


def _only_parity_has_rank_n() -> Outcome:
    wrong, names = [], []
    for n in (1, 2, 3, 4):
        full = np.flatnonzero(optimal_all(n).rank == n).tolist()
        parity = zoo.parity(n)
        wrong.append(full != sorted([parity.code, (~parity).code]))
        names.append(f"n = {n}")
    counts = "; ".join(
        ", ".join(f"{c:,}" for c in chapter.functions_by_rank(n)) for n in (1, 2, 3, 4)
    )
    return outcome(
        "numbers of variables",
        np.logical_not(wrong),
        wrong,
        lambda k: names[k] if wrong[k] else f"functions of rank 0, 1, ...: {counts} (n = 1 to 4)",
    )


def _classes_of_size() -> Outcome:
    _, nodes = _least_tree_ranks()
    return equality(
        "functions of 3 variables",
        nodes - (2 * optimal_all(3).n_leaves - 1),
        lambda code: name(3, code),
    )


# -- samples ---------------------------------------------------------------------------------------


def _three_ranks_of_a_sample() -> Outcome:
    every = all_samples()
    pairs = zip(every.seen.tolist(), every.ones.tolist(), strict=True)
    recursion = np.array([by_definition(seen, ones) for seen, ones in pairs])
    found = np.array([tree.rank if tree else -1 for tree in answers(None)])
    off = (recursion != every.rank) | (found != every.rank)
    counts = np.bincount(every.rank)
    told = ", ".join(f"{count:,}" for count in counts)
    return outcome(
        SAMPLES,
        ~off,
        off,
        lambda k: every.describe(k) if off[k] else f"samples of rank 0, 1, 2, 3: {told}",
    )


def _informative_variables_are_tried() -> Outcome:
    made = calls()
    all_failed = made.step == 4
    gap = np.where(all_failed, made.informative - made.tried, made.tried > made.informative)
    gap = np.where(made.step < 2, made.tried, gap)
    return equality("calls of recorded runs", gap, made.name.__getitem__)


def _errors_are_sums_of_weights() -> Outcome:
    gap, names = [], []
    for p in ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 4), Fraction(5, 8))):
        mu = ProductDistribution(p)
        mass = [(p[0] if x & 1 else 1 - p[0]) * (p[1] if x & 2 else 1 - p[1]) for x in range(4)]
        for f, g in itertools.product(range(16), repeat=2):
            wrong = sum((mass[x] for x in range(4) if (f ^ g) >> x & 1), Fraction(0))
            target, guess = (BooleanFunction.from_int(2, code) for code in (f, g))
            gap.append(float(Fraction(measures.mean(target ^ guess, mu)) - wrong))
            names.append(f"f = {f}, g = {g}, p = {[str(q) for q in p]}")
    return equality("pairs of functions of 2 variables", gap, names.__getitem__)


CLAIMS = (
    Claim(
        "EH-OVERVIEW",
        EH,
        r"A hypothesis from a small class that agrees with enough random examples has small error; "
        r"FIND produces one of least rank; a tree with few nodes has small rank.",
        PAGE,
        note="A summary of what follows.",
    ),
    Claim(
        "EH-DEF-TN",
        EH,
        r"$T_n$ holds the leaves 0 and 1, and with two trees and a variable among "
        r"$x_0, \dots, x_{n-1}$ also the tree that tests the variable and goes on with the two.",
        PAGE,
        (Form("built and read back, and counted", _trees_are_built_from_leaves),),
    ),
    Claim(
        "EH-DEF-FQ",
        EH,
        r"A tree computes a function: at a test of $x_i$ the input goes to the 0-subtree if "
        r"$x_i = 0$, else to the 1-subtree.",
        PAGE,
        (Form("predict and call against the recursion", _trees_compute_what_the_definition_says),),
    ),
    Claim(
        "EH-DEF-RED",
        EH,
        r"A tree is reduced if no variable occurs twice on a path. There are "
        r"$T(n) = 2 + n\, T(n-1)^2$ reduced trees with labels on $n$ variables.",
        PAGE,
        (Form("the enumeration has T(n) trees", _reduced_trees_are_counted),),
    ),
    Claim(
        "EH-DEF-RANK",
        EH,
        r"A leaf has rank 0. A test has the larger rank of its two subtrees, or one more if they "
        r"are equal.",
        PAGE,
        (
            Form("Tree.rank against the recursion", _ranks_of_trees),
            Form("depth d if complete, 1 if a chain", _complete_trees_and_lists),
        ),
    ),
    Claim(
        "EH-DEF-TNR",
        EH,
        r"$T_n^r$ is the set of trees on $n$ variables with rank at most $r$. For every function "
        r"some reduced tree attains the least rank.",
        PAGE,
        (Form("over all reduced trees, and over all trees", _classes_of_rank),),
    ),
    Claim(
        "EH-DEF-FNR",
        EH,
        r"$F_n^r$ is the set of functions that trees in $T_n^r$ compute. Parity and its "
        r"complement alone have rank $n$.",
        PAGE,
        (Form("who has rank n", _only_parity_has_rank_n),),
        note="The remark on parity is checked for n up to 4.",
    ),
    Claim(
        "EH-DEF-RS",
        EH,
        r"The rank $r(S)$ of a sample is the least rank of a tree consistent with it.",
        PAGE,
        (Form("over functions, by recursion, and by FINDMIN", _three_ranks_of_a_sample),),
    ),
    Claim(
        "EH-DEF-INFORM",
        EH,
        r"A variable is informative on $S$ if some example has it 0 and some example has it 1.",
        PAGE,
        (Form("FIND tries these and no others", _informative_variables_are_tried),),
    ),
    Claim(
        "EH-DEF-ERR",
        EH,
        r"The error of $g$ for the target $f$ under $P$ is $\Pr_{x \sim P}[f(x) \ne g(x)]$.",
        PAGE,
        (Form("dt.mean(f ^ g, mu) against the sum", _errors_are_sums_of_weights),),
    ),
    Claim(
        "EH-DEF-FS",
        EH,
        r"$F_n^{(s)}$ is the set of functions that some tree with at most $s$ nodes computes.",
        PAGE,
        (Form("fewest nodes, over all reduced trees", _classes_of_size),),
        note="The source counts nodes. A tree with l leaves has 2l - 1 nodes.",
    ),
)
