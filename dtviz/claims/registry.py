"""What a claim is, and how its verdict comes about.

A claim of a source is stated in the normalisation of the book and carries *forms*: statements that
a computation can try on every case of a finite population. Some forms must hold: the claim itself,
or its repair, or a sharper statement. Others must fail: what the source printed where it slipped,
or a tempting misreading. The verdict is what the computation finds, never what this package says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

__all__ = [
    "Claim",
    "Evidence",
    "Form",
    "Outcome",
    "Source",
    "Status",
    "equality",
    "evaluate",
    "outcome",
]

Status = Literal["holds", "holds after a repair", "prose only"]


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


@dataclass(frozen=True)
class Form:
    """One statement that can be tried: a label for the reader and the computation.

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
        return "holds after a repair" if self.repaired else "holds"


@dataclass(frozen=True)
class Evidence:
    """What was found for a claim: an `Outcome` per form, and the verdict they amount to.

    Examples
    --------
    >>> import dtviz as dt
    >>> found = dt.claims.evaluate(dt.claims.claims["BLT-L5.1a"])
    >>> found.verdict, found.cases, found.violations
    ('holds', 190740, 0)
    """

    claim: Claim
    held: tuple[Outcome, ...]
    failed: tuple[Outcome, ...]

    @property
    def cases(self) -> int:
        """Cases tried for the forms that must hold."""
        return sum(result.cases for result in self.held)

    @property
    def violations(self) -> int:
        """Cases that refute a form that must hold: 0 if all is well."""
        return sum(result.violations for result in self.held)

    @property
    def tightest(self) -> str:
        """The tightest case of the claim as the book states it."""
        return self.held[0].tightest if self.held else ""

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong, a sentence each; empty if the computation agrees with the book."""
        found = [
            f"'{form.label}' was tried on no case"
            for form, result in self._forms()
            if result.cases == 0
        ]
        found += [
            f"'{form.label}' is refuted by {result.violations:,} of {result.cases:,} "
            f"{result.unit}: {result.counterexample}"
            for form, result in zip(self.claim.holds, self.held, strict=True)
            if result.violations
        ]
        found += [
            f"'{form.label}' should fail but holds for all {result.cases:,} {result.unit}"
            for form, result in zip(self.claim.fails, self.failed, strict=True)
            if result.cases and not result.violations
        ]
        if self.claim.repaired and self.claim.holds and not self.claim.fails:
            found.append("the printed form is said to be wrong, but no form shows it")
        return tuple(found)

    @property
    def ok(self) -> bool:
        """Whether every form did what it must."""
        return not self.faults

    @property
    def verdict(self) -> str:
        """``holds``, ``holds after a repair``, ``prose only`` or ``FAILS``."""
        return self.claim.status if self.ok else "FAILS"

    def _forms(self) -> Iterable[tuple[Form, Outcome]]:
        yield from zip(self.claim.holds, self.held, strict=True)
        yield from zip(self.claim.fails, self.failed, strict=True)

    def __str__(self) -> str:
        """One line: the ID, the verdict, the cases tried and the tightest case."""
        head = f"{self.claim.id}: {self.verdict}"
        if not self.ok:
            return f"✗ {head} · {'; '.join(self.faults)}"
        if not self.held:
            return f"– {head}"
        unit = self.held[0].unit if len(self.held) == 1 else "cases"
        line = f"✓ {head} · {self.cases:,} {unit} · tightest: {self.tightest}"
        if self.failed:
            form, result = self.claim.fails[0], self.failed[0]
            line += f" · fails {form.label}: {result.counterexample}"
        return line

    def _ipython_display_(self) -> None:
        """Show nothing: `check` printed the line, and a notebook would show it a second time."""

    def details(self) -> str:
        """Several lines: every form with what it gave."""
        lines = [f"{self.claim.id}: {self.verdict}"]
        for form, result in self._forms():
            lines += [
                f"  {form.label}",
                f"    {result.cases:,} {result.unit}, {result.violations:,} violations",
                f"    tightest: {result.tightest}",
            ]
            if result.counterexample:
                lines.append(f"    first violation: {result.counterexample}")
        return "\n".join(lines)


def evaluate(claim: Claim) -> Evidence:
    """Try every form of a claim, in silence.

    Examples
    --------
    >>> import dtviz as dt
    >>> found = dt.claims.evaluate(dt.claims.claims["EH-L5"])
    >>> found.ok
    True
    """
    return Evidence(
        claim,
        tuple(form.check() for form in claim.holds),
        tuple(form.check() for form in claim.fails),
    )


def outcome(
    unit: str,
    ok: npt.ArrayLike,
    tightness: npt.ArrayLike,
    describe: Callable[[int], str],
    times: npt.ArrayLike | None = None,
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
    # Rounding must not choose between equally tight cases: it differs from machine to machine.
    tight = closeness >= closeness.max() - 1e-9 * abs(closeness.max())
    return Outcome(
        int(number.sum()),
        int(number[bad].sum()),
        unit,
        describe(int(tight.argmax())),
        describe(int(bad[0])) if bad.size else "",
    )


def equality(unit: str, gap: npt.ArrayLike, where: Callable[[int], str]) -> Outcome:
    """Sum up cases in which two computations of one number must agree exactly.

    ``gap`` is a ``(cases,)`` array of differences, ``where`` names a case.
    """
    off = np.abs(np.asarray(gap, dtype=float)).ravel()

    def describe(k: int) -> str:
        return f"off by {off[k]:g} at {where(k)}" if off[k] else "equal in every case"

    return outcome(unit, off == 0, off, describe)
