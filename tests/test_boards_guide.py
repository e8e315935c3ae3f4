"""docs/boards.md is true: its board can be read, drawn and played on, and the faults it shows are the ones that are told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.adapters.pages.picture import DrawingFolder
from referee.bootstrap.offices import opened
from referee.config import Config, read
from referee.core.record import Created
from referee.games import GAMES
from referee.games.empire.boards.draft import SHORT, TERRAIN, read_board, write_board
from referee.games.empire.boards.survey import examine
from referee.games.empire.position import BORDERS, RESOURCES
from referee.service.base.office import Office
from referee.service.house.verification import verify_archive
from referee.service.intake.counter import (
    at_the_counter,
    create_at_the_counter,
    join_at_the_counter,
    replay_at_the_counter,
)
from referee.service.match.playing import load
from tests.commands import app

HOME = Path(__file__).parent.parent
GUIDE = (HOME / "docs" / "boards.md").read_text("utf-8")
RUN = CliRunner()


def block(kind: str) -> str:
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    return str(found)


BOARD = block("board")


def examined(folder: Path, text: str, *more: str) -> tuple[int, str]:
    """Exit code and words of `referee examine board`."""
    file = folder / "the-valley.txt"
    file.write_text(text, "utf-8")
    done = RUN.invoke(app, ["examine", "board", str(file), *more])
    return done.exit_code, done.output


# ---------------------------------------------------------------- the page


def test_the_board_of_the_page_has_no_fault_and_all_it_ought_to_have() -> None:
    assert examine(BOARD) == ()
    assert read_board(BOARD).name == "The Valley"


def test_the_page_names_every_sign_and_every_border() -> None:
    signs = dict(re.findall(r"\| `(\S)` \| (\w+) \|", GUIDE))
    assert {sign: what for sign, what in signs.items() if sign in TERRAIN} == TERRAIN
    short = {long: sign for sign, long in SHORT.items()}
    assert all(f"`{short.get(kind, kind)}` |" in GUIDE for kind in RESOURCES)
    assert all(f"`{what}`" in GUIDE for what in BORDERS)


def test_the_board_is_examined_and_drawn(tmp_path: Path) -> None:
    code, said = examined(tmp_path, BOARD, "--chart", str(tmp_path / "the-valley.png"))
    assert code == 0 and block("said") in said
    assert (tmp_path / "the-valley.png").read_bytes().startswith(b"\x89PNG")
    examined(tmp_path, BOARD, "--chart", str(tmp_path / "the-valley.svg"))
    assert ">Fe2<" in (tmp_path / "the-valley.svg").read_text("utf-8")


def test_the_faults_of_the_page_are_the_ones_that_are_told(tmp_path: Path) -> None:
    line, last = re.findall(r"^`(   fFe .*?)` and the last line `(.*?)`", GUIDE, re.MULTILINE)[0]
    lines = BOARD.splitlines()
    reefed = [*lines[:-1], last]
    (at,) = [number for number, text in enumerate(lines) if text.startswith("   fFe ")]
    both = [*reefed[:at], line, *reefed[at + 1 :]]
    assert examined(tmp_path, "\n".join(both)) == (1, block("faults"))
    assert examined(tmp_path, "\n".join(reefed)) == (1, block("more"))


# ---------------------------------------------------------------- the command


def test_a_poor_start_area_is_told_and_a_match_can_be_played_all_the_same(tmp_path: Path) -> None:
    code, said = examined(tmp_path, BOARD.replace("fC2", "fC"))
    assert code == 0
    assert "Line 4, column 9: The start area of c3r3 is poor: it has 2 double or triple resources, not 3" in said
    assert said.splitlines()[-1] == block("said").strip()


def test_a_board_that_cannot_be_read_is_not_drawn(tmp_path: Path) -> None:
    code, said = examined(tmp_path, "nonsense", "--chart", str(tmp_path / "x.svg"))
    assert code == 1 and "A drawing says its size" in said and "Nothing was drawn" in said
    assert not (tmp_path / "x.svg").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["{folder}/none.txt"], "none.txt cannot be read: No such file"),
        (["{folder}/the-valley.txt", "--chart", "map.gif"], "let it end in .svg or .png"),
        (["{folder}/the-valley.txt", "--chart", "{folder}/no/map.svg"], "map.svg cannot be written: No such file"),
    ],
)
def test_what_cannot_be_read_or_written_is_told_in_a_sentence(tmp_path: Path, words: list[str], sentence: str) -> None:
    (tmp_path / "the-valley.txt").write_text(BOARD, "utf-8")
    done = RUN.invoke(app, ["examine", "board", *(word.format(folder=tmp_path) for word in words)])
    assert done.exit_code == 1 and sentence in done.output


# ---------------------------------------------------------------- a match on it


def config(folder: Path) -> Config:
    """The settings of the page, with a folder that is there."""
    text = block("toml").replace("/srv/referee/boards", str(folder / "boards"))
    return read(text, folder)


def laid(folder: Path, name: str, text: str) -> Path:
    file = folder / "boards" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def created(office: Office, options: str = "") -> tuple[bool, str]:
    _, game, match, *rest = block("create").split()
    said = create_at_the_counter(office, game, match, "gina@example.org", options or " ".join(rest[1:]))
    return said.granted, " ".join(said.sentences)


@pytest.mark.usefixtures("sealed_dice")
def test_a_match_is_played_on_a_drawn_board_and_never_needs_its_file_again(tmp_path: Path) -> None:
    settings = config(tmp_path)
    file = laid(tmp_path, "The Valley.txt", BOARD)
    with opened(settings) as office:
        assert created(office)[0]
        file.write_text(BOARD.replace("The Valley", "Another"), "utf-8")
        for name in ("anna", "ben"):
            join_at_the_counter(office, "valley1", f"{name}@example.org", "", name)
        assert at_the_counter(office, "valley1", "START", "gina").granted
    file.unlink()
    with opened(settings) as office:
        with office.look() as at:
            row = at.step.match("valley1")
            assert row is not None
            playing = load(at, row)
        assert playing.position.state.board == read_board(BOARD)
        assert isinstance(playing.created, Created)
        assert playing.created.options["drawing"] == write_board(read_board(BOARD))
        found = replay_at_the_counter(office, "valley1")
        assert found is not None and found.sound and found.events
    RUN.invoke(app, ["archive", "valley1", "--to", str(tmp_path / "www"), "--config", str(written(tmp_path))])
    parts = [
        (tmp_path / "www" / "valley1" / name).read_bytes() for name in ("match.json", "log.jsonl", "reports.jsonl")
    ]
    assert verify_archive({game.name: game for game in GAMES}, *parts).sound
    index = (tmp_path / "www" / "valley1" / "index.html").read_text("utf-8")
    assert "drawn:the-valley" in index and "size: columns" not in index


def written(folder: Path) -> Path:
    file = folder / "config.toml"
    file.write_text(block("toml").replace("/srv/referee/boards", str(folder / "boards")), "utf-8")
    return file


def test_without_a_setting_the_boards_lie_beside_the_database(tmp_path: Path) -> None:
    assert read("", tmp_path).boards_folder == tmp_path / "var" / "boards"


def test_a_board_laid_into_the_folder_can_be_used_at_once_and_a_faulty_one_is_refused(tmp_path: Path) -> None:
    with opened(config(tmp_path)) as office:
        granted, said = created(office)
        assert not granted and "board takes by players or small or medium or large" in said
        laid(tmp_path, "the-valley.txt", BOARD.replace("fBx", "fBX"))
        granted, said = created(office)
        assert not granted
        assert "No match can be played on drawn:the-valley: Line 14, column 29: fBX is no square" in said
        laid(tmp_path, "the-valley.txt", BOARD.replace("reef: c8r3 N", "reef: c4r2 N\nfalls: c4r2 N"))
        granted, said = created(office)
        assert not granted
        assert "The falls at c4r2N are on no river; draw the river too. That is one of 2 faults." in said
        laid(tmp_path, "the-valley.txt", BOARD)
        assert created(office)[0]


def test_more_players_than_starts_cannot_begin(tmp_path: Path) -> None:
    laid(tmp_path, "the-valley.txt", BOARD)
    with opened(config(tmp_path)) as office:
        assert created(office)[0]
        for name in ("anna", "ben", "cleo"):
            join_at_the_counter(office, "valley1", f"{name}@example.org", "", name)
        said = at_the_counter(office, "valley1", "START", "gina")
    assert not said.granted
    assert said.sentences == ("The board drawn:the-valley has room for 2 players, not 3.",)


def test_a_folder_of_drawings_is_read_anew_each_time(tmp_path: Path) -> None:
    drawings = DrawingFolder(tmp_path / "boards")
    assert dict(drawings) == {} and len(drawings) == 0
    file = laid(tmp_path, "Far East.txt", "\ufeffone")
    assert dict(drawings) == {"far-east": "one"}
    file.write_text("two", "utf-8")
    assert drawings["far-east"] == "two"
    laid(tmp_path, "notes.md", "no board")
    assert list(drawings) == ["far-east"]
