"""Commands of a player about his order sheet: what is on file, when it runs, the answer to a question."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Order
from referee.core.page import Bullets, Heading, Page, Paragraph
from referee.core.record import Answered, Filed, Luck
from referee.service.house.filing import WITHDRAWN, text_of
from referee.service.intake.commands.command import By, Command, first, listed, named, number_in, word
from referee.service.match.clocks import hold, release, stop_delay
from referee.service.match.members import named_in
from referee.service.match.playing import alive_in
from referee.service.match.result import Came, Denial, Enclosed, Told, need
from referee.service.match.sheets import answered, debts, draft_of, drawers_of, on_file
from referee.service.turn import clock_overrides
from referee.service.turn.writer import Hand


def _orders(hand: Hand, order: Order) -> Came | Told:
    turn = first(order.after("TURN"))
    if turn is not None:
        return Came(enclosed=Enclosed(pages=(past_orders(hand, turn.count()),)))
    drawers = drawers_of(hand.playing, hand.seat)
    return ("Your orders on file follow." if drawers else "You have nothing on file.",)


def _clear(hand: Hand, order: Order) -> Told:
    mine = [f"orders:{q.key}" for q in debts(hand.playing, hand.seat) if q.wants_orders] + ["next"]
    have = [drawer for drawer in mine if (Seat(hand.seat), drawer) in hand.playing.outcome.drawers]
    hand.take([Filed(Seat(hand.seat), drawer, (), hand.message_id) for drawer in have])
    for question in debts(hand.playing, hand.seat):
        stop_delay(hand, question.key)
    return ("Your orders are off the file." if have else "There were no orders on file to clear.",)


def _withdraw(hand: Hand, order: Order) -> Came:
    """Take the line of this number, or that reads so, off the orders for this turn, or for the next where none are on file.

    An IF block counts as one line.
    """
    number = number_in(order.things) if len(order.things) == 1 else 0
    drawers = hand.playing.outcome.drawers
    now = [f"orders:{question.key}" for question in debts(hand.playing, hand.seat) if question.wants_orders]
    drawer = next((name for name in (*now, "next") if drawers.get((Seat(hand.seat), name))), "")
    sheet = drawers.get((Seat(hand.seat), drawer), ())
    need(sheet, "You have no orders on file, so there is no line to withdraw.")
    wanted = "" if number else " ".join(listed(order).casefold().split())
    found = [i for i, item in enumerate(sheet) if (i + 1 == number if number else text_of(item).casefold() == wanted)]
    if not found and wanted:
        found = [i for i, item in enumerate(sheet) if text_of(item).casefold().startswith(wanted)]
    if len(found) != 1:
        lines = "; ".join(f"{i + 1}: {text_of(item)}" for i, item in enumerate(sheet))
        what = "More than one line begins so" if found else "There is no such line"
        raise Denial(f"{what}; on file are {lines}. Write WITHDRAW LINE {(found or [0])[0] + 1}.")
    left = tuple(item for i, item in enumerate(sheet) if i != found[0])
    hand.take([Filed(Seat(hand.seat), drawer, left, hand.message_id)])
    gone = f"{WITHDRAWN}: {text_of(sheet[found[0]])}."
    if left:
        return Came((gone,), filed=True)
    for question in debts(hand.playing, hand.seat):
        stop_delay(hand, question.key)
    return Came((gone, "No orders are left on file."))


def _roll_out(hand: Hand, order: Order) -> Came | Told:
    seat = named(order, "seat")
    if not seat:
        return Came(rolls_out=True)
    return clock_overrides.roll_out(hand, seat) if hand.game_master else clock_overrides.roll_out_late(hand, seat)


def _of_another(hand: Hand, order: Order) -> bool:
    """A second key is asked for where it names another's seat."""
    return named(order, "seat") not in ("", hand.seat)


