"""What a sheet would do if nothing else happened, found by playing the rules themselves on a scratch table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from referee.core.chance import Scripted
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Doubt, Intent, bare, due
from referee.core.table import Table
from referee.games.newworld.events.turns import OrderFellShort
from referee.games.newworld.orders.attack import AttackRegion
from referee.games.newworld.orders.colonize import ColonizeCards
from referee.games.newworld.orders.research import ResearchTechnologies
from referee.games.newworld.phases.carrying_out import PURCHASE_PHASES, PhaseScript, transport_phase
from referee.games.newworld.phases.production import production_phase
from referee.games.newworld.phases.trade import trade_phase
from referee.games.newworld.phases.war import attack_doubts
from referee.games.newworld.position.state import Power, World
from referee.games.newworld.reckoning.conditions import holds
from referee.games.newworld.reckoning.turn import Turn
from referee.games.newworld.rulebook.tables import EUROPE, advance_price
from referee.kit.game import evolve

_TO_TRADE: tuple[PhaseScript, ...] = (production_phase, trade_phase)

_AT_MOST = 20


def forecast(world: World, seat: Seat, sheet: Sequence[Intent]) -> tuple[World, World]:
    """A seat's next turn, or what is left of it, without event, research and exploration: after Trade, and at its end."""
    (traded, _), (after, _) = _played(world, seat, sheet)
    return traded, after


def _played(world: World, seat: Seat, sheet: Sequence[Intent]) -> Iterator[tuple[World, tuple[OrderFellShort, ...]]]:
    """The position after Trade, then that at the end, each with the orders that fell short on the way to it."""
    heard: list[Event] = []
    table = Table("forecast", world, Scripted(()), evolve)
    table.heard = heard.append
    turn = Turn("forecast", seat, tuple(sheet))
    past = world.in_sight(seat)
    for phases in (() if past else _TO_TRADE, (transport_phase,) if past else (*PURCHASE_PHASES, transport_phase)):
        heard.clear()
        for phase in phases:
            if questions := [*phase(table, turn)]:
                raise AssertionError(f"{questions} cannot be forecast")
        yield table.state, tuple(event for event in heard if isinstance(event, OrderFellShort))


def doubts(world: World, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
    """What is lawful in a sheet but will probably disappoint, as things stand."""
    if world.powers[seat].out or world.active is None:
        return ()
    found: dict[Doubt, None] = {}
    for doubt in _found(world, seat, sheet):
        found[doubt] = None
        if len(found) == _AT_MOST:
            break
    return tuple(found)


def in_force(world: World, seat: Seat, sheet: Sequence[Intent]) -> tuple[Intent, ...]:
    """The orders of a sheet that stand in a position."""
    return tuple(due(sheet, partial(holds, world, seat)))


def _found(world: World, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """One after the other, so that those beyond the last that is told are not looked for."""
    reached: list[World] = []
    for position, short in _played(world, seat, sheet):
        reached.append(position)
        for event in short:
            sentence = f"As things stand this will not be done, or not wholly: {event.order}; {event.why}."
            yield Doubt(sentence, event.by_rule, True)
    traded, after = reached
    yield from _research(traded.powers[seat], in_force(traded, seat, sheet))
    final = in_force(after, seat, sheet)
    yield from _colonies(after.powers[seat], final)
    yield from attack_doubts(after, seat, [i for i in final if isinstance(i, AttackRegion)])
    if any(not isinstance(bare(intent), AttackRegion) for intent in sheet):
        yield from _upkeep(after.powers[seat])
        yield from _europe(world, after, seat)


def _research(power: Power, sheet: Sequence[Intent]) -> list[Doubt]:
    gold, least = power.stock["gold"], advance_price(1)
    if any(isinstance(intent, ResearchTechnologies) for intent in sheet) and gold < least:
        sentence = f"You will have {gold} gold for research; no advance costs less than {least}."
        return [Doubt(sentence, "nw.research.price")]
    return []


def _colonies(power: Power, sheet: Sequence[Intent]) -> list[Doubt]:
    if any(isinstance(intent, ColonizeCards) for intent in sheet) and not power.claims:
        return [Doubt("You will have no worker left to colonize with.", "nw.colonization.claim")]
    return []


def _upkeep(power: Power) -> list[Doubt]:
    """A look ahead to the next Upkeep, which comes before Production."""
    stock, found = power.stock, []
    if power.unfed:
        sentence = f"You will have {stock['workers']} workers and {stock['food']} food: the next Upkeep discards some."
        found.append(Doubt(sentence, "nw.upkeep.workers", loss=True))
    if power.excess:
        have = f"{power.units} fleets and armies, and food and gold for {power.supplied} at the next Upkeep"
        sentence = (
            f"You will have {have}, which comes before you produce; those beyond are lost unless you get more by then."
        )
        found.append(Doubt(sentence, "nw.upkeep.units", loss=True))
    return found


def _europe(world: World, after: World, seat: Seat) -> list[Doubt]:
    if world.powers[seat].armies[EUROPE] and not after.powers[seat].armies[EUROPE]:
        return [Doubt("Europe is left without an army: anybody with one there can take a territory.", "nw.r24")]
    return []
