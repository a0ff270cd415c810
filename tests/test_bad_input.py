"""Every argument of every public call of the ground floor meets every nasty value.

For each argument the rule is written down once more, independently. Where a value keeps the rule
the call must succeed. Where it breaks it, the call must raise a ValueError from within the package
that names the argument and shows the value, and never an error of NumPy's or a wrong answer.
"""

from __future__ import annotations

import math
import operator
from decimal import Decimal
from fractions import Fraction
from numbers import Real

import numpy as np
import pytest
from support.nasty import (
    MU,
    PARITY,
    PATH,
    TREE,
    flat,
    instance,
    integer,
    nasty,
    odd,
    or_none,
    real,
    sweep,
)

import dtviz as dt
from dtviz import influence, product
from dtviz.product import approximate

F = dt.functions
LEAF = dt.Tree.leaf(0)
HISTOGRAM = product.EdgeHistogram(PARITY)
SAMPLE = dt.points(3), PARITY.table
FEW = SAMPLE[0][:2], SAMPLE[1][:2]
CCP = dt.cost_complexity_path(TREE, *SAMPLE)


# -- the rules, by definition ----------------------------------------------------------------------


def biases(value):
    """A bias, or an array or a list of them, of any shape."""
    if not isinstance(value, (list, tuple, np.ndarray)):
        return real(lambda q: 0 < q < 1)(value)
    if isinstance(value, np.ma.MaskedArray):
        return False
    try:
        array = np.asarray(value)
    except ValueError:
        return False
    return array.dtype.kind in "iuf" and all(0 < q < 1 for q in array.ravel().tolist())


def restriction(value):
    return isinstance(value, dict) and all(i in range(3) and bit(b) for i, b in value.items())


def seed(value):
    return integer(0)(value) or isinstance(value, np.random.Generator)


def bit(value):
    return isinstance(value, (Real, np.bool_)) and value in (0, 1)


def rows(value):
    right = isinstance(value, np.ndarray) and not isinstance(value, np.ma.MaskedArray)
    return right and value.ndim == 2 and value.shape[1] >= 3 and not np.isnan(value).any()


def bits_or_index(value):
    if isinstance(value, np.ndarray):
        return rows(value) and bool(np.isin(value, (0, 1)).all())
    return isinstance(value, (int, np.integer)) and integer(0, 7)(value)


def point(value):
    index = isinstance(value, (int, np.integer)) and integer(0)(value)
    return index or isinstance(value, range) or flat(3, math.isfinite)(value)


def scalar(value):
    """What NumPy can hold as one thing that is not missing."""
    if isinstance(value, (float, np.floating)) and math.isnan(value):
        return False
    return np.ndim(value) == 0 if not isinstance(value, (list, tuple, range)) else False


def codes(value):
    """Codes of functions of 3 variables, in an array of any shape or in what becomes one."""
    if isinstance(value, (str, bytes, np.ma.MaskedArray)):
        return False
    try:
        array = np.asarray(value)
    except ValueError:
        return False
    if array.size == 0 and array.dtype == np.float64:
        return True
    return array.dtype.kind in "iu" and all(0 <= code < 256 for code in array.ravel().tolist())


def names(value):
    if not isinstance(value, (list, np.ndarray)):
        return False
    array = np.array(value, dtype=object)
    return array.size == 0 or (array.ndim == 1 and all(isinstance(one, str) for one in array))


def counts(value):
    """How many examples each of two rows counts as."""
    whole = flat(2, lambda weight: weight >= 0 and weight == int(weight))
    return whole(value) and sum(np.asarray(value).tolist()) > 0


def exact(value):
    """A finite number that stands for one fraction."""
    return isinstance(value, Fraction) or real(lambda _: True)(value) or integer(-math.inf)(value)


FUNCTION, ANY_FUNCTION = instance(dt.BooleanFunction, 3), instance(dt.BooleanFunction)
UNDER = or_none(instance(dt.ProductDistribution, 3))
EPSILON = real(lambda e: 0 <= e < 0.5)
ERROR = real(lambda e: 0 <= e < math.inf)
POSITIVE_EPSILON = real(lambda e: 0 < e < 0.5)
STEP = integer(0, 2**53)


def learn(**given):
    """The learner from samples, one of its arguments given."""
    usual = {"mu": None, "epsilon": 0.4, "delta": 0.5, "rng": 0}
    return dt.build_top_down_sampled(PARITY, **{**usual, **given}, progress=False)


