"""docs/vectors/verify.json, for whoever writes a verifier of his own: `python -m tests.verify.vectors` writes it."""

from __future__ import annotations

import json
from typing import Any

from tests.house.sources import ROOT
from tests.verify.forging import (
    FIRST,
    Draft,
    Folder,
    chain_of,
    change_of,
    key_text,
    mac,
    note_over,
    root_of,
    sha256,
)
from tests.verify.matches import KEY

FILE = ROOT / "docs" / "vectors" / "verify.json"
SECRET = sha256(b"the secret of the vectors")
_BEACON = json.loads((ROOT / "tests" / "beacon" / "vectors.json").read_text("utf-8"))
_ROUND = 1000
_BEFORE = "2023-08-23T15:58:00.000000+00:00"
_MADE = "2023-08-23T15:59:24.000000+00:00"
"""When round 1000 of quicknet was made."""


def drafted(opened: str = _MADE) -> Folder:
    """A short log with a seal of each kind that everybody sees: alone, with a round, and used again."""
    (signature,) = (found["signature"] for found in _BEACON["rounds"] if found["round"] == _ROUND)
    draft = Draft("v1", _BEFORE, SECRET, "drand quicknet")
    draft.begin("T1/Spain")
    draft.seal()
    draft.roll("T1/Spain/Event check", 3, 6)
    draft.roll("T1/Spain/Event check", 2, 6, first=3)
    draft.draw('T1/Spain/\N{LATIN SMALL LETTER E WITH ACUTE}lan "1"', 3, 40)
    draft.begin("T2/England")
    number = draft.seal(_ROUND)
    draft.at = opened
    draft.add("opened", number=number, signature=signature, why="")
    draft.roll("T2/England/Event check", 4, 10)
    draft.begin("T3/Spain")
    draft.again(2)
    draft.roll("T3/Spain/Event check", 4, 1000)
    return draft.folder()


def vectors() -> dict[str, Any]:
    """What the file holds."""
    folder = drafted()
    archive = folder.archived()
    hashes = [bytes.fromhex(entry["hash"]) for entry in folder.entries]
    chains = [
        {"chain": chain, "anchor": links[0].hex(), "links": {str(n): links[n].hex() for n in (1, 2, 1023, 1024)}}
        for chain in (0, 1)
        for links in [chain_of(SECRET, chain)]
    ]
    seals = [at for at in folder.records("sealed") if not folder.record(at)["again"]]
    (opened,) = folder.records("opened")
    randomness = (b"", sha256(bytes.fromhex(folder.record(opened)["signature"])))
    keys = [
        {
            "number": folder.record(at)["number"],
            "secret": chain_of(SECRET, 0)[folder.record(at)["link"]].hex(),
            "head": hashes[at].hex(),
            "randomness": random.hex(),
            "key": mac(chain_of(SECRET, 0)[folder.record(at)["link"]], hashes[at] + random).hex(),
        }
        for at, random in zip(seals, randomness, strict=True)
    ]
    first = {name: folder.entries[0][name] for name in ("salt", "payload", "digest", "hash")}
    return {
        "about": "Values for a verifier of archives; docs/verify.md has the format. The log below is of no real match.",
        "match_secret": SECRET.hex(),
        "commitment": sha256(SECRET).hex(),
        "hidden": mac(SECRET, "hidden").hex(),
        "chains": chains,
        "entry_0": first,
        "seals": keys,
        "roots": {str(n): root_of(hashes[:n]).hex() for n in range(1, len(hashes) + 1)},
        "key": key_text(),
        "key_change": change_of(FIRST, KEY),
        "note_of_2": note_over("referee@games.example/v1", hashes[:2]),
        "match.json": archive.manifest.decode(),
        "log.jsonl": archive.log.decode(),
    }


def write() -> None:
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(vectors(), indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    write()
