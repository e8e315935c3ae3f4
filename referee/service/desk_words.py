"""What each word of the desk does in a match. The table at the end is the whole of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

import msgspec

from referee.core.names import Seat
from referee.core.order import Order, Thing
from referee.core.record import Filed
from referee.kit.wording import in_a_row
from referee.mail import Attachment
from referee.orders import Sentence, read
from referee.service import absences, moderate, treaties, votes
from referee.service.advance import draft_of
from referee.service.anonymity import named_in
from referee.service.clocks import RUNNING, set_deadline
from referee.service.delay import hold, release, stop_delay
from referee.service.exporting import enclosed, exported, stem_of
from referee.service.frames import debts, drawers_of
from referee.service.helping import help_page
from referee.service.identity import ask_address
from referee.service.library import Missing, fetch
from referee.service.master_acts import (
    MASTER_ACTS,
    needs_key,
    send_record,
    tell_record,
    turn_key,
    wait_for_key,
)
from referee.service.overrides import Deed, Denied
from referee.service.papers import PAPERS, paper
from referee.service.playing import load, mark
from referee.service.preferences import keep_leads, read_leads
from referee.service.replacing import replace_player
from referee.service.reporting import reader_of
from referee.service.resigning import resign, resigned_sentences
from referee.service.rewinding import forward, rewind
from referee.service.set_clock import set_clock
from referee.service.setting_words import clock_sentences
from referee.service.timebank import extend, left_in_bank
from referee.service.times import both_stamps, length, moment, stamp, zone_named
from referee.service.visit import Visit
from referee.service.withdrawing import withdraw
from referee.service.words import desk_words

__all__ = ["ACTS", "Do", "obey"]

Do = Callable[["Visit", Order, str], None]


def obey(visit: Visit, sentence: Sentence) -> None:
    """Do one word of the desk; what it did or why it could not goes into the visit."""
    away = named_in(visit.step, visit.playing, _published(sentence.order)) if visit.game_master else ""
    if away:
        visit.deny(sentence.source, f"This match is anonymous, and everybody would read {away}; leave that out.")
        return
    if needs_key(visit, sentence.order):
        wait_for_key(visit, sentence.source)
        return
    ACTS.get(sentence.order.verb, _elsewhere)(visit, sentence.order, sentence.source)


def _published(order: Order) -> list[str]:
    """The words of a game master's own that everybody is told."""
    own = order.things if order.verb in ("ANNOUNCE", "RULING") else ()
    return [thing.name for thing in (*own, *order.after("BECAUSE"), *order.after("CITING"))]


def _first(things: tuple[Thing, ...], *kinds: str) -> Thing | None:
    return next((thing for thing in things if not kinds or thing.kind in kinds), None)


def _named(order: Order, *kinds: str) -> str:
    found = _first(order.things, *kinds)
    return found.name if found else ""


def _clause(order: Order, preposition: str) -> str:
    return ", ".join(thing.name for thing in order.after(preposition))


def _reason(order: Order) -> str:
    return _clause(order, "BECAUSE")


def _settle(visit: Visit, source: str, outcome: Deed | Denied) -> None:
    if isinstance(outcome, Denied):
        visit.deny(source, outcome.sentence)
    else:
        visit.playing = outcome.playing
        visit.done += outcome.sentences


def _elsewhere(visit: Visit, order: Order, source: str) -> None:
    visit.deny(
        source, f"{order.verb} is not done in a match; send it to {visit.office.address} in a letter of its own."
    )


# ---------------------------------------------------------------- anyone


def _help(visit: Visit, order: Order, source: str) -> None:
    game, state, seats = visit.playing.game, visit.playing.outcome.state, visit.playing.created.seats
    games, seat, words = tuple(visit.office.games), bool(visit.seat), game.vocabulary(state)
    desk = desk_words(games, (visit.match,), seats, seat, visit.game_master, words)
    own = game.examples(state, Seat(visit.seat)) if visit.seat else {}
    visit.help = help_page(_named(order), words, desk, game.name, own)


