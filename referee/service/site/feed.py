"""The feed of a match: its reports as news for whoever would rather be told than look (RFC 4287)."""

from __future__ import annotations

from urllib.parse import quote

import msgspec

from referee.service.office import Office
from referee.service.outgoing.site_address import page_of_match
from referee.service.site.match_page import FEED, SiteIndex, Turn

_NEWEST = 20
"""So many reports a feed has; older ones are on the front of the match."""


class News(msgspec.Struct, frozen=True):
    """A report in a feed."""

    id: str
    title: str
    said: str
    at: str
    page: str


class Feed(msgspec.Struct, frozen=True):
    """A feed; addresses are whole ones, as RFC 4287 has it. `of` is who writes it, `changed` is ISO 8601."""

    id: str
    title: str
    of: str
    changed: str
    page: str
    file: str
    news: tuple[News, ...]


def feed_of(office: Office, index: SiteIndex) -> Feed | None:
    """The feed of a match; None where nobody could follow it, because the site has no address."""
    home = page_of_match(office, index.match)
    if not home:
        return None
    id = f"tag:{office.host},{index.card.began[:10]}:{quote(index.match)}"
    news = tuple(_news(id, home, turn) for turn in index.turns[:_NEWEST])
    card = index.card
    return Feed(id, f"{index.match}: {index.game}", office.name, card.changed or card.began, home, home + FEED, news)


def _news(id: str, home: str, turn: Turn) -> News:
    title = f"{turn.title}, set aside by a rewind" if turn.set_aside else turn.title
    return News(
        f"{id}/{turn.file.removesuffix('.html')}", title, turn.said, max(turn.at, turn.set_aside), home + turn.file
    )
