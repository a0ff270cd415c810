"""Chapter 3, the learner from samples: BuildTopDownDT from pairs (x, x^(i)) of an oracle.

It knows the error epsilon, the failure probability delta, and nothing about the function. In step j
(the tree has ``j + 1`` leaves) it draws two new samples.

*Stop?* From ``examples_needed(j)`` examples every leaf takes the majority of its labels. The run
stops when the tree then errs on at most 5/6 epsilon of them. For a labeling of error above epsilon
this has probability at most ``exp(-M epsilon phi(5/6))``, ``phi(u) = u ln u - u + 1 > 1/68``
(Chernoff), and there are ``2^(j+1)`` labelings; if the best labeling has error at most 2/3
epsilon, the run does not stop with probability at most ``exp(-M (2/3) epsilon phi(5/4))``. With
``M >= (68/epsilon) ((j+1) ln 2 + ln(8 (j+1)^2 / delta))`` each is at most ``delta/(8 (j+1)^2)``.

*Split what?* From ``pairs_needed(j)`` pairs for each variable, the score of every leaf and variable
is estimated, and the largest estimate wins, by the book's rule if it is tied. As the error is above
2/3 epsilon, the best score B is above ``(2/3) epsilon / ((j+1) n)``. Let ``t = 3/(4 ln 4)``. The
estimate of the best score is below t B with probability at most ``exp(-M B phi(t))``, that of a
score below B/4 is above it with probability at most ``exp(-M (B/4) phi(4t))``; both exponents are
above M B / 8, so that ``M >= (12 (j+1) n / epsilon) ln(4 (j+1)^2 (j+1) n / delta)`` makes each at
most ``delta / (4 (j+1)^3 n)``, and there is one such event for each of the ``(j+1) n`` pairs of a
leaf and a variable.

Each kind of failure has probability at most ``sum_j delta/(4 (j+1)^2) = (pi^2/24) delta`` over the
whole run, below delta/2. So with probability above ``1 - delta`` every split has at least a quarter
of the best score, and the tree returned has error at most epsilon (claims PS-MS, PS-STOP, PS-T5.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from dtviz.core.bases import Floats, Ints
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean.measures import check_distribution
from dtviz.core.checks import (
    as_array,
    as_bits,
    as_confidence,
    as_generator,
    as_integer,
    as_positive_epsilon,
    as_real,
    as_repr,
)
from dtviz.core.names import Names
from dtviz.product.bounds import examples_needed, pairs_needed
from dtviz.product.sampled_run import SampledRun, SampledStep, Stopped

MAX_SAMPLES = 100_000_000
"""The most samples a run draws unless another limit is given: some seconds of a truth table."""

STOP_AT = 5 / 6
"""The run stops at this share of epsilon, seen on its examples."""

_CHUNK = 1 << 20
"""The most bits drawn at once; while they are drawn each takes 8 bytes."""

Bits = npt.NDArray[np.int8]
Oracle = Callable[[npt.NDArray[np.int64]], npt.ArrayLike]
"""Takes an ``(m, n)`` array of bits, a point a row, and gives m bits."""


class Answers:
    """Points that an oracle was asked: their values, and those of their neighbors."""

    def __init__(self, f: Oracle, x: Bits) -> None:
        self.f, self.x = f, x
        self.values = self._ask(x)

    def _ask(self, x: Bits) -> Bits:
        # Integers of 64 bits: whatever f computes with them, shifts included, does not wrap around.
        given = self.f(x.astype(np.int64))
        answer = as_array(given)
        if answer is None or answer.shape != (len(x),):
            got = f"shape {answer.shape}" if answer is not None and answer.ndim else as_repr(given)
            msg = f"f must give one bit for each row of its argument, {len(x)} bits, got {got}"
            raise ValueError(msg)
        return as_bits("the answers of f", answer)

    def beside(self, i: int, bits: Bits) -> Bits:
        """The values where x_i is replaced by the given bits."""
        y = self.x.copy()
        y[:, i] = bits
        answers = self._ask(y)
        twice = (bits == self.x[:, i]) & (answers != self.values)
        if twice.any():
            row = int(twice.argmax())
            first, then = int(self.values[row]), int(answers[row])
            msg = (
                f"f must be a function, the same answer for the same point, got {first} and then "
                f"{then} for x = {self.x[row].tolist()}: a noisy or changing oracle"
            )
            raise ValueError(msg)
        return answers


def as_oracle(
    f: Any, mu: ProductDistribution | None
) -> tuple[Callable[[Bits], Answers], ProductDistribution]:
    """Return what queries f at points, and the distribution of the points; raise if invalid."""
    if isinstance(f, BooleanFunction):
        mu = ProductDistribution.uniform(f.n) if mu is None else check_distribution(mu, f.n)
        return (lambda x: Answers(lambda y: f.table[y @ (1 << np.arange(f.n))], x)), mu
    if not callable(f):
        msg = (
            "f must be a BooleanFunction or an oracle, a callable that takes an (m, n) array of "
            f"bits and gives m bits, got {as_repr(f)}"
        )
        raise ValueError(msg)
    if not isinstance(mu, ProductDistribution):
        msg = f"mu must be a ProductDistribution when f is an oracle, got {as_repr(mu)}"
        raise ValueError(msg)
    return (lambda x: Answers(f, x)), mu


@dataclass(eq=False)
class _Learner:
    """One run: what it may ask, the tree so far, and the record of its steps."""

    ask: Callable[[Bits], Answers]
    mu: ProductDistribution
    epsilon: float
    delta: float
    rng: np.random.Generator
    max_samples: int
    scale: float
    steps: list[SampledStep] = field(default_factory=list)
    splits: list[tuple[int, int]] = field(default_factory=list)
    leaves: dict[int, dict[int, int]] = field(default_factory=lambda: {0: {}})
    """Each leaf, numbered as in `GrowthPath`: the answers on the way, in the order asked."""

    def step(self, max_leaves: float) -> Stopped | None:
        """Label the leaves, and split one; or say why the run stops."""
        found = self.label_leaves()
        self.steps.append(found)
        if found.error <= STOP_AT * self.epsilon:
            return "error"
        if len(self.leaves) >= max_leaves:
            return "max_leaves"
        found = self.steps[-1] = self.choose_split(found)
        if found.score == 0:
            return "blind"
        self.split(found.node, found.variable)
        return None

    def label_leaves(self) -> SampledStep:
        """A step that splits nothing: the majority at each leaf, and the share of errors."""
        m = self.scale_up(examples_needed(len(self.splits), self.epsilon, self.delta))
        self.check_affordable(m, "estimate the error of the tree")
        nodes = np.array(list(self.leaves), dtype=np.intp)
        labels, error = self.vote(m)
        return SampledStep(nodes, labels, error, m, 0, np.zeros((0, self.mu.n)), -1, -1, 0.0)

    def choose_split(self, step: SampledStep) -> SampledStep:
        """The step with its estimates, and with the best split if any pair was sensitive."""
        n = self.mu.n
        pairs = self.scale_up(pairs_needed(len(self.splits), n, self.epsilon, self.delta))
        self.check_affordable((n + 1) * pairs, "choose the next split")
        estimates = self.estimate(pairs)
        row, i = self.best(estimates)
        step, score = replace(step, n_pairs=pairs, estimates=estimates), float(estimates[row, i])
        return replace(step, node=int(step.nodes[row]), variable=i, score=score) if score else step

    def scale_up(self, number: int) -> int:
        """A sample size times ``scale``, rounded up; exactly where no float is as large."""
        try:
            return math.ceil(self.scale * number)
        except OverflowError:
            return math.ceil(Fraction(self.scale) * number)

    def check_affordable(self, more: int, what: str) -> None:
        """Refuse to ask for more values than may be."""
        needed = more + sum(step.n_samples for step in self.steps)
        if needed <= self.max_samples:
            return
        least = f"{needed:,}" if needed < 10**30 else as_repr(needed)
        msg = (
            f"max_samples must be at least {least} to {what} with "
            f"{len(self.leaves)} leaves, got {self.max_samples:,}"
        )
        raise ValueError(msg)

    def draw(self, m: int) -> Iterator[tuple[Bits, Ints]]:
        """Points from mu in chunks, with the leaf (as a place in ``leaves``) that each reaches."""
        rows = max(_CHUNK // max(self.mu.n, 1), 1)
        place = np.empty(2 * len(self.splits) + 1, dtype=np.intp)
        place[list(self.leaves)] = np.arange(len(self.leaves))
        for start in range(0, m, rows):
            x = self.mu.sample(min(rows, m - start), self.rng)
            node = np.zeros(len(x), dtype=np.intp)
            for j, (split_node, i) in enumerate(self.splits):
                here = np.flatnonzero(node == split_node)
                node[here] = x[here, i]
                node[here] += 2 * j + 1
            yield x, place[node]

    def vote(self, m: int) -> tuple[Ints, float]:
        """The majority label of every leaf on m examples, and the share of errors."""
        votes = np.zeros((len(self.leaves), 2), dtype=np.intp)
        for x, leaf in self.draw(m):
            asked = self.ask(x)
            votes += np.bincount(2 * leaf + asked.values, minlength=votes.size).reshape(-1, 2)
        return votes.argmax(axis=1), float(votes.min(axis=1).sum() / m)

    def estimate(self, m: int) -> Floats:
        """The estimated score of every leaf and variable, from m pairs for each variable."""
        n = self.mu.n
        free = np.array([[i not in leaf for i in range(n)] for leaf in self.leaves.values()], bool)
        counts = np.zeros(free.shape, dtype=np.intp)
        for x, leaf in self.draw(m):
            asked = self.ask(x)
            for i in range(n):
                bits = (self.rng.random(len(x)) < self.mu.p[i]).astype(np.int8)
                differ = asked.values != asked.beside(i, bits)
                # A pair across a test of x_i has its ends in two leaves: it counts for neither.
                counts[:, i] += np.bincount(leaf[differ], minlength=len(counts)) * free[:, i]
        return counts / m

    def best(self, estimates: Floats) -> tuple[int, int]:
        """The place of the leaf and the variable of the largest estimate, by the book's rule."""
        answers = [tuple(leaf.values()) for leaf in self.leaves.values()]
        tied = np.flatnonzero(estimates.max(axis=1) == estimates.max()).tolist()
        row = min(tied, key=lambda row: (len(answers[row]), answers[row]))
        return row, int(estimates[row].argmax())

    def split(self, node: int, i: int) -> None:
        """Split a leaf."""
        answers = self.leaves.pop(node)
        first = 2 * len(self.splits) + 1
        self.leaves |= {first + bit: {**answers, i: bit} for bit in (0, 1)}
        self.splits.append((node, i))


