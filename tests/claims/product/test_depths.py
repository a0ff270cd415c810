"""Chapter 3, what the bounds are worth: against older ones, on paths, and depth against average."""

import itertools
import math
from functools import cache, partial

import numpy as np

from claims.kit import holds, same
from claims.kit.populations import all_functions, log2, name
from claims.product.populations import (
    MEASURES,
    agree,
    bound,
    bounds,
    equal,
    of_pairs,
    pairs,
    stated,
)
from dtviz import product
from dtviz.core.boolean import functions as zoo
from dtviz.core.boolean.boolean_function import BooleanFunction, ProductDistribution
from dtviz.core.boolean_trees.exhaustive import greedy_all, optimal_all
from dtviz.core.boolean_trees.optimal import optimal

LOG2_E = math.log2(math.e)


@stated(
    "PS-BAL",
    r"With $\Delta = D = \log_2 s$ the bound is $s^{\log_2 s \cdot \log_2(e/\varepsilon)}$.",
    note="A bound in other letters: it holds by algebra, and its check tries the code.",
)
@holds(
    "the bound",
    r"(e/\varepsilon)^{\Delta D} = 2^{\log(e/\varepsilon) \log^2 s} = "
    r"s^{\log s \cdot \log (e/\varepsilon)}",
    {"with 2 for e": {"base": 2}},
    kind="identity",
)
@equal("bounds")
def test_balanced_trees(base=math.e):
    """With Delta = D = log2 s the bound is ``s^(log2 s log2(e/eps))``, in bits."""
    for d, e in itertools.product((1, 2, 6, 20), (0.4, 0.25, 0.1, 0.03, 0.01)):
        computed = product.size_bound_bits(d, d, e)
        yield computed, d * d * math.log2(base / e), f"s = 2^{d}, epsilon = {e}"


@stated(
    "PS-STRICT",
    r"With constant 1 in every $O$, $s^{\log_2 s \log_2(e/\varepsilon)}$ is below "
    r"$s^{\log_2(s/\varepsilon) \log_2(1/\varepsilon)}$ exactly when "
    r"$\log_2 e \cdot \log_2 s < \log_2^2(1/\varepsilon)$.",
    repaired=True,
    note="The source calls the new bound strictly better for full binary trees.",
)
def test_strictly_better(trial):
    @trial.form(
        "exactly when",
        r"\log e \cdot \log s < \log^2 \frac1\varepsilon",
        {
            "0.2% more on the right": {"when": lambda d, lam: LOG2_E * d < 1.002 * lam**2},
            "1% less on the right": {"when": lambda d, lam: LOG2_E * d < 0.99 * lam**2},
        },
    )
    @same("pairs (s, epsilon)")
    def below_the_older_bound(when=lambda d, lam: LOG2_E * d < lam**2):
        """``s^(log2 s log2(e/eps))`` below ``s^(log2(s/eps) log2(1/eps))``, s = 2^d, constant 1."""
        for d, lam in itertools.product(range(1, 41), range(2, 13)):
            below = product.size_bound_bits(d, d, 2.0**-lam) < d * (d + lam) * lam
            yield below != when(d, lam), f"s = 2^{d}, epsilon = 2^-{lam}"

    trial.fails("as printed, always", partial(below_the_older_bound, lambda *_: True))


@cache
def conjunctions(bias=1 / 2):
    """Rows n, D and Delta of the conjunctions of 2 to 10 bits."""
    best = [(n, optimal(zoo.conjunction(n), ProductDistribution([bias] * n))) for n in range(2, 11)]
    return np.array([(n, of.depth, of.average_depth) for n, of in best]).T


def for_conjunctions(left, right, times=1, bias=1 / 2):
    """A bound in terms of n, D and Delta."""
    depths = conjunctions(bias)
    return bound(
        "conjunctions",
        times * left(*depths),
        right(*depths),
        lambda k: f"n = {k + 2}",
        example=lambda k: zoo.conjunction(k + 2),
    )


@stated(
    "PS-PATH",
    r"For path-like trees, $\Delta < 2$ and $D = n$, the exponent $\Delta D$ is smaller than "
    r"$D^2$ by a factor of order $n$; but $e^{\Delta D} \ge e^n > 2^n$.",
    note="A comparison of two bounds, both worse than the trivial one.",
)
def test_path_like_trees(trial):
    trial.holds(
        "at most 2/n of the exponent",
        partial(for_conjunctions, lambda _, d, av: av * d, lambda n, d, _: 2 / n * d**2),
        variants={"0.5% more": {"times": 1.005}, "if the bits are mostly 1": {"bias": 15 / 16}},
    )
    trial.holds(
        "but at least e^n",
        partial(for_conjunctions, lambda n, *_: n, lambda _, d, av: av * d),
        r"e^{\Delta D} \ge e^{n} > 2^n",
        {"at least 5^n": {"times": math.log(5)}},
    )
    trial.fails(
        "to be below the trivial 2^n",
        partial(for_conjunctions, lambda _, d, av: av * d * LOG2_E, lambda n, *_: n),
    )


