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
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from tqdm import tqdm

from homework import marking, sandbox
from homework.assignments import Assignment
from homework.marking import Record, Submission
from homework.sandbox import USUAL, Limits

LOG = logging.getLogger("homework")

PATIENCE = 30
"""Seconds to wait for a worker of a cluster."""


@dataclass(frozen=True)
class How:
    """How submissions are marked: so many at once on this machine, or where a Dask scheduler is."""

    shards: int = 1
    scheduler: str = ""
    limits: Limits = USUAL


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
        name = marking.key(submitted, assignment, how.limits)
        if record is not None and record["status"] != "failed" and record["key"] == name:
            records[submitted.student, submitted.name] = record
        else:
            left.append((submitted, assignment))
    if left and how.limits.sandboxed and not how.scheduler:
        sandbox.check()
    marked = _elsewhere if how.scheduler else _here
    done = len(records)
    with tqdm(total=len(todo), initial=done, desc="Marking", unit="", disable=quiet) as bar:
        for submitted, record in marked(left, how) if left else ():
            # First it is kept: who is killed now has nothing in the log that is not there.
            marking.save_record(course, submitted.student, submitted.name, record)
            records[submitted.student, submitted.name] = record
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
    return records


def _here(
    left: list[tuple[Submission, Assignment]], how: How
) -> Iterator[tuple[Submission, Record]]:
    """Mark on this machine: a thread for each shard waits for a process at a time."""
    pool = ThreadPoolExecutor(how.shards)
    futures = {
        pool.submit(marking.mark_apart, submitted, assignment, how.limits): submitted
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
    """Mark by the workers of a Dask cluster, each of which does what a shard does."""
    # It takes a second to load, and is not always needed.
    from distributed import as_completed as as_finished  # noqa: PLC0415

    with _client(how.scheduler) as client:
        futures = {
            client.submit(
                marking.mark_apart,
                submitted,
                assignment,
                how.limits,
                # A name of its own: of two that are called the same Dask runs one.
                key=f"mark-{uuid4().hex}",
                retries=0,
            ): (submitted, assignment)
            for submitted, assignment in left
        }
        for future in as_finished(futures):  # type: ignore[no-untyped-call]
            submitted, assignment = futures.pop(future)
            yield submitted, _result(future, submitted, assignment, how)


def _result(future: Any, submitted: Submission, assignment: Assignment, how: How) -> Record:
    """Take a worker's record, or make one that says what became of the worker."""
    error = future.exception()
    if error is not None:
        reason = f"no record came back: {type(error).__name__}: {error}"
        return marking.failed(submitted, assignment, how.limits, reason)
    record: Record = future.result()
    if record["key"] != marking.key(submitted, assignment, how.limits):
        reason = "the worker has another version of dtviz or of this grader"
        return marking.failed(submitted, assignment, how.limits, reason)
    return record


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    """A client of the cluster given, which has a worker."""
    from distributed import Client  # noqa: PLC0415

    try:
        client = Client(scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except OSError as error:
        raise ConnectionError(
            f"scheduler: no Dask scheduler answers at {scheduler!r} within {PATIENCE} s."
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise ConnectionError(f"scheduler: the one at {scheduler!r} has no worker.") from error
        yield client
