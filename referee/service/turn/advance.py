"""A match runs on to where somebody must answer: begun, awaited, halted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Reader, Role
from referee.core.page import Page
from referee.core.question import Question, slot_of
from referee.core.record import BOT, Answered, Filed, Record, Sealed
from referee.core.stage import Ended
from referee.kit.wording import in_a_row
from referee.service.base.letter_facts import Notice, RefusalLetter, Started
from referee.service.base.match_settings import manners_rows
from referee.service.base.office import At, WayStep, way_step
from referee.service.base.ports import Alarm, MatchRow, Member, Player, Step
from referee.service.base.times import iso, stamp, zone_sentence
from referee.service.match.bots import (
    OWN_BOT,
    VACANT,
    autoplayed,
    away_seats,
    bots,
    dummy_answers,
    steady_for,
    think_next,
    thinking_since,
    thought_over,
    vacant_seats,
)
from referee.service.match.clock_words import timetable_told
from referee.service.match.clocks import kept_clock, late_by, set_alarms
from referee.service.match.history import Earlier, earlier_than
from referee.service.match.members import everybody, hides_names
from referee.service.match.open_log import key_is_told, key_text, proof_of
from referee.service.match.playing import BareHand, Playing, load
from referee.service.match.sealing import anchor_of
from referee.service.match.sheets import closing, filed_ahead
from referee.service.match.slot_life import BY_HIMSELF, DICE, Happening, State, row_of, state_when
from referee.service.match.suspension import Suspension, stop_clock, suspend
from referee.service.post.frames import announce, ask, form_for, frame, option_rows, tell_suspension
from referee.service.post.post import About, Mail, post
from referee.service.post.subjects import told
from referee.service.turn.farewell import farewell
from referee.service.turn.knowledge import Hearing, Table, guide_page, history_page
from referee.service.turn.reports import (
    chart_now,
    in_one,
    mailed,
    map_in_words,
    pages_and_sheets,
    publish,
    reader_of,
    sheets_now,
)
from referee.service.turn.signed_heads import send_heads

# ---------------------------------------------------------------- a match waits for a round of the beacon
# Its log is sealed, its dice have not fallen, and its clock stands still.


SEALED = "sealed"
"""The status of a match that waits for its dice."""

AGAIN_IN = timedelta(seconds=3)
"""So long after a look for a round comes the next."""

_AT_MOST = 60.0


class Underway(msgspec.Struct, frozen=True):
    """The matter of a run when it was sealed, for when it goes on: see `turns.advance.run`.

    Of the `seats` slots ended at their deadline, by their keys: whether one is abandoned is looked at when the dice have
    fallen. The round was looked for during `waited` seconds, the last time at `looked`, in seconds since 1970.
    """

    asked: tuple[str, ...]
    at_deadline: dict[str, int]
    by: str
    cause: str
    seats: dict[str, str] = {}
    waited: float = 0
    looked: float = 0

    def looks(self, now: float) -> Underway:
        """With one more look; of a longer time without any, in which the service was down, a minute counts."""
        since = min(now - self.looked, _AT_MOST) if self.looked else 0
        return replace(self, waited=self.waited + max(since, 0), looked=now)


def wait_for_dice(hand: BareHand, underway: Underway) -> None:
    """Stop the clock, tell everybody head and round, and have the round looked for."""
    row, seal = hand.playing.row, hand.playing.outcome.sealed
    assert seal is not None and hand.office.randomness is not None
    beacon, due = hand.office.randomness.beacon, hand.office.randomness.beacon.time_of(seal.round)
    payload = _known_underway(hand.step, row) or _written(underway)
    if row.status != SEALED:
        stop_clock(hand.step, row, hand.now, Happening.SEALED)
        hand.save(status=SEALED, turn=hand.playing.turn, trouble="")
    for before in _looks_for(hand.step, row.name):
        hand.step.take_alarm(before)
    hand.step.set_alarm(Alarm(row.name, DICE, str(seal.round), due, payload=payload))
    beacon.seek(seal.round)
    _tell(hand, seal, due)


def _looks_for(step: Step, match: str) -> list[Alarm]:
    return [alarm for alarm in step.alarms(match) if alarm.kind == DICE]


def _known_underway(step: Step, row: MatchRow) -> str:
    """The run under way in a match that waited for its dice already when mended rules played its phase anew."""
    known = [alarm.payload for alarm in _looks_for(step, row.name)]
    known += [kept.payload for kept in kept_clock(step, row.name) if kept.kind == DICE]
    return next(iter(known), "")


def look_after_then(step: Step, match: str, seat: str, key: str) -> None:
    """A slot of a seat ended at its deadline, and its dice have not fallen: it is looked at then whether it is abandoned."""
    for alarm in _looks_for(step, match):
        before = underway(alarm)
        step.set_alarm(replace(alarm, payload=_written(replace(before, seats={**before.seats, key: seat}))))


def _written(underway: Underway) -> str:
    return msgspec.json.encode(underway).decode()


def look_again(step: Step, alarm: Alarm, round: int, so_far: Underway, now: datetime) -> None:
    """The round is not there yet: the next look for it comes soon."""
    step.set_alarm(replace(alarm, key=str(round), due_at=now + AGAIN_IN, payload=_written(so_far)))


def _tell(hand: BareHand, seal: Sealed, due: datetime) -> None:
    """The head by which the log was sealed, before its round is made."""
    assert hand.office.randomness is not None
    name, longest = hand.office.randomness.beacon.name, hand.office.randomness.longest
    phase = hand.playing.outcome.phase
    what = phase.title if phase else hand.match
    head = hand.playing.seals.keys[seal.number].head
    for member, player in everybody(hand.step, hand.match):
        when, at_most = stamp(due, player.zone), stamp(due + longest, player.zone)
        said = (
            f"All that was written for {what} is sealed: it stands in the log, and its hash is {head}.",
            f"Its dice come of that and of round {seal.round} of {name}, which is made at {when} and which nobody can know before.",
            f"You need do nothing: you hear the outcome, at {at_most} at the latest. Clocks stand still until then.",
        )
        letter = Notice(frame(hand, member, player), "The dice are about to fall", said, "", hand.office.name)
        mail = Mail("notice", f"the dice of {what} fall at {when}", letter, f"{seal.number}.sealed")
        post(hand, player, mail, About(hand.playing, member))


def underway(alarm: Alarm) -> Underway:
    """The matter of the run that this alarm goes on with."""
    return msgspec.json.decode(alarm.payload, type=Underway)


def going_on(at_deadline: Mapping[str, int] | None, by: str, asked: Sequence[str], cause: str) -> Underway:
    """The facts needed of a run when it goes on."""
    return Underway(tuple(sorted(asked)), dict(at_deadline or {}), by, cause)


# ---------------------------------------------------------------- turns
# Running a match on as far as it goes, as a table of steps, and closing the order sheets of a slot.


class Running(msgspec.Struct, frozen=True):
    """A match on its way from records to letters: the hand on it, as it was at the start, and what has come of the run by now.

    `asked` are the questions that were put by letter before. `late` are those that were closed for their player, with the full
    periods they were late, `by` is who ended them. `mails`: the reports go out, and are not only archived.
    """

    hand: BareHand
    start: Playing
    inputs: Sequence[Record]
    cause: str
    mails: bool
    asked: set[str]
    late: Mapping[str, int]
    by: str
    ended: tuple[Ended[Any], ...] = ()
    ahead: Sequence[Filed] = ()
    pushed: Suspension | None = None

    @property
    def news(self) -> Sequence[Event]:
        """The events in it."""
        return self.hand.playing.news[len(self.start.news) :]


class Fact(Enum):
    """A fact known of a match that runs on when it has passed a step."""

    PLAYED = "the consequences of the records are played"
    CLOSED = "no part is open of a slot that was closed for its player"
    AWAITED = "everything that is open waits for somebody"
    ADOPTED = "sheets filed ahead are on file for what is open"
    TIMED = "the alarms that fall due, and when"
    PUSHED = "the alarms that the events themselves move"
    REPORTED = "the phases that ended are reported"
    TOLD = "all else that happened is told"
    ASKED = "everybody knows what he owes"
    LEFT = "nothing is left to do"


# ---------------------------------------------------------------- the steps


def _played(so: Running) -> Running:
    """Records are taken into the log, and the rules run on as far as they go."""
    return replace(so, ended=tuple(so.hand.play(so.inputs, so.cause)))


def _closed(so: Running) -> Running:
    """A further part of a slot that was closed for its player is closed with it, at the word of the same person."""
    hand, late, ended = so.hand, so.late, so.ended
    while not hand.waits and (parts := _further_parts(hand.playing, late)):
        ended += tuple(hand.play([_closing(hand, q, days, by=so.by) for q, days in parts], so.cause))
        late = {question.key: days for question, days in parts}
    return replace(so, late=late, ended=ended)


def _unwaited_played(so: Running) -> Running:
    """A question that waits for nobody is played at once: for bots, for absent players, for players who resigned."""
    ended = so.ended
    for _ in range(_AT_ONCE):
        moves, why = ([], "") if so.hand.waits else _unwaited(so.hand, so.asked)
        if not moves:
            break
        ended += tuple(so.hand.play(moves, why))
    return replace(so, ended=ended)


def _adopted(so: Running) -> Running:
    """A sheet that was filed ahead is the draft for the question that has opened."""
    ahead = [] if so.hand.waits else filed_ahead(so.hand.playing, so.asked)
    if ahead:
        so.hand.play(ahead, "sheets filed ahead")
    return replace(so, ahead=ahead)


def _timed(so: Running) -> Running:
    """New slots get their deadlines, and a complete sheet its delay; while dice are waited for the clock stands, and what is known
    of the run is kept."""
    if so.hand.waits:
        wait_for_dice(so.hand, going_on(so.late, so.by, sorted(so.asked), so.cause))
    else:
        _keep_row(so.hand)
        set_alarms(so.hand, {record.drawer.partition(":")[2] for record in so.ahead if record.sheet})
    return so


def _pushed(so: Running) -> Running:
    """Events that suspend the play move all deadlines."""
    return replace(so, pushed=suspend(so.hand, so.news))


def _reported(so: Running) -> Running:
    """Where a phase has ended the reply addresses of its turn die, and the reports are archived and go out."""
    if so.ended:
        so.hand.step.retire_tokens(so.hand.match, so.hand.playing.turn)
        publish(so.hand, so.start, so.ended, so.mails)
    return so


def _news_told(so: Running) -> Running:
    """Everybody is told of deadlines that were moved, and of what happened where no report carries it."""
    if so.pushed:
        tell_suspension(so.hand, so.pushed)
    if not so.ended:
        announce(so.hand, so.news)
    return so


def _asked(so: Running) -> Running:
    """A player who owes something new is asked for it, unless his report asks him."""
    if not so.hand.waits:
        ask(so.hand, so.asked, told_already={*so.hand.playing.created.seats} if so.ended else set())
    return so


def _farewell(so: Running) -> Running:
    """A match that is over takes its leave."""
    if so.hand.playing.outcome.over and so.ended:
        farewell(so.hand)
    return so


F = Fact
STEPS: tuple[WayStep[Running, Running], ...] = (
    way_step("the records", _played, finds=F.PLAYED,
             why="first: all that follows is of what they bring about"),
    way_step("further parts", _closed, F.PLAYED, finds=F.CLOSED,
             why="before others are played: a part that opens only by what is played for them is open for its player"),
    way_step("what waits for nobody", _unwaited_played, F.CLOSED, finds=F.AWAITED,
             why="before sheets are adopted: an absent player has his sheet played from the drawer"),
    way_step("sheets filed ahead", _adopted, F.AWAITED, finds=F.ADOPTED,
             why="for the questions that stay open, and before their time is set: a complete sheet begins its delay"),
    way_step("the clock", _timed, F.ADOPTED, finds=F.TIMED,
             why="before any letter, for each tells its reader his deadline"),
    way_step("a suspension", _pushed, F.TIMED, finds=F.PUSHED,
             why="after new deadlines, which it moves as well, and before they are told"),
    way_step("the reports", _reported, F.PUSHED, finds=F.REPORTED,
             why="before every other letter: new reply addresses are given out only when the old ones are dead"),
    way_step("the news", _news_told, F.PUSHED, F.REPORTED, finds=F.TOLD,
             why="after the report of what led to it"),
    way_step("the questions", _asked, F.REPORTED, F.TOLD, finds=F.ASKED,
             why="after what happened, which they are about"),
    way_step("the farewell", _farewell, F.REPORTED, F.ASKED, finds=F.LEFT,
             why="the last letter of a match"),
)  # fmt: skip
"""In this order. The needs of a step, one before it has met; each finds something of its own, so that none can be left out."""


def run(
    hand: BareHand,
    inputs: Sequence[Record],
    cause: str,
    mails: bool = True,
    at_deadline: Mapping[str, int] | None = None,
    by: str = "",
    asked: set[str] | None = None,
) -> Sequence[Ended[Any]]:
    """Take records, run on and write letters; the phases that ended. One transaction's worth.

    `mails` False archives the reports of ended phases and leaves it to the caller to write to everybody. A slot whose
    question (`at_deadline`, with the full periods it was late) was closed for its player and goes on with a further
    part is closed with it, at the word of the same person (`by`). `asked` are the questions already put by letter, where
    those are others than stand open before the run.
    """
    before = {question.key for question in hand.playing.outcome.open} if asked is None else asked
    so = Running(hand, hand.playing, inputs, cause, mails, before, dict(at_deadline or {}), by)
    for step in STEPS:
        so = step.does(so)
    return so.ended


_AT_ONCE = 200
"""Answers for which nobody is waited, in a row; a match that goes on among such seats alone goes on at deadlines then."""


def _unwaited(hand: BareHand, before: set[str]) -> tuple[list[Record], str]:
    """The sheets played at once, and why: for dummies their bots, for an absent player his orders on file or his bot, for
    one who has resigned his orders on file, as at a deadline."""
    if moves := dummy_answers(hand.step, hand.playing):
        return list(moves), BOT
    for seats, why, by in ((away_seats(hand), OWN_BOT, OWN_BOT), (vacant_seats(hand), VACANT, _REFEREE)):
        ahead: list[Record] = [record for record in filed_ahead(hand.playing, before) if record.seat in seats]
        asked = [question for question in hand.playing.outcome.open if question.seat in seats]
        if ahead or asked:
            return ahead or [_closing(hand, question, 0, by=by) for question in asked], why
    return [], ""


def _closing(hand: BareHand, question: Question[Any], late: int, rings: bool = False, by: str = "") -> Answered:
    """The answer that closes a question for its player; where he has a bot play for him, it is the bot's and never late."""
    instead = partial(steady_for, hand) if by != _REFEREE else lambda _: None
    if question.seat in autoplayed(hand):
        return closing(hand.playing, question, True, 0, by=by or OWN_BOT, instead=instead)
    return closing(hand.playing, question, True, late, rings, by, instead)


