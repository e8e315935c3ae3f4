"""The orders of a slot carried out with dice for PREVIEW: who is lost, what falls and what is hit, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.rehearsal import Fortune
from referee.core.table import Script, Table
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.events.losses import Named
from referee.games.empire.events.war.air import FlakFired, PlanesIntercepted, SquareBombed
from referee.games.empire.events.war.land import (
    BattleFought,
    CityFell,
    CooliesCaptured,
    CooliesKilled,
    FormationsDestroyed,
)
from referee.games.empire.events.war.sea import ShipPlundered, ShipsSunk
from referee.games.empire.orders.dispatch import attempt
from referee.games.empire.orders.opening import PlaceCapital
from referee.games.empire.orders.slot import Execute, RollOut
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.conditions import coming
from referee.games.empire.reckoning.war.combat import RESULTS
from referee.games.empire.telling.forecast import open_next


def rehearse(table: Table[Empire], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
    """The orders one after the other, up to ROLL OUT; the end of the turn has no die but that of confidence."""
    if table.state.stage != "play" or table.state.ended or not table.state.owned(seat):
        return
    open_next(table, seat)
    for line, intent in coming(table, seat, sheet):
        if isinstance(intent, RollOut):
            break
        if not isinstance(intent, Execute | PlaceCapital):
            attempt(table, seat, line, intent)
    yield from ()


# ---------------------------------------------------------------- what came of it


def fortunes(seat: Seat, before: Empire, events: Sequence[Event], after: Empire) -> Iterator[Fortune]:
    """Attacks, raids and boardings, who is lost in them on both sides, what falls, and orders that then cannot be done."""
    own = {country.name for country in before.owned(seat)}
    for event in events:
        match event:
            case BattleFought():
                yield Fortune(f"Attack on {event.at}", RESULTS.get(event.result, event.result))
            case SquareBombed():
                yield Fortune(
                    f"Bombs on the {event.what} in {event.at}", f"{event.gone} destroyed" if event.gone else "it stands"
                )
            case ShipPlundered():
                taken = f"{event.to} takes it" if event.taken else f"{event.to} does not take it"
                yield Fortune(f"Plundering {event.kind} {event.unit}", taken)
            case CityFell():
                yield Fortune(f"City {event.city}", f"it falls to {event.to}")
            case CooliesCaptured():
                numbers = "coolie" if len(event.units) == 1 else f"{len(event.units)} coolies"
                yield Fortune(f"Captured from {event.giver}", f"{numbers} in {event.at}")
    yield from _losses(own, before, events)
    for event in events:
        if isinstance(event, OrderRefused) and event.seat == seat:
            yield Fortune(f"Line {event.line}", f"not carried out ({event.why.rstrip('.')})", event.sentence())


def _losses(own: set[str], before: Empire, events: Sequence[Event]) -> Iterator[Fortune]:
    """Units by name, of those that were there before the orders."""
    for event in events:
        for number, kind in _lost(event):
            unit = before.units.get(number)
            if unit is not None:
                yield Fortune("Lost of yours" if unit.country in own else f"Lost of {unit.country}", f"{kind} {number}")


def _lost(event: Event) -> Named:
    match event:
        case FormationsDestroyed() | CooliesKilled():
            return event.units
        case ShipsSunk():
            return event.ships
        case CityFell():
            return event.lost
        case PlanesIntercepted() | FlakFired():
            return event.downed
        case SquareBombed() | ShipPlundered():
            return tuple((number, kind) for number, kind, _ in event.losses.units)
    return ()
