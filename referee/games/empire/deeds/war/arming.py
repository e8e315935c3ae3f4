"""Arming and disarming: coolies become formations with the arms of their square, and coolies again (emp.H-25)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.events.base import OpenEvent
from referee.games.empire.events.supply import SquareGivenUp
from referee.games.empire.events.war.arming import ArmingLapsed, ArmingSet, FormationArmed, FormationDisarmed
from referee.games.empire.events.work.building import WorkDropped
from referee.games.empire.position.pieces import Arming, Lot, Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import berths, goods_aboard
from referee.games.empire.reckoning.movement.rates import keeps
from referee.games.empire.reckoning.ownership import named, parts_of, unit_of
from referee.games.empire.reckoning.supply import held, lots_at, taken
from referee.games.empire.reckoning.war.zones import check_stack
from referee.games.empire.reckoning.work import own_factories
from referee.games.empire.rulebook.kinds import ALLOWANCE, FORMATIONS, GOODS, KINDS, PER_PART, THIRD, THIRDS, in_bta
from referee.games.empire.rulebook.plans import FACTORIES, a
from referee.kit.refused import Refused
from referee.kit.stock import gathered
from referee.kit.wording import stock_in_words

RULE = "emp.H-25"


# ---------------------------------------------------------------- arming


def wanted_arms(unit: Unit, formation: str) -> dict[str, int]:
    """The arms that a coolie or formation still needs to become a formation. Raises Refused where it has others."""
    needs, has = dict(FORMATIONS[formation].parts), gathered(parts_of(unit))
    spare = {part: number for part, number in has.items() if number > needs.get(part, 0)}
    if unit.kind != "coolie" and unit.kind not in FORMATIONS:
        raise Refused(f"{named(unit)} takes up no arms; only a regular coolie does.", RULE, str(unit.number))
    if spare or unit.kind == formation:
        why = f"{named(unit)} has {stock_in_words(has)}; {a(formation)} has {stock_in_words(needs)}"
        raise Refused(f"{why}.", RULE, formation, (f"DISARM {named(unit)}",) if spare else ())
    return {part: number - has.get(part, 0) for part, number in needs.items() if number > has.get(part, 0)}


def missing(empire: Empire, unit: Unit, arms: Mapping[str, int]) -> dict[str, int]:
    """What lacks of some arms in a unit's square; a third of a HAU is broken off one, three thirds serve as one."""
    have = {part: held(empire, unit.country, unit.at, part) for part in (*arms, "HAU", THIRD)}
    lacking = {part: number - have[part] for part, number in arms.items() if number > have[part]}
    if THIRD in lacking and have["HAU"]:
        del lacking[THIRD]
    if lacking.get("HAU") and have[THIRD] >= THIRDS * lacking["HAU"]:
        del lacking["HAU"]
    return lacking


def makers_of(empire: Empire, country: str, at: str, part: str) -> tuple[str, ...]:
    """The kinds of a country's factories in a square that can make some arms."""
    what = "HAU" if part == THIRD else part
    here = [kind for place, kind in own_factories(empire, country) if place == at and kind in FACTORIES]
    return tuple(k for k in dict.fromkeys(here) if any(what in recipe.makes for recipe in FACTORIES[k].recipes))


def arms_there(empire: Empire, unit: Unit, formation: str) -> bool:
    """Whether the arms that a unit lacks lie in its square or may be made there this turn: a quick look before `can_arm`."""
    try:
        arms = wanted_arms(unit, formation)
    except Refused:
        return False
    return _made_there(empire, unit, missing(empire, unit, arms))


def _made_there(empire: Empire, unit: Unit, lacking: Iterable[str]) -> bool:
    return all(makers_of(empire, unit.country, unit.at, part) for part in lacking)


def can_arm(empire: Empire, seat: Seat, number: int, formation: str, late: bool = False) -> FormationArmed | ArmingSet:
    """What arms a unit now, or lets it wait for what this turn produces. Raises Refused. `late`: it has waited."""
    unit = unit_of(empire, seat, number)
    arms = wanted_arms(unit, formation)
    _check_place(empire, unit, formation)
    lacking = missing(empire, unit, arms)
    cost = PER_PART * sum(arms.values())
    if lacking:
        if late or not _made_there(empire, unit, lacking):
            raise _short(empire, seat, unit, formation, lacking)
        _check_bta(unit, unit.spent, cost, formation)
        return ArmingSet(Arming(number, formation, unit.at, unit.country))
    lots, back = _drawn(empire, unit, arms)
    _check_load(empire, unit, formation, lots)
    spent = max((unit.spent, *(lot.spent for lot in lots)))
    _check_bta(unit, spent, cost, formation)
    parts = FORMATIONS[formation].arms
    return FormationArmed(unit.country, number, unit.kind, formation, unit.at, parts, lots, back, cost, spent + cost)


def _check_place(empire: Empire, unit: Unit, formation: str) -> None:
    if unit.aboard:
        carrier = empire.units[unit.aboard]
        instead = (f"UNLOAD {named(unit)} FROM {named(carrier)}",)
        raise Refused(f"{named(unit)} is aboard {named(carrier)}; arms are taken up ashore.", RULE, "", instead)
    if keeps(empire, unit):
        raise Refused(f"{named(unit)} mans the canal in {unit.at} this turn.", "emp.terrain.canal", str(unit.number))
    if FORMATIONS[formation].airport and not berths(empire, "airport", unit.at, unit.country):
        raise Refused(f"An {formation} is formed at an airport; {unit.at} has none.", RULE, unit.at)
    if not KINDS[unit.kind].military:
        check_stack(empire, replace(unit, kind=formation), unit.at)


