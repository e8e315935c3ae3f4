"""What deeds know of an order: its places, units and fleets, and that it can be said otherwise; never which order it is."""

from __future__ import annotations

from typing import Any, Protocol, Self

from referee.core.names import Seat
from referee.core.order import Quantity
from referee.games.war.deeds.lots import Lot


class Ordered(Protocol):
    """Any order that can be offered with something else in its place."""

    def but(self, **changes: Any) -> Self:
        """The same order with these parts changed."""


class _Units(Ordered, Protocol):
    @property
    def lots(self) -> tuple[Lot, ...]:
        """Land units, so many of each kind."""


class _Fleets(Ordered, Protocol):
    @property
    def fleets(self) -> tuple[int, ...]:
        """Fleets by their numbers, if any are named."""


class _At(Ordered, Protocol):
    @property
    def sea(self) -> str:
        """The sea area in which it is done."""


class _Way(Ordered, Protocol):
    @property
    def origin(self) -> str:
        """Where it begins."""

    @property
    def target(self) -> str:
        """Where it ends."""

    @property
    def via(self) -> tuple[str, ...]:
        """What is named between."""


class Marching(_Units, _Way, Protocol):
    """Units go from region to region."""


class GoingAboard(_Units, _Fleets, _At, Protocol):
    """Units go aboard at sea."""

    @property
    def origin(self) -> str:
        """The region they leave."""


class GoingAshore(_Units, _Fleets, _At, Protocol):
    """Units land from the sea."""

    @property
    def target(self) -> str:
        """The region they enter."""


class Sailing(_Fleets, _Way, Protocol):
    """Fleets go from sea area to sea area."""

    @property
    def quantity(self) -> Quantity:
        """How many go."""

    @property
    def loaded(self) -> bool | None:
        """Whether laden or empty ones; None: either."""


class Attacking(_Fleets, _At, Protocol):
    """Fleets attack another's."""

    @property
    def enemy(self) -> Seat:
        """Whose they attack."""

    @property
    def quantity(self) -> Quantity | None:
        """How many attack; None: all."""


class Destroying(Ordered, Protocol):
    """A unit destroys what stands where it is."""

    @property
    def region(self) -> str:
        """Where."""

    @property
    def what(self) -> str:
        """A building, or the resource."""

    @property
    def kind(self) -> str:
        """Which unit does it; "" any."""
