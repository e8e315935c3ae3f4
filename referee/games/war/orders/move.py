"""MOVE: land units march from region to region (27.move.land); fleets are sailed by it, too."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, ClassVar, Self

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.games.war.deeds.marching import March, check_entry, check_garrison, declaration, open_by_cession, spared
from referee.games.war.deeds.muster import (
    Lot,
    NotYet,
    berths,
    brigades_among,
    exactly,
    granted,
    kinds_of,
    line_of,
    merged,
    muster,
)
from referee.games.war.orders.base import MOVEMENT, Place
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.movement import (
    LandUnitsNamed,
    MoveOrder,
    Way,
    keeps_none,
    region_of,
    regions_with_units,
    too_many,
    units_at,
)
from referee.games.war.orders.sail import SailFleets
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import Way as Route
from referee.games.war.reckoning.paths import any_land_way, friends, land_reach, land_way
from referee.games.war.rulebook import BOARD, BRIGADES, SHIP, plural
from referee.kit.declared import Declared, Plain, Words
from referee.kit.fields import Said
from referee.kit.refused import Refused

_RULE = "27.move.land.2"
_PLACES = ("region", "sea")


def _in_reach(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """Where the fastest units of the region come, be it through natives."""
    return (region_of(war, seat, name) for name in _paths(war, seat, got["origin"]))


def _ways(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[str, ...]]]:
    """What must be named of the ways to the target: nothing, or native regions."""
    paths = _paths(war, seat, got["origin"]).get(got["target"], ())
    return (Choice(", ".join(via) or "any", via) for via in paths)


def _paths(war: War, seat: Seat, origin: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """By region, the ways that the fastest units reach: by land that is open to them, and what explorers alone take."""
    kinds = units_at(war, seat, origin, (seat,))
    points = max(war.kinds[kind].moves for kind in kinds)
    ways = [land_reach(war, seat, origin, points, native=False)]
    if "explorer" in kinds:
        natives = [name for name in BOARD.regions[origin].borders if war.lands[name].owner is None]
        ways.append(land_reach(war, seat, origin, points, native=True))
        # They may look at a native neighbour and come home.
        ways.append({origin: (natives[0],)} if natives else {})
    reached = dict.fromkeys(place for found in ways for place in found)
    return {place: tuple(dict.fromkeys(found[place] for found in ways if place in found)) for place in reached}


class MoveUnits(MoveOrder, frozen=True):
    """Land units that march together from a region to another, through `via` where named."""

    lots: tuple[Lot, ...]
    origin: str
    target: str
    via: tuple[str, ...] = ()

    words = Words(
        "MOVE",
        "march land units from region to region",
        _RULE,
        "MOVE 3 infantry, 1 general FROM Egypt TO Palestine",
        ("MARCH", "MV"),
    )
    plain = Plain("March", rank=3, most=True)
    fields = (
        Place("origin", "FROM", (), _RULE, _PLACES, regions_with_units),
        Place("target", "TO", (), _RULE, _PLACES, _in_reach),
        LandUnitsNamed("origin", _RULE, SHIP),
        Way(*_PLACES, among=_ways),
    )
    says, phase = "March {lots} from {origin} to {target}{via}.", MOVEMENT
    shapes = (SailFleets,)
    over_sea: ClassVar[Collection[str]] = ("27.board.3", "27.board.6")
    """Refused under these rules, they may go aboard."""

    @classmethod
    def read(cls, said: Said) -> Declared[War]:
        """Fleets are sailed, and the shore is crossed by other verbs."""
        origin, target = (field.read(said) for field in cls.fields[:2])
        fleets = any(thing.name == "fleets" or thing.kind == SHIP for thing in said.order.things)
        if fleets or (BOARD.is_sea(origin) and BOARD.is_sea(target)):
            return cls.shapes[0].read(said)
        order = cls.made(said)
        if BOARD.is_sea(origin):
            instead = (line_of(LandUnits(order.lots, origin, target)),)
            raise Refused("From a sea area units are put ashore with LAND.", "27.move.carry.4", origin, instead)
        if BOARD.is_sea(target):
            instead = (line_of(EmbarkUnits(order.lots, origin, target)),)
            raise Refused("Units go to sea with EMBARK.", "27.move.carry.3", target, instead)
        return order

    @classmethod
    def proposed(cls, war: War, seat: Seat) -> Iterator[Self]:
        """From every region, all of the commonest kind that need not stay go to an own neighbour, or among natives."""
        for land in war.lands.values():
            lots, near = _spare(land, seat), BOARD.regions[land.name].borders
            if not lots:
                continue
            targets = [name for name in near if war.lands[name].owner == seat]
            targets += [name for name in near if war.lands[name].owner is None]
            orders = (cls(lots, land.name, target) for target in targets)
            yield from [order for order in orders if order.lawful(war, seat)][:1]

    def plan(self, war: War, seat: Seat, strict: bool) -> March:
        try:
            return self.march(war, seat, strict)
        except Refused as refused:
            illegal = refused.illegal
            by_sea = (
                self._aboard(war, seat, illegal.at) if illegal.rule in self.over_sea and not illegal.instead else ()
            )
            if not by_sea:
                raise
            raise Refused(illegal.sentence, illegal.rule, illegal.at, by_sea) from None

    def march(self, war: War, seat: Seat, strict: bool) -> March:
        """The march on land that it means; with `strict` off of the units that can go. Raises Refused."""
        lots = merged(self.lots)
        way = self._route(war, seat)
        self._check_steps(war, seat, way)
        self._check_company(war, seat, way)
        self._check_points(war, seat, way)
        stacks = muster(war, seat, self.origin, lots, way.cost, strict, self.line_for)
        if self.leaves_one and not strict:
            stacks = spared(war, seat, way.places[:-1], stacks)
        self.enter(war, seat, way.target, kinds_of(stacks))
        going = brigades_among(stacks)
        for place in way.places[:-1] if self.leaves_one else ():  # the start, and each own region passed (R27-68)
            check_garrison(war, seat, place, stacks, 0 if place == way.places[0] else going, self.line_for)
        return March(way, stacks, open_by_cession(war, seat, way.target))

    def _route(self, war: War, seat: Seat) -> Route:
        """27.board.3, 27.board.6, R27-30."""
        for place in (self.origin, self.target, *self.via):
            if BOARD.is_sea(place):
                raise Refused(f"Land units go to sea only aboard fleets: {place}.", "27.board.3", place)
        if {self.origin, *self.via} == {self.target}:
            raise Refused(f"The units are in {self.target} already.", _RULE, self.target)
        way = land_way(war, seat, self.origin, self.target, self.via)
        if way is None:
            raise self._no_way(war, seat)
        return way

    def _no_way(self, war: War, seat: Seat) -> Refused:
        """Why there is no way: the strait of Gibraltar, the sea, or land of others that was not named."""
        if {self.origin, self.target} == {"Spain", "Morocco"}:
            return Refused("There is no passage by land between Spain and Morocco.", "27.board.6", self.target)
        legs = tuple(pairwise(place for place, _ in groupby((self.origin, *self.via, self.target))))
        ways = [any_land_way(war, seat, here, there) for here, there in legs]
        for (here, there), way in zip(legs, ways, strict=True):
            if way is None:
                why = f"No way by land leads from {here} to {there}; fleets may carry the units."
                return Refused(why, "27.board.3", there)
        return self._through_others(war, seat, [way for way in ways if way is not None])

    def _through_others(self, war: War, seat: Seat, legs: Sequence[Route]) -> Refused:
        """27.move.land.3, 27.move.land.4, 27.move.land.6: whose land lies between the places named."""
        company = friends(war, seat)
        foreign = [war.lands[p] for leg in legs for p in leg.places[1:-1] if war.lands[p].owner not in company]
        first = foreign[0]
        if all(lot.kind == "explorer" for lot in self.lots) and all(land.owner is None for land in foreign):
            places = [place for leg in legs for place in leg.places[1:]][:-1]
            through = self.but(via=tuple(p for p in places if war.lands[p].owner != seat or p in self.via))
            try:
                through.march(war, seat, True)
            except NotYet:
                pass
            except Refused as further:
                return further
            named = ", ".join(land.name for land in foreign)
            why = f"The way leads through {named}, which is native; name it to send explorers through."
            return Refused(why, "27.move.land.6", self.target, (line_of(through),))
        if first.owner is not None and not war.at_war(seat, first.owner):
            why = f"The way to {self.target} leads through {first.name}, which is {first.owner}'s, with whom you are at peace."
            return Refused(why + declaration(war, seat, first.owner), "27.move.land.3", self.target)
        whose = f"{first.owner}'s" if first.owner else "native"
        why = f"The way to {self.target} leads through {first.name}, which is {whose}; units stop there."
        stop = self.but(target=first.name, via=()).line_if_done(war, seat)
        return Refused(why, "27.move.land.4", self.target, stop)

    def _check_steps(self, war: War, seat: Seat, way: Route) -> None:
        """27.move.land.3 to 27.move.land.6: what lies between the ends must let the units go on."""
        for place in way.places[1:-1]:
            owner = war.lands[place].owner
            if owner in friends(war, seat):
                continue
            if owner is not None:
                # 27.move.land.3: an enemy's region may be entered at all, be it with a brigade.
                self.enter(war, seat, place, BRIGADES)
            instead = self.but(target=place, via=()).line_if_done(war, seat)
            if owner is not None:
                raise Refused(
                    f"Units that enter {place}, which is {owner}'s, stop there.", "27.move.land.4", place, instead
                )
            for lot in self.lots:
                if lot.kind in BRIGADES:
                    why = f"Brigades that enter {place}, which is native, stop there."
                    raise Refused(why, "27.move.land.4", place, instead)
                if lot.kind != "explorer":
                    why = f"Only explorers go through {place}, which is native; {plural(lot.kind)} do not."
                    raise Refused(why, "27.move.land.6", lot.kind)

    def _check_company(self, war: War, seat: Seat, way: Route) -> None:
        """27.move.land.5, 27.move.cede.2: parties that need a brigade are offered one of those that stand beside them."""
        try:
            self.enter(war, seat, way.target, [lot.kind for lot in self.lots])
        except NotYet as alone:
            land = war.lands[self.origin]
            able = [kind for kind in BRIGADES if land.count(seat, kind) and war.kinds[kind].moves >= way.cost]
            if land.owner == seat and land.brigades(seat) < 2:
                able = []
            escorted = [self.but(lots=(exactly(kind, 1), *self.lots)) for kind in able[:1]]
            why, instead = alone.illegal, tuple(line for o in escorted for line in o.line_if_done(war, seat))
            raise NotYet(why.sentence, why.rule, why.at, instead) from None

    def _check_points(self, war: War, seat: Seat, way: Route) -> None:
        """27.move.land.2: a way that even fresh units of the kind cannot go."""
        for lot in self.lots:
            moves = war.kinds[lot.kind].moves
            if way.cost > moves:
                others = [other for other in self.lots if war.kinds[other.kind].moves >= way.cost]
                instead = self.but(lots=tuple(others)).line_if_done(war, seat) if others else ()
                nearer = ""
                for end in range(2, len(way.places)):
                    part = land_way(war, seat, way.places[0], way.places[end - 1], way.places[1 : end - 1])
                    if part is None or part.cost > moves:
                        break
                    nearer = part.target
                instead += self.but(lots=(lot,), target=nearer, via=()).line_if_done(war, seat) if nearer else ()
                why = f"The way to {self.target} costs {way.cost} MP; {plural(lot.kind)} have {moves}."
                raise Refused(why, _RULE, lot.kind, instead)

    def _aboard(self, war: War, seat: Seat, at: str) -> tuple[str, ...]:
        """The line by which they board a fleet that is there and has room: in the sea area named, else best where it lands them."""
        if BOARD.is_sea(self.origin):
            return ()
        seas = berths(war, seat, self.origin, self.lots)
        if BOARD.is_sea(at):
            seas = tuple(sea for sea in seas if sea == at)
        best = sorted(seas, key=lambda sea: BOARD.is_sea(self.target) or self.target not in BOARD.seas[sea].coasts)
        return tuple(line_of(EmbarkUnits(self.lots, self.origin, sea)) for sea in best[:1])

    @classmethod
    def enter(cls, war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
        """Raises Refused unless units of these kinds may enter a region together and stay there."""
        check_entry(war, seat, region, kinds)

    def lawful(self, war: War, seat: Seat) -> bool:
        """What is quickly seen comes first: that the last brigade stays, and who may enter."""
        if self.leaves_one and keeps_none(war, seat, self.origin, self.lots):
            return False
        may_enter = granted(self.enter, war, seat, self.target, [lot.kind for lot in self.lots])
        return may_enter and super().lawful(war, seat)

    def beyond_hope(self, war: War, seat: Seat) -> bool:
        return too_many(war, seat, self.lots)


def _spare(land: Land, seat: Seat) -> tuple[Lot, ...]:
    """The brigades of the commonest kind, one of all brigades left behind."""
    spare = land.brigades(seat) - 1
    if spare < 1:
        return ()
    kind = max(BRIGADES, key=lambda kind: land.count(seat, kind))
    return (exactly(kind, min(land.count(seat, kind), spare)),)
