"""Golden conversations: a stranger, a replacement, an observer, two who write press, a man who says "ok thanks" to everything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.letters.conversation import Conversation, address_of
from tests.world import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.close()


def begun(world: World, game: str, *players: str) -> None:
    """A match of these players, called spring, whose game master is Gina."""
    world.write(address_of("Gina"), f"CREATE {game} AS spring")
    for player in players:
        world.write(address_of(player), "JOIN spring")
    world.reply(address_of("Gina"), "START spring")
    world.new_mail()


def test_a_stranger_asks_what_there_is(world: World) -> None:
    world.write(address_of("Gina"), "CREATE empire AS summer")
    held = Conversation(world, "Anna", "Ben", "Gina")
    held.writes(
        "Sam", "Hi there! I heard you run games by mail? How do I start one? What games do you have?\n\nBest, Sam"
    )
    held.replies("Sam", "How do I win at Empire?")
    held.replies("Sam", "I'd like to join summer please")
    held.replies("Sam", "yes please")
    held.replies("Sam", "thanks a lot!")
    held.kept("stranger")


def test_a_stranger_takes_lessons(world: World) -> None:
    held = Conversation(world)
    held.writes("Sam", "Hi, how do I learn this New World?")
    held.replies("Sam", "HIER 1 worker")
    held.replies("Sam", "HIRE 1 worker")
    held.replies("Sam", "COLONIZE any")
    held.replies("Sam", "HIRE 1 worker\nCOLONIZE any")
    held.replies("Sam", "BACK")
    held.replies("Sam", "SKIP")
    held.replies("Sam", "Recherche Textiles, any KEEPING 5 gold")
    held.replies("Sam", "BUY 1 cloth\nHIRE 2 workers")
    held.replies("Sam", "STOP")
    held.replies("Sam", "LESSON newworld FROM 4")
    held.replies("Sam", "MOVE 1 army FROM Europe TO Central America\nATTACK England IN Central America")
    held.replies("Sam", "BUY 2 workers")
    held.replies("Sam", "OFFER 3 gold TO France FOR 1 cloth\n\nPRESS TO France\nHow about it?\nEND")
    held.replies("Sam", "IF LATE\n  HIRE 1 worker\n  COLONIZE any\nEND")
    held.replies("Sam", "RESEARCH any KEEPING 5 gold\nHIRE 1 worker\nCOLONIZE any")
    held.kept("lessons")
    (first,) = world.reply(address_of("Sam"), "PLAY newworld WITH bots 3 novice")
    assert "(novice bot)" in first.flat


def test_somebody_takes_over_a_seat(world: World) -> None:
    begun(world, "war27", "Anna", "Ben")
    held = Conversation(world, "Anna", "Ben", "Gina")
    seat = world.seat(address_of("Anna"), "spring")
    world.reply(address_of("Gina"), f'REPLACE {seat} BY {address_of("Otto")} BECAUSE "Anna has exams"')
    held.comes("Otto")
    held.replies("Otto", "What do I have to do now?")
    held.kept("replacement")


def test_somebody_watches(world: World) -> None:
    begun(world, "empire", "Anna", "Ben")
    held = Conversation(world, "Anna", "Ben", "Gina")
    held.writes("Olga", "OBSERVE spring")
    held.replies("Olga", "YES")
    held.replies("Olga", "where can I see the map?")
    held.replies("Olga", "UNSUBSCRIBE")
    held.kept("observer")


def test_two_players_write_to_each_other(world: World) -> None:
    begun(world, "newworld", "Anna", "Ben")
    held = Conversation(world, "Gina")
    seat = world.seat(address_of("Ben"), "spring")
    held.replies("Anna", f"PRESS TO {seat}\nShall we leave each other alone this year? I would give you 2 wood.\nEND")
    held.replies("Ben", "Sure, sounds good! But 3 food please.", kind="press")
    held.replies("Anna", "Done. I offer it next turn.", kind="press")
    held.kept("press")


def test_a_man_says_ok_thanks_to_everything(world: World) -> None:
    begun(world, "newworld", "Anna", "Tom")
    held = Conversation(world, "Anna", "Gina")
    held.replies("Tom", "ok thanks")
    held.replies("Tom", "RESIGN")
    held.replies("Tom", "ok thanks")
    held.replies("Tom", "no")
    held.waits(hours=20)
    held.replies("Tom", "ok thanks")
    held.replies("Tom", "ok thanks")
    assert world.seat(address_of("Tom"), "spring")
    held.kept("ok-thanks")
