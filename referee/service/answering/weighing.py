"""What the words of a letter weigh: a reply address alone does not do for those that cannot be undone."""

from __future__ import annotations

from referee.orders import Reading
from referee.service.commands.master_words import FOR_GAME_MASTERS
from referee.service.sheets.visit import Weight

GRAVE = frozenset(
    [
        "ABANDON",
        "BECOME",
        "DUMMY",
        "EJECT",
        "FORWARD",
        "PROMOTE",
        "REPLACE",
        "RESIGN",
        "REWIND",
        "SET address",
        "SET key",
        "TAKEOVER",
        "TERMINATE",
    ]
)
"""What cannot be undone, or lets somebody in for good."""

_MASTERS = frozenset(verb.word for verb in FOR_GAME_MASTERS)


def weigh(reading: Reading, game_master: bool, key: bool = False, becomes: bool = False) -> Weight:
    """The weight of what would be done of a letter; `key`: it sets a new one, `becomes`: it is written for another seat."""
    address = any(s.order.verb == "SET" and "address" in s.source.casefold() for s in reading.desk)
    verbs = [s.order.verb for s in reading.desk]
    verbs += [word for word, there in (("SET key", key), ("SET address", address), ("BECOME", becomes)) if there]
    found = tuple(dict.fromkeys(verbs))
    masters = tuple(word for word in found if word in _MASTERS) if game_master else ()
    return Weight(tuple(word for word in found if word in GRAVE), masters)
