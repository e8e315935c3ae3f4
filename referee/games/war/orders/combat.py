"""DESTROY, RESOLVE, EXPLORE and PROSPECT: what units do where they stand, and in which order (27.combat, 27.opt.scorched)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from referee.core.choices import Asking, Choice, one, several
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.games.war.deeds.combat import battles_of, check_explore, check_gift, check_prospect, to_resolve
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.plan import Outright
from referee.games.war.deeds.refused import NotYet, granted
from referee.games.war.events.scorched import RESOURCE, WorksDestroyed
from referee.games.war.orders.base import COMBAT, MOVEMENT, Place
from referee.games.war.orders.movement.parts import MoveOrder
from referee.games.war.orders.naming import one as one_name
from referee.games.war.orders.naming import opponent, says
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import BRIGADES, KIND_OF, plural
from referee.kit.declared import Declared, Words
from referee.kit.fields import Field, One, Row, Said, exact
from referee.kit.refused import Refused

_SCORCHED, _REMOVING = "27.opt.scorched.1", "27.combat.explorer.3"

ABLE = (*BRIGADES, "engineer")
"""Who can destroy, in the order of R27-96."""


class Told(Field[bool]):
    """Whether a preposition stands there, with a noun of its own or without; another may say the same."""

    needed = False

    def __init__(self, name: str, under: str, noun: str, says: str, alone: str = "") -> None:
        super().__init__(name, (noun,) if noun else (), under, lambda on: says if on else "")
        self.noun, self.alone = noun, alone

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
        _Target("what", ("building", "riches")),
        Place("region", "IN", (), _SCORCHED),
        _By("kind", ("unit",), "WITH"),
    )
    phase = MOVEMENT

    def meaning(self) -> str:
        does = "Undevelop the resource of" if self.what == RESOURCE else f"Destroy the {self.what} of"
        by = f"1 {self.kind}" if self.kind else "a brigade or an engineer"
        return f"{does} {self.region} with {by}, which then neither moves nor fights in this phase."

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """Where, what, and by whom if that is to be said."""
        able = [land for land in war.regions_of(seat) if any(cls._there(war, seat, land.name))]
        region = yield from one("region", (Choice(land.name, land.name, "", land.name) for land in able))
        what = yield from one("what", (Choice(what, what) for what in cls._there(war, seat, region)))
        kinds = (kind for kind in ABLE if cls(region, what, kind).lawful(war, seat))
        by = yield from several("with", (Choice(plural(kind), kind, f"1 {kind}") for kind in kinds), 0, 1)
        return cls(region, what, *by)

    @classmethod
    def _there(cls, war: War, seat: Seat, region: str) -> Iterator[str]:
        return (what for what in works(war.lands[region]) if cls(region, what).lawful(war, seat))

    @classmethod
    def proposed(cls, war: War, seat: Seat) -> Iterator[Self]:
        """One thing in each region where something can be destroyed."""
        for land in war.regions_of(seat):
            yield from [cls(land.name, what) for what in cls._there(war, seat, land.name)][:1]

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
    """What could be destroyed in a region."""
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
    fields = (Row("regions", ("region",), taken=str, say=", ".join),)
    says, phase = "Resolve in this order: {regions}; then the rest.", COMBAT

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """Where something is to be resolved, as things stand after the lines before it."""
        there = (Choice(name, name, "", name) for name in to_resolve(war, seat))
        return cls((yield from several("regions", there, 1)))


# ---------------------------------------------------------------- EXPLORE


class _Rival(Field[Seat | None]):
    """Whose sphere is to be removed, if anybody's."""

    needed = False

    def read(self, said: Said) -> Seat | None:
        rival = one_name(said.order, _REMOVING, "REMOVING")
        return opponent(said.state, said.seat, rival, _REMOVING) if rival else None

    def things(self, value: Seat | None, state: Any) -> tuple[Thing, ...]:
        return (Thing("side", value),) if value else ()


_BEFORE = Told("before_battle", "BEFORE", "battle", ", before the battle")


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
    fields = (
        One("region", ("region",), taken=str),
        Told("gift", "WITH", "gift", " with a gift of 1 DP", "GIFT"),
        _Rival("remove", ("side",), "REMOVING", lambda seat: f", removing a sphere of {seat}" if seat else ""),
        _BEFORE,
    )
    says, phase = "Let your explorers try the natives of {region}{gift}{remove}{before_battle}.", COMBAT

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """Where an explorer stands among natives; with a gift or not; whose sphere to remove; before a battle there."""
        there = (land for land in war.regions_of(None) if land.count(seat, "explorer"))
        lands = [land for land in there if cls(land.name).lawful(war, seat)]
        region = yield from one("region", (Choice(land.name, land.name, "", land.name) for land in lands))
        gifts = [Choice("gift", True, "1 DP: a die more")] if granted(check_gift, war, seat, region) else []
        gift = bool((yield from several("with", gifts)) if gifts else ())
        rivals = [
            Choice(s, s, f"{n} there") for s, n in war.lands[region].spheres.items() if n and s in war.after(seat)
        ]
        remove = (yield from several("removing", rivals, 0, 1)) if rivals else ()
        early = Choice("battle", True, "rather than after a battle there")
        usual = (early.word,) if region in battles_of(war, seat) else ()
        before = yield from several("before", [early], usual=usual)
        return cls(region, gift, remove[0] if remove else None, bool(before))

    def plan(self, war: War, seat: Seat, strict: bool) -> Outright:
        check_explore(war, seat, self.region)
        return Outright()

    def check(self, war: War, seat: Seat) -> None:
        super().check(war, seat)
        if war.stage == "movement" and war.active == seat and self.gift and not war.treasuries[seat].dp:
            instead = (line_of(ExploreRegion(self.region, False, self.remove, self.before_battle)),)
            raise Refused("A gift costs 1 DP; you have none.", "27.combat.explorer.2", "gift", instead)


# ---------------------------------------------------------------- PROSPECT


class ProspectRegion(Declared[War], frozen=True):
    """An engineer looks for another resource, for 5 PP (27.combat.prospect)."""

    region: str

    words = Words(
        "PROSPECT",
        "let an engineer look for another resource, for 5 PP",
        "27.combat.prospect.1",
        "PROSPECT Egypt",
        ("PROSPECT IN",),
    )
    fields = (One("region", ("region",), taken=str),)
    says, phase = "Prospect in {region} for 5 PP.", COMBAT

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """Where an engineer is free and the PP are there."""
        able = (land for land in war.regions_of(seat) if granted(check_prospect, war, seat, land.name))
        return cls(
            (yield from one("region", (Choice(land.name, land.name, land.chit or "", land.name) for land in able)))
        )

    def check(self, war: War, seat: Seat) -> None:
        land = war.lands[self.region]
        if not (war.stage == "movement" and war.active == seat):
            return
        if land.developed:
            why = f"The resource of {self.region} is developed; only an undeveloped one is replaced."
            raise Refused(why, "R27-74", self.region)
        if land.owner not in (None, seat):
            raise Refused(f"{self.region} is {land.owner}'s; you prospect in your own regions.", "R27-74", self.region)
