"""From a zip of Canvas's or Moodle's to ``submitted/``: all is looked at before a file is written.

Nothing is unpacked by its name: a notebook is read from the zip, and written where its student's
belongs. How another system names files is a setting of nbgrader's, in ``nbgrader_config.py``:
``c.FileNameCollectorPlugin.named_regexp``, with the groups ``student_id`` (an id, address, number
or name of the roster), ``file_id`` (the notebook's name) and, if there is one, ``timestamp``.
"""

from __future__ import annotations

import re
import stat
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zoneinfo import ZoneInfo

from nbgrader.plugins import FileNameCollectorPlugin  # type: ignore[import-untyped]

from homework import ledger, marking, roster
from homework.marking import LARGEST, write_whole
from homework.zips import COLLECTED

NAMES = (
    r"(?P<name>[^/]+)_(?P<participant>\d+)_assignsubmission_[a-z]+(?:_?/(?:.*/)?|_)",
    r"(?P<unnumbered>[^/]+?)_(?P<late>LATE_)?(?P<lms_user_id>\d+)_(?P<upload>\d+)_",
    r"(?P<student_id>[^/]+)/(?:.*/)?",
)
"""What Moodle calls files (in folders or not), what Canvas does, and folders called by students;
the name of the student's own file follows. Whose it is says the first folder, or the name of a file
in none: what a student packed may hold folders that are called like another's."""

_PACKED = (".ipynb.txt", ".ipynb.json", ".zip")
"""What browsers and students make of a notebook's name."""

_WORKSHEET = {
    "email": "Email address",
    "lms_user_id": "ID number",
    "name": "Full name",
    "timestamp": "Last modified (submission)",
}

_HIDDEN = re.compile(r"__MACOSX/|(.*/)?\.[^/]*$")

