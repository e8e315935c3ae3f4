"""House rules in force: which choice of each set holds in a match now and in the next turn, and its figures."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.empire.position.countries import Petition
from referee.games.empire.position.state import Empire
from referee.games.empire.rulebook.houses import COMBAT, CONFIDENCE, SETS, STANDARD, Confidence, figure_of
from referee.kit.refused import Refused


def chosen(empire: Empire, house: str) -> str:
    """The choice of a set in force: what a petition put in force, else what the match was created with."""
    return empire.houses.get(house) or empire.options.get(house, STANDARD)


def waiting(empire: Empire) -> tuple[Petition, ...]:
    """Petitions for another choice that have passed and are not in force yet (emp.P19)."""
    return tuple(p for p in empire.petitions if p.house and p.result == "passed" and not p.since)


def coming(empire: Empire, house: str) -> str:
    """The choice of a set that will be in force in the next turn."""
    passed = [petition.choice for petition in waiting(empire) if petition.house == house]
    return passed[-1] if passed else chosen(empire, house)


def check_choice(empire: Empire, house: str, choice: str) -> None:
    """emp.P19: a change names a set, and a choice of it that is not in force anyway. Raises Refused."""
    if house not in SETS:
        lines = tuple(f'PETITION FOR change OF {name} TO {_others(empire, name)[0]} "..."' for name in SETS)
        unknown = f"There is no set of house rules {house}" if house else "Say of which set of house rules"
        raise Refused(f"{unknown}; there are {', '.join(SETS)}.", "emp.P19", house, lines)
    lines = tuple(f'PETITION FOR change OF {house} TO {other} "..."' for other in _others(empire, house))
    if choice not in SETS[house].choices:
        unknown = f"{house} has no choice {choice}" if choice else f"Say to which choice {house} shall change"
        raise Refused(f"{unknown}; it has {', '.join(SETS[house].choices)}.", "emp.P19", choice, lines)
    if choice == coming(empire, house):
        when = "is in force" if choice == chosen(empire, house) else "has been voted for the next turn"
        others = ", ".join(_others(empire, house))
        raise Refused(f"{house} {choice} {when} already; the other choices are {others}.", "emp.P19", choice, lines)


def _others(empire: Empire, house: str) -> tuple[str, ...]:
    return tuple(choice for choice in SETS[house].choices if choice != coming(empire, house))


def figure(empire: Empire, house: str, name: str) -> int:
    """A figure of the choice in force: `figure(empire, "goods", "edu")`."""
    return figure_of(house, chosen(empire, house), name)


def confidence(empire: Empire) -> Confidence:
    """The figures of confidence in force (emp.H-14, emp.H-15)."""
    return CONFIDENCE[chosen(empire, "confidence")]


def combat_table(empire: Empire) -> Mapping[str, tuple[str, ...]]:
    """By odds such as `3:1`, what a die of 1 to 6 decides (emp.H-28)."""
    return COMBAT[chosen(empire, "combat")]


def since_when(empire: Empire, house: str, choice: str) -> str:
    """Whether a choice is in force now, since when, and whether a petition has changed that."""
    now, later = chosen(empire, house), coming(empire, house)
    if choice == now:
        since = [p.since for p in empire.petitions if p.since and p.house == house]
        held = f"since turn {since[-1]}" if since else "yes"
        return held if later == now else f"until turn {empire.turn} is over"
    return f"from turn {empire.turn + 1} on" if choice == later else ""
