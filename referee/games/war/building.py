"""What may be built where, at what price, and which lines the engineers work on (27.production.build). Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war.board import BOARD, CHIT_VALUES, POOL
from referee.games.war.historical import is_colony, units_allowed
from referee.games.war.intents import BuildBuilding, BuildCanal, BuildUnits, DevelopResource
from referee.games.war.lines import line_of
from referee.games.war.options import plays
from referee.games.war.pieces import BUILDINGS, EXCLUSIVE, KINDS, plural
from referee.games.war.places import Land
from referee.games.war.refused import NotYet
from referee.games.war.sites import has_room, kinds_allowed, standing_kinds
from referee.games.war.state import War
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

__all__ = [
    "Build", "BuildAction", "NOTHING", "Works", "check_build", "check_building", "engineer_works", "fleets_sea", "needs_engineer",
    "price_of", "units_left", "worked",
]  # fmt: skip

BuildAction = BuildBuilding | DevelopResource | BuildCanal
"""The build actions of 27.production.build.4; units are none (R27-24)."""

Build = BuildUnits | BuildAction
"""Everything that the construction sub-phase does."""

_RESOURCE_FACTOR = 3
_CANAL_HALF = 30
_HALVES = 2


class Works(msgspec.Struct, frozen=True):
    """What a player has done so far in this construction sub-phase, by region (units: by region and kind)."""

    engineers: dict[str, int] = {}
    actions: dict[str, int] = {}
    units: dict[tuple[str, str], int] = {}
    new: dict[str, int] = {}


NOTHING = Works()
"""Nothing done yet."""


def worked(done: Works, order: Build, engineer: bool = False) -> Works:
    """The works after one more order is carried out, with or without an engineer."""
    where = order.region
    if isinstance(order, BuildUnits):
        built = done.units.get((where, order.kind), 0) + order.number
        return replace(done, units={**done.units, (where, order.kind): built})
    return replace(
        done,
        actions={**done.actions, where: done.actions.get(where, 0) + 1},
        new={**done.new, where: done.new.get(where, 0) + _serves(order)},
        engineers={**done.engineers, where: done.engineers.get(where, 0) + engineer},
    )


def _serves(order: BuildAction) -> bool:
    """Whether it is a building that lets a colony build more units, from the next turn (27.opt.historical.colonial.5)."""
    return isinstance(order, BuildBuilding) and order.kind in EXCLUSIVE


# ---------------------------------------------------------------- prices and engineers


def price_of(war: War, order: Build, engineer: bool = False) -> int:
    """27.production.build.1, 27.production.build.3: PP for an order; an engineer saves a third, down (R27-23)."""
    match order:
        case BuildUnits(kind, number):
            return KINDS[kind].price * number
        case BuildBuilding(kind):
            full = BUILDINGS[kind]
        case DevelopResource(region):
            full = _RESOURCE_FACTOR * CHIT_VALUES.get(war.lands[region].chit or "dot", 0)
        case BuildCanal():
            full = _CANAL_HALF
    if is_colony(war, order.region) and not isinstance(order, BuildCanal):
        return full  # 27.opt.historical.colonial.2
    return full - full // 3 if engineer else full


def engineer_works(war: War, seat: Seat, order: BuildAction, later: Sequence[Intent], done: Works) -> bool:
    """Whether an engineer works on this line: the engineers of a region go to its dearest lines (R27-24).

    `later` are the lines after it; an engineer bought in one of them can work on what follows.
    """
    free = _free_engineers(war, seat, order.region, done)
    lines: list[tuple[int, int]] = [(price_of(war, order), free)]
    for intent in later:
        if isinstance(intent, BuildUnits) and (intent.kind, intent.region) == ("engineer", order.region):
            free += intent.number
        elif isinstance(intent, BuildAction) and intent.region == order.region and _stands(war, seat, intent):
            lines.append((price_of(war, intent), free))
    return needs_engineer(war, order) or 0 in _best_lines(lines)


def needs_engineer(war: War, order: BuildAction) -> bool:
    """27.opt.historical.colonial.2, R27-95: everything in a colony but the canal."""
    return is_colony(war, order.region) and not isinstance(order, BuildCanal)


def _best_lines(lines: Sequence[tuple[int, int]]) -> list[int]:
    """The dearest lines, by number, such that never more are taken up to a line than engineers are there by then."""
    taken: list[int] = []
    for number in sorted(range(len(lines)), key=lambda n: (-lines[n][0], n)):
        trial = sorted([*taken, number])
        if all(place < lines[line][1] for place, line in enumerate(trial)):
            taken = trial
    return taken


def _stands(war: War, seat: Seat, order: BuildAction) -> bool:
    """Whether a later line can be expected to be lawful."""
    try:
        check_build(war, seat, order)
    except Refused:
        return False
    return True


def _free_engineers(war: War, seat: Seat, region: str, done: Works) -> int:
    return war.lands[region].count(seat, "engineer") - done.engineers.get(region, 0)


# ---------------------------------------------------------------- what may be built


def check_build(war: War, seat: Seat, order: Build, done: Works = NOTHING) -> None:
    """27.production.build: whether a line is lawful now, its price apart.

    Raises NotYet where an earlier line of the same sheet could make it lawful (R27-22), else Refused.
    """
    land = war.lands[order.region]
    if land.owner != seat:
        raise Refused(f"{land.name} is not yours; you build in your own regions.", "27.board.8", land.name)
    match order:
        case BuildUnits():
            _check_units(war, seat, order, done)
        case BuildBuilding():
            _check_engineer(war, seat, order, done)
            _check_action(war, seat, land, done)
            check_building(war, land, order.kind)
        case DevelopResource():
            _check_engineer(war, seat, order, done)
            _check_action(war, seat, land, done)
            _check_resource(land)
        case BuildCanal():
            _check_action(war, seat, land, done)
            _check_canal(war)


def _check_engineer(war: War, seat: Seat, order: BuildAction, done: Works) -> None:
    """27.opt.historical.colonial.2: an engineer for each building or development in a colony."""
    if needs_engineer(war, order) and _free_engineers(war, seat, order.region, done) < 1:
        sentence = f"In a colony each building or development needs an engineer of its own; none is free in {order.region}."
        raise NotYet(sentence, "27.opt.historical.colonial.2", order.region)


def _check_canal(war: War) -> None:
    """27.opt.suez.1: two halves, each in a production phase of its own (R27-95)."""
    if len(war.canal) == _HALVES:
        raise Refused("The Suez Canal is complete.", "27.opt.suez.1", "canal")
    if war.stage == "production" and war.turn in war.canal:
        raise Refused("One half of the canal is paid for in a production phase.", "R27-95", "canal")


def _check_action(war: War, seat: Seat, land: Land, done: Works) -> None:
    """27.production.build.4, 27.production.build.9"""
    if land.revolt is not None:
        raise Refused(f"{land.name} is in revolt: nothing is built there.", "27.production.build.9", land.name)
    if done.actions.get(land.name, 0) and not land.count(seat, "engineer"):
        sentence = f"Without an engineer in {land.name} only one thing a turn is built or developed there."
        school = land.has("school")
        instead = (line_of(BuildUnits("engineer", 1, land.name)),) if school else ()
        raise NotYet(sentence, "27.production.build.4", land.name, instead)


def check_building(war: War, land: Land, kind: str) -> None:
    """27.pieces.4, 27.pieces.5, 27.production.build.7, 27.production.build.8"""
    if land.has(kind):
        one_of_a_kind = "27.opt.multiple_buildings.4" if plays(war, "multiple_buildings") else "27.pieces.4"
        rule = {"fort": "27.pieces.5", "school": "27.production.build.8"}.get(kind, one_of_a_kind)
        raise Refused(f"{land.name} has a {kind} already.", rule, kind, _other_buildings(war, land))
    standing = standing_kinds(land)
    if kind in EXCLUSIVE and len(standing) >= kinds_allowed(war, land.name):
        sentence = f"{land.name} has a {in_a_row(standing)}; a {kind} cannot stand beside {'it' if standing[1:] == () else 'them'}."
        rule = "27.opt.multiple_buildings.1" if standing[1:] else "27.pieces.4"
        raise Refused(sentence, rule, kind, _other_buildings(war, land))
    if kind == "port" and not BOARD.regions[land.name].coastal:
        sentence = f"{land.name} has no coast; ports stand on coasts."
        raise Refused(sentence, "27.production.build.7", kind, _other_buildings(war, land))
    if kind == "school":
        _check_school(war, land)


def _check_school(war: War, land: Land) -> None:
    """27.production.build.8"""
    if not land.has("city"):
        others = (other for other in war.regions_of(land.owner) if other.has("city") and not other.has("school"))
        instead = tuple(line_of(BuildBuilding("school", other.name)) for other in others if not _new_city(war, other))
        raise Refused(f"{land.name} has no city; a school needs one.", "27.production.build.8", "school", instead[:2])
    if _new_city(war, land):
        sentence = f"The city of {land.name} was built this turn; a school needs an older one."
        raise Refused(sentence, "27.production.build.8", "school")


def _new_city(war: War, land: Land) -> bool:
    """Whether its city was built in the production phase that is going on; to a later one it is an old city."""
    return war.stage == "production" and land.name in war.new_cities


def _other_buildings(war: War, land: Land) -> tuple[str, ...]:
    """Lines that could stand instead of a refused building."""
    fort = () if land.has("fort") else ("fort",)
    old_city = land.has("city") and not _new_city(war, land) and not land.has("school")
    free = next((kind for kind in EXCLUSIVE if has_room(war, land, kind)), None)
    kinds = (*(("school",) if old_city else ()), *fort, *((free,) if free else ()))
    return tuple(line_of(BuildBuilding(kind, land.name)) for kind in kinds)


def _check_resource(land: Land) -> None:
    """27.production.build.6"""
    if land.developed:
        raise Refused(f"The resource of {land.name} is developed already.", "27.production.build.6", land.name)
    if land.chit is None or CHIT_VALUES.get(land.chit) == 0:
        raise Refused(f"{land.name} has no resource worth developing.", "27.production.build.6", land.name)


def _check_units(war: War, seat: Seat, order: BuildUnits, done: Works) -> None:
    """27.production.build.2, 27.production.build.10"""
    land, kind = war.lands[order.region], KINDS[order.kind]
    if kind.built_in and not land.has(kind.built_in):
        sentence = f"{land.name} has no {kind.built_in}; {plural(kind.name)} are built in one."
        raise NotYet(sentence, "27.production.build.2", land.name, _elsewhere(war, seat, order, done))
    if order.sea and order.sea not in BOARD.regions[land.name].seas:
        instead = tuple(line_of(replace(order, sea=sea)) for sea in BOARD.regions[land.name].seas)
        sentence = f"{order.sea} does not touch {land.name}; new fleets lie beside their port."
        raise Refused(sentence, "27.production.build.10", order.sea, instead)
    left = units_left(war, seat, order, done)
    if left is not None and order.number > left:
        instead = (line_of(replace(order, number=left)),) if left else ()
        raise Refused(_limit(war, order, left), "27.production.build.2", str(order.number), instead)


def _elsewhere(war: War, seat: Seat, order: BuildUnits, done: Works) -> tuple[str, ...]:
    """The same order for other regions of the player, for as many as they can build."""
    standing = [land.name for land in war.regions_of(seat) if land.has(KINDS[order.kind].built_in)]
    others = [replace(order, region=name, sea="") for name in standing]
    left = [(other, units_left(war, seat, other, done)) for other in others]
    able = [replace(o, number=order.number if n is None else min(n, order.number)) for o, n in left if n != 0]
    return tuple(map(line_of, able[:2]))


def _limit(war: War, order: BuildUnits, left: int) -> str:
    much = f"{left or 'no'} more {order.kind if left == 1 else plural(order.kind)}"
    if war.options.get("force_pool") == "yes" and not KINDS[order.kind].per_phase:
        return f"The box holds {much} of your colour."
    return f"{order.region} can build {much} in this production phase."


def units_left(war: War, seat: Seat, order: BuildUnits, done: Works = NOTHING) -> int | None:
    """How many more of a kind a region may build in this phase; None: any number (27.production.build.2, R27-06)."""
    kind = KINDS[order.kind]
    limits = []
    if kind.per_phase:
        limits.append(kind.per_phase - done.units.get((order.region, order.kind), 0))
    if is_colony(war, order.region):
        limits += _colonial_limits(war, order, done)
    if war.options.get("force_pool") == "yes":
        limits.append(POOL[order.kind] - _in_play(war, seat, order.kind))
    return max(0, min(limits)) if limits else None


def _colonial_limits(war: War, order: BuildUnits, done: Works) -> list[int]:
    """27.opt.historical.colonial.4 to .6, .8: all units of the region together, and the fleets of its port."""
    built = sum(number for (region, _), number in done.units.items() if region == order.region)
    together = units_allowed(war, order.region, done.new.get(order.region, 0)) - built
    if order.kind != "fleet":
        return [together]
    fleets = 1 + war.lands[order.region].westernized - done.units.get((order.region, "fleet"), 0)
    return [together, fleets]


def _in_play(war: War, seat: Seat, kind: str) -> int:
    if kind == "fleet":
        return len(war.fleets_of(seat))
    aboard = sum(
        load.number for f in war.fleets.values() for load in f.cargo if (load.owner, load.kind) == (seat, kind)
    )
    return aboard + sum(land.count(seat, kind) for land in war.lands.values())


def fleets_sea(war: War, seat: Seat, order: BuildUnits) -> str:
    """R27-25: where new fleets lie: as ordered, else beside own fleets, else the first area of the map."""
    if order.sea:
        return order.sea
    seas = sorted(BOARD.regions[order.region].seas, key=BOARD.position)
    return next((sea for sea in seas if war.fleets_of(seat, sea)), seas[0])
