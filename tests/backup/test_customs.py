"""The file of a moved match is a stranger's: whatever somebody wrote into it, it reaches nothing but that match."""

from __future__ import annotations

import copy
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import MetaData, select

from referee.core.page import Drawing
from referee.service.base.ports import Alarm, Report
from referee.service.intake.matches_in import NotTaken
from referee.service.intake.matches_out import Carried
from tests.backup.houses import CLUB, Two
from tests.service.conftest import ANNA, GINA, OTTO, PLAYERS
from tests.world import World

Json = Any
Rows = dict[str, set[str]]


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory, databases: Path) -> Iterator[Two]:
    """A match that was played, talked in and rewound is on its way, and with it all that can be."""
    made = Two(tmp_path_factory.mktemp("customs"), databases)
    old = made.old
    for _ in range(2):
        old.reply(old.on_turn(), "RESEARCH any\nROLL OUT")
    who = old.on_turn()
    other = next(player for player in PLAYERS if player != who)
    old.reply(who, "STANDING\nRESEARCH any\nEND\nSET format text\nSET digest 18:00\nSET reminders 3")
    old.reply(other, f"PRESS TO {old.seat(who)}\nGood morning.\nEND")
    old.reply(who, "DIARY\nNobody is to know.\nEND\nABSENCE FROM 2026-11-22 TO 2026-11-24\nRESEARCH any")
    old.reply(other, "VOTE PAUSE FOR 2 days")
    old.reply(GINA, 'REWIND TO TURN 2 BECAUSE "misread"')
    old.reply(old.on_turn(), "RESEARCH any\nROLL OUT")
    assert made.leaves()
    old.new_mail()
    yield made
    made.close()


@pytest.fixture
def two(sent: Two, tmp_path: Path) -> Iterator[Two]:
    """The house that it comes to is as it was before, whatever another test had it do."""
    with put_back(sent, tmp_path):
        yield sent


@contextmanager
def put_back(two: Two, folder: Path) -> Iterator[None]:
    """The database of the new house is afterwards as it is now."""
    there = str(two.new.store.engine.url.database)
    _copy(there, folder / "kept.sqlite")
    yield
    _copy(folder / "kept.sqlite", there)


def _copy(source: Path | str, target: Path | str) -> None:
    with closing(sqlite3.connect(source)) as whence, closing(sqlite3.connect(target)) as where:
        whence.backup(where)


def rows_of(house: World) -> Rows:
    """Every row of a house's database, as text, by its table."""
    meta = MetaData()
    meta.reflect(house.store.engine)
    with house.store.engine.connect() as db:
        return {
            name: {repr(dict(row)) for row in db.execute(select(table)).mappings()}
            for name, table in meta.tables.items()
        }


def changed(two: Two, **fields: Any) -> Carried:
    return msgspec.structs.replace(two.carried[0], **fields)


def refused(two: Two, carried: Carried) -> str:
    """It is not taken in, and nothing is changed by it; the sentence."""
    before = rows_of(two.new)
    with pytest.raises(NotTaken) as why:
        two.arrives(carried)
    assert rows_of(two.new) == before
    return str(why.value)


def of_other(row: Any) -> Any:
    return msgspec.structs.replace(row, match="other")


@pytest.mark.parametrize("rows", ["members", "reports", "entries"])
def test_a_row_of_another_match_is_refused(two: Two, rows: str) -> None:
    """It made its sender the game master of another match, moved its deadlines or wrote into its reports."""
    (first, *others) = getattr(two.carried[0], rows)
    said = refused(two, changed(two, **{rows: (of_other(first), *others)}))
    assert "of the match 'other'" in said or rows == "entries", said


def test_an_alarm_of_another_match_or_of_a_slot_is_refused(two: Two) -> None:
    two.new.write(GINA, "START other", to=CLUB)
    due = two.carried[0].at
    assert "of the match 'other'" in refused(two, changed(two, alarms=(Alarm("other", "deadline", "x", due),)))
    assert "none of a paused match" in refused(two, changed(two, alarms=(Alarm("nw1", "deadline", "x", due),)))


def test_a_person_is_known_by_one_address_and_no_key(two: Two) -> None:
    """With two, a newcomer and her forger were one person, who may say YES for her."""
    person = next(p for p in two.carried[0].people if p.player.addresses == (ANNA,))
    both = msgspec.structs.replace(person.player, addresses=("newcomer@players.example", "forger@players.example"))
    others = tuple(p for p in two.carried[0].people if p is not person)
    two.arrives(changed(two, people=(msgspec.structs.replace(person, player=both), *others)))
    with two.new.store.look() as step:
        new = step.player_at("newcomer@players.example")
        assert new is not None and new.addresses == ("newcomer@players.example",)
        assert step.player_at("forger@players.example") is None


@pytest.mark.parametrize("name", ["../nw1", "a/b", "-", "nw1\n", "NW1", "con.txt", "a" * 30, "sent to"])
def test_the_name_of_a_match_is_one_that_a_match_can_have(two: Two, name: str) -> None:
    row = msgspec.structs.replace(two.carried[0].row, name=name)
    assert "no name of a match" in refused(two, changed(two, row=row))


@pytest.mark.parametrize(
    "notes",
    [
        {"unknown": {"": "1"}},
        {"house rules": {"": "no JSON"}},
        {"house rules": {"": "[" * 100_000}},
        {"house rules": {"elsewhere": "{}"}},
        {"moved": {"": "{}"}},
        {"paused": {"": '[{"kind":"deadline","key":"k","seat":"nobody","seconds":1}]'}},
        {"press": {"../seat": "[]"}},
        {"news": {"other": "[]"}},
    ],
)
def test_a_note_that_is_none_is_refused_in_a_sentence(two: Two, notes: dict[str, dict[str, str]]) -> None:
    assert "nothing of it was taken" in refused(two, changed(two, notes=two.carried[0].notes | notes))


