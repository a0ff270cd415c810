"""Chapter 4, purity: shares, Gini, entropy and divergence, on every small vector of counts."""

import itertools
from fractions import Fraction
from functools import cache, partial

import numpy as np

from claims.impurity import populations as world
from claims.impurity.populations import all_counts, matches, near, of_every, shares, stated
from claims.kit import every, holds, outcome
from dtviz.core.cart import criteria
from dtviz.core.cart.criteria import entropy, gini
from dtviz.core.tolerances import CLOSE

PAIRS = "pairs of shares"


root = criteria.CLASS_COST_FUNCTIONS["sqrt"]


@stated("CU-PK", r"$p_k = |S_k| / |S|$ is the share of class $k$ among the examples $S$ of a leaf.")
@holds(
    "the shares at every leaf of grown trees",
    r"p_k = |S_k| / |S|",
    {"of all examples": {"among": 1}, "of one example more": {"more": 1}},
    kind="definition",
)
@matches("classes at leaves of grown trees")
def test_shares(among=0, more=0):
    for (X, y, name), path, step, tree in world.grown_trees("gini"):
        nodes, leaf = path.nodes(step + 1), tree.apply(X)
        for node in tree.leaves.tolist():
            found = path.class_counts[nodes[node]] / path.node_examples[nodes[node]]
            for k, share in zip(np.unique(y), found, strict=True):
                size = np.sum(leaf == node), len(y), np.sum(y == k)
                where = f"class {k} at leaf {node} of {name} after {step} splits"
                yield share, np.sum(y[leaf == node] == k) / (size[among] + more), where


def _differ(counts, *, put_back=True):
    """The chance that two examples, drawn one after the other, are of different classes."""
    labels = [k for k, number in enumerate(counts) for _ in range(number)]
    differ = sum(a != b for a, b in itertools.product(labels, repeat=2))
    pairs = len(labels) * (len(labels) if put_back else len(labels) - 1)
    return float(Fraction(differ, max(pairs, 1)))


@stated(
    "CU-GINI",
    r"The Gini impurity of a leaf is $G(S) = \sum_k p_k (1 - p_k)$: the probability that two "
    r"random examples of $S$ differ in class.",
)
@holds(
    "dt.impurity.gini against counting pairs",
    r"G(S) = \sum_k p_k (1 - p_k)",
    {
        "the first is not put back": {"chance": partial(_differ, put_back=False)},
        "each pair counted once": {"chance": lambda n: _differ(n) / 2},
    },
)
def test_gini(chance=_differ):
    return of_every(gini, chance)


def _between(low=1, high=2, most="error"):
    """``low E <= G <= high M`` with the error E and M another cost."""
    counts = [
        row for c in (2, 3, 4) for row in (*all_counts(c), *world.near_even(c), *world.lopsided(c))
    ]
    G = np.array([float(gini(shares(row))) for row in counts])
    E = np.array([1 - float(shares(row).max()) for row in counts])
    M = [float(criteria.CLASS_COST_FUNCTIONS[most](shares(row))) for row in counts]
    floor, ceiling = low * E, high * np.array(M)
    assert (floor >= G - CLOSE)[E > 0].any(), "the lower bound is not attained"
    # A pure leaf, with 0 for both, is not of interest.
    used = np.divide(G, ceiling, out=np.zeros_like(G), where=E > 0)
    good = (floor <= G + CLOSE) & (ceiling + CLOSE >= G)
    where = lambda k: f"E = {E[k]:.4g}, G = {G[k]:.4g} at {world.words(counts[k])}"  # noqa: E731
    assert used.max() >= (0.998 if most == "error" else 1 - 1e-9)
    return outcome(world.COUNTS, good, used, where, used=used)


@stated(
    "CU-GINI-MAX",
    r"With two classes Gini is largest at $p = 1/2$; with $c$ classes it is at most $1 - 1/c$, "
    r"and that at uniform shares only.",
    note="The source shows a picture of the binary case.",
)
def test_gini_max(trial):
    trial.holds(
        "at most 1 - 1/c, and that at uniform shares only",
        world.only_there(gini, lambda c: 1 - 1 / c),
        r"G(p) \le 1 - \frac1c",
        {"a millionth less": {"factor": 1 - 1e-6}, "1 - 1/(c+1)": {"more": 1}},
    )
    trial.holds(
        "between the error and twice the error",
        _between,
        r"E \le G \le 2E",
        {
            "a millionth more than the error": {"low": 1 + 1e-6},
            "at most 1.997 times the error": {"high": 1.997},
        },
    )

    @every(world.COUNTS)
    def half():
        for n in (*all_counts(3), *world.near_even(3)):
            found = gini(shares(n))
            yield found <= 0.5, found, f"{found:.4g} at {n}"

    trial.fails("1/2 for any number of classes", half)


