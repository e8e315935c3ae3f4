"""Units and fleets that come, go and move, whatever the reason; used by every part of the game."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.core.event import Audience
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war.events.base import OpenEvent, WarEvent, units
from referee.games.war.position.places import Load, Stack
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import units_in_words
from referee.kit.ledger import Flow
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

EXCHANGED = "an infantry brigade takes his place"
"""Why an explorer who won a region over is gone: no loss to speak of (R27-73)."""


class UnitsRaised(OpenEvent, frozen=True):
    """Land units appeared in a region: bought, placed, or an explorer who became infantry."""

    rule = "27.production.build.2"
    region: str
    owner: Seat
    kind: str
    number: int
    why: str = ""
    by_rule: str = ""

    def change(self, war: War) -> War:
        return war.with_units(self.region, Stack(self.owner, self.kind, self.number))

    def flows(self) -> tuple[Flow, ...]:
        return units(self.owner, self.kind, self.number)

    def sentence(self) -> str:
        return f"{self.owner} has {units_in_words(self.kind, self.number)} more in {self.region}{self.why and ': '}{self.why}."


class UnitsLost(OpenEvent, frozen=True):
    """Land units are gone. `lost` is the exact stack, `number` how many of it."""

    rule = "27.combat.losses.1"
    says = "{lost.owner} loses {lost} in {region}: {why}."
    region: str
    lost: Stack
    why: str
    by_rule: str = ""

    def change(self, war: War) -> War:
        return war.with_units(self.region, replace(self.lost, number=-self.lost.number))

    def flows(self) -> tuple[Flow, ...]:
        return units(self.lost.owner, self.lost.kind, -self.lost.number)


class UnitsMoved(OpenEvent, frozen=True):
    """Land units went from a region to another: `before` and `after` are the same units as stacks here and there.

    `how`: "march", "retreat", "reinforce", "leave".
    """

    rule = "27.move.land.2"
    origin: str
    before: Stack
    target: str
    after: Stack
    how: str = "march"
    by_rule: str = ""

    def change(self, war: War) -> War:
        gone = war.with_units(self.origin, replace(self.before, number=-self.before.number))
        return gone.with_units(self.target, self.after)

    def sentence(self) -> str:
        return moved_in_words(((self,),))


_DOES = {"march": "move", "retreat": "retreat", "reinforce": "go as reinforcement", "leave": "leave"}


def moved_in_words(parties: Sequence[Sequence[UnitsMoved]]) -> str:
    """Units of one owner that left a region alike, party by party with where it went.

    `Red: 5 infantry and 1 general move from Egypt to Sudan.`
    `Red, from Egypt: 1 explorer moves to Sudan; 1 explorer moves to Kenya.`
    """
    first = parties[0][0]
    if len(parties) == 1:
        return f"{first.before.owner}: {_goes(parties[0])} from {first.origin} to {first.target}."
    ways = "; ".join(f"{_goes(party)} to {party[0].target}" for party in parties)
    return f"{first.before.owner}, from {first.origin}: {ways}."


def _goes(party: Sequence[UnitsMoved]) -> str:
    """`1 explorer moves`, `5 infantry and 1 general retreat`."""
    who = in_a_row([str(event.before) for event in party])
    one, does = sum(event.before.number for event in party) == 1, _DOES[party[0].how]
    verb = does.replace("go ", "goes ", 1) if one and does.startswith("go") else f"{does}s" if one else does
    return f"{who} {verb}"


class UnitsEmbarked(OpenEvent, frozen=True):
    """Land units boarded a fleet."""

    rule = "27.move.carry.3"
    region: str
    before: Stack
    fleet: int
    load: Load
    how: str = "board"

    def change(self, war: War) -> War:
        gone = war.with_units(self.region, replace(self.before, number=-self.before.number))
        return gone.with_fleet(gone.fleets[self.fleet].loading(self.load))

    def sentence(self) -> str:
        verb = "boards" if self.before.number == 1 else "board"
        return f"{self.before.owner}: {self.before} of {self.region} {verb} fleet {self.fleet}."


class UnitsLanded(OpenEvent, frozen=True):
    """Units were put ashore from a fleet. `spent` is what the fleet has spent after it."""

    rule = "27.move.carry.4"
    fleet: int
    load: Load
    region: str
    after: Stack
    spent: int

    def change(self, war: War) -> War:
        left = war.fleets[self.fleet].loading(replace(self.load, number=-self.load.number))
        return war.with_fleet(replace(left, spent=self.spent)).with_units(self.region, self.after)

    def sentence(self) -> str:
        verb = "lands" if self.load.number == 1 else "land"
        return f"{self.load.owner}: {self.load} {verb} in {self.region} from fleet {self.fleet}."


class FleetsMoved(OpenEvent, frozen=True):
    """Fleets sailed one step, with what they carry."""

    rule = "27.move.naval.1"
    owner: Seat
    fleets: tuple[int, ...]
    origin: str
    target: str

    def change(self, war: War) -> War:
        for number in self.fleets:
            fleet = war.fleets[number]
            war = war.with_fleet(replace(fleet, sea=self.target, spent=fleet.spent + 1))
        return war

    def sentence(self) -> str:
        number = len(self.fleets)
        return f"{self.owner}: {units_in_words('fleet', number)} {'sails' if number == 1 else 'sail'} to {self.target}."


class FleetLost(OpenEvent, frozen=True):
    """A fleet is gone, with what it carried."""

    rule = "27.combat.naval.2"
    number: int
    owner: Seat
    sea: str
    why: str
    cargo: tuple[Load, ...] = ()
    by_rule: str = ""

    def change(self, war: War) -> War:
        return war.with_fleet(None, self.number)

    def flows(self) -> tuple[Flow, ...]:
        aboard = tuple(Flow(f"{load.owner} {load.kind}", -load.number) for load in self.cargo)
        return (*units(self.owner, "fleet", -1), *aboard)

    def sentence(self) -> str:
        aboard = in_a_row([str(load) for load in self.cargo])
        return f"{self.owner} loses fleet {self.number} in {self.sea}{' with ' + aboard if aboard else ''}: {self.why}."


def fell_short(war: War, seat: Seat, order: Intent, why: Refused, partly: bool = False) -> OrderFellShort:
    """An order that was refused as it was carried out, or in part."""
    return OrderFellShort(seat, order.meaning(), why.illegal.sentence, war.cite(why.illegal.rule), partly)


class OrderFellShort(WarEvent, frozen=True):
    """An order that was lawful when written could not be done, or not wholly; its writer is told why."""

    audience = Audience.OWNER
    rule = "27.move.order.1"
    seat: Seat
    order: str
    why: str
    by_rule: str = ""
    partly: bool = False

    def sentence(self) -> str:
        return f"Not {'wholly ' if self.partly else ''}done: {self.order.rstrip('.')}. {self.why}"