_REFEREE = "the referee"
"""The name in the log for a slot's end that is nobody else's."""


def play_at_once(hand: BareHand, cause: str) -> None:
    """Play what waits for nobody, such as after a pause."""
    if _unwaited(hand, set())[0]:
        run(hand, (), cause)


def bot_answers(hand: BareHand, alarm: Alarm) -> None:
    """The sheets that bots have thought over are their turns, if they are still asked for them; else they think again."""
    hand.date(thinking_since(hand.playing))
    if answers := dummy_answers(hand.step, hand.playing):
        run(hand, answers, BOT)
    elif any(question.key == alarm.key for question in thought_over(hand.step, hand.playing)):
        hand.step.set_alarm(alarm)


def think_ahead(hand: BareHand) -> bool:
    """Play the sheets that bots have thought over, as they will be, up to one that is to be thought over next; False if there is
    none. It is for a transaction that is undone."""
    hand.date(thinking_since(hand.playing))
    if not hand.moment or not (answers := dummy_answers(hand.step, hand.playing)):
        return False
    _unwaited_played(_closed(_played(Running(hand, hand.playing, answers, BOT, False, set(), {}, ""))))
    return think_next(hand.step, hand.playing)


def _further_parts(playing: Playing, closed: Mapping[str, int]) -> list[tuple[Question[Any], int]]:
    """Open parts of slots of which a part has just been closed, and how late the slot was."""
    slots = {slot_of(key): days for key, days in closed.items()}
    questions = [q for q in playing.outcome.open if q.wants_orders and q.key not in closed]
    return [(q, slots[slot_of(q.key)]) for q in questions if slot_of(q.key) in slots]


