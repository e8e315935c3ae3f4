"""Somebody is forgotten: nothing that is his alone is left in any table, his matches stay sound, nobody is forgotten by mistake."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from referee.adapters.outgoing.postman import mailbox
from referee.adapters.store.tables import metadata
from referee.games import GAMES
from referee.service.base import notes
from referee.service.base.office import At
from referee.service.base.ports import Player
from referee.service.house.archive import archive_of
from referee.service.house.forgetting import forget, known_of, takes_part_in
from referee.service.house.verification import verify_archive
from referee.service.intake.counter import replay_at_the_counter
from tests.commands import app
from tests.house.sources import ROOT
from tests.service.conftest import ANNA, BEN, GINA, begin
from tests.world import World, asks_for_yes

ZOE = "zoe.quux@far.example"
NAME = "Zoe Quux"
KNOWN = {game.name: game for game in GAMES}
OURS = ("zoe", "quux", "far.example", "secret thoughts", "between us", "open-sesame")


@pytest.fixture
def played(world: World) -> World:
    """Zoe has played in nw1 with all that somebody can leave behind, and it is over."""
    world.write(GINA, "CREATE newworld AS nw1")
    world.vouched(ZOE, f"SET name {NAME}")
    for player in (ZOE, BEN):
        world.vouched(player, "JOIN nw1")
    world.reply(GINA, "START nw1", kind="receipt")
    other = world.seat(BEN)
    world.reply(ZOE, "SET zone Europe/Berlin\nSET reminders 3h\nSET format text")
    world.vouched(ZOE, "SET key open-sesame-42")
    world.reply(ZOE, "DIARY\nMy secret thoughts.\nEND")
    world.reply(ZOE, f"PRESS TO {other}\nThis is between us.\nEND")
    world.reply(ZOE, "BROADCAST\nThis is for all of you.\nEND")
    world.reply(BEN, "DIARY\nBen's own.\nEND")
    world.vouched(GINA, f"DENY {ZOE}")
    world.reply(world.on_turn(), "ROLL OUT")
    world.vouched(GINA, 'TERMINATE nw1 BECAUSE "it is seen enough"')
    assert world.status("nw1") == "over"
    return world


def person(world: World, address: str = ZOE) -> Player:
    with world.store.look() as step:
        found = step.player_at(address)
    assert found is not None
    return found


def forgotten(world: World, address: str = ZOE) -> None:
    player = person(world, address)
    with world.store.step() as step:
        forget(At(world.office, step), player)


def found_in(world: World) -> set[str]:
    """The columns in which any word of hers stands, the words of others' letters and the log apart."""
    others = {
        "letter_body.raw": "SELECT raw FROM letter_body JOIN letter_in ON body = letter_body.digest "
        f"WHERE sender NOT IN ('{GINA}', '{BEN}')",
        "letter_out_raw.raw": "SELECT raw FROM letter_out_raw JOIN letter_out ON id = letter WHERE recipient = ''",
        "letter_out_raw.said": "SELECT said FROM letter_out_raw JOIN letter_out ON id = letter WHERE recipient = ''",
        "letter_out_raw.source": "SELECT source FROM letter_out_raw JOIN letter_out ON id = letter WHERE recipient = ''",
    }
    found = set[str]()
    with world.store.engine.connect() as db:
        for table in metadata.sorted_tables:
            for column in table.c:
                name = f"{table.name}.{column.name}"
                query = others.get(name, f'SELECT "{column.name}" FROM "{table.name}"')
                values = [bytes(v) if isinstance(v, bytes) else str(v).encode() for (v,) in db.execute(text(query))]
                if any(word.encode() in value.lower() for value in values for word in OURS):
                    found.add(name)
    return found


def test_everything_that_is_kept_is_listed_first(played: World) -> None:
    with played.store.look() as step:
        kept = {each.what: each.count for each in known_of(step, person(played))}
    assert kept["addresses"] == 1 and kept["diary, and press to single players"] == 2
    assert kept["letters that came from him"] >= 8 and kept["letters to him"] >= 10
    assert kept["wishes, key, absences and the like"] >= 4 and kept["matches he took part in"] == 1
    with played.store.look() as step:
        assert known_of(step, Player(0, "", ("nobody@nowhere.example",))) == ()


