"""The scene of the tests of the order language: who stands where, and a reader of lines."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.order import Order
from referee.games.war.orders import vocabulary_of
from referee.games.war.position import Fleet, Marker
from referee.games.war.position.state import War
from referee.games.war.rulebook import RULES
from referee.orders import understand
from tests.games.war27.driving import BLUE, GREEN, RED, holding, native, position


def scene() -> War:
    """Red's share: Red in Egypt, Palestine and Arabia with fleets in the Red Sea; Blue in Ottoman; natives in Sudan."""
    war = position(RED, BLUE, GREEN)
    war = holding(war, RED, "Egypt", ("city",), infantry=4, cavalry=1, general=1, explorer=1)
    war = holding(war, RED, "Palestine", ("factory",), infantry=2, engineer=1)
    war = holding(war, RED, "Arabia", ("port",), infantry=1)
    war = holding(war, BLUE, "Ottoman", ("fort",), infantry=3)
    war = holding(war, GREEN, "Persia", (), infantry=2)
    war = native(war, "Sudan", "7+")
    war = war.with_land("Persia", marker=Marker(8, 1, face_up=True), spheres={RED: 1})
    war = war.with_fleet(Fleet(1, RED, "Red Sea")).with_fleet(Fleet(2, BLUE, "Eastern Mediterranean"))
    return replace(war.with_fleet(Fleet(3, RED, "Persian Gulf")), next_fleet=4)


WAR = scene()
PRODUCING = replace(WAR, stage="production", active=None)
PLACING = replace(WAR, stage="setup", active=None).paying(RED, pp=50)
WORDS = vocabulary_of(WAR)
IDS = {rule.id for rule in RULES}


def read(line: str) -> Order:
    order = understand(line, WORDS)
    assert isinstance(order, Order), (line, order)
    return order
