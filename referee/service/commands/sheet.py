"""Commands of a player about his order sheet: what is on file, when it runs, the answer to a question."""

from __future__ import annotations

import msgspec

from referee.core.names import Seat
from referee.core.order import Order
from referee.core.question import Source
from referee.core.record import Answered, Filed, Luck
from referee.service.clock.delay import hold, release, stop_delay
from referee.service.commands.command import REASON, By, Command, first, listed, named, number_in, reason, word
from referee.service.match.anonymity import named_in
from referee.service.match.drafts import draft_of
from referee.service.match.playing import Playing, play_on
from referee.service.match.result import Denied
from referee.service.outgoing.frames import debts, drawers_of
from referee.service.overrides import moderate
from referee.service.sheets.past_orders import past_orders
from referee.service.sheets.visit import Visit
from referee.service.sheets.withdrawing import withdraw


def _orders(visit: Visit, order: Order, source: str) -> None:
    turn = first(order.after("TURN"))
    if turn is not None:
        visit.pages.append(past_orders(visit, turn.count()))
        return
    drawers = drawers_of(visit.playing, visit.seat)
    visit.done.append("What you have on file follows." if drawers else "You have nothing on file.")


def _clear(visit: Visit, order: Order, source: str) -> None:
    if visit.afresh and visit.filed:
        visit.done.append("What was on file before is off it; the orders of this letter stand.")
        return
    mine = [f"orders:{q.key}" for q in debts(visit.playing, visit.seat) if q.wants_orders] + ["next"]
    have = [drawer for drawer in mine if (Seat(visit.seat), drawer) in visit.playing.outcome.drawers]
    visit.take([Filed(Seat(visit.seat), drawer, (), visit.message_id) for drawer in have])
    for question in debts(visit.playing, visit.seat):
        stop_delay(visit.step, visit.playing, question.key)
    visit.done.append("Your orders are off the file." if have else "There were no orders on file to clear.")


def _withdraw(visit: Visit, order: Order, source: str) -> None:
    bare = len(order.things) == 1 and number_in(order.things)
    withdraw(visit, bare or 0, "" if bare else listed(order), source)


def _roll_out(visit: Visit, order: Order, source: str) -> None:
    seat = named(order, "seat")
    if not seat:
        visit.roll_out = True
    elif visit.game_master:
        by = visit.player.name
        visit.settle(source, moderate.roll_out(visit.office, visit.step, visit.playing, by, reason(order), seat))
    else:
        visit.settle(source, moderate.roll_out_late(visit.office, visit.step, visit.playing, visit.seat, seat))


def _of_another(visit: Visit, order: Order) -> bool:
    """A second key is asked for where it names another's seat."""
    return named(order, "seat") not in ("", visit.seat)


def _wait(visit: Visit, order: Order, source: str) -> None:
    key = next((question.key for question in debts(visit.playing, visit.seat) if question.wants_orders), "")
    hold(visit.step, visit.playing, key, visit.seat)
    visit.done.append("Your turn waits until its deadline; NO WAIT lets it run.")


def _no_wait(visit: Visit, order: Order, source: str) -> None:
    release(visit.step, visit.playing, visit.seat)
    visit.filed = visit.filed or any(draft_of(visit.playing, q) for q in debts(visit.playing, visit.seat))
    visit.done.append("Your turn no longer waits.")


def _choose(visit: Visit, order: Order, source: str) -> None:
    if visit.playing.row.status != "running":
        visit.deny(source, f"{visit.match} is {visit.playing.row.status}, so nothing is decided now.")
        return
    answer = answered(visit.playing, Seat(visit.seat), order)
    if isinstance(answer, Denied):
        visit.deny(source, answer.sentence, answer.rule)
        return
    visit.take([answer])
    visit.done.append(f"Your answer {listed(order)} is taken.")


