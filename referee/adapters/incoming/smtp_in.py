"""Letters in by SMTP or LMTP: acknowledged with 250 only when they are durable, refused in the session if at all."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from asyncio import sleep
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Literal, cast

import msgspec
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from referee.adapters.incoming.doorkeeper import Bounds, Client, Doorkeeper
from referee.adapters.incoming.mailbag import NoRoom, Spool
from referee.adapters.incoming.maildir import plain
from referee.mail import spelt
from referee.service.base.office import log_failure
from referee.service.base.ports import Clock, LetterIn

_log = logging.getLogger(__name__)
# The library writes a line for each unknown command; the doorkeeper counts their sender.
logging.getLogger("mail.log").setLevel(logging.ERROR)

Verdict = Literal["yes", "unknown", "later"]
"""The answer to a recipient: take the letter, refuse it for good, or have it sent again."""

Accepts = Callable[[str], Verdict]
"""Judges a recipient's address. Called for every RCPT in the receiver's thread: it must be quick."""

_LATER = "451 4.3.0 The letter could not be stored; please send it again"
_NO_ROOM = "452 4.3.1 There is too little room on the disk; please send it again later"
_TOO_MANY = "452 4.3.1 Too many large letters at once; please send it again later"
_BARE = "550 5.5.2 bare <LF> received: lines end in <CR><LF> (RFC 5321, 2.3.8)"
_NOT_ASCII = "550 5.6.7 An address outside ASCII cannot be answered here; please write from another one"
_COMMANDS_A_SESSION = {"RCPT": 2_000, "MAIL": 1_000, "DATA": 1_000, "*": 1_100}
_ALL = 1 << 30
_END = b"\r\n.\r\n"
_READ_ON, _READ_ON_SECONDS = 1024 * 1024, 30.0
"""Of a letter that is refused twice the longest letter and so many bytes more are read, and so long, for its end."""


class Listening(msgspec.Struct, frozen=True):
    """Where and how to listen. Port 0 takes a free one; `wait_seconds` bounds how long a sender waits for the disk."""

    host: str = "127.0.0.1"
    port: int = 8025
    protocol: Literal["smtp", "lmtp"] = "smtp"
    max_bytes: int = 10 * 1024 * 1024
    name: str = "localhost"
    wait_seconds: float = 60.0
    bounds: Bounds = Bounds()


class _Envelope(Envelope):
    """An envelope that knows each mailbox once; LMTP still owes an answer for every name in `rcpt_tos`."""

    def __init__(self) -> None:
        super().__init__()
        self.mailboxes: dict[str, str] = {}

    def letters(self, clock: Clock) -> list[LetterIn]:
        """A letter for each mailbox; all share their bytes."""
        spooled, now = secrets.token_hex(16), clock.now()
        sender = "" if self.mail_from in (None, "<>") else plain(str(self.mail_from))
        raw = self.original_content or b""
        return [
            LetterIn(0, f"smtp:{spooled}:{number}", now, sender, recipient, raw)
            for number, recipient in enumerate(self.mailboxes.values())
        ]


class _BareNewline(Exception):
    """A command ended in a line feed alone."""


class _Desk:
    """The answers at MAIL and RCPT, after DATA and on a fault."""

    def __init__(self, spool: Spool, accepts: Accepts, clock: Clock, keeper: Doorkeeper, wait_seconds: float) -> None:
        self._spool = spool
        self._accepts = accepts
        self._clock = clock
        self._keeper = keeper
        self._wait = wait_seconds
        self.sessions: set[asyncio.WriteTransport] = set()

    async def see_out(self) -> None:
        """End every session; what was answered goes out first if its client reads."""
        for session in tuple(self.sessions):
            session.close()
        await sleep(0)
        for session in tuple(self.sessions):
            session.abort()
        await sleep(0)

    async def handle_EHLO(
        self, server: _Conversation, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        """The extensions: not SMTPUTF8, for the part before the @ must be ASCII, or no relay could be counted on for the answer."""
        session.host_name = hostname
        return [line for line in responses if line != "250-SMTPUTF8"]

    async def handle_MAIL(
        self, server: _Conversation, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not self._spool.room():
            self._keeper.note("letters put off, since the disk is nearly full,", server.client)
            return _NO_ROOM
        sender = address if address.isascii() else spelt(address)
        if sender is None:
            self._keeper.note("letters from addresses outside ASCII refused", server.client)
            return _NOT_ASCII
        envelope.mail_from = sender
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: _Conversation, session: Session, envelope: _Envelope, address: str, options: list[str]
    ) -> str:
        recipient, most = plain(address), self._keeper.bounds.recipients
        if recipient.lower() not in envelope.mailboxes:
            if len(envelope.mailboxes) >= most:
                return f"452 4.5.3 Too many recipients: a letter goes to {most} at most"
            match self._accepts(recipient):
                case "unknown":
                    self._keeper.note("letters to unknown addresses refused", server.client)
                    return "550 5.1.1 No such address here"
                case "later":
                    return "451 4.3.0 Please send it again later"
        envelope.mailboxes.setdefault(recipient.lower(), recipient)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: _Conversation, session: Session, envelope: _Envelope) -> str:
        try:
            stored = asyncio.wrap_future(self._spool.put(envelope.letters(self._clock)))
            await asyncio.wait_for(stored, self._wait)
        except NoRoom:
            self._keeper.note("letters put off, since the disk is nearly full,", server.client)
            return _NO_ROOM
        except Exception:
            # LMTP owes one answer for each recipient, so the fault is answered here; the spool has logged it.
            return _LATER
        return "250 2.0.0 Stored"

    async def handle_exception(self, error: Exception) -> str:
        if isinstance(error, _BareNewline):
            return _BARE
        log_failure(_log, error, "a session failed")
        return "451 4.3.0 Something went wrong here; please send it again"


class _Refused(Exception):
    """The letter is not taken, though it was read to its end; says what to answer."""


class _Lines:
    """The sender's next line; a command that ends in a bare line feed is none, as it might be one smuggled past others."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self.read, self.feed_data = reader.read, reader.feed_data
        self._readuntil = reader.readuntil

    async def readuntil(self) -> bytes:
        """The next line. Raises _BareNewline."""
        line = await self._readuntil()
        if not line.endswith(b"\r\n"):
            raise _BareNewline
        return line


