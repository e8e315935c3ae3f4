"""How two countries make war by letter: each part of a slot is carried out and read before the next is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.demo.table import Asked, need
from tests.demo.scripts.empire.at_war_orders import (
    BEACH,
    CITY,
    HOMES,
    NAMES,
    SEA,
    bombing,
    embarking,
    farming,
    fetching,
    founding,
    kinds_at,
    landed,
    taking_off,
)
from tests.demo.scripts.empire.table import EmpireTable

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
