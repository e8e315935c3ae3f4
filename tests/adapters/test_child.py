"""A child process is rung and heard, and a lock on a file is held by one process at a time."""

from __future__ import annotations

import os
import queue
import signal
import threading
from pathlib import Path

import pytest

from referee.adapters.processes.child import ASKING, Child
from referee.adapters.store.store import Turns, alone

ECHO = """
import os
from referee.adapters.processes.child import Bell, say
with open(0, "rb", closefd=False) as pipe:
    bell = Bell(pipe)
    told = bell.told()
    say(f"told {told} {os.getpid()}")
    if told == "die":
        raise SystemExit(3)
    bell.listen(lambda: say("rung"))
    say("end")
"""


WAITER = """
from pathlib import Path
from referee.adapters.processes.child import Bell, say
from referee.adapters.store.store import Turns
with open(0, "rb", closefd=False) as pipe:
    bell = Bell(pipe)
    turns = Turns(Path(bell.told()))
    say("waits")
    say("has it" if bell.outlasts(turns.mine().__enter__) else "goes")
    bell.listen(lambda: say("rung"))
"""


@pytest.fixture
def waiter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A child that waits for its turn at a file."""
    (tmp_path / "waiting_child.py").write_text(WAITER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "waiting_child"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "echo_child.py").write_text(ECHO)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "echo_child"


def test_a_child_is_told_rung_heard_and_ends_when_its_parent_hangs_up(module: str) -> None:
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    child = Child(module, {"a": 1}, lines.put)
    child.start()
    assert lines.get(timeout=30) == f"told {{'a': 1}} {child.pid}"
    child.wake()
    assert lines.get(timeout=30) == "rung"
    child.stop()
    assert lines.get(timeout=30) == "end"
    child.wake()
    with pytest.raises(ProcessLookupError):
        os.kill(child.pid, 0)


def test_a_child_that_dies_is_logged_and_started_again(module: str, caplog: pytest.LogCaptureFixture) -> None:
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    child = Child(module, "die", lines.put)
    child.start()
    pids = {lines.get(timeout=30).rpartition(" ")[2] for _ in range(3)}
    child.stop()
    assert len(pids) == 3
    assert "echo_child ended with code 3; it is started again" in caplog.text


def test_who_cannot_hear_is_logged_and_the_next_line_is_heard(module: str, caplog: pytest.LogCaptureFixture) -> None:
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def deaf_at_first(line: str) -> None:
        lines.put(line)
        if line.startswith("told"):
            raise ValueError("what?")

    child = Child(module, 1, deaf_at_first)
    child.start()
    child.wake()
    assert [lines.get(timeout=30).partition(" ")[0] for _ in range(2)] == ["told", "rung"]
    child.stop()
    assert "could not be passed on" in caplog.text


def test_a_child_that_still_waits_for_its_turn_ends_with_its_parent(waiter: str, tmp_path: Path) -> None:
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    with alone(tmp_path / "turn"):
        child = Child(waiter, str(tmp_path / "turn"), lines.put)
        child.start()
        assert lines.get(timeout=30) == "waits"
        child.wake()
        stopping = threading.Thread(target=child.stop, daemon=True)
        stopping.start()
        stopping.join(30)
        assert not stopping.is_alive()
    assert lines.get_nowait() == "goes"


def test_a_ring_while_a_child_waits_for_its_turn_is_heard_when_it_has_it(waiter: str, tmp_path: Path) -> None:
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    child = Child(waiter, str(tmp_path / "turn"), lines.put)
    with alone(tmp_path / "turn"):
        child.start()
        child.wake()
        assert lines.get(timeout=30) == "waits"
    assert [lines.get(timeout=30) for _ in range(2)] == ["has it", "rung"]
    child.stop()


def test_a_child_is_not_ended_by_what_its_group_is_told_from_its_first_moment_on(module: str) -> None:
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    child = Child(module, "all", lines.put)
    child.start()
    for name in ASKING:
        os.kill(child.pid, name)
    assert lines.get(timeout=30) == f"told all {child.pid}"
    os.kill(child.pid, signal.SIGTERM)
    child.wake()
    assert lines.get(timeout=30) == "rung"
    child.stop()


def test_a_turn_is_one_holders_and_ends_with_him(tmp_path: Path) -> None:
    path = tmp_path / "turn"
    other = Turns(path)
    with alone(path):
        assert other.is_taken()
    assert not other.is_taken()
    holder = os.fork()
    if not holder:
        Turns(path).mine().__enter__()
        os._exit(0)
    os.waitpid(holder, 0)
    assert not other.is_taken(), "no death keeps it"
    other.close()