CALLS = [
    ("n", integer(1, 1), lambda v: dt.BooleanFunction(v, [0, 1])),
    ("table", flat(2, lambda b: b in (0, 1)), lambda v: dt.BooleanFunction(1, v)),
    ("n", integer(0, 24), lambda v: dt.BooleanFunction.from_int(v, 0)),
    ("code", integer(0, 15), lambda v: dt.BooleanFunction.from_int(2, v)),
    ("n", integer(0, 24), lambda v: dt.BooleanFunction.from_rule(v, lambda _: 0)),
    ("rule", bit, lambda v: dt.BooleanFunction.from_rule(1, lambda _: v)),
    ("rule", bit, lambda v: dt.BooleanFunction.from_rule(1, lambda *_: v)),
    (
        "rule",
        flat(2, lambda b: b in (0, 1)),
        lambda v: dt.BooleanFunction.from_rule(1, lambda _: v, vectorized=True),
    ),
    (
        "vectorized",
        lambda v: isinstance(v, (bool, np.bool_)),
        lambda v: dt.BooleanFunction.from_rule(1, lambda x: x.T[0], vectorized=v),
    ),
    ("expression", lambda _: False, dt.BooleanFunction.from_expression),
    ("n", or_none(integer(1, 24)), lambda v: dt.BooleanFunction.from_expression("x0", v)),
    (
        "variables",
        or_none(names),
        lambda v: dt.BooleanFunction.from_expression("1", variables=v),
    ),
    ("n", integer(0, 24), lambda v: dt.BooleanFunction.from_dnf(v, [])),
    ("n", integer(0, 24), lambda v: dt.BooleanFunction.from_cnf(v, [])),
    (
        "terms",
        lambda v: isinstance(v, dict) and not v,
        lambda v: dt.BooleanFunction.from_dnf(2, [v]),
    ),
    ("clauses", bit, lambda v: dt.BooleanFunction.from_cnf(2, [{0: v}])),
    ("source", lambda _: False, dt.BooleanFunction.from_dimacs),
    ("source", lambda _: False, dt.BooleanFunction.from_pla),
    ("output", or_none(integer(0, 0)), lambda v: dt.BooleanFunction.from_pla(".i 1\n.o 1\n", v)),
    (
        "dont_care",
        or_none(bit),
        lambda v: dt.BooleanFunction.from_pla(".i 1\n.o 1\n", dont_care=v),
    ),
    ("n", integer(1, 24), lambda v: dt.BooleanFunction.from_bdd(v, {"a": (0, 0, 1)})),
    ("nodes", lambda _: False, lambda v: dt.BooleanFunction.from_bdd(1, {"a": v}, 0)),
    ("nodes", integer(0, 1), lambda v: dt.BooleanFunction.from_bdd(2, {"a": (v, 0, 1)})),
    (
        "root",
        or_none(lambda v: isinstance(v, (int, np.bool_)) and v in (0, 1)),
        lambda v: dt.BooleanFunction.from_bdd(1, {"a": (0, 0, 1)}, v),
    ),
    ("x", bits_or_index, PARITY),
    ("i", integer(0, 2), lambda v: PARITY.restrict(v, 0)),
    ("b", integer(0, 1), lambda v: PARITY.restrict(0, v)),
    ("p", lambda v: isinstance(v, list) and not v, dt.ProductDistribution),
    (
        "p",
        lambda v: real(lambda q: 0 < q < 1)(v) or isinstance(v, Decimal),
        lambda v: dt.ProductDistribution([0.5, v]),
    ),
    ("n", integer(0, 10**6), dt.uniform),
    ("n", integer(0, 24), dt.points),
    ("m", integer(0, 10**8), lambda v: MU.sample(v, 1)),
    ("rng", seed, lambda v: MU.sample(2, v)),
    ("n", integer(0, 24), F.parity),
    ("n", odd(24), F.majority),
    ("n", integer(0, 24), F.conjunction),
    ("n", integer(0, 24), F.disjunction),
    ("n", integer(0, 24), F.decision_list),
    ("n", integer(1, 24), lambda v: F.dictator(v, 0)),
    ("i", integer(0, 2), lambda v: F.dictator(3, v)),
    ("width", integer(1, 12), lambda v: F.tribes(v, 2)),
    ("count", integer(1, 12), lambda v: F.tribes(2, v)),
    ("address_bits", integer(0, 4), F.multiplexer),
    ("selector_n", odd(20), lambda v: F.parity_multiplexer(v, 2)),
    ("parity_bits", integer(1, 10), lambda v: F.parity_multiplexer(3, v)),
    ("k", integer(0, 7), F.caterpillar),
    ("weights", exact, lambda v: F.threshold([1, v], 1)),
    ("threshold", exact, lambda v: F.threshold([1, 2], v)),
    ("n", integer(0, 24), lambda v: F.random(v, 0)),
    ("seed", seed, lambda v: F.random(3, v)),
    *[
        ("f", ANY_FUNCTION, measure)
        for measure in (dt.mean, dt.error, dt.variance, dt.variation, dt.influences, dt.optimal)
    ],
    *[
        ("mu", UNDER, lambda v, measure=measure: measure(PARITY, v))
        for measure in (dt.mean, dt.error, dt.variance, dt.variation, dt.influences, dt.optimal)
    ],
    ("f", ANY_FUNCTION, dt.resample_influences),
    ("mu", UNDER, lambda v: dt.resample_influences(PARITY, v)),
    ("f", ANY_FUNCTION, dt.total_influence),
    ("mu", UNDER, lambda v: dt.total_influence(PARITY, v)),
    ("f", ANY_FUNCTION, dt.influence_counts),
    ("f", ANY_FUNCTION, dt.greedy_sizes),
    ("f", ANY_FUNCTION, dt.build_top_down),
    ("mu", UNDER, lambda v: dt.build_top_down(PARITY, v)),
    ("max_leaves", or_none(integer(1)), lambda v: dt.build_top_down(PARITY, max_leaves=v)),
    ("tree", instance(dt.Tree), lambda v: dt.leaf_scores(v, PARITY)),
    ("f", FUNCTION, lambda v: dt.leaf_scores(TREE, v)),
    ("mu", UNDER, lambda v: dt.leaf_scores(TREE, PARITY, v)),
    ("tree", instance(dt.Tree), lambda v: dt.tree_cost(v, PARITY)),
    ("f", FUNCTION, lambda v: dt.tree_cost(TREE, v)),
    ("tree", instance(dt.Tree), lambda v: dt.tree_error(v, PARITY)),
    ("f", FUNCTION, lambda v: dt.tree_error(TREE, v)),
    ("mu", UNDER, lambda v: dt.tree_error(TREE, PARITY, v)),
    ("n", integer(0, 4), dt.optimal_all),
    ("n", integer(0, 5), lambda v: dt.optimal_all(v, codes=[0, 1])),
    ("mu", UNDER, lambda v: dt.optimal_all(3, v)),
    ("codes", or_none(codes), lambda v: dt.optimal_all(3, codes=v)),
    ("n", integer(0, 4), dt.greedy_all),
    ("codes", or_none(codes), lambda v: dt.greedy_all(3, v)),
    ("n", integer(0, 5), dt.npn_classes),
    ("n", integer(0, 5), lambda v: dt.npn_canonical(v, [0, 1])),
    ("codes", codes, lambda v: dt.npn_canonical(3, v)),
    ("error", real(lambda e: 0 <= e <= 0.5), lambda v: influence.score_floor_by_error(v, 1, 4)),
    ("step", STEP, lambda v: influence.score_floor_by_error(0.1, v, 4)),
    ("size", integer(2), lambda v: influence.score_floor_by_error(0.1, 1, v)),
    ("cost", real(lambda c: c >= 0), lambda v: influence.score_floor_by_cost(v, 1, 4, 0.1)),
    ("step", STEP, lambda v: influence.score_floor_by_cost(1, v, 4, 0.1)),
    ("size", integer(2), lambda v: influence.score_floor_by_cost(1, 1, v, 0.1)),
    ("epsilon", POSITIVE_EPSILON, lambda v: influence.score_floor_by_cost(1, 1, 4, v)),
    ("variance", real(lambda q: 0 <= q <= 1), lambda v: influence.influence_bound(v, 4)),
    ("size", integer(1), lambda v: influence.influence_bound(0.5, v)),
    ("variance", real(lambda q: 0 <= q <= 1), lambda v: influence.sharp_influence_bound(v, 4)),
    ("size", integer(1), lambda v: influence.sharp_influence_bound(0.5, v)),
    ("size", integer(2), lambda v: influence.worst_case_costs(v, 0.1, 3)),
    ("epsilon", POSITIVE_EPSILON, lambda v: influence.worst_case_costs(4, v, 3)),
    ("steps", integer(0, 10**7), lambda v: influence.worst_case_costs(4, 0.1, v)),
    ("size", integer(2), lambda v: influence.phases(v, 0.1)),
    ("epsilon", POSITIVE_EPSILON, lambda v: influence.phases(4, v)),
    ("f", ANY_FUNCTION, F.guarded),
    ("f", ANY_FUNCTION, product.EdgeHistogram),
    ("p", biases, HISTOGRAM.influences),
    ("p", biases, HISTOGRAM.resample_influences),
    ("p", biases, HISTOGRAM.mean),
    ("p", real(lambda q: 0 < q < 1), HISTOGRAM.exact_influences),
    ("bits", restriction, dt.optimal(PARITY).restricted),
    ("tree", instance(dt.Tree), lambda v: product.tree_variation(v, PARITY)),
    ("f", FUNCTION, lambda v: product.tree_variation(TREE, v)),
    ("mu", UNDER, lambda v: product.tree_variation(TREE, PARITY, v)),
    ("path", instance(dt.GrowthPath), product.path_variations),
    ("error", real(lambda e: 0 <= e <= 0.5), lambda v: product.score_floor_by_error(v, 1, 2)),
    ("step", STEP, lambda v: product.score_floor_by_error(0.1, v, 2)),
    ("delta", real(lambda d: d > 0), lambda v: product.score_floor_by_error(0.1, 1, v)),
    ("cost", real(lambda c: c >= 0), lambda v: product.score_floor_by_cost(v, 1, 2, 3)),
    ("depth", integer(1, 2**53), lambda v: product.score_floor_by_cost(0.1, 1, 2, v)),
    (
        "variation",
        real(lambda e: 0 <= e <= 0.5),
        lambda v: product.score_floor_by_variation(v, 1, 2),
    ),
    ("delta", real(lambda d: 1 <= d <= 3), lambda v: product.size_bound_bits(v, 3, 0.1)),
    ("depth", integer(1, 2**53), lambda v: product.size_bound_bits(1, v, 0.1)),
    ("epsilon", POSITIVE_EPSILON, lambda v: product.size_bound_bits(1, 3, v)),
    ("slack", real(lambda s: s >= 1), lambda v: product.size_bound_bits(1, 3, 0.1, v)),
    ("epsilon", POSITIVE_EPSILON, lambda v: product.abstract_bound_bits(1, 3, v)),
    ("delta", real(lambda d: 1 <= d <= 3), lambda v: product.variation_bound_bits(v, 3, 0.1)),
    ("delta", real(lambda d: 1 <= d <= 2), lambda v: product.proved_bound_bits(v, 2, 3, 0.1)),
    ("delta", real(lambda d: 1 <= d <= 3), lambda v: product.phases(v, 3, 0.1)),
    ("first_cost", or_none(real(lambda c: c >= 0)), lambda v: product.phases(2, 3, 0.1, v)),
    ("steps", integer(0, 10**7), lambda v: product.worst_case_costs(2, 3, 0.1, v)),
    ("mu", UNDER, lambda v: product.size_bounds(PARITY, v, 0.1)),
    ("epsilon", POSITIVE_EPSILON, lambda v: product.size_bounds(PARITY, None, v)),
    ("share", real(lambda s: 0 < s <= 1), lambda v: dt.build_top_down_approximate(PARITY, None, v)),
    ("rng", or_none(seed), lambda v: dt.build_top_down_approximate(PARITY, rng=v)),
    ("mu", UNDER, lambda v: dt.build_top_down_approximate(PARITY, v)),
    (
        "max_leaves",
        or_none(integer(1)),
        lambda v: dt.build_top_down_approximate(PARITY, max_leaves=v),
    ),
    ("mu", UNDER, lambda v: dt.replay(PARITY, v, [], [])),
    ("path", instance(dt.GrowthPath), approximate.best_scores),
    ("path", instance(dt.GrowthPath), approximate.chosen_shares),
    ("step", STEP, lambda v: product.pairs_needed(v, 3, 0.1, 0.1)),
    ("n", integer(1, 2**53), lambda v: product.pairs_needed(1, v, 0.1, 0.1)),
    ("epsilon", POSITIVE_EPSILON, lambda v: product.pairs_needed(1, 3, v, 0.1)),
    ("delta", real(lambda d: 0 < d < 1), lambda v: product.pairs_needed(1, 3, 0.1, v)),
    ("step", STEP, lambda v: product.examples_needed(v, 0.1, 0.1)),
    ("leaves", integer(1, 2**18), lambda v: product.samples_needed(v, 3, 0.1, 0.1)),
    ("n", integer(1, 2**53), lambda v: product.samples_needed(1, v, 0.1, 0.1)),
    ("mu", UNDER, lambda v: learn(mu=v)),
    ("epsilon", POSITIVE_EPSILON, lambda v: learn(epsilon=v)),
    ("delta", real(lambda d: 0 < d < 1), lambda v: learn(delta=v)),
    ("rng", seed, lambda v: learn(rng=v)),
    ("max_samples", integer(10**6), lambda v: learn(max_samples=v)),
    ("max_leaves", or_none(integer(1)), lambda v: learn(max_leaves=v)),
    ("variable", lambda _: False, dt.Tree),
    ("value", or_none(flat(3, math.isfinite)), lambda v: dt.Tree([0, -1, -1], v)),
    ("threshold", or_none(flat(3, math.isfinite)), lambda v: dt.Tree([0, -1, -1], [0, 0, 1], v)),
    ("value", scalar, dt.Tree.leaf),
    ("variable", integer(0, 2**31 - 1), lambda v: dt.Tree.split(v, LEAF, LEAF)),
    ("low", instance(dt.Tree), lambda v: dt.Tree.split(0, v, LEAF)),
    ("high", instance(dt.Tree), lambda v: dt.Tree.split(0, LEAF, v)),
    ("threshold", real(math.isfinite), lambda v: dt.Tree.split(0, LEAF, LEAF, v)),
    ("mu", UNDER, TREE.reach),
    ("mu", UNDER, TREE.average_depth),
    ("X", rows, TREE.apply),
    ("X", rows, TREE.predict),
    ("x", point, TREE),
    ("n", integer(3, 24), TREE.apply_cube),
    ("n", integer(3, 24), TREE.function),
    ("f", FUNCTION, TREE.complete),
    ("mu", UNDER, lambda v: TREE.complete(PARITY, v)),
    ("f", FUNCTION, TREE.leaf_masses),
    ("names", or_none(lambda _: False), TREE.to_text),
    ("names", lambda v: isinstance(v, str), lambda v: TREE.to_text([v, v, v])),
    ("max_depth", or_none(integer(0)), lambda v: TREE.to_text(max_depth=v)),
    ("names", or_none(lambda _: False), TREE.to_dot),
    ("data", lambda _: False, dt.Tree.from_dict),
    ("variable", lambda _: False, lambda v: dt.Tree.from_dict({**TREE.to_dict(), "variable": v})),
    ("value", lambda v: v is None, lambda v: dt.Tree.from_dict({**TREE.to_dict(), "value": v})),
    (
        "threshold",
        lambda v: v is None,
        lambda v: dt.Tree.from_dict({**TREE.to_dict(), "threshold": v}),
    ),
    ("epsilon", ERROR, PATH.n_leaves_for),
    ("epsilon", or_none(ERROR), lambda v: PATH.tree(epsilon=v)),
    ("n_leaves", or_none(integer(1, 8)), PATH.tree),
    ("n_leaves", or_none(integer(1, 8)), PATH.nodes),
    ("n_leaves", or_none(integer(1, 8)), lambda v: PATH.predict(SAMPLE[0], v)),
    ("epsilon", or_none(ERROR), lambda v: PATH.predict(SAMPLE[0], epsilon=v)),
    ("X", rows, PATH.predict),
    ("X", lambda v: rows(v) and len(v) == 1, lambda v: PATH.score(v, [0])),
    ("y", lambda _: False, lambda v: PATH.score(SAMPLE[0], v)),
    (
        "sample_weight",
        or_none(flat(2, lambda w: w >= 0)),
        lambda v: PATH.score(SAMPLE[0][:2], [0, 1], v),
    ),
    ("estimator", lambda _: False, dt.from_sklearn),
    ("model", lambda _: False, dt.from_lightgbm),
    ("model", lambda v: isinstance(v, list) and not v, dt.from_xgboost),
    (
        "feature_names",
        or_none(lambda v: isinstance(v, np.ndarray) and v.dtype.kind == "U"),
        lambda v: dt.from_xgboost([], v),
    ),
    (
        "model",
        lambda v: isinstance(v, (dt.Tree, dt.GrowthPath)),
        lambda v: dt.to_sklearn(v, *SAMPLE),
    ),
    ("X", lambda _: False, lambda v: dt.to_sklearn(TREE, v, SAMPLE[1])),
    ("y", lambda _: False, lambda v: dt.to_sklearn(TREE, SAMPLE[0], v)),
    ("tree", lambda v: isinstance(v, (dt.Tree, dt.GrowthPath)), dt.plot.tree),
    ("tree", instance(dt.Tree), lambda v: dt.reduced_error_prune(v, *SAMPLE)),
    ("tree", instance(dt.Tree), lambda v: dt.smallest_prunings(v, *SAMPLE)),
    ("X", lambda v: rows(v) and len(v) == 1, lambda v: dt.reduced_error_prune(TREE, v, [0])),
    ("grown_on", or_none(lambda _: False), lambda v: dt.srm_prune(TREE, *SAMPLE, grown_on=v)),
    *[
        (
            "sample_weight",
            or_none(counts),
            lambda v, prune=prune: prune(TREE, *FEW, sample_weight=v),
        )
        for prune in (
            dt.pruning.node_counts,
            dt.reduced_error_prune,
            dt.smallest_prunings,
            dt.srm_prune,
            dt.pruning.srm_path,
            dt.bottom_up_prune,
            dt.pruning.bottom_up_path,
            dt.cost_complexity_path,
        )
    ],
    (
        "sample_weight",
        or_none(counts),
        lambda v: dt.cost_complexity_prune(TREE, *FEW, 0.1, sample_weight=v),
    ),
    (
        "sample_weight of grown_on",
        or_none(counts),
        lambda v: dt.srm_prune(TREE, *FEW, grown_on=(*FEW, v)),
    ),
    ("delta", real(lambda d: 0 < d < 1), lambda v: dt.bottom_up_prune(TREE, *SAMPLE, delta=v)),
    ("c", real(lambda c: 0 < c < math.inf), lambda v: dt.bottom_up_prune(TREE, *SAMPLE, c=v)),
    ("n_tests", or_none(integer(1, 2**53)), lambda v: dt.bottom_up_prune(TREE, *SAMPLE, n_tests=v)),
    ("factor", real(lambda c: 0 <= c < math.inf), lambda v: dt.srm_prune(TREE, *SAMPLE, factor=v)),
    ("alpha", or_none(real(lambda a: 0 <= a < math.inf)), lambda v: CCP.tree(value=v)),
    (
        "alpha",
        real(lambda a: 0 <= a < math.inf),
        lambda v: dt.cost_complexity_prune(TREE, *SAMPLE, v),
    ),
    ("cost", lambda _: False, lambda v: dt.cost_complexity_path(TREE, *SAMPLE, cost=v)),
    ("d", or_none(integer(0)), lambda v: dt.smallest_prunings(TREE, *SAMPLE).tree(d=v)),
    ("n_leaves", or_none(integer(1)), dt.smallest_prunings(TREE, *SAMPLE).pruning),
    ("n_leaves", integer(1), dt.smallest_prunings(TREE, *SAMPLE).cuts),
    ("folds", integer(2, 8), lambda v: dt.cross_validated_prune(*SAMPLE, dt.find_min, folds=v)),
    ("rng", seed, lambda v: dt.cross_validated_prune(*SAMPLE, dt.find_min, rng=v)),
    (
        "grow",
        lambda v: isinstance(v, (dt.Tree, dt.GrowthPath)),
        lambda v: dt.cross_validated_prune(*SAMPLE, lambda *_: v),
    ),
    ("n", integer(0), lambda v: dt.pruning.count_paths(v, 2)),
    ("n", integer(0, 2**53), lambda v: dt.pruning.log_paths(v, [2])),
    ("n", integer(1, 2**53), lambda v: dt.pruning.log_trees(v, [2])),
    ("n", integer(1), dt.pruning.log_factor),
    ("split_variable", lambda _: False, lambda v: dt.GrowthPath(PATH.split_node, *[v] * 7)),
    ("split_node", lambda _: False, lambda v: dt.GrowthPath([v], *[v] * 7)),
]


