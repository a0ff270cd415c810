"""Secrets in all that is published: files, folders and archives.

`homework.leaks` says what is secret, and finds it in one text. Not found are pictures, data that is
compressed or encoded (but for zip archives), and a line said in other words. The index of the
book's search is a script that tells the pages' text as it stands, and is searched like any file.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from homework import leaks as secret_lines
from homework.assignments import COURSE
from homework.leaks import PUBLIC, Secret, decoded, streams

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
        self.lines = secret_lines.secrets(course, public)
        self.by_window: dict[bytes, list[bytes]] = {}
        for key in self.lines:
            self.by_window.setdefault(key[:_WINDOW], []).append(key)
        self._windows = np.sort(np.frombuffer(b"".join(self.by_window), dtype=np.uint64))
        # A table in which nearly every window that is none of ours is False.
        self._sieve = np.zeros(1 << 16, dtype=np.bool_)
        self._sieve[_slots(self._windows)] = True

    def found(self, text: str) -> list[Secret]:
        """The secrets in a text, as `homework.leaks.found` has them; of megabytes in a second."""
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