def _keep_row(hand: BareHand) -> None:
    turn, status = hand.playing.turn, "over" if hand.playing.outcome.over else hand.status
    if (turn, status) != (hand.playing.row.turn, hand.status):
        hand.save(turn=turn, status=status)


def close(hand: BareHand, keys: Iterable[str], why: Happening, cause: str, by: str = "") -> None:
    """Close these questions as far as they are open, and run on; `by` names who ended a slot for its player.

    Unless its player ended it himself, what is on file is played for him. When the deadline itself rings, a sheet that the
    player filed in time is not late, and what is played for him is.
    """
    playing, alarms = hand.playing, hand.step.alarms(hand.match)
    asked = [question for question in playing.outcome.open if question.key in set(keys)]
    for question in asked:
        row_of(state_when(playing.row, alarms, question.key, why), why, State.CLOSED)
    for_him, rings = why not in BY_HIMSELF, why is Happening.DEADLINE_PASSED
    days = {question.key: late_by(alarms, question.key) for question in asked}
    answers = [
        _closing(hand, q, days[q.key], rings, by) if for_him else closing(playing, q, False, days[q.key], by=by)
        for q in asked
    ]
    late = {key: full + rings for key, full in days.items()} if for_him else None
    run(hand, answers, cause, at_deadline=late, by=by)


