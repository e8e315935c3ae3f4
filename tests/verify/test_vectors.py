"""docs/vectors/verify.json: both sides agree with it, and each value in it follows from docs/verify.md."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from referee.adapters.beacon.drand import chain_of
from referee.adapters.signing_key import verify as signature
from referee.config import Chance
from referee.service.house.verification import Checks, verify_archive
from referee.service.match.audit import Verdict
from tests.verify.forging import note_over
from tests.verify.matches import ALL
from tests.verify.node import node, verify
from tests.verify.vectors import FILE, drafted, vectors

_CHECKS = Checks(signature=signature, made=chain_of(Chance()).time_of)
"""With the times at which rounds of the beacon are made."""

HELD: dict[str, Any] = json.loads(FILE.read_text("utf-8"))


def mac(key: str, message: bytes) -> str:
    return hmac.new(bytes.fromhex(key), message, "sha256").hexdigest()


def test_the_file_is_what_the_format_gives() -> None:
    assert vectors() == HELD  # else: python -m tests.verify.vectors


def test_chains_seals_and_roots_are_those_of_the_secret() -> None:
    for chain in HELD["chains"]:
        link = mac(HELD["match_secret"], f"chain/{chain['chain']}".encode())
        for number in range(1024, 0, -1):
            assert chain["links"].get(str(number), link) == link
            link = hashlib.sha256(bytes.fromhex(link)).hexdigest()
        assert chain["anchor"] == link
    for seal in HELD["seals"]:
        assert seal["key"] == mac(seal["secret"], bytes.fromhex(seal["head"] + seal["randomness"]))
    entry = HELD["entry_0"]
    assert entry["salt"] == mac(HELD["match_secret"], b"salt/0")
    covered = bytes.fromhex(entry["salt"]) + entry["payload"].encode()
    assert entry["digest"] == hashlib.sha256(covered).hexdigest()
    leaves = [
        hashlib.sha256(b"\0" + bytes.fromhex(json.loads(line)["hash"])).digest()
        for line in HELD["log.jsonl"].splitlines()[:2]
    ]
    assert HELD["roots"]["2"] == hashlib.sha256(b"\1" + b"".join(leaves)).hexdigest()


def test_both_sides_take_the_vectors_for_sound() -> None:
    node()
    given = {"manifest": HELD["match.json"], "log": HELD["log.jsonl"], "letters": [HELD["note_of_2"]]}
    (found,) = verify([given])
    assert (found["sound"], found["trouble"]) == (True, "")
    assert (found["dice"], found["draws"], found["seals"]) == (13, 3, 3)
    told = {check["what"]: check["found"] for check in found["checks"]}
    assert told["Letters"] == "they fit: 1 signed head"
    assert told["Beacon"] == "the signatures of 1 round are not checked here: 1000"
    parts = (HELD["match.json"].encode(), HELD["log.jsonl"].encode(), b"")
    referee = verify_archive(ALL, *parts, checks=_CHECKS)
    assert (referee.sound, referee.trouble) == (True, "")


def test_both_sides_find_a_round_that_was_opened_before_it_was_made() -> None:
    node()
    early = drafted(opened="2023-08-23T15:59:23.000000+00:00").archived()
    (found,) = verify([early.given()])
    referee = verify_archive(ALL, early.manifest, early.log, early.reports, checks=_CHECKS)
    assert "opened before it was made" in found["trouble"] and "was opened before it was made" in referee.trouble


def test_both_sides_say_that_nothing_has_come_of_a_match_for_long() -> None:
    node()
    (found,) = verify([{"manifest": HELD["match.json"], "log": HELD["log.jsonl"]}])
    assert found["verdict"] == 3 and "never tells its secret" in found["unchecked"][0]
    parts = (HELD["match.json"].encode(), HELD["log.jsonl"].encode(), b"")
    for days, verdict in ((29, Verdict.SOUND), (31, Verdict.PARTLY)):
        now = datetime(2023, 8, 23, 16, tzinfo=UTC) + timedelta(days=days)
        said = verify_archive(ALL, *parts, checks=Checks(signature, lambda *_: True, now=now))
        assert said.verdict is verdict and ("never tells its secret" in str(said.unchecked)) == (days > 30)
    without = verify_archive(ALL, *parts, checks=_CHECKS)
    assert without.verdict is Verdict.PARTLY and "signatures of 1 rounds of the beacon" in without.unchecked[0]


def test_both_sides_follow_the_change_of_keys_of_the_vectors() -> None:
    node()
    manifest = json.dumps(json.loads(HELD["match.json"]) | {"key_changes": [HELD["key_change"]]})
    (found,) = verify([{"manifest": manifest, "log": HELD["log.jsonl"]}])
    assert (found["sound"], found["trouble"]) == (True, "")
    parts = (manifest.encode(), HELD["log.jsonl"].encode(), b"")
    assert verify_archive(ALL, *parts, checks=_CHECKS).sound


def test_every_head_of_the_vectors_is_known_by_a_letter() -> None:
    """A note over the first entries is of this log, however many; with one of them changed it is not."""
    node()
    hashes = [bytes.fromhex(json.loads(line)["hash"]) for line in HELD["log.jsonl"].splitlines()]
    origin = "referee@games.example/v1"
    sizes = range(1, len(hashes) + 1)
    right = [note_over(origin, hashes[:size]) for size in sizes]
    wrong = [note_over(origin, [*hashes[: size - 1], bytes(32)]) for size in sizes]
    given = {"manifest": HELD["match.json"], "log": HELD["log.jsonl"]}
    (good, *bad) = verify([given | {"letters": right}, *(given | {"letters": [note]} for note in wrong)])
    assert good["sound"] and {"that of another log" in found["trouble"] for found in bad} == {True}
