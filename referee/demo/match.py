"""A match of any game by letter: opened, played by players who choose from what they are told is lawful, and proved."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from referee.core.game import AnyGame
from referee.demo.client import PATIENCE, Letter, MailClient
from referee.demo.service_process import ADDRESS, House
from referee.demo.table import Asked, Show, Table, Unexpected, asks, is_farewell, need, play_through, wait_for

# ---------------------------------------------------------------- before the first turn
# A match is created and joined by letter, and everybody reads who plays what.


_PLAYERS = ("Anna Berg", "Ben Ortiz", "Chiyo Tanaka", "Dan Hill")


def company(house: House, players: int) -> tuple[MailClient, tuple[MailClient, ...], MailClient]:
    """A game master, so many players and somebody who watches, each at his own mail program."""
    return (
        _client(house, "Gina Marsh"),
        tuple(_client(house, name) for name in _PLAYERS[:players]),
        _client(house, "Otto Lind"),
    )


def _client(house: House, name: str) -> MailClient:
    return house.client(name, f"{name.split()[0].lower()}@players.example")


def open_match(table: Table, create: str, game: str, wishes: Sequence[str]) -> None:
    """From CREATE to the first letters, with somebody who watches from the start."""
    gather(table, create, game, wishes)
    begin(table)
    watch(table)


def watch(table: Table) -> None:
    """The watcher asks to watch, by letter."""
    need(_enter(table.watcher, f"OBSERVE {table.match}"), "DONE", f"You watch {table.match}")


def _enter(person: MailClient, line: str) -> Letter:
    """Somebody writes to the referee's own address, says YES when he is asked whether he did, and reads his receipt."""
    sent = person.send(ADDRESS, "a match", line)
    asked = person.expect("the question whether he wrote", lambda letter: "was this you?" in letter.subject)
    need(asked, "reply YES", line.partition(" AS ")[0])
    person.reply(asked, "YES")
    return person.answer_to(sent, f"the receipt for {line.split()[0]}")


def gather(table: Table, create: str, game: str, wishes: Sequence[str]) -> None:
    """CREATE, JOIN by every player, START, all by letter. `wishes` are the seats wished for, a text for each player."""
    show, master = table.show, table.master
    show.scene("A match is opened by letter")
    show.wrote(master.name, create)
    opened = _enter(master, create)
    need(opened, "DONE", f"Match {table.match} of {game} is open", "SHA-256")
    show.got(master.name, opened, "", 16)
    for player, wish in zip(table.players, wishes, strict=True):
        need(_enter(player, f"JOIN {table.match} AS {wish}"), "DONE", f"You are in {table.match}")
    show.good(f"{len(table.players)} players joined by letter.")
    started = master.answer_to(master.reply(opened, f"START {table.match}"), "the receipt for START")
    need(started, "DONE", "has started")


def begin(table: Table, zones: Sequence[str] = ()) -> None:
    """Read the first letters: seats, the commitment to the dice; some players set their time zones."""
    for player in table.players:
        first = player.expect("the first letter", lambda letter: letter.heading.endswith(" begins"))
        player.mark_unread(first)
        seat = re.search(r"you play (\w+)", first.flat)
        if seat is None:
            raise Unexpected(f"The first letter to {player.name} does not say which seat is his.")
        table.seats[seat[1]] = player
        found = re.search(r"Fingerprint: ([0-9a-f]{64})", first.flat)
        if found is None:
            raise Unexpected("The first letter does not give the fingerprint of the dice secret.")
        table.commitment = found[1]
        if player is table.players[0]:
            table.show.got(player.name, first, "", 40)
    for player, zone in zip(table.players, zones, strict=False):
        answer = player.answer_to(player.reply(player.letters[-1], f"SET zone {zone}"), "the receipt for SET zone")
        need(answer, "DONE", f"Times are now given in {zone}")
        table.show.good(f"{player.name} plays {table.seat_of(player)} and reads times in {zone}.")


# ---------------------------------------------------------------- after the last turn
# The standings everybody was sent, and the proofs from the archive and from the database.


def final_standings(table: Table, farewell: Letter) -> None:
    """Everybody gets the farewell; its standings as a table, unless the game master ended the match before there were any."""
    for client in (*table.players, table.watcher):
        if not any(is_farewell(letter) for letter in client.letters):
            client.expect("the farewell", is_farewell)
    table.show.got(table.master.name, farewell, "", 40)
    if "the match is ended" in farewell.subject:
        return
    need(farewell, "Final standings", "The secret of the dice")
    rows = [
        (found[1], found[2], table.seats[found[2]].name, found[3])
        for found in re.finditer(r"^\s*(\d+)  (\w+)\s+(\d+)", farewell.text, re.MULTILINE)
        if found[2] in table.seats
    ]
    if len(rows) != len(table.seats):
        raise Unexpected("The farewell does not give every seat its place.")
    table.show.standings("Final standings", ("place", "seat", "player", table.counts), rows)


