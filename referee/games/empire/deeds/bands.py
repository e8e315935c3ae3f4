"""What a country's confidence forbids in a turn (emp.H-16)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.table import Table
from referee.games.empire.events.economy import BandJudged
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.budget import band_of
from referee.kit.refused import Refused

_FORBIDDEN: Mapping[str, Mapping[str, str]] = {
    "shaky": {"start factory": "start a factory"},
    "crisis": {"start factory": "start a factory"},
    "collapse": {
        "start factory": "start a factory",
        "factory": "run a factory",
        "build": "build anything",
        "births": "have births",
        "attack": "attack",
    },
}


def judge_band(table: Table[Empire], country: str) -> None:
    """At the start of its turn a country's confidence decides what it may do."""
    own = table.state.countries[country]
    band = band_of(own.confidence)
    if band != own.band:
        table.emit(BandJudged(country, band, own.confidence))


def forbids(empire: Empire, country: str, act: str) -> bool:
    """Whether the band of a country forbids an act: factory, start factory, build, births or attack."""
    return act in _FORBIDDEN.get(empire.countries[country].band, {})


def check_band(empire: Empire, country: str, act: str) -> None:
    """Raises Refused where the band of a country forbids an act."""
    band = empire.countries[country].band
    doing = _FORBIDDEN.get(band, {}).get(act)
    if doing:
        called = {"shaky": "shaky", "crisis": "in crisis", "collapse": "in collapse"}[band]
        raise Refused(f"{country} is {called} this turn and cannot {doing}.", "emp.H-16", country)
