"""The signs of goods: a plate for each resource of a square, and one sign for each family of goods that lie there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.games.empire.position.state import Empire
from referee.games.empire.telling.drawing.style import NUMBER, RICHES, ink
from referee.kit.drawing import lettering
from referee.kit.drawing.marks import Mark, row, words
from referee.kit.drawing.svg import px
from referee.kit.game import once_a_position

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "food": ("food", "beer"),
    "fuel and chemicals": ("C", "O", "X"),
    "raw materials": ("Fe", "Cu", "Al", "Bx", "Rr", "delta"),
    "materials and machines": ("Bm", "St", "t&d", "cmx", "hmx", "colony piece"),
    "arms and supply": ("SAU", "HAU", "HAU third", "T&S", "tank", "naval gun", "ack-ack",
        "bomb", "light bomb", "torpedo", "drop tank"),
}  # fmt: skip
"""All goods by what they are for; each family has a sign."""

SIGNS: Mapping[str, str] = {
    "food": '<ellipse cx="4" cy="4.500" rx="4" ry="3" fill="#e0a92e" stroke="#5a3d08" stroke-width=".7"/>'
    '<path d="M2.500 2.500l1 2.500M4.500 2.200l1 2.600" stroke="#5a3d08" stroke-width=".7"/>',
    "fuel and chemicals": '<path d="M4 .3q4 4 3 6a3.200 3.200 0 0 1-6 0q-1-2 3-6z" fill="#222" stroke="#fff" stroke-width=".7"/>',
    "raw materials": '<path d="M.3 7.500l2-5 3-1.500 2.500 6.500z" fill="#b5653a" stroke="#4a2008" stroke-width=".7"/>',
    "materials and machines": '<path d="M.5 1h7v7h-7zM.5 1l7 7m0-7l-7 7" fill="#c9d3da" stroke="#2c3a44" stroke-width=".8"/>',
    "arms and supply": '<circle cx="3.500" cy="5" r="3" fill="#a00018" stroke="#300" stroke-width=".7"/>'
    '<path d="M5.500 3l2-2.500" stroke="#300" stroke-width="1.400"/>',
}  # fmt: skip
"""Each in a square of 8."""

_FAMILY = {what: family for family, every in FAMILIES.items() for what in every}
_PLATES = {
    "Fe": "#b5532b", "C": "#3a3a3a", "O": "#111111", "X": "#5a7d2a", "Cu": "#d08a3c", "Al": "#a9bccb", "Rr": "#6d4a94",
    "Bx": "#8f3524", "Bm": "#c8b48a", "delta": "#d9c77e", "power": "#f0c419",
}  # fmt: skip
_MOST = 2
"""So many families of goods are shown in a square; the sheets tell all."""


def definitions() -> str:
    """The signs under the names by which they are used."""
    return "".join(f'<g id="{_name(family)}">{drawn}</g>' for family, drawn in SIGNS.items())


def _name(family: str) -> str:
    return f"em-{family.partition(' ')[0]}"


def plate(kind: str, said: str) -> Mark:
    """A resource on a plate of its colour."""
    fill = _PLATES.get(kind, "#e8e4d8")
    width = RICHES.width(said) + 4

    def draw(x: float, y: float) -> str:
        box = f'<rect x="{px(x)}" y="{px(y - 9.7)}" width="{px(width)}" height="12" rx="2.5" fill="{fill}" class="em-rp"/>'
        return box + lettering.words(said, x + 2, y, RICHES, ink(fill))

    return Mark(width, draw)


Heaps = Mapping[tuple[str, str], Mapping[str, int]]
"""How much of each family of goods a country has lying in a square, those in its city included."""


@once_a_position()
def heaps(empire: Empire) -> Heaps:
    """The goods that lie on the board, by square and country; what is aboard goes with its unit."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for lot in empire.lots:
        family = None if lot.aboard else _FAMILY.get(lot.what)
        if family:
            heap = found.setdefault((lot.at, lot.country), {})
            heap[family] = heap.get(family, 0) + lot.number
    return found


def lying(families: Mapping[str, int]) -> Iterator[Mark]:
    """The signs and numbers of the goods that lie in a square, the largest heap first."""
    for family, number in sorted(families.items(), key=lambda entry: -entry[1])[:_MOST]:
        said = words(f"{number}" if number < 100 else "99+", NUMBER)
        yield row((_sign(family), said), 1)


def _sign(family: str) -> Mark:
    return Mark(8, lambda x, y: f'<use href="#{_name(family)}" x="{px(x)}" y="{px(y - 8)}"/>')
