"""Peace that both have spoken for."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.names import Seat
from referee.core.table import Table
from referee.games.war.events.course import OfferClosed
from referee.games.war.events.moving import PeaceMade
from referee.games.war.phases.movement.alliances import part, parting_pairs
from referee.games.war.position.relations import Offer
from referee.games.war.position.state import War


def make_peace(table: Table[War], seat: Seat | None) -> None:
    """27.war.6, R27-70: peace both have spoken for, in a movement phase of either (`seat`) or, None, in production."""
    allies = parting_pairs(table.state)
    for offer in tuple(_agreed(table.state, seat)):
        table.emit(PeaceMade(offer.maker, offer.to))
        for same in [o for o in table.state.offers if o.kind == "peace" and {o.maker, o.to} == {offer.maker, offer.to}]:
            table.emit(OfferClosed(same.number, "done"))
    part(table, allies)


def _agreed(war: War, seat: Seat | None) -> Iterator[Offer]:
    words = {(o.maker, o.to) for o in war.offers if o.kind == "peace"}
    done: list[frozenset[Seat]] = []
    for offer in war.offers:
        both = frozenset((offer.maker, offer.to))
        agreed = offer.kind == "peace" and (offer.accepted or (offer.to, offer.maker) in words)
        if agreed and (seat is None or seat in both) and both not in done and war.at_war(offer.maker, offer.to):
            done.append(both)
            yield offer
