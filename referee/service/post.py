"""The post room: addresses, tokens, subjects and threads of letters out, queued in the transaction that caused them."""

from __future__ import annotations

import base64
import hmac
from typing import Any

import msgspec

from referee.mail import Outgoing, compose, message_id, reply_address, token_digest
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
    reader = str(player.id or player.addresses[0])
    ident = message_id(f"{kind}-{unique}", match or "desk", turn, reader, 0, office.host)
    raw = compose(
        Outgoing(
            sender=office.address,
            sender_name=office.name,
            to=player.addresses[0],
            to_name=player.name,
            reply_to=_reply_to(office, step, playing, member, player, match, token),
            subject=f"[{match}] {subject}" if match else subject,
            dated=now,
            message_id=ident,
            host=office.host,
            text=rendered.text,
            html=rendered.html,
            match=match,
            answers=thread.message_id if thread else "",
            references=_references(office, match, turn, thread),
        )
    )
    step.post(LetterOut(0, ident, match, kind, office.address, player.addresses[0], raw, now, now, source=source))


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
    """One thread a turn: a pseudo id of the turn holds it together even when a reply loses its headers."""
    root = (f"<{match}.turn{turn}@{office.host}>",) if match else ()
    return (*root, *(thread.references if thread else ()))
