"""The catalogue of malformed lines: what a player is told, to the letter."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.orders import read
from tests.orders.words import DESK, GAME

CATALOGUE: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8"))[
    "mistake"
]


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry["line"])
def test_mistake(entry: dict[str, Any]) -> None:
    reading = read(entry["line"], GAME, DESK)
    mistake = reading.mistakes[0]
    assert mistake.source == entry["line"]
    assert type(mistake.refusal).__name__ == entry["kind"]
    assert mistake.refusal.sentence == entry["says"]
    assert mistake.caret() == entry["here"]
    assert list(mistake.refusal.instead) == entry["instead"]
    assert mistake.refusal.rule == entry.get("rule", "")
    assert not reading.sheet and not reading.desk


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry["line"])
def test_corrections_are_right(entry: dict[str, Any]) -> None:
    for line in entry["instead"]:
        again = read(f"{line}\nEND" if line.startswith("IF") else line, GAME, DESK)
        assert not again.mistakes
        (said,) = again.sheet + again.desk
        assert line.removeprefix("IF ") == said.text


def test_every_entry_differs() -> None:
    lines = [entry["line"] for entry in CATALOGUE]
    assert len(set(lines)) == len(lines) > 50


def test_corrections_are_not_looked_for_in_thousands_of_lines() -> None:
    mistakes = read("\n".join(["MOVE army TO Egpyt"] * 300), GAME, DESK).mistakes
    assert len(mistakes) == 300
    assert mistakes[0].refusal.instead and not mistakes[-1].refusal.instead
    assert mistakes[0].refusal.sentence == mistakes[-1].refusal.sentence
