"""Chapter 1, definitions: the package computes exactly what each one says.

The functions of the package are compared with the bare definition, evaluated by brute force: every
point, every labelling, every leaf rescanned, in integers and fractions.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from claims.influence.by_hand import Restriction, by_leaf, cost_at, largest
from claims.influence.variants import PAGE, spoilt
from claims.kit import BLT, Form, Outcome, Trial, claim, equality
from claims.kit.populations import all_functions, bare_trees, shape
from dtviz.core import measures, topdown
from dtviz.core.boolean import BooleanFunction
from dtviz.core.tree import Tree

FOUR = "functions of 4 variables"
PAIRS = "pairs of a tree and a function"
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@cache
def _functions(n: int) -> tuple[BooleanFunction, ...]:
    return tuple(BooleanFunction.from_int(n, code) for code in range(1 << (1 << n)))


@cache
def _measured(measure: str) -> Floats:
    """What the package says of every function of 4 variables."""
    return np.array([getattr(measures, measure)(f) for f in _functions(4)])


@cache
def _small_trees() -> tuple[Tree, ...]:
    """The bare trees of at most 4 leaves on 3 variables."""
    return bare_trees(3, 4)


@cache
def _on_trees(measure: str) -> Floats:
    """What the package says of every small tree and every function of 3 variables."""
    computed = getattr(topdown, measure)
    return np.array([[computed(tree, f) for f in _functions(3)] for tree in _small_trees()])


def _pair(k: int) -> str:
    return f"{shape(_small_trees()[k // 256])}, function {k % 256}"


def _code(k: int) -> str:
    return f"function {k} of 4 variables"


# -- trees and their completions ------------------------------------------------------------------


def _bare_trees_carry_no_labels(
    strip: Callable[[Tree], Tree] = lambda tree: tree.bare(),
    put: Callable[[tuple[int, ...]], tuple[int, ...]] = lambda labels: labels,
) -> Outcome:
    wrong, names = [], []
    for tree in _small_trees():
        for labels in itertools.product((0, 1), repeat=tree.n_leaves):
            value = np.zeros(tree.n_nodes, dtype=np.intp)
            value[tree.leaves] = put(labels)
            labelled = Tree(tree.variable, value)
            same = strip(labelled) == tree and tree.is_bare and not labelled.is_bare
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
def _leaf_of(tree: Tree) -> npt.NDArray[np.intp]:
    """The leaf of each point, counted from the left."""
    return np.searchsorted(tree.leaves, tree.apply_cube(3))


@dataclass(frozen=True)
class Leaves:
    """The leaves of a tree, for all functions of 3 variables: ``mass`` points, ``ones`` ``(F, L)``.

    ``labels``, ``(F, L)``, are those that the package puts on.
    """

    mass: Ints
    ones: Ints
    labels: Ints


@cache
def _completed(tree: Tree) -> Leaves:
    inside = (_leaf_of(tree) == np.arange(tree.n_leaves)[:, None]).astype(np.int64)
    completed = [tree.complete(f) for f in _functions(3)]
    labels = np.array([made.predict(_reaching(tree)) for made in completed], dtype=np.int64)
    # A tree of another shape is no completion: labels that no function has.
    labels[[made.bare() != tree for made in completed]] = -1
    return Leaves(inside.sum(axis=1), all_functions(3).table @ inside.T, labels)


@cache
def _mistakes(tree: Tree) -> Ints:
    """Points wrong under each labelling of the leaves, ``(labellings, functions)``."""
    labellings = np.array(list(itertools.product((0, 1), repeat=tree.n_leaves)))
    predicted = labellings[:, _leaf_of(tree)]
    wrong = predicted[:, None, :] != all_functions(3).table[None, :, :]
    return np.asarray(wrong.sum(axis=2), dtype=np.int64)


def _least_mistakes(tree: Tree) -> Ints:
    least: Ints = _mistakes(tree).min(axis=0)
    return least


def _one_label(tree: Tree) -> Ints:
    """The first and the last labelling are those with one label throughout."""
    least: Ints = _mistakes(tree)[[0, -1]].min(axis=0)
    return least


def _leaves_weigh_alike() -> Floats:
    """The mean of ``err`` over the leaves."""
    return np.array(
        [
            (np.minimum(leaf.ones, leaf.mass - leaf.ones) / leaf.mass).mean(axis=1)
            for leaf in map(_completed, _small_trees())
        ]
    )


def _tree_error_is_the_best_labelling(
    error: Callable[[], Floats] = lambda: _on_trees("tree_error"),
    best: Callable[[Tree], Ints] = _least_mistakes,
) -> Outcome:
    """``sum 2^-|l| err(f_l)`` is the least error over all labellings."""
    return equality(PAIRS, 8 * error() - [best(tree) for tree in _small_trees()], _pair)


def _completion_is_the_best_labelling(
    label: Callable[[Leaves], Ints] = lambda leaf: leaf.labels,
) -> Outcome:
    """The labels of the completion err no more often than any others."""
    gap = []
    for tree in _small_trees():
        predicted = label(_completed(tree))[:, _leaf_of(tree)]
        gap.append((predicted != all_functions(3).table).sum(axis=1) - _least_mistakes(tree))
    return equality(PAIRS, gap, _pair)


def _label_of_the_root(leaf: Leaves) -> Ints:
    """The majority of the whole function at every leaf."""
    return np.where(leaf.ones.sum(axis=1, keepdims=True) > 4, 1, 0 * leaf.labels)


def _last_flipped(leaf: Leaves) -> Ints:
    """The completion, but for the label of the last leaf."""
    labels = leaf.labels.copy()
    labels[:, -1] ^= 1
    return labels


def _labels_of_the_completion(*, tie: int) -> Outcome:
    """The likelier value at each leaf, and ``tie`` if both are as likely."""
    gap = []
    for leaf in map(_completed, _small_trees()):
        stated = 2 * leaf.ones + tie > leaf.mass
        gap.append((leaf.labels != stated).sum(axis=1))
    return equality(PAIRS, gap, _pair)


def _constant_error(
    stated: Callable[[Floats], Floats] = lambda m: np.minimum(m, 1 - m),
) -> Outcome:
    """``err(f)``, given the mean."""
    mean = all_functions(4).ones / 16
    return equality(FOUR, _measured("error") - stated(mean), _code)


# -- influences, scores, costs --------------------------------------------------------------------


def _influence(counted: Callable[[Ints], Floats | Ints] = lambda changes: changes) -> Outcome:
    """``2^n Inf_i`` is the number of points at which flipping bit i changes f."""
    gap = np.abs(16 * _measured("influences") - counted(all_functions(4).changes))
    return equality(FOUR, gap.max(axis=1), _code)


def _mean_where_one(sensitivity: Ints) -> Floats:
    every = all_functions(4)
    return np.asarray((sensitivity * every.table).sum(axis=1) / np.maximum(every.ones, 1))


def _total_influence_is_sensitivity(
    average: Callable[[Ints], Floats] = lambda sensitivity: sensitivity.mean(axis=1),
    variables: int = 4,
) -> Outcome:
    """``Inf(f)``, and the number of bits to which f is sensitive at each point."""
    table, x = all_functions(4).table, np.arange(16)
    sensitivity = np.zeros(table.shape, np.int64)
    for i in range(variables):
        sensitivity += table != table[:, x ^ (1 << i)]
    return equality(FOUR, _measured("total_influence") - average(sensitivity), _code)


def _cost_adds_up_over_leaves(
    share: Callable[[BooleanFunction, Restriction], Fraction] = cost_at,
) -> Outcome:
    """``sum 2^-|l| Inf(f_l)``, each restriction made and counted by itself."""
    trees = [[tuple(sorted(path)) for path in tree.paths()] for tree in _small_trees()]
    known = {
        path: np.array([float(share(f, path)) for f in _functions(3)])
        for path in set(itertools.chain.from_iterable(trees))
    }
    by_hand = np.array([sum(known[path] for path in paths) for paths in trees])
    return equality(PAIRS, _on_trees("tree_cost") - by_hand, _pair)


def _cost_is_sensitivity_left(*, asked_too: bool = False, where_one: bool = False) -> Outcome:
    """Walk to the leaf of x and count the bits to which f is sensitive among those not asked."""
    table, x = all_functions(3).table, np.arange(8)
    gap = []
    for tree, cost in zip(_small_trees(), _on_trees("tree_cost"), strict=True):
        asked = [{i for i, _ in path} for path in tree.paths()]
        left = np.zeros(table.shape, np.int64)
        for i in range(3):
            free = np.array([asked_too or i not in asked[leaf] for leaf in _leaf_of(tree)])
            left += (table != table[:, x ^ (1 << i)]) & free
        if where_one:
            left *= table
        gap.append(cost - left.mean(axis=1))
    return equality(PAIRS, gap, _pair)


@claim(
    "BLT-DEF-BARE",
    BLT,
    r"A bare tree $T^\circ$ has a variable at each internal node and no labels at its leaves.",
    PAGE,
)
def test_blt_def_bare(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "labels come off and go on",
                _bare_trees_carry_no_labels,
                mutants=spoilt(
                    _bare_trees_carry_no_labels,
                    {
                        "the labels stay on": {"strip": lambda tree: tree},
                        "labels go on from the right": {"put": lambda labels: labels[::-1]},
                    },
                ),
                kind="definition",
            ),
        )
    )


@claim(
    "BLT-DEF-INF",
    BLT,
    r"$\mathrm{Inf}_i(f) = \Pr_x[f(x) \ne f(x^{\oplus i})]$, with $x$ uniform and "
    r"$x^{\oplus i}$ equal to $x$ but for bit $i$.",
    PAGE,
)
def test_blt_def_inf(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.influences counts the points",
                _influence,
                r"\operatorname{Inf}_i(f)=\Pr\bigl[f(x)\ne f(x^{\oplus i})\bigr]",
                spoilt(
                    _influence,
                    {
                        "the bit drawn afresh, not flipped": {"counted": lambda made: made / 2},
                        "the variables numbered from the other end": {
                            "counted": lambda made: made[:, ::-1]
                        },
                    },
                ),
                kind="definition",
            ),
        )
    )


@claim(
    "BLT-DEF-TINF",
    BLT,
    r"$\mathrm{Inf}(f) = \sum_i \mathrm{Inf}_i(f)$: the mean number of bits to which $f$ is "
    r"sensitive.",
    PAGE,
)
def test_blt_def_tinf(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "it is the average sensitivity",
                _total_influence_is_sensitivity,
                r"\operatorname{Inf}(f)=\mathbb E[\operatorname{sens}(x)]",
                spoilt(
                    _total_influence_is_sensitivity,
                    {
                        "the largest sensitivity": {"average": lambda found: found.max(axis=1)},
                        "the mean where f = 1": {"average": _mean_where_one},
                        "the last bit left out": {"variables": 3},
                    },
                ),
            ),
        )
    )


@claim(
    "BLT-DEF-ERRT",
    BLT,
    r"$\mathrm{error}(T^\circ, f) = \sum_\ell 2^{-|\ell|}\, \mathrm{err}(f_\ell)$ is the least "
    r"error over all labellings of the leaves.",
    PAGE,
)
def test_blt_def_errt(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.tree_error tries no labelling, brute force all",
                _tree_error_is_the_best_labelling,
                r"\operatorname{error}(T^\circ,f)=\sum_{\ell}2^{-|\ell|}\operatorname{err}(f_\ell)",
                spoilt(
                    _tree_error_is_the_best_labelling,
                    {
                        "without the weights 2^-|l|": {"error": _leaves_weigh_alike},
                        "over labellings with one label only": {"best": _one_label},
                    },
                ),
            ),
        )
    )


@claim(
    "BLT-DEF-ERRPM",
    BLT,
    r"$\mathrm{err}(f) = \min(\Pr[f = 1], \Pr[f = 0])$, the error of the better constant.",
    PAGE,
)
def test_blt_def_errpm(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.error against both constants",
                _constant_error,
                r"\operatorname{err}(f)=\min(m,1-m)",
                spoilt(
                    _constant_error,
                    {
                        "the worse constant": {"stated": lambda m: 1 - m},
                        "a label drawn by chance, 2m(1-m)": {"stated": lambda m: 2 * m * (1 - m)},
                    },
                ),
                kind="definition",
            ),
        )
    )


@claim(
    "BLT-STOP",
    BLT,
    r"The $f$-completion labels each leaf by the likelier value of $f$ there, and no labelling "
    r"errs less.",
    PAGE,
)
def test_blt_stop(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "complete(f) against all labellings",
                _completion_is_the_best_labelling,
                mutants=spoilt(
                    _completion_is_the_best_labelling,
                    {
                        "the label of the root at every leaf": {"label": _label_of_the_root},
                        "the last leaf labelled the other way": {"label": _last_flipped},
                    },
                ),
            ),
            Form(
                "the likelier value, 0 if tied",
                partial(_labels_of_the_completion, tie=0),
                mutants=spoilt(_labels_of_the_completion, {"a tie is labelled 1": {"tie": 1}}),
                kind="definition",
            ),
        )
    )


@claim(
    "BLT-DEF-COST",
    BLT,
    r"$\mathrm{cost}_f(T^\circ) = \sum_\ell 2^{-|\ell|}\, \mathrm{Inf}(f_\ell)$: the mean "
    r"number of bits to which $f$ is still sensitive among those not asked.",
    PAGE,
)
def test_blt_def_cost(trial: Trial) -> None:
    trial.run(
        (
            Form(
                "dt.cost against the restrictions",
                _cost_adds_up_over_leaves,
                r"\operatorname{cost}_f(T^\circ)=\sum_{\ell}2^{-|\ell|}\operatorname{Inf}(f_\ell)",
                spoilt(
                    _cost_adds_up_over_leaves,
                    {
                        "without the weights 2^-|l|": {
                            "share": lambda f, path: cost_at(f, path) * 2 ** len(path)
                        },
                        "the largest influence of each leaf": {
                            "share": lambda f, path: largest(by_leaf(f, path))
                        },
                    },
                ),
                kind="definition",
            ),
            Form(
                "the mean sensitivity among the bits not asked",
                _cost_is_sensitivity_left,
                mutants=spoilt(
                    _cost_is_sensitivity_left,
                    {"among all bits": {"asked_too": True}, "where f = 1": {"where_one": True}},
                ),
            ),
        )
    )
