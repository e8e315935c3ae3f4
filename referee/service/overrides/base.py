"""What all overrides have in common: they are logged, published with their reason, and told to everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from referee.core.record import Overrode
from referee.moments import FURTHEST
from referee.service.letters import Notice
from referee.service.match.hidden_lateness import masters_of, may_know
from referee.service.match.members import everybody
from referee.service.match.playing import Playing, play_on
from referee.service.office import Office
from referee.service.outgoing import subjects
from referee.service.outgoing.forms import form_for
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.ports import Step

THE_PLAYERS = "the players"
"""By whom it is what the players voted for."""

YOURS = "yours is below if you have one."
"""What who may not know of the others' deadlines reads of his own."""


TOO_FAR = "That is more than two years away, and no deadline may be; name an earlier moment, or less time."


def is_too_far(due: Iterable[datetime], now: datetime) -> bool:
    """Whether a deadline would come later than any may."""
    return max(due, default=now) - now > FURTHEST


InZone = Callable[[str], Sequence[str]]
"""Sentences for a reader in a time zone."""


def notify(
    office: Office,
    step: Step,
    playing: Playing,
    title: str,
    sentences: Sequence[str] | InZone,
    by: str,
    reason: str = "",
    forms: bool = False,
    about: str = "",
    others: Sequence[str] | InZone | None = None,
    but: int = 0,
) -> None:
    """Tell everybody in the match, with the reason and each reader's own deadline; `forms` adds order sheets.

    Sentences with times in them are given as a function of the reader's zone. Where lateness is hidden, what is `about`
    the time of one seat goes to its player and the game masters alone; `others` is what the rest read instead. One
    person, `but`, gets a letter of his own about it.
    """
    masters = masters_of(step, playing.row.name)
    for member, player in everybody(step, playing.row.name):
        told: Sequence[str] | InZone = sentences
        if player.id == but:
            continue
        if (about or others) and not may_know(playing, masters, member, player, about):
            if not others:
                continue
            told = others
        framed = frame(office, step, playing, member, player)
        form = form_for(playing, member.seat) if forms and member.status == "playing" else None
        said = told(player.zone) if callable(told) else told
        letter = Notice(framed, title, tuple(said), reason, by, form)
        unique = f"{playing.head.seq}.{title}"
        own = form is not None or about == member.seat or "deadline" in title
        subject = subjects.told(framed, title) if own else title
        post(office, step, player, Mail("notice", subject, letter, unique), About(playing, member))


def log(office: Office, step: Step, playing: Playing, action: str, by: str, reason: str, cause: str = "") -> Playing:
    """Put an override into the log; its cause is the game master's letter unless another is named."""
    cause = cause or (by if by == THE_PLAYERS else f"game master {by}")
    return play_on(office, step, playing, [Overrode(action, by, reason)], cause)
