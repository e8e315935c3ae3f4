"""What is done at once in Version 1.7: the offers of Version 27, gifts of PP alone, and CALL (R17-11)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.war.orders.offers import OFFERS, GivePoints
from referee.games.war.position.state import War
from referee.games.war17.events.affairs import HourCalled
from referee.games.war17.position import Position
from referee.kit.declared import AT_ONCE, Declared, Words
from referee.kit.fields import Fixed, Said
from referee.kit.refused import Refused


class GivePoints17(GivePoints, frozen=True, tag="GivePoints"):
    """PP given to another player; there are no DP (17.production.2)."""

    @classmethod
    def read(cls, said: Said) -> Declared[War]:
        if said.order.things[0].name == "DP":
            raise Refused("Version 1.7 has no diplomacy points; PP can be given.", "17.production.2", "DP")
        return super().read(said)


class CallHour(Declared[War], frozen=True):
    """The word that the hour agreed for the end has come (R17-11)."""

    words = Words(
        "CALL",
        "say that the hour agreed for the end has come; when all have, this turn is the last",
        "R17-11",
        "CALL hour",
    )
    fields = (Fixed(("hour",), "hour"),)
    says = "Say that the hour to end the game has come; when all have said so, this turn is the last."
    phase = AT_ONCE

    def lawful(self, war: War, seat: Seat) -> bool:
        """Where an hour was agreed and he has not called it."""
        return isinstance(war, Position) and war.options["end"] == "hour" and seat not in war.over_by

    def do_at_once(self, table: Table[War], seat: Seat) -> None:
        if self.lawful(table.state, seat):
            table.emit(HourCalled(seat))


ASIDES = (*(GivePoints17 if order is GivePoints else order for order in OFFERS), CallHour)
