"""How many buildings a region may hold (27.pieces.4), and what the optional rules make of it."""

from __future__ import annotations

from referee.games.war.position.options import plays
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import COLONIAL_POWERS, EUROPEAN
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import EXCLUSIVE
from referee.kit.refused import Refused
from referee.kit.wording import in_a_row


def kinds_allowed(war: War, region: str) -> int:
    """How many of city, factory, port and railroad a region may hold: one, but for optional rules."""
    if plays(war, "historical") and region in EUROPEAN:
        return len(EXCLUSIVE)  # 27.opt.historical.european.2
    more = plays(war, "historical") and region in COLONIAL_POWERS  # 27.opt.historical.powers.5
    return min(len(EXCLUSIVE), _several(war, region) + more)


def _several(war: War, region: str) -> int:
    """27.opt.multiple_buildings: so many or each, everywhere or only in the capital of the region's owner (R27-92)."""
    owner = war.lands[region].owner
    capital = owner is not None and war.capitals.get(owner) == region
    if not plays(war, "multiple_buildings") or (plays(war, "capital_only") and not capital):
        return 1
    number = war.options["multiple_buildings"]
    return len(EXCLUSIVE) if number == "each" else int(number)


def standing_kinds(land: Land) -> tuple[str, ...]:
    """Which of city, factory, port and railroad stand in a region."""
    return tuple(kind for kind in land.buildings if kind in EXCLUSIVE)


def check_room(war: War, land: Land, kind: str) -> None:
    """27.pieces.4, 27.pieces.5, 27.production.build.7, 27.production.build.8: one more building of a kind. Raises Refused."""
    if land.has(kind):
        one_of_a_kind = "27.opt.multiple_buildings.4" if plays(war, "multiple_buildings") else "27.pieces.4"
        rule = {"fort": "27.pieces.5", "school": "27.production.build.8"}.get(kind, one_of_a_kind)
        raise Refused(f"{land.name} has a {kind} already.", rule, kind)
    standing = standing_kinds(land)
    if kind in EXCLUSIVE and len(standing) >= kinds_allowed(war, land.name):
        beside = "them" if standing[1:] else "it"
        why = f"{land.name} has a {in_a_row(standing)}; a {kind} cannot stand beside {beside}."
        raise Refused(why, "27.opt.multiple_buildings.1" if standing[1:] else "27.pieces.4", kind)
    if kind == "port" and not BOARD.regions[land.name].coastal:
        raise Refused(f"{land.name} has no coast; ports stand on coasts.", "27.production.build.7", kind)
    if kind == "school" and not land.has("city"):
        raise Refused(f"{land.name} has no city; a school needs one.", "27.production.build.8", kind)


def has_room(war: War, land: Land, kind: str) -> bool:
    """Whether one more building of a kind may stand in a region."""
    try:
        check_room(war, land, kind)
    except Refused:
        return False
    return True
