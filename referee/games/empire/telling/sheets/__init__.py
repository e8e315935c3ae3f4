"""The record sheets a to j of every country (rulebook I.I), the sheets of the table, and the logs: views of what happened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from referee.core.event import Event
from referee.core.names import Reader, Seat
from referee.core.page import Sheet
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.telling.sheets.holdings import (
    city_sheet,
    items_sheet,
    lines_sheet,
    military_sheet,
    permanent_sheet,
)
from referee.games.empire.telling.sheets.slots import (
    Slot,
    balkanization_sheet,
    logs,
    order_sheet,
    petitions_sheet,
    produced_sheet,
    rolls_sheet,
    slots_of,
    standings_sheet,
    trade_sheet,
)
from referee.games.empire.telling.sheets.turn import economic_sheet, turn_sheet

__all__ = ["logs", "sheets"]


def sheets(history: Sequence[Event], empire: Empire, reader: Reader) -> tuple[Sheet, ...]:
    """Each player's ten sheets, country by country, then those of the table. Empire is open: all readers see the same.

    Turn letters bring them to who has just moved and to who moves next; everybody else's have hardly changed.
    """
    slots = slots_of(history, empire)
    fresh = (slots[-1].seat, empire.active)
    own = [
        sheet if seat in fresh else replace(sheet, on_request=True)
        for seat in empire.order
        for sheet in _of_seat(slots, empire, seat)
    ]
    return (*own, order_sheet(slots, empire), rolls_sheet(slots), petitions_sheet(empire), standings_sheet(empire))


_PLAIN = re.compile(r"[^A-Za-z0-9]+")
"""Sheet names become names of files: those of a player's further countries bear the country's."""


_TOLD = ("c", "d")
"""Sheets of what the report of the turn has told already: what was done, and the economy."""


def _of_seat(slots: Sequence[Slot], empire: Empire, seat: Seat) -> Iterator[Sheet]:
    """a to j of each of his countries, those that are no more included; i, which has all of them, once."""
    own = [country for country in empire.countries.values() if country.owner == seat]
    for country in own:
        for sheet in _of_country(slots, empire, country):
            if sheet.name == "j" and country is own[0]:
                yield balkanization_sheet(empire, seat)
            name = sheet.name if country.name == seat else f"{sheet.name}-{_PLAIN.sub('-', country.name)}"
            told = sheet.name in _TOLD or not any(grid.rows for grid in sheet.grids)
            yield replace(sheet, name=name, of=seat, on_request=told)


def _of_country(slots: Sequence[Slot], empire: Empire, country: Country) -> Iterator[Sheet]:
    name = country.name
    yield military_sheet(empire, name)
    yield city_sheet(empire, name)
    yield turn_sheet(slots, country)
    yield economic_sheet(slots, country)
    yield trade_sheet(slots, empire, name)
    yield produced_sheet(slots, empire, country)
    yield items_sheet(empire, name)
    yield permanent_sheet(slots, empire, name)
    yield lines_sheet(slots, empire, name)
