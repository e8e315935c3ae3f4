"""The demo of Empire: a match of three players by letter, from the cards of the zero turn to the sixth turn."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from referee.demo.client import Letter, MailClient
from referee.demo.match import company, open_match
from referee.demo.service_process import House
from referee.demo.table import Act, Asked, Show, Table, Unexpected, answer_to, asks, need, play_through, wait_for
from tests.demo.scripts.scenes import corrected_by_yes, keep_map, reminded


@dataclass(frozen=True)
class Plan:
    """What a player wants: where the capital stands and its name, the two picks, the farms around it, what is built."""

    capital: str
    city: str
    picks: str
    farms: tuple[str, ...]
    builds: tuple[str, ...]
    vote: str = "yes"
    """What he votes on every petition."""

    @property
    def settles(self) -> str:
        """The order for the capital."""
        return f'PLACE CAPITAL {self.capital} NAMED "{self.city}"'


PLANS: Mapping[str, Plan] = {
    "Arcadia": Plan(
        "c5r5",
        "Aurora",
        "truck, 6 road",
        ("c4r5", "c6r5", "c5r4", "c4r4", "c6r4", "c5r7", "c3r5"),
        ("steel mill", "warehouse"),
    ),
    "Borealis": Plan(
        "c13r4",
        "Boreal Haven",
        "cargo ship, truck",
        ("c15r3", "c15r4", "c17r4", "c16r5", "c15r6", "c16r3", "c17r5"),
        ("dock",),
        "no",
    ),
    "Cascadia": Plan(
        "c10r13",
        "Cedar Falls",
        "truck, locomotive",
        ("c10r12", "c9r13", "c9r14", "c10r14", "c9r12", "c11r14", "c8r12"),
        ("tool and die works", "aluminum refinery"),
    ),
}
"""Three countries far enough from each other that every order of the cards gives everybody his own place."""


def farming(plan: Plan) -> Iterator[str]:
    """A coolie for every farm, out of the capital."""
    yield from (f"MOVE 1 coolie FROM {plan.capital} TO {farm}" for farm in plan.farms)
    yield from (f"WORK farm IN {farm}" for farm in plan.farms)


_IDLE = re.compile(r"^# Idle in (c\d+r\d+)\b.*?coolies? (\d+)")
_PROPOSED = ("# MOVE coolie ", "# WORK ")


def growing(form: Sequence[str], builds: Sequence[str], at: str) -> list[str]:
    """What the form proposes for the idle, the first of each square; then something is built in the capital."""
    lines = [line.removeprefix("# ") for line in form if line.startswith(_PROPOSED)]
    return [*lines, *(f"BUILD {what} IN {at}" for what in builds)]


def idle(form: Sequence[str], at: str) -> int:
    """The first coolie that has nothing to do in a square. Raises StopIteration when the form names none."""
    found = filter(None, map(_IDLE.match, form))
    return next(int(match[2]) for match in found if match[1] == at)


_LISTED = re.compile(r"^# ([a-zA-Z][\w -]*?)s? (\d[\d, to]*) in (c\d+r\d+)\b")
_NUMBERS = re.compile(r"(\d+)(?: to (\d+))?")


def whereabouts(form: Sequence[str]) -> dict[str, str]:
    """The square of every unit that the form lists, by its name, as `fighter 85`; it lists nobody who is carried."""
    found: dict[str, str] = {}
    for match in filter(None, map(_LISTED.match, "\n".join(form).replace("\n#   ", " ").splitlines())):
        for first, last in _NUMBERS.findall(match[2]):
            found |= {f"{match[1]} {number}": match[3] for number in range(int(first), int(last or first) + 1)}
    return found


def numbers(form: Sequence[str], kind: str) -> list[int]:
    """The numbers of the vehicles of a kind that the form lists."""
    return [int(name.rpartition(" ")[2]) for name in whereabouts(form) if name.rpartition(" ")[0] == kind]


# ---------------------------------------------------------------- the table


_OWES = re.compile(r"(?:You owe|Your) orders for (Zero turn: capitals|Turn (\d+): (\w+))(?:\.| are on file)")


@dataclass
class EmpireTable(Table):
    """Everybody, and what the story remembers from turn to turn."""

    phases: ClassVar[str] = r"Zero turn: capitals|Turn \d+: \w+"

    ship: str = ""
    """The cargo ship that is to be seized, as `cargo ship 98`."""

    def asked(self) -> Asked | None:
        """Wait for the letter that asks somebody for orders; None when the farewell comes instead. Raises NoLetter."""
        return wait_for(self, self._read)

    def _read(self, client: MailClient, letter: Letter) -> Asked | None:
        found = _OWES.search(letter.flat) if asks(letter) else None
        return Asked(client, self.seat_of(client), letter, found[1], int(found[2] or 0)) if found else None

    def part(self, now: Asked, *lines: str) -> Asked:
        """Send a part of a slot, which is carried out at once; the letter that says what came of it. Raises NoLetter."""
        need(now.reply("\n".join((*lines, "EXECUTE")), "the receipt for EXECUTE"), "carried out and stand")
        told = now.client.expect(
            "the question for the next part", lambda letter: ", part " in letter.flat and asks(letter)
        )
        return replace(now, letter=told)


# ---------------------------------------------------------------- what happens on the way


_BEACH = "c8r6"
"""Where the ship of Borealis lands, within a day's walk of Aurora."""