def _send(visit: Visit, order: Order, source: str) -> None:
    number = _first(order.after("TURN"))
    turn = number.count() if number else None
    seat = _first(order.after("OF"), "seat")
    document = _named(order, "document") or "report"
    if document == "record":
        visit.done += send_record(visit).sentences
        return
    if document in PAPERS:
        _send_paper(visit, document, source)
        return
    found = fetch(visit.step, visit.playing, reader_of(visit.member), document, turn, seat.name if seat else "")
    form = _clause(order, "AS")
    if form:
        stem = stem_of(visit.match, document, turn, seat.name if seat else "")
        _enclose(visit, source, exported(visit.office.renderer, found, form, stem))
    elif isinstance(found, Missing):
        visit.deny(source, found.sentence)
    else:
        visit.pages += found.pages
        visit.sheets += found.sheets
        visit.chart = found.chart or visit.chart


def _send_paper(visit: Visit, document: str, source: str) -> None:
    """What players wrote: each is shown what he may read of it."""
    page = paper(visit.step, visit.playing, visit.member, visit.player, document)
    if isinstance(page, Missing):
        visit.deny(source, page.sentence)
    else:
        visit.pages.append(page)


def _enclose(visit: Visit, source: str, made: tuple[Attachment, ...] | Missing) -> None:
    if isinstance(made, Missing):
        visit.deny(source, made.sentence)
    else:
        visit.files += made
        visit.done.append(enclosed(made))


def _rules(visit: Visit, order: Order, source: str) -> None:
    found = fetch(visit.step, visit.playing, reader_of(visit.member), "rules", None, "")
    if not isinstance(found, Missing):
        visit.pages += found.pages


def _verify(visit: Visit, order: Order, source: str) -> None:
    visit.done.append(
        f"The log of {visit.match} stands at {mark(visit.playing.head)}. When the match is over its secret is published; "
        f"then 'referee verify FOLDER' checks every entry and every die from the archive alone."
    )


def _set(visit: Visit, order: Order, source: str) -> None:
    what, _, value = _named(order).partition(" ")
    player = visit.player
    match what.lower():
        case "zone" if zone_named(value):
            player = msgspec.structs.replace(player, zone=value)
            visit.done.append(f"Times are now given in {value}.")
        case "zone":
            visit.deny(source, f"{value or 'That'} is no time zone; write SET zone Europe/Berlin or SET zone UTC.")
        case "name" if value:
            player = msgspec.structs.replace(player, name=value[:60])
            visit.done.append(f"You are now called {player.name}.")
        case "address":
            _set_address(visit, value, source)
        case "reminders":
            _set_reminders(visit, value, source)
        case _:
            visit.deny(source, "SET knows zone, name, key, address and reminders; write SET zone Europe/Berlin.")
    visit.player = visit.step.save_player(player)


def _set_reminders(visit: Visit, written: str, source: str) -> None:
    """When a player is reminded, in all his matches; for running deadlines at once."""
    back = written.casefold() in ("match", "default")
    leads = None if back else read_leads(written)
    if leads is None and not back:
        visit.deny(source, "Write how long before a deadline: SET reminders 12h 2h, or none, or default.")
        return
    keep_leads(visit.step, visit.player, leads)
    for member in visit.step.memberships(visit.player.id):
        row = visit.step.match(member.match)
        if row is not None and row.status == "running" and member.status == "playing":
            playing = visit.playing if row.name == visit.match else load(visit.office, visit.step, row)
            for alarm in visit.step.alarms(row.name):
                if alarm.kind == "deadline" and alarm.seat == member.seat:
                    now = visit.office.clock.now()
                    set_deadline(visit.step, playing, alarm.key, alarm.seat, alarm.due_at, now)
    if leads is None:
        visit.done.append("You are reminded as each match says.")
    elif leads:
        when = in_a_row([length(timedelta(hours=lead)) for lead in leads])
        visit.done.append(f"You are reminded {when} before each of your deadlines, in all your matches.")
    else:
        visit.done.append("You are reminded of nothing any more; SET reminders 12h 2h changes that.")


def _set_address(visit: Visit, written: str, source: str) -> None:
    wrong = ask_address(visit.office, visit.step, visit.playing.row, visit.player, written, visit.unique)
    if wrong:
        visit.deny(source, wrong)
    else:
        visit.done.append(f"I wrote to {written}; once it answers YES, letters from there are known as yours.")


def _unsubscribe(visit: Visit, order: Order, source: str) -> None:
    if visit.member.role != "observer":
        visit.deny(source, "You take part in this match, so its letters go on; a player leaves it by RESIGN.")
        return
    visit.step.save_member(msgspec.structs.replace(visit.member, status="left"))
    visit.done.append(f"You no longer watch {visit.match}; OBSERVE {visit.match} begins it again.")


