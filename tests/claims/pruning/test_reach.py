"""Chapter 6, pruning: how often the nodes are seen that a sample should reach, all at once."""

import itertools
import math

import numpy as np

from claims.pruning import populations as pop


def halved(m, p, share=0.5):
    return float(pop.binomial(m, p)[: math.floor(share * p * m + 1e-9) + 1].sum())


@pop.stated(
    "MN-L12.4",
    r"With probability at least $1 - \delta$, for every $\ell$, every path of at most $\ell$ "
    r"answers with $p > q_\ell = \frac{12}m (\ln|\mathrm{PATHS}(\ell)| + "
    r"\ln\frac{2^{\ell+1}}\delta)$ is seen more than $\frac12 m p$ times.",
    repaired=True,
    note="The source takes the union over V, the nodes that the algorithm prunes, with "
    "p > 12 log(t/delta)/m. V depends on the sample; the union over all paths costs a "
    "logarithm and changes nothing in the theorem.",
)
def test_likely_paths_are_seen(trial):  # noqa: C901
    (over,) = pop.constants(seen := r"m_\pi > \frac12\, m\, p_\pi", r"frac1(\d)")

    @pop.bounds("depths and delta")
    def chosen_by_the_sample():
        """V is the least seen of 2^d equally likely nodes, t = 1: how often it is halved."""
        for d, delta in ((3, 0.5), (4, 0.5), (3, 0.25)):
            cells, m = 1 << d, math.ceil(12 * math.log(1 / delta) * (1 << d)) + 1
            ways = np.eye(1, m + 1)[0]  # ways[k]: k examples in the cells so far, each with enough
            for used in range(cells):
                new = np.zeros(m + 1)
                for k in np.flatnonzero(ways):
                    enough = pop.binomial(m - int(k), 1 / (cells - used)).copy()
                    enough[: int(m / cells / 2) + 1] = 0
                    new[k:] += ways[k] * enough
                ways = new
            yield 1 - ways[m], delta, f"the least seen of {cells} nodes, m = {m}"

    @trial.form(
        "all paths of all lengths, product distributions",
        r"q_\ell = \frac{12}{m} \Bigl( \ln|\mathrm{PATHS}(\ell)| + \ln \frac{2^{\ell + 1}}"
        r"{\delta} \Bigr)",
        {
            "6 for 12": {"q": lambda *case: pop.reach_bound(*case) / 2},
            "without ln |PATHS|": {"q": lambda _, l, *of: pop.reach_bound(0, l, *of)},
        },
    )
    @pop.bounds("distributions, m and delta")
    def some_path_is_rare(q=pop.reach_bound, share=1 / over):
        """The chance that a path with ``p > q_l`` has ``m_path <= m p / 2``, against delta.

        Of few bits, each 1 with the same probability, the chances of all paths of all lengths are
        added up. Of many independent bits, each 1 with a probability just above q_1, the chance
        that one of them is seen too rarely is exact.
        """
        for delta in (0.5, 0.05, 0.001):
            for n, m, bias in itertools.product((1, 3, 6), (40, 200, 1000), (0.5, 0.8, 0.97)):
                total = 0.0
                for ones, zeros in itertools.product(range(n + 1), repeat=2):
                    p = bias**ones * (1 - bias) ** zeros
                    if 0 < ones + zeros <= n and p > q(n, ones + zeros, m, delta):
                        number = math.comb(n, ones) * math.comb(n - ones, zeros)
                        total += number * halved(m, p, share)
                yield total, delta, f"all paths of {n} bits, m = {m}, bias {bias}"
            for n in (1, 10**6, 10**40):
                p = q(n, 1, 20_000, delta) * (1 + 1e-9)
                chance = -math.expm1(n * math.log1p(-halved(20_000, p, share)))
                yield chance, delta, f"{n:.0e} bits, each 1 with p = {p:.3g}"

    trial.holds(
        "more than half as often",
        lambda share=1.0: some_path_is_rare(share=share / over),
        seen,
        {"0.64 m p for m p/2": {"share": 1.28}},
    )
    trial.fails("as printed, for a set V that the sample chooses", chosen_by_the_sample)


