"""A third verifier, from docs/verify.md alone: chain, payloads, seals, dice, rounds' times, heads, lines of dice, words laid down.

It shares no code with the referee, and needs the standard library and Ed25519. It plays no rules and checks no round's signature.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections import Counter
from datetime import datetime
from html import unescape
from itertools import accumulate
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LINKS = 1024
BARRED = r"(?m)^[ \t>]*[|\u2502\uff5c].*$"
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{6})?[+]00:00")
GENESIS, PERIOD = 1692803367, 3  # of drand quicknet


class Unsound(Exception):
    """What is not as the page says it must be."""


def need(good: object, why: str) -> None:
    if not good:
        raise Unsound(why)


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, message: str | bytes) -> bytes:
    return hmac.digest(key, message.encode() if isinstance(message, str) else message, "sha256")


def load(text: str | bytes) -> Any:
    """JSON in which no object has a key twice and all numbers are whole."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key stands twice in one object")
        return dict(pairs)

    whole = text if isinstance(text, str) else text.decode()  # a byte order mark is no JSON
    return json.loads(whole, object_pairs_hook=once, parse_float=lambda number: need(False, f"{number} is not whole"))


def outside(kind: str | None, record: Any) -> bool:
    """Whether an entry came from people or the clock, as far as one can tell (4)."""
    if kind in ("answer", "event"):
        return bool(record and (record.get("at") or record.get("event", {}).get("type") in ("Ruled", "Amended")))
    return kind not in (None, "sealed", "opened", "pledged")


