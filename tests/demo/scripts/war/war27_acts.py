"""What happens on the way in the demo of War!, one function each; each checks every letter it brings."""

from __future__ import annotations

from collections.abc import Sequence

from referee.demo.table import need
from tests.demo.scripts.war.scenes import acceptance, act, drafting, hand_in, peace_offer, silence, typing_errors, usual
from tests.demo.scripts.war.table import Manners, Summoned, WarTable
from tests.demo.scripts.war.war27_orders import EMPIRES, answer, builds, explorers, marches, sea_fights

# ---------------------------------------------------------------- whatever is owed


def _movement(table: WarTable, now: Summoned) -> Sequence[str]:
    """Explorers and armies among the natives; at sea the stronger attacks, once the first turn is over."""
    fights = sea_fights(now.form) if now.turn > 1 else []
    return [*fights, *explorers(now.form, EMPIRES[now.seat].ways), *marches(now.form)]


_QUESTIONS = {
    "must go. Which?": "casualties",
    "Three hits may become one": "hits fused",
    "Fight on or retreat?": "retreat",
    "must retreat. Where to?": "way out",
    "Do you intercept with": "interception",
    "Does he talk to the natives?": "explorers",
    "Where do they go?": "way out",
    "Fight on, or break off?": "breaking off",
}

MANNERS = Manners(
    EMPIRES,
    movement=_movement,
    production=lambda table, now: builds(now.form, explorers_wanted=not table.spheres()),
    answer=lambda now: answer(EMPIRES[now.seat], now.letter),
    questions=_QUESTIONS,
)
"""Explorers first, until one of them has placed a sphere of influence."""


# ---------------------------------------------------------------- the acts


def purchase(table: WarTable, now: Summoned) -> None:
    """Anna buys, and wants to be asked in her battles."""
    table.show.scene("Sealed purchases, revealed together")
    _asks_for_letters(table, now)


def purchase_too(table: WarTable, now: Summoned) -> None:
    """Ben wants the same."""
    _asks_for_letters(table, now)


def _asks_for_letters(table: WarTable, now: Summoned) -> None:
    body = f"{EMPIRES[now.seat].purchase}\nDECISIONS interactive"
    need(hand_in(table, now, body), "Ask you by mail whatever your standing orders leave open")
    table.show.good(f"{now.client.name} wants to be asked by letter in the middle of battles.")


def standing_orders(table: WarTable, now: Summoned) -> None:
    """Green files what her fleets do while others move; she is never asked."""
    show = table.show
    show.scene(f"{now.client.name} leaves standing orders to her admirals and generals")
    body = "STANDING\n  INTERCEPT Red IN Eastern Mediterranean ALWAYS\n  BREAK OFF AT 3 TO 1\n  RETREAT BELOW 3 TO Ottoman\nEND"
    receipt = hand_in(table, now, body, *usual(table, now))
    need(receipt, "Your standing orders", "INTERCEPT Red IN Eastern Mediterranean ALWAYS", "BREAK OFF AT 3 TO 1")
    show.got(now.client.name, receipt, "Your standing orders", 16)


def exploring(table: WarTable, now: Summoned) -> None:
    """Twelve explorers set out, one of them with a gift."""
    table.show.scene(f"{now.client.name} sends his explorers out")
    body = "\n".join(usual(table, now)).replace("EXPLORE Kashmir", "EXPLORE Kashmir WITH gift")
    hand_in(table, now, body)


def declarations(table: WarTable, now: Summoned) -> None:
    """Red quarrels with both neighbours."""
    table.show.scene(f"{now.client.name} declares war")
    body = "DECLARE WAR ON Blue\nDECLARE WAR ON Green"
    hand_in(table, now, body, *usual(table, now))
    table.promise(now.phase, "Red declares war on Blue", "Red declares war on Green")


def invasion(table: WarTable, now: Summoned) -> None:
    """Red marches into France and sails past Green's fleets; the battles are then played by letter."""
    table.show.scene(f"{now.client.name} invades France and sets sail; Green lies in wait")
    body = (
        "SAIL 2 fleets FROM Eastern Mediterranean TO Adriatic Sea\n"
        "MOVE 7 infantry, 3 cavalry, 1 artillery, 1 general FROM Germany TO France"
    )
    hand_in(table, now, body, *usual(table, now))
    table.invaded = now.phase


# ---------------------------------------------------------------- when


ACTS = (
    act(drafting, "Red", "draft"),
    act(purchase, "Red", "purchase"),
    act(purchase_too, "Blue", "purchase"),
    act(declarations, "Red", "movement", 1, 1),
    act(standing_orders, "Green", "movement", 1, 1),
    act(exploring, "Yellow", "movement", 1, 1),
    act(invasion, "Red", "movement", 1, 2),
    act(typing_errors, "Green", "production", 2),
    act(peace_offer, "Blue", "production", 2),
    act(acceptance, "Red", "movement", 2, 1, "# ACCEPT "),
    act(silence, "Yellow", "movement", 2, 1),
)
"""What happens on the way: whenever somebody is asked, the first of those left that fits."""
