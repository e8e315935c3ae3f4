"""Standing orders of battles: REINFORCE, RETREAT and SHIFT on land; STRAITS, INTERCEPT, BREAK OFF and LOSE FLEETS at sea."""

from __future__ import annotations

from typing import ClassVar, Self

from referee.core.choices import ALL, Asking, Choice, Step, number, one, placed, several
from referee.core.names import Seat
from referee.core.order import Clause, Order, Portion, Quantity, Thing
from referee.games.war.deeds import Lot, line_of, ships
from referee.games.war.orders.base import (
    NONE,
    Place,
    after,
    named_seats,
    number_of,
    only,
    only_thing,
    opponent,
    opponents,
    says,
    ships_named,
)
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
    rivals,
    seas_held,
    so_many,
    some_of,
    up_to,
)
from referee.games.war.position.state import War
from referee.games.war.rulebook import BOARD, BRIGADES, KIND_OF, SHIP, plural
from referee.kit.declared import Plain, Words
from referee.kit.fields import Most, Said, exactly, most_of, share_of, written
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_number

# ---------------------------------------------------------------- standing orders of land battles
# REINFORCE, RETREAT and SHIFT.


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
        verb = in_number(self.at_most, "attack")
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
        company, limit = after(order, "WITH"), only_thing(order, rule, "AGAINST")
        region, origin = order.things[0].name, only(order, cls.words.rule, "FROM")
        _next_to(said, region, origin)
        named = [thing for thing in company if thing.kind != "any"]
        only_kinds(named, BRIGADES, "A general brings brigades", rule)
        brings: dict[str, Most] = {KIND_OF[thing.name]: so_many(order, thing, rule) for thing in named}
        if brings and len(named) < len(company):  # all others after those that are named
            brings |= {kind: 0 for kind in BRIGADES if kind not in brings}
        return cls(region, origin, tuple(brings.items()), _limit(limit) if limit else 0)

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


# ---------------------------------------------------------------- standing orders at sea
# STRAITS, INTERCEPT, BREAK OFF and LOSE FLEETS.


_RATIO = {"AT": _NUMBER, "TO": _NUMBER, "NEVER": ()}


class StraitsRule(Spoken, frozen=True):
    """The players who may pass your strait or canal: all but `refused`; with `nobody` nobody."""

    refused: tuple[Seat, ...] = ()
    nobody: bool = False

    words = Words(
        "STRAITS", "let fleets of others through your strait or canal, or not", "R27-03", "STRAITS open EXCEPT {other}"
    )
    plain = Plain("My straits", theme="Other powers")
    fields = (Whole(("refused", "nobody"), ("leave",), {"EXCEPT": ("side",)}),)

    def meaning(self) -> str:
        if self.nobody:
            return "Let nobody through your straits."
        return f"Let all through your straits{' except ' + ', '.join(self.refused) if self.refused else ''}."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        refused = () if self.nobody else named_seats(self.refused)
        return (Thing("leave", "closed" if self.nobody else "open"),), clause("EXCEPT", *refused)

    @classmethod
    def read(cls, said: Said) -> Self:
        closed, refused = said.order.things[0].name == "closed", after(said.order, "EXCEPT")
        if closed and refused:
            instead = (line_of(cls(nobody=True)), f"STRAITS open EXCEPT {refused[0].name}")
            raise Refused(
                "Exceptions go with STRAITS open: name those who may not pass.", "R27-03", refused[0].name, instead
            )
        return cls(opponents(said.state, said.seat, refused, "R27-03"), closed)

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        if (yield from one("straits", [Choice("open", False), Choice("closed", True)])):
            return cls(nobody=True)
        return cls((yield from several("except", rivals(war, seat))))


