"""Chapter 2, definitions: trees, rank, classes of functions.

The package is compared with the bare definitions, worked out by recursion or enumeration.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.kit import EH, Form, Outcome, Trial, claim, equality, outcome
from claims.kit.populations import (
    all_functions,
    bare_trees,
    labelled_trees,
    name,
    shape,
    trees_and_functions,
)
from claims.rank.samples import (
    Nested,
    all_samples,
    answers,
    larger,
    nested,
    one_more,
    table,
)
from dtviz import rank as chapter
from dtviz.core import functions as zoo
from dtviz.core.all_functions import optimal_all
from dtviz.core.boolean import BooleanFunction, points
from dtviz.core.tree import Tree

__all__ = ["all_trees"]

PAGE = "2-rank"
Ints = npt.NDArray[np.int64]


# -- trees -----------------------------------------------------------------------------------------


def all_trees(n: int, leaves: int) -> Iterator[Nested]:
    """T_n by its recursive definition, as nested tuples: the trees with so many leaves."""
    if leaves == 1:
        yield from (0, 1)
    for i in range(n):
        for k in range(1, leaves):
            below = itertools.product(all_trees(n, k), all_trees(n, leaves - k))
            yield from ((i, low, high) for low, high in below)


def _built(tree: Nested) -> Tree:
    if isinstance(tree, int):
        return Tree.leaf(tree)
    return Tree.split(tree[0], _built(tree[1]), _built(tree[2]))


def _trees_are_built_from_leaves(turned: Callable[[Nested], Nested] = lambda tree: tree) -> Outcome:
    made = [tree for n in (1, 2) for leaves in (1, 2, 3, 4) for tree in all_trees(n, leaves)]
    wrong = [nested(_built(tree)) != turned(tree) for tree in made]
    return equality("trees of at most 4 leaves", wrong, lambda k: f"{made[k]}")


def _other_way(tree: Nested) -> Nested:
    """The 0-subtree and the 1-subtree of the root exchanged."""
    return tree if isinstance(tree, int) else (tree[0], tree[2], tree[1])


def _value(tree: Nested, x: npt.NDArray[np.int8], bit: int = 1, last: int = -1) -> int:
    """f_Q(x) by its recursive definition; spoilt with another bit, or variables read backwards."""
    if isinstance(tree, int):
        return tree
    i = tree[0] if last < 0 else last - tree[0]
    return _value(tree[2] if x[i] == bit else tree[1], x, bit, last)


@cache
def _some_trees() -> tuple[Tree, ...]:
    """The reduced trees of 2 variables, and every sixtieth of 3 variables."""
    labelled, bare = labelled_trees(3), trees_and_functions(3).trees
    chosen = []
    for k in range(0, labelled.tree.size, 60):
        f = BooleanFunction.from_int(3, int(labelled.code[k]))
        chosen.append(bare[labelled.tree[k]].complete(f))
    return (*chapter.reduced_trees(2), *chosen)


def _trees_compute_what_the_definition_says(bit: int = 1, last: int = -1) -> Outcome:
    wrong, names = [], []
    cube = points(3)
    for tree in _some_trees():
        expected = [_value(nested(tree) or 0, x, bit, last) for x in cube]
        wrong.append(expected != tree.predict(cube).tolist() or expected[5] != tree(5))
        names.append(f"{nested(tree)}")
    return equality("trees, at every point", wrong, names.__getitem__)


@cache
def _listed() -> tuple[tuple[int, bool], ...]:
    """Of the enumeration for n = 0 to 3: how many trees, and whether they are right.

    That is, all different and reduced, and as many as the other enumeration of the book has.
    """
    found = []
    for n in range(4):
        trees = list(chapter.reduced_trees(n))
        other = labelled_trees(n).tree.size if n else 2
        repeats = any(len({i for i, _ in p}) < len(p) for tree in trees for p in tree.paths())
        found.append((len(trees), len(set(trees)) == len(trees) == other and not repeats))
    return tuple(found)


def _by_the_package(n: int) -> int:
    return chapter.count_reduced_trees(n)


def _reduced_trees_are_counted(count: Callable[[int], int] = _by_the_package) -> Outcome:
    gap = [abs(count(n) - size) + (not right) for n, (size, right) in enumerate(_listed())]
    told = ", ".join(f"{size:,}" for size, _ in _listed())
    return outcome(
        "numbers of variables",
        np.array(gap) == 0,
        gap,
        lambda n: f"off by {gap[n]} at n = {n}" if gap[n] else f"{told} trees for n = 0, 1, 2, 3",
    )


def _counted(n: int, *, leaves: int = 2, used_up: int = 1, unordered: bool = False) -> int:
    """The recurrence for reduced trees, spoilt: one kind of leaf, or variables that come back."""
    trees = leaves
    for k in range(1, n + 1):
        pairs = trees * (trees + 1) // 2 if unordered else trees**2
        trees = leaves + (k if used_up else n) * pairs
    return trees


# -- rank ------------------------------------------------------------------------------------------


def _rank(tree: Nested, join: Callable[[int, int], int] = larger) -> int:
    """The rank by its recursive definition."""
    return 0 if isinstance(tree, int) else join(_rank(tree[1], join), _rank(tree[2], join))


@cache
def _trees_of_many_ranks() -> tuple[Tree, ...]:
    trees = [Tree(t.variable, np.zeros(t.n_nodes, dtype=np.intp)) for t in bare_trees(3)]
    trees += [chapter.random_tree(8, r, seed) for r in range(6) for seed in range(20)]
    return tuple(trees)


def _ranks_of_trees(join: Callable[[int, int], int] = larger) -> Outcome:
    trees = _trees_of_many_ranks()
    gap = [tree.rank - _rank(nested(tree) or 0, join) for tree in trees]
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


Pick = Callable[[Ints, Ints, Ints], Ints]
"""From function, rank and nodes of each reduced tree of 3 variables: which trees to look at."""


def _all_of_them(code: Ints, _: Ints, __: Ints) -> Ints:
    return np.arange(code.size)


def _complete(_: Ints, rank: Ints, nodes: Ints) -> Ints:
    return np.flatnonzero(nodes + 1 == 2 << rank)


def _in_order_of_variables(*_: Ints) -> Ints:
    """The trees on whose paths the variables ascend."""
    bare = trees_and_functions(3).trees
    asked = [[[i for i, _ in path] for path in tree.paths()] for tree in bare]
    good = [all(path == sorted(path) for path in paths) for paths in asked]
    return np.flatnonzero(np.array(good)[labelled_trees(3).tree])


@cache
def _labelled() -> tuple[Ints, Ints, Ints]:
    """Of each labelled reduced tree of 3 variables: its function, rank and nodes."""
    trees, bare = labelled_trees(3), trees_and_functions(3).trees
    rank, nodes = (np.array(a) for a in zip(*((t.rank, t.n_nodes) for t in bare), strict=True))
    return np.asarray(trees.code), rank[trees.tree], nodes[trees.tree]


def _least(values: Ints, codes: Ints) -> Ints:
    """By function of 3 variables: the least value of a tree that computes it."""
    least = np.full(256, 99)
    np.minimum.at(least, codes, values)
    return least


def _reduced_trees_attain_the_least_rank(pick: Pick = _all_of_them) -> Outcome:
    """Against the least rank over all trees, found by dynamic programming."""
    code, rank, nodes = _labelled()
    chosen = pick(code, rank, nodes)
    found = _least(rank[chosen], code[chosen])
    sizes = np.bincount(found, minlength=4)[:4] - chapter.functions_by_rank(3)
    gap = np.append(np.abs(found - optimal_all(3).rank), np.abs(sizes).max())
    names = [name(3, k) for k in range(256)] + ["the numbers of functions"]
    return equality("functions of 3 variables and their counts", gap, names.__getitem__)


Test = Callable[[int], npt.NDArray[np.bool_]]
"""For each function of n variables, whether it is said to have rank n."""


def _is_parity(n: int, *, flips: int = 0, both: bool = True) -> npt.NDArray[np.bool_]:
    """Parity or its complement; spoilt: up to a point that is flipped, or parity alone."""
    parity = zoo.parity(n).code
    codes = [parity, (1 << (1 << n)) - 1 - parity] if both else [parity]
    said = np.zeros(1 << (1 << n), dtype=bool)
    said[codes] = True
    for x in range(1 << n if flips else 0):
        said[[code ^ 1 << x for code in codes]] = True
    return said


def _needs_every_variable(n: int) -> npt.NDArray[np.bool_]:
    return np.asarray((all_functions(n).changes > 0).all(axis=1))


def _is_balanced(n: int) -> npt.NDArray[np.bool_]:
    return np.asarray(2 * all_functions(n).ones == 1 << n)


def _who_has_rank_n(said: Test = _is_parity) -> Outcome:
    wrong = [said(n) != (optimal_all(n).rank == n) for n in (1, 2, 3, 4)]
    sizes = [np.full(1 << (1 << n), n) for n in (1, 2, 3, 4)]
    n_of, bad = np.concatenate(sizes), np.concatenate(wrong)
    first = np.cumsum([0, 4, 16, 256])
    counts = "; ".join(
        ", ".join(f"{c:,}" for c in chapter.functions_by_rank(n)) for n in (1, 2, 3, 4)
    )

    def describe(k: int) -> str:
        n = int(n_of[k])
        if bad[k]:
            return f"n = {n}: {name(n, int(k - first[n - 1]))}"
        return f"functions of rank 0, 1, ...: {counts} (n = 1 to 4)"

    return outcome("functions of 1 to 4 variables", ~bad, bad, describe)


def _fewest_nodes(nodes_of: Callable[[], Ints]) -> Outcome:
    """The fewest nodes of a reduced tree against what the leaves of a smallest tree say."""
    code, _, nodes = _labelled()
    return equality(
        "functions of 3 variables",
        _least(nodes, code) - nodes_of(),
        lambda k: name(3, k),
    )


def _two_less_one(times: int = 2, less: int = 1) -> Ints:
    return np.asarray(times * optimal_all(3).n_leaves - less)


def _nodes_of_least_rank() -> Ints:
    """The nodes of FINDMIN's tree for the whole table."""
    full = all_samples().seen == 255
    leaves = np.empty(256, dtype=np.int64)
    leaves[all_samples().ones[full]] = table(answers(None)).leaves[full]
    return 2 * leaves - 1


