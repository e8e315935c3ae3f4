"""Whom a match and its host admit: lists of addresses and domains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.mail import domain_of, spelt
from referee.service.match.house_rules import house_rules
from referee.service.office import At
from referee.service.people.reliability import reliability
from referee.service.ports import Player
from referee.service.remembered import HouseRules

_NEW = 5
"""With so few slots that count somebody is new, and nobody's record keeps him out."""


def is_on(names: Iterable[str], address: str) -> bool:
    """Whether an address is on a list, by itself or by its domain or a domain above it."""
    bare = spelt(address) or address.casefold()
    host = bare.rpartition("@")[2]
    return any(bare == name if "@" in name else (f".{host}").endswith(f".{name}") for name in map(_spelling, names))


def _spelling(name: str) -> str:
    """An address or a domain as it is compared."""
    return (spelt(name) if "@" in name else domain_of(name)) or name.casefold()


def refuse_entry(at: At, match: str, addresses: Sequence[str], whom: str = "you") -> str:
    """Why somebody with these addresses may not take part in a match, or open one (""); "" where he may.

    Every word that lets somebody in asks this. Any address of his that is denied keeps him out; where there is a list of
    those allowed, one of his must be on it. The host's lists go before the match's. `whom` names him to another.
    """
    rules = house_rules(at.step, match) if match else HouseRules()
    for who, of, allow, deny in (
        ("This host", "the host", at.office.allow, at.office.deny),
        (f"The game master of {match}", "the game master", rules.allow, rules.deny),
    ):
        if any(is_on(deny, address) for address in addresses):
            return f"{who} does not admit {whom}; ask {of} if you think that this is a mistake."
        if allow and not any(is_on(allow, address) for address in addresses):
            there = "you are" if whom == "you" else f"{whom} is"
            return f"{who} admits only those on a list, and {there} not on it; ask {of} to put the address there."
    return ""


def refuse_unreliable(at: At, match: str, player: Player) -> str:
    """Why somebody may not play in a match that asks for a record he does not have; "" where he may, and for who is new."""
    wanted = house_rules(at.step, match).reliable
    record = reliability(at, player.id) if wanted and player.id else None
    if record is None or record.counted < _NEW or 100 * record.on_time >= wanted * record.counted:
        return ""
    return f"{match} takes players who are on time in {wanted} of 100 slots; your record: {record.sentence()}"
