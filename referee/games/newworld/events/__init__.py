"""Everything that can happen in New World; and what all events share: everybody is told, and each knows what it brings whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from referee.core.event import Audience
from referee.core.names import Seat
from referee.games.newworld.position import World
from referee.games.newworld.rulebook import goods_in_words
from referee.kit.game import Change
from referee.kit.stock import Flow
from referee.kit.wording import counted


class Gain(NamedTuple):
    """So much more for a seat: resources, Fleets, Armies by Region, levels of technologies (below 0: less)."""

    seat: Seat
    goods: Mapping[str, int] = {}
    fleets: int = 0
    armies: Mapping[str, int] = {}
    levels: Mapping[str, int] = {}


def booked(gain: Gain) -> Iterator[Flow]:
    """Its bookings in the accounts "France: gold", "France: armies in Canada" ... and out of them (below 0)."""
    seat, goods, fleets, armies, levels = gain
    yield from (Flow(f"{seat}: {name}", number) for name, number in goods.items())
    yield from (Flow(f"{seat}: armies in {region}", number) for region, number in armies.items())
    yield from (Flow(f"{seat}: {name} level", number) for name, number in levels.items())
    yield Flow(f"{seat}: fleets", fleets)


class OpenEvent(Change, frozen=True):
    """An event on the open pages of New World. `did` is its deed, with what it knows as blanks: `builds {0.what}`."""

    audience = Audience.EVERYONE
    did: ClassVar[str] = ""

    def deed(self) -> str:
        """The deed without the name of its doer, where it is worth a word in a summary."""
        return self.did.format(self)

    def gained(self) -> Iterator[Gain]:
        """Its gains and costs, by seat."""
        return iter(())

    def change(self, world: World) -> World:
        for gain in self.gained():
            world = world.gaining(*gain)
        return world

    def flows(self) -> Iterator[Flow]:
        """Its bookings into accounts and out of them."""
        for gain in self.gained():
            yield from booked(gain)

    def charged(self) -> tuple[str, int, Mapping[str, int]] | None:
        """The thing that was paid for, how many of it there were, and their cost."""
        return None


class Bought(OpenEvent, frozen=True):
    """So much of one thing at one price."""

    noun: ClassVar[str]
    seat: Seat
    amount: int
    paid: dict[str, int]

    @property
    def what(self) -> str:
        """So many of it."""
        return counted(self.amount, self.noun)

    @property
    def price(self) -> str:
        """The price that was paid, in words."""
        return goods_in_words(self.paid)

    def charged(self) -> tuple[str, int, Mapping[str, int]]:
        return self.noun, self.amount, self.paid


class OfferGone(OpenEvent, frozen=True):
    """An offer is off the table."""

    number: int

    def change(self, world: World) -> World:
        world = super().change(world)
        return replace(world, offers=tuple(offer for offer in world.offers if offer.number != self.number))
