"""Standing orders at sea: STRAITS, INTERCEPT, BREAK OFF and LOSE FLEETS."""

from __future__ import annotations

from typing import Self

from referee.core.choices import Asking, Choice, number, one, several
from referee.core.names import Seat
from referee.core.order import Clause, Order, Portion, Quantity, Thing
from referee.games.war.deeds.muster import Lot, line_of, ships
from referee.games.war.orders.base import after, named_seats, number_of, opponent, opponents, says, ships_named
from referee.games.war.orders.base import only as only
from referee.games.war.orders.standing import (
    MOST,
    Spoken,
    Whole,
    at_most_one,
    clause,
    places,
    ratio,
    rivals,
    seas_held,
    up_to,
)
from referee.games.war.position.state import War
from referee.games.war.rulebook import SHIP
from referee.kit.declared import Plain, Words
from referee.kit.fields import Said, written
from referee.kit.refused import Refused
from referee.kit.wording import counted

_NUMBER = ("number",)
_RATIO = {"AT": _NUMBER, "TO": _NUMBER, "NEVER": ()}


class StraitsRule(Spoken, frozen=True):
    """Who may pass your strait or canal: all but `refused`; with `nobody` nobody."""

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
            raise Refused("Who never intercepts names no fleets.", rule, "WITH", (line_of(cls(lower, 1, enemy, sea)),))
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
    force = [thing for thing in after(order, "WITH") if thing.kind != "any"]
    for thing in force:
        if thing.name != "fleets":
            raise Refused("Fleets alone intercept.", rule, thing.name)
        if thing.quantity and thing.quantity.portion in (Portion.EXACTLY, Portion.UP_TO) and not thing.quantity.number:
            raise Refused("Nobody intercepts with no fleets; say NEVER.", rule, str(thing.quantity.number))
    many = force[0].quantity if force else None
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
    """Which of your fleets take hits first: those named, in this order, then `empty` or `loaded` ones ("": the default).

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
