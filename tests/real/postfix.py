"""A Postfix of our own: takes letters by SMTP and delivers them by LMTP; nothing can leave this machine."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real.machine import eventually, free_ports, listening, needs, open_folder

_MAIN = """\
compatibility_level = 3.6
myhostname = mx.example
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
queue_directory = {dir}/queue
data_directory = {dir}/data
maillog_file = {dir}/postfix.log
maillog_file_prefixes = {dir}
local_transport = error:none
virtual_mailbox_domains = {domains}
virtual_mailbox_maps =
virtual_transport = error:none
transport_maps = inline:{{ {transports} }}
default_transport = error:nothing leaves this machine
recipient_delimiter = +
relayhost =
alias_maps =
smtp_tls_security_level = none
smtpd_tls_security_level = none
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions = permit_mynetworks
disable_dns_lookups = yes
lmtp_destination_recipient_limit = 50
lmtp_data_done_timeout = 8s
smtp_line_length_limit = 0
lmtp_line_length_limit = 0
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
"""

_MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """The server in its folder. `routes` maps a domain to the LMTP port of this machine that takes its letters."""

    def __init__(self, folder: Path, routes: dict[str, int]) -> None:
        self.folder = folder
        (self.port,) = free_ports(1)
        self._routes = routes

    def start(self) -> None:
        """Write the settings, start and wait until it answers."""
        for name in ("etc", "queue", "data"):
            (self.folder / name).mkdir()
        subprocess.run(["chown", "postfix", str(self.folder / "data")], check=True)
        # Debian keeps the kinds of lookup tables that are plug-ins in a file of its own.
        (self.folder / "etc" / "dynamicmaps.cf").write_text("")
        domains = " ".join(self._routes)
        ways = ", ".join(f"{{ {name} = lmtp:inet:127.0.0.1:{port} }}" for name, port in self._routes.items())
        main = _MAIN.format(dir=self.folder, domains=domains, transports=ways)
        names = [line.partition(" =")[0] for line in main.splitlines()]
        assert len(set(names)) == len(names), (
            "of what stands twice all daemons warn, and postlogd may wait for itself for ever"
        )
        (self.folder / "etc" / "main.cf").write_text(main)
        (self.folder / "etc" / "master.cf").write_text(_MASTER.format(port=self.port))
        self._control("start")
        eventually("Postfix to listen", lambda: listening(self.port))

    def stop(self) -> None:
        """End it with all its daemons."""
        self._control("stop")

    def flush(self) -> None:
        """Try everything in the queue now."""
        subprocess.run(["postqueue", "-c", str(self.folder / "etc"), "-f"], check=True)

    def queued(self) -> bool:
        """Whether a letter waits to be delivered."""
        command = ["postqueue", "-c", str(self.folder / "etc"), "-j"]
        return bool(subprocess.run(command, capture_output=True, check=True).stdout.strip())

    def _control(self, word: str) -> None:
        command = ["postfix", "-c", str(self.folder / "etc"), word]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stderr}\n{self.log}"

    @property
    def log(self) -> str:
        file = self.folder / "postfix.log"
        return file.read_text() if file.exists() else ""

    def outcomes(self, recipient: str) -> list[str]:
        """What became of each attempt to deliver to an address: sent, deferred, bounced."""
        mine = [line for line in self.log.splitlines() if f"to=<{recipient}>" in line and " status=" in line]
        return [line.partition(" status=")[2].split()[0] for line in mine]


@contextmanager
def run_postfix(**routes: int) -> Iterator[Postfix]:
    """A Postfix that delivers `domain=port` by LMTP while the block lasts; `_` in a domain stands for a dot."""
    needs("postfix", "postqueue")
    with open_folder() as folder:
        postfix = Postfix(folder, {name.replace("_", "."): port for name, port in routes.items()})
        postfix.start()
        try:
            yield postfix
        finally:
            postfix.stop()
