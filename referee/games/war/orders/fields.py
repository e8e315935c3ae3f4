"""Players, places and kinds as parts of orders that speak of others, or of what may come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from referee.core.choices import Choice
from referee.core.names import Seat
from referee.core.order import Thing
from referee.games.war.orders.naming import one, opponent, opponents
from referee.games.war.position.state import War
from referee.kit.fields import Field, Row, Said


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
        name = one(said.order, self.rule, self.under) if self.under else heads[0].name if heads else ""
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
