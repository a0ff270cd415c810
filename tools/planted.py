"""Plant faults one at a time, and report which test catches each: ``make planted ARGS=rank``.

The faults stand in ``tests/planted.toml``; ``--random 100`` draws changes of one token. Each is
made in a copy of the tree, where the tests that run the changed line are run, the quickest first,
up to the first that fails. ``make planted-map`` records which of the unit tests runs which line.

mutmut and cosmic-ray plant no faults written by hand, know no JavaScript, and choose tests by the
function they call (mutmut) or not at all (cosmic-ray).
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from itertools import compress
from pathlib import Path
from typing import NamedTuple

from tools.faults import FAULTS, ROOT, Fault, draw, read_faults
from tools.line_map import BUILD, PYTEST, Map, copy_tree, file_of

RECORD = "book/claims.json"
LIMIT = 'ulimit -t "$1" -d 8000000; shift; exec "$@"'
"""A fault may loop: seconds of a processor, and memory."""


class Result(NamedTuple):
    """What became of a fault: the test that failed, and how; none if it survived."""

    killed_by: str = ""
    error: str = ""
    seconds: float = 0


def run_tests(tree: Path, tests: list[str], named: str, seconds: float) -> Result | None:
    """Run tests in their order up to one that fails: the result, or none if all pass."""
    only = tree / "only.json"
    only.write_text(json.dumps(tests), "utf-8")
    env = os.environ | {"PYTHONPATH": str(tree)} | ({} if named else {"LINE_MAP_ONLY": str(only)})
    # A claim must turn red by itself, not because its numbers are not those of the record.
    alone = ["--renew-claims"] if named.startswith("tests/claims/") else []
    files = [named] if named else [*dict.fromkeys(map(file_of, tests))]
    command = ["sh", "-c", LIMIT, "sh", str(int(20 + 4 * seconds)), *PYTEST, "-x", "--tb=no"]
    command += [*alone, *files]
    done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)
    shutil.copy2(ROOT / RECORD, tree / RECORD)
    # Or none of them is there any more.
    if done.returncode in {0, 5}:
        return None
    found = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - (.*))?$", done.stdout, re.MULTILINE)
    if done.returncode == 1 and found:
        return Result(found[1], found[2] or "")
    why = "takes too long" if done.returncode < 0 else (done.stdout + done.stderr)[-300:]
    return Result(found[1] if found else "no test", why)


def plant(fault: Fault, tree: Path, known: Map, without: tuple[str, ...] = ()) -> Result:
    """Make a change in a copy of the tree, run the tests that may see it, and undo it."""
    path, start = tree / fault.file, time.perf_counter()
    sound = path.read_text("utf-8")
    named = fault.test if not without or not fault.test.startswith(without) else ""
    direct = known.tests(fault.file, fault.lines())
    batches = [[named]] if named else [*known.batches(fault.file, direct, without)]
    path.write_text(sound.replace(fault.old, fault.new), "utf-8")
    try:
        for tests in batches:
            seconds = sum(known.seconds.get(test, 30) for test in tests)
            if result := run_tests(tree, tests, named, seconds):
                break
        else:
            result = Result(error="" if batches else "no test runs this line")
        return result._replace(seconds=round(time.perf_counter() - start, 1))
    finally:
        path.write_text(sound, "utf-8")
        # Both forms may be of one size and of one second.
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
            compiled.unlink()


def judge(fault: Fault, tree: Path, known: Map, without: tuple[str, ...]) -> Result:
    """Plant a fault; if it survives without some tests, find out whether these catch it."""
    result = plant(fault, tree, known, without)
    if without and not result.killed_by:
        alone = plant(fault, tree, known).killed_by
        return result._replace(error=f"only {alone} catches it" if alone else "survives anyway")
    return result


def choose(asked: argparse.Namespace, known: Map) -> list[Fault]:
    """Read or draw the faults that are asked for."""
    homes = tuple(home + room for room in asked.rooms or [""] for home in ("", "dtviz/", "tests/"))
    if asked.random:
        texts = {
            file: (
                (ROOT / file).read_text("utf-8"),
                {k for k, of in known.by_line(file).items() if of},
            )
            for file in sorted(known.files)
            if file.startswith(homes)
        }
        faults = [Fault(file, *change) for file, change in draw(texts, asked.random, asked.seed)]
    else:
        faults = [f for f in read_faults(asked.list) if f.file.startswith(homes)]
    if without := tuple(asked.without):
        seen = ({f.test} if f.test else known.tests(f.file, f.lines()) for f in faults)
        needed = [any(test.startswith(without) for test in tests) for tests in seen]
        faults = list(compress(faults, needed))
    return faults[: asked.only]


def main() -> None:
    """Plant what is asked for, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("rooms", nargs="*", help="folders or files: core/cart, dtviz/rank/find.py, claims/rank")
    add("--only", type=int, metavar="N", help="at most so many faults")
    add("--random", type=int, metavar="N", help="draw so many changes of one token instead")
    add("--seed", type=int, default=0)
    add("--list", type=Path, default=FAULTS, help="another list, or the table of an earlier run")
    add("--without", nargs="+", default=[], metavar="TEST", help="files or tests to leave out")
    add("--jobs", type=int, default=1)
    add("--table", type=Path, default=BUILD / "table.csv")
    asked = parser.parse_args()
    known = Map(BUILD / "map")
    faults = choose(asked, known)
    trees: list[Path] = []

    def attempt(fault: Fault) -> Result:
        tree = trees.pop()
        result = judge(fault, tree, known, tuple(asked.without))
        trees.append(tree)
        return result

    with ExitStack() as stack, asked.table.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow((*Fault._fields, *Result._fields))
        folders = [tempfile.TemporaryDirectory(dir=BUILD) for _ in range(asked.jobs)]
        trees += [copy_tree(stack.enter_context(folder)) for folder in folders]
        workers = stack.enter_context(ThreadPoolExecutor(asked.jobs))
        tried = {workers.submit(attempt, fault): fault for fault in faults}
        for done in as_completed(tried):
            fault, result = tried[done], done.result()
            table.writerow((*fault, *result))
            file.flush()
            said = f"{result.killed_by or 'SURVIVED'} {result.error[:60]}"
            print(f"{result.seconds:5.0f} s  {fault.file}: {fault.breaks}: {said}", flush=True)
    print(f"{len(faults)} faults are in {asked.table}")


if __name__ == "__main__":
    main()
