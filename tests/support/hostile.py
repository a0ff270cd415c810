"""Calls with hostile sizes, a process of their own: each must answer, or refuse in a sentence.

``python hostile.py`` makes them one after another and writes for each, on a line: its name, how it
ended, and the seconds it took. Memory is limited, so that what would swallow the machine fails.
"""

from __future__ import annotations

import itertools
import resource
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import dtviz as dt
from dtviz import growing, influence, product, pruning, rank

MEMORY = 6 << 30
"""Address space in bytes: a few times what the largest answer takes."""

HUGE = (10**4, 10**6, 10**9, 10**19, 10**400)
REALS = (1e308, 1e-308, 1e-17, 10**400, 0.5)

F = dt.functions.majority(3)
PATH = dt.build_top_down(F)
X, Y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
TREE = dt.id3(X, Y)

# Arguments that work; each is replaced by every hostile value of its kind, then all at once.
SIZES: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "points": (dt.cube_points, {"n": 2}),
    "uniform": (dt.ProductDistribution.uniform, {"n": 2}),
    "uniform.sample": (lambda m: dt.ProductDistribution.uniform(3).sample(m, 0), {"m": 2}),
    "BooleanFunction": (dt.BooleanFunction, {"n": 1, "table": [0, 1]}),
    "BooleanFunction.from_int": (dt.BooleanFunction.from_int, {"n": 1, "code": 1}),
    "BooleanFunction.from_rule": (lambda n: dt.BooleanFunction.from_rule(n, max), {"n": 1}),
    "BooleanFunction.from_rule, bits": (
        lambda n: dt.BooleanFunction.from_rule(n, lambda *x: x == ()),
        {"n": 1},
    ),
    "BooleanFunction.from_text, formula": (
        lambda n, i: dt.BooleanFunction.from_text(f"x{written(i)} & ~x0", n),
        {"n": 2, "i": 1},
    ),
    "BooleanFunction.from_text, deep formula": (
        lambda k: dt.BooleanFunction.from_text("(" * min(k, 10**6) + "x0"),
        {"k": 1},
    ),
    "BooleanFunction.from_text": (
        lambda n, i: dt.BooleanFunction.from_text(f"0x{written(i)}", n),
        {"n": 2, "i": 1},
    ),
    "BooleanFunction.from_text, deep": (
        lambda k: dt.BooleanFunction.from_text("maj(" * min(k, 10**6) + "x0"),
        {"k": 1},
    ),
    "functions.threshold": (
        lambda w, x, t: dt.functions.threshold([w, x, -1, 0.1], t),
        {"w": 2, "x": 0.5, "t": 1},
    ),
    "functions.threshold, weights": (
        lambda k: dt.functions.threshold(itertools.repeat(1, min(k, sys.maxsize)), 1),
        {"k": 2},
    ),
    "table": (lambda k: dt.table([(1,)], ["n"], highlight=k), {"k": 0}),
    "optimal_all": (dt.optimal_all, {"n": 1}),
    "optimal_all, code": (lambda n, code: dt.optimal_all(n, codes=[code]), {"n": 5, "code": 1}),
    "greedy_all": (dt.influence.greedy_all, {"n": 1}),
    "greedy_all, code": (lambda n, code: dt.influence.greedy_all(n, [code]), {"n": 5, "code": 1}),
    "npn_classes": (dt.atlas.npn_classes, {"n": 1}),
    "npn_canonical": (lambda n, code: dt.atlas.npn_canonical(n, [code]), {"n": 5, "code": 1}),
    "random_tree": (lambda n, rank: dt.rank.random_tree(n, rank, 0), {"n": 3, "rank": 1}),
    "path.tree": (PATH.tree, {"n_leaves": 1}),
    "path.tree(epsilon)": (lambda epsilon: PATH.tree(epsilon=epsilon), {"epsilon": 0.1}),
    "build_top_down": (lambda k: dt.build_top_down(F, max_leaves=k), {"k": 2}),
    "build_top_down_approximate": (
        lambda share: dt.product.build_top_down_approximate(F, share=share),
        {"share": 0.5},
    ),
    "grow_function": (lambda k: dt.grow_function(F, max_leaves=k), {"k": 2}),
    "grow_predicates": (lambda k: dt.grow_predicates(X, Y, max_leaves=k), {"k": 2}),
    "grow": (lambda k: dt.grow(X, Y, max_leaves=k), {"k": 2}),
    "grow_votes": (
        lambda gamma, epsilon, depth: dt.grow_votes(gamma, epsilon=epsilon, max_depth=depth),
        {"gamma": 0.2, "epsilon": 0.1, "depth": 9},
    ),
    "find": (lambda r: dt.rank.find(X, Y, rank=r), {"r": 2}),
    "find, memory": (lambda room: dt.rank.find(X, Y, rank=2, memo_bytes=room), {"room": 2}),
    "find_run": (lambda r: dt.rank.find_run(X, Y, rank=r), {"r": 2}),
    "find_run, calls": (lambda k: dt.rank.find_run(X, Y, rank=2, max_calls=k), {"k": 99}),
    "find_min_runs": (lambda k: dt.rank.find_min_runs(X, Y, max_calls=k), {"k": 99}),
    "build_top_down_sampled": (
        lambda epsilon, delta, k: dt.product.build_top_down_sampled(
            F, None, epsilon, delta, 0, max_samples=k
        ),
        {"epsilon": 0.3, "delta": 0.1, "k": 10**6},
    ),
    "pac_errors": (lambda m: dt.rank.pac_errors(F, m, 0), {"m": 3}),
    "cross_validated_prune": (
        lambda folds: dt.pruning.cross_validated_prune(X, Y, dt.id3, folds=folds),
        {"folds": 2},
    ),
    "bottom_up_prune": (
        lambda delta, c, n: dt.pruning.bottom_up_prune(TREE, X, Y, delta, c, n_tests=n),
        {"delta": 0.1, "c": 2.0, "n": 3},
    ),
    "bottom_up_path": (
        lambda delta, n: pruning.bottom_up_path(TREE, X, Y, delta=delta, n_tests=n),
        {"delta": 0.1, "n": 3},
    ),
    "bottom_up_path, weights": (
        lambda w, v: pruning.bottom_up_path(TREE, X, Y, sample_weight=[w, v, 1, 1]),
        {"w": 2, "v": 2},
    ),
    "cost_complexity_path, weights": (
        lambda w, v: dt.pruning.cost_complexity_path(TREE, X, Y, sample_weight=[w, v, 1, 1]),
        {"w": 2, "v": 2},
    ),
    "smallest_prunings, weights": (
        lambda w, v: dt.pruning.smallest_prunings(TREE, X, Y, sample_weight=[w, v, 1, 1]).n_leaves,
        {"w": 2, "v": 2},
    ),
    "srm_prune": (lambda factor: dt.pruning.srm_prune(TREE, X, Y, factor=factor), {"factor": 1.0}),
    "cost_complexity_prune": (
        lambda a: dt.pruning.cost_complexity_prune(TREE, X, Y, a),
        {"a": 0.1},
    ),
    "influence.phases": (influence.phases, {"size": 3, "epsilon": 0.1}),
    "influence.score_floor_by_cost": (
        influence.score_floor_by_cost,
        {"cost": 1.0, "step": 3, "size": 3, "epsilon": 0.1},
    ),
    "influence.score_floor_by_error": (
        influence.score_floor_by_error,
        {"error": 0.1, "step": 3, "size": 3},
    ),
    "influence.worst_case_costs": (
        influence.worst_case_costs,
        {"size": 3, "epsilon": 0.1, "steps": 3},
    ),
    "count_reduced_trees": (rank.count_reduced_trees, {"n": 2}),
    "reduced_trees": (rank.reduced_trees, {"n": 2}),
    "count_trees_of_size": (rank.count_trees_of_size, {"n": 2, "leaves": 3}),
    "functions_by_rank": (rank.functions_by_rank, {"n": 2}),
    "log_function_bound": (rank.log_function_bound, {"n": 3, "r": 2}),
    "log_function_bound by leaves": (
        lambda n, r: rank.log_function_bound(n, r, by_leaves=True),
        {"n": 3, "r": 2},
    ),
    "most_leaves": (rank.most_leaves, {"n": 3, "r": 2}),
    "rank_of_nodes": (rank.rank_of_nodes, {"nodes": 3}),
    "recurrence": (rank.recurrence, {"n": 3, "r": 2, "leaf": 1, "call": 1}),
    "recurrence_bound": (rank.recurrence_bound, {"n": 3, "r": 2, "leaf": 1, "call": 1}),
    "sample_size": (rank.sample_size, {"epsilon": 0.1, "delta": 0.1, "log_functions": 3.0}),
    "sample_size_for_rank": (
        rank.sample_size_for_rank,
        {"n": 3, "r": 2, "epsilon": 0.1, "delta": 0.1},
    ),
    "sample_size_for_nodes": (
        rank.sample_size_for_nodes,
        {"n": 3, "nodes": 5, "epsilon": 0.1, "delta": 0.1},
    ),
    "examples_needed": (product.examples_needed, {"step": 3, "epsilon": 0.1, "delta": 0.1}),
    "pairs_needed": (product.pairs_needed, {"step": 3, "n": 3, "epsilon": 0.1, "delta": 0.1}),
    "proved_bound_bits": (
        product.proved_bound_bits,
        {"delta": 1.0, "largest": 1.5, "depth": 2, "epsilon": 0.1},
    ),
    "product.score_floor_by_cost": (
        product.score_floor_by_cost,
        {"cost": 0.5, "step": 3, "delta": 1.0, "depth": 2},
    ),
    "product.score_floor_by_error": (
        product.score_floor_by_error,
        {"error": 0.1, "step": 3, "delta": 1.0},
    ),
    "product.score_floor_by_variation": (
        product.score_floor_by_variation,
        {"variation": 0.1, "step": 3, "delta": 1.0},
    ),
    "size_bound_bits": (product.size_bound_bits, {"delta": 1.0, "depth": 2, "epsilon": 0.1}),
    "variation_bound_bits": (
        product.variation_bound_bits,
        {"delta": 1.0, "depth": 2, "epsilon": 0.1},
    ),
    "adversarial_leaves": (growing.adversarial_leaves, {"splits": 3, "c": 1.5, "epsilon": 0.1}),
    "contraction": (growing.contraction, {"gamma": 0.1}),
    "cost_bound": (growing.cost_bound, {"log_leaves": 2.0, "gamma": 0.1}),
    "drop": (growing.drop, {"tau": 0.5, "p": 0.1, "r": 0.3}),
    "edge": (growing.edge, {"tau": 0.5, "p": 0.1, "r": 0.3}),
    "children": (growing.children, {"q": 0.5, "gamma": 0.1, "tau": 0.5}),
    "leaf_drop_floor": (growing.leaf_drop_floor, {"q": 0.5, "gamma": 0.1}),
    "log_leaves_enough": (growing.log_leaves_enough, {"epsilon": 0.1, "gamma": 0.1}),
    "tree_drop_floor": (growing.tree_drop_floor, {"G": 0.1, "leaves": 3, "gamma": 0.1}),
    "has_good_leaf": (lambda c: growing.has_good_leaf([0.5, 0.5], [0.1, 0.2], c), {"c": 1.5}),
    "bottom_up_penalty": (
        lambda m_v, n_v, l_v, delta, m, n: pruning.bottom_up_penalty(
            m_v, n_v, l_v, delta, m=m, n=n
        ),
        {"m_v": 3, "n_v": 3, "l_v": 1, "delta": 0.1, "m": 9, "n": 3},
    ),
    "count_paths": (pruning.count_paths, {"n": 3, "depth": 2}),
    "pruning.count_trees": (pruning.count_trees, {"n": 3, "nodes": 3, "n_classes": 2}),
    "log_factor": (pruning.log_factor, {"n": 3, "n_classes": 2}),
    "to_text": (lambda depth: TREE.to_text(max_depth=depth), {"depth": 2}),
    **{
        f"functions.{name}": (getattr(dt.functions, name), given)
        for name, given in {
            "caterpillar": {"k": 2},
            "conjunction": {"n": 2},
            "decision_list": {"n": 2},
            "dictator": {"n": 2, "i": 1},
            "disjunction": {"n": 2},
            "majority": {"n": 3},
            "multiplexer": {"address_bits": 1},
            "parity": {"n": 2},
            "parity_multiplexer": {"selector_n": 2, "parity_bits": 2},
            "random": {"n": 2, "seed": 0},
            "tribes": {"width": 2, "count": 2},
        }.items()
    },
}


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every call once, and what it is called."""
    known: set[str] = set()
    for name, (function, arguments) in SIZES.items():
        kinds = {
            key: REALS if isinstance(value, float) else HUGE
            for key, value in arguments.items()
            if isinstance(value, int | float)
        }
        several = [{key: value} for key, values in kinds.items() for value in values]
        together = zip(*kinds.values(), strict=True)
        several += [dict(zip(kinds, some, strict=True)) for some in together]
        several += [
            {a: big, b: big}
            for a, b in itertools.combinations(kinds, 2)
            if kinds[a] is HUGE and kinds[b] is HUGE
            for big in HUGE
        ]
        for changed in several:
            given = {**arguments, **changed}
            text = ", ".join(f"{key}={written(value)}" for key, value in changed.items())
            called = f"{name}({text})"
            # All arguments at once are, of few arguments, one that was replaced, or two.
            if called not in known:
                known.add(called)
                yield called, partial(function, **given)


def written(value: object) -> str:
    """A value in a few characters."""
    return "10**400" if value == 10**400 else repr(value)


def main() -> None:
    """Make every call."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    np.seterr(divide="raise", invalid="raise")
    for name, call in calls():
        sys.stdout.write(f"{name}\t")
        sys.stdout.flush()
        start = time.perf_counter()
        try:
            call()
            ended = "answer"
        except Exception as error:  # noqa: BLE001 -- which one it is, is what is asked
            ended = f"{type(error).__name__}: {str(error)[:300]}".replace("\n", " ")
        sys.stdout.write(f"{ended}\t{time.perf_counter() - start:.2f}\n")


if __name__ == "__main__":
    main()
