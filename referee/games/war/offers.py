"""What may be done at any time: gifts, offers of peace and of regions, and how decisions are taken."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.names import Seat
from referee.core.order import Intent
from referee.core.table import Table
from referee.games.war.events.alliances import LeaveSet
from referee.games.war.events.course import DecisionsSet, OfferAccepted, OfferClosed, OfferMade, PointsGiven
from referee.games.war.events.moving import PeaceMade
from referee.games.war.intents import (
    AcceptOffer,
    DeclineOffer,
    GivePoints,
    OfferCession,
    OfferPeace,
    SetDecisions,
    SetLeave,
    WithdrawOffer,
)
from referee.games.war.phases.alliance import part, parting_pairs
from referee.games.war.relations import Offer
from referee.games.war.state import War

__all__ = ["do_aside", "make_peace"]


def do_aside(table: Table[War], seat: Seat, intent: Intent) -> None:
    """Do at once what the binder has found lawful; what has become void meanwhile does nothing."""
    war = table.state
    match intent:
        case GivePoints(pp, to) if 0 < pp <= war.treasuries[seat].pp and to != seat:
            table.emit(PointsGiven(seat, to, pp))
        case OfferPeace(to) if war.at_war(seat, to) and not _offered(war, seat, "peace", to):
            table.emit(OfferMade(Offer(war.next_offer, "peace", seat, to)))
        case OfferCession(region, to) if war.lands[region].owner == seat and to != seat:
            for old in [o for o in war.offers if o.kind == "cede" and o.region == region]:
                table.emit(OfferClosed(old.number, "void"))
            table.emit(OfferMade(Offer(war.next_offer, "cede", seat, to, region)))
        case AcceptOffer(number) if any(o.number == number and o.to == seat for o in war.offers):
            table.emit(OfferAccepted(number, seat))
        case DeclineOffer(number) if any(o.number == number and o.to == seat for o in war.offers):
            table.emit(OfferClosed(number, "declined", seat))
        case WithdrawOffer(number) if any(o.number == number and o.maker == seat for o in war.offers):
            table.emit(OfferClosed(number, "withdrawn", seat))
        case SetLeave(refused) if war.shut.get(seat, ()) != refused:
            table.emit(LeaveSet(seat, refused))
        case SetDecisions(mode) if war.decisions.get(seat) != mode:
            table.emit(DecisionsSet(seat, mode))


def _offered(war: War, maker: Seat, kind: str, to: Seat) -> bool:
    return any(o.kind == kind and o.maker == maker and o.to == to for o in war.offers)


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
