"""What both sides compute with: numbers of Python that the front end needs, too.

They stand in ``static/constants.js``, written from here by ``python -m dtviz.explorers.constants``;
a test holds the file to this list. What belongs to one explorer alone it sends in its own state.
"""

from __future__ import annotations

from pathlib import Path

from dtviz.core.tolerances import DROP_TIE, ROUNDING, SCORE_TIE

__all__ = ["EPSILON_STEP", "MOST_CHARACTERS", "MOST_VARIABLES", "SHARE_STEP", "constants_source"]

EPSILON_STEP = 0.005
"""The grid of the sliders of epsilon, from 0 to 1/2."""

SHARE_STEP = 0.01
"""The grid of the sliders of biases and other shares."""

MOST_VARIABLES = 6
"""The most variables of a function whose table the page draws, and lets the reader change."""

MOST_CHARACTERS = 4000
"""The most characters of a function as text: so many the page reads between two frames."""

FILE = Path(__file__).parent / "static" / "constants.js"


def constants_source() -> str:
    """Return the module of the front end that holds the constants."""
    values = {
        "SCORE_TIE": ("Weighted scores this close in proportion are tied.", SCORE_TIE),
        "DROP_TIE": ("Drops of a cost that is no sum of integers tie this close.", DROP_TIE),
        "ROUNDING": ("Sums are trusted this far, in proportion.", ROUNDING),
        "EPSILON_STEP": ("The grid of the sliders of epsilon.", EPSILON_STEP),
        "SHARE_STEP": ("The grid of the sliders of biases and other shares.", SHARE_STEP),
        "MOST_VARIABLES": ("The most variables of a function typed or drawn.", MOST_VARIABLES),
        "MOST_CHARACTERS": ("The most characters of a function typed.", MOST_CHARACTERS),
    }
    lines = [
        f"// {why}\nexport const {name} = {value!r};\n" for name, (why, value) in values.items()
    ]
    head = "// Written by python -m dtviz.explorers.constants: change that, not this.\n\n"
    return head + "\n".join(lines)


if __name__ == "__main__":
    FILE.write_text(constants_source(), encoding="utf-8")
