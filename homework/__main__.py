"""The instructor's commands: ``python -m homework --help``."""

from __future__ import annotations

import argparse
import logging
import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TextIO
from zipfile import BadZipFile, ZipFile

from nbgrader.preprocessors import AssignLatePenalties  # type: ignore[import-untyped]
from sqlalchemy.exc import OperationalError
from tqdm import tqdm
from traitlets import TraitError

try:
    import fcntl
except ImportError:  # not on Windows, for which the sandbox raises
    fcntl = None  # type: ignore[assignment]

from homework import (
    changes,
    collect,
    deadlines,
    feedback,
    gradebook,
    ledger,
    marking,
    rehearsal,
    release,
    roster,
    sandbox,
    shards,
    table,
    zips,
)
from homework.assignments import COURSE, Assignment, marking_guide, names
from homework.bubblewrap import MIB, USUAL
from homework.gradebook import Desk
from homework.ledger import Entry
from homework.options import parser, processors
from homework.sandbox import SandboxUnavailable

LOG = logging.getLogger("homework")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command: the arguments given, or those of the process.

    Returned is 0 if all is well, 1 if something failed to run, 2 if the command cannot be done.
    """
    args = parser().parse_args(arguments)
    # Not every shell puts a home in the place of the ~ of `COURSE=~/course`.
    args.course = args.course.expanduser().resolve()
    try:
        if args.command == "release" and release.begin(args.course):
            _say(f"{args.course / 'source'}: a new course, with copies of the book's assignments")
        with _log(args.course):
            done = COMMANDS[args.command](args)
    except (ConnectionError, SandboxUnavailable, TraitError, ValueError) as error:
        _say(f"homework: {error}", sys.stderr)
        return 2
    except (OSError, OperationalError) as error:  # a full disc, a folder that may not be written
        why = getattr(error, "orig", error)
        _say(
            f"homework: {why}. What has been done is kept; the same command continues.", sys.stderr
        )
        return 2
    except KeyboardInterrupt:
        _say("\nhomework: stopped. The same command continues from here.", sys.stderr)
        # Threads that mark would be waited for, minutes maybe; their kernels die with us.
        os._exit(130)
    return done


def _release(args: argparse.Namespace) -> int:
    course: Path = args.course
    gradebook.write_config(course)
    # This is also where a copy with a secret in it is refused.
    texts = release.copies(course)
    _rehearse(course)
    for name, text in texts.items():
        copy = course / "release" / name / f"{name}.ipynb"
        guide = course / "guides" / f"{name}.md"
        marking.write_whole(copy, text)
        for beside, content in marking.assignment(name, course).files:
            marking.write_whole(copy.with_name(beside), content)
        marking.write_whole(guide, marking_guide(marking.assignment(name, course)))
        _say(f"{copy}\n{guide}")
        if course == COURSE:
            marking.write_whole(release.TARGET / copy.name, text)
            _say(release.TARGET / copy.name)
    if course != COURSE:
        known = [marking.assignment(name, course) for name in texts]
        _say(zips.student_zip(course, known))
    for path in release.outdated(course):
        _say(f"{path}: removed, because its source is gone")
    return 0


def _rehearse(course: Path) -> None:
    """Refuse to release what our own solutions or untouched copies show to be wrong.

    What runs is ours: where there is no sandbox, it needs none.
    """
    limits = USUAL
    try:
        sandbox.check()
    except SandboxUnavailable:
        limits = replace(USUAL, sandboxed=False)
    known = [marking.assignment(name, course) for name in names(course)]
    how = shards.How(shards=processors(), limits=limits)
    if wrong := rehearsal.rehearse(course, known, how):
        lines = "\n".join(f"  {trouble}" for trouble in wrong)
        raise ValueError(
            f"nothing is written, because tests of the assignments are wrong:\n{lines}"
        )


def _collect(args: argparse.Namespace) -> int:
    course: Path = args.course
    if args.assignment not in (known := names(course)):
        raise ValueError(f"--assignment {args.assignment}: there is none; there are {known}.")
    made = collect.Plan(
        deadlines.moment(args.at, "--at") if args.at else None,
        deadlines.zone(args.zone, "--zone") if args.zone else None,
    )
    sheet = collect.worksheet(args.worksheet) if args.worksheet else {}
    config = Desk.of(course).config
    try:
        with _alone(course), ZipFile(args.zip) as archive:
            collect.plan(course, archive, args.assignment, made, sheet=sheet, config=config)
            for problem in made.problems:
                _say(f"  {problem}", sys.stderr)
            if made.problems and not args.skip:
                raise ValueError(
                    "nothing has been written. Resolve the above, for instance in roster.csv, or "
                    "leave it out with --skip."
                )
            collect.write(course, archive, args.assignment, made)
    except (OSError, BadZipFile) as error:
        raise ValueError(f"{args.zip}: {error}") from error
    for what, which in sorted(made.notes.items()):
        _say(f"{what}: {len(which)} ({roster.some(which, 10)})")
    return 0


def _grade(args: argparse.Namespace) -> int:
    course: Path = args.course
    known = {name: marking.assignment(name, course) for name in names(course)}
    how = _how(args)
    gradebook.write_config(course)
    with _alone(course):
        students = roster.read(course)
        given = [*marking.submissions(course)]
        who = [submitted.student for submitted in given]
        there = [row["id"] for row in students]
        due = deadlines.read(course, names(course), {*who, *there} if there else ())
        desk = Desk.of(course, gradebook.configure, feedback.configure)
        AssignLatePenalties(config=desk.config).init_plugin()  # is its rule one?
        if unknown := roster.strangers(students, who):
            _say(f"homework: handed in, but not on the roster: {unknown}", sys.stderr)
        todo = [(submitted, known[submitted.name]) for submitted in given]
        again = _again(args, todo)
        for assignment in known.values():
            ledger.enter_assignment(desk.url, assignment)
        ledger.enter_roster(desk.url, students)
        with ledger.opened(desk.url) as book:
            deadlines.enter(
                book,
                {name: due[name] for name in known if name in due},
                [(submitted.student, submitted.name) for submitted, _ in todo],
            )
        wrong = rehearsal.rehearse(course, known.values(), how)
        records = shards.mark_all(course, todo, how, again=again)
        _stop(known, records, wrong)
        changed = _compare(args, desk, todo, records, again)
        todo = [(given, of) for given, of in todo if (given.student, given.name) not in changed]
        records = {whose: record for whose, record in records.items() if whose not in changed}
        trouble = _enter(desk, known, todo, records, how)
        failed = _status(args)
        packed = [zips.hand_back(course, name) for name in known]
        also = "".join(f", handback/{path.name}" for path in packed if path)
        _say(
            f"Written, in {_near(course)}: feedback/STUDENT/ASSIGNMENT, grades.csv, questions.csv, "
            f"canvas.csv, moodle.csv{also}."
        )
    if trouble:
        _say(f"homework: {trouble} More of it is in {course / 'grade.log'}.", sys.stderr)
    return int(failed or bool(trouble or wrong))


def _stop(
    known: dict[str, Assignment],
    records: dict[tuple[str, str], marking.Record],
    wrong: list[rehearsal.Trouble],
) -> None:
    """Stop the questions whose tests are broken, and print which and why."""
    rehearsal.stop(records, known, wrong)
    for trouble in wrong:
        _say(f"homework: OUR TEST: {trouble}", sys.stderr)
    if wrong:
        _say(
            "homework: these questions are stopped for everybody: nobody gets points for them, "
            "and nobody a zero, until you fix them in source/ and grade again.",
            sys.stderr,
        )


def _how(args: argparse.Namespace) -> shards.How:
    if args.without_sandbox:
        _say(
            "homework: WITHOUT A SANDBOX every submission can read and change all that you can, "
            "solutions, grades and the network included.",
            sys.stderr,
        )
    return shards.How(
        shards=args.shards,
        scheduler=args.scheduler,
        limits=replace(
            USUAL,
            cell_seconds=float(args.cell_seconds),
            memory=args.memory * MIB,
            sandboxed=not args.without_sandbox,
        ),
    )


def _again(
    args: argparse.Namespace, todo: list[tuple[marking.Submission, Assignment]]
) -> set[tuple[str, str]]:
    """Whose work of which assignments is to be marked though it has been."""
    if not args.again:
        return set()
    student, *only = args.again
    handed_in = {given.name for given, _ in todo if given.student == student}
    missing = sorted({*only} - handed_in)
    if missing or not handed_in:
        raise ValueError(f"--again {' '.join([student, *missing])}: nothing is handed in there.")
    return {(student, name) for name in only or handed_in}


def _compare(
    args: argparse.Namespace,
    desk: Desk,
    todo: list[tuple[marking.Submission, Assignment]],
    records: dict[tuple[str, str], marking.Record],
    again: set[tuple[str, str]],
) -> set[tuple[str, str]]:
    """Put new records in the places of old ones, and print whose points are others.

    Returned is whose: their old points stay published, unless the new ones are accepted.
    """
    course, found = desk.course, []
    entries = _entries(desk)
    for given, assignment in todo:
        whose = given.student, given.name
        old, new = marking.load_record(course, *whose), records[whose]
        if old is not None and old["submission"] == new["submission"]:
            new = records[whose] = changes.merge(old, new, assignment)
            entry = entries.get(whose)
            # What was handed in again has no points yet that could be others.
            graded = entry is not None and entry.submission == new["submission"]
            mine = [*changes.changes(whose, old, new, assignment, entry)] if graded else []
            if mine and not args.accept:
                marking.save_record(course / marking.REMARKED, *whose, new)
                found += mine
                continue
            found += mine
            if whose in again or (old["key"] == new["key"] and old["executed"] != new["executed"]):
                # The record goes last: a new one beside the old grades would pass for theirs.
                marking.forget(course, *whose)
        if new != old:
            marking.save_record(course, *whose, new)
        marking.record_path(course / marking.REMARKED, *whose).unlink(missing_ok=True)
    for change in found:
        _say(f"  changed: {change}")
    if found and args.accept:
        changes.save(course, found)
        return set()
    if found:
        _say(
            "None of these changes is published; the old grades stay. If all of it is right: "
            f"`{_make('grade', course)} ARGS=--accept`."
        )
    return {(change.student, change.assignment) for change in found}


def _enter(
    desk: Desk,
    known: dict[str, Assignment],
    todo: list[tuple[marking.Submission, Assignment]],
    records: dict[tuple[str, str], marking.Record],
    how: shards.How,
) -> str:
    """Bring gradebook, feedback and tables up to date, and return what went wrong."""
    submitted = {(given.student, given.name): given for given, _ in todo}
    entries = _entries(desk)
    old = [
        whose
        for whose, given in submitted.items()
        if records[whose]["status"] == "marked"
        and not ledger.current(desk.course, entries.get(whose), records[whose], given)
    ]
    with tqdm(total=len(old), desc="Grading", unit="", disable=not old or None) as bar:
        trouble = gradebook.convert(desk, old, lambda *_: bar.update()) if old else ""
    gradebook.penalize(desk)
    entries = {
        whose: entry
        for whose, entry in _entries(desk).items()
        if whose in submitted
        and ledger.current(desk.course, entry, records[whose], submitted[whose])
    }
    for whose, record in records.items():
        if record["status"] == "unreadable":
            feedback.say_unreadable(desk.course, *whose, record["reason"])
    with tqdm(total=len(entries), desc="Feedback", unit="", disable=None) as bar:
        trouble += feedback.give(desk, entries, known, how, lambda *_: bar.update())
    with ledger.opened(desk.url) as book:
        table.write(desk.course, table.rows(desk.course, book))
    return trouble


def _entries(desk: Desk) -> dict[tuple[str, str], Entry]:
    with ledger.opened(desk.url) as book:
        return ledger.entries(book)


def _clear(args: argparse.Namespace) -> int:
    if ledger.clear(Desk.of(args.course).url, args.student, args.assignment):
        _say(f"The flag on {args.assignment} by {args.student} is cleared.")
        _say(f"Run `{_make('grade', args.course)}` to write the feedback and the tables.")
    else:
        _say("There is no flag.")
    return 0


def _status(args: argparse.Namespace) -> int:
    """Print how many have which status, and what to do; 1 if something failed to run."""
    course: Path = args.course
    with ledger.opened(Desk.of(course).url) as book:
        rows = table.rows(course, book)
    for name in names(course):
        mine = [row for row in rows if row.assignment.name == name]
        words = [f"{count} {status}" for status, count in Counter(r.status for r in mine).items()]
        if flagged := sum(row.flagged for row in mine):
            words.append(f"{flagged} flagged")
        _say(f"{name}: {', '.join(words) or 'no students'}")
    for row in rows:
        who = f"{row.student.id}, {row.assignment.name}"
        if row.flagged:
            first, *more = row.flags.split("; ", 3)
            shown = [first, *more[:2], *(["more in grades.csv"] if more[2:] else [])]
            _say(f"  look at: {who}: {'; '.join(shown)}")
        if row.status in (table.FAILED, table.UNREADABLE, table.PENDING):
            _say(f"  {row.status}: {who}: {row.reason}")
    for stray in marking.strays(course):
        _say(f"  not where submissions are looked for: {stray}")
    if any(row.flagged for row in rows):
        _say(
            "To do: look at what is flagged: as it was run in autograded/STUDENT/ASSIGNMENT, as it "
            f"was handed in in submitted/. If all is well, `{_clearing(course)}`. Only a flag that "
            "you set by hand, in formgrader, holds back feedback and grade until you clear it."
        )
    if waiting := sum(row.status == table.WAITING for row in rows):
        _say(
            f"To do: texts to mark, in {waiting} submission{'s' * (waiting > 1)}: "
            f"`{_make('formgrader', course)}`, by the guides in guides/ "
            f"(`{_make('homework', course)}` writes them). Then grade again, for feedback and "
            "tables."
        )
    if any(row.status == table.FAILED for row in rows):
        _say("To do: what failed to run has no marks. Grade again; grade.log says more.")
        return 1
    return 0


def _near(path: Path) -> Path:
    """Name a path as seen from here, if it lies below."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _make(target: str, course: Path) -> str:
    """Return the command of make, to be copied."""
    own = "" if course == COURSE else f" COURSE={shlex.quote(str(course))}"
    return f"make {target}{own}"


