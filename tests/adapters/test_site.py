"""The archive: plain files that appear whole, in the match's own folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.adapters.files import make_folder, write_whole
from referee.adapters.pages.site import ENGINE, Site


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
