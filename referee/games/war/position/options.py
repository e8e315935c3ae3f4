"""The optional rules of a match: the settings of CREATE, the one question the rules ask of them, and what excludes what."""

from __future__ import annotations

from referee.core.game import Options
from referee.core.vocabulary import Setting
from referee.games.war.position.state import War

_SWITCH = ("no", "yes")

OPTIONAL = (
    Setting(
        "random_regions", _SWITCH, "Whether starting regions are dealt, and may be swapped.", "27.opt.random_regions.1"
    ),
    Setting(
        "multiple_buildings",
        ("no", "2", "3", "4", "each"),
        "How many kinds of building a region may hold.",
        "27.opt.multiple_buildings.1",
    ),
    Setting(
        "capital_only",
        _SWITCH,
        "Whether only one region of each player, his capital, may hold several buildings.",
        "27.opt.multiple_buildings.3",
    ),
    Setting(
        "hidden_victory",
        _SWITCH,
        "Whether each player holds a secret card worth victory points.",
        "27.opt.hidden_victory.1",
    ),
    Setting("simultaneous", _SWITCH, "Whether all buy and place sealed, and reveal together.", "27.opt.simultaneous.1"),
    Setting(
        "historical",
        _SWITCH,
        "Whether Europe, colonies and local powers have rules of their own.",
        "27.opt.historical.setup.1",
    ),
    Setting("auction", _SWITCH, "Whether the order of a turn is bid for.", "27.opt.auction.1"),
    Setting("suez", _SWITCH, "Whether the Suez Canal can be built.", "27.opt.suez.1"),
    Setting("scorched", _SWITCH, "Whether units may destroy what stands where they are.", "27.opt.scorched.1"),
    Setting("interception", _SWITCH, "Whether fleets must roll to intercept.", "27.opt.interception.1"),
    Setting("alliances", _SWITCH, "Whether others may join a side when war is declared.", "27.opt.alliances.1"),
)
"""One setting for each optional rule, by the name of its ids; all are off unless a match says otherwise (27.opt.0)."""


def plays(war: War, option: str) -> bool:
    """27.opt.0: whether an optional rule is in play in this match."""
    return _on(war.options, option)


def _on(options: Options, option: str) -> bool:
    return options.get(option, "no") != "no"


def maintained_before(war: War) -> bool:
    """R27-102: whether units are paid for before the first production sheet is asked for."""
    return in_order(war) or plays(war, "auction")


def in_order(war: War) -> bool:
    """R27-102: whether native diplomacy and construction have sheets of their own."""
    return war.options.get("production") == "in_order"


def excluded(options: Options) -> str | None:
    """One sentence if two of these options cannot be played together, else None."""
    if _on(options, "capital_only") and not _on(options, "multiple_buildings"):
        return "capital_only says where several buildings may stand: it needs multiple_buildings 2, 3, 4 or each."
    if _on(options, "simultaneous") and options.get("production") == "in_order":
        return "Sealed purchases are read together: simultaneous cannot be played with production in_order."
    if _on(options, "random_regions") and _on(options, "historical"):
        return (
            "Dealt regions leave nothing to pick by the historical rules: play random_regions or historical, not both."
        )
    return None
