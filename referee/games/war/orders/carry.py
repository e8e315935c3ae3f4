"""EMBARK and LAND: land units board fleets beside their region, and are put ashore from them (27.move.carry)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Self

import msgspec
from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.war.deeds import (
    Lot,
    NotYet,
    Plan,
    berths,
    exactly,
    line_of,
    lots_of,
    merged,
    muster,
    named_fleets,
    wanted,
)
from referee.games.war.deeds import ships as ships_of
from referee.games.war.deeds.marching import (
    Boarding,
    Embarkation,
    allot,
    check_entry,
    check_garrison,
    open_by_cession,
    spared,
)
from referee.games.war.events.combat import UnitsLanded
from referee.games.war.orders.base import MOVEMENT, Place, after, ships_named
from referee.games.war.orders.base import only as one_name
from referee.games.war.orders.movement_base import (
    LandUnitsNamed,
    MoveOrder,
    Ships,
    keeps_none,
    least,
    one_place,
    region_of,
    regions_with_units,
    seas_with_fleets,
    strange_ship,
    too_many,
)
from referee.games.war.position import DONE, Fleet, Load, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning import allies, carriers, exit_cost, friends
from referee.games.war.rulebook import BOARD, BRIGADES, SHIP, plural
from referee.kit.declared import Plain, Words
from referee.kit.fields import Field, Said
from referee.kit.refused import Refused
from referee.kit.wording import capital, in_number

_ABOARD, _EMBARK, _LAND = "27.move.carry.1", "27.move.carry.3", "27.move.carry.4"


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

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
        return (placed(sea) for sea in BOARD.regions[got["origin"]].seas if carriers(state, seat, sea))

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
    plain = Plain("Go aboard", rank=5, most=True)
    fields = (
        Place("origin", "FROM", (), _EMBARK, among=regions_with_units),
        LandUnitsNamed("origin", _EMBARK),
        _Berth("sea", ("sea",), "IN"),
        Ships(
            lambda fleets: f" {named_fleets(fleets)}" if fleets else "",
            *(_EMBARK, "IN", "INTO", "TO"),
            there=lambda war, seat, got: carriers(war, seat, got["sea"]),
        ),
    )
    says, phase = "Take {lots} of {origin} aboard{fleets} in {sea}.", MOVEMENT

    def plan(self, war: War, seat: Seat, strict: bool) -> Embarkation:
        lots, named = merged(self.lots), self.fleets
        seas = BOARD.regions[self.origin].seas
        if self.sea not in seas:
            why = f"{self.origin} does not lie on {self.sea}{', nor on any sea area' if not seas else ''}."
            instead = tuple(line_of(self.but(sea=sea)) for sea in berths(war, seat, self.origin, self.lots)[:1])
            raise Refused(why, _EMBARK, self.sea, instead)
        cost = exit_cost(war.lands[self.origin], *friends(war, seat))
        stacks = muster(war, seat, self.origin, lots, cost, strict, self.line_for, _EMBARK)
        stacks = stacks if strict else spared(war, seat, (self.origin,), stacks)
        fleets = carriers(war, seat, self.sea)
        if not fleets:
            near = berths(war, seat, self.origin, self.lots)
            instead = tuple(line_of(self.but(sea=sea)) for sea in near)
            raise NotYet(f"You have no fleet in {self.sea} to board.", _ABOARD, self.sea, instead)
        fleets = ships_of(war, seat, fleets, self.sea, named, _ABOARD, strict)
        largest_first = sorted(stacks, key=lambda stack: -war.kinds[stack.kind].portage)
        boardings = allot(largest_first, fleets, as_named=bool(named))
        fit = sum(boarding.stack.number for boarding in boardings)
        if not fit or (strict and fit < sum(stack.number for stack in stacks)):
            raise self._too_many(fleets, boardings, stacks)
        check_garrison(war, seat, self.origin, [boarding.stack for boarding in boardings], 0, self.line_for)
        return Embarkation(self.origin, boardings, cost)

    def _too_many(self, fleets: Sequence[Fleet], boardings: Sequence[Boarding], stacks: Sequence[Stack]) -> NotYet:
        """27.move.carry.1, R27-35: more than the fleets have room for."""
        room, left = sum(fleet.room for fleet in fleets), lots_of([boarding.stack for boarding in boardings])
        need = sum(fleets[0].kinds[stack.kind].portage * stack.number for stack in stacks)
        wanted = f"these units need {need}" if need > room else "no unit is divided between two of them"
        who = capital(named_fleets(self.fleets)) or "Your fleets"
        why = f"{who} in {self.sea} {in_number(len(self.fleets), 'have')} room for {room} portage points, and {wanted}."
        return NotYet(why, _ABOARD, self.sea, (self.line_for(left),) if left else ())

    def lawful(self, war: War, seat: Seat) -> bool:
        return not (self.leaves_one and keeps_none(war, seat, self.origin, self.lots)) and super().lawful(war, seat)

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

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
        return seas_with_fleets(state, seat, got)

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

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
        return (region_of(state, seat, name) for name in BOARD.seas[got["sea"]].coasts)

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("region", value),)


def _target(said: Said) -> str:
    return one_name(said.order, _LAND, "IN", "INTO", "TO")


class Unloading(msgspec.Struct, frozen=True):
    """So many units of a load leave one fleet."""

    fleet: int
    load: Load


class Landing(Plan, frozen=True):
    """Units that go ashore. `ceded`: they take the region by cession; `invaded`: whose land it is, if an enemy's."""

    sea: str
    target: str
    unloadings: tuple[Unloading, ...]
    ceded: bool = False
    invaded: Seat | None = None

    @property
    def fleets(self) -> tuple[int, ...]:
        """The fleets that act."""
        return tuple(dict.fromkeys(unloading.fleet for unloading in self.unloadings))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that land."""
        return tuple(dict.fromkeys(unloading.load.kind for unloading in self.unloadings))

    @property
    def entered(self) -> tuple[str, ...]:
        return (self.target,)

    @property
    def taken(self) -> str:
        return self.target if self.ceded else ""

    def surviving(self, war: War, fleets: Collection[int]) -> Self:
        """The rest of it after a battle at sea: the units of those fleets."""
        left = tuple(u for u in self.unloadings if u.fleet in fleets and u.fleet in war.fleets)
        return replace(self, unloadings=left)

    def brings(self, war: War, seat: Seat) -> tuple[UnitsLanded, ...]:
        """Each fleet pays 1 MP; each unit landed moves no more and remembers the sea it came from (27.move.carry.5)."""

        def ashore(load: Load) -> Stack:
            return Stack(load.owner, load.kind, load.number, DONE, self.sea, landed=True)

        spent = {number: war.fleets[number].spent + 1 for number in self.fleets}
        return tuple(UnitsLanded(u.fleet, u.load, self.target, ashore(u.load), spent[u.fleet]) for u in self.unloadings)


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
    plain = Plain("Go ashore", rank=2, most=True)
    fields = (
        _Source("sea", ("sea",), "FROM"),
        LandUnitsNamed("sea", _LAND),
        _Shore("target", ("region",), "IN"),
        Ships(
            lambda fleets: f"{named_fleets(fleets)} in " if fleets else "",
            *(_LAND, "FROM"),
            there=lambda war, seat, got: [fleet for fleet in war.fleets_of(seat, got["sea"]) if fleet.cargo],
        ),
    )
    says, phase = "Put {lots} ashore in {target} from {fleets}{sea}.", MOVEMENT

    @classmethod
    def enter(cls, war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
        """Raises Refused unless units of these kinds may enter a region together and stay there."""
        check_entry(war, seat, region, kinds)

    def plan(self, war: War, seat: Seat, strict: bool) -> Landing:
        lots = merged(self.lots)
        self._check_shore(war, seat)
        self._check_company(war, seat)
        fleets = war.fleets_of(seat, self.sea)
        if not fleets:
            raise self._no_fleet(war, seat)
        fleets = ships_of(war, seat, fleets, self.sea, self.fleets, _LAND, strict)
        # 27.opt.alliances.8: one's own units first, allies' only in land that is open to them.
        owner = war.lands[self.target].owner
        owners = (seat, *(ally for ally in allies(war, seat) if owner in friends(war, ally)))
        unloadings = tuple(u for lot in lots for u in self._unload(fleets, lot, strict, owners))
        if not unloadings:
            why = f"None of these units is aboard a fleet in {self.sea} that can land it."
            raise NotYet(why, _LAND, self.sea)
        self.enter(war, seat, self.target, [u.load.kind for u in unloadings])
        ceded = open_by_cession(war, seat, self.target)
        invaded = owner if owner not in (None, *friends(war, seat)) and not ceded else None
        return Landing(self.sea, self.target, unloadings, ceded, invaded)

    def _no_fleet(self, war: War, seat: Seat) -> NotYet:
        """27.opt.alliances.8: units aboard an ally's fleet are landed by him."""
        hosts = [f.owner for f in war.fleets_in(self.sea) if any(load.owner == seat for load in f.cargo)]
        if not hosts:
            return NotYet(f"You have no fleet in {self.sea}.", _LAND, self.sea)
        why = f"Your units in {self.sea} are aboard {hosts[0]}'s fleets: {hosts[0]} lands them, in land that is open to them."
        return NotYet(why, "27.opt.alliances.8", self.sea)

    def _check_company(self, war: War, seat: Seat) -> None:
        """27.move.land.5, R27-36: parties that need a brigade are offered one that is aboard there."""
        try:
            self.enter(war, seat, self.target, [lot.kind for lot in self.lots])
        except NotYet as alone:
            aboard = [load.kind for fleet in war.fleets_of(seat, self.sea) for load in fleet.cargo]
            escorted = [self.line_for((exactly(kind, 1), *self.lots)) for kind in BRIGADES if kind in aboard]
            why = alone.illegal
            raise NotYet(why.sentence, why.rule, why.at, tuple(escorted[:1])) from None

    def _check_shore(self, war: War, seat: Seat) -> None:
        """27.move.carry.4: only into a region beside the sea area."""
        if self.target not in BOARD.seas[self.sea].coasts:
            seas = BOARD.regions[self.target].seas
            why = f"{self.target} does not lie on {self.sea}{', nor on any sea area' if not seas else ''}."
            laden = [sea for sea in seas if any(fleet.cargo for fleet in war.fleets_of(seat, sea))]
            instead = tuple(line_of(self.but(sea=sea)) for sea in laden[:1])
            raise Refused(why, _LAND, self.target, instead)

    def _unload(self, fleets: Sequence[Fleet], lot: Lot, strict: bool, owners: Sequence[Seat]) -> list[Unloading]:
        """R27-39: out of fleets with MP left."""
        loads = {f.number: [load for load in f.cargo if load.kind == lot.kind and load.owner in owners] for f in fleets}
        aboard = {number: sum(load.number for load in some) for number, some in loads.items()}
        able = [f for f in fleets if f.spent < f.kinds["fleet"].moves and aboard[f.number]]
        held, free = sum(aboard.values()), sum(aboard[f.number] for f in able)
        number = wanted(lot, held, free)
        if strict and (number > free or not number):
            raise self._none_to_land(fleets, lot, held, free)
        unloadings: list[Unloading] = []
        left = min(number, free)
        ranked = sorted(able, key=lambda f: (-aboard[f.number], f.spent, f.number))
        for owner, fleet in ((owner, fleet) for owner in owners for fleet in ranked):
            for load in loads[fleet.number]:
                part = min(left, load.number) if load.owner == owner else 0
                left -= part
                unloadings += [Unloading(fleet.number, replace(load, number=part))] if part else []
        return unloadings

    def _none_to_land(self, fleets: Sequence[Fleet], lot: Lot, held: int, free: int) -> NotYet:
        others = [exactly(o.kind, free) if o is lot else o for o in self.lots if o is not lot or free]
        instead = (self.line_for(others),) if others else ()
        name = plural(lot.kind)
        if not held:
            why = f"None of your fleets in {self.sea} carries {name}."
            return NotYet(why, _LAND, lot.kind, instead)
        if lot.quantity.of(held) > held:
            why = f"Your fleets in {self.sea} carry only {held} {name}."
            return NotYet(why, _LAND, lot.kind, instead)
        if not free and all(fleet.spent == DONE for fleet in fleets):
            why = f"Your fleets in {self.sea} broke off a battle: their move is over."
            return NotYet(why, "27.combat.naval.4", self.sea, instead)
        why = f"Landing costs a fleet 1 MP; those in {self.sea} that have one carry {free or 'no'} {name}."
        if all(fleet.spent >= fleet.kinds["fleet"].moves for fleet in fleets):
            why = f"Landing costs a fleet 1 MP, and your fleets in {self.sea} have none left."
        return NotYet(why, _LAND, lot.kind, instead)

    def beyond_hope(self, war: War, seat: Seat) -> bool:
        return strange_ship(war, self.fleets) or not war.fleets_of(seat) or too_many(war, seat, self.lots)
