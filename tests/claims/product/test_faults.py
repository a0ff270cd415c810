"""Wrong code in the package, and slips in the formulas of the claims of chapter 3, are caught."""

from functools import partial
from types import ModuleType

import pytest
from support.cases import sweep

from claims.kit.faults import fails_under
from claims.product import own_variables, populations
from claims.product import test_definitions as defs
from claims.product import test_depths as depths
from claims.product import test_equivalence as equiv
from claims.product import test_estimates as estimates
from claims.product import test_floors as floors
from claims.product import test_lemmas as lemmas
from claims.product import test_rare as rare
from claims.product import test_samples as samples
from claims.product import test_sizes as sizes
from dtviz import product
from dtviz.core import measures, topdown
from dtviz.core.growth_path import GrowthPath
from dtviz.core.optimal import OptimalTrees as Best
from dtviz.product import approximate
from dtviz.product import bounds as sample_sizes
from dtviz.product import learner as sampled

build, totals, scores = topdown.build_top_down, GrowthPath.totals, topdown.leaf_scores
near, learn = approximate.build_top_down_approximate, sampled.build_top_down_sampled
draw, per_leaf = sampled._Learner.draw, floors.per_leaf


def times(place, name, factor):
    """The function of that name, its value so many times."""
    right = getattr(place, name)
    return place, name, lambda *given, **more: factor * right(*given, **more)


UNIFORM = (topdown, "build_top_down", lambda f, *_, **more: build(f, **more))
NO_MEASURE = (topdown, "leaf_scores", lambda tree, f, _: scores(tree, f))
ERROR = (topdown, "tree_cost", lambda tree, f, _: topdown.tree_error(tree, f))
IN_LEVELS = (topdown, "growth_order", lambda score: score.nonzero()[0])
TWICE = (GrowthPath, "totals", lambda path, share: 2 * totals(path, share))
FLAT = (equiv, "gini", lambda q: q.min(axis=-1))
WHOLE = (Best, "average_depth", property(lambda best: float(best.depth)))
DEEP = (Best, "max_average_depth", property(lambda best: best.depth + 1.0))
GREEDLESS = (
    approximate,
    "build_top_down_approximate",
    lambda f, mu, _, rng: near(f, mu, 0.01, rng),
)
CHUNK = (sampled._Learner, "draw", lambda of, m: [next(draw(of, m))])
THIRTEEN = (sample_sizes, "pairs_needed", samples.pairs_displayed(13))
FEW = (sample_sizes, "examples_needed", lambda *_: 300)
CARELESS = (sampled, "build_top_down_sampled", lambda *a, **k: learn(*a, **{**k, "scale": 1e-3}))
WITHOUT_J = (floors, "per_leaf", lambda of, **spoilt: per_leaf(of, **{"first": 0} | spoilt))

FAULTS = {
    "growth by flip influence": (defs.test_build_top_down, UNIFORM),
    "splits in the order of the levels": (defs.test_build_top_down, IN_LEVELS),
    "flip influence": (
        defs.test_resample_influence,
        (measures, "resample_influences", measures.influences),
    ),
    "uniform scores": (defs.test_score, NO_MEASURE),
    "error for cost": (defs.test_cost, ERROR),
    "error for Gini": (equiv.test_equivalent_rules, FLAT),
    "twice the cost": (lemmas.test_cost_pays_for_each_split, TWICE),
    "floor 4.4": (floors.test_floor_by_error, times(product, "score_floor_by_error", 0.99)),
    "floor 4.5": (floors.test_floor_by_cost, times(product, "score_floor_by_cost", 0.99)),
    "our floor": (
        floors.test_floor_by_the_average_depth,
        times(product, "score_floor_by_variation", 0.99),
    ),
    "Theorem 1.1": (sizes.test_size, times(product, "proved_bound_bits", 1.01)),
    "our size": (
        sizes.test_size_from_the_average_depth,
        times(product, "variation_bound_bits", 1.01),
    ),
    "as printed, but larger": (sizes.test_size, times(product, "size_bound_bits", 100)),
    "balanced trees": (depths.test_balanced_trees, times(product, "size_bound_bits", 1.001)),
    "older bounds": (depths.test_strictly_better, times(product, "size_bound_bits", 1.1)),
    "average depth": (depths.test_quotient_of_depths, WHOLE),
    "restrictions too deep": (depths.test_fair_bits, DEEP),
    "a hundredth of the best": (sizes.test_quarter_greedy, GREEDLESS),
    "Theorem 5.1": (sizes.test_quarter_greedy, times(product, "proved_bound_bits", 0.99)),
    "a rare event that is fair": (rare.test_rare_parities, UNIFORM),
    "the first points of a sample only": (estimates.test_estimate_is_unbiased, CHUNK),
    "13 for 12": (samples.test_samples_for_one_step, THIRTEEN),
    "too few examples": (samples.test_stopping_rule, FEW),
    "a careless learner": (samples.test_stopping_rule, CARELESS),
    # The claims' own formulas drift.
    "j for j + 1, in Lemma 4.4": (floors.test_floor_by_error, WITHOUT_J),
    "j for j + 1, in Lemma 4.5": (floors.test_floor_by_cost, WITHOUT_J),
    "j for j + 1, in our floor": (floors.test_floor_by_the_average_depth, WITHOUT_J),
    "j for j + 1, in the floor behind": (floors.test_floor_by_variation, WITHOUT_J),
    "1 for 2": (floors.test_floor_by_the_average_depth, times(floors, "by_average", 1 / 2)),
    "2 for 4": (
        sizes.test_size_from_the_average_depth,
        (sizes, "by_average", partial(sizes.by_average, second=2)),
    ),
    "no 2": (sizes.test_size, (sizes, "by_restrictions", partial(sizes.by_restrictions, half=1))),
}
CHAPTER = (populations, own_variables, defs, estimates, floors, sizes, depths, rare)
TABLES = {t for module in CHAPTER for t in vars(module).values() if hasattr(t, "cache_clear")}


@pytest.mark.parametrize("fault", sweep(FAULTS, 3))
def test_a_claim_turns_red(fault):
    test, wrong = FAULTS[fault]
    of_formulas = isinstance(wrong[0], ModuleType) and wrong[0] is not topdown
    grown = wrong[0] in (approximate, sampled) or not of_formulas
    assert fails_under(wrong, test, TABLES if grown else [floors.coded])
