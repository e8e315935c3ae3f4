"""The window: a port at which a monitor asks. /healthz answers 200 or 503 with JSON, /metrics with the figures.

It only looks. Whatever goes wrong with it is its own affair: who asked is answered 500, and the service goes on.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable
from socketserver import TCPServer, ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import msgspec
from prometheus_client import make_wsgi_app

from referee.adapters.monitoring.metrics import registry
from referee.service.base.office import log_failure
from referee.service.base.ports import NotNow
from referee.service.intake.health import Health, as_data

_log = logging.getLogger(__name__)
_PATIENCE = 10.0
"""Seconds in which a client must have said what it asks."""

_SAME = 5.0
"""Seconds in which whoever asks again hears the same: the figures are counted among all letters."""

_TEXT, _JSON = "text/plain", "application/json"
Start = Callable[..., Any]


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def server_bind(self) -> None:
        """Bind, without asking the name server what this machine is called."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is nobody's fault."""


class _ServerOf6(_Server):
    address_family = socket.AF_INET6


class _Handler(WSGIRequestHandler):
    timeout = _PATIENCE

    def log_message(self, format: str, *args: Any) -> None:
        """That somebody asked is not written down."""

    def address_string(self) -> str:
        return str(self.client_address[0])


class Window:
    """Answers at a port, from `start` on. `look` tells how all is; NotNow from it means that the database is not to be had."""

    def __init__(
        self,
        host: str,
        port: int,
        look: Callable[[], Health],
        version: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._host, self._port, self._version, self._clock = host, port, version, clock
        self._look = look
        self._looking = threading.Lock()
        self._seen: tuple[float, Health] | None = None
        self._server: WSGIServer | None = None
        self._thread = threading.Thread(target=self._serve, name="window", daemon=True)

    def start(self) -> int:
        """Begin to answer; the port. Raises OSError when it is taken."""
        kind = _ServerOf6 if ":" in self._host else _Server
        self._server = make_server(self._host, self._port, self._answer, server_class=kind, handler_class=_Handler)
        self._thread.start()
        return self._server.server_port

    def _serve(self) -> None:
        assert self._server is not None
        self._server.serve_forever(poll_interval=0.2)

    def stop(self) -> None:
        """Answer no more."""
        if self._server is not None and self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        if self._server is not None:
            self._server.server_close()

    def _answer(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path not in ("/healthz", "/metrics"):
            return _say(start, "404 Not Found", b"There are /healthz and /metrics.\n", _TEXT)
        if environ.get("REQUEST_METHOD") != "GET":
            return _say(start, "405 Method Not Allowed", b"There is nothing here but to read.\n", _TEXT)
        try:
            health = self._health()
        except NotNow:
            return _unwell(start, "The database cannot be used now: the log and referee doctor say why.")
        except Exception as problem:
            log_failure(_log, problem, "how all is could not be told")
            return _say(start, "500 Internal Server Error", b"The log says what went wrong.\n", _TEXT)
        if path == "/metrics":
            told: Iterable[bytes] = make_wsgi_app(registry(health, self._version))(environ, start)
            return told
        return _say(start, "200 OK" if health.well else "503 Service Unavailable", _json(as_data(health)), _JSON)

    def _health(self) -> Health:
        with self._looking:
            now = self._clock()
            if self._seen is None or now - self._seen[0] >= _SAME:
                self._seen = now, self._look()
            return self._seen[1]


def _unwell(start: Start, sentence: str) -> Iterable[bytes]:
    return _say(start, "503 Service Unavailable", _json({"well": False, "wrong": [sentence]}), _JSON)


def _json(data: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(data)) + b"\n"


def _say(start: Start, status: str, body: bytes, kind: str) -> Iterable[bytes]:
    start(status, [("Content-Type", f"{kind}; charset=utf-8"), ("Content-Length", str(len(body)))])
    return [body]
