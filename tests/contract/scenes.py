"""Positions that bot games do not come to, so that no order is left unlooked at: a game's own, each put before its bots."""

from __future__ import annotations

import dataclasses
from typing import Any

from referee.core.chance import Keyed
from referee.core.event import PhaseBegan
from referee.core.question import Question
from referee.core.stage import Ended
from referee.core.table import Table
from tests.contract.bots import GameRecord
from tests.contract.effort import scenes_of

_LOOKS = 40
"""So often the bots of a scene are asked."""


def with_scenes(played: tuple[GameRecord, ...]) -> tuple[GameRecord, ...]:
    """Bot games, and the scenes of their game as if each were one."""
    return (*played, *(_begun(played[0], state) for state in scenes_of(played[0].game.name)))


def _begun(record: GameRecord, state: Any) -> GameRecord:
    """A game that is in the first phase of this position."""
    phase = record.game.next_phase(state)
    assert phase is not None
    table = Table(phase.key, state, Keyed(bytes(32), 0), record.game.evolve)
    table.emit(PhaseBegan(phase.key, phase.title))
    questions: tuple[Question[Any], ...] = next(phase.script(table))
    asked = tuple((question, table.state) for question in questions) * _LOOKS
    return dataclasses.replace(record, asked=asked, ended=(Ended(phase, state, (), table.state, ()),))
