"""How powers are set up, and what options add to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, Nothing, placed, quantity, several
from referee.core.names import Seat
from referee.core.order import Intent, Portion, Quantity, Thing
from referee.games.war.deeds import Lot, exactly, line_of, lots_in_words
from referee.games.war.deeds.marching import affordable, places_for
from referee.games.war.orders.base import ALL, SETTING_UP, Lots, Place, Region, lots_of
from referee.games.war.orders.base import only as one_name
from referee.games.war.orders.building import Building
from referee.games.war.orders.production import BuyDiplomacy
from referee.games.war.position.state import War, plays
from referee.games.war.reckoning.income import has_room, kinds_allowed
from referee.games.war.reckoning.scoring import COLONY, EUROPEAN
from referee.games.war.rulebook import BOARD, BUILDINGS, EXCLUSIVE, LAND_UNITS, plural, units_in_words
from referee.kit.declared import Declared, Plain, Words
from referee.kit.fields import Fixed, Row, Said, exact
from referee.kit.refused import Refused
from referee.kit.wording import in_number

# ---------------------------------------------------------------- DRAFT, BUY, PLACE and ASK
# Where an empire begins, and with what (27.setup, R27-80, R27-81).


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
    plain = Plain("Start here", rank=1)
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


class Pieces(Lots):
    """Units and buildings, so many of each. A place is read to be refused: PLACE says where they stand."""

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

    def there(self, war: War, seat: Seat, got: Mapping[str, Any]) -> Mapping[str, int]:
        return {kind: war.treasuries[seat].pp // war.price(kind) for kind in (*war.kinds, *BUILDINGS)}

    def told(self, war: War, kind: str, there: int) -> str:
        return f"{war.price(kind)} PP each"

    def counted(self, kind: str, most: int, there: int) -> Asking[Quantity]:
        return (yield from quantity("number", plural(kind), most, 0))


def _build_instead(war: War, seat: Seat, lot: Lot, named: str = "") -> Refused:
    sentence = "Pieces are bought with BUY before play only; in production they are built in a region."
    regions = war.regions_of(seat)
    needed = war.kinds[lot.kind].built_in if lot.kind in war.kinds else ""
    able = [land.name for land in regions if not needed or land.has(needed)]
    place = named if named in able else next(iter(able), "")
    instead = (f"BUILD {units_in_words(lot.kind, lot.quantity.number or 1)} IN {place}",) if place else ()
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
    plain = Plain(theme="Treasury")
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
        """In production DP, where this edition has them."""
        points = war.stage == "production" and war.diplomatic
        return BuyDiplomacy.choices(war, seat) if points else super().choices(war, seat)

    def lawful(self, war: War, seat: Seat) -> bool:
        """Whether it is time to buy, and all can be paid and placed."""
        return equipping(war, seat) and not affordable(war, seat, self.lots)[1] and super().lawful(war, seat)

    def check(self, war: War, seat: Seat) -> None:
        left = war.treasuries[seat].pp or war.start.pp
        for lot in self.lots:
            left -= self._cost(lot, war.price(lot.kind), left)

    def _cost(self, lot: Lot, price: int, left: int) -> int:
        """The least cost of a lot; exact numbers must be covered. Raises Refused."""
        if lot.quantity.portion is not Portion.EXACTLY:
            return 0
        cost = price * lot.quantity.number
        if cost > left:
            most = left // price
            fewer = (exactly(old.kind, most) if old is lot else old for old in self.lots)
            instead = (line_of(BuyPieces(tuple(old for old in fewer if old.quantity.number or old.quantity == ALL))),)
            costs, them = (in_number(lot.quantity.number, word) for word in ("cost", "them"))
            sentence = f"{lot.words()} {costs} {cost} PP; you have {left} PP left for {them}."
            raise Refused(sentence, _BOUGHT, plural(lot.kind), instead if most else ())
        return cost


def lots_bought(sheet: Iterable[Intent]) -> Iterator[Lot]:
    """The lots that a sheet buys before play, in the order written."""
    return (lot for order in sheet if isinstance(order, BuyPieces) for lot in order.lots)


# ---------------------------------------------------------------- PLACE, ASK


class _Stand(Place):
    """The region, or the sea area of fleets."""

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing("sea" if BOARD.is_sea(value) else "region", value),)


class _Placed(Lots):
    """Pieces, so many of each; a bare `all` means every kind of unit that can stand in the place."""

    def read(self, said: Said) -> tuple[Lot, ...]:
        if any(thing.kind == "any" for thing in said.order.things):
            kinds = ("fleet",) if BOARD.is_sea(said.got["place"]) else LAND_UNITS
            return tuple(Lot(kind, ALL) for kind in kinds)
        return lots_of(said.order, _PLACED)

    def there(self, war: War, seat: Seat, got: Mapping[str, Any]) -> Mapping[str, int]:
        """As many as the sheet has bought and not placed (27.setup.7), and one of each building."""
        return {kind: min(1, number) if kind in BUILDINGS else number for kind, number in war.unplaced.items()}

    def told(self, war: War, kind: str, there: int) -> str:
        return ""

    def counted(self, kind: str, most: int, there: int) -> Asking[Quantity]:
        return exact(1) if kind in BUILDINGS else (yield from quantity("number", plural(kind), most))


def _grounds(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """A player's regions, the most exposed first, and the sea areas off their coasts."""
    return map(placed, (*places_for(war, seat, "infantry"), *places_for(war, seat, "fleet")))


