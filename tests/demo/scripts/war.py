"""A match of War! in a demo, the same for every edition: forms, the table, what happens on the way, the match."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from referee.demo.client import Letter, MailClient
from referee.demo.match import company, open_match
from referee.demo.service_process import House
from referee.demo.table import Act, Asked, Show, Table, Unexpected, asks, form_of, need, play_through, wait_for
from tests.demo.scripts.scenes import corrected_by_yes, keep_map, reminded


def proposed_orders(form: Sequence[str]) -> list[str]:
    """Orders that stand on a form already."""
    return [line for line in form if line and not line.startswith("#")]


def uncommented(form: Sequence[str], *verbs: str) -> list[str]:
    """Lines of advice of a form that are orders with one of these verbs."""
    lines = [line.removeprefix("# ") for line in form if line.startswith("# ")]
    return [line for line in lines if line.startswith(tuple(f"{verb} " for verb in verbs))]


def choices(letter: Letter) -> list[str]:
    """The choices as they stand on the menu of a question, without their meaning."""
    return [line.removeprefix("# ").partition(":")[0] for line in form_of(letter) if line.startswith("# ")]


def proposed_answer(letter: Letter) -> str:
    """The line of the answer as the letter proposes it, a `CHOOSE`."""
    return next(line for line in form_of(letter) if line.startswith("CHOOSE "))


# ---------------------------------------------------------------- the table


_OWES = re.compile(
    r"(?:You owe|Your) (orders|an answer) for (Set-up|Turn (\d+): production|Turn (\d+), round (\d): (\w+) moves)"
    r"(?:\.| are on file)"
)
_SPHERE = re.compile(r"\w+ places a sphere of influence in [\w -]+\.")


@dataclass(frozen=True)
class Summoned(Asked):
    """Somebody who owes a sheet, or a decision. `round` 0 outside of movement."""

    decision: bool
    round: int

    @property
    def stage(self) -> str:
        """`decision`, `draft`, `purchase`, `production` or `movement`."""
        if self.decision:
            return "decision"
        if self.phase == "Set-up":
            return "draft" if any(line.startswith("DRAFT ") for line in self.form) else "purchase"
        return "movement" if self.round else "production"


@dataclass(frozen=True)
class SetUp:
    """What a player asks for in the set-up: regions, best first, and what his PP buy, with its places."""

    draft: str
    purchase: str


@dataclass(frozen=True)
class Manners:
    """How the players of an edition play when nothing special is going on."""

    empires: Mapping[str, SetUp]
    """By seat, in the order in which the players join."""
    movement: Callable[[WarTable, Summoned], Sequence[str]]
    production: Callable[[WarTable, Summoned], Sequence[str]]
    """The lines of a sheet."""
    answer: Callable[[Summoned], str]
    """What is replied to a question in the middle of a turn."""
    questions: Mapping[str, str]
    """Words of such a question, and what kind of decision it asks for."""


@dataclass
class WarTable(Table):
    """Everybody with his manners, and what has been decided by letter in the middle of turns."""

    phases: ClassVar[str] = r"Set-up|Turn \d+[^:]*: (production|\w+ moves)"

    manners: Manners
    decided: Counter[str] = field(default_factory=Counter)
    overtaken: int = 0
    """Sheets of which a line was refused when it came, for what others had done meanwhile."""
    invaded: str = ""
    """The phase in which the march began that ends in the battle to be shown."""

    def asked(self) -> Summoned | None:
        """Wait for the letter that asks somebody for something; None when the farewell comes instead. Raises NoLetter."""
        return wait_for(self, self._read)

    def _read(self, client: MailClient, letter: Letter) -> Summoned | None:
        found = _OWES.search(letter.flat) if asks(letter) else None
        if found is None:
            return None
        turn, round = int(found[3] or found[4] or 0), int(found[5] or 0)
        return Summoned(client, self.seat_of(client), letter, found[2], turn, found[1] != "orders", round)

    def kind_of(self, question: Letter) -> str:
        """What kind of decision a question asks for."""
        signs = self.manners.questions
        return next((kind for sign, kind in signs.items() if sign in question.flat), "something else")

    def spheres(self) -> list[str]:
        """Every sphere of influence that was placed so far, in the words of the reports."""
        return [sentence for letter in self.reports(self.watcher) for sentence in _SPHERE.findall(letter.flat)]


# ---------------------------------------------------------------- what happens on the way


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


# ---------------------------------------------------------------- the match


@dataclass(frozen=True)
class Edition:
    """Which edition is played, up to which turn, how its players play, what happens on the way, and what must have."""

    game: str
    """As CREATE names it."""
    title: str
    match: str
    last_turn: int
    manners: Manners
    acts: Sequence[Act[WarTable, Summoned]]
    look_back: Callable[[WarTable, Letter], None]
    """Looks whether it happened; gets the report of the invasion. Raises NoLetter, Unexpected."""


def play_edition(house: House, show: Show, edition: Edition) -> tuple[WarTable, Letter]:
    """From CREATE to the end, and what the reports say of it; the table, and the farewell as the game master got it."""
    wishes = (*edition.manners.empires,)
    table = WarTable(house, show, edition.match, "victory points", *company(house, len(wishes)), edition.manners)
    create = f"CREATE {edition.game} AS {table.match} WITH last_turn {edition.last_turn}"
    open_match(table, create, edition.title, wishes)
    farewell = play_through(table, table.asked, ordinary, edition.acts)
    table.keep_promises()
    invasion = table.report_of(table.watcher, table.invaded)
    edition.look_back(table, invasion)
    keep_map(table, invasion)
    return table, farewell


def tell_decisions(table: WarTable, *wanted: str) -> None:
    """Count the decisions by letter. Raises Unexpected where nobody was asked for one of the kinds wanted."""
    for kind in wanted:
        if not table.decided[kind]:
            raise Unexpected(f"Nobody was asked by letter about {kind}.")
    decided = ", ".join(f"{kind} {number}" for kind, number in table.decided.items())
    table.show.good(f"Decisions by letter in the middle of turns: {decided}.")
