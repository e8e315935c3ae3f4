"""Which lines of a game's rules the open phases of kept matches came by: what is changed elsewhere shows in none of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from referee.core.game import Game
from referee.core.position import fold
from referee.core.record import Created, Entry, live
from referee.core.stage import resume
from referee.service.match.playing import codec_of
from tests.lifetimes.kept import dice_of
from tests.lifetimes.stops import waited_for


def lines_hit(package: Path, game: Game[Any], secret: bytes, log: Sequence[Entry]) -> set[tuple[str, int]]:
    """File and number of each line that ran when the open phase of a log was played again."""
    codec = codec_of(game)
    records = [entry.record for entry in live((entry.seq, codec.load(entry.payload)) for entry in log)]
    dice = dice_of(game, secret, log)
    position, tail, _ = fold(game, codec, records)
    created = records[0]
    assert isinstance(created, Created)
    options, rules = created.options, str(package / "games")
    found: set[tuple[str, int]] = set()

    def line(frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(rules):
            return None
        found.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        resume(game, codec, position, tail, (), dice, lambda q: waited_for(options, q))
    finally:
        sys.settrace(before)
    return {(Path(file).relative_to(package).as_posix(), number) for file, number in found}