_COLONY, _FARM = "c7r12", "c6r11"
"""Where Cascadia's second city stands, and the farm that feeds it."""


# ---------------------------------------------------------------- whatever is owed


def ordinary(table: EmpireTable, now: Asked) -> None:
    """A capital, farms in turn 1, later what the form proposes and a building."""
    roll_out(table, now, *_usual(now))


def _usual(now: Asked) -> list[str]:
    plan = PLANS[now.seat]
    if not now.turn:
        return [plan.settles]
    if now.turn == 1:
        return [f"PICK {plan.picks}", *farming(plan)]
    return growing(now.form, plan.builds[now.turn - 2 : now.turn - 1], plan.capital)


def roll_out(table: EmpireTable, now: Asked, *lines: str) -> Letter:
    """Send orders that end the slot, a while after the letter came, with a vote where one is asked for; the receipt."""
    table.pass_time(minutes=50)
    votes = (f"VOTE {PLANS[now.seat].vote} ON 1",) if "# VOTE yes ON 1" in now.form else ()
    return now.roll_out(*votes, *lines)


# ---------------------------------------------------------------- turn 1


def in_parts(table: EmpireTable, now: Asked) -> None:
    """A sheet in two parts: the moves are executed and stand, the rest follows when she has seen where everybody is."""
    show, player, plan = table.show, now.client, PLANS[now.seat]
    show.scene(f"{player.name} sends her turn in parts")
    moves = [line for line in farming(plan) if line.startswith("MOVE")]
    show.wrote(player.name, "\n".join((f"PICK {plan.picks}", *moves, "EXECUTE")))
    then = table.part(now, f"PICK {plan.picks}", *moves)
    need(then.letter, "part 2", f"coolies went from {plan.capital}:", f" to {plan.farms[0]} (2 BTA)")
    show.got(player.name, then.letter, "What has happened so far", 12)
    rest = [line for line in farming(plan) if line.startswith("WORK")]
    show.wrote(player.name, "\n".join((*rest, "ROLL OUT")))
    roll_out(table, then, *rest)
    table.promise(now.phase, f"{now.seat} sets to work: farm in {plan.farms[0]}", "invests in 7 squares")


def typing_errors(table: EmpireTable, now: Asked) -> None:
    """A slip and an order that a rule forbids, both corrected by a reply that says only YES."""
    show, player, plan = table.show, now.client, PLANS[now.seat]
    show.scene(f"{player.name} types in a hurry, and sends somebody too far")
    first, *rest = farming(plan)
    walker = f"MOVE coolie {idle(now.form, plan.capital) + len(plan.farms)} TO "  # the first that goes to no farm
    body = "\n".join((first.replace("MOVE", "MVOE"), f"{walker}c17r9", *rest, f"PICK {plan.picks}"))
    signs = ("MVOE", "^^^^", first, "not allowed", "has 12 BTA left")
    corrected = corrected_by_yes(table, now, body, signs, (first, f"{walker}c17r8"))
    show.good("Both lines were corrected by YES: the word, and the way that was too far.")
    replace(now, letter=corrected).roll_out()


def preview(table: EmpireTable, now: Asked) -> None:
    """What would these orders come to? Nothing is filed by it."""
    show, player = table.show, now.client
    show.scene(f"{player.name} asks first where her orders would lead")
    lines = _usual(now)
    body = "\n".join(("PREVIEW", *lines, "END"))
    answer = now.reply(body, "the answer to PREVIEW")
    need(answer, "BTA left", "mouths")
    show.got(player.name, answer, "Preview", 20)
    roll_out(table, now, *lines)


# ---------------------------------------------------------------- petition


