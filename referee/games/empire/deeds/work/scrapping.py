"""Buildings and cities that go over the end of a turn, scrapped or destroyed, and what was saved of them (IV C)."""

from __future__ import annotations

from referee.core.table import Table
from referee.games.empire.deeds.work.cities import standing
from referee.games.empire.events.work.building import WorkDropped
from referee.games.empire.events.work.razing import (
    BuildingGone,
    CityGone,
    SalvageAppeared,
)
from referee.games.empire.position.pieces import Lot, Work
from referee.games.empire.position.state import Empire
from referee.games.empire.reckoning.supply import held
from referee.games.empire.reckoning.work import (
    stands_by,
)
from referee.games.empire.rulebook.plans import PLANS, salvage


def demolish(table: Table[Empire], country: str) -> None:
    """At the end of a turn: what was to be scrapped or destroyed is gone, in the order in which it was ordered."""
    due = [w for w in table.state.works if w.country == country and w.left and _verb(w) in ("scrap", "destroy")]
    for work in due:
        empire = table.state
        verb, _, what = work.what.partition(" ")
        city = empire.city_at(work.at)
        why = _hitch(empire, work)
        if why:
            table.emit(WorkDropped(work.number, work.what, work.at, why))
        elif what == "city" and city is not None:
            table.emit(CityGone(work.country, city.name, work.at, work.number))
        elif verb == "scrap":
            # Pilings in a swamp count among what is lost.
            swamp = {"delta": 1} if empire.board.squares[work.at].terrain == "swamp" else {}
            saved = salvage({**PLANS[what].materials, **swamp})
            table.emit(BuildingGone(work.country, work.number, what, work.at, "scrapped", saved, 1, 1))
        else:
            table.emit(BuildingGone(work.country, work.number, what, work.at, "destroyed"))


def _verb(work: Work) -> str:
    return work.what.partition(" ")[0]


def _hitch(empire: Empire, work: Work) -> str:
    """Why a building stays; empty when it goes."""
    verb, _, what = work.what.partition(" ")
    if not stands_by(empire, work.country, work.unit, work.at):
        return f"coolie {work.unit} did not stay"
    if verb == "scrap" and not held(empire, work.country, work.at, "cmx"):
        return "there is no construction machine"
    if what == "city":
        return "its buildings still stand" if standing(empire, work.at) else ""
    return "" if what in standing(empire, work.at) else "it is gone already"


def salvage_appears(table: Table[Empire], country: str) -> None:
    """At the beginning of a turn: what was saved of scrapped buildings lies on the site."""
    for work in table.state.works:
        if work.country == country and work.what == "salvage":
            parts = [part.split(" ", 1) for part in work.detail.split(", ")]
            city = table.state.city_at(work.at)
            inside = city.name if city is not None and city.country == country else ""
            lots = tuple(Lot(what, int(number), country, work.at, inside) for number, what in parts)
            table.emit(SalvageAppeared(country, work.number, work.at, lots))
