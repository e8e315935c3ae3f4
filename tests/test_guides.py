"""README, docs/mail.md, docs/backup.md and docs/hosting.md are true: conversations, settings and links.

test_page_commands.py runs the commands of all pages; tests/real/test_hosting_guide.py the lines of docs/hosting.md on Debian's own
packages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import requires, version
from pathlib import Path

import pytest
import typer.main
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.core import TyperGroup
from typer.testing import CliRunner

from referee.cli import setup
from referee.config import Config, load, read
from referee.setup.interview import Here, config_text, from_file, sections
from tests.commands import app
from tests.house.constraints import FILE, stands_on
from tests.house.sources import ROOT
from tests.real import postfix
from tests.world import Mail, World

HOME = Path(__file__).parent.parent
MAIL = (HOME / "docs" / "mail.md").read_text("utf-8")


def blocks(guide: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("block", blocks(MAIL, "toml"))
def test_every_settings_block_is_read_and_says_something(block: str, tmp_path: Path) -> None:
    assert read(block, tmp_path) != read("", tmp_path)


def test_there_is_a_block_for_each_section_that_concerns_mail() -> None:
    named = {section for block in blocks(MAIL, "toml") for section in re.findall(r"^\[(\w+)\]", block, re.MULTILINE)}
    assert named == {"referee", "gm", "imap", "receive", "maildir", "send", "dkim", "limits", "witness"}


def test_every_setting_named_in_a_sentence_exists() -> None:
    known = Config()
    for section, setting in re.findall(r"`\[(\w+)\](?: (\w+))?`", MAIL):
        assert hasattr(getattr(known, section), setting) if setting else hasattr(known, section), (section, setting)


def test_the_postfix_of_the_tests_is_set_up_in_the_same_way() -> None:
    """tests/real/test_postfix.py delivers letters by these settings."""
    (block,) = blocks(MAIL, "postfix")
    ours = postfix._MAIN
    for line in block.splitlines():
        name, _, value = line.partition(" = ")
        assert re.search(rf"^{name} = ", ours, re.MULTILINE), name
        if name == "recipient_delimiter":
            assert f"{name} = {value}\n" in ours
    assert "{ games.example = lmtp:inet:127.0.0.1:8025 }" in block


def test_the_orders_do_what_the_guide_says(tmp_path: Path) -> None:
    known, later = blocks(MAIL, "orders")
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


# ---------------------------------------------------------------- backup.md


BACKUP = (HOME / "docs" / "backup.md").read_text("utf-8")


def test_the_settings_of_the_guide_to_backups_are_read(tmp_path: Path) -> None:
    (block,) = blocks(BACKUP, "toml")
    backup = read(block, tmp_path).backup
    assert (backup.folder, backup.hour, backup.keep) == ("/mnt/backup/referee", 3, 14)


# ---------------------------------------------------------------- hosting.md


HOSTING = (ROOT / "docs" / "hosting.md").read_text("utf-8")


def test_its_conversation_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = blocks(HOSTING, "conversation")
    answers = re.findall(r"^(?:\[.*\])?> ?(.*)$", block, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(setup, "here", lambda: Here("Etc/UTC"))
    monkeypatch.setattr(setup, "reaches_beacon", lambda: False)
    told = CliRunner().invoke(app, ["setup", "--wait", "0"], input="".join(f"{line}\n" for line in answers)).output
    assert told.strip().startswith(block.strip())
    assert "Add to /etc/postfix/main.cf" in told and "Publish in the DNS of games.example" in told
    assert load(tmp_path / "config.toml").receive.protocol == "lmtp"


def test_its_answers_are_read_and_so_are_those_in_its_sentences() -> None:
    (block,) = blocks(HOSTING, "toml answers")
    config = read(config_text(sections(from_file(block, Here()))))
    assert (config.imap.host, config.clock.deadline_hours) == ("imap.fastmail.com", 48.0)
    four = re.compile(r"^way = .*?^password = [^\n]*\n", re.MULTILINE | re.DOTALL)
    postfix, unknown = (re.findall(rf"`((?:{name}) = \"[^`]*)`", HOSTING) for name in ("way|machine", "imap|smtp"))
    assert from_file(four.sub("\n".join(postfix) + "\n", block), Here()).machine == "mail.games.example"
    other = re.sub(r"^provider = .*$", "\n".join(unknown), block, flags=re.MULTILINE)
    mailbox = from_file(other, Here()).mailbox
    assert mailbox is not None and mailbox.smtp.host == "smtp.provider.example"


def test_its_letter_opens_a_match(tmp_path: Path) -> None:
    (letter,) = blocks(HOSTING, "letter")
    world = World(tmp_path)
    (answer,) = world.write("gina@club.example", letter)
    assert "START" in answer.text and "JOIN nw1" in answer.text
    world.close()


def test_the_wheel_is_the_one_of_this_version() -> None:
    named = set(re.findall(r"referee-([\d.]+(?:\.dev\d+)?)-py3-none-any\.whl", HOSTING))
    assert named == {version("referee")}


def test_the_versions_for_hosts_are_whole_and_fit_what_is_asked_for() -> None:
    pinned = dict(line.split("==") for line in FILE.read_text("utf-8").splitlines() if not line.startswith("#"))
    assert pinned.keys() == stands_on().keys(), "make constraints writes them anew"
    needs = (text for text in requires("referee") or () if not re.search(r"extra == .(dev|mutation)", text))
    wishes = [Requirement(text) for text in needs]
    assert len(wishes) > 25
    assert [str(wish) for wish in wishes if pinned[canonicalize_name(wish.name)] not in wish.specifier] == []


# ---------------------------------------------------------------- all pages


PAGES = sorted(path for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")))


def _anchors(page: str) -> set[str]:
    """The names by which a page's headings are linked to."""
    heads = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for target, _, anchor in re.findall(r"\]\((?!https?:|mailto:)([^)#]*)(#?)([^)]*)\)", page.read_text("utf-8")):
        there = (page.parent / target).resolve() if target else page
        assert there.exists(), target
        if anchor and there.suffix == ".md":
            assert anchor in _anchors(there.read_text("utf-8")), (target, anchor)


