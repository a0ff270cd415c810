"""Chapter 3: parities behind a rare event, on which greed is wasteful (claim LB-D)."""

import math
from dataclasses import dataclass

import numpy as np

from claims.kit import equality
from claims.product.populations import bound, run, same, stated, vote
from dtviz import product
from dtviz.core import functions as zoo
from dtviz.core import topdown
from dtviz.core.boolean import ProductDistribution
from dtviz.core.optimal import optimal

# -- what cannot be grown: lower bounds by claim LB-A ----------------------------------------------


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
        return product.abstract_bound_bits(self.delta, self.depth, self.epsilon)

    def __str__(self):
        return f"x0 and one of {self.k} parities of {self.P:,} bits, {self.voters:,} voters a bit"


RARE_PARITIES = (
    RareParities(4, 11, 100),
    RareParities(16, 165, 10_000),
    RareParities(64, 2609, 1_000_000),
    RareParities(128, 10_431, 10_000_000),
)
"""Larger and larger; what the notes claim is refuted by all but the first."""


def size_of_rare_parities(claimed):
    """A lower bound on the greedy size against a claimed upper bound, both in bits."""
    if not all(f.votes_are_weak for f in RARE_PARITIES):
        msg = "LB-A does not apply"
        raise ArithmeticError(msg)
    return bound(
        "functions",
        [f.greedy for f in RARE_PARITIES],
        [claimed(f) for f in RARE_PARITIES],
        lambda k: f"in bits, {RARE_PARITIES[k]}",
    )


CLAIMED = (
    (1, 1, lambda f: f.printed),
    (2, 4, lambda f: f.printed),
    (3, 1, lambda f: f.abstract * math.log2(math.e)),
)


def exceeds(claimed=CLAIMED):
    """The lower bound is so many times what is claimed, in bits, for these functions."""
    chosen = [RARE_PARITIES[place] for place, *_ in claimed]
    high = [times * of(f) for f, (_, times, of) in zip(chosen, claimed, strict=True)]
    return bound("bounds", high, [f.greedy for f in chosen], lambda k: f"{chosen[k]}")


# -- what can: the same mechanism, on truth tables -------------------------------------------------

SMALL = tuple((voters, P) for voters, most in ((5, 5), (7, 4), (9, 3)) for P in range(1, most + 1))
"""Majorities that choose one of two parities (k = 2), weak enough as LB-D asks; parity bits."""


def wasteful(more=0, share=1 / 8, voters=None):
    """Leaves to bring the error down to ``eta/8``: more than ``2^(P ceil(3k/4) - 1)``, k = 2."""
    cases = [(voters or votes, P) for votes, P in SMALL]
    leaves = []
    for votes, P in cases:
        g, eta = zoo.parity_multiplexer(votes, P), 1 / (votes + P)
        mu = ProductDistribution([eta, *[1 / 2] * g.n])
        leaves.append(topdown.build_top_down(zoo.guarded(g), mu).n_leaves_for(share * eta))
    return bound(
        "functions",
        [P * math.ceil(3 * 2 / 4) - 1 + more for _, P in cases],
        np.log2(leaves),
        lambda k: f"in bits, P = {cases[k][1]}, {cases[k][0]} voters",
    )


def shallow(average=2, more=1, chance=1):
    """D at most ``a + P + 1`` and Delta at most 2, if ``Pr[x_0 = 1] = 1/(a + P)``."""
    cases = ((5, 1), (5, 2), (7, 1))
    found = [
        run("", zoo.guarded(zoo.parity_multiplexer(*case)), chance / sum(case), 1 / 2)
        for case in cases
    ]
    left = np.array([[of.depth, of.delta] for of in found])
    right = np.array([[sum(case) + more, average] for case in cases])
    return bound("depths", left, right, lambda k: f"{cases[k // 2]} voters and bits of a parity")


GUARDED = {
    "majority of 5": zoo.majority(5),
    "majority of 7": zoo.majority(7),
    "tribes(2, 3)": zoo.tribes(2, 3),
    "parity_multiplexer(3, 2)": zoo.parity_multiplexer(3, 2),
    "parity_multiplexer(3, 3)": zoo.parity_multiplexer(3, 3),
    "caterpillar(3)": zoo.caterpillar(3),
}
RARE = (1 / 16, 1 / 256)


