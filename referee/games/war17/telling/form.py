"""The next order sheet of Version 1.7, half filled in."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.names import Seat
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.muster import exactly
from referee.games.war.orders.opening.setting_up import DraftRegions
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BRIGADES, BUILDINGS, LAND_UNITS
from referee.games.war.telling.form import offers
from referee.games.war17.orders.movement import MoveUnits17
from referee.games.war17.orders.production import BuildBuilding17, BuildUnits17, DevelopResource17
from referee.games.war17.rulebook.pieces import BUILDING_PRICE, KINDS17
from referee.kit.wording import counted, in_a_row

_MOST_LINES = 60
_SAVED = 30
"""PP that the proposed purchase keeps for what the engineer builds first."""


def order_form(war: War, seat: Seat) -> tuple[str, ...]:
    """Lines to be edited and sent back; those that begin with # are only advice."""
    if seat in war.out or war.stage == "over":
        return ()
    if war.stage == "setup":
        lines = _purchase(war, seat) if war.treasuries[seat].pp else _draft(war, seat)
    else:
        lines = _production(war, seat) if war.stage == "production" else _movement(war, seat)
    return (*tuple(lines)[:_MOST_LINES], *offers(war, seat))


def _draft(war: War, seat: Seat) -> Iterator[str]:
    number = war.start.regions
    yield f"# You pick {counted(number, 'regions')} in turns with the others: rank as many as you like, best first."
    yield from map(line_of, DraftRegions.proposed(war, seat))


def _purchase(war: War, seat: Seat) -> Iterator[str]:
    own = war.regions_of(seat)
    prices = ", ".join(f"{kind} {data.price}" for kind, data in KINDS17.items())
    yield f"# You have {war.treasuries[seat].pp} PP and hold {in_a_row([land.name for land in own])}."
    yield f"# Prices: {prices}; any building {BUILDING_PRICE}. What you do not spend is saved."
    yield "# A school needs a city in its region; one of city, factory, port, railroad in a region."
    others = BUILDING_PRICE + KINDS17["engineer"].price + KINDS17["explorer"].price
    brigades = (war.treasuries[seat].pp - others - _SAVED) // KINDS17["infantry"].price
    if own and brigades > 0:
        pieces = f"1 city, {brigades} infantry, 1 engineer, 1 explorer"
        yield f"BUY {pieces}"
        yield f"PLACE {pieces} IN {own[0].name}"


def _production(war: War, seat: Seat) -> Iterator[str]:
    pp = war.treasuries[seat].pp
    yield f"# You have {pp} PP, this turn's income included. Buildings and resources need an engineer in the region."
    for land in war.regions_of(seat):
        works = (DevelopResource17(land.name), *(BuildBuilding17(kind, land.name) for kind in BUILDINGS))
        yield from (f"# {line_of(order)}" for order in works if order.lawful(war, seat))
    yield from (line_of(order) for order in BuildUnits17.proposed(war, seat))


def _movement(war: War, seat: Seat) -> Iterator[str]:
    yield "# A region you leave without a brigade goes back to its natives."
    for land in war.regions_of(seat):
        here = ", ".join(f"{land.count(seat, kind)} {kind}" for kind in LAND_UNITS if land.count(seat, kind))
        yield f"# {land.name}: {here}."
        yield from _marches(war, seat, land)
    yield "# Your battle plan, if you want another than the usual: STANCE auto; DEPLOY even; RETREAT NEVER"


def _marches(war: War, seat: Seat, land: Land) -> Iterator[str]:
    """Where one brigade could go, for regions that have more than one."""
    kind = next((kind for kind in BRIGADES if land.count(seat, kind)), None)
    if kind is None or land.brigades(seat) < 2:
        return
    for name in BOARD.regions[land.name].borders:
        order = MoveUnits17((exactly(kind, 1),), land.name, name)
        if order.lawful(war, seat):
            yield f"# {line_of(order)}"
