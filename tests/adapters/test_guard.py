"""Who keeps house on a real PostgreSQL: one does, and who lost the place learns it at his next write, whether he knows or not."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url, text

from referee.adapters.store.guard import Place, at_desk
from referee.adapters.store.store import Store
from referee.config import load
from referee.doctor import examine
from referee.service.base.ports import NotNow
from tests.postgresql import Postgresql
from tests.real.machine import eventually

pytestmark = pytest.mark.real

_QUICK = "?options=-c%20lock_timeout%3D100ms"
_LOCKS = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted"


class Desks:
    """Two desks of one database, each with its place and the store in which it works; nothing but the test moves them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.places = [Place(url + _QUICK, 3600) for _ in range(2)]
        self.stores = [Store(url + _QUICK, guard=place.guard) for place in self.places]
        self.free = Store(url)

    def close(self) -> None:
        for place in self.places:
            place.close()
        for store in (*self.stores, self.free):
            store.close()

    def look_around(self) -> list[bool]:
        """Both look after the place, one after the other; who has it."""
        for place in self.places:
            place.keep()
        return [place.is_mine for place in self.places]

    def has_it(self, desk: int) -> bool:
        """One of them looks after the place."""
        self.places[desk].keep()
        return self.places[desk].is_mine

    def write(self, desk: int, value: str) -> None:
        """A desk's work."""
        with self.stores[desk].step() as step:
            step.put_note("", "", "work", value)

    def written(self) -> str | None:
        """What came of it."""
        with self.free.look() as step:
            return step.note("", "", "work")

    def cut_off(self) -> None:
        """The server takes the machine at the desk for gone and ends its connection."""
        with self.free.engine.begin() as db:
            (pid,) = db.execute(text(_LOCKS)).scalars()
            db.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})


@pytest.fixture
def desks(postgresql: Postgresql) -> Iterator[Desks]:
    Store(url := postgresql.fresh()).close()
    made = Desks(url)
    yield made
    made.close()


def test_one_of_two_desks_has_the_place_and_the_other_has_it_when_that_one_leaves(desks: Desks) -> None:
    assert at_desk(desks.free.engine) is None
    assert desks.look_around() == desks.look_around() == [True, False]
    here = at_desk(desks.free.engine)
    assert here is not None and (here.host, here.pid) == (socket.gethostname(), os.getpid())
    for desk, value in enumerate(("of the first", "of the second")):
        desks.write(desk, value)
        assert desks.written() == value, "both work"
    desks.places[0].close()
    eventually("the server to notice", lambda: desks.has_it(1))
    desks.write(1, "once more")
    assert desks.written() == "once more"


def test_a_desk_that_was_cut_off_commits_nothing_as_the_keeper_of_the_house_once_another_has_the_place(
    desks: Desks,
) -> None:
    desks.look_around()
    desks.cut_off()
    desks.write(0, "nobody else has the place yet")
    desks.places[1].keep()
    assert desks.places[0].is_mine, "it has not noticed"
    with pytest.raises(NotNow, match="keeps house no more"):
        desks.write(0, "too late")
    desks.write(1, "of the second")
    assert desks.written() == "of the second"
    desks.write(0, "as any other desk")
    assert desks.written() == "as any other desk"
    assert desks.look_around() == [False, True]


def test_a_desk_that_notices_that_it_was_cut_off_looks_for_the_place_anew(desks: Desks) -> None:
    desks.look_around()
    desks.cut_off()
    with pytest.raises(NotNow):
        desks.places[0].keep()
    assert not desks.places[0].is_mine
    assert desks.look_around() == [True, False]


def test_nobody_takes_the_place_in_the_middle_of_the_work_of_who_had_it(desks: Desks) -> None:
    """A frozen desk holds its signature until its transaction ends, which the server sees to."""
    desks.look_around()
    with desks.stores[0].step() as step:
        step.put_note("", "", "work", "in hand")
        desks.cut_off()
        with pytest.raises(NotNow):
            desks.has_it(1)
    eventually("the server to notice", lambda: desks.has_it(1))
    assert desks.written() == "in hand"


def test_a_desk_that_gives_no_sign_of_life_loses_its_place_by_the_server(desks: Desks) -> None:
    # Longer than a busy machine takes between two statements, or it is ended before it has the place.
    still = Place(f"{desks.url}?options=-c%20idle_in_transaction_session_timeout%3D500ms", 3600)
    still.keep()
    assert still.is_mine
    eventually("the other to have the place", lambda: desks.has_it(1))
    with pytest.raises(NotNow):
        still.keep()
    still.close()


def test_a_desk_that_stands_still_between_two_parts_of_what_it_sends_is_ended(desks: Desks) -> None:
    """The server waits for the rest, counts it as busy, and would let it hold for ever what it has locked."""
    desks.write(0, "of before")
    address = make_url(desks.url).set(drivername="postgresql").render_as_string(hide_password=False)
    with (
        closing(psycopg.connect(address, application_name="referee desk elsewhere 1")) as still,
        pytest.raises(psycopg.OperationalError),
        still.pipeline(),
    ):
        still.execute("UPDATE note SET value = 'in hand' WHERE name = 'work'")
        eventually("the server to lock what it was sent", lambda: not _writes(desks, "must wait"))
        quick = "?options=-c%20idle_in_transaction_session_timeout%3D50ms%20-c%20lock_timeout%3D100ms"
        other = Place(desks.url + quick, 3600)
        eventually("the other to have the place and end it", lambda: other.keep() == 0 and _writes(desks, "free"))
        other.close()
        still.execute("SELECT 1")
    assert desks.written() == "free"


def _writes(desks: Desks, value: str) -> bool:
    with suppress(NotNow):
        desks.write(0, value)
        return True
    return False


def test_the_doctor_says_who_is_at_the_desk_and_how_the_server_writes(desks: Desks, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(f'[database]\nurl = "{desks.url}"\n')
    config = load(tmp_path / "config.toml")

    def said(what: str) -> str:
        return next(finding.sentence for finding in examine(config) if finding.what == what)

    assert said("desk").startswith("Nobody keeps house")
    desks.look_around()
    assert f"Process {os.getpid()} of this machine keeps house since" in said("desk")
    assert "work beside it" in said("desk")
    assert "Set fsync, full_page_writes to on" in said("durability"), "the tests' server is a hasty one"


def test_every_connection_has_limits_keepalives_and_a_name(desks: Desks) -> None:
    with desks.free.engine.connect() as db:
        settings = {name: str(db.execute(text(f"SHOW {name}")).scalar()) for name in (*_LIMITS, "application_name")}
    assert settings == {**_LIMITS, "application_name": "referee"}


_LIMITS = {
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "30s",
    "statement_timeout": "2min",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "25000",
}
