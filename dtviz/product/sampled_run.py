"""Chapter 3, biased inputs: what a run of the learner from samples records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from dtviz.core.bases import Floats, FrozenArrays, HasPicture, Ints
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean.measures import check_function
from dtviz.core.boolean_trees.topdown import replay
from dtviz.core.names import Names
from dtviz.core.tree.growth_path import GrowthPath, find_step
from dtviz.core.tree.tree import Tree
from dtviz.product.approximate import split_shares


@dataclass(frozen=True, eq=False)
class SampledStep(FrozenArrays):
    """One step of a run: the tree before it, what was estimated, what was chosen (claim PS-MS).

    Attributes
    ----------
    nodes : (leaves,) int array
        The leaves before the split, numbered as in `GrowthPath`.
    labels : (leaves,) int array
        The majority of the labels seen at each leaf; 0 where they are tied.
    error : float
        The share of the examples on which those labels are wrong.
    n_examples, n_pairs : int
        Examples drawn, and pairs drawn for each variable (0 if the step stopped the run).
    estimates : (leaves, n) float array
        The estimated score of every leaf and variable (empty if no pair was drawn).
    node, variable, score : int, int, float
        The split, and its estimated score; -1, -1, 0.0 in the last step of a run.

    Examples
    --------
    >>> import dtviz as dt
    >>> run = dt.product.build_top_down_sampled(dt.functions.majority(3), None, 0.1, 0.1, rng=0)
    >>> step = run.steps[0]
    >>> step.n_examples, step.n_pairs, step.n_samples
    (3452, 1724, 10348)
    >>> step.estimates.round(2).tolist(), step.variable
    ([[0.24, 0.24, 0.27]], 2)
    """

    nodes: Ints
    labels: Ints
    error: float
    n_examples: int
    n_pairs: int
    estimates: Floats
    node: int
    variable: int
    score: float

    @property
    def n_samples(self) -> int:
        """How often the oracle was queried: of each pair for each variable one end is shared."""
        return self.n_examples + (1 + int(self.estimates.shape[1])) * self.n_pairs


Stopped = Literal["error", "max_leaves", "blind"]


@dataclass(frozen=True, eq=False)
class SampledRun(HasPicture):
    """A run of `build_top_down_sampled` (claims PS-MS, PS-STOP, PS-T5.1).

    Attributes
    ----------
    mu, epsilon, delta, scale : as given
    steps : tuple of SampledStep
        One for each split, and a last one, which stopped.
    stopped : str
        ``"error"``: the tree is good enough. ``"max_leaves"``: it was cut there. ``"blind"``: no
        pair of the last sample was sensitive, though the error seen is too large; under the
        guarantee that has probability below delta.
    names : Names
        What the trees call the variables: as f does, if it is a BooleanFunction.

    Examples
    --------
    >>> import dtviz as dt
    >>> f = dt.functions.majority(3)
    >>> run = dt.product.build_top_down_sampled(f, None, 0.1, 0.1, rng=0)
    >>> run.n_leaves, run.stopped, run.n_samples
    (6, 'error', 219092)
    """

    mu: ProductDistribution
    epsilon: float
    delta: float
    scale: float
    steps: tuple[SampledStep, ...]
    stopped: Stopped
    names: Names = field(default_factory=Names)

    @property
    def n_leaves(self) -> int:
        """The size of the tree."""
        return len(self.steps)

    @property
    def n_samples(self) -> int:
        """How often the oracle was queried."""
        return sum(step.n_samples for step in self.steps)

    @property
    def split_node(self) -> Ints:
        """The leaf each step split, a ``(n_leaves - 1,)`` array."""
        return np.array([step.node for step in self.steps[:-1]], dtype=np.intp)

    @property
    def split_variable(self) -> Ints:
        """The variable each step split on, a ``(n_leaves - 1,)`` array."""
        return np.array([step.variable for step in self.steps[:-1]], dtype=np.intp)

    @property
    def errors(self) -> Floats:
        """The errors seen on the examples, before each split and at the end: ``(n_leaves,)``."""
        return np.array([step.error for step in self.steps])

    def tree(self, n_leaves: int | None = None, *, epsilon: float | None = None) -> Tree:
        """One tree of the run, labeled by the votes of its own examples; by default the last.

        Or the one with ``n_leaves`` leaves, or the smallest whose error on its own examples is at
        most ``epsilon``.
        """
        step = find_step(self.errors, n_leaves, epsilon)
        value = np.zeros(2 * step + 1, dtype=np.intp)
        value[self.steps[step].nodes] = self.steps[step].labels
        nothing = np.zeros(value.size)
        return GrowthPath(
            self.split_node[:step],
            self.split_variable[:step],
            value,
            nothing,
            nothing,
            nothing,
            nothing,
            np.full(value.size, -1, dtype=np.intp),
            names=self.names,
        ).tree()

    def path(self, f: BooleanFunction) -> GrowthPath:
        """The same splits, measured exactly on f: true errors, costs and scores."""
        if check_function(f).n != self.mu.n:
            msg = f"f must have as many variables as mu, {self.mu.n}, got {f.n}"
            raise ValueError(msg)
        return replay(f, self.mu, self.split_node, self.split_variable)

    def shares(self, f: BooleanFunction) -> Floats:
        """The true score of each split, as a share of the true best one: ``(n_leaves - 1,)``.

        All at least 1/4 with probability above ``1 - delta`` (claim PS-MS).
        """
        return split_shares(self.path(f))

    def __repr__(self) -> str:
        return (
            f"<SampledRun: {self.n_leaves} leaves, error seen {self.steps[-1].error:.4g}, "
            f"{self.n_samples:,} samples, stopped by {self.stopped}>"
        )
