"""Fifty ways in which somebody may have laid hand on an archive: careless ones, and such as rebuild all that they can."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from referee.adapters.signing_key import SigningKey
from tests.verify.forging import FIRST, SECOND, Folder, change_of, note_over, sha256
from tests.verify.matches import KEY

Tamper = Callable[[Folder], Folder]

RUNNING, OVER = "newworld, played on", "newworld, over"
HIDDEN = "war27 hidden_victory yes, decisions interactive, over"
AGAIN = "empire, part 4"
FORWARDED = "newworld, forwarded"
RESTORED = "newworld, restored and played on"

_OTHER = "0123456789abcdef" * 4


def _field(name: str, value: Any, at: int, folder: Folder) -> Folder:
    folder.entries[at][name] = value
    return folder


def _stated(name: str, value: Any, folder: Folder) -> Folder:
    """A field of match.json, or one below it."""
    place, _, last = name.rpartition(".")
    (folder.manifest[place] if place else folder.manifest)[last] = value
    return folder


def _written(kind: str, which: int, folder: Folder, /, dice: bool = True, **fields: Any) -> Folder:
    """Other fields in the record of a kind, and everything after it anew."""
    at = folder.records(kind)[which]
    folder.put(at, folder.record(at) | fields)
    return folder.rebuilt(dice)


def _thrown(type: str, which: int, folder: Folder, /, **fields: Any) -> Folder:
    at = folder.events(type)[which]
    record = folder.record(at)
    record["event"] |= fields
    folder.put(at, record)
    return folder.rebuilt(dice=False)


def _face(which: int, rebuilt: bool, folder: Folder) -> Folder:
    at = folder.events("Rolled")[which]
    record = folder.record(at)
    record["event"]["faces"][0] = record["event"]["faces"][0] % record["event"]["sides"] + 1
    folder.put(at, record)
    return folder.rebuilt(dice=False) if rebuilt else folder


def _swapped(folder: Folder) -> Folder:
    at = folder.events("Rolled")[-1]
    entries = folder.entries
    entries[at], entries[at + 1] = entries[at + 1], entries[at]
    return folder


def _cut(told: bool, folder: Folder) -> Folder:
    """Without the last entries; where that is `told`, match.json counts anew, but nobody signs it."""
    del folder.entries[-3:]
    if told:
        folder.manifest |= {"entries": len(folder.entries), "head": folder.entries[-1]["hash"]}
    return folder


def _without(kind: str, which: int, folder: Folder) -> Folder:
    del folder.entries[folder.records(kind)[which]]
    return folder.rebuilt()


def _moved(kind: str, which: int, by: int, folder: Folder) -> Folder:
    at = folder.records(kind)[which]
    folder.entries.insert(at + by, folder.entries.pop(at))
    return folder.rebuilt()


def _twice(kind: str, which: int, folder: Folder) -> Folder:
    at = folder.records(kind)[which]
    folder.entries.insert(at + 1, dict(folder.entries[at]))
    return folder.rebuilt()


def _note_of(origin: str, size: int, folder: Folder) -> Folder:
    """A head that the key signed, of another match or of fewer entries."""
    hashes = [bytes.fromhex(entry["hash"]) for entry in folder.entries]
    return _stated("signed", note_over(origin, hashes[:size] if size else hashes), folder)


def _scratched(folder: Folder) -> Folder:
    """One bit of the signature is another."""
    head, _, signature = folder.manifest["signed"].rstrip("\n").rpartition(" ")
    data = bytearray(base64.b64decode(signature))
    data[-1] ^= 1
    return _stated("signed", f"{head} {base64.b64encode(data).decode()}\n", folder)


def _other_key(folder: Folder) -> Folder:
    """The key of somebody else under the same name, whose hash fits it."""
    name, public = folder.manifest["key"].partition("+")[0], SigningKey("x", bytes(32)).public
    data = bytes([1]) + public
    hash = sha256(f"{name}\n".encode() + data)[:4].hex()
    return _stated("key", f"{name}+{hash}+{base64.b64encode(data).decode()}", folder)


def _first_throw_withheld(folder: Folder) -> Folder:
    """A seal is withheld, as if it were for throws that not everybody is told."""
    at = folder.records("sealed")[1]
    folder.entries[at]["payload"] = None
    return folder


def tampers() -> Iterator[tuple[str, str, Tamper]]:
    """What was done, to which archive, and how."""
    for name, value in (
        ("match", "t2"),
        ("seq", 7),
        ("at", "2026-11-21T12:00:01.000000+00:00"),
        ("kind", "override"),
        ("payload", '{"kind":"event","event":{"type":"PhaseEnded"}}'),
        ("cause", "somebody else"),
        ("previous", _OTHER),
        ("digest", _OTHER),
        ("hash", _OTHER),
    ):
        yield f"an entry's {name}", OVER, partial(_field, name, value, 6)
        yield f"an entry's {name}, while it is played", RUNNING, partial(_field, name, value, 6)
    yield "an entry's salt", RUNNING, partial(_field, "salt", _OTHER, 6)
    yield "a face", OVER, partial(_face, 3, False)
    yield "a face, all else anew", RUNNING, partial(_face, -1, True)
    yield "a face, all else anew, when it is over", OVER, partial(_face, -1, True)
    # By chance a die of a few more sides shows the same face, and then nothing is wrong.
    yield "dice of more sides", RUNNING, partial(_thrown, "Rolled", -1, sides=1_000_000)
    yield "dice that were thrown before", RUNNING, partial(_thrown, "Rolled", -1, first=1)
    yield "dice for something else", RUNNING, partial(_thrown, "Rolled", -1, purpose="else")
    yield "dice that a few were told", OVER, partial(_thrown, "Rolled", -1, seen_by=["England"])
    yield "an anchor", RUNNING, lambda f: _written("pledged", -1, f, anchor=_OTHER)
    yield "an anchor, when it is over", OVER, lambda f: _written("pledged", -1, f, anchor=_OTHER)
    yield "the last secret of a chain", RUNNING, lambda f: _written("pledged", 1, f, opens=_OTHER)
    yield "a longer chain", RUNNING, lambda f: _written("pledged", 0, f, links=2048)
    yield "the number of a chain", RUNNING, lambda f: _written("pledged", 1, f, chain=2)
    yield "a pledge of nobody's asking", RUNNING, partial(_twice, "pledged", -1)
    yield "a missing pledge", RUNNING, partial(_without, "pledged", 1)
    yield "a missing pledge after a restore", RESTORED, partial(_without, "pledged", 2)
    yield "a link", RUNNING, lambda f: _written("sealed", -1, f, link=3)
    yield "what a seal opens", RUNNING, lambda f: _written("sealed", -1, f, opens=_OTHER)
    yield "what a seal opens, when it is over", OVER, lambda f: _written("sealed", 1, f, opens=_OTHER)
    yield "the number of a seal", RUNNING, lambda f: _written("sealed", -1, f, number=9)
    yield "a seal of another chain", RUNNING, lambda f: _written("sealed", -1, f, chain=0)
    yield "a seal that was moved before its phase", RUNNING, partial(_moved, "sealed", 0, -1)
    yield "a seal that was moved behind its dice", RUNNING, partial(_moved, "sealed", -1, 2)
    yield "a missing seal", RUNNING, partial(_without, "sealed", -1)
    yield "a seal twice", RUNNING, partial(_twice, "sealed", -1)
    yield "a seal that is withheld", RUNNING, _first_throw_withheld
    yield "a hidden seal made open", HIDDEN, _hidden_made_open
    yield "an open seal made hidden", OVER, lambda f: _written("sealed", -1, f, dice=False, hidden=True)
    yield "a seal used again after letters", RUNNING, lambda f: _written("sealed", 2, f, again=2, link=0, opens="")
    yield "a seal used again that is not there", AGAIN, lambda f: _again(f, again=999)
    yield "a seal used again that is itself", AGAIN, _again
    yield "a roll-forward of what is no rewind", FORWARDED, lambda f: _written("forwarded", 0, f, undoes=1)
    yield "entries in another order", OVER, _swapped
    yield "entries in another order, while it is played", RUNNING, _swapped
    yield "fewer entries", OVER, partial(_cut, False)
    yield "fewer entries, counted anew", RUNNING, partial(_cut, True)
    for name, value in (
        ("match", "t2"),
        ("game", "empire"),
        ("commitment", _OTHER),
        ("secret", _OTHER),
        ("entries", 5),
        ("head", _OTHER),
        ("dice.secret", _OTHER),
        ("dice.link", 1023),
        ("dice.chain", 0),
        ("status", "running"),
    ):
        yield f"{name} of match.json", OVER, partial(_stated, name, value)
    for name, value in (("secret", _OTHER), ("dice.secret", _OTHER), ("dice.link", 2), ("status", "over")):
        yield f"{name} of match.json, while it is played", RUNNING, partial(_stated, name, value)
    yield "a status that no match has", RUNNING, partial(_stated, "status", "abandoned")
    yield "a link in a seal that uses none", AGAIN, lambda f: _again(f, opens=_OTHER, link=1)
    yield "no secret of the dice", RUNNING, lambda f: _stated("dice", {"chain": -1, "link": 0, "secret": ""}, f)
    yield "a note of another match", OVER, partial(_note_of, "referee@games.example/t2", 0)
    yield "a note of fewer entries", RUNNING, partial(_note_of, "referee@games.example/t1", 30)
    yield "a signature", OVER, _scratched
    yield "a key", RUNNING, _other_key
    for what, changes in (
        ("that the key before did not sign", [change_of(FIRST, KEY, SECOND)]),
        ("that leads elsewhere", [change_of(FIRST, SECOND)]),
        ("in another order", [change_of(SECOND, KEY), change_of(FIRST, SECOND)]),
        ("that goes in a circle", [change_of(KEY, SECOND), change_of(SECOND, KEY)]),
        ("that is none", ["a change"]),
    ):
        yield f"a change of keys {what}", RUNNING, partial(_stated, "key_changes", changes)
    yield "a key without a note", RUNNING, partial(_stated, "signed", "")
    yield "a note without a key", RUNNING, partial(_stated, "key", "")


def _hidden_made_open(folder: Folder) -> Folder:
    at = next(at for at in folder.records("sealed") if folder.record(at)["hidden"])
    folder.put(at, folder.record(at) | {"hidden": False})
    return folder.rebuilt()


def _again(folder: Folder, **fields: Any) -> Folder:
    at = next(at for at in folder.records("sealed") if folder.record(at)["again"])
    record = folder.record(at)
    folder.put(at, record | (fields or {"again": record["number"]}))
    return folder.rebuilt(dice=False)
