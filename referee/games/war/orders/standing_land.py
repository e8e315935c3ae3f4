"""Standing orders of land battles: REINFORCE, RETREAT and SHIFT."""

from __future__ import annotations

from typing import ClassVar, Self

from referee.core.choices import ALL, Asking, Choice, Step, number, one, placed, several
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Quantity, Thing
from referee.games.war.deeds.muster import line_of
from referee.games.war.orders.base import NONE, Place, after, number_of, says
from referee.games.war.orders.base import only as only
from referee.games.war.orders.standing import (
    MOST,
    Spoken,
    Whole,
    at_most_one,
    clause,
    held_kinds,
    held_places,
    kind_thing,
    numbered,
    only_kinds,
    places,
    ratio,
    refuges,
    so_many,
    some_of,
    up_to,
)
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, BRIGADES, KIND_OF, plural
from referee.kit.declared import Plain, Words
from referee.kit.fields import Most, Said, exactly, most_of, share_of, written
from referee.kit.refused import Refused
from referee.kit.wording import counted

_NUMBER = ("number",)

"""The highest number that is offered of rounds and brigades."""


class ReinforceRule(Spoken, frozen=True):
    """A general who reinforces `region` from `origin`, if at most so many brigades attack (0: any).

    `brings`: kinds in order, with how many of each at most; () for all that can come.
    """

    region: str
    origin: str
    brings: tuple[tuple[str, Most], ...] = ()
    at_most: int = 0

    words = Words(
        "REINFORCE",
        "let a general come to the help of a region, if not too many brigades attack it",
        "27.move.reinforce.2",
        "REINFORCE Egypt FROM Palestine WITH cavalry, infantry AGAINST up to 5 brigades",
    )
    plain = Plain("Let a general help")
    fields = (
        Whole(
            ("region", "brings", "at_most"),
            ("region",),
            {"WITH": ("unit", "any"), "AGAINST": ("strength",)},
        ),
        Place("origin", "FROM", (), "27.move.reinforce.2"),
    )

    def meaning(self) -> str:
        verb = "attacks" if self.at_most == 1 else "attack"
        limit = f", if at most {counted(self.at_most, 'brigades')} {verb} it" if self.at_most else ""
        named = [some_of(kind, most) if most else kind for kind, most in self.brings]
        first = f" with {', '.join(named)}" if named else ""
        return f"When {self.region} is attacked, reinforce it from {self.origin}{first}{limit}."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        company = clause("WITH", *(kind_thing(kind, most) for kind, most in self.brings))
        limit = (Thing("strength", "brigades", Quantity(Portion.UP_TO, self.at_most)),) if self.at_most else ()
        return places((self.region,)), (*clause("FROM", *places((self.origin,))), *company, *clause("AGAINST", *limit))

    @classmethod
    def read(cls, said: Said) -> Self:
        order, rule = said.order, "27.move.reinforce.4"
        company, limits = after(order, "WITH"), after(order, "AGAINST")
        region, origin = order.things[0].name, only(order, cls.words.rule, "FROM")
        _next_to(said, region, origin)
        named = [thing for thing in company if thing.kind != "any"]
        only_kinds(named, BRIGADES, "A general brings brigades", rule)
        brings: dict[str, Most] = {KIND_OF[thing.name]: so_many(order, thing, rule) for thing in named}
        if brings and len(named) < len(company):  # all others after those that are named
            brings |= {kind: 0 for kind in BRIGADES if kind not in brings}
        return cls(region, origin, tuple(brings.items()), _limit(limits[0]) if limits else 0)

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """From a region of one's own to another first: what is ordered now is meant for later, too."""
        own = {land.name for land in war.regions_of(seat)}

        def helps(name: str) -> bool:
            return name in own and not own.isdisjoint(BOARD.regions[name].borders)

        lands = [name for name, land in BOARD.regions.items() if land.borders]
        region = yield from one("region", map(placed, sorted(lands, key=helps, reverse=True)))
        near = sorted(BOARD.regions[region].borders, key=own.__contains__, reverse=True)
        origin = yield from one("from", map(placed, near))
        brings = list[tuple[str, Most]]()
        for kind in (yield from several("with", held_kinds(war, BRIGADES))):
            brings.append((kind, (yield from up_to("how many", plural(kind)))))
        return cls(region, origin, tuple(brings), (yield from number("at most (0: any)", "brigades", 0, MOST)))


def _next_to(said: Said, region: str, origin: str) -> None:
    if origin not in BOARD.regions[region].borders:
        near = [name for name in BOARD.regions[region].borders if said.state.lands[name].owner == said.seat]
        instead = tuple(line_of(ReinforceRule(region, name)) for name in near[:2])
        raise Refused(f"{origin} does not border {region}.", "27.move.reinforce.2", origin, instead)


def _limit(thing: Thing) -> int:
    exactly = thing.quantity is not None and thing.quantity.portion in (Portion.EXACTLY, Portion.UP_TO)
    if not exactly or not thing.count():
        raise Refused("Say how many: AGAINST up to 5 brigades.", "27.move.reinforce.2", thing.name)
    return thing.count()


