"""Many submissions at once, each of them once.

Dask hands the submissions out; what a worker does is :func:`homework.marking.mark`, which needs
nothing but what it is given. Every record is kept the moment it is there, so that whatever ends the
run, the next one goes on from there.

The local cluster lives in this process and talks to itself in memory. The work is done by the
kernels, which are processes of their own, so that threads are enough; and a port of Dask's, even
one that only this machine can reach, would let any user of the machine do what its owner can.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import dask
from distributed import Client, LocalCluster, as_completed
from tqdm import tqdm

from homework import marking, sandbox
from homework.assignments import Assignment
from homework.marking import Record, Submission
from homework.sandbox import Limits

LOG = logging.getLogger("homework")

PATIENCE = 30
"""Seconds to wait for a worker of a cluster given by its address."""


@dataclass(frozen=True)
class How:
    """How submissions are marked.

    Attributes
    ----------
    shards : int
        How many at once on this machine; 0 for one after the other, without Dask.
    scheduler : str
        The address of a Dask scheduler, whose workers do it instead.
    limits : Limits
        What a submission may use.
    sandboxed : bool
        Whether it is shut in.
    """

    shards: int = 0
    scheduler: str = ""
    limits: Limits = Limits()  # noqa: RUF009 - it is frozen
    sandboxed: bool = True


def mark_all(
    course: Path, todo: list[tuple[Submission, Assignment]], how: How, *, quiet: bool = False
) -> dict[tuple[str, str], Record]:
    """Mark what has no up-to-date record, and keep each record as it comes.

    Parameters
    ----------
    course : Path
        The course's folder.
    todo : list of (Submission, Assignment)
        What to mark.
    how : How
        Where and within which limits.
    quiet : bool
        Whether to do without the progress bar.

    Returns
    -------
    dict
        The records, by student and assignment, old ones among them.

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
    if not left:
        return records
    if how.sandboxed and not how.scheduler:
        sandbox.check()
    marked = _in_turn if not (how.shards or how.scheduler) else _on_dask
    bar = tqdm(total=len(todo), initial=len(records), desc="Marking", unit="", disable=quiet)
    with bar:
        for submitted, record in marked(left, how):
            marking.save_record(course, submitted.student, submitted.name, record)
            LOG.info(
                "marked %s by %s: %s %s",
                *(submitted.name, submitted.student, record["status"], record["reason"]),
            )
            if "trace" in record:
                LOG.error("%s", record["trace"])
            records[submitted.student, submitted.name] = record
            bar.update()
    return records


def _in_turn(
    left: list[tuple[Submission, Assignment]], how: How
) -> Iterator[tuple[Submission, Record]]:
    for submitted, assignment in left:
        yield (
            submitted,
            marking.mark(submitted, assignment, how.limits, sandboxed=how.sandboxed),
        )


def _on_dask(
    left: list[tuple[Submission, Assignment]], how: How
) -> Iterator[tuple[Submission, Record]]:
    with _client(how) as client:
        futures = {
            client.submit(
                *(marking.mark, submitted, assignment, how.limits),
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
def _client(how: How) -> Iterator[Client]:
    """A client of the cluster given, or of one in this process."""
    if how.scheduler:
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
            yield client
        return
    nothing: dict[str, list[str]] = {
        "distributed.worker.http.routes": [],
        "distributed.scheduler.http.routes": [],
    }
    with dask.config.set(nothing), ExitStack() as stack:
        cluster = stack.enter_context(
            LocalCluster(  # type: ignore[no-untyped-call]
                processes=False,
                n_workers=how.shards,
                threads_per_worker=1,
                memory_limit=0,
                # What Dask serves on a port is its state for browsers: of that nothing, to nobody.
                dashboard_address=None,
                worker_dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                silence_logs=logging.ERROR,
            )
        )
        client = stack.enter_context(Client(cluster))  # type: ignore[no-untyped-call]
        try:
            yield client
        except KeyboardInterrupt:
            # Closing the cluster waits for what is being marked: not for one who stops us.
            stack.pop_all()
            raise
