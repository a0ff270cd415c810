"""Make the PDF edition: ``make pdf``, or ``make pdf PAPER=letter``.

Sphinx writes LaTeX (book/_ext/dtviz_pdf.py); XeLaTeX sets it, as often as its references need. Both
papers are set from the same LaTeX. The PDF stands beside the site, which links to it when it is
built the next time. The same book gives the same bytes: its date is that of the last commit.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAPERS = {"a4": "decision-trees", "letter": "decision-trees-letter"}
PROGRAMS = {
    "xelatex": "texlive-xetex",
    "makeindex": "texlive-binaries",
    "kpsewhich": "texlive-binaries",
    "rsvg-convert": "librsvg2-bin",
}
FILES = {
    "unicode-math.sty": "texlive-latex-recommended",
    "polyglossia.sty": "texlive-latex-recommended",
    "tcolorbox.sty": "texlive-latex-extra",
    "titlesec.sty": "texlive-latex-extra",
    "pzdr.tfm": "texlive-fonts-recommended",
    "texgyrepagella-regular.otf": "fonts-texgyre",
    "texgyrepagella-math.otf": "fonts-texgyre-math",
}
MONO, MONO_PACKAGE = "DejaVu Sans Mono", "fonts-dejavu-core"
MOST_RUNS = 5
UNSTABLE = re.compile(r"Rerun to get|Label\(s\) may have changed|has changed\. Rerun|undefined ref")
BROKEN = re.compile(
    r"^(?:! .*|.*multiply.defined.*|.*undefined.*|Missing character.*)$", re.MULTILINE
)


def said(program: str, *arguments: str) -> str:
    """Return what a program prints; nothing where it fails, or is not there."""
    path = shutil.which(program)
    if path is None:
        return ""
    done = subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
    return "" if done.returncode else done.stdout.strip()


def missing() -> dict[str, str]:
    """Return what the edition needs and this machine lacks, each with Debian's package."""
    lacking = {name: package for name, package in PROGRAMS.items() if not shutil.which(name)}
    if "kpsewhich" not in lacking:
        lacking |= {name: pack for name, pack in FILES.items() if not said("kpsewhich", name)}
    if not said("fc-list", MONO):
        lacking[f"the font {MONO}"] = MONO_PACKAGE
    return lacking


def packages() -> list[str]:
    """Return Debian's packages that have it all: the one list, of which CI and Pages ask."""
    return sorted({*PROGRAMS.values(), *FILES.values(), MONO_PACKAGE})


def date() -> str:
    """Return the seconds of the last commit, so that a book is dated by its text."""
    own = os.environ.get("SOURCE_DATE_EPOCH")
    if own:
        return own
    return said("git", "-C", str(ROOT), "log", "-1", "--format=%ct") or "0"


def write_latex(output: Path, environment: dict[str, str], *, strict: bool) -> Path:
    """Let Sphinx write the LaTeX below a folder; pages that it knows are not read again."""
    code = "import gc; gc.set_threshold(200_000); from jupyter_book.cli.main import main; main()"
    options = ["--builder", "custom", "--custom-builder", "pdf", "--path-output", str(output)]
    command = [sys.executable, "-c", code, "build", str(ROOT), *options]
    subprocess.run(
        [*command, *(["-W", "-n", "--keep-going"] if strict else [])], env=environment, check=True
    )
    return output / "_build" / "pdf"


def follow(folder: Path, paper: str) -> None:
    """Begin with what TeX has learned on another paper: the pages of all papers are the same."""
    for other in set(PAPERS) - {paper}:
        for kind in ("aux", "toc", "out", "ind"):
            known, own = (folder / f"{PAPERS[name]}-draft.{kind}" for name in (other, paper))
            if known.exists() and (not own.exists() or own.stat().st_mtime < known.stat().st_mtime):
                shutil.copyfile(known, own)


def set_paper(folder: Path, paper: str, environment: dict[str, str]) -> Path:
    """Run XeLaTeX until nothing moves; returns the PDF.

    Raises
    ------
    SystemExit
        If TeX stops, or leaves a reference or a sign out.

    """
    # Under another name until it is whole: what stands beside the site is offered there.
    whole = folder / f"{PAPERS[paper]}.pdf"
    name = f"{PAPERS[paper]}-draft"
    source = rf"\def\dtvizpaper{{{paper}paper}}\input{{book}}"
    command = ["xelatex", "-interaction=nonstopmode", "-halt-on-error", f"-jobname={name}", source]
    log = folder / f"{name}.log"
    # TeX itself does not say when these move.
    lists = [folder / f"{name}.{kind}" for kind in ("toc", "ind")]
    follow(folder, paper)
    for run in range(MOST_RUNS):
        print(f"XeLaTeX, run {run + 1}: {PAPERS[paper]}", flush=True)
        printed = [path.read_bytes() for path in lists if path.exists()]
        done = subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False
        )
        told = log.read_text("utf-8", errors="replace")
        if done.returncode:
            break
        subprocess.run(
            ["makeindex", "-q", "-s", "python.ist", f"{name}.idx"],  # noqa: S607
            cwd=folder, env=environment, check=True,
        )  # fmt: skip
        if [path.read_bytes() for path in lists] == printed and not UNSTABLE.search(told):
            break
    if done.returncode or BROKEN.search(told) or UNSTABLE.search(told):
        sys.exit("\n".join([*BROKEN.findall(told)[:20], f"XeLaTeX has left faults: see {log}"]))
    log.replace(whole.with_suffix(".log"))
    return (folder / f"{name}.pdf").replace(whole)


def main() -> None:
    """Make the edition on one paper."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--paper", choices=PAPERS, default="a4")
    options.add_argument("--output", type=Path, default=ROOT, help="the folder that holds _build")
    options.add_argument("--strict", action="store_true", help="warnings are errors")
    options.add_argument("--packages", action="store_true", help="print what Debian must install")
    given = options.parse_args()
    if given.packages:
        print(*packages())
        return
    if lacking := missing():
        told = "".join(f"\n  {name} (package {package})" for name, package in lacking.items())
        needed = " ".join(sorted(set(lacking.values())))
        sys.exit(
            f"The PDF needs what is missing here:{told}\nOn Debian or Ubuntu: "
            f"sudo apt-get install --no-install-recommends {needed}"
        )
    environment = {**os.environ, "SOURCE_DATE_EPOCH": date(), "FORCE_SOURCE_DATE": "1", "TZ": "UTC"}
    folder = write_latex(given.output, environment, strict=given.strict)
    print(f"The book to print: {set_paper(folder, given.paper, environment)}")


if __name__ == "__main__":
    main()
