"""Grade a class in shards and one by one, and print the ratio: the last line of `make bench`."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from support import course as demo

from homework import marking, sandbox, shards
from homework.assignments import load
from homework.marking import Record

STUDENTS = 24
SHARDS = 2
TARGET = 1.4


def hand_in(course: Path, students: int) -> None:
    """Write a course with one submission a student, every third of them with a wrong answer."""
    assignment = load("demo", demo.write_course(course))
    for number in range(students):
        answers = demo.answers(**({} if number % 3 else {"q1": demo.WRONG["q1"]}))
        folder = course / "submitted" / f"s{number:02}" / "demo"
        folder.mkdir(parents=True)
        (folder / "demo.ipynb").write_text(demo.submission(assignment, answers), "utf-8")


def mark(course: Path, how: shards.How) -> tuple[float, dict[tuple[str, str], Record]]:
    """Mark a course, and return the seconds it took and the records."""
    assignment = load("demo", course)
    handed_in = [(submitted, assignment) for submitted in marking.submissions(course)]
    start = time.perf_counter()
    records = shards.mark_all(course, handed_in, how, quiet=True)
    return time.perf_counter() - start, records


def race(students: int = STUDENTS) -> tuple[float, float, bool]:
    """Mark the same class twice.

    Returns
    -------
    serial, sharded : float
        Seconds.
    equal : bool
        Whether both found the same status of every cell of every student.
    """
    sandbox.check()
    seconds, found = [], []
    for how in (shards.How(shards=1), shards.How(shards=SHARDS)):
        with tempfile.TemporaryDirectory() as folder:
            hand_in(Path(folder), students)
            took, records = mark(Path(folder), how)
        seconds.append(took)
        found.append({student: outcome(record) for student, record in records.items()})
    return seconds[0], seconds[1], found[0] == found[1]


def outcome(record: Record) -> dict[str, tuple[str, str]]:
    """What became of each cell of a submission, but for the time it took."""
    executed = record["executed"]
    if executed is None:
        raise RuntimeError(f"a submission was not marked: {record['reason']}")
    return {name: (cell["status"], cell["reason"]) for name, cell in executed["results"].items()}


def main() -> None:
    """Print one row of the table of benchmarks."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    serial, sharded, equal = race()
    ratio = serial / sharded
    verdict = "met" if equal and ratio >= TARGET else "MISSED"
    print(
        f"grading {STUDENTS} submissions: serial {serial:.1f} s, {SHARDS} shards {sharded:.1f} s, "
        f"{ratio:.2f}x (wanted {TARGET}x: {verdict}); grades {'equal' if equal else 'DIFFER'}"
    )


if __name__ == "__main__":
    main()