class PlacePieces(SetUpOrder, frozen=True):
    """Where bought pieces stand at the start: land units and buildings in a region, fleets in a sea area."""

    lots: tuple[Lot, ...]
    place: str

    words = Words("PLACE", "say where bought pieces stand at the start", _PLACED, "PLACE 3 infantry, 1 city IN Egypt")
    plain = Plain(rank=1)
    fields = (
        _Stand("place", "IN", ("INTO",), _PLACED, ("region", "sea"), _grounds),
        _Placed("lots", ("unit", "building", "any"), "", lots_in_words),
    )
    says = "Place {lots} in {place}."

    def lawful(self, war: War, seat: Seat) -> bool:
        """Whether it is time to place, and there is room for all in the place and for what is left elsewhere."""
        stand = equipping(war, seat) and all(self.place in places_for(war, seat, lot.kind) for lot in self.lots)
        exclusive = sum(lot.kind in EXCLUSIVE for lot in self.lots)
        room = stand and (
            not exclusive or (exclusive <= kinds_allowed(war, self.place) and not self._crowds(war, seat))
        )
        return room and super().lawful(war, seat)

    def _crowds(self, war: War, seat: Seat) -> bool:
        """Whether a building that is bought finds no place any more: a city on the last coast without a port (27.setup.5)."""
        after, left = war, dict(war.unplaced)
        for kind in (lot.kind for lot in self.lots if lot.kind in EXCLUSIVE):
            after, left[kind] = after.with_building(self.place, kind), left.get(kind, 0) - 1
        return any(
            min(number, len(places_for(war, seat, kind))) > len(places_for(after, seat, kind))
            for kind, number in left.items()
            if kind in EXCLUSIVE
        )

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
    """Pieces that the lines above do not place are asked about one by one, when the others' pieces are seen (R27-81)."""

    words = Words("ASK", "be asked, piece by piece, where what is not yet placed stands", "R27-81", "ASK placement")
    plain = Plain("Ask me piece by piece", theme="Set-up")
    fields = (Fixed(("matter",), "placement", needed=False),)
    says = "Ask me for the place of each further piece when its turn comes."

    def lawful(self, war: War, seat: Seat) -> bool:
        return equipping(war, seat) and super().lawful(war, seat)

    def check(self, war: War, seat: Seat) -> None:
        if plays(war, "simultaneous"):
            raise Refused("All is revealed together: nobody waits to ASK.", "27.opt.simultaneous.1", "ASK")


EQUIPMENT = (DraftRegions, BuyPieces, PlacePieces, AskPlacement)
"""The orders of every set-up."""


# ---------------------------------------------------------------- SWAP, CAPITAL and FREE
# The additions of the optional rules to the set-up (27.opt.random_regions, R27-92, 27.opt.historical.setup).


_SWAPPED, _FREE, _CAPITAL = "27.opt.random_regions.2", "27.opt.historical.setup.4", "27.opt.multiple_buildings.3"


class _Dealt(SetUpOrder, frozen=True):
    """An order about regions, before pieces are bought."""

    def lawful(self, war: War, seat: Seat) -> bool:
        return war.stage == "setup" and not war.treasuries[seat].pp and super().lawful(war, seat)


