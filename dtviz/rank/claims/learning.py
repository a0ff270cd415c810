"""Chapter 2, learning: how many random examples make a consistent tree good.

Nothing is simulated. On the 3-cube, what a learner outputs depends only on which points were seen,
and the probability of each set of points is a signed sum of 256 powers; so the probability of
failure is computed, for every target and for a family of distributions. Where the bounds are nearly
attained, with few heavy points, it is a short sum.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from dtviz import rank as chapter
from dtviz.claims.populations import name
from dtviz.claims.registry import Claim, Form, Outcome, outcome
from dtviz.claims.sources import EH
from dtviz.core.all_functions import optimal_all
from dtviz.core.tolerances import ROUNDING
from dtviz.rank.claims.functions import functions_counted
from dtviz.rank.claims.samples import all_samples, answers, table

__all__ = ["CLAIMS", "GOALS"]

PAGE = "2-rank"
FAILURES = "targets, distributions and (epsilon, delta)"
GOALS = ((0.3, 0.2), (0.2, 0.1), (0.1, 0.05))
"""Pairs (epsilon, delta)."""
RARE = ((0.1, 0.05), (0.01, 1e-30), (0.001, 1e-300))
"""Pairs with a small delta, of which the number of examples depends most on delta."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
SETS = np.arange(256)

Size = Callable[[float, float], int]
"""The number of examples for epsilon and delta."""


@dataclass(frozen=True)
class Trials:
    """Settings and the natural logarithms of how likely learning fails in them, and may fail."""

    failure: Floats
    allowed: Floats
    describe: Callable[[int], str]


def _told(trials: Sequence[Trials]) -> Outcome:
    """All settings together; in the tightest, the failure is nearest to delta by its logarithm."""
    failure = np.concatenate([part.failure for part in trials])
    allowed = np.concatenate([part.allowed for part in trials])
    ends = np.cumsum([part.failure.size for part in trials])

    def describe(k: int) -> str:
        part = int(np.searchsorted(ends, k, side="right"))
        place = k - int(ends[part]) + trials[part].failure.size
        chance = f"failure {_chance(failure[k])}, allowed {_chance(allowed[k])}"
        return f"{chance}, after {trials[part].describe(place)}"

    nearness = allowed / np.minimum(failure, -1e-9)
    return outcome(FAILURES, failure <= allowed, nearness, describe)


def _chance(logarithm: float) -> str:
    """A probability by its natural logarithm."""
    ten = logarithm / math.log(10)
    return f"10^{ten:.1f}" if ten < -12 else f"{math.exp(logarithm):.2g}"


# -- every target on the 3-cube --------------------------------------------------------------------


@cache
def _distributions(epsilon: float) -> tuple[Floats, tuple[str, ...]]:
    """Distributions on the 3-cube, and their masses in words.

    All with masses in halves, the uniform one, and some with points slightly above epsilon, where a
    hypothesis that errs on one of them is bad and yet likely to survive.
    """
    masses = [np.full(8, 1 / 8)]
    words = ["the uniform distribution"]
    for pair in itertools.combinations_with_replacement(range(8), 2):
        masses.append(np.bincount(pair, minlength=8) / 2)
        words.append(f"all mass on {sorted(set(pair))}")
    heavy = 1.05 * epsilon
    count = min(int(1 / heavy), 7)
    for points in list(itertools.combinations(range(8), count))[::4]:
        rest = min(set(range(8)) - set(points))
        mass = np.zeros(8)
        mass[list(points)] = heavy
        mass[rest] = 1 - count * heavy
        masses.append(mass)
        words.append(f"{heavy:g} on each of {list(points)}, the rest on {rest}")
    return np.array(masses), tuple(words)


def _sums(mass: Floats) -> Floats:
    """The probability of every set of points, for each distribution."""
    total: Floats = mass @ ((SETS >> np.arange(8)[:, None]) & 1)
    return total


def _seen_exactly(mass: Floats, m: int) -> Floats:
    """The probability that m examples show exactly a set of points, for every set.

    ``P(A)^m`` is the probability that all are in A; inclusion and exclusion does the rest.
    """
    exactly = _sums(mass) ** m
    for i in range(8):
        halves = exactly.reshape(-1, 2, 1 << i)
        halves[:, 1] -= halves[:, 0]
    return np.clip(exactly, 0, 1)


Bad = Callable[[Bools], Bools]
"""From the sets of points too heavy to err on: per target and set seen, whether learning fails."""