def test_a_map_that_nothing_proves_is_not_taken_and_a_forged_one_is_refused(two: Two) -> None:
    """A drawing goes into pages and letters of the house as it is."""
    forged = msgspec.json.encode(Drawing("<svg onload='alert(1)'/>", "a map"))
    reports = sorted(
        (r for r in two.carried[0].reports if not r.reader), key=lambda report: (report.turn, report.epoch)
    )
    rewound, latest = next((a, b) for a, b in pairwise(reports) if a.turn == b.turn)

    def with_map(report: Report) -> Carried:
        others = tuple(each for each in two.carried[0].reports if each is not report)
        return changed(two, reports=(*others, msgspec.structs.replace(report, chart=forged)))

    assert "is not what the rules give" in refused(two, with_map(latest))
    two.arrives(with_map(rewound))
    with two.new.store.look() as step:
        assert len(step.reports("nw1")) == len(two.carried[0].reports)
        assert forged not in [report.chart for report in step.reports("nw1")]


# ---------------------------------------------------------------- whatever is changed

_STRINGS = (
    "other",
    "../x",
    "",
    "gm",
    "observer",
    "left",
    "player",
    GINA,
    OTTO,
    "x\x00y",
    "Spain",
    "9",
    "[]",
    "{}",
    "\x1b[2J",
)
_NUMBERS = (0, -1, 1, 2, 7, 10**9, 10**15, 10**30, 0.5, -2.5, 1e300)


def places(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in a document something can be changed."""
    if path:
        yield path
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(each, (*path, key))


def mutated(chance: Random, document: Json) -> Json:
    """The document with one to three changes, each in a part of it that is drawn first, so that short ones have their share."""
    document = copy.deepcopy(document)
    for _ in range(chance.choice((1, 1, 2, 3))):
        part = chance.choice([key for key in document if key != "form"])
        found = list(places(document[part], (part,))) or [(part,)]
        path = chance.choice(found)
        holder = document
        for key in path[:-1]:
            holder = holder[key]
        _change(chance, holder, path[-1], document)
    return document


def _change(chance: Random, holder: Json, key: Any, document: Json) -> None:
    old = holder[key]
    kind = chance.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(old))
    elif kind == 2 and isinstance(holder, dict):
        holder[chance.choice(_STRINGS)] = holder.pop(key)
    elif isinstance(old, str) and old[:1] in ("{", "[") and kind != 3:
        inner = {"": msgspec.json.decode(old)}
        spot = chance.choice(list(places(inner)))
        there: Json = inner
        for each in spot[:-1]:
            there = there[each]
        if len(spot) > 1:
            _change(chance, there, spot[-1], document)
        holder[key] = msgspec.json.encode(inner.get("")).decode()
    elif isinstance(old, bool):
        holder[key] = not old
    elif isinstance(old, int | float):
        holder[key] = chance.choice((*_NUMBERS, old + 1))
    elif isinstance(old, str):
        alike = [each for each in _leaves(document) if isinstance(each, str) and each != old and len(each) < 80]
        holder[key] = chance.choice(_STRINGS) if chance.random() < 0.5 else chance.choice(alike)
    else:
        holder[key] = chance.choice((None, [], {}, 1, "other"))


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)
    else:
        yield value


_HOUSE_NOTES = (
    "commanded",
    "daily letters",
    "unlisted",
    "wishes",
    "reminders",
    "dummy player",
    "token secret",
    "heartbeat",
    "kept due",
)


def reaches_nothing_else(before: Rows, after: Rows) -> None:
    """What a match brought is its own, and people who were not known; nobody else's row is another now."""
    for table, rows in after.items():
        for row in rows ^ before[table]:
            value = eval(row, {"datetime": __import__("datetime")})  # our own repr
            if table in ("player", "address"):
                assert row not in before[table], row
            elif table == "match":
                assert value["name"] == "nw1", row
            elif table == "note":
                assert value["match"] == "nw1" or (value["match"] == "" and value["name"] in _HOUSE_NOTES), row
            elif table == "letter_out_raw":
                assert row not in before[table], row
            else:
                assert value["match"] == "nw1", row


@pytest.mark.parametrize(
    "seeds", [range(24), *(pytest.param(range(n, n + 250), marks=pytest.mark.slow) for n in range(100, 2100, 250))]
)
def test_a_file_changed_at_random_is_refused_or_reaches_that_match_alone(
    two: Two, tmp_path: Path, seeds: range, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever was taken goes on: nobody stumbles later over what was let in."""
    document = msgspec.json.decode(msgspec.json.encode(two.carried[0]))
    before, refusals, taken = rows_of(two.new), 0, 0
    caplog.set_level(logging.WARNING)
    for seed in seeds:
        file = msgspec.json.encode(mutated(Random(seed), document))
        with put_back(two, tmp_path):
            try:
                two.arrives(msgspec.json.decode(file, type=Carried))
            except (NotTaken, msgspec.DecodeError) as why:
                assert str(why).isprintable(), (seed, why)
                assert rows_of(two.new) == before, (seed, why)
                refusals += 1
            else:
                reaches_nothing_else(before, rows_of(two.new))
                for _ in range(3):
                    two.new.wait(hours=30)
                taken += 1
            assert [record.getMessage() for record in caplog.records] == [], seed
    assert refusals and taken
