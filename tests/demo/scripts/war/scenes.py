"""What is played in the demo of either edition of War!: sheets as usual, answers in a battle, and the scenes of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.demo.client import Letter
from referee.demo.table import Act, Asked, need
from tests.demo.scripts.scenes import corrected_by_yes, reminded
from tests.demo.scripts.war.forms import uncommented
from tests.demo.scripts.war.table import Summoned, WarTable

# ---------------------------------------------------------------- whatever is owed


def ordinary(table: WarTable, now: Summoned) -> None:
    """What is owed, as the player of this empire sees it."""
    if now.stage == "decision":
        _decide(table, now)
    else:
        roll_out(table, now, *usual(table, now))


def usual(table: WarTable, now: Summoned) -> Sequence[str]:
    """The lines of a sheet when nothing special is going on."""
    manners = table.manners
    match now.stage:
        case "draft":
            return [manners.empires[now.seat].draft]
        case "purchase":
            return [manners.empires[now.seat].purchase]
        case "production":
            return manners.production(table, now)
        case _:
            return manners.movement(table, now)


def _decide(table: WarTable, now: Summoned) -> None:
    """Reply to a question in the middle of a turn; the first of a kind is shown whole, the others in a sentence."""
    kind, body = table.kind_of(now.letter), table.manners.answer(now)
    first = not table.decided[kind]
    table.decided[kind] += 1
    if first:
        table.show.got(now.client.name, now.letter, "", 26)
        table.show.wrote(now.client.name, body)
    need(now.reply(body, "the receipt for an answer"), "DONE", "is taken")
    if not first:
        table.show.say(f"{now.client.name} was asked again ({kind}) and answered {body.removeprefix('CHOOSE ')}.")


# ---------------------------------------------------------------- sheets


def roll_out(table: WarTable, now: Asked, *lines: str) -> Letter:
    """Send orders that end the slot, a while after the letter came; the receipt.

    A line that others have overtaken meanwhile is refused: then the rest is played by ROLL OUT alone.
    """
    table.pass_time(minutes=50)
    receipt = now.reply("\n".join((*lines, "ROLL OUT")), "the receipt for orders")
    if "Some of your lines were refused" in receipt.flat:
        if not table.overtaken:
            table.show.got(now.client.name, receipt, "Not taken", 24)
        table.overtaken += 1
        receipt = replace(now, letter=receipt).reply("ROLL OUT", "the receipt for ROLL OUT")
    need(receipt, "Your slot is ended")
    return receipt


def hand_in(table: WarTable, now: Asked, body: str, *besides: str) -> Letter:
    """Send orders that end the slot and show them, but for lines that go `besides`; the receipt."""
    table.show.wrote(now.client.name, body)
    return roll_out(table, now, body, *besides)


# ---------------------------------------------------------------- the acts of both editions


def drafting(table: WarTable, now: Summoned) -> None:
    """The first list of regions, shown."""
    table.show.scene("The set-up: everybody ranks regions, and the map is dealt out")
    hand_in(table, now, *usual(table, now))


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
    hand_in(table, now, "OFFER peace TO Red", *usual(table, now))


def acceptance(table: WarTable, now: Summoned) -> None:
    """Red finds the offer at the end of the order form and accepts it in her own movement."""
    table.show.scene(f"{now.client.name} finds an offer of peace in her order form")
    table.show.got(now.client.name, now.letter, "offers you peace", 3)
    hand_in(table, now, uncommented(now.form, "ACCEPT")[0])
    table.promise(now.phase, "Blue and Red make peace")


def silence(table: WarTable, now: Summoned) -> None:
    """Nothing comes: two reminders, then the deadline; only what happens by itself is played."""
    reminded(table, now, "an empty sheet is played for you")
    table.pass_time(hours=2)
    table.show.say("The deadline passes.")
    played = f"{now.seat}, the whole turn: played by default after the deadline"
    table.promise(now.phase, played, reader=now.client)


# ---------------------------------------------------------------- when


def act(
    perform: Callable[[WarTable, Summoned], None], seat: str, stage: str, turn: int = 0, round: int = 0, sees: str = ""
) -> Act[WarTable, Summoned]:
    """An unusual letter: who writes it, owing what, from which turn and round on; `sees` must stand on his order form."""

    def fits(table: WarTable, now: Summoned) -> bool:
        due = (now.turn, now.round) >= (turn, round)
        return (now.seat, now.stage) == (seat, stage) and due and sees in "\n".join(now.form)

    return Act(perform, fits)
