"""What construction machines build, read from works.toml: turns, materials, room, cost and EDU."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files

import msgspec

NINE = 9
"""The minor squares of a city (III A)."""

SORTS = ("factory", "city work", "installation", "city", "line", "vehicle")
"""Sorts of plan: what fills minor squares, stands alone, founds a city, is drawn along a path, or sails away."""

_LOST = ("Bm", "delta")
"""Building materials never come back (IV C)."""


class Plan(msgspec.Struct, frozen=True):
    """A thing to build. `squares` are minor squares; `clean` things do not pollute.

    `afloat` things are built from a ship. Of a line, `materials` serve `steps` borders, and one machine draws `steps`
    borders of plain land a turn. Of a vehicle, `unit` is the kind that is scratch-built.
    """

    name: str
    sort: str
    materials: dict[str, int]
    turns: int = 1
    squares: int = 1
    coast: bool = False
    airport: bool = False
    clean: bool = False
    afloat: bool = False
    cost: int = 2
    edu: int = 4
    steps: int = 1
    unit: str = ""

    def needs(self, borders: int) -> dict[str, int]:
        """What so many borders of a line take, each kind of goods rounded up."""
        return {what: -(-number * borders // self.steps) for what, number in self.materials.items()}


def a(name: str) -> str:
    """A thing with its article: `a dock`, `an air works`."""
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _plan(name: str, raw: dict[str, object]) -> Plan:
    line = {"cost": 1, "edu": 1} if raw["sort"] == "line" else {}
    return msgspec.convert({"name": name, **line, **raw}, Plan)


PLANS: Mapping[str, Plan] = {
    name: _plan(name, raw)
    for name, raw in tomllib.loads(files(__package__).joinpath("works.toml").read_text("utf-8")).items()
}
"""Every plan by its name."""


def salvage(materials: Mapping[str, int]) -> dict[str, int]:
    """What scrapping gives back: half of all that went in, rounded down, the machines first, never Bm or delta (IV C)."""
    left = sum(materials.values()) // 2
    back: dict[str, int] = {}
    for what in _dearest(materials):
        number = min(left, materials[what])
        left -= number
        back |= {what: number} if number else {}
    return back


def _dearest(materials: Iterable[str]) -> list[str]:
    """Kinds of goods that may come back, those guns first (de-installed), then what takes most work to make."""
    worth = ("naval gun", "ack-ack", "hmx", "t&d", "St")
    return sorted((what for what in materials if what not in _LOST), key=lambda what: worth.index(what))
