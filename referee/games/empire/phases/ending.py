"""The end of a turn as far as it concerns moving: who is in the air, what is in hand, what lies about (II.A, C6)."""

from __future__ import annotations

from referee.core.table import Table
from referee.games.empire.deeds.movement.standing import crash_the_stranded
from referee.games.empire.events.work.building import LoadPutDown
from referee.games.empire.phases.leaving import spoil_excess
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.movement.carrying import goods_aboard
from referee.games.empire.reckoning.work.workers import by_hand, stands_by


def end_moves(table: Table[Empire], country: str) -> None:
    """Before the works of a turn's end: planes that had to land crash, builders put down what they carry, excess is lost."""
    crash_the_stranded(table, country)
    _put_down(table, country)
    spoil_excess(table, country)


def _put_down(table: Table[Empire], country: str) -> None:
    """Who runs a construction machine carries nothing over the end of a turn (C6): it goes to the ground, or to the hold."""
    for number in _at_machines(table.state, country):
        lots, builder = goods_aboard(table.state, number), table.state.units[number]
        if lots:
            carrier = table.state.units.get(builder.aboard)
            city = table.state.city_at(builder.at) if carrier is None else None
            inside = city.name if city is not None and table.state.friendly(city.country, country) else ""
            hold = (carrier.number, carrier.kind) if carrier is not None else (0, "")
            table.emit(LoadPutDown(country, number, builder.at, lots, *hold, inside))


def _at_machines(empire: Empire, country: str) -> tuple[int, ...]:
    """The coolies of a country that build or scrap where they stand, each once."""
    working = (work for work in empire.works if work.country == country and work.left > 0 and not by_hand(work))
    return tuple(dict.fromkeys(w.unit for w in working if stands_by(empire, country, w.unit, w.at)))
