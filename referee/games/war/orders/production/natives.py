"""REMOVE and WESTERNIZE: spheres of influence taken off, and natives weakened (27.production.natives)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.war.deeds.lines import line_of
from referee.games.war.deeds.refused import granted
from referee.games.war.events.base import WarEvent
from referee.games.war.orders.base import NATIVE_DIPLOMACY, Place, Region, Spheres
from referee.games.war.orders.naming import one as named_once
from referee.games.war.position.state import War
from referee.games.war.reckoning.natives import put_off, reduced
from referee.kit.declared import Declared, Words
from referee.kit.fields import Field, Said
from referee.kit.refused import Refused
from referee.kit.wording import counted

_SPHERES = "27.production.natives.spheres.1"
_WESTERNIZE = "27.production.natives.westernize.1"


class NativeOrder(Declared[War], frozen=True):
    """What is done in native diplomacy, some of it for DP."""

    phase = NATIVE_DIPLOMACY

    def dp(self, war: War, seat: Seat) -> int:
        """What it costs."""
        return 1

    def permit(self, war: War, seat: Seat) -> None:
        """Raises Refused unless it may be done now, whoever pays for it."""
        raise NotImplementedError(type(self).__name__)

    def afford(self, war: War, seat: Seat) -> None:
        """Raises Refused unless the DP are at hand."""
        cost, held = self.dp(war, seat), war.treasuries[seat].dp
        if held < cost:
            raise Refused(f"It costs {cost} DP; you have {held}.", self.words.rule)

    def brings(self, war: War, seat: Seat) -> tuple[WarEvent, ...]:
        """What happens where it is done, of an order that has no step of its own in the phase (R27-18)."""
        raise NotImplementedError(type(self).__name__)

    def lawful(self, war: War, seat: Seat) -> bool:
        """Whether it may be done and, where the DP are known that count, paid."""
        paid = war.stage != "production" or granted(self.afford, war, seat)
        return paid and granted(self.permit, war, seat) and super().lawful(war, seat)


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

    def offers(self, state: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[Seat]]:
        """Others first."""
        return (Choice(owner, owner) for owner in (*state.after(seat), seat))

    def things(self, value: Seat, state: Any) -> tuple[Thing, ...]:
        return (Thing("side", value),)


def _with_spheres(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """Where somebody has spheres, and what one costs."""
    there = (land.name for land in war.lands.values() if land.spheres.get(got["owner"]))
    return (placed(name, RemoveSphere(name, got["owner"]).price(war, seat)) for name in there)


_FROM = Place("region", "FROM", ("IN",), _SPHERES, among=_with_spheres)


def _removable(said: Said) -> int:
    return RemoveSphere(said.got["region"], said.got["owner"]).most(said.state, said.seat)


class RemoveSphere(NativeOrder, frozen=True):
    """Spheres taken off a region: an enemy's or rival's as its owner, or one's own (27.production.natives.spheres)."""

    region: str
    owner: Seat
    number: int = 1

    words = Words("REMOVE", "take spheres of influence off a region", _SPHERES, "REMOVE 1 sphere OF {other} FROM Egypt")
    fields = (_Owner("owner", ("side",), "OF"), _FROM, Spheres("number", "", _SPHERES, str, held=_removable))
    says = "Take {number} of {owner}'s spheres of influence off {region}."

    @classmethod
    def proposed(cls, war: War, seat: Seat) -> Iterator[Self]:
        """Others' spheres: all of an enemy's, which are free."""
        for land in war.regions_of(seat):
            orders = (cls(land.name, owner) for owner in land.spheres if owner != seat)
            yield from (replace(o, number=o.most(war, seat)) for o in orders if o.lawful(war, seat))

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

    def dp(self, war: War, seat: Seat) -> int:
        return int(not self.free(war, seat))

    def most(self, war: War, seat: Seat) -> int:
        """27.production.natives.spheres.1: how many can be taken off in a turn."""
        return war.lands[self.region].spheres.get(self.owner, 0) if self.free(war, seat) else 1

    def lawful(self, war: War, seat: Seat) -> bool:
        return self.number <= self.most(war, seat) and super().lawful(war, seat)

    def price(self, war: War, seat: Seat) -> str:
        """What one costs, in words."""
        there = counted(war.lands[self.region].spheres[self.owner], "spheres")
        return f"{there}, {'free' if self.free(war, seat) else '1 DP for one'}"


# ---------------------------------------------------------------- WESTERNIZE


LOWERED = 3
"""Points of native strength for 1 DP (27.production.natives.westernize.1)."""


def _taking(spheres: int) -> str:
    return f" and take {spheres} of your own spheres off it" if spheres else ""


def _own(said: Said) -> int:
    return int(said.state.lands[said.got["region"]].spheres.get(said.seat, 0))


def _own_natives(war: War, seat: Seat, got: Mapping[str, Any]) -> Iterator[Choice[str]]:
    """A player's regions with natives."""
    marked = (land for land in war.regions_of(seat) if land.marker is not None)
    return (placed(land.name, f"natives of strength {land.marker}") for land in marked)


class WesternizeRegion(NativeOrder, frozen=True):
    """DP to lower a region's native strength, and so many own spheres taken off for 1 each."""

    region: str
    spheres: int = 0

    words = Words(
        "WESTERNIZE",
        f"spend 1 DP on lowering a region's native strength by {LOWERED}; WITH takes own spheres off for 1 each",
        _WESTERNIZE,
        "WESTERNIZE Sudan WITH 1 sphere",
        ("CIVILIZE",),
    )
    fields = (
        Region(_own_natives),
        Spheres("spheres", "WITH", _WESTERNIZE, _taking, needed=False, held=_own),
    )
    says = "Spend 1 DP on westernizing {region}{spheres}."

    @classmethod
    def proposed(cls, war: War, seat: Seat) -> list[Self]:
        """Every region where it can be done."""
        every = (cls(land.name) for land in war.regions_of(seat))
        return [order for order in every if order.lawful(war, seat)]

    def sensible(self, war: War, seat: Seat) -> bool:
        """Whether the spheres taken off leave natives to spend the DP on."""
        marker = war.lands[self.region].marker
        return not self.spheres or (marker is not None and reduced(marker, self.spheres) is not None)

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
