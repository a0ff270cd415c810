"""What a claim is: each one of the book is tried, a false one cannot pass, how all are told."""

from __future__ import annotations

import inspect
import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import IPython
import numpy as np
import pytest
from bs4 import BeautifulSoup
from scipy.stats import binomtest
from support import evidence
from support.cases import sweep
from support.claims import (
    CountedLedger,
    other_populations,
    planted,
    proved_on,
    require,
    require_told_well,
    squeezed,
    text_of,
    without_variant,
)

import dtviz as dt
from dtviz import claims
from dtviz.claims.__main__ import main as table_of_forms
from dtviz.claims.evidence import evaluate
from dtviz.claims.registry import Claim, Form, Outcome, chances, equality, outcome
from dtviz.claims.rendering import anchor, first_code
from dtviz.influence.claims import inequalities

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted({claim.page for claim in claims.claims.values()})
with_ln = Form("with ln", partial(inequalities._influential_variable_by_size, np.log))


# -- the registry ---------------------------------------------------------------------------------


def by_chapter(claim_id: str) -> object:
    """Claims of a chapter share populations, so one process tries them all."""
    group = f"claims of {claims.claims[claim_id].page.partition('-')[2] or 'no page'}"
    return pytest.param(claim_id, marks=pytest.mark.xdist_group(group))


@pytest.mark.parametrize("claim_id", [by_chapter(claim_id) for claim_id in claims.claims])
def test_claim(claim_id: str) -> None:
    require(evidence.found(claim_id))


@pytest.mark.parametrize("claim", claims.claims.values(), ids=list(claims.claims))
def test_claims_are_told_well(claim: Claim) -> None:
    require_told_well(claim)
    if claim.source.key:
        entry = re.compile(rf"@\w+{{{claim.source.key},")
        assert entry.search((ROOT / "book" / "references.bib").read_text("utf-8"))


@pytest.mark.parametrize("page", sweep(PAGES, 4))
def test_every_statement_stands_beside_false_variants(page: str) -> None:
    """Which are tried on the same population, and refuted: `test_claim` sees to that."""
    told = [claim for claim in claims.claims.values() if claim.page == page]
    assert without_variant(told) == []
    assert other_populations(told) == []


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_states_is_what_its_check_computes(page: str) -> None:
    """By their texts: to read a formula and its check side by side is a reader's work."""
    told = {claim.id: claim for claim in claims.claims.values() if claim.page == page}
    proved = [told[tag] for tag in sorted(proved_on(page)) if tag in told and told[tag].holds]
    assert [claim.id for claim in proved if not claim.holds[0].formula] == []
    forms = [form for claim in told.values() for form in claim.holds if form.formula]
    text = squeezed(text_of(page))
    assert [form.formula for form in forms if squeezed(form.formula) not in text] == []


def test_an_id_stands_for_one_claim() -> None:
    twice = claims.claims["LB-A"]
    with pytest.raises(ValueError, match="LB-A twice"):
        claims.by_id([twice, twice])


def test_outcome_tells_the_first_of_equally_tight_cases() -> None:
    found = outcome("cases", [True, True, False, True], [0.5, 0.9, 0.1, 0.9 + 1e-12], str)
    assert found == Outcome(4, 1, "cases", "1", "2")
    weighted = outcome("cases", [True, False], [1, 2], str, times=[10, 3])
    assert (weighted.cases, weighted.violations) == (13, 3)


def test_equality_is_exact() -> None:
    assert equality("cases", [0.0, 0.0], str).tightest == "equal in every case"
    found = equality("cases", [0.0, -1e-15, 0.0], str)
    assert (found.violations, found.counterexample) == (1, "off by 1e-15 at 1")


def test_a_printed_form_that_holds_is_refused() -> None:
    true = claims.claims["BLT-OSSS"].holds[0]
    found = evaluate(planted(holds=(true,), fails=(replace(true, label="as printed"),)))
    assert found.violations == 0
    assert "should fail but holds for all 65,536" in str(found)
    with pytest.raises(AssertionError):
        require(found)


def test_a_repair_without_a_printed_form_that_fails_is_refused() -> None:
    found = evaluate(planted(holds=claims.claims["BLT-C0"].holds, repaired=True))
    assert found.verdict == "FAILS"
    with pytest.raises(AssertionError):
        require(found)


