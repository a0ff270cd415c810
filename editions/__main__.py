"""Lay out the built book as an edition: ``python -m editions`` (`make site`)."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from editions import facts, notebooks
from editions.layout import FixedError, Plan, lay_out
from editions.policy import PolicyError

BUILD = facts.ROOT / "_build"


def repository() -> str:
    """Return the address of the repository that _config.yml names; empty where it names none."""
    told = yaml.safe_load((facts.ROOT / "_config.yml").read_text("utf-8"))
    return str((told.get("repository") or {}).get("url") or "")


def wheel(folder: Path, edition: facts.Edition) -> Path:
    """Build the package of this edition; ValueError if it is of another version."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(folder), str(facts.ROOT)], check=True)  # noqa: S603
    found = folder / notebooks.wheel_name(edition)
    if not found.is_file():
        raise ValueError(
            "CITATION.cff and dtviz/__init__.py must tell one version, got "
            f"{edition.version!r} and {', '.join(path.name for path in folder.glob('*.whl'))}"
        )
    return found


def options() -> argparse.Namespace:
    """Return what the command was given."""
    parser = argparse.ArgumentParser(prog="make site", description=__doc__)
    parser.add_argument("--book", type=Path, default=BUILD / "html", help="the built book")
    parser.add_argument("--output", type=Path, default=BUILD / "site", help="the site")
    parser.add_argument("--edition", default="", help="its name; the year of CITATION.cff if none")
    parser.add_argument("--address", default="", help="where the site will stand")
    parser.add_argument(
        "--replace", action="store_true", help="replace this edition, which nobody has seen"
    )
    return parser.parse_args()


def main() -> int:
    """Lay out the edition, and say what to open."""
    given = options()
    if not (given.book / "search.html").is_file():
        print(f"There is no built book in {given.book}: run make book", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        try:
            edition, address = facts.edition(given.edition), facts.address(given.address)
            source = repository()
            if source:
                notebooks.slug(source)
            package = wheel(Path(folder), edition)
            plan = Plan(given.book, given.output, edition, address, source, package)
            lay_out(plan, replace=given.replace)
        except (FixedError, PolicyError, ValueError) as error:
            print(f"make site: {error}", file=sys.stderr)
            return 1
    if not address:
        print(
            "No address is known, so canonical links, preview pictures and sitemap.xml are left "
            "out: set html: baseurl in _config.yml, or make site ADDRESS=https://host/folder/"
        )
    print(f"Edition {edition.name} stands in {given.output.resolve()}")
    print(f"Open this file in a browser: file://{given.output.resolve()}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
