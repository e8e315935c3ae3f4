"""Orders of land war -> intents (H-25, H-28)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Clause, Intent, Order, Thing
from referee.games.empire.binding_air import bind_engagement
from referee.games.empire.binding_units import cargo, place, square
from referee.games.empire.formations import FORMATIONS
from referee.games.empire.intents.war import Arm, Attack, Disarm, Retreat
from referee.games.empire.nouns import KIND_WORDS
from referee.games.empire.offers import written
from referee.games.empire.portions import Some
from referee.games.empire.state import Empire
from referee.games.empire.steps.retreating import check_retreat
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

__all__ = ["bind_arm", "bind_attack", "bind_disarm", "bind_retreat"]


_OFFERED = ("SAC", "infantry regiment", "armour")
"""Formations named where somebody asks for what is none."""


def bind_arm(empire: Empire, seat: Seat, order: Order) -> Intent:
    """ARM coolie 14, 15 AS infantry regiment; ARM 3 coolies IN c4r4 AS SACs."""
    (wanted, *more) = order.after("AS")
    formation = KIND_WORDS[wanted.name]
    if formation not in FORMATIONS or more:
        words = f"No formation is called {formation}; those are {in_a_row(list(FORMATIONS))}."
        raise Refused(words, "emp.H-25", wanted.name, tuple(_armed_as(order, name) for name in _OFFERED))
    named = cargo(empire, seat, order.things, place(empire, order, "IN", "AT"))
    return Arm(named.units, formation, named.some)


def _armed_as(order: Order, formation: str) -> str:
    """The order with another formation, as a line."""
    others = tuple(clause for clause in order.clauses if clause.preposition != "AS")
    return written(replace(order, clauses=(*others, Clause("AS", (Thing("unit", formation),)))))


def bind_disarm(empire: Empire, seat: Seat, order: Order) -> Intent:
    """DISARM infantry regiment 5; DISARM all SACs IN c4r4."""
    named = cargo(empire, seat, order.things, place(empire, order, "IN", "AT"))
    return Disarm(named.units, named.some)


def bind_attack(empire: Empire, seat: Seat, order: Order) -> Intent:
    """ATTACK c5r4 WITH infantry regiment 5, 6 KILLING coolies ADVANCE WITH infantry regiment 5."""
    named = cargo(empire, seat, order.after("WITH"), place(empire, order, "IN", "AT"))
    at_sea = bind_engagement(empire, seat, order, named)
    if at_sea is not None:
        return at_sea
    target = square(empire, order.things[0])
    for word in ("KILLING", "CAPTURING"):
        strange = [thing.name for thing in order.after(word) if KIND_WORDS[thing.name] != "coolie"]
        if strange:
            raise Refused(f"Only coolies are killed or captured by choice, not {strange[0]}.", "emp.H-30", strange[0])
    if order.after("KILLING") and order.after("CAPTURING"):
        raise Refused("Say either KILLING or CAPTURING coolies.", "emp.H-30", "KILLING")
    coolies = "killing" if order.after("KILLING") else "capturing"
    return Attack(target, named.units, named.some, coolies, _advancing(empire, seat, order, named.units, named.some))


def _advancing(
    empire: Empire, seat: Seat, order: Order, units: tuple[int, ...], some: tuple[Some, ...]
) -> tuple[int, ...]:
    """Who goes in: by number, or so many of a kind of those that attack by number."""
    things = order.after("ADVANCE WITH")
    if not things:
        return ()
    numbered = cargo(empire, seat, [thing for thing in things if thing.kind != "unit"], "").units
    found = list(numbered)
    for thing in things:
        if thing.kind == "unit":
            found += _of_the_attackers(empire, thing.name, thing.count(1), units, bool(some))
    return tuple(dict.fromkeys(found))


def _of_the_attackers(empire: Empire, word: str, number: int, units: tuple[int, ...], unnamed: bool) -> tuple[int, ...]:
    kind = KIND_WORDS[word]
    alike = tuple(n for n in units if n in empire.units and empire.units[n].kind == kind)
    if unnamed or not alike:
        raise Refused(f"Say by number which {word} go in.", "emp.H-28", word, tuple(f"{kind} {n}" for n in alike[:3]))
    return alike[:number]


def bind_retreat(empire: Empire, seat: Seat, order: Order) -> Intent:
    """RETREAT TO c4r4; RETREAT AS USUAL."""
    intent = Retreat(place(empire, order, "TO")) if order.verb == "RETREAT" else Retreat()
    check_retreat(empire, seat, intent)
    return intent
