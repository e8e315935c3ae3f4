"""A disk is destroyed while letters come in and deadlines fall, and the referee is restored elsewhere from its last backup."""

from __future__ import annotations

import json
import random
import re
import shutil
import smtplib
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import Message
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

from referee.adapters.outgoing.postman import mailbox
from referee.mail import bodies
from tests.backup.commands import Ran, backed_up, referee
from tests.kill.running import Killed, Running
from tests.kill.test_kill import Conversation, Line, conversation, ended, never, replays
from tests.real.dovecot import PASSWORD, Dovecot
from tests.service.conftest import GINA, PLAYERS
from tests.standins import read_maildir

_AWAY = timedelta(hours=2)
_TOKEN = re.compile(r"\+nw1\.\w+@")


class Box(Protocol):
    """A mailbox that is not on the disk that is lost."""

    settings: str

    def put(self, raw: bytes) -> None:
        """Lay a letter into it."""
        ...


class MaildirBox:
    """A Maildir on another disk."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, 0
        self.settings = f'[maildir]\npath = "{folder}"\n'
        for part in ("tmp", "new", "cur"):
            (folder / part).mkdir(parents=True)

    def put(self, raw: bytes) -> None:
        """Lay a letter into it."""
        self._count += 1
        name = f"{self._count:06}.drill"
        (self._folder / "tmp" / name).write_bytes(raw)
        (self._folder / "tmp" / name).rename(self._folder / "new" / name)


class ImapBox:
    """A mailbox at a Dovecot, where letters are marked, or moved, once they are taken."""

    def __init__(self, dovecot: Dovecot, user: str, moved: bool) -> None:
        self._dovecot, self._user = dovecot, user
        move = 'move_to = "Taken"\n' if moved else ""
        self.settings = (
            f'[imap]\nhost = "127.0.0.1"\nport = {dovecot.imap}\nsecurity = "none"\nuser = "{user}"\npassword = "{PASSWORD}"\n'
            f"retry_first_seconds = 0.1\n{move}"
        )

    def put(self, raw: bytes) -> None:
        """Lay a letter into it."""
        self._dovecot.save(self._user, raw)


class House(Running):
    """A service that takes letters by LMTP, and whose players' mailboxes are elsewhere."""

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Hand in a letter; returns when it was acknowledged. Raises Killed when it was not."""
        acknowledged = False
        try:
            with smtplib.LMTP("127.0.0.1", self.port, local_hostname="players.example") as lmtp:
                lmtp.sendmail(sender, [recipient], raw)
                acknowledged = True
        except (OSError, smtplib.SMTPException):
            if not acknowledged:
                raise Killed from None

    def mail(self, address: str) -> list[Message]:
        """All letters in a player's mailbox, oldest first."""
        return self.mail_in(self.folder.parent / "players", address)

    @staticmethod
    def mail_in(folder: Path, address: str) -> list[Message]:
        return [message_from_bytes(raw) for raw in read_maildir(mailbox(folder, address))]


class Sent(NamedTuple):
    """A letter that is safe: acknowledged by SMTP, or laid into the mailbox."""

    ident: str
    boxed: bool
    at: datetime


class Talk(Conversation):
    """The lines of players, some by SMTP and some into the mailbox, until the service is dead."""

    def __init__(self, service: Running, box: Box, chance: random.Random, count: int) -> None:
        super().__init__(service, never)
        self._box, self._chance, self._count = box, chance, count
        self.sent: list[Sent] = []

    def lines(self) -> Iterator[tuple[int, Line]]:
        """What is said, in its order."""
        return enumerate(islice(conversation(self.seats, self.order), self._count))

    def say(self, number: int, line: Line) -> None:
        """Say a line; returns when all it led to is done. Raises Killed."""
        if line.minutes:
            self.service.clock.advance(timedelta(minutes=line.minutes))
        else:
            raw, to = self._written(number, line)
            ident, boxed = f"<line{number}@players.example>", self._chance.random() < 0.5
            if boxed:
                self._box.put(raw)
            else:
                self.service.send(line.who, to, raw)
            self.sent.append(Sent(ident, boxed, self.service.clock.now()))
            if boxed:
                self.service.until("it to be taken", lambda: ident in handled(self.service))
        self._quiet()


def handled(service: Running) -> dict[str, Counter[str]]:
    """What became of the letters with each Message-ID."""
    found: dict[str, Counter[str]] = {}
    for raw, status in service.rows("SELECT raw, status FROM letter_in JOIN letter_body ON digest = body"):
        ident = re.search(rb"Message-ID: (<line\d+@players.example>)", raw if isinstance(raw, bytes) else b"")
        if ident:
            found.setdefault(ident[1].decode(), Counter())[str(status)] += 1
    return found


class Loss(NamedTuple):
    """What a drill came to."""

    sent: list[Sent]
    backup: Path
    backed: int
    """How many letters were safe before that began."""
    now: datetime
    in_time: bool
    """Whether it was begun while letters came; else it is the one from before the first."""