@stated(
    "OURS-PRODUCT-AND", r"The conjunction of $n$ fair bits has $D = n$ and $\Delta = 2 - 2^{1-n}$."
)
@holds(
    "2 to 10 bits",
    r"\Delta = 2 - 2^{1-n}",
    {"2 - 2^-n": {"average": lambda n: 2 - 2.0**-n}, "under p = 1/4": {"bias": 1 / 4}},
)
def test_conjunctions(average=lambda n: 2 - 2.0 ** (1 - n), bias=1 / 2):
    n, *depths = conjunctions(bias)
    return agree("conjunctions", np.transpose(depths), np.transpose([n, average(n)]), str)


@equal("numbers of functions")
def few_are_balanced(bias=1 / 2, *, greedy=False):
    for n, said in ((2, 8), (3, 40), (4, 1928)):
        best = optimal_all(n, ProductDistribution([bias] * n))
        delta = (greedy_all(n) if greedy else best).average_depth
        yield int((best.depth == delta).sum()), said, f"n = {n}"


@bounds("functions of 3 variables", example=lambda k: BooleanFunction.from_int(3, k + 1))
def restrictions_below_log_size(times=1, fewer=0):
    for code, size in enumerate(all_functions(3).size[1:-1], 1):
        best = optimal(BooleanFunction.from_int(3, code), ProductDistribution(MEASURES[0]))
        right = max(log2(max(size - fewer, 1)), 1e-9)
        yield times * best.max_average_depth, right, name(3, code)


@stated(
    "PS-UNIF",
    r"For fair bits $\Delta(f) \le D(f)$, seldom with equality: 8 of 16, 40 of 256 and 1,928 of "
    r"65,536 functions. What is true is $\Delta(f_\ell) \le \log_2 s$ for every restriction.",
    repaired=True,
    note=r"The source: under the uniform distribution $D_{opt} = \Delta_{opt}$.",
)
def test_fair_bits(trial):
    trial.holds(
        "how many have D = Delta",
        few_are_balanced,
        variants={
            "under p = 1/4": {"bias": 1 / 4},
            "with the average depth of the greedy tree": {"greedy": True},
        },
    )
    trial.holds(
        "Delta_max ≤ log2 s",
        restrictions_below_log_size,
        r"\Delta(f_\ell) \le \log s",
        {"1% more": {"times": 1.01}, "with s - 1 for s": {"fewer": 1}},
    )
    best = optimal_all(4)
    trial.fails(
        "as printed, D = Delta for all",
        lambda: agree("functions of 4 fair bits", best.depth, best.average_depth, partial(name, 4)),
    )


def ordered(least=1, most=1):
    """``1 <= Delta <= D`` and ``D <= 3 Delta`` for the functions of 3 variables, 216 measures."""
    depth, delta = pairs().depth, pairs().delta
    left = [least + 0 * delta, delta, most * depth]
    return of_pairs(left, [delta, depth, 3 * delta], use=depth > 0)


@stated(
    "PS-SEPEXP",
    r"$D/\Delta \le n$ under every measure, and for fair bits it can be of order $n$ already; "
    r"only bounds such as $e^{\Delta D}$ and $e^{D^2}$ differ exponentially.",
    repaired=True,
    note="The source: under non-uniform distributions the two can differ exponentially.",
)
def test_quotient_of_depths(trial):
    trial.holds(
        "1 ≤ Delta ≤ D ≤ n",
        ordered,
        r"1 \le \Delta \le D \le n",
        {"a quotient 2% larger": {"most": 1.02}, "Delta at least 1.01": {"least": 1.01}},
    )
    grows = partial(for_conjunctions, right=lambda _, d, av: d / av)
    trial.holds(
        "above n/2 for conjunctions",
        partial(grows, left=lambda n, *_: n / 2),
        r"D/\Delta > \frac n2",
        {"above 0.501 n": {"times": 1.002}},
    )
    trial.fails("as printed, exponential for conjunctions", partial(grows, lambda n, *_: 2**n / n))
