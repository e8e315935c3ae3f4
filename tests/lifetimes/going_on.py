"""Going on with kept matches: what another program does with them, and what their players do and find."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from referee.service.match.audit import Audited, audit
from tests.lifetimes.club import Club
from tests.lifetimes.kept import KeptMatch, KeptPlayer

PERIODS = 8
"""So many periods of 12 hours a phase may stay open that nobody answers any more: a slot with its grace, and once more."""


class Wrote(msgspec.Struct, frozen=True):
    """What somebody wrote, and the kinds and texts of what he was answered."""

    match: str
    seat: str
    body: str
    answers: tuple[tuple[str, str], ...]


def writes(club: Club, kept: KeptMatch, who: KeptPlayer, body: str) -> Wrote:
    """Somebody replies to the letter that the version before sent him."""
    mails = club.write(who.address, body, who.reply_to, f"Re: [{kept.name}]")
    return Wrote(kept.name, who.seat, body, tuple((m.kind, m.flat) for m in mails if m.to == who.address))


def letters_of_everybody(club: Club, kept: KeptMatch) -> list[Wrote]:
    """A player who owes something and the game master ask how it stands, and the player returns the sheet proposed to him."""
    owing = [player for player in kept.players if player.proposed]
    wrote = [writes(club, kept, who, "STATUS") for who in (owing[-1], kept.master)]
    return [*wrote, writes(club, kept, owing[-1], "\n".join(owing[-1].proposed))]


def let_time_pass(club: Club, matches: Iterable[KeptMatch]) -> list[str]:
    """Let deadlines pass until no question is open that was; the matches in which one still is."""
    waiting = list(matches)
    for _ in range(PERIODS):
        if not waiting:
            break
        club.wait(hours=12)
        waiting = [kept for kept in waiting if set(kept.open) & open_keys(club, kept.name)]
    return [kept.name for kept in waiting]


def open_keys(club: Club, match: str) -> set[str]:
    """The questions that wait for an answer."""
    return {question.key for question in club.playing(match).outcome.open}


def questions_to(club: Club, match: str, seat: str) -> tuple[str, ...]:
    """What waits for an answer of a seat, with what may be answered."""
    mine = [question for question in club.playing(match).outcome.open if question.seat == seat]
    return tuple(f"{question.text} {' | '.join(question.menu.words())}" for question in mine)


def audited(club: Club, kept: KeptMatch) -> Audited:
    """What an audit of its log finds; a match that goes on is audited as far as it has come."""
    row = club.playing(kept.name).row
    return audit(club.playing(kept.name).game, row.secret, club.entries(kept.name))
