"""What happens on the way in the demo of War!, one function each; each checks every letter it brings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.demo.client import Letter
from referee.demo.table import need
from referee.demo.war27_orders import EMPIRES, answer, builds, explorers, marches, sea_fights, uncommented
from referee.demo.war27_table import Asked, WarTable

__all__ = [
    "ACTS",
    "Act",
    "acceptance",
    "declarations",
    "decide",
    "drafting",
    "exploring",
    "invasion",
    "movement",
    "ordinary",
    "peace_offer",
    "purchase",
    "purchase_too",
    "roll_out",
    "silence",
    "standing_orders",
    "typing_errors",
]


# ---------------------------------------------------------------- whatever is owed


def ordinary(table: WarTable, now: Asked) -> None:
    """What is owed, as the player of this empire sees it."""
    empire = EMPIRES[now.seat]
    match now.stage:
        case "decision":
            decide(table, now)
        case "draft":
            roll_out(table, now, empire.draft)
        case "purchase":
            roll_out(table, now, empire.purchase)
        case "production":
            roll_out(table, now, *builds(now.form, explorers_wanted=not table.spheres()))
        case _:
            roll_out(table, now, *movement(now))


def movement(now: Asked) -> list[str]:
    """Explorers and armies among the natives; at sea the stronger attacks, once the first turn is over."""
    fights = sea_fights(now.form) if now.turn > 1 else []
    return [*fights, *explorers(now.form, EMPIRES[now.seat].ways), *marches(now.form)]


def roll_out(table: WarTable, now: Asked, *lines: str) -> Letter:
    """Send orders that end the slot, a while after the letter came; the receipt.

    A line that others have overtaken meanwhile is refused: then the rest is played by ROLL OUT alone.
    """
    table.pass_time(minutes=50)
    body = "\n".join((*lines, "ROLL OUT"))
    receipt = now.client.answer_to(now.client.reply(now.letter, body), "the receipt for orders")
    if "Some of your lines were refused" in receipt.flat:
        if not table.overtaken:
            table.show.got(now.client.name, receipt, "Not taken", 24)
        table.overtaken += 1
        receipt = now.client.answer_to(now.client.reply(receipt, "ROLL OUT"), "the receipt for ROLL OUT")
    need(receipt, "Your slot is ended")
    return receipt


def decide(table: WarTable, now: Asked) -> None:
    """Reply to a question in the middle of a turn; a battle is played round by round in this way."""
    body = answer(EMPIRES[now.seat], now.letter)
    kind = _kind(now.letter)
    first = not table.decided[kind]
    table.decided[kind] += 1
    if first:
        table.show.got(now.client.name, now.letter, "", 26)
        table.show.wrote(now.client.name, body)
    receipt = now.client.answer_to(now.client.reply(now.letter, body), "the receipt for an answer")
    need(receipt, "DONE", "is taken")
    if not first:
        table.show.say(f"{now.client.name} was asked again ({kind}) and answered {body.removeprefix('CHOOSE ')}.")


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


def drafting(table: WarTable, now: Asked) -> None:
    """The first list of regions, shown."""
    table.show.scene("The set-up: everybody ranks regions, and the map is dealt out")
    table.show.wrote(now.client.name, EMPIRES[now.seat].draft)
    ordinary(table, now)


def purchase(table: WarTable, now: Asked) -> None:
    """Anna buys, and wants to be asked in her battles."""
    table.show.scene("Sealed purchases, revealed together")
    _asks_for_letters(table, now)


def purchase_too(table: WarTable, now: Asked) -> None:
    """Ben wants the same."""
    _asks_for_letters(table, now)


def _asks_for_letters(table: WarTable, now: Asked) -> None:
    body = f"{EMPIRES[now.seat].purchase}\nDECISIONS interactive"
    table.show.wrote(now.client.name, body)
    receipt = roll_out(table, now, body)
    need(receipt, "Ask you by mail whatever your standing orders leave open")
    table.show.good(f"{now.client.name} wants to be asked by letter in the middle of battles.")


def standing_orders(table: WarTable, now: Asked) -> None:
    """Green files what her fleets do while others move; she is never asked."""
    show = table.show
    show.scene(f"{now.client.name} leaves standing orders to her admirals and generals")
    body = "STANDING\n  INTERCEPT Red IN Eastern Mediterranean ALWAYS\n  BREAK OFF AT 3 TO 1\n  RETREAT BELOW 3 TO Ottoman\nEND"
    show.wrote(now.client.name, body)
    receipt = roll_out(table, now, body, *movement(now))
    need(receipt, "Your standing orders", "INTERCEPT Red IN Eastern Mediterranean ALWAYS", "BREAK OFF AT 3 TO 1")
    show.got(now.client.name, receipt, "Your standing orders", 16)


def exploring(table: WarTable, now: Asked) -> None:
    """Twelve explorers set out, one of them with a gift."""
    table.show.scene(f"{now.client.name} sends his explorers out")
    body = "\n".join(movement(now)).replace("EXPLORE Kashmir", "EXPLORE Kashmir WITH gift")
    table.show.wrote(now.client.name, body)
    roll_out(table, now, body)


def declarations(table: WarTable, now: Asked) -> None:
    """Red quarrels with both neighbours."""
    table.show.scene(f"{now.client.name} declares war")
    body = "DECLARE WAR ON Blue\nDECLARE WAR ON Green"
    table.show.wrote(now.client.name, body)
    roll_out(table, now, body, *movement(now))
    table.promised.append((table.watcher, now.phase, ("Red declares war on Blue", "Red declares war on Green")))


def invasion(table: WarTable, now: Asked) -> None:
    """Red marches into France and sails past Green's fleets; the battles are then played by letter."""
    table.show.scene(f"{now.client.name} invades France and sets sail; Green lies in wait")
    body = (
        "SAIL 2 fleets FROM Eastern Mediterranean TO Adriatic Sea\n"
        "MOVE 7 infantry, 3 cavalry, 1 artillery, 1 general FROM Germany TO France"
    )
    table.show.wrote(now.client.name, body)
    roll_out(table, now, body, *movement(now))
    table.invaded = now.phase


