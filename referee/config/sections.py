"""Each section of the settings file as a frozen value, with its defaults and what a setting may be."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Port = Annotated[int, Meta(ge=0, le=65535, description="a port number from 0 to 65535")]
OwnPort = Annotated[
    Annotated[int, Meta(ge=0, le=65535)] | Literal["", "closed"],
    Meta(description='a port number from 0 to 65535, "closed", or ""'),
]
Count = Annotated[int, Meta(ge=1, description="a whole number from 1 up")]
MaybeCount = Annotated[int, Meta(ge=0, description="a whole number from 0 up")]
Hours = Annotated[float, Meta(gt=0, description="a number of hours above 0")]
Minutes = Annotated[float, Meta(ge=0, description="a number of minutes, 0 or more")]
Seconds = Annotated[float, Meta(gt=0, description="a number of seconds above 0")]
Days = Annotated[float, Meta(gt=0, description="a number of days above 0")]
Address = Annotated[str, Meta(pattern=r"^[^@\s<>]+@[^@\s<>]+$", description='an address, as in "referee@example.org"')]
Addresses = Annotated[tuple[Address, ...], Meta(description='a list of addresses, as in ["gm@example.org"]')]
MaybeAddress = Annotated[
    str, Meta(pattern=r"^$|^[^@\s<>]+@[^@\s<>]+$", description='an address, as in "gm@example.org", or ""')
]

RelayUrl = Annotated[str, Meta(pattern=r"^https?://[^/?#\s@]+(/[^?#\s]*)?$")]
SiteUrl = Annotated[
    str,
    Meta(
        pattern=r"^$|^https?://[^/?#\s@<>\"]+(/[^?#\s@<>\"]*)?$",
        description='where its pages are on the web, as in "https://club.example/matches", or ""',
    ),
]


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """[referee] who the referee is and where it keeps its things."""

    name: str = "Referee"
    address: Address = "referee@localhost"
    data: str = "var"
    zone: str = "UTC"
    answer_old: bool = False


class Database(msgspec.Struct, frozen=True, kw_only=True):
    """[database] where matches are kept."""

    url: str = ""


class Desks(msgspec.Struct, frozen=True, kw_only=True):
    """[desk] who handles letters and deadlines here."""

    processes: Annotated[int, Meta(ge=1, le=64, description="a whole number from 1 to 64")] = 1


class Receive(msgspec.Struct, frozen=True, kw_only=True):
    """[receive] how letters come in."""

    host: str = "127.0.0.1"
    port: OwnPort = ""
    protocol: Literal["smtp", "lmtp"] = "smtp"
    max_letter_mb: Count = 10
    max_recipients: Count = 100
    max_connections: Count = 200
    max_connections_a_client: Count = 50
    front: tuple[str, ...] = ("127.0.0.0/8", "::1")
    slow_seconds: Annotated[float, Meta(ge=0, description="a number of seconds, 0 or more")] = 1.0
    memory_mb: Count = 64
    trusted_authserv: tuple[str, ...] = ()
    recipient_headers: tuple[str, ...] = ("Delivered-To", "X-Original-To")


class Imap(msgspec.Struct, frozen=True, kw_only=True):
    """[imap] a mailbox from which letters are taken."""

    host: str = ""
    port: Port = 993
    security: Literal["tls", "starttls", "none"] = "tls"
    ca_file: str = ""
    user: str = ""
    password: str = ""
    password_file: str = ""
    password_variable: str = ""
    token_command: tuple[str, ...] = ()
    folder: str = "INBOX"
    trusted_authserv: tuple[str, ...] = ()
    keyword: str = "$RefereeSeen"
    move_to: str = ""
    idle_minutes: Annotated[float, Meta(gt=0, le=29, description="a number of minutes above 0, up to 29")] = 5.0
    timeout_seconds: Seconds = 30.0
    retry_first_seconds: Seconds = 1.0
    retry_longest_seconds: Seconds = 300.0


class Maildir(msgspec.Struct, frozen=True, kw_only=True):
    """[maildir] a folder from which letters are taken."""

    path: str = ""
    trusted_authserv: tuple[str, ...] = ()


class Send(msgspec.Struct, frozen=True, kw_only=True):
    """[send] how letters go out."""

    method: Literal["maildir", "smtp"] = "maildir"
    maildir: str = ""
    host: str = "localhost"
    port: Port = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password: str = ""
    password_file: str = ""
    password_variable: str = ""
    token_command: tuple[str, ...] = ()
    timeout_seconds: Seconds = 60.0
    connections: Count = 3
    verp: bool = True
    retry_first_minutes: Minutes = 1.0
    retry_longest_hours: Hours = 4.0
    give_up_days: Days = 5.0


class Dkim(msgspec.Struct, frozen=True, kw_only=True):
    """[dkim] the signature under letters out."""

    selector: str = ""
    domain: str = ""
    key_file: str = ""


class Clockwork(msgspec.Struct, frozen=True, kw_only=True):
    """[clock] defaults for the clocks of new matches, and the service's own."""

    deadline_hours: Hours = 24.0
    reminder_hours: Annotated[tuple[Hours, ...], Meta(description="a list of hours, as in [12, 2]")] = (12.0, 2.0)
    mind_minutes: Minutes = 30.0
    late: Literal["auto", "on call"] = "auto"
    scan_seconds: Seconds = 5.0
    downtime_minutes: Annotated[float, Meta(ge=5, description="a number of minutes, 5 or more")] = 15.0
    wait_longest_hours: Hours = 72.0
    file: str = ""


