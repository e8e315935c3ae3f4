"""What happens on the way in the demo of War! 1.7, one function each; each checks every letter it brings."""

from __future__ import annotations

from collections.abc import Sequence

from referee.demo.client import Letter
from referee.demo.table import need
from tests.demo.scripts.war.scenes import acceptance, act, drafting, hand_in, peace_offer, silence, typing_errors, usual
from tests.demo.scripts.war.table import Manners, Summoned, WarTable
from tests.demo.scripts.war.war17_orders import EMPIRES, answer, builds

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
