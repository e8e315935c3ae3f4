"""MOVE, ATTACK, ROB, and which units are lost or discarded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import msgspec
from msgspec.structs import replace

from referee.core.choices import ALL, Asking, Choice, Step, placed
from referee.core.names import Seat
from referee.core.order import Clause, Order, Portion, Quantity, Thing, write
from referee.games.newworld.events import ArmiesMoved, AttackLaunched
from referee.games.newworld.orders.base import GOODS, SHEET, Done, Plan, TurnOrder, eliminated, good_thing
from referee.games.newworld.orders.spending import in_row
from referee.games.newworld.position import Territory, World
from referee.games.newworld.rulebook import CARDS, EUROPE, REGIONS, TERRAINS, card_named
from referee.kit.declared import Plain, Words
from referee.kit.fields import ANY, Counted, Field, Flag, Got, Leads, Maybe, One, Row, Said, exact, portion_in_words
from referee.kit.refused import Refused
from referee.kit.wording import counted, in_a_row

# ---------------------------------------------------------------- MOVE
# Armies go from Region to Region in the Transport Phase.


_ONE_WAY = ("MOVE goes from one Region to one other.", "nw.transport.move")


def _no_fleets(_: str) -> tuple[str, str]:
    return "Fleets are everywhere at once and are never moved.", "nw.r34"


def _manned(world: World, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    return (placed(region, counted(number, "armies")) for region, number in world.powers[seat].manned.items())


def _targets(world: World, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    """Where there are rebels to be put down first."""
    risen = {t.region for t in world.territories if t.rebels is not None}
    return (placed(r, "in revolt" if r in risen else "") for r in sorted(REGIONS, key=lambda r: r not in risen))


class MoveArmies(TurnOrder, frozen=True):
    """nw.transport.move"""

    quantity: Quantity
    origin: str
    target: str

    words = Words(
        "MOVE", "ship Armies from one Region to another", "nw.transport.move", "MOVE 2 armies FROM Europe TO Canada"
    )
    plain = Plain("Ship armies", rank=3, most=True)
    fields = (
        One("origin", ("region",), "FROM", taken=str, several=_ONE_WAY, among=_manned),
        One("target", ("region",), "TO", taken=str, several=_ONE_WAY, among=_targets),
        Counted(
            "quantity",
            "armies",
            ("unit", "number", "any"),
            wrong=_no_fleets,
            rule=SHEET,
            held=lambda world, seat, got: world.powers[seat].armies[got["origin"]],
        ),
    )
    says, phase = "Move {quantity} from {origin} to {target}.", "Transport"

    def check(self, world: World, seat: Seat) -> None:
        if self.origin == self.target:
            raise Refused(f"The armies are to leave {self.origin} for {self.target}.", "nw.transport.move", self.target)

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        power = world.powers[seat]
        stand = in_a_row([f"{number} in {region}" for region, number in power.manned.items()]) or "none"
        return f"Armies: {stand}; fleets: {power.fleets}; you can move {power.carried}.", False

    def plan(self, world: World, seat: Seat, done: Done = ()) -> Plan:
        """nw.r20: no more than Transportation and fleets carry, and no army twice a turn."""
        moved = [event for event in done if isinstance(event, ArmiesMoved)]
        left = world.powers[seat].carried - sum(event.amount for event in moved)
        come = sum(event.amount for event in moved if event.target == self.origin)
        waiting = world.powers[seat].armies[self.origin] - come
        wanted = self.quantity.of(waiting)
        amount = min(wanted, waiting, left)
        if amount > 0:
            yield ArmiesMoved(seat, amount, self.origin, self.target)
        if amount == wanted and wanted:
            return
        if left < waiting:
            yield Refused(f"Transportation and fleets carry {left} more this turn", "nw.r20")
        else:
            yield Refused(f"{counted(waiting, 'armies')} in {self.origin} can still move", "nw.transport.move")


# ---------------------------------------------------------------- ATTACK
# A foe (a seat, `rebels` or `neutral`) in a Region, for one of these territories.


class Aim(msgspec.Struct, frozen=True):
    """The aim of an attack: a kind of territory, or `any`; `home` narrows it to those that were a seat's first."""

    good: str
    home: Seat | None = None

    def words(self) -> str:
        """The aim in plain words."""
        if self.good == ANY:
            return "whatever yields most" + (f" of {self.home}'s first territories" if self.home else "")
        return f"{self.good} ({self.home})" if self.home else self.good

    def means(self, territory: Territory) -> bool:
        """Whether a territory is of the kind."""
        return self.good in (ANY, territory.good) and self.home in (None, territory.home)