def _check_load(empire: Empire, unit: Unit, formation: str, arms: tuple[Lot, ...]) -> None:
    """What he carries besides the arms themselves must fit the formation he becomes."""
    used = {lot.what: lot.number for lot in arms if lot.aboard == unit.number}
    load = [(lot.what, lot.number - used.get(lot.what, 0)) for lot in goods_aboard(empire, unit.number)]
    load = [(what, number) for what, number in load if number]
    room = sum(GOODS[what] * number for what, number in load)
    vehicle = next((other for other in empire.units.values() if other.aboard == unit.number), None)
    if vehicle is None and room <= KINDS[formation].carries:
        return
    what = named(vehicle) if vehicle is not None else load[0][0].replace("T&S", "TS").replace("t&d", "TD")
    instead = (f"UNLOAD {what if vehicle is not None else f'all {what}'} FROM {named(unit)}",)
    raise Refused(f"{named(unit)} carries more than {a(formation)} can.", RULE, str(unit.number), instead)


def _check_bta(unit: Unit, spent: int, cost: int, formation: str) -> None:
    left = ALLOWANCE - spent
    if cost > left:
        whose = named(unit) if spent == unit.spent else "Of the arms and him, what moved most"
        words = f"{whose} has {in_bta(left)} BTA left; arming as {formation} takes {in_bta(cost)}."
        raise Refused(words, RULE, formation)


def _short(empire: Empire, seat: Seat, unit: Unit, formation: str, lacking: Mapping[str, int]) -> Refused:
    """What lacks, with the formations that could be armed instead."""
    can = [name for name in FORMATIONS if name != formation and _arms_now(empire, seat, unit, name)]
    words = f"To arm {a(formation)} takes {stock_in_words(lacking)} more than lies in {unit.at}"
    instead = tuple(f"ARM {named(unit)} AS {name}" for name in can[:3])
    return Refused(f"{words}.", RULE, formation, instead)


def _arms_now(empire: Empire, seat: Seat, unit: Unit, formation: str) -> bool:
    try:
        arms = wanted_arms(unit, formation)
        _check_place(empire, unit, formation)
    except Refused:
        return False
    return not missing(empire, unit, arms) and PER_PART * sum(arms.values()) <= ALLOWANCE - unit.spent


def _drawn(empire: Empire, unit: Unit, arms: Mapping[str, int]) -> tuple[tuple[Lot, ...], tuple[Lot, ...]]:
    """The lots that are used, and the thirds left of a HAU that is broken up."""
    lots: list[Lot] = []
    back: tuple[Lot, ...] = ()
    for part, number in arms.items():
        found = taken(lots_at(empire, unit.country, unit.at, part), number)
        lots += found
        if part == THIRD and not found:
            (whole,) = taken(lots_at(empire, unit.country, unit.at, "HAU"), 1)
            lots.append(whole)
            back = (replace(whole, what=THIRD, number=THIRDS - 1, aboard=0),)
        elif part == "HAU" and not found:
            lots += taken(lots_at(empire, unit.country, unit.at, THIRD), THIRDS * number)
    return tuple(lots), back


def do_arm(table: Stage, seat: Seat, units: Iterable[int], formation: str) -> None:
    """One after the other; who worked a square or built does so no longer."""
    for number in units:
        _armed(table, can_arm(table.state, seat, number, formation))


def _armed(table: Stage, event: FormationArmed | ArmingSet) -> None:
    table.emit(event)
    if isinstance(event, FormationArmed):
        for end in _laid_down(table.state, event.unit):
            table.emit(end)


def _laid_down(empire: Empire, number: int) -> tuple[OpenEvent, ...]:
    """The work of a coolie who is one no longer."""
    why = f"unit {number} is armed"
    squares = tuple(SquareGivenUp(w.country, w.at, w.kind, why) for w in empire.worked if w.unit == number)
    works = (WorkDropped(w.number, w.what, w.at, why) for w in empire.works if w.unit == number and w.left)
    return (*squares, *works)


# ---------------------------------------------------------------- the end of the turn


def arm_the_waiting(table: Table[Empire], country: str) -> None:
    """Who waited for arms of this turn is armed with them; he moves and attacks from the next turn on."""
    for arming in table.state.arming:
        if arming.country == country:
            _late(table, arming)


def _late(table: Table[Empire], arming: Arming) -> None:
    empire = table.state
    unit = empire.units.get(arming.unit)
    seat = empire.countries[arming.country].owner
    if unit is None or (unit.country, unit.at) != (arming.country, arming.at):
        table.emit(ArmingLapsed(arming.country, arming.unit, arming.formation, "it did not stay."))
        return
    try:
        event = can_arm(empire, seat, arming.unit, arming.formation, late=True)
    except Refused as refused:
        table.emit(ArmingLapsed(arming.country, arming.unit, arming.formation, refused.illegal.sentence))
        return
    _armed(table, event)


# ---------------------------------------------------------------- disarming


def do_disarm(table: Stage, seat: Seat, units: Iterable[int]) -> None:
    """One after the other, for no BTA; the arms lie in the square, or aboard what carries the formation."""
    for number in units:
        unit = unit_of(table.state, seat, number)
        if unit.kind not in FORMATIONS:
            raise Refused(f"{named(unit)} has no arms to lay down.", RULE, str(number))
        city = table.state.city_at(unit.at)
        inside = city.name if city is not None and city.country == unit.country and not unit.aboard else ""
        arms = gathered(parts_of(unit))
        lots = tuple(
            Lot(part, count, unit.country, unit.at, inside, unit.aboard, unit.spent) for part, count in arms.items()
        )
        table.emit(FormationDisarmed(unit.country, number, unit.kind, unit.at, lots))
