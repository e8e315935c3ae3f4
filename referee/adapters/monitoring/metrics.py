"""The figures of the service as Prometheus reads them; docs/monitoring.md lists them. None has a name of anybody in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from referee.service.intake.health import Health

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
