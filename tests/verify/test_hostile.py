"""What somebody may lay before the verifier in JavaScript to break it: it says what is wrong, and soon."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.adapters.signing_key import SigningKey
from tests.sample import few
from tests.verify.forging import (
    FIRST,
    SECOND,
    Draft,
    Folder,
    chain_of,
    change_of,
    key_text,
    note_over,
    sha256,
)
from tests.verify.matches import KEY
from tests.verify.node import SCRIPT, node, verify
from tests.verify.vectors import SECRET, drafted

LONG = 10_000
"""Milliseconds; on a machine of its own nothing here takes a tenth of it."""


def given(folder: Folder) -> dict[str, Any]:
    return folder.archived().given()


def with_first(**fields: Any) -> Callable[[], dict[str, Any]]:
    """The archive of the vectors with other fields in its first entry."""

    def made() -> dict[str, Any]:
        folder = drafted()
        folder.entries[0] |= fields
        return given(folder)

    return made


def with_throw(**fields: Any) -> Callable[[], dict[str, Any]]:
    """With other fields in its first throw; all else fits."""

    def made() -> dict[str, Any]:
        folder = drafted()
        at = folder.events("Rolled")[0]
        record = folder.record(at)
        record["event"] |= fields
        folder.put(at, record)
        return given(folder.rebuilt(dice=False))

    return made


def log_of(log: str, times: int = 1, before: str = "", after: str = "") -> Callable[[], dict[str, Any]]:
    return lambda: given(drafted()) | {"log": before + log * times + after}


def manifest_of(manifest: Any) -> Callable[[], dict[str, Any]]:
    return lambda: given(drafted()) | {"manifest": manifest}


def stated(**fields: Any) -> Callable[[], dict[str, Any]]:
    return lambda: given(drafted()) | {"manifest": json.dumps(drafted().manifest | fields)}


MILLIONS = 50_000_000

HOSTILE: dict[str, Callable[[], dict[str, Any]]] = {
    "nothing": dict,
    "no text": lambda: {"manifest": 7, "log": [], "letters": {}},
    "an empty log": log_of("\n"),
    "match.json that is a list": manifest_of("[]"),
    "match.json that is nested deep": manifest_of("[" * 1_000_000),
    "match.json with objects nested deep": manifest_of('{"a":' * 1_000_000),
    "match.json with other kinds of values": stated(dice=[], key=7),
    "numbers that are too large": stated(entries=10**400),
    "numbers with a point": stated(entries=13.5),
    "a key that is none": stated(key="a+b+c"),
    "a key of another length": stated(key="a+00000000+AQ=="),
    "a note that is none": stated(signed="\n\n"),
    "changes of keys that are no list": stated(key_changes="[]"),
    "changes of keys that are no texts": stated(key_changes=[7]),
    "changes of keys without end": stated(key_changes=["x"] * 100_000),
    "changes of keys without names": stated(key_changes=["change of keys/v1\n\n\n\n\n"] * 50),
    "lines that are nested deep": log_of("[", 5_000_000),
    "lines of brackets in a string": log_of("[", 5_000_000, before='{"match":"'),
    "empty lines": log_of("\n", MILLIONS),
    "lines of nothing": log_of("{}\n", 1_000_000),
    "one long line": log_of("a", MILLIONS, before='{"match":"', after='"}'),
    "a payload that is nested deep": with_first(payload="[" * 1_000_000),
    "a payload that is no object": with_first(payload="7"),
    "a number of an entry that is too large": lambda: (
        given(drafted()) | {"log": given(drafted())["log"].replace('"seq":0', '"seq":1e999', 1)}
    ),
    "half a character": lambda: (
        given(drafted()) | {"log": given(drafted())["log"].replace('"cause":"a draft"', '"cause":"\\ud800"', 1)}
    ),
    "what is no UTF-8": lambda: given(drafted()) | {"log": given(drafted())["log"].replace("lan", "l\ufffdn", 1)},
    "dice of too many sides": with_throw(sides=10**300),
    "dice of no sides": with_throw(sides=0),
    "dice of half a side": with_throw(sides=2.5),
    "faces that are no list": with_throw(faces="666"),
    "faces that are no numbers": with_throw(faces=[[1]]),
    "faces without end": with_throw(faces=[1] * 300_000),
    "a purpose that is none": with_throw(purpose={"toString": 1}),
    "names of what every object has": with_throw(purpose="__proto__", first=5),
}


@cache
def hostile() -> dict[str, dict[str, Any]]:
    """What it says of them all, in one process."""
    return dict(zip(HOSTILE, verify([made() for made in HOSTILE.values()]), strict=True))


@pytest.mark.parametrize("what", HOSTILE)
def test_it_says_what_is_wrong_and_soon(what: str) -> None:
    node()
    found = hostile()[what]
    assert not found["sound"] and found["trouble"].endswith(".") and len(found["trouble"]) < 300
    assert found["took"] < LONG


LETTERS: dict[str, str] = {
    "secrets without end": "Secret 1 of chain 0: " * 100_000,
    "digits without end": "Fingerprint: " + "0" * 2_000_000,
    "digits with blanks": "Secret 1 of chain 0: " + "0 " * 500_000,
    "words of heads without end": ("a/v1 1 " + "A" * 43 + "= ") * 50_000,
    "marks of quoting": "> | " * 1_000_000,
    "tags that do not end": "<html>" + "<p " * 500_000,
    "styles that do not end": "<html>" + "<style>" * 100_000,
    "names of characters": "<html>" + "&#99999999999;&#xd800;&x" * 100_000,
    "parts in parts": "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(10_000)),
    "many parts": "Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\n" * 200_000,
    "a boundary that is a pattern": 'Content-Type: multipart/mixed; boundary="(a+)+$"\n\n--(a+)+$\n\n' + "a" * 100_000,
    "a charset that there is not": "Content-Type: text/plain; charset=no-such\nContent-Transfer-Encoding: base64\n\n4pi6",
    "base64 that is none": "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n=a=b%%%%A",
    "headers without end": "Subject: " + "\n a" * 500_000,
    "letters of a mailbox": "From a Mon 2026\n" * 100_000,
    "the same secret again and again": f"Secret 1 of chain 0: {chain_of(SECRET, 0)[1].hex()}\n" * 30_000,
    "the same head again and again": drafted().manifest["signed"] * 10_000,
    "more than is read": "a" * 30_000_000,
}


CLAIMS = ("digits with blanks", "words of heads without end")
"""These say something of this log that is not so."""


@cache
def hurt() -> dict[str, dict[str, Any]]:
    """What it says of the vectors with each of these letters, in one process."""
    archive = given(drafted())
    return dict(zip(LETTERS, verify([archive | {"letters": [text]} for text in LETTERS.values()]), strict=True))


@pytest.mark.parametrize("what", LETTERS)
def test_letters_that_are_to_hurt_do_not(what: str) -> None:
    node()
    found = hurt()[what]
    assert found["took"] < LONG
    assert found["sound"] == (what not in CLAIMS), found["trouble"]


# ---------------------------------------------------------------- long logs, rounds, witnesses


@pytest.mark.parametrize(("rolls", "ends"), few(1, [(2, 0), (10, 3)]))
def test_a_long_log_is_soon_checked(rolls: int, ends: int) -> None:
    """More seals than a chain has links, and 16,000 entries in the slow runs."""
    node()
    draft = Draft("v1", "2026-11-21T12:00:00.000000+00:00", SECRET)
    for phase in range(1_100):
        draft.begin(f"T{phase}")
        draft.seal()
        for roll in range(rolls):
            draft.roll(f"T{phase}/{roll}", 2, 6)
        for _ in range(ends):
            draft.event("PhaseEnded", key=f"T{phase}", title="")
    (found,) = verify([given(draft.folder())])
    assert (found["sound"], found["trouble"]) == (True, "")
    assert found["dice"] == 2_200 * rolls and found["took"] < LONG


@pytest.mark.parametrize(
    ("field", "value", "trouble"),
    (
        ("round", 999, "the round of the beacon is older than the seal"),
        ("round", 0, "it opens no seal that waits for a round"),
    ),
)
def test_rounds_are_those_that_are_still_to_come(field: str, value: int, trouble: str) -> None:
    node()
    folder = drafted()
    at = folder.records("sealed")[1]
    folder.entries[at]["at"] = "2023-08-23T15:59:23.500000+00:00"
    folder.put(at, folder.record(at) | {field: value})
    (found,) = verify([given(folder.rebuilt())])
    assert found["at"] in (at, at + 1) and trouble in found["trouble"]


def test_a_throw_before_its_round_is_found() -> None:
    node()
    folder = drafted()
    (at,) = folder.records("opened")
    folder.entries.insert(at + 1, folder.entries.pop(at))
    (found,) = verify([given(folder.rebuilt())])
    assert "before the round of the beacon is there" in found["trouble"]


def test_dice_from_before_they_were_sealed_are_counted() -> None:
    node()
    folder = drafted()
    folder.entries[1:] = [entry for entry in folder.entries[1:] if "event" in entry["kind"]]
    folder.manifest["dice"] = {"chain": -1, "link": 0, "secret": ""}
    (found,) = verify([given(folder.rebuilt())])
    assert (found["sound"], found["unsealed"]) == (True, 5) and "before dice were sealed" in str(found["unchecked"])


def test_keys_that_came_in_each_others_place_are_followed() -> None:
    """Heads of all three sign for who has the first letter; for who was told of the second, the first signs nothing."""
    node()
    folder = drafted()
    hashes = [bytes.fromhex(entry["hash"]) for entry in folder.entries]
    heads = [note_over("referee@games.example/v1", hashes[: n + 2], key) for n, key in enumerate((FIRST, SECOND, KEY))]
    told = [f"Subject: [v1] x\n\nKey that signs: {key_text(key)}\n" for key in (FIRST, SECOND)]
    folder.manifest["key_changes"] = [change_of(FIRST, SECOND), change_of(SECOND, KEY)]
    stranger = f"Subject: [v1] x\n\nKey that signs: {key_text(SigningKey('x.example', bytes(32)))}\n"
    letters: tuple[list[str], ...] = ([], heads, [*told, *heads], [told[1], *heads], [told[1], *heads[1:]], [stranger])
    found = verify([given(folder) | {"letters": each} for each in letters])
    assert [one["sound"] for one in found] == [True, True, True, False, True, False]
    assert f"which came in the place of {key_text(FIRST)}, then {key_text(SECOND)}" in str(found[0]["checks"])
    assert "is not signed by the key of this match" in found[3]["trouble"] and "another key" in found[5]["trouble"]
    witnessed = _witnessed(folder).replace(
        folder.manifest["signed"], note_over("referee@games.example/v1", hashes, FIRST)
    )
    checked = verify([given(folder) | {"witnessed": witnessed}, given(drafted()) | {"witnessed": witnessed}])
    assert [one["sound"] for one in checked] == [True, False]


def _witnessed(folder: Folder, name: str = "witness.example", time: int = 1_795_262_400, broken: bool = False) -> str:
    """witnessed.txt as docs/verify.md has it, by a witness of our own."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public = bytes([4]) + key.public_key().public_bytes_raw()
    hash = sha256(f"{name}\n".encode() + public)[:4]
    head = folder.manifest["signed"].partition("\n\n")[0] + "\n"
    signed = key.sign(f"cosignature/v1\ntime {time + broken}\n{head}".encode())
    line = base64.b64encode(hash + time.to_bytes(8) + signed).decode()
    text = f"{name}+{hash.hex()}+{base64.b64encode(public).decode()}"
    return f"Key of the witness: {text}\n\n{folder.manifest['signed']}\N{EM DASH} {name} {line}\n"


