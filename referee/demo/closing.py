"""After the last turn: the standings everybody was sent, and the proofs from the archive and from the database."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
import time
from pathlib import Path

from referee.demo.client import PATIENCE, Letter
from referee.demo.show import Table, Unexpected, is_farewell, need


def final_standings(table: Table, farewell: Letter) -> None:
    """Everybody gets the farewell; its standings as a table, unless the game master ended the match before there were any."""
    for client in (*table.players, table.watcher):
        if not any(is_farewell(letter) for letter in client.letters):
            client.expect("the farewell", is_farewell)
    table.show.got(table.master.name, farewell, "", 40)
    if "the match is ended" in farewell.subject:
        return
    need(farewell, "Final standings", "The secret of the dice")
    rows = [
        (found[1], found[2], table.seats[found[2]].name, found[3])
        for found in re.finditer(r"^\s*(\d+)  (\w+)\s+(\d+)", farewell.text, re.MULTILINE)
        if found[2] in table.seats
    ]
    if len(rows) != len(table.seats):
        raise Unexpected("The farewell does not give every seat its place.")
    table.show.standings("Final standings", ("place", "seat", "player", table.counts), rows)


def prove(table: Table, farewell: Letter) -> Path:
    """Check the match from the archive alone and from the database; the archive's first page. Raises Unexpected."""
    show, house = table.show, table.house
    show.scene("The proof")
    secret = re.search(r"(?:Secret:|secret is) ([0-9a-f]{64})", farewell.flat)
    if secret is None or hashlib.sha256(bytes.fromhex(secret[1])).hexdigest() != table.commitment:
        raise Unexpected("The secret in the farewell is not the one whose fingerprint stood in the first letter.")
    show.good("The secret in the last letter has the fingerprint that stood in the first.")
    archive = _published(house.folder / "archive" / table.match)
    with tempfile.TemporaryDirectory() as elsewhere:
        copied, before = Path(elsewhere) / table.match, b""
        while before != (before := (archive / "match.json").read_bytes()):  # it may be laid anew while it is copied
            shutil.copytree(archive, copied, dirs_exist_ok=True)
        _run(
            table,
            "verify",
            str(copied),
            where=Path(elsewhere),
            shown="referee verify, with nothing but the archive folder",
        )
    shown = "referee replay, from the database"
    _run(table, "replay", table.match, "--config", str(house.config), where=house.folder, shown=shown)
    return archive / "index.html"


def _published(archive: Path) -> Path:
    """The archive once it shows the end of the match."""
    until = time.monotonic() + PATIENCE
    while json.loads((archive / "match.json").read_text("utf-8"))["status"] != "over":
        if time.monotonic() > until:
            raise Unexpected(f"The archive {archive} does not show the end of the match.")
        time.sleep(0.02)
    return archive


def _run(table: Table, *words: str, where: Path, shown: str) -> None:
    code, said = table.house.run(*words, cwd=where)
    if code != 0:
        raise Unexpected(f"{shown}: {said}")
    table.show.good(f"{shown}: {said}")
