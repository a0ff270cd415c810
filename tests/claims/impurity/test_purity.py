"""Chapter 4, purity: shares, Gini, entropy and divergence, on every small vector of counts."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

from claims.impurity.populations import (
    COUNTS,
    Floats,
    Ints,
    all_counts,
    all_occur,
    attained,
    claim,
    grown_trees,
    lopsided,
    near,
    near_even,
    nearly_uniform,
    of_every,
    only_there,
    shares,
    words,
)
from claims.kit import CU, OURS, Outcome, Trial, outcome
from dtviz.core import costs
from dtviz.core.tolerances import CLOSE

PAIRS = "pairs of shares"


def gini(p: Floats) -> Any:
    """`dt.gini`, looked up when it is called: a test puts wrong ones in its place."""
    return costs.gini(p)


def entropy(p: Floats) -> Any:
    return costs.entropy(p)


def root(p: Floats) -> Any:
    return costs.CLASS_COST_FUNCTIONS["sqrt"](p)


# -- shares and Gini -------------------------------------------------------------------------------


@cache
def _leaves() -> tuple[Floats, Ints, Ints, list[str]]:
    """Each class at each leaf: its share as the path has it, |S_k| and |S|, by the labels there.

    The two numbers are of the leaf, in the first row, and of the whole table.
    """
    found, number, size, names = [], [], [], []
    for (X, y, name), path, step, tree in grown_trees("gini"):
        nodes, leaf = path.nodes(step + 1), tree.apply(X)
        for node in tree.leaves.tolist():
            own = path.class_counts[nodes[node]]
            found += (own / path.node_examples[nodes[node]]).tolist()
            for k in np.unique(y):
                number.append((np.sum(y[leaf == node] == k), np.sum(y == k)))
                size.append((np.sum(leaf == node), len(y)))
                names.append(f"class {k} at leaf {node} of {name} after {step} splits")
    return np.array(found), np.array(number).T, np.array(size).T, names


@claim(
    "CU-PK", CU, r"$p_k = |S_k| / |S|$ is the share of class $k$ among the examples $S$ of a leaf."
)
def test_shares(trial: Trial) -> None:
    def counted(of: int = 0, among: int = 0, more: int = 0) -> Outcome:
        found, number, size, names = _leaves()
        share = number[of] / ([*size, number[1]][among] + more)
        return near("classes at leaves of grown trees", found, share, names.__getitem__)

    trial.holds(
        "the shares at every leaf of grown trees",
        counted,
        r"p_k = |S_k| / |S|",
        {
            "of all examples": {"among": 1},
            "of all examples of the class": {"among": 2},
            "of the whole table": {"of": 1, "among": 1},
            "of one example more": {"more": 1},
        },
        kind="definition",
    )


def _differ(counts: list[int], *, put_back: bool = True) -> float:
    """The chance that two examples, drawn one after the other, are of different classes."""
    labels = [k for k, number in enumerate(counts) for _ in range(number)]
    differ = sum(a != b for a, b in itertools.product(labels, repeat=2))
    pairs = len(labels) * (len(labels) if put_back else len(labels) - 1)
    return float(Fraction(differ, max(pairs, 1)))


@claim(
    "CU-GINI",
    CU,
    r"The Gini impurity of a leaf is $G(S) = \sum_k p_k (1 - p_k)$: the chance that two random "
    r"examples of $S$ differ in class.",
)
def test_gini(trial: Trial) -> None:
    def by_pairs(chance: Callable[[list[int]], float] = _differ) -> Outcome:
        return of_every(gini, chance)

    def binary() -> Outcome:
        counts = all_counts(2)
        q = shares(counts)[:, 1]
        found = [gini(shares(counts)), costs.COST_FUNCTIONS["gini"](q)]
        return near(COUNTS, found, [2 * q * (1 - q)] * 2, lambda k: words(counts[k % len(q)]))

    trial.holds(
        "dt.gini against counting pairs",
        by_pairs,
        r"G(S) = \sum_k p_k (1 - p_k)",
        {
            "the first is not put back": {"chance": partial(_differ, put_back=False)},
            "each pair counted once": {"chance": lambda n: _differ(n) / 2},
            "that one is not of the commonest class": {"chance": lambda n: 1 - max(n) / sum(n)},
        },
    )
    trial.holds(
        "two classes: 2q(1-q), as COST_FUNCTIONS has it", binary, r"2q(1-q)", kind="identity"
    )


def _between(
    low: float = 1, high: float = 2, most: str = "error", *, swapped: bool = False
) -> Outcome:
    """``low E <= G <= high M`` with the error E and M another cost; or E and G exchanged."""
    counts = [row for c in (2, 3, 4) for row in (*all_counts(c), *near_even(c), *lopsided(c))]
    G = np.array([float(gini(shares(row))) for row in counts])
    E = np.array([1 - float(shares(row).max()) for row in counts])
    M = [float(costs.CLASS_COST_FUNCTIONS[most](shares(row))) for row in counts]
    if swapped:
        G, E = E, G
    floor, ceiling = low * E, high * np.array(M)
    assert swapped or (floor >= G - CLOSE)[E > 0].any(), "the lower bound is not attained"
    # A pure leaf, with 0 for both, is not of interest.
    used = np.divide(G, ceiling, out=np.zeros_like(G), where=E > 0)
    good = (floor <= G + CLOSE) & (ceiling + CLOSE >= G)
    where = lambda k: f"E = {E[k]:.4g}, G = {G[k]:.4g} at {words(counts[k])}"  # noqa: E731
    found = outcome(COUNTS, good, used, where, used=used)
    return attained(found, 0 if swapped else 0.998 if most == "error" else 1 - 1e-9)


@claim(
    "CU-GINI-MAX",
    CU,
    r"With two classes Gini is largest at $p = 1/2$; with $c$ classes it is at most $1 - 1/c$, "
    r"and that at uniform shares only.",
    note="The source shows a picture of the binary case.",
)
def test_gini_max(trial: Trial) -> None:
    def most(factor: float = 1, more: int = 0, **spoilt: Any) -> Outcome:
        return only_there(gini, lambda c: factor * (1 - 1 / (c + more)), **spoilt)

    def by_distance(counts: list[int]) -> float:
        c = len(counts)
        return float(1 - 1 / c - ((np.array(counts) / sum(counts) - 1 / c) ** 2).sum())

    trial.holds(
        "at most 1 - 1/c, and that at uniform shares only",
        most,
        r"G(p) \le 1 - \frac1c",
        {
            "a millionth less": {"factor": 1 - 1e-6},
            "1 - 1/(c+1)": {"more": 1},
            "also at nearly uniform shares": {"at": nearly_uniform},
            "wherever every class occurs": {"at": all_occur},
        },
    )
    trial.holds(
        "1 - 1/c less the squared distance to uniform",
        lambda: of_every(gini, by_distance),
        r"1 - \frac1c - \lVert p - u \rVert^2",
        kind="identity",
    )
    trial.holds(
        "between the error and twice the error",
        _between,
        r"E \le G \le 2E",
        {
            "a millionth more than the error": {"low": 1 + 1e-6},
            "at most 1.997 times the error": {"high": 1.997},
            "the other way round": {"swapped": True},
        },
    )

    def half() -> Outcome:
        counts = np.concatenate([all_counts(3), near_even(3)])
        found = gini(shares(counts))
        return outcome(COUNTS, found <= 0.5, found, lambda k: f"{found[k]:.4g} at {counts[k]}")

    trial.fails("1/2 for any number of classes", half)


@claim(
    "OURS-IMP-ROOT",
    OURS,
    r"For any number of classes, $R(p) = \sum_{j < k} \sqrt{p_j p_k}$ is at most $(c - 1)/2$, and "
    r"that at uniform shares only; and $E \le G \le R$.",
)
def test_root(trial: Trial) -> None:
    def by_pairs(power: float = 0.5, first: int = 1) -> Outcome:
        def pairs(counts: list[int]) -> float:
            p = [k / sum(counts) for k in counts]
            return sum((p[j] * p[k]) ** power for k in range(len(p)) for j in range(k + 1 - first))

        return of_every(root, pairs)

    def most(factor: float = 0.5, less: int = 1, **spoilt: Any) -> Outcome:
        return only_there(root, lambda c: factor * (c - less), **spoilt)

    trial.holds(
        "a sum over pairs of classes",
        by_pairs,
        r"R(p) = \sum_{j < k} \sqrt{p_j p_k}",
        {"without the roots": {"power": 1}, "each class with itself too": {"first": 0}},
        kind="definition",
    )
    trial.holds(
        "at most (c-1)/2, and that at uniform shares only",
        most,
        r"R(p) \le \frac{c - 1}2",
        {
            "a millionth less": {"factor": 0.5 - 1e-6},
            "c/2": {"less": 0},
            "also at nearly uniform shares": {"at": nearly_uniform},
        },
    )
    trial.holds(
        "Gini between the error and the root",
        lambda **spoilt: _between(**{"high": 1, "most": "sqrt", **spoilt}),
        r"E \le G \le R",
        {
            "a millionth less than the root": {"high": 1 - 1e-6},
            "half of the entropy for the root": {"most": "entropy", "high": 0.9},
            "a millionth more than the error": {"low": 1 + 1e-6},
        },
    )


# -- divergence and entropy ------------------------------------------------------------------------


@cache
def _pairs() -> tuple[tuple[Floats, Floats, list[str]], ...]:
    """Pairs of shares for two and three classes: of at most 4 examples, or nearly uniform."""
    found = []
    for c in (2, 3):
        counts = all_counts(c)
        for some in (counts[counts.sum(axis=1) <= 4], near_even(c)):
            pairs = list(itertools.product(some, repeat=2))
            p, q = (shares(np.array(side)) for side in zip(*pairs, strict=True))
            found.append((p, q, [f"p = {words(a)} and q = {words(b)}" for a, b in pairs]))
    return tuple(found)


def _terms(p: Floats, q: Floats, log: Callable[[Any], Any] = np.log2) -> Any:
    """The sum of the definition, of shares above 0 in p; rounding may bring it below 0."""
    with np.errstate(divide="ignore"):
        return (p * log(np.where(p > 0, p, 1) / np.where(p > 0, q, 1))).sum(axis=-1)


def _over_pairs(of: Callable[[Floats, Floats], Any]) -> Floats:
    return np.concatenate([of(p, q) for p, q, _ in _pairs()])


def _name_of_pair(k: int) -> str:
    return [name for _, _, names in _pairs() for name in names][k]


def _same(p: Floats, q: Floats) -> Any:
    return np.abs(p - q).max(axis=1) <= CLOSE


@claim(
    "CU-KL",
    CU,
    r"$\mathrm{KL}(p \| q) = \sum_k p_k \log_2 (p_k / q_k)$ is at least 0, and 0 only for "
    r"$p = q$. It is not symmetric.",
)
def test_kl(trial: Trial) -> None:
    def by_terms(of: Callable[[Floats, Floats], Any] = _terms) -> Outcome:
        found = _over_pairs(costs.kl)
        return near(PAIRS, found, _over_pairs(of), _name_of_pair)

    def gibbs(
        of: Callable[[Floats, Floats], Any] = _terms,
        zero: Callable[[Floats, Floats], Any] = _same,
        least: float = 0,
    ) -> Outcome:
        """Of the sum itself: `dt.kl` never gives a number below 0."""
        found, same = _over_pairs(of), _over_pairs(_same)
        floor = _over_pairs(lambda p, q: least * np.abs(p - q).sum(axis=1) ** 2)
        good = (found >= floor - CLOSE) & ((np.abs(found) <= CLOSE) == _over_pairs(zero))
        describe = lambda k: f"{found[k]:.4g} for {_name_of_pair(k)}"  # noqa: E731
        return outcome(PAIRS, good, np.where(same, -9, -found), describe)

    def symmetric() -> Outcome:
        return near(
            PAIRS, _over_pairs(costs.kl), _over_pairs(lambda p, q: costs.kl(q, p)), _name_of_pair
        )

    trial.holds(
        "dt.kl against the sum",
        by_terms,
        r"\mathrm{KL}(p \,\|\, q) = \sum_k p_k \log \frac{p_k}{q_k}",
        {
            "natural logarithms": {"of": partial(_terms, log=np.log)},
            "p and q exchanged": {"of": lambda p, q: _terms(q, p)},
        },
        kind="definition",
    )
    trial.holds(
        "at least 0, and 0 only for p = q",
        gibbs,
        r"\mathrm{KL}(p \,\|\, q) \ge 0",
        {
            "q adds up to a millionth more": {"of": lambda p, q: _terms(p, (1 + 1e-6) * q)},
            "the difference of the entropies": {"of": lambda p, q: entropy(q) - entropy(p)},
            "at least 0.73 times the squared distance": {"least": 0.73},
            "also with the classes renamed": {
                "zero": lambda p, q: _same(np.sort(p, axis=1), np.sort(q, axis=1))
            },
        },
    )
    trial.fails("were it symmetric", symmetric)


def _to_uniform(p: Floats, *, of_all: bool = True) -> Any:
    """KL to the vector that is uniform on all classes, or on those that occur."""
    some = (p > 0) | of_all
    return costs.kl(p, some / some.sum(axis=-1, keepdims=True))


def _entropy_of(counts: list[int], log: Callable[[Any], Any] = np.log2) -> float:
    """``log n`` less the mean of ``log n_k`` over the examples."""
    n = sum(counts)
    return float(log(n) - sum(k * log(k) for k in counts if k) / n)


@claim(
    "CU-KL-EXP",
    CU,
    r"For $u$ uniform on $c$ classes, $\mathrm{KL}(p \| u) = \sum_k p_k \log_2 p_k + \log_2 c "
    r"= \log_2 c - H(p)$.",
)
def test_kl_to_uniform(trial: Trial) -> None:
    def constant(log: Callable[[Any], Any] = np.log2, *, some: bool = False) -> Outcome:
        return of_every(
            _to_uniform,
            lambda n: log(sum(k > 0 for k in n) if some else len(n)) - _entropy_of(n, log),
        )

    trial.holds(
        "up to 4 classes",
        constant,
        r"\mathrm{KL}(p \,\|\, u) = \log c - H(p)",
        {
            "the logarithm of the classes that occur": {"some": True},
            "natural logarithms": {"log": np.log},
            "the constant dropped": lambda: of_every(_to_uniform, lambda n: -_entropy_of(n)),
        },
        kind="identity",
    )


@claim("CU-KL-UNIF", CU, r"$\mathrm{KL}(p \| u) = 0$ if $p$ is uniform, and only then.")
def test_kl_is_0_at_uniform(trial: Trial) -> None:
    def zero(of: Callable[[Floats], Any] = _to_uniform, **spoilt: Any) -> Outcome:
        return only_there(of, lambda _: 0, sign=-1, **spoilt)

    def most(factor: float = 1, more: int = 0, **spoilt: Any) -> Outcome:
        return only_there(entropy, lambda c: factor * np.log2(c + more), **spoilt)

    trial.holds(
        "up to 4 classes",
        zero,
        r"\mathrm{KL}(p \,\|\, u) = 0",
        {
            "uniform on the classes that occur": {"of": partial(_to_uniform, of_all=False)},
            "H(p) in its place": {"of": entropy},
            "also at nearly uniform shares": {"at": nearly_uniform},
            "wherever every class occurs": {"at": all_occur},
        },
    )
    trial.holds(
        "H at most log c, and that at uniform shares only",
        most,
        r"H(p) \le \log c",
        {
            "a millionth less": {"factor": 1 - 1e-6},
            "natural logarithm": {"factor": np.log(2)},
            "log (c+1)": {"more": 1},
            "also at nearly uniform shares": {"at": nearly_uniform},
        },
    )


@claim(
    "CU-KL-OPT",
    CU,
    r"The $p$ farthest from uniform in KL are those of least entropy: "
    r"$\arg\max_p \mathrm{KL}(p \| u) = \arg\min_p H(p)$.",
    repaired=True,
    note="The source writes max KL = max sum p log p = min H. As numbers the first is log c "
    "and the last 0: a constant was dropped, and a sign turned a maximum into a minimum.",
)
def test_farthest_from_uniform(trial: Trial) -> None:
    def sign(x: Floats) -> Any:
        return np.sign(np.where(np.abs(x) <= CLOSE, 0, x)).ravel()

    def order(name: str = "entropy", turn: int = -1) -> Outcome:
        """For any two vectors: then the extremes of every set P are the same."""
        agree, names = [], []
        for c in (2, 3, 4):
            p = shares(all_counts(c))
            mixed = entropy(p) if name == "entropy" else costs.CLASS_COST_FUNCTIONS[name](p)
            far = _to_uniform(p)
            agree.append(sign(far[:, None] - far) == sign(turn * (mixed[:, None] - mixed)))
            names += [(c, k) for k in range(far.size**2)]
        good = np.concatenate(agree)

        def where(k: int) -> str:
            counts = all_counts(names[k][0])
            return " and ".join(words(counts[i]) for i in divmod(names[k][1], len(counts)))

        return outcome(PAIRS, good, ~good, lambda k: where(k) if not good[k] else "every pair")

    def equal_values() -> Outcome:
        p = [shares(all_counts(c)) for c in (2, 3, 4)]
        most, least = [_to_uniform(x).max() for x in p], [entropy(x).min() for x in p]
        return near(
            "numbers of classes",
            most,
            least,
            lambda k: f"max KL = {most[k]:.4g}, min H = {least[k]:.4g} for {k + 2} classes",
        )

    trial.holds(
        "KL and entropy order all shares in reverse",
        order,
        r"\operatorname{argmax}_{p \in P} \mathrm{KL}(p \,\|\, u) "
        r"= \operatorname{argmin}_{p \in P} H(p)",
        {
            # With two classes all four would be right.
            "those of least Gini impurity": {"name": "gini"},
            "those of least error": {"name": "error"},
            "those of least square root": {"name": "sqrt"},
            "those of greatest entropy": {"turn": 1},
        },
    )
    trial.fails("as printed, max KL = min H as numbers", equal_values)


@claim(
    "CU-H",
    CU,
    r"The entropy of a leaf is $H(S) = -\sum_k p_k \log_2 p_k$, with $0 \log 0 = 0$.",
    note="The source leaves the base open; the book takes 2, so that H is in bits.",
)
def test_entropy(trial: Trial) -> None:
    def by_counts(factor: float = 1, log: Callable[[Any], Any] = np.log2) -> Outcome:
        return of_every(entropy, lambda n: factor * _entropy_of(n, log))

    trial.holds(
        "dt.entropy against logarithms of counts",
        by_counts,
        r"H(S) = -\sum_k p_k \log p_k",
        {
            "natural logarithms": {"log": np.log},
            "half of it, as growth counts it": {"factor": 1 / 2},
            "without the minus": {"factor": -1},
        },
        kind="definition",
    )
