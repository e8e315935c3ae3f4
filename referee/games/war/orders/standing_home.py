"""Standing orders of natives, explorers and upkeep: SPHERES, STRIKE, POINTS, FAVOUR, PICK, DISBAND, EVACUATE, CONSENT."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from referee.core.choices import Asking, Choice, one, placed, several
from referee.core.names import Seat
from referee.core.order import Clause, Quantity, Thing
from referee.games.war.deeds import line_of
from referee.games.war.orders.base import Opponent, Opponents, StandingOrder, after, named_seats, opponent, others, says
from referee.games.war.orders.base import only as only
from referee.games.war.orders.standing import (
    Perhaps,
    Spoken,
    Whole,
    at_most_one,
    clause,
    held_kinds,
    held_places,
    kind_thing,
    places,
    refuges,
    rivals,
    seas_held,
    so_many,
    some_of,
    up_to,
)
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, CHITS, KIND_OF, LAND_UNITS, plural
from referee.kit.declared import Plain, Words
from referee.kit.fields import Most, One, Row, Said, share_of, written
from referee.kit.refused import Refused
from referee.kit.wording import counted

_PLACES = ("region", "sea")
_LOST = ("unit", "any")

# ---------------------------------------------------------------- spheres and natives


def _with_own_spheres(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """All regions, first those with a player's spheres."""
    there = (land.name for land in war.lands.values() if land.spheres.get(seat))
    return map(placed, dict.fromkeys((*there, *BOARD.regions)))


class SphereRule(StandingOrder, frozen=True):
    """The side of one's spheres in revolts: `support` or `suppress`; in one region or, "", in all; in `of`'s regions only."""

    side: str
    region: str = ""
    of: Seat | None = None

    words = Words(
        "SPHERES",
        "say whether your spheres support or suppress revolts",
        "R27-21",
        "SPHERES support IN Egypt AGAINST {other}",
    )
    plain = Plain("My spheres")
    fields = (
        One("side", ("stance",), taken=str, among=lambda *_: (Choice(word, word) for word in ("support", "suppress"))),
        Perhaps("region", "IN", "R27-21", among=_with_own_spheres),
        Opponent("of", "AGAINST", "R27-21", needed=False, say=lambda seat: f" against {seat}" if seat else ""),
    )
    says = "Your spheres{region} {side} revolts{of}."


class StrikeOrder(StandingOrder, frozen=True):
    """The players whose spheres go first where there are more than the native level allows (27.combat.explorer.5)."""

    seats: tuple[Seat, ...]

    words = Words(
        "STRIKE",
        "say whose spheres go first where your region has more than its native level",
        "27.combat.explorer.5",
        "STRIKE {other}",
    )
    plain = Plain("Whose spheres go first")
    fields = (
        Row(
            *("seats", ("side",)),
            taken=Seat,
            say=", ".join,
            among=lambda war, seat, got: (*others(war, seat, got), Choice(seat, seat)),
        ),
    )
    says = "Strike surplus spheres in your regions in this order: {seats}."


class PointsRule(Spoken, frozen=True):
    """Where the 1d3 points after a suppressed revolt go first: `strength` or `spheres`, of one player's alone if `of` is named.

    `number`: so many of them at most, the rest to the other.
    """

    first: str
    number: Most = 0
    of: Seat | None = None

    words = Words(
        "POINTS",
        "say what the points after a suppressed revolt are taken off first, and how many",
        "27.combat.natives.7",
        "POINTS 1 sphere",
    )
    plain = Plain("Points after a revolt")
    fields = (Whole(("first", "number", "of"), ("aim", "sphere"), {"OF": ("side",)}),)

    def meaning(self) -> str:
        whose = f" of {self.of}" if self.of else ""
        if not self.number:
            return f"After a suppressed revolt take points off {self.first}{whose} first."
        noun, of, other = (
            ("spheres", "", "strength") if self.first == "spheres" else ("points", " of strength", "spheres")
        )
        if isinstance(self.number, Quantity):
            return f"After a suppressed revolt take {share_of(self.number)} of the points off {self.first}{whose}, then {other}."
        aim = counted(self.number, noun) + of
        return f"After a suppressed revolt take off up to {aim}{whose}, then {other}."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        kind = "sphere" if self.first == "spheres" else "aim"
        aim = Thing(kind, self.first, written(self.number))
        return (aim,), clause("OF", *named_seats((self.of,) if self.of else ()))

    @classmethod
    def read(cls, said: Said) -> Self:
        (thing,), rule = said.order.things, cls.words.rule
        first = "spheres" if thing.kind == "sphere" else thing.name
        name = only(said.order, rule, "OF")
        of = opponent(said.state, said.seat, name, rule) if name else None
        if of is not None and first != "spheres":
            raise Refused(
                "Spheres belong to players, the strength to nobody.", rule, of, (line_of(cls("spheres", 0, of)),)
            )
        return cls(first, so_many(said.order, thing, rule), of)

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        first = yield from one("first", [Choice(word, word) for word in ("strength", "spheres")])
        number = yield from up_to("how many", "spheres" if first == "spheres" else "strength")
        of = yield from several("of", rivals(war, seat) if first == "spheres" else (), 0, 1)
        return cls(first, number, of[0] if of else None)


# ---------------------------------------------------------------- explorers and resources


