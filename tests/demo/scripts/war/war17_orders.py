"""What the scripted players of War! 1.7 write: their empires, a battle plan, their builds, and their answers in battle."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.demo.client import Letter
from tests.demo.scripts.war.forms import choices, proposed_answer, proposed_orders, uncommented
from tests.demo.scripts.war.table import SetUp


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
