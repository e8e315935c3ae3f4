"""Explorers: where they may try the natives, and who may send a gift (27.combat.explorer)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import is_power
from referee.games.war.rulebook.board import BOARD
from referee.kit.refused import Refused


def check_explore(war: War, seat: Seat, region: str) -> None:
    """27.combat.explorer.1: only natives can be talked to. Raises Refused."""
    if owner := war.lands[region].owner:
        whose = "yours" if owner == seat else f"{owner}'s"
        raise Refused(f"{region} is {whose}; explorers roll in native regions only.", "27.combat.explorer.1")
    if is_power(war, region):
        raise Refused(f"{region} is a local power, won by conquest only.", "27.opt.historical.powers.4", region)


def check_gift(war: War, seat: Seat, region: str) -> None:
    """27.combat.explorer.2: 1 DP, and an own region next door not won in this share, or a fleet. Raises Refused."""
    place, rule = BOARD.regions[region], "27.combat.explorer.2"
    if war.treasuries[seat].dp < 1:
        raise Refused("A gift costs 1 DP; you have none.", rule)
    old = any(war.lands[name].owner == seat and war.lands[name].won_in != war.share for name in place.borders)
    if not old and not any(war.fleets_of(seat, sea) for sea in place.seas):
        sentence = (
            f"A gift comes from an own region next to {region}, held before this phase, or a fleet off its coast."
        )
        raise Refused(sentence, rule)


def regions_to_explore(war: War, seat: Seat) -> tuple[str, ...]:
    """Native regions in which a seat's explorers stand without a battle to fight, in the order of the map."""
    native = (land for land in war.lands.values() if land.owner is None and land.stacks)
    here = (land.name for land in native if land.count(seat, "explorer") and not land.brigades(seat))
    return tuple(name for name in here if not is_power(war, name))
