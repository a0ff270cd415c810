"""Chapter 3, what its sources say of other work and of their limits: cited, not computed."""

from __future__ import annotations

from claims.kit import PS, Trial, claim

PAGE = "3-product"


@claim(
    "PS-PARAM",
    PS,
    "The learner from samples knows neither the size nor the depth of a tree: only epsilon, "
    "delta and the distribution.",
    PAGE,
    note="That earlier work must know $s$ concerns its sample-based form: BuildTopDownDT "
    r"itself takes $f$ and $\varepsilon$ alone, in both papers.",
)
def test_ps_param(trial: Trial) -> None:
    """There is nothing finite to compute."""


@claim(
    "PS-KOCH",
    PS,
    "Koch, Strassle and Tan (SODA 2023): learning decision trees takes superpolynomial time, "
    "under assumptions and for arbitrary distributions.",
    PAGE,
    note="The notes make of it an unconditional bound that proves theirs nearly tight. It is "
    "conditional (randomised ETH, or the hardness of Set Cover), distribution-free, and about "
    "time, not about the size of greedy trees; for that see BLT-LB.",
)
def test_ps_koch(trial: Trial) -> None:
    """There is nothing finite to compute."""


@claim(
    "PS-FOCS",
    PS,
    r"Blanc, Lange, Qiao and Tan learn decision trees in time $n^{O(\log \log n)}$ with "
    "membership queries, under the uniform distribution.",
    PAGE,
    note="FOCS 2021 (arXiv 2109.00637); the notes say 2022.",
)
def test_ps_focs(trial: Trial) -> None:
    """There is nothing finite to compute."""


@claim(
    "PS-MR",
    PS,
    r"Mehta and Raghavan (2002) learn decision trees under the uniform distribution in time "
    r"$n^{O(\log(s/\varepsilon))}$, by a dynamic program.",
    PAGE,
    note="Not tried here.",
)
def test_ps_mr(trial: Trial) -> None:
    """There is nothing finite to compute."""


@claim(
    "PS-NOFOURIER",
    PS,
    "The proofs use no Fourier analysis: influences are probabilities throughout.",
    PAGE,
    note="True of every proof of this chapter.",
)
def test_ps_nofourier(trial: Trial) -> None:
    """There is nothing finite to compute."""


@claim(
    "PS-NONPROD",
    PS,
    "The guarantees are for product distributions; features of real data depend on each other.",
    PAGE,
)
def test_ps_nonprod(trial: Trial) -> None:
    """There is nothing finite to compute."""


@claim(
    "PS-01LOSS",
    PS,
    "Error is the share of wrong labels of a Boolean function; regression is not covered.",
    PAGE,
)
def test_ps_01loss(trial: Trial) -> None:
    """There is nothing finite to compute."""
