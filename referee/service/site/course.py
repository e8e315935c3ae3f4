"""How a match went so far, as everybody may know: made of what an observer was told, and of nothing else."""

from __future__ import annotations

from typing import NamedTuple

from cachetools import LRUCache

from referee.core.names import Role
from referee.core.position import told
from referee.core.record import Entry
from referee.service.match.history import earlier_in
from referee.service.match.playing import Playing
from referee.service.ports import Step
from referee.service.turns.retrospect import Course, at_first, gone_on


class _Reached(NamedTuple):
    """The course up to the end of a phase, which is this entry of the log."""

    boundary: Entry
    course: Course


_KEPT: LRUCache[str, _Reached] = LRUCache(64)
"""By match: pages are written after each letter, and most letters end no phase."""


def public_course(step: Step, playing: Playing) -> Course:
    """The course of a match as an observer knows it; of one that is kept only the phases since are read."""
    earlier, known = earlier_in(step, playing), _KEPT.get(playing.row.name)
    since = earlier.since(known.boundary) if known is not None else None
    begin = known.course if known is not None and since is not None else at_first(playing)
    course = gone_on(playing, begin, told(earlier.events if since is None else since, Role.OBSERVER))
    _KEPT[playing.row.name] = _Reached(playing.boundary, course)
    return course
