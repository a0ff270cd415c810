"""Results as a table: what a terminal, Jupyter and an error say."""

from __future__ import annotations

from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import pytest

import dtviz as dt

ROWS = [
    ("a <b>", 1, Fraction(1, 2), -0.0001, True, None),
    ("majority(3)", np.int64(70_000), Fraction(3), np.float32(0.25), np.bool_(0), 3),
]
HEADER = ["f", "n", "q", "error", "met", "rank"]


class Reader(HTMLParser):
    """The texts of the cells, row by row, and the row that is emphasized."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.marked: list[int] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            if ("class", "dtviz-highlight") in attributes:
                self.marked.append(len(self.rows))
            self.rows.append([])
        elif tag in {"th", "td"}:
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1] and data != "\n":
            self.rows[-1][-1] += data


def test_text_and_html_hold_the_same_cells() -> None:
    shown = dt.table(ROWS, HEADER, formats={"q": ".1f"}, highlight=1, caption="Sizes & errors")
    assert str(shown) == repr(shown)
    assert str(shown).splitlines() == [
        "Sizes & errors",
        "f                 n    q  error  met  rank",
        "-----------  ------  ---  -----  ---  ----",
        "a <b>             1  0.5  0.000  yes",
        "majority(3)  70,000  3.0  0.250  no      3  <",
    ]
    html = Reader(shown._repr_html_())
    assert html.rows == [
        HEADER,
        ["a <b>", "1", "0.5", "0.000", "yes", ""],
        ["majority(3)", "70,000", "3.0", "0.250", "no", "3"],
    ]
    assert html.marked == [2]
    assert "<caption>Sizes &amp; errors</caption>" in shown._repr_html_()


def test_rows_may_be_the_items_of_a_mapping() -> None:
    assert str(dt.table({"a": 1}.items(), {"k": 0, "n": 0}.keys())) == "k  n\n-  -\na  1"


def test_a_table_without_rows_has_its_header() -> None:
    assert str(dt.table([], ["n"])) == "n\n-"


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([(1,)], ["a", "b"]), {}, r"rows\[0\] must have a value for each of 2 columns, got 1"),
        (([(1,)], "a"), {}, "header must be the names of the columns, at least one, got 'a'"),
        (([], []), {}, "header must be the names"),
        (([], ["a", "a"]), {}, "header"),
        (([(1,)], {"a"}), {}, "header must be the names"),
        ((None, ["a"]), {}, "rows must be a sequence of rows, got None"),
        (({"a": [1]}, ["a"]), {}, "rows must be a sequence of rows"),
        ((["ab"], ["a", "b"]), {}, r"rows\[0\] must be a value for each column, got 'ab'"),
        (([(1,)], ["a"]), {"formats": {"b": ".1f"}}, "formats must map columns of header"),
        (([(1,)], ["a"]), {"formats": [("a", ".1f")]}, "formats must map columns of header"),
        (([(1,)], ["a"]), {"caption": 3}, "caption must be a text, got 3"),
        (([], ["a"]), {"highlight": 0}, "highlight must be None where there are no rows"),
        (([("x",)], ["a"]), {"formats": {"a": ".1f"}}, r"formats\['a'\] must fit each value"),
        (([(1,)], ["a"]), {"highlight": 1}, "highlight must be"),
    ],
)
def test_what_is_no_table_is_refused(
    arguments: tuple[object, object], options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        dt.table(*arguments, **options)  # type: ignore[arg-type]