# ---------------------------------------------------------------- halting
# A match that cannot be run on stands still until it can: nothing of it is lost, and letters to it are kept.


HELD = "held"
"""The status of a letter that waits until its match goes on."""

GOES_ON = "It goes on by itself as soon as a mended version of the referee runs."

WAY_OUT = (
    f"{GOES_ON} STATUS says what is wrong, RESUME tries again, and REWIND TO TURN, with a number, goes back to where it can be "
    "played."
)


def halt(at: At, row: MatchRow, why: str) -> MatchRow:
    """Stop the clock of a match that runs and cannot be run on, and tell its game masters; the row as it then is."""
    if row.status == "shunted":
        return row
    now = at.now
    stop_clock(at.step, row, now, Happening.BROKEN)
    row = replace(row, status="shunted", trouble=why)
    at.step.save_match(row)
    playing, unique = load(at, row), f"shunted.{iso(now)}"
    said = f"{row.name} could not be run on and stands still; nothing of it is lost, and letters to it are kept. {why}"
    for member in at.step.members(row.name):
        master = at.step.player(member.player)
        if member.role == "gm" and master:
            letter = RefusalLetter("A match needs you", said, (WAY_OUT,), None, row.name, master.name)
            post(at, master, Mail("refusal", "the match stands still", letter, unique), About(playing, member))
    return row