@pop.stated(
    "MN-12.10",
    r"$\Pr[m_\pi \le (1 - \gamma)\, m p_\pi] \le e^{-m p_\pi \gamma^2 / 3}$ for a fixed path "
    r"$\pi$, even with 2 in place of 3.",
)
def test_lower_tails(trial):
    power, three = pop.constants(
        display := r"\Pr[m_\pi \le (1 - \gamma)\, m p_\pi] \le e^{-m p_\pi \gamma^2 / 3}",
        r"gamma\^(\d)",
        r"/ (\d)",
    )

    @trial.form(
        "with 3", display, {"with 1.82 for 3": {"over": 1.82}, "gamma for gamma^2": {"power": 1}}
    )
    @pop.bounds("m, p and gamma")
    def below(over=three, power=power):
        """``Pr[m_v <= (1 - gamma) m p]``, p in 400ths and gamma in twentieths."""
        wide = itertools.product((5, 20, 60, 200), range(20, 400, 20), range(1, 20))
        # Many examples of a rare node, where the bound is nearest to the truth.
        cases = [*wide, *itertools.product((10**6,), (4,), (1, 2, 3))]
        for m, p, g in cases:
            chance = pop.binomial(m, p / 400)[: (20 - g) * p * m // 8000 + 1].sum()
            allowed = math.exp(-m * p / 400 * (g / 20) ** power / over)
            yield chance, allowed, f"m = {m}, p = {p}/400, gamma = {g}/20"

    trial.holds(
        "with 2", lambda share=1.0: below(2 * share), variants={"with 1.82 for 2": {"share": 0.91}}
    )
    trial.fails("with 1", lambda: below(1))


@pop.stated(
    "MN-12.11",
    r"For fixed paths $\pi$ with $p_\pi \ge q_\ell$ the probability that some $m_\pi \le \frac12 "
    r"m p_\pi$ is at most their number times $e^{-m q_\ell/12} = 2^{-(\ell+1)} \delta / "
    r"|\mathrm{PATHS}(\ell)|$.",
    note="The source writes p_{v_i}, free of any quantifier; the lower bound is meant.",
)
def test_some_node_is_halved(trial):
    display = r"e^{-m q_\ell/12} = 2^{-(\ell+1)}\,\delta / |\mathrm{PATHS}(\ell)|"
    (twelve,) = pop.constants(display, r"/(\d\d)\}")
    nodes = ((0.5,), (0.1, 0.4), (0.05, 0.2, 0.6), (0.25,) * 4, (0.02, 0.9), (1 / 64,) * 64)
    sets = (*itertools.product((20, 100, 400), nodes), (10**6, (0.002,)))

    for n, l, m, d in itertools.product((1, 6, 30), (0, 1, 5), (10, 1000), (0.5, 0.01)):
        logs = pop.paths_log(n, l) + (l + 1) * math.log(2) - math.log(d)
        assert math.isclose(m * pop.reach_bound(n, l, m, d) / twelve, logs, rel_tol=1e-9)

    @trial.form(
        "p the least of them",
        display,
        {"6.3 for 12": {"over": 6.3}, "without t": {"number": lambda _: 1}},
    )
    @pop.bounds("sets of nodes")
    def tails(probability=min, number=len, share=1.0, over=twelve):
        """The sum of the chances to be halved against ``t exp(-p m / 12)``."""
        for m, p in sets:
            allowed = share * number(p) * math.exp(-probability(p) * m / over)
            yield sum(halved(m, q) for q in p), allowed, f"m = {m}, {len(p)} nodes, p = {p[:3]}"

    trial.fails("p the largest of them", lambda: tails(max))
