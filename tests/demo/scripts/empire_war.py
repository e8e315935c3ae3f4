"""The demo of Empire at war: an air raid, a landing from the sea and a siege by letter, whatever the dice say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.demo.client import Letter
from referee.demo.match import company, open_match
from referee.demo.service_process import House
from referee.demo.table import Asked, Show, Unexpected, need, play_through
from tests.demo.scripts.empire import EmpireTable, idle, numbers, whereabouts

HOMES = {"Arcadia": "c2r5", "Borealis": "c18r5"}
NAMES = {"Arcadia": "Aurora", "Borealis": "Boreal Haven"}
CITY, BEACH, SEA, OFF = "c22r5", "c22r6", "c23r6", "c24r5"
"""New Haven, the shore beside it, the water before that shore, and where the fleet gathers."""

_FARMS = {
    "Arcadia": ("c3r5", "c4r4", "c4r5", "c5r4", "c6r4", "c6r5"),
    "Borealis": ("c17r4", "c17r5", "c16r5", "c15r4", "c16r3", "c15r3"),
}
_FIRST, _SECOND = ("artillery", "armour"), ("infantry regiment", "support regiment")
"""Who goes aboard the cargo ship first, and who when it comes back."""


def kinds_at(form: Sequence[str], at: str, *kinds: str) -> list[str]:
    """Units of these kinds that the form lists in a square, by name, kind after kind."""
    here = [name for name, square in whereabouts(form).items() if square == at]
    return [name for kind in kinds for name in here if name.rpartition(" ")[0] == kind]


def farming(seat: str) -> Iterator[str]:
    """A coolie for every farm, and the picks."""
    yield from (f"MOVE 1 coolie FROM {HOMES[seat]} TO {farm}" for farm in _FARMS[seat])
    yield from (f"WORK farm IN {farm}" for farm in _FARMS[seat])
    yield "PICK truck, locomotive"


def founding(form: Sequence[str]) -> Iterator[str]:
    """A city on the coast: its garrison, a watch on the shore, a fighter in its airport and a destroyer before it."""
    home = HOMES["Borealis"]
    who = idle(form, home)
    infantry, fighter, destroyer = (numbers(form, kind)[0] for kind in ("infantry regiment", "fighter", "destroyer"))
    yield f"LOAD 1 colony piece ABOARD coolie {who}"
    yield f"MOVE coolie {who} TO {CITY}"
    yield f'FOUND "New Haven" WITH coolie {who}'
    yield from (f"BUILD {what} IN {CITY}" for what in ("airport", "dock"))
    yield f"MOVE 3 coolies FROM {home} TO {CITY}"
    yield f"MOVE infantry regiment {infantry} TO {CITY}"
    yield f"MOVE SAC {numbers(form, 'SAC')[0]} TO {BEACH}"
    yield from (f"TAKE OFF fighter {fighter}", f"MOVE fighter {fighter} TO {CITY}", f"LAND fighter {fighter}")
    yield from (f"PUT TO SEA destroyer {destroyer}", f"MOVE destroyer {destroyer} TO {SEA}")


def embarking(form: Sequence[str]) -> tuple[list[str], list[str]]:
    """The first shipload, and the orders with which it puts to sea under the guns of the fleet."""
    home = HOMES["Arcadia"]
    troops = kinds_at(form, home, *_FIRST)
    ships = ", ".join(kinds_at(form, home, "cruiser", "destroyer", "cargo ship"))
    aboard = f"LOAD {', '.join(troops)} ABOARD {kinds_at(form, home, 'cargo ship')[0]}"
    return troops, [aboard, f"PUT TO SEA {ships}", f"MOVE {ships} TO {OFF}"]


def fetching(form: Sequence[str]) -> tuple[list[str], list[str]]:
    """The second shipload, and the orders with which the empty ship fetches it; nothing where the ship is lost."""
    home = HOMES["Arcadia"]
    troops = kinds_at(form, home, *_SECOND)
    if not (ships := kinds_at(form, SEA, "cargo ship")) or not troops:
        return [], []
    ship = ships[0]
    load = f"LOAD {', '.join(troops)} ABOARD {ship}"
    return troops, [f"MOVE {ship} TO {home}", f"DOCK {ship}", load, f"PUT TO SEA {ship}", f"MOVE {ship} TO {SEA}"]


def taking_off(form: Sequence[str], bomber: str, load: str) -> list[str]:
    """A bomber takes what it is to drop, and flies to the city with all fighters there are; nothing where it is lost."""
    home = HOMES["Arcadia"]
    planes = kinds_at(form, home, bomber, "fighter")
    if not planes or bomber not in planes[0]:
        return []
    return [f"LOAD 1 {load} ABOARD {planes[0]}", f"TAKE OFF {', '.join(planes)}", f"MOVE {', '.join(planes)} TO {CITY}"]


def bombing(form: Sequence[str]) -> list[str]:
    """The bomber drops its bomb on the airport, if it has come so far."""
    return [f"BOMB airport IN {CITY} WITH {plane}" for plane in kinds_at(form, CITY, "strategic bomber")]


def landed(form: Sequence[str]) -> list[str]:
    """Those who are still in the air over the city fly home."""
    planes = ", ".join(kinds_at(form, CITY, "strategic bomber", "TAC", "fighter"))
    return [f"MOVE {planes} TO {HOMES['Arcadia']}"] if planes else []


# ---------------------------------------------------------------- acts


LAST_TURN = 6
"""The turn after which the match ends, if the players do not end it before."""

HIT, MET = f"bombs Borealis's airport in {CITY}", re.compile(r"intercepts? Arcadia's (?:strategic bomber|fighter)")
FALLEN, RAISED = f"New Haven in {CITY} falls from Borealis to Arcadia", "Arcadia treats Borealis as friendly"
"""How the reports tell of a raid and of the end of a siege."""

_TROOPS = ("artillery", "armour", "infantry regiment", "support regiment")


@dataclass
class WarTable(EmpireTable):
    """Everybody, and what the attacker remembers of what she has read."""

    first: list[str] = field(default_factory=list)
    reserve: list[str] = field(default_factory=list)
    """Who is aboard the cargo ship, by name: the form lists nobody who is carried."""
    raided: bool = False
    """Whether the raid came to something: the airport was hit, or the flight was met on its way."""
    previewed: bool = False

    def told(self, words: str) -> bool:
        """Whether some report that came to the watcher says this."""
        return any(words in report.flat for report in self.reports(self.watcher))


def respond(table: WarTable, now: Asked) -> None:
    """What is owed: a capital, then war."""
    if not now.turn:
        now.roll_out(f'PLACE CAPITAL {HOMES[now.seat]} NAMED "{NAMES[now.seat]}"')
    elif now.seat == "Borealis":
        # A city on the coast with a garrison; then he waits. When it is lost he proposes to end the game.
        if now.turn == 1:
            table.show.scene(f"{now.client.name} founds a city on the coast and guards it")
            lines = [*founding(now.form), *farming(now.seat)]
            table.show.wrote(now.client.name, "\n".join(lines))
            now.roll_out(*lines)
        elif table.told(FALLEN) and not table.told("posted petition"):
            table.show.scene(f"{now.client.name} has lost New Haven and sues for the end")
            petition = 'PETITION FOR end "New Haven is lost; let the war end with it."'
            table.show.wrote(now.client.name, petition)
            now.roll_out(petition)
        else:
            now.roll_out()
    else:
        _invade(table, now)
    if now.turn:
        table.report_of(table.watcher, now.phase)  # the next decision looks into it


# ---------------------------------------------------------------- the defender


# ---------------------------------------------------------------- the attacker


def _invade(table: WarTable, now: Asked) -> None:
    """Load and sail, raid by air, clear the sea, land, fetch the reserve, then attack the city until it is decided."""
    if now.turn == 1:
        table.show.scene(f"{now.client.name} puts to sea")
        table.first, sailing = embarking(now.form)
        lines = [*sailing, *farming(now.seat)]
        table.show.wrote(now.client.name, "\n".join(lines))
        now.roll_out(*lines)
        return
    if "# VOTE yes ON 1" in now.form:
        table.show.scene(f"{now.client.name} has what she came for")
        table.show.wrote(now.client.name, "VOTE yes ON 1")
        now.roll_out("VOTE yes ON 1")
        return
    if not table.raided:
        now = _raid(table, now)
    match now.turn:
        case 2:
            now = _clear_the_sea(table, now)
        case 3:
            now = _land(table, now)
        case _:
            now = _storm(table, now)
    lifts = now.turn == LAST_TURN and FALLEN not in now.letter.flat and not table.told(FALLEN)
    now.roll_out(*(["TREAT Borealis AS friendly"] if lifts else []))


def _raid(table: WarTable, now: Asked) -> Asked:
    """A bomber with its escort flies against the airport; whoever is left of them flies home."""
    there = taking_off(now.form, "strategic bomber", "bomb")
    if not there:
        return now
    now = _part(table, now, f"{now.client.name} raids New Haven from the air", there, "MOVE", "went", "intercept")
    table.raided = MET.search(now.letter.flat) is not None
    if drop := bombing(now.form):
        now = _part(table, now, f"{now.client.name}'s bomber is over New Haven", drop, "bombs")
        table.raided = table.raided or "destroyed" in now.letter.flat
    return _fly_home(table, now)


def _fly_home(table: WarTable, now: Asked) -> Asked:
    back = landed(now.form)
    return table.part(now, *back) if back else now


def _clear_the_sea(table: WarTable, now: Asked) -> Asked:
    fleet = [name for name in kinds_at(now.form, "c24r5", "cruiser", "destroyer")]
    title = f"{now.client.name} clears the sea"
    return _part(table, now, title, [f"ENGAGE {SEA} WITH {', '.join(fleet)}"], f"attacks {SEA}")


def _land(table: WarTable, now: Asked) -> Asked:
    """Ships first, then the shore, then those aboard; the empty ship fetches the reserve before the turn ends."""
    who, ships = now.client.name, ", ".join(kinds_at(now.form, "c24r5", "cargo ship", "cruiser", "destroyer"))
    now = _part(table, now, f"{who} stands in to the shore", [f"MOVE {ships} TO {SEA}"], "went from c24r5")
    cruiser = kinds_at(now.form, SEA, "cruiser")
    shelling = f"ATTACK {BEACH} WITH {', '.join((*table.first, *cruiser))}"
    now = _part(table, now, f"{who} lands under the guns of her fleet", [shelling], f"attacks {BEACH}")
    ashore = [f"DISEMBARK {', '.join(table.first)} TO {BEACH}"]
    now = _part(table, now, f"{who} sends her troops ashore", ashore, f"from {SEA} to {BEACH}")
    table.reserve, voyage = fetching(now.form)
    return _part(table, now, f"{who} sends the ship back for the reserve", voyage, "went aboard") if voyage else now


def _storm(table: WarTable, now: Asked) -> Asked:
    """Those thrown back come again, a TAC flies in, and everybody within reach attacks; also when only coolies are left."""
    if table.told(FALLEN):
        return now
    back = [name for name in _anywhere(now.form) if name not in kinds_at(now.form, BEACH, *_TROOPS)]
    if back:
        returning = [f"MOVE {name} TO {BEACH}" for name in back]
        now = _part(table, now, f"{now.client.name}'s troops come back to the shore", returning, "went")
    if flight := taking_off(now.form, "TAC", "light bomb"):
        now = _part(table, now, f"{now.client.name} sends a TAC ahead", flight, "TAC")
    if attack := _attack(table, now.form):
        _preview(table, now, attack)
        now = _part(table, now, f"{now.client.name} attacks New Haven", [attack], f"attacks {CITY}")
    return _fly_home(table, now)


def _anywhere(form: Sequence[str]) -> list[str]:
    """Own troops that are ashore in the enemy's country."""
    squares = [f"c{column}r{row}" for column in range(17, 23) for row in range(2, 10)]
    return [name for at in squares for name in kinds_at(form, at, *_TROOPS)]


