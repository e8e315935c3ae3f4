"""The archive: plain files that appear whole, in the match's own folder."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import pytest

from referee.adapters.files import make_folder, write_whole
from referee.adapters.pages import archive_folder as site_module
from referee.adapters.pages.archive_folder import ENGINE, Site


def test_pages_and_index_are_written(tmp_path: Path) -> None:
    index = Site(tmp_path / "site").publish("ALPHA", {"turn-1.html": b"one", "sheets/spain.csv": b"a,b"}, b"<ul>")
    assert index == tmp_path / "site" / "ALPHA" / "index.html"
    assert {file.relative_to(index.parent).as_posix(): file.read_bytes() for file in index.parent.rglob("*.*")} == {
        "index.html": b"<ul>",
        "turn-1.html": b"one",
        "sheets/spain.csv": b"a,b",
    }


def test_only_what_changed_is_written_again(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.publish("ALPHA", {"1.html": b"one", "2.html": b"two"}, b"")
    before = (tmp_path / "ALPHA" / "1.html").stat().st_ino
    site.publish("ALPHA", {"1.html": b"one", "2.html": b"changed"}, b"")
    assert (tmp_path / "ALPHA" / "1.html").stat().st_ino == before
    assert (tmp_path / "ALPHA" / "2.html").read_bytes() == b"changed"


@pytest.mark.parametrize("path", ["../x.html", "/etc/x", "a/../../x", "", "..\\x"])
def test_nothing_is_written_outside_the_matchs_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="archive"):
        Site(tmp_path / "site").publish("ALPHA", {"good.html": b"", path: b"x"}, b"")
    with pytest.raises(ValueError, match="archive"):
        Site(tmp_path / "site").publish(path, {}, b"")
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "page"
    write_whole(file, b"old")
    with pytest.raises(FileNotFoundError):
        write_whole(file, b"new", by_way_of=tmp_path / "absent" / "part")
    assert file.read_bytes() == b"old"
    write_whole(file, b"new")
    assert file.read_bytes() == b"new"
    make_folder(file.parent)
    assert file.is_file()


def test_the_rules_for_the_page_lie_beside_the_matches_where_a_release_carries_them(tmp_path: Path) -> None:
    site, engine = Site(tmp_path / "site"), tmp_path / "engine"
    engine.mkdir()
    (engine / "worker.js").write_bytes(b"one")
    site.lay_engine(engine)
    assert not (site.root / "engine").exists()
    (engine / ENGINE).write_bytes(b"{1}")
    site.lay_engine(engine)
    assert (site.root / "engine" / "worker.js").read_bytes() == b"one"
    (engine / "worker.js").write_bytes(b"two")
    site.lay_engine(engine)
    assert (site.root / "engine" / "worker.js").read_bytes() == b"one", "what is there already is not read again"
    (engine / ENGINE).write_bytes(b"{2}")
    site.lay_engine(engine)
    assert (site.root / "engine" / "worker.js").read_bytes() == b"two"


def test_a_folder_is_laid_in_the_place_of_the_last_in_one_step(tmp_path: Path) -> None:
    """Whoever has opened a folder reads all of it as it was; whoever opens it later reads all of the next."""
    site = Site(tmp_path)
    site.publish("ALPHA", {"match.json": b"1", "turn-1.html": b"one", "sheets/a.csv": b"a", "log.jsonl": b"1\n"}, b"1")
    reader = os.open(tmp_path / "ALPHA", os.O_RDONLY)
    log = os.open("log.jsonl", os.O_RDONLY, dir_fd=reader)
    site.publish("ALPHA", {"match.json": b"2", "turn-2.html": b"two"}, b"2", {"log.jsonl": b"2\n"})
    assert os.read(log, 99) == b"1\n", "what was read before got longer in the reader's hands"
    with pytest.raises(FileNotFoundError):
        os.open("match.json", os.O_RDONLY, dir_fd=reader)
    os.close(log)
    os.close(reader)
    found = {path.name: path.read_bytes() for path in (tmp_path / "ALPHA").rglob("*.*")}
    assert found == {
        "match.json": b"2",
        "turn-1.html": b"one",
        "turn-2.html": b"two",
        "a.csv": b"a",
        "log.jsonl": b"1\n2\n",
        "index.html": b"2",
    }


@pytest.mark.parametrize("step", ["exchange", "rmtree"])
def test_a_folder_whose_laying_was_cut_short_is_whole_and_is_laid_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    site = Site(tmp_path)
    site.publish("ALPHA", {"match.json": b"1", "a.html": b"a"}, b"1")

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(site_module, step, cut)
        site.publish("ALPHA", {"match.json": b"2"}, b"2")
    whole = {path.name: path.read_bytes() for path in (tmp_path / "ALPHA").iterdir()}
    assert whole["match.json"] == whole["index.html"] and whole["a.html"] == b"a"
    Site(tmp_path).publish("ALPHA", {"match.json": b"3"}, b"3")
    assert {path.name: path.read_bytes() for path in (tmp_path / "ALPHA").iterdir()} == {
        "match.json": b"3",
        "index.html": b"3",
        "a.html": b"a",
    }
    assert not any((tmp_path / ".making").iterdir())


def test_a_system_that_cannot_exchange_two_folders_lays_them_by_three_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: object())
    for number in (b"1", b"2", b"3"):
        Site(tmp_path).publish("ALPHA", {"match.json": number}, number)
    assert (tmp_path / "ALPHA" / "match.json").read_bytes() == b"3"
    assert {path.name for path in tmp_path.rglob("*") if path.is_dir()} == {"ALPHA", ".making"}
