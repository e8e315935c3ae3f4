"""Everything that can happen in Version 1.7: its own events, and shared ones in its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from types import new_class
from typing import Any

from msgspec.structs import replace

from referee.core.event import Drawn, Event, Rolled
from referee.core.names import Reader, Role, Seat
from referee.core.table import Table
from referee.games.war.events import OpenEvent, WarEvent, combat, course, economy, moving, points
from referee.games.war.events.combat import BattleBegan, BattleEnded
from referee.games.war.events.course import RegionPicked, StartPaid
from referee.games.war.events.economy import ChitDrawn, IncomeCollected, MarkerDrawn, MarkerSeen
from referee.games.war.events.moving import WarDeclared, WorksDestroyed
from referee.games.war.events.natives import RegionReverted
from referee.games.war.position import DONE, Feud, Marker, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.income import marker_named
from referee.games.war.rulebook import pieces_in_words
from referee.games.war17.position import Position
from referee.games.war17.reckoning import Blow, Force
from referee.games.war17.rulebook import cite
from referee.kit.game import events_in
from referee.kit.stock import Flow
from referee.kit.wording import capital, in_number

# ---------------------------------------------------------------- the set-up of Version 1.7
# Starting regions without chit, and a marker on every native region.


class HomePicked(RegionPicked, frozen=True):
    """A starting region: a free infantry, no chit, no marker (17.setup.3)."""

    rule = "17.setup.3"

    def change(self, war: War) -> War:
        return war.with_land(self.region, owner=self.seat, stacks=(Stack(self.seat, "infantry", 1),))


class PointsPaid(StartPaid, frozen=True):
    """Everybody received his PP (17.setup.4)."""

    rule = "17.setup.4"
    says = "Everybody receives {pp} PP."


class MarkersLaid(OpenEvent, frozen=True):
    """Every native region got its marker, face down; nobody sees them (17.setup.7). `markers`: region and name, "?" unseen."""

    rule = "17.setup.7"
    markers: tuple[tuple[str, str], ...]

    def told_to(self, reader: Reader) -> Event | None:
        if reader is Role.REFEREE:
            return self
        return replace(self, markers=tuple((region, "?") for region, _ in self.markers))

    def change(self, war: War) -> War:
        lands, cup = dict(war.lands), dict(war.markers)
        for region, name in self.markers:
            lands[region] = replace(lands[region], marker=Marker(0) if name == "?" else marker_named(name))
            if name in cup:
                cup[name] -= 1
        return replace(war, lands=lands, markers=cup)

    def sentence(self) -> str:
        return f"Each of the {len(self.markers)} native regions gets a marker, face down."


class WarProclaimed(WarDeclared, frozen=True):
    """War was declared, which costs nothing (17.war.2)."""

    rule = "17.war.2"
    says = "{declarer} declares war on {victim}."

    def change(self, war: War) -> War:
        return replace(war, feuds=(*war.feuds, Feud(self.declarer, self.victim)))

    def flows(self) -> tuple[Flow, ...]:
        return ()


class WorksRazed(WorksDestroyed, frozen=True):
    """A brigade or engineer destroyed a building or undeveloped the resource; it does not move (17.move.destroy.1)."""

    rule = "17.move.destroy.1"

    def change(self, war: War) -> War:
        idle = super().change(war)
        now = replace(self.unit, number=1, spent=DONE, idle=True)
        return idle.with_units(self.region, replace(now, number=-1)).with_units(self.region, replace(now, idle=False))

    def cites(self) -> str:
        return "17.move.destroy.2" if self.what == "resource" else self.rule


class PassageDenied(OpenEvent, frozen=True):
    """The owner of land did not let units cross it (17.move.land.4, R17-07)."""

    rule = "17.move.land.4"
    says = "{owner} does not let {mover}'s units cross {region}."
    owner: Seat
    mover: Seat
    region: str


class RegionGained(OpenEvent, frozen=True):
    """A region came to a player: its marker, if natives held it, goes back to the cup (17.explore.gain.1)."""

    rule = "17.explore.gain.1"
    seat: Seat
    region: str
    before: Seat | None
    how: str
    marker: str = ""

    def change(self, war: War) -> War:
        marker = war.lands[self.region].marker
        if self.marker and marker is not None and marker.strength:
            war = replace(war, markers={**war.markers, self.marker: war.markers.get(self.marker, 0) + 1})
        return war.with_land(self.region, owner=self.seat, marker=None, won_in=war.share)

    def cites(self) -> str:
        conquest = "17.combat.natives.3" if self.before is None else "17.combat.land.2"
        return {"conquest": conquest, "cession": "17.move.cede.1"}.get(self.how, self.rule)

    def sentence(self) -> str:
        whose = f" from {self.before}" if self.before else " from its natives"
        verb = {"conquest": "conquers", "cession": "takes over"}.get(self.how, "wins over")
        shows = f"; its native marker showed {self.marker}" if self.marker else ""
        return f"{self.seat} {verb} {self.region}{whose}{shows}."


class ChitKept(ChitDrawn, frozen=True):
    """Of the chits drawn for a region one is kept, face down; its owner alone sees it (R17-13)."""

    rule = "R17-13"


class ExplorationRolled(OpenEvent, frozen=True):
    """An explorer rolled; its owner alone learns the rating unless he succeeds (17.explore.1, 17.explore.5)."""

    rule = "17.explore.1"
    hides = {"rating": 0}
    seat: Seat
    region: str
    dice: int
    modifiers: tuple[tuple[str, int], ...]
    rating: int
    success: bool

    def told_to(self, reader: Reader) -> Event | None:
        return self if self.success else super().told_to(reader)

    def sentence(self) -> str:
        made = "".join(f", {why} {value:+d}" for why, value in self.modifiers)
        total = self.dice + sum(value for _, value in self.modifiers)
        needed = f" against {self.rating}" if self.rating else ""
        ends = "the natives join him" if self.success else "he fails"
        return f"{self.seat}'s explorer in {self.region} rolls {self.dice}{made}: {total}{needed}; {ends}."


class ProductionCollected(IncomeCollected, frozen=True):
    """A player added up his production points (17.production.1)."""

    rule = "17.production.1"

    def sentence(self) -> str:
        said = super().sentence()
        return said.removesuffix(" and 0 DP.") + "."


class BlockadeRolled(OpenEvent, frozen=True):
    """Enemy fleets beside a player's ports cost him PP, at most a third of his income (17.production.blockade)."""

    rule = "17.production.blockade.1"
    seat: Seat
    rolls: tuple[tuple[Seat, int], ...]
    cap: int
    pp: int

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, -self.pp)

    def cites(self) -> str:
        return "17.production.blockade.2" if self.pp == self.cap else self.rule

    def sentence(self) -> str:
        rolls = ", ".join(f"{who} {total}" for who, total in self.rolls)
        return f"Blockade of {self.seat}'s ports ({rolls}; at most {self.cap}) costs him {self.pp} PP."


