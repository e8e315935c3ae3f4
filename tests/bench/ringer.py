"""A process that does everything that is due at a moment, ten alarms at a time: made to be killed by the herd case.

python -m tests.bench.ringer DATABASE MOMENT. Says "ready", waits for a line, then says how many it did, until 0.
"""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

from referee.service.intake.deadlines import scan
from tests.bench.house import house


def main(path: Path, moment: datetime) -> None:
    """Ring what is due."""
    with house(path, moment) as office:
        print("ready", flush=True)
        sys.stdin.readline()
        done = 1
        while done:
            done = scan(office, 10)
            print(done, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), datetime.fromisoformat(sys.argv[2]))
