"""BUY in Version 1.7: pieces before play, and nothing else (17.setup.4)."""

from __future__ import annotations

from referee.core.choices import Asking, Nothing
from referee.core.names import Seat
from referee.games.war.deeds.lots import lots_in_words
from referee.games.war.orders.opening.setting_up import EQUIPMENT, BuyPieces, Pieces, equipping
from referee.games.war.position.state import War
from referee.kit.declared import Declared, Words


class BuyPieces17(BuyPieces, frozen=True, tag="BuyPieces"):
    """Units and buildings bought before play; there are no diplomacy points (17.production.2)."""

    words = Words("BUY", "before play buy pieces", BuyPieces.words.rule, BuyPieces.words.example)
    fields = (Pieces("lots", ("unit", "building"), "", lots_in_words),)
    shapes = ()

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Declared[War]]:
        if not equipping(war, seat):
            raise Nothing
        return (yield from super().choices(war, seat))


SET_UP = tuple(BuyPieces17 if order is BuyPieces else order for order in EQUIPMENT)