@claim(
    "EH-OVERVIEW",
    EH,
    r"A hypothesis from a small class that agrees with enough random examples has small error; "
    r"FIND produces one of least rank; a tree with few nodes has small rank.",
    PAGE,
    note="A summary of what follows.",
)
def test_eh_overview(trial: Trial) -> None:
    """There is nothing finite to compute."""


@claim(
    "EH-DEF-TN",
    EH,
    r"$T_n$ holds the leaves 0 and 1, and with two trees and a variable among "
    r"$x_0, \dots, x_{n-1}$ also the tree that tests the variable and goes on with the two.",
    PAGE,
)
def test_eh_def_tn(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "built and read back",
                _trees_are_built_from_leaves,
                kind="definition",
                mutants=(
                    Form(
                        "with the subtrees exchanged",
                        partial(_trees_are_built_from_leaves, _other_way),
                    ),
                ),
            ),
        )
    )


@claim(
    "EH-DEF-FQ",
    EH,
    r"A tree computes a function: at a test of $x_i$ the input goes to the 0-subtree if "
    r"$x_i = 0$, else to the 1-subtree.",
    PAGE,
)
def test_eh_def_fq(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "predict and call against the recursion",
                _trees_compute_what_the_definition_says,
                formula=r"f_Q \colon \{0,1\}^n \to \{0,1\}",
                kind="definition",
                mutants=(
                    Form(
                        "to the 1-subtree if x_i = 0",
                        partial(_trees_compute_what_the_definition_says, 0),
                    ),
                    Form(
                        "the last variable is x_0",
                        partial(_trees_compute_what_the_definition_says, 1, 2),
                    ),
                ),
            ),
        )
    )


