"""A child process, started or forked, is rung and heard, and followed by a new one; a lock on a file is held by one at a time."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from referee.adapters.processes.child import ASKING, Child
from referee.adapters.store.desk_locks import FileHolds
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
    assert other.holder() == 0
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


# ---------------------------------------------------------------- forked


CHILD = """
import os
import sys
from referee.adapters.processes.child import Bell, say

def main(pipe):
    bell = Bell(pipe)
    told = bell.told()
    say(f"{getattr(sys, 'born', 'anew')} {told} {os.getpid()}")
    if told == "die":
        raise ValueError("dies")
    bell.listen(lambda: say("rung"))
    say("end")

if __name__ == "__main__":
    with open(0, "rb", closefd=False) as pipe:
        main(pipe)
"""
HEAD = """
import os
import queue
import signal
import sys
from referee.adapters.processes.child import Child
from referee.adapters.processes.child import ASKING

sys.born = "forked"
lines = queue.SimpleQueue()
print("a parent", end="")  # buffered when it forks
child = Child("branched_child", "told", lines.put)
child.branch_off()
"""


def parent(folder: Path, rest: str, told: str = "told", code: int = 0) -> tuple[list[str], str]:
    """What a parent program prints, and what came to standard error."""
    (folder / "branched_child.py").write_text(CHILD)
    (folder / "parent.py").write_text(HEAD.replace('"told"', f'"{told}"') + rest)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    ran = subprocess.run(
        [sys.executable, str(folder / "parent.py")], env=environment, capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == code, ran.stderr
    return ran.stdout.split("\n"), ran.stderr


def test_it_is_told_rung_and_heard_and_ends_when_its_parent_hangs_up(tmp_path: Path) -> None:
    said, errors = parent(
        tmp_path,
        """
child.start()
print()
print(lines.get(timeout=30).rpartition(" ")[0])
child.wake()
print(lines.get(timeout=30))
child.stop()
print(lines.get(timeout=30), child.pid)
""",
    )
    assert said[:3] == ["a parent", "forked told", "rung"]
    assert said[3].startswith("end ") and said[4:] == [""] and errors == ""
    with pytest.raises(ProcessLookupError):
        os.kill(int(said[3].split()[1]), 0)


def test_one_that_dies_is_followed_by_a_new_program(tmp_path: Path) -> None:
    said, errors = parent(
        tmp_path,
        """
child.start()
print()
for _ in range(3):
    print(lines.get(timeout=30).rpartition(" ")[0])
child.stop()
""",
        told="die",
    )
    assert said == ["a parent", "forked die", "anew die", "anew die", ""]
    assert "ValueError: dies" in errors and "branched_child ended with code 1; it is started again" in errors


def test_it_is_not_ended_by_what_its_group_is_told(tmp_path: Path) -> None:
    said, _ = parent(
        tmp_path,
        """
child.start()
print()
for name in ASKING:
    os.kill(child.pid, name)
print(lines.get(timeout=30).rpartition(" ")[0])
child.wake()
print(lines.get(timeout=30))
child.stop()
""",
    )
    assert said == ["a parent", "forked told", "rung", ""]


def test_a_parent_that_cannot_start_leaves_no_child_behind(tmp_path: Path) -> None:
    said, _ = parent(tmp_path, 'print("", child._branch.pid)\nraise SystemExit(3)\n', code=3)
    (line, _) = said
    number, until = int(line.split()[-1]), time.monotonic() + 30
    while Path(f"/proc/{number}").exists() and "Z" not in Path(f"/proc/{number}/stat").read_text().split()[2]:
        assert time.monotonic() < until, "it lives on"


def test_of_two_forked_one_after_the_other_the_first_hears_that_its_parent_hung_up(tmp_path: Path) -> None:
    said, _ = parent(
        tmp_path,
        """
other = Child("branched_child", "told", lambda line: None)
other.branch_off()
child.start()
other.start()
lines.get()
child.stop()
print(lines.get())
other.stop()
""",
    )
    assert said[-2] == "a parentend"


def test_what_one_process_holds_no_other_has_till_the_outermost_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "holds"
    ours = FileHolds(path)

    def others() -> str:
        """What another process gets of two."""
        reads, writes = os.pipe()
        if not (child := os.fork()):
            with FileHolds(path).hold(("a", "b")) as held:
                os.write(writes, " ".join(sorted(held)).encode())
            os._exit(0)
        os.close(writes)
        os.waitpid(child, 0)
        with os.fdopen(reads) as said:
            return said.read()

    with ours.hold(("a",)):
        with ours.hold(("a", "b")) as both:
            assert both == {"a", "b"} and others() == ""
        assert others() == "b"
    assert others() == "a b"
    ours.close()