def _some_consistent(rank: int, heavy: Bools) -> Bools:
    """Whether some bad function of F_3^rank agrees with the target on the points seen."""
    member = optimal_all(3).rank <= rank
    # A bad function that differs from the target on D survives every set outside D.
    found: Bools = (heavy & member[SETS[:, None] ^ SETS])[:, ::-1].copy()
    for i in range(8):
        halves = found.reshape(256, -1, 2, 1 << i)
        halves[:, :, 0] |= halves[:, :, 1]
    return found


@cache
def _output(rank: int | None) -> Ints:
    """``[target, seen]``: the code of the tree that FIND (FINDMIN for None) returns, -1 if none."""
    every = all_samples()
    of_sample = np.full((256, 256), -1)
    of_sample[every.seen, every.ones] = table(answers(rank)).code
    return np.asarray(of_sample[SETS, SETS[:, None] & SETS])


def _learned(rank: int | None, heavy: Bools) -> Bools:
    """Whether the tree that is output is bad; none counts as bad."""
    output = _output(rank)
    return np.asarray((output < 0) | heavy[SETS[:, None] ^ output])


CONSISTENT = partial(_some_consistent, 1)
FIND = {1: partial(_learned, 1), 2: partial(_learned, 2)}
FINDMIN = partial(_learned, None)


@cache
def _fails(bad: Bad, epsilon: float) -> Bools:
    """``[distribution, target, seen]``: whether learning fails."""
    masses, _ = _distributions(epsilon)
    return np.array([bad(heavy) for heavy in _sums(masses) > epsilon])


def _on_the_cube(size: Size, targets: Ints, *bad: Bad) -> Trials:
    """Every target with every distribution, the goals and the ways to fail."""
    failure, allowed, words = [], [], []
    for epsilon, delta in GOALS:
        m = size(epsilon, delta)
        masses, called = _distributions(epsilon)
        exactly = _seen_exactly(masses, m)[:, :, None]
        for fails in bad:
            chance = (_fails(fails, epsilon)[:, targets].astype(float) @ exactly).ravel()
            failure.append(np.log(np.where(chance < ROUNDING, 1e-300, np.minimum(chance, 1))))
            allowed.append(np.full(chance.size, math.log(delta)))
            words += [(m, epsilon, of) for of in called]

    def describe(k: int) -> str:
        row, column = divmod(k, targets.size)
        m, epsilon, called = words[row]
        target = name(3, int(targets[column]))
        return f"{m} examples of {target} with epsilon {epsilon:g} and {called}"

    return Trials(np.concatenate(failure), np.concatenate(allowed), describe)


def _of_rank(rank: int) -> Ints:
    return np.flatnonzero(optimal_all(3).rank <= rank)


# -- where the bounds are nearly attained ----------------------------------------------------------


def _neighbours(size: Callable[[int, float, float], int], *, error: float = 1) -> Trials:
    """Lemma 4 at its tightest: F holds the functions that differ from f at one of N heavy points.

    Each has mass 1/N, just above epsilon. Some function of F is consistent if some point is unseen,
    which has the probability ``sum_j (-1)^(j+1) C(N, j) (1 - j/N)^m``. ``error`` times epsilon is
    the error that is called bad.
    """
    failure, allowed, words = [], [], []
    for epsilon in (0.1, 0.01, 0.001):
        count = math.ceil(1 / (error * epsilon)) - 1
        for delta in (0.2, 0.05, 1e-6, 1e-30):
            m = size(count, epsilon, delta)
            failure.append(_some_unseen(count, 1 / count, m))
            allowed.append(math.log(delta))
            words.append(f"{m:,} examples with epsilon {epsilon:g}, |F| = {count}")
    return Trials(np.array(failure), np.array(allowed), words.__getitem__)


def _some_unseen(count: int, mass: float, m: int) -> float:
    """The logarithm of the chance that m examples miss some of so many points of a mass.

    Where many are missed, no more points are looked at than make one miss on average: a lower
    bound, near 2/3, which keeps the signed sum from cancelling.
    """
    one = m * math.log1p(-mass)
    count = min(count, max(1, math.floor(math.exp(-one)))) if one > -700 else count
    terms = [0.0]
    for j in range(1, min(count, 60) + 1):
        if j * mass < 1:
            ways = math.log(math.comb(count, j))
            terms.append((-1) ** (j + 1) * math.exp(ways + m * math.log1p(-j * mass) - one))
    return one + math.log(math.fsum(terms))


@cache
def _wrong_after_one() -> Ints:
    """``[target, point]``: the set of points on which FIND or FINDMIN errs after that example."""
    wrong = np.zeros((256, 8), dtype=np.int64)
    for rank in (1, 2, None):
        output = _output(rank)[:, 1 << np.arange(8)]
        wrong |= np.where(output < 0, 255, output ^ SETS[:, None])
    return wrong


