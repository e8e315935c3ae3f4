"""Natives, spheres, revolts."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Reader, Seat
from referee.games.war.events import OpenEvent, points
from referee.games.war.events.economy import UNSEEN, army_in_words, put
from referee.games.war.position import Army, Marker, Side
from referee.games.war.position.state import War
from referee.kit.stock import Flow
from referee.kit.wording import in_a_row

How = Literal["conquest", "explorer", "cession", "alliance"]
"""How a region changes hands."""


class DiplomacyPaid(OpenEvent, frozen=True):
    """A player spent DP on natives."""

    rule = "27.money.2"
    says = "{seat} spends {dp} DP {why}."
    seat: Seat
    dp: int
    why: str
    by_rule: str

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, dp=-self.dp)


class DiplomacyGained(OpenEvent, frozen=True):
    """A player won DP by conquest (R27-64)."""

    rule = "27.production.income.4"
    says = "{seat} gains {dp} DP for conquering {region}."
    seat: Seat
    dp: int
    region: str

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, dp=self.dp)


class SpherePlaced(OpenEvent, frozen=True):
    """A sphere of influence was placed in a native region."""

    rule = "27.combat.explorer.3"
    says = "{seat} places a sphere of influence in {region}."
    seat: Seat
    region: str

    def change(self, war: War) -> War:
        spheres = war.lands[self.region].spheres
        return war.with_land(self.region, spheres={**spheres, self.seat: spheres.get(self.seat, 0) + 1})


class SpheresRemoved(OpenEvent, frozen=True):
    """Spheres of one owner left a region."""

    rule = "27.production.natives.spheres.1"
    region: str
    owner: Seat
    number: int
    why: str
    by_rule: str

    def change(self, war: War) -> War:
        land = war.lands[self.region]
        left = land.spheres.get(self.owner, 0) - self.number
        spheres = {seat: left if seat == self.owner else n for seat, n in land.spheres.items()}
        return war.with_land(self.region, spheres={seat: n for seat, n in spheres.items() if n > 0})

    def sentence(self) -> str:
        spheres = "a sphere" if self.number == 1 else f"{self.number} spheres"
        return f"{self.owner} loses {spheres} in {self.region}: {self.why}."


class NativesReduced(OpenEvent, frozen=True):
    """A player's region lost native strength."""

    rule = "27.production.natives.westernize.2"
    says = "Native strength of {region}: {before} becomes {after} ({why})."
    region: str
    before: int
    after: int
    why: str
    by_rule: str

    def change(self, war: War) -> War:
        marker = war.lands[self.region].marker or UNSEEN
        lower = replace(marker, strength=self.after, drawn=marker.drawn or self.before)
        return war.with_land(self.region, marker=lower)


class RegionWesternized(OpenEvent, frozen=True):
    """The marker fell below four and left the region, with all spheres (27.production.natives.westernize.4)."""

    rule = "27.production.natives.westernize.4"
    says = "{region} ({owner}) is westernized: its native marker and all spheres of influence are gone."
    region: str
    owner: Seat
    marker: str

    def change(self, war: War) -> War:
        cup = put(war.markers, self.marker, 1)
        return replace(war, markers=cup).with_land(self.region, marker=None, spheres={}, revolt=None, sides={})


class RegionTaken(OpenEvent, frozen=True):
    """A region got an owner; its marker lies face up, and he alone sees a chit that is not developed."""

    rule = "27.combat.results.1"
    hides = {"chit": None}
    seat: Seat
    region: str
    before: Seat | None
    how: How
    marker: Marker | None
    chit: str | None

    def change(self, war: War) -> War:
        land = war.lands[self.region]
        won = land.won_in if self.how in ("cession", "alliance") else war.share
        chit = self.chit or land.chit
        taken = war.with_land(
            self.region, owner=self.seat, marker=self.marker, chit=chit, won_in=won, revolt=None, sides={}
        )
        if self.seat in taken.fallen:
            taken = replace(taken, fallen={seat: by for seat, by in taken.fallen.items() if seat != self.seat})
        if self.how != "conquest" or self.before is None or taken.regions_of(self.before):
            return taken
        return replace(taken, fallen={**taken.fallen, self.before: self.seat})

    def cites(self) -> str:
        rules = {"explorer": "27.combat.explorer.3", "cession": "27.move.cede.2", "alliance": "R27-98"}
        return rules.get(self.how, self.rule)

    def sentence(self) -> str:
        whose = f" from {self.before}" if self.before else " from its natives"
        verb = {"conquest": "conquers", "explorer": "wins over"}.get(self.how, "takes over")
        shows = f"; its native marker shows {self.marker}" if self.marker and self.before is None else ""
        return f"{self.seat} {verb} {self.region}{whose}{shows}."


