"""Letters that cannot be used: refused in one sentence, with proof that they came."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.mail import Letter, digest
from referee.service.letters import Proof, RefusalLetter
from referee.service.office import Office
from referee.service.playing import Playing
from referee.service.ports import Member, Player, Step
from referee.service.post import Thread, post
from referee.service.times import stamp

__all__ = ["proof_of", "refuse_letter", "seat_of"]

_MOST = 100_000


def seat_of(step: Step, match: str, player: Player) -> str:
    """The seat somebody plays in a match, "" for none."""
    mine = (m.seat for m in step.members(match) if m.player == player.id and m.status == "playing")
    return next(mine, "")


def refuse_letter(
    office: Office,
    step: Step,
    player: Player,
    why: str,
    instead: tuple[str, ...],
    letter: Letter,
    unique: str,
    match: str = "",
    playing: Playing | None = None,
    member: Member | None = None,
) -> None:
    """Say in one sentence why a letter could not be used; the same sentence to the same sender once a day.

    The subject names the match the letter was about, where that is known. Where his part in it is given, he can answer to it.
    """
    if _told_today(office, step, player.addresses[0], why):
        return
    proof = proof_of(office, letter, letter.text[:_MOST], player.zone)
    body = RefusalLetter("Your letter could not be used", why, instead, proof, "", player.name)
    thread = Thread(letter.message_id, letter.references)
    subject = f"[{match}] your letter could not be used" if match else "your letter could not be used"
    post(office, step, player, "refusal", subject, body, unique, playing, member, thread, refuses=True)


def _told_today(office: Office, step: Step, address: str, why: str) -> bool:
    """Whether this sender had this very answer within a day; if not, it counts from now."""
    now, name = office.clock.now(), f"refused:{digest(f'{address} {why}')}"
    kept = step.note("", "", name)
    if kept is not None and now - datetime.fromisoformat(kept) < timedelta(days=1):
        return True
    step.put_note("", "", name, now.isoformat())
    return False


def proof_of(office: Office, letter: Letter, text: str, zone: str) -> Proof:
    """Proof that a letter arrived: its id, its date, when it came, the digest of the text as received."""
    dated = stamp(letter.dated, zone) if letter.dated else "no date"
    return Proof(letter.message_id or "none", dated, stamp(office.clock.now(), zone), digest(text))
