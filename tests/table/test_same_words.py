"""A thousand lines of each game, with slips of the pen: the browser's Python says of them byte for byte what the referee's does."""

from __future__ import annotations

import json
import subprocess
from itertools import islice
from pathlib import Path

import pytest

from referee.page_engine import answer, opened
from tests.service.test_table_file import sent_to
from tests.table.build import fetched
from tests.table.lines import known_lines, slips
from tests.table.test_page_engine import begun
from tests.verify.node import node
from tests.world import World

LINES = 1_000
_SCRIPT = Path(__file__).with_name("engine.mjs")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["newworld", "war27", "war17", "empire"])
def test_the_page_says_what_the_referee_says(world: World, tmp_path: Path, engine: Path, game: str) -> None:
    table = sent_to(world, begun(world, game))
    letters = list(islice(slips(known_lines(table, opened(json.dumps(table))), 7), LINES))
    asked = tmp_path / "asked.json"
    asked.write_text(json.dumps({"table": table, "letters": letters}), "utf-8")
    pyodide, _ = fetched()
    command = [node(), str(_SCRIPT), str(pyodide), str(engine), str(asked)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    said: list[str] = json.loads(ran.stdout)
    answer("open", json.dumps(table))
    assert len(said) == LINES
    for letter, there in zip(letters, said, strict=True):
        assert answer("judge", json.dumps([letter])) == there, letter
