"""Sealing: the log is fixed before dice are thrown, and their key is made of its head.

A run of the rules asks for a seal when it needs dice (core.stage.Dice). The entries it has written by then go into the chain, the
seal after it; the hash of the seal's entry covers every letter before. docs/verify.md has the format.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from referee.core.chance import LINKS, Chance, Keyed, hidden_link, key_of, link
from referee.core.record import Codec, Entry, Opened, Pledged, Record, Sealed, kind_of, seal
from referee.service.base.ports import MatchRow

Round = Callable[[], int]
"""The round of the beacon that a seal made now shall wait for; 0: none."""


class Key(msgspec.Struct, frozen=True):
    """The sources of the dice under a seal: the link, the head, and the signature of the round, once it is there."""

    chain: int
    link: int
    head: str
    hidden: bool
    round: int
    waits: bool
    signature: str = ""

    def chance(self, secret: bytes) -> Chance:
        """The dice of the match secret under this seal."""
        of = hidden_link(secret) if self.hidden else link(secret, self.chain, self.link)
        return Keyed(key_of(of, self.head, bytes.fromhex(self.signature)))


class Seals(msgspec.Struct, frozen=True):
    """A log's seals: the chain of secrets in use (-1: none yet), its link, how many seals, and their keys by number.

    `later`: this chain began later than the match, so the first letter does not have its end.
    """

    chain: int = -1
    link: int = 0
    number: int = 0
    keys: Mapping[int, Key] = {}
    later: bool = False

    def followed(self, entries: Iterable[tuple[Entry, Record]]) -> Seals:
        """With further entries of the log, those of dead stretches too: no link serves twice."""
        at, keys = self, dict(self.keys)
        for entry, record in entries:
            match record:
                case Pledged(chain=chain):
                    at = replace(at, chain=chain, link=0, later=entry.seq > 1)
                case Sealed():
                    keys[record.number] = _key(record, entry.hash, keys)
                    at = replace(at, number=record.number, link=record.link or at.link)
                case Opened(number=number, signature=signature) if number in keys:
                    open = replace(keys[number], waits=False, signature=signature)
                    keys |= {each: open for each, key in keys.items() if key.head == open.head}
        return replace(at, keys=keys)

    def opens(self, secret: bytes) -> str:
        """The last link in use, in hex; "" before the first."""
        return link(secret, self.chain, self.link).hex() if self.link else ""


def _key(record: Sealed, head: str, keys: Mapping[int, Key]) -> Key:
    if record.again and record.again in keys:
        return keys[record.again]
    return Key(record.chain, record.link, head, record.hidden, record.round, bool(record.round))


class Writing:
    """The follower of a log, entry by entry, and of the dice under its seals: a run of the rules is handed it (core.stage.Dice)."""

    def __init__(
        self, row: MatchRow, codec: Codec, head: Entry, seals: Seals, at: str, cause: str, round: Round = lambda: 0
    ) -> None:
        self._row, self._codec, self._at, self._cause, self._round = row, codec, at, cause, round
        self._head = head
        self.seals = seals
        self._done = 0
        self._entries: list[tuple[Entry, Record]] = []

    def seal(self, written: Sequence[Record], hidden: bool, held: Sealed | None, more: bool) -> Sealed:
        """The seal of a throw; what was written by then comes before it, and a commitment where a chain begins."""
        self._take(written[self._done :])
        self._done = len(written)
        number = self.seals.number + 1
        if held is not None:
            waits = held.number in self.seals.keys and self.seals.keys[held.number].waits
            made = Sealed(number, round=held.round if waits else 0, hidden=hidden, again=held.again or held.number)
        else:
            round = 0 if more else self._round()
            made = Sealed(number, round=round, hidden=True) if hidden else self._with_a_link(number, round)
        self._take([made])
        self._done += 1
        return made

    def _with_a_link(self, number: int, round: int) -> Sealed:
        if self.seals.chain < 0 or self.seals.link == LINKS:
            self._take([pledge(self._row.secret, self.seals)])
        chain, at = self.seals.chain, self.seals.link
        return Sealed(number, chain, at + 1, link(self._row.secret, chain, at).hex(), round)

    def under(self, seal: Sealed | None, opened: Opened | None) -> Chance | None:
        """The dice under a seal; None while its round is not there. No die of a match falls without a seal."""
        if seal is None:
            return None
        keys = self.seals.keys
        key = keys.get(seal.number) or keys.get(seal.again)  # one that is given is not in the chain yet
        if key is not None and opened is not None:
            key = replace(key, waits=False, signature=opened.signature)
        return None if key is None or key.waits else key.chance(self._row.secret)

    def finished(self, written: Sequence[Record]) -> list[tuple[Entry, Record]]:
        """All that was written, as entries of the log, with the commitments between."""
        self._take(written[self._done :])
        self._done = len(written)
        return self._entries

    def _take(self, records: Iterable[Record]) -> None:
        fresh = []
        for record in records:
            payload = self._codec.dump(record)
            # A seal has the moment of what it seals, so that none is left to choose.
            at = self._head.at if isinstance(record, Sealed) else self._at
            self._head = seal(self._row.secret, self._row.name, self._head, at, kind_of(record), payload, self._cause)
            fresh.append((self._head, record))
        self._entries += fresh
        if any(isinstance(record, Sealed | Opened | Pledged) for _, record in fresh):
            self.seals = self.seals.followed(fresh)


def pledge(secret: bytes, seals: Seals) -> Pledged:
    """The commitment to the next chain of secrets."""
    chain = seals.chain + 1
    return Pledged(chain, link(secret, chain, 0).hex(), LINKS, seals.opens(secret))


def lots(secret: bytes, match: str, at: str, wishes: Sequence[Sequence[str]]) -> Chance:
    """The lots by which seats are given: of the secret, of what was asked for, and of the time of the first entry."""
    asked = msgspec.json.encode((match, at, wishes))
    return Keyed(key_of(hidden_link(secret), hashlib.sha256(asked).hexdigest()))


def anchor_of(secret: bytes, seals: Seals) -> str:
    """The end of the chain in use, in hex: what its next secret is hashed to; "" before the first commitment."""
    return link(secret, seals.chain, 0).hex() if seals.chain >= 0 else ""