def lost_disk(folder: Path, template: Path, box: Box, seed: int, lines: int = 24, database: str = "") -> Loss:
    """Letters come, backups are made meanwhile, and at a moment that only the seed knows the disk is gone."""
    chance = random.Random(seed)
    settings = f'[send]\nmaildir = "{folder / "players"}"\n{box.settings}'
    house = House(folder / "before", template, settings, database)
    talk = Talk(house, box, chance, lines)
    half = lines * 3 // 5
    begins, dies, delay = chance.randrange(half), chance.randrange(half, lines), chance.uniform(0.0, 0.08)
    backups: list[tuple[Path, int]] = [(backed_up(house.folder, folder / "backup0"), 0)]

    def back_up() -> None:
        known = len(talk.sent)
        ran = referee("backup", folder / "backup1", "--config", house.folder / "config.toml")
        if not ran.code:
            backups.append((folder / "backup1", known))
        assert (folder / "backup1").exists() is not ran.code, "it is whole or not there"

    beside = threading.Thread(target=back_up)
    with ended(house):
        try:
            for number, line in talk.lines():
                if number == begins:
                    beside.start()
                if number == dies:
                    threading.Timer(delay, house.kill).start()
                talk.say(number, line)
        except Killed:
            pass
        house.kill()
        house.buried()
    now = house.clock.now()
    while house.folder.exists():
        shutil.rmtree(house.folder, ignore_errors=True)
    beside.join()
    shutil.rmtree(house.folder, ignore_errors=True)  # a backup that had not ended may have made its lock anew
    backup, known = backups[-1]
    return Loss(talk.sent, backup, known, now, len(backups) > 1)


@contextmanager
def restored_elsewhere(folder: Path, loss: Loss, config: str = "", database: str = "") -> Iterator[tuple[House, Ran]]:
    """The referee restored from its last backup on another disk, when everything that is left has been taken; what was said."""
    home = folder / "home"
    home.mkdir()
    House.clock_of(home).set(loss.now + _AWAY)
    if config:
        (home / "config.toml").write_text(config)
    ran = referee("restore", loss.backup, "--config", home / "config.toml")
    assert ran.code == 0, ran.said
    if config:
        (home / "config.toml").write_text(config.partition("[database]")[0])
    house = House(folder / "after", home, database=database)
    with ended(house):
        boxed = {sent.ident for sent in loss.sent if sent.boxed}
        house.until("the mailbox to be read again", lambda: boxed <= handled(house).keys())
        Conversation(house, never)._quiet()
        yield house, ran
        house.stop()


def holds(folder: Path, loss: Loss, house: House, said: str) -> Counter[str]:
    """What must be so after a restore; how many letters were lost, and how many done and not done."""
    began = datetime.fromisoformat(json.loads((loss.backup / "backup.json").read_bytes())["began"])
    assert f"Nothing that came after {began:%Y-%m-%d %H:%M:%S} UTC is in it" in said
    became = handled(house)
    for ident, ends in became.items():
        assert sum(ends.values()) - ends["duplicate"] == 1 and ends.keys() <= {"done", "duplicate"}, (ident, ends)
    missing = [sent for sent in loss.sent if sent.ident not in became]
    assert all(not sent.boxed and sent.at >= began for sent in missing), missing
    assert not {sent.ident for sent in loss.sent[: loss.backed]} & {sent.ident for sent in missing}
    filed = Counter(re.findall(r'"drawer":"([^"]*)".*"letter":"(<line\d+@[^"]*>)"', _log_of(house)))
    assert all(count == 1 for count in filed.values()), filed
    assert _log_of(house).count(f'"action":"RESTORED from the backup of {began:%Y-%m-%dT%H:%M:%SZ}"') == 1
    for address in (*PLAYERS, GINA):
        told = [mail for mail in house.mail(address) if "restored from a backup" in str(mail["Subject"])]
        assert len(told) == 1, address
    return Counter(
        in_time=loss.in_time, letters=len(loss.sent), boxed=sum(sent.boxed for sent in loss.sent), missing=len(missing)
    )


def _log_of(house: House) -> str:
    return "\n".join(str(payload) for (payload,) in house.rows("SELECT payload FROM entry ORDER BY seq"))


def who_answers_a_lost_letter_is_told_so(house: House) -> bool:
    """Somebody answers the last letter he had before the disk was lost; whether it was about a turn that is lost."""
    ((stood,),) = house.rows("SELECT turn FROM match")
    for address in PLAYERS:
        before = [mail for mail in house.mail(address) if "restored from a backup" not in str(mail["Subject"])]
        turns = [
            (int(found[1]), mail)
            for mail in before
            if (found := re.search(r"^<nw1\.t(\d+)\.\d+\.report", str(mail["Message-ID"])))
        ]
        lost = [mail for turn, mail in turns if turn > int(str(stood)) and _TOKEN.search(str(mail["Reply-To"]))]
        if lost:
            to = str(lost[-1]["Reply-To"]).strip("<>").rpartition("<")[2]
            house.send(address, to, f"From: {address}\r\nTo: {to}\r\nMessage-ID: <late@x>\r\n\r\nROLL OUT\r\n".encode())
            house.until("an answer", partial(_is_told, house, address))
            return True
    return False


def _is_told(house: House, address: str) -> bool:
    return any("I was restored from a backup" in _text(mail) for mail in house.mail(address))


def _text(mail: Message) -> str:
    return " ".join(bodies(mail.as_bytes())[0].split())


def plays_on(house: House) -> None:
    """Two more turns are played, and the match is sound."""
    talk = Conversation(house, never)
    ((turn,),) = house.rows("SELECT turn FROM match")
    for number in range(100, 102):
        seat = _on_turn(house)
        raw, to = talk._written(number, Line(talk.seats[seat], "RESEARCH any\nROLL OUT"))
        house.send(talk.seats[seat], to, raw)
        talk._quiet()
    assert house.rows("SELECT turn FROM match") == [(int(str(turn)) + 2,)]
    replays(house)


def _on_turn(house: House) -> str:
    ((key,),) = house.rows(
        "SELECT seat FROM alarm WHERE kind IN ('deadline', 'mind') AND seat <> '' ORDER BY due_at LIMIT 1"
    )
    return str(key)
