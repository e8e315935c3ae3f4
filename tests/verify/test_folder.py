"""The folder of a match as a whole: every report of reports.jsonl, and every file under the signature of the house."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from referee.adapters.pages.archive_folder import Site
from referee.bootstrap.mail_ways import publish
from referee.service.house.verification import verify_archive
from referee.service.match.audit import Verdict
from referee.service.match.sealing import Key
from tests.commands import app
from tests.service.conftest import GINA
from tests.steady import SEALED
from tests.verify.forging import note_of
from tests.verify.matches import ALL, MATCH, Archived, table, terminated
from tests.verify.node import SCRIPT, node


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Archived, Path]]:
    """A match with a rewind that is over, and its folder, laid anew after each turn."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Key, "chance", SEALED)
        site = Site(tmp_path_factory.mktemp("site"))
        with table("newworld", players=4) as world:
            for _ in range(2):
                world.wait(hours=25)
                publish(world.office, site, MATCH)
            world.reply(GINA, 'REWIND TO TURN 1 BECAUSE "misread"')
            world.wait(hours=25)
            publish(world.office, site, MATCH)
            archive = terminated(world)
            publish(world.office, site, MATCH)
        yield archive, site.root / MATCH


def other(archive: Archived, change: Callable[[list[dict[str, Any]]], object]) -> Any:
    """What is found where reports.jsonl was changed."""
    reports = [json.loads(line) for line in archive.reports.splitlines()]
    change(reports)
    return verify_archive(
        ALL, archive.manifest, archive.log, b"".join(json.dumps(one).encode() + b"\n" for one in reports)
    )


CHANGES: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "left out of what was set aside": (
        lambda reports: reports.__setitem__(slice(None), [r for r in reports if (r["turn"], r["epoch"]) != (2, 0)]),
        "that was set aside",
    ),
    "left out": (
        lambda reports: reports.__setitem__(slice(None), [r for r in reports if r["turn"] != 1]),
        "reports.jsonl has no report of turn",
    ),
    "invented": (lambda reports: reports.append(reports[0] | {"turn": 77}), "a report of turn 77"),
    "of another title": (lambda reports: reports[-1].update(title="Turn 9: Nobody"), "“Turn 9: Nobody”"),
    "of a course that never was": (lambda reports: reports.append(reports[0] | {"epoch": 9}), "course 9"),
    "twice": (lambda reports: reports.append(reports[0]), "two reports of one turn and course"),
}


@pytest.mark.parametrize("how", CHANGES)
def test_a_report_that_is_left_out_or_invented_is_found(over: tuple[Archived, Path], how: str) -> None:
    change, said = CHANGES[how]
    assert other(over[0], lambda reports: None).sound
    assert said in other(over[0], change).trouble


def verified(folder: Path) -> tuple[int, str]:
    """Both verifiers say the same of the files of a folder, in the same words."""
    ran = CliRunner().invoke(app, ["verify", str(folder)])
    by_node = subprocess.run([node(), str(SCRIPT), str(folder)], capture_output=True, text=True, check=False)
    code, said = ran.exit_code, " ".join(ran.output.split())
    assert by_node.returncode == code, (by_node.stdout, said)
    for words in FILES.findall(said):
        assert words in by_node.stdout.replace("NOT CHECKED", "Not checked")
    return code, said


FILES = re.compile(
    r"[\w./-]+ is not the file that the house signed|[0-9]+ files (?:of the folder are none|that files.txt names)[^.;]*"
    r"|is of other files than it lists|does not bear the signature of the key in match.json|there is no files.txt[^.]*"
)
"""Sentences about files."""


@pytest.mark.parametrize("pattern", ["turn-*.html", "index.html", "sheets/*.csv", "*.svg", "card.json"])
def test_a_file_that_the_house_did_not_sign_is_found(over: tuple[Archived, Path], tmp_path: Path, pattern: str) -> None:
    folder = copied(over[1], tmp_path)
    assert verified(folder)[0] == Verdict.SOUND, verified(folder)
    file = min(folder.glob(pattern))
    file.write_bytes(file.read_bytes() + b" ")
    code, said = verified(folder)
    other = (
        f"{file.relative_to(folder)} is not the file that the house signed",
        f"{file.relative_to(folder)} is not what",
    )
    assert code == Verdict.UNSOUND and any(words in said for words in other)


