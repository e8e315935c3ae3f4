"""DESTROY, RESOLVE, EXPLORE and PROSPECT: what units do where they stand, and in which order (27.combat, 27.opt.scorched)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Self

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.games.war.deeds import NotYet, Outright, granted, line_of
from referee.games.war.deeds.marching import PROSPECTING_PRICE, battles_of, check_gift, to_resolve
from referee.games.war.events import WarEvent
from referee.games.war.events.moving import RESOURCE, WorksDestroyed
from referee.games.war.orders.base import COMBAT, MOVEMENT, Opponent, Place, Region, own_regions, says
from referee.games.war.orders.movement_base import MoveOrder
from referee.games.war.position import Land
from referee.games.war.position.state import War
from referee.games.war.reckoning.scoring import is_power
from referee.games.war.rulebook import BRIGADES, KIND_OF, plural
from referee.kit.declared import Declared, Plain, Words
from referee.kit.fields import Field, Flag, Held, Row, Said, exact
from referee.kit.refused import Refused

_SCORCHED = "27.opt.scorched.1"

ABLE = (*BRIGADES, "engineer")
"""The units that can destroy, in the order of R27-96."""


class Told(Flag):
    """Whether a preposition stands there, with a noun of its own or without; another may say the same."""

    def __init__(
        self,
        name: str,
        under: str,
        noun: str,
        says: str,
        alone: str = "",
        meaning: str = "",
        usual: Held[bool] = lambda war, seat, got: False,
    ) -> None:
        super().__init__(name, noun, under, noun or under, says, meaning, usual)
        self.kinds, self.noun, self.alone = (noun,) if noun else (), noun, alone

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {self.under: self.kinds, **({self.alone: ()} if self.alone else {})}

    def read(self, said: Said) -> bool:
        return says(said.order, self.under) or says(said.order, self.alone)

    def clauses(self, value: bool, state: Any) -> Iterator[Clause]:
        if value:
            yield Clause(self.under, (Thing(self.noun, self.noun),) if self.noun else ())


# ---------------------------------------------------------------- DESTROY


class _Target(Field[str]):
    """A building by its kind, or the resource."""

    def read(self, said: Said) -> str:
        (thing,) = said.order.things
        return KIND_OF.get(thing.name, thing.name)

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
        return (Choice(what, what) for what in works(state.lands[got["region"]]))

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("riches" if value == RESOURCE else "building", value),)


class _By(Field[str]):
    """One unit of a kind that can do it; "" for any."""

    needed = False

    def read(self, said: Said) -> str:
        units = said.after("WITH")
        kind = KIND_OF[units[0].name] if units else ""
        if len(units) > 1 or (units and units[0].quantity is not None and units[0].count() != 1):
            raise Refused("One unit destroys one thing; write a line for each.", _SCORCHED, units[-1].name)
        if kind and kind not in ABLE:
            raise Refused(f"Brigades and engineers destroy, not {units[0].name}.", _SCORCHED, units[0].name)
        return kind

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
        yield Choice("any", "")
        yield from (Choice(plural(kind), kind, f"1 {kind}") for kind in ABLE)

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("unit", plural(value), exact(1)),) if value else ()


class DestroyWorks(MoveOrder, frozen=True):
    """A building destroyed, or the resource (`what` "resource") undeveloped, by one unit of a kind; "" any (27.opt.scorched)."""

    region: str
    what: str
    kind: str = ""

    words = Words(
        "DESTROY",
        "let a brigade or an engineer destroy a building of yours, or undevelop the resource, where it stands",
        _SCORCHED,
        "DESTROY city IN Egypt WITH 1 infantry",
        ("BURN", "SCORCH"),
    )
    fields = (
        Place("region", "IN", (), _SCORCHED, among=own_regions),
        _Target("what", ("building", "riches")),
        _By("kind", ("unit",), "WITH"),
    )
    phase = MOVEMENT

    def meaning(self) -> str:
        does = "Undevelop the resource of" if self.what == RESOURCE else f"Destroy the {self.what} of"
        by = f"1 {self.kind}" if self.kind else "a brigade or an engineer"
        return f"{does} {self.region} with {by}, which then neither moves nor fights in this phase."

    @classmethod
    def proposed(cls, war: War, seat: Seat) -> Iterator[Self]:
        """One thing in each region where something can be destroyed."""
        for land in war.regions_of(seat):
            orders = (cls(land.name, what) for what in works(land))
            yield from [order for order in orders if order.lawful(war, seat)][:1]

    def plan(self, war: War, seat: Seat, strict: bool) -> Outright:
        """By the first unit that has neither moved nor destroyed anything in this share (R27-96)."""
        land = war.lands[self.region]
        if land.owner != seat:
            raise NotYet(f"Units destroy only what is yours; {land.name} is not.", "R27-96", land.name)
        if self.what not in works(land):
            instead = tuple(line_of(self.but(what=what)) for what in works(land))
            what = "developed resource" if self.what == RESOURCE else self.what
            raise Refused(f"There is no {what} in {land.name}.", _SCORCHED, self.what, instead)
        fresh = [s for s in land.stacks if s.owner == seat and not (s.spent or s.origin or s.landed)]
        able = [stack for kind in ABLE for stack in fresh if stack.kind == kind]
        units = [stack for stack in able if self.kind in ("", stack.kind)]
        if not units:
            who = plural(self.kind) if self.kind else "brigade or engineer"
            why = (
                f"No {who} of yours in {land.name} can do it: a unit destroys one thing, and neither moves nor fights."
            )
            instead = tuple(line_of(self.but(kind=other.kind)) for other in able[:1])
            raise NotYet(why, "R27-96", plural(self.kind) if self.kind else land.name, instead)
        return Outright((WorksDestroyed(seat, land.name, self.what, units[0]),))


def works(land: Land) -> tuple[str, ...]:
    """The works in a region that could be destroyed."""
    return (*land.buildings, RESOURCE) if land.developed else land.buildings


# ---------------------------------------------------------------- RESOLVE


class ResolveInOrder(Declared[War], frozen=True):
    """The order in which battles and actions are resolved (27.move.order.2)."""

    regions: tuple[str, ...]

    words = Words(
        "RESOLVE",
        "say in which order battles and actions are resolved",
        "27.move.order.2",
        "RESOLVE Egypt, Sudan",
    )
    plain = Plain("Order of battles", theme="In battle")
    fields = (
        Row(
            "regions",
            ("region",),
            taken=str,
            say=", ".join,
            among=lambda war, seat, got: map(placed, to_resolve(war, seat)),
        ),
    )
    says, phase = "Resolve in this order: {regions}; then the rest.", COMBAT


# ---------------------------------------------------------------- EXPLORE


class _Rival(Opponent):
    """The player whose sphere is to be removed, if anybody's."""

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[Seat | None]]:
        yield Choice("nobody", None)
        there = state.lands[got["region"]].spheres
        yield from (Choice(s, s, f"{there[s]} there") for s in state.after(seat) if there.get(s))


