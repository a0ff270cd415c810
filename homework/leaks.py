r"""Secrets of a course, and where they turn up: no student may see a line of them.

A secret is a line of a solution, of a hidden test, of a model answer or of a rubric that has at
least `SIGNIFICANT` characters besides blanks, more if it is a row of numbers, and does not stand
in what students may read: the sources outside those regions, the chapters, `dtviz`. The regions
are cut out here, by their delimiters, not by nbgrader: what nbgrader leaves standing is found.

A text is searched as one run of characters without blanks, quotes, brackets of links, marks of
Markdown and whatever is not ASCII. So a line is found though highlighting splits it, Markdown is
rendered, quotes are made round, a traceback numbers it or JavaScript escapes it.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homework.assignments import COURSE, load, names
from homework.authoring import HIDDEN, RUBRIC, SOLUTION

PUBLIC = (COURSE.parent / "book", COURSE.parent / "dtviz")
"""What students may read besides the sources' open parts (but for the student copies)."""

SIGNIFICANT = 12
_KEY = 8  # characters that a line must have when all is dropped that is not compared
_LETTERS, _ROW = 4, 36  # with fewer letters a line must be longer

_DROPPED = bytes(set(range(33)) | {127} | set(b"\"'`*_$\\#>|-()[]"))
_MARKER = re.compile(r"^\s*(?:(?:[-*+]|#+|\d+[.)])\s+)+")
_LINK = re.compile(r"\]\([^)]*\)")
_TAG = re.compile(r"<[^<>]*>")
_CODE_POINT = re.compile(r"\\u([0-9a-fA-F]{4})")


@dataclass(frozen=True)
class Secret:
    """A line that no student may see: of a solution, hidden test, model answer or rubric."""

    assignment: str
    cell: str
    kind: str
    line: str

    def __str__(self) -> str:
        return f"{self.kind} of {self.assignment}, cell {self.cell!r}: {self.line!r}"


def secrets(course: Path = COURSE, public: Iterable[Path] = PUBLIC) -> dict[bytes, Secret]:
    """The secrets of all assignments of a course, by what of each line is searched for.

    ``public`` are files and folders that students may read; of these the student copies
    (``homework/``) are passed over.
    """
    hidden, shown = parted(course, public)
    keys = {key: secret for secret in hidden for key in _keys(secret.line)}
    known = {*_keys_in("\n".join(shown), keys)}
    return {key: secret for key, secret in keys.items() if key not in known}


def found(text: str, secret: dict[bytes, Secret]) -> list[Secret]:
    """The secrets in a text, of those that `secrets` gave; of a notebook, in its JSON."""
    return [secret[key] for key in _keys_in(decoded(text), secret)]


# -- what is secret --------------------------------------------------------------------------------


def parted(course: Path, public: Iterable[Path]) -> tuple[list[Secret], list[str]]:
    """The lines of a course that may be secrets, and all that is open."""
    shown: list[str] = [text for path in public for text in _public(path)]
    hidden: list[Secret] = []
    for name in names(course):
        for cell in load(name, course).source.cells:
            told, kept = _parted(name, cell)
            shown += told
            hidden += kept
    return hidden, shown


def _parted(assignment: str, cell: Any) -> tuple[list[str], list[Secret]]:
    """What of a source's cell is open, and its secrets."""
    told: list[str] = []
    kept: list[Secret] = []
    written = cell.metadata.nbgrader.solution and cell.cell_type == "markdown"
    kind = "model answer" if written else ""
    for line in cell.source.split("\n"):
        if written and line == RUBRIC:
            kind = "rubric"
        elif SOLUTION[0] in line:
            kind = "solution"
        elif HIDDEN[0] in line:
            kind = "hidden test"
        elif SOLUTION[1] in line or HIDDEN[1] in line:
            kind = ""
        elif kind:
            kept.append(Secret(assignment, cell.id, kind, line.strip()))
        else:
            told.append(line)
    return told, kept


def _public(path: Path) -> Iterator[str]:
    """The texts of a file, or of the notebooks, pages and modules in a folder."""
    kinds = {".bib", ".ipynb", ".md", ".py"}
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.suffix in kinds and "homework" not in file.relative_to(path).parts:
            yield decoded(file.read_text(encoding="utf-8"))


def _keys(line: str) -> Iterator[bytes]:
    """What of a line is searched for: as it stands, and as Markdown renders it."""
    for text in dict.fromkeys((line, _LINK.sub("]", line))):
        bare = _MARKER.sub("", text)
        key = _stream(bare)
        # A short row of numbers tells nobody anything, and may stand anywhere.
        least = _KEY if sum(map(str.isalpha, bare)) >= _LETTERS else _ROW
        if len("".join(bare.split())) >= SIGNIFICANT and len(key) >= least:
            yield key


# -- searching -------------------------------------------------------------------------------------


def _keys_in(text: str, keys: Iterable[bytes]) -> list[bytes]:
    read = [*streams(text)]
    return [key for key in keys if any(key in stream for stream in read)]


def streams(text: str) -> Iterator[bytes]:
    """A text as it is searched: as it stands, and with its tags out."""
    plain = html.unescape(text) if "&" in text else text
    if "\\u" in plain:
        plain = _CODE_POINT.sub(lambda m: chr(int(m[1], 16)), plain)
    yield _stream(plain)
    if "<" in text:
        yield _stream(html.unescape(_TAG.sub("", text)))


def _stream(text: str) -> bytes:
    """A text without all that editors, renderers and highlighters add or change."""
    return text.encode("ascii", "ignore").translate(None, _DROPPED)


def decoded(text: str) -> str:
    """All strings of a JSON text; the text itself if it is none."""
    try:
        return "\n".join(_strings(json.loads(text)))
    except (ValueError, RecursionError):
        return text


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
