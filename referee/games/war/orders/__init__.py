"""The orders of War! that declare themselves, in the order of the phases that carry them out."""

from __future__ import annotations

from referee.games.war.deeds.lines import SINGULARS
from referee.games.war.orders.combat import DestroyWorks, ExploreRegion, ProspectRegion, ResolveInOrder
from referee.games.war.orders.movement.alliances import ALLIANCES
from referee.games.war.orders.movement.attack import AttackFleets, DeclareWar
from referee.games.war.orders.movement.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.movement.move import MoveUnits
from referee.games.war.orders.movement.sail import SailFleets
from referee.games.war.orders.offers import OFFERS
from referee.games.war.orders.opening.optional import GIFTS, NameCapital, SwapRegions
from referee.games.war.orders.opening.setting_up import EQUIPMENT
from referee.games.war.orders.production.auction import BIDS
from referee.games.war.orders.production.buildings import BuildBuilding
from referee.games.war.orders.production.diplomacy import BuyDiplomacy
from referee.games.war.orders.production.incite import InciteRevolt
from referee.games.war.orders.production.natives import RemoveSphere, WesternizeRegion
from referee.games.war.orders.production.resources import BuildCanal, DevelopResource
from referee.games.war.orders.production.units import BuildUnits
from referee.games.war.orders.standing.home import STANDING_AT_HOME, ConsentRule
from referee.games.war.orders.standing.land import STANDING_ON_LAND
from referee.games.war.orders.standing.losses import STANDING_OF_LOSSES
from referee.games.war.orders.standing.sea import STANDING_AT_SEA
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.kit.declared import Book

BOOK: Book[War] = Book(
    (
        SwapRegions,
        NameCapital,
        *EQUIPMENT,
        *GIFTS,
        *BIDS,
        BuyDiplomacy,
        RemoveSphere,
        WesternizeRegion,
        InciteRevolt,
        BuildUnits,
        BuildBuilding,
        DevelopResource,
        BuildCanal,
        MoveUnits,
        EmbarkUnits,
        SailFleets,
        LandUnits,
        AttackFleets,
        DeclareWar,
        DestroyWorks,
        ResolveInOrder,
        ExploreRegion,
        ProspectRegion,
        *OFFERS,
        *ALLIANCES,
        *STANDING_AT_HOME,
        *STANDING_AT_SEA,
        *STANDING_ON_LAND,
        *STANDING_OF_LOSSES,
    ),
    SINGULARS,
)

OPTIONAL_VERBS = {
    SwapRegions.words.verb: "random_regions",
    NameCapital.words.verb: "capital_only",
    **{order.words.verb: "historical" for order in GIFTS},
    **{order.words.verb: "auction" for order in BIDS},
    BuildCanal.words.verb: "suez",
    DestroyWorks.words.verb: "scorched",
    **{order.words.verb: "alliances" for order in ALLIANCES},
    ConsentRule.words.verb: "simultaneous",
}
"""The verbs that a match has only by an optional rule."""


def in_play(war: War, *phases: str) -> tuple[str, ...]:
    """The verbs that a match has of these phases, or of all."""
    verbs = BOOK.verbs_of(*phases) if phases else tuple(BOOK.orders)
    return tuple(verb for verb in verbs if verb not in OPTIONAL_VERBS or plays(war, OPTIONAL_VERBS[verb]))