def test_nothing_that_is_his_is_left_in_any_column_but_the_log(played: World) -> None:
    before = found_in(played)
    assert {"address.address", "player.name", "letter_in.sender", "letter_out.recipient", "note.value"} <= before
    forgotten(played)
    assert found_in(played) == {"entry.payload", "entry.cause"} & before
    with played.store.look() as step:
        assert step.player_at(ZOE) is None
        assert not any(words.text.startswith("My secret") for words in notes.DIARY.every(step, "nw1").get("", ()))


def test_what_others_wrote_and_what_all_could_read_stays(played: World) -> None:
    forgotten(played)
    with played.store.look() as step:
        press = [w for texts in notes.PRESS.every(step, "nw1").values() for w in texts]
        diaries = [w for texts in notes.DIARY.every(step, "nw1").values() for w in texts]
        assert [w.text for w in press] == ["This is for all of you."]
        assert [w.text for w in diaries] == ["Ben's own."]
        assert len(step.letters_to(BEN)) > 5 and all(
            letter.raw or letter.said for id in step.letters_to(BEN) if (letter := step.posted(id))
        )


def test_logs_stay_sound_and_pages_name_the_seat_alone(played: World) -> None:
    def files() -> dict[str, bytes]:
        with played.store.look() as step:
            row = step.match("nw1")
            assert row is not None
            made, index, *_ = archive_of(At(played.office, step), row)
        return {**made, "index.html": index}

    before = files()
    assert NAME.encode() in before["index.html"] and b"secret thoughts" in before["diaries.html"]
    seat = played.seat(ZOE)
    forgotten(played)
    after = files()
    named = {name for name, data in after.items() if NAME.encode() in data and name != "log.jsonl"}
    assert named == set() and seat.encode() in after["index.html"]
    assert b"secret thoughts" not in after["diaries.html"] and b"Ben&#39;s own" in after["diaries.html"]
    found = verify_archive(KNOWN, *(after[name] for name in ("match.json", "log.jsonl", "reports.jsonl")))
    assert (found.sound, found.trouble) == (True, "")
    again = replay_at_the_counter(played.office, "nw1")
    assert again is not None and again.sound


def test_a_rematch_and_late_letters_go_on_without_him(played: World) -> None:
    forgotten(played)
    answers = played.reply(BEN, "REMATCH")
    assert answers and not any("quux" in mail.to for mail in answers)
    played.wait(days=40)
    assert not any(mail.kind == "digest" for mail in played.all_mail() if "quux" in mail.flat)


def test_who_comes_again_is_somebody_new(played: World) -> None:
    number = person(played).id
    forgotten(played)
    played.vouched(ZOE, "GAMES\nOBSERVE nw1")
    played.vouched(ZOE, "CREATE newworld AS nw2")
    assert person(played).id != number and person(played).name == "zoe.quux"


def test_who_takes_part_in_what_goes_on_must_leave_first(world: World) -> None:
    begin(world)
    with world.store.look() as step:
        assert takes_part_in(step, person(world, BEN)) == ("nw1",) == takes_part_in(step, person(world, GINA))


def test_a_player_who_was_replaced_is_forgotten_while_the_match_goes_on(world: World) -> None:
    begin(world)
    seat = world.seat(BEN)
    world.vouched(GINA, f"REPLACE {seat} BY {ZOE}")
    with world.store.look() as step:
        assert takes_part_in(step, person(world, BEN)) == ()
    forgotten(world, BEN)
    for _ in range(3):
        world.reply(world.on_turn(), "ROLL OUT")
    assert not any(mail.to == BEN for mail in world.new_mail())
    assert world.status("nw1") == "running"


# ---------------------------------------------------------------- by letter


