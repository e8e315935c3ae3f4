"""War: declared in one's own movement phase for 1 DP (27.war). Peace is made by offers (offers.py)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.war.events.moving import WarDeclared
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import allied, partners
from referee.kit.refused import Refused


def check_declare(war: War, seat: Seat, enemy: Seat) -> None:
    """Raises Refused unless war may be declared (27.war.3)."""
    if enemy == seat:
        raise Refused("You cannot declare war on yourself.", "27.war.3", enemy)
    if enemy in war.out:
        raise Refused(f"{enemy} has been eliminated.", "27.war.3", enemy)
    if war.at_war(seat, enemy):
        raise Refused(f"You are at war with {enemy} already.", "R27-71", enemy)
    if enemy in partners(war, seat):
        direct = "your ally" if allied(war, seat, enemy) else "an ally of your allies"
        raise Refused(f"{enemy} is {direct}; peace with the common enemy comes first.", "27.opt.alliances.3", enemy)
    if war.treasuries[seat].dp < 1:
        raise Refused("A declaration of war costs 1 DP and you have none.", "27.war.3", enemy)


def declare_war(table: Table[War], seat: Seat, enemy: Seat) -> None:
    """Declare war. Raises Refused when that is not possible now."""
    check_declare(table.state, seat, enemy)
    table.emit(WarDeclared(seat, enemy))
