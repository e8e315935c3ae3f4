"""The sample capital of the rulebook's last sheets, three turns played on from each other, with every figure by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from referee.core.event import Event
from referee.games.empire.game import EmpireGame
from referee.games.empire.position.state import Empire
from referee.games.empire.telling.report import audit
from referee.kit.casefile import Case, parse_cases
from tests.contract.casefile import run_case
from tests.games.empire import staging

TURNS = parse_cases((Path(__file__).parent / "sample-capital.turns").read_text("utf-8"))
GAME = EmpireGame()


class PlayedOn:
    """The staging of cases, but each case begins where the one before it ended."""

    def __init__(self) -> None:
        self.now: Empire | None = None
        self.audited: list[str] = []

    def stage(self, options: Mapping[str, str]) -> Empire:
        return self.now or staging.stage(options)

    def given(self, state: Empire, fact: str) -> Empire:
        return staging.given(state, fact)

    def expect(self, before: Empire, events: Sequence[Event], after: Empire, fact: str) -> str | None:
        self.now = after
        self.audited += audit(before, events, after)
        return staging.expect(before, events, after, fact)


def played_on(turns: Sequence[Case]) -> list[str]:
    """What differs from the turns, told with each."""
    stage = PlayedOn()
    wrong = [f"{turn.id}: {failure}" for turn in turns for failure in run_case(GAME, stage, turn)]
    return [*wrong, *stage.audited]


def test_the_sample_capital_comes_out_as_worked_out_by_hand() -> None:
    assert played_on(TURNS) == []


def test_each_turn_begins_where_the_last_one_ended() -> None:
    """Without its first turn there is no factory to run in the second."""
    assert any("No steel mill of yours stands in c4r4" in failure for failure in played_on(TURNS[1:2]))


def test_a_figure_that_is_off_by_one_is_found() -> None:
    third = TURNS[2]
    off = [msgspec.structs.replace(e, text=e.text.replace("63 1/2", "64 1/2")) for e in third.expect]
    turns = (*TURNS[:2], msgspec.structs.replace(third, expect=tuple(off)))
    assert len(played_on(turns)) == 1
