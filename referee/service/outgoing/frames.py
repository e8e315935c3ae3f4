"""What stands round a letter: who is written to, what he owes, by when, and what happens otherwise."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.chance import commitment
from referee.core.names import Seat
from referee.core.vocabulary import Setting
from referee.service.clock.slot_life import DEADLINE, MIND, TOLD
from referee.service.letters import Frame
from referee.service.match.drafts import debts, default_words, draft_of, duty_of, owes
from referee.service.match.hand import BareHand
from referee.service.match.hidden_lateness import keeps_quiet, masters_of
from referee.service.match.playing import Playing, mark
from referee.service.outgoing.site_address import page_of_match
from referee.service.ports import Alarm, Member, Player, Step
from referee.service.times import as_deadline


def frame(hand: BareHand, member: Member | None, player: Player) -> Frame:
    """The frame of a letter to this member of the match."""
    seat = member.seat if member and member.status == "playing" else ""
    due = due_of(hand.step, hand.playing, seat)
    deadline = as_deadline(due.due_at, hand.now, player.zone) if due else None
    phase = hand.playing.outcome.phase
    knows = not keeps_quiet(hand.playing) or player.id in masters_of(hand.step, hand.match)
    return Frame(
        match=hand.match,
        game=hand.playing.game.title,
        title=phase.title if phase else "The match is over",
        name=player.name,
        seat=seat,
        owes=owes(hand.playing, seat, knows),
        duty=duty_of(hand.playing, seat),
        deadline=deadline,
        at_deadline=what_if_late(hand.playing, seat, due.payload if due.kind == DEADLINE else "") if due else "",
        head=mark(hand.playing.told),
        commitment=commitment(hand.playing.row.secret),
        going=_going(hand.step, hand.playing, seat),
        writes_to=_writes_to(hand.playing, member),
        page=page_of_match(hand.office, hand.match),
    )


def _going(step: Step, playing: Playing, seat: str) -> tuple[str, ...]:
    """The words that set a seat's turn going or hold it: where its sheet is on file and nothing else is in the way."""
    sheets = [question for question in debts(playing, seat) if question.wants_orders]
    filed = bool(sheets) and all(draft_of(playing, question) is not None for question in sheets)
    if not filed or playing.row.status != "running" or playing.outcome.over:
        return ()
    keys = {question.key for question in sheets}
    runs_soon = any(alarm.kind == MIND and alarm.key in keys for alarm in step.alarms(playing.row.name))
    return ("ROLL OUT", "WAIT") if runs_soon else ("ROLL OUT",)


def _writes_to(playing: Playing, member: Member | None) -> tuple[str, ...]:
    """The headings under which a player may write to others now."""
    if not member or member.status != "playing" or playing.outcome.over or playing.row.status == "over":
        return ()
    if playing.settings.manners.press == "none":
        return ("PRESS TO game master",)
    others = tuple(f"PRESS TO {seat}" for seat in playing.created.seats if seat != member.seat)
    return (*others, *(("BROADCAST",) if len(others) > 1 else ()), "PRESS TO game master")


def due_of(step: Step, playing: Playing, seat: str) -> Alarm | None:
    """The alarm of the earliest time that a seat was told, None where it owes nothing by any."""
    keys = {question.key for question in debts(playing, seat)}
    mine = (a for a in step.alarms(playing.row.name) if a.kind in TOLD and a.key in keys)
    return min(mine, key=lambda alarm: alarm.due_at, default=None)


def what_if_late(playing: Playing, seat: str, grace: str = "") -> str:
    """What is played at the deadline if nothing more comes from this seat; and the `grace` after it, of who has one yet."""
    if not grace or _has_draft(playing, seat):
        return _played(playing, seat)
    hours, _, strict = grace.partition(" ")
    but = ", unless your last slot was late too" if strict else ""
    late = f"If nothing comes by then you are late, with {hours} h of grace{but}."
    return f"{late} {_played(playing, seat).replace('by then', 'in it either')}"


def _has_draft(playing: Playing, seat: str) -> bool:
    return any(draft_of(playing, question) is not None for question in debts(playing, seat))


def _played(playing: Playing, seat: str) -> str:
    drawers = playing.outcome.drawers
    questions = debts(playing, seat)
    if _has_draft(playing, seat):
        return "If nothing more comes by then, the orders on file are played."
    if not any(q.wants_orders for q in questions):
        chosen = f"this is chosen: {default_words(questions[0])}" if len(questions) == 1 else "what each question names"
        return f"If nothing comes by then, your standing orders decide, or else {chosen}."
    if playing.settings.late == "on call":
        return "If nothing comes by then, any other player may end your slot; what is on file or the default is played."
    if (Seat(seat), "late") in drawers:
        return "If nothing comes by then, your IF LATE orders are played."
    if (Seat(seat), "standing") in drawers:
        return "If nothing comes by then, your standing orders are played."
    return "If nothing comes by then, an empty sheet is played for you."


def option_rows(settings: Iterable[Setting], options: dict[str, str]) -> tuple[tuple[str, str, str], ...]:
    """The options of a match as rows: name, value, meaning."""
    return tuple((s.name, options.get(s.name, s.default), s.meaning) for s in settings)
