"""The verbs of standing orders: what a player wants decided, and how, in the middle of anybody's turn."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.names import Seat
from referee.core.vocabulary import Verb
from referee.games.war.pieces import SHIP

__all__ = ["standing_verbs"]

_NUMBER = ("number",)
_RATIO: Mapping[str, tuple[str, ...]] = {"AT": _NUMBER, "TO": _NUMBER, "NEVER": ()}
_PLACES = ("region", "sea")


def standing_verbs(other: Seat) -> tuple[Verb, ...]:
    """All verbs of standing orders; they may stand in a sheet as well. The examples speak of `other`."""
    return (*_spheres(other), *_seas(other), *_ways_out(), *_battles(), *_explorers(other))


def _spheres(other: Seat) -> tuple[Verb, ...]:
    return (
        Verb(
            "SPHERES", "say whether your spheres support or suppress revolts", f"SPHERES support IN Egypt AGAINST {other}",
            "R27-21", ("stance",), 1, 1, {"IN": ("region",), "AGAINST": ("side",)},
        ),
        Verb(
            "STRIKE", "say whose spheres go first where your region has more than its native level", f"STRIKE {other}",
            "27.combat.explorer.5", ("side",), 1,
        ),
        Verb(
            "POINTS", "say what the points after a suppressed revolt are taken off first, and how many", "POINTS 1 sphere",
            "27.combat.natives.7", ("aim", "sphere"), 1, 1, {"OF": ("side",)},
        ),
    )  # fmt: skip


def _seas(other: Seat) -> tuple[Verb, ...]:
    when: Mapping[str, tuple[str, ...]] = {"ALWAYS": (), "CARRYING": (), **_RATIO, "IN": ("sea",), "WITH": ("unit",)}
    return (
        Verb(
            "STRAITS", "let fleets of others through your strait or canal, or not", f"STRAITS open EXCEPT {other}",
            "R27-03", ("leave",), 1, 1, {"EXCEPT": ("side",)},
        ),
        Verb(
            "INTERCEPT", "say when to intercept (ALWAYS, NEVER, CARRYING units, or AT so many fleets TO 1), WITH how many",
            f"INTERCEPT {other} IN Arabian Sea AT 2 TO 1", "27.move.naval.3", ("side",), 0, 1, when,
        ),
        Verb(
            "BREAK OFF", "leave a naval battle when he has more than so many fleets to 1, or NEVER",
            "BREAK OFF AT 2 TO 1", "27.combat.naval.3", prepositions=_RATIO, aliases=("NAVAL",),
        ),
        Verb(
            "LOSE FLEETS", "say which of your fleets take hits first: empty or loaded ones, or fleet 2, fleet 1 by their numbers",
            "LOSE FLEETS loaded IN Red Sea", "27.combat.naval.2", ("empty or loaded fleet", SHIP), 1, None, {"IN": ("sea",)},
        ),
    )  # fmt: skip


def _ways_out() -> tuple[Verb, ...]:
    return (
        Verb(
            "DISBAND", "say which units go first when maintenance cannot be paid", "DISBAND explorers, infantry IN Egypt",
            "27.production.maintain.2", ("unit",), 1, None, {"IN": (*_PLACES, "unit"), "FROM": (*_PLACES, "unit")},
        ),
        Verb(
            "EVACUATE", "say where units go that must leave a region, best first", "EVACUATE TO Egypt, Arabian Sea",
            "R27-37", prepositions={"TO": _PLACES}, needs=("TO",),
        ),
        Verb(
            "REINFORCE", "let a general come to the help of a region, if not too many brigades attack it",
            "REINFORCE Egypt FROM Palestine WITH cavalry, infantry AGAINST up to 5 brigades", "27.move.reinforce.2",
            ("region",), 1, 1, {"FROM": ("region",), "WITH": ("unit",), "AGAINST": ("strength",)}, ("FROM",),
        ),
    )  # fmt: skip


def _battles() -> tuple[Verb, ...]:
    retreat: Mapping[str, tuple[str, ...]] = {
        "NEVER": (), "AFTER": _NUMBER, "AFTER ROUND": _NUMBER, "BELOW": ("number", "strength"), "OUTNUMBERED": _NUMBER,
        "FROM": ("region",), "TO": (*_PLACES, "number"),
    }  # fmt: skip
    return (
        Verb(
            "RETREAT", "say when to leave a land battle (NEVER, AFTER a round, BELOW so many brigades, OUTNUMBERED so many "
            "TO 1), and where to", "RETREAT BELOW 3 FROM Egypt TO Palestine, Eastern Mediterranean", "27.combat.land.4",
            prepositions=retreat,
        ),
        Verb(
            "SHIFT", "say how much of its modifier your general turns against the enemy", "SHIFT 2 points",
            "27.combat.drm.2", ("points", "number", "nothing", "any"), 1, 1,
        ),
        Verb(
            "LOSE", "say in which order you lose units in battle", "LOSE infantry, artillery IN Egypt",
            "27.combat.losses.1", ("unit",), 1, None, {"IN": ("region",)},
        ),
        Verb(
            "FUSE", "fuse your hits by threes into one on a brigade of this kind, or NEVER", "FUSE FOR artillery",
            "27.combat.losses.2", prepositions={"FOR": ("unit",), "NEVER": ()},
        ),
        Verb(
            "CONVERT", "say which party becomes infantry when no brigade is left; none retreats", "CONVERT 1 explorer",
            "27.combat.results.3", ("unit", "nothing"), 1, 1,
        ),
        Verb(
            "RUN NATIVES", "run native armies in battles of others by your own loss orders", "RUN NATIVES",
            "27.combat.natives.4", prepositions={"AGAINST": ("side",)},
        ),
    )  # fmt: skip


def _explorers(other: Seat) -> tuple[Verb, ...]:
    return (
        Verb(
            "FAVOUR", "let your spheres help these players' explorers", f"FAVOUR {other}", "R27-72", ("side",), 1,
        ),
        Verb(
            "PICK", "say which resource you keep of those drawn, best first", "PICK Oil, Gold",
            "27.combat.prospect.2", ("resource",), 1,
        ),
    )  # fmt: skip
