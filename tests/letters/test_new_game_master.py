"""The golden conversation: a new game master, with HELP and the README alone, does all his work by mail.

Each step is the line that the README or a letter of HELP shows him, with his own names in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.adapters.site import Site
from referee.bootstrap import publish
from referee.core.record import Overrode, Rewound
from tests.world import Mail, World

NINA, OTTO = "nina@players.example", "otto@players.example"
PLAYERS = ("anna@players.example", "ben@players.example", "carla@players.example")
ASKED = ("CREATE", "START", "DEADLINE", "REPLACE", "REWIND", "TERMINATE", "ANNOUNCE", "SEND")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.close()


def done(mails: list[Mail], to: str = NINA) -> Mail:
    """The receipt of a letter, which was taken."""
    (receipt,) = [mail for mail in mails if mail.kind == "receipt" and mail.to == to]
    assert "DONE" in receipt.subject, receipt.text
    return receipt


def test_a_new_game_master_runs_a_match_by_mail_alone(world: World, tmp_path: Path) -> None:
    asked = {word: done(world.write(NINA, f"HELP {word}")).flat for word in ASKED}
    assert all(word in text for word, text in asked.items())
    assert "CREATE newworld AS nw1" in asked["CREATE"] and "REWIND TO TURN 4" in asked["REWIND"]

    opened = done(world.write(NINA, "CREATE newworld AS spring"))
    assert "Players join by writing JOIN spring" in opened.flat  # what he forwards to invite them
    for player in PLAYERS:
        done(world.write(player, "JOIN spring"), player)
    done(world.reply(NINA, "START spring", kind="receipt"))
    assert world.status("spring") == "running"

    late = world.alarms("deadline", "spring")[0].due_at
    done(world.reply(NINA, 'DEADLINE +12h BECAUSE "Ben travels"'))
    assert (world.alarms("deadline", "spring")[0].due_at - late).total_seconds() == 12 * 3600

    seat, before = world.waits_for("spring"), world.on_turn("spring")
    done(world.reply(NINA, f'REPLACE {seat} BY {OTTO} BECAUSE "he moved house"'))
    assert world.player(seat, "spring") == OTTO != before

    for _ in range(3):
        world.reply(world.on_turn("spring"), "RESEARCH any\nROLL OUT")
    assert world.playing("spring").turn == 4
    done(world.reply(NINA, 'REWIND TO TURN 2 BECAUSE "a misread order"'))
    assert world.playing("spring").turn == 2 and world.log(Rewound, "spring")[-1].reason == "a misread order"

    done(world.reply(NINA, 'ANNOUNCE "We stop here; the archive has it all."'))
    done(world.reply(NINA, 'TERMINATE BECAUSE "the club closes"'))
    report = world.reply(NINA, "SEND history")
    assert "turn 1:" in report[-1].flat
    index = publish(world.office, Site(tmp_path / "archive"), "spring")  # the archivist does this after each step
    assert index is not None and index.is_file()
    words = [o.action.split()[0].rstrip(":") for o in world.log(Overrode, "spring")]
    assert words == ["DEADLINE", "REPLACE", "ANNOUNCE", "TERMINATE"]
