"""Every public function with the kinds of its arguments, read from its signature.

What a name or an annotation means stands once, in `NAMES` and `ANNOTATIONS`; `OTHERS` has what
means something else to one function, and `LEFT` what is driven elsewhere.
"""

from __future__ import annotations

import importlib
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from numbers import Real
from types import FunctionType, MethodType
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

import dtviz as dt
from dtviz import growing, impurity, influence, product, pruning, rank
from dtviz.chapters import CHAPTERS
from support import pictures
from support.kinds import (
    BITS,
    EXACT,
    FLAG,
    SEED,
    TEXT,
    Kind,
    are_names,
    arrays,
    choice,
    class_names,
    codes,
    costs,
    counts,
    distribution,
    dyadic,
    fixed,
    function,
    holds,
    is_bit,
    line,
    names,
    number,
    numbers,
    odd,
    row,
    rows,
    table,
    tree,
    unless_objects,
    vectors,
    weights,
    whole,
)
from support.nasty import instance, integer, or_none, real
from support.samples import BITS_FOR_TREE, LABELED, NUMBERS, M

F = dt.functions
MOST = 1 << 53
"""The most splits, variables or levels that floats count."""
DEEPEST = 24
"""The most variables of a function."""

PARITY = F.parity(3)
PATH = dt.build_top_down(F.majority(3))
TREE = PATH.tree()
X, Y = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1], [1, 0, 1]], [0, 1, 1, 0, 0, 1]
IMPURITY_PATH = dt.grow(X, Y)
GROWN = IMPURITY_PATH.tree()
RUN = rank.find_run(dt.cube_points(3), PARITY.table, rank=3)
SAMPLED = product.build_top_down_sampled(PARITY, None, 0.375, 0.5, rng=0)

# Of each class an object whose methods are called.
OBJECTS: dict[type, Any] = {
    dt.BooleanFunction: PARITY,
    dt.ProductDistribution: dt.ProductDistribution.uniform(3),
    dt.Tree: TREE,
    influence.GrowthPath: PATH,
    influence.InfluencePath: PATH,
    influence.OptimalTrees: dt.optimal(PARITY),
    rank.FindRun: RUN,
    product.SampledRun: SAMPLED,
    impurity.ImpurityPath: IMPURITY_PATH,
    growing.VoteGrowth: dt.grow_votes(0.25, epsilon=0.125),
    pruning.PruningPath: pruning.cost_complexity_path(GROWN, X, Y),
    pruning.SmallestPrunings: pruning.smallest_prunings(GROWN, X, Y),
    pruning.CrossValidatedPruning: pruning.cross_validated_prune(X, Y, dt.id3, folds=2),
    dt.datasets.Dataset: dt.datasets.titanic(numeric=True),
    dt.plot.LetteredTree: dt.plot.lettered(TREE),
    dt.TopDownClassifier: dt.TopDownClassifier(),
    dt.TopDownRegressor: dt.TopDownRegressor(),
}

LEAF = dt.Tree.leaf(1)
PARTS = TREE.to_dict()


THREE = holds("biuf", math.isfinite, (3,))


def never(_: Any) -> bool:
    return False


def scalar(value: Any) -> bool:
    """What NumPy can hold as one thing that is not missing."""
    if isinstance(value, (float, np.floating)) and math.isnan(value):
        return False
    return np.ndim(value) == 0 if not isinstance(value, (list, tuple, range)) else False


# -- what an annotation or a name means ------------------------------------------------------------

ANNOTATIONS = {
    "bool": FLAG,
    "BooleanFunction": function(),
    "GrowthPath": Kind(st.just(PATH), instance(influence.GrowthPath), clashes=True),
    "ProductDistribution": distribution(3),
    "Tree": tree(GROWN),
    "np.random.Generator": SEED,
    "int | np.random.Generator": SEED,
}

UNIT = number("(0, 1)")
NATURAL = number("[0, inf)")
POSITIVE = number("(0, inf)")
HALF = number("(0, 1/2]")
SHARES = numbers("[0, 1]")

