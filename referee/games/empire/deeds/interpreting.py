"""An opponent settles how a doubtful line is read (emp.P23)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.empire.events.doubts import InterpretationPosted
from referee.games.empire.position.countries import Doubtful
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.rereading import moved_since
from referee.kit.refused import Refused


def check_interpret(empire: Empire, seat: Seat, slot: int, line: int, reading: int) -> Doubtful:
    """emp.P23: a doubtful line of an opponent, not settled yet, later than one's own last roll. Raises Refused."""
    rule = "emp.P23"
    found = next((d for d in empire.doubtful if (d.slot, d.line) == (slot, line)), None)
    if found is None:
        none = f"No line {line} of slot {slot} is open to interpretation"
        raise Refused(f"{none}: none was doubtful, or all have rolled out since.", rule, str(line))
    if found.seat == seat:
        raise Refused("Nobody interprets his own orders.", rule, str(slot))
    if found.by is not None:
        raise Refused(f"{found.by} has settled for good how that line is read.", rule, str(line))
    if seat in found.waived:
        raise Refused("You have rolled out since that slot, and with it gave up the right.", rule, str(slot))
    if not 1 <= reading <= len(found.readings):
        raise Refused(f"That line has {len(found.readings)} readings.", rule, str(reading))
    # What was done since with the units themselves shows which of them were meant, and cannot be undone.
    gone = moved_since(empire, found)
    if isinstance(gone, int):
        raise Refused(f"Unit {gone} is no more; the line stands as it was read.", "emp.P23", str(gone))
    if gone is not None:
        sentence = (
            f"{gone.kind} {gone.number} is not where that line left it; what was done since shows what was meant."
        )
        raise Refused(sentence, "emp.P23", str(gone.number))
    return found


def interpret(table: Table[Empire], seat: Seat, found: Doubtful, reading: int) -> None:
    """The line is read so from now on."""
    text = found.readings[reading - 1]
    slot = table.state.slot
    table.emit(InterpretationPosted(seat, slot, found.seat, found.slot, found.line, reading, text))