def _attack(table: WarTable, form: Sequence[str]) -> str:
    """All who stand on the shore or lie before it, ships' guns and planes with them; "" where nobody is left to attack."""
    ashore = kinds_at(form, BEACH, *_TROOPS)
    listed = _anywhere(form)
    afloat = [name for name in table.reserve if name not in listed and kinds_at(form, SEA, "cargo ship")]
    helpers = [*kinds_at(form, SEA, "cruiser"), *kinds_at(form, CITY, "TAC")]
    if not ashore and not afloat:
        return ""
    advance = ashore or afloat
    return f"ATTACK {CITY} WITH {', '.join((*ashore, *afloat, *helpers))} ADVANCE WITH {', '.join(advance)}"


def _preview(table: WarTable, now: Asked, attack: str) -> None:
    if table.previewed:
        return
    table.previewed = True
    table.show.scene(f"{now.client.name} asks for her odds first")
    body = f"PREVIEW\n{attack}\nEND"
    table.show.wrote(now.client.name, body)
    answer = now.reply(body, "the answer to PREVIEW")
    table.show.got(now.client.name, answer, "Preview", 20)
    need(answer, "odds")


def _part(table: WarTable, now: Asked, title: str, lines: Sequence[str], *told: str) -> Asked:
    """Send a part of a slot under its title, and show the letter that says what came of it, from the words named on."""
    table.show.scene(title)
    table.show.wrote(now.client.name, "\n".join((*lines, "EXECUTE")))
    then = table.part(now, *lines)
    first = next((line for line in then.letter.text.splitlines() if any(word in line for word in told)), "")
    table.show.got(now.client.name, then.letter, first, 12)
    return then


