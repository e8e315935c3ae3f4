"""How many buildings a region may hold (27.pieces.4), and what the optional rules make of it."""

from __future__ import annotations

from referee.games.war.position.options import plays
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import COLONIAL_POWERS, EUROPEAN
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import EXCLUSIVE


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


def has_room(war: War, land: Land, kind: str) -> bool:
    """Whether one more building of a kind may stand in a region: the limit, the coast of a port, the city of a school."""
    if land.has(kind) or (kind in EXCLUSIVE and len(standing_kinds(land)) >= kinds_allowed(war, land.name)):
        return False
    return (kind != "port" or BOARD.regions[land.name].coastal) and (kind != "school" or land.has("city"))
