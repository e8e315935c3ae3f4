"""Forged letters against a real `referee serve`: what the person asked answers decides, and nothing else."""

from __future__ import annotations

from email.message import EmailMessage, Message
from email.policy import SMTP

from tests.kill.running import Running
from tests.service.conftest import ANNA, BEN, GINA
from tests.world import ADDRESS

_NUMBER = iter(range(1, 1_000))


def _send(service: Running, sender: str, body: str, to: str = ADDRESS) -> list[Message]:
    """Hand a letter in and wait until everything is answered; what lies in the mailbox of who is named in From."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = sender, to, "orders"
    letter["Message-ID"] = f"<forged-{next(_NUMBER)}@players.example>"
    letter.set_content(body)
    service.send(sender, to, letter.as_bytes(policy=SMTP))
    service.until(
        "an answer",
        lambda: not service.unhandled() and not service.rows("SELECT 1 FROM letter_out WHERE status = 'queued'"),
    )
    return service.mail(sender)


def _questions(letters: list[Message]) -> list[Message]:
    return [letter for letter in letters if "please confirm your letter" in str(letter["Subject"])]


def _status(service: Running) -> object:
    return service.rows("SELECT status FROM match WHERE name = 'nw1'")[0][0]


def _text(letter: Message) -> str:
    part = next(part for part in letter.walk() if part.get_content_type() == "text/plain")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()


def test_a_service_does_not_end_a_match_by_a_forgery_and_its_denial(service: Running) -> None:
    first = _questions(_send(service, GINA, 'TERMINATE nw1 BECAUSE "tired"'))[-1]
    assert '| TERMINATE nw1 BECAUSE "tired"' in _text(first)
    to = str(first["Reply-To"])
    assert len(_questions(_send(service, GINA, "HELP", to))) == 2
    assert len(_questions(_send(service, GINA, "Jestem na urlopie do 3 stycznia.", to))) == 3
    _send(service, ANNA, "YES", to)
    thanks = _send(service, GINA, "No, this is NOT from me! Do nothing!", to)[-1]
    assert "The letter is thrown away" in _text(thanks)
    gone = _send(service, GINA, "YES", to)[-1]
    assert "thrown away already" in " ".join(_text(gone).split())
    assert _status(service) == "running"


def test_a_service_plays_no_turn_by_an_opponents_reply_to_all(service: Running) -> None:
    before = service.rows("SELECT count(*) FROM entry")
    bens = [letter for letter in service.mail(BEN) if "." in str(letter["Reply-To"]).partition("@")[0]][-1]
    _send(service, ANNA, "RESEARCH any\nROLL OUT", str(bens["Reply-To"]))
    assert "answered to all" in " ".join(_text(_questions(service.mail(BEN))[-1]).split())
    assert service.rows("SELECT count(*) FROM entry") == before
