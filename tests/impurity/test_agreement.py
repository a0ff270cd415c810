"""On real data `grow` agrees with scikit-learn's best-first trees, for every number of leaves.

Both may meet ties: splits with the same drop that part the examples differently, or two leaves that
offer the same drop. scikit-learn breaks them at random. So the trees of k leaves are compared as
partings of the examples. Where they are the same parting, their total impurity and what they
predict must be the same. The first step at which they are not must be a tie, the two drops being
equal; and every split of scikit-learn's, also after that, must be as good as the best that
`best_split` finds for the same examples.

Both see the values as 32-bit floats, which scikit-learn turns them into.
"""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pytest
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import dtviz as dt
from dtviz.impurity import best_split

STATES = {"iris": 9, "wine": 0, "breast_cancer": 58, "digits": 36, "diabetes": 29}
"""Random states of scikit-learn with which many of its ties fall as ours do."""

MADE = {
    "moons": partial(datasets.make_moons, 300, noise=0.3, random_state=0),
    "circles": partial(datasets.make_circles, 300, noise=0.1, factor=0.6, random_state=0),
    "blobs": partial(datasets.make_blobs, 300, centers=5, cluster_std=3.0, random_state=0),
    "quantiles": partial(datasets.make_gaussian_quantiles, n_samples=300, random_state=0),
    "hastie": partial(datasets.make_hastie_10_2, 300, random_state=0),
    "easy": partial(datasets.make_classification, 300, random_state=0),
    "noisy": partial(datasets.make_classification, 300, flip_y=0.3, random_state=1),
    "many classes": partial(
        datasets.make_classification, 300, n_informative=8, n_classes=6, random_state=2
    ),
    "uneven": partial(datasets.make_classification, 400, weights=[0.95], random_state=3),
    "friedman 1": partial(datasets.make_friedman1, 200, noise=1.0, random_state=0),
    "friedman 2": partial(datasets.make_friedman2, 200, noise=1.0, random_state=0),
    "friedman 3": partial(datasets.make_friedman3, 200, noise=0.1, random_state=0),
    "linear": partial(datasets.make_regression, 200, 10, noise=9.0, random_state=0),
    "sparse": partial(datasets.make_sparse_uncorrelated, 200, random_state=0),
    "swiss roll": partial(datasets.make_swiss_roll, 200, noise=0.5, random_state=0),
}
"""Made data, where no random state is pinned."""

ALL = [*STATES, *MADE]
NUMBERS = {"diabetes", "friedman 1", "friedman 2", "friedman 3", "linear", "sparse", "swiss roll"}


@cache
def data(name):
    X, y = MADE[name]() if name in MADE else getattr(datasets, f"load_{name}")(return_X_y=True)
    return X.astype(np.float32).astype(np.float64), y


@cache
def grown(name):
    return dt.grow(*data(name), "squared" if name in NUMBERS else "gini")


def fitted(name, leaves):
    kind = DecisionTreeRegressor if name in NUMBERS else DecisionTreeClassifier
    return kind(max_leaf_nodes=leaves, random_state=STATES.get(name, 0)).fit(*data(name))


@cache
def peer(name):
    """scikit-learn's best-first tree to purity, with the nodes it splits in their order.

    It numbers nodes as they are made, as a growth path does: node 2j + 1 is the low child of the
    j-th split. So one fit holds every smaller tree.
    """
    tree = fitted(name, 10**6).tree_
    inner = np.flatnonzero(tree.children_left >= 0)
    order = inner[np.argsort(tree.children_left[inner])]
    assert tree.children_left[order].tolist() == list(range(1, 2 * len(order), 2))
    assert tree.children_right[order].tolist() == list(range(2, 2 * len(order) + 1, 2))
    return tree, order


def shares(name):
    """Each node's share of the total impurity of scikit-learn's tree."""
    tree, _ = peer(name)
    return tree.weighted_n_node_samples / tree.weighted_n_node_samples[0] * tree.impurity


@cache
def totals(name):
    """The total impurity of scikit-learn's trees with 1, 2, 3, ... leaves."""
    _, order = peer(name)
    share = shares(name)
    steps = np.arange(len(order))
    drops = share[order] - share[2 * steps + 1] - share[2 * steps + 2]
    return share[0] - np.cumsum([0, *drops])


def leaves_of(X, nodes, features, thresholds):
    """After each split, the node that every row is in."""
    node = np.zeros(len(X), dtype=int)
    yield node.copy()
    for j, (split, i, t) in enumerate(zip(nodes, features, thresholds, strict=True)):
        inside = node == split
        node[inside] = 2 * j + 1 + (X[inside, i] > t)
        yield node.copy()


def parting(node):
    """Leaves numbered in the order of their first rows."""
    _, first, index = np.unique(node, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[index]


@cache
def compared(name):
    """For each number of leaves, whether both trees part the examples alike."""
    X, _ = data(name)
    path, (tree, order) = grown(name), peer(name)
    ours = leaves_of(X, path.split_node, path.split_variable, path.split_threshold)
    theirs = leaves_of(X, order, tree.feature[order], tree.threshold[order])
    return [np.array_equal(parting(a), parting(b)) for a, b in zip(ours, theirs, strict=False)]


@pytest.mark.parametrize("name", ALL)
def test_where_trees_begin_to_differ_a_tie_decided(name):
    path, alike = grown(name), compared(name)
    if all(alike):
        return
    step = alike.index(False) - 1
    share, (_, order) = shares(name), peer(name)
    theirs = share[order[step]] - share[2 * step + 1] - share[2 * step + 2]
    assert path.scores[step] == pytest.approx(theirs, abs=1e-12 * path.costs[0])


@pytest.mark.parametrize("name", ALL)
def test_every_split_of_the_peer_is_a_best_split(name):
    X, y = data(name)
    path, (tree, order) = grown(name), peer(name)
    share = shares(name)
    leaves = leaves_of(X, order, tree.feature[order], tree.threshold[order])
    for j, (split, node) in enumerate(zip(order, leaves, strict=False)):
        inside = node == split
        best = best_split(X[inside], y[inside], path.cost_name)
        theirs = (share[split] - share[2 * j + 1] - share[2 * j + 2]) / inside.mean()
        assert best.score == pytest.approx(theirs, abs=1e-9 * path.costs[0])


@pytest.mark.parametrize("name", ALL)
def test_sizes_that_part_the_examples_alike_cost_the_same(name):
    path, peers, alike = grown(name), totals(name), compared(name)
    assert path.costs[-1] == pytest.approx(peers[-1], abs=1e-9)
    assert len(alike) > 8
    # Ties of real data fall as ours do for long with the states above.
    assert sum(alike) > (8 if name in STATES else 1)
    gap = np.abs(path.costs[: len(alike)] - peers[: len(alike)]) / path.costs[0]
    assert gap[np.flatnonzero(alike)].max() < 1e-9
