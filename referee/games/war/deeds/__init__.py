"""Deeds of units and their effects: who goes, what is refused, plans of movement; on their way they are in marching."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Self

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity, Singulars, write
from referee.games.war.events import WarEvent
from referee.games.war.position import DONE, Fleet, Load, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning import carriers
from referee.games.war.rulebook import BOARD, BRIGADES, BUILDINGS, KINDS, LAND_UNITS, LEADERS, plural, units_in_words
from referee.kit.declared import Declared
from referee.kit.refused import Refused
from referee.kit.wording import are, in_a_row

# ---------------------------------------------------------------- so many of a kind, as orders name them


class Lot(msgspec.Struct, frozen=True):
    """So many of a kind: a land unit, a fleet, or a building."""

    kind: str
    quantity: Quantity

    def words(self) -> str:
        """`3 infantry`, `all generals`, `half the fleets`."""
        n, name = self.quantity.number, plural(self.kind)
        match self.quantity.portion:
            case Portion.EXACTLY:
                return units_in_words(self.kind, n)
            case Portion.UP_TO:
                return f"up to {n} {name}"
            case Portion.ALL:
                return f"all {name}"
            case Portion.ALL_BUT:
                return f"all {name} but {n}"
            case Portion.HALF:
                return f"half the {name}"


def named_fleets(numbers: tuple[int, ...]) -> str:
    """`fleet 2`, `fleet 1 and fleet 3`: as orders name them and sheets number them."""
    return in_a_row([f"fleet {number}" for number in numbers])


def lots_in_words(lots: tuple[Lot, ...]) -> str:
    """`3 infantry and 1 general`."""
    return in_a_row([lot.words() for lot in lots])


# ---------------------------------------------------------------- refused
# A refusal that an earlier line of the same sheet may still mend.


class NotYet(Refused):
    """Not allowed as things stand; an earlier line of the same sheet may still mend it."""


def granted(check: Callable[..., object], *about: object) -> bool:
    """Whether a check that raises Refused lets it pass."""
    try:
        check(*about)
    except Refused:
        return False
    return True


Written = Callable[[Sequence[Lot]], str]
"""The order once more, for other lots."""


def exactly(kind: str, number: int) -> Lot:
    """A lot of exactly so many: what a refusal offers instead."""
    return Lot(kind, Quantity(Portion.EXACTLY, number))


def lots_of(stacks: Sequence[Stack]) -> tuple[Lot, ...]:
    """How many of each kind they are."""
    return tuple(exactly(kind, sum(s.number for s in stacks if s.kind == kind)) for kind in kinds_of(stacks))


def kinds_of(stacks: Sequence[Stack | Load]) -> tuple[str, ...]:
    """The kinds among them."""
    return tuple(dict.fromkeys(stack.kind for stack in stacks))


def brigades_among(stacks: Sequence[Stack]) -> int:
    """How many brigades they are."""
    return sum(stack.number for stack in stacks if stack.kind in BRIGADES)


def empties(war: War, seat: Seat, origin: str, stacks: Sequence[Stack]) -> bool:
    """Whether the last brigades of an own region go (R27-01)."""
    going = brigades_among(stacks)
    return going > 0 and leaves_none(war, seat, origin, going)


def leaves_none(war: War, seat: Seat, region: str, going: int) -> bool:
    """Whether an own region is without a brigade once so many have gone."""
    land = war.lands[region]
    return land.owner == seat and land.brigades(seat) <= going


def merged(lots: Sequence[Lot]) -> tuple[Lot, ...]:
    """The lots of land units, checked: each kind once, every number at least 1, no fleets. Raises Refused."""
    for lot in lots:
        if lot.kind not in LAND_UNITS:
            raise Refused(f"Only land units march, board and land, not {plural(lot.kind)}.", "27.board.3", lot.kind)
        if lot.quantity.portion in (Portion.EXACTLY, Portion.UP_TO) and lot.quantity.number < 1:
            raise Refused("Name at least one unit.", "27.move.land.1", str(lot.quantity.number))
    if len({lot.kind for lot in lots}) < len(lots):
        raise Refused("Name each kind of unit once in an order.", "27.move.land.1", lots[0].kind)
    return tuple(lots)


def wanted(lot: Lot, held: int, free: int) -> int:
    """How many of `free` units that can go are meant, of `held` in all; an exact number may exceed them."""
    number = lot.quantity.of(held)
    return number if lot.quantity.portion is Portion.EXACTLY else min(number, free)


_WAY = "27.move.land.2"
"""The rule of what a way costs."""


def muster(
    war: War,
    seat: Seat,
    region: str,
    lots: Sequence[Lot],
    cost: int,
    strict: bool,
    written: Written,
    paid_under: str = _WAY,
) -> tuple[Stack, ...]:
    """The units of a region that go, given what the way costs (R27-30).

    Raises NotYet when `strict` and not all of them can; otherwise as many go as can. `paid_under`: the rule of the cost.
    """
    found: list[Stack] = []
    for lot in lots:
        here = [s for s in war.lands[region].stacks if s.owner == seat and s.kind == lot.kind]
        able = sorted((s for s in here if s.spent + cost <= war.kinds[lot.kind].moves), key=lambda s: -s.spent)
        held, free = sum(s.number for s in here), sum(s.number for s in able)
        number = wanted(lot, held, free)
        if strict and (number > free or not number):
            instead = _others(lots, lot, free, written)
            raise _refusal(war, here, region, lot, free, cost, instead, paid_under)
        found += _taken(able, min(number, free))
    if not found:
        raise NotYet(f"None of these units can go from {region} now.", "27.move.land.1", region)
    return tuple(found)


def _taken(able: Sequence[Stack], number: int) -> list[Stack]:
    taken: list[Stack] = []
    for stack in able:
        part = min(number, stack.number)
        if part:
            taken.append(replace(stack, number=part))
        number -= part
    return taken


def _others(lots: Sequence[Lot], short: Lot, free: int, written: Written) -> tuple[str, ...]:
    """The order with as many of the kind that is short as can go, or without it."""
    left = [exactly(lot.kind, free) if lot is short else lot for lot in lots if lot is not short or free]
    return (written(left),) if left else ()


def _refusal(
    war: War,
    here: Sequence[Stack],
    region: str,
    lot: Lot,
    free: int,
    cost: int,
    instead: tuple[str, ...],
    paid_under: str,
) -> NotYet:
    """Why so many of a kind cannot go: they are not there, have stopped, or have too few MP left."""
    held = sum(stack.number for stack in here)
    name, number = plural(lot.kind), lot.quantity.of(held)
    if not held:
        return NotYet(f"You have no {name} in {region}.", "27.move.land.1", lot.kind, instead)
    if number > held:
        had = units_in_words(lot.kind, held)
        return NotYet(f"You have only {had} in {region}, not {number}.", "27.move.land.1", str(number), instead)
    if not number:
        return NotYet(f"That leaves no {name} to go from {region}.", "27.move.land.1", lot.kind, instead)
    others = f"; {free} others can go" if free else ""
    tired = [stack for stack in here if stack.spent + cost > war.kinds[lot.kind].moves]
    if any(stack.idle for stack in tired):
        why = f"Your {name} in {region} that destroyed something move no more in this phase{others}."
        return NotYet(why, "R27-96", lot.kind, instead)
    if any(stack.landed for stack in tired):
        why = f"Your {name} put ashore in {region} move no more in this phase{others}."
        return NotYet(why, "27.move.carry.5", lot.kind, instead)
    if any(stack.spent == DONE for stack in tired):
        why = f"Your {name} that entered {region} stop there{others}."
        return NotYet(why, "27.move.land.4", lot.kind, instead)
    fit = f"only {free} of your {name} in {region} have" if free else f"none of your {name} in {region} has"
    why = f"{'The way' if paid_under == _WAY else 'Boarding'} costs {cost} MP, and {fit} so many left."
    return NotYet(why, paid_under, lot.kind, instead)


def berths(war: War, seat: Seat, region: str, lots: Sequence[Lot]) -> tuple[str, ...]:
    """Sea areas beside a region where such units, if they are there, find room aboard: what may be offered instead."""
    land = war.lands[region]
    numbers = {lot.kind: lot.quantity.of(land.count(seat, lot.kind)) for lot in lots}
    if any(not 0 < number <= land.count(seat, kind) for kind, number in numbers.items()):
        return ()
    if land.owner == seat and land.brigades(seat) <= sum(n for kind, n in numbers.items() if kind in BRIGADES) > 0:
        return ()
    points = sum(war.kinds[kind].portage * number for kind, number in numbers.items() if kind in war.kinds)
    room = {sea: sum(fleet.room for fleet in carriers(war, seat, sea)) for sea in BOARD.regions[region].seas}
    return tuple(sea for sea, left in room.items() if left >= points)


# ---------------------------------------------------------------- fleets by their numbers


def ships(
    war: War, seat: Seat, there: Sequence[Fleet], sea: str, numbers: Sequence[int], rule: str, strict: bool
) -> tuple[Fleet, ...]:
    """Those of the fleets `there` in a sea area that an order names, in its order; all if it names none (R27-39).

    Raises Refused; unless `strict` only when none of them is there.
    """
    by_number = {fleet.number: fleet for fleet in there}
    missing = [number for number in numbers if number not in by_number]
    if missing and (strict or len(missing) == len(numbers)):
        raise _no_such_ship(war, seat, there, sea, missing[0], rule)
    return tuple(by_number[number] for number in numbers if number in by_number) if numbers else tuple(there)


def _no_such_ship(war: War, seat: Seat, there: Sequence[Fleet], sea: str, number: int, rule: str) -> Refused:
    own = [str(fleet.number) for fleet in there if fleet.owner == seat]
    where = f" in {sea}" if sea else ""
    others = f"; yours{where} {are(len(own))} {in_a_row(own)}" if own else ""
    fleet = war.fleets.get(number)
    if fleet is not None and fleet.owner == seat:
        return NotYet(f"Fleet {number} lies in {fleet.sea}, not in {sea}{others}.", rule, str(number))
    if fleet is not None:
        return Refused(f"Fleet {number} is {fleet.owner}'s{others}.", rule, str(number))
    return NotYet(f"There is no fleet {number}{others}.", rule, str(number))


# ---------------------------------------------------------------- intents -> lines of a sheet
# The mirror of the binder. A line that is written here reads and binds to the same intent.


SINGULARS: Singulars = {
    **{("unit", plural(kind)): kind for kind in (*KINDS, *LEADERS)},
    **{("building", plural(kind)): kind for kind in BUILDINGS},
    ("sphere", "spheres"): "sphere",
}
"""The word after a 1, for each plural."""


def line_of(intent: Intent) -> str:
    """The line of a sheet that means this intent. Raises KeyError for what is not of this game."""
    if isinstance(intent, Declared):
        return _written(intent)
    raise KeyError(type(intent))


@lru_cache(maxsize=4096)
def _written(intent: Declared[Any]) -> str:
    """A line that does not hang on the position; refusals and choices ask for the same again and again."""
    return write(intent.order(None), SINGULARS)


def lot_words(kind: str, quantity: Quantity) -> str:
    """So many of a kind, as a player writes it: `3 infantry`, `up to 1 general`, `all fleets`."""
    n = quantity.number
    match quantity.portion:
        case Portion.EXACTLY:
            return units_in_words(kind, n)
        case Portion.UP_TO | Portion.ALL_BUT:
            return f"{quantity.portion.value} {units_in_words(kind, n)}"
        case Portion.ALL | Portion.HALF:
            return f"{quantity.portion.value} {plural(kind)}"


# ---------------------------------------------------------------- plan
# The effects of an order of movement where it can be carried out: who goes, which way, and what that brings about.


class Plan(msgspec.Struct, frozen=True):
    """The part of an order that is carried out; whoever carries it out asks no more of it than this."""

    def brings(self, war: War, seat: Seat) -> tuple[WarEvent, ...]:
        """Its effects, if nobody hinders it."""
        raise NotImplementedError(type(self).__name__)

    @property
    def left(self) -> tuple[str, tuple[Stack, ...]]:
        """The region that units leave by land or sea, and which units."""
        return "", ()

    def but_one(self, stay: Stack) -> Self:
        """The same without one unit of this stack."""
        return self

    @property
    def entered(self) -> tuple[str, ...]:
        """The regions that units come to, one after the other."""
        return ()

    @property
    def taken(self) -> str:
        """The region that they take by cession, if any."""
        return ""


class Outright(Plan, frozen=True):
    """A deed at a stroke, where units stand or at a table."""

    events: tuple[WarEvent, ...] = ()

    def brings(self, war: War, seat: Seat) -> tuple[WarEvent, ...]:
        return self.events
