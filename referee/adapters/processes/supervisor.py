"""Who started this process and looks after it: systemd, or whoever else speaks its protocol (sd_notify)."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress


class Supervisor:
    """Hears that we are ready, alive, about to read our settings anew, or ending; nobody hears it where there is none.

    The protocol is a datagram of lines to the socket that NOTIFY_SOCKET names: too little for a library, and the one in
    Python has not been looked after since 2017.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        mine = environment.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
        microseconds = environment.get("WATCHDOG_USEC", "") if mine else ""
        self.patience = int(microseconds) / 1_000_000 if microseconds.isdecimal() else None
        """After how many seconds without a sign of life we are ended and started again; None for never."""

    @property
    def there(self) -> bool:
        """Whether anybody looks after us."""
        return bool(self._address)

    def ready(self) -> None:
        """Letters are taken from now on."""
        self._tell("READY=1", "STATUS=letters are taken")

    def alive(self) -> None:
        """A sign of life."""
        self._tell("WATCHDOG=1")

    def reloading(self) -> None:
        """Settings are read anew; ready() follows."""
        self._tell("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}", "STATUS=settings are read anew")

    def stopping(self) -> None:
        """We were asked to end, and do."""
        self._tell("STOPPING=1", "STATUS=what is under way is finished")

    def says(self, sentence: str) -> None:
        """One line on how we are, for `systemctl status`."""
        self._tell(f"STATUS={' '.join(sentence.split())}")

    def _tell(self, *lines: str) -> None:
        if not self._address:
            return
        # One that does not listen any more must not keep us from our work.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as end:
            end.settimeout(1.0)
            end.sendto("\n".join(lines).encode(), self._address)
