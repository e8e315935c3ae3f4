"""BUILD, CONSTRUCT and DEVELOP in Version 1.7: what may be built where, and for how much (17.production.build)."""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from referee.core.names import Seat
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.refused import NotYet
from referee.games.war.orders.production.buildings import BuildBuilding
from referee.games.war.orders.production.resources import DevelopResource
from referee.games.war.orders.production.units import BuildUnits
from referee.games.war.orders.production.works import NOTHING, BuildAction, Works, free_engineers
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD, CHIT_VALUES
from referee.games.war.rulebook.pieces import EXCLUSIVE, plural
from referee.games.war17.rulebook.pieces import RESOURCE_FACTOR
from referee.kit.refused import Refused

_WORKS, _UNITS = "17.production.build.1", "17.production.build.2"


def _check_own(land: Land, seat: Seat) -> None:
    if land.owner != seat:
        raise Refused(f"{land.name} is not yours; you build in your own regions.", _WORKS, land.name)


# ---------------------------------------------------------------- works


class BuildBuilding17(BuildBuilding, frozen=True, tag="BuildBuilding"):
    """One building in a region, by an engineer who does nothing else in the phase."""

    def price(self, war: War, engineer: bool = False) -> int:
        return self.full_price(war)

    def permit(self, war: War, seat: Seat, done: Works = NOTHING) -> None:
        _check_work(self, war, seat, done)

    def check(self, war: War, seat: Seat) -> None:
        _check_now(self, war, seat)

    def check_site(self, war: War, land: Land) -> None:
        """17.pieces.2, 17.pieces.4."""
        standing = next((building for building in land.buildings if building in EXCLUSIVE), None)
        if land.has(self.kind):
            raise Refused(f"{land.name} has a {self.kind} already.", "17.pieces.2", self.kind)
        if self.kind in EXCLUSIVE and standing:
            raise Refused(
                f"{land.name} has a {standing}; a {self.kind} cannot stand beside it.", "17.pieces.2", self.kind
            )
        if self.kind == "port" and not BOARD.regions[land.name].coastal:
            raise Refused(f"{land.name} has no coast; ports stand on coasts.", "17.pieces.4", self.kind)
        if self.kind == "school" and not land.has("city"):
            raise NotYet(f"{land.name} has no city; a school needs one.", "17.pieces.2", self.kind)


class DevelopResource17(DevelopResource, frozen=True, tag="DevelopResource"):
    """The resource of a region developed for twice its value, by an engineer who does nothing else in the phase."""

    def price(self, war: War, engineer: bool = False) -> int:
        return self.full_price(war)

    def full_price(self, war: War) -> int:
        return RESOURCE_FACTOR * CHIT_VALUES.get(war.lands[self.region].chit or "dot", 0)

    def permit(self, war: War, seat: Seat, done: Works = NOTHING) -> None:
        _check_work(self, war, seat, done)

    def check(self, war: War, seat: Seat) -> None:
        _check_now(self, war, seat)

    def check_site(self, war: War, land: Land) -> None:
        if land.developed:
            raise Refused(f"The resource of {land.name} is developed already.", _WORKS, land.name)
        if land.chit is None or CHIT_VALUES.get(land.chit) == 0:
            raise Refused(f"{land.name} has no resource worth developing.", _WORKS, land.name)


def _check_work(order: BuildAction, war: War, seat: Seat, done: Works) -> None:
    """17.production.build.1: an own region that can have it, and an engineer there without work. Raises Refused."""
    land = war.lands[order.site]
    _check_own(land, seat)
    order.check_site(war, land)
    if free_engineers(war, seat, land.name, done) < 1:
        more = "free " if done.engineers.get(land.name) else ""
        why = f"There is no {more}engineer of yours in {land.name}; each works on one thing a phase."
        raise Refused(why, _WORKS, land.name)


# ---------------------------------------------------------------- units


class BuildUnits17(BuildUnits, frozen=True, tag="BuildUnits"):
    """Units bought in a region, as many as the PP pay for."""

    shapes = (BuildBuilding17,)

    def left(self, war: War, seat: Seat) -> int | None:
        return None

    def permit(self, war: War, seat: Seat, done: Works = NOTHING) -> None:
        """17.production.build.2, the price apart. Raises Refused."""
        land = war.lands[self.region]
        _check_own(land, seat)
        if needed := self.lacks(war):
            places = [other.name for other in war.regions_of(seat) if other.has(needed)]
            instead = tuple(line_of(replace(self, region=name, sea="")) for name in places[:2])
            why = f"{land.name} has no {needed}; {plural(self.kind)} are built in one."
            raise Refused(why, _UNITS, land.name, instead)
        if self.sea and self.sea not in BOARD.regions[land.name].seas:
            why = f"{self.sea} does not touch {land.name}; new fleets lie beside their port."
            raise Refused(why, _UNITS, self.sea)

    def check(self, war: War, seat: Seat) -> None:
        _check_now(self, war, seat)


Build = BuildUnits17 | BuildBuilding17 | DevelopResource17
"""Everything that is bought in production."""


def _check_now(order: Build, war: War, seat: Seat) -> None:
    """In production, what no earlier line of the sheet can mend is refused."""
    if war.stage == "production":
        with suppress(NotYet):
            order.permit(war, seat)


def worked(done: Works, order: Build) -> Works:
    """17.production.build.1: a building or a development takes an engineer."""
    if isinstance(order, BuildUnits17):
        return done
    return replace(done, engineers={**done.engineers, order.region: done.engineers.get(order.region, 0) + 1})