class FavourRule(StandingOrder, frozen=True):
    """Your spheres help these players' explorers instead of hindering them."""

    seats: tuple[Seat, ...]

    words = Words("FAVOUR", "let your spheres help these players' explorers", "R27-72", "FAVOUR {other}")
    plain = Plain("Help explorers", theme="Other powers")
    fields = (Opponents("seats", "", "R27-72"),)
    says = "Your spheres favour the explorers of {seats}."


class PickRule(StandingOrder, frozen=True):
    """The chit you keep of those drawn, best first."""

    resources: tuple[str, ...]

    words = Words(
        "PICK", "say which resource you keep of those drawn, best first", "27.combat.prospect.2", "PICK Oil, Gold"
    )
    plain = Plain("Resource to keep")
    fields = (
        Row(
            *("resources", ("resource",)),
            taken=str,
            say=", ".join,
            among=lambda *_: (Choice(name, name) for name in CHITS),
        ),
    )
    says = "Of chits drawn keep the first of {resources}, else the best."


# ---------------------------------------------------------------- what cannot stay


class DisbandOrder(Spoken, frozen=True):
    """The units that go first when maintenance cannot be paid: kinds, each in a region or anywhere (""), so many of them at
    most."""

    units: tuple[tuple[str, str, Most], ...]

    words = Words(
        "DISBAND",
        "say which units go first when maintenance cannot be paid",
        "27.production.maintain.2",
        "DISBAND explorers, infantry IN Egypt",
    )
    plain = Plain("Disband first")
    fields = (Whole(("units",), _LOST, {"IN": (*_PLACES, *_LOST), "FROM": (*_PLACES, *_LOST)}, most=None),)

    def meaning(self) -> str:
        named = [
            f"{some_of(kind, number)} in {where}" if where else some_of(kind, number)
            for kind, where, number in self.units
        ]
        return f"If maintenance cannot be paid, lose first {', then '.join(named)}."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        said: list[tuple[Thing, ...]] = [()]
        for kind, where, number in self.units:
            said[-1] += (kind_thing(kind, number),)
            said += [places((where,))] if where else []
        return said[0], tuple(Clause("IN", things) for things in said[1:])

    @classmethod
    def read(cls, said: Said) -> Self:
        """`explorers, infantry IN Egypt`: a place belongs to the kind just before it; a sea area means those aboard there.

        `all` stands for every kind of land unit.
        """
        units: list[tuple[str, str, Most]] = []
        every = False
        for thing in (*said.order.things, *after(said.order, "IN", "FROM")):
            if thing.kind == "any" or (every and thing.kind != "unit"):
                kinds = [kind for kind in LAND_UNITS if kind in said.state.kinds]
                units[len(units) - every * len(kinds) :] = [(kind, thing.name if every else "", 0) for kind in kinds]
                every = thing.kind == "any"
                continue
            every = False
            if thing.kind == "unit":
                units.append((KIND_OF[thing.name], "", so_many(said.order, thing, cls.words.rule)))
                continue
            kind, _, number = units.pop() if not units[-1][1] else units[-1]
            if kind == "fleet" and not BOARD.is_sea(thing.name):
                raise Refused(f"Fleets never stand in {thing.name}, which is land.", "27.board.3", thing.name)
            units.append((kind, thing.name, number))
        return cls(tuple(units))

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        units = list[tuple[str, str, Most]]()
        for kind in (yield from several("units", held_kinds(war, tuple(war.kinds)), 1)):
            seas, lands = seas_held(war, seat), held_places(war, seat, kind)
            where = yield from at_most_one(f"where the {kind} stands", seas if kind == "fleet" else [*lands, *seas])
            units.append((kind, where, (yield from up_to("how many", plural(kind)))))
        return cls(tuple(units))


class EvacuateTo(StandingOrder, frozen=True):
    """Where your units go when a region is ceded or lost to you, best first."""

    places: tuple[str, ...]

    words = Words(
        "EVACUATE",
        "say where units go that must leave a region, best first",
        "R27-37",
        "EVACUATE TO Egypt, Arabian Sea",
    )
    plain = Plain("Evacuate to this place")
    fields = (Row("places", _PLACES, "TO", taken=str, say=", ".join, among=refuges),)
    says = "Units that must leave a region go to the first of: {places}."


# ---------------------------------------------------------------- others' unlawful lines


class ConsentRule(Spoken, frozen=True):
    """Whether others' unlawful lines may always be mended, or never (27.opt.simultaneous.2)."""

    always: bool

    words = Words(
        "CONSENT",
        "agree to the mending of others' unlawful lines ALWAYS, or NEVER",
        "27.opt.simultaneous.2",
        "CONSENT ALWAYS",
    )
    plain = Plain("Let others mend lines")
    fields = (
        Whole(
            *(("always",), (), {"ALWAYS": (), "NEVER": ()}),
            needed=False,
            among=lambda *_: (Choice("ALWAYS", (True,)), Choice("NEVER", (False,))),
        ),
    )

    def meaning(self) -> str:
        return f"{'Always' if self.always else 'Never'} agree to the mending of others' unlawful lines."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        return (), (Clause("ALWAYS" if self.always else "NEVER", ()),)

    @classmethod
    def read(cls, said: Said) -> Self:
        if len(said.order.clauses) != 1:
            instead = ("CONSENT ALWAYS", "CONSENT NEVER")
            raise Refused("Say CONSENT ALWAYS or CONSENT NEVER.", cls.words.rule, "CONSENT", instead)
        return cls(says(said.order, "ALWAYS"))


STANDING_AT_HOME = (SphereRule, StrikeOrder, PointsRule, DisbandOrder, EvacuateTo, FavourRule, ConsentRule, PickRule)
