"""The set-up of Version 1.7: starting regions without chit, and a marker on every native region."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Reader, Role
from referee.games.war.events.base import OpenEvent
from referee.games.war.events.setup import RegionPicked, StartPaid
from referee.games.war.position.places import Marker, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.natives import marker_named


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
