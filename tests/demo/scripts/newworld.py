"""The demo of New World: a match of four players by letter, from CREATE to the farewell. Orders, table, acts, match."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from referee.demo.client import Letter, MailClient
from referee.demo.match import begin, company, gather, watch
from referee.demo.service_process import House
from referee.demo.table import Act, Asked, Show, Table, asks, need, play_through, wait_for
from tests.demo.scripts.scenes import corrected_by_yes, reminded

Manner = Callable[[tuple[str, ...], int], str]
"""A player's way: from the lines of the order sheet and the turn's number to the text of a letter."""


def by_the_form(form: tuple[str, ...], turn: int) -> str:
    """Sends the sheet back as it came, and hires all he can."""
    return "\n".join(re.sub(r"^HIRE 1 worker\b.*", "HIRE all workers", line) for line in form)


def colonist(form: tuple[str, ...], turn: int) -> str:
    """Ships and settlers first; keeps something to eat."""
    return "RESEARCH Exploration, Transportation, any KEEPING 2 gold\nHIRE all workers KEEPING 2 food\nCOLONIZE any"


def trader(form: tuple[str, ...], turn: int) -> str:
    """Takes every offer, and buys cloth, which workers are hired with."""
    accepts = [line.removeprefix("# ") for line in form if line.startswith("# ACCEPT ")]
    return "\n".join(
        (*accepts, "RESEARCH Finance, any KEEPING 12 gold", "BUY up to 2 cloth", "HIRE all workers", "COLONIZE any")
    )


def soldier(form: tuple[str, ...], turn: int) -> str:
    """Raises an army now and then and takes colonies that nobody defends; leaves Europe in peace."""
    lines = ["RESEARCH Infantry, any KEEPING 5 gold", "HIRE all workers KEEPING 2 food", "COLONIZE any"]
    lines += ["RAISE 1 army"] if turn % 3 == 0 else []
    lines += ["MOVE 1 army FROM Europe TO Canada"] if turn == 7 else []
    attacks = [line.removeprefix("# ") for line in form if line.startswith("# ATTACK ") and " IN Europe" not in line]
    return "\n".join((*lines, *attacks[:1]))


MANNERS: tuple[Manner, ...] = (by_the_form, trader, colonist, soldier)
"""One for each player at the table."""


# ---------------------------------------------------------------- the table


_OWES = re.compile(r"(?:You owe|Your) orders for (Turn (\d+)): (\w+) \(round \d+\)(?:\.| are on file)")


@dataclass
class NewWorldTable(Table):
    """Everybody with his manner of playing, who will fall silent, and how far the match is."""

    phases: ClassVar[str] = r"Turn \d+: \w+ \(round \d+\)"

    manners: Mapping[str, Manner]
    sleeper: MailClient
    next_turn: int = 1

    def asked(self) -> Asked | None:
        """Wait for the letter that puts somebody on turn; None when the farewell comes instead. Raises NoLetter."""
        now = wait_for(self, self._read)
        if now is not None:
            self.next_turn = now.turn + 1
        return now

    def _read(self, client: MailClient, letter: Letter) -> Asked | None:
        found = _OWES.search(letter.flat) if asks(letter) else None
        if found is None or int(found[2]) != self.next_turn:
            return None
        return Asked(client, found[3], letter, found[1], int(found[2]))

    def orders(self, now: Asked) -> str:
        """What the player on turn writes when nothing special is going on."""
        return self.manners[now.client.address](now.form, now.turn)


# ---------------------------------------------------------------- acts


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
    orders = table.orders(now)
    second = player.answer_to(player.reply(first, orders), "the receipt for the second orders")
    last = [line for line in orders.splitlines() if line and not line.startswith("#")][-1]
    need(second, "Your turn runs at", last.partition(" ")[0])
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


# ---------------------------------------------------------------- the match


MOST_TURNS = 80
"""Four players, and round 20 is the last."""

_WISHES = ("England, France", "Holland", "Spain", "Portugal")
_ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo")


_MANNERS = (by_the_form, trader, colonist, soldier)
_SLEEPER = 2
"""How the players play, and which of them will fall silent."""


def play_match(house: House, show: Show) -> tuple[NewWorldTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    master, players, watcher = company(house, len(_WISHES))
    manners = {player.address: manner for player, manner in zip(players, _MANNERS, strict=True)}
    table = NewWorldTable(house, show, "nw1", "culture", master, players, watcher, manners, players[_SLEEPER])
    gather(table, f"CREATE newworld AS {table.match} WITH last_round 20", "New World", _WISHES)
    begin(table, _ZONES)
    return table, play_through(table, table.asked, ordinary, ACTS)