@pytest.mark.parametrize(
    ("pattern", "before", "after", "said"),
    [
        ("turn-001-rewind*.html", "gold 1", "gold 9", "does not tell what reports.jsonl has: “"),
        (
            "turn-001-rewind*.html",
            "</ul>",
            "</ul><p>Spain has won.</p>",
            "does not tell what reports.jsonl has: “",
        ),
        ("sheets/turn-001-rewind*.csv", ",1", ",7", "is not what the log gives"),
        ("turn-001-rewind*.svg", "</svg>", "<g/></svg>", "is not what the log gives"),
    ],
)
def test_a_page_that_the_house_signs_and_that_tells_something_else_is_found(
    over: tuple[Archived, Path], tmp_path: Path, pattern: str, before: str, after: str, said: str
) -> None:
    folder = copied(over[1], tmp_path)
    file = next(file for file in sorted(folder.glob(pattern)) if before in file.read_text("utf-8"))
    file.write_text(file.read_text("utf-8").replace(before, after, 1), "utf-8")
    signed_anew(folder)
    ran = CliRunner().invoke(app, ["verify", str(folder)])
    assert ran.exit_code == Verdict.UNSOUND and said in " ".join(ran.output.split()), ran.output


@pytest.mark.parametrize("turn", ["001-rewind-1", "001", "077"])
def test_a_second_page_of_a_turn_that_the_house_signs_and_that_tells_something_else_is_found(
    over: tuple[Archived, Path], tmp_path: Path, turn: str
) -> None:
    folder = copied(over[1], tmp_path)
    page = min(folder.glob(f"turn-{turn}-[0-9]*.html"), default=min(folder.glob("turn-001-[0-9]*.html")))
    for number in (0, 9999):  # in whatever order a folder tells of its files
        lie = page.read_text("utf-8").replace("gold 1", "gold 9").replace("France", "Utopia")
        (folder / f"turn-{turn}-{number}.html").write_text(lie, "utf-8")
    signed_anew(folder)
    ran = CliRunner().invoke(app, ["verify", str(folder)])
    said = "is the page of a report that" if turn == "077" else "does not tell what"
    assert ran.exit_code == Verdict.UNSOUND and said in " ".join(ran.output.split()), ran.output


def signed_anew(folder: Path, more: str = "") -> None:
    """The list of files as the house signs it, perhaps with more in it."""
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    lines = more + "".join(
        f"{sha256(path.read_bytes()).hexdigest()} {name}\n"
        for name, path in sorted(there.items())
        if name not in ("files.txt", "log.jsonl")
    )
    head = (folder / "files.txt").read_text("utf-8").splitlines()[1]
    text = f"files/v1\n{head}\n{sha256(lines.encode()).hexdigest()}\n"
    (folder / "files.txt").write_text(f"{note_of(text)}\n{lines}", "utf-8")


@pytest.mark.parametrize("path", ["index.html", "mine.txt"])
def test_a_path_that_is_listed_with_two_digests_is_found(
    over: tuple[Archived, Path], tmp_path: Path, path: str
) -> None:
    """Each of two readers could be shown a file that the house signed."""
    folder = copied(over[1], tmp_path)
    signed_anew(folder, "".join(f"{sha256(each).hexdigest()} {path}\n" for each in (b"a", b"b")))
    code, said = verified(folder)
    assert code == Verdict.UNSOUND and "is of other files than it lists" in said


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/hostname", "a\u2028{0} index.html", "card.json\r"])
def test_paths_that_are_none_name_nothing_of_the_folder(over: tuple[Archived, Path], tmp_path: Path, path: str) -> None:
    """No file outside is looked at, and every line is one path to all, whatever ends lines elsewhere."""
    folder = copied(over[1], tmp_path / "folder")
    (tmp_path / "secret.txt").write_text("x")
    (folder / "linked.txt").symlink_to(tmp_path / "secret.txt")
    signed_anew(folder, f"{sha256(b'x').hexdigest()} {path.format('0' * 64)}\n")
    code, said = verified(folder)
    assert code == Verdict.PARTLY and "files that files.txt names: they are not in this folder" in said


def test_files_that_are_missing_strange_or_not_listed_are_told_of(over: tuple[Archived, Path], tmp_path: Path) -> None:
    folder = copied(over[1], tmp_path)
    (folder / "mine.txt").write_text("my own notes")
    assert "1 files of the folder are none of the house's, mine.txt among them" in verified(folder)[1]
    (folder / "index.html").unlink()
    code, said = verified(folder)
    assert code == Verdict.PARTLY and "1 files that files.txt names: they are not in this folder" in said
    listed = folder / "files.txt"
    list_of_all = listed.read_text("utf-8")
    listed.write_text(list_of_all.replace(" card.json\n", " cards.json\n"), "utf-8")
    assert "is of other files than it lists" in verified(folder)[1]
    size = list_of_all.splitlines()[1].rpartition(" ")[2]
    listed.write_text(list_of_all.replace(f" {size}\n", f" {int(size) - 1}\n", 1), "utf-8")
    assert "does not bear the signature" in verified(folder)[1]
    listed.unlink()
    code, said = verified(folder)
    assert code == Verdict.PARTLY and "there is no files.txt, as versions before 0.3.0 wrote none" in said


def copied(folder: Path, to: Path) -> Path:
    for file in folder.rglob("*"):
        if file.is_file():
            there = to / file.relative_to(folder)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(file.read_bytes())
    return to
