"""Lines of land war that a country could write now: who can be armed."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.empire.countries import Country
from referee.games.empire.formations import FORMATIONS, PER_PART
from referee.games.empire.kinds import ALLOWANCE
from referee.games.empire.orders.forces import idle_coolies
from referee.games.empire.ownership import named
from referee.games.empire.state import Empire
from referee.games.empire.steps.arming import can_arm, missing, wanted_arms
from referee.kit.refused import Refused

__all__ = ["armings", "war_examples"]


def armings(empire: Empire, country: Country) -> Iterator[str]:
    """For each square with arms the strongest formation that an idle coolie there can become."""
    seen: dict[str, bool] = {}
    for unit in idle_coolies(empire, country.name):
        if unit.at in seen or unit.spent + PER_PART > ALLOWANCE:
            continue
        seen[unit.at] = True
        able = [name for name in FORMATIONS if not missing(empire, unit, wanted_arms(unit, name))]
        for name in sorted(able, key=lambda name: -FORMATIONS[name].attack):
            if _lawful(empire, country, unit.number, name):
                yield f"ARM {named(unit)} AS {name}"
                break


def _lawful(empire: Empire, country: Country, number: int, formation: str) -> bool:
    try:
        can_arm(empire, country.owner, number, formation)
    except Refused:
        return False
    return True


def war_examples(empire: Empire, country: Country) -> Iterator[tuple[str, str]]:
    """A line for each verb of land war that the country has one for, by the verb."""
    yield from (("ARM", line) for line in list(armings(empire, country))[:1])
    formation = next(iter(empire.units_of(country.name, *FORMATIONS)), None)
    if formation is not None:
        yield "DISARM", f"DISARM {named(formation)}"
