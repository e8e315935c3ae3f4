"""The load generator: raw SMTP over loopback from a process of its own, so that it shares no interpreter with what it loads.

Run as a script: load.py PORT CONNECTIONS FILE. FILE holds pickled (sender, recipient, bytes) triples. It says "ready",
waits for a line, sends everything, and prints the monotonic times at which it began and ended.
"""

from __future__ import annotations

import pickle
import socket
import sys
import threading
import time
from pathlib import Path

_Parcel = tuple[str, str, bytes]


class _Line:
    """One connection, kept open for all its letters."""

    def __init__(self, port: int, parcels: list[_Parcel]) -> None:
        self._parcels = parcels
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._left = b""
        self._reply(b"220")
        self._say(b"EHLO load.example", b"250")

    def send_all(self) -> None:
        """Send every letter and wait for each 250."""
        for sender, recipient, raw in self._parcels:
            self._say(f"MAIL FROM:<{sender}>".encode(), b"250")
            self._say(f"RCPT TO:<{recipient}>".encode(), b"250")
            self._say(b"DATA", b"354")
            self._say(raw.replace(b"\r\n.", b"\r\n..") + b"\r\n.", b"250")
        self._say(b"QUIT", b"221")
        self._socket.close()

    def _say(self, line: bytes, wanted: bytes) -> None:
        self._socket.sendall(line + b"\r\n")
        self._reply(wanted)

    def _reply(self, wanted: bytes) -> None:
        while True:
            while b"\r\n" not in self._left:
                chunk = self._socket.recv(65_536)
                if not chunk:
                    raise ConnectionError("the server hung up")
                self._left += chunk
            line, _, self._left = self._left.partition(b"\r\n")
            if not line.startswith(wanted):
                raise RuntimeError(f"wanted {wanted!r}, had {line!r}")
            if line[3:4] != b"-":
                return


def main(port: int, connections: int, path: Path) -> None:
    """Deal the letters out over the connections and send them all at once."""
    parcels: list[_Parcel] = pickle.loads(path.read_bytes())
    lines = [_Line(port, parcels[place::connections]) for place in range(connections)]
    faults: list[BaseException] = []

    def send(line: _Line) -> None:
        try:
            line.send_all()
        except Exception as fault:  # told to the parent, which would otherwise wait for ever
            faults.append(fault)

    threads = [threading.Thread(target=send, args=(line,)) for line in lines]
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"fault {faults[0]!r}" if faults else f"done {began} {time.monotonic()}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
