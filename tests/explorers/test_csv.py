"""Tables that a reader pastes: what the page reads of them, held against pandas."""

from __future__ import annotations

import csv
import io
import re
from functools import cache
from typing import Any, Literal

import numpy as np
import pandas as pd
from pandas._libs.parsers import STR_NA_VALUES
from support.node import evaluate

import dtviz as dt
from dtviz.core.data.number_texts import MISSING_MARKS
from dtviz.explorers.base import STATIC
from dtviz.explorers.planes import Table, as_planes

SOURCES = [STATIC / "computing/csv.js", STATIC / "computing/points.js"]
READ = """
(texts) => texts.map((text) => {
  try {
    const { columns } = readTable(text);
    return { columns };
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    return { fault: error.message };
  }
})
"""
WORDS = [
    "red",
    "gr\u00fcn",
    'a "b"',
    "x, y",
    "p;q",
    "two\nlines",
    "ta\tb",
    "l'eau",
    "\u0663",
    "-",
    "1e",
]
MISSING = ["", "NA", "nan", "N/A", "null", "None"]


def column(rng: np.random.Generator, m: int, comma: bool) -> list[str]:
    """Numbers of several looks, or words; some are missing."""
    kind = int(rng.integers(4))
    values: list[str] = {
        0: [str(v) for v in rng.integers(-50, 50, m)],
        1: [f"{v:.3f}" for v in rng.normal(size=m)],
        2: [f"{v:.2e}" for v in rng.normal(size=m) * 1e3],
        3: rng.choice(WORDS, m).tolist(),
    }[kind]
    if kind != 3 and comma:
        values = [v.replace(".", ",") for v in values]
    if rng.random() < 0.4:
        values = [str(rng.choice(MISSING)) if rng.random() < 0.2 else v for v in values]
    return values


@cache
def tables() -> list[tuple[str, pd.DataFrame]]:
    """Texts, and what pandas reads of them."""
    rng, found = np.random.default_rng(18), []
    for _ in range(400):
        m, d = int(rng.integers(3, 12)), int(rng.integers(2, 7))
        separator = str(rng.choice([",", ";", "\t"]))
        comma = separator != "," and rng.random() < 0.5
        columns = [column(rng, m, comma) for _ in range(d)]
        if all(len(set(values)) == 1 for values in columns):
            continue
        text = io.StringIO()
        quoting: Literal[0, 1] = csv.QUOTE_ALL if rng.random() < 0.5 else csv.QUOTE_MINIMAL
        ending = str(rng.choice(["\n", "\r\n"]))
        writer = csv.writer(text, delimiter=separator, quoting=quoting, lineterminator=ending)
        writer.writerow([f"c {k}" for k in range(d)])
        writer.writerows(zip(*columns, strict=True))
        written = ("\ufeff" if rng.random() < 0.3 else "") + text.getvalue()
        frame = pd.read_csv(
            io.StringIO(written.removeprefix("\ufeff")),
            sep=separator,
            decimal="," if comma else ".",
            skip_blank_lines=False,
        )
        found.append((written, frame))
    return found


def same(read: dict[str, Any], values: pd.Series[Any]) -> bool:
    there = values.dropna()
    numbers = pd.api.types.is_numeric_dtype(values) and len(there) > 0
    if not numbers:
        expected = [None if pd.isna(v) else str(v) for v in values.tolist()]
        return bool(not read["numbers"] and read["values"] == expected)
    # The two round what is written in their own ways.
    found = np.array(read["values"], float)
    close = np.allclose(found, values.to_numpy(float), rtol=1e-14, atol=0, equal_nan=True)
    return bool(read["numbers"] and close)


def test_the_page_reads_what_pandas_reads() -> None:
    assert len(tables()) > 300
    result = evaluate(SOURCES, READ, [text for text, _ in tables()])
    for (text, frame), read in zip(tables(), result, strict=True):
        columns = read.get("columns", [])
        assert [one["name"] for one in columns] == frame.columns.tolist(), text
        assert all(same(one, frame[one["name"]]) for one in columns), text