def petition(table: EmpireTable, now: Asked) -> None:
    """A clarification is posted; the others find it on their forms and vote in their own slots, see `roll_out`."""
    show = table.show
    show.scene(f"{now.client.name} posts a petition")
    text = "A ship that lies on a beach with nobody aboard can be seized by any coolie on that beach."
    body = f'PETITION FOR clarification "{text}"'
    show.wrote(now.client.name, body)
    need(now.reply(body, "the receipt for PETITION"), "DONE", "Post a petition for a clarification")
    ordinary(table, now)
    table.promise(now.phase, "posted petition 1 (clarification)")


# ---------------------------------------------------------------- a colony and a country of its own


def colony(table: EmpireTable, now: Asked) -> None:
    """Four coolies set out, one of them with a colony piece; a second city of Cascadia."""
    table.show.scene(f"{now.client.name} founds a second city")
    at = PLANS[now.seat].capital
    who = idle(now.form, at)
    body = "\n".join(
        (
            f"LOAD 1 colony piece ABOARD coolie {who}",
            f"MOVE coolie {who} TO {_COLONY}",
            f'FOUND "New Cedar" WITH coolie {who}',
            f"MOVE 4 coolies FROM {at} TO {_COLONY}",
            f"MOVE 1 coolie FROM {_COLONY} TO {_FARM}",
            f"WORK farm IN {_FARM}",
            f"WORK Cu IN {_COLONY}",
        )
    )
    table.show.wrote(now.client.name, body)
    roll_out(table, now, body)
    table.promise(now.phase, "Cascadia founds New Cedar")


def balkanization(table: EmpireTable, now: Asked) -> None:
    """The colony becomes a country of its own, of the same player."""
    show = table.show
    show.scene(f"{now.client.name} splits her country")
    body = f'BALKANIZE "Northland" WITH "New Cedar", 1 coolie FROM {_FARM}'
    show.wrote(now.client.name, body)
    roll_out(table, now, body)
    told = table.report_of(now.client, now.phase)
    need(told, "Cascadia was split: Northland begins with the city New Cedar")
    show.got(now.client.name, told, "Cascadia was split", 4)
    need(told, "i. Balkanization", "Northland")
    show.got(now.client.name, told, "i. Balkanization", 10)


# ---------------------------------------------------------------- a ship


def sailing(table: EmpireTable, now: Asked) -> None:
    """A ship with trade goods is drawn onto a foreign beach, and nobody stays aboard."""
    (ship,) = numbers(now.form, "cargo ship")
    table.ship = f"cargo ship {ship}"
    table.show.scene(f"{now.client.name} sends a ship to the coast of Arcadia")
    loading = f"DOCK {table.ship}\nLOAD 2 Cu, 2 Rr ABOARD {table.ship}"
    body = f"{loading}\nMOVE {table.ship} TO {_BEACH}\nBEACH {table.ship}"
    table.show.wrote(now.client.name, body)
    roll_out(table, now, body, *_usual(now))
    table.promise(now.phase, f"Borealis's {table.ship} went")


def spying(table: EmpireTable, now: Asked) -> None:
    """Somebody happens to walk down to that beach."""
    who = idle(now.form, PLANS[now.seat].capital)
    roll_out(
        table, now, f"MOVE coolie {who} TO {_BEACH}", *(line for line in _usual(now) if f"coolie {who}" not in line)
    )


def seizure(table: EmpireTable, now: Asked) -> None:
    """And takes what lies there."""
    table.show.scene(f"{now.client.name} finds a ship on her beach")
    body = f"SEIZE {table.ship} WITH coolie {idle(now.form, _BEACH)}"
    table.show.wrote(now.client.name, body)
    roll_out(table, now, body)
    told = table.report_of(table.seats["Borealis"], now.phase)
    need(told, f"Arcadia seized Borealis's {table.ship} in {_BEACH}")
    table.show.got(table.seats["Borealis"].name, told, "seized", 3)


# ---------------------------------------------------------------- late


def lateness(table: EmpireTable, now: Asked) -> None:
    """What is executed stands; then nothing more comes, and after the 24 hours another player rolls him out."""
    show, player = table.show, now.client
    begun = f"BUILD warehouse IN {PLANS[now.seat].capital}"
    show.scene(f"{player.name} begins his turn")
    show.wrote(player.name, f"{begun}\nEXECUTE")
    table.part(now, begun)
    reminded(table, now, "any other player may end your slot")
    table.pass_time(hours=3)
    caller = table.seats["Cascadia"]
    late = caller.expect("the letter that says who is late", lambda letter: "Borealis is late" in letter.subject)
    need(late, "ROLL OUT Borealis")
    show.got(caller.name, late, "", 10)
    show.wrote(caller.name, "ROLL OUT Borealis")
    rolled_out = answer_to(caller, caller.reply(late, "ROLL OUT Borealis"), "the receipt for ROLL OUT")
    need(rolled_out, "Borealis was rolled out")
    told = table.report_of(player, now.phase)
    record = re.search(r"\b(\d+)-->(\d+)\b", told.text)
    if record is None or int(record[2]) != max(2, int(record[1]) - 1):
        raise Unexpected("The report does not show the modified roll of a player who was a day late.")
    need(told, "1 full day after the slot opened", "the moves he had written stand")
    show.got(player.name, told, "Rolling out", 8)
    show.good(f"His record says {record[0]}.")


