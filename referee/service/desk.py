"""The desk: a member's letter is read, what can be done is done, and one receipt says what stands and what does not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from referee.core.names import Seat
from referee.core.position import intents_in, parted
from referee.core.question import Question
from referee.core.record import Acted, Filed, Given, If, Record
from referee.core.record import Sheet as OrderSheet
from referee.core.vocabulary import Vocabulary
from referee.mail import Stripped, digest
from referee.orders import Mistake, Node, Reading, read
from referee.service.advance import close
from referee.service.becoming import become, tell_of_becoming
from referee.service.binding import Bound, bind, refused
from referee.service.blocks import blocks_apart
from referee.service.challenge import proof_of
from referee.service.clocks import slot_of
from referee.service.delay import is_held, start_delay, stop_delay
from referee.service.desk_words import obey
from referee.service.drafts import draft_of
from referee.service.forms import form_for
from referee.service.frames import debts, drawers_of, frame
from referee.service.letters import Ignored, Receipt
from referee.service.onlookers import for_onlookers
from referee.service.other_games import of_another_game
from referee.service.playing import Playing
from referee.service.post import Thread, post
from referee.service.press import do_blocks
from referee.service.preview import preview_page
from referee.service.remarks import remarks_aside, says_yes
from referee.service.times import stamp
from referee.service.visit import Visit
from referee.service.words import block_kinds, desk_words

__all__ = ["Verdict", "attend", "read_lines"]


def attend(visit: Visit, text: str, stripped: Stripped) -> Playing:
    """Read a letter's text, do what it says, post the receipt; returns the match afterwards."""
    written = sum(1 for line in text.splitlines() if line.strip())
    if written > visit.office.limits.orders:
        limit = visit.office.limits.orders
        visit.deny(
            "", f"Your letter has {written:,} lines and I read up to {limit:,}; none was taken. Send fewer orders."
        )
        _receipt(visit, text)
        return visit.playing
    kinds = block_kinds(_desk_here(visit)) if visit.seat or visit.game_master else ()
    whole, (blocks, text) = text, blocks_apart(text, kinds)
    do_blocks(visit, blocks)
    text = become(visit, text)
    reading = read_lines(visit, text)
    visit.ignored += [Ignored(line.number, line.text, line.why) for line in stripped.ignored]
    remarks = says_yes(reading)
    if remarks is not None:
        visit.ignored += remarks
        reading, text = _corrected(visit, text)
    _do(visit, reading, text)
    if visit.became:
        tell_of_becoming(visit, text)
    if visit.receipt:
        _receipt(visit, whole)
    return visit.playing


def _corrected(visit: Visit, text: str) -> tuple[Reading, str]:
    """The letter that a YES takes: the last one of this turn with its corrections."""
    kept = visit.step.note(visit.match, visit.seat or str(visit.player.id), "corrections")
    turn, _, corrected = (kept or "").partition("\n")
    if turn != str(visit.playing.turn):
        visit.deny("YES", "There are no corrections waiting for your YES; write the orders themselves.")
        return Reading(), text
    return read_lines(visit, corrected), corrected


def _desk_here(visit: Visit) -> Vocabulary:
    """The words of the desk that the writer may use in this match."""
    playing, games = visit.playing, tuple(visit.office.games)
    seats = tuple(playing.created.seats)
    game = playing.game.vocabulary(playing.outcome.state)
    return desk_words(games, (visit.match,), seats, bool(visit.seat), visit.game_master, game)


def read_lines(visit: Visit, text: str) -> Reading:
    """The letter's text against the words this writer may use."""
    row, desk = visit.playing.row, _desk_here(visit)
    in_play = bool(visit.seat) and not visit.playing.outcome.over and row.status != "over"
    game = visit.playing.game.vocabulary(visit.playing.outcome.state) if in_play else None
    reading = for_onlookers(visit, read(text, game, desk))
    return msgspec.structs.replace(reading, mistakes=tuple(of_another_game(visit, m) for m in reading.mistakes))


