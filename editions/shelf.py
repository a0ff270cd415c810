"""What stands beside the editions: the way to the latest, their list, and what machines ask for."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from editions.facts import order
from editions.page import ROOTED, Page

CARD = "edition.json"
LEADS = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url={to}">{head}
</head><body>
<p><a href="{to}">{title}</a></p>{more}
</body></html>
"""


def editions(output: Path) -> list[dict[str, Any]]:
    """Return what each edition in the folder says of itself, the newest first."""
    cards = (json.loads(path.read_text("utf-8")) for path in output.glob(f"[0-9]*/{CARD}"))
    return sorted(cards, key=lambda card: order(card["name"]), reverse=True)


def versions(cards: list[dict[str, Any]], output: Path | None = None) -> str:
    """Return the script that tells every page which editions there are, and which is the latest."""
    told = []
    for card in cards:
        entry = dict(card)
        archive = output / f"dtviz-{card['name']}.zip" if output else None
        if archive is not None and archive.is_file():
            entry["archive"] = {"name": archive.name, "bytes": archive.stat().st_size}
        told.append(entry)
    text = json.dumps({"latest": cards[0]["name"], "editions": told}, separators=(",", ":"))
    return f"globalThis.dtvizEditions={text};\n"


def leads(title: str, to: str, head: str = "", more: str = "") -> str:
    """Return a page that leads to another one."""
    return LEADS.format(title=html.escape(title), to=html.escape(to), head=head, more=more)


def front(title: str, cards: list[dict[str, Any]], address: str) -> str:
    """Return the page at the site's address: it leads to the latest edition, and names all."""
    items = "".join(
        f'<li><a href="{card["name"]}/index.html">Edition {card["name"]}</a> of {card["date"]},'
        f" version {html.escape(card['version'])}</li>"
        for card in cards
    )
    head = f'\n<link rel="canonical" href="{html.escape(address)}latest/book/index.html">'
    return leads(title, "latest/book/index.html", head if address else "", f"\n<ul>{items}</ul>")


def sitemap(pages: list[str], address: str, date: str) -> str:
    """Return the list of pages for search engines: those of the latest edition, which stay."""
    entries = "".join(
        f"<url><loc>{html.escape(f'{address}latest/{page}.html')}</loc>"
        f"<lastmod>{date}</lastmod></url>\n"
        for page in pages
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{entries}</urlset>\n"
    )


def robots(address: str) -> str:
    """Return what tells search engines where to look; nothing is forbidden."""
    where = f"Sitemap: {address}sitemap.xml\n" if address else ""
    return f"User-agent: *\nDisallow:\n{where}"


LOST = """
<div class="bd-search-container">
  <h1>There is no such page</h1>
  <p class="dtviz-lost">Nothing stands at this address; perhaps a page was renamed. Below is what
  the latest edition has on its words. You can also begin at the
  <a href="{front}">first page</a>.</p>
"""
RELATIVE = re.compile(r'(\s(?:href|src|action)=")(?![a-z][a-z0-9+.-]*:|/|#)([^"]*)"')


def not_found(search: Page, address: str) -> str:
    """Make of the page of search one that a server shows for any missing address.

    Nobody knows in which folder that address lies, so every link begins at the server's root; the
    site is at ``/`` where its address is not configured.
    """
    base = urlsplit(address).path or "/"
    latest = f"{base}latest/"
    text = RELATIVE.sub(lambda found: f'{found[1]}{latest}{found[2]}"', search.text)
    # Above the editions lies what all of them read.
    text = text.replace(f'"{latest}../', f'"{base}')
    rooted = f'root="{latest}"'
    text = ROOTED.sub(lambda found: found[0].replace(f'root="{found[2]}"', rooted), text)
    text = re.sub(r"<title>.*?</title>", "<title>There is no such page</title>", text, count=1)
    start = '<div class="bd-search-container">'
    lost = LOST.format(front=f"{latest}book/index.html")
    before, _, after = text.partition(start)
    after = after.replace("<h1>Search</h1>", "", 1)
    script = f'<script defer src="{latest}_static/lost.js"></script>\n</head>'
    head = '<meta name="robots" content="noindex">\n' + script
    return (before.replace("</head>", head, 1) + lost + after).lstrip()