class InterceptRule(Spoken, frozen=True):
    """When to intercept: `always`, `never`, `ratio` (own fleets at least `ratio` times his), `carrying`.

    `fleets`: with how many of those there; None for all (R27-33).
    """

    when: str
    ratio: int = 1
    enemy: Seat | None = None
    sea: str = ""
    fleets: Quantity | None = None

    words = Words(
        "INTERCEPT",
        "say when to intercept (ALWAYS, NEVER, CARRYING units, or AT so many fleets TO 1), WITH how many",
        "27.move.naval.3",
        "INTERCEPT {other} IN Arabian Sea AT 2 TO 1",
    )
    plain = Plain("Intercept fleets")
    fields = (
        Whole(
            ("when", "ratio", "enemy", "sea", "fleets"),
            ("side",),
            {"ALWAYS": (), "CARRYING": (), **_RATIO, "IN": ("sea",), "WITH": ("unit", "any")},
            needed=False,
        ),
    )

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

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        when = ratio("AT", self.ratio) if self.when == "ratio" else (Clause(self.when.upper(), ()),)
        force = (Thing("unit", "fleets", self.fleets),) if self.fleets else ()
        enemy = named_seats((self.enemy,) if self.enemy else ())
        return enemy, (*clause("IN", *places((self.sea,))), *when, *clause("WITH", *force))

    @classmethod
    def read(cls, said: Said) -> Self:
        order, rule = said.order, cls.words.rule
        enemy = opponent(said.state, said.seat, order.things[0].name, rule) if order.things else None
        sea, times = only(order, rule, "IN"), _times(order, rule)
        found = [word for word in ("ALWAYS", "NEVER", "CARRYING", "AT") if says(order, word)]
        if len(found) != 1:
            lines = tuple(line_of(cls(when, enemy=enemy, sea=sea)) for when in ("always", "never", "carrying"))
            raise Refused("Say when: ALWAYS, NEVER, CARRYING, or AT 2 TO 1.", rule, order.verb, lines)
        force, lower = _force(order, rule), found[0].lower()
        if force and lower == "never":
            raise Refused(
                "An order never to intercept names no fleets.", rule, "WITH", (line_of(cls(lower, 1, enemy, sea)),)
            )
        return cls("ratio" if times else lower, times or 1, enemy, sea, force)

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        when = yield from one("when", [Choice(word, word) for word in ("always", "never", "carrying", "ratio")])
        times = (yield from number("fleets to 1", "TO 1", 1, MOST, 2)) if when == "ratio" else 1
        enemy = yield from several("enemy", rivals(war, seat), 0, 1)
        sea = yield from at_most_one("sea", seas_held(war, seat))
        force = (yield from up_to("with", "fleets")) if when != "never" else 0
        return cls(when, times, enemy[0] if enemy else None, sea, written(force))


def _times(order: Order, rule: str) -> int:
    """k of `AT k TO 1`, 0 without it. Raises Refused when the second number is not 1."""
    if not says(order, "AT"):
        return 0
    first, last = after(order, "AT")[0], [thing for thing in after(order, "TO") if thing.kind == "number"]
    if last and last[0].count() != 1:
        sentence = f"Ratios are written so many TO 1, such as AT {first.count()} TO 1."
        raise Refused(sentence, rule, str(last[0].count()))
    return number_of(order, first, rule)


def _force(order: Order, rule: str) -> Quantity | None:
    """R27-33: with how many fleets; None for all."""
    force = only_thing(order, rule, "WITH")
    if force is None or force.kind == "any":
        return None
    many = force.quantity
    if force.name != "fleets":
        raise Refused("Fleets alone intercept.", rule, force.name)
    if many and many.portion in (Portion.EXACTLY, Portion.UP_TO) and not many.number:
        raise Refused("Nobody intercepts with no fleets; say NEVER.", rule, str(many.number))
    return None if many is None or many.portion is Portion.ALL else many