def body(rows: int, columns: int = 3) -> str:
    return "".join(",".join(str(k % 7) for _ in range(columns)) + "\n" for k in range(rows))


FAULTS = {
    "": "Line 1: a table has two columns or more",
    "one\ntwo\n": "Line 1: a table has two columns or more",
    "a,b\n1,2\n3\n": "Line 3: 1 field, but 2 in line 1.",
    "a,b\r\n1,2\r\n3\r\n": "Line 3: 1 field, but 2 in line 1.",
    "a,b\n1,2\n\n\n3,4,5\n": "Line 5: 3 fields, but 2 in line 1.",
    'a,b\n1,"2\n3,4\n': "Line 2: the quote before “2” is not closed at the end of its field.",
    'a,b\n1,"2"x\n': 'Line 2: the quote before “2"x” is not closed at the end of its field.',
    "a,b\n1,1e13\n2,3\n": "Line 2: 1e13 in column b is too large, more than 10^12.",
    "a,b\n" + "1," + "9" * 400 + "\n2,3\n": "too large",
    "a,b\n1,2\n": "Line 2: a table has two rows of values or more.",
    "a,b\n1,2\nno,3\n3,4\n4,5\n": "Column a left out: “no” in line 3 stands beside “1”; leave it",
    body(3, 41): "Line 1: 41 columns are more than 40.",
    body(5001): "Line 5001: 5,001 rows are more than 5,000.",
}


def test_every_fault_is_reported_with_its_line() -> None:
    result = evaluate(SOURCES, READ, list(FAULTS))
    for said, part in zip(result, FAULTS.values(), strict=True):
        assert part in said.get("fault", ""), (said, part)
    (fine,) = evaluate(SOURCES, READ, [body(5000, 3)])
    assert [one["name"] for one in fine["columns"]] == ["column 1", "column 2", "column 3"]


POINTS = """
(cases) => cases.map(({ text, target, axes }) => {
  const { points, names } = pointsOf(readTable(text), { target, axes }, () => 0.5);
  return { points, names, trouble: pointsTrouble(points) || namesTrouble(names) };
})
"""


def test_three_columns_become_the_points_that_python_makes_of_the_frame() -> None:
    rng = np.random.default_rng(5)
    cases, frames = [], []
    for k in range(60):
        m = int(rng.integers(4, 40))
        target = rng.choice(["yes", "no", "so"][: 2 + k % 2], m)
        color = rng.choice(["red", "blue", "green", "white"], m)
        frame = pd.DataFrame({"n": rng.integers(0, 9, m), "color": color, "x": rng.random(m)})
        frame["t"] = target
        if len(set(target)) < 2:
            continue
        axes = ["color", "x"] if k % 3 else ["x", "n"]
        cases.append({"text": frame.to_csv(index=False), "target": "t", "axes": axes})
        frames.append(frame)
    for case, frame, result in zip(cases, frames, evaluate(SOURCES, POINTS, cases), strict=True):
        table = as_planes(frame, "t", None, None)
        assert isinstance(table, Table)
        plane = table.plane(case["axes"])
        rows = [[*point, label] for point, label in zip(plane.X.tolist(), plane.y, strict=True)]
        assert result["points"] == rows
        assert result["names"] == [*plane.features, *plane.classes]
        assert result["trouble"] == ""


ODD = ["?", "-", "12", "3.5", "1,234", "1.234,5", "45%", "6 %", "$5", "- 3", "7 kg", "8 kg"]
ODD += ["10 kg", "1e5", "1e", "2nd", "unknown", "12:30", "2020-01-02", "1.2.3", "4x4", "30+"]
ODD += ["NA", "nan", ""]
LEFT = """
(columns) => columns.map((values) => {
  const rows = values.map((value, k) => `${"ab"[k % 2]};${"cd"[k % 2]};"${value}"`);
  return readTable(["u;v;w", ...rows].join("\\n")).note.split("names.")[1].trim();
})
"""


