"""Outgoing mail through a relay (a mail server that takes letters for anywhere) by SMTP."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import aiosmtplib
import msgspec

from referee.adapters.clock_and_secrets import NoToken, access_token
from referee.adapters.outgoing.postman import GiveUp, NotLetIn, OutOfReach, TryLater
from referee.service.base.ports import LetterOut

Security = Literal["none", "starttls", "tls"]
"""How the connection is protected: not at all, after STARTTLS (refused without it), or from the first byte."""

_ADDRESS = re.compile(r"[^@\s<>\x00-\x1f]+@[^@\s<>\x00-\x1f]+")
"""The addresses that may be named to the relay; anything cleverer could smuggle a second command or recipient."""

_NOT_THE_LETTERS_FAULT = {530, 534, 535, 538}
"""Permanent refusals of our login, wherever they are said: letters are kept until somebody mends the settings."""


class Relay(msgspec.Struct, frozen=True):
    """Where the relay is and how to log in; no user means no login. `timeout` in seconds holds for each step.

    `token_command` prints an OAuth2 access token and takes the place of the password (XOAUTH2).
    `context` replaces the system's certificates, for a relay with a private certificate.
    """

    host: str
    port: int
    security: Security = "starttls"
    user: str = ""
    password: str = ""
    timeout: float = 60.0
    context: ssl.SSLContext | None = None
    token_command: tuple[str, ...] = ()


class RelaySender:
    """Sends through one connection until closed. For one thread at a time.

    `envelope` gives a letter's envelope sender, "" for none: the address to which it bounces.
    """

    def __init__(self, relay: Relay, envelope: Callable[[LetterOut], str] = lambda letter: letter.sender) -> None:
        self._relay = relay
        self._envelope = envelope
        self._loop: asyncio.Runner | None = None
        self._client: aiosmtplib.SMTP | None = None

    def send(self, letter: LetterOut) -> None:
        """Hand the letter on.

        Raises OutOfReach without a connection, NotLetIn for 5xx at the login, TryLater for 4xx and a connection lost
        meanwhile, GiveUp for 5xx.
        """
        self._do(self._send(letter))

    def knock(self) -> None:
        """Connect and log in, where that is not done already. Raises OutOfReach or NotLetIn."""
        self._do(self._reached())

    def _do(self, work: Coroutine[Any, Any, object]) -> None:
        if self._loop is None:
            self._loop = asyncio.Runner()
        self._loop.run(work)

    def close(self) -> None:
        """Say goodbye to the relay."""
        if self._loop is not None:
            self._loop.run(self._quit())
            self._loop.close()
        self._loop = self._client = None

    async def _send(self, letter: LetterOut) -> None:
        client = await self._reached()
        if not _ADDRESS.fullmatch(letter.recipient):
            raise GiveUp(f"{letter.recipient!r} is no address")
        with _as(TryLater, self._relay), _as_verdict(letter):
            sender, options = self._envelope(letter), _options(client, letter)
            await client.sendmail(sender, [letter.recipient], letter.raw, mail_options=options)

    async def _reached(self) -> aiosmtplib.SMTP:
        with _as(OutOfReach, self._relay):
            return await self._connected()

    async def _connected(self) -> aiosmtplib.SMTP:
        if self._client is not None and await _answers(self._client):
            return self._client
        self._client = await _connect(self._relay)
        return self._client

    async def _quit(self) -> None:
        client, self._client = self._client, None
        if client is not None and await _answers(client):
            with _forgiving():
                await client.quit()


async def _connect(relay: Relay) -> aiosmtplib.SMTP:
    client = aiosmtplib.SMTP(
        hostname=relay.host,
        port=relay.port,
        timeout=relay.timeout,
        use_tls=relay.security == "tls",
        start_tls=False,
        tls_context=relay.context,
    )
    await client.connect()
    opened = client.transport
    try:
        if relay.security == "starttls":
            await client.starttls()
        if relay.user:
            await _log_in(client, relay)
    except BaseException:
        await _cut(client, opened)
        raise
    return client


async def _log_in(client: aiosmtplib.SMTP, relay: Relay) -> None:
    """Raises NotLetIn when the relay knows no such user and password or token, or no such login at all."""
    try:
        await (_show_token(client, relay) if relay.token_command else client.login(relay.user, relay.password))
    except OSError:
        raise  # it hung up, or was too slow
    except aiosmtplib.SMTPResponseException as error:
        if error.code < 500:
            raise
        raise NotLetIn(f"{relay.host}:{relay.port} refuses {relay.user}: {error.code} {error.message}") from error
    except (aiosmtplib.SMTPException, NoToken) as error:
        raise NotLetIn(f"{relay.host}:{relay.port} takes no login: {error}") from error


async def _show_token(client: aiosmtplib.SMTP, relay: Relay) -> None:
    """Log in with a fresh access token; where it is refused, with the next one if that is another."""
    await client.ehlo()
    if "xoauth2" not in client.server_auth_methods:
        raise aiosmtplib.SMTPException("it does not offer XOAUTH2, and token_command needs it")
    token = access_token(relay.token_command, relay.timeout)
    try:
        await client.auth_xoauth2(relay.user, token)
    except aiosmtplib.SMTPAuthenticationError as refused:
        renewed = access_token(relay.token_command, relay.timeout)
        if refused.code < 500 or renewed == token:
            raise
        await client.auth_xoauth2(relay.user, renewed)


async def _cut(client: aiosmtplib.SMTP, opened: asyncio.BaseTransport | None) -> None:
    """Drop a connection that could not be made safe; after a failed handshake the client has lost sight of it."""
    if isinstance(opened, asyncio.WriteTransport):
        opened.abort()  # first, for under Python 3.11.2 nothing with TLS can be aborted that is closed
    client.close()
    # The socket is closed in the loop's next round, and there may never be another one.
    await asyncio.sleep(0)


def _options(client: aiosmtplib.SMTP, letter: LetterOut) -> list[str]:
    options = []
    if not letter.raw.isascii() and client.supports_extension("8bitmime"):
        options.append("BODY=8BITMIME")
    if not (letter.sender + letter.recipient).isascii():
        options.append("SMTPUTF8")
    return options


async def _answers(client: aiosmtplib.SMTP) -> bool:
    """Whether an idle connection still lives; a letter must never be the first thing lost on a dead one."""
    try:
        return client.is_connected and (await client.noop()).code == 250
    except (aiosmtplib.SMTPException, OSError):
        client.close()
        return False


@contextmanager
def _forgiving() -> Iterator[None]:
    try:
        yield
    except (aiosmtplib.SMTPException, OSError):
        # The letters are handed on; a relay that hangs up without a goodbye harms nobody.
        return


@contextmanager
def _as(kind: type[TryLater], relay: Relay) -> Iterator[None]:
    try:
        yield
    except (aiosmtplib.SMTPException, OSError) as error:
        raise kind(f"{relay.host}:{relay.port}: {error}") from error


@contextmanager
def _as_verdict(letter: LetterOut) -> Iterator[None]:
    """Turn the relay's answer about this letter into a verdict."""
    try:
        yield
    except aiosmtplib.SMTPRecipientsRefused as error:
        _judge(error.recipients[0])
    except aiosmtplib.SMTPResponseException as error:
        _judge(error)
    except ValueError as error:
        raise GiveUp(f"the relay cannot be told of {letter.recipient!r}: {error}") from error


def _judge(error: aiosmtplib.SMTPResponseException) -> None:
    said = f"{error.code} {error.message}"
    if error.code in _NOT_THE_LETTERS_FAULT:
        raise NotLetIn(said) from error
    if error.code >= 500:
        raise GiveUp(said) from error
    raise TryLater(said) from error
