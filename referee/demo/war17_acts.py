"""What happens on the way in the demo of War! 1.7, one function each; each checks every letter it brings."""

from __future__ import annotations

from referee.demo.client import Letter
from referee.demo.table import need
from referee.demo.war17_orders import EMPIRES, answer, builds
from referee.demo.war27_acts import acceptance, silence, typing_errors
from referee.demo.war_table import Summoned, WarTable, act, decide, roll_out

__all__ = ["ACTS", "battle_plan", "drafting", "exploring", "interactive", "invasion", "ordinary", "peace_offer", "quarrel"]


# ---------------------------------------------------------------- whatever is owed


def ordinary(table: WarTable, now: Summoned) -> None:
    """What is owed, as the player of this empire sees it."""
    empire = EMPIRES[now.seat]
    match now.stage:
        case "decision":
            decide(table, now, _kind(now.letter), answer(now.letter))
        case "draft":
            roll_out(table, now, empire.draft)
        case "purchase":
            roll_out(table, now, empire.purchase)
        case "production":
            roll_out(table, now, *builds(now.form))
        case _:
            roll_out(table, now, *(_round(now) if now.turn == 1 else ()))


def _round(now: Summoned) -> list[str]:
    return EMPIRES[now.seat].rounds[now.round - 1].splitlines()


_KINDS = {
    "What do you do?": "battle turns",
    "Fight on, or break off?": "breaking off",
    "to which sector do your reserves go?": "reserves",
    "which brigades step instead of fighting": "steps",
    "must leave": "retreat",
    "Which resource chit do you keep": "resource chits",
}


def _kind(letter: Letter) -> str:
    return next((kind for sign, kind in _KINDS.items() if sign in letter.flat), "something else")


# ---------------------------------------------------------------- the acts


def drafting(table: WarTable, now: Summoned) -> None:
    """The first list of regions, shown."""
    table.show.scene("The set-up: everybody ranks regions, and the map is dealt out")
    table.show.wrote(now.client.name, EMPIRES[now.seat].draft)
    ordinary(table, now)


def battle_plan(table: WarTable, now: Summoned) -> None:
    """Anna buys, and leaves a plan for her battles: she will not be asked in them."""
    table.show.scene(f"{now.client.name} buys in secret and leaves a battle plan")
    body = f"{EMPIRES[now.seat].purchase}\n{EMPIRES[now.seat].standing}"
    table.show.wrote(now.client.name, body)
    receipt = roll_out(table, now, body)
    need(receipt, "Your standing orders", "DEPLOY 2 left, 3 centre, 2 right", "LEADERS centre")
    table.show.got(now.client.name, receipt, "Your standing orders", 20)


def interactive(table: WarTable, now: Summoned) -> None:
    """Ben wants to be asked turn by turn."""
    table.show.scene(f"{now.client.name} wants to fight his battles himself, by letter")
    body = f"{EMPIRES[now.seat].purchase}\n{EMPIRES[now.seat].standing}"
    table.show.wrote(now.client.name, body)
    need(roll_out(table, now, body), "Ask you by mail whatever your standing orders leave open")


def quarrel(table: WarTable, now: Summoned) -> None:
    """Red declares war; she may attack from her next movement on."""
    table.show.scene(f"{now.client.name} declares war")
    lines = _round(now)
    table.show.wrote(now.client.name, "\n".join(lines))
    roll_out(table, now, *lines)
    table.promise(now.phase, "Red declares war on Blue")


def exploring(table: WarTable, now: Summoned) -> None:
    """An army among the natives of Sudan, and explorers who try those of Turkestan."""
    table.show.scene(f"{now.client.name} looks for land among the natives")
    lines = _round(now)
    table.show.wrote(now.client.name, "\n".join(lines))
    roll_out(table, now, *lines)
    table.promise(now.phase, "Battle of Sudan", "Turkestan")


def invasion(table: WarTable, now: Summoned) -> None:
    """Red attacks at sea and marches into France; Blue is asked in every turn of the battle."""
    table.show.scene(f"{now.client.name} attacks at sea and marches into France")
    lines = _round(now)
    table.show.wrote(now.client.name, "\n".join(lines))
    roll_out(table, now, *lines)
    table.invaded = now.phase
    table.promise(now.phase, "Naval battle in Western Mediterranean", "Battle of France")


def peace_offer(table: WarTable, now: Summoned) -> None:
    """Blue has had enough."""
    table.show.scene(f"{now.client.name} sues for peace")
    table.show.wrote(now.client.name, "OFFER peace TO Red")
    need(roll_out(table, now, "OFFER peace TO Red", *builds(now.form)), "Offer peace to Red")


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