def _clearing(course: Path) -> str:
    """Return the command that clears a flag, to be copied but for two words."""
    own = "" if course == COURSE else f" --course {shlex.quote(str(course))}"
    python = shlex.quote(str(_near(Path(sys.executable))))
    return f"{python} -m homework clear STUDENT ASSIGNMENT{own}"


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "release": _release,
    "collect": _collect,
    "grade": _grade,
    "clear": _clear,
    "status": _status,
}


def _say(text: object, file: TextIO | None = None) -> None:
    """Print what may hold a student's words: what would steer the terminal is spelled out."""
    shown = (
        sign if sign.isprintable() or sign in "\n\t" else sign.encode("unicode_escape").decode()
        for sign in str(text)
    )
    try:
        print("".join(shown), file=file, flush=True)
    except BrokenPipeError:
        # Who reads has had enough, as `head` has: the command goes on, and says the rest to nobody.
        os.dup2(os.open(os.devnull, os.O_WRONLY), (file or sys.stdout).fileno())


@contextmanager
def _alone(course: Path) -> Iterator[None]:
    """Be the only one who grades this course: two would write one gradebook."""
    with (course / "grade.lock").open("w") as file:
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise ValueError(f"{course} is being graded by another process.") from error
        yield


@contextmanager
def _log(course: Path) -> Iterator[None]:
    """Write what nbgrader says, which is much, into ``grade.log`` of the course's folder."""
    if not (course / "source").is_dir():
        raise ValueError(
            f"--course {course}: has no folder source/. To begin a course with copies of the "
            f"book's assignments, `{_make('homework', course)}` in a folder that is new or empty."
        )
    handler = logging.FileHandler(course / "grade.log", encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    warned = logging.getLogger("py.warnings")
    LOG.setLevel(logging.INFO)
    LOG.propagate = logging.raiseExceptions = False  # a log that cannot be written stops nothing
    logging.captureWarnings(capture=True)
    for logger in (LOG, warned):
        logger.addHandler(handler)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        for logger in (LOG, warned):
            logger.removeHandler(handler)
        handler.close()


def _open_streams() -> None:
    """Open what a shell has closed: else the next file, the gradebook maybe, is in its place."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("r+"))  # noqa: SIM115 - for good


if __name__ == "__main__":
    _open_streams()
    sys.exit(main())
