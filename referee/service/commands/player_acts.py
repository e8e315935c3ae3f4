"""What the words for players do: their sheets, their time, their votes and treaties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from referee.core.names import Seat
from referee.core.order import Order
from referee.core.record import Filed
from referee.service.clock.clock_words import clock_sentences
from referee.service.clock.clocks import RUNNING
from referee.service.clock.delay import hold, release, stop_delay
from referee.service.commands.master_acts import tell_record
from referee.service.commands.resigning import resign, resigned_sentences
from referee.service.match.anonymity import gives_away, hides_names
from referee.service.match.drafts import draft_of
from referee.service.outgoing.frames import debts, drawers_of
from referee.service.overrides import absences, moderate
from referee.service.overrides.timebank import extend, left_in_bank
from referee.service.press import treaties, votes
from referee.service.sheets.acting import Do, first, named, reason, settle
from referee.service.sheets.past_orders import past_orders
from referee.service.sheets.visit import Visit
from referee.service.sheets.withdrawing import withdraw
from referee.service.times import both_stamps, length


def _block(visit: Visit, order: Order, source: str) -> None:
    """A heading that could not be read as one."""
    to = " TO and then whom it is for" if order.verb in ("PRESS", "OFFER") else " alone"
    visit.deny(
        source, f"Write {order.verb}{to} on a line by itself, then your text, then a line END; nothing was sent."
    )


def _numbered(act: Callable[[Visit, int, str], None]) -> Do:
    def do(visit: Visit, order: Order, source: str) -> None:
        number = first(order.things, "number")
        act(visit, number.count() if number else 0, source)

    return do


def _withdraw(visit: Visit, order: Order, source: str) -> None:
    number = first(order.things, "number")
    words = ", ".join(thing.name for thing in order.things)
    bare = number is not None and len(order.things) == 1
    withdraw(visit, number.count() if number and bare else 0, "" if bare else words, source)


def _vote(visit: Visit, order: Order, source: str) -> None:
    what = named(order).casefold()
    span = first((*order.after("FOR"), *order.after("BY")), "duration")
    number = first(order.after("ON"), "number")
    if what in ("yes", "no"):
        votes.cast(visit, number.count() if number else 0, what == "yes", source)
    elif what in votes.KINDS:
        votes.move(visit, what, span.count(0) if span else 0, source)
    else:
        visit.deny(source, "VOTE takes PAUSE, RESUME, EXTEND BY a time, OVER, or yes or no ON a number: VOTE yes ON 2.")


def _suspend(visit: Visit, order: Order, source: str) -> None:
    span = first(order.after("FOR"), "duration")
    votes.move(visit, "pause", span.count(0) if span else 0, source)


def _petition(visit: Visit, order: Order, source: str) -> None:
    kind, _, text = " ".join(thing.name for thing in order.after("FOR")).partition(" ")
    text = text.strip().strip('"').strip()
    away = gives_away(text, visit.player) if hides_names(visit.playing) else ""
    if kind.casefold() not in votes.PETITIONS or not text:
        lines = " or ".join(f'PETITION FOR {kind} "..."' for kind in votes.PETITIONS)
        visit.deny(source, f"Say what is asked for: {lines}.")
    elif away:
        visit.deny(source, f"This match is anonymous, and everybody would read {away}; leave that out.")
    else:
        votes.move(visit, kind.casefold(), 0, source, text)


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
    turn = first(order.after("TURN"))
    if turn is not None:
        visit.pages.append(past_orders(visit, turn.count()))
        return
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
    seat = named(order, "seat")
    if not seat:
        visit.roll_out = True
    elif visit.game_master:
        outcome = moderate.roll_out(visit.office, visit.step, visit.playing, visit.player.name, reason(order), seat)
        settle(visit, source, outcome)
    else:
        settle(visit, source, moderate.roll_out_late(visit.office, visit.step, visit.playing, visit.seat, seat))


def _choose(visit: Visit, order: Order, source: str) -> None:
    mine = [question for question in debts(visit.playing, visit.seat) if not question.wants_orders]
    if visit.playing.row.status != "running":
        visit.deny(source, f"{visit.match} is {visit.playing.row.status}, so nothing is decided now.")
        return
    if not mine:
        visit.deny(source, "No question waits for your answer; ORDERS shows what you have on file.")
        return
    typed = ", ".join(thing.name for thing in order.things)
    number = first(order.after("IN"), "number")
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
    resign(visit, reason(order), source)


def _extend(visit: Visit, order: Order, source: str) -> None:
    span = first(order.things, "duration")
    wanted = timedelta(seconds=span.count(0)) if span else None
    settle(visit, source, extend(visit.office, visit.step, visit.playing, visit.player, visit.seat, wanted))


def _absence(visit: Visit, order: Order, source: str) -> None:
    first, last = order.words_after("FROM"), order.words_after("TO")
    office, step, playing, player = visit.office, visit.step, visit.playing, visit.player
    if first or last:
        settle(visit, source, absences.announce_absence(office, step, playing, player, visit.seat, first, last))
    else:
        visit.done += absences.list_absences(office, step, playing, player, visit.seat)


def _no_absence(visit: Visit, order: Order, source: str) -> None:
    number = first(order.things, "number")
    which = number.count() if number else 0
    office, step, playing, player = visit.office, visit.step, visit.playing, visit.player
    settle(visit, source, absences.cancel_absence(office, step, playing, player, visit.seat, which))


PLAYER_ACTS: Mapping[str, Do] = {
    "STATUS": _status,
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
    "SUSPEND": _suspend,
    "PETITION": _petition,
    "EXTEND": _extend,
    "ABSENCE": _absence,
    "NO ABSENCE": _no_absence,
}
"""By their words."""
