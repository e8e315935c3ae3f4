"""The orders of War! that declare themselves, in the order of the phases that carry them out."""

from __future__ import annotations

from referee.games.war.lines import SINGULARS
from referee.games.war.options import plays
from referee.games.war.orders.acts import DestroyWorks, ExploreRegion, ProspectRegion, ResolveInOrder
from referee.games.war.orders.alliances import ALLIANCES
from referee.games.war.orders.attack import AttackFleets, DeclareWar
from referee.games.war.orders.auction import BIDS
from referee.games.war.orders.carry import EmbarkUnits, LandUnits
from referee.games.war.orders.incite import InciteRevolt
from referee.games.war.orders.move import MoveUnits
from referee.games.war.orders.natives import RemoveSphere, WesternizeRegion
from referee.games.war.orders.offers import OFFERS
from referee.games.war.orders.opening import GIFTS, NameCapital, SwapRegions
from referee.games.war.orders.sail import SailFleets
from referee.games.war.orders.setting_up import EQUIPMENT
from referee.games.war.orders.standing_home import STANDING_AT_HOME, ConsentRule
from referee.games.war.orders.standing_land import STANDING_ON_LAND
from referee.games.war.orders.standing_sea import STANDING_AT_SEA
from referee.games.war.orders.units import BuildUnits, BuyDiplomacy
from referee.games.war.orders.works import BuildBuilding, BuildCanal, DevelopResource
from referee.games.war.state import War
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
