"""VERIFY and SEND archive by letter: what anybody can check of a match, while it runs and when it is over."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import msgspec

from referee.bootstrap.offices import opened
from referee.config import read
from referee.core.chance import commitment
from referee.games import GAMES
from referee.service.base.office import At
from referee.service.house.archive import verify_archive
from referee.service.house.proofs import verified
from tests.service.conftest import ANNA, GINA, OTTO
from tests.world import Mail, World, data_of

_GAMES = {game.name: game for game in GAMES}


def played(world: World) -> World:
    """Some slots by default, then the end."""
    for _ in range(3):
        world.wait(hours=25)
    world.reply(GINA, 'TERMINATE BECAUSE "it is seen enough"')
    assert world.status() == "over"
    return world


def secret(world: World) -> bytes:
    return world.playing().row.secret


def archived(mail: Mail) -> dict[str, bytes]:
    (file,) = [part for part in mail.message.iter_attachments() if part.get_filename() == "nw1-archive.zip"]
    with zipfile.ZipFile(io.BytesIO(data_of(file))) as archive:
        assert archive.testzip() is None
        return {name.removeprefix("nw1/"): archive.read(name) for name in archive.namelist()}


def test_verify_checks_the_chain_of_a_running_match_and_keeps_its_secret(match: World) -> None:
    for answers in (match.reply(ANNA, "VERIFY"), match.reply(ANNA, "VERIFY nw1"), match.write(OTTO, "VERIFY nw1")):
        told = answers[-1].flat
        assert "Its chain is whole: each entry covers the one before it." in told
        assert commitment(secret(match)) in told and secret(match).hex() not in told


def test_verify_plays_a_finished_match_again_and_checks_every_die(match: World) -> None:
    played(match)
    first, again = (match.write(OTTO, "VERIFY nw1")[-1].flat for _ in range(2))
    assert "Sound: the chain of" in first and secret(match).hex() in first
    assert first.partition("DONE")[2].partition("Proof")[0] == again.partition("DONE")[2].partition("Proof")[0]


def test_verify_says_what_is_not_sound(match: World) -> None:
    match.corrupt("nw1")
    with match.store.look() as step:
        row = step.match("nw1")
        assert row is not None
        running = " ".join(verified(At(match.office, step), row))
    assert "NOT SOUND: " in running
    with match.store.step() as step:
        over = " ".join(verified(At(match.office, step), msgspec.structs.replace(row, status="over")))
    assert "NOT SOUND: " in over and "Tell the game master." in over


def test_verify_of_a_match_that_has_not_begun_says_so(world: World) -> None:
    world.write(GINA, "CREATE newworld AS nw1")
    assert "nw1 has not begun, so there is no log of it." in world.write(OTTO, "VERIFY nw1")[0].flat


def test_the_archive_goes_with_a_letter_and_verifies_by_itself(match: World) -> None:
    played(match)
    ((one,), (other,)) = (match.vouched(OTTO, "SEND archive OF nw1"), match.reply(ANNA, "SEND archive"))
    files = archived(one)
    assert files == archived(other) and {"index.html", "verify.html", "verify.js", "verify-page.js"} <= set(files)
    found = verify_archive(_GAMES, files["match.json"], files["log.jsonl"], files["reports.jsonl"])
    assert found.sound and found.entries == len(match.entries())


def test_the_archive_of_a_running_match_holds_no_secret(match: World) -> None:
    files = archived(match.reply(ANNA, "SEND archive")[-1])
    assert all(secret(match).hex().encode() not in data for data in files.values())


def test_the_host_says_how_large_an_archive_may_go_with_a_letter(tmp_path: Path) -> None:
    with opened(read("[limits]\narchive_mb = 12\n", tmp_path)) as office:
        assert office.limits.archive_bytes == 12_000_000


def test_an_archive_that_is_too_large_for_a_letter_is_not_sent(match: World) -> None:
    object.__setattr__(match.office, "limits", replace(match.office.limits, archive_bytes=1_000))
    for answers in (match.reply(ANNA, "SEND archive"), match.vouched(OTTO, "SEND archive OF nw1")):
        assert "0.001 MB go with a letter" in answers[-1].flat
        assert not any("zip" in str(part.get_filename()) for part in answers[-1].message.iter_attachments())


def test_an_archive_without_an_entry_is_not_sound(match: World) -> None:
    files = archived(match.reply(ANNA, "SEND archive")[-1])
    about = msgspec.json.decode(files["match.json"]) | {"entries": 0, "head": ""}
    found = verify_archive(_GAMES, msgspec.json.encode(about), b"", b"")
    assert not found.sound and found.trouble == "log.jsonl shows no entry"
