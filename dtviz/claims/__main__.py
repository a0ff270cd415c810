"""Print what each page displays beside what its check computes, as a table to be read.

``python -m dtviz.claims`` prints a row for each form that must hold; ``python -m dtviz.claims
6-pruning`` those of one page. The last column is the check's own word for what it computes, the
first line of its docstring, and where it stands.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator

from dtviz.claims import claims
from dtviz.claims.registry import Form
from dtviz.claims.rendering import code_of, computed_by
from dtviz.core.checks import shown


def rows(pages: set[str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the ID, the formula displayed, the label and the check of each form of some pages."""
    for claim in claims.values():
        if claim.page in pages:
            for form in claim.holds:
                yield claim.id, f"${form.formula}$" if form.formula else "", form.label, told(form)


def told(form: Form) -> str:
    """Tell what a check computes, in its own words."""
    words = inspect.getdoc(computed_by(form)) or ""
    place = code_of(form)
    return f"{words.partition(chr(10))[0]} ({place[0]}, line {place[1]})" if place else words


def main(pages: list[str]) -> int:
    """Print the table; 2 if there is no such page."""
    known = {claim.page for claim in claims.values()}
    if strange := sorted(set(pages) - known):
        sys.stderr.write(f"no page {shown(strange[0])}: name {', '.join(sorted(known))}\n")
        return 2
    sys.stdout.write("| claim | displayed | form | check |\n|---|---|---|---|\n")
    for row in rows(set(pages) or known):
        cells = " | ".join(cell.replace("|", r"\|") for cell in row)
        sys.stdout.write(f"| {cells} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
