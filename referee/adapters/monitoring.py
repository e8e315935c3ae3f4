"""Metrics for a monitor, and the window in which they stand."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from socketserver import TCPServer, ThreadingMixIn
from typing import Any, NamedTuple
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import msgspec
from prometheus_client import CollectorRegistry, ProcessCollector, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from referee.service.base.office import log_failure
from referee.service.base.ports import NotNow
from referee.service.intake.health import Health, as_data

# ---------------------------------------------------------------- metrics
# The figures of the service as Prometheus reads them; docs/monitoring.md lists them. None has a name of anybody in it.


_WAIT = ("new", "held", "shunted")


class _Figure(NamedTuple):
    """A figure: its name, what it is, and its values by label; one without a label has the label ""."""

    name: str
    what: str
    values: Mapping[str, float | None]
    label: str = ""
    counts: bool = False
    """Whether it never goes down."""


def figures(health: Health, version: str) -> Iterator[Metric]:
    """Every figure. One that cannot be measured now has no value."""
    yield _metric(_Figure("referee", "The version that runs.", {version: 1}, "version"), "info")
    for figure in (*_letters(health), *_matches(health), *_machine(health)):
        yield _metric(figure)


def _letters(health: Health) -> Iterator[_Figure]:
    came = {status: count for status, count in health.letters_in.items() if status not in _WAIT}
    wait = {status: health.letters_in.get(status, 0) for status in _WAIT} | {"new": health.letters_waiting}
    yield _Figure("letters_in", "Letters that came in, by what became of them.", came, "status", True)
    yield _Figure("letters_in_waiting", "Letters that came in and are not done.", wait, "status")
    yield _Figure(
        "letters_in_oldest_seconds", "How long the oldest new letter has waited.", {"": health.oldest_in or 0}
    )
    yield _Figure("letters_out", "Letters that were sent, by kind.", health.out("sent"), "kind", True)
    yield _Figure(
        "letters_undelivered",
        "Letters that were given up as they could not be sent.",
        health.out("failed"),
        "kind",
        True,
    )
    queued = sum(health.out("queued").values())
    yield _Figure("letters_out_waiting", "Letters that wait to be sent.", {"": queued})
    yield _Figure("letters_out_retried", "Those of them that were tried in vain.", {"": health.tried_in_vain})
    yield _Figure("letters_out_oldest_seconds", "How long the oldest of them has waited.", {"": health.oldest_out or 0})


def _matches(health: Health) -> Iterator[_Figure]:
    yield _Figure("matches", "Matches by what becomes of them now.", health.matches, "status")
    yield _Figure("alarms_overdue", "Deadlines and other alarms that are due and have not rung.", {"": health.overdue})
    yield _Figure("alarms_late_seconds", "How late the oldest of them is.", {"": health.late})


def _machine(health: Health) -> Iterator[_Figure]:
    yield _Figure("healthy", "Whether nothing is wrong: 1 or 0.", {"": health.well})
    yield _Figure("disk_free_bytes", "Free on the disk of the data folder.", {"": health.disk_free})
    yield _Figure("disk_reserve_bytes", "With less than so much free letters are put off.", {"": health.disk_reserve})
    yield _Figure("desk_idle_seconds", "How long ago a desk last kept house.", {"": health.desk_idle})
    yield _Figure(
        "out_of_reach_seconds", "How long a mail server of ours was not reached.", health.out_of_reach, "server"
    )
    yield _Figure("clock_leap_seconds", "By how much the clock leapt within a day.", {"": health.clock_leap})
    backup = health.backup.timestamp() if health.backup else None
    yield _Figure("last_backup_timestamp_seconds", "When the last good backup was made.", {"": backup})
    yield _Figure("part_up", "Whether a part of the service runs.", {p.name: p.runs for p in health.parts}, "part")
    idle = {part.name: part.idle for part in health.parts}
    yield _Figure("part_idle_seconds", "How long ago a part last looked for work.", idle, "part")
    memory = {part.name: part.memory for part in health.parts if part.memory}
    yield _Figure("part_resident_memory_bytes", "The memory of a part with a process of its own.", memory, "part")


def _metric(figure: _Figure, kind: str = "") -> Metric:
    labels = [figure.label] if figure.label else []
    of = CounterMetricFamily if figure.counts else GaugeMetricFamily
    name = figure.name if kind else f"referee_{figure.name}"
    metric = of(f"{name}_{kind}" if kind else name, figure.what, labels=labels)
    for label, value in sorted(figure.values.items()):
        if value is not None:
            metric.add_metric([label] if labels else [], float(value))
    return metric


class _Told(Collector):
    """Figures that were asked for already."""

    def __init__(self, found: Iterable[Metric]) -> None:
        self._found = list(found)

    def collect(self) -> Iterable[Metric]:
        return self._found


def registry(health: Health, version: str) -> CollectorRegistry:
    """The figures of this moment, and those of this process that all programs have."""
    made = CollectorRegistry(auto_describe=False)
    made.register(_Told(figures(health, version)))
    ProcessCollector(registry=made)
    return made


# ---------------------------------------------------------------- the window
# A port at which a monitor asks. /healthz answers 200 or 503 with JSON, /metrics with the figures.
#
# It only looks. A fault in it is its own affair: the client is answered 500, and the service goes on.


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
        """No line is written on a request."""

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
