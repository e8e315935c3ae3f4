"""Europe, colonies and local powers (27.opt.historical). Pure."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD, CHIT_VALUES
from referee.games.war.rulebook.pieces import BRIGADES, EXCLUSIVE, PARTIES

EUROPEAN = tuple(name for name in BOARD.zones["Europe"] if name not in ("Balkans", "Caucasus"))
"""27.opt.historical.european.1"""

COLONIAL_POWERS = ("China", "Japan", "India", "Egypt", "Ottoman")
"""Local powers outside Europe (27.opt.historical.powers.1)."""

COLONY = "colony"
"""What stands in a draft list for a random colony (27.opt.historical.setup.1)."""

_MORE = 2
_AT_THE_START = 5
_RESOURCE = 10


def is_colony(war: War, region: str) -> bool:
    """27.opt.historical.colonial.1"""
    return plays(war, "historical") and region not in EUROPEAN


def is_power(war: War, region: str) -> bool:
    """27.opt.historical.powers.1: whether its natives are a local power."""
    native = plays(war, "historical") and war.lands[region].owner is None
    return native and region in (*EUROPEAN, *COLONIAL_POWERS)


# ---------------------------------------------------------------- the set-up


def may_pick(war: War, seat: Seat, left: int) -> tuple[str, ...]:
    """27.opt.historical.setup.1, .2: free regions a seat may pick by name with so many picks left, this one included (R27-99)."""
    free = [land.name for land in war.regions_of(None)]
    homeless = [other for other in war.seats if other not in war.homes and other != seat]
    europe = [name for name in free if name in EUROPEAN]
    if seat in war.homes and len(europe) <= len(homeless):
        europe = []
    if seat not in war.homes and left == 1:
        return tuple(europe)
    own = [land.name for land in war.regions_of(seat) if land.name in EUROPEAN]
    near = {name for home in own for name in BOARD.regions[home].borders}
    return (*europe, *(name for name in free if name in near and name not in (*EUROPEAN, *COLONIAL_POWERS)))


def colonies_left(war: War, seat: Seat, left: int) -> tuple[str, ...]:
    """27.opt.historical.setup.1: what a random colony can be; none for the last pick of one without a home in Europe."""
    if seat not in war.homes and left == 1:
        return ()
    free = (land.name for land in war.regions_of(None))
    return tuple(name for name in free if name not in (*EUROPEAN, *COLONIAL_POWERS))


def placeable(war: War, seat: Seat, kind: str, region: str) -> bool:
    """27.opt.historical.setup.3, .5: buildings in Europe only; five units in a colony, besides the free infantry."""
    if not is_colony(war, region):
        return True
    if kind not in (*BRIGADES, *PARTIES):
        return False
    return war.lands[region].count(seat) - 1 < _AT_THE_START


def ten_worth(war: War) -> str | None:
    """27.opt.historical.setup.4: a chit of value 10 that is still in the cup."""
    return next((name for name, n in war.chits.items() if n and CHIT_VALUES[name] == _RESOURCE), None)


# ---------------------------------------------------------------- units


def units_allowed(war: War, region: str, new: int) -> int:
    """27.opt.historical.colonial.4 to .6: how many units a colony builds in a phase; `new` buildings do not help yet."""
    land = war.lands[region]
    old = sum(kind in EXCLUSIVE for kind in land.buildings) - new
    return _MORE + _MORE * (old > 0) + _MORE * land.westernized
