"""A mailbox account: where it is, who we are there, and how a connection to it is opened."""

from __future__ import annotations

import logging
import ssl
from contextlib import suppress
from typing import Any, Literal

import msgspec
from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from referee.adapters.access_token import NoToken, access_token

_log = logging.getLogger(__name__)


class Refused(LoginError):  # type: ignore[misc]  # the library has no types
    """The mailbox does not let us in: somebody must mend the name, the password or the token command."""


class Account(msgspec.Struct, frozen=True):
    """An IMAP mailbox. `token_command` prints an OAuth2 access token and takes the place of the password.

    With `move_to` letters are moved to that folder once they are stored, otherwise they get the `keyword`.
    `server_dates` counts the time at which the mail server took a letter as its arrival.
    """

    host: str
    port: int = 993
    security: Literal["tls", "starttls", "none"] = "tls"
    user: str = ""
    password: str = ""
    token_command: tuple[str, ...] = ()
    ca_file: str = ""
    folder: str = "INBOX"
    keyword: str = "$RefereeSeen"
    move_to: str = ""
    idle_seconds: float = 300.0
    poll_seconds: float = 60.0
    timeout_seconds: float = 30.0
    server_dates: bool = True

    @property
    def name(self) -> str:
        """The account as it stands in transport keys: the same however one connects to it."""
        return f"{self.user}@{self.host}"


class Connection(IMAPClient):  # type: ignore[misc]  # the library has no types
    """An IMAPClient that, asked what came while idle with timeout 0, also looks at what it has read ahead already.

    The plain one asks the socket alone: a letter told of in the same packet as "idling" would wait for the next one.
    """

    def _poll_socket(self, sock: Any, timeout: float | None = None) -> Any:
        return True if timeout == 0 else super()._poll_socket(sock, timeout)

    def announced(self) -> bool:
        """Whether a command since the last question brought news of letters by the way: IDLE will not say it again."""
        _, counts = self._imap.response("EXISTS")
        return bool(counts != [None])


def connect(account: Account) -> Connection:
    """An open connection, logged in. Raises OSError or IMAPClientError; Refused when we are not let in."""
    client = Connection(
        account.host,
        account.port,
        ssl=account.security == "tls",
        ssl_context=_context(account) if account.security == "tls" else None,
        timeout=SocketTimeout(account.timeout_seconds, account.timeout_seconds),
    )
    try:
        client.normalise_times = False
        if account.security == "starttls":
            client.starttls(_context(account))
        _log_in(client, account)
    except BaseException:
        hang_up(client)
        raise
    return client


def take_leave(client: IMAPClient) -> None:
    """Log out; a server that does not answer any more is left all the same."""
    try:
        client.logout()
    except (OSError, IMAPClientError) as error:
        _log.debug("no good-bye: %s", error)
        hang_up(client)


def hang_up(client: IMAPClient) -> None:
    """Close the connection, whatever state it is in."""
    with suppress(OSError):
        client.shutdown()


def _context(account: Account) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=account.ca_file or None)


def _log_in(client: IMAPClient, account: Account) -> None:
    try:
        if account.token_command:
            client.oauth2_login(account.user, access_token(account.token_command, account.timeout_seconds))
        else:
            client.login(account.user, account.password)
    except NoToken as error:
        raise Refused(str(error)) from error
    except LoginError as error:
        # The library says the same of a server that hung up, or whose list of users is out of order for now (RFC 5530).
        if isinstance(error.__context__, IMAPClientAbortError) or "[UNAVAILABLE]" in str(error).upper():
            raise
        raise Refused(str(error)) from error
