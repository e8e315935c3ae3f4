"""SAIL: fleets go from sea area to sea area with what they carry (27.move.naval)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Quantity, Thing
from referee.games.war.deeds.muster import Lot, NotYet, Plan, exactly, line_of, named_fleets
from referee.games.war.deeds.muster import ships as ships_of
from referee.games.war.events.combat import FleetsMoved
from referee.games.war.orders.base import ALL, MOVEMENT, Place, lots_of, ships_named
from referee.games.war.orders.movement import Fleets, MoveOrder, Way, least, seas_with_fleets, ships, strange_ship
from referee.games.war.position.places import DONE, Fleet
from referee.games.war.position.state import War
from referee.games.war.reckoning.paths import CANAL, gate_between, gate_shut, sea_reach, sea_way
from referee.games.war.reckoning.paths import Way as Route
from referee.games.war.rulebook import BOARD, SHIP
from referee.kit.declared import Plain, Words
from referee.kit.fields import Field, Said
from referee.kit.refused import Refused
from referee.kit.wording import counted

_RULE = "27.move.naval.1"


class Voyage(Plan, frozen=True):
    """Which fleets go which way."""

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
        fleets = ships_named(order.things, _RULE)
        if fleets and any(thing.kind != SHIP for thing in order.things):
            raise Refused("Name fleets by their numbers, or say how many sail, not both.", _RULE, "fleets")
        return exactly("fleet", len(fleets)).quantity if fleets else _how_many(said), fleets

    def things(self, value: tuple[Any, ...], state: Any) -> tuple[Thing, ...]:
        wanted, fleets = value
        return ships(fleets) or (Thing("unit", "fleets", wanted),)


def _how_many(said: Said) -> Quantity:
    if said.order.things[0].kind == "any":
        return ALL
    lots = lots_of(said.order, _RULE)
    if len(lots) > 1:
        why = "Write a line for each: SAIL names so many fleets, or fleets by their numbers."
        raise Refused(why, _RULE, said.order.things[1].name)
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


def _in_reach(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
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
        _RULE,
        "SAIL 2 fleets FROM Persian Gulf TO Arabian Sea",
    )
    plain = Plain(rank=4, most=True)
    fields = (
        Place("origin", "FROM", (), _RULE, ("sea",), seas_with_fleets),
        Place("target", "TO", (), _RULE, ("sea",), _in_reach),
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
            raise Refused(f"The fleets are in {self.target} already.", _RULE, self.target)

    def plan(self, war: War, seat: Seat, strict: bool) -> Voyage:
        if self.quantity.portion in (Portion.EXACTLY, Portion.UP_TO) and self.quantity.number < 1:
            raise Refused("Name at least one fleet.", _RULE, str(self.quantity.number))
        way = self._course(war, seat)
        named = ships_of(war, seat, war.fleets_of(seat, self.origin), self.origin, self.fleets, _RULE, strict)
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
            # R27-03: a strait that natives hold; nothing lies behind the canal alone.
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
            raise Refused(why, _RULE, self.target, nearer)
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
            return NotYet(f"You have no {which}fleet in {self.origin}.", _RULE, self.origin, instead)
        if number > len(here):
            why = f"You have only {counted(len(here), which + 'fleets')} in {self.origin}, not {number}."
            return NotYet(why, _RULE, str(number), instead)
        if not number and able:
            return NotYet(f"That leaves no fleet to sail from {self.origin}.", _RULE, self.origin, instead)
        if any(fleet.spent == DONE for fleet in here):
            why = f"Fleets in {self.origin} broke off a battle: their move is over."
            return NotYet(why, "27.combat.naval.4", self.origin, instead)
        have = f"only {able} of these {len(here)} fleets {'has' if able == 1 else 'have'} so many left"
        if not able:
            left_over = here[0].kinds["fleet"].moves - min(fleet.spent for fleet in here)
            nearer = way.places[max(0, left_over)]
            instead = (line_of(self.but(target=nearer, via=())),) if nearer != self.origin else ()
            who = "your fleet there has" if len(here) == 1 else "none of your fleets there has more than"
            have = f"{who} {left_over} left, after what was sailed and landed"
        return NotYet(f"{self.target} is {way.cost} MP away; {have}.", _RULE, self.target, instead)

    def beyond_hope(self, war: War, seat: Seat) -> bool:
        return strange_ship(war, self.fleets) or least(self.quantity) > len(war.fleets_of(seat))
