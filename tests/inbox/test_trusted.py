"""[receive] trusted_authserv, from the settings file to the letter: believed, challenged, or nobody's word at all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.bootstrap.offices import opened
from referee.config import load
from referee.service.base.ports import LetterOut
from referee.service.intake.inbox import handle_new
from referee.service.post.tray import written
from tests.commands import app
from tests.service.conftest import ANNA
from tests.world import ADDRESS, World

OURS = "mx.games.example"
PASSED = "dmarc=pass header.from=players.example"
FAILED = "dmarc=fail header.from=players.example"


@pytest.fixture
def house(tmp_path: Path, databases: Path) -> Path:
    """A settings file over a database in which the match nw1 has begun, at the hour at which it began."""
    (tmp_path / "var").mkdir()
    shutil.copy(databases / "begun.sqlite", tmp_path / "var" / "referee.sqlite")
    world = World(tmp_path / "var", first=1_000)
    (tmp_path / "now").write_text(world.clock.now().isoformat() + "\n")
    world.close()
    return tmp_path / "config.toml"


def answered(settings: Path, trusted: str, results: str) -> LetterOut:
    """What Anna is answered when her mail server hands on a letter to the bare address with these results on top."""
    settings.write_text(
        f'[referee]\naddress = "{ADDRESS}"\n[receive]\ntrusted_authserv = [{trusted}]\n[clock]\nfile = "now"\n'
    )
    letter = (
        f"Authentication-Results: {results}\r\nFrom: {ANNA}\r\nTo: {ADDRESS}\r\nSubject: Re: [nw1] orders\r\n"
        "Message-ID: <authentic@players.example>\r\n\r\nORDERS\r\n"
    )
    result = CliRunner().invoke(app, ["receive", "--config", str(settings)], input=letter.encode())
    assert result.exit_code == 0, result.output
    with opened(load(settings)) as office:
        with office.store.look() as look:
            before = max(out.id for name in ("", "nw1") for out in look.outgoing(name))
        assert handle_new(office) == 1
        with office.store.look() as look:
            (answer,) = [out for name in ("", "nw1") for out in look.outgoing(name) if out.id > before]
        assert answer.recipient == ANNA
        return written(office, answer)


def is_challenge(answer: LetterOut) -> bool:
    return b"please confirm your letter" in answer.raw


def test_a_configured_servers_word_is_believed(house: Path) -> None:
    answer = answered(house, f'"other.example", "{OURS}"', f"{OURS}; {PASSED}")
    assert answer.kind == "receipt" and not is_challenge(answer)


@pytest.mark.parametrize(
    ("trusted", "results"),
    [
        (f'"{OURS}"', f"{OURS}; {FAILED}"),
        (f'"{OURS}"', f"mx.evil.example; {PASSED}"),
        (f'"{OURS}"', f"{OURS}.evil.example; {PASSED}"),
        ("", f"{OURS}; {PASSED}"),
    ],
)
def test_a_forgery_and_a_strangers_word_are_challenged(house: Path, trusted: str, results: str) -> None:
    assert is_challenge(answered(house, trusted, results))
