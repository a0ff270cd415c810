"""Chapter 6, pruning: what a tree costs to describe; and two trees judged on the same rows."""

import math
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import numpy as np

from claims.kit import holds
from claims.pruning import populations as pop


@pop.stated("OURS-PRUNE-KRAFT", r"For every prefix code, $\sum_{h} 2^{-|h|} \le 1$.")
def test_kraft(trial):
    def codes(bits, begin):
        """All prefix codes of at most so many bits, each as the lengths of its descriptions."""
        yield (begin,)
        if bits == begin:
            yield ()
            return
        below = list(codes(bits, begin + 1))
        yield from (low + high for low, high in product(below, repeat=2))

    display = r"\sum_{h \in \mathcal H} 2^{-|h|} \le 1"
    (two,) = pop.constants(display, r"(\d)\^\{-")

    @trial.form(
        "all codes of at most 3 bits",
        display,
        {"1.99 for 2": {"base": 1.99}, "and one description more": {"more": (3,)}},
    )
    @pop.bounds("prefix codes")
    def sums(base=two, more=()):
        for code in (code + more for code in codes(3, 0)):
            yield sum(float(base) ** -length for length in code), 1, f"lengths {code}"


@pop.stated(
    "OURS-PRUNE-MDL",
    r"With probability at least $1 - \delta$ every $h$ of a prefix code satisfies "
    r"$\varepsilon(h) < \hat\varepsilon(h) + \sqrt{(|h| \ln 2 + \ln\frac1\delta) / (2m)}$.",
    note="Tried on classifiers that are independent of each other, which is nearly the worst case.",
)
def test_description_length_bound(trial):
    display = r"\sqrt{\frac{|h| \ln 2 + \ln\frac1\delta}{2m}}"
    base, twice = pop.constants(display, r"ln (\d)", r"\{(\d)m\}")

    @trial.form(
        "independent classifiers",
        display,
        {"2.6 m for 2 m": {"twice": 1.3 * twice}, "ln 1.5 for ln 2": {"base": 1.5}},
    )
    @pop.bounds("codes, errors, m and delta")
    def below(base=base, twice=twice):
        """The chance that one of many classifiers violates its bound, by lengths, against delta."""
        deltas = (0.9, 0.6, 0.3, 0.05)
        codes = [[(1, 0)], [(2, 1)], [(2**9, 9)], [(1, length) for length in range(1, 40)]]
        for m, delta, error, code in product((1, 3, 40, 400), deltas, (0.1, 0.5, 0.65), codes):
            none = 0.0
            for number, length in code:
                bits = length * math.log(base) - math.log(delta)
                seen = np.arange(m + 1) / m + math.sqrt(bits / (twice * m)) <= error
                flattered = float(pop.binomial(m, error)[seen].sum())
                none += number * math.log1p(-min(flattered, 1 - 1e-15))
            kinds = [(number, error, length) for number, length in code]
            yield -math.expm1(none), delta, f"{m, delta, kinds}"


@cache
def described(tree, bits, *, labels=True, kinds=True):
    """The code of a tree: a label, or a test and two subtrees."""
    if not isinstance(tree, tuple):
        return "0" * kinds + f"{tree}" * labels
    test = f"{tree[0]:0{bits}b}" if bits else ""
    below = (described(part, bits, labels=labels, kinds=kinds) for part in tree[1:])
    return "1" * kinds + test + "".join(below)


