"""The keeper that holds the processes of a service alive, and wakes them."""

from __future__ import annotations

import faulthandler
import gc
import logging
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from io import BufferedReader
from pathlib import Path
from typing import IO, NoReturn
from weakref import WeakSet

import msgspec
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from referee.service.base.ports import Left


class Supervisor:
    """Hears that we are ready, alive, about to read our settings anew, or ending; nobody hears it where there is none.

    The protocol is a datagram of lines to the socket that NOTIFY_SOCKET names: too little for a library, and the one in
    Python has not been looked after since 2017.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        mine = environment.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
        microseconds = environment.get("WATCHDOG_USEC", "") if mine else ""
        self.patience = int(microseconds) / 1_000_000 if microseconds.isdecimal() else None
        """After how many seconds without a sign of life we are ended and started again; None for never."""

    @property
    def there(self) -> bool:
        """Whether anybody looks after us."""
        return bool(self._address)

    def ready(self) -> None:
        """Letters are taken from now on."""
        self._tell("READY=1", "STATUS=letters are taken")

    def alive(self) -> None:
        """A sign of life."""
        self._tell("WATCHDOG=1")

    def reloading(self) -> None:
        """Settings are read anew; ready() follows."""
        self._tell("RELOADING=1", f"MONOTONIC_USEC={time.monotonic_ns() // 1000}", "STATUS=settings are read anew")

    def stopping(self) -> None:
        """We were asked to end, and do."""
        self._tell("STOPPING=1", "STATUS=what is under way is finished")

    def says(self, sentence: str) -> None:
        """One line on how we are, for `systemctl status`."""
        self._tell(f"STATUS={' '.join(sentence.split())}")

    def _tell(self, *lines: str) -> None:
        if not self._address:
            return
        # One that does not listen any more must not keep us from our work.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as end:
            end.settimeout(1.0)
            end.sendto("\n".join(lines).encode(), self._address)


# ---------------------------------------------------------------- a process forked from this one
# It has loaded already what this one has, and shares its memory as long as neither writes.


class Branch:
    """The forked process as its parent sees it: the ends of its standard input and output, and its end."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self.pid = pid
        self.stdin: IO[bytes] | None = stdin
        self.stdout: IO[bytes] | None = stdout
        _branches.add(self)

    def let_go(self) -> None:
        """Close our ends, as a process does to which they came by a fork and to which it is no child."""
        for end in (self.stdin, self.stdout):
            if end is not None:
                end.close()

    def wait(self) -> int:
        """Its exit code, or the signal that ended it with a minus; waits until it has ended. To be called once."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


_branches: WeakSet[Branch] = WeakSet()
"""Those of this process. One of them hears that its parent hung up only when nobody else has the other end of its pipe."""


def branch_off(run: Callable[[BufferedReader], None]) -> Branch:
    """Fork; `run` is called in the new process with its standard input, and when it returns the process ends.

    For a process without other threads and without a database or connection open: both would have them, in no order.
    """
    (hears, tells), (listens, says) = os.pipe(), os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    # Loaded objects stay. To look among it for rubbish would cost time, and copy what both share.
    gc.freeze()
    pid = os.fork()
    if pid == 0:
        os.close(tells)
        os.close(listens)
        for other in _branches:
            other.let_go()
        _live(run, hears, says)
    os.close(hears)
    os.close(says)
    return Branch(pid, os.fdopen(tells, "wb"), os.fdopen(listens, "rb"))


def _live(run: Callable[[BufferedReader], None], hears: int, says: int) -> NoReturn:
    """The life of the new process: it never returns into what its parent was at."""
    code = 1
    try:
        for end, standard in ((hears, 0), (says, 1)):
            os.dup2(end, standard)
            os.close(end)
        with open(0, "rb", closefd=False) as pipe:
            run(pipe)
        code = 0
    except BaseException:
        # As the interpreter does at the end of a program; here it would go on in the parent's.
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


# ---------------------------------------------------------------- the alarm clock
# Wakes a scan now and then. The database alone says which work is due, and when.


class _Calm(logging.Filter):
    """A scan that outlasts its pause is no news, as the next one is made when it has ended."""

    def filter(self, record: logging.LogRecord) -> bool:
        if "skipped" in record.msg:
            record.levelno, record.levelname = logging.DEBUG, "DEBUG"
        return True


_log = logging.getLogger(__name__)
_log.addFilter(_Calm())


class Wakeup:
    """Calls `scan` at once and then every `seconds`, in a thread of its own; never two calls at a time.

    A call that could not run in time is made late rather than dropped, and several missed ones are made as one.
    """

    def __init__(self, scan: Callable[[], object], seconds: float) -> None:
        self._scan = scan
        self._seconds = seconds
        # By default this scheduler forgets a call that is over a second late.
        calm = {"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        self._scheduler = BackgroundScheduler(timezone=UTC, job_defaults=calm, logger=_log)

    def start(self) -> None:
        """Begin to call."""
        every = IntervalTrigger(seconds=self._seconds, timezone=UTC)
        self._scheduler.add_job(self._scan, every, id="scan", replace_existing=True, next_run_time=datetime.now(UTC))
        self._scheduler.start()

    def stop(self) -> None:
        """Wait for the call under way and end."""
        self._scheduler.shutdown(wait=True)


# ---------------------------------------------------------------- hand
# The note of which letter the desk has in hand, on a file that outlives it, and the clock that ends a desk kept too long.
#
# A letter may keep the desk in one call of a library, for hours, in which no line of ours runs. So it is the system that counts
# the seconds of computing and ends the process, and a handler in C that first writes down where it was. Seconds of waiting, for
# a lock or on a slow machine, are not counted; for those the service looks at the note now and then.


_SIZE = 64


class Held(msgspec.Struct, frozen=True):
    """The letter a desk is at, or was at when it ended: its number, the desk's process, and for how many seconds."""

    letter: int
    process: int
    seconds: float


