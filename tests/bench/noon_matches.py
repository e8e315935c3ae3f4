"""Many matches of all four games, each some turns on: a few are played, the rest are copies of their rows.

A copy has a name, players and addresses of its own, and a log that is chained anew. Dice hang on the name and the chain, so
only a match is copied whose phase has thrown none yet. Letters that went out and the tokens in them are not copied.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import msgspec
from msgspec.structs import replace as replaced
from sqlalchemy import Connection, Engine, insert, select, update

from referee.adapters.store.tables import metadata
from referee.core.names import Seat
from referee.core.record import Entry, seal
from referee.service.base.office import Office
from referee.service.base.ports import Player
from referee.service.intake.deadlines import scan
from referee.service.intake.inbox import handle_new
from referee.service.match.playing import load
from tests.bench.house import Blank, begin, put, writers
from tests.bench.sheets import letter
from tests.standins import FakeClock

_PLAYERS = {"newworld": 4, "war27": 4, "war17": 4, "empire": 2}
_PLAYED = 16
_LEAST = 2
_ON = timedelta(hours=25)
_AT_ONCE = 2_000

_Row = dict[str, Any]


def many(office: Office, count: int) -> None:
    """That many matches m0, m1, ..., of all games by turns; those that are played are two to five deadlines on, but for Empire."""
    played = min(count, _PLAYED)
    _played(office, played)
    with engine_of(office).begin() as db:
        _copy(db, played, count)


def engine_of(office: Office) -> Engine:
    """What the office's database is reached by."""
    return office.store.engine


def game_of(number: int) -> str:
    """The game of match m`number`."""
    return list(_PLAYERS)[number % len(_PLAYERS)]


def _played(office: Office, count: int) -> None:
    clock = office.clock
    assert isinstance(clock, FakeClock)
    calm = replaced(office.clock_defaults, reminder_hours=())
    blank = replace(office, renderer=Blank(), clock_defaults=calm)
    of_empire = [number for number in range(count) if game_of(number) == "empire"]
    for number in reversed([number for number in range(count) if number not in of_empire]):
        _begin(blank, number)
        if number % len(_PLAYERS) == 0:  # who began before this is a deadline further on
            _pass_deadlines(blank, clock, 1 if number else _LEAST)
    for number in of_empire:
        _begin(blank, number)
        _place_capitals(blank, f"m{number}")


def _begin(office: Office, number: int) -> None:
    with office.step() as at:
        master = at.step.save_player(Player(0, "Gina", (f"gina.m{number}@players.example",)))
        begin(at, master, f"m{number}", _PLAYERS[game_of(number)], game_of(number))


def _pass_deadlines(office: Office, clock: FakeClock, times: int) -> None:
    for _ in range(times):
        clock.advance(_ON)
        while scan(office):
            pass


def _place_capitals(office: Office, match: str) -> None:
    """In Empire nobody plays for who writes nothing: capitals are placed, and orders lie there for the deadline."""
    place = ["PLACE CAPITAL c5r5, c21r13", "ROLL OUT"]
    for number in range(3):
        writer = writers(office, match)[0]
        lines = place if number < 2 else [*_proposed(office, match, writer.seat), "WAIT"]
        put(office, f"{match}:{number}", writer, letter(writer, number, lines))
        handle_new(office)


def _proposed(office: Office, match: str, seat: str) -> list[str]:
    """The orders that the form proposes."""
    with office.look() as at:
        row = at.step.match(match)
        assert row is not None  # begun before
        playing = load(at, row)
    form = playing.game.order_form(playing.outcome.state, Seat(seat))
    return [line for line in form if not line.startswith("#") and line != "ROLL OUT"]


def due_at_once(office: Office, db: Connection) -> int:
    """Have every deadline fall due now; how many they are."""
    alarm = metadata.tables["alarm"]
    falls = alarm.c.kind == "deadline"
    return db.execute(update(alarm).where(falls).values(due_at=office.clock.now())).rowcount


def _copy(db: Connection, played: int, count: int) -> None:
    copies = _Copies({name: [dict(row) for row in db.execute(_SELECT[name]).mappings()] for name in _COPIED})
    for name in _COPIED:
        made = copies.all(name, played, count)
        while some := list(itertools.islice(made, _AT_ONCE)):
            db.execute(insert(metadata.tables[name]), some)
    if db.dialect.name == "postgresql":
        for name in ("player", "member"):
            db.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))")


_COPIED = ("player", "address", "match", "member", "entry", "alarm", "report", "note")
_ENTRY = metadata.tables["entry"].c
_SELECT = {name: select(metadata.tables[name]) for name in _COPIED}
_SELECT["entry"] = _SELECT["entry"].order_by(_ENTRY.match, _ENTRY.seq)


class _Copies:
    """How the rows of one match become those of another."""

    def __init__(self, rows: Mapping[str, list[_Row]]) -> None:
        self._rows = rows
        self._match_of = {row["player"]: row["match"] for row in rows["member"]}
        self._secrets: dict[str, bytes] = {row["name"]: row["secret"] for row in rows["match"]}
        self._heads: dict[tuple[str, int], str] = {}
        self._more = {name: max(row["id"] for row in rows[name]) for name in ("player", "member")}

    def all(self, table: str, played: int, count: int) -> Iterator[_Row]:
        """The rows of all copies."""
        of_match: dict[str, list[_Row]] = {}
        for row in self._rows[table]:
            of_match.setdefault(self._whose(table, row), []).append(row)
        for number in range(played, count):
            last: Entry | None = None
            for row in of_match.get(f"m{number % played}", ()):
                copy = self._copy(table, row, number // played, number)
                if table == "entry":
                    last = seal(self._secrets[row["match"]], copy["match"], last, *(copy[each] for each in _SEALED))
                    copy |= msgspec.structs.asdict(last)
                    self._heads[last.match, last.seq] = last.hash
                elif table == "report":
                    copy["head"] = self._heads[copy["match"], copy["seq"]]
                yield copy

    def _whose(self, table: str, row: _Row) -> str:
        of_person = {"player": "id", "address": "player"}
        if table in of_person:
            return str(self._match_of.get(row[of_person[table]], ""))  # the house's own dummy is of no match
        return str(row["name" if table == "match" else "match"])

    def _copy(self, table: str, row: _Row, round: int, number: int) -> _Row:
        """The row for match m`number`, which is the `round`th copy of its own."""
        more = {name: count * round for name, count in self._more.items()}
        changed: _Row = {"name" if table == "match" else "match": f"m{number}"} if table not in _OF_PERSONS else {}
        if table in more:
            changed["id"] = row["id"] + more[table]
        if "player" in row:
            changed["player"] = row["player"] + more["player"]
        if table == "address":
            changed |= {name: f"{round}.{row[name]}" for name in ("address", "written")}
        who, _, seat = row.get("seat", "").partition(" ")
        if table == "note" and who.isdecimal():
            changed["seat"] = f"{int(who) + more['player']} {seat}"
        return {**row, **changed}


_SEALED = ("at", "kind", "payload", "cause")
_OF_PERSONS = ("player", "address")
