"""What two countries at war write: one founds a city on the coast and guards it, the other comes by air and by sea."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.demo.client import Letter
from referee.demo.empire_orders import idle, numbers
from referee.demo.empire_table import EmpireTable, OnTurn
from referee.demo.table import need

__all__ = ["AIMS", "War", "defend", "invade"]

_HOMES = {"Arcadia": "c2r5", "Borealis": "c18r5"}
_FARMS = {
    "Arcadia": ("c3r5", "c4r4", "c4r5", "c5r4", "c6r4", "c6r5"),
    "Borealis": ("c17r4", "c17r5", "c16r5", "c15r4", "c16r3", "c15r3"),
}
_CITY, _BEACH, _SEA, _OFF = "c22r5", "c22r6", "c23r6", "c24r5"
"""New Haven, the shore beside it, the water before that shore, and where the fleet gathers."""

AIMS: Mapping[str, tuple[str, ...]] = {
    "the air raid": ("Arcadia's strategic bomber",),
    "the battle at sea": (f"Arcadia attacks {_SEA}", "odds"),
    "the landing": (f"Arcadia attacks {_BEACH}", "cruiser", "odds"),
    "the siege": (f"Arcadia attacks {_CITY}", "odds"),
}
"""What the reports must tell of, whichever way the dice fell, and by which words."""


@dataclass
class War:
    """What has been done so far: parts of a slot are carried out one by one, and each is looked at."""

    troops: str = ""
    """Who went aboard, as an order names them: the form lists nobody who is carried."""
    previewed: bool = False
    beaten: bool = False
    """Whether her troops were thrown back from the shore and have to march there again."""


# ---------------------------------------------------------------- the defender


def defend(table: EmpireTable, war: War, now: OnTurn) -> None:
    """A capital, a city on the coast with a garrison, a fighter and a destroyer before it; then he waits."""
    if not now.turn:
        _roll_out(now, f'PLACE CAPITAL {_HOMES[now.seat]} NAMED "Boreal Haven"')
    elif now.turn == 1:
        table.show.scene(f"{now.client.name} founds a city on the coast and guards it")
        lines = [*_founding(now.form), *_farming(now)]
        table.show.wrote(now.client.name, "\n".join(lines))
        _roll_out(now, *lines)
    else:
        _roll_out(now)


def _founding(form: Sequence[str]) -> Iterator[str]:
    home = _HOMES["Borealis"]
    who = idle(form, home)
    infantry, fighter = numbers(form, "infantry regiment")[0], numbers(form, "fighter")[0]
    destroyer = numbers(form, "destroyer")[0]
    yield f"LOAD 1 colony piece ABOARD coolie {who}"
    yield f"MOVE coolie {who} TO {_CITY}"
    yield f'FOUND "New Haven" WITH coolie {who}'
    yield from (f"BUILD {what} IN {_CITY}" for what in ("airport", "dock"))
    yield f"MOVE 3 coolies FROM {home} TO {_CITY}"
    yield f"MOVE infantry regiment {infantry} TO {_CITY}"
    yield f"MOVE SAC {numbers(form, 'SAC')[0]} TO {_BEACH}"
    yield from (f"TAKE OFF fighter {fighter}", f"MOVE fighter {fighter} TO {_CITY}", f"LAND fighter {fighter}")
    yield from (f"PUT TO SEA destroyer {destroyer}", f"MOVE destroyer {destroyer} TO {_SEA}")


# ---------------------------------------------------------------- the attacker


def invade(table: EmpireTable, war: War, now: OnTurn) -> None:
    """Load and sail, raid by air, clear the sea and land, then attack the city turn after turn."""
    if not now.turn:
        _roll_out(now, f'PLACE CAPITAL {_HOMES[now.seat]} NAMED "Aurora"')
    elif now.turn == 1:
        table.show.scene(f"{now.client.name} puts to sea")
        war.troops = _troops(now.form)
        lines = [*_embarking(now.form), *_farming(now)]
        table.show.wrote(now.client.name, "\n".join(lines))
        _roll_out(now, *lines)
    elif now.turn == 2:
        now = _part(table, now, f"{now.client.name} raids New Haven from the air", _raid(now.form), "bomber")
        battle = [f"ENGAGE {_SEA} WITH {_fleet(now.form)}"]
        _roll_out(_part(table, now, f"{now.client.name} clears the sea", battle, "attacks"))
    else:
        _storm(table, war, now)


def _embarking(form: Sequence[str]) -> Iterator[str]:
    ship, fleet = _ship(form), _fleet(form)
    yield f"LOAD {_troops(form)} ABOARD {ship}"
    yield f"PUT TO SEA {fleet}, {ship}"
    yield f"MOVE {fleet}, {ship} TO {_OFF}"


def _raid(form: Sequence[str]) -> Iterator[str]:
    (bomber,) = numbers(form, "strategic bomber")
    planes = f"strategic bomber {bomber}"
    yield f"LOAD 1 bomb ABOARD {planes}"
    yield f"TAKE OFF {planes}"
    yield f"MOVE {planes} TO {_CITY}"
    yield f"BOMB airport IN {_CITY} WITH {planes}"
    yield f"MOVE {planes} TO {_HOMES['Arcadia']}"
    yield f"LAND {planes}"


def _storm(table: EmpireTable, war: War, now: OnTurn) -> None:
    """Ships first, then the shore, then the city; each part is carried out before the next is written."""
    who = now.client.name
    if now.turn == 3:
        landing = [f"MOVE {_ship(now.form)}, {_fleet(now.form)} TO {_SEA}"]
        now = _part(table, now, f"{who} stands in to the shore", landing, "went from")
        shelling = [f"ATTACK {_BEACH} WITH {war.troops}, {_fleet(now.form, 'cruiser')}"]
        now = _part(table, now, f"{who} lands under the guns of her fleet", shelling, "attacks")
        now = _part(table, now, f"{who} sends her troops ashore", [f"DISEMBARK {war.troops} TO {_BEACH}"], "went")
    elif any(line.startswith(f"# ATTACK {_CITY} WITH") for line in now.form):
        force = filter(None, (_troops(now.form), _fleet(now.form, "cruiser")))
        advance = _named(now.form, ("armour",)) or _troops(now.form).partition(",")[0]
        attack = f"ATTACK {_CITY} WITH {', '.join(force)} ADVANCE WITH {advance}"
        if not war.previewed:
            _preview(table, war, now, attack)
        now = _part(table, now, f"{who} attacks New Haven", [attack], "attacks")
        war.beaten = f"goes back from {_BEACH}" in " ".join(now.letter.text.split())
    elif war.beaten and _troops(now.form):
        war.beaten = False
        _roll_out(now, f"MOVE {_troops(now.form)} TO {_BEACH}")
        return
    _roll_out(now)


def _preview(table: EmpireTable, war: War, now: OnTurn, attack: str) -> None:
    war.previewed = True
    table.show.scene(f"{now.client.name} asks for her odds first")
    body = f"PREVIEW\n{attack}\nEND"
    table.show.wrote(now.client.name, body)
    answer = now.client.answer_to(now.client.reply(now.letter, body), "the answer to PREVIEW")
    table.show.got(now.client.name, answer, "Preview", 20)
    need(answer, "odds")


# ---------------------------------------------------------------- letters


def _part(table: EmpireTable, now: OnTurn, title: str, lines: Sequence[str] | Iterator[str], word: str) -> OnTurn:
    """Send a part of a slot; what it came to is read before anything else is written."""
    body = "\n".join((*lines, "EXECUTE"))
    table.show.scene(title)
    table.show.wrote(now.client.name, body)
    receipt = now.client.answer_to(now.client.reply(now.letter, body), "the receipt for EXECUTE")
    need(receipt, "carried out and stands")
    asked = table.part_of(now)
    first = next((line for line in asked.text.splitlines() if word in line), "")
    table.show.got(now.client.name, asked, first, 12)
    return OnTurn(now.client, now.seat, asked, now.phase, now.turn)


def _roll_out(now: OnTurn, *lines: str) -> Letter:
    body = "\n".join((*lines, "ROLL OUT"))
    receipt = now.client.answer_to(now.client.reply(now.letter, body), "the receipt for orders")
    need(receipt, "Your slot is ended")
    return receipt


def _farming(now: OnTurn) -> Iterator[str]:
    yield from (f"MOVE 1 coolie FROM {_HOMES[now.seat]} TO {farm}" for farm in _FARMS[now.seat])
    yield from (f"WORK farm IN {farm}" for farm in _FARMS[now.seat])
    yield "PICK truck, locomotive"


def _named(form: Sequence[str], kinds: Sequence[str]) -> str:
    return ", ".join(f"{kind} {number}" for kind in kinds for number in numbers(form, kind))


def _troops(form: Sequence[str]) -> str:
    return _named(form, ("artillery", "armour"))


def _fleet(form: Sequence[str], *kinds: str) -> str:
    return _named(form, kinds or ("cruiser", "destroyer"))


def _ship(form: Sequence[str]) -> str:
    return _named(form, ("cargo ship",))
