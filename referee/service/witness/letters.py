"""Letters between referees: plain text whose lines are never broken, since programs read them."""

from __future__ import annotations

from referee.mail import Outgoing, compose
from referee.service.office import At
from referee.service.outgoing.post import letter_id
from referee.service.ports import LetterOut


def to_a_program(
    at: At,
    kind: str,
    match: str,
    to: str,
    subject: str,
    text: str,
    unique: str,
    reply_to: str = "",
    answers: str = "",
) -> LetterOut:
    """A letter that a program reads, to be queued. It belongs to no list, or it would be taken for one of those."""
    now = at.now
    id = letter_id(at, kind, unique, "", 0, to)
    envelope = Outgoing(
        sender=at.office.address,
        sender_name=at.office.name,
        to=to,
        reply_to=reply_to or at.office.address,
        subject=subject,
        dated=now,
        message_id=id,
        host=at.office.host,
        text=text,
        answers=answers,
    )
    return LetterOut(0, id, match, kind, at.office.address, to, at.office.sign(compose(envelope)), now, now)
