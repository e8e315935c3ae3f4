"""Upkeep Phase: a limit on Workers and on units, not a payment (nw.r9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.core.choices import Choice
from referee.core.order import Intent
from referee.core.question import Pace, Question, Several
from referee.core.table import Script, Table
from referee.games.newworld.events.fortunes import ResourcesLost, UnitsLost
from referee.games.newworld.phases.losses import FLEETS, Pool, picked, pool_of, stated_losses
from referee.games.newworld.position.state import World
from referee.games.newworld.reckoning.turn import Turn
from referee.games.newworld.rulebook.tables import REGIONS

Unit = tuple[str, int]
"""One unit of a pool: where it is, and its number there from 1."""


def upkeep_phase(table: Table[World], turn: Turn) -> Script[None]:
    """nw.upkeep.workers, nw.upkeep.units"""
    unfed = turn.power(table).unfed
    if unfed:
        table.emit(ResourcesLost(turn.seat, "workers", unfed, "more Workers than food", "nw.upkeep.workers"))
    excess = turn.power(table).excess
    if excess:
        gone = yield from _units_to_go(table, turn, excess)
        armies = {region: gone[region] for region in REGIONS if gone.get(region)}
        why = "more units than food or gold"
        table.emit(UnitsLost(turn.seat, gone.get(FLEETS, 0), armies, why, "nw.upkeep.units"))


def _units_to_go(table: Table[World], turn: Turn, excess: int) -> Script[dict[str, int]]:
    """nw.r10"""
    pool = {place: number for place, number in pool_of(turn.power(table)).items() if number}
    if excess >= sum(pool.values()) or len(pool) == 1:
        return picked(pool, (), excess)

    def named(sheet: Sequence[Intent]) -> tuple[Unit, ...] | None:
        order = stated_losses(sheet, upkeep=True)
        return _units(picked(pool, order, excess)) if order else None

    menu = Several(_options(pool), excess, _units(picked(pool, (), excess)))
    text = f"Upkeep cannot keep all your units: which {excess} shall go?"
    question = Question(f"{turn.key}/upkeep", turn.seat, text, menu, Pace.REPLY, "nw.r10", named)
    answer = yield from table.ask(question)
    return _completed(pool, answer.value, excess)


def _options(pool: Pool) -> list[Choice[Unit]]:
    units = _units(pool)
    return [Choice(f"fleet {i}" if place == FLEETS else f"army {i} in {place}", (place, i)) for place, i in units]


def _units(pool: Pool) -> tuple[Unit, ...]:
    return tuple((place, i + 1) for place, number in pool.items() for i in range(number))


def _completed(pool: Pool, chosen: Iterable[Unit], excess: int) -> dict[str, int]:
    """nw.r10: the chosen units, and as many more as must go."""
    gone: dict[str, int] = {}
    for place, _ in chosen:
        gone[place] = gone.get(place, 0) + 1
    left = {place: number - gone.get(place, 0) for place, number in pool.items()}
    for place, number in picked(left, (), excess - sum(gone.values())).items():
        gone[place] = gone.get(place, 0) + number
    return gone
