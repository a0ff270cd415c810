"""Write requirements*.txt: the exact versions that pip picks today for what pyproject.toml names.

Run with ``make pins``, then ``make test`` before committing the result.
"""

from __future__ import annotations

import subprocess
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADER = """\
# {purpose}: the versions it was tested with.
# Written by `make pins` from pyproject.toml; change that, not this.
"""


def freeze(python: Path, *requirements: str) -> set[str]:
    """Install ``requirements`` and return every pin of the environment they leave."""
    subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements], check=True)
    listed = subprocess.run(
        [python, "-m", "pip", "freeze", "--exclude", "dtviz"],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(listed.stdout.splitlines())


def write(name: str, purpose: str, pins: set[str]) -> None:
    """Store the pins in ``name``, sorted."""
    body = "\n".join(sorted(pins, key=str.lower))
    (ROOT / name).write_text(f"{HEADER.format(purpose=purpose)}{body}\n", "utf-8")
    print(f"{name}: {len(pins)} pins")


def main() -> None:
    """Resolve the book, grading and tests on top of it, and, apart from these, the benchmarks."""
    with tempfile.TemporaryDirectory() as folder:
        book, bench = Path(folder, "book"), Path(folder, "bench")
        for environment in (book, bench):
            venv.create(environment, with_pip=True)
        pins = freeze(book / "bin" / "python", "hatchling", "editables", f"{ROOT}[book]")
        write("requirements.txt", "Everything that `make book` and `make lab` need", pins)
        graders = freeze(book / "bin" / "python", f"{ROOT}[homework]") - pins
        write("requirements-homework.txt", "What grading needs besides requirements.txt", graders)
        tests = freeze(book / "bin" / "python", f"{ROOT}[test]") - pins - graders
        write("requirements-test.txt", "What `make test` needs besides the two above", tests)
        peers = freeze(bench / "bin" / "python", f"{ROOT}[bench]")
        write("requirements-bench.txt", "The peers that `make bench` races against", peers)


if __name__ == "__main__":
    main()
