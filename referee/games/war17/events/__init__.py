"""Everything that can happen in Version 1.7: shared events in its numbers, and its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import new_class
from typing import Any

from msgspec.structs import replace

from referee.core.event import Drawn, Event, Rolled
from referee.core.table import Table
from referee.games.war.events import combat, course, economy, moving
from referee.games.war.events import setup as shared_setup
from referee.games.war.events.base import WarEvent
from referee.games.war.events.combat import BattleBegan, BattleEnded
from referee.games.war.events.economy import ChitDrawn, MarkerDrawn, MarkerSeen
from referee.games.war.events.natives import RegionReverted
from referee.games.war.position.state import War
from referee.games.war17.events import affairs
from referee.games.war17.rulebook import cite
from referee.kit.game import events_in


def _of_edition(event: type[WarEvent], **words: str) -> type[WarEvent]:
    """A shared event class, of the same name and fields, that cites this edition and has its `words`."""

    def fill(body: dict[str, Any]) -> None:
        body |= {"__doc__": event.__doc__, "__module__": __name__, "rule": cite(event.rule), **words}
        body["cites"] = lambda self: cite(event.cites(self))

    made: type[WarEvent] = new_class(event.__name__, (event,), {"frozen": True, "tag": True}, fill)
    return made


_OWN: Mapping[type[WarEvent], type[WarEvent]] = {
    shared_setup.RegionPicked: affairs.HomePicked,
    shared_setup.StartPaid: affairs.PointsPaid,
    moving.WarDeclared: affairs.WarProclaimed,
    moving.WorksDestroyed: affairs.WorksRazed,
    economy.IncomeCollected: affairs.ProductionCollected,
    ChitDrawn: affairs.ChitKept,
    BattleEnded: _of_edition(BattleEnded, counted_in="turns"),
}
"""Shared events of which this edition has its own kind."""

_SHARED: tuple[type[WarEvent], ...] = (
    shared_setup.PiecesBought, shared_setup.PiecePlaced, shared_setup.PieceReturned,
    course.OrderOfPlaySet, course.StageBegan, course.ShareOpened, course.PointsGiven, course.OfferMade,
    course.OfferAccepted, course.OfferClosed, course.DecisionsSet, course.PlayerEliminated, course.GameEnded,
    economy.UnitsBought, economy.FleetsBought, economy.BuildingBuilt, economy.ResourceDeveloped,
    combat.UnitsRaised, combat.UnitsLost, combat.UnitsMoved, combat.UnitsEmbarked, combat.UnitsLanded, combat.FleetsMoved,
    combat.FleetLost, combat.OrderFellShort,
    moving.PeaceMade, moving.PassageRefused, moving.FleetsIntercepted, moving.NavalBattleJoined, moving.NavalRoundFought,
    moving.NavalBattleBrokenOff, moving.NavalBattleEnded, moving.FleetsHeld, moving.CessionTaken,
    MarkerDrawn, MarkerSeen, RegionReverted, BattleBegan,
)  # fmt: skip

CLASSES: Mapping[type[WarEvent], type[WarEvent]] = {**{event: _of_edition(event) for event in _SHARED}, **_OWN}
"""What becomes of each event that a shared script emits."""


def in_edition(table: Table[War]) -> Table[War]:
    """The table at which what shared scripts tell and roll is told in this edition's own events and numbers."""
    table.told = _told
    return table


def _told(event: Event) -> Event:
    if isinstance(event, Rolled | Drawn):
        return replace(event, by_rule=cite(event.by_rule))
    kind = CLASSES.get(type(event)) if isinstance(event, WarEvent) else None
    return kind(**{name: getattr(event, name) for name in event.__struct_fields__}) if kind else event


EVENTS: tuple[type[Event], ...] = tuple(dict.fromkeys((*CLASSES.values(), *events_in(__name__))))
"""Every event class of the game."""
