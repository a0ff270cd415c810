r"""Secrets of a course, and where they turn up: no student may see a line of them.

A secret is a line of a solution, of a hidden test, of a model answer or of a rubric that has at
least `SIGNIFICANT` characters besides blanks, more if it is a row of numbers, and does not stand
in what students may read: the sources outside those regions, the chapters, `dtviz`. The regions
are cut out here, by their delimiters, not by nbgrader: what nbgrader leaves standing is found.

A text is searched as one run of characters without blanks, quotes, brackets of links, marks of
Markdown and whatever is not ASCII. So a line is found though highlighting splits it, Markdown is
rendered, quotes are made round, a traceback numbers it or JavaScript escapes it. Not found are
pictures, data that is compressed or encoded (but for zip archives), and a line said in other words.

Sphinx's search index holds single words without their order. Of it only this can be said: a word
that stands in secrets and nowhere in what students may read is there.
"""

import html
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from homework.assignments import COURSE, load, names
from homework.authoring import HIDDEN, RUBRIC, SOLUTION

PUBLIC = (COURSE.parent / "book", COURSE.parent / "dtviz")
"""What students may read besides the sources' open parts (but for the student copies)."""

SIGNIFICANT = 12
_LETTERS, _ROW = 4, 36  # with fewer letters a line must be longer
RARE = 6  # letters of a word from which it tells something when it stands in the search index

_WINDOW = 8  # characters compared at once: one machine word
_DROPPED = bytes(set(range(33)) | {127} | set(b"\"'`*_$\\#>|-()[]"))
_MARKER = re.compile(r"^\s*(?:(?:[-*+]|#+|\d+[.)])\s+)+")
_LINK = re.compile(r"\]\([^)]*\)")
_TAG = re.compile(r"<[^<>]*>")
_CODE_POINT = re.compile(r"\\u([0-9a-fA-F]{4})")
_WORD = re.compile(r"[a-z_][a-z0-9_]+")
_ARCHIVES = frozenset({".zip", ".whl"})
_JSON = frozenset({".ipynb", ".json"})
_LARGEST_MEMBER = 200_000_000  # bytes of a file in an archive that are unpacked


@dataclass(frozen=True)
class Secret:
    """A line that no student may see.

    Attributes
    ----------
    assignment, cell : str
        Where it stands.
    kind : str
        ``"solution"``, ``"hidden test"``, ``"model answer"`` or ``"rubric"``.
    line : str
        The line itself.
    """

    assignment: str
    cell: str
    kind: str
    line: str


@dataclass(frozen=True)
class Leak:
    """A secret in a place where it must not be.

    Attributes
    ----------
    path : str
        The file.
    secret : Secret
        What stands there.
    found : str
        The word that was found, if it is a search index; else the line.
    """

    path: str
    secret: Secret
    found: str

    def __str__(self) -> str:
        """Where it is and whence it comes."""
        origin = f"{self.secret.assignment}, cell {self.secret.cell!r}"
        return f"{self.path}: {self.secret.kind} of {origin}: {self.found!r}"


@dataclass(frozen=True)
class Secrets:
    """The secrets of a course, ready to be searched for.

    Attributes
    ----------
    lines : dict
        By what of a line is searched for, its key, the secret.
    words : dict
        By the rare words and their stems, a secret that has the word.
    """

    lines: dict[bytes, Secret]
    words: dict[str, Secret]

    @cached_property
    def by_window(self) -> dict[bytes, list[bytes]]:
        """The keys by their first characters."""
        found: dict[bytes, list[bytes]] = {}
        for key in self.lines:
            found.setdefault(key[:_WINDOW], []).append(key)
        return found

    @cached_property
    def windows(self) -> npt.NDArray[np.uint64]:
        """The first characters of the keys as numbers, sorted."""
        return np.sort(np.frombuffer(b"".join(self.by_window), dtype=np.uint64))

    @cached_property
    def sieve(self) -> npt.NDArray[np.bool_]:
        """A table in which nearly every window that is none of ours is False."""
        table = np.zeros(1 << 16, dtype=np.bool_)
        table[_slots(self.windows)] = True
        return table


def secrets(course: Path = COURSE, public: Iterable[Path] = PUBLIC) -> Secrets:
    """The secrets of all assignments of a course.

    Parameters
    ----------
    course : Path
        The folder that holds ``source/``.
    public : iterable of Path
        Files and folders that students may read; student copies (``homework/``) are passed over.
    """
    shown: list[str] = [text for path in public for text in _public(path)]
    hidden: list[Secret] = []
    for name in names(course):
        for cell in load(name, course).source.cells:
            told, kept = _parted(name, cell)
            shown += told
            hidden += kept
    keys = {key: secret for secret in hidden for key in _keys(secret.line)}
    candidates = Secrets(keys, {})
    known = set(_found("\n".join(shown), candidates))
    lines = {key: secret for key, secret in keys.items() if key not in known}
    return Secrets(lines, _rare(hidden, shown))


def leaks(paths: Path | Iterable[Path], secret: Secrets) -> list[Leak]:
    """The secrets in files, and in all files of folders.

    Parameters
    ----------
    paths : Path or iterable of Path
        Files and folders; of an archive, the files in it.
    secret : Secrets
        What to look for.
    """
    found: list[Leak] = []
    for root in [paths] if isinstance(paths, Path) else paths:
        files = sorted(p for p in root.rglob("*") if p.is_file()) if root.is_dir() else [root]
        for path in files:
            for name, text in _texts(str(path), path.read_bytes()):
                found += leaks_in(text, secret, name)
    return found


