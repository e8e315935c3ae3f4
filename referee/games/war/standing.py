"""Standing orders: what a player wants decided, and how, in the middle of anybody's turn (rulings, section 7)."""

from __future__ import annotations

from referee.core.names import Seat
from referee.core.order import Intent, Quantity
from referee.games.war.intents import Lot
from referee.games.war.pieces import plural
from referee.kit.wording import counted

__all__ = [
    "BreakOffRule",
    "ConsentRule",
    "ConvertRule",
    "DisbandOrder",
    "EvacuateTo",
    "FavourRule",
    "FleetLossOrder",
    "FuseRule",
    "InterceptRule",
    "LossOrder",
    "PickRule",
    "PointsRule",
    "ReinforceRule",
    "RetreatRule",
    "RunNatives",
    "STANDING",
    "ShiftRule",
    "SphereRule",
    "StraitsRule",
    "StrikeOrder",
    "some_of",
]


def some_of(kind: str, number: int) -> str:
    """`2 infantry`; without a number `infantry`."""
    return plural(kind) if not number else f"{number} {kind if number == 1 else plural(kind)}"


class DisbandOrder(Intent, frozen=True):
    """Which units go first when maintenance cannot be paid: kinds, each in a region or anywhere (""), so many (0: any number)."""

    units: tuple[tuple[str, str, int], ...]

    def meaning(self) -> str:
        named = [f"{some_of(kind, number)} in {where}" if where else some_of(kind, number) for kind, where, number in self.units]
        return f"If maintenance cannot be paid, lose first {', then '.join(named)}."


class SphereRule(Intent, frozen=True):
    """The side of one's spheres in revolts: `support` or `suppress`; in one region or, "", in all; in `of`'s regions only."""

    side: str
    region: str = ""
    of: Seat | None = None

    def meaning(self) -> str:
        where = f" in {self.region}" if self.region else ""
        whose = f" against {self.of}" if self.of else ""
        return f"Your spheres{where} {self.side} revolts{whose}."


class StrikeOrder(Intent, frozen=True):
    """Whose spheres go first where there are more than the native level allows (27.combat.explorer.5)."""

    seats: tuple[Seat, ...]

    def meaning(self) -> str:
        return f"Strike surplus spheres in your regions in this order: {', '.join(self.seats)}."


class StraitsRule(Intent, frozen=True):
    """Who may pass your strait or canal: all but `refused`; with `nobody` nobody."""

    refused: tuple[Seat, ...] = ()
    nobody: bool = False

    def meaning(self) -> str:
        if self.nobody:
            return "Let nobody through your straits."
        return f"Let all through your straits{' except ' + ', '.join(self.refused) if self.refused else ''}."


class InterceptRule(Intent, frozen=True):
    """When to intercept: `always`, `never`, `ratio` (own fleets at least `ratio` times his), `carrying`.

    `fleets`: with how many of those there; None for all (R27-33).
    """

    when: str
    ratio: int = 1
    enemy: Seat | None = None
    sea: str = ""
    fleets: Quantity | None = None

    def meaning(self) -> str:
        words = {
            "always": "whenever you may",
            "never": "never",
            "ratio": f"when you have at least {counted(self.ratio, 'fleets')} for each of his",
            "carrying": "when he carries units",
        }
        whom = f" {self.enemy}" if self.enemy else ""
        force = f" with {Lot('fleet', self.fleets).words()}" if self.fleets else ""
        return f"Intercept{whom}{' in ' + self.sea if self.sea else ''}{force} {words[self.when]}."


class BreakOffRule(Intent, frozen=True):
    """Break off a naval battle when the enemy has more than `ratio` fleets for each of yours; 0: never."""

    ratio: int

    def meaning(self) -> str:
        if not self.ratio:
            return "Never break off a naval battle."
        return f"Break off a naval battle when he has more than {counted(self.ratio, 'fleets')} for each of yours."


class FleetLossOrder(Intent, frozen=True):
    """Which of your fleets take hits first: those named, in this order, then `empty` or `loaded` ones ("": the default).

    In a sea area or everywhere ("").
    """

    first: str
    sea: str = ""
    fleets: tuple[int, ...] = ()

    def meaning(self) -> str:
        where = f" in {self.sea}" if self.sea else ""
        other = "loaded" if self.first == "empty" else "empty"
        first = ", then ".join(f"fleet {number}" for number in self.fleets)
        if not self.first:
            return f"Naval battles{where} cost you {first} first, then the others."
        return f"Naval battles{where} cost you {first}{', then ' if first else ''}{self.first} fleets before {other} ones."


class EvacuateTo(Intent, frozen=True):
    """Where your units go when a region is ceded or lost to you, best first."""

    places: tuple[str, ...]

    def meaning(self) -> str:
        return f"Units that must leave a region go to the first of: {', '.join(self.places)}."


