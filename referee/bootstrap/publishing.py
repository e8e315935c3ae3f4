"""The site: the folder of a match and the pages of the house, written anew."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from referee.adapters.pages.site import Site
from referee.kit.missing import why_missing
from referee.service.base.office import Office
from referee.service.house.archive import archive_of
from referee.service.house.pages import house_pages
from referee.service.house.site import CARD


def publish(office: Office, site: Site, match: str) -> Path | None:
    """Write the archive folder of a match; its index page, or None for a match that has not begun, or whose game is missing."""
    with office.look() as at:
        row = at.step.match(match)
        if row is None or at.step.last_entry(match) is None or why_missing(office.games[row.game]):
            return None
        have = site.pages_of(match, office.renderer.dress())
        folder = archive_of(at, row, have, site.grown(match), housed=True)
    return site.publish(match, *folder)


def publish_home(office: Office, site: Site, changed: Collection[str]) -> None:
    """Write the pages of the house anew, and of its players those of the matches that `changed`."""
    with office.look() as at:
        pages = house_pages(at, site.kept(CARD), changed, site.there())
    site.publish_home(pages)