@claim(
    "EH-DEF-RED",
    EH,
    r"A tree is reduced if no variable occurs twice on a path. There are "
    r"$T(n) = 2 + n\, T(n-1)^2$ reduced trees with labels on $n$ variables.",
    PAGE,
)
def test_eh_def_red(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "the enumeration has T(n) trees",
                _reduced_trees_are_counted,
                formula=r"T(0) = 2, \qquad T(n) = 2 + n\, T(n-1)^2",
                mutants=tuple(
                    Form(label, partial(_reduced_trees_are_counted, partial(_counted, **parts)))
                    for label, parts in (
                        ("variables come back", {"used_up": 0}),
                        ("the subtrees in no order", {"unordered": True}),
                        ("leaves without labels", {"leaves": 1}),
                    )
                ),
            ),
        )
    )


@claim(
    "EH-DEF-RANK",
    EH,
    r"A leaf has rank 0. A test has the larger rank of its two subtrees, or one more if they "
    r"are equal.",
    PAGE,
)
def test_eh_def_rank(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "Tree.rank against the recursion",
                _ranks_of_trees,
                formula=r"r(Q) = \rho\bigl(r(Q_0), r(Q_1)\bigr)",
                kind="definition",
                mutants=(
                    Form("one more always: depth", partial(_ranks_of_trees, one_more)),
                    Form("the larger always", partial(_ranks_of_trees, max)),
                ),
            ),
            Form("depth d if complete, 1 if a chain", _complete_trees_and_lists, kind="definition"),
        )
    )


