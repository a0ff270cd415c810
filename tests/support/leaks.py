"""Secrets in all that is published: files, folders and archives.

A secret is a line of `homework.release.part_secrets` that does not stand in what students may read:
the sources' open parts, the chapters, `dtviz`. A text is searched as one run of characters without
blanks, quotes, brackets, marks of Markdown and whatever is not ASCII: so a line is found though it
is highlighted, rendered, numbered or escaped. Not found are pictures, data that is compressed or
encoded (but for zip archives), and a line said in other words.
"""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from homework.assignments import COURSE
from homework.release import SIGNIFICANT, Secret, part_secrets

ROOT = COURSE.parent
PUBLIC = (ROOT / "book", ROOT / "dtviz")
"""What students may read besides the sources' open parts (but for the student copies)."""

_KEY = 8  # characters that a line must have when all is dropped that is not compared
_LETTERS, _ROW = 4, 36  # with fewer letters a line must be longer

_DROPPED = bytes(set(range(33)) | {127} | set(b"\"'`*_$\\#>|-()[]"))
_MARKER = re.compile(r"^\s*(?:(?:[-*+]|#+|\d+[.)])\s+)+")
_LINK = re.compile(r"\]\([^)]*\)")
_TAG = re.compile(r"<[^<>]*>")
_CODE_POINT = re.compile(r"\\u([0-9a-fA-F]{4})")

_WINDOW = 8  # characters compared at once: one machine word
_ARCHIVES = frozenset({".zip", ".whl"})
_LARGEST_MEMBER = 200_000_000  # bytes of a file in an archive that are unpacked


@dataclass(frozen=True)
class Leak:
    """A secret in a place where it must not be."""

    path: str
    secret: Secret

    def __str__(self) -> str:
        return f"{self.path}: {self.secret}"


class Secrets:
    """The secrets of a course, by what of a line is searched for."""

    def __init__(self, course: Path = COURSE, public: Iterable[Path] = PUBLIC) -> None:
        self.lines = _lines(course, public)
        self.by_window: dict[bytes, list[bytes]] = {}
        for key in self.lines:
            self.by_window.setdefault(key[:_WINDOW], []).append(key)
        self._windows = np.sort(np.frombuffer(b"".join(self.by_window), dtype=np.uint64))
        # A table in which nearly every window that is none of ours is False.
        self._sieve = np.zeros(1 << 16, dtype=np.bool_)
        self._sieve[_slots(self._windows)] = True

    def found(self, text: str) -> list[Secret]:
        """The secrets in a text, of megabytes in a second."""
        keys = {
            key: None
            for stream in streams(text)
            for at in self._places(stream)
            for key in self.by_window[stream[at : at + _WINDOW]]
            if stream.startswith(key, at)
        }
        return [self.lines[key] for key in keys]

    def _places(self, stream: bytes) -> Iterator[int]:
        """Where in a stream a key may begin: its first characters stand there."""
        for shift in range(min(_WINDOW, len(stream))):
            count = (len(stream) - shift) // _WINDOW
            words = np.frombuffer(stream, dtype=np.uint64, count=count, offset=shift)
            maybe = np.flatnonzero(self._sieve[_slots(words)])
            hits = maybe[np.isin(words[maybe], self._windows)]
            yield from (hits * _WINDOW + shift).tolist()

    def leaks(self, *paths: Path) -> list[Leak]:
        """The secrets in files, and in all files of folders; of an archive, in the files in it."""
        found: list[Leak] = []
        for root in paths:
            files = sorted(p for p in root.rglob("*") if p.is_file()) if root.is_dir() else [root]
            for path in files:
                for name, text in _texts(str(path), path.read_bytes()):
                    found += self.leaks_in(text, name)
        return found

    def leaks_in(self, text: str, name: str = "") -> list[Leak]:
        """The secrets in a text."""
        return [Leak(name, secret) for secret in self.found(decoded(text))]


def _slots(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Spread windows over the sieve."""
    return (words * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(48)


def _texts(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    """The texts of a file; of an archive, those in it."""
    if Path(name).suffix in _ARCHIVES and zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                if not member.is_dir() and member.file_size <= _LARGEST_MEMBER:
                    yield from _texts(f"{name}/{member.filename}", archive.read(member))
    elif b"\0" not in data[:8192]:
        yield name, data.decode("utf-8", "replace")


def _lines(course: Path, public: Iterable[Path]) -> dict[bytes, Secret]:
    """The secrets of a course, by what of each line is searched for, and those in `public` out."""
    shown, hidden = part_secrets(course)
    shown += [text for path in public for text in _public(path)]
    keys = {key: secret for secret in hidden for key in _keys(secret.line)}
    read = [*streams("\n".join(shown))]
    return {key: of for key, of in keys.items() if not any(key in stream for stream in read)}


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
        # A short row of numbers gives nothing away, and may stand anywhere.
        least = _KEY if sum(map(str.isalpha, bare)) >= _LETTERS else _ROW
        if len("".join(bare.split())) >= SIGNIFICANT and len(key) >= least:
            yield key


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