# ---------------------------------------------------------------- players


def _block(visit: Visit, order: Order, source: str) -> None:
    """A heading that could not be read as one."""
    to = " TO and then whom it is for" if order.verb in ("PRESS", "OFFER") else " alone"
    visit.deny(
        source, f"Write {order.verb}{to} on a line by itself, then your text, then a line END; nothing was sent."
    )


def _numbered(act: Callable[[Visit, int, str], None]) -> Do:
    def do(visit: Visit, order: Order, source: str) -> None:
        number = _first(order.things, "number")
        act(visit, number.count() if number else 0, source)

    return do


def _withdraw(visit: Visit, order: Order, source: str) -> None:
    number = _first(order.things, "number")
    words = ", ".join(thing.name for thing in order.things)
    bare = number is not None and len(order.things) == 1
    withdraw(visit, number.count() if number and bare else 0, "" if bare else words, source)


def _vote(visit: Visit, order: Order, source: str) -> None:
    what = _named(order).casefold()
    span = _first((*order.after("FOR"), *order.after("BY")), "duration")
    number = _first(order.after("ON"), "number")
    if what in ("yes", "no"):
        votes.cast(visit, number.count() if number else 0, what == "yes", source)
    elif what in votes.KINDS:
        votes.move(visit, what, span.count(0) if span else 0, source)
    else:
        visit.deny(source, "VOTE takes PAUSE, RESUME, EXTEND BY a time, OVER, or yes or no ON a number: VOTE yes ON 2.")


def _status(visit: Visit, order: Order, source: str) -> None:
    now, settings = visit.office.clock.now(), visit.playing.settings
    for alarm in visit.step.alarms(visit.match):
        if alarm.kind in RUNNING and (alarm.seat == visit.seat or visit.game_master or not settings.hides_late):
            due, left = both_stamps(alarm.due_at, visit.player.zone), length(alarm.due_at - now)
            late = " is late and has grace" if alarm.kind == "grace" else " has"
            visit.done.append(f"{alarm.seat}{late} until {due}, {left} from now.")
    phase = visit.playing.outcome.phase
    visit.done.append(
        f"{visit.match} is {visit.playing.row.status}; it stands at {phase.title if phase else 'its end'}."
    )
    visit.done += clock_sentences(settings)
    tell_record(visit)
    visit.done += resigned_sentences(visit)
    visit.done += treaties.treaty_sentences(visit.step, visit.match, visit.seat)
    visit.done += votes.motion_sentences(visit)
    if visit.seat and settings.bank_hours:
        bank = left_in_bank(visit.step, visit.playing, visit.seat)
        visit.done.append(f"Your time bank has {length(bank) if bank else 'nothing'} left.")


def _orders(visit: Visit, order: Order, source: str) -> None:
    drawers = drawers_of(visit.playing, visit.seat)
    visit.done.append("What you have on file follows." if drawers else "You have nothing on file.")


def _clear(visit: Visit, order: Order, source: str) -> None:
    mine = [f"orders:{q.key}" for q in debts(visit.playing, visit.seat) if q.wants_orders] + ["next"]
    have = [drawer for drawer in mine if (Seat(visit.seat), drawer) in visit.playing.outcome.drawers]
    visit.take([Filed(Seat(visit.seat), drawer, (), visit.letter.message_id) for drawer in have])
    for question in debts(visit.playing, visit.seat):
        stop_delay(visit.step, visit.playing, question.key)
    visit.done.append("Your orders are off the file." if have else "There were no orders on file to clear.")


def _wait(visit: Visit, order: Order, source: str) -> None:
    key = next((question.key for question in debts(visit.playing, visit.seat) if question.wants_orders), "")
    hold(visit.step, visit.playing, key, visit.seat)
    visit.done.append("Your turn waits until its deadline; NO WAIT lets it run.")


def _no_wait(visit: Visit, order: Order, source: str) -> None:
    release(visit.step, visit.playing, visit.seat)
    visit.filed = visit.filed or any(draft_of(visit.playing, q) for q in debts(visit.playing, visit.seat))
    visit.done.append("Your turn no longer waits.")