NAMES = {
    "X": BITS_FOR_TREE,
    "alpha": NATURAL,
    "ax": Kind(st.just(Axes), lambda v: v is Axes or v is None),
    "c": POSITIVE,
    "class_names": class_names("no yes"),
    "classes": fixed(None),
    "code": whole(0, 255),
    "codes": codes(15),
    "cost": costs(dt.COST_FUNCTIONS),
    "delta": UNIT,
    "depth": whole(1, MOST),
    "epsilon": number("(0, 1/2)"),
    "error": number("[0, 1/2]"),
    "feature_names": names("u v w"),
    "folds": whole(2, M),
    "gamma": HALF,
    "grown_on": Kind(st.just((X, Y)), never),
    "k": whole(0, RUN.n_calls - 1),
    "l_v": counts(0, 1 << 24),
    "leaves": whole(1),
    "loss": fixed(None),
    "m": whole(1, MOST),
    "m_v": counts(0, MOST),
    "max_calls": whole(1, drawn=[10**5]).clashing,
    "max_depth": whole(),
    "max_leaves": whole(1),
    "memo_bytes": whole(drawn=[1 << 20]),
    "min_impurity_decrease": NATURAL,
    "min_samples_leaf": whole(1),
    "min_weight_fraction_leaf": number("[0, 1/2]"),
    "mu": distribution(3),
    "n": whole(0, DEEPEST, drawn=range(6)),
    "n_classes": whole(2, sure=99),
    "n_leaves": whole(1, PATH.n_leaves),
    "n_tests": whole(1, MOST),
    "n_v": counts(1, 1 << 25),
    "names": names("u v w"),
    "nodes": whole(1),
    "p": SHARES,
    "q": SHARES,
    "r": whole(sure=9),
    "rank": whole(drawn=range(4)),
    "sample_weight": weights(M),
    "seed": SEED,
    "size": whole(2),
    "step": whole(0, MOST),
    "tau": SHARES,
    "text": TEXT,
    "tree": tree(GROWN),
    "unknown": choice("error", "missing", "larger"),
    "value": NATURAL.but(said="alpha"),
    "y": LABELED.clashing,
}

# -- what means something else to one function -----------------------------------------------------


def alike(kinds: dict[str, Kind], *functions: Any) -> dict[Any, dict[str, Kind]]:
    """The same kinds for several functions."""
    return dict.fromkeys(functions, kinds)


UNSURE = {"n": whole(sure=9)}
RULE_OF_DEPTHS = {
    "delta": number("[1, 3]", 1 - 1e-6, 3 + 1e-6),
    "depth": whole(1, MOST, drawn=[3]).clashing,
}
STEPS = line("iuf", lambda step: isinstance(step, int))
SPLITS = {
    name: Kind(
        st.just(plain), lambda v: None if STEPS(v) else False, arrays, ([], [-1], [9]), clashes=True
    )
    for name, plain in (
        ("split_node", PATH.split_node.tolist()),
        ("split_variable", PATH.split_variable.tolist()),
    )
}
OF_PREDICATES = {
    "predicates": table(M, 3, st.integers(0, 1), is_bit, BITS),
    "target": row(M, st.sampled_from([0, 0.25, 1]), lambda q: 0 <= q <= 1).but(
        plain=st.permutations([0, 1, 0.25, 0.5, 1, 0]).map(list), clashes=True
    ),
    "weights": weights(M),
}
BOUNDED = {"cost": choice(*growing.BOUNDED)}
ROWS = {"X": rows(4, 3)}
BY_N = {"n": whole(3, DEEPEST, drawn=range(3, 7))}
EPSILON = {"epsilon": number("[0, 1/2]")}
LARGE = number("[0, 1]", drawn=[0.5]).clashing

CLASS_WEIGHT = Kind(
    st.just({0: 1, 1: 2}),
    # What is in a mapping is tested elsewhere.
    lambda v: (
        None if isinstance(v, Mapping) else v is None or (isinstance(v, str) and v == "balanced")
    ),
    lambda _: [{np.int64(0): 1.0, 1: np.int8(2)}],
)

