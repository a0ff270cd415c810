"""What was found for a claim, and the verdict it amounts to.

The verdict is what the computation finds, never what this package says.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from dtviz.claims.registry import Claim, Form, Outcome
from dtviz.claims.rendering import folded

__all__ = ["Evidence", "evaluate"]


@dataclass(frozen=True)
class Evidence:
    """What was found for a claim: an `Outcome` per form, and the verdict they amount to.

    ``held`` belongs to ``claim.holds`` and ``failed`` to ``claim.fails``. ``mutants`` holds an
    outcome for each mutant of each form that must hold; ``bites`` where each of these forms would
    say something ("" where it does). Jupyter shows what is not ``told`` yet: the line, and the rest
    folded below it.

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
    mutants: tuple[tuple[Outcome, ...], ...] = ()
    bites: tuple[str, ...] = ()
    told: bool = field(default=False, compare=False, repr=False)

    @property
    def planted(self) -> int:
        """How many false variants were tried."""
        return sum(map(len, self.mutants))

    @property
    def killed(self) -> int:
        """How many false variants were refuted."""
        return sum(result.violations > 0 for of in self.mutants for result in of)

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
        for form, result in zip(self.claim.holds, self.held, strict=True):
            found += _held_faults(form, result)
        for form, results in zip(self.claim.holds, self.mutants, strict=bool(self.mutants)):
            found += _mutant_faults(form, results)
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
        """The status of its claim, or ``FAILS`` if there is a fault."""
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
        if self.verdict == "not tested":
            silent = self.held[0]
            line = f"– {head} · a trivial bound says as much in all {silent.cases:,} {silent.unit}"
            line += f"; {self.bites[0]}"
        else:
            line = f"✓ {head} · {self.cases:,} {unit} · tightest: {self.tightest}"
        if self.planted:
            line += f" · {self.killed} of {self.planted} false variants refuted"
        if self.failed:
            form, result = self.claim.fails[0], self.failed[0]
            line += f" · fails {form.label}: {result.counterexample}"
        return line

    def _repr_html_(self) -> str:
        """Show the verdict, and folded below it the statement and all that was tried."""
        return folded(self)

    def _ipython_display_(self) -> None:
        """Show nothing a second time: `check` has told it, wherever it stood in its cell."""
        if not self.told:
            self.show()

    def show(self) -> None:
        """Show it where it can be drawn, as in a notebook; print one line elsewhere."""
        shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
        if shell is not None and hasattr(shell, "kernel"):
            both = {"text/plain": str(self), "text/html": self._repr_html_()}
            sys.modules["IPython"].display.display(both, raw=True)
        else:
            print(self)  # noqa: T201 (it is what the method is for)

    def details(self) -> str:
        """Several lines: every form with what it gave."""
        lines = [f"{self.claim.id}: {self.verdict}"]
        for form, result in self._forms():
            lines += [
                f"  {form.label}",
                f"    {result.cases:,} {result.unit}, {result.violations:,} violations",
                f"    tightest: {result.tightest}",
            ]
            if result.confidence:
                lines.append(f"    {result.confidence}")
            if result.counterexample:
                lines.append(f"    first violation: {result.counterexample}")
        for form, results in zip(self.claim.holds, self.mutants, strict=bool(self.mutants)):
            lines += [
                f"  false variant of '{form.label}': {mutant.label}\n"
                f"    {result.violations:,} violations, the first: {result.counterexample}"
                for mutant, result in zip(form.mutants, results, strict=True)
            ]
        return "\n".join(lines)


def _held_faults(form: Form, result: Outcome) -> Iterable[str]:
    """What is wrong with a form that must hold."""
    if result.violations:
        yield (
            f"'{form.label}' is refuted by {result.violations:,} of {result.cases:,} "
            f"{result.unit}: {result.counterexample}"
        )
    if result.undecided:
        yield f"'{form.label}' is open in {result.undecided:,} of {result.cases:,} {result.unit}"
    if result.says_nothing and not form.bites:
        yield f"'{form.label}' says nothing in all {result.cases:,} {result.unit}"
    if form.bites and not result.says_nothing:
        yield f"'{form.label}' is said to say nothing, but does in some {result.unit}"


def _mutant_faults(form: Form, results: Iterable[Outcome]) -> Iterable[str]:
    """Which false variants of a form its population does not tell from it."""
    for mutant, result in zip(form.mutants, results, strict=True):
        if not result.violations:
            yield (
                f"'{mutant.label}' is a false variant of '{form.label}', "
                f"but holds for all {result.cases:,} {result.unit}"
            )


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
        tuple(tuple(mutant.check() for mutant in form.mutants) for form in claim.holds),
        tuple(form.bites() if form.bites else "" for form in claim.holds),
    )
