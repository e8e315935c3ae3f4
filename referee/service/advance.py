"""Turns: running a match on, closing order sheets, and writing to everybody what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from referee.core.event import Event, PhaseBegan
from referee.core.game import Announces
from referee.core.knowledge import told
from referee.core.names import Reader, Role, Seat
from referee.core.page import Drawing, Form, Page
from referee.core.position import intents_in, parted
from referee.core.question import Question, Source
from referee.core.record import Answered, Filed, Record
from referee.core.record import Sheet as OrderSheet
from referee.core.stage import Ended
from referee.service.anonymity import revealed
from referee.service.clocks import late_by, set_alarms, slot_of
from referee.service.deliveries import delivery_sentence
from referee.service.discretion import keeps_quiet, masters_of, may_know
from referee.service.dummies import dummy_answers
from referee.service.exporting import in_forms
from referee.service.frames import debts, frame
from referee.service.letters import Farewell, Notice, QuestionLetter, TurnReport
from referee.service.library import Found
from referee.service.office import Office
from referee.service.playing import Playing, play_on
from referee.service.ports import Member, Player, Report, Step
from referee.service.post import post
from referee.service.reporting import Written, earlier_than, mailed, map_in_words, pages_and_sheets, reader_of
from referee.service.suspending import Suspension, suspend
from referee.service.vacant import VACANT, vacant_seats
from referee.service.wishes import wishes_of

__all__ = [
    "Ran",
    "answer_form",
    "automatic_sentences",
    "close",
    "closing",
    "draft_of",
    "everybody",
    "form_for",
    "owner_of",
    "plays_at_once",
    "run",
]


@dataclass(frozen=True)
class Ran:
    """A match after a run, and the phases that ended in it."""

    playing: Playing
    ended: tuple[Ended[Any], ...]


def run(
    office: Office,
    step: Step,
    playing: Playing,
    inputs: Sequence[Record],
    cause: str,
    mails: bool = True,
    at_deadline: Mapping[str, int] | None = None,
    by: str = "",
) -> Ran:
    """Take records, run on, adopt sheets filed ahead, set alarms, write letters. One transaction's worth.

    `mails` False archives the reports of ended phases and leaves it to the caller to write to everybody. A slot whose
    question (`at_deadline`, with the full periods it was late) was closed for its player and goes on with a further
    part is closed with it, at the word of the same person (`by`).
    """
    before = {question.key for question in playing.outcome.open}
    after = play_on(office, step, playing, inputs, cause)
    ended = list(after.outcome.ended)
    late = dict(at_deadline or {})
    while parts := _further_parts(after, late):
        after = play_on(office, step, after, [closing(after, q, True, days, by=by) for q, days in parts], cause)
        late = {question.key: days for question, days in parts}
        ended += after.outcome.ended
    for _ in range(_AT_ONCE):
        moves, why = _unwaited(step, after, before)
        if not moves:
            break
        after = play_on(office, step, after, moves, why)
        ended += after.outcome.ended
    ahead = _filed_ahead(after, before)
    if ahead:
        after = play_on(office, step, after, ahead, "sheets filed ahead")
    after = _keep_row(step, after)
    set_alarms(office, step, after, {record.drawer.partition(":")[2] for record in ahead if record.sheet})
    pushed = suspend(office, step, after, after.history[len(playing.history) :])
    if ended:
        step.retire_tokens(after.row.name, after.turn)
        _publish(office, step, after, ended, mails)
    if pushed:
        _tell_suspension(office, step, after, pushed)
    if not ended:
        _announce(office, step, after, after.history[len(playing.history) :])
    _ask(office, step, after, before, told_already={s for s in _seats(after)} if ended else set())
    if after.outcome.over and ended:
        _farewell(office, step, after)
    return Ran(after, tuple(ended))


_AT_ONCE = 200
"""Answers for which nobody is waited, in a row; a match that goes on among such seats alone goes on at deadlines then."""


def _unwaited(step: Step, playing: Playing, before: set[str]) -> tuple[list[Record], str]:
    """What is played at once, and why: for dummies their bots, for who has resigned what is on file, as at a deadline."""
    if moves := dummy_answers(step, playing):
        return list(moves), "a dummy"
    vacant = vacant_seats(step, playing)
    if not vacant:
        return [], ""
    ahead: list[Record] = [record for record in _filed_ahead(playing, before) if record.seat in vacant]
    asked = [question for question in playing.outcome.open if question.seat in vacant]
    return ahead or [closing(playing, question, True, 0, by=_REFEREE) for question in asked], VACANT


_REFEREE = "the referee"
"""By whom a slot is ended that nobody else ends."""


def plays_at_once(step: Step, playing: Playing) -> bool:
    """Whether something is to be played that waits for nobody, such as after a pause."""
    return bool(_unwaited(step, playing, set())[0])


def _further_parts(playing: Playing, closed: Mapping[str, int]) -> list[tuple[Question[Any], int]]:
    """Open parts of slots of which a part has just been closed, and how late the slot was."""
    slots = {slot_of(key): days for key, days in closed.items()}
    questions = [q for q in playing.outcome.open if q.wants_orders and q.key not in closed]
    return [(q, slots[slot_of(q.key)]) for q in questions if slot_of(q.key) in slots]


def _keep_row(step: Step, playing: Playing) -> Playing:
    status = "over" if playing.outcome.over else playing.row.status
    row = msgspec.structs.replace(playing.row, turn=playing.turn, status=status)
    if row != playing.row:
        step.save_match(row)
    return msgspec.structs.replace(playing, row=row)


def _seats(playing: Playing) -> tuple[str, ...]:
    return tuple(playing.created.seats)


def _filed_ahead(playing: Playing, before: set[str]) -> list[Filed]:
    """Sheets filed for this turn or for the next one become the draft when the orders question opens.

    Lines that it does not ask for stay on file for a later question.
    """
    records: list[Filed] = []
    for question in playing.outcome.open:
        if question.key in before or not question.wants_orders or playing.outcome.phase is None:
            continue
        for drawer in (f"turn:{playing.outcome.phase.turn}", "next"):
            filed = playing.outcome.drawers.get((question.seat, drawer), ())
            sheet, rest = parted(playing.codec, filed, question)
            if sheet:
                records += [
                    Filed(question.seat, f"orders:{question.key}", sheet, "filed ahead"),
                    Filed(question.seat, drawer, rest),
                ]
                break
    return records


def draft_of(playing: Playing, question: Question[Any]) -> OrderSheet | None:
    """The order sheet on file that answers a question, or None."""
    return playing.outcome.drawers.get((question.seat, f"orders:{question.key}"))


def closing(
    playing: Playing, question: Question[Any], at_deadline: bool, late: int, rings: bool = False, by: str = ""
) -> Answered:
    """The answer that closes a question now: the draft, the late instruction, standing orders, the default."""
    value, source = _closing_value(playing, question, at_deadline)
    raw = msgspec.Raw(question.menu.encode(value))
    return Answered(question.key, question.seat, raw, source, late + (rings and source is not Source.PLAYER), by)


def _closing_value(playing: Playing, question: Question[Any], at_deadline: bool) -> tuple[Any, Source]:
    seat, state = question.seat, playing.outcome.state
    if not question.wants_orders:
        return question.menu.default, Source.DEFAULT
    draft = draft_of(playing, question)
    if draft is not None:
        return intents_in(playing.game, playing.codec, state, seat, _fitting(playing, question, draft)), Source.PLAYER
    late = (("late", Source.LATE_INSTRUCTION),) if at_deadline else ()
    for drawer, source in (*late, ("standing", Source.STANDING)):
        sheet = _fitting(playing, question, playing.outcome.drawers.get((seat, drawer), ()))
        if sheet:
            return intents_in(playing.game, playing.codec, state, seat, sheet), source
    return question.menu.default, Source.DEFAULT if at_deadline else Source.PLAYER


def _fitting(playing: Playing, question: Question[Any], sheet: OrderSheet) -> OrderSheet:
    """The lines that this question asks for; a sheet on file may hold others, meant for another phase."""
    return parted(playing.codec, sheet, question)[0]


def close(
    office: Office,
    step: Step,
    playing: Playing,
    keys: Iterable[str],
    at_deadline: bool,
    cause: str,
    rings: bool = False,
    by: str = "",
) -> Ran:
    """Close these questions as far as they are open, and run on; `by` names who ended a slot for its player.

    When the deadline itself `rings`, a sheet that the player filed in time is not late, and what is played for him is.
    """
    alarms = step.alarms(playing.row.name)
    days = {key: late_by(alarms, key) for key in keys}
    answers = [closing(playing, q, at_deadline, days[q.key], rings, by) for q in playing.outcome.open if q.key in days]
    late = {key: full + rings for key, full in days.items()} if at_deadline else None
    return run(office, step, playing, answers, cause, at_deadline=late, by=by)


# ---------------------------------------------------------------- letters


def everybody(step: Step, match: str) -> list[tuple[Member, Player]]:
    """Everybody who is written to, once each: players, game masters, observers."""
    found: dict[int, tuple[Member, Player]] = {}
    rank = {"playing": 0, "out": 1}
    members = sorted(step.members(match), key=lambda m: (rank.get(m.status, 2), m.role != "gm", m.number))
    for member in members:
        player = step.player(member.player)
        if player and player.id not in found and member.status in ("playing", "out", "watching", "applied"):
            found[player.id] = (member, player)
    return list(found.values())


def owner_of(step: Step, match: str, seat: str) -> tuple[Member, Player] | None:
    """Who plays a seat now."""
    for member in step.members(match):
        if member.seat == seat and member.status == "playing":
            player = step.player(member.player)
            return (member, player) if player else None
    return None


def form_for(playing: Playing, seat: str) -> Form | None:
    """The next order sheet of a seat that owes orders; for a plain question, the line that answers it."""
    mine = debts(playing, seat)
    if any(question.wants_orders for question in mine):
        return Form(playing.game.order_form(playing.outcome.state, Seat(seat)))
    if mine:
        return answer_form(mine[0])
    return None


def answer_form(question: Question[Any]) -> Form:
    """Lines a player can edit to answer a plain question."""
    return Form((*(f"# {word}" for word in question.menu.words()), f"CHOOSE {_default_words(question)}"))


def _default_words(question: Question[Any]) -> str:
    decoded = msgspec.json.decode(question.menu.encode(question.menu.default))
    if isinstance(decoded, list):
        return ", ".join(map(str, decoded)) or "none"
    if isinstance(decoded, dict):  # so many of each kind
        return ", ".join(f"{number} {kind}" for kind, number in decoded.items()) or "none"
    return str(decoded)


def automatic_sentences(
    answers: Iterable[Answered], asked: Mapping[str, str], reader: Reader, hidden: bool = False
) -> tuple[str, ...]:
    """Which answers nobody gave, and by which rule they were chosen. Other seats' decisions inside a turn stay theirs.

    Where lateness is `hidden`, so does this of their whole turns.
    """
    lines = []
    for answer in answers:
        if answer.source in (Source.PLAYER, Source.ORDERS):
            continue
        whole = answer.key.rpartition("/")[2].startswith("orders")
        if whole and hidden and reader != answer.seat:
            continue
        if not whole and (reader != answer.seat or not asked[answer.key]):
            continue
        what = "the whole turn: played" if whole else f'"{asked[answer.key]}" was decided'
        late = " after the deadline" if answer.late_by else ""
        lines.append(f"{answer.seat}, {what} by {answer.source.value}{late}.")
    return tuple(lines)


def _publish(office: Office, step: Step, playing: Playing, ended: Sequence[Ended[Any]], mails: bool) -> None:
    """Archive the reports of ended phases and mail them to everybody; the last one carries the next order sheet."""
    people = everybody(step, playing.row.name)
    readers: list[Reader] = list(dict.fromkeys((Role.OBSERVER, *(reader_of(member) for member, _ in people))))
    for number, phase in enumerate(ended):
        earlier = earlier_than(playing, ended[number:])
        created = playing.created
        made = pages_and_sheets(playing.game, created.options, created.seats, earlier, phase, readers)
        for reader, written in made.items():
            step.keep_report(_kept(office, playing, phase, reader, written))
        if mails and phase.phase.reports:
            for member, player in people:
                written = made[reader_of(member)]
                public, last = made[Role.OBSERVER].chart, number == len(ended) - 1
                _mail_report(office, step, playing, phase, member, player, written, public, last)


def _reader_name(reader: Reader) -> str:
    return "" if isinstance(reader, Role) else str(reader)


def _kept(office: Office, playing: Playing, ended: Ended[Any], reader: Reader, written: Written) -> Report:
    """The report as it is kept; the map only of the public one, for the archive."""
    public = isinstance(reader, Role) and written.chart is not None
    return Report(
        match=playing.row.name,
        turn=ended.phase.turn,
        epoch=playing.course,
        reader=_reader_name(reader),
        title=ended.phase.title,
        at=office.clock.now(),
        seq=playing.head.seq,
        head=playing.head.hash,
        page=msgspec.json.encode(written.page),
        sheets=msgspec.json.encode(written.sheets),
        chart=msgspec.json.encode(written.chart) if public else None,
    )


def _mail_report(
    office: Office,
    step: Step,
    playing: Playing,
    ended: Ended[Any],
    member: Member,
    player: Player,
    written: Written,
    public: Drawing | None,
    last: bool,
) -> None:
    reader, (page, sheets, chart) = reader_of(member), written
    framed = frame(office, step, playing, member, player)
    form = form_for(playing, member.seat) if last and member.status == "playing" else None
    hidden = keeps_quiet(playing) and player.id not in masters_of(step, playing.row.name)
    automatic = automatic_sentences(ended.answers, ended.asked, reader, hidden)
    wishes, sentence = wishes_of(step, player), map_in_words(chart, public)
    shown = mailed(sheets, reader) if wishes.sheets else ()
    delivery = delivery_sentence(step, player) if member.status == "playing" else ""
    letter = TurnReport(
        framed, page, shown, form, automatic, map=sentence, sheetless=not wishes.sheets, delivery=delivery
    )
    # What a replay cannot know is kept with the letter, so that it can be written again and compared.
    mark = f"{playing.head.seq}|{ended.phase.turn}|{_reader_name(reader)}|{office.renderer.version}|".encode()
    subject = f"{ended.phase.title}: {page.summary}"
    unique = f"{playing.head.seq}.{ended.phase.turn}"
    stem = f"{playing.row.name}-turn-{ended.phase.turn}"
    post(
        office,
        step,
        player,
        "report",
        subject,
        letter,
        unique,
        playing,
        member,
        source=lambda written: mark + msgspec.json.encode(_frameless(written)),
        chart=chart,
        shown=public,
        files=in_forms(office.renderer, Found((page,), sheets), wishes.files, stem),
    )


def _frameless(letter: TurnReport) -> TurnReport:
    return msgspec.structs.replace(letter, page=Page("", "", ()), sheets=())


def _ask(office: Office, step: Step, playing: Playing, before: set[str], told_already: set[str]) -> None:
    """Mail the questions that opened in the middle of a turn, and order sheets nobody was handed with a report."""
    for question in playing.outcome.open:
        if question.key in before or (question.wants_orders and question.seat in told_already):
            continue
        found = owner_of(step, playing.row.name, question.seat)
        if found is None:
            continue
        member, player = found
        so_far = _so_far(playing, Seat(question.seat))
        form = form_for(playing, question.seat) or answer_form(question)
        default = "" if question.wants_orders else _default_words(question)
        framed = frame(office, step, playing, member, player)
        letter = QuestionLetter(
            framed, question.text, question.rule, _choices(playing, question), default, so_far, form
        )
        unique = f"{playing.head.seq}.{question.key}"
        post(office, step, player, "question", f"a decision for {question.seat}", letter, unique, playing, member)


_MOST_EXPLAINED = 12
"""So many words of an order sheet a question explains; who is asked for the rest of his turn knows them, or asks HELP."""


def _choices(playing: Playing, question: Question[Any]) -> tuple[str, ...]:
    """What can be answered: the options, or the words of an order sheet with what they do."""
    if not question.wants_orders:
        return question.menu.words()
    known = {verb.word: verb for verb in playing.game.vocabulary(playing.outcome.state).verbs}
    words = question.menu.words()
    if len(words) > _MOST_EXPLAINED:
        return (f"{', '.join(words)}.", "HELP and one of these words explains it, with an example.")
    return tuple(
        f"{word}: {known[word].meaning}, as in {known[word].example}" if word in known else word for word in words
    )


def _so_far(playing: Playing, seat: Seat) -> tuple[str, ...]:
    """What a seat was told of the phase under way; that it began goes without saying."""
    heard = told(playing.outcome.events, seat)
    return tuple(sentence for e in heard if not isinstance(e, PhaseBegan) and (sentence := e.sentence()))


def _tell_suspension(office: Office, step: Step, playing: Playing, pushed: Suspension) -> None:
    """Everybody learns for how long the clock was suspended, and every deadline that this moved."""
    title, masters = "the deadlines are suspended", masters_of(step, playing.row.name)
    for member, player in everybody(step, playing.row.name):
        framed = frame(office, step, playing, member, player)
        said = pushed.sentences(player.zone, may_know(playing, masters, member, player, ""))
        letter = Notice(framed, title, said, "", "the players")
        post(office, step, player, "notice", title, letter, f"{playing.head.seq}.suspended", playing, member)


def _announce(office: Office, step: Step, playing: Playing, events: Sequence[Event]) -> None:
    """Everybody is told at once what the game says shall not wait for the report."""
    game = playing.game
    sentences = tuple(filter(None, map(game.at_once, events))) if events and isinstance(game, Announces) else ()
    if not sentences:
        return
    title = "news before the report"
    for member, player in everybody(step, playing.row.name):
        framed = frame(office, step, playing, member, player)
        letter = Notice(framed, title, sentences, "", "the players")
        post(office, step, player, "notice", title, letter, f"{playing.head.seq}.news", playing, member)


def _farewell(office: Office, step: Step, playing: Playing) -> None:
    """The last letter: standings, the secret, how to check every die."""
    tally = playing.game.score(playing.outcome.state)
    winners = " and ".join(tally.winners())
    outcome = f"{winners} won" if winners else "nobody is ranked"
    page = Page(f"{playing.game.title}: the end", f"{outcome[:1].upper()}{outcome[1:]}.", ())
    verify = (
        "Any SHA-256 program will tell you that the secret has this fingerprint.",
        f"The folder of {playing.row.name} in the archive holds the whole log. The command 'referee verify FOLDER' "
        "checks every entry, every die and every report from that folder alone.",
    )
    for member, player in everybody(step, playing.row.name):
        framed = frame(office, step, playing, member, player)
        letter = Farewell(framed, page, tally, playing.row.secret.hex(), verify, revealed(step, playing))
        post(
            office, step, player, "farewell", f"the end: {outcome}", letter, f"end.{playing.head.seq}", playing, member
        )
    step.clear_alarms(playing.row.name)