OTHERS: dict[Any, dict[str, Kind]] = {
    dt.BooleanFunction.from_int: {"n": whole(0, DEEPEST, drawn=[3]).clashing},
    dt.BooleanFunction.from_rule: {"n": whole(0, DEEPEST, drawn=[3]), "rule": fixed(lambda *_: 0)},
    dt.BooleanFunction.from_text: {
        "text": Kind(st.sampled_from(["x0", "0x2"]), never),
        "n": whole(1, DEEPEST, drawn=[2]),
        "variables": fixed(None),
    },
    dt.BooleanFunction.restrict: {"i": whole(0, 2), "b": whole(0, 1)},
    dt.ProductDistribution.sample: {"m": whole(0, sure=10**6)},
    dt.ProductDistribution.uniform: {"n": whole(0, 10**6)},
    dt.Tree.apply: {**ROWS, "weight": fixed([1.0] * TREE.n_nodes)},
    dt.Tree.predict: ROWS,
    dt.Tree.apply_cube: BY_N,
    dt.Tree.function: BY_N,
    dt.Tree.from_dict: {"data": Kind(st.just(PARTS), never)},
    dt.Tree.leaf: {"value": Kind(st.just("a"), scalar), "is_regression": fixed(False)},
    dt.Tree.split: {
        "variable": whole(0, 2**31 - 1),
        "low": tree(LEAF),
        "high": tree(LEAF),
        "threshold": number("(-inf, inf)", drawn=[0.5]),
        "subset": fixed(None),
    },
    dt.Tree.average_depth: {"mu": distribution(3, more=True)},
    dt.Tree.reach: {"mu": distribution(3, more=True)},
    influence.GrowthPath.n_leaves_for: EPSILON,
    influence.GrowthPath.nodes: EPSILON,
    influence.GrowthPath.tree: EPSILON,
    influence.GrowthPath.predict: {**ROWS, **EPSILON},
    influence.InfluencePath.alternatives: {"node": whole(0, 2 * PATH.n_splits)},
    influence.OptimalTrees.tree: {"measure": choice("n_leaves", "depth", "rank", "average_depth")},
    influence.score_floor_by_cost: {"cost": NATURAL},
    influence.worst_case_costs: {"steps": whole(0, 10**6)},
    influence.greedy_all: {"n": whole(0, 5, drawn=[2]).clashing},
    dt.optimal_all: {"n": whole(0, 5, drawn=[2]).clashing, "mu": fixed(None)},
    dt.atlas.npn_classes: {"n": whole(0, 5, drawn=range(4))},
    dt.atlas.npn_canonical: {"n": whole(0, 5, drawn=[2]).clashing},
    rank.find_run: {"rank": whole(drawn=range(4), sure=MOST)},
    rank.count_reduced_trees: {"n": whole(0, 20)},
    rank.count_trees_of_size: {"n": whole(sure=99), "leaves": whole(1, 10**5)},
    rank.functions_by_rank: {"n": whole(0, 4)},
    rank.reduced_trees: {"n": whole(0, 3, drawn=range(3))},
    rank.log_function_bound: UNSURE,
    rank.most_leaves: UNSURE,
    **alike(
        {**UNSURE, "leaf": whole(0, MOST), "call": whole(0, MOST)},
        rank.recurrence,
        rank.recurrence_bound,
    ),
    rank.pac_errors: {"m": counts(1, 10**18), "rank": whole(drawn=[3]).clashing},
    rank.random_tree: {"n": whole(sure=99, drawn=[6]).clashing, "rank": whole(0, 6)},
    rank.sample_size: {"epsilon": UNIT, "log_functions": POSITIVE},
    rank.sample_size_for_nodes: {
        "epsilon": UNIT,
        "n": whole(1, drawn=[9]).clashing,
        "nodes": whole(1, drawn=range(2, 10)).clashing,
    },
    rank.sample_size_for_rank: {
        "epsilon": UNIT,
        "n": whole(1, sure=99, drawn=[9]).clashing,
        "r": whole(1, 9),
    },
    product.SampledRun.tree: {
        "epsilon": EPSILON["epsilon"].but(plain=st.just(0.5)).clashing,
        "n_leaves": whole(1, SAMPLED.n_leaves),
    },
    product.build_top_down_approximate: {"share": number("(0, 1]")},
    product.build_top_down_sampled: {
        "f": function().but(rule=callable, plain=st.just(F.majority(3))),
        "epsilon": number("(0, 1/2)", drawn=[0.375]).clashing,
        "delta": number("(0, 1)", drawn=[0.5]).clashing,
        "mu": distribution(3).but(plain=st.just(dt.ProductDistribution([0.25, 0.5, 0.75]))),
        "max_samples": whole(1, drawn=[10**8]).clashing,
        "scale": number("(0, inf)", drawn=[0.5]).clashing,
    },
    product.pairs_needed: {"n": whole(1, MOST)},
    product.proved_bound_bits: {
        "delta": RULE_OF_DEPTHS["delta"].clashing,
        "depth": RULE_OF_DEPTHS["depth"],
        "largest": number("[1, 3]", 1 - 1e-6, 3 + 1e-6, drawn=[3.0]).clashing,
    },
    product.replay: SPLITS,
    product.score_floor_by_cost: {"cost": NATURAL, "delta": POSITIVE},
    product.score_floor_by_error: {"delta": POSITIVE},
    product.score_floor_by_variation: {"delta": POSITIVE, "variation": number("[0, 1/2]")},
    product.size_bound_bits: RULE_OF_DEPTHS,
    product.variation_bound_bits: RULE_OF_DEPTHS,
    impurity.ImpurityPath.alternatives: {"node": whole(0, 2 * IMPURITY_PATH.n_splits)},
    impurity.ImpurityPath.tree_for_gaps: {**EPSILON, "n_leaves": whole(1, IMPURITY_PATH.n_leaves)},
    dt.grow: {"X": NUMBERS, "class_names": fixed(None)},
    **alike(
        {"X": NUMBERS},
        dt.id3,
        impurity.best_split,
        dt.TopDownClassifier.fit,
        dt.TopDownRegressor.fit,
    ),
    impurity.threshold_scan: {"x": fixed([0, 3, 1, 2, 2, 5])},
    impurity.optimal_tree: {"depth": whole().clashing},
    impurity.cost_at: {"position": number("[0, 3]")},
    impurity.gini: {"p": vectors()},
    impurity.entropy: {"p": vectors(2)},
    impurity.kl: {"p": vectors(2), "q": vectors()},
    impurity.squared_loss: {
        "y": row(3, dyadic(-4, 4), math.isfinite).but(
            rule=line("biuf", lambda label: abs(label) <= 1e140, 1), edges=([1e140], [-1e141])
        )
    },
    dt.grow_predicates: OF_PREDICATES,
    growing.edges: OF_PREDICATES,
    dt.grow_votes: {
        "gamma": number("(0, 1/2)", drawn=[0.125, 0.25, 0.375]),
        "epsilon": number("(0, 1/2]", drawn=[0.25]),
        "max_depth": whole(1, 1500),
    },
    growing.VoteGrowth.log_leaves_for: {
        "epsilon": number("(0, 1/2]", drawn=[0.125, 0.375]).clashing
    },
    growing.adversarial_leaves: {
        "splits": whole(1, 10**7),
        "c": number("(1, inf)"),
        "epsilon": HALF,
    },
    growing.children: {"gamma": numbers("[-1/2, 1/2]")},
    growing.contraction: {"gamma": number("[0, 1/2]")},
    growing.cost_bound: {"log_leaves": numbers("[0, inf)"), **BOUNDED},
    growing.cost_shape: {"G": Kind(st.sampled_from([*dt.COST_FUNCTIONS.values()]), callable)},
    growing.drop: {"r": SHARES},
    growing.edge: {"r": SHARES},
    growing.has_good_leaf: {
        "weights": weights(3).but(rule=holds("biuf", lambda w: 0 <= w < np.inf, (3,))).clashing,
        "errors": row(3, st.sampled_from([0, 0.25, 0.5]), lambda e: 0 <= e <= 0.5).clashing,
    },
    growing.leaf_drop_floor: {"gamma": numbers("[0, 1/2]"), **BOUNDED},
    growing.log_leaves_enough: {"epsilon": HALF, **BOUNDED},
    growing.tree_drop_floor: {
        "G": numbers("[0, 1/2]").but(edges=(0.0, -1e-6, 0.5 + 1e-6)),
        "leaves": numbers("[1, inf)"),
        **BOUNDED,
    },
    **alike(
        {"epsilon": LARGE, "n_leaves": whole(1).clashing},
        pruning.PruningPath.tree,
        pruning.PruningPath.pruning,
    ),
    **alike(
        {"epsilon": LARGE, "n_leaves": whole(1).clashing, "d": whole(drawn=[3]).clashing},
        pruning.SmallestPrunings.tree,
        pruning.SmallestPrunings.pruning,
    ),
    pruning.CrossValidatedPruning.predict: ROWS,
    pruning.srm_prune: {"factor": NATURAL},
    pruning.cross_validated_prune: {"X": NUMBERS, "grow": Kind(st.just(dt.id3), callable)},
    pruning.bottom_up_penalty: {"n": whole(1, MOST)},
    pruning.count_paths: {"n": whole(sure=99), "depth": whole(sure=99)},
    pruning.count_trees: {
        "n": whole(sure=99),
        "nodes": whole(1, sure=99),
        "n_classes": whole(1, sure=99),
    },
    pruning.log_factor: {"n": whole(1), "n_classes": whole(2)},
    dt.plot.LetteredTree.letter: {"node": pictures.leaf(TREE)},
    dt.plot.tree: pictures.of_tree(PATH),
    dt.plot.lettered: {
        "tree": pictures.of_tree(PATH)["tree"],
        "among": choice("leaves", "splits"),
    },
    dt.plot.growth: {**pictures.of_growth(PATH), **EPSILON},
    dt.plot.hypercube: {"f": function(1, 4), "direction": whole(0, 2)},
    dt.plot.label_line: {"line": Kind(st.just(Line2D), lambda v: v is Line2D)},
    dt.plot.level_line: {
        "y": number("(-inf, inf)", drawn=[0.25]),
        "color": choice(*dt.plot.COLORS),
    },
    F.caterpillar: {"k": whole(0, 7, drawn=range(4))},
    F.dictator: {"n": whole(1, DEEPEST, drawn=[3]).clashing, "i": whole(0, 2)},
    F.majority: {"n": odd(DEEPEST, 3)},
    F.multiplexer: {"address_bits": whole(0, 4, drawn=range(3))},
    F.parity_multiplexer: {
        "selector_n": odd(DEEPEST - 1, 3).clashing,
        "parity_bits": whole(1, 10, drawn=[2]).clashing,
    },
    F.tribes: {
        "width": whole(1, DEEPEST, drawn=[2]).clashing,
        "count": whole(1, 12, drawn=[2]).clashing,
    },
    F.threshold: {"weights": EXACT, "threshold": EXACT},
    dt.datasets.Dataset.split: {"sizes": whole(1, 644)},
    dt.from_sklearn: {
        "estimator": Kind(
            st.just(DecisionTreeClassifier(random_state=0).fit(X, Y)),
            lambda v: isinstance(v, DecisionTreeClassifier),
        )
    },
}