def release(step: Step, match: str) -> int:
    """Give the letters that were kept for a match that goes on back to the inbox; how many."""
    kept = [letter for letter in step.letters(HELD, limit=_ALL) if letter.match == match]
    for letter in kept:
        step.finish_letter(letter.id, "new", "its match goes on", match, was=HELD)
    return len(kept)


_ALL = 1_000_000


# ---------------------------------------------------------------- the first letter of a match
# To everybody when it begins, later to a player who takes over a seat and to a new observer.


def first_letters(hand: BareHand, ended: Sequence[Ended[Any]]) -> None:
    """Everybody is told that the match begins, and what the set-up brought if it is over; its witnesses are asked."""
    for member, player in everybody(hand.step, hand.match):
        page = _first_page(hand, ended, reader_of(member))
        _post(hand, member, player, page, "", "the match begins", "start")
    key_is_told(hand, hand.match)
    send_heads(hand)


def letter_to_who_comes_later(hand: BareHand, member: Member, player: Player) -> None:
    """A player who takes over a seat, or a new observer, gets the others' first letter and the latest events."""
    takes = f"You take over {member.seat}" if member.seat else f"You watch {hand.match}"
    past = history_page(hand.step, hand.playing, lines=_LAST)
    page = Page("The latest events", "", past.blocks) if hand.step.listed_reports(hand.match) else None
    unique = f"{hand.playing.head.seq}.first.{member.id}"
    _post(hand, member, player, page, takes, takes[:1].lower() + takes[1:], unique)


