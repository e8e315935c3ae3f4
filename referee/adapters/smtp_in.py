"""Letters in by SMTP or LMTP: acknowledged with 250 only when they are durable, refused in the session if at all."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Literal

import msgspec
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from referee.adapters.spool import Spool
from referee.service.ports import Clock, LetterIn

__all__ = ["Accepts", "Listening", "Receiver", "Verdict"]

_log = logging.getLogger(__name__)

Verdict = Literal["yes", "unknown", "later"]
"""What to do with a recipient: take the letter, refuse it for good, or have it sent again."""

Accepts = Callable[[str], Verdict]
"""Judges a recipient's address. Called for every RCPT in the receiver's thread: it must be quick."""

_LATER = "451 4.3.0 The letter could not be stored; please send it again"
_COMMANDS_A_SESSION = {"RCPT": 10_000, "MAIL": 1_000, "DATA": 1_000, "*": 1_100}
_ALL = 1 << 30


class Listening(msgspec.Struct, frozen=True):
    """Where and how to listen. Port 0 takes a free one; `wait_seconds` bounds how long a sender waits for the disk."""

    host: str = "127.0.0.1"
    port: int = 8025
    protocol: Literal["smtp", "lmtp"] = "smtp"
    max_bytes: int = 10 * 1024 * 1024
    name: str = "localhost"
    wait_seconds: float = 60.0


def _plain(text: str) -> str:
    """Text that every database takes: bytes that were no UTF-8 become question marks."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


class _Desk:
    """What happens at RCPT, after DATA and on a fault."""

    def __init__(self, spool: Spool, accepts: Accepts, clock: Clock, wait_seconds: float) -> None:
        self._spool = spool
        self._accepts = accepts
        self._clock = clock
        self._wait = wait_seconds

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        match self._accepts(_plain(address)):
            case "yes":
                envelope.rcpt_tos.append(address)
                return "250 2.1.5 OK"
            case "unknown":
                return "550 5.1.1 No such address here"
            case "later":
                return "451 4.3.0 Please send it again later"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        try:
            stored = asyncio.wrap_future(self._spool.put(self._letters(envelope)))
            await asyncio.wait_for(stored, self._wait)
        except Exception:
            # LMTP owes one answer for each recipient, so the fault is answered here; the spool has logged it.
            return _LATER
        return "250 2.0.0 Stored"

    async def handle_exception(self, error: Exception) -> str:
        _log.error("a session failed", exc_info=error)
        return "451 4.3.0 Something went wrong here; please send it again"

    def _letters(self, envelope: Envelope) -> list[LetterIn]:
        spooled = secrets.token_hex(16)
        sender = "" if envelope.mail_from in (None, "<>") else _plain(str(envelope.mail_from))
        raw = envelope.original_content or b""
        now = self._clock.now()
        return [
            LetterIn(0, f"smtp:{spooled}:{number}", now, sender, _plain(recipient), raw)
            for number, recipient in enumerate(envelope.rcpt_tos)
        ]


class _TooLong(Exception):
    """The letter is longer than allowed; it was read to its end and thrown away."""


class _Conversation(SMTP):
    """A session that reads the letter in one go: a wait for each line would cost half of the whole reception."""

    line_length_limit = 65_536

    async def smtp_DATA(self, arg: str | None) -> None:
        """Take the letter and answer: DATA ends with CRLF . CRLF and with nothing else."""
        if await self.check_helo_needed():
            return
        envelope = self.envelope
        assert envelope is not None
        if not envelope.rcpt_tos:
            await self.push("503 Error: need RCPT command")
        elif arg:
            await self.push("501 Syntax: DATA")
        else:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            await self.push(self._answers(envelope, await self._take(envelope)))
            self.envelope = Envelope()

    async def _take(self, envelope: Envelope) -> str:
        try:
            envelope.content = envelope.original_content = await self._read_letter()
        except _TooLong:
            return f"552 5.3.4 The letter is longer than {self.data_size_limit} bytes"
        desk: Any = self.event_handler
        answer: str = await desk.handle_DATA(self, self.session, envelope)
        return answer

    async def _read_letter(self) -> bytes:
        """The letter with its dots unstuffed. Raises _TooLong; ConnectionResetError when the sender hangs up."""
        # The line end before the first line is the one of the DATA command itself.
        data, seen, too_long = bytearray(b"\r\n"), 0, False
        while (end := data.find(b"\r\n.\r\n", max(0, seen - 4))) < 0:
            seen = len(data)
            if self.data_size_limit and seen > self.data_size_limit + 2:
                too_long = True
                del data[:-4]
                seen = 4
            data += await self._more()
        # What follows belongs to the next command; the reader is empty now, so it keeps its place.
        self._reader.feed_data(bytes(data[end + 5 :]))
        if too_long or (self.data_size_limit and end > self.data_size_limit):
            raise _TooLong
        return bytes(data[: end + 2].replace(b"\r\n.", b"\r\n")[2:])

    async def _more(self) -> bytes:
        chunk = await self._reader.read(_ALL)
        if not chunk:
            raise ConnectionResetError
        return chunk

    def _answers(self, envelope: Envelope, answer: str) -> str:
        """SMTP: one answer for the letter."""
        return answer


class _LmtpConversation(_Conversation, LMTP):
    """LMTP: one answer for each recipient taken."""

    def _answers(self, envelope: Envelope, answer: str) -> str:
        return "\r\n".join([answer] * len(envelope.rcpt_tos))


class Receiver:
    """Listens in a thread of its own and puts what it takes into the spool."""

    def __init__(self, spool: Spool, accepts: Accepts, clock: Clock, listening: Listening | None = None) -> None:
        self._listening = listening or Listening()
        self._desk = _Desk(spool, accepts, clock, self._listening.wait_seconds)
        self._bound: Future[int] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="receiver", daemon=True)

    def start(self) -> int:
        """Begin to listen; the port. Raises OSError when the port is taken."""
        self._thread.start()
        return self._bound.result()

    def stop(self) -> None:
        """Stop listening; letters not acknowledged by now will be sent again by their senders."""
        if self._loop is not None and self._ending is not None:
            # A loop that has ended on its own needs no telling.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._ending.set)
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        try:
            asyncio.run(self._listen())
        except OSError as error:
            if self._bound.done():
                raise
            self._bound.set_exception(error)

    async def _listen(self) -> None:
        self._loop, self._ending = asyncio.get_running_loop(), asyncio.Event()
        server = await self._loop.create_server(self._conversation, self._listening.host, self._listening.port)
        self._bound.set_result(server.sockets[0].getsockname()[1])
        await self._ending.wait()
        # Sessions end with the loop. To leave by `async with` would wait for the last of them, however long it idles.
        server.close()

    def _conversation(self) -> SMTP:
        kind = _LmtpConversation if self._listening.protocol == "lmtp" else _Conversation
        return kind(
            self._desk,
            data_size_limit=self._listening.max_bytes,
            enable_SMTPUTF8=True,
            hostname=self._listening.name,
            ident="Referee",
            command_call_limit=_COMMANDS_A_SESSION,
            loop=self._loop,
        )