@stated(
    "OURS-IMP-ROOT",
    r"For any number of classes, $R(p) = \sum_{j < k} \sqrt{p_j p_k}$ is at most $(c - 1)/2$, and "
    r"that at uniform shares only; and $E \le G \le R$.",
)
def test_root(trial):
    @trial.form(
        "a sum over pairs of classes",
        r"R(p) = \sum_{j < k} \sqrt{p_j p_k}",
        {"without the roots": {"power": 1}, "each class with itself too": {"first": 0}},
        kind="definition",
    )
    def by_pairs(power=0.5, first=1):
        def pairs(counts):
            p = [k / sum(counts) for k in counts]
            return sum((p[j] * p[k]) ** power for k in range(len(p)) for j in range(k + 1 - first))

        return of_every(root, pairs)

    trial.holds(
        "at most (c-1)/2, and that at uniform shares only",
        world.only_there(root, lambda c: (c - 1) / 2),
        r"R(p) \le \frac{c - 1}2",
        {"a millionth less": {"factor": 1 - 2e-6}, "c/2": {"more": 1}},
    )
    trial.holds(
        "Gini between the error and the root",
        lambda **spoiled: _between(**{"high": 1, "most": "sqrt", **spoiled}),
        r"E \le G \le R",
        {
            "a millionth less than the root": {"high": 1 - 1e-6},
            "half of the entropy for the root": {"most": "entropy", "high": 0.9},
        },
    )


@cache
def _pairs():
    """Pairs of shares, and what to call them: of at most 4 examples, or nearly uniform.

    The third share of two classes is 0.
    """
    found = []
    for c in (2, 3):
        counts = all_counts(c)
        for some in (counts[counts.sum(axis=1) <= 4], world.near_even(c)):
            for a, b in itertools.product(some, repeat=2):
                p, q = (np.resize([*shares(side), 0], 3) for side in (a, b))
                found.append((p, q, f"p = {world.words(a)} and q = {world.words(b)}"))
    p, q, names = zip(*found, strict=True)
    return np.array(p), np.array(q), names.__getitem__


def _terms(p, q, log=np.log2):
    """The sum of the definition, of shares above 0 in p; rounding may bring it below 0."""
    with np.errstate(divide="ignore"):
        return (p * log(np.where(p > 0, p, 1) / np.where(p > 0, q, 1))).sum(axis=-1)


@stated(
    "CU-KL",
    r"$\mathrm{KL}(p \| p') = \sum_k p_k \log_2 (p_k / p'_k)$ is at least 0, and 0 only for "
    r"$p = p'$. It is not symmetric.",
)
def test_kl(trial):
    p, q, where = _pairs()

    @trial.form(
        "dt.impurity.kl against the sum",
        r"\mathrm{KL}(p \,\|\, p') = \sum_k p_k \log \frac{p_k}{p'_k}",
        {
            "natural logarithms": {"of": partial(_terms, log=np.log)},
            "p and q exchanged": {"of": lambda p, q: _terms(q, p)},
        },
        kind="definition",
    )
    def against(of=_terms):
        return near(PAIRS, criteria.kl(p, q), of(p, q), where)

    @trial.form(
        "at least 0, and 0 only for p = q",
        r"\mathrm{KL}(p \,\|\, p') \ge 0",
        {
            "q adds up to a millionth more": {"of": lambda p, q: _terms(p, (1 + 1e-6) * q)},
            "at least 0.73 times the squared distance": {"least": 0.73},
        },
    )
    def gibbs(of=_terms, least=0):
        """Of the sum itself: `dt.impurity.kl` never gives a number below 0."""
        found, alike = of(p, q), np.abs(p - q).max(axis=1) <= CLOSE
        floor = least * np.abs(p - q).sum(axis=1) ** 2
        good = (found >= floor - CLOSE) & ((np.abs(found) <= CLOSE) == alike)
        nearness = np.where(alike, -9, -found)
        return outcome(PAIRS, good, nearness, lambda k: f"{found[k]:.4g} for {where(k)}")

    trial.fails("were it symmetric", lambda: against(lambda p, q: criteria.kl(q, p)))


