"""Letters in doubt: refused in one sentence, or kept until their writer confirms them from where only he reads."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.mail import Letter, digest, token_digest
from referee.service.letters import Proof, RefusalLetter
from referee.service.office import Office
from referee.service.ports import LetterIn, MatchRow, Player, Step
from referee.service.post import Thread, post, reply_token
from referee.service.times import stamp

__all__ = ["UNPROVEN", "challenge", "proof_of", "refuse_letter", "seat_of"]

_MOST = 100_000

UNPROVEN = (
    "Your letter came without the reply address of a letter of mine, so anybody could have written it. "
    "It is kept, and nothing of it was done yet.",
    "Reply to this letter, with any text or none, and it is taken as it stands.",
)


def challenge(
    office: Office, step: Step, player: Player, row: MatchRow, came: LetterIn, letter: Letter, why: str, how: str
) -> None:
    """Ask a player at his own address to confirm a letter in his name; his reply sets it going."""
    token = reply_token(office, step, row.name, row.turn, -came.id, player, seat_of(step, row.name, player))
    step.put_note(row.name, "", f"challenge:{token_digest(token)}", str(came.id))
    proof = proof_of(office, letter, letter.text, player.zone)
    body = RefusalLetter("Please confirm your letter", why, (how,), proof, row.name, player.name)
    subject = "please confirm your letter"
    thread = Thread(letter.message_id, letter.references)
    post(
        office, step, player, "refusal", subject, body, str(came.id), row=row, thread=thread, token=token, refuses=True
    )


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
) -> None:
    """Say in one sentence why a letter could not be used; the same sentence to the same sender once a day.

    The subject names the match the letter was about, where that is known.
    """
    if _told_today(office, step, player.addresses[0], why):
        return
    proof = proof_of(office, letter, letter.text[:_MOST], player.zone)
    body = RefusalLetter("Your letter could not be used", why, instead, proof, "", player.name)
    thread = Thread(letter.message_id, letter.references)
    subject = f"[{match}] your letter could not be used" if match else "your letter could not be used"
    post(office, step, player, "refusal", subject, body, unique, thread=thread, refuses=True)


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
