"""A match of Empire of 25 turns with eight players: what its next turn costs, and how much memory it takes.

python -m tests.bench.empire_long LOG prints the resident kilobytes before the log of such a match is read, when the
match is played on from it, and when its record sheets were made.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from referee.core.chance import Keyed
from referee.core.position import fold, start
from referee.core.record import Created
from referee.core.stage import Unsealed, resume
from referee.games.empire.game import EmpireGame
from referee.games.empire.position.state import Empire
from referee.service.match.playing import codec_of
from tests.bench.botplay import BotTable, created
from tests.bench.measure import Pair, Sample, Size, timed
from tests.bench.turns import SECRET, picker

TURNS = 25
"""So many turns are over when it is measured."""

_PLAYERS = 8
_GAME = EmpireGame()


def _created() -> Created:
    """Its first record: it has more turns to come."""
    first = created(_GAME, _PLAYERS)
    return replace(first, options={**first.options, "last_turn": str(TURNS + 5)})


@cache
def _played() -> BotTable[Empire]:
    """Bots who have armed, produced and fought for 25 turns on the largest board."""
    table = BotTable(_GAME, start(_GAME, _created()))
    while table.outcome.state.turn <= TURNS:
        table.play(1)
    return table


# ---------------------------------------------------------------- the next turn


def next_turn(slots: int) -> Callable[[Path, Size], AbstractContextManager[Pair]]:
    """So many slots of the turn after, from each sheet to the next slot, on a board never seen before; milliseconds."""

    @contextmanager
    def prepared(folder: Path, size: Size) -> Iterator[Pair]:
        position = _played().outcome.position

        def own() -> Sample:
            board = replace(position.state.board)
            state = replace(position.state, board=board, lines=dict(position.state.lines))
            table, pick = BotTable(_GAME, replace(position, state=state)), picker(1)
            wall = cpu = 0.0
            while len(table.ended) < slots and table.outcome.open:
                question = table.outcome.open[0]
                sheet = question.menu.sample(pick)
                with timed() as watch:
                    table.answer(question, sheet)
                wall, cpu = wall + watch.seconds, cpu + watch.cpu
            events = sum(len(ended.events) for ended in table.ended)
            note = f"turn {position.state.turn}, {len(state.units)} units, {len(table.ended)} slots, {events} events"
            return Sample(wall * 1e3, cpu * 1e6, slots - len(table.ended), note)

        yield Pair(own)

    return prepared


# ---------------------------------------------------------------- memory


@contextmanager
def match_in_memory(folder: Path, size: Size) -> Iterator[Pair]:
    """What the match takes in a process of its own that has read its log and made its record sheets; megabytes."""
    table, codec = _played(), codec_of(_GAME)
    log = folder / "match.log"
    log.write_text("\n".join(codec.dump(record) for record in (_created(), *table.records)), "utf-8")

    def own() -> Sample:
        command = [sys.executable, "-m", "tests.bench.empire_long", str(log)]
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
        before, loaded, shown = (int(figure) / 1024 for figure in said.split())
        note = f"process {before:.0f} MB, match read {loaded - before:.0f} MB, {log.stat().st_size / 1e6:.1f} MB of log"
        return Sample(shown - before, note=note)

    yield Pair(own)


def main(path: Path) -> None:
    """Read the log, play on, make the record sheets; print resident kilobytes before and after."""
    codec = codec_of(_GAME)
    print(_resident())
    records = [codec.load(line) for line in path.read_text("utf-8").splitlines()]
    position, tail, history = fold(_GAME, codec, records)
    del records
    outcome = resume(_GAME, codec, position, tail, (), Unsealed(Keyed(SECRET, 0)), lambda _: False)
    print(_resident())
    sheets = _GAME.sheets(history, outcome.state, outcome.state.seats[0])
    print(_resident() if sheets else 0)


def _resident() -> int:
    gc.collect()
    status = Path("/proc/self/status").read_text("ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
