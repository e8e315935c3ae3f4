"""What the words of a letter weigh: a reply address alone does not do for those that cannot be undone."""

from __future__ import annotations

from functools import cache

from referee.orders import Reading
from referee.service.commands.words import commands, masters_words
from referee.service.overrides.hand import Weight


@cache
def grave_words() -> frozenset[str]:
    """What cannot be undone, or lets somebody in for good."""
    return frozenset(command.word for command in commands() if command.grave) | {"SET address", "SET key"}


def weigh(reading: Reading, game_master: bool, key: bool = False, becomes: bool = False) -> Weight:
    """The weight of what would be done of a letter; `key`: it sets a new one, `becomes`: it is written for another seat."""
    address = any(s.order.verb == "SET" and "address" in s.source.casefold() for s in reading.desk)
    verbs = [s.order.verb for s in reading.desk]
    verbs += [word for word, there in (("SET key", key), ("SET address", address), ("BECOME", becomes)) if there]
    found = tuple(dict.fromkeys(verbs))
    masters = tuple(word for word in found if word in masters_words()) if game_master else ()
    return Weight(tuple(word for word in found if word in grave_words()), masters)
