"""The report of a phase of Version 1.7: the story in order, where everybody stands, what comes next."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.event import Event
from referee.core.names import Reader
from referee.core.page import Page
from referee.games.war.events.combat import BattleEnded
from referee.games.war.events.course import PlayerEliminated
from referee.games.war.events.economy import IncomeCollected
from referee.games.war.events.moving import NavalBattleEnded, PeaceMade, WarDeclared
from referee.games.war.events.natives import RegionReverted
from referee.games.war.events.setup import RegionPicked
from referee.games.war.position.state import War
from referee.games.war.telling.report import losses, page
from referee.games.war17.events.affairs import ExplorationRolled, RegionGained
from referee.kit.wording import counted, in_a_row


def report(before: War, happened: Sequence[Event], after: War, reader: Reader) -> Page:
    """That of War!, with what this edition has worth a word in its summary."""
    return page(before, happened, after, reader, _deeds(happened))


def _deeds(happened: Sequence[Event]) -> list[str]:
    """What happened, then incomes, picks and losses, each in a word."""
    incomes = [f"{event.seat} {event.pp} PP" for event in happened if isinstance(event, IncomeCollected)]
    picked = sum(isinstance(event, RegionPicked) for event in happened)
    said = [f"income: {in_a_row(incomes)}"] if incomes else []
    said += [f"{counted(picked, 'regions')} are picked"] if picked else []
    return [*(deed for event in happened if (deed := _deed(event))), *said, *losses(happened)]


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