def prove(table: Table, farewell: Letter) -> Path:
    """Check the match from the archive alone and from the database; the archive's first page. Raises Unexpected."""
    show, house = table.show, table.house
    show.scene("The proof")
    secret = re.search(r"(?:Secret:|secret is) ([0-9a-f]{64})", farewell.flat)
    if secret is None or hashlib.sha256(bytes.fromhex(secret[1])).hexdigest() != table.commitment:
        raise Unexpected("The secret in the farewell is not the one whose fingerprint stood in the first letter.")
    show.good("The secret in the last letter has the fingerprint that stood in the first.")
    archive = _published(house.folder / "archive" / table.match)
    with tempfile.TemporaryDirectory() as elsewhere:
        copied, before = Path(elsewhere) / table.match, b""
        while before != (before := (archive / "match.json").read_bytes()):  # it may be laid anew while it is copied
            shutil.copytree(archive, copied, dirs_exist_ok=True)
        _run(
            table,
            "verify",
            str(copied),
            where=Path(elsewhere),
            shown="referee verify, with nothing but the archive folder",
        )
    shown = "referee replay, from the database"
    _run(table, "replay", table.match, "--config", str(house.config), where=house.folder, shown=shown)
    return archive / "index.html"


def _published(archive: Path) -> Path:
    """The archive once it shows the end of the match."""
    until = time.monotonic() + PATIENCE
    while json.loads((archive / "match.json").read_text("utf-8"))["status"] != "over":
        if time.monotonic() > until:
            raise Unexpected(f"The archive {archive} does not show the end of the match.")
        time.sleep(0.02)
    return archive


def _run(table: Table, *words: str, where: Path, shown: str) -> None:
    code, said = table.house.run(*words, cwd=where)
    if code != 0:
        raise Unexpected(f"{shown}: {said}")
    table.show.good(f"{shown}: {said}")


# ---------------------------------------------------------------- the demo of any game
# Players who know nothing of it choose, by letter, from what SEND choices AS json tells them.


MOST_TURNS = 20
"""So many reports, and the game master ends the match."""

_MATCH = "m1"
_ORDERS = 4
"""So many orders a sheet at most."""


@dataclass
class _StrangersTable(Table):
    """Players who know of the game what its choices say; `chance` is what they choose by."""

    phases: ClassVar[str] = r"(?!the end|the match)[^:]+(?:: [^:]+)?"

    chance: random.Random = field(default_factory=lambda: random.Random(1))

    def asked(self) -> Asked | None:
        """Wait for the letter that asks somebody for something; None when the farewell comes instead. Raises NoLetter."""
        if len(self.reports(self.master)) >= MOST_TURNS:
            _end(self)
            return None
        return wait_for(self, self._read)

    def _read(self, client: MailClient, letter: Letter) -> Asked | None:
        return Asked(client, self.seat_of(client), letter, "", 0) if asks(letter) else None


def play_match(house: House, show: Show, game: AnyGame) -> tuple[Table, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    usual = {setting.name: setting.default for setting in game.settings}
    names = game.seat_names(usual)
    players = next(number for number in range(1, len(names) + 1) if game.refuse_options(usual, number) is None)
    table = _StrangersTable(house, show, _MATCH, "points", *company(house, players))
    open_match(table, f"CREATE {game.name} AS {_MATCH}", game.title, names[:players])
    return table, play_through(table, table.asked, _choose)


def _choose(table: _StrangersTable, now: Asked) -> None:
    """Ask what may be ordered, and order some of it; a question is answered as proposed."""
    choices = _choices(now)
    if choices["questions"]:
        now.reply("\n".join(line for line in now.form if not line.startswith("#")), "the receipt for an answer")
        return
    lines = [line for order in choices["orders"] if not order.get("at_once") for line in order["lines"]]
    some = table.chance.sample(lines, min(len(lines), table.chance.randint(0, _ORDERS)))
    receipt = now.reply("\n".join((*some, "ROLL OUT")), "the receipt for orders")
    if "Your slot is ended" not in receipt.flat:
        now.roll_out()


def _choices(now: Asked) -> dict[str, Any]:
    """The orders and answers that are possible now, from the file that comes. Raises NoLetter, Unexpected."""
    receipt = now.reply("SEND choices AS json", "the choices")
    file = next((data for name, data in receipt.files.items() if name.endswith(".json")), None)
    if file is None:
        raise Unexpected(f"The letter “{receipt.subject}” should bring the choices and does not.")
    found: dict[str, Any] = json.loads(file)
    return found


def _end(table: Table) -> None:
    """The game master has seen enough."""
    master = table.master
    asked = master.answer_to(master.reply(table.reports(master)[-1], "TERMINATE"), "the question whether he means it")
    need(asked, "TERMINATE", "Reply with YES")
    master.reply(asked, "YES")
    master.expect("the farewell", is_farewell)
