"""Letters that could not be delivered: the game masters are told, so that a silent player is not taken for a lazy one."""

from __future__ import annotations

from collections.abc import Sequence

from referee.mail.reading.bounces import Bounce
from referee.service.alarms.bounces import count
from referee.service.letters import Notice
from referee.service.match.hand import BareHand
from referee.service.match.playing import load
from referee.service.office import At, Office
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, post
from referee.service.ports import LetterOut

_MENDS = "REPLACE gives his seat to somebody else; DEADLINE gives him more time."
_NO_WITNESS = "It asked that address to witness the log. NO WITNESS takes it off, and WITNESS names another; nothing waits for it."


def report_undelivered(office: Office, letter: LetterOut, reason: str) -> None:
    """Tell the game masters of a match that one of its letters is given up; never about such a notice itself."""
    if letter.kind in ("undelivered", "unreachable"):
        return
    with office.step() as at:
        count(at, Bounce(letter.recipient.lower(), True, reason))
        sentences = (
            f"My letter to {letter.recipient} could not be delivered and is given up; it was a {letter.kind}.",
            _NO_WITNESS if letter.kind == "head" else f"He may not know what he owes. {_MENDS}",
        )
        subject = f"no way to {letter.recipient}"
        title = "a letter could not be delivered"
        tell_masters(
            at,
            letter.match,
            letter.recipient,
            "undelivered",
            title,
            subject,
            sentences,
            reason,
            str(letter.id),
        )


def warn_of(at: At, bounce: Bounce) -> None:
    """Tell the game masters of everybody's matches who has this address that letters to it come back."""
    player = at.step.player_at(bounce.address)
    if player is None:
        return
    sentences = (f"Letters to {player.name} at {bounce.address} come back. {_MENDS}",)
    unique = f"{bounce.address}.{at.now:%Y-%m-%d}"
    for match in sorted({m.match for m in at.step.memberships(player.id) if m.status == "playing"}):
        title, subject = "a player cannot be reached", f"{player.name} cannot be reached"
        tell_masters(at, match, bounce.address, "unreachable", title, subject, sentences, bounce.why, unique)


def tell_masters(
    at: At,
    match: str,
    address: str,
    kind: str,
    title: str,
    subject: str,
    sentences: Sequence[str],
    reason: str,
    unique: str,
) -> None:
    """Write to the game masters of a match about an address, but not to that address itself."""
    row = at.step.match(match) if match else None
    if row is None or at.step.last_entry(match) is None:
        return
    hand = BareHand(at.office, at.step, load(at, row))
    for member in at.step.members(match):
        player = at.step.player(member.player)
        if member.role != "gm" or player is None or address in player.addresses:
            continue
        framed = frame(hand, member, player)
        notice = Notice(framed, title, tuple(sentences), reason, at.office.name)
        post(hand, player, Mail(kind, subject, notice, unique), About(hand.playing, member))