class Chance(msgspec.Struct, frozen=True, kw_only=True):
    """[chance] where what nobody may know beforehand comes from. The chain is drand's quicknet unless another is set."""

    beacon: Literal["letters", "drand"] = "letters"
    relays: Annotated[
        tuple[RelayUrl, ...],
        Meta(min_length=1, description='a list of one or more addresses, as in ["https://api.drand.sh"]'),
    ] = ("https://api.drand.sh", "https://api2.drand.sh", "https://api3.drand.sh", "https://drand.cloudflare.com")
    wait_minutes: Minutes = 10.0
    lead_seconds: Annotated[float, Meta(ge=0, description="a number of seconds, 0 or more")] = 60.0
    chain: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="64 hexadecimal digits in small letters")] = (
        "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    )
    public_key: Annotated[
        str, Meta(pattern=r"^[0-9a-f]{192}$", description="192 hexadecimal digits in small letters")
    ] = (
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    )
    period_seconds: Count = 3
    genesis: MaybeCount = 1692803367


class Witness(msgspec.Struct, frozen=True, kw_only=True):
    """[witness] whether the heads of others' logs are signed here."""

    serve: bool = True
    max_logs: Count = 500


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """[archive] the folder of finished pages, and where it is on the web."""

    folder: str = ""
    url: SiteUrl = ""


class EmpireBoards(msgspec.Struct, frozen=True, kw_only=True):
    """[empire] what this house adds to the game of Empire."""

    boards: str = ""


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """[backup] a backup every night."""

    folder: str = ""
    hour: Annotated[int, Meta(ge=0, le=23, description="a whole number from 0 to 23")] = 3
    keep: MaybeCount = 14


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """[limits] what one letter or one sender may ask of the service, and what a letter of its own may bring."""

    max_orders: Count = 2000
    max_attempts: Count = 3
    letter_seconds: Seconds = 60.0
    answers_a_day: Count = 10
    answer_kb: Count = 25
    domain_answers_a_day: Count = 100
    stranger_answers_a_day: Count = 1000
    refusals_a_day: Count = 20
    requests_a_day: Count = 200
    archive_mb: Count = 5
    reserve_mb: MaybeCount = 100
    keep_refused_days: Days = 30.0
    keep_letters_days: Annotated[float, Meta(ge=0, description="a number of days, 0 or more")] = 0.0
    strangers_mb: Count = 200
    forming_matches: Count = 3
    joined_matches: Count = 5
    forming_in_all: Count = 100
    forming_days: MaybeCount = 30


class HealthPort(msgspec.Struct, frozen=True, kw_only=True):
    """[health] where a monitor asks whether all is well; port 0 for nowhere."""

    host: str = "127.0.0.1"
    port: Port = 0
    late_minutes: Annotated[float, Meta(ge=2, description="a number of minutes, 2 or more")] = 5.0


class Log(msgspec.Struct, frozen=True, kw_only=True):
    """[log] how the running service writes down what went wrong."""

    format: Literal["lines", "json"] = "lines"


class GameMaster(msgspec.Struct, frozen=True, kw_only=True):
    """[gm] who may open matches and who keeps this service."""

    addresses: Addresses = ()
    keeper: MaybeAddress = ""
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