WRAPPED: dict[Any, Callable[..., Any]] = {
    F.threshold: lambda weights, threshold: F.threshold([1, weights], threshold),
    dt.datasets.Dataset.split: lambda sizes, seed: OBJECTS[dt.datasets.Dataset].split(
        400, sizes, seed=seed
    ),
    # What junk that can be called does is the reader's affair.
    growing.cost_shape: lambda G: growing.cost_shape(
        dt.COST_FUNCTIONS["gini"] if callable(G) else G
    ),
    pruning.cross_validated_prune: lambda grow, **given: pruning.cross_validated_prune(
        grow=dt.id3 if callable(grow) else grow, **given
    ),
    product.build_top_down_sampled: lambda f, **given: product.build_top_down_sampled(
        F.majority(3) if callable(f) else f, **given
    ),
    dt.plot.tree: pictures.of_text(pictures.on_axes(dt.plot.tree)),
    dt.plot.label_line: pictures.on_axes(dt.plot.label_line),
    **{
        draw: pictures.on_axes(draw)
        for draw in (dt.plot.growth, dt.plot.hypercube, dt.plot.level_line)
    },
}

# Makers of objects, and the cost functions, which are in no list of names.
MORE: dict[Any, dict[str, Kind]] = {
    dt.BooleanFunction: {
        "n": whole(0, DEEPEST, drawn=[2]).clashing,
        "table": row(4, st.integers(0, 1), is_bit, BITS),
    },
    dt.ProductDistribution: {
        "p": row(3, dyadic(0, 1), bool).but(
            rule=unless_objects(line("iuf", lambda q: 0 < q < 1)), edges=([], [0.0], [1.0], [[0.5]])
        )
    },
    dt.Tree: {
        "variable": Kind(st.just([0, -1, -1]), never),
        "value": Kind(st.just([0, 1, 2]), or_none(THREE)),
        "threshold": row(3, st.integers(0, 3), math.isfinite).optional,
    },
    **{
        maker: {
            "max_leaves": whole(1).optional,
            "max_depth": whole().optional,
            "min_samples_leaf": NAMES["min_samples_leaf"],
            "min_weight_fraction_leaf": NAMES["min_weight_fraction_leaf"],
            "min_impurity_decrease": NATURAL,
            "ccp_alpha": NATURAL,
            **more,
        }
        for maker, more in (
            (
                dt.TopDownClassifier,
                {"class_weight": CLASS_WEIGHT, "cost": costs(impurity.CLASS_COST_FUNCTIONS)},
            ),
            (dt.TopDownRegressor, {}),
        )
    },
    **alike({"q": numbers("[0, 1]").but(edges=(-1e-6, 1.1))}, *dt.COST_FUNCTIONS.values()),
}