class BreakOffRule(Spoken, frozen=True):
    """Break off a naval battle when the enemy has more than `ratio` fleets for each of yours; 0: never."""

    ratio: int

    words = Words(
        "BREAK OFF",
        "leave a naval battle when he has more than so many fleets to 1, or NEVER",
        "27.combat.naval.3",
        "BREAK OFF AT 2 TO 1",
        ("NAVAL",),
    )
    plain = Plain("Break off at sea")
    fields = (Whole(("ratio",), (), _RATIO, needed=False),)

    def meaning(self) -> str:
        if not self.ratio:
            return "Never break off a naval battle."
        return f"Break off a naval battle when he has more than {counted(self.ratio, 'fleets')} for each of yours."

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        return (), ratio("AT", self.ratio) if self.ratio else (Clause("NEVER", ()),)

    @classmethod
    def read(cls, said: Said) -> Self:
        if says(said.order, "AT") == says(said.order, "NEVER"):
            raise Refused(
                "Say BREAK OFF AT 2 TO 1, or BREAK OFF NEVER.",
                cls.words.rule,
                said.order.verb,
                ("BREAK OFF AT 2 TO 1",),
            )
        return cls(_times(said.order, cls.words.rule))

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        return cls((yield from number("fleets to 1 (0: never)", "TO 1", 0, MOST, 2)))


class FleetLossOrder(Spoken, frozen=True):
    """The fleets of yours that take hits first: those named, in this order, then `empty` or `loaded` ones ("": the default).

    In a sea area or everywhere ("").
    """

    first: str
    sea: str = ""
    fleets: tuple[int, ...] = ()

    words = Words(
        "LOSE FLEETS",
        "say which of your fleets take hits first: empty or loaded ones, or fleet 2, fleet 1 by their numbers",
        "27.combat.naval.2",
        "LOSE FLEETS loaded IN Red Sea",
    )
    plain = Plain("Lose fleets first")
    fields = (Whole(("first", "sea", "fleets"), ("empty or loaded fleet", SHIP), {"IN": ("sea",)}, most=None),)

    def meaning(self) -> str:
        where = f" in {self.sea}" if self.sea else ""
        other = "loaded" if self.first == "empty" else "empty"
        first = ", then ".join(f"fleet {number}" for number in self.fleets)
        if not self.first:
            return f"Naval battles{where} cost you {first} first, then the others."
        return (
            f"Naval battles{where} cost you {first}{', then ' if first else ''}{self.first} fleets before {other} ones."
        )

    def said(self) -> tuple[tuple[Thing, ...], tuple[Clause, ...]]:
        by_number = (Thing(SHIP, f"fleet {number}") for number in self.fleets)
        kind = (Thing("empty or loaded fleet", self.first),) if self.first else ()
        return (*by_number, *kind), clause("IN", *places((self.sea,)))

    @classmethod
    def read(cls, said: Said) -> Self:
        rule, things = cls.words.rule, said.order.things
        fleets, kinds = ships_named(things, rule), [thing.name for thing in things if thing.kind != SHIP]
        for each in fleets:
            ships(said.state, said.seat, said.state.fleets_of(said.seat), "", (each,), rule, strict=True)
        if len(kinds) > 1:
            raise Refused("Say empty or loaded, not both.", rule, kinds[1])
        if len(set(things)) > len(fleets) + len(kinds):
            raise Refused("Say the fleet's number, as your record sheet shows it, such as fleet 2.", rule, "fleet")
        return cls(kinds[0] if kinds else "", only(said.order, rule, "IN"), fleets)

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        sea = yield from at_most_one("sea", seas_held(war, seat))
        first_there = sorted(war.fleets_of(seat), key=lambda fleet: fleet.sea != sea)
        mine = [Choice(f"fleet {fleet.number}", fleet.number, at=fleet.sea) for fleet in first_there]
        fleets = yield from several("fleets", mine)
        neither = [Choice("neither", "", "the others as usual")] if fleets else []
        first = yield from one("first", [*(Choice(word, word) for word in ("empty", "loaded")), *neither])
        return cls(first, sea, fleets)


STANDING_AT_SEA = (StraitsRule, InterceptRule, BreakOffRule, FleetLossOrder)
