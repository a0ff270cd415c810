"""One submission in, one record out: what is marked, how, and where the result is kept.

A record is plain JSON. It depends on nothing but the submission's text, the assignment and the
engine, so that it may be made anywhere, and it carries a key made of all three, so that nothing is
run twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache, lru_cache, partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NotRequired, TypedDict

import dtviz
from homework import child_process, examiner, sandbox
from homework.assignments import Assignment, load, names, source_path
from homework.bubblewrap import USUAL, Limits
from homework.findings import Finding
from homework.forbidden import calls
from homework.restore import Unreadable, restore
from homework.run import Executed, run
from homework.session import START

Status = Literal["marked", "unreadable", "failed"]

LARGEST = 20 * 2**20
"""Bytes of a submission that are read; a notebook of ours with its pictures has a hundredth."""

REMARKED = "remarked"
"""The folder of records that give other points than those that are published."""

TRIES = 4
"""Times that a submission is marked which ends what marks it, each time without one cell more."""

# They only read what was marked: a change to them makes no mark another.
_READERS = re.compile(
    r"(__main__|changes|collect|deadlines|feedback|formgrader|gradebook|sanitize|ledger"
    r"|nbgrader_config|options|zips|forked_imports|rehearsal|release|roster|shards|table)\.py"
)


class Record(TypedDict):
    """What marking one submission gave.

    ``work`` names text and assignment, ``key`` engine and limits besides. ``executed`` is that of
    ``homework.run.Executed.to_dict``, and None unless the status is "marked". "failed" is trouble
    of the machine, never the student's: it is no mark of zero. ``stopped`` are tests of ours that
    are broken, each with the reason: their questions have no points, whatever the run gave.
    """

    work: str
    key: str
    submission: str
    status: Status
    reason: str
    findings: list[dict[str, str]]
    executed: dict[str, Any] | None
    trace: NotRequired[str]
    stopped: NotRequired[dict[str, str]]


@dataclass(frozen=True)
class Submission:
    """A notebook handed in, or the reason why there is none to be read.

    ``fault`` says why the text could not be had; ``timestamp`` is what nbgrader's
    ``timestamp.txt`` beside it says. Both may be empty.
    """

    student: str
    name: str
    text: str
    fault: str = ""
    timestamp: str = ""


def assignment(name: str, course: Path) -> Assignment:
    """Read an assignment, once for as long as its source is the same. It must not be changed."""
    folder = source_path(name, course).parent
    stamps = tuple(sorted(file.stat().st_mtime_ns for file in folder.iterdir()))
    return _assignment(name, course, stamps)


@lru_cache(maxsize=64)
def _assignment(name: str, course: Path, _stamps: tuple[int, ...]) -> Assignment:
    return load(name, course)


def submissions(course: Path) -> Iterator[Submission]:
    """Yield all that is handed in, student by student, in order."""
    known = names(course)
    folder = course / "submitted"
    if not folder.is_dir():
        return
    for student in sorted(entry.name for entry in folder.iterdir() if entry.is_dir()):
        if student.startswith("."):
            continue
        for name in known:
            if (folder / student / name).is_dir():
                yield submission(course, student, name)


def strays(course: Path) -> list[str]:
    """Name what was put beside the places where submissions are looked for."""
    known, folder = names(course), course / "submitted"
    found = [entry for entry in folder.glob("[!.]*") if not entry.is_dir()]
    found += [
        entry
        for entry in folder.glob("[!.]*/[!.]*")
        if entry.name not in known or not entry.is_dir()
    ]
    return sorted(str(entry.relative_to(course)) for entry in found)


def submission(course: Path, student: str, name: str) -> Submission:
    """Read what one student handed in for one assignment."""
    folder = course / "submitted" / student / name
    text = fault = ""
    try:
        text = _text(folder, student, name)
    except Unreadable as error:
        fault = str(error)
    except OSError as error:
        fault = f"{name}.ipynb cannot be read: {error.strerror}."
    stamp = folder / "timestamp.txt"
    timestamp = stamp.read_text("utf-8", "replace").strip() if stamp.is_file() else ""
    return Submission(student, name, text, fault, timestamp)


def _text(folder: Path, student: str, name: str) -> str:
    """The submission's text, or an `Unreadable` that says what to do."""
    path = folder / f"{name}.ipynb"
    odd = student != student.strip() or student.startswith("-") or len(student) > 128
    if odd or not student.isprintable():
        raise Unreadable(
            f"The folder {student!r} cannot be a student's id: at most 128 printable characters, "
            "no space at either end, no hyphen at the beginning. Rename it."
        )
    # A link may point at what its owner must not read: feedback would show it.
    if path.is_symlink() or folder.is_symlink() or folder.parent.is_symlink():
        raise Unreadable(f"{path.name} is a link, not a file.")
    if path.exists() and not path.is_file():
        raise Unreadable(f"{path.name} is not a file.")
    if not path.is_file():
        others = sorted(other.name for other in folder.glob("*.ipynb"))
        there = f"there is {', '.join(others)}" if others else "there is no notebook"
        raise Unreadable(f"{path.name} is missing: {there}. The file must keep its name.")
    if path.stat().st_size > LARGEST:
        raise Unreadable(
            f"{path.name} has {path.stat().st_size // 2**20} MiB, more than {LARGEST // 2**20}. "
            "Clear its outputs and hand it in again."
        )
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path.name} is not UTF-8 text: {error}.") from error


