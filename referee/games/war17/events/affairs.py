"""War without a price, regions won and given up, exploration, blockade, the end: what Version 1.7 tells otherwise."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Reader, Seat
from referee.games.war.events.base import OpenEvent, points
from referee.games.war.events.economy import IncomeCollected
from referee.games.war.events.markers import ChitDrawn
from referee.games.war.events.moving import WarDeclared
from referee.games.war.events.scorched import WorksDestroyed
from referee.games.war.position.places import DONE
from referee.games.war.position.relations import Feud
from referee.games.war.position.state import War
from referee.games.war17.position import Position
from referee.kit.ledger import Flow


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
