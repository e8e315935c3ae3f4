"""Time and chance as ports: the system's, and ones that a test or a demo controls."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from referee.adapters import clock_and_secrets
from referee.adapters.clock_and_secrets import FileClock, SystemClock, SystemSecrets
from referee.service.base.ports import Clock, Secrets, Uptime
from tests.standins import FakeClock, SeededSecrets


def test_the_systems_clock_is_aware_and_goes_forward() -> None:
    clock: Clock = SystemClock()
    first, second = clock.now(), clock.now()
    assert first.tzinfo is UTC
    assert first <= second


def test_how_long_the_machine_has_run_is_what_its_kernel_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock_and_secrets, "_KERNEL", tmp_path)
    assert clock_and_secrets.uptime() is None  # a machine that does not tell
    (tmp_path / "sys/kernel/random").mkdir(parents=True)
    (tmp_path / "sys/kernel/random/boot_id").write_text("94c5\n")
    for said, found in (("22047.07 1.00\n", Uptime("94c5", 22047.07)), ("", None), ("long\n", None)):
        (tmp_path / "uptime").write_text(said)
        assert clock_and_secrets.uptime() == found


def test_a_fake_clock_stands_until_it_is_turned(noon: datetime) -> None:
    clock = FakeClock(noon.astimezone(timezone(timedelta(hours=9))))
    assert clock.now() == clock.now() == noon
    assert clock.now().tzinfo is UTC
    assert clock.advance(timedelta(hours=24)) == noon + timedelta(days=1) == clock.now()
    clock.set(noon)
    assert clock.now() == noon


def test_a_moment_without_a_zone_is_no_moment(noon: datetime) -> None:
    with pytest.raises(ValueError, match="time zone"):
        FakeClock(noon.replace(tzinfo=None))
    with pytest.raises(ValueError, match="time zone"):
        FakeClock(noon).set(noon.replace(tzinfo=None))


def test_a_clock_in_a_file_is_turned_by_another(tmp_path: Path, noon: datetime) -> None:
    service, demo = FileClock(tmp_path / "run" / "clock"), FileClock(tmp_path / "run" / "clock")
    demo.set(noon)
    assert service.now() == noon
    assert demo.advance(timedelta(hours=24)) == service.now() == noon + timedelta(days=1)
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["clock"]


def test_a_clock_in_a_file_may_be_written_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "clock"
    file.write_text("2031-05-04T14:00:00+02:00\n")
    assert FileClock(file).now() == datetime(2031, 5, 4, 12, tzinfo=UTC)
    file.write_text("2031-05-04T12:00:00Z")
    assert FileClock(file).now() == datetime(2031, 5, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "soon", "2031-05-04T12:00:00"])
def test_a_file_without_a_moment_is_no_clock(tmp_path: Path, text: str) -> None:
    file = tmp_path / "clock"
    file.write_text(text)
    with pytest.raises(ValueError):
        FileClock(file).now()


@pytest.mark.parametrize("secrets", [SystemSecrets(), SeededSecrets("demo")])
def test_tokens_survive_mail_programs_and_never_repeat(secrets: Secrets) -> None:
    tokens = [secrets.token() for _ in range(1000)]
    assert len(set(tokens)) == 1000
    assert all(re.fullmatch("[a-z2-7]{16}", token) for token in tokens)
    assert len({secrets.secret() for _ in range(1000)}) == 1000
    assert len(secrets.secret()) == 32


def test_a_seed_gives_the_same_values_again() -> None:
    first, second, other = SeededSecrets("a"), SeededSecrets("a"), SeededSecrets("b")
    values = [(one.token(), one.secret()) for one in (first, second, other)]
    assert values[0] == values[1] != values[2]
