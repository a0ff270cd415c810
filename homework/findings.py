"""What was found in a submission, besides its marks."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["restored", "suspicious", "stopped"]


@dataclass(frozen=True)
class Finding:
    """One thing found in a submission.

    Something of ours was changed and put back; code that may cheat; a limit ended a cell. ``cell``
    is the ``grade_id`` of the cell it is about, or ``""``; the message is for the instructor.
    """

    kind: Kind
    cell: str
    message: str

    @property
    def flag(self) -> bool:
        """Whether a person should look: a limit that ended a cell is a reason and no flag."""
        return self.kind != "stopped"

    def __str__(self) -> str:
        return f"{self.cell}: {self.message}" if self.cell else self.message