def _own(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """A player's regions; before the draft any."""
    return map(placed, [land.name for land in war.regions_of(seat)] or BOARD.regions)


def _theirs(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """Other players' regions."""
    return (placed(land.name, other) for other in war.after(seat) for land in war.regions_of(other))


class SwapRegions(_Dealt, frozen=True):
    """A dealt region offered for another player's, or for one that a ring of such offers leads to (R27-90)."""

    region: str
    wanted: str

    words = Words(
        "SWAP",
        "offer a dealt region for another's; done if he offers it for yours, or in a ring",
        _SWAPPED,
        "SWAP Egypt FOR India",
        ("EXCHANGE",),
    )
    plain = Plain("Swap it for another", theme="Set-up")
    fields = (Region(_own), Place("wanted", "FOR", (), _SWAPPED, among=_theirs))
    says = "Swap {region} for {wanted}, if its holder agrees."

    def check(self, war: War, seat: Seat) -> None:
        if not war.regions_of(seat):
            return
        if war.lands[self.region].owner != seat:
            raise Refused(f"{self.region} is not yours to swap.", _SWAPPED, self.region)
        holder = war.lands[self.wanted].owner
        if holder in (None, seat):
            whose = "yours already" if holder else "nobody's: only dealt regions are in play"
            raise Refused(f"{self.wanted} is {whose}.", "27.opt.random_regions.3", self.wanted)


class NameCapital(_Dealt, frozen=True):
    """The region that may hold several buildings (27.opt.multiple_buildings.3)."""

    region: str

    words = Words("CAPITAL", "name the region of yours that may hold several buildings", _CAPITAL, "CAPITAL Egypt")
    plain = Plain("Make it my capital", rank=1)
    fields = (Region(_own),)
    says = "Make {region} your capital."

    def check(self, war: War, seat: Seat) -> None:
        own = war.regions_of(seat)
        if own and war.lands[self.region].owner != seat:
            instead = tuple(line_of(NameCapital(land.name)) for land in own[:2])
            raise Refused(f"{self.region} is not yours.", _CAPITAL, self.region, instead)


# ---------------------------------------------------------------- FREE


def _sites(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """A player's regions, home first."""
    return map(
        placed, sorted((land.name for land in war.regions_of(seat)), key=lambda name: name != war.homes.get(seat))
    )


_SITE = Place("region", "IN", (), _FREE, among=_sites)


class _Gift(SetUpOrder, frozen=True):
    """Something that everybody has free, in Europe."""

    region: str

    def lawful(self, war: War, seat: Seat) -> bool:
        return equipping(war, seat) and super().lawful(war, seat)

    def check(self, war: War, seat: Seat) -> None:
        own = war.regions_of(seat)
        if self.region not in EUROPEAN or (own and war.lands[self.region].owner != seat):
            home = war.homes.get(seat)
            instead = (line_of(replace(self, region=home)),) if home else ()
            raise Refused(f"{self.region} is no European region of yours.", _FREE, self.region, instead)


class FreeBuilding(_Gift, frozen=True, kw_only=True):
    """The building everybody has free in Europe (27.opt.historical.setup.4)."""

    kind: str

    words = Words("FREE", "say which building you have free in Europe, and where", _FREE, "FREE 1 city IN France")
    plain = Plain("Free building", rank=2)
    fields = (_SITE, Building("kind", ("building",)))
    says = "Your free {kind} stands in {region}."

    def check(self, war: War, seat: Seat) -> None:
        super().check(war, seat)
        if equipping(war, seat) and not has_room(war, war.lands[self.region], self.kind):
            why = f"No {self.kind} can stand in {self.region} yet; free pieces come before bought ones."
            raise Refused(why, _FREE, self.kind, (line_of(replace(self, kind="city")),))


class FreeResource(_Gift, frozen=True):
    """Where everybody's free developed resource lies, in Europe (27.opt.historical.setup.4)."""

    words = Words("FREE RESOURCE", "say where your free resource lies, in Europe", _FREE, "FREE RESOURCE IN France")
    plain = Plain("Free resource", rank=2)
    fields = (_SITE,)
    says = "Your free resource lies in {region}."


GIFTS = (FreeBuilding, FreeResource)
"""The buildings and resources that everybody has free by the historical rules."""
