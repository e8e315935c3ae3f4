"""The players, as far as all may know: a list of them, and of each his matches, how they went, and how reliably he plays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from referee.core.names import Seat
from referee.core.page import Standing
from referee.service.people.reliability import Reliability
from referee.service.ports import Player
from referee.service.site.card import Card


class Part(msgspec.Struct, frozen=True):
    """A match somebody plays in: its card, his seat, and where that stands; None where nobody is ranked."""

    card: Card
    seat: str
    place: Standing | None


class PlayerPage(msgspec.Struct, frozen=True):
    """What the matches that are open to all tell of a player. `house` is the name of the house."""

    house: str
    name: str
    parts: tuple[Part, ...]
    won: int
    ended: int
    reliability: str


class Listed(msgspec.Struct, frozen=True):
    """A player in the list: the number of his page, and in how many matches he plays, has played to the end, and won."""

    player: int
    name: str
    live: int
    ended: int
    won: int


class PlayersPage(msgspec.Struct, frozen=True):
    """All players."""

    house: str
    players: tuple[Listed, ...]


def players_page(house: str, cards: Sequence[Card]) -> PlayersPage:
    """Everybody whom a card names with his page, by name."""
    return PlayersPage(house, tuple(_listed(cards, *known) for known in known_players(cards)))


def known_players(cards: Sequence[Card]) -> list[tuple[str, int]]:
    """The names and numbers of those who have a page, by name; of two names of one player that on the newest card."""
    found: dict[int, str] = {}
    for card in cards:
        for seated in card.seats:
            if seated.player:
                found.setdefault(seated.player, seated.name)
    return sorted(((name, player) for player, name in found.items()), key=lambda known: (known[0].casefold(), known[1]))


def _listed(cards: Sequence[Card], name: str, player: int) -> Listed:
    mine = [card for card in cards if any(seated.player == player for seated in card.seats)]
    over = [card for card in mine if card.over]
    won = sum(any(seated.player == player for seated in card.winners) for card in over)
    return Listed(player, name, len(mine) - len(over), len(over), won)


def player_page(house: str, player: Player, cards: Iterable[Card]) -> PlayerPage:
    """His page, of the cards that may be listed: none of them names him where nobody may know that he plays."""
    mine = [card for card in cards if any(seated.player == player.id for seated in card.seats)]
    parts = tuple(part for card in mine for part in _parts(card, player.id))
    ended = [part for part in parts if part.card.over and part.place]
    record = sum((card.records[player.id] for card in mine if player.id in card.records), Reliability())
    won = sum(part.seat in {seated.seat for seated in part.card.winners} for part in ended)
    return PlayerPage(house, player.name, parts, won, len(ended), record.sentence() if record.counted else "")


def _parts(card: Card, player: int) -> Iterable[Part]:
    places = {place.seat: place for place in card.tally.standings if card.tally.ranked}
    for seated in card.seats:
        if seated.player == player:
            yield Part(card, seated.seat, places.get(Seat(seated.seat)))