def _roll_out(visit: Visit, order: Order, source: str) -> None:
    seat = _named(order, "seat")
    if not seat:
        visit.roll_out = True
    elif visit.game_master:
        outcome = moderate.roll_out(visit.office, visit.step, visit.playing, visit.player.name, _reason(order), seat)
        _settle(visit, source, outcome)
    else:
        _settle(visit, source, moderate.roll_out_late(visit.office, visit.step, visit.playing, visit.seat, seat))


def _choose(visit: Visit, order: Order, source: str) -> None:
    mine = [question for question in debts(visit.playing, visit.seat) if not question.wants_orders]
    if visit.playing.row.status != "running":
        visit.deny(source, f"{visit.match} is {visit.playing.row.status}, so nothing is decided now.")
        return
    if not mine:
        visit.deny(source, "No question waits for your answer; ORDERS shows what you have on file.")
        return
    typed = ", ".join(thing.name for thing in order.things)
    number = _first(order.after("IN"), "number")
    place = number.count() - 1 if number else 0
    question = mine[place] if 0 <= place < len(mine) else mine[0]
    value = question.menu.read(typed)
    if value is None:
        visit.deny(
            source, f"{typed} is not on the menu; the choices are: {'; '.join(question.menu.words())}.", question.rule
        )
        return
    visit.take([visit.answers(question.key, question.menu.encode(value))])
    visit.done.append(f"Your answer {typed} is taken.")


def _resign(visit: Visit, order: Order, source: str) -> None:
    resign(visit, _reason(order), source)


def _extend(visit: Visit, order: Order, source: str) -> None:
    span = _first(order.things, "duration")
    wanted = timedelta(seconds=span.count(0)) if span else None
    _settle(visit, source, extend(visit.office, visit.step, visit.playing, visit.player, visit.seat, wanted))


def _absence(visit: Visit, order: Order, source: str) -> None:
    first, last = _clause(order, "FROM"), _clause(order, "TO")
    office, step, playing, player = visit.office, visit.step, visit.playing, visit.player
    if first or last:
        _settle(visit, source, absences.announce_absence(office, step, playing, player, visit.seat, first, last))
    else:
        visit.done += absences.list_absences(office, step, playing, player, visit.seat)


def _no_absence(visit: Visit, order: Order, source: str) -> None:
    number = _first(order.things, "number")
    which = number.count() if number else 0
    office, step, playing, player = visit.office, visit.step, visit.playing, visit.player
    _settle(visit, source, absences.cancel_absence(office, step, playing, player, visit.seat, which))


# ---------------------------------------------------------------- game masters


def _set_clock(name: str) -> Do:
    """CLOCK says which settings; DAYS, GRACE and HOLIDAYS are each one of them."""

    def do(visit: Visit, order: Order, source: str) -> None:
        written = ", ".join(thing.name for thing in order.things)
        if not written:
            visit.done += clock_sentences(visit.playing.settings)
            return
        outcome = set_clock(
            visit.office, visit.step, visit.playing, visit.player, _reason(order), f"{name} {written}".strip()
        )
        _settle(visit, source, outcome)

    return do


def _deadline(visit: Visit, order: Order, source: str) -> None:
    span = _first(order.things, "duration")
    when = _first(order.things, "moment")
    seat = _clause(order, "FOR")
    if span is None and when is None:
        visit.deny(source, "Say how much later or until when: DEADLINE +12h, or DEADLINE 2026-11-22 18:00.")
        return
    until = moment(when.name, visit.player.zone) if when else None
    if when and until is None:
        visit.deny(source, f"{when.name} is no moment I can read; write it as 2026-11-22 18:00.")
        return
    later = timedelta(seconds=span.count(0)) if span else None
    outcome = moderate.move_deadline(
        visit.office, visit.step, visit.playing, visit.player.name, _reason(order), seat, later, until
    )
    _settle(visit, source, outcome)


def _pause(visit: Visit, order: Order, source: str) -> None:
    span = _first(order.after("FOR"), "duration")
    length = timedelta(seconds=span.count(0)) if span else None
    _settle(
        visit,
        source,
        moderate.pause(visit.office, visit.step, visit.playing, visit.player.name, _reason(order), length),
    )


def _rewind(visit: Visit, order: Order, source: str) -> None:
    number = _first(order.after("TO TURN") or order.after("TO") or order.after("TURN"))
    if number is None:
        visit.deny(source, "Name the turn to go back to: REWIND TO TURN 4.")
        return
    outcome = rewind(visit.office, visit.step, visit.playing, visit.player.name, _reason(order), number.count())
    _settle(visit, source, outcome)


