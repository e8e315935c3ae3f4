"""The demo whole, and what its proofs are worth: every changed byte is found and named."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.adapters.pages.archive_folder import Site
from referee.adapters.pages.render import VERIFIER
from referee.bootstrap.mail_ways import publish
from referee.demo.client import MailClient, Server
from referee.demo.table import answer_to, asks
from tests.demo.command import referee
from tests.demo.demos import EveryDemo, Played, demo_of
from tests.world import World

MATCH = "nw1"


played = demo_of("newworld")


class TestEveryDemo(EveryDemo):
    letters = 200


@pytest.fixture
def archive(played: Played, tmp_path: Path) -> Path:
    """A copy of the archive folder, and nothing else of the match."""
    return Path(shutil.copytree(played.folder / "archive" / MATCH, tmp_path / MATCH))


def entries(archive: Path) -> list[bytes]:
    """The lines of the published log."""
    return (archive / "log.jsonl").read_bytes().splitlines()


def changed(line: bytes) -> bytes:
    """The entry with one digit of its payload changed, its hashes as they were."""
    entry = json.loads(line)
    entry["payload"], count = re.subn(r"\d", lambda found: str((int(found[0]) + 1) % 10), entry["payload"], count=1)
    assert count == 1, entry
    return json.dumps(entry).encode()


def with_digit(lines: list[bytes], start: int) -> int:
    """The first entry from `start` on whose payload holds a digit."""
    return next(i for i in range(start, len(lines)) if re.search(r"\d", json.loads(lines[i])["payload"]))


def test_the_demo_shows_what_it_is_for(played: Played) -> None:
    for sentence in (
        "corrected by YES",
        "rolled out at the deadline",
        "extends a deadline",
        "rewinds a turn",
        "asks for an old report",
    ):
        assert sentence in played.said


def test_the_pages_link_only_to_pages_that_exist(played: Played, archive: Path) -> None:
    house = played.folder / "archive"
    assert {"index.html", "ended.html", MATCH, "g", "p"} <= {path.name for path in house.iterdir()}
    for page in house.rglob("*.html"):
        found = re.findall(r'(?:href|src)="((?!mailto:)[^"#]+)"', page.read_text("utf-8"))
        assert found
        assert [link for link in found if not (page.parent / link).is_file()] == [], page
    index = (archive / "index.html").read_text("utf-8")
    pages = {page.name for page in archive.glob("turn-*.html")}
    assert pages == set(re.findall(r'href="(turn-[^"]+\.html)"', index))


def test_verify_needs_the_archive_alone(archive: Path) -> None:
    code, said = referee("verify", MATCH, cwd=archive.parent)
    assert (code, said.split(":")[0]) == (0, "Sound")


@pytest.mark.parametrize("start", [0, 3, 200, -30])
def test_verify_names_the_entry_with_a_changed_byte(archive: Path, start: int) -> None:
    lines = entries(archive)
    at = with_digit(lines, start % len(lines))
    lines[at] = changed(lines[at])
    (archive / "log.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    code, said = referee("verify", MATCH, "--json", cwd=archive.parent)
    found = json.loads(said)
    assert (code, found["sound"], found["at"]) == (1, False, json.loads(lines[at])["seq"])
    assert str(found["at"]) in found["trouble"]


def test_verify_finds_a_missing_entry(archive: Path) -> None:
    lines = entries(archive)
    (archive / "log.jsonl").write_bytes(b"\n".join(lines[:100] + lines[101:]) + b"\n")
    assert referee("verify", MATCH, cwd=archive.parent)[0] == 1


def test_verify_finds_a_log_cut_short(archive: Path) -> None:
    (archive / "log.jsonl").write_bytes(b"\n".join(entries(archive)[:-5]) + b"\n")
    assert referee("verify", MATCH, cwd=archive.parent)[0] == 4


def test_verify_finds_a_changed_report(archive: Path) -> None:
    reports = (archive / "reports.jsonl").read_text("utf-8")
    assert "advances" in reports
    (archive / "reports.jsonl").write_text(reports.replace("advances", "abandons", 1), "utf-8")
    code, said = referee("verify", MATCH, "--json", cwd=archive.parent)
    assert code == 1
    assert "the report of turn" in json.loads(said)["trouble"]


def test_verify_finds_a_secret_that_is_not_the_one_committed_to(archive: Path) -> None:
    about = json.loads((archive / "match.json").read_text())
    about["secret"] = ("0" if about["secret"][0] != "0" else "1") + about["secret"][1:]
    (archive / "match.json").write_text(json.dumps(about))
    assert referee("verify", MATCH, cwd=archive.parent)[0] == 1


def test_replay_names_the_entry_with_a_changed_byte(played: Played, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(played.folder, tmp_path / "copy", ignore=shutil.ignore_patterns("mail", "archive")))
    lines = entries(played.folder / "archive" / MATCH)
    seq = json.loads(lines[with_digit(lines, 150)])["seq"]
    database = sqlite3.connect(folder / "referee.sqlite")
    (payload,) = database.execute("select payload from entry where match = ? and seq = ?", (MATCH, seq)).fetchone()
    text = payload.decode() if isinstance(payload, bytes) else payload
    other = re.sub(r"\d", lambda found: str((int(found[0]) + 1) % 10), text, count=1)
    new = other.encode() if isinstance(payload, bytes) else other
    database.execute("update entry set payload = ? where match = ? and seq = ?", (new, MATCH, seq))
    database.commit()
    database.close()
    code, said = referee("replay", MATCH, "--json", "--config", str(folder / "config.toml"), cwd=tmp_path)
    assert (code, json.loads(said)["at"]) == (1, seq)


def test_a_demo_of_an_unknown_game_and_a_full_folder_are_refused_in_a_sentence(tmp_path: Path) -> None:
    games = "empire, empire-war, newworld, war17 and war27"
    assert referee("demo", "chess", cwd=tmp_path) == (1, f"There is no demo of chess; there is one of {games}.\n")
    (tmp_path / "mine").write_text("kept")
    code, said = referee("demo", "newworld", "--keep", ".", cwd=tmp_path)
    assert (code, "is not empty" in said) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


# ---------------------------------------------------------------- letters that ask for the next thing


_CUT = "# - - - - cut here - - - -"
_SHEET = f"DONE: everything you asked for is done.\n\nTurn 4\n======\n\n{_CUT}\nBUILD warehouse IN c7r12\n{_CUT}\n"
_NO_SHEET = "DONE: everything you asked for is done.\n"
_SENT = "<sent@players.example>"


@pytest.fixture
def client(tmp_path: Path) -> MailClient:
    (tmp_path / "new").mkdir()
    (tmp_path / "cur").mkdir()
    server = Server("127.0.0.1", 25)
    return MailClient("Chiyo", "chiyo@players.example", tmp_path, server, lambda: datetime.now(UTC))


@pytest.fixture
def comes(tmp_path: Path) -> Callable[[str], None]:
    """Lays a letter into the mailbox of the client."""

    def lay(text: str) -> None:
        letter = EmailMessage()
        letter["In-Reply-To"] = _SENT
        letter.set_content(text)
        (tmp_path / "new" / "1").write_bytes(letter.as_bytes())

    return lay


def test_the_answer_to_a_roll_out_that_brings_the_next_sheet_is_found_again(
    client: MailClient, comes: Callable[[str], None]
) -> None:
    comes(_SHEET)
    answer = answer_to(client, _SENT, "the receipt")
    assert client.find(asks) is answer


def test_an_answer_that_asks_for_nothing_is_read_once(client: MailClient, comes: Callable[[str], None]) -> None:
    comes(_NO_SHEET)
    answer_to(client, _SENT, "the receipt")
    assert client.find(lambda letter: True) is None


# ---------------------------------------------------------------- what the archive shows meanwhile


GINA = "gina@players.example"
PLAYERS = tuple(f"{name}@players.example" for name in ("anna", "ben", "carla", "dan"))


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A match of New World of which two turns were played."""
    world = World(tmp_path)
    world.write(GINA, "CREATE newworld AS nw1")
    for player in PLAYERS:
        world.write(player, "JOIN nw1")
    world.reply(GINA, "START nw1", kind="receipt")
    for _ in range(2):
        play(world)
    return world


