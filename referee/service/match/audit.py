"""The audit: a match re-adjudicated from its log. Every event, die and report must come out the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from referee.core.chance import Chance, Keyed, commitment
from referee.core.event import Drawn, Event, PhaseBegan, Rolled
from referee.core.game import Game
from referee.core.names import Role
from referee.core.position import Diverged, start
from referee.core.record import (
    Created,
    Entry,
    Happened,
    Live,
    Record,
    Rewound,
    Tampered,
    check_chain,
    live,
)
from referee.core.stage import Ended, resume
from referee.service.match.hidden_lateness import tells_late
from referee.service.match.playing import codec_of


class Audited(msgspec.Struct, frozen=True):
    """What an audit found. `trouble` is "" when everything is as it should be."""

    entries: int
    events: int
    dice: int
    draws: int
    phases: int
    rewinds: int
    head: str
    letters: int = 0
    trouble: str = ""
    at: int = -1
    note: str = ""
    ended: tuple[Ended[Any], ...] = ()

    @property
    def sound(self) -> bool:
        """Whether nothing was found wrong."""
        return not self.trouble


def audit(game: Game[Any], secret: bytes, entries: Sequence[Entry]) -> Audited:
    """Check the chain with the secret, then run every script again over it, dead stretches too."""
    try:
        head = check_chain(entries, secret)
        records = _records(game, entries)
        alive, _, _ = live(records)
        ended = _rerun(game, secret, alive)
        rewinds = 0
        for index, (_, record) in enumerate(records):
            if isinstance(record, Rewound):
                rewinds += 1
                _rerun(game, secret, live(records[:index])[0])
    except Tampered as found:
        return _found(entries, str(found), found.seq)
    except Diverged as found:
        return _found(entries, f"the rules do not give what the log says: {found}", -1)
    return _sound(game, entries, records, head, rewinds, ended)


def _records(game: Game[Any], entries: Sequence[Entry]) -> list[tuple[int, Record]]:
    codec = codec_of(game)
    records: list[tuple[int, Record]] = []
    for entry in entries:
        try:
            records.append((entry.seq, codec.load(entry.payload)))
        except msgspec.DecodeError as problem:
            raise Tampered(entry.seq, f"its payload cannot be read ({problem})") from problem
    return records


def _rerun(game: Game[Any], secret: bytes, alive: Sequence[Live]) -> tuple[Ended[Any], ...]:
    """Run all phases of some live records again. Raises Diverged."""
    created = alive[0].record
    if not isinstance(created, Created):
        raise Diverged("the log does not begin with the creation of the match")
    if created.commitment != commitment(secret):
        raise Diverged("the secret is not the one that was committed to in the first letter")
    tail = [entry.record for entry in alive[1:]]
    outcome = resume(game, codec_of(game), start(game, created), tail, (), _dice(game, secret, alive), lambda _: True)
    if outcome.written:
        raise Diverged(f"the rules go on where the log stops, with {outcome.written[0]!r}")
    return outcome.ended


def _dice(game: Game[Any], secret: bytes, alive: Iterable[Live]) -> Callable[[str], Chance]:
    """Dice for each phase, keyed with the epoch in which it began."""
    codec = codec_of(game)
    epochs: dict[str, int] = {}
    for entry in alive:
        if isinstance(entry.record, Happened):
            event = codec.event(entry.record.event)
            if isinstance(event, PhaseBegan):
                epochs[event.key] = entry.epoch
    return lambda phase: Keyed(secret, epochs.get(phase, 0))


def _found(entries: Sequence[Entry], trouble: str, at: int) -> Audited:
    return Audited(len(entries), 0, 0, 0, 0, 0, entries[-1].hash if entries else "", trouble=trouble, at=at)


def _sound(
    game: Game[Any],
    entries: Sequence[Entry],
    records: Iterable[tuple[int, Record]],
    head: str,
    rewinds: int,
    ended: tuple[Ended[Any], ...],
) -> Audited:
    codec = codec_of(game)
    events: list[Event] = [codec.event(r.event) for _, r in records if isinstance(r, Happened)]
    dice = sum(len(event.faces) for event in events if isinstance(event, Rolled))
    draws = sum(len(event.items) for event in events if isinstance(event, Drawn))
    return Audited(len(entries), len(events), dice, draws, len(ended), rewinds, head, ended=ended)


def public_entry(game: Game[Any], entry: Entry, over: bool, discreet: bool = False) -> dict[str, Any]:
    """An entry as the archive shows it: secret payloads are withheld until the match is over.

    Where lateness is hidden (`discreet`) so is what would tell of it: causes, which name deadlines and letters, the kind
    of what is secret, for whose sheets came in, and overrides of one player's time.
    """
    shown = msgspec.structs.asdict(entry)
    if over:
        return shown
    public = _is_public(game, entry, discreet)
    shown["payload"] = shown["payload"] if public else None
    if discreet:
        shown |= {"cause": None, "kind": shown["kind"] if public else None}
    return shown


def _is_public(game: Game[Any], entry: Entry, discreet: bool) -> bool:
    if entry.kind not in ("created", "override", "rewound", "forwarded", "event"):
        return False
    codec = codec_of(game)
    record = codec.load(entry.payload)
    if discreet and tells_late(record):
        return False
    if entry.kind != "event":
        return True
    if not isinstance(record, Happened):
        return False
    event = codec.event(record.event)
    return event.told_to(Role.OBSERVER) is event


def public_log(game: Game[Any], entries: Iterable[Entry], over: bool, discreet: bool = False) -> bytes:
    """The log for the archive, a JSON object a line."""
    lines = (msgspec.json.encode(public_entry(game, entry, over, discreet)) for entry in entries)
    return b"\n".join(lines) + b"\n"