def test_the_page_leaves_out_the_columns_that_python_refuses() -> None:
    rng = np.random.default_rng(2)
    columns = [rng.choice(rng.choice(ODD, 6), 12).tolist() for _ in range(160)]
    refused, result = [], evaluate(SOURCES, LEFT, columns)
    for values, note in zip(columns, result, strict=True):
        column = [None if value in MISSING_MARKS else value for value in values]
        frame = pd.DataFrame({"w": pd.Series(column, dtype=object)})
        numbers = pd.to_numeric(frame["w"], errors="coerce")
        commas = pd.to_numeric(frame["w"].str.replace(",", "."), errors="coerce")
        if any((one.isna() == frame["w"].isna()).all() for one in (numbers, commas)):
            assert note == ""  # what is left are numbers
            continue
        try:
            dt.grow(frame, [0, 1] * 6)
            assert note == "", values
        except ValueError as error:
            first = re.search(r"got '(.*?)'", str(error))
            assert first is not None
            assert note.startswith(f"Column w left out: “{first[1]}”"), values
            refused.append("beside" in note)
    assert len(refused) > 40
    assert {*refused} == {True, False}


def test_what_is_missing_for_the_page_is_missing_for_pandas() -> None:
    assert {*STR_NA_VALUES, "?"} == MISSING_MARKS
    texts = "".join(f'a,"{mark}"\n' for mark in sorted(MISSING_MARKS))
    (table,) = evaluate(SOURCES, READ, [f"u,v\n{texts}b,1\n"])
    assert table["columns"][1]["values"] == [None] * len(MISSING_MARKS) + [1]


def test_rows_without_a_value_and_too_many_rows_are_reported() -> None:
    text = "a,b,c\n1,2,x\n,2,y\n3,4,x\n5,6,y\n"
    use = "(text) => pointsOf(readTable(text), firstChoice(readTable(text)), () => 0.5).note"
    note = evaluate(SOURCES, use, text)
    assert note == "3 points by a and b; 2 classes of c. 1 row left out: a value is missing."
    large = "a,b,c\n" + "".join(f"{k},{k % 7},{'xy'[k % 2]}\n" for k in range(4000))
    result = evaluate(SOURCES, use, large)
    assert "1,500 points" in result
    assert "Drawn at random from 4,000 rows." in result


def test_a_class_has_two_or_three_kinds() -> None:
    """As in Python."""
    text = "a,b,c\n" + "".join(f"{k % 4},{k % 5},{k % 3}\n" for k in range(20))
    use = """(cases) => cases.map(([text, target]) => {
      try {
        const table = readTable(text);
        const choice = { ...firstChoice(table), ...(target && { target }) };
        return [choice.target, pointsOf(table, choice, () => 0.5).names.slice(2)];
      } catch (error) {
        return error.message;
      }
    })"""
    single = text.replace(",2\n", ",\n").replace(",1\n", ",0\n")
    three, refused, none = evaluate(SOURCES, use, [[text, ""], [text, "a"], [single, ""]])
    assert three == ["c", ["0", "1", "2"]]
    assert refused == "a has 4 kinds of values: a class has two or three."
    assert none.startswith("No column has two or three kinds of values")


def test_the_axis_of_categories_is_the_same_whatever_they_are_called() -> None:
    rng = np.random.default_rng(8)
    for k in range(20):
        codes, x = rng.integers(0, 4, 20), rng.random(20)
        y = np.arange(20) % (2 + k % 2)
        planes = []
        for names in ("abcd", "dbac"):
            frame = pd.DataFrame({"c": np.array(list(names))[codes], "x": x})
            plane = as_planes(frame, y, None, None)
            planes.append(plane.X.tolist())
        assert planes[0] == planes[1]
