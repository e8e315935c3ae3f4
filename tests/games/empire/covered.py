"""Which orders of a game that bots played were carried out, and which never were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.core.order import Intent
from referee.core.record import Acted
from referee.core.stage import Ended
from referee.games.empire.events.course import OrderRefused
from referee.games.empire.game import GAME
from referee.games.empire.orders.base import RollOut
from referee.games.empire.position.state import Empire
from tests.contract.bots import GameRecord

ORDERS = tuple(kind.__name__ for kind in GAME.intents)
"""Every order of Empire."""


def name_of(intent: Intent) -> str:
    """An order as ORDERS lists it."""
    return type(intent).__name__


def carried_out(record: GameRecord) -> Counter[str]:
    """How often each order was carried out: lines of sheets that were not refused, and what was done at once."""
    acted = [record.codec.intent(given.intent) for given in record.records if isinstance(given, Acted)]
    lines = (name for ended in record.ended for name, done in _lines(record, ended) if done)
    return Counter([*lines, *map(name_of, acted)])


def refused(record: GameRecord) -> Counter[str]:
    """How often each order of a sheet was refused."""
    return Counter(name for ended in record.ended for name, done in _lines(record, ended) if not done)


def _lines(record: GameRecord, ended: Ended[Empire]) -> Iterator[tuple[str, bool]]:
    """The lines of a slot in order, and whether each was carried out; what stands below ROLL OUT is no line.

    Before the play a square that cannot be had is refused, and the capital placed on the next one.
    """
    menus = {question.key: question.menu for question, _ in record.asked}
    told = [event for event in ended.events if isinstance(event, OrderRefused)]
    struck = {event.line for event in told} if ended.before.stage == "play" else set[int]()
    line = 0
    for answer in ended.answers:
        sheet = menus[answer.key].decode(answer.value)
        for intent in sheet if isinstance(sheet, tuple) else ():
            line += 1
            yield name_of(intent), line not in struck
            if isinstance(intent, RollOut):
                break