@pytest.mark.parametrize("part", ["holds", "fails"])
def test_a_check_of_no_case_is_refused(part: str) -> None:
    nothing = Form("nothing", lambda: outcome("cases", [], [], str))
    parts = {"holds": claims.claims["BLT-C0"].holds} | {part: (nothing,)}
    found = evaluate(planted(**parts))
    assert "tried on no case" in str(found)
    with pytest.raises(AssertionError):
        require(found)


def numbers_below(bound: float) -> Outcome:
    """Ten numbers against a bound, which from 10 on says nothing."""
    numbers = np.arange(10)
    return outcome("numbers", numbers <= bound, numbers, str, trivial=np.full(10, bound >= 10))


def test_a_false_variant_that_no_case_refutes_turns_its_claim_red() -> None:
    seen, unseen = (Form(f"bound {b}", partial(numbers_below, b)) for b in (8, 9))
    form = Form("bound 9", partial(numbers_below, 9), mutants=(seen,))
    good = evaluate(planted(holds=(form,)))
    assert (good.ok, good.planted, good.killed) == (True, 1, 1)
    assert str(good).endswith(" · 1 of 1 false variants refuted")
    bad = evaluate(planted(holds=(replace(form, mutants=(seen, unseen)),)))
    assert (bad.verdict, bad.planted, bad.killed) == ("FAILS", 2, 1)
    assert bad.faults == (
        "'bound 9' is a false variant of 'bound 9', but holds for all 10 numbers",
    )


def test_what_says_nothing_in_any_case_is_not_tested() -> None:
    form = Form("bound 12", partial(numbers_below, 12), bites=lambda: "first below 10 at bound 9")
    found = evaluate(planted(holds=(form,)))
    assert found.verdict == found.claim.status == "not tested"
    assert str(found) == (
        "– BLT-PLANTED: not tested · a trivial bound says as much in all 10 numbers; "
        "first below 10 at bound 9"
    )
    silent = evaluate(planted(holds=(replace(form, bites=None),)))
    assert silent.faults == ("'bound 12' says nothing in all 10 numbers",)
    loud = evaluate(planted(holds=(replace(form, check=partial(numbers_below, 9)),)))
    assert loud.faults == ("'bound 12' is said to say nothing, but does in some numbers",)


def test_what_holds_by_definition_is_no_evidence() -> None:
    form = Form("bound 9", partial(numbers_below, 9), kind="identity")
    assert evaluate(planted(holds=(form,))).verdict == "by definition"
    both = (form, replace(form, kind="statement"))
    assert evaluate(planted(holds=both)).verdict == "holds"


@pytest.mark.parametrize(("failures", "trials"), [(0, 1), (0, 400), (3, 50), (49, 50), (50, 50)])
def test_limits_of_chances_are_those_of_scipy(failures: int, trials: int) -> None:
    # Two-sided at 98%, so 1% on each side.
    exact = binomtest(failures, trials).proportion_ci(confidence_level=0.98)
    found = chances("coins", [failures], [trials], [0.5], str)
    assert f"a chance of {exact.low:.3g} to {exact.high:.3g}, 0.5 allowed" in found.tightest
    assert found.undecided == (exact.low <= 0.5 < exact.high)
    assert found.violations == (exact.low > 0.5)


def test_chances_between_the_limits_are_open() -> None:
    found = chances("coins", [0, 5, 40], [100, 100, 100], [0.1, 0.1, 0.1], "coin {}".format)
    assert (found.cases, found.violations, found.undecided) == (3, 1, 1)
    assert found.counterexample.endswith("coin 2")
    claim = planted(holds=(Form("rare", lambda: chances("coins", [5], [100], [0.1], str)),))
    assert evaluate(claim).faults == ("'rare' is open in 1 of 1 coins",)


