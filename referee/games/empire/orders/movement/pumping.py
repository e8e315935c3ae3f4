"""PUMP: oil through a pipeline, 1 BTA a border (II.B)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from referee.core.choices import Asking, Choice, one, placed
from referee.core.names import Seat
from referee.core.order import Quantity, Thing
from referee.games.empire.deeds.movement.pumping import do_pump, piped, plan_pumping
from referee.games.empire.deeds.rehearsal import Stage
from referee.games.empire.orders.base import Deed, granted
from referee.games.empire.orders.fields import Place
from referee.games.empire.orders.forces import how_many
from referee.games.empire.orders.units import quantity_of
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.naming import amount
from referee.games.empire.rulebook.kinds import ALLOWANCE, in_bta
from referee.kit.declared import Words
from referee.kit.fields import Field, Said, exact
from referee.kit.refused import Refused


class _Oil(Field[Quantity]):
    def read(self, said: Said) -> Quantity:
        (thing,) = said.order.things
        if thing.name != "O":
            raise Refused(f"Pipelines carry oil, not {thing.name}.", "emp.move.pipeline", thing.name)
        return quantity_of(thing)

    def things(self, value: Quantity, state: Empire) -> tuple[Thing, ...]:
        return (Thing("goods", "O", value),)


class PumpOil(Deed, frozen=True):
    """Oil through a pipeline from one square to another."""

    start: str
    target: str
    quantity: Quantity

    words = Words(
        "PUMP", "send oil through a pipeline, 1 BTA a border", "emp.move.pipeline", "PUMP 2 O FROM c3r4 TO c5r4"
    )
    fields = (_Oil("quantity", ("goods",), "", amount), Place("start", "FROM"), Place("target", "TO"))
    says = "Pump {quantity} O from {start} to {target}."

    @classmethod
    def choices(cls, empire: Empire, seat: Seat) -> Asking[Self]:
        """A square with oil, one that pipelines lead to from there, and how much goes."""
        start = yield from one("start", _springs(empire, seat))
        target = yield from one("target", _ends(empire, seat, start))
        held = sum(lot.number for lot in empire.lots if (lot.what, lot.at) == ("O", start))
        many = yield from how_many("O", lambda many: cls(start, target, exact(many)).lawful(empire, seat), held)
        return cls(start, target, exact(many))

    def act(self, stage: Stage, seat: Seat) -> None:
        do_pump(stage, seat, self.start, self.target, self.quantity)


def _springs(empire: Empire, seat: Seat) -> Iterator[Choice[str]]:
    if any("pipeline" in kinds for kinds in empire.lines.values()):
        for at in dict.fromkeys(lot.at for lot in empire.lots if lot.what == "O" and not lot.aboard):
            if any(True for _ in _ends(empire, seat, at)):
                yield placed(at)


def _ends(empire: Empire, seat: Seat, start: str) -> Iterator[Choice[str]]:
    for at, cost in piped(empire, start, ALLOWANCE).items():
        if at != start and granted(plan_pumping, empire, seat, start, at, exact(1)):
            yield placed(at, f"{in_bta(cost)} BTA")
