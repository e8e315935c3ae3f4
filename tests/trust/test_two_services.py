"""Two machines on one PostgreSQL: each effect once, whichever of them dies or stands still, and the other goes on.

`make slow` runs the long one: 400 letters of game masters and 200 with orders.
"""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from tests.kill.running import Killed, Running
from tests.postgresql import Postgresql
from tests.real.machine import eventually
from tests.trust.club import STILL, Club, Letter, Machine

pytestmark = pytest.mark.real

TAKES_OVER = 60.0
"""Seconds within which docs/scale.md promises that the other machine goes on."""

A_CLUBS = 30
"""Seconds of patience that docs/scale.md tells a club to have."""


@pytest.fixture
def club(postgresql: Postgresql, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Club]:
    still = A_CLUBS if request.node.get_closest_marker("slow") else STILL
    made = Club(tmp_path / "club", postgresql.fresh(), request.param, still=still)
    yield made
    made.close()


def waves(club: Club, masters: int, orders: int, count: int) -> Iterator[Sequence[Letter]]:
    """That many letters of both kinds, mixed, in so many waves."""
    names = [club.names[number % len(club.names)] for number in range(max(masters, orders))]
    letters = [club.masters_letter(name) for name in names[:masters]]
    letters += [club.order_letter(name) for name in names[:orders]]
    random.Random(1).shuffle(letters)
    size = -(-len(letters) // count)
    return iter([letters[start : start + size] for start in range(0, len(letters), size)])


def holds(club: Club, letters: int) -> None:
    """Every effect once, no letter without its record, every log sound."""
    assert club.effects() == club.wanted
    assert club.done_without_record() == 0
    ends = club.settled()
    assert ends["done"] + ends["unanswered"] == letters, "who writes hundreds in an hour is not answered each time"
    assert ends.keys() <= {"done", "unanswered", "duplicate"}, "a letter sent again may have been stored before"
    assert club.unsound() == {}


@pytest.mark.parametrize("club", [2], indirect=True)
def test_of_two_services_one_dies_and_one_stands_still_and_every_letter_is_done_once(club: Club) -> None:
    first, second, third = waves(club, 40, 20, 3)
    at_work = club.working()
    club.send(first)
    at_work.kill()
    club.send(second)
    at_work.buried()
    assert club.until_handled() < TAKES_OVER
    at_work.start()
    frozen = club.working()
    assert frozen is not at_work, "who was started again helps the one that keeps house"
    club.machines.sort(key=lambda machine: machine is frozen)
    club.send(third[:10])
    frozen.signal(signal.SIGSTOP)
    for letter in third[10:]:
        at_work.send(*letter[:3])
    assert club.until_handled() < TAKES_OVER
    Running.wait("the other to keep house", lambda: club.working() is at_work)
    frozen.signal(signal.SIGCONT)
    assert club.working() is at_work
    holds(club, 60)


def test_a_restart_of_the_database_costs_no_letter_and_no_attempt_and_some_lines_in_the_log(
    postgresql: Postgresql, tmp_path: Path
) -> None:
    club = Club(tmp_path / "club", postgresql.fresh(), 1, machines=1)
    (machine,) = club.machines
    for mode in ("immediate", "fast"):
        for letter in [club.order_letter("nw0") for _ in range(15)]:
            machine.send(*letter[:3])
        postgresql.stop(mode)
        put_off = club.order_letter("nw0")
        with pytest.raises(Killed):
            machine.send(*put_off[:3])
        postgresql.start()
        eventually("the letter to be taken", partial(taken, machine, put_off))
    club.until_handled()
    holds(club, 32)
    assert club.attempts() == 0
    club.close()
    log = (machine.folder / "stderr").read_text().splitlines()
    assert not any("Traceback" in line for line in log), log
    assert len(log) < 30, log


def taken(machine: Machine, letter: Letter) -> bool:
    """Whether a letter is acknowledged now."""
    try:
        machine.send(*letter[:3])
    except Killed:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("club", [20], indirect=True)
def test_six_hundred_letters_to_two_services_that_die_and_stand_still_now_and_then(
    club: Club, capsys: pytest.CaptureFixture[str]
) -> None:
    dice, longest = random.Random(2), {signal.SIGKILL: 0.0, signal.SIGSTOP: 0.0}
    for number, wave in enumerate(waves(club, 400, 200, 12)):
        struck = dice.choice(club.machines)
        (other,) = (machine for machine in club.machines if machine is not struck)
        club.send(wave[:25])
        blow = signal.SIGKILL if number % 2 else signal.SIGSTOP
        struck.signal(blow)
        for letter in wave[25:]:
            other.send(*letter[:3])
        longest[blow] = max(longest[blow], club.until_handled())
        if number % 2:
            struck.buried()
            struck.start()
        else:
            struck.signal(signal.SIGCONT)
    with capsys.disabled():
        print(
            "".join(
                f"\n{blow.name}: the other had done all after {seconds:.0f} seconds"
                for blow, seconds in longest.items()
            )
        )
    assert max(longest.values()) < TAKES_OVER
    holds(club, 600)


@pytest.mark.slow
@pytest.mark.parametrize("club", [8], indirect=True)
def test_two_hundred_kills_while_letters_come_and_each_is_done_once_and_in_its_order(
    club: Club, capsys: pytest.CaptureFixture[str]
) -> None:
    dice, longest, sent = random.Random(3), 0.0, list[str]()
    for wave in waves(club, 600, 600, 200):
        sent += [letter.ident for letter in wave]
        struck, other = dice.sample(club.machines, 2)
        blow = threading.Timer(dice.uniform(0.0, 0.15), struck.kill)
        blow.start()
        club.send(wave)
        blow.join()
        struck.buried()
        longest = max(longest, club.until_handled())
        assert other.process.poll() is None
        struck.start()
    with capsys.disabled():
        print(f"\nthe other had done all after {longest:.1f} seconds at most; {club.settled()}")
    holds(club, 1200)
    came = {ident: place for place, ident in enumerate(sent)}
    for name in club.names:
        filed = [came[ident] for ident in club.letters_filed(name)]
        assert filed == sorted(filed), f"the letters to {name} were done in another order than they came"


@pytest.mark.slow
@pytest.mark.usefixtures("sealed_dice")
@pytest.mark.parametrize("club", [8], indirect=True)
def test_twenty_kills_while_all_deadlines_fall_and_each_turn_is_played_once(club: Club) -> None:
    dice = random.Random(4)
    for _ in range(20):
        before, struck = club.turns(), dice.choice(club.machines)
        club.clock.advance(timedelta(hours=25))
        delay = threading.Timer(dice.uniform(0.0, 0.6), struck.kill)
        delay.start()
        delay.join()
        assert club.until_quiet() < TAKES_OVER
        assert club.turns() == {name: turn + 1 for name, turn in before.items()}
        struck.buried()
        struck.start()
    assert club.unsound() == {}
