"""Retention: the bytes of old letters dropped in their time.

Letters that did something, or came from somebody who showed who he is, are kept for ever; the rest for a while.

A letter that was refused, ignored or only answered, and that showed by no token, key, trusted server or YES who wrote it,
keeps its row, its verdict and the digest of its bytes; the bytes go after some days, or when all such letters become too
large. Where the house wants it, letters of a match that is over lose what they say some days after its end, those to it and
those from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from referee.service.base import notes
from referee.service.base.office import Limits, Office
from referee.service.base.ports import Spare
from referee.service.base.times import iso

_TOGETHER = 200


def drop_bytes(office: Office) -> int:
    """Drop what letters say that need not be kept longer, once an hour; of how many."""
    hour = office.clock.now().replace(minute=0, second=0, microsecond=0)
    with office.store.look() as step:
        if notes.BYTES_DROPPED.of().read(step) == hour:
            return 0
    dropped = _drop_spare(office) or _drop_of_ended(office)
    if not dropped:
        with office.store.step() as step:
            notes.BYTES_DROPPED.of().keep(step, hour)
    return dropped


def _drop_of_ended(office: Office) -> int:
    """Letters of matches that have been over for long; how many."""
    now, days = office.clock.now(), office.limits.letter_days
    if not days:
        return 0
    before = iso(now - timedelta(days=days))
    with office.store.step() as step:
        came, went = step.old_letters_in(before, _TOGETHER), step.old_letters_out(before, _TOGETHER)
        for letter in came:
            step.drop_bytes(
                letter.id, letter.digest, f"; its match is over, and its bytes were dropped on {now:%Y-%m-%d}"
            )
        step.drop_words(went)
    return len(came) + len(went)


def _drop_spare(office: Office) -> int:
    """Letters that did nothing; how many."""
    now = office.clock.now()
    with office.store.look() as step:
        spare = step.spare_letters()
    old = now - timedelta(days=office.limits.spare_days)
    too_many = [letter for letter, within in _within(office.limits, spare) if not within or letter.received_at < old]
    with office.store.step() as step:
        for letter in too_many[:_TOGETHER]:
            said = f"; its bytes were dropped on {now:%Y-%m-%d}, SHA-256 {letter.digest}"
            step.drop_bytes(letter.id, letter.digest, said)
            row = step.letter(letter.id)
            if row is not None and row.status == "shunted":  # nobody can do anything with it any more
                step.finish_letter(letter.id, "discarded", row.verdict, was="shunted")
    return len(too_many[:_TOGETHER])


def _within(limits: Limits, spare: Sequence[Spare]) -> Iterator[tuple[Spare, bool]]:
    """Each letter, the newest first, and whether it may be kept beside those that are newer; shared bytes count once."""
    size, known = 0, set[str]()
    for letter in spare:
        size += 0 if letter.digest in known else letter.size
        known.add(letter.digest)
        yield letter, size <= limits.spare_bytes
