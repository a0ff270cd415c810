"""Addresses of earlier editions lead to the new places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml
from support import site as checks
from support import web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

MOVED = yaml.safe_load((checks.ROOT / "book/moved.yml").read_text("utf-8"))
STATE = "#dtviz-influence?influence.epsilon=0.1"


def landing(page: Page, address: str) -> str:
    """Return where an address leads."""
    page.goto("about:blank")
    page.goto(address, wait_until="commit")
    page.wait_for_selector("article", state="attached")
    return page.url


def test_every_old_address_leads_to_its_new_place_from_disk(
    site: Path, visit: Callable[..., web.Visit]
) -> None:
    """With the fragment that it had; of each page one part that moved, the others by their ids."""
    page = visit("about:blank").page
    page.route(re.compile(r"\.(js|css|png|svg|woff2)\b"), lambda route: route.abort())
    followed = set()
    for old, new in MOVED.items():
        name, mark, part = old.partition("#")
        there, _, section = new.partition("#")
        target = site / f"book/{there}.html"
        ids = [section, part] if there == name else [section] if section else []
        assert all(target.read_text("utf-8").count(f'id="{each}"') == 1 for each in ids), old
        if there != name and (name, mark) not in followed:
            followed.add((name, mark))
            address = (site / f"book/{name}.html").as_uri()
            leads_to = target.as_uri()
            assert landing(page, address + mark + part) == leads_to + new[len(there) :]
    assert landing(page, address + STATE) == leads_to + STATE


def test_a_state_in_an_old_link_sets_the_explorer(
    site: Path, visit: Callable[..., web.Visit]
) -> None:
    state = "#dtviz-influence?influence.function=parity(5)"
    page = visit((site / "book/1-influence.html").as_uri() + state).page
    page.wait_for_url(f"**/book/1-influence/index.html{state}")
    page.wait_for_function(
        "document.querySelector('[data-explorer]').textContent.includes('parity(5)')"
    )


def test_a_query_is_kept_too(site_url: str, visit: Callable[..., web.Visit]) -> None:
    place = "?highlight=cost#rank-repaired"
    there = landing(visit("about:blank").page, f"{site_url}/book/2-rank/9-sources.html{place}")
    assert there == f"{site_url}/book/sources.html{place}"


def test_without_scripts_a_link_leads_there(site: Path, visit: Callable[..., web.Visit]) -> None:
    page = visit((site / "book/2-rank/9-sources.html").as_uri(), javascript=False).page
    page.get_by_role("link").click()
    assert page.url == (site / "book/sources.html").as_uri() + "#rank-notes"
