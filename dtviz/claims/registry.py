"""What a claim is: its statement, and the computations that try it.

A claim of a source is stated in the normalisation of the book and carries *forms*: statements that
a computation can try on every case of a finite population. Some forms must hold: the claim itself,
or its repair, or a sharper statement. Others must fail: what the source printed where it slipped,
or a tempting misreading.

A population on which nothing can fail is no test. So a form that must hold carries *mutants*: the
same statement with a constant, a direction, a hypothesis or a quantity spoilt, each of them false,
and each must be refuted on the same population. Where a bound says less than a trivial one in every
case, the verdict is "not tested".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

__all__ = [
    "Claim",
    "Form",
    "Kind",
    "Outcome",
    "Source",
    "Status",
    "chances",
    "equality",
    "outcome",
]

Kind = Literal["statement", "identity", "definition"]
Status = Literal["holds", "holds after a repair", "by definition", "not tested", "prose only"]


@dataclass(frozen=True)
class Source:
    """Where claims come from: a short name, the full citation, its key in ``references.bib``.

    Examples
    --------
    >>> import dtviz as dt
    >>> source = dt.claims.claims["BLT-L5.1a"].source
    >>> source.name, source.key
    ('BLT', 'BlancLangeTan2020')
    """

    name: str
    citation: str
    key: str = ""


@dataclass(frozen=True)
class Outcome:
    """What one form gave on its population.

    ``cases`` of kind ``unit`` were tried and ``violations`` of them refute the form. ``tightest``
    tells the case nearest to refuting it (or the worst, if some do), ``counterexample`` the first
    case that refutes it ("" if none does).

    In ``trivial`` of the cases a bound that needs no proof says as much as the form. ``undecided``
    cases are drawn at random and neither bear the form out nor refute it at the ``confidence``
    told. ``example`` is the tightest case itself, a tree or a function, where it can be drawn.

    Examples
    --------
    >>> import dtviz as dt
    >>> found = dt.claims.evaluate(dt.claims.claims["EH-L5"]).held[0]
    >>> found.cases, found.violations, found.unit
    (65536, 0, 'functions of 4 variables')
    """

    cases: int
    violations: int
    unit: str
    tightest: str
    counterexample: str = ""
    trivial: int = 0
    undecided: int = 0
    confidence: str = ""
    example: object = None

    @property
    def says_nothing(self) -> bool:
        """Whether a trivial bound says as much in every case."""
        return 0 < self.cases == self.trivial


@dataclass(frozen=True)
class Form:
    """One statement that can be tried: a label for the reader and the computation.

    Attributes
    ----------
    label : str
    check : function
        Tries the statement on every case of its population.
    formula : str
        What ``check`` computes, in TeX, as the page of the chapter displays it.
    mutants : tuple of Form
        False variants of the statement, tried on the same population, each of which must be
        refuted. The label says what is spoilt.
    kind : {"statement", "identity", "definition"}
        An identity holds by algebra alone and a definition because we say so: trying them shows
        that the code is right, and is no evidence for a theorem.
    bites : function, optional
        For a bound that says less than a trivial one in every case tried: computes the smallest
        instance in which it would say more, in words.

    Examples
    --------
    >>> import dtviz as dt
    >>> for form in dt.claims.claims["BLT-L5.1a"].holds:
    ...     print(form.label)
    ...
    error ≤ cost
    error ≤ cost/2
    error = cost/2 at the root for literals only
    """

    label: str
    check: Callable[[], Outcome]
    formula: str = ""
    mutants: tuple[Form, ...] = ()
    kind: Kind = "statement"
    bites: Callable[[], str] | None = None


@dataclass(frozen=True)
class Claim:
    """A claim of a source.

    Attributes
    ----------
    id : str
        As in the chapters, such as ``BLT-L5.1a``.
    source : Source
    statement : str
        In the book's normalisation and words; formulas between dollar signs.
    page : str
        The chapter that tells it, a file name without its ending.
    holds : tuple of Form
        Must have no violation. The first is the claim as the book states it. Empty: prose only.
    fails : tuple of Form
        Must have a violation: the printed form of a repaired claim, misreadings.
    repaired : bool
        The source prints something else, the first form of ``fails`` if it can be tried.
    note : str
        What the source prints, what was repaired, or what cannot be computed.

    Examples
    --------
    >>> import dtviz as dt
    >>> claim = dt.claims.claims["BLT-L5.1a"]
    >>> claim.status, claim.page
    ('holds', '1-influence')
    """

    id: str
    source: Source
    statement: str
    page: str
    holds: tuple[Form, ...] = ()
    fails: tuple[Form, ...] = ()
    repaired: bool = False
    note: str = ""

    @property
    def status(self) -> Status:
        """What the book says of the claim; `evaluate` finds out whether it is right."""
        if not self.holds:
            return "prose only"
        if self.holds[0].bites:
            return "not tested"
        if self.repaired:
            return "holds after a repair"
        stated = any(form.kind == "statement" for form in self.holds)
        return "holds" if stated else "by definition"


def outcome(  # noqa: PLR0913 -- the last two are by keyword
    unit: str,
    ok: npt.ArrayLike,
    tightness: npt.ArrayLike,
    describe: Callable[[int], str],
    times: npt.ArrayLike | None = None,
    *,
    trivial: npt.ArrayLike | None = None,
    example: Callable[[int], object] | None = None,
) -> Outcome:
    """Sum up the cases of a form.

    Parameters
    ----------
    unit : str
        What a case is, in the plural.
    ok : (cases,) bool array
        Which cases agree with the form.
    tightness : (cases,) array of numbers
        The larger, the nearer a case is to refuting the form; the first of the largest is told.
    describe : function
        Puts a case, named by its place in the arrays, into words.
    times : (cases,) int array, optional
        How many cases of the population each entry stands for; one each if not given.
    trivial : (cases,) bool array, optional
        In which cases a bound that needs no proof says as much; in none if not given.
    example : function, optional
        Gives a case, named by its place in the arrays, as a thing that can be drawn.

    Raises
    ------
    ValueError
        If ``tightness`` has another length than ``ok``, or is not a number somewhere.

    Examples
    --------
    >>> import dtviz as dt
    >>> squares = [0, 1, 4, 9]
    >>> found = dt.claims.outcome("numbers", [x <= 4 for x in squares], squares, "case {}".format)
    >>> found.cases, found.violations, found.counterexample
    (4, 1, 'case 3')
    """
    good = np.asarray(ok, dtype=bool).ravel()
    number = np.ones(good.size, np.int64) if times is None else np.asarray(times).ravel()
    if good.size == 0:
        return Outcome(0, 0, unit, "")
    bad = np.flatnonzero(~good)
    closeness = np.asarray(tightness, dtype=float).ravel()
    if closeness.shape != good.shape or np.isnan(closeness).any():
        msg = f"tightness must be a number for each of the {good.size} cases of ok"
        raise ValueError(msg)
    # Rounding must not choose between equally tight cases: it differs from machine to machine.
    tight = closeness >= closeness.max() - 1e-9 * abs(closeness.max())
    nearest = int(tight.argmax())
    return Outcome(
        int(number.sum()),
        int(number[bad].sum()),
        unit,
        describe(nearest),
        describe(int(bad[0])) if bad.size else "",
        trivial=0 if trivial is None else int(number[np.asarray(trivial, bool).ravel()].sum()),
        example=example(nearest) if example else None,
    )


def equality(unit: str, gap: npt.ArrayLike, where: Callable[[int], str]) -> Outcome:
    """Sum up cases in which two computations of one number must agree exactly.

    ``gap`` is a ``(cases,)`` array of differences, ``where`` names a case.
    """
    off = np.abs(np.asarray(gap, dtype=float)).ravel()

    def describe(k: int) -> str:
        return f"off by {off[k]:g} at {where(k)}" if off[k] else "equal in every case"

    return outcome(unit, off == 0, off, describe)


def chances(  # noqa: PLR0913 -- the last is by keyword
    unit: str,
    failures: npt.ArrayLike,
    trials: npt.ArrayLike,
    allowed: npt.ArrayLike,
    describe: Callable[[int], str],
    *,
    confidence: float = 0.99,
) -> Outcome:
    """Sum up settings of an experiment, each of which may fail with some probability at most.

    A setting bears the form out if its exact binomial upper limit (Clopper and Pearson) on the
    probability is at most ``allowed``, and refutes it if the lower limit exceeds it. In between it
    is undecided. The limits of all settings hold together with ``confidence``: each is taken at
    the level ``(1 - confidence) / settings`` (Bonferroni).

    Parameters
    ----------
    unit : str
        What a setting is, in the plural.
    failures, trials : (settings,) int arrays
        How often the experiment failed, and how often it was done.
    allowed : (settings,) array in [0, 1]
        The probability of failure that the form allows.
    describe : function
        Puts a setting, named by its place in the arrays, into words.
    confidence : float in (0, 1)

    Raises
    ------
    ValueError
        If a number is out of its range, or failures or trials are not whole.

    Examples
    --------
    >>> from dtviz.claims.registry import chances
    >>> found = chances("coins", [0, 5, 40], [100, 100, 100], [0.1, 0.1, 0.1], "coin {}".format)
    >>> found.violations, found.undecided
    (1, 1)
    >>> found.confidence
    'all 3 limits together with confidence 99% (exact binomial, 99.667% each)'
    """
    failed, tried, most = (np.atleast_1d(a) for a in np.broadcast_arrays(failures, trials, allowed))
    if not all(np.issubdtype(a.dtype, np.integer) for a in (failed, tried) if a.size):
        msg = f"failures and trials must be whole numbers, got {failed.dtype} and {tried.dtype}"
        raise ValueError(msg)
    if not ((failed >= 0) & (failed <= tried) & (tried > 0)).all():
        msg = "failures must be from 0 to trials, and trials above 0"
        raise ValueError(msg)
    if not ((most >= 0) & (most <= 1)).all():
        msg = f"allowed must be probabilities, got {most.min():g} to {most.max():g}"
        raise ValueError(msg)
    if not 0 < confidence < 1:
        msg = f"confidence must be between 0 and 1, got {confidence:g}"
        raise ValueError(msg)
    share = (1 - confidence) / max(failed.size, 1)
    upper = np.array([_upper(int(k), int(n), share) for k, n in zip(failed, tried, strict=True)])
    lower = np.array(
        [1 - _upper(int(n - k), int(n), share) for k, n in zip(failed, tried, strict=True)]
    )

    def told(k: int) -> str:
        return (
            f"{failed[k]:,} of {tried[k]:,} fail, so a chance of {lower[k]:.3g} to {upper[k]:.3g}, "
            f"{most[k]:.3g} allowed, {describe(k)}"
        )

    found = outcome(unit, lower <= most, upper / np.maximum(most, 1e-300), told)
    return replace(
        found,
        undecided=int(np.count_nonzero((lower <= most) & (upper > most))),
        confidence=(
            f"all {failed.size} limits together with confidence {confidence:.0%} "
            f"(exact binomial, {1 - share:.3%} each)"
        ),
    )


def _upper(failures: int, trials: int, level: float) -> float:
    """The largest chance of failure under which so few failures have a chance of ``level``."""
    if failures >= trials:
        return 1.0
    k = np.arange(failures + 1)
    choose = np.array([math.lgamma(j + 1) + math.lgamma(trials - j + 1) for j in k.tolist()])
    few, many = 0.0, 1.0
    for _ in range(60):
        chance = (few + many) / 2
        terms = math.lgamma(trials + 1) - choose
        terms = terms + k * math.log(chance) + (trials - k) * math.log1p(-chance)
        if np.exp(terms).sum() > level:
            few = chance
        else:
            many = chance
    return many