class ReinforceRule(Intent, frozen=True):
    """A general who reinforces `region` from `origin`, if at most so many brigades attack (0: any).

    `brings`: kinds in order, with how many of each at most (0: as many as the points allow); () for all that can come.
    """

    region: str
    origin: str
    brings: tuple[tuple[str, int], ...] = ()
    at_most: int = 0

    def meaning(self) -> str:
        verb = "attacks" if self.at_most == 1 else "attack"
        limit = f", if at most {counted(self.at_most, 'brigades')} {verb} it" if self.at_most else ""
        named = [some_of(kind, number) if number else kind for kind, number in self.brings]
        first = f" with {', '.join(named)}" if named else ""
        return f"When {self.region} is attacked, reinforce it from {self.origin}{first}{limit}."


class ShiftRule(Intent, frozen=True):
    """How much of the modifier your general turns against the enemy: None for all, 0 for none."""

    points: int | None = None

    def meaning(self) -> str:
        much = "as much of the modifier as possible" if self.points is None else f"up to {self.points}"
        return f"Your general turns {much} against the enemy."


class LossOrder(Intent, frozen=True):
    """Kinds in the order in which you lose them, in a region or everywhere ("")."""

    kinds: tuple[str, ...]
    region: str = ""

    def meaning(self) -> str:
        where = f" in {self.region}" if self.region else ""
        return f"Losses{where} in this order: {', '.join(plural(kind) for kind in self.kinds)}."


class FuseRule(Intent, frozen=True):
    """Fuse three hits into one on this kind of brigade, as often as possible; "" never."""

    kind: str

    def meaning(self) -> str:
        return f"Fuse hits by threes for {plural(self.kind)}." if self.kind else "Never fuse hits."


class RetreatRule(Intent, frozen=True):
    """When to retreat: `never`, `after` round n, `below` n brigades, `outnumbered` n to 1; and where to, best first."""

    when: str
    number: int = 0
    to: tuple[str, ...] = ()
    region: str = ""

    def meaning(self) -> str:
        words = {
            "never": "Never retreat",
            "after": f"Retreat after round {self.number}",
            "below": f"Retreat with fewer than {counted(self.number, 'brigades')}",
            "outnumbered": f"Retreat when outnumbered {self.number} to 1",
        }
        where = f" from {self.region}" if self.region else ""
        return f"{words[self.when]}{where}{', to ' + ', else '.join(self.to) if self.to else ''}."


class ConvertRule(Intent, frozen=True):
    """Which party becomes infantry when both sides are without brigades; "" to retreat instead."""

    kind: str

    def meaning(self) -> str:
        if not self.kind:
            return "With no brigade left on either side, your parties retreat."
        return f"With no brigade left on either side, your {self.kind} becomes infantry."


class PointsRule(Intent, frozen=True):
    """Where the 1d3 points after a suppressed revolt go first: `strength` or `spheres`, of one player's alone if `of` is named.

    `number`: so many of them at most, the rest to the other; 0 for as many as possible.
    """

    first: str
    number: int = 0
    of: Seat | None = None

    def meaning(self) -> str:
        whose = f" of {self.of}" if self.of else ""
        if not self.number:
            return f"After a suppressed revolt take points off {self.first}{whose} first."
        aim = counted(self.number, "spheres") if self.first == "spheres" else f"{counted(self.number, 'points')} of strength"
        other = "strength" if self.first == "spheres" else "spheres"
        return f"After a suppressed revolt take off up to {aim}{whose}, then {other}."


class FavourRule(Intent, frozen=True):
    """Your spheres help these players' explorers instead of hindering them."""

    seats: tuple[Seat, ...]

    def meaning(self) -> str:
        return f"Your spheres favour the explorers of {', '.join(self.seats)}."


class PickRule(Intent, frozen=True):
    """Which chit you keep of those drawn, best first."""

    resources: tuple[str, ...]

    def meaning(self) -> str:
        return f"Of chits drawn keep the first of {', '.join(self.resources)}, else the best."


class RunNatives(Intent, frozen=True):
    """You run native armies against these players (none named: against anybody) by your own loss and fuse orders."""

    against: tuple[Seat, ...] = ()

    def meaning(self) -> str:
        return f"You run the natives against {', '.join(self.against) or 'anybody'}."




class ConsentRule(Intent, frozen=True):
    """Whether others' unlawful lines may always be mended, or never (27.opt.simultaneous.2)."""

    always: bool

    def meaning(self) -> str:
        return f"{'Always' if self.always else 'Never'} agree to the mending of others' unlawful lines."


STANDING: tuple[type[Intent], ...] = (
    DisbandOrder, SphereRule, StrikeOrder, StraitsRule, InterceptRule, BreakOffRule, FleetLossOrder, EvacuateTo,
    ReinforceRule, ShiftRule, LossOrder, FuseRule, RetreatRule, ConvertRule, PointsRule, FavourRule, PickRule, ConsentRule,
    RunNatives,
)  # fmt: skip
"""Orders that answer questions; they are read from the sheet first, then from the standing orders."""
