"""In the place of `homework.marking.mark`: marking that ends its process, or never ends."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from typing import Any

import psutil

from homework import marking
from homework.assignments import Assignment
from homework.bubblewrap import Limits
from homework.marking import Record, Submission


def hang() -> None:
    """Keep the interpreter to itself, for days: no other thread runs."""
    re.compile(r".*\r(?=[^\n])").sub("", "x" * 10**8)


ENDINGS: dict[str, Callable[[], object]] = {
    "hang": hang,
    "go on": lambda: None,
    "crash": os.abort,
    "leave": lambda: os._exit(3),
    "be killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "fill the memory": lambda: len(b"x" * 2**40),
}


def mark(  # noqa: PLR0913 - half are by keyword
    submitted: Submission,
    assignment: Assignment,
    limits: Limits,
    office: Connection,  # noqa: ARG001 - as `marking.mark` has it
    *,
    left_out: Mapping[str, str],
    report: Callable[[str], object],
) -> Record:
    """Do what a line of an answer says: "# ends in: CELL: ENDING"."""
    text = re.search(r"# ends in: (\S+): ([a-z ]+)", submitted.text)
    cell, ending = text.groups() if text else ("none", "go on")
    if cell == "none":
        ENDINGS[ending]()
    report("setup")
    if cell not in left_out:
        report(cell)
        ENDINGS[ending]()
    record = marking.failed(submitted, assignment, limits, "")
    record["status"] = "marked"
    record["findings"] = [
        {"kind": "suspicious", "cell": cell, "message": why} for cell, why in left_out.items()
    ]
    return record


def ports(*, report: Callable[[Any], object]) -> None:
    """Report the addresses at which this process and the one it was forked from can be reached."""
    for process in (psutil.Process(), psutil.Process().parent()):
        found = process.net_connections() if process else []
        report([str(each.laddr) for each in found if each.status == psutil.CONN_LISTEN])


def wait(*, report: Callable[[Any], object]) -> None:
    """Report which process this is, and hang."""
    report(os.getpid())
    hang()
