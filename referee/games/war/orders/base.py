"""What all orders of War! share, and the parts that only War! has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from referee.core.choices import Asking, Choice, most_that, number, one, placed, quantity, several
from referee.core.names import Seat
from referee.core.order import Order, Quantity, Thing
from referee.games.war.deeds.muster import Lot, exactly
from referee.games.war.orders.naming import number_of, opponent, opponents
from referee.games.war.orders.naming import one as one_name
from referee.games.war.orders.naming import one as only
from referee.games.war.position.state import War
from referee.games.war.rulebook import BUILDINGS, plural
from referee.kit.declared import Declared
from referee.kit.fields import Among, Field, Leads, One, Row, Said, exact
from referee.kit.wording import counted

# ---------------------------------------------------------------- fields
# Players, places and kinds as parts of orders that speak of others, or of what may come.


def named_seats(seats: tuple[Seat, ...]) -> tuple[Thing, ...]:
    """Players as a sentence names them."""
    return tuple(Thing("side", seat) for seat in seats)


def others(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[Seat]]:
    """The other players still in play."""
    return (Choice(other, other) for other in war.after(seat))


class Opponent(Field[Seat | None]):
    """One other player still in play; None where he may be left out and is."""

    def __init__(
        self, name: str, under: str, rule: str, needed: bool = True, say: Callable[[Seat | None], str] = str
    ) -> None:
        super().__init__(name, ("side",), under, say)
        self.rule, self.needed = rule, needed

    def read(self, said: Said) -> Seat | None:
        heads = said.order.things
        name = one_name(said.order, self.rule, self.under) if self.under else heads[0].name if heads else ""
        return opponent(said.state, said.seat, name, self.rule) if name else None

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[Seat | None]]:
        if not self.needed:
            yield Choice("anybody", None)
        yield from others(state, seat, got)

    def things(self, value: Seat | None, state: Any) -> tuple[Thing, ...]:
        return named_seats((value,)) if value else ()


class Opponents(Row[Seat]):
    """Other players still in play, each once; under a preposition they may be left out."""

    def __init__(self, name: str, under: str, rule: str, say: Callable[[tuple[Seat, ...]], str] = ", ".join) -> None:
        super().__init__(name, ("side",), under, taken=Seat, say=say, among=others)
        self.rule, self.needed = rule, not under

    def read(self, said: Said) -> tuple[Seat, ...]:
        return opponents(said.state, said.seat, said.after(self.under), self.rule)

    def things(self, value: tuple[Seat, ...], state: Any) -> tuple[Thing, ...]:
        return named_seats(value)


SETTING_UP = "Set-up"
"""All that comes before play."""

AUCTION = "Auction"
"""The bids for the order of a turn."""

DIPLOMACY = "Diplomacy"
"""The phase in which DP are bought."""

NATIVE_DIPLOMACY = "Native Diplomacy"
"""The phase of spheres, westernizing and incitements."""

CONSTRUCTION = "Construction"
"""The phase of units, buildings, resources and the canal."""

MOVEMENT = "Movement"
"""The part of a share in which lines are carried out one after the other: marches, voyages, wars declared."""

COMBAT = "Combat"
"""The part of a share in which battles are fought and natives and resources tried."""
STANDING = "Standing"
"""No phase of its own: it answers the questions of all, and may stand in any sheet."""

NONE = Thing("nothing", "none")
"""What stands where nothing is meant."""


class Place(Field[str]):
    """The one region named under `under`; `same` are prepositions that mean as much."""

    def __init__(
        self,
        name: str,
        under: str,
        same: tuple[str, ...],
        rule: str,
        kinds: tuple[str, ...] = ("region",),
        among: Among[str] | None = None,
    ) -> None:
        super().__init__(name, kinds, under, among=among)
        self.same, self.rule = (under, *same), rule

    def prepositions(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(self.same, self.kinds)

    def read(self, said: Said) -> str:
        return only(said.order, self.rule, *self.same)

    def things(self, value: str, state: Any) -> tuple[Thing, ...]:
        return (Thing(self.kinds[0], value),)


class Region(One[str]):
    """One region, which follows the verb."""

    def __init__(self, among: Among[str]) -> None:
        super().__init__("region", ("region",), taken=str, among=among)


def own_regions(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """A player's regions with their chits, in the order of the map."""
    return (placed(land.name, land.chit or "") for land in war.regions_of(seat))


