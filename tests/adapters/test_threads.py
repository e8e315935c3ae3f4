"""Work that is done when somebody wakes it, and a scan that is made again and again."""

from __future__ import annotations

import itertools
import logging
import subprocess
import sys
import threading
import time

import pytest

from referee.adapters.processes.child import Worker
from referee.adapters.processes.supervisor import Wakeup
from referee.service.base.office import Seldom

LONG = 3600.0


def test_a_worker_works_until_nothing_is_left_and_again_when_woken() -> None:
    left, rested, done = [3], threading.Semaphore(0), []

    def work() -> int:
        if not left[0]:
            rested.release()
            return 0
        left[0] -= 1
        done.append(left[0])
        return 1

    worker = Worker("worker", work, LONG)
    worker.start()
    assert rested.acquire(timeout=10)
    assert done == [2, 1, 0]
    left[0] = 2
    worker.wake()
    assert rested.acquire(timeout=10)
    assert done == [2, 1, 0, 1, 0]
    worker.stop()


_IN_PIECES = """
import threading
from pathlib import Path
from referee.adapters.processes.child import keep_together
from referee.adapters.processes.child import Worker

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4

keep_together()
done, had = [], []
rested = threading.Semaphore(0)

def work():
    if not done:
        pieces = [bytes(2_000) for _ in range(50_000)]
        done.extend(pieces[::50])
        del pieces
        had.append(resident())
        return 0
    rested.release()
    return 0

worker = Worker("worker", work, 0.001, tidy_seconds=0)
worker.start()
rested.acquire()
print(had[0], resident())
worker.stop()
"""


def test_before_it_rests_a_worker_gives_back_memory_that_is_free_in_pieces() -> None:
    said = subprocess.run([sys.executable, "-c", _IN_PIECES], capture_output=True, text=True, check=True).stdout
    before, after = map(int, said.split())
    assert after < before - 80_000, "kilobytes"


_HANGS = """
import threading
from referee.adapters.processes.child import Worker

began = threading.Event()
worker = Worker("worker", lambda: began.set() or threading.Event().wait(), 1)
worker.start()
began.wait()
"""


def test_a_worker_that_hangs_keeps_no_process_alive() -> None:
    subprocess.run([sys.executable, "-c", _HANGS], timeout=60, check=True)


def test_a_call_during_the_work_is_not_forgotten() -> None:
    began, go_on, calls = threading.Semaphore(0), threading.Semaphore(0), []

    def work() -> int:
        calls.append(1)
        began.release()
        assert go_on.acquire(timeout=10)
        return 0

    worker = Worker("worker", work, LONG)
    worker.start()
    assert began.acquire(timeout=10)
    worker.wake()
    go_on.release()
    assert began.acquire(timeout=10)
    go_on.release()
    worker.stop()
    assert len(calls) == 2


def test_a_worker_in_no_hurry_leaves_two_thirds_of_the_time_to_others() -> None:
    times, done = list[tuple[float, float]](), threading.Event()

    def work() -> int:
        began = time.monotonic()
        sum(range(200_000))
        times.append((began, time.monotonic()))
        if len(times) == 5:
            done.set()
        return 1

    worker = Worker("archivist", work, rest_seconds=LONG, in_no_hurry=True)
    worker.start()
    assert done.wait(10)
    worker.stop()
    for (began, ended), (again, _) in itertools.pairwise(times):
        assert again - ended >= 2 * (ended - began)


def test_a_worker_looks_now_and_then_unasked() -> None:
    looked = threading.Semaphore(0)

    def work() -> int:
        looked.release()
        return 0

    worker = Worker("worker", work, 0.001)
    worker.start()
    for _ in range(3):
        assert looked.acquire(timeout=10)
    worker.stop()


def test_a_worker_outlives_a_fault(caplog: pytest.LogCaptureFixture) -> None:
    tried, faults = threading.Semaphore(0), [ValueError("a fault")]

    def work() -> int:
        tried.release()
        if faults:
            raise faults.pop()
        return 0

    worker = Worker("inbox", work, LONG)
    with caplog.at_level(logging.ERROR):
        worker.start()
        assert tried.acquire(timeout=10)
        worker.wake()
        assert tried.acquire(timeout=10)
        worker.stop()
    assert [record.getMessage() for record in caplog.records] == ["inbox failed; it is tried again"]


def test_a_worker_that_never_began_ends_at_once() -> None:
    Worker("worker", lambda: 0, LONG).stop()


def test_the_scan_is_made_at_once_and_again() -> None:
    made = threading.Semaphore(0)
    wakeup = Wakeup(made.release, 0.01)
    wakeup.start()
    for _ in range(3):
        assert made.acquire(timeout=10)
    wakeup.stop()


def test_the_first_scan_does_not_wait() -> None:
    made = threading.Semaphore(0)
    wakeup = Wakeup(made.release, LONG)
    wakeup.start()
    assert made.acquire(timeout=10)
    wakeup.stop()


def test_scans_never_overlap_and_a_slow_one_loses_none(caplog: pytest.LogCaptureFixture) -> None:
    inside, most, made = [0], [0], threading.Semaphore(0)
    missed, levels = threading.Event(), list[int]()

    class Missed(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            levels.append(record.levelno)
            missed.set()

    def scan() -> None:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        # The first scan lasts until the scheduler has wanted the next one.
        assert missed.wait(10)
        inside[0] -= 1
        made.release()

    listener = Missed(logging.DEBUG)
    logging.getLogger("referee.adapters.processes.supervisor").addHandler(listener)
    wakeup = Wakeup(scan, 0.01)
    wakeup.start()
    for _ in range(3):
        assert made.acquire(timeout=10)
    wakeup.stop()
    logging.getLogger("referee.adapters.processes.supervisor").removeHandler(listener)
    assert most == [1]
    assert set(levels) == {logging.DEBUG}  # a host need not read of it


def test_work_that_fails_again_and_again_rests_longer_and_cannot_be_woken(caplog: pytest.LogCaptureFixture) -> None:
    at, tried = list[float](), threading.Semaphore(0)

    def work() -> int:
        at.append(time.monotonic())
        tried.release()
        raise OSError(f"always {len(at) > 1}")

    worker = Worker("stuck", work, 0.02)
    worker.start()
    for _ in range(5):
        assert tried.acquire(timeout=10)
        worker.wake()
    worker.stop()
    rests = [later - before for before, later in itertools.pairwise(at)]
    assert all(rest >= 0.02 * 2**number for number, rest in enumerate(rests[1:4], 2))
    assert len(caplog.records) == 2


def test_the_same_thing_is_said_once_a_minute_with_how_often_it_came() -> None:
    now = [0.0]
    seldom = Seldom(60, lambda: now[0])
    assert [seldom.since("a"), seldom.since("a"), seldom.since("b"), seldom.since("a")] == [0, None, 0, None]
    now[0] = 60
    assert [seldom.since("a"), seldom.since("a"), seldom.since("b")] == [2, None, 0]
    now[0] = 120
    assert seldom.since("a") == 1, "counted anew since it was said last"
    for number in range(2000):
        seldom.since(str(number))
    assert len(seldom._said) == 1000
