"""The end of a turn as far as it concerns moving: who is in the air, what is in hand, what lies about (II.A, C6)."""

from __future__ import annotations

from referee.core.table import Table
from referee.games.empire.carrying import goods_aboard
from referee.games.empire.events.cargo import GoodsUnloaded
from referee.games.empire.state import Empire
from referee.games.empire.steps.leaving import spoil_excess
from referee.games.empire.steps.standing import crash_the_stranded

__all__ = ["end_moves"]


def end_moves(table: Table[Empire], country: str) -> None:
    """Before the works of a turn's end: planes that had to land crash, builders put down what they carry, excess is lost."""
    crash_the_stranded(table, country)
    _put_down(table, country)
    spoil_excess(table, country)


def _put_down(table: Table[Empire], country: str) -> None:
    """Who runs a construction machine ashore carries nothing over the end of a turn (C6); who builds from a ship: works.py."""
    builders = [work.unit for work in table.state.works if work.country == country and work.left > 0]
    units = table.state.units
    ashore = [units[number] for number in dict.fromkeys(builders) if number in units and not units[number].aboard]
    for builder in ashore:
        for lot in goods_aboard(table.state, builder.number):
            city = table.state.city_at(lot.at)
            inside = city.name if city is not None and table.state.friendly(city.country, country) else ""
            table.emit(GoodsUnloaded(builder.number, builder.kind, lot, inside))
