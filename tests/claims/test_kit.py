"""The kit of the claims: no tick without a computation, and the record is that of the tests."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from claims.kit import Claim, Outcome, at_most, chances, claim, equality, evaluate, outcome, record

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent


def claimed(body, **more):
    """The entry of a claim that no chapter makes."""
    return evaluate(claim("OURS-PLANTED", "A claim.", "1-influence", **more)(body))


def below(limit: float = 3, factor: float = 1) -> Outcome:
    return at_most("numbers", [0, 1, 3], factor * limit * np.ones(3), "number {}".format)


GOOD = {"a tenth less": {"factor": 0.9}}


def test_a_claim_that_holds() -> None:
    entry = claimed(lambda trial: trial.holds("x <= 3", below, "x\\le3", GOOD))
    assert (entry["verdict"], entry["faults"]) == ("holds", [])
    (form,) = entry["forms"]
    assert (form["cases"], form["used"], form["tightest"]) == (3, 1, "3 of 3 allowed, number 2")
    assert form["variants"][0]["counterexample"] == "3 of 2.7 allowed, number 2"


FAULTY = {
    "a form that is refuted": lambda t: t.holds("x <= 2", lambda: below(2)),
    "a variant that no case refutes": lambda t: t.holds("x <= 3", below, "", {"4": {"limit": 4}}),
    "a variant on other cases": lambda t: t.holds(
        "x <= 3", below, "", {"0": lambda: equality("letters", [1], str)}
    ),
    "a printed form that holds": lambda t: t.fails("x <= 3", below),
    "no case": lambda t: t.holds("x <= 3", lambda: at_most("numbers", [], [], str)),
    "a bound that says nothing": lambda t: t.holds(
        "x <= 3", lambda: outcome("numbers", [True], [0], str, trivial=[True])
    ),
    "an experiment that decides nothing": lambda t: t.holds(
        "p", lambda: chances("coins", [5], [100], [0.05], str)
    ),
    "an exception": lambda _: 1 / 0,
    "two forms of one label": lambda t: [t.holds("x <= 3", below) for _ in range(2)],
}


@pytest.mark.parametrize("fault", FAULTY)
def test_a_fault_is_a_red_verdict(fault: str) -> None:
    entry = claimed(FAULTY[fault])
    assert entry["verdict"] == "fails"
    assert len(entry["faults"]) == 1, entry["faults"]


def test_a_repair_must_show_what_fails() -> None:
    assert claimed(lambda t: t.holds("x <= 3", below), repaired=True)["verdict"] == "fails"


def test_a_weak_bound_is_called_far_from_tight() -> None:
    entry = claimed(lambda t: t.holds("x <= 31", lambda: below(31)))
    assert entry["verdict"] == "holds, far from tight"


def test_limits_of_an_experiment_are_those_of_the_binomial() -> None:
    found = chances("coins", [0, 5, 40], [100, 100, 100], [0.1, 0.1, 0.1], "coin {}".format)
    assert (found.violations, found.undecided) == (1, 1)


def test_a_run_that_differs_from_the_record_is_seen() -> None:
    known = json.loads(json.dumps(claimed(lambda t: t.holds("x <= 3", below, "", GOOD))))
    assert list(record.differences(known, known)) == []
    for place, value in (
        ("cases", 4),
        ("used", 1 + 1e-8),
        ("tightest", "another"),
        ("variants", []),
    ):
        other = json.loads(json.dumps(known))
        other["forms"][0][place] = value
        assert len(list(record.differences(known, other))) == 1, place
    close = json.loads(json.dumps(known))
    close["forms"][0]["used"] = 1 + 1e-10
    assert list(record.differences(known, close)) == []


@cache
def claims() -> dict[str, tuple[Path, object]]:
    """The file and the claim of each test function of a claim, by its ID."""
    found: dict[str, tuple[Path, object]] = {}
    for path in sorted(HERE.glob("*/test_*.py")):
        module = import_module(f"claims.{path.parent.name}.{path.stem}")
        for test in vars(module).values():
            if (
                isinstance(getattr(test, "claim", None), Claim)
                and test.__module__ == module.__name__
            ):
                assert test.claim.id not in found, test.claim.id
                found[test.claim.id] = (path, test.claim)
    return found


def test_the_record_is_that_of_the_tests() -> None:
    assert set(record.read()) == set(claims())
    assert {entry["verdict"] for entry in record.read().values()} >= {"holds", "cited"}
    assert [name for name, entry in record.read().items() if entry["faults"]] == []


def test_what_is_said_of_a_claim_is_a_sentence() -> None:
    for name, (_, of) in claims().items():
        assert of.statement.endswith("."), name
        assert (of.statement + of.note).count("$") % 2 == 0, name


def test_a_claim_names_functions_by_their_call_and_queries() -> None:
    for name, entry in record.read().items():
        said = json.dumps(entry)
        assert not re.search(r"\bfunction \d", said), name
        if entry["page"][0] in "123":
            assert not re.search(r"\b(?:ask(?:s|ed)?|questions?)\b", said), name


@cache
def squeezed(formula: str) -> str:
    """A formula without what only spaces it: blanks, alignment, breaks, sizes of brackets."""
    bare = re.sub(r"\\[,;:! ]|\\\\|\\(?:quad|qquad|displaystyle)\b|[\s&~]", "", formula)
    bare = re.sub(r"\\(?:bigl|bigr|Bigl|Bigr|biggl|biggr|left|right|big|Big)(?![a-zA-Z])", "", bare)
    return bare.replace("{}", "").replace("{:}", ":").rstrip(".,;:")


@cache
def page_text(page: str) -> str:
    """What the pages of a chapter say, and its section of the sources and corrections."""
    paths = [p for p in sorted((record.BOOK / page).iterdir()) if p.suffix in {".ipynb", ".md"}]
    sections = re.split("^## ", record.text_of(record.BOOK / "sources.ipynb"), flags=re.MULTILINE)
    own = [section for section in sections if section.startswith(f"{page[0]}. ")]
    return "\n\n".join([*map(record.text_of, paths), *own])


def test_what_a_check_computes_is_what_the_page_displays() -> None:
    for entry in record.read().values():
        text = squeezed(page_text(entry["page"]))
        for form in entry["forms"]:
            assert squeezed(form["formula"]) in text, (entry["id"], form["label"])


LETTERS = re.compile(
    r"\\(?:operatorname|mathrm)\{(\w+)\}|\\(var\w+|alpha|beta|gamma|delta|epsilon|eta|kappa|lambda|mu|nu"
    r"|pi|rho|sigma|tau|ell|Delta|Lambda|Pr|log|ln|max|min)(?![a-zA-Z])|\\[a-zA-Z]+|([a-zA-Z])"
)
COMMON = {"e", "x"}
"""Euler's number, and the variables of a function."""
ALSO = {"OURS-OPT-TRAP": {"y", "z"}}
"""The letters of a function that the page defines just before."""
KINDS = {"Inf", "Res", "Var", "Vr"}
"""Kinds of influence and of variance: a statement with two of them says which is meant where."""


