"""WITHDRAW LINE: single lines are taken off the orders on file."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.record import Filed, Given, If
from referee.service.clock.delay import stop_delay
from referee.service.outgoing.frames import debts
from referee.service.sheets.visit import Visit


def _says(item: Given | If) -> str:
    return item.text if isinstance(item, Given) else f"IF {item.text}"


def withdraw(visit: Visit, number: int, words: str, source: str) -> None:
    """Take the line of this number, or that reads so, off the orders for this turn, or for the next where none are on file.

    An IF block counts as one line.
    """
    drawers = visit.playing.outcome.drawers
    now = [f"orders:{question.key}" for question in debts(visit.playing, visit.seat) if question.wants_orders]
    drawer = next((name for name in (*now, "next") if drawers.get((Seat(visit.seat), name))), "")
    sheet = drawers.get((Seat(visit.seat), drawer), ())
    if not sheet:
        visit.deny(source, "You have no orders on file, so there is no line to withdraw.")
        return
    wanted = " ".join(words.casefold().split())
    found = [i for i, item in enumerate(sheet) if (i + 1 == number if number else _says(item).casefold() == wanted)]
    if not found and wanted:
        found = [i for i, item in enumerate(sheet) if _says(item).casefold().startswith(wanted)]
    if len(found) != 1:
        listed = "; ".join(f"{i + 1}: {_says(item)}" for i, item in enumerate(sheet))
        what = "More than one line begins so" if found else "There is no such line"
        visit.deny(source, f"{what}; on file are {listed}. Write WITHDRAW LINE {(found or [0])[0] + 1}.")
        return
    left = tuple(item for i, item in enumerate(sheet) if i != found[0])
    visit.take([Filed(Seat(visit.seat), drawer, left, visit.message_id)])
    visit.done.append(f"Withdrawn: {_says(sheet[found[0]])}.")
    if left:
        visit.filed = True
    else:
        visit.done.append("No orders are left on file.")
        for question in debts(visit.playing, visit.seat):
            stop_delay(visit.step, visit.playing, question.key)