def build_top_down_sampled(  # noqa: PLR0913
    f: BooleanFunction | Oracle,
    mu: ProductDistribution | None,
    epsilon: float,
    delta: float,
    rng: np.random.Generator | int,
    *,
    max_samples: int = MAX_SAMPLES,
    max_leaves: int | None = None,
    scale: float = 1.0,
) -> SampledRun:
    """Learn a decision tree from samples alone, without parameters of the function.

    With probability above ``1 - delta`` the tree has error at most ``epsilon`` under ``mu``, each
    split has at least a quarter of the best score at the time, and no split is made once the error
    is at most ``2/3 epsilon``: so the theorem, for that error, bounds its size (claims PS-T5.1,
    PS-MS, PS-STOP).

    A ValueError if the oracle gives two answers for one point, which a pair may ask for twice.

    Parameters
    ----------
    f : BooleanFunction, or an oracle
        An oracle is called with an ``(m, n)`` array of integers 0/1, a point a row, and must give m
        bits. Nothing else of f is used.
    mu : ProductDistribution
        Where points come from. None means uniform, if f is a BooleanFunction.
    epsilon : float in (0, 1/2)
    delta : float in (0, 1)
    rng : numpy Generator or seed
    max_samples : int
        How many values the oracle may be asked for; the run ends, with an error that has the
        number, before a step that needs more.
    max_leaves : int, optional
        Stop there.
    scale : float > 0
        Multiplies every sample size. Below 1 nothing is guaranteed any more.

    Examples
    --------
    >>> import dtviz as dt
    >>> mu = dt.ProductDistribution([0.5, 0.5, 0.9])
    >>> run = dt.product.build_top_down_sampled(lambda x: x[:, 0] & x[:, 2], mu, 0.1, 0.1, rng=0)
    >>> print(run.tree())
    x0
    ├─ 0: 0
    └─ 1: 1
    >>> run.n_samples
    15214
    """
    ask, mu = as_oracle(f, mu)
    names = Names(f.variables if isinstance(f, BooleanFunction) else None)
    epsilon, delta = as_positive_epsilon(epsilon), as_confidence(delta)
    generator = as_generator("rng", rng)
    max_samples = as_integer("max_samples", max_samples, 1)
    limit = math.inf if max_leaves is None else as_integer("max_leaves", max_leaves, 1)
    scale = as_real("scale", scale, "(0, inf)", lambda s: 0 < s < math.inf)
    learner = _Learner(ask, mu, epsilon, delta, generator, max_samples, scale)
    while (stopped := learner.step(limit)) is None:
        pass
    return SampledRun(mu, epsilon, delta, scale, tuple(learner.steps), stopped, names)
