"""Keys are put in each other's place at the machine: what is printed, what signs when, and what a reader of letters finds."""

from __future__ import annotations

import json
import re
import shlex
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dkim
import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest
from typer.testing import CliRunner

from referee.adapters.dkim import dkim_record, new_dkim_key, signature
from referee.adapters.files import Unusable
from referee.adapters.signing_key import verify
from referee.bootstrap.offices import opened
from referee.config import load
from referee.core.signed_note import lineage
from referee.doctor import examine
from referee.service.match.open_log import key_text, our_key
from tests.commands import app

RUN = CliRunner()
LETTER = (
    b"From: Referee <referee@games.example>\r\nTo: anna@players.example\r\nSubject: turn 5\r\n\r\nYou owe orders.\r\n"
)


class Names:
    """A name server for TXT records, spoken to by real packets."""

    def __init__(self) -> None:
        self.records: dict[str, list[str]] = {}
        self.broken = False
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def publish(self, line: str) -> None:
        """Take a line of a zone file."""
        name, kind, *strings = shlex.split(line)
        assert kind == "TXT" and all(len(string) <= 255 for string in strings)
        self.records[name] = strings

    def ask(self, name: bytes, timeout: int = 5) -> bytes:
        """As dkimpy asks."""
        return "".join(self.records.get(name.decode(), ())).encode()

    def _serve(self) -> None:
        while True:
            packet, client = self._socket.recvfrom(4096)
            if packet == b"end":
                return
            question = dns.message.from_wire(packet)
            answer = dns.message.make_response(question)
            answer.flags |= dns.flags.RA
            name = str(question.question[0].name)
            strings = self.records.get(name, [])
            answer.set_rcode(
                dns.rcode.SERVFAIL if self.broken else dns.rcode.NOERROR if strings else dns.rcode.NXDOMAIN
            )
            if strings and not self.broken:
                text = " ".join(f'"{string}"' for string in strings)
                answer.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", text))
            self._socket.sendto(answer.to_wire(), client)

    def close(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"end", ("127.0.0.1", self.port))
        self._thread.join()
        self._socket.close()


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Iterator[Names]:
    server = Names()
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], server.port
    monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
    yield server
    server.close()


class House:
    """Settings that sign letters by the key `post`, and the commands."""

    def __init__(self, folder: Path, names: Names) -> None:
        self.folder, self.settings = folder, folder / "config.toml"
        self.settings.write_text(
            '[referee]\naddress = "referee@games.example"\n[dkim]\nselector = "post"\nkey_file = "dkim.pem"\n'
        )
        pem = new_dkim_key()
        (folder / "dkim.pem").write_bytes(pem)
        record = dkim_record(pem)
        names.records["post._domainkey.games.example."] = [record[:255], record[255:]]

    def __call__(self, *words: str, code: int = 0) -> str:
        ran = RUN.invoke(app, [*words, "--config", str(self.settings)], env={"COLUMNS": "300"})
        assert ran.exit_code == code, ran.output
        return ran.output

    def json(self, *words: str) -> Any:
        return json.loads(self(*words, "--json"))


@pytest.fixture
def house(tmp_path: Path, names: Names) -> House:
    return House(tmp_path, names)


def selector(letter: bytes) -> str:
    found = re.search(rb"\bs=([a-z0-9-]+);", letter)
    assert found is not None
    return found[1].decode()


def test_a_new_key_signs_when_its_record_is_published_and_the_old_one_still_verifies(
    house: House, names: Names
) -> None:
    sign = signature(load(house.settings))
    before = sign(LETTER)
    said = house("keys", "rotate", "dkim")
    (line,) = [line for line in said.splitlines() if " TXT " in line]
    name = line.split()[0]
    assert re.fullmatch(r"post-\d{8}\._domainkey\.games\.example\.", name)
    assert selector(sign(LETTER)) == "post" and "post signs as before" in said

    refused = house("keys", "rotate", "dkim", code=1)
    assert f"There is no TXT record at {name[:-1]} yet. Nothing has changed: post signs." in refused
    names.records[name] = ["v=DKIM1; p=AAAA"]
    assert "is another one" in house("keys", "rotate", "dkim", code=1)
    names.broken = True
    assert "could not be looked up" in house("keys", "rotate", "dkim", code=1)
    names.broken = False
    assert selector(sign(LETTER)) == "post"

    names.publish(line)
    assert "Leave the record of post in DNS until" in house("keys", "rotate", "dkim")
    after = sign(LETTER)
    assert selector(after) == name.partition(".")[0]
    assert dkim.verify(before, dnsfunc=names.ask) and dkim.verify(after, dnsfunc=names.ask)
    assert selector(signature(load(house.settings))(LETTER)) == selector(after)


