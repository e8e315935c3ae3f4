"""Four written strategies, to see what the rules of confidence do to them: each a plan of what a country does turn by turn."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.bots.estate import Estate
from referee.games.empire.bots.land import arm, quarter
from referee.games.empire.bots.workshop import Workshop, cart, haul
from referee.games.empire.orders.opening import PlaceCapital
from referee.games.empire.orders.slot import RollOut
from referee.games.empire.position.state import Empire


class Strategy(msgspec.Struct, frozen=True):
    """A plan with its name and what it does, in a sentence."""

    name: str
    about: str
    plan: Callable[[Estate], None]


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


# ---------------------------------------------------------------- steady growth

_STEADY = {
    1: ("power station", "beer distillery"),
    2: ("motor works",),
    3: ("steel mill",),
    4: ("building materials factory",),
    5: ("cargo shipyard",),
    6: ("beer distillery",),
}
"""The works of the capital, by the turn from which each is wanted."""


def _steady(estate: Estate) -> None:
    """A few new squares, a work or two and some goods every turn, so that no turn is without new EDU."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    estate.consume()
    _gather(estate)
    estate.feed(more=6 if estate.turn > 1 else 0)
    if estate.turn % 3 == 2:
        estate.colony()
    wanted = [name for turn, works in _STEADY.items() if turn <= estate.turn for name in works]
    estate.build(*estate.lacking(*wanted))
    shop.goods(most=2)
    shop.steel(keep=2)
    shop.machines()
    estate.open_up(3 if estate.turn == 1 else 2, estate.scarce("C", "Fe", "O", "Rr", "Cu"))


def _gather(estate: Estate) -> None:
    """What only costs is given up, and what lies about comes home."""
    estate.prune()
    haul(estate)
    cart(estate)


# ---------------------------------------------------------------- all at once

_AT_ONCE = (
    "power station",
    "steel mill",
    "motor works",
    "building materials factory",
    "tool and die works",
    "beer distillery",
)
"""Six works for the six machines of the start."""


def _at_once(estate: Estate) -> None:
    """Everybody and every machine to work on the first turn; what grows after that grows by what this brings."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    estate.consume()
    _gather(estate)
    estate.feed()
    if estate.turn in (2, 3):
        estate.colony()
        estate.colony()
    estate.build(*estate.lacking(*_AT_ONCE))
    shop.steel(keep=2)
    shop.machines()
    shop.goods()
    estate.open_up(99)


# ---------------------------------------------------------------- arms first

_ARMS = ("small arms works", "power station", "steel mill", "small arms works")
"""In the order of their beginning."""


def _arms_first(estate: Estate) -> None:
    """Squares for steel and chemicals, small arms works, and everybody under arms for whom there are any; no goods."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    quarter(estate)
    arm(estate)
    _gather(estate)
    estate.feed()
    estate.build(*estate.lacking(*_ARMS))
    if estate.turn % 3 == 2:
        estate.colony()
    shop.arms()
    shop.steel(keep=2)
    estate.only(4 if estate.turn == 1 else 1, estate.scarce("X", "Fe", "C"))


# ---------------------------------------------------------------- goods first

_GOODS = ("power station", "motor works", "beer distillery", "cargo shipyard", "steel mill", "beer distillery")


def _goods_first(estate: Estate) -> None:
    """The works that make consumer goods on turn 1, and goods consumed in every turn from the third on."""
    shop = Workshop(estate)
    estate.pick("truck", "truck")
    estate.consume()
    _gather(estate)
    estate.feed(more=6)
    estate.build(*estate.lacking(*_GOODS))
    shop.goods()
    shop.steel(keep=1)
    if estate.turn % 4 == 3:
        estate.colony()
    estate.open_up(3 if estate.turn == 1 else 1, estate.scarce("Rr", "O", "Fe", "C", "Cu"))


# ---------------------------------------------------------------- all four


STRATEGIES: tuple[Strategy, ...] = (
    Strategy(
        "steady growth",
        "Feeds everybody, opens two resource squares and begins a work each turn, founds a colony every third, makes goods.",
        _steady,
    ),
    Strategy(
        "all at once",
        "Opens every square within reach and uses every machine on turn 1, founds all colonies on turns 2 and 3, then makes goods.",
        _at_once,
    ),
    Strategy(
        "arms first",
        "Opens what steel and chemicals need, builds small arms works from turn 1, arms all it can; makes no goods.",
        _arms_first,
    ),
    Strategy(
        "goods first",
        "Builds motor works, shipyard and distilleries on turn 1, opens what they need, and makes and consumes goods every turn.",
        _goods_first,
    ),
)
"""One for each seat of a game of four."""