def leaks_in(text: str, secret: Secrets, name: str = "") -> list[Leak]:
    """The secrets in a text.

    Parameters
    ----------
    text : str
        The text, as it stands in the file (a notebook: as JSON).
    secret : Secrets
        What to look for.
    name : str
        Its file's name, by which notebooks and search indices are told from other texts.
    """
    words: set[str] = set()
    if name.endswith(tuple(_JSON)):
        text = _decoded(text)
    elif Path(name).name == "searchindex.js":
        text = _decoded(text[text.find("{") : text.rfind("}") + 1])
        words = set(_WORD.findall(text.lower())) & secret.words.keys()
    lines = [secret.lines[key] for key in _found(text, secret)]
    found = [Leak(name, line, line.line) for line in lines]
    return found + [Leak(name, secret.words[word], word) for word in sorted(words)]


def holds(text: str, secret: Secrets) -> bool:
    """Whether a secret stands in a text."""
    return any(True for _ in _found(text, secret))


# -- what is secret --------------------------------------------------------------------------------


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


def _keys(line: str) -> Iterator[bytes]:
    """What of a line is searched for: as it stands, and as Markdown renders it."""
    for text in {line, _LINK.sub("]", line)}:
        bare = _MARKER.sub("", text)
        key = _stream(bare)
        # A short row of numbers tells nobody anything, and may stand anywhere.
        least = _WINDOW if sum(map(str.isalpha, bare)) >= _LETTERS else _ROW
        if len("".join(bare.split())) >= SIGNIFICANT and len(key) >= least:
            yield key


def _public(path: Path) -> Iterator[str]:
    """The texts of a file, or of the notebooks, pages and modules in a folder."""
    kinds = {".bib", ".ipynb", ".md", ".py"}
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.suffix in kinds and "homework" not in file.relative_to(path).parts:
            text = file.read_text(encoding="utf-8")
            yield _decoded(text) if file.suffix in _JSON else text


def _rare(hidden: Iterable[Secret], shown: Iterable[str]) -> dict[str, Secret]:
    """The words, and their stems, of secrets that stand nowhere in what is shown."""
    open_words = {word for text in shown for word in _WORD.findall(text.lower())}
    known = open_words | {_stem(word) for word in open_words}
    return {
        form: secret
        for secret in hidden
        for word in _WORD.findall(secret.line.lower())
        for form in (word, _stem(word))
        if len(word) >= RARE and form not in known and word not in known
    }


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str:  # noqa: N802 -- the name its package gives it
        """Take a word's ending off."""


@cache
def _stemmer() -> _Stemmer | None:
    """The stemmer Sphinx indexes with, if it is here."""
    try:
        # It comes with the book's tools.
        from snowballstemmer import stemmer  # type: ignore[import-untyped]  # noqa: PLC0415
    except ModuleNotFoundError:
        return None
    found: _Stemmer = stemmer("porter")
    return found


@cache
def _stem(word: str) -> str:
    stemmer = _stemmer()
    return word if stemmer is None else stemmer.stemWord(word)


# -- searching -------------------------------------------------------------------------------------


def _stream(text: str) -> bytes:
    """A text without all that editors, renderers and highlighters add or change."""
    return text.encode("ascii", "ignore").translate(None, _DROPPED)


def _found(text: str, secret: Secrets) -> Iterator[bytes]:
    """The keys of secrets in a text: as it stands, and with its tags out."""
    if not secret.lines:
        return
    plain = html.unescape(text) if "&" in text else text
    if "\\u" in plain:
        plain = _CODE_POINT.sub(lambda m: chr(int(m[1], 16)), plain)
    seen: set[bytes] = set()
    variants = [plain]
    if "<" in text:
        variants.append(html.unescape(_TAG.sub("", text)))
    for variant in variants:
        stream = _stream(variant)
        for at in _positions(stream, secret):
            for key in secret.by_window[stream[at : at + _WINDOW]]:
                if key not in seen and stream.startswith(key, at):
                    seen.add(key)
                    yield key


def _positions(stream: bytes, secret: Secrets) -> Iterator[int]:
    """Where in a stream a key may begin: its first characters stand there."""
    if len(stream) < 50 * _WINDOW:
        windows = (stream[at : at + _WINDOW] for at in range(len(stream) - _WINDOW + 1))
        yield from (at for at, window in enumerate(windows) if window in secret.by_window)
        return
    for shift in range(_WINDOW):
        count = (len(stream) - shift) // _WINDOW
        words = np.frombuffer(stream, dtype=np.uint64, count=count, offset=shift)
        maybe = np.flatnonzero(secret.sieve[_slots(words)])
        hits = maybe[np.isin(words[maybe], secret.windows)]
        yield from (hits * _WINDOW + shift).tolist()


def _slots(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Spread windows over the sieve."""
    return (words * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(48)


# -- reading files ---------------------------------------------------------------------------------


def _texts(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    """The texts of a file; of an archive, those in it."""
    if Path(name).suffix in _ARCHIVES and zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                if not member.is_dir() and member.file_size <= _LARGEST_MEMBER:
                    yield from _texts(f"{name}/{member.filename}", archive.read(member))
    elif b"\0" not in data[:8192]:
        yield name, data.decode("utf-8", "replace")


def _decoded(text: str) -> str:
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
