"""EMBARK and LAND: land units board fleets beside their region, and are put ashore from them (27.move.carry)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from referee.core.choices import Asking, Choice, one
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.war.deeds.embarking import Embarkation, plan_embark
from referee.games.war.deeds.landing import Landing, plan_land
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.lots import Lot, named_fleets
from referee.games.war.deeds.muster import exactly
from referee.games.war.orders.base import MOVEMENT, Place
from referee.games.war.orders.movement.parts import (
    LandUnitsNamed,
    MoveOrder,
    Ships,
    land_units,
    least,
    one_place,
    single_ship,
    strange_ship,
    together,
    too_many,
    whose,
)
from referee.games.war.orders.naming import after, ships_named
from referee.games.war.orders.naming import one as one_name
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import carriers
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import SHIP
from referee.kit.declared import Words
from referee.kit.fields import Field, Said
from referee.kit.refused import Refused

_EMBARK, _LAND = "27.move.carry.3", "27.move.carry.4"


def _sea_of(war: War, fleets: Sequence[int], seas: Sequence[str]) -> str:
    """Where fleets lie, if that is one of these sea areas, or the only one that there is; "" where that is open."""
    lie = {war.fleets[number].sea for number in fleets if number in war.fleets}
    found = [sea for sea in seas if sea in lie] or (list(seas) if fleets else [])
    return found[0] if len(found) == 1 else ""


# ---------------------------------------------------------------- EMBARK


class _Berth(Field[str]):
    """The sea area; where the fleets named, or all of one's own, lie in one area alone it need not be named."""

    needed = False

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(("IN", "INTO", "TO"), (*self.kinds, SHIP))

    def read(self, said: Said) -> str:
        places = after(said.order, "IN", "INTO", "TO")
        fleets = ships_named((*said.after("ABOARD"), *places), _EMBARK)
        origin, lots = said.got["origin"], said.got["lots"]
        sea = one_place(said.order, _EMBARK, places) or _sea_of(said.state, fleets, BOARD.regions[origin].seas)
        return sea or _only_sea(said.state, said.seat, lots, origin)

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("sea", value),)


def _only_sea(war: War, seat: Seat, lots: tuple[Lot, ...], origin: str) -> str:
    seas = BOARD.regions[origin].seas
    ours = [sea for sea in seas if war.fleets_of(seat, sea)] if len(seas) > 1 else seas
    if len(ours) == 1:
        return ours[0]
    instead = tuple(line_of(EmbarkUnits(lots, origin, sea)) for sea in ours or seas)
    raise Refused(f"Say in which sea area the units of {origin} board.", _EMBARK, origin, instead)


class EmbarkUnits(MoveOrder, frozen=True):
    """Land units that board own fleets in a sea area beside their region (27.move.carry.3); those named, in this order."""

    lots: tuple[Lot, ...]
    origin: str
    sea: str
    fleets: tuple[int, ...] = ()

    words = Words(
        "EMBARK",
        "take land units aboard own fleets in a sea area beside their region; ABOARD fleet 2 names one of them",
        _EMBARK,
        "EMBARK 3 infantry FROM Egypt IN Eastern Mediterranean",
        ("LOAD",),
    )
    fields = (
        Place("origin", "FROM", (), _EMBARK),
        LandUnitsNamed("origin", _EMBARK),
        _Berth("sea", ("sea",), "IN"),
        Ships(lambda fleets: f" {named_fleets(fleets)}" if fleets else "", _EMBARK, "IN", "INTO", "TO"),
    )
    says, phase = "Take {lots} of {origin} aboard{fleets} in {sea}.", MOVEMENT

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """From where, in which sea area, who goes, and aboard which fleet if that is to be said."""
        regions = [land.name for land in war.lands.values() if any(cls._seas(war, seat, land.name))]
        origin = yield from one("from", (Choice(name, name, whose(war, seat, name), name) for name in regions))
        sea = yield from one("in", (Choice(sea, sea, "", sea) for sea in cls._seas(war, seat, origin)))
        lots = yield from together(land_units(war, seat, origin), lambda lots: cls(lots, origin, sea).whole(war, seat))
        fleets = carriers(war, seat, sea)
        return cls(
            lots,
            origin,
            sea,
            (yield from single_ship(fleets, lambda ships: cls(lots, origin, sea, ships).whole(war, seat))),
        )

    @classmethod
    def _seas(cls, war: War, seat: Seat, region: str) -> Iterator[str]:
        """Where some unit of the region can board."""
        kinds = land_units(war, seat, region)
        for sea in BOARD.regions[region].seas if kinds else ():
            if carriers(war, seat, sea) and any(cls((exactly(k, 1),), region, sea).whole(war, seat) for k in kinds):
                yield sea

    def plan(self, war: War, seat: Seat, strict: bool) -> Embarkation:
        return plan_embark(war, seat, self, strict)

    def beyond_hope(self, war: War, seat: Seat) -> bool:
        room = war.kinds["fleet"].carries * len(
            war.fleets_of(seat)
        )  # 27.move.carry.1: what all his fleets take when empty
        need = sum(war.kinds[lot.kind].portage * least(lot.quantity) for lot in self.lots)
        return strange_ship(war, self.fleets) or too_many(war, seat, self.lots) or need > room


