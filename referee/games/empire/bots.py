"""Random but purposeful order sheets, for bots that test the rules and for tables that want a dummy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.empire.board import Board
from referee.games.empire.bots_air import raids
from referee.games.empire.bots_dealing import dealings
from referee.games.empire.bots_economy import hands, haulage, industry, outpost
from referee.games.empire.bots_moving import journeys
from referee.games.empire.bots_sea import cruises
from referee.games.empire.bots_war import campaigns
from referee.games.empire.countries import Country
from referee.games.empire.distance import reach, steps
from referee.games.empire.kinds import ALLOWANCE, KINDS
from referee.games.empire.orders.move import MoveUnits
from referee.games.empire.orders.opening import PlaceCapital, TakePicks
from referee.games.empire.orders.slot import Execute, RollOut
from referee.games.empire.orders.working import Develop
from referee.games.empire.pieces import Unit
from referee.games.empire.state import Empire
from referee.games.empire.steps.picks import LINES, PICKS, how_many

_PICKS = (*PICKS, *LINES)

_SPARE = 8
"""Workers sent out by a bot each turn besides those for food: enough to grow, few enough to stay quick."""


def suggest(empire: Empire, seat: Seat, pick: Pick) -> tuple[Intent, ...]:
    """A sheet for a seat's slot, ended by rolling out; before the play squares for the capital. Most of it is lawful."""
    if empire.stage != "play":
        return (PlaceCapital(_sites(empire.board, pick)),)
    lines: list[Intent] = []
    for country in empire.owned(seat):
        lines += _country(empire, country, pick)
    return (*lines, *((Execute(),) if not pick(8) else ()), RollOut())


# ---------------------------------------------------------------- the zero turn


def _sites(board: Board, pick: Pick) -> tuple[str, ...]:
    """The natural starts in a random order, then squares of plain."""
    plain = [name for name, square in board.squares.items() if square.terrain == "plain"] or list(board.squares)
    starts = _mixed(board.starts, pick)
    return tuple(dict.fromkeys((*starts, *(plain[pick(len(plain))] for _ in range(8)))))


def _mixed(things: Sequence[str], pick: Pick) -> list[str]:
    left = list(things)
    return [left.pop(pick(len(left))) for _ in things]


# ---------------------------------------------------------------- a country's turn


def _country(empire: Empire, country: Country, pick: Pick) -> list[Intent]:
    free = [unit for unit in empire.units_of(country.name, "coolie") if not _busy(empire, unit)]
    hands(empire, country, free)
    return [
        *_opening(empire, country, pick),
        *industry(empire, country, free, pick),
        *outpost(empire, country, free, pick),
        *_squares(empire, country, free, pick),
        *haulage(empire, country, free, pick),
        *cruises(empire, country, pick),
        *raids(empire, country, pick),
        *campaigns(empire, country, free, pick),
        *journeys(empire, country, free, pick),
        *dealings(empire, country, pick),
    ]


def _busy(empire: Empire, unit: Unit) -> bool:
    jobs = {worked.unit for worked in empire.worked} | {work.unit for work in empire.works}
    return bool(unit.aboard) or unit.number in jobs


def _opening(empire: Empire, country: Country, pick: Pick) -> Iterator[Intent]:
    """The picks of the start, now and then forgotten."""
    first = empire.turn == 1 or (empire.turn == 2 and country.name not in empire.picks)
    if first and country.origin == "starting" and pick(3):
        yield TakePicks(tuple(_PICKS[pick(len(_PICKS))] for _ in range(how_many(empire))))


def _squares(empire: Empire, country: Country, free: list[Unit], pick: Pick) -> Iterator[Intent]:
    """Coolies walk to food first, then to whatever the ground yields; a farm needs food for seed, so fish comes first."""
    mouths = sum(KINDS[unit.kind].person for unit in empire.units_of(country.name))
    taken = {(worked.at, worked.kind) for worked in empire.worked}
    fed = sum(5 for worked in empire.worked if worked.country == country.name and worked.kind in ("farm", "fish"))
    for _ in range(min(len(free), max(0, mouths + 2 - fed) // 5 + 1 + pick(_SPARE))):
        hungry = fed < mouths + 2
        unit = free[pick(len(free))]
        found = _work_for(empire, unit, hungry, taken, pick)
        if found is None:
            continue
        free.remove(unit)
        at, kind = found
        taken.add(found)
        fed += 5 if kind in ("farm", "fish") else 0
        if at != unit.at:
            yield MoveUnits((unit.number,), at)
        yield Develop(unit.number, kind, pick(2))


def _work_for(
    empire: Empire, unit: Unit, hungry: bool, taken: set[tuple[str, str]], pick: Pick
) -> tuple[str, str] | None:
    """Something to work within reach, among the nearest few."""
    near: list[tuple[str, str]] = []
    for at in reach(steps(empire, KINDS[unit.kind]), (unit.at,), ALLOWANCE - unit.spent):
        square = empire.board.squares[at]
        kinds = [square.food] if hungry else [resource.kind for resource in square.resources]
        near += [(at, kind) for kind in kinds if kind and (at, kind) not in taken]
        if len(near) > 3:
            break
    return near[pick(len(near))] if near else None