def test_a_player_is_told_what_is_kept_of_him(world: World) -> None:
    begin(world)
    answer = world.reply(BEN, "SEND data")[-1]
    assert "Your data here" in answer.flat and BEN in answer.flat and "letters to him" in answer.flat
    assert "SET name" not in answer.flat and "FORGET me asks the keeper" in answer.flat


def test_forget_me_tells_the_keeper_and_does_nothing_else(world: World) -> None:
    begin(world)
    assert "Nobody is named here" in world.reply(BEN, "FORGET me")[-1].flat
    world.office = replace(world.office, keeper="keeper@club.example")
    mails = world.reply(BEN, "FORGET me")
    (told,) = [mail for mail in mails if mail.to == "keeper@club.example"]
    assert f"{BEN}, wishes to be forgotten" in told.flat and f"referee forget {BEN}" in told.flat
    assert "must have left before" in told.flat
    assert "Leave nw1 before that" in next(mail for mail in mails if mail.to == BEN).flat
    assert person(world, BEN).name
    forged = world.write(BEN, "FORGET me")
    assert not any(mail.to == "keeper@club.example" for mail in forged), "a forged letter is asked about first"


@pytest.mark.parametrize("sender", [BEN, "eve@evil.example"])
def test_forget_me_by_a_reply_address_waits_for_a_yes(world: World, sender: str) -> None:
    begin(world)
    world.office = replace(world.office, keeper="keeper@club.example")
    (question,) = world.write(sender, "FORGET me", world.last(BEN).reply_to)
    assert question.to == BEN and asks_for_yes(question)
    assert {mail.to for mail in world.write(BEN, "YES", question.reply_to)} == {BEN, "keeper@club.example"}


@pytest.mark.parametrize("line", ["For France and the king!", "For", "FOR me", "Forget", "Forgive me", "FORGE me"])
def test_nobody_asks_to_be_forgotten_by_mistake(world: World, line: str) -> None:
    begin(world)
    world.office = replace(world.office, keeper="keeper@club.example")
    mails = world.reply(BEN, line)
    assert all(mail.to == BEN for mail in mails) and not any("FORGET ME" in mail.flat for mail in mails)
    assert "The keeper of this service is told" in world.reply(BEN, "forget me")[-1].flat


def test_to_forget_another_is_answered_by_what_forget_me_does(world: World) -> None:
    line, told = (
        f"FORGET {ANNA}",
        "Write FORGET ME alone: it tells the keeper of this service that you wish to be forgotten",
    )
    assert told in world.write("mallory@evil.example", line, subject="hi")[-1].flat
    begin(world)
    assert told in world.reply(BEN, line)[-1].flat


# ---------------------------------------------------------------- at the machine


class Machine:
    """The command line over the database of a world."""

    def __init__(self, world: World, folder: Path) -> None:
        self.folder = folder
        (folder / "config.toml").write_text(
            f'[referee]\naddress = "referee@games.example"\n[database]\nurl = "{world.store.engine.url}"\n'
            '[archive]\nfolder = "www"\n'
        )

    def __call__(self, *words: str) -> Any:
        return CliRunner().invoke(app, [*words, "--config", str(self.folder / "config.toml")], env={"COLUMNS": "300"})


def test_the_command_says_what_it_would_do_and_does_it_when_told(played: World, tmp_path: Path) -> None:
    machine = Machine(played, tmp_path)
    number = person(played).id
    assert machine("archive", "nw1").exit_code == 0
    pages = tmp_path / "www"
    assert NAME in (pages / "nw1" / "index.html").read_text() and (pages / "p" / f"{number}.html").exists()
    box = mailbox(tmp_path / "var" / "mail", ZOE)
    box.mkdir(parents=True)

    tried = machine("forget", ZOE)
    assert (
        tried.exit_code == 0
        and "Nothing was changed" in tried.output
        and "letters to him" in tried.output
        and "would be" in tried.output
    )
    assert person(played).name == NAME
    done = machine("forget", ZOE, "--yes", "--json")
    assert done.exit_code == 0 and json.loads(done.output)["forgotten"]
    assert not (pages / "p" / f"{number}.html").exists() and not box.exists()
    named = [
        file
        for file in pages.rglob("*")
        if file.is_file() and file.name != "log.jsonl" and NAME in file.read_text("latin-1")
    ]
    assert named == []
    again = machine("forget", ZOE)
    assert again.exit_code == 1 and f"Nothing is kept of {ZOE}." in again.output + again.stderr