def letters(formula: str) -> set[str]:
    """The letters and names of a formula."""
    bare = re.sub(r"\\(?:text|begin|end)\{[^}]*\}", "", formula)
    return {name for found in LETTERS.findall(bare) for name in found if name}


def letters_of(text: str) -> set[str]:
    """Those of all formulas in a text."""
    return set().union(*map(letters, text.replace("$$", "$").split("$")[1::2]))


def carriers() -> Iterator[tuple[str, str]]:
    """Each claim with the box that carries it, a proof with what it proves; or its section."""
    for path in (p for p in sorted(record.BOOK.rglob("*")) if p.suffix in {".ipynb", ".md"}):
        text = record.text_of(path)
        boxes = [*re.finditer(r"^(:{3,})\{prf:(\w+)\}.*?^\1$", text, re.DOTALL | re.MULTILINE)]
        ends = [0, *(m.start() for m in re.finditer("^#+ ", text, re.MULTILINE)), len(text)]
        for mark in re.finditer(r"\{claim\}`([^`]+)`", text):
            at, carrier = mark.start(), ""
            for before, box in zip([None, *boxes], boxes, strict=False):
                if box.start() < at < box.end():
                    carrier = (before[0] if before and box[2] == "proof" else "") + box[0]
            carrier = carrier or next(text[a:b] for a, b in pairwise(ends) if a <= at < b)
            yield from ((name, carrier) for name in mark[1].split())


def test_a_claim_has_the_letters_of_the_statement_that_carries_it() -> None:
    carried = dict(carriers())
    assert set(carried) == set(claims())
    other = {}
    for name, carrier in carried.items():
        entry = record.read()[name]
        held = [form for form in entry["forms"] if form["must"] == "hold"]
        said = letters_of(entry["statement"])
        labels = {
            word for form in held for word in KINDS & {*re.findall("[a-zA-Z]+", form["label"])}
        }
        computed = KINDS & set().union(*(letters(form["formula"]) for form in held)) or said
        known = letters_of(carrier) | COMMON | ALSO.get(name, set())
        if strange := ((said | labels) - known) | (said & KINDS) - computed:
            other[name] = sorted(strange)
    assert other == {}


def test_every_form_that_says_something_has_a_false_variant() -> None:
    bare = [
        (entry["id"], form["label"])
        for entry in record.read().values()
        for form in entry["forms"]
        if (form["must"], form["kind"]) == ("hold", "statement")
        and not form["bites"]
        and not form["variants"]
    ]
    assert bare == []
