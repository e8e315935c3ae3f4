"""DEVELOP and DIG: the resource of a region, and the Suez Canal (27.production.build.6, 27.opt.suez)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from referee.core.choices import Choice, placed
from referee.core.names import Seat
from referee.games.war.events.economy import CanalPaid, ResourceDeveloped
from referee.games.war.orders.base import CONSTRUCTION, Region
from referee.games.war.orders.production.works import BuildAction, unhelped
from referee.games.war.position.options import plays
from referee.games.war.position.places import Land
from referee.games.war.position.state import War
from referee.games.war.rulebook.board import CHIT_VALUES
from referee.kit.declared import Words
from referee.kit.fields import Fixed, Said
from referee.kit.refused import Refused

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
