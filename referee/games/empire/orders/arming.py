"""ARM and DISARM: coolies become formations with the arms of their square, and coolies again (emp.H-25)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from msgspec.structs import replace

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Clause, Order, Thing, write
from referee.core.table import Table
from referee.games.empire.deeds import Stage
from referee.games.empire.events import OpenEvent
from referee.games.empire.events.fighting import ArmingLapsed, ArmingSet, FormationArmed, FormationDisarmed
from referee.games.empire.events.supply import SquareGivenUp
from referee.games.empire.events.work import WorkDropped
from referee.games.empire.orders.base import Deed, granted
from referee.games.empire.orders.fields import Group
from referee.games.empire.orders.units import idle_coolies
from referee.games.empire.position import Arming, Lot, Unit
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.reckoning.carrying import berths, goods_aboard
from referee.games.empire.reckoning.movement_rates import check_canal, check_stack
from referee.games.empire.reckoning.ownership import Some, named, parts_of, unit_of
from referee.games.empire.reckoning.supply import held, lots_at, taken
from referee.games.empire.reckoning.work import own_factories
from referee.games.empire.rulebook.kinds import (
    ALLOWANCE,
    FORMATIONS,
    GOODS,
    KIND_WORDS,
    KINDS,
    PER_PART,
    THIRD,
    THIRDS,
    in_bta,
)
from referee.games.empire.rulebook.plans import FACTORIES, a
from referee.kit.declared import Words
from referee.kit.fields import Field, Got, Said
from referee.kit.refused import Refused
from referee.kit.stock import gathered
from referee.kit.wording import in_a_row, stock_in_words

RULE = "emp.H-25"

_OFFERED = ("SAC", "infantry regiment", "armour")
"""Formations named where somebody asks for what is none."""

_STRONGEST = sorted(FORMATIONS, key=lambda name: -FORMATIONS[name].attack)


# ---------------------------------------------------------------- ARM


class _Formation(Field[str]):
    def read(self, said: Said) -> str:
        wanted, *more = said.after(self.under)
        formation = KIND_WORDS[wanted.name]
        if formation not in FORMATIONS or more:
            words = f"No formation is called {formation}; those are {in_a_row(list(FORMATIONS))}."
            raise Refused(words, "emp.H-25", wanted.name, tuple(_armed_as(said.order, name) for name in _OFFERED))
        return formation

    def offers(self, state: Empire, seat: Seat, got: Got) -> Iterator[Choice[str]]:
        return (Choice(name, name) for name in _STRONGEST)

    def things(self, value: str, state: Empire) -> tuple[Thing, ...]:
        return (Thing("unit", value),)


def _armed_as(order: Order, formation: str) -> str:
    """The order with another formation, as a line."""
    others = tuple(clause for clause in order.clauses if clause.preposition != "AS")
    return write(replace(order, clauses=(*others, Clause("AS", (Thing("unit", formation),)))))


class Arm(Deed, frozen=True):
    """Coolies, or formations for more arms, become a formation with arms of their square (emp.H-25)."""

    units: tuple[int, ...]
    formation: str
    some: tuple[Some, ...] = ()

    words = Words(
        "ARM",
        f"make coolies a formation with arms of their square, {in_bta(PER_PART)} BTA a part; with arms made this turn at its end",
        "emp.H-25",
        "ARM {who} AS SAC",
    )
    fields = (_Formation("formation", ("unit",), "AS"), Group("who"))
    says = "Arm {who} as {formation}."

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[Arm]:
        return (order for country in empire.owned(seat) for order in armings(empire, country))

    def act(self, stage: Stage, seat: Seat) -> None:
        """One after the other; who worked a square or built does so no longer."""
        for number in self.units:
            _armed(stage, self.plan(stage.state, seat, number))

    def plan(self, empire: Empire, seat: Seat, number: int, late: bool = False) -> FormationArmed | ArmingSet:
        """The event that arms a unit now, or lets it wait for this turn's products. Raises Refused. `late`: it has waited."""
        unit, formation = unit_of(empire, seat, number), self.formation
        arms = _wanted(unit, formation)
        _check_place(empire, unit, formation)
        lacking, cost = _missing(empire, unit, arms), PER_PART * sum(arms.values())
        if lacking:
            if late or not all(_made_there(empire, unit, part) for part in lacking):
                near = (f"ARM {named(unit)} AS {name}" for name in islice(_at_once(empire, unit, FORMATIONS), 3))
                words = f"To arm {a(formation)} takes {stock_in_words(lacking)} more than lies in {unit.at}."
                raise Refused(words, RULE, formation, near)
            _check_bta(unit, unit.spent, cost, formation)
            return ArmingSet(Arming(number, formation, unit.at, unit.country))
        lots, back = _drawn(empire, unit, arms)
        _check_load(empire, unit, formation, lots)
        spent = max((unit.spent, *(lot.spent for lot in lots)))
        _check_bta(unit, spent, cost, formation)
        about = (unit.country, number, unit.kind, formation, unit.at)
        return FormationArmed(*about, FORMATIONS[formation].arms, lots, back, cost, spent + cost)


def armings(empire: Empire, country: Country) -> Iterator[Arm]:
    """For each square with arms the strongest formation that an idle coolie there can become at once."""
    seen: set[str] = set()
    for unit in idle_coolies(empire, country.name):
        if unit.at in seen or unit.spent + PER_PART > ALLOWANCE:
            continue
        seen.add(unit.at)
        yield from (Arm((unit.number,), name) for name in islice(_at_once(empire, unit, _STRONGEST), 1))