# ---------------------------------------------------------------- the match


_WISHES = ("Arcadia", "Borealis")

MOST_TURNS = 1 + LAST_TURN * len(_WISHES)
"""The zero turn, and a slot for each player in each turn."""


def play_match(house: House, show: Show) -> tuple[WarTable, Letter]:
    """From CREATE to the end; the table, and the farewell as the game master got it."""
    table = WarTable(house, show, "emp2", "points", *company(house, len(_WISHES)))
    create = f"CREATE empire AS {table.match} WITH board drawn:two-isthmuses, last_turn {LAST_TURN}, start armed"
    open_match(table, create, "Empire", _WISHES)
    farewell = play_through(table, table.asked, respond)
    _look_back(table)
    return table, farewell


# ---------------------------------------------------------------- what must have happened


def _look_back(table: WarTable) -> None:
    """The raid, the landing and the siege came to something, whichever way the dice fell; the reports say to what."""
    show = table.show
    show.scene(f"What {table.watcher.name} read of it")
    for what, came_to in (
        ("The air raid", _raided(table)),
        ("The battle at sea", _told(table, "battle at sea", f"Arcadia attacks {SEA} with")),
        ("The landing", _landing(table)),
        ("The siege", _siege(table)),
    ):
        show.good(f"{what}: {came_to}")
    show.got(table.watcher.name, table.reports(table.watcher)[-1], "Where everybody stands", 20)


