"""Who may enter which region: at war, with a brigade, by cession, and not into another's revolt."""

from __future__ import annotations

from collections.abc import Collection

from referee.core.names import Seat
from referee.games.war.deeds.refused import NotYet
from referee.games.war.position.places import Land
from referee.games.war.position.relations import Offer
from referee.games.war.position.state import War
from referee.games.war.reckoning.alliances import allied, friends
from referee.games.war.rulebook.pieces import BRIGADES, plural
from referee.kit.refused import Refused


def cession_of(war: War, seat: Seat, region: str) -> Offer | None:
    """The standing offer by which the owner of a region would cede it to this player (27.move.cede.1)."""
    owner = war.lands[region].owner
    return next(
        (o for o in war.offers if o.kind == "cede" and o.region == region and o.maker == owner and o.to == seat), None
    )


def open_by_cession(war: War, seat: Seat, region: str) -> bool:
    """Whether another's region is ceded to this player, so that he takes it by entering."""
    return war.lands[region].owner not in (None, seat) and cession_of(war, seat, region) is not None


def ceded(war: War, seat: Seat, region: str) -> War:
    """The position after a cession as far as it can be foreseen: the region is his, the guests are gone."""
    land = war.lands[region]
    stacks = tuple(stack for stack in land.stacks if stack.owner == seat)
    return war.with_land(region, owner=seat, stacks=stacks)


def attack_allowed(war: War, seat: Seat, enemy: Seat) -> bool:
    """Whether war was declared in time: in one's own share only before it, otherwise for the next share (R27-71)."""
    own_share = war.stage == "movement" and war.active == seat
    return war.may_attack(seat, enemy) if own_share else war.at_war(seat, enemy)


def check_attack(war: War, seat: Seat, enemy: Seat, at: str) -> None:
    """Raises Refused unless this player may attack that one now (27.war.1, 27.war.4)."""
    if not war.at_war(seat, enemy):
        why = f"You are not at war with {enemy}; war declared now lets you attack in your next movement phase."
        raise Refused(why + declaration(war, seat, enemy), "27.war.1", at)
    if not attack_allowed(war, seat, enemy):
        why = f"You declared war on {enemy} in this movement phase and may attack only from your next."
        raise Refused(why, "27.war.4", at)


def declaration(war: War, seat: Seat, enemy: Seat) -> str:
    """How war is declared, for who can pay for it (27.war.3): told in words, so that no YES declares it."""
    return f" War is declared by DECLARE WAR ON {enemy} and costs 1 DP." if war.treasuries[seat].dp else ""


def check_entry(war: War, seat: Seat, region: str, kinds: Collection[str]) -> None:
    """Raises Refused unless units of these kinds may enter a region together and stay there."""
    land = war.lands[region]
    if land.owner in friends(war, seat):
        return
    brigade = any(kind in BRIGADES for kind in kinds) or land.brigades(seat) > 0
    if land.owner is None:
        _check_native(region, kinds, brigade)
    elif cession_of(war, seat, region):
        # 27.move.cede.2: a brigade takes a ceded region, and not while it is in revolt (R27-37).
        if land.revolt is not None:
            why = f"{land.name} is in revolt and cannot change hands before that is settled."
            raise Refused(why, "27.move.cede.1", land.name)
        if not brigade:
            raise NotYet(f"{land.name} is ceded to you, but only a brigade can take it.", "27.move.cede.2", land.name)
    else:
        _check_enemy(war, seat, land, brigade)


def _check_native(region: str, kinds: Collection[str], brigade: bool) -> None:
    """27.move.land.5, 27.move.land.6: other parties than explorers need a brigade (R27-32)."""
    lost = [kind for kind in kinds if kind not in BRIGADES and kind != "explorer"]
    if lost and not brigade:
        why = f"{plural(lost[0]).capitalize()} enter {region}, which is native, only with a brigade."
        raise NotYet(why, "27.move.land.5", lost[0])


def _check_enemy(war: War, seat: Seat, land: Land, brigade: bool) -> None:
    """27.move.land.3, 27.move.land.5, 27.production.revolt.10."""
    owner = land.owner
    assert owner is not None  # a native region was dealt with before
    if allied(war, seat, owner):
        raise Refused(f"{owner} does not let your units into {land.name}.", "27.opt.alliances.6", land.name)
    if not war.at_war(seat, owner):
        why = (
            f"{land.name} belongs to {owner}, with whom you are not at war; "
            "war declared now lets you enter in your next movement phase."
        )
        raise Refused(why + declaration(war, seat, owner), "27.move.land.3", land.name)
    check_attack(war, seat, owner, land.name)
    if land.revolt is not None:
        why = f"{land.name} is in revolt; nobody else may enter before that is settled."
        raise Refused(why, "27.production.revolt.10", land.name)
    if not brigade:
        why = f"Parties enter {land.name}, which is {owner}'s, only with a brigade."
        raise NotYet(why, "27.move.land.5", land.name)