@claim(
    "EH-DEF-TNR",
    EH,
    r"$T_n^r$ is the set of trees on $n$ variables with rank at most $r$. For every function "
    r"some reduced tree attains the least rank.",
    PAGE,
)
def test_eh_def_tnr(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "over all reduced trees, and over all trees",
                _reduced_trees_attain_the_least_rank,
                mutants=(
                    Form(
                        "so does a complete tree",
                        partial(_reduced_trees_attain_the_least_rank, _complete),
                    ),
                    Form(
                        "so does a tree that asks in ascending order",
                        partial(_reduced_trees_attain_the_least_rank, _in_order_of_variables),
                    ),
                ),
            ),
        )
    )


@claim(
    "EH-DEF-FNR",
    EH,
    r"$F_n^r$ is the set of functions that trees in $T_n^r$ compute. Parity and its "
    r"complement alone have rank $n$.",
    PAGE,
    note="The remark on parity is checked for n up to 4.",
)
def test_eh_def_fnr(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "who has rank n",
                _who_has_rank_n,
                mutants=(
                    Form("parity alone", partial(_who_has_rank_n, partial(_is_parity, both=False))),
                    Form(
                        "parity up to one point",
                        partial(_who_has_rank_n, partial(_is_parity, flips=1)),
                    ),
                    Form(
                        "who needs all n variables", partial(_who_has_rank_n, _needs_every_variable)
                    ),
                    Form("who is balanced", partial(_who_has_rank_n, _is_balanced)),
                ),
            ),
        )
    )


@claim(
    "EH-DEF-FS",
    EH,
    r"$F_n^{(s)}$ is the set of functions that some tree with at most $s$ nodes computes.",
    PAGE,
    note="The source counts nodes. A tree with l leaves has 2l - 1 nodes.",
)
def test_eh_def_fs(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "fewest nodes, over all reduced trees",
                partial(_fewest_nodes, _two_less_one),
                formula=r"2\ell - 1",
                mutants=(
                    Form("leaves counted", partial(_fewest_nodes, partial(_two_less_one, 1, 0))),
                    Form("2ℓ nodes", partial(_fewest_nodes, partial(_two_less_one, 2, 0))),
                    Form(
                        "the nodes of FINDMIN's tree", partial(_fewest_nodes, _nodes_of_least_rank)
                    ),
                ),
            ),
        )
    )
