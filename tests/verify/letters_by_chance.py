"""Matches of all games that players write by chance to a real desk, as people write: in several goes, with quotes and slips."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from referee.service.house.choices import choices_now
from referee.service.match.sheets import debts
from tests.world import World

MASTER, MATCH = "gina@players.example", "t1"
HEADS = ("", "", "ADD ", "CLEAR\n", "Hello referee, here are my orders:\n\n")
FEET = (
    "",
    "\n-- \nAnna\nROLL OUT",
    "\n\nOn Sat, 21 Nov 2026 at 12:00, Referee <referee@games.example> wrote:\n> HIRE 7 workers\n> ROLL OUT\n",
    "\nBUY THE MOON FOR 3 gold",
    "\nPRESS TO ALL\n{other}\nEND",
    "\nSTANDING\n{other}\nEND",
    "\nWITHDRAW LINE 1",
)


def begun(world: World, game: Any, options: str = "") -> None:
    """A match with as few players as it takes."""
    usual = {setting.name: setting.default for setting in game.settings}
    names = game.seat_names(usual)
    players = next(number for number in range(1, len(names) + 1) if game.refuse_options(usual, number) is None)
    world.write(MASTER, f"CREATE {game.name} AS {MATCH} {options}")
    for number in range(players):
        world.write(f"player{number}@players.example", f"JOIN {MATCH}")
    world.reply(MASTER, f"START {MATCH}", kind="receipt")


def letters(world: World, chance: random.Random, most: int) -> Iterator[str]:
    """So many letters at most, each by somebody who owes something; who wrote."""
    for _ in range(most):
        playing = world.playing(MATCH)
        if playing.outcome.over or not playing.outcome.open:
            return
        seat = chance.choice(playing.outcome.open).seat
        writer, choices = world.player(seat, MATCH), choices_now(playing, seat)
        if not any(question.wants_orders for question in debts(playing, seat)):
            question = debts(playing, seat)[0]
            world.reply(writer, f"CHOOSE {chance.choice(question.menu.words())}")
            yield writer
            continue
        lines = [line for order in choices.orders for line in order.lines]
        some = chance.sample(lines, min(len(lines), chance.randint(0, 6)))
        foot = chance.choice(FEET).format(other=chance.choice(lines or ["ROLL OUT"]))
        goes = "\nROLL OUT" * (chance.random() < 0.5)
        world.reply(writer, f"{chance.choice(HEADS)}{chr(10).join(some)}{goes}{foot}")
        yield writer
        if chance.random() < 0.2:
            world.wait(hours=25)


def kept_by(world: World, player: str) -> tuple[list[bytes], list[bytes]]:
    """The letters that somebody got, and those that he sent."""
    got = [mail.raw for mail in world.all_mail() if mail.to == player]
    return got, [raw for sender, raw in world.came if sender == player]
