"""Lawful orders of a turn's sheet and asides, as War! understands them. Standing orders are in standing.py."""

from __future__ import annotations

from referee.core.order import Intent
from referee.games.war.intents.asides import (
    AcceptOffer,
    DeclineOffer,
    GivePoints,
    OfferCession,
    OfferPeace,
    SetDecisions,
    SetLeave,
    WithdrawOffer,
)
from referee.games.war.intents.setup import (
    AskPlacement,
    BidForOrder,
    BuyPieces,
    DraftRegions,
    FreeBuilding,
    FreeResource,
    InsertInOrder,
    NameCapital,
    PlacePieces,
    SwapRegions,
)
from referee.games.war.lots import Lot, lots_in_words, named_fleets

__all__ = [
    "ASIDES",
    "AcceptOffer",
    "AskPlacement",
    "BidForOrder",
    "BuyPieces",
    "DeclineOffer",
    "DraftRegions",
    "FreeBuilding",
    "FreeResource",
    "GivePoints",
    "Lot",
    "InsertInOrder",
    "NameCapital",
    "OfferCession",
    "OfferPeace",
    "PlacePieces",
    "SHEET",
    "SetDecisions",
    "SwapRegions",
    "SetLeave",
    "WithdrawOffer",
    "lots_in_words",
    "named_fleets",
]

SHEET: tuple[type[Intent], ...] = (
    DraftRegions, BuyPieces, PlacePieces, AskPlacement, SwapRegions, NameCapital,
    FreeBuilding, FreeResource, BidForOrder, InsertInOrder,
)  # fmt: skip
"""Orders that wait for their phase, but those that declare themselves."""


ASIDES = (GivePoints, OfferPeace, OfferCession, AcceptOffer, DeclineOffer, WithdrawOffer, SetDecisions, SetLeave)
"""Orders that act at once."""
