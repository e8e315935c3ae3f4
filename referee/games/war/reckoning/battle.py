"""A battle on land while it is fought: its two sides, what each has left, and what each adds to its dice."""

from __future__ import annotations

from typing import Literal

import msgspec

from referee.core.names import Seat
from referee.games.war.position.places import Army
from referee.games.war.position.state import War
from referee.games.war.reckoning.drm import Force, Reckoning, army_force, force_of, landing_malus, reckon
from referee.games.war.rulebook.pieces import BRIGADES, LAND_UNITS

Role = Literal["attacker", "defender"]


def opposite(role: Role) -> Role:
    """The other side."""
    return "defender" if role == "attacker" else "attacker"


class Battle(msgspec.Struct, frozen=True):
    """Who fights where. A seat of None is the natives', whose army is `army` and whom `runner` may lead.

    `name` begins the names of its questions; `round` counts from 1, 0 before the first. `origins`: the regions and seas
    from which the attacker entered, be those who came from there alive or not (27.combat.retreat.1).
    `allies`: who defends the region with its owner (27.opt.alliances.7). `stuck`: sides that were told that they fight on.
    """

    region: str
    name: str
    attacker: Seat | None
    defender: Seat | None
    army: Army | None = None
    runner: Seat | None = None
    round: int = 0
    origins: tuple[str, ...] = ()
    allies: tuple[Seat, ...] = ()
    stuck: tuple[Role, ...] = ()

    def seat(self, role: Role) -> Seat | None:
        """Whose side it is."""
        return self.attacker if role == "attacker" else self.defender

    def seats(self, role: Role) -> tuple[Seat, ...]:
        """Whose units fight on a side; nobody for the natives' own."""
        seat = self.seat(role)
        return () if seat is None else (seat, *self.allies) if role == "defender" else (seat,)

    def entered_from(self, war: War) -> tuple[str, ...]:
        """The regions and seas from which the attacker entered, each once."""
        came = (s.origin for s in war.lands[self.region].stacks if s.owner == self.attacker and s.origin)
        return tuple(dict.fromkeys((*self.origins, *came)))

    def units(self, war: War, role: Role) -> dict[str, int]:
        """All land units a side has here, by kind."""
        seat = self.seat(role)
        if seat is None:
            army = self.army or Army(0)
            return {kind: army.count(kind) for kind in BRIGADES if army.count(kind)}
        land = war.lands[self.region]
        counts = {kind: sum(land.count(one, kind) for one in self.seats(role)) for kind in LAND_UNITS}
        return {kind: number for kind, number in counts.items() if number}

    def brigades(self, war: War, role: Role) -> int:
        """How many brigades a side has left."""
        seat = self.seat(role)
        if seat is not None:
            return sum(war.lands[self.region].brigades(one) for one in self.seats(role))
        return self.army.brigades if self.army else 0

    def force(self, war: War, role: Role) -> Force:
        """A side as it fights this round."""
        seat = self.seat(role)
        if seat is None:
            return army_force(self.army or Army(0))
        return force_of(war, self.region, seat, self.round == 1, self.seats(role))

    def reckonings(self, war: War) -> dict[Role, Reckoning]:
        """Both sides' modifiers at the start of this round, before a general turns them (27.combat.land.6)."""
        fort = war.lands[self.region].has("fort")
        malus = landing_malus(war, self.defender, self.round)
        attack, defence = reckon(self.force(war, "attacker"), self.force(war, "defender"), fort, malus)
        return {"attacker": attack, "defender": defence}
