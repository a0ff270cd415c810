"""Chapter 1, definitions: the package computes exactly what each one says, point by point."""

import itertools
from functools import cache

import numpy as np

from claims.influence.populations import FOUR, PAIRS, at_leaf, function, sensitive, stated
from claims.kit import equality, holds, same
from claims.kit.populations import all_functions, bare_trees, name, shape
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean import measures
from dtviz.core.boolean.boolean_function import BooleanFunction
from dtviz.core.boolean_trees import topdown
from dtviz.core.tree.tree import Tree

LARGER = (5, 6, 7, 8, 11, 12, 17)
"""Up to 10 variables a table is one big integer, from 17 on it is sliced."""
FUNCTIONS = [BooleanFunction.from_int(3, code) for code in range(256)]
TREES = bare_trees(3, 4)[::3]
LEAF_OF = [np.searchsorted(tree.leaves, tree.apply_cube(3)) for tree in TREES]
"""The leaf of each point, counted from the left, for each tree."""


def of_four(measure, expected):
    """What the package says of every function of 4 variables, against numbers for each."""
    found = np.array([getattr(measures, measure)(f) for f in map(function, range(1 << 16))])
    gap = np.abs(found - expected).reshape(1 << 16, -1).max(axis=1)
    return equality(FOUR, gap, lambda k: name(4, k))


@cache
def _on_trees(measure):
    computed = getattr(topdown, measure)
    return 8 * np.array([[computed(tree, f) for f in FUNCTIONS] for tree in TREES])


def on_trees(gap):
    """A check that there is no gap for any tree, named by its place, and any function."""

    def check(**spoiled):
        gaps = [gap(k, **spoiled) for k in range(len(TREES))]
        return equality(PAIRS, gaps, lambda k: f"{shape(TREES[k // 256])}, {name(3, k % 256)}")

    return check


@stated(
    "BLT-DEF-BARE",
    r"A bare tree $T^\circ$ has a variable at each internal node and no labels at its leaves.",
)
@holds(
    "labels come off and go on",
    "",
    {
        "the labels stay on": {"strip": lambda tree: tree},
        "labels go on from the right": {"turn": -1},
    },
    kind="definition",
)
@same("labeled trees of at most 4 leaves")
def test_bare_trees(strip=lambda tree: tree.bare(), turn=1):
    for tree in TREES:
        x = np.zeros((tree.n_leaves, 3), dtype=np.intp)
        for row, path in zip(x, tree.paths(), strict=True):
            row[[i for i, _ in path]] = [bit for _, bit in path]
        for labels in itertools.product((0, 1), repeat=tree.n_leaves):
            value = np.zeros(tree.n_nodes, dtype=np.intp)
            value[tree.leaves] = labels[::turn]
            labeled = Tree(tree.variable, value)
            right = strip(labeled) == tree and tree.is_bare and not labeled.is_bare
            right = right and labeled.predict(x).tolist() == list(labels)
            yield not right, f"{shape(tree)} labeled {labels}"


@stated(
    "BLT-DEF-INF",
    r"$\mathrm{Inf}_i(f) = \Pr_x[f(x) \ne f(x^{\oplus i})]$, with $x$ uniform and "
    r"$x^{\oplus i}$ equal to $x$ but for bit $i$.",
)
def test_influence_counts_points(trial):
    fresh = {"the bit drawn again, not flipped": {"factor": 1 / 2}}

    @trial.form(
        "dt.influences counts the points",
        r"\operatorname{Inf}_i(f)=\Pr\bigl[f(x)\ne f(x^{\oplus i})\bigr]",
        {**fresh, "the variables numbered from the other end": {"turn": -1}},
        kind="definition",
    )
    def counted(factor=1, turn=1):
        return of_four("influences", factor * all_functions(4).changes[:, ::turn] / 16)

    @trial.form("however large its table is", "", fresh, kind="definition")
    @same("larger functions")
    def larger(factor=1):
        for f in (zoo.random(n, n) for n in LARGER):
            x = np.arange(1 << f.n)
            changes = [(f.table != f.table[x ^ (1 << i)]).mean() for i in range(f.n)]
            gap = measures.influences(f) - factor * np.array(changes)
            yield np.abs(gap).max(), f"n = {f.n}"


@stated(
    "BLT-DEF-TINF",
    r"$\mathrm{Inf}(f) = \sum_i \mathrm{Inf}_i(f)$: the mean number of bits to which $f$ is "
    r"sensitive.",
)
@holds(
    "it is the average sensitivity",
    r"\operatorname{Inf}(f)=\mathbb E[\operatorname{sens}(x)]",
    {
        "the largest sensitivity": {"average": lambda found: found.max(axis=1)},
        "the last bit left out": {"bits": 3},
    },
)
def test_total_influence_is_average_sensitivity(average=lambda found: found.mean(axis=1), bits=4):
    sensitivity = sum(sensitive(4, i).astype(int) for i in range(bits))
    return of_four("total_influence", average(sensitivity))


