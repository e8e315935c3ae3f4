"""Examples for HELP and refusals from a player's own position: a line for every order he can give, and for tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.names import Seat
from referee.games.empire.position.state import Country, Empire
from referee.games.empire.telling import choices


def examples(empire: Empire, seat: Seat) -> Mapping[str, str]:
    """A line for every verb and test that this position has one for, by the word."""
    if empire.ended:
        return {}
    said = dict(choices.examples(empire, seat))
    for country in empire.owned(seat):
        said = dict(_tests(empire, country)) | said
    return said


def _tests(empire: Empire, country: Country) -> Iterator[tuple[str, str]]:
    home = next((city.at for city in empire.cities.values() if city.country == country.name), "")
    other = next((c.name for c in empire.countries.values() if not c.dead and c.owner != country.owner), "")
    if other:
        yield "TREATS", f"{other} TREATS {country.name} AS hostile"
    if other and home:
        yield "OWNS", f"{other} OWNS {home}"
    if home:
        yield "food", f"food IN {home} >= 10"
        yield "coolies", f"coolies IN {home} >= 10"
