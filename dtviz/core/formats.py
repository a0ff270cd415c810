"""Files of Boolean functions: DIMACS for clauses, espresso's PLA for tables of cubes."""

from __future__ import annotations

import operator
import os
from dataclasses import dataclass, field
from numbers import Real
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from dtviz.core.checks import shown
from dtviz.core.cube import MAX_VARIABLES, cube_words, told_point, unpacked
from dtviz.core.formulas import MAX_TERMS

__all__ = ["tabulated_dimacs", "tabulated_pla"]

_MAX_TEXT = 1 << 26
"""The most characters of a file."""


def _lines(source: object) -> list[str]:
    """The lines of a text, or of the file that a path or a text of one line names."""
    if isinstance(source, str) and ("\n" in source or "\r" in source):
        text = source
    elif isinstance(source, (str, os.PathLike)):
        try:
            with Path(source).open(encoding="utf-8") as file:
                text = file.read(_MAX_TEXT + 1)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "no text in UTF-8"
            msg = (
                f"source must be a text of several lines or the path of a file, "
                f"got {shown(source)}: {why}"
            )
            raise ValueError(msg) from error
    else:
        msg = f"source must be a text or the path of a file, got {shown(source)}"
        raise ValueError(msg)
    if len(text) > _MAX_TEXT:
        msg = f"source must have at most {_MAX_TEXT} characters, got more"
        raise ValueError(msg)
    return text.splitlines()


def _fail(line: int, rule: str, got: object) -> NoReturn:
    msg = f"source must {rule}, got {shown(got)} in line {line}"
    raise ValueError(msg)


def _count(line: int, rule: str, word: str, most: int) -> int:
    """Return a word as a number from 0 to *most*."""
    if not (word.isascii() and word.isdigit()) or len(word) > 18 or int(word) > most:
        _fail(line, f"{rule}, from 0 to {most}", word)
    return int(word)


# -- DIMACS ----------------------------------------------------------------------------------------


@dataclass
class _Clauses:
    """What a DIMACS file has told so far."""

    n: int = -1
    n_clauses: int = 0
    n_found: int = 0
    failing: dict[str, None] = field(default_factory=dict)
    """The subcubes on which a clause fails: where each of its literals does."""
    bits: list[str] = field(default_factory=list)
    """Where the clause that is being read fails."""
    begun: bool = False
    always: bool = False
    """Whether that clause has a variable and its negation."""

    def read(self, line: int, words: list[str]) -> bool:
        """Read a line of any kind; return whether it ended the file."""
        if words[0].startswith("%"):  # so end the files of SATLIB
            return True
        if self.n < 0:
            self.n, self.n_clauses = _problem(line, words)
            self.bits = ["-"] * self.n
            return False
        for word in words:
            i = _literal(line, word, self.n)
            if i:
                bit = "0" if i > 0 else "1"
                self.always |= self.bits[abs(i) - 1] not in ("-", bit)
                self.bits[abs(i) - 1] = bit
                self.begun = True
            else:
                self.end(line)
        return False

    def end(self, line: int) -> None:
        """Keep the clause that has been read."""
        self.n_found += 1
        if self.n_found > self.n_clauses:
            _fail(line, f"have the {self.n_clauses} clauses that its line p says", "one more")
        if not self.always:
            self.failing["".join(self.bits)] = None
        self.bits = ["-"] * self.n
        self.begun = self.always = False


def tabulated_dimacs(source: object) -> tuple[int, npt.NDArray[np.int8]]:
    """The number of variables and the truth table of a file of clauses."""
    clauses = _Clauses()
    line = 0
    for line, text in enumerate(_lines(source), start=1):
        words = text.split()
        if words and not words[0].startswith("c") and clauses.read(line, words):
            break
    if clauses.n < 0:
        msg = f"source must have a line 'p cnf variables clauses', got {shown(source)}"
        raise ValueError(msg)
    if clauses.begun:
        _fail(line, "end each clause with 0", "a clause without an end")
    if clauses.n_found < clauses.n_clauses:
        msg = (
            f"source must have the {clauses.n_clauses} clauses that its line p says, "
            f"got {clauses.n_found}"
        )
        raise ValueError(msg)
    return clauses.n, unpacked(clauses.n, ~cube_words(clauses.n, list(clauses.failing)))


def _problem(line: int, words: list[str]) -> tuple[int, int]:
    """Read ``p cnf variables clauses``."""
    if words[:2] != ["p", "cnf"] or len(words) != 4:
        _fail(line, "have a line 'p cnf variables clauses' before its clauses", " ".join(words))
    n = _count(line, "have a number of variables", words[2], MAX_VARIABLES)
    return n, _count(line, "have a number of clauses", words[3], MAX_TERMS)


def _literal(line: int, word: str, n: int) -> int:
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9 or int(digits) > n:
        _fail(line, f"have literals from -{n} to {n}", word)
    return int(word)


# -- PLA -------------------------------------------------------------------------------------------

_TYPES = {"f": "1", "fd": "1-", "fr": "10", "fdr": "10-"}
"""The entries of the output plane that say something, by the type of a file."""

_OUTPUTS = {"4": "1", "3": "0", "2": "-", "~": "~", "1": "1", "0": "0", "-": "-"}
_INPUTS = str.maketrans("2", "-")
_SEPARATORS = str.maketrans("", "", " \t|")


