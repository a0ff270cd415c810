"""Boolean functions as a reader types them: a formula, or a truth table in bits or in hex."""

from __future__ import annotations

import re

from dtviz.core.cube import MAX_VARIABLES, as_dimension
from dtviz.core.expressions import Written, as_written, read_expression

__all__ = ["read_text"]

_TABLE = re.compile(r"\s*(?:0(?P<base>[xXbB])|(?=[01][\s_]*[01]))")
"""How a table begins, as no formula does: with 0x or 0b, or with two bits."""

_BLANKS = re.compile(r"[\s_]+")
_FOREIGN = {"bits": re.compile(r"[^01\s_]"), "hex": re.compile(r"[^0-9a-fA-F\s_]")}
_ONLY = {
    "bits": "have only 0 and 1 in a table of bits",
    "hex": "have only 0 to 9 and a to f after 0x",
}


def read_text(
    argument: str, text: object, n: int | None
) -> tuple[int, int, tuple[str, ...] | None]:
    """Return the number of variables, the code, and the names of a function given as text.

    `BooleanFunction.from_text` tells more; ``argument`` is what the messages call the text.
    """
    written = as_written(argument, text)
    given = None if n is None else as_dimension(n)
    table = _TABLE.match(written.text)
    if not table:
        return read_expression(written, given, None)
    return *_read_table(written, table, given), None


def _read_table(written: Written, begun: re.Match[str], n: int | None) -> tuple[int, int]:
    """Read a table; of a number the last digit tells of the first points, of bits the first."""
    base = (begun["base"] or "").lower()
    kind = "hex" if base == "x" else "bits"
    text = written.text
    foreign = _FOREIGN[kind].search(text, begun.end())
    if foreign:
        written.fail(_ONLY[kind], foreign[0], foreign.start())
    digits = _BLANKS.sub("", text[begun.end() :])
    if not digits:
        written.fail(f"have digits after 0{base}", "", len(text))
    each = 4 if kind == "hex" else 1
    start = begun.end() - 2 if base else begun.end()
    if n is None:
        n = (each * len(digits)).bit_length() - 1
        if each * len(digits) != 1 << n:
            wanted = (
                "1, 2, 4, 8, ... hex digits, four points each"
                if each == 4
                else "1, 2, 4, 8, ... bits"
            )
            written.fail(f"have {wanted}, not {len(digits)}", text[start:].rstrip(), start)
        if n > MAX_VARIABLES:
            rule = f"have at most {MAX_VARIABLES} variables, not {n}"
            written.fail(rule, text[start:].rstrip(), start)
    elif not base and len(digits) != 1 << n:
        rule = f"have 2^n = {1 << n} bits for n = {n}, not {len(digits)}"
        written.fail(rule, text[start:].rstrip(), start)
    code = int(digits if base else digits[::-1], 16 if kind == "hex" else 2)
    if code.bit_length() > 1 << n:
        rule = f"be a number below 2^{1 << n} for n = {n}"
        written.fail(rule, text[start:].rstrip(), start)
    return n, code
