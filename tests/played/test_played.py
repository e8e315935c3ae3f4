"""Kept games come out as they did: every report and every receipt, letter for letter; whoever owes reads it on his first screen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee import games
from referee.games.war.position.state import OPTIONAL
from tests.letters.first_screen import faults
from tests.played.playing import kept, play

HERE = Path(__file__).parent
WRITE = os.environ.get("PLAYED") == "write"
GAMES = sorted(path.parent.name for path in HERE.glob("*/match.toml"))


def _expected(folder: Path) -> dict[str, str]:
    """What a phase's folder holds beside the letters of the players."""
    files = (file for file in folder.glob("*.txt") if not file.name[0].isdigit())
    return {file.name: file.read_text("utf-8") for file in files}


def _write(folder: Path, texts: dict[str, str]) -> None:
    for name in _expected(folder).keys() - texts.keys():
        (folder / name).unlink()
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_a_kept_game_comes_out_as_it_did(game: str, tmp_path: Path) -> None:
    for phase in play(HERE / game, tmp_path):
        if WRITE:
            _write(phase.folder, phase.texts)
        expected = _expected(phase.folder)
        for name, text in phase.texts.items():
            assert text == expected.pop(name, ""), f"{game}/{phase.folder.name}/{name} reads otherwise now"
        assert not expected, f"{game}/{phase.folder.name}: not written any more"
        assert [fault for mail in phase.letters for fault in faults(mail.subject, mail.text)] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_kept_game_shows_what_it_was_written_for(game: str) -> None:
    told = " ".join(" ".join(file.read_text("utf-8").split()) for file in sorted((HERE / game).glob("*/re*.txt")))
    assert [words for words in kept(HERE / game).shows if words not in told] == []


def test_there_is_a_kept_game_of_every_game() -> None:
    assert {game.name for game in games.GAMES} == {kept(HERE / name).game for name in GAMES}


def test_every_optional_rule_of_war_is_in_a_kept_game() -> None:
    played = {name for folder in GAMES for name, value in kept(HERE / folder).options.items() if value != "no"}
    assert {setting.name for setting in OPTIONAL} <= played


def test_no_letter_of_a_kept_game_was_sent_in_vain() -> None:
    lines = [line for file in HERE.glob("*/*/receipts.txt") for line in file.read_text("utf-8").splitlines()]
    receipts = [line for line in lines if "-clock:" not in line]
    assert receipts
    assert [
        line for line in receipts if not any(f" {word}: " in line for word in ("COMPLETE", "DONE", "LOOK AGAIN"))
    ] == []
