"""Where farms, fish and resources lie on a generated board: enough in every start area, each lacking two kinds (emp.H-08)."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from referee.games.empire.boards.landscape import Pick
from referee.games.empire.boards.survey import ABSENT, BASIC, FARMS, FOOD, RICH, SINGLES
from referee.games.empire.position.board import Board, Resource, Square
from referee.games.empire.reckoning.movement.distance import walk

_WILD_FOOD, _WILD_ORE, _WILD_RICH, _POWER = 6, 5, 6, 60
"""Outside start areas, one square in so many has food, a resource, that resource a higher grade, power."""


def enrich(board: Board, areas: Mapping[str, Sequence[str]], pick: Pick) -> dict[str, Square]:
    """Every square of a bare board with its food and resources."""
    squares = dict(board.squares)
    kinds = _shuffled(BASIC, pick)
    for at, (heart, area) in enumerate(areas.items()):
        lacked = [kinds[(ABSENT * at + step) % len(kinds)] for step in range(ABSENT)]
        near = {name: True for name in walk(board, heart) if name != heart}
        _start(squares, area, near, [kind for kind in BASIC if kind not in lacked], pick)
    inside = dict.fromkeys(name for area in areas.values() for name in area)
    for name in squares:
        if name not in inside:
            squares[name] = _wild(squares[name], pick)
        elif not pick(_POWER) and not squares[name].water:
            _add(squares, name, "power", 1)
    return squares


def _shuffled(things: Sequence[str], pick: Pick) -> list[str]:
    """The same things in an order of chance."""
    left = list(things)
    return [left.pop(pick(len(left))) for _ in things]


def _start(
    squares: dict[str, Square], area: Sequence[str], near: Container[str], kinds: Sequence[str], pick: Pick
) -> None:
    """Farms lie where a first turn's coolies walk to, and on plain where they can."""
    land = _shuffled([name for name in area if not squares[name].water], pick)
    shore = [name for name in area if squares[name].water]
    fish = _shuffled(shore, pick)[: min(3, len(shore))]
    best = sorted(land, key=lambda name: (name not in near, squares[name].terrain != "plain"))
    farms = best[: max(FARMS, FOOD + 1 - len(fish) + pick(3))]
    for name in farms + fish:
        squares[name] = Square(squares[name].terrain, "fish" if squares[name].water else "farm")
    spots = [name for name in land if name not in farms] + farms
    order = _shuffled(kinds, pick)
    for number in range(RICH + SINGLES + pick(3)):
        rich = number < RICH
        name = spots[number % len(spots)]
        kind = order[number % len(order)]
        grade = 1 if not rich else 3 if not pick(4) else 2
        _add(squares, name, kind, grade)
    if "O" in kinds and shore:
        _add(squares, shore[pick(len(shore))], "O", 1)


def _add(squares: dict[str, Square], name: str, kind: str, grade: int) -> None:
    old = squares[name]
    if all(resource.kind != kind for resource in old.resources):
        squares[name] = Square(old.terrain, old.food, (*old.resources, Resource(kind, grade)))


def _wild(square: Square, pick: Pick) -> Square:
    if square.water:
        oil = (Resource("O", 1 + (not pick(_WILD_RICH))),) if not pick(30) else ()
        return Square(square.terrain, "" if pick(9) else "fish", oil)
    food = "farm" if square.terrain in ("plain", "forest") and not pick(_WILD_FOOD) else ""
    if not pick(_POWER):
        return Square(square.terrain, food, (Resource("power"),))
    if pick(_WILD_ORE):
        return Square(square.terrain, food)
    grade = 1 if pick(_WILD_RICH) else 2 + (not pick(3))
    return Square(square.terrain, food, (Resource(BASIC[pick(len(BASIC))], grade),))