# ---------------------------------------------------------------- read and written


class _Aims(Row[Aim]):
    """The wishes after FOR, in order; OF narrows the wish just before it, or with rebels whose colony is meant."""

    needed = False

    def asked(self, state: World, seat: Seat, got: Got, leads: Leads[tuple[Aim, ...]]) -> Asking[tuple[Aim, ...]]:
        return (yield from super().asked(state, seat, got, leads)) or (Aim(ANY),)

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
            yield Clause(under, (good_thing(aim.good),))
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


class _Fleets(Field[Quantity | None]):
    """The Fleets of WITH, 0 allowed; a bare name is one."""

    needed = False

    def read(self, said: Said) -> Quantity | None:
        told_off = said.after("WITH")
        strange = [thing for thing in told_off if thing.kind == "unit" and thing.name != "fleets"]
        if strange:
            sentence = "Every army in the Region attacks; WITH tells off fleets."
            raise Refused(sentence, "nw.war.rolls", strange[0].name)
        return next((ALL.value if thing.kind == "any" else thing.quantity or exact(1) for thing in told_off), None)

    def things(self, value: Quantity | None, state: World) -> tuple[Thing, ...]:
        return (Thing("unit", "fleets", value),) if value else ()

    def asked(self, state: World, seat: Seat, got: Got, leads: Leads[Quantity | None]) -> Asking[Quantity | None]:
        rest = self.offers(state, seat, got)
        (word,) = yield Step(self.name, (*rest, ALL), 0, state.powers[seat].fleets, "fleets", ("rest",))
        return exact(int(word)) if word.isdecimal() else ALL.value if word == ALL.word else None

    def offers(self, state: World, seat: Seat, got: Got) -> tuple[Choice[Quantity | None]]:
        return (Choice("rest", None, "those left over"),)


class _Owner(One[Seat | None]):
    """The owner of the colony that is meant, where rebels are attacked."""

    def read(self, said: Said) -> Seat | None:
        return super().read(said) if said.got["foe"] == "rebels" else None


# ---------------------------------------------------------------- the order

_ONE_REGION = ("One attack is made in one Region.", "nw.r21")


def _foes(world: World, seat: Seat, got: Got) -> Iterator[Choice[str]]:
    """First who cannot defend what he has, then neutral territories, rebels, and the others."""
    region = got["region"]
    armies = {other: world.powers[other].armies[region] for other in world.others(seat)}
    yield from (Choice(str(other), str(other), "without an army", region) for other in armies if not armies[other])
    yield Choice("neutral", "neutral", "", region)
    risen = sum(t.rebels or 0 for t in world.territories if t.region == region)
    yield Choice("rebels", "rebels", counted(risen, "armies"), region)
    for other, number in armies.items():
        if number:
            yield Choice(str(other), str(other), counted(number, "armies"), region)


def _exposed(world: World, seat: Seat, region: str) -> list[str]:
    """Seats that have a territory there to be taken, and no army."""
    bare = (str(other) for other in world.others(seat) if not world.powers[other].armies[region])
    return [foe for foe in bare if AttackRegion(foe, region).lawful(world, seat)]


def _goods(world: World, seat: Seat, got: Got) -> Iterator[Choice[Aim]]:
    """The foe's territories there, by first owner where that decides, and `any` for the best yield."""
    there = sorted(AttackRegion(got["foe"], got["region"]).open(world), key=lambda t: t.number)
    for good in (*dict.fromkeys(t.good for t in there), *[ANY][: len(there)]):
        yield Choice(good, Aim(good), "whatever yields most" if good == ANY else "", got["region"])
        homes = dict.fromkeys(t.home for t in there if t.home and good in (ANY, t.good))
        for home in homes if len(homes) > 1 else ():
            yield Choice(f"{good} OF {home}", Aim(good, home), "", got["region"])


