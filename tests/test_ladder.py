"""Ladders of opponents: the same deals give the same figures, and who plays among his own kind gains nothing."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from referee.cli.program import whole
from referee.games import game_named
from tests.ladder import climbed, match_played, summed_up, wilson

GAME = game_named("newworld")


def test_a_novice_among_novices_gains_nothing() -> None:
    pairs = list(climbed(GAME, {"last_round": "4"}, "novice", "novice", 3, (1, 2)))
    assert [pair.place for pair in pairs] == [0, 1, 2, 0, 1, 2]
    assert sum(pair.one.share(pair.seat) for pair in pairs) == pytest.approx(2)
    rung = summed_up(pairs)
    assert (rung.matches, rung.margin, rung.standard_error) == (6, 0, 0)
    assert rung.firsts == pytest.approx(1 / 3)


def test_a_deal_gives_the_same_match_again() -> None:
    once, again = (match_played(GAME, {"last_round": "3"}, ("novice",) * 4, 7) for _ in range(2))
    assert (once.tally, once.answers) == (again.tally, again.answers)
    assert match_played(GAME, {"last_round": "3"}, ("novice",) * 4, 8).tally != once.tally


def test_the_interval_is_wilsons() -> None:
    low, high = wilson(8, 10)  # a textbook's example: 0.490 to 0.943
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)


def test_the_command_prints_the_figures() -> None:
    done = CliRunner().invoke(
        whole(), ["ladder", "newworld", "--one", "novice", "--games", "2", "--seats", "2", "--with", "last_round=2"]
    )
    assert done.exit_code == 0 and "of 2 matches (95 %:" in done.output
    for wrong, told in (
        (["chess"], "chess is no game here"),
        (["war27", "--one", "weak"], "weak is no strength of an opponent; they are novice, steady, strong, patient."),
    ):
        strange = CliRunner().invoke(whole(), ["ladder", *wrong])
        assert strange.exit_code == 1 and told in strange.output
