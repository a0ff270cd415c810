"""What a cell printed, as a terminal would show it; nbclient's own way takes the square of a line.

nbclient looks for carriage returns by a regular expression that reads a line once for each of its
characters: minutes for a line of 990 kB, which `print(list(range(10**5)))` makes.
"""

from __future__ import annotations

from itertools import pairwise

from nbformat import NotebookNode


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join what a cell printed piece by piece: one output for each stream, stdout first.

    The outputs are those that nbclient makes with `coalesce_streams`.
    """
    pieces: dict[str, list[str]] = {}
    kept: list[NotebookNode] = []
    for output in outputs:
        if output["output_type"] != "stream":
            kept.append(output)
            continue
        if output["name"] not in pieces:
            kept.append(output)
        pieces.setdefault(output["name"], []).append(output["text"])
    streams = [output for output in kept if output["output_type"] == "stream"]
    for output in streams:
        lines = "".join(pieces[output["name"]]).split("\n")
        output["text"] = "\n".join(map(_overwritten, lines))
    for place, (one, other) in enumerate(pairwise(kept)):
        if _named(one, "stderr") and _named(other, "stdout"):
            kept[place : place + 2] = [other, one]
            break
    return kept


def _overwritten(line: str) -> str:
    """What is left of a line after its last carriage return that something follows."""
    return line[line.rfind("\r", 0, max(0, len(line) - 1)) + 1 :]


def _named(output: NotebookNode, name: str) -> bool:
    return bool(output["output_type"] == "stream" and output["name"] == name)
