"""Golden conversations: three friends, from the first letter to the second turn, in each game. They write what letters tell them.

Karla has heard of the referee and asks what there is; she opens a match and Anna and Ben join it in their own words. Then all three
only copy the lines between the cuts, or take the choice that is proposed. The conversation is kept as Anna saw it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.letters.conversation import Conversation, address_of
from tests.world import Mail, World, asks_for_yes

GAMES = {
    "newworld": "I'd like to start a game of New World with two friends",
    "empire": "Hello, I want to open a game of Empire for my friends",
    "war17": "CREATE war17 AS friends",
    "war27": "CREATE war27 AS friends",
}
_CUT = re.compile(r"^.*- cut here -.*$", re.MULTILINE)
_MOST = 80
"""Letters, at most, until everybody has come to his second turn."""


def proposed(mail: Mail) -> str:
    """The lines between the cuts of a letter, as who copies them sends them; "" without an order sheet."""
    parts = _CUT.split(mail.text)
    return parts[1].strip() if len(parts) == 3 else ""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.close()


@pytest.mark.parametrize("game", GAMES)
def test_three_friends_come_to_their_second_turn(world: World, game: str) -> None:
    held = Conversation(world, "Karla", "Ben")
    _agreed(held, "Karla", held.writes("Karla", GAMES[game]))
    with world.store.look() as step:
        (match,) = [row.name for row in step.matches()]
    _agreed(held, "Anna", held.writes("Anna", f"Hi, Karla told me about {match}. I'd like to join!"))
    for name in ("Ben", "Karla"):
        _agreed(held, name, held.writes(name, f"JOIN {match}"))
    _agreed(held, "Karla", held.writes("Karla", f"START {match}"))
    assert world.status(match) == "running"
    answered: set[str] = set()
    for _ in range(_MOST):
        phase = world.playing(match).outcome.phase
        assert phase is not None
        if phase.title.startswith("Turn 2"):
            break
        name, asks = next(
            ((n, mail) for n in _owing(world, match) if (mail := _asks(world, n)).message_id not in answered),
            ("", None),
        )
        if asks is None:
            held.waits(hours=24)
            continue
        answered.add(asks.message_id)
        mails = held.replies(name, proposed(asks))
        _agreed(held, name, mails)
        assert not [mail.subject for mail in mails if re.search("INCOMPLETE|NOTHING USABLE|NOT DONE", mail.subject)]
    else:
        raise AssertionError(f"they are still at {world.playing(match).outcome.phase}")
    held.kept(f"friends-{game}")


def _agreed(held: Conversation, name: str, mails: list[Mail]) -> None:
    """Whoever is asked for a YES says it."""
    if any((mail.kind == "entry" or asks_for_yes(mail)) and mail.to == address_of(name) for mail in mails):
        held.replies(name, "Yes please")


def _owing(world: World, match: str) -> list[str]:
    """The friends who owe something, in the order of play."""
    owing = {question.seat for question in world.playing(match).outcome.open}
    seats = [seat for seat in world.playing(match).created.seats if seat in owing]
    return [world.player(seat, match).partition("@")[0].capitalize() for seat in seats]


def _asks(world: World, name: str) -> Mail:
    """The last letter to a friend that has an order sheet."""
    mine = [mail for mail in world.all_mail() if mail.to == address_of(name) and proposed(mail)]
    return mine[-1]