# -- arguments that are parts of others, or have no name -------------------------------------------


def part_of_tree(name: str) -> Callable[[Any], Any]:
    return lambda value: dt.Tree.from_dict({**PARTS, name: value})


def bits_or_index(value: Any) -> bool:
    """A code of three bits, or rows of them."""
    if isinstance(value, np.ndarray):
        return value.ndim == 2 and value.shape[1] == 3 and bool(bits(value))
    return isinstance(value, (int, np.integer)) and integer(0, 7)(value)


def point(value: Any) -> bool:
    index = isinstance(value, (int, np.integer)) and integer(0)(value)
    return index or isinstance(value, range) or bool(THREE(value))


bits = holds("biuf", lambda entry: entry in (0, 1))
BIT = Kind(st.just(1), lambda v: isinstance(v, (Real, np.bool_)) and v in (0, 1))
BIAS = Kind(st.just(0.25), lambda v: real(lambda q: 0 < q < 1)(v) or isinstance(v, Decimal))
GROWTH = Kind(st.just(GROWN), lambda v: isinstance(v, (dt.Tree, influence.GrowthPath)))
ALONE: tuple[tuple[str, Kind, Callable[[Any], Any]], ...] = (
    ("rule", BIT, lambda v: dt.BooleanFunction.from_rule(1, lambda _: v)),
    ("rule", BIT, lambda v: dt.BooleanFunction.from_rule(1, lambda *_: v)),
    (
        "variables",
        Kind(st.just(["a"]), or_none(are_names)),
        lambda v: dt.BooleanFunction.from_text("1", variables=v),
    ),
    ("x", Kind(st.just(5), bits_or_index, edges=([0, 1, 1, 0],)), PARITY),
    ("p", BIAS, lambda v: dt.ProductDistribution([0.5, v])),
    ("x", Kind(st.just([0, 1, 1]), point), TREE),
    ("names", TEXT, lambda v: TREE.to_text([v, "u", "v"])),
    ("variable", Kind(st.just(PARTS["variable"]), never), part_of_tree("variable")),
    ("value", Kind(st.just(PARTS["value"]), lambda v: v is None), part_of_tree("value")),
    ("threshold", Kind(st.none(), lambda v: v is None), part_of_tree("threshold")),
    (
        "sample_weight of grown_on",
        weights(M),
        lambda v: pruning.srm_prune(GROWN, X, Y, grown_on=(X, Y, v)),
    ),
    ("grow", GROWTH, lambda v: pruning.cross_validated_prune(X, Y, lambda *_: v)),
)
"""The argument that is replaced, its kind, and what is called with it."""

