"""Lay the built book out as an edition, beside those that are there already."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from editions import archive, cards, notebooks, shelf
from editions.facts import Edition
from editions.page import LISTINGS, Page, dressed
from editions.policy import Mover, digest

STATIC = Path(__file__).parent / "static"
NOT_PUBLISHED = {".buildinfo", "webpack-macros.html"}
PREVIEWS = "_static/previews"


class FixedError(ValueError):
    """An edition that is laid out already would change."""


class Plan(NamedTuple):
    """What is laid out, and where."""

    book: Path
    """The built book."""
    output: Path
    """The site: the folder of all editions."""
    edition: Edition
    address: str = ""
    """Where the site will stand; empty where nobody has said."""
    repository: str = ""
    wheel: Path | None = None
    """The package of this edition, which the notebooks install."""
    pictures: bool = True


def lay_out(plan: Plan, *, replace: bool = False, say: Callable[[str], object] = print) -> Path:
    """Lay out an edition, and return its folder.

    Raises
    ------
    FixedError
        If the edition is there with other files, and is not to be replaced.

    """
    target = plan.output / plan.edition.name
    part = plan.output / f".{plan.edition.name}.part"
    shutil.rmtree(part, ignore_errors=True)
    plan.output.mkdir(parents=True, exist_ok=True)
    try:
        _write_edition(plan, part)
        before, now = _digests(target), _digests(part)
        if before and before != now:
            changed = sorted(name for name in before | now if before.get(name) != now.get(name))
            if not replace:
                raise FixedError(_refusal(plan.edition, changed))
            say(f"Edition {plan.edition.name} is replaced: {len(changed)} files changed.")
        if before != now:
            _exchange(part, target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    archive.write(target, plan.edition, plan.output / f"dtviz-{plan.edition.name}.zip")
    _write_shelf(plan)
    return target


def _refusal(edition: Edition, changed: list[str]) -> str:
    some = ", ".join(changed[:3]) + (", ..." if len(changed) > 3 else "")
    return (
        f"edition {edition.name} is laid out already and would change in {len(changed)} files "
        f"({some}). What is published stays as it is. Another year has an edition of its "
        "own: renew date-released in CITATION.cff, and the version there and in dtviz/__init__.py. "
        "A second one of a year has a name: make site EDITION=2026b. If this one was "
        "never published: make site ARGS=--replace"
    )


# -- the edition -----------------------------------------------------------------------------------


def _write_edition(plan: Plan, site: Path) -> None:
    shutil.copytree(
        plan.book, site, ignore=lambda _, names: NOT_PUBLISHED & set(names), symlinks=False
    )
    for path in STATIC.iterdir():
        shutil.copyfile(path, site / "_static" / path.name)
    version = digest("".join(path.read_text("utf-8") for path in sorted(STATIC.iterdir())))[:8]
    mover = Mover(site)
    pages: list[str] = []
    for page in _pages(site):
        card = ""
        if plan.pictures and page.listed:
            card = cards.write(page, _picture(page, site), site, plan.edition)
        text = page.text
        if page.themed:
            text = dressed(page, plan.edition, plan.address, card, version)
            pages += [] if page.name.startswith(LISTINGS) else [page.name]
        text = mover.moved(page.name, text, page.root)
        (site / f"{page.name}.html").write_text(text, "utf-8")
    # Previews of links hold pieces of pages, in strings.
    for path in sorted((site / PREVIEWS).rglob("*.js")):
        path.write_text(mover.quoted(path.read_text("utf-8")), "utf-8")
    mover.write()
    if plan.wheel is not None:
        shutil.copyfile(plan.wheel, site / plan.wheel.name)
    if plan.repository:
        notebooks.write(site, plan.repository, plan.edition)
    edition = plan.edition
    told = {
        "name": edition.name,
        "version": edition.version,
        "date": edition.date,
        "pages": pages,
    }
    (site / shelf.CARD).write_text(json.dumps(told), "utf-8")


def _picture(page: Page, site: Path) -> str:
    """Return the first picture of the page, of the first page of its chapter, or of the book."""
    for name in (page.name, f"{Path(page.name).parent.as_posix()}/index", "book/index"):
        path = site / f"{name}.html"
        if path.is_file() and (picture := Page(name, path.read_text("utf-8")).picture):
            return (site / picture).read_text("utf-8")
    return ""


def _pages(site: Path) -> Iterator[Page]:
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).with_suffix("").as_posix()
        if not name.startswith("_static/"):
            yield Page(name, path.read_text("utf-8"))


def _digests(folder: Path) -> dict[str, str]:
    """Return what each file of a folder holds, in few words."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


# -- beside the editions ---------------------------------------------------------------------------


def _write_shelf(plan: Plan) -> None:
    output, address = plan.output, plan.address
    known = shelf.editions(output)
    newest = output / known[0]["name"]
    _link(newest, output / "latest")
    search = Page("search", (newest / "search.html").read_text("utf-8"))
    files = {
        "versions.js": shelf.versions(known, output),
        "index.html": shelf.front(plan.edition.title, known, address),
        "404.html": shelf.not_found(search, address),
        "robots.txt": shelf.robots(address),
        # GitHub would leave out the folders whose names begin with a line.
        ".nojekyll": "",
    }
    if address:
        listed = [
            page
            for page in known[0]["pages"]
            if Page(page, (newest / f"{page}.html").read_text("utf-8")).listed
        ]
        files["sitemap.xml"] = shelf.sitemap(listed, address, known[0]["date"])
    else:
        (output / "sitemap.xml").unlink(missing_ok=True)
    for name, text in files.items():
        (output / name).write_text(text, "utf-8")


def _exchange(part: Path, target: Path) -> None:
    """Put ``part`` in the place of ``target``: at every moment one of them is there in whole."""
    old = target.with_name(f".{target.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    part.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def _link(source: Path, target: Path) -> None:
    """Make ``target`` a second name for the files of ``source``, or copies where there are none."""
    part = target.with_name(f".{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)

    def same(one: str, other: str) -> str:
        try:
            os.link(one, other)
        except OSError:
            shutil.copyfile(one, other)
        return other

    shutil.copytree(source, part, copy_function=same)
    _exchange(part, target)
