"""The choices of an order, found from its fields and from what is lawful: field after field whatever leads to a lawful order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from referee.core.choices import Asking, Nothing
from referee.core.names import Seat
from referee.kit.fields import Field


class Asked(Protocol):
    """An order that says of itself whether it is lawful."""

    def lawful(self, state: Any, seat: Seat) -> bool:
        """Whether it can be carried out in this position."""
        ...

    def sensible(self, state: Any, seat: Seat) -> bool:
        """Whether a lawful order has any use."""
        ...


Order = TypeVar("Order", bound=Asked)


def asked(order: type[Order], fields: Sequence[Field[Any]], state: Any, seat: Seat) -> Asking[Order]:
    """Ask for the fields of an order in turn, for nothing that leads nowhere. Raises Nothing where nothing leads anywhere."""
    got: dict[str, Any] = {}
    for place, field in enumerate(fields):

        def leads(value: Any, field: Field[Any] = field, rest: Sequence[Field[Any]] = fields[place + 1 :]) -> bool:
            return field.free or _reached(order, state, seat, {**got, **field.parts(value)}, rest)

        got.update(field.parts((yield from field.asked(state, seat, got, leads))))
    if not _reached(order, state, seat, got, ()):  # where no field was asked for
        raise Nothing
    return order(**got)


def _reached(order: type[Order], state: Any, seat: Seat, got: Mapping[str, Any], fields: Sequence[Field[Any]]) -> bool:
    """Whether these parts are those of a lawful order, however the other fields are filled in."""
    if not fields:
        whole = order(**got)
        return whole.lawful(state, seat) and whole.sensible(state, seat)
    field, *rest = fields
    offered = field.offers(state, seat, got)
    return any(_reached(order, state, seat, {**got, **field.parts(choice.value)}, rest) for choice in offered)
