"""Lines of land war that a country could write now: who can be armed, and which attacks could be made at what odds."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.empire.countries import Country
from referee.games.empire.formations import FORMATIONS, PER_PART
from referee.games.empire.intents.war import Attack
from referee.games.empire.kinds import ALLOWANCE, KINDS
from referee.games.empire.ownership import named
from referee.games.empire.proposals import idle
from referee.games.empire.state import Empire
from referee.games.empire.steps.arming import can_arm, missing, wanted_arms
from referee.games.empire.steps.fighting import attackers_near, plan_attack
from referee.kit.refused import Refused

__all__ = ["armings", "attacks", "war_examples"]


def armings(empire: Empire, country: Country) -> Iterator[str]:
    """For each square with arms the strongest formation that an idle coolie there can become."""
    seen: dict[str, bool] = {}
    for unit in idle(empire, country.name):
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


def attacks(empire: Empire, country: Country) -> Iterator[tuple[str, str]]:
    """Attacks of all formations that stand next to somebody: the line, and its odds."""
    troops = [unit for unit in empire.units_of(country.name, *FORMATIONS) if unit.status != "warehouse"]
    beside = [at for unit in troops for at in (unit.at, *(there for _, there in empire.board.grid.around(unit.at)))]
    others = {u.at: True for u in empire.units.values() if KINDS[u.kind].person and u.country != country.name}
    for at in dict.fromkeys(at for at in beside if at in others):
        able = attackers_near(empire, country.owner, at)
        try:
            battle = plan_attack(empire, country.owner, Attack(at, tuple(unit.number for unit in able)))
        except Refused:
            continue
        yield f"ATTACK {at} WITH {', '.join(map(named, able))}", battle.sides.odds


def war_examples(empire: Empire, country: Country, home: str) -> Iterator[tuple[str, str]]:
    """A line for each verb of land war that the country has one for, by the verb."""
    yield from (("ARM", line) for line in list(armings(empire, country))[:1])
    yield from (("ATTACK", line) for line, _ in list(attacks(empire, country))[:1])
    formation = next(iter(empire.units_of(country.name, *FORMATIONS)), None)
    if formation is not None:
        yield "DISARM", f"DISARM {named(formation)}"
    if home:
        yield "RETREAT", f"RETREAT TO {home}"
