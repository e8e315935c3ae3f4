"""Everything that players of Version 1.7 are shown: forecast, form, rehearsal, report, sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.game import Fortune
from referee.core.names import Reader, Seat
from referee.core.order import Doubt, Intent, bare
from referee.core.page import Grid, Page, Sheet
from referee.core.table import Script, Table
from referee.games.war.deeds import line_of
from referee.games.war.deeds.marching import affordable
from referee.games.war.events.combat import BattleEnded, OrderFellShort
from referee.games.war.events.course import PlayerEliminated, RegionPicked
from referee.games.war.events.economy import IncomeCollected
from referee.games.war.events.moving import NavalBattleEnded, PeaceMade, WarDeclared
from referee.games.war.events.natives import RegionReverted
from referee.games.war.orders.base import COMBAT, CONSTRUCTION, MOVEMENT
from referee.games.war.orders.setup import lots_bought
from referee.games.war.position.state import War
from referee.games.war.reckoning.scoring import Judged, in_force
from referee.games.war.rulebook import BUILDINGS
from referee.games.war.telling import rehearsal as shared
from referee.games.war.telling.forecast import misplaced, scratch, unbought, unresolved, unspent
from referee.games.war.telling.form import MOST_LINES, careful_doubt, idle_start_money, live, offers, standing
from referee.games.war.telling.report import losses, page
from referee.games.war.telling.sheets import ByValue, sheets_with
from referee.games.war17.events import ChitKept, ExplorationRolled, RegionGained, in_edition
from referee.games.war17.orders import (
    BOOK17,
    BuildBuilding17,
    DevelopResource17,
    ExploreRegion17,
    explorers_in,
    own_verbs,
)
from referee.games.war17.phases.battles import combat_phase
from referee.games.war17.phases.movement import MOVES, construct, movement_orders
from referee.games.war17.reckoning import besiegers, cap_of, income
from referee.games.war17.rulebook import BUILDING_PRICE, KINDS17, cite
from referee.games.war17.steady_player import steady
from referee.kit.bare_stage import played_out
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- doubts
# The effects of a sheet of Version 1.7 if nobody hinders it, tried at a table of its own.


def doubts(war: War, seat: Seat, sheet: Sequence[Intent]) -> tuple[Doubt, ...]:
    """Lawful lines of this sheet that will probably disappoint."""
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
            yield from (*unbought(war, seat, sheet), *misplaced(war, seat, sheet), *idle_start_money(war, seat, sheet))
    elif war.stage != "over":
        yield from _tried(replace(war, decisions={}), seat, sheet)
    yield from _idle(war, seat, sheet)


def _idle(war: War, seat: Seat, sheet: Sequence[Intent]) -> Iterator[Doubt]:
    """A production beside the one that the form proposes: whether most of the money is kept."""
    careful = tuple(one.order for one in steady(war, seat)) if war.stage == "production" else ()
    if careful:
        had = war.treasuries[seat].pp
        left, usual = (after_production(war, seat, one).treasuries[seat].pp for one in (sheet, careful))
        yield from careful_doubt(had, had - left, had - usual, careful)


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
            why = "goes back to its natives; brigades beaten after setting out from there cannot retreat to it"
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
    trying = [region for region in explorers_in(after, seat) if region not in spoken]
    if trying:
        why = f"Your explorers in {in_a_row(trying)} will try the natives with two dice and are lost if they fail"
        yield Doubt(f"{why}; EXPLORE {trying[0]} LATER lets them wait.", "17.explore.1")


# ---------------------------------------------------------------- the next order sheet of Version 1.7, half filled in


def order_form(war: War, seat: Seat) -> tuple[str, ...]:
    """Lines to be edited and sent back; those that begin with # are only advice."""
    if seat in war.out or war.stage == "over":
        return ()
    phases: tuple[str, ...] = (MOVEMENT, COMBAT)
    match war.stage:
        case "setup":
            told = _purse(war, seat) if war.treasuries[seat].pp else _pick(war)
            return (*told, *live(steady(war, seat)))
        case "production":
            told, more, phases = _treasury_line(war, seat), _works(war, seat), (CONSTRUCTION,)
        case _:
            told = iter(("# A region you leave without a brigade goes back to its natives.",))
            more = _around(war, seat)
    others = BOOK17.form(lambda _: war, seat, own_verbs(*phases))
    return (*told, *live(steady(war, seat)), *tuple((*more, *others))[:MOST_LINES], *offers(war, seat))


def _pick(war: War) -> Iterator[str]:
    yield f"# You pick {counted(war.start.regions, 'regions')} in turns with the others: rank as many as you like, best first."


def _purse(war: War, seat: Seat) -> Iterator[str]:
    prices = ", ".join(f"{kind} {data.price}" for kind, data in KINDS17.items())
    yield f"# You have {war.treasuries[seat].pp} PP and hold {in_a_row([land.name for land in war.regions_of(seat)])}."
    yield f"# Prices: {prices}; any building {BUILDING_PRICE}. PP that you do not spend are saved."
    yield "# A school needs a city in its region; one of city, factory, port, railroad in a region."