def _to_uniform(p, *, of_all=True):
    """KL to the vector that is uniform on all classes, or on those that occur."""
    some = (p > 0) | of_all
    return criteria.kl(p, some / some.sum(axis=-1, keepdims=True))


def _entropy_of(counts, log=np.log2):
    """``log n`` less the mean of ``log n_k`` over the examples."""
    n = sum(counts)
    return float(log(n) - sum(k * log(k) for k in counts if k) / n)


@stated(
    "CU-KL-EXP",
    r"For $u$ uniform on $c$ classes, $\mathrm{KL}(p \| u) = \log_2 c - H(p)$.",
)
@holds(
    "up to 4 classes",
    r"\mathrm{KL}(p \,\|\, u) = \log c - H(p)",
    {
        "the logarithm of the classes that occur": {"some": True},
        "natural logarithms": {"log": np.log},
    },
    kind="identity",
)
def test_kl_to_uniform(log=np.log2, *, some=False):
    return of_every(
        _to_uniform,
        lambda n: log(sum(k > 0 for k in n) if some else len(n)) - _entropy_of(n, log),
    )


@stated("CU-KL-UNIF", r"$\mathrm{KL}(p \| u) = 0$ if $p$ is uniform, and only then.")
def test_kl_is_0_at_uniform(trial):
    trial.holds(
        "up to 4 classes",
        world.only_there(_to_uniform, lambda _: 0, -1),
        r"\mathrm{KL}(p \,\|\, u) = 0",
        {
            "uniform on the classes that occur": {"of": partial(_to_uniform, of_all=False)},
            "also at nearly uniform shares": {"at": world.nearly_uniform},
        },
    )
    trial.holds(
        "H at most log c, and that at uniform shares only",
        world.only_there(entropy, np.log2),
        r"H(p) \le \log c",
        {"a millionth less": {"factor": 1 - 1e-6}, "log (c+1)": {"more": 1}},
    )


@stated(
    "CU-KL-OPT",
    r"The $p$ farthest from uniform in KL are those of least entropy: $\mathrm{argmax}_p "
    r"\mathrm{KL}(p \| u) = \mathrm{argmin}_p H(p)$.",
    repaired=True,
    note="The source writes max KL = max sum p log p = min H. As numbers the first is log c "
    "and the last 0: a constant was dropped, and a sign turned a maximum into a minimum.",
)
def test_farthest_from_uniform(trial):
    def sign(x):
        return np.sign(np.where(np.abs(x) <= CLOSE, 0, x)).ravel()

    @matches("numbers of classes")
    def equal_values():
        for c in (2, 3, 4):
            p = shares(all_counts(c))
            most, least = _to_uniform(p).max(), entropy(p).min()
            yield most, least, f"max KL = {most:.4g}, min H = {least:.4g} for {c} classes"

    @trial.form(
        "KL and entropy order all shares in reverse",
        r"\operatorname{argmax}_{p \in P} \mathrm{KL}(p \,\|\, u) "
        r"= \operatorname{argmin}_{p \in P} H(p)",
        {
            "those of least Gini impurity": {"name": "gini"},
            "those of greatest entropy": {"turn": 1},
        },
    )
    def order(name="entropy", turn=-1):
        """For any two vectors: then the extremes of every set P are the same."""
        agree, pairs = [], []
        for c in (2, 3, 4):
            p = shares(all_counts(c))
            mixed = entropy(p) if name == "entropy" else criteria.CLASS_COST_FUNCTIONS[name](p)
            far = _to_uniform(p)
            agree.append(sign(far[:, None] - far) == sign(turn * (mixed[:, None] - mixed)))
            pairs += itertools.product(all_counts(c), repeat=2)
        good = np.concatenate(agree)
        where = lambda k: "every pair" if good[k] else " and ".join(map(world.words, pairs[k]))  # noqa: E731
        return outcome(PAIRS, good, ~good, where)

    trial.fails("as printed, max KL = min H as numbers", equal_values)


@stated(
    "CU-H",
    r"The entropy of a leaf is $H(S) = -\sum_k p_k \log_2 p_k$, with $0 \log 0 = 0$.",
    note="The source leaves the base open; the book takes 2, so that H is in bits.",
)
@holds(
    "dt.impurity.entropy against logarithms of counts",
    r"H(S) = -\sum_k p_k \log p_k",
    {
        "natural logarithms": {"log": np.log},
        "half of it, as growth counts it": {"factor": 1 / 2},
    },
    kind="definition",
)
def test_entropy(factor=1, log=np.log2):
    return of_every(entropy, lambda n: factor * _entropy_of(n, log))
