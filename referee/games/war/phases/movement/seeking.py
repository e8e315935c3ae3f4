"""The throw by which fleets meet an enemy's at sea, in matches that play naval interception (27.opt.interception, R27-97)."""

from __future__ import annotations

from collections.abc import Collection

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.war.events.moving import InterceptionTried
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import BOARD


def interception_number(war: War, seat: Seat, sea: str, ours: int, theirs: int) -> tuple[tuple[str, int], ...]:
    """27.opt.interception.1: what is counted, each with its number; their sum must not be thrown over."""
    near = [war.lands[name] for name in BOARD.seas[sea].coasts if war.lands[name].owner == seat]
    return (
        ("own fleets", ours),
        ("enemy fleets", theirs),
        ("regions", len(near)),
        ("ports", sum(land.buildings.count("port") for land in near)),
        ("schools", war.schools(seat)),
    )


def found(
    table: Table[War], seat: Seat, enemy: Seat, sea: str, ours: Collection[int], theirs: Collection[int], what: str
) -> bool:
    """Whether fleets that seek battle meet the enemy: always in the standard game, by 2d6 with the option."""
    if not plays(table.state, "interception"):
        return True
    rule = "27.opt.interception.1"
    made_of = interception_number(table.state, seat, sea, len(ours), len(theirs))
    dice = sum(table.roll(2, 6, f"{sea}: {seat} seeks {enemy}'s fleets {what}", rule))
    event = InterceptionTried(seat, enemy, sea, dice, made_of)
    table.emit(event)
    return dice <= event.number
