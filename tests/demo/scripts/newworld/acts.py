"""The unusual turns of the demo of New World, one function each. Each ends with the turn under way, every letter checked."""

from __future__ import annotations

from collections.abc import Callable

from referee.demo.match import watch
from referee.demo.table import Act, Asked, need
from tests.demo.scripts.newworld.orders import trader
from tests.demo.scripts.newworld.table import NewWorldTable
from tests.demo.scripts.scenes import corrected_by_yes, reminded


def ordinary(table: NewWorldTable, now: Asked) -> None:
    """Orders, a while after the report came, that end the slot at once."""
    table.pass_time(hours=1 + now.turn % 3)
    body = table.orders(now)
    receipt = now.reply(f"{body}\nROLL OUT", "the receipt for orders", quoting=now.turn % 2 == 0)
    need(receipt, "Your slot is ended")
    if "ACCEPT" in body:  # told in the first of two receipts where the ROLL OUT is asked about
        table.show.good(f"{now.seat} accepts the offer found in the order sheet.")


def typing_errors(table: NewWorldTable, now: Asked) -> None:
    """Slips of the thumb, corrected by a reply that says only YES; then the change-of-mind delay runs out."""
    player = now.client
    table.show.scene(f"{player.name} types in a hurry")
    body = f"RESERCH any\nHIRE 1 wroker\nCOLONISE any\n\n-- \n{player.name}, on the train"
    signs, right = ("INCOMPLETE", "RESERCH", "^^^^^^^", "HIRE 1 worker"), ("RESEARCH any", "HIRE 1 worker")
    corrected = corrected_by_yes(table, now, body, signs, right)
    need(corrected, "ROLL OUT runs it at once")
    table.show.got(player.name, corrected, "COMPLETE", 24)
    table.pass_time(minutes=31)
    table.show.good("The slips were corrected by YES; half an hour later the turn runs by itself.")


def offer(table: NewWorldTable, now: Asked) -> None:
    """A trade is offered to the player who takes whatever is offered, in his own turn."""
    other = next(seat for seat, player in table.seats.items() if table.manners[player.address] is trader)
    body = f"OFFER 1 food TO {other} FOR 1 gold\n{table.orders(now)}\nROLL OUT"
    receipt = now.reply(body, "the receipt for an offer")
    need(
        receipt, "Your slot is ended"
    )  # a ROLL OUT that is asked about is answered twice; the offer stands in the first
    table.show.good(f"{now.seat} offers {other} 1 food for 1 gold.")


def change_of_mind(table: NewWorldTable, now: Asked) -> None:
    """A second letter replaces the first within the change-of-mind delay."""
    player = now.client
    first = now.reply("RESEARCH any", "the receipt for the first orders")
    need(first, "COMPLETE", "unless you write again")
    table.pass_time(minutes=20)
    second = player.answer_to(player.reply(first, table.orders(now)), "the receipt for the second orders")
    need(second, "Your turn runs at", "COLONIZE")
    table.pass_time(minutes=31)
    table.show.good(f"{player.name} wrote again twenty minutes later; the second letter counts.")


def sheets_ahead(table: NewWorldTable, now: Asked) -> None:
    """Orders for the day she is late, and standing orders."""
    player = now.client
    table.show.scene(f"{player.name} thinks ahead")
    late = "IF LATE\n  HIRE 1 worker\n  IF workers >= 2\n    COLONIZE any\n  END\nEND"
    body = f"{table.orders(now)}\n\n{late}\n\nSTANDING\n  LOSE fleets, armies\nEND\n\nROLL OUT"
    table.show.wrote(player.name, body)
    receipt = now.reply(body, "the receipt for orders filed ahead")
    need(receipt, "Your slot is ended", "Your orders if you are late", "Your standing orders", "IF workers >= 2")
    table.show.got(player.name, receipt, "On file", 30)


def silence(table: NewWorldTable, now: Asked) -> None:
    """Nothing comes: two reminders, then the deadline; what she filed for this is played."""
    show, player = table.show, now.client
    reminded(table, now, "IF LATE orders are played")
    table.pass_time(hours=2)
    report = table.report_of(player, now.phase)
    need(report, f"{now.seat}, the whole turn: played by late instruction after the deadline")
    show.got(player.name, report, "Decided without a letter", 12)
    show.good(f"{player.name} was rolled out at the deadline with the orders she had filed for that case.")


