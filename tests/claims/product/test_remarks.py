"""Chapter 3, what its sources say of other work and of their limits: cited, not computed."""

from claims.product.populations import stated


@stated(
    "PS-PARAM",
    "The learner from samples knows neither the size nor the depth of a tree: only epsilon, "
    "delta and the distribution.",
    note="That earlier work must know $s$ concerns its sample-based form: BuildTopDownDT "
    r"itself takes $f$ and $\varepsilon$ alone, in both papers.",
)
def test_ps_param(trial): ...


@stated(
    "PS-KOCH",
    "Koch, Strassle and Tan (SODA 2023): properly learning decision trees from random "
    "examples takes superpolynomial time, under assumptions and for arbitrary distributions.",
    note="The notes make of it an unconditional bound that proves theirs nearly tight. It is "
    "conditional (randomized ETH, or the hardness of Set Cover), distribution-free, and about "
    "time, not about the size of greedy trees; for that see BLT-LB.",
)
def test_ps_koch(trial): ...


@stated(
    "PS-FOCS",
    r"Blanc, Lange, Qiao and Tan learn decision trees in time $n^{O(\log \log n)}$ with "
    "membership queries, under the uniform distribution.",
    note="FOCS 2021 (arXiv 2109.00637); the notes say 2022.",
)
def test_ps_focs(trial): ...


@stated(
    "PS-MR",
    r"Mehta and Raghavan (2002) learn decision trees under the uniform distribution in time "
    r"$n^{O(\log(s/\varepsilon))}$, by a dynamic program.",
    note="Not tried here.",
)
def test_ps_mr(trial): ...


@stated(
    "PS-NOFOURIER",
    "The proofs use no Fourier analysis: influences are probabilities throughout.",
    note="True of every proof of this chapter.",
)
def test_ps_nofourier(trial): ...


@stated(
    "PS-NONPROD",
    "The guarantees are for product distributions; features of real data depend on each other.",
)
def test_ps_nonprod(trial): ...


@stated(
    "PS-01LOSS",
    "Error is the share of wrong labels of a Boolean function; regression is not covered.",
)
def test_ps_01loss(trial): ...
