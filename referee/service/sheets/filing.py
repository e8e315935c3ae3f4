"""Where the orders of a letter go: the draft of the open question, or a drawer for later."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.core.names import Seat
from referee.core.position import parted
from referee.core.question import Question
from referee.core.record import Filed, Given, If, Record
from referee.core.record import Sheet as OrderSheet
from referee.kit.wording import counted
from referee.mail import digest
from referee.orders import Node, Reading
from referee.service.match.binding import Bound
from referee.service.match.drafts import ends_slot
from referee.service.match.playing import Playing
from referee.service.outgoing.frames import debts
from referee.service.sheets.mending import can_mend, mended
from referee.service.sheets.visit import Visit

_NAMED = 12
"""So many lines that a letter took off the file are named; the others are counted."""


def orders_question(visit: Visit) -> Question[Any] | None:
    """The order sheet that the writer owes now, if he owes one."""
    return next((q for q in debts(visit.playing, visit.seat) if q.wants_orders), None)


def filing(visit: Visit, bound: Bound, adds: bool, text: str) -> list[Record]:
    """Where orders go: the draft of the open question, or the drawer for what is asked next.

    Lines that the open question does not ask for wait in that drawer too. A short letter after an incomplete one mends it.
    Who writes nothing but ROLL OUT ends the slot with what is on file; out of turn there is nothing to end, and it must not
    end the next slot before it has begun.
    """
    question = orders_question(visit)
    ends = all(ends_slot(visit.playing, item) for item in bound.sheet)
    if question is None and ends:
        visit.roll_out = True
        return []
    visit.filed, adds = True, adds or ends
    if question is None:
        asked = "You are asked for a decision now, not for orders" if debts(visit.playing, visit.seat) else ""
        why = asked or f"It is not {visit.seat}'s turn"
        visit.later.append(f"{why}: these orders are kept until {visit.seat} is next asked for such orders.")
        return [_drawn_up(visit, "next", bound.sheet, adds, text)]
    now, later = parted(visit.playing.codec, bound.sheet, question)
    whole = mended(visit, question, now, len(bound.mistakes)) if not adds and can_mend(visit) else None
    now, before = (now, adds) if whole is None else (whole, False)
    draft = _drawn_up(visit, f"orders:{question.key}", now, before, text)
    if not later:
        return [draft]
    lines = "; ".join(item.text.replace("\n", " ") for item in later)
    visit.later.append(f"Not asked for now, and kept for later sheets: {lines}.")
    kept = _drawn_up(visit, "next", later, adds or whole is not None, text)
    return [draft, kept] if now else [kept]


def blocks_of(reading: Reading) -> list[tuple[str, tuple[Node, ...]]]:
    """The blocks of a letter that go on file: the drawer of each, and its lines."""
    found: list[tuple[str, tuple[Node, ...]]] = []
    if reading.standing is not None:
        found.append(("standing", reading.standing))
    if reading.late is not None:
        found.append(("late", reading.late))
    found += [(f"turn:{block.turn}", block.nodes) for block in reading.turns]
    return found


def _drawn_up(visit: Visit, drawer: str, sheet: OrderSheet, adds: bool, text: str) -> Filed:
    """A drawer with these lines, or with these lines added before which nothing ends the slot."""
    old = visit.playing.outcome.drawers.get((Seat(visit.seat), drawer), ()) if adds else ()
    while old and ends_slot(visit.playing, old[-1]):
        old = old[:-1]
    return filed_sheet(visit, drawer, (*old, *sheet), text)


def filed_sheet(visit: Visit, drawer: str, sheet: OrderSheet, text: str) -> Filed:
    """What is written down when a drawer takes these lines from a letter."""
    return Filed(Seat(visit.seat), drawer, sheet, visit.message_id, digest(text))


def off_the_file(playing: Playing, taken: Iterable[Record]) -> tuple[str, ...]:
    """The lines on file that these records leave out: a letter takes the place of the one before it."""
    filed = [record for record in taken if isinstance(record, Filed)]
    old = [item for record in filed for item in playing.outcome.drawers.get((record.seat, record.drawer), ())]
    if not old:
        return ()
    kept = {_as_text(item) for record in filed for item in record.sheet}
    gone = {text: item for item in old if (text := _as_text(item)) not in kept}
    lines = [text.partition("\n")[0] for text, item in gone.items() if not ends_slot(playing, item)]
    more = len(lines) - _NAMED
    return (*lines[:_NAMED], *((f"and {counted(more, 'more lines')}",) if more > 0 else ()))


def _as_text(item: Given | If) -> str:
    """A line as it was written; an IF with all that hangs on it, its condition in the first line."""
    if isinstance(item, Given):
        return item.text
    return "\n".join((f"IF {item.text}", *map(_as_text, item.then), "ELSE", *map(_as_text, item.otherwise)))