def _two_points(size: Size, targets: Ints) -> Trials:
    """A point of mass just above epsilon, the rest on another: fails if the first is never seen."""
    failure, allowed, words = [], [], []
    for epsilon, delta in RARE:
        m = size(epsilon, delta)
        never = m * math.log1p(-(1 + 1e-9) * epsilon)
        for target, a, b in itertools.product(targets.tolist(), range(8), range(8)):
            wrong = a != b and _wrong_after_one()[target, b] >> a & 1
            failure.append(never if wrong else -1e6)
            allowed.append(math.log(delta))
            words.append((m, epsilon, target, a))

    def describe(k: int) -> str:
        m, epsilon, target, a = words[k]
        return f"{m:,} examples of {name(3, target)} with mass {epsilon:g} = epsilon on point {a}"

    return Trials(np.array(failure), np.array(allowed), describe)


DISJUNCTIONS = (4, 16, 64)


@cache
def _errs_on_all_unseen(n: int) -> bool:
    """Of the disjunction of n variables, FIND takes each unit point it has not seen for a 0."""
    for unseen in range(n):
        seen = np.vstack([np.zeros(n, dtype=int), np.eye(n, dtype=int)[unseen:]])
        tree = chapter.find(seen, seen.any(axis=1), rank=1)
        if tree is None or tree.predict(np.eye(n, dtype=int)).sum() != n - unseen:
            return False
    return True


def _disjunctions(size: Callable[[int, float, float], int]) -> Trials:
    """Targets of rank 1 with n light points, all of which FIND errs on until it sees them.

    The unit points have mass e epsilon / n each, the point 0 has the rest. Learning fails while the
    unseen ones together exceed epsilon. How many are unseen is a Markov chain.
    """
    failure, allowed, words = [], [], []
    for n in DISJUNCTIONS:
        for epsilon, delta in GOALS:
            m = size(n, epsilon, delta)
            unseen = _how_many_unseen(n, math.e * epsilon / n, m)
            chance = unseen[math.floor(n / math.e) + 1 :].sum() if _errs_on_all_unseen(n) else 1
            # And the point 0 may be missed.
            chance += (math.e * epsilon) ** m
            failure.append(math.log(min(max(chance, 1e-300), 1)))
            allowed.append(math.log(delta))
            words.append(f"{m:,} examples of the disjunction of {n} with epsilon {epsilon:g}")
    return Trials(np.array(failure), np.array(allowed), words.__getitem__)


def _how_many_unseen(n: int, mass: float, m: int) -> Floats:
    """The distribution of the number of n points, each of this mass, that m examples miss."""
    chance = np.zeros(n + 1)
    chance[n] = 1
    number = np.arange(n + 1)
    for _ in range(m):
        moved = chance * number * mass
        chance = chance - moved
        chance[:-1] += moved[1:]
    return chance


# -- the theorems ----------------------------------------------------------------------------------

Asked = Callable[[float, float, float], float]
"""From (a bound on) ln |F|, epsilon and delta: the number of examples, not rounded."""


def _without_the_class(_: float, epsilon: float, delta: float) -> float:
    return -math.log(delta) / epsilon


def _half_of_delta(of_class: float, epsilon: float, delta: float) -> float:
    return (of_class - math.log(delta) / 2) / epsilon


def _common_logarithms(of_class: float, epsilon: float, delta: float) -> float:
    return (of_class - math.log(delta)) / epsilon / math.log(10)


def _share(share: float, of_class: float, epsilon: float, delta: float) -> float:
    return share * (of_class - math.log(delta)) / epsilon


def _for_the_class(asked: Asked | None, count: int, epsilon: float, delta: float) -> int:
    """Lemma 4's number of examples for a class of so many functions."""
    if asked is None:
        return chapter.sample_size(epsilon, delta, math.log(count))
    return math.ceil(asked(math.log(count), epsilon, delta))


def _lemma_4(asked: Asked | None = None, *, error: float = 1) -> Outcome:
    of_lists = partial(_for_the_class, asked, functions_counted(3, 1))
    return _told(
        [
            _on_the_cube(of_lists, SETS, CONSISTENT),
            _neighbours(partial(_for_the_class, asked), error=error),
        ]
    )


def _for_the_rank(asked: Asked | None, r: int, n: int, epsilon: float, delta: float) -> int:
    """Theorem 2's number of examples."""
    if asked is None:
        return chapter.sample_size_for_rank(n, r, epsilon, delta)
    return math.ceil(asked((math.e * n / r) ** r * math.log(8 * n), epsilon, delta))


