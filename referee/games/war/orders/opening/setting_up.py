"""DRAFT, BUY, PLACE and ASK: where an empire begins, and with what (27.setup, R27-80, R27-81)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, Self

from referee.core.choices import Asking, Choice, Nothing, most_that, number, one, placed, quantity, several
from referee.core.names import Seat
from referee.core.order import Intent, Portion, Thing
from referee.games.war.deeds.equipping import affordable, places_for
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.lots import Lot, lots_in_words
from referee.games.war.deeds.muster import exactly
from referee.games.war.orders.base import SETTING_UP, Place
from referee.games.war.orders.naming import ALL, lots_of
from referee.games.war.orders.naming import one as one_name
from referee.games.war.orders.production.diplomacy import BuyDiplomacy
from referee.games.war.position.options import plays
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import COLONY, EUROPEAN
from referee.games.war.reckoning.sites import kinds_allowed
from referee.games.war.rulebook.board import BOARD
from referee.games.war.rulebook.pieces import BUILDINGS, EXCLUSIVE, LAND_UNITS, plural
from referee.kit.declared import Declared, Words
from referee.kit.fields import Field, Fixed, Row, Said
from referee.kit.refused import Refused

_BOUGHT, _PLACED = "27.setup.4", "27.setup.7"


class SetUpOrder(Declared[War], frozen=True):
    """An order that is lawful before play alone."""

    phase: ClassVar[str] = SETTING_UP
    due: ClassVar[str] = ""
    """The rule of the step in which it is due, where it is not that of its words."""

    @classmethod
    def read(cls, said: Said) -> Declared[War]:
        if said.state.stage != "setup":
            verb = said.order.verb.partition(" ")[0]
            raise Refused(f"{verb} belongs to the set-up, which is over.", cls.due or cls.words.rule, verb)
        return cls.made(said)


def equipping(war: War, seat: Seat) -> bool:
    """Whether the regions are dealt out and it is time to buy (R27-81)."""
    return war.stage == "setup" and bool(war.treasuries[seat].pp and war.regions_of(seat))


# ---------------------------------------------------------------- DRAFT


class DraftRegions(SetUpOrder, frozen=True):
    """The regions wanted at the start, best first (R27-80)."""

    regions: tuple[str, ...]

    words = Words(
        "DRAFT",
        "rank the regions you want to start in, best first; those gone are passed over at each pick",
        "R27-80",
        "DRAFT Egypt, India, China",
        apart=True,
    )
    fields = (Row("regions", ("region",), taken=str, say=", ".join),)
    says, due = "Pick the first of these that is still free, each time: {regions}.", "27.setup.2"

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """All that is free; the usual are some coasts to begin with, for ports stand there and fleets reach them."""
        if war.stage != "setup" or war.regions_of(seat):
            raise Nothing
        free = [land.name for land in war.regions_of(None)]
        first = [name for name in free if name in EUROPEAN] if plays(war, "historical") else free
        coasts = tuple(name for name in first if BOARD.regions[name].coastal)
        drawn = [Choice(COLONY, COLONY, "drawn by card")] if plays(war, "historical") else []
        offered = [*(placed(name, BOARD.regions[name].zone) for name in free), *drawn]
        return cls((yield from several("regions", offered, 1, usual=coasts[: 2 * war.start.regions])))


# ---------------------------------------------------------------- BUY


class Pieces(Field[tuple[Lot, ...]]):
    """Units and buildings, so many of each. A place is read to be refused: PLACE says where they stand."""

    most = None

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return {"IN": ("region", "sea"), "AT": ("sea",)}

    def read(self, said: Said) -> tuple[Lot, ...]:
        lots = lots_of(said.order, _BOUGHT)
        place = one_name(said.order, _BOUGHT, "IN", "AT")
        if said.state.stage != "setup":
            raise _build_instead(said.state, said.seat, lots[0], place)
        if place:
            instead = (f"{line_of(BuyPieces(lots))}; {line_of(PlacePieces(lots, place))}",)
            raise Refused("BUY names pieces, PLACE says where they stand.", _PLACED, place, instead)
        return lots

    def things(self, value: tuple[Lot, ...], state: Any) -> tuple[Thing, ...]:
        return _things(value)


def _things(lots: tuple[Lot, ...]) -> tuple[Thing, ...]:
    return tuple(Thing("building" if lot.kind in BUILDINGS else "unit", plural(lot.kind), lot.quantity) for lot in lots)


def _build_instead(war: War, seat: Seat, lot: Lot, named: str = "") -> Refused:
    sentence = "Pieces are bought with BUY before play only; in production they are built in a region."
    regions = war.regions_of(seat)
    needed = war.kinds[lot.kind].built_in if lot.kind in war.kinds else ""
    able = [land.name for land in regions if not needed or land.has(needed)]
    place = named if named in able else next(iter(able), "")
    many = lot.quantity.number or 1
    words = lot.kind if many == 1 else plural(lot.kind)
    instead = (f"BUILD {many} {words} IN {place}",) if place else ()
    return Refused(sentence, "27.turn.2", plural(lot.kind), instead)


class BuyPieces(Declared[War], frozen=True):
    """Units and buildings bought before play; placed by PlacePieces (R27-81). In production BUY 2 DP is BuyDiplomacy."""

    lots: tuple[Lot, ...]

    words = Words(
        "BUY",
        "before play buy pieces; in production BUY 2 DP buys diplomacy points",
        _BOUGHT,
        "BUY 5 infantry, 2 cities, 1 fleet",
    )
    fields = (Pieces("lots", ("unit", "building", "money"), "", lots_in_words),)
    says, phase = "Buy {lots} for the start.", SETTING_UP
    shapes: ClassVar[tuple[type[Declared[Any]], ...]] = (BuyDiplomacy,)

    @classmethod
    def read(cls, said: Said) -> Declared[War]:
        """Pieces, or DP."""
        if any(thing.kind in ("money", "number") for thing in said.order.things):
            return BuyDiplomacy.read(said)
        return cls.made(said)

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Declared[War]]:
        """A kind and how many of it, then another kind, as long as the PP and the regions allow; in production DP."""
        if not equipping(war, seat):
            return (yield from _points(war, seat))
        held = {kind: war.treasuries[seat].pp // war.price(kind) for kind in (*war.kinds, *BUILDINGS)}
        lots = tuple[Lot, ...]()
        while True:
            able = [kind for kind in held if cls._more(war, seat, lots, kind, 1)]
            kinds = [Choice(plural(kind), kind, f"{war.price(kind)} PP each") for kind in able]
            more = (yield from several("and", kinds, 0, 1)) if lots else ((yield from one("piece", kinds)),)
            if not more:
                return cls(lots)
            (kind,) = more
            most = most_that(partial(cls._more, war, seat, lots, kind), held[kind])
            lots = (*lots, exactly(kind, (yield from number("number", plural(kind), 1, most))))

    @classmethod
    def _more(cls, war: War, seat: Seat, lots: tuple[Lot, ...], kind: str, many: int) -> bool:
        """Whether so many of a kind that is not bought yet can be paid for and placed as well."""
        return kind not in [lot.kind for lot in lots] and not affordable(war, seat, (*lots, exactly(kind, many)))[1]

    def check(self, war: War, seat: Seat) -> None:
        left = war.treasuries[seat].pp or war.start.pp
        for lot in self.lots:
            left -= self._cost(lot, war.price(lot.kind), left)

    def _cost(self, lot: Lot, price: int, left: int) -> int:
        """What a lot costs at least; exact numbers must be covered. Raises Refused."""
        if lot.quantity.portion is not Portion.EXACTLY:
            return 0
        cost = price * lot.quantity.number
        if cost > left:
            most = left // price
            fewer = (exactly(old.kind, most) if old is lot else old for old in self.lots)
            instead = (line_of(BuyPieces(tuple(old for old in fewer if old.quantity.number or old.quantity == ALL))),)
            verb = "costs" if lot.quantity.number == 1 else "cost"
            sentence = (
                f"{lot.words()} {verb} {cost} PP; you have {left} PP left for {'it' if verb == 'costs' else 'them'}."
            )
            raise Refused(sentence, _BOUGHT, plural(lot.kind), instead if most else ())
        return cost


def _points(war: War, seat: Seat) -> Asking[Declared[War]]:
    """DP, where this edition has them and they are for sale."""
    if war.stage != "production" or not war.diplomatic:
        raise Nothing
    return (yield from BuyDiplomacy.choices(war, seat))


def lots_bought(sheet: Iterable[Intent]) -> Iterator[Lot]:
    """What a sheet buys before play, in the order written."""
    return (lot for order in sheet if isinstance(order, BuyPieces) for lot in order.lots)


# ---------------------------------------------------------------- PLACE, ASK


class _Stand(Place):
    """The region, or the sea area of fleets."""

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("sea" if BOARD.is_sea(value) else "region", value),)


class _Placed(Field[tuple[Lot, ...]]):
    """Pieces, so many of each; a bare `all` means every kind of unit that can stand in the place."""

    most = None

    def read(self, said: Said) -> tuple[Lot, ...]:
        if any(thing.kind == "any" for thing in said.order.things):
            kinds = ("fleet",) if BOARD.is_sea(said.got["place"]) else LAND_UNITS
            return tuple(Lot(kind, ALL) for kind in kinds)
        return lots_of(said.order, _PLACED)

    def things(self, value: tuple[Lot, ...], state: Any) -> tuple[Thing, ...]:
        return _things(value)


class PlacePieces(SetUpOrder, frozen=True):
    """Where bought pieces stand at the start: land units and buildings in a region, fleets in a sea area."""

    lots: tuple[Lot, ...]
    place: str

    words = Words("PLACE", "say where bought pieces stand at the start", _PLACED, "PLACE 3 infantry, 1 city IN Egypt")
    fields = (
        _Stand("place", "IN", ("INTO",), _PLACED, ("region", "sea")),
        _Placed("lots", ("unit", "building", "any"), "", lots_in_words),
    )
    says = "Place {lots} in {place}."

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """What, where it may stand, how many of what could be bought, and what else stands there."""
        if not equipping(war, seat):
            raise Nothing
        sites = {kind: places_for(war, seat, kind) for kind in (*war.kinds, *BUILDINGS)}
        kind = yield from one("piece", (Choice(plural(kind), kind) for kind, places in sites.items() if places))
        place = yield from one("place", map(placed, sites[kind]))
        lots = list[Lot]()
        more: tuple[str, ...] = (kind,)
        while more:
            if more[0] in BUILDINGS:
                lots.append(exactly(more[0], 1))
            else:
                most = war.treasuries[seat].pp // war.price(more[0])
                lots.append(Lot(more[0], (yield from quantity("number", plural(more[0]), most))))
            exclusive = sum(lot.kind in EXCLUSIVE for lot in lots)
            full = kind == "fleet" or exclusive >= kinds_allowed(war, place)
            there = {lot.kind for lot in lots} | set(EXCLUSIVE if full else ())
            others = (kind for kind, places in sites.items() if place in places and kind not in there)
            more = yield from several("and", (Choice(plural(kind), kind) for kind in others), 0, 1)
        return cls(tuple(lots), place)

    def check(self, war: War, seat: Seat) -> None:
        for lot in self.lots:
            self._fits(war, seat, lot)

    def _fits(self, war: War, seat: Seat, lot: Lot) -> None:
        """27.board.3, 27.setup.6, 27.production.build.7: raises Refused for a piece that can never stand there."""
        own, place, sea = war.regions_of(seat), self.place, BOARD.is_sea(self.place)
        seas = tuple(dict.fromkeys(name for land in own for name in BOARD.regions[land.name].seas))
        names = tuple(land.name for land in own)
        if (lot.kind == "fleet") != sea:
            good = seas if lot.kind == "fleet" else names
            sentence = (
                "Fleets stand in sea areas."
                if lot.kind == "fleet"
                else f"{plural(lot.kind).capitalize()} stand on land."
            )
            raise Refused(sentence, "27.board.3", place, _elsewhere((lot,), good))
        if sea and own and place not in seas:
            raise Refused(f"{place} touches none of your regions.", "27.setup.6", place, _elsewhere(self.lots, seas))
        if not sea and own and war.lands[place].owner != seat:
            raise Refused(f"{place} is not one of your regions.", _PLACED, place, _elsewhere(self.lots, names))
        if lot.kind == "port" and not BOARD.regions[place].coastal:
            coasts = tuple(name for name in names if BOARD.regions[name].coastal)
            why = f"{place} has no coast; ports stand on coasts."
            raise Refused(why, "27.production.build.7", place, _elsewhere((lot,), coasts))


def _elsewhere(lots: tuple[Lot, ...], places: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line_of(PlacePieces(lots, place)) for place in places[:2])


class AskPlacement(SetUpOrder, frozen=True):
    """What is not placed by the lines above is asked piece by piece, when the others' pieces are seen (R27-81)."""

    words = Words("ASK", "be asked, piece by piece, where what is not yet placed stands", "R27-81", "ASK placement")
    fields = (Fixed(("matter",), "placement", needed=False),)
    says = "Ask me for the place of each further piece when its turn comes."

    def lawful(self, war: War, seat: Seat) -> bool:
        return equipping(war, seat) and super().lawful(war, seat)

    def check(self, war: War, seat: Seat) -> None:
        if plays(war, "simultaneous"):
            raise Refused("All is revealed together: nobody waits to ASK.", "27.opt.simultaneous.1", "ASK")


EQUIPMENT = (DraftRegions, BuyPieces, PlacePieces, AskPlacement)
"""The orders of every set-up."""