def _treasury_line(war: War, seat: Seat) -> Iterator[str]:
    pp = war.treasuries[seat].pp
    yield f"# You have {pp} PP, this turn's income included. Buildings and resources need an engineer in the region."


def _works(war: War, seat: Seat) -> Iterator[str]:
    """The further works of engineers."""
    sound = [one.order for one in steady(war, seat)]
    for land in war.regions_of(seat):
        works = (DevelopResource17(land.name), *(BuildBuilding17(kind, land.name) for kind in BUILDINGS))
        yield from (f"# {line_of(order)}" for order in works if order not in sound and order.lawful(war, seat))


def _around(war: War, seat: Seat) -> Iterator[str]:
    """The units in each region, and its neighbours."""
    yield from standing(war, seat)
    yield "# Your battle plan, if you want another than the usual: STANCE auto; DEPLOY even; RETREAT NEVER"


# ---------------------------------------------------------------- rehearsal
# A sheet of Version 1.7 played out alone for PREVIEW, and what came of it in words.


def rehearse(table: Table[War], seat: Seat, sheet: Sequence[Intent]) -> Script[None]:
    """A share of movement with its battles and explorers, or what a production sheet buys."""
    if seat in table.state.out:
        return
    match in_edition(table).state.stage:
        case "movement":
            shared.imagine(table, seat, sheet)
            shared.begin_share(table, seat)
            judged: Judged = {}
            yield from movement_orders(table, seat, sheet, judged)
            yield from combat_phase(table, seat, sheet, judged)
        case "production":
            construct(table, seat, sheet)


def fortunes(seat: Seat, before: War, events: Sequence[Event], after: War) -> Iterator[Fortune]:
    """The fortunes that all editions tell, with explorers, regions gained and the finds there."""
    for event in events:
        match event:
            case ExplorationRolled(region=region) if event.seat == seat:
                yield Fortune(f"Your explorer in {region}", "the region is yours" if event.success else "he is lost")
            case ChitKept(region=region) if event.seat == seat:
                yield Fortune(f"Resource of {region}", shared.chit_found(event.chit))
    yield from shared.fortunes(seat, before, events, after)


def holdings(war: War, seat: Seat) -> Mapping[str, int]:
    """Money, regions and units; this edition knows no diplomacy points."""
    return {name: number for name, number in shared.holdings(war, seat).items() if name != "DP"}


# ---------------------------------------------------------------- the report of a phase of Version 1.7
# The story in order, where everybody stands, what comes next.


def report(before: War, happened: Sequence[Event], after: War, reader: Reader) -> Page:
    """That of War!, with what this edition has worth a word in its summary."""
    return page(before, happened, after, reader, _deeds(happened))


def _deeds(happened: Sequence[Event]) -> list[str]:
    """The events, then incomes, picks and losses, each in a word."""
    incomes = [f"{event.seat} {event.pp} PP" for event in happened if isinstance(event, IncomeCollected)]
    picked = sum(isinstance(event, RegionPicked) for event in happened)
    said = [f"income: {in_a_row(incomes)}"] if incomes else []
    said += [f"{counted(picked, 'regions')} are picked"] if picked else []
    return [*(deed for event in happened if (deed := _deed(event))), *said, *losses(happened)]


def _deed(event: Event) -> str:
    """The event in the words of the summary, where it is worth one."""
    match event:
        case RegionGained() | RegionReverted() | WarDeclared() | PeaceMade() | PlayerEliminated():
            return event.sentence().rstrip(".").partition(";")[0]
        case BattleEnded(region=region, winner=winner, loser=loser) if loser:
            return f"{winner or 'the natives'} {'beats' if winner else 'beat'} {loser} in {region}"
        case NavalBattleEnded(sea=sea, winner=winner) if winner:
            return f"{winner} wins at sea in {sea}"
        case ExplorationRolled(seat=seat, region=region, success=False):
            return f"{seat}'s explorer fails in {region}"
        case _:
            return ""


# ---------------------------------------------------------------- record sheets of Version 1.7
# Those of War!, with the treasury of this edition.


def sheets(history: Sequence[Event], war: War, reader: Reader) -> tuple[Sheet, ...]:
    """All record sheets, made of what this reader knows."""
    return sheets_with(_treasury, ByValue(war))


def _treasury(war: War, seat: Seat) -> Sheet:
    """His treasury, his income as things stand, and the part that a blockade could take."""
    due = income(war, seat)
    grids = [Grid(("What", "Number"), (("PP in hand", war.treasuries[seat].pp),), "In hand")]
    would = tuple((line.what, line.amount, line.rule) for line in due.lines)
    total = ("Together", due.pp, "17.production.1")
    grids.append(Grid(("Source", "PP", "Rule"), would, "Next income, if nothing changed", total))
    enemies = "; ".join(f"{enemy} with {number}" for enemy, number in besiegers(war, seat))
    note = (
        f"Fleets beside your ports: {enemies}; they could take {cap_of(due.pp)} PP."
        if enemies
        else "No port is blockaded."
    )
    return Sheet("treasury", f"Treasury of {seat}", tuple(grids), seat, (note,))
