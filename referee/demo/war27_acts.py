"""What happens on the way in the demo of War!, one function each; each checks every letter it brings."""

from __future__ import annotations

from dataclasses import replace

from referee.demo.client import Letter
from referee.demo.scenes import corrected_by_yes, reminded
from referee.demo.table import need
from referee.demo.war27_orders import EMPIRES, answer, builds, explorers, marches, sea_fights, uncommented
from referee.demo.war_table import Summoned, WarTable, act, decide, roll_out

__all__ = [
    "ACTS",
    "acceptance",
    "declarations",
    "drafting",
    "exploring",
    "invasion",
    "movement",
    "ordinary",
    "peace_offer",
    "purchase",
    "purchase_too",
    "silence",
    "standing_orders",
    "typing_errors",
]


# ---------------------------------------------------------------- whatever is owed


def ordinary(table: WarTable, now: Summoned) -> None:
    """What is owed, as the player of this empire sees it."""
    empire = EMPIRES[now.seat]
    match now.stage:
        case "decision":
            decide(table, now, _kind(now.letter), answer(empire, now.letter))
        case "draft":
            roll_out(table, now, empire.draft)
        case "purchase":
            roll_out(table, now, empire.purchase)
        case "production":
            roll_out(table, now, *builds(now.form, explorers_wanted=not table.spheres()))
        case _:
            roll_out(table, now, *movement(now))


def movement(now: Summoned) -> list[str]:
    """Explorers and armies among the natives; at sea the stronger attacks, once the first turn is over."""
    fights = sea_fights(now.form) if now.turn > 1 else []
    return [*fights, *explorers(now.form, EMPIRES[now.seat].ways), *marches(now.form)]


_KINDS = {
    "must go. Which?": "casualties",
    "Three hits may become one": "hits fused",
    "Fight on or retreat?": "retreat",
    "must retreat. Where to?": "way out",
    "Do you intercept with": "interception",
    "Does he talk to the natives?": "explorers",
    "Where do they go?": "way out",
    "Fight on, or break off?": "breaking off",
}


def _kind(letter: Letter) -> str:
    return next((kind for sign, kind in _KINDS.items() if sign in letter.flat), "something else")


# ---------------------------------------------------------------- the acts


def drafting(table: WarTable, now: Summoned) -> None:
    """The first list of regions, shown."""
    table.show.scene("The set-up: everybody ranks regions, and the map is dealt out")
    table.show.wrote(now.client.name, EMPIRES[now.seat].draft)
    ordinary(table, now)


def purchase(table: WarTable, now: Summoned) -> None:
    """Anna buys, and wants to be asked in her battles."""
    table.show.scene("Sealed purchases, revealed together")
    _asks_for_letters(table, now)


def purchase_too(table: WarTable, now: Summoned) -> None:
    """Ben wants the same."""
    _asks_for_letters(table, now)


def _asks_for_letters(table: WarTable, now: Summoned) -> None:
    body = f"{EMPIRES[now.seat].purchase}\nDECISIONS interactive"
    table.show.wrote(now.client.name, body)
    receipt = roll_out(table, now, body)
    need(receipt, "Ask you by mail whatever your standing orders leave open")
    table.show.good(f"{now.client.name} wants to be asked by letter in the middle of battles.")


def standing_orders(table: WarTable, now: Summoned) -> None:
    """Green files what her fleets do while others move; she is never asked."""
    show = table.show
    show.scene(f"{now.client.name} leaves standing orders to her admirals and generals")
    body = "STANDING\n  INTERCEPT Red IN Eastern Mediterranean ALWAYS\n  BREAK OFF AT 3 TO 1\n  RETREAT BELOW 3 TO Ottoman\nEND"
    show.wrote(now.client.name, body)
    receipt = roll_out(table, now, body, *movement(now))
    need(receipt, "Your standing orders", "INTERCEPT Red IN Eastern Mediterranean ALWAYS", "BREAK OFF AT 3 TO 1")
    show.got(now.client.name, receipt, "Your standing orders", 16)


def exploring(table: WarTable, now: Summoned) -> None:
    """Twelve explorers set out, one of them with a gift."""
    table.show.scene(f"{now.client.name} sends his explorers out")
    body = "\n".join(movement(now)).replace("EXPLORE Kashmir", "EXPLORE Kashmir WITH gift")
    table.show.wrote(now.client.name, body)
    roll_out(table, now, body)


def declarations(table: WarTable, now: Summoned) -> None:
    """Red quarrels with both neighbours."""
    table.show.scene(f"{now.client.name} declares war")
    body = "DECLARE WAR ON Blue\nDECLARE WAR ON Green"
    table.show.wrote(now.client.name, body)
    roll_out(table, now, body, *movement(now))
    table.promise(now.phase, "Red declares war on Blue", "Red declares war on Green")


def invasion(table: WarTable, now: Summoned) -> None:
    """Red marches into France and sails past Green's fleets; the battles are then played by letter."""
    table.show.scene(f"{now.client.name} invades France and sets sail; Green lies in wait")
    body = (
        "SAIL 2 fleets FROM Eastern Mediterranean TO Adriatic Sea\n"
        "MOVE 7 infantry, 3 cavalry, 1 artillery, 1 general FROM Germany TO France"
    )
    table.show.wrote(now.client.name, body)
    roll_out(table, now, body, *movement(now))
    table.invaded = now.phase


def typing_errors(table: WarTable, now: Summoned) -> None:
    """Slips in a production sheet, corrected by a reply that says only YES."""
    table.show.scene(f"{now.client.name} types in a hurry")
    right = "BUILD 1 infantry IN Egypt"
    corrected = corrected_by_yes(table, now, "BIULD 1 infantry IN Egypt", ("BIULD", "^^^^^", right), (right,))
    replace(now, letter=corrected).roll_out()
    table.show.good("The slip was corrected by YES.")


def peace_offer(table: WarTable, now: Summoned) -> None:
    """Blue has had enough."""
    table.show.scene(f"{now.client.name} sues for peace")
    table.show.wrote(now.client.name, "OFFER peace TO Red")
    receipt = roll_out(table, now, "OFFER peace TO Red", *builds(now.form, explorers_wanted=not table.spheres()))
    need(receipt, "Offer peace to Red")


def acceptance(table: WarTable, now: Summoned) -> None:
    """Red finds the offer at the end of the order form and accepts it in her own movement."""
    accept = uncommented(now.form, "ACCEPT")[0]
    table.show.scene(f"{now.client.name} finds an offer of peace in her order form")
    table.show.got(now.client.name, now.letter, "offers you peace", 3)
    table.show.wrote(now.client.name, accept)
    roll_out(table, now, accept)
    table.promise(now.phase, "Blue and Red make peace")


def silence(table: WarTable, now: Summoned) -> None:
    """Nothing comes: two reminders, then the deadline; only what happens by itself is played."""
    reminded(table, now, "the rules' default is played for you")
    table.pass_time(hours=2)
    table.show.say("The deadline passes.")
    played = f"{now.seat}, the whole turn: played by default after the deadline"
    table.promise(now.phase, played, reader=now.client)


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