def held(path: Path) -> Held | None:
    """The text of the note; None when no letter was in hand."""
    try:
        said = path.read_bytes().split()
        letter, process, since = map(int, said[:3])
    except (OSError, ValueError):
        return None
    return Held(letter, process, (time.monotonic_ns() - since) / 1e9) if letter else None


def at_hand(path: Path) -> Held | None:
    """The text of the note on a desk that is at work; None if none is, or it has no letter in hand."""
    found = held(path)
    with suppress(OSError):
        if found is not None:
            os.kill(found.process, 0)
            return found
    return None


class _At:
    """While the desk is at a letter: the note says which, and the clock runs. A plain object, for every letter needs two."""

    __slots__ = ("_letter", "_note", "_seconds")

    def __init__(self, letter: int, note: Callable[[int], None], seconds: float) -> None:
        self._letter, self._note, self._seconds = letter, note, seconds

    def __enter__(self) -> None:
        self._note(self._letter)
        signal.setitimer(signal.ITIMER_PROF, self._seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        self._note(0)


class NotedHand:
    """The desk's hand. Made once in its process, where no other desk works on this folder.

    `seconds` of computing is how long a letter may take.
    """

    def __init__(self, path: Path, seconds: float) -> None:
        self._seconds, self._process = seconds, os.getpid()
        was, trace = held(path), path.with_suffix(".trace")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._trace = os.open(trace, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_APPEND, 0o600)
        where = os.read(self._trace, 20_000).decode("utf-8", "replace")
        self._left = Left(was.letter, where) if was is not None else None
        faulthandler.register(signal.SIGPROF, file=self._trace, all_threads=True, chain=True)

    def on(self, letter: int) -> AbstractContextManager[None]:
        """The desk is at this letter. If it computes too long the process ends, and the note stays."""
        return _At(letter, self._note, self._seconds)

    def left(self) -> Left | None:
        """The letter that the desk before this one had in hand when it ended, until that is settled."""
        return self._left

    def settled(self) -> None:
        """It is known in the store what became of that letter."""
        self._left = None
        self._note(0)
        with suppress(OSError):
            os.truncate(self._trace, 0)

    def _note(self, letter: int) -> None:
        # Not brought to the disk: it must outlive the process, not the machine.
        said = b"%d %d %d" % (letter, self._process, time.monotonic_ns())
        try:
            os.pwrite(self._file, said.ljust(_SIZE), 0)
        except OSError:
            return  # on a full disk the letters go on

    def close(self) -> None:
        """Let go of the files."""
        faulthandler.unregister(signal.SIGPROF)
        os.close(self._trace)
        os.close(self._file)
