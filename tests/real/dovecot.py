"""A Dovecot of our own: IMAP with TLS, and LMTP into its mailboxes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import trustme
from imapclient import IMAPClient

from tests.real.machine import eventually, free_ports, listening, needs, open_folder

__all__ = ["Dovecot", "PASSWORD", "run_dovecot"]

PASSWORD = "secret"
_KEY = b"a key that only this test and its Dovecot know"

_CONF = """\
base_dir = {dir}/run
state_dir = {dir}/state
log_path = {dir}/dovecot.log
info_log_path = {dir}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <{dir}/cert.pem
ssl_key = <{dir}/key.pem
auth_username_format = %Ln
verbose_proctitle = yes
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2
auth_failure_delay = 0
default_internal_user = dovecot
default_login_user = dovenull
first_valid_uid = 1
mail_location = maildir:{dir}/mail/%n/Maildir
mail_fsync = always
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%n {dir}/users
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {dir}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={dir}/mail/%n
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
service anvil {{
  client_limit = 1000
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
"""

_OAUTH2 = """\
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={dir}/keys/
username_attribute = sub
"""


class Dovecot:
    """The server in its folder. Ports stay the same when it is started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.imap, self.imaps, self.lmtp = free_ports(3)
        self.ca = folder / "ca.pem"

    def furnish(self, *users: str) -> None:
        """Write settings, certificates and users."""
        folder = self.folder
        for name in ("run", "state", "mail", "keys/default/HS256"):
            (folder / name).mkdir(parents=True)
        shutil.chown(folder / "mail", "mail", "mail")
        authority = trustme.CA()
        certificate = authority.issue_cert("localhost", "127.0.0.1")
        authority.cert_pem.write_to_path(str(self.ca))
        certificate.private_key_pem.write_to_path(str(folder / "key.pem"))
        certificate.cert_chain_pems[0].write_to_path(str(folder / "cert.pem"))
        ports = {"imap": self.imap, "imaps": self.imaps, "lmtp": self.lmtp}
        (folder / "dovecot.conf").write_text(_CONF.format(dir=folder, **ports))
        (folder / "oauth2.conf").write_text(_OAUTH2.format(dir=folder))
        (folder / "keys" / "default" / "HS256" / "default").write_bytes(base64.b64encode(_KEY))
        (folder / "users").write_text("".join(f"{user}:{{PLAIN}}{PASSWORD}\n" for user in users))

    def start(self) -> None:
        """Start and wait until it answers."""
        subprocess.run(["dovecot", "-c", self._conf], check=True)
        for port in (self.imap, self.imaps, self.lmtp):
            eventually("Dovecot to listen", lambda port=port: listening(port))

    def stop(self) -> None:
        """End in good order, with all its connections."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End everything of it at once, as a fallen machine would."""
        mine = self._pids()
        self._end(signal.SIGKILL)
        for pid in mine:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        eventually("Dovecot to be gone", lambda: not listening(self.imap))
        (self.folder / "run" / "master.pid").unlink(missing_ok=True)

    def _end(self, how: signal.Signals) -> None:
        file = self.folder / "run" / "master.pid"
        if not file.exists():
            return
        pid = int(file.read_text())
        os.kill(pid, how)
        eventually("Dovecot to end", lambda: not _runs(pid))

    def _pids(self) -> dict[int, str]:
        """The processes the master has started, with what they say they do."""
        master = (self.folder / "run" / "master.pid").read_text().strip()
        command = ["ps", "--ppid", master, "-ww", "-o", "pid=,args="]
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        return {int(pid): what for pid, _, what in (line.strip().partition(" ") for line in lines)}

    def connections(self, user: str) -> dict[int, str]:
        """The IMAP processes that serve a user, with what they do."""
        found = self._pids().items()
        return {pid: what for pid, what in found if what.startswith(f"dovecot/imap [{user} ")}

    def validity(self, user: str) -> int:
        """UIDVALIDITY of a user's INBOX."""
        return int(self.admin("mailbox", "status", "-u", user, "uidvalidity", "INBOX").rpartition("=")[2])

    def admin(self, *words: str, given: bytes = b"") -> str:
        """What `doveadm` says to these words."""
        command = ["doveadm", "-c", self._conf, *words]
        return subprocess.run(command, input=given, capture_output=True, check=True).stdout.decode()

    def save(self, user: str, letter: bytes) -> None:
        """Lay a letter into a mailbox by the back door."""
        self.admin("save", "-u", user, "-m", "INBOX", given=letter)

    def client(self, user: str) -> IMAPClient:
        """A connection of somebody who looks into his mailbox."""
        client = IMAPClient("127.0.0.1", self.imap, ssl=False, timeout=10)
        client.login(user, PASSWORD)
        return client

    def token(self, user: str) -> str:
        """An OAuth2 access token that this server takes for the user."""
        head = _part({"alg": "HS256", "typ": "JWT"})
        now = int(time.time())
        body = _part({"sub": user, "iat": now - 10, "exp": now + 3600})
        return f"{head}.{body}.{_base64(hmac.digest(_KEY, f'{head}.{body}'.encode(), hashlib.sha256))}"

    @property
    def log(self) -> str:
        file = self.folder / "dovecot.log"
        return file.read_text() if file.exists() else ""

    @property
    def _conf(self) -> str:
        return str(self.folder / "dovecot.conf")


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process nobody has waited for yet is dead all the same.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def _part(value: dict[str, object]) -> str:
    return _base64(json.dumps(value).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@contextmanager
def run_dovecot(*users: str) -> Iterator[Dovecot]:
    """A Dovecot with these users while the block lasts."""
    needs("dovecot", "doveadm", "ps")
    with open_folder() as folder:
        dovecot = Dovecot(folder)
        dovecot.furnish(*users)
        dovecot.start()
        try:
            yield dovecot
        finally:
            dovecot.stop()
