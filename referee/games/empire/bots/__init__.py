"""Players without a person: strategies (what they come to: `docs/balance-empire.md`), and random players, who waver between them.

A random player serves tables that want a dummy and tests of the rules: a strategy of this turn, war as far as he has arms,
and before all that a few orders out of what is lawful.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.bots.afield import arming, campaign, cruises, errands, outings, raids
from referee.games.empire.bots.estate import Estate
from referee.games.empire.bots.strategies import STRATEGIES
from referee.games.empire.orders import BOOK
from referee.games.empire.orders.base import SLOT, Execute, RollOut
from referee.games.empire.orders.zero_turn import PlaceCapital, TakePicks
from referee.games.empire.position import Board
from referee.games.empire.position.state import Country, Empire

_OFTEN, _WHIMS = 3, tuple(verb for verb in BOOK.verbs_of(SLOT) if verb not in ("EXECUTE", "ROLL OUT"))
"""One time in so many each of these is among what a random player does on a whim."""

_UNDOING = ("ABANDON", "APPOINT", "BALKANIZE", "BURN", "DESTROY", "DISARM")

_HOW_OFTEN = {"MOVE": 12, "BUILD": 5, "LOAD": 5, "ARM": 8, "PUMP": 1, **dict.fromkeys(_UNDOING, 12)}
"""Verbs that take long to choose, and those that undo others, come more seldom; verbs that can hardly ever be used come whenever
they can."""

_RESERVE = 6
"""Food a turn that he grows beyond what is eaten: his whims cost some."""

_WARLIKE = 2
"""One time in so many he feeds his people and makes what war takes, instead of what his strategy says."""


def suggest(empire: Empire, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
    """A sheet for a seat's slot, ended by rolling out; before the play squares for the capital. Nearly all of it is lawful."""
    if empire.stage != "play":
        return (PlaceCapital(_sites(empire.board, pick)),)
    verbs = (verb for verb in _WHIMS if not pick(_HOW_OFTEN.get(verb, _OFTEN)))
    sheet = list(BOOK.suggest(lambda _: empire, seat, verbs, pick))
    for country in empire.owned(seat):
        sheet += _country(empire, country, sheet, pick)
    return (*sheet, *((Execute(),) if not pick(8) else ()), RollOut())


def _country(empire: Empire, country: Country, whims: Sequence[Intent], pick: Pick) -> Iterator[Intent]:
    """A strategy for who is not spoken for, not always the same; then what it leaves to chance."""
    if any(city.country == country.name for city in empire.cities.values()):
        estate = Estate(empire, country.name, {number for order in whims for number in _named(order)}, _RESERVE)
        habit = empire.seats.index(country.owner) + (0 if pick(4) else pick(len(STRATEGIES)))
        if pick(_WARLIKE):
            STRATEGIES[habit % len(STRATEGIES)].plan(estate)
        else:
            estate.feed()
            arming(estate, pick)
        errands(estate, pick)
        picked = any(isinstance(order, TakePicks) for order in whims)
        yield from (order for order in estate.sheet if not (picked and isinstance(order, TakePicks)))
    yield from cruises(empire, country, pick)
    yield from raids(empire, country, pick)
    yield from campaign(empire, country, pick)
    yield from outings(empire, country, pick)


def _named(order: Intent) -> tuple[int, ...]:
    """The units that an order names by number."""
    return (*getattr(order, "units", ()), getattr(order, "unit", 0))


def _sites(board: Board, pick: Pick) -> tuple[str, ...]:
    """The natural starts in a random order, then squares of plain."""
    plain = [name for name, square in board.squares.items() if square.terrain == "plain"] or list(board.squares)
    left = list(board.starts)
    starts = [left.pop(pick(len(left))) for _ in board.starts]
    return tuple(dict.fromkeys((*starts, *(plain[pick(len(plain))] for _ in range(8)))))
