"""Who is in the course: ``roster.csv``, and who is meant by a name, a number or an address."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

NAMED = 20
"""So many strangers are named: who is meant takes a while to find in a large class."""

COLUMNS = ("id", "first_name", "last_name", "email", "lms_user_id")
KEYS = ("id", "email", "lms_user_id")
"""Of these no two students have the same."""


def read(course: Path) -> list[dict[str, str]]:
    """Read ``roster.csv``, a row for each student; nobody if there is no such file.

    Raises
    ------
    ValueError
        If a column has another name, a row no id, one that can name no folder, or more values than
        columns; if two rows have the same id, address or number; or if the file is no UTF-8 text.
    """
    known: dict[tuple[str, str], int] = {}
    students = []
    for where, info in lines(course / "roster.csv", COLUMNS, ("id",)):
        student = info["id"]
        if not student.isprintable() or "/" in student or student[0] in ".-" or len(student) > 128:
            raise ValueError(
                f"{where}: the id {student!r} names a folder: at most 128 printable characters, no "
                "/, no dot or hyphen at the beginning."
            )
        line = int(where.rpartition(" ")[2])
        for column in KEYS:
            value = info.get(column, "")
            if value and known.setdefault((column, value.casefold()), line) != line:
                before = known[column, value.casefold()]
                raise ValueError(f"{where}: {value!r} has a row already, line {before}.")
        students.append(info)
    return students


def lines(
    path: Path, columns: tuple[str, ...], needed: tuple[str, ...] = ()
) -> Iterator[tuple[str, dict[str, str]]]:
    """Read a CSV file of the course, each row after its place; nothing if there is no file.

    Raises
    ------
    ValueError
        If the first line names other ``columns`` (if there are any to choose from), one twice, or
        not all that are ``needed``; if a row has more values, or none where it is needed; or if the
        file is no UTF-8 text.
    """
    if not path.is_file():
        return
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, restkey="", strict=True)
            names = [*(reader.fieldnames or ())]
            rows = [(f"{path}, line {reader.line_num}", row) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path}: {error}. Save it as CSV in UTF-8.") from error
    if not {*needed} <= {*names} <= {*(columns or names)} or len({*names}) < len(names):
        raise ValueError(
            f"{path}: its first line must name columns among {', '.join(columns or names)}, each "
            f"at most once, {' and '.join(needed)} always; it is {names}."
        )
    for where, row in rows:
        if "" in row:
            raise ValueError(f"{where}: has more values than there are columns.")
        info = {name: (value or "").strip() for name, value in row.items()}
        for name in needed if any(info.values()) else ():
            if not info[name]:
                raise ValueError(f"{where}: has no {name}.")
        if any(info.values()):
            yield where, info


def squashed(name: str) -> str:
    """What is left of a name whatever a system makes of it: letters and digits, without accents."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def index(rows: list[dict[str, str]]) -> dict[tuple[str, str], set[str]]:
    """Who is meant by what: ids by a column of `KEYS`, or "name", and what is there.

    A name, `squashed`, has the first name first or last. Under "unnumbered" are the names of those
    alone who have no ``lms_user_id``.
    """
    found: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        first, last = row.get("first_name", ""), row.get("last_name", "")
        keys = {(column, row.get(column, "").casefold()) for column in KEYS}
        for kind in ("name",) if row.get("lms_user_id") else ("name", "unnumbered"):
            keys |= {(kind, squashed(first + last)), (kind, squashed(last + first))}
        for key in keys:
            if key[1]:
                found.setdefault(key, set()).add(row["id"])
    return found


def strangers(rows: list[dict[str, str]], submitted: Iterable[str]) -> str:
    """Name who handed in but is not on the roster, the first with who may be meant.

    It is empty if all are there, or there is no roster.
    """
    students = [row["id"] for row in rows]
    unknown = sorted({*submitted}.difference(students)) if students else []
    near = {student: get_close_matches(student, students, n=1) for student in unknown[:NAMED]}
    info = [student + "".join(f" ({other}?)" for other in near[student]) for student in near]
    return some(info + unknown[NAMED:])


def some(which: list[str], most: int = NAMED) -> str:
    """List the first of many."""
    more = [f"and {len(which) - most} more"] if len(which) > most else []
    return ", ".join(which[:most] + more)