class _Conversation(SMTP):
    """A session that reads the letter in one go: a wait for each line would cost half of the whole reception."""

    line_length_limit = 65_536

    def __init__(self, desk: _Desk, keeper: Doorkeeper, **settings: Any) -> None:
        super().__init__(desk, timeout=keeper.bounds.idle_seconds, **settings)
        self._desk = desk
        self.client = Client("")
        self._keeper = keeper
        self._mistakes = 0
        self._ending: asyncio.TimerHandle | None = None

    # ------------------------------------------------------------ from the first byte to the last

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self.client = self._keeper.client(transport.get_extra_info("peername")[0])
        refusal = self._keeper.turns_away(self.client)
        if refusal:
            transport.write(f"{refusal}\r\n".encode())
            transport.close()
            return
        self._ending = self.loop.call_later(self._keeper.bounds.session_seconds, self._timeout_cb)
        self._desk.sessions.add(transport)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._keeper.leaves(self.client)
            assert isinstance(self.transport, asyncio.WriteTransport)
            self._desk.sessions.discard(self.transport)
            super().connection_lost(error)

    def _timeout_cb(self) -> None:
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.write(b"421 4.4.2 Time is up\r\n")
            # To close would wait for ever for a client that does not read.
            self.transport.abort()

    def _cb_client_connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = cast(asyncio.StreamReader, _Lines(reader)), writer

    def _create_envelope(self) -> Envelope:
        return _Envelope()

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        try:
            address, rest = super()._getaddr(arg)
        except Exception:
            # The parser of the standard library fails in many ways at what is no address.
            return None, None
        said = arg.removesuffix(rest or "").strip()
        # Its reading of a bracket that nobody closes differs from one Python to the next.
        return (None, None) if said.startswith("<") and not said.endswith(">") else (address, rest)

    async def push(self, status: str | bytes) -> None:
        """Answer; mistakes are answered ever more slowly, and the last one ends the session."""
        said = status.decode() if isinstance(status, bytes) else status
        if said.startswith("5"):
            self._mistakes += 1
            wait = self._keeper.patience(self.client, self._mistakes)
            if wait < 0:
                said = "421 4.7.0 Too many mistakes; good-bye"
            elif wait:
                await sleep(wait)
        await super().push(said)
        if said.startswith("421"):
            self._hang_up()

    def _hang_up(self) -> None:
        """Carry out nothing more, not even what was sent ahead."""
        assert self.transport is not None
        self.transport.close()
        raise asyncio.CancelledError

    # ------------------------------------------------------------ the letter

    async def smtp_DATA(self, arg: str | None) -> None:
        """Take the letter and answer: DATA ends with CRLF . CRLF and with nothing else."""
        if await self.check_helo_needed():
            return
        envelope = self.envelope
        assert isinstance(envelope, _Envelope)
        if not envelope.rcpt_tos:
            await self.push("503 Error: need RCPT command")
        elif arg:
            await self.push("501 Syntax: DATA")
        else:
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            await self.push(self._answers(envelope, await self._take(envelope)))
            self.envelope = self._create_envelope()

    async def _take(self, envelope: _Envelope) -> str:
        usual = self._timeout_handle
        try:
            envelope.content = envelope.original_content = await self._read_letter()
            desk: Any = self.event_handler
            answer: str = await desk.handle_DATA(self, self.session, envelope)
        except _Refused as refusal:
            answer = str(refusal)
        finally:
            self._keeper.done(self)
        if self._timeout_handle is not usual:
            self._reset_timeout()
        if answer.startswith("2"):
            self._mistakes = 0
        return answer

    async def _read_letter(self) -> bytes:
        """The letter with its dots unstuffed. Raises _Refused; ConnectionResetError when the sender hangs up."""
        # The line end before the first line is the one of the DATA command itself.
        data, seen, thrown, refusal = bytearray(b"\r\n"), 0, 0, ""
        while (end := data.find(_END, max(0, seen - 4))) < 0:
            if seen == len(b"\r\n"):
                # Most letters come in one piece, and a timer more for each of them would be dear.
                self._reset_timeout(self._keeper.bounds.letter_seconds)
            seen = len(data)
            # Its last two bytes may be the first of what ends the letter.
            refusal = refusal or self._refusal(seen - 4)
            if refusal:
                thrown += seen - 4
                del data[:-4]
                seen = 4
                if thrown > 2 * (self.data_size_limit or 0) + _READ_ON:
                    await self._cut_off(refusal)
            data += await self._more()
        # The bytes after it belong to the next command; the reader is empty now, so it keeps its place.
        self._reader.feed_data(bytes(data[end + len(_END) :]))
        del data[end + 2 :]
        refusal = refusal or self._refusal(end)
        if not refusal and data.count(b"\n") != data.count(b"\r\n"):
            self._keeper.note("letters with bare line feeds refused", self.client)
            refusal = _BARE
        if refusal:
            raise _Refused(refusal)
        return bytes(memoryview(data.replace(b"\r\n.", b"\r\n"))[2:])

    def _refusal(self, size: int) -> str:
        """Why a letter that is so long by now is not kept."""
        if self.data_size_limit and size > self.data_size_limit:
            refusal = f"552 5.3.4 The letter is longer than {self.data_size_limit} bytes"
        elif not self._keeper.has_room(self, size):
            self._keeper.note("large letters put off, since too many came at once,", self.client)
            refusal = _TOO_MANY
        else:
            return ""
        self._keeper.done(self)
        self._reset_timeout(_READ_ON_SECONDS)
        return refusal

    async def _cut_off(self, refusal: str) -> None:
        """The letter that is thrown away as it comes has no end."""
        self._keeper.note("endless letters cut off", self.client)
        await super().push(refusal)
        self._hang_up()

    async def _more(self) -> bytes:
        chunk: bytes = await self._reader.read(_ALL)
        if not chunk:
            raise ConnectionResetError
        return chunk

    def _answers(self, envelope: _Envelope, answer: str) -> str:
        """SMTP: one answer for the letter."""
        return answer


