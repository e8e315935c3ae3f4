"""Four written strategies, to see what the rules of confidence do to them: each a plan of what a country does turn by turn."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.orders.opening import PlaceCapital
from referee.games.empire.orders.slot import RollOut
from referee.games.empire.state import Empire
from referee.games.empire.strategies import arms_first, at_once, goods_first, steady
from referee.games.empire.strategies.estate import Estate


class Strategy(msgspec.Struct, frozen=True):
    """A plan with its name and what it does, in a sentence."""

    name: str
    about: str
    plan: Callable[[Estate], None]


STRATEGIES: tuple[Strategy, ...] = (
    Strategy("steady growth", steady.ABOUT, steady.plan),
    Strategy("all at once", at_once.ABOUT, at_once.plan),
    Strategy("arms first", arms_first.ABOUT, arms_first.plan),
    Strategy("goods first", goods_first.ABOUT, goods_first.plan),
)
"""One for each seat of a game of four."""


def orders(empire: Empire, seat: Seat, strategy: Strategy) -> tuple[Intent, ...]:
    """The whole sheet of a slot: the plan for the seat's country, and the roll. Before the play the best free start."""
    if empire.stage != "play":
        return (PlaceCapital(empire.board.starts),)
    sheet: list[Intent] = []
    for country in empire.owned(seat):
        if any(city.country == country.name for city in empire.cities.values()):
            estate = Estate(empire, country.name)
            strategy.plan(estate)
            sheet += estate.sheet
    return (*sheet, RollOut())