class Lots(Field[tuple[Lot, ...]]):
    """So many of each of several kinds: chosen one kind after the other, as long as one more can go with those before."""

    most = None

    def there(self, war: War, seat: Seat, got: Mapping[str, Any]) -> Mapping[str, int]:
        """How many of each kind there can be at most."""
        raise NotImplementedError(type(self).__name__)

    def told(self, war: War, kind: str, there: int) -> str:
        """What is said of a kind to choose."""
        return f"{there} there"

    def counted(self, kind: str, most: int, there: int) -> Asking[Quantity]:
        """Ask how many of a kind; `all` where that is all there are."""
        return (yield from quantity("number", plural(kind), most, there))

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[tuple[Lot, ...]]]:
        for kind, there in self.there(state, seat, got).items():
            if there:
                yield Choice(plural(kind), (exactly(kind, 1),), self.told(state, kind, there))

    def asked(
        self, state: War, seat: Seat, got: Mapping[str, Any], leads: Leads[tuple[Lot, ...]]
    ) -> Asking[tuple[Lot, ...]]:
        there, lots = self.there(state, seat, got), tuple[Lot, ...]()
        while True:
            others = [kind for kind in there if there[kind] and kind not in [lot.kind for lot in lots]]
            able = [
                Choice(plural(kind), kind, self.told(state, kind, there[kind]))
                for kind in others
                if leads((*lots, exactly(kind, 1)))
            ]
            if lots and not able:
                return lots
            more = (yield from several("and", able, 0, 1)) if lots else ((yield from one("unit", able)),)
            if not more:
                return lots
            (kind,) = more
            most = _most(leads, lots, kind, there[kind])
            lots = (*lots, Lot(kind, (yield from self.counted(kind, most, there[kind]))))

    def things(self, value: tuple[Lot, ...], state: Any) -> tuple[Thing, ...]:
        return tuple(
            Thing("building" if lot.kind in BUILDINGS else "unit", plural(lot.kind), lot.quantity) for lot in value
        )


def _most(leads: Leads[tuple[Lot, ...]], lots: tuple[Lot, ...], kind: str, there: int) -> int:
    return most_that(lambda many: leads((*lots, exactly(kind, many))), there)


class Spheres(Field[int]):
    """So many spheres of influence, or a part of those `held`; one without a number, and 0 where they may be left out and are."""

    def __init__(
        self,
        name: str,
        under: str,
        rule: str,
        say: Callable[[int], str] = lambda number: counted(number, "spheres"),
        needed: bool = True,
        *,
        held: Callable[[Said], int],
    ) -> None:
        super().__init__(name, ("sphere",), under, say)
        self.rule, self.needed, self.held = rule, needed, held

    def read(self, said: Said) -> int:
        return sum(number_of(said.order, thing, self.rule, self.held(said)) for thing in said.after(self.under))

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterable[Choice[int]]:
        return (Choice("1", 1),) if self.needed else (Choice("0", 0),)

    def asked(self, state: War, seat: Seat, got: Mapping[str, Any], leads: Leads[int]) -> Asking[int]:
        """Where more than the least leads on."""
        least, held = int(self.needed), self.held(Said(Order(""), state, seat, got))
        most = least + most_that(lambda more: leads(least + more), held - least)
        return (yield from number(self.name, "spheres", least, most)) if most > least else least

    def things(self, value: int, state: Any) -> tuple[Thing, ...]:
        return (Thing("sphere", "spheres", exact(value)),) if value or self.needed else ()


class StandingOrder(Declared[War], frozen=True):
    """What a player wants decided, and how, in the middle of anybody's turn (rulings, section 7)."""

    phase = STANDING