def play(world: World) -> str:
    """The player on turn ends his slot; the subject of his receipt."""
    player = next(p for p in PLAYERS if re.search("You owe orders|Your orders for .* are on file", world.last(p).flat))
    letters = world.reply(player, "COLONIZE any\nROLL OUT")
    return next(letter.subject for letter in letters if letter.is_a("receipt"))


def test_nothing_secret_is_published_while_the_match_is_played(world: World, tmp_path: Path) -> None:
    index = publish(world.office, Site(tmp_path / "site"), "nw1")
    assert index is not None
    with world.store.look() as step:
        row = step.match("nw1")
    assert row is not None
    everything = b"".join(path.read_bytes() for path in index.parent.rglob("*") if path.is_file())
    assert row.secret.hex().encode() not in everything
    shown = [json.loads(line) for line in (index.parent / "log.jsonl").read_bytes().splitlines()]
    assert {entry["kind"] for entry in shown} >= {"created", "event", "answer", "filed"}
    assert {entry["kind"] for entry in shown if entry["payload"] is not None} == {
        "created",
        "event",
        "pledged",
        "sealed",
    }
    assert {path.name for path in index.parent.glob("verify*")} == set(VERIFIER)
    world.close()


def test_a_receipt_is_about_the_turn_the_letter_ended(world: World) -> None:
    assert play(world).startswith("[nw1] Turn 3: ")
    world.close()


def test_the_index_says_which_report_a_rewind_set_aside(world: World, tmp_path: Path) -> None:
    world.reply(GINA, 'REWIND TO TURN 2 BECAUSE "misread"')
    play(world)
    index = publish(world.office, Site(tmp_path / "site"), "nw1")
    assert index is not None
    assert index.read_text("utf-8").count("set aside by a rewind") == 1
    world.close()
