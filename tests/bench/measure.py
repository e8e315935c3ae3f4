"""What a case is, and how it is measured: itself and its baseline by turns, A B A B, in one process."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_NOISY = 0.25


@dataclass(frozen=True)
class Sample:
    """One figure in the unit of its case. `cpu_us` is processor time of this process for one item, in microseconds.

    `faults` counts what must never happen, such as a lost deadline; `note` says in words what was counted.
    """

    value: float
    cpu_us: float = 0.0
    faults: int = 0
    note: str = ""


_Measure = Callable[[], Sample]


@dataclass(frozen=True)
class Pair:
    """What a prepared case is measured with; `base` None: the figure is judged by itself."""

    own: _Measure
    base: _Measure | None = None


@dataclass(frozen=True)
class Size:
    """How much is done: counts for one run of a case."""

    letters: int = 200
    matches: int = 40
    connections: int = 8
    lines: int = 4_000
    commits: int = 80
    alarms: int = 10_000
    herd: int = 50
    noon: int = 24
    turns: int = 20
    receipts: int = 60
    open_matches: int = 1_000
    standing: int = 10_000
    days: int = 24
    soak: int = 4_166


@dataclass(frozen=True)
class Case:
    """A line of the table. `floor` and `goal` are ratios to the baseline, or limits of the figure where there is none.

    `once` cases are proofs and take their time: they are measured once however many runs are asked for. `lacks` says
    why the case cannot be measured on this machine, "" when it can; one `of_a_file` reads SQLite's file by itself.
    """

    key: str
    title: str
    unit: str
    prepare: Callable[[Path, Size], AbstractContextManager[Pair]]
    baseline: str = ""
    floor: float | None = None
    goal: float | None = None
    lower_is_better: bool = False
    once: bool = False
    lacks: Callable[[], str] = str
    of_a_file: bool = False


@dataclass(frozen=True)
class Measured:
    """The samples of a case and of its baseline, in the order in which they were taken."""

    case: Case
    own: tuple[Sample, ...]
    base: tuple[Sample, ...] = field(default=())

    @property
    def middle(self) -> float:
        """The median of the case's own figures."""
        return statistics.median(sample.value for sample in self.own)

    @property
    def judged(self) -> float:
        """What floor and goal are held against: the median of the ratios of neighbouring runs, or the figure."""
        ratios = self.ratios
        return statistics.median(ratios) if ratios else self.middle

    @property
    def ratios(self) -> tuple[float, ...]:
        """Own figure to baseline, pair by pair; above 1 is better than the baseline."""
        pairs = zip(self.own, self.base, strict=False)
        if self.case.lower_is_better:
            return tuple(base.value / own.value for own, base in pairs)
        return tuple(own.value / base.value for own, base in pairs)

    @property
    def noisy(self) -> bool:
        """Whether what is judged moved by more than a quarter between the runs."""
        values = self.ratios or tuple(sample.value for sample in self.own)
        middle = statistics.median(values)
        return len(values) > 1 and middle > 0 and (max(values) - min(values)) / middle > _NOISY

    @property
    def faults(self) -> int:
        """How often something happened that must never happen."""
        return sum(sample.faults for sample in self.own)

    @property
    def verdict(self) -> str:
        """FAULTY, under the floor, ok, goal, or measured where there is nothing to reach."""
        case = self.case
        if self.faults:
            return "FAULTY"
        if case.floor is None:
            return "measured"
        if not self._reaches(case.floor):
            return "UNDER FLOOR"
        return "goal" if case.goal is not None and self._reaches(case.goal) else "ok"

    def _reaches(self, mark: float) -> bool:
        if self.case.lower_is_better and not self.base:
            return self.judged <= mark
        return self.judged >= mark


def measure(case: Case, folder: Path, size: Size, runs: int) -> Measured:
    """Prepare a case in an empty folder and take its samples, baseline first, by turns."""
    own: list[Sample] = []
    base: list[Sample] = []
    with case.prepare(folder, size) as pair:
        for _ in range(1 if case.once else runs):
            if pair.base is not None:
                base.append(_quietly(pair.base))
            own.append(_quietly(pair.own))
    return Measured(case, tuple(own), tuple(base))


def _quietly(take: _Measure) -> Sample:
    gc.collect()
    return take()


class Watch:
    """Wall time and processor time of a stretch, in seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.cpu = 0.0

    def rate(self, items: int, faults: int = 0, note: str = "") -> Sample:
        """Items a second."""
        return Sample(items / self.seconds, self.cpu / items * 1e6, faults, note)


@contextmanager
def timed() -> Iterator[Watch]:
    """Time a stretch; the watch can be read after it."""
    watch = Watch()
    began, cpu = time.perf_counter(), time.process_time()
    yield watch
    watch.seconds = time.perf_counter() - began
    watch.cpu = time.process_time() - cpu