def _smaller_exponent(r: int, n: int, epsilon: float, delta: float) -> int:
    of_class = (math.e * n / r) ** (r - 1) * math.log(8 * n)
    return math.ceil(_share(1, of_class, epsilon, delta))


def _theorem_2(r: int, size: Callable[[int, float, float], int]) -> Outcome:
    """FIND and FINDMIN, every target of rank at most r; ``size`` is given n, epsilon and delta."""
    on_cube, targets = partial(size, 3), _of_rank(r)
    trials = [_on_the_cube(on_cube, targets, FIND[r], FINDMIN), _two_points(on_cube, targets)]
    return _told([*trials, _disjunctions(size)] if r == 1 else trials)


def _theorem_2_counts_generously(size: Callable[[int, int, float, float], int]) -> Outcome:
    """Against Lemma 4 with |F_n^r| counted; ``size`` is given r, n, epsilon and delta."""
    pairs = [(n, r) for n in (1, 2, 3, 4) for r in range(1, n + 1)]
    pairs += [(n, 1) for n in (10, 40, 100, 400)]
    cases = [(n, r, *goal) for n, r in pairs for goal in GOALS]
    asked = [size(r, n, epsilon, delta) for n, r, epsilon, delta in cases]
    enough = [
        chapter.sample_size(epsilon, delta, math.log(functions_counted(n, r)))
        for n, r, epsilon, delta in cases
    ]
    return outcome(
        "n, r, epsilon and delta",
        [a >= e for a, e in zip(asked, enough, strict=True)],
        [e / a for a, e in zip(asked, enough, strict=True)],
        lambda k: f"{asked[k]:,} examples, {enough[k]:,} by the exact count, at {cases[k]}",
    )


def _by_nodes(asked: Asked | None, s: int, epsilon: float, delta: float) -> int:
    """Theorem 3's number of examples for s nodes and n = 3."""
    if asked is None:
        return chapter.sample_size_for_nodes(3, s, epsilon, delta)
    return _for_the_rank(asked, s.bit_length() - 1, 3, epsilon, delta)


