"""The chain of small rules, to be read aloud, that decides what becomes of a letter; the verdict names the rules hit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Literal

import msgspec

from referee.mail import Letter, Route, digest, strip, token_digest
from referee.mail.bounces import Bounce
from referee.mail.identity import Authentication, authentication
from referee.mail.keys import Keys
from referee.orders import read
from referee.service.binding import text_to_read
from referee.service.bounces import bounces_of
from referee.service.confirming import is_question
from referee.service.identity import is_from, open_letter, wanted_address
from referee.service.office import Office
from referee.service.people import member_of
from referee.service.ports import LETTER_SIZE, LetterIn, Member, Player, Step, Token
from referee.service.restored import forgotten
from referee.service.words import FOR_GAME_MASTERS, desk_words

__all__ = ["RULES", "Case", "Check", "Verdict", "judge", "note_newest", "overtaken", "size_of"]

_WEIGHTY = frozenset(verb.word for verb in FOR_GAME_MASTERS)


class Verdict(msgspec.Struct, frozen=True):
    """What becomes of a letter. `why` is said to the sender where `then` is refuse or confirm."""

    then: Literal["ignore", "duplicate", "refuse", "forgotten", "confirm", "answer", "address", "bounce", "door", "desk"]
    why: str = ""
    instead: tuple[str, ...] = ()
    bounces: tuple[Bounce, ...] = ()


@dataclass
class Case:
    """A letter before the chain, with what the rules found out so far."""

    office: Office
    step: Step
    row: LetterIn
    letter: Letter
    keys: Keys
    route: Route | None
    token: Token | None = None
    original: LetterIn | None = None
    reused_id: bool = False
    hits: list[str] = field(default_factory=list)

    @property
    def logical(self) -> str:
        """What makes two copies of a letter the same letter."""
        ident = self.letter.message_id or hashlib.sha256(self.row.raw).hexdigest()
        other = f"|{digest(self.letter.text)}" if self.reused_id else ""
        return f"{self.row.recipient.lower()}|{ident}|{self.letter.sender}{other}"

    @cached_property
    def authentication(self) -> Authentication:
        """What trusted mail servers say of its From."""
        return authentication(self.row.raw, self.office.trusted)

    @property
    def owner(self) -> Player | None:
        """Whose token it bears."""
        return self.step.player(self.token.player) if self.token else None


Check = Callable[[Case], Verdict | None]


def _loop(case: Case) -> Verdict | None:
    return Verdict("ignore") if case.letter.loop else None


def _bounce(case: Case) -> Verdict | None:
    found = bounces_of(case.step, case.row, case.letter, case.route)
    why = "; ".join(f"{bounce.address}: {bounce.why}" for bounce in found)
    return Verdict("bounce", why, bounces=found) if found else None


def _automatic(case: Case) -> Verdict | None:
    return Verdict("ignore", "; ".join(case.letter.automatic)) if case.letter.automatic else None


def _nobody(case: Case) -> Verdict | None:
    return Verdict("ignore") if not case.letter.sender else None


def _reused_id(case: Case) -> Verdict | None:
    """No verdict: both letters are taken, and the log says that they share a Message-ID."""
    before = _handled_before(case)
    if before is not None and digest(open_letter(before)[0].text) != digest(case.letter.text):
        case.reused_id = True
        case.hits.append("the Message-ID of another letter")
    return None


def _duplicate(case: Case) -> Verdict | None:
    return Verdict("duplicate") if _handled_before(case) else None


def _handled_before(case: Case) -> LetterIn | None:
    """The letter already handled of which this one is a copy; none is a copy of itself."""
    before = case.step.handled(case.logical)
    return before if before is not None and before.id != case.row.id else None


def _too_large(case: Case) -> Verdict | None:
    limit, size = case.office.limits.letter_bytes, size_of(case.row.raw)
    if size <= limit:
        return None
    why = f"Your letter has {size:,} bytes and I read letters of up to {limit:,}; nothing of it was taken."
    return Verdict("refuse", why, ("Send your orders as plain text, without attachments or pictures.",))


def size_of(raw: bytes) -> int:
    """How large the letter was; of one that was much too large only the headers and this figure were kept."""
    first, _, _ = raw[:100].partition(b"\n")
    said = first.removeprefix(LETTER_SIZE).strip()
    return int(said) if first.startswith(LETTER_SIZE) and said.isdigit() else len(raw)


def _wrong_token(case: Case) -> Verdict | None:
    if case.route is None or case.route.token is None:
        return None
    case.token = case.step.token(token_digest(case.route.token))
    if case.token is not None:
        return None
    case.token = forgotten(case.step, case.route.match, case.route.token)
    if case.token is not None:
        return Verdict("forgotten", "it was given out after the backup that I was restored from")
    return Verdict(
        "refuse",
        "The address you wrote to is none of mine, so nothing was taken: its secret part is not one I gave out.",
        ("Reply to the last letter you had from me; its reply address is the right one.",),
    )


def _stale_token(case: Case) -> Verdict | None:
    token = case.token
    if token is None or token.alive:
        return None
    why = f"That reply address belonged to turn {token.turn} of {token.match}, which is closed, so nothing was taken."
    return Verdict("refuse", why, ("Write your orders again in a reply to the latest letter of the match.",))


def _question_answered(case: Case) -> Verdict | None:
    """A reply to "please confirm" says what is to become of the letter that was shown, and nothing else is read of it."""
    return Verdict("answer") if case.token is not None and is_question(case.token) else None


def _address_confirmed(case: Case) -> Verdict | None:
    """A token without a player was made to confirm an address, and opens nothing else."""
    if case.token is None or case.token.player:
        return None
    wanted = wanted_address(case.step, case.token)
    if wanted is None:
        return Verdict("refuse", "That reply address has done its work, so nothing was taken.")
    said = next((line.text.strip(" .!,").casefold() for line in strip(case.letter.text).lines if line.text.strip()), "")
    if case.letter.sender == wanted[1] and said == "yes":
        return Verdict("address")
    return Verdict("refuse", f"To be known as an address of yours, {wanted[1]} itself must answer with just YES.")


def _forged(case: Case) -> Verdict | None:
    """Nothing of it is done, and whoever wrote it hears nothing; a player is asked at his own address."""
    if case.authentication.verdict != "forged":
        return None
    if case.owner is not None:
        why = f"A letter with a reply address of yours came, but the mail servers say that {case.letter.sender} did not send it."
        return Verdict("confirm", why)
    return Verdict("door" if case.step.player_at(case.letter.sender) else "ignore", case.authentication.why)


def _weighty_from_elsewhere(case: Case) -> Verdict | None:
    """What would let a stranger in for good, or move a whole match, is not taken on a token alone."""
    owner = case.owner
    if owner is None or is_from(case.letter, owner) or not _is_weighty(case):
        return None
    why = (
        f"A letter with a reply address of yours came from {case.letter.sender}, which is none of your addresses, and asks "
        "for what only you may ask."
    )
    return Verdict("confirm", why)


def _is_weighty(case: Case) -> bool:
    assert case.token is not None  # asked only of letters with one
    members = case.step.members(case.token.match)
    master = any(m.role == "gm" and m.player == case.token.player for m in members)
    seats = tuple(m.seat for m in members if m.seat)
    desk = desk_words(tuple(case.office.games), (case.token.match,), seats, True, master)
    said = read(text_to_read(strip(case.letter.text)), None, desk).desk
    address = any(s.order.verb == "SET" and "address" in s.source.casefold() for s in said)
    return bool(case.keys.new) or address or (master and any(s.order.verb in _WEIGHTY for s in said))


def _overtaken(case: Case) -> Verdict | None:
    return overtaken(case) if case.token is not None else None


def overtaken(case: Case) -> Verdict | None:
    """A letter written before one that was taken for the same seat and turn never displaces it."""
    token = case.token
    member = member_of(case.step, token) if token else None
    if token is None or member is None or case.letter.dated is None:
        return None
    newest = _newest(case, member)
    if newest is None or _written(case) >= newest:
        return None
    why = "A letter of yours was written before another one that I have taken, so it came too late to count by itself."
    return Verdict("confirm", why)


def _written(case: Case) -> datetime:
    """When its sender wrote it; a clock that runs ahead must not refuse his later letters."""
    assert case.letter.dated is not None  # asked only of letters that bear a date
    return min(case.letter.dated, case.row.received_at)


def _turn(case: Case, member: Member) -> int:
    row = case.step.match(member.match)
    return row.turn if row else 0


def _newest(case: Case, member: Member) -> datetime | None:
    kept = case.step.note(member.match, member.seat, "newest")
    turn, _, at = (kept or "").partition(" ")
    return datetime.fromisoformat(at) if turn == str(_turn(case, member)) else None


def note_newest(case: Case, member: Member, turn: int) -> None:
    """Remember when the letter was written whose orders now stand for a seat."""
    if case.original is None and case.letter.dated is not None:
        case.step.put_note(member.match, member.seat, "newest", f"{turn} {_written(case).isoformat()}")


def _with_token(case: Case) -> Verdict | None:
    return Verdict("desk") if case.token is not None else None


def _anybody(case: Case) -> Verdict | None:
    return Verdict("door")


RULES: tuple[tuple[str, Check], ...] = (
    ("our own letter came back", _loop),
    ("a bounce", _bounce),
    ("an automatic letter", _automatic),
    ("no sender", _nobody),
    ("the Message-ID of another letter", _reused_id),
    ("a letter already handled", _duplicate),
    ("too large", _too_large),
    ("a token nobody gave out", _wrong_token),
    ("a question answered", _question_answered),
    ("a token of a closed turn", _stale_token),
    ("an address confirmed", _address_confirmed),
    ("forged", _forged),
    ("weighty words from a strange address", _weighty_from_elsewhere),
    ("overtaken by a newer letter", _overtaken),
    ("a good token", _with_token),
    ("a letter without a token", _anybody),
)
"""In this order; the first rule that has a verdict decides."""


def judge(case: Case) -> Verdict:
    """Send a case down the chain, noting which rule hit."""
    for name, check in RULES:
        verdict = check(case)
        if verdict is not None:
            case.hits.append(name)
            return verdict
    raise AssertionError("the last rule always has a verdict")
