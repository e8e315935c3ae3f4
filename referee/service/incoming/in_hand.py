"""A letter that ended the desk: found out by the note of what was in hand, counted, and laid aside without being opened."""

from __future__ import annotations

import logging

from referee.mail import parse_recipient, token_digest
from referee.service.letters import RefusalLetter
from referee.service.office import At, Office
from referee.service.outgoing.alerts import report_shunted
from referee.service.outgoing.post import About, Mail, post
from referee.service.ports import Left, LetterIn
from referee.service.times import stamp

_log = logging.getLogger(__name__)


def charge(office: Office) -> None:
    """Count an attempt of the letter that the desk before this one had in hand when it ended.

    One that computed too long is laid aside at once, for nothing but itself was counted; any other when it has ended
    the desk as often as a letter may fail, for a desk may also end by the machine's fault. Raises NotNow.
    """
    left = office.in_hand.left()
    if left is None:
        return
    why = "it computed too long" if left.where else "the desk ended over it"
    with office.step() as at:
        row = at.step.letter(left.letter) if at.step.claim_new([left.letter]) else None
        attempts = at.step.retry_letter(left.letter, why) if row is not None else 0
        if row is not None and (left.where or attempts >= office.limits.attempts):
            at.step.finish_letter(row.id, "shunted", why)
            _tell(at, row, why)
    office.in_hand.settled()
    _log_it(left, attempts, why)


def _log_it(left: Left, attempts: int, why: str) -> None:
    if left.where:
        _log.error("letter %d is shunted: %s. It was here:\n%s", left.letter, why, left.where.rstrip())
    elif attempts:
        _log.error("letter %d was in hand when the desk ended, for the %d. time", left.letter, attempts)


def _tell(at: At, row: LetterIn, why: str) -> None:
    """Tell the keeper, and whoever it came from if its reply address says who that is: nobody opens it for that."""
    report_shunted(at, row.id, why)
    route = parse_recipient(row.recipient, at.office.address)
    token = at.step.token(token_digest(route.token)) if route is not None and route.token else None
    player = at.step.player(token.player) if token is not None else None
    if token is None or player is None:
        return
    sentence = (
        f"The letter to this match that came from you at {stamp(row.received_at, player.zone)} broke me when I read it, so "
        "nothing of it was done; it is kept, and a person looks at it."
    )
    instead = (
        "What you had on file before it stands.",
        "Write what you want once more, in a short letter of plain text; the very same letter would not be read either.",
    )
    body = RefusalLetter("Your letter could not be read", sentence, instead, None, token.match, player.name)
    post(
        at,
        player,
        Mail("refusal", "your letter could not be read", body, str(row.id)),
        About(at.step.match(token.match)),
    )
