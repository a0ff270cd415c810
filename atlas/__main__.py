"""Make the atlas: ``python -m atlas``, some two minutes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import numpy as np

import dtviz as dt
from atlas.growth import every, keys_of
from atlas.summary import summary
from atlas.tables import COLUMNS, Table, join_tables, rows
from dtviz.core.boolean_trees.exhaustive import restrictions_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "dtviz" / "atlas"
DATA = ROOT / "book" / "atlas" / "data"

CLASSES = {1: 2, 2: 4, 3: 14, 4: 222, 5: 616_126}
"""How many NPN classes there are of n variables (OEIS A000370)."""

BALANCED = {1: 2, 2: 4, 3: 18, 4: 648, 5: 3_140_062}
"""For how many functions of n variables no variable alone carries information (OEIS A006853)."""


def check(n: int, table: Table) -> None:
    """Check the classes of n variables against known counts and inequalities.

    Raises
    ------
    AssertionError
        That names what does not agree.
    """
    codes, size = table["code"].astype(np.int64), table["size"].astype(np.int64)
    silent = (keys_of("gini", restrictions_of(codes, n), n) == 0).all(axis=0)
    for what, found, expected in (
        ("classes", codes.size, CLASSES[n]),
        ("functions", int(size.sum()), 1 << (1 << n)),
        ("balanced functions", int(size[silent].sum()), BALANCED[n]),
    ):
        if found != expected:
            raise AssertionError(f"n = {n}: {what} must be {expected}, got {found}")
    best, depth = table["optimal"].astype(np.int64), table["depth"]
    total = table["influences"].sum(axis=1, dtype=np.int64)
    for rule, holds in (
        ("codes ascend", np.diff(codes, prepend=-1) > 0),
        ("2^rank <= optimal", 1 << table["rank"].astype(np.int64) <= best),
        ("rank <= depth", table["rank"] <= depth),
        ("optimal <= 2^depth", best <= 1 << depth.astype(np.int64)),
        ("optimal <= greedy_best", best <= table["greedy_best"]),
        ("greedy_best <= greedy_worst", table["greedy_best"] <= table["greedy_worst"]),
        ("optimal <= gini_best", best <= table["gini_best"]),
        # The bits at which a point is sensitive are asked on its path.
        ("total influence <= average depth", total <= table["queries"]),
        ("queries <= 2^n depth", table["queries"] <= depth.astype(np.int64) << n),
    ):
        if not holds.all():
            code = int(codes[holds.argmin()])
            raise AssertionError(f"n = {n}: {rule} must hold, but not for the function {code:#x}")


def pack_arrays(table: Table) -> bytes:
    """An NPZ file of the arrays, the same bytes for the same arrays. `numpy.load` reads it."""
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_LZMA) as archive:
        for name, array in table.items():
            entry = io.BytesIO()
            # Column by column: neighbors are of one kind, which packs better.
            np.lib.format.write_array(entry, np.asfortranarray(array), allow_pickle=False)
            info = ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = ZIP_LZMA
            info.external_attr = 0o644 << 16
            archive.writestr(info, entry.getvalue())
    return content.getvalue()


def functions(n: int) -> Table:
    """The table of all functions of ``n <= 4`` variables, with the least code of each's class."""
    classes, codes = dt.atlas.npn_classes(n), every(n)
    least = dt.atlas.npn_canonical(n, codes)
    return rows(n, codes, classes.sizes[classes.codes.searchsorted(least)], least)


def make(page: Path = PAGE, data: Path = DATA, most: int = 5) -> None:
    """Compute the atlas of up to ``most`` variables, check it, and then write its files."""
    classes = {}
    for n in range(1, most + 1):
        found = dt.atlas.npn_classes(n)
        classes[n] = rows(n, found.codes, found.sizes)
        check(n, classes[n])
    columns = {name: column._asdict() for name, column in COLUMNS.items()}
    whole = {
        "version": 2,
        "columns": columns,
        "n": {n: summary(n, table) for n, table in classes.items()},
    }
    for path, content in (
        (page / "atlas.json", json.dumps(whole, separators=(",", ":")).encode() + b"\n"),
        (data / "functions.npz", pack_arrays(join_tables([functions(n) for n in range(1, most)]))),
        (data / "classes.npz", pack_arrays(classes[most])),
    ):
        path.write_bytes(content)
        print(f"{path} ({len(content):,} bytes)")


if __name__ == "__main__":
    make()
