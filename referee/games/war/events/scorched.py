"""Scorched earth: what a unit destroys where it stands (27.opt.scorched)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.events.base import OpenEvent
from referee.games.war.position.places import DONE, Stack
from referee.games.war.position.state import War

RESOURCE = "resource"
"""What is destroyed when it is no building."""


class WorksDestroyed(OpenEvent, frozen=True):
    """A brigade or an engineer destroyed a building, or undeveloped the resource; `unit` as it stood before."""

    rule = "27.opt.scorched.1"
    seat: Seat
    region: str
    what: str
    unit: Stack

    def change(self, war: War) -> War:
        war = war.with_units(self.region, replace(self.unit, number=-1))
        war = war.with_units(self.region, replace(self.unit, number=1, spent=DONE, idle=True))
        if self.what == RESOURCE:
            return war.with_land(self.region, developed=False)
        left = list(war.lands[self.region].buildings)
        left.remove(self.what)
        return war.with_land(self.region, buildings=tuple(left))

    def cites(self) -> str:
        return "27.opt.scorched.2" if self.what == RESOURCE else self.rule

    def sentence(self) -> str:
        does = "undevelops its resource" if self.what == RESOURCE else f"destroys its {self.what}"
        return f"{self.seat} {does} in {self.region} with 1 {self.unit.kind}."