def _revolted(world: World, seat: Seat, got: Got) -> Iterator[Choice[Seat]]:
    risen = (t.owner for t in world.territories if t.region == got["region"] and t.rebels is not None)
    return (Choice(owner, owner) for owner in dict.fromkeys(risen) if owner and got["foe"] == "rebels")


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
    plain = Plain(rank=2)
    fields = (
        One("region", ("region",), "IN", taken=str, several=_ONE_REGION, among=_manned),
        One("foe", ("side", "foe"), taken=str, among=_foes),
        _Aims("wishes", GOODS, "FOR", taken=Aim, say=_aims_in_words, among=_goods),
        _Fleets("fleets", ("unit", "number", "any"), "WITH", _with),
        Maybe(
            _Owner("owner", ("side",), "OF", taken=Seat, several=_ONE_REGION, among=_revolted),
            lambda owner: f" in a colony of {owner}" if owner else "",
        ),
        Flag(
            "unless_outnumbered",
            "case",
            "UNLESS",
            "outnumbered",
            ", unless outnumbered in dice",
            meaning="the attack is called off then",
            usual=lambda world, seat, got: got["foe"] not in _exposed(world, seat, got["region"]),
        ),
    )
    says, phase, rare = "Attack {foe}{owner} in {region} for {wishes}{fleets}{unless_outnumbered}.", "War", 3

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

    def plan(self, world: World, seat: Seat, done: Done = ()) -> Plan:
        """The refusals known now; the rest hangs on dice, and is in the War Phase."""
        if any(isinstance(event, AttackLaunched) and event.region == self.region for event in done):
            yield Refused(f"there was an attack in {self.region} already", "nw.r21")
        elif not world.powers[seat].armies[self.region]:
            yield Refused(f"no army of {seat} is in {self.region}", "nw.war.attack")
        elif not any(aim.means(territory) for territory in self._there(world) for aim in self.wishes):
            yield self._idle(world)

    def _idle(self, world: World) -> Refused:
        """nw.h4, nw.h5: the foe has nothing there that is wanted; what is in revolt there is the rebels'."""
        owner = self._owner(world)
        if self.foe == "rebels":
            whose = f" in a colony of {self.owner}" if self.owner else ""
            return Refused(f"there are no rebels{whose} in {self.region}", "nw.h4")
        if any(not t.quiet and aim.means(t) for t in world.sheet_of(owner, self.region) for aim in self.wishes):
            risen = f"what {owner or 'nobody'} has in {self.region} is in revolt"
            return Refused(f"{risen}, so it is ATTACK rebels that takes it", "nw.h5")
        if owner is None:
            return Refused(f"no such territory in {self.region} is neutral", "nw.h4")
        return Refused(f"{self.foe} has no such territory in {self.region}", "nw.h4")

    def _owner(self, world: World) -> Seat | None:
        """None: what is neutral, such as all that was an eliminated seat's (nw.r28)."""
        return next((seat for seat in world.living if seat == self.foe), None)

    def open(self, world: World) -> tuple[Territory, ...]:
        """The territories it could win, in its order of preference."""
        return tuple(dict.fromkeys(t for aim in self.wishes for t in self.meant(world, aim)))

    def _there(self, world: World) -> Sequence[Territory]:
        """The territories of the foe there, or those of its colonies that are in revolt."""
        if self.foe != "rebels":
            return world.controlled(self._owner(world), self.region)
        risen = (t for t in world.territories if t.region == self.region and t.rebels is not None)
        return [t for t in risen if self.owner in (None, t.owner)]

    def meant(self, world: World, aim: Aim) -> list[Territory]:
        """Those that one aim means of what the foe has there, the default first (nw.r26, nw.h5)."""
        fitting = [territory for territory in self._there(world) if aim.means(territory)]
        if self.foe == "rebels":
            return sorted(fitting, key=lambda t: (t.rebels, t.number))
        if aim.good == ANY:
            return sorted(fitting, key=lambda t: (-world.worth(t), t.number))
        return sorted(fitting, key=lambda t: (t.home != world.active, t.number))


# ---------------------------------------------------------------- DISCARD and LOSE
# The units that go when some must.


class ArmyFrom(msgspec.Struct, frozen=True):
    """A place in an order of losses: Armies of a Region (`region` empty: wherever most are)."""

    region: str = ""


Units = tuple[ArmyFrom | None, ...]
"""An order of losses; None stands for Fleets."""


class _Units(Row[ArmyFrom | None]):
    """`armies FROM Canada, fleets`: a Region places the armies named before it, or more armies of another Region."""

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {"FROM": ("region", "unit"), "IN": ("region", "unit")}

    def read(self, said: Said) -> Units:
        _check_placed(said.order)
        _check_numbers(said.order)
        units: list[ArmyFrom | None] = []
        placed = True
        for thing in in_row(said.order):
            if thing.kind == "region":
                if not placed:
                    units.pop()
                units.append(ArmyFrom(thing.name))
                placed = True
            else:
                units.append(None if thing.name == "fleets" else ArmyFrom())
                placed = thing.name == "fleets"
        return tuple(units)

    def clauses(self, value: Units, state: World) -> Iterator[Clause]:
        """The words after a Region stand in the same list."""
        under = ""
        for unit in value:
            yield Clause(under, (Thing("unit", "fleets" if unit is None else "armies"),))
            if unit is not None and unit.region:
                under = "FROM"
                yield Clause(under, (Thing("region", unit.region),))