@pytest.mark.parametrize(
    ("failures", "trials", "allowed", "confidence", "told"),
    [
        ([-1], [3], [0.1], 0.99, "failures must be from 0 to trials"),
        ([5], [3], [0.1], 0.99, "failures must be from 0 to trials"),
        ([0], [0], [0.1], 0.99, "trials above 0"),
        ([1.5], [3], [0.1], 0.99, "whole numbers, got float64"),
        ([1], [3], [2.0], 0.99, "allowed must be probabilities, got 2 to 2"),
        ([1], [3], [math.nan], 0.99, "allowed must be probabilities"),
        ([1], [3], [0.5], 1.0, "confidence must be between 0 and 1, got 1"),
        ([1], [3], [0.5], math.nan, "confidence must be between 0 and 1, got nan"),
    ],
)
def test_chances_of_nothing_are_refused(
    failures: list[float], trials: list[int], allowed: list[float], confidence: float, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        chances("coins", failures, trials, allowed, str, confidence=confidence)


@pytest.mark.parametrize("tightness", [[1.0], [1.0, math.nan]])
def test_tightness_is_a_number_for_each_case(tightness: list[float]) -> None:
    with pytest.raises(ValueError, match="a number for each of the 2 cases"):
        outcome("cases", [True, True], tightness, str)


def test_no_words_of_a_claim_act_on_the_page() -> None:
    nasty = '"><script>alert(1)</script>'
    check = partial(outcome, nasty, [True, False], [1, 2], lambda _: nasty)
    form = Form(nasty, check, formula=nasty, mutants=(Form(nasty, check),))
    found = evaluate(
        planted(id=nasty, statement=nasty, note=nasty, page=f"1-{nasty}", holds=(form,))
    )
    for shown in (found._repr_html_(), claims.Report((found,))._repr_html_()):
        assert BeautifulSoup(shown, "html.parser").select("script") == []


def test_a_planted_claim_turns_the_page_red(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [claims.claims["BLT-C0"], planted(holds=(with_ln,))]
    monkeypatch.setattr(claims, "claims", claims.by_id(known))
    report = claims.check_all()
    assert not report.ok
    assert report.summary.startswith("2 claims: 1 hold as stated, 1 fail; ")
    table = BeautifulSoup(report._repr_html_(), "html.parser")
    assert [badge.text for badge in table.select(".verdict")] == ["holds", "FAILS"]
    assert len(table.select(".verdict.red")) == 1
    assert "must hold, but is refuted by 2,008 of 65,536" in table.text


@pytest.mark.slow
def test_a_planted_claim_turns_these_tests_red(tmp_path: Path) -> None:
    (tmp_path / "plant.py").write_text(
        "import dtviz.claims as c\n"
        "from dtviz.claims.sources import BLT\n"
        "check = lambda: c.outcome('cases', [True, False], [0, 1], str)\n"
        "false = c.Claim('BLT-PLANTED', BLT, 'False.', 'none', (c.Form('false', check),))\n"
        "c.claims = c.by_id([c.claims['BLT-C0'], false])\n",
        "utf-8",
    )
    # Without what this run has found: the planted claim must not be kept, and is tried here.
    environment = {name: value for name, value in os.environ.items() if name != "DTVIZ_EVIDENCE"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "plant"]
    done = subprocess.run(
        [*command, f"{__file__}::test_claim"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "test_claim[BLT-PLANTED]" in done.stdout
    assert "refuted by 1 of 2 cases" in done.stdout


def small_ledger(**parts: object) -> CountedLedger:
    """A ledger of chapter 1 that is right but for the parts given."""
    rows = [claim.id for claim in inequalities.CLAIMS]
    right = {
        "modules": (inequalities,),
        "rows": rows,
        "number": len(rows),
        "repaired": [claim.id for claim in inequalities.CLAIMS if claim.repaired],
        "prose": (),
        "source": inequalities.CLAIMS[0].source,
        "page": "1-influence",
    }
    ledger = CountedLedger()
    vars(ledger).update(right | parts)
    return ledger


@pytest.mark.parametrize(
    ("test", "fault"),
    [
        ("test_every_row_of_the_source_is_there", {"number": 0}),
        ("test_every_row_of_the_source_is_there", {"rows": ["BLT-L5.3"], "number": 1}),
        ("test_which_claims_were_repaired_and_which_are_prose", {"prose": ["BLT-L5.3"]}),
        ("test_which_claims_were_repaired_and_which_are_prose", {"repaired": ["BLT-L5.3"]}),
        ("test_claims_name_their_source_and_their_chapter", {"page": "2-rank"}),
        ("test_claims_name_their_source_and_their_chapter", {"source": None}),
    ],
)
def test_a_wrong_ledger_is_told(test: str, fault: dict[str, object]) -> None:
    getattr(small_ledger(), test)()
    with pytest.raises(AssertionError):
        getattr(small_ledger(**fault), test)()


@pytest.mark.slow
def test_each_entry_of_a_ledger_is_a_test(pytester: pytest.Pytester) -> None:
    """A wrong number, case, false claim or harmless fault fails, and nothing is left out."""
    pytester.makepyfile(
        """
        from functools import partial

        import numpy as np
        from support.claims import CountedLedger

        from dtviz import influence
        from dtviz.influence.claims import inequalities

        class TestLedger(CountedLedger):
            modules = (inequalities,)
            rows, number, repaired, prose, source, page = (), 1, ("LB",), (), None, ""
            numbers = [("BLT-L5.3", "Inf ≤ Var log2(4s/Var)", n, 0) for n in (65_536, 1)]
            cases = [("BLT-L5.3", "Inf ≤ Var log2(4s/Var)", told) for told in ("bound 6", "7")]
            false = [
                partial(inequalities._influential_variable_by_size, log)
                for log in (np.log, np.log2)
            ]
            wrong = {"BLT-L5.3, none": (influence, "phases", influence.phases)}
            caches, stable = (), ("BLT-L5.3",)
        """
    )
    done = pytester.runpytest_inprocess("-p", "no:randomly", "-p", "no:cacheprovider")
    told = re.findall(r"FAILED .*?::(test_\w+)", "\n".join(done.outlines))
    assert sorted(told) == [
        "test_a_false_claim_is_refuted",
        "test_cases_of_the_ledger",
        "test_claims_name_their_source_and_their_chapter",
        "test_every_row_of_the_source_is_there",
        "test_numbers_of_the_ledger",
        "test_which_claims_were_repaired_and_which_are_prose",
        "test_wrong_code_turns_its_claim_red",
    ]
    done.assert_outcomes(failed=7, passed=4)


def test_a_claim_is_tried_once_for_all_who_share_a_folder(tmp_path: Path) -> None:
    tried = []

    def count(claim: Claim) -> object:
        tried.append(claim.id)
        return evaluate(claim)

    for claim_id in ("BLT-T3-P1c", "BLT-LB", "MN-EX"):
        claim = claims.claims[claim_id]
        first = evidence.kept(tmp_path, claim, count)
        again = evidence.kept(tmp_path, claim, count)
        assert first == again == evaluate(claim)
        assert str(first) == str(again)
    assert tried == ["BLT-T3-P1c", "BLT-LB", "MN-EX"]


@pytest.mark.parametrize("sharing", [True, False])
def test_a_notebook_reads_what_the_run_has_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sharing: bool
) -> None:
    monkeypatch.setattr(claims, "evaluate", evaluate)
    monkeypatch.delenv(evidence.FOLDER, raising=False)
    if sharing:
        monkeypatch.setenv(evidence.FOLDER, str(tmp_path))
    evidence.load_ipython_extension(None)
    assert (claims.evaluate is evidence.shared) == sharing
    # A claim of the reader's own, even one that took the ID of another, is tried.
    own = replace(planted(holds=(with_ln,)), id="BLT-C0")
    assert claims.evaluate(own).verdict == "FAILS"


def test_a_claim_whose_trial_fails_is_not_kept(tmp_path: Path) -> None:
    claim = claims.claims["BLT-T3-P1c"]

    def broken(_: Claim) -> object:
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        evidence.kept(tmp_path, claim, broken)
    assert evidence.kept(tmp_path, claim) == evaluate(claim)


# -- check ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim_id", "begins"),
    [
        ("BLT-L5.2", "✓ BLT-L5.2: holds · 4,244 cases · tightest: "),
        ("BLT-T3-P2b", "✓ BLT-T3-P2b: holds after a repair · 11,741 pairs (k, m) · tightest: "),
        ("BLT-LB", "– BLT-LB: prose only\n"),
    ],
)
def test_check_prints_one_line(
    claim_id: str, begins: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = dt.check(claim_id)
    printed = capsys.readouterr().out
    assert printed.startswith(begins)
    assert printed.endswith("\n")
    assert printed.count("\n") == 1
    assert printed == f"{found}\n"
    dt.check(claim_id)
    assert capsys.readouterr().out == printed


def test_evidence_tells_every_form() -> None:
    found = claims.check_all(["BLT-L5.3"]).evidence[0]
    text = found.details()
    for made in (*found.claim.holds, *found.claim.fails):
        assert made.label in text
    assert "58,182 violations" in text
    assert found.tightest in text


@pytest.mark.parametrize(
    ("claim_id", "near"),
    [
        ("BLT-L51a", "BLT-L5.1a"),
        ("osss", "BLT-OSSS"),
        ("LB_A", "LB-A"),
        ("blt-t3-p2B", "BLT-T3-P2b"),
    ],
)
def test_an_unknown_id_lists_near_ones(claim_id: str, near: str) -> None:
    with pytest.raises(ValueError, match=rf"{claim_id}.*near matches:.*{re.escape(near)}"):
        dt.check(claim_id)


@pytest.mark.parametrize("claim_id", [None, 3, "", "nothing like it", ["LB-A"]])
def test_what_is_no_id_is_refused(claim_id: object) -> None:
    with pytest.raises(ValueError, match="claim_id must be the ID of a claim"):
        dt.check(claim_id)


def test_importing_dtviz_loads_no_claim() -> None:
    code = "import sys, dtviz; sys.exit(any(m.startswith('dtviz.claims') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT).returncode == 0


# -- the page -------------------------------------------------------------------------------------


def test_the_table_lists_each_claim_once() -> None:
    chosen = ["BLT-L5.1a", "BLT-T3-P2b", "BLT-LB"]
    report = claims.check_all(chosen)
    assert report.ok
    table = BeautifulSoup(report._repr_html_(), "html.parser").select_one(".verdicts")
    rows = table.select("tr")
    assert [row.th.a.text for row in rows] == chosen
    assert [row["id"] for row in rows] == [f"claim-{anchor(c)}" for c in chosen]
    first = "1-influence/index.html"
    assert [row.th.a["href"] for row in rows] == [f"{first}#{anchor(c)}" for c in chosen]
    assert [row.select_one(".verdict").text for row in rows] == [
        "holds",
        "holds after a repair",
        "prose only",
    ]
    assert all(row.td.select_one(".math").text.startswith(r"\(") for row in rows)
    assert "$" not in table.select_one("tbody").text
    assert "as printed: refuted by 11,741 of 11,741" in rows[1].text
    links = [[a.text for a in row.td.select("p a")] for row in rows]
    assert links == [
        ["Statement", "BLT", "Code of the check"],
        ["Statement", "BLT", "Code of the check"],
        ["Statement", "BLT"],
    ]


def test_a_repair_is_told_as_a_story() -> None:
    """Of each chapter the one that most cases refute, then the next; all in the order given."""

    def repaired(name: str, page: str, bound: int) -> claims.Evidence:
        fails = (Form(f"printed {bound}", partial(numbers_below, bound)),)
        holds = (Form("numbers", partial(numbers_below, 9)),)
        return evaluate(
            planted(
                id=name, page=page, holds=holds, fails=fails, repaired=True, note="$x$, it says"
            )
        )

    every = [repaired(f"A-{bound}", "1-a", bound) for bound in (1, 2, 3, 4, 5, 6, 7, 8)]
    every += [repaired("B-8", "2-b", 8), evaluate(planted(id="C"))]
    repairs = claims.Report(tuple(every)).repairs
    assert [found.claim.id for found in repairs.evidence] == [
        *(f"A-{k}" for k in range(1, 9)),
        "B-8",
    ]
    assert [found.claim.id for found in repairs.told] == [*(f"A-{k}" for k in range(1, 8)), "B-8"]
    shown = BeautifulSoup(repairs._repr_html_(), "html.parser")
    assert [story.a.text for story in shown.select("details .story")] == ["A-8"]
    story = shown.select_one(".story")
    assert story.a["href"] == "1-a/index.html#a-1"
    assert [part.text for part in story.select("dd")] == [
        "A false claim.",
        r"\(x\), it says",
        "2 (printed 1; the first of 8 that refute it, of 10 numbers)",
    ]
    assert claims.Report((evaluate(planted(id="C")),)).repairs._repr_html_().count("story") < 9


def test_the_totals_are_those_of_the_rows() -> None:
    report = claims.check_all(["BLT-L5.1a", "BLT-T3-P2b", "BLT-LB", "EH-L5", "EH-L1i-lo"])
    shown = BeautifulSoup(report._repr_html_(), "html.parser")
    head = [cell.text for cell in shown.select(".totals thead th")]
    assert head == ["", "1. influence", "2. rank", "All"]
    totals = {
        row.th.text: [td.text for td in row.select("td")]
        for row in shown.select(".totals tbody tr")
    }
    variants = totals.pop("False variants refuted")
    assert totals == {
        "Proved and tested": ["1", "2", "3"],
        "Repaired; refuted as printed": ["1", "0", "1"],
        "Cited only": ["1", "0", "1"],
    }
    assert variants[-1] == f"{sum(found.planted for found in report.evidence)}"


def test_variants_that_were_not_refuted_are_counted() -> None:
    mutants = tuple(Form(f"bound {b}", partial(numbers_below, b)) for b in (8, 9))
    found = evaluate(planted(holds=(Form("numbers", partial(numbers_below, 9), mutants=mutants),)))
    shown = BeautifulSoup(claims.Report((found,))._repr_html_(), "html.parser")
    assert shown.select(".totals tr")[-1].td.text == "1 of 2"


def test_the_code_of_a_check_is_where_it_is_said_to_be() -> None:
    for claim in claims.claims.values():
        if place := first_code(claim):
            module, line = place
            text = inspect.getsource(sys.modules[module]).splitlines()[line - 1]
            assert re.search(r"\bdef \w+\(|lambda|@cache", text), (claim.id, text)


def test_formulas_and_checks_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert table_of_forms(["1-influence"]) == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    forms = [(c.id, f) for c in claims.claims.values() if c.page == "1-influence" for f in c.holds]
    assert len(rows) == len(forms)
    for row, (claim_id, form) in zip(rows, forms, strict=True):
        assert row.startswith(f"| {claim_id} | ")
        assert form.formula.replace("|", r"\|") in row
        assert "(dtviz.influence.claims." in row
    assert table_of_forms(["7-boosting"]) == 2
    assert "no page '7-boosting': name 1-influence, 2-rank" in capsys.readouterr().err


def test_evidence_shows_its_variants_and_draws_its_tightest_case() -> None:
    tree = dt.build_top_down(dt.functions.majority(3)).tree()
    check = partial(
        outcome, "trees", [True, True], [1, 2], "tree {}".format, example=lambda _: tree
    )
    false = Form("half of it", partial(outcome, "trees", [True, False], [1, 2], "tree {}".format))
    form = Form("<small>", check, formula=r"a \le b", mutants=(false,))
    shown = BeautifulSoup(evaluate(planted(holds=(form,)))._repr_html_(), "html.parser")
    assert shown.summary.text == ("✓ BLT-PLANTED: holds · 2 trees · 1 of 1 false variants refuted")
    assert shown.select_one("li strong").text == "<small>"
    assert shown.select_one("li .math").text == r"\(a \le b\)"
    assert (
        shown.select_one("li li").text == "half of it: refuted by 1 of 2 trees; the first: tree 1"
    )
    assert shown.select_one("figure > [aria-hidden=true] svg") is not None
    assert shown.figcaption.text == "Tightest: tree 1"


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (r"a &\le b", r"\(\begin{aligned}a &\le b\end{aligned}\)"),
        (r"a \\ b", r"\(\begin{aligned}a \\ b\end{aligned}\)"),
        (r"S \& T", r"\(S \& T\)"),
        ("a < b", r"\(a < b\)"),
    ],
)
def test_a_formula_of_several_lines_is_set(formula: str, shown: str) -> None:
    form = Form("numbers", partial(numbers_below, 9), formula=formula)
    found = BeautifulSoup(evaluate(planted(holds=(form,)))._repr_html_(), "html.parser")
    assert found.select_one("li .math").text == shown


def test_a_large_tree_is_not_drawn() -> None:
    tree = dt.build_top_down(dt.functions.parity(4)).tree()
    check = partial(outcome, "trees", [True], [1], str, example=lambda _: tree)
    assert "<svg" not in evaluate(planted(holds=(Form("trees", check),)))._repr_html_()


@pytest.mark.parametrize("alone", [True, False])
def test_a_notebook_shows_a_check_once(monkeypatch: pytest.MonkeyPatch, alone: bool) -> None:
    """As the value of its cell, or with more after it; a terminal of IPython has no kernel."""
    told = []
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=None))
    monkeypatch.setattr(IPython.display, "display", lambda bundle, **_: told.append(bundle))
    found = dt.check("BLT-C0")
    if alone:
        found._ipython_display_()
    assert [sorted(bundle) for bundle in told] == [["text/html", "text/plain"]]
    assert told[0]["text/plain"] == str(found)
    evaluate(found.claim)._ipython_display_()
    assert len(told) == 2


def test_anchors_are_distinct() -> None:
    assert anchor("BLT-L5.2ii") == "blt-l5-2ii"
    assert len({anchor(key) for key in claims.claims}) == len(claims.claims)
