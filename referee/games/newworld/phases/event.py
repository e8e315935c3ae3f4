"""Event Phase, with the Revolution Rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf, Pace, Question
from referee.core.table import Script, Table
from referee.games.newworld.events.fortunes import (
    ColonyRevolted,
    EventCame,
    GoldRobbed,
    ResourcesGained,
    ResourcesLost,
    UnitsLost,
)
from referee.games.newworld.orders.rob import RobSeats
from referee.games.newworld.phases.losses import most_armies, picked, stated_losses
from referee.games.newworld.position.state import World
from referee.games.newworld.reckoning.turn import Turn
from referee.games.newworld.rulebook.tables import TABLES

Board = Table[World]


def event_phase(table: Board, turn: Turn) -> Script[None]:
    """nw.event.check: a high die calls for the event table."""
    (check,) = table.roll(1, 6, "Event check", "nw.event.check")
    if check < TABLES.figures.event:
        table.emit(EventCame(turn.seat))
        return
    (face,) = table.roll(1, 10, "Event table", "nw.event.check")
    name = TABLES.events.names[face - 1]
    table.emit(EventCame(turn.seat, name))
    yield from _EVENTS[name](table, turn)


def _lose(table: Board, turn: Turn, resource: str, at_most: int, why: str) -> None:
    """nw.r2: never more than there is."""
    amount = min(at_most, turn.power(table).stock[resource])
    table.emit(ResourcesLost(turn.seat, resource, amount, why, f"nw.event.{why.lower()}"))


def piracy(table: Board, turn: Turn) -> Script[None]:
    """nw.event.piracy"""
    (gold,) = table.roll(1, 6, "Gold lost to piracy", "nw.event.piracy")
    _lose(table, turn, "gold", gold, "Piracy")
    yield from ()


def privateers(table: Board, turn: Turn) -> Script[None]:
    """nw.event.privateers, nw.r4"""
    victim = yield from _victim(table, turn)
    (gold,) = table.roll(1, 6, "Gold taken by privateers", "nw.event.privateers")
    table.emit(GoldRobbed(turn.seat, victim, min(gold, table.state.powers[victim].stock["gold"])))


def _victim(table: Board, turn: Turn) -> Script[Seat]:
    others = table.state.others(turn.seat)
    richest = max(others, key=lambda seat: table.state.powers[seat].stock["gold"])
    if len(others) == 1:
        return richest

    def named(sheet: Sequence[Intent]) -> Seat | None:
        wished = (v for intent in sheet if isinstance(intent, RobSeats) for v in intent.victims)
        return next((victim for victim in wished if victim in others), None)

    options = [Choice(s, s, f"has {table.state.powers[s].stock['gold']} gold") for s in others]
    text = "Your privateers are out: whom shall they rob?"
    question = Question(
        f"{turn.key}/event/victim", turn.seat, text, OneOf(options, richest), Pace.REPLY, "nw.r4", named
    )
    return (yield from table.ask(question)).value


def prosperity(table: Board, turn: Turn) -> Script[None]:
    """nw.event.prosperity"""
    (gold,) = table.roll(1, 6, "Gold gained by prosperity", "nw.event.prosperity")
    table.emit(ResourcesGained(turn.seat, "gold", gold, "Prosperity"))
    yield from ()


def storms(table: Board, turn: Turn) -> Script[None]:
    """nw.event.storms"""
    table.emit(UnitsLost(turn.seat, min(1, turn.power(table).fleets), {}, "Storms", "nw.event.storms"))
    yield from ()


def disease(table: Board, turn: Turn) -> Script[None]:
    """nw.event.disease, nw.r3"""
    region = yield from _sick_region(table, turn)
    lost = {region: 1} if region else {}
    table.emit(UnitsLost(turn.seat, 0, lost, "Disease", "nw.event.disease"))


def _sick_region(table: Board, turn: Turn) -> Script[str | None]:
    armies = turn.power(table).manned
    default = most_armies(armies)
    if default is None or len(armies) == 1:
        return default

    def named(sheet: Sequence[Intent]) -> str | None:
        order = [unit for unit in stated_losses(sheet) if unit is not None and unit.region in ("", *armies)]
        return next(iter(picked(armies, order, 1))) if order else None

    options = [placed(region, f"{number} there") for region, number in armies.items()]
    text = "Disease takes one of your armies: from which Region?"
    question = Question(f"{turn.key}/event/army", turn.seat, text, OneOf(options, default), Pace.REPLY, "nw.r3", named)
    return (yield from table.ask(question)).value


def famine(table: Board, turn: Turn) -> Script[None]:
    """nw.event.famine"""
    (food,) = table.roll(1, 6, "Food lost to famine", "nw.event.famine")
    _lose(table, turn, "food", food, "Famine")
    yield from ()


def pestilence(table: Board, turn: Turn) -> Script[None]:
    """nw.event.pestilence"""
    _lose(table, turn, "workers", 1, "Pestilence")
    yield from ()


def extra_phase(table: Board, turn: Turn) -> Script[None]:
    """nw.event.discovery, nw.event.invention: EventCame itself grants the extra phase."""
    yield from ()


def revolution(table: Board, turn: Turn) -> Script[None]:
    """nw.revolution.armies, nw.r6: one colony at random, in revolt already or not."""
    colonies = [t for t in table.state.sheet_of(turn.seat) if t.home is None]
    if colonies:
        colony = table.choose(colonies, "Colony in revolution", "nw.revolution.armies")
        (rebels,) = table.roll(1, 6, "Revolutionary armies", "nw.revolution.armies")
        table.emit(ColonyRevolted(turn.seat, colony.number, colony.name, rebels))
    yield from ()


_EVENTS: dict[str, Callable[[Board, Turn], Script[None]]] = {
    "Piracy": piracy,
    "Privateers": privateers,
    "Prosperity": prosperity,
    "Storms": storms,
    "Disease": disease,
    "Famine": famine,
    "Pestilence": pestilence,
    "Discovery": extra_phase,
    "Invention": extra_phase,
    "Revolution": revolution,
}
