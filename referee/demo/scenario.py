"""The whole demo: a match of New World by letter from CREATE to the farewell, then the proofs."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
import time
from pathlib import Path

from referee.demo.acts import ACTS, Act, ordinary
from referee.demo.client import PATIENCE, Letter
from referee.demo.orders import by_the_form, colonist, soldier, trader
from referee.demo.running import ADDRESS, House
from referee.demo.show import Show
from referee.demo.table import MATCH, OnTurn, Table, Unexpected, is_farewell, need

__all__ = ["MOST_TURNS", "begin", "commitment_in", "final_standings", "gather", "people", "play_match", "prove"]

MOST_TURNS = 80
"""Four players, and round 20 is the last."""

_ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo")


def people(house: House, show: Show) -> Table:
    """Four players, a game master and somebody who watches, each at his own mail program."""
    names = {"Anna Berg": by_the_form, "Ben Ortiz": trader, "Chiyo Tanaka": colonist, "Dan Hill": soldier}
    players = {name: house.client(name, f"{name.split()[0].lower()}@players.example") for name in names}
    manners = {players[name].address: manner for name, manner in names.items()}
    master = house.client("Gina Marsh", "gina@players.example")
    watcher = house.client("Otto Lind", "otto@players.example")
    return Table(house, show, master, tuple(players.values()), watcher, manners, players["Chiyo Tanaka"])


def play_match(table: Table) -> Letter:
    """From CREATE to the end; the farewell as the game master got it."""
    gather(table)
    begin(table)
    left = list(ACTS)
    while (now := table.on_turn()) is not None:
        _play_turn(table, now, left)
    table.show.turn(table.next_turn, table.report_of(table.watcher, table.next_turn - 1).subject)
    if left:
        names = ", ".join(act.perform.__name__ for act in left)
        raise Unexpected(f"The match ended on turn {table.next_turn - 1}, before these could be shown: {names}.")
    return next(letter for letter in table.master.letters if is_farewell(letter))


def _play_turn(table: Table, now: OnTurn, left: list[Act]) -> None:
    table.next_turn = now.number + 1
    table.show.turn(now.number, _last_turn_in_a_line(now))
    act = next((act for act in left if act.earliest <= now.number and act.fits(table, now)), None)
    if act is not None:
        left.remove(act)
    (act.perform if act else ordinary)(table, now)


def _last_turn_in_a_line(now: OnTurn) -> str:
    return now.letter.subject


# ---------------------------------------------------------------- before the first turn


def gather(table: Table) -> None:
    """CREATE, JOIN four times, START, all by letter."""
    show, master = table.show, table.master
    show.scene("A match is opened by letter")
    body = f"CREATE newworld AS {MATCH} WITH last_round 20"
    show.wrote(master.name, body)
    opened = master.answer_to(master.send(ADDRESS, "a new match", body), "the receipt for CREATE")
    need(opened, "DONE", f"Match {MATCH} of New World is open", "SHA-256")
    show.got(master.name, opened, "", 16)
    for player, wish in zip(table.players, ("England, France", "Holland", "Spain", "Portugal"), strict=True):
        sent = player.send(ADDRESS, "me too", f"JOIN {MATCH} AS {wish}")
        need(player.answer_to(sent, "the receipt for JOIN"), "DONE", f"You are in {MATCH}")
    show.good("Four players joined by letter.")
    need(master.answer_to(master.reply(opened, f"START {MATCH}"), "the receipt for START"), "DONE", "has started")


def begin(table: Table) -> None:
    """Read the first letters: seats, the commitment to the dice; three players set their time zones."""
    for player in table.players:
        first = player.expect("the first letter", lambda letter: "the match begins" in letter.subject)
        player.mark_unread(first)
        seat = re.search(r"you play (\w+)", first.flat)
        if seat is None:
            raise Unexpected(f"The first letter to {player.name} does not say which seat is his.")
        table.seats[seat[1]] = player
        table.commitment = commitment_in(first)
        if player is table.players[0]:
            table.show.got(player.name, first, "", 40)
    for player, zone in zip(table.players, _ZONES, strict=False):
        answer = player.answer_to(player.reply(player.letters[-1], f"SET zone {zone}"), "the receipt for SET zone")
        need(answer, "DONE", f"Times are now given in {zone}")
        table.show.good(f"{player.name} plays {table.seat_of(player)} and reads times in {zone}.")


def commitment_in(letter: Letter) -> str:
    """The fingerprint of the dice secret that the first letter gives."""
    found = re.search(r"Fingerprint: ([0-9a-f]{64})", letter.flat)
    if found is None:
        raise Unexpected("The first letter does not give the fingerprint of the dice secret.")
    return found[1]


# ---------------------------------------------------------------- after the last turn


def final_standings(table: Table, farewell: Letter) -> None:
    """Everybody gets the farewell; its standings as a table."""
    for client in (*table.players, table.watcher):
        if not any(is_farewell(letter) for letter in client.letters):
            client.expect("the farewell", is_farewell)
    need(farewell, "Final standings", "The secret of the dice")
    table.show.got(table.master.name, farewell, "", 40)
    rows = [
        (found[1], found[2], table.seats[found[2]].name, found[3])
        for found in re.finditer(r"^\s*(\d+)  (\w+)\s+(\d+)", farewell.text, re.MULTILINE)
        if found[2] in table.seats
    ]
    if len(rows) != len(table.seats):
        raise Unexpected("The farewell does not give every seat its place.")
    table.show.standings("Final standings", ("place", "country", "player", "culture"), rows)


def prove(table: Table, farewell: Letter) -> Path:
    """Check the match from the archive alone and from the database; the archive's first page. Raises Unexpected."""
    show, house = table.show, table.house
    show.scene("The proof")
    secret = re.search(r"Secret: ([0-9a-f]{64})", farewell.flat)
    if secret is None or hashlib.sha256(bytes.fromhex(secret[1])).hexdigest() != table.commitment:
        raise Unexpected("The secret in the farewell is not the one whose fingerprint stood in the first letter.")
    show.good("The secret in the last letter has the fingerprint that stood in the first.")
    archive = _published(house.folder / "archive" / MATCH)
    with tempfile.TemporaryDirectory() as elsewhere:
        copied = shutil.copytree(archive, Path(elsewhere) / MATCH)
        _run(table, "verify", str(copied), where=Path(elsewhere), shown="referee verify, with nothing but the archive folder")
    _run(table, "replay", MATCH, "--config", str(house.config), where=house.folder, shown="referee replay, from the database")
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
