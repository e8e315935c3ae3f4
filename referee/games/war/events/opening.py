"""What optional rules add to the set-up: regions dealt and swapped, capitals."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent
from referee.games.war.events.setup import RegionPicked
from referee.games.war.position.state import War
from referee.kit.wording import in_a_row


class RegionDealt(RegionPicked, frozen=True):
    """A starting region dealt by its card (27.opt.random_regions.4)."""

    rule: ClassVar[str] = "27.opt.random_regions.4"

    def sentence(self) -> str:
        return f"{self.seat} is dealt {self.region}."


class RegionsSwapped(OpenEvent, frozen=True):
    """Players exchanged dealt regions with their infantry: who gave which for which."""

    rule: ClassVar[str] = "27.opt.random_regions.2"
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

    rule: ClassVar[str] = "27.opt.multiple_buildings.3"
    seat: Seat
    region: str

    def change(self, war: War) -> War:
        return replace(war, capitals={**war.capitals, self.seat: self.region})

    def sentence(self) -> str:
        return f"{self.seat}'s capital is {self.region}."