def _do(visit: Visit, reading: Reading, text: str) -> None:
    whole = bind(visit.playing, visit.seat, reading.sheet) if visit.seat else Bound()
    inputs: list[Record] = [Acted(Seat(visit.seat), visit.playing.codec.raw(intent)) for intent in whole.asides]
    mistakes = [*reading.mistakes, *whole.mistakes]
    visit.done += [intent.meaning() for intent in whole.asides]
    visit.ignored += [Ignored(line.number, line.text, line.why) for line in reading.ignored]
    if whole.sheet:
        inputs += _filing(visit, whole, reading.adds, text)
    for drawer, nodes in _blocks(reading):
        block = bind(visit.playing, visit.seat, nodes, asides_allowed=False, later=drawer.startswith("turn:"))
        mistakes += block.mistakes
        if block.sheet or not nodes:
            inputs.append(_filed(visit, drawer, block.sheet, text))
            visit.filed = True
    if reading.preview is not None:
        _preview(visit, bind(visit.playing, visit.seat, reading.preview, asides_allowed=False))
    mistakes, prose = remarks_aside(mistakes, reading)
    visit.ignored += prose
    mistakes.sort(key=lambda mistake: mistake.line)
    visit.refused += [refused(mistake) for mistake in mistakes]
    visit.complete = not mistakes
    _remember_corrections(visit, text, (*whole.aside_lines, *(s.line for s in reading.desk)), mistakes)
    _doubts(visit, inputs)
    visit.take(inputs)
    for sentence in reading.desk:
        obey(visit, sentence)
    _set_going(visit)


def _blocks(reading: Reading) -> list[tuple[str, tuple[Node, ...]]]:
    found: list[tuple[str, tuple[Node, ...]]] = []
    if reading.standing is not None:
        found.append(("standing", reading.standing))
    if reading.late is not None:
        found.append(("late", reading.late))
    found += [(f"turn:{block.turn}", block.nodes) for block in reading.turns]
    return found


def _orders_question(visit: Visit) -> Question[Any] | None:
    return next((q for q in debts(visit.playing, visit.seat) if q.wants_orders), None)


def _filing(visit: Visit, bound: Bound, adds: bool, text: str) -> list[Record]:
    """Where orders go: the draft of the open question, or the drawer for what is asked next.

    Lines that the open question does not ask for wait in that drawer too. Who writes nothing but ROLL OUT ends the slot
    with what is on file; out of turn there is nothing to end, and it must not end the next slot before it has begun.
    """
    question = _orders_question(visit)
    ends = all(_ends(visit.playing, item) for item in bound.sheet)
    if question is None and ends:
        visit.roll_out = True
        return []
    visit.filed, adds = True, adds or ends
    if question is None:
        visit.done.append(f"It is not {visit.seat}'s turn: these orders are kept for {visit.seat}'s next turn.")
        return [_drawn_up(visit, "next", bound.sheet, adds, text)]
    now, later = parted(visit.playing.codec, bound.sheet, question)
    draft = _drawn_up(visit, f"orders:{question.key}", now, adds, text)
    if not later:
        return [draft]
    lines = "; ".join(item.text.replace("\n", " ") for item in later)
    visit.done.append(f"Not asked for now, and kept for later sheets: {lines}.")
    kept = _drawn_up(visit, "next", later, adds, text)
    return [draft, kept] if now else [kept]


def _drawn_up(visit: Visit, drawer: str, sheet: OrderSheet, adds: bool, text: str) -> Filed:
    """A drawer with these lines, or with these lines added before which nothing ends the slot."""
    old = visit.playing.outcome.drawers.get((Seat(visit.seat), drawer), ()) if adds else ()
    while old and _ends(visit.playing, old[-1]):
        old = old[:-1]
    return _filed(visit, drawer, (*old, *sheet), text)


def _filed(visit: Visit, drawer: str, sheet: OrderSheet, text: str) -> Filed:
    return Filed(Seat(visit.seat), drawer, sheet, visit.letter.message_id, digest(text))


def _preview(visit: Visit, bound: Bound) -> None:
    """What these orders would do by themselves; nothing is stored."""
    visit.pages.append(preview_page(visit.playing, Seat(visit.seat), bound.sheet))
    visit.refused += [refused(mistake) for mistake in bound.mistakes]


