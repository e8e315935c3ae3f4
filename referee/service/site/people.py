"""A player's page: the matches he is known to play in, how they went, and how reliably he plays, as far as all may know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from referee.service.people.reliability import Reliability
from referee.service.ports import Player
from referee.service.site.card import Card, Place


class Part(msgspec.Struct, frozen=True):
    """A match somebody plays in: its card, his seat, and where that stands; None where nobody is ranked."""

    card: Card
    seat: str
    place: Place | None


class PlayerPage(msgspec.Struct, frozen=True):
    """What the matches that are open to all tell of a player. `house` is the name of the house."""

    house: str
    name: str
    parts: tuple[Part, ...]
    won: int
    ended: int
    reliability: str


def player_page(house: str, player: Player, cards: Iterable[Card]) -> PlayerPage:
    """His page, of the cards that may be listed: none of them names him where nobody may know that he plays."""
    mine = [card for card in cards if any(seated.player == player.id for seated in card.seats)]
    parts = tuple(part for card in mine for part in _parts(card, player.id))
    ended = [part for part in parts if part.card.over and part.place]
    record = sum((card.records[player.id] for card in cards_with(mine, player.id)), Reliability())
    won = sum(part.seat in {seated.seat for seated in part.card.winners} for part in ended)
    return PlayerPage(house, player.name, parts, won, len(ended), record.sentence() if record.counted else "")


def cards_with(cards: Sequence[Card], player: int) -> list[Card]:
    """Those in which his slots were counted."""
    return [card for card in cards if player in card.records]


def _parts(card: Card, player: int) -> Iterable[Part]:
    places = {place.seat: place for place in card.places}
    for seated in card.seats:
        if seated.player == player:
            yield Part(card, seated.seat, places.get(seated.seat) if card.ranked else None)
