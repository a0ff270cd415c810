"""Chapter 1, definitions: the package computes exactly what each one says, point by point."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache

import numpy as np

from claims.influence import populations as world
from claims.influence.populations import FOUR, PAGE, PAIRS, Counts, Floats, Ints, at_leaf, sensitive
from claims.kit import BLT, Outcome, Trial, claim, equality
from claims.kit.populations import all_functions, bare_trees, shape
from dtviz.core import functions as zoo
from dtviz.core import measures, topdown
from dtviz.core.boolean import BooleanFunction
from dtviz.core.tree import Tree

LARGER = (5, 6, 7, 8, 11, 12, 17)
"""Up to 10 variables a table is one big integer, from 17 on it is sliced."""


@cache
def _measured(measure: str) -> Floats:
    """What the package says of every function of 4 variables."""
    return np.array([getattr(measures, measure)(f) for f in map(world.function, range(1 << 16))])


@cache
def _functions() -> tuple[BooleanFunction, ...]:
    return tuple(BooleanFunction.from_int(3, code) for code in range(256))


@cache
def _small_trees() -> tuple[Tree, ...]:
    return bare_trees(3, 4)[::3]


@cache
def _on_trees(measure: str) -> Floats:
    """What the package says of every small tree and every function, in points."""
    computed = getattr(topdown, measure)
    return 8 * np.array([[computed(tree, f) for f in _functions()] for tree in _small_trees()])


def _pair(k: int) -> str:
    return f"{shape(_small_trees()[k // 256])}, function {k % 256}"


def _code(k: int) -> str:
    return f"function {k} of 4 variables"


@claim(
    "BLT-DEF-BARE",
    BLT,
    r"A bare tree $T^\circ$ has a variable at each internal node and no labels at its leaves.",
    PAGE,
)
def test_bare_trees(trial: Trial) -> None:
    def labels_come_off(
        strip: Callable[[Tree], Tree] = lambda tree: tree.bare(), turn: int = 1
    ) -> Outcome:
        wrong, names = [], []
        for tree in _small_trees():
            x = np.zeros((tree.n_leaves, 3), dtype=np.intp)
            for row, path in zip(x, tree.paths(), strict=True):
                row[[i for i, _ in path]] = [bit for _, bit in path]
            for labels in itertools.product((0, 1), repeat=tree.n_leaves):
                value = np.zeros(tree.n_nodes, dtype=np.intp)
                value[tree.leaves] = labels[::turn]
                labelled = Tree(tree.variable, value)
                same = strip(labelled) == tree and tree.is_bare and not labelled.is_bare
                wrong.append(not same or labelled.predict(x).tolist() != list(labels))
                names.append(f"{shape(tree)} labelled {labels}")
        return equality("labelled trees of at most 4 leaves", wrong, names.__getitem__)

    variants = {
        "the labels stay on": {"strip": lambda tree: tree},
        "labels go on from the right": {"turn": -1},
    }
    trial.holds("labels come off and go on", labels_come_off, "", variants, kind="definition")


@claim(
    "BLT-DEF-INF",
    BLT,
    r"$\mathrm{Inf}_i(f) = \Pr_x[f(x) \ne f(x^{\oplus i})]$, with $x$ uniform and "
    r"$x^{\oplus i}$ equal to $x$ but for bit $i$.",
    PAGE,
)
def test_influence_counts_points(trial: Trial) -> None:
    def counted(factor: float = 1, turn: int = 1) -> Outcome:
        gap = np.abs(16 * _measured("influences") - factor * all_functions(4).changes[:, ::turn])
        return equality(FOUR, gap.max(axis=1), _code)

    def larger(factor: float = 1) -> Outcome:
        gap = []
        for f in (zoo.random(n, n) for n in LARGER):
            x = np.arange(1 << f.n)
            changes = [(f.table != f.table[x ^ (1 << i)]).mean() for i in range(f.n)]
            gap.append(np.abs(measures.influences(f) - factor * np.array(changes)).max())
        return equality("larger functions", gap, lambda k: f"n = {LARGER[k]}")

    fresh = {"the bit drawn again, not flipped": {"factor": 1 / 2}}
    trial.holds(
        "dt.influences counts the points",
        counted,
        r"\operatorname{Inf}_i(f)=\Pr\bigl[f(x)\ne f(x^{\oplus i})\bigr]",
        {**fresh, "the variables numbered from the other end": {"turn": -1}},
        kind="definition",
    )
    trial.holds("however large its table is", larger, "", fresh, kind="definition")


@claim(
    "BLT-DEF-TINF",
    BLT,
    r"$\mathrm{Inf}(f) = \sum_i \mathrm{Inf}_i(f)$: the mean number of bits to which $f$ is "
    r"sensitive.",
    PAGE,
)
def test_total_influence_is_average_sensitivity(trial: Trial) -> None:
    def averaged(
        average: Callable[[Ints], Floats] = lambda found: found.mean(axis=1), bits: int = 4
    ) -> Outcome:
        sensitivity = sum(sensitive(4, i).astype(np.int64) for i in range(bits))
        return equality(FOUR, _measured("total_influence") - average(sensitivity), _code)

    def mean_where_one(sensitivity: Ints) -> Floats:
        every = all_functions(4)
        return np.asarray((sensitivity * every.table).sum(axis=1) / np.maximum(every.ones, 1))

    trial.holds(
        "it is the average sensitivity",
        averaged,
        r"\operatorname{Inf}(f)=\mathbb E[\operatorname{sens}(x)]",
        {
            "the largest sensitivity": {"average": lambda found: found.max(axis=1)},
            "the mean where f = 1": {"average": mean_where_one},
            "the last bit left out": {"bits": 3},
        },
    )


@claim(
    "BLT-DEF-ERRPM",
    BLT,
    r"$\mathrm{err}(f) = \min(\Pr[f = 1], \Pr[f = 0])$, the error of the better constant.",
    PAGE,
)
def test_error_of_a_constant(trial: Trial) -> None:
    def err(stated: Callable[[Floats], Floats] = lambda m: np.minimum(m, 1 - m)) -> Outcome:
        return equality(FOUR, _measured("error") - stated(all_functions(4).ones / 16), _code)

    trial.holds(
        "dt.error against both constants",
        err,
        r"\operatorname{err}(f)=\min(m,1-m)",
        {
            "the worse constant": {"stated": lambda m: 1 - m},
            "a label drawn by chance, 2m(1-m)": {"stated": lambda m: 2 * m * (1 - m)},
        },
        kind="definition",
    )


# -- trees -----------------------------------------------------------------------------------------


@cache
def _mistakes(k: int) -> Ints:
    """Points of a small tree wrong under each labelling, ``(labellings, functions)``."""
    labellings = np.array(list(itertools.product((0, 1), repeat=_small_trees()[k].n_leaves)))
    predicted = labellings[:, _leaf_of(k)]
    return np.asarray((predicted[:, None, :] != all_functions(3).table).sum(axis=2))


@cache
def _leaf_of(k: int) -> Ints:
    """The leaf of each point, counted from the left."""
    tree = _small_trees()[k]
    return np.searchsorted(tree.leaves, tree.apply_cube(3))


def _split_up(k: int) -> tuple[Ints, Ints]:
    """The points of each leaf of a small tree, and for each function its ones there."""
    inside = (_leaf_of(k) == np.arange(_small_trees()[k].n_leaves)[:, None]).astype(np.int64)
    return inside.sum(axis=1), all_functions(3).table @ inside.T


def _least(k: int) -> Ints:
    return np.asarray(_mistakes(k).min(axis=0))


@claim(
    "BLT-DEF-ERRT",
    BLT,
    r"$\mathrm{error}(T^\circ, f) = \sum_\ell 2^{-|\ell|}\, \mathrm{err}(f_\ell)$ is the least "
    r"error over all labellings of the leaves.",
    PAGE,
)
def test_tree_error_is_that_of_the_best_labelling(trial: Trial) -> None:
    def best(weigh: bool = True, least: Callable[[int], Ints] = _least) -> Outcome:
        gap = []
        for k, error in enumerate(_on_trees("tree_error")):
            mass, ones = _split_up(k)
            alike = np.minimum(ones, mass - ones) * 8 / mass
            gap.append((error if weigh else alike.mean(axis=1)) - least(k))
        return equality(PAIRS, gap, _pair)

    trial.holds(
        "dt.tree_error tries no labelling, brute force all",
        best,
        r"\operatorname{error}(T^\circ,f)=\sum_{\ell}2^{-|\ell|}\operatorname{err}(f_\ell)",
        {
            "without the weights 2^-|l|": {"weigh": False},
            # The first and the last labelling.
            "over labellings with one label only": {
                "least": lambda k: _mistakes(k)[[0, -1]].min(axis=0)
            },
        },
    )


@claim(
    "BLT-STOP",
    BLT,
    r"The $f$-completion labels each leaf by the likelier value of $f$ there, and no labelling "
    r"errs less.",
    PAGE,
)
def test_completion_is_the_best_labelling(trial: Trial) -> None:
    @cache
    def completed(k: int) -> Ints:
        """The labels that the package puts on; those of a tree of another shape are no labels."""
        tree, none = _small_trees()[k], [-1] * _small_trees()[k].n_leaves
        made = [tree.complete(f) for f in _functions()]
        return np.array([m.value[m.leaves] if m.bare() == tree else none for m in made])

    def errs_least(root: bool = False, flip: int = 0) -> Outcome:
        gap = []
        for k in range(len(_small_trees())):
            labels = completed(k)
            if root:
                labels = np.repeat(all_functions(3).ones[:, None] > 4, labels.shape[1], axis=1)
            labels = np.concatenate([labels[:, :-1], labels[:, -1:] ^ flip], axis=1)
            gap.append((labels[:, _leaf_of(k)] != all_functions(3).table).sum(axis=1) - _least(k))
        return equality(PAIRS, gap, _pair)

    def likelier(tie: int = 0) -> Outcome:
        gap = []
        for k in range(len(_small_trees())):
            mass, ones = _split_up(k)
            gap.append((completed(k) != (2 * ones + tie > mass)).sum(axis=1))
        return equality(PAIRS, gap, _pair)

    variants = {
        "the label of the root at every leaf": {"root": True},
        "the last leaf labelled the other way": {"flip": 1},
    }
    trial.holds("complete(f) against all labellings", errs_least, "", variants)
    tied = {"a tie is labelled 1": {"tie": 1}}
    trial.holds("the likelier value, 0 if tied", likelier, "", tied, kind="definition")


@claim(
    "BLT-DEF-COST",
    BLT,
    r"$\mathrm{cost}_f(T^\circ) = \sum_\ell 2^{-|\ell|}\, \mathrm{Inf}(f_\ell)$: the mean "
    r"number of bits to which $f$ is still sensitive among those not asked.",
    PAGE,
)
def test_cost_is_sensitivity_left(trial: Trial) -> None:
    def added_up(share: Callable[[Counts], float] = sum, *, weigh: bool = True) -> Outcome:
        def by_hand(tree: Tree, f: BooleanFunction) -> float:
            walks = tree.paths()
            return sum(share(at_leaf(f, p)[1]) * (1 if weigh else 2 ** len(p)) for p in walks)

        stated = [[by_hand(tree, f) for f in _functions()] for tree in _small_trees()]
        return equality(PAIRS, _on_trees("tree_cost") - stated, _pair)

    def sensitivity_left(asked_too: bool = False, values: tuple[int, ...] = (0, 1)) -> Outcome:
        """Walk to the leaf of x and count the bits to which f is sensitive among those free."""
        table, gap = all_functions(3).table, []
        for k, (tree, cost) in enumerate(zip(_small_trees(), _on_trees("tree_cost"), strict=True)):
            asked = np.array([[i in dict(path) for i in range(3)] for path in tree.paths()])
            free = ~asked[_leaf_of(k)] | asked_too
            counted = [sensitive(3, i) & free[:, i] & np.isin(table, values) for i in range(3)]
            gap.append(cost - np.sum(counted, axis=(0, 2)))
        return equality(PAIRS, gap, _pair)

    trial.holds(
        "dt.cost against the restrictions",
        added_up,
        r"\operatorname{cost}_f(T^\circ)=\sum_{\ell}2^{-|\ell|}\operatorname{Inf}(f_\ell)",
        {
            "without the weights 2^-|l|": {"weigh": False},
            "the largest influence of each leaf": {"share": max},
        },
        kind="definition",
    )
    trial.holds(
        "the mean sensitivity among the bits not asked",
        sensitivity_left,
        "",
        {"among all bits": {"asked_too": True}, "where f = 1": {"values": (1,)}},
    )
