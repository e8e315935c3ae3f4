"""A share of the movement phase, line by line: split, carried out, given up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Illegal, Intent
from referee.core.table import Script, Table
from referee.games.war.deeds import NotYet, Plan, empties, kinds_of, lots_of
from referee.games.war.deeds.marching import ceded, check_entry
from referee.games.war.events.combat import UnitsMoved, fell_short
from referee.games.war.orders import BOOK
from referee.games.war.orders.attack import AttackFleets, DeclareWar
from referee.games.war.orders.base import MOVEMENT
from referee.games.war.orders.carry import Landing, LandUnits
from referee.games.war.orders.move import MoveUnits, Voyage
from referee.games.war.orders.movement_base import MoveOrder
from referee.games.war.orders.natives import RemoveSphere
from referee.games.war.phases import draw_marker, revert
from referee.games.war.phases.alliances import expel_guests, joining, take_cession
from referee.games.war.phases.construction import take_off_own
from referee.games.war.phases.naval_battle import Announced, attack_fleets, intercepted, sail
from referee.games.war.position import DONE, Stack
from referee.games.war.position.state import War
from referee.games.war.reckoning.scoring import Judged, in_force
from referee.games.war.rulebook import BRIGADES, KINDS, plural, units_in_words
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- a menu for dividing a number among kinds
# The units that are lost, or hit.


Lots = tuple[tuple[str, int], ...]
"""Kinds with how many of each, none of them zero."""

_LOT = re.compile(r"(\d+)\s+([a-z]+)", re.IGNORECASE)


def lots_named(lots: Lots) -> str:
    """`2 infantry and 1 general`; `nothing` for none."""
    return in_a_row([units_in_words(kind, n) for kind, n in lots]) or "nothing"


class Split:
    """From `least` to `most` units in all out of a pool of kinds; what is not lawful by number is not on the menu."""

    def __init__(self, pool: Mapping[str, int], least: int, most: int, default: Mapping[str, int]) -> None:
        self.pool = {kind: number for kind, number in pool.items() if number > 0}
        self.least, self.most = least, most
        self._default = self.lots(default)

    @property
    def default(self) -> Lots:
        """The lots taken when nobody answers."""
        return self._default

    def words(self) -> tuple[str, ...]:
        """The words to write, the pool, and the default as an example."""
        number = str(self.most) if self.least == self.most else f"{self.least} to {self.most}"
        return (
            f"{number} in all out of {lots_named(tuple(self.pool.items()))}; write for instance: {self._example()}",
        )

    def _example(self) -> str:
        lots = self._default or ((next(iter(self.pool)), 1),)
        return ", ".join(units_in_words(kind, n) for kind, n in lots)

    def read(self, text: str) -> Lots | None:
        """`2 infantry, 1 cavalry`; kinds may be cut short; `none` for nothing."""
        named: dict[str, int] = {}
        for number, word in _LOT.findall(text):
            fits = [k for k in self.pool if k.startswith(word.casefold()) or plural(k).startswith(word.casefold())]
            if len(fits) != 1 or len(number) > 4:
                return None
            named[fits[0]] = named.get(fits[0], 0) + int(number)
        rest = _LOT.sub("", text).replace(",", " ").replace(" and ", " ").strip().casefold()
        if rest not in ("", "none", "nothing", "and") or not (named or rest):
            return None
        try:
            return self.lots(named)
        except ValueError:
            return None

    def lots(self, counts: Mapping[str, int]) -> Lots:
        """So many of each, in the order of the pool. Raises ValueError for what is not on the menu."""
        if any(not 0 <= number <= self.pool.get(kind, 0) for kind, number in counts.items()):
            raise ValueError(f"{counts!r} is more than there is")
        if not self.least <= sum(counts.values()) <= self.most:
            raise ValueError(f"{counts!r} is not the number asked for")
        return tuple((kind, counts[kind]) for kind in self.pool if counts.get(kind))

    def encode(self, value: Any) -> bytes:
        """The lots as words in JSON, as they are typed. Raises ValueError for what is not on the menu."""
        return msgspec.json.encode([units_in_words(kind, n) for kind, n in self.lots(dict(value))])

    def decode(self, raw: bytes) -> Lots:
        """The lots from the log. Raises ValueError for what is not on the menu."""
        words = msgspec.json.decode(raw, type=list[str])
        found = self.read(", ".join(words) or "none")
        if found is None:
            raise ValueError(f"{words!r} is not on the menu")
        return found

    def sample(self, pick: Pick) -> Lots:
        """A lawful division, unit by unit."""
        left, taken = dict(self.pool), dict.fromkeys(self.pool, 0)
        for _ in range(self.least + pick(self.most - self.least + 1)):
            kind = [k for k in left if left[k] > taken[k]]
            taken[kind[pick(len(kind))]] += 1
        return self.lots(taken)


_Fitting = Callable[[Sequence[tuple[str, int]]], Lots]
"""The part of kinds in order, with how many of each at most (0: any number), can go along."""


class Company(Split):
    """Brigades that go along with a general: by number, or by kind as far as the points go; one brigade stays behind."""

    def __init__(self, pool: Mapping[str, int], costs: Mapping[str, int], points: int, fitting: _Fitting) -> None:
        self._costs, self._points, self._fitting = dict(costs), points, fitting
        first = dict(fitting([(kind, 0) for kind in pool]))
        super().__init__(pool, 0, sum(pool.values()) - 1, first)

    def words(self) -> tuple[str, ...]:
        """The cost of each, the units there, and an example."""
        costs = in_a_row([f"{plural(kind)} {counted(cost, 'points')} each" for kind, cost in self._costs.items()])
        return (
            f"as many as {counted(self._points, 'points')} pay for ({costs}) out of {lots_named(tuple(self.pool.items()))}, "
            f"one brigade staying; write for instance: {self._example()}; or none",
        )

    def read(self, text: str) -> Lots | None:
        """`1 infantry, 2 cavalry`; a kind without a number is as many as fit, in the order written; `none` for nobody."""
        parts = [part.split() for part in text.casefold().replace(" and ", ",").split(",") if part.strip()]
        if any(part[0].isdigit() for part in parts):
            return super().read(text)
        named = [self._kind(" ".join(part)) for part in parts if part not in (["none"], ["nothing"])]
        kinds = [(kind, 0) for kind in named if kind]
        return self.lots(dict(self._fitting(kinds))) if parts and len(kinds) == len(named) else None

    def _kind(self, word: str) -> str:
        fits = [kind for kind in self.pool if kind.startswith(word) or plural(kind).startswith(word)]
        return fits[0] if len(fits) == 1 else ""

    def lots(self, counts: Mapping[str, int]) -> Lots:
        """So many of each, in the order of the menu. Raises ValueError for what the points do not pay for."""
        if sum(self._costs.get(kind, 0) * number for kind, number in counts.items()) > self._points:
            raise ValueError(f"{counts!r} costs too many points")
        return super().lots(counts)

    def sample(self, pick: Pick) -> Lots:
        """Some of the kinds, as many as fit."""
        kinds = [kind for kind in self.pool if pick(2)]
        return self.lots(dict(self._fitting([(kind, 0) for kind in kinds])))


# ---------------------------------------------------------------- abandoning
# No region is left without a brigade; and what a sheet comes to if nobody hinders it (27.move.cede.5, R27-01).


P = TypeVar("P", bound=Plan)
Q = TypeVar("Q")


class Shortfall(msgspec.Struct, frozen=True):
    """The line of a sheet, from 0, that will not be done or not wholly, and why."""

    line: int
    why: Illegal


class Foreseen(msgspec.Struct, frozen=True):
    """A sheet carried out with no interception and with every strait open."""

    war: War
    shortfalls: tuple[Shortfall, ...]


# ---------------------------------------------------------------- emptied regions


def left_empty(war: War, seat: Seat) -> tuple[str, ...]:
    """Own regions without a brigade, in the order of the map."""
    return tuple(land.name for land in war.regions_of(seat) if not land.brigades(seat))


def awaited(later: Sequence[Intent], region: str) -> bool:
    """Whether a later line of the sheet would bring a brigade into the region."""
    return any(
        isinstance(order, MoveUnits | LandUnits)
        and order.target == region
        and any(lot.kind in BRIGADES for lot in order.lots)
        for order in later
    )


def relieved(war: War, seat: Seat, rest: Sequence[Intent], region: str) -> bool:
    """Whether the rest of the sheet, the emptying order first, leaves a brigade there if nobody hinders it (R27-01)."""
    return awaited(rest[1:], region) and bool(foresee(war, seat, rest).war.lands[region].brigades(seat))


def hold_back(war: War, seat: Seat, plan: P) -> P:
    """R27-01: the same without the brigade that stays. Raises Refused when nothing lawful is left to go."""
    origin, stacks = plan.left
    stay = min((s for s in stacks if s.kind in BRIGADES), key=lambda s: KINDS[s.kind].price)
    plan = plan.but_one(stay)
    if not plan.left[1]:
        raise Refused(f"The last brigade does not leave {origin}.", "R27-01", origin)
    for region in plan.entered[-1:]:
        check_entry(war, seat, region, kinds_of(plan.left[1]))
    return plan


# ---------------------------------------------------------------- foresight

Planner = Callable[[War, Seat, bool], Q]
"""Finds who does what an order says: all that is written (True), or as much as can be done (False)."""


def settled(planner: Planner[Q], war: War, seat: Seat) -> tuple[Q, Refused | None]:
    """The plan for an order as it stands, or for as much of it as can be done, and what is then missing."""
    try:
        return planner(war, seat, True), None
    except NotYet as missing:
        try:
            return planner(war, seat, False), missing
        except NotYet:
            raise missing from None


def foresee(war: War, seat: Seat, sheet: Sequence[Intent]) -> Foreseen:
    """The effects of a movement sheet, line by line, when no enemy intercepts and every strait is open."""
    shortfalls: list[Shortfall] = []
    known: Judged = {}
    for line, written in enumerate(sheet):
        (order,) = in_force(war, seat, (written,), judged=known) or (None,)
        if order is None:
            continue
        try:
            war, why = _foreseen(war, seat, order, in_force(war, seat, sheet[line + 1 :], judged=dict(known)))
        except Refused as refusal:
            why = refusal
        if why is not None:
            shortfalls.append(Shortfall(line, why.illegal))
    return Foreseen(war, tuple(shortfalls))


def _foreseen(war: War, seat: Seat, order: Intent, later: Sequence[Intent]) -> tuple[War, Refused | None]:
    if not isinstance(order, MoveOrder) or order.phase != MOVEMENT:
        return war, None
    plan, why = _kept(war, seat, order, *settled(order.plan, war, seat), later)
    for event in plan.brings(war, seat):
        war = event.change(war)
    return (ceded(war, seat, plan.taken) if plan.taken else war), why


def _kept(
    war: War, seat: Seat, order: MoveOrder, plan: P, why: Refused | None, later: Sequence[Intent]
) -> tuple[P, Refused | None]:
    """R27-01, as far as it can be foreseen."""
    origin, stacks = plan.left
    if not empties(war, seat, origin, stacks) or awaited(later, origin):
        return plan, why
    sentence = f"{origin} would be left without a brigade."
    try:
        short = hold_back(war, seat, plan)
    except Refused:
        raise Refused(sentence, "R27-01", origin) from None
    return short, Refused(sentence, "R27-01", origin, (order.line_for(lots_of(short.left[1])),))


# ---------------------------------------------------------------- a player's movement
# His sheet in the order written, by land and sea (27.move.order.1, R27-30).


MOVES: tuple[type[Intent], ...] = (*BOOK.kinds_of(MOVEMENT), RemoveSphere)
"""The orders of movement, which are carried out line by line."""


def movement_orders(
    table: Table[War], seat: Seat, sheet: Sequence[Intent], judged: Judged | None = None
) -> Script[None]:
    """All orders of movement, then the test that no region was abandoned (R27-01); an IF is judged at its first (R27-40)."""
    share = _Share(table, seat, tuple(sheet), judged if judged is not None else {})
    for line in range(len(share.sheet)):
        try:
            yield from share.carry_out(line)
        except Refused as refusal:
            share.fell_short(line, refusal)
    expel_guests(table, seat)
    yield from share.keep_regions()


class _Share:
    """One sheet at work. `departed`: who left a region that a later line was to relieve; `missed`: resting fleets not met."""

    def __init__(self, table: Table[War], seat: Seat, sheet: tuple[Intent, ...], judged: Judged) -> None:
        self.table = table
        self.judged = judged
        self.seat = seat
        self.sheet = sheet
        self.departed: dict[str, tuple[str, Stack]] = {}
        self.missed: list[tuple[Seat, str]] = []

    def carry_out(self, line: int) -> Script[None]:
        """One line, if it is under no IF that says otherwise. Raises Refused when it cannot be done at all."""
        (order,) = in_force(self.table.state, self.seat, self.sheet[line : line + 1], MOVES, self.judged) or (None,)
        match order:
            case RemoveSphere():
                take_off_own(self.table, self.seat, order)
            case AttackFleets():
                yield from self._attack(line, order)
            case MoveOrder():
                yield from self._move(line, order)

    def fell_short(self, line: int, why: Refused, partly: bool = False) -> None:
        """Tell the writer why a line was not done, or not wholly."""
        self.table.emit(fell_short(self.table.state, self.seat, self.sheet[line], why, partly))

    # -------------------------------------------------------- lines

    def _move(self, line: int, order: MoveOrder) -> Script[None]:
        """Carry out the planned move, unless fleets are stopped on the way."""
        plan, missing = settled(order.plan, self.table.state, self.seat)
        plan, leaving = self._kept(line, plan)
        if missing is not None:
            self.fell_short(line, missing, partly=True)
        match plan:
            case Voyage():
                stopped = yield from sail(self.table, self.seat, plan, f"line {line + 1}")
                if stopped is not None:
                    self.fell_short(line, stopped)
                return
            case Landing():
                plan = yield from self._landed(line, plan)
        for event in plan.brings(self.table.state, self.seat):
            self.table.emit(event)
            if leaving and isinstance(event, UnitsMoved) and event.before.kind in BRIGADES:
                self.departed[plan.left[0]] = (event.target, event.after)
        for place in plan.entered:
            yield from self._first_entry(place)
        if plan.taken:
            yield from take_cession(self.table, self.seat, plan.taken)
        if isinstance(order, DeclareWar):
            yield from joining(self.table, self.seat, f"line {line + 1}")

    def _attack(self, line: int, order: AttackFleets) -> Script[None]:
        """Fleets that were not met are not sought again there in this share (R27-97)."""
        if (order.enemy, order.sea) in self.missed:
            raise Refused(f"{order.enemy}'s fleets in {order.sea} were not met.", "R27-97", order.sea)
        plan, missing = settled(order.plan, self.table.state, self.seat)
        if missing is not None:
            self.fell_short(line, missing, partly=True)
        met = yield from attack_fleets(self.table, self.seat, order, plan.fleets, f"line {line + 1}")
        if not met:
            self.missed.append((order.enemy, order.sea))

    def _landed(self, line: int, plan: Landing) -> Script[Landing]:
        """The rest of a landing where enemies have met its fleets."""
        opponent = plan.invaded if any(kind in BRIGADES for kind in plan.kinds) else None
        action = f"land in {plan.target}"
        announced = Announced(self.seat, plan.fleets, plan.sea, action, plan.invaded, opponent)
        left = yield from intercepted(self.table, announced, f"line {line + 1}")
        plan = plan.surviving(self.table.state, left)
        if not plan.unloadings:
            raise Refused(f"The fleets were stopped by battle in {plan.sea}.", "27.move.naval.5")
        check_entry(self.table.state, self.seat, plan.target, plan.kinds)
        return plan

    def _first_entry(self, region: str) -> Script[None]:
        """27.setup.9: the first unit that ever enters a native region draws its marker."""
        land = self.table.state.lands[region]
        if land.owner is None and land.marker is None:
            yield from draw_marker(self.table, region)

    # -------------------------------------------------------- regions left without a brigade

    def _kept(self, line: int, plan: P) -> tuple[P, bool]:
        """The plan, less the brigade that must stay; and whether it empties a region that is to be relieved (R27-01)."""
        war, (origin, stacks) = self.table.state, plan.left
        if not empties(war, self.seat, origin, stacks):
            return plan, False
        rest = in_force(war, self.seat, self.sheet[line:], MOVES, dict(self.judged))
        if relieved(war, self.seat, rest, origin):
            return plan, True
        short = hold_back(war, self.seat, plan)
        why = f"{origin} may not be left without a brigade, so one stays."
        self.fell_short(line, Refused(why, "R27-01"), partly=True)
        return short, False

    def keep_regions(self) -> Script[None]:
        """R27-01: where the relief did not come."""
        for region in left_empty(self.table.state, self.seat):
            if not self._recalled(region):
                yield from revert(self.table, region)

    def _recalled(self, region: str) -> bool:
        place, stack = self.departed.get(region, ("", Stack(self.seat, "infantry", 0)))
        if not place:
            return False
        land = self.table.state.lands[place]
        there = next((s for s in land.stacks if replace(s, number=stack.number) == stack), None)
        if there is None or (land.owner == self.seat and land.brigades(self.seat) == 1):
            return False
        back = Stack(self.seat, stack.kind, 1, DONE)
        self.table.emit(UnitsMoved(place, replace(stack, number=1), region, back, "march", "R27-01"))
        return True
