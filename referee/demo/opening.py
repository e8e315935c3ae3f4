"""Before the first turn: a match is created and joined by letter, and everybody reads who plays what."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.demo.client import Letter, MailClient
from referee.demo.running import ADDRESS, House
from referee.demo.show import Table, Unexpected, need

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