def _by_leaves(asked: Asked | None, s: int, epsilon: float, delta: float) -> int:
    """Theorem 3's number of examples with the sharper rank."""
    if asked is None:
        return chapter.sample_size_for_leaves(3, (s + 1) // 2, epsilon, delta)
    return _for_the_rank(asked, ((s + 1) // 2).bit_length() - 1, 3, epsilon, delta)


def _theorem_3(size: Callable[[int, float, float], int]) -> Outcome:
    """FINDMIN, targets with at most 3, 5, 7, 9 and 15 nodes; ``size`` is given the nodes."""
    trials = []
    for s in (3, 5, 7, 9, 15):
        targets = np.flatnonzero(2 * optimal_all(3).n_leaves - 1 <= s)
        trials.append(_on_the_cube(partial(size, s), targets, FINDMIN))
        trials.append(_two_points(partial(size, s), targets))
    return _told(trials)


def _sharper_rank_asks_for_fewer(*, strictly: bool = False, over: int = 1) -> Outcome:
    nodes = [s for s in range(3, 1025, 2) if s >= 4]
    asked = [chapter.sample_size_for_nodes(20, s, 0.1, 0.05) for s in nodes]
    sharper = [chapter.sample_size_for_leaves(20, (s + 1) // 2, 0.1, 0.05) for s in nodes]
    return outcome(
        "numbers of nodes, n = 20",
        [a >= over * b + strictly for a, b in zip(asked, sharper, strict=True)],
        [b / a for a, b in zip(asked, sharper, strict=True)],
        lambda k: f"{asked[k]:,} examples, or {sharper[k]:,}, for {nodes[k]} nodes",
    )


FEWER = (
    ("4% fewer examples", partial(_share, 0.96)),
    ("without the class: ln(1/delta)/epsilon", _without_the_class),
    ("half of ln(1/delta)", _half_of_delta),
    ("log10 for ln", _common_logarithms),
)
"""Numbers of examples that are too small."""

CLAIMS = (
    Claim(
        "EH-L4",
        EH,
        r"After $\frac{1}{\varepsilon} \ln \frac{|F|}{\delta}$ random examples of any target, with "
        r"probability at least $1 - \delta$ every function of $F$ consistent with them has error "
        r"at most $\varepsilon$.",
        PAGE,
        (
            Form(
                "F of rank ≤ 1 on 3 variables, and F nearly attaining it",
                _lemma_4,
                formula=r"m \;\ge\; \frac1\varepsilon \ln \frac{|F|}{\delta}",
                mutants=(
                    Form("1% fewer examples", partial(_lemma_4, partial(_share, 0.99))),
                    *(Form(label, partial(_lemma_4, asked)) for label, asked in FEWER[1:]),
                    Form("error at most 0.99 epsilon", partial(_lemma_4, error=0.99)),
                ),
            ),
        ),
    ),
    Claim(
        "EH-T2",
        EH,
        r"For a target of rank at most $r$, $n \ge r \ge 1$, after "
        r"$\frac{1}{\varepsilon} ((en/r)^r \ln(8n) + \ln \frac{1}{\delta})$ examples FIND$(S, r)$ "
        r"and FINDMIN$(S)$ return a tree of error at most $\varepsilon$ with probability at least "
        r"$1 - \delta$.",
        PAGE,
        (
            Form(
                "r = 1: n = 3, and disjunctions of 4 to 64",
                partial(_theorem_2, 1, partial(_for_the_rank, None, 1)),
                formula=r"m \;\ge\; \frac1\varepsilon \left( \Bigl(\frac{en}{r}\Bigr)^{r} "
                r"\ln(8n) + \ln \frac1\delta \right)",
                mutants=(
                    *(
                        Form(label, partial(_theorem_2, 1, partial(_for_the_rank, asked, 1)))
                        for label, asked in FEWER
                    ),
                    Form(
                        "r - 1 for the exponent r",
                        partial(_theorem_2, 1, partial(_smaller_exponent, 1)),
                    ),
                ),
            ),
            Form(
                "r = 2: n = 3",
                partial(_theorem_2, 2, partial(_for_the_rank, None, 2)),
                formula=r"m \;\ge\; \frac1\varepsilon \left( \Bigl(\frac{en}{r}\Bigr)^{r} "
                r"\ln(8n) + \ln \frac1\delta \right)",
                mutants=tuple(
                    Form(label, partial(_theorem_2, 2, partial(_for_the_rank, asked, 2)))
                    for label, asked in (
                        ("8% fewer examples", partial(_share, 0.92)),
                        *FEWER[1:],
                    )
                ),
            ),
            Form(
                "no fewer than Lemma 4 with |F| counted",
                partial(_theorem_2_counts_generously, partial(_for_the_rank, None)),
                mutants=(
                    Form(
                        "r - 1 for the exponent r",
                        partial(_theorem_2_counts_generously, _smaller_exponent),
                    ),
                    Form(
                        "a quarter of the class",
                        partial(
                            _theorem_2_counts_generously,
                            partial(_for_the_rank, lambda c, *goal: _share(1, c / 4, *goal)),
                        ),
                    ),
                ),
            ),
        ),
        note="The term of delta is sharp; that of the class is not: in these cases a twentieth of "
        "it would do.",
    ),
    Claim(
        "EH-T3",
        EH,
        r"For a target with a tree of at most $s$ nodes, Theorem 2 with "
        r"$r = \lfloor \log_2 s \rfloor$ holds for FINDMIN; with "
        r"$r = \lfloor \log_2 \mathrm{leaves} \rfloor$ it needs fewer examples.",
        PAGE,
        (
            Form(
                "n = 3, 3 to 15 nodes",
                partial(_theorem_3, partial(_by_nodes, None)),
                formula=r"m \;\ge\; \frac1\varepsilon \left( \Bigl(\frac{en}{k}\Bigr)^{k} "
                r"\ln(8n) + \ln\frac1\delta \right)",
                mutants=tuple(
                    Form(label, partial(_theorem_3, partial(_by_nodes, asked)))
                    for label, asked in FEWER
                ),
            ),
            Form(
                "n = 3, 2 to 8 leaves, sharper",
                partial(_theorem_3, partial(_by_leaves, None)),
                formula=r"k = \bigl\lfloor \log_2 \frac{s+1}{2} \bigr\rfloor",
                mutants=tuple(
                    Form(label, partial(_theorem_3, partial(_by_leaves, asked)))
                    for label, asked in FEWER
                ),
            ),
            Form(
                "the sharper rank asks for no more",
                _sharper_rank_asks_for_fewer,
                mutants=(
                    Form("always for fewer", partial(_sharper_rank_asks_for_fewer, strictly=True)),
                    Form("at most half", partial(_sharper_rank_asks_for_fewer, over=2)),
                ),
            ),
        ),
        note="The source writes log(8n), natural as in Theorem 2. With log2 the statement is true "
        "as well; it asks for 1.44 times as many examples.",
    ),
)
