"""The inbox: a chain of small rules one can read aloud decides what becomes of a letter; the verdict names the rules hit."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from referee.mail import Letter, Route, parse_recipient, strip, token_digest
from referee.mail import read as read_letter
from referee.service.binding import text_to_read
from referee.service.deadlines import scan
from referee.service.desk import attend, proof_of
from referee.service.front_door import at_the_door, refuse_letter
from referee.service.office import Office
from referee.service.playing import Playing, load, remember
from referee.service.ports import LETTER_SIZE, LetterIn, Member, Player, Step, Token
from referee.service.visit import Visit

__all__ = ["Case", "Check", "RULES", "Verdict", "handle", "handle_new", "handle_safely", "judge", "member_of"]

_log = logging.getLogger(__name__)
_MY_FAULT = "Something of mine broke on your letter, so nothing of it was done; it is kept and a person looks at it."


class Verdict(msgspec.Struct, frozen=True):
    """What becomes of a letter. `why` is said to the sender where `then` is refuse."""

    then: Literal["ignore", "duplicate", "refuse", "door", "desk"]
    why: str = ""
    instead: tuple[str, ...] = ()


@dataclass
class Case:
    """A letter before the chain, with what the rules found out so far."""

    office: Office
    step: Step
    row: LetterIn
    letter: Letter
    route: Route | None
    token: Token | None = None
    player: Player | None = None
    original: LetterIn | None = None
    hits: list[str] = field(default_factory=list)

    @property
    def logical(self) -> str:
        """What makes two copies of a letter the same letter."""
        ident = self.letter.message_id or hashlib.sha256(self.row.raw).hexdigest()
        return f"{self.row.recipient.lower()}|{ident}|{self.letter.sender}"


Check = Callable[[Case], Verdict | None]


def _loop(case: Case) -> Verdict | None:
    return Verdict("ignore") if case.letter.loop else None


def _automatic(case: Case) -> Verdict | None:
    return Verdict("ignore", "; ".join(case.letter.automatic)) if case.letter.automatic else None


def _nobody(case: Case) -> Verdict | None:
    return Verdict("ignore") if not case.letter.sender else None


def _duplicate(case: Case) -> Verdict | None:
    return Verdict("duplicate") if case.step.handled(case.logical) else None


def _too_large(case: Case) -> Verdict | None:
    limit, size = case.office.limits.letter_bytes, _size(case.row.raw)
    if size <= limit:
        return None
    why = f"Your letter has {size:,} bytes and I read letters of up to {limit:,}; nothing of it was taken."
    return Verdict("refuse", why, ("Send your orders as plain text, without attachments or pictures.",))


def _size(raw: bytes) -> int:
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


def _challenge_answered(case: Case) -> Verdict | None:
    """A reply to "please confirm" stands for the letter it confirms."""
    if case.token is None or case.route is None or case.route.token is None:
        return None
    kept = case.step.note(case.token.match, "", f"challenge:{case.token.digest}")
    if kept is None:
        return None
    case.original = case.step.letter(int(kept))
    return Verdict("desk") if case.original else None


def _with_token(case: Case) -> Verdict | None:
    return Verdict("desk") if case.token is not None else None


def _anybody(case: Case) -> Verdict | None:
    return Verdict("door")


RULES: tuple[tuple[str, Check], ...] = (
    ("our own letter came back", _loop),
    ("an automatic letter", _automatic),
    ("no sender", _nobody),
    ("a letter already handled", _duplicate),
    ("too large", _too_large),
    ("a token nobody gave out", _wrong_token),
    ("a token of a closed turn", _stale_token),
    ("a challenge answered", _challenge_answered),
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


def handle_new(office: Office, limit: int = 50) -> int:
    """Handle letters that came in, oldest first, one transaction each; returns how many were looked at.

    What fell due before a letter came is done before it, so that no letter gains by a service that was busy or down.
    """
    with office.store.look() as step:
        waiting, due = step.new_letters(limit), step.next_alarm()
    for row in waiting:
        if due is not None and due < row.received_at:
            scan(office, before=row.received_at)
        handle_safely(office, row)
    return len(waiting)


def handle_safely(office: Office, row: LetterIn) -> None:
    """Handle a letter; one that breaks us is tried again and then shunted to a person, never lost."""
    try:
        handle(office, row)
    except Exception as problem:  # a poison letter must not stop the post; nor one that met another worker's write
        why = f"{type(problem).__name__}: {problem}"
        with office.store.step() as step:
            shunted = step.retry_letter(row.id, why) >= office.limits.attempts
            if shunted:
                step.finish_letter(row.id, "shunted", why)
        if shunted:
            _log.error("letter %d is shunted: %s", row.id, why)
            _say_it_is_kept(office, row)


def _say_it_is_kept(office: Office, row: LetterIn) -> None:
    """Tell the writer of a shunted letter; he may not be told where the very reading of his letter fails."""
    try:
        with office.store.step() as step:
            letter = read_letter(row.raw, row.sender)
            if letter.sender and not letter.automatic and not letter.loop:
                _refuse_as(office, step, row, letter, _MY_FAULT, ("You need not send it again.",))
    except Exception:
        _log.exception("the writer of letter %d could not be told", row.id)


def handle(office: Office, row: LetterIn) -> None:
    """Handle one letter: what it does, the receipt, and the mark that it is done are one transaction."""
    changed: Playing | None = None
    with office.store.step() as step:
        letter = read_letter(row.raw, row.sender)
        case = Case(office, step, row, letter, parse_recipient(row.recipient, office.address))
        verdict = judge(case)
        status = {"ignore": "ignored", "duplicate": "duplicate"}.get(verdict.then, "done")
        if verdict.then == "refuse":
            _refuse_as(office, step, row, letter, verdict.why, verdict.instead)
        elif verdict.then == "desk":
            changed = _to_the_desk(case)
        elif verdict.then == "door":
            at_the_door(office, step, row, letter)
        hits = "; ".join(case.hits) + (f" ({verdict.why})" if verdict.why else "")
        logical = None if verdict.then in ("ignore", "duplicate") else case.logical
        step.finish_letter(row.id, status, hits, case.token.match if case.token else "", logical)
    if changed is not None:
        remember(changed)
        office.ran(changed.row.name)


def _refuse_as(
    office: Office, step: Step, row: LetterIn, letter: Letter, why: str, instead: tuple[str, ...]
) -> None:
    known = step.player_at(letter.sender)
    player = known or Player(0, letter.sender_name or letter.sender, (letter.sender,))
    proof = proof_of(office, letter, letter.text[:100_000], player.zone)
    refuse_letter(office, step, player, why, instead, letter, str(row.id), proof)


def _to_the_desk(case: Case) -> Playing | None:
    """Hand a letter with a good token to the desk of its match."""
    office, step, token = case.office, case.step, case.token
    assert token is not None  # the chain gives this verdict only with one
    row, player = step.match(token.match), step.player(token.player)
    if row is None or player is None:
        return None
    letter = case.letter
    if case.original is not None:
        letter = read_letter(case.original.raw, case.original.sender)
        step.put_note(token.match, "", f"challenge:{token.digest}", None)
    member = member_of(step, token)
    if row.status == "forming" or member is None:
        at_the_door(office, step, case.row, letter, player)
        return None
    game_master = any(m.role == "gm" and m.player == player.id for m in step.members(row.name))
    stripped = strip(letter.text)
    visit = Visit(office, step, load(office, step, row), member, player, letter, str(case.row.id), game_master)
    return attend(visit, text_to_read(stripped), stripped)


def member_of(step: Step, token: Token) -> Member | None:
    """In which part the bearer of a token writes: the seat it was made for, else any part he still has."""
    mine = [m for m in step.members(token.match) if m.player == token.player and m.status in ("playing", "watching")]
    exact = [m for m in mine if m.status == "playing" and m.seat == token.seat]
    return next(iter(exact or mine), None)
