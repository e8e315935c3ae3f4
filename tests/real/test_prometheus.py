"""A real Prometheus reads the figures of a real service and judges them by the rules of docs/hosting/alerts.yml."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from referee.adapters.clock_and_secrets import FileClock
from tests.house.sources import ROOT
from tests.kill.running import CONFIG, Running
from tests.real.machine import eventually, free_ports, needs
from tests.service.conftest import begin
from tests.world import World

RULES = ROOT / "docs" / "hosting" / "alerts.yml"
SETTINGS = """
[health]
port = {port}
[log]
format = "json"
"""
PROMETHEUS = """
global: {{scrape_interval: 200ms, scrape_timeout: 200ms, evaluation_interval: 200ms}}
rule_files: ["alerts.yml"]
scrape_configs:
  - job_name: referee
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


def test_the_rules_are_rules() -> None:
    needs("promtool")
    told = subprocess.run(["promtool", "check", "rules", str(RULES)], capture_output=True, text=True)
    assert told.returncode == 0 and "SUCCESS: 14 rules found" in told.stdout, told.stdout + told.stderr


@contextmanager
def served(folder: Path, port: int) -> Iterator[Running]:
    """A service with the match nw1 begun in it, which answers monitors at this port."""
    template = folder / "template"
    (template / "var").mkdir(parents=True)
    (template / "config.toml").write_text(CONFIG + SETTINGS.format(port=port))
    world = World(template / "var")
    FileClock(template / "clock").set(world.clock.now())
    begin(world)
    world.close()
    running = Running(folder / "running", template)
    try:
        yield running
    finally:
        running.kill()
        running.buried()


def figures(port: int) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return bytes(answer.read())


def test_a_linter_of_figures_finds_nothing_to_say(tmp_path: Path) -> None:
    needs("promtool")
    (port,) = free_ports(1)
    with served(tmp_path, port):
        given = figures(port)
    checked = subprocess.run(["promtool", "check", "metrics"], input=given, capture_output=True)
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, b"")


class Prometheus:
    """A Prometheus that asks a service, and is asked itself."""

    def __init__(self, folder: Path, port: int) -> None:
        folder.mkdir()
        (folder / "alerts.yml").write_text(without_patience(RULES.read_text("utf-8")))
        (folder / "prometheus.yml").write_text(PROMETHEUS.format(port=port))
        (own,) = free_ports(1)
        self.url = f"http://127.0.0.1:{own}"
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [
                    "prometheus",
                    f"--config.file={folder / 'prometheus.yml'}",
                    f"--storage.tsdb.path={folder / 'data'}",
                    f"--web.listen-address=127.0.0.1:{own}",
                ],
                stdout=log,
                stderr=log,
                env={**os.environ, "GOMAXPROCS": "1"},
            )

    def ask(self, what: str) -> Any:
        """What its interface answers; None while it does not."""
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/{what}", timeout=10) as answer:
                return json.load(answer)["data"]
        except (urllib.error.URLError, ConnectionError):
            return None

    def value(self, figure: str) -> str:
        """A figure as it was read last; "" while it was not."""
        found = self.ask(f"query?query={figure}")
        return str(found["result"][0]["value"][1]) if found and found["result"] else ""

    def firing(self) -> set[str]:
        """The alerts that ring."""
        found = self.ask("alerts")
        return {a["labels"]["alertname"] for a in found["alerts"] if a["state"] == "firing"} if found else set()

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


def without_patience(rules: str) -> str:
    """The rules, which ring at once: no test waits for minutes."""
    return "\n".join(line for line in rules.splitlines() if not line.strip().startswith("for:"))


@pytest.mark.slow
def test_a_real_prometheus_reads_the_figures_and_rings_when_the_service_is_away(tmp_path: Path) -> None:
    needs("prometheus")
    (port,) = free_ports(1)
    with served(tmp_path, port) as service:
        prometheus = Prometheus(tmp_path / "prometheus", port)
        try:
            eventually("the figures", lambda: prometheus.value("referee_healthy"))
            assert prometheus.value("referee_matches") == "1"
            service.until("what was written sent", lambda: not service.unsent())
            eventually("letters out", lambda: float(prometheus.value("sum(referee_letters_out_total)") or 0) > 8)
            assert prometheus.firing() == set()
            service.kill()
            service.buried()
            eventually("an alarm", lambda: "RefereeIsAway" in prometheus.firing())
            service.start()
            eventually("quiet", lambda: not prometheus.firing())
        finally:
            prometheus.end()
    for line in (service.folder / "stderr").read_text().splitlines():
        assert json.loads(line)["level"] in ("warning", "error")
