"""What a seat does not know is drawn from what it may be: what it knows stays as it is, and nothing hidden goes in."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.game import Imagines, imagined
from referee.games import GAMES, game_named
from referee.games.war.rulebook import MARKERS
from referee.kit.alone import Bare
from referee.kit.stock import gathered
from tests.contract.bots import plans
from tests.contract.test_bare import begun
from tests.contract.test_secrecy import choice


def played(name: str, seed: int) -> Bare[Any]:
    """A game of bots in which explorers have seen natives that others have not."""
    plan = next(plan for plan in plans(game_named(name), 6) if plan.seed == seed)
    stage = begun(game_named(name), plan)
    while stage.open and len(stage.ended) < 60:
        stage.answer(stage.open[0], choice(stage.open[0], 0))
    return stage


def markers(war: Any) -> dict[str, Any]:
    """The native markers on the board."""
    return {land.name: land.marker for land in war.lands.values() if land.marker is not None}


@pytest.mark.parametrize("seed", [1, 3])
@pytest.mark.parametrize("name", ["war27", "war17"])
def test_markers_that_a_seat_has_not_seen_are_drawn_from_the_cup(name: str, seed: int) -> None:
    stage, drawn = played(name, seed), 0
    for seat in stage.game.living(stage.state):
        known = stage.seen(seat).before
        found = imagined(stage.game, known, seat, Keyed(bytes(32), seed))
        before, after = markers(known), markers(found)
        assert after.keys() == before.keys()
        for place, marker in before.items():
            assert after[place].strength
            if marker.strength:
                assert after[place] == marker
            else:
                drawn += 1
                assert (after[place].face_up, after[place].seen_by) == (marker.face_up, marker.seen_by)
        whole = gathered([marker.name for marker in after.values()])
        assert all(whole.get(kind, 0) + found.markers.get(kind, 0) == number for kind, number in MARKERS.items())
        assert replace(found, lands=known.lands, markers=known.markers, chits=known.chits) == known
    assert drawn


def test_games_whose_positions_are_known_to_all_need_not_imagine() -> None:
    assert {game.name for game in GAMES if isinstance(game, Imagines)} == {"war17", "war27"}
