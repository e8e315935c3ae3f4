"""Calendar files: each letter to a seat that owes carries its deadlines, and takes back those that are past."""

from __future__ import annotations

from datetime import datetime

from referee.mail import Attachment
from referee.mail.writing.compose import Due, deadline_uid, ics
from referee.service.base import notes
from referee.service.base.note_values import DateTold
from referee.service.base.office import At, Office
from referee.service.base.ports import Member, Player
from referee.service.match.playing import Playing
from referee.service.match.sheets import debts
from referee.service.match.slot_life import TOLD

CARRIERS = frozenset({"report", "question", "started", "reminder", "notice", "farewell"})
"""The kinds of letter that carry calendar files."""


def calendar_files(at: At, playing: Playing, member: Member, player: Player) -> tuple[Attachment, ...]:
    """`deadline.ics` with what this reader owes now, `deadline-over.ics` for what he was told and owes no more.

    SEQUENCE begins at the half minutes of the clock, so that a turn played again, or after a restore, begins higher than it ended
    and nobody reads from it what others have filed, and grows with every change.
    """
    now, calendar = at.now, notes.CALENDAR.of(playing.row.name, member.seat, player.id)
    head = int(now.timestamp()) // 30
    told = calendar.read(at.step) or {}
    # The questions a seat has to answer, each with its deadline; in the last letter of a match that is ended its clock runs still.
    seat = member.seat if member.status == "playing" and playing.row.status != "over" else ""
    mine = {question.key for question in debts(playing, seat)} if seat else set()
    alarms = at.step.alarms(playing.row.name) if mine else []
    due = {alarm.key: alarm.due_at for alarm in alarms if alarm.kind in TOLD and alarm.key in mine}
    owed = {key: _next(told.get(key), ends, head) for key, ends in due.items()}
    if owed != told:
        calendar.keep(at.step, owed or None)
    over = {key: DateTold(was.at, max(was.sequence + 1, head)) for key, was in told.items() if key not in owed}
    files = []
    if owed:
        entries = ics("PUBLISH", _dues(at.office, playing, member.seat, player, owed), now)
        files.append(Attachment("deadline.ics", "text/calendar; method=PUBLISH; charset=utf-8", entries))
    if over:
        entries = ics("CANCEL", _dues(at.office, playing, member.seat, player, over), now)
        files.append(Attachment("deadline-over.ics", "text/calendar; method=CANCEL; charset=utf-8", entries))
    return tuple(files)


def _next(was: DateTold | None, at: datetime, head: int) -> DateTold:
    if was is None:
        return DateTold(at, head)
    return was if was.at == at else DateTold(at, max(was.sequence + 1, head))


def _dues(office: Office, playing: Playing, seat: str, player: Player, told: dict[str, DateTold]) -> tuple[Due, ...]:
    match, phase = playing.row.name, playing.outcome.phase
    title = phase.title if phase and playing.row.status != "over" else "the match is over"
    return tuple(
        Due(
            uid=deadline_uid(match, key, seat, str(player.id), office.host),
            sequence=was.sequence,
            at=was.at,
            summary=f"[{match}] {seat}: deadline",
            description=f"{playing.game.title}, {title}. Reply to the referee's last letter.",
        )
        for key, was in sorted(told.items())
    )
