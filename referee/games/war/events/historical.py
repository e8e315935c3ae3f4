"""The set-up of the pseudo-historical rules: home countries' gifts, and local powers (27.opt.historical)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import CHIT_VALUES


class FreeBuildingPlaced(OpenEvent, frozen=True):
    """The building that everybody has free in Europe."""

    rule: ClassVar[str] = "27.opt.historical.setup.4"
    seat: Seat
    region: str
    building: str

    def change(self, war: War) -> War:
        return war.with_land(self.region, buildings=(*war.lands[self.region].buildings, self.building))

    def sentence(self) -> str:
        return f"{self.seat} has a {self.building} free in {self.region}."


class FreeResourcePlaced(OpenEvent, frozen=True):
    """The developed resource that everybody has free in Europe; its dot goes back into the cup."""

    rule: ClassVar[str] = "27.opt.historical.setup.4"
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

    rule: ClassVar[str] = "27.opt.historical.powers.2"
    region: str
    building: str

    def change(self, war: War) -> War:
        return war.with_land(self.region, buildings=(*war.lands[self.region].buildings, self.building))

    def sentence(self) -> str:
        return f"{self.region} is a local power with a {self.building}."