@pop.stated(
    "OURS-PRUNE-CODE",
    r"The descriptions of trees form a prefix code; a tree with $k$ leaves takes $(k - 1)(1 + B) + "
    r"2k$ bits, so there are at most $2^{|T|}$ of them, $(8n)^k / (2n)$ for $n$ a power of 2.",
)
def test_code_for_trees(trial):
    sizes = [(n, k) for n in (1, 2, 3, 4, 5) for k in (1, 2, 3)]

    def width(n):
        return math.ceil(math.log2(n))

    @trial.form(
        "no description begins another",
        variants={"without labels": {"labels": False}, "without kinds": {"kinds": False}},
    )
    @pop.every("numbers of tests")
    def beginnings(**spoiled):
        for n in (1, 2, 3, 4, 5):
            trees = [tree for k in (1, 2, 3) for tree in pop.trees_of(n, k)]
            words = sorted(described(tree, width(n), **spoiled) for tree in trees)
            bad = [f"{a}, {b}" for a, b in pairwise(words) if b.startswith(a)]
            yield not bad, len(words), f"{n} tests, {len(words)} trees: {bad[:1]}"

    @trial.form(
        "(k - 1)(1 + B) + 2 k bits",
        r"|T| = (k - 1)(1 + B) + 2k = k\,(3 + B) - (1 + B)",
        {"(k - 1)(1 + B) + k": {"leaf": 1}},
    )
    @pop.matches("tests and sizes")
    def lengths(leaf=2):
        """And of the two forms of the display."""
        for n, k in sizes:
            B = width(n)
            found = {len(described(tree, B)) for tree in pop.trees_of(n, k)}
            yield found, {(k - 1) * (1 + B) + leaf * k, k * (3 + B) - (1 + B)}, f"n, k = {n, k}"

    @trial.form("at most (8n)^k/(2n)", r"(8n)^k / (2n)", {"0.49 of it": {"share": 0.49}})
    @pop.bounds("tests and sizes")
    def number(share=1.0):
        for n, k in product((1, 2, 4, 8), (1, 2, 3)):
            yield len(pop.trees_of(n, k)), share * (8 * n) ** k / (2 * n), f"n, k = {n, k}"


@pop.stated(
    "OURS-PRUNE-MDL-TREES",
    r"With probability at least $1 - \delta$ every tree over $n$ tests, with $k$ leaves, satisfies "
    r"$\varepsilon(T) < \hat\varepsilon(T) + \sqrt{(k \ln(8n) - \ln(2n) + \ln\frac1\delta)/(2m)}$.",
)
def test_bound_for_trees(trial):
    display = r"\sqrt{\frac{k \ln(8n) - \ln(2n) + \ln\frac1\delta}{2m}}"
    eight, two = pop.constants(display, r"\((\d)n\) -", r"- \\ln\((\d)n")

    @trial.form(
        "the shares 2n/(8n)^k of all trees add up to at most 1",
        display,
        {"7.9 n for 8 n": {"eight": 7.9}, "2.1 n for 2 n": {"two": 2.1}},
    )
    def shares(eight=eight, two=two):
        """The sum of ``2n / (8n)^k`` over the trees of n tests, up to many leaves."""
        cases, k, logs = (1, 3, 10, 600), np.arange(1, 2000), pop.log_factorials(4000)
        shapes = logs[2 * k - 2] - logs[k - 1] - logs[k]
        trees = [k * math.log(2) + (k - 1) * math.log(n) + shapes for n in cases]
        share = [math.log(two * n) - k * math.log(eight * n) for n in cases]
        total = np.exp(np.array(trees) + share).sum(axis=1)
        return pop.bound("numbers of tests", total, 1, lambda k: f"{cases[k]} tests")


@pop.stated(
    "OURS-PRUNE-PAIRED",
    "Let only the first tree be right on $a$ rows and only the second on $b$. If the two have "
    "the same true error, then given $a + b$ the number $a$ is distributed like the number of "
    "heads in $a + b$ tosses of a fair coin.",
)
@holds(
    "exact fractions",
    variants={
        "a true error that differs": {"apart": Fraction(1, 10)},
        "a coin of 0.51": {"coin": Fraction(51, 100)},
    },
)
@pop.matches("chances and numbers of rows")
def test_paired_comparison(apart=Fraction(0), coin=Fraction(1, 2)):
    """Over all samples of 6 rows: only one right, only the other, or as good."""
    for p in (Fraction(1, 20), Fraction(1, 5), Fraction(1, 2)):
        one, other = p * (1 + apart), p * (1 - apart)
        for N in range(7):
            ways = [math.comb(N, a) * one**a * other ** (N - a) for a in range(N + 1)]
            rest = math.comb(6, N) * (1 - one - other) ** (6 - N)
            chance = [rest * way for way in ways]
            heads = [math.comb(N, a) * coin**a * (1 - coin) ** (N - a) for a in range(N + 1)]
            found = [way * sum(chance) for way in heads]
            yield found, chance, f"p = {p}, {N} of 6 rows"
