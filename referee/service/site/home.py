"""The front of the house: every match that may be told of, who is awaited, where seats are free, what has ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from referee.mail import mailto_new
from referee.service.lobby.offered import easiest_first
from referee.service.lobby.who import known_matches
from referee.service.office import At, Office
from referee.service.ports import Step
from referee.service.site.card import Card, read_card
from referee.service.site.forming import Forming, forming_matches
from referee.service.site.people import known_players

_ENDED = 24
"""So many matches that have ended stand on the front; all of them have a page of their own."""


class GameName(msgspec.Struct, frozen=True):
    """A game: its name in orders, its title, what it is like."""

    name: str
    title: str
    about: str


class Home(msgspec.Struct, frozen=True):
    """The front of the house; `more` have ended besides those shown, and so many `players` are known here."""

    house: str
    address: str
    write: str
    live: tuple[Card, ...]
    forming: tuple[Forming, ...]
    ended: tuple[Card, ...]
    more: int
    games: tuple[GameName, ...]
    players: int = 0


class Ended(msgspec.Struct, frozen=True):
    """Every match that has ended."""

    house: str
    ended: tuple[Card, ...]


def listed_cards(step: Step, kept: Mapping[str, bytes]) -> tuple[Card, ...]:
    """The cards of the matches that strangers may be told of, the last to change first; kept under their names."""
    rows = {row.name for row in known_matches(step) if row.status != "forming"}
    cards = (read_card(data) for name, data in kept.items() if name in rows)
    found = [card for card in cards if card is not None and card.listed]
    return tuple(sorted(found, key=lambda card: (card.changed or card.began, card.match), reverse=True))


def home_of(at: At, cards: Sequence[Card]) -> Home:
    """The front of the house, of the cards of all its matches."""
    ended = [card for card in cards if card.over]
    return Home(
        at.office.name,
        at.office.address,
        mailto_new(at.office.address, "Hello", ("GAMES",)),
        tuple(sorted((card for card in cards if not card.over), key=_soonest)),
        forming_matches(at),
        tuple(ended[:_ENDED]),
        len(ended[_ENDED:]),
        tuple(GameName(game.name, game.title, game.about) for game in easiest_first(at.office)),
        len(known_players(cards)),
    )


def ended_of(office: Office, cards: Iterable[Card]) -> Ended:
    """All that have ended."""
    return Ended(office.name, tuple(card for card in cards if card.over))


def _soonest(card: Card) -> tuple[str, str]:
    """Those whose time ends soonest first; what waits for nobody's letter comes last."""
    return card.awaited.until or "9999", card.match