class EndRolled(OpenEvent, frozen=True):
    """Three dice said whether the game is over (R17-11)."""

    rule = "R17-11"
    turn: int
    total: int

    def sentence(self) -> str:
        over = "the game is over" if self.total < self.turn else "the game goes on"
        return f"The end of turn {self.turn}: 3d6 = {self.total}; {over}."


class HourCalled(OpenEvent, frozen=True):
    """A player said that the hour agreed for the end has come (R17-11)."""

    rule = "R17-11"
    says = "{seat} says that the hour has come to end the game."
    seat: Seat

    def change(self, war: War) -> War:
        return replace(war, over_by=(*war.over_by, self.seat)) if isinstance(war, Position) else war


# ---------------------------------------------------------------- tactical battles
# How armies stood, what each group of brigades did, who was rallied, who retreated, who was pursued.


def _side(who: Seat | None) -> str:
    return who or "the natives"


def _whose(who: Seat | None) -> str:
    return f"{who}'s" if who else "the natives'"


class ArmyDeployed(OpenEvent, frozen=True):
    """Both plans are read; how an army stands (17.tactical.2)."""

    rule = "17.tactical.2"
    region: str
    who: Seat | None
    force: Force

    def sentence(self) -> str:
        posts = [f"{sector} {pieces_in_words(post.line.items())}" for sector, post in self.force.posts.items()]
        posts += [f"reserve {pieces_in_words(self.force.reserve.items())}"] if self.force.reserve else []
        posts += [f"retreat box {pieces_in_words(self.force.box.items())}"] if self.force.box else []
        return capital(f"{_whose(self.who)} army in {self.region}: {'; '.join(posts)}.")


