"""What every chapter's claims must pass, and what a false claim or wrong code must not."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import pytest

from dtviz.claims import claims
from dtviz.claims.evidence import Evidence, evaluate
from dtviz.claims.registry import Claim, Form, Outcome, Source
from dtviz.claims.rendering import anchor
from dtviz.claims.sources import BLT
from support.cases import sweep
from support.evidence import shared

BOOK = Path(__file__).parents[2] / "book"
Wrong = tuple[object, str, object]
"""A fault: a module or class, the name of one of its attributes, what stands there instead."""


class Cached(Protocol):
    """A function that remembers its answers."""

    def cache_clear(self) -> None:
        """Forget them."""


# -- the list and the words ------------------------------------------------------------------------


def listed(modules: Iterable[ModuleType]) -> dict[str, Claim]:
    """The claims of some modules by their ID, in the order of the modules."""
    return {claim.id: claim for claim in chain.from_iterable(m.CLAIMS for m in modules)}


def require_rows(modules: Sequence[ModuleType], ids: Collection[str], number: int) -> None:
    """The modules hold the rows of the ledger: each once, with an anchor of its own, no other."""
    found = listed(modules)
    assert set(found) == set(ids)
    assert sum(len(module.CLAIMS) for module in modules) == number
    assert len({anchor(key) for key in found}) == number


def require_statuses(
    claims: Mapping[str, Claim], *, repaired: Collection[str], prose: Collection[str]
) -> None:
    """These claims and no others were repaired, and these are told in prose only.

    The forms that must fail for a repaired claim begin with the printed one.
    """
    assert {key for key, claim in claims.items() if claim.repaired} == set(repaired)
    assert {key for key, claim in claims.items() if claim.status == "prose only"} == set(prose)
    for key in repaired:
        assert claims[key].fails[0].label.startswith("as printed"), key


def require_told_well(claim: Claim) -> None:
    """A statement is a sentence, formulas are closed, no two forms share a label."""
    assert claim.statement.endswith(".")
    for text in (claim.statement, claim.note):
        assert text.count("$") % 2 == 0
    labels = [form.label for form in (*claim.holds, *claim.fails)]
    assert len(set(labels)) == len(labels)


# -- false variants, and the formulas of the pages -------------------------------------------------


def without_variant(claims: Iterable[Claim]) -> list[tuple[str, str]]:
    """The forms that must hold and say something, but stand beside no false variant."""
    return [
        (claim.id, form.label)
        for claim in claims
        for form in claim.holds
        if form.kind == "statement" and not form.bites and not form.mutants
    ]


def other_populations(claims: Iterable[Claim]) -> list[tuple[str, str]]:
    """The false variants that are tried on cases of another kind than their form."""
    return [
        (claim.id, mutant.label)
        for claim in claims
        for form, true, false in zip(
            claim.holds, shared(claim).held, shared(claim).mutants, strict=True
        )
        for mutant, result in zip(form.mutants, false, strict=True)
        if result.unit != true.unit
    ]


def squeezed(formula: str) -> str:
    """A formula without what only spaces it: blanks, alignment, breaks, sizes of brackets."""
    bare = re.sub(r"\\[,;:! ]|\\\\|\\(?:quad|qquad|displaystyle)\b|[\s&~]", "", formula)
    bare = re.sub(r"\\(?:bigl|bigr|Bigl|Bigr|biggl|biggr|left|right|big|Big)(?![a-zA-Z])", "", bare)
    return bare.replace("{}", "").replace("{:}", ":").rstrip(".,;:")


@cache
def text_of(page: str) -> str:
    """What the text cells of a chapter say."""
    pages = sorted((BOOK / page).glob("*.ipynb"))
    cells = [cell for path in pages for cell in json.loads(path.read_text("utf-8"))["cells"]]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


@cache
def proved_on(page: str) -> frozenset[str]:
    """The tags of the claims that a chapter states as theorem, proposition, lemma or corollary."""
    blocks = re.findall(
        r"(?s)^(:{3,})\{prf:(?:theorem|proposition|lemma|corollary)\}(.*?)^\1$",
        text_of(page),
        re.MULTILINE,
    )
    roles = [tags for _, block in blocks for tags in re.findall(r"\{claim\}`([^`]+)`", block)]
    return frozenset(tag for tags in roles for tag in tags.split())


# -- what the computation finds --------------------------------------------------------------------


def require(found: Evidence) -> None:
    """The computation agrees with the book, it tried something, and one line tells of it."""
    assert found.faults == ()
    assert found.verdict == found.claim.status
    assert found.verdict == "prose only" or found.cases > 0
    assert str(found).count("\n") == 0


def tried(claim: Claim, label: str) -> Outcome:
    """What the form with this label gave in this run."""
    found = shared(claim)
    forms = zip((*claim.holds, *claim.fails), (*found.held, *found.failed), strict=True)
    return next(outcome for form, outcome in forms if form.label == label)


def numbers(claim: Claim, label: str) -> tuple[int, int]:
    """How many cases a form has, and how many refute it."""
    found = tried(claim, label)
    return found.cases, found.violations


def told_case(claim: Claim, label: str) -> str:
    """The case that a form tells of: the first that refutes it, else the tightest."""
    found = tried(claim, label)
    return found.counterexample or found.tightest


# -- false claims and wrong code -------------------------------------------------------------------


@contextmanager
def forgotten(caches: Iterable[Cached]) -> Iterator[None]:
    """Forget what was tabulated, so that a changed package is seen; and forget it again."""
    known = tuple(caches)
    for cached in known:
        cached.cache_clear()
    try:
        yield
    finally:
        for cached in known:
            cached.cache_clear()


@contextmanager
def nothing_learned() -> Iterator[None]:
    """Forget in the end every table of the package that has learned something meanwhile."""
    tables = [
        table
        for name, module in tuple(sys.modules.items())
        if name.startswith("dtviz.")
        for table in vars(module).values()
        if hasattr(table, "cache_info")
    ]
    before = [table.cache_info().misses for table in tables]
    try:
        yield
    finally:
        for table, misses in zip(tables, before, strict=True):
            if table.cache_info().misses != misses:
                table.cache_clear()


def planted(**parts: Any) -> Claim:
    """A claim that no chapter makes, of the parts given."""
    return replace(Claim("BLT-PLANTED", BLT, "A false claim.", "1-influence"), **parts)


def planted_form(check: Callable[[], Outcome]) -> Claim:
    """A planted claim of one form that is said to hold."""
    return planted(holds=(Form("false", check),))


def require_refuted(claim: Claim) -> Evidence:
    """The computation refutes a claim, by cases; what it found."""
    found = evaluate(claim)
    assert found.verdict == "FAILS"
    assert found.violations > 0
    return found


def verdict_under(wrong: Wrong, claim: Claim, caches: Iterable[Cached] = ()) -> str:
    """The verdict on a claim while wrong code stands in the package.

    The forms are tried one by one, up to the first with a fault: a claim with a fault fails. Their
    mutants are left out: it is the claim that wrong code must turn red.
    """
    with forgotten(caches), nothing_learned(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(*wrong)
        alone = [replace(form, mutants=()) for form in claim.holds]
        parts = [replace(claim, holds=(form,), fails=(), repaired=False) for form in alone]
        parts += [replace(claim, holds=(), fails=(form,), repaired=False) for form in claim.fails]
        return claim.status if all(evaluate(part).ok for part in parts) else "FAILS"


def require_stable_lines(claims: Sequence[Claim], caches: Iterable[Cached]) -> None:
    """The lines of claims are those of this run, tried in the other order and from nothing.

    Their mutants, which do the same with other numbers, are left out.
    """
    lines = [str(replace(shared(claim), mutants=())) for claim in claims]
    alone = [
        replace(claim, holds=tuple(replace(form, mutants=()) for form in claim.holds))
        for claim in claims
    ]
    with forgotten(caches):
        assert lines == [str(evaluate(claim)) for claim in reversed(alone)][::-1]


# -- a chapter against its ledger ------------------------------------------------------------------


class Ledger:
    """What the ledger of a source says of a chapter's claims; a test class fills it in.

    Attributes
    ----------
    modules, rows, number : sequence of modules, set of str, int
        The claims, the IDs of the rows of the ledger, and how many those are.
    repaired, prose : set of str
        The claims that were repaired, and those told in prose only.
    source, page, elsewhere : Source, str, pairs of str and Source
        Where the claims come from, the page of the chapter, and the claims of another source.
    cases : sequence of tuples
        A claim, the label of a form, and a part of what it tells.
    false : sequence of callables
        Checks that a computation must refute.
    wrong : mapping
        Faults by the claim that must fail under them; what follows a comma tells two apart.
    caches : sequence of functions
        What the claims have tabulated.
    stable : sequence of str
        Claims to try once more in another order.
    """

    modules: Sequence[ModuleType]
    rows: Collection[str]
    number: int
    repaired: Collection[str]
    prose: Collection[str]
    source: Source
    page: str
    elsewhere: Mapping[str, Source] = {}
    numbers: Sequence[tuple[str, str, int, int]] = ()
    cases: Sequence[tuple[str, str, str]]
    false: Sequence[Callable[[], Outcome]]
    wrong: Mapping[str, Wrong]
    caches: Sequence[Cached]
    stable: Sequence[str]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Try each entry of a table by itself."""
        names = metafunc.fixturenames
        if "told" in names:
            metafunc.parametrize(("claim_id", "label", "told"), self.cases)
        elif "check" in names:
            metafunc.parametrize("check", self.false)
        elif "fault" in names:
            metafunc.parametrize("fault", sweep(self.wrong, 3))

    def test_every_row_of_the_source_is_there(self) -> None:
        assert len(self.rows) == self.number
        require_rows(self.modules, self.rows, self.number)
        assert all(claims[key] is claim for key, claim in listed(self.modules).items())

    def test_which_claims_were_repaired_and_which_are_prose(self) -> None:
        require_statuses(listed(self.modules), repaired=self.repaired, prose=self.prose)

    def test_claims_name_their_source_and_their_chapter(self) -> None:
        for claim in listed(self.modules).values():
            assert claim.source is dict(self.elsewhere).get(claim.id, self.source)
            assert claim.page == self.page

    def test_cases_of_the_ledger(self, claim_id: str, label: str, told: str) -> None:
        assert told in told_case(listed(self.modules)[claim_id], label)

    def test_a_false_claim_is_refuted(self, check: Callable[[], Outcome]) -> None:
        require_refuted(planted_form(check))

    def test_wrong_code_turns_its_claim_red(self, fault: str) -> None:
        claim = listed(self.modules)[fault.split(",", maxsplit=1)[0]]
        assert verdict_under(self.wrong[fault], claim, self.caches) == "FAILS"

    def test_the_lines_do_not_depend_on_what_was_computed_before(self) -> None:
        known = listed(self.modules)
        require_stable_lines([known[key] for key in self.stable], self.caches)


class CountedLedger(Ledger):
    """A ledger that counts: ``numbers`` are a claim, the label of a form, its cases, violations."""

    numbers: Sequence[tuple[str, str, int, int]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Try each entry of a table by itself."""
        if "violations" in metafunc.fixturenames:
            metafunc.parametrize(("claim_id", "label", "cases", "violations"), self.numbers)
        else:
            super().pytest_generate_tests(metafunc)

    def test_numbers_of_the_ledger(
        self, claim_id: str, label: str, cases: int, violations: int
    ) -> None:
        assert numbers(listed(self.modules)[claim_id], label) == (cases, violations)
