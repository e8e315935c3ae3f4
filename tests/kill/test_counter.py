"""A word at the machine while the service runs: its archive knows of it as of a letter's."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from tests.kill.running import Running
from tests.program import Program


def command(service: Running, *words: str) -> None:
    with Program(*words, "--config", str(service.folder / "config.toml")) as program:
        assert program.wait(60) == 0, program.stdout.read()


def test_pages_are_laid_anew_after_every_word_at_the_machine(service: Running) -> None:
    folder = service.folder / "var" / "archive" / "nw1"

    def told() -> tuple[str, int]:
        about = json.loads((folder / "match.json").read_text())
        return about["status"], about["entries"]

    service.until("the archive", (folder / "match.json").exists)
    stand = told()
    for word, status in {
        "PAUSE": "paused",
        "RESUME": "running",
        "COMMENT soon": "running",
        "TERMINATE": "over",
    }.items():
        command(service, "gm", "nw1", word)
        service.until(f"pages after {word}", partial(changed, told, stand))
        stand = told()
        assert stand[0] == status


def changed(told: Callable[[], object], before: object) -> bool:
    return told() != before


def test_a_match_that_begins_at_the_machine_has_its_pages(service: Running) -> None:
    command(service, "create", "newworld", "nw2", "--gm", "gina@example.org")
    for name in ("anna", "bert", "carl", "dora"):
        command(service, "join", "nw2", f"{name}@example.org")
    command(service, "gm", "nw2", "START")
    service.until("the archive", (service.folder / "var" / "archive" / "nw2" / "match.json").exists)
