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
    biases,
    choice,
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
}

LEAF = dt.Tree.leaf(1)
LEARNED = DecisionTreeClassifier(random_state=0)
PARTS = TREE.to_dict()
THREE = holds("biuf", math.isfinite, (3,))


def never(_: Any) -> bool:
    return False


def is_steps(value: Any) -> bool | None:
    """Integers in a line, of which not all make a path."""
    return None if line("iuf", lambda step: isinstance(step, int))(value) else False


def scalar(value: Any) -> bool:
    """What NumPy can hold as one thing that is not missing."""
    if isinstance(value, (float, np.floating)) and math.isnan(value):
        return False
    return np.ndim(value) == 0 if not isinstance(value, (list, tuple, range)) else False


ANNOTATIONS = {
    "bool": FLAG,
    "BooleanFunction": function(),
    "Cost": costs(dt.COST_FUNCTIONS),
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

CLASS_WEIGHT = Kind(
    st.just({0: 1, 1: 2}),
    # What is in a mapping is tested elsewhere.
    lambda v: (
        None if isinstance(v, Mapping) else v is None or (isinstance(v, str) and v == "balanced")
    ),
    lambda _: [{np.int64(0): 1.0, 1: np.int8(2)}],
)

KINDS = {
    "X": BITS_FOR_TREE,
    "alpha ccp_alpha factor min_impurity_decrease": NATURAL,
    "ax": Kind(st.just(Axes), lambda v: v is Axes or v is None),
    "c log_functions": POSITIVE,
    "call leaf step": whole(0, MOST),
    "class_names": names("no yes", of_classes=True),
    "class_weight": CLASS_WEIGHT,
    "classes loss subset variables": fixed(None),
    "code": whole(0, 255),
    "codes": codes(15),
    "color": choice(*dt.plot.COLORS),
    "cost": choice(*dt.COST_FUNCTIONS),
    "count": whole(1, 12, drawn=[2]).clashing,
    "delta": UNIT,
    "depth m n_tests": whole(1, MOST),
    "epsilon": number("(0, 1/2)"),
    "error min_weight_fraction_leaf variation": number("[0, 1/2]"),
    "feature_names names": names("u v w"),
    "folds": whole(2, M),
    "gamma": HALF,
    "grown_on": Kind(st.just((X, Y)), never),
    "k": whole(0, RUN.n_calls - 1),
    "l_v": counts(0, 1 << 24),
    "log_leaves": numbers("[0, inf)"),
    "m_v": counts(0, MOST),
    "max_calls": whole(1, drawn=[10**5]).clashing,
    "max_depth": whole(),
    "max_leaves min_samples_leaf nodes": whole(1),
    "memo_bytes": whole(drawn=[1 << 20]),
    "n": whole(0, DEEPEST, drawn=range(6)),
    "n_classes": whole(2, sure=99),
    "n_leaves": whole(1, PATH.n_leaves),
    "n_v": counts(1, 1 << 25),
    "p q tau": SHARES,
    "parity_bits": whole(1, 10, drawn=[2]).clashing,
    "position": number("[0, 3]"),
    "predicates": table(M, 3, st.integers(0, 1), is_bit, BITS),
    "r": whole(sure=9),
    "rank": whole(drawn=range(4)),
    "sample_weight weights": weights(M),
    "seed": SEED,
    "selector_n": odd(DEEPEST - 1, 3).clashing,
    "share": number("(0, 1]"),
    "size": whole(2),
    "sizes": whole(1, 644),
    "splits": whole(1, 10**7),
    "steps": whole(0, 10**6),
    "target": row(M, st.sampled_from([0, 0.25, 1]), lambda q: 0 <= q <= 1).but(
        plain=st.permutations([0, 1, 0.25, 0.5, 1, 0]).map(list), clashes=True
    ),
    "text": TEXT,
    "unknown": choice("error", "missing", "larger"),
    "value": NATURAL.but(said="alpha"),
    "width": whole(1, DEEPEST, drawn=[2]).clashing,
    "y": LABELED.clashing,
}
NAMES = {name: kind for alike, kind in KINDS.items() for name in alike.split()}

# What a name means to all of a chapter.
ROOMS: dict[str, dict[str, Kind]] = {
    "rank": {"epsilon": UNIT, "n": whole(sure=9), "leaves": whole(1, 10**5)},
    "product": {"delta": POSITIVE, "cost": NATURAL},
    "growing": {"cost": choice(*growing.BOUNDED), "epsilon": HALF, "r": SHARES},
    "pruning": {
        "d": whole(drawn=[3]).clashing,
        "epsilon": number("[0, 1]", drawn=[0.5]).clashing,
        "n": whole(sure=99),
        "n_leaves": whole(1).clashing,
    },
}


def alike(kinds: dict[str, Kind], *functions: Any) -> dict[Any, dict[str, Kind]]:
    """The same kinds for several functions."""
    return dict.fromkeys(functions, kinds)


RULE_OF_DEPTHS = {
    "delta": number("[1, 3]", 1 - 1e-6, 3 + 1e-6),
    "depth": whole(1, MOST, drawn=[3]).clashing,
}
ROWS = {"X": rows(4, 3)}
ERROR = {"epsilon": number("[0, 1/2]")}
TWO = {"n": whole(0, 5, drawn=[2]).clashing}

OTHERS: dict[Any, dict[str, Kind]] = {
    dt.BooleanFunction.from_int: {"n": whole(0, DEEPEST, drawn=[3]).clashing},
    dt.BooleanFunction.from_rule: {"n": whole(0, DEEPEST, drawn=[3]), "rule": fixed(lambda *_: 0)},
    dt.BooleanFunction.from_text: {
        "text": Kind(st.sampled_from(["x0", "0x2"]), never),
        "n": whole(1, DEEPEST, drawn=[2]),
    },
    dt.BooleanFunction.restrict: {"i": whole(0, 2), "b": whole(0, 1)},
    dt.ProductDistribution.sample: {"m": whole(0, sure=10**6)},
    dt.ProductDistribution.uniform: {"n": whole(0, 10**6)},
    dt.Tree.apply: {**ROWS, "weight": fixed([1.0] * TREE.n_nodes)},
    **alike({"n": whole(3, DEEPEST, drawn=range(3, 7))}, dt.Tree.apply_cube, dt.Tree.function),
    dt.Tree.from_dict: {"data": Kind(st.just(PARTS), never)},
    dt.Tree.leaf: {"value": Kind(st.just("a"), scalar), "is_regression": fixed(False)},
    dt.Tree.split: {
        "variable": whole(0, 2**31 - 1),
        "low": tree(LEAF),
        "high": tree(LEAF),
        "threshold": number("(-inf, inf)", drawn=[0.5]),
    },
    **alike({"mu": distribution(3, more=True)}, dt.Tree.average_depth, dt.Tree.reach),
    **alike(ROWS, dt.Tree.predict, pruning.CrossValidatedPruning.predict),
    **alike(ERROR, *(getattr(influence.GrowthPath, n) for n in ("n_leaves_for", "nodes", "tree"))),
    influence.GrowthPath.predict: {**ROWS, **ERROR},
    influence.InfluencePath.alternatives: {"node": whole(0, 2 * PATH.n_splits)},
    influence.OptimalTrees.tree: {"measure": choice("n_leaves", "depth", "rank", "average_depth")},
    influence.score_floor_by_cost: {"cost": NATURAL},
    dt.optimal_all: {**TWO, "mu": fixed(None)},
    **alike(TWO, influence.greedy_all, dt.atlas.npn_canonical),
    dt.atlas.npn_classes: {"n": whole(0, 5, drawn=range(4))},
    rank.find_run: {"rank": whole(drawn=range(4), sure=MOST)},
    rank.count_reduced_trees: {"n": whole(0, 20)},
    rank.functions_by_rank: {"n": whole(0, 4)},
    rank.reduced_trees: {"n": whole(0, 3, drawn=range(3))},
    rank.pac_errors: {"m": counts(1, 10**18), "rank": whole(drawn=[3]).clashing},
    rank.random_tree: {"n": whole(sure=99, drawn=[6]).clashing, "rank": whole(0, 6)},
    rank.sample_size_for_nodes: {
        "n": whole(1, drawn=[9]).clashing,
        "nodes": whole(1, drawn=range(2, 10)).clashing,
    },
    rank.sample_size_for_rank: {"n": whole(1, sure=99, drawn=[9]).clashing, "r": whole(1, 9)},
    product.SampledRun.tree: {"epsilon": number("[0, 1/2]", drawn=[0.5]).clashing},
    product.build_top_down_sampled: {
        "f": function().but(rule=callable, plain=st.just(F.majority(3))),
        "epsilon": number("(0, 1/2)", drawn=[0.375]).clashing,
        "delta": number("(0, 1)", drawn=[0.5]).clashing,
        "mu": distribution(3).but(plain=st.just(dt.ProductDistribution([0.25, 0.5, 0.75]))),
        "max_samples": whole(1, drawn=[10**8]).clashing,
        "scale": number("(0, inf)", drawn=[0.5]).clashing,
    },
    product.examples_needed: {"delta": UNIT},
    product.pairs_needed: {"delta": UNIT, "n": whole(1, MOST)},
    **alike(RULE_OF_DEPTHS, product.size_bound_bits, product.variation_bound_bits),
    product.proved_bound_bits: {
        **RULE_OF_DEPTHS,
        "delta": RULE_OF_DEPTHS["delta"].clashing,
        "largest": number("[1, 3]", 1 - 1e-6, 3 + 1e-6, drawn=[3.0]).clashing,
    },
    product.replay: {
        name: Kind(
            st.just(getattr(PATH, name).tolist()), is_steps, arrays, ([], [-1], [9]), clashes=True
        )
        for name in ("split_node", "split_variable")
    },
    impurity.ImpurityPath.alternatives: {"node": whole(0, 2 * IMPURITY_PATH.n_splits)},
    impurity.ImpurityPath.tree_for_gaps: ERROR,
    **alike({"X": NUMBERS, "class_names": fixed(None)}, dt.grow, dt.id3, impurity.best_split),
    impurity.threshold_scan: {"x": fixed([0, 3, 1, 2, 2, 5])},
    impurity.optimal_tree: {"depth": whole().clashing},
    impurity.gini: {"p": vectors()},
    impurity.entropy: {"p": vectors(2)},
    impurity.kl: {"p": vectors(2), "q": vectors()},
    impurity.squared_loss: {
        "y": row(3, dyadic(-4, 4), math.isfinite).but(
            rule=line("biuf", lambda label: abs(label) <= 1e140, 1), edges=([1e140], [-1e141])
        )
    },
    dt.grow_votes: {
        "gamma": number("(0, 1/2)", drawn=[0.125, 0.25, 0.375]),
        "epsilon": number("(0, 1/2]", drawn=[0.25]),
        "max_depth": whole(1, 1500),
    },
    growing.VoteGrowth.log_leaves_for: {"epsilon": number("(0, 1/2]", drawn=[0.125]).clashing},
    growing.adversarial_leaves: {"c": number("(1, inf)")},
    growing.children: {"gamma": numbers("[-1/2, 1/2]")},
    growing.contraction: {"gamma": number("[0, 1/2]")},
    growing.cost_shape: {"G": Kind(st.sampled_from([*dt.COST_FUNCTIONS.values()]), callable)},
    growing.has_good_leaf: {
        "weights": weights(3).but(rule=holds("biuf", lambda w: 0 <= w < np.inf, (3,))).clashing,
        "errors": row(3, st.sampled_from([0, 0.25, 0.5]), lambda e: 0 <= e <= 0.5).clashing,
    },
    growing.leaf_drop_floor: {"gamma": numbers("[0, 1/2]")},
    growing.tree_drop_floor: {
        "G": numbers("[0, 1/2]").but(edges=(0.0, -1e-6, 0.5 + 1e-6)),
        "leaves": numbers("[1, inf)"),
    },
    pruning.cross_validated_prune: {"X": NUMBERS, "grow": Kind(st.just(dt.id3), callable)},
    pruning.bottom_up_penalty: {"n": whole(1, MOST)},
    pruning.count_paths: {"depth": whole(sure=99)},
    pruning.count_trees: {"nodes": whole(1, sure=99), "n_classes": whole(1, sure=99)},
    pruning.log_factor: {"n": whole(1), "n_classes": whole(2)},
    dt.plot.LetteredTree.letter: {"node": pictures.leaf(TREE)},
    dt.plot.tree: pictures.of_tree(PATH),
    dt.plot.lettered: {**pictures.of_tree(PATH), "among": choice("leaves", "splits")},
    dt.plot.growth: {**pictures.of_growth(PATH), **ERROR},
    dt.plot.hypercube: {"f": function(1, 4), "direction": whole(0, 2)},
    dt.plot.label_line: {"line": Kind(st.just(Line2D), lambda v: v is Line2D)},
    dt.plot.level_line: {"y": number("(-inf, inf)", drawn=[0.25])},
    F.caterpillar: {"k": whole(0, 7, drawn=range(4))},
    F.dictator: {"n": whole(1, DEEPEST, drawn=[3]).clashing, "i": whole(0, 2)},
    F.majority: {"n": odd(DEEPEST, 3)},
    F.multiplexer: {"address_bits": whole(0, 4, drawn=range(3))},
    F.threshold: {"weights": EXACT, "threshold": EXACT},
    dt.from_sklearn: {
        "estimator": Kind(st.just(LEARNED.fit(X, Y)), instance(DecisionTreeClassifier))
    },
    dt.TopDownClassifier: {"cost": costs(impurity.CLASS_COST_FUNCTIONS)},
    dt.BooleanFunction: {
        "n": whole(0, DEEPEST, drawn=[2]).clashing,
        "table": row(4, st.integers(0, 1), is_bit, BITS),
    },
    dt.ProductDistribution: {"p": biases(3)},
    dt.Tree: {
        "variable": Kind(st.just([0, -1, -1]), never),
        "value": Kind(st.just([0, 1, 2]), or_none(THREE)),
        "threshold": row(3, st.integers(0, 3), math.isfinite).optional,
    },
    **alike({"q": numbers("[0, 1]").but(edges=(-1e-6, 1.1))}, *dt.COST_FUNCTIONS.values()),
}


def spare(function: Callable[..., Any], **instead: Any) -> Callable[..., Any]:
    """A function that gets none of the junk that can be called, which is the reader's affair."""

    def spared(**given: Any) -> Any:
        return function(**given | {key: instead[key] for key in instead if callable(given[key])})

    return spared


WRAPPED: dict[Any, Callable[..., Any]] = {
    F.threshold: lambda weights, threshold: F.threshold([1, weights], threshold),
    dt.datasets.Dataset.split: lambda sizes, seed: OBJECTS[dt.datasets.Dataset].split(
        400, sizes, seed=seed
    ),
    growing.cost_shape: spare(growing.cost_shape, G=dt.COST_FUNCTIONS["gini"]),
    pruning.cross_validated_prune: spare(pruning.cross_validated_prune, grow=dt.id3),
    product.build_top_down_sampled: spare(product.build_top_down_sampled, f=F.majority(3)),
    dt.plot.tree: spare(dt.plot.tree, leaf_text=str),
}


MAKERS: tuple[Any, ...] = (dt.BooleanFunction, dt.ProductDistribution, dt.Tree)
"""Not every argument of these is tried."""


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
    "functions of the package: tests/core/test_source_listing": "show_source",
    "rows, header and formats: tests/core/test_table": "table",
    "rows of every form: tests/core/test_tree_rules": "explain contributions",
    "samples that fit a tree: tests/core/test_tree_rules": "rules Tree.score",
    "samples that fit a tree: tests/core/test_node_sums": "predict_proba permutation_importance",
    "which tree, as of tree(): tests/core/test_node_sums": "feature_importances",
    "matrices of losses: tests/pruning/test_losses": "relabel",
    "samples that fit a tree: tests/plot": "regions plot.path",
    "what growth asks of a cost: tests/core/test_beta_costs": "BetaCost",
    "what is fitted: tests/impurity/test_estimators": "TopDown",
    "a card of the atlas: tests/atlas": "card",
    "arrays, parts and steps that the package makes": "labeled cut altered totals NodeCounts",
}
"""Where functions are driven that are not called here: parts of their names."""
ELSEWHERE = " ".join(LEFT.values()).split()