def answered(playing: Playing, seat: Seat, order: Order) -> Answered | Denied:
    """The answer that CHOOSE gives: to the question whose number it names, else to the first that waits."""
    mine = [question for question in debts(playing, seat) if not question.wants_orders]
    if not mine:
        return Denied("No question waits for your answer; ORDERS shows what you have on file.")
    typed, place = listed(order), number_in(order.after("IN")) - 1
    question = mine[place] if 0 <= place < len(mine) else mine[0]
    value = question.menu.read(typed)
    if value is None:
        choices = "; ".join(question.menu.words())
        return Denied(f"{typed} is not on the menu; the choices are: {choices}.", question.rule)
    return Answered(question.key, seat, msgspec.Raw(question.menu.encode(value)), Source.PLAYER)


def _first_choice(visit: Visit) -> str | None:
    """The first answer to the last question that waits."""
    menus = [question.menu for question in debts(visit.playing, visit.seat) if not question.wants_orders]
    return f"CHOOSE {menus[-1].words()[0]}" if menus else None


_LONGEST_WORD = 40


def _luck(visit: Visit, order: Order, source: str) -> None:
    """A word of the player's own goes into the log, and so into what is hashed for every die to come."""
    said = " ".join(listed(order).split())
    if visit.playing.outcome.over or visit.playing.row.status == "over":
        visit.deny(source, f"{visit.match} is over; no die of it is to come.")
        return
    if not 1 <= len(said) <= _LONGEST_WORD:
        visit.deny(source, f"Your word has {len(said)} characters and may have 1 to {_LONGEST_WORD}, on one line.")
        return
    if named_in(visit.step, visit.playing, [said]):
        visit.deny(source, "This match is anonymous, and everybody will read your word: it must name nobody.")
        return
    visit.playing = play_on(visit.office, visit.step, visit.playing, [Luck(Seat(visit.seat), said)], visit.cause)
    visit.done.append(f"Your word “{said}” stands in the log, and so goes into the key of every die still to come.")


COMMANDS = (
    Command(
        verb=word(
            "ORDERS",
            "prints what you have on file, or had when a turn ran",
            "ORDERS TURN 3",
            most=0,
            prepositions={"TURN": ("number",)},
        ),
        by=By.PLAYERS,
        here=_orders,
    ),
    Command(verb=word("CLEAR", "takes your orders for this turn off the file", "CLEAR"), by=By.PLAYERS, here=_clear),
    Command(
        verb=word(
            "WITHDRAW LINE",
            "takes one line off your orders on file, by its number or its words; CLEAR takes all",
            "WITHDRAW LINE 2",
            ("number", "words", "text"),
            1,
            aliases=("WITHDRAW", "STRIKE"),
        ),
        by=By.PLAYERS,
        here=_withdraw,
    ),
    Command(
        verb=word(
            "ROLL OUT",
            "ends your slot at once with the orders on file; with a seat, the slot of a player who is late, where slots wait "
            "on call",
            "ROLL OUT",
            ("seat",),
            most=1,
            aliases=("ROLLOUT",),
        ),
        by=By.PLAYERS,
        here=_roll_out,
    ),
    Command(
        verb=word(
            "ROLL OUT",
            "plays a late player's turn at once from what is on file",
            "ROLL OUT France",
            ("seat",),
            most=1,
            prepositions={"BECAUSE": REASON},
            aliases=("ROLLOUT",),
        ),
        by=By.MASTERS,
        here=_roll_out,
        key=_of_another,
    ),
    Command(verb=word("WAIT", "keeps your turn from running before the deadline", "WAIT"), by=By.PLAYERS, here=_wait),
    Command(
        verb=word("NO WAIT", "lets your turn run after the change-of-mind delay", "NO WAIT", aliases=("NOWAIT",)),
        by=By.PLAYERS,
        here=_no_wait,
    ),
    Command(
        verb=word(
            "CHOOSE",
            "answers the question the referee asked you",
            "CHOOSE Gems",
            ("words",),
            1,
            None,
            {"IN": ("number",)},
        ),
        by=By.PLAYERS,
        here=_choose,
        example=_first_choice,
    ),
    Command(
        verb=word(
            "LUCK",
            "puts a word of yours, of 1 to 40 characters, into the log, and so into the key of every die still to come, which "
            "nobody can know before",
            "LUCK four-leaf clover",
            ("words", "text"),
            1,
        ),
        by=By.PLAYERS,
        here=_luck,
    ),
)