def test_heads_that_witnesses_signed_are_checked() -> None:
    node()
    folder = drafted()
    other = drafted()
    other.entries[3]["cause"] = "somebody else"
    other.rebuilt()
    texts = (
        _witnessed(folder),
        _witnessed(folder) + "\n" + _witnessed(folder, "another.example"),
        _witnessed(folder, broken=True),
        _witnessed(other),
        "nonsense",
        _witnessed(folder).partition("\n\n")[0],
    )
    found = verify([given(folder) | {"witnessed": text} for text in texts])
    assert [one["sound"] for one in found] == [True, True, False, False, False, False]
    assert "14 entries by witness.example" in " ".join(check["found"] for check in found[0]["checks"])
    assert ["signed by no witness" in found[2]["trouble"], "of another log" in found[3]["trouble"]] == [True, True]


# ---------------------------------------------------------------- from the command line


def _laid(folder: Folder, at: Path) -> Path:
    archive = folder.archived()
    (at / "match.json").write_bytes(archive.manifest)
    (at / "log.jsonl").write_bytes(archive.log)
    return at


def _run(*words: str) -> tuple[int, str]:
    ran = subprocess.run([node(), str(SCRIPT), *words], capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout or ran.stderr


def test_the_command_says_what_it_checked(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text(drafted().manifest["signed"], "utf-8")
    code, said = _run(str(_laid(drafted(), tmp_path)), "--letters", str(letter))
    assert code == 3 and "Letters: they fit: 1 signed head." in said and "Not checked: the match is not over" in said
    assert "Sound as far as checked. This program never checks: it plays no rules" in said


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    folder = drafted()
    folder.entries[3]["cause"] = "somebody else"
    code, said = _run(str(_laid(folder, tmp_path)))
    assert code == 1 and "Not sound: Entry 3: its hash" in said
    (tmp_path / "log.jsonl").write_bytes(b"\xff\xfe" * 100)
    assert _run(str(tmp_path))[0] == 1


def test_the_command_without_a_folder_says_how_it_is_called(tmp_path: Path) -> None:
    for words in ((), (str(tmp_path), "--letters"), ("--help",), (str(tmp_path / "none"),)):
        code, said = _run(*words)
        assert code == 2 and said.strip(), words
