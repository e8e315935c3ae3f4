"""docs/mail.md is true: its settings are read, its commands exist, its orders are understood, and all of it is linked."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main
from typer.core import TyperGroup

from referee.config import Config, read
from tests.commands import app
from tests.real import postfix
from tests.world import World

HOME = Path(__file__).parent.parent
GUIDE = (HOME / "docs" / "mail.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", blocks("toml"))
def test_every_settings_block_is_read_and_says_something(block: str, tmp_path: Path) -> None:
    assert read(block, tmp_path) != read("", tmp_path)


def test_there_is_a_block_for_each_section_that_concerns_mail() -> None:
    named = {section for block in blocks("toml") for section in re.findall(r"^\[(\w+)\]", block, re.MULTILINE)}
    assert named == {"referee", "gm", "imap", "receive", "maildir", "send", "dkim", "limits", "witness"}


def test_every_setting_named_in_a_sentence_exists() -> None:
    known = Config()
    for section, setting in re.findall(r"`\[(\w+)\](?: (\w+))?`", GUIDE):
        assert hasattr(getattr(known, section), setting) if setting else hasattr(known, section), (section, setting)


def test_every_command_exists() -> None:
    root = typer.main.get_command(app)
    lines = [line for block in blocks("console") for line in block.splitlines()]
    lines += re.findall(r"referee receive [^|\n]*", "".join(blocks("forward")))
    assert len(lines) >= 6
    for line in lines:
        command, words = root, shlex.split(line)[1:]
        while isinstance(command, TyperGroup):
            found = command.commands.get(words[0])
            assert found is not None, line
            command, words = found, words[1:]
        command.make_context(command.name, words, resilient_parsing=False)


def test_the_postfix_of_the_tests_is_set_up_in_the_same_way() -> None:
    """tests/real/test_postfix.py delivers letters by these settings."""
    (block,) = blocks("postfix")
    ours = postfix._MAIN
    for line in block.splitlines():
        name, _, value = line.partition(" = ")
        assert re.search(rf"^{name} = ", ours, re.MULTILINE), name
        if name == "recipient_delimiter":
            assert f"{name} = {value}\n" in ours
    assert "{ games.example = lmtp:inet:127.0.0.1:8025 }" in block


def test_the_orders_do_what_the_guide_says(tmp_path: Path) -> None:
    known, later = blocks("orders")
    world = World(tmp_path)
    world.write("gina@club.example", "CREATE newworld AS nw1")
    for name, seat in (("anna", "England"), ("ben", "France")):
        world.write(f"{name}@club.example", f"JOIN nw1 AS {seat}")
    world.reply("gina@club.example", "START nw1", kind="receipt")
    told = {mail.to: mail for mail in world.reply("anna@club.example", known)}
    assert "Your key is set" in told["anna@club.example"].flat
    assert "is an address of his too" in told["anna@work.example"].flat
    (receipt,) = world.write("anna@club.example", later)
    assert "please confirm" not in receipt.subject and "[nw1]" in receipt.subject
    world.close()


def test_the_guide_is_found() -> None:
    assert "docs/mail.md" in (HOME / "README.md").read_text("utf-8")
    assert "docs/mail.md" in (HOME / "docs" / "reading-order.md").read_text("utf-8")
