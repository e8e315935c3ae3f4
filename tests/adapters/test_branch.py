"""A child forked from a program that has loaded all: heard like any other, deaf like any other, followed by a new one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

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
