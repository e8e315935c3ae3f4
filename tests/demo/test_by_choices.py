"""The demo of any game by players who know nothing of it: what SEND choices AS json tells is enough to play."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import typer

from referee.cli.trials import simulate_empire
from referee.demo import scripted
from referee.games import GAMES
from tests.demo.command import referee

_QUICKEST = "newworld"


@pytest.mark.parametrize(
    "game", [pytest.param(game.name, marks=() if game.name == _QUICKEST else pytest.mark.slow) for game in GAMES]
)
def test_whoever_reads_the_choices_can_play(game: str, tmp_path: Path) -> None:
    code, said = referee("demo", game, "--choices", "--keep", str(tmp_path / "kept"), cwd=tmp_path)
    assert code == 0, said
    told = " ".join(said.split())
    for sentence in (
        "The game master ended the match",
        "The secret in the last letter has the fingerprint that stood in the first",
        "referee verify, with nothing but the archive folder: Sound",
        "referee replay, from the database: Sound",
    ):
        assert sentence in told
    assert (tmp_path / "kept" / "service.log").read_text() == ""


def test_a_game_that_is_not_here_is_told_beside_those_that_are(tmp_path: Path) -> None:
    code, said = referee("demo", "chess", "--choices", cwd=tmp_path)
    assert code == 1 and "There is no demo of chess; there is one of" in said
    assert "empire-war" not in said, "a war of Empire is no other game"


def test_without_the_source_beside_it_there_is_no_script_and_no_study_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {game.name for game in GAMES} < {*scripted()}
    for beside in ("tests.demo.scripts", "tests.balance"):
        monkeypatch.setitem(sys.modules, beside, None)
    assert scripted() == {}
    with pytest.raises(typer.Exit):
        simulate_empire(games=1, turns=2)
    assert "run referee simulate in a checkout of the source" in capsys.readouterr().err
