"""What trees of Boolean tests do on the cube: who reaches what, and which function they compute."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dtviz.core.boolean import MAX_VARIABLES, BooleanFunction, ProductDistribution
from dtviz.core.branching import descend
from dtviz.core.checks import as_integer, shown
from dtviz.core.measures import checked_distribution, checked_function
from dtviz.core.shape import Shape
from dtviz.core.tolerances import ROUNDING

if TYPE_CHECKING:
    from dtviz.core.tree import Tree

__all__ = ["OnTheCube", "one_is_likelier"]

Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


class OnTheCube(Shape, ABC):
    """The part of `Tree` that needs tests of bits."""

    @abstractmethod
    def labelled(self, value: npt.NDArray[Any] | None) -> Tree:
        """The same tests with other labels."""

    @abstractmethod
    def _labels(self, user: str) -> npt.NDArray[Any]:
        """The labels, which ``user`` needs."""

    def reach(self, mu: ProductDistribution | None = None) -> npt.NDArray[np.float64]:
        """The probability that a random input reaches each node; no mu means uniform bits.

        A variable tested twice on a path is counted once. Needs a tree of Boolean tests.

        Raises
        ------
        ValueError
            If a test is not of a bit, or ``mu`` is no distribution on every variable that the tree
            tests.
        """
        self._needs_boolean("reach")
        if mu is not None and not isinstance(mu, ProductDistribution):
            msg = f"mu must be a ProductDistribution, got {shown(mu)}"
            raise ValueError(msg)
        highest = int(self.variable.max())
        if mu is not None and mu.n <= highest:
            msg = f"mu must cover variable x{highest} of the tree, got {mu.n} probabilities"
            raise ValueError(msg)
        inside = self.variable >= 0
        tested, place = np.unique(self.variable[inside], return_inverse=True)
        column = np.zeros(self.n_nodes, dtype=np.intp)
        column[inside] = place
        p = np.full(tested.size, 0.5) if mu is None else mu.p[tested]
        probability = np.ones(self.n_nodes)
        # What a node knows of each variable that the tree tests: 0, 1, or nothing yet.
        known = np.full((1, tested.size), -1, dtype=np.int8)
        for level in self.levels[:-1]:
            inner, known = level[inside[level]], known[inside[level]]
            i = column[inner]
            row = np.arange(inner.size)
            seen = known[row, i]
            high = np.where(seen < 0, p[i], seen)
            probability[self.low[inner]] = probability[inner] * (1 - high)
            probability[self.high[inner]] = probability[inner] * high
            known = np.repeat(known, 2, axis=0)
            known[2 * row, i] = np.where(seen < 0, 0, seen)
            known[2 * row + 1, i] = np.where(seen < 0, 1, seen)
        return probability

    def average_depth(self, mu: ProductDistribution | None = None) -> float:
        """The mean number of tests on a random input; no mu means uniform bits.

        Raises
        ------
        ValueError
            As for `Tree.reach`.
        """
        return float(self.reach(mu)[self.variable >= 0].sum())

    def paths(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each leaf, left to right, the tests leading to it as ``(variable, branch)`` pairs."""
        found: list[tuple[tuple[int, int], ...]] = []
        stack: list[tuple[int, tuple[tuple[int, int], ...]]] = [(0, ())]
        while stack:
            node, path = stack.pop()
            i = int(self.variable[node])
            if i < 0:
                found.append(path)
            else:
                stack.append((int(self.high[node]), (*path, (i, 1))))
                stack.append((int(self.low[node]), (*path, (i, 0))))
        return tuple(found)

    def apply_cube(self, n: int) -> Ints:
        """The leaf (node index) that every point of {0,1}^n reaches, in truth-table order.

        Raises
        ------
        ValueError
            If a test is not of a bit, or ``n`` no integer from the number of variables that the
            tree needs to ``MAX_VARIABLES``.
        """
        self._needs_boolean("apply_cube")
        highest = int(self.variable.max())
        if highest >= MAX_VARIABLES:
            msg = f"variable must be below {MAX_VARIABLES} to tabulate a tree, got x{highest}"
            raise ValueError(msg)
        n = as_integer("n", n, highest + 1, MAX_VARIABLES)
        return descend(self, np.arange(1 << n), lambda x, i: (x >> i) & 1)

    def apply_points(self, f: BooleanFunction) -> Ints:
        """The leaf that every input of f reaches; f needs every variable that the tree tests.

        Raises
        ------
        ValueError
            If a test is not of a bit, ``f`` is no BooleanFunction, or lacks a variable that the
            tree tests.
        """
        highest = int(self.variable.max())
        if checked_function(f).n <= highest:
            msg = f"f must have the variable x{highest} that the tree tests, got n = {f.n}"
            raise ValueError(msg)
        return self.apply_cube(f.n)

    def function(self, n: int) -> BooleanFunction:
        """The Boolean function of ``n`` variables that the labelled tree computes.

        Raises
        ------
        ValueError
            If the tree is bare, a label is not 0 or 1, or as for `Tree.apply_cube`.
        """
        labels = self._labels("function")
        if labels.dtype.kind not in "biuf" or not np.isin(labels, (0, 1)).all():
            msg = f"value must be 0 or 1 at every leaf, got {shown(labels[self.leaves].tolist())}"
            raise ValueError(msg)
        return BooleanFunction(n, labels[self.apply_cube(n)])

    def complete(self, f: BooleanFunction, mu: ProductDistribution | None = None) -> Tree:
        """The f-completion: each leaf labelled by the likelier value of f there (BLT-STOP).

        A tie is labelled 0.

        Raises
        ------
        ValueError
            As for `Tree.leaf_masses`.
        """
        zeros, ones = self.leaf_masses(f, mu)
        value = np.zeros(self.n_nodes, dtype=np.intp)
        value[self.leaves] = one_is_likelier(zeros, ones)
        return self.labelled(None).labelled(value)

    def leaf_masses(
        self, f: BooleanFunction, mu: ProductDistribution | None = None
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Per leaf, left to right: the probability of the leaf with ``f = 0``, and with ``f = 1``.

        Both are sums of their own: a difference would lose what is improbable.

        Raises
        ------
        ValueError
            As for `Tree.apply_points`, or if ``mu`` is no distribution on the variables of f.
        """
        leaf = self.apply_points(f)
        weights = (
            np.full(1 << f.n, 0.5**f.n) if mu is None else checked_distribution(mu, f.n).weights()
        )
        place = 2 * leaf + f.table
        masses = np.bincount(place, weights, minlength=2 * self.n_nodes).astype(np.float64)
        return masses[2 * self.leaves], masses[2 * self.leaves + 1]

    def _needs_boolean(self, user: str) -> None:
        if not self.is_boolean:
            msg = f"{user} needs tests of bits (thresholds in [0, 1)), this tree has others"
            raise ValueError(msg)


def one_is_likelier(zeros: Floats, ones: Floats) -> npt.NDArray[np.bool_]:
    """Whether f = 1 is likelier than f = 0 at leaves of these masses; no tie is, up to rounding."""
    return ones > zeros * (1 + ROUNDING)