def test_the_command_refuses_who_takes_part_still(world: World, tmp_path: Path) -> None:
    begin(world)
    machine = Machine(world, tmp_path)
    refused = machine("forget", BEN, "--yes")
    assert refused.exit_code == 1 and "takes part in nw1: let him RESIGN or leave" in refused.stderr
    assert "must have left before" in machine("forget", BEN).output and person(world, BEN).name


# ---------------------------------------------------------------- the guide


IMPERSONAL_COLUMNS = {
    "alarm.match", "alarm.kind", "alarm.key", "alarm.seat", "alarm.payload",
    "answer.purse", "letter_in.status", "letter_in.match",
    "letter_out.match", "letter_out.kind", "letter_out.sender", "letter_out.status",
    "match.name", "match.game", "match.status", "match.secret", "match.options", "match.settings", "match.trouble",
    "member.match", "token.match", "token.seat",
    "entry.match", "entry.at", "entry.kind", "entry.previous", "entry.digest", "entry.hash",
    "report.match", "report.reader", "report.title", "report.head", "report.chart",
    "note.match", "note.seat", "note.name",
}  # fmt: skip
"""Columns of words that say nothing of anybody: names of matches and seats, kinds, hashes, our own address."""

IMPERSONAL_NOTES = {
    "heartbeat", "build", "failing", "missing games",
    "outage", "given back", "digest", "bytes dropped", "token secret", "dummy player", "unlisted",
    "keys tried", "set back", "doctor", "kept due", "refused", "paused", "posed", "suspended", "promised", "outage over",
    "rematch", "bots", "stalls", "verified", "proposals", "press answered", "dummy", "bot", "resigned", "offered", "wait", "newest",
    "corrections", "unfinished", "warned", "thanked", "key told", "backed up", "restored", "restored untold", "read again",
    "identity", "laid aside", "lesson count", "uptime", "leap", "strength", "commanded",
}  # fmt: skip
"""Notes of which the same holds; what a seat's are told of is a seat."""


def guide() -> str:
    return (ROOT / "docs" / "privacy.md").read_text("utf-8")


def in_table(heading: str) -> set[str]:
    """What stands in code in the first cells of a table of the guide."""
    _, _, table = guide().partition(f"| {heading} |")
    rows = table.partition("\n\n")[0].splitlines()[2:]
    return {name for row in rows for name in row.split("|")[1].replace("`", "").strip().split(", ")}


def test_the_guide_names_every_column_that_may_tell_of_a_person() -> None:
    words = {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.c
        if column.type.python_type in (str, bytes, dict, tuple) or column.name in ("player",)
    }
    listed = in_table("table and column")
    assert words - listed - IMPERSONAL_COLUMNS == set()
    assert listed & IMPERSONAL_COLUMNS == set()
    assert {name for name in listed if name.partition(".")[0] in metadata.tables} == listed
    assert all(column in metadata.tables[table].c for table, _, column in (name.partition(".") for name in listed))


def test_the_guide_names_every_note_that_may_tell_of_a_person() -> None:
    every, listed = {note.name for note in notes.declared()}, in_table("notes")
    assert every - listed - IMPERSONAL_NOTES == set()
    assert listed <= every and listed & IMPERSONAL_NOTES == set()


def test_when_a_match_is_over_its_secret_is_published_and_no_other_is_kept(played: World) -> None:
    secrets = {f"{t.name}.{c.name}" for t in metadata.sorted_tables for c in t.c if "secret" in c.name}
    assert secrets == {"match.secret"}
    assert {note.name for note in notes.declared() if "secret" in note.name} == {"token secret"}
    with played.store.look() as step:
        row = step.match("nw1")
        assert row is not None
        files = archive_of(At(played.office, step), row).files
    assert json.loads(files["match.json"])["secret"] == row.secret.hex()
