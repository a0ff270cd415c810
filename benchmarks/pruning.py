"""Pruning raced against scikit-learn's, and how its passes grow with the tree.

scikit-learn computes the cost-complexity path, the corners of a convex hull; every K_d is more, and
may take up to 15 times as long. Both start from a grown tree that knows how many examples of each
class reach each node; ``the whole call`` also sends the sample down, where scikit-learn grows the
tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree._tree import ccp_pruning_path
from timing import Race, best, slope

import dtviz as dt
from dtviz import pruning

SLOWER = 15
"""How many times as long every K_d may take as the cost-complexity path."""


def overgrown(m: int) -> tuple[DecisionTreeClassifier, dt.Tree, Any, Any]:
    """A noisy sample of 8 real features, and a tree grown on it to purity, on both sides."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(m, 8)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + 0.9 * rng.normal(size=m) > 0).astype(int)
    learner = DecisionTreeClassifier(random_state=0).fit(X, y)
    return learner, converted(learner), X, y


def converted(learner: DecisionTreeClassifier) -> dt.Tree:
    """scikit-learn's tree as ours, in preorder."""
    grown, order, stack = learner.tree_, [], [0]
    while stack:
        v = stack.pop()
        order.append(v)
        if grown.children_left[v] >= 0:
            stack += [grown.children_right[v], grown.children_left[v]]
    inner = grown.feature[order] >= 0
    value = learner.classes_[grown.value[order, 0].argmax(axis=1)]
    variable = np.where(inner, grown.feature[order], -1)
    return dt.Tree(variable, value, np.where(inner, grown.threshold[order], 0.5))


def races(*, toy: bool = False) -> Iterator[Race]:
    """The races of `make bench`."""
    for m in (60,) if toy else (3_100, 8_200):
        learner, tree, X, y = overgrown(m)
        counts = pruning.node_counts(tree, X, y)
        path = dt.pruning.cost_complexity_path(tree, X, y, cost="gini")
        theirs = ccp_pruning_path(learner.tree_)["ccp_alphas"]
        apart = np.append([True], np.diff(theirs) > 1e-12)
        assert np.allclose(path.breaks, theirs[apart], rtol=1e-9, atol=1e-15)
        found = pruning.SmallestPrunings(counts)
        assert (found.front_n_leaves[0], found.front_errors[-1]) == (1, 0)
        leaves = f"{tree.n_leaves} leaves"
        hull = partial(ccp_pruning_path, learner.tree_)
        yield Race(
            f"every K_d, {leaves}",
            partial(pruning.SmallestPrunings, counts),
            "sklearn, ccp path",
            hull,
            1 / SLOWER,
        )
        yield Race(
            f"every K_d, the sample sent down, {leaves}",
            partial(dt.pruning.smallest_prunings, tree, X, y),
            "sklearn, ccp path",
            hull,
        )
        yield Race(
            f"every K_d, the whole call, {leaves}",
            partial(dt.pruning.smallest_prunings, tree, X, y),
            "sklearn, grow and ccp path",
            partial(learner.cost_complexity_pruning_path, X, y),
        )


def balanced(depth: int) -> dt.Tree:
    """The complete tree of so many levels of tests."""
    variable = [-1]
    for i in reversed(range(depth)):
        variable = [i, *variable, *variable]
    return dt.Tree(variable, np.arange(len(variable)) % 2)


def chain(leaves: int) -> dt.Tree:
    """A tree in which every test has a leaf for its low child."""
    inner = np.arange(leaves - 1)
    variable = np.append(np.column_stack([inner, np.full(inner.size, -1)]).ravel(), -1)
    return dt.Tree(variable, np.arange(variable.size) // 2 % 2)


def growth_in_leaves(what: str, trees: Sequence[dt.Tree]) -> Iterator[str]:
    """Seconds of the two bottom-up passes on few examples, and how they grow."""
    rng = np.random.default_rng(0)
    sizes = [tree.n_leaves for tree in trees]
    methods: tuple[tuple[str, Callable[..., Any]], ...] = (
        (
            "reduced error",
            lambda tree, X, y: dt.pruning.reduced_error_prune(tree, X, y, grown_on=(X, y)),
        ),
        ("bottom up", dt.pruning.bottom_up_prune),
    )
    for name, method in methods:
        seconds = []
        for tree in trees:
            X = rng.integers(0, 2, (50, int(tree.variable.max()) + 1))
            y = rng.integers(0, 2, 50)
            seconds.append(best(partial(method, tree, X, y), 5))
        times = ", ".join(f"{s:.3g} s for {n:,}" for s, n in zip(seconds, sizes, strict=True))
        yield (
            f"{name}, {what}, leaves: {times}; time grows like leaves^{slope(sizes, seconds):.2f}, "
            "asked for 1"
        )


def growth(*, toy: bool = False) -> Iterator[str]:
    """Lines of text: how the passes grow with the tree, wide and deep."""
    depths, chains = ((2, 3), (10, 20)) if toy else ((14, 16, 18), (1_000, 4_000, 16_000))
    yield from growth_in_leaves("complete trees", [balanced(depth) for depth in depths])
    yield from growth_in_leaves("chains", [chain(leaves) for leaves in chains])
