"""Who compares what: a host changes a fact of each kind and makes all else anew; docs/verify.md says which verifier finds it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from functools import partial
from hashlib import sha256
from typing import Any

import pytest

from referee.adapters.pages import text_table
from referee.adapters.pages.archive_folder import Site
from referee.adapters.signing_key import SigningKey
from referee.adapters.signing_key import verify as signature
from referee.bootstrap.mail_ways import publish
from referee.service.house.verification import Checks, verify_archive
from referee.service.intake.sent_letters import read_sent
from referee.service.match.sealing import Key
from tests.house.sources import ROOT
from tests.steady import SEALED
from tests.verify import third
from tests.verify.forging import FIRST, SECOND, Folder, change_of, note_of, note_over
from tests.verify.matches import ALL, MATCH, Archived, both_bodies, opened, table, write
from tests.verify.node import node, verify
from tests.verify.test_three import numbers

Files = dict[str, bytes]


class Told:
    """The folder of a match and the letters that one player has of it."""

    def __init__(self, files: Files, letters: tuple[bytes, ...], secret: bytes) -> None:
        self.files, self.letters, self.secret = files, letters, secret

    @property
    def parts(self) -> tuple[bytes, bytes, bytes]:
        return self.files["match.json"], self.files["log.jsonl"], self.files["reports.jsonl"]

    def log(self, change: Callable[[Folder], object], anew: bool = True, dice: bool = True) -> Told:
        """Another log and match.json, with all hashes, dice and heads made anew."""
        folder = Folder.of(Archived(*self.parts, self.secret))
        change(folder)
        archive = (folder.rebuilt(dice) if anew else folder).archived()
        return self.laid({"match.json": archive.manifest, "log.jsonl": archive.log})

    def laid(self, files: Files, gone: str = "", anew: bool = True) -> Told:
        """Other files, and the list of all signed anew."""
        there = {path: data for path, data in (self.files | files).items() if path != gone}
        lines = "".join(
            f"{sha256(data).hexdigest()} {path}\n" for path, data in sorted(there.items()) if path not in LISTED
        )
        head = (
            f"files/v1\n{ORIGIN} {json.loads(there['match.json'])['entries']}\n{sha256(lines.encode()).hexdigest()}\n"
        )
        return Told(
            there | ({"files.txt": f"{note_of(head)}\n{lines}".encode()} if anew else {}), self.letters, self.secret
        )

    def written(self, name: str, before: str, after: str, anew: bool = True) -> Told:
        """Other words in the first file of this name that has these."""
        path, text = next(
            (path, data.decode())
            for path, data in sorted(self.files.items())
            if re.fullmatch(name, path) and re.search(before, data.decode())
        )
        return self.laid({path: re.sub(before, after, text, count=1).encode()}, anew=anew)

    def mailed(self, before: str, after: str, form: str = "plain") -> Told:
        """Other words in one form of the first letter that has these."""
        for n, raw in enumerate(self.letters):
            letter = message_from_bytes(raw, policy=policy.SMTP)
            part = letter.get_body((form,))
            text = str(part.get_content()).replace("\r\n", "\n") if part else ""
            if part and re.search(before, text):
                if form == "plain":  # alone, as it would be found beside the HTML
                    letter.clear_content()
                (letter if form == "plain" else part).set_content(re.sub(before, after, text, count=1), subtype=form)
                return Told(self.files, (*self.letters[:n], letter.as_bytes(), *self.letters[n + 1 :]), self.secret)
        raise AssertionError(before)

    def of(self, *fields: str) -> Told:
        return self.log(lambda folder: folder.manifest.update(json.loads("{" + ",".join(fields) + "}")), anew=False)

    def found(self) -> tuple[tuple[str, str, str], dict[str, Any]]:
        """What Python and the third find, and what JavaScript is given."""
        digests = {path: sha256(data).hexdigest() for path, data in self.files.items()}
        checks = Checks(
            signature,
            letters=tuple(map(opened, self.letters)),
            witnessed=self.files.get("witnessed.txt", b"").decode(),
            draw=text_table.table,
            listed=self.files["files.txt"],
            files=digests,
            page=lambda path: self.files[path].decode(),
            sent=partial(read_sent, games=ALL),
        )
        python = verify_archive(ALL, *self.parts, checks=checks)
        manifest, log, reports = self.parts
        got = tuple(both_bodies(raw) for raw in self.letters if OURS in raw)
        other = third.trouble(manifest, log, got, reports)
        names = {"manifest": "match.json", "log": "log.jsonl", "reports": "reports.jsonl"}
        names |= {"listed": "files.txt", "witnessed": "witnessed.txt"}
        given: dict[str, Any] = {to: self.files.get(name, b"").decode() for to, name in names.items()}
        given |= {"files": digests, "letters": [raw.decode() for raw in self.letters]}
        return (str(int(python.verdict)), "", "1" if other else "0"), given


LISTED, ORIGIN = ("files.txt", "log.jsonl"), "referee@games.example/t1"
HEX = "[0-9a-f]{64}"
OURS = b"X-Referee-Loop"
SHEET = r"Record sheet of \w+\n=+\n(?:.*\n)*?.*  +"


def figured(folder: Folder) -> None:
    at = next(
        at for at in folder.events("WorkersHired", "ResourcesGained", "UnitsRaised") if numbers(folder.record(at))
    )
    record = folder.record(at)
    place, key = numbers(record)[0]
    place[key] += 1
    folder.put(at, record)


def faced(folder: Folder) -> None:
    at = folder.events("Rolled")[0]
    record = folder.record(at)
    record["event"]["faces"][0] = record["event"]["faces"][0] % record["event"]["sides"] + 1
    folder.put(at, record)


def linked(folder: Folder) -> None:
    at = folder.records("sealed")[-1]
    folder.put(at, folder.record(at) | {"link": 9})


def ruled(folder: Folder) -> None:
    for at in folder.events("PhaseBegan"):
        record = folder.record(at)
        record["event"] |= {"build": "0" * 16, "version": "0.2.9"}
        folder.put(at, record)


def caused(folder: Folder) -> None:
    """Behind all dice, so that none is another by it."""
    folder.entries[folder.events("Rolled", "Drawn")[-1] + 1]["cause"] = "somebody else"


def unreported(one: Told) -> Told:
    lines = one.files["reports.jsonl"].splitlines(keepends=True)
    return Told(one.laid({"reports.jsonl": b"".join(lines[:-2] + lines[-1:])}).files, (), one.secret)


def unsealed(one: Told) -> Told:
    other = SigningKey("referee@games.example", bytes(32))
    hashes = [bytes.fromhex(json.loads(line)["hash"]) for line in one.files["log.jsonl"].splitlines()]
    return one.of(f'"signed":{json.dumps(note_over(ORIGIN, hashes, other))}')


def witnessed(one: Told) -> Told:
    key = f"Key of the witness: w.example+00000000+{'B' * 44}"
    return one.laid({"witnessed.txt": f"{key}\n\n{json.loads(one.files['match.json'])['signed']}".encode()})


def filed_otherwise(one: Told) -> Told:
    """Another line on file of a letter, behind all dice; beside it what its writer sent and the first letter that he got."""

    def change(folder: Folder) -> None:
        for at in folder.records("filed")[-1:]:
            record = folder.record(at)
            record["sheet"][0]["text"] = "HIRE 2 workers"
            folder.put(at, record)

    first = next(raw for raw in one.letters if OURS in raw and b"Fingerprint" in raw)
    return Told(one.log(change).files, (first, *(raw for raw in one.letters if OURS not in raw)), one.secret)


FACTS: dict[str, Callable[[Told], Told]] = {
    "the chain: each entry covers the one before": lambda one: one.log(caused, anew=False),
    "dice and cards that everybody was told": lambda one: one.log(faced, dice=False),
    "seals and links of chains, in turn": lambda one: one.log(linked),
    "outcomes: what the rules of their version give": lambda one: Told(one.log(figured).files, (), one.secret),
    "rules that a release had": lambda one: Told(one.log(ruled).files, (), one.secret),
    "match.json: status, game, commitment, head": lambda one: one.of('"status":"abandoned"'),
    "the signature of the head": unsealed,
    "keys that came in each other's place": lambda one: one.of(
        f'"key_changes":[{json.dumps(change_of(FIRST, SECOND))}]'
    ),
    "heads in witnessed.txt": witnessed,
    "reports.jsonl: every report, and none that never was": unreported,
    "reports.jsonl: the words of public reports": lambda one: one.written(
        "reports.jsonl", "produces [0-9]+", "produces 99"
    ),
    "reports.jsonl: the digests of words that were laid down": lambda one: one.written(
        "reports.jsonl", f'"told":{{"":"{HEX}', f'"told":{{"":"{"0" * 64}'
    ),
    "a file of the folder: its digest, under the signature": lambda one: one.written(
        "index.html", "</body>", " </body>", anew=False
    ),
    "a page of a report: what reports.jsonl has": lambda one: one.written(
        r"turn-.*\.html", "produces [0-9]+", "produces 99"
    ),
    "a table of a report (CSV): what the log gives": lambda one: one.written(r"sheets/turn-001.*\.csv", "[1-9]", "77"),
    "the picture of a report (SVG): what the log gives": lambda one: one.written(
        r"turn-.*\.svg", "</svg>", "<g/></svg>"
    ),
    "index.html, card.json, feed and press: what they tell": lambda one: one.written("index.html", "Spain", "Utopia"),
    "a letter: its signed head is of this log": lambda one: one.log(caused),
    "the first letter: fingerprint, end of the chain, key": lambda one: one.mailed(
        rf"Fingerprint:\s+{HEX}", f"Fingerprint: {'0' * 64}"
    ),
    "the first letter: its report and record sheets": lambda one: one.mailed(rf"({SHEET})[0-9]+\n", r"\g<1>99\n"),
    "a letter: the secrets of the dice": lambda one: one.mailed(
        rf"Secret ([0-9]+) of chain 0:\s+{HEX}", rf"Secret \1 of chain 0: {'0' * 64}"
    ),
    "a letter: lines of dice": lambda one: one.mailed(r"Event check: 1d6 = [0-9]", "Event check: 1d6 = 7"),
    "a letter about one turn: every word of its report": lambda one: one.mailed("produces [0-9]+", "produces 99"),
    "a letter about one turn: its record sheets": lambda one: one.mailed(
        rf"({SHEET})[0-9]+\n(?=(?:.*\n)*.*Salt of this report)", r"\g<1>99\n"
    ),
    "a letter about one turn: its HTML says what its plain text says": lambda one: one.mailed(
        "produces [0-9]+", "produces 99", "html"
    ),
    "a letter: advice, forecasts, what its reader owes": lambda one: one.mailed(
        "\n\nProof of the dice", "\n\nYour advice: wait.\n\nProof of the dice"
    ),
    "a receipt: the orders that it names are on file": lambda one: one.mailed(
        r"(as on file\n-+\n\n  \| )\w.*\n", r"\1HIRE 9 workers\n"
    ),
    "a sent letter: its orders are on file": filed_otherwise,
}

WORDS = {
    ("0", "0"): "no",
    ("1", "1"): "yes",
    ("0", "1"): "at the end",
    ("0", "3"): "named at the end",
}


def quoted(text: str) -> str:
    return "On Sat, 21 Nov 2026 at 12:00, Referee <referee@games.example> wrote:\n" + "".join(
        f"> {line}\n" for line in text.splitlines()
    )


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Told, Told]]:
    """A match with its folder and one player's letters, while it is played and when it is over."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Key, "chance", SEALED)
        site = Site(tmp_path_factory.mktemp("site"))
        with table("newworld", players=4) as world:
            writer = world.on_turn(MATCH)
            world.reply(writer, f"HIRE 1 worker\n\n{quoted(world.last(writer).text)}")
            for _ in range(2):
                world.wait(hours=25)
            world.reply(writer, "HIRE 1 worker")  # for the turn that never comes
            publish(world.office, site, MATCH)
            folder = site.root / MATCH

            def now() -> Told:
                with world.store.look() as step:
                    match = step.match(MATCH)
                assert match is not None
                files = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
                letters = tuple(mail.raw for mail in world.all_mail() if mail.to == writer)
                letters += tuple(raw for sender, raw in world.came if sender == writer)
                return Told(files, letters, match.secret)

            running = now()
            write(world, 'TERMINATE BECAUSE "it is seen enough"')
            publish(world.office, site, MATCH)
            yield running, now()


def test_the_page_says_which_verifier_compares_what(both: tuple[Told, Told]) -> None:
    node()
    found = [[change(one).found() for one in both] for change in (lambda one: one, *FACTS.values())]
    (whole, *javascript) = verify([given for pair in found for _, given in pair])
    by_node = [str(one["verdict"]) for one in (whole, *javascript)]
    lines = []
    for n, fact in enumerate(("honest", *FACTS)):
        said = [(pair[0], by_node[2 * n + at], pair[2]) for at, (pair, _) in enumerate(found[n])]
        lines.append(f"| {fact} | {' | '.join(WORDS[played, over] for played, over in zip(*said, strict=True))} |")
    assert lines[0] == "| honest | no | no | no |", whole
    page = (ROOT / "docs" / "verify.md").read_text("utf-8").splitlines()
    assert [line for line in lines[1:] if line not in page] == [], "\n".join(
        ["docs/verify.md does not have", *lines[1:]]
    )
    rows = page[page.index("## Who compares what") :]
    assert [row for row in rows if row.startswith("| ") and row not in lines][1:] == []
