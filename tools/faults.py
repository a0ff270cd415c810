"""Faults to be planted: the list in ``tests/planted.toml``, and changes of one token at random."""

from __future__ import annotations

import csv
import io
import random
import re
import tokenize
import tomllib
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = ["FAULTS", "ROOT", "Fault", "changes_of", "draw", "read_faults"]

ROOT = Path(__file__).resolve().parents[1]
FAULTS = ROOT / "tests/planted.toml"


class Fault(NamedTuple):
    """A change of a file; ``test`` must catch it, or if none is named, any test of the line."""

    file: str
    old: str
    new: str
    breaks: str
    test: str = ""

    def lines(self) -> range:
        """Return the lines that differ."""
        before, _, _ = (ROOT / self.file).read_text("utf-8").partition(self.old)
        old, new = self.old.split("\n"), self.new.split("\n")
        same = [a == b for a, b in zip(old, new, strict=False)]
        first = before.count("\n") + 1 + (same.index(False) if False in same else 0)
        return range(first, first + max(1, len(old) - sum(same)))


def read_faults(path: Path) -> list[Fault]:
    """Read the list, or the table of an earlier run."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            return [Fault(*(row[name] for name in Fault._fields)) for row in csv.DictReader(file)]
    tables = tomllib.loads(path.read_text("utf-8"))
    return [Fault(file, **entry) for file, entries in tables.items() for entry in entries]


SIGNS = "+ -  < <=  > >=  == !=  === !==  && ||  += -=  << >>  & |"
WORDS = (
    "and or  True False  true false  min max  argmin argmax  any all  floor ceil  continue break"
)
SWAPS: dict[str, str] = {}
for pair in f"{SIGNS}  {WORDS}".split("  "):
    one, _, other = pair.partition(" ")
    SWAPS |= {one: other, other: one}
SWAPS |= {"*": "+", "/": "*", "//": "*", "%": "*", "**": "*", "*=": "+=", "not": "", "!": ""}
"""What stands in for a token; for a whole number, the next one does."""
SCRIPT = re.compile(
    r"(?P<skip>//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`"
    r"|(?:import|export)\b[^;{(]*\{[^}]*\}\s*from\b|(?:import|export)\s*\*)"
    r"|[A-Za-z_$][\w$]*|\d[\w.]*|[=!]==|\*\*|=>|\+\+|--|\?\?|[-+*/<>=!]=|&&|\|\||<<|>>>?"
    r"|[-+*/%<>!&|]",
    re.DOTALL,
)

Change = tuple[str, str, str]
"""A piece of text that stands once in its file, what is put in its place, and what differs."""


def tokens_of(text: str, *, script: bool) -> Iterator[tuple[int, str]]:
    """List the tokens of a program with their places."""
    if script:
        yield from ((m.start(), m[0]) for m in SCRIPT.finditer(text) if not m["skip"])
        return
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        yield starts[token.start[0] - 1] + token.start[1], token.string


def changes_of(text: str, lines: Container[int], *, script: bool) -> Iterator[Change]:
    """Find the changes of one token on some lines."""
    for start, old in tokens_of(text, script=script):
        new = str(int(old) + 1) if re.fullmatch("0|[1-9][0-9]*", old) else SWAPS.get(old)
        before, after = text[:start], text[start + len(old) :]
        # A star or a minus with nothing before it, or a bar of types, joins no two values.
        bare = old in {"*", "**", "+", "-"} and before.rstrip()[-1:] in set("(,=[{:")
        bare |= old == "|" and after.startswith(" None")
        if new is not None and before.count("\n") + 1 in lines and not bare:
            head, tail = before.rpartition("\n")[2], after.partition("\n")[0]
            while text.count(head + old + tail) > 1:
                head = before[: -len(head) - 1].rpartition("\n")[2] + "\n" + head
            yield head + old + tail, head + new + tail, f"{old} -> {new}"


def draw(
    files: Mapping[str, tuple[str, Container[int]]], number: int, seed: int
) -> list[tuple[str, Change]]:
    """Draw so many changes of files: each has its text, and the lines that may be changed."""
    every = [
        (file, change)
        for file, (text, lines) in files.items()
        for change in changes_of(text, lines, script=file.endswith(".js"))
    ]
    return random.Random(seed).sample(every, min(number, len(every)))  # noqa: S311