@cache
def engine() -> str:
    """A hash of all the code that has a say in a mark: the engine's, and the library's."""
    digest = hashlib.sha256()
    folders = (Path(__file__).parent, Path(dtviz.__file__).parent)
    for folder, pattern in zip(folders, ("*.py", "**/*.py"), strict=True):
        for path in sorted(folder.glob(pattern)):
            if folder != folders[0] or not _READERS.fullmatch(path.name):
                digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def sha(*parts: str) -> str:
    """Hash texts, their borders included."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def work(submitted: Submission, assignment: Assignment) -> str:
    """Name what there is to mark: a submission, and the tests it must pass."""
    used = [
        (cell.id, cell.source if cell.cell_type == "code" else "", cell.metadata)
        for cell in assignment.grading.cells
        if cell.cell_type == "code" or cell.metadata.nbgrader.grade
    ]
    files = [(name, hashlib.sha256(data).hexdigest()) for name, data in assignment.files]
    info = json.dumps([used, files] if files else used, sort_keys=True)
    return sha(submitted.text, submitted.fault, assignment.name, info)


def key(submitted: Submission, assignment: Assignment, limits: Limits) -> str:
    """Name the marking of one submission: equal names, equal records."""
    limited = "" if submitted.fault else json.dumps(asdict(limits))
    return sha(work(submitted, assignment), engine(), limited)


def mark_apart(submitted: Submission, assignment: Assignment, limits: Limits = USUAL) -> Record:
    """Mark one submission in a process of its own, whose end harms no other; see `mark`.

    A cell in which that process ends, or falls silent, costs its question and a look by a person:
    the submission is marked once more, without it.

    Raises
    ------
    SandboxUnavailable
        If the submission cannot be shut in on this machine.
    """
    if limits.sandboxed and not submitted.fault:
        sandbox.check()
    left_out: dict[str, str] = {}
    for _ in range(TRIES):
        cells: list[str] = []
        try:
            with examiner.office(limits.memory + 2**30) as office:
                record: Record = child_process.call(
                    partial(mark, left_out=left_out),
                    submitted,
                    assignment,
                    limits,
                    office,
                    silence=START + 4 * limits.cell_seconds,
                    # Without a sandbox the kernel has the limit of the process that starts it.
                    memory=max(child_process.MEMORY, limits.memory + 2**30),
                    heard=cells.append,
                )
        except child_process.EndedError as error:
            reason = f"it could not be marked: {error}"
            if error.killed:
                return failed(submitted, assignment, limits, reason)
            if not cells:
                break
            left_out[cells[-1]] = f"ended what marks it: {error}"
        else:
            return record
    record = failed(submitted, assignment, limits, reason)
    # It would be so again, on any machine: a result, and no zero.
    record["status"] = "unreadable"
    return record


def mark(  # noqa: PLR0913 - half are by keyword
    submitted: Submission,
    assignment: Assignment,
    limits: Limits = USUAL,
    office: Connection | None = None,
    *,
    left_out: Mapping[str, str] = MappingProxyType({}),
    report: Callable[[str], object] = lambda _: None,
) -> Record:
    """Mark one submission, in this process.

    The parameters are those of `homework.run.run`; a cell that is left out is flagged. There is
    always a record, unless memory ends: trouble becomes one with the status "failed", to be tried
    again.
    """
    record = failed(submitted, assignment, limits, submitted.fault)
    record["status"] = "unreadable"
    if submitted.fault:
        return record
    try:
        notebook, restored = restore(submitted.text, assignment)
        found = (*restored, *calls(notebook))
        found += tuple(Finding("suspicious", *why) for why in left_out.items())
        executed = run(
            notebook,
            limits,
            files=assignment.files,
            left_out=left_out,
            report=report,
            office=office,
        )
        _without_chance(executed)
    except Unreadable as error:
        record["reason"] = str(error)
    except MemoryError:
        # What there is has been measured out, and the submission has used it up.
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it is ours and no zero
        record["status"] = "failed"
        record["reason"] = f"{type(error).__name__}: {error}"
        record["trace"] = traceback.format_exc()
    else:
        record["status"] = "marked"
        record["findings"] = [asdict(finding) for finding in (*found, *executed.findings)]
        record["executed"] = executed.to_dict()
    return record


def _without_chance(executed: Executed) -> None:
    """Drop what differs from run to run: when a cell ran, and what a dying kernel counted it as."""
    code = [cell for cell in executed.notebook["cells"] if cell["cell_type"] == "code"]
    for count, cell in enumerate(code, 1):
        cell["metadata"].pop("execution", None)
        cell["execution_count"] = count
        for output in cell["outputs"]:
            if "execution_count" in output:
                output["execution_count"] = count


def failed(submitted: Submission, assignment: Assignment, limits: Limits, reason: str) -> Record:
    """Make the record of a submission that has no marks, by trouble of the machine's."""
    return Record(
        work=work(submitted, assignment),
        key=key(submitted, assignment, limits),
        submission=sha(submitted.text, submitted.fault),
        status="failed",
        reason=reason,
        findings=[],
        executed=None,
    )