def _at_once(empire: Empire, unit: Unit, formations: Iterable[str]) -> Iterator[str]:
    """Those of some formations that a unit can become with what lies there."""
    seat = empire.countries[unit.country].owner
    return (name for name in formations if granted(Arm((), name).plan, empire, seat, unit.number, True))


# ---------------------------------------------------------------- the arms


def _wanted(unit: Unit, formation: str) -> dict[str, int]:
    """The arms that a coolie or formation still needs to become a formation. Raises Refused where it has others."""
    needs, has = dict(FORMATIONS[formation].parts), gathered(parts_of(unit))
    spare = {part: number for part, number in has.items() if number > needs.get(part, 0)}
    if unit.kind != "coolie" and unit.kind not in FORMATIONS:
        raise Refused(f"{named(unit)} takes up no arms; only a regular coolie does.", RULE, str(unit.number))
    if spare or unit.kind == formation:
        why = f"{named(unit)} has {stock_in_words(has)}; {a(formation)} has {stock_in_words(needs)}"
        raise Refused(f"{why}.", RULE, formation, (f"DISARM {named(unit)}",) if spare else ())
    return {part: number - has.get(part, 0) for part, number in needs.items() if number > has.get(part, 0)}


def _missing(empire: Empire, unit: Unit, arms: Mapping[str, int]) -> dict[str, int]:
    """The arms that a unit's square lacks; a third of a HAU is broken off one, three thirds serve as one."""
    have = {part: held(empire, unit.country, unit.at, part) for part in (*arms, "HAU", THIRD)}
    lacking = {part: number - have[part] for part, number in arms.items() if number > have[part]}
    if THIRD in lacking and have["HAU"]:
        del lacking[THIRD]
    if lacking.get("HAU") and have[THIRD] >= THIRDS * lacking["HAU"]:
        del lacking["HAU"]
    return lacking


def _made_there(empire: Empire, unit: Unit, part: str) -> bool:
    """Whether a factory of a unit's country in its square can make some arms."""
    what = "HAU" if part == THIRD else part
    here = [kind for place, kind in own_factories(empire, unit.country) if place == unit.at and kind in FACTORIES]
    return any(what in recipe.makes for kind in here for recipe in FACTORIES[kind].recipes)


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


# ---------------------------------------------------------------- what hinders


def _check_place(empire: Empire, unit: Unit, formation: str) -> None:
    if unit.aboard:
        carrier = empire.units[unit.aboard]
        instead = (f"UNLOAD {named(unit)} FROM {named(carrier)}",)
        raise Refused(f"{named(unit)} is aboard {named(carrier)}; arms are taken up ashore.", RULE, "", instead)
    check_canal(empire, unit)
    if FORMATIONS[formation].airport and not berths(empire, "airport", unit.at, unit.country):
        raise Refused(f"An {formation} is formed at an airport; {unit.at} has none.", RULE, unit.at)
    if not KINDS[unit.kind].military:
        check_stack(empire, replace(unit, kind=formation), unit.at)


def _check_load(empire: Empire, unit: Unit, formation: str, arms: tuple[Lot, ...]) -> None:
    """The unit's load besides the arms themselves must fit the formation it becomes."""
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


# ---------------------------------------------------------------- done now, or at the end of the turn


def _armed(stage: Stage, event: FormationArmed | ArmingSet) -> None:
    stage.emit(event)
    if isinstance(event, FormationArmed):
        for end in _laid_down(stage.state, event.unit):
            stage.emit(end)


def _laid_down(empire: Empire, number: int) -> tuple[OpenEvent, ...]:
    """The work of a coolie who is one no longer."""
    why = f"unit {number} is armed"
    squares = tuple(SquareGivenUp(w.country, w.at, w.kind, why) for w in empire.worked if w.unit == number)
    works = (WorkDropped(w.number, w.what, w.at, why) for w in empire.works if w.unit == number and w.left)
    return (*squares, *works)


def arm_the_waiting(table: Table[Empire], country: str) -> None:
    """Units that waited for arms of this turn are armed with them; they move and attack from the next turn on."""
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
        event = Arm((), arming.formation).plan(empire, seat, arming.unit, late=True)
    except Refused as refused:
        table.emit(ArmingLapsed(arming.country, arming.unit, arming.formation, refused.illegal.sentence))
        return
    _armed(table, event)


# ---------------------------------------------------------------- DISARM


class Disarm(Deed, frozen=True):
    """Formations become coolies again; their arms lie in the square (emp.H-25)."""

    units: tuple[int, ...]
    some: tuple[Some, ...] = ()

    words = Words(
        "DISARM",
        "lay all arms of formations down in their square; they are coolies again and are not paid",
        "emp.H-25",
        "DISARM SAC IN c12r7",
    )
    fields = (Group("who"),)
    says = "Disarm {who}."

    def act(self, stage: Stage, seat: Seat) -> None:
        """For no BTA; the arms lie in the square, or aboard what carries the formation."""
        for number in self.units:
            unit = unit_of(stage.state, seat, number)
            if unit.kind not in FORMATIONS:
                raise Refused(f"{named(unit)} has no arms to lay down.", RULE, str(number))
            city = stage.state.city_at(unit.at)
            inside = city.name if city is not None and city.country == unit.country and not unit.aboard else ""
            where = (unit.country, unit.at, inside, unit.aboard, unit.spent)
            lots = tuple(Lot(part, count, *where) for part, count in gathered(parts_of(unit)).items())
            stage.emit(FormationDisarmed(unit.country, number, unit.kind, unit.at, lots))
