"""What a combat phase comes to: what is to be resolved, where explorers may try the natives, where engineers may prospect."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.deeds.refused import NotYet
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import is_power
from referee.games.war.rulebook.board import BOARD
from referee.kit.refused import Refused


def revolts_of(war: War, seat: Seat) -> tuple[str, ...]:
    """His regions in revolt, in the order of the map."""
    return tuple(land.name for land in war.lands.values() if land.owner == seat and land.revolt is not None)


def battles_of(war: War, seat: Seat) -> tuple[str, ...]:
    """Native regions and regions of enemies in which his brigades stand, in the order of the map."""
    there = (land for land in war.contested() if land.owner != seat and land.brigades(seat))
    return tuple(land.name for land in there if land.owner is None or war.at_war(seat, land.owner))


def to_resolve(war: War, seat: Seat) -> tuple[str, ...]:
    """Revolts, battles, and native regions with his explorers, each once."""
    explored = (land.name for land in war.regions_of(None) if land.count(seat, "explorer"))
    return tuple(dict.fromkeys((*revolts_of(war, seat), *battles_of(war, seat), *explored)))


GIFT_PRICE = 1
"""DP for a gift (27.combat.explorer.2)."""


def check_gift(war: War, seat: Seat, region: str) -> None:
    """27.combat.explorer.2: its DP, and an own region next door not won in this share, or a fleet. Raises NotYet or Refused."""
    place, rule = BOARD.regions[region], "27.combat.explorer.2"
    if war.treasuries[seat].dp < GIFT_PRICE:
        raise Refused(f"A gift costs {GIFT_PRICE} DP; you have {war.treasuries[seat].dp or 'none'}.", rule, "gift")
    old = any(war.lands[name].owner == seat and war.lands[name].won_in != war.share for name in place.borders)
    if not old and not any(war.fleets_of(seat, sea) for sea in place.seas):
        sentence = (
            f"A gift comes from an own region next to {region}, held before this phase, or a fleet off its coast."
        )
        raise NotYet(sentence, rule)


def regions_to_explore(war: War, seat: Seat) -> tuple[str, ...]:
    """Native regions in which a seat's explorers stand without a battle to fight, in the order of the map."""
    native = (land for land in war.lands.values() if land.owner is None and land.stacks)
    here = (land.name for land in native if land.count(seat, "explorer") and not land.brigades(seat))
    return tuple(name for name in here if not is_power(war, name))


PROSPECTING_PRICE = 5
"""PP for one search (27.combat.prospect.1)."""
