"""Standing orders: their parts, and which losses are taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from referee.core.choices import ALL, Asking, Choice, Step, placed, several
from referee.core.names import Seat
from referee.core.order import Clause, Order, Thing
from referee.games.war.deeds import Lot
from referee.games.war.orders.base import NONE, Opponents, Place, StandingOrder, after, kinds_of, rewritten, says
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, BRIGADES, KIND_OF, LAND_UNITS, PARTIES, plural
from referee.kit.declared import Plain, Words
from referee.kit.fields import Among, Joint, Most, Row, Said, exact, most_of, written
from referee.kit.refused import Refused

# ---------------------------------------------------------------- what standing orders share
# Their parts, and what a player has that they speak of.


class Whole(Joint):
    """All that an order says, where its parts hang together too closely to be read one by one."""

    def __init__(
        self,
        joins: tuple[str, ...],
        kinds: tuple[str, ...],
        under: Mapping[str, tuple[str, ...]],
        needed: bool = True,
        most: int | None = 1,
        among: Among[tuple[Any, ...]] | None = None,
    ) -> None:
        super().__init__(joins[0], kinds, among=among)
        self.joins, self.words, self.needed, self.most = joins, under, needed, most if kinds else 0

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return self.words


class Spoken(StandingOrder, frozen=True):
    """A standing order that is read, said and chosen as a whole: its parts hang together, and whatever is chosen is lawful."""

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        """The things after the verb, and the clauses after them."""
        raise NotImplementedError

    def order(self, state: War) -> Order:
        return Order(self.words.verb, *self.said())


class Perhaps(Place):
    """The one place named, or "" for everywhere: a standing order may be of any."""

    free = True

    def __init__(
        self,
        name: str,
        under: str,
        rule: str,
        kinds: tuple[str, ...] = ("region",),
        among: Among[str] | None = None,
    ) -> None:
        super().__init__(name, under, (), rule, kinds, among)
        self.needed = False
        self.say = lambda place: f" in {place}" if place else ""

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
        yield Choice("everywhere", "")
        yield from super().offers(state, seat, got)

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return super().things(value, state) if value else ()


# ---------------------------------------------------------------- how it is written


def clause(preposition: str, *things: Thing) -> tuple[Clause, ...]:
    """A clause, or nothing where nothing is named."""
    return (Clause(preposition, things),) if things else ()


def places(names: Sequence[str]) -> tuple[Thing, ...]:
    """Places as a sentence names them."""
    return tuple(Thing("region", name) for name in names if name)


def kind_thing(kind: str, most: Most = 0) -> Thing:
    """`infantry`, `2 infantry`, `half infantry`."""
    return Thing("unit", plural(kind), written(most))


def numbered(number: int) -> Thing:
    """A bare number."""
    return Thing("number", str(number), exact(number))


def ratio(preposition: str, number: int) -> tuple[Clause, ...]:
    """`AT 2 TO 1`."""
    return Clause(preposition, (numbered(number),)), Clause("TO", (numbered(1),))


def some_of(kind: str, most: Most) -> str:
    """`2 infantry`, `half the infantry`; without a number `infantry`."""
    quantity = written(most)
    return Lot(kind, quantity).words() if quantity else plural(kind)


# ---------------------------------------------------------------- how it is read


def so_many(order: Order, thing: Thing, rule: str) -> Most:
    """How many of a kind at most. Raises Refused."""
    return most_of(thing, order.verb, rule, rewritten(order, exact(1), thing))


def only_kinds(things: Sequence[Thing], allowed: tuple[str, ...], who: str, rule: str) -> tuple[str, ...]:
    """Kinds of unit, each once. Raises Refused for one that is not allowed here."""
    kinds = kinds_of(things)
    for kind in kinds:
        if kind not in allowed:
            raise Refused(f"{who}, not {plural(kind)}.", rule, plural(kind))
    return kinds


# ---------------------------------------------------------------- what may be chosen


MOST = 99
"""No order that can be chosen names more."""


def rivals(war: War, seat: Seat) -> list[Choice[Seat]]:
    """The other players."""
    return [Choice(other, other) for other in war.after(seat)]


def up_to(field: str, noun: str) -> Asking[int]:
    """Ask for so many at most, or all: 0."""
    (word,) = yield Step(field, (ALL,), 1, MOST, noun, (ALL.word,))
    return 0 if word == ALL.word else int(word)


def at_most_one(field: str, names: Sequence[str]) -> Asking[str]:
    """Ask for one place, or none for everywhere."""
    chosen = yield from several(field, [placed(name) for name in names], 0, 1)
    return chosen[0] if chosen else ""


def with_units(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """All regions, first those where a player has land units."""
    return map(placed, held_places(war, seat))


def held_places(war: War, seat: Seat, *kinds: str) -> list[str]:
    """All regions, first those where a player has land units, or such ones: what is ordered now is meant for later, too."""
    held = (land.name for land in war.lands.values() if land.count(seat, *(kinds or LAND_UNITS)))
    return list(dict.fromkeys((*held, *BOARD.regions)))


def seas_held(war: War, seat: Seat) -> list[str]:
    """All sea areas, first those where a player has fleets."""
    return list(dict.fromkeys((*(fleet.sea for fleet in war.fleets_of(seat)), *BOARD.seas)))


def refuges(war: War, seat: Seat, got: Mapping[str, Any] | None = None) -> Iterator[Choice[str]]:
    """Where units may go that must leave: one's own regions and the sea areas of one's fleets first."""
    own, ships = (land.name for land in war.regions_of(seat)), (fleet.sea for fleet in war.fleets_of(seat))
    return map(placed, dict.fromkeys((*own, *ships, *BOARD.regions, *BOARD.seas)))


def held_kinds(war: War, allowed: Sequence[str]) -> list[Choice[str]]:
    """Kinds of unit of this edition."""
    return [Choice(plural(kind), kind) for kind in allowed if kind in war.kinds]


# ---------------------------------------------------------------- standing orders of what a land battle costs
# LOSE, FUSE, CONVERT, and RUN NATIVES by them.


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
    plain = Plain("Lose first in battle", theme="In battle")
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
    plain = Plain("Fuse hits")
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
    """The party that becomes infantry when both sides are without brigades; "" to retreat instead."""

    kind: str

    words = Words(
        "CONVERT",
        "say which party becomes infantry when no brigade is left; none retreats",
        "27.combat.results.3",
        "CONVERT 1 explorer",
    )
    plain = Plain("Become infantry")
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
    plain = Plain("Lead the natives")
    fields = (Opponents("against", "AGAINST", "27.combat.natives.4", lambda seats: ", ".join(seats) or "anybody"),)
    says = "You run the natives against {against}."


STANDING_OF_LOSSES = (LossOrder, FuseRule, ConvertRule, RunNatives)
