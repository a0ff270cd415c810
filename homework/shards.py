"""Many submissions at once, each of them once.

A shard is a process: each submission is marked in one of its own, by
:func:`homework.marking.mark_apart`, and so many run at a time, or as many as a Dask cluster has
workers. Every record is kept the moment it is there, so that whatever ends the run, the next one
goes on from there.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from homework import marking, sandbox
from homework.assignments import Assignment
from homework.marking import Record, Submission
from homework.sandbox import Limits

LOG = logging.getLogger("homework")


@dataclass(frozen=True)
class How:
    """How submissions are marked: so many at once on this machine, or where a Dask scheduler is."""

    shards: int = 1
    scheduler: str = ""
    limits: Limits = Limits()  # noqa: RUF009 - it is frozen
    sandboxed: bool = True


def mark_all(
    course: Path, todo: list[tuple[Submission, Assignment]], how: How, *, quiet: bool = False
) -> dict[tuple[str, str], Record]:
    """Mark what has no up-to-date record, and keep each record as it comes.

    Returned are the records, by student and assignment, old ones among them.

    Raises
    ------
    SandboxUnavailable
        If this machine is to mark and cannot shut a submission in.
    ConnectionError
        If nothing answers at the scheduler's address, or it has no worker.
    """
    records: dict[tuple[str, str], Record] = {}
    left = []
    for submitted, assignment in todo:
        record = marking.load_record(course, submitted.student, submitted.name)
        name = marking.key(submitted, assignment, how.limits, sandboxed=how.sandboxed)
        if record is not None and record["status"] != "failed" and record["key"] == name:
            records[submitted.student, submitted.name] = record
        else:
            left.append((submitted, assignment))
    for submitted, record in mark_now(left, how, done=len(records), quiet=quiet):
        marking.save_record(course, submitted.student, submitted.name, record)
        records[submitted.student, submitted.name] = record
    return records


def mark_now(
    left: list[tuple[Submission, Assignment]], how: How, *, done: int = 0, quiet: bool = False
) -> Iterator[tuple[Submission, Record]]:
    """Mark all that is given, and keep nothing; ``done`` are told as done already.

    Yields and raises as `mark_all` returns and raises.
    """
    if not left:
        return
    if how.sandboxed and not how.scheduler:
        sandbox.check()
    marked = _elsewhere if how.scheduler else _here
    total = done + len(left)
    with tqdm(total=total, initial=done, desc="Marking", unit="", disable=quiet) as bar:
        for submitted, record in marked(left, how):
            # First it is kept: who is killed now has nothing in the log that is not there.
            yield submitted, record
            LOG.info(
                "marked %s by %s: %s %s",
                submitted.name,
                submitted.student,
                record["status"],
                record["reason"],
            )
            if "trace" in record:
                LOG.error("%s", record["trace"])
            bar.update()


def _here(
    left: list[tuple[Submission, Assignment]], how: How
) -> Iterator[tuple[Submission, Record]]:
    """Mark on this machine: a thread for each shard waits for a process at a time."""
    pool = ThreadPoolExecutor(how.shards)
    futures = {
        pool.submit(
            marking.mark_apart, submitted, assignment, how.limits, sandboxed=how.sandboxed
        ): submitted
        for submitted, assignment in left
    }
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        # Who stops us waits for nothing that is being marked; its processes end with ours.
        pool.shutdown(wait=False, cancel_futures=True)


def _elsewhere(
    left: list[tuple[Submission, Assignment]], how: How
) -> Iterator[tuple[Submission, Record]]:
    """Mark on a Dask cluster; Dask takes a second to load, and is not always needed."""
    from homework import cluster  # noqa: PLC0415

    return cluster.mark(left, how)