# ---------------------------------------------------------------- LAND


class _Source(Field[str]):
    """The sea area, or where the fleets named lie that could land there."""

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"FROM": (*self.kinds, SHIP)}

    def read(self, said: Said) -> str:
        target, fleets = _target(said), ships_named(after(said.order, "FROM", "ABOARD"), _LAND)
        sea = one_place(said.order, _LAND, said.after("FROM"))
        able = fleets or tuple(fleet.number for fleet in said.state.fleets_of(said.seat) if fleet.cargo)
        sea = sea or _sea_of(said.state, able, BOARD.regions[target].seas if target else tuple(BOARD.seas))
        if not sea:
            aboard = f" ABOARD {named_fleets(fleets)}" if fleets else ""
            raise Refused(f"Say where they land from: FROM the sea area{aboard}.", _LAND, "FROM")
        return sea

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("sea", value),)


class _Shore(Field[str]):
    """The region, which must be said."""

    needed = False

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(("IN", "INTO", "TO"), self.kinds)

    def read(self, said: Said) -> str:
        target, sea = _target(said), said.got["sea"]
        if not target:
            coasts = BOARD.seas[sea].coasts
            instead = tuple(line_of(LandUnits(said.got["lots"], sea, coast)) for coast in coasts[:3])
            raise Refused("Say in which region the units land.", _LAND, sea, instead)
        return target

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("region", value),)


def _target(said: Said) -> str:
    return one_name(said.order, _LAND, "IN", "INTO", "TO")


class LandUnits(MoveOrder, frozen=True):
    """Units put ashore from own fleets in a sea area, of those named if any are (27.move.carry.4)."""

    lots: tuple[Lot, ...]
    sea: str
    target: str
    fleets: tuple[int, ...] = ()

    words = Words(
        "LAND",
        "put units ashore from own fleets; FROM fleet 2 names one of them",
        _LAND,
        "LAND 2 infantry FROM Persian Gulf IN Arabia",
        ("DISEMBARK", "UNLOAD"),
    )
    fields = (
        _Source("sea", ("sea",), "FROM"),
        LandUnitsNamed("sea", _LAND),
        _Shore("target", ("region",), "IN"),
        Ships(lambda fleets: f"{named_fleets(fleets)} in " if fleets else "", _LAND, "FROM"),
    )
    says, phase = "Put {lots} ashore in {target} from {fleets}{sea}.", MOVEMENT

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """From which sea area, where, who goes, and out of which fleet if that is to be said."""
        seas = [sea for sea in dict.fromkeys(f.sea for f in war.fleets_of(seat)) if any(cls._coasts(war, seat, sea))]
        sea = yield from one("from", (Choice(sea, sea, "", sea) for sea in seas))
        coasts = (Choice(name, name, whose(war, seat, name), name) for name in cls._coasts(war, seat, sea))
        target = yield from one("in", coasts)
        lots = yield from together(_aboard(war, seat, sea), lambda lots: cls(lots, sea, target).whole(war, seat))
        fleets = [fleet for fleet in war.fleets_of(seat, sea) if fleet.cargo]
        return cls(
            lots,
            sea,
            target,
            (yield from single_ship(fleets, lambda ships: cls(lots, sea, target, ships).whole(war, seat))),
        )

    @classmethod
    def _coasts(cls, war: War, seat: Seat, sea: str) -> Iterator[str]:
        """Where some unit aboard can be put ashore."""
        kinds = _aboard(war, seat, sea)
        for name in BOARD.seas[sea].coasts if kinds else ():
            if any(cls((exactly(kind, 1),), sea, name).whole(war, seat) for kind in kinds):
                yield name

    def plan(self, war: War, seat: Seat, strict: bool) -> Landing:
        return plan_land(war, seat, self, strict)

    def beyond_hope(self, war: War, seat: Seat) -> bool:
        return strange_ship(war, self.fleets) or not war.fleets_of(seat) or too_many(war, seat, self.lots)


def _aboard(war: War, seat: Seat, sea: str) -> dict[str, int]:
    """Units aboard a player's fleets in a sea area, by kind."""
    numbers: dict[str, int] = {}
    for load in (load for fleet in war.fleets_of(seat, sea) for load in fleet.cargo):
        numbers[load.kind] = numbers.get(load.kind, 0) + load.number
    return numbers