@pytest.mark.parametrize(
    ("name", "rule", "call"), CALLS, ids=[f"{k}-{name}" for k, (name, _, _) in enumerate(CALLS)]
)
def test_every_value_is_used_or_refused_by_name(name, rule, call):
    sweep(name, rule, call)


PLANTED = [
    ("NumPy raises", "n", integer(0, 24), lambda v: dt.BooleanFunction(2, np.ones(2) * v)),
    ("another name", "size", integer(0, 24), F.parity),
    ("too strict", "n", integer(-1, 24), F.parity),
    ("silent", "k", integer(0, 24), lambda v: F.parity(v if isinstance(v, int) else 3)),
]


@pytest.mark.parametrize(
    ("name", "rule", "call"), [p[1:] for p in PLANTED], ids=[p[0] for p in PLANTED]
)
def test_the_sweep_finds_planted_faults(name, rule, call):
    with pytest.raises((AssertionError, pytest.fail.Exception, TypeError, ValueError)):
        sweep(name, rule, call)


@pytest.mark.parametrize("combine", [operator.and_, operator.or_, operator.xor])
def test_operators_refuse_everything_but_functions(combine):
    for value in nasty():
        if isinstance(value, dt.BooleanFunction):
            continue
        with pytest.raises(TypeError, match="BooleanFunction"):
            combine(PARITY, value)
        with pytest.raises(TypeError, match=r"BooleanFunction|unsupported operand"):
            combine(value, PARITY)


