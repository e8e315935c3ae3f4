"""ARM and DISARM: coolies become formations with the arms of their square, and coolies again (emp.H-25)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, one
from referee.core.names import Seat
from referee.core.order import Clause, Order, Thing
from referee.core.printing import write
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.deeds.war.arming import arms_there, can_arm, do_arm, do_disarm, missing, wanted_arms
from referee.games.empire.orders.base import Deed, granted
from referee.games.empire.orders.fields import Group
from referee.games.empire.orders.units import alike, group, how_many, idle_coolies, of_seat
from referee.games.empire.position.countries import Country
from referee.games.empire.position.pieces import Unit
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import Some
from referee.games.empire.reckoning.work import own_factories
from referee.games.empire.rulebook.kinds import ALLOWANCE, FORMATIONS, KIND_WORDS, PER_PART, THIRD
from referee.kit.declared import Words
from referee.kit.fields import Field, Said
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

_OFFERED = ("SAC", "infantry regiment", "armour")
"""Formations named where somebody asks for what is none."""

_ARMS = {THIRD} | {part for formation in FORMATIONS.values() for part in formation.parts}

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
        "make coolies a formation with arms of their square, 4 BTA a part; with arms made this turn at its end",
        "emp.H-25",
        "ARM {who} AS SAC",
    )
    fields = (_Formation("formation", ("unit",), "AS"), Group("who"))
    says = "Arm {who} as {formation}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Units alike for whom there are arms, what they become, and how many of them."""
        who = yield from one("who", _recruits(empire, seat))
        formation = yield from one("formation", _formations(empire, seat, empire.units[who[0]]))
        many = yield from how_many("units", lambda many: cls(who[:many], formation).lawful(empire, seat), len(who))
        return cls(who[:many], formation)

    @classmethod
    def proposed(cls, empire: Empire, seat: Seat) -> Iterable[Arm]:
        return (order for country in empire.owned(seat) for order in armings(empire, country))

    def act(self, stage: Stage, seat: Seat) -> None:
        do_arm(stage, seat, self.units, self.formation)


def _recruits(empire: Empire, seat: Seat) -> Iterator[Choice[tuple[int, ...]]]:
    """Formations, which may have all arms for another, and coolies where there are any arms or factories."""
    stores = {(lot.country, lot.at) for lot in empire.lots if lot.what in _ARMS}
    stores |= {(land.name, at) for land in empire.owned(seat) for at, _ in own_factories(empire, land.name)}
    coolies = (unit for unit in of_seat(empire, seat) if unit.kind == "coolie" and (unit.country, unit.at) in stores)
    for same in alike(empire, (*coolies, *(unit for unit in of_seat(empire, seat) if unit.kind in FORMATIONS))):
        if any(True for _ in _formations(empire, seat, same[0])):
            yield group(same)


def _formations(empire: Empire, seat: Seat, unit: Unit) -> Iterator[Choice[str]]:
    """What a unit can become, the strongest first."""
    for name in _STRONGEST:
        if arms_there(empire, unit, name) and granted(can_arm, empire, seat, unit.number, name):
            yield Choice(name, name)


def armings(empire: Empire, country: Country) -> Iterator[Arm]:
    """For each square with arms the strongest formation that an idle coolie there can become at once."""
    seen: set[str] = set()
    for unit in idle_coolies(empire, country.name):
        if unit.at in seen or unit.spent + PER_PART > ALLOWANCE:
            continue
        seen.add(unit.at)
        for name in _STRONGEST:
            at_hand = not missing(empire, unit, wanted_arms(unit, name))
            if at_hand and granted(can_arm, empire, country.owner, unit.number, name):
                yield Arm((unit.number,), name)
                break


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

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """Formations alike, and how many of them."""
        armed = (unit for unit in of_seat(empire, seat) if unit.kind in FORMATIONS)
        able = (same for same in alike(empire, armed) if cls((same[0].number,)).lawful(empire, seat))
        who = yield from one("who", map(group, able))
        many = yield from how_many("units", lambda many: cls(who[:many]).lawful(empire, seat), len(who))
        return cls(who[:many])

    def act(self, stage: Stage, seat: Seat) -> None:
        do_disarm(stage, seat, self.units)