class Folder:
    """match.json and log.jsonl, and what is known of them so far."""

    def __init__(self, manifest: bytes, log: bytes) -> None:
        self.about = load(manifest)
        self.entries = [load(line) for line in log.splitlines()]
        self.secret = bytes.fromhex(self.about["secret"])
        self.records: list[Any] = []
        self.chains: list[dict[str, Any]] = []
        self.secrets: dict[tuple[int, int], bytes] = {}
        self.seals: dict[int, Any] = {}
        self.throws: list[tuple[int, Any, Any]] = []
        self.told: list[Any] = []
        self.veiled = False

    def check(self) -> None:
        for part in (self.chain, self.payloads, self.course, self.links, self.dice, self.heads):
            part()

    def chain(self) -> None:
        need(self.entries, "there is no entry")
        before = ""
        for seq, entry in enumerate(self.entries):
            need(entry["seq"] == seq and entry["match"] == self.about["match"], f"entry {seq} is another one")
            need(entry["previous"] == before, f"entry {seq} does not name the one before")
            covered = [entry[name] for name in ("match", "seq", "at", "kind", "cause", "previous", "digest")]
            text = json.dumps(covered, ensure_ascii=False, separators=(",", ":"))
            if entry["kind"] is not None and entry["cause"] is not None:
                need(sha(text.encode()).hex() == entry["hash"], f"the hash of entry {seq}")
            need(MOMENT.fullmatch(entry["at"]) and datetime.fromisoformat(entry["at"]), f"the moment of entry {seq}")
            before = entry["hash"]
        need((self.about["entries"], self.about["head"]) == (len(self.entries), before), "match.json has another head")

    def payloads(self) -> None:
        for seq, entry in enumerate(self.entries):
            self.records.append(load(entry["payload"]) if entry["payload"] is not None else None)
            if self.records[-1] is None:
                need(not self.secret, f"entry {seq} is withheld")
                continue
            salt = mac(self.secret, f"salt/{seq}") if self.secret else bytes.fromhex(entry["salt"])
            need(entry.get("salt") in (None, "", salt.hex()), f"the salt of entry {seq}")
            need(sha(salt + entry["payload"].encode()).hex() == entry["digest"], f"the payload of entry {seq}")
            need(entry["kind"] in (None, self.records[-1]["kind"]), f"the kind of entry {seq}")
        created: Any = self.records[0]
        need(created and created["kind"] == "created", "the log does not begin with the match")
        need(all(created[name] == self.about[name] for name in ("game", "commitment")), "another game or commitment")
        need(self.about["status"] in ("running", "paused", "sealed", "shunted", "over"), "no such status")
        need((self.about["status"] == "over") == bool(self.secret), "the secret is told when the match is over")
        need(not self.secret or sha(self.secret).hex() == created["commitment"], "the secret is another one")
        self.beacon = created.get("beacon", "")

    def course(self) -> None:
        self.number, self.unknown, self.due = 0, 0, False
        self.good: dict[bool, int] = {}
        self.fresh, self.anew = set[int](), set[int]()
        self.alive: list[tuple[int, int]] = []
        self.phase, self.counts, self.hides = "", dict[str, int](), False
        rewinds: dict[int, Any] = {}
        for seq, (entry, record) in enumerate(zip(self.entries, self.records, strict=True)):
            kind = entry["kind"] or (record or {}).get("kind")
            need(not self.due or kind == "pledged", f"a chain is to be pledged at entry {seq}")
            due, self.due = self.due, False
            self.unknown += kind is None
            self.hides |= record is None and kind in ("event", None)
            self.veiled |= record is None and kind in ("event", None)
            if kind == "pledged":
                self.pledged(seq, record or {}, due)
            elif kind == "sealed":
                self.sealed(seq, entry, record)
            elif kind == "opened" and record:
                seal: Any = self.seals.get(record["number"])
                need(seal and seal["round"] and not seal["opened"] and not seal["again"], f"entry {seq} opens nothing")
                seal.update(opened=seq, signature=bytes.fromhex(record["signature"]))
                need(record["signature"] or record["why"], f"entry {seq} says neither round nor why")
            elif kind == "event" and record:
                self.event(seq, record["event"])
            need(kind != "created" or not seq, f"entry {seq} begins the match again")
            if outside(kind, record):
                self.fresh, self.good = set(), {}
            if kind in ("rewound", "renewed"):
                before, self.anew = self.alive, set()
                self.alive = [one for one in before if one[0] <= record["to"]]
                rewinds[seq] = (before, self.phase, self.counts, self.hides) if kind == "rewound" else None
                self.anew = {number for at, number in before if at > record["to"] and kind == "renewed"}
            if kind == "forwarded":
                need(rewinds.get(record["undoes"]), f"entry {seq} undoes no rewind")
                self.anew = set()
                alive, self.phase, counts, self.hides = rewinds[record["undoes"]]
                self.alive, self.counts = list(alive), dict(counts)
            restored = kind == "override" and (record or {}).get("action", "").startswith("RESTORED ")
            self.due = bool(self.chains) and (kind in ("rewound", "forwarded") or restored)

    def pledged(self, seq: int, record: dict[str, Any], due: bool) -> None:
        used = len(self.chains[-1]["opens"]) if self.chains else 0
        need(not self.chains or due or used == LINKS, f"entry {seq}: nobody asked for a chain")
        told = record["chain"], record["links"], bool(record.get("opens"))
        need(told == (len(self.chains), LINKS, bool(used)), f"entry {seq}: no chain in turn")
        self.secrets |= {(len(self.chains) - 1, used): bytes.fromhex(record["opens"])} if used else {}
        self.chains.append({"anchor": record["anchor"], "opens": []})

    def sealed(self, seq: int, entry: dict[str, Any], record: Any) -> None:
        need(self.chains, f"entry {seq}: no chain is pledged")
        seal: dict[str, Any] = {"at": seq, "head": entry["hash"], "opened": 0, "signature": b"", "hidden": True}
        seal |= {"again": 0, "round": 0, "link": 0, "chain": 0, "opens": "", "number": 0}
        if record is None:
            self.number, self.unknown = (self.number, self.unknown + 1) if self.unknown else (self.number + 1, 0)
            self.seals.setdefault(self.number, seal)
            self.good[True] = 0
            return
        seal |= {"hidden": False} | record
        number, again, hidden = seal["number"], seal["again"], seal["hidden"]
        need(self.number < number <= self.number + 1 + self.unknown, f"entry {seq}: the number of the seal")
        self.number, self.unknown = number, 0
        self.seals[number] = seal
        if again:
            first: Any = self.seals.get(again)
            need(first and first is not seal and not first["again"], f"entry {seq}: no such seal")
            need(first["hidden"] == hidden, f"entry {seq}: a key of another kind")
            need(again in self.fresh or again in self.anew, f"entry {seq}: a key that was broken")
        if again or hidden:
            need((seal["chain"], seal["link"], seal["opens"]) == (0, 0, ""), f"entry {seq}: an unused link")
        else:
            opens = self.chains[-1]["opens"]
            need((seal["chain"], seal["link"]) == (len(self.chains) - 1, len(opens) + 1), f"entry {seq}: the link")
            need(opens or seal["opens"] == self.chains[-1]["anchor"], f"entry {seq}: the anchor")
            self.secrets |= {(seal["chain"], seal["link"] - 1): bytes.fromhex(seal["opens"])} if opens else {}
            opens.append(seal["opens"])
        self.fresh.add(again or number)
        self.alive.append((seq, again or number))
        self.good[hidden] = again or number

    def event(self, seq: int, event: dict[str, Any]) -> None:
        if event["type"] == "PhaseBegan":
            self.phase, self.counts, self.good, self.hides = event["key"], {}, {}, False
        if event["type"] not in ("Rolled", "Drawn"):
            return
        purpose, first, faces = event["purpose"], event.get("first", 0), event["faces"]
        count = self.counts.get(purpose, 0)
        need(first >= count if self.hides else first == count, f"entry {seq}: dice that were thrown before")
        need(purpose.startswith(f"{self.phase}/"), f"entry {seq}: dice of another phase")
        self.counts[purpose] = first + len(faces)
        self.told += [event] if event["type"] == "Rolled" else []
        number = self.good.get(event.get("seen_by") is not None)
        need(number is not None or not self.chains, f"entry {seq}: dice under no seal")
        if number:
            seal = self.seals[number]
            need(not seal["round"] or seal["opened"], f"entry {seq}: dice that did not wait for their round")
            self.throws.append((seq, event, seal))

    def links(self) -> None:
        told = self.about.get("dice") or {"link": 0}
        used = len(self.chains[-1]["opens"]) if self.chains else 0
        if told["link"]:
            need(told["chain"] == len(self.chains) - 1 and used - 1 <= told["link"] <= used, "the last secret")
            self.secrets[told["chain"], told["link"]] = bytes.fromhex(told["secret"])
        need(told["link"] or used < 2, "no secret of the dice is told")
        for (number, at), secret in self.secrets.items():
            need(sha(secret).hex() == self.chains[number]["opens"][at - 1], f"secret {at} of chain {number}")
        for number, chain in enumerate(self.chains) if self.secret else ():
            link = mac(self.secret, f"chain/{number}")
            for at in range(LINKS, 0, -1):
                self.secrets[number, at], link = link, sha(link)
                need(at > len(chain["opens"]) or link.hex() == chain["opens"][at - 1], f"link {at} of chain {number}")
            need(link.hex() == chain["anchor"], f"the anchor of chain {number}")

    def dice(self) -> None:
        for seal in self.seals.values():
            if seal["round"]:
                need(self.beacon, "a round of no beacon")
                sealed, opened = (datetime.fromisoformat(self.entries[seal[n]]["at"]) for n in ("at", "opened"))
                made = GENESIS + (seal["round"] - 1) * PERIOD
                need(sealed.timestamp() < made, f"entry {seal['at']}: its round was made already")
                need(not seal["signature"] or opened.timestamp() >= made, "a round opened before it was made")
        for seq, event, seal in self.throws:
            if seal["hidden"] and not self.secret:
                continue
            link = (
                mac(self.secret, "hidden") if seal["hidden"] else self.secrets.get((seal["chain"], seal["link"]), b"")
            )
            need(link, f"entry {seq}: the secret of its dice is not told")
            randomness = sha(seal["signature"]) if seal["round"] and seal["signature"] else b""
            key = mac(link, bytes.fromhex(seal["head"]) + randomness)
            for k, shown in enumerate(event["faces"]):
                sides = event["sides"] if event["type"] == "Rolled" else event["held"] - k
                need(sides >= 1, f"entry {seq}: no sides")
                need(face(key, event["purpose"], event.get("first", 0) + k, sides) == shown, f"entry {seq}: die {k}")

    def heads(self) -> None:
        if not (self.about.get("key") or self.about.get("signed")):
            return
        keys: list[str] = []
        for change in self.about.get("key_changes") or []:
            kind, old, new = change.partition("\n\n")[0].split("\n")
            need(kind == "change of keys/v1" and signed(change, old) and signed(change, new), "a change of keys")
            need(new not in keys and old != new and keys[-1:] in ([], [old]), "the order of the keys")
            keys += [new] if keys else [old, new]
        need(keys[-1:] in ([], [self.about["key"]]), "the keys do not lead to the one that signs")
        origin, size, root = self.about["signed"].partition("\n\n")[0].split("\n")
        need(origin.endswith(f"/{self.about['match']}") and size == str(len(self.entries)), "another signed head")
        hashes = [bytes.fromhex(entry["hash"]) for entry in self.entries]
        need(base64.b64decode(root) == tree(hashes), "the signed head is of another log")
        need(signed(self.about["signed"], self.about["key"]), "the signature of the head")

    def words(self, text: str, reports: bytes) -> None:
        lines = re.sub(BARRED, "", text).splitlines()
        plain = [bare(line.lstrip(" \t>")) for line in lines]
        salt = re.search(r"Salt of this report:[\s>]*([0-9a-f]{64})", "\n".join(lines))
        end = next((n for n, line in enumerate(plain) if line.startswith("proofofthedice")), 0)
        said, named = "".join(plain[:end]), f"thisismatch{bare(self.about['match'])}"
        if named not in said or re.search(r"sendreportturn\d+bringsthereport", said):
            return
        head, _, after = said.partition(named)
        seats = sorted(self.records[0]["seats"], key=len, reverse=True)
        seat = next((seat for seat in seats if after.startswith(f"youplay{bare(seat)}")), "")
        below = len(head + named + (f"youplay{bare(seat)}" if seat else ""))
        if not salt:
            laid = (
                r for r in map(load, reports.splitlines()) if bare(r["title"]) in head and r.get("told", {}).get(seat)
            )
            need(not any(laid), "a letter does not have the salt of the digest that was laid down of its words")
            return
        ends = [at for at in accumulate(map(len, plain[:end])) if at >= below]
        good = set[str]()
        for report in map(load, reports.splitlines()):
            own = mac(self.secret, f"told/{report['turn']}/{report['epoch']}/{seat}").hex() if self.secret else salt[1]
            if bare(report["title"]) in head and own == salt[1]:
                good |= {*report.get("told", {}).get(seat, "").split()}
        tried = (said[below:one] + said[two:] for one in (below, *ends[:8]) for two in ends if two >= one)
        fits = any(sha(bytes.fromhex(salt[1]) + words.encode()).hex() in good for words in tried)
        need(fits, "a letter has other words than those whose digest is in reports.jsonl")

    def forms(self, text: str, html: str) -> None:
        """The HTML of a report says what its plain text says; tables may be folded there, or broken in several."""
        cut = re.sub(r'(?s)<(style|a\b[^<>]*href="mailto|span\b[^<>]*display: ?none).*?</(style|a|span)>', " ", html)
        lines = re.sub(r"<[^<>]*>", " ", re.sub(r"<(br|/?(p|div|li|tr|h\d|pre|ul|table))\b[^<>]*>", "\n", cut))
        shown, named = bare(re.sub(BARRED, "", unescape(lines))), f"thisismatch{bare(self.about['match'])}"
        shown = shown[shown.find(named) : shown.find("proofofthedice")]
        said = re.sub(r"(?s)\nProof of the dice.*", "", text)
        if "Salt of this report" not in text or named not in bare(said):
            return
        blocks = re.split(r"\n[ \t>]*(?=\n)", said)
        first = next(n for n, block in enumerate(blocks) if named in bare(block))
        tables: list[str] = []
        for block in (*blocks[first:], ""):
            words = bare(block)[bare(block).find(named) if block is blocks[first] else 0 :]
            if re.search(BARRED, block):
                shown = shown.removeprefix(words)
            elif re.search(r"\S {2,}\S", block):
                tables.append(block)
            else:
                whole = bare("\n".join(tables))
                at = len(whole) if shown.startswith(words, len(whole)) else shown.find(words)
                between = shown[:at] if words else shown
                rows = [list(map(bare, re.split(" {2,}", row.strip()))) for row in "\n".join(tables).splitlines()]
                folded = any(re.search(r"(?m)^ {2,}\S", one) for one in tables)
                there = all(cell in between for row in rows for cell in (row if folded else ["".join(row[1:])]))
                size = len(tables) > 1 or (folded and len(between) == len(whole))
                alike = between == whole or (there and size and not Counter(between) - Counter(whole))
                need(at >= 0 and alike, f"a letter says something else in HTML: {block[:80]}")
                shown, tables = shown[at + len(words) :], []

    def letter(self, text: str) -> None:
        own = " ".join(re.sub(BARRED, "", text).split())
        for line in re.finditer(r"\b(\d+)d(\d+) = (\d+(?: (?:\+ )?\d+)*)", own):
            before, count = own[: line.start()].rstrip(": "), int(line[1])
            found = [throw for throw in self.told if before.endswith(" ".join(throw["why"].split()))]
            faces = [int(one) for one in re.findall(r"\d+", line[3])][:count]
            same = any((t["sides"], t["faces"]) == (int(line[2]), faces) for t in found)
            need(same or (self.veiled and not found), f"a letter tells of dice that were not thrown: {line[0]}")


