"""A Dovecot of our own, as the benchmark starts it, with TLS and OAuth2 besides."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import trustme

from tests.bench import mail_server
from tests.bench.mail_server import PASSWORD, PROGRAMS
from tests.real.machine import free_ports, needs, open_folder

__all__ = ["Dovecot", "PASSWORD", "run_dovecot"]

_KEY = b"a key that only this test and its Dovecot know"

_MORE = """\
ssl = yes
ssl_cert = <{dir}/cert.pem
ssl_key = <{dir}/key.pem
auth_mechanisms = plain login xoauth2
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {dir}/oauth2.conf
}}
service imap-login {{
  inet_listener imaps {{
    address = 127.0.0.1
    port = {imaps}
    ssl = yes
  }}
}}
"""

_OAUTH2 = """\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={dir}/keys/
username_attribute = sub
"""


class Dovecot(mail_server.Dovecot):
    """The server in its folder. Ports stay the same when it is started again."""

    def __init__(self, folder: Path) -> None:
        (self.imaps,) = free_ports(1)
        super().__init__(folder, _MORE.format(dir=folder, imaps=self.imaps))
        self.ca = folder / "ca.pem"

    @property
    def ports(self) -> Sequence[int]:
        return (*super().ports, self.imaps)

    def furnish(self, *users: str) -> None:
        """Write settings, certificates and users."""
        super().furnish(*users)
        folder = self.folder
        (folder / "keys" / "default" / "HS256").mkdir(parents=True)
        authority = trustme.CA()
        certificate = authority.issue_cert("localhost", "127.0.0.1")
        authority.cert_pem.write_to_path(str(self.ca))
        certificate.private_key_pem.write_to_path(str(folder / "key.pem"))
        certificate.cert_chain_pems[0].write_to_path(str(folder / "cert.pem"))
        (folder / "oauth2.conf").write_text(_OAUTH2.format(dir=folder))
        (folder / "keys" / "default" / "HS256" / "default").write_bytes(base64.b64encode(_KEY))

    def validity(self, user: str) -> int:
        """UIDVALIDITY of a user's INBOX."""
        return int(self.admin("mailbox", "status", "-u", user, "uidvalidity", "INBOX").rpartition("=")[2])

    def save(self, user: str, letter: bytes) -> None:
        """Lay a letter into a mailbox by the back door."""
        self.admin("save", "-u", user, "-m", "INBOX", given=letter)

    def token(self, user: str) -> str:
        """An OAuth2 access token that this server takes for the user."""
        head = _part({"alg": "HS256", "typ": "JWT"})
        now = int(time.time())
        body = _part({"sub": user, "iat": now - 10, "exp": now + 3600})
        return f"{head}.{body}.{_base64(hmac.digest(_KEY, f'{head}.{body}'.encode(), hashlib.sha256))}"


def _part(value: dict[str, object]) -> str:
    return _base64(json.dumps(value).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@contextmanager
def run_dovecot(*users: str) -> Iterator[Dovecot]:
    """A Dovecot with these users while the block lasts."""
    needs(*PROGRAMS)
    with open_folder() as folder:
        dovecot = Dovecot(folder)
        dovecot.furnish(*users)
        dovecot.start()
        try:
            yield dovecot
        finally:
            dovecot.stop()