def guard_then_greedy(chances=RARE, bias=1 / 2):
    """``x_0`` first, then the greedy tree of g: the same splits, one leaf more."""
    cases = [(label, g, rare) for label, g in GUARDED.items() for rare in chances]
    wrong = []
    for _, g, rare in cases:
        mu = ProductDistribution([rare, *[1 / 2] * g.n])
        path = topdown.build_top_down(zoo.guarded(g), mu)
        inner = topdown.build_top_down(g, ProductDistribution([bias] * g.n))
        wrong.append(path.split_variable.tolist() != [0, *(inner.split_variable + 1)])
    return equality("functions", wrong, lambda k: f"x0 and {cases[k][0]}, eta = {cases[k][2]:g}")


def average_of_guarded(of="average_depth", chances=RARE):
    """Delta(f), and what it is by Delta(g)."""
    cases = [(label, rare) for label, g in GUARDED.items() for rare in chances if g.n <= 8]
    found = [run("", zoo.guarded(GUARDED[label]), rare, 1 / 2).delta for label, rare in cases]
    wanted = [1 + rare * getattr(optimal(GUARDED[label]), of) for label, rare in cases]
    return same("functions", found, wanted, lambda k: f"{cases[k]}")


VOTES = tuple((m, rare) for m in (3, 5, 7, 9) for rare in (1 / 4, 1 / 20, 1 / 100, 1 / 1000))


def after_the_guard():
    """The best score after ``x_0`` was asked, against ``error/(2 Delta(f))``."""
    found = [vote(*case) for case in VOTES]
    return bound(
        "majorities behind guards",
        [of.errors[1] / (2 * of.delta) for of in found],
        [of.path.scores[1] for of in found],
        lambda k: found[k].name,
    )


def limit_of_the_floor(times=1, more=0):
    """Where Delta(f) is put at its limit, 1: floor / score is ``1/2 / (2 max Res_i(g))``."""
    found = [vote(*case) for case in VOTES]
    influence = [math.comb(m + more - 1, (m + more) // 2) / (1 << (m + more)) for m, _ in VOTES]
    return same(
        "majorities behind guards",
        [of.errors[1] / (2 * of.path.scores[1]) for of in found],
        [1 / 2 / (2 * times * of) for of in influence],
        lambda k: found[k].name,
    )


@stated(
    "LB-D",
    r"Let $f = x_0 \wedge g$, $\Pr[x_0 = 1] = \eta$ small and the other bits fair. Greedy "
    r"growth asks for $x_0$, then grows the greedy tree of $g$. $\Delta(f) = 1 + \eta "
    r"\Delta(g)$ is close to 1, while a leaf holds $g$: as $\eta \to 0$, a score floor with "
    r"$\Delta(f)$ must fail. If $g$ is one of $k$ parities of $P$ bits, chosen by majorities, "
    r"and $\varepsilon = \eta/8$, more than $2^{P \lceil 3k/4 \rceil - 1}$ leaves are made.",
)
def test_rare_parities(trial):
    trial.holds(
        "sizes for k = 2, grown",
        wasteful,
        r"2^{P \lceil 3k/4 \rceil - 1}",
        {
            "eight times as many leaves": {"more": 3},
            "for one voter, who is not weak": {"voters": 1},
            "down to an error of 3/8 of eta": {"share": 3 / 8},
        },
    )
    trial.holds(
        "D ≤ a + P + 1 and Delta ≤ 2",
        shallow,
        variants={
            "Delta at most 1.85": {"average": 1.85},
            "D at most a + P": {"more": 0},
            "if x0 is twice as likely to be 1": {"chance": 2},
        },
    )
    trial.holds(
        "part 3: what the bounds as printed allow is exceeded",
        exceeds,
        variants={
            "five times over for k = 64": {"claimed": ((2, 5, CLAIMED[1][2]),)},
            "for k = 4, too": {"claimed": ((0, 1, CLAIMED[0][2]),)},
            "the abstract's for k = 64": {"claimed": ((2, 1, CLAIMED[2][2]),)},
        },
    )
    trial.holds(
        "x0, then the greedy tree of g",
        guard_then_greedy,
        variants={
            "if x0 is mostly 1": {"chances": (15 / 16,)},
            "the greedy tree of g for p = 1/4": {"bias": 1 / 4},
        },
    )
    trial.holds(
        "Delta(f) = 1 + eta Delta(g)",
        average_of_guarded,
        variants={
            "with D(g) for Delta(g)": {"of": "depth"},
            "if x0 is mostly 1": {"chances": (15 / 16,)},
        },
    )
    trial.holds(
        "the limit of floor / score",
        limit_of_the_floor,
        r"\frac12 / (2 \cdot \max_i \operatorname{Res}_i)",
        {"with flip influence": {"times": 2}, "for a vote of m + 2": {"more": 2}},
    )
    trial.fails("a floor with Delta(f), after x0", after_the_guard)
