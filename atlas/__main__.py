"""Make the atlas: ``python -m atlas --help``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from atlas.making import WORK, Place, make

MAX_PROCESSES = 256
MAX_SAMPLE = 10_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with these arguments, or those of the process.

    Returned is 0 if the atlas was made, 1 if something does not agree, 2 if it cannot be made.
    """
    told = _parser().parse_args(arguments)
    try:
        make(
            Place(work=told.work) if told.to is None else Place(told.to, told.to, told.work),
            processes=told.processes,
            sample=told.sample,
            quiet=told.quiet,
            say=lambda line: print(line, flush=True),
        )
    except AssertionError as error:
        print(f"atlas: {error}. Nothing has been written.", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"atlas: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\natlas: stopped. The same command goes on from here.", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m atlas",
        description="Compute the atlas of all Boolean functions of up to 4 variables, and of the "
        "616,126 classes of 5. A run that was stopped goes on where it was.",
    )
    parser.add_argument(
        "--to", type=_folder, help="a folder for what else goes to dtviz/atlas and book/atlas/data"
    )
    parser.add_argument(
        "--work",
        type=_folder,
        default=WORK,
        help="where stage files are kept, and the tables of all columns go (_build/atlas)",
    )
    parser.add_argument(
        "--processes",
        type=_whole(1, MAX_PROCESSES),
        default=_processors(),
        help=f"how many compute at once ({_processors()})",
    )
    parser.add_argument(
        "--sample",
        type=_whole(0, MAX_SAMPLE),
        default=32,
        help="how many functions the literal algorithms check, of 4 variables and of 5 (32)",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    return parser


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(
                f"must be a whole number from {low} to {high}, got {text!r}"
            )
        return number

    return read


def _folder(text: str) -> Path:
    path = Path(text).expanduser()
    there = next((p for p in (path, *path.parents) if p.exists()), path)
    if not text or not there.is_dir():
        raise argparse.ArgumentTypeError(
            f"must be a folder or a path where one can be made, got {text!r}"
        )
    return path


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if __name__ == "__main__":
    sys.exit(main())
