"""BID, BUY, and what engineers and prospectors do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Clause, Intent, Order, Thing
from referee.games.war.deeds import granted, line_of
from referee.games.war.events.economy import CanalPaid, ResourceDeveloped
from referee.games.war.orders.base import AUCTION, CONSTRUCTION, DIPLOMACY, Region, named_seats, number_of, opponent
from referee.games.war.orders.base import only as named_once
from referee.games.war.orders.building import BuildAction, BuildUnits, Works, free_engineers, unhelped
from referee.games.war.position import Land
from referee.games.war.position.state import War, plays
from referee.games.war.rulebook import CHIT_VALUES
from referee.kit.declared import Declared, Plain, Words
from referee.kit.fields import ANY, Fixed, HowMany, Joint, Said, exact, exactly
from referee.kit.refused import Refused

# ---------------------------------------------------------------- BID and INSERT
# The order of a turn bid for (27.opt.auction).


_BID, _INSERT = "27.opt.auction.1", "27.opt.auction.3"


class _Bid(HowMany):
    """A number of PP, 0 allowed, or a part of those in hand on the day they are bid (R27-94)."""

    def read(self, said: Said) -> int:
        (thing,) = said.order.things
        bid, war = exactly(thing), said.state
        if bid is None and thing.quantity and war.stage == "production":
            bid = thing.quantity.of(war.treasuries[said.seat].pp)
        if bid is None or thing.name not in ("PP", ""):
            raise Refused("Bid an exact number of PP.", _BID, thing.name, (line_of(BidForOrder(0)),))
        return bid


class BidForOrder(Declared[War], frozen=True):
    """PP bid for one's place in the order of the turn (27.opt.auction.1)."""

    pp: int

    words = Words("BID", "bid PP for your place in the order of the turn", _BID, "BID 5 PP")
    plain = Plain("Bid for your place", theme="Order of play")
    fields = (
        _Bid(
            *("pp", "PP", "money", "number"),
            held=lambda war, seat: war.treasuries[seat].pp,
            rule=_BID,
            least=0,
            usual=1,
        ),
    )
    says, phase = "Bid {pp} for your place in the order of the turn.", AUCTION

    def check(self, war: War, seat: Seat) -> None:
        """R27-94: what will be in hand on another day nobody knows."""
        held = war.treasuries[seat].pp
        if war.stage == "production" and self.pp > held:
            instead = (line_of(BidForOrder(held)),)
            raise Refused(f"You have {held} PP in hand and cannot bid {self.pp}.", "R27-94", str(self.pp), instead)


class _Place(Joint):
    """One place: first, last, or beside another player."""

    joins, needed = ("how", "seat"), False

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"FIRST": (), "LAST": (), "BEFORE": self.kinds, "AFTER": self.kinds}

    def read(self, said: Said) -> tuple[Any, ...]:
        words = [clause.preposition for clause in said.order.clauses]
        if len(words) != 1:
            instead = (line_of(InsertInOrder("first")), line_of(InsertInOrder("last")))
            raise Refused("Name one place: FIRST, LAST, BEFORE or AFTER a player.", _INSERT, "INSERT", instead)
        name = named_once(said.order, _INSERT, *words)
        return words[0].lower(), opponent(said.state, said.seat, name, _INSERT) if name else None

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[Any, ...]]]:
        yield from (Choice(how, (how.lower(), None)) for how in ("FIRST", "LAST"))
        beside = ((how, other) for other in state.after(seat) for how in ("BEFORE", "AFTER"))
        yield from (Choice(f"{how} {other}", (how.lower(), other)) for how, other in beside)

    def clauses(self, value: tuple[Any, ...], state: Any) -> Iterator[Clause]:
        how, seat = value
        yield Clause(how.upper(), named_seats((seat,)) if seat else ())


class InsertInOrder(Declared[War], frozen=True):
    """The place taken when one's bid comes up: `first`, `last`, `before` or `after` somebody (27.opt.auction.3)."""

    how: str
    seat: Seat | None = None

    words = Words(
        "INSERT",
        "say where you go into the order when your bid comes up; the first line that can be done counts",
        _INSERT,
        "INSERT BEFORE {other}",
    )
    plain = Plain("Go in at a place", theme="Order of play")
    fields = (_Place("place", ("side",), "FIRST"),)
    phase = AUCTION

    def meaning(self) -> str:
        return f"Go into the order {self.how}{f' {self.seat}' if self.seat else ''}, if that can be done."