def _doubts(visit: Visit, filed: Sequence[Record]) -> None:
    """What may disappoint in the sheet that this letter leaves on file, with the lines it was added to."""
    drawers = [f for f in filed if isinstance(f, Filed) and f.drawer.startswith(("orders:", "next"))]
    sheet = tuple(item for drawer in drawers for item in drawer.sheet)
    if sheet:
        state = visit.playing.outcome.state
        intents = intents_in(visit.playing.game, visit.playing.codec, state, Seat(visit.seat), sheet)
        found = visit.playing.game.doubts(state, Seat(visit.seat), intents)
        visit.doubts += [f"{d.sentence} ({d.rule})" if d.rule else d.sentence for d in found]


def _remember_corrections(visit: Visit, text: str, done_lines: Iterable[int], mistakes: Sequence[Mistake]) -> None:
    """Keep the letter with its refused lines corrected, for a YES; what was done at once is not done again."""
    known = [mistake for mistake in mistakes if mistake.refusal.instead]
    place = visit.seat or str(visit.player.id)
    if not known:
        visit.step.put_note(visit.match, place, "corrections", None)
        return
    lines = text.split("\n")
    for number in done_lines:
        if 0 < number <= len(lines):
            lines[number - 1] = ""
    for mistake in known:
        if 0 < mistake.line <= len(lines):
            line, right = lines[mistake.line - 1], mistake.refusal.instead[0]
            lines[mistake.line - 1] = (
                line.replace(mistake.source, right, 1) if mistake.source in line else f"{line}; {right}"
            )
    corrected = "\n".join(lines)
    if corrected != text:
        visit.step.put_note(visit.match, place, "corrections", f"{visit.playing.turn}\n{corrected}")
        visit.yes_takes = tuple(mistake.refusal.instead[0] for mistake in known)


def _set_going(visit: Visit) -> None:
    """Start, hold or skip the change-of-mind delay of the draft now on file."""
    question = _orders_question(visit)
    key = question.key if question else ""
    running = visit.playing.row.status == "running"
    if question is None:
        if visit.roll_out:
            visit.deny("ROLL OUT", _why_no_roll_out(visit))
        return
    at_once = visit.roll_out or (visit.filed and _closes(visit.playing, question))
    if at_once and not running:
        visit.deny("ROLL OUT", _why_no_roll_out(visit))
    elif at_once:
        if visit.complete:
            ran = close(visit.office, visit.step, visit.playing, (key,), False, visit.cause)
            visit.playing = ran.playing
            visit.done.append(_how_far(ran.playing, key, visit.seat))
            return
        visit.deny(
            "ROLL OUT",
            "Some of your lines were refused, so your turn waits for you: correct them, or send ROLL OUT alone.",
        )
    if visit.filed or at_once:
        _start_delay(visit, key, draft_of(visit.playing, question) is not None)


def _closes(playing: Playing, question: Question[Any]) -> bool:
    """Whether the draft of a question ends with an order that runs it as soon as it is read."""
    draft = draft_of(playing, question) or ()
    return bool(draft) and _ends(playing, draft[-1])


def _ends(playing: Playing, item: Given | If) -> bool:
    """Whether a line of a sheet runs it as soon as it is read."""
    return isinstance(item, Given) and playing.codec.intent(item.intent).closes


def _how_far(playing: Playing, key: str, seat: str) -> str:
    """Whether the turn of an orders question ran to its end, or waits for its writer, another's decision or sheet."""
    phase = playing.outcome.phase
    if phase is None or not key.startswith(f"{phase.key}/"):
        return "Your slot is ended and your turn has run; the report follows in a letter of its own."
    if any(slot_of(question.key) == slot_of(key) for question in playing.outcome.open):
        return "What you wrote is carried out and stands. Your slot goes on; its deadline is the same."
    if debts(playing, seat):
        return "Your slot is ended. What you owe next is asked in a letter of its own."
    decisions = [question for question in playing.outcome.open if not question.wants_orders]
    waits = "a decision, asked in a letter of its own" if decisions else "the other players' sheets"
    return f"Your slot is ended. The report follows as soon as everything is settled; it waits for {waits}."


