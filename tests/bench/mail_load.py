"""The load generator for LMTP: as a mail server hands letters on, from a process of its own.

Run as a script: mail_load.py PORT CONNECTIONS FILE. FILE holds pickled (sender, recipient, bytes) triples. It says "ready",
waits for a line, hands everything on, and prints how many seconds that took.
"""

from __future__ import annotations

import pickle
import smtplib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

Parcel = tuple[str, str, bytes]
"""Envelope sender, recipient, bytes."""


class _Line(smtplib.LMTP):
    """One connection; a letter goes out in three writes and no more, so that little is spent on this side."""

    def hand_on(self, parcels: list[Parcel]) -> None:
        """Hand on every letter and wait for each 250."""
        for sender, recipient, raw in parcels:
            self._wants(250, f"MAIL FROM:<{sender}>\r\n".encode())
            self._wants(250, f"RCPT TO:<{recipient}>\r\n".encode())
            self._wants(354, b"DATA\r\n")
            self._wants(250, raw.replace(b"\r\n.", b"\r\n..") + b"\r\n.\r\n")
        self.quit()

    def _wants(self, code: int, line: bytes) -> None:
        self.send(line)
        answer = self.getreply()
        if answer[0] != code:
            raise RuntimeError(f"wanted {code}, had {answer}")


class Loaded:
    """The generator's process as the benchmark sees it: connected, its letters ready, waiting for the word."""

    def __init__(self, port: int, connections: int, parcels: Path) -> None:
        command = [sys.executable, str(Path(__file__)), str(port), str(connections), str(parcels)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        if self._process.stdout.readline() != "ready\n":
            raise RuntimeError("the load generator did not come up")

    def go(self) -> float:
        """Have everything handed on; the seconds it took. Raises RuntimeError when a letter was refused."""
        said, _ = self._process.communicate("go\n")
        if self._process.returncode:
            raise RuntimeError("the load generator failed")
        return float(said)


def main(port: int, connections: int, path: Path) -> None:
    """Deal the letters out over the connections and hand them all on at once."""
    parcels: list[Parcel] = pickle.loads(path.read_bytes())
    lines = [_Line("127.0.0.1", port, timeout=60) for _ in range(connections)]
    for line in lines:
        line.ehlo()
    print("ready", flush=True)
    sys.stdin.readline()
    with ThreadPoolExecutor(connections) as pool:
        began = time.monotonic()
        dealt = [parcels[place::connections] for place in range(connections)]
        list(pool.map(_Line.hand_on, lines, dealt))
        print(time.monotonic() - began, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
