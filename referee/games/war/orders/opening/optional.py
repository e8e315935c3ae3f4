"""SWAP, CAPITAL and FREE: what the optional rules add to the set-up (27.opt.random_regions, R27-92, 27.opt.historical.setup)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.games.war.deeds.lines import line_of
from referee.games.war.orders.base import Place, Region
from referee.games.war.orders.opening.setting_up import SetUpOrder, equipping
from referee.games.war.orders.production.buildings import Building
from referee.games.war.position.state import War
from referee.games.war.reckoning.historical import EUROPEAN
from referee.games.war.reckoning.sites import has_room
from referee.games.war.rulebook.board import BOARD
from referee.kit.declared import Words
from referee.kit.refused import Refused

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
    fields = (_SITE, Building("kind", ("building",)))
    says = "Your free {kind} stands in {region}."

    def check(self, war: War, seat: Seat) -> None:
        super().check(war, seat)
        if equipping(war, seat) and not has_room(war, war.lands[self.region], self.kind):
            why = f"No {self.kind} can stand in {self.region} yet; what is free comes before what is bought."
            raise Refused(why, _FREE, self.kind, (line_of(replace(self, kind="city")),))


class FreeResource(_Gift, frozen=True):
    """Where everybody's free developed resource lies, in Europe (27.opt.historical.setup.4)."""

    words = Words("FREE RESOURCE", "say where your free resource lies, in Europe", _FREE, "FREE RESOURCE IN France")
    fields = (_SITE,)
    says = "Your free resource lies in {region}."


GIFTS = (FreeBuilding, FreeResource)
"""What everybody has free by the historical rules."""
