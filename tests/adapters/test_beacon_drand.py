"""The beacon that the settings name, and as a whole with a stand-in: what lies is not believed, what hangs keeps nobody waiting."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol
from urllib.request import Request, urlopen

import msgspec
import pytest

from referee.adapters.beacon.drand import DrandBeacon, beacon_of, chain_of, verifier
from referee.adapters.beacon.rounds import Bounds, Claim, Patience, Relay, Search
from referee.adapters.files import Unusable
from referee.config import Chance, ConfigError, read
from referee.service.base.ports import Beacon
from tests.beacon.stand_in import LIES, Manner, StandIn, standing_in
from tests.standins import FakeClock

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
LONG = Patience(give_up_after=timedelta(days=100))


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with standing_in() as beacon:
        yield beacon


@pytest.fixture
def honest() -> Iterator[StandIn]:
    with standing_in() as beacon:
        yield beacon


class Table:
    """A beacon with its clock; each wait of its thread turns the clock on by so much, and takes no time."""

    def __init__(self, *relays: StandIn, bounds: Bounds | None = None) -> None:
        self.clock = FakeClock(NOON)
        self.rung = threading.Event()
        self.waits: list[float | None] = []
        chance = relays[0].chance()
        sources = tuple(Relay(relay.url, bounds or Bounds(seconds=10)) for relay in relays)
        search = Search(chain_of(chance), sources, self.clock, verifier(chance), self.rung.set, LONG)
        self.beacon = DrandBeacon(search, self._wait)
        self.round = self.beacon.round_after(NOON)

    def _wait(self, woken: threading.Event, seconds: float | None) -> None:
        self.waits.append(seconds)
        if seconds is None:
            woken.wait()
        else:
            self.clock.advance(timedelta(seconds=seconds))

    def sought(self, round: int) -> bytes | None:
        """A round, sought and waited for until the bell rings."""
        self.rung.clear()
        self.beacon.seek(round)
        assert self.rung.wait(20)
        return self.beacon.found(round)


class Lay(Protocol):
    """Makes tables, whose beacons are closed at the end of a test however it ends."""

    def __call__(self, *relays: StandIn, bounds: Bounds | None = None) -> Table:
        """A table with these relays."""
        ...


@pytest.fixture
def lay() -> Iterator[Lay]:
    with contextlib.ExitStack() as closing:

        def one(*relays: StandIn, bounds: Bounds | None = None) -> Table:
            table = Table(*relays, bounds=bounds)
            closing.callback(table.beacon.close)
            return table

        yield one


def test_it_fulfils_the_port(lay: Lay, stand_in: StandIn) -> None:
    table = lay(stand_in)
    port: Beacon = table.beacon
    assert port.name == f"drand chain {stand_in.chain[:8]}"
    assert port.time_of(port.round_after(NOON)) == NOON + timedelta(seconds=3)
    assert port.found(table.round) is None


def test_a_round_is_found_at_its_time_beside_whatever_else_goes_on(lay: Lay, stand_in: StandIn) -> None:
    table = lay(stand_in)
    assert table.sought(table.round + 9) == stand_in.signature(table.round + 9)
    assert table.clock.now() == table.beacon.time_of(table.round + 9)
    assert table.waits[:6] == [5, 5, 5, 5, 5, 5], "the clock is looked at now and then, since others may turn it"


def test_a_round_that_lags_is_waited_for(lay: Lay, stand_in: StandIn) -> None:
    table = lay(stand_in)
    stand_in.last = table.round - 1
    table.beacon.seek(table.round)
    for _ in range(3):
        stand_in.wait_until_asked()
        assert table.beacon.found(table.round) is None
    stand_in.last = None
    assert table.rung.wait(20)
    assert table.beacon.found(table.round) == stand_in.signature(table.round)


@pytest.mark.parametrize("manner", [*LIES, Manner.GARBAGE, Manner.HUGE, Manner.REDIRECT, Manner.BROKEN])
def test_who_does_not_tell_the_truth_is_not_believed_and_the_next_one_is_asked(
    lay: Lay, stand_in: StandIn, honest: StandIn, manner: Manner, caplog: pytest.LogCaptureFixture
) -> None:
    stand_in.manner = manner
    table = lay(stand_in, honest)
    assert table.sought(table.round) == honest.signature(table.round)
    table.beacon.close()
    assert len(stand_in.asked) == len(honest.asked) == 1
    assert [record.message.partition(" is asked")[0] for record in caplog.records] == [f"relay {stand_in.url}"]


@pytest.mark.parametrize("manner", LIES)
def test_where_everybody_lies_there_is_no_round_until_somebody_does_not(
    lay: Lay, stand_in: StandIn, manner: Manner
) -> None:
    stand_in.manner = manner
    table = lay(stand_in)
    table.beacon.seek(table.round)
    for _ in range(2):
        stand_in.wait_until_asked()
    assert table.beacon.found(table.round) is None and not table.rung.is_set()
    stand_in.manner = Manner.HONEST
    assert table.rung.wait(20)
    assert table.beacon.found(table.round) == stand_in.signature(table.round)


def test_who_hangs_keeps_nobody_else_from_being_asked(lay: Lay, stand_in: StandIn, honest: StandIn) -> None:
    stand_in.manner = Manner.HANG
    table = lay(stand_in, honest, bounds=Bounds(seconds=0.1))
    assert table.sought(table.round) == honest.signature(table.round)


def test_who_hangs_keeps_neither_the_caller_nor_the_end_waiting(lay: Lay, stand_in: StandIn) -> None:
    stand_in.manner = Manner.HANG
    table = lay(stand_in, bounds=Bounds(seconds=600))
    table.clock.advance(timedelta(hours=1))
    table.beacon.seek(table.round)
    stand_in.wait_until_asked()
    table.beacon.seek(table.round + 1)
    assert table.beacon.found(table.round) is None
    table.beacon.close()
    assert "beacon" not in {thread.name for thread in threading.enumerate()}
    table.beacon.seek(table.round + 2)
    assert "beacon" not in {thread.name for thread in threading.enumerate()}, "what has ended does not begin again"


def test_a_beacon_that_was_never_asked_has_no_thread(lay: Lay, stand_in: StandIn) -> None:
    lay(stand_in)
    assert "beacon" not in {thread.name for thread in threading.enumerate()}


def test_the_network_is_left_to_another_thread(lay: Lay, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    asking = set[str]()
    ask = Relay.ask

    def noted(relay: Relay, chain: str, round: int) -> Claim:
        asking.add(threading.current_thread().name)
        return ask(relay, chain, round)

    monkeypatch.setattr(Relay, "ask", noted)
    table = lay(stand_in)
    assert table.sought(table.round)
    table.beacon.close()
    assert asking == {"beacon"}


class Stopped(FakeClock):
    """A clock that cannot be read once."""

    def __init__(self) -> None:
        super().__init__(NOON)
        self.broken = False

    def now(self) -> datetime:
        """The moment it stands at, unless it is broken; that mends it."""
        if self.broken and threading.current_thread().name == "beacon":
            self.broken = False
            raise FileNotFoundError("clock")
        return super().now()


def test_a_fault_does_not_end_the_search(stand_in: StandIn, caplog: pytest.LogCaptureFixture) -> None:
    chance, clock, rung = stand_in.chance(), Stopped(), threading.Event()
    search = Search(chain_of(chance), (Relay(stand_in.url),), clock, lambda round, raw: True, rung.set, LONG)
    beacon = DrandBeacon(search, lambda woken, seconds: woken.wait(None if seconds is None else 0))
    clock.broken = True
    beacon.seek(1)
    assert rung.wait(20)
    beacon.close()
    assert "could not be asked; it is tried again" in caplog.text


def test_the_beacon_of_the_settings_finds_a_round_in_real_time(stand_in: StandIn) -> None:
    rung = threading.Event()
    beacon = beacon_of(stand_in.chance(), FakeClock(NOON), rung.set)
    assert beacon is not None
    round = beacon.round_after(NOON) - 1
    beacon.seek(round)
    assert rung.wait(20)
    assert beacon.found(round) == stand_in.signature(round)
    beacon.close()


def test_the_stand_in_is_a_process_too() -> None:
    command = [sys.executable, "-m", "tests.beacon.stand_in", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        key, chain, url = (process.stdout.readline().strip() for _ in range(3))
        try:
            assert (len(key), len(chain)) == (192, 64)
            with urlopen(f"{url}/{chain}/public/7") as said:
                assert json.load(said)["round"] == 7
            with urlopen(Request(f"{url}/manner/other%20round", method="POST")):
                pass
            with urlopen(f"{url}/{chain}/public/7") as said:
                assert json.load(said)["round"] == 8
        finally:
            process.terminate()


# ---------------------------------------------------------------- as the settings name it


CLOCK = FakeClock(datetime(2031, 5, 4, 12, tzinfo=UTC))
KEY = "referee.adapters.beacon.key"


def nobody() -> None:
    """Hears nothing."""


def opened(**changes: Any) -> str:
    """The name under which letters call the beacon of these settings."""
    beacon = beacon_of(msgspec.structs.replace(Chance(beacon="drand"), **changes), CLOCK, nobody)
    assert beacon is not None
    beacon.close()
    return beacon.name


def test_without_a_beacon_nothing_is_opened() -> None:
    assert beacon_of(Chance(), CLOCK, nobody) is None


def test_drand_is_its_quicknet_unless_another_chain_is_set() -> None:
    assert opened() == "drand quicknet"
    assert opened(chain="ab" * 32) == "drand chain abababab"
    assert chain_of(Chance()).time_of(1) == datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC)


def test_a_missing_library_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, KEY, raising=False)
    monkeypatch.setitem(sys.modules, "py_ecc.bls.g2_primitives", None)
    with pytest.raises(Unusable) as told:
        opened()
    assert str(told.value) == (
        '[chance] beacon = "drand" needs the extra "beacon", which is not installed; '
        "run pip install 'referee[beacon]', or set beacon = \"letters\"."
    )


def test_whoever_asks_no_beacon_needs_no_library() -> None:
    script = (
        "import sys; import referee.adapters.beacon.drand as o; from referee.config import Chance;"
        "assert o.beacon_of(Chance(), None, None) is None;"
        "print([name for name in sys.modules if name.startswith(('py_ecc', 'eth_'))])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_key_that_is_none_is_told_in_one_sentence() -> None:
    with pytest.raises(Unusable, match=r"^\[chance\] public_key cannot be used: .*; write that of the chain\.$"):
        opened(public_key="00" * 96)


def test_the_stand_in_writes_settings_that_take_it(stand_in: StandIn) -> None:
    assert tomllib.loads(stand_in.toml())["chance"]["public_key"] == stand_in.public_key
    assert read(stand_in.toml()).chance == stand_in.chance()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('beacon = "nist"', '[chance] beacon = "nist" cannot be used; write "letters" or "drand".'),
        (
            "relays = []",
            '[chance] relays = [] cannot be used; write a list of one or more addresses, as in ["https://api.drand.sh"].',
        ),
        ('relays = ["ftp://a.example"]', None),
        ('relays = ["https://"]', None),
        ('relays = ["https://a.example/?x=1"]', None),
        ('relays = ["https://a.example/a b"]', None),
        ('chain = "52DB"', '[chance] chain = "52DB" cannot be used; write 64 hexadecimal digits in small letters.'),
        ('public_key = ""', '[chance] public_key = "" cannot be used; write 192 hexadecimal digits in small letters.'),
        (
            "period_seconds = 0",
            "[chance] period_seconds = 0 cannot be used; write a whole number from 1 up.",
        ),
        ("wait_minutes = -1", "[chance] wait_minutes = -1 cannot be used; write a number of minutes, 0 or more."),
    ],
)
def test_a_setting_that_cannot_be_used_is_told(line: str, sentence: str | None) -> None:
    with pytest.raises(ConfigError) as told:
        read(f"[chance]\n{line}")
    assert sentence is None or str(told.value) == sentence


@pytest.mark.parametrize("relay", ["http://127.0.0.1:8080", "https://[::1]:443/drand/", "https://api.drand.sh"])
def test_an_address_of_a_relay_may_have_a_port_and_a_folder(relay: str) -> None:
    assert read(f'[chance]\nrelays = ["{relay}"]').chance.relays == (relay,)