def _why_no_roll_out(visit: Visit) -> str:
    if visit.playing.row.status == "paused":
        return "The match is paused: no turn runs before it is resumed."
    if visit.playing.outcome.over or visit.playing.row.status == "over":
        return "The match is over."
    whose = f"{visit.seat}'s" if visit.seat else "your"
    return f"It is not {whose} turn, so there is no slot of yours to end."


def _start_delay(visit: Visit, key: str, has_draft: bool) -> None:
    if has_draft and visit.complete:
        start_delay(visit.step, visit.playing, key, visit.seat, visit.office.clock.now())
    else:
        stop_delay(visit.step, visit.playing, key)


Verdict = Literal["COMPLETE", "INCOMPLETE", "NOTHING USABLE", "DONE"]


def _verdict(visit: Visit) -> tuple[Verdict, str]:
    did = bool(visit.done or visit.pages or visit.sheets or visit.chart or visit.help)
    if visit.filed and not visit.refused and _still_owes(visit):
        return "DONE", "what you filed stands; orders for this turn are still owed."
    if visit.filed and not visit.refused:
        return "COMPLETE", f"your orders stand. {_when_it_runs(visit)}"
    if visit.filed or (did and visit.refused):
        lines = f"{len(visit.refused)} line{'s' if len(visit.refused) != 1 else ''}"
        return "INCOMPLETE", f"{lines} could not be taken; the others stand."
    if did:
        return "DONE", "what you asked for is done."
    filed = "what was on file stands" if visit.seat and drawers_of(visit.playing, visit.seat) else "nothing is on file"
    if visit.refused:
        return "NOTHING USABLE", f"no line of your letter could be taken; {filed}."
    return "NOTHING USABLE", f"your letter had no orders and no word for the desk; {filed}."


def _still_owes(visit: Visit) -> bool:
    """Whether an order sheet is owed and none is on file."""
    return any(q.wants_orders and draft_of(visit.playing, q) is None for q in debts(visit.playing, visit.seat))


def _when_it_runs(visit: Visit) -> str:
    asked = _orders_question(visit)
    key = asked.key if asked else ""
    for alarm in visit.step.alarms(visit.match):
        if alarm.kind == "mind" and alarm.key == key:
            at = stamp(alarm.due_at, visit.player.zone)
            return f"Your turn runs at {at} unless you write again; ROLL OUT runs it at once, WAIT holds it."
    if visit.playing.row.status == "paused":
        return "The match is paused; your turn runs after it is resumed."
    if key and is_held(visit.step, visit.playing, key, visit.seat):
        return "WAIT holds your turn until the deadline."
    return ""


def _receipt(visit: Visit, text: str) -> None:
    verdict, why = _verdict(visit)
    framed = frame(visit.office, visit.step, visit.playing, visit.member, visit.player)
    usable = verdict in ("COMPLETE", "DONE")
    letter = Receipt(
        frame=framed,
        verdict=verdict,
        verdict_why=why,
        on_file=drawers_of(visit.playing, visit.seat) if visit.seat else (),
        refused=tuple(visit.refused),
        doubts=tuple(visit.doubts),
        done=tuple(visit.done),
        ignored=tuple(sorted(visit.ignored, key=lambda line: line.number)),
        proof=proof_of(visit.office, visit.letter, text, visit.player.zone),
        yes_takes=visit.yes_takes,
        form=None if usable else form_for(visit.playing, visit.seat),
        documents=tuple(visit.pages),
        sheets=tuple(visit.sheets),
        help=visit.help,
        map=visit.chart.instead if visit.chart else "",
    )
    deadline = f", deadline {framed.deadline.local}" if framed.deadline else ""
    thread = Thread(visit.letter.message_id, visit.letter.references)
    subject = f"{verdict}: {visit.subject}{deadline}"
    post(
        visit.office,
        visit.step,
        visit.player,
        "receipt",
        subject,
        letter,
        visit.unique,
        visit.playing,
        visit.member,
        thread,
        refuses=verdict == "NOTHING USABLE",
        chart=visit.chart,
        files=tuple(visit.files),
    )
