"""A process of ours: how it begins, works, ends, and how much it may hold."""

from __future__ import annotations

import ctypes
import faulthandler
import logging
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from io import BufferedReader
from typing import Any

from referee.adapters.processes.supervisor import Branch, branch_off
from referee.service.base.office import log_failure

# ---------------------------------------------------------------- how a process of ours ends
# When it is asked to, and in time, saying what kept it if not.


ASKING = (signal.SIGINT, signal.SIGTERM)
"""The signals by which a process is asked to end."""


class Asked:
    """Hears from now on when this process is asked to end, or is sent another signal that it heeds (`also`).

    Made once, in the main thread.
    """

    def __init__(self, *also: signal.Signals) -> None:
        # A handler in Python runs only between two steps of the main thread: never, if the signal comes after the last of
        # them and before the system call that waits, or to another thread; and where it does run, the main thread may just
        # hold the lock of the very Event that it sets. The interpreter's own words at the signal stay written.
        self._heard, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        for name in (*ASKING, *also):
            signal.signal(name, lambda *_: None)  # heard by what is written; without a handler it would be our end

    def wait(self, seconds: float | None = None) -> int:
        """Wait until it is asked, so many seconds at most; the signal, 0 for none. Returns at once if it was."""
        if seconds is not None and not select.select([self._heard], [], [], seconds)[0]:
            return 0
        return os.read(self._heard, 1)[0]


@contextmanager
def born_deaf() -> Iterator[None]:
    """A process started meanwhile by this thread never hears that it is asked to end, from its first moment on."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ASKING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_within(seconds: float) -> None:
    """End this process at the latest then, whatever its threads do; where each of them stood goes to standard error."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__ or 2)


# ---------------------------------------------------------------- memory
# Memory that is free goes back to the system, as far as the C library knows how to.
#
# A service that runs for years needs much now and then, to read a long log or to draw a map, and little between. glibc keeps
# what became free in pieces, and so for each thread: after some days of hard work that was a quarter of what a desk had.


_ARENAS = -8
_library = ctypes.CDLL(None)


def keep_together() -> None:
    """All threads take their memory from one place, as they take turns in any case. To be called before there are any."""
    with suppress(AttributeError):
        _library.mallopt(_ARENAS, 1)


def give_back() -> None:
    """Give free memory back; some milliseconds' work."""
    with suppress(AttributeError):
        _library.malloc_trim(0)


_log = logging.getLogger(__name__)
_SHORTEST, _LONGEST = 0.1, 10.0
"""Seconds before a child that died is started again: longer each time, as long as none says a word."""


class Child:
    """Runs `python -m module` and hands it `told`; each line it says is given to `heard`, in a thread of its own."""

    def __init__(self, module: str, told: Any, heard: Callable[[str], None]) -> None:
        self._module = module
        self._branch: Branch | None = None
        self._told = pickle.dumps(told)
        self._heard = heard
        self._process: subprocess.Popen[bytes] | Branch | None = None
        self._using = threading.Lock()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._keep_alive, name="child", daemon=True)

    @property
    def pid(self) -> int:
        """The process that works now; 0 between two."""
        with self._using:
            return self._process.pid if self._process else 0

    def branch_off(self) -> None:
        """Fork the first process from this one, for `start`: it need not load anew what is loaded here.

        The module's `main` is given its standard input then. For a process that has just begun (see `branch_off` of
        adapters.branch); one that dies later is followed by a new one, as ever.
        """
        with born_deaf():
            self._branch = branch_off(lambda pipe: import_module(self._module).main(pipe))

    def start(self) -> None:
        """Start the process; returns before it is ready. Bells rung meanwhile it hears then."""
        self._spawn()
        self._thread.start()

    def wake(self) -> None:
        """Ring the bell. Returns at once; may be called from any thread."""
        with self._using:
            if self._process is not None and self._process.stdin is not None:
                # A full pipe has rung long enough; one without a reader is that of a dead child, whose successor looks.
                with suppress(BlockingIOError, BrokenPipeError):
                    os.write(self._process.stdin.fileno(), b"\n")

    def end(self, pid: int) -> None:
        """End the process at once, if it is this one still; another follows it."""
        with self._using:
            if self._process is not None and self._process.pid == pid:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def leave(self) -> None:
        """Let it finish what is under way and end; returns at once."""
        self._ending.set()
        self._hang_up()

    def stop(self) -> None:
        """Let it finish what is under way, and wait for its end."""
        self.leave()
        if self._thread.is_alive():
            self._thread.join()

    def _spawn(self) -> None:
        process, self._branch = self._branch or self._program(), None
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            process.stdin.write(self._told)
            process.stdin.flush()
        os.set_blocking(process.stdin.fileno(), False)
        with self._using:
            self._process = process
        if self._ending.is_set():
            self._hang_up()

    def _program(self) -> subprocess.Popen[bytes]:
        with born_deaf():
            command = [sys.executable, "-m", self._module]
            return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _hang_up(self) -> None:
        with self._using:
            if self._process is not None and self._process.stdin is not None:
                with suppress(BrokenPipeError):
                    self._process.stdin.close()
                self._process.stdin = None

    def _keep_alive(self) -> None:
        pause = _SHORTEST
        while True:
            said = self._listen()
            if self._ending.is_set():
                return
            pause = _SHORTEST if said else min(2 * pause, _LONGEST)
            if self._ending.wait(pause):
                return
            self._spawn()

    def _listen(self) -> int:
        """Hear the child out, and bury it; how many lines it said."""
        process, said = self._process, 0
        assert process is not None and process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                said += 1
                self._hear(line.decode().strip())
        self._hang_up()
        code = process.wait()
        if not self._ending.is_set():
            _log.error("%s ended with code %d; it is started again", self._module, code)
        return said

    def _hear(self, line: str) -> None:
        try:
            self._heard(line)
        except Exception as problem:
            # The one who was to hear of it looks again by himself; the child must be heard out all the same.
            log_failure(_log, problem, "the words of the child could not be passed on: %s", line)