class RegionReverted(OpenEvent, frozen=True):
    """A region went back to its natives: buildings gone, resource undeveloped, marker face down (27.combat.results.4)."""

    rule = "27.combat.results.4"
    region: str
    owner: Seat
    buildings: tuple[str, ...] = ()
    after_revolt: bool = False

    def change(self, war: War) -> War:
        land = war.lands[self.region]
        marker = land.marker and replace(land.marker, face_up=False, seen_by=war.seats)
        return war.settled(self.region).with_land(
            self.region, owner=None, marker=marker, developed=False, buildings=(), revolt=None, sides={}
        )

    def cites(self) -> str:
        return "27.combat.natives.9" if self.after_revolt else self.rule

    def sentence(self) -> str:
        gone = f" and loses {in_a_row([f'its {building}' for building in self.buildings])}" if self.buildings else ""
        return f"{self.region} ({self.owner}) goes back to its natives{gone}."


class DiplomacyRolled(OpenEvent, frozen=True):
    """An explorer's roll in a native region: dice, open modifiers, and, for him who rolled, what the natives add.

    `signs` is the modifier of the plus signs and `strength` the native level; 0 for readers who may not see the marker.
    """

    rule = "27.combat.explorer.3"
    hides = {"signs": 0, "strength": 0}
    seat: Seat
    region: str
    dice: int
    modifiers: tuple[tuple[str, int], ...]
    signs: int
    strength: int
    result: Literal["control", "sphere", "retreat", "lost"]
    natural: bool = False

    def told_to(self, reader: Reader) -> Event | None:
        return self if self.result == "control" else super().told_to(reader)

    def sentence(self) -> str:
        signs = (("plus signs", self.signs),) if self.signs else ()
        lines = [f"{value:+d} {name}" for name, value in (*self.modifiers, *signs)]
        shown = in_a_row([str(self.dice), *lines]) if lines else str(self.dice)
        total = self.dice + sum(value for _, value in self.modifiers) + self.signs
        sum_ = f" = {total}" if lines else ""
        against = f"{sum_} against {self.strength}" if self.strength else ""
        outcome = {
            "control": "the natives submit",
            "sphere": "the natives listen",
            "retreat": "the explorer must leave",
            "lost": "the explorer is killed" + (", whatever the total" if self.natural else ""),
        }[self.result]
        return f"{self.seat}'s explorer in {self.region} rolls {shown}{against}: {outcome}."


# ---------------------------------------------------------------- revolts of natives
# The rolls for and against them, how they begin and how they are put down.


class RevoltRolled(OpenEvent, frozen=True):
    """A roll for a revolt: 2d6 and its modifier against the native strength (27.production.revolt.3).

    `inciter` None: natives next door have won theirs (27.combat.natives.10).
    """

    rule = "27.production.revolt.3"
    region: str
    owner: Seat
    inciter: Seat | None
    dice: int
    modifier: int
    strength: int

    @property
    def total(self) -> int:
        """The roll with its modifier."""
        return self.dice + self.modifier

    @property
    def rises(self) -> bool:
        """Whether the natives revolt."""
        return self.total <= self.strength

    def change(self, war: War) -> War:
        return war if self.inciter is None else war.with_land(self.region, tried=war.turn)

    def cites(self) -> str:
        return self.rule if self.inciter else "27.combat.natives.10"

    def sentence(self) -> str:
        who = f"{self.inciter} incites the natives of {self.region} ({self.owner})"
        start = who if self.inciter else f"The natives of {self.region} ({self.owner}) hear of the revolt next door"
        verdict = "revolt" if self.rises else "no revolt"
        sum_ = f"{self.dice}{self.modifier:+d} = {self.total}" if self.modifier else str(self.dice)
        return f"{start}: {sum_} against {self.strength}, {verdict}."


class RevoltBegan(OpenEvent, frozen=True):
    """A native army stands in a player's region; every sphere there has taken a side (27.production.revolt.7)."""

    rule = "27.production.revolt.7"
    region: str
    owner: Seat
    army: Army
    sides: dict[Seat, Side]

    def change(self, war: War) -> War:
        return war.with_land(self.region, revolt=self.army, sides=self.sides)

    def sentence(self) -> str:
        spheres = "; ".join(f"{seat}'s spheres {side}" for seat, side in self.sides.items())
        return f"{self.region} ({self.owner}) revolts with {army_in_words(self.army)}{spheres and f' ({spheres})'}."


class RevoltSuppressed(OpenEvent, frozen=True):
    """The owner defeated the revolt in his region (27.combat.natives.7)."""

    rule = "27.combat.natives.7"
    says = "{owner} puts down the revolt in {region}."
    region: str
    owner: Seat

    def change(self, war: War) -> War:
        return war.settled(self.region).with_land(self.region, revolt=None, sides={}, won_in=war.share)
