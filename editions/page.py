"""A page of the built book, as far as an edition must know it, and what an edition adds to it."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import NamedTuple

from editions.facts import Edition

TITLE = re.compile(r"<title>(.*?)(?: &#8212; .*?| — .*?)?</title>", re.DOTALL)
ROOTED = re.compile(r'(<html\b[^>]*\bdata-content_root="([^"]*)"[^>]*)>')
ROBOTS = re.compile(r'<meta name="robots" content="[^"]*noindex')
DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')
PICTURE = re.compile(r'<img\b[^>]*?\bsrc="([^"]+\.svg)"[^>]*>')
CANONICAL = re.compile(r'\s*<link rel="canonical" href="https?:[^"]*"\s*/?>')
BUTTONS = '<div class="article-header-buttons">'
LISTINGS = "book/checks/"


class Page(NamedTuple):
    """A page: its path in the site without ending, its text, and what that says of itself."""

    name: str
    text: str

    @property
    def root(self) -> str:
        """What leads from the page to the folder of its edition."""
        return "../" * self.name.count("/")

    @property
    def themed(self) -> bool:
        """Whether the page has the theme's frame; a page that only leads on has none."""
        return ROOTED.search(self.text) is not None

    @property
    def listed(self) -> bool:
        """Whether a search engine shall know the page."""
        hidden = self.name == "search" or self.name.startswith(LISTINGS)
        return self.themed and not hidden and not ROBOTS.search(self.text)

    @property
    def title(self) -> str:
        """What the page is called, without the name of the book."""
        found = TITLE.search(self.text)
        return html.unescape(found[1]).strip() if found else ""

    @property
    def description(self) -> str:
        """What the page says of itself in a sentence or two; empty where it does not."""
        found = DESCRIPTION.search(self.text)
        return html.unescape(found[1]) if found else ""

    @property
    def picture(self) -> str:
        """The first picture of the text, an explorer's or a figure, as a path in the edition."""
        article = self.text.partition("<article")[2].partition("</article>")[0]
        for found in PICTURE.finditer(article):
            folder, picture = Path(self.name).parent, found[1]
            if "only-dark" not in found[0] and not picture.startswith(("http", "data:")):
                steps: list[str] = []
                for part in (folder / picture).as_posix().split("/"):
                    steps = steps[:-1] if part == ".." else [*steps, part]
                return "/".join(steps)
        return ""


def meta(page: Page, edition: Edition, address: str, card: str) -> str:
    """Return what the head of a page tells machines; without an address, no more than it can."""
    told = [("og:type", "article"), ("og:title", page.title), ("og:site_name", edition.title)]
    if page.description:
        told.append(("og:description", page.description))
    lines = []
    if address:
        stable = f"{address}latest/{page.name}.html"
        lines.append(f'<link rel="canonical" href="{html.escape(stable)}">')
        told.append(("og:url", stable))
        if card:
            picture = f"{address}{edition.name}/{card}"
            told += [
                ("og:image", picture),
                ("og:image:width", "1200"),
                ("og:image:height", "630"),
                ("og:image:alt", f"{page.title}: a picture of the page."),
            ]
            lines.append('<meta name="twitter:card" content="summary_large_image">')
    lines += [f'<meta property="{name}" content="{html.escape(said)}">' for name, said in told]
    return "\n".join(lines)


SWITCH = """
<div class="dropdown dtviz-editions pst-js-only">
  <button class="btn btn-sm dropdown-toggle" type="button" data-bs-toggle="dropdown"
   aria-expanded="false" aria-label="Editions of this book; you read that of {name}">{name}</button>
  <ul class="dropdown-menu"></ul>
</div>
"""


def dressed(page: Page, edition: Edition, address: str, card: str, version: str) -> str:
    """Return the page as one of an edition: who it is, its switch, what it tells machines.

    ``version`` changes with the scripts of the editions, so that no browser keeps old ones.
    """
    text = CANONICAL.sub("", page.text)
    text = ROOTED.sub(rf'\1 data-edition="{edition.name}">', text, count=1)
    static = f"{page.root}_static/editions"
    head = "\n".join(
        [
            meta(page, edition, address, card) if page.listed else "",
            f'<link rel="stylesheet" href="{static}.css?v={version}">',
            # Above the editions, so that an old one learns of a newer.
            f'<script defer src="{page.root}../versions.js"></script>',
            f'<script defer src="{static}.js?v={version}"></script>',
            "</head>",
        ]
    )
    text = text.replace("</head>", head, 1)
    return text.replace(BUTTONS, BUTTONS + SWITCH.format(name=edition.name), 1)