class _LmtpConversation(_Conversation, LMTP):
    """LMTP: one answer for each recipient taken."""

    def _answers(self, envelope: _Envelope, answer: str) -> str:
        return "\r\n".join([answer] * len(envelope.rcpt_tos))


def _tell_seldom(loop: asyncio.AbstractEventLoop, trouble: dict[str, Any]) -> None:
    """A machine without free descriptors makes the loop say so a hundred times a second, though it waits a second itself."""
    problem = trouble.get("exception")
    if isinstance(problem, OSError):
        log_failure(_log, problem, str(trouble["message"]).replace("%", "%%"))
    else:
        loop.default_exception_handler(trouble)


class Receiver:
    """Listens in a thread of its own and puts what it takes into the spool."""

    def __init__(self, spool: Spool, accepts: Accepts, clock: Clock, listening: Listening | None = None) -> None:
        self._listening = listening or Listening()
        self._keeper = Doorkeeper(self._listening.bounds)
        self._desk = _Desk(spool, accepts, clock, self._keeper, self._listening.wait_seconds)
        self._bound: Future[int] = Future()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="receiver", daemon=True)

    def start(self) -> int:
        """Begin to listen; the port. Raises OSError when the port is taken."""
        self._thread.start()
        return self._bound.result()

    def answers(self, seconds: float) -> bool:
        """Whether the loop that talks to senders takes its turns: within so many seconds, asked from another thread."""
        turned = threading.Event()
        if self._loop is None:
            return False
        with suppress(RuntimeError):  # it has ended
            self._loop.call_soon_threadsafe(turned.set)
        return turned.wait(seconds)

    @property
    def runs(self) -> bool:
        """Whether it listens."""
        return self._thread.is_alive() and self._bound.done()

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
        self._loop.set_exception_handler(_tell_seldom)
        server = await self._loop.create_server(self._conversation, self._listening.host, self._listening.port)
        self._bound.set_result(server.sockets[0].getsockname()[1])
        await self._ending.wait()
        # A client let in just now is a session three rounds of the loop later; a server closed before drops his socket open.
        self._loop.remove_reader(server.sockets[0])
        for _ in range(3):
            await sleep(0)
        # To leave by `async with` would wait for the last session, however long it idles.
        server.close()
        await self._desk.see_out()
        self._keeper.tell()

    def _conversation(self) -> SMTP:
        kind = _LmtpConversation if self._listening.protocol == "lmtp" else _Conversation
        return kind(
            self._desk,
            self._keeper,
            data_size_limit=self._listening.max_bytes,
            enable_SMTPUTF8=True,
            hostname=self._listening.name,
            ident="Referee",
            command_call_limit=_COMMANDS_A_SESSION,
            loop=self._loop,
        )
