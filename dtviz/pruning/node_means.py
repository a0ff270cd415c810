"""A regression tree on a sample: the squared error of each node as a leaf."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import shown
from dtviz.core.data.labels import as_real_labels
from dtviz.core.immutable import frozen
from dtviz.core.tree import Tree, check_tree
from dtviz.core.validation import moments
from dtviz.pruning.node_counts import GrownOn, OnSample, read_samples

__all__ = ["NodeMeans", "node_means"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class NodeMeans(OnSample):
    """A regression tree, and what a sample of m examples says at each of its nodes.

    ``size``, ``mean`` and ``squares`` are the number of examples that reach each node, their mean
    and their sum of squared deviations from it; ``label`` is what each node predicts as a leaf.
    """

    given: Tree
    size: Ints
    mean: Floats
    squares: Floats
    label: Floats

    @property
    def reach(self) -> Ints:
        """m_v, the number of examples that reach each node."""
        return self.size

    @cached_property
    def errors(self) -> Floats:
        """The sum of squared errors of each node as a leaf on the examples that reach it."""
        return frozen(self.squares + self.size * (self.mean - self.label) ** 2)

    @property
    def labels(self) -> Floats:
        """The number that each node predicts as a leaf."""
        return self.label

    def compare(self, before: float, after: float) -> str:
        """The mean squared errors of two trees."""
        m = self.m
        return f"mean squared error {before / m:.4g} -> {after / m:.4g} on {m}"


def node_means(
    tree: Tree,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    sample_weight: npt.ArrayLike | None,
    grown_on: GrownOn | None,
) -> NodeMeans:
    """Send a sample down a regression tree; the arguments are those of `node_counts`.

    A leaf keeps its label; a bare tree's leaves, and every node that is cut, take the mean of the
    examples that reach them, or that of the nearest node above that some example reaches.
    """
    if not (check_tree(tree).is_regression or tree.is_bare):
        msg = f'tree must be a regression tree for cost="squared", got {shown(tree)}'
        raise ValueError(msg)
    counted, labelling = read_samples(tree, X, y, sample_weight, grown_on)
    size, mean, squares = _moments(tree, *counted)
    votes, label, _ = (
        (size, mean.copy(), squares) if grown_on is None else _moments(tree, *labelling)
    )
    for level in tree.levels[:-1]:
        inner = level[tree.variable[level] >= 0]
        for child in (tree.low[inner], tree.high[inner]):
            label[child] = np.where(votes[child] > 0, label[child], label[inner])
    if tree.value is None:
        value = np.where(tree.variable < 0, label, 0.0)
        tree = Tree(
            tree.variable,
            value,
            tree.threshold,
            tree.names,
            tree.missing,
            tree.subsets,
            is_regression=True,
        )
    else:
        label[tree.leaves] = tree.value[tree.leaves]
    return NodeMeans(tree, frozen(size), frozen(mean), frozen(squares), frozen(label))


def _moments(
    tree: Tree, leaf: Ints, y: npt.NDArray[np.generic], weight: Ints | None
) -> tuple[Ints, Floats, Floats]:
    """Number, mean and squared deviations of the examples at each node."""
    each = None if weight is None else weight.astype(np.float64)
    size, mean, squares = moments(tree, leaf, as_real_labels(y, leaf.size), each)
    return size.astype(np.intp), mean, squares
