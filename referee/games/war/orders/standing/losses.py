"""Standing orders of what a land battle costs: LOSE, FUSE, CONVERT, and RUN NATIVES by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Clause, Thing
from referee.games.war.orders.base import NONE, StandingOrder
from referee.games.war.orders.fields import Opponents
from referee.games.war.orders.naming import after, says
from referee.games.war.orders.standing.parts import (
    Perhaps,
    Spoken,
    Whole,
    clause,
    held_kinds,
    kind_thing,
    only_kinds,
    with_units,
)
from referee.games.war.position.state import War
from referee.games.war.rulebook.pieces import BRIGADES, KIND_OF, LAND_UNITS, PARTIES, plural
from referee.kit.declared import Words
from referee.kit.fields import Among, Row, Said
from referee.kit.refused import Refused


def _kinds(war: War, seat: Seat, got: Mapping[str, Any]) -> list[Choice[str]]:
    """Kinds of land unit of this edition."""
    return held_kinds(war, LAND_UNITS)


def _in_a_row(kinds: tuple[str, ...]) -> str:
    return ", ".join(map(plural, kinds))


class _Kinds(Row[str]):
    """Kinds of unit, without numbers."""

    def things(self, value: tuple[str, ...], state: Any) -> tuple[Thing, ...]:
        return tuple(map(kind_thing, value))


def _one_of(kinds: tuple[str, ...], none: str) -> Among[tuple[Any, ...]]:
    """One kind of unit, or a word for none."""
    return lambda war, seat, got: (
        *(Choice(each.word, (each.value,)) for each in held_kinds(war, kinds)),
        Choice(none, ("",)),
    )


class LossOrder(StandingOrder, frozen=True):
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
    fields = (
        _Kinds("kinds", ("unit",), taken=KIND_OF.__getitem__, say=_in_a_row, among=_kinds),
        Perhaps("region", "IN", "27.combat.losses.1", among=with_units),
    )
    says = "Losses{region} in this order: {kinds}."

    def check(self, war: War, seat: Seat) -> None:
        for kind in self.kinds:
            if kind not in self.able:
                raise Refused(f"{self.who}, not {plural(kind)}.", self.words.rule, plural(kind))


class FuseRule(Spoken, frozen=True):
    """Fuse three hits into one on this kind of brigade, as often as possible; "" never."""

    kind: str

    words = Words(
        "FUSE",
        "fuse your hits by threes into one on a brigade of this kind, or NEVER",
        "27.combat.losses.2",
        "FUSE FOR artillery",
    )
    fields = (Whole(("kind",), (), {"FOR": ("unit",), "NEVER": ()}, needed=False, among=_one_of(BRIGADES, "NEVER")),)

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


class ConvertRule(Spoken, frozen=True):
    """Which party becomes infantry when both sides are without brigades; "" to retreat instead."""

    kind: str

    words = Words(
        "CONVERT",
        "say which party becomes infantry when no brigade is left; none retreats",
        "27.combat.results.3",
        "CONVERT 1 explorer",
    )
    fields = (Whole(("kind",), ("unit", "nothing"), {}, among=_one_of(PARTIES, "none")),)

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


class RunNatives(StandingOrder, frozen=True):
    """You run native armies against these players (none named: against anybody) by your own loss and fuse orders."""

    against: tuple[Seat, ...] = ()

    words = Words(
        "RUN NATIVES",
        "run native armies in battles of others by your own loss orders",
        "27.combat.natives.4",
        "RUN NATIVES",
    )
    fields = (Opponents("against", "AGAINST", "27.combat.natives.4", lambda seats: ", ".join(seats) or "anybody"),)
    says = "You run the natives against {against}."


STANDING_OF_LOSSES = (LossOrder, FuseRule, ConvertRule, RunNatives)
