"""The post room: addresses, tokens, subjects and threads of letters out, queued in the transaction that caused them."""

from __future__ import annotations

import base64
import hmac
from typing import Any

import msgspec

from referee.mail import Outgoing, compose, message_id, reply_address, token_digest, verp
from referee.service.office import Office
from referee.service.playing import Playing
from referee.service.ports import LetterOut, MatchRow, Member, Player, Step, Token

__all__ = ["Thread", "base_address", "post", "reply_token"]


class Thread(msgspec.Struct, frozen=True):
    """The letter an answer belongs to."""

    message_id: str = ""
    references: tuple[str, ...] = ()


def _server_secret(office: Office, step: Step) -> bytes:
    kept = step.note("", "", "token-secret")
    if kept is None:
        kept = office.secrets.secret().hex()
        step.put_note("", "", "token-secret", kept)
    return bytes.fromhex(kept)


def reply_token(office: Office, step: Step, match: str, turn: int, epoch: int, player: Player, seat: str) -> str:
    """The token of this person for this turn, the same in every letter of the turn; kept only by its digest."""
    message = f"{match}/{turn}/{epoch}/{player.id}/{seat}".encode()
    mac = hmac.digest(_server_secret(office, step), message, "sha256")
    token = base64.b32encode(mac)[:16].decode().lower()
    digest = token_digest(token)
    if step.token(digest) is None:
        step.save_token(Token(digest, match, player.id, seat, turn))
    return token


def base_address(office: Office) -> str:
    """The address that takes letters without a token."""
    return office.address


def post(
    office: Office,
    step: Step,
    player: Player,
    kind: str,
    subject: str,
    letter: Any,
    unique: str,
    playing: Playing | None = None,
    member: Member | None = None,
    thread: Thread | None = None,
    row: MatchRow | None = None,
    token: str = "",
    source: bytes = b"",
) -> None:
    """Render a letter and queue it. `unique` tells letters of one kind to one person apart; the rest is derived."""
    now = office.clock.now()
    row = playing.row if playing else row
    match = row.name if row else ""
    turn = playing.turn if playing else 0
    rendered = office.renderer.render(kind, letter)
    ident = message_id(kind, match or "desk", turn, str(player.id or player.addresses[0]), unique, office.host)
    reply_to = _reply_to(office, step, playing, member, player, match, token)
    raw = compose(
        Outgoing(
            sender=office.address,
            sender_name=office.name,
            recipient=player.addresses[0],
            recipient_name=player.name,
            reply_to=reply_to,
            subject=f"[{match}] {subject}" if match else subject,
            dated=now,
            message_id=ident,
            in_reply_to=thread.message_id if thread else "",
            references=_references(office, match, turn, thread),
            text=rendered.text,
            html=rendered.html,
            answers=thread is not None,
            list_id=f"{match}.{office.host}" if match else "",
        )
    )
    envelope = verp(office.address, ident)
    step.post(LetterOut(0, ident, match, kind, envelope, player.addresses[0], raw, now, now, source=source))


def _reply_to(
    office: Office,
    step: Step,
    playing: Playing | None,
    member: Member | None,
    player: Player,
    match: str,
    token: str,
) -> str:
    if not token and playing is not None and member is not None and player.id:
        seat = member.seat if member.status == "playing" else ""
        token = reply_token(office, step, match, playing.turn, playing.highest, player, seat)
    return reply_address(office.address, match or "desk", token) if token else office.address


def _references(office: Office, match: str, turn: int, thread: Thread | None) -> tuple[str, ...]:
    """One thread a turn: pseudo ids hold it together even when a reply loses its headers."""
    roots = (f"<{match}@{office.host}>", f"<{match}.turn{turn}@{office.host}>") if match else ()
    mine = (*thread.references, thread.message_id) if thread and thread.message_id else ()
    return tuple(dict.fromkeys((*roots, *mine)))
