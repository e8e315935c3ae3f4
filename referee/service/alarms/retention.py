"""What is kept for how long: what did something, or came from somebody who showed who he is, for ever; the rest for a while.

A letter that was refused, ignored or only answered, and that showed by no token, key, trusted server or YES who wrote it, keeps
its row, its verdict and the digest of its bytes; the bytes go after some days, or when all such letters become too large.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from referee.service import notes
from referee.service.office import Limits, Office
from referee.service.ports import Spare

_TOGETHER = 200


def drop_spare_bytes(office: Office) -> int:
    """Drop the bytes of letters that need not be kept longer, once an hour; of how many."""
    now = office.clock.now()
    hour = now.replace(minute=0, second=0, microsecond=0)
    with office.store.look() as step:
        if notes.BYTES_DROPPED.of().read(step) == hour:
            return 0
        spare = step.spare_letters()
    old = now - timedelta(days=office.limits.spare_days)
    too_many = [letter for letter, within in _within(office.limits, spare) if not within or letter.received_at < old]
    with office.store.step() as step:
        for letter in too_many[:_TOGETHER]:
            said = f"; its bytes were dropped on {now:%Y-%m-%d}, SHA-256 {letter.digest}"
            step.drop_bytes(letter.id, letter.digest, said)
        if len(too_many) <= _TOGETHER:
            notes.BYTES_DROPPED.of().keep(step, hour)
    return len(too_many[:_TOGETHER])


def _within(limits: Limits, spare: Sequence[Spare]) -> Iterator[tuple[Spare, bool]]:
    """Each letter, the newest first, and whether it may be kept beside those that are newer; shared bytes count once."""
    size, known = 0, set[str]()
    for letter in spare:
        size += 0 if letter.digest in known else letter.size
        known.add(letter.digest)
        yield letter, size <= limits.spare_bytes