class Bell:
    """The child's end: what it was told first, then a ring for each piece of work, then the end."""

    def __init__(self, pipe: BufferedReader) -> None:
        self._pipe = pipe

    def told(self) -> Any:
        """The values that the parent gave to its child at the start. Raises EOFError when the parent died before."""
        return pickle.load(self._pipe)

    def outlasts(self, wait: Callable[[], object]) -> bool:
        """Call `wait` in a thread and wait for it; False when the parent hung up first, and the child is to end."""
        came: list[object] = []
        done, tell = os.pipe()

        def waited() -> None:
            try:
                came.append(wait())
            finally:
                os.close(tell)

        threading.Thread(target=waited, name="waiting", daemon=True).start()
        either = select.poll()
        for end in (done, self._pipe.fileno()):
            either.register(end, 0)  # that the other end is closed is always told
        either.poll()
        os.close(done)
        return bool(came)

    def listen(self, rung: Callable[[], None]) -> None:
        """Call `rung` for each ring, several at once as one, until the parent hangs up or is dead."""
        while self._pipe.read1(65_536):
            rung()


def say(line: str) -> None:
    """Tell the parent a line; whether it still hears does not matter."""
    with suppress(BrokenPipeError):
        os.write(1, f"{line}\n".encode())


# ---------------------------------------------------------------- worker
# A thread that does one kind of work whenever it is woken, and now and then in case nobody woke it.


_LONGEST_STEP = 10.0
_OFTEN = 30
_UNTIDY = 60.0


class Worker:
    """Repeats `work` while it says that something was done, then rests until woken or `rest_seconds` have passed.

    An exception is logged and the work is tried again after the rest: a worker never dies of one bad letter. While it
    fails again and again the rests grow, to ten seconds, and nobody can wake it. Before a rest it gives back memory, if it has
    not for `tidy_seconds`. One that is `in_no_hurry` leaves two thirds of the time to the others of its process.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], int],
        rest_seconds: float,
        tidy_seconds: float = _UNTIDY,
        in_no_hurry: bool = False,
    ) -> None:
        self._work = work
        self._name = name
        self._rest, self._tidy = rest_seconds, tidy_seconds
        self._in_no_hurry = in_no_hurry
        self._failed = 0
        self._looked = self._tidied = time.monotonic()
        self._woken = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to work, in a thread of its own."""
        self._thread.start()

    def wake(self) -> None:
        """There is something to do. Returns at once; may be called from any thread."""
        self._woken.set()

    @property
    def runs(self) -> bool:
        """Whether it was started and has not ended."""
        return self._thread.is_alive()

    @property
    def idle(self) -> float:
        """How many seconds ago it last looked for work, or was made."""
        return time.monotonic() - self._looked

    def stop(self) -> None:
        """Finish the piece of work under way and end."""
        self._ending.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._ending.is_set():
            # Cleared before the work, so that a call during it is not forgotten.
            self._woken.clear()
            self._looked = time.monotonic()
            if not self._ending.is_set() and not self._something_done():
                self._pause()
            elif self._in_no_hurry:
                self._ending.wait(2 * (time.monotonic() - self._looked))

    def _pause(self) -> None:
        if self._looked - self._tidied >= self._tidy:
            self._tidied = self._looked
            give_back()
        if self._failed < 2:
            self._woken.wait(self._rest)
        else:
            self._ending.wait(max(self._rest, min(self._rest * 2**self._failed, _LONGEST_STEP)))

    def _something_done(self) -> bool:
        try:
            done = self._work() > 0
            self._failed = 0
            return done
        except Exception as problem:
            self._failed = min(self._failed + 1, _OFTEN)
            log_failure(_log, problem, "%s failed; it is tried again", self._name)
            return False
