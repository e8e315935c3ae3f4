"""A PostgreSQL of Debian's in a temporary folder, on a port of its own; it wants root, as it must run under another user.

One serves a whole run, or one each of the processes that share a run. What is asked for `fresh` is an empty database in it.
`python -m tests.postgresql` keeps a durable one until its input ends, to be measured on (`referee bench --database`).
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text

from tests.bench.mail_server import free_ports
from tests.needed import left_out

_DEBIAN = Path("/usr/lib/postgresql")
_AS = "postgres"
_CHEAP = ("fsync=off", "full_page_writes=off", "dynamic_shared_memory_type=mmap")
"""No power cut comes in a test. What a kill or a crash of the server may take is not changed: commits are synchronous. What
processes share lies in the folder, and goes with it."""

_numbers = itertools.count()


def lacks_postgresql() -> str:
    """Why no server can be started here; "" when it can."""
    if os.geteuid() != 0:
        return "PostgreSQL is started as another user, which needs root"
    return "" if _programs() else "this needs PostgreSQL (apt-get install postgresql)"


def _programs() -> Path | None:
    """The folder of the newest version's programs."""
    versions = sorted(_DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parent.parent.name))
    return versions[-1].parent if versions else None


class Postgresql:
    """A running server. It may be ended and started again, as a machine's keeper would.

    A `durable` one writes every commit to the disk, as that of a club does.
    """

    def __init__(self, folder: Path, durable: bool = False) -> None:
        self._folder = folder
        self._settings = ("max_connections=50", *(() if durable else _CHEAP))
        (self.port,) = free_ports(1)
        found = _programs()
        assert found is not None  # asked before
        self._bin = found
        self._run("initdb", "--auth=trust", "--no-sync", "--username", _AS, "--pgdata", str(folder / "data"))
        self.start()

    def start(self) -> None:
        """Start it; returns when it takes connections."""
        settings = (f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={self._folder}")
        options = " ".join(f"-c {setting}" for setting in (*settings, *self._settings))
        self._run("pg_ctl", "start", "--wait", "--log", str(self._folder / "log"), "--options", options)

    def stop(self, mode: str = "immediate") -> None:
        """End it: "fast" in good order, "immediate" as a crash would."""
        self._run("pg_ctl", "stop", "--wait", "--mode", mode)

    def url(self, database: str = "postgres") -> str:
        """The address of a database in it."""
        return f"postgresql+psycopg://{_AS}@127.0.0.1:{self.port}/{database}"

    def fresh(self, template: str = "template1") -> str:
        """The address of an empty database, or of a copy of the database of this name, which nobody may have open."""
        name = f"t{os.getpid()}_{next(_numbers)}"
        engine = create_engine(self.url(), isolation_level="AUTOCOMMIT")
        with engine.connect() as db:
            db.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
        engine.dispose()
        return self.url(name)

    def drop(self, url: str) -> None:
        """Lose the database of this address, whoever has it open."""
        engine = create_engine(self.url(), isolation_level="AUTOCOMMIT")
        with engine.connect() as db:
            db.execute(text(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)"))
        engine.dispose()

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._bin / program), *arguments]
        environment = {**os.environ, "PGDATA": str(self._folder / "data"), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            command, user=_AS, group=_AS, cwd=self._folder, env=environment, stdout=subprocess.DEVNULL
        )
        assert done.returncode == 0, (self._folder / "log").read_text() if (self._folder / "log").exists() else program


@contextmanager
def run_postgresql(durable: bool = False) -> Iterator[Postgresql]:
    """A server for the time of the block. Skips the test, or fails it where real servers are required, without one."""
    left_out(lacks_postgresql())
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    shutil.chown(folder, _AS, _AS)
    try:
        server = Postgresql(folder, durable)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    with run_postgresql(durable=True) as kept:
        print(kept.url(), flush=True)
        sys.stdin.read()
