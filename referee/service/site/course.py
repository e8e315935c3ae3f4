"""How a match went so far, as everybody may know: made of what an observer was told, and of nothing else."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from referee.core.names import Role
from referee.core.page import Tally
from referee.core.position import told
from referee.service.match.history import history
from referee.service.match.playing import Playing
from referee.service.ports import Listed, Step
from referee.service.turns.retrospect import Moment, moments_in


class Course(NamedTuple):
    """The points after each phase, and where everybody stands after the last of them."""

    moments: tuple[Moment, ...]
    tally: Tally


_KEPT: OrderedDict[tuple[str, str, int, bool], Course] = OrderedDict()
"""The latest courses, the oldest first: pages are written after each letter, and most letters end no phase."""
_MATCHES = 64


def public_course(step: Step, playing: Playing, last: Listed | None) -> Course:
    """The course of a match as an observer knows it, up to its `last` report."""
    over = playing.outcome.over or playing.row.status == "over"
    known = playing.row.name, last.head if last else playing.told.hash, playing.course, over
    if known not in _KEPT:
        heard = told(history(step, playing), Role.OBSERVER)
        _KEPT[known] = Course(*moments_in(playing.game, playing.created, heard))
        while len(_KEPT) > _MATCHES:
            _KEPT.popitem(last=False)
    return _KEPT[known]
