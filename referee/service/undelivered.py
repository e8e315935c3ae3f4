"""Letters that could not be delivered: the game masters are told, so that a silent player is not taken for a lazy one."""

from __future__ import annotations

from referee.service.frames import frame
from referee.service.letters import Notice
from referee.service.office import Office
from referee.service.playing import load
from referee.service.ports import LetterOut
from referee.service.post import post

__all__ = ["report_undelivered"]


def report_undelivered(office: Office, letter: LetterOut, reason: str) -> None:
    """Tell the game masters of a match that one of its letters is given up; never about such a notice itself."""
    if not letter.match or letter.kind == "undelivered":
        return
    with office.store.step() as step:
        row = step.match(letter.match)
        if row is None or step.last_entry(letter.match) is None:
            return
        playing = load(office, step, row)
        sentences = (
            f"My letter to {letter.recipient} could not be delivered and is given up; it was a {letter.kind}.",
            "He may not know what he owes. REPLACE gives his seat to somebody else; DEADLINE gives him more time.",
        )
        for member in step.members(letter.match):
            player = step.player(member.player)
            if member.role != "gm" or player is None or letter.recipient in player.addresses:
                continue
            framed = frame(office, step, playing, member, player)
            notice = Notice(framed, "a letter could not be delivered", sentences, reason, office.name)
            subject = f"no way to {letter.recipient}"
            post(office, step, player, "undelivered", subject, notice, str(letter.id), playing, member)
