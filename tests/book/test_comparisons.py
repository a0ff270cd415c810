"""The comparisons of chapters 6 and 7: test, groups, and that pages print what was found."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from scipy.stats import t, ttest_1samp

import dtviz as dt
from tools import comparisons as tool

RESULTS = json.loads(tool.RESULTS.read_text("utf-8"))
PAGES = sorted((tool.ROOT / "book").glob("[67]-*/*.ipynb"))
CELLS = {
    (page.parent.name, page.name, cell["id"]): cell
    for page in PAGES
    for cell in json.loads(page.read_text("utf-8"))["cells"]
}


def test_corrected_test_by_hand():
    # mean 2, variance 1; (1/3 + 1/6) * 1 = 1/2
    mean, error, p = tool.corrected_test(np.array([1.0, 2.0, 3.0]), 1 / 6)
    assert (mean, error) == (2, pytest.approx(0.5**0.5))
    assert p == pytest.approx(2 * t.sf(2 * 2**0.5, 2))
    alike = np.array([0.1, 0.4, -0.2, 0.3])
    assert tool.corrected_test(alike, 0)[2] == pytest.approx(ttest_1samp(alike, 0).pvalue)
    assert tool.corrected_test(np.zeros(3), 1) == (0, 0, 1)


def test_holm_by_hand():
    assert tool.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert tool.holm([0.6, 0.001]) == pytest.approx([0.6, 0.002])
    assert tool.holm([0.7, 0.8]) == [1, 1]


@pytest.mark.parametrize("numeric", [True, False])
@pytest.mark.parametrize("seed", tool.SEEDS)
def test_no_ticket_is_on_both_sides(numeric, seed):
    rows = tool.passengers(numeric=numeric)
    fold = tool.folds_of(rows.group, tool.FOLDS, np.random.default_rng(seed))
    sizes = np.bincount(fold, minlength=tool.FOLDS)
    assert sizes.sum() == len(rows.y)
    assert np.ptp(sizes) <= max(Counter(rows.group.tolist()).values())
    tickets: dict[object, set[int]] = {}
    everybody = dt.datasets.titanic().X
    known = [row for row in everybody if not numeric or None not in (row[2], row[5])]
    for row, place in zip(known, fold.tolist(), strict=True):
        tickets.setdefault((row[0], row[5], row[6]), set()).add(place)
    assert {len(places) for places in tickets.values()} == {1}


def test_record_is_what_its_losses_give():
    assert set(RESULTS) == set(tool.FAMILIES)
    for name, family in tool.FAMILIES.items():
        losses = RESULTS[name]["losses"]
        assert {len(runs) for runs in losses.values()} == {len(tool.SEEDS) * tool.FOLDS}
        again = tool.compare(losses, family.pairs)
        for one, stored in zip(again, RESULTS[name]["comparisons"], strict=True):
            assert one == pytest.approx(stored)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fares", "fares-ordinary"])
def test_record_is_what_a_run_gives(name):
    runs = tool.run(tool.FAMILIES[name], tool.SEEDS[0])
    for method, losses in RESULTS[name]["losses"].items():
        assert [one[method] for one in runs] == losses[: tool.FOLDS]


@pytest.mark.parametrize("name", tool.FAMILIES)
def test_a_page_prints_the_comparisons(name):
    page = next(key[:2] for key in CELLS if key[2] == tool.FAMILIES[name].cells[-1])
    outputs = [
        "".join(output.get("data", {}).get("text/plain", ""))
        for key, cell in CELLS.items()
        if key[:2] == page
        for output in cell.get("outputs", [])
    ]
    lines = [line.split() for text in outputs for line in text.splitlines()]
    for one in RESULTS[name]["comparisons"]:
        numbers = [f"{one['difference']:+.3f}", *(f"{one[k]:.3f}" for k in ("error", "p", "holm"))]
        assert any(line[i : i + 4] == numbers for line in lines for i in range(len(line) - 3)), one


def test_chapter_7_splits_as_the_chapters_before():
    cells = [cell for cell in CELLS.values() if "np.split(order, cuts)" in "".join(cell["source"])]
    assert len(cells) == 6
    whole = dt.datasets.titanic(numeric=True).split(450, 200, seed=0)
    for cell in cells:
        source = "".join(cell["source"])
        start = source.index("data = dt.datasets")
        end = source.index("map(np.concatenate, parts))") + len("map(np.concatenate, parts))")
        space = {"np": np, "dt": dt}
        exec("from dataclasses import replace\n" + source[start:end], space)  # noqa: S102
        parts = space["grown"], space["second"], space["test"]
        assert [len(part) for part in parts] == [600, 270, 439]
        for part, numbers in zip(parts, whole, strict=True):
            ages = [row[2] for row in part.X if None not in (row[2], row[5])]
            assert ages == numbers.X[:, 2].tolist()
            assert part.y[: len(ages)].tolist() == numbers.y.tolist()
