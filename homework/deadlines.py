"""When work is due, for whom, and what being late costs.

``deadlines.csv`` of the course's folder has the columns assignment, student and due. A row without
a student is everybody's deadline, one with a student an extension::

    assignment,student,due
    1-influence,,2026-03-02 23:59 Europe/Berlin
    1-influence,ada,2026-03-05 23:59 Europe/Berlin
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from nbgrader.plugins import LateSubmissionPlugin  # type: ignore[import-untyped]
from traitlets import TraitError, Unicode, validate

from homework import roster

COLUMNS = ("assignment", "student", "due")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?)(?: +(\S+))?")
_RULE = re.compile(
    r"(\d+(?:\.\d+)?)(%| points?) per (day|hour)"
    r"(?:, grace (\d+) minutes?)?(?:, floor (\d+(?:\.\d+)?)%)?"
)
_SECONDS = {"hour": 3600, "day": 86400}


@dataclass
class Due:
    """When an assignment is due: for all, and for those who have an extension."""

    day: datetime
    own: dict[str, datetime] = field(default_factory=dict)


def zone(name: str, what: str) -> ZoneInfo:
    """Find a time zone; ``what`` says in the error whose name it is.

    Raises
    ------
    ValueError
        If there is none of this name. Short ones as EST, which know no summer, are refused.
    """
    try:
        if "/" in name or name == "UTC":
            return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        pass
    raise ValueError(f"{what}: must name a time zone, such as Europe/Berlin or UTC, not {name!r}.")


def moment(text: str, what: str) -> datetime:
    """Read a time such as ``2026-03-02 23:59 Europe/Berlin``.

    What the clocks show twice, when summer ends, is the second time.

    Raises
    ------
    ValueError
        If it is none, has no time zone, or is left out by the clocks when summer begins.
    """
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError(f"{what}: {text!r} must read like 2026-03-02 23:59 Europe/Berlin.")
    place = zone(found[2] or "", f"{what}: {text!r}")
    try:
        info = datetime.fromisoformat(found[1]).replace(tzinfo=place, fold=1)
    except ValueError as error:
        raise ValueError(f"{what}: {text!r}: {error}.") from error
    if info.astimezone(UTC).astimezone(place).replace(tzinfo=None) != info.replace(tzinfo=None):
        raise ValueError(f"{what}: {text!r} does not exist there: the clocks skip it.")
    return info.astimezone(UTC)


def read(course: Path, assignments: Collection[str], students: Collection[str]) -> dict[str, Due]:
    """Read ``deadlines.csv``, by assignment; nothing if there is no such file.

    ``students`` are the ids there are; any is taken if it is empty.

    Raises
    ------
    ValueError
        If an assignment or a student is not there or has two rows; a time is none or has no time
        zone; or an extension ends before the deadline, or there is none.
    """
    path = course / "deadlines.csv"
    info: dict[tuple[str, str], tuple[str, datetime]] = {}
    for where, row in roster.lines(path, COLUMNS, ("assignment", "due")):
        name, student = row["assignment"], row.get("student", "")
        if name not in assignments:
            known = ", ".join(assignments)
            raise ValueError(f"{where}: assignment {name!r}: there is none; there are {known}.")
        if student and students and student not in students:
            raise ValueError(f"{where}: student {student}: is not on the roster.")
        if (name, student) in info:
            first = info[name, student][0].rpartition(" ")[2]
            raise ValueError(f"{where}: {name} {student} has a row already, line {first}.")
        info[name, student] = where, moment(row["due"], f"{where}: due")
    due = {name: Due(day) for (name, student), (_, day) in info.items() if not student}
    for (name, student), (where, day) in info.items():
        if student:
            if name not in due or day < due[name].day:
                raise ValueError(
                    f"{where}: the extension of {student} must not end before the deadline "
                    f"for all, which needs a row of {name} without a student."
                )
            due[name].own[student] = day
    return due


def enter(book: Any, deadlines: Mapping[str, Due], handed_in: Collection[tuple[str, str]]) -> None:
    """Enter in an open gradebook the deadlines, and the extensions of those who have handed in.

    An assignment that is not in ``deadlines`` keeps what formgrader says.
    """
    for name, due in deadlines.items():
        book.update_or_create_assignment(name, duedate=due.day)
        for student, of in handed_in:
            if of == name and student in due.own:
                book.update_or_create_student(student)
                book.update_or_create_submission(name, student)
        for submitted in book.assignment_submissions(name):
            own = due.own.get(submitted.student_id)
            submitted.extension = own and own - due.day
        book.db.commit()


class LatePenalty(LateSubmissionPlugin):  # type: ignore[misc]
    """A penalty that grows with the days or hours, each that has begun in full."""

    rule = Unicode(
        help="such as '10% per day, grace 15 minutes, floor 50%' or '2 points per hour': what each "
        "day begun takes of the points that were earned; up to how late nothing is taken; what is "
        "left at least of what was earned. Empty: as penalty_method says."
    ).tag(config=True)

    @validate("rule")
    def _check(self, proposal: Any) -> str:
        rule: str = proposal["value"].strip()
        found = _RULE.fullmatch(rule)
        if rule and (found is None or float(found[5] or 0) > 100):
            raise TraitError(
                f"c.LatePenalty.rule: {rule!r} must read like '10% per day, grace 15 minutes, "
                "floor 50%': a rate in % or points, per day or hour; grace and floor as you like."
            )
        return rule

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """Return the points that are taken; None if none are."""
        found = _RULE.fullmatch(self.rule)
        if found is None:
            return super().late_submission_penalty(student_id, score, total_seconds_late)  # type: ignore[no-any-return]
        rate, unit, period, grace, floor = found.groups()
        if total_seconds_late <= 60 * int(grace or 0):
            return None
        taken = math.ceil(total_seconds_late / _SECONDS[period]) * float(rate)
        taken *= score / 100 if unit == "%" else 1
        return min(taken, score * (1 - float(floor or 0) / 100))
