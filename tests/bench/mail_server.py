"""A Dovecot of our own in a temporary folder: mailboxes that IMAP reads and LMTP fills. The tests start theirs the same way.

Dovecot keeps mailboxes under users of its own, so this needs root.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from imapclient import IMAPClient

PASSWORD = "secret"
"""Everybody's; the server listens on this machine only and lives for some seconds."""

PROGRAMS = ("dovecot", "doveadm", "ps")
"""What must be installed."""

_PATIENCE = 20.0
_PAUSE = 0.02

_CONF = """\
base_dir = {dir}/run
state_dir = {dir}/state
log_path = {dir}/dovecot.log
info_log_path = {dir}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
auth_username_format = %Ln
verbose_proctitle = yes
disable_plaintext_auth = no
auth_mechanisms = plain login
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
    port = 0
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


def lacking(*programs: str) -> str:
    """Why servers made of these programs cannot run here, "" when they can."""
    absent = [program for program in programs if shutil.which(program) is None]
    if absent:
        return f"not installed: {', '.join(absent)}"
    return "root is needed" if os.geteuid() else ""


class Dovecot:
    """The server in its folder. Ports stay the same when it is started again; `more` is added to its settings."""

    def __init__(self, folder: Path, more: str = "") -> None:
        self.folder = folder
        self.imap, self.lmtp = free_ports(2)
        self._more = more

    def furnish(self, *users: str) -> None:
        """Write settings and users."""
        for name in ("run", "state", "mail"):
            (self.folder / name).mkdir(parents=True)
        shutil.chown(self.folder / "mail", "mail", "mail")
        settings = _CONF.format(dir=self.folder, imap=self.imap, lmtp=self.lmtp)
        (self.folder / "dovecot.conf").write_text(settings + self._more)
        (self.folder / "users").write_text("".join(f"{user}:{{PLAIN}}{PASSWORD}\n" for user in users))
        for path in (self.folder, *self.folder.rglob("*")):  # Dovecot's users read it, whatever our umask
            path.chmod(0o755 if path.is_dir() else 0o644)

    @property
    def ports(self) -> Sequence[int]:
        """Where it listens."""
        return (self.imap, self.lmtp)

    def start(self) -> None:
        """Start and wait until it answers. Raises TimeoutError when it does not."""
        subprocess.run(["dovecot", "-c", self._conf], check=True)
        _until("Dovecot to listen", lambda: all(map(listening, self.ports)))

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
        _until("Dovecot to be gone", lambda: not listening(self.imap))
        (self.folder / "run" / "master.pid").unlink(missing_ok=True)

    def _end(self, how: signal.Signals) -> None:
        file = self.folder / "run" / "master.pid"
        if not file.exists():
            return
        pid = int(file.read_text())
        os.kill(pid, how)
        _until("Dovecot to end", lambda: not _runs(pid))

    def _pids(self) -> dict[int, str]:
        """The processes the master has started, with what they say they do."""
        master = (self.folder / "run" / "master.pid").read_text().strip()
        command = ["ps", "--ppid", master, "-ww", "-o", "pid=,args="]
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        return {int(pid): what for pid, _, what in (line.strip().partition(" ") for line in lines)}

    def connections(self, user: str) -> dict[int, str]:
        """The IMAP processes that serve a user, with what they do."""
        return {pid: what for pid, what in self._pids().items() if what.startswith(f"dovecot/imap [{user} ")}

    def admin(self, *words: str, given: bytes = b"") -> str:
        """What `doveadm` says to these words."""
        command = ["doveadm", "-c", self._conf, *words]
        return subprocess.run(command, input=given, capture_output=True, check=True).stdout.decode()

    def client(self, user: str) -> IMAPClient:
        """A connection of somebody who looks into his mailbox."""
        client = IMAPClient("127.0.0.1", self.imap, ssl=False, timeout=10)
        client.login(user, PASSWORD)
        return client

    @property
    def log(self) -> str:
        """What it has noted."""
        file = self.folder / "dovecot.log"
        return file.read_text() if file.exists() else ""

    @property
    def _conf(self) -> str:
        return str(self.folder / "dovecot.conf")


@contextmanager
def running(*users: str) -> Iterator[Dovecot]:
    """A Dovecot with these users while the block lasts."""
    with open_folder() as folder:
        dovecot = Dovecot(folder)
        dovecot.furnish(*users)
        dovecot.start()
        try:
            yield dovecot
        finally:
            dovecot.stop()


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, all different."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports: list[int] = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def listening(port: int) -> bool:
    """Whether somebody answers on this port."""
    with socket.socket() as one:
        one.settimeout(1)
        return one.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that servers under other users may enter; its path is short, as paths of sockets must be."""
    folder = Path(tempfile.mkdtemp(prefix="referee-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _until(what: str, found: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE
    while not found():
        if time.monotonic() > until:
            raise TimeoutError(f"waited in vain for {what}")
        time.sleep(_PAUSE)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process nobody has waited for yet is dead all the same.
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
