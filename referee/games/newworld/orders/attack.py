"""ATTACK: a foe (a seat, `rebels` or `neutral`) in a Region, for one of these territories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import msgspec
from msgspec.structs import replace

from referee.core.choices import ALL, Asking, Choice, Step, one, placed, several
from referee.core.names import Seat
from referee.core.order import Clause, Portion, Quantity, Thing
from referee.games.newworld.orders.base import GOODS, TurnOrder
from referee.games.newworld.position.state import World
from referee.games.newworld.rulebook.tables import CARDS, EUROPE, RESOURCES, TERRAINS, card_named
from referee.kit.declared import Words
from referee.kit.fields import ANY, Field, Flag, Maybe, One, Said, exact, portion_in_words
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row


class Aim(msgspec.Struct, frozen=True):
    """What an attack is for: a kind of territory, or `any`; `home` narrows it to those that were a seat's first."""

    good: str
    home: Seat | None = None

    def words(self) -> str:
        """The aim in plain words."""
        if self.good == ANY:
            return "whatever yields most" + (f" of {self.home}'s first territories" if self.home else "")
        return f"{self.good} ({self.home})" if self.home else self.good


# ---------------------------------------------------------------- read and written


class _Aims(Field[tuple[Aim, ...]]):
    """What FOR names, in order; OF narrows the wish just before it, or with rebels whose colony is meant."""

    needed = False

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {"FOR": GOODS, "OF": ("side", *GOODS)}

    def read(self, said: Said) -> tuple[Aim, ...]:
        region, rebels = said.got["region"], said.got["foe"] == "rebels"
        owners = said.after("OF")
        if owners and not rebels:
            _check_home(said, owners[0].name)
        aims: list[Aim] = []
        for clause in said.order.clauses:
            for thing in clause.things if clause.preposition in ("FOR", "OF") else ():
                if thing.kind != "side":
                    aims.append(Aim(_good(thing, region)))
                elif aims and not rebels:
                    aims[-1] = replace(aims[-1], home=Seat(thing.name))
        return tuple(dict.fromkeys(aims)) or (Aim(ANY),)

    def clauses(self, value: tuple[Aim, ...], state: World) -> Iterator[Clause]:
        """An aim stands under the preposition that narrows the one before it."""
        under = "FOR"
        for aim in value if value != (Aim(ANY),) else ():
            yield Clause(under, (_thing(aim.good),))
            if aim.home:
                under = "OF"
                yield Clause(under, (Thing("side", aim.home),))


def _check_home(said: Said, owner: str) -> None:
    """OF after a wish for a European territory says whose home it was."""
    if said.got["region"] != EUROPE:
        sentence = "OF names whose home a European territory was, or with ATTACK rebels whose colony is meant."
        raise Refused(sentence, "nw.r26", owner)
    if not said.after("FOR"):
        instead = (f"ATTACK {said.got['foe']} IN {EUROPE} FOR any OF {owner}",)
        raise Refused("OF narrows what the attack is FOR.", "nw.r26", owner, instead)


def _thing(good: str) -> Thing:
    if good == ANY:
        return Thing("any", ANY)
    return Thing("treasure" if good.lower() in RESOURCES else "territory", good)


def _good(thing: Thing, region: str) -> str:
    """A territory of that Region's kind, or any."""
    if thing.quantity is not None:
        sentence = "One attack takes one territory, so no number belongs here."
        raise Refused(sentence, "nw.r26", str(thing.quantity.number or thing.name))
    if thing.kind == "any":
        return ANY
    good = card_named(thing.name).good if thing.kind == "card" else thing.name
    there = TERRAINS if region == EUROPE else [card.good for card in CARDS if card.region == region]
    if good not in there or (thing.kind == "card" and card_named(thing.name).region != region):
        raise Refused(f"There is no {thing.name} in {region}.", "nw.cards.list", thing.name)
    return good


class _Fleets(Field[Quantity]):
    """The Fleets of WITH, 0 allowed; a bare name is one."""

    def read(self, said: Said) -> Quantity:
        strange = [thing for thing in said.after("WITH") if thing.kind == "unit" and thing.name != "fleets"]
        if strange:
            sentence = "Every army in the Region attacks; WITH tells off fleets."
            raise Refused(sentence, "nw.war.rolls", strange[0].name)
        (thing, *_) = said.after("WITH")
        return Quantity(Portion.ALL) if thing.kind == "any" else thing.quantity or exact(1)

    def things(self, value: Quantity, state: World) -> tuple[Thing, ...]:
        return (Thing("unit", "fleets", value),)


class _Owner(Field[Seat | None]):
    """Whose colony is meant, where rebels are attacked."""

    needed = False

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {}

    def read(self, said: Said) -> Seat | None:
        owners = said.after("OF") if said.got["foe"] == "rebels" else ()
        return Seat(owners[0].name) if owners else None

    def things(self, value: Seat | None, state: World) -> tuple[Thing, ...]:
        return (Thing("side", value),) if value else ()


# ---------------------------------------------------------------- the order


def _aims_in_words(wishes: Sequence[Aim]) -> str:
    return in_a_row([aim.words() for aim in wishes], "or else")


