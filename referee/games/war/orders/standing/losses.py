"""Standing orders of what a land battle costs: LOSE, FUSE, CONVERT, and RUN NATIVES by them."""

from __future__ import annotations

from typing import ClassVar, Self

from referee.core.choices import Asking, Choice, one, several
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.games.war.orders.base import NONE, StandingOrder
from referee.games.war.orders.fields import Opponents
from referee.games.war.orders.naming import after, says
from referee.games.war.orders.naming import one as only
from referee.games.war.orders.standing.parts import (
    Spoken,
    Whole,
    at_most_one,
    clause,
    held_kinds,
    held_places,
    kind_thing,
    only_kinds,
    places,
    rivals,
)
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import BRIGADES, LAND_UNITS, PARTIES, plural
from referee.kit.declared import Words
from referee.kit.fields import Said
from referee.kit.refused import Refused


class LossOrder(Spoken, frozen=True):
    """Kinds in the order in which you lose them, in a region or everywhere ("")."""

    kinds: tuple[str, ...]
    region: str = ""

    able: ClassVar[tuple[str, ...]] = LAND_UNITS
    who: ClassVar[str] = "Land battles cost brigades and parties"

    words = Words(
        "LOSE",
        "say in which order you lose units in battle",
        "27.combat.losses.1",
        "LOSE infantry, artillery IN Egypt",
    )
    fields = (Whole(("kinds", "region"), ("unit",), {"IN": ("region",)}, most=None),)

    def meaning(self) -> str:
        where = f" in {self.region}" if self.region else ""
        return f"Losses{where} in this order: {', '.join(plural(kind) for kind in self.kinds)}."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        return tuple(map(kind_thing, self.kinds)), clause("IN", *places((self.region,)))

    @classmethod
    def read(cls, said: Said) -> Self:
        rule = cls.words.rule
        kinds = only_kinds(said.order.things, cls.able, cls.who, rule)
        return cls(kinds, only(said.order, rule, "IN"))

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        kinds = yield from several("units", held_kinds(war, cls.able), 1)
        return cls(kinds, (yield from at_most_one("region", held_places(war, seat))))


class FuseRule(Spoken, frozen=True):
    """Fuse three hits into one on this kind of brigade, as often as possible; "" never."""

    kind: str

    words = Words(
        "FUSE",
        "fuse your hits by threes into one on a brigade of this kind, or NEVER",
        "27.combat.losses.2",
        "FUSE FOR artillery",
    )
    fields = (Whole(("kind",), (), {"FOR": ("unit",), "NEVER": ()}, needed=False),)

    def meaning(self) -> str:
        return f"Fuse hits by threes for {plural(self.kind)}." if self.kind else "Never fuse hits."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        return (), clause("FOR", kind_thing(self.kind)) if self.kind else (Clause("NEVER", ()),)

    @classmethod
    def read(cls, said: Said) -> Self:
        rule = cls.words.rule
        kinds = only_kinds(after(said.order, "FOR"), BRIGADES, "Hits are fused for a kind of brigade", rule)
        if len(kinds) > 1 or bool(kinds) == says(said.order, "NEVER"):
            raise Refused(
                "Say FUSE FOR one kind of brigade, or FUSE NEVER.", rule, said.order.verb, ("FUSE FOR artillery",)
            )
        return cls(kinds[0] if kinds else "")

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        return cls((yield from one("for", [*held_kinds(war, BRIGADES), Choice("never", "")])))


class ConvertRule(Spoken, frozen=True):
    """Which party becomes infantry when both sides are without brigades; "" to retreat instead."""

    kind: str

    words = Words(
        "CONVERT",
        "say which party becomes infantry when no brigade is left; none retreats",
        "27.combat.results.3",
        "CONVERT 1 explorer",
    )
    fields = (Whole(("kind",), ("unit", "nothing"), {}),)

    def meaning(self) -> str:
        if not self.kind:
            return "With no brigade left on either side, your parties retreat."
        return f"With no brigade left on either side, your {self.kind} becomes infantry."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        return (kind_thing(self.kind, 1) if self.kind else NONE,), ()

    @classmethod
    def read(cls, said: Said) -> Self:
        who = "An explorer, engineer or general becomes infantry"
        kinds = only_kinds(said.order.things, PARTIES, who, cls.words.rule)
        return cls(kinds[0] if kinds else "")

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        return cls((yield from one("party", [*held_kinds(war, PARTIES), Choice("none", "")])))


class RunNatives(StandingOrder, frozen=True):
    """You run native armies against these players (none named: against anybody) by your own loss and fuse orders."""

    against: tuple[Seat, ...] = ()

    words = Words(
        "RUN NATIVES",
        "run native armies in battles of others by your own loss orders",
        "27.combat.natives.4",
        "RUN NATIVES",
    )
    fields = (Opponents("against", "AGAINST", "27.combat.natives.4"),)

    def meaning(self) -> str:
        return f"You run the natives against {', '.join(self.against) or 'anybody'}."

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        return cls((yield from several("against", rivals(war, seat))))


STANDING_OF_LOSSES = (LossOrder, FuseRule, ConvertRule, RunNatives)
