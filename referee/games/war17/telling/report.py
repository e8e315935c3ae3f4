"""The report of a phase of Version 1.7: the story in order, where everybody stands, what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.event import Event, PhaseBegan
from referee.core.names import Reader, Seat
from referee.core.page import Block, Grid, Heading, Page, Paragraph
from referee.games.war.events.combat import BattleEnded
from referee.games.war.events.course import GameEnded, PlayerEliminated
from referee.games.war.events.economy import IncomeCollected
from referee.games.war.events.forces import FleetLost, FleetsMoved, UnitsLost, UnitsMoved
from referee.games.war.events.moving import NavalBattleEnded, PeaceMade, WarDeclared
from referee.games.war.events.natives import RegionReverted
from referee.games.war.events.setup import RegionPicked
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import BRIGADES, PARTIES
from referee.games.war.telling.report import failures, feuds_told, told_in_short
from referee.games.war.telling.sections import sections
from referee.games.war17.events.affairs import ExplorationRolled, RegionGained
from referee.games.war17.reckoning.scoring import points, tally
from referee.kit.reports import cited_once, standing
from referee.kit.wording import counted, in_a_row


def report(before: War, happened: Sequence[Event], after: War, reader: Reader) -> Page:
    """The page of one phase of the match, from what this reader was told of it."""
    titles = [event.title for event in happened if isinstance(event, PhaseBegan)]
    story = tuple(sections(happened)) or (Paragraph("Nothing happened that can be seen."),)
    blocks = (*failures(happened), *story, *_standing(before, after), *_next(before, after))
    return Page(titles[0] if titles else "War!", _summary(before, happened, after), tuple(cited_once(blocks)))


def _summary(before: War, happened: Sequence[Event], after: War) -> str:
    """One sentence that says it all."""
    ends = [event.sentence() for event in happened if isinstance(event, GameEnded)]
    deeds = [deed for event in happened if (deed := _deed(event))] + _totals(happened)
    return told_in_short(deeds or _moves(happened), ends, before)


def _deed(event: Event) -> str:
    """What is worth a word in the summary."""
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


def _totals(happened: Sequence[Event]) -> list[str]:
    """Incomes, picks and losses, each in a word."""
    incomes = [f"{event.seat} {event.pp} PP" for event in happened if isinstance(event, IncomeCollected)]
    picked = sum(isinstance(event, RegionPicked) for event in happened)
    lost: dict[Seat, int] = {}
    for event in happened:
        if isinstance(event, UnitsLost):
            lost[event.lost.owner] = lost.get(event.lost.owner, 0) + event.lost.number
        elif isinstance(event, FleetLost):
            lost[event.owner] = lost.get(event.owner, 0) + 1 + sum(load.number for load in event.cargo)
    fallen = [f"{seat} {number}" for seat, number in lost.items()]
    said = [f"income: {in_a_row(incomes)}"] if incomes else []
    said += [f"{counted(picked, 'regions')} are picked"] if picked else []
    return [*said, *([f"units lost: {in_a_row(fallen)}"] if fallen else [])]


def _moves(happened: Sequence[Event]) -> list[str]:
    """Who moved, when nothing else is to be told."""
    marched = dict.fromkeys(e.before.owner for e in happened if isinstance(e, UnitsMoved) and e.how == "march")
    sailed = dict.fromkeys(event.owner for event in happened if isinstance(event, FleetsMoved))
    return [f"{seat} marches" for seat in marched] + [f"{seat} sails" for seat in sailed]


# ---------------------------------------------------------------- where everybody stands

_FIGURES = ("VP", "Regions", "Built", "Brigades", "Parties", "Fleets", "PP")


def _standing(before: War, after: War) -> Iterator[Block]:
    yield Heading("Where everybody stands")
    first = before.stage == "setup"  # there was nothing before
    now = {_name(after, seat): _figures(after, seat) for seat in after.order}
    was = now if first else {_name(after, seat): _figures(before, seat) for seat in after.order}
    yield from standing((_FIGURES,), was, now, first or bool(after.ended), "At the start" if first else "")
    if after.ended:
        places = tuple((s.rank, s.seat, s.score, s.how) for s in tally(after).standings)
        yield Grid(("Place", "Player", "VP", "Made of"), places, "Final standings")


def _figures(war: War, seat: Seat) -> dict[str, int]:
    own, forces = war.regions_of(seat), war.forces_of(seat)
    built = sum(len(land.buildings) for land in own)
    brigades, parties = (sum(forces.get(kind, 0) for kind in kinds) for kinds in (BRIGADES, PARTIES))
    values = (points(war, seat), len(own), built, brigades, parties, forces.get("fleet", 0), war.treasuries[seat].pp)
    return dict(zip(_FIGURES, values, strict=True))


def _name(war: War, seat: Seat) -> str:
    return f"{seat} (out)" if seat in war.out else seat


def _next(before: War, war: War) -> Iterator[Block]:
    """Wars that are not as they were, and whose share comes next."""
    yield from feuds_told(before, war)
    if war.stage == "movement" and war.active:
        then = f", then {in_a_row(war.waiting)}" if war.waiting else ""
        yield Paragraph(f"Next: {war.active}{then}.")
    elif war.stage == "production":
        yield Paragraph(f"Next: production of turn {war.turn}.")
