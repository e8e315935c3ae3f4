"""A fault for every oracle: an event that is forged in a log which was right, so that the oracle must find it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from referee.core.event import Event, Rolled
from referee.games.empire.events.work import GoodsConsumed
from referee.games.empire.game import GAME as EMPIRE
from referee.games.newworld.events import AttackBeaten, PowerEliminated
from referee.games.newworld.game import GAME as NEWWORLD
from referee.games.war.game import GAME as WAR27
from referee.games.war17.game import GAME as WAR17
from tests.oracles.empire_ground import LAND_RATES, PLANES, SEA_RATES

Forge = Callable[[Any], Event | None]
"""The event as it is forged; None leaves it."""


class Fault(NamedTuple):
    """Events of a kind, and how one is forged."""

    kind: type[Event]
    forge: Forge


def _more(field: str, by: int = 1) -> Forge:
    """A number that is larger than it was."""
    return lambda event: replace(event, **{field: getattr(event, field) + by})


def _other(**fields: Any) -> Forge:
    """Fields that are not what they were."""
    return lambda event: replace(event, **fields) if any(getattr(event, n) != v for n, v in fields.items()) else None


def _where(fits: Callable[[Any], bool], forge: Forge) -> Forge:
    """Only events that fit."""
    return lambda event: forge(event) if fits(event) else None


def _first_lot(field: str = "lots", **changes: Any) -> Forge:
    """The first of some lots otherwise; with `number` so many more."""

    def forge(event: Any) -> Event | None:
        lots = getattr(event, field)
        if not lots:
            return None
        number = lots[0].number + changes.get("number", 0)
        forged: Event = replace(event, **{field: (replace(lots[0], **{**changes, "number": number}), *lots[1:])})
        return forged

    return forge


def _volley(field: str, by: int) -> Forge:
    """A round in which the first side has more of something."""
    return lambda e: replace(
        e, volleys=(replace(e.volleys[0], **{field: getattr(e.volleys[0], field) + by}), *e.volleys[1:])
    )


def _blow(field: str, by: Any) -> Forge:
    """A blow with another modifier."""
    return lambda e: (
        replace(e, blows=(replace(e.blows[0], **{field: getattr(e.blows[0], field) + by}), *e.blows[1:]))
        if e.blows
        else None
    )


def _kinds(*classes: type[Event]) -> Mapping[str, type[Event]]:
    return {kind.__name__: kind for kind in classes}


NW = _kinds(*NEWWORLD.events)
WAR = _kinds(*WAR17.events, *WAR27.events)
EMP = _kinds(*EMPIRE.events)


def _fault(kinds: Mapping[str, type[Event]]) -> Callable[[str, Forge], Fault]:
    return lambda name, forge: Fault(kinds[name], forge)


_nw, _war, _emp = map(_fault, (NW, WAR, EMP))

AT_SEA: dict[str, Fault] = {
    "purse": _war("UnitsBought", _more("pp")),
    "marches": _war("UnitsMoved", _other(target="Japan")),
    "sailing": _war("FleetsMoved", _other(target="Baltic Sea")),
    "naval_dice": _war("NavalRoundFought", _more("hits")),
    "naval_losses": _war("NavalRoundFought", _more("hits")),
    "prices": _war("UnitsBought", _more("pp")),
    "start": _war("PiecesBought", _more("pp")),
    "victory": _war("GameEnded", _more("points")),
}
"""Faults of both versions of War!."""

FAULTS: dict[str, dict[str, Fault]] = {
    "newworld": {
        "set_up": _nw("TerritoriesSettled", _other(given=("Grain", "Grain", "Ore", "Forest"))),
        "production": _nw(
            "ResourcesProduced", lambda e: replace(e, gains={**e.gains, "gold": e.gains.get("gold", 0) + 1})
        ),
        "upkeep": _nw("ResourcesLost", _where(lambda e: e.by_rule == "nw.upkeep.workers", _more("amount", -1))),
        "fortune": _nw("EventCame", _other(name="Piracy")),
        "prices": _nw("WorkersHired", _other(paid={"food": 1, "cloth": 1})),
        "bank": _nw("ResourcesBought", _more("gold")),
        "trade": _nw("TradeDone", _other(gives={"gold": 99})),
        "research": _nw("TechnologyAdvanced", _more("gold")),
        "exploration": _nw("ColonyClaimed", _other(paid={"workers": 2})),
        "decks": _nw("ResearchDrawn", lambda e: replace(e, cards=e.cards[1:]) if e.cards else None),
        "transport": _nw("ArmiesMoved", _more("amount", 9)),
        "books": _nw("ResourcesBought", _more("amount")),
        "attack_dice": _nw("AttackLaunched", lambda e: replace(e, defence=(*e.defence, ("drill", 1)))),
        "attacks": _nw("AttackLaunched", lambda e: replace(e, strength=(*e.strength, ("fleets", 99)))),
        "losses": Fault(
            Rolled, _where(lambda e: "rolls for" in e.why, lambda e: replace(e, faces=(6,) * len(e.faces)))
        ),
        "prize": _nw("TerritoryTaken", lambda e: AttackBeaten(e.seat, "rebels", "Europe", "forged")),
        "elimination": _nw("ResourcesProduced", lambda e: PowerEliminated(e.seat, 3)),
        "ending": _nw("TurnPassed", _more("round")),
    },
    "war27": {
        **AT_SEA,
        "income": _war("IncomeCollected", _more("pp")),
        "diplomacy_points": _war("IncomeCollected", _more("dp")),
        "maintenance": _war("MaintenancePaid", _more("pp")),
        "building": _war("UnitsBought", _where(lambda e: e.kind == "infantry", _other(kind="general"))),
        "colonies": _war("UnitsBought", _more("number", 9)),
        "armies": _war("BattleBegan", _where(lambda e: e.defender is None, _other(defence=(("infantry", 99),)))),
        "modifiers": _war("RoundFought", _volley("drm", 9)),
        "hits": _war("RoundFought", _volley("hits", 1)),
        "losses": _war("RoundFought", _volley("hits", 1)),
        "victors": _war("BattleEnded", lambda e: replace(e, winner=e.loser, loser=e.winner)),
        "portage": _war("UnitsEmbarked", lambda e: replace(e, load=replace(e.load, number=e.load.number + 9))),
        "reinforcements": _war("ReinforcementAnnounced", _more("points")),
        "explorers": _war("DiplomacyRolled", _more("dice")),
        "revolts": _war("RevoltRolled", _more("strength")),
        "westernizing": _war("NativesReduced", _more("before")),
        "prospecting": _war("ChitReplaced", _more("pp")),
        "conquests": _war("DiplomacyGained", _more("dp")),
    },
    "war17": {
        **AT_SEA,
        "income": _war("ProductionCollected", _more("pp")),
        "blockade": _war("BlockadeRolled", _more("pp")),
        "exploration": _war("ExplorationRolled", _more("dice")),
        "deployment": _war("ArmyDeployed", lambda e: replace(e, force=replace(e.force, box={"engineer": 99}))),
        "blows": _war("BlowsStruck", _blow("modifier", 2)),
        "pursuit": _war("ArmyPursued", _blow("modifier", 1)),
        "losses": _war("UnitsLost", _where(lambda e: e.why == "eliminated in battle", _other(why="forged"))),
    },
    "empire": {
        "capitals": _emp("CapitalPlaced", _more("confidence")),
        "picks": _emp("PicksAppeared", lambda e: replace(e, units=(*e.units, "truck"))),
        "output": _emp("OutputAppeared", _first_lot(number=1)),
        "births": _emp("CooliesBorn", _other(at="c1r1")),
        "feeding": _emp("FoodEaten", _more("mouths")),
        "supply": _emp("FoodEaten", _first_lot(what="beer")),
        "investment": _emp("SquareInvested", _more("points")),
        "land_moves": _emp("UnitMoved", _where(lambda e: e.kind in LAND_RATES, _more("cost"))),
        "sea_moves": _emp("UnitMoved", _where(lambda e: e.kind in SEA_RATES, _more("cost"))),
        "flights": _emp("UnitMoved", _where(lambda e: e.kind in PLANES, _more("cost"))),
        "pipelines": _emp("OilPumped", lambda e: replace(e, to=replace(e.to, spent=e.to.spent + 30))),
        "wind": _emp("WindRolled", lambda e: replace(e, wind="S" if e.wind == "N" else "N")),
        "materials": _emp("MaterialsUsed", _first_lot(number=1)),
        "finished": _emp("WorkFinished", _more("cost")),
        "production": _emp("GoodsMade", _more("cost")),
        "power": _emp("StationRan", _more("power")),
        "consumption": _emp("StationRan", lambda e: GoodsConsumed(e.country, e.at, (), (), 6)),
        "salvage": _emp("SalvageAppeared", _first_lot(what="Bm")),
        "battles": _emp("BattleFought", lambda e: replace(e, die=e.die % 6 + 1)),
        "dues": _emp("DuesCounted", _more("oil")),
        "pay": _emp("DuesCounted", _more("pay")),
        "debts": _emp("DebtPaid", _first_lot(number=1)),
        "bookings": _emp("SquareInvested", _more("edu")),
        "fund": _emp("BudgetClosed", _more("fund")),
        "rolls": _emp("ConfidenceRolled", _more("roll")),
        "confidence": _emp("ConfidenceMoved", _more("economy")),
    },
}
"""By game and oracle."""