def _wait(hand: Hand, order: Order) -> Told:
    key = next((question.key for question in debts(hand.playing, hand.seat) if question.wants_orders), "")
    hold(hand, key, hand.seat)
    return ("Your turn waits until its deadline; NO WAIT lets it run.",)


def _no_wait(hand: Hand, order: Order) -> Came:
    release(hand, hand.seat)
    filed = any(draft_of(hand.playing, question) for question in debts(hand.playing, hand.seat))
    return Came(("Your turn no longer waits.",), filed=filed)


def _choose(hand: Hand, order: Order) -> Told:
    need(hand.status == "running", f"{hand.match} is {hand.status}, so nothing is decided now.")
    hand.take([answered(hand.playing, Seat(hand.seat), listed(order), number_in(order.after("IN")))])
    return (f"Your answer {listed(order)} is taken.",)


def _first_choice(hand: Hand) -> str | None:
    """The first answer to the last question that waits."""
    menus = [question.menu for question in debts(hand.playing, hand.seat) if not question.wants_orders]
    return f"CHOOSE {menus[-1].words()[0]}" if menus else None


_LONGEST_WORD = 40


def _luck(hand: Hand, order: Order) -> Told:
    """A word of the player's own goes into the log, and so into what is hashed for every die to come."""
    said = " ".join(listed(order).split())
    need(not hand.over, f"{hand.match} is over; no die of it is to come.")
    fits = 1 <= len(said) <= _LONGEST_WORD
    need(fits, f"Your word has {len(said)} characters and may have 1 to {_LONGEST_WORD}, on one line.")
    away = named_in(hand, [said])
    need(not away, "This match is anonymous, and everybody will read your word: it must name nobody.")
    hand.add([Luck(Seat(hand.seat), said)])
    return (f"Your word “{said}” stands in the log, and so goes into the key of every die still to come.",)


def past_orders(hand: Hand, turn: int) -> Page:
    """The writer's own sheets of a turn as they stood when it ran, with how each slot was closed."""
    sheets: dict[str, Filed] = {}
    closed: dict[str, Answered] = {}
    for entry in alive_in(hand, hand.playing.row, Filed, Answered):
        record = entry.record
        if isinstance(record, Filed) and record.seat == hand.seat and _is_of(record.drawer, turn):
            sheets[record.drawer.removeprefix("orders:")] = record
        elif isinstance(record, Answered) and record.seat == hand.seat and _is_of(f"orders:{record.key}", turn):
            closed[record.key] = record
    keys = dict.fromkeys((*sheets, *(key for key in closed if key.rpartition("/")[2].startswith("orders"))))
    blocks = tuple(block for key in keys for block in _sheet(key, sheets.get(key), closed.get(key)))
    said = (
        f"As they stand in the log of {hand.match}." if blocks else f"The log has no orders of yours for turn {turn}."
    )
    return Page(f"Your orders of turn {turn}", said, blocks)


def _is_of(drawer: str, turn: int) -> bool:
    return drawer.startswith((f"orders:T{turn}/", f"orders:T{turn} "))


def _sheet(key: str, filed: Filed | None, closed: Answered | None) -> tuple[Heading | Paragraph | Bullets, ...]:
    lines = tuple(f"{'  ' * line.depth}{line.text}" for line in on_file(filed.sheet)) if filed else ()
    how = f"Played by {closed.source.value}{', late' if closed.late_by else ''}." if closed else "Not played yet."
    return (Heading(key), Bullets(lines) if lines else Paragraph("Nothing was on file."), Paragraph(how))


COMMANDS = (
    Command(
        verb=word(
            "ORDERS", "shows your orders on file, or those of a turn that ran", "ORDERS TURN 3", "..0; TURN number"
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
            "1.. number words text",
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
            "..1 seat",
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
            "..1 seat; BECAUSE words text",
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
        verb=word("CHOOSE", "answers the question the referee asked you", "CHOOSE Gems", "1.. words; IN number"),
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
            "1.. words text",
        ),
        by=By.PLAYERS,
        here=_luck,
    ),
)