# ---------------------------------------------------------------- sheets


def record_sheets(table: EmpireTable, now: Asked) -> None:
    """Anybody's sheets for the asking, to read and as files."""
    show, player = table.show, now.client
    show.scene(f"{player.name} asks for record sheets")
    for body in ("SEND sheets OF Borealis", "SEND sheets OF Borealis AS csv", "SEND sheets OF Borealis AS xlsx"):
        answer = now.reply(body, f"the answer to {body}")
        tables = [data for name, data in answer.files.items() if name.endswith(".csv")]
        books = [data for name, data in answer.files.items() if name.endswith(".xlsx")]
        table.show.wrote(now.client.name, body)
        if body.endswith("AS csv"):
            rows = [row for data in tables for row in csv.reader(io.StringIO(data.decode("utf-8-sig")))]
            if not any("-->" in cell for row in rows for cell in row):
                raise Unexpected("The roll of the late turn stands in no CSV file of record sheets.")
            table.show.good(f"{len(tables)} CSV files came, {len(rows)} lines in all: {', '.join(answer.files)}.")
        elif body.endswith("AS xlsx"):
            if len(books) != 1 or zipfile.ZipFile(io.BytesIO(books[0])).testzip() is not None:
                raise Unexpected("The record sheets did not come as one workbook.")
            table.show.good(f"{', '.join(answer.files)} came, {len(books[0])} bytes.")
        else:
            need(answer, "f. Had-Used-Produced", "Had + produced + traded - used = now, checked for each line.")
            table.show.got(now.client.name, answer, "e. Trade", 22)
    ordinary(table, now)


# ---------------------------------------------------------------- when


def _act(perform: Callable[[EmpireTable, Asked], None], seat: str, turn: int) -> Act[EmpireTable, Asked]:
    return Act(perform, lambda table, now: (now.seat, now.turn) == (seat, turn))


ACTS = (
    _act(in_parts, "Arcadia", 1),
    _act(typing_errors, "Borealis", 1),
    _act(preview, "Cascadia", 1),
    _act(petition, "Arcadia", 2),
    _act(colony, "Cascadia", 2),
    _act(sailing, "Borealis", 3),
    _act(spying, "Arcadia", 3),
    _act(seizure, "Arcadia", 4),
    _act(lateness, "Borealis", 4),
    _act(balkanization, "Cascadia", 4),
    _act(record_sheets, "Arcadia", 5),
)
"""What happens on the way: at most one to a slot, so that the order of the cards does not matter."""


# ---------------------------------------------------------------- the match


LAST_TURN = 6
"""The turn after which the match ends."""

_WISHES = ("Arcadia", "Borealis", "Cascadia")

MOST_TURNS = 1 + LAST_TURN * len(_WISHES)
"""The zero turn, and a slot for each player in each turn."""


def play_match(house: House, show: Show) -> tuple[EmpireTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    table = EmpireTable(house, show, "emp1", "points", *company(house, len(_WISHES)))
    create = f"CREATE empire AS {table.match} WITH board drawn:two-isthmuses, last_turn {LAST_TURN}"
    open_match(table, create, "Empire", _WISHES)
    show.scene("The zero turn: cards are drawn, and capitals placed in their order")
    farewell = play_through(table, table.asked, ordinary, ACTS)
    # The reports say that it happened, and the last of them brings the chart as a picture and as SVG.
    table.keep_promises()
    if not any("Petition 1 passed, 2 to " in report.flat for report in table.reports(table.watcher)):
        raise Unexpected("No report says that the petition passed.")
    zero = table.report_of(table.watcher, "Zero turn: capitals")
    need(zero, "Movement order:")
    table.show.got(table.watcher.name, zero, "Zero turn", 14)
    last = table.reports(table.watcher)[-1]
    table.show.got(table.watcher.name, last, "Where everybody stands", 20)
    keep_map(table, last)
    return table, farewell
