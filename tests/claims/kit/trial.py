"""A claim, the trial of it, and the verdict, which is what the computation finds."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any, Literal, NamedTuple

import pytest

from claims.kit.outcomes import Outcome
from claims.kit.record import as_drawing

__all__ = ["Claim", "Trial", "claim", "evaluate", "holds"]

Check = Callable[..., Outcome]
Entry = dict[str, Any]
FAR = 0.1
"""A bound of which no case uses a larger share is called far from tight."""


class Source(NamedTuple):
    """Where claims come from: a short name, and its key in ``book/references.bib``."""

    name: str
    key: str = ""


SOURCES = {
    "BLT": Source("BLT", "BlancLangeTan2020"),
    "EH": Source("EH", "EhrenfeuchtHaussler1989"),
    "PS": Source("PS", "SoltaniMoakharEtAl2026"),
    "MN": Source("MN", "MansourLecture12"),
    "CU": Source("CU", "WeinbergerCS4780"),
}
"""By how the names of their claims begin; all others are of this book."""


@dataclass(frozen=True)
class Claim:
    """What is claimed.

    ``id`` is as in the chapters, such as ``BLT-L5.1a``; ``statement`` is in the book's words, its
    formulas between dollar signs; ``page`` is the folder of its chapter. ``repaired`` says that the
    source prints something else, the first form that must fail if it can be tried; ``note`` says
    what that is, or what cannot be computed.
    """

    id: str
    source: Source
    statement: str
    page: str
    repaired: bool = False
    note: str = ""


@dataclass
class Trial:
    """Runs the forms of a claim and keeps what each gave."""

    forms: list[Entry] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def holds(  # noqa: PLR0913
        self,
        label: str,
        check: Check,
        formula: str = "",
        variants: Mapping[str, Mapping[str, Any] | Check] | None = None,
        *,
        kind: Literal["statement", "identity", "definition"] = "statement",
        bites: Callable[[], str] | None = None,
    ) -> None:
        """Try a form that must hold, and its false variants, which the same cases must refute.

        Parameters
        ----------
        label : str
        check : function
            Tries the form on every case of its population; without arguments it is the form itself.
        formula : str
            What ``check`` computes, in TeX, as the page of the chapter displays it.
        variants : mapping
            By label, what spoils the form: arguments of ``check``, or another check.
        kind : {"statement", "identity", "definition"}
            An identity holds by algebra alone and a definition because we say so: trying them shows
            that the code is right, and is no evidence for a theorem.
        bites : function, optional
            For a bound that says less than a trivial one in every case tried: computes the smallest
            instance in which it would say more, in words.
        """
        got = check()
        self._add(label, got, formula, kind=kind, must="hold", bites=bites() if bites else "")
        if got.violations:
            self._fault(label, f"is refuted by {got.violations:,} {got.unit}: {got.counterexample}")
        if got.undecided:
            self._fault(label, f"is open in {got.undecided:,} of {got.cases:,} {got.unit}")
        if got.says_nothing and not bites:
            self._fault(label, f"says nothing in all {got.cases:,} {got.unit}")
        if bites and not got.says_nothing:
            self._fault(label, f"is said to say nothing, but does in some {got.unit}")
        for name, spoiled in (variants or {}).items():
            of = (spoiled if callable(spoiled) else partial(check, **spoiled))()
            tried = {"label": name, "cases": of.cases, "violations": of.violations}
            self.forms[-1]["variants"].append(tried | {"counterexample": of.counterexample})
            if not of.violations:
                self._fault(name, f"is a false variant of '{label}', but no case refutes it")
            elif of.unit != got.unit:
                self._fault(name, f"is tried on {of.unit}, and '{label}' on {got.unit}")

    def form(self, label: str, *rest: Any, **more: Any) -> Callable[[Check], Check]:
        """Try a check that must hold where it is written; the other arguments are of `holds`."""

        def decorate(check: Check) -> Check:
            self.holds(label, check, *rest, **more)
            return check

        return decorate

    def fails(self, label: str, check: Check, formula: str = "") -> None:
        """Try a form that must fail: what the source prints, or an easy misreading."""
        got = check()
        self._add(label, got, formula, kind="statement", must="fail", bites="")
        if got.cases and not got.violations:
            self._fault(label, f"should fail but holds for all {got.cases:,} {got.unit}")

    def _add(self, label: str, got: Outcome, formula: str, **more: str) -> None:
        if not got.cases:
            self._fault(label, "was tried on no case")
        if any(form["label"] == label for form in self.forms):
            self._fault(label, "is the label of two forms")
        self.forms.append(
            {
                "label": label,
                "formula": formula,
                **more,
                "unit": got.unit,
                "cases": got.cases,
                "violations": got.violations,
                "tightest": got.tightest,
                "counterexample": got.counterexample,
                "confidence": got.confidence,
                "used": got.used,
                "drawing": as_drawing(
                    got.tightest_example if more["must"] == "hold" else got.refuting_example
                ),
                "variants": [],
            }
        )

    def _fault(self, label: str, what: str) -> None:
        self.faults.append(f"'{label}' {what}")


def claim(
    id: str,  # noqa: A002
    statement: str,
    page: str,
    *,
    repaired: bool = False,
    note: str = "",
) -> Callable[[Callable[[Trial], None]], Callable[[Trial], None]]:
    """Make a test function the check of a claim; the arguments are those of `Claim`."""
    source = SOURCES.get(id.partition("-")[0], Source("this book"))

    def decorate(test: Callable[[Trial], None]) -> Callable[[Trial], None]:
        test.claim = Claim(id, source, statement, page, repaired, note)  # type: ignore[attr-defined]
        return test

    return decorate


def holds(
    *arguments: Any, fails: Mapping[str, Mapping[str, Any]] | None = None, **more: Any
) -> Callable[[Check], Callable[[Trial], None]]:
    """Make a check the test of a claim that has this form alone: the other arguments of `Trial`.

    ``fails`` are forms that must fail, as variants.
    """

    def decorate(check: Check) -> Callable[[Trial], None]:
        @wraps(check)
        def test(trial: Trial) -> None:
            label, *rest = arguments
            trial.holds(label, check, *rest, **more)
            for misread, spoiled in (fails or {}).items():
                trial.fails(misread, partial(check, **spoiled))

        return test

    return decorate


def evaluate(test: Callable[[Trial], None]) -> Entry:
    """Try a claim: its entry of the record. An exception in a check is a fault like others."""
    known: Claim = test.claim  # type: ignore[attr-defined]
    trial = Trial()
    try:
        test(trial)
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001
        trial.faults.append("".join(traceback.format_exception_only(error)).strip())
    held = [form for form in trial.forms if form["must"] == "hold"]
    if known.repaired and held and len(held) == len(trial.forms):
        trial.faults.append("the printed form is said to be wrong, but no form shows it")
    return {
        "id": known.id,
        "source": known.source.name,
        "key": known.source.key,
        "statement": known.statement,
        "page": known.page,
        "note": known.note,
        "repaired": known.repaired,
        "verdict": _verdict(known, held, trial.faults),
        "faults": trial.faults,
        "file": f"tests/{test.__module__.replace('.', '/')}.py",
        "function": test.__name__,
        "forms": trial.forms,
    }


def _verdict(known: Claim, held: list[Entry], faults: list[str]) -> str:
    if faults:
        return "fails"
    if not held:
        return "cited"
    if held[0]["bites"]:
        return "not testable here"
    stated = [form for form in held if form["kind"] == "statement"]
    bounds = [form["used"] for form in stated if form["used"] is not None and not form["bites"]]
    if min(bounds, default=1) < FAR:
        return "holds, far from tight"
    if known.repaired:
        return "holds after a repair"
    return "holds" if stated else "by definition"
