"""The sheets that a strong player of Version 1.7 tries beside the steady one, and the forecast of how a match will end."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.choices import Pick
from referee.core.names import Seat
from referee.core.order import Intent
from referee.games.war.orders.move import MoveUnits
from referee.games.war.position.state import War
from referee.games.war.reckoning.scoring import points
from referee.games.war.rulebook import BRIGADES
from referee.games.war.steady_player import brigades, front
from referee.games.war.strong_player import another_war, but_from, ways_out
from referee.games.war17.orders import BuildUnits17, DeclareWar17, here
from referee.games.war17.reckoning import income
from referee.games.war17.rulebook import KINDS17
from referee.games.war17.steady_player import STEADY, steady, turns_left
from referee.kit.opponents import but_one, crossed, near


def prospects(war: War) -> dict[Seat, int]:
    """Points now, with what PP and brigades may still bring, in hundredths; but for income the weights are guesses."""
    turns = turns_left(war) + (war.stage == "movement")
    found: dict[Seat, int] = {}
    for seat in war.seats:
        forces, hand = war.forces_of(seat), war.treasuries[seat].pp
        army = sum(forces.get(kind, 0) for kind in BRIGADES)
        coming = STEADY.income // 10 * income(war, seat).pp * turns
        found[seat] = 100 * points(war, seat) + coming + (20 * hand if turns else 0) + 40 * min(turns, 3) * army
    return found


# ---------------------------------------------------------------- what is tried

NEAR: Mapping[str, tuple[int, ...]] = {
    "army": (0, 200, 400, 600, 1000),
    "least": (100, 400, 600),
    "more": (0, 250, 1000),
    "led": (0, 1, 3),
    "works": (2, 5, 99),
    "garrison": (0, 1, 3, 4),
    "war": (0, 2, 4, 9),
    "odds": (1000, 1200, 2000, 3000),
    "income": (60, 200, 400),
    "stand": (0, 8),
    "factories": (0, 2),
    "leaders": (0, 2),
    "engineers": (0, 2),
    "infantry": (0, 3, 10),
}
"""The other values of a habit."""


def challenger(war: War, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """A steady sheet of other habits, some of its lines in the best, or the best with a line changed."""
    if war.stage == "setup" or not pick(3):
        other = tuple([one.order for one in steady(war, seat, near(STEADY, NEAR, pick))])
        return other if pick(2) or war.stage == "setup" else crossed(best, other, pick)
    if not pick(8) and best:
        return but_one(best, pick)
    return _march(war, seat, best, pick) if war.stage == "movement" else _work(war, seat, best, pick)


def _march(war: War, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """A war more or less; brigades of a region go elsewhere, or stay."""
    if not pick(6):
        return another_war(war, seat, best, pick, DeclareWar17)
    lands = [land for land in war.lands.values() if land.brigades(seat) and land.revolt is None]
    if not lands:
        return best
    land = lands[pick(len(lands))]
    beside, kept = ways_out(war, seat, land), but_from(best, land, BRIGADES)
    if not beside or not pick(5):
        return kept
    many = land.brigades(seat)
    number = max(1, many - 1) if pick(2) else 1 + pick(many)
    march = MoveUnits(brigades(land, seat, number), land.name, beside[pick(len(beside))])
    return (here(march), *kept)


def _work(war: War, seat: Seat, best: tuple[Intent, ...], pick: Pick) -> tuple[Intent, ...]:
    """Half the time a line less; then infantry or a party more, before some line."""
    lines = list(best)
    if lines and pick(2):
        lines.pop(pick(len(lines)))
    cities = [land.name for land in war.regions_of(seat) if land.has("city") and land.revolt is None]
    sites = {"infantry": front(war, seat)[:4]} | dict.fromkeys(("explorer", "engineer", "leader"), cities)
    more = list[BuildUnits17]()
    for kind, places in sites.items():
        if places and (most := war.treasuries[seat].pp // KINDS17[kind].price) > 0:
            more.append(BuildUnits17(kind, 1 + pick(min(6, most)), places[pick(len(places))]))
    more = [order for order in more if order.lawful(war, seat)]
    if more:
        lines.insert(pick(len(lines) + 1), more[pick(len(more))])
    return tuple(lines)
