"""Marching in Version 1.7 (17.move.land, R17-07)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.names import Seat
from referee.games.war.deeds.entry import cession_of
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.lots import Lot
from referee.games.war.deeds.marching import March
from referee.games.war.deeds.muster import kinds_of, merged, muster
from referee.games.war.deeds.ordered import Marching
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import Way, any_land_way, land_way
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BRIGADES, plural
from referee.games.war17.deeds.entry import check_entry
from referee.kit.refused import Refused


def plan_march(war: War, seat: Seat, order: Marching, strict: bool) -> March:
    """The march that an order means; with `strict` off it makes do with the units that can go."""
    lots = merged(order.lots)
    way = _way(war, seat, order)
    _check_steps(war, seat, order, way)
    for lot in lots:
        if way.cost > war.kinds[lot.kind].moves:
            why = f"The way to {order.target} costs {way.cost} MP; {plural(lot.kind)} have {war.kinds[lot.kind].moves}."
            raise Refused(why, "17.move.land.1", lot.kind)
    check_entry(war, seat, way.target, [lot.kind for lot in lots])

    def written(left: Sequence[Lot]) -> str:
        return line_of(order.but(lots=tuple(left)))

    stacks = muster(war, seat, order.origin, lots, way.cost, strict, written)
    check_entry(war, seat, way.target, kinds_of(stacks))
    owner = war.lands[way.target].owner
    return March(way, stacks, owner not in (None, seat) and cession_of(war, seat, way.target) is not None)


def _way(war: War, seat: Seat, order: Marching) -> Way:
    """17.board.2, 17.board.5, 17.move.land.1."""
    for place in (order.origin, order.target, *order.via):
        if BOARD.is_sea(place):
            raise Refused(f"Land units go to sea only aboard fleets: {place}.", "17.board.2", place)
    if {order.origin, *order.via} == {order.target}:
        raise Refused(f"The units are in {order.target} already.", "17.move.land.1", order.target)
    way = land_way(war, seat, order.origin, order.target, order.via)
    if way is not None:
        return way
    if {order.origin, order.target} == {"Spain", "Morocco"}:
        raise Refused("There is no passage by land between Spain and Morocco.", "17.board.5", order.target)
    through = any_land_way(war, seat, order.origin, order.target)
    if through is None:
        raise Refused(f"No way by land leads from {order.origin} to {order.target}.", "17.board.2", order.target)
    foreign = [name for name in through.places[1:-1] if war.lands[name].owner != seat]
    why = f"The way to {order.target} leads through {', '.join(foreign)}; land of others is crossed only where VIA names it."
    raise Refused(why, "17.move.land.4", order.target)


def _check_steps(war: War, seat: Seat, order: Marching, way: Way) -> None:
    """17.move.land.3: units stop at enemies, brigades in native regions."""
    for place in way.places[1:-1]:
        owner = war.lands[place].owner
        if owner is None and any(lot.kind in BRIGADES for lot in order.lots):
            raise Refused(f"Brigades that enter {place}, which is native, stop there.", "17.move.land.3", place)
        if owner not in (None, seat) and war.at_war(seat, owner):
            raise Refused(f"Units that enter {place}, which is {owner}'s, stop there.", "17.move.land.3", place)
