"""How the atlas is made: in stages, each of which is kept, on several processors."""

from __future__ import annotations

import json
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

import dtviz as dt
from atlas import checks
from atlas.columns import COLUMNS, CURVES, KEPT
from atlas.growth import every
from atlas.stages import Stages, alone, packed, write_whole
from atlas.summary import summary
from atlas.table import Table, joined, rows

__all__ = ["DATA", "MAX_N", "PAGE", "WORK", "Job", "Place", "jobs", "make", "read"]

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "dtviz" / "atlas"
"""Where atlas.json stands, which the page reads."""

DATA = ROOT / "book" / "atlas" / "data"
"""Where the tables stand that the page offers."""

WORK = ROOT / "_build" / "atlas"
"""Where stage files are kept, and what is too large for the repository."""

MAX_N = 5

BLOCK = 1 << 15
"""How many classes make a stage: two seconds of work."""

Say = Callable[[str], object]


class Job(NamedTuple):
    """A stage: its name, and the functions that it tells of, with the sizes of their classes."""

    name: str
    n: int
    codes: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]


def jobs() -> Iterator[Job]:
    """All stages: the functions of up to 4 variables, their classes, the classes of 5 in blocks."""
    for n in range(1, MAX_N + 1):
        classes = dt.atlas.npn_classes(n)
        if n < MAX_N:
            codes = every(n)
            at = classes.codes.searchsorted(dt.atlas.npn_canonical(n, codes))
            yield Job(f"functions-{n}", n, codes, classes.sizes[at])
        for k in range(0, classes.codes.size, BLOCK):
            part = slice(k, k + BLOCK)
            yield Job(f"classes-{n}-{k // BLOCK:02}", n, classes.codes[part], classes.sizes[part])


class Place(NamedTuple):
    """Where the atlas is made: the folders of the summary, of the tables, and of the stages."""

    page: Path = PAGE
    data: Path = DATA
    work: Path = WORK


def make(
    place: Place, *, processes: int = 1, sample: int = 32, quiet: bool = False, say: Say = print
) -> None:
    """Compute what is missing, check the whole, and write the files of the atlas."""
    with alone(place.work):
        stages = Stages(place.work)
        every_job = list(jobs())
        kept = _kept(stages, every_job, say)
        missing = [job for job in every_job if job.name not in kept]
        _compute(stages, missing, processes, quiet=quiet)
        tables = kept | {job.name: _read(stages, job) for job in missing}
        classes = {
            n: joined([tables[j.name] for j in every_job if j.name.startswith(f"classes-{n}-")])
            for n in range(1, MAX_N + 1)
        }
        functions = {n: tables[f"functions-{n}"] for n in range(1, MAX_N)}
        _check(classes, functions, sample, say)
        for path, content in files(classes, functions, place):
            write_whole(path, content)
            say(f"{path}  ({len(content):,} bytes)")


def files(
    classes: dict[int, Table], functions: dict[int, Table], place: Place
) -> Iterator[tuple[Path, bytes]]:
    """What is written where."""
    told = json.dumps(summary(classes, functions), separators=(",", ":"))
    yield place.page / "atlas.json", told.encode() + b"\n"
    small = joined([with_class(n, functions[n]) for n in functions])
    for name, table in (("functions", small), ("classes", classes[MAX_N])):
        kept = [c for c in KEPT if c in table]
        yield place.data / f"{name}.npz", packed({column: table[column] for column in kept})
        known = [c for c in (*COLUMNS, *CURVES) if c in table]
        whole = {column: table[column] for column in known}
        yield place.work / f"{name}-whole.npz", packed(whole, ZIP_DEFLATED)


def with_class(n: int, table: Table) -> Table:
    """The table of functions with the least codes of their classes."""
    return table | {"least": dt.atlas.npn_canonical(n, table["code"]).astype(np.uint32)}


# -- the stages -----------------------------------------------------------------------------------


def _kept(stages: Stages, every_job: list[Job], say: Say) -> dict[str, Table]:
    """What earlier runs have left, if it is whole and of these sources."""
    found = {}
    stale = 0
    for job in every_job:
        table, why = stages.read(job.name)
        stale += why == "stale"
        if table is not None:
            found[job.name] = table
        elif why == "damaged":
            say(f"{stages.path(job.name)} is damaged, and is computed again.")
    if stale:
        say(f"{stale} stages are of an earlier program, and are computed again.")
    if found:
        say(f"{len(found)} of {len(every_job)} stages are there already.")
    return found


def _read(stages: Stages, job: Job) -> Table:
    table, why = stages.read(job.name)
    if table is None:
        raise OSError(f"{stages.path(job.name)} was just written, and is {why or 'gone'}")
    return table


def _compute(stages: Stages, missing: list[Job], processes: int, *, quiet: bool) -> None:
    if not missing:
        return
    with (
        tqdm(total=sum(job.codes.size for job in missing), unit=" functions", disable=quiet) as bar,
        ProcessPoolExecutor(processes, initializer=_end_with_parent) as pool,
    ):
        running = {pool.submit(compute, stages, job): job for job in missing}
        try:
            for done in as_completed(running):
                done.result()
                bar.update(running[done].codes.size)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def compute(stages: Stages, job: Job) -> None:
    """Compute one stage and keep it."""
    stages.write(job.name, rows(job.n, job.codes, job.sizes))


def _end_with_parent() -> None:
    """End this process when its parent does, even if that is killed."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _check(classes: dict[int, Table], functions: dict[int, Table], sample: int, say: Say) -> None:
    for n, table in classes.items():
        checks.check_sums(n, table)
        checks.check_inequalities(n, table)
        say(f"n = {n}: {table['code'].size:,} classes of {1 << (1 << n):,} functions agree.")
    rng = np.random.default_rng(0)
    for n, table in functions.items():
        checks.check_inequalities(n, table)
        checks.check_two_ways(n, classes[n], table)
    for n, whole in ((MAX_N - 1, functions[MAX_N - 1]), (MAX_N, classes[MAX_N])):
        chosen = rng.choice(whole["code"].size, size=min(sample, whole["code"].size), replace=False)
        checks.check_sample(n, whole, chosen.tolist())
        say(f"{chosen.size} functions of {n} variables agree with the literal algorithms.")


def read(path: Path) -> Table:
    """The arrays of an NPZ file of the atlas."""
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)