def _told(table: WarTable, what: str, words: str) -> str:
    """The sentence of some report that begins with these words, or has them in it. Raises Unexpected."""
    for report in table.reports(table.watcher):
        if words in report.flat:
            before, _, after = report.flat.partition(words)
            return f"{before.rpartition(' - ')[2]}{words}{after.partition(' [emp')[0]}"
    raise Unexpected(f"No report tells of the {what}: none says “{words}”.")


def _raided(table: WarTable) -> str:
    """The raid hit, or was intercepted."""
    reports = table.reports(table.watcher)
    met = next(filter(None, (MET.search(report.flat) for report in reports)), None)
    if any(HIT in report.flat and "airport destroyed" in report.flat for report in reports):
        return f"{'intercepted, and yet it hit' if met else 'it hit'}. {_told(table, 'raid', HIT)}"
    if met is not None:
        return f"intercepted. {_told(table, 'raid', met[0])}"
    raise Unexpected("The raid neither hit the airport nor was it intercepted.")


def _landing(table: WarTable) -> str:
    """Troops stood on the enemy's coast."""
    _told(table, "fight for the shore", f"Arcadia attacks {BEACH} with")
    return _told(table, "landing", f"from {SEA} to {BEACH}")


def _siege(table: WarTable) -> str:
    """The city changed hands, or was relieved; the last table of figures agrees."""
    _told(table, "siege", f"Arcadia attacks {CITY} with")
    fallen, raised = table.told(FALLEN), table.told(RAISED)
    if fallen == raised:
        raise Unexpected("The siege came to no decision: New Haven neither changed hands nor was it relieved.")
    return f"New Haven changed hands. {_told(table, 'fall', FALLEN)}" if fallen else "New Haven was relieved."