def bare(text: str) -> str:
    signs = re.sub(r"(?<=[(\s])[+\u2212-](?=[0-9])", lambda sign: "plus" if sign[0] == "+" else "minus", f" {text}")
    return re.sub(r"[\W_]+", "", signs).lower()


def face(key: bytes, purpose: str, index: int, sides: int) -> int:
    attempt = 0
    while (x := int.from_bytes(mac(key, f"0/{purpose}/{index}/{attempt}"), "big")) >= 2**256 - 2**256 % sides:
        attempt += 1
    return x % sides + 1


def tree(hashes: list[bytes]) -> bytes:
    if len(hashes) == 1:
        return sha(b"\0" + hashes[0])
    half = 1 << ((len(hashes) - 1).bit_length() - 1)
    return sha(b"\1" + tree(hashes[:half]) + tree(hashes[half:]))


def signed(note: str, key: str) -> bool:
    text, _, below = note.rpartition("\n\n")
    name, hash, public = key.split("+", 2)
    data = base64.b64decode(public, validate=True)
    need(data[0] == 1 and sha(f"{name}\n".encode() + data)[:4].hex() == hash, "the hash of a key")
    own = [line.split(" ")[2] for line in below.splitlines() if line.split(" ")[1:2] == [name]]
    mine = [value for line in own if (value := base64.b64decode(line, validate=True))[:4].hex() == hash]
    try:
        for value in mine:
            Ed25519PublicKey.from_public_bytes(data[1:]).verify(value[4:], f"{text}\n".encode())
    except InvalidSignature:
        return False
    return bool(mine)


def trouble(manifest: bytes, log: bytes, letters: tuple[str | tuple[str, str], ...] = (), reports: bytes = b"") -> str:
    """What is not as it must be, "" for nothing. A letter is its plain text, or that and its HTML."""
    try:
        folder = Folder(manifest, log)
        folder.check()
        for one in letters:
            text, html = (one, "") if isinstance(one, str) else one
            folder.letter(text)
            if reports:
                folder.words(text, reports)
            if html:
                folder.forms(text, html)
    except Unsound as found:
        return str(found)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError) as found:
        return f"it cannot be read: {type(found).__name__}: {found}"
    return ""
