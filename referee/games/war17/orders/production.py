"""BUILD, CONSTRUCT and DEVELOP in Version 1.7: what may be built where, and for how much (17.production.build)."""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.deeds.refused import NotYet
from referee.games.war.orders.production.buildings import BuildBuilding
from referee.games.war.orders.production.resources import DevelopResource
from referee.games.war.orders.production.units import BuildUnits
from referee.games.war.orders.production.works import NOTHING, BuildAction, Works, check_own, free_engineers
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war17.rulebook.pieces import RESOURCE_FACTOR
from referee.kit.refused import Refused

_WORKS = "17.production.build.1"


class _Work(BuildAction, frozen=True):
    """What an engineer does who does nothing else in the phase, at the full price (17.production.build.1)."""

    def needs_engineer(self, war: War) -> bool:
        return True

    def permit(self, war: War, seat: Seat, done: Works = NOTHING) -> None:
        check_own(war, seat, self.site)
        self.check_site(war, war.lands[self.site])
        if free_engineers(war, seat, self.site, done) < 1:
            more = "free " if done.engineers.get(self.site) else ""
            why = f"There is no {more}engineer of yours in {self.site}; each works on one thing a phase."
            raise Refused(why, _WORKS, self.site)

    def check(self, war: War, seat: Seat) -> None:
        """What no earlier line of the sheet can mend is refused."""
        if war.stage == "production":
            with suppress(NotYet):
                self.permit(war, seat)


class BuildBuilding17(_Work, BuildBuilding, frozen=True, tag="BuildBuilding"):
    """One building in a region, by an engineer who does nothing else in the phase."""

    def check_site(self, war: War, land: Land) -> None:
        """17.pieces.2: a school may follow its city in one phase."""
        if self.kind == "school" and not land.has("city") and not land.has("school"):
            raise NotYet(f"{land.name} has no city; a school needs one.", "17.pieces.2", self.kind)
        super().check_site(replace(war, new_cities=()), land)


class DevelopResource17(_Work, DevelopResource, frozen=True, tag="DevelopResource"):
    """The resource of a region developed for twice its value, by an engineer who does nothing else in the phase."""

    factor = RESOURCE_FACTOR


class BuildUnits17(BuildUnits, frozen=True, tag="BuildUnits"):
    """Units bought in a region, as many as the PP pay for; they are built before buildings (17.production.build.2)."""

    shapes = (BuildBuilding17,)

    def check(self, war: War, seat: Seat) -> None:
        if war.stage == "production":
            self.permit(war, seat)


Build = BuildUnits17 | BuildBuilding17 | DevelopResource17
"""Everything that is bought in production."""


def worked(done: Works, order: Build) -> Works:
    """17.production.build.1: a building or a development takes an engineer."""
    if isinstance(order, BuildUnits17):
        return done
    return replace(done, engineers={**done.engineers, order.region: done.engineers.get(order.region, 0) + 1})