def test_who_knows_that_the_record_is_there_need_not_have_it_looked_up(house: House, names: Names) -> None:
    first = house.json("keys", "rotate", "dkim")
    done = house.json("keys", "rotate", "dkim", "--publish-checked")
    assert (done["signs"], done["old"], first["signs"]) == (first["waits"], "post", "post")
    folder = house.folder / "var" / "dkim"
    assert [path.name for path in folder.glob("*.pem")] == [f"{first['waits']}.pem"]
    assert {oct(path.stat().st_mode & 0o777) for path in folder.glob("*.pem")} == {"0o600"}
    second = house.json("keys", "rotate", "dkim")
    assert second["waits"] == f"{first['waits']}-2"
    house.json("keys", "rotate", "dkim", "--publish-checked")
    assert [path.name for path in folder.glob("*.pem")] == [f"{second['waits']}.pem"], "the private key before is gone"
    shown = house.json("keys", "show")["dkim"]
    assert (shown["signs"], shown["waits"], set(shown["old_until"])) == (second["waits"], [], {"post", first["waits"]})
    assert "stays in DNS until" in house("keys", "show")


def test_the_doctor_names_the_key_that_signs_and_what_waits(house: House) -> None:
    def said() -> str:
        return next(finding for finding in examine(load(house.settings)) if finding.what == "dkim").sentence

    assert said() == "Letters are signed by post of games.example."
    house("keys", "rotate", "dkim")
    assert "A newer key waits for its DNS record" in said()
    house("keys", "rotate", "dkim", "--publish-checked")
    assert said().startswith("Letters are signed by post-2")
    kept = house.folder / "var" / "dkim" / "keys.json"
    kept.write_text(re.sub(r'"since": "\d{4}', '"since": "2020', kept.read_text()))
    assert said().endswith("The DNS record of post may go.")


def test_other_settings_begin_anew_and_a_house_that_signs_nothing_says_so(house: House) -> None:
    house("keys", "rotate", "dkim")
    house("keys", "rotate", "dkim", "--publish-checked")
    text = house.settings.read_text()
    house.settings.write_text(text.replace('"post"', '"letters"'))
    assert selector(signature(load(house.settings))(LETTER)) == "letters"
    house.settings.write_text(text.replace('"post"', '""'))
    assert "[dkim] names no selector" in house("keys", "rotate", "dkim", code=1)
    assert "No letter is signed" in house("keys", "show")


# ---------------------------------------------------------------- the key that signs heads of logs


def test_a_new_key_for_heads_is_taken_up_by_the_next_start_with_the_way_to_it(house: House) -> None:
    ran = RUN.invoke(app, ["keys", "rotate", "signing", "--config", str(house.settings)])
    assert isinstance(ran.exception, Unusable) and "There is no key at" in str(ran.exception)
    with opened(load(house.settings)) as office:
        first = key_text(office)
        assert office.key_changes == () and house.json("keys", "show")["signing"] == {"signs": first, "old": []}
        told = house.json("keys", "rotate", "signing")
        assert key_text(office) == first == told["old"]
    with opened(load(house.settings)) as office:
        assert key_text(office) == told["signs"] != first
        (change,) = office.key_changes
        assert lineage(our_key(office), [change], verify) is not None
    assert "Before it signed" in house("keys", "show") and "next report" in house("keys", "rotate", "signing")
    assert len(house.json("keys", "show")["signing"]["old"]) == 2


def test_a_file_that_cannot_be_read_keeps_no_letter_back(house: House, caplog: pytest.LogCaptureFixture) -> None:
    sign = signature(load(house.settings))
    folder = house.folder / "var" / "dkim"
    folder.mkdir(parents=True)
    (folder / "keys.json").write_text("nonsense")
    assert selector(sign(LETTER)) == "post" and "the key that signs letters stays the same" in caplog.text
