"""A position to draw: the middle of a match of five, with what was marched and fought in the last share."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Seat
from referee.games.war.events.combat import BattleEnded, FleetsMoved, UnitsMoved
from referee.games.war.position import Fleet, Load, Stack
from referee.games.war.position.state import War
from tests.games.war27.driving import BLUE, RED, holding, native, position

GREEN, YELLOW, PURPLE = (Seat(name) for name in ("Green", "Yellow", "Purple"))

_HELD = {
    RED: ("Russia", "Lithuania", "Ukraine", "Trans-Ural", "Siberia", "Caucasus", "Turkestan"),
    BLUE: ("Great Britain", "Egypt", "Sudan", "Kenya", "India", "Bengal", "Natal", "Western Australia", "Queensland"),
    GREEN: ("Italy", "Austria-Hungary", "Balkans", "Tripoli", "Ottoman", "Abyssinia"),
    YELLOW: ("Germany", "Prussia", "Nigeria", "Tanganyika", "Angola", "New Guinea"),
    PURPLE: ("France", "Spain", "Algeria", "Morocco", "Mauritania", "Madagascar", "Annam", "Siam"),
}

MARCHES: tuple[Event, ...] = (
    UnitsMoved("Ukraine", Stack(RED, "infantry", 3), "Caucasus", Stack(RED, "infantry", 3)),
    UnitsMoved("Trans-Ural", Stack(RED, "cavalry", 2), "Turkestan", Stack(RED, "cavalry", 2)),
    FleetsMoved(RED, (9,), "North Sea", "Baltic Sea"),
    BattleEnded("Caucasus", RED, GREEN, 2),
)
"""What Red did in his share."""


def fought() -> War:
    """The position after Red's share."""
    war = position(*_HELD)
    for seat, regions in _HELD.items():
        for number, region in enumerate(regions):
            buildings = (("city", "fort"), ("port",), (), ("factory",), ("school",), ())[number % 6]
            war = holding(war, seat, region, buildings, infantry=1 + number % 3, cavalry=number % 2)
    for number, sea in enumerate(("North Sea", "Red Sea", "Bay of Bengal", "Coral Sea"), 1):
        war = war.with_fleet(Fleet(number, BLUE, sea, cargo=(Load(BLUE, "infantry", 4),) * (number % 2)))
    war = war.with_fleet(Fleet(8, PURPLE, "Western Mediterranean")).with_fleet(Fleet(9, RED, "Baltic Sea"))
    war = native(native(native(war, "Persia", "9++"), "China", "12+"), "Kongo", "4")
    war = war.with_land("Kenya", chit="Gold", developed=True).with_land("Caucasus", won_in="T4/M1/Red", chit="Oil")
    return replace(war, turn=4, round=1, active=RED, stage="movement")