BIDS = (BidForOrder, InsertInOrder)


# ---------------------------------------------------------------- BUY DP
# Diplomacy points for PP (27.production.income.3).


DIPLOMACY_PRICE = 10
"""PP for one more DP (27.production.income.3)."""

_DP = "27.production.income.3"


def sold_at_most(war: War, seat: Seat) -> int:
    """27.production.income.3: how many DP a player may buy in a turn: one a city."""
    return war.buildings_of(seat, "city")


def diplomacy_for_sale(war: War, seat: Seat) -> int:
    """27.production.income.3: how many DP a player may buy now, as far as his PP go (R27-15).

    Where production is in order they are bought before native diplomacy (27.production.order.2).
    """
    if war.constructing:
        return 0
    return min(sold_at_most(war, seat), war.treasuries[seat].pp // DIPLOMACY_PRICE)


class BuyDiplomacy(Declared[War], frozen=True):
    """Up to so many diplomacy points at 10 PP each; BUY 2 DP says the same, and is how it is written."""

    number: int

    words = Words(
        "BUY DP",
        f"in production buy diplomacy points at {DIPLOMACY_PRICE} PP each, at most one for each city",
        _DP,
        "BUY DP 2",
        ("BUY DIPLOMACY POINTS",),
    )
    plain = Plain("Buy diplomacy", theme="Treasury")
    fields = (HowMany("number", "DP", "number", ANY, held=diplomacy_for_sale, rule=_DP),)
    says = f"Buy up to {{number}} at {DIPLOMACY_PRICE} PP each, as far as your cities and PP allow."
    phase = DIPLOMACY

    def order(self, state: War) -> Order:
        return Order("BUY", (Thing("money", "DP", exact(self.number)),))

    @classmethod
    def read(cls, said: Said) -> Self:
        """BUY 2 DP or BUY DP 2; all that the cities allow where no number is given."""
        (thing, *rest) = said.order.things
        if rest or thing.name not in ("DP", "", ANY):
            name = rest[0].name if rest else thing.name
            why = "DP are bought alone, and only DP can be bought: BUY 2 DP."
            raise Refused(why, _DP, name, ("BUY 1 DP",))
        most = sold_at_most(said.state, said.seat)
        return cls(most or 1 if thing.kind == ANY else number_of(said.order, thing, _DP, most))

    def check(self, war: War, seat: Seat) -> None:
        if war.stage == "setup":
            raise Refused("No DP are sold before play.", "R27-15", "DP")
        most = sold_at_most(war, seat)
        if war.stage == "production" and not most:
            raise Refused("DP are sold at most one for each city, and you have no city.", _DP, "DP")
        if war.stage == "production" and self.number > most:
            sentence = f"DP are sold at most one for each city; you have {most}."
            raise Refused(sentence, _DP, str(self.number), (line_of(replace(self, number=most)),))


# ---------------------------------------------------------------- engineers
# The lines of a production sheet that the engineers work on (27.production.build).


def engineer_works(war: War, seat: Seat, order: BuildAction, later: Sequence[Intent], done: Works) -> bool:
    """Whether an engineer works on this line: the engineers of a region go to its dearest lines (R27-24).

    `later` are the lines after it; an engineer bought in one of them can work on what follows.
    """
    free = free_engineers(war, seat, order.site, done)
    lines: list[tuple[int, int]] = [(order.price(war), free)]
    for intent in later:
        if isinstance(intent, BuildUnits) and (intent.kind, intent.region) == ("engineer", order.site):
            free += intent.number
        elif isinstance(intent, BuildAction) and intent.site == order.site and granted(intent.permit, war, seat):
            lines.append((intent.price(war), free))
    return order.needs_engineer(war) or 0 in _best_lines(lines)


def _best_lines(lines: Sequence[tuple[int, int]]) -> list[int]:
    """The dearest lines, by number, such that never more are taken up to a line than engineers are there by then."""
    taken: list[int] = []
    for number in sorted(range(len(lines)), key=lambda n: (-lines[n][0], n)):
        trial = sorted([*taken, number])
        if all(place < lines[line][1] for place, line in enumerate(trial)):
            taken = trial
    return taken


# ---------------------------------------------------------------- DEVELOP and DIG
# The resource of a region, and the Suez Canal (27.production.build.6, 27.opt.suez).


_CANAL_HALF = 30

_HALVES = 2


class _Developed(Region):
    """The region developed; WITH is read to be refused."""

    def prepositions(self) -> dict[str, tuple[str, ...]]:
        return {"WITH": ("unit",)}


def _dearest_first(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """A player's regions, the dearest resource first, for it yields most."""
    chits = {land.name: land.chit or "dot" for land in war.regions_of(seat)}
    for name in sorted(chits, key=lambda name: -CHIT_VALUES[chits[name]]):
        yield placed(name, f"{chits[name]} {CHIT_VALUES[chits[name]]}")


class DevelopResource(BuildAction, frozen=True):
    """The resource of a region developed."""

    region: str

    words = Words(
        "DEVELOP",
        "develop the resource of a region",
        "27.production.build.6",
        "DEVELOP Egypt",
        ("DEVELOP RESOURCE OF", "DEVELOP RESOURCE IN"),
    )
    plain = Plain("Develop the resource", rank=3)
    fields = (_Developed(_dearest_first),)
    says, phase = "Develop the resource of {region}.", CONSTRUCTION
    factor: ClassVar[int] = 3
    """So many times its value it costs."""

    @classmethod
    def read(cls, said: Said) -> Self:
        order = cls.made(said)
        unhelped(said, order)
        return order

    @property
    def site(self) -> str:
        return self.region

    def brings(self, war: War, seat: Seat, price: int, engineer: bool = False) -> ResourceDeveloped:
        return ResourceDeveloped(seat, self.region, war.lands[self.region].chit or "dot", price, engineer)

    def full_price(self, war: War) -> int:
        return self.factor * CHIT_VALUES.get(war.lands[self.region].chit or "dot", 0)

    def check_site(self, war: War, land: Land) -> None:
        """27.production.build.6"""
        if land.developed:
            raise Refused(f"The resource of {land.name} is developed already.", "27.production.build.6", land.name)
        if land.chit is None or CHIT_VALUES.get(land.chit) == 0:
            raise Refused(f"{land.name} has no resource worth developing.", "27.production.build.6", land.name)


class _Canal(Fixed):
    """The canal, which lies in Egypt."""

    joins = ("region",)

    def parts(self, value: tuple[Any, ...]) -> dict[str, Any]:
        return {"region": "Egypt"}


class BuildCanal(BuildAction, frozen=True):
    """One half of the Suez Canal paid for (27.opt.suez.1)."""

    region: str = "Egypt"

    words = Words(
        "DIG",
        "pay for one half of the Suez Canal, as the owner of Egypt",
        "27.opt.suez.1",
        "DIG canal",
        ("BUILD SUEZ", "PAY FOR"),
    )
    plain = Plain("Dig the canal", theme="Treasury")
    fields = (_Canal(("works",), "canal"),)
    says, phase = "Pay for half of the Suez Canal.", CONSTRUCTION

    def lawful(self, war: War, seat: Seat) -> bool:
        return plays(war, "suez") and super().lawful(war, seat)

    @property
    def site(self) -> str:
        return self.region

    def brings(self, war: War, seat: Seat, price: int, engineer: bool = False) -> CanalPaid:
        return CanalPaid(seat, price, war.turn, len(war.canal) + 1, engineer)

    def full_price(self, war: War) -> int:
        return _CANAL_HALF

    def needs_engineer(self, war: War) -> bool:
        return False

    def check_site(self, war: War, land: Land) -> None:
        """27.opt.suez.1: two halves, each in a production phase of its own (R27-95)."""
        if len(war.canal) == _HALVES:
            raise Refused("The Suez Canal is complete.", "27.opt.suez.1", "canal")
        if war.stage == "production" and war.turn in war.canal:
            raise Refused("One half of the canal is paid for in a production phase.", "R27-95", "canal")
