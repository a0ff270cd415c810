"""Stage files: what is computed is kept at once, and a run that was killed goes on from there."""

from __future__ import annotations

import fcntl
import hashlib
import io
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np

from atlas import curves, growth, table
from atlas.columns import COLUMNS, CURVES
from atlas.table import Table
from dtviz.core import exhaustive, npn, optimal

__all__ = ["Stages", "alone", "packed", "write_whole"]

SOURCES: tuple[ModuleType, ...] = (curves, growth, table, exhaustive, npn, optimal)
"""The modules whose text decides what a stage holds, beside the types of the columns."""


class Stages:
    """The stage files in a folder: one for each name, of no use once the sources have changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        texts = [Path(str(module.__file__)).read_bytes() for module in SOURCES]
        types = {name: column.dtype for name, column in (COLUMNS | CURVES).items()}
        texts.append(json.dumps(types).encode())
        self._key = hashlib.sha256(b"\0".join(texts)).hexdigest()

    def path(self, name: str) -> Path:
        """Where the stage of this name stands."""
        return self.folder / f"{name}.stage"

    def write(self, name: str, made: Table) -> None:
        """Keep a table; nobody ever sees a part of it."""
        content = io.BytesIO()
        # NumPy's types take any name of an array for its own option allow_pickle.
        np.savez_compressed(content, **made)  # type: ignore[arg-type]
        whole = content.getvalue()
        write_whole(self.path(name), self._seal(name, whole) + whole)

    def read(self, name: str) -> tuple[Table | None, str]:
        """The table of this name, or None and why there is none: never written, stale, damaged."""
        try:
            kept = self.path(name).read_bytes()
        except FileNotFoundError:
            return None, ""
        seal, whole = kept[: len(self._seal("", b""))], kept[len(self._seal("", b"")) :]
        if seal[:64] != self._key.encode():
            return None, "stale"
        if seal != self._seal(name, whole):
            return None, "damaged"
        with np.load(io.BytesIO(whole), allow_pickle=False) as arrays:
            return dict(arrays), ""

    def _seal(self, name: str, whole: bytes) -> bytes:
        told = hashlib.sha256(name.encode() + b"\0" + whole).hexdigest()
        return f"{self._key} {told}\n".encode()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file such that nobody ever sees a part of it, even if the run is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def packed(made: Table, by: int = ZIP_LZMA) -> bytes:
    """An NPZ file of the arrays, the same bytes for the same arrays. `numpy.load` reads it."""
    content = io.BytesIO()
    with ZipFile(content, "w", by) as archive:
        for name, array in made.items():
            entry = io.BytesIO()
            # Column by column: neighbours are of one kind, which packs better.
            np.lib.format.write_array(entry, np.asfortranarray(array), allow_pickle=False)
            told = ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            told.compress_type = by
            told.external_attr = 0o644 << 16
            archive.writestr(told, entry.getvalue())
    return content.getvalue()


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder for one run, and take away what killed runs left half written."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(
                f"--work must be a folder that no other run is using, got {folder}"
            ) from None
        for part in folder.glob(".*.part"):
            with suppress(OSError):
                part.unlink()
        yield