def _check_placed(order: Order) -> None:
    if order.clauses and order.things[-1].name == "fleets":
        raise Refused("Fleets are everywhere at once; they are lost from no Region.", "nw.r34", "fleets")


def _check_numbers(order: Order) -> None:
    """A number would not be obeyed: what has to go, goes."""
    strange = [thing for thing in in_row(order) if thing.quantity and thing.quantity.portion is not Portion.ALL]
    if strange:
        rule = (DiscardUnits if order.verb == "DISCARD" else LoseUnits).words.rule
        why = f"{order.verb} says which units go first, not how many of each."
        raise Refused(why, rule, strange[0].name, (write(_unnumbered(order)),))


def _unnumbered(order: Order) -> Order:
    clauses = tuple(replace(clause, things=_bare(clause.things)) for clause in order.clauses)
    return replace(order, things=_bare(order.things), clauses=clauses)


def _bare(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
    return tuple(replace(thing, quantity=None) for thing in things)


def _in_words(units: Units) -> str:
    words = ["fleets" if u is None else f"armies in {u.region}" if u.region else "armies" for u in units]
    return ", then ".join(words)


def _among(world: World, seat: Seat, got: Got) -> Iterator[Choice[ArmyFrom | None]]:
    """The fleets, the armies of each Region, and armies wherever most are, for those the list forgets."""
    power = world.powers[seat]
    yield Choice("fleets", None, counted(power.fleets, "fleets"))
    for region in sorted(REGIONS, key=lambda region: not power.armies[region]):
        yield Choice(f"armies FROM {region}", ArmyFrom(region), counted(power.armies[region], "armies"), region)
    yield Choice("armies", ArmyFrom(), "where most are")


class _Losses(TurnOrder, frozen=True):
    """An order of losses."""

    units: Units

    fields = (_Units("units", ("unit",), taken=ArmyFrom, say=_in_words, among=_among),)
    phase, rare = "", 3


class DiscardUnits(_Losses, frozen=True):
    """The order in which units go when Upkeep demands it."""

    words = Words(
        "DISCARD",
        "say which units go first when Upkeep cannot keep them",
        "nw.r10",
        "DISCARD armies FROM Canada, fleets",
    )
    plain = Plain("Let go first", theme="Just in case")
    says = "If units must go at Upkeep: {units}."

    @classmethod
    def advice(cls, world: World, seat: Seat) -> tuple[str, bool]:
        """Filled in where fleets can go in place of armies in Europe: without orders armies go first (nw.r10)."""
        power = world.powers[seat]
        kept = f"{power.supplied} of your {counted(power.units, 'units')}"
        return f"Food and gold keep {kept} at Upkeep, which comes before Production.", bool(
            power.fleets and power.armies[EUROPE]
        )


class LoseUnits(_Losses, frozen=True):
    """The order in which units are lost to events and in battle, and at Upkeep without DISCARD."""

    words = Words(
        "LOSE",
        "say which units go first to events and in battle, and at Upkeep without DISCARD",
        "nw.r23",
        "LOSE armies FROM Canada, fleets",
    )
    plain = Plain("Lose first", theme="Just in case")
    says = "Losses come from: {units}."


# ---------------------------------------------------------------- ROB
# The seats that the privateers of a seat rob.


def _rich(world: World, seat: Seat, got: Got) -> Iterator[Choice[Seat]]:
    """The others, the richest in gold first."""
    rich = sorted(world.others(seat), key=lambda other: -world.powers[other].stock["gold"])
    return (Choice(other, other, f"{world.powers[other].stock['gold']} gold") for other in rich)


class RobSeats(TurnOrder, frozen=True):
    """nw.event.privateers: in order of preference."""

    victims: tuple[Seat, ...]

    words = Words("ROB", "say whom your privateers rob, in order of preference", "nw.event.privateers", "ROB {other}")
    plain = Plain(theme="Just in case")
    fields = (Row("victims", ("side",), taken=Seat, say=lambda victims: in_a_row(victims, "or else"), among=_rich),)
    says, phase, rare = "Privateers rob {victims}.", "", 3

    def check(self, world: World, seat: Seat) -> None:
        for victim in self.victims:
            if victim == seat:
                raise Refused("Privateers rob an opponent, not their own side.", "nw.event.privateers", victim)
            if world.powers[victim].out:
                raise eliminated(victim, "has nothing", victim)