# A call may be made with one of these at most.
ONE_OF = ("n_leaves", "epsilon", "value", "d")

LEFT = {
    "show_source": "functions of the package: tests/core/test_source_listing",
    "table": "rows, header and formats: tests/core/test_table",
    "explain": "rows of every form: tests/core/test_tree_rules",
    "rules": "samples that fit a tree: tests/core/test_tree_rules",
    "Tree.score": "samples that fit a tree: tests/core/test_tree_rules",
    "labeled": "arrays over nodes, which the package makes",
    "cut": "masks over nodes, which the package makes",
    "predict_proba": "samples that fit a tree: tests/core/test_node_sums",
    "feature_importances": "which tree, as of tree(): tests/core/test_node_sums",
    "permutation_importance": "samples that fit a tree: tests/core/test_node_sums",
    "contributions": "rows of every form: tests/core/test_tree_rules",
    "relabel": "matrices of losses: tests/pruning/test_losses",
    "altered": "parts of a tree, which the package makes",
    "totals": "arrays over nodes, which the package makes",
    "way": "a step of the package's own loop",
    "BetaCost": "what growth asks of a cost: tests/core/test_beta_costs",
    "NodeCounts": "arrays over nodes, which the package makes",
    "TopDown": "what is fitted: tests/impurity/test_estimators",
    "regions": "samples that fit a tree: tests/plot/test_regions",
    "plot.path": "samples that fit a tree: tests/plot/test_paths",
    "card": "a card of the atlas: tests/atlas",
}


