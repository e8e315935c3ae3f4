"""docs/hosting.md is true: its conversation is held, its answers are read, its commands exist, its letter opens a match.

tests/real/test_hosting_guide.py runs its lines on Debian's own packages.
"""

from __future__ import annotations

import re
import shlex
from importlib.metadata import requires, version
from pathlib import Path

import pytest
import typer.main
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.core import TyperGroup
from typer.testing import CliRunner

from referee.cli import setting_up
from referee.config import load, read
from referee.setup.interview import Here, config_text, from_file, sections
from tests.commands import app
from tests.house.constraints import FILE, stands_on
from tests.house.sources import ROOT
from tests.world import World

GUIDE = (ROOT / "docs" / "hosting.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def test_its_conversation_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = blocks("conversation")
    answers = re.findall(r"^(?:\[.*\])?> ?(.*)$", block, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(setting_up, "here", lambda: Here("Etc/UTC"))
    told = CliRunner().invoke(app, ["setup", "--wait", "0"], input="".join(f"{line}\n" for line in answers)).output
    assert told.strip().startswith(block.strip())
    assert "Add to /etc/postfix/main.cf" in told and "Publish in the DNS of games.example" in told
    assert load(tmp_path / "config.toml").receive.protocol == "lmtp"


def test_its_answers_are_read_and_so_are_those_in_its_sentences() -> None:
    (block,) = blocks("toml answers")
    config = read(config_text(sections(from_file(block, Here()))))
    assert (config.imap.host, config.clock.deadline_hours) == ("imap.fastmail.com", 48.0)
    four = re.compile(r"^way = .*?^password = [^\n]*\n", re.MULTILINE | re.DOTALL)
    postfix, unknown = (re.findall(rf"`((?:{name}) = \"[^`]*)`", GUIDE) for name in ("way|machine", "imap|smtp"))
    assert from_file(four.sub("\n".join(postfix) + "\n", block), Here()).machine == "mail.games.example"
    other = re.sub(r"^provider = .*$", "\n".join(unknown), block, flags=re.MULTILINE)
    mailbox = from_file(other, Here()).mailbox
    assert mailbox is not None and mailbox.smtp.host == "smtp.provider.example"


def test_every_command_of_the_referee_exists() -> None:
    lines = [line for block in blocks("console [a-z ]+") for line in block.splitlines()]
    mine = [line for line in lines if re.search(r"(^|-- | referee )referee ", line)]
    assert len(mine) == 3
    for line in mine:
        words = shlex.split(line.partition(" > ")[0])
        words = words[len(words) - 1 - words[::-1].index("referee") + 1 :]
        command = typer.main.get_command(app)
        while isinstance(command, TyperGroup) and words:
            found = command.commands.get(words[0])
            assert found is not None, line
            command, words = found, words[1:]
        if words or not isinstance(command, TyperGroup):
            command.make_context(command.name, words, resilient_parsing=False)


def test_its_letter_opens_a_match(tmp_path: Path) -> None:
    (letter,) = blocks("letter")
    world = World(tmp_path)
    (answer,) = world.write("gina@club.example", letter)
    assert "START" in answer.text and "JOIN nw1" in answer.text
    world.close()


def test_the_wheel_is_the_one_of_this_version() -> None:
    named = set(re.findall(r"referee-([\d.]+(?:\.dev\d+)?)-py3-none-any\.whl", GUIDE))
    assert named == {version("referee")}


def test_the_versions_for_hosts_are_whole_and_fit_what_is_asked_for() -> None:
    pinned = dict(line.split("==") for line in FILE.read_text("utf-8").splitlines() if not line.startswith("#"))
    assert pinned.keys() == stands_on().keys(), "make constraints writes them anew"
    needs = (text for text in requires("referee") or () if not re.search(r"extra == .(dev|mutation)", text))
    wishes = [Requirement(text) for text in needs]
    assert len(wishes) > 25
    assert [str(wish) for wish in wishes if pinned[canonicalize_name(wish.name)] not in wish.specifier] == []


def test_what_it_links_to_is_there_and_it_is_found() -> None:
    for target in re.findall(r"\]\(([^)#]+)", GUIDE):
        assert (ROOT / "docs" / target).exists(), target
    for page in ("README.md", "docs/mail.md", "docs/reading-order.md"):
        assert "hosting.md" in (ROOT / page).read_text("utf-8"), page
