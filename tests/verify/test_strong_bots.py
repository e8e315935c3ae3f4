"""Matches with bots that think between letters are sound, whatever comes between."""

from __future__ import annotations

import itertools
import random
import re
from datetime import timedelta

import pytest
from msgspec.structs import replace

from referee.core.game import PlaysStrongly
from referee.core.record import BOT, Answered
from referee.service.intake.deadlines import scan
from referee.service.intake.inbox import handle_new
from referee.service.match import bots
from tests.service.conftest import GINA, PLAYERS
from tests.verify.matches import ALL, MATCH, archived, table
from tests.world import World

SHEET = re.compile(r"(?ms)^# - [^\n]*cut here[^\n]*$(.*?)^# - ")


def comes(world: World, sender: str, words: str, numbers: itertools.count[int]) -> None:
    """A letter comes and is handled; no alarm rings."""
    last = world.last(sender)
    world.put(f"From: {sender}\r\nMessage-ID: <{next(numbers)}@z>\r\n\r\n{words}\r\n".encode(), sender, last.reply_to)
    while handle_new(world.office):
        pass


@pytest.mark.slow
@pytest.mark.usefixtures("sealed_dice")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", [name for name, game in ALL.items() if isinstance(game, PlaysStrongly)])
def test_what_comes_between_the_thoughts_of_bots_leaves_a_match_sound(
    game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two persons and two or three bots: orders, press, killed processes, pauses, rewinds, deadlines."""
    strong, drawn, numbers = ALL[game], random.Random(f"{game} {seed}"), itertools.count()
    assert isinstance(strong, PlaysStrongly)
    for strength, rigour in list(strong.rigours.items()):  # how well they play is no matter
        monkeypatch.setitem(strong.rigours, strength, replace(rigour, rollouts=2, sheets=6))
    with table(game, "WITH slot 12h, bots 2 strong", players=2, seed=f"strong {seed}") as world:
        if "patient" in strong.rigours:
            comes(world, GINA, f"BOT {world.playing(MATCH).created.seats[-1]} patient", numbers)
        for _ in range(150):
            match drawn.choices(
                ("orders", "press", "killed", "paused", "rewound", "late", "thought"), (30, 7, 4, 2, 1, 3, 50)
            ):
                case ["orders"]:
                    player = drawn.choice(PLAYERS[:2])
                    sheets = SHEET.findall(world.last(player).text)
                    comes(world, player, f"{''.join(sheets[-1:])}\nROLL OUT\nYES", numbers)
                case ["press"]:
                    comes(world, drawn.choice(PLAYERS[:2]), "PRESS TO all\nHow are you?\nEND PRESS", numbers)
                case ["killed"]:
                    bots._THINKING.clear()
                    bots._RACES.clear()
                case ["paused"]:
                    comes(world, GINA, "PAUSE", numbers)
                    comes(world, GINA, "RESUME", numbers)
                case ["rewound"]:
                    comes(world, GINA, f"REWIND TO TURN {world.playing(MATCH).turn - 1}\nYES", numbers)
                case ["late"]:
                    world.wait(hours=13)
                case _:
                    for _ in range(drawn.choice((1, 3, 8))):
                        scan(world.office)
                        world.clock.advance(timedelta(seconds=1))
            if world.status(MATCH) == "over":
                break
        assert world.status(MATCH) in ("running", "over")
        assert sum(answer.by == BOT for answer in world.log(Answered, MATCH)) > 10
        assert archived(world, letters=True).sound(letters=True) == (True, "")
