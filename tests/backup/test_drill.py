"""The drill: whatever moment the disk is lost at, every match verifies, and what the mailbox still has is done exactly once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.backup.drill import (
    Box,
    ImapBox,
    MaildirBox,
    holds,
    lost_disk,
    plays_on,
    restored_elsewhere,
    who_answers_a_lost_letter_is_told_so,
)
from tests.kill.running import CONFIG, match_begun
from tests.postgresql import Postgresql
from tests.real.conftest import mailserver, user
from tests.real.dovecot import Dovecot
from tests.steady import STEADY

__all__ = ["mailserver", "user"]

LMTP = CONFIG.replace("port = 0\n", 'port = 0\nprotocol = "lmtp"\n')


@pytest.fixture
def template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A service's folder with a match begun in it."""
    monkeypatch.setenv(STEADY, "1")
    folder = match_begun(tmp_path / "template")
    (folder / "config.toml").write_text(LMTP)
    return folder


def drill(folder: Path, template: Path, box: Box, seed: int, lines: int = 9) -> Counter[str]:
    """The disk is lost at one moment; what that came to."""
    folder.mkdir()
    loss = lost_disk(folder, template, box, seed, lines)
    with restored_elsewhere(folder, loss) as (house, ran):
        found = holds(folder, loss, house, ran.said)
        found["told of a lost turn"] += who_answers_a_lost_letter_is_told_so(house)
        plays_on(house)
    return found


def test_a_disk_is_lost_and_what_a_maildir_elsewhere_still_has_is_done_once(tmp_path: Path, template: Path) -> None:
    found = drill(tmp_path / "drill", template, MaildirBox(tmp_path / "box"), 1)
    assert found["letters"] >= 4 and found["boxed"] >= 1, found


@pytest.mark.real
def test_a_disk_is_lost_and_what_a_mailbox_at_a_dovecot_still_has_is_done_once(
    tmp_path: Path, template: Path, mailserver: Dovecot, user: str
) -> None:
    found = drill(tmp_path / "drill", template, ImapBox(mailserver, user, moved=False), 2)
    assert found["letters"] >= 4 and found["boxed"] >= 1, found


@pytest.mark.slow
@pytest.mark.real
def test_the_disk_of_a_postgresql_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgresql: Postgresql
) -> None:
    monkeypatch.setenv(STEADY, "1")
    begun, anew = postgresql.fresh(), postgresql.fresh()
    template, box = match_begun(tmp_path / "template", begun), MaildirBox(tmp_path / "box")
    (template / "config.toml").write_text(LMTP)
    loss = lost_disk(tmp_path, template, box, 3, 12, begun)
    postgresql.drop(begun)
    assert {path.name for path in loss.backup.iterdir()} >= {"database.dump", "config.toml"}
    settings = (loss.backup / "config.toml").read_text().replace(begun, anew)
    with restored_elsewhere(tmp_path, loss, settings, anew) as (house, ran):
        found = holds(tmp_path, loss, house, ran.said)
        plays_on(house)
    assert found["letters"] >= 5, found


@pytest.mark.slow
@pytest.mark.real
def test_fifty_moments(
    tmp_path: Path,
    template: Path,
    mailserver: Dovecot,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    total = Counter[str]()
    for seed in range(50):
        kind = ("marked", "moved", "maildir")[seed % 3]
        name = f"box{50 + seed}"  # nobody else's
        box = MaildirBox(tmp_path / f"box{seed}") if kind == "maildir" else ImapBox(mailserver, name, kind == "moved")
        total += drill(tmp_path / f"drill{seed}", template, box, 100 + seed, lines=24)
    with capsys.disabled():
        print(f"\n50 disks lost: {dict(total)}")
    assert total["in_time"] >= 25 and total["missing"] >= 25 and total["told of a lost turn"] >= 5, total
