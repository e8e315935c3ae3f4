"""REMOVE and WESTERNIZE: spheres of influence taken off, and natives weakened (27.production.natives)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

from msgspec.structs import replace

from referee.core.choices import Asking, Choice, number, one
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.refused import granted
from referee.games.war.orders.base import NATIVE_DIPLOMACY, Place, Spheres
from referee.games.war.orders.naming import one as named_once
from referee.games.war.position.state import War
from referee.games.war.reckoning.natives import put_off, reduced
from referee.kit.declared import Declared, Words
from referee.kit.fields import Field, One, Said
from referee.kit.refused import Refused
from referee.kit.wording import counted

_SPHERES = "27.production.natives.spheres.1"
_WESTERNIZE = "27.production.natives.westernize.1"


# ---------------------------------------------------------------- REMOVE


class _Owner(Field[Seat]):
    """Whose spheres are meant; where OF is missing, those of the only player who has any there."""

    needed = False

    def read(self, said: Said) -> Seat:
        owner = named_once(said.order, _SPHERES, "OF")
        if owner:
            return Seat(owner)
        region = _FROM.read(said)
        owners = [seat for seat, there in said.state.lands[region].spheres.items() if there]
        if len(owners) != 1:
            lines = tuple(line_of(RemoveSphere(region, seat)) for seat in owners)
            raise Refused("Say whose sphere: REMOVE 1 sphere OF a player.", _SPHERES, region, lines)
        return Seat(owners[0])

    def things(self, value: Seat, state: Any) -> tuple[Thing, ...]:
        return (Thing("side", value),)


_OWNER, _FROM = _Owner("owner", ("side",), "OF"), Place("region", "FROM", ("IN",), _SPHERES)


def _removable(said: Said) -> int:
    return RemoveSphere(_FROM.read(said), _OWNER.read(said)).most(said.state, said.seat)


class RemoveSphere(Declared[War], frozen=True):
    """Spheres taken off a region: an enemy's or rival's as its owner, or one's own (27.production.natives.spheres)."""

    region: str
    owner: Seat
    number: int = 1

    words = Words("REMOVE", "take spheres of influence off a region", _SPHERES, "REMOVE 1 sphere OF {other} FROM Egypt")
    fields = (Spheres("number", "", _SPHERES, str, held=_removable), _OWNER, _FROM)
    says, phase = "Take {number} of {owner}'s spheres of influence off {region}.", NATIVE_DIPLOMACY

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """Others' spheres in one's own regions first; in movement one's own spheres alone."""
        found = list(cls._possible(war, seat))
        regions = dict.fromkeys(order.region for order in found)
        region = yield from one("region", (Choice(name, name, _there(war, name), name) for name in regions))
        owners = [order.owner for order in found if order.region == region]
        owner = yield from one("owner", (Choice(name, name, cls(region, name).price(war, seat)) for name in owners))
        most = cls(region, owner).most(war, seat)
        return cls(region, owner, (yield from number("number", "spheres", 1, most)) if most > 1 else 1)

    @classmethod
    def _possible(cls, war: War, seat: Seat) -> Iterator[Self]:
        every = [cls(land.name, owner) for land in war.lands.values() for owner in land.spheres]
        for order in sorted(every, key=lambda order: order.owner == seat):
            if granted(order.check, war, seat) and granted(order.permit, war, seat) and order.payable(war, seat):
                yield order

    @classmethod
    def proposed(cls, war: War, seat: Seat) -> Iterator[Self]:
        """Others' spheres: all of an enemy's, which are free."""
        others = (order for order in cls._possible(war, seat) if order.owner != seat)
        return (replace(order, number=order.most(war, seat)) for order in others)

    def check(self, war: War, seat: Seat) -> None:
        """27.production.natives.spheres.3: in movement a player takes off his own spheres only."""
        moving = war.stage == "movement" and war.active == seat
        if moving and self.owner != seat:
            why = "Others' spheres are removed in production; in movement you take off your own."
            raise Refused(why, _SPHERES, self.owner)
        if moving or war.stage == "production":
            self.permit(war, seat)
            self._check_number(war, seat)

    def permit(self, war: War, seat: Seat) -> None:
        """27.production.natives.spheres: one's own anywhere; others' in one's own region outside a revolt. Raises Refused."""
        land = war.lands[self.region]
        if self.owner != seat and land.owner != seat:
            raise Refused(
                f"Others' spheres can be removed in your own regions only; {land.name} is not yours.", _SPHERES
            )
        if not land.spheres.get(self.owner):
            raise Refused(f"{self.owner} has no sphere of influence in {land.name}.", _SPHERES, at=self.owner)
        if self.owner != seat and land.revolt:
            raise Refused(f"{land.name} is in revolt; only owners may take off their spheres there.", "R27-20")

    def _check_number(self, war: War, seat: Seat) -> None:
        most = self.most(war, seat)
        if self.number > most:
            there = f"{self.owner} has {most} there."
            why = there if self.free(war, seat) else "One foreign sphere a region is bought off in a turn."
            raise Refused(why, _SPHERES, str(self.number), (line_of(replace(self, number=most)),))

    def free(self, war: War, seat: Seat) -> bool:
        """27.production.natives.spheres.2: whether it costs nothing, and any number goes: an enemy's or one's own."""
        return self.owner == seat or war.at_war(seat, self.owner)

    def most(self, war: War, seat: Seat) -> int:
        """27.production.natives.spheres.1: how many can be taken off in a turn."""
        return war.lands[self.region].spheres.get(self.owner, 0) if self.free(war, seat) else 1

    def payable(self, war: War, seat: Seat) -> bool:
        """Whether the DP for it are at hand, where that is known already."""
        return war.stage != "production" or self.free(war, seat) or war.treasuries[seat].dp > 0

    def price(self, war: War, seat: Seat) -> str:
        """What one costs, in words."""
        there = counted(war.lands[self.region].spheres[self.owner], "spheres")
        return f"{there}, {'free' if self.free(war, seat) else '1 DP for one'}"