_LAST = 3
"""Reports of which a newcomer is told a sentence each."""


def _post(
    hand: BareHand,
    member: Member,
    player: Player,
    page: Page | None,
    title: str,
    said: str,
    unique: str,
) -> None:
    everyone = everybody(hand.step, hand.match)
    runs = [m.player for m in hand.step.members(hand.match) if m.role == "gm" and m.status != "left"]
    masters = {id: found.name for id in runs if (found := hand.step.player(id))}
    seats = tuple((m.seat, p.name) for m, p in everyone if m.seat)
    if hides_names(hand.playing) and player.id not in masters:
        seats = tuple((seat, "one of the players") for seat, _ in sorted(seats))
    seats = (*seats, *bots(hand.step, hand.match).items())
    rows = option_rows(hand.playing.game.settings, hand.playing.row.options)
    defaults = {setting.name: setting.default for setting in hand.playing.game.settings}
    chosen = tuple(row for row in rows if row[1] != defaults[row[0]]) + manners_rows(hand.playing.settings.manners)
    paces = (said.rstrip(".").removeprefix("A slot ").partition(", ") for said in timetable_told(hand.playing.settings))
    reader, public = reader_of(member), chart_now(hand.step, hand.playing, Role.OBSERVER)
    chart, framed = chart_now(hand.step, hand.playing, reader), frame(hand, member, player)
    letter = Started(
        frame=framed,
        seats=seats,
        options=chosen + tuple(("slot", lasts, ends) for lasts, _, ends in paces),
        page=page,
        sheets=mailed(sheets_now(hand.step, hand.playing, reader), reader)
        if page
        else (),  # before the set-up is over they are empty
        form=form_for(hand.step, hand.playing, member.seat) if member.seat else None,
        map=map_in_words(chart, public),
        usual=len(chosen) < len(rows),
        title=title,
        zone=zone_sentence(player.zone, hand.now) if _is_new(hand.step, member, title) else "",
        anchor=anchor_of(hand.playing.row.secret, hand.playing.seals),
        key=key_text(hand.office),
        proof=proof_of(hand),
        beacon=bool(hand.playing.created.beacon),
        guide=guide_page(
            hand.playing.game,
            "" if player.id in masters else in_a_row(list(masters.values())),
            hand.playing.row.options,
        ),
    )
    mail = Mail("started", told(framed, said), letter, unique, chart=chart, shown=public)
    post(hand, player, mail, About(hand.playing, member))


def _is_new(step: Step, member: Member, title: str) -> bool:
    """Whether somebody was given a seat who had no part in any match before; members and observers were told by then."""
    return bool(title and member.seat) and len(step.memberships(member.player)) == 1


def _first_page(hand: BareHand, ended: Sequence[Ended[Any]], reader: Reader) -> Page | None:
    """The report of the set-up, if it is over, and of what bots have played since."""
    if not ended:
        return None
    created, earlier = hand.playing.created, earlier_than(hand.step, hand.playing, ended)
    hearing = Hearing(Table(hand.playing.game, created.seats, created.options), Earlier(earlier), (reader,))
    return in_one(hand.playing.game, [(one, pages_and_sheets(hearing, one)[reader].page) for one in ended], reader)
