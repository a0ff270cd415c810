"""Chapter 3: parities behind a rare event, on which greed is wasteful (claim LB-D)."""

import itertools
import math
from dataclasses import dataclass

from claims.kit import same
from claims.product.populations import bounds, equal, run, stated, vote
from dtviz import product
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import ProductDistribution
from dtviz.core.boolean_trees import topdown
from dtviz.core.boolean_trees.optimal import optimal


@dataclass(frozen=True)
class RareParities:
    """``x_0`` and one of k parities of P bits, chosen by majorities of ``voters`` fair bits (LB-D).

    ``Pr[x_0 = 1]`` is 1/D_g, where ``D_g = log2(k) voters + P`` is the depth of the tree that asks
    the votes and then the parity they choose. ``depth`` and ``delta`` (one question, and with
    probability 1/D_g as many more as D_g) bound D(f) and Delta(f); greedy growth to ``epsilon``
    makes at least ``2^greedy`` leaves, because it errs on an eighth of the points with ``x_0 = 1``
    at most (claim LB-A).
    """

    k: int
    voters: int
    P: int
    delta: float = 2.0

    @property
    def depth(self):
        return 1 + (self.k.bit_length() - 1) * self.voters + self.P

    @property
    def epsilon(self):
        return 1 / (8 * (self.depth - 1))

    @property
    def votes_are_weak(self):
        """Whether a vote decides with probability below 1/k, so that LB-A applies; in integers."""
        tied = math.comb(self.voters - 1, (self.voters - 1) // 2)
        return tied * self.k < 1 << (self.voters - 1)

    @property
    def greedy(self):
        """The logarithm of a lower bound on the greedy size."""
        return self.P * math.ceil(self.k * 3 / 4) - 1.0

    @property
    def printed(self):
        """What Theorem 1.1 with the average depth of f allows, in bits; increasing in both."""
        return product.size_bound_bits(self.delta, self.depth, self.epsilon)

    @property
    def abstract(self):
        """The same for the form of the abstract."""
        return self.delta * self.depth * math.log2(math.e / self.epsilon)

    def __str__(self):
        return f"x0 and one of {self.k} parities of {self.P:,} bits, {self.voters:,} voters a bit"


RARE_PARITIES = (
    RareParities(4, 11, 100),
    RareParities(16, 165, 10_000),
    RareParities(64, 2609, 1_000_000),
    RareParities(128, 10_431, 10_000_000),
)
"""Larger and larger; what the notes claim is refuted by all but the first."""


@bounds("functions")
def size_of_rare_parities(claimed):
    """A lower bound on the greedy size against a claimed upper bound, both in bits."""
    for f in RARE_PARITIES:
        assert f.votes_are_weak, "LB-A does not apply"
        yield f.greedy, claimed(f), f"in bits, {f}"


CLAIMED = (
    (1, 1, lambda f: f.printed),
    (2, 4, lambda f: f.printed),
    (3, 1, lambda f: f.abstract * math.log2(math.e)),
)


@bounds("bounds")
def exceeds(claimed=CLAIMED):
    """The lower bound is so many times what is claimed, in bits, for these functions."""
    for place, times, of in claimed:
        f = RARE_PARITIES[place]
        yield times * of(f), f.greedy, f"{f}"


SMALL = tuple((voters, P) for voters, most in ((5, 5), (7, 4), (9, 3)) for P in range(1, most + 1))
"""Majorities that choose one of two parities (k = 2), weak enough as LB-D asks; parity bits."""


@bounds("functions")
def wasteful(more=0, share=1 / 8, voters=None):
    """Leaves to bring the error down to ``eta/8``: more than ``2^(P ceil(3B/4) - 1)``, B = 2."""
    for votes, P in SMALL:
        g, eta = zoo.parity_multiplexer(voters or votes, P), 1 / ((voters or votes) + P)
        path = topdown.build_top_down(zoo.guarded(g), behind_a_guard(g, eta))
        where = f"in bits, P = {P}, {voters or votes} voters"
        yield P * math.ceil(3 * 2 / 4) - 1 + more, math.log2(path.n_leaves_for(share * eta)), where


def behind_a_guard(g, rare):
    """``x_0`` is rarely 1, the other bits are fair."""
    return ProductDistribution([rare, *[1 / 2] * g.n])


GUARDED = {
    "majority of 5": zoo.majority(5),
    "majority of 7": zoo.majority(7),
    "tribes(2, 3)": zoo.tribes(2, 3),
    "parity_multiplexer(3, 2)": zoo.parity_multiplexer(3, 2),
    "parity_multiplexer(3, 3)": zoo.parity_multiplexer(3, 3),
    "caterpillar(3)": zoo.caterpillar(3),
}
RARE = (1 / 16, 1 / 256)


VOTES = tuple(itertools.product((3, 5, 7, 9), (1 / 4, 1 / 20, 1 / 100, 1 / 1000)))


@bounds("majorities behind guards")
def after_the_guard():
    for of in itertools.starmap(vote, VOTES):
        yield of.errors[1] / (2 * of.delta), of.path.scores[1], of.name


@stated(
    "LB-D",
    r"Let $f = x_0 \wedge g$, $\Pr[x_0 = 1] = \eta$ small and the other bits fair. Greedy growth "
    r"queries $x_0$, then grows the greedy tree of $g$. $\Delta(f) = 1 + \eta \Delta(g)$ is "
    r"close to 1, while a leaf holds $g$: as $\eta \to 0$, a score floor with $\Delta(f)$ must "
    r"fail. If $g$ is one of $B$ parities of $P$ bits, chosen by majorities, and $\varepsilon = "
    r"\eta/8$, more than $2^{P \lceil 3B/4 \rceil - 1}$ leaves are made.",
)
def test_rare_parities(trial):
    trial.holds(
        "sizes for B = 2, grown",
        wasteful,
        r"2^{P \lceil 3B/4 \rceil - 1}",
        {
            "eight times as many leaves": {"more": 3},
            "for one voter, who is not weak": {"voters": 1},
        },
    )

    @trial.form(
        "D ≤ a + P + 1 and Delta ≤ 2",
        variants={"Delta at most 1.85": {"average": 1.85}, "D at most a + P": {"more": 0}},
    )
    @bounds("depths")
    def shallow(average=2, more=1):
        """D at most ``a + P + 1`` and Delta at most 2, if ``Pr[x_0 = 1] = 1/(a + P)``."""
        for case in ((5, 1), (5, 2), (7, 1)):
            best = run("", zoo.guarded(zoo.parity_multiplexer(*case)), 1 / sum(case), 1 / 2)
            where = "{} voters, parity of {}".format(*case)
            yield best.depth, sum(case) + more, where
            yield best.delta, average, where

    trial.holds(
        "part 3: what the bounds as printed allow is exceeded",
        exceeds,
        variants={
            "five times over for k = 64": {"claimed": ((2, 5, CLAIMED[1][2]),)},
            "for k = 4, too": {"claimed": ((0, 1, CLAIMED[0][2]),)},
        },
    )

    @trial.form(
        "x0, then the greedy tree of g",
        variants={
            "if x0 is mostly 1": {"chances": (15 / 16,)},
            "the greedy tree of g for p = 1/4": {"bias": 1 / 4},
        },
    )
    @same("functions")
    def guard_then_greedy(chances=RARE, bias=1 / 2):
        for (label, g), rare in itertools.product(GUARDED.items(), chances):
            path = topdown.build_top_down(zoo.guarded(g), behind_a_guard(g, rare))
            inner = topdown.build_top_down(g, ProductDistribution([bias] * g.n))
            wrong = path.split_variable.tolist() != [0, *(inner.split_variable + 1)]
            yield wrong, f"x0 and {label}, eta = {rare:g}"

    @trial.form(
        "Delta(f) = 1 + eta Delta(g)",
        variants={
            "with D(g) for Delta(g)": {"of": "depth"},
            "if x0 is mostly 1": {"chances": (15 / 16,)},
        },
    )
    @equal("functions")
    def average_of_guarded(of="average_depth", chances=RARE):
        for (label, g), rare in itertools.product(GUARDED.items(), chances):
            if g.n <= 8:
                delta = run("", zoo.guarded(g), rare, 1 / 2).delta
                yield delta, 1 + rare * getattr(optimal(g), of), f"{label}, eta = {rare:g}"

    trial.fails("a floor with Delta(f), after x0", after_the_guard)
