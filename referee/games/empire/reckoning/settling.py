"""Where a capital may stand: on land, and not within 12 BTA of another (emp.P3)."""

from __future__ import annotations

from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.distance import apart
from referee.kit.refused import Refused


def check_capital(empire: Empire, at: str) -> None:
    """emp.P3: on land, and not within 12 BTA of another capital. Raises Refused."""
    instead = empire.board.starts[:3]
    if at not in empire.board.squares:
        raise Refused(f"{at} is not on the board.", "emp.P3", at, instead)
    if empire.board.squares[at].water:
        raise Refused(f"{at} is water; a capital stands on land.", "emp.C1", at, instead)
    for city in empire.cities.values():
        if city.at == at or apart(empire.board, city.at, at) is not None:
            raise Refused(f"{at} is within 12 BTA of {city.name}, the capital of {city.country}.", "emp.P3", at)


def default_capital(empire: Empire) -> str:
    """The best natural start area that is free, else the first lawful square of the board."""
    for at in (*empire.board.starts, *empire.board.grid.cells()):
        if may_settle(empire, at):
            return at
    raise ValueError(f"the board {empire.board.name} has no room for another capital")


def may_settle(empire: Empire, at: str) -> bool:
    """Whether a capital may be placed in a square now (emp.P3)."""
    try:
        check_capital(empire, at)
    except Refused:
        return False
    return True
