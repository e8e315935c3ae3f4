"""What stands round a letter: who is written to, what he owes, by when, and what happens otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.core.chance import commitment
from referee.core.names import Seat
from referee.core.question import Question
from referee.core.record import Given, Sheet
from referee.core.vocabulary import Setting
from referee.kit.wording import in_a_row
from referee.service.clock.slot_life import DEADLINE, MIND, TOLD, how_it_stands, until_when
from referee.service.letters import Drawer, Duty, Frame, OnFile
from referee.service.match.drafts import default_words, draft_of
from referee.service.match.hidden_lateness import keeps_quiet, masters_of
from referee.service.match.playing import Playing, mark
from referee.service.office import At, both
from referee.service.outgoing.site_address import page_of_match
from referee.service.ports import Alarm, Member, Player, Step
from referee.service.times import as_deadline


def debts(playing: Playing, seat: str) -> tuple[Question[Any], ...]:
    """The open questions a seat has to answer."""
    return tuple(question for question in playing.outcome.open if question.seat == seat)


@both
def frame(at: At, playing: Playing, member: Member | None, player: Player) -> Frame:
    """The frame of a letter to this member of the match."""
    seat = member.seat if member and member.status == "playing" else ""
    due = due_of(at.step, playing, seat)
    deadline = as_deadline(due.due_at, at.now, player.zone) if due else None
    phase = playing.outcome.phase
    knows = not keeps_quiet(playing) or player.id in masters_of(at.step, playing.row.name)
    return Frame(
        match=playing.row.name,
        game=playing.game.title,
        title=phase.title if phase else "The match is over",
        name=player.name,
        seat=seat,
        owes=owes(playing, seat, knows),
        duty=duty_of(playing, seat),
        deadline=deadline,
        at_deadline=what_if_late(playing, seat, due.payload if due.kind == DEADLINE else "") if due else "",
        head=mark(playing.told),
        commitment=commitment(playing.row.secret),
        going=_going(at.step, playing, seat),
        writes_to=_writes_to(playing, member),
        page=page_of_match(at.office, playing.row.name),
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


def duty_of(playing: Playing, seat: str) -> Duty:
    """What a seat owes, in a word; while the match stands still nobody owes anything."""
    mine = debts(playing, seat)
    if not mine or how_it_stands(playing.row) or playing.outcome.over or playing.row.status == "over":
        return ""
    sheets = [q for q in mine if q.wants_orders]
    if not sheets:
        return "answer"
    return "on file" if all(draft_of(playing, q) is not None for q in sheets) else "orders"


def owes(playing: Playing, seat: str, knows: bool) -> str:
    """What a seat owes, in a sentence; `knows`: its player may know whom else everybody waits for."""
    if stands := how_it_stands(playing.row):
        return f"The match {stands}: nobody owes anything {until_when(playing.row)}."
    if playing.outcome.over or playing.row.status == "over":
        return "The match is over: you owe nothing."
    mine = debts(playing, seat)
    phase = playing.outcome.phase
    if mine and phase:
        match duty_of(playing, seat):
            case "on file":
                return f"Your orders for {phase.title} are on file; until they run you may change them."
            case "orders":
                return f"You owe orders for {phase.title}."
        return f"You owe an answer for {phase.title}. {mine[0].text}"
    return f"You owe nothing now. {_others_owe(playing, knows)}"


def _others_owe(playing: Playing, knows: bool) -> str:
    """One sentence that names the seats everybody waits for to who may know."""
    waiting = sorted({question.seat for question in playing.outcome.open})
    if not waiting:
        return "Nobody owes anything."
    if not knows and len(playing.created.seats) > 1:
        return "We wait for other players."
    return f"We wait for {in_a_row(waiting)}."


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


def on_file(sheet: Sheet, depth: int = 0) -> tuple[OnFile, ...]:
    """A sheet printed back, IF blocks indented."""
    lines: list[OnFile] = []
    for item in sheet:
        if isinstance(item, Given):
            lines.append(OnFile(item.text, item.meaning, depth))
            continue
        lines.append(OnFile(f"IF {item.text}", "", depth))
        lines.extend(on_file(item.then, depth + 1))
        if item.otherwise:
            lines.append(OnFile("ELSE", "", depth))
            lines.extend(on_file(item.otherwise, depth + 1))
        lines.append(OnFile("END", "", depth))
    return tuple(lines)


def drawer_title(drawer: str, playing: Playing) -> str:
    """A drawer's heading in a letter."""
    kind, _, rest = drawer.partition(":")
    phase = playing.outcome.phase
    match kind:
        case "orders":
            return f"Your orders for {phase.title}" if phase else "Your orders"
        case "standing":
            return "Your standing orders"
        case "late":
            return "Your orders if you are late"
        case "next":
            return "Your orders for your next turn"
        case _:
            return f"Your orders for turn {rest}"


def drawers_of(playing: Playing, seat: str) -> tuple[Drawer, ...]:
    """Everything a seat has on file, the present orders first; of sheets asked for one after the other only the last.

    Where a further one is owed, those before it are done: none of them is on file.
    """
    every = {drawer: sheet for (owner, drawer), sheet in playing.outcome.drawers.items() if owner == seat}
    owed = [f"orders:{question.key}" for question in debts(playing, seat) if question.wants_orders]
    last = next((drawer for drawer in reversed(owed or [*every]) if drawer.startswith("orders:")), "")
    mine = {drawer: sheet for drawer, sheet in every.items() if drawer == last or not drawer.startswith("orders:")}
    order = sorted(mine, key=lambda d: (not d.startswith("orders:"), d != "next", not d.startswith("turn:"), d))
    return tuple(Drawer(drawer_title(drawer, playing), on_file(mine[drawer])) for drawer in order)


def option_rows(settings: Iterable[Setting], options: dict[str, str]) -> tuple[tuple[str, str, str], ...]:
    """The options of a match as rows: name, value, meaning."""
    return tuple((s.name, options.get(s.name, s.default), s.meaning) for s in settings)
