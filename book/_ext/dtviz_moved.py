"""Pages at the addresses of earlier editions, which lead to the new places: ``book/moved.yml``.

A part whose page stays has its old id beside its new one. Else the fragment of an address stays,
with whatever it sets an explorer to, and so does its query. From
disk no server redirects, so each old address is a small page with a script. Of the known tools,
sphinx-reredirects and sphinxext-rediraffe lead a page to a page: neither can lead six pages to six
sections of one, nor the parts of a page to different ones.
"""

from __future__ import annotations

import json
import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from docutils import nodes
from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

TABLE = Path(__file__).resolve().parents[1] / "moved.yml"

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="robots" content="noindex">
<script>
const places = {places};
const [page, section] = (places[location.hash] ?? places[""]).split("#");
const kept = location.hash in places ? "" : location.hash;
location.replace(page + location.search + (kept || (section ? "#" + section : "")));
</script>
</head>
<body>
<p><a href="{place}">This page has moved.</a></p>
</body>
</html>
"""

logger = logging.getLogger(__name__)


def moved() -> dict[str, dict[str, str]]:
    """Return the new places of each old page, by the fragments that have one of their own."""
    places: dict[str, dict[str, str]] = {}
    for old, new in yaml.safe_load(TABLE.read_text("utf-8")).items():
        page, mark, fragment = old.partition("#")
        places.setdefault(page, {})[mark + fragment] = new
    return places


def add_old_ids(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Let parts of a page that are named anew be found by their old ids, too."""
    del app
    page = docname.removeprefix("book/")
    for old, new in moved().get(page, {}).items():
        there, _, part = new.partition("#")
        found = [node for node in doctree.findall(nodes.Element) if part in node.get("ids", ())]
        if there == page and found:
            found[0]["ids"].append(old.removeprefix("#"))
        else:
            logger.warning("moved.yml: %s%s leads to %s, which is no part of it", page, old, new)


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of an old address that is still a page, and of a new one that is none."""
    del app
    for old, places in moved().items():
        if f"book/{old}" in env.found_docs and "" in places:
            logger.warning("moved.yml: %s has not moved", old)
        for new in places.values():
            if f"book/{new.partition('#')[0]}" not in env.found_docs:
                logger.warning("moved.yml: %s, for %s, is no page", new, old)


def address(old: str, new: str) -> str:
    """Return the address of a new place from the page of an old one."""
    page, mark, section = new.partition("#")
    return posixpath.relpath(f"{page}.html", posixpath.dirname(old) or ".") + mark + section


def write(app: Sphinx, exception: Exception | None) -> None:
    """Write a page at each old address."""
    if exception or app.builder.format != "html":
        return
    for old, places in moved().items():
        if "" not in places:
            continue
        links = {fragment: address(old, new) for fragment, new in places.items()}
        path = Path(app.outdir, "book", f"{old}.html")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = PAGE.replace("{places}", json.dumps(links)).replace("{place}", links[""])
        path.write_text(text, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Check the table with the other references, add old ids, and write the pages last."""
    app.connect("env-check-consistency", check)
    app.connect("doctree-resolved", add_old_ids)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
