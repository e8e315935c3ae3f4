"""Letters that a restored database has forgotten.

A reply to a letter that my database knows nothing of: it was restored from a backup made before that letter.

Reply addresses are derived, so those that I gave out after the backup can be told from guesses. A player who answers such a
letter must not be told that there is no such address: he is asked to write again, and the keeper hears of it.
"""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta

from referee.mail import Letter
from referee.service.base import notes
from referee.service.base.office import At, Office
from referee.service.base.ports import LetterIn, MatchRow, Step, Token
from referee.service.base.times import stamp
from referee.service.match.members import member_of
from referee.service.match.playing import load
from referee.service.post.answer_limits import Answering, gist_of
from referee.service.post.post import derived_token, token_secret
from referee.service.post.refusals import refuse_letter, report_set_back
from referee.service.turn.knowledge import called

_TURNS = 40
_COURSES = 4
"""How far ahead of a match its forgotten letters may be: turns, and rewinds in all. A guess costs three milliseconds."""

_TOLD = timedelta(days=14)


def forgotten(at: At, match: str | None, token: str) -> Token | None:
    """The token as I gave it out after the backup was made; None for one that I never did."""
    row = at.step.match(match) if match else None
    secret = notes.TOKEN_SECRET.of().read(at.step)
    if row is None or row.status == "forming" or secret is None:
        return None
    stood = _stood(at.office, row)
    parts = sorted({(m.player, seat) for m in at.step.members(row.name) for seat in (m.seat, "")})
    for turn in range(stood, stood + _TURNS):
        lost = token_secret(at.office.restores[:-1], secret, row.name, turn)
        for course, (player, seat) in itertools.product(range(_COURSES), parts):
            if derived_token(lost, row.name, turn, course, player, seat, 0) == token.lower():
                return Token("", row.name, player, seat, turn)
    return None


def _stood(office: Office, row: MatchRow) -> int:
    """The turn at which a match stands in the backup; where nobody noted a restore, at which it stands."""
    return office.restores[-1].turns.get(row.name, row.turn) if office.restores else row.turn


def answer_forgotten(at: At, row: LetterIn, letter: Letter, token: Token) -> None:
    """Ask the bearer of a forgotten token to write again, to the address that is his now; the keeper is told."""
    match, player = at.step.match(token.match), at.step.player(token.player)
    if match is None or player is None:
        return
    playing, member = load(at, match), member_of(at.step, token)
    stood = called(at.step, match.name, _stood(at.office, match), playing)
    of = f" of {stamp(at.office.restores[-1].made, player.zone)}" if at.office.restores else ""
    why = (
        f"Your letter answers one of mine of {match.name} that I do not know: I was restored from a backup{of}, in which "
        f"{match.name} stands at {stood}. Nothing of your letter was taken."
    )
    instead = ("Write in reply to this letter what you want done now, even if you wrote it before.",)
    refuse_letter(
        at,
        player,
        why,
        instead,
        letter,
        Answering(row.id, "refusal", gist_of(letter.text)),
        token.match,
        playing,
        member,
    )
    notes.SET_BACK.of(match.name).keep(at.step, at.now)
    report_set_back(at, match.name, stood)


def set_back_since(step: Step, now: datetime) -> dict[str, datetime]:
    """Matches of which letters were answered in the last fortnight that the database knew nothing of, and when last."""
    return {match: at for match, at in notes.SET_BACK.every(step).items() if now - at < _TOLD}
