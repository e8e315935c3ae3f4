"""The beacon that the settings name, and what keeps it from being opened."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from referee.adapters.beacon.drand import beacon_of, chain_of
from referee.adapters.files import Unusable
from referee.config import Chance, ConfigError, read
from tests.beacon.stand_in import StandIn, standing_in
from tests.standins import FakeClock

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


@pytest.fixture(scope="module")
def stand_in() -> Any:
    with standing_in() as beacon:
        yield beacon


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
