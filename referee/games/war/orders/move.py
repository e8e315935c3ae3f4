"""MOVE and SAIL: land units march from region to region (27.move.land), fleets sail from sea area to sea area (27.move.naval)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, ClassVar, Self

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Quantity, Thing
from referee.games.war.deeds import (
    Lot,
    NotYet,
    Plan,
    berths,
    brigades_among,
    exactly,
    granted,
    kinds_of,
    line_of,
    merged,
    muster,
    named_fleets,
)
from referee.games.war.deeds import ships as ships_of
from referee.games.war.deeds.marching import March, check_entry, check_garrison, declaration, open_by_cession, spared
from referee.games.war.events.combat import FleetsMoved
from referee.games.war.orders.base import ALL, MOVEMENT, Place, lots_of, ships_named
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.movement_base import (
    Fleets,
    LandUnitsNamed,
    MoveOrder,
    Way,
    keeps_none,
    least,
    region_of,
    regions_with_units,
    seas_with_fleets,
    ships,
    strange_ship,
    too_many,
    units_at,
)
from referee.games.war.position import DONE, Fleet, Land
from referee.games.war.position.state import War
from referee.games.war.reckoning import (
    CANAL,
    any_land_way,
    friends,
    gate_between,
    gate_shut,
    land_reach,
    land_way,
    sea_reach,
    sea_way,
)
from referee.games.war.reckoning import Way as Route
from referee.games.war.rulebook import BOARD, BRIGADES, SHIP, plural
from referee.kit.declared import Declared, Plain, Words
from referee.kit.fields import Field, Said
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_number

# ---------------------------------------------------------------- SAIL
# Fleets go from sea area to sea area with what they carry (27.move.naval).


_SAILING = "27.move.naval.1"


class Voyage(Plan, frozen=True):
    """The fleets that sail, and their way."""

    way: Route
    fleets: tuple[int, ...]

    def brings(self, war: War, seat: Seat) -> tuple[FleetsMoved, ...]:
        return tuple(FleetsMoved(seat, self.fleets, here, there) for here, there in self.way.pairs())


class _Who(Fleets):
    """Fleets by their numbers, or so many of them."""

    def read(self, said: Said) -> tuple[Any, ...]:
        order = said.order
        others = [thing.name for thing in order.things if thing.kind == "unit" and thing.name != "fleets"]
        if others:
            raise Refused("Fleets sail; land units go with them once they are aboard.", "27.board.3", others[0])
        fleets = ships_named(order.things, _SAILING)
        if fleets and any(thing.kind != SHIP for thing in order.things):
            raise Refused("Name fleets by their numbers, or say how many sail, not both.", _SAILING, "fleets")
        return exactly("fleet", len(fleets)).quantity if fleets else _how_many(said), fleets

    def things(self, value: tuple[Any, ...], state: Any) -> tuple[Thing, ...]:
        wanted, fleets = value
        return ships(fleets) or (Thing("unit", "fleets", wanted),)


def _how_many(said: Said) -> Quantity:
    if said.order.things[0].kind == "any":
        return ALL
    lots = lots_of(said.order, _SAILING)
    if len(lots) > 1:
        why = "Write a line for each: SAIL names so many fleets, or fleets by their numbers."
        raise Refused(why, _SAILING, said.order.things[1].name)
    return lots[0].quantity


class _Loaded(Field[bool | None]):
    """WITH or WITHOUT cargo, which says nothing of fleets by number."""

    needed = False

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return dict.fromkeys(("WITH", "WITHOUT"), self.kinds)

    def read(self, said: Said) -> bool | None:
        if said.got["fleets"]:
            return None
        return True if said.after("WITH") else False if said.after("WITHOUT") else None

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterable[Choice[bool | None]]:
        """Where some are loaded and some are not, and none are named."""
        kinds = {bool(fleet.cargo) for fleet in state.fleets_of(seat, got["origin"])}
        return _LADEN if len(kinds) > 1 and not got["fleets"] else _LADEN[:1]

    def clauses(self, value: bool | None, state: Any) -> Iterator[Clause]:
        if value is not None:
            yield Clause("WITH" if value else "WITHOUT", (Thing("cargo", "cargo"),))


_LADEN = (
    Choice("any", None, "the fullest first"),
    Choice("loaded", True, "those with cargo alone"),
    Choice("empty", False, "those without cargo alone"),
)


def _seas_in_reach(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """Where the freshest of the fleets come."""
    freshest = min(fleet.spent for fleet in war.fleets_of(seat, got["origin"]))
    return map(placed, sea_reach(war, got["origin"], war.kinds["fleet"].moves - freshest))


class SailFleets(MoveOrder, frozen=True):
    """Fleets that sail together to a sea area, with what they carry: those named, or so many.

    `loaded` None: of so many the fullest go first.
    """

    quantity: Quantity
    origin: str
    target: str
    via: tuple[str, ...] = ()
    loaded: bool | None = None
    fleets: tuple[int, ...] = ()

    words = Words(
        "SAIL",
        "sail fleets with what they carry; WITH cargo or WITHOUT cargo says which, or name them: SAIL fleet 2",
        _SAILING,
        "SAIL 2 fleets FROM Persian Gulf TO Arabian Sea",
    )
    plain = Plain(rank=4, most=True)
    fields = (
        Place("origin", "FROM", (), _SAILING, ("sea",), seas_with_fleets),
        Place("target", "TO", (), _SAILING, ("sea",), _seas_in_reach),
        Way("sea"),
        _Who("who", "", "origin", lambda value: named_fleets(value[1]) or Lot("fleet", value[0]).words()),
        _Loaded("loaded", ("cargo",), "WITH", str),
    )
    says, phase = "Sail {who} from {origin} to {target}{via}.", MOVEMENT

    @classmethod
    def read(cls, said: Said) -> Self:
        """Fleets sail by sea alone, and somewhere."""
        order = cls.made(said)
        order.check_course()
        return order

    def check_course(self) -> None:
        """27.board.3, 27.move.naval.1: from sea area to sea area, and to another. Raises Refused."""
        for place in (self.origin, self.target, *self.via):
            if not BOARD.is_sea(place):
                raise Refused(f"Fleets sail from sea area to sea area; {place} is land.", "27.board.3", place)
        if {self.origin, *self.via} == {self.target}:
            raise Refused(f"The fleets are in {self.target} already.", _SAILING, self.target)

    def plan(self, war: War, seat: Seat, strict: bool) -> Voyage:
        if self.quantity.portion in (Portion.EXACTLY, Portion.UP_TO) and self.quantity.number < 1:
            raise Refused("Name at least one fleet.", _SAILING, str(self.quantity.number))
        way = self._course(war, seat)
        named = ships_of(war, seat, war.fleets_of(seat, self.origin), self.origin, self.fleets, _SAILING, strict)
        here = [fleet for fleet in named if self.loaded in (None, bool(fleet.cargo))]
        able = [fleet for fleet in here if fleet.spent + way.cost <= war.kinds["fleet"].moves]
        number = len(self.fleets) or self.quantity.of(len(here))
        if self.quantity.portion is not Portion.EXACTLY:
            number = min(number, len(able))
        if not able or not number or (strict and number > len(able)):
            raise self._too_few(way, here, able, number)
        able.sort(key=lambda fleet: (-fleet.points, fleet.spent, fleet.number))
        return Voyage(way, tuple(fleet.number for fleet in able[:number]))

    def _course(self, war: War, seat: Seat) -> Route:
        """27.move.naval.1, 27.board.5, 27.board.7."""
        self.check_course()
        # 27.board.7: nobody sails from the Mediterranean straight into the Red Sea while no canal is open.
        for here, there in pairwise((self.origin, *self.via, self.target)):
            gate = gate_between(here, there)
            if gate is None or gate.name != CANAL or not gate_shut(war, gate):
                continue
            if war.lands[gate.region].owner is None and len(war.canal) > 1:
                raise Refused(f"Natives hold {gate.region}: nobody passes the canal.", "27.opt.suez.4", there)
            raise Refused(f"There is no canal between {here} and {there}.", "27.board.7", there)
        way = sea_way(war, seat, self.origin, self.target, self.via)
        if way is None:
            # A strait that natives hold; nothing lies behind the canal alone.
            shut = [gate.region for gate in BOARD.gates if gate.name != CANAL and gate_shut(war, gate)]
            strait = shut[0] if shut else ""
            why = f"{self.target} lies beyond the strait of {strait}, which natives hold: nobody passes."
            raise Refused(why, "27.board.5", self.target)
        moves = war.kinds["fleet"].moves
        if way.cost > moves:
            none = "" if war.fleets_of(seat, self.origin) else f" Besides, you have no fleet in {self.origin}."
            why = f"{self.target} is {way.cost} MP away; a fleet has {moves}.{none}"
            if self._short_by_canal(war, seat, way):
                raise Refused(f"{why} There is no canal open at Suez.", "27.board.7", self.target)
            nearer = self.but(target=way.places[moves], via=()).line_if_done(war, seat)
            raise Refused(why, _SAILING, self.target, nearer)
        return way

    def _short_by_canal(self, war: War, seat: Seat, way: Route) -> bool:
        """27.board.7: whether the way is so long because no canal is open."""
        gate = next(gate for gate in BOARD.gates if gate.name == CANAL)
        if not gate_shut(war, gate) or self.target not in gate.between:
            return False
        opened = replace(war.with_land(gate.region, owner=seat), canal=(0, 0))
        short = sea_way(opened, seat, self.origin, self.target, self.via)
        return short is not None and short.cost <= war.kinds["fleet"].moves < way.cost

    def _too_few(self, way: Route, here: Sequence[Fleet], fit: Sequence[Fleet], number: int) -> Refused:
        able, left = len(fit), tuple(fleet.number for fleet in fit) if self.fleets else ()
        instead = (line_of(self.but(quantity=exactly("fleet", able).quantity, fleets=left)),) if able else ()
        which = {None: "", True: "loaded ", False: "empty "}[self.loaded]
        if not here:
            return NotYet(f"You have no {which}fleet in {self.origin}.", _SAILING, self.origin, instead)
        if number > len(here):
            why = f"You have only {counted(len(here), which + 'fleets')} in {self.origin}, not {number}."
            return NotYet(why, _SAILING, str(number), instead)
        if not number and able:
            return NotYet(f"That leaves no fleet to sail from {self.origin}.", _SAILING, self.origin, instead)
        if any(fleet.spent == DONE for fleet in here):
            why = f"Fleets in {self.origin} broke off a battle: their move is over."
            return NotYet(why, "27.combat.naval.4", self.origin, instead)
        have = f"only {able} of these {len(here)} fleets {in_number(able, 'have')} so many left"
        if not able:
            left_over = here[0].kinds["fleet"].moves - min(fleet.spent for fleet in here)
            nearer = way.places[max(0, left_over)]
            instead = (line_of(self.but(target=nearer, via=())),) if nearer != self.origin else ()
            who = "your fleet there has" if len(here) == 1 else "none of your fleets there has more than"
            have = f"{who} {left_over} left, after what was sailed and landed"
        return NotYet(f"{self.target} is {way.cost} MP away; {have}.", _SAILING, self.target, instead)

    def beyond_hope(self, war: War, seat: Seat) -> bool:
        return strange_ship(war, self.fleets) or least(self.quantity) > len(war.fleets_of(seat))


_RULE = "27.move.land.2"
_PLACES = ("region", "sea")


def _in_reach(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """Where the fastest units of the region come, be it through natives."""
    return (region_of(war, seat, name) for name in _paths(war, seat, got["origin"]))


def _ways(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[str, ...]]]:
    """The parts of the ways to the target that must be named: nothing, or native regions."""
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
        """27.board.3, 27.board.6."""
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
        """27.move.land.5: parties that need a brigade are offered one of those that stand beside them."""
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
        """Quick checks come first: that the last brigade stays, and who may enter."""
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
