"""BUY DP: diplomacy points for PP (27.production.income.3)."""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from referee.core.names import Seat
from referee.core.order import Order, Thing
from referee.games.war.deeds.lines import line_of
from referee.games.war.orders.base import DIPLOMACY
from referee.games.war.orders.naming import number_of
from referee.games.war.position.state import War
from referee.kit.declared import Declared, Words
from referee.kit.fields import ANY, HowMany, Said, exact
from referee.kit.refused import Refused

DIPLOMACY_PRICE = 10
"""PP for one more DP (27.production.income.3)."""

_DP = "27.production.income.3"


def sold_at_most(war: War, seat: Seat) -> int:
    """27.production.income.3: how many DP a player may buy in a turn: one a city."""
    return war.buildings_of(seat, "city")


def diplomacy_for_sale(war: War, seat: Seat) -> int:
    """27.production.income.3: how many DP a player may buy now, as far as his PP go (R27-15).

    Where production is in order they are bought before native diplomacy (27.production.order.2).
    """
    if war.constructing:
        return 0
    return min(sold_at_most(war, seat), war.treasuries[seat].pp // DIPLOMACY_PRICE)


class BuyDiplomacy(Declared[War], frozen=True):
    """Up to so many diplomacy points at 10 PP each; BUY 2 DP says the same, and is how it is written."""

    number: int

    words = Words(
        "BUY DP",
        f"in production buy diplomacy points at {DIPLOMACY_PRICE} PP each, at most one for each city",
        _DP,
        "BUY DP 2",
        ("BUY DIPLOMACY POINTS",),
    )
    fields = (HowMany("number", "DP", "number", ANY, held=diplomacy_for_sale, rule=_DP),)
    says = f"Buy up to {{number}} at {DIPLOMACY_PRICE} PP each, as far as your cities and PP allow."
    phase = DIPLOMACY

    def order(self, state: War) -> Order:
        return Order("BUY", (Thing("money", "DP", exact(self.number)),))

    @classmethod
    def read(cls, said: Said) -> Self:
        """BUY 2 DP or BUY DP 2; all that the cities allow where no number is given."""
        (thing, *rest) = said.order.things
        if rest or thing.name not in ("DP", "", ANY):
            name = rest[0].name if rest else thing.name
            why = "DP are bought alone, and only DP can be bought: BUY 2 DP."
            raise Refused(why, _DP, name, ("BUY 1 DP",))
        most = sold_at_most(said.state, said.seat)
        return cls(most or 1 if thing.kind == ANY else number_of(said.order, thing, _DP, most))

    def check(self, war: War, seat: Seat) -> None:
        if war.stage == "setup":
            raise Refused("No DP are sold before play.", "R27-15", "DP")
        most = sold_at_most(war, seat)
        if war.stage == "production" and not most:
            raise Refused("DP are sold at most one for each city, and you have no city.", _DP, "DP")
        if war.stage == "production" and self.number > most:
            sentence = f"DP are sold at most one for each city; you have {most}."
            raise Refused(sentence, _DP, str(self.number), (line_of(replace(self, number=most)),))