@pytest.mark.parametrize("ours", [PARITY, MU, TREE], ids=["function", "distribution", "tree"])
def test_comparison_with_anything_else_is_false(ours):
    for value in nasty():
        # A masked array compares element by element whatever the other operand says.
        if value is not ours and not isinstance(value, np.ma.MaskedArray):
            assert (ours == value) is False
            assert (value == ours) is False
            assert ours != value


def test_splits_know_their_indices():
    for value in nasty():
        if integer(-7, 6)(value) or value is True:
            assert PATH.splits[value].step == operator.index(value) % 7
        else:
            with pytest.raises((IndexError, TypeError), match="step must be"):
                _ = PATH.splits[value]


def test_numbers_of_any_kind_mean_the_same():
    assert (
        PATH.n_leaves_for(Fraction(1, 4))
        == PATH.n_leaves_for(0.25)
        == PATH.n_leaves_for(np.float32(0.25))
    )
    assert (
        dt.ProductDistribution([Fraction(1, 4), Decimal("0.25"), np.float32(0.25)]).p.tolist()
        == [0.25] * 3
    )
    assert F.parity(np.int64(3)) == F.parity(np.array(3)) == PARITY
    assert dt.BooleanFunction(1, [-0.0, 1.0]) == dt.BooleanFunction(1, (False, True))