def _with(fleets: Quantity | None) -> str:
    return f" with {portion_in_words(fleets, 'fleets')}" if fleets else " with the fleets left over"


class AttackRegion(TurnOrder, frozen=True):
    """`fleets` None: all that are not assigned to another attack. `owner` narrows rebels to one sheet."""

    foe: str
    region: str
    wishes: tuple[Aim, ...] = (Aim(ANY),)
    fleets: Quantity | None = None
    owner: Seat | None = None
    unless_outnumbered: bool = False

    words = Words(
        "ATTACK",
        "attack a player, rebels or neutral territories in a Region, for a territory there",
        "nw.war.attack",
        "ATTACK {other} IN Europe FOR Ore, any WITH 1 fleet UNLESS outnumbered",
    )
    fields = (
        One("foe", ("side", "foe"), taken=str),
        One("region", ("region",), "IN", taken=str, several=("One attack is made in one Region.", "nw.r21")),
        _Aims("wishes", GOODS, "FOR", say=_aims_in_words),
        Maybe(_Fleets("fleets", ("unit", "number", "any"), "WITH"), _with),
        _Owner("owner", ("side",), "OF", say=lambda owner: f" in a colony of {owner}" if owner else ""),
        Flag("unless_outnumbered", "case", "UNLESS", "outnumbered", ", unless outnumbered in dice"),
    )
    says, phase, rare = "Attack {foe}{owner} in {region} for {wishes}{fleets}{unless_outnumbered}.", "War", 3

    @classmethod
    def choices(cls, world: World, seat: Seat) -> Asking[Self]:
        """Where there are armies: whom, for what, and whether only with the better dice."""
        manned = world.powers[seat].manned
        places = [placed(r, counted(n, "armies")) for r, n in manned.items() if _foes(world, seat, r)]
        region = yield from one("region", places)
        foe = yield from one("foe", _foes(world, seat, region))
        goods = [Choice(good, Aim(good), "", region) for good in _goods(world, foe, region)]
        wishes = yield from several("wishes", [*goods, Choice(ANY, Aim(ANY), "whatever yields most", region)], 0)
        rest = Choice("rest", None, "those left over")
        (word,) = yield Step("fleets", (rest, ALL), 0, world.powers[seat].fleets, "fleets", (rest.word,))
        fleets = exact(int(word)) if word.isdecimal() else ALL.value if word == ALL.word else None
        whose = [Choice(other, other) for other in world.powers] if foe == "rebels" else []
        owner = yield from several("of", whose, 0, 1)
        careful = () if foe in _exposed(world, seat, region) else ("outnumbered",)
        off = [Choice("outnumbered", True, "the attack is called off then")]
        caution = yield from several("unless_outnumbered", off, 0, usual=careful)
        return cls(foe, region, wishes or (Aim(ANY),), fleets, owner[0] if owner else None, bool(caution))

    @classmethod
    def proposed(cls, world: World, seat: Seat) -> list[Self]:
        """On one foe in each Region who cannot defend what he has there."""
        return [cls(foes[0], region) for region in world.powers[seat].manned if (foes := _exposed(world, seat, region))]

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        exposed = ((region, _exposed(world, seat, region)) for region in world.powers[seat].manned)
        return "\n".join(f"Without an army in {region}: {in_a_row(foes)}." for region, foes in exposed if foes), False

    def check(self, world: World, seat: Seat) -> None:
        if self.foe == seat:
            raise Refused("You cannot attack yourself.", "nw.war.attack", seat)
        if self.foe == "rebels" and self.region == EUROPE:
            raise Refused("Only colonies revolt; there are no rebels in Europe.", "nw.revolution.armies", EUROPE)


def _goods(world: World, foe: str, region: str) -> list[str]:
    there = [t for t in world.territories if t.region == region]
    if foe == "rebels":
        return list(dict.fromkeys(t.good for t in there if t.rebels is not None))
    owner = None if foe == "neutral" else foe
    return list(dict.fromkeys(t.good for t in there if t.quiet and t.owner == owner))


def _exposed(world: World, seat: Seat, region: str) -> list[str]:
    """Seats that have a territory there and no army."""
    others = (s for s in world.others(seat) if world.controlled(s, region))
    return [str(other) for other in others if not world.powers[other].armies[region]]


def _foes(world: World, seat: Seat, region: str) -> list[Choice[str]]:
    """Those who have a territory there: first who cannot defend it, then neutral ones, rebels, and the others."""
    owners = [t.owner for t in world.territories if t.region == region and t.quiet]
    exposed = [Choice(foe, foe, "without an army", region) for foe in _exposed(world, seat, region)]
    armies = {str(other): world.powers[other].armies[region] for other in world.others(seat) if other in owners}
    defended = [Choice(foe, foe, counted(number, "armies"), region) for foe, number in armies.items() if number]
    risen = [t.rebels for t in world.territories if t.region == region and t.rebels is not None]
    neutral = [Choice("neutral", "neutral", "", region)] if None in owners else []
    rebels = [Choice("rebels", "rebels", counted(sum(risen), "armies"), region)] if risen else []
    return [*exposed, *neutral, *rebels, *defended]
