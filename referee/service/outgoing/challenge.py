"""Letters that cannot be used: refused in one sentence, with proof that they came."""

from __future__ import annotations

from datetime import timedelta

from referee.kit.wording import counted
from referee.mail import Letter, digest
from referee.service import notes
from referee.service.letters import Proof, RefusalLetter
from referee.service.match.drafts import drawers_of
from referee.service.match.hand import BareHand
from referee.service.match.playing import Playing
from referee.service.office import At, Office
from referee.service.outgoing.budgets import Answering
from referee.service.outgoing.frames import frame
from referee.service.outgoing.post import About, Mail, Reply, Thread, post
from referee.service.ports import Member, Player, Step
from referee.service.times import stamp

_MOST = 100_000
_ONCE = "I say this once a day to an address: the same again is not answered until tomorrow."


def seat_of(step: Step, match: str, player: Player) -> str:
    """The seat somebody plays in a match, "" for none."""
    mine = (m.seat for m in step.members(match) if m.player == player.id and m.status == "playing")
    return next(mine, "")


def refuse_letter(
    at: At,
    player: Player,
    why: str,
    instead: tuple[str, ...],
    letter: Letter,
    answering: Answering,
    match: str = "",
    playing: Playing | None = None,
    member: Member | None = None,
) -> None:
    """Say in one sentence why a letter could not be used; the same sentence to who proved nothing once a day, which it says.

    The subject names the match the letter was about, where that is known. Where his part in it is given, he can answer to it,
    and is told what stands there all the same and what he owes.
    """
    proven = answering.purse != "stranger"
    if not proven and _told_today(at, player.addresses[0], why):
        return
    proof = proof_of(at.office, letter, letter.text[:_MOST], player.zone) if proven else None
    about = frame(BareHand(at.office, at.step, playing), member, player) if playing and member else None
    sentence = f"{why} {_stands(playing, member)}".strip() if playing and member else why
    body = RefusalLetter(
        "Your letter could not be used", sentence, instead, proof, "", player.name, _ONCE if not proven else "", about
    )
    thread = Thread(letter.message_id, letter.references)
    named = f"[{match}] " if match and playing is None else ""
    subject = f"{named}your letter could not be used"
    unique = str(answering.letter)
    post(
        at,
        player,
        Mail("refusal", subject, body, unique),
        About(playing, member),
        Reply(thread, answering),
    )


def _stands(playing: Playing, member: Member) -> str:
    """One sentence on what a player has on file."""
    lines = sum(len(drawer.lines) for drawer in drawers_of(playing, member.seat)) if member.seat else 0
    if lines:
        return f"What you have on file in {playing.row.name} stands: {counted(lines, 'lines')}."
    return f"You have nothing on file in {playing.row.name}." if member.seat else ""


def _told_today(at: At, address: str, why: str) -> bool:
    """Whether this sender had this very answer within a day; if not, it counts from now."""
    now, refused = at.now, notes.REFUSED.of(digest(f"{address} {why}"))
    kept = refused.read(at.step)
    if kept is not None and now - kept < timedelta(days=1):
        return True
    refused.keep(at.step, now)
    return False


def proof_of(office: Office, letter: Letter | None, text: str, zone: str) -> Proof:
    """Proof that a letter arrived: its id, its date, when it came, the digest of the text as received."""
    dated = stamp(letter.dated, zone) if letter and letter.dated else "no date"
    return Proof((letter and letter.message_id) or "none", dated, stamp(office.clock.now(), zone), digest(text))