# Of 2/3/2026 nobody knows the month; a third word would be taken for a time zone.
_CLEAR = re.compile(r"[A-Za-z]{3}|^\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class Found:
    """A file in the zip, and what is known of it: whose it is, its own name, perhaps its time."""

    info: ZipInfo
    fields: dict[str, str]

    @property
    def notebook(self) -> bool:
        """Whether its name is that of a notebook."""
        return self.info.filename.lower().endswith((".ipynb", *_PACKED))

    @property
    def upload(self) -> int:
        """Canvas's number, which grows with time."""
        return int(self.fields.get("upload") or 0)

    def named(self, assignment: str) -> bool:
        """Whether it is called as it should be, but for a number that a browser or Canvas adds."""
        name = rf"{re.escape(assignment)}([-_ ]?\(?\d+\)?)?\.(ipynb(\.txt|\.json)?|zip)"
        return re.fullmatch(name, self.fields["file_id"], re.IGNORECASE) is not None


@dataclass
class Plan:
    """What is to be written, what must be settled before, and what else to say.

    Attributes
    ----------
    at : datetime or None
        When all of it had been handed in.
    zone : ZoneInfo or None
        Whose clocks the times in names or in Moodle's worksheet are of. The zip's own times are
        not asked: Canvas and Moodle write there when it was downloaded.
    write : list of (student, file of the zip or None, time or None)
        Without a file, only the time is new.
    """

    at: datetime | None = None
    zone: ZoneInfo | None = None
    write: list[tuple[str, ZipInfo | None, datetime | None]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)

    def note(self, what: str, which: str) -> None:
        """Say of one more that ``what`` is so."""
        self.notes.setdefault(what, []).append(which)

    def time(self, found: Found) -> datetime | None:
        """When a file was handed in, if that is known, in UTC."""
        text = found.fields.get("timestamp", "")
        if self.at or not self.zone or not _CLEAR.search(text) or len(text.split()) == 3:
            return self.at
        fields = ledger.parsed_timestamp(text)
        return fields and fields.replace(tzinfo=self.zone).astimezone(UTC)


def worksheet(path: Path) -> dict[str, dict[str, str]]:
    """Read a grading worksheet of Moodle's: what it says by a participant's number.

    Raises
    ------
    ValueError
        If there is none, in English, or it is no UTF-8 text.
    """
    if not path.is_file():
        raise ValueError(f"--worksheet {path}: there is no such file.")
    return {
        row["Identifier"].split()[-1]: {key: row.get(name, "") for key, name in _WORKSHEET.items()}
        for _, row in roster.lines(path, (), ("Identifier",))
    }


def plan(  # noqa: PLR0913 - half are by keyword
    course: Path,
    archive: ZipFile,
    assignment: str,
    made: Plan,
    *,
    sheet: dict[str, dict[str, str]],
    config: Any,
) -> None:
    """Look at a zip, and plan what is to be done with it. Nothing is written.

    ``sheet`` is what `worksheet` gave, ``config`` nbgrader's settings; ``made`` is filled. A
    `ValueError` says that nobody is on the roster.
    """
    rows = roster.read(course)
    if not rows:
        raise ValueError(
            f"{course / 'roster.csv'}: must list the students, to know whose notebook is whose."
        )
    index = roster.index(rows)
    own = FileNameCollectorPlugin(config=config).named_regexp
    names = [own] if own else [f"{name}(?P<file_id>[^/]+)" for name in NAMES]
    by_student: dict[str, list[Found]] = {row["id"]: [] for row in rows}
    for info in archive.infolist():
        # What a Mac adds is nobody's work.
        if info.is_dir() or _HIDDEN.match(info.filename):
            continue
        matches = (re.fullmatch(name, info.filename) for name in names)
        fields = next((match.groupdict("") for match in matches if match), {})
        found = Found(info, fields | sheet.get(fields.get("participant", ""), {}))
        students = _who(found, index)
        if len(students) == 1:
            by_student[min(students)].append(found)
        elif found.notebook:
            who = " or ".join(sorted(students)) or "nobody"
            made.problems.append(f"{info.filename}: on the roster, this is {who}.")
        else:
            made.note("no notebook, left out", info.filename)
    for student, given in by_student.items():
        if chosen := _choose(made, student, given, assignment):
            _settle(made, course / "submitted" / student / assignment, archive, chosen)


def _who(found: Found, index: dict[tuple[str, str], set[str]]) -> set[str]:
    """Whom a file may be of: by the surest thing that is known of its student."""
    anything = found.fields.get("student_id", "")
    for key in (*roster.KEYS, "name", "unnumbered"):
        value = found.fields.get(key, anything)
        value = value.casefold() if key in roster.KEYS else roster.squashed(value)
        if students := index.get((key, value)):
            return students
    return set()


def _choose(made: Plan, student: str, given: list[Found], assignment: str) -> Found | None:
    """Of all that a student handed in, the notebook that counts: the latest."""
    books = [found for found in given if found.notebook]
    # A zip beside a notebook holds what else there is.
    books = [found for found in books if not found.info.filename.lower().endswith(".zip")] or books
    for found in given:
        if not found.notebook:
            made.note("no notebook, left out", found.info.filename)
    called = [found for found in books if found.named(assignment)] or books
    if not called:
        made.note("no notebook in the zip", student)
        return None
    latest = max(called, key=lambda found: found.upload)
    sources = {
        tuple(found.fields.get(key) for key in ("participant", *roster.KEYS, "student_id"))
        for found in books
    }
    if len(sources) > 1 or sum(found.upload == latest.upload for found in called) > 1:
        which = ", ".join(found.info.filename for found in called)
        made.problems.append(f"{student}: has several, none surely the latest: {which}.")
        return None
    for found in books:
        if found is not latest:
            made.note("not the latest, left out", found.info.filename)
    if not latest.named(assignment):
        made.note(f"not called {assignment}.ipynb, but taken for it", latest.info.filename)
    elif latest.info.filename.lower().endswith(_PACKED):
        made.note("a notebook zipped or with another ending, taken", latest.info.filename)
    if latest.fields.get("late"):
        made.note("late, says Canvas", student)
    return latest


def _settle(made: Plan, folder: Path, archive: ZipFile, found: Found) -> None:
    """Plan what is to be done with the notebook of a student who may have handed one in before."""
    student, time, info = folder.parent.name, made.time(found), found.info
    path = folder / f"{folder.name}.ipynb"
    if folder.is_symlink() or folder.parent.is_symlink():
        made.problems.append(f"{student}: {folder} is a link, which may lead out of the course.")
        return
    try:
        text = read(archive, info)
    except ValueError as error:
        made.problems.append(f"{student}: {error}")
        return
    there = path.read_bytes() if path.is_file() and not path.is_symlink() else None
    before = marking.submission(folder.parents[2], student, folder.name).timestamp
    old = ledger.parsed_timestamp(before)
    if there == text:
        made.note("unchanged", student)
        if time and not old:
            made.write.append((student, None, time))
    elif there is not None and time and old and time < old.replace(tzinfo=UTC):
        made.note("older than what is there, left out", info.filename)
    else:
        made.note("new" if there is None else "replaced", student)
        made.write.append((student, info, time))
        if time is None:
            made.note("no time known, so neither late nor in time (see --at, --zone)", student)


def read(archive: ZipFile, info: ZipInfo) -> bytes:
    """Read a file of a zip, of at most `homework.marking.LARGEST` bytes whatever it says of itself.

    Raises
    ------
    ValueError
        If it is a link, too large, broken, has a password, or is packed in an unusual way.
    """
    if stat.S_ISLNK(info.external_attr >> 16):
        raise ValueError(f"{info.filename} is a link.")
    # Of other ways to pack, a few bytes may become very many before anybody counts them.
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or info.flag_bits & 1:
        raise ValueError(f"{info.filename} has a password or is packed in an unusual way.")
    if info.file_size > LARGEST:
        raise ValueError(
            f"{info.filename} has {info.file_size // 2**20} MiB, more than {LARGEST // 2**20}."
        )
    try:
        with archive.open(info) as file:
            data = file.read(LARGEST)
        if info.filename.lower().endswith(".zip"):
            data = _packed(data, info.filename)
    except (BadZipFile, EOFError, OSError, zlib.error) as error:
        raise ValueError(f"{info.filename} is broken: {error}.") from error
    return data


def _packed(data: bytes, name: str) -> bytes:
    """Read the one notebook of a zip that a student made."""
    inner = ZipFile(BytesIO(data))
    books = [info for info in inner.infolist() if info.filename.lower().endswith(".ipynb")]
    books = [info for info in books if not _HIDDEN.match(info.filename)]
    if len(books) != 1:
        raise ValueError(f"{name} holds {len(books)} notebooks, must hold one.")
    return read(inner, books[0])


def write(course: Path, archive: ZipFile, assignment: str, made: Plan) -> None:
    """Do what is planned: notebooks, and the times where they are known."""
    for student, info, time in made.write:
        folder = course / "submitted" / student / assignment
        # The time of another notebook than this would be believed.
        (folder / "timestamp.txt").unlink(missing_ok=True)
        if info is not None:
            write_whole(folder / f"{assignment}.ipynb", read(archive, info))
            write_whole(folder / COLLECTED, f"{info.filename}\n")
        if time is not None:
            write_whole(folder / "timestamp.txt", f"{time:%Y-%m-%d %H:%M:%S} UTC\n")
