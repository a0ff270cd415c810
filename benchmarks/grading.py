"""Grade a class, with feedback, by ours and by plain nbgrader: the last lines of `make bench`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nbgrader.api import Gradebook  # type: ignore[import-untyped]
from support import course as demo

from homework import sandbox
from homework.assignments import load

STUDENTS = 24
TARGETS = {1: 1.25, 2: 1.0}
"""By the number of shards, the most time as a multiple of nbgrader's. Ours tries the model solution
and the untouched release, too, which is as much as two submissions."""
POINTS_BY_HAND = 2


def hand_in(course: Path, students: int) -> None:
    """Write a course with one submission a student, every third of them with a wrong answer."""
    assignment = load("demo", demo.write_course(course))
    for number in range(students):
        answers = demo.answers(**({} if number % 3 else {"q1": demo.WRONG["q1"]}))
        folder = course / "submitted" / f"s{number:02}" / "demo"
        folder.mkdir(parents=True)
        (folder / "demo.ipynb").write_text(demo.submission(assignment, answers), "utf-8")


def run(*command: str) -> float:
    """Run a module of Python with its arguments, and return the seconds it took."""
    # nbgrader calls alembic by its name.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path}
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", *command], check=True, capture_output=True, env=environment
    )
    return time.perf_counter() - start


def mark_by_hand(course: Path) -> None:
    """Enter points for the written answers, without which ours gives no feedback."""
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        for grade in (
            grade
            for submission in book.assignment_submissions("demo")
            for notebook in submission.notebooks
            for grade in notebook.grades
            if grade.needs_manual_grade
        ):
            grade.manual_score, grade.needs_manual_grade = POINTS_BY_HAND, False
        book.db.commit()


def scores(course: Path) -> dict[str, float]:
    """The points that the gradebook has for each student."""
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        return {entry.student.id: entry.score for entry in book.assignment_submissions("demo")}


def ours(course: Path, shards: int) -> float:
    """Mark a course, by hand too, and write feedback; return the seconds, less those by hand."""
    command = ("homework", "grade", "--course", str(course), "--shards", str(shards))
    marking = run(*command)
    mark_by_hand(course)
    return marking + run(*command)


def plain(course: Path) -> float:
    """Do the same by nbgrader's own commands."""
    where = f"--course-dir={course}"
    run("nbgrader", "generate_assignment", "demo", "--create", where)
    marking = run("nbgrader", "autograde", "demo", where)
    mark_by_hand(course)
    return marking + run("nbgrader", "generate_feedback", "demo", where)


def race(students: int = STUDENTS) -> dict[int, tuple[float, dict[str, float]]]:
    """Grade the same class by nbgrader and by ours.

    Returns
    -------
    dict of int to (float, dict)
        By the number of shards, 0 for nbgrader, the seconds and the points of each student.
    """
    sandbox.check()
    found = {}
    for shards in (0, *TARGETS):
        with tempfile.TemporaryDirectory() as folder:
            course = Path(folder)
            hand_in(course, students)
            seconds = ours(course, shards) if shards else plain(course)
            found[shards] = seconds, scores(course)
    return found


def main() -> None:
    """Print a row of the table of benchmarks for each number of shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=STUDENTS)
    students: int = parser.parse_args().students
    (_, (base, points)), *rows = race(students).items()
    for shards, (seconds, found) in rows:
        ratio, most = seconds / base, TARGETS[shards]
        verdict = "met" if found == points and ratio <= most else "MISSED"
        print(
            f"grading {students} submissions with feedback, shards {shards}: {seconds:.1f} s, "
            f"nbgrader {base:.1f} s: {ratio:.2f}x (at most {most}x: {verdict}); "
            f"grades {'equal' if found == points else 'DIFFER'}"
        )


if __name__ == "__main__":
    main()
