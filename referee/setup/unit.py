"""The systemd unit of a referee: what it may do on its machine is what it needs, and no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.config import Config

_UNIT = """\
# Written by referee setup --unit. Lay it down as /etc/systemd/system/referee.service, then: systemctl daemon-reload
[Unit]
Description=Referee for games by e-mail, {address}
Wants=network-online.target
After=network-online.target time-sync.target postfix.service dovecot.service postgresql.service
StartLimitIntervalSec=0

[Service]
Type=notify
User={user}
ExecStart={serve}
# Settings are read anew by: systemctl reload referee. Those that are of no use change nothing.
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=10
WatchdogSec=60
TimeoutStopSec=30

# It writes where the settings say, and nowhere else.
UMask=0077
ProtectSystem=strict
ReadWritePaths={writes}
ProtectHome={home}
PrivateTmp=yes
PrivateDevices=yes
PrivateMounts=yes
PrivateIPC=yes
{users}
# It sees its own processes, and changes nothing of the machine.
ProtectProc=invisible
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
NoNewPrivileges=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
# A token_command that compiles as it runs (node, java) needs "no" here.
MemoryDenyWriteExecute=yes

[Install]
WantedBy=multi-user.target
"""

_NOBODY_ELSE = "PrivateUsers=yes\nCapabilityBoundingSet=\nAmbientCapabilities=\n"
_LOW_PORT = "CapabilityBoundingSet=CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE\n"
"""A port below 1024 is root's, unless one is given this right; and it is of no use among users of one's own."""

_HOMES = (Path("/home"), Path("/root"), Path("/run/user"))


def unit(config: Config, program: Sequence[str], user: str) -> str:
    """The unit that runs the service of these settings by this program, as this user."""
    settings = (config.source or config.home / "config.toml").absolute()
    words = (*program, "serve", "--config", str(settings))
    at_home = any(Path(path).is_relative_to(home) for path in (program[0], settings) for home in _HOMES)
    return _UNIT.format(
        address=_percent(config.referee.address),
        user=user,
        serve=" ".join(_word(word).replace("$", "$$") for word in words),
        writes=" ".join(_written(config)),
        home="read-only" if at_home else "yes",
        users=_LOW_PORT if 0 < (config.port or 0) < 1024 else _NOBODY_ELSE,
    )


def _written(config: Config) -> Iterator[str]:
    """The folders that the service writes; one that is not there and not needed keeps nobody from starting (-)."""
    data = config.data_folder.absolute()
    yield _word(str(data))
    others = [config.mail_folder, config.archive_folder]
    if config.maildir.path:
        others.append(config.home / config.maildir.path)
    if config.backup_folder is not None:
        others.append(config.backup_folder)
    for other in (folder.absolute() for folder in others):
        if not other.is_relative_to(data):
            yield _word(f"-{other}")


def _word(text: str) -> str:
    """One word of a setting, whatever is in it."""
    plain = _percent(text)
    if not any(letter in plain for letter in " \t\"'\\;"):
        return plain
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _percent(text: str) -> str:
    return text.replace("%", "%%")
