"""The twelve cards of hidden victory conditions, and whether a position fulfils them (27.opt.hidden_victory.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from referee.core.names import Seat
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD


class Card(msgspec.Struct, frozen=True):
    """What a card is worth, what it asks for, and the test of it on the final position."""

    points: int
    words: str
    fulfilled: Callable[[War, Seat], bool]


def _canal(war: War, seat: Seat) -> bool:
    return war.lands["Egypt"].owner == seat and len(war.canal) > 1


def _twice_the_fleets(war: War, seat: Seat) -> bool:
    """R27-93: with no fleet at all nobody has twice as many."""
    own = len(war.fleets_of(seat))
    return own > 0 and all(own >= 2 * len(war.fleets_of(other)) for other in war.seats if other != seat)


def _at_peace(war: War, seat: Seat) -> bool:
    return not any(war.at_war(seat, other) for other in war.living if other != seat)


def _conqueror(war: War, seat: Seat) -> bool:
    return any(war.fallen.get(victim) == seat for victim in war.out)


def _westernized(war: War, seat: Seat) -> bool:
    own = war.regions_of(seat)
    return bool(own) and all(land.westernized for land in own)


def _everywhere(war: War, seat: Seat) -> bool:
    return all(any(war.lands[name].owner == seat for name in names) for names in BOARD.zones.values())


def _whole(zone: str) -> Callable[[War, Seat], bool]:
    return lambda war, seat: all(war.lands[name].owner == seat for name in BOARD.zones[zone])


_ZONE = 70
CARDS: Mapping[str, Card] = {
    "Canal": Card(50, "Egypt is yours and the Suez Canal is complete", _canal),
    "Admiral": Card(60, "you have at least twice as many fleets as anybody else", _twice_the_fleets),
    "Peace": Card(90, "you are at peace with all surviving players", _at_peace),
    "Conqueror": Card(80, "the game ends by your conquest of another's empire", _conqueror),
    "Schoolmaster": Card(100, "all your regions are westernized", _westernized),
    "Globe": Card(120, "you hold a region in every zone", _everywhere),
    **{zone: Card(_ZONE, f"the whole of {zone} is yours", _whole(zone)) for zone in BOARD.zones},
}
"""Every card by its name."""


def cards_in_cup(war: War) -> dict[str, int]:
    """The cards that can still be drawn; that of the canal only where there can be one (R27-93)."""
    held = war.cards.values()
    return {name: 1 for name in CARDS if name not in held and (name != "Canal" or plays(war, "suez"))}


def card_points(war: War, seat: Seat) -> int:
    """What a player's card is worth to him in this position: all of it or nothing; nothing if it is not known."""
    card = CARDS.get(war.cards.get(seat, ""))
    return card.points if card and card.fulfilled(war, seat) else 0


def card_in_words(name: str) -> str:
    """`60 VP if you have at least ...`; a card that is not known is a card."""
    card = CARDS.get(name)
    return f"{card.points} VP if {card.words}" if card else "a card"
