"""The options of the instructor's commands: ``python -m homework --help``."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from homework.assignments import COURSE
from homework.bubblewrap import MIB, USUAL

EXAMPLES = """\
  python -m homework collect FILE.zip --assignment 1-influence
                                           put what Canvas or Moodle gave in its places
  python -m homework grade --again ada     mark once more what ada handed in
  python -m homework clear ada 2-rank      the flag has been looked at, and all is well

What is in a course's folder, roster.csv and deadlines.csv: see the book's page on teaching.
"""


def parser() -> argparse.ArgumentParser:
    """Make what reads the commands; ``command`` is the name of the one that is given."""
    made = argparse.ArgumentParser(
        prog="python -m homework",
        description="Release, grade and hand back the book's assignments.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--course", type=Path, default=COURSE, help="its folder (this book's)")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")

    commands.add_parser(
        "release", parents=[shared], help="make the students' notebooks and the marking guides"
    )
    collecting = commands.add_parser(
        "collect", parents=[shared], help="put a zip of Canvas's or Moodle's in its places"
    )
    collecting.add_argument("zip", type=Path)
    collecting.add_argument("--assignment", required=True, help="what was handed in")
    collecting.add_argument(
        "--skip", action="store_true", help="leave out what is not settled, and take the rest"
    )
    collecting.add_argument(
        "--worksheet", type=Path, help="Moodle's grading worksheet: who a participant is, and when"
    )
    collecting.add_argument(
        "--zone", help="whose clocks the worksheet's times are of, such as Europe/Berlin"
    )
    collecting.add_argument(
        "--at", help="when all had been handed in, such as 2026-03-02 23:59 Europe/Berlin"
    )

    grading = commands.add_parser(
        "grade", parents=[shared], help="grade what is new; write feedback and tables"
    )
    grading.add_argument(
        "--again",
        nargs="+",
        metavar=("STUDENT", "ASSIGNMENT"),
        default=[],
        help="mark this student's work once more, of all assignments or of those named, though it "
        "has been marked; what a person decided stays",
    )
    grading.add_argument(
        "--accept",
        action="store_true",
        help="publish points that are others though nothing new was handed in",
    )
    _add_running(grading)

    clearing = commands.add_parser(
        "clear", parents=[shared], help="take a flag away, after having looked at it"
    )
    clearing.add_argument("student")
    clearing.add_argument("assignment")

    commands.add_parser("status", parents=[shared], help="list who has which status")
    return made


def _add_running(parser: argparse.ArgumentParser) -> None:
    """Add the options of what marks: where, and within which limits."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--shards",
        type=_positive,
        default=processors(),
        help=f"submissions at once on this machine ({processors()})",
    )
    where.add_argument("--scheduler", default="", help="a Dask scheduler, as tcp://HOST:PORT")
    parser.add_argument(
        "--without-sandbox",
        action="store_true",
        help="run submissions with all your rights: only if you trust each as your own code",
    )
    for option, usual, what in (
        ("--cell-seconds", int(USUAL.cell_seconds), "a cell's limit"),
        ("--memory", USUAL.memory // MIB, "a notebook's limit, in MiB"),
    ):
        parser.add_argument(option, type=_positive, default=usual, help=what)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
