"""Doubts: what a sheet of Version 1.7 comes to if nobody hinders it, tried at a table of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Doubt, Intent, bare
from referee.core.table import Table
from referee.games.war.deeds.equipping import affordable
from referee.games.war.events.forces import OrderFellShort
from referee.games.war.events.natives import RegionReverted
from referee.games.war.orders.opening.setting_up import lots_bought
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import in_force
from referee.games.war.telling import idle
from referee.games.war.telling.forecast import misplaced, unbought, unresolved, unspent
from referee.games.war17.deeds.exploring import explorers_in
from referee.games.war17.events import CLASSES
from referee.games.war17.events.citing import EditionTable, cite
from referee.games.war17.orders.movement import ExploreRegion17
from referee.games.war17.orders.production import BuildUnits17
from referee.games.war17.phases.movement import MOVES, movement_orders
from referee.games.war17.phases.production import construct
from referee.kit.alone import played_out
from referee.kit.game import evolve

_ANY_DICE = Keyed(b"forecast", 0)
"""For markers of regions that go native; what they show is told to nobody."""


def doubts(war: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
    """What is lawful in this sheet but will probably disappoint."""
    if seat in war.out:
        return ()
    if not sheet:
        saved = (*unspent(war, seat), *_idle(war, seat, sheet))
        return tuple(replace(doubt, rule=cite(doubt.rule)) for doubt in saved)
    if war.stage == "setup":
        sheet = in_force(war, seat, sheet)
        _, short = affordable(war, seat, lots_bought(sheet)) if war.treasuries[seat].pp else ({}, ())
        little = idle.purchase(war, seat, sheet)
        wrong = (*unbought(war, seat, sheet), *misplaced(war, seat, sheet), *little) if war.treasuries[seat].pp else ()
        return (
            *(Doubt(f"As things stand: {why}", "17.setup.4", True) for why in short),
            *(replace(doubt, rule=cite(doubt.rule)) for doubt in wrong),
        )
    if war.stage not in ("movement", "production"):
        return ()
    return (*_tried(replace(war, decisions={}), seat, sheet), *_idle(war, seat, sheet))


def _idle(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """A production beside the one that the form proposes: whether most of the money is kept."""
    careful = tuple(BuildUnits17.proposed(war, seat)) if war.stage == "production" else ()
    if careful:
        had = war.treasuries[seat].pp
        left, usual = (after_production(war, seat, one).treasuries[seat].pp for one in (sheet, careful))
        found = idle.unspent(had, had - left, had - usual, careful)
        yield from (replace(doubt, rule=cite(doubt.rule)) for doubt in found)


def after_moves(war: War, seat: Seat, sheet: Sequence[Intent]) -> War:
    """The position in a player's share after the moves of a sheet, if nobody hinders them."""
    if not sheet:
        return replace(war, active=seat)
    plain = Table("forecast", replace(war, active=seat, decisions={}), _ANY_DICE, evolve)
    played_out(movement_orders(EditionTable(plain, CLASSES), seat, sheet))
    return replace(plain.state, decisions=war.decisions)


def after_production(war: War, seat: Seat, sheet: Sequence[Intent]) -> War:
    """The position after what a sheet builds; engineers who are at work on it are not counted any more."""
    plain = Table("forecast", replace(war, decisions={}), _ANY_DICE, evolve)
    busy = construct(EditionTable(plain, CLASSES), seat, sheet).engineers
    left = replace(plain.state, decisions=war.decisions)
    for region, number in busy.items():
        there = left.lands[region].stacks
        idle = (replace(s, number=s.number - number) if (s.owner, s.kind) == (seat, "engineer") else s for s in there)
        left = left.with_land(region, stacks=tuple(stack for stack in idle if stack.number > 0))
    return left


def _tried(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    heard: list[Event] = []
    plain = Table("forecast", replace(war, active=seat) if war.stage == "movement" else war, _ANY_DICE, evolve)
    plain.heard = heard.append
    table = EditionTable(plain, CLASSES)
    if war.stage == "movement":
        played_out(movement_orders(table, seat, sheet))
    else:
        construct(table, seat, sheet)
    for event in heard:
        if isinstance(event, OrderFellShort):
            said = event.sentence()
            yield Doubt(f"As things stand, {said[:1].lower()}{said[1:]}", event.cites(), True)
        elif isinstance(event, RegionReverted):
            why = "goes back to its natives; who is beaten after setting out from there cannot retreat to it"
            yield Doubt(f"{event.region} is left without a brigade and {why}.", "R17-10")
    if war.stage == "movement":
        yield from _explorers(plain.state, seat, sheet)
        yield from unresolved(plain.state, seat, sheet)


def _explorers(after: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """17.explore.1: who will roll, and what to write if he is to wait."""
    if not any(isinstance(bare(order), MOVES) for order in sheet):
        return
    spoken = {
        order.region for order in in_force(after, seat, sheet, ExploreRegion17) if isinstance(order, ExploreRegion17)
    }
    for region in explorers_in(after, seat):
        if region not in spoken:
            why = f"Your explorers in {region} will try its natives with two dice and are lost if they fail"
            yield Doubt(f"{why}; EXPLORE {region} LATER lets them wait.", "17.explore.1")
