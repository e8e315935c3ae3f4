"""Matches that earlier versions left go on: nobody's letter is lost, every open phase ends, every archive is still sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games import GAMES
from referee.kit.rulebook import released_rules
from referee.service.house.verification import verify_archive
from referee.service.match.playing import as_of
from tests.lifetimes.keep import make
from tests.lifetimes.kept import (
    FOLDER,
    QUICK,
    archives,
    audited,
    began_by,
    kept_set,
    let_time_pass,
    letters_of_everybody,
    opened,
    unpacked,
    versions,
)
from tests.reading import read_after, shown

PHASE_ENDED = r"{\"type\":\"PhaseEnded\""


def goes_on(version: str, file: str, folder: Path) -> None:
    """What must hold of all matches of a kept database."""
    kept = unpacked(version, file, folder)
    club = opened(kept.at, folder, "another program")
    mails = club.start_the_desk()
    assert {match.name: club.status(match.name) for match in kept.matches} == {m.name: "running" for m in kept.matches}
    unread = {match.unread for match in kept.matches if match.unread}
    assert unread and unread <= {mail.answers for mail in mails}
    for match in kept.matches:
        for wrote in letters_of_everybody(club, match):
            assert wrote.answers, f"{wrote.seat} of {wrote.match} wrote {wrote.body!r} and was not answered"
    assert let_time_pass(club, kept.matches) == []
    assert [letter.verdict for status in ("new", "held", "shunted") for letter in club.letters(status)] == []
    trouble = {match.name: audited(club, match).trouble for match in kept.matches}
    assert trouble == dict.fromkeys(trouble, "")
    club.close()


@pytest.mark.parametrize("version", versions())
def test_a_match_of_every_game_and_pace_goes_on(version: str, tmp_path: Path) -> None:
    goes_on(version, QUICK, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("version", versions())
def test_every_match_goes_on(version: str, tmp_path: Path) -> None:
    goes_on(version, "rest", tmp_path)


@pytest.mark.parametrize("version", versions())
def test_of_a_match_of_every_game_a_desk_reads_only_what_others_have_written_since(
    version: str, tmp_path: Path
) -> None:
    kept = unpacked(version, QUICK, tmp_path)
    club = opened(kept.at, tmp_path, "another program")
    for match in kept.matches:
        entries = club.entries(match.name)
        whole, _ = read_after(club, match.name, None)
        for known in {len(entries) // 3, len(entries) // 2, match.before, len(entries) - 1}:
            carried_on, read = read_after(club, match.name, as_of(whole, entries[:known]))
            assert read == len(entries) - known + 1, match.name
            assert shown(carried_on) == shown(whole), match.name
    club.close()


@pytest.mark.parametrize("version", versions())
def test_every_archive_is_still_sound(version: str) -> None:
    games = {game.name: game for game in GAMES}
    kept = archives(version)
    assert {archive.name for archive in kept} == set(games)
    for archive in kept:
        parts = (archive.manifest, archive.log, archive.reports)
        found = verify_archive(games, *(part.encode() for part in parts))
        assert found.sound, f"{archive.name}: {found.trouble}"
        assert found.phases == archive.log.count(PHASE_ENDED), f"{archive.name}: not every phase was looked at"
        released = {(known.revision, known.build, known.version) for known in released_rules(archive.name)}
        assert began_by(archive) <= released, "make keep-release names the rules of a release in released.toml"
        assert all(older.released for older in found.older)


@pytest.mark.parametrize("version", versions())
def test_every_kind_of_open_phase_is_kept(version: str) -> None:
    """What a game asks is asked in some kept match; the names of the kinds are the rules that ask."""
    kinds = {kind for file in (QUICK, "rest") for match in kept_set(version, file).matches for kind in match.kinds}
    assert len(kinds) >= 55


def test_what_was_released_is_not_kept_anew() -> None:
    name = versions()[-1]
    before = {path: path.stat().st_mtime_ns for path in FOLDER.rglob("*")}
    assert make(name, ["v0.0.1", f"v{name}"]) == f"{name} was released; what was kept of it is never made anew."
    assert {path: path.stat().st_mtime_ns for path in FOLDER.rglob("*")} == before
