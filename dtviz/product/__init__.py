"""Biased inputs: greedy growth under product distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtviz.core import lazy
from dtviz.core.boolean_trees.topdown import LeafScores, build_top_down, leaf_scores, replay
from dtviz.product.approximate import build_top_down_approximate
from dtviz.product.bounds import (
    examples_needed,
    pairs_needed,
    path_variations,
    proved_bound_bits,
    score_floor_by_cost,
    score_floor_by_error,
    score_floor_by_variation,
    size_bound_bits,
    variation_bound_bits,
)
from dtviz.product.learner import build_top_down_sampled
from dtviz.product.sampled_run import SampledRun, SampledStep

if TYPE_CHECKING:
    from dtviz.product import literal
    from dtviz.product.explorer import ProductExplorer

__all__ = [
    "LeafScores",
    "ProductExplorer",
    "SampledRun",
    "SampledStep",
    "build_top_down",
    "build_top_down_approximate",
    "build_top_down_sampled",
    "examples_needed",
    "leaf_scores",
    "literal",
    "pairs_needed",
    "path_variations",
    "proved_bound_bits",
    "replay",
    "score_floor_by_cost",
    "score_floor_by_error",
    "score_floor_by_variation",
    "size_bound_bits",
    "variation_bound_bits",
]

__getattr__, __dir__ = lazy(
    __name__,
    __all__,
    {"literal": "dtviz.product.literal", "ProductExplorer": "dtviz.product.explorer"},
)