def test_every_page_is_on_the_map() -> None:
    told = (ROOT / "docs" / "README.md").read_text("utf-8")
    assert [
        page.name for page in (ROOT / "docs").glob("*.md") if f"({page.name})" not in told and page.name != "README.md"
    ] == []


def test_the_page_of_commands_has_every_command_and_option() -> None:
    """`make tables` writes docs/cli.md anew."""
    told = (ROOT / "docs" / "cli.md").read_text("utf-8")

    def missing(command: object, called: str) -> Iterator[str]:
        if isinstance(command, TyperGroup):
            for name, below in command.commands.items():
                yield from missing(below, f"{called} {name}") if not below.hidden else ()
            return
        _, found, part = told.partition(f"## `{called}`\n")
        if not found:
            yield called
        for param in getattr(command, "params", ()):
            for option in param.opts:
                if option.startswith("--") and option != "--help" and f"`{option}" not in part.partition("\n## ")[0]:
                    yield f"{called} {option}"

    assert [*missing(typer.main.get_command(app), "referee")] == []


# ---------------------------------------------------------------- README


_BLOCK = re.compile(r"^```(letter|reply|answer|clock)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _address(name: str) -> str:
    return f"{name.lower()}@example.org"


def _assert_told(mail: Mail, shown: str) -> None:
    """Every paragraph shown stands in the letter, in this order; a line of three dots stands for anything."""
    lines = [f"Subject: {mail.subject}", *mail.text.splitlines()]
    place = 0
    for line in shown.splitlines():
        if line.strip() in ("", "..."):
            continue
        rest = [candidate.rstrip() for candidate in lines[place:]]
        assert line.rstrip() in rest, f"{line!r} is not in the letter {mail.subject!r} after line {place}:\n{mail.text}"
        place += rest.index(line.rstrip()) + 1


@pytest.mark.parametrize(("page", "seed", "answers"), [("README.md", "readme", 6), ("docs/empire-turn.md", "d", 1)])
def test_the_conversation_of_a_page_is_held(page: str, seed: str, answers: int, tmp_path: Path) -> None:
    world = World(tmp_path, seed=seed)
    blocks = _BLOCK.findall((HOME / page).read_text("utf-8"))
    assert len([kind for kind, _, _ in blocks if kind == "answer"]) >= answers
    for number, (kind, about, body) in enumerate(blocks):
        name = about.split()[-1] if about.split() else ""
        if kind == "letter":
            shown = "Was this you?" in blocks[number + 1][2]  # once; the others say YES unseen
            world.write(_address(name), body, says="" if shown else "YES")
        elif kind == "reply":
            world.reply(_address(name), body, confirms=False)
        elif kind == "clock":
            world.wait(hours=float(about.split()[0]))
        else:
            _assert_told(world.last(_address(name)), body)
    world.close()