def typing_errors(table: WarTable, now: Asked) -> None:
    """Slips in a production sheet, corrected by a reply that says only YES."""
    show, player = table.show, now.client
    show.scene(f"{player.name} types in a hurry")
    body = "BIULD 1 infantry IN Egypt"
    show.wrote(player.name, body)
    receipt = player.answer_to(player.reply(now.letter, body, quoting=True), "the receipt for orders with slips")
    need(receipt, "BIULD", "^^^^^", "BUILD 1 infantry IN Egypt", "Reply with just YES")
    corrected = player.answer_to(player.reply(receipt, "YES", quoting=True), "the receipt for YES")
    need(corrected, "COMPLETE", "BUILD 1 infantry IN Egypt")
    ended = player.answer_to(player.reply(corrected, "ROLL OUT"), "the receipt for ROLL OUT")
    need(ended, "Your slot is ended")
    show.good("The slip was corrected by YES.")


def peace_offer(table: WarTable, now: Asked) -> None:
    """Blue has had enough."""
    table.show.scene(f"{now.client.name} sues for peace")
    table.show.wrote(now.client.name, "OFFER peace TO Red")
    receipt = roll_out(table, now, "OFFER peace TO Red", *builds(now.form, explorers_wanted=not table.spheres()))
    need(receipt, "Offer peace to Red")


def acceptance(table: WarTable, now: Asked) -> None:
    """Red finds the offer at the end of the order form and accepts it in her own movement."""
    accept = uncommented(now.form, "ACCEPT")[0]
    table.show.scene(f"{now.client.name} finds an offer of peace in her order form")
    table.show.got(now.client.name, now.letter, "offers you peace", 3)
    table.show.wrote(now.client.name, accept)
    roll_out(table, now, accept)
    table.promised.append((table.watcher, now.phase, ("Blue and Red make peace",)))


def silence(table: WarTable, now: Asked) -> None:
    """Nothing comes: two reminders, then the deadline; only what happens by itself is played."""
    show, player = table.show, now.client
    show.scene(f"{player.name} falls silent")
    for hours, left in ((12, 12), (10, 2)):
        table.pass_time(hours=hours)
        reminder = player.expect("a reminder", lambda letter: " left for Turn " in letter.subject)
        need(reminder, f"{left} h left for {now.phase}", "the rules' default is played for you")
    show.got(player.name, reminder, "", 20)
    table.pass_time(hours=2)
    show.say("The deadline passes.")
    table.promised.append((player, now.phase, (f"{now.seat}, the whole turn: played by default after the deadline",)))


# ---------------------------------------------------------------- when


@dataclass(frozen=True)
class Act:
    """An unusual letter: who writes it, owing what, and from which turn and round on."""

    perform: Callable[[WarTable, Asked], None]
    seat: str
    stage: str
    turn: int = 0
    round: int = 0
    sees: str = ""
    """Words that must stand on the order form."""

    def fits(self, now: Asked) -> bool:
        """Whether this is its moment."""
        due = (now.turn, now.round) >= (self.turn, self.round)
        return (now.seat, now.stage) == (self.seat, self.stage) and due and self.sees in "\n".join(now.form)


ACTS = (
    Act(drafting, "Red", "draft"),
    Act(purchase, "Red", "purchase"),
    Act(purchase_too, "Blue", "purchase"),
    Act(declarations, "Red", "movement", 1, 1),
    Act(standing_orders, "Green", "movement", 1, 1),
    Act(exploring, "Yellow", "movement", 1, 1),
    Act(invasion, "Red", "movement", 1, 2),
    Act(typing_errors, "Green", "production", 2),
    Act(peace_offer, "Blue", "production", 2),
    Act(acceptance, "Red", "movement", 2, 1, "# ACCEPT "),
    Act(silence, "Yellow", "movement", 2, 1),
)
"""What happens on the way: whenever somebody is asked, the first of those left that fits."""
