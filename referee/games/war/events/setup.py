"""The set-up: points given out, regions picked or dealt, pieces bought and placed; capitals, gifts and local powers."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events import OpenEvent, points, units
from referee.games.war.position.places import Stack
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, BUILDINGS, CHIT_VALUES, pieces_in_words
from referee.kit.stock import Flow
from referee.kit.wording import in_a_row

_EUROPE = tuple(name for name in BOARD.zones["Europe"] if name not in ("Balkans", "Caucasus"))


class StartPaid(OpenEvent, frozen=True):
    """Everybody received his PP and DP."""

    rule = "27.setup.3"
    says = "Everybody receives {pp} PP and {dp} DP."
    seats: tuple[Seat, ...]
    pp: int
    dp: int

    def flows(self) -> tuple[Flow, ...]:
        return tuple(flow for seat in self.seats for flow in points(seat, self.pp, self.dp))


class RegionPicked(OpenEvent, frozen=True):
    """A starting region: a free infantry, a dot chit, no marker (27.setup.2, 27.setup.10, R27-04)."""

    rule = "27.setup.2"
    says = "{seat} picks {region}."
    seat: Seat
    region: str

    def change(self, war: War) -> War:
        chits = {**war.chits, "dot": war.chits["dot"] - 1}
        stacks = (Stack(self.seat, "infantry", 1),)
        if self.region in _EUROPE and self.seat not in war.homes:
            war = replace(war, homes={**war.homes, self.seat: self.region})
        return replace(war, chits=chits).with_land(self.region, owner=self.seat, chit="dot", stacks=stacks)

    def flows(self) -> tuple[Flow, ...]:
        return units(self.seat, "infantry", 1)


class PiecesBought(OpenEvent, frozen=True):
    """What a player bought before play."""

    rule = "27.setup.4"
    seat: Seat
    pieces: tuple[tuple[str, int], ...]
    pp: int

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, -self.pp)

    def sentence(self) -> str:
        return f"{self.seat} buys {pieces_in_words(self.pieces, 'nothing')} for {self.pp} PP."


class PiecePlaced(OpenEvent, frozen=True):
    """One bought piece was put on the map."""

    rule = "27.setup.7"
    says = "{seat} places 1 {kind} in {place}."
    seat: Seat
    kind: str
    place: str

    def change(self, war: War) -> War:
        if self.kind == "fleet":
            return war.launching(self.seat, self.place)
        if self.kind in BUILDINGS:
            return war.with_building(self.place, self.kind)
        return war.with_units(self.place, Stack(self.seat, self.kind, 1))

    def flows(self) -> tuple[Flow, ...]:
        return () if self.kind in BUILDINGS else units(self.seat, self.kind, 1)


class PieceReturned(OpenEvent, frozen=True):
    """A bought piece for which no lawful place was left is paid back."""

    rule = "27.setup.5"
    says = "{seat} has no lawful place for a {kind}; its {pp} PP are paid back."
    seat: Seat
    kind: str
    pp: int

    def flows(self) -> tuple[Flow, ...]:
        return points(self.seat, self.pp)


class RegionDealt(RegionPicked, frozen=True):
    """A starting region dealt by its card (27.opt.random_regions.4)."""

    rule = "27.opt.random_regions.4"
    says = "{seat} is dealt {region}."


class RegionsSwapped(OpenEvent, frozen=True):
    """Players exchanged dealt regions with their infantry: who gave which for which."""

    rule = "27.opt.random_regions.2"
    swaps: tuple[tuple[Seat, str, str], ...]

    def change(self, war: War) -> War:
        holders = {gives: seat for seat, gives, _ in self.swaps}
        for seat, _, gets in self.swaps:
            if gets in holders:
                stacks = tuple(replace(stack, owner=seat) for stack in war.lands[gets].stacks)
                war = war.with_land(gets, owner=seat, stacks=stacks)
        return war

    def sentence(self) -> str:
        return f"Swapped: {in_a_row([f'{seat} gives {gives} and gets {gets}' for seat, gives, gets in self.swaps])}."


class CapitalNamed(OpenEvent, frozen=True):
    """The one region of a player that may hold several buildings (27.opt.multiple_buildings.3)."""

    rule = "27.opt.multiple_buildings.3"
    says = "{seat}'s capital is {region}."
    seat: Seat
    region: str

    def change(self, war: War) -> War:
        return replace(war, capitals={**war.capitals, self.seat: self.region})


class FreeBuildingPlaced(OpenEvent, frozen=True):
    """The building that everybody has free in Europe."""

    rule = "27.opt.historical.setup.4"
    says = "{seat} has a {building} free in {region}."
    seat: Seat
    region: str
    building: str

    def change(self, war: War) -> War:
        return war.with_building(self.region, self.building)


class FreeResourcePlaced(OpenEvent, frozen=True):
    """The developed resource that everybody has free in Europe; its dot goes back into the cup."""

    rule = "27.opt.historical.setup.4"
    seat: Seat
    region: str
    resource: str

    def change(self, war: War) -> War:
        old = war.lands[self.region].chit
        chits = {**war.chits, self.resource: war.chits[self.resource] - 1}
        if old is not None:
            chits[old] += 1
        return replace(war, chits=chits).with_land(self.region, chit=self.resource, developed=True)

    def sentence(self) -> str:
        value = CHIT_VALUES[self.resource]
        return f"{self.seat} has {self.resource} of value {value} in {self.region}, developed."


class PowerRaised(OpenEvent, frozen=True):
    """A native region is a local power, with a building."""

    rule = "27.opt.historical.powers.2"
    says = "{region} is a local power with a {building}."
    region: str
    building: str

    def change(self, war: War) -> War:
        return war.with_building(self.region, self.building)
