"""Doubts: what a sheet of Version 1.7 comes to if nobody hinders it, tried at a table of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Doubt, Intent, bare
from referee.games.war.deeds.equipping import affordable
from referee.games.war.events.forces import OrderFellShort
from referee.games.war.events.natives import RegionReverted
from referee.games.war.orders.opening.setting_up import lots_bought
from referee.games.war.position.state import War
from referee.games.war.reckoning.conditions import in_force
from referee.games.war.telling import idle
from referee.games.war.telling.forecast import misplaced, scratch, unbought, unresolved, unspent
from referee.games.war17.events import in_edition
from referee.games.war17.orders.movement import ExploreRegion17, explorers_in
from referee.games.war17.orders.production import BuildUnits17
from referee.games.war17.phases.movement import MOVES, movement_orders
from referee.games.war17.phases.production import construct
from referee.games.war17.rulebook.rules import cite
from referee.kit.alone import played_out


def doubts(war: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
    """What is lawful in this sheet but will probably disappoint."""
    return () if seat in war.out else tuple(replace(d, rule=cite(d.rule)) for d in _doubts(war, seat, sheet))


def _doubts(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    if not sheet:
        yield from unspent(war, seat)
    elif war.stage == "setup":
        if war.treasuries[seat].pp:
            sheet = in_force(war, seat, sheet)
            yield from (
                Doubt(f"As things stand: {why}", "17.setup.4", True)
                for why in affordable(war, seat, lots_bought(sheet))[1]
            )
            yield from (*unbought(war, seat, sheet), *misplaced(war, seat, sheet), *idle.purchase(war, seat, sheet))
    elif war.stage != "over":
        yield from _tried(replace(war, decisions={}), seat, sheet)
    yield from _idle(war, seat, sheet)


def _idle(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """A production beside the one that the form proposes: whether most of the money is kept."""
    careful = tuple(BuildUnits17.proposed(war, seat)) if war.stage == "production" else ()
    if careful:
        had = war.treasuries[seat].pp
        left, usual = (after_production(war, seat, one).treasuries[seat].pp for one in (sheet, careful))
        yield from idle.unspent(had, had - left, had - usual, careful)


def after_moves(war: War, seat: Seat, sheet: Sequence[Intent]) -> War:
    """The position in a player's share after the moves of a sheet, if nobody hinders them."""
    table, _ = scratch(replace(war, active=seat, decisions={}))
    if sheet:
        played_out(movement_orders(in_edition(table), seat, sheet))
    return replace(table.state, decisions=war.decisions)


def after_production(war: War, seat: Seat, sheet: Sequence[Intent]) -> War:
    """The position after what a sheet builds; engineers who are at work on it are not counted any more."""
    table, _ = scratch(replace(war, decisions={}))
    busy = construct(in_edition(table), seat, sheet).engineers
    left = replace(table.state, decisions=war.decisions)
    for region, number in busy.items():
        there = left.lands[region].stacks
        idle = (replace(s, number=s.number - number) if (s.owner, s.kind) == (seat, "engineer") else s for s in there)
        left = left.with_land(region, stacks=tuple(stack for stack in idle if stack.number > 0))
    return left


def _tried(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    moving = war.stage == "movement"
    table, heard = scratch(replace(war, active=seat) if moving else war)
    if moving:
        played_out(movement_orders(in_edition(table), seat, sheet))
    else:
        construct(in_edition(table), seat, sheet)
    for event in heard:
        if isinstance(event, OrderFellShort):
            said = event.sentence()
            yield Doubt(f"As things stand, {said[:1].lower()}{said[1:]}", event.cites(), True)
        elif isinstance(event, RegionReverted):
            why = "goes back to its natives; who is beaten after setting out from there cannot retreat to it"
            yield Doubt(f"{event.region} is left without a brigade and {why}.", "R17-10")
    if moving:
        yield from _explorers(table.state, seat, sheet)
        yield from unresolved(table.state, seat, sheet)


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
