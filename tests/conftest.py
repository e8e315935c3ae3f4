"""What all tests share: slow runs only when asked for, examples that are the same in every run, and who runs what.

Where several processes share the work (`-n auto`), a file stays in one of them, and so do all tests of the bot games of one
game: what they set up is set up once. What takes longest is begun first, so that all end at about the same time. There are
two processes more than processors, and every third begins with the tests that wait for servers: then the processors seldom
stand still.
"""

from __future__ import annotations

import compileall
import gc
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import given, settings
from hypothesis import strategies as st
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

from referee.games import GAMES
from referee.service.base import office
from referee.service.match import playing
from referee.service.match.sealing import Key
from tests.browser import Browser, browser
from tests.needed import left_out
from tests.postgresql import Postgresql, run_postgresql
from tests.steady import SEALED, steady_dice

ROOT = Path(__file__).parent.parent
SERVERS = tuple(f"tests/{name}" for name in ("demo", "kill", "real", "trust", "backup", "adapters", "inbox", "gateway"))
"""Folders of tests that wait for servers half of their time, the slowest first."""

SLOWEST = tuple(
    f"tests/{name}"
    for name in (
        "service/test_saved_letters",
        "verify",
        "service/test_two_worlds",
        "table",
        "test_cli",
        "contract",
        "house",
    )
)
FIRST = (*SERVERS, *SLOWEST, "tests/service", "tests/games")
"""What is begun first, after the bot games and in this order; then the rest as it was found."""

_GAME = re.compile(rf"[-\[]({'|'.join(['toy', 'lode', *(game.name for game in GAMES)])})(-\w+)?\]$")
"""The game of a test, at the end of its name."""

settings.register_profile("house", max_examples=40, derandomize=True, deadline=None, database=None)
settings.load_profile("house")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgresql]:
    """A running PostgreSQL, shared; whoever uses it is marked `real`."""
    with run_postgresql() as server:
        yield server


@pytest.fixture
def out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """`referee setup` asks no relay of the beacon."""
    monkeypatch.setattr("referee.cli.setup.reaches_beacon", lambda: False)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser."""
    try:
        with browser() as opened:
            yield opened
    except FileNotFoundError as gone:
        left_out(str(gone))


@pytest.fixture(autouse=True)
def _everything_is_news() -> None:
    """What one test has logged is no reason to keep it back in the next."""
    office._seldom = office.Seldom()


@pytest.fixture
def sealed_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice as every match has them: by the seals of its log, and not steady (tests.steady)."""
    monkeypatch.setattr(Key, "chance", SEALED)
    playing._CACHE.clear()


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package once: many tests start processes, and none writes what it compiled where that is forbidden.

    Files are written to memory, where no disk keeps anybody waiting.

    What is kept of bot games is a million objects; to look through them for rubbish every few seconds takes a sixth of the time.
    """
    gc.set_threshold(1_000_000, 50, 100)
    config.add_cleanup(steady_dice().undo)
    import_module("referee.adapters.beacon.key")  # before a test has its library, which raises the limit of recursion
    if hasattr(config, "workerinput"):
        return
    compileall.compile_dir(ROOT / "referee", quiet=1)
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH:
        os.environ.setdefault("TMPDIR", str(MEMORY))
        tempfile.tempdir = None  # asked for before, perhaps


def pytest_collection_finish() -> None:
    """What all tests are made of stays to the end: nobody who clears rubbish away looks through it again.

    The first property test of a process clears it away, and now there is little to look through.
    """
    given(st.booleans())(lambda _: None)()
    gc.freeze()


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Where several processes share the work, only what failed and how the call came out is told of a test.

    That fixtures were made and taken down is no news, and to pass on three reports takes longer than most tests.
    """
    if not hasattr(item.config, "workerinput"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """What is left at the end is not looked through, as pytest would five times, at a second or more each."""
    gc.freeze()


MEMORY = Path("/dev/shm")
"""Where files lie in memory alone. No test takes the power away, so none sees the difference."""

ENOUGH = 4_000_000_000
"""Bytes: several times what all tests together leave behind."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked slow, unless a -m expression says what to run; begin with what takes longest."""
    slow = [] if config.option.markexpr else [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
    left = set(slow)
    items[:] = sorted((item for item in items if item not in left), key=lambda item: _rank(group_of(item.nodeid)))


def group_of(nodeid: str) -> str:
    """The file of a test; where bot games may be looked at their game, and the folder where archives are made or sources parsed."""
    file, _, name = nodeid.partition("::")
    game = _GAME.search(name)
    if game and file.startswith("tests/contract/"):
        return game[1]
    return next((folder for folder in ("tests/verify", "tests/house") if file.startswith(f"{folder}/")), file)


def _rank(group: str) -> int:
    if "/" not in group:
        return -("empire" in group) - 1
    return next((rank for rank, first in enumerate(FIRST) if group.startswith(first)), len(FIRST))


class InGroups(LoadScopeScheduling):
    """Hands out whole groups: to every third process those that wait, to the others those that reckon, as long as there are any.

    xdist offers no way to say which process takes what; `_assign_work_unit` is its own. Of a version that has it no longer mypy
    says so, as it is called here; without it the groups are handed out in another order, and no test is lost.
    """

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        waits = self.nodes.index(node) % 3 == 0
        if chosen := next((group for group in self.workqueue if group.startswith(SERVERS) == waits), ""):
            self.workqueue.move_to_end(chosen, last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Two processes more than processors, for some of them always wait for a server; unless told otherwise."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else len(os.sched_getaffinity(0)) + 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Who hands out the tests when several processes share them."""
    config.option.loadscopereorder = False  # not by how many tests a group has, which says little of how long they take
    return InGroups(config, log)
