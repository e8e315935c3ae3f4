"""Archives rewritten by somebody who knows the secret of the match and has its key: all fits but for what he changed.

Written from docs/verify.md, as the verifier in JavaScript is: what it rebuilds unchanged is the archive byte for byte.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from referee.adapters.signing_key import SigningKey
from tests.verify.matches import KEY, Archived

LINKS = 1024
Json = dict[str, Any]


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, message: str | bytes) -> bytes:
    return hmac.digest(key, message.encode() if isinstance(message, str) else message, "sha256")


def compact(value: Any) -> str:
    """JSON without blanks; nothing is escaped but what must be."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@cache
def chain_of(secret: bytes, chain: int) -> tuple[bytes, ...]:
    """All links, from 0, which is the anchor."""
    links = [mac(secret, f"chain/{chain}")]
    for _ in range(LINKS):
        links.append(sha256(links[-1]))
    return tuple(reversed(links))


def face(key: bytes, purpose: str, index: int, sides: int) -> int:
    attempt = 0
    while (x := int.from_bytes(mac(key, f"0/{purpose}/{index}/{attempt}"), "big")) >= 2**256 - 2**256 % sides:
        attempt += 1
    return x % sides + 1


def root_of(hashes: list[bytes]) -> bytes:
    """RFC 9162, word for word."""
    if len(hashes) == 1:
        return sha256(b"\0" + hashes[0])
    half = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\1" + root_of(hashes[:half]) + root_of(hashes[half:]))


def note_over(origin: str, hashes: list[bytes], key: SigningKey = KEY) -> str:
    """A signed head."""
    return note_of(f"{origin}\n{len(hashes)}\n{base64.b64encode(root_of(hashes)).decode()}\n", key)


def change_of(old: SigningKey, new: SigningKey, by: SigningKey | None = None) -> str:
    """The note by which a key comes in the place of another; `by` signs in the place of the old one."""
    text = f"change of keys/v1\n{key_text(old)}\n{key_text(new)}\n"
    return note_of(text, old, by) + note_of(text, new).rpartition("\n\n")[2]


def note_of(text: str, key: SigningKey = KEY, by: SigningKey | None = None) -> str:
    """A signed note."""
    signature = key_hash(key) + (by or key).sign(text.encode())
    return f"{text}\n\N{EM DASH} {key.name} {base64.b64encode(signature).decode()}\n"


def key_hash(key: SigningKey = KEY) -> bytes:
    return sha256(f"{key.name}\n".encode() + b"\1" + key.public)[:4]


def key_text(key: SigningKey = KEY) -> str:
    return f"{key.name}+{key_hash(key).hex()}+{base64.b64encode(bytes([1]) + key.public).decode()}"


FIRST, SECOND = (SigningKey(KEY.name, sha256(bytes([number]))) for number in (1, 2))
"""The keys before KEY, where it came in their place."""


@dataclass
class Folder:
    """match.json and log.jsonl, taken apart."""

    manifest: Json
    entries: list[Json]
    was: Archived

    @staticmethod
    def of(archive: Archived) -> Folder:
        return Folder(json.loads(archive.manifest), [json.loads(line) for line in archive.log.splitlines()], archive)

    def record(self, at: int) -> Json:
        found: Json = json.loads(self.entries[at]["payload"])
        return found

    def put(self, at: int, record: Json) -> None:
        self.entries[at]["payload"] = compact(record)

    def records(self, kind: str) -> list[int]:
        """The entries of this kind that are shown."""
        return [entry["seq"] for entry in self.entries if entry["kind"] == kind and entry["payload"]]

    def events(self, *types: str) -> list[int]:
        return [at for at in self.records("event") if self.record(at)["event"]["type"] in types]

    def archived(self) -> Archived:
        log = "".join(compact(entry) + "\n" for entry in self.entries)
        return replace(self.was, manifest=compact(self.manifest).encode(), log=log.encode())

    def rebuilt(self, dice: bool = True) -> Folder:
        """Everything anew after a change: numbers, digests, hashes, what dice show, and the signed head."""
        previous, keys = "", _Keys(self.was.secret)
        for seq, entry in enumerate(self.entries):
            entry["seq"], entry["previous"] = seq, previous
            record = json.loads(entry["payload"]) if entry["payload"] else {}
            if dice and keys.throw(record.get("event", {})):
                entry["payload"] = compact(record)
            if record:
                salt = mac(self.was.secret, f"salt/{seq}")
                entry |= {"salt": salt.hex()} if "salt" in entry else {}
                entry["digest"] = sha256(salt + entry["payload"].encode()).hex()
            names = ("match", "seq", "at", "kind", "cause", "previous", "digest")
            entry["hash"] = previous = sha256(compact([entry[name] for name in names]).encode()).hex()
            keys.follow(record, bytes.fromhex(previous))
        self.manifest |= {"entries": len(self.entries), "head": previous}
        if self.manifest["signed"]:
            origin = self.manifest["signed"].partition("\n")[0]
            self.manifest["signed"] = note_over(origin, [bytes.fromhex(entry["hash"]) for entry in self.entries])
        return self


