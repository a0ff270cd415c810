"""Submissions marked by the workers of a Dask cluster that is there already.

Each worker does what a shard does: it marks in a process of its own, which may be killed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from distributed import Client, as_completed

from homework import marking
from homework.assignments import Assignment
from homework.marking import Record, Submission

if TYPE_CHECKING:
    from homework.shards import How

PATIENCE = 30
"""Seconds to wait for a worker."""


def mark(
    left: list[tuple[Submission, Assignment]], how: How
) -> Iterator[tuple[Submission, Record]]:
    """Mark submissions, and yield each with its record as that comes.

    Raises
    ------
    ConnectionError
        If nothing answers at the scheduler's address, or it has no worker.
    """
    with _client(how.scheduler) as client:
        futures = {
            client.submit(
                marking.mark_apart,
                submitted,
                assignment,
                how.limits,
                sandboxed=how.sandboxed,
                # A name of its own: of two that are called the same Dask runs one.
                key=f"mark-{uuid4().hex}",
                retries=0,
            ): (submitted, assignment)
            for submitted, assignment in left
        }
        for future in as_completed(futures):  # type: ignore[no-untyped-call]
            submitted, assignment = futures.pop(future)
            yield submitted, _result(future, submitted, assignment, how)


def _result(future: Any, submitted: Submission, assignment: Assignment, how: How) -> Record:
    """Take a worker's record, or make one that says what became of the worker."""
    error = future.exception()
    if error is not None:
        reason = f"no record came back: {type(error).__name__}: {error}"
        return marking.failed(submitted, assignment, how.limits, reason, sandboxed=how.sandboxed)
    record: Record = future.result()
    if record["key"] != marking.key(submitted, assignment, how.limits, sandboxed=how.sandboxed):
        reason = "the worker has another version of dtviz or of this grader"
        return marking.failed(submitted, assignment, how.limits, reason, sandboxed=how.sandboxed)
    return record


@contextmanager
def _client(scheduler: str) -> Iterator[Client]:
    """A client of the cluster given, which has a worker."""
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