def _there(war: War, region: str) -> str:
    """Whose spheres lie in a region."""
    return ", ".join(f"{owner} {there}" for owner, there in war.lands[region].spheres.items() if there)


# ---------------------------------------------------------------- WESTERNIZE


def _taking(spheres: int) -> str:
    return f" and take {spheres} of your own spheres off it" if spheres else ""


def _own(said: Said) -> int:
    return int(said.state.lands[said.got["region"]].spheres.get(said.seat, 0))


class WesternizeRegion(Declared[War], frozen=True):
    """One DP to lower a region's native strength by 3, and so many own spheres taken off for 1 each."""

    region: str
    spheres: int = 0

    words = Words(
        "WESTERNIZE",
        "spend 1 DP on lowering a region's native strength by 3; WITH takes own spheres off for 1 each",
        _WESTERNIZE,
        "WESTERNIZE Sudan WITH 1 sphere",
        ("CIVILIZE",),
    )
    fields = (
        One("region", ("region",), taken=str),
        Spheres("spheres", "WITH", _WESTERNIZE, _taking, needed=False, held=_own),
    )
    says, phase = "Spend 1 DP on westernizing {region}{spheres}.", NATIVE_DIPLOMACY

    @classmethod
    def choices(cls, war: War, seat: Seat) -> Asking[Self]:
        """The strongest natives first; only so many spheres as leave natives to spend the DP on."""
        regions = [order.region for order in cls.proposed(war, seat)]
        region = yield from one("region", (Choice(name, name, _strength(war, name), name) for name in regions))
        land = war.lands[region]
        own = range(1, land.spheres.get(seat, 0) + 1)
        most = max((n for n in own if land.marker is not None and reduced(land.marker, n) is not None), default=0)
        return cls(region, (yield from number("spheres", "spheres", 0, most)) if most else 0)

    @classmethod
    def proposed(cls, war: War, seat: Seat) -> list[Self]:
        """Every region where it can be done."""
        if war.stage == "production" and not war.treasuries[seat].dp:
            return []
        every = (cls(land.name) for land in war.regions_of(seat))
        return [order for order in every if granted(order.permit, war, seat)]

    def check(self, war: War, seat: Seat) -> None:
        if war.stage != "production":
            return
        self.permit(war, seat)
        own = war.lands[self.region].spheres.get(seat, 0)
        if self.spheres > own:
            instead = (line_of(replace(self, spheres=own)),)
            raise Refused(f"You have {counted(own, 'spheres')} in {self.region}.", _WESTERNIZE, "spheres", instead)

    def permit(self, war: War, seat: Seat) -> None:
        """27.production.natives.westernize.1: one's own region with a marker and without revolt. Raises Refused."""
        land = war.lands[self.region]
        if land.owner != seat:
            raise Refused(f"{land.name} is not yours to westernize.", _WESTERNIZE)
        if land.marker is None:
            raise Refused(f"{land.name} is westernized already.", "27.production.natives.westernize.4")
        if land.revolt is not None and not put_off(war, land):
            raise Refused(f"{land.name} is in revolt; its natives cannot be westernized now.", "R27-20")


def _strength(war: War, region: str) -> str:
    marker = war.lands[region].marker
    return f"natives of strength {marker}" if marker else ""