def findings(record: Record) -> tuple[Finding, ...]:
    """Return what was found, besides marks."""
    return tuple(Finding(**found) for found in record["findings"])  # type: ignore[arg-type]


def flags(record: Record) -> tuple[Finding, ...]:
    """Return what a person should look at."""
    return tuple(found for found in findings(record) if found.flag)


def record_path(course: Path, student: str, name: str) -> Path:
    """Where the record of a submission is kept."""
    return course / "marks" / student / f"{name}.json"


def load_record(course: Path, student: str, name: str) -> Record | None:
    """Read the record of a submission, if there is one."""
    try:
        record: Record = json.loads(record_path(course, student, name).read_bytes())
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    return record


def forget(course: Path, student: str, name: str) -> None:
    """Take away what was made of a submission, to be made again.

    The record goes last: a new one beside the old grades would pass for theirs. What a person
    decided is in the gradebook, and stays.
    """
    (course / "feedback" / student / name / f"{name}.html").unlink(missing_ok=True)
    (course / "autograded" / student / name / f"{name}.ipynb").unlink(missing_ok=True)
    record_path(course, student, name).unlink(missing_ok=True)


def save_record(course: Path, student: str, name: str, record: Record) -> None:
    """Keep the record: wholly or, if we are killed meanwhile, not at all."""
    write_whole(record_path(course, student, name), json.dumps(record, indent=1) + "\n")


_UMASK = os.umask(0)
os.umask(_UMASK)


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a file such that nobody ever sees a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(
                text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
            )
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_UMASK)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