def _by_game_master(
    act: Callable[[Visit, Order], Deed | Denied],
) -> Do:
    def do(visit: Visit, order: Order, source: str) -> None:
        _settle(visit, source, act(visit, order))

    return do


def _start(visit: Visit, order: Order, source: str) -> None:
    visit.deny(
        source, f"{visit.match} has started already; it stands at {stamp(visit.office.clock.now(), visit.player.zone)}."
    )


def _turn_key(yes: bool) -> Do:
    """The second key; with the last one wanted the line is done as its game master wrote it."""

    def do(visit: Visit, order: Order, source: str) -> None:
        given = turn_key(visit, order, source, yes)
        if given is None:
            return
        line, number = given
        master = visit.step.player(number)
        member = next((m for m in visit.step.members(visit.match) if m.player == number and m.role == "gm"), None)
        if master is None or member is None:
            visit.deny(source, "Who proposed it is game master no longer, so it is not done.")
            return
        other = Visit(visit.office, visit.step, visit.playing, member, master, visit.letter, visit.unique, True)
        other.keyed = True
        row, seats = visit.playing.row.name, tuple(visit.playing.created.seats)
        words = desk_words(tuple(visit.office.games), (row,), seats, False, True)
        for sentence in read(line, None, words).desk:
            obey(other, sentence)
        visit.playing = other.playing
        visit.done += other.done
        visit.refused += other.refused

    return do


ACTS: Mapping[str, Do] = {
    "HELP": _help,
    "SEND": _send,
    "RULES": _rules,
    "VERIFY": _verify,
    "SET": _set,
    "STATUS": _status,
    "UNSUBSCRIBE": _unsubscribe,
    "ORDERS": _orders,
    "CLEAR": _clear,
    "WAIT": _wait,
    "NO WAIT": _no_wait,
    "ROLL OUT": _roll_out,
    "CHOOSE": _choose,
    "RESIGN": _resign,
    "PRESS": _block,
    "BROADCAST": _block,
    "DIARY": _block,
    "OFFER": _block,
    "ACCEPT": _numbered(treaties.accept),
    "DECLINE": _numbered(treaties.decline),
    "WITHDRAW LINE": _withdraw,
    "VOTE": _vote,
    "EXTEND": _extend,
    "ABSENCE": _absence,
    "NO ABSENCE": _no_absence,
    "CLOCK": _set_clock(""),
    "DAYS": _set_clock("days"),
    "GRACE": _set_clock("grace"),
    "HOLIDAYS": _set_clock("holidays"),
    "APPROVE ABSENCE": _by_game_master(
        lambda v, o: absences.approve(v.office, v.step, v.playing, v.player.name, _reason(o), _named(o, "seat"))
    ),
    "REFUSE ABSENCE": _by_game_master(
        lambda v, o: absences.refuse(v.office, v.step, v.playing, v.player.name, _reason(o), _named(o, "seat"))
    ),
    "START": _start,
    "DEADLINE": _deadline,
    "PAUSE": _pause,
    "REWIND": _rewind,
    "RESUME": _by_game_master(
        lambda v, o: moderate.resume_match(v.office, v.step, v.playing, v.player.name, _reason(o))
    ),
    "PROCESS": _by_game_master(
        lambda v, o: moderate.process(v.office, v.step, v.playing, v.player.name, _reason(o), _named(o))
    ),
    "EXCUSE": _by_game_master(
        lambda v, o: moderate.excuse(v.office, v.step, v.playing, v.player.name, _reason(o), _named(o, "seat"))
    ),
    "FORWARD": _by_game_master(lambda v, o: forward(v.office, v.step, v.playing, v.player.name, _reason(o))),
    "REPLACE": _by_game_master(
        lambda v, o: replace_player(
            v.office, v.step, v.playing, v.player.name, _reason(o), _named(o, "seat"), _clause(o, "BY")
        )
    ),
    "ANNOUNCE": _by_game_master(lambda v, o: moderate.announce(v.office, v.step, v.playing, v.player.name, _named(o))),
    "TERMINATE": _by_game_master(
        lambda v, o: moderate.terminate(v.office, v.step, v.playing, v.player.name, _reason(o))
    ),
    **MASTER_ACTS,
    "CONFIRM": _turn_key(yes=True),
    "OBJECT": _turn_key(yes=False),
}
