"""Who leads the natives of a region that is attacked: another player, by what he has ordered, or nobody."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.question import OneOf
from referee.core.table import Script, Table
from referee.games.war.orders.standing.losses import RunNatives
from referee.games.war.phases.decisions import consult
from referee.games.war.position.state import War


def who_runs_natives(table: Table[War], player: Seat, battle: str, rule: str) -> Script[Seat | None]:
    """27.combat.natives.4, 17.combat.natives.2, R27-57, Q27: a volunteer, enemies of the player first.

    `battle` begins the question's key; `rule` is the edition's.
    """
    others = table.state.after(player)
    enemies = [seat for seat in others if table.state.at_war(seat, player)]
    for seat in (*enemies, *(seat for seat in others if seat not in enemies)):

        def wanted(sheet: Sequence[Intent]) -> bool | None:
            rules = [rule for rule in sheet if isinstance(rule, RunNatives)]
            return any(not rule.against or player in rule.against for rule in rules) if rules else None

        menu = OneOf([Choice("yes", True), Choice("no", False)], False)
        if (yield from consult(table, seat, f"{battle}/natives/{seat}", "", menu, rule, wanted)):
            return seat
    return None
