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
from referee.games.war.state import War
from referee.kit.refused import Refused

__all__ = ["EditionTable", "cite", "in_edition", "of_edition", "refused_in", "rewritten"]

_CITES: Mapping[str, str] = {
    "27.board.2": "17.board.1", "27.board.3": "17.board.2", "27.board.4": "17.board.3", "27.board.5": "17.board.4",
    "27.board.6": "17.board.5", "27.board.7": "17.board.6", "27.board.8": "17.board.7", "27.board.9": "17.board.8",
    "27.pieces": "17.pieces.2", "27.pieces.1": "17.pieces.1", "27.pieces.3": "17.pieces.1", "27.money": "17.production.2",
    "27.setup.1": "17.setup.2", "27.setup.2": "17.setup.3", "27.setup.3": "17.setup.4", "27.setup.4": "17.setup.4",
    "27.setup.5": "17.setup.5", "27.setup.6": "17.setup.5", "27.setup.7": "17.setup.6", "27.setup.9": "17.setup.7",
    "27.setup.10": "17.setup.8", "27.turn": "17.turn.1", "27.turn.2": "17.turn.2", "27.turn.3": "17.turn.3",
    "27.production.order.1": "17.turn.2", "27.production.order": "17.turn.4", "27.production.income": "17.production.1",
    "27.production.build": "17.production.build.1", "27.production.build.2": "17.production.build.2",
    "27.production.build.5": "17.production.build.3", "27.production.build.7": "17.pieces.4",
    "27.production.build.8": "17.pieces.2", "27.production.build.10": "17.production.build.2",
    "27.move.order.1": "17.turn.3", "27.move.order.2": "17.combat.order.1", "27.move.land.1": "17.move.land.1",
    "27.move.land.2": "17.move.land.1", "27.move.land.3": "17.move.land.2", "27.move.land.4": "17.move.land.3",
    "27.move.land.5": "17.move.land.5", "27.move.land.6": "17.move.land.5", "27.move.naval.1": "17.move.naval.1",
    "27.move.naval": "17.move.naval.2", "27.move.naval.4": "17.move.naval.3", "27.move.naval.5": "17.move.naval.3",
    "27.move.carry.1": "17.move.carry.1", "27.move.carry.2": "17.move.carry.1", "27.move.carry": "17.move.carry.2",
    "27.move.cede": "17.move.cede.1", "27.move.cede.5": "17.move.cede.2", "27.combat.naval.1": "17.combat.naval.1",
    "27.combat.naval.2": "17.combat.naval.2", "27.combat.naval.3": "17.combat.naval.3", "27.combat.naval.4": "R17-12",
    "27.combat.land": "17.combat.land.1", "27.combat.land.4": "17.tactical.10", "27.combat.natives": "17.combat.natives.1",
    "27.combat.natives.4": "17.combat.natives.2", "27.combat.losses": "17.tactical.7",
    "27.combat.retreat.1": "17.combat.land.3", "27.combat.retreat": "17.combat.land.4",
    "27.combat.explorer": "17.explore.1", "27.combat.explorer.3": "R17-08", "27.combat.results": "17.combat.land.2",
    "27.combat.results.4": "17.move.cede.2", "27.combat.prospect": "R17-13", "27.war.1": "17.war.1",
    "27.war.2": "17.war.1", "27.war.3": "17.war.2", "27.war.4": "17.war.3", "27.war.5": "17.war.4", "27.war.6": "17.war.5",
    "27.war.7": "17.war.1", "27.victory.1": "17.victory.1", "27.victory": "17.victory.2",
    "27.opt.scorched": "17.move.destroy.1", "27.opt.scorched.2": "17.move.destroy.2", "R27-03": "R17-19",
    "R27-05": "17.explore.5", "R27-16": "17.production.2", "R27-30": "17.move.land.1", "R27-35": "R17-18",
    "R27-37": "17.move.cede.1", "R27-65": "R17-13", "R27-70": "17.war.5", "R27-71": "17.war.3", "R27-75": "R17-20",
    "R27-80": "R17-21", "R27-81": "R17-21", "R27-82": "R17-23", "R27-83": "R17-11", "R27-96": "R17-14",
}  # fmt: skip


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
