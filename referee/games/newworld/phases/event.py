"""Event Phase, with the Revolution Rules."""

from __future__ import annotations

from collections.abc import Sequence

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
    """nw.event.check, and what each event of the table does."""
    (check,) = table.roll(1, 6, "Event check", "nw.event.check")
    if check < TABLES.figures.event:
        table.emit(EventCame(turn.seat))
        return
    (face,) = table.roll(1, 10, "Event table", "nw.event.check")
    came = EventCame(turn.seat, TABLES.events.names[face - 1])
    table.emit(came)
    name, rule, power = came.name, came.cites(), turn.power(table)

    def die(why: str) -> int:
        return table.roll(1, 6, why, rule)[0]

    def lose(resource: str, at_most: int) -> None:
        """nw.r2: never more than there is."""
        table.emit(ResourcesLost(turn.seat, resource, min(at_most, power.stock[resource]), name, rule))

    match name:
        case "Piracy":
            lose("gold", die("Gold lost to piracy"))
        case "Famine":
            lose("food", die("Food lost to famine"))
        case "Pestilence":
            lose("workers", 1)
        case "Privateers":
            victim = yield from _victim(table, turn)
            gold = min(die("Gold taken by privateers"), table.state.powers[victim].stock["gold"])
            table.emit(GoldRobbed(turn.seat, victim, gold))
        case "Prosperity":
            table.emit(ResourcesGained(turn.seat, "gold", die("Gold gained by prosperity"), name))
        case "Storms":
            table.emit(UnitsLost(turn.seat, min(1, power.fleets), {}, name, rule))
        case "Disease":
            region = yield from _sick_region(table, turn)
            table.emit(UnitsLost(turn.seat, 0, {region: 1} if region else {}, name, rule))
        case "Revolution":
            _revolution(table, turn)
        case _:  # Discovery and Invention: EventCame itself grants the extra phase.
            pass


def _victim(table: Board, turn: Turn) -> Script[Seat]:
    """nw.r4: whom the privateers rob."""
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


def _sick_region(table: Board, turn: Turn) -> Script[str | None]:
    """nw.r3: where an army dies of it."""
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


def _revolution(table: Board, turn: Turn) -> None:
    """nw.revolution.armies, nw.r6: one colony at random, in revolt already or not."""
    colonies = [t for t in table.state.sheet_of(turn.seat) if t.home is None]
    if colonies:
        colony = table.choose(colonies, "Colony in revolution", "nw.revolution.armies")
        (rebels,) = table.roll(1, 6, "Revolutionary armies", "nw.revolution.armies")
        table.emit(ColonyRevolted(turn.seat, colony.number, colony.name, rebels))
