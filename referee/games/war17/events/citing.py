"""What the shared parts of War! cite, in the numbers of Version 1.7: events, dice, questions, refusals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import new_class
from typing import Any

import msgspec

from referee.core.event import Event
from referee.core.names import Seat
from referee.core.order import Illegal
from referee.core.question import Question
from referee.core.table import Script, Table
from referee.games.war.events.base import WarEvent
from referee.games.war.position.state import War
from referee.games.war17.rulebook.rules import RULES
from referee.kit.refused import Refused

_CITES: Mapping[str, str] = {elder: rule.id for rule in RULES for elder in rule.stands_for}
"""By the rule of Version 27, or the beginning of its id, the rule of this edition that stands for it."""


def cite(rule: str) -> str:
    """The id of Version 1.7 for one of Version 27, by its longest known beginning; what is unknown stays."""
    found = rule
    while found:
        if found in _CITES:
            return _CITES[found]
        found = found.rpartition(".")[0]
    return rule


def rewritten(refusal: Illegal) -> Illegal:
    """A refusal that cites this edition."""
    return msgspec.structs.replace(refusal, rule=cite(refusal.rule))


def refused_in(refusal: Refused) -> Illegal:
    """The same of one that was raised."""
    return rewritten(refusal.illegal)


# ---------------------------------------------------------------- events


def of_edition(event: type[WarEvent], **words: str) -> type[WarEvent]:
    """A shared event class, of the same name and fields, that cites this edition and has its `words`."""

    def fill(body: dict[str, Any]) -> None:
        body |= {
            "__doc__": event.__doc__,
            "__module__": __name__,
            "rule": cite(event.rule),
            "cites": lambda self: cite(event.cites(self)),
            **words,
        }

    made: type[WarEvent] = new_class(event.__name__, (event,), {"frozen": True, "tag": True}, fill)
    return made


class EditionTable(Table[War]):
    """A table at which shared scripts play Version 1.7: what they emit and roll cites it."""

    def __init__(self, table: Table[War], classes: Mapping[type[WarEvent], type[WarEvent]]) -> None:
        self.phase, self._table, self._classes = table.phase, table, classes

    @property
    def state(self) -> War:
        """That of the table beneath, which acts of players at any time change too."""
        return self._table.state

    @state.setter
    def state(self, state: War) -> None:
        self._table.state = state

    def emit(self, event: Event) -> None:
        self._table.emit(self._translated(event))

    def roll(
        self, count: int, sides: int, why: str, rule: str, seen_by: tuple[Seat, ...] | None = None
    ) -> tuple[int, ...]:
        return self._table.roll(count, sides, why, cite(rule), seen_by)

    def draw(
        self,
        bag: str,
        holds: Mapping[str, int],
        count: int,
        why: str,
        rule: str,
        seen_by: tuple[Seat, ...] | None = None,
    ) -> tuple[str, ...]:
        return self._table.draw(bag, holds, count, why, cite(rule), seen_by)

    def _translated(self, event: Event) -> Event:
        shown = self._classes.get(type(event)) if isinstance(event, WarEvent) else None
        return shown(**_fields(event)) if shown else event


def _fields(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


# ---------------------------------------------------------------- questions


def in_edition(script: Script[None]) -> Script[None]:
    """A script whose questions cite this edition."""
    try:
        questions = next(script)
        while True:
            answers = yield tuple(_asked(questions))
            questions = script.send(answers)
    except StopIteration:
        return


def _asked(questions: Iterable[Question[Any]]) -> Iterable[Question[Any]]:
    return (Question(q.key, q.seat, q.text, q.menu, q.pace, cite(q.rule), q.recognise) for q in questions)