def longer_deadline(table: NewWorldTable, now: Asked) -> None:
    """The game master gives the player on turn twelve hours more."""
    show, master = table.show, table.master
    show.scene(f"{master.name}, the game master, extends a deadline")
    latest = table.report_of(master, f"Turn {now.turn - 1}")
    body = f'DEADLINE +12h FOR {now.seat} BECAUSE "{now.client.name} is travelling"'
    show.wrote(master.name, body)
    receipt = master.answer_to(master.reply(latest, body), "the receipt for DEADLINE")
    need(receipt, "DONE", f"{now.seat} now has until")
    notice = now.client.expect("the notice of the new deadline", lambda letter: "deadline was moved" in letter.subject)
    need(notice, f"{now.client.name} is travelling", "Your deadline")
    show.got(now.client.name, notice, "", 20)
    table.pass_time(hours=30)
    ordinary(table, now)
    show.good("Thirty hours later the orders were still in time.")


def old_letter(table: NewWorldTable, now: Asked) -> None:
    """A reply to a letter of a turn that is closed is refused with the reason; nothing of it is done."""
    player = now.client
    old = next(letter for letter in player.letters if table.is_report(letter, "Turn 1"))
    refusal = player.answer_to(player.reply(old, "HIRE 1 worker\nROLL OUT"), "the refusal of a reply to an old letter")
    need(refusal, "which is closed, so nothing was taken")
    table.show.good(f"{player.name} replied to a letter of turn 1 and was told that this turn is closed.")
    ordinary(table, now)


def observer(table: NewWorldTable, now: Asked) -> None:
    """Somebody asks to watch; he gets every public report from now on."""
    watch(table)
    ordinary(table, now)
    table.report_of(table.watcher, now.phase)
    table.show.good(f"{table.watcher.name} watches the match: the first public report came.")


def old_report(table: NewWorldTable, now: Asked) -> None:
    """The observer asks for the report of a turn before he came."""
    show, watcher = table.show, table.watcher
    show.scene(f"{watcher.name}, who watches, asks for an old report")
    ordinary(table, now)
    latest = table.report_of(watcher, now.phase)
    answer = watcher.answer_to(watcher.reply(latest, "SEND report TURN 1"), "the old report")
    need(answer, "DONE", "Turn 1:")
    show.wrote(watcher.name, "SEND report TURN 1")
    show.got(watcher.name, answer, "Turn 1:", 24)


def rewind(table: NewWorldTable, now: Asked) -> None:
    """The game master takes the match back by one turn; everybody is told, and it goes on from there."""
    show, master, back = table.show, table.master, now.turn - 1
    show.scene(f"{master.name} rewinds a turn")
    latest = table.report_of(master, f"Turn {now.turn - 1}")
    for client in table.players:
        client.read_all()
    body = f'REWIND TO TURN {back} BECAUSE "an order was misread"'
    show.wrote(master.name, body)
    written = master.reply(latest, body)
    question = master.answer_to(written, "the question whether REWIND is the master's own")
    need(question, "Please confirm your letter", f"REWIND TO TURN {back}")
    show.got(master.name, question, "", 20)
    master.reply(question, "YES")
    show.wrote(master.name, "YES")
    receipt = master.answer_to(written, "the receipt for REWIND")
    need(receipt, "DONE", f"went back to the beginning of turn {back}")
    table.next_turn = back
    notice = table.watcher.expect("the notice of the rewind", lambda letter: "rewound to turn" in letter.subject)
    need(notice, "an order was misread", master.name)
    show.got(table.watcher.name, notice, "", 20)


def _act(
    earliest: int,
    perform: Callable[[NewWorldTable, Asked], None],
    fits: Callable[[NewWorldTable, Asked], bool] = lambda table, now: True,
) -> Act[NewWorldTable, Asked]:
    """From which turn on it may come, what happens, and who may be on turn."""
    return Act(perform, lambda table, now: now.turn >= earliest and fits(table, now))


def _sleeper(table: NewWorldTable, now: Asked) -> bool:
    return now.client is table.sleeper


def _awake(table: NewWorldTable, now: Asked) -> bool:
    return not _sleeper(table, now)


def _no_trader(table: NewWorldTable, now: Asked) -> bool:
    return table.manners[now.client.address] is not trader


ACTS = (
    _act(1, typing_errors),
    _act(2, offer, _no_trader),
    _act(2, sheets_ahead, _sleeper),
    _act(3, observer, _awake),
    _act(4, change_of_mind, _awake),
    _act(5, silence, _sleeper),
    _act(5, longer_deadline, _awake),
    _act(7, old_letter, _awake),
    _act(9, old_report, _awake),
    _act(11, rewind),
)
"""What happens on the way: at each turn the first of those left that fits, and `silence` only after `sheets_ahead`."""