@dataclass
class _Table:
    """What a PLA file has told so far."""

    n: int = -1
    n_outputs: int = -1
    n_rows: int | None = None
    kind: str = "fd"
    outputs: list[str] = field(default_factory=list)
    rows: list[tuple[int, str]] = field(default_factory=list)
    """The rows of the planes, without separators, and their lines."""

    def read(self, line: int, words: list[str]) -> bool:
        """Read a line of any kind; return whether it ended the table."""
        key, *rest = words
        if key in (".e", ".end"):
            return True
        if not key.startswith("."):
            self.row(line, "".join(words).translate(_SEPARATORS))
        elif key == ".ilb":
            if len(rest) != self.n:
                _fail(line, f"name the inputs after .i, {self.n} in all", " ".join(words))
        elif key == ".ob":
            if len(rest) != self.n_outputs or len(set(rest)) < len(rest):
                rule = f"name the outputs after .o, {self.n_outputs} different ones"
                _fail(line, rule, " ".join(words))
            self.outputs = rest
        elif len(rest) != 1:
            _fail(line, f"have one word after {key}", " ".join(words))
        else:
            self.setting(line, key, rest[0])
        return False

    def setting(self, line: int, key: str, value: str) -> None:
        """Read a line of a key and its value."""
        if self.rows and key != ".p":
            _fail(line, f"have {key} before its rows", f"{key} {value}")
        if key == ".i":
            self.n = _count(line, "have a number of inputs", value, MAX_VARIABLES)
        elif key == ".o":
            self.n_outputs = _count(line, "have a number of outputs", value, MAX_TERMS)
        elif key == ".p":
            self.n_rows = _count(line, "have a number of rows", value, MAX_TERMS)
        elif key == ".type":
            if value not in _TYPES:
                _fail(line, f"be of a type among {', '.join(_TYPES)}", value)
            self.kind = value
        else:
            _fail(line, "have the keys .i .o .p .ilb .ob .type .e only", key)

    def row(self, line: int, entries: str) -> None:
        """Keep a row of both planes."""
        if self.n < 0 or self.n_outputs < 0:
            _fail(line, "have .i and .o before its rows", entries)
        if len(entries) != self.n + self.n_outputs:
            rule = f"have {self.n} inputs and {self.n_outputs} outputs in each row"
            _fail(line, rule, entries)
        if not set(entries[: self.n]) <= set("012-"):
            _fail(line, "have inputs 0, 1 or -", entries)
        if not set(entries[self.n :]) <= set(_OUTPUTS):
            _fail(line, "have outputs 0, 1, - or ~", entries)
        if len(self.rows) >= MAX_TERMS:
            _fail(line, f"have at most {MAX_TERMS} rows", "one more")
        self.rows.append((line, entries))


def tabulated_pla(
    source: object, output: object, dont_care: object
) -> tuple[int, npt.NDArray[np.int8]]:
    """The number of variables and the truth table of an output; `from_pla` tells the rules."""
    bit = isinstance(dont_care, (Real, np.bool_)) and dont_care in (0, 1)
    if dont_care is not None and not bit:
        msg = f"dont_care must be None, 0 or 1, got {shown(dont_care)}"
        raise ValueError(msg)
    table = _Table()
    for line, text in enumerate(_lines(source), start=1):
        words = text.partition("#")[0].split()
        if words and table.read(line, words):
            break
    if table.n < 0 or table.n_outputs < 1:
        msg = f"source must have .i and .o, with one output or more, got {shown(source)}"
        raise ValueError(msg)
    if table.n_rows not in (None, len(table.rows)):
        msg = f"source must have the {table.n_rows} rows that .p says, got {len(table.rows)}"
        raise ValueError(msg)
    return table.n, _filled(table, _chosen(table, output), dont_care)


def _chosen(table: _Table, output: Any) -> int:
    """The number of an output by its number or its name."""
    n = table.n_outputs
    named = f" or one of the names {shown(table.outputs)}" if table.outputs else ""
    if output is None and n > 1:
        msg = f"output must be given, a number from 0 to {n - 1}{named}, got None"
        raise ValueError(msg)
    if output is None:
        return 0
    if isinstance(output, str) and output in table.outputs:
        return table.outputs.index(output)
    try:
        number = -1 if isinstance(output, (bool, np.bool_)) else operator.index(output)
    except TypeError:
        number = -1
    if not 0 <= number < n:
        msg = f"output must be a number from 0 to {n - 1}{named}, got {shown(output)}"
        raise ValueError(msg)
    return number


def _filled(table: _Table, output: int, dont_care: Any) -> npt.NDArray[np.int8]:
    """The truth table of one output, its don't-cares filled or refused."""
    n = table.n
    cubes: dict[str, dict[str, None]] = {"1": {}, "0": {}, "-": {}, "~": {}}
    for _, entries in table.rows:
        cubes[_OUTPUTS[entries[n + output]]][entries[:n].translate(_INPUTS)] = None
    said = _TYPES[table.kind]
    on, off, free = (
        cube_words(n, list(cubes[entry]) if entry in said else []) for entry in ("1", "0", "-")
    )
    if "0" in said:
        both = unpacked(n, on & off & ~free)
        if both.any():
            where = told_point(n, int(both.argmax()))
            msg = f"source must not have 0 and 1 at one point, got both {where}"
            raise ValueError(msg)
        free |= ~(on | off)
    open_points = unpacked(n, free)
    if dont_care is None and open_points.any():
        msg = (
            f"dont_care must be 0 or 1 for a source with don't-cares, got None; "
            f"the value is open {told_point(n, int(open_points.argmax()))}"
        )
        raise ValueError(msg)
    return unpacked(n, on | free if dont_care else on & ~free)
