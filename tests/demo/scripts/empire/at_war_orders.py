"""What two countries at war write: where they settle, what they embark, and who of them is where on the form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.demo.scripts.empire.orders import idle, numbers, whereabouts

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
