"""Orders of land war -> intents (H-25, H-28)."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Clause, Intent, Order, Thing
from referee.games.empire.binding_units import cargo, place
from referee.games.empire.formations import FORMATIONS
from referee.games.empire.intents.war import Arm, Disarm
from referee.games.empire.nouns import KIND_WORDS
from referee.games.empire.offers import written
from referee.games.empire.state import Empire
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row

__all__ = ["bind_arm", "bind_disarm"]


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
