"""Instructions for the host, and the unit that systemd runs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.adapters.dkim import dkim_record
from referee.config import Config

_STRING = 255
"""Characters that one string of a TXT record may hold (RFC 1035); a longer text is several, read as one."""


def dns_records(config: Config, machine: str) -> tuple[str, ...]:
    """The records that the domain must publish, as a zone file has them. `machine` takes its mail, "" leaves that as it is."""
    domain = f"{config.host}."
    found = []
    if machine:
        found += [f"{domain} MX 10 {machine}.", f'{domain} TXT "v=spf1 mx -all"']
    if config.dkim.selector:
        name = f"{config.dkim.selector}._domainkey.{config.dkim.domain or config.host}."
        found.append(f"{name} TXT {_strings(dkim_record(config.dkim_key()))}")
        found.append(f'_dmarc.{domain} TXT "v=DMARC1; p=quarantine"')
    return tuple(found)


def _strings(text: str) -> str:
    return " ".join(f'"{text[at : at + _STRING]}"' for at in range(0, len(text), _STRING))


def forward_line(config: Config, program: Sequence[str]) -> str:
    """The line of a .forward that hands letters to us."""
    command = shlex.join((*program, "receive", "--config", str(_settings(config))))
    return f'"|{command} || exit 75"'


def before_letters_come(config: Config, machine: str, program: Sequence[str]) -> Iterator[str]:
    """Paragraphs: what must be so before a letter comes back. `machine` is the name to which mail for the domain goes."""
    if not config.dkim.selector:
        return
    by_postfix = config.receive.protocol == "lmtp"
    if by_postfix:
        # The lines of /etc/postfix/main.cf by which letters for the domain come to us, and nothing else does.
        receive, domain = config.receive, config.host
        lines = (
            *((f"myhostname = {machine}",) if machine else ()),
            "recipient_delimiter = +",
            f"virtual_mailbox_domains = {domain}",
            f"transport_maps = inline:{{ {{ {domain} = lmtp:inet:{receive.host}:{config.port} }} }}",
            "smtpd_recipient_restrictions = permit_mynetworks, reject_unverified_recipient",
            "unverified_recipient_reject_code = 550",
        )
        yield _listed("Add to /etc/postfix/main.cf (in place of lines that begin alike), then: postfix reload", lines)
        yield (
            f"All of {config.host} is the referee's then: letters to postmaster@ and abuse@ there go to you, those to any other "
            "address but its own are refused. Where the domain has other addresses, use a subdomain, such as "
            f"games.{config.host}."
        )
    elif config.maildir.path:
        box = (config.home / config.maildir.path).absolute()
        yield (
            f"Have your mail server deliver letters for {config.referee.address}, and for the same address with a + and anything "
            f"behind it, into {box}/ (in Postfix home_mailbox or virtual_mailbox_maps), as the user of the service."
        )
    else:
        yield _listed(
            "Have your mail server hand letters on, by a .forward that says", (forward_line(config, program),)
        )
    yield _listed(f"Publish in the DNS of {config.host}", dns_records(config, machine if by_postfix else ""))
    if by_postfix and machine:
        yield (
            f"{machine} needs an A (or AAAA) record with this machine's address, and that address must lead back to the "
            "name (PTR; the provider of the machine sets it): without it many servers refuse your letters."
        )


def as_a_service(config: Config, program: Sequence[str]) -> str:
    """A paragraph: how the referee runs by itself, from now on and after each start of the machine."""
    home = _settings(config).parent
    name, unit = shlex.quote(str(home)), "/etc/systemd/system/referee.service"
    lines = [f"{shlex.join(program)} setup {name} --unit > {unit}", "systemctl enable --now referee"]
    if home.stat().st_uid == 0:
        lines[:0] = [
            f"adduser --system --group --home {name} --no-create-home {ACCOUNT}",
            f"chown -R {ACCOUNT}: {name}",
        ]
    return _listed("Have the referee run as a service; as root", lines)


def every_night(config: Config, program: Sequence[str]) -> str:
    """A paragraph: how a backup is made every night."""
    if config.backup_folder is not None:
        return f"A backup is made every night in {config.backup_folder}."
    command = f"{shlex.join((*program, 'backup'))} /mnt/backup/referee-$(date +\\%F)"
    by_cron = f"0 3 * * * {command} --config {shlex.quote(str(_settings(config)))}"
    return _listed("Have a backup made every night, by a line of the referee's crontab (docs/backup.md)", [by_cron])


ACCOUNT = "referee"
"""The user who runs the service if the folder belongs to root, who should not."""


def _settings(config: Config) -> Path:
    return (config.source or config.home / "config.toml").absolute()


def _listed(what: str, lines: Sequence[str]) -> str:
    return "\n".join((f"{what}:", "", *(f"    {line}" for line in lines)))


# ---------------------------------------------------------------- the systemd unit of a referee
# The rights of the service on its machine are those it needs, and no more.


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