def _natives(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """Where a player's explorers stand among natives."""
    return (placed(land.name) for land in war.regions_of(None) if land.count(seat, "explorer"))


class ExploreRegion(MoveOrder, frozen=True):
    """Explorer diplomacy: with a gift or not; whose sphere to remove, None to place one's own if possible."""

    region: str
    gift: bool = False
    remove: Seat | None = None
    before_battle: bool = False

    words = Words(
        "EXPLORE",
        "try your explorer's diplomacy in a native region; a gift of 1 DP adds a die",
        "27.combat.explorer.1",
        "EXPLORE Sudan WITH gift",
    )
    plain = Plain(rank=6)
    fields = (
        Region(_natives),
        Told("gift", "WITH", "gift", " with a gift of 1 DP", "GIFT", "1 DP: a die more"),
        _Rival(
            *("remove", "REMOVING", "27.combat.explorer.3", False),
            say=lambda seat: f", removing a sphere of {seat}" if seat else "",
        ),
        Told(
            *("before_battle", "BEFORE", "battle", ", before the battle"),
            meaning="rather than after a battle there",
            usual=lambda war, seat, got: got["region"] in battles_of(war, seat),
        ),
    )
    says, phase = "Let your explorers try the natives of {region}{gift}{remove}{before_battle}.", COMBAT

    def plan(self, war: War, seat: Seat, strict: bool) -> Outright:
        """27.combat.explorer.1: only natives can be talked to."""
        if owner := war.lands[self.region].owner:
            whose = "yours" if owner == seat else f"{owner}'s"
            why = f"{self.region} is {whose}; explorers roll in native regions only."
            raise Refused(why, "27.combat.explorer.1")
        if is_power(war, self.region):
            why = f"{self.region} is a local power, won by conquest only."
            raise Refused(why, "27.opt.historical.powers.4", self.region)
        if not war.lands[self.region].count(seat, "explorer"):
            raise NotYet(f"No explorer of yours is in {self.region}.", "27.combat.explorer.1")
        return Outright()

    def check_removal(self, war: War, seat: Seat) -> None:
        """27.combat.explorer.4: raises NotYet where he of whom a sphere is to be removed has none there."""
        if self.remove is not None and not war.lands[self.region].spheres.get(self.remove):
            raise NotYet(f"{self.remove} has no sphere of influence there.", "27.combat.explorer.4", self.remove)

    def lawful(self, war: War, seat: Seat) -> bool:
        """Whether what a gift needs is there as well, and the sphere that is to be removed."""
        gift = not self.gift or granted(check_gift, war, seat, self.region)
        return gift and super().lawful(war, seat) and granted(self.check_removal, war, seat)

    def check(self, war: War, seat: Seat) -> None:
        super().check(war, seat)
        if war.stage == "movement" and war.active == seat and self.gift:
            try:
                check_gift(war, seat, self.region)
            except NotYet:
                return
            except Refused as refused:
                why = refused.illegal
                raise Refused(why.sentence, why.rule, why.at, (line_of(self.but(gift=False)),)) from None


# ---------------------------------------------------------------- PROSPECT


class CombatOrder(Declared[War], frozen=True):
    """A deed of units in a region where they stand, once its battle is fought (27.move.order.2)."""

    region: str

    phase = COMBAT

    def permit(self, war: War, seat: Seat) -> None:
        """Raises NotYet where moves before it may mend it, else Refused, unless it can be done now."""
        raise NotImplementedError(type(self).__name__)

    def brings(self, war: War, seat: Seat) -> tuple[WarEvent, ...]:
        """Its events where it is done, of an order for which nothing is thrown, drawn or asked."""
        raise NotImplementedError(type(self).__name__)

    def lawful(self, war: War, seat: Seat) -> bool:
        return granted(self.permit, war, seat)

    def check(self, war: War, seat: Seat) -> None:
        if war.stage == "movement" and war.active == seat:
            with suppress(NotYet):
                self.permit(war, seat)


class ProspectRegion(CombatOrder, frozen=True):
    """An engineer looks for another resource (27.combat.prospect)."""

    words = Words(
        "PROSPECT",
        f"let an engineer look for another resource, for {PROSPECTING_PRICE} PP",
        "27.combat.prospect.1",
        "PROSPECT Egypt",
        ("PROSPECT IN",),
    )
    plain = Plain("Look for riches", rank=7)
    fields = (Region(own_regions),)
    says = f"Prospect in {{region}} for {PROSPECTING_PRICE} PP."

    def permit(self, war: War, seat: Seat) -> None:
        """R27-74: own region, an engineer who has not searched in this share, chit undeveloped, the PP."""
        land = war.lands[self.region]
        if land.owner is None:
            raise NotYet(f"{self.region} is not yours.", "R27-74")
        if land.owner != seat:
            raise Refused(f"{self.region} is {land.owner}'s; you prospect in your own regions.", "R27-74", self.region)
        if land.developed:
            why = f"The resource of {self.region} is developed; only an undeveloped one is replaced."
            raise Refused(why, "R27-74", self.region)
        if land.chit is None:
            raise NotYet(f"{self.region} has no undeveloped resource chit.", self.words.rule)
        share, times = land.searched
        able = sum(s.number for s in land.stacks if (s.owner, s.kind) == (seat, "engineer") and not s.idle)
        if able <= (times if share == war.share else 0):
            raise NotYet(f"No engineer of yours in {self.region} is free to prospect.", "R27-74")
        if war.treasuries[seat].pp < PROSPECTING_PRICE:
            why = f"Prospecting costs {PROSPECTING_PRICE} PP; you have {war.treasuries[seat].pp}."
            raise NotYet(why, self.words.rule)
