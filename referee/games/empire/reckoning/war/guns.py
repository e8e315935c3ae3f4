"""Guns installed by construction machines: naval guns and ack-ack, in cities and alone, and whom they serve (emp.H-35).

They are built as a gun site or an ack-ack site over the end of a turn, and scrapped to have the gun back.
"""

from __future__ import annotations

from referee.games.empire.position.pieces import Position
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.war.combat import Fighter
from referee.games.empire.reckoning.war.warships import GUN
from referee.games.empire.reckoning.work.structures import owner_of

ACK_ACK, GUN_SITE = "ack-ack site", "gun site"


def sites(empire: Empire, what: str, at: Position) -> int:
    """How many sites of a kind stand in a square, in its city or alone."""
    city = empire.city_at(at)
    standing = (*(city.factories if city is not None else ()), *empire.factories.get(at, ()))
    return sum(factory.kind == what for factory in standing)


def guns_against(empire: Empire, attacker: str, friends: tuple[str, ...], at: Position) -> tuple[Fighter, ...]:
    """The naval guns that cover a square against ships of a country, for those who are attacked there (emp.H-32)."""
    found = []
    for square in (at, *(there for _, there in empire.board.grid.around(at))):
        owner, number = owner_of(empire, square), sites(empire, GUN_SITE, square)
        serves = owner and not empire.friendly(owner, attacker)
        if number and serves and any(empire.friendly(owner, friend) for friend in friends):
            found += [Fighter(0, f"naval gun in {square}", GUN, supports=True)] * number
    return tuple(found)
