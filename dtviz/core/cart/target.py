"""What a tree grows by: labels, weights and a cost, behind the split scan.

Every row has an integer as its weight, 1 where none was given, so that sums are exact in any order.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from dtviz.core.bases import Array, Bools, Floats, Ints
from dtviz.core.cart.scan import CLOSED, Block, Cuts, Level
from dtviz.core.tolerances import DROP_TIE


class Target(ABC):
    """Labels and a cost. A *summary* has a row for each node; it ends with weight and row number.

    ``weights`` are integers > 0; a cut leaves at least the ``share`` of their sum on both sides.
    """

    classes: Any
    """An array of labels, sorted; None for numbers."""
    cost_name: str

    def __init__(self, weights: Ints, share: float) -> None:
        self.weights, self.m = weights, weights.size
        self.total = int(weights.sum())
        self.lightest = math.ceil(share * self.total)
        self.is_plain = self.total == self.m
        """Whether every row weighs 1: then a node weighs as much as it has rows."""

    def size(self, summary: Array) -> Ints:
        """The number of rows of each node."""
        return summary[:, -1].astype(np.intp)

    def weight(self, summary: Array) -> Array:
        """What the rows of each node weigh together."""
        weight: Array = summary[:, -2]
        return weight

    def sides(self, block: Block, summary: Array) -> Array:
        """What lies on the low and on the high side of the cut after each cell, ``(2, f, M)``.

        Where every row weighs 1, all features are alike: f is 1.
        """
        nodes = block.nodes
        if self.is_plain:
            return nodes.side_sizes[:, None]
        low = block.running(self.weights.take(block.rows))
        return np.stack([low, self.weight(summary)[nodes.node] - low])

    def close_light(self, low: Array, high: Array, value: Array) -> None:
        """Close the cuts with too little weight on a side."""
        if self.lightest > 1:
            np.copyto(value, CLOSED, where=(low < self.lightest) | (high < self.lightest))

    @abstractmethod
    def summary(self, rows: Array, node: Array, k: int) -> Array:
        """The summaries of k nodes: ``node`` says to which each of the ``rows`` belongs."""

    @abstractmethod
    def counts(self, summary: Array) -> Array:
        """What each class weighs in each node, ``(k, c)``."""

    @abstractmethod
    def is_impure(self, summary: Array) -> Bools:
        """Which nodes have more than one label."""

    @abstractmethod
    def cuts(self, level: Level, summary: Array) -> Cuts:
        """The best cut of each node of the level."""

    @abstractmethod
    def along(self, rows: Ints, cuts: Ints) -> Floats:
        """The cost of both sides when the first ``cuts[j]`` of all rows, so ordered, are one."""

    @abstractmethod
    def drops(self, parent: Array, sides: Array) -> Floats:
        """What each of n splits takes off the total cost: 0 where it may be but rounding.

        ``sides`` has the summaries of the n low, then of the n high sides.
        """

    @abstractmethod
    def response(self, rows: Array) -> Floats:
        """By row, what orders categories by its mean: 1 for the second of two classes, or y."""

    @abstractmethod
    def cost(self, summary: Array) -> Floats:
        """Each node's share of the total cost: its share of the weight times its impurity."""

    @abstractmethod
    def error(self, summary: Array) -> Floats:
        """Each node's share of the error."""

    @abstractmethod
    def value(self, summary: Array) -> Array:
        """The label of each node as a leaf."""


def clear_rounding(drop: Floats, cost: Floats) -> Floats:
    """Drops from costs; 0 where only rounding can be left of them."""
    return np.where(drop > DROP_TIE * cost, drop, 0.0)
