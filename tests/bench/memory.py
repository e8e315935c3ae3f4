"""Memory of open matches with running deadlines, in a process of its own.

python -m tests.bench.memory DATABASE prints the resident kilobytes with one match looked at, after every alarm was
looked for, and after every match was looked at.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import msgspec

from referee.core.record import Entry, seal
from referee.service.base.office import At, Office
from referee.service.base.ports import Step
from referee.service.intake.deadlines import scan
from referee.service.match.playing import load, remember
from tests.bench.house import begun, house
from tests.bench.measure import Pair, Sample, Size


def idle_matches(folder: Path, size: Size) -> AbstractContextManager[Pair]:
    """What a match costs of which only the deadline runs: its alarms are rows, so it should cost nothing."""
    return _measured(folder, size, 1)


def matches_in_use(folder: Path, size: Size) -> AbstractContextManager[Pair]:
    """What a match costs when a letter of every match passes: a bounded number is kept at hand."""
    return _measured(folder, size, 2)


@contextmanager
def _measured(folder: Path, size: Size, which: int) -> Iterator[Pair]:
    template = folder / "open.sqlite"
    with house(template) as office:
        begun(office, 1)
        with office.store.step() as step:
            for number in range(1, size.open_matches):
                _again(step, f"m{number}")

    def own() -> Sample:
        command = [sys.executable, "-m", "tests.bench.memory", str(template)]
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
        figures = [int(figure) for figure in said.split()]
        grown = max(0, figures[which] - figures[0])
        note = f"{size.open_matches:,} matches: {figures[0] / 1024:.0f} MB, then {figures[which] / 1024:.0f} MB"
        return Sample(grown / size.open_matches, note=note)

    yield Pair(own)


def _again(step: Step, name: str) -> None:
    """The first match once more under another name, its log sealed anew, its alarms and its players with it."""
    row = step.match("m0")
    assert row is not None  # begun just now
    step.save_match(msgspec.structs.replace(row, name=name))
    for member in step.members("m0"):
        step.save_member(msgspec.structs.replace(member, id=0, match=name))
    head: Entry | None = None
    entries = []
    for entry in step.entries("m0"):
        head = seal(row.secret, name, head, entry.at, entry.kind, entry.payload, entry.cause)
        entries.append(head)
    step.append(entries)
    for alarm in step.alarms("m0"):
        step.set_alarm(msgspec.structs.replace(alarm, match=name))


def main(path: Path) -> None:
    """Look at one match, at all alarms, at all matches; print resident kilobytes after each."""
    with house(path) as office:
        for act in (_one, scan, _every):
            print(_resident_after(office, act))


def _resident_after(office: Office, act: Callable[[Office], object]) -> int:
    act(office)
    gc.collect()
    status = Path("/proc/self/status").read_text("ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


def _one(office: Office) -> None:
    with office.look() as at:
        _look(at, "m0")


def _every(office: Office) -> None:
    with office.store.look() as step:
        names = [row.name for row in step.matches()]
    for name in names:
        with office.look() as at:
            _look(at, name)


def _look(at: At, name: str) -> None:
    row = at.step.match(name)
    assert row is not None  # its name was just listed
    remember(load(at, row))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