class BlowsStruck(OpenEvent, frozen=True):
    """Brigades of one kind charged or fired in a sector, one after the other (17.tactical.5, 17.tactical.6)."""

    rule = "17.tactical.5"
    region: str
    turn: int
    who: Seat | None
    kind: str
    sector: str
    action: str
    blows: tuple[Blow, ...]

    def cites(self) -> str:
        return self.rule if self.action == "charge" else "17.tactical.6"

    def sentence(self) -> str:
        number, needed = len(self.blows), self.blows[0].needed
        verb = in_number(number, self.action)
        does = f"{_whose(self.who)} {number} {self.kind} {verb} on {needed}+"
        return f"Turn {self.turn}, {self.sector}: {does}: {'; '.join(blow.words() for blow in self.blows)}."


class ReserveFed(OpenEvent, frozen=True):
    """A brigade of the reserve went to a line (17.tactical.7)."""

    rule = "17.tactical.7"
    region: str
    turn: int
    who: Seat | None
    kind: str
    sector: str

    def sentence(self) -> str:
        return f"Turn {self.turn}: {_side(self.who)} brings 1 {self.kind} of the reserve to the line, {self.sector}."


class UnitStepped(OpenEvent, frozen=True):
    """A brigade stepped to a neighbour line, or back from the middle (17.tactical.7)."""

    rule = "17.tactical.7"
    region: str
    turn: int
    who: Seat | None
    kind: str
    origin: str
    target: str

    def sentence(self) -> str:
        return f"Turn {self.turn}: 1 {self.kind} of {_side(self.who)} steps from {self.origin} to {self.target}."


class LeaderRallied(OpenEvent, frozen=True):
    """Leaders of a sector rolled; so many brigades came back from the box (17.tactical.9)."""

    rule = "17.tactical.9"
    region: str
    turn: int
    who: Seat | None
    sector: str
    faces: tuple[int, ...]
    back: dict[str, int]

    def sentence(self) -> str:
        faces = " ".join(map(str, self.faces))
        comes = f"{pieces_in_words(self.back.items())} back from the retreat box" if self.back else "nobody rallied"
        return f"Turn {self.turn}, {self.sector}: {_side(self.who)} rolls {faces} for leaders: {comes}."


class ArmyRetreated(OpenEvent, frozen=True):
    """An army gave up the field: forced, planned, for lack of fighting, or by nightfall (17.tactical.10, 17.tactical.11)."""

    rule = "17.tactical.10"
    region: str
    turn: int
    who: Seat | None
    why: str
    by_rule: str

    def sentence(self) -> str:
        return f"Turn {self.turn}: {_side(self.who)} must leave {self.region}: {self.why}."


class ArmyPursued(OpenEvent, frozen=True):
    """The winner's brigades of a kind pursued (17.tactical.12)."""

    rule = "17.tactical.12"
    region: str
    who: Seat | None
    kind: str
    blows: tuple[Blow, ...]

    def sentence(self) -> str:
        rolls = "; ".join(blow.words() for blow in self.blows)
        return f"Pursuit in {self.region}: {_whose(self.who)} {len(self.blows)} {self.kind} on {self.blows[0].needed}+: {rolls}."


# ---------------------------------------------------------------- shared events in the numbers of Version 1.7


def _of_edition(event: type[WarEvent], **words: str) -> type[WarEvent]:
    """A shared event class, of the same name and fields, that cites this edition and has its `words`."""

    def fill(body: dict[str, Any]) -> None:
        body |= {"__doc__": event.__doc__, "__module__": __name__, "rule": cite(event.rule), **words}
        body["cites"] = lambda self: cite(event.cites(self))

    made: type[WarEvent] = new_class(event.__name__, (event,), {"frozen": True, "tag": True}, fill)
    return made


_OWN: Mapping[type[WarEvent], type[WarEvent]] = {
    course.RegionPicked: HomePicked,
    course.StartPaid: PointsPaid,
    moving.WarDeclared: WarProclaimed,
    moving.WorksDestroyed: WorksRazed,
    economy.IncomeCollected: ProductionCollected,
    ChitDrawn: ChitKept,
    BattleEnded: _of_edition(BattleEnded, counted_in="turns"),
}
"""Shared events of which this edition has its own kind."""

_SHARED: tuple[type[WarEvent], ...] = (
    course.PiecesBought, course.PiecePlaced, course.PieceReturned,
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
"""The class of this edition for each event that a shared script emits."""


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
