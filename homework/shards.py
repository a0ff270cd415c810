"""Many submissions at once, each of them once.

Each submission is marked in a process of its own, by :func:`homework.marking.mark_apart`, and so
many run at a time, or as many as a Dask cluster has workers: both are executors, as
`concurrent.futures` has them. Pages of feedback go the same way, through `each`. Every record is
kept the moment it is there, so that whatever ends the run, the next one goes on from there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from homework import marking, sandbox
from homework.assignments import Assignment
from homework.bubblewrap import USUAL, Limits
from homework.marking import REMARKED, Record, Submission

LOG = logging.getLogger("homework")

PATIENCE = 30
"""Seconds to wait for a worker of a cluster."""

OTHER = "the worker has another version of dtviz or of this grader"


@dataclass(frozen=True)
class How:
    """How submissions are marked: so many at once on this machine, or where a Dask scheduler is."""

    shards: int = 1
    scheduler: str = ""
    limits: Limits = USUAL


def mark_all(
    course: Path,
    todo: list[tuple[Submission, Assignment]],
    how: How,
    *,
    again: Collection[tuple[str, str]] = (),
    quiet: bool = False,
) -> dict[tuple[str, str], Record]:
    """Mark what has no up-to-date record, and keep each record as it comes.

    What was marked already and not handed in again keeps its old record: the new one is put beside
    it, in the folder `REMARKED`. What is named in ``again`` is marked in any case. Returned are the
    records, by student and assignment, old ones among them.

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
        whose = submitted.student, submitted.name
        name = marking.key(submitted, assignment, how.limits)
        for place in (course / REMARKED, course) if whose not in again else ():
            record = marking.load_record(place, *whose)
            if record is not None and record["status"] != "failed" and record["key"] == name:
                records[whose] = record
                break
        else:
            left.append((submitted, assignment))
    if left and how.limits.sandboxed and not how.scheduler:
        sandbox.check()
    done = len(records)
    with tqdm(total=len(todo), initial=done, desc="Marking", unit="", disable=quiet or None) as bar:
        for submitted, record in _marked(left, how) if left else ():
            whose = submitted.student, submitted.name
            old = marking.load_record(course, *whose)
            same = old and old["submission"] == record["submission"] and old["status"] == "marked"
            # First it is kept: who is killed now has nothing in the log that is not there.
            place = course / REMARKED if same else course
            marking.save_record(place, *whose, record)
            records[whose] = record
            status, reason = record["status"], record["reason"]
            LOG.info("marked %s by %s: %s %s", submitted.name, submitted.student, status, reason)
            if "trace" in record:
                LOG.error("%s", record["trace"])
            bar.update()
    return records


def _marked(
    left: list[tuple[Submission, Assignment]], how: How
) -> Iterator[tuple[Submission, Record]]:
    """Mark, and yield each record as it comes."""
    calls = [(submitted, assignment, how.limits) for submitted, assignment in left]
    for (submitted, assignment, limits), record in each(how, marking.mark_apart, calls):
        reason = ""
        if isinstance(record, BaseException):
            reason = f"no record came back: {type(record).__name__}: {record}"
        elif how.scheduler and record["key"] != marking.key(submitted, assignment, limits):
            reason = OTHER
        failed = reason and marking.failed(submitted, assignment, limits, reason)
        yield submitted, failed or record


def each(
    how: How, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
) -> Iterator[tuple[Any, Any]]:
    """Call a function with each of some arguments; yield these and what it returns, as it comes.

    Of a call that a cluster did not end well, the exception is yielded.
    """
    with executor(how) as pool:
        futures = {pool.submit(function, *call): call for call in calls}
        for future in as_completed(futures):
            error = future.exception() if how.scheduler else None
            yield futures[future], error or future.result()


@contextmanager
def executor(how: How) -> Iterator[Executor]:
    """Give what runs functions: a thread for each shard, or the workers of a Dask cluster.

    A thread waits for the process that its function starts.
    """
    if not how.scheduler:
        local = ThreadPoolExecutor(how.shards)
        try:
            yield local
        finally:
            # Who stops us waits for nothing that is being marked; its processes end with ours.
            local.shutdown(wait=False, cancel_futures=True)
        return
    try:
        from distributed import Client  # noqa: PLC0415 - an extra, and a second to load
    except ImportError as error:
        raise ConnectionError(
            "--scheduler needs Dask, which is not installed: pip install 'dask[distributed]'."
        ) from error
    try:
        client = Client(how.scheduler, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except OSError as error:
        raise ConnectionError(
            f"scheduler: no Dask scheduler answers at {how.scheduler!r} within {PATIENCE} s."
        ) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise ConnectionError(
                f"scheduler: the one at {how.scheduler!r} has no worker."
            ) from error
        # Of two equal calls Dask would run one, if they were pure.
        pool = client.get_executor(pure=False, retries=0)  # type: ignore[no-untyped-call]
        try:
            yield pool
        finally:
            pool.shutdown(wait=False)
