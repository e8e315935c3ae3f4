"""Who may enter or cross which region in Version 1.7 (17.move.land.2 to 17.move.land.5)."""

from __future__ import annotations

from collections.abc import Collection

from referee.core.names import Seat
from referee.games.war.deeds.entry import attack_allowed, cession_of
from referee.games.war.deeds.refused import NotYet
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import BRIGADES, plural
from referee.kit.refused import Refused


def check_attack(war: War, seat: Seat, enemy: Seat, at: str) -> None:
    """17.war.1, 17.war.3: raises Refused unless this player may attack that one now."""
    if not war.at_war(seat, enemy):
        why = f"You are not at war with {enemy}; war declared now lets you attack in your next movement phase."
        raise Refused(why, "17.war.1", at)
    if not attack_allowed(war, seat, enemy):
        why = f"You declared war on {enemy} in this movement phase and may attack only from your next."
        raise Refused(why, "17.war.3", at)


def check_entry(war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
    """Raises Refused unless units of these kinds may enter a region together and stay there."""
    land = war.lands[region]
    if land.owner == seat:
        return
    brigade = any(kind in BRIGADES for kind in kinds) or land.brigades(seat) > 0
    if land.owner is None:
        _check_native(land, seat, kinds, brigade)
        return
    if cession_of(war, seat, region) is None:
        if not war.at_war(seat, land.owner):
            why = f"{region} belongs to {land.owner}, with whom you are not at war: nobody of yours may stay there."
            raise Refused(why, "17.move.land.2", region)
        check_attack(war, seat, land.owner, region)
    if not brigade:
        raise NotYet(f"Only brigades can take {region}; parties go with them.", "R17-24", region)


def _check_native(land: Land, seat: Seat, kinds: Collection[str], brigade: bool) -> None:
    """17.move.land.5: who would be lost at the end of the phase is not sent; leaders go with an explorer."""
    explorer = "explorer" in kinds or land.count(seat, "explorer") > 0
    lost = [k for k in kinds if k not in BRIGADES and k != "explorer" and not (k == "leader" and explorer)]
    if lost and not brigade:
        why = f"{plural(lost[0]).capitalize()} in {land.name}, which is native, would be lost without a brigade."
        raise NotYet(why, "17.move.land.5", lost[0])