def test_improbable_points_are_not_lost():
    """Weights below the smallest float would make an impure leaf look pure."""
    mu = dt.ProductDistribution([1e-200, 1e-200])
    with pytest.raises(ValueError, match=r"mu must give every point a probability >= 1e-290"):
        dt.build_top_down(F.parity(2), mu)
    assert (
        dt.build_top_down(F.parity(2), dt.ProductDistribution([1e-100, 1e-100])).n_leaves_for(0)
        == 4
    )


def test_labels_that_are_no_bits_make_no_function():
    tree = dt.Tree.split(0, dt.Tree.leaf(3), LEAF)
    with pytest.raises(ValueError, match=r"value must be 0 or 1 at every leaf, got \[3, 0\]"):
        tree.function(1)
    with pytest.raises(ValueError, match=r"value must be 0 or 1 at every leaf, got \['a'\]"):
        dt.Tree.leaf("a").function(1)


def test_trees_of_far_variables_say_what_they_need():
    far = dt.Tree.split(40, LEAF, dt.Tree.leaf(1))
    with pytest.raises(ValueError, match="variable must be below 24 to tabulate a tree, got x40"):
        far.function(24)
    # What does not tabulate works, whatever the index.
    huge = dt.Tree.split(2**31 - 1, LEAF, LEAF)
    assert huge.average_depth() == 1
    with pytest.raises(ValueError, match="variable must be from 0"):
        dt.Tree(np.array([2**64 - 1], dtype=np.uint64))
