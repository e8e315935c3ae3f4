"""The real service with a beacon on this machine: a turn waits for its round, whatever the relays do, and a kill changes no die."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.adapters.files import Unusable
from referee.bootstrap.service import Service
from referee.config import read
from referee.core.record import Opened, Sealed
from referee.doctor import examine
from referee.games.newworld.game import NewWorld
from referee.service.base.office import Randomness
from referee.service.match.playing import codec_of
from tests.beacon.by_hand import ByHand
from tests.beacon.stand_in import LIES, Manner, StandIn, standing_in
from tests.kill.running import CONFIG, Running
from tests.program import Program
from tests.service.conftest import GINA, begin
from tests.world import World

_AFTER_THE_ROUND = timedelta(seconds=70)
_CODEC = codec_of(NewWorld())


class House:
    """A folder to start services from, in which a player ends his turn by one letter."""

    def __init__(self, folder: Path, relay: StandIn) -> None:
        self.folder, self.relay = folder, relay
        (folder / "var").mkdir(parents=True)
        world = World(folder / "var")
        Running.clock_of(folder).set(world.clock.now())
        begin(world)
        world.office = replace(world.office, randomness=Randomness(ByHand(world.clock)))
        world.reply(GINA, "CLOCK beacon drand")
        self.player = world.on_turn()
        self.to = world.last(self.player).reply_to
        world.close()

    def settings(self, *relays: str, more: str = "") -> str:
        """A settings file with these relays."""
        named = ", ".join(f'"{relay}"' for relay in relays or (self.relay.url,))
        return CONFIG + self.relay.toml().replace(f'"{self.relay.url}"', named) + more

    def ends_his_turn(self, service: Running) -> Sealed:
        """The letter that ends the turn, read; the seal that came of it."""
        head = f"From: {self.player}\r\nTo: {self.to}\r\nMessage-ID: <end@players.example>\r\n"
        service.send(self.player, self.to, f"{head}\r\nHIRE 1 worker\r\nROLL OUT\r\n".encode())
        service.until("sealed", lambda: status(service) == "sealed")
        seal: Sealed = records(service, Sealed)[-1]
        return seal


@pytest.fixture(scope="module")
def relay() -> Iterator[StandIn]:
    with standing_in() as beacon:
        yield beacon


@pytest.fixture
def honest(relay: StandIn) -> StandIn:
    """The relay, at its best whatever the test before had it do."""
    relay.manner, relay.last = Manner.HONEST, None
    relay.asked.clear()
    return relay


@pytest.fixture
def house(tmp_path: Path, honest: StandIn, sealed_dice: None) -> House:
    return House(tmp_path / "template", honest)


def running(house: House, folder: Path, *relays: str, more: str = "") -> Running:
    (house.folder / "config.toml").write_text(house.settings(*relays, more=more))
    return Running(folder, house.folder)


def status(service: Running) -> Any:
    return service.rows("SELECT status FROM match WHERE name = 'nw1'")[0][0]


def records(service: Running, kind: type[Any]) -> list[Any]:
    """The records of a kind in the log."""
    rows = service.rows("SELECT payload FROM entry WHERE match = 'nw1' ORDER BY seq")
    return [record for (payload,) in rows if isinstance(record := _CODEC.load(str(payload)), kind)]


def thrown(service: Running) -> list[object]:
    """All faces in the log."""
    rows = service.rows("SELECT payload FROM entry WHERE match = 'nw1' AND kind = 'event' ORDER BY seq")
    events = [msgspec.json.decode(str(payload)) for (payload,) in rows]
    return [event["event"].get("faces") for event in events if event["event"].get("faces")]


def fallen(service: Running) -> Opened:
    """Wait until the dice have fallen; how their seal was opened."""
    service.until("dice", lambda: status(service) == "running")
    found: Opened = records(service, Opened)[-1]
    return found


def is_sound(service: Running) -> None:
    program = Program("replay", "nw1", "--config", str(service.folder / "config.toml"))
    with program.stdout as lines:
        said = lines.read()
    program.wait()
    assert "Sound" in said, said


def ended(service: Running) -> None:
    service.kill()
    service.buried()


def test_a_turn_takes_the_round_of_a_real_relay(house: House, tmp_path: Path) -> None:
    service = running(house, tmp_path / "one")
    try:
        seal = house.ends_his_turn(service)
        assert house.relay.asked == []
        before = thrown(service)
        service.clock.advance(_AFTER_THE_ROUND)
        opened = fallen(service)
        assert opened.signature == house.relay.signature(seal.round).hex()
        assert house.relay.asked == [f"/{house.relay.chain}/public/{seal.round}"]
        assert len(thrown(service)) > len(before)
        told = [mail for mail in service.mail(GINA) if "are about to fall" in str(mail.get_payload())]
        assert told or any("the dice of" in str(mail["Subject"]) for mail in service.mail(GINA))
        is_sound(service)
    finally:
        ended(service)


def test_a_kill_between_seal_and_dice_gives_the_same_faces(house: House, tmp_path: Path) -> None:
    service = running(house, tmp_path / "one")
    try:
        seal = house.ends_his_turn(service)
    finally:
        ended(service)
    shutil.copytree(service.folder, tmp_path / "left")
    faces = []
    for name in ("two", "three"):
        again = Running(tmp_path / name, tmp_path / "left")
        try:
            again.clock.advance(_AFTER_THE_ROUND * (1 if name == "two" else 9))
            assert fallen(again).signature == house.relay.signature(seal.round).hex()
            faces.append(thrown(again))
            if name == "two":
                is_sound(again)
        finally:
            ended(again)
    assert faces[0] == faces[1]


def test_a_relay_that_does_not_have_the_round_yet_is_asked_again(house: House, tmp_path: Path) -> None:
    service = running(house, tmp_path / "one")
    try:
        seal = house.ends_his_turn(service)
        house.relay.last = seal.round - 1
        service.clock.advance(_AFTER_THE_ROUND)
        service.until("asked", lambda: bool(house.relay.asked))
        assert status(service) == "sealed"
        house.relay.last = None

        def falls() -> bool:
            service.clock.advance(timedelta(seconds=1))  # from whenever it was asked on
            return bool(status(service) != "sealed")

        service.until("it to be asked again", falls)
        assert fallen(service).signature == house.relay.signature(seal.round).hex()
    finally:
        ended(service)


@pytest.mark.parametrize(
    "manner", [pytest.param(lie, marks=() if lie is LIES[0] else pytest.mark.slow) for lie in (*LIES, Manner.GARBAGE)]
)
def test_a_relay_that_lies_is_passed_over_and_one_that_does_not_is_believed(
    house: House, tmp_path: Path, manner: Manner
) -> None:
    with standing_in() as liar:
        liar.manner = manner
        service = running(house, tmp_path / "one", liar.url, house.relay.url)
        try:
            seal = house.ends_his_turn(service)
            service.clock.advance(_AFTER_THE_ROUND)
            assert fallen(service).signature == house.relay.signature(seal.round).hex()
            assert liar.asked
        finally:
            ended(service)


@pytest.mark.slow
def test_a_relay_that_hangs_holds_nobody_up(house: House, tmp_path: Path) -> None:
    with standing_in() as hanging:
        hanging.manner = Manner.HANG
        service = running(house, tmp_path / "one", hanging.url, house.relay.url)
        try:
            seal = house.ends_his_turn(service)
            service.clock.advance(_AFTER_THE_ROUND)
            service.until("asked", lambda: bool(hanging.asked))
            letter = f"From: {GINA}\r\nMessage-ID: <games@players.example>\r\n\r\nGAMES\r\n"
            service.send(GINA, "referee@games.example", letter.encode())
            service.until("handled", lambda: not service.unhandled())
            assert status(service) == "sealed"
            assert fallen(service).signature == house.relay.signature(seal.round).hex()
        finally:
            ended(service)


@pytest.mark.slow
def test_with_no_relay_that_tells_the_truth_the_turn_goes_on_and_says_so(house: House, tmp_path: Path) -> None:
    house.relay.manner = Manner.WRONG_SIGNATURE
    service = running(house, tmp_path / "one")
    try:
        house.ends_his_turn(service)
        service.clock.advance(_AFTER_THE_ROUND)
        for _ in range(14):
            service.until("a look", lambda: _looked(service))
            service.clock.advance(timedelta(minutes=1))
        opened = fallen(service)
        assert not opened.signature and "no relay of drand" in opened.why
        is_sound(service)
    finally:
        ended(service)


def _looked(service: Running) -> bool:
    """Whether the next look for the round lies ahead, or none is wanted any more."""
    now = int(service.clock.now().timestamp() * 1_000_000)
    return not service.rows(f"SELECT 1 FROM alarm WHERE kind = 'dice' AND due_at <= {now}")


# ---------------------------------------------------------------- settings


def test_a_service_whose_beacon_needs_what_is_not_installed_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(__import__("sys").modules, "referee.adapters.beacon.key", raising=False)
    monkeypatch.setitem(__import__("sys").modules, "py_ecc.bls.g2_primitives", None)
    config = read('[chance]\nbeacon = "drand"\n', tmp_path)
    with pytest.raises(Unusable, match="needs the extra"):
        Service(config)
    (finding,) = [finding for finding in examine(config) if finding.what == "beacon"]
    assert not finding.well and "needs the extra" in finding.sentence


def test_the_doctor_asks_every_relay_for_a_round(tmp_path: Path, honest: StandIn) -> None:
    def looked(settings: str) -> Any:
        return [finding for finding in examine(read(settings, tmp_path)) if finding.what == "beacon"]

    assert looked("") == []
    (well,) = looked(honest.toml())
    assert well.well and "1 of 1 relay gave round" in well.sentence and "rightly signed" in well.sentence
    honest.manner = Manner.WRONG_SIGNATURE
    (ill,) = looked(honest.toml())
    assert not ill.well and f"{honest.url}: its answer is not true." in ill.sentence
    honest.manner = Manner.BROKEN
    (ill,) = looked(honest.toml())
    assert not ill.well and "it answers with status 500" in ill.sentence