class _Keys:
    """The keys of seals, as one goes through a log."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._made: dict[int, bytes] = {}
        self._waiting: dict[int, tuple[bytes, bytes]] = {}
        self._good: dict[bool, int] = {}

    def follow(self, record: Json, hash: bytes) -> None:
        """A record and the hash of its entry."""
        if record.get("event", {}).get("type") == "PhaseBegan":
            self._good = {}
        elif record.get("kind") == "sealed":
            hidden, number, link = record["hidden"], record["number"], min(record["link"], LINKS)
            secret = mac(self._secret, "hidden") if hidden else chain_of(self._secret, record["chain"])[link]
            if record["round"]:
                self._waiting[number] = secret, hash
            self._made.setdefault(number, mac(secret, hash))
            self._good[hidden] = record["again"] or number
        elif record.get("kind") == "opened" and record["number"] in self._waiting:
            secret, head = self._waiting[record["number"]]
            self._made[record["number"]] = mac(secret, head + sha256(bytes.fromhex(record["signature"])))

    def throw(self, event: Json) -> bool:
        """Let the dice of an event show what they must; whether it has any."""
        key = self._made.get(self._good.get(event.get("seen_by") is not None, 0))
        if key is None or event.get("type") not in ("Rolled", "Drawn"):
            return False
        count = len(event["faces"])
        sides = [event["sides"]] * count if "sides" in event else [event["held"] - k for k in range(count)]
        event["faces"] = [face(key, event["purpose"], event["first"] + k, n) for k, n in enumerate(sides)]
        return True

    def key(self, number: int) -> bytes:
        """The key of a seal."""
        return self._made[number]


class Draft:
    """A log written line by line, of a match that is played."""

    def __init__(self, match: str, at: str, secret: bytes, beacon: str = "") -> None:
        self._match, self.at, self._secret = match, at, secret
        self._numbers, self._chain, self._link = 0, -1, 0
        self.entries: list[Json] = []
        created = {"game": "newworld", "seats": ["England", "Spain"], "options": {}, "wishes": [[], []]}
        self.add("created", **created, commitment=sha256(secret).hex(), beacon=beacon)
        self.pledge()

    def add(self, kind: str, **fields: Any) -> None:
        """A record."""
        entry = {"match": self._match, "seq": 0, "at": self.at, "kind": kind, "payload": ""}
        entry |= {"cause": "a draft", "previous": "", "digest": "", "hash": "", "salt": ""}
        self.entries.append(entry | {"payload": compact({"kind": kind} | fields)})

    def event(self, type: str, **fields: Any) -> None:
        self.add("event", event={"type": type} | fields)

    def begin(self, key: str) -> None:
        """A phase."""
        self.event("PhaseBegan", key=key, title=key, revision=1, build="", version="")

    def pledge(self) -> None:
        opens = chain_of(self._secret, self._chain)[self._link].hex() if self._link else ""
        self._chain, self._link = self._chain + 1, 0
        anchor = chain_of(self._secret, self._chain)[0].hex()
        self.add("pledged", chain=self._chain, anchor=anchor, links=LINKS, opens=opens)

    def seal(self, round: int = 0) -> int:
        """The next link; its number."""
        if self._link == LINKS:
            self.pledge()
        self._numbers, self._link = self._numbers + 1, self._link + 1
        opens = chain_of(self._secret, self._chain)[self._link - 1].hex()
        place = {"number": self._numbers, "chain": self._chain, "link": self._link, "opens": opens}
        self.add("sealed", **place, round=round, hidden=False, again=0)
        return self._numbers

    def again(self, number: int) -> None:
        """A seal that has the key of the one of this number."""
        self._numbers += 1
        place: Json = {"number": self._numbers, "chain": 0, "link": 0, "opens": ""}
        self.add("sealed", **place, round=0, hidden=False, again=number)

    def renew(self, to: int) -> None:
        """All after this entry is played anew by mended rules."""
        self.add("renewed", to=to, revision=2, build="mended", version="0.2.1")

    def roll(self, purpose: str, count: int, sides: int, first: int = 0) -> None:
        rule: Json = {"why": purpose, "by_rule": "nw.event.check", "sides": sides, "faces": [1] * count}
        self.event("Rolled", purpose=purpose, **rule, first=first, seen_by=None)

    def draw(self, purpose: str, count: int, held: int) -> None:
        bag: Json = {"why": purpose, "by_rule": "nw.r1", "bag": "a bag", "items": ["x"] * count}
        self.event("Drawn", purpose=purpose, **bag, first=0, seen_by=None, held=held, faces=[1] * count)

    def folder(self) -> Folder:
        """All of it with its hashes and its dice, signed."""
        secret = chain_of(self._secret, self._chain)[self._link].hex() if self._link else ""
        told = {"chain": self._chain, "link": self._link, "secret": secret}
        stated: Json = {"match": self._match, "game": "newworld", "status": "running", "options": {}}
        stated |= {"commitment": sha256(self._secret).hex(), "secret": "", "entries": 0, "head": ""}
        by = {"version": "0.2.0", "format": 1, "rules": {}}
        signed = f"referee@games.example/{self._match}\n"
        manifest = stated | {"by": by, "dice": told, "signed": signed, "key": key_text()}
        return Folder(manifest, self.entries, Archived(b"", b"", b"", self._secret)).rebuilt()