class Call(NamedTuple):
    """A public function, how to call it, and the kinds of its arguments."""

    name: str
    public: Any
    function: Callable[..., Any]
    kinds: dict[str, Kind]

    @property
    def plain(self) -> st.SearchStrategy[dict[str, Any]]:
        """Good arguments."""
        return st.fixed_dictionaries({name: kind.plain for name, kind in self.kinds.items()})


def public() -> Iterator[tuple[str, Any, Any]]:
    """Each public function and method once: its name, itself, and the class that it is of."""
    known: set[Any] = set()
    core = "core.boolean.functions core.boolean.measures core.data.datasets"
    rooms = (*CHAPTERS, "atlas", "plot", *core.split())
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
    """The kind of an argument, by the function, by annotation, by chapter or by name."""
    name, annotation = parameter.name, str(parameter.annotation).split(" | ")[0]
    of_room = ROOMS.get(called.__module__.split(".")[1], {}).get(name)
    own = OWN.get(called, {}).get(name)
    kind = own or ANNOTATIONS.get(annotation) or of_room or NAMES[name]
    return kind.optional if parameter.default is None else kind


def calls() -> Iterator[Call]:
    """Every call of what is listed in the rooms of the package, and of the makers of objects."""
    for name, called, of in public():
        parameters = [*inspect.signature(called).parameters.values()][of is not None :]
        if not parameters or any(part in name for part in ELSEWHERE):
            continue
        kinds = {one.name: kind_of(called, one) for one in parameters}
        call = WRAPPED.get(called) or (getattr(OBJECTS[of], called.__name__) if of else called)
        call = pictures.on_axes(call) if "ax" in kinds else call
        either = [one.name for one in parameters if one.name in ONE_OF and one.default is None]
        for one in either if len(either) > 1 else [""]:
            given = {key: kinds[key] for key in kinds if not one or key == one or key not in either}
            label = name.removeprefix("dtviz.") + f" by {one}" * bool(one)
            yield Call(label, called, call, given)
    for made in (*MAKERS, *dt.COST_FUNCTIONS.values()):
        yield Call(made.__name__, made, made, OTHERS[made])
    for maker in (dt.TopDownClassifier, dt.TopDownRegressor):
        parameters = [*inspect.signature(maker).parameters.values()]
        kinds = {one.name: kind_of(maker, one) for one in parameters}
        yield Call(maker.__name__, maker, partial(fit, maker), kinds)
    for k, (name, kind, called) in enumerate(ALONE):
        yield Call(f"{name} {k}", None, partial(call_with, called), {name: kind})


def call_with(function: Callable[..., Any], **given: Any) -> Any:
    """A call, whatever its arguments are called."""
    return function(*given.values())


def fit(maker: Callable[..., Any], **given: Any) -> Any:
    """An estimator's parameters are looked at when it is fitted."""
    return maker(**given).fit(X, Y).tree_
