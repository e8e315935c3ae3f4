"""The demo of War! Version 1.7: three players by letter; one leaves a battle plan, one fights turn by turn by mail."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.demo.client import Letter
from referee.demo.service_process import House
from referee.demo.table import Show, need
from tests.demo.scripts.war import (
    Edition,
    Manners,
    SetUp,
    Summoned,
    WarTable,
    acceptance,
    act,
    choices,
    drafting,
    hand_in,
    peace_offer,
    play_edition,
    proposed_answer,
    proposed_orders,
    silence,
    tell_decisions,
    typing_errors,
    uncommented,
    usual,
)


@dataclass(frozen=True)
class Empire(SetUp):
    """What a player wants: his regions, what 150 PP buy, what he leaves standing, and what he does in a round."""

    standing: str = ""
    rounds: tuple[str, ...] = ()


EMPIRES: Mapping[str, Empire] = {
    "Red": Empire(
        "DRAFT Germany, Prussia, Austria-Hungary, Italy, Scandinavia, Balkans, Lithuania, Ukraine",
        "BUY 4 infantry, 1 cavalry, 2 artillery, 1 leader, 1 fleet\n"
        "PLACE 4 infantry, 1 cavalry, 2 artillery, 1 leader IN Germany\n"
        "PLACE 1 fleet IN Western Mediterranean",
        "STANDING\n  DEPLOY 2 left, 3 centre, 2 right\n  STANCE assault\n  STANCE stand ON left\n"
        "  LEADERS centre\n  RETREAT AFTER 6\n  PURSUE artillery\nEND",
        (
            "DECLARE WAR ON Blue",
            "ATTACK Blue IN Western Mediterranean\n"
            "MOVE 4 infantry, 1 cavalry, 2 artillery, 1 leader FROM Germany TO France",
        ),
    ),
    "Blue": Empire(
        "DRAFT France, Spain, Morocco, Algeria, Great Britain, Tripoli, Mauritania, West Africa",
        "BUY 5 infantry, 1 cavalry, 1 port, 1 fleet, 1 explorer, 1 engineer\n"
        "PLACE 4 infantry, 1 cavalry, 1 engineer IN France\n"
        "PLACE 1 port, 1 infantry IN Spain\n"
        "PLACE 1 explorer IN Algeria\n"
        "PLACE 1 fleet IN Western Mediterranean",
        "DECISIONS interactive",
        ("MOVE 1 explorer FROM Algeria TO Nigeria VIA West Africa\nEXPLORE Nigeria", ""),
    ),
    "Green": Empire(
        "DRAFT Egypt, Palestine, Ottoman, Arabia, Mesopotamia, Persia, India, Bengal",
        "BUY 6 infantry, 1 artillery, 1 leader, 2 explorers, 1 engineer\n"
        "PLACE 6 infantry, 1 artillery, 1 leader IN Egypt\n"
        "PLACE 1 engineer, 2 explorers IN Persia",
        rounds=(
            "MOVE 5 infantry, 1 artillery, 1 leader FROM Egypt TO Sudan\n"
            "MOVE 2 explorers FROM Persia TO Turkestan\nEXPLORE Turkestan",
            "",
        ),
    ),
}
"""Neighbours of whom one attacks with a plan and the other fights by letter; a third who looks for land among natives.