@stated(
    "BLT-DEF-ERRPM",
    r"$\mathrm{err}(f) = \min(\Pr[f = 1], \Pr[f = 0])$, the error of the better constant.",
)
@holds(
    "dt.measures.error against both constants",
    r"\operatorname{err}(f)=\min(m,1-m)",
    {
        "the worse constant": {"by_mean": lambda m: 1 - m},
        "a label drawn by chance, 2m(1-m)": {"by_mean": lambda m: 2 * m * (1 - m)},
    },
    kind="definition",
)
def test_error_of_a_constant(by_mean=lambda m: np.minimum(m, 1 - m)):
    return of_four("error", by_mean(all_functions(4).ones / 16))


@cache
def _mistakes(k):
    labelings = np.array(list(itertools.product((0, 1), repeat=TREES[k].n_leaves)))
    return (labelings[:, None, LEAF_OF[k]] != all_functions(3).table).sum(axis=2)


def _split_up(k):
    """The points of each leaf of a small tree, and for each function its ones there."""
    inside = (LEAF_OF[k] == np.arange(TREES[k].n_leaves)[:, None]).astype(int)
    return inside.sum(axis=1), all_functions(3).table @ inside.T


@stated(
    "BLT-DEF-ERRT",
    r"$\mathrm{error}(T^\circ, f) = \sum_\ell 2^{-|\ell|}\, \mathrm{err}(f_\ell)$ is the least "
    r"error over all labelings of the leaves.",
)
def test_tree_error_is_that_of_the_best_labeling(trial):
    def package(k):
        return _on_trees("tree_error")[k]

    def unweighed(k):
        mass, ones = _split_up(k)
        return (np.minimum(ones, mass - ones) * 8 / mass).mean(axis=1)

    @trial.form(
        "dt.influence.tree_error tries no labeling, brute force all",
        r"\operatorname{error}(T^\circ,f)=\sum_{\ell}2^{-|\ell|}\operatorname{err}(f_\ell)",
        {
            "without the weights 2^-|l|": {"error": unweighed},
            # The first and the last labeling.
            "over labelings with one label only": {"labelings": [0, -1]},
        },
    )
    @on_trees
    def best(k, error=package, labelings=slice(None)):
        return error(k) - _mistakes(k)[labelings].min(axis=0)


@stated(
    "BLT-STOP",
    r"The $f$-completion labels each leaf by the likelier value of $f$ there, and no labeling "
    r"errs less.",
)
def test_completion_is_the_best_labeling(trial):
    table, ones = all_functions(3).table, all_functions(3).ones

    @cache
    def completed(k):
        """The labels that the package puts on; those of a tree of another shape are no labels."""
        tree, none = TREES[k], [-1] * TREES[k].n_leaves
        made = [tree.complete(f) for f in FUNCTIONS]
        return np.array([m.value[m.leaves] if m.bare() == tree else none for m in made])

    def by_root(k):
        return np.repeat(ones[:, None] > 4, TREES[k].n_leaves, axis=1)

    def last_flipped(k):
        return np.concatenate([completed(k)[:, :-1], 1 - completed(k)[:, -1:]], axis=1)

    variants = {
        "the label of the root at every leaf": {"labels": by_root},
        "the last leaf labeled the other way": {"labels": last_flipped},
    }

    @trial.form("complete(f) against all labelings", "", variants)
    @on_trees
    def errs_least(k, labels=completed):
        return (labels(k)[:, LEAF_OF[k]] != table).sum(axis=1) - _mistakes(k).min(axis=0)

    tied = {"a tie is labeled 1": {"tie": 1}}

    @trial.form("the likelier value, 0 if tied", "", tied, kind="definition")
    @on_trees
    def likelier(k, tie=0):
        mass, ones = _split_up(k)
        return (completed(k) != (2 * ones + tie > mass)).sum(axis=1)


@stated(
    "BLT-DEF-COST",
    r"$\mathrm{cost}_f(T^\circ) = \sum_\ell 2^{-|\ell|}\, \mathrm{Inf}(f_\ell)$: the mean number "
    "of bits to which $f$ is still sensitive among those not queried.",
)
def test_cost_is_sensitivity_left(trial):
    cost, table = _on_trees("tree_cost"), all_functions(3).table

    @trial.form(
        "dt.cost against the restrictions",
        r"\operatorname{cost}_f(T^\circ)=\sum_{\ell}2^{-|\ell|}\operatorname{Inf}(f_\ell)",
        {
            "without the weights 2^-|l|": {"weigh": False},
            "the largest influence of each leaf": {"share": max},
        },
        kind="definition",
    )
    @on_trees
    def added_up(k, share=sum, weigh=True):
        paths = [(path, 1 if weigh else 2 ** len(path)) for path in TREES[k].paths()]
        return cost[k] - [sum(share(at_leaf(f, p)[1]) * w for p, w in paths) for f in FUNCTIONS]

    @trial.form(
        "the mean sensitivity among the bits not queried",
        "",
        {"among all bits": {"asked_too": True}, "where f = 1": {"values": (1,)}},
    )
    @on_trees
    def sensitivity_left(k, asked_too=False, values=(0, 1)):
        asked = np.array([[i in dict(path) for i in range(3)] for path in TREES[k].paths()])
        free = ~asked[LEAF_OF[k]] | asked_too
        counted = [sensitive(3, i) & free[:, i] & np.isin(table, values) for i in range(3)]
        return cost[k] - np.sum(counted, axis=(0, 2))
