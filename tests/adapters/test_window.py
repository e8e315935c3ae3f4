"""The window at which monitors ask: what it answers over a real socket, and that nothing at it disturbs the service."""

from __future__ import annotations

import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count

import msgspec
import pytest
from prometheus_client.parser import text_string_to_metric_families

from referee.adapters.files import Unusable
from referee.adapters.monitoring import Window
from referee.bootstrap.health import open_window, window_of
from referee.config import Config, read
from referee.service.base.ports import NotNow
from referee.service.intake.health import Health, Part
from tests.house.sources import ROOT

WELL = Health(
    datetime(2026, 11, 21, tzinfo=UTC),
    (),
    {"done": 7, "new": 1, "ignored": 2},
    1,
    3.5,
    {"receipt": {"sent": 5, "queued": 1}, "report": {"sent": 8, "failed": 1}},
    60.0,
    1,
    2,
    90.0,
    {"running": 3, "over": 1},
    12.0,
    {"relay": 30.0},
    -10800.0,
    5_000_000_000,
    100_000_000,
    datetime(2026, 11, 20, tzinfo=UTC),
    (Part("receiver"), Part("postman", True, 0.5), Part("desk 1", True, 2.0, 90_000_000)),
)


@contextmanager
def opened(look: Callable[[], Health], clock: Callable[[], float] | None = None) -> Iterator[str]:
    """A window; its address. By its clock ten seconds pass between two questions, unless another is handed in."""
    window = Window("127.0.0.1", 0, look, "0.2.0", clock or count(0, 10).__next__)
    port = window.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        window.stop()


def ask(url: str, method: str = "GET") -> tuple[int, str, str]:
    request = urllib.request.Request(url, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers["Content-Type"], refused.read().decode()


def test_healthz_says_what_is_wrong_as_json() -> None:
    found = [WELL, msgspec.structs.replace(WELL, wrong=("The postman does not run.",))]
    with opened(lambda: found.pop(0)) as url:
        code, kind, text = ask(f"{url}/healthz")
        assert (code, kind) == (200, "application/json; charset=utf-8")
        said = json.loads(text)
        assert (said["well"], said["wrong"], said["letters_in"]["done"]) == (True, [], 7)
        code, _, text = ask(f"{url}/healthz")
        assert (code, json.loads(text)["wrong"]) == (503, ["The postman does not run."])


def figures(health: Health) -> dict[tuple[str, ...], float]:
    """The figures of the window, by their names and labels."""
    with opened(lambda: health) as url:
        code, kind, text = ask(f"{url}/metrics")
    assert code == 200 and kind.startswith("text/plain")
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_where_no_letter_waits_none_has_waited() -> None:
    empty = msgspec.structs.replace(WELL, letters_waiting=0, oldest_in=None)
    assert figures(empty)["referee_letters_in_oldest_seconds",] == 0


def test_figures_are_read_by_prometheus_own_parser() -> None:
    values = figures(WELL)
    assert values["referee_letters_in_oldest_seconds",] == 3.5
    assert values["referee_letters_in_total", "done"] == 7 and values["referee_letters_in_waiting", "new"] == 1
    assert values["referee_letters_out_total", "report"] == 8 and values["referee_letters_out_waiting",] == 1
    assert values["referee_letters_undelivered_total", "report"] == 1
    assert values["referee_part_idle_seconds", "desk 1"] == 2 and values["referee_out_of_reach_seconds", "relay"] == 30
    assert values["referee_last_backup_timestamp_seconds",] == WELL.backup.timestamp() if WELL.backup else None
    assert ("referee_part_idle_seconds", "receiver") not in values and values["process_open_fds",] > 0


def test_every_figure_stands_in_the_guide() -> None:
    with opened(lambda: WELL) as url:
        given = set(re.findall(r"^(referee_\w+)", ask(f"{url}/metrics")[2], re.MULTILINE))
    page = (ROOT / "docs" / "monitoring.md").read_text("utf-8")
    assert given == set(re.findall(r"^\| `(referee_\w+)` \|", page, re.MULTILINE))
    rules = (ROOT / "docs" / "hosting" / "alerts.yml").read_text("utf-8")
    assert set(re.findall(r"referee_\w+", rules)) <= given


def test_nothing_that_is_wrong_with_it_disturbs_anybody(caplog: pytest.LogCaptureFixture) -> None:
    problems: list[Exception] = [ValueError("letter of anna@players.example"), NotNow("the database is locked")]

    def look() -> Health:
        if problems:
            raise problems.pop(0)
        return WELL

    with opened(look) as url:
        code, _, text = ask(f"{url}/metrics")
        assert code == 500 and "anna" not in text
        code, _, text = ask(f"{url}/healthz")
        assert (code, json.loads(text)["well"]) == (503, False)
        for path, method, expected in (("/", "GET", 404), ("/healthz", "POST", 405), ("/metrics/x", "GET", 404)):
            assert ask(url + path, method)[0] == expected
        with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as rude:
            rude.sendall(b"\xff\x00 nonsense\r\n\r\n")
        assert ask(f"{url}/healthz")[0] == 200
    assert [record.message for record in caplog.records] == ["how all is could not be told"]


def test_who_asks_again_at_once_hears_the_same() -> None:
    counted = []
    now = [0.0]

    def look() -> Health:
        counted.append(now[0])
        return WELL

    with opened(look, lambda: now[0]) as url:
        for moment in (0.0, 1.0, 4.9, 5.0, 6.0):
            now[0] = moment
            ask(f"{url}/healthz")
    assert counted == [0.0, 5.0]


def test_without_a_port_there_is_no_window_and_one_that_is_taken_is_told() -> None:
    assert window_of(Config(), lambda: WELL) is None
    with socket.create_server(("127.0.0.1", 0)) as other:
        settings = read(f"[health]\nport = {other.getsockname()[1]}\n")
        window = window_of(settings, lambda: WELL)
        assert window is not None
        with pytest.raises(
            Unusable, match=r"cannot be used for a monitor: Address already in use. Name a free one under"
        ):
            open_window(settings, window)
        window.stop()