The lists have no region in common, so everybody gets what he wants whatever the order of set-up.
"""


def builds(form: Sequence[str]) -> list[str]:
    """What the form proposes: its own lines, and one resource or building."""
    return [*proposed_orders(form), *uncommented(form, "DEVELOP", "CONSTRUCT", "BUILD")[:1]]


_TURN = re.compile(r"Battle of [\w' -]+, turn (\d+)\.")


def answer(letter: Letter, stands: int = 2) -> str:
    """In a battle he stands for so many turns and then leaves; all else as the letter proposes."""
    turn = _TURN.search(letter.flat)
    if turn is not None and "What do you do?" in letter.flat:
        wanted = "stand" if int(turn[1]) <= stands else "retreat"
        if wanted in choices(letter):
            return f"CHOOSE {wanted}"
    return proposed_answer(letter)


# ---------------------------------------------------------------- what happens on the way


# ---------------------------------------------------------------- whatever is owed


def _movement(table: WarTable, now: Summoned) -> Sequence[str]:
    return EMPIRES[now.seat].rounds[now.round - 1].splitlines() if now.turn == 1 else ()


_QUESTIONS = {
    "What do you do?": "battle turns",
    "Fight on, or break off?": "breaking off",
    "to which sector do your reserves go?": "reserves",
    "which brigades step instead of fighting": "steps",
    "must leave": "retreat",
    "Which resource chit do you keep": "resource chits",
}

MANNERS = Manners(
    EMPIRES,
    movement=_movement,
    production=lambda table, now: builds(now.form),
    answer=lambda now: answer(now.letter),
    questions=_QUESTIONS,
)
"""Two rounds as it is written for each empire, then whatever the form proposes."""


# ---------------------------------------------------------------- the acts


def battle_plan(table: WarTable, now: Summoned) -> None:
    """Anna buys, and leaves a plan for her battles: she will not be asked in them."""
    table.show.scene(f"{now.client.name} buys in secret and leaves a battle plan")
    receipt = _buy_and_leave_orders(table, now)
    need(receipt, "Your standing orders", "DEPLOY 2 left, 3 centre, 2 right", "LEADERS centre")
    table.show.got(now.client.name, receipt, "Your standing orders", 20)


def interactive(table: WarTable, now: Summoned) -> None:
    """Ben wants to be asked turn by turn."""
    table.show.scene(f"{now.client.name} wants to fight his battles himself, by letter")
    need(_buy_and_leave_orders(table, now), "Ask you by mail whatever your standing orders leave open")


def _buy_and_leave_orders(table: WarTable, now: Summoned) -> Letter:
    return hand_in(table, now, f"{EMPIRES[now.seat].purchase}\n{EMPIRES[now.seat].standing}")


def quarrel(table: WarTable, now: Summoned) -> None:
    """Red declares war; she may attack from her next movement on."""
    table.show.scene(f"{now.client.name} declares war")
    hand_in(table, now, "\n".join(usual(table, now)))
    table.promise(now.phase, "Red declares war on Blue")


def exploring(table: WarTable, now: Summoned) -> None:
    """An army among the natives of Sudan, and explorers who try those of Turkestan."""
    table.show.scene(f"{now.client.name} looks for land among the natives")
    hand_in(table, now, "\n".join(usual(table, now)))
    table.promise(now.phase, "Battle of Sudan", "Turkestan")


def invasion(table: WarTable, now: Summoned) -> None:
    """Red attacks at sea and marches into France; Blue is asked in every turn of the battle."""
    table.show.scene(f"{now.client.name} attacks at sea and marches into France")
    hand_in(table, now, "\n".join(usual(table, now)))
    table.invaded = now.phase
    table.promise(now.phase, "Naval battle in Western Mediterranean", "Battle of France")


# ---------------------------------------------------------------- when


ACTS = (
    act(drafting, "Red", "draft"),
    act(battle_plan, "Red", "purchase"),
    act(interactive, "Blue", "purchase"),
    act(quarrel, "Red", "movement", 1, 1),
    act(exploring, "Green", "movement", 1, 1),
    act(invasion, "Red", "movement", 1, 2),
    act(typing_errors, "Green", "production", 1),
    act(peace_offer, "Blue", "production", 1),
    act(acceptance, "Red", "movement", 2, 1, "# ACCEPT "),
    act(silence, "Green", "movement", 2, 2),
)
"""What happens on the way: whenever somebody is asked, the first of those left that fits."""


# ---------------------------------------------------------------- the match


LAST_TURN = 2
"""The turn after which the match ends."""

MOST_TURNS = 1 + LAST_TURN * (2 * len(EMPIRES) + 1)
"""The set-up, and in each turn two rounds of movement for three players and a production."""


def play_match(house: House, show: Show) -> tuple[WarTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    return play_edition(house, show, _EDITION)


def _look_back(table: WarTable, invasion: Letter) -> None:
    """The reports say that it happened: the sea battle, the tactical battle fought by letter."""
    show = table.show
    need(invasion, "Red attacks France", "leader")
    show.got(table.watcher.name, invasion, "Naval battle", 10)
    show.got(table.watcher.name, invasion, "Battle of France", 30)
    tell_decisions(table, "battle turns")


_EDITION = Edition("war17", "War! Age of Imperialism, Version 1.7", "w17", LAST_TURN, MANNERS, ACTS, _look_back)