class RetreatRule(Spoken, frozen=True):
    """When to retreat: `never`, `after` round n, `below` n brigades, `outnumbered` n to 1; and where to, best first."""

    when: str
    number: int = 0
    to: tuple[str, ...] = ()
    region: str = ""

    afterwards: ClassVar[str] = "after round {}"
    rounds: ClassVar[str] = "rounds"

    words = Words(
        "RETREAT",
        "say when to leave a land battle (NEVER, AFTER a round, BELOW so many brigades, OUTNUMBERED so many TO 1), and where to",
        "27.combat.land.4",
        "RETREAT BELOW 3 FROM Egypt TO Palestine, Eastern Mediterranean",
    )
    plain = Plain("If beaten, retreat")
    fields = (
        Whole(
            ("when", "number", "to", "region"),
            (),
            {
                "NEVER": (),
                "AFTER": _NUMBER,
                "AFTER ROUND": _NUMBER,
                "BELOW": ("number", "strength"),
                "OUTNUMBERED": _NUMBER,
                "FROM": ("region",),
                "TO": ("region", "sea", "number"),
            },
            needed=False,
        ),
    )

    def meaning(self) -> str:
        words = {
            "never": "Never retreat",
            "after": f"Retreat {self.afterwards.format(self.number)}",
            "below": f"Retreat with fewer than {counted(self.number, 'brigades')}",
            "outnumbered": f"Retreat when outnumbered {self.number} to 1",
        }
        where = f" from {self.region}" if self.region else ""
        return f"{words[self.when]}{where}{', to ' + ', else '.join(self.to) if self.to else ''}."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        when: tuple[Clause, ...] = (
            Clause(self.when.upper(), () if self.when == "never" else (numbered(self.number),)),
        )
        if self.when == "outnumbered":
            when = ratio("OUTNUMBERED", self.number)
        return (), (*when, *clause("FROM", *places((self.region,))), *clause("TO", *places(self.to)))

    @classmethod
    def read(cls, said: Said) -> Self:
        order, rule = said.order, cls.words.rule
        words = {
            "NEVER": "never",
            "AFTER": "after",
            "AFTER ROUND": "after",
            "BELOW": "below",
            "OUTNUMBERED": "outnumbered",
        }
        found = [word for word in words if says(order, word)]
        region = only(order, rule, "FROM")
        to = tuple(dict.fromkeys(thing.name for thing in after(order, "TO") if thing.kind != "number"))
        if len(found) != 1:
            better = (line_of(cls("below", 2, to, region)), line_of(cls("never", 0, to, region)))
            why = "Say when: NEVER, AFTER 2, BELOW 3 brigades, or OUTNUMBERED 2 TO 1."
            raise Refused(why, rule, order.verb, better)
        if any(thing.count() < 1 for thing in after(order, found[0])):
            raise Refused(f"RETREAT {found[0]} needs a number of 1 or more; nobody retreats before round 1.", rule, "0")
        return cls(words[found[0]], sum(number_of(order, thing, rule) for thing in after(order, found[0])), to, region)

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        when = yield from one("when", [Choice(word, word) for word in ("below", "never", "after", "outnumbered")])
        noun, many = cls.rounds if when == "after" else "brigades", 0
        if when != "never":
            many = yield from number(when, noun, 1, MOST, 2)
        region = yield from at_most_one("from", held_places(war, seat))
        return cls(when, many, (yield from several("to", refuges(war, seat))), region)


class ShiftRule(Spoken, frozen=True):
    """How much of the modifier your general turns against the enemy: None for all, 0 for none, or a part of it."""

    points: int | Quantity | None = None

    words = Words(
        "SHIFT",
        "say how much of its modifier your general turns against the enemy",
        "27.combat.drm.2",
        "SHIFT 2 points",
    )
    plain = Plain("Turn the general's points")
    fields = (Whole(("points",), ("points", "number", "nothing", "any"), {}),)

    def meaning(self) -> str:
        much = "as much of the modifier as possible" if self.points is None else f"up to {self.points}"
        if isinstance(self.points, Quantity):
            much = f"{share_of(self.points)} of the modifier"
        return f"Your general turns {much} against the enemy."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        much = Quantity(Portion.ALL) if self.points is None else written(self.points)
        return (NONE if self.points == 0 else Thing("points", "points", much),), ()

    @classmethod
    def read(cls, said: Said) -> Self:
        (thing,) = said.order.things
        if thing.kind == "nothing":
            return cls(0)
        if thing.kind == "any" or thing.quantity is None or thing.quantity.portion is Portion.ALL:
            return cls(None)
        number = exactly(thing)
        return cls(most_of(thing, said.order.verb, cls.words.rule) if number is None else number)

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        (word,) = yield Step("points", (ALL, Choice("none", 0)), 1, MOST, "points", (ALL.word,))
        return cls(int(word) if word.isdecimal() else None if word == ALL.word else 0)


STANDING_ON_LAND = (ReinforceRule, RetreatRule, ShiftRule)
