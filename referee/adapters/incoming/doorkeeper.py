"""The doorkeeper of the receiver: how many connections, mistakes and large letters anybody may bring.

Refusals are counted and told once a minute, since a line for each would let strangers fill the disk.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import msgspec

_log = logging.getLogger(__name__)

SMALL = 256 * 1024
"""A letter of up to so many bytes is always read: there is room for one in every connection."""

_SLOW_FROM, _LAST = 10, 20
_MISTAKES_A_MINUTE = 100
_CLIENTS = 1_000
"""How many clients are told apart within a minute; what comes from further ones is counted under one name."""


class Bounds(msgspec.Struct, frozen=True):
    """Limits for one letter, one client and all together; times in seconds.

    `front` are the networks of our own mail servers: they bring everybody's letters, so no client is counted there.
    A letter that does not come in one piece has `letter_seconds` for the rest.
    `large_bytes` is how much of letters beyond their first 256 kB may be in memory at a time.
    """

    recipients: int = 100
    connections: int = 200
    connections_a_client: int = 50
    front: tuple[str, ...] = ("127.0.0.0/8", "::1")
    large_bytes: int = 64 * 1024 * 1024
    slow_seconds: float = 1.0
    idle_seconds: float = 300.0
    letter_seconds: float = 600.0
    session_seconds: float = 3_600.0
    tally_seconds: float = 60.0


class Client(msgspec.Struct, frozen=True):
    """The key by which the other end is counted: its address, in IPv6 by the 64 bits one customer has."""

    name: str
    is_front: bool = False


class Doorkeeper:
    """Counts for all sessions of a receiver; used in the receiver's thread alone."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._front = [ip_network(network, strict=False) for network in bounds.front]
        self._inside: Counter[str] = Counter()
        self._mistakes: Counter[str] = Counter()
        self._refused: dict[str, Counter[str]] = {}
        self._large: dict[object, int] = {}
        self._telling: asyncio.TimerHandle | None = None

    def client(self, host: str) -> Client:
        """The client that connects from there."""
        address = ip_address(host.partition("%")[0])
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        whole = isinstance(address, IPv4Address) or address.is_loopback
        name = str(address if whole else ip_network((int(address) >> 64 << 64, 64)))
        return Client(name, any(address in network for network in self._front))

    # ------------------------------------------------------------ connections

    def turns_away(self, client: Client) -> str:
        """Why a new connection is not let in; "" when it is, and then it is counted until it `leaves`."""
        bounds, name = self.bounds, client.name
        if self._inside.total() >= bounds.connections:
            why = "421 4.3.2 Too many connections at once; please come again later"
        elif not client.is_front and self._inside[name] >= bounds.connections_a_client:
            why = "421 4.7.0 Too many connections of yours at once; please come again later"
        elif self._mistakes[name] >= _MISTAKES_A_MINUTE:
            why = "421 4.7.0 Too many mistakes of yours within a minute; please come again later"
        else:
            self._inside[name] += 1
            return ""
        self.note("connections turned away", client)
        return why

    def leaves(self, client: Client) -> None:
        """A connection that was let in has ended."""
        self._inside[client.name] -= 1
        if not self._inside[client.name]:
            del self._inside[client.name]

    # ------------------------------------------------------------ mistakes

    def patience(self, client: Client, mistakes: int) -> float:
        """How many seconds the answer to a mistake waits, the session's so many; -1 when the session is to end."""
        if not client.is_front:
            self._mistakes[_counted(self._mistakes, client.name)] += 1
            self._tell_later()
        if mistakes >= _LAST or self._mistakes[client.name] > _MISTAKES_A_MINUTE:
            self.note("sessions ended for their mistakes", client)
            return -1
        return self.bounds.slow_seconds if mistakes >= _SLOW_FROM else 0

    def note(self, what: str, client: Client) -> None:
        """Something was refused: it is told with all others of the minute."""
        clients = self._refused.setdefault(what, Counter())
        clients[_counted(clients, client.name)] += 1
        self._tell_later()

    def _tell_later(self) -> None:
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(self.bounds.tally_seconds, self.tell)

    def tell(self) -> None:
        """Log what was refused since the last time, a line for each kind."""
        if self._telling is not None:
            self._telling.cancel()
        for what, clients in self._refused.items():
            most = clients.most_common(1)[0][0]
            whom = most if len(clients) == 1 else f"{len(clients):,} clients, most often {most}"
            _log.warning("%s within a minute: %s, from %s", what, f"{clients.total():,}", whom)
        self._telling, self._refused, self._mistakes = None, {}, Counter()

    # ------------------------------------------------------------ memory

    def has_room(self, letter: object, size: int) -> bool:
        """Whether a letter may be kept that has grown to this size; what it takes is its own until it is `done`."""
        taken = sum(self._large.values()) - self._large.get(letter, 0)
        large = max(0, size - SMALL)
        if large and taken + large > self.bounds.large_bytes:
            return False
        if large:
            self._large[letter] = large
        return True

    def done(self, letter: object) -> None:
        """The letter is stored, or thrown away."""
        self._large.pop(letter, None)


def _counted(clients: Counter[str], client: str) -> str:
    """The client, or one name for all others where very many are told apart already."""
    return client if client in clients or len(clients) < _CLIENTS else "others"
