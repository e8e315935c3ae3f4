"""Everything that can happen in Version 1.7: shared events in its numbers, and its own."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.event import Event
from referee.games.war.events import course, economy, forces, moving, scorched
from referee.games.war.events import setup as shared_setup
from referee.games.war.events.base import WarEvent
from referee.games.war.events.combat import BattleBegan, BattleEnded
from referee.games.war.events.markers import ChitDrawn, MarkerDrawn, MarkerSeen
from referee.games.war.events.natives import RegionReverted
from referee.games.war17.events import affairs, setup
from referee.games.war17.events.citing import of_edition
from referee.kit.game import events_in

_OWN: Mapping[type[WarEvent], type[WarEvent]] = {
    shared_setup.RegionPicked: setup.HomePicked,
    shared_setup.StartPaid: setup.PointsPaid,
    moving.WarDeclared: affairs.WarProclaimed,
    scorched.WorksDestroyed: affairs.WorksRazed,
    economy.IncomeCollected: affairs.ProductionCollected,
    ChitDrawn: affairs.ChitKept,
    BattleEnded: of_edition(BattleEnded, counted_in="turns"),
}
"""Shared events of which this edition has its own kind."""

_SHARED: tuple[type[WarEvent], ...] = (
    shared_setup.PiecesBought, shared_setup.PiecePlaced, shared_setup.PieceReturned,
    course.OrderOfPlaySet, course.StageBegan, course.ShareOpened, course.PointsGiven, course.OfferMade,
    course.OfferAccepted, course.OfferClosed, course.DecisionsSet, course.PlayerEliminated, course.GameEnded,
    economy.UnitsBought, economy.FleetsBought, economy.BuildingBuilt, economy.ResourceDeveloped,
    forces.UnitsRaised, forces.UnitsLost, forces.UnitsMoved, forces.UnitsEmbarked, forces.UnitsLanded, forces.FleetsMoved,
    forces.FleetLost, forces.OrderFellShort,
    moving.PeaceMade, moving.PassageRefused, moving.FleetsIntercepted, moving.NavalBattleJoined, moving.NavalRoundFought,
    moving.NavalBattleBrokenOff, moving.NavalBattleEnded, moving.FleetsHeld, moving.CessionTaken,
    MarkerDrawn, MarkerSeen, RegionReverted, BattleBegan,
)  # fmt: skip

CLASSES: Mapping[type[WarEvent], type[WarEvent]] = {**{event: of_edition(event) for event in _SHARED}, **_OWN}
"""What becomes of each event that a shared script emits."""

EVENTS: tuple[type[Event], ...] = tuple(dict.fromkeys((*CLASSES.values(), *events_in(__name__))))
"""Every event class of the game."""