class Call(NamedTuple):
    """A public function, how to call it, and the kinds of its arguments."""

    name: str
    public: Any
    function: Callable[..., Any]
    kinds: dict[str, Kind]


def public() -> Iterator[tuple[str, Any, Any]]:
    """Each public function and method once: its name, itself, and the class that it is of."""
    known: set[Any] = set()
    rooms = (
        *CHAPTERS,
        "atlas",
        "plot",
        "core.boolean.functions",
        "core.boolean.measures",
        "core.data.datasets",
    )
    for room in ("dtviz", *[f"dtviz.{room}" for room in rooms]):
        package = importlib.import_module(room)
        for name in package.__all__:
            value = getattr(package, name)
            of_class = inspect.isclass(value) and not name.endswith(("Explorer", "Error"))
            found = inspect.getmembers(value, is_ours) if of_class else [("", value)]
            for key, member in found:
                function = plain_function(member)
                if isinstance(function, FunctionType) and function not in known and key[:1] != "_":
                    known.add(function)
                    yield f"{room}.{name}.{key}".strip("."), function, value if key else None


def is_ours(member: object) -> bool:
    """Whether it is a function of this package."""
    of = isinstance(member, (FunctionType, MethodType))
    return of and str(getattr(member, "__module__", "")).startswith("dtviz.")


def plain_function(function: Any) -> Any:
    """A function as it is defined, that of a bound method among them."""
    return getattr(function, "__func__", function)


OWN = {plain_function(function): kinds for function, kinds in OTHERS.items()}


def kind_of(called: Any, parameter: inspect.Parameter) -> Kind:
    """The kind of an argument, by the function, by its annotation or by its name."""
    name, annotation = parameter.name, str(parameter.annotation).split(" | ")[0]
    kind = OWN.get(called, {}).get(name) or ANNOTATIONS.get(annotation) or NAMES[name]
    return kind.optional if parameter.default is None else kind


def calls() -> Iterator[Call]:
    """Every call of what is listed in the rooms of the package, and of `MORE`."""
    for name, called, of in public():
        parameters = [*inspect.signature(called).parameters.values()][of is not None :]
        if not parameters or any(part in name for part in LEFT):
            continue
        kinds = {one.name: kind_of(called, one) for one in parameters}
        bound = getattr(OBJECTS[of], called.__name__) if of else called
        call = WRAPPED.get(called, bound)
        either = [one.name for one in parameters if one.name in ONE_OF and one.default is None]
        for one in either if len(either) > 1 else [""]:
            given = {key: kinds[key] for key in kinds if not one or key == one or key not in either}
            label = name.removeprefix("dtviz.") + f" by {one}" * bool(one)
            yield Call(label, called, call, given)
    for maker, kinds in MORE.items():
        made = fitted(maker) if maker.__name__.startswith("TopDown") else maker
        yield Call(maker.__name__, maker, made, kinds)
    for k, (name, kind, called) in enumerate(ALONE):
        yield Call(f"{name} {k}", None, partial(call_with, called, name), {name: kind})


def call_with(function: Callable[[Any], Any], name: str, **given: Any) -> Any:
    """A call of one argument, whatever it is called."""
    return function(given[name])


def fitted(maker: Callable[..., Any]) -> Callable[..., Any]:
    """An estimator's parameters are looked at when it is fitted."""
    return lambda **given: maker(**given).fit(X, Y).tree_
