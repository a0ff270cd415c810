"""The claims: every one is tried, its numbers are known, and a false one cannot pass."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from support import monotone as orders
from support.claims import (
    numbers,
    planted,
    require,
    require_refuted,
    require_statuses,
    require_told_well,
    tried,
    verdict_under,
)

import dtviz as dt
from dtviz import claims, influence, measures, topdown
from dtviz.claims import influence_inequalities as inequalities
from dtviz.claims import influence_lemmas as lemmas
from dtviz.claims import influence_theorem as theorem
from dtviz.claims import lower_bounds
from dtviz.claims.monotone import monotone
from dtviz.claims.populations import (
    all_functions,
    at_least,
    bare_trees,
    greedy_sizes,
    labelled_trees,
    log2,
    runs,
    trees_and_functions,
)
from dtviz.claims.registry import Claim, Form, Outcome, equality, evaluate, outcome
from dtviz.claims.report import anchor

REPAIRED = {f"BLT-T3-{row}" for row in ("TERM", "P1c", "P2b", "P2c", "P2m")}
BLT_ROWS = {
    *("DEF-BARE", "DEF-INF", "DEF-TINF", "DEF-ERRT", "DEF-ERRPM", "DEF-SCORE", "ALG", "STOP"),
    *("DEF-COST", "L5.1a", "L5.1b", "L5.1c", "L5.2", "L5.2i", "L5.2ii", "OSSS", "L5.3", "L5.4"),
    *("C0", "T3", "T3-TERM", "T3-P1a", "T3-P1b", "T3-P1c", "T3-P1k", "T3-P2a", "T3-P2b"),
    *("T3-P2c", "T3-P2m", "T3-SIZE", "LB"),
}
ROOT = Path(__file__).resolve().parents[1]


# -- the registry ---------------------------------------------------------------------------------


def test_every_row_of_the_first_source_is_there() -> None:
    assert len(BLT_ROWS) == 31
    known = {f"BLT-{row}" for row in BLT_ROWS} | {"LB-A", "LB-B", "LB-C"}
    assert known <= set(claims.claims)


@pytest.mark.parametrize("claim_id", claims.claims)
def test_claim(claim_id: str) -> None:
    require(evaluate(claims.claims[claim_id]))


def test_which_claims_were_repaired_and_which_are_prose() -> None:
    first = {key: claim for key, claim in claims.claims.items() if key.startswith(("BLT-", "LB-"))}
    require_statuses(first, repaired=REPAIRED, prose={"BLT-LB"})


@pytest.mark.parametrize("claim", claims.claims.values(), ids=list(claims.claims))
def test_claims_are_told_well(claim: Claim) -> None:
    require_told_well(claim)
    if claim.source.key:
        entry = re.compile(rf"@\w+{{{claim.source.key},")
        assert entry.search((ROOT / "book" / "references.bib").read_text("utf-8"))


def test_an_id_stands_for_one_claim() -> None:
    twice = claims.claims["LB-A"]
    with pytest.raises(ValueError, match="LB-A twice"):
        claims.by_id([twice, twice])


# -- the numbers of the ledger --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim_id", "label", "cases", "violations"),
    [
        ("BLT-L5.1a", "error ≤ cost/2", 244 * 256, 0),
        ("BLT-L5.1c", "for the error in place of the cost", 982, 452),
        ("BLT-OSSS", "max Inf_i ≥ Var/Delta ≥ Var/log2 s", 65_536, 0),
        ("BLT-OSSS", "Var ≤ sum delta_i Inf_i", 16_430, 0),
        ("BLT-OSSS", "with ln for log2", 65_536, 2_008),
        ("BLT-L5.3", "Inf ≤ Var log2(4s/Var)", 65_536, 0),
        ("BLT-L5.3", "with Var = m(1-m)", 65_536, 58_182),
        ("BLT-L5.3", "with Var = 2m(1-m)", 65_536, 34),
        ("BLT-T3-P1b", "closed form by the gamma function", 294, 0),
        ("BLT-T3-P2b", "as printed", 11_741, 11_741),
        ("BLT-T3-P2b", "the sum of the drops", 11_741, 0),
        ("LB-B", "for all functions of 4 variables to be optimal", 65_536, 4_416),
        ("LB-C", "up to 5 variables", 7_581, 0),
        ("LB-C", "with the unluckiest ties", 7_581, 60),
        ("LB-C", "with 6 variables", 2, 2),
    ],
)
def test_numbers_of_the_ledger(claim_id: str, label: str, cases: int, violations: int) -> None:
    assert numbers(claims.claims[claim_id], label) == (cases, violations)


@pytest.mark.parametrize(
    ("claim_id", "label", "told"),
    [
        ("BLT-L5.1a", "error = cost/2 at the root for literals only", "2, 4, 6, 8 functions"),
        ("BLT-L5.2", "twice that", "error = 2 at"),
        ("BLT-OSSS", "max Inf_i ≥ Var/Delta ≥ Var/log2 s", "Var = 1 for"),
        ("BLT-OSSS", "Var ≤ sum delta_i Inf_i", "Var = 1 for"),
        ("BLT-L5.3", "Inf ≤ Var log2(4s/Var)", "Inf = 4, bound 6, for parity of 4"),
        ("BLT-L5.3", "Inf ≤ Var log2(s/sqrt(Var))", "Inf = 1, bound 1,"),
        ("LB-A", "greedy size 3.5 * 4^P", "229,376 leaves"),
        ("LB-B", "for all functions of 4 variables to be optimal", "from_int(4, 495)"),
        ("LB-C", "with 6 variables", "greedy 21, optimum 18 for from_int(6, 18368756680031792320)"),
    ],
)
def test_tightest_cases_of_the_ledger(claim_id: str, label: str, told: str) -> None:
    assert told in tried(claims.claims[claim_id], label).tightest


@pytest.mark.parametrize(
    ("claim_id", "told"),
    [
        ("BLT-L5.3", "Inf = 5, bound 4.852, for the parity of 5"),
        ("BLT-T3-TERM", "stops at cost 0.75 > epsilon 0.49"),
        ("BLT-T3-P1c", "H_k = 2.2833 against 2.3219 at k = 5"),
        ("BLT-T3-P2b", "0.333 against 0.693 at k = 1, m = 2"),
        ("BLT-T3-P2c", "C_m = 1.009 eps from C_k = 1.1 eps"),
        ("BLT-T3-P2m", "2.000 allowed"),
        ("LB-C", "greedy 12, optimum 11 for from_int(6, 16918030114510921920)"),
    ],
)
def test_counterexamples_of_the_ledger(claim_id: str, told: str) -> None:
    claim = claims.claims[claim_id]
    assert any(told in fails.check().counterexample for fails in claim.fails)


def test_the_printed_constant_of_phase_2_at_the_size_of_the_ledger() -> None:
    log2_m = influence.phases(16, 0.49).log2_m
    one = 4 * np.log2(64 / 0.49) * np.log2(1 / 0.49)
    assert log2_m / one == pytest.approx(2.20, abs=0.005)


def test_parity_multiplexer_stops_where_the_ledger_says() -> None:
    path = dt.build_top_down(dt.functions.parity_multiplexer(3, 8))
    assert [path.leaves(e) for e in (0.24, 0.2, 0.1, 0)] == [68_158, 78_644, 176_948, 229_376]


# -- a false claim cannot pass --------------------------------------------------------------------


with_ln = Form("with ln", partial(inequalities._influential_variable_by_size, np.log))
small_variance = Form(
    "with Var = m(1-m)",
    partial(inequalities._total_influence_below, influence.influence_bound, 0.25),
)
FALSE = {
    "the influential variable with ln": (planted(holds=(with_ln,)), 2_008),
    "Lemma 5.3 with Var = m(1-m)": (planted(holds=(small_variance,)), 58_182),
    "Lemma 5.2 with factor 3": (
        planted(holds=(Form("thrice", partial(lemmas._score_floor, 3)),)),
        None,
    ),
    "error <= cost/3": (
        planted(holds=(Form("third", partial(lemmas._error_below_cost, 3)),)),
        None,
    ),
    "the run stops at cost <= 3 eps": (
        planted(holds=(Form("thrice", partial(theorem._stops_at, 3)),)),
        None,
    ),
    "a selector of small influence does not help": (
        planted(holds=(Form("k = 3", partial(lower_bounds._size_below_error, 3)),)),
        None,
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_refuted(name: str) -> None:
    claim, violations = FALSE[name]
    found = require_refuted(claim)
    assert violations in (None, found.violations)
    assert str(found).startswith("✗ BLT-PLANTED: FAILS")
    assert found.held[0].counterexample in str(found)
    with pytest.raises(AssertionError):
        require(found)


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


def test_a_planted_claim_turns_the_page_red(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [claims.claims["BLT-C0"], planted(holds=(with_ln,))]
    monkeypatch.setattr(claims, "claims", claims.by_id(known))
    report = claims.check_all()
    assert not report.ok
    assert report.summary.endswith(
        "1 hold as stated, 0 hold after a repair, 0 told in prose only, 1 fail"
    )
    table = BeautifulSoup(report._repr_html_(), "html.parser")
    assert [badge.text for badge in table.select(".verdict")] == ["holds", "FAILS"]
    assert len(table.select(".verdict.red")) == 1
    assert "must hold, but is refuted by 2,008 of 65,536" in table.text


def test_a_planted_claim_turns_these_tests_red(tmp_path: Path) -> None:
    (tmp_path / "plant.py").write_text(
        "from functools import partial\n"
        "import numpy as np\n"
        "import dtviz.claims as c\n"
        "from dtviz.claims import influence_inequalities as i\n"
        "from dtviz.claims.sources import BLT\n"
        "check = partial(i._influential_variable_by_size, np.log)\n"
        "false = c.Claim('BLT-PLANTED', BLT, 'False.', 'none', (c.Form('with ln', check),))\n"
        "c.claims = c.by_id([*c.claims.values(), false])\n",
        "utf-8",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "plant"]
    done = subprocess.run(
        [*command, __file__, "-k", "test_claim and (BLT-PLANTED or BLT-C0) and not told"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "test_claim[BLT-PLANTED]" in done.stdout


# -- wrong code cannot pass -----------------------------------------------------------------------


def half_of(function: object) -> object:
    return lambda *given: function(*given) / 2


original = topdown.build_top_down
phases = influence.phases
WRONG = {
    "BLT-DEF-BARE": (dt.Tree, "bare", lambda tree: tree),
    "BLT-DEF-INF": (measures, "influences", half_of(measures.influences)),
    "BLT-DEF-TINF": (measures, "total_influence", half_of(measures.total_influence)),
    "BLT-DEF-ERRT": (topdown, "tree_error", half_of(topdown.cost)),
    "BLT-DEF-ERRPM": (measures, "error", half_of(measures.variance)),
    "BLT-DEF-COST": (topdown, "cost", topdown.tree_error),
    "BLT-STOP": (
        dt.Tree,
        "complete",
        lambda tree, f, complete=dt.Tree.complete: complete(tree, ~f),
    ),
    "BLT-ALG": (
        topdown,
        "build_top_down",
        lambda f: original(f, dt.ProductDistribution([0.4] * f.n)),
    ),
    "BLT-L5.2": (influence, "score_floor", lambda *given: 4 * given[0] / (given[1] + 1)),
    "BLT-L5.4": (influence, "score_floor_by_cost", lambda cost, step, *_: cost / (step + 1)),
    "BLT-T3": (
        influence,
        "phases",
        lambda *given: replace(phases(*given), log2_m=phases(*given).log2_m / 10),
    ),
    "LB-C": (influence, "greedy_sizes", lambda f: influence.GreedySizes(dt.optimal(f).size, 0)),
}


@pytest.mark.parametrize("claim_id", WRONG)
def test_wrong_code_turns_its_claim_red(claim_id: str) -> None:
    assert verdict_under(WRONG[claim_id], claims.claims[claim_id]) == "FAILS"


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
    table = BeautifulSoup(report._repr_html_(), "html.parser")
    rows = table.select("tr")
    assert [row.th.a.text for row in rows] == chosen
    assert [row["id"] for row in rows] == [f"claim-{anchor(c)}" for c in chosen]
    assert [row.th.a["href"] for row in rows] == [f"1-influence.html#{anchor(c)}" for c in chosen]
    assert [row.select_one(".verdict").text for row in rows] == [
        "holds",
        "holds after a repair",
        "prose only",
    ]
    assert all(row.td.select_one(".math").text.startswith(r"\(") for row in rows)
    assert "$" not in table.select_one("tbody").text
    assert "as printed: refuted by 11,741 of 11,741" in rows[1].text


def test_anchors_are_distinct() -> None:
    assert anchor("BLT-L5.2ii") == "blt-l5-2ii"
    assert len({anchor(key) for key in claims.claims}) == len(claims.claims)


# -- populations and their arithmetic -------------------------------------------------------------


def test_trees_are_all_there() -> None:
    assert [len(bare_trees(n)) for n in (1, 2, 3)] == [2, 9, 244]
    assert [len(labelled_trees(n).code) for n in (1, 2, 3)] == [6, 74, 16_430]
    assert len(bare_trees(3, 4)) == 52
    assert len(set(bare_trees(3))) == 244


def test_trees_compute_what_their_code_says() -> None:
    trees, pairs = labelled_trees(3), trees_and_functions(3)
    for k in range(0, 16_430, 97):
        bare = pairs.trees[trees.tree[k]]
        f = dt.BooleanFunction.from_int(3, trees.code[k])
        completed = bare.complete(f)
        assert completed.function(3) == f
        ones = int(completed.value[completed.leaves].sum())
        assert trees.leaves_of[k].tolist() == [bare.n_leaves - ones, ones]
        queried = [sum(i in dict(p) for p in _paths_by_point(bare)) for i in range(3)]
        assert trees.queried[k].tolist() == queried


def _paths_by_point(tree: dt.Tree) -> list[tuple[tuple[int, int], ...]]:
    return [
        path
        for path in tree.paths()
        for x in range(8)
        if all((x >> i) & 1 == bit for i, bit in path)
    ]


def test_pairs_agree_with_the_package() -> None:
    pairs = trees_and_functions(3)
    for tree in range(0, 244, 31):
        for code in range(0, 256, 17):
            f = dt.BooleanFunction.from_int(3, code)
            assert pairs.error[tree, code] == 8 * dt.tree_error(pairs.trees[tree], f)
            assert pairs.cost[tree, code] == 8 * dt.cost(pairs.trees[tree], f)


@pytest.mark.parametrize("code", [0, 1, 303, 495, 6_014, 27_030, 65_535])
def test_functions_agree_with_the_package(code: int) -> None:
    f, every = dt.BooleanFunction.from_int(4, code), all_functions(4)
    assert every.total_influence[code] == dt.total_influence(f)
    assert every.max_influence[code] == dt.influences(f).max()
    assert every.variance[code] == dt.variance(f)
    assert every.size[code] == dt.optimal(f).size
    assert greedy_sizes(4)[code] == dt.greedy_sizes(f).best


def test_runs_know_the_smallest_size() -> None:
    assert all(run.size == dt.optimal(run.f).size for run in runs(0))
    assert len(runs(3)) == 254


def test_monotone_layers() -> None:
    assert [monotone(n).code.size for n in range(6)] == [2, 3, 6, 20, 168, 7_581]
    layer = monotone(4)
    for place in range(0, 168, 7):
        f = dt.BooleanFunction.from_int(4, int(layer.code[place]))
        assert f.is_monotone()
        assert layer.size[place] == dt.optimal(f).size
        sizes = dt.greedy_sizes(f)
        assert (layer.best[place], layer.worst[place]) == (sizes.best, sizes.worst)


def test_comparison_knows_when_rounding_could_decide() -> None:
    assert at_least([1.0, 0.5, 2.0], [1.0, 0.75, 1.0]).tolist() == [True, False, True]
    with pytest.raises(ArithmeticError, match="cannot tell"):
        at_least(0.1 + 0.2, 0.3)


def test_logarithms_of_powers_of_two_are_exact() -> None:
    powers = 2.0 ** np.arange(-30, 31)
    assert (log2(powers) == np.arange(-30, 31)).all()
    assert log2(3) == pytest.approx(1.584962500721156)


def test_outcome_tells_the_first_of_equally_tight_cases() -> None:
    found = outcome("cases", [True, True, False, True], [0.5, 0.9, 0.1, 0.9 + 1e-12], str)
    assert found == Outcome(4, 1, "cases", "1", "2")
    weighted = outcome("cases", [True, False], [1, 2], str, times=[10, 3])
    assert (weighted.cases, weighted.violations) == (13, 3)


def test_equality_is_exact() -> None:
    assert equality("cases", [0.0, 0.0], str).tightest == "equal in every case"
    found = equality("cases", [0.0, -1e-15, 0.0], str)
    assert (found.violations, found.counterexample) == (1, "off by 1e-15 at 1")


# -- the large enumerations -----------------------------------------------------------------------


@pytest.mark.slow
def test_lemmas_on_every_run_of_four_variables() -> None:
    size, flat, steps, ratios = all_functions(4).size, 0, 0, []
    for code in range(1, 65_535):
        path = dt.build_top_down(dt.BooleanFunction.from_int(4, code))
        error, cost, score = path.errors[:-1], path.costs, path.scores[:-1]
        assert (2 * path.errors <= cost).all()
        assert (cost[:-1] - cost[1:] == score).all()
        assert (score > 0).all()
        ratios.append((score * np.arange(1, score.size + 1) * log2(size[code]) / error).min())
        flat += int((error == path.errors[1:]).sum())
        steps += score.size
    assert min(ratios) == 2.0
    assert (steps, flat) == (533_850, 258_594)


def test_monotone_functions_of_six_variables() -> None:
    layer = monotone(6)
    assert layer.code.size == 7_828_354
    lost = layer.best > layer.size
    assert orders.classes(layer.code, 6) == 16_353
    assert len(np.unique(orders.canonical(layer.code[lost], 6))) == 304
    codes = {int(code) for code in layer.code[lost]}
    assert {lower_bounds.SMALLEST, lower_bounds.WORST} <= codes
    assert layer.size[lost].min() == 11
    ratio = layer.best[lost] / layer.size[lost]
    assert ratio.max() == 21 / 18


def test_orders_of_variables() -> None:
    codes = np.arange(256, dtype=np.uint64)
    smallest = orders.canonical(codes, 3)
    assert len(np.unique(smallest)) == orders.classes(codes, 3) == 80
    assert (orders.canonical(smallest, 3) == smallest).all()


@pytest.mark.parametrize("p", [7, 8])
def test_optimum_of_longer_parity_multiplexers(p: int) -> None:
    assert lower_bounds.smallest_size(dt.functions.parity_multiplexer(3, p)) == 6 * 2**p


def test_optimum_of_a_longer_caterpillar() -> None:
    assert lower_bounds.smallest_size(dt.functions.caterpillar(4)) == 18


@pytest.mark.parametrize("seed", range(4))
def test_smallest_size_is_the_optimum(seed: int) -> None:
    f = dt.functions.random(6, seed)
    assert lower_bounds.smallest_size(f) == dt.optimal(f).size


def test_three_parities() -> None:
    assert dt.build_top_down(lower_bounds.three_parities(4)).leaves(0) == 136_960
    vote = lower_bounds._majority_tree
    blocks = [lower_bounds._parity_tree(range(8 + 4 * b, 12 + 4 * b)) for b in range(3)]
    inner = vote((5, 6, 7), 0, 2, (blocks[1], blocks[2]))
    tree = vote((0, 1, 2, 3, 4), 0, 3, (inner, blocks[0]))
    assert tree.n_leaves == 1_120
    assert tree.function(20) == lower_bounds.three_parities(4)
